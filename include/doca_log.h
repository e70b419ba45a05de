/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_log.h
 * Log records of the program and of the SDK, and the backends that write them.
 *
 * There are two tiers with nothing in common: records of the program (files with DOCA_LOG_REGISTER)
 * go to the ordinary backends, records of the SDK to those whose create function ends in _sdk.
 * There is no backend to begin with. A backend writes a record when its level lies between the
 * upper limit (the most important, CRIT by default) and the lower limit (the least important, INFO
 * by default); both follow the global limits until the backend is given its own. Backends are never
 * destroyed.
 *
 * Legal at any time. Outputs are written only on success.
 *
 * Threads: any; records of several threads are not mixed.
 */
#ifndef DOCA_LOG_H_
#define DOCA_LOG_H_

#include <stdio.h>

#include <doca_compat.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_log_backend;
struct doca_logger;

/** Longest name of a logger, in bytes, with the terminating NUL. */
#define DOCA_LOGGER_NAME_SIZE 256

/** Levels: the smaller, the more important. */
enum doca_log_level {
	DOCA_LOG_LEVEL_DISABLE = 10, /**< As a lower limit: nothing at all. */
	DOCA_LOG_LEVEL_CRIT = 20,    /**< Cannot go on. */
	DOCA_LOG_LEVEL_ERROR = 30,   /**< Something failed. */
	DOCA_LOG_LEVEL_WARNING = 40, /**< Something looks wrong. */
	DOCA_LOG_LEVEL_INFO = 50,    /**< What happens, in few words. */
	DOCA_LOG_LEVEL_DEBUG = 60,   /**< What happens, in many words. */
	DOCA_LOG_LEVEL_TRACE = 70,   /**< Every step. */
};

/**
 * A record was placed in the buffer of a backend.
 *
 * @param buf the start of that buffer, which holds the record as text
 */
typedef void (*log_flush_callback)(char *buf);

/**
 * Create the two standard backends: standard output for the levels from the global lower limit to
 * INFO, standard error for WARNING and what is more important. Neither can be configured.
 *
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_NO_MEMORY: out of memory, or there are too many backends
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_standard(void);

/**
 * Create a backend that writes to a stream.
 *
 * @param fptr the stream, which stays with the program and must stay open
 * @param[out] backend the backend
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NO_MEMORY: out of memory, or there are too many backends
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_file(FILE *fptr, struct doca_log_backend **backend);

/**
 * Create a backend that writes to a file descriptor.
 *
 * @param fd the descriptor, which stays with the program and must stay open
 * @param[out] backend the backend
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: fd is not open, or backend is NULL
 * @return DOCA_ERROR_NO_MEMORY: out of memory, or there are too many backends
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_fd(int fd, struct doca_log_backend **backend);

/**
 * Create a backend that puts each record at the start of a buffer and then calls a function. A
 * record that does not fit is dropped.
 *
 * @param buf the buffer, which stays with the program and must stay valid
 * @param capacity its size in bytes
 * @param handler the function, called by the thread that logs
 * @param[out] backend the backend
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or capacity is 0
 * @return DOCA_ERROR_NO_MEMORY: out of memory, or there are too many backends
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_buf(char *buf, size_t capacity,
					      log_flush_callback handler,
					      struct doca_log_backend **backend);

/**
 * Create a backend that writes to the system log.
 *
 * @param name the name to log under; copied
 * @param[out] backend the backend
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NO_MEMORY: out of memory, or there are too many backends
 * @return DOCA_ERROR_NOT_SUPPORTED: this system has no system log
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_syslog(const char *name,
						 struct doca_log_backend **backend);

/**
 * Set the least important level that a backend writes.
 *
 * @param backend the backend
 * @param level a value of doca_log_level
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: backend is NULL, or there is no such level
 * @return DOCA_ERROR_NOT_PERMITTED: the backend cannot be configured
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_level_lower_limit(struct doca_log_backend *backend,
						    uint32_t level);

/**
 * Set the most important level that a backend writes.
 *
 * @param backend the backend
 * @param upper_limit a value of doca_log_level
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: backend is NULL, or there is no such level
 * @return DOCA_ERROR_NOT_PERMITTED: the backend cannot be configured
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_level_upper_limit(struct doca_log_backend *backend,
						    uint32_t upper_limit);

/**
 * Keep the present lower limit of a backend whatever becomes of the global one.
 *
 * @param backend the backend
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: backend is NULL
 * @return DOCA_ERROR_NOT_PERMITTED: the backend cannot be configured
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_level_lower_limit_strict(struct doca_log_backend *backend);

/**
 * Keep the present upper limit of a backend whatever becomes of the global one.
 *
 * @param backend the backend
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: backend is NULL
 * @return DOCA_ERROR_NOT_PERMITTED: the backend cannot be configured
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_level_upper_limit_strict(struct doca_log_backend *backend);

/**
 * Set the lower limit of all backends of the program, present and future, that did not make theirs
 * strict. INFO by default.
 *
 * @param level a value of doca_log_level
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: there is no such level
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_level_set_global_lower_limit(uint32_t level);

/**
 * Set the upper limit of all backends of the program, present and future, that did not make theirs
 * strict. CRIT by default.
 *
 * @param level a value of doca_log_level
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: there is no such level
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_level_set_global_upper_limit(uint32_t level);

/**
 * The global lower limit.
 *
 * @return a value of doca_log_level
 */
DOCA_EXPERIMENTAL
uint32_t doca_log_level_get_global_lower_limit(void);

/**
 * The global upper limit.
 *
 * @return a value of doca_log_level
 */
DOCA_EXPERIMENTAL
uint32_t doca_log_level_get_global_upper_limit(void);

/**
 * Register a source of records. DOCA_LOG_REGISTER does it for a file.
 *
 * @param source_name its name, in a hierarchy with "::" between the parts; copied, cut after
 *                    DOCA_LOGGER_NAME_SIZE - 1 bytes
 * @param[out] source handle to log with
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_register_source(const char *source_name, int *source);

/**
 * Give a handle back. Sources live as long as the process, so that nothing else happens.
 *
 * @param source the handle
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: there is no such source
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_unregister_source(int source);

/**
 * Log one record. The DOCA_LOG macros do it with the place where they stand.
 *
 * @param level a value of doca_log_level, DISABLE excepted
 * @param source handle of the source
 * @param fname file, of which the last component is written
 * @param line line in it
 * @param func function
 * @param format text, with conversions as in printf, and without newline at the end
 * @return DOCA_SUCCESS: written, or filtered
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or there is no such level or source
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log(uint32_t level, int source, const char *fname, int line, const char *func,
		      const char *format, ...) __attribute__((format(printf, 6, 7)));

/**
 * Create a backend for SDK records that writes to a stream.
 *
 * @param fptr the stream, which stays with the program and must stay open
 * @param[out] backend the backend
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NO_MEMORY: out of memory, or there are too many backends
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_file_sdk(FILE *fptr, struct doca_log_backend **backend);

/**
 * Create a backend for SDK records that writes to a file descriptor.
 *
 * @param fd the descriptor, which stays with the program and must stay open
 * @param[out] backend the backend
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: fd is not open, or backend is NULL
 * @return DOCA_ERROR_NO_MEMORY: out of memory, or there are too many backends
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_fd_sdk(int fd, struct doca_log_backend **backend);

/**
 * Create a backend for SDK records that puts each at the start of a buffer and then calls a
 * function. A record that does not fit is dropped.
 *
 * @param buf the buffer, which stays with the program and must stay valid
 * @param capacity its size in bytes
 * @param handler the function, called by the thread that logs, which may be one of the SDK's own
 * @param[out] backend the backend
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or capacity is 0
 * @return DOCA_ERROR_NO_MEMORY: out of memory, or there are too many backends
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_buf_sdk(char *buf, size_t capacity,
						  log_flush_callback handler,
						  struct doca_log_backend **backend);

/**
 * Create a backend for SDK records that writes to the system log.
 *
 * @param name the name to log under; copied
 * @param[out] backend the backend
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NO_MEMORY: out of memory, or there are too many backends
 * @return DOCA_ERROR_NOT_SUPPORTED: this system has no system log
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_create_with_syslog_sdk(const char *name,
						     struct doca_log_backend **backend);

/**
 * Set the least important level that a backend for SDK records writes; from now on it does not
 * follow the global limit.
 *
 * @param backend the backend
 * @param level a value of doca_log_level
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: backend is NULL or one of the program tier, or there is no such
 *         level
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_backend_set_sdk_level(struct doca_log_backend *backend, uint32_t level);

/**
 * Set the lower limit of all backends for SDK records, present and future, that did not get a level
 * of their own. INFO by default.
 *
 * @param level a value of doca_log_level
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: there is no such level
 */
DOCA_EXPERIMENTAL
doca_error_t doca_log_level_set_global_sdk_limit(uint32_t level);

/**
 * The global limit of the SDK tier.
 *
 * @return a value of doca_log_level
 */
DOCA_EXPERIMENTAL
uint32_t doca_log_level_get_global_sdk_limit(void);

/**
 * Most backends that the program tier can have.
 *
 * @return that number
 */
DOCA_EXPERIMENTAL
uint32_t doca_log_get_max_num_backends(void);

/**
 * Most backends that the SDK tier can have.
 *
 * @return that number
 */
DOCA_EXPERIMENTAL
uint32_t doca_log_get_max_num_backends_sdk(void);

/**
 * List the loggers below one: every part of the name of a source is a logger.
 *
 * @param logger where to start; NULL for the root
 * @param depth how many levels down
 * @param[out] logger_list array, owned by the caller until doca_logger_destroy_list(); the loggers
 * in it live as long as the process
 * @param[out] nb_loggers number of loggers; may be 0
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: an output pointer is NULL, or depth is 0
 * @return DOCA_ERROR_NOT_FOUND: there is no such logger
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 */
DOCA_EXPERIMENTAL
doca_error_t doca_logger_create_list(const struct doca_logger *logger, uint8_t depth,
				     struct doca_logger ***logger_list, uint32_t *nb_loggers);

/**
 * Free such a list, not the loggers in it.
 *
 * @param logger_list the list, which must not be used any more
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: logger_list is NULL
 */
DOCA_EXPERIMENTAL
doca_error_t doca_logger_destroy_list(struct doca_logger **logger_list);

/**
 * Set the level of a logger: records of its sources that are less important are dropped before any
 * backend sees them.
 *
 * @param logger the logger; NULL for the root
 * @param level a value of doca_log_level
 * @param propagate other than 0: all loggers below it too; required with the root
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: there is no such level, or logger is NULL with propagate 0
 * @return DOCA_ERROR_NOT_FOUND: there is no such logger
 */
DOCA_EXPERIMENTAL
doca_error_t doca_logger_set_level(struct doca_logger *logger, int level, uint8_t propagate);

/**
 * Level of a logger.
 *
 * @param logger the logger
 * @param[out] level a value of doca_log_level
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NOT_FOUND: there is no such logger
 */
DOCA_EXPERIMENTAL
doca_error_t doca_logger_get_level(const struct doca_logger *logger, int *level);

/**
 * Full name of a logger.
 *
 * @param logger the logger
 * @param[out] name the name
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL
 * @return DOCA_ERROR_NOT_FOUND: there is no such logger
 */
DOCA_EXPERIMENTAL
doca_error_t doca_logger_get_name(const struct doca_logger *logger,
				  char name[DOCA_LOGGER_NAME_SIZE]);

/**
 * Find a logger in a list by its full name.
 *
 * @param logger_list a list from doca_logger_create_list()
 * @param name the name
 * @return the logger; NULL if there is none, or for NULL
 */
DOCA_EXPERIMENTAL
struct doca_logger *doca_logger_find_by_name(struct doca_logger **logger_list, const char *name);

/**
 * Log from a file that has DOCA_LOG_REGISTER: level, format, arguments. The format is part of the
 * variable arguments, so that there is always one and no dialect of C or C++ objects.
 */
#define DOCA_LOG(level, ...) doca_log(level, log_source, __FILE__, __LINE__, __func__, __VA_ARGS__)

/** The same with the level in the name: format, arguments. */
#define DOCA_LOG_CRIT(...) DOCA_LOG(DOCA_LOG_LEVEL_CRIT, __VA_ARGS__)
#define DOCA_LOG_ERR(...) DOCA_LOG(DOCA_LOG_LEVEL_ERROR, __VA_ARGS__)
#define DOCA_LOG_WARN(...) DOCA_LOG(DOCA_LOG_LEVEL_WARNING, __VA_ARGS__)
#define DOCA_LOG_INFO(...) DOCA_LOG(DOCA_LOG_LEVEL_INFO, __VA_ARGS__)
#define DOCA_LOG_DBG(...) DOCA_LOG(DOCA_LOG_LEVEL_DEBUG, __VA_ARGS__)

/** Trace records exist only in a build with DOCA_LOGGING_ALLOW_TRACE; else nothing is evaluated. */
#ifdef DOCA_LOGGING_ALLOW_TRACE
#define DOCA_LOG_TRC(...) DOCA_LOG(DOCA_LOG_LEVEL_TRACE, __VA_ARGS__)
#else
#define DOCA_LOG_TRC(...)                                                                          \
	do {                                                                                       \
	} while (0)
#endif

/*
 * Programs write DOCA_LOG_REGISTER with and without a semicolon, and it ends in a function. ISO C
 * has no empty declaration: __extension__ makes one acceptable, and is harmless before any other.
 */
#ifdef __cplusplus
#define DOCA_LOG_REGISTER_END_
#else
#define DOCA_LOG_REGISTER_END_ __extension__
#endif

/**
 * Register a file as a source of records, once and at file scope, before main() runs. The argument
 * is the bare name, such as DOCA_LOG_REGISTER(APP::CORE).
 */
#define DOCA_LOG_REGISTER(source)                                                                  \
	static int log_source;                                                                     \
	static __attribute__((constructor(101))) void doca_log_register_this_file(void)            \
	{                                                                                          \
		doca_log_register_source(#source, &log_source);                                    \
	}                                                                                          \
	DOCA_LOG_REGISTER_END_

#ifdef __cplusplus
}
#endif

#endif /* DOCA_LOG_H_ */
