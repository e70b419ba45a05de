/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Yielding under a kernel that does not tell of switches in system calls.
 */
#include "base/clock.h"
#include "base/yield.h"
#include "t.h"

void __wrap_sdpu_clock_sleep(uint64_t ns);

/* Nobody switches, and so nothing is cleared. */
void __wrap_sdpu_clock_sleep(uint64_t ns)
{
	(void)ns;
}

T_CASE(it_goes_by_time)
{
	T_CHECK(sdpu_yield_guesses());
	T_EVENTUALLY(sdpu_yield() == 0, 10000);
}
