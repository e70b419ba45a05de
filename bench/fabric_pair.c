/* SPDX-License-Identifier: BSD-3-Clause */
/* Two endpoints of libfabric; contract in fabric_pair.h. */
#include "fabric_pair.h"

#include <arpa/inet.h>
#include <rdma/fabric.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool fabric_ok(struct bench *bench, ssize_t result, const char *what)
{
	if (result == 0)
		return true;
	bench_give_up(bench, BENCH_UNABLE, "libfabric: %s: %s", what, fi_strerror((int)-result));
	return false;
}

static struct fi_info *tcp_info(struct bench *bench, const char *port, uint64_t flags)
{
	struct fi_info *hints = fi_allocinfo();
	struct fi_info *info = NULL;

	if (hints == NULL)
		return NULL;
	hints->ep_attr->type = FI_EP_MSG;
	hints->caps = FI_MSG | FI_RMA;
	hints->domain_attr->threading = FI_THREAD_DOMAIN;
	hints->domain_attr->mr_mode =
		FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY;
	hints->fabric_attr->prov_name = strdup("tcp");
	fabric_ok(bench, fi_getinfo(FI_VERSION(1, 9), "127.0.0.1", port, flags, hints, &info),
		  "fi_getinfo");
	fi_freeinfo(hints);
	return info;
}

static bool open_domain(struct fabric_end *end, struct fi_info *info)
{
	struct fi_eq_attr eq = {.wait_obj = FI_WAIT_NONE};
	struct fi_cq_attr cq = {.format = FI_CQ_FORMAT_CONTEXT, .size = 256};
	struct bench *bench = end->bench;

	end->virt_addr = (info->domain_attr->mr_mode & FI_MR_VIRT_ADDR) != 0;
	return fabric_ok(bench, fi_domain(end->fabric, info, &end->domain, NULL), "fi_domain") &&
	       (end->eq != NULL ||
		fabric_ok(bench, fi_eq_open(end->fabric, &eq, &end->eq, NULL), "fi_eq_open")) &&
	       fabric_ok(bench, fi_cq_open(end->domain, &cq, &end->cq, NULL), "fi_cq_open") &&
	       fabric_ok(bench, fi_endpoint(end->domain, info, &end->ep, NULL), "fi_endpoint") &&
	       fabric_ok(bench, fi_ep_bind(end->ep, &end->eq->fid, 0), "fi_ep_bind") &&
	       fabric_ok(bench, fi_ep_bind(end->ep, &end->cq->fid, FI_TRANSMIT | FI_RECV),
			 "fi_ep_bind") &&
	       fabric_ok(bench, fi_enable(end->ep), "fi_enable");
}

/* Until the event has come; an accepted or called endpoint is progressed through its queue. */
static bool await(struct fabric_end *end, uint32_t what, struct fi_eq_cm_entry *entry)
{
	uint32_t event = 0;

	while (!bench_stopped(end->bench)) {
		ssize_t n = fi_eq_read(end->eq, &event, entry, sizeof(*entry), 0);

		if (n >= (ssize_t)sizeof(*entry) && event == what)
			return true;
		if (n < 0 && n != -FI_EAGAIN)
			return fabric_ok(end->bench, n, "fi_eq_read");
		if (end->cq != NULL)
			fi_cq_read(end->cq, NULL, 0);
	}
	return false;
}

static bool answer(struct fabric_end *end)
{
	struct fi_eq_attr eq = {.wait_obj = FI_WAIT_NONE};
	struct fi_info *info = tcp_info(end->bench, "0", FI_SOURCE);
	struct fi_eq_cm_entry entry;
	struct bench *bench = end->bench;
	size_t len = sizeof(struct sockaddr_in);
	struct fid_pep *pep;

	return info != NULL &&
	       fabric_ok(bench, fi_fabric(info->fabric_attr, &end->fabric, NULL), "fi_fabric") &&
	       fabric_ok(bench, fi_eq_open(end->fabric, &eq, &end->eq, NULL), "fi_eq_open") &&
	       fabric_ok(bench, fi_passive_ep(end->fabric, info, &pep, NULL), "fi_passive_ep") &&
	       fabric_ok(bench, fi_pep_bind(pep, &end->eq->fid, 0), "fi_pep_bind") &&
	       fabric_ok(bench, fi_listen(pep), "fi_listen") &&
	       fabric_ok(bench, fi_getname(&pep->fid, bench->arena, &len), "fi_getname") &&
	       bench_sync(bench) && await(end, FI_CONNREQ, &entry) &&
	       open_domain(end, entry.info) &&
	       fabric_ok(bench, fi_accept(end->ep, NULL, 0), "fi_accept") &&
	       await(end, FI_CONNECTED, &entry);
}

static bool call(struct fabric_end *end)
{
	const struct sockaddr_in *peer = end->bench->arena;
	struct fi_eq_cm_entry entry;
	struct bench *bench = end->bench;
	struct fi_info *info;
	char port[8];

	if (!bench_sync(bench))
		return false;
	snprintf(port, sizeof(port), "%u", ntohs(peer->sin_port));
	info = tcp_info(bench, port, 0);
	return info != NULL &&
	       fabric_ok(bench, fi_fabric(info->fabric_attr, &end->fabric, NULL), "fi_fabric") &&
	       open_domain(end, info) &&
	       fabric_ok(bench, fi_connect(end->ep, peer, NULL, 0), "fi_connect") &&
	       await(end, FI_CONNECTED, &entry);
}

bool fabric_end_open(struct bench *bench, struct fabric_end *end)
{
	*end = (struct fabric_end){.bench = bench};
	setenv("FI_PROVIDER", "tcp", 1); /* the others would only tell why they are not there */
	return (bench->side == 0 ? call(end) : answer(end)) && bench_sync(bench);
}
