/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What spinning decides by: whether the processor went to somebody else.
 */
#include "base/clock.h"

#include "t.h"

T_CASE(a_sleep_counts_as_a_switch)
{
	uint64_t before = sdpu_clock_switches();

	sdpu_clock_sleep(SDPU_MS);
	T_CHECK(sdpu_clock_switches() > before);
}

T_CASE(time_passes_while_asleep)
{
	uint64_t before = sdpu_clock_now();

	sdpu_clock_sleep(SDPU_MS);
	T_CHECK(sdpu_clock_now() - before >= SDPU_MS);
}
