/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loading of libfabric, and the choice of a provider; contract in fabric_lib.h.
 */
#include "rdma/fabric_lib.h"

#include <dlfcn.h>
#include <pthread.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

#define LIB_NAME "libfabric.so.1"
#define LIB_BUILT FI_VERSION(FI_MAJOR_VERSION, FI_MINOR_VERSION)

/*
 * The best one first. `net` is what became `tcp` after 1.17: the same on the wire, but it does not
 * wake itself up through a pipe with each message, which is a fifth of a round trip. It also tells
 * the few descriptors that it waits for; one that stands for them all costs time with each packet.
 */
static const struct provider {
	const char *name;
	enum fi_wait_obj wait;
} providers[] = {{"net", FI_WAIT_POLLFD}, {"tcp", FI_WAIT_FD}};

static struct fabric_lib lib;
static bool lib_is_there;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool resolve(void *handle, const char *name, void *function)
{
	void *found = dlsym(handle, name);

	memcpy(function, &found, sizeof(found));
	return found != NULL;
}

/* False for those that belong to the C library. */
static bool signal_get(int number, struct sigaction *action)
{
	return sigaction(number, NULL, action) == 0;
}

static void signals_save(struct sigaction *saved)
{
	for (int i = 1; i < NSIG; i++)
		(void)signal_get(i, &saved[i]);
}

static void signals_restore(const struct sigaction *saved)
{
	struct sigaction now;

	for (int i = 1; i < NSIG; i++)
		if (signal_get(i, &now) && now.sa_handler != saved[i].sa_handler)
			(void)sigaction(i, &saved[i], NULL);
}

/*
 * Libraries of cards behind it (libinfinipath, libpsm2) take signals when they are loaded, SIGINT
 * and SIGTERM among them, and end the program from within the handler. Signals are the program's.
 */
static void *lib_dlopen(void)
{
	struct sigaction saved[NSIG];
	sigset_t all, mask;
	void *handle;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &mask);
	signals_save(saved);
	handle = dlopen(LIB_NAME, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	signals_restore(saved);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	return handle;
}

/* NULL, or what is wrong with it. */
static const char *lib_load(void)
{
	void *handle = lib_dlopen();

	if (handle == NULL)
		return "it is not installed (Debian: libfabric1)";
	if (!resolve(handle, "fi_version", &lib.version) ||
	    !resolve(handle, "fi_dupinfo", &lib.dupinfo) ||
	    !resolve(handle, "fi_freeinfo", &lib.freeinfo) ||
	    !resolve(handle, "fi_getinfo", &lib.getinfo) ||
	    !resolve(handle, "fi_fabric", &lib.fabric) ||
	    !resolve(handle, "fi_strerror", &lib.strerror))
		return "it lacks functions";
	/* Its functions have versions; by name we get those of its own headers. */
	if (lib.version() != LIB_BUILT)
		return "softdpu was built with headers of another version; build it anew";
	return NULL;
}

/* What we ask of any provider. Frames say whose they are in 8 bytes of remote data. */
static struct fi_info *hints_make(const char *provider)
{
	struct fi_info *hints = lib.dupinfo(NULL);

	if (hints == NULL)
		return NULL;
	hints->caps = FI_MSG;
	hints->ep_attr->type = FI_EP_MSG;
	hints->ep_attr->rx_ctx_cnt = FI_SHARED_CONTEXT;
	hints->domain_attr->cq_data_size = sizeof(uint64_t);
	/* Everything of a domain is done with its port's lock held, and by nobody but us. */
	hints->domain_attr->threading = FI_THREAD_DOMAIN;
	hints->domain_attr->control_progress = FI_PROGRESS_MANUAL;
	hints->domain_attr->data_progress = FI_PROGRESS_MANUAL;
	hints->fabric_attr->prov_name = strdup(provider);
	if (hints->fabric_attr->prov_name != NULL)
		return hints;
	lib.freeinfo(hints);
	return NULL;
}

static void forget_addresses(struct fi_info *info)
{
	free(info->src_addr);
	free(info->dest_addr);
	info->src_addr = NULL;
	info->dest_addr = NULL;
	info->src_addrlen = 0;
	info->dest_addrlen = 0;
}

static bool lib_choose(const struct provider *provider)
{
	struct fi_info *hints = hints_make(provider->name), *found = NULL;
	int error;

	if (hints == NULL)
		return false;
	error = lib.getinfo(LIB_BUILT, NULL, NULL, 0, hints, &found);
	lib.freeinfo(hints);
	if (error != 0)
		return false;
	lib.info = lib.dupinfo(found);
	lib.freeinfo(found);
	if (lib.info == NULL)
		return false;
	forget_addresses(lib.info);
	lib.wait = provider->wait;
	lib.info->ep_attr->rx_ctx_cnt = FI_SHARED_CONTEXT;
	return true;
}

static const char *lib_open(void)
{
	const char *fault = lib_load();

	if (fault != NULL)
		return fault;
	for (size_t i = 0; i < SDPU_ARRAY_SIZE(providers); i++)
		if (lib_choose(&providers[i]))
			return NULL;
	return "it has no TCP provider (does FI_PROVIDER hide it?)";
}

static void lib_init(void)
{
	const char *fault = lib_open();

	lib_is_there = fault == NULL;
	if (lib_is_there)
		sdpu_log_dbg("doca_rdma: " LIB_NAME " %u.%u, provider %s", FI_MAJOR(lib.version()),
			     FI_MINOR(lib.version()), lib.info->fabric_attr->prov_name);
	else
		sdpu_log_warn("doca_rdma: no connections to other machines: " LIB_NAME ": %s",
			      fault);
}

const struct fabric_lib *fabric_lib_get(void)
{
	pthread_once(&once, lib_init);
	return lib_is_there ? &lib : NULL;
}
