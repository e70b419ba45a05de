/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the kernels of device.c: `program FILE fill` as one does, `program FILE fault` one that
 * writes to address 8. FILE is for the log of the device, and begins the name of the crash report.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doca_dev.h>
#include <doca_dpa.h>
#include <doca_log.h>
#include <doca_sync_event.h>

#define TRY(call) try_call(#call, call)
#define NUM_THREADS 4

struct place {
	uint64_t base;
	uint32_t step;
};

extern struct doca_dpa_app *small_app;
extern doca_dpa_func_t fill, fault, half;

static struct doca_dev *dev;
static struct doca_dpa *dpa;
static struct doca_sync_event *done;
static doca_dpa_dev_uintptr_t values;

static void try_call(const char *what, doca_error_t result)
{
	if (result == DOCA_SUCCESS)
		return;
	fprintf(stderr, "%s: %s\n", what, doca_error_get_descr(result));
	exit(1);
}

static void open_dpa(const char *log_file)
{
	struct doca_devinfo **list;
	uint32_t n;

	TRY(doca_devinfo_create_list(&list, &n));
	TRY(n > 0 ? doca_dev_open(list[0], &dev) : DOCA_ERROR_NOT_FOUND);
	TRY(doca_devinfo_destroy_list(list));
	TRY(doca_dpa_create(dev, &dpa));
	TRY(doca_dpa_set_app(dpa, small_app));
	TRY(doca_dpa_log_file_set_path(dpa, log_file));
	TRY(doca_dpa_start(dpa));
	TRY(doca_dpa_mem_alloc(dpa, NUM_THREADS * sizeof(uint64_t), &values));
	TRY(doca_sync_event_create(&done));
	TRY(doca_sync_event_add_publisher_location_dpa(done, dpa));
	TRY(doca_sync_event_add_subscriber_location_cpu(done, dev));
	TRY(doca_sync_event_start(done));
}

static void close_dpa(void)
{
	TRY(doca_sync_event_stop(done));
	TRY(doca_sync_event_destroy(done));
	TRY(doca_dpa_destroy(dpa));
	TRY(doca_dev_close(dev));
}

static void run_fill(void)
{
	const struct place place = {.base = 40, .step = 2};
	uint64_t result[NUM_THREADS];

	TRY(doca_dpa_kernel_launch_update_set(dpa, NULL, 0, done, 1, NUM_THREADS, fill, values,
					      place));
	TRY(doca_sync_event_wait_gt(done, 0, UINT64_MAX));
	TRY(doca_dpa_d2h_memcpy(dpa, result, values, sizeof(result)));
	for (int i = 0; i < NUM_THREADS; i++)
		printf("thread %d: %" PRIu64 "\n", i, result[i]);
	TRY(doca_dpa_mem_free(dpa, values));
}

static void run_half(void)
{
	uint64_t result;

	TRY(doca_dpa_rpc(dpa, half, &result, 84.5));
	printf("half: %" PRIu64 "\n", result);
}

static void run_fault(void)
{
	TRY(doca_dpa_kernel_launch_update_set(dpa, NULL, 0, done, 1, 1, fault, (uint64_t)8));
	while (doca_dpa_peek_at_last_error(dpa) == DOCA_SUCCESS)
		usleep(1000);
	puts("the DPA has failed, the program goes on");
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	alarm(60);
	TRY(doca_log_backend_create_standard());
	open_dpa(argv[1]);
	if (strcmp(argv[2], "fault") == 0) {
		run_fault();
	} else {
		run_fill();
		run_half();
	}
	close_dpa();
	return 0;
}
