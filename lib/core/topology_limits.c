/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Limits of the devices: what the libraries are built for. A topology file can make them smaller,
 * so that AGAIN and NO_MEMORY happen in a test, never larger: sizes of shared segments follow from
 * them. The keys are the names of the fields, so that capability, file and source use the same
 * names.
 */
#include "core/topology.h"

struct limit {
	const char *key;
	size_t offset;
	size_t size;
	int64_t min;
	int64_t standard;
};

#define LIMIT(field, min_, standard_)                                                              \
	{                                                                                          \
		.key = #field, .offset = offsetof(struct sdpu_limits, field),                      \
		.size = sizeof(((struct sdpu_limits *)NULL)->field), .min = (min_),                \
		.standard = (standard_)                                                            \
	}

static const struct limit limits_known[] = {
	LIMIT(comch_max_msg_size, 1, 4080),
	LIMIT(comch_max_recv_queue, 1, 8192),
	LIMIT(comch_max_send_tasks, 1, 8192),
	LIMIT(comch_max_clients, 1, 512),
	LIMIT(comch_max_name_len, 2, 120),
	LIMIT(comch_max_producers, 1, 64),
	LIMIT(comch_max_consumers, 1, 64),
	LIMIT(comch_max_fast_tasks, 1, 8192),
	LIMIT(comch_max_buf_size, 1, 2ll << 30),
	LIMIT(comch_max_imm_len, 0, 32),
	LIMIT(rdma_max_queue, 1, 32768),
	LIMIT(rdma_max_connections, 1, 4096),
	LIMIT(rdma_max_message, 1, 1ll << 30),
	LIMIT(rdma_max_list, 1, 32),
	LIMIT(dma_max_tasks, 1, 65536),
	LIMIT(dma_max_buf_size, 1, 2ll << 30),
	LIMIT(dma_max_list, 1, 64),
	LIMIT(mmap_max_devices, 1, 32),
	LIMIT(dpa_cores, 0, 16),
	LIMIT(dpa_eus_per_core, 1, 16),
	LIMIT(dpa_max_threads, 1, 1024),
	LIMIT(dpa_max_threads_per_kernel, 1, 128),
	LIMIT(dpa_kernel_max_run_time, 1, 12),
	LIMIT(msgq_max_consumers, 1, 64),
	LIMIT(msgq_max_producers, 1, 64),
};

#define NUM_LIMITS SDPU_ARRAY_SIZE(limits_known)

static void limit_store(struct sdpu_limits *limits, const struct limit *limit, int64_t value)
{
	void *field = (char *)limits + limit->offset;

	if (limit->size == sizeof(uint64_t))
		*(uint64_t *)field = (uint64_t)value;
	else
		*(uint32_t *)field = (uint32_t)value;
}

void sdpu_limits_init(struct sdpu_limits *limits)
{
	for (size_t i = 0; i < NUM_LIMITS; i++)
		limit_store(limits, &limits_known[i], limits_known[i].standard);
}

doca_error_t sdpu_limits_read(const struct sdpu_json *at, struct sdpu_limits *limits,
			      struct sdpu_json_error *err)
{
	const char *keys[NUM_LIMITS];
	struct sdpu_json member;
	doca_error_t result;
	int64_t value;

	for (size_t i = 0; i < NUM_LIMITS; i++)
		keys[i] = limits_known[i].key;
	result = sdpu_json_need_keys(at, keys, NUM_LIMITS, err);
	for (size_t i = 0; result == DOCA_SUCCESS && i < NUM_LIMITS; i++) {
		const struct limit *limit = &limits_known[i];

		if (!sdpu_json_member(at, limit->key, &member))
			continue;
		result = sdpu_json_get_int(&member, limit->min, limit->standard, &value, err);
		if (result == DOCA_SUCCESS)
			limit_store(limits, limit, value);
	}
	return result;
}
