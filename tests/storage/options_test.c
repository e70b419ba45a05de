/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks of the command line values; the command lines themselves are run end to end. */
#include "t.h"

#include "bridge_options.h"
#include "initiator_options.h"

#include <arpa/inet.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

static struct initiator_options options;
static char output[4096];

static void set_up(void)
{
	initiator_options_init(&options);
	strcpy(options.operation_text, "write");
	options.run_limit = 100;
	options.common.cpus[0] = sched_getcpu();
	options.common.num_cpus = 1;
}

/* The number of faults; their lines are in output. */
static unsigned int check(void)
{
	FILE *out = fmemopen(output, sizeof(output), "w");
	unsigned int faults = initiator_options_check(&options.common, out);

	fclose(out);
	return faults;
}

static void check_refused(const char *line)
{
	T_EQ(check(), 1);
	T_CONTAINS(output, line);
}

T_CASE(defaults)
{
	set_up();
	T_EQ(check(), 0);
	T_EQ(options.buffer_count, 64);
	T_EQ(options.buffer_size, 4096);
	T_EQ(options.common.control_timeout, 10);
	T_STREQ(options.channel_name, "storage_zero_copy_comch");
	T_EQ(initiator_options_operation(&options), IO_MESSAGE_WRITE);
	T_EQ(initiator_options_io_memory(&options), MEMORY_PRIVATE);
}

T_CASE(operation)
{
	set_up();
	strcpy(options.operation_text, "reads");
	check_refused("operation must be \"read\" or \"write\", not \"reads\"");
}

T_CASE(buffer_size)
{
	set_up();
	options.buffer_size = 0;
	check_refused("buffer-size must be at least 64");
	options.buffer_size = -64;
	check_refused("buffer-size must be at least 64");
	options.buffer_size = 100;
	check_refused("buffer-size must be a multiple of 64");
}

T_CASE(counts)
{
	set_up();
	options.buffer_count = 0;
	check_refused("per-cpu-buffer-count");
	set_up();
	options.run_limit = 0;
	check_refused("run-limit-operation-count");
	set_up();
	options.batch_size = -1;
	check_refused("batch-size");
	set_up();
	options.common.control_timeout = 0;
	check_refused("control-timeout");
}

T_CASE(fewer_operations_than_threads)
{
	set_up();
	options.common.cpus[1] = options.common.cpus[0];
	options.common.num_cpus = 2;
	options.run_limit = 1;
	check_refused("each thread needs an operation");
}

T_CASE(product_beyond_the_address_space)
{
	uint32_t i;

	set_up();
	for (i = 0; i < OPTIONS_CPU_MAX; i++)
		options.common.cpus[i] = options.common.cpus[0];
	options.common.num_cpus = OPTIONS_CPU_MAX;
	options.run_limit = INT_MAX;
	options.buffer_count = INT_MAX;
	options.buffer_size = INT_MAX - 63;
	check_refused("address space");
}

T_CASE(cpus_that_do_not_exist)
{
	set_up();
	options.common.cpus[0] = -1;
	check_refused("cpu -1 does not exist");
	options.common.cpus[0] = CPU_SETSIZE - 1;
	check_refused("does not exist");
}

T_CASE(every_fault_has_its_line)
{
	set_up();
	options.buffer_size = 0;
	options.buffer_count = 0;
	options.run_limit = 0;
	T_EQ(check(), 3);
	T_CONTAINS(output, "buffer-size");
	T_CONTAINS(output, "per-cpu-buffer-count");
	T_CONTAINS(output, "run-limit-operation-count");
}

T_CASE(data_options)
{
	uint64_t length;

	set_up();
	strcpy(options.io_memory_text, "other");
	check_refused("io-memory");
	set_up();
	strcpy(options.data_file, "x");
	options.validate_writes = true;
	check_refused("validate-writes");
	set_up();
	strcpy(options.data_length_text, "12");
	check_refused("data-length needs");
	set_up();
	strcpy(options.data_length_text, "12x");
	check_refused("data-length must be");
	strcpy(options.data_length_text, "0");
	check_refused("data-length must be");
	set_up();
	strcpy(options.operation_text, "read");
	strcpy(options.data_file, "x");
	strcpy(options.data_length_text, "5000000000");
	T_EQ(check(), 0);
	T_CHECK(initiator_options_data_length(&options, &length));
	T_EQ(length, 5000000000);
}

static uint32_t batch_of(int batch, int count, uint32_t threads)
{
	set_up();
	options.batch_size = batch;
	options.buffer_count = count;
	options.common.num_cpus = threads;
	return initiator_options_batch_size(&options);
}

T_CASE(batch_size)
{
	T_EQ(batch_of(0, 64, 1), 32);
	T_EQ(batch_of(0, 64, 4), 8);
	T_EQ(batch_of(0, 1, 4), 1);
	T_EQ(batch_of(5, 64, 1), 5);
	T_EQ(batch_of(500, 64, 1), 128);
	T_EQ(batch_of(0, 4096, 1), 128);
}

static void check_server(const char *text, const char *address, uint16_t port)
{
	struct sockaddr_in server;

	T_OK(bridge_parse_storage_server(text, &server));
	T_EQ(server.sin_family, AF_INET);
	T_STREQ(inet_ntoa(server.sin_addr), address);
	T_EQ(ntohs(server.sin_port), port);
}

T_CASE(storage_servers)
{
	check_server("172.17.0.1:12345", "172.17.0.1", 12345);
	check_server("255.255.255.255:65535", "255.255.255.255", 65535);
	check_server("127.0.0.1:1", "127.0.0.1", 1);
}

T_CASE(malformed_storage_servers)
{
	static const char *const bad[] = {
		"",
		"127.0.0.1",
		"127.0.0.1:",
		"127.0.0.1:0",
		"127.0.0.1:65536",
		"127.0.0:1",
		"127.0.0.256:1",
		"127.0.0.0.1:1",
		"127.0.0.1 :1",
		"127.0.0.1: 1",
		" 1.2.3.4:5",
		"1.2.3.4:5 ",
		"1.2.3.4:+5",
		"1.2.3.4:5x",
		"a.b.c.d:1",
		"host:1",
		"1.2.3.4:-5",
		"1.2.3.4:5:6",
		":12345",
		"1..3.4:5",
		"1.2.3.4:99999999999999999999",
		"1.2.3.4:00000000000000001",
	};
	struct sockaddr_in server;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (bridge_parse_storage_server(bad[i], &server) != DOCA_ERROR_INVALID_VALUE)
			T_FAIL("taken: \"%s\"", bad[i]);
}
