/* SPDX-License-Identifier: BSD-3-Clause */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <rdma/fabric.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "rdma/rig.h"

static int home;

static const char *name_of(const char *what, int machine)
{
	char name[32];

	snprintf(name, sizeof(name), "T_NETNS_%s%d", what, machine);
	return getenv(name);
}

bool rig_has_machines(void)
{
	return name_of("", 0) != NULL;
}

static void enter(int machine)
{
	int fd = open(name_of("", machine), O_RDONLY | O_CLOEXEC);

	T_CHECK(fd >= 0);
	T_EQ(setns(fd, CLONE_NEWNET), 0);
	close(fd);
}

static void choose_runtime_dir(void)
{
	static const char *near;

	if (near == NULL)
		near = strdup(getenv("SOFTDPU_RUNTIME_DIR"));
	setenv("SOFTDPU_RUNTIME_DIR", home == 0 ? near : name_of("RUNDIR_", 1), 1);
}

void rig_settle(int machine)
{
	home = machine;
	if (!rig_has_machines())
		return;
	enter(machine);
	choose_runtime_dir();
}

const char *rig_peer_address(void)
{
	const char *address = name_of("ADDR_", !home);

	return address != NULL ? address : "127.0.0.1";
}

bool rig_is_fabric(void)
{
	const char *backend = getenv("SOFTDPU_RDMA");

	return backend != NULL && strcmp(backend, "fabric") == 0;
}

/*
 * Libraries behind libfabric measure the processor when they are loaded, and its first use reads
 * all symbols of the kernel: a second on a machine that is busy. The processes of all cases come
 * from this one, and find both done.
 */
__attribute__((constructor)) static void load_early(void)
{
	void *lib = rig_is_fabric() ? dlopen("libfabric.so.1", RTLD_NOW | RTLD_LOCAL) : NULL;
	__typeof__(fi_getparams) *getparams;
	__typeof__(fi_freeparams) *freeparams;
	struct fi_param *params;
	int count;

	if (lib == NULL)
		return;
	getparams = dlsym(lib, "fi_getparams");
	freeparams = dlsym(lib, "fi_freeparams");
	if (getparams(&params, &count) == 0)
		freeparams(params);
}

uint32_t rig_rounds(void)
{
	return rig_is_fabric() ? 200 : 1000;
}

unsigned int rig_notice_ms(void)
{
	return rig_is_fabric() ? 2000 : 100;
}

static uint64_t quickest = UINT64_MAX;

uint64_t rig_quickest_notice(void)
{
	return quickest;
}

void rig_tell_notice(const char *what, uint64_t ms)
{
	quickest = ms < quickest ? ms : quickest;
	printf("# %s: noticed after %u ms, promised %u\n", what, (unsigned int)ms, rig_notice_ms());
	fflush(stdout);
}

/* At its far end, which only the calling thread visits. */
static void change_cable(const char *command)
{
	enter(1);
	T_EQ(system(command), 0);
	enter(home);
}

void rig_cut_cable(void)
{
	change_cable("ip link set cable1 down");
}

/* Somebody there says that nobody listens: packets go both ways. */
static bool cable_carries(void)
{
	struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM}, *to;
	struct timeval patience = {.tv_usec = 300000};
	int fd, result, error;

	T_EQ(getaddrinfo(rig_peer_address(), "1", &hints, &to), 0);
	fd = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	T_EQ(setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience)), 0);
	result = connect(fd, to->ai_addr, to->ai_addrlen);
	error = errno;
	close(fd);
	freeaddrinfo(to);
	return result < 0 && error == ECONNREFUSED;
}

void rig_mend_cable(void)
{
	change_cable("ip link set cable1 up");
	T_EVENTUALLY(cable_carries(), 10000);
}
