/* SPDX-License-Identifier: BSD-3-Clause */
#include "bridge.h"

int main(int argc, char **argv)
{
	static struct bridge bridge;

	bridge_options_init(&bridge.options);
	return app_main(&bridge.app, &bridge_program, &bridge.options.common, argc, argv);
}
