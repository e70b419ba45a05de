/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The host side: a launch that waits for one sync event and tells its end by another, then a
 * function that is called and waited for.
 */
#include "dpa_kernel_launch_sample.h"

#include <doca_dpa.h>
#include <doca_log.h>
#include <doca_sync_event.h>

#define FIRST 10	/* of the numbers that are squared */
#define EVENT_START 1	/* what the launch waits for */
#define EVENT_DONE 0x2a /* what it sets when all threads have ended */

DOCA_LOG_REGISTER(DPA_KERNEL_LAUNCH::SAMPLE);

/* Made by dpacc of the device source. */
extern struct doca_dpa_app *dpa_kernel_launch_app;
extern doca_dpa_func_t square_ranks;
extern doca_dpa_func_t sum_squares;

struct launch {
	unsigned int num_threads;
	struct doca_dev *dev;
	struct doca_dpa *dpa;
	struct doca_sync_event *start; /* the host sets it, the DPA waits for it */
	struct doca_sync_event *done;  /* the DPA sets it, the host waits for it */
	doca_dpa_dev_uintptr_t squares;
};

/* --- set-up --- */

static doca_error_t open_dpa(struct launch *launch, const struct sample_config *config)
{
	doca_error_t result;

	result = sample_open_dev(config->pci_addr, &launch->dev);
	if (result != DOCA_SUCCESS)
		return result;
	result = doca_dpa_cap_is_supported(doca_dev_as_devinfo(launch->dev));
	if (result != DOCA_SUCCESS) {
		DOCA_LOG_ERR("Device %s has no DPA", config->pci_addr);
		return result;
	}
	result = doca_dpa_create(launch->dev, &launch->dpa);
	if (result == DOCA_SUCCESS)
		result = doca_dpa_set_app(launch->dpa, dpa_kernel_launch_app);
	if (result == DOCA_SUCCESS)
		result = doca_dpa_start(launch->dpa);
	if (result != DOCA_SUCCESS)
		DOCA_LOG_ERR("Cannot start the DPA: %s", doca_error_get_descr(result));
	return result;
}

/* An event has one side that sets it and one that waits. */
static doca_error_t make_start_event(struct launch *launch)
{
	doca_error_t result;

	result = doca_sync_event_create(&launch->start);
	if (result == DOCA_SUCCESS)
		result = doca_sync_event_add_publisher_location_cpu(launch->start, launch->dev);
	if (result == DOCA_SUCCESS)
		result = doca_sync_event_add_subscriber_location_dpa(launch->start, launch->dpa);
	if (result == DOCA_SUCCESS)
		result = doca_sync_event_start(launch->start);
	return result;
}

static doca_error_t make_done_event(struct launch *launch)
{
	doca_error_t result;

	result = doca_sync_event_create(&launch->done);
	if (result == DOCA_SUCCESS)
		result = doca_sync_event_add_publisher_location_dpa(launch->done, launch->dpa);
	if (result == DOCA_SUCCESS)
		result = doca_sync_event_add_subscriber_location_cpu(launch->done, launch->dev);
	if (result == DOCA_SUCCESS)
		result = doca_sync_event_start(launch->done);
	return result;
}

static doca_error_t make_objects(struct launch *launch)
{
	const size_t size = launch->num_threads * sizeof(uint64_t);
	unsigned int most;
	doca_error_t result;

	result = doca_dpa_get_max_threads_per_kernel(launch->dpa, &most);
	if (result == DOCA_SUCCESS && launch->num_threads > most) {
		DOCA_LOG_ERR("%u threads are too many: a kernel has %u at most",
			     launch->num_threads, most);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (result == DOCA_SUCCESS)
		result = make_start_event(launch);
	if (result == DOCA_SUCCESS)
		result = make_done_event(launch);
	if (result == DOCA_SUCCESS)
		result = doca_dpa_mem_alloc(launch->dpa, size, &launch->squares);
	if (result == DOCA_SUCCESS)
		result = doca_dpa_memset(launch->dpa, launch->squares, 0, size);
	if (result != DOCA_SUCCESS)
		DOCA_LOG_ERR("Cannot make events and memory: %s", doca_error_get_descr(result));
	return result;
}

static void close_event(struct doca_sync_event *event)
{
	if (event == NULL)
		return;
	doca_sync_event_stop(event);
	doca_sync_event_destroy(event);
}

static void close_all(struct launch *launch)
{
	if (launch->squares != 0)
		doca_dpa_mem_free(launch->dpa, launch->squares);
	close_event(launch->done);
	close_event(launch->start);
	if (launch->dpa != NULL)
		doca_dpa_destroy(launch->dpa);
	if (launch->dev != NULL)
		doca_dev_close(launch->dev);
}

/* --- the run --- */

static bool has_ended(void *arg)
{
	struct launch *launch = arg;
	uint64_t value = 0;

	/* A kernel that failed sets nothing. */
	if (doca_dpa_peek_at_last_error(launch->dpa) != DOCA_SUCCESS)
		return true;
	return doca_sync_event_get(launch->done, &value) == DOCA_SUCCESS && value == EVENT_DONE;
}

static doca_error_t run_kernel(struct launch *launch)
{
	doca_error_t result;

	result = doca_dpa_kernel_launch_update_set(launch->dpa, launch->start, EVENT_START,
						   launch->done, EVENT_DONE, launch->num_threads,
						   &square_ranks, launch->squares, (uint64_t)FIRST);
	if (result != DOCA_SUCCESS) {
		DOCA_LOG_ERR("Cannot launch the kernel: %s", doca_error_get_descr(result));
		return result;
	}
	DOCA_LOG_INFO("The kernel is launched, on %u threads", launch->num_threads);
	result = doca_sync_event_update_set(launch->start, EVENT_START);
	if (result == DOCA_SUCCESS)
		result = sample_progress_until(NULL, has_ended, launch, SAMPLE_STEP_SECONDS);
	if (result == DOCA_SUCCESS)
		result = doca_dpa_peek_at_last_error(launch->dpa);
	if (result != DOCA_SUCCESS)
		DOCA_LOG_ERR("The kernel has not ended well: %s", doca_error_get_descr(result));
	return result;
}

static doca_error_t check_squares(struct launch *launch, uint64_t *sum)
{
	uint64_t square, number;
	doca_error_t result;

	*sum = 0;
	for (unsigned int i = 0; i < launch->num_threads; i++) {
		result = doca_dpa_d2h_memcpy(launch->dpa, &square,
					     launch->squares + i * sizeof(square), sizeof(square));
		if (result != DOCA_SUCCESS)
			return result;
		number = FIRST + i;
		if (square != number * number) {
			DOCA_LOG_ERR("Thread %u left %" PRIu64 ", not %" PRIu64, i, square,
				     number * number);
			return DOCA_ERROR_UNEXPECTED;
		}
		*sum += square;
	}
	return DOCA_SUCCESS;
}

static doca_error_t check_sum(struct launch *launch, uint64_t sum)
{
	uint64_t device_sum = 0;
	doca_error_t result;

	result = doca_dpa_rpc(launch->dpa, &sum_squares, &device_sum, launch->squares,
			      (uint32_t)launch->num_threads);
	if (result == DOCA_SUCCESS && device_sum != sum)
		result = DOCA_ERROR_UNEXPECTED;
	if (result == DOCA_SUCCESS)
		DOCA_LOG_INFO("The squares of %u numbers from %d: their sum is %" PRIu64,
			      launch->num_threads, FIRST, sum);
	return result;
}

doca_error_t kernel_launch_run(const struct sample_config *config)
{
	struct launch launch = {.num_threads = (unsigned int)config->number};
	doca_error_t result;
	uint64_t sum;

	result = open_dpa(&launch, config);
	if (result == DOCA_SUCCESS)
		result = make_objects(&launch);
	if (result == DOCA_SUCCESS)
		result = run_kernel(&launch);
	if (result == DOCA_SUCCESS)
		result = check_squares(&launch, &sum);
	if (result == DOCA_SUCCESS)
		result = check_sum(&launch, sum);
	close_all(&launch);
	return result;
}
