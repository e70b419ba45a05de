/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Yielding; contract in yield.h. The area of a thread is registered by the C library, if at all.
 *
 * While a thread is outside of the code that its rseq_cs word describes, a switch to another thread
 * only clears the word. So we let it describe an instruction that is never executed, yield, and
 * look. Nobody else's use of the area is in the way: that begins with setting the word, and does
 * not span a call of ours.
 */
#include "base/yield.h"

#include <stddef.h>

#include "base/atomic.h"
#include "base/clock.h"

#if defined(__has_include)
#if __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#endif
#endif

/* Long enough that the timer cannot expire before the thread sleeps. */
#define YIELD_TRY_NS 100000

#ifdef RSEQ_SIG

/* The kernel wants its signature before the place to abort to, and checks no more of it. */
static const uint32_t yield_landing[] = {RSEQ_SIG, 0};

static const struct rseq_cs yield_nowhere = {
	.start_ip = (uintptr_t)&yield_nowhere,
	.post_commit_offset = 1,
	.abort_ip = (uintptr_t)&yield_landing[1],
};

/* NULL: this thread has none. */
static uint64_t *yield_word(void)
{
	struct rseq *area = (void *)((char *)__builtin_thread_pointer() + __rseq_offset);

	/* Negative: the kernel does not know the area. */
	if (__rseq_size == 0 || (int32_t)sdpu_load(&area->cpu_id) < 0)
		return NULL;
	return (uint64_t *)(void *)((char *)area + offsetof(struct rseq, rseq_cs));
}

static uintptr_t yield_mark(void)
{
	return (uintptr_t)&yield_nowhere;
}

#else

static uint64_t *yield_word(void)
{
	return NULL;
}

static uintptr_t yield_mark(void)
{
	return 0;
}

#endif

static uint64_t yield_time(void)
{
	uint64_t before = sdpu_clock_now();

	sdpu_clock_yield();
	return sdpu_clock_now() - before;
}

/* By the kernel's word; the area is set back as it was found. */
static uint64_t yield_watched(uint64_t *word)
{
	uint64_t took;
	bool switched;

	sdpu_store(word, yield_mark());
	took = yield_time();
	switched = sdpu_load(word) == 0;
	sdpu_store(word, (uint64_t)0);
	return switched ? took : 0;
}

/* By time alone. */
static uint64_t yield_guessed(void)
{
	static __thread uint64_t bare = UINT64_MAX; /* the shortest one so far */
	uint64_t took = yield_time();

	if (took < bare)
		bare = took;
	return took > 2 * bare ? took : 0;
}

enum yield_kernel { KERNEL_UNKNOWN, KERNEL_TELLS, KERNEL_SILENT };

/* A kernel need not clear the word on the way out of a system call, as no sequence may make one.
 * A sleep switches for certain: is it cleared by that? */
static enum yield_kernel yield_try_kernel(uint64_t *word)
{
	bool cleared;

	sdpu_store(word, yield_mark());
	sdpu_clock_sleep(YIELD_TRY_NS);
	cleared = sdpu_load(word) == 0;
	sdpu_store(word, (uint64_t)0);
	return cleared ? KERNEL_TELLS : KERNEL_SILENT;
}

/* Tried once in the life of a process; threads that do it at the same time find the same. */
static bool yield_kernel_tells(uint64_t *word)
{
	static uint32_t known = KERNEL_UNKNOWN;
	uint32_t kernel = sdpu_load(&known);

	if (sdpu_unlikely(kernel == KERNEL_UNKNOWN)) {
		kernel = yield_try_kernel(word);
		sdpu_store(&known, kernel);
	}
	return kernel == KERNEL_TELLS;
}

/* NULL: it goes by time. */
static uint64_t *yield_witness(void)
{
	uint64_t *word = yield_word();

	return word != NULL && yield_kernel_tells(word) ? word : NULL;
}

bool sdpu_yield_guesses(void)
{
	return yield_witness() == NULL;
}

uint64_t sdpu_yield(void)
{
	uint64_t *word = yield_witness();

	return word == NULL ? yield_guessed() : yield_watched(word);
}
