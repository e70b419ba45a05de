/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error_text.h"

struct error_text {
	const char *name;
	const char *descr;
};

#define TEXT(code, text) [code] = {#code, text}

static const struct error_text texts[] = {
	TEXT(DOCA_SUCCESS, "Success"),
	TEXT(DOCA_ERROR_UNKNOWN, "Unknown error"),
	TEXT(DOCA_ERROR_NOT_PERMITTED, "Operation not permitted"),
	TEXT(DOCA_ERROR_IN_USE, "Resource already in use"),
	TEXT(DOCA_ERROR_NOT_SUPPORTED, "Operation not supported"),
	TEXT(DOCA_ERROR_AGAIN, "Resource temporarily unavailable, try again"),
	TEXT(DOCA_ERROR_INVALID_VALUE, "Invalid input"),
	TEXT(DOCA_ERROR_NO_MEMORY, "Out of memory or other resources"),
	TEXT(DOCA_ERROR_INITIALIZATION, "Resource initialization failed"),
	TEXT(DOCA_ERROR_TIME_OUT, "Timer expired"),
	TEXT(DOCA_ERROR_SHUTDOWN, "Resource is being shut down"),
	TEXT(DOCA_ERROR_CONNECTION_RESET, "Connection reset by peer"),
	TEXT(DOCA_ERROR_CONNECTION_ABORTED, "Connection aborted"),
	TEXT(DOCA_ERROR_CONNECTION_INPROGRESS, "Connection being established"),
	TEXT(DOCA_ERROR_NOT_CONNECTED, "Not connected"),
	TEXT(DOCA_ERROR_NO_LOCK, "Lock could not be taken"),
	TEXT(DOCA_ERROR_NOT_FOUND, "Resource not found"),
	TEXT(DOCA_ERROR_IO_FAILED, "Input/Output Operation Failed"),
	TEXT(DOCA_ERROR_BAD_STATE, "Object is in the wrong state"),
	TEXT(DOCA_ERROR_UNSUPPORTED_VERSION, "Unsupported version"),
	TEXT(DOCA_ERROR_OPERATING_SYSTEM, "Operating system call failed"),
	TEXT(DOCA_ERROR_DRIVER, "Driver call failed"),
	TEXT(DOCA_ERROR_UNEXPECTED, "Unexpected condition"),
	TEXT(DOCA_ERROR_ALREADY_EXIST, "Resource already exists"),
	TEXT(DOCA_ERROR_FULL, "No more room in resource"),
	TEXT(DOCA_ERROR_EMPTY, "No entry in resource"),
	TEXT(DOCA_ERROR_IN_PROGRESS, "Operation is in progress"),
	TEXT(DOCA_ERROR_TOO_BIG, "Requested operation exceeds the allowed size"),
	TEXT(DOCA_ERROR_AUTHENTICATION, "Authentication failed"),
	TEXT(DOCA_ERROR_BAD_CONFIG, "Configuration is invalid"),
	TEXT(DOCA_ERROR_SKIPPED, "Result is valid, earlier output was dropped"),
	TEXT(DOCA_ERROR_DEVICE_FATAL_ERROR, "Device is in a fatal state"),
};

static const struct error_text unrecognized = {
	"unrecognized error code",
	"unrecognized error code",
};

static const struct error_text *text_find(doca_error_t error)
{
	/* Programs pass what they read from messages: any number may come, negative ones too. */
	unsigned int n = (unsigned int)error;

	return n < SDPU_ARRAY_SIZE(texts) ? &texts[n] : &unrecognized;
}

const char *sdpu_error_name(doca_error_t error)
{
	return text_find(error)->name;
}

const char *sdpu_error_descr(doca_error_t error)
{
	return text_find(error)->descr;
}

const char *doca_error_get_name(doca_error_t error)
{
	return text_find(error)->name;
}

const char *doca_error_get_descr(doca_error_t error)
{
	return text_find(error)->descr;
}
