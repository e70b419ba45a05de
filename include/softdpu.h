/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file softdpu.h
 * What softdpu offers beyond the DOCA API. A program that is to run on the real SDK too does not
 * include this header.
 */
#ifndef SOFTDPU_H_
#define SOFTDPU_H_

#include <doca_compat.h>
#include <doca_error.h>

#include <stdbool.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Version of softdpu itself, as opposed to that of the API (doca_version_runtime()).
 *
 * Threads: any.
 *
 * @return static text
 */
DOCA_STABLE
const char *softdpu_version(void);

/* ---- Who is there ---- */

/** What a file of the runtime directory stands for. */
enum softdpu_entry_kind {
	SOFTDPU_ENTRY_PROCESS,	    /**< a process that has a device open */
	SOFTDPU_ENTRY_COMCH_SERVER, /**< a Comch server that runs */
	SOFTDPU_ENTRY_RDMA_PORT,    /**< a port to which an RDMA context listens */
	SOFTDPU_ENTRY_OTHER,	    /**< of another version of softdpu */
};

/** A file of the runtime directory. Everything is valid during the callback only. */
struct softdpu_entry {
	enum softdpu_entry_kind kind;
	const char *name; /**< of the file, without ".claim" */
	const char *text; /**< its line, as softdpu(7) describes it; empty when it has none */
	bool is_alive;	  /**< false: whoever made it has died, and nobody has removed it yet */
	pid_t pid;	  /**< of a living owner; 0: in another PID namespace, or just beginning */
};

/**
 * Called for each file that softdpu_registry_look() finds.
 *
 * @param[in] entry the file
 * @param[in] user_data as given to softdpu_registry_look()
 */
typedef void (*softdpu_entry_cb_t)(const struct softdpu_entry *entry, void *user_data);

/**
 * Look at the runtime directory: processes, servers and ports, the dead included. Nothing is
 * changed and nobody is disturbed. The callback is called in this thread, with no lock held.
 *
 * Threads: any.
 *
 * @param[in] cb called once for each file, in no particular order
 * @param[in] user_data passed to cb
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: cb is NULL
 * @return DOCA_ERROR_NOT_PERMITTED: the directory belongs to somebody else, or others may enter it
 * @return DOCA_ERROR_OPERATING_SYSTEM: the directory cannot be made or read
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 * @return DOCA_ERROR_BAD_STATE: this process is a fork of one that had devices open
 */
DOCA_EXPERIMENTAL
doca_error_t softdpu_registry_look(softdpu_entry_cb_t cb, void *user_data);

/**
 * Remove the files of the runtime directory whose owners are dead, as each process does when it
 * opens its first device.
 *
 * Threads: any.
 *
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_NOT_PERMITTED: the directory belongs to somebody else, or others may enter it
 * @return DOCA_ERROR_OPERATING_SYSTEM: the directory cannot be made or read
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 * @return DOCA_ERROR_BAD_STATE: this process is a fork of one that had devices open
 */
DOCA_EXPERIMENTAL
doca_error_t softdpu_registry_reap(void);

/**
 * Path of the runtime directory, once this process has used it.
 *
 * Threads: any.
 *
 * @return text that lives as long as the process; "(no runtime directory)" before
 */
DOCA_EXPERIMENTAL
const char *softdpu_registry_path(void);

#ifdef __cplusplus
}
#endif

#endif /* SOFTDPU_H_ */
