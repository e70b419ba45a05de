/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Port: its objects, and one round of work; contract in fabric_port.h.
 */
#include "rdma/fabric_port.h"

#include <errno.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/log.h"
#include "bus/process.h"
#include "rdma/fabric_endpoint.h"
#include "rdma/fabric_offer.h"
#include "rdma/fabric_thread.h"

#define DRIVE_BATCH 8
#define POSTED 4u	/* receives; so many frames can come in one round */
#define OFFER_TURNS 100 /* one or two are enough */
#define LINGER_PATIENCE (100 * SDPU_MS)

static struct {
	pthread_mutex_t lock;
	struct sdpu_list ports;
} spare = {.lock = PTHREAD_MUTEX_INITIALIZER, .ports = {&spare.ports, &spare.ports}};

static uint8_t *rx_bytes(const struct fabric_rx *rx)
{
	return rx->port->staging + (size_t)(rx - rx->port->rx) * FABRIC_FRAME_MAX;
}

/* What was used last is used next, as it is in the cache; and not before the next round, as the
 * user waits for what came in it. */
void fabric_rx_done(struct fabric_rx *rx)
{
	sdpu_list_append(rx->port->idle.next, &rx->node);
}

static void rx_post(struct fabric_rx *rx)
{
	if (fi_recv(rx->port->srx, rx_bytes(rx), FABRIC_FRAME_MAX, NULL, 0, rx) == 0)
		rx->port->num_posted++;
	else
		sdpu_log_err("doca_rdma: libfabric takes no receive; %u are left",
			     rx->port->num_posted);
}

static void port_post(struct fabric_port *port)
{
	struct sdpu_list *node;

	while (port->num_posted < POSTED && (node = sdpu_list_pop(&port->idle)) != NULL)
		rx_post(sdpu_container_of(node, struct fabric_rx, node));
}

/* Descriptors that wake a sleeper up. The provider tells them all after a first wait for them. */
static int queue_fds_get(struct fabric_port *port)
{
	struct fi_wait_pollfd fds = {.nfds = FABRIC_QUEUE_FDS, .fd = port->queue_fds};
	int error;

	if (port->lib->wait == FI_WAIT_FD) {
		port->num_queue_fds = 1;
		return fi_control(&port->cq->fid, FI_GETWAIT, &port->queue_fds[0].fd);
	}
	(void)fi_cq_sread(port->cq, NULL, 0, NULL, 1);
	error = fi_control(&port->cq->fid, FI_GETWAIT, &fds);
	port->num_queue_fds = (uint32_t)fds.nfds;
	return error;
}

/* 0 or why not, as libfabric says it. */
static int objects_open(struct fabric_port *port)
{
	struct fi_info *info = port->lib->info;
	struct fi_eq_attr eq = {.wait_obj = FI_WAIT_NONE};
	struct fi_cq_attr cq = {.format = FI_CQ_FORMAT_DATA, .size = 1024};
	int error = port->lib->fabric(info->fabric_attr, &port->fabric, NULL);

	cq.wait_obj = port->lib->wait;
	if (error == 0)
		error = fi_eq_open(port->fabric, &eq, &port->eq, NULL);
	if (error == 0)
		error = fi_domain(port->fabric, info, &port->domain, NULL);
	if (error == 0)
		error = fi_cq_open(port->domain, &cq, &port->cq, NULL);
	if (error == 0)
		error = fi_srx_context(port->domain, info->rx_attr, &port->srx, NULL);
	if (error == 0)
		error = queue_fds_get(port);
	return error;
}

#define OBJECT_CLOSE(object)                                                                       \
	do {                                                                                       \
		if ((object) != NULL)                                                              \
			(void)fi_close(&(object)->fid);                                            \
	} while (0)

static void objects_close(struct fabric_port *port)
{
	OBJECT_CLOSE(port->srx);
	OBJECT_CLOSE(port->cq);
	OBJECT_CLOSE(port->eq);
	OBJECT_CLOSE(port->domain);
	OBJECT_CLOSE(port->fabric);
}

static void port_free(struct fabric_port *port)
{
	objects_close(port);
	sdpu_fd_close(port->epoll_fd);
	pthread_mutex_destroy(&port->lock);
	pthread_cond_destroy(&port->joined);
	free(port->slots);
	free(port->staging);
	free(port);
}

static void proto_kick(struct fabric_proto_port *proto)
{
	(void)proto;
	fabric_thread_kick();
}

static void port_init(struct fabric_port *port)
{
	pthread_condattr_t attr;

	pthread_mutex_init(&port->lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&port->joined, &attr);
	pthread_condattr_destroy(&attr);
	sdpu_list_init(&port->idle);
	sdpu_list_init(&port->links);
	sdpu_list_init(&port->lingering);
	sdpu_list_init(&port->offers);
	sdpu_list_init(&port->node);
	port->proto.lock = &port->lock;
	port->proto.kick = proto_kick;
}

static struct fabric_port *port_make(const struct fabric_lib *lib)
{
	struct fabric_port *port = calloc(1, sizeof(*port));

	if (port == NULL)
		return NULL;
	port->lib = lib;
	port_init(port);
	port->epoll_fd = -1;
	port->staging = malloc((size_t)FABRIC_STAGING * FABRIC_FRAME_MAX);
	if (port->staging != NULL)
		return port;
	port_free(port);
	return NULL;
}

static void port_post_first(struct fabric_port *port)
{
	for (uint32_t i = 0; i < FABRIC_STAGING; i++) {
		port->rx[i].port = port;
		fabric_rx_done(&port->rx[i]);
	}
	port_post(port);
}

/*
 * Of `net` in libfabric 1.17, an endpoint leaves 24 bytes behind in its completion queue. So ports
 * are not taken apart but kept for the next context, receives and all: then it is no leak, and the
 * next one is faster. Tokens of before lead nowhere.
 */
static struct fabric_port *spare_take(void)
{
	struct sdpu_list *node;

	pthread_mutex_lock(&spare.lock);
	node = sdpu_list_pop(&spare.ports);
	pthread_mutex_unlock(&spare.lock);
	return node == NULL ? NULL : sdpu_container_of(node, struct fabric_port, node);
}

static void spare_put(struct fabric_port *port)
{
	pthread_mutex_lock(&spare.lock);
	sdpu_list_append(&spare.ports, &port->node);
	pthread_mutex_unlock(&spare.lock);
}

/* From here on the thread may have it. */
static doca_error_t port_start(struct fabric_port *port, struct doca_pe *pe)
{
	doca_error_t result;

	port->pe = pe;
	port->driver = FABRIC_BY_THREAD;
	port->streak = 0;
	port->rest_until = 0;
	fabric_proto_port_open(&port->proto);
	result = fabric_thread_add(port);
	if (result != DOCA_SUCCESS)
		fabric_proto_port_close(&port->proto);
	return result;
}

static doca_error_t port_build(const struct fabric_lib *lib, struct fabric_port **out)
{
	struct fabric_port *port = port_make(lib);
	int error;

	if (port == NULL)
		return DOCA_ERROR_NO_MEMORY;
	port->epoll_fd = sdpu_fd_own(epoll_create1(EPOLL_CLOEXEC));
	error = port->epoll_fd < 0 ? -errno : objects_open(port);
	if (error == 0) {
		port_post_first(port);
		*out = port;
		return DOCA_SUCCESS;
	}
	sdpu_log_err("doca_rdma: libfabric provider %s: %s", lib->info->fabric_attr->prov_name,
		     lib->strerror(-error));
	port_free(port);
	return DOCA_ERROR_CONNECTION_ABORTED;
}

doca_error_t fabric_port_open(struct doca_pe *pe, struct fabric_port **out)
{
	const struct fabric_lib *lib = fabric_lib_get();
	doca_error_t result = DOCA_SUCCESS;
	struct fabric_port *port;

	if (lib == NULL)
		return DOCA_ERROR_CONNECTION_ABORTED;
	port = spare_take();
	if (port == NULL)
		result = port_build(lib, &port);
	if (result != DOCA_SUCCESS)
		return result;
	result = port_start(port, pe);
	if (result == DOCA_SUCCESS)
		*out = port;
	else
		spare_put(port);
	return result;
}

static bool port_has_lingering(struct fabric_port *port)
{
	bool has;

	fabric_port_lock(port);
	has = !sdpu_list_empty(&port->lingering);
	fabric_port_unlock(port);
	return has;
}

void fabric_port_close(struct fabric_port *port)
{
	uint64_t until = sdpu_clock_now() + LINGER_PATIENCE;

	while (port_has_lingering(port) && sdpu_clock_now() < until)
		sdpu_clock_sleep(SDPU_MS / 2);
	fabric_thread_remove(port);
	fabric_linger_end_all(port);
	for (int i = 0; i < OFFER_TURNS && !fabric_offer_turn(port); i++)
		fabric_port_read_events(port);
	fabric_proto_port_close(&port->proto);
	spare_put(port);
}

/* A frame. Whose it is was said by the sender, who learned it from the receiver alone. */
static void port_receive(struct fabric_port *port, const struct fi_cq_data_entry *entry)
{
	struct fabric_rx *rx = entry->op_context;
	struct fabric_link *link = NULL;

	port->num_posted--;
	sdpu_list_init(&rx->node);
	if (entry->flags & FI_REMOTE_CQ_DATA)
		link = fabric_port_find(port, entry->data);
	if (link == NULL || entry->len == 0) {
		fabric_rx_done(rx);
		return;
	}
	rx->bytes = rx_bytes(rx);
	rx->len = (uint32_t)entry->len;
	fabric_link_receive(link, rx);
}

static void port_complete(struct fabric_port *port, const struct fi_cq_data_entry *entry)
{
	struct fabric_link *link;

	if (sdpu_likely(entry->flags & FI_RECV)) {
		port_receive(port, entry);
		return;
	}
	link = fabric_port_find(port, (uintptr_t)entry->op_context);
	if (link != NULL)
		fabric_link_complete(link);
}

/* Of a message that cannot be received we are not told whose it was; its endpoint is shut down. */
static void port_read_error(struct fabric_port *port)
{
	struct fi_cq_err_entry entry = {0};
	struct fabric_link *link;

	if (fi_cq_readerr(port->cq, &entry, 0) != 1)
		return;
	sdpu_log_dbg("doca_rdma: libfabric: %s", port->lib->strerror(entry.err));
	if (entry.flags & FI_RECV) {
		if (entry.op_context != NULL) {
			port->num_posted--;
			fabric_rx_done(entry.op_context);
		}
		return;
	}
	link = fabric_port_find(port, (uintptr_t)entry.op_context);
	if (link != NULL)
		fabric_link_fail(link, DOCA_ERROR_CONNECTION_RESET);
}

static void port_rerun(struct fabric_port *port)
{
	struct sdpu_list *node;

	sdpu_list_for_each (node, &port->links)
		fabric_link_drive(sdpu_container_of(node, struct fabric_link, node));
}

bool fabric_port_drive(struct fabric_port *port)
{
	struct fi_cq_data_entry entries[DRIVE_BATCH];
	uint32_t due = port->num_rerun;
	ssize_t n;

	port_post(port);
	n = fi_cq_read(port->cq, entries, DRIVE_BATCH);
	for (ssize_t i = 0; i < n; i++)
		port_complete(port, &entries[i]);
	if (sdpu_unlikely(n == -FI_EAVAIL))
		port_read_error(port);
	/* What came just now may have asked for it as well, and need not wait for the next one. */
	if (port->num_rerun != 0)
		port_rerun(port);
	fabric_proto_port_drive(&port->proto);
	return n > 0 || n == -FI_EAVAIL || due != 0;
}
