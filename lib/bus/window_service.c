/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests for memory windows to this process's agent. Everything runs in the agent's thread and
 * never blocks. A connection that asked for a grant belongs to that grant from then on, one that
 * asked to be served to its window_serve; every other one is closed.
 */
#include <string.h>

#include "base/log.h"
#include "bus/process.h"
#include "bus/window_check.h"
#include "bus/window_parts.h"

static doca_error_t send_reply(int sock, doca_error_t result, const struct sdpu_grant_msg *msg,
			       const int *fds, uint32_t num_fds)
{
	struct window_reply reply;

	memset(&reply, 0, sizeof(reply));
	reply.result = (uint32_t)result;
	if (result == DOCA_SUCCESS)
		reply.msg = *msg;
	return sdpu_sock_send(sock, &reply, sizeof(reply), fds, num_fds);
}

/* Answers with a grant; the socket stays the caller's on failure. */
static doca_error_t answer_import(int sock, pid_t peer, const struct window_request *request)
{
	struct sdpu_grant_msg msg;
	struct sdpu_grant *grant;
	int fds[SDPU_GRANT_FDS];
	uint32_t num_fds;
	doca_error_t result = sdpu_grant_by_key(request->key, peer, &msg, fds, &num_fds, &grant);

	if (result != DOCA_SUCCESS) {
		/* If this fails, the importer sees the closed connection. */
		send_reply(sock, result, NULL, NULL, 0);
		return result;
	}
	result = send_reply(sock, DOCA_SUCCESS, &msg, fds, num_fds);
	for (uint32_t i = 0; i < num_fds; i++)
		sdpu_fd_close(fds[i]);
	if (result == DOCA_SUCCESS)
		result = sdpu_grant_tie(grant, sock);
	if (result == DOCA_SUCCESS)
		return DOCA_SUCCESS;
	/* This closes its socket as well. */
	grant->conn.fd = sock;
	sdpu_grant_lose(grant);
	return DOCA_SUCCESS;
}

static struct sdpu_grant *grant_hold(const uint8_t key[SDPU_KEY_SIZE], pid_t peer)
{
	struct sdpu_grant *grant;

	sdpu_window_lock();
	grant = sdpu_grant_find(key);
	if (grant != NULL && (grant->importer != peer || grant->serve != NULL))
		grant = NULL;
	if (grant != NULL)
		grant->refs++;
	sdpu_window_unlock();
	return grant;
}

static void grant_release(struct sdpu_grant *grant)
{
	sdpu_window_lock();
	sdpu_grant_put(grant);
	sdpu_window_unlock();
}

static doca_error_t answer_stage(int sock, pid_t peer, const struct window_request *request, int fd)
{
	struct sdpu_segment staging;
	struct sdpu_grant *grant = NULL;
	doca_error_t result = sdpu_segment_map(fd, 0, sizeof(struct stage), SDPU_SEGMENT_WRITE,
					       sizeof(struct stage), &staging);

	if (result != DOCA_SUCCESS)
		return result;
	if (staging.size == STAGE_HEAD_SIZE || staging.size == sizeof(struct stage))
		grant = grant_hold(request->key, peer);
	if (grant == NULL) {
		sdpu_segment_unmap(&staging);
		return DOCA_ERROR_NOT_FOUND;
	}
	/* Whatever becomes of it, socket and staging are taken over. */
	sdpu_serve_start(grant, sock, &staging);
	grant_release(grant);
	return DOCA_SUCCESS;
}

static void answer(int sock, pid_t peer, struct sdpu_record *record)
{
	struct window_request request;
	const char *fault =
		sdpu_window_request_fault(record->bytes, record->len, record->num_fds, &request);
	doca_error_t result;

	if (fault != NULL) {
		sdpu_log_err("request of pid %d for a memory window refused: %s", (int)peer, fault);
		sdpu_fd_close(sock);
		return;
	}
	if (request.op == WINDOW_IMPORT)
		result = answer_import(sock, peer, &request);
	else
		result = answer_stage(sock, peer, &request, sdpu_record_take_fd(record, 0));
	if (result == DOCA_SUCCESS)
		return;
	if (result == DOCA_ERROR_NOT_FOUND)
		sdpu_log_info("pid %d asked for a memory window that does not exist (any more)",
			      (int)peer);
	sdpu_fd_close(sock);
}

__attribute__((constructor)) static void offer_service(void)
{
	sdpu_agent_register(SDPU_SERVICE_WINDOW, answer);
}
