/* SPDX-License-Identifier: BSD-3-Clause */
/* Check of libfabric, which carries RDMA to other machines and is loaded only for that. */
#include <dlfcn.h>
#include <rdma/fabric.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"

#define LIB_NAME "libfabric.so.1"
#define LIB_BUILT FI_VERSION(FI_MAJOR_VERSION, FI_MINOR_VERSION)
#define CURE_INSTALL "apt install libfabric1, of the version that softdpu was built with"
#define CURE_PROVIDER "unset FI_PROVIDER, or set it to tcp"

struct functions {
	uint32_t (*version)(void);
	int (*getinfo)(uint32_t version, const char *node, const char *service, uint64_t flags,
		       const struct fi_info *hints, struct fi_info **info);
	void (*freeinfo)(struct fi_info *info);
};

static bool resolve(void *handle, const char *name, void *function)
{
	void *found = dlsym(handle, name);

	memcpy(function, &found, sizeof(found));
	return found != NULL;
}

/* Names of providers that connect endpoints, each once. */
static void list_providers(const struct functions *lib, char *text, size_t size)
{
	struct fi_info *all = NULL, *info;

	text[0] = '\0';
	if (lib->getinfo(LIB_BUILT, NULL, NULL, 0, NULL, &all) != 0)
		return;
	for (info = all; info != NULL; info = info->next) {
		const char *name = info->fabric_attr->prov_name;
		size_t used = strlen(text);

		if (info->ep_attr->type != FI_EP_MSG || strstr(text, name) != NULL)
			continue;
		snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", name);
	}
	lib->freeinfo(all);
}

/* Only who insists on the network cannot do without. */
static enum verdict lacking(struct finding *finding, const char *cure, const char *what)
{
	const char *forced = getenv("SOFTDPU_RDMA");

	if (forced != NULL && strcmp(forced, "fabric") == 0)
		return finding_bad(finding, cure, "%s, and SOFTDPU_RDMA=fabric needs it", what);
	return finding_note(finding, cure, "%s: RDMA stays on this machine", what);
}

enum verdict doctor_fabric(const char *program, struct finding *finding)
{
	void *handle = dlopen(LIB_NAME, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	struct functions lib;
	char providers[512];

	if (handle == NULL)
		return lacking(finding, CURE_INSTALL, LIB_NAME " is not installed");
	if (!resolve(handle, "fi_version", &lib.version) ||
	    !resolve(handle, "fi_getinfo", &lib.getinfo) ||
	    !resolve(handle, "fi_freeinfo", &lib.freeinfo) || lib.version() != LIB_BUILT)
		return lacking(finding, CURE_INSTALL, LIB_NAME " is of another version");
	list_providers(&lib, providers, sizeof(providers));
	if (strstr(providers, "tcp") == NULL && strstr(providers, "net") == NULL)
		return lacking(finding,
			       getenv("FI_PROVIDER") != NULL ? CURE_PROVIDER : CURE_INSTALL,
			       LIB_NAME " has no provider for TCP");
	return finding_good(finding, "libfabric %u.%u: %s", FI_MAJOR(lib.version()),
			    FI_MINOR(lib.version()), providers);
}
