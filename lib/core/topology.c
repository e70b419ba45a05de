/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loading of the topology, and what the environment shows of it; contract in topology.h. The file
 * is read once, since open devices point into what came of it; SOFTDPU_SIDE and SOFTDPU_DEVICES
 * choose from that and are asked at every look.
 */
#include "core/topology.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/refuse.h"

static pthread_mutex_t load_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sdpu_topology *loaded; /* set once, under load_lock; never freed */

/* A variable that is set to something. */
static const char *setting(const char *name)
{
	const char *value = getenv(name);

	return value != NULL && value[0] != '\0' ? value : NULL;
}

static doca_error_t parse_builtin(struct json_object **root, struct sdpu_json_error *err)
{
	return sdpu_json_parse("built-in topology", sdpu_topology_default,
			       strlen(sdpu_topology_default), root, err);
}

/* A file that has only limits keeps the built-in devices. */
static doca_error_t add_builtin_dpus(struct json_object *root, struct sdpu_json_error *err)
{
	struct json_object *builtin;
	doca_error_t result;

	if (json_object_object_get_ex(root, "dpus", NULL))
		return DOCA_SUCCESS;
	result = parse_builtin(&builtin, err);
	if (result != DOCA_SUCCESS)
		return result;
	json_object_object_add(root, "dpus",
			       json_object_get(json_object_object_get(builtin, "dpus")));
	sdpu_json_free(builtin);
	return DOCA_SUCCESS;
}

static doca_error_t topology_parse(struct sdpu_topology **topology, struct sdpu_json_error *err)
{
	const char *path = setting("SOFTDPU_TOPOLOGY");
	struct json_object *root;
	doca_error_t result;

	result = path != NULL ? sdpu_json_load(path, &root, err) : parse_builtin(&root, err);
	if (result != DOCA_SUCCESS)
		return result;
	result = add_builtin_dpus(root, err);
	if (result == DOCA_SUCCESS)
		result = sdpu_topology_read(root, path ? path : "built-in topology", topology, err);
	sdpu_json_free(root);
	return result;
}

/* The lock is held while the file is read: a second thread needs the answer, too. */
static doca_error_t topology_load(const struct sdpu_topology **topology)
{
	struct sdpu_json_error err = {0};
	doca_error_t result = DOCA_SUCCESS;

	pthread_mutex_lock(&load_lock);
	if (loaded == NULL)
		result = topology_parse(&loaded, &err);
	if (result == DOCA_SUCCESS)
		*topology = loaded;
	pthread_mutex_unlock(&load_lock);
	if (result == DOCA_SUCCESS)
		return result;
	if (result == DOCA_ERROR_NO_MEMORY)
		return sdpu_no_memory("topology (SOFTDPU_TOPOLOGY)");
	sdpu_log_err("topology (SOFTDPU_TOPOLOGY): %s", err.text);
	return DOCA_ERROR_BAD_CONFIG;
}

static doca_error_t setting_refuse(const char *name, const char *value, const char *needed)
{
	sdpu_log_err("devices: %s is \"%s\"; needed: %s", name, value, needed);
	return DOCA_ERROR_BAD_CONFIG;
}

static doca_error_t view_restrict(struct sdpu_topology_view *view)
{
	const char *side = setting("SOFTDPU_SIDE");
	const char *devices = setting("SOFTDPU_DEVICES");

	if (side != NULL && strcmp(side, "host") != 0 && strcmp(side, "dpu") != 0)
		return setting_refuse("SOFTDPU_SIDE", side, "host or dpu, or not set for both");
	if (devices != NULL && strcmp(devices, "none") != 0)
		return setting_refuse("SOFTDPU_DEVICES", devices, "none, or not set for all");
	view->shows[SDPU_SIDE_DPU] = !devices && (!side || strcmp(side, "dpu") == 0);
	view->shows[SDPU_SIDE_HOST] = !devices && (!side || strcmp(side, "host") == 0);
	return DOCA_SUCCESS;
}

doca_error_t sdpu_topology_look(struct sdpu_topology_view *view)
{
	doca_error_t result = view_restrict(view);

	return result == DOCA_SUCCESS ? topology_load(&view->topology) : result;
}

const struct sdpu_function *sdpu_topology_next(const struct sdpu_topology_view *view,
					       const struct sdpu_function *prev)
{
	const struct sdpu_function *end = view->topology->functions + view->topology->num_functions;
	const struct sdpu_function *at = prev == NULL ? view->topology->functions : prev + 1;

	while (at < end && !view->shows[at->side])
		at++;
	return at < end ? at : NULL;
}

const struct sdpu_function *sdpu_topology_next_represented(const struct sdpu_function *port,
							   const struct sdpu_function *prev)
{
	const struct sdpu_function *at, *end;
	const struct sdpu_topology *topology;

	if (topology_load(&topology) != DOCA_SUCCESS)
		return NULL;
	end = topology->functions + topology->num_functions;
	for (at = prev == NULL ? topology->functions : prev + 1; at < end; at++)
		if (at->represented_on == port)
			return at;
	return NULL;
}

void sdpu_topology_list(enum sdpu_side side, char *text, size_t size)
{
	const struct sdpu_function *function = NULL;
	struct sdpu_topology_view view;
	size_t used = 0;

	snprintf(text, size, "none");
	if (sdpu_topology_look(&view) != DOCA_SUCCESS)
		return;
	while ((function = sdpu_topology_next(&view, function)) != NULL && used < size) {
		if (function->side == side)
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
						 function->pci);
	}
}
