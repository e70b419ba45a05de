/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Served windows: copies that the owner's agent makes, through the staging memory of the reach. A
 * copy takes a slot, has one request under way at a time, and holds its slot between runs
 * (served_seq).
 */
#include <string.h>

#include "base/clock.h"
#include "bus/reach_parts.h"

#define OPEN_WITHIN (2 * SDPU_SECOND)

static const char *served_open(struct sdpu_reach *reach, struct reach_offer *offer)
{
	uint64_t deadline = sdpu_clock_now() + OPEN_WITHIN;
	doca_error_t result;

	while ((result = sdpu_staging_open(reach, true)) == DOCA_ERROR_IN_PROGRESS &&
	       sdpu_clock_now() < deadline)
		sdpu_clock_sleep(SDPU_MS);
	return result == DOCA_SUCCESS ? NULL : "the owner's agent cannot be reached";
}

/* Between the local memory of a chunk and a slot's bytes. */
static void move(enum sdpu_copy_direction direction, const struct copy_chunk *chunk, uint8_t *data)
{
	for (int i = 0; i < chunk->num; i++) {
		const struct iovec *piece = &chunk->pieces[i];

		if (direction == SDPU_COPY_PUT)
			memcpy(data, piece->iov_base, piece->iov_len);
		else
			memcpy(piece->iov_base, data, piece->iov_len);
		data += piece->iov_len;
	}
}

/* Answered requests have the length that this gives again: nothing has advanced since. */
static void gather(const struct sdpu_copy *copy, struct copy_chunk *chunk)
{
	size_t left = copy->len - copy->done;

	sdpu_copy_gather(copy, left < STAGE_SLOT_SIZE ? left : STAGE_SLOT_SIZE, chunk);
}

static doca_error_t issue(struct sdpu_copy *copy)
{
	struct reach_staging *staging = &copy->reach->staging;
	struct stage_ask ask = {.op = (uint32_t)copy->direction};
	struct copy_chunk chunk;

	gather(copy, &chunk);
	if (chunk.len == 0)
		return DOCA_ERROR_INVALID_VALUE;
	if (copy->direction == SDPU_COPY_PUT)
		move(SDPU_COPY_PUT, &chunk, staging->stage->data[copy->served_seq - 1]);
	ask.addr = chunk.addr;
	ask.len = (uint32_t)chunk.len;
	sdpu_staging_ask(copy->reach, copy->served_seq, &ask);
	return DOCA_ERROR_IN_PROGRESS;
}

/* A complete request's outcome. */
static doca_error_t collect(struct sdpu_copy *copy)
{
	struct reach_staging *staging = &copy->reach->staging;
	doca_error_t result = sdpu_staging_status(staging, copy->served_seq);
	struct copy_chunk chunk;

	if (result != DOCA_SUCCESS)
		return result;
	gather(copy, &chunk);
	if (copy->direction == SDPU_COPY_GET)
		move(SDPU_COPY_GET, &chunk, staging->stage->data[copy->served_seq - 1]);
	sdpu_copy_advance(copy, chunk.len);
	return DOCA_SUCCESS;
}

/* Takes a slot, or collects the answer in the one that we have. */
static doca_error_t step(struct sdpu_copy *copy)
{
	if (copy->served_seq != 0)
		return sdpu_staging_answered(copy->reach, copy->served_seq)
			       ? collect(copy)
			       : DOCA_ERROR_IN_PROGRESS;
	if (copy->done < copy->len && !sdpu_staging_take(copy->reach, &copy->served_seq))
		return DOCA_ERROR_IN_PROGRESS;
	return DOCA_SUCCESS;
}

static doca_error_t served_run(struct sdpu_copy *copy, size_t budget)
{
	doca_error_t result = sdpu_reach_fault(copy->reach);

	if (result == DOCA_SUCCESS)
		result = step(copy);
	if (result == DOCA_SUCCESS && copy->done < copy->len)
		result = issue(copy);
	if (result != DOCA_ERROR_IN_PROGRESS && copy->served_seq != 0)
		sdpu_staging_leave(&copy->reach->staging, &copy->served_seq);
	return result;
}

static void served_cancel(struct sdpu_copy *copy)
{
	if (copy->served_seq != 0)
		sdpu_staging_leave(&copy->reach->staging, &copy->served_seq);
}

const struct reach_kind sdpu_reach_served = {
	.kind = SDPU_WINDOW_SERVED,
	.name = "served",
	.open = served_open,
	.run = served_run,
	.cancel = served_cancel,
};
