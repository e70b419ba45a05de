/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Acceptors, entries and callers; contract in fabric_acceptor.h.
 */
#include "rdma/fabric_acceptor.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error_text.h"
#include "base/log.h"
#include "bus/process.h"

#define ACCEPTS_AT_ONCE 16
#define HELLO_TIMEOUT (2 * SDPU_SECOND)

struct fabric_acceptor {
	struct sdpu_watch watch;
	struct fabric_entry *entry; /* all go there; NULL: by cookie */
	struct sdpu_list pending;   /* under the lock; the oldest first */
	uint32_t num_pending;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sdpu_list table = {&table, &table};

/* The caller is on no list. Without the lock. */
static void caller_free(struct fabric_caller *caller)
{
	sdpu_agent_unwatch(&caller->watch);
	fabric_control_close(&caller->control);
	free(caller);
}

static doca_error_t caller_say(struct fabric_caller *caller, enum fabric_hello_kind kind,
			       doca_error_t code)
{
	struct fabric_hello hello = {.kind = kind, .code = code, .pid = (uint32_t)getpid()};

	fabric_control_put(&caller->control, &hello);
	return fabric_control_flush(&caller->control);
}

void fabric_caller_refuse(struct fabric_caller *caller, doca_error_t why)
{
	(void)caller_say(caller, FABRIC_HELLO_REFUSE, why);
	caller_free(caller);
}

/* Lock held. */
static void caller_leave(struct fabric_caller *caller)
{
	if (caller->acceptor != NULL)
		caller->acceptor->num_pending--;
	if (caller->entry != NULL)
		caller->entry->num_callers--;
	caller->acceptor = NULL;
	caller->entry = NULL;
	sdpu_list_remove(&caller->node);
}

/* Lock held. */
static struct fabric_entry *table_find(const uint8_t cookie[RDMA_COOKIE_SIZE])
{
	struct sdpu_list *node;

	sdpu_list_for_each (node, &table) {
		struct fabric_entry *entry = sdpu_container_of(node, struct fabric_entry, node);

		if (memcmp(entry->cookie, cookie, RDMA_COOKIE_SIZE) == 0)
			return entry;
	}
	return NULL;
}

/* Lock held: the entry that a pending caller of this acceptor asks for. */
static doca_error_t acceptor_route(const struct fabric_acceptor *acceptor,
				   const struct fabric_hello *hello, struct fabric_entry **to)
{
	bool dials = hello->kind == FABRIC_HELLO_DIAL;

	if (hello->kind > FABRIC_HELLO_DIAL || dials != (acceptor->entry != NULL))
		return DOCA_ERROR_INVALID_VALUE;
	*to = dials ? acceptor->entry : table_find(hello->to);
	if (*to == NULL)
		return DOCA_ERROR_NOT_FOUND;
	if ((*to)->num_callers >= (dials ? FABRIC_CLIENTS_MAX : FABRIC_CALLERS_MAX))
		return DOCA_ERROR_FULL;
	return DOCA_SUCCESS;
}

/* Lock held. PARKED is sent before anybody can take the caller, who would send WELCOME: that comes
 * second. */
static void entry_admit(struct fabric_entry *entry, struct fabric_caller *caller)
{
	(void)caller_say(caller, FABRIC_HELLO_PARKED,
			 entry->is_expecting ? DOCA_SUCCESS : DOCA_ERROR_AGAIN);
	caller_leave(caller);
	caller->entry = entry;
	entry->num_callers++;
	sdpu_list_append(&entry->callers, &caller->node);
	/* Release: pairs with the acquire in fabric_entry_has_arrived(). */
	sdpu_store_release(&entry->arrived, entry->arrived + 1);
	entry->came(entry);
}

/* Lock held. SUCCESS: the caller goes on waiting, pending or parked; else it is to be freed. */
static doca_error_t caller_receive(struct fabric_caller *caller)
{
	struct fabric_entry *entry;
	const char *fault;
	doca_error_t result = fabric_control_get(&caller->control, &caller->hello, &fault);

	if (result == DOCA_ERROR_AGAIN)
		return DOCA_SUCCESS;
	if (result == DOCA_ERROR_INVALID_VALUE || result == DOCA_ERROR_UNSUPPORTED_VERSION)
		sdpu_log_warn("doca_rdma: a TCP caller is sent away: %s", fault);
	if (result == DOCA_ERROR_UNSUPPORTED_VERSION && caller->acceptor != NULL)
		(void)caller_say(caller, FABRIC_HELLO_REFUSE, result);
	/* A parked caller has nothing more to say: it has hung up, or breaks the protocol. */
	if (result != DOCA_SUCCESS || caller->acceptor == NULL)
		return DOCA_ERROR_CONNECTION_RESET;
	result = acceptor_route(caller->acceptor, &caller->hello, &entry);
	if (result != DOCA_SUCCESS) {
		sdpu_log_warn("doca_rdma: pid %u of another machine refused, which asked for a "
			      "connection: %s",
			      caller->hello.pid, sdpu_error_descr(result));
		(void)caller_say(caller, FABRIC_HELLO_REFUSE, result);
		return result;
	}
	entry_admit(entry, caller);
	return DOCA_SUCCESS;
}

/* Lock held: a caller that was taken has hung up, or has sent something unasked. */
static void caller_go(struct fabric_caller *caller)
{
	sdpu_store_release(&caller->gone, 1);
	if (caller->bell != NULL)
		sdpu_bell_attend(caller->bell);
}

/* Agent's thread. Whoever has taken it waits for us before it frees it. */
static void caller_ready(struct sdpu_watch *watch, uint32_t events)
{
	struct fabric_caller *caller = sdpu_container_of(watch, struct fabric_caller, watch);
	bool taken, leaves;

	pthread_mutex_lock(&lock);
	taken = caller->acceptor == NULL && caller->entry == NULL;
	if (taken)
		caller_go(caller);
	leaves = !taken && caller_receive(caller) != DOCA_SUCCESS;
	if (leaves)
		caller_leave(caller);
	pthread_mutex_unlock(&lock);
	if (taken)
		sdpu_agent_unwatch(watch);
	if (leaves)
		caller_free(caller);
}

/* Lock held: a caller that has said nothing for too long, if there is one. */
static struct fabric_caller *pending_drop(struct fabric_acceptor *acceptor)
{
	struct fabric_caller *caller;

	if (sdpu_list_empty(&acceptor->pending))
		return NULL;
	caller = sdpu_container_of(acceptor->pending.next, struct fabric_caller, node);
	if (sdpu_clock_now() - caller->since < HELLO_TIMEOUT)
		return NULL;
	caller_leave(caller);
	return caller;
}

/* Lock held. False: there are too many. */
static bool pending_admit(struct fabric_acceptor *acceptor, struct fabric_caller *caller)
{
	if (acceptor->num_pending == FABRIC_PENDING_MAX)
		return false;
	caller->acceptor = acceptor;
	acceptor->num_pending++;
	sdpu_list_append(&acceptor->pending, &caller->node);
	return true;
}

static void acceptor_take(struct fabric_acceptor *acceptor, int fd)
{
	struct fabric_caller *caller = calloc(1, sizeof(*caller)), *dropped;
	bool admitted;

	if (caller == NULL) {
		sdpu_fd_close(fd);
		return;
	}
	fabric_control_open(&caller->control, fd);
	caller->watch.fd = fd;
	caller->watch.ready = caller_ready;
	caller->since = sdpu_clock_now();
	sdpu_list_init(&caller->node);
	pthread_mutex_lock(&lock);
	dropped = pending_drop(acceptor);
	admitted = pending_admit(acceptor, caller);
	pthread_mutex_unlock(&lock);
	if (dropped != NULL)
		caller_free(dropped);
	if (admitted && sdpu_agent_watch(&caller->watch, EPOLLIN | EPOLLRDHUP) == DOCA_SUCCESS)
		return;
	pthread_mutex_lock(&lock);
	caller_leave(caller);
	pthread_mutex_unlock(&lock);
	caller_free(caller);
}

/* Agent's thread. */
static void acceptor_ready(struct sdpu_watch *watch, uint32_t events)
{
	struct fabric_acceptor *acceptor = sdpu_container_of(watch, struct fabric_acceptor, watch);

	for (int i = 0; i < ACCEPTS_AT_ONCE; i++) {
		int fd = fabric_sock_accept(watch->fd);

		if (fd < 0)
			return;
		acceptor_take(acceptor, fd);
	}
}

doca_error_t fabric_acceptor_open(uint16_t *port, struct fabric_entry *entry,
				  struct fabric_acceptor **out)
{
	struct fabric_acceptor *acceptor = calloc(1, sizeof(*acceptor));
	doca_error_t result;

	if (acceptor == NULL)
		return DOCA_ERROR_NO_MEMORY;
	sdpu_list_init(&acceptor->pending);
	acceptor->entry = entry;
	acceptor->watch.ready = acceptor_ready;
	result = fabric_sock_listen(*port, &acceptor->watch.fd, port);
	if (result != DOCA_SUCCESS) {
		free(acceptor);
		return result;
	}
	result = sdpu_agent_watch(&acceptor->watch, EPOLLIN);
	if (result != DOCA_SUCCESS) {
		sdpu_fd_close(acceptor->watch.fd);
		free(acceptor);
		return result;
	}
	*out = acceptor;
	return DOCA_SUCCESS;
}

/* Lock held: all on the list go to `to`. */
static void leave_all(struct sdpu_list *list, struct sdpu_list *to)
{
	sdpu_list_init(to);
	while (!sdpu_list_empty(list)) {
		struct fabric_caller *caller =
			sdpu_container_of(list->next, struct fabric_caller, node);

		caller_leave(caller);
		sdpu_list_append(to, &caller->node);
	}
}

static void refuse_all(struct sdpu_list *callers)
{
	struct sdpu_list *node;

	while ((node = sdpu_list_pop(callers)) != NULL)
		fabric_caller_refuse(sdpu_container_of(node, struct fabric_caller, node),
				     DOCA_ERROR_NOT_FOUND);
}

void fabric_acceptor_close(struct fabric_acceptor *acceptor)
{
	struct sdpu_list pending;

	sdpu_agent_unwatch(&acceptor->watch);
	sdpu_fd_close(acceptor->watch.fd);
	pthread_mutex_lock(&lock);
	leave_all(&acceptor->pending, &pending);
	pthread_mutex_unlock(&lock);
	refuse_all(&pending);
	free(acceptor);
}

void fabric_entry_open(struct fabric_entry *entry, bool by_cookie)
{
	sdpu_list_init(&entry->node);
	sdpu_list_init(&entry->callers);
	pthread_mutex_lock(&lock);
	if (by_cookie)
		sdpu_list_append(&table, &entry->node);
	entry->is_open = true;
	pthread_mutex_unlock(&lock);
}

void fabric_entry_expect(struct fabric_entry *entry)
{
	pthread_mutex_lock(&lock);
	entry->is_expecting = true;
	pthread_mutex_unlock(&lock);
}

void fabric_entry_close(struct fabric_entry *entry)
{
	struct sdpu_list callers;

	if (!entry->is_open)
		return;
	pthread_mutex_lock(&lock);
	sdpu_list_remove(&entry->node);
	leave_all(&entry->callers, &callers);
	entry->is_open = false;
	pthread_mutex_unlock(&lock);
	refuse_all(&callers);
}

void fabric_entry_dismiss(struct fabric_entry *entry)
{
	struct sdpu_list callers;

	pthread_mutex_lock(&lock);
	leave_all(&entry->callers, &callers);
	pthread_mutex_unlock(&lock);
	refuse_all(&callers);
}

static bool caller_is(const struct fabric_caller *caller, enum fabric_hello_kind kind,
		      const uint8_t *from)
{
	return caller->hello.kind == kind &&
	       (from == NULL || memcmp(caller->hello.from, from, RDMA_COOKIE_SIZE) == 0);
}

struct fabric_caller *fabric_entry_take(struct fabric_entry *entry, enum fabric_hello_kind kind,
					const uint8_t *from)
{
	struct fabric_caller *found = NULL;
	struct sdpu_list *node;

	pthread_mutex_lock(&lock);
	sdpu_list_for_each (node, &entry->callers) {
		struct fabric_caller *caller = sdpu_container_of(node, struct fabric_caller, node);

		if (caller_is(caller, kind, from)) {
			found = caller;
			break;
		}
	}
	if (found != NULL)
		caller_leave(found);
	pthread_mutex_unlock(&lock);
	return found;
}

void fabric_entry_return(struct fabric_entry *entry, struct fabric_caller *caller)
{
	bool gone;

	pthread_mutex_lock(&lock);
	gone = fabric_caller_is_gone(caller);
	if (!gone) {
		caller->entry = entry;
		entry->num_callers++;
		sdpu_list_append(&entry->callers, &caller->node);
	}
	pthread_mutex_unlock(&lock);
	if (gone)
		caller_free(caller);
}

void fabric_caller_attend(struct fabric_caller *caller, struct sdpu_bell *bell)
{
	pthread_mutex_lock(&lock);
	caller->bell = bell;
	pthread_mutex_unlock(&lock);
	/* It may have hung up between the taking and now. */
	if (fabric_caller_is_gone(caller))
		sdpu_bell_attend(bell);
}

void fabric_caller_join(struct fabric_caller *caller, struct fabric_control *control)
{
	sdpu_agent_unwatch(&caller->watch);
	*control = caller->control;
	free(caller);
}
