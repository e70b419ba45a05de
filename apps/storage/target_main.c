/* SPDX-License-Identifier: BSD-3-Clause */
#include "target.h"

static void target_tell_peers(struct app *app)
{
	control_tell_fault(&((struct target *)app)->bridge.channel, &app->fault);
}

static void target_print_stats(struct app *app)
{
	struct target *target = (struct target *)app;

	stats_print_threads(target->stats, target->options.common.num_cpus);
}

static unsigned int target_check(const void *options, FILE *out)
{
	return target_options_check(options, out);
}

static void target_print(const void *options)
{
	target_options_print(options);
}

static void target_write_json(struct app *app, struct json_out *json)
{
	struct target *target = (struct target *)app;

	stats_write_json(json, &target->total, target->ended - target->started);
}

static const struct app_program target_program = {
	.name = TARGET_PROGRAM_NAME,
	.register_options = target_options_register,
	.check_options = target_check,
	.print_options = target_print,
	.turn = target_turn,
	.phases = target_phases,
	.tell_peers = target_tell_peers,
	.print_stats = target_print_stats,
	.write_json = target_write_json,
	.destroy = target_destroy,
};

int main(int argc, char **argv)
{
	static struct target target;

	target_options_init(&target.options);
	return app_main(&target.app, &target_program, &target.options.common, argc, argv);
}
