/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/log.h"

int sdpu_log_limit;

static sdpu_log_sink_func_t log_sink;

void sdpu_log_set_sink(sdpu_log_sink_func_t sink)
{
	sdpu_store_release(&log_sink, sink);
}

void sdpu_log_set_limit(int limit)
{
	sdpu_store(&sdpu_log_limit, limit);
}

void sdpu_log(int level, const char *file, int line, const char *fmt, ...)
{
	/* acquire: pairs with the release in sdpu_log_set_sink; what the sink uses is set up */
	sdpu_log_sink_func_t sink = sdpu_load_acquire(&log_sink);
	va_list ap;

	if (!sink)
		return;
	va_start(ap, fmt);
	sink(level, file, line, fmt, ap);
	va_end(ap);
}
