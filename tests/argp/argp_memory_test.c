/* SPDX-License-Identifier: BSD-3-Clause
 * Out of memory at every single allocation of a program's way through the parser: NO_MEMORY,
 * nothing worse. The allocator of the C library is ours here, which the sanitizers do not allow.
 */
#include <doca_argp.h>

#include <errno.h>

#include "t.h"

#if defined(__has_feature)
#define HAS_FEATURE(x) __has_feature(x)
#else
#define HAS_FEATURE(x) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||                               \
	HAS_FEATURE(address_sanitizer) || HAS_FEATURE(thread_sanitizer)

T_CASE(every_allocation_may_fail)
{
	T_SKIP("the sanitizer has the allocator");
}

#else

#define VISIBLE __attribute__((visibility("default")))

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t num, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void __libc_free(void *ptr);

/* Allocations until the one that fails; none fails while it is negative. */
static long countdown = -1;
static bool failed;
static long blocks; /* allocated and not freed */

static bool fails_now(void)
{
	if (countdown < 0 || countdown-- > 0)
		return false;
	failed = true;
	errno = ENOMEM;
	return true;
}

VISIBLE void *malloc(size_t size)
{
	if (fails_now())
		return NULL;
	blocks++;
	return __libc_malloc(size);
}

VISIBLE void *calloc(size_t num, size_t size)
{
	if (fails_now())
		return NULL;
	blocks++;
	return __libc_calloc(num, size);
}

VISIBLE void *realloc(void *old, size_t size)
{
	if (fails_now())
		return NULL;
	blocks += !old;
	return __libc_realloc(old, size);
}

VISIBLE void free(void *ptr)
{
	blocks -= ptr != NULL;
	__libc_free(ptr);
}

static doca_error_t hear(enum doca_log_level level, const char *format, va_list args)
{
	return DOCA_SUCCESS;
}

static doca_error_t take(void *param, void *config)
{
	return DOCA_SUCCESS;
}

static doca_error_t accept_all(void *config)
{
	return DOCA_SUCCESS;
}

static doca_error_t take_eal(int argc, char **argv)
{
	return DOCA_SUCCESS;
}

static doca_error_t param_make(const char *name, enum doca_argp_type type,
			       struct doca_argp_param **param)
{
	doca_error_t result = doca_argp_param_create(param);

	if (result != DOCA_SUCCESS)
		return result;
	doca_argp_param_set_short_name(*param, name);
	doca_argp_param_set_long_name(*param, "long");
	doca_argp_param_set_long_name(*param, name);
	doca_argp_param_set_arguments(*param, "<x>");
	doca_argp_param_set_description(*param, "what it is for");
	doca_argp_param_set_type(*param, type);
	doca_argp_param_set_callback(*param, take);
	return DOCA_SUCCESS;
}

static doca_error_t param_add(const char *name, enum doca_argp_type type)
{
	struct doca_argp_param *param;
	doca_error_t result = param_make(name, type, &param);

	return result == DOCA_SUCCESS ? doca_argp_register_param(param) : result;
}

static doca_error_t command_add(void)
{
	struct doca_argp_param *param;
	struct doca_argp_cmd *cmd;
	doca_error_t result = doca_argp_cmd_create(&cmd);

	if (result != DOCA_SUCCESS)
		return result;
	doca_argp_cmd_set_name(cmd, "cmd");
	doca_argp_cmd_set_description(cmd, "does it");
	result = param_make("p", DOCA_ARGP_TYPE_DOUBLE, &param);
	if (result == DOCA_SUCCESS)
		result = doca_argp_cmd_register_param(cmd, param);
	if (result != DOCA_SUCCESS) {
		T_OK(doca_argp_cmd_destroy(cmd));
		return result;
	}
	return doca_argp_register_cmd(cmd);
}

static doca_error_t describe_and_start(void)
{
	char *argv[] = {"/bin/prog", "-l",  "0",   "--", "-s", "text",
			"-i=3",	     "--b", "cmd", "-p", "1.5"};
	doca_error_t result = param_add("s", DOCA_ARGP_TYPE_STRING);

	doca_argp_set_dpdk_program(take_eal);
	if (result == DOCA_SUCCESS)
		result = param_add("i", DOCA_ARGP_TYPE_INT);
	if (result == DOCA_SUCCESS)
		result = param_add("b", DOCA_ARGP_TYPE_BOOLEAN);
	if (result == DOCA_SUCCESS)
		result = command_add();
	if (result == DOCA_SUCCESS)
		result = doca_argp_register_validation_callback(accept_all);
	if (result == DOCA_SUCCESS)
		result = doca_argp_start(11, argv);
	return result;
}

static doca_error_t whole_way(const char *program_name)
{
	doca_error_t result = doca_argp_init(program_name, NULL);

	if (result != DOCA_SUCCESS)
		return result;
	result = describe_and_start();
	T_OK(doca_argp_destroy());
	return result;
}

static void every_allocation_fails_once(const char *program_name)
{
	long n = 0, blocks_before = blocks;

	do {
		doca_error_t result;

		T_OK(doca_argp_register_logger_callback(hear));
		failed = false;
		countdown = n++;
		result = whole_way(program_name);
		countdown = -1;
		T_OK(doca_argp_disable_logger_callback());
		T_ERR(result, failed ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS);
		T_EQ(blocks, blocks_before);
	} while (failed);
	T_CHECK(n > 40);
}

T_CASE(every_allocation_may_fail)
{
	every_allocation_fails_once("prog");
	every_allocation_fails_once(NULL);
}

#endif
