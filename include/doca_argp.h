/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file doca_argp.h
 * Command line and JSON configuration of a program.
 *
 * One parser per process: doca_argp_init(), then parameters (and commands) are created, described
 * and registered, then doca_argp_start() parses and calls back, and doca_argp_destroy() ends it.
 *
 * A parameter has a description, a callback, a type and a short or long name at least. Short names
 * take one dash and may have several letters (-p, -gid), long names take two; a value is the next
 * argument, or what follows "=". A boolean needs none: it is true when it stands there, but may be
 * followed by true or false. The long name is the key in a JSON file, so that a parameter without
 * one is for the command line only.
 *
 * Ownership of a parameter or command moves to the parser with the call that registers it, even if
 * that fails; only what was never registered is destroyed by the program. Text is copied.
 *
 * The setters return nothing and ignore a NULL object; what is missing or wrong shows at
 * registration.
 *
 * Threads: one at a time, the process has one parser. Outputs are written only on success.
 */
#ifndef DOCA_ARGP_H_
#define DOCA_ARGP_H_

#include <stdarg.h>

#include <doca_compat.h>
#include <doca_error.h>
#include <doca_log.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_argp_cmd;
struct doca_argp_param;
struct doca_dev;
struct doca_dev_rep;
struct doca_devinfo;

/** Types of a parameter. Value 4 means something else in 2.9. */
enum doca_argp_type {
	DOCA_ARGP_TYPE_UNKNOWN = 0, /**< Not set yet. */
	DOCA_ARGP_TYPE_STRING = 1,  /**< Text; the callback gets const char *. */
	DOCA_ARGP_TYPE_INT = 2,	    /**< Whole number; the callback gets int *. */
	DOCA_ARGP_TYPE_BOOLEAN = 3, /**< True when given alone; the callback gets bool *. */
#if defined(SOFTDPU_API) && SOFTDPU_API == 209
	DOCA_ARGP_TYPE_JSON_OBJ = 4, /**< Object of a JSON file, as text. */
#else
	DOCA_ARGP_TYPE_DEVICE = 4,     /**< Device; struct doca_argp_device_ctx *. */
	DOCA_ARGP_TYPE_DEVICE_REP = 5, /**< Representor; struct doca_argp_device_rep_ctx *. */
	DOCA_ARGP_TYPE_DOUBLE = 6,     /**< Number with fraction; the callback gets double *. */
#endif
};

/** Value of a device parameter. */
struct doca_argp_device_ctx {
	struct doca_dev *dev; /**< The device, open; closing it is up to the program. */
	const char *devargs;  /**< What follows its name after a comma; NULL if nothing does. */
};

/** Value of a representor parameter. */
struct doca_argp_device_rep_ctx {
	struct doca_argp_device_ctx dev_ctx; /**< The device that it was found through, open. */
	struct doca_dev_rep *dev_rep;	     /**< The representor, open; closed by the program. */
};

/**
 * A parameter was given.
 *
 * @param param its value, valid during the call, of the type that enum doca_argp_type says
 * @param config the program's configuration, from doca_argp_init()
 * @return DOCA_SUCCESS to go on; any other code ends doca_argp_start(), which returns it
 */
typedef doca_error_t (*doca_argp_param_cb_t)(void *param, void *config);

/**
 * The arguments of DPDK, which come before a lone "--".
 *
 * @param argc their number, the program's name included
 * @param argv the arguments, which belong to the parser
 * @return DOCA_SUCCESS to go on; any other code ends doca_argp_start(), which returns it
 */
typedef doca_error_t (*doca_argp_dpdk_cb_t)(int argc, char **argv);

/**
 * All parameters were taken: do they go together?
 *
 * @param config the program's configuration, from doca_argp_init()
 * @return DOCA_SUCCESS if so; any other code ends doca_argp_start(), which returns it
 */
typedef doca_error_t (*doca_argp_validation_cb_t)(void *config);

/**
 * A command was chosen.
 *
 * @param config the program's configuration, from doca_argp_init()
 * @return DOCA_SUCCESS to go on; any other code ends doca_argp_start(), which returns it
 */
typedef doca_error_t (*doca_argp_cmd_cb_t)(void *config);

/**
 * Open the device of a device parameter, in place of doca_dev_open().
 *
 * @param devinfo the device
 * @param usr_ctx what was registered with the callback
 * @param[out] dev the device, open
 * @return DOCA_SUCCESS, or the code that doca_argp_start() shall return
 */
typedef doca_error_t (*doca_argp_dev_open_cb_t)(struct doca_devinfo *devinfo, void *usr_ctx,
						struct doca_dev **dev);

/**
 * The parser has something to say.
 *
 * @param level how important it is
 * @param format text, with conversions as in printf
 * @param args arguments of the conversions
 * @return DOCA_SUCCESS; any other code is ignored
 */
typedef doca_error_t (*doca_argp_logger_cb_t)(enum doca_log_level level, const char *format,
					      va_list args);

/**
 * Set up the parser.
 *
 * @param program_name name shown in the help; NULL for that of the first argument
 * @param program_config handed to the callbacks unread, stays with the program; may be NULL
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: it is set up already
 * @return DOCA_ERROR_INVALID_VALUE: the name is empty
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_init(const char *program_name, void *program_config);

/**
 * Create a parameter.
 *
 * @param[out] param the parameter, owned by the caller until it is registered
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: param is NULL
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_param_create(struct doca_argp_param **param);

/**
 * Set the short name. Before registration, like all setters.
 *
 * @param param the parameter
 * @param name the name without dash, one letter or several
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_short_name(struct doca_argp_param *param, const char *name);

/**
 * Set the long name, which is also the key in a JSON file.
 *
 * @param param the parameter
 * @param name the name without dashes
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_long_name(struct doca_argp_param *param, const char *name);

/**
 * Set what the help shows as value, such as "<path>".
 *
 * @param param the parameter
 * @param arguments that text
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_arguments(struct doca_argp_param *param, const char *arguments);

/**
 * Set the explanation that the help shows.
 *
 * @param param the parameter
 * @param description that text; may have several lines
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_description(struct doca_argp_param *param, const char *description);

/**
 * Set the function that takes the value.
 *
 * @param param the parameter
 * @param callback the function; called once per occurrence, in their order
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_callback(struct doca_argp_param *param, doca_argp_param_cb_t callback);

/**
 * Set the type of the value.
 *
 * @param param the parameter
 * @param type the type
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_type(struct doca_argp_param *param, enum doca_argp_type type)
	SOFTDPU_V209("doca_argp_param_set_type_v209");

/**
 * Make a parameter one that must be given.
 *
 * @param param the parameter
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_mandatory(struct doca_argp_param *param);

/**
 * Make a parameter one that a JSON file may not contain.
 *
 * @param param the parameter
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_cli_only(struct doca_argp_param *param);

/**
 * Make a parameter one that may be given several times; in a JSON file its value is an array.
 *
 * @param param the parameter
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_multiplicity(struct doca_argp_param *param);

/**
 * Make a parameter one that must be the only one given.
 *
 * @param param the parameter
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_singular(struct doca_argp_param *param);

/**
 * Make a parameter one that the commands below have too.
 *
 * @param param the parameter
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_inherited(struct doca_argp_param *param);

/**
 * Leave a parameter out of the help.
 *
 * @param param the parameter
 */
DOCA_EXPERIMENTAL
void doca_argp_param_set_hidden(struct doca_argp_param *param);

/**
 * Destroy a parameter that was never registered.
 *
 * @param param the parameter, which must not be used any more
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: param is NULL
 * @return DOCA_ERROR_BAD_STATE: it is registered and belongs to the parser
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_param_destroy(struct doca_argp_param *param);

/**
 * Register a parameter of the program. Between doca_argp_init() and doca_argp_start().
 *
 * @param input_param the parameter, which belongs to the parser from now on, whatever is returned
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: input_param is NULL, or its name is taken or reserved
 * @return DOCA_ERROR_BAD_STATE: the parser is not set up or has started, or the parameter is
 *         registered already
 * @return DOCA_ERROR_INITIALIZATION: description, callback, type or both names are missing
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_param(struct doca_argp_param *input_param);

/**
 * Choose what -v does. Between doca_argp_init() and doca_argp_start().
 *
 * @param callback the function, called as for a boolean; may destroy the parser and exit
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: callback is NULL
 * @return DOCA_ERROR_BAD_STATE: the parser is not set up or has started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_version_callback(doca_argp_param_cb_t callback);

/**
 * Add a check that runs once after parsing. Between doca_argp_init() and doca_argp_start().
 *
 * @param callback the check
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: callback is NULL
 * @return DOCA_ERROR_BAD_STATE: the parser is not set up or has started
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_validation_callback(doca_argp_validation_cb_t callback);

/**
 * Parse the arguments and a JSON file that they name, and call back for each value; then see that
 * nothing mandatory is missing; then run the validation callbacks. -h and -v end the process with
 * success. Once after doca_argp_init().
 *
 * @param argc number of arguments, the program's name included
 * @param argv the arguments, not changed
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: argv is NULL, or an argument is missing, repeated or malformed
 * @return DOCA_ERROR_NOT_SUPPORTED: an argument is unknown
 * @return DOCA_ERROR_BAD_STATE: the parser is not set up or has started
 * @return DOCA_ERROR_IO_FAILED: the JSON file cannot be read or is no JSON
 * @return DOCA_ERROR_INITIALIZATION: the parser could not be set up for it
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 * @return any other code: what a callback returned
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_start(int argc, char **argv);

/**
 * End the parser and free what was registered. Also after a start that failed, and inside
 * callbacks.
 *
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the parser is not set up
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_destroy(void);

/**
 * Print the help. The form of 2.9 ends the process after it.
 */
DOCA_EXPERIMENTAL
void doca_argp_usage(void) SOFTDPU_V209("doca_argp_usage_v209");

/**
 * Make the program one of DPDK: arguments before a lone "--", or the object doca_dpdk_flags of a
 * JSON file, are for DPDK. Before doca_argp_start().
 *
 * @param callback the function that takes them
 */
DOCA_EXPERIMENTAL
void doca_argp_set_dpdk_program(doca_argp_dpdk_cb_t callback);

/**
 * The log level that the user chose for the program, else the global lower limit.
 *
 * @param[out] log_level a value of doca_log_level
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: log_level is NULL
 * @return DOCA_ERROR_BAD_STATE: the parser is not set up
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_get_log_level(int *log_level);

/**
 * The log level that the user chose for the SDK, else its global limit.
 *
 * @param[out] log_level a value of doca_log_level
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: log_level is NULL
 * @return DOCA_ERROR_BAD_STATE: the parser is not set up
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_get_sdk_log_level(int *log_level);

/**
 * Create a command: a bare word on the command line that has parameters of its own.
 *
 * @param[out] cmd the command, owned by the caller until it is registered
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: cmd is NULL
 * @return DOCA_ERROR_NO_MEMORY: out of memory
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_cmd_create(struct doca_argp_cmd **cmd);

/**
 * Set the word.
 *
 * @param cmd the command
 * @param name the word, without dashes
 */
DOCA_EXPERIMENTAL
void doca_argp_cmd_set_name(struct doca_argp_cmd *cmd, const char *name);

/**
 * Set the explanation that the help shows.
 *
 * @param cmd the command
 * @param description that text
 */
DOCA_EXPERIMENTAL
void doca_argp_cmd_set_description(struct doca_argp_cmd *cmd, const char *description);

/**
 * Set the function to call when the command is chosen, after its parameters were taken.
 *
 * @param cmd the command
 * @param callback the function
 */
DOCA_EXPERIMENTAL
void doca_argp_cmd_set_callback(struct doca_argp_cmd *cmd, doca_argp_cmd_cb_t callback);

/**
 * Leave a command out of the help.
 *
 * @param cmd the command
 */
DOCA_EXPERIMENTAL
void doca_argp_cmd_set_hidden(struct doca_argp_cmd *cmd);

/**
 * Register a parameter of a command. No name is reserved there.
 *
 * @param cmd the command, not yet started
 * @param param the parameter, which belongs to the parser from now on, whatever is returned
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, or the name is taken
 * @return DOCA_ERROR_BAD_STATE: the parser has started, or the parameter is registered already
 * @return DOCA_ERROR_INITIALIZATION: description, callback, type or both names are missing
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_cmd_register_param(struct doca_argp_cmd *cmd, struct doca_argp_param *param);

/**
 * Register a command within a command.
 *
 * @param cmd the outer command
 * @param inner_cmd the inner one, which belongs to the parser from now on, whatever is returned
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: a pointer is NULL, both are the same, or the name is taken
 * @return DOCA_ERROR_BAD_STATE: the parser has started, or inner_cmd is registered already
 * @return DOCA_ERROR_INITIALIZATION: name or description are missing
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_cmd_register_cmd(struct doca_argp_cmd *cmd, struct doca_argp_cmd *inner_cmd);

/**
 * Register a command of the program. Between doca_argp_init() and doca_argp_start().
 *
 * @param cmd the command, which belongs to the parser from now on, whatever is returned
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: cmd is NULL, or the name is taken
 * @return DOCA_ERROR_BAD_STATE: the parser is not set up or has started, or cmd is registered
 *         already
 * @return DOCA_ERROR_INITIALIZATION: name or description are missing
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_cmd(struct doca_argp_cmd *cmd);

/**
 * Destroy a command that was never registered, with what was registered in it.
 *
 * @param cmd the command, which must not be used any more
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: cmd is NULL
 * @return DOCA_ERROR_BAD_STATE: it is registered and belongs to the parser
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_cmd_destroy(struct doca_argp_cmd *cmd);

/**
 * Choose how the devices of device parameters are opened. Between doca_argp_init() and
 * doca_argp_start().
 *
 * @param callback the function
 * @param usr_ctx handed to it unread, stays with the program; may be NULL
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: callback is NULL
 * @return DOCA_ERROR_BAD_STATE: the parser is not set up or has started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_dev_open_callback(doca_argp_dev_open_cb_t callback, void *usr_ctx);

/**
 * Choose who hears of errors in the arguments, in place of the SDK log. Legal at any time, before
 * doca_argp_init() too; doca_argp_destroy() undoes it.
 *
 * @param callback the function
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_INVALID_VALUE: callback is NULL
 * @return DOCA_ERROR_ALREADY_EXIST: there is one already
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_register_logger_callback(doca_argp_logger_cb_t callback);

/**
 * Undo doca_argp_register_logger_callback().
 *
 * @return DOCA_SUCCESS: also when there is no such callback
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_disable_logger_callback(void);

/**
 * Ignore unknown keys of a JSON file, which are errors otherwise. Before doca_argp_start().
 *
 * @return DOCA_SUCCESS
 * @return DOCA_ERROR_BAD_STATE: the parser is not set up or has started
 */
DOCA_EXPERIMENTAL
doca_error_t doca_argp_disable_pedantic_config_parsing(void);

#ifdef __cplusplus
}
#endif

#endif /* DOCA_ARGP_H_ */
