/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge.h"

static void bridge_tell_peers(struct app *app)
{
	struct bridge *bridge = (struct bridge *)app;

	control_tell_fault(&bridge->initiator.channel, &app->fault);
	control_tell_fault(&bridge->target.channel, &app->fault);
}

static void bridge_print_stats(struct app *app)
{
	struct bridge *bridge = (struct bridge *)app;

	stats_print_threads(bridge->stats, bridge->options.common.num_cpus);
}

static unsigned int bridge_check(const void *options, FILE *out)
{
	return bridge_options_check(options, out);
}

static void bridge_print(const void *options)
{
	bridge_options_print(options);
}

static void bridge_write_json(struct app *app, struct json_out *json)
{
	struct bridge *bridge = (struct bridge *)app;

	stats_write_json(json, &bridge->total, bridge->ended - bridge->started);
}

static const struct app_program bridge_program = {
	.name = BRIDGE_PROGRAM_NAME,
	.register_options = bridge_options_register,
	.check_options = bridge_check,
	.print_options = bridge_print,
	.turn = bridge_turn,
	.phases = bridge_phases,
	.tell_peers = bridge_tell_peers,
	.print_stats = bridge_print_stats,
	.write_json = bridge_write_json,
	.destroy = bridge_destroy,
};

int main(int argc, char **argv)
{
	static struct bridge bridge;

	bridge_options_init(&bridge.options);
	return app_main(&bridge.app, &bridge_program, &bridge.options.common, argc, argv);
}
