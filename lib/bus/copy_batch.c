/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Several short copies in one step. The caller owns them and the reach; revocation waits for a
 * batch as for a chunk, so that a batch is no longer than one. When the owner dies the batch is
 * short, and the next copy says why.
 */
#include "bus/process.h"
#include "bus/reach_parts.h"

bool sdpu_reach_batches(const struct sdpu_reach *reach)
{
	return reach->how->many != NULL;
}

/* A piece that directly follows the previous one is merged with it, as the kernel takes its locks
 * for each piece. */
static void batch_append(struct iovec *pieces, uint32_t *num, const struct iovec *piece)
{
	struct iovec *last = *num == 0 ? NULL : &pieces[*num - 1];

	if (last != NULL && (uintptr_t)last->iov_base + last->iov_len == (uintptr_t)piece->iov_base)
		last->iov_len += piece->iov_len;
	else
		pieces[(*num)++] = *piece;
}

/* Adds one whole copy; false when it may not, or does not fit. */
static bool batch_add(struct copy_many *many, const struct sdpu_copy *copy)
{
	struct copy_chunk chunk;
	size_t want = copy->len - copy->done;
	struct iovec remote;

	if (!sdpu_copy_is_permitted(copy) || want == 0 || want > SDPU_WINDOW_CHUNK - many->len)
		return false;
	sdpu_copy_gather(copy, want, &chunk);
	if (chunk.len != want || (uint32_t)chunk.num > SDPU_COPY_BATCH - many->num_local)
		return false;
	for (int i = 0; i < chunk.num; i++)
		batch_append(many->local, &many->num_local, &chunk.pieces[i]);
	remote = (struct iovec){.iov_base = (void *)(uintptr_t)chunk.addr, .iov_len = want};
	batch_append(many->remote, &many->num_remote, &remote);
	many->len += want;
	return true;
}

/* Assigns the bytes moved to the copies in order. Returns how many copies are complete. */
static uint32_t batch_share(struct sdpu_copy *const *copies, uint32_t num, size_t moved)
{
	uint32_t complete = 0;

	for (uint32_t i = 0; i < num && moved != 0; i++) {
		size_t want = copies[i]->len - copies[i]->done;
		size_t part = moved < want ? moved : want;

		sdpu_copy_advance(copies[i], part);
		moved -= part;
		if (part == want)
			complete++;
	}
	return complete;
}

uint32_t sdpu_copy_run_batch(struct sdpu_copy *const *copies, uint32_t num)
{
	struct sdpu_reach *reach = copies[0]->reach;
	enum sdpu_access access;
	struct copy_many many;
	uint32_t added = 0;
	ssize_t moved;

	many.num_local = 0;
	many.num_remote = 0;
	many.len = 0;
	if (sdpu_process_inert() || reach->how->many == NULL)
		return 0;
	while (added < num && added < SDPU_COPY_BATCH && copies[added]->reach == reach &&
	       copies[added]->direction == copies[0]->direction && batch_add(&many, copies[added]))
		added++;
	access = added == 0 ? SDPU_ACCESS_REFUSED : reach_begin(reach);
	if (access == SDPU_ACCESS_REFUSED)
		return 0;
	moved = reach->how->many(reach, copies[0]->direction, &many);
	reach_end(reach, access);
	return moved <= 0 ? 0 : batch_share(copies, added, (size_t)moved);
}
