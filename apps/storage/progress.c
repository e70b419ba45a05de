/* SPDX-License-Identifier: BSD-3-Clause */
#include "progress.h"

#include "stats.h"
#include "timing.h"

#include <stdio.h>
#include <unistd.h>

#define UPDATE_PERIOD (200 * NSEC_PER_MSEC)
#define LINE_SIZE 128

void progress_init(struct progress *progress, uint64_t total, uint32_t operation_size)
{
	*progress = (struct progress){
		.enabled = isatty(STDERR_FILENO) == 1,
		.started = timing_now(),
		.total = total,
		.operation_size = operation_size,
	};
	progress->next = progress->started + UPDATE_PERIOD;
}

void progress_format(const struct progress *progress, uint64_t done, uint64_t elapsed, char *text,
		     uint32_t size)
{
	const double seconds = (double)elapsed / (double)NSEC_PER_SEC;
	const double rate = stats_ratio((double)done, seconds);
	const uint64_t left = progress->total > done ? progress->total - done : 0;
	const double seconds_left = stats_ratio((double)left, rate);

	snprintf(text, size, "%5.1f %%  %llu of %llu  %.1f kop/s  %.2f GiB/s  %llu:%02llu left",
		 100 * stats_ratio((double)done, (double)progress->total), (unsigned long long)done,
		 (unsigned long long)progress->total, rate / 1000,
		 rate * progress->operation_size / STATS_GIB, (unsigned long long)seconds_left / 60,
		 (unsigned long long)seconds_left % 60);
}

void progress_update(struct progress *progress, uint64_t done)
{
	const uint64_t now = timing_now();
	char text[LINE_SIZE];

	if (!progress->enabled || now < progress->next)
		return;
	progress->next = now + UPDATE_PERIOD;
	progress->shown = true;
	progress_format(progress, done, now - progress->started, text, sizeof(text));
	/* Back to the start of the line, the text, wipe what an older text left behind it. */
	fprintf(stderr, "\r%s\033[K", text);
	fflush(stderr);
}

void progress_wipe(struct progress *progress)
{
	if (!progress->shown)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	progress->shown = false;
}
