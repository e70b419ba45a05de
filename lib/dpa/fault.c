/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Signal handlers; contract in fault.h. A handler that finds a kernel on its thread never returns
 * to it: it notes where it was and jumps to the strand's frame. Handlers run on the strand's own
 * signal stack, as its other one may be what has overflowed.
 */
#include "dpa/fault.h"

#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/log.h"
#include "dpa/strand_run.h"

/* From programs' faults; and SIGABRT, for assertions in device code. */
static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

static struct sigaction before[SDPU_ARRAY_SIZE(faults)]; /* what the program had */
static int kill_signal;					 /* 0: none was free */

static const void *pc_of(const void *context)
{
	const mcontext_t *machine = &((const ucontext_t *)context)->uc_mcontext;

#if defined(__x86_64__)
	return (const void *)machine->gregs[REG_RIP];
#elif defined(__aarch64__)
	return (const void *)machine->pc;
#else
	return (void)machine, NULL;
#endif
}

/* Restores the handler of the program; a fault comes again when ours returns. */
static void restore_default(int sig, const siginfo_t *info)
{
	signal(sig, SIG_DFL);
	if (info->si_code <= 0)
		raise(sig);
}

static void pass_on(int sig, siginfo_t *info, void *context)
{
	const struct sigaction *old = &before[0];

	for (size_t i = 0; i < SDPU_ARRAY_SIZE(faults); i++) {
		if (faults[i] == sig)
			old = &before[i];
	}
	if (old->sa_flags & SA_SIGINFO)
		old->sa_sigaction(sig, info, context);
	else if (old->sa_handler == SIG_DFL)
		restore_default(sig, info);
	else if (old->sa_handler != SIG_IGN)
		old->sa_handler(sig);
	else if (info->si_code > 0)
		restore_default(sig, info); /* the system does not let a fault be ignored */
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	struct sdpu_dpa_strand *strand = sdpu_dpa_strand_current;
	int saved = errno;

	if (strand == NULL) {
		pass_on(sig, info, context);
		errno = saved;
		return;
	}
	dpa_strand_note(strand, pc_of(context), info);
	sdpu_dpa_strand_end(strand, SDPU_DPA_END_FAULT);
}

static void on_kill(int sig, siginfo_t *info, void *context)
{
	struct sdpu_dpa_strand *strand = sdpu_dpa_strand_current;

	/* Inside a guard the end of the guard looks. A signal may come late. */
	if (strand == NULL || strand->guard != 0 || sdpu_load(&strand->killed) == 0)
		return;
	if (sdpu_load(&strand->overdue) != 0)
		dpa_strand_note(strand, pc_of(context), NULL);
	sdpu_dpa_strand_end(strand, SDPU_DPA_END_KILL);
}

static void install(int sig, void (*handler)(int, siginfo_t *, void *), struct sigaction *old)
{
	/* No mask: the handlers do not return, and are fit to be interrupted by each other. */
	struct sigaction action = {
		.sa_sigaction = handler,
		.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART,
	};

	sigemptyset(&action.sa_mask);
	sigaction(sig, &action, old);
}

static int find_free_signal(void)
{
	struct sigaction action;

	for (int sig = SIGRTMAX - 1; sig >= SIGRTMIN; sig--) {
		if (sigaction(sig, NULL, &action) == 0 && !(action.sa_flags & SA_SIGINFO) &&
		    action.sa_handler == SIG_DFL)
			return sig;
	}
	return 0;
}

static void install_all(void)
{
	void *stack[4];

	/* The first call loads the unwinder, which no handler may do. */
	(void)backtrace(stack, (int)SDPU_ARRAY_SIZE(stack));
	kill_signal = find_free_signal();
	if (kill_signal == 0)
		return;
	install(kill_signal, on_kill, NULL);
	for (size_t i = 0; i < SDPU_ARRAY_SIZE(faults); i++)
		install(faults[i], on_fault, &before[i]);
}

doca_error_t dpa_fault_install(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, install_all);
	if (kill_signal != 0)
		return DOCA_SUCCESS;
	sdpu_log_err("doca_dpa_start: the program has handlers for all real-time signals; one is "
		     "needed to end kernels");
	return DOCA_ERROR_DRIVER;
}

void dpa_fault_unmask(void)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < SDPU_ARRAY_SIZE(faults); i++)
		sigaddset(&set, faults[i]);
	sigaddset(&set, kill_signal);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void dpa_fault_enter(struct sdpu_dpa_strand *strand)
{
	const stack_t ours = {.ss_sp = strand->signal_stack, .ss_size = DPA_SIGNAL_STACK};

	/* A sanitizer has one of its own, and takes down what it finds at the end. */
	sigaltstack(&ours, &strand->signal_stack_before);
	dpa_fault_unmask();
}

void dpa_fault_leave(struct sdpu_dpa_strand *strand)
{
	sigaltstack(&strand->signal_stack_before, NULL);
}

void dpa_fault_interrupt(const struct sdpu_dpa_strand *strand)
{
	pthread_kill(strand->pthread, kill_signal);
}
