/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What every sample needs before it gets to its subject: options, log, devices, and waiting with an
 * end.
 */
#ifndef SAMPLES_COMMON_H_
#define SAMPLES_COMMON_H_

#include <stdbool.h>

#include <doca_ctx.h>
#include <doca_dev.h>
#include <doca_error.h>
#include <doca_pe.h>

#define SAMPLE_TEXT_SIZE 4080  /* with the NUL; the longest control message */
#define SAMPLE_PEER_SECONDS 60 /* for the user to start the other side */
#define SAMPLE_STEP_SECONDS 10 /* for anything that both sides are already busy with */

enum sample_side {
	SAMPLE_SERVER, /* on the DPU; takes --rep-pci */
	SAMPLE_CLIENT, /* on the host */
	SAMPLE_DPA,    /* a program and its DPA; takes --number in place of --text */
};

struct sample_config {
	char pci_addr[DOCA_DEVINFO_PCI_ADDR_SIZE];
	char rep_pci_addr[DOCA_DEVINFO_REP_PCI_ADDR_SIZE];
	char text[SAMPLE_TEXT_SIZE];
	int number;
	const char *number_of; /* what --number is, for its help */
};

typedef doca_error_t (*sample_run_t)(const struct sample_config *config);

/*
 * The body of every main(): makes the log, reads the options into `config` (which holds the
 * defaults), calls `run`, and returns the exit status.
 */
int sample_main(int argc, char **argv, const char *name, enum sample_side side,
		struct sample_config *config, sample_run_t run);

/* Open the device, or the representor seen from a device, that has this PCI address. The caller
 * closes it. */
doca_error_t sample_open_dev(const char *pci_addr, struct doca_dev **dev);
doca_error_t sample_open_dev_rep(struct doca_dev *dev, const char *pci_addr,
				 struct doca_dev_rep **rep);

/* Progress `pe`, unless it is NULL, until `done(arg)` says true: TIME_OUT when it does not within
 * `seconds`. */
doca_error_t sample_progress_until(struct doca_pe *pe, bool (*done)(void *arg), void *arg,
				   int seconds);

/*
 * Progress `pe` until `ctx` is in `state`. A context that falls back to IDLE on its way to RUNNING
 * has failed: CONNECTION_ABORTED.
 */
doca_error_t sample_wait_ctx(struct doca_pe *pe, struct doca_ctx *ctx, enum doca_ctx_states state,
			     int seconds);

/* Stop `ctx` and progress `pe` until it is IDLE, so that it may be destroyed. */
doca_error_t sample_stop_ctx(struct doca_pe *pe, struct doca_ctx *ctx);

#endif /* SAMPLES_COMMON_H_ */
