/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Topology from JSON:
 *
 *	{ "dpus": [ { "functions": [FUNCTION, ...], "host_functions": [FUNCTION, ...] }, ... ],
 *	  "limits": { "comch_max_clients": 4, ... } }
 *
 * A FUNCTION needs a "pci" only; everything else has a default that follows from its place in the
 * list. `null` for an IP address means that there is none.
 */
#include "core/topology_read.h"

#include <stdlib.h>

static const char *side_key(enum sdpu_side side)
{
	return side == SDPU_SIDE_DPU ? "functions" : "host_functions";
}

/* One side of one DPU. */
static doca_error_t read_side(struct sdpu_topology_reader *r, const struct sdpu_json *dpu)
{
	doca_error_t result = DOCA_SUCCESS;
	struct sdpu_json list, element;

	if (!sdpu_json_member(dpu, side_key(r->side), &list))
		return r->side == SDPU_SIDE_HOST
			       ? DOCA_SUCCESS
			       : sdpu_json_refuse(dpu, r->err, "a DPU with \"functions\"");
	for (size_t i = 0; result == DOCA_SUCCESS && i < sdpu_json_length(&list); i++) {
		element = sdpu_json_element(&list, i);
		result = sdpu_topology_read_function(r, &element);
	}
	return result;
}

/* Adds to *num the functions of one side; everything around the functions themselves is checked. */
static doca_error_t count_side(const struct sdpu_json *dpu, enum sdpu_side side, size_t *num,
			       struct sdpu_json_error *err)
{
	struct sdpu_json list;
	doca_error_t result;

	if (!sdpu_json_member(dpu, side_key(side), &list))
		return DOCA_SUCCESS;
	result = sdpu_json_need_array(&list, err);
	if (result != DOCA_SUCCESS)
		return result;
	if (side == SDPU_SIDE_DPU && sdpu_json_length(&list) == 0)
		return sdpu_json_refuse(&list, err, "at least one function");
	*num += sdpu_json_length(&list);
	return DOCA_SUCCESS;
}

/* Adds all functions to *num. */
static doca_error_t count_functions(const struct sdpu_json *dpus, size_t *num,
				    struct sdpu_json_error *err)
{
	static const char *const keys[] = {"functions", "host_functions"};
	doca_error_t result = sdpu_json_need_array(dpus, err);

	if (result == DOCA_SUCCESS && sdpu_json_length(dpus) == 0)
		return sdpu_json_refuse(dpus, err, "at least one DPU");
	for (size_t i = 0; result == DOCA_SUCCESS && i < sdpu_json_length(dpus); i++) {
		struct sdpu_json dpu = sdpu_json_element(dpus, i);

		result = sdpu_json_need_keys(&dpu, keys, SDPU_ARRAY_SIZE(keys), err);
		if (result == DOCA_SUCCESS)
			result = count_side(&dpu, SDPU_SIDE_DPU, num, err);
		if (result == DOCA_SUCCESS)
			result = count_side(&dpu, SDPU_SIDE_HOST, num, err);
		if (result == DOCA_SUCCESS && *num > SDPU_TOPOLOGY_MAX_FUNCTIONS)
			return sdpu_json_refuse(dpus, err, "at most %d functions",
						SDPU_TOPOLOGY_MAX_FUNCTIONS);
	}
	return result;
}

static doca_error_t read_dpus(const struct sdpu_json *dpus, struct sdpu_topology *topology,
			      struct sdpu_json_error *err)
{
	struct sdpu_topology_reader r = {.topology = topology, .err = err};
	doca_error_t result = DOCA_SUCCESS;

	for (r.side = SDPU_SIDE_DPU; r.side <= SDPU_SIDE_HOST; r.side++) {
		for (r.dpu = 0; r.dpu < sdpu_json_length(dpus); r.dpu++) {
			struct sdpu_json dpu = sdpu_json_element(dpus, r.dpu);

			result = read_side(&r, &dpu);
			if (result != DOCA_SUCCESS)
				return result;
		}
	}
	return result;
}

doca_error_t sdpu_topology_read(struct json_object *root, const char *file,
				struct sdpu_topology **topology, struct sdpu_json_error *err)
{
	static const char *const keys[] = {"dpus", "limits"};
	struct sdpu_json top = sdpu_json_root(root, file), dpus, limits;
	struct sdpu_topology *made;
	doca_error_t result = sdpu_json_need_keys(&top, keys, SDPU_ARRAY_SIZE(keys), err);
	size_t num = 0;

	if (result == DOCA_SUCCESS && !sdpu_json_member(&top, "dpus", &dpus))
		return sdpu_json_refuse(&top, err, "an object with \"dpus\"");
	if (result == DOCA_SUCCESS)
		result = count_functions(&dpus, &num, err);
	if (result != DOCA_SUCCESS)
		return result;
	made = calloc(1, sizeof(*made) + num * sizeof(made->functions[0]));
	if (made == NULL)
		return DOCA_ERROR_NO_MEMORY;
	sdpu_limits_init(&made->limits);
	if (sdpu_json_member(&top, "limits", &limits))
		result = sdpu_limits_read(&limits, &made->limits, err);
	if (result == DOCA_SUCCESS)
		result = read_dpus(&dpus, made, err);
	if (result == DOCA_SUCCESS)
		*topology = made;
	else
		free(made);
	return result;
}
