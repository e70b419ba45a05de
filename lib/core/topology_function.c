/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One function of a topology file, and the defaults of what it does not say. Defaults are put in
 * first, then the file's values over them, then what follows from both (GID, names of the
 * representor). Every refusal names the value, what stands there and what is needed.
 */
#include "core/topology_read.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/pci_addr.h"

/* The last one is for the host side only. */
static const char *const function_keys[] = {
	"pci", "type", "sf_index", "ibdev",   "iface",
	"mac", "ipv4", "ipv6",	   "vhca_id", "represented_on",
};

static doca_error_t read_pci(struct sdpu_topology_reader *r, const struct sdpu_json *at,
			     char pci[DOCA_DEVINFO_PCI_ADDR_SIZE])
{
	const char *text;
	doca_error_t result = sdpu_json_get_string(at, &text, r->err);

	if (result != DOCA_SUCCESS)
		return result;
	if (!sdpu_pci_normalize(text, pci))
		return sdpu_json_refuse(at, r->err, "a PCI address, dddd:bb:dd.f or bb:dd.f");
	return DOCA_SUCCESS;
}

static doca_error_t read_own_pci(struct sdpu_topology_reader *r, const struct sdpu_json *at,
				 struct sdpu_function *function)
{
	struct sdpu_json member;

	if (!sdpu_json_member(at, "pci", &member))
		return sdpu_json_refuse(at, r->err, "a function with a \"pci\" address");
	return read_pci(r, &member, function->pci);
}

static doca_error_t read_type(struct sdpu_topology_reader *r, const struct sdpu_json *at,
			      struct sdpu_function *function)
{
	static const char *const names[] = {
		[DOCA_PCI_FUNC_TYPE_PF] = "pf",
		[DOCA_PCI_FUNC_TYPE_VF] = "vf",
		[DOCA_PCI_FUNC_TYPE_SF] = "sf",
	};
	struct sdpu_json member;
	const char *text;
	doca_error_t result;

	if (!sdpu_json_member(at, "type", &member))
		return DOCA_SUCCESS;
	result = sdpu_json_get_string(&member, &text, r->err);
	if (result != DOCA_SUCCESS)
		return result;
	for (unsigned int i = 0; i < SDPU_ARRAY_SIZE(names); i++) {
		if (strcmp(names[i], text) == 0) {
			function->type = (enum doca_pci_func_type)i;
			return DOCA_SUCCESS;
		}
	}
	return sdpu_json_refuse(&member, r->err, "\"pf\", \"vf\" or \"sf\"");
}

/* Sub-functions are found by an index, which only they have. */
static doca_error_t read_sf_index(struct sdpu_topology_reader *r, const struct sdpu_json *at,
				  struct sdpu_function *function)
{
	bool is_sf = function->type == DOCA_PCI_FUNC_TYPE_SF;
	struct sdpu_json member;
	doca_error_t result;
	int64_t value;

	if (!sdpu_json_member(at, "sf_index", &member))
		return is_sf ? sdpu_json_refuse(at, r->err, "an \"sf_index\" (\"type\" is \"sf\")")
			     : DOCA_SUCCESS;
	if (!is_sf)
		return sdpu_json_refuse(&member, r->err, "\"type\": \"sf\" beside it");
	result = sdpu_json_get_int(&member, 0, UINT32_MAX, &value, r->err);
	if (result == DOCA_SUCCESS)
		function->sf_index = (uint32_t)value;
	return result;
}

static doca_error_t read_name(struct sdpu_topology_reader *r, const struct sdpu_json *at,
			      const char *key, char *name, size_t size)
{
	struct sdpu_json member;
	doca_error_t result;
	const char *text;

	if (!sdpu_json_member(at, key, &member))
		return DOCA_SUCCESS;
	result = sdpu_json_get_string(&member, &text, r->err);
	if (result != DOCA_SUCCESS)
		return result;
	if (text[0] == '\0' || strlen(text) >= size)
		return sdpu_json_refuse(&member, r->err, "a name of 1 to %zu characters", size - 1);
	strcpy(name, text);
	return DOCA_SUCCESS;
}

/* Strict, as strtoul() and sscanf() are not: six pairs of digits, colons between them. */
static bool parse_mac(const char *text, uint8_t mac[DOCA_DEVINFO_MAC_ADDR_SIZE])
{
	static const char digits[] = "0123456789abcdefABCDEF";

	if (strlen(text) != 3 * DOCA_DEVINFO_MAC_ADDR_SIZE - 1)
		return false;
	for (size_t i = 0; i < DOCA_DEVINFO_MAC_ADDR_SIZE; i++, text += 3) {
		if (strspn(text, digits) != 2 || (text[2] != ':' && text[2] != '\0'))
			return false;
		mac[i] = (uint8_t)strtoul(text, NULL, 16);
	}
	return true;
}

static doca_error_t read_mac(struct sdpu_topology_reader *r, const struct sdpu_json *at,
			     struct sdpu_function *function)
{
	struct sdpu_json member;
	doca_error_t result;
	const char *text;

	if (!sdpu_json_member(at, "mac", &member))
		return DOCA_SUCCESS;
	result = sdpu_json_get_string(&member, &text, r->err);
	if (result == DOCA_SUCCESS && !parse_mac(text, function->mac))
		return sdpu_json_refuse(&member, r->err, "a MAC address such as 02:00:00:00:00:01");
	return result;
}

static doca_error_t read_ip(struct sdpu_topology_reader *r, const struct sdpu_json *at,
			    const char *key, int family, uint8_t *ip, size_t size)
{
	struct sdpu_json member;
	doca_error_t result;
	const char *text;

	if (!sdpu_json_member(at, key, &member))
		return DOCA_SUCCESS;
	if (json_object_is_type(member.value, json_type_null)) {
		memset(ip, 0, size);
		return DOCA_SUCCESS;
	}
	result = sdpu_json_get_string(&member, &text, r->err);
	if (result == DOCA_SUCCESS && inet_pton(family, text, ip) != 1)
		return sdpu_json_refuse(&member, r->err, "an IP%s address, or null for none",
					key + 2);
	return result;
}

static doca_error_t read_vhca_id(struct sdpu_topology_reader *r, const struct sdpu_json *at,
				 struct sdpu_function *function)
{
	struct sdpu_json member;
	doca_error_t result;
	int64_t value;

	if (!sdpu_json_member(at, "vhca_id", &member))
		return DOCA_SUCCESS;
	result = sdpu_json_get_int(&member, 0, UINT16_MAX, &value, r->err);
	if (result == DOCA_SUCCESS)
		function->vhca_id = (uint16_t)value;
	return result;
}

/* The function of this DPU with that address, or the first one for NULL. */
static const struct sdpu_function *find_port(const struct sdpu_topology_reader *r, const char *pci)
{
	for (uint32_t i = 0; i < r->topology->num_functions; i++) {
		const struct sdpu_function *at = &r->topology->functions[i];

		if (at->side == SDPU_SIDE_DPU && at->dpu == r->dpu &&
		    (pci == NULL || strcmp(at->pci, pci) == 0))
			return at;
	}
	return NULL;
}

static doca_error_t read_represented_on(struct sdpu_topology_reader *r, const struct sdpu_json *at,
					struct sdpu_function *function)
{
	char pci[DOCA_DEVINFO_PCI_ADDR_SIZE];
	struct sdpu_json member;
	doca_error_t result;

	if (!sdpu_json_member(at, "represented_on", &member)) {
		function->represented_on = find_port(r, NULL);
		return DOCA_SUCCESS;
	}
	result = read_pci(r, &member, pci);
	if (result != DOCA_SUCCESS)
		return result;
	function->represented_on = find_port(r, pci);
	if (function->represented_on == NULL)
		return sdpu_json_refuse(&member, r->err,
					"the \"pci\" of one of the \"functions\" of this DPU");
	return DOCA_SUCCESS;
}

/* The number that the kernel would give a representor of this type: how many functions of its type
 * the same port represents already. */
static unsigned int count_alike(const struct sdpu_topology_reader *r,
				const struct sdpu_function *function)
{
	unsigned int num = 0;

	for (uint32_t i = 0; i < r->topology->num_functions; i++) {
		const struct sdpu_function *other = &r->topology->functions[i];

		num += other->represented_on == function->represented_on &&
		       other->type == function->type;
	}
	return num;
}

/* "pf0", "pf0vf1", "pf0sf2": the number of the PF is the function number of the DPU's port. */
static void name_representor(const struct sdpu_topology_reader *r, struct sdpu_function *function)
{
	char port = function->represented_on->pci[DOCA_DEVINFO_PCI_ADDR_SIZE - 2];
	unsigned int alike = count_alike(r, function);
	char host[16] = "";

	switch (function->type) {
	case DOCA_PCI_FUNC_TYPE_VF:
		snprintf(function->rep_name, sizeof(function->rep_name), "pf%cvf%u", port, alike);
		break;
	case DOCA_PCI_FUNC_TYPE_SF:
		snprintf(function->rep_name, sizeof(function->rep_name), "pf%csf%u", port,
			 function->sf_index);
		break;
	default:
		if (alike > 0)
			snprintf(host, sizeof(host), "c%u", alike);
		snprintf(function->rep_name, sizeof(function->rep_name), "%spf%c", host, port);
	}
	snprintf(function->rep_iface, sizeof(function->rep_iface), "%s%s", function->rep_name,
		 function->type == DOCA_PCI_FUNC_TYPE_PF ? "hpf" : "");
}

/* Names and addresses for a function of which nothing but the place is known. 198.18.0.0/15 is set
 * aside for tests of this kind. */
static void set_defaults(const struct sdpu_topology_reader *r, struct sdpu_function *function)
{
	uint32_t index = r->topology->num_functions;
	uint8_t high = (uint8_t)((index + 1) >> 8), low = (uint8_t)(index + 1);

	function->side = r->side;
	function->dpu = r->dpu;
	function->limits = &r->topology->limits;
	function->vhca_id = (uint16_t)index;
	snprintf(function->ibdev, sizeof(function->ibdev), "mlx5_%u", index);
	snprintf(function->iface, sizeof(function->iface), "%s%u",
		 r->side == SDPU_SIDE_DPU ? "p" : "ens", index);
	snprintf(function->vuid, sizeof(function->vuid), "SOFTDPU%uF%u", r->dpu, index);
	memcpy(function->mac, (uint8_t[]){0x02, 0, 0, 0, high, low}, sizeof(function->mac));
	memcpy(function->ipv4, (uint8_t[]){198, 18, high, low}, sizeof(function->ipv4));
	memcpy(function->ipv6, (uint8_t[16]){0xfd, 0, 0x5d, [14] = high, low},
	       sizeof(function->ipv6));
}

/* As a port in RoCE mode has it: from the IPv4 address, else from the IPv6 address. */
static void set_gid(struct sdpu_function *function)
{
	static const uint8_t none[DOCA_DEVINFO_IPV4_ADDR_SIZE];

	memcpy(function->gid, function->ipv6, sizeof(function->gid));
	if (memcmp(function->ipv4, none, sizeof(none)) == 0)
		return;
	memset(function->gid, 0, sizeof(function->gid));
	memset(function->gid + 10, 0xff, 2);
	memcpy(function->gid + 12, function->ipv4, sizeof(function->ipv4));
}

/* Programs find a function by these: another one of the same side must not have them. */
static doca_error_t check_unique(struct sdpu_topology_reader *r, const struct sdpu_json *at,
				 const struct sdpu_function *function)
{
	for (uint32_t i = 0; i < r->topology->num_functions; i++) {
		const struct sdpu_function *other = &r->topology->functions[i];

		if (other->side != function->side)
			continue;
		if (strcmp(other->pci, function->pci) == 0)
			return sdpu_json_refuse(
				at, r->err, "a \"pci\" other than %s, which is taken", other->pci);
		if (strcmp(other->ibdev, function->ibdev) == 0)
			return sdpu_json_refuse(at, r->err,
						"an \"ibdev\" other than %s, which is taken",
						other->ibdev);
		if (strcmp(other->iface, function->iface) == 0)
			return sdpu_json_refuse(at, r->err,
						"an \"iface\" other than %.64s, which is taken",
						other->iface);
	}
	return DOCA_SUCCESS;
}

static doca_error_t read_addresses(struct sdpu_topology_reader *r, const struct sdpu_json *at,
				   struct sdpu_function *function)
{
	doca_error_t result = read_mac(r, at, function);

	if (result == DOCA_SUCCESS)
		result = read_ip(r, at, "ipv4", AF_INET, function->ipv4, sizeof(function->ipv4));
	if (result == DOCA_SUCCESS)
		result = read_ip(r, at, "ipv6", AF_INET6, function->ipv6, sizeof(function->ipv6));
	if (result == DOCA_SUCCESS)
		result = read_vhca_id(r, at, function);
	if (result == DOCA_SUCCESS)
		set_gid(function);
	return result;
}

static doca_error_t read_identity(struct sdpu_topology_reader *r, const struct sdpu_json *at,
				  struct sdpu_function *function)
{
	size_t num_keys = SDPU_ARRAY_SIZE(function_keys) - (r->side == SDPU_SIDE_DPU);
	doca_error_t result = sdpu_json_need_keys(at, function_keys, num_keys, r->err);

	if (result == DOCA_SUCCESS)
		result = read_own_pci(r, at, function);
	if (result == DOCA_SUCCESS)
		result = read_type(r, at, function);
	if (result == DOCA_SUCCESS)
		result = read_sf_index(r, at, function);
	if (result == DOCA_SUCCESS)
		result = read_name(r, at, "ibdev", function->ibdev, sizeof(function->ibdev));
	if (result == DOCA_SUCCESS)
		result = read_name(r, at, "iface", function->iface, sizeof(function->iface));
	return result;
}

/* Counted in num_functions only when it is complete. */
doca_error_t sdpu_topology_read_function(struct sdpu_topology_reader *r, const struct sdpu_json *at)
{
	struct sdpu_function *function = &r->topology->functions[r->topology->num_functions];
	doca_error_t result;

	set_defaults(r, function);
	result = read_identity(r, at, function);
	if (result == DOCA_SUCCESS)
		result = read_addresses(r, at, function);
	if (result == DOCA_SUCCESS)
		result = check_unique(r, at, function);
	if (result == DOCA_SUCCESS && r->side == SDPU_SIDE_HOST) {
		result = read_represented_on(r, at, function);
		if (result == DOCA_SUCCESS)
			name_representor(r, function);
	}
	if (result == DOCA_SUCCESS)
		r->topology->num_functions++;
	return result;
}
