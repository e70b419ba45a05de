/* SPDX-License-Identifier: BSD-3-Clause */
#include "initiator.h"

int main(int argc, char **argv)
{
	static struct initiator initiator;

	initiator_options_init(&initiator.options);
	return app_main(&initiator.app, &initiator_program, &initiator.options.common, argc, argv);
}
