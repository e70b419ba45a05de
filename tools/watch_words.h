/* SPDX-License-Identifier: BSD-3-Clause */
/* Words for what watching a process finds. Constant tables. */
#ifndef TOOLS_WATCH_WORDS_H_
#define TOOLS_WATCH_WORDS_H_

#include <doca_error.h>
#include <softdpu.h>

/* Names of a kind of object. */
struct watch_kind {
	const char *key;  /* in JSON: "rdma_connection" */
	const char *name; /* in a table: "rdma connection"; NULL: not shown in tables */
	const char *noun; /* in a sentence on what a program starts: "RDMA context"; NULL: it starts
			     none, connections come of others */
};

/* NULL: there is no such kind. */
const struct watch_kind *watch_kind(uint32_t kind);

/* "stopping"; NULL: the object has no states. */
const char *watch_state_word(enum softdpu_object_state state);

/* Result of asking a process for its objects: "listed", or why they are not known. */
const char *watch_answer(doca_error_t result);

#endif /* TOOLS_WATCH_WORDS_H_ */
