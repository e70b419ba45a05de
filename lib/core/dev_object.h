/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Between the parts of the devices; contract in dev.h.
 */
#ifndef SDPU_CORE_DEV_OBJECT_H
#define SDPU_CORE_DEV_OBJECT_H

#include "base/list.h"
#include "core/dev.h"

/* A description: in a list, or in an open device. */
struct doca_devinfo {
	const struct sdpu_function *function;
};

struct doca_devinfo_rep {
	const struct sdpu_function *function;
	struct doca_dev *dev; /* that listed it; may have been closed meanwhile */
};

/* Open. Counts change under the lock of dev.c. */
struct doca_dev {
	struct doca_devinfo info;
	struct sdpu_list node;
	uint32_t opens;
	uint32_t holders;
};

struct doca_dev_rep {
	struct doca_devinfo_rep info;
	struct sdpu_list node;
	uint32_t holders;
};

/* dev.c. NOT_CONNECTED: dev is not open any more. */
doca_error_t sdpu_dev_open(const struct sdpu_function *function, struct doca_dev **dev);
doca_error_t sdpu_dev_hold_if_open(struct doca_dev *dev);
/* The lock that counts change under; sdpu_dev_hold() and the like take it. */
void sdpu_dev_lock(void);
void sdpu_dev_unlock(void);

/* dev_rep.c */
doca_error_t sdpu_dev_rep_open(const struct doca_devinfo_rep *info, struct doca_dev_rep **rep);

/* devinfo.c: a text into the room of a caller, who owes `need` bytes. `call` is for messages. */
doca_error_t sdpu_devinfo_give(void *room, uint32_t size, const void *value, uint32_t need,
			       const char *call);

/* dev_name.c: logs one line for each PCI address that no visible device has, or no representor that
 * `port` lists. Ignores other texts and addresses that exist. */
void sdpu_devinfo_tell_missing(const char *text);
void sdpu_devinfo_rep_tell_missing(const struct sdpu_function *port, const char *text);

/*
 * devlist.c: what the list calls hand out, an array of pointers to elements in one block. Every
 * list is known here until it is destroyed, so that a wrong pointer is refused and never followed.
 * NULL: out of memory. The elements are zeroed.
 */
void **sdpu_devlist_create(size_t num, size_t element_size);
/* INVALID_VALUE: no list of ours, or destroyed before; IN_USE: the array was changed. Logged. */
doca_error_t sdpu_devlist_destroy(void *list, const char *call);

#endif
