/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Mail on a connection: announcements of consumers with any bytes and any descriptors, and their
 * withdrawal. Whatever is refused or taken, no descriptor stays behind.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <doca_dev.h>

#include "bus/process.h"
#include "comch/endpoint.h"
#include "comch/remote.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define ENTRIES 32
/* The fuzzer itself opens some on the way. */
#define SPARE_FDS 16

static struct comch_endpoint endpoint;
static struct doca_comch_connection connection;
/* Such as an announcement comes with; each input gets copies. */
static int kinds[6];

static void make_kinds(void)
{
	static struct sdpu_segment page, armed, odd;
	static struct comch_fast_rings rings;
	int pair[2];

	if (comch_fast_create(ENTRIES, &rings) != DOCA_SUCCESS ||
	    sdpu_segment_create("page", 4096, 0, false, &page) != DOCA_SUCCESS ||
	    sdpu_segment_create("armed", 4096, 0, true, &armed) != DOCA_SUCCESS ||
	    sdpu_segment_create("odd", 8192, 0, false, &odd) != DOCA_SUCCESS ||
	    sdpu_sock_pair(pair) != DOCA_SUCCESS)
		abort();
	kinds[0] = rings.segment.fd;
	kinds[1] = armed.fd;
	kinds[2] = page.fd;
	kinds[3] = pair[0];
	kinds[4] = odd.fd;
	kinds[5] = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
}

static void open_device(void)
{
	struct doca_devinfo **list;
	uint32_t num;

	if (doca_devinfo_create_list(&list, &num) != DOCA_SUCCESS ||
	    doca_dev_open(list[0], &endpoint.ctx.dev) != DOCA_SUCCESS)
		abort();
	(void)doca_devinfo_destroy_list(list);
}

static void set_up(void)
{
	open_device();
	if (doca_pe_create(&endpoint.ctx.pe) != DOCA_SUCCESS)
		abort();
	make_kinds();
	connection.endpoint = &endpoint;
	connection.peer = getpid();
	sdpu_list_init(&connection.remotes);
	sdpu_list_init(&connection.members);
	pthread_mutex_init(&connection.lock, NULL);
}

/* The lowest free one: it rises when one is lost. */
static int lowest_fd(void)
{
	int fd = dup(kinds[2]);

	close(fd);
	return fd;
}

static void make_record(const uint8_t *data, size_t size, struct sdpu_record *record)
{
	record->len = (uint32_t)size;
	memcpy(record->bytes, data, size);
	record->num_fds = 0;
}

static void add_fds(struct sdpu_record *record, uint32_t num, uint32_t choice)
{
	for (uint32_t i = 0; i < num; i++, choice /= 7)
		record->fds[record->num_fds++] =
			sdpu_fd_own(dup(kinds[choice % 7 == 6 ? i % 6 : choice % 7]));
}

/* As it would be honestly, where the input says so. */
static void mend(struct sdpu_record *record, uint32_t what)
{
	struct comch_mail_consumer mail;

	if (what & 1)
		record->len = sizeof(mail);
	if (record->len < sizeof(mail))
		return;
	memcpy(&mail, record->bytes, sizeof(mail));
	if (what & 2)
		mail.entries = ENTRIES;
	if (what & 4)
		mail.imm_len %= 33;
	if (what & 8)
		mail.bit %= SDPU_READY_BITS;
	if (what & 16)
		mail.grant.kinds %= 32;
	if (what & 32)
		memset(mail.grant.endpoint, 0, sizeof(mail.grant.endpoint));
	memcpy(record->bytes, &mail, sizeof(mail));
}

static void receive(const uint8_t *data, size_t size)
{
	struct sdpu_record record;

	memset(record.bytes, 0, sizeof(record.bytes));
	make_record(data + 4, size - 4 < SDPU_RECORD_MAX ? size - 4 : SDPU_RECORD_MAX, &record);
	mend(&record, data[0]);
	add_fds(&record, data[1] % (SDPU_RECORD_FDS + 1), data[2] | data[3] << 8);
	(void)comch_remote_came(&connection, &record);
	sdpu_record_drop(&record);
	record.len = data[0] & 64 ? sizeof(struct comch_mail_head) : record.len;
	(void)comch_remote_went(&connection, &record);
	comch_remote_drop_all(&connection);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int lowest;

	if (endpoint.ctx.pe == NULL)
		set_up();
	if (size < 4)
		return 0;
	receive(data, size);
	if (lowest == 0)
		lowest = lowest_fd();
	if (lowest_fd() > lowest + SPARE_FDS)
		abort();
	return 0;
}
