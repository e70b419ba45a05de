/* SPDX-License-Identifier: BSD-3-Clause */
/* Regions of memory: whole, zeroed and aligned, whatever their size; given back as they came. */
#include "t.h"

#include "memory.h"

#include <stdint.h>
#include <string.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define HUGE_PAGE ((size_t)2 << 20)

static bool is_zero(const uint8_t *bytes, size_t size)
{
	return bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0;
}

static void check_region(enum memory_kind kind, size_t size, size_t alignment)
{
	struct memory_region region;
	struct fault fault;

	fault_init(&fault);
	T_EQ(memory_allocate(&region, kind, size, &fault), DOCA_SUCCESS);
	T_EQ(region.size, size);
	T_EQ((uintptr_t)region.base % alignment, 0);
	T_CHECK(is_zero(region.base, size));
	memset(region.base, 0xa5, size);
	memory_free(&region);
	T_CHECK(region.base == NULL);
	memory_free(&region);
	fault_fini(&fault);
}

T_CASE(small_private_ones)
{
	check_region(MEMORY_PRIVATE, 64, 4096);
	check_region(MEMORY_PRIVATE, (64 << 10) - 1, 4096);
}

T_CASE(larger_private_ones_begin_at_a_huge_page)
{
	check_region(MEMORY_PRIVATE, 64 << 10, HUGE_PAGE);
	check_region(MEMORY_PRIVATE, HUGE_PAGE, HUGE_PAGE);
	check_region(MEMORY_PRIVATE, HUGE_PAGE + 1, HUGE_PAGE);
}

T_CASE(shared_ones)
{
	check_region(MEMORY_SHARED, 4096, 4096);
	check_region(MEMORY_SHARED, HUGE_PAGE, 4096);
}

/* Nothing is left mapped: the place of the last page is free, or somebody else's by then. */
T_CASE(the_rest_of_the_last_huge_page_goes_too)
{
	struct memory_region region;
	struct fault fault;
	uint8_t *last;
	void *again;

	fault_init(&fault);
	T_EQ(memory_allocate(&region, MEMORY_PRIVATE, HUGE_PAGE + 1, &fault), DOCA_SUCCESS);
	last = (uint8_t *)region.base + 2 * HUGE_PAGE - 4096;
	memory_free(&region);
	again = mmap(last, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
		     0);
	T_CHECK(again == last);
	munmap(again, 4096);
	fault_fini(&fault);
}

static rlim_t address_space(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;

	T_CHECK(file != NULL && fscanf(file, "%lu", &pages) == 1);
	fclose(file);
	return (rlim_t)pages * 4096;
}

T_CASE(where_there_is_no_room_for_a_huge_page_there_may_be_for_less)
{
	struct memory_region region;
	struct rlimit limit, tight;
	struct fault fault;

	fault_init(&fault);
	T_EQ(getrlimit(RLIMIT_AS, &limit), 0);
	tight = (struct rlimit){.rlim_cur = address_space() + (1 << 20),
				.rlim_max = limit.rlim_max};
	T_EQ(setrlimit(RLIMIT_AS, &tight), 0);
	T_EQ(memory_allocate(&region, MEMORY_PRIVATE, 128 << 10, &fault), DOCA_SUCCESS);
	T_EQ(setrlimit(RLIMIT_AS, &limit), 0);
	memset(region.base, 0xa5, 128 << 10);
	memory_free(&region);
	fault_fini(&fault);
}

T_CASE(more_than_there_is)
{
	struct memory_region region;
	struct fault fault;

	fault_init(&fault);
	T_EQ(memory_allocate(&region, MEMORY_PRIVATE, SIZE_MAX, &fault), DOCA_ERROR_NO_MEMORY);
	T_EQ(memory_allocate(&region, MEMORY_PRIVATE, SIZE_MAX / 2, &fault), DOCA_ERROR_NO_MEMORY);
	T_CHECK(region.base == NULL);
	fault_fini(&fault);
}
