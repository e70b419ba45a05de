/* SPDX-License-Identifier: BSD-3-Clause */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rdma/rig.h"

#define MACHINES 2

static int home;
static int population[MACHINES]; /* ends of this process */
static int namespaces[MACHINES]; /* descriptors of them */
static pthread_once_t found = PTHREAD_ONCE_INIT;
static __thread int here = -1;

static void find_namespaces(void)
{
	static const char *const names[MACHINES] = {"T_NETNS_0", "T_NETNS_1"};

	for (int i = 0; i < MACHINES; i++) {
		const char *path = getenv(names[i]);

		namespaces[i] = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
		T_EQ(namespaces[i] < 0, path == NULL);
	}
}

bool rig_has_machines(void)
{
	pthread_once(&found, find_namespaces);
	return namespaces[0] >= 0;
}

static void enter(int machine)
{
	if (here == machine || !rig_has_machines())
		return;
	T_EQ(setns(namespaces[machine], CLONE_NEWNET), 0);
	here = machine;
}

/* What is exported on one machine is foreign to the other: each has a runtime directory. */
static void choose_runtime_dir(int machine)
{
	static const char *near;

	if (near == NULL)
		near = strdup(getenv("SOFTDPU_RUNTIME_DIR"));
	setenv("SOFTDPU_RUNTIME_DIR", machine == 0 ? near : getenv("T_NETNS_RUNDIR_1"), 1);
}

void rig_settle(int machine)
{
	home = machine;
	enter(machine);
	if (rig_has_machines())
		choose_runtime_dir(machine);
}

void rig_enter(const struct rig_end *end)
{
	enter(end->machine);
}

const char *rig_peer_address(const struct rig_end *end)
{
	if (!rig_has_machines())
		return "127.0.0.1";
	return getenv(end->machine == 0 ? "T_NETNS_ADDR_1" : "T_NETNS_ADDR_0");
}

void rig_place(struct rig_end *end)
{
	if (end->machine == RIG_ANYWHERE)
		end->machine = population[!home] < population[home] ? !home : home;
	population[end->machine]++;
	rig_enter(end);
}

void rig_displace(const struct rig_end *end)
{
	population[end->machine]--;
}

bool rig_is_fabric(void)
{
	const char *backend = getenv("SOFTDPU_RDMA");

	return backend != NULL && strcmp(backend, "fabric") == 0;
}

/*
 * Libraries behind libfabric measure the processor when they are loaded, which takes a second on a
 * machine that is busy. The processes of all cases come from this one, and find it loaded.
 */
__attribute__((constructor)) static void load_early(void)
{
	if (rig_is_fabric())
		(void)dlopen("libfabric.so.1", RTLD_NOW | RTLD_LOCAL);
}

unsigned int rig_notice_ms(void)
{
	return rig_is_fabric() ? 2000 : 100;
}

void rig_tell_notice(const char *what, uint64_t ms)
{
	printf("# %s: noticed after %u ms, promised %u\n", what, (unsigned int)ms, rig_notice_ms());
	fflush(stdout);
}

static void change_cable(const char *command)
{
	int back = here;

	enter(1);
	T_EQ(system(command), 0);
	if (back >= 0)
		enter(back);
}

void rig_cut_cable(void)
{
	change_cable("ip link set cable1 down");
}

void rig_mend_cable(void)
{
	change_cable("ip link set cable1 up");
}
