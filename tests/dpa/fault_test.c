/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Kernels that fail, and kernels that do not end: the context is lost, and the program lives on.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doca_dpa_dev.h>
#include <doca_sync_event.h>

#include "base/atomic.h"
#include "base/clock.h"
#include "dpa/kit.h"

#define NOWHERE 0x123450ull

static uint32_t begun;

KIT_RPC(read_word)
{
	return *(volatile uint64_t *)arg;
}

KIT_RPC(write_word)
{
	*(volatile uint64_t *)arg = 1;
	return 0;
}

/* The processor's answer is the subject, not the sanitizer's. */
__attribute__((no_sanitize("undefined"), noinline)) static uint64_t divided_by(uint64_t divisor)
{
	return 1000 / divisor;
}

KIT_RPC(divide)
{
	return divided_by(arg);
}

KIT_RPC(give_up)
{
	abort();
}

KIT_RPC(trap)
{
	__builtin_trap();
}

__attribute__((noinline)) static uint64_t deeper(uint64_t depth)
{
	volatile char room[1024];

	room[depth % sizeof(room)] = (char)depth;
	return depth == 0 ? 0 : deeper(depth - 1) + (uint64_t)room[depth % sizeof(room)];
}

KIT_RPC(recurse)
{
	return deeper(arg);
}

KIT_RPC(choose)
{
	doca_dpa_dev_device_set(arg);
	return 0;
}

KIT_RPC(reschedule)
{
	doca_dpa_dev_thread_reschedule();
	return 0;
}

KIT_RPC(answer)
{
	return arg;
}

/* Never ends by itself; arg: whether it calls the DPA meanwhile. */
KIT_GLOBAL(endless)
{
	(void)sdpu_fetch_add(&begun, 1);
	for (;;) {
		if (arg)
			doca_dpa_dev_yield();
		sdpu_compiler_barrier();
	}
}

KIT_GLOBAL(thread_kernel)
{
}

static bool under_tsan(void)
{
#ifdef SDPU_UNDER_TSAN
	return true;
#else
	return false;
#endif
}

static const char *crash;

/* The context has failed, and nothing but destroy is of use. */
static void is_lost(struct doca_dpa *dpa)
{
	struct doca_dpa_thread *thread;
	uint64_t result;

	T_ERR(doca_dpa_peek_at_last_error(dpa), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_peek_at_last_error(dpa), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_rpc(dpa, KIT_FUNC(answer), &result, 1ull), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_kernel_launch_update_set(dpa, NULL, 0, NULL, 0, 1, KIT_FUNC(endless), 1ull),
	      DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_thread_create(dpa, &thread), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_stop(dpa), DOCA_ERROR_BAD_STATE);
	T_ERR(doca_dpa_start(dpa), DOCA_ERROR_BAD_STATE);
	kit_dpa_end(dpa);
}

/* After destroy, when all that had to report has done so: it failed in that kernel. */
static void was_reported(const char *kernel, const char *reason)
{
	const char *log = kit_log();

	crash = kit_crash();
	T_CONTAINS(crash, "DPA crash report\nKernel:  ");
	T_CONTAINS(crash, kernel);
	T_CONTAINS(crash, reason);
	T_CONTAINS(crash, "App:     kit_app\nDevice:  0000:03:00.0\n");
	T_CONTAINS(log, kernel);
	T_CONTAINS(log, reason);
	T_CONTAINS(log, "report in /tmp/doca_dpa_fatal.");
}

static void fails(doca_dpa_func_t *func, uint64_t arg, const char *name, const char *reason)
{
	struct doca_dpa *dpa = kit_dpa(KIT_DPU);
	uint64_t result = 7;

	kit_log();
	T_ERR(doca_dpa_rpc(dpa, func, &result, arg), DOCA_ERROR_DRIVER);
	T_EQ(result, 7);
	is_lost(dpa);
	was_reported(name, reason);
	T_CONTAINS(crash, "Thread:  an RPC\n");

	/* the program goes on, and so does the next context */
	dpa = kit_dpa(KIT_DPU);
	T_EQ(kit_rpc(dpa, KIT_FUNC(answer), 5), 5);
	T_OK(doca_dpa_peek_at_last_error(dpa));
	kit_dpa_end(dpa);
}

T_CASE(bad_pointers)
{
	void *constant = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	fails(KIT_FUNC(read_word), 0, "read_word",
	      "Segmentation fault: access to address (nil), nothing is mapped there");
	fails(KIT_FUNC(read_word), NOWHERE, "read_word",
	      "Segmentation fault: access to address 0x123450, nothing is mapped there");
	fails(KIT_FUNC(write_word), (uintptr_t)constant, "write_word",
	      "which its mapping does not allow");
	T_EQ(munmap(constant, 4096), 0);
}

T_CASE(the_report_names_the_place)
{
	fails(KIT_FUNC(read_word), NOWHERE, "read_word", "Segmentation fault");
	T_CONTAINS(crash, "  #0 ");
	T_CONTAINS(crash, "read_word+0x");
	T_CONTAINS(crash, "kit_call_read_word+0x");
}

T_CASE(arithmetic)
{
#if defined(__x86_64__)
	fails(KIT_FUNC(divide), 0, "divide",
	      "Floating point exception, an integer divided by "
	      "zero");
#else
	T_SKIP("this processor divides by zero");
#endif
}

T_CASE(aborts)
{
	fails(KIT_FUNC(give_up), 0, "give_up", "Aborted");
}

T_CASE(traps)
{
	fails(KIT_FUNC(trap), 0, "trap", "Illegal instruction");
}

T_CASE(stacks_that_overflow)
{
	fails(KIT_FUNC(recurse), 1 << 20, "recurse", "Segmentation fault");
}

T_CASE(handles_of_the_wrong_kind)
{
	uint64_t words[16] = {0};

	fails(KIT_FUNC(choose), 0, "choose",
	      "doca_dpa_dev_device_set: the handle is 0; needed is a DPA context");
	fails(KIT_FUNC(choose), (uintptr_t)words + 1, "choose", "is no handle at all");
	fails(KIT_FUNC(choose), (uintptr_t)words, "choose",
	      "is the handle of nothing that is started; needed is a DPA context");
	fails(KIT_FUNC(choose), NOWHERE, "choose", "Segmentation fault");
}

T_CASE(contexts_of_another_process)
{
	struct doca_dpa *other = kit_dpa(KIT_DPU_1);
	doca_dpa_dev_t handle;

	T_OK(doca_dpa_get_dpa_handle(other, &handle));
	fails(KIT_FUNC(choose), handle, "choose", "the context is another DPA process's");
	T_OK(doca_dpa_peek_at_last_error(other));
	T_EQ(kit_rpc(other, KIT_FUNC(answer), 5), 5);
	kit_dpa_end(other);
}

T_CASE(what_is_for_threads_only)
{
	fails(KIT_FUNC(reschedule), 0, "reschedule",
	      "doca_dpa_dev_thread_reschedule: called by a launched kernel or an RPC");
}

T_CASE(a_fault_ends_the_other_kernels)
{
	struct doca_dpa *dpa = kit_dpa(KIT_DPU);
	struct doca_dpa_thread *thread = kit_thread(dpa, KIT_FUNC(thread_kernel), 0);
	uint64_t result;

	kit_log();
	T_OK(doca_dpa_kernel_launch_update_set(dpa, NULL, 0, NULL, 0, 4, KIT_FUNC(endless),
					       (uint64_t)under_tsan()));
	T_EVENTUALLY(sdpu_load(&begun) == 4, 5000);
	T_ERR(doca_dpa_rpc(dpa, KIT_FUNC(read_word), &result, NOWHERE), DOCA_ERROR_DRIVER);
	T_OK(doca_dpa_thread_destroy(thread));
	is_lost(dpa);
	was_reported("read_word", "Segmentation fault");
}

T_CASE(destroy_ends_endless_kernels)
{
	for (uint64_t calls = under_tsan(); calls < 2; calls++) {
		struct doca_dpa *dpa = kit_dpa(KIT_DPU);

		begun = 0;
		T_OK(doca_dpa_kernel_launch_update_set(dpa, NULL, 0, NULL, 0, 3, KIT_FUNC(endless),
						       calls));
		T_EVENTUALLY(sdpu_load(&begun) == 3, 5000);
		T_OK(doca_dpa_stop(dpa));
		T_OK(doca_dpa_peek_at_last_error(dpa));
		kit_dpa_end(dpa);
		T_STREQ(kit_crash(), "");
	}
}

T_CASE(kernels_that_run_for_too_long)
{
	struct doca_dpa *dpa;

	setenv("SOFTDPU_DPA_RUN_TIME_MS", "100", 1);
	dpa = kit_dpa(KIT_DPU);
	kit_log();
	T_OK(doca_dpa_kernel_launch_update_set(dpa, NULL, 0, NULL, 0, 2, KIT_FUNC(endless),
					       (uint64_t)under_tsan()));
	T_EVENTUALLY(doca_dpa_peek_at_last_error(dpa) == DOCA_ERROR_BAD_STATE, 10000);
	is_lost(dpa);
	was_reported("endless", "it ran for longer than");
	T_CONTAINS(crash, " of 2 of a launch");
}

T_CASE(the_limit_counts_for_each_run)
{
	struct doca_dpa *dpa;
	uint64_t end = sdpu_clock_now() + 500 * SDPU_MS;

	setenv("SOFTDPU_DPA_RUN_TIME_MS", "200", 1);
	dpa = kit_dpa(KIT_DPU);
	while (sdpu_clock_now() < end)
		kit_rpc(dpa, KIT_FUNC(answer), 1);
	T_OK(doca_dpa_peek_at_last_error(dpa));
	kit_dpa_end(dpa);
}

static uint32_t may_end;

KIT_GLOBAL(patient)
{
	(void)sdpu_fetch_add(&begun, 1);
	while (sdpu_load(&may_end) == 0)
		doca_dpa_dev_yield();
}

/* Is stopped by its parent meanwhile. */
static int stands_still(void *arg)
{
	const int *pipe_of = arg;
	struct doca_dpa *dpa;

	setenv("SOFTDPU_DPA_RUN_TIME_MS", "1000", 1);
	dpa = kit_dpa(KIT_DPU);
	T_OK(doca_dpa_kernel_launch_update_set(dpa, NULL, 0, NULL, 0, 1, KIT_FUNC(patient), 0ull));
	T_EVENTUALLY(sdpu_load(&begun) == 1, 5000);
	raise(SIGSTOP);
	sdpu_store(&may_end, 1);
	T_EQ(write(pipe_of[1], "", 1), 1);
	T_OK(doca_dpa_stop(dpa));
	T_OK(doca_dpa_peek_at_last_error(dpa));
	kit_dpa_end(dpa);
	return 0;
}

T_CASE(time_in_which_the_program_stands_still_does_not_count)
{
	int pipe_of[2], status;
	char byte;
	pid_t child;

	T_EQ(pipe(pipe_of), 0);
	child = t_fork(stands_still, pipe_of);
	T_EQ(waitpid(child, &status, WUNTRACED), child);
	T_CHECK(WIFSTOPPED(status));
	sdpu_clock_sleep(1500 * SDPU_MS);
	T_EQ(kill(child, SIGCONT), 0);
	T_EQ(read(pipe_of[0], &byte, 1), 1);
	T_EQ(t_wait(child, 10000), 0);
	close(pipe_of[0]);
	close(pipe_of[1]);
}

T_CASE(a_strange_limit_is_not_used)
{
	setenv("SOFTDPU_DPA_RUN_TIME_MS", "soon", 1);
	kit_log();
	kit_dpa_end(kit_dpa(KIT_DPU));
	T_CONTAINS(kit_log(), "SOFTDPU_DPA_RUN_TIME_MS=soon: needed is a number from 1 to 12000");
}

static volatile sig_atomic_t own_faults;
static void *own_page;

static void on_own_fault(int sig)
{
	own_faults++;
	mprotect(own_page, 4096, PROT_READ | PROT_WRITE);
}

T_CASE(faults_of_the_program_are_its_own)
{
	struct doca_dpa *dpa;

	own_page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	signal(SIGSEGV, on_own_fault);
	dpa = kit_dpa(KIT_DPU);
	*(volatile int *)own_page = 1;
	T_EQ(own_faults, 1);
	T_OK(doca_dpa_peek_at_last_error(dpa));
	/* while a kernel's is not */
	kit_dpa_end(dpa);
	fails(KIT_FUNC(read_word), NOWHERE, "read_word", "Segmentation fault");
	T_EQ(own_faults, 1);
	T_EQ(munmap(own_page, 4096), 0);
}

static int dies(void *arg)
{
	struct doca_dpa *dpa = kit_dpa(KIT_DPU);

	*(volatile int *)NOWHERE = 1;
	kit_dpa_end(dpa);
	return 0;
}

T_CASE(a_program_that_faults_dies_as_ever)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	T_SKIP("a sanitizer has a handler of its own");
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
	T_SKIP("a sanitizer has a handler of its own");
#endif
#endif
	T_EQ(t_wait(t_fork(dies, NULL), 10000), 128 + SIGSEGV);
	kit_dpa_end(kit_dpa(KIT_DPU)); /* which clears away what that left */
}

/* All at once. */
KIT_GLOBAL(fault_together)
{
	(void)sdpu_fetch_add(&begun, 1);
	while (sdpu_load(&begun) != arg)
		doca_dpa_dev_yield();
	((volatile uint64_t *)NOWHERE)[doca_dpa_dev_thread_rank()] = 1;
}

T_CASE(several_faults_at_once)
{
	struct doca_dpa *dpa = kit_dpa(KIT_DPU);

	kit_log();
	T_OK(doca_dpa_kernel_launch_update_set(dpa, NULL, 0, NULL, 0, 8, KIT_FUNC(fault_together),
					       8ull));
	T_EVENTUALLY(doca_dpa_peek_at_last_error(dpa) == DOCA_ERROR_BAD_STATE, 10000);
	is_lost(dpa);
	was_reported("fault_together", "Segmentation fault");
}
