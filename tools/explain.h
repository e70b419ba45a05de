/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is known of error codes, variables and capabilities: constant tables that are made of
 * data/explain.txt and the public headers (scripts/explain.py). Each ends with an entry of zeros.
 */
#ifndef TOOLS_EXPLAIN_H_
#define TOOLS_EXPLAIN_H_

#include <doca_error.h>

enum explain_kind { EXPLAIN_ERROR, EXPLAIN_VARIABLE, EXPLAIN_CAPABILITY };

/* Either may be empty. */
struct explain_line {
	const char *function;
	const char *text;
};

struct explain_topic {
	enum explain_kind kind;
	const char *name;
	const char *value;
	const char *means;
	const struct explain_line *calls; /* that answer an error; the lists may be NULL */
	const struct explain_line *asked; /* functions that tell a capability */
	const struct explain_line *cures;
};

/* What a header says of a code that a function returns; in the order of functions. */
struct explain_call {
	const char *function;
	doca_error_t code;
	const char *when;
};

extern const struct explain_topic explain_topics[];
extern const struct explain_call explain_calls[];

/* By its name, with or without its prefix and in any case, or the number of an error; NULL: none.
 */
const struct explain_topic *explain_find(const char *name);

#endif /* TOOLS_EXPLAIN_H_ */
