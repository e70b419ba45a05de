/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/kit.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <doca_log.h>

#include "t.h"

void kit_topology(const char *text)
{
	int fd = memfd_create("topology.json", MFD_CLOEXEC);
	char path[32];

	T_EQ(write(fd, text, strlen(text)), strlen(text));
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	setenv("SOFTDPU_TOPOLOGY", path, 1);
}

static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER; /* any thread may log */
static char log_record[9000], log_text[1 << 16];

static void log_flush(char *buf)
{
	size_t used;

	pthread_mutex_lock(&log_lock);
	used = strlen(log_text);
	snprintf(log_text + used, sizeof(log_text) - used, "%s", buf);
	pthread_mutex_unlock(&log_lock);
}

const char *kit_log(void)
{
	static struct doca_log_backend *backend;
	static char text[sizeof(log_text)];

	if (backend == NULL)
		T_OK(doca_log_backend_create_with_buf_sdk(log_record, sizeof(log_record), log_flush,
							  &backend));
	T_OK(doca_log_backend_set_sdk_level(backend, DOCA_LOG_LEVEL_WARNING));
	pthread_mutex_lock(&log_lock);
	memcpy(text, log_text, sizeof(text));
	log_text[0] = '\0';
	pthread_mutex_unlock(&log_lock);
	return text;
}

unsigned int kit_log_lines(const char *text)
{
	unsigned int lines = 0;

	for (; *text != '\0'; text++)
		lines += *text == '\n';
	return lines;
}

struct doca_dev *kit_open(const char *pci)
{
	struct doca_devinfo **list;
	struct doca_dev *dev = NULL;
	uint8_t is_equal = 0;
	uint32_t num;

	T_OK(doca_devinfo_create_list(&list, &num));
	for (uint32_t i = 0; i < num && !is_equal; i++) {
		T_OK(doca_devinfo_is_equal_pci_addr(list[i], pci, &is_equal));
		if (is_equal)
			T_OK(doca_dev_open(list[i], &dev));
	}
	T_OK(doca_devinfo_destroy_list(list));
	T_CHECK(dev != NULL);
	return dev;
}

struct doca_mmap *kit_mmap(struct doca_dev *dev, void *addr, size_t len, uint32_t perms)
{
	struct doca_mmap *mmap;

	T_OK(doca_mmap_create(&mmap));
	if (dev != NULL)
		T_OK(doca_mmap_add_dev(mmap, dev));
	T_OK(doca_mmap_set_memrange(mmap, addr, len));
	if (perms != 0)
		T_OK(doca_mmap_set_permissions(mmap, perms));
	T_OK(doca_mmap_start(mmap));
	return mmap;
}

static void (*in_child)(void);

/* No exit handlers: the leak checker's lock may have been that of a thread which is not here. */
static int child(void *arg)
{
	(void)arg;
	in_child();
	_exit(0);
}

void *kit_pages(size_t len)
{
	static uintptr_t next = 0x20000000; /* far below where it looks for room */
	void *at = mmap((void *)next, len, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	T_EQ(at, next);
	next += 2 * len;
	return at;
}

void kit_in_child(void (*fn)(void))
{
	in_child = fn;
	T_EQ(t_wait(t_fork(child, NULL), 10000), 0);
}
