/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rest of device code's headers: RDMA, which is not supported and says so, and the intrinsics
 * of the DPA's compiler.
 */
#include <stdio.h>

#include <doca_dpa_dev_rdma.h>
#include <dpaintrin.h>

#include "dpa/kit.h"

/* Number, and call; handles are not looked at. */
#define EACH_RDMA_CALL(CALL)                                                                       \
	CALL(0, doca_dpa_dev_rdma_post_read, (8, 8, 8, 8, 8, 8, 8, 8))                             \
	CALL(1, doca_dpa_dev_rdma_post_buf_read, (8, 8, 8, 8, 8))                                  \
	CALL(2, doca_dpa_dev_rdma_post_write, (8, 8, 8, 8, 8, 8, 8, 8))                            \
	CALL(3, doca_dpa_dev_rdma_post_buf_write, (8, 8, 8, 8, 8))                                 \
	CALL(4, doca_dpa_dev_rdma_post_write_imm, (8, 8, 8, 8, 8, 8, 8, 8, 8))                     \
	CALL(5, doca_dpa_dev_rdma_post_buf_write_imm, (8, 8, 8, 8, 8, 8))                          \
	CALL(6, doca_dpa_dev_rdma_post_send, (8, 8, 8, 8, 8, 8))                                   \
	CALL(7, doca_dpa_dev_rdma_post_buf_send, (8, 8, 8, 8))                                     \
	CALL(8, doca_dpa_dev_rdma_post_send_imm, (8, 8, 8, 8, 8, 8, 8))                            \
	CALL(9, doca_dpa_dev_rdma_post_buf_send_imm, (8, 8, 8, 8, 8))                              \
	CALL(10, doca_dpa_dev_rdma_post_receive, (8, 8, 8, 8))                                     \
	CALL(11, doca_dpa_dev_rdma_post_buf_receive, (8, 8))                                       \
	CALL(12, doca_dpa_dev_rdma_receive_ack, (8, 8))                                            \
	CALL(13, doca_dpa_dev_rdma_completion_get_wr_index, (8))                                   \
	CALL(14, doca_dpa_dev_rdma_post_atomic_fetch_add, (8, 8, 8, 8, 8, 8))                      \
	CALL(15, doca_dpa_dev_rdma_post_buf_atomic_fetch_add, (8, 8, 8, 8, 8))                     \
	CALL(16, doca_dpa_dev_rdma_signal_set, (8, 8, 8, 8))                                       \
	CALL(17, doca_dpa_dev_rdma_signal_add, (8, 8, 8, 8))

KIT_RPC(call_rdma)
{
#define RDMA_CASE(number, name, args)                                                              \
	case number:                                                                               \
		name args;                                                                         \
		break;
	switch (arg) {
		EACH_RDMA_CALL(RDMA_CASE)
	}
	return 0;
}

T_CASE(rdma_by_device_code_is_not_supported)
{
#define RDMA_NAME(number, name, args) #name,
	static const char *const names[] = {EACH_RDMA_CALL(RDMA_NAME)};
	struct doca_dpa *dpa;
	char sentence[128];
	uint64_t result;

	for (uint64_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		dpa = kit_dpa(KIT_DPU);
		T_ERR(doca_dpa_rpc(dpa, KIT_FUNC(call_rdma), &result, i), DOCA_ERROR_DRIVER);
		snprintf(sentence, sizeof(sentence), "%s: RDMA by device code is not supported",
			 names[i]);
		T_CONTAINS(kit_crash(), sentence);
		kit_dpa_end(dpa);
	}
}

KIT_RPC(take_time)
{
	uint64_t time = __dpa_thread_time(), cycles = __dpa_thread_cycles();
	uint64_t until = time + arg;

	while (__dpa_thread_time() < until) {
		__dpa_thread_window_writeback();
		__dpa_thread_window_read_inv();
		__dpa_thread_fence(__DPA_MEMORY, __DPA_R | __DPA_W, __DPA_RW);
	}
	return __dpa_thread_cycles() - cycles;
}

T_CASE(time_and_cycles_pass)
{
	struct doca_dpa *dpa = kit_dpa(KIT_DPU);
	uint64_t before = __dpa_thread_time();
	uint64_t cycles = kit_rpc(dpa, KIT_FUNC(take_time), 2000);

	T_CHECK(__dpa_thread_time() - before >= 2000);
	T_CHECK(cycles > 2000);
	kit_dpa_end(dpa);
}
