/* SPDX-License-Identifier: BSD-3-Clause
 * Memory windows: any bytes as a message of the other side, and as a request to be served a copy or
 * an atomic, which must not touch what lies beside the window.
 */
#include <stdlib.h>
#include <string.h>

#include "bus/window_check.h"
#include "bus/window_parts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SIDE 64
#define LEN 1000

static void judge_messages(const uint8_t *data, uint32_t size, uint32_t num_fds)
{
	struct window_request request;
	struct window_reply reply;
	struct sdpu_grant_msg msg;

	sdpu_window_request_fault(data, size, num_fds, &request);
	if (sdpu_window_reply_fault(data, size, num_fds, &reply) == NULL &&
	    reply.result == DOCA_SUCCESS && reply.msg.addr + reply.msg.len <= reply.msg.addr)
		abort();
	if (size < sizeof(msg))
		return;
	memcpy(&msg, data, sizeof(msg));
	if (sdpu_grant_msg_fault(&msg, num_fds) == NULL &&
	    memchr(msg.endpoint, '\0', sizeof(msg.endpoint)) == NULL)
		abort();
}

/* addr is taken relative to the window as often as not, or hardly any would hit. */
static void ask(const uint8_t *data, size_t size)
{
	static uint8_t memory[SIDE + LEN + SIDE], stage[STAGE_SLOT_SIZE];
	struct sdpu_grant grant = {.addr = (uintptr_t)memory + SIDE,
				   .len = LEN,
				   .live = data[0] & 1,
				   .may_read = data[0] & 2,
				   .may_write = data[0] & 4};
	struct window_alias alias = {0};
	struct stage_ask asked;
	uint64_t result;

	if (size < 1 + sizeof(asked))
		return;
	memcpy(&asked, data + 1, sizeof(asked));
	if ((data[0] & 8) != 0)
		asked.addr = grant.addr + (int16_t)asked.addr;
	if ((data[0] & 16) != 0)
		asked.len %= 2 * LEN;
	if ((data[0] & 32) != 0)
		asked.op %= STAGE_ATOMIC + SDPU_ATOMIC_CMP_SWP + 1;
	grant.atomics = grant.may_write ? data[0] >> 4 | 1 : 1;
	memset(memory, 0, sizeof(memory));
	memset(stage, 0xff, sizeof(stage));
	sdpu_serve_ask(&grant, &asked, stage, sizeof(stage), &alias, &result);
	for (size_t i = 0; i < SIDE; i++)
		if (memory[i] != 0 || memory[SIDE + LEN + i] != 0)
			abort();
	for (size_t i = 0; !(grant.live && grant.may_write) && i < LEN; i++)
		if (memory[SIDE + i] != 0)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1)
		return 0;
	judge_messages(data + 1, (uint32_t)size - 1, data[0] % 5);
	ask(data, size);
	return 0;
}
