/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Claims of this process, and looking at those of others. Owner of a claim: whoever took it; one
 * mutex guards the list of ours and every touch of a claim file. Ends by drop, by the destructor at
 * exit, or by anybody who finds the owner dead. A forked child has none.
 */
#include "bus/rundir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/list.h"
#include "base/log.h"
#include "bus/claim_file.h"
#include "bus/process.h"

struct sdpu_claim {
	struct sdpu_list node;
	int fd;
	char name[SDPU_CLAIM_NAME_MAX + 1];
	char text[SDPU_CLAIM_TEXT_MAX];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sdpu_list ours = {.next = &ours, .prev = &ours};

#define claim_of(it) sdpu_container_of(it, struct sdpu_claim, node)

static struct sdpu_claim *find_ours(const char *name)
{
	struct sdpu_list *it;

	sdpu_list_for_each (it, &ours)
		if (strcmp(claim_of(it)->name, name) == 0)
			return claim_of(it);
	return NULL;
}

static doca_error_t take_locked(int dirfd, const char *name, const char *text,
				struct sdpu_claim **claim)
{
	struct sdpu_claim *made;
	doca_error_t result;

	if (find_ours(name) != NULL)
		return DOCA_ERROR_ALREADY_EXIST;
	made = calloc(1, sizeof(*made));
	if (made == NULL)
		return DOCA_ERROR_NO_MEMORY;
	result = sdpu_claim_file_take(dirfd, name, text, &made->fd);
	if (result != DOCA_SUCCESS) {
		free(made);
		return result;
	}
	strcpy(made->name, name);
	strcpy(made->text, text);
	sdpu_list_append(&ours, &made->node);
	*claim = made;
	return DOCA_SUCCESS;
}

static void drop_locked(int dirfd, struct sdpu_claim *claim)
{
	sdpu_list_remove(&claim->node);
	sdpu_claim_file_end(dirfd, claim->name, claim->fd);
	free(claim);
}

doca_error_t sdpu_claim_take(const char *name, const char *text, struct sdpu_claim **claim)
{
	doca_error_t result;
	int dirfd;

	if (!sdpu_claim_name_valid(name) || strlen(text) >= SDPU_CLAIM_TEXT_MAX ||
	    strchr(text, '\n') != NULL)
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_rundir_get(&dirfd);
	if (result != DOCA_SUCCESS)
		return result;
	pthread_mutex_lock(&lock);
	result = take_locked(dirfd, name, text, claim);
	pthread_mutex_unlock(&lock);
	return result;
}

void sdpu_claim_drop(struct sdpu_claim *claim)
{
	struct sdpu_list *it, *tmp;
	int dirfd;

	if (claim == NULL || sdpu_rundir_get(&dirfd) != DOCA_SUCCESS)
		return;
	pthread_mutex_lock(&lock);
	/* Compares pointers only: at exit the destructor may have freed the claim. */
	sdpu_list_for_each_safe (it, tmp, &ours)
		if (claim_of(it) == claim)
			drop_locked(dirfd, claim);
	pthread_mutex_unlock(&lock);
}

static doca_error_t read_locked(int dirfd, const char *name, char text[SDPU_CLAIM_TEXT_MAX])
{
	const struct sdpu_claim *own = find_ours(name);

	if (own == NULL)
		return sdpu_claim_file_read(dirfd, name, text);
	strcpy(text, own->text);
	return DOCA_SUCCESS;
}

doca_error_t sdpu_claim_read(const char *name, char text[SDPU_CLAIM_TEXT_MAX])
{
	doca_error_t result;
	int dirfd;

	if (!sdpu_claim_name_valid(name))
		return DOCA_ERROR_INVALID_VALUE;
	result = sdpu_rundir_get(&dirfd);
	if (result != DOCA_SUCCESS)
		return result;
	pthread_mutex_lock(&lock);
	result = read_locked(dirfd, name, text);
	pthread_mutex_unlock(&lock);
	return result;
}

/* A claim seen while the directory was read; given to the callback after the mutex is released. */
struct sighting {
	struct sdpu_list node;
	char name[SDPU_CLAIM_NAME_MAX + 1];
	struct sdpu_claim_state state;
};

#define sighting_of(it) sdpu_container_of(it, struct sighting, node)

/* What a scan is for: living claims, and reaping dead ones; or all, without changes. */
struct search {
	const char *prefix;
	bool reaps;
	struct sdpu_list seen;
};

static doca_error_t look_locked(int dirfd, const char *name, struct sdpu_claim_state *state)
{
	const struct sdpu_claim *own = find_ours(name);

	if (own == NULL)
		return sdpu_claim_file_look(dirfd, name, state);
	state->is_alive = true;
	state->pid = getpid();
	strcpy(state->text, own->text);
	return DOCA_SUCCESS;
}

static doca_error_t see(struct search *search, const char *name,
			const struct sdpu_claim_state *state)
{
	struct sighting *sighting = malloc(sizeof(*sighting));

	if (sighting == NULL)
		return DOCA_ERROR_NO_MEMORY;
	strcpy(sighting->name, name);
	sighting->state = *state;
	sdpu_list_append(&search->seen, &sighting->node);
	return DOCA_SUCCESS;
}

static doca_error_t see_claim(int dirfd, const char *name, struct search *search)
{
	struct sdpu_claim_state state = {.is_alive = true};
	/* Every file is looked at, whatever its prefix, so that dead ones are reaped. */
	doca_error_t result = search->reaps ? read_locked(dirfd, name, state.text)
					    : look_locked(dirfd, name, &state);

	if (result != DOCA_SUCCESS || strncmp(name, search->prefix, strlen(search->prefix)) != 0)
		return DOCA_SUCCESS;
	return see(search, name, &state);
}

/* A socket whose claim is gone: somebody removed files by hand. */
static bool is_orphan(int dirfd, const char *name)
{
	char file[SDPU_CLAIM_NAME_MAX + sizeof(SDPU_CLAIM_SUFFIX)];

	strcpy(file, name);
	strcat(file, SDPU_CLAIM_SUFFIX);
	return find_ours(name) == NULL && faccessat(dirfd, file, F_OK, 0) != 0;
}

/* Whoever can claim its name may remove it. */
static doca_error_t see_socket(int dirfd, const char *name, struct search *search)
{
	static const struct sdpu_claim_state orphan;
	struct sdpu_claim *claim;

	if (!is_orphan(dirfd, name))
		return DOCA_SUCCESS;
	if (!search->reaps)
		return see(search, name, &orphan);
	if (take_locked(dirfd, name, "", &claim) == DOCA_SUCCESS)
		drop_locked(dirfd, claim);
	return DOCA_SUCCESS;
}

static doca_error_t see_entry(int dirfd, const struct dirent *entry, struct search *search)
{
	char name[sizeof(entry->d_name)];
	size_t len = strlen(entry->d_name);
	size_t suffix = strlen(SDPU_CLAIM_SUFFIX);
	bool is_claim =
		len > suffix && strcmp(entry->d_name + len - suffix, SDPU_CLAIM_SUFFIX) == 0;

	strcpy(name, entry->d_name);
	if (is_claim)
		name[len - suffix] = '\0';
	if (!sdpu_claim_name_valid(name))
		return DOCA_SUCCESS;
	if (is_claim)
		return see_claim(dirfd, name, search);
	return entry->d_type == DT_SOCK ? see_socket(dirfd, name, search) : DOCA_SUCCESS;
}

static doca_error_t see_all(int dirfd, struct search *search)
{
	/* Not registered with sdpu_fd_own(): closedir() closes it soon. */
	int fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	doca_error_t result = DOCA_SUCCESS;
	struct dirent *entry;

	if (dir == NULL) {
		sdpu_log_err("runtime directory %s cannot be read: %s", sdpu_rundir_path(),
			     strerror(errno));
		if (fd >= 0)
			close(fd);
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	while (result == DOCA_SUCCESS && (entry = readdir(dir)) != NULL)
		result = see_entry(dirfd, entry, search);
	closedir(dir);
	return result;
}

static doca_error_t hand_on(struct search *search, sdpu_claim_look_fn fn, void *arg)
{
	doca_error_t result;
	struct sdpu_list *it;
	int dirfd;

	sdpu_list_init(&search->seen);
	result = sdpu_rundir_get(&dirfd);
	if (result != DOCA_SUCCESS)
		return result;
	pthread_mutex_lock(&lock);
	result = see_all(dirfd, search);
	pthread_mutex_unlock(&lock);
	while ((it = sdpu_list_pop(&search->seen)) != NULL) {
		struct sighting *sighting = sighting_of(it);

		if (result == DOCA_SUCCESS)
			fn(sighting->name, &sighting->state, arg);
		free(sighting);
	}
	return result;
}

doca_error_t sdpu_claim_look(sdpu_claim_look_fn fn, void *arg)
{
	struct search search = {.prefix = "", .reaps = false};

	return hand_on(&search, fn, arg);
}

struct each {
	sdpu_claim_each_fn fn;
	void *arg;
};

static void call_each(const char *name, const struct sdpu_claim_state *state, void *arg)
{
	struct each *each = arg;

	if (each->fn != NULL)
		each->fn(name, state->text, each->arg);
}

doca_error_t sdpu_claim_each(const char *prefix, sdpu_claim_each_fn fn, void *arg)
{
	struct search search = {.prefix = prefix, .reaps = true};
	struct each each = {fn, arg};

	return hand_on(&search, call_each, &each);
}

/*
 * For programs that exit without ending their objects: no files are left. After the agent's
 * destructor (the higher number runs first). Another thread may be stopped for ever while it holds
 * the mutex: then the files stay, to be reaped by others.
 */
__attribute__((destructor(200))) static void drop_all_at_exit(void)
{
	int dirfd;

	if (sdpu_process_inert())
		return;
	for (int i = 0; pthread_mutex_trylock(&lock) != 0; i++) {
		if (i == 100)
			return;
		sdpu_clock_sleep(1 * SDPU_MS);
	}
	/* A process that never claimed anything must not make the directory now. */
	if (!sdpu_list_empty(&ours) && sdpu_rundir_get(&dirfd) == DOCA_SUCCESS)
		while (!sdpu_list_empty(&ours))
			drop_locked(dirfd, claim_of(ours.next));
	pthread_mutex_unlock(&lock);
}
