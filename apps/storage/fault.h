/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What went wrong first, in words: the text that the program prints at its end and that its peers
 * are told. One per program, owned by the application object; any thread may raise it, the first
 * text of the highest kind wins, and nothing ever takes it back.
 */
#ifndef STORAGE_FAULT_H
#define STORAGE_FAULT_H

#include <doca_error.h>

#include <pthread.h>
#include <stdatomic.h>

#define FAULT_TEXT_SIZE 512

/* In rising order of what is still possible afterwards. */
enum fault_kind {
	FAULT_NONE,    /* all is well */
	FAULT_USER,    /* the user wants to end: the session is whole and can be closed in order */
	FAULT_VERDICT, /* the test failed: as above */
	FAULT_BROKEN,  /* the session cannot go on */
};

struct fault {
	pthread_mutex_t lock;
	atomic_int kind; /* enum fault_kind, read without the lock by waiting loops */
	doca_error_t code;
	char text[FAULT_TEXT_SIZE];
};

void fault_init(struct fault *fault);
void fault_fini(struct fault *fault);

/* Raises FAULT_BROKEN and hands the code back, so that callers can return it. */
doca_error_t fault_raise(struct fault *fault, doca_error_t code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same with a kind. */
doca_error_t fault_raise_kind(struct fault *fault, enum fault_kind kind, doca_error_t code,
			      const char *format, ...) __attribute__((format(printf, 4, 5)));

enum fault_kind fault_kind(struct fault *fault);

#endif
