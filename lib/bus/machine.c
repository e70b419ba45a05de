/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Identity of the machine; contract in machine.h. The boot id is random; the directory's numbers
 * are laid over it, so that two machines on one kernel never share an id, and two on different
 * kernels no sooner than two boot ids are equal.
 */
#include "bus/machine.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/log.h"
#include "bus/rundir.h"

static int hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c == '\0' ? NULL : strchr(digits, tolower((unsigned char)c));

	return at == NULL ? -1 : (int)(at - digits);
}

/* 32 hex digits, with dashes anywhere between. */
static bool parse_uuid(const char *text, uint8_t id[SDPU_MACHINE_ID_SIZE])
{
	size_t n = 0;

	for (; *text != '\0' && n < 2 * SDPU_MACHINE_ID_SIZE; text++) {
		int digit = hex_digit(*text);

		if (*text == '-')
			continue;
		if (digit < 0)
			return false;
		id[n / 2] = (uint8_t)(n % 2 == 0 ? digit << 4 : id[n / 2] | digit);
		n++;
	}
	return n == 2 * SDPU_MACHINE_ID_SIZE;
}

static doca_error_t read_boot_id(uint8_t id[SDPU_MACHINE_ID_SIZE])
{
	char text[64] = "";
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	if (got <= 0 || !parse_uuid(text, id)) {
		sdpu_log_err("no boot id: cannot read /proc/sys/kernel/random/boot_id (%s); /proc "
			     "must be mounted",
			     got < 0 ? strerror(errno) : "not a UUID");
		return DOCA_ERROR_OPERATING_SYSTEM;
	}
	return DOCA_SUCCESS;
}

static doca_error_t stat_rundir(struct stat *st)
{
	int dirfd;
	doca_error_t result = sdpu_rundir_get(&dirfd);

	if (result != DOCA_SUCCESS || fstat(dirfd, st) == 0)
		return result;
	sdpu_log_err("runtime directory %s: %s", sdpu_rundir_path(), strerror(errno));
	return DOCA_ERROR_OPERATING_SYSTEM;
}

doca_error_t sdpu_machine_id(uint8_t id[SDPU_MACHINE_ID_SIZE])
{
	uint8_t boot_id[SDPU_MACHINE_ID_SIZE], place[SDPU_MACHINE_ID_SIZE];
	struct stat st;
	doca_error_t result = stat_rundir(&st);

	if (result == DOCA_SUCCESS)
		result = read_boot_id(boot_id);
	if (result != DOCA_SUCCESS)
		return result;
	sdpu_put_u64(place, st.st_dev);
	sdpu_put_u64(place + 8, st.st_ino);
	for (size_t i = 0; i < SDPU_MACHINE_ID_SIZE; i++)
		id[i] = boot_id[i] ^ place[i];
	return DOCA_SUCCESS;
}
