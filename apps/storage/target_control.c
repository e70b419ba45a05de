/* SPDX-License-Identifier: BSD-3-Clause */
/* The phases of the target: what its control thread does, in order. */
#include "target.h"

#include "device.h"
#include "timing.h"

#include <doca_log.h>

DOCA_LOG_REGISTER(STORAGE::TARGET);

static struct target *target_of(struct app *app)
{
	return (struct target *)app;
}

/* While the control thread has the engines; later the data path threads find it themselves. */
static doca_error_t target_check_links(struct target *target)
{
	uint32_t i;

	if (worker_group_state(&target->app.group) != WORKERS_WAITING || target->threads == NULL)
		return DOCA_SUCCESS;
	for (i = 0; i < target->options.common.num_cpus; i++)
		if (rdma_link_any_is_lost(target->threads[i].links))
			return fault_raise(&target->app.fault, DOCA_ERROR_CONNECTION_RESET,
					   "The bridge has gone: the RDMA connections of thread "
					   "%u ended",
					   i);
	return DOCA_SUCCESS;
}

static doca_error_t target_turn(struct app *app, bool *busy)
{
	struct target *target = target_of(app);
	doca_error_t result;

	app_progress_workers(app, busy);
	/* What the bridge has to say about its end comes before the end. */
	result = control_turn(&target->bridge.channel, &app->fault, busy);
	return result == DOCA_SUCCESS ? target_check_links(target) : result;
}

/* limit: where nothing but the control connection would tell that the bridge is dead. */
static doca_error_t target_expect(struct target *target, enum wire_type type, uint32_t limit,
				  const char *hint, struct wire_message *message)
{
	return control_expect(&target->bridge.channel, &target->app.waiter, type, limit, hint,
			      message);
}

static doca_error_t target_reply(struct target *target, uint32_t id)
{
	return control_send_success(&target->bridge.channel, &target->app.waiter, id,
				    target->app.control_timeout);
}

static doca_error_t target_open(struct app *app)
{
	struct target *target = target_of(app);
	const char *path = target->options.storage_file;
	doca_error_t result;

	control_tcp_init(&target->bridge, "bridge");
	storage_file_init(&target->file, path[0] != '\0' ? path : NULL);
	result = device_open(target->options.common.device, &target->dev, &app->fault);
	if (result == DOCA_SUCCESS)
		result = storage_file_open(&target->file, &app->fault);
	if (result == DOCA_SUCCESS)
		result = control_tcp_listen(&target->bridge, target->options.listen_port,
					    &app->fault);
	if (result == DOCA_SUCCESS)
		DOCA_LOG_INFO("Listening on port %u", target->options.listen_port);
	return result;
}

static doca_error_t target_accept(struct app *app)
{
	struct target *target = target_of(app);

	return control_tcp_accept(&target->bridge, &app->waiter);
}

static doca_error_t target_make_threads(struct target *target)
{
	uint32_t i;

	target->threads = app_make_threads(&target->app, sizeof(*target->threads));
	if (target->threads == NULL)
		return DOCA_ERROR_NO_MEMORY;
	for (i = 0; i < target->options.common.num_cpus; i++)
		target->threads[i].target = target;
	return DOCA_SUCCESS;
}

static doca_error_t target_take_configuration(struct target *target,
					      const struct wire_message *message)
{
	target->buffer_count = message->configure.buffer_count;
	target->buffer_size = message->configure.buffer_size;
	if (target->buffer_count != 0 && target->buffer_size != 0)
		return DOCA_SUCCESS;
	return fault_raise(&target->app.fault, DOCA_ERROR_INVALID_VALUE,
			   "Cannot work with %u buffers of %u bytes", target->buffer_count,
			   target->buffer_size);
}

static doca_error_t target_configure(struct app *app)
{
	struct target *target = target_of(app);
	struct wire_message message;
	doca_error_t result;
	uint32_t i;

	result = target_expect(target, WIRE_CONFIGURE_DATA_PATH, WAITER_NO_LIMIT, NULL, &message);
	if (result != DOCA_SUCCESS)
		return result;
	app->user_abort_status = APP_STATUS_FAILED;
	result = target_take_configuration(target, &message);
	if (result == DOCA_SUCCESS)
		result = target_make_threads(target);
	for (i = 0; i < target->options.common.num_cpus && result == DOCA_SUCCESS; i++)
		result = target_thread_make(&target->threads[i], &message.configure.mmap);
	control_done(&target->bridge.channel);
	if (result != DOCA_SUCCESS)
		return result;
	return target_reply(target, message.correlation_id);
}

/* Checks the role as well: a thread needs one connection of each. */
static doca_error_t target_serve_connection(struct target_thread *thread,
					    const struct wire_message *request)
{
	struct target *target = thread->target;
	struct fault *fault = &target->app.fault;
	const enum wire_role role = request->connection.role;
	struct wire_message response = {
		.type = WIRE_CREATE_RDMA_CONNECTION_RESPONSE,
		.correlation_id = request->correlation_id,
		.connection.role = role,
	};
	doca_error_t result;

	if (thread->links[role].rdma != NULL)
		return fault_raise(fault, DOCA_ERROR_UNEXPECTED,
				   "The bridge asked for two %s connections for thread %u",
				   wire_role_name(role), thread->worker.index);
	result = target_thread_make_link(thread, role, &response.connection.details);
	if (result == DOCA_SUCCESS)
		result = rdma_link_connect(&thread->links[role], &request->connection.details,
					   fault);
	if (result == DOCA_SUCCESS)
		result = control_send(&target->bridge.channel, &target->app.waiter, &response,
				      target->app.control_timeout);
	return result;
}

/* The order of the two roles is left to the bridge. */
static doca_error_t target_connect_thread(struct target_thread *thread)
{
	struct target *target = thread->target;
	struct wire_message request;
	doca_error_t result;
	uint32_t i;

	result = target_thread_make_engine(thread);
	for (i = 0; i < WIRE_ROLE_COUNT && result == DOCA_SUCCESS; i++) {
		result = target_expect(target, WIRE_CREATE_RDMA_CONNECTION_REQUEST,
				       target->app.control_timeout,
				       "the bridge runs fewer threads than the target; give both "
				       "the same number of --cpu",
				       &request);
		if (result != DOCA_SUCCESS)
			break;
		result = target_serve_connection(thread, &request);
		control_done(&target->bridge.channel);
	}
	return result;
}

/* They are right after their start; the protocol asks for the look all the same. */
static bool target_links_are_running(void *arg)
{
	struct target *target = arg;
	uint32_t i;

	for (i = 0; i < target->options.common.num_cpus; i++)
		if (!rdma_link_is_running(&target->threads[i].links[WIRE_ROLE_CTRL]) ||
		    !rdma_link_is_running(&target->threads[i].links[WIRE_ROLE_DATA]))
			return false;
	return true;
}

static doca_error_t target_wait_links(struct target *target)
{
	struct app *app = &target->app;
	doca_error_t result;

	result = waiter_wait(&app->waiter, target_links_are_running, target, app->control_timeout,
			     "the RDMA contexts");
	if (result == DOCA_ERROR_TIME_OUT)
		return fault_raise(&app->fault, result,
				   "The RDMA contexts are not running after %u seconds",
				   app->control_timeout);
	return result;
}

static doca_error_t target_connect(struct app *app)
{
	struct target *target = target_of(app);
	doca_error_t result = DOCA_SUCCESS;
	struct wire_message message;
	uint32_t i;

	for (i = 0; i < target->options.common.num_cpus && result == DOCA_SUCCESS; i++)
		result = target_connect_thread(&target->threads[i]);
	if (result == DOCA_SUCCESS)
		result = target_expect(target, WIRE_START_DATA_PATH_CONNECTIONS, WAITER_NO_LIMIT,
				       "the bridge runs more threads than the target; give both "
				       "the same number of --cpu",
				       &message);
	if (result != DOCA_SUCCESS)
		return result;
	control_done(&target->bridge.channel);
	result = target_wait_links(target);
	if (result != DOCA_SUCCESS)
		return result;
	return target_reply(target, message.correlation_id);
}

static doca_error_t target_start(struct app *app)
{
	struct target *target = target_of(app);
	struct wire_message message;
	doca_error_t result;
	uint32_t i;

	result = target_expect(target, WIRE_START_STORAGE, WAITER_NO_LIMIT, NULL, &message);
	if (result != DOCA_SUCCESS)
		return result;
	control_done(&target->bridge.channel);
	for (i = 0; i < target->options.common.num_cpus && result == DOCA_SUCCESS; i++) {
		result = target_thread_make_tasks(&target->threads[i]);
		if (result == DOCA_SUCCESS)
			result = app_start_worker(app, i, target_thread_body);
	}
	if (result != DOCA_SUCCESS)
		return result;
	target->started = timing_now();
	worker_group_move(&app->group, WORKERS_RUNNING);
	return target_reply(target, message.correlation_id);
}

static doca_error_t target_run(struct app *app)
{
	doca_error_t result = app_join_workers(app);

	target_of(app)->ended = timing_now();
	return result;
}

static void target_destroy_threads(struct target *target)
{
	const uint32_t count = target->options.common.num_cpus;
	struct target_thread *thread;
	uint32_t i;

	if (target->threads == NULL)
		return;
	for (i = 0; i < count; i++) {
		thread = &target->threads[i];
		thread->stats.hits = thread->worker.hits;
		thread->stats.misses = thread->worker.misses;
		target->stats[i] = thread->stats;
		target_thread_destroy(thread);
	}
	target->total = stats_sum(target->stats, count);
	app_free_threads(&target->app);
	target->threads = NULL;
}

/* The bridge may go as soon as it has the reply, so its end is no fault from then on. */
static doca_error_t target_destroy_objects(struct app *app)
{
	struct target *target = target_of(app);
	struct wire_message message;
	doca_error_t result;

	result = target_expect(target, WIRE_DESTROY_OBJECTS, app->control_timeout, NULL, &message);
	if (result != DOCA_SUCCESS)
		return result;
	control_done(&target->bridge.channel);
	target_destroy_threads(target);
	result = target_reply(target, message.correlation_id);
	control_leave(&target->bridge.channel);
	return result;
}

/* After the reply: how long a disk takes is no reason for the peers to give up. */
static doca_error_t target_sync(struct app *app)
{
	struct target *target = target_of(app);

	return storage_file_sync(&target->file, &app->fault);
}

static void target_destroy(struct app *app)
{
	struct target *target = target_of(app);

	target_destroy_threads(target);
	storage_file_close(&target->file);
	control_tcp_close(&target->bridge);
	if (target->dev != NULL)
		doca_dev_close(target->dev);
}

static void target_tell_peers(struct app *app)
{
	control_tell_fault(&target_of(app)->bridge.channel, &app->fault);
}

static void target_print_stats(struct app *app)
{
	struct target *target = target_of(app);

	stats_print_threads(target->stats, target->options.common.num_cpus);
}

static void target_write_json(struct app *app, struct json_out *json)
{
	struct target *target = target_of(app);

	stats_write_json(json, &target->total, target->ended - target->started);
}

static const struct app_phase target_phases[] = {
	{"open device, storage file and port", target_open},
	{"wait for the bridge", target_accept},
	{"configure the data path", target_configure},
	{"connect the threads", target_connect},
	{"start the threads", target_start},
	{"run", target_run},
	{"destroy the data path objects", target_destroy_objects},
	{"write the storage file back", target_sync},
	{NULL, NULL},
};

const struct app_program target_program = {
	.name = TARGET_PROGRAM_NAME,
	.register_options = target_options_register,
	.check_options = target_options_check,
	.print_options = target_options_print,
	.phases = target_phases,
	.turn = target_turn,
	.tell_peers = target_tell_peers,
	.print_stats = target_print_stats,
	.destroy = target_destroy,
	.write_json = target_write_json,
};
