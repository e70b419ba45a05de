/* SPDX-License-Identifier: BSD-3-Clause */
#include "initiator_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Buffers start at whole cache lines. */
#define BUFFER_ALIGNMENT 64

#define BUFFER_COUNT_DEFAULT 64
#define BUFFER_SIZE_DEFAULT 4096

void initiator_options_init(struct initiator_options *options)
{
	memset(options, 0, sizeof(*options));
	options_common_init(&options->common);
	options->buffer_count = BUFFER_COUNT_DEFAULT;
	options->buffer_size = BUFFER_SIZE_DEFAULT;
	strcpy(options->channel_name, OPTIONS_CHANNEL_NAME_DEFAULT);
	strcpy(options->io_memory_text, "private");
}

static doca_error_t initiator_take_operation(void *param, void *config)
{
	struct initiator_options *options = config;

	return options_keep_text(options->operation_text, sizeof(options->operation_text),
				 "operation", param);
}

static doca_error_t initiator_take_run_limit(void *param, void *config)
{
	((struct initiator_options *)config)->run_limit = *(const int *)param;
	return DOCA_SUCCESS;
}

static doca_error_t initiator_take_buffer_count(void *param, void *config)
{
	((struct initiator_options *)config)->buffer_count = *(const int *)param;
	return DOCA_SUCCESS;
}

static doca_error_t initiator_take_buffer_size(void *param, void *config)
{
	((struct initiator_options *)config)->buffer_size = *(const int *)param;
	return DOCA_SUCCESS;
}

static doca_error_t initiator_take_batch_size(void *param, void *config)
{
	((struct initiator_options *)config)->batch_size = *(const int *)param;
	return DOCA_SUCCESS;
}

static doca_error_t initiator_take_validate_writes(void *param, void *config)
{
	((struct initiator_options *)config)->validate_writes = *(const bool *)param;
	return DOCA_SUCCESS;
}

static doca_error_t initiator_take_channel_name(void *param, void *config)
{
	struct initiator_options *options = config;

	return options_keep_text(options->channel_name, sizeof(options->channel_name),
				 "command-channel-name", param);
}

static doca_error_t initiator_take_io_memory(void *param, void *config)
{
	struct initiator_options *options = config;

	return options_keep_text(options->io_memory_text, sizeof(options->io_memory_text),
				 "io-memory", param);
}

static doca_error_t initiator_take_data_file(void *param, void *config)
{
	struct initiator_options *options = config;

	return options_keep_text(options->data_file, sizeof(options->data_file), "data-file",
				 param);
}

static doca_error_t initiator_take_data_length(void *param, void *config)
{
	struct initiator_options *options = config;

	return options_keep_text(options->data_length_text, sizeof(options->data_length_text),
				 "data-length", param);
}

static const struct option initiator_option_list[] = {
	{NULL, "operation", "<read|write>",
	 "read, storage to host memory, or write, the other way (required)", DOCA_ARGP_TYPE_STRING,
	 initiator_take_operation, true, false},
	{NULL, "run-limit-operation-count", "<count>",
	 "Operations to run, over all threads (required)", DOCA_ARGP_TYPE_INT,
	 initiator_take_run_limit, true, false},
	{NULL, "per-cpu-buffer-count", "<count>",
	 "Buffers, that is concurrent operations, of each thread (default 64)", DOCA_ARGP_TYPE_INT,
	 initiator_take_buffer_count, false, false},
	{NULL, "buffer-size", "<bytes>", "Bytes of one operation, a multiple of 64 (default 4096)",
	 DOCA_ARGP_TYPE_INT, initiator_take_buffer_size, false, false},
	{NULL, "validate-writes", NULL,
	 "Write patterns, read them back and compare (operation write only)",
	 DOCA_ARGP_TYPE_BOOLEAN, initiator_take_validate_writes, false, false},
	{NULL, "command-channel-name", "<name>",
	 "Comch server of the bridge (default " OPTIONS_CHANNEL_NAME_DEFAULT ")",
	 DOCA_ARGP_TYPE_STRING, initiator_take_channel_name, false, false},
	{NULL, "batch-size", "<count>",
	 "Receives flushed together, at most 128 (default 0: buffers / (2 x threads))",
	 DOCA_ARGP_TYPE_INT, initiator_take_batch_size, false, false},
	{NULL, "io-memory", "<private|shared>",
	 "Kind of the memory that is read and written (default private)", DOCA_ARGP_TYPE_STRING,
	 initiator_take_io_memory, false, false},
	{NULL, "data-file", "<path>",
	 "write: fill the buffers from this file; read: save the buffers to it",
	 DOCA_ARGP_TYPE_STRING, initiator_take_data_file, false, false},
	{NULL, "data-length", "<bytes>",
	 "With read and --data-file: length of the file to save (default: all buffers)",
	 DOCA_ARGP_TYPE_STRING, initiator_take_data_length, false, false},
};

doca_error_t initiator_options_register(void)
{
	return options_register(initiator_option_list,
				sizeof(initiator_option_list) / sizeof(initiator_option_list[0]));
}

static bool initiator_is_read(const struct initiator_options *options)
{
	return strcmp(options->operation_text, "read") == 0;
}

static bool initiator_is_write(const struct initiator_options *options)
{
	return strcmp(options->operation_text, "write") == 0;
}

static unsigned int initiator_check_buffers(const struct initiator_options *options, FILE *out)
{
	unsigned int faults = 0;

	if (options->buffer_size <= 0)
		faults += options_fault(out, "buffer-size must be at least %d, not %d",
					BUFFER_ALIGNMENT, options->buffer_size);
	else if (options->buffer_size % BUFFER_ALIGNMENT != 0)
		faults += options_fault(out, "buffer-size must be a multiple of %d, not %d",
					BUFFER_ALIGNMENT, options->buffer_size);
	if (options->buffer_count <= 0)
		faults += options_fault(out, "per-cpu-buffer-count must be at least 1, not %d",
					options->buffer_count);
	if (options->batch_size < 0)
		faults += options_fault(out, "batch-size must not be negative: %d",
					options->batch_size);
	return faults;
}

/* The products that are computed later; each factor is an int, so 128 bits hold them all. */
static unsigned int initiator_check_total(const struct initiator_options *options, FILE *out)
{
	const unsigned __int128 total = (unsigned __int128)options->common.num_cpus *
					(unsigned int)options->buffer_count *
					(unsigned int)options->buffer_size;

	if (options->buffer_count <= 0 || options->buffer_size <= 0 || total <= SSIZE_MAX)
		return 0;
	return options_fault(out, "threads x per-cpu-buffer-count x buffer-size is more memory "
				  "than an address space holds");
}

static unsigned int initiator_check_run(const struct initiator_options *options, FILE *out)
{
	unsigned int faults = 0;

	if (!initiator_is_read(options) && !initiator_is_write(options))
		faults += options_fault(out, "operation must be \"read\" or \"write\", not \"%s\"",
					options->operation_text);
	if (options->run_limit <= 0)
		faults += options_fault(out, "run-limit-operation-count must be at least 1, not %d",
					options->run_limit);
	else if ((uint32_t)options->run_limit < options->common.num_cpus)
		faults += options_fault(out,
					"run-limit-operation-count %d is less than the number of "
					"threads, %u: each thread needs an operation",
					options->run_limit, options->common.num_cpus);
	return faults;
}

static unsigned int initiator_check_data(const struct initiator_options *options, FILE *out)
{
	unsigned int faults = 0;
	uint64_t length;

	if (strcmp(options->io_memory_text, "private") != 0 &&
	    strcmp(options->io_memory_text, "shared") != 0)
		faults += options_fault(out,
					"io-memory must be \"private\" or \"shared\", not \"%s\"",
					options->io_memory_text);
	if (options->data_file[0] != '\0' && options->validate_writes)
		faults += options_fault(out, "validate-writes fills the buffers with patterns and "
					     "cannot be combined with data-file");
	if (!initiator_options_data_length(options, &length))
		faults += options_fault(out, "data-length must be a number from 1, not \"%s\"",
					options->data_length_text);
	else if (length != 0 && (options->data_file[0] == '\0' || !initiator_is_read(options)))
		faults += options_fault(out, "data-length needs operation read and data-file");
	return faults;
}

unsigned int initiator_options_check(const struct options_common *common, FILE *out)
{
	const struct initiator_options *options = (const struct initiator_options *)common;

	return options_common_check(common, out) + initiator_check_run(options, out) +
	       initiator_check_buffers(options, out) + initiator_check_total(options, out) +
	       initiator_check_data(options, out);
}

void initiator_options_print(const struct options_common *common)
{
	const struct initiator_options *options = (const struct initiator_options *)common;

	options_print_begin(common);
	printf("\tcommand_channel_name : \"%s\",\n", options->channel_name);
	printf("\tbuffer_size : %d,\n", options->buffer_size);
	printf("\tbuffer_count : %d,\n", options->buffer_count);
	printf("\tbatch_size : %u,\n", initiator_options_batch_size(options));
	printf("\trun_limit_operation_count : %d,\n", options->run_limit);
	printf("\tvalidate_writes : %s,\n", options->validate_writes ? "yes" : "no");
	printf("\tcontrol_timeout : %d,\n", options->common.control_timeout);
	if (options->data_file[0] != '\0')
		printf("\tdata_file : \"%s\",\n", options->data_file);
	options_print_end(common);
}

enum io_message_type initiator_options_operation(const struct initiator_options *options)
{
	return initiator_is_read(options) ? IO_MESSAGE_READ : IO_MESSAGE_WRITE;
}

enum memory_kind initiator_options_io_memory(const struct initiator_options *options)
{
	return strcmp(options->io_memory_text, "shared") == 0 ? MEMORY_SHARED : MEMORY_PRIVATE;
}

uint32_t initiator_options_batch_size(const struct initiator_options *options)
{
	const uint32_t threads = options->common.num_cpus > 0 ? options->common.num_cpus : 1;
	uint32_t batch = (uint32_t)options->batch_size;

	if (batch == 0)
		batch = (uint32_t)options->buffer_count / (2 * threads);
	if (batch == 0)
		batch = 1;
	return batch < INITIATOR_BATCH_SIZE_MAX ? batch : INITIATOR_BATCH_SIZE_MAX;
}

bool initiator_options_data_length(const struct initiator_options *options, uint64_t *length)
{
	const char *text = options->data_length_text;
	char *end;

	*length = 0;
	if (text[0] == '\0')
		return true;
	errno = 0;
	*length = strtoull(text, &end, 10);
	return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && *length != 0;
}
