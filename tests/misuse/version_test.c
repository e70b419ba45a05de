/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two builds of softdpu that do not go together: descriptors and details of another version, and a
 * process that speaks another one, which both sides say. The other process is a child in which what
 * writes and judges versions is one ahead.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <doca_mmap.h>
#include <doca_rdma.h>
#include <doca_version.h>
#include <softdpu.h>

#include "base/bytes.h"
#include "bus/agent.h"
#include "bus/blob_wire.h"
#include "comch/pair.h"
#include "misuse/misuse.h"
#include "rdma/fabric_hello.h"
#include "rdma/rig.h"

#define CURE "needed: one build of softdpu on both"

void __real_sdpu_hello_fill(struct sdpu_hello *hello, enum sdpu_service service);
void __wrap_sdpu_hello_fill(struct sdpu_hello *hello, enum sdpu_service service);
doca_error_t __real_sdpu_hello_check(const void *bytes, uint32_t len);
doca_error_t __wrap_sdpu_hello_check(const void *bytes, uint32_t len);
void __real_fabric_hello_write(const struct fabric_hello *hello, uint8_t out[FABRIC_HELLO_SIZE]);
void __wrap_fabric_hello_write(const struct fabric_hello *hello, uint8_t out[FABRIC_HELLO_SIZE]);
uint16_t __real_fabric_hello_version(const uint8_t bytes[FABRIC_HELLO_SIZE]);
uint16_t __wrap_fabric_hello_version(const uint8_t bytes[FABRIC_HELLO_SIZE]);

static bool is_ahead; /* this process */

void __wrap_sdpu_hello_fill(struct sdpu_hello *hello, enum sdpu_service service)
{
	__real_sdpu_hello_fill(hello, service);
	hello->version += is_ahead;
}

/* Who is ahead knows its own version, and not ours. */
doca_error_t __wrap_sdpu_hello_check(const void *bytes, uint32_t len)
{
	struct sdpu_hello hello;

	if (!is_ahead || len < sizeof(hello))
		return __real_sdpu_hello_check(bytes, len);
	memcpy(&hello, bytes, sizeof(hello));
	hello.version -= 1;
	return __real_sdpu_hello_check(&hello, sizeof(hello));
}

void __wrap_fabric_hello_write(const struct fabric_hello *hello, uint8_t out[FABRIC_HELLO_SIZE])
{
	__real_fabric_hello_write(hello, out);
	if (is_ahead)
		sdpu_put_u16(out + sizeof(uint32_t), FABRIC_HELLO_VERSION + 1);
}

uint16_t __wrap_fabric_hello_version(const uint8_t bytes[FABRIC_HELLO_SIZE])
{
	return (uint16_t)(__real_fabric_hello_version(bytes) - is_ahead);
}

/* What our side says of the other one. */
static const char *both_versions(void)
{
	static char text[128];

	snprintf(text, sizeof(text), "speaks version %d (build %s), we speak version %d",
		 SDPU_HELLO_VERSION + 1, DOCA_VER_STRING, SDPU_HELLO_VERSION);
	return text;
}

static struct rig_end a, b;
static struct rig_card card, theirs;
static int line;

/* ---- Bytes that went through the program's hands ---- */

static void change_version(uint8_t *bytes, size_t len)
{
	sdpu_put_u16(bytes + BLOB_AT_VERSION, sdpu_get_u16(bytes + BLOB_AT_VERSION) + 1);
	sdpu_put_u32(bytes + BLOB_AT_SUM, sdpu_blob_sum(bytes, len));
}

MISUSE_CASE(bytes_of_another_version)
{
	struct doca_mmap *mmap;
	const void *details;
	size_t len;

	rig_start(&a);
	rig_start(&b);
	rig_export(&b, &card);
	change_version(card.memory, card.memory_len);
	MISUSE(INVALID_VALUE,
	       doca_mmap_create_from_export(NULL, card.memory, card.memory_len, a.dev, &mmap),
	       "the export descriptor is of version 3, we read version 2", CURE);
	/* A version that is not what the exporter has written. */
	card.memory[BLOB_AT_VERSION]++;
	MISUSE(INVALID_VALUE,
	       doca_mmap_create_from_export(NULL, card.memory, card.memory_len, a.dev, &mmap),
	       "a wrong version inside", "needed: all bytes that the export gave, unchanged");
	T_OK(doca_rdma_export(a.rdma, &details, &len, &a.connection));
	change_version(card.details, card.details_len);
	MISUSE(CONNECTION_ABORTED,
	       doca_rdma_connect(a.rdma, card.details, card.details_len, a.connection),
	       "the connection's details are of version 4, we read version 3", CURE);
	rig_close_both(&a, &b);
}

/* ---- A process of another version ---- */

static int exporter(void *arg)
{
	int fd = *(int *)arg;

	is_ahead = true;
	rig_start(&b);
	rig_export(&b, &card);
	rig_put(fd, &card, sizeof(card));
	rig_put(fd, sdpu_agent_endpoint(), SDPU_ENDPOINT_MAX);
	(void)rig_hear(fd);
	rig_close(&b);
	return 0;
}

MISUSE_CASE(memory_and_statistics)
{
	pid_t pid = rig_peer(exporter, &line);
	char endpoint[SDPU_ENDPOINT_MAX];
	struct softdpu_watch *watch;
	struct doca_mmap *mmap;

	rig_start(&a);
	rig_get(line, &card, sizeof(card));
	rig_get(line, endpoint, sizeof(endpoint));
	MISUSE(DRIVER,
	       doca_mmap_create_from_export(NULL, card.memory, card.memory_len, a.dev, &mmap),
	       both_versions(), CURE);
	(void)kit_log();
	T_ERR(softdpu_watch_open(endpoint, 5000, &watch), DOCA_ERROR_UNSUPPORTED_VERSION);
	T_CONTAINS(kit_log(), both_versions());
	rig_say(line, 'e');
	T_EQ(t_wait(pid, 10000), 0);
	rig_close(&a);
}

static void expect_one_line(const char *call)
{
	const char *log = kit_log();

	T_CONTAINS(log, call);
	T_CONTAINS(log, both_versions());
	T_CONTAINS(log, CURE);
	T_EQ(kit_log_lines(log), 1);
}

/* Calls itself what the test's own would be called: until the connection has failed. */
static int connecting_peer(void *arg)
{
	int fd = *(int *)arg;

	is_ahead = true;
	rig_start(&b);
	rig_export(&b, &card);
	rig_put(fd, &card, sizeof(card));
	rig_get(fd, &theirs, sizeof(theirs));
	(void)rig_hear(fd);
	if (rig_connect(&b, &theirs) == DOCA_SUCCESS)
		RIG_ALONE(&b, b.failures == 1);
	rig_say(fd, 'f');
	(void)rig_hear(fd);
	rig_close(&b);
	return 0;
}

/* Who of the two calls, cookies decide, which are random. */
MISUSE_CASE(rdma)
{
	pid_t pid;

	setenv("SOFTDPU_RDMA", "local", 1);
	pid = rig_peer(connecting_peer, &line);
	rig_start(&a);
	rig_export(&a, &card);
	rig_put(line, &card, sizeof(card));
	rig_get(line, &theirs, sizeof(theirs));
	(void)kit_log();
	T_OK(rig_connect(&a, &theirs));
	RIG_ALONE(&a, a.failures == 1);
	expect_one_line("doca_rdma_connect: the process that was asked");
	rig_say(line, 'c');
	T_EQ(rig_hear(line), 'f');
	T_CONTAINS(kit_log(), "peer refused: it speaks version");
	rig_say(line, 'e');
	T_EQ(t_wait(pid, 10000), 0);
	rig_close(&a);
}

/* Over TCP whoever is called says so as well. */
MISUSE_CASE(rdma_over_tcp)
{
	pid_t pid;

	setenv("SOFTDPU_RDMA", "fabric", 1);
	pid = rig_peer(connecting_peer, &line);
	rig_start(&a);
	rig_export(&a, &card);
	rig_put(line, &card, sizeof(card));
	rig_get(line, &theirs, sizeof(theirs));
	(void)kit_log();
	if (rig_connect(&a, &theirs) == DOCA_SUCCESS)
		RIG_ALONE(&a, a.failures == 1);
	rig_say(line, 'c');
	T_CONTAINS(kit_log(), "over TCP, we speak version");
	T_EQ(rig_hear(line), 'f');
	rig_say(line, 'e');
	T_EQ(t_wait(pid, 10000), 0);
	rig_close(&a);
}

static struct pair pair;

static int serve(void *arg)
{
	int fd = *(int *)arg;

	is_ahead = true;
	end_create(&pair.server, true);
	end_start(&pair.server);
	rig_say(fd, 's');
	(void)rig_hear(fd);
	T_EQ(pair.server.connects, 0);
	end_close(&pair.server);
	return 0;
}

MISUSE_CASE(comch)
{
	pid_t pid = rig_peer(serve, &line);

	T_EQ(rig_hear(line), 's');
	end_create(&pair.client, false);
	(void)kit_log();
	end_start(&pair.client);
	END_UNTIL(&pair.client, end_state(&pair.client) == DOCA_CTX_STATE_IDLE);
	expect_one_line("doca_ctx_start: the process that was asked");
	rig_say(line, 'e');
	T_EQ(t_wait(pid, 10000), 0);
	end_close(&pair.client);
}
