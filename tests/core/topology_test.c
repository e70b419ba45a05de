/* SPDX-License-Identifier: BSD-3-Clause
 * Topology: what there is without configuration, with a file, and with files that are wrong.
 */
#include <stdio.h>
#include <string.h>

#include "core/kit.h"
#include "core/topology.h"
#include "t.h"

/* "03:00.0 mlx5_0 p0, ..." */
static const char *visible(void)
{
	static char text[2048];
	struct sdpu_topology_view view;
	const struct sdpu_function *function = NULL;
	size_t used = 0;

	text[0] = '\0';
	T_OK(sdpu_topology_look(&view));
	while ((function = sdpu_topology_next(&view, function)) != NULL)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s %s %s",
					 used ? ", " : "", function->pci + 5, function->ibdev,
					 function->iface);
	return text;
}

static const struct sdpu_function *find(const char *pci)
{
	struct sdpu_topology_view view;
	const struct sdpu_function *function = NULL;

	T_OK(sdpu_topology_look(&view));
	while ((function = sdpu_topology_next(&view, function)) != NULL)
		if (strcmp(function->pci + 5, pci) == 0)
			return function;
	T_FAIL("no function %s", pci);
}

static void is_refused(const char *part)
{
	struct doca_devinfo **list = NULL;
	uint32_t num = 77;
	const char *log;

	kit_log();
	T_ERR(doca_devinfo_create_list(&list, &num), DOCA_ERROR_BAD_CONFIG);
	T_EQ(list, 0);
	T_EQ(num, 77);
	log = kit_log();
	T_CONTAINS(log, part);
	T_EQ(kit_log_lines(log), 1);
}

T_CASE(built_in_has_one_dpu_in_a_host_the_dpu_first)
{
	T_STREQ(visible(), "03:00.0 mlx5_0 p0, 03:00.1 mlx5_1 p1, 3b:00.0 mlx5_2 ens1f0np0, "
			   "3b:00.1 mlx5_3 ens1f1np1, 3b:00.2 mlx5_4 ens1f0v0, "
			   "b1:00.0 mlx5_5 ens2f0np0");
	T_EQ(find("03:00.0")->side, SDPU_SIDE_DPU);
	T_EQ(find("3b:00.0")->side, SDPU_SIDE_HOST);
	T_EQ(find("3b:00.2")->type, DOCA_PCI_FUNC_TYPE_VF);
	T_EQ(find("3b:00.0")->limits->comch_max_clients, 512);
	T_EQ(find("3b:00.0")->limits->dma_max_buf_size, 2ll << 30);
}

T_CASE(each_host_function_is_represented_on_one_port)
{
	T_EQ(find("03:00.0")->represented_on, 0);
	T_EQ(find("3b:00.0")->represented_on, find("03:00.0"));
	T_EQ(find("3b:00.1")->represented_on, find("03:00.1"));
	T_EQ(find("3b:00.2")->represented_on, find("03:00.0"));
	T_EQ(find("b1:00.0")->represented_on, find("03:00.0"));
	T_STREQ(find("3b:00.0")->rep_name, "pf0");
	T_STREQ(find("3b:00.0")->rep_iface, "pf0hpf");
	T_STREQ(find("3b:00.1")->rep_name, "pf1");
	T_STREQ(find("3b:00.2")->rep_name, "pf0vf0");
	T_STREQ(find("b1:00.0")->rep_name, "c1pf0");
}

T_CASE(side_hides_the_other_side)
{
	setenv("SOFTDPU_SIDE", "dpu", 1);
	T_STREQ(visible(), "03:00.0 mlx5_0 p0, 03:00.1 mlx5_1 p1");
	setenv("SOFTDPU_SIDE", "host", 1);
	T_CHECK(strstr(visible(), "03:00") == NULL);
	T_CONTAINS(visible(), "b1:00.0");
	setenv("SOFTDPU_SIDE", "", 1);
	T_CONTAINS(visible(), "03:00.0");
	setenv("SOFTDPU_SIDE", "DPU", 1);
	is_refused("SOFTDPU_SIDE is \"DPU\"; needed: host or dpu");
}

T_CASE(devices_none_is_the_empty_list)
{
	struct doca_devinfo **list;
	uint32_t num;

	setenv("SOFTDPU_DEVICES", "none", 1);
	kit_log();
	T_ERR(doca_devinfo_create_list(&list, &num), DOCA_ERROR_NOT_FOUND);
	T_CONTAINS(kit_log(), "SOFTDPU_DEVICES");
	setenv("SOFTDPU_DEVICES", "some", 1);
	is_refused("SOFTDPU_DEVICES is \"some\"");
}

T_CASE(a_side_without_functions_is_the_empty_list)
{
	struct doca_devinfo **list;
	uint32_t num;

	kit_topology("{\"dpus\": [{\"functions\": [{\"pci\": \"1:00.0\"}]}]}");
	is_refused("dpus[0].functions[0].pci is \"1:00.0\"; needed: a PCI address");
	kit_topology("{\"dpus\": [{\"functions\": [{\"pci\": \"01:00.0\"}]}]}");
	setenv("SOFTDPU_SIDE", "host", 1);
	T_ERR(doca_devinfo_create_list(&list, &num), DOCA_ERROR_NOT_FOUND);
}

T_CASE(a_file_replaces_the_built_in_one)
{
	static const uint8_t none[16], mac[] = {0x0a, 0x1b, 0x2c, 0x3d, 0x4e, 0x5f};
	static const uint8_t gid[16] = {[10] = 0xff, [11] = 0xff, [12] = 10, [15] = 7};
	const struct sdpu_function *sf;

	kit_topology("{ // two cards\n"
		     "\"dpus\": ["
		     " {\"functions\": [{\"pci\": \"0001:03:00.0\"}],"
		     "  \"host_functions\": [{\"pci\": \"41:00.0\"},"
		     "   {\"pci\": \"41:00.2\", \"type\": \"vf\"},"
		     "   {\"pci\": \"41:00.3\", \"type\": \"vf\"}]},"
		     " {\"functions\": [{\"pci\": \"0002:03:00.0\"}, {\"pci\": \"0002:03:00.1\"}],"
		     "  \"host_functions\": [{\"pci\": \"42:00.0\", \"type\": \"sf\","
		     "    \"sf_index\": 0x10, \"mac\": \"0a:1B:2c:3d:4e:5f\","
		     "    \"ipv4\": \"10.0.0.7\", \"ipv6\": null, \"vhca_id\": 300,"
		     "    \"ibdev\": \"roce0\", \"iface\": \"sf0\","
		     "    \"represented_on\": \"0002:03:00.1\"}]}],"
		     "\"limits\": {\"comch_max_clients\": 2, \"dma_max_buf_size\": 4096}}");
	T_STREQ(visible(), "03:00.0 mlx5_0 p0, 03:00.0 mlx5_1 p1, 03:00.1 mlx5_2 p2, "
			   "41:00.0 mlx5_3 ens3, 41:00.2 mlx5_4 ens4, 41:00.3 mlx5_5 ens5, "
			   "42:00.0 roce0 sf0");
	T_STREQ(find("41:00.3")->rep_name, "pf0vf1");
	T_STREQ(find("41:00.3")->represented_on->pci, "0001:03:00.0");
	sf = find("42:00.0");
	T_EQ(sf->dpu, 1);
	T_EQ(sf->type, DOCA_PCI_FUNC_TYPE_SF);
	T_EQ(sf->sf_index, 16);
	T_EQ(sf->vhca_id, 300);
	T_MEMEQ(sf->mac, mac, sizeof(mac));
	T_MEMEQ(sf->gid, gid, sizeof(gid));
	T_MEMEQ(sf->ipv6, none, sizeof(none));
	T_STREQ(sf->represented_on->pci, "0002:03:00.1");
	T_STREQ(sf->rep_name, "pf1sf16");
	T_EQ(sf->limits->comch_max_clients, 2);
	T_EQ(sf->limits->dma_max_buf_size, 4096);
	T_EQ(sf->limits->comch_max_msg_size, 4080);
}

T_CASE(a_file_with_limits_alone_keeps_the_devices)
{
	kit_topology("{\"limits\": {\"mmap_max_devices\": 1}}");
	T_CONTAINS(visible(), "b1:00.0 mlx5_5");
	T_EQ(find("03:00.0")->limits->mmap_max_devices, 1);
}

T_CASE(the_gid_follows_ipv6_where_there_is_no_ipv4)
{
	kit_topology("{\"dpus\": [{\"functions\": [{\"pci\": \"01:00.0\", \"ipv4\": null}]}]}");
	T_MEMEQ(find("01:00.0")->gid, find("01:00.0")->ipv6, 16);
}

#define DPU(function) "{\"dpus\": [{\"functions\": [{" function "}]}]}"
#define HOST(function)                                                                             \
	"{\"dpus\": [{\"functions\": [{\"pci\": \"01:00.0\"}], \"host_functions\": [{" function    \
	"}]}]}"

T_CASE(wrong_files_are_refused_in_one_line_that_tells_the_place)
{
	static const struct {
		const char *text;
		const char *part;
	} wrong[] = {
		{"", "1:1: found the end of the file, expected '{'"},
		{"{\n  \"dpus\": [}", "2:12: found '}'"},
		{"{\"dpu\": []}", "dpu is unknown; known here: dpus, limits"},
		{"{\"dpus\": []}", "dpus is an array; needed: at least one DPU"},
		{"{\"dpus\": 5}", "dpus is 5; needed: an array"},
		{"{\"dpus\": [5]}", "dpus[0] is 5; needed: an object"},
		{"{\"dpus\": [{}]}", "dpus[0] is an object; needed: a DPU with \"functions\""},
		{"{\"dpus\": [{\"functions\": {}}]}", "dpus[0].functions is an object"},
		{"{\"dpus\": [{\"functions\": []}]}", "needed: at least one function"},
		{"{\"dpus\": [{\"functions\": [7]}]}", "dpus[0].functions[0] is 7"},
		{DPU(""), "a function with a \"pci\" address"},
		{DPU("\"pci\": 3"), "functions[0].pci is 3; needed: text"},
		{DPU("\"pci\": \"03:00.8\""), "needed: a PCI address"},
		{DPU("\"pci\": \"03:20.0\""), "needed: a PCI address"},
		{DPU("\"pci\": \"01:00.0\", \"colour\": 1"), "functions[0].colour is unknown"},
		{DPU("\"pci\": \"01:00.0\", \"represented_on\": \"01:00.0\""), "is unknown"},
		{DPU("\"pci\": \"01:00.0\", \"type\": \"tf\""), "\"pf\", \"vf\" or \"sf\""},
		{DPU("\"pci\": \"01:00.0\", \"type\": \"sf\""), "an \"sf_index\""},
		{DPU("\"pci\": \"01:00.0\", \"sf_index\": 1"), "\"type\": \"sf\" beside it"},
		{DPU("\"pci\": \"01:00.0\", \"type\": \"sf\", \"sf_index\": -1"), "sf_index is -1"},
		{DPU("\"pci\": \"01:00.0\", \"mac\": \"0:1:2:3:4:5\""), "a MAC address"},
		{DPU("\"pci\": \"01:00.0\", \"mac\": \"02:00:00:00:00:0g\""), "a MAC address"},
		{DPU("\"pci\": \"01:00.0\", \"ipv4\": \"10.0.0\""), "an IPv4 address"},
		{DPU("\"pci\": \"01:00.0\", \"ipv6\": \"10.0.0.1\""), "an IPv6 address"},
		{DPU("\"pci\": \"01:00.0\", \"vhca_id\": 65536"), "from 0 to 65535"},
		{DPU("\"pci\": \"01:00.0\", \"ibdev\": \"\""), "a name of 1 to 63 characters"},
		{DPU("\"pci\": \"01:00.0\"}, {\"pci\": \"0000:01:00.0\""),
		 "functions[1] is an object; needed: a \"pci\" other than 0000:01:00.0"},
		{DPU("\"pci\": \"01:00.0\", \"ibdev\": \"mlx5_1\"}, {\"pci\": \"01:00.1\""),
		 "an \"ibdev\" other than mlx5_1"},
		{DPU("\"pci\": \"01:00.0\", \"iface\": \"p1\"}, {\"pci\": \"01:00.1\""),
		 "an \"iface\" other than p1"},
		{HOST("\"pci\": \"41:00.0\", \"represented_on\": \"01:00.1\""),
		 "host_functions[0].represented_on is \"01:00.1\"; needed: the \"pci\" of one"},
		{"{\"limits\": {\"comch_max_clients\": 513}}",
		 "limits.comch_max_clients is 513; needed: a whole number from 1 to 512"},
		{"{\"limits\": {\"comch_max_clients\": 0}}", "from 1 to 512"},
		{"{\"limits\": {\"clients\": 1}}", "limits.clients is unknown"},
		{"{\"limits\": 1}", "limits is 1; needed: an object"},
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		kit_topology(wrong[i].text);
		is_refused(wrong[i].part);
	}
	/* the sides are different machines; and a file that was mended is read again */
	kit_topology(HOST("\"pci\": \"01:00.0\", \"ibdev\": \"mlx5_0\", \"iface\": \"p0\""));
	T_STREQ(visible(), "01:00.0 mlx5_0 p0, 01:00.0 mlx5_0 p0");
}

T_CASE(a_file_that_cannot_be_read_is_refused)
{
	setenv("SOFTDPU_TOPOLOGY", "/nonexistent/topology.json", 1);
	is_refused("/nonexistent/topology.json: cannot be read: No such file");
}

T_CASE(too_many_functions_are_refused)
{
	static char text[1 << 16] = "{\"dpus\": [{\"functions\": [";
	size_t used = strlen(text);

	for (int i = 0; i <= SDPU_TOPOLOGY_MAX_FUNCTIONS; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "{\"pci\": \"%02x:%02x.%x\"},", i >> 8, i >> 3 & 31,
					 i & 7);
	strcpy(text + used, "]}]}");
	kit_topology(text);
	is_refused("needed: at most 1024 functions");
}

T_CASE(lists_of_a_side_are_cut_to_their_room)
{
	char text[64], small[16];

	sdpu_topology_list(SDPU_SIDE_DPU, text, sizeof(text));
	T_STREQ(text, "0000:03:00.0, 0000:03:00.1");
	sdpu_topology_list(SDPU_SIDE_DPU, small, sizeof(small));
	T_STREQ(small, "0000:03:00.0, 0");
	setenv("SOFTDPU_SIDE", "host", 1);
	sdpu_topology_list(SDPU_SIDE_DPU, text, sizeof(text));
	T_STREQ(text, "none");
}
