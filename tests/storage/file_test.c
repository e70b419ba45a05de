/* SPDX-License-Identifier: BSD-3-Clause */
/* The target's storage file and the initiator's data file. */
#include "t.h"

#include "data_file.h"
#include "storage_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/storage-file-test-XXXXXX";
static char path[sizeof(directory) + 16];
static struct fault fault;
static struct storage_file storage;
static struct data_file data;
static const struct plan plan = {
	.threads = 1, .buffer_count = 4, .buffer_size = 64, .run_limit = 4};

static void tear_down(void)
{
	unlink(path);
	rmdir(directory);
}

static void set_up(void)
{
	fault_init(&fault);
	T_CHECK(mkdtemp(directory) != NULL);
	snprintf(path, sizeof(path), "%s/file", directory);
	storage_file_init(&storage, path);
	data_file_init(&data, path);
}

static void write_file(const char *content, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	T_CHECK(fd >= 0);
	T_EQ(write(fd, content, size), size);
	close(fd);
}

static long long file_size(void)
{
	struct stat info;

	return stat(path, &info) == 0 ? (long long)info.st_size : -1;
}

static void check_storage_refused(const char *text)
{
	T_CHECK(storage_file_open(&storage, &fault) != DOCA_SUCCESS);
	T_CONTAINS(fault.text, text);
	storage_file_close(&storage);
}

T_CASE(no_storage_file)
{
	set_up();
	storage_file_init(&storage, NULL);
	T_OK(storage_file_open(&storage, &fault));
	T_OK(storage_file_sync(&storage, &fault));
	storage_file_close(&storage);
	tear_down();
}

T_CASE(storage_file_is_made_and_grown)
{
	char back[16] = "";
	int fd;

	set_up();
	T_OK(storage_file_open(&storage, &fault));
	T_OK(storage_file_map(&storage, 10000, &fault));
	T_EQ(file_size(), 10000);
	memcpy((char *)storage.region.base + 5000, "hello", 5);
	T_OK(storage_file_sync(&storage, &fault));
	storage_file_close(&storage);

	fd = open(path, O_RDONLY);
	T_EQ(pread(fd, back, 5, 5000), 5);
	close(fd);
	T_STREQ(back, "hello");
	tear_down();
}

T_CASE(storage_file_keeps_its_content_and_never_shrinks)
{
	set_up();
	write_file("content", 7);
	T_OK(storage_file_open(&storage, &fault));
	T_OK(storage_file_map(&storage, 4, &fault));
	T_EQ(file_size(), 7);
	T_MEMEQ(storage.region.base, "cont", 4);
	storage_file_close(&storage);
	tear_down();
}

T_CASE(storage_file_is_a_directory)
{
	set_up();
	storage_file_init(&storage, directory);
	check_storage_refused("it is a directory");
	tear_down();
}

T_CASE(storage_file_in_a_missing_directory)
{
	set_up();
	storage_file_init(&storage, "/nowhere/at/all");
	check_storage_refused("its directory does not exist");
	tear_down();
}

T_CASE(storage_file_is_read_only)
{
	set_up();
	write_file("", 0);
	T_EQ(chmod(path, 0444), 0);
	if (geteuid() == 0) {
		tear_down();
		T_SKIP("root may write to read-only files");
	}
	check_storage_refused("must be readable and writable");
	tear_down();
}

T_CASE(storage_file_is_no_file)
{
	set_up();
	storage_file_init(&storage, "/dev/null");
	check_storage_refused("not a regular file");
	tear_down();
}

T_CASE(storage_file_of_another_target)
{
	struct storage_file other;

	set_up();
	storage_file_init(&other, path);
	T_OK(storage_file_open(&other, &fault));
	check_storage_refused("in use by another target");
	storage_file_close(&other);
	tear_down();
}

T_CASE(storage_file_that_cannot_grow)
{
	const struct rlimit limit = {.rlim_cur = 4096, .rlim_max = 4096};

	set_up();
	signal(SIGXFSZ, SIG_IGN);
	T_OK(storage_file_open(&storage, &fault));
	T_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
	T_ERR(storage_file_map(&storage, 1 << 20, &fault), DOCA_ERROR_TOO_BIG);
	T_CONTAINS(fault.text, "it cannot grow");
	T_CONTAINS(fault.text, "the initiator needs 1048576");
	storage_file_close(&storage);
	tear_down();
}

T_CASE(data_file_fills_memory)
{
	uint8_t memory[256] = {0};

	set_up();
	write_file("0123456789", 10);
	T_OK(data_file_open_input(&data, &plan, &fault));
	T_EQ(data.length, 10);
	T_OK(data_file_fill(&data, memory, &fault));
	T_MEMEQ(memory, "0123456789", 11);
	data_file_close(&data);
	T_EQ(file_size(), 10);
	tear_down();
}

T_CASE(data_file_that_does_not_fit)
{
	static const char content[257];

	set_up();
	write_file(content, sizeof(content));
	T_ERR(data_file_open_input(&data, &plan, &fault), DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(fault.text, "--per-cpu-buffer-count 5");
	data_file_close(&data);
	tear_down();
}

T_CASE(data_files_that_are_none)
{
	set_up();
	T_ERR(data_file_open_input(&data, &plan, &fault), DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(fault.text, "No such file");
	data_file_close(&data);

	fault_init(&fault);
	data_file_init(&data, directory);
	T_ERR(data_file_open_input(&data, &plan, &fault), DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(fault.text, "not a regular file");
	data_file_close(&data);

	fault_init(&fault);
	write_file("", 0);
	data_file_init(&data, path);
	T_ERR(data_file_open_input(&data, &plan, &fault), DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(fault.text, "empty");
	data_file_close(&data);
	tear_down();
}

T_CASE(data_file_is_saved_at_its_length)
{
	static const uint8_t memory[256] = "saved";

	set_up();
	T_OK(data_file_open_output(&data, &plan, 5, &fault));
	T_OK(data_file_save(&data, memory, &fault));
	data_file_close(&data);
	T_EQ(file_size(), 5);

	/* A longer file is cut. */
	write_file("0123456789", 10);
	data_file_init(&data, path);
	T_OK(data_file_open_output(&data, &plan, 5, &fault));
	T_EQ(file_size(), 10);
	T_OK(data_file_save(&data, memory, &fault));
	data_file_close(&data);
	T_EQ(file_size(), 5);
	tear_down();
}

T_CASE(data_file_without_length_takes_all_buffers)
{
	static const uint8_t memory[256];

	set_up();
	T_OK(data_file_open_output(&data, &plan, 0, &fault));
	T_OK(data_file_save(&data, memory, &fault));
	data_file_close(&data);
	T_EQ(file_size(), 256);
	tear_down();
}

T_CASE(data_file_of_a_failed_run_leaves_nothing)
{
	set_up();
	T_OK(data_file_open_output(&data, &plan, 0, &fault));
	T_EQ(file_size(), 0);
	data_file_close(&data);
	T_EQ(file_size(), -1);

	/* But what was there before stays. */
	write_file("old", 3);
	data_file_init(&data, path);
	T_OK(data_file_open_output(&data, &plan, 0, &fault));
	data_file_close(&data);
	T_EQ(file_size(), 3);
	tear_down();
}

T_CASE(data_file_cannot_be_written)
{
	set_up();
	data_file_init(&data, "/nowhere/at/all");
	T_ERR(data_file_open_output(&data, &plan, 0, &fault), DOCA_ERROR_INVALID_VALUE);
	T_CONTAINS(fault.text, "No such file");
	data_file_close(&data);
	tear_down();
}
