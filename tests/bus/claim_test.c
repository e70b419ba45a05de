/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Claims: one living owner per name, whoever dies, forks, races or is stopped.
 */
#include "t.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/atomic.h"
#include "bus/rundir.h"

/* Processes of a case meet here. */
struct meeting {
	uint32_t step;
	uint32_t arrived;
	uint32_t stop;
	uint32_t winners[64];
};

static struct meeting *new_meeting(void)
{
	struct meeting *m =
		mmap(NULL, sizeof(*m), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	T_CHECK(m != MAP_FAILED);
	return m;
}

static void reach(struct meeting *m, uint32_t step)
{
	sdpu_store_release(&m->step, step);
}

static void await(struct meeting *m, uint32_t step)
{
	T_EVENTUALLY(sdpu_load_acquire(&m->step) >= step, 20000);
}

static void in_rundir(const char *file, char path[512])
{
	snprintf(path, 512, "%s/%s", getenv("SOFTDPU_RUNTIME_DIR"), file);
}

static bool exists(const char *file)
{
	char path[512];
	struct stat st;

	in_rundir(file, path);
	return lstat(path, &st) == 0;
}

/* As a dead owner would have left it. */
static void leave_file(const char *file, const char *text)
{
	char path[512];
	FILE *f;

	in_rundir(file, path);
	f = fopen(path, "w");
	T_CHECK(f != NULL);
	fputs(text, f);
	fclose(f);
}

static void leave_socket(const char *name)
{
	struct sockaddr_un addr = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_SEQPACKET, 0);
	char path[512];

	in_rundir(name, path);
	T_CHECK(strlen(path) < sizeof(addr.sun_path));
	strcpy(addr.sun_path, path);
	T_EQ(bind(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	close(fd);
}

T_CASE(taken_once_in_a_process)
{
	struct sdpu_claim *claim, *other = NULL;
	char text[SDPU_CLAIM_TEXT_MAX];

	T_OK(sdpu_claim_take("name", "some text", &claim));
	T_ERR(sdpu_claim_take("name", "other", &other), DOCA_ERROR_ALREADY_EXIST);
	T_CHECK(other == NULL);
	T_OK(sdpu_claim_read("name", text));
	T_STREQ(text, "some text");
	sdpu_claim_drop(claim);
	T_CHECK(!exists("name.claim"));
	T_ERR(sdpu_claim_read("name", text), DOCA_ERROR_NOT_FOUND);
	T_OK(sdpu_claim_take("name", "again", &claim));
	sdpu_claim_drop(claim);
	sdpu_claim_drop(NULL);
}

T_CASE(names_and_texts_are_checked)
{
	char text[SDPU_CLAIM_TEXT_MAX + 1], name[SDPU_CLAIM_NAME_MAX + 2];
	static const char *const bad[] = {"", ".", "..", ".hidden", "a/b", "../up"};
	struct sdpu_claim *claim;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		T_ERR(sdpu_claim_take(bad[i], "", &claim), DOCA_ERROR_INVALID_VALUE);
	T_ERR(sdpu_claim_read("a/b", text), DOCA_ERROR_INVALID_VALUE);
	memset(name, 'n', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	T_ERR(sdpu_claim_take(name, "", &claim), DOCA_ERROR_INVALID_VALUE);
	memset(text, 't', sizeof(text));
	text[SDPU_CLAIM_TEXT_MAX] = '\0';
	T_ERR(sdpu_claim_take("n", text, &claim), DOCA_ERROR_INVALID_VALUE);
	T_ERR(sdpu_claim_take("n", "two\nlines", &claim), DOCA_ERROR_INVALID_VALUE);
	/* The longest of both. */
	name[SDPU_CLAIM_NAME_MAX] = '\0';
	text[SDPU_CLAIM_TEXT_MAX - 1] = '\0';
	T_OK(sdpu_claim_take(name, text, &claim));
	sdpu_claim_drop(claim);
}

static int hold(void *arg)
{
	struct meeting *m = arg;
	struct sdpu_claim *claim;

	T_OK(sdpu_claim_take("held", "by the child", &claim));
	leave_socket("held");
	reach(m, 1);
	pause();
	return 1;
}

T_CASE(living_owner_keeps_it_dead_owner_loses_it)
{
	struct meeting *m = new_meeting();
	pid_t pid = t_fork(hold, m);
	char text[SDPU_CLAIM_TEXT_MAX];
	struct sdpu_claim *claim;

	await(m, 1);
	T_ERR(sdpu_claim_take("held", "by us", &claim), DOCA_ERROR_ALREADY_EXIST);
	T_OK(sdpu_claim_read("held", text));
	T_STREQ(text, "by the child");
	kill(pid, SIGKILL);
	T_EQ(t_wait(pid, 5000), 128 + SIGKILL);
	T_CHECK(exists("held.claim") && exists("held"));
	T_OK(sdpu_claim_take("held", "by us", &claim));
	/* The socket of the dead would be in the way of ours. */
	T_CHECK(!exists("held"));
	T_OK(sdpu_claim_read("held", text));
	T_STREQ(text, "by us");
	sdpu_claim_drop(claim);
}

T_CASE(dead_owner_is_reaped_by_who_looks_it_up)
{
	struct meeting *m = new_meeting();
	pid_t pid = t_fork(hold, m);
	char text[SDPU_CLAIM_TEXT_MAX];

	await(m, 1);
	kill(pid, SIGKILL);
	T_EQ(t_wait(pid, 5000), 128 + SIGKILL);
	T_ERR(sdpu_claim_read("held", text), DOCA_ERROR_NOT_FOUND);
	T_CHECK(!exists("held.claim") && !exists("held"));
}

static void note(const char *name, const char *text, void *arg)
{
	char *seen = arg;

	/* No lock is held: claims may be used from here. */
	T_CHECK(sdpu_claim_read(name, (char[SDPU_CLAIM_TEXT_MAX]){0}) == DOCA_SUCCESS);
	sprintf(seen + strlen(seen), "%s=%s;", name, text);
}

T_CASE(each_tells_the_living_and_reaps_the_dead)
{
	struct meeting *m = new_meeting();
	pid_t pid = t_fork(hold, m);
	struct sdpu_claim *ours, *other;
	char seen[256] = "";

	await(m, 1);
	T_OK(sdpu_claim_take("h-ours", "x", &ours));
	T_OK(sdpu_claim_take("other", "y", &other));
	leave_file("h-dead.claim", "z\n");
	leave_file("torn.claim", "half a te");
	leave_socket("h-dead");
	leave_socket("lonely");
	leave_file("unrelated", "");
	T_OK(sdpu_claim_each("h", note, seen));
	T_CONTAINS(seen, "h-ours=x;");
	T_CONTAINS(seen, "held=by the child;");
	T_EQ(strlen(seen), strlen("h-ours=x;held=by the child;"));
	T_CHECK(!exists("h-dead.claim") && !exists("h-dead") && !exists("torn.claim"));
	T_CHECK(!exists("lonely") && !exists("lonely.claim"));
	T_CHECK(exists("held") && exists("unrelated"));
	sdpu_claim_drop(ours);
	sdpu_claim_drop(other);
	kill(pid, SIGKILL);
	T_EQ(t_wait(pid, 5000), 128 + SIGKILL);
	T_OK(sdpu_claim_each("", NULL, NULL));
	T_CHECK(!exists("held"));
	char path[512];
	in_rundir("unrelated", path);
	unlink(path);
}

/* Waits until the owner has forked, and its child has ended; then the name must still be taken. */
static int try_later(void *arg)
{
	struct sdpu_claim *claim;

	await(arg, 1);
	return sdpu_claim_take("kept", "", &claim) == DOCA_ERROR_ALREADY_EXIST ? 0 : 1;
}

static int end_at_once(void *arg)
{
	struct sdpu_claim *claim;

	T_ERR(sdpu_claim_take("another", "", &claim), DOCA_ERROR_BAD_STATE);
	sdpu_claim_drop(arg);
	return 0;
}

T_CASE(forked_child_takes_nothing_away)
{
	struct meeting *m = new_meeting();
	pid_t other = t_fork(try_later, m);
	struct sdpu_claim *claim;

	T_OK(sdpu_claim_take("kept", "", &claim));
	T_EQ(t_wait(t_fork(end_at_once, claim), 5000), 0);
	T_CHECK(exists("kept.claim"));
	reach(m, 1);
	T_EQ(t_wait(other, 5000), 0);
	sdpu_claim_drop(claim);
}

static int exit_holding(void *arg)
{
	struct sdpu_claim *claim;

	T_OK(sdpu_claim_take("forgotten", "", &claim));
	leave_socket("forgotten");
	exit(0);
}

T_CASE(exit_drops_what_was_forgotten)
{
	T_EQ(t_wait(t_fork(exit_holding, NULL), 5000), 0);
	T_CHECK(!exists("forgotten.claim") && !exists("forgotten"));
}

/* Everybody in the same step; each round ends when all have tried. */
enum { RACERS = 8, ROUNDS = 40 };

static void meet(struct meeting *m, uint32_t nth)
{
	sdpu_fetch_add(&m->arrived, 1);
	T_EVENTUALLY(sdpu_load_acquire(&m->arrived) >= nth * RACERS, 20000);
}

static int race(void *arg)
{
	struct meeting *m = arg;

	for (uint32_t round = 0; round < ROUNDS; round++) {
		struct sdpu_claim *claim = NULL;
		doca_error_t result;
		char name[32];

		snprintf(name, sizeof(name), "race-%u", round);
		meet(m, 2 * round + 1);
		result = sdpu_claim_take(name, "winner", &claim);
		T_CHECK(result == DOCA_SUCCESS || result == DOCA_ERROR_ALREADY_EXIST);
		if (result == DOCA_SUCCESS)
			sdpu_fetch_add(&m->winners[round], 1);
		meet(m, 2 * round + 2);
		sdpu_claim_drop(claim);
	}
	return 0;
}

static int reap_all_the_time(void *arg)
{
	struct meeting *m = arg;

	while (sdpu_load_acquire(&m->stop) == 0)
		T_OK(sdpu_claim_each("", NULL, NULL));
	return 0;
}

T_CASE_TIMEOUT(of_eight_racers_one_wins_while_others_reap, 120)
{
	struct meeting *m = new_meeting();
	pid_t racers[RACERS], reaper;

	/* Every second name has a dead owner to begin with. */
	for (int round = 0; round < ROUNDS; round += 2) {
		char file[32];

		snprintf(file, sizeof(file), "race-%d.claim", round);
		leave_file(file, "dead\n");
	}
	reaper = t_fork(reap_all_the_time, m);
	for (int i = 0; i < RACERS; i++)
		racers[i] = t_fork(race, m);
	for (int i = 0; i < RACERS; i++)
		T_EQ(t_wait(racers[i], 60000), 0);
	sdpu_store_release(&m->stop, 1);
	T_EQ(t_wait(reaper, 10000), 0);
	for (int round = 0; round < ROUNDS; round++)
		T_EQ(m->winners[round], 1);
}

static int stop_in_the_middle(void *arg)
{
	struct flock turn = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 1, .l_len = 1};
	char path[512];
	int fd;

	in_rundir("stuck.claim", path);
	fd = open(path, O_RDWR | O_CREAT, 0600);
	T_EQ(fcntl(fd, F_SETLK, &turn), 0);
	reach(arg, 1);
	pause();
	return 1;
}

T_CASE(stopped_taker_delays_others_for_a_bounded_time)
{
	struct meeting *m = new_meeting();
	pid_t pid = t_fork(stop_in_the_middle, m);
	char text[SDPU_CLAIM_TEXT_MAX];
	struct sdpu_claim *claim;

	await(m, 1);
	T_ERR(sdpu_claim_take("stuck", "", &claim), DOCA_ERROR_ALREADY_EXIST);
	T_ERR(sdpu_claim_read("stuck", text), DOCA_ERROR_NOT_FOUND);
	kill(pid, SIGKILL);
	T_EQ(t_wait(pid, 5000), 128 + SIGKILL);
	T_OK(sdpu_claim_take("stuck", "", &claim));
	sdpu_claim_drop(claim);
}
