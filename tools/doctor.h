/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `softdpu doctor`: a list of checks. Each looks at one thing that programs need, in the order in
 * which they need it. The first that is bad ends the list. One thread.
 */
#ifndef TOOLS_DOCTOR_H_
#define TOOLS_DOCTOR_H_

#include <stdbool.h>
#include <stddef.h>

enum verdict {
	VERDICT_GOOD,
	VERDICT_NOTE, /* works, but not as well as it could, or not all of it */
	VERDICT_BAD,
	VERDICT_NONE, /* nothing to look at */
};

struct finding {
	char found[2048];
	char cure[512]; /* for NOTE and BAD */
};

/* Fill in the finding and return GOOD, NOTE and BAD. */
enum verdict finding_good(struct finding *finding, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
enum verdict finding_note(struct finding *finding, const char *cure, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
enum verdict finding_bad(struct finding *finding, const char *cure, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Runs a program and gives its output, cut to size. Returns its exit status, -1 if it did not end
 * in time. */
int doctor_ask(char *const argv[], char *const env[], char *text, size_t size);

/* The checks. program: the operand of the command, or NULL. */
typedef enum verdict (*check_fn)(const char *program, struct finding *finding);
enum verdict doctor_library(const char *program, struct finding *finding);
enum verdict doctor_program(const char *program, struct finding *finding);
enum verdict doctor_environment(const char *program, struct finding *finding);
enum verdict doctor_directory(const char *program, struct finding *finding);
enum verdict doctor_topology(const char *program, struct finding *finding);
enum verdict doctor_access(const char *program, struct finding *finding);
enum verdict doctor_shared_memory(const char *program, struct finding *finding);
enum verdict doctor_limits(const char *program, struct finding *finding);
enum verdict doctor_processors(const char *program, struct finding *finding);
enum verdict doctor_fabric(const char *program, struct finding *finding);
enum verdict doctor_selftest(const char *program, struct finding *finding);

#endif /* TOOLS_DOCTOR_H_ */
