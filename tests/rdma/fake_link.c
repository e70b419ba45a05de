/* SPDX-License-Identifier: BSD-3-Clause */
#include "rdma/fake_link.h"

#include <stdlib.h>
#include <string.h>

#include "base/atomic.h"
#include "rdma/backend.h"

#define ENOUGH_MS 20000

/* Between the two ends; nothing else is locked with it held. */
static pthread_mutex_t wire_lock = PTHREAD_MUTEX_INITIALIZER;

/* Named by the linker: --wrap. */
doca_error_t __wrap_fabric_link_send(struct fabric_link *link, const struct iovec *iov,
				     uint32_t num, uint64_t cookie);
void __wrap_fabric_link_rerun(struct fabric_link *link);
void __wrap_fabric_link_fail(struct fabric_link *link, doca_error_t why);
void __wrap_fabric_link_attend(struct fabric_link *link);
void __wrap_fabric_rx_done(struct fabric_rx *rx);
void __wrap_rdma_backend_close_all(struct doca_rdma_connection *connection);
void __real_rdma_backend_close_all(struct doca_rdma_connection *connection);

static struct fake_end *end_of(struct fabric_link *link)
{
	return (struct fake_end *)link;
}

static void gather(const struct fake_send *send, struct fake_frame *frame)
{
	frame->len = 0;
	frame->bytes = malloc(FABRIC_FRAME_MAX);
	for (uint32_t i = 0; i < send->num; i++) {
		memcpy(frame->bytes + frame->len, send->iov[i].iov_base, send->iov[i].iov_len);
		frame->len += (uint32_t)send->iov[i].iov_len;
	}
}

static uint32_t sum(const struct iovec *iov, uint32_t num)
{
	uint64_t len = 0;

	T_CHECK(num >= 1 && num <= FABRIC_IOV_MAX);
	for (uint32_t i = 0; i < num; i++)
		len += iov[i].iov_len;
	T_CHECK(len >= 1 && len <= FABRIC_FRAME_MAX);
	return (uint32_t)len;
}

doca_error_t __wrap_fabric_link_send(struct fabric_link *link, const struct iovec *iov,
				     uint32_t num, uint64_t cookie)
{
	struct fake_end *end = end_of(link);
	struct fake_send *send = &end->sends[end->next_send % FAKE_QUEUE];
	uint32_t len = sum(iov, num);

	if (!end->up || end->failed || end->over)
		return DOCA_ERROR_CONNECTION_RESET;
	if (end->next_send - end->first_send == FAKE_QUEUE || end->refused) {
		end->refused = true;
		return DOCA_ERROR_AGAIN;
	}
	send->num = num;
	send->cookie = cookie;
	memcpy(send->iov, iov, num * sizeof(*iov));
	if (cookie == 0) {
		T_CHECK(len <= FABRIC_COPIED_MAX);
		len = 0;
		for (uint32_t i = 0; i < num; i++) {
			memcpy(send->copied + len, iov[i].iov_base, iov[i].iov_len);
			len += (uint32_t)iov[i].iov_len;
		}
		send->iov[0] = (struct iovec){send->copied, len};
		send->num = 1;
	}
	end->next_send++;
	end->frames++;
	return DOCA_SUCCESS;
}

void __wrap_fabric_link_rerun(struct fabric_link *link)
{
	end_of(link)->rerun = true;
}

void __wrap_fabric_link_fail(struct fabric_link *link, doca_error_t why)
{
	struct fake_end *end = end_of(link);

	if (end->failed)
		return;
	end->failed = true;
	end->why = why;
}

void __wrap_fabric_link_attend(struct fabric_link *link)
{
	end_of(link)->attends++;
	sdpu_bell_attend(&end_of(link)->connection->rdma->ctx.pe->bell);
}

void __wrap_fabric_rx_done(struct fabric_rx *rx)
{
	struct fake_port *port = (struct fake_port *)(void *)rx->port;
	uint32_t bit = 1u << (rx - port->rx);

	T_EQ(port->free_rx & bit, 0);
	port->free_rx |= bit;
	memset(port->staging[rx - port->rx], 0xdd, FABRIC_FRAME_MAX);
}

static void wire_clear(struct fake_end *end)
{
	while (end->first_frame != end->next_frame)
		free(end->wire[end->first_frame++ % FAKE_WIRE].bytes);
}

/* What has been sent before still comes. */
static void close_end(struct fake_end *end)
{
	pthread_mutex_lock(&end->port.lock);
	pthread_mutex_lock(&wire_lock);
	wire_clear(end);
	end->open = false;
	end->peer->cut = true;
	pthread_mutex_unlock(&wire_lock);
	end->over = true;
	end->first_send = end->next_send;
	end->gone = 0;
	fabric_proto_close(&end->proto);
	T_EQ(end->port.free_rx, (1ull << FABRIC_STAGING) - 1);
	T_EQ(end->port.proto.held, 0);
	pthread_mutex_unlock(&end->port.lock);
}

void __wrap_rdma_backend_close_all(struct doca_rdma_connection *connection)
{
	struct fake_end *end = (struct fake_end *)(void *)connection->fabric;

	if (end != NULL)
		close_end(end);
	connection->fabric = NULL;
	__real_rdma_backend_close_all(connection);
}

static struct fake_end *end_at(const struct doca_rdma_connection *connection)
{
	return (struct fake_end *)(void *)connection->fabric;
}

static bool fake_poll(struct doca_rdma_connection *connection)
{
	struct fake_end *end = end_at(connection);
	struct fabric_event event;

	pthread_mutex_lock(&end->port.lock);
	fabric_proto_look(&end->proto, &event);
	pthread_mutex_unlock(&end->port.lock);
	return fabric_proto_deliver(&end->proto, &event);
}

static bool fake_pending(const struct doca_rdma_connection *connection)
{
	struct fake_end *end = end_at(connection);
	bool pending;

	pthread_mutex_lock(&end->port.lock);
	pending = fabric_proto_pending(&end->proto);
	pthread_mutex_unlock(&end->port.lock);
	return pending;
}

static void fake_settle(struct doca_rdma_connection *connection)
{
	struct fake_end *end = end_at(connection);

	pthread_mutex_lock(&end->port.lock);
	fabric_proto_settle(&end->proto);
	pthread_mutex_unlock(&end->port.lock);
}

static enum rdma_step fake_act(struct doca_rdma_connection *connection, struct rdma_op *op)
{
	struct fake_end *end = end_at(connection);
	enum rdma_step step;

	pthread_mutex_lock(&end->port.lock);
	step = fabric_proto_act(&end->proto, op);
	pthread_mutex_unlock(&end->port.lock);
	return step;
}

static bool fake_answered(struct doca_rdma_connection *connection, struct rdma_op *op)
{
	struct fake_end *end = end_at(connection);
	bool answered;

	pthread_mutex_lock(&end->port.lock);
	answered = fabric_proto_answered(&end->proto, op);
	pthread_mutex_unlock(&end->port.lock);
	return answered;
}

static void fake_cancel(struct rdma_op *op)
{
	struct fake_end *end = end_at(op->connection);

	if (end == NULL)
		return;
	pthread_mutex_lock(&end->port.lock);
	fabric_proto_cancel(&end->proto, op);
	pthread_mutex_unlock(&end->port.lock);
}

static const struct rdma_backend fake_backend = {
	.name = "fake",
	.poll = fake_poll,
	.pending = fake_pending,
	.settle = fake_settle,
	.act = fake_act,
	.answered = fake_answered,
	.cancel = fake_cancel,
};

static void kick(struct fabric_proto_port *proto)
{
	struct fake_port *port = sdpu_container_of(proto, struct fake_port, proto);

	(void)sdpu_fetch_add(&port->kicks, 1);
}

static void port_open(struct fake_port *port)
{
	pthread_mutex_init(&port->lock, NULL);
	port->proto.lock = &port->lock;
	port->proto.kick = kick;
	fabric_proto_port_open(&port->proto);
	port->free_rx = (1ull << FABRIC_STAGING) - 1;
	for (uint32_t i = 0; i < FABRIC_STAGING; i++)
		port->rx[i].port = (struct fabric_port *)(void *)port;
}

static void end_join(struct fake_end *end, struct rig_end *rig, uint32_t peer_permissions)
{
	struct doca_rdma_connection *connection;

	T_OK(rdma_connection_alloc(rig->rdma, &connection));
	rdma_connection_move(connection, RDMA_CONNECTION_EXPORTED);
	connection->fabric = (struct rdma_fabric *)(void *)end;
	connection->peer_permissions = peer_permissions;
	end->connection = rig->connection = connection;
	end->open = true;
	end->up = end->failed = end->over = end->rerun = end->refused = end->cut = false;
	T_OK(fabric_proto_open(&end->proto, &end->port.proto, &end->link, connection));
	rdma_connection_begin(connection, &fake_backend);
	rdma_connection_up(connection, NULL, 0);
}

static void end_up(struct fake_end *end)
{
	pthread_mutex_lock(&end->port.lock);
	end->up = true;
	end->link.ops->up(&end->link);
	pthread_mutex_unlock(&end->port.lock);
}

void fake_join(struct fake_pair *pair)
{
	for (int i = 0; i < 2; i++)
		end_join(&pair->end[i], &pair->rig[i], pair->rig[!i].permissions);
	for (int i = 0; i < 2; i++)
		end_up(&pair->end[i]);
}

static void card_of(struct rig_end *rig, struct rig_card *card)
{
	const void *bytes;

	card->addr = (uintptr_t)rig->memory;
	card->size = rig->size;
	T_OK(doca_mmap_export_rdma(rig->mmap, rig->dev, &bytes, &card->memory_len));
	memcpy(card->memory, bytes, card->memory_len);
}

void fake_raise(struct fake_pair *pair)
{
	pair->random = 88172645463325252ull;
	for (int i = 0; i < 2; i++) {
		rig_open(&pair->rig[i]);
		T_OK(doca_ctx_start(pair->rig[i].ctx));
		card_of(&pair->rig[i], &pair->card[i]);
		pair->end[i].peer = &pair->end[!i];
		port_open(&pair->end[i].port);
	}
	for (int i = 0; i < 2; i++)
		rig_import(&pair->rig[i], &pair->card[!i]);
	fake_join(pair);
}

void fake_begin(struct fake_pair *pair)
{
	memset(pair, 0, sizeof(*pair));
	rig_init(&pair->rig[0]);
	rig_init(&pair->rig[1]);
	fake_raise(pair);
}

void fake_close(struct fake_pair *pair)
{
	for (int i = 0; i < 2; i++)
		rig_close(&pair->rig[i]);
	for (int i = 0; i < 2; i++) {
		fabric_proto_port_close(&pair->end[i].port.proto);
		wire_clear(&pair->end[i]);
		pthread_mutex_destroy(&pair->end[i].port.lock);
	}
}

static bool step_leave(struct fake_end *end)
{
	struct fake_end *peer = end->peer;
	struct fake_frame frame;

	if (end->first_send + end->gone == end->next_send)
		return false;
	pthread_mutex_lock(&wire_lock);
	if (peer->next_frame - peer->first_frame == FAKE_WIRE) {
		pthread_mutex_unlock(&wire_lock);
		return false;
	}
	gather(&end->sends[(end->first_send + end->gone++) % FAKE_QUEUE], &frame);
	if (peer->open && !end->cut)
		peer->wire[peer->next_frame++ % FAKE_WIRE] = frame;
	else
		free(frame.bytes);
	pthread_mutex_unlock(&wire_lock);
	return true;
}

static bool step_report(struct fake_end *end)
{
	struct fake_send *send = &end->sends[end->first_send % FAKE_QUEUE];

	if (end->gone == 0)
		return false;
	end->gone--;
	end->first_send++;
	if (send->cookie != 0)
		end->link.ops->sent(&end->link, send->cookie);
	return true;
}

static bool wire_get(struct fake_end *end, struct fake_frame *frame, bool *cut)
{
	bool got;

	pthread_mutex_lock(&wire_lock);
	*cut = end->cut;
	got = end->first_frame != end->next_frame;
	if (got)
		*frame = end->wire[end->first_frame++ % FAKE_WIRE];
	pthread_mutex_unlock(&wire_lock);
	return got;
}

static void go_down(struct fake_end *end, doca_error_t why)
{
	end->over = true;
	end->first_send = end->next_send;
	end->gone = 0;
	end->link.ops->down(&end->link, why);
}

static bool step_arrive(struct fake_end *end)
{
	struct fabric_rx *rx;
	struct fake_frame frame;
	bool cut;

	if (end->failed || end->port.free_rx == 0)
		return false;
	if (!wire_get(end, &frame, &cut)) {
		if (cut)
			go_down(end, DOCA_ERROR_CONNECTION_RESET);
		return cut;
	}
	rx = &end->port.rx[__builtin_ctz(end->port.free_rx)];
	end->port.free_rx &= ~(1u << (rx - end->port.rx));
	if (end->tamper != NULL)
		end->tamper(end, frame.bytes, &frame.len);
	memcpy(end->port.staging[rx - end->port.rx], frame.bytes, frame.len);
	rx->bytes = end->port.staging[rx - end->port.rx];
	rx->len = frame.len;
	free(frame.bytes);
	end->link.ops->frame(&end->link, rx);
	return true;
}

static bool step_drive(struct fake_end *end)
{
	fabric_proto_port_drive(&end->port.proto);
	if (end->failed) {
		pthread_mutex_lock(&wire_lock);
		end->peer->cut = true;
		pthread_mutex_unlock(&wire_lock);
		go_down(end, end->why);
		return true;
	}
	if (!end->rerun && !(end->refused && end->first_send == end->next_send))
		return false;
	end->rerun = end->refused = false;
	end->link.ops->drive(&end->link);
	return true;
}

static bool (*const steps[FAKE_STEPS])(struct fake_end *end) = {
	[FAKE_LEAVE] = step_leave,
	[FAKE_REPORT] = step_report,
	[FAKE_ARRIVE] = step_arrive,
	[FAKE_DRIVE] = step_drive,
};

bool fake_step(struct fake_end *end, enum fake_step step)
{
	bool did;

	pthread_mutex_lock(&end->port.lock);
	did = end->open && !end->over && steps[step](end);
	pthread_mutex_unlock(&end->port.lock);
	return did;
}

void fake_run(struct fake_pair *pair)
{
	bool did;

	do {
		did = false;
		for (int i = 0; i < 2; i++)
			for (int step = 0; step < FAKE_STEPS; step++)
				did |= fake_step(&pair->end[i], (enum fake_step)step);
	} while (did);
}

uint32_t fake_random(struct fake_pair *pair, uint32_t below)
{
	pair->random ^= pair->random << 13;
	pair->random ^= pair->random >> 7;
	pair->random ^= pair->random << 17;
	return (uint32_t)((pair->random >> 11) % below);
}

void fake_turn(struct fake_pair *pair)
{
	struct fake_end *end = &pair->end[fake_random(pair, 2)];
	uint32_t what = fake_random(pair, FAKE_STEPS + 2);

	/* A burst, more often than not: one thing at a time is the rare case in life. */
	for (uint32_t n = fake_random(pair, 8) + 1; n > 0; n--) {
		if (what >= FAKE_STEPS)
			(void)doca_pe_progress(pair->rig[end == &pair->end[1]].pe);
		else if (!fake_step(end, (enum fake_step)what))
			break;
	}
	if (fake_random(pair, 50) == 0) {
		pthread_mutex_lock(&end->port.lock);
		end->refused = true;
		pthread_mutex_unlock(&end->port.lock);
	}
}

void fake_cut(struct fake_pair *pair)
{
	pthread_mutex_lock(&wire_lock);
	for (int i = 0; i < 2; i++) {
		wire_clear(&pair->end[i]);
		pair->end[i].cut = true;
	}
	pthread_mutex_unlock(&wire_lock);
}

void fake_inject(struct fake_end *end, const void *bytes, uint32_t len)
{
	struct fake_frame frame = {.bytes = malloc(FABRIC_FRAME_MAX), .len = len};

	memcpy(frame.bytes, bytes, len);
	pthread_mutex_lock(&wire_lock);
	T_CHECK(end->next_frame - end->first_frame < FAKE_WIRE);
	end->wire[end->next_frame++ % FAKE_WIRE] = frame;
	pthread_mutex_unlock(&wire_lock);
}
