/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The text of a crash report; contract in crash.h. First what a user looks for: which kernel,
 * where, and why.
 */
#include "dpa/crash.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/log.h"
#include "dpa/dpa_object.h"
#include "dpa/symbol.h"
#include "dpa/thread.h"

#define CRASH_PREFIX "/tmp/doca_dpa_fatal"

static void crash_path(const struct doca_dpa *dpa, char *path, size_t size)
{
	snprintf(path, size, "%s.%ld.crash", dpa->log.path != NULL ? dpa->log.path : CRASH_PREFIX,
		 (long)getpid());
}

void dpa_crash_describe(const struct sdpu_dpa_strand *strand, char *text, size_t size)
{
	if (strand->thread != NULL)
		snprintf(text, size, "thread %u", strand->thread->id);
	else if (strand->kernel->kind == SOFTDPU_DPA_KERNEL_RPC)
		snprintf(text, size, "an RPC");
	else
		snprintf(text, size, "thread %u of %u of a launch", strand->rank,
			 strand->num_threads);
}

static const char *code_text(const struct sdpu_dpa_fault *fault)
{
	if (fault->signal == SIGSEGV && fault->code == SEGV_MAPERR)
		return ", nothing is mapped there";
	if (fault->signal == SIGSEGV && fault->code == SEGV_ACCERR)
		return ", which its mapping does not allow";
	if (fault->signal == SIGFPE && fault->code == FPE_INTDIV)
		return ", an integer divided by zero";
	return "";
}

/* The signal and its cause, in words. */
static void describe_signal(const struct sdpu_dpa_fault *fault, char *text, size_t size)
{
	const char *name = strsignal(fault->signal);

	if (fault->signal == SIGSEGV || fault->signal == SIGBUS)
		snprintf(text, size, "%s: access to address %p%s", name, fault->address,
			 code_text(fault));
	else
		snprintf(text, size, "%s%s", name, code_text(fault));
}

static void describe_reason(const struct sdpu_dpa_strand *strand, char *text, size_t size)
{
	uint32_t overdue = sdpu_load(&strand->overdue);

	if (strand->fault.signal != 0)
		describe_signal(&strand->fault, text, size);
	else if (strand->fault.text[0] != '\0')
		snprintf(text, size, "%s", strand->fault.text);
	else
		snprintf(text, size, "it ran for longer than %u ms", overdue);
}

/* From the place of the fault on; the frames above are those of the signal handler. */
static int first_frame(const struct sdpu_dpa_fault *fault)
{
	for (int i = 0; i < fault->depth; i++) {
		if (fault->stack[i] == fault->pc)
			return i;
	}
	return 0;
}

static void write_stack(FILE *file, const struct sdpu_dpa_fault *fault)
{
	int first = first_frame(fault);
	char text[256];

	fprintf(file, "Stack:\n");
	for (int i = first; i < fault->depth; i++) {
		/* A return address may be that of the next function. */
		const char *at = (const char *)fault->stack[i] - (i == first ? 0 : 1);

		dpa_symbol_describe(at, text, sizeof(text));
		fprintf(file, "  #%-2d %p  %s\n", i - first, fault->stack[i], text);
	}
}

static void write_report(FILE *file, const struct sdpu_dpa_strand *strand, const char *who,
			 const char *why, const char *where)
{
	const struct doca_dpa *dpa = strand->dpa;
	time_t now = time(NULL);
	struct tm parts;
	char date[64] = "";

	if (localtime_r(&now, &parts) != NULL)
		strftime(date, sizeof(date), "%F %T %z", &parts);
	fprintf(file, "DPA crash report\n");
	fprintf(file, "Kernel:  %s\n", strand->kernel->name);
	fprintf(file, "Thread:  %s\n", who);
	fprintf(file, "Reason:  %s\n", why);
	fprintf(file, "At:      %p  %s\n", strand->fault.pc, where);
	fprintf(file, "App:     %s\n", dpa->app->name);
	fprintf(file, "Device:  %s\n", sdpu_dev_function(dpa->base.dev)->pci);
	fprintf(file, "Process: %ld\n", (long)getpid());
	fprintf(file, "Time:    %s\n", date);
	write_stack(file, &strand->fault);
	fprintf(file, "\n");
}

/* NULL (logged): no report, only the line in the log. */
static FILE *open_report(const char *path)
{
	/* Others may write to the directory: do not follow a link of theirs. */
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "a");

	if (file != NULL)
		return file;
	sdpu_log_err("doca_dpa: no crash report: %s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	return NULL;
}

void dpa_crash_report(const struct sdpu_dpa_strand *strand)
{
	char who[64], why[SDPU_DPA_FAULT_TEXT + 64], where[256], path[4096];
	FILE *file;

	crash_path(strand->dpa, path, sizeof(path));
	dpa_crash_describe(strand, who, sizeof(who));
	describe_reason(strand, why, sizeof(why));
	dpa_symbol_describe(strand->fault.pc, where, sizeof(where));
	file = open_report(path);
	if (file != NULL) {
		write_report(file, strand, who, why, where);
		fclose(file);
	}
	sdpu_log_err("doca_dpa: kernel %s (%s) failed: %s; at %p %s; the context can only be "
		     "destroyed now; report in %s",
		     strand->kernel->name, who, why, strand->fault.pc, where, path);
}
