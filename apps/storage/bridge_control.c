/* SPDX-License-Identifier: BSD-3-Clause */
/* The phases of the bridge: what its control thread does, in order. */
#include "bridge.h"

#include "device.h"
#include "timing.h"

#include <doca_log.h>

DOCA_LOG_REGISTER(STORAGE::BRIDGE);

/* How long the target may take to come up. */
#define CONNECT_LIMIT_SEC 60

static struct bridge *bridge_of(struct app *app)
{
	return (struct bridge *)app;
}

static doca_error_t bridge_turn(struct app *app, bool *busy)
{
	struct bridge *bridge = bridge_of(app);
	doca_error_t result;

	app_progress(bridge->pe, busy);
	app_progress_workers(app, busy);
	result = control_turn(&bridge->target.channel, &app->fault, busy);
	if (result == DOCA_SUCCESS)
		result = control_turn(&bridge->initiator.channel, &app->fault, busy);
	return result;
}

static doca_error_t bridge_expect(struct bridge *bridge, enum wire_type type,
				  struct wire_message *message)
{
	return control_expect(&bridge->initiator.channel, &bridge->app.waiter, type,
			      WAITER_NO_LIMIT, NULL, message);
}

static doca_error_t bridge_reply(struct bridge *bridge, uint32_t id)
{
	return control_send_success(&bridge->initiator.channel, &bridge->app.waiter, id,
				    bridge->app.control_timeout);
}

/* Passes a request of the initiator on, under its own id. */
static doca_error_t bridge_relay(struct bridge *bridge, enum wire_type type, uint32_t id)
{
	const struct wire_message request = {.type = type, .correlation_id = id};

	return control_request(&bridge->target.channel, &bridge->app.waiter, &request,
			       bridge->app.control_timeout);
}

static doca_error_t bridge_open(struct app *app)
{
	struct bridge *bridge = bridge_of(app);
	doca_error_t result;

	control_comch_init(&bridge->initiator, "initiator");
	control_tcp_init(&bridge->target, "target");
	result = device_open(bridge->options.common.device, &bridge->dev, &app->fault);
	if (result == DOCA_SUCCESS)
		result = device_rep_open(bridge->dev, bridge->options.representor, &bridge->rep,
					 &app->fault);
	if (result != DOCA_SUCCESS)
		return result;
	result = doca_pe_create(&bridge->pe);
	if (result != DOCA_SUCCESS)
		return fault_raise(&app->fault, result, "Cannot make a progress engine: %s",
				   doca_error_get_name(result));
	return DOCA_SUCCESS;
}

static doca_error_t bridge_connect_target(struct app *app)
{
	struct bridge *bridge = bridge_of(app);

	return control_tcp_connect(&bridge->target, &bridge->options.storage_server,
				   CONNECT_LIMIT_SEC, &app->waiter);
}

static doca_error_t bridge_accept_initiator(struct app *app)
{
	struct bridge *bridge = bridge_of(app);
	doca_error_t result;

	result = control_comch_listen(&bridge->initiator, bridge->pe, bridge->dev, bridge->rep,
				      bridge->options.channel_name, &app->fault);
	if (result != DOCA_SUCCESS)
		return result;
	DOCA_LOG_INFO("Comch server \"%s\" is waiting for an initiator",
		      bridge->options.channel_name);
	return control_comch_accept(&bridge->initiator, &app->waiter);
}

static doca_error_t bridge_make_threads(struct bridge *bridge)
{
	uint32_t i;

	bridge->threads = app_make_threads(&bridge->app, sizeof(*bridge->threads));
	if (bridge->threads == NULL)
		return DOCA_ERROR_NO_MEMORY;
	for (i = 0; i < bridge->options.common.num_cpus; i++)
		bridge->threads[i].bridge = bridge;
	return DOCA_SUCCESS;
}

/* Batches of none make no sense, and the tasks of a thread are counted in 32 bits. */
static doca_error_t bridge_take_configuration(struct bridge *bridge,
					      const struct wire_message *message)
{
	const uint32_t batch = message->configure.batch_size;
	const uint64_t tasks = 2 * (uint64_t)message->configure.buffer_count + batch;

	bridge->buffer_count = message->configure.buffer_count;
	bridge->buffer_size = message->configure.buffer_size;
	bridge->batch_size = batch == 0 ? 1 : batch;
	if (bridge->buffer_count != 0 && bridge->buffer_size != 0 && tasks < UINT32_MAX)
		return DOCA_SUCCESS;
	return fault_raise(&bridge->app.fault, DOCA_ERROR_INVALID_VALUE,
			   "Cannot work with %u buffers of %u bytes in batches of %u",
			   bridge->buffer_count, bridge->buffer_size, batch);
}

/* Imports the initiator's memory and exports that import, so that the target can reach it. */
static doca_error_t bridge_export_again(struct bridge *bridge, const struct wire_blob *from,
					struct wire_blob *to)
{
	doca_error_t result;
	const void *bytes;
	size_t size;

	result = doca_mmap_create_from_export(NULL, from->bytes, from->size, bridge->dev,
					      &bridge->host_mmap);
	if (result != DOCA_SUCCESS)
		return fault_raise(&bridge->app.fault, result,
				   "Cannot import the initiator's memory: %s",
				   doca_error_get_name(result));
	result = doca_mmap_export_rdma(bridge->host_mmap, bridge->dev, &bytes, &size);
	if (result != DOCA_SUCCESS)
		return fault_raise(&bridge->app.fault, result,
				   "Cannot export the initiator's memory for RDMA: %s",
				   doca_error_get_name(result));
	*to = (struct wire_blob){.bytes = bytes, .size = (uint32_t)size};
	return DOCA_SUCCESS;
}

/* The message goes on as it came, but for the export: counts and sizes are the target's affair too.
 */
static doca_error_t bridge_configure(struct app *app)
{
	struct bridge *bridge = bridge_of(app);
	struct wire_message message;
	doca_error_t result;

	result = bridge_expect(bridge, WIRE_CONFIGURE_DATA_PATH, &message);
	if (result != DOCA_SUCCESS)
		return result;
	app->user_abort_status = APP_STATUS_FAILED;
	result = bridge_take_configuration(bridge, &message);
	if (result == DOCA_SUCCESS)
		result = bridge_export_again(bridge, &message.configure.mmap,
					     &message.configure.mmap);
	control_done(&bridge->initiator.channel);
	if (result == DOCA_SUCCESS)
		result = control_request(&bridge->target.channel, &app->waiter, &message,
					 app->control_timeout);
	if (result != DOCA_SUCCESS)
		return result;
	return bridge_reply(bridge, message.correlation_id);
}

static doca_error_t bridge_connect_threads(struct app *app)
{
	struct bridge *bridge = bridge_of(app);
	struct wire_message message;
	doca_error_t result;
	uint32_t i;

	result = bridge_expect(bridge, WIRE_START_DATA_PATH_CONNECTIONS, &message);
	if (result != DOCA_SUCCESS)
		return result;
	control_done(&bridge->initiator.channel);
	result = bridge_make_threads(bridge);
	for (i = 0; i < bridge->options.common.num_cpus && result == DOCA_SUCCESS; i++) {
		result = bridge_thread_make(&bridge->threads[i]);
		if (result == DOCA_SUCCESS)
			result = bridge_thread_connect(&bridge->threads[i], message.correlation_id);
	}
	if (result == DOCA_SUCCESS)
		result = bridge_relay(bridge, message.type, message.correlation_id);
	if (result != DOCA_SUCCESS)
		return result;
	return bridge_reply(bridge, message.correlation_id);
}

static bool bridge_links_are_running(void *arg)
{
	struct bridge *bridge = arg;
	struct bridge_thread *thread;
	uint32_t i;

	for (i = 0; i < bridge->options.common.num_cpus; i++) {
		thread = &bridge->threads[i];
		if (!rdma_link_is_running(&thread->links[WIRE_ROLE_CTRL]) ||
		    !rdma_link_is_running(&thread->links[WIRE_ROLE_DATA]) ||
		    !comch_link_is_running(&thread->comch))
			return false;
	}
	return true;
}

/* The initiator may still be on its way to RUNNING, hence a wait and not just a look. */
static doca_error_t bridge_verify_connections(struct bridge *bridge)
{
	struct app *app = &bridge->app;
	doca_error_t result;

	result = waiter_wait(&app->waiter, bridge_links_are_running, bridge, app->control_timeout,
			     "the connections of the data path");
	if (result == DOCA_ERROR_TIME_OUT)
		return fault_raise(
			&app->fault, result,
			"The connections of the data path are not ready after %u seconds",
			app->control_timeout);
	if (result != DOCA_SUCCESS)
		return result;
	return control_comch_wait_consumers(&bridge->initiator, &app->waiter,
					    bridge->options.common.num_cpus, app->control_timeout);
}

static doca_error_t bridge_start_threads(struct bridge *bridge)
{
	doca_error_t result = DOCA_SUCCESS;
	uint32_t i;

	for (i = 0; i < bridge->options.common.num_cpus && result == DOCA_SUCCESS; i++) {
		result = app_start_worker(&bridge->app, i, bridge_thread_body);
		if (result == DOCA_SUCCESS)
			result = bridge_thread_make_tasks(&bridge->threads[i]);
	}
	return result;
}

/*
 * The target is asked to start before our own threads are made, so that both sides work at the
 * same time; they are released only when its answer is there.
 */
static doca_error_t bridge_start(struct app *app)
{
	struct bridge *bridge = bridge_of(app);
	struct control_channel *target = &bridge->target.channel;
	struct wire_message message;
	doca_error_t result;

	result = bridge_expect(bridge, WIRE_START_STORAGE, &message);
	if (result != DOCA_SUCCESS)
		return result;
	control_done(&bridge->initiator.channel);
	result = bridge_verify_connections(bridge);
	if (result == DOCA_SUCCESS)
		result = control_send(target, &app->waiter, &message, app->control_timeout);
	if (result == DOCA_SUCCESS)
		result = bridge_start_threads(bridge);
	if (result == DOCA_SUCCESS)
		result = control_await(target, &app->waiter, &message, app->control_timeout);
	if (result != DOCA_SUCCESS)
		return result;
	bridge->started = timing_now();
	worker_group_move(&app->group, WORKERS_RUNNING);
	return bridge_reply(bridge, message.correlation_id);
}

static doca_error_t bridge_run(struct app *app)
{
	doca_error_t result = app_join_workers(app);

	bridge_of(app)->ended = timing_now();
	return result;
}

static void bridge_destroy_threads(struct bridge *bridge)
{
	const uint32_t count = bridge->options.common.num_cpus;
	struct bridge_thread *thread;
	uint32_t i;

	if (bridge->threads == NULL)
		return;
	for (i = 0; i < count; i++) {
		thread = &bridge->threads[i];
		thread->stats.hits = thread->worker.hits;
		thread->stats.misses = thread->worker.misses;
		bridge->stats[i] = thread->stats;
		bridge_thread_destroy(thread);
	}
	bridge->total = stats_sum(bridge->stats, count);
	app_free_threads(&bridge->app);
	bridge->threads = NULL;
}

/* Both peers may go as soon as each has had its last message. */
static doca_error_t bridge_destroy_objects(struct app *app)
{
	struct bridge *bridge = bridge_of(app);
	struct wire_message message;
	doca_error_t result;

	result = bridge_expect(bridge, WIRE_DESTROY_OBJECTS, &message);
	if (result != DOCA_SUCCESS)
		return result;
	control_done(&bridge->initiator.channel);
	result = bridge_relay(bridge, message.type, message.correlation_id);
	if (result != DOCA_SUCCESS)
		return result;
	control_leave(&bridge->target.channel);
	bridge_destroy_threads(bridge);
	result = bridge_reply(bridge, message.correlation_id);
	control_leave(&bridge->initiator.channel);
	return result;
}

/* Peers last: whoever watches them sees everything else gone by then. */
static void bridge_destroy(struct app *app)
{
	struct bridge *bridge = bridge_of(app);

	bridge_destroy_threads(bridge);
	if (bridge->host_mmap != NULL)
		doca_mmap_destroy(bridge->host_mmap);
	control_comch_close(&bridge->initiator, &app->fault);
	if (bridge->pe != NULL)
		doca_pe_destroy(bridge->pe);
	if (bridge->rep != NULL)
		doca_dev_rep_close(bridge->rep);
	if (bridge->dev != NULL)
		doca_dev_close(bridge->dev);
	control_tcp_close(&bridge->target);
}

static void bridge_tell_peers(struct app *app)
{
	struct bridge *bridge = bridge_of(app);

	control_tell_fault(&bridge->initiator.channel, &app->fault);
	control_tell_fault(&bridge->target.channel, &app->fault);
}

static void bridge_print_stats(struct app *app)
{
	struct bridge *bridge = bridge_of(app);

	stats_print_threads(bridge->stats, bridge->options.common.num_cpus);
}

static void bridge_write_json(struct app *app, struct json_out *json)
{
	struct bridge *bridge = bridge_of(app);

	stats_write_json(json, &bridge->total, bridge->ended - bridge->started);
}

static const struct app_phase bridge_phases[] = {
	{"open device and representor", bridge_open},
	{"connect to the target", bridge_connect_target},
	{"wait for the initiator", bridge_accept_initiator},
	{"configure the data path", bridge_configure},
	{"connect the threads", bridge_connect_threads},
	{"start the threads", bridge_start},
	{"run", bridge_run},
	{"destroy the data path objects", bridge_destroy_objects},
	{NULL, NULL},
};

const struct app_program bridge_program = {
	.name = BRIDGE_PROGRAM_NAME,
	.register_options = bridge_options_register,
	.check_options = bridge_options_check,
	.print_options = bridge_options_print,
	.phases = bridge_phases,
	.turn = bridge_turn,
	.tell_peers = bridge_tell_peers,
	.print_stats = bridge_print_stats,
	.destroy = bridge_destroy,
	.write_json = bridge_write_json,
};
