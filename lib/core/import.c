/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opening what a descriptor names; contract in import.h.
 */
#include "core/import.h"

#include <string.h>

#include "base/error_text.h"
#include "base/log.h"
#include "base/refuse.h"
#include "bus/rundir.h"

doca_error_t sdpu_import_is_foreign(const struct sdpu_blob *blob, bool *foreign)
{
	uint8_t machine_id[SDPU_MACHINE_ID_SIZE];

	if (sdpu_machine_id(machine_id) != DOCA_SUCCESS)
		return DOCA_ERROR_DRIVER;
	*foreign = memcmp(machine_id, blob->machine_id, sizeof(machine_id)) != 0;
	return DOCA_SUCCESS;
}

/* A missing window means that the descriptor is void. Ways to reach it that fail are logged by
 * lib/bus. */
static doca_error_t import_result(const char *call, const struct sdpu_blob *blob, doca_error_t why)
{
	if (why == DOCA_ERROR_NOT_FOUND) {
		sdpu_log_err("%s: the exporter (%s) has ended, has stopped its memory, or uses "
			     "another runtime directory than %s; needed: one that is alive, with "
			     "the same SOFTDPU_RUNTIME_DIR; export again",
			     call, blob->owner, sdpu_rundir_path());
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (why == DOCA_ERROR_NO_MEMORY)
		return sdpu_no_memory(call);
	if (why != DOCA_ERROR_UNSUPPORTED_VERSION && why != DOCA_ERROR_NOT_SUPPORTED &&
	    why != DOCA_ERROR_BAD_CONFIG && why != DOCA_ERROR_INVALID_VALUE)
		sdpu_log_err("%s: the exporter (%s) cannot be asked: %s; needed: one that answers; "
			     "is it stopped, or of another user?",
			     call, blob->owner, sdpu_error_descr(why));
	return DOCA_ERROR_DRIVER;
}

/* The owner's agent says what the range is; a descriptor that says otherwise was tampered with. */
doca_error_t sdpu_import_open(const char *call, const struct sdpu_blob *blob,
			      struct sdpu_reach **reach)
{
	struct sdpu_reach *opened;
	uint64_t addr, len;
	doca_error_t result = sdpu_reach_import(call, blob->owner, blob->key, &opened);

	if (result != DOCA_SUCCESS)
		return import_result(call, blob, result);
	sdpu_reach_range(opened, &addr, &len);
	if (addr != blob->addr || len != blob->len) {
		sdpu_reach_close(opened);
		sdpu_log_err("%s: the descriptor names another range than its exporter; needed: "
			     "all bytes "
			     "that the export gave, unchanged",
			     call);
		return DOCA_ERROR_INVALID_VALUE;
	}
	*reach = opened;
	return DOCA_SUCCESS;
}
