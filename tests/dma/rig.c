/* SPDX-License-Identifier: BSD-3-Clause */
#include "dma/rig.h"

#include <string.h>
#include <unistd.h>

#include "core/kit.h"

const char *const rig_windows[4] = {"mapped", "cross", "handed", "served"};

static void over(struct doca_dma_task_memcpy *task, union doca_data task_data,
		 union doca_data ctx_data, bool ok)
{
	struct rig *rig = ctx_data.ptr;
	struct doca_task *base = doca_dma_task_memcpy_as_task(task);

	rig->status = doca_task_get_status(base);
	T_EQ(rig->status == DOCA_SUCCESS, ok);
	rig->numbers[(rig->ok + rig->failed) % 64] = task_data.u64;
	(*(ok ? &rig->ok : &rig->failed))++;
	if (!rig->keep) {
		rig_drop(doca_dma_task_memcpy_get_src(task));
		rig_drop(doca_dma_task_memcpy_get_dst(task));
		doca_task_free(base);
	}
	if (rig->on_task != NULL)
		rig->on_task(rig, task);
}

static void completed(struct doca_dma_task_memcpy *task, union doca_data task_data,
		      union doca_data ctx_data)
{
	over(task, task_data, ctx_data, true);
}

static void failed(struct doca_dma_task_memcpy *task, union doca_data task_data,
		   union doca_data ctx_data)
{
	over(task, task_data, ctx_data, false);
}

static void state_changed(const union doca_data user_data, struct doca_ctx *ctx,
			  enum doca_ctx_states prev, enum doca_ctx_states next)
{
	struct rig *rig = user_data.ptr;
	enum doca_ctx_states now;

	(void)prev;
	T_OK(doca_ctx_get_state(ctx, &now));
	T_EQ(now, next);
	rig->states[rig->num_states++ % 8] = next;
	if (rig->on_state != NULL)
		rig->on_state(rig, next);
}

void rig_configure(struct rig *rig, struct doca_dma *dma)
{
	struct doca_ctx *ctx = doca_dma_as_ctx(dma);
	const union doca_data self = {.ptr = rig};
	uint32_t num = rig->num_tasks == 0 ? RIG_TASKS : rig->num_tasks;

	T_OK(doca_pe_connect_ctx(rig->pe, ctx));
	T_OK(doca_ctx_set_user_data(ctx, self));
	T_OK(doca_ctx_set_state_changed_cb(ctx, state_changed));
	T_OK(doca_dma_task_memcpy_set_conf(dma, completed, failed, num));
}

void rig_open(struct rig *rig)
{
	rig->dev = kit_open(KIT_DPU);
	rig->host = kit_open(KIT_HOST);
	T_OK(doca_pe_create(&rig->pe));
	T_OK(doca_buf_inventory_create(1024, &rig->inventory));
	T_OK(doca_buf_inventory_start(rig->inventory));
	T_OK(doca_dma_create(rig->dev, &rig->dma));
	rig->ctx = doca_dma_as_ctx(rig->dma);
	rig_configure(rig, rig->dma);
}

void rig_start(struct rig *rig)
{
	rig_open(rig);
	T_OK(doca_ctx_start(rig->ctx));
}

enum doca_ctx_states rig_state(const struct rig *rig)
{
	enum doca_ctx_states state;

	T_OK(doca_ctx_get_state(rig->ctx, &state));
	return state;
}

void rig_close(struct rig *rig)
{
	doca_error_t result;

	if (rig->dma != NULL) {
		result = doca_ctx_stop(rig->ctx);
		T_CHECK(result == DOCA_SUCCESS || result == DOCA_ERROR_IN_PROGRESS);
		RIG_UNTIL(rig, rig_state(rig) == DOCA_CTX_STATE_IDLE);
		T_OK(doca_dma_destroy(rig->dma));
	}
	T_OK(doca_pe_destroy(rig->pe));
	T_OK(doca_buf_inventory_destroy(rig->inventory));
	T_OK(doca_dev_close(rig->host));
	T_OK(doca_dev_close(rig->dev));
}

void rig_export(struct rig *rig, struct doca_mmap *mmap, struct rig_card *card)
{
	const void *desc;

	T_OK(doca_mmap_export_pci(mmap, rig->host, &desc, &card->len));
	memcpy(card->desc, desc, card->len);
}

struct doca_mmap *rig_import(struct rig *rig, const struct rig_card *card)
{
	struct doca_mmap *mmap;

	T_OK(doca_mmap_create_from_export(NULL, card->desc, card->len, rig->dev, &mmap));
	return mmap;
}

struct doca_buf *rig_data(struct rig *rig, struct doca_mmap *mmap, void *addr, size_t len)
{
	struct doca_buf *buf;

	T_OK(doca_buf_inventory_buf_get_by_data(rig->inventory, mmap, addr, len, &buf));
	return buf;
}

struct doca_buf *rig_room(struct rig *rig, struct doca_mmap *mmap, void *addr, size_t len)
{
	struct doca_buf *buf;

	T_OK(doca_buf_inventory_buf_get_by_addr(rig->inventory, mmap, addr, len, &buf));
	return buf;
}

size_t rig_len(const struct doca_buf *buf)
{
	size_t len;

	T_OK(doca_buf_get_data_len(buf, &len));
	return len;
}

void rig_drop(const struct doca_buf *buf)
{
	if (buf != NULL)
		T_OK(doca_buf_dec_refcount((struct doca_buf *)buf, NULL));
}

struct doca_dma_task_memcpy *rig_task(struct rig *rig, const struct doca_buf *src,
				      struct doca_buf *dst, uint64_t number)
{
	const union doca_data data = {.u64 = number};
	struct doca_dma_task_memcpy *task;

	T_OK(doca_dma_task_memcpy_alloc_init(rig->dma, src, dst, data, &task));
	return task;
}

void rig_copy(struct rig *rig, const struct doca_buf *src, struct doca_buf *dst, uint64_t number)
{
	T_OK(doca_task_submit(doca_dma_task_memcpy_as_task(rig_task(rig, src, dst, number))));
}

doca_error_t rig_run(struct rig *rig, const struct doca_buf *src, struct doca_buf *dst)
{
	uint32_t before = rig->ok + rig->failed;

	rig_copy(rig, src, dst, 0);
	RIG_UNTIL(rig, rig->ok + rig->failed == before + 1);
	return rig->status;
}

static uint8_t pattern(uint32_t seed, size_t at)
{
	return (uint8_t)((at * 131 + (at >> 8) * 7 + seed * 29) & 0xff);
}

void rig_fill(uint8_t *at, size_t len, uint32_t seed)
{
	for (size_t i = 0; i < len; i++)
		at[i] = pattern(seed, i);
}

void rig_expect(const uint8_t *at, size_t len, uint32_t seed)
{
	for (size_t i = 0; i < len; i++)
		if (at[i] != pattern(seed, i))
			T_FAIL("byte %zu of %zu is 0x%02x, not 0x%02x", i, len, at[i],
			       pattern(seed, i));
}

void rig_put(int fd, const void *bytes, size_t len)
{
	const uint8_t *at = bytes;

	while (len > 0) {
		ssize_t n = write(fd, at, len);

		T_CHECK(n > 0);
		at += n;
		len -= (size_t)n;
	}
}

void rig_get(int fd, void *bytes, size_t len)
{
	uint8_t *at = bytes;

	while (len > 0) {
		ssize_t n = read(fd, at, len);

		T_CHECK(n > 0);
		at += n;
		len -= (size_t)n;
	}
}
