/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An initiator that asks for what it must not have, to see what bridge and target make of it. It
 * is the initiator, with one phase more just before the run; STRANGE says what that phase spoils.
 */
#include "initiator.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MAX_PHASES 16

static void address_before_the_region(struct initiator *initiator, uint8_t *message)
{
	io_message_set_io_address(message, (uintptr_t)initiator->memory.base - 64);
}

static void address_beyond_the_region(struct initiator *initiator, uint8_t *message)
{
	io_message_set_io_address(message,
				  (uintptr_t)initiator->memory.base + initiator->memory.size - 64);
}

static void address_that_wraps(struct initiator *initiator, uint8_t *message)
{
	io_message_set_io_address(message, UINT64_MAX - 63);
}

static void size_beyond_the_region(struct initiator *initiator, uint8_t *message)
{
	io_message_set_io_size(message, UINT32_MAX);
}

/* The memory is gone, though its export still stands. */
static void no_memory(struct initiator *initiator, uint8_t *message)
{
	/* Not given back: somebody else's memory might come to lie there. */
	mmap(initiator->memory.base, initiator->memory.size, PROT_NONE,
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

/* The target has no such operation. */
static void type_that_is_none(struct initiator *initiator, uint8_t *message)
{
	initiator->operation = (enum io_message_type)99;
}

/* The bridge and the target are told to stop while the initiator still expects answers. */
static void early_stop(struct initiator *initiator, uint8_t *message)
{
	initiator->operation = IO_MESSAGE_STOP;
}

static const struct {
	const char *name;
	void (*spoil)(struct initiator *initiator, uint8_t *message);
} strange_ways[] = {
	{"before", address_before_the_region},
	{"beyond", address_beyond_the_region},
	{"wraps", address_that_wraps},
	{"size", size_beyond_the_region},
	{"memory", no_memory},
	{"type", type_that_is_none},
	{"stop", early_stop},
};

static doca_error_t spoil(struct app *app)
{
	struct initiator *initiator = (struct initiator *)app;
	const char *way = getenv("STRANGE");
	size_t i;

	for (i = 0; i < sizeof(strange_ways) / sizeof(strange_ways[0]); i++)
		if (way != NULL && strcmp(way, strange_ways[i].name) == 0) {
			strange_ways[i].spoil(initiator,
					      initiator->threads[0].transactions[0].message);
			return DOCA_SUCCESS;
		}
	return fault_raise(&app->fault, DOCA_ERROR_INVALID_VALUE, "STRANGE names no way");
}

static struct app_phase phases[MAX_PHASES];

static void insert_phase_before_the_run(void)
{
	const struct app_phase *phase;
	size_t count = 0;

	for (phase = initiator_phases; phase->name != NULL; phase++) {
		if (phase->run == initiator_run)
			phases[count++] = (struct app_phase){"spoil", spoil};
		phases[count++] = *phase;
	}
}

int main(int argc, char **argv)
{
	static struct initiator initiator;
	static struct app_program program;

	program = initiator_program;
	program.phases = phases;
	insert_phase_before_the_run();
	initiator_options_init(&initiator.options);
	return app_main(&initiator.app, &program, &initiator.options.common, argc, argv);
}
