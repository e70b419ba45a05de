/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Configuration of an mmap, and what it tells about itself. Everything is set before start: bufs,
 * windows and peers rely on it without looking again. Setters refuse, getters answer in any state.
 */
#include "base/atomic.h"
#include "base/log.h"
#include "base/refuse.h"
#include "bus/process.h"
#include "core/mmap_object.h"

#define PCI_PERMS (DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE)
#define KNOWN_PERMS ((uint32_t)(DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING << 1) - 1)

/* NOT_PERMITTED when imported, BAD_STATE when started. */
static doca_error_t configurable(const struct doca_mmap *mmap, const char *call)
{
	if (sdpu_process_refuses(call))
		return DOCA_ERROR_BAD_STATE;
	if (mmap->imported) {
		sdpu_log_err(
			"%s: the mmap is imported; needed: one of this process; let its exporter "
			"configure it",
			call);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	if (mmap->state == SDPU_MMAP_STARTED) {
		sdpu_log_err(
			"%s: the mmap is started; needed: one that is not; configure it before "
			"doca_mmap_start()",
			call);
		return DOCA_ERROR_BAD_STATE;
	}
	return DOCA_SUCCESS;
}

/* Memory of any kind and alignment; whether it exists, start looks at. */
doca_error_t sdpu_mmap_check_range(const struct doca_mmap *mmap, const void *addr, size_t len,
				   const char *call)
{
	doca_error_t result = configurable(mmap, call);
	uintptr_t end;

	if (result != DOCA_SUCCESS)
		return result;
	if (mmap->addr != NULL) {
		sdpu_log_err(
			"%s: it has the range of %zu bytes at %p already; use another mmap for "
			"another range",
			call, mmap->len, (void *)mmap->addr);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	if (len == 0 || __builtin_add_overflow((uintptr_t)addr, len, &end)) {
		sdpu_log_err("%s: %zu bytes at %p; needed: at least 1, all of them in the address "
			     "space",
			     call, len, addr);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_set_memrange(struct doca_mmap *mmap, void *addr, size_t len)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, mmap, addr))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_mmap_check_range(mmap, addr, len, __func__);
	if (result != DOCA_SUCCESS)
		return result;
	mmap->addr = addr;
	mmap->len = len;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_get_memrange(const struct doca_mmap *mmap, void **addr, size_t *len)
{
	if (sdpu_any_null(__func__, mmap, addr, len))
		return DOCA_ERROR_INVALID_VALUE;
	if (mmap->addr == NULL) {
		sdpu_log_err("doca_mmap_get_memrange: no range; needed: one; call "
			     "doca_mmap_set_memrange() first");
		return DOCA_ERROR_BAD_STATE;
	}
	*addr = mmap->addr;
	*len = mmap->len;
	return DOCA_SUCCESS;
}

/* No bit implies another one: PCI permissions alone let the owner's Comch producers work. */
static const char *find_perms_fault(uint32_t perms)
{
	if ((perms & ~KNOWN_PERMS) != 0)
		return "unknown bits";
	if ((perms & PCI_PERMS) == PCI_PERMS)
		return "PCI_READ_ONLY and PCI_READ_WRITE, of which one is possible";
	if ((perms & DOCA_ACCESS_FLAG_PCI_RELAXED_ORDERING) != 0 && (perms & PCI_PERMS) != 0)
		return "PCI_RELAXED_ORDERING, which goes with no other PCI permission";
	return NULL;
}

doca_error_t doca_mmap_set_permissions(struct doca_mmap *mmap, uint32_t access_mask)
{
	const char *fault = find_perms_fault(access_mask);
	doca_error_t result;

	if (sdpu_any_null(__func__, mmap))
		return DOCA_ERROR_INVALID_VALUE;
	result = configurable(mmap, "doca_mmap_set_permissions");
	if (result != DOCA_SUCCESS)
		return result;
	if (fault != NULL) {
		sdpu_log_err("doca_mmap_set_permissions: 0x%x has %s; needed: bits of enum "
			     "doca_access_flag that go together",
			     access_mask, fault);
		return DOCA_ERROR_INVALID_VALUE;
	}
	mmap->perms = access_mask;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_set_free_cb(struct doca_mmap *mmap, doca_mmap_memrange_free_cb_t *free_cb,
				   void *opaque)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, mmap, free_cb))
		return DOCA_ERROR_INVALID_VALUE;
	result = configurable(mmap, "doca_mmap_set_free_cb");
	if (result != DOCA_SUCCESS)
		return result;
	mmap->free_cb = free_cb;
	mmap->free_cookie = opaque;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_set_user_data(struct doca_mmap *mmap, union doca_data user_data)
{
	doca_error_t result;

	if (sdpu_any_null(__func__, mmap))
		return DOCA_ERROR_INVALID_VALUE;
	result = configurable(mmap, "doca_mmap_set_user_data");
	if (result == DOCA_SUCCESS)
		mmap->user_data = user_data;
	return result;
}

doca_error_t doca_mmap_get_user_data(const struct doca_mmap *mmap, union doca_data *user_data)
{
	if (sdpu_any_null(__func__, mmap, user_data))
		return DOCA_ERROR_INVALID_VALUE;
	*user_data = mmap->user_data;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_get_num_bufs(const struct doca_mmap *mmap, uint32_t *num_bufs)
{
	if (sdpu_any_null(__func__, mmap, num_bufs))
		return DOCA_ERROR_INVALID_VALUE;
	*num_bufs = sdpu_load(&mmap->num_bufs);
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_get_exported(const struct doca_mmap *mmap, uint8_t *exported)
{
	if (sdpu_any_null(__func__, mmap, exported))
		return DOCA_ERROR_INVALID_VALUE;
	*exported = mmap->exported;
	return DOCA_SUCCESS;
}

doca_error_t doca_mmap_get_from_export(const struct doca_mmap *mmap, uint8_t *from_export)
{
	if (sdpu_any_null(__func__, mmap, from_export))
		return DOCA_ERROR_INVALID_VALUE;
	*from_export = mmap->imported;
	return DOCA_SUCCESS;
}

/* An import is "started" from its birth on, and programs switch it all the same. */
doca_error_t doca_mmap_enable_thread_safety(struct doca_mmap *mmap)
{
	uint32_t num_bufs;

	if (sdpu_any_null(__func__, mmap))
		return DOCA_ERROR_INVALID_VALUE;
	num_bufs = sdpu_load(&mmap->num_bufs);
	if ((mmap->state == SDPU_MMAP_STARTED && !mmap->imported) || num_bufs > 0) {
		sdpu_log_err("doca_mmap_enable_thread_safety: the mmap is started, or %u bufs of "
			     "it exist; call it before doca_mmap_start()",
			     num_bufs);
		return DOCA_ERROR_NOT_PERMITTED;
	}
	mmap->thread_safe = true;
	return DOCA_SUCCESS;
}
