/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the heap refuses to the calls of RDMA, between two ends of one machine, over shared memory
 * and over TCP.
 */
#include <linux/sockios.h>
#include <stdlib.h>
#include <sys/ioctl.h>

#include <doca_rdma.h>

#include "misuse/scarce.h"
#include "rdma/fabric_lib.h"
#include "rdma/local.h"
#include "rdma/rig.h"

static struct rig_end a, b;
static struct rig_card card;

SCARCE_CASE(contexts)
{
	struct doca_rdma_addr *addr;
	struct doca_rdma *rdma;

	rig_init(&a);
	rig_open(&a);
	SCARCE(doca_rdma_create(a.dev, &rdma), rdma, T_OK(doca_rdma_destroy(rdma)));
	SCARCE(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", 4711, &addr), addr,
	       T_OK(doca_rdma_addr_destroy(addr)));
	SCARCE_STEP(doca_ctx_start(a.ctx), T_OK(doca_ctx_stop(a.ctx)));
	rig_close(&a);
}

static void stop_and_start(struct rig_end *end)
{
	if (doca_ctx_stop(end->ctx) == DOCA_ERROR_IN_PROGRESS)
		RIG_ALONE(end, rig_state(end) == DOCA_CTX_STATE_IDLE);
	T_OK(doca_ctx_start(end->ctx));
}

SCARCE_CASE(connections)
{
	struct doca_rdma_connection *connection;
	const void *details;
	size_t len;

	rig_init(&a);
	rig_init(&b);
	rig_open(&a);
	rig_open(&b);
	T_OK(doca_ctx_start(a.ctx));
	T_OK(doca_ctx_start(b.ctx));
	rig_export(&b, &card);
	SCARCE(doca_rdma_export(a.rdma, &details, &len, &connection), connection,
	       stop_and_start(&a));
	T_OK(doca_rdma_export(a.rdma, &details, &len, &connection));
	SCARCE_STEP(doca_rdma_connect(a.rdma, card.details, card.details_len, connection),
		    (stop_and_start(&a), stop_and_start(&b), rig_export(&b, &card),
		     T_OK(doca_rdma_export(a.rdma, &details, &len, &connection))));
	rig_close_both(&a, &b);
}

/* ---- With a peer in a process of its own, which is watched ---- */

#define ROUNDS 2 /* calls of a row that succeed */

static uint16_t port;
static int link_fd;
static uint32_t joined;

static void open_by_address(struct rig_end *end)
{
	rig_init(end);
	end->by_address = true;
	rig_open(end);
	T_OK(doca_ctx_start(end->ctx));
}

/* Who has called may have had no memory to wait for the answer. */
static void accept_if_there(struct rig_end *end, struct doca_rdma_connection *connection)
{
	(void)end;
	(void)doca_rdma_connection_accept(connection, NULL, 0);
}

static int accepting_server(void *arg)
{
	int fd = *(int *)arg;

	open_by_address(&b);
	b.on_request = accept_if_there;
	rig_listen(&b, port);
	rig_say(fd, 'l');
	RIG_ALONE(&b, b.disconnects == ROUNDS);
	rig_close(&b);
	return 0;
}

static void part(struct rig_end *end)
{
	joined++;
	RIG_ALONE(end, end->established == joined);
	T_OK(doca_rdma_connection_disconnect(end->connection));
	RIG_ALONE(end, end->disconnects == joined);
}

static doca_error_t dial(struct doca_rdma_addr *addr)
{
	union doca_data data = {.u64 = 7};

	return doca_rdma_connect_to_addr(a.rdma, addr, data);
}

static void dial_rows(const char *backend)
{
	struct doca_rdma_addr *addr;
	pid_t pid;

	setenv("SOFTDPU_RDMA", backend, 1);
	port = rig_port();
	pid = rig_peer(accepting_server, &link_fd);
	open_by_address(&a);
	T_EQ(rig_hear(link_fd), 'l');
	T_OK(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, rig_peer_address(), port, &addr));
	SCARCE_STEP(dial(addr), part(&a));
	T_EQ(t_wait(pid, 10000), 0);
	T_EQ(a.failures, 0);
	T_OK(doca_rdma_addr_destroy(addr));
	rig_close(&a);
}

SCARCE_CASE(clients)
{
	dial_rows("local");
}

SCARCE_CASE(clients_over_tcp)
{
	dial_rows("fabric");
}

static int dialling_client(void *arg)
{
	int fd = *(int *)arg;

	open_by_address(&b);
	(void)rig_hear(fd);
	for (uint32_t i = 1; i <= ROUNDS; i++) {
		rig_dial(&b, port, 0);
		RIG_ALONE(&b, b.disconnects == i);
	}
	T_EQ(b.failures, 0);
	rig_close(&b);
	return 0;
}

static void part_and_await_request(void)
{
	part(&a);
	if (joined < ROUNDS)
		RIG_ALONE(&a, a.requests == joined + 1);
}

static void accept_rows(const char *backend)
{
	pid_t pid;

	setenv("SOFTDPU_RDMA", backend, 1);
	port = rig_port();
	pid = rig_peer(dialling_client, &link_fd);
	open_by_address(&a);
	rig_listen(&a, port);
	rig_say(link_fd, 'l');
	RIG_ALONE(&a, a.requests == 1);
	SCARCE_STEP(doca_rdma_connection_accept(a.connection, NULL, 0), part_and_await_request());
	T_EQ(t_wait(pid, 10000), 0);
	rig_close(&a);
}

SCARCE_CASE(servers)
{
	accept_rows("local");
}

SCARCE_CASE(servers_over_tcp)
{
	accept_rows("fabric");
}

/* The peer connects after us, or before us: then it is we who find it waiting. */
static bool peer_is_first;

/* The other process's agent has it all, descriptors as well, which are counted there. */
static bool call_is_taken(const struct doca_rdma_connection *connection)
{
	int left;

	/* Over TCP the call has been answered. */
	if (rig_is_fabric())
		return true;
	T_EQ(ioctl(connection->local->control.watch.fd, SIOCOUTQ, &left), 0);
	return left == 0;
}

static int connecting_peer(void *arg)
{
	int fd = *(int *)arg;
	struct rig_card mine;

	rig_init(&b);
	rig_open(&b);
	T_OK(doca_ctx_start(b.ctx));
	for (uint32_t i = 0; i < ROUNDS; i++) {
		rig_export(&b, &mine);
		rig_put(fd, &mine, sizeof(mine));
		rig_get(fd, &card, sizeof(card));
		if (!peer_is_first)
			(void)rig_hear(fd);
		T_OK(rig_connect(&b, &card));
		if (peer_is_first) {
			T_EVENTUALLY(call_is_taken(b.connection), 10000);
			rig_say(fd, 'w');
		}
		rig_receive(&b, rig_room(&b, 0, 64), i);
		RIG_ALONE(&b, b.ok[RIG_RECEIVE] == i + 1);
		rig_say(fd, 'r');
		RIG_ALONE(&b, b.disconnects == i + 1);
	}
	rig_close(&b);
	return 0;
}

static void swap_cards(void)
{
	struct rig_card mine;

	rig_export(&a, &mine);
	rig_get(link_fd, &card, sizeof(card));
	rig_put(link_fd, &mine, sizeof(mine));
	if (peer_is_first)
		(void)rig_hear(link_fd);
}

static void greet_and_part(void)
{
	if (!peer_is_first)
		rig_say(link_fd, 'c');
	rig_send(&a, rig_data(&a, 0, 64), joined++);
	RIG_ALONE(&a, a.ok[RIG_SEND] == joined);
	T_EQ(rig_hear(link_fd), 'r');
	stop_and_start(&a);
	if (joined < ROUNDS)
		swap_cards();
}

/* Who of the two calls, cookies decide, which are random. */
static void connect_rows(const char *backend, bool peers_first)
{
	pid_t pid;

	setenv("SOFTDPU_RDMA", backend, 1);
	peer_is_first = peers_first;
	pid = rig_peer(connecting_peer, &link_fd);
	rig_init(&a);
	rig_open(&a);
	T_OK(doca_ctx_start(a.ctx));
	/* It is loaded once, and does with less if it must. */
	if (rig_is_fabric())
		(void)fabric_lib_get();
	swap_cards();
	SCARCE_STEP(rig_connect(&a, &card), greet_and_part());
	T_EQ(t_wait(pid, 10000), 0);
	rig_close(&a);
}

SCARCE_CASE(exported)
{
	connect_rows("local", false);
}

SCARCE_CASE(exported_and_called)
{
	connect_rows("local", true);
}

SCARCE_CASE(exported_over_tcp)
{
	connect_rows("fabric", false);
}

SCARCE_CASE(exported_and_called_over_tcp)
{
	connect_rows("fabric", true);
}

static void listen_rows(const char *backend)
{
	setenv("SOFTDPU_RDMA", backend, 1);
	port = rig_port();
	open_by_address(&a);
	/* libfabric is loaded once. */
	rig_listen(&a, port);
	T_OK(doca_rdma_stop_listen_to_port(a.rdma, port));
	SCARCE_STEP(doca_rdma_start_listen_to_port(a.rdma, port),
		    T_OK(doca_rdma_stop_listen_to_port(a.rdma, port)));
	rig_close(&a);
}

SCARCE_CASE(ports)
{
	listen_rows("local");
}

SCARCE_CASE(ports_over_tcp)
{
	listen_rows("fabric");
}
