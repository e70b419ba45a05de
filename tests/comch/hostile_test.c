/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Liars at the door: what may be wrong with a hello or a welcome. The liar is a process of its own,
 * which knows the insides; the honest side must neither let it in nor suffer from it.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bus/process.h"
#include "comch/client.h"
#include "comch/handshake.h"
#include "comch/name.h"
#include "comch/pair.h"

static struct pair pair;

/* Descriptors that are not what is asked for. */
static int plain_file(void)
{
	return open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
}

#define SIZE_SEALS (F_SEAL_SHRINK | F_SEAL_GROW)

static int good_page(void)
{
	return t_memory_file(SDPU_BELL_PAGE, SIZE_SEALS);
}

static int unsealed_page(void)
{
	return t_memory_file(SDPU_BELL_PAGE, 0);
}

static int small_page(void)
{
	return t_memory_file(100, SIZE_SEALS);
}

static int empty_page(void)
{
	return t_memory_file(0, SIZE_SEALS);
}

static int unwritable_page(void)
{
	return t_memory_file(SDPU_BELL_PAGE, SIZE_SEALS | F_SEAL_WRITE);
}

/* Hellos */

struct hello_lie {
	size_t len; /* 0: right */
	uint32_t num_fds;
	int (*armed)(void);
	int (*ready)(void);
	void (*spoil)(struct comch_hello *hello);
};

static void spoil_version(struct comch_hello *hello)
{
	hello->hello.version++;
}

static void spoil_magic(struct comch_hello *hello)
{
	hello->hello.magic = 0;
}

static void spoil_service(struct comch_hello *hello)
{
	hello->hello.service = 77;
}

static void spoil_name_end(struct comch_hello *hello)
{
	memset(hello->name, 'x', sizeof(hello->name));
}

static void spoil_pci_end(struct comch_hello *hello)
{
	memset(hello->host_pci, '0', sizeof(hello->host_pci));
}

static void spoil_name(struct comch_hello *hello)
{
	hello->name[0] = '\0';
}

static void spoil_bit(struct comch_hello *hello)
{
	hello->bit = SDPU_READY_BITS;
}

static void spoil_num(struct comch_hello *hello)
{
	hello->shape.num = 0;
}

static void spoil_num_most(struct comch_hello *hello)
{
	hello->shape.num = UINT32_MAX;
}

static void spoil_size(struct comch_hello *hello)
{
	hello->shape.max_size = 0;
}

static void spoil_size_most(struct comch_hello *hello)
{
	hello->shape.max_size = UINT32_MAX;
}

static const struct hello_lie hello_lies[] = {
	{.len = 1, .num_fds = 2, .armed = good_page, .ready = good_page},
	{.len = sizeof(struct sdpu_hello), .num_fds = 2, .armed = good_page, .ready = good_page},
	{.len = sizeof(struct comch_hello) - 1,
	 .num_fds = 2,
	 .armed = good_page,
	 .ready = good_page},
	{.len = sizeof(struct comch_hello) + 8,
	 .num_fds = 2,
	 .armed = good_page,
	 .ready = good_page},
	{.num_fds = 0, .armed = good_page, .ready = good_page},
	{.num_fds = 1, .armed = good_page, .ready = good_page},
	{.num_fds = 3, .armed = good_page, .ready = good_page},
	{.num_fds = 2, .armed = plain_file, .ready = good_page},
	{.num_fds = 2, .armed = good_page, .ready = plain_file},
	{.num_fds = 2, .armed = unsealed_page, .ready = good_page},
	{.num_fds = 2, .armed = good_page, .ready = unsealed_page},
	{.num_fds = 2, .armed = small_page, .ready = good_page},
	{.num_fds = 2, .armed = good_page, .ready = small_page},
	{.num_fds = 2, .armed = empty_page, .ready = good_page},
	{.num_fds = 2, .armed = good_page, .ready = unwritable_page},
	{.num_fds = 2, .armed = good_page, .ready = good_page, .spoil = spoil_version},
	{.num_fds = 2, .armed = good_page, .ready = good_page, .spoil = spoil_magic},
	{.num_fds = 2, .armed = good_page, .ready = good_page, .spoil = spoil_service},
	{.num_fds = 2, .armed = good_page, .ready = good_page, .spoil = spoil_name_end},
	{.num_fds = 2, .armed = good_page, .ready = good_page, .spoil = spoil_pci_end},
	{.num_fds = 2, .armed = good_page, .ready = good_page, .spoil = spoil_name},
	{.num_fds = 2, .armed = good_page, .ready = good_page, .spoil = spoil_bit},
	{.num_fds = 2, .armed = good_page, .ready = good_page, .spoil = spoil_num},
	{.num_fds = 2, .armed = good_page, .ready = good_page, .spoil = spoil_num_most},
	{.num_fds = 2, .armed = good_page, .ready = good_page, .spoil = spoil_size},
	{.num_fds = 2, .armed = good_page, .ready = good_page, .spoil = spoil_size_most},
};

#define NUM_HELLO_LIES (sizeof(hello_lies) / sizeof(hello_lies[0]))

static void fill_hello(struct comch_hello *hello, const char *host_pci)
{
	memset(hello, 0, sizeof(*hello));
	sdpu_hello_fill(&hello->hello, SDPU_SERVICE_COMCH);
	strncpy(hello->host_pci, host_pci, sizeof(hello->host_pci) - 1);
	strcpy(hello->name, PAIR_NAME);
	hello->shape.num = 16;
	hello->shape.max_size = 4080;
}

/* Whatever comes is no invitation, and then comes the end. */
static void expect_refusal(int sock)
{
	struct sdpu_record record;
	struct comch_welcome welcome;
	doca_error_t result;

	do {
		T_EVENTUALLY((result = sdpu_sock_recv(sock, &record)) != DOCA_ERROR_AGAIN, 10000);
		if (result == DOCA_SUCCESS &&
		    comch_welcome_parse(&record, &welcome) == DOCA_SUCCESS)
			T_CHECK(welcome.result != DOCA_SUCCESS);
		sdpu_record_drop(&record);
	} while (result == DOCA_SUCCESS);
	sdpu_fd_close(sock);
}

static void tell_hello(const struct hello_lie *lie, const char *endpoint, const char *host_pci)
{
	struct {
		struct comch_hello hello;
		uint8_t more[8];
	} record = {0};
	int fds[3] = {lie->armed(), lie->ready(), good_page()};
	pid_t pid;
	int sock;

	fill_hello(&record.hello, host_pci);
	if (lie->spoil != NULL)
		lie->spoil(&record.hello);
	T_OK(sdpu_agent_call(endpoint, &record, lie->len == 0 ? sizeof(record.hello) : lie->len,
			     fds, lie->num_fds, &sock, &pid));
	for (int i = 0; i < 3; i++)
		close(fds[i]);
	expect_refusal(sock);
}

/* A host device of this process, and where the server is that waits for it. */
static void find_server(struct end *end, const char **host_pci, char endpoint[SDPU_ENDPOINT_MAX])
{
	end_open_dev(end, false);
	*host_pci = sdpu_dev_function(end->dev)->pci;
	T_EVENTUALLY(comch_name_find(*host_pci, PAIR_NAME, endpoint) == DOCA_SUCCESS, 10000);
}

static int lie_in_hellos(void *arg)
{
	char endpoint[SDPU_ENDPOINT_MAX];
	const char *host_pci;

	(void)arg;
	find_server(&pair.client, &host_pci, endpoint);
	for (size_t i = 0; i < NUM_HELLO_LIES; i++)
		tell_hello(&hello_lies[i], endpoint, host_pci);
	end_close(&pair.client);
	return 0;
}

static void greet_each_other(void)
{
	end_create(&pair.client, false);
	end_start(&pair.client);
	PAIR_UNTIL(&pair, end_state(&pair.client) == DOCA_CTX_STATE_RUNNING);
	end_send(&pair.client, "honest", 6);
	PAIR_UNTIL(&pair, pair.server.received == 1 && pair.client.sent == 1);
}

static void serve_until_exit(pid_t pid)
{
	int status = -1;

	T_EVENTUALLY((doca_pe_progress(pair.server.pe), waitpid(pid, &status, WNOHANG) == pid),
		     20000);
	T_EQ(status, 0);
}

T_CASE(a_hello_that_lies_is_refused_and_the_next_client_served)
{
	pid_t pid = t_fork(lie_in_hellos, NULL);

	end_create(&pair.server, true);
	end_start(&pair.server);
	serve_until_exit(pid);
	T_EQ(pair.server.connects, 0);
	T_EQ(pair.server.disconnects, 0);
	greet_each_other();
	pair_close(&pair);
}

/* Hundreds connect and leave at once, before, after, or instead of their hello. */
static int connect_and_run(void *arg)
{
	char endpoint[SDPU_ENDPOINT_MAX];
	struct comch_hello hello;
	const char *host_pci;
	int fds[2] = {good_page(), good_page()};
	pid_t pid;
	int sock;

	(void)arg;
	find_server(&pair.client, &host_pci, endpoint);
	fill_hello(&hello, host_pci);
	for (int i = 0; i < 300; i++) {
		if (i % 3 == 0)
			T_OK(sdpu_sock_connect(endpoint, &sock));
		else
			T_OK(sdpu_agent_call(endpoint, &hello, sizeof(hello), fds, 2, &sock, &pid));
		sdpu_fd_close(sock);
	}
	close(fds[0]);
	close(fds[1]);
	end_close(&pair.client);
	return 0;
}

T_CASE(clients_that_run_away_leave_nothing)
{
	pid_t pid = t_fork(connect_and_run, NULL);

	end_create(&pair.server, true);
	end_start(&pair.server);
	serve_until_exit(pid);
	END_UNTIL(&pair.server, pair.server.connects == pair.server.disconnects);
	greet_each_other();
	pair_close(&pair);
}

/* Welcomes: the liar claims the server's name, and has its own say when a client calls. */

struct welcome_lie {
	size_t len; /* 0: right */
	uint32_t num_fds;
	int (*armed)(void);
	int (*ready)(void);
	int (*segment)(void);
	uint32_t result;
	uint32_t bit;
	struct comch_ring_shape shape;
	bool silent; /* says nothing and hangs up */
};

static size_t segment_size(void)
{
	struct comch_ring_shape shape[2] = {{16, 4080}, {16, 4080}};
	struct comch_ring_layout layout;

	T_OK(comch_ring_layout(shape, &layout));
	return layout.size;
}

static int good_segment(void)
{
	return t_memory_file(segment_size(), SIZE_SEALS);
}

static int short_segment(void)
{
	return t_memory_file(segment_size() - 4096, SIZE_SEALS);
}

static int long_segment(void)
{
	return t_memory_file(segment_size() + 4096, SIZE_SEALS);
}

static int unsealed_segment(void)
{
	return t_memory_file(segment_size(), 0);
}

#define GOOD_SHAPE                                                                                 \
	{                                                                                          \
		16, 4080                                                                           \
	}
#define WELCOME(...)                                                                               \
	{                                                                                          \
		.num_fds = 3, .armed = good_page, .ready = good_page, .segment = good_segment,     \
		.shape = GOOD_SHAPE, __VA_ARGS__                                                   \
	}

static const struct welcome_lie welcome_lies[] = {
	WELCOME(.silent = true),
	WELCOME(.len = 1),
	WELCOME(.len = 8),
	WELCOME(.len = sizeof(struct comch_welcome) + 4),
	WELCOME(.result = DOCA_ERROR_AGAIN),
	WELCOME(.result = DOCA_ERROR_IN_PROGRESS),
	WELCOME(.result = 4711),
	WELCOME(.result = UINT32_MAX),
	{.num_fds = 0, .armed = good_page, .ready = good_page, .segment = good_segment},
	{.num_fds = 2, .armed = good_page, .ready = good_page, .segment = good_segment},
	WELCOME(.bit = SDPU_READY_BITS),
	WELCOME(.bit = UINT32_MAX),
	{.num_fds = 3,
	 .armed = plain_file,
	 .ready = good_page,
	 .segment = good_segment,
	 .shape = GOOD_SHAPE},
	{.num_fds = 3,
	 .armed = good_page,
	 .ready = small_page,
	 .segment = good_segment,
	 .shape = GOOD_SHAPE},
	{.num_fds = 3,
	 .armed = good_page,
	 .ready = good_page,
	 .segment = plain_file,
	 .shape = GOOD_SHAPE},
	{.num_fds = 3,
	 .armed = good_page,
	 .ready = good_page,
	 .segment = short_segment,
	 .shape = GOOD_SHAPE},
	{.num_fds = 3,
	 .armed = good_page,
	 .ready = good_page,
	 .segment = long_segment,
	 .shape = GOOD_SHAPE},
	{.num_fds = 3,
	 .armed = good_page,
	 .ready = good_page,
	 .segment = unsealed_segment,
	 .shape = GOOD_SHAPE},
	{.num_fds = 3,
	 .armed = good_page,
	 .ready = good_page,
	 .segment = good_segment,
	 .shape = {0, 4080}},
	{.num_fds = 3,
	 .armed = good_page,
	 .ready = good_page,
	 .segment = good_segment,
	 .shape = {16, 0}},
	{.num_fds = 3,
	 .armed = good_page,
	 .ready = good_page,
	 .segment = good_segment,
	 .shape = {UINT32_MAX, UINT32_MAX}},
};

#define NUM_WELCOME_LIES (sizeof(welcome_lies) / sizeof(welcome_lies[0]))

/* Agent's thread of the liar. */
static void tell_welcome(int sock, pid_t peer, struct sdpu_record *record)
{
	static size_t next;
	const struct welcome_lie *lie = &welcome_lies[next++ % NUM_WELCOME_LIES];
	struct {
		struct comch_welcome welcome;
		uint8_t more[4];
	} told = {{.result = lie->result, .bit = lie->bit, .shape = lie->shape}, {0}};
	int fds[3] = {lie->armed(), lie->ready(), lie->segment()};

	(void)peer;
	(void)record;
	if (!lie->silent)
		T_OK(sdpu_sock_send(sock, &told, lie->len == 0 ? sizeof(told.welcome) : lie->len,
				    fds, lie->num_fds));
	for (int i = 0; i < 3; i++)
		close(fds[i]);
	sdpu_fd_close(sock);
}

static int lie_in_welcomes(void *arg)
{
	const int *done = arg;
	struct sdpu_claim *claim;
	const char *host_pci;
	char byte;

	end_open_dev(&pair.client, false);
	host_pci = sdpu_dev_function(pair.client.dev)->pci;
	sdpu_agent_register(SDPU_SERVICE_COMCH, tell_welcome);
	T_OK(comch_name_claim("0000:03:00.0", host_pci, PAIR_NAME, &claim));
	/* Until the honest side has heard them all. */
	close(done[1]);
	(void)!read(done[0], &byte, 1);
	sdpu_claim_drop(claim);
	end_close(&pair.client);
	return 0;
}

static void wait_for_name(void)
{
	char endpoint[SDPU_ENDPOINT_MAX];

	T_EVENTUALLY(comch_name_find(sdpu_dev_function(pair.client.dev)->pci, PAIR_NAME,
				     endpoint) == DOCA_SUCCESS,
		     10000);
}

T_CASE(a_welcome_that_lies_ends_the_start_and_the_next_server_is_reached)
{
	int done[2];
	pid_t pid;

	T_EQ(pipe(done), 0);
	pid = t_fork(lie_in_welcomes, done);
	end_create(&pair.client, false);
	wait_for_name();
	for (size_t i = 0; i < NUM_WELCOME_LIES; i++) {
		pair.client.num_states = 0;
		end_start(&pair.client);
		END_UNTIL(&pair.client, end_state(&pair.client) == DOCA_CTX_STATE_IDLE);
		T_EQ(pair.client.num_states, 3);
	}
	close(done[0]);
	close(done[1]);
	T_EQ(t_wait(pid, 10000), 0);
	end_close(&pair.client);
	end_create(&pair.server, true);
	end_start(&pair.server);
	greet_each_other();
	pair_close(&pair);
}
