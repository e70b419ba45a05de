/* SPDX-License-Identifier: BSD-3-Clause */
/* Uses of the macros of doca_log.h, doca_error.h and doca_bitfield.h that must compile in silence.
 */
#include <doca_log.h>
#ifdef SEMICOLON
DOCA_LOG_REGISTER(HEADERS::MACROS);
#else
DOCA_LOG_REGISTER(HEADERS::MACROS)
#endif
#include <doca_bitfield.h>
#include <doca_error.h>

void log_each_level(int value);
doca_error_t keep_first(doca_error_t first, doca_error_t second);
uint8_t set_fields(uint8_t *byte, doca_be16_t *word, doca_be32_t *longword);

void log_each_level(int value)
{
	DOCA_LOG_CRIT("without arguments");
	DOCA_LOG_ERR("with one: %d", value);
	DOCA_LOG_WARN("with two: %d %s", value, "text");
	DOCA_LOG(DOCA_LOG_LEVEL_INFO, "without arguments");
	if (value)
		DOCA_LOG_TRC("without arguments");
	else
		DOCA_LOG_TRC("with one: %d", value);
	if (value)
		DOCA_LOG_INFO("without arguments");
	else
		DOCA_LOG_DBG("with one: %d", value);
}

doca_error_t keep_first(doca_error_t first, doca_error_t second)
{
	doca_error_t result = first;

	if (DOCA_IS_ERROR(second))
		DOCA_ERROR_PROPAGATE(result, second);
	else
		DOCA_ERROR_PROPAGATE(result, DOCA_SUCCESS);
	return result;
}

uint8_t set_fields(uint8_t *byte, doca_be16_t *word, doca_be32_t *longword)
{
	DOCA_U8P_GENMASK(7, 4, byte);
	DOCA_BE16P_GENMASK(15, 0, word);
	DOCA_BE32P_GENMASK(31, 0, longword);
	DOCA_U8P_SET(0x0f, 3, byte)
	DOCA_BE16P_SET(DOCA_BE16_GENMASK(11, 0), 7, word)
	DOCA_BE32P_SET(DOCA_BE32_GENMASK(19, 0), 9, longword)
	return DOCA_U8_GET(0xf0, *byte);
}
