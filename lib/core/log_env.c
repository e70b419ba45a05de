/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The user's say in the SDK tier, read once when the library is loaded:
 *	DOCA_LOG_LEVEL_SDK  the global SDK limit to start from; the program may change it
 *	SOFTDPU_LOG_LEVEL   records up to this level are written whatever the program sets, to
 *			    standard error if it has no backend for them
 */
#include "core/log.h"

#include <stdlib.h>

#include "base/log.h"

static const char limit_variable[] = "DOCA_LOG_LEVEL_SDK";
static const char floor_variable[] = "SOFTDPU_LOG_LEVEL";

/* Level that the variable holds; 0 when it is not set, -1 when it holds something else. */
static int env_level(const char *variable)
{
	const char *text = getenv(variable);
	char *end;
	long level;

	if (!text || !*text)
		return 0;
	level = strtol(text, &end, 10);
	return *end == '\0' && sdpu_log_level_is_valid(level) ? (int)level : -1;
}

static void env_complain(const char *variable, uint32_t used)
{
	sdpu_log_warn("%s is \"%s\"; needed: 10 (disable), 20 (critical), 30 (error), "
		      "40 (warning), 50 (info), 60 (debug) or 70 (trace); %u is used",
		      variable, getenv(variable), used);
}

void sdpu_log_env_apply(void)
{
	int limit = env_level(limit_variable);
	int floor = env_level(floor_variable);

	if (limit > 0)
		sdpu_log_set_global_lower("SOFTDPU_LOG_LEVEL", SDPU_LOG_TIER_SDK, (uint32_t)limit);
	/* Warns the user of a value that is not a level. */
	if (floor != 0)
		sdpu_log_set_floor(floor > 0 ? floor : DOCA_LOG_LEVEL_INFO);
	if (floor < 0)
		env_complain(floor_variable, DOCA_LOG_LEVEL_INFO);
}

void sdpu_log_env_check(void)
{
	if (env_level(limit_variable) < 0)
		env_complain(limit_variable, sdpu_log_get_global_lower(SDPU_LOG_TIER_SDK));
}
