/* SPDX-License-Identifier: BSD-3-Clause
 * Any bytes as connection details. Half of the inputs are changes to good ones, with the checksum
 * set right: they come as far as the agent of the process that they name, which is us.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "bus/blob_wire.h"
#include "rdma/connection.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct doca_dev *dev;
static struct doca_pe *pe;
static struct doca_rdma *rdma;
static struct doca_rdma_connection *peer, *connection;
static uint8_t good[RDMA_BLOB_MAX];
static size_t good_len;

static void need(doca_error_t result)
{
	if (result != DOCA_SUCCESS)
		abort();
}

static void export_both(void)
{
	const void *bytes;
	size_t len;

	need(doca_ctx_start(doca_rdma_as_ctx(rdma)));
	need(doca_rdma_export(rdma, &bytes, &good_len, &peer));
	memcpy(good, bytes, good_len);
	need(doca_rdma_export(rdma, &bytes, &len, &connection));
}

static void set_up(void)
{
	need(sdpu_dev_open_by_name("03:00.0", &dev));
	need(doca_pe_create(&pe));
	need(doca_rdma_create(dev, &rdma));
	need(doca_rdma_set_max_num_connections(rdma, 2));
	need(doca_pe_connect_ctx(pe, doca_rdma_as_ctx(rdma)));
	export_both();
}

static void connect(const void *bytes, size_t len)
{
	doca_error_t result = doca_rdma_connect(rdma, bytes, len, connection);

	if (result == DOCA_ERROR_CONNECTION_ABORTED)
		return;
	need(result);
	for (int i = 0; i < 10; i++)
		doca_pe_progress(pe);
	/* Nobody else has joined: it waits, or was refused. */
	if (connection->state == RDMA_CONNECTION_CONNECTED)
		abort();
	need(doca_ctx_stop(doca_rdma_as_ctx(rdma)));
	export_both();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t changed[RDMA_BLOB_MAX];

	if (size == 0)
		return 0;
	if (dev == NULL)
		set_up();
	if (data[0] % 2 == 0) {
		connect(data, size);
		return 0;
	}
	memcpy(changed, good, good_len);
	for (size_t i = 1; i < size && i < good_len; i++)
		changed[i] ^= data[i];
	sdpu_put_u32(changed + BLOB_AT_SUM, sdpu_blob_sum(changed, good_len));
	connect(changed, good_len);
	return 0;
}
