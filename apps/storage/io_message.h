/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The 64-byte IO message, the same on comch and on the control RDMA connection.
 *
 * The initiator writes all fields; target and bridge turn it into its own answer by changing only
 * type and result. correlation_id (the transaction index within the thread) and user_data come
 * back untouched.
 */
#ifndef STORAGE_IO_MESSAGE_H
#define STORAGE_IO_MESSAGE_H

#include "bytes.h"

#include <doca_error.h>

#define IO_MESSAGE_SIZE 64

enum io_message_type {
	IO_MESSAGE_RESULT = 0, /* answer; result says how it went */
	IO_MESSAGE_READ = 1,   /* storage to host memory */
	IO_MESSAGE_WRITE = 2,  /* host memory to storage */
	IO_MESSAGE_STOP = 3,   /* ends all threads of bridge and target; comes back unchanged */
};

enum io_message_offset {
	IO_MESSAGE_AT_TYPE = 0,
	IO_MESSAGE_AT_CORRELATION_ID = 4,
	IO_MESSAGE_AT_USER_DATA = 8,
	IO_MESSAGE_AT_RESULT = 16,
	IO_MESSAGE_AT_IO_SIZE = 20,
	IO_MESSAGE_AT_IO_ADDRESS = 24,
};

static inline uint32_t io_message_get_type(const uint8_t *message)
{
	return bytes_get32(message + IO_MESSAGE_AT_TYPE);
}

static inline void io_message_set_type(uint8_t *message, enum io_message_type type)
{
	bytes_put32(message + IO_MESSAGE_AT_TYPE, type);
}

static inline uint32_t io_message_get_correlation_id(const uint8_t *message)
{
	return bytes_get32(message + IO_MESSAGE_AT_CORRELATION_ID);
}

static inline void io_message_set_correlation_id(uint8_t *message, uint32_t correlation_id)
{
	bytes_put32(message + IO_MESSAGE_AT_CORRELATION_ID, correlation_id);
}

static inline void io_message_set_user_data(uint8_t *message, uint64_t user_data)
{
	bytes_put64(message + IO_MESSAGE_AT_USER_DATA, user_data);
}

static inline uint32_t io_message_get_result(const uint8_t *message)
{
	return bytes_get32(message + IO_MESSAGE_AT_RESULT);
}

static inline uint32_t io_message_get_io_size(const uint8_t *message)
{
	return bytes_get32(message + IO_MESSAGE_AT_IO_SIZE);
}

static inline void io_message_set_io_size(uint8_t *message, uint32_t io_size)
{
	bytes_put32(message + IO_MESSAGE_AT_IO_SIZE, io_size);
}

static inline uint64_t io_message_get_io_address(const uint8_t *message)
{
	return bytes_get64(message + IO_MESSAGE_AT_IO_ADDRESS);
}

static inline void io_message_set_io_address(uint8_t *message, uint64_t io_address)
{
	bytes_put64(message + IO_MESSAGE_AT_IO_ADDRESS, io_address);
}

/* Makes the answer to a message out of the message itself. */
static inline void io_message_set_answer(uint8_t *message, doca_error_t result)
{
	io_message_set_type(message, IO_MESSAGE_RESULT);
	bytes_put32(message + IO_MESSAGE_AT_RESULT, (uint32_t)result);
}

/*
 * What the bridge does to a message of the target: anything but a stop message becomes a
 * successful result, save an error that the target has already reported, which stays.
 */
static inline void io_message_relay_answer(uint8_t *message)
{
	const uint32_t type = io_message_get_type(message);

	if (type == IO_MESSAGE_STOP)
		return;
	if (type == IO_MESSAGE_RESULT && io_message_get_result(message) != DOCA_SUCCESS)
		return;
	io_message_set_answer(message, DOCA_SUCCESS);
}

#endif
