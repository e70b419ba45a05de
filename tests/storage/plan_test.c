/* SPDX-License-Identifier: BSD-3-Clause */
/* How operations and files are laid over threads and buffers. */
#include "t.h"

#include "plan.h"

static char text[320];

static bool fits(struct plan plan, uint64_t length)
{
	text[0] = '\0';
	return plan_fits(&plan, length, text, sizeof(text));
}

T_CASE(remainder_goes_to_the_first_threads)
{
	const struct plan plan = {.threads = 3, .buffer_count = 4, .run_limit = 11};

	T_EQ(plan_share(&plan, 0), 4);
	T_EQ(plan_share(&plan, 1), 4);
	T_EQ(plan_share(&plan, 2), 3);
}

T_CASE(no_more_transactions_than_operations)
{
	struct plan plan = {.threads = 1, .buffer_count = 64, .run_limit = 10};

	T_EQ(plan_transactions(&plan), 10);
	plan.run_limit = 1000;
	T_EQ(plan_transactions(&plan), 64);
}

T_CASE(region_beyond_32_bits)
{
	const struct plan plan = {.threads = 2, .buffer_count = 65536, .buffer_size = 65536};

	T_CHECK(plan_region_size(&plan) == (size_t)8 << 30);
	T_CHECK(plan_offset(&plan, 1, 1) == ((size_t)4 << 30) + 65536);
}

T_CASE(file_that_fills_all_buffers)
{
	const struct plan plan = {2, 8, 4096, 16};

	T_CHECK(fits(plan, 16 * 4096));
	T_CHECK(fits(plan, 16 * 4096 - 1));
	T_CHECK(fits(plan, 1));
}

T_CASE(file_larger_than_the_buffers)
{
	T_CHECK(!fits((struct plan){1, 64, 4096, 64}, 70000000));
	T_CONTAINS(text, "17090 blocks");
	T_CONTAINS(text, "--per-cpu-buffer-count 17090 and --run-limit-operation-count 17090");
	T_CONTAINS(text, "--buffer-size 1093760 and --run-limit-operation-count 64");
	/* Both ways out are true. */
	T_CHECK(fits((struct plan){1, 17090, 4096, 17090}, 70000000));
	T_CHECK(fits((struct plan){1, 64, 1093760, 64}, 70000000));
}

T_CASE(too_few_operations_to_move_every_block)
{
	T_CHECK(!fits((struct plan){1, 64, 4096, 63}, 64 * 4096));
	T_CONTAINS(text, "--run-limit-operation-count 64");
	T_CHECK(fits((struct plan){1, 64, 4096, 64}, 64 * 4096));
}

/* Shares are equal, so a file that only thread 0 has much of needs more operations than blocks. */
T_CASE(uneven_file_over_two_threads)
{
	const uint64_t length = 65 * 4096;

	T_CHECK(!fits((struct plan){2, 64, 4096, 65}, length));
	T_CONTAINS(text, "--run-limit-operation-count 127");
	T_CHECK(fits((struct plan){2, 64, 4096, 127}, length));
	T_CHECK(!fits((struct plan){2, 64, 4096, 126}, length));
}

T_CASE(advice_is_followed_to_its_end)
{
	uint32_t threads, count;
	uint64_t length;

	for (threads = 1; threads <= 4; threads++)
		for (count = 1; count <= 5; count++)
			for (length = 64; length <= 64 * 20; length += 32) {
				const uint64_t blocks = (length + 63) / 64;
				const struct plan plan = {threads, count, 64, UINT32_MAX};

				T_EQ(fits(plan, length), blocks <= threads * count);
			}
}
