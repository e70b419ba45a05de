/* SPDX-License-Identifier: BSD-3-Clause */
/* The IO message, byte by byte, and what bridge and target make of it. */
#include "t.h"

#include "io_message.h"

static uint8_t message[IO_MESSAGE_SIZE];

static void make_read(void)
{
	io_message_set_type(message, IO_MESSAGE_READ);
	io_message_set_correlation_id(message, 0x01020304);
	io_message_set_user_data(message, 0x1112131415161718);
	io_message_set_io_size(message, 0x21222324);
	io_message_set_io_address(message, 0x3132333435363738);
}

T_CASE(layout)
{
	static const uint8_t expected[IO_MESSAGE_SIZE] = {
		0, 0, 0, 1, 0x01, 0x02, 0x03, 0x04, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18,
		0, 0, 0, 0, 0x21, 0x22, 0x23, 0x24, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38,
	};

	make_read();
	T_MEMEQ(message, expected, sizeof(expected));
	T_EQ(io_message_get_io_address(message), 0x3132333435363738);
	T_EQ(io_message_get_io_size(message), 0x21222324);
}

T_CASE(answer_changes_type_and_result_only)
{
	make_read();
	io_message_set_answer(message, DOCA_ERROR_IO_FAILED);
	T_EQ(io_message_get_type(message), IO_MESSAGE_RESULT);
	T_EQ(io_message_get_result(message), DOCA_ERROR_IO_FAILED);
	T_EQ(message[19], 17);
	T_EQ(io_message_get_correlation_id(message), 0x01020304);
	T_EQ(io_message_get_io_size(message), 0x21222324);
}

T_CASE(bridge_makes_results_of_everything_but_stop)
{
	make_read();
	io_message_relay_answer(message);
	T_EQ(io_message_get_type(message), IO_MESSAGE_RESULT);
	T_EQ(io_message_get_result(message), DOCA_SUCCESS);

	io_message_set_type(message, IO_MESSAGE_STOP);
	io_message_relay_answer(message);
	T_EQ(io_message_get_type(message), IO_MESSAGE_STOP);
}

T_CASE(bridge_keeps_an_error_of_the_target)
{
	make_read();
	io_message_set_answer(message, DOCA_ERROR_INVALID_VALUE);
	io_message_relay_answer(message);
	T_EQ(io_message_get_type(message), IO_MESSAGE_RESULT);
	T_EQ(io_message_get_result(message), DOCA_ERROR_INVALID_VALUE);
}
