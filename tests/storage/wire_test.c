/* SPDX-License-Identifier: BSD-3-Clause */
/* The control messages of the storage set, byte by byte. */
#include "t.h"

#include "wire.h"

#include <string.h>

static uint8_t out[WIRE_MESSAGE_MAX];
static size_t out_size;
static const uint8_t blob[WIRE_MESSAGE_MAX] = {0xb1, 0xb2, 0xb3};

#define T_BYTES(...)                                                                               \
	do {                                                                                       \
		const uint8_t expected_[] = {__VA_ARGS__};                                         \
		T_EQ(out_size, sizeof(expected_));                                                 \
		T_MEMEQ(out, expected_, sizeof(expected_));                                        \
	} while (0)

static doca_error_t encode(const struct wire_message *message)
{
	return wire_message_encode(message, out, &out_size);
}

static const char *why_invalid(const uint8_t *bytes, size_t size)
{
	const char *reason = NULL;

	T_ERR(wire_message_validate(bytes, size, &reason), DOCA_ERROR_INVALID_VALUE);
	return reason;
}

/* Puts the encoded message through validator and decoder. */
static struct wire_message decode(void)
{
	struct wire_message message;
	const char *reason;

	T_OK(wire_message_validate(out, out_size, &reason));
	wire_message_decode(out, &message);
	return message;
}

T_CASE(success_response_is_sixteen_bytes)
{
	struct wire_message message = {.type = WIRE_RESPONSE, .correlation_id = 0x01020304};

	T_OK(encode(&message));
	T_BYTES(0, 16, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0);
	message = decode();
	T_EQ(message.type, WIRE_RESPONSE);
	T_EQ(message.correlation_id, 0x01020304);
	T_EQ(message.response.result, DOCA_SUCCESS);
	T_EQ(message.response.text.size, 0);
}

T_CASE(error_response_carries_its_text)
{
	struct wire_message message = {
		.type = WIRE_RESPONSE,
		.correlation_id = 3,
		.response.result = DOCA_ERROR_UNKNOWN,
		.response.text = {.bytes = (const uint8_t *)"no", .size = 2},
	};

	T_OK(encode(&message));
	T_BYTES(0, 18, 0, 0, 0, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0, 2, 'n', 'o');
	message = decode();
	T_EQ(message.response.result, DOCA_ERROR_UNKNOWN);
	T_EQ(message.response.text.size, 2);
	T_MEMEQ(message.response.text.bytes, "no", 2);
}

T_CASE(long_text_is_cut)
{
	const struct wire_message message = {
		.type = WIRE_RESPONSE,
		.response.text = {.bytes = blob, .size = WIRE_TEXT_MAX + 1},
	};

	T_OK(encode(&message));
	T_EQ(out_size, WIRE_MESSAGE_MAX);
	T_EQ(decode().response.text.size, WIRE_TEXT_MAX);
}

T_CASE(configure_data_path)
{
	struct wire_message message = {
		.type = WIRE_CONFIGURE_DATA_PATH,
		.correlation_id = 1,
		.configure = {.buffer_count = 64,
			      .buffer_size = 4096,
			      .batch_size = 32,
			      .mmap = {.bytes = blob, .size = 3}},
	};

	T_OK(encode(&message));
	T_BYTES(0, 27, 0, 1, 0, 0, 0, 1, 0, 0, 0, 64, 0, 0, 16, 0, 0, 0, 0, 32, 0, 0, 0, 3, 0xb1,
		0xb2, 0xb3);
	message = decode();
	T_EQ(message.configure.buffer_count, 64);
	T_EQ(message.configure.buffer_size, 4096);
	T_EQ(message.configure.batch_size, 32);
	T_EQ(message.configure.mmap.size, 3);
	T_MEMEQ(message.configure.mmap.bytes, blob, 3);
}

T_CASE(connection_messages_end_in_three_zero_bytes)
{
	struct wire_message message = {
		.type = WIRE_CREATE_RDMA_CONNECTION_REQUEST,
		.correlation_id = 2,
		.connection = {.role = WIRE_ROLE_CTRL, .details = {.bytes = blob, .size = 2}},
	};

	T_OK(encode(&message));
	T_BYTES(0, 18, 0, 2, 0, 0, 0, 2, 1, 0, 0, 0, 2, 0xb1, 0xb2, 0, 0, 0);
	message = decode();
	T_EQ(message.connection.role, WIRE_ROLE_CTRL);
	T_EQ(message.connection.details.size, 2);

	message.type = WIRE_CREATE_RDMA_CONNECTION_RESPONSE;
	message.connection.role = WIRE_ROLE_DATA;
	message.connection.details.bytes = blob;
	T_OK(encode(&message));
	T_BYTES(0, 18, 0, 3, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0xb1, 0xb2, 0, 0, 0);
}

T_CASE(connection_message_without_the_zero_bytes_is_taken)
{
	const uint8_t bytes[] = {0, 15, 0, 2, 0, 0, 0, 2, 1, 0, 0, 0, 2, 0xb1, 0xb2};
	struct wire_message message;
	const char *reason;

	T_OK(wire_message_validate(bytes, sizeof(bytes), &reason));
	wire_message_decode(bytes, &message);
	T_EQ(message.connection.role, WIRE_ROLE_CTRL);
	T_EQ(message.connection.details.size, 2);
	T_EQ(message.connection.details.bytes[1], 0xb2);
}

T_CASE(messages_without_payload)
{
	struct wire_message message = {.type = WIRE_START_DATA_PATH_CONNECTIONS,
				       .correlation_id = 2};

	T_OK(encode(&message));
	T_BYTES(0, 8, 0, 4, 0, 0, 0, 2);
	message = (struct wire_message){.type = WIRE_START_STORAGE, .correlation_id = 3};
	T_OK(encode(&message));
	T_BYTES(0, 8, 0, 5, 0, 0, 0, 3);
	message = (struct wire_message){.type = WIRE_DESTROY_OBJECTS, .correlation_id = 4};
	T_OK(encode(&message));
	T_BYTES(0, 8, 0, 6, 0, 0, 0, 4);
	T_EQ(decode().type, WIRE_DESTROY_OBJECTS);
}

T_CASE(largest_blobs_fit_and_larger_do_not)
{
	struct wire_message message = {
		.type = WIRE_CONFIGURE_DATA_PATH,
		.configure.mmap = {.bytes = blob, .size = WIRE_MMAP_BLOB_MAX},
	};

	T_OK(encode(&message));
	T_EQ(out_size, WIRE_MESSAGE_MAX);
	message.configure.mmap.size++;
	T_ERR(encode(&message), DOCA_ERROR_TOO_BIG);

	message = (struct wire_message){
		.type = WIRE_CREATE_RDMA_CONNECTION_REQUEST,
		.connection.details = {.bytes = blob, .size = WIRE_CONNECTION_BLOB_MAX},
	};
	T_OK(encode(&message));
	T_EQ(out_size, WIRE_MESSAGE_MAX);
	message.connection.details.size++;
	T_ERR(encode(&message), DOCA_ERROR_TOO_BIG);
}

T_CASE(malformed_messages_are_refused_with_a_reason)
{
	static const uint8_t short_header[] = {0, 7, 0, 0, 0, 0, 0};
	static const uint8_t wrong_size[] = {0, 9, 0, 5, 0, 0, 0, 0};
	static const uint8_t bad_type[] = {0, 8, 0, 7, 0, 0, 0, 0};
	static const uint8_t extra[] = {0, 9, 0, 5, 0, 0, 0, 0, 1};
	static const uint8_t no_length[] = {0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
	static const uint8_t bad_role[] = {0, 13, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0};
	static const uint8_t long_text[] = {0, 17, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 'x'};
	static const uint8_t huge[] = {0, 20, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0,
				       0, 0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
	uint8_t wrapped[24];

	T_STREQ(why_invalid(short_header, sizeof(short_header)), "shorter than its header");
	T_CONTAINS(why_invalid(wrong_size, sizeof(wrong_size)), "wire_size differs");
	T_STREQ(why_invalid(bad_type, sizeof(bad_type)), "unknown type");
	T_CONTAINS(why_invalid(extra, sizeof(extra)), "payload");
	T_CONTAINS(why_invalid(no_length, sizeof(no_length)), "too short");
	T_CONTAINS(why_invalid(bad_role, sizeof(bad_role)), "role");
	T_CONTAINS(why_invalid(long_text, sizeof(long_text)), "inner length");
	T_CONTAINS(why_invalid(blob, WIRE_MESSAGE_MAX + 1), "1024");

	/* An inner length that would wrap around a 32-bit sum. */
	memcpy(wrapped, huge, sizeof(wrapped));
	wrapped[1] = sizeof(wrapped);
	memset(wrapped + 20, 0xff, 4);
	T_CONTAINS(why_invalid(wrapped, sizeof(wrapped)), "inner length");
}

T_CASE(every_cut_of_a_message_is_refused)
{
	const struct wire_message message = {
		.type = WIRE_CONFIGURE_DATA_PATH,
		.configure.mmap = {.bytes = blob, .size = 40},
	};
	const char *reason;
	size_t size;

	T_OK(encode(&message));
	for (size = 0; size < out_size; size++)
		T_ERR(wire_message_validate(out, size, &reason), DOCA_ERROR_INVALID_VALUE);
}

T_CASE(names)
{
	T_STREQ(wire_type_name(WIRE_CONFIGURE_DATA_PATH), "configure_data_path");
	T_STREQ(wire_type_name(99), "unknown message");
}
