/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_error.h
 * Result codes of every DOCA call.
 *
 * A call that can fail returns doca_error_t. Only DOCA_SUCCESS is success; two other codes are no
 * failures in the calls that document them: DOCA_ERROR_IN_PROGRESS (accepted, the end is reported
 * by the progress engine) and DOCA_ERROR_AGAIN (nothing happened, try later). A call that fails
 * leaves its output parameters as they were. The numbers are part of the binary interface: programs
 * print, store and send them.
 *
 * Threads: both functions may be called from any thread at any time.
 */
#ifndef DOCA_ERROR_H_
#define DOCA_ERROR_H_

#include <doca_common_defines.h>
#include <doca_compat.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Result codes. */
typedef enum doca_error {
	DOCA_SUCCESS = 0,		       /**< Done. */
	DOCA_ERROR_UNKNOWN = 1,		       /**< A failure of no known kind. */
	DOCA_ERROR_NOT_PERMITTED = 2,	       /**< Not allowed now, or for this object. */
	DOCA_ERROR_IN_USE = 3,		       /**< Somebody still depends on the object. */
	DOCA_ERROR_NOT_SUPPORTED = 4,	       /**< This device or build cannot do it. */
	DOCA_ERROR_AGAIN = 5,		       /**< Not possible at the moment: try later. */
	DOCA_ERROR_INVALID_VALUE = 6,	       /**< A parameter is wrong. */
	DOCA_ERROR_NO_MEMORY = 7,	       /**< Out of memory, or a pool is used up. */
	DOCA_ERROR_INITIALIZATION = 8,	       /**< A resource could not be set up. */
	DOCA_ERROR_TIME_OUT = 9,	       /**< Waited for too long. */
	DOCA_ERROR_SHUTDOWN = 10,	       /**< Being shut down. */
	DOCA_ERROR_CONNECTION_RESET = 11,      /**< The peer broke the connection. */
	DOCA_ERROR_CONNECTION_ABORTED = 12,    /**< The connection was given up. */
	DOCA_ERROR_CONNECTION_INPROGRESS = 13, /**< The connection is not complete yet. */
	DOCA_ERROR_NOT_CONNECTED = 14,	       /**< There is no connection. */
	DOCA_ERROR_NO_LOCK = 15,	       /**< A lock could not be had. */
	DOCA_ERROR_NOT_FOUND = 16,	       /**< No such thing. */
	DOCA_ERROR_IO_FAILED = 17,	       /**< Input or output, or a hardware task, failed. */
	DOCA_ERROR_BAD_STATE = 18,	       /**< The object is in the wrong state for it. */
	DOCA_ERROR_UNSUPPORTED_VERSION = 19,   /**< Versions do not go together. */
	DOCA_ERROR_OPERATING_SYSTEM = 20,      /**< A system call failed. */
	DOCA_ERROR_DRIVER = 21,		       /**< A call into the driver failed. */
	DOCA_ERROR_UNEXPECTED = 22,	       /**< What should never happen did. */
	DOCA_ERROR_ALREADY_EXIST = 23,	       /**< There is one already. */
	DOCA_ERROR_FULL = 24,		       /**< No room left. */
	DOCA_ERROR_EMPTY = 25,		       /**< Nothing there. */
	DOCA_ERROR_IN_PROGRESS = 26,	       /**< Accepted, ends later. */
	DOCA_ERROR_TOO_BIG = 27,	       /**< Larger than allowed. */
	DOCA_ERROR_AUTHENTICATION = 28,	       /**< The peer could not prove who it is. */
	DOCA_ERROR_BAD_CONFIG = 29,	       /**< The configuration makes no sense. */
	DOCA_ERROR_SKIPPED = 30,	       /**< Good result, but earlier ones were dropped. */
	DOCA_ERROR_DEVICE_FATAL_ERROR = 31,    /**< The device is beyond recovery. */
} doca_error_t;

/** True when r is any code but DOCA_SUCCESS. */
#define DOCA_IS_ERROR(r) doca_unlikely((r) != DOCA_SUCCESS)

/**
 * Keep the first failure of several steps: store t in r if r is still DOCA_SUCCESS. t is evaluated
 * only in that case, so the step itself must not stand inside the macro.
 */
#define DOCA_ERROR_PROPAGATE(r, t)                                                                 \
	do {                                                                                       \
		if (!DOCA_IS_ERROR(r))                                                             \
			(r) = (t);                                                                 \
	} while (0)

/**
 * Name of a result code, as it is written in a program.
 *
 * @param[in] error any value, valid or not.
 * @return static text such as "DOCA_ERROR_IN_USE", never NULL; "unrecognized error code" for a
 * value that is no code.
 */
DOCA_STABLE
const char *doca_error_get_name(doca_error_t error);

/**
 * Description of a result code in one line, for people.
 *
 * @param[in] error any value, valid or not.
 * @return static text, never NULL; "unrecognized error code" for a value that is no code.
 */
DOCA_STABLE
const char *doca_error_get_descr(doca_error_t error);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_ERROR_H_ */
