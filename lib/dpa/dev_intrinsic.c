/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the names of dpaintrin.h stand for. No state; any thread.
 */
#include <dpaintrin.h>

#include "base/atomic.h"
#include "base/clock.h"

uint64_t softdpu_dpa_thread_time(void)
{
	return sdpu_clock_now() / 1000;
}

uint64_t softdpu_dpa_thread_cycles(void)
{
	return sdpu_clock_cycles();
}

void softdpu_dpa_thread_fence(uint32_t type, uint32_t before, uint32_t after)
{
	(void)type;
	(void)before;
	(void)after;
	sdpu_fence_full();
}
