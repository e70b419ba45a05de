/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files that device code writes to: the log and the trace. Configured by the host before start, the
 * context's from then on; written by any strand, under the stream's own lock.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/refuse.h"
#include "dpa/dpa_object.h"

doca_error_t dpa_text_give(const char *call, const char *text, char *buf, uint32_t *len)
{
	size_t needed = strlen(text) + 1;

	if (*len < needed) {
		sdpu_log_err("%s: the buffer has %u bytes; needed: %zu", call, *len, needed);
		return DOCA_ERROR_INVALID_VALUE;
	}
	memcpy(buf, text, needed);
	*len = (uint32_t)needed;
	return DOCA_SUCCESS;
}

void dpa_file_close(struct dpa_file *file)
{
	if (file->stream != NULL)
		fclose(file->stream);
	free(file->path);
	*file = (struct dpa_file){0};
}

static doca_error_t file_open(struct dpa_file *file, const char *path, const char *call)
{
	struct dpa_file opened = {.path = strdup(path)};

	if (opened.path == NULL)
		return sdpu_no_memory(call);
	opened.stream = fopen(path, "we");
	if (opened.stream == NULL) {
		sdpu_log_err("%s: %s cannot be opened (%s); needed: a file that can be written",
			     call, path, strerror(errno));
		free(opened.path);
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	dpa_file_close(file);
	*file = opened;
	return DOCA_SUCCESS;
}

static doca_error_t file_set(struct doca_dpa *dpa, struct dpa_file *file, const char *path,
			     const char *call)
{
	doca_error_t result = dpa_check_configurable(dpa, call);

	return result == DOCA_SUCCESS ? file_open(file, path, call) : result;
}

static doca_error_t file_get(const struct dpa_file *file, char *path, uint32_t *len,
			     const char *call)
{
	return dpa_text_give(call, file->path == NULL ? "stdout" : file->path, path, len);
}

doca_error_t doca_dpa_log_file_set_path(struct doca_dpa *dpa, const char *file_path)
{
	if (sdpu_any_null(__func__, dpa, file_path))
		return DOCA_ERROR_INVALID_VALUE;
	return file_set(dpa, &dpa->log, file_path, __func__);
}

doca_error_t doca_dpa_log_file_get_path(struct doca_dpa *dpa, char *file_path,
					uint32_t *file_path_len)
{
	if (sdpu_any_null(__func__, dpa, file_path, file_path_len))
		return DOCA_ERROR_INVALID_VALUE;
	return file_get(&dpa_root(dpa)->log, file_path, file_path_len, __func__);
}

doca_error_t doca_dpa_trace_file_set_path(struct doca_dpa *dpa, const char *file_path)
{
	if (sdpu_any_null(__func__, dpa, file_path))
		return DOCA_ERROR_INVALID_VALUE;
	return file_set(dpa, &dpa->trace, file_path, __func__);
}

doca_error_t doca_dpa_trace_file_get_path(struct doca_dpa *dpa, char *file_path,
					  uint32_t *file_path_len)
{
	if (sdpu_any_null(__func__, dpa, file_path, file_path_len))
		return DOCA_ERROR_INVALID_VALUE;
	return file_get(&dpa_root(dpa)->trace, file_path, file_path_len, __func__);
}
