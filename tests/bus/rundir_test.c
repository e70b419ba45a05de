/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The runtime directory: made private, refused when others own it or may enter.
 */
#include "t.h"

#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "bus/rundir.h"

/* A path in the directory of this case; what lies there is removed by the case. */
static void choose(const char *name, char path[256])
{
	snprintf(path, 256, "%s/%s", getenv("SOFTDPU_RUNTIME_DIR"), name);
	setenv("SOFTDPU_RUNTIME_DIR", path, 1);
}

static char last_line[1024];

static void keep_line(int level, const char *file, int line, const char *fmt, va_list ap)
{
	(void)level;
	(void)file;
	(void)line;
	vsnprintf(last_line, sizeof(last_line), fmt, ap);
}

/* One line tells what was found and what to do about it. */
static void refused(doca_error_t code, const char *path, const char *found)
{
	int fd = -7;

	sdpu_log_set_sink(keep_line);
	sdpu_log_set_limit(SDPU_LOG_ERR);
	T_ERR(sdpu_rundir_get(&fd), code);
	T_EQ(fd, -7);
	T_CONTAINS(last_line, path);
	T_CONTAINS(last_line, found);
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
	int fd;

	choose("wide", path);
	T_EQ(mkdir(path, 0700), 0);
	for (size_t i = 0; i < sizeof(wide) / sizeof(wide[0]); i++) {
		T_EQ(chmod(path, wide[i]), 0);
		refused(DOCA_ERROR_NOT_PERMITTED, path, "chmod 700");
	}
	/* Mended, it is used. */
	T_EQ(chmod(path, 0700), 0);
	T_OK(sdpu_rundir_get(&fd));
}

T_CASE(foreign_owner_is_refused)
{
	char path[256] = "/";

	if (geteuid() == 0) {
		choose("foreign", path);
		T_EQ(mkdir(path, 0700), 0);
		T_EQ(chown(path, 12345, 12345), 0);
	} else {
		setenv("SOFTDPU_RUNTIME_DIR", path, 1);
	}
	refused(DOCA_ERROR_NOT_PERMITTED, path,
		"set SOFTDPU_RUNTIME_DIR to a directory of your own");
}

/* A user that there is not, so that nobody needs his default directory in the real /tmp. */
#define SOMEBODY 4211111

static void default_of_somebody(char path[64])
{
	if (geteuid() != 0)
		T_SKIP("needs root, to be two users");
	unsetenv("SOFTDPU_RUNTIME_DIR");
	snprintf(path, 64, "/tmp/softdpu-%d", SOMEBODY);
	/* A run that was killed may have left it. */
	(void)remove(path);
}

static void refused_to_somebody(doca_error_t code, const char *path)
{
	T_EQ(seteuid(SOMEBODY), 0);
	refused(code, path, "set SOFTDPU_RUNTIME_DIR");
	T_EQ(seteuid(0), 0);
	T_EQ(remove(path), 0);
}

/* What another user has put there before us is not used, whatever it is. */
T_CASE(default_that_others_made_first_is_refused)
{
	static const mode_t modes[] = {0700, 0755, 0777};
	char path[64];

	default_of_somebody(path);
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		T_EQ(mkdir(path, 0700), 0);
		T_EQ(chmod(path, modes[i]), 0);
		refused_to_somebody(DOCA_ERROR_NOT_PERMITTED, path);
	}
}

/* Not even when it leads to a directory of our own: others could turn it elsewhere. */
T_CASE(default_that_is_a_link_is_refused)
{
	char own[256], path[64];

	snprintf(own, sizeof(own), "%s/own", getenv("SOFTDPU_RUNTIME_DIR"));
	T_EQ(mkdir(own, 0700), 0);
	default_of_somebody(path);
	T_EQ(chown(own, SOMEBODY, SOMEBODY), 0);
	T_EQ(symlink(own, path), 0);
	refused_to_somebody(DOCA_ERROR_OPERATING_SYSTEM, path);
}

T_CASE(unmakeable_is_an_error)
{
	char path[256];

	choose("missing/below", path);
	refused(DOCA_ERROR_OPERATING_SYSTEM, path, "set SOFTDPU_RUNTIME_DIR");
}

/* From now on what this process mounts is seen by nobody else. */
static void mount_alone(const char *what, const char *where, const char *type, unsigned long flags)
{
	if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount(what, where, type, flags, NULL) != 0)
		T_SKIP("may not mount");
}

T_CASE(read_only_is_an_error)
{
	char path[256];

	choose("read-only", path);
	T_EQ(mkdir(path, 0700), 0);
	mount_alone(path, path, NULL, MS_BIND);
	T_EQ(mount(NULL, path, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL), 0);
	refused(DOCA_ERROR_OPERATING_SYSTEM, path, "set SOFTDPU_RUNTIME_DIR");
}

T_CASE(no_proc_is_an_error)
{
	char path[256];

	choose("no-proc", path);
	mount_alone("none", "/proc", "tmpfs", 0);
	refused(DOCA_ERROR_OPERATING_SYSTEM, path, "mount it");
	/* The leak checker needs it. */
	T_EQ(umount("/proc"), 0);
}

T_CASE(file_is_an_error)
{
	char path[256];
	int fd;

	choose("file", path);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	T_CHECK(fd >= 0);
	close(fd);
	refused(DOCA_ERROR_OPERATING_SYSTEM, path, "remove what is there");
	T_EQ(unlink(path), 0);
}
