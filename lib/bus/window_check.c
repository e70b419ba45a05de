/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See window_check.h. These functions, blob.c's and the served requests of window_serve.c are the
 * whole surface that a peer's bytes have; they are what the fuzzers call.
 */
#include "bus/window_check.h"

#include <string.h>

#define WRITE_PERMS                                                                                \
	(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_WRITE |                         \
	 DOCA_ACCESS_FLAG_RDMA_ATOMIC | DOCA_ACCESS_FLAG_PCI_READ_WRITE)
#define READ_PERMS                                                                                 \
	(DOCA_ACCESS_FLAG_RDMA_READ | DOCA_ACCESS_FLAG_RDMA_ATOMIC |                               \
	 DOCA_ACCESS_FLAG_PCI_READ_ONLY | DOCA_ACCESS_FLAG_PCI_READ_WRITE)

/* By these, who comes with a key may read and write in one step. */
#define ATOMIC_PERMS (DOCA_ACCESS_FLAG_RDMA_ATOMIC | DOCA_ACCESS_FLAG_PCI_READ_WRITE)

#define KIND_BIT(kind) (1u << (kind))
#define ALL_KINDS                                                                                  \
	(KIND_BIT(SDPU_WINDOW_MAPPED) | KIND_BIT(SDPU_WINDOW_CROSS) |                              \
	 KIND_BIT(SDPU_WINDOW_HANDED) | KIND_BIT(SDPU_WINDOW_SERVED))

bool sdpu_perms_writable(uint32_t perms)
{
	return (perms & WRITE_PERMS) != 0;
}

bool sdpu_perms_readable(uint32_t perms)
{
	return (perms & READ_PERMS) != 0;
}

uint32_t sdpu_perms_atomics(uint32_t perms, bool by_key)
{
	uint32_t kinds = 0;

	if (!by_key || sdpu_perms_readable(perms))
		kinds |= KIND_BIT(SDPU_ATOMIC_LOAD);
	if (sdpu_perms_writable(perms))
		kinds |= KIND_BIT(SDPU_ATOMIC_STORE);
	if (by_key ? (perms & ATOMIC_PERMS) != 0 : sdpu_perms_writable(perms))
		kinds |= KIND_BIT(SDPU_ATOMIC_FETCH_ADD) | KIND_BIT(SDPU_ATOMIC_CMP_SWP);
	return kinds;
}

const char *sdpu_grant_msg_fault(const struct sdpu_grant_msg *msg, uint32_t num_fds)
{
	bool mapped = (msg->kinds & KIND_BIT(SDPU_WINDOW_MAPPED)) != 0;
	bool handed = (msg->kinds & KIND_BIT(SDPU_WINDOW_HANDED)) != 0;
	uint64_t end;

	if (msg->kinds == 0 || (msg->kinds & ~ALL_KINDS) != 0)
		return "it offers no kind of access, or unknown ones";
	if (num_fds != 1u + mapped + handed)
		return "it has not the descriptors that it announces";
	if (msg->len == 0 || __builtin_add_overflow(msg->addr, msg->len, &end))
		return "its range is empty or wraps";
	if (mapped && (msg->file_offset > INT64_MAX || msg->len > INT64_MAX - msg->file_offset))
		return "its range lies beyond any file";
	/* Atomics are on aligned addresses of the owner's: they must be so here as well. */
	if (mapped && (msg->addr - msg->file_offset) % sizeof(uint64_t) != 0)
		return "its range does not lie in memory as it does in its file";
	if (memchr(msg->endpoint, '\0', sizeof(msg->endpoint)) == NULL)
		return "its endpoint has no end";
	return NULL;
}

const char *sdpu_window_request_fault(const void *bytes, uint32_t len, uint32_t num_fds,
				      struct window_request *request)
{
	if (len != sizeof(*request))
		return "it has a wrong length";
	memcpy(request, bytes, sizeof(*request));
	if (request->op != WINDOW_IMPORT && request->op != WINDOW_STAGE)
		return "it asks for something unknown";
	if (num_fds != (request->op == WINDOW_STAGE ? 1 : 0))
		return "it has a wrong number of descriptors";
	return NULL;
}

const char *sdpu_window_reply_fault(const void *bytes, uint32_t len, uint32_t num_fds,
				    struct window_reply *reply)
{
	if (len != sizeof(*reply))
		return "it has a wrong length";
	memcpy(reply, bytes, sizeof(*reply));
	if (reply->result != DOCA_SUCCESS)
		return num_fds == 0 ? NULL : "it refuses and brings descriptors";
	return sdpu_grant_msg_fault(&reply->msg, num_fds);
}
