/* SPDX-License-Identifier: BSD-3-Clause */
#include "initiator.h"

static void initiator_tell_peers(struct app *app)
{
	control_tell_fault(&((struct initiator *)app)->bridge.channel, &app->fault);
}

static unsigned int initiator_check(const void *options, FILE *out)
{
	return initiator_options_check(options, out);
}

static void initiator_print(const void *options)
{
	initiator_options_print(options);
}

static const struct app_program initiator_program = {
	.name = INITIATOR_PROGRAM_NAME,
	.register_options = initiator_options_register,
	.check_options = initiator_check,
	.print_options = initiator_print,
	.phases = initiator_phases,
	.turn = initiator_turn,
	.tell_peers = initiator_tell_peers,
	.print_stats = initiator_print_stats,
	.destroy = initiator_destroy,
	.write_json = initiator_write_json,
};

int main(int argc, char **argv)
{
	static struct initiator initiator;

	initiator_options_init(&initiator.options);
	return app_main(&initiator.app, &initiator_program, &initiator.options.common, argc, argv);
}
