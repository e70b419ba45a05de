/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the tests of DPAs share: kernels that stand in the test itself, without dpacc, each with one
 * uint64_t for a parameter. They are all in one program, which every context runs.
 *
 *	KIT_RPC(twice)
 *	{
 *		return 2 * arg;
 *	}
 *	...
 *	T_EQ(kit_rpc(dpa, KIT_FUNC(twice), 21), 42);
 */
#ifndef TESTS_DPA_KIT_H
#define TESTS_DPA_KIT_H

#include <doca_dpa.h>
#include <softdpu_dpa_app.h>

#include "core/kit.h"
#include "t.h"

void kit_add(const struct softdpu_dpa_kernel *kernel);
void kit_pack(void *frame, va_list *args);

#define KIT_FUNC(name) ((doca_dpa_func_t *)(name))

#define KIT_KERNEL(name_, kind_, type, calling)                                                    \
	static type name_(uint64_t arg);                                                           \
	static uint64_t kit_call_##name_(const void *frame)                                        \
	{                                                                                          \
		calling name_(*(const uint64_t *)frame);                                           \
		return 0;                                                                          \
	}                                                                                          \
	static const struct softdpu_dpa_kernel kit_kernel_##name_ = {                              \
		.name = #name_,                                                                    \
		.function = KIT_FUNC(name_),                                                       \
		.kind = (kind_),                                                                   \
		.num_args = 1,                                                                     \
		.frame_size = sizeof(uint64_t),                                                    \
		.pack = kit_pack,                                                                  \
		.call = kit_call_##name_,                                                          \
	};                                                                                         \
	__attribute__((constructor)) static void kit_add_##name_(void)                             \
	{                                                                                          \
		kit_add(&kit_kernel_##name_);                                                      \
	}                                                                                          \
	static type name_(__attribute__((unused)) uint64_t arg)

#define KIT_GLOBAL(name) KIT_KERNEL(name, SOFTDPU_DPA_KERNEL_GLOBAL, void, )
#define KIT_RPC(name) KIT_KERNEL(name, SOFTDPU_DPA_KERNEL_RPC, uint64_t, return )

/* All kernels of the test. */
struct doca_dpa_app *kit_app(void);

/* A started context on the device of that address, which is opened for it. */
struct doca_dpa *kit_dpa(const char *pci);
/* Destroys it and closes its device. */
void kit_dpa_end(struct doca_dpa *dpa);

/* What the function returned. */
uint64_t kit_rpc(struct doca_dpa *dpa, doca_dpa_func_t *func, uint64_t arg);

/* A thread of that kernel, started. */
struct doca_dpa_thread *kit_thread(struct doca_dpa *dpa, doca_dpa_func_t *func, uint64_t arg);

/* The crash reports that this process has left, and removes; "" if none. */
const char *kit_crash(void);

#endif
