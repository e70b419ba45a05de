/* SPDX-License-Identifier: BSD-3-Clause */
/* The objects of a target thread, made and destroyed by the control thread. */
#include "target.h"

#include <stdlib.h>
#include <string.h>

#define STORAGE_PERMISSIONS                                                                        \
	(DOCA_ACCESS_FLAG_LOCAL_READ_WRITE | DOCA_ACCESS_FLAG_RDMA_WRITE |                         \
	 DOCA_ACCESS_FLAG_RDMA_READ)

/* Bufs of a transfer beyond that of its message: storage and host. */
#define BUFS_PER_TRANSFER 2

/*
 * The range of the import has the addresses of the initiator, through both hops. Its size shows
 * whether the initiator runs as many threads as the target, which nothing in the protocol says.
 */
static doca_error_t target_thread_import(struct target_thread *thread, const struct wire_blob *host)
{
	struct target *target = thread->target;
	struct fault *fault = &target->app.fault;
	const uint64_t expected = (uint64_t)target->buffer_count * target->buffer_size *
				  target->options.common.num_cpus;
	doca_error_t result;
	void *base;
	size_t size;

	result = doca_mmap_create_from_export(NULL, host->bytes, host->size, target->dev,
					      &thread->host_mmap);
	if (result == DOCA_SUCCESS)
		result = doca_mmap_get_memrange(thread->host_mmap, &base, &size);
	if (result != DOCA_SUCCESS)
		return fault_raise(fault, result, "Cannot import the initiator's memory: %s",
				   doca_error_get_name(result));
	if (size != expected)
		return fault_raise(fault, DOCA_ERROR_INVALID_VALUE,
				   "[BUG] Expected remote memory map of %llu bytes (%u buffers of "
				   "%u bytes for each of %u threads), but it has %zu; give "
				   "initiator, bridge and target the same number of --cpu",
				   (unsigned long long)expected, target->buffer_count,
				   target->buffer_size, target->options.common.num_cpus, size);
	thread->host_base = base;
	target->region_size = size;
	return DOCA_SUCCESS;
}

/*
 * Plain storage is the thread's own and as large as the whole region, but only the slice that its
 * transactions use is ever touched: it is brought in now, not on the data path.
 */
static doca_error_t target_thread_make_plain_storage(struct target_thread *thread)
{
	struct target *target = thread->target;
	const size_t slice = target->region_size / target->options.common.num_cpus;
	doca_error_t result;

	result = memory_allocate(&thread->storage, MEMORY_PRIVATE, target->region_size,
				 &target->app.fault);
	if (result != DOCA_SUCCESS)
		return result;
	thread->storage_base = thread->storage.base;
	memset(thread->storage_base + thread->worker.index * slice, 0, slice);
	return DOCA_SUCCESS;
}

/* A storage file is mapped once, for the first thread, and is the same for all. */
static doca_error_t target_thread_make_storage(struct target_thread *thread)
{
	struct target *target = thread->target;
	struct storage_file *file = &target->file;
	const struct memory_region *region = &thread->storage;
	doca_error_t result = DOCA_SUCCESS;

	if (file->path == NULL) {
		result = target_thread_make_plain_storage(thread);
	} else {
		if (file->region.base == NULL)
			result = storage_file_map(file, target->region_size, &target->app.fault);
		region = &file->region;
		thread->storage_base = region->base;
	}
	if (result == DOCA_SUCCESS)
		result = memory_make_mmap(region, target->dev, STORAGE_PERMISSIONS,
					  &thread->storage_mmap, &target->app.fault);
	return result;
}

doca_error_t target_thread_make(struct target_thread *thread, const struct wire_blob *host)
{
	struct target *target = thread->target;
	const uint32_t count = target->buffer_count;
	doca_error_t result;

	result = target_thread_import(thread, host);
	if (result == DOCA_SUCCESS)
		result = target_thread_make_storage(thread);
	if (result == DOCA_SUCCESS)
		result = message_pool_make(&thread->pool, target->dev, count,
					   BUFS_PER_TRANSFER * count, STORAGE_PERMISSIONS,
					   &target->app.fault);
	return result;
}

doca_error_t target_thread_make_engine(struct target_thread *thread)
{
	doca_error_t result = doca_pe_create(&thread->worker.pe);

	if (result != DOCA_SUCCESS)
		return fault_raise(&thread->target->app.fault, result,
				   "Cannot make a progress engine: %s",
				   doca_error_get_name(result));
	return result;
}

doca_error_t target_thread_make_link(struct target_thread *thread, enum wire_role role,
				     struct wire_blob *details)
{
	struct target *target = thread->target;
	struct rdma_link *link = &thread->links[role];
	doca_error_t result;

	result = rdma_link_make(link, role, target->dev, thread->worker.pe, thread,
				&target->app.fault);
	if (result != DOCA_SUCCESS)
		return result;
	result = target_configure_tasks(thread, role);
	if (result != DOCA_SUCCESS)
		return fault_raise(&target->app.fault, result,
				   "Cannot have %u %s RDMA tasks: %s; run the initiator with a "
				   "smaller --per-cpu-buffer-count",
				   target->buffer_count, wire_role_name(role),
				   doca_error_get_name(result));
	return rdma_link_start(link, details, &target->app.fault);
}

/* Bufs over everything, made once: a transfer only moves their data. */
static doca_error_t target_transfer_make_bufs(struct target_transfer *transfer)
{
	struct target_thread *thread = transfer->thread;
	const size_t size = thread->target->region_size;
	doca_error_t result;

	result = doca_buf_inventory_buf_get_by_addr(thread->pool.inventory, thread->storage_mmap,
						    thread->storage_base, size,
						    &transfer->storage_buf);
	if (result == DOCA_SUCCESS)
		result = doca_buf_inventory_buf_get_by_addr(thread->pool.inventory,
							    thread->host_mmap, thread->host_base,
							    size, &transfer->host_buf);
	return result;
}

static doca_error_t target_transfer_make_tasks(struct target_transfer *transfer)
{
	const struct rdma_link *ctrl = &transfer->thread->links[WIRE_ROLE_CTRL];
	const struct rdma_link *data = &transfer->thread->links[WIRE_ROLE_DATA];
	struct doca_buf *message = transfer->thread->pool.bufs[transfer->index];
	const union doca_data user_data = {.ptr = transfer};
	doca_error_t result;

	result = doca_rdma_task_receive_allocate_init(ctrl->rdma, message, user_data,
						      &transfer->receive);
	if (result == DOCA_SUCCESS)
		result = doca_rdma_task_send_allocate_init(ctrl->rdma, ctrl->connection, message,
							   user_data, &transfer->send);
	if (result == DOCA_SUCCESS)
		result = doca_rdma_task_read_allocate_init(
			data->rdma, data->connection, transfer->host_buf, transfer->storage_buf,
			user_data, &transfer->read);
	if (result == DOCA_SUCCESS)
		result = doca_rdma_task_write_allocate_init(
			data->rdma, data->connection, transfer->storage_buf, transfer->host_buf,
			user_data, &transfer->write);
	return result;
}

static doca_error_t target_transfer_make(struct target_thread *thread, uint32_t index)
{
	struct target_transfer *transfer = &thread->transfers[index];
	doca_error_t result;

	transfer->state = TARGET_TRANSFER_RECEIVING;
	transfer->thread = thread;
	transfer->index = index;
	result = target_transfer_make_bufs(transfer);
	if (result == DOCA_SUCCESS)
		result = target_transfer_make_tasks(transfer);
	if (result == DOCA_SUCCESS)
		result = doca_task_submit(doca_rdma_task_receive_as_task(transfer->receive));
	return result;
}

doca_error_t target_thread_make_tasks(struct target_thread *thread)
{
	const uint32_t count = thread->target->buffer_count;
	doca_error_t result = DOCA_ERROR_NO_MEMORY;
	uint32_t i;

	thread->transfers = calloc(count, sizeof(*thread->transfers));
	if (thread->transfers != NULL)
		result = DOCA_SUCCESS;
	for (i = 0; i < count && result == DOCA_SUCCESS; i++)
		result = target_transfer_make(thread, i);
	if (result != DOCA_SUCCESS)
		return fault_raise(&thread->target->app.fault, result,
				   "Cannot make %u transfers for thread %u: %s", count,
				   thread->worker.index, doca_error_get_name(result));
	return DOCA_SUCCESS;
}

static void target_free_data_tasks(void *arg)
{
	struct target_thread *thread = arg;
	uint32_t i;

	for (i = 0; i < thread->target->buffer_count && thread->transfers != NULL; i++) {
		if (thread->transfers[i].read != NULL)
			doca_task_free(doca_rdma_task_read_as_task(thread->transfers[i].read));
		if (thread->transfers[i].write != NULL)
			doca_task_free(doca_rdma_task_write_as_task(thread->transfers[i].write));
	}
}

static void target_free_ctrl_tasks(void *arg)
{
	struct target_thread *thread = arg;
	uint32_t i;

	for (i = 0; i < thread->target->buffer_count && thread->transfers != NULL; i++) {
		if (thread->transfers[i].receive != NULL)
			doca_task_free(
				doca_rdma_task_receive_as_task(thread->transfers[i].receive));
		if (thread->transfers[i].send != NULL)
			doca_task_free(doca_rdma_task_send_as_task(thread->transfers[i].send));
	}
}

static void target_free_bufs(struct target_thread *thread)
{
	uint32_t i;

	for (i = 0; i < thread->target->buffer_count && thread->transfers != NULL; i++) {
		if (thread->transfers[i].storage_buf != NULL)
			doca_buf_dec_refcount(thread->transfers[i].storage_buf, NULL);
		if (thread->transfers[i].host_buf != NULL)
			doca_buf_dec_refcount(thread->transfers[i].host_buf, NULL);
	}
}

/*
 * Contexts go before the engine that flushes their tasks, tasks before the bufs they use, bufs
 * before the memory. What was never made is passed over.
 */
void target_thread_destroy(struct target_thread *thread)
{
	struct fault *fault = &thread->target->app.fault;

	thread->closing = true;
	rdma_link_destroy(&thread->links[WIRE_ROLE_DATA], target_free_data_tasks, thread, fault);
	rdma_link_destroy(&thread->links[WIRE_ROLE_CTRL], target_free_ctrl_tasks, thread, fault);
	target_free_bufs(thread);
	free(thread->transfers);
	message_pool_destroy(&thread->pool);
	if (thread->worker.pe != NULL)
		doca_pe_destroy(thread->worker.pe);
	if (thread->storage_mmap != NULL)
		doca_mmap_destroy(thread->storage_mmap);
	if (thread->host_mmap != NULL)
		doca_mmap_destroy(thread->host_mmap);
	memory_free(&thread->storage);
}
