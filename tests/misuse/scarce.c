/* SPDX-License-Identifier: BSD-3-Clause */
#include "misuse/scarce.h"

#include <errno.h>
#include <stdio.h>

#define MOST 1000
#define UNTOUCHED 0xa5

static unsigned int rows, broken;
static _Thread_local unsigned int left; /* 0: no allocation fails; else the how manyth from now */

static bool fails(void)
{
	if (left == 0 || --left != 0)
		return false;
	errno = ENOMEM;
	return true;
}

/* One allocator of libc's, that fails when its turn has come. */
#define SCARCE_ALLOCATOR(name, parameters, ...)                                                    \
	void *__real_##name parameters;                                                            \
	void *__wrap_##name parameters;                                                            \
	void *__wrap_##name parameters                                                             \
	{                                                                                          \
		return fails() ? NULL : __real_##name(__VA_ARGS__);                                \
	}

SCARCE_ALLOCATOR(malloc, (size_t size), size)
SCARCE_ALLOCATOR(calloc, (size_t num, size_t size), num, size)
SCARCE_ALLOCATOR(realloc, (void *old, size_t size), old, size)
SCARCE_ALLOCATOR(aligned_alloc, (size_t alignment, size_t size), alignment, size)
SCARCE_ALLOCATOR(strdup, (const char *text), text)
SCARCE_ALLOCATOR(strndup, (const char *text, size_t size), text, size)

static bool is_untouched(const struct scarce *scarce)
{
	const unsigned char *byte = scarce->out;

	for (size_t i = 0; i < scarce->size; i++)
		if (byte[i] != UNTOUCHED)
			return false;
	return true;
}

void scarce_begin(struct scarce *scarce)
{
	(void)kit_log();
	memset(scarce->out, UNTOUCHED, scarce->size);
	scarce->descriptors = t_count_entries("/proc/self/fd");
	left = ++scarce->number;
	if (scarce->number > MOST)
		t_fail(scarce->file, scarce->line, "%s never succeeds", scarce->call);
}

/* What a call does wrong that could not allocate. NULL: nothing. */
static const char *find_fault(const struct scarce *scarce, doca_error_t got)
{
	uint64_t end = t_deadline(2000);

	if (got != DOCA_ERROR_NO_MEMORY)
		return "NO_MEMORY was wanted";
	if (!is_untouched(scarce))
		return "the output was touched";
	if (kit_log_lines(kit_log()) == 0)
		return "nothing was logged";
	/* An agent lets go of its ends after the call. */
	for (unsigned int turn = 0;
	     scarce->is_warm && t_count_entries("/proc/self/fd") > scarce->descriptors; turn++) {
		if (t_expired(end))
			return "a descriptor was kept";
		t_relax(turn);
	}
	return NULL;
}

bool scarce_goes_on(struct scarce *scarce, doca_error_t got)
{
	bool has_failed = left == 0;
	const char *fault;

	left = 0;
	rows++;
	if (!has_failed) {
		t_result(scarce->file, scarce->line, scarce->call, got, DOCA_SUCCESS);
		return false;
	}
	fault = find_fault(scarce, got);
	if (fault != NULL) {
		broken++;
		printf("# %s:%d: %s: allocation %u fails: %s: %s\n", scarce->file, scarce->line,
		       scarce->call, scarce->number, doca_error_get_name(got), fault);
	}
	return true;
}

void scarce_end(void)
{
	printf("# %u calls\n", rows);
	fflush(stdout);
	if (broken != 0)
		T_FAIL("%u of %u calls went wrong", broken, rows);
}
