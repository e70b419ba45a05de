/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Codec of the control messages (the format of the 2.9 and 2.10 storage set), the same on both
 * hops. On comch one message is one comch message; on TCP they follow each other unframed, and
 * the first two bytes tell the length.
 *
 *	header:   u16 wire_size (with the header), u16 type, u32 correlation_id
 *	response: u32 result, u32 length, text
 *	configure_data_path: u32 buffer_count, u32 buffer_size, u32 batch_size, u32 length, blob
 *	create_rdma_connection request and response: u8 role, u32 length, blob, 3 zero bytes
 *	start_data_path_connections, start_storage, destroy_objects: nothing
 *
 * The peer is not trusted. wire_message_validate() looks at the raw bytes and checks every
 * length; wire_message_decode() acts on validated bytes only and checks nothing again.
 */
#ifndef STORAGE_WIRE_H
#define STORAGE_WIRE_H

#include <doca_error.h>

#include <stddef.h>
#include <stdint.h>

enum wire_limit {
	WIRE_HEADER_SIZE = 8,
	WIRE_MESSAGE_MAX = 1024,
	WIRE_TEXT_MAX = 1008,	   /* longer texts are cut */
	WIRE_MMAP_BLOB_MAX = 1000, /* longer blobs cannot be sent */
	WIRE_CONNECTION_BLOB_MAX = 1008,
};

enum wire_type {
	WIRE_RESPONSE = 0,
	WIRE_CONFIGURE_DATA_PATH = 1,
	WIRE_CREATE_RDMA_CONNECTION_REQUEST = 2,
	WIRE_CREATE_RDMA_CONNECTION_RESPONSE = 3,
	WIRE_START_DATA_PATH_CONNECTIONS = 4,
	WIRE_START_STORAGE = 5,
	WIRE_DESTROY_OBJECTS = 6,
	WIRE_TYPE_COUNT = 7,
};

enum wire_role {
	WIRE_ROLE_DATA = 0, /* bulk data: RDMA read and write by the target */
	WIRE_ROLE_CTRL = 1, /* IO messages: send and receive */
	WIRE_ROLE_COUNT = 2,
};

/* Bytes that belong to whoever filled the message in: never copied, never freed here. */
struct wire_blob {
	const uint8_t *bytes;
	uint32_t size;
};

struct wire_message {
	enum wire_type type;
	uint32_t correlation_id;
	union {
		struct {
			doca_error_t result;
			struct wire_blob text; /* no terminator */
		} response;
		struct {
			uint32_t buffer_count;
			uint32_t buffer_size;
			uint32_t batch_size;
			struct wire_blob mmap;
		} configure;
		struct {
			enum wire_role role;
			struct wire_blob details;
		} connection; /* both create_rdma_connection types */
	};
};

/* Name of a type for error texts; "unknown message" for numbers that are none. */
const char *wire_type_name(uint32_t type);

/*
 * Writes message into out and its length into *size. A response text beyond WIRE_TEXT_MAX is cut.
 * DOCA_ERROR_TOO_BIG: a blob that does not fit into WIRE_MESSAGE_MAX.
 */
doca_error_t wire_message_encode(const struct wire_message *message, uint8_t out[WIRE_MESSAGE_MAX],
				 size_t *size);

/* Length of the message that starts at bytes, or 0 while fewer than 2 of its bytes are there. */
size_t wire_message_size(const uint8_t *bytes, size_t available);

/*
 * Whether exactly one well-formed message is in bytes. DOCA_ERROR_INVALID_VALUE otherwise, with
 * the reason in *reason (static text).
 */
doca_error_t wire_message_validate(const uint8_t *bytes, size_t size, const char **reason);

/* Takes validated bytes apart. The blobs of *message point into bytes. */
void wire_message_decode(const uint8_t *bytes, struct wire_message *message);

#endif
