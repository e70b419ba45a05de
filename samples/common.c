/* SPDX-License-Identifier: BSD-3-Clause */
#include "common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <doca_argp.h>
#include <doca_log.h>

DOCA_LOG_REGISTER(SAMPLE::COMMON);

/* --- options --- */

static doca_error_t copy_option(const char *what, const char *value, char *out, size_t size)
{
	if (strnlen(value, size) == size) {
		DOCA_LOG_ERR("%s is too long: at most %zu characters", what, size - 1);
		return DOCA_ERROR_INVALID_VALUE;
	}
	strcpy(out, value);
	return DOCA_SUCCESS;
}

static doca_error_t take_pci_addr(void *param, void *config)
{
	struct sample_config *conf = config;

	return copy_option("the PCI address", param, conf->pci_addr, sizeof(conf->pci_addr));
}

static doca_error_t take_rep_pci_addr(void *param, void *config)
{
	struct sample_config *conf = config;

	return copy_option("the representor's PCI address", param, conf->rep_pci_addr,
			   sizeof(conf->rep_pci_addr));
}

static doca_error_t take_text(void *param, void *config)
{
	struct sample_config *conf = config;

	if (*(const char *)param == '\0') {
		DOCA_LOG_ERR("the text is empty: there would be nothing to send");
		return DOCA_ERROR_INVALID_VALUE;
	}
	return copy_option("the text", param, conf->text, sizeof(conf->text));
}

static doca_error_t take_number(void *param, void *config)
{
	struct sample_config *conf = config;

	if (*(const int *)param < 1) {
		DOCA_LOG_ERR("the number is %d: at least 1", *(const int *)param);
		return DOCA_ERROR_INVALID_VALUE;
	}
	conf->number = *(const int *)param;
	return DOCA_SUCCESS;
}

/* standard: what holds without the option. */
static doca_error_t register_option(const char *short_name, const char *long_name, const char *what,
				    const char *standard, doca_argp_param_cb_t callback,
				    enum doca_argp_type type)
{
	char description[SAMPLE_TEXT_SIZE + 128];
	struct doca_argp_param *param;
	doca_error_t result;

	result = doca_argp_param_create(&param);
	if (result != DOCA_SUCCESS)
		return result;
	doca_argp_param_set_short_name(param, short_name);
	doca_argp_param_set_long_name(param, long_name);
	snprintf(description, sizeof(description), "%s (default %s)", what, standard);
	doca_argp_param_set_description(param, description);
	doca_argp_param_set_callback(param, callback);
	doca_argp_param_set_type(param, type);
	/* From here on the parser owns it, whatever it returns. */
	return doca_argp_register_param(param);
}

static doca_error_t parse_options(int argc, char **argv, enum sample_side side,
				  const struct sample_config *config)
{
	doca_error_t result;
	char number[16];

	snprintf(number, sizeof(number), "%d", config->number);
	result = register_option("p", "pci-addr", "PCI address of the DOCA device",
				 config->pci_addr, take_pci_addr, DOCA_ARGP_TYPE_STRING);
	if (result == DOCA_SUCCESS && side == SAMPLE_SERVER)
		result = register_option(
			"r", "rep-pci", "PCI address of the host function to serve",
			config->rep_pci_addr, take_rep_pci_addr, DOCA_ARGP_TYPE_STRING);
	if (result == DOCA_SUCCESS && side == SAMPLE_DPA)
		result = register_option("n", "number", config->number_of, number, take_number,
					 DOCA_ARGP_TYPE_INT);
	if (result == DOCA_SUCCESS && side != SAMPLE_DPA)
		result = register_option("t", "text", "Text to send to the other side",
					 config->text, take_text, DOCA_ARGP_TYPE_STRING);
	if (result == DOCA_SUCCESS)
		result = doca_argp_start(argc, argv);
	return result;
}

/* Own lines go to stdout, warnings and worse of the program and of the library to stderr. */
static doca_error_t make_log(void)
{
	struct doca_log_backend *sdk_log;
	doca_error_t result;

	result = doca_log_backend_create_standard();
	if (result == DOCA_SUCCESS)
		result = doca_log_backend_create_with_file_sdk(stderr, &sdk_log);
	if (result == DOCA_SUCCESS)
		result = doca_log_backend_set_sdk_level(sdk_log, DOCA_LOG_LEVEL_WARNING);
	return result;
}

int sample_main(int argc, char **argv, const char *name, enum sample_side side,
		struct sample_config *config, sample_run_t run)
{
	doca_error_t result;

	if (make_log() != DOCA_SUCCESS)
		return EXIT_FAILURE;
	setvbuf(stdout, NULL, _IOLBF, 0); /* a line is seen when it is said, also through a pipe */

	result = doca_argp_init(name, config);
	if (result != DOCA_SUCCESS) {
		DOCA_LOG_ERR("Cannot set up the options: %s", doca_error_get_descr(result));
		return EXIT_FAILURE;
	}
	result = parse_options(argc, argv, side, config);
	if (result == DOCA_SUCCESS)
		result = run(config);
	doca_argp_destroy();

	if (result != DOCA_SUCCESS) {
		DOCA_LOG_ERR("Sample failed: %s", doca_error_get_descr(result));
		return EXIT_FAILURE;
	}
	DOCA_LOG_INFO("Sample finished successfully");
	return EXIT_SUCCESS;
}

/* --- devices --- */

doca_error_t sample_open_dev(const char *pci_addr, struct doca_dev **dev)
{
	struct doca_devinfo **list;
	uint32_t num_devs, i;
	uint8_t is_equal = 0;
	doca_error_t result;

	result = doca_devinfo_create_list(&list, &num_devs);
	if (result != DOCA_SUCCESS) {
		DOCA_LOG_ERR("Cannot list the devices: %s", doca_error_get_descr(result));
		return result;
	}
	result = DOCA_ERROR_NOT_FOUND;
	for (i = 0; i < num_devs && !is_equal; i++) {
		if (doca_devinfo_is_equal_pci_addr(list[i], pci_addr, &is_equal) == DOCA_SUCCESS &&
		    is_equal)
			result = doca_dev_open(list[i], dev);
	}
	doca_devinfo_destroy_list(list); /* an open device does not need the list it was found in */

	if (result != DOCA_SUCCESS)
		DOCA_LOG_ERR("Cannot open device %s: %s", pci_addr, doca_error_get_descr(result));
	return result;
}

doca_error_t sample_open_dev_rep(struct doca_dev *dev, const char *pci_addr,
				 struct doca_dev_rep **rep)
{
	struct doca_devinfo_rep **list;
	uint32_t num_reps, i;
	uint8_t is_equal = 0;
	doca_error_t result;

	result = doca_devinfo_rep_create_list(dev, DOCA_DEVINFO_REP_FILTER_NET, &list, &num_reps);
	if (result != DOCA_SUCCESS) {
		DOCA_LOG_ERR("Cannot list the representors: %s", doca_error_get_descr(result));
		return result;
	}
	result = DOCA_ERROR_NOT_FOUND;
	for (i = 0; i < num_reps && !is_equal; i++) {
		if (doca_devinfo_rep_is_equal_pci_addr(list[i], pci_addr, &is_equal) ==
			    DOCA_SUCCESS &&
		    is_equal)
			result = doca_dev_rep_open(list[i], rep);
	}
	doca_devinfo_rep_destroy_list(list);

	if (result != DOCA_SUCCESS)
		DOCA_LOG_ERR("Cannot open the representor of host function %s: %s", pci_addr,
			     doca_error_get_descr(result));
	return result;
}

/* --- waiting --- */

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

doca_error_t sample_progress_until(struct doca_pe *pe, bool (*done)(void *arg), void *arg,
				   int seconds)
{
	const struct timespec pause = {.tv_nsec = 10 * 1000};
	const int64_t end = now_ns() + seconds * INT64_C(1000000000);

	while (!done(arg)) {
		if (now_ns() > end)
			return DOCA_ERROR_TIME_OUT;
		if (pe == NULL || doca_pe_progress(pe) == 0)
			nanosleep(&pause, NULL);
	}
	return DOCA_SUCCESS;
}

struct ctx_wait {
	struct doca_ctx *ctx;
	enum doca_ctx_states wanted;
	enum doca_ctx_states state;
};

static bool ctx_has_settled(void *arg)
{
	struct ctx_wait *wait = arg;

	if (doca_ctx_get_state(wait->ctx, &wait->state) != DOCA_SUCCESS)
		return false;
	return wait->state == wait->wanted || wait->state == DOCA_CTX_STATE_IDLE;
}

doca_error_t sample_wait_ctx(struct doca_pe *pe, struct doca_ctx *ctx, enum doca_ctx_states state,
			     int seconds)
{
	struct ctx_wait wait = {.ctx = ctx, .wanted = state, .state = DOCA_CTX_STATE_IDLE};
	doca_error_t result;

	result = sample_progress_until(pe, ctx_has_settled, &wait, seconds);
	if (result == DOCA_SUCCESS && wait.state != state)
		result = DOCA_ERROR_CONNECTION_ABORTED;
	return result;
}

doca_error_t sample_stop_ctx(struct doca_pe *pe, struct doca_ctx *ctx)
{
	doca_error_t result;

	result = doca_ctx_stop(ctx);
	if (result == DOCA_ERROR_IN_PROGRESS)
		result = sample_wait_ctx(pe, ctx, DOCA_CTX_STATE_IDLE, SAMPLE_STEP_SECONDS);
	if (result != DOCA_SUCCESS)
		DOCA_LOG_ERR("Cannot stop a context: %s", doca_error_get_descr(result));
	return result;
}
