/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file softdpu_dpa_app.h
 * What dpacc makes of device sources, and libdoca_dpa runs.
 *
 * Programs do not include this header: they declare "extern struct doca_dpa_app *NAME;" and hand it
 * to doca_dpa_set_app(). The image and all that it names are constant, and live as long as the
 * program. A kernel is the device function itself, under its own name; what it is called with
 * passes through a frame, as the host's variable arguments and the kernel's parameters differ.
 */
#ifndef SOFTDPU_DPA_APP_H_
#define SOFTDPU_DPA_APP_H_

#include <doca_compat.h>

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SOFTDPU_DPA_APP_MAGIC 0x41504453u /* "SDPA" */
#define SOFTDPU_DPA_APP_VERSION 1u	  /* of these structures: an image of another is refused */
#define SOFTDPU_DPA_FRAME_SIZE 1024	  /* most bytes of one kernel's parameters */
#define SOFTDPU_DPA_FRAME_ALIGN 64	  /* of every frame */

/** What a device function is for. */
enum softdpu_dpa_kernel_kind {
	SOFTDPU_DPA_KERNEL_GLOBAL = 1, /**< __dpa_global__: launches and threads */
	SOFTDPU_DPA_KERNEL_RPC = 2,    /**< __dpa_rpc__ */
};

/** A device function that the host can run. */
struct softdpu_dpa_kernel {
	const char *name;
	void (*function)(void); /**< what the host passes as doca_dpa_func_t */
	uint32_t kind;		/**< enum softdpu_dpa_kernel_kind */
	uint32_t num_args;
	size_t frame_size; /**< of its parameters, at most SOFTDPU_DPA_FRAME_SIZE */

	/** In the host's call: take the arguments off the list, converted to the parameters' types.
	 */
	void (*pack)(void *frame, va_list *args);

	/** In a thread of the DPA: call the function; its result, 0 of a function without one. */
	uint64_t (*call)(const void *frame);
};

/** A program image. */
struct doca_dpa_app {
	uint32_t magic;
	uint32_t version;
	const char *name;
	uint32_t num_kernels;
	const struct softdpu_dpa_kernel *const *kernels; /**< each is part of its device source */
};

#ifdef __cplusplus
}
#endif

#endif /* SOFTDPU_DPA_APP_H_ */
