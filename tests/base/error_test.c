/* SPDX-License-Identifier: BSD-3-Clause
 * Names and descriptions of result codes.
 */
#include <ctype.h>

#include "t.h"

enum { LAST_CODE = DOCA_ERROR_DEVICE_FATAL_ERROR };

T_CASE(names_are_those_of_the_enumerators)
{
	T_STREQ(doca_error_get_name(DOCA_SUCCESS), "DOCA_SUCCESS");
	T_STREQ(doca_error_get_name(DOCA_ERROR_INVALID_VALUE), "DOCA_ERROR_INVALID_VALUE");
	T_STREQ(doca_error_get_name(DOCA_ERROR_CONNECTION_INPROGRESS),
		"DOCA_ERROR_CONNECTION_INPROGRESS");
	T_STREQ(doca_error_get_name(DOCA_ERROR_SKIPPED), "DOCA_ERROR_SKIPPED");
	T_STREQ(doca_error_get_name(DOCA_ERROR_DEVICE_FATAL_ERROR),
		"DOCA_ERROR_DEVICE_FATAL_ERROR");
}

T_CASE(numbers_are_the_published_ones)
{
	T_EQ(DOCA_SUCCESS, 0);
	T_EQ(DOCA_ERROR_AGAIN, 5);
	T_EQ(DOCA_ERROR_INVALID_VALUE, 6);
	T_EQ(DOCA_ERROR_IO_FAILED, 17);
	T_EQ(DOCA_ERROR_IN_PROGRESS, 26);
	T_EQ(DOCA_ERROR_BAD_CONFIG, 29);
	T_EQ(DOCA_ERROR_SKIPPED, 30);
	T_EQ(LAST_CODE, 31);
}

T_CASE(descriptions_seen_in_published_logs)
{
	T_STREQ(doca_error_get_descr(DOCA_ERROR_IO_FAILED), "Input/Output Operation Failed");
	T_STREQ(doca_error_get_descr(DOCA_ERROR_INVALID_VALUE), "Invalid input");
}

T_CASE(every_code_has_texts_of_its_own)
{
	for (int a = 0; a <= LAST_CODE; a++) {
		const char *descr = doca_error_get_descr((doca_error_t)a);

		T_CHECK(strncmp(doca_error_get_name((doca_error_t)a), "DOCA_", 5) == 0);
		T_CHECK(isupper((unsigned char)descr[0]));
		T_CHECK(!strchr(descr, '\n'));
		for (int b = 0; b < a; b++)
			T_CHECK(strcmp(descr, doca_error_get_descr((doca_error_t)b)) != 0);
	}
}

T_CASE(any_other_number_is_unrecognized)
{
	const int others[] = {-1, LAST_CODE + 1, 1000, INT32_MAX, INT32_MIN};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		T_STREQ(doca_error_get_name((doca_error_t)others[i]), "unrecognized error code");
		T_STREQ(doca_error_get_descr((doca_error_t)others[i]), "unrecognized error code");
	}
}

T_CASE(propagate_keeps_the_first_failure)
{
	doca_error_t result = DOCA_SUCCESS;

	DOCA_ERROR_PROPAGATE(result, DOCA_SUCCESS);
	T_OK(result);
	DOCA_ERROR_PROPAGATE(result, DOCA_ERROR_IN_USE);
	DOCA_ERROR_PROPAGATE(result, DOCA_ERROR_FULL);
	T_ERR(result, DOCA_ERROR_IN_USE);
	T_CHECK(DOCA_IS_ERROR(result));
	T_CHECK(!DOCA_IS_ERROR(DOCA_SUCCESS));
}
