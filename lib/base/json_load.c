/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A file as text. Sizes are not believed: it may be a pipe, or grow while it is read.
 */
#include "base/json.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static doca_error_t load_refuse(const char *path, int error, struct sdpu_json_error *err)
{
	snprintf(err->text, sizeof(err->text), "%s: cannot be read: %s", path, strerror(error));
	return error == ENOMEM ? DOCA_ERROR_NO_MEMORY : DOCA_ERROR_IO_FAILED;
}

/*
 * The whole file in one block, or NULL and errno. Reads at most one byte more than is allowed,
 * which tells "too big" from "just fits".
 */
static char *fd_read_all(int fd, size_t *len)
{
	size_t room = 0, have = 0;
	char *text = NULL;
	ssize_t n = 1;

	while (n != 0 && have <= SDPU_JSON_MAX_SIZE) {
		if (have == room) {
			char *grown = realloc(text, room ? room * 2 : 4096);

			if (!grown)
				break;
			text = grown;
			room = room ? room * 2 : 4096;
		}
		n = read(fd, text + have, room - have);
		if (n < 0 && errno != EINTR)
			break;
		have += n > 0 ? (size_t)n : 0;
	}
	if (n == 0 || have > SDPU_JSON_MAX_SIZE) {
		*len = have;
		return text;
	}
	free(text);
	return NULL;
}

doca_error_t sdpu_json_load(const char *path, struct json_object **root,
			    struct sdpu_json_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *text = NULL;
	doca_error_t result;
	size_t len;

	*err = (struct sdpu_json_error){0};
	if (fd >= 0)
		text = fd_read_all(fd, &len);
	if (text)
		result = sdpu_json_parse(path, text, len, root, err);
	else
		result = load_refuse(path, errno, err);
	if (fd >= 0)
		close(fd);
	free(text);
	return result;
}
