/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernels and the memory of another process: the host exports, the DPU imports and has its DPA copy
 * and point there. Through every kind of window; and hosts that stop or die, and mmaps that are
 * stopped under kernels.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <doca_dpa_dev_buf.h>
#include <doca_sync_event.h>

#include "dma/rig.h"
#include "dpa/kit.h"

#define SIZE (3u << 20)

static struct rig rig;
static uint8_t local[SIZE];

/* What the DPU has, and what kernels are told of it. */
static struct {
	struct doca_dpa *dpa;
	struct doca_dpa_completion *comp;
	struct doca_dpa_async_ops *async;
	struct doca_mmap *own, *imported;
	doca_dpa_dev_completion_t comp_handle;
	doca_dpa_dev_async_ops_t handle;
	doca_dpa_dev_mmap_t own_handle, far_handle;
	uint64_t far;
	uint32_t ends; /* atomic: kernels shall */
	uint32_t good; /* atomic: copies that succeeded */
	pid_t host;
	int fd;
} dpu;

struct offer {
	struct rig_card card;
	uint64_t addr;
};

static uint8_t *memory_for(const char *window)
{
	void *at;

	if (strcmp(window, "mapped") == 0)
		return t_map_file(t_memory_file(SIZE, F_SEAL_SHRINK), SIZE);
	at = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	T_CHECK(at != MAP_FAILED);
	return at;
}

static const char *window;
static uint32_t host_perms = RIG_HOST_PERMS;

/* Each byte that comes is a seed: it expects its memory to be filled so, fills it with the next one
 * and answers. 0: stops the mmap, and answers. 1: the end. */
static int be_host(void *arg)
{
	int fd = *(int *)arg;
	struct doca_dev *dev = kit_open(KIT_HOST);
	uint8_t *memory = memory_for(window);
	struct doca_mmap *mmap = kit_mmap(dev, memory, SIZE, host_perms);
	struct offer offer = {.addr = (uintptr_t)memory};
	uint8_t seed;

	rig.host = dev;
	rig_export(&rig, mmap, &offer.card);
	rig_put(fd, &offer, sizeof(offer));
	for (rig_get(fd, &seed, 1); seed != 1; rig_get(fd, &seed, 1)) {
		if (seed == 0) {
			T_OK(doca_mmap_stop(mmap));
		} else {
			rig_expect(memory, SIZE, seed);
			rig_fill(memory, SIZE, (uint32_t)seed + 1);
		}
		rig_put(fd, &seed, 1);
	}
	T_OK(doca_mmap_destroy(mmap));
	T_OK(doca_dev_close(dev));
	return 0;
}

static void tell_host(uint8_t seed)
{
	rig_put(dpu.fd, &seed, 1);
	rig_get(dpu.fd, &seed, 1);
}

static doca_dpa_dev_mmap_t handle_of(struct doca_mmap *mmap)
{
	doca_dpa_dev_mmap_t handle;

	T_OK(doca_mmap_dev_get_dpa_handle(mmap, rig.dev, &handle));
	return handle;
}

static void dpa_open(void)
{
	dpu.dpa = kit_dpa(KIT_DPU);
	T_OK(doca_dpa_completion_create(dpu.dpa, 64, &dpu.comp));
	T_OK(doca_dpa_completion_start(dpu.comp));
	T_OK(doca_dpa_completion_get_dpa_handle(dpu.comp, &dpu.comp_handle));
	T_OK(doca_dpa_async_ops_create(dpu.dpa, 64, 0, &dpu.async));
	T_OK(doca_dpa_async_ops_attach(dpu.async, dpu.comp));
	T_OK(doca_dpa_async_ops_start(dpu.async));
	T_OK(doca_dpa_async_ops_get_dpa_handle(dpu.async, &dpu.handle));
	dpu.own = kit_mmap(rig.dev, local, SIZE, 0);
	dpu.own_handle = handle_of(dpu.own);
}

static void dpu_open(const char *kind)
{
	struct offer offer;
	int fds[2];

	window = kind;
	T_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds), 0);
	dpu.fd = fds[0];
	dpu.host = t_fork(be_host, &fds[1]);
	setenv("SOFTDPU_WINDOW", kind, 1);
	rig_open(&rig);
	rig_get(dpu.fd, &offer, sizeof(offer));
	dpu.far = offer.addr;
	dpa_open();
	dpu.imported = rig_import(&rig, &offer.card);
	dpu.far_handle = handle_of(dpu.imported);
}

static void dpu_close(void)
{
	T_OK(doca_dpa_async_ops_destroy(dpu.async));
	T_OK(doca_dpa_completion_destroy(dpu.comp));
	T_OK(doca_mmap_destroy(dpu.imported));
	T_OK(doca_mmap_destroy(dpu.own));
	kit_dpa_end(dpu.dpa);
	rig_close(&rig);
}

static void end_host(void)
{
	uint8_t end = 1;

	rig_put(dpu.fd, &end, 1);
	T_EQ(t_wait(dpu.host, 10000), 0);
}

/* What the element of the last copy said, which is acked. */
static uint64_t take(void)
{
	doca_dpa_dev_completion_element_t element;
	uint64_t type;

	T_EQ(doca_dpa_dev_get_completion(dpu.comp_handle, &element), 1);
	type = doca_dpa_dev_get_completion_type(element);
	doca_dpa_dev_completion_ack(dpu.comp_handle, 1);
	return type;
}

KIT_RPC(put)
{
	doca_dpa_dev_post_memcpy(dpu.handle, dpu.far_handle, dpu.far, dpu.own_handle,
				 (uintptr_t)local, arg, 0);
	return take();
}

KIT_RPC(get)
{
	doca_dpa_dev_post_memcpy(dpu.handle, dpu.own_handle, (uintptr_t)local, dpu.far_handle,
				 dpu.far, arg, 0);
	return take();
}

/* Its second half over its first one. */
KIT_RPC(move)
{
	doca_dpa_dev_post_memcpy(dpu.handle, dpu.far_handle, dpu.far, dpu.far_handle,
				 dpu.far + SIZE / 2, SIZE / 2, 0);
	return take();
}

static uint64_t rpc(doca_dpa_func_t *func, uint64_t arg)
{
	return kit_rpc(dpu.dpa, func, arg);
}

static void copy_over(const char *kind)
{
	static uint8_t half[SIZE / 2];

	dpu_open(kind);
	rig_fill(local, SIZE, 50);
	T_EQ(rpc(KIT_FUNC(put), SIZE), DOCA_DPA_DEV_COMP_SEND);
	tell_host(50);
	T_EQ(rpc(KIT_FUNC(get), SIZE), DOCA_DPA_DEV_COMP_SEND);
	rig_expect(local, SIZE, 51);
	T_EQ(rpc(KIT_FUNC(move), 0), DOCA_DPA_DEV_COMP_SEND);
	memmove(half, local + SIZE / 2, SIZE / 2);
	T_EQ(rpc(KIT_FUNC(get), SIZE / 2), DOCA_DPA_DEV_COMP_SEND);
	T_MEMEQ(local, half, SIZE / 2);
	T_EQ(rpc(KIT_FUNC(put), 1), DOCA_DPA_DEV_COMP_SEND);
	kit_log();
	T_EQ(rpc(KIT_FUNC(put), SIZE + 1), DOCA_DPA_DEV_COMP_SEND_ERR);
	T_CONTAINS(kit_log(), "outside of an mmap");
	end_host();
	dpu_close();
}

T_CASE(copies_mapped)
{
	copy_over("mapped");
}

T_CASE(copies_cross)
{
	copy_over("cross");
}

T_CASE(copies_handed)
{
	copy_over("handed");
}

T_CASE(copies_served)
{
	copy_over("served");
}

T_CASE(an_export_that_may_only_be_read)
{
	host_perms = DOCA_ACCESS_FLAG_PCI_READ_ONLY;
	dpu_open("cross");
	T_EQ(rpc(KIT_FUNC(get), SIZE), DOCA_DPA_DEV_COMP_SEND);
	kit_log();
	T_EQ(rpc(KIT_FUNC(put), 8), DOCA_DPA_DEV_COMP_SEND_ERR);
	T_CONTAINS(kit_log(), "the destination may not be written");
	end_host();
	dpu_close();
}

static void stop_over(const char *kind)
{
	dpu_open(kind);
	T_EQ(rpc(KIT_FUNC(get), SIZE), DOCA_DPA_DEV_COMP_SEND);
	tell_host(0);
	kit_log();
	T_EQ(rpc(KIT_FUNC(get), SIZE), DOCA_DPA_DEV_COMP_SEND_ERR);
	T_CONTAINS(kit_log(), "an exporter has stopped its mmap");
	T_EQ(rpc(KIT_FUNC(put), 8), DOCA_DPA_DEV_COMP_SEND_ERR);
	end_host();
	dpu_close();
}

static void kill_over(const char *kind)
{
	dpu_open(kind);
	T_EQ(rpc(KIT_FUNC(get), SIZE), DOCA_DPA_DEV_COMP_SEND);
	T_EQ(kill(dpu.host, SIGKILL), 0);
	T_EQ(t_wait(dpu.host, 10000), 128 + SIGKILL);
	T_EVENTUALLY(rpc(KIT_FUNC(put), 8) == DOCA_DPA_DEV_COMP_SEND_ERR, 1000);
	dpu_close();
}

T_CASE(a_host_stops_mapped)
{
	stop_over("mapped");
}

T_CASE(a_host_is_killed_mapped)
{
	kill_over("mapped");
}

T_CASE(a_host_stops_cross)
{
	stop_over("cross");
}

T_CASE(a_host_is_killed_cross)
{
	kill_over("cross");
}

T_CASE(a_host_stops_handed)
{
	stop_over("handed");
}

T_CASE(a_host_is_killed_handed)
{
	kill_over("handed");
}

T_CASE(a_host_stops_served)
{
	stop_over("served");
}

T_CASE(a_host_is_killed_served)
{
	kill_over("served");
}

KIT_GLOBAL(get_it)
{
	get(SIZE);
}

/* Nobody answers the copy: the host is stopped, and its agent with it. */
T_CASE(a_kernel_in_a_copy_ends_with_its_context)
{
	dpu_open("served");
	T_EQ(kill(dpu.host, SIGSTOP), 0);
	T_OK(doca_dpa_kernel_launch_update_set(dpu.dpa, NULL, 0, NULL, 0, 1, KIT_FUNC(get_it),
					       (uint64_t)0));
	t_relax(100);
	kit_dpa_end(dpu.dpa);
	T_EQ(kill(dpu.host, SIGKILL), 0);
	T_EQ(t_wait(dpu.host, 10000), 128 + SIGKILL);
	T_OK(doca_mmap_destroy(dpu.imported));
	T_OK(doca_mmap_destroy(dpu.own));
	rig_close(&rig);
}

/* Loads and stores in place. */
KIT_RPC(increment)
{
	uint8_t *at = (uint8_t *)doca_dpa_dev_mmap_get_external_ptr(dpu.far_handle, dpu.far + arg);

	return ++*at;
}

T_CASE(pointers_to_mapped_memory)
{
	dpu_open("mapped");
	memset(local, 7, SIZE);
	T_EQ(rpc(KIT_FUNC(put), SIZE), DOCA_DPA_DEV_COMP_SEND);
	T_EQ(rpc(KIT_FUNC(increment), SIZE - 1), 8);
	T_EQ(rpc(KIT_FUNC(get), SIZE), DOCA_DPA_DEV_COMP_SEND);
	T_CHECK(local[SIZE - 1] == 8 && local[SIZE - 2] == 7);
	end_host();
	dpu_close();
}

T_CASE(pointers_to_what_is_not_mapped_end_the_kernel)
{
	uint64_t result;

	dpu_open("cross");
	kit_log();
	T_ERR(doca_dpa_rpc(dpu.dpa, KIT_FUNC(increment), &result, (uint64_t)0), DOCA_ERROR_DRIVER);
	T_CONTAINS(kit_log(), "cannot be mapped here");
	kit_crash();
	end_host();
	dpu_close();
}

/* Copies as long as it may; those that fail are no mistake here. */
KIT_GLOBAL(copy_on)
{
	while (!__atomic_load_n(&dpu.ends, __ATOMIC_ACQUIRE)) {
		doca_dpa_dev_mmap_t far = __atomic_load_n(&dpu.far_handle, __ATOMIC_ACQUIRE);

		uint64_t from = __atomic_load_n(&dpu.far, __ATOMIC_ACQUIRE);

		doca_dpa_dev_post_memcpy(dpu.handle, dpu.own_handle, (uintptr_t)local, far, from,
					 4096, 0);
		if (take() == DOCA_DPA_DEV_COMP_SEND)
			__atomic_fetch_add(&dpu.good, 1, __ATOMIC_RELEASE);
	}
}

static struct doca_sync_event *event_of_dpa(void)
{
	struct doca_sync_event *event;

	T_OK(doca_sync_event_create(&event));
	T_OK(doca_sync_event_add_publisher_location_dpa(event, dpu.dpa));
	T_OK(doca_sync_event_add_subscriber_location_cpu(event, rig.dev));
	T_OK(doca_sync_event_start(event));
	return event;
}

/* An mmap of this process is stopped, given other memory, and started, all under a kernel. */
T_CASE(an_mmap_is_stopped_under_a_kernel)
{
	struct doca_sync_event *event;
	uint8_t *memory;

	rig_open(&rig);
	dpa_open();
	event = event_of_dpa();
	T_OK(doca_dpa_kernel_launch_update_set(dpu.dpa, NULL, 0, event, 1, 1, KIT_FUNC(copy_on),
					       (uint64_t)0));
	for (int i = 0; i < 200; i++) {
		uint32_t good = __atomic_load_n(&dpu.good, __ATOMIC_ACQUIRE);

		memory = memory_for("cross");
		dpu.imported = kit_mmap(rig.dev, memory, SIZE, 0);
		__atomic_store_n(&dpu.far, (uintptr_t)memory, __ATOMIC_RELEASE);
		__atomic_store_n(&dpu.far_handle, handle_of(dpu.imported), __ATOMIC_RELEASE);
		T_EVENTUALLY(__atomic_load_n(&dpu.good, __ATOMIC_ACQUIRE) > good, 10000);
		T_OK(doca_mmap_destroy(dpu.imported));
		T_EQ(munmap(memory, SIZE), 0);
	}
	__atomic_store_n(&dpu.ends, 1, __ATOMIC_RELEASE);
	T_OK(doca_sync_event_wait_eq_yield(event, 1, UINT64_MAX));
	T_OK(doca_sync_event_stop(event));
	T_OK(doca_sync_event_destroy(event));
	memory = memory_for("cross");
	dpu.imported = kit_mmap(rig.dev, memory, SIZE, 0);
	dpu_close();
}
