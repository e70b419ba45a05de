/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What tests of watching share: each call fails the case when it cannot do what it says.
 */
#ifndef TESTS_CORE_WATCH_KIT_H
#define TESTS_CORE_WATCH_KIT_H

#include <stdint.h>
#include <sys/types.h>

#include <softdpu.h>

#define WATCH_MS 5000 /* for an answer */

/* The one process of that pid, which has a device open. */
doca_error_t watch_pid(pid_t pid, struct softdpu_watch **watch);
struct softdpu_watch *watch_self(void);

struct softdpu_reading watch_all(struct softdpu_watch *watch);
/* The nth of that kind; NULL: there are fewer. */
const struct softdpu_object *watch_nth(const struct softdpu_reading *reading,
				       enum softdpu_object_kind kind, uint32_t nth);
/* The nth of that kind, as of now. */
struct softdpu_object watch_one(struct softdpu_watch *watch, enum softdpu_object_kind kind,
				uint32_t nth);
/* Tasks that were timed. */
uint64_t watch_latencies(const struct softdpu_object *object);

#endif
