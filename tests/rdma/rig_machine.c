/* SPDX-License-Identifier: BSD-3-Clause */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
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

void rig_settle(int machine)
{
	home = machine;
	enter(machine);
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

unsigned int rig_notice_ms(void)
{
	return rig_is_fabric() ? 2000 : 100;
}
