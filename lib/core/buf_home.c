/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The slow half of a home: making elements, and answers to misuse. See buf_home.h.
 */
#include "core/buf_home.h"

#include <stdlib.h>

#include "base/log.h"

doca_error_t sdpu_buf_home_make(const struct sdpu_buf_home *home, size_t num, const char *call,
				struct doca_buf **elements)
{
	struct doca_buf *made;

	/* A bound, so that a mistyped number is an answer and not the end of the process. */
	if (num > SDPU_BUF_HOME_MAX - home->num_elements) {
		sdpu_log_err("%s: %zu elements beside %u; at most %u are possible", call, num,
			     home->num_elements, SDPU_BUF_HOME_MAX);
		return DOCA_ERROR_NO_MEMORY;
	}
	made = calloc(num, sizeof(*made));
	if (made == NULL) {
		sdpu_log_err("%s: out of memory for %zu elements", call, num);
		return DOCA_ERROR_NO_MEMORY;
	}
	*elements = made;
	return DOCA_SUCCESS;
}

/* Writing the links also touches every page, which the data path then finds present. */
void sdpu_buf_home_add(struct sdpu_buf_home *home, struct doca_buf *elements, uint32_t num)
{
	/* from the last to the first, so that they are handed out in order of address */
	for (uint32_t i = num; i-- > 0;) {
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
	sdpu_log_err("%s: %u bufs are out; give them back with doca_buf_dec_refcount() first", call,
		     home->num_elements - home->num_free);
	return DOCA_ERROR_IN_USE;
}

doca_error_t sdpu_buf_home_check_state(const struct sdpu_buf_home *home,
				       enum sdpu_buf_home_state state, const char *call)
{
	if (home->state == state)
		return DOCA_SUCCESS;
	sdpu_log_err("%s: it is %s", call,
		     state == SDPU_BUF_HOME_STARTED
			     ? "not started; start it first"
			     : "started; this is possible before start only");
	return DOCA_ERROR_BAD_STATE;
}
