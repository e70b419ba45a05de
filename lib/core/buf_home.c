/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The slow half of a home: making elements, and answers to misuse. See buf_home.h.
 */
#include "core/buf_home.h"

#include <stdlib.h>

#include "base/log.h"
#include "base/refuse.h"

struct doca_mmap sdpu_buf_no_mmap;

doca_error_t sdpu_buf_refuse_member(const char *call)
{
	sdpu_log_err("%s: the buf is an element inside a list; needed: the head of the list, or "
		     "cut it out with doca_buf_unchain_list() first",
		     call);
	return DOCA_ERROR_NOT_PERMITTED;
}

doca_error_t sdpu_buf_refuse_released(const char *call, const struct doca_buf *buf)
{
	sdpu_log_err("%s: buf %p was released before; needed: a buf with a reference; use it no "
		     "more after its last doca_buf_dec_refcount()",
		     call, (const void *)buf);
	return DOCA_ERROR_BAD_STATE;
}

doca_error_t sdpu_buf_home_exhausted(struct sdpu_buf_home *home, const char *call,
				     doca_error_t result)
{
	if (!home->told)
		sdpu_log_warn("%s: all %u bufs are out; needed: one that is free; give bufs back "
			      "with doca_buf_dec_refcount(), or make room for more "
			      "(told once)",
			      call, home->num_elements);
	home->told = true;
	return result;
}

doca_error_t sdpu_buf_home_make(const struct sdpu_buf_home *home, size_t num, const char *call,
				struct doca_buf **elements)
{
	struct doca_buf *made;

	/* An upper bound, so that a mistyped number gets an error and does not use up the
	 * memory. */
	if (num > SDPU_BUF_HOME_MAX - home->num_elements) {
		sdpu_log_err("%s: %zu elements beside %u; needed: at most %u in all; make a second "
			     "inventory or pool",
			     call, num, home->num_elements, SDPU_BUF_HOME_MAX);
		return DOCA_ERROR_NO_MEMORY;
	}
	made = calloc(num, sizeof(*made));
	if (made == NULL)
		return sdpu_no_memory(call);
	*elements = made;
	return DOCA_SUCCESS;
}

/* Writing the links also touches every page, which the data path then finds present. */
void sdpu_buf_home_add(struct sdpu_buf_home *home, struct doca_buf *elements, uint32_t num)
{
	/* from the last to the first, so that they are handed out in order of address */
	for (uint32_t i = num; i-- > 0;) {
		elements[i].mmap = &sdpu_buf_no_mmap;
		elements[i].home = home;
		elements[i].next = home->free;
		home->free = &elements[i];
	}
	home->num_elements += num;
	home->num_free += num;
}

doca_error_t sdpu_buf_home_check_all_back(const struct sdpu_buf_home *home, const char *call)
{
	if (home->num_free == home->num_elements)
		return DOCA_SUCCESS;
	sdpu_log_err("%s: %u bufs are out; needed: all back; give them back with "
		     "doca_buf_dec_refcount() first",
		     call, home->num_elements - home->num_free);
	return DOCA_ERROR_IN_USE;
}

doca_error_t sdpu_buf_home_check_state(const struct sdpu_buf_home *home,
				       enum sdpu_buf_home_state state, const char *call)
{
	if (home->state == state)
		return DOCA_SUCCESS;
	sdpu_log_err("%s: the %s is %s", call, home->is_pool ? "pool" : "inventory",
		     state == SDPU_BUF_HOME_STARTED
			     ? "not started; needed: one that is; start it first"
			     : "started; needed: one that is not; do this "
			       "before its start, or stop it first");
	return DOCA_ERROR_BAD_STATE;
}
