/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The runtime directory: made private, refused when others own it or may enter.
 */
#include "t.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bus/rundir.h"

/* A path in the directory of this case; what lies there is removed by the case. */
static void choose(const char *name, char path[256])
{
	snprintf(path, 256, "%s/%s", getenv("SOFTDPU_RUNTIME_DIR"), name);
	setenv("SOFTDPU_RUNTIME_DIR", path, 1);
}

T_CASE(made_private_and_kept)
{
	char path[256];
	struct stat st;
	int first, second;

	choose("new", path);
	T_STREQ(sdpu_rundir_path(), "(no runtime directory)");
	T_OK(sdpu_rundir_get(&first));
	T_EQ(stat(path, &st), 0);
	T_EQ(st.st_mode & 0777, 0700);
	T_STREQ(sdpu_rundir_path(), path);
	/* Chosen once for the life of the process. */
	setenv("SOFTDPU_RUNTIME_DIR", "/nowhere", 1);
	T_OK(sdpu_rundir_get(&second));
	T_EQ(first, second);
}

T_CASE(default_is_per_user)
{
	char path[64];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "/tmp/softdpu-%u", (unsigned int)geteuid());
	if (stat(path, &st) != 0)
		T_SKIP("would leave the default directory behind");
	unsetenv("SOFTDPU_RUNTIME_DIR");
	T_OK(sdpu_rundir_get(&fd));
	T_STREQ(sdpu_rundir_path(), path);
}

T_CASE(wide_mode_is_refused)
{
	static const mode_t wide[] = {0755, 0710, 0701, 0777};
	char path[256];
	int fd = -7;

	choose("wide", path);
	T_EQ(mkdir(path, 0700), 0);
	for (size_t i = 0; i < sizeof(wide) / sizeof(wide[0]); i++) {
		T_EQ(chmod(path, wide[i]), 0);
		T_ERR(sdpu_rundir_get(&fd), DOCA_ERROR_NOT_PERMITTED);
		T_EQ(fd, -7);
	}
	/* Mended, it is used. */
	T_EQ(chmod(path, 0700), 0);
	T_OK(sdpu_rundir_get(&fd));
}

T_CASE(foreign_owner_is_refused)
{
	char path[256] = "/";
	int fd;

	if (geteuid() == 0) {
		choose("foreign", path);
		T_EQ(mkdir(path, 0700), 0);
		T_EQ(chown(path, 12345, 12345), 0);
	} else {
		setenv("SOFTDPU_RUNTIME_DIR", path, 1);
	}
	T_ERR(sdpu_rundir_get(&fd), DOCA_ERROR_NOT_PERMITTED);
}

T_CASE(unmakeable_is_an_error)
{
	char path[256];
	int fd;

	choose("missing/below", path);
	T_ERR(sdpu_rundir_get(&fd), DOCA_ERROR_OPERATING_SYSTEM);
}

T_CASE(file_is_an_error)
{
	char path[256];
	int fd;

	choose("file", path);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	T_CHECK(fd >= 0);
	close(fd);
	T_ERR(sdpu_rundir_get(&fd), DOCA_ERROR_OPERATING_SYSTEM);
	T_EQ(unlink(path), 0);
}
