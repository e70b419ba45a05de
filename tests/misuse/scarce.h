/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls that run out of memory: each is made with its first allocation failing, with its second,
 * and so on until none fails any more.
 *
 *	SCARCE(doca_pe_create(&pe), pe, T_OK(doca_pe_destroy(pe)));
 *
 * Each try but the last must answer NO_MEMORY, log at least a line, leave the output alone and keep
 * no descriptor; that it keeps no memory AddressSanitizer knows. The last must succeed, in spite of
 * all those before, and is undone. All of it happens twice, as the first success may make what its
 * process has once. SCARCE_STEP is for a call without an output. All rows of a case are run; those
 * that do not hold fail it at its end.
 *
 * The program is linked with everything statically, and with the allocators of scarce.c in place of
 * libc's. Only allocations of the calling thread fail.
 */
#ifndef TESTS_MISUSE_SCARCE_H
#define TESTS_MISUSE_SCARCE_H

#include <stddef.h>
#include <string.h>

#include <doca_error.h>

#include "core/kit.h"
#include "t.h"

#define SCARCE_CASE(name)                                                                          \
	static void scarce_rows_##name(void);                                                      \
	T_CASE_TIMEOUT(name, 60)                                                                   \
	{                                                                                          \
		scarce_rows_##name();                                                              \
		scarce_end();                                                                      \
	}                                                                                          \
	static void scarce_rows_##name(void)

#define SCARCE(call, out, undo)                                                                    \
	for (unsigned int pass_ = 0; pass_ < 2; pass_++) {                                         \
		struct scarce scarce_ = {__FILE__, __LINE__,	#call,                             \
					 &(out),   sizeof(out), .is_warm = pass_ > 0};             \
		do                                                                                 \
			scarce_begin(&scarce_);                                                    \
		while (scarce_goes_on(&scarce_, (call)));                                          \
		undo;                                                                              \
	}

#define SCARCE_STEP(call, undo)                                                                    \
	do {                                                                                       \
		char nothing_;                                                                     \
		SCARCE(call, nothing_, undo);                                                      \
	} while (0)

struct scarce {
	const char *file;
	int line;
	const char *call; /* as it stands in the row */
	void *out;
	size_t size;
	bool is_warm;	     /* a call like it has succeeded before */
	unsigned int number; /* of the allocation that fails */
	unsigned int descriptors;
};

void scarce_begin(struct scarce *scarce);
/* Judges what the call answered; false: it has succeeded. */
bool scarce_goes_on(struct scarce *scarce, doca_error_t got);
/* Fails the case when a row did not hold. */
void scarce_end(void);

#endif
