/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a watched process answers: any record, any rows.
 */
#include <stdlib.h>
#include <string.h>

#include "bus/stats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void judge_row(const struct softdpu_object *shared)
{
	struct softdpu_object row;

	if (sdpu_stats_row_read(shared, &row) != DOCA_SUCCESS)
		return;
	if (row.id == 0 || row.kind >= SOFTDPU_OBJECT_KINDS || row.state >= SOFTDPU_STATES)
		abort();
	if (strlen(row.name) >= sizeof(row.name) || strlen(row.how) >= sizeof(row.how) ||
	    strlen(row.device) >= sizeof(row.device))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sdpu_stats_answer answer;
	struct softdpu_object row;

	if (sdpu_stats_answer_read(data, (uint32_t)size, &answer) == DOCA_SUCCESS &&
	    (answer.num_rows > SDPU_STATS_ROWS || answer.watched_ns > answer.taken_ns))
		abort();
	memset(&row, 0xff, sizeof(row));
	memcpy(&row, data, size < sizeof(row) ? size : sizeof(row));
	judge_row(&row);
	/* Random bytes hardly ever get beyond the first checks. */
	row.id |= 1;
	row.kind %= SOFTDPU_OBJECT_KINDS;
	row.state %= SOFTDPU_STATES;
	judge_row(&row);
	return 0;
}
