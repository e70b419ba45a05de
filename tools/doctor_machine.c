/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks: what the kernel allows this user to do, and its limits. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doctor.h"

#define SHARED_SIZE ((size_t)16 << 20)
#define FEW_DESCRIPTORS 1024
#define TOO_FEW_DESCRIPTORS 64
#define LITTLE_ADDRESS_SPACE (1ull << 30)

/* A child reads from its parent, who did not allow it: as peers do to each other. Its errno. */
static int try_access(void)
{
	static volatile char secret = 's';
	int status;
	pid_t parent = getpid(), child = fork();

	if (child == 0) {
		char copy = 0;
		struct iovec to = {&copy, 1}, from = {(void *)&secret, 1};
		ssize_t got = process_vm_readv(parent, &to, 1, &from, 1, 0);

		_exit(got == 1 && copy == 's' ? 0 : errno);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return ECHILD;
	return WEXITSTATUS(status);
}

static int yama_scope(void)
{
	FILE *file = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
	int scope = 0;

	if (file == NULL)
		return 0;
	if (fscanf(file, "%d", &scope) != 1)
		scope = 0;
	fclose(file);
	return scope;
}

enum verdict doctor_access(const char *program, struct finding *finding)
{
	int error = try_access();

	if (error == 0)
		return finding_good(finding, "processes may copy each other's memory");
	if (yama_scope() > 0)
		return finding_note(
			finding,
			"nothing has to be done; as root, sysctl kernel.yama.ptrace_scope=0 makes "
			"copies of private memory faster",
			"Yama forbids processes to copy each other's memory (ptrace_scope is "
			"%d): owners hand it over",
			yama_scope());
	return finding_note(
		finding,
		"nothing has to be done; outside of this container or sandbox copies of "
		"private memory are faster",
		"processes may not copy each other's memory (%s): owners hand it over",
		strerror(error));
}

enum verdict doctor_shared_memory(const char *program, struct finding *finding)
{
	int fd = memfd_create("softdpu-doctor", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	enum verdict verdict;

	if (fd < 0)
		return finding_bad(finding, "allow memfd_create() in this sandbox",
				   "shared memory cannot be made: %s", strerror(errno));
	if (posix_fallocate(fd, 0, (off_t)SHARED_SIZE) != 0 ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0)
		verdict =
			finding_bad(finding, "raise the memory limit of this container or session",
				    "16 MiB of sealed shared memory are not to be had");
	else
		verdict = finding_good(finding, "16 MiB made and sealed");
	close(fd);
	return verdict;
}

enum verdict doctor_limits(const char *program, struct finding *finding)
{
	struct rlimit files, space;

	if (getrlimit(RLIMIT_NOFILE, &files) != 0 || getrlimit(RLIMIT_AS, &space) != 0)
		return finding_bad(finding, "use a Linux kernel", "limits are not told: %s",
				   strerror(errno));
	if (files.rlim_cur < TOO_FEW_DESCRIPTORS)
		return finding_bad(finding, "ulimit -n 1024", "%llu descriptors for a process",
				   (unsigned long long)files.rlim_cur);
	if (space.rlim_cur < LITTLE_ADDRESS_SPACE)
		return finding_bad(finding, "ulimit -v unlimited",
				   "%llu MiB of addresses for a process",
				   (unsigned long long)space.rlim_cur >> 20);
	if (files.rlim_cur < FEW_DESCRIPTORS)
		return finding_note(finding, "ulimit -n 1024, for servers of many clients",
				    "%llu descriptors for a process",
				    (unsigned long long)files.rlim_cur);
	return finding_good(finding, "%llu descriptors for a process",
			    (unsigned long long)files.rlim_cur);
}

enum verdict doctor_processors(const char *program, struct finding *finding)
{
	const char *poll = getenv("SOFTDPU_POLL");
	bool spins = poll != NULL && strcmp(poll, "spin") == 0;
	cpu_set_t set;
	int num;

	CPU_ZERO(&set);
	num = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
	if (num >= 2 && !spins)
		return finding_good(finding, "%d; more pollers than that take turns", num);
	if (num >= 2)
		return finding_note(finding, "unset SOFTDPU_POLL where more threads poll than that",
				    "%d, and SOFTDPU_POLL=spin: one poller each, no more", num);
	if (spins)
		return finding_bad(finding, "unset SOFTDPU_POLL",
				   "one, and SOFTDPU_POLL=spin: two pollers wait for each other's "
				   "time slices");
	return finding_note(finding, "allow this process a second one (taskset, container)",
			    "one: host and DPU take turns on it, in microseconds");
}
