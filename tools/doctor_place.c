/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks: the runtime directory, and the devices that processes see. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/un.h>
#include <unistd.h>

#include <doca_comch.h>
#include <doca_dev.h>
#include <doca_log.h>
#include <softdpu.h>

#include "doctor.h"
#include "groups.h"

#define LEAST_FREE (1ull << 20)
#define CURE_OWN "set SOFTDPU_RUNTIME_DIR to a directory of your own, or leave it unset"

static const char *directory(void)
{
	static char standard[64];
	const char *chosen = getenv("SOFTDPU_RUNTIME_DIR");

	if (chosen != NULL && *chosen != '\0')
		return chosen;
	snprintf(standard, sizeof(standard), "/tmp/softdpu-%u", (unsigned int)geteuid());
	return standard;
}

/* As the libraries do it, so that the length of the path does not matter. */
static bool can_bind(int dirfd)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	char name[32];
	int sock = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	bool bound;

	snprintf(name, sizeof(name), ".doctor.%d", (int)getpid());
	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d/%s", dirfd, name);
	bound = sock >= 0 && bind(sock, (struct sockaddr *)&address, sizeof(address)) == 0;
	if (bound)
		unlinkat(dirfd, name, 0);
	if (sock >= 0)
		close(sock);
	return bound;
}

struct count {
	unsigned int alive, dead;
};

static void count_entry(const struct softdpu_entry *entry, void *user_data)
{
	struct count *count = user_data;

	count->alive += entry->is_alive;
	count->dead += !entry->is_alive;
}

/* "; groups of softdpu run work in ...", or nothing. */
static void describe_groups(char *text, size_t size)
{
	const struct groups *groups = groups_find();
	size_t i;

	text[0] = '\0';
	for (i = 0; i < groups->num; i++) {
		size_t len = strlen(text);

		snprintf(text + len, size - len, "%s%s",
			 i == 0 ? "; groups of softdpu run work in " : ", ", groups->paths[i]);
	}
}

static enum verdict judge_open(const char *path, int fd, struct finding *finding)
{
	struct count count = {0};
	struct statvfs space;
	unsigned long long mib;
	char others[1024];

	if (fstatvfs(fd, &space) != 0 || !can_bind(fd))
		return finding_bad(finding, "mount /proc, and use a file system that has sockets",
				   "%s: a socket cannot be made there: %s", path, strerror(errno));
	if ((unsigned long long)space.f_bavail * space.f_frsize < LEAST_FREE)
		return finding_bad(finding, "make room, or set SOFTDPU_RUNTIME_DIR to another disk",
				   "%s: less than 1 MiB is free", path);
	if (softdpu_registry_look(count_entry, &count) != DOCA_SUCCESS)
		return finding_bad(finding, CURE_OWN, "%s cannot be read", path);
	describe_groups(others, sizeof(others));
	mib = (unsigned long long)space.f_bavail * space.f_frsize >> 20;
	if (count.dead > 0)
		return finding_note(
			finding, "softdpu clean, or start any program",
			"%s: yours, %llu MiB free; files of processes that live: %u, of dead "
			"ones: %u%s",
			path, mib, count.alive, count.dead, others);
	return finding_good(finding, "%s: yours, %llu MiB free; files of processes that live: %u%s",
			    path, mib, count.alive, others);
}

enum verdict doctor_directory(const char *program, struct finding *finding)
{
	const char *path = directory();
	enum verdict verdict;
	struct stat st;
	int fd;

	if (mkdir(path, 0700) != 0 && errno != EEXIST)
		return finding_bad(finding, CURE_OWN, "%s cannot be made: %s", path,
				   strerror(errno));
	if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
		return finding_bad(finding, CURE_OWN, "%s is no directory", path);
	if (st.st_uid != geteuid())
		return finding_bad(finding, CURE_OWN, "%s belongs to user %u, you are %u", path,
				   (unsigned int)st.st_uid, (unsigned int)geteuid());
	if ((st.st_mode & 077) != 0)
		return finding_bad(finding, "chmod 700 it", "%s has mode %03o: others may enter",
				   path, (unsigned int)st.st_mode & 0777);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0 || faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) != 0) {
		verdict = finding_bad(finding, "chmod 700 it, on a file system mounted read-write",
				      "%s cannot be written: %s", path, strerror(errno));
	} else {
		verdict = judge_open(path, fd, finding);
	}
	if (fd >= 0)
		close(fd);
	return verdict;
}

/* ---- topology ---- */

static char log_record[1024], log_last[1024];

static void keep_record(char *record)
{
	const char *text = strstr(record, "] ");

	/* Behind the brackets of time, process and place. */
	while (text != NULL && strstr(text + 1, "] ") != NULL && text[2] == '[')
		text = strstr(text + 1, "] ");
	snprintf(log_last, sizeof(log_last), "%s", text != NULL ? text + 2 : record);
	log_last[strcspn(log_last, "\n")] = '\0';
}

enum verdict doctor_topology(const char *program, struct finding *finding)
{
	const char *file = getenv("SOFTDPU_TOPOLOGY");
	uint32_t num, i, num_dpu = 0, num_host = 0;
	struct doca_log_backend *backend;
	struct doca_devinfo **list;
	doca_error_t result;

	if (doca_log_backend_create_with_buf_sdk(log_record, sizeof(log_record), keep_record,
						 &backend) == DOCA_SUCCESS)
		(void)doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_ERROR);
	result = doca_devinfo_create_list(&list, &num);
	if (result == DOCA_ERROR_NOT_FOUND)
		return finding_bad(finding, "unset SOFTDPU_DEVICES and SOFTDPU_SIDE",
				   "no device is to be seen");
	if (result != DOCA_SUCCESS)
		return finding_bad(finding,
				   "mend the file, or unset SOFTDPU_TOPOLOGY; see topology.md",
				   "%s", log_last[0] ? log_last : doca_error_get_descr(result));
	for (i = 0; i < num; i++) {
		num_dpu += doca_comch_cap_server_is_supported(list[i]) == DOCA_SUCCESS;
		num_host += doca_comch_cap_client_is_supported(list[i]) == DOCA_SUCCESS;
	}
	doca_devinfo_destroy_list(list);
	if (num_dpu == 0 || num_host == 0)
		return finding_note(finding, "unset SOFTDPU_SIDE to see both sides",
				    "%u DPU devices, %u host devices: one side is hidden", num_dpu,
				    num_host);
	return finding_good(finding, "%u DPU devices, %u host devices, %s", num_dpu, num_host,
			    file != NULL && *file ? file : "built in");
}
