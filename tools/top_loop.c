/* SPDX-License-Identifier: BSD-3-Clause */
#include "top.h"

#include <time.h>

#define NS_PER_S 1000000000ull

uint64_t top_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

void top_loop_begin(struct top_loop *loop, const struct top_request *request)
{
	*loop = (struct top_loop){.request = request, .next = top_now()};
	loop->source = top_source_begin(request->pid);
}

/* When one was missed, as the program stood still, the next one comes a whole interval later. */
static void set_next(struct top_loop *loop)
{
	uint64_t interval = (uint64_t)(loop->request->interval * (double)NS_PER_S);

	loop->next += interval;
	if (loop->next <= top_now())
		loop->next = top_now() + interval;
}

doca_error_t top_loop_update(struct top_loop *loop)
{
	doca_error_t result = top_source_read(loop->source, &loop->reading);

	if (result == DOCA_SUCCESS)
		top_model_update(&loop->model, &loop->reading);
	set_next(loop);
	return result;
}

void top_loop_skip(struct top_loop *loop)
{
	set_next(loop);
}

void top_loop_end(struct top_loop *loop)
{
	top_model_end(&loop->model);
	top_reading_end(&loop->reading);
	top_source_end(loop->source);
}
