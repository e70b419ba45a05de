/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the heap refuses to the calls of core, DMA and argp.
 */
#include <stdlib.h>

#include <doca_argp.h>
#include <doca_buf_array.h>
#include <doca_buf_inventory.h>
#include <doca_buf_pool.h>
#include <doca_ctx.h>
#include <doca_dma.h>
#include <doca_log.h>
#include <doca_mmap_advise.h>
#include <doca_pe.h>
#include <doca_sync_event.h>

#include "core/graph_kit.h"
#include "dma/rig.h"
#include "misuse/scarce.h"

static struct rig rig;
static uint8_t memory[8192] __attribute__((aligned(64)));
static char record[256];

static void flush(char *text)
{
	(void)text;
}

static doca_error_t nothing(void *cookie)
{
	(void)cookie;
	return DOCA_SUCCESS;
}

SCARCE_CASE(devices)
{
	struct doca_devinfo **list;
	struct doca_devinfo_rep **reps;
	struct doca_dev_rep *rep;
	struct doca_dev *dev;
	uint32_t num;

	SCARCE(doca_devinfo_create_list(&list, &num), list, T_OK(doca_devinfo_destroy_list(list)));
	T_OK(doca_devinfo_create_list(&list, &num));
	SCARCE(doca_dev_open(list[0], &dev), dev, T_OK(doca_dev_close(dev)));
	T_OK(doca_devinfo_destroy_list(list));
	dev = kit_open(KIT_DPU);
	SCARCE(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &reps, &num), reps,
	       T_OK(doca_devinfo_rep_destroy_list(reps)));
	T_OK(doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_ALL, &reps, &num));
	SCARCE(doca_dev_rep_open(reps[0], &rep), rep, T_OK(doca_dev_rep_close(rep)));
	T_OK(doca_devinfo_rep_destroy_list(reps));
	T_OK(doca_dev_close(dev));
}

SCARCE_CASE(mmaps)
{
	struct doca_dev *dev = kit_open(KIT_HOST), *dpu = kit_open(KIT_DPU);
	struct doca_mmap *mmap, *imported;
	const void *blob;
	size_t len;

	SCARCE(doca_mmap_create(&mmap), mmap, T_OK(doca_mmap_destroy(mmap)));
	T_OK(doca_mmap_create(&mmap));
	T_OK(doca_mmap_set_memrange(mmap, memory, sizeof(memory)));
	T_OK(doca_mmap_set_permissions(mmap, DOCA_ACCESS_FLAG_PCI_READ_WRITE));
	SCARCE_STEP(doca_mmap_add_dev(mmap, dev), T_OK(doca_mmap_rm_dev(mmap, dev)));
	T_OK(doca_mmap_add_dev(mmap, dev));
	SCARCE_STEP(doca_mmap_start(mmap), T_OK(doca_mmap_stop(mmap)));
	T_OK(doca_mmap_start(mmap));
	SCARCE(doca_mmap_export_pci(mmap, dev, &blob, &len), blob, (void)0);
	T_OK(doca_mmap_export_pci(mmap, dev, &blob, &len));
	SCARCE(doca_mmap_create_from_export(NULL, blob, len, dpu, &imported), imported,
	       T_OK(doca_mmap_destroy(imported)));
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dev_close(dpu));
	T_OK(doca_dev_close(dev));
}

SCARCE_CASE(bufs)
{
	struct doca_dev *dev = kit_open(KIT_DPU);
	struct doca_mmap *mmap = kit_mmap(dev, memory, sizeof(memory), 0);
	struct doca_buf_inventory *inventory;
	struct doca_buf_pool *pool;
	struct doca_buf_arr *array;

	SCARCE(doca_buf_inventory_create(8, &inventory), inventory,
	       T_OK(doca_buf_inventory_destroy(inventory)));
	T_OK(doca_buf_inventory_create(8, &inventory));
	SCARCE_STEP(doca_buf_inventory_start(inventory), T_OK(doca_buf_inventory_stop(inventory)));
	SCARCE_STEP(doca_buf_inventory_expand(inventory, 8), (void)0);
	T_OK(doca_buf_inventory_destroy(inventory));
	SCARCE(doca_buf_pool_create(8, 64, mmap, &pool), pool, T_OK(doca_buf_pool_destroy(pool)));
	T_OK(doca_buf_pool_create(8, 64, mmap, &pool));
	SCARCE_STEP(doca_buf_pool_start(pool), T_OK(doca_buf_pool_stop(pool)));
	T_OK(doca_buf_pool_destroy(pool));
	SCARCE(doca_buf_arr_create(8, &array), array, T_OK(doca_buf_arr_destroy(array)));
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dev_close(dev));
}

SCARCE_CASE(events)
{
	struct doca_dev *dev = kit_open(KIT_DPU);
	struct doca_sync_event *event;

	SCARCE(doca_sync_event_create(&event), event, T_OK(doca_sync_event_destroy(event)));
	T_OK(doca_sync_event_create(&event));
	T_OK(doca_sync_event_add_publisher_location_cpu(event, dev));
	T_OK(doca_sync_event_add_subscriber_location_cpu(event, dev));
	SCARCE_STEP(doca_sync_event_start(event), T_OK(doca_sync_event_stop(event)));
	T_OK(doca_sync_event_destroy(event));
	T_OK(doca_dev_close(dev));
}

SCARCE_CASE(engines_and_graphs)
{
	struct doca_graph_instance *instance;
	struct doca_graph_node *node, *second;
	struct doca_graph *graph;
	struct doca_pe *pe;

	SCARCE(doca_pe_create(&pe), pe, T_OK(doca_pe_destroy(pe)));
	T_OK(doca_pe_create(&pe));
	SCARCE(doca_graph_create(pe, &graph), graph, T_OK(doca_graph_destroy(graph)));
	graph = graph_on(pe, 2);
	SCARCE(doca_graph_node_create_from_user(graph, nothing, &node), node, (void)0);
	node = graph_user_node(graph);
	second = graph_user_node(graph);
	SCARCE_STEP(doca_graph_add_dependency(graph, node, second), (void)0);
	SCARCE_STEP(doca_graph_start(graph), T_OK(doca_graph_stop(graph)));
	T_OK(doca_graph_start(graph));
	SCARCE(doca_graph_instance_create(graph, &instance), instance,
	       T_OK(doca_graph_instance_destroy(instance)));
	T_OK(doca_graph_stop(graph));
	T_OK(doca_graph_destroy(graph));
	T_OK(doca_pe_destroy(pe));
}

SCARCE_CASE(dma)
{
	struct doca_mmap_advise *advise;
	struct doca_dma *dma;

	rig_open(&rig);
	SCARCE(doca_dma_create(rig.dev, &dma), dma, T_OK(doca_dma_destroy(dma)));
	SCARCE_STEP(doca_ctx_start(rig.ctx), T_OK(doca_ctx_stop(rig.ctx)));
	SCARCE(doca_mmap_advise_create(rig.dev, &advise), advise,
	       T_OK(doca_mmap_advise_destroy(advise)));
	rig_close(&rig);
}

SCARCE_CASE(logs)
{
	/* Records follow to each that was made. Kept: a backend is never destroyed. */
	static FILE *nowhere;
	struct doca_log_backend *backend;

	nowhere = fopen("/dev/null", "w");
	T_CHECK(nowhere != NULL);

	SCARCE(doca_log_backend_create_with_fd(2, &backend), backend, (void)0);
	SCARCE(doca_log_backend_create_with_file(nowhere, &backend), backend, (void)0);
	SCARCE(doca_log_backend_create_with_buf(record, sizeof(record), flush, &backend), backend,
	       (void)0);
	SCARCE(doca_log_backend_create_with_syslog("scarce", &backend), backend, (void)0);
	SCARCE(doca_log_backend_create_with_fd_sdk(2, &backend), backend, (void)0);
	SCARCE(doca_log_backend_create_with_file_sdk(nowhere, &backend), backend, (void)0);
	SCARCE(doca_log_backend_create_with_buf_sdk(record, sizeof(record), flush, &backend),
	       backend, (void)0);
	SCARCE(doca_log_backend_create_with_syslog_sdk("scarce", &backend), backend, (void)0);
}

static doca_error_t take(void *text, void *config)
{
	(void)text;
	(void)config;
	return DOCA_SUCCESS;
}

/* Names that could not be kept are told when the parameter is registered. */
static doca_error_t register_one(struct doca_argp_param *param)
{
	doca_argp_param_set_short_name(param, "s");
	doca_argp_param_set_long_name(param, "scarce");
	doca_argp_param_set_description(param, "what is rare");
	doca_argp_param_set_arguments(param, "<text>");
	doca_argp_param_set_callback(param, take);
	doca_argp_param_set_type(param, DOCA_ARGP_TYPE_STRING);
	return doca_argp_register_param(param);
}

static doca_error_t parse_all(void)
{
	char *argv[] = {"scarce", "--scarce", "memory", NULL};
	struct doca_argp_param *param;
	doca_error_t result = doca_argp_init("scarce", NULL);

	if (result != DOCA_SUCCESS)
		return result;
	result = doca_argp_param_create(&param);
	if (result == DOCA_SUCCESS)
		result = register_one(param);
	if (result == DOCA_SUCCESS)
		result = doca_argp_start(3, argv);
	T_OK(doca_argp_destroy());
	return result;
}

SCARCE_CASE(argp)
{
	struct doca_argp_param *param;

	SCARCE_STEP(doca_argp_init("scarce", NULL), T_OK(doca_argp_destroy()));
	T_OK(doca_argp_init("scarce", NULL));
	SCARCE(doca_argp_param_create(&param), param, T_OK(doca_argp_param_destroy(param)));
	T_OK(doca_argp_destroy());
	SCARCE_STEP(parse_all(), (void)0);
}
