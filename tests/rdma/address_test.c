/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Address objects, ports, and which ports are found at which addresses.
 */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "core/kit.h"
#include "rdma/rig.h"

static struct rig_end a, b;

static void start(struct rig_end *end, const char *pci)
{
	rig_init(end);
	end->pci = pci;
	end->by_address = true;
	rig_open(end);
	T_OK(doca_ctx_start(end->ctx));
}

static void close_both(void)
{
	rig_close(&a);
	rig_close(&b);
}

/* Text as it was given, whatever is made of it. */
static void read_back(enum doca_rdma_addr_type type, const char *text)
{
	struct doca_rdma_addr *addr;
	enum doca_rdma_addr_type got_type;
	const char *got;
	char given[64];
	uint16_t port;

	strcpy(given, text);
	T_OK(doca_rdma_addr_create(type, given, 4711, &addr));
	memset(given, 'x', sizeof(given));
	T_OK(doca_rdma_addr_get_params(addr, &got_type, &got, &port));
	T_EQ(got_type, type);
	T_STREQ(got, text);
	T_EQ(port, 4711);
	T_OK(doca_rdma_addr_destroy(addr));
}

T_CASE(addresses_are_read_back)
{
	read_back(DOCA_RDMA_ADDR_TYPE_IPv4, "10.0.0.1");
	read_back(DOCA_RDMA_ADDR_TYPE_IPv6, "::1");
	read_back(DOCA_RDMA_ADDR_TYPE_IPv6, "::FFFF:10.0.0.1");
	read_back(DOCA_RDMA_ADDR_TYPE_IPv6, "1111:2222:3333:4444:5555:6666:7777:8888");
	read_back(DOCA_RDMA_ADDR_TYPE_GID, "0000:0000:0000:0000:0000:ffff:0a00:0001");
}

static void refused(int type, const char *text)
{
	struct doca_rdma_addr *addr = (void *)1;

	T_ERR(doca_rdma_addr_create((enum doca_rdma_addr_type)type, text, 1, &addr),
	      DOCA_ERROR_INVALID_VALUE);
	T_CHECK(addr == (void *)1);
}

T_CASE(texts_that_are_no_addresses)
{
	char longer[300];

	refused(DOCA_RDMA_ADDR_TYPE_IPv4, "");
	refused(DOCA_RDMA_ADDR_TYPE_IPv4, "10.0.0");
	refused(DOCA_RDMA_ADDR_TYPE_IPv4, "10.0.0.256");
	refused(DOCA_RDMA_ADDR_TYPE_IPv4, "10.0.0.1 ");
	refused(DOCA_RDMA_ADDR_TYPE_IPv4, "::1");
	refused(DOCA_RDMA_ADDR_TYPE_IPv4, "localhost");
	refused(DOCA_RDMA_ADDR_TYPE_IPv6, "10.0.0.1");
	refused(DOCA_RDMA_ADDR_TYPE_IPv6, "1:2:3");
	refused(DOCA_RDMA_ADDR_TYPE_GID, "1:2:3:4:5:6:7:8:9");
	refused(DOCA_RDMA_ADDR_TYPE_GID, "10.0.0.1");
	refused(3, "10.0.0.1");
	refused(-1, "10.0.0.1");
	memset(longer, '1', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	refused(DOCA_RDMA_ADDR_TYPE_IPv6, longer);
}

T_CASE(null_arguments)
{
	struct doca_rdma_connection *connection = NULL;
	struct doca_rdma_addr *addr;
	enum doca_rdma_addr_type type;
	const char *text;
	uint16_t port;
	union doca_data none = {0};

	start(&a, KIT_DPU);
	T_ERR(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, NULL, 1, &addr),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "10.0.0.1", 1, NULL),
	      DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_addr_destroy(NULL), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "10.0.0.1", 1, &addr));
	T_ERR(doca_rdma_addr_get_params(NULL, &type, &text, &port), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_addr_get_params(addr, NULL, &text, &port), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_addr_get_params(addr, &type, NULL, &port), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_addr_get_params(addr, &type, &text, NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_start_listen_to_port(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_stop_listen_to_port(NULL, 1), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_connect_to_addr(NULL, addr, none), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_connect_to_addr(a.rdma, NULL, none), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_connection_accept(NULL, NULL, 0), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_connection_reject(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_connection_disconnect(NULL), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_connection_get_addr(NULL, &addr), DOCA_ERROR_INVALID_VALUE);
	T_ERR(doca_rdma_connection_get_addr(connection, NULL), DOCA_ERROR_INVALID_VALUE);
	T_OK(doca_rdma_addr_destroy(addr));
	rig_close(&a);
}

T_CASE(a_port_is_listened_to_once)
{
	uint16_t port = rig_port(), other = rig_port();

	start(&a, KIT_DPU);
	start(&b, KIT_DPU);
	rig_listen(&a, port);
	T_ERR(doca_rdma_start_listen_to_port(a.rdma, port), DOCA_ERROR_CONNECTION_ABORTED);
	T_ERR(doca_rdma_start_listen_to_port(b.rdma, port), DOCA_ERROR_CONNECTION_ABORTED);
	rig_listen(&a, other);
	T_ERR(doca_rdma_stop_listen_to_port(b.rdma, port), DOCA_ERROR_CONNECTION_ABORTED);
	T_OK(doca_rdma_stop_listen_to_port(a.rdma, port));
	T_ERR(doca_rdma_stop_listen_to_port(a.rdma, port), DOCA_ERROR_CONNECTION_ABORTED);
	rig_listen(&b, port);
	/* The stop of a context frees its ports. */
	T_OK(doca_ctx_stop(b.ctx));
	rig_listen(&a, port);
	T_ERR(doca_rdma_start_listen_to_port(a.rdma, 0), DOCA_ERROR_CONNECTION_ABORTED);
	close_both();
}

/* C5 */
T_CASE(calls_need_a_running_context)
{
	struct doca_rdma_addr *addr;
	union doca_data none = {0};

	rig_init(&a);
	rig_open(&a);
	T_OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", 1, &addr));
	for (int i = 0; i < 2; i++) {
		T_ERR(doca_rdma_start_listen_to_port(a.rdma, 1), DOCA_ERROR_BAD_STATE);
		T_ERR(doca_rdma_stop_listen_to_port(a.rdma, 1), DOCA_ERROR_BAD_STATE);
		T_ERR(doca_rdma_connect_to_addr(a.rdma, addr, none), DOCA_ERROR_BAD_STATE);
		T_OK(doca_ctx_start(a.ctx));
		T_OK(doca_ctx_stop(a.ctx));
	}
	T_OK(doca_rdma_addr_destroy(addr));
	rig_close(&a);
}

static void nothing(struct doca_rdma_connection *connection, union doca_data data,
		    union doca_data ctx_data)
{
	(void)connection;
	(void)data;
	(void)ctx_data;
}

/* C9: a client needs no request callback, a server does, and a client needs the others. */
T_CASE(callbacks_that_are_needed)
{
	struct doca_dev *dev = kit_open(KIT_DPU);
	struct doca_rdma_addr *addr;
	struct doca_rdma *rdma;
	struct doca_pe *pe;
	union doca_data none = {0};

	T_OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", rig_port(), &addr));
	T_OK(doca_pe_create(&pe));
	T_OK(doca_rdma_create(dev, &rdma));
	T_OK(doca_pe_connect_ctx(pe, doca_rdma_as_ctx(rdma)));
	T_OK(doca_ctx_start(doca_rdma_as_ctx(rdma)));
	T_ERR(doca_rdma_start_listen_to_port(rdma, rig_port()), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_rdma_connect_to_addr(rdma, addr, none), DOCA_ERROR_BAD_STATE);
	T_OK(doca_ctx_stop(doca_rdma_as_ctx(rdma)));
	T_OK(doca_rdma_set_connection_state_callbacks(rdma, NULL, nothing, nothing, nothing));
	T_OK(doca_ctx_start(doca_rdma_as_ctx(rdma)));
	T_ERR(doca_rdma_start_listen_to_port(rdma, rig_port()), DOCA_ERROR_BAD_STATE);
	T_OK(doca_rdma_connect_to_addr(rdma, addr, none));
	T_OK(doca_ctx_stop(doca_rdma_as_ctx(rdma)));
	T_OK(doca_rdma_destroy(rdma));
	T_OK(doca_pe_destroy(pe));
	T_OK(doca_rdma_addr_destroy(addr));
	T_OK(doca_dev_close(dev));
}

/* From a to b's port at that address. */
static void dial_text(enum doca_rdma_addr_type type, const char *text, uint16_t port, bool found)
{
	uint32_t established = a.established, failures = a.failures;
	struct doca_rdma_addr *addr;
	union doca_data none = {0};

	T_OK(doca_rdma_addr_create(type, text, port, &addr));
	T_OK(doca_rdma_connect_to_addr(a.rdma, addr, none));
	/* In use until the callback. */
	T_ERR(doca_rdma_addr_destroy(addr), DOCA_ERROR_BAD_STATE);
	RIG_UNTIL(&a, &b, a.established + a.failures == established + failures + 1);
	T_EQ(a.established - established, found);
	T_OK(doca_rdma_addr_destroy(addr));
	if (found)
		T_OK(doca_rdma_connection_disconnect(a.connection));
	RIG_UNTIL(&a, &b, a.disconnects == a.established && b.disconnects == b.established);
}

static const char *gid_text(const struct rig_end *end, uint32_t index)
{
	static char text[INET6_ADDRSTRLEN];
	struct doca_rdma_gid gid;

	T_OK(doca_rdma_cap_get_gid(doca_dev_as_devinfo(end->dev), index, 1, &gid));
	T_CHECK(inet_ntop(AF_INET6, gid.raw, text, sizeof(text)) != NULL);
	return text;
}

/* The addresses of the function itself need no network. */
static void dial_function(const char *from, const char *to)
{
	uint8_t ipv4[DOCA_DEVINFO_IPV4_ADDR_SIZE];
	char text[INET_ADDRSTRLEN];
	uint16_t port = rig_port();

	setenv("SOFTDPU_RDMA", "local", 1);
	start(&a, from);
	start(&b, to);
	b.on_request = rig_accept;
	rig_listen(&b, port);
	T_OK(doca_devinfo_get_ipv4_addr(doca_dev_as_devinfo(b.dev), ipv4, sizeof(ipv4)));
	T_CHECK(inet_ntop(AF_INET, ipv4, text, sizeof(text)) != NULL);
	dial_text(DOCA_RDMA_ADDR_TYPE_IPv4, text, port, true);
	for (uint32_t i = 0; i < 4; i++)
		dial_text(DOCA_RDMA_ADDR_TYPE_GID, gid_text(&b, i), port, true);
	dial_text(DOCA_RDMA_ADDR_TYPE_IPv4, text, rig_port(), false);
	dial_text(DOCA_RDMA_ADDR_TYPE_IPv4, "192.0.2.1", port, false);
	dial_text(DOCA_RDMA_ADDR_TYPE_IPv6, "2001:db8::1", port, false);
	close_both();
}

T_CASE(a_function_is_found_at_its_addresses)
{
	dial_function(KIT_DPU, KIT_DPU);
}

T_CASE(a_function_of_another_port_is_found)
{
	dial_function(KIT_DPU, KIT_DPU_1);
}

T_CASE(the_host_finds_the_dpu)
{
	dial_function(KIT_HOST, KIT_DPU);
}

T_CASE(this_machine_is_found_at_its_own_addresses)
{
	uint16_t port = rig_port();

	start(&a, KIT_DPU);
	start(&b, KIT_DPU_1);
	b.on_request = rig_accept;
	rig_listen(&b, port);
	dial_text(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", port, true);
	dial_text(DOCA_RDMA_ADDR_TYPE_GID, "::ffff:127.0.0.1", port, true);
	dial_text(DOCA_RDMA_ADDR_TYPE_IPv6, "::1", port, true);
	dial_text(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", rig_port(), false);
	dial_text(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", 0, false);
	close_both();
}

/* Two functions have the same port: the address decides, and the own function is nearest. */
T_CASE(functions_have_ports_of_their_own)
{
	static struct rig_end c;
	uint16_t port = rig_port();

	setenv("SOFTDPU_RDMA", "local", 1);
	start(&a, KIT_DPU_1);
	start(&b, KIT_DPU);
	start(&c, KIT_DPU_1);
	b.on_request = c.on_request = rig_accept;
	rig_listen(&b, port);
	rig_listen(&c, port);
	dial_text(DOCA_RDMA_ADDR_TYPE_GID, gid_text(&b, 0), port, true);
	T_EQ(b.established, 1);
	rig_dial(&a, port, 0);
	RIG_UNTIL(&a, &c, c.established == 1);
	T_EQ(b.established, 1);
	rig_close(&c);
	close_both();
}
