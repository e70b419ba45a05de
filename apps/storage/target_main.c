/* SPDX-License-Identifier: BSD-3-Clause */
#include "target.h"

int main(int argc, char **argv)
{
	static struct target target;

	target_options_init(&target.options);
	return app_main(&target.app, &target_program, &target.options.common, argc, argv);
}
