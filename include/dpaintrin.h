/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file dpaintrin.h
 * @brief Intrinsics of the DPA's compiler, for device sources that are compiled for a CPU.
 *
 * Each name stands for a function of the DPA library. Times may be compared and subtracted.
 */
#ifndef DPAINTRIN_H_
#define DPAINTRIN_H_

#include <doca_compat.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a fence orders: memory, and which accesses to it; bits. */
enum softdpu_dpa_fence {
	__DPA_MEMORY = 1,
	__DPA_R = 2,  /**< loads */
	__DPA_W = 4,  /**< stores */
	__DPA_RW = 6, /**< both */
};

/** @return time of the monotonic clock in microseconds */
DOCA_STABLE
uint64_t softdpu_dpa_thread_time(void);

/** @return processor cycles; where they cannot be read, nanoseconds */
DOCA_STABLE
uint64_t softdpu_dpa_thread_cycles(void);

/**
 * A full fence, whichever of memory and accesses are named.
 *
 * @param type __DPA_MEMORY, or other memory
 * @param before __DPA_R, __DPA_W or both: accesses that come before it
 * @param after the same, of what comes after it
 */
DOCA_STABLE
void softdpu_dpa_thread_fence(uint32_t type, uint32_t before, uint32_t after);

#define __dpa_thread_time() softdpu_dpa_thread_time()
#define __dpa_thread_cycles() softdpu_dpa_thread_cycles()
#define __dpa_thread_fence(type, before, after) softdpu_dpa_thread_fence((type), (before), (after))
#define __dpa_thread_window_writeback() softdpu_dpa_thread_fence(__DPA_MEMORY, __DPA_W, __DPA_W)
#define __dpa_thread_window_read_inv() softdpu_dpa_thread_fence(__DPA_MEMORY, __DPA_R, __DPA_R)

#ifdef __cplusplus
}
#endif

#endif /* DPAINTRIN_H_ */
