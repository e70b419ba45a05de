/* SPDX-License-Identifier: BSD-3-Clause */
/* The host's half of doctor's self-test; contract in selftest.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "selftest.h"

static uint8_t memory[SELFTEST_BLOCK];
static struct doca_mmap *offered;
static uint32_t num_pings, num_accesses;
static bool is_joined, is_back, is_done;

static void on_message(struct selftest *test, enum selftest_message kind, const uint8_t *body,
		       uint32_t len)
{
	switch (kind) {
	case MESSAGE_DETAILS:
		TRY(doca_rdma_connect(test->rdma, body, len, test->link));
		is_joined = true;
		break;
	case MESSAGE_PING:
		is_back = len == sizeof(num_pings) && memcmp(body, &num_pings, len) == 0;
		if (!is_back)
			selftest_fail("a control message came back with other bytes");
		break;
	default:
		if (len != sizeof(num_accesses))
			selftest_fail("a control message has another length");
		memcpy(&num_accesses, body, len);
		is_done = true;
		break;
	}
}

static void wait_for(const bool *flag)
{
	while (!*flag)
		doca_pe_progress(selftest.pe);
}

static void connect_to(const char *name)
{
	struct doca_ctx *ctx;
	enum doca_ctx_states state;

	selftest_set_up(name, NULL);
	ctx = doca_comch_client_as_ctx(selftest.client);
	do {
		doca_pe_progress(selftest.pe);
		TRY(doca_ctx_get_state(ctx, &state));
	} while (state == DOCA_CTX_STATE_STARTING);
	if (state != DOCA_CTX_STATE_RUNNING)
		selftest_fail("the Comch client was not let in");
	TRY(doca_comch_client_get_connection(selftest.client, &selftest.connection));
}

static void offer_memory(void)
{
	const void *blob;
	size_t len;

	offered = selftest_map(memory, sizeof(memory),
			       DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_READ |
				       DOCA_ACCESS_FLAG_RDMA_WRITE);
	TRY(doca_mmap_export_rdma(offered, selftest.dev, &blob, &len));
	selftest_send(MESSAGE_MEMORY, blob, len);
}

static void ping(void)
{
	uint64_t end = selftest_now() + SELFTEST_HALF_NS;

	while (selftest_now() < end) {
		is_back = false;
		num_pings++;
		selftest_send(MESSAGE_PING, &num_pings, sizeof(num_pings));
		wait_for(&is_back);
	}
}

static void check_memory(void)
{
	uint8_t last = (uint8_t)(num_accesses - 1);
	size_t i;

	for (i = 0; i < sizeof(memory); i++)
		if (num_accesses == 0 || memory[i] != last)
			selftest_fail("what RDMA wrote is not in the host's memory");
}

static void leave(void)
{
	struct doca_ctx *ctx = doca_comch_client_as_ctx(selftest.client);
	enum doca_ctx_states state;

	TRY(doca_ctx_stop(ctx));
	do {
		doca_pe_progress(selftest.pe);
		TRY(doca_ctx_get_state(ctx, &state));
	} while (state != DOCA_CTX_STATE_IDLE);
}

void selftest_connect(const char *name, const char *pci)
{
	uint64_t begin;

	selftest.on_message = on_message;
	selftest_open(doca_comch_cap_client_is_supported, pci);
	connect_to(name);
	selftest_start_rdma();
	offer_memory();
	wait_for(&is_joined);
	ping();
	begin = selftest_now();
	selftest_send(MESSAGE_GO, "", 0);
	wait_for(&is_done);
	check_memory();
	printf("%u control messages there and back, %.1f us each; %u RDMA writes and reads of 4 "
	       "KiB, %.1f us each\n",
	       num_pings, (double)SELFTEST_HALF_NS / 1e3 / num_pings, 2 * num_accesses,
	       (double)(selftest_now() - begin) / 1e3 / (2 * num_accesses));
	leave();
	exit(EXIT_SUCCESS);
}
