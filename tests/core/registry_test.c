/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Looking at the runtime directory: who lives, who has died, and that looking changes nothing.
 */
#include "t.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <softdpu.h>

#include "comch/pair.h"
#include "core/kit.h"

struct seen {
	unsigned int alive[SOFTDPU_ENTRY_OTHER + 1];
	unsigned int dead[SOFTDPU_ENTRY_OTHER + 1];
	pid_t pid; /* of the last server */
	char text[512];
};

static void count(const struct softdpu_entry *entry, void *user_data)
{
	struct seen *seen = user_data;

	T_CHECK(entry->kind <= SOFTDPU_ENTRY_OTHER);
	(entry->is_alive ? seen->alive : seen->dead)[entry->kind]++;
	if (!entry->is_alive)
		T_EQ(entry->pid, 0);
	if (entry->kind != SOFTDPU_ENTRY_COMCH_SERVER)
		return;
	seen->pid = entry->pid;
	snprintf(seen->text, sizeof(seen->text), "%s", entry->text);
}

static struct seen look(void)
{
	struct seen seen = {0};

	T_OK(softdpu_registry_look(count, &seen));
	return seen;
}

T_CASE(empty_directory_has_no_entries)
{
	struct seen seen = look();

	for (unsigned int kind = 0; kind <= SOFTDPU_ENTRY_OTHER; kind++)
		T_EQ(seen.alive[kind] + seen.dead[kind], 0);
	T_STREQ(softdpu_registry_path(), getenv("SOFTDPU_RUNTIME_DIR"));
	T_OK(softdpu_registry_reap());
}

T_CASE(callback_is_needed)
{
	T_STREQ(softdpu_registry_path(), "(no runtime directory)");
	T_ERR(softdpu_registry_look(NULL, NULL), DOCA_ERROR_INVALID_VALUE);
}

T_CASE(foreign_directory_is_refused)
{
	struct seen seen;

	setenv("SOFTDPU_RUNTIME_DIR", "/tmp", 1); /* others may enter */
	T_ERR(softdpu_registry_look(count, &seen), DOCA_ERROR_NOT_PERMITTED);
	T_ERR(softdpu_registry_reap(), DOCA_ERROR_NOT_PERMITTED);
	setenv("SOFTDPU_RUNTIME_DIR", "/dev/null/nowhere", 1);
	T_ERR(softdpu_registry_look(count, &seen), DOCA_ERROR_OPERATING_SYSTEM);
}

static void look_in_child(void)
{
	struct seen seen;

	T_ERR(softdpu_registry_look(count, &seen), DOCA_ERROR_BAD_STATE);
	T_ERR(softdpu_registry_reap(), DOCA_ERROR_BAD_STATE);
}

T_CASE(forked_child_is_refused)
{
	struct doca_dev *dev = kit_open(KIT_DPU);

	kit_in_child(look_in_child);
	T_OK(doca_dev_close(dev));
}

T_CASE(own_objects_are_alive)
{
	struct end server = {0};
	struct seen seen;

	end_create(&server, true);
	T_EQ(look().alive[SOFTDPU_ENTRY_PROCESS], 1);
	T_EQ(look().alive[SOFTDPU_ENTRY_COMCH_SERVER], 0);
	end_start(&server);
	seen = look();
	T_EQ(seen.alive[SOFTDPU_ENTRY_PROCESS], 1);
	T_EQ(seen.alive[SOFTDPU_ENTRY_COMCH_SERVER], 1);
	T_EQ(seen.pid, getpid());
	T_CONTAINS(seen.text, " 0000:03:00.0 0000:3b:00.0 " PAIR_NAME);
	end_close(&server);
	T_EQ(look().alive[SOFTDPU_ENTRY_COMCH_SERVER], 0);
	T_EQ(look().alive[SOFTDPU_ENTRY_PROCESS], 0);
}

/* Serves until it is killed. */
static int serve(void *arg)
{
	struct end server = {0};

	(void)arg;
	end_create(&server, true);
	end_start(&server);
	for (;;)
		pause();
	return 0;
}

static void write_file(const char *name)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", getenv("SOFTDPU_RUNTIME_DIR"), name);
	file = fopen(path, "w");
	T_CHECK(file != NULL);
	fclose(file);
}

T_CASE(death_is_seen_and_reaped)
{
	pid_t child = t_fork(serve, NULL);
	struct doca_dev *dev;
	struct seen seen;

	/* While it is being made it is alive already, and nobody's yet. */
	T_EVENTUALLY(look().pid == child, 10000);
	T_EQ(look().alive[SOFTDPU_ENTRY_COMCH_SERVER], 1);
	/* Opened only now: it reaps what it finds. */
	dev = kit_open(KIT_DPU);
	T_EQ(look().alive[SOFTDPU_ENTRY_PROCESS], 2);
	kill(child, SIGKILL);
	T_EQ(t_wait(child, 10000), 128 + SIGKILL);
	write_file("x-unknown.claim");

	for (int i = 0; i < 2; i++) { /* looking has changed nothing */
		seen = look();
		T_EQ(seen.alive[SOFTDPU_ENTRY_PROCESS], 1);
		T_EQ(seen.dead[SOFTDPU_ENTRY_PROCESS], 1);
		T_EQ(seen.dead[SOFTDPU_ENTRY_COMCH_SERVER], 1);
		T_EQ(seen.dead[SOFTDPU_ENTRY_OTHER], 1);
	}
	T_OK(softdpu_registry_reap());
	seen = look();
	T_EQ(seen.alive[SOFTDPU_ENTRY_PROCESS], 1);
	T_EQ(seen.dead[SOFTDPU_ENTRY_PROCESS], 0);
	T_EQ(seen.dead[SOFTDPU_ENTRY_COMCH_SERVER], 0);
	T_EQ(seen.dead[SOFTDPU_ENTRY_OTHER], 0);
	T_OK(doca_dev_close(dev));
}
