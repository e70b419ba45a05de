/* SPDX-License-Identifier: BSD-3-Clause
 *
 * First records between a Comch client and a server: any bytes, any number of descriptors.
 */
#include <stdlib.h>
#include <string.h>

#include "comch/handshake.h"
#include "fuzz/record.h"

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
	static const struct fuzz_shape shapes[] = {
		{sizeof(struct comch_welcome), COMCH_WELCOME_FDS},
		{sizeof(struct comch_hello), COMCH_HELLO_FDS},
	};

	fuzz_records(data, size, shapes, judge);
	return 0;
}
