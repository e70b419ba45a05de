/* SPDX-License-Identifier: BSD-3-Clause
 *
 * First records between a Comch client and a server: any bytes, any number of descriptors.
 */
#include <stdlib.h>
#include <string.h>

#include "comch/handshake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void judge(const struct sdpu_record *record)
{
	struct comch_ring_layout layout;
	struct comch_ring_shape shape[2];
	struct comch_welcome welcome;
	struct comch_hello hello;

	(void)sdpu_hello_check(record->bytes, record->len);
	if (comch_hello_parse(record, &hello) == DOCA_SUCCESS) {
		if (strlen(hello.name) >= sizeof(hello.name) || hello.bit >= SDPU_READY_BITS)
			abort();
		shape[0] = hello.shape;
		shape[1] = hello.shape;
		(void)comch_ring_layout(shape, &layout);
	}
	if (comch_welcome_parse(record, &welcome) == DOCA_SUCCESS &&
	    welcome.result == DOCA_SUCCESS && record->num_fds != COMCH_WELCOME_FDS)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sdpu_record record = {.len = 0};

	if (size == 0)
		return 0;
	record.num_fds = data[0] % (SDPU_RECORD_FDS + 1);
	record.len = (uint32_t)(size - 1 < SDPU_RECORD_MAX ? size - 1 : SDPU_RECORD_MAX);
	memcpy(record.bytes, data + 1, record.len);
	judge(&record);
	/* Random bytes hardly ever have the right length. */
	record.len = data[0] & 1 ? sizeof(struct comch_hello) : sizeof(struct comch_welcome);
	record.num_fds = data[0] & 1 ? COMCH_HELLO_FDS : COMCH_WELCOME_FDS;
	judge(&record);
	return 0;
}
