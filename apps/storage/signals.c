/* SPDX-License-Identifier: BSD-3-Clause */
#include "signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

/* Lock-free, hence usable in a handler; relaxed, as it carries nothing but itself. */
static atomic_bool signals_seen;

static void signals_handle(int number)
{
	atomic_store_explicit(&signals_seen, true, memory_order_relaxed);
}

void signals_install(void)
{
	struct sigaction action = {
		.sa_handler = signals_handle,
		.sa_flags = SA_RESETHAND,
	};

	sigemptyset(&action.sa_mask);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

bool signals_pending(void)
{
	return atomic_load_explicit(&signals_seen, memory_order_relaxed);
}
