/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Test kit: a test program is a set of cases and nothing else; main() is in t.c and speaks TAP.
 *
 *	T_CASE(empty_list_is_empty)
 *	{
 *		T_OK(doca_thing_create(&thing));
 *		T_EQ(doca_thing_length(thing), 0);
 *	}
 *
 * Each case runs in a process of its own, which is the leader of its process group: the state of
 * the libraries is fresh, a crash or a hang (30 s, T_CASE_TIMEOUT for another bound) fails that
 * case alone, and what it forked is killed after it. Each case has a runtime directory of its own,
 * below SOFTDPU_RUNTIME_DIR or else TMPDIR; a file left behind in it fails the case. A check that
 * fails reports file and line and ends its process, from whatever thread.
 *
 * `program NAME...` runs the named cases; T_NOFORK=1 runs them in one process, for a debugger;
 * T_TIMEOUT_SCALE=N stretches every bound, for slow checkers such as valgrind.
 */
#ifndef TESTS_T_H
#define TESTS_T_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <doca_error.h>

struct t_case {
	const char *name;
	void (*run)(void);
	unsigned int timeout_s;
	struct t_case *next;
};

void t_register(struct t_case *c);

/* For what a sanitizer's runtime calls before it is ready. */
#if defined(__clang__)
#define T_UNINSTRUMENTED __attribute__((disable_sanitizer_instrumentation))
#else
#define T_UNINSTRUMENTED
#endif

/* How the program was built. The allocators of sanitizers keep what was freed, and map more; that
 * of AddressSanitizer reports leaks, those of others' libraries as well. */
#if defined(__has_feature)
#define T_WITH_ASAN __has_feature(address_sanitizer)
#define T_WITH_TSAN __has_feature(thread_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define T_WITH_ASAN 1
#define T_WITH_TSAN 0
#elif defined(__SANITIZE_THREAD__)
#define T_WITH_ASAN 0
#define T_WITH_TSAN 1
#else
#define T_WITH_ASAN 0
#define T_WITH_TSAN 0
#endif

#define T_CASE(name) T_CASE_TIMEOUT(name, 30)
#define T_CASE_TIMEOUT(case_name, seconds)                                                         \
	static void t_run_##case_name(void);                                                       \
	static struct t_case t_case_##case_name = {                                                \
		.name = #case_name, .run = t_run_##case_name, .timeout_s = (seconds)};             \
	__attribute__((constructor)) static void t_register_##case_name(void)                      \
	{                                                                                          \
		t_register(&t_case_##case_name);                                                   \
	}                                                                                          \
	static void t_run_##case_name(void)

/* Reports and ends the process: as a failure, or (in the process of the case only) as skipped. */
void t_fail(const char *file, int line, const char *fmt, ...)
	__attribute__((noreturn, format(printf, 3, 4)));
void t_skip(const char *reason) __attribute__((noreturn));

#define T_FAIL(...) t_fail(__FILE__, __LINE__, __VA_ARGS__)
#define T_SKIP(reason) t_skip(reason)

#define T_CHECK(cond)                                                                              \
	do {                                                                                       \
		if (!(cond))                                                                       \
			T_FAIL("not true: %s", #cond);                                             \
	} while (0)

/* Integers of any type, and pointers. */
#define T_EQ(a, b) t_eq(__FILE__, __LINE__, #a, #b, (long long)(a), (long long)(b))
#define T_STREQ(a, b) t_streq(__FILE__, __LINE__, #a, #b, (a), (b))
/* The first text contains the second. */
#define T_CONTAINS(text, part) t_contains(__FILE__, __LINE__, #text, (text), (part))
#define T_MEMEQ(a, b, n) t_memeq(__FILE__, __LINE__, #a, #b, (a), (b), (n))

#define T_ERR(expr, code) t_result(__FILE__, __LINE__, #expr, (expr), (code))
#define T_OK(expr) T_ERR(expr, DOCA_SUCCESS)

void t_eq(const char *file, int line, const char *a, const char *b, long long x, long long y);
void t_streq(const char *file, int line, const char *a, const char *b, const char *x,
	     const char *y);
void t_contains(const char *file, int line, const char *name, const char *text, const char *part);
void t_memeq(const char *file, int line, const char *a, const char *b, const void *x, const void *y,
	     size_t n);
void t_result(const char *file, int line, const char *expr, doca_error_t got, doca_error_t want);

/* Deadlines: an absolute time in ms, scaled by T_TIMEOUT_SCALE. */
uint64_t t_deadline(unsigned int ms);
bool t_expired(uint64_t deadline);
/* One turn of waiting: gives the processor away, a little longer each time up to 100 us. */
void t_relax(unsigned int turn);

/* Evaluates cond, which may make progress, until it is true; fails after ms. */
#define T_EVENTUALLY(cond, ms)                                                                     \
	do {                                                                                       \
		uint64_t t_end_ = t_deadline(ms);                                                  \
		for (unsigned int t_turn_ = 0; !(cond); t_turn_++) {                               \
			if (t_expired(t_end_))                                                     \
				T_FAIL("not true within %u ms: %s", (unsigned int)(ms), #cond);    \
			t_relax(t_turn_);                                                          \
		}                                                                                  \
	} while (0)

/* Entries of a directory, its own two included: /proc/self/fd has one for each descriptor,
 * /proc/self/task one for each thread. */
unsigned int t_count_entries(const char *path);

/* A memory file with these seals (F_SEAL_*, 0: none), and all of one as shared memory. Peers can
 * map a window over it if the file cannot shrink. */
int t_memory_file(size_t size, int seals);
void *t_map_file(int fd, size_t size);

/* Runs fn(arg) in a child, which exits with what it returns and dies with the case. */
pid_t t_fork(int (*fn)(void *arg), void *arg);
/* Exit status of the child, 128 + N if signal N ended it, -1 if it had to be killed after ms. */
int t_wait(pid_t pid, unsigned int ms);

#endif
