/* SPDX-License-Identifier: BSD-3-Clause
 *
 * libfabric, loaded when the first connection needs it: loading it and asking it for its providers
 * takes some 0.3 s, which programs with local peers shall not pay, and they shall run where it is
 * not installed. Never unloaded. Thread-safe; constant once it is there.
 */
#ifndef SDPU_RDMA_FABRIC_LIB_H
#define SDPU_RDMA_FABRIC_LIB_H

#include <rdma/fabric.h>
#include <rdma/fi_eq.h>

/* What is not inline in its headers; and what was chosen. */
struct fabric_lib {
	struct fi_info *(*dupinfo)(const struct fi_info *info);
	void (*freeinfo)(struct fi_info *info);
	int (*getinfo)(uint32_t version, const char *node, const char *service, uint64_t flags,
		       const struct fi_info *hints, struct fi_info **info);
	int (*fabric)(struct fi_fabric_attr *attr, struct fid_fabric **fabric, void *context);
	const char *(*strerror)(int error);
	uint32_t (*version)(void);
	struct fi_info *info;  /* of the provider, without addresses */
	enum fi_wait_obj wait; /* what its queues can be waited for with */
};

/* NULL: it is not there, or has nothing for us; logged once. May take half a second. */
const struct fabric_lib *fabric_lib_get(void);

#endif
