/* SPDX-License-Identifier: BSD-3-Clause
 *
 * doca_dpa_dev.h: log and trace of device code. Any strand, in a kernel. A line is written as a
 * whole, under the lock of its stream; a kill waits for that. It is formatted before, so that a
 * fault in it holds no lock.
 */
#include <doca_dpa_dev.h>

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "dpa/dpa_object.h"
#include "dpa/strand.h"
#include "dpa/thread.h"

#define LINE_MAX_BYTES 1024

static const char *level_name(doca_dpa_dev_log_level_t level)
{
	switch (level) {
	case DOCA_DPA_DEV_LOG_LEVEL_ERROR:
		return "ERR";
	case DOCA_DPA_DEV_LOG_LEVEL_WARNING:
		return "WRN";
	case DOCA_DPA_DEV_LOG_LEVEL_INFO:
		return "INF";
	default:
		return "DBG";
	}
}

/* Which of the kernel's threads it is. */
static uint32_t number_of(const struct sdpu_dpa_strand *strand)
{
	return strand->thread != NULL ? strand->thread->id : strand->rank;
}

void doca_dpa_dev_log(doca_dpa_dev_log_level_t log_level, const char *format, ...)
{
	struct sdpu_dpa_strand *strand = sdpu_dpa_strand_enter(__func__);
	FILE *stream = dpa_file_stream(&strand->dpa->log);
	char text[LINE_MAX_BYTES];
	va_list args;
	size_t len;

	if (log_level > strand->dpa->log_level)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	len = strlen(text);
	sdpu_dpa_guard_enter(strand);
	fprintf(stream, "[DPA][%s][%s:%u] %s%s", level_name(log_level), strand->kernel->name,
		number_of(strand), text, len > 0 && text[len - 1] == '\n' ? "" : "\n");
	fflush(stream);
	sdpu_dpa_guard_leave(strand);
}

void doca_dpa_dev_trace(uint64_t arg1, uint64_t arg2, uint64_t arg3, uint64_t arg4, uint64_t arg5)
{
	struct sdpu_dpa_strand *strand = sdpu_dpa_strand_enter(__func__);

	sdpu_dpa_guard_enter(strand);
	fprintf(dpa_file_stream(&strand->dpa->trace),
		"[DPA][TRC][%s:%u] 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64
		" 0x%" PRIx64 "\n",
		strand->kernel->name, number_of(strand), arg1, arg2, arg3, arg4, arg5);
	sdpu_dpa_guard_leave(strand);
}

void doca_dpa_dev_trace_flush(void)
{
	struct sdpu_dpa_strand *strand = sdpu_dpa_strand_enter(__func__);

	sdpu_dpa_guard_enter(strand);
	fflush(dpa_file_stream(&strand->dpa->trace));
	sdpu_dpa_guard_leave(strand);
}
