/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Affinity: names an execution unit. Owner: the user, who keeps it as long as a thread names it; a
 * member of its context. Units are not told apart here: the system gives processors to strands.
 */
#include <stdlib.h>

#include "base/log.h"
#include "base/refuse.h"
#include "dpa/thread.h"

doca_error_t doca_dpa_eu_affinity_create(struct doca_dpa *dpa,
					 struct doca_dpa_eu_affinity **affinity)
{
	struct doca_dpa_eu_affinity *made;
	doca_error_t result;

	if (sdpu_any_null(__func__, dpa, affinity))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_dpa_join(dpa, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	made = calloc(1, sizeof(*made));
	if (made == NULL) {
		sdpu_dpa_leave(dpa);
		return sdpu_no_memory(__func__);
	}
	made->dpa = dpa;
	*affinity = made;
	return DOCA_SUCCESS;
}

doca_error_t doca_dpa_eu_affinity_destroy(struct doca_dpa_eu_affinity *affinity)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, affinity))
		return DOCA_ERROR_INVALID_VALUE;
	if (!sdpu_dpa_may_destroy_member(affinity->dpa, __func__, &result))
		return result;
	sdpu_dpa_leave(affinity->dpa);
	free(affinity);
	return result;
}

doca_error_t doca_dpa_eu_affinity_set(struct doca_dpa_eu_affinity *affinity, unsigned int eu_id)
{
	uint32_t num;

	if (sdpu_any_null(__func__, affinity))
		return DOCA_ERROR_INVALID_VALUE;
	num = dpa_num_eus(affinity->dpa);
	if (eu_id >= num) {
		sdpu_log_err("doca_dpa_eu_affinity_set: unit %u; needed: one of %u, from 0 on",
			     eu_id, num);
		return DOCA_ERROR_INVALID_VALUE;
	}
	affinity->eu = eu_id;
	affinity->is_set = true;
	return DOCA_SUCCESS;
}

doca_error_t doca_dpa_eu_affinity_clear(struct doca_dpa_eu_affinity *affinity)
{
	if (sdpu_any_null(__func__, affinity))
		return DOCA_ERROR_INVALID_VALUE;
	affinity->is_set = false;
	return DOCA_SUCCESS;
}

doca_error_t doca_dpa_eu_affinity_get(struct doca_dpa_eu_affinity *affinity, unsigned int *eu_id)
{
	if (sdpu_any_null(__func__, affinity, eu_id))
		return DOCA_ERROR_INVALID_VALUE;
	if (!affinity->is_set) {
		sdpu_log_err("doca_dpa_eu_affinity_get: no unit is set; needed: one; call "
			     "doca_dpa_eu_affinity_set() first");
		return DOCA_ERROR_INVALID_VALUE;
	}
	*eu_id = affinity->eu;
	return DOCA_SUCCESS;
}

doca_error_t doca_dpa_thread_set_affinity(struct doca_dpa_thread *dpa_thread,
					  const struct doca_dpa_eu_affinity *affinity)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, dpa_thread, affinity))
		return DOCA_ERROR_INVALID_VALUE;
	result = dpa_thread_check_configurable(dpa_thread, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	if (!affinity->is_set) {
		sdpu_log_err("doca_dpa_thread_set_affinity: it names no unit; call "
			     "doca_dpa_eu_affinity_set() first");
		return DOCA_ERROR_INVALID_VALUE;
	}
	dpa_thread->affinity = affinity;
	return DOCA_SUCCESS;
}

doca_error_t doca_dpa_thread_get_affinity(struct doca_dpa_thread *dpa_thread,
					  const struct doca_dpa_eu_affinity **affinity)
{
	if (sdpu_any_null(__func__, dpa_thread, affinity))
		return DOCA_ERROR_INVALID_VALUE;
	*affinity = dpa_thread->affinity;
	return DOCA_SUCCESS;
}
