/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Requests of the peer: carried out one after the other, in whichever thread drives, on what this
 * process has exported. One that has to wait (for its bytes, for a way to the memory, for the
 * memory's owner, for room on the link) makes those behind it wait, and nobody else. Data path.
 *
 * A pulled write may be given up when it fails, but what has been asked for comes all the same: it
 * is dropped before the peer is told, so that nothing is under way for a request that is over.
 */
#include <string.h>

#include "base/clock.h"
#include "rdma/fabric_parts.h"
#include "rdma/fabric_reach.h"

/* For another request; of up to a frame, and of up to FABRIC_SMALL. */
#define PATIENCE_LONG (SDPU_MS / 40)
#define PATIENCE_SMALL (SDPU_MS / 200)

static struct fabric_request *request_at(struct fabric_proto *proto, uint64_t at)
{
	return &proto->requests[at % FABRIC_REQUESTS];
}

static bool is_pulled(const struct fabric_request *request)
{
	return request->head.kind == FABRIC_WRITE && request->head.len == 0;
}

/*
 * When the peer is to be told of it: of half of what it had under way at once, so that it never
 * runs dry; of the rest when its like has not come in the time that it takes.
 */
static void serve_schedule(struct fabric_proto *proto, const struct fabric_head *head)
{
	proto->told_at = head->kind == FABRIC_WRITE ? head->what / 2 : 0;
	if (proto->told_at > 1)
		proto->told_by = sdpu_clock_now() +
				 (head->len > FABRIC_SMALL ? PATIENCE_LONG : PATIENCE_SMALL);
}

const char *fabric_serve_arrive(struct fabric_proto *proto, const struct fabric_head *head,
				struct fabric_rx **rx)
{
	struct fabric_request *request = request_at(proto, proto->requests_arrived);
	const char *fault;

	if (head->seq != (uint32_t)proto->requests_arrived)
		return "a request with another number than the next";
	if (proto->requests_arrived - proto->requests_done == FABRIC_REQUESTS)
		return "more requests than may be under way";
	*request = (struct fabric_request){.head = *head, .message = proto->messages_arrived};
	fault = fabric_keep_arrived(proto, rx, head,
				    proto->memory->small[proto->requests_arrived % FABRIC_REQUESTS],
				    &request->kept);
	if (fault == NULL && (head->flags & FABRIC_NOTICE) != 0)
		fault = fabric_message_notice(proto, head);
	if (fault != NULL) {
		fabric_keep_drop(proto, &request->kept);
		return fault;
	}
	proto->requests_arrived++;
	serve_schedule(proto, head);
	fabric_serve(proto);
	return NULL;
}

static uint32_t need_of(const struct fabric_head *head)
{
	if (head->kind == FABRIC_READ)
		return DOCA_ACCESS_FLAG_RDMA_READ;
	if (head->kind == FABRIC_WRITE)
		return DOCA_ACCESS_FLAG_RDMA_WRITE;
	switch (head->what) {
	case SDPU_ATOMIC_LOAD:
		return DOCA_ACCESS_FLAG_RDMA_READ;
	case SDPU_ATOMIC_STORE:
		return DOCA_ACCESS_FLAG_RDMA_WRITE;
	default:
		return DOCA_ACCESS_FLAG_RDMA_ATOMIC;
	}
}

/* Anything may be asked for; is it in the export, and does that allow it? */
static bool is_allowed(const struct fabric_request *request, const struct sdpu_export *what)
{
	const struct fabric_head *head = &request->head;
	uint64_t size = head->kind == FABRIC_ATOMIC ? RDMA_WORD : head->size;

	return (what->perms & need_of(head)) != 0 && head->addr >= what->addr &&
	       size <= what->len && head->addr - what->addr <= what->len - size;
}

/* The request is over; the peer is told next. */
static void run_end(struct fabric_proto *proto, struct fabric_request *request, doca_error_t status)
{
	struct fabric_run *run = &proto->run;

	fabric_reach_drop(run->reach);
	run->reach = NULL;
	run->status = status;
	run->state = is_pulled(request) && run->done != request->asked ? FABRIC_RUN_DRAIN
								       : FABRIC_RUN_ANSWER;
}

static bool run_new(struct fabric_proto *proto, struct fabric_request *request)
{
	proto->run = (struct fabric_run){.state = FABRIC_RUN_LOOK};
	if ((proto->permissions & need_of(&request->head)) == 0)
		run_end(proto, request, DOCA_ERROR_NOT_PERMITTED);
	return true;
}

static bool run_look(struct fabric_proto *proto, struct fabric_request *request)
{
	struct fabric_run *run = &proto->run;
	doca_error_t result = fabric_reach_find(proto->port, request->head.key, &run->reach);

	if (result == DOCA_ERROR_IN_PROGRESS) {
		fabric_keep_wait(proto);
		return false;
	}
	if (result == DOCA_SUCCESS && !is_allowed(request, &run->reach->what))
		result = DOCA_ERROR_NOT_PERMITTED;
	run->state = FABRIC_RUN_ACT;
	if (result != DOCA_SUCCESS)
		run_end(proto, request, result);
	return true;
}

/* A step of the copy between memory of ours and the window, which is begun if need be. */
static doca_error_t run_copy(struct fabric_proto *proto, const struct fabric_request *request,
			     enum sdpu_copy_direction direction, void *bytes, size_t len)
{
	struct fabric_run *run = &proto->run;
	doca_error_t result;

	if (!run->copying) {
		run->copying = true;
		run->local = (struct iovec){.iov_base = bytes, .iov_len = len};
		run->copy = (struct sdpu_copy){
			.reach = run->reach->reach,
			.direction = direction,
			.need = need_of(&request->head),
			.addr = request->head.addr + run->done,
			.local = &run->local,
			.num_local = 1,
			.len = len,
		};
	}
	result = sdpu_copy_run(&run->copy, SDPU_WINDOW_CHUNK);
	if (result == DOCA_ERROR_IN_PROGRESS)
		fabric_link_rerun(proto->link);
	else
		run->copying = false;
	return result;
}

/* Piece by piece, as they come. */
static bool act_pulled(struct fabric_proto *proto, struct fabric_request *request)
{
	struct fabric_piece *piece = fabric_lane_arrived(&proto->lanes[FABRIC_LANE_WRITE]);
	struct fabric_run *run = &proto->run;
	doca_error_t result;

	if (piece == NULL)
		return false;
	result = run_copy(proto, request, SDPU_COPY_PUT, (void *)(uintptr_t)piece->kept.bytes,
			  piece->len);
	if (result == DOCA_ERROR_IN_PROGRESS)
		return false;
	run->done += piece->len;
	fabric_lane_use(proto, FABRIC_LANE_WRITE);
	if (result != DOCA_SUCCESS || run->done == request->head.size)
		run_end(proto, request, result);
	return true;
}

static bool act_write(struct fabric_proto *proto, struct fabric_request *request)
{
	doca_error_t result;

	if (is_pulled(request))
		return act_pulled(proto, request);
	result = run_copy(proto, request, SDPU_COPY_PUT, (void *)(uintptr_t)request->kept.bytes,
			  request->head.len);
	if (result == DOCA_ERROR_IN_PROGRESS)
		return false;
	run_end(proto, request, result);
	return true;
}

static bool act_read(struct fabric_proto *proto, struct fabric_request *request)
{
	struct fabric_run *run = &proto->run;
	doca_error_t result;

	if (run->bulk == NULL)
		run->bulk = fabric_bulk_take(proto);
	if (run->bulk == NULL)
		return false;
	result = run_copy(proto, request, SDPU_COPY_GET, run->bulk, request->head.size);
	if (result == DOCA_ERROR_IN_PROGRESS)
		return false;
	run_end(proto, request, result);
	return true;
}

static bool act_atomic(struct fabric_proto *proto, struct fabric_request *request)
{
	const struct fabric_head *head = &request->head;
	struct fabric_run *run = &proto->run;
	doca_error_t result;

	if (!run->copying) {
		run->copying = true;
		run->atomic = (struct sdpu_atomic){
			.reach = run->reach->reach,
			.kind = (enum sdpu_atomic_kind)head->what,
			.need = need_of(head),
			.addr = head->addr,
			.operand = head->size,
			.compare = head->compare,
		};
	}
	result = sdpu_atomic_run(&run->atomic);
	if (result == DOCA_ERROR_IN_PROGRESS) {
		fabric_link_rerun(proto->link);
		return false;
	}
	run->copying = false;
	run_end(proto, request, result);
	return true;
}

static bool run_act(struct fabric_proto *proto, struct fabric_request *request)
{
	switch (request->head.kind) {
	case FABRIC_WRITE:
		return act_write(proto, request);
	case FABRIC_READ:
		return act_read(proto, request);
	default:
		return act_atomic(proto, request);
	}
}

static bool run_drain(struct fabric_proto *proto, struct fabric_request *request)
{
	struct fabric_piece *piece = fabric_lane_arrived(&proto->lanes[FABRIC_LANE_WRITE]);

	if (piece == NULL)
		return false;
	proto->run.done += piece->len;
	fabric_lane_use(proto, FABRIC_LANE_WRITE);
	if (proto->run.done == request->asked)
		proto->run.state = FABRIC_RUN_ANSWER;
	return true;
}

static doca_error_t answer_data(struct fabric_proto *proto, const struct fabric_head *request)
{
	struct fabric_run *run = &proto->run;
	struct fabric_head head = {
		.kind = FABRIC_DATA,
		.what = FABRIC_LANE_READ,
		.seq = request->seq,
		.len = (uint32_t)request->size,
		.addr = request->addr,
	};
	doca_error_t result;

	if (head.len <= FABRIC_COPIED_MAX - fabric_head_len(FABRIC_DATA))
		return fabric_send_copied(proto, &head, run->bulk);
	result = fabric_send_bulk(proto, &head, run->bulk);
	if (result == DOCA_SUCCESS)
		run->bulk = NULL;
	return result;
}

static doca_error_t answer_result(struct fabric_proto *proto, const struct fabric_head *request)
{
	struct fabric_head head = {
		.kind = FABRIC_RESULT,
		.seq = request->seq,
		.status = (uint16_t)proto->run.status,
	};

	if (request->kind == FABRIC_ATOMIC && request->what != SDPU_ATOMIC_STORE)
		head.size = proto->run.atomic.result;
	return fabric_send(proto, &head);
}

static doca_error_t answer(struct fabric_proto *proto, const struct fabric_head *request)
{
	if (proto->run.status == DOCA_SUCCESS && request->kind == FABRIC_WRITE)
		return DOCA_SUCCESS;
	if (proto->run.status == DOCA_SUCCESS && request->kind == FABRIC_READ)
		return answer_data(proto, request);
	return answer_result(proto, request);
}

static void request_done(struct fabric_proto *proto, struct fabric_request *request)
{
	struct fabric_run *run = &proto->run;

	if (run->bulk != NULL)
		fabric_bulk_give(proto, run->bulk);
	*run = (struct fabric_run){.state = FABRIC_RUN_NEW};
	fabric_keep_drop(proto, &request->kept);
}

/* The counts in the answer's head say that it was taken: nothing more needs to be sent. */
static bool run_answer(struct fabric_proto *proto, struct fabric_request *request)
{
	if (proto->run.status != DOCA_SUCCESS && (request->head.flags & FABRIC_NOTICE) != 0)
		proto->messages[request->message % FABRIC_MESSAGES].dropped = true;
	proto->requests_done++;
	if (answer(proto, &request->head) != DOCA_SUCCESS) {
		proto->requests_done--;
		return false;
	}
	request_done(proto, request);
	return true;
}

/* False: it has to wait. */
static bool run_step(struct fabric_proto *proto, struct fabric_request *request)
{
	switch (proto->run.state) {
	case FABRIC_RUN_NEW:
		return run_new(proto, request);
	case FABRIC_RUN_LOOK:
		return run_look(proto, request);
	case FABRIC_RUN_ACT:
		return run_act(proto, request);
	case FABRIC_RUN_DRAIN:
		return run_drain(proto, request);
	default:
		return run_answer(proto, request);
	}
}

/* Nothing more is to be pulled for this request. */
static bool is_asked(const struct fabric_proto *proto, const struct fabric_request *request)
{
	return !is_pulled(request) || request->asked == request->head.size ||
	       (request == &proto->requests[proto->requests_done % FABRIC_REQUESTS] &&
		proto->run.state >= FABRIC_RUN_DRAIN);
}

/* Pulls ahead, in order: the bytes of the next write arrive while this one is copied. */
static void serve_pull(struct fabric_proto *proto)
{
	if (proto->pulling < proto->requests_done)
		proto->pulling = proto->requests_done;
	while (proto->pulling != proto->requests_arrived) {
		struct fabric_request *request = request_at(proto, proto->pulling);
		uint64_t asked;

		if (is_asked(proto, request)) {
			proto->pulling++;
			continue;
		}
		asked = fabric_lane_pull(proto, FABRIC_LANE_WRITE, request->head.seq,
					 request->asked, request->head.size);
		if (asked == request->asked)
			return;
		request->asked = asked;
	}
}

void fabric_serve(struct fabric_proto *proto)
{
	uint64_t before = proto->requests_done;

	while (proto->requests_done != proto->requests_arrived) {
		serve_pull(proto);
		if (!run_step(proto, request_at(proto, proto->requests_done)))
			break;
	}
	if (proto->requests_done != before && fabric_message_is_ready(proto))
		fabric_link_attend(proto->link);
}

void fabric_serve_drop_all(struct fabric_proto *proto)
{
	struct fabric_run *run = &proto->run;

	if (run->copying && run->reach != NULL) {
		if (request_at(proto, proto->requests_done)->head.kind == FABRIC_ATOMIC)
			sdpu_atomic_cancel(&run->atomic);
		else
			sdpu_copy_cancel(&run->copy);
	}
	fabric_reach_drop(run->reach);
	run->reach = NULL;
	for (; proto->requests_done != proto->requests_arrived; proto->requests_done++)
		request_done(proto, request_at(proto, proto->requests_done));
}
