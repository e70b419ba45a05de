/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Limits. A global limit, when it is set, is copied to every backend that follows it; a backend's
 * own setting overrides the copy until the next global one, unless it was made strict. The SDK tier
 * has a lower limit only, and there a backend's own level is strict by itself.
 */
#include "core/log.h"

#include "base/atomic.h"
#include "base/log.h"

struct limits {
	int lower, upper;
};

static struct limits globals[SDPU_LOG_NUM_TIERS] = {
	[SDPU_LOG_TIER_APP] = {.lower = DOCA_LOG_LEVEL_INFO, .upper = DOCA_LOG_LEVEL_CRIT},
	[SDPU_LOG_TIER_SDK] = {.lower = DOCA_LOG_LEVEL_INFO, .upper = DOCA_LOG_LEVEL_CRIT},
};

static int sdk_floor;

/* Numbers between two levels are not levels. */
bool sdpu_log_level_is_valid(long level)
{
	return level >= DOCA_LOG_LEVEL_DISABLE && level <= DOCA_LOG_LEVEL_TRACE && level % 10 == 0;
}

static int max_int(int a, int b)
{
	return a > b ? a : b;
}

/* The least important level that the backend writes, all things considered. */
static int backend_lower(const struct doca_log_backend *backend)
{
	int lower = sdpu_load(&backend->lower);

	if (backend->tier == SDPU_LOG_TIER_SDK)
		return max_int(lower, sdpu_log_get_floor());
	return backend->lower_bound && backend->lower_bound < lower ? backend->lower_bound : lower;
}

/* More important levels have smaller numbers: a record passes between the upper and the lower
 * limit. */
bool sdpu_log_backend_wants(const struct doca_log_backend *backend, int level)
{
	return level <= backend_lower(backend) &&
	       level >= max_int(sdpu_load(&backend->upper), backend->upper_bound);
}

/* Backends that are made later follow the global limits as well. */
void sdpu_log_backend_inherit(struct doca_log_backend *backend)
{
	backend->lower = globals[backend->tier].lower;
	backend->upper = globals[backend->tier].upper;
}

void sdpu_log_limit_update(void)
{
	struct doca_log_backend *backend;
	int limit = sdpu_log_get_floor();

	for (unsigned int i = 0; (backend = sdpu_log_backend_at(SDPU_LOG_TIER_SDK, i)) != NULL; i++)
		limit = max_int(limit, backend_lower(backend));
	sdpu_log_set_limit(limit);
}

void sdpu_log_set_floor(int level)
{
	pthread_mutex_lock(&sdpu_log_config);
	sdpu_store(&sdk_floor, level);
	sdpu_log_limit_update();
	pthread_mutex_unlock(&sdpu_log_config);
}

int sdpu_log_get_floor(void)
{
	return sdpu_load(&sdk_floor);
}

static doca_error_t level_check(const char *who, uint32_t level)
{
	if (sdpu_log_level_is_valid(level))
		return DOCA_SUCCESS;
	sdpu_log_err("%s: level %u; needed: 10 (disable), 20, 30, 40, 50, 60 or 70 (enum "
		     "doca_log_level)",
		     who, level);
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t sdpu_log_set_global_lower(const char *call, enum sdpu_log_tier tier, uint32_t level)
{
	struct doca_log_backend *backend;

	if (level_check(call, level) != DOCA_SUCCESS)
		return DOCA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&sdpu_log_config);
	sdpu_store(&globals[tier].lower, (int)level);
	for (unsigned int i = 0; (backend = sdpu_log_backend_at(tier, i)) != NULL; i++)
		if (!backend->lower_strict)
			sdpu_store(&backend->lower, (int)level);
	sdpu_log_limit_update();
	pthread_mutex_unlock(&sdpu_log_config);
	return DOCA_SUCCESS;
}

uint32_t sdpu_log_get_global_lower(enum sdpu_log_tier tier)
{
	return (uint32_t)sdpu_load(&globals[tier].lower);
}

doca_error_t doca_log_level_set_global_lower_limit(uint32_t level)
{
	return sdpu_log_set_global_lower(__func__, SDPU_LOG_TIER_APP, level);
}

uint32_t doca_log_level_get_global_lower_limit(void)
{
	return sdpu_log_get_global_lower(SDPU_LOG_TIER_APP);
}

doca_error_t doca_log_level_set_global_sdk_limit(uint32_t level)
{
	return sdpu_log_set_global_lower(__func__, SDPU_LOG_TIER_SDK, level);
}

uint32_t doca_log_level_get_global_sdk_limit(void)
{
	return sdpu_log_get_global_lower(SDPU_LOG_TIER_SDK);
}

doca_error_t doca_log_level_set_global_upper_limit(uint32_t level)
{
	struct doca_log_backend *backend;

	if (level_check(__func__, level) != DOCA_SUCCESS)
		return DOCA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&sdpu_log_config);
	sdpu_store(&globals[SDPU_LOG_TIER_APP].upper, (int)level);
	for (unsigned int i = 0; (backend = sdpu_log_backend_at(SDPU_LOG_TIER_APP, i)) != NULL; i++)
		if (!backend->upper_strict)
			sdpu_store(&backend->upper, (int)level);
	pthread_mutex_unlock(&sdpu_log_config);
	return DOCA_SUCCESS;
}

uint32_t doca_log_level_get_global_upper_limit(void)
{
	return (uint32_t)sdpu_load(&globals[SDPU_LOG_TIER_APP].upper);
}

/* The pointer is searched in the table before it is used: programs keep pointers for long. */
static bool backend_is_known(const struct doca_log_backend *backend, enum sdpu_log_tier tier)
{
	struct doca_log_backend *known;

	for (unsigned int i = 0; (known = sdpu_log_backend_at(tier, i)) != NULL; i++)
		if (known == backend)
			return true;
	return false;
}

/* The limits of one tier do not apply to the other. */
static doca_error_t backend_check(const char *who, const struct doca_log_backend *backend,
				  enum sdpu_log_tier tier)
{
	if (backend_is_known(backend, tier))
		return DOCA_SUCCESS;
	sdpu_log_err("%s: %p is no log backend of the %s tier; needed: what "
		     "doca_log_backend_create_with_file%s(), or another of its kind, gave",
		     who, (const void *)backend, tier == SDPU_LOG_TIER_SDK ? "SDK" : "program",
		     tier == SDPU_LOG_TIER_SDK ? "_sdk" : "");
	return DOCA_ERROR_INVALID_VALUE;
}

doca_error_t doca_log_backend_set_level_lower_limit(struct doca_log_backend *backend,
						    uint32_t level)
{
	if (backend_check(__func__, backend, SDPU_LOG_TIER_APP) != DOCA_SUCCESS ||
	    level_check(__func__, level) != DOCA_SUCCESS)
		return DOCA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&sdpu_log_config);
	sdpu_store(&backend->lower, (int)level);
	pthread_mutex_unlock(&sdpu_log_config);
	return DOCA_SUCCESS;
}

doca_error_t doca_log_backend_set_level_upper_limit(struct doca_log_backend *backend,
						    uint32_t upper_limit)
{
	if (backend_check(__func__, backend, SDPU_LOG_TIER_APP) != DOCA_SUCCESS ||
	    level_check(__func__, upper_limit) != DOCA_SUCCESS)
		return DOCA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&sdpu_log_config);
	sdpu_store(&backend->upper, (int)upper_limit);
	pthread_mutex_unlock(&sdpu_log_config);
	return DOCA_SUCCESS;
}

/* Strict pins what is set now; the backend's own calls still change it. */
doca_error_t doca_log_backend_set_level_lower_limit_strict(struct doca_log_backend *backend)
{
	if (backend_check(__func__, backend, SDPU_LOG_TIER_APP) != DOCA_SUCCESS)
		return DOCA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&sdpu_log_config);
	backend->lower_strict = true;
	pthread_mutex_unlock(&sdpu_log_config);
	return DOCA_SUCCESS;
}

doca_error_t doca_log_backend_set_level_upper_limit_strict(struct doca_log_backend *backend)
{
	if (backend_check(__func__, backend, SDPU_LOG_TIER_APP) != DOCA_SUCCESS)
		return DOCA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&sdpu_log_config);
	backend->upper_strict = true;
	pthread_mutex_unlock(&sdpu_log_config);
	return DOCA_SUCCESS;
}

doca_error_t doca_log_backend_set_sdk_level(struct doca_log_backend *backend, uint32_t level)
{
	if (backend_check(__func__, backend, SDPU_LOG_TIER_SDK) != DOCA_SUCCESS ||
	    level_check(__func__, level) != DOCA_SUCCESS)
		return DOCA_ERROR_INVALID_VALUE;
	pthread_mutex_lock(&sdpu_log_config);
	sdpu_store(&backend->lower, (int)level);
	backend->lower_strict = true;
	sdpu_log_limit_update();
	pthread_mutex_unlock(&sdpu_log_config);
	return DOCA_SUCCESS;
}
