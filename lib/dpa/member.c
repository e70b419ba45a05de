/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Objects of a DPA context; contract in member.h.
 */
#include "dpa/member.h"

#include "base/log.h"
#include "base/round.h"
#include "dpa/dpa.h"

doca_error_t dpa_member_check_started(enum dpa_member_state state, const struct doca_dpa *dpa,
				      const char *call, const char *refusal)
{
	if (state == DPA_MEMBER_STARTED)
		return sdpu_dpa_check_there(dpa, call);
	sdpu_log_err("%s: %s", call, refusal);
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t dpa_queue_size(const char *call, unsigned int asked, uint32_t *size)
{
	if (asked == 0 || asked > DPA_QUEUE_MAX) {
		sdpu_log_err("%s: %u elements; needed: 1 to %u", call, asked, DPA_QUEUE_MAX);
		return DOCA_ERROR_INVALID_VALUE;
	}
	*size = sdpu_round_up(asked, 1);
	return DOCA_SUCCESS;
}
