/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Describes entries of the runtime directory. softdpu(7), FILES, gives the format of their texts.
 * No state; any thread.
 */
#ifndef TOOLS_ENTRY_H_
#define TOOLS_ENTRY_H_

#include <softdpu.h>

#define ENTRY_WORDS_SIZE 512

/* The parts of an entry's text; empty if it has no such part. */
struct entry_parts {
	char endpoint[64];
	char device[32]; /* its PCI address */
	char host[32];	 /* of a server: PCI address of the host's function */
	char name[480];	 /* of a server, as the program gave it */
	unsigned int port;
};

void entry_take_apart(const struct softdpu_entry *entry, struct entry_parts *parts);

/* "Comch server "echo" on 0000:03:00.0 for 0000:3b:00.0" and the like, safe to print. */
void entry_describe(const struct softdpu_entry *entry, char words[ENTRY_WORDS_SIZE]);

#endif /* TOOLS_ENTRY_H_ */
