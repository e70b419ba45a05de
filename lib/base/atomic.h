/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The only place that names memory orders.
 *
 * Acquire: nothing after the load may be seen before it. Release: everything before the store is
 * seen by whoever acquires the stored value. Full fence: additionally, our earlier stores are
 * visible before our later loads are made; only the doorbell and window revocation need it (models
 * in tests/model).
 *
 * Fields in shared memory are plain integers, touched through these wrappers only. A reader loads a
 * field once into a local, checks the local and uses the local.
 */
#ifndef SDPU_BASE_ATOMIC_H
#define SDPU_BASE_ATOMIC_H

#include <stdint.h>

#define sdpu_load(p) __atomic_load_n((p), __ATOMIC_RELAXED)
#define sdpu_load_acquire(p) __atomic_load_n((p), __ATOMIC_ACQUIRE)
#define sdpu_store(p, v) __atomic_store_n((p), (v), __ATOMIC_RELAXED)
#define sdpu_store_release(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)

/* Read-modify-write; each returns the value before the change and orders both ways. */
#define sdpu_fetch_add(p, v) __atomic_fetch_add((p), (v), __ATOMIC_ACQ_REL)
#define sdpu_fetch_sub(p, v) __atomic_fetch_sub((p), (v), __ATOMIC_ACQ_REL)
#define sdpu_fetch_or(p, v) __atomic_fetch_or((p), (v), __ATOMIC_ACQ_REL)
#define sdpu_fetch_and(p, v) __atomic_fetch_and((p), (v), __ATOMIC_ACQ_REL)
#define sdpu_swap(p, v) __atomic_exchange_n((p), (v), __ATOMIC_ACQ_REL)

/* True when *p was *expected and is now v; else *expected holds what was found. */
#define sdpu_cas(p, expected, v)                                                                   \
	__atomic_compare_exchange_n((p), (expected), (v), 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)

/*
 * Adds to a counter that one thread writes and others may read at any time: no lock prefix, and a
 * single instruction where the processor has one.
 */
#if defined(__x86_64__)
#define sdpu_count(p, n)                                                                           \
	__asm__ volatile("addq %1, %0" : "+m"(*(uint64_t *)(p)) : "er"((uint64_t)(n)) : "cc")
#else
#define sdpu_count(p, n) sdpu_store((p), sdpu_load(p) + (n))
#endif

/*
 * Full fence. ThreadSanitizer does not model fences: there a sequentially consistent
 * read-modify-write of a private word has the same effect on the machine.
 */
#if defined(__SANITIZE_THREAD__)
#define SDPU_UNDER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SDPU_UNDER_TSAN 1
#endif
#endif

static inline void sdpu_fence_full(void)
{
#ifdef SDPU_UNDER_TSAN
	static uint32_t word;

	(void)__atomic_fetch_add(&word, 1, __ATOMIC_SEQ_CST);
#else
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
}

/*
 * What a peer orders between two threads of ours: it gives the second what it was given by the
 * first. ThreadSanitizer does not see the peer and is told; to the machine these are nothing.
 */
#ifdef SDPU_UNDER_TSAN
void __tsan_release(void *p);
void __tsan_acquire(void *p);
#define sdpu_peer_was_given(p) __tsan_release(p)
#define sdpu_peer_gave(p) __tsan_acquire(p)
#else
#define sdpu_peer_was_given(p) ((void)(p))
#define sdpu_peer_gave(p) ((void)(p))
#endif

/*
 * Publishes *p = v (release) and then a full fence, so that a following load of the reader's
 * "armed" or "live" word cannot be made before v is visible. One locked exchange on x86. The others
 * do the same for a word with several writers; only the exchange has a value, what was there
 * before.
 */
#if defined(__x86_64__)
#define sdpu_publish_fenced(p, v) ((void)__atomic_exchange_n((p), (v), __ATOMIC_SEQ_CST))
#define sdpu_swap_fenced(p, v) __atomic_exchange_n((p), (v), __ATOMIC_SEQ_CST)
#define sdpu_fetch_add_fenced(p, v) ((void)__atomic_fetch_add((p), (v), __ATOMIC_SEQ_CST))
#define sdpu_fetch_or_fenced(p, v) ((void)__atomic_fetch_or((p), (v), __ATOMIC_SEQ_CST))
#else
#define sdpu_publish_fenced(p, v) (sdpu_store_release((p), (v)), sdpu_fence_full())
#define sdpu_swap_fenced(p, v)                                                                     \
	({                                                                                         \
		__typeof__(*(p)) swapped_ = sdpu_swap((p), (v));                                   \
                                                                                                   \
		sdpu_fence_full();                                                                 \
		swapped_;                                                                          \
	})
#define sdpu_fetch_add_fenced(p, v) ((void)sdpu_fetch_add((p), (v)), sdpu_fence_full())
#define sdpu_fetch_or_fenced(p, v) ((void)sdpu_fetch_or((p), (v)), sdpu_fence_full())
#endif

/* Keeps the compiler, not the processor, from moving stores across: for the order in which lines
 * are asked for. */
#define sdpu_compiler_barrier() __asm__ volatile("" ::: "memory")

/* Asks for the ownership of a cache line that will be written soon; harmless when it is not. */
static inline void sdpu_prefetch_write(const void *p)
{
#if defined(__x86_64__)
	/* The compiler's own would be a read without -mprfchw; older processors take it as a no-op.
	 */
	__asm__ volatile("prefetchw %0" : : "m"(*(const char *)p));
#else
	__builtin_prefetch(p, 1);
#endif
}

/*
 * After the stores to a line that another core reads next: it may wait in the cache that they
 * share. A hint; older processors take it as a no-op.
 */
static inline void sdpu_cache_demote(const void *p)
{
#if defined(__x86_64__)
	__asm__ volatile("cldemote %0" : : "m"(*(const char *)p));
#endif
}

#endif
