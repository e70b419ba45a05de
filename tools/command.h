/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The `softdpu` command: one function per sub-command, each in a file of its own. argv[0] is the
 * sub-command.
 */
#ifndef TOOLS_COMMAND_H_
#define TOOLS_COMMAND_H_

int command_env(int argc, char **argv);

#endif /* TOOLS_COMMAND_H_ */
