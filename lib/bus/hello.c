/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The start of every first record: which protocol, which version, which build, which service.
 * Written by the connecting side, judged by the agent of the other; a refused side learns it from
 * the closed socket, the reason stands in the log of the refusing one. No state; any thread.
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

doca_error_t sdpu_hello_check(const void *bytes, uint32_t len)
{
	struct sdpu_hello hello;
	char build[25];

	if (len < sizeof(hello)) {
		sdpu_log_err("hello of %u bytes refused: needs at least %zu", len, sizeof(hello));
		return DOCA_ERROR_INVALID_VALUE;
	}
	memcpy(&hello, bytes, sizeof(hello));
	if (hello.magic != SDPU_HELLO_MAGIC) {
		sdpu_log_err("hello refused: begins with %08x, needs %08x", hello.magic,
			     SDPU_HELLO_MAGIC);
		return DOCA_ERROR_INVALID_VALUE;
	}
	if (hello.version != SDPU_HELLO_VERSION) {
		clean_build(hello.build, build);
		sdpu_log_err("peer refused: it speaks version %u (build %s), we speak version %u "
			     "(build %s); use one build of softdpu on both sides",
			     hello.version, build, SDPU_HELLO_VERSION, DOCA_VER_STRING);
		return DOCA_ERROR_UNSUPPORTED_VERSION;
	}
	if (hello.service == 0 || hello.service >= SDPU_SERVICE_LIMIT) {
		sdpu_log_err("hello refused: asks for service %u, there are 1 to %d", hello.service,
			     SDPU_SERVICE_LIMIT - 1);
		return DOCA_ERROR_INVALID_VALUE;
	}
	return DOCA_SUCCESS;
}
