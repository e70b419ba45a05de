/* SPDX-License-Identifier: BSD-3-Clause
 *
 * First records between two ends of a local RDMA connection: any bytes, any number of descriptors.
 */
#include <stdlib.h>
#include <string.h>

#include "rdma/local_wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void judge(const struct sdpu_record *record)
{
	struct local_welcome welcome;
	struct local_hello hello;

	if (local_hello_parse(record, &hello) == DOCA_SUCCESS &&
	    (hello.kind == LOCAL_HELLO_WATCH
		     ? record->num_fds != 0
		     : record->num_fds != LOCAL_CALL_FDS || hello.bit >= SDPU_READY_BITS))
		abort();
	if (local_welcome_parse(record, &welcome) == DOCA_SUCCESS &&
	    welcome.result == DOCA_SUCCESS &&
	    (record->num_fds != LOCAL_WELCOME_FDS || welcome.bit >= SDPU_READY_BITS ||
	     welcome.private_len > LOCAL_PRIVATE_MAX))
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
	record.len = data[0] & 1 ? sizeof(struct local_hello) : sizeof(struct local_welcome);
	record.num_fds = data[0] & 1 ? LOCAL_CALL_FDS : LOCAL_WELCOME_FDS;
	judge(&record);
	return 0;
}
