/* SPDX-License-Identifier: BSD-3-Clause */
/* The phases of the initiator: what its control thread does, in order. */
#include "initiator.h"

#include "device.h"

#include <string.h>

#define IO_MEMORY_PERMISSIONS                                                                      \
	(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_PCI_READ_WRITE |                     \
	 DOCA_ACCESS_FLAG_RDMA_WRITE | DOCA_ACCESS_FLAG_RDMA_READ)

static struct initiator *initiator_of(struct app *app)
{
	return (struct initiator *)app;
}

static doca_error_t initiator_turn(struct app *app, bool *busy)
{
	struct initiator *initiator = initiator_of(app);

	app_progress(initiator->pe, busy);
	app_progress_workers(app, busy);
	return control_turn(&initiator->bridge.channel, &app->fault, busy);
}

doca_error_t initiator_request(struct initiator *initiator, enum wire_type type)
{
	const struct wire_message request = {
		.type = type,
		.correlation_id = ++initiator->last_id,
	};

	return control_request(&initiator->bridge.channel, &initiator->app.waiter, &request,
			       initiator->app.control_timeout);
}

static void initiator_take_options(struct initiator *initiator)
{
	const struct initiator_options *options = &initiator->options;

	initiator->plan = (struct plan){
		.threads = options->common.num_cpus,
		.buffer_count = (uint32_t)options->buffer_count,
		.buffer_size = (uint32_t)options->buffer_size,
		.run_limit = (uint32_t)options->run_limit,
	};
	initiator->operation = initiator_options_operation(options);
	initiator->batch_size = initiator_options_batch_size(options);
	initiator->num_transactions = plan_transactions(&initiator->plan);
	data_file_init(&initiator->file, options->data_file[0] != '\0' ? options->data_file : NULL);
	control_comch_init(&initiator->bridge, "bridge");
}

static doca_error_t initiator_open_file(struct initiator *initiator)
{
	struct fault *fault = &initiator->app.fault;
	uint64_t length;

	if (initiator->file.path == NULL)
		return DOCA_SUCCESS;
	if (initiator->operation == IO_MESSAGE_WRITE)
		return data_file_open_input(&initiator->file, &initiator->plan, fault);
	initiator_options_data_length(&initiator->options, &length);
	return data_file_open_output(&initiator->file, &initiator->plan, length, fault);
}

static doca_error_t initiator_open(struct app *app)
{
	struct initiator *initiator = initiator_of(app);
	doca_error_t result;

	initiator_take_options(initiator);
	result = initiator_open_file(initiator);
	if (result == DOCA_SUCCESS)
		result =
			device_open(initiator->options.common.device, &initiator->dev, &app->fault);
	if (result != DOCA_SUCCESS)
		return result;
	result = doca_pe_create(&initiator->pe);
	if (result != DOCA_SUCCESS)
		return fault_raise(&app->fault, result, "Cannot make a progress engine: %s",
				   doca_error_get_name(result));
	return DOCA_SUCCESS;
}

static doca_error_t initiator_connect(struct app *app)
{
	struct initiator *initiator = initiator_of(app);

	return control_comch_connect(&initiator->bridge, initiator->pe, initiator->dev,
				     initiator->options.channel_name, app->control_timeout,
				     &app->waiter);
}

/* Writing all of it brings the pages in now, and not during the measurement. */
static doca_error_t initiator_make_memory(struct initiator *initiator)
{
	struct fault *fault = &initiator->app.fault;
	struct memory_region *memory = &initiator->memory;
	doca_error_t result;

	result = memory_allocate(memory, initiator_options_io_memory(&initiator->options),
				 plan_region_size(&initiator->plan), fault);
	if (result != DOCA_SUCCESS)
		return result;
	memset(memory->base, 0, memory->size);
	if (initiator->file.path != NULL && initiator->operation == IO_MESSAGE_WRITE)
		result = data_file_fill(&initiator->file, memory->base, fault);
	if (result == DOCA_SUCCESS)
		result = memory_make_mmap(memory, initiator->dev, IO_MEMORY_PERMISSIONS,
					  &initiator->memory_mmap, fault);
	return result;
}

static doca_error_t initiator_configure(struct app *app)
{
	struct initiator *initiator = initiator_of(app);
	struct wire_message request = {
		.type = WIRE_CONFIGURE_DATA_PATH,
		.configure.buffer_count = initiator->plan.buffer_count,
		.configure.buffer_size = initiator->plan.buffer_size,
		.configure.batch_size = initiator->batch_size,
	};
	const void *bytes;
	size_t size;
	doca_error_t result;

	result = initiator_make_memory(initiator);
	if (result != DOCA_SUCCESS)
		return result;
	result = doca_mmap_export_pci(initiator->memory_mmap, initiator->dev, &bytes, &size);
	if (result != DOCA_SUCCESS)
		return fault_raise(&app->fault, result, "Cannot export the IO memory: %s",
				   doca_error_get_name(result));
	request.configure.mmap = (struct wire_blob){.bytes = bytes, .size = (uint32_t)size};
	request.correlation_id = ++initiator->last_id;
	return control_request(&initiator->bridge.channel, &app->waiter, &request,
			       app->control_timeout);
}

static doca_error_t initiator_make_threads(struct initiator *initiator)
{
	const struct plan *plan = &initiator->plan;
	struct initiator_thread *thread;
	uint32_t i;

	initiator->threads = app_make_threads(&initiator->app, sizeof(*initiator->threads));
	if (initiator->threads == NULL)
		return DOCA_ERROR_NO_MEMORY;
	for (i = 0; i < plan->threads; i++) {
		thread = &initiator->threads[i];
		thread->initiator = initiator;
		thread->memory = (uint8_t *)initiator->memory.base + plan_offset(plan, i, 0);
		thread->share = plan_share(plan, i);
		thread->measuring = true;
		latency_init(&thread->latency);
	}
	return DOCA_SUCCESS;
}

static doca_error_t initiator_connect_threads(struct app *app)
{
	struct initiator *initiator = initiator_of(app);
	doca_error_t result;
	uint32_t i;

	result = initiator_make_threads(initiator);
	for (i = 0; i < initiator->plan.threads && result == DOCA_SUCCESS; i++)
		result = initiator_thread_make(&initiator->threads[i]);
	if (result == DOCA_SUCCESS)
		result = initiator_request(initiator, WIRE_START_DATA_PATH_CONNECTIONS);
	return result;
}

static bool initiator_links_are_running(void *arg)
{
	struct initiator *initiator = arg;
	uint32_t i;

	for (i = 0; i < initiator->plan.threads; i++)
		if (!comch_link_is_running(&initiator->threads[i].comch))
			return false;
	return true;
}

static doca_error_t initiator_verify_connections(struct app *app)
{
	struct initiator *initiator = initiator_of(app);
	doca_error_t result;

	result = waiter_wait(&app->waiter, initiator_links_are_running, initiator,
			     app->control_timeout, "the connections of the data path");
	if (result == DOCA_ERROR_TIME_OUT)
		return fault_raise(
			&app->fault, result,
			"The connections of the data path are not ready after %u seconds",
			app->control_timeout);
	if (result != DOCA_SUCCESS)
		return result;
	return control_comch_wait_consumers(&initiator->bridge, &app->waiter,
					    initiator->plan.threads, app->control_timeout);
}

/* The figures are taken first: they live in what the next phases destroy. */
static doca_error_t initiator_disconnect_threads(struct app *app)
{
	struct initiator *initiator = initiator_of(app);
	uint32_t i;

	initiator_collect(initiator);
	for (i = 0; i < initiator->plan.threads; i++)
		initiator_thread_disconnect(&initiator->threads[i]);
	return fault_kind(&app->fault) == FAULT_BROKEN ? app->fault.code : DOCA_SUCCESS;
}

static doca_error_t initiator_destroy_objects(struct app *app)
{
	struct initiator *initiator = initiator_of(app);
	doca_error_t result = initiator_request(initiator, WIRE_DESTROY_OBJECTS);

	if (result == DOCA_SUCCESS)
		control_leave(&initiator->bridge.channel);
	return result;
}

/* What an incomplete run has read is not the file. */
static doca_error_t initiator_save_file(struct app *app)
{
	struct initiator *initiator = initiator_of(app);

	if (initiator->file.path == NULL || initiator->operation != IO_MESSAGE_READ ||
	    fault_kind(&app->fault) != FAULT_NONE)
		return DOCA_SUCCESS;
	return data_file_save(&initiator->file, initiator->memory.base, &app->fault);
}

static void initiator_destroy_threads(struct initiator *initiator)
{
	uint32_t i;

	if (initiator->threads == NULL)
		return;
	initiator_collect(initiator);
	for (i = 0; i < initiator->plan.threads; i++)
		initiator_thread_destroy(&initiator->threads[i]);
	app_free_threads(&initiator->app);
	initiator->threads = NULL;
}

static void initiator_destroy(struct app *app)
{
	struct initiator *initiator = initiator_of(app);

	initiator_destroy_threads(initiator);
	control_comch_close(&initiator->bridge, &app->fault);
	if (initiator->pe != NULL)
		doca_pe_destroy(initiator->pe);
	if (initiator->memory_mmap != NULL)
		doca_mmap_destroy(initiator->memory_mmap);
	if (initiator->dev != NULL)
		doca_dev_close(initiator->dev);
	memory_free(&initiator->memory);
	data_file_close(&initiator->file);
}

static void initiator_tell_peers(struct app *app)
{
	control_tell_fault(&initiator_of(app)->bridge.channel, &app->fault);
}

const struct app_phase initiator_phases[] = {
	{"open data file and device", initiator_open},
	{"connect to the bridge", initiator_connect},
	{"configure the data path", initiator_configure},
	{"connect the threads", initiator_connect_threads},
	{"verify the connections", initiator_verify_connections},
	{"start the threads", initiator_start},
	{"run", initiator_run},
	{"stop the threads of the peers", initiator_stop},
	{"disconnect the threads", initiator_disconnect_threads},
	{"destroy the objects of the peers", initiator_destroy_objects},
	{"save the data file", initiator_save_file},
	{NULL, NULL},
};

const struct app_program initiator_program = {
	.name = INITIATOR_PROGRAM_NAME,
	.register_options = initiator_options_register,
	.check_options = initiator_options_check,
	.print_options = initiator_options_print,
	.phases = initiator_phases,
	.turn = initiator_turn,
	.tell_peers = initiator_tell_peers,
	.print_stats = initiator_print_stats,
	.destroy = initiator_destroy,
	.write_json = initiator_write_json,
};
