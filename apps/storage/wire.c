/* SPDX-License-Identifier: BSD-3-Clause */
#include "wire.h"

#include "bytes.h"

#include <stdbool.h>
#include <string.h>

/* Where things stand in a message, counted from its first byte. */
enum wire_offset {
	AT_SIZE = 0,
	AT_TYPE = 2,
	AT_CORRELATION_ID = 4,
	AT_RESPONSE_RESULT = 8,
	AT_RESPONSE_TEXT = 12,
	AT_CONFIGURE_COUNT = 8,
	AT_CONFIGURE_SIZE = 12,
	AT_CONFIGURE_BATCH = 16,
	AT_CONFIGURE_MMAP = 20,
	AT_CONNECTION_ROLE = 8,
	AT_CONNECTION_DETAILS = 9,
};

/* A length and that many bytes. */
#define BLOB_HEADER 4

/*
 * The published programs count the role as four bytes but write one, so that these zero bytes end
 * the message. They are always sent and never needed.
 */
#define CONNECTION_PADDING 3

struct wire_layout {
	const char *name;
	size_t blob_at; /* offset of the length of the message's one blob, 0 for none */
	size_t padding; /* bytes that may follow the blob */
};

static const struct wire_layout wire_layouts[WIRE_TYPE_COUNT] = {
	[WIRE_RESPONSE] = {"response", AT_RESPONSE_TEXT, 0},
	[WIRE_CONFIGURE_DATA_PATH] = {"configure_data_path", AT_CONFIGURE_MMAP, 0},
	[WIRE_CREATE_RDMA_CONNECTION_REQUEST] = {"create_rdma_connection request",
						 AT_CONNECTION_DETAILS, CONNECTION_PADDING},
	[WIRE_CREATE_RDMA_CONNECTION_RESPONSE] = {"create_rdma_connection response",
						  AT_CONNECTION_DETAILS, CONNECTION_PADDING},
	[WIRE_START_DATA_PATH_CONNECTIONS] = {"start_data_path_connections", 0, 0},
	[WIRE_START_STORAGE] = {"start_storage", 0, 0},
	[WIRE_DESTROY_OBJECTS] = {"destroy_objects", 0, 0},
};

const char *wire_type_name(uint32_t type)
{
	return type < WIRE_TYPE_COUNT ? wire_layouts[type].name : "unknown message";
}

static bool wire_type_is_connection(uint32_t type)
{
	return type == WIRE_CREATE_RDMA_CONNECTION_REQUEST ||
	       type == WIRE_CREATE_RDMA_CONNECTION_RESPONSE;
}

static struct wire_blob wire_message_blob(const struct wire_message *message)
{
	struct wire_blob blob = {0};

	switch (message->type) {
	case WIRE_RESPONSE:
		blob = message->response.text;
		if (blob.size > WIRE_TEXT_MAX)
			blob.size = WIRE_TEXT_MAX;
		break;
	case WIRE_CONFIGURE_DATA_PATH:
		blob = message->configure.mmap;
		break;
	case WIRE_CREATE_RDMA_CONNECTION_REQUEST:
	case WIRE_CREATE_RDMA_CONNECTION_RESPONSE:
		blob = message->connection.details;
		break;
	default:
		break;
	}
	return blob;
}

static void wire_encode_fields(const struct wire_message *message, uint8_t *out)
{
	switch (message->type) {
	case WIRE_RESPONSE:
		bytes_put32(out + AT_RESPONSE_RESULT, (uint32_t)message->response.result);
		break;
	case WIRE_CONFIGURE_DATA_PATH:
		bytes_put32(out + AT_CONFIGURE_COUNT, message->configure.buffer_count);
		bytes_put32(out + AT_CONFIGURE_SIZE, message->configure.buffer_size);
		bytes_put32(out + AT_CONFIGURE_BATCH, message->configure.batch_size);
		break;
	case WIRE_CREATE_RDMA_CONNECTION_REQUEST:
	case WIRE_CREATE_RDMA_CONNECTION_RESPONSE:
		out[AT_CONNECTION_ROLE] = (uint8_t)message->connection.role;
		break;
	default:
		break;
	}
}

doca_error_t wire_message_encode(const struct wire_message *message, uint8_t out[WIRE_MESSAGE_MAX],
				 size_t *size)
{
	const struct wire_layout *layout = &wire_layouts[message->type];
	const struct wire_blob blob = wire_message_blob(message);
	size_t total = WIRE_HEADER_SIZE;

	if (layout->blob_at != 0)
		total = layout->blob_at + BLOB_HEADER + layout->padding;
	if (blob.size > WIRE_MESSAGE_MAX - total)
		return DOCA_ERROR_TOO_BIG;
	total += blob.size;

	memset(out, 0, total);
	bytes_put16(out + AT_SIZE, (uint16_t)total);
	bytes_put16(out + AT_TYPE, (uint16_t)message->type);
	bytes_put32(out + AT_CORRELATION_ID, message->correlation_id);
	wire_encode_fields(message, out);
	if (layout->blob_at != 0)
		bytes_put32(out + layout->blob_at, blob.size);
	if (blob.size != 0)
		memcpy(out + layout->blob_at + BLOB_HEADER, blob.bytes, blob.size);
	*size = total;
	return DOCA_SUCCESS;
}

size_t wire_message_size(const uint8_t *bytes, size_t available)
{
	return available < 2 ? 0 : bytes_get16(bytes + AT_SIZE);
}

/* NULL when the payload is sound, otherwise what is wrong with it. */
static const char *wire_payload_fault(const uint8_t *bytes, size_t size, uint32_t type)
{
	const struct wire_layout *layout = &wire_layouts[type];
	size_t room;

	if (layout->blob_at == 0)
		return size == WIRE_HEADER_SIZE ? NULL : "payload where none belongs";
	if (size < layout->blob_at + BLOB_HEADER)
		return "too short for its type";
	room = size - layout->blob_at - BLOB_HEADER;
	if (bytes_get32(bytes + layout->blob_at) > room)
		return "inner length reaches beyond the message";
	if (wire_type_is_connection(type) && bytes[AT_CONNECTION_ROLE] >= WIRE_ROLE_COUNT)
		return "unknown connection role";
	return NULL;
}

doca_error_t wire_message_validate(const uint8_t *bytes, size_t size, const char **reason)
{
	uint32_t type;

	*reason = NULL;
	if (size < WIRE_HEADER_SIZE)
		*reason = "shorter than its header";
	else if (size > WIRE_MESSAGE_MAX)
		*reason = "longer than 1024 bytes";
	else if (bytes_get16(bytes + AT_SIZE) != size)
		*reason = "wire_size differs from the length received";
	if (*reason != NULL)
		return DOCA_ERROR_INVALID_VALUE;

	type = bytes_get16(bytes + AT_TYPE);
	*reason = type < WIRE_TYPE_COUNT ? wire_payload_fault(bytes, size, type) : "unknown type";
	return *reason == NULL ? DOCA_SUCCESS : DOCA_ERROR_INVALID_VALUE;
}

static struct wire_blob wire_decode_blob(const uint8_t *bytes, size_t at)
{
	return (struct wire_blob){
		.bytes = bytes + at + BLOB_HEADER,
		.size = bytes_get32(bytes + at),
	};
}

void wire_message_decode(const uint8_t *bytes, struct wire_message *message)
{
	memset(message, 0, sizeof(*message));
	message->type = (enum wire_type)bytes_get16(bytes + AT_TYPE);
	message->correlation_id = bytes_get32(bytes + AT_CORRELATION_ID);

	switch (message->type) {
	case WIRE_RESPONSE:
		message->response.result = (doca_error_t)bytes_get32(bytes + AT_RESPONSE_RESULT);
		message->response.text = wire_decode_blob(bytes, AT_RESPONSE_TEXT);
		break;
	case WIRE_CONFIGURE_DATA_PATH:
		message->configure.buffer_count = bytes_get32(bytes + AT_CONFIGURE_COUNT);
		message->configure.buffer_size = bytes_get32(bytes + AT_CONFIGURE_SIZE);
		message->configure.batch_size = bytes_get32(bytes + AT_CONFIGURE_BATCH);
		message->configure.mmap = wire_decode_blob(bytes, AT_CONFIGURE_MMAP);
		break;
	case WIRE_CREATE_RDMA_CONNECTION_REQUEST:
	case WIRE_CREATE_RDMA_CONNECTION_RESPONSE:
		message->connection.role = (enum wire_role)bytes[AT_CONNECTION_ROLE];
		message->connection.details = wire_decode_blob(bytes, AT_CONNECTION_DETAILS);
		break;
	default:
		break;
	}
}
