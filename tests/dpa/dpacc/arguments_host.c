/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls each kernel of arguments_device.c as the DPA does: packed here, called through the frame.
 */
#include <stdio.h>

#include <softdpu_dpa_app.h>

#include "arguments.h"

typedef void(doca_dpa_func_t)(void);

extern struct doca_dpa_app *arguments_app;
extern doca_dpa_func_t set_state, marked_before, get_state, add_small, add_real, add_structs, mixed;

static int failures;

/* Not those of the device. */
uint64_t helper(uint64_t value);
uint64_t state = 5;

uint64_t helper(uint64_t value)
{
	return value + 1000;
}

static const struct softdpu_dpa_kernel *find(doca_dpa_func_t *function)
{
	for (uint32_t i = 0; i < arguments_app->num_kernels; i++) {
		if (arguments_app->kernels[i]->function == function)
			return arguments_app->kernels[i];
	}
	return NULL;
}

static uint64_t call(doca_dpa_func_t *function, ...)
{
	_Alignas(SOFTDPU_DPA_FRAME_ALIGN) char frame[SOFTDPU_DPA_FRAME_SIZE];
	const struct softdpu_dpa_kernel *kernel = find(function);
	va_list args;

	va_start(args, function);
	kernel->pack(frame, &args);
	va_end(args);
	return kernel->call(frame);
}

static void expect(const char *what, uint64_t got, uint64_t wanted)
{
	if (got == wanted)
		return;
	printf("%s: %" PRIu64 ", not %" PRIu64 "\n", what, got, wanted);
	failures++;
}

static void check_kernels(void)
{
	const point_t point = {.x = -10, .y = 30.5};
	const struct packed packed = {.tag = 3, .value = 1ull << 40};
	const struct large large = {.words = {[0] = 100, [119] = 200}};
	const uint32_t array[] = {1, 2};

	expect("set_state", call(set_state, UINT64_C(41)), 0);
	expect("get_state", call(get_state), 42);
	expect("marked_before", call(marked_before, UINT64_C(41)), 0);
	expect("get_state", call(get_state), 48);
	expect("the host's state", state, 5);
	expect("add_small", call(add_small, 200, -100, 60000, -30000, true, 'a'), 30198);
	expect("add_real", call(add_real, 1.5f, 2.5, 3.5f), 1785);
	expect("add_structs", call(add_structs, point, packed, large), (1ull << 40) + 323);
	expect("mixed", call(mixed, UINT64_C(10), GREEN, packed, array, helper, 5u), 1025);
}

static void check_image(void)
{
	expect("magic", arguments_app->magic, SOFTDPU_DPA_APP_MAGIC);
	expect("version", arguments_app->version, SOFTDPU_DPA_APP_VERSION);
	expect("name", strcmp(arguments_app->name, "arguments_app"), 0);
	expect("kernels", arguments_app->num_kernels, 7);
	expect("name of a kernel", strcmp(find(mixed)->name, "mixed"), 0);
	expect("kind of a kernel", find(set_state)->kind, SOFTDPU_DPA_KERNEL_GLOBAL);
	expect("kind of an RPC", find(mixed)->kind, SOFTDPU_DPA_KERNEL_RPC);
	expect("parameters", find(mixed)->num_args, 6);
	expect("parameters of none", find(get_state)->num_args, 0);
	expect("size of none", find(get_state)->frame_size, 0);
	expect("size of small ones", find(add_small)->frame_size, 8);
}

int main(void)
{
	check_image();
	check_kernels();
	return failures != 0;
}
