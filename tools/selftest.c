/* SPDX-License-Identifier: BSD-3-Clause */
#include "selftest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <doca_rdma_task_memory.h>

#define NUM_TASKS 16
#define MESSAGE_MAX 4080

struct selftest selftest;

void selftest_fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", selftest.is_server ? "DPU's half" : "host's half", what);
	exit(EXIT_FAILURE);
}

void selftest_try(const char *what, doca_error_t result)
{
	char text[512];

	if (result == DOCA_SUCCESS || result == DOCA_ERROR_IN_PROGRESS)
		return;
	snprintf(text, sizeof(text), "%s: %s", what, doca_error_get_name(result));
	selftest_fail(text);
}

uint64_t selftest_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

static bool is_wanted(const struct doca_devinfo *info,
		      doca_error_t (*can)(const struct doca_devinfo *), const char *pci)
{
	uint8_t is_equal = pci == NULL;

	if (pci != NULL)
		TRY(doca_devinfo_is_equal_pci_addr(info, pci, &is_equal));
	return is_equal && can(info) == DOCA_SUCCESS;
}

void selftest_open(doca_error_t (*can)(const struct doca_devinfo *), const char *pci)
{
	struct doca_devinfo **list;
	uint32_t num, i;

	TRY(doca_devinfo_create_list(&list, &num));
	for (i = 0; i < num && selftest.dev == NULL; i++)
		if (is_wanted(list[i], can, pci))
			TRY(doca_dev_open(list[i], &selftest.dev));
	TRY(doca_devinfo_destroy_list(list));
	if (selftest.dev == NULL)
		selftest_fail("there is no device for it in this topology");
}

/* Or lost: the other half finds that out by itself. */
static void on_sent(struct doca_comch_task_send *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	doca_task_free(doca_comch_task_send_as_task(task));
}

static void on_message(struct doca_comch_event_msg_recv *event, uint8_t *msg, uint32_t len,
		       struct doca_comch_connection *connection)
{
	selftest.connection = connection;
	selftest.on_message(&selftest, msg[0], msg + 1, len - 1);
}

static void on_connected(struct doca_comch_event_connection_status_changed *event,
			 struct doca_comch_connection *connection, uint8_t ok)
{
}

/* The host's half has seen all that it wanted, or has told what is wrong. */
static void on_disconnected(struct doca_comch_event_connection_status_changed *event,
			    struct doca_comch_connection *connection, uint8_t ok)
{
	exit(EXIT_SUCCESS);
}

void selftest_set_up(const char *name, struct doca_dev_rep *rep)
{
	TRY(doca_pe_create(&selftest.pe));
	if (selftest.is_server) {
		TRY(doca_comch_server_create(selftest.dev, rep, name, &selftest.server));
		TRY(doca_pe_connect_ctx(selftest.pe, doca_comch_server_as_ctx(selftest.server)));
		TRY(doca_comch_server_task_send_set_conf(selftest.server, on_sent, on_sent,
							 NUM_TASKS));
		TRY(doca_comch_server_event_msg_recv_register(selftest.server, on_message));
		TRY(doca_comch_server_event_connection_status_changed_register(
			selftest.server, on_connected, on_disconnected));
		TRY(doca_ctx_start(doca_comch_server_as_ctx(selftest.server)));
	} else {
		TRY(doca_comch_client_create(selftest.dev, name, &selftest.client));
		TRY(doca_pe_connect_ctx(selftest.pe, doca_comch_client_as_ctx(selftest.client)));
		TRY(doca_comch_client_task_send_set_conf(selftest.client, on_sent, on_sent,
							 NUM_TASKS));
		TRY(doca_comch_client_event_msg_recv_register(selftest.client, on_message));
		TRY(doca_ctx_start(doca_comch_client_as_ctx(selftest.client)));
	}
}

/* Two or three are on their way at a time, far fewer than the tasks. */
void selftest_send(enum selftest_message kind, const void *body, size_t len)
{
	uint8_t message[MESSAGE_MAX];
	struct doca_comch_task_send *task;

	if (len + 1 > sizeof(message))
		selftest_fail("what RDMA has to tell is longer than a control message");
	message[0] = (uint8_t)kind;
	memcpy(message + 1, body, len);
	if (selftest.is_server)
		TRY(doca_comch_server_task_send_alloc_init(selftest.server, selftest.connection,
							   message, (uint32_t)len + 1, &task));
	else
		TRY(doca_comch_client_task_send_alloc_init(selftest.client, selftest.connection,
							   message, (uint32_t)len + 1, &task));
	TRY(doca_task_submit(doca_comch_task_send_as_task(task)));
}

static void on_link(struct doca_rdma_connection *link, union doca_data link_data,
		    union doca_data ctx_data)
{
}

static void on_written(struct doca_rdma_task_write *task, union doca_data task_data,
		       union doca_data ctx_data)
{
	*(doca_error_t *)task_data.ptr = doca_task_get_status(doca_rdma_task_write_as_task(task));
	doca_task_free(doca_rdma_task_write_as_task(task));
}

static void on_read(struct doca_rdma_task_read *task, union doca_data task_data,
		    union doca_data ctx_data)
{
	*(doca_error_t *)task_data.ptr = doca_task_get_status(doca_rdma_task_read_as_task(task));
	doca_task_free(doca_rdma_task_read_as_task(task));
}

void selftest_start_rdma(void)
{
	const void *details;
	size_t len;

	TRY(doca_rdma_create(selftest.dev, &selftest.rdma));
	TRY(doca_pe_connect_ctx(selftest.pe, doca_rdma_as_ctx(selftest.rdma)));
	TRY(doca_rdma_set_permissions(selftest.rdma, DOCA_ACCESS_FLAG_LOCAL_READ_WRITE |
							     DOCA_ACCESS_FLAG_RDMA_READ |
							     DOCA_ACCESS_FLAG_RDMA_WRITE));
	TRY(doca_rdma_set_connection_state_callbacks(selftest.rdma, NULL, on_link, on_link,
						     on_link));
	TRY(doca_rdma_task_write_set_conf(selftest.rdma, on_written, on_written, 1));
	TRY(doca_rdma_task_read_set_conf(selftest.rdma, on_read, on_read, 1));
	TRY(doca_ctx_start(doca_rdma_as_ctx(selftest.rdma)));
	TRY(doca_rdma_export(selftest.rdma, &details, &len, &selftest.link));
	selftest_send(MESSAGE_DETAILS, details, len);
}

struct doca_mmap *selftest_map(void *base, size_t len, uint32_t permissions)
{
	struct doca_mmap *mmap;

	TRY(doca_mmap_create(&mmap));
	TRY(doca_mmap_add_dev(mmap, selftest.dev));
	TRY(doca_mmap_set_memrange(mmap, base, len));
	TRY(doca_mmap_set_permissions(mmap, permissions));
	TRY(doca_mmap_start(mmap));
	return mmap;
}
