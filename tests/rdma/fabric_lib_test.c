/* SPDX-License-Identifier: BSD-3-Clause
 *
 * libfabric that is not there, or not what it should be: what the log says, and that connections
 * within the machine do not need it.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "core/kit.h"
#include "rdma/rig.h"

/* In the place of the loader's functions. */
void *__real_dlopen(const char *file, int mode);
void *__wrap_dlopen(const char *file, int mode);
void *__real_dlsym(void *handle, const char *name);
void *__wrap_dlsym(void *handle, const char *name);

static bool is_missing, is_older;
static struct rig_end a, b;

static uint32_t older_version(void)
{
	return 1u << 16 | 16;
}

T_UNINSTRUMENTED void *__wrap_dlopen(const char *file, int mode)
{
	if (is_missing && strstr(file, "libfabric") != NULL)
		return NULL;
	return __real_dlopen(file, mode);
}

T_UNINSTRUMENTED void *__wrap_dlsym(void *handle, const char *name)
{
	if (is_older && strcmp(name, "fi_version") == 0)
		return older_version;
	return __real_dlsym(handle, name);
}

static void expect_no_network(const char *reason)
{
	struct rig_card card_a, card_b;

	setenv("SOFTDPU_RDMA", "fabric", 1);
	rig_start(&a);
	rig_start(&b);
	rig_export(&a, &card_a);
	rig_export(&b, &card_b);
	kit_log();
	T_ERR(rig_connect(&a, &card_b), DOCA_ERROR_CONNECTION_ABORTED);
	T_CONTAINS(kit_log(), reason);
	/* It is said once. */
	T_ERR(rig_connect(&b, &card_a), DOCA_ERROR_CONNECTION_ABORTED);
	T_CHECK(strstr(kit_log(), reason) == NULL);
	rig_close(&a);
	rig_close(&b);
}

T_CASE(not_installed)
{
	is_missing = true;
	expect_no_network("libfabric.so.1: it is not installed (Debian: libfabric1)");
}

T_CASE(of_another_version)
{
	is_older = true;
	expect_no_network("built with headers of another version");
}

T_CASE(without_a_tcp_provider)
{
	setenv("FI_PROVIDER", "sockets", 1);
	expect_no_network("no TCP provider (does FI_PROVIDER hide it?)");
}

T_CASE(connections_within_the_machine_do_not_need_it)
{
	struct doca_rdma_addr *nobody;
	union doca_data none = {0};
	uint16_t port;

	is_missing = true;
	kit_log();
	rig_pair(&a, &b);
	rig_exchange(&a, &b);
	rig_close(&a);
	rig_close(&b);
	rig_init(&a);
	rig_init(&b);
	port = rig_serve(&a, &b);
	rig_meet(&a, &b, port);
	rig_exchange(&a, &b);
	T_STREQ(kit_log(), "");
	/* Nobody here listens to this one, and elsewhere it cannot look. */
	T_OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", rig_port(), &nobody));
	T_ERR(doca_rdma_connect_to_addr(a.rdma, nobody, none), DOCA_ERROR_CONNECTION_ABORTED);
	T_CONTAINS(kit_log(), "Debian: libfabric1");
	T_OK(doca_rdma_addr_destroy(nobody));
	rig_close(&a);
	rig_close(&b);
}

static void on_signal(int number)
{
	(void)number;
}

/* Some belong to the C library, and have none. */
static void *handler_of(int number)
{
	struct sigaction action = {0};

	(void)sigaction(number, NULL, &action);
	return (void *)action.sa_handler;
}

/* Libraries behind it take them when they are loaded. */
T_CASE(signals_stay_the_programs)
{
	struct sigaction own = {.sa_handler = on_signal};
	struct rig_card card_a, card_b;
	void *before[NSIG];

	T_EQ(sigaction(SIGTERM, &own, NULL), 0);
	for (int i = 1; i < NSIG; i++)
		before[i] = handler_of(i);
	setenv("SOFTDPU_RDMA", "fabric", 1);
	rig_start(&a);
	rig_start(&b);
	rig_export(&a, &card_a);
	rig_export(&b, &card_b);
	T_OK(rig_connect(&a, &card_b));
	T_OK(rig_connect(&b, &card_a));
	for (int i = 1; i < NSIG; i++)
		T_CHECK(handler_of(i) == before[i]);
	rig_close(&a);
	rig_close(&b);
}
