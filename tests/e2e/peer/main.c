/* SPDX-License-Identifier: BSD-3-Clause
 *
 *	comch_peer MODE [OPTION...]
 * A program of many modes for the scripts of this directory's parent.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kit.h"

static int mode_touch(void)
{
	peer_touch();
	return PEER_DONE;
}

static const struct mode {
	const char *name;
	int (*run)(void);
} modes[] = {
	{"pair-server", mode_pair_server},
	{"pair-client", mode_pair_client},
	{"touch", mode_touch},
	{"serve", mode_serve},
	{"cycle", mode_cycle},
	{"cycle-path", mode_cycle_path},
	{"crowd", mode_crowd},
	{"ping-server", mode_ping_server},
	{"ping-client", mode_ping_client},
	{"starting", mode_starting},
};

int main(int argc, char **argv)
{
	peer_options(argc - 1, argv + 1);
	/* Nobody waits for ever: a hang ends by a signal, which no script takes for an end. */
	alarm((unsigned int)peer_number("alarm", 30));
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (argc > 1 && strcmp(argv[1], modes[i].name) == 0)
			return modes[i].run();
	fprintf(stderr, "usage: comch_peer MODE [OPTION...]\n");
	return PEER_WRONG;
}
