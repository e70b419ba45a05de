/* SPDX-License-Identifier: BSD-3-Clause
 * Any bytes as the JSON file of a program (-j): read, or refused with a message.
 */
#include <doca_argp.h>

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned int messages;

static doca_error_t count_message(enum doca_log_level level, const char *format, va_list args)
{
	char text[2048];

	messages += vsnprintf(text, sizeof(text), format, args) > 0;
	return DOCA_SUCCESS;
}

/* Every byte of the value is looked at, so that a checker sees one that is not there. */
static doca_error_t take_text(void *param, void *config)
{
	return strlen(param) > (size_t)-2 ? DOCA_ERROR_UNEXPECTED : DOCA_SUCCESS;
}

static doca_error_t take_number(void *param, void *config)
{
	return DOCA_SUCCESS;
}

static doca_error_t take_eal(int argc, char **argv)
{
	size_t total = 0;

	for (int i = 0; i < argc; i++)
		total += strlen(argv[i]);
	return argv[argc] || total == 0 ? DOCA_ERROR_UNEXPECTED : DOCA_SUCCESS;
}

static void add(const char *name, enum doca_argp_type type, doca_argp_param_cb_t callback,
		bool multiple)
{
	struct doca_argp_param *param;

	if (doca_argp_param_create(&param) != DOCA_SUCCESS)
		abort();
	doca_argp_param_set_long_name(param, name);
	doca_argp_param_set_description(param, name);
	doca_argp_param_set_type(param, type);
	doca_argp_param_set_callback(param, callback);
	if (multiple)
		doca_argp_param_set_multiplicity(param);
	if (doca_argp_register_param(param) != DOCA_SUCCESS)
		abort();
}

static void parse(const char *path)
{
	char *argv[] = {"fuzz", "--", "-j", (char *)path, NULL};
	doca_error_t result;

	messages = 0;
	if (doca_argp_register_logger_callback(count_message) != DOCA_SUCCESS ||
	    doca_argp_init("fuzz", NULL) != DOCA_SUCCESS)
		abort();
	doca_argp_set_dpdk_program(take_eal);
	add("s", DOCA_ARGP_TYPE_STRING, take_text, false);
	add("i", DOCA_ARGP_TYPE_INT, take_number, false);
	add("b", DOCA_ARGP_TYPE_BOOLEAN, take_number, true);
	add("d", DOCA_ARGP_TYPE_DOUBLE, take_number, true);
	result = doca_argp_start(4, argv);
	if (result == DOCA_ERROR_UNEXPECTED || (result != DOCA_SUCCESS) != (messages == 1))
		abort();
	if (doca_argp_destroy() != DOCA_SUCCESS)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[64];
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	parse(path);
	close(fd);
	return 0;
}
