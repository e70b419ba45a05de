/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is known of error codes, variables, capabilities and functions: constant tables that are
 * made of data/explain.txt and the public headers (scripts/explain.py). Each ends with an entry of
 * zeros.
 */
#ifndef TOOLS_EXPLAIN_H_
#define TOOLS_EXPLAIN_H_

#include <stdbool.h>
#include <stddef.h>

#include <doca_error.h>

enum explain_kind { EXPLAIN_ERROR, EXPLAIN_VARIABLE, EXPLAIN_CAPABILITY, EXPLAIN_STATUS };

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
	const struct explain_line *calls; /* that return an error; the lists may be NULL */
	const struct explain_line *asked; /* functions that report a capability */
	const struct explain_line *cures;
};

/* What a header says of a code that a function returns; in the order of functions. */
struct explain_call {
	const char *function;
	doca_error_t code;
	const char *when;
};

/* A page of section 3: of a header ("doca_pe.h"), or of a function, which follows its header's. */
struct explain_page {
	const char *name;
	const char *brief;
};

extern const struct explain_topic explain_topics[];
extern const struct explain_call explain_calls[];
extern const struct explain_page explain_pages[];

/*
 * Finds a topic by its name, with or without prefix and in any case; by the number or description
 * of an error; or by a function that reports a capability. NULL: none.
 */
const struct explain_topic *explain_find(const char *name);

/* Finds the page of a function, also with "()", or of a header, also without ".h". NULL: none. */
const struct explain_page *explain_find_page(const char *name);

bool explain_is_header(const struct explain_page *page);

/* The name without DOCA_ERROR_ and the like. */
const char *explain_short_name(const struct explain_topic *topic);

/* The text that programs print for an error; NULL: the topic is not an error. */
const char *explain_descr(const struct explain_topic *topic);

/* The most similar names of topics and pages, the nearest first. Returns how many there are. */
size_t explain_suggest(const char *name, const char **near, size_t max);

/* ---- what a function returns, and what a header has ---- */

void explain_page_print(const struct explain_page *page);
void explain_page_print_json(const struct explain_page *page);

#endif /* TOOLS_EXPLAIN_H_ */
