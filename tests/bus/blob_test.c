/* SPDX-License-Identifier: BSD-3-Clause
 * Export blobs: what goes in comes out, and nothing else does.
 */
#include <stdlib.h>
#include <string.h>

#include <doca_types.h>

#include "base/bytes.h"
#include "bus/blob.h"
#include "bus/blob_wire.h"
#include "t.h"

static struct sdpu_blob example(void)
{
	struct sdpu_blob blob = {
		.kind = SDPU_BLOB_PCI,
		.perms = DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE,
		.addr = 0x7f0011223344,
		.len = 1ull << 33,
		.key = {1, 2, 3, [15] = 16},
		.machine_id = {200, [15] = 100},
		.owner = "a-0123456789abcdef0123456789abcdef",
		.reexporter = "a-fedcba9876543210fedcba9876543210",
	};

	return blob;
}

/* Judges a blob in which one field was changed and the checksum set right again. */
static doca_error_t decode_resummed(uint8_t bytes[SDPU_BLOB_MAX], size_t len)
{
	struct sdpu_blob blob;

	sdpu_put_u32(bytes + BLOB_AT_SUM, sdpu_blob_sum(bytes, len));
	return sdpu_blob_decode("test", bytes, len, SDPU_BLOB_IS_MMAP, &blob);
}

T_CASE(round_trip)
{
	struct sdpu_blob in = example(), out;
	uint8_t bytes[SDPU_BLOB_MAX];
	size_t len = 0;

	sdpu_blob_encode(&in, bytes, &len);
	T_CHECK(len > 0 && len <= SDPU_BLOB_MAX);
	T_OK(sdpu_blob_decode("test", bytes, len, SDPU_BLOB_IS_MMAP, &out));
	T_EQ(out.kind, in.kind);
	T_EQ(out.perms, in.perms);
	T_EQ(out.addr, in.addr);
	T_EQ(out.len, in.len);
	T_MEMEQ(out.key, in.key, sizeof(in.key));
	T_MEMEQ(out.machine_id, in.machine_id, sizeof(in.machine_id));
	T_STREQ(out.owner, in.owner);
	T_STREQ(out.reexporter, in.reexporter);
}

T_CASE(no_reexporter_and_trailing_bytes_are_fine)
{
	struct sdpu_blob in = example(), out;
	uint8_t bytes[1024] = {0};
	size_t len;

	in.reexporter[0] = '\0';
	in.kind = SDPU_BLOB_RDMA;
	sdpu_blob_encode(&in, bytes, &len);
	T_OK(sdpu_blob_decode("test", bytes, sizeof(bytes), SDPU_BLOB_IS_MMAP, &out));
	T_EQ(out.kind, SDPU_BLOB_RDMA);
	T_STREQ(out.reexporter, "");
}

T_CASE(every_flipped_bit_and_every_cut_is_refused)
{
	struct sdpu_blob in = example(), out;
	uint8_t bytes[SDPU_BLOB_MAX];
	size_t len;

	sdpu_blob_encode(&in, bytes, &len);
	for (size_t bit = 0; bit < len * 8; bit++) {
		bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		T_ERR(sdpu_blob_decode("test", bytes, len, SDPU_BLOB_IS_MMAP, &out),
		      DOCA_ERROR_INVALID_VALUE);
		bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	for (size_t cut = 0; cut < len; cut++) {
		uint8_t *exact = malloc(cut + 1);

		memcpy(exact, bytes, cut);
		T_ERR(sdpu_blob_decode("test", exact, cut, SDPU_BLOB_IS_MMAP, &out),
		      DOCA_ERROR_INVALID_VALUE);
		free(exact);
	}
	T_OK(sdpu_blob_decode("test", bytes, len, SDPU_BLOB_IS_MMAP, &out));
}

T_CASE(impossible_values_are_refused_though_the_sum_is_right)
{
	struct sdpu_blob in = example();
	uint8_t good[SDPU_BLOB_MAX], bad[SDPU_BLOB_MAX];
	size_t len;

	sdpu_blob_encode(&in, good, &len);
	memcpy(bad, good, len);
	T_OK(decode_resummed(bad, len));
	sdpu_put_u16(bad + BLOB_AT_KIND, 5);
	T_ERR(decode_resummed(bad, len), DOCA_ERROR_INVALID_VALUE);
	sdpu_put_u16(bad + BLOB_AT_KIND, 0);
	T_ERR(decode_resummed(bad, len), DOCA_ERROR_INVALID_VALUE);
	memcpy(bad, good, len);
	sdpu_put_u16(bad + BLOB_AT_VERSION, BLOB_VERSION + 1);
	T_ERR(decode_resummed(bad, len), DOCA_ERROR_INVALID_VALUE);
	memcpy(bad, good, len);
	sdpu_put_u64(bad + BLOB_AT_SIZE, 0);
	T_ERR(decode_resummed(bad, len), DOCA_ERROR_INVALID_VALUE);
	sdpu_put_u64(bad + BLOB_AT_SIZE, UINT64_MAX - in.addr + 1);
	T_ERR(decode_resummed(bad, len), DOCA_ERROR_INVALID_VALUE);
	memcpy(bad, good, len);
	sdpu_put_u32(bad + BLOB_AT_PERMS, 1u << 7);
	T_ERR(decode_resummed(bad, len), DOCA_ERROR_INVALID_VALUE);
	memcpy(bad, good, len);
	bad[BLOB_AT_OWNER] = '\0';
	T_ERR(decode_resummed(bad, len), DOCA_ERROR_INVALID_VALUE);
	memset(bad + BLOB_AT_OWNER, 'a', SDPU_ENDPOINT_MAX);
	T_ERR(decode_resummed(bad, len), DOCA_ERROR_INVALID_VALUE);
	memcpy(bad, good, len);
	bad[BLOB_AT_REEXPORTER] = '\n';
	T_ERR(decode_resummed(bad, len), DOCA_ERROR_INVALID_VALUE);
}

T_CASE(kinds_are_told_apart)
{
	static const enum sdpu_blob_kind kinds[] = {SDPU_BLOB_PCI, SDPU_BLOB_RDMA,
						    SDPU_BLOB_EVENT_PCI, SDPU_BLOB_EVENT_NET};
	struct sdpu_blob in = example(), out;
	uint8_t bytes[SDPU_BLOB_MAX];
	size_t len;

	for (size_t made = 0; made < 4; made++) {
		in.kind = kinds[made];
		sdpu_blob_encode(&in, bytes, &len);
		for (size_t asked = 0; asked < 4; asked++)
			T_ERR(sdpu_blob_decode("test", bytes, len, SDPU_BLOB_IS(kinds[asked]),
					       &out),
			      made == asked ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE);
		T_ERR(sdpu_blob_decode("test", bytes, len, SDPU_BLOB_IS_MMAP, &out),
		      made < 2 ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE);
	}
}
