/* SPDX-License-Identifier: BSD-3-Clause */
#include "rdma/rig.h"

#include <fcntl.h>
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/kit.h"

void rig_init(struct rig_end *end)
{
	memset(end, 0, sizeof(*end));
	end->permissions = RIG_ALL;
	end->mmap_permissions = RIG_ALL;
	end->num_tasks = RIG_TASKS;
	end->max_connections = RIG_CONNECTIONS;
	end->timeout = 2000;
	end->list_len = 32;
	end->size = RIG_SIZE;
	end->pci = KIT_DPU;
}

static void state_changed(const union doca_data user_data, struct doca_ctx *ctx,
			  enum doca_ctx_states prev, enum doca_ctx_states next)
{
	struct rig_end *end = user_data.ptr;

	(void)ctx;
	(void)prev;
	end->states[end->num_states++ % 16] = next;
	if (end->on_state != NULL)
		end->on_state(end, next);
}

typedef void (*news_hook)(struct rig_end *end, struct doca_rdma_connection *connection);

static void hear(struct rig_end *end, enum rig_news_kind kind,
		 struct doca_rdma_connection *connection, uint64_t data, uint32_t *count,
		 news_hook hook)
{
	end->news[end->num_news++ % 1024] = (struct rig_news){kind, connection, data};
	(*count)++;
	if (hook != NULL)
		hook(end, connection);
}

static void requested(struct doca_rdma_connection *connection, union doca_data ctx_data)
{
	struct rig_end *end = ctx_data.ptr;
	union doca_data data;

	T_CHECK(end->by_address);
	T_OK(doca_rdma_connection_get_user_data(connection, &data));
	end->connection = connection;
	hear(end, RIG_REQUEST, connection, data.u64, &end->requests, end->on_request);
}

static void established(struct doca_rdma_connection *connection, union doca_data connection_data,
			union doca_data ctx_data)
{
	struct rig_end *end = ctx_data.ptr;

	T_CHECK(end->by_address);
	end->connection = connection;
	hear(end, RIG_ESTABLISHED, connection, connection_data.u64, &end->established,
	     end->on_established);
}

static void failed(struct doca_rdma_connection *connection, union doca_data connection_data,
		   union doca_data ctx_data)
{
	struct rig_end *end = ctx_data.ptr;

	hear(end, RIG_FAILURE, connection, connection_data.u64, &end->failures, end->on_failure);
}

static void disconnected(struct doca_rdma_connection *connection, union doca_data connection_data,
			 union doca_data ctx_data)
{
	struct rig_end *end = ctx_data.ptr;

	hear(end, RIG_DISCONNECT, connection, connection_data.u64, &end->disconnects,
	     end->on_disconnect);
}

static void configure(struct rig_end *end)
{
	struct doca_rdma *rdma = end->rdma;
	union doca_data data = {.ptr = end};

	T_OK(doca_rdma_set_permissions(rdma, end->permissions));
	T_OK(doca_rdma_set_max_num_connections(rdma, end->max_connections));
	T_OK(doca_rdma_set_connection_request_timeout(rdma, end->timeout));
	T_OK(doca_rdma_set_max_send_buf_list_len(rdma, end->list_len));
	T_OK(doca_rdma_task_receive_set_dst_buf_list_len(rdma, end->list_len));
	T_OK(doca_rdma_set_connection_state_callbacks(rdma, requested, established, failed,
						      disconnected));
	T_OK(doca_ctx_set_user_data(end->ctx, data));
	T_OK(doca_ctx_set_state_changed_cb(end->ctx, state_changed));
	if (end->num_tasks != 0)
		rig_configure_tasks(end);
}

/* Memory that peers can map. */
static uint8_t *shared_memory(size_t size)
{
	int fd = t_memory_file(size, F_SEAL_SHRINK);
	void *at = t_map_file(fd, size);

	close(fd);
	return at;
}

/* Windows of other kinds than mapped are for memory like that of most programs. */
static void get_memory(struct rig_end *end)
{
	const char *window = getenv("SOFTDPU_WINDOW");

	end->owns_memory = true;
	end->is_shared = window != NULL && strcmp(window, "mapped") == 0;
	end->memory = end->is_shared ? shared_memory(end->size) : calloc(1, end->size);
}

static void give_memory(struct rig_end *end)
{
	if (!end->owns_memory)
		return;
	if (end->is_shared)
		munmap(end->memory, end->size);
	else
		free(end->memory);
}

void rig_open(struct rig_end *end)
{
	end->dev = kit_open(end->pci);
	if (end->memory == NULL)
		get_memory(end);
	end->mmap = kit_mmap(end->dev, end->memory, end->size, end->mmap_permissions);
	T_OK(doca_buf_inventory_create(1024, &end->inventory));
	T_OK(doca_buf_inventory_start(end->inventory));
	T_OK(doca_pe_create(&end->pe));
	T_OK(doca_rdma_create(end->dev, &end->rdma));
	end->ctx = doca_rdma_as_ctx(end->rdma);
	T_OK(doca_pe_connect_ctx(end->pe, end->ctx));
	configure(end);
}

void rig_start(struct rig_end *end)
{
	rig_init(end);
	rig_open(end);
	T_OK(doca_ctx_start(end->ctx));
}

enum doca_ctx_states rig_state(const struct rig_end *end)
{
	enum doca_ctx_states state;

	T_OK(doca_ctx_get_state(end->ctx, &state));
	return state;
}

static void stop(struct rig_end *end)
{
	end->on_event = NULL;
	end->on_state = NULL;
	end->on_request = NULL;
	end->on_established = NULL;
	end->on_failure = NULL;
	end->on_disconnect = NULL;
	if (rig_state(end) != DOCA_CTX_STATE_IDLE) {
		(void)doca_ctx_stop(end->ctx);
		RIG_ALONE(end, rig_state(end) == DOCA_CTX_STATE_IDLE);
	}
	T_OK(doca_rdma_destroy(end->rdma));
}

void rig_close(struct rig_end *end)
{
	if (end->dev == NULL)
		return;
	if (end->rdma != NULL)
		stop(end);
	T_OK(doca_pe_destroy(end->pe));
	T_OK(doca_buf_inventory_destroy(end->inventory));
	if (end->peer != NULL)
		T_OK(doca_mmap_destroy(end->peer));
	if (end->mmap != NULL)
		T_OK(doca_mmap_destroy(end->mmap));
	T_OK(doca_dev_close(end->dev));
	for (uint32_t i = 0; i < end->num_addrs; i++)
		T_OK(doca_rdma_addr_destroy(end->addrs[i]));
	give_memory(end);
	end->dev = NULL;
}

void rig_export(struct rig_end *end, struct rig_card *card)
{
	const void *bytes;

	memset(card, 0, sizeof(*card));
	T_OK(doca_rdma_export(end->rdma, &bytes, &card->details_len, &end->connection));
	T_CHECK(card->details_len <= sizeof(card->details));
	memcpy(card->details, bytes, card->details_len);
	card->addr = (uintptr_t)end->memory;
	card->size = end->size;
	if ((end->mmap_permissions & ~DOCA_ACCESS_FLAG_LOCAL_READ_WRITE) == 0)
		return;
	T_OK(doca_mmap_export_rdma(end->mmap, end->dev, &bytes, &card->memory_len));
	T_CHECK(card->memory_len <= sizeof(card->memory));
	memcpy(card->memory, bytes, card->memory_len);
}

doca_error_t rig_connect(struct rig_end *end, const struct rig_card *card)
{
	return doca_rdma_connect(end->rdma, card->details, card->details_len, end->connection);
}

void rig_import(struct rig_end *end, const struct rig_card *card)
{
	if (card->memory_len != 0 && end->peer == NULL)
		T_OK(doca_mmap_create_from_export(NULL, card->memory, card->memory_len, end->dev,
						  &end->peer));
}

static void swap(struct rig_end *a, struct rig_end *b, struct rig_card *card_a,
		 struct rig_card *card_b)
{
	rig_export(a, card_a);
	rig_export(b, card_b);
	T_OK(rig_connect(a, card_b));
	T_OK(rig_connect(b, card_a));
	rig_import(a, card_b);
	rig_import(b, card_a);
}

void rig_join(struct rig_end *a, struct rig_end *b)
{
	struct rig_card card_a, card_b;

	swap(a, b, &card_a, &card_b);
}

/* Whatever is submitted waits for the connection; an access to nothing needs nothing else. */
static void submit_nothing(struct rig_end *end)
{
	end->on_event = NULL;
	end->keep_tasks = false;
	rig_write(end, NULL, NULL, 0);
}

static void forget_nothing(struct rig_end *end, const struct rig_end *before)
{
	end->on_event = before->on_event;
	end->keep_tasks = before->keep_tasks;
	end->ok[RIG_WRITE]--;
	end->num_events--;
}

void rig_await_join(struct rig_end *a, struct rig_end *b)
{
	static struct rig_end before_a, before_b;

	before_a = *a;
	before_b = *b;
	submit_nothing(a);
	submit_nothing(b);
	RIG_UNTIL(a, b,
		  a->num_events == before_a.num_events + 1 &&
			  b->num_events == before_b.num_events + 1);
	forget_nothing(a, &before_a);
	forget_nothing(b, &before_b);
}

void rig_raise(struct rig_end *a, struct rig_end *b, struct rig_card *card_a,
	       struct rig_card *card_b)
{
	struct rig_card own_a, own_b;

	rig_open(a);
	rig_open(b);
	T_OK(doca_ctx_start(a->ctx));
	T_OK(doca_ctx_start(b->ctx));
	swap(a, b, card_a != NULL ? card_a : &own_a, card_b != NULL ? card_b : &own_b);
}

void rig_pair(struct rig_end *a, struct rig_end *b)
{
	rig_init(a);
	rig_init(b);
	rig_raise(a, b, NULL, NULL);
}

/* Below the ports that the kernel gives to those who ask for any: nobody gets it in the meantime.
 */
uint16_t rig_port(void)
{
	struct sockaddr_in at = {.sin_family = AF_INET};
	uint16_t port;
	int result, fd;

	do {
		T_EQ(getrandom(&port, sizeof(port), 0), sizeof(port));
		at.sin_port = htons((uint16_t)(2048 + port % 30000));
		fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
		result = bind(fd, (struct sockaddr *)&at, sizeof(at));
		close(fd);
	} while (result != 0);
	return ntohs(at.sin_port);
}

/* One that was made before is used again; they end with the rig. */
static struct doca_rdma_addr *address_of(struct rig_end *end, uint16_t port)
{
	const char *address = rig_peer_address(), *text;
	enum doca_rdma_addr_type type;
	uint16_t has = 0;

	if (end->num_addrs != 0)
		T_OK(doca_rdma_addr_get_params(end->addrs[end->num_addrs - 1], &type, &text, &has));
	if (has == port)
		return end->addrs[end->num_addrs - 1];
	T_CHECK(end->num_addrs < RIG_ADDRS);
	type = strchr(address, ':') != NULL ? DOCA_RDMA_ADDR_TYPE_IPv6 : DOCA_RDMA_ADDR_TYPE_IPv4;
	T_OK(doca_rdma_addr_create(type, address, port, &end->addrs[end->num_addrs]));
	return end->addrs[end->num_addrs++];
}

void rig_dial(struct rig_end *end, uint16_t port, uint64_t data)
{
	union doca_data user_data = {.u64 = data};

	T_OK(doca_rdma_connect_to_addr(end->rdma, address_of(end, port), user_data));
}

void rig_listen(struct rig_end *end, uint16_t port)
{
	T_OK(doca_rdma_start_listen_to_port(end->rdma, port));
}

void rig_accept(struct rig_end *end, struct doca_rdma_connection *connection)
{
	T_OK(doca_rdma_connection_accept(connection, NULL, 0));
}

static void start_by_address(struct rig_end *end)
{
	end->by_address = true;
	rig_open(end);
	T_OK(doca_ctx_start(end->ctx));
}

uint16_t rig_serve(struct rig_end *a, struct rig_end *b)
{
	uint16_t port = rig_port();

	start_by_address(a);
	start_by_address(b);
	rig_listen(b, port);
	return port;
}

uint16_t rig_serve_anew(struct rig_end *a, struct rig_end *b)
{
	rig_init(a);
	rig_init(b);
	return rig_serve(a, b);
}

void rig_close_both(struct rig_end *a, struct rig_end *b)
{
	rig_close(a);
	rig_close(b);
}

void rig_meet(struct rig_end *a, struct rig_end *b, uint16_t port)
{
	uint32_t before_a = a->established, before_b = b->established;

	b->on_request = rig_accept;
	rig_dial(a, port, 0);
	RIG_UNTIL(a, b, a->established == before_a + 1 && b->established == before_b + 1);
}

const struct rig_news *rig_last_news(const struct rig_end *end, enum rig_news_kind kind)
{
	T_CHECK(end->num_news != 0);
	T_EQ(end->news[end->num_news - 1].kind, kind);
	return &end->news[end->num_news - 1];
}

void rig_exchange(struct rig_end *a, struct rig_end *b)
{
	uint32_t ended_a = a->num_events, ended_b = b->num_events;

	rig_receive(b, rig_room(b, 0, 64), 1);
	rig_receive(a, rig_room(a, 0, 64), 1);
	rig_send(a, rig_data(a, 64, 64), 1);
	rig_send(b, rig_data(b, 64, 64), 1);
	RIG_UNTIL(a, b, a->num_events == ended_a + 2 && b->num_events == ended_b + 2);
	T_EQ(a->failed[RIG_SEND] + b->failed[RIG_SEND], 0);
}

bool rig_turn(struct rig_end *end)
{
	return doca_pe_progress(end->pe) != 0;
}

bool rig_progress(struct rig_end *a, struct rig_end *b)
{
	bool active = rig_turn(a);

	return rig_turn(b) || active;
}

void rig_idle(struct rig_end *a, struct rig_end *b)
{
	uint64_t end = t_deadline(50);

	for (unsigned int turn = 0; !t_expired(end); turn++) {
		rig_progress(a, b);
		t_relax(turn);
	}
}

static struct doca_buf *get_buf(struct rig_end *end, struct doca_mmap *mmap, uint64_t addr,
				size_t len, size_t data_len)
{
	struct doca_buf *buf;

	T_OK(doca_buf_inventory_buf_get_by_args(end->inventory, mmap, (void *)(uintptr_t)addr, len,
						(void *)(uintptr_t)addr, data_len, &buf));
	return buf;
}

struct doca_buf *rig_data(struct rig_end *end, size_t offset, size_t len)
{
	return get_buf(end, end->mmap, (uintptr_t)end->memory + offset, len, len);
}

struct doca_buf *rig_room(struct rig_end *end, size_t offset, size_t len)
{
	return get_buf(end, end->mmap, (uintptr_t)end->memory + offset, len, 0);
}

struct doca_buf *rig_remote_data(struct rig_end *end, const struct rig_card *card, size_t offset,
				 size_t len)
{
	return get_buf(end, end->peer, card->addr + offset, len, len);
}

struct doca_buf *rig_remote_room(struct rig_end *end, const struct rig_card *card, size_t offset,
				 size_t len)
{
	return get_buf(end, end->peer, card->addr + offset, len, 0);
}

uint8_t rig_pattern(uint32_t seed, size_t at)
{
	return (uint8_t)(seed * 31 + at * 7 + (at >> 8) * 13 + (at >> 16));
}

void rig_fill(uint8_t *at, size_t len, uint32_t seed)
{
	for (size_t i = 0; i < len; i++)
		at[i] = rig_pattern(seed, i);
}

void rig_expect(const uint8_t *at, size_t len, uint32_t seed)
{
	for (size_t i = 0; i < len; i++)
		if (at[i] != rig_pattern(seed, i))
			T_FAIL("byte %zu of %zu is %u, not %u", i, len, at[i],
			       rig_pattern(seed, i));
}

void rig_put(int fd, const void *bytes, size_t len)
{
	T_EQ(write(fd, bytes, len), len);
}

void rig_get(int fd, void *bytes, size_t len)
{
	uint8_t *at = bytes;

	while (len != 0) {
		ssize_t n = read(fd, at, len);

		T_CHECK(n > 0);
		at += n;
		len -= (size_t)n;
	}
}
