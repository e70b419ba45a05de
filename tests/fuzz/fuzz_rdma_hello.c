/* SPDX-License-Identifier: BSD-3-Clause
 *
 * First records between two ends of a local RDMA connection: any bytes, any number of descriptors.
 */
#include <stdlib.h>

#include "fuzz/record.h"
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
	static const struct fuzz_shape shapes[] = {
		{sizeof(struct local_welcome), LOCAL_WELCOME_FDS},
		{sizeof(struct local_hello), LOCAL_CALL_FDS},
	};

	fuzz_records(data, size, shapes, judge);
	return 0;
}
