/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The runtime directory as tools see it: claims of the bus, under public names. No state of its
 * own; any thread.
 */
#include <string.h>

#include <softdpu.h>

#include "base/compiler.h"
#include "base/refuse.h"
#include "bus/rundir.h"

struct look {
	softdpu_entry_cb_t cb;
	void *user_data;
};

/* By how names begin: agent.c, comch/name.c and rdma/local_port.c give them. */
static enum softdpu_entry_kind kind_of(const char *name)
{
	static const struct {
		const char *prefix;
		enum softdpu_entry_kind kind;
	} kinds[] = {
		{"a-", SOFTDPU_ENTRY_PROCESS},
		{"s-", SOFTDPU_ENTRY_COMCH_SERVER},
		{"r-", SOFTDPU_ENTRY_RDMA_PORT},
	};

	for (size_t i = 0; i < SDPU_ARRAY_SIZE(kinds); i++)
		if (strncmp(name, kinds[i].prefix, strlen(kinds[i].prefix)) == 0)
			return kinds[i].kind;
	return SOFTDPU_ENTRY_OTHER;
}

static void tell(const char *name, const struct sdpu_claim_state *state, void *arg)
{
	const struct look *look = arg;
	struct softdpu_entry entry = {
		.kind = kind_of(name),
		.name = name,
		.text = state->text,
		.is_alive = state->is_alive,
		.pid = state->pid,
	};

	look->cb(&entry, look->user_data);
}

doca_error_t softdpu_registry_look(softdpu_entry_cb_t cb, void *user_data)
{
	struct look look = {cb, user_data};

	if (sdpu_any_null(__func__, cb))
		return DOCA_ERROR_INVALID_VALUE;
	return sdpu_claim_look(tell, &look);
}

doca_error_t softdpu_registry_reap(void)
{
	return sdpu_claim_each("", NULL, NULL);
}

const char *softdpu_registry_path(void)
{
	return sdpu_rundir_path();
}
