/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Who calls for which connection; contract in local_table.h.
 */
#include "rdma/local_table.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_text.h"
#include "base/log.h"
#include "bus/process.h"

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sdpu_list table = {&table, &table};

void local_caller_free(struct local_caller *caller)
{
	sdpu_fd_close(caller->sock);
	for (uint32_t i = 0; i < LOCAL_CALL_FDS; i++)
		sdpu_fd_close(caller->fds[i]);
	free(caller);
}

int local_caller_take_fd(struct local_caller *caller, uint32_t i)
{
	int fd = caller->fds[i];

	caller->fds[i] = -1;
	return fd;
}

void local_caller_refuse(struct local_caller *caller, doca_error_t why)
{
	struct local_welcome welcome = {.result = why};

	(void)sdpu_sock_send(caller->sock, &welcome, sizeof(welcome), NULL, 0);
	local_caller_free(caller);
}

static struct local_entry_point *table_find(const uint8_t cookie[RDMA_COOKIE_SIZE])
{
	struct sdpu_list *node;

	sdpu_list_for_each (node, &table) {
		struct local_entry_point *point =
			sdpu_container_of(node, struct local_entry_point, node);

		if (memcmp(point->cookie, cookie, RDMA_COOKIE_SIZE) == 0)
			return point;
	}
	return NULL;
}

/* Lock held. CONNECTION_RESET: the caller is dead; AGAIN: the kernel is short of memory, or too
 * many descriptors are under way. */
static doca_error_t point_answer(struct local_entry_point *point, struct local_caller *caller)
{
	struct local_welcome welcome = {
		.result = DOCA_SUCCESS, .bit = point->bit, .permissions = point->permissions};
	int fds[LOCAL_WELCOME_FDS];
	doca_error_t result;

	/*
	 * Before the caller can know: it closes the connection that our engine watches as soon as
	 * it has the welcome, and then the engine must find it here. Release: pairs with the
	 * acquire in local_point_has_arrived().
	 */
	caller->answered = true;
	sdpu_store_release(&point->arrived, 1);
	sdpu_bell_fds(point->bell, fds);
	result = sdpu_sock_send(caller->sock, &welcome, sizeof(welcome), fds, LOCAL_WELCOME_FDS);
	if (result == DOCA_SUCCESS)
		return result;
	caller->answered = false;
	sdpu_store(&point->arrived, 0);
	return result;
}

static bool caller_is(const struct local_caller *caller, const uint8_t cookie[RDMA_COOKIE_SIZE])
{
	return memcmp(caller->hello.from, cookie, RDMA_COOKIE_SIZE) == 0;
}

/* Lock held. Takes the caller over on success only. */
static doca_error_t point_admit(struct local_entry_point *point, struct local_caller *caller)
{
	doca_error_t result;

	if (point == NULL || point->is_port != (caller->hello.kind == LOCAL_HELLO_DIAL))
		return DOCA_ERROR_NOT_FOUND;
	if (point->num_callers == (point->is_port ? LOCAL_BACKLOG : LOCAL_CALLERS_MAX))
		return DOCA_ERROR_FULL;
	if (caller->hello.kind == LOCAL_HELLO_CALL && point->expecting) {
		if (sdpu_load(&point->arrived) != 0 || !caller_is(caller, point->peer))
			return DOCA_ERROR_NOT_PERMITTED;
		result = point_answer(point, caller);
		if (result != DOCA_SUCCESS)
			return result;
	}
	sdpu_list_append(&point->callers, &caller->node);
	point->num_callers++;
	/* Release: pairs with the acquire in local_point_has_arrived(). */
	if (point->is_port)
		sdpu_store_release(&point->arrived, 1);
	if (point->is_port || caller->answered)
		sdpu_bell_attend(point->bell);
	return DOCA_SUCCESS;
}

/* Agent's thread. */
static void table_accept(int sock, pid_t peer, struct sdpu_record *record)
{
	struct local_caller *caller = calloc(1, sizeof(*caller));
	doca_error_t result;

	if (caller == NULL) {
		sdpu_fd_close(sock);
		return;
	}
	caller->sock = sock;
	caller->pid = peer;
	for (uint32_t i = 0; i < LOCAL_CALL_FDS; i++)
		caller->fds[i] = sdpu_record_take_fd(record, i);
	result = local_hello_parse(record, &caller->hello);
	if (result == DOCA_SUCCESS) {
		pthread_mutex_lock(&table_lock);
		result = point_admit(table_find(caller->hello.to), caller);
		pthread_mutex_unlock(&table_lock);
	}
	if (result == DOCA_SUCCESS)
		return;
	sdpu_log_warn("doca_rdma: pid %d refused, which asked for a connection: %s", (int)peer,
		      sdpu_error_descr(result));
	local_caller_refuse(caller, result);
}

__attribute__((constructor)) static void table_register(void)
{
	sdpu_agent_register(SDPU_SERVICE_RDMA, table_accept);
}

void local_point_open(struct local_entry_point *point)
{
	sdpu_list_init(&point->callers);
	pthread_mutex_lock(&table_lock);
	sdpu_list_append(&table, &point->node);
	pthread_mutex_unlock(&table_lock);
}

/* Lock held: moves all of them to `to`. */
static void point_empty(struct local_entry_point *point, struct sdpu_list *to)
{
	struct sdpu_list *node;

	sdpu_list_init(to);
	while ((node = sdpu_list_pop(&point->callers)) != NULL)
		sdpu_list_append(to, node);
	point->num_callers = 0;
}

/* Lock not held. */
static void callers_refuse(struct sdpu_list *callers)
{
	struct sdpu_list *node;

	while ((node = sdpu_list_pop(callers)) != NULL)
		local_caller_refuse(sdpu_container_of(node, struct local_caller, node),
				    DOCA_ERROR_NOT_FOUND);
}

void local_point_close(struct local_entry_point *point)
{
	struct sdpu_list callers;

	if (point->bell == NULL)
		return;
	pthread_mutex_lock(&table_lock);
	sdpu_list_remove(&point->node);
	point_empty(point, &callers);
	pthread_mutex_unlock(&table_lock);
	callers_refuse(&callers);
	point->bell = NULL;
}

/* Lock held. */
static doca_error_t point_answer_waiting(struct local_entry_point *point)
{
	doca_error_t result = DOCA_ERROR_NOT_FOUND;
	struct sdpu_list *node;

	sdpu_list_for_each (node, &point->callers) {
		struct local_caller *caller = sdpu_container_of(node, struct local_caller, node);

		if (caller->hello.kind != LOCAL_HELLO_CALL || !caller_is(caller, point->peer))
			continue;
		result = point_answer(point, caller);
		if (result == DOCA_SUCCESS)
			break;
	}
	/* The death of a caller is told by its process. */
	return result == DOCA_ERROR_CONNECTION_RESET ? DOCA_ERROR_NOT_FOUND : result;
}

doca_error_t local_point_expect(struct local_entry_point *point,
				const uint8_t peer[RDMA_COOKIE_SIZE], uint32_t bit)
{
	doca_error_t result = DOCA_SUCCESS;

	pthread_mutex_lock(&table_lock);
	memcpy(point->peer, peer, RDMA_COOKIE_SIZE);
	point->bit = bit;
	point->expecting = true;
	/* The agent may have answered between two attempts. */
	if (sdpu_load(&point->arrived) == 0)
		result = point_answer_waiting(point);
	pthread_mutex_unlock(&table_lock);
	return result;
}

/* Lock held. */
static struct local_caller *point_find_answered(const struct local_entry_point *point)
{
	struct sdpu_list *node;

	sdpu_list_for_each (node, &point->callers) {
		struct local_caller *caller = sdpu_container_of(node, struct local_caller, node);

		if (caller->answered)
			return caller;
	}
	return NULL;
}

struct local_caller *local_point_take(struct local_entry_point *point)
{
	struct local_caller *taken;
	struct sdpu_list others;

	pthread_mutex_lock(&table_lock);
	sdpu_list_init(&others);
	taken = point_find_answered(point);
	if (taken != NULL) {
		sdpu_list_remove(&taken->node);
		point_empty(point, &others);
	}
	pthread_mutex_unlock(&table_lock);
	callers_refuse(&others);
	return taken;
}

struct local_caller *local_point_next(struct local_entry_point *point)
{
	struct sdpu_list *node;

	pthread_mutex_lock(&table_lock);
	node = sdpu_list_pop(&point->callers);
	if (node != NULL)
		point->num_callers--;
	if (sdpu_list_empty(&point->callers))
		sdpu_store(&point->arrived, 0);
	pthread_mutex_unlock(&table_lock);
	return node == NULL ? NULL : sdpu_container_of(node, struct local_caller, node);
}

void local_point_dismiss(struct local_entry_point *point)
{
	struct sdpu_list callers;

	if (point->bell == NULL)
		return;
	pthread_mutex_lock(&table_lock);
	point->expecting = false;
	sdpu_store(&point->arrived, 0);
	point_empty(point, &callers);
	pthread_mutex_unlock(&table_lock);
	callers_refuse(&callers);
}
