/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Moving bulk data to the other core: one copy by the sender into shared memory (ordinary or
 * non-temporal stores), two copies through shared staging memory, or one by the kernel.
 */
#include "limits.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <emmintrin.h>
#endif

/* A ring of notices, one line each, and as many slots of bulk memory behind it. */
struct bulk {
	struct slots_end notices;
	uint8_t *slots;
};

static struct bulk bulk_open(const struct bench *bench)
{
	const struct bench_kernel *kernel = bench->kernel;
	uint8_t *arena = bench->arena;

	return (struct bulk){
		.notices = slots_open(arena, kernel->depth, SLOTS_LINE),
		.slots = arena + slots_bytes(kernel->depth, SLOTS_LINE),
	};
}

/* Private memory for depth messages, every page touched. */
static uint8_t *private_slots(const struct bench_kernel *kernel)
{
	size_t len = (size_t)kernel->depth * kernel->size;
	uint8_t *mem = mmap(NULL, len, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	return mem == MAP_FAILED ? NULL : mem;
}

static void copy_non_temporal(uint8_t *to, const uint8_t *from, size_t len)
{
#if defined(__x86_64__)
	__m128i *out = (__m128i *)(void *)to;
	const __m128i *in = (const __m128i *)(const void *)from;

	for (size_t i = 0; i < len / sizeof(*out); i++)
		_mm_stream_si128(out + i, _mm_loadu_si128(in + i));
	_mm_sfence();
#else
	memcpy(to, from, len);
#endif
}

static size_t slot_offset(const struct bench_kernel *kernel, uint64_t number)
{
	return (size_t)(number & (kernel->depth - 1)) * kernel->size;
}

static double per_second(const struct bench_kernel *kernel, uint64_t messages, uint64_t ns)
{
	return (double)messages * kernel->size * 1e9 / (double)ns;
}

static enum bench_status write_bulk(struct bench *bench, int variant)
{
	const struct bench_kernel *kernel = bench->kernel;
	struct bulk bulk = bulk_open(bench);
	uint8_t *source = private_slots(kernel);
	size_t offset;

	if (source == NULL || !bench_sync(bench))
		return BENCH_FAILED;
	while (!bench_stopped(bench)) {
		uint8_t *notice = slots_claim(&bulk.notices);

		if (notice == NULL)
			continue;
		offset = slot_offset(kernel, bulk.notices.next);
		if (variant == LIMIT_COPY_NON_TEMPORAL)
			copy_non_temporal(bulk.slots + offset, source + offset, kernel->size);
		else
			memcpy(bulk.slots + offset, source + offset, kernel->size);
		slots_publish(&bulk.notices, notice);
	}
	return BENCH_OK;
}

/* target: where to copy what has come; NULL: it is there already. */
static enum bench_status read_bulk(struct bench *bench, uint8_t *target)
{
	const struct bench_kernel *kernel = bench->kernel;
	struct bulk bulk = bulk_open(bench);
	uint64_t start, now;

	if (!bench_sync(bench))
		return BENCH_FAILED;
	start = now = bench_now();
	while (now - start < bench->duration) {
		if (slots_peek(&bulk.notices) != NULL) {
			size_t offset = slot_offset(kernel, bulk.notices.next);

			if (target != NULL)
				memcpy(target + offset, bulk.slots + offset, kernel->size);
			slots_release(&bulk.notices);
		}
		now = bench_now();
	}
	bench_stop(bench);
	bench_report(bench, per_second(kernel, bulk.notices.next, now - start));
	return BENCH_OK;
}

enum bench_status limit_push_write(struct bench *bench)
{
	return write_bulk(bench, bench->kernel->variant);
}

enum bench_status limit_push_read(struct bench *bench)
{
	return read_bulk(bench, NULL);
}

enum bench_status limit_staged_write(struct bench *bench)
{
	return write_bulk(bench, LIMIT_COPY_MEMCPY);
}

enum bench_status limit_staged_read(struct bench *bench)
{
	uint8_t *target = private_slots(bench->kernel);

	return target == NULL ? BENCH_FAILED : read_bulk(bench, target);
}

/* What the owner of the memory tells the writer. */
struct cross {
	uint64_t addr;
	int32_t pid;
};

enum bench_status limit_cross_own(struct bench *bench)
{
	struct cross *cross = bench->arena;

	prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY); /* where Yama runs */
	cross->addr = (uintptr_t)private_slots(bench->kernel);
	cross->pid = getpid();
	if (cross->addr == 0 || !bench_sync(bench))
		return BENCH_FAILED;
	while (!bench_stopped(bench))
		usleep(1000);
	return BENCH_OK;
}

enum bench_status limit_cross_write(struct bench *bench)
{
	const struct bench_kernel *kernel = bench->kernel;
	const struct cross *cross = bench->arena;
	uint8_t *source = private_slots(kernel);
	uint64_t start, now, messages = 0;

	if (source == NULL || !bench_sync(bench))
		return BENCH_FAILED;
	start = now = bench_now();
	while (now - start < bench->duration) {
		size_t offset = slot_offset(kernel, messages++);
		struct iovec local = {source + offset, kernel->size};
		struct iovec remote = {(void *)(uintptr_t)(cross->addr + offset), kernel->size};

		if (process_vm_writev(cross->pid, &local, 1, &remote, 1, 0) !=
		    (ssize_t)kernel->size)
			return bench_give_up(bench, BENCH_UNABLE, "process_vm_writev: %s",
					     strerror(errno));
		now = bench_now();
	}
	bench_stop(bench);
	bench_report(bench, per_second(kernel, messages, now - start));
	return BENCH_OK;
}

enum bench_status limit_memcpy(struct bench *bench, uint8_t *to, const uint8_t *from)
{
	const uint32_t size = bench->kernel->size;
	uint64_t start, now, copies = 0;

	start = now = bench_now();
	while (now - start < bench->duration) {
		for (uint32_t i = 0; i < bench->kernel->depth; i++, copies++)
			memcpy(to + (size_t)i * size, from + (size_t)i * size, size);
		now = bench_now();
	}
	return bench_report_bytes(bench, copies, now - start);
}
