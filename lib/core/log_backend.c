/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tables of backends and what creates them. A backend is complete before its table counts it,
 * and stays for the life of the process: programs have no call to destroy one, so its destination
 * (stream, descriptor, buffer) has to stay as well.
 */
#include "core/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include <doca_version.h>

#include "base/atomic.h"
#include "base/log.h"
#include "base/refuse.h"

pthread_mutex_t sdpu_log_config = PTHREAD_MUTEX_INITIALIZER;

struct log_table {
	struct doca_log_backend *slots[SDPU_LOG_MAX_BACKENDS];
	unsigned int count; /* slots below it are set and stay */
};

static struct log_table tables[SDPU_LOG_NUM_TIERS];

/* The pair of doca_log_backend_create_standard(): one process has one of each stream. */
static struct doca_log_backend standard[2];

/* Where SOFTDPU_LOG_LEVEL makes the SDK speak until the program has a backend for it. */
static struct doca_log_backend unasked = {
	.write = sdpu_log_write_file,
	.tier = SDPU_LOG_TIER_SDK,
	.lock = PTHREAD_MUTEX_INITIALIZER,
};

struct doca_log_backend *sdpu_log_backend_at(enum sdpu_log_tier tier, unsigned int index)
{
	/* acquire: pairs with the release in table_append(); the backend is complete */
	unsigned int count = sdpu_load_acquire(&tables[tier].count);

	if (index < count)
		return tables[tier].slots[index];
	if (count == 0 && index == 0 && tier == SDPU_LOG_TIER_SDK && sdpu_log_get_floor() > 0)
		return &unasked;
	return NULL;
}

/* Under sdpu_log_config, with room in the table. */
static void table_append(struct doca_log_backend *backend)
{
	struct log_table *table = &tables[backend->tier];

	pthread_mutex_init(&backend->lock, NULL);
	sdpu_log_backend_inherit(backend);
	table->slots[table->count] = backend;
	/* release: pairs with the acquire in sdpu_log_backend_at() */
	sdpu_store_release(&table->count, table->count + 1);
	if (backend->tier == SDPU_LOG_TIER_SDK)
		sdpu_log_limit_update();
}

/* Under sdpu_log_config, which is kept until the room is used. */
static bool table_has_room(enum sdpu_log_tier tier, unsigned int num)
{
	return tables[tier].count + num <= SDPU_LOG_MAX_BACKENDS;
}

static doca_error_t refuse_room(const char *call)
{
	sdpu_log_err("%s: %d log backends exist; needed: fewer, as these are the most of a tier; a "
		     "backend stays for the life of the process: use one again",
		     call, SDPU_LOG_MAX_BACKENDS);
	return DOCA_ERROR_NO_MEMORY;
}

/* Once in a process, however many backends follow: logs are told apart by it. */
static void first_sdk_backend_greet(void)
{
	sdpu_log_info("DOCA version %s", DOCA_VER_STRING);
	sdpu_log_env_check();
}

/* Adds a copy of *model, whose kind and destination are filled in. */
static doca_error_t backend_create(const char *call, const struct doca_log_backend *model,
				   struct doca_log_backend **backend)
{
	struct doca_log_backend *made = malloc(sizeof(*made));
	unsigned int index;
	bool room;

	if (!made)
		return sdpu_no_memory(call);
	*made = *model;
	pthread_mutex_lock(&sdpu_log_config);
	room = table_has_room(made->tier, 1);
	index = tables[made->tier].count;
	if (room)
		table_append(made);
	pthread_mutex_unlock(&sdpu_log_config);
	if (!room) {
		free(made);
		return refuse_room(call);
	}
	/* Not under the lock: a flush handler may log, and come back here. */
	*backend = made;
	if (made->tier == SDPU_LOG_TIER_SDK && index == 0)
		first_sdk_backend_greet();
	return DOCA_SUCCESS;
}

static doca_error_t create_with_file(const char *call, enum sdpu_log_tier tier, FILE *fptr,
				     struct doca_log_backend **backend)
{
	struct doca_log_backend model = {
		.write = sdpu_log_write_file,
		.tier = tier,
		.to.file = fptr,
	};

	if (sdpu_any_null(call, fptr, backend))
		return DOCA_ERROR_INVALID_VALUE;
	return backend_create(call, &model, backend);
}

static doca_error_t create_with_fd(const char *call, enum sdpu_log_tier tier, int fd,
				   struct doca_log_backend **backend)
{
	struct doca_log_backend model = {
		.write = sdpu_log_write_fd,
		.tier = tier,
		.to.fd = fd,
	};

	if (sdpu_any_null(call, backend))
		return DOCA_ERROR_INVALID_VALUE;
	/* The program may close it later; then its records are lost, see log_writer.c. */
	if (fcntl(fd, F_GETFD) < 0) {
		sdpu_log_err("%s: %d is no open descriptor (%s); needed: one that stays open", call,
			     fd, strerror(errno));
		return DOCA_ERROR_INVALID_VALUE;
	}
	return backend_create(call, &model, backend);
}

static doca_error_t create_with_buf(const char *call, enum sdpu_log_tier tier, char *buf,
				    size_t capacity, log_flush_callback handler,
				    struct doca_log_backend **backend)
{
	struct doca_log_backend model = {
		.write = sdpu_log_write_buf,
		.tier = tier,
		.to.buf = {.start = buf, .capacity = capacity, .handler = handler},
	};

	if (sdpu_any_null(call, buf, handler, backend) || sdpu_is_zero(call, capacity))
		return DOCA_ERROR_INVALID_VALUE;
	return backend_create(call, &model, backend);
}

static doca_error_t create_with_syslog(const char *call, enum sdpu_log_tier tier, const char *name,
				       struct doca_log_backend **backend)
{
	struct doca_log_backend model = {.write = sdpu_log_write_syslog, .tier = tier};
	doca_error_t result;

	if (sdpu_any_null(call, name, backend))
		return DOCA_ERROR_INVALID_VALUE;
	/* syslog keeps the pointer, so the caller's may not go away */
	model.to.ident = strdup(name);
	if (!model.to.ident)
		return sdpu_no_memory(call);
	result = backend_create(call, &model, backend);
	if (result != DOCA_SUCCESS)
		free(model.to.ident);
	return result;
}

doca_error_t doca_log_backend_create_standard(void)
{
	doca_error_t result = DOCA_SUCCESS;

	pthread_mutex_lock(&sdpu_log_config);
	if (standard[0].write) {
		/* they exist: a second pair would write each record twice */
	} else if (!table_has_room(SDPU_LOG_TIER_APP, 2)) {
		result = DOCA_ERROR_NO_MEMORY;
	} else {
		standard[0] = (struct doca_log_backend){
			.write = sdpu_log_write_file,
			.to.file = stdout,
			.upper_bound = DOCA_LOG_LEVEL_INFO,
		};
		standard[1] = (struct doca_log_backend){
			.write = sdpu_log_write_file,
			.to.file = stderr,
			.lower_bound = DOCA_LOG_LEVEL_WARNING,
		};
		table_append(&standard[0]);
		table_append(&standard[1]);
	}
	pthread_mutex_unlock(&sdpu_log_config);
	return result == DOCA_SUCCESS ? result : refuse_room(__func__);
}

doca_error_t doca_log_backend_create_with_file(FILE *fptr, struct doca_log_backend **backend)
{
	return create_with_file(__func__, SDPU_LOG_TIER_APP, fptr, backend);
}

doca_error_t doca_log_backend_create_with_file_sdk(FILE *fptr, struct doca_log_backend **backend)
{
	return create_with_file(__func__, SDPU_LOG_TIER_SDK, fptr, backend);
}

doca_error_t doca_log_backend_create_with_fd(int fd, struct doca_log_backend **backend)
{
	return create_with_fd(__func__, SDPU_LOG_TIER_APP, fd, backend);
}

doca_error_t doca_log_backend_create_with_fd_sdk(int fd, struct doca_log_backend **backend)
{
	return create_with_fd(__func__, SDPU_LOG_TIER_SDK, fd, backend);
}

doca_error_t doca_log_backend_create_with_buf(char *buf, size_t capacity,
					      log_flush_callback handler,
					      struct doca_log_backend **backend)
{
	return create_with_buf(__func__, SDPU_LOG_TIER_APP, buf, capacity, handler, backend);
}

doca_error_t doca_log_backend_create_with_buf_sdk(char *buf, size_t capacity,
						  log_flush_callback handler,
						  struct doca_log_backend **backend)
{
	return create_with_buf(__func__, SDPU_LOG_TIER_SDK, buf, capacity, handler, backend);
}

doca_error_t doca_log_backend_create_with_syslog(const char *name,
						 struct doca_log_backend **backend)
{
	return create_with_syslog(__func__, SDPU_LOG_TIER_APP, name, backend);
}

doca_error_t doca_log_backend_create_with_syslog_sdk(const char *name,
						     struct doca_log_backend **backend)
{
	return create_with_syslog(__func__, SDPU_LOG_TIER_SDK, name, backend);
}

uint32_t doca_log_get_max_num_backends(void)
{
	return SDPU_LOG_MAX_BACKENDS;
}

uint32_t doca_log_get_max_num_backends_sdk(void)
{
	return SDPU_LOG_MAX_BACKENDS;
}

/*
 * The configuration lock is ours while the process forks, so that nobody is half-way through a
 * change. The backends' locks may be held by writers that block; the child starts with fresh ones.
 */
static void fork_prepare(void)
{
	pthread_mutex_lock(&sdpu_log_config);
}

static void fork_parent(void)
{
	pthread_mutex_unlock(&sdpu_log_config);
}

static void fork_child(void)
{
	struct doca_log_backend *backend;

	pthread_mutex_unlock(&sdpu_log_config);
	pthread_mutex_init(&unasked.lock, NULL);
	for (int tier = 0; tier < SDPU_LOG_NUM_TIERS; tier++)
		for (unsigned int i = 0; (backend = sdpu_log_backend_at(tier, i)) != NULL; i++)
			pthread_mutex_init(&backend->lock, NULL);
}

__attribute__((constructor)) static void log_prepare(void)
{
	unasked.to.file = stderr;
	pthread_atfork(fork_prepare, fork_parent, fork_child);
	sdpu_log_set_sink(sdpu_log_sdk_sink);
	sdpu_log_env_apply();
}
