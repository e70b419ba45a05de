/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The start of every first record: which protocol, which version, which build, which service.
 * Written by the connecting side, judged by the agent of the other; a refused side learns from
 * the closed socket that it is, and from a hello before if it is for its version. No state; any
 * thread.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <doca_version.h>

#include "base/log.h"
#include "bus/agent.h"

void sdpu_hello_fill(struct sdpu_hello *hello, enum sdpu_service service)
{
	memset(hello, 0, sizeof(*hello));
	hello->magic = SDPU_HELLO_MAGIC;
	hello->version = SDPU_HELLO_VERSION;
	hello->service = (uint16_t)service;
	snprintf(hello->build, sizeof(hello->build), "%s", DOCA_VER_STRING);
}

/* The peer's text goes to our log: printable characters only. */
static void clean_build(const char raw[24], char clean[25])
{
	int i;

	for (i = 0; i < 24 && raw[i] != '\0'; i++)
		clean[i] = isgraph((unsigned char)raw[i]) ? raw[i] : '?';
	clean[i] = '\0';
}

static bool hello_read(const void *bytes, uint32_t len, struct sdpu_hello *hello)
{
	if (len < sizeof(*hello))
		return false;
	memcpy(hello, bytes, sizeof(*hello));
	return hello->magic == SDPU_HELLO_MAGIC;
}

doca_error_t sdpu_hello_check(const void *bytes, uint32_t len)
{
	struct sdpu_hello hello;
	char build[25];

	if (!hello_read(bytes, len, &hello)) {
		sdpu_log_err(
			"hello of %u bytes refused: needs at least %zu, and to begin with %08x",
			len, sizeof(hello), SDPU_HELLO_MAGIC);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (hello.version != SDPU_HELLO_VERSION) {
		clean_build(hello.build, build);
		sdpu_log_err("peer refused: it speaks version %u (build %s), we speak version %u "
			     "(build %s); use one build of softdpu on both sides",
			     hello.version, build, SDPU_HELLO_VERSION, DOCA_VER_STRING);
		return DOCA_ERROR_UNSUPPORTED_VERSION;
	}
	if (hello.service == SDPU_SERVICE_NONE || hello.service >= SDPU_SERVICE_LIMIT) {
		sdpu_log_err("hello refused: asks for service %u, there are 1 to %d", hello.service,
			     SDPU_SERVICE_LIMIT - 1);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return DOCA_SUCCESS;
}

doca_error_t sdpu_hello_check_answer(const char *call, const struct sdpu_record *record)
{
	struct sdpu_hello hello;
	char build[25];

	if (record->len != sizeof(hello) || !hello_read(record->bytes, record->len, &hello) ||
	    hello.service != SDPU_SERVICE_NONE)
		return DOCA_SUCCESS;
	clean_build(hello.build, build);
	sdpu_log_err(
		"%s: the process that was asked speaks version %u (build %s), we speak version "
		"%u (build %s); needed: one build of softdpu on both sides",
		call, hello.version, build, SDPU_HELLO_VERSION, DOCA_VER_STRING);
	return DOCA_ERROR_UNSUPPORTED_VERSION;
}
