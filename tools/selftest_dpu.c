/* SPDX-License-Identifier: BSD-3-Clause */
/* The DPU's half of doctor's self-test; contract in selftest.h. */
#include <stdio.h>
#include <string.h>

#include <doca_buf.h>
#include <doca_buf_inventory.h>
#include <doca_rdma_task_memory.h>

#include "selftest.h"

/* What is written to the host, and what is read back. */
static uint8_t block[2][SELFTEST_BLOCK];
static struct doca_mmap *own, *host;
static struct doca_buf_inventory *inventory;
static void *host_base;
static bool is_to_go;

static void on_message(struct selftest *test, enum selftest_message kind, const uint8_t *body,
		       uint32_t len)
{
	size_t size;

	switch (kind) {
	case MESSAGE_DETAILS:
		selftest_start_rdma();
		TRY(doca_rdma_connect(test->rdma, body, len, test->link));
		break;
	case MESSAGE_MEMORY:
		TRY(doca_mmap_create_from_export(NULL, body, len, test->dev, &host));
		TRY(doca_mmap_get_memrange(host, &host_base, &size));
		break;
	case MESSAGE_PING:
		selftest_send(MESSAGE_PING, body, len);
		break;
	default:
		is_to_go = true;
		break;
	}
}

static void wait_for(doca_error_t *status)
{
	while (*status == DOCA_ERROR_IN_PROGRESS)
		doca_pe_progress(selftest.pe);
	TRY(*status);
}

static struct doca_buf *make_buf(struct doca_mmap *mmap, void *base, size_t data_len)
{
	struct doca_buf *buf;

	TRY(doca_buf_inventory_buf_get_by_args(inventory, mmap, base, SELFTEST_BLOCK, base,
					       data_len, &buf));
	return buf;
}

static void write_block(void)
{
	struct doca_buf *from = make_buf(own, block[0], SELFTEST_BLOCK);
	struct doca_buf *to = make_buf(host, host_base, 0);
	doca_error_t status = DOCA_ERROR_IN_PROGRESS;
	struct doca_rdma_task_write *task;

	TRY(doca_rdma_task_write_allocate_init(selftest.rdma, selftest.link, from, to,
					       (union doca_data){.ptr = &status}, &task));
	TRY(doca_task_submit(doca_rdma_task_write_as_task(task)));
	wait_for(&status);
	TRY(doca_buf_dec_refcount(from, NULL));
	TRY(doca_buf_dec_refcount(to, NULL));
}

static void read_block(void)
{
	struct doca_buf *from = make_buf(host, host_base, SELFTEST_BLOCK);
	struct doca_buf *to = make_buf(own, block[1], 0);
	doca_error_t status = DOCA_ERROR_IN_PROGRESS;
	struct doca_rdma_task_read *task;

	TRY(doca_rdma_task_read_allocate_init(selftest.rdma, selftest.link, from, to,
					      (union doca_data){.ptr = &status}, &task));
	TRY(doca_task_submit(doca_rdma_task_read_as_task(task)));
	wait_for(&status);
	TRY(doca_buf_dec_refcount(from, NULL));
	TRY(doca_buf_dec_refcount(to, NULL));
}

/* How many accesses there were; the host finds the number of the last in its memory. */
static uint32_t access_host(void)
{
	uint64_t end = selftest_now() + SELFTEST_HALF_NS;
	uint32_t num = 0;

	while (selftest_now() < end) {
		memset(block[0], (int)num, SELFTEST_BLOCK);
		write_block();
		read_block();
		if (memcmp(block[0], block[1], SELFTEST_BLOCK) != 0)
			selftest_fail("RDMA read other bytes than were written");
		num++;
	}
	return num;
}

/* Representor of the first host function; its address is told to who starts the host's half. */
static struct doca_dev_rep *open_rep(char pci[DOCA_DEVINFO_REP_PCI_ADDR_SIZE])
{
	struct doca_devinfo_rep **list;
	struct doca_dev_rep *rep;
	uint32_t num;

	TRY(doca_devinfo_rep_create_list(selftest.dev, DOCA_DEVINFO_REP_FILTER_ALL, &list, &num));
	if (num == 0)
		selftest_fail("the DPU's first device has no host function in this topology");
	TRY(doca_devinfo_rep_get_pci_addr_str(list[0], pci));
	TRY(doca_dev_rep_open(list[0], &rep));
	TRY(doca_devinfo_rep_destroy_list(list));
	return rep;
}

void selftest_serve(const char *name)
{
	char pci[DOCA_DEVINFO_REP_PCI_ADDR_SIZE];
	uint32_t num;

	selftest.is_server = true;
	selftest.on_message = on_message;
	selftest_open(doca_comch_cap_server_is_supported, NULL);
	selftest_set_up(name, open_rep(pci));
	own = selftest_map(block, sizeof(block), DOCA_ACCESS_FLAG_LOCAL_READ_WRITE);
	TRY(doca_buf_inventory_create(2, &inventory));
	TRY(doca_buf_inventory_start(inventory));
	printf("listening %s\n", pci);
	fflush(stdout);
	while (!is_to_go)
		doca_pe_progress(selftest.pe);
	num = access_host();
	selftest_send(MESSAGE_DONE, &num, sizeof(num));
	for (;;)
		doca_pe_progress(selftest.pe);
}
