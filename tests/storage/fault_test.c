/* SPDX-License-Identifier: BSD-3-Clause */
/* Which of several failures is the one that is told. */
#include "t.h"

#include "fault.h"

static struct fault fault;

T_CASE(first_text_stays)
{
	fault_init(&fault);
	T_EQ(fault_kind(&fault), FAULT_NONE);
	T_ERR(fault_raise(&fault, DOCA_ERROR_TIME_OUT, "first %d", 1), DOCA_ERROR_TIME_OUT);
	fault_raise(&fault, DOCA_ERROR_IO_FAILED, "second");
	T_EQ(fault_kind(&fault), FAULT_BROKEN);
	T_EQ(fault.code, DOCA_ERROR_TIME_OUT);
	T_STREQ(fault.text, "first 1");
}

T_CASE(breakage_replaces_the_wish_of_the_user)
{
	fault_init(&fault);
	fault_raise_kind(&fault, FAULT_USER, DOCA_ERROR_SHUTDOWN, "user");
	T_EQ(fault_kind(&fault), FAULT_USER);
	fault_raise(&fault, DOCA_ERROR_IO_FAILED, "broken");
	T_EQ(fault_kind(&fault), FAULT_BROKEN);
	T_STREQ(fault.text, "broken");
}

T_CASE(verdict_explains_the_breakage_that_follows)
{
	fault_init(&fault);
	fault_raise_kind(&fault, FAULT_VERDICT, DOCA_ERROR_IO_FAILED, "verdict");
	fault_raise(&fault, DOCA_ERROR_CONNECTION_RESET, "broken");
	T_EQ(fault_kind(&fault), FAULT_BROKEN);
	T_STREQ(fault.text, "verdict");
}

T_CASE(kind_never_falls)
{
	fault_init(&fault);
	fault_raise(&fault, DOCA_ERROR_IO_FAILED, "broken");
	fault_raise_kind(&fault, FAULT_USER, DOCA_ERROR_SHUTDOWN, "user");
	T_EQ(fault_kind(&fault), FAULT_BROKEN);
	T_STREQ(fault.text, "broken");
}
