/* SPDX-License-Identifier: BSD-3-Clause */
#include "fault.h"

#include <doca_log.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

DOCA_LOG_REGISTER(STORAGE::FAULT);

void fault_init(struct fault *fault)
{
	memset(fault, 0, sizeof(*fault));
	pthread_mutex_init(&fault->lock, NULL);
	atomic_init(&fault->kind, FAULT_NONE);
}

void fault_fini(struct fault *fault)
{
	pthread_mutex_destroy(&fault->lock);
}

enum fault_kind fault_kind(struct fault *fault)
{
	return (enum fault_kind)atomic_load_explicit(&fault->kind, memory_order_acquire);
}

/*
 * A failed test often breaks the session a moment later, on the other side. The verdict is the
 * better explanation of the two, so its text stays.
 */
static bool fault_text_gives_way(enum fault_kind old, enum fault_kind new)
{
	return new > old &&old != FAULT_VERDICT;
}

static void fault_take(struct fault *fault, enum fault_kind kind, doca_error_t code,
		       const char *text)
{
	enum fault_kind old;
	bool taken;

	pthread_mutex_lock(&fault->lock);
	old = fault_kind(fault);
	taken = fault_text_gives_way(old, kind);
	if (taken) {
		fault->code = code;
		snprintf(fault->text, sizeof(fault->text), "%s", text);
	}
	/* release: pairs with the acquire in fault_kind(), whose caller may then read the text */
	if (kind > old)
		atomic_store_explicit(&fault->kind, kind, memory_order_release);
	pthread_mutex_unlock(&fault->lock);
	if (!taken)
		DOCA_LOG_INFO("After the first failure: %s", text);
}

doca_error_t fault_raise(struct fault *fault, doca_error_t code, const char *format, ...)
{
	char text[FAULT_TEXT_SIZE];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fault_take(fault, FAULT_BROKEN, code, text);
	return code;
}

doca_error_t fault_raise_kind(struct fault *fault, enum fault_kind kind, doca_error_t code,
			      const char *format, ...)
{
	char text[FAULT_TEXT_SIZE];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	fault_take(fault, kind, code, text);
	return code;
}
