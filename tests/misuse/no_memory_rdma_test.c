/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the heap refuses to the calls of RDMA, between two ends of one machine.
 */
#include <stdlib.h>

#include <doca_rdma.h>

#include "misuse/scarce.h"
#include "rdma/rig.h"

static struct rig_end a, b;
static struct rig_card card;

SCARCE_CASE(contexts)
{
	struct doca_rdma_addr *addr;
	struct doca_rdma *rdma;

	rig_init(&a);
	rig_open(&a);
	SCARCE(doca_rdma_create(a.dev, &rdma), rdma, T_OK(doca_rdma_destroy(rdma)));
	SCARCE(doca_rdma_addr_create(DOCA_RDMA_ADDR_TYPE_IPv4, "127.0.0.1", 4711, &addr), addr,
	       T_OK(doca_rdma_addr_destroy(addr)));
	SCARCE_STEP(doca_ctx_start(a.ctx), T_OK(doca_ctx_stop(a.ctx)));
	rig_close(&a);
}

static void stop_and_start(struct rig_end *end)
{
	if (doca_ctx_stop(end->ctx) == DOCA_ERROR_IN_PROGRESS)
		RIG_ALONE(end, rig_state(end) == DOCA_CTX_STATE_IDLE);
	T_OK(doca_ctx_start(end->ctx));
}

SCARCE_CASE(connections)
{
	struct doca_rdma_connection *connection;
	const void *details;
	size_t len;

	rig_init(&a);
	rig_init(&b);
	rig_open(&a);
	rig_open(&b);
	T_OK(doca_ctx_start(a.ctx));
	T_OK(doca_ctx_start(b.ctx));
	rig_export(&b, &card);
	SCARCE(doca_rdma_export(a.rdma, &details, &len, &connection), connection,
	       stop_and_start(&a));
	T_OK(doca_rdma_export(a.rdma, &details, &len, &connection));
	SCARCE_STEP(doca_rdma_connect(a.rdma, card.details, card.details_len, connection),
		    (stop_and_start(&a), stop_and_start(&b), rig_export(&b, &card),
		     T_OK(doca_rdma_export(a.rdma, &details, &len, &connection))));
	rig_close_both(&a, &b);
}

SCARCE_CASE(ports)
{
	uint16_t port = rig_port();

	setenv("SOFTDPU_RDMA", "local", 1);
	rig_init(&a);
	a.by_address = true;
	rig_open(&a);
	T_OK(doca_ctx_start(a.ctx));
	SCARCE_STEP(doca_rdma_start_listen_to_port(a.rdma, port),
		    T_OK(doca_rdma_stop_listen_to_port(a.rdma, port)));
	rig_close(&a);
}
