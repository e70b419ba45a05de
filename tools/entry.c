/* SPDX-License-Identifier: BSD-3-Clause */
#include "entry.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int hex_value(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* In place; what is not printable stays as it is written, %XX: it goes to a terminal. */
static void unescape(char *text)
{
	char *to = text;

	for (; *text != '\0'; text++) {
		int value = *text == '%' && isxdigit((unsigned char)text[1]) &&
					    isxdigit((unsigned char)text[2])
				    ? hex_value(text[1]) * 16 + hex_value(text[2])
				    : -1;

		if (value >= ' ' && value != 0x7f) {
			*to++ = (char)value;
			text += 2;
		} else {
			*to++ = *text;
		}
	}
	*to = '\0';
}

void entry_take_apart(const struct softdpu_entry *entry, struct entry_parts *parts)
{
	memset(parts, 0, sizeof(*parts));
	switch (entry->kind) {
	case SOFTDPU_ENTRY_PROCESS:
		snprintf(parts->endpoint, sizeof(parts->endpoint), "%s", entry->name);
		break;
	case SOFTDPU_ENTRY_COMCH_SERVER:
		sscanf(entry->text, "%63s %31s %31s %479s", parts->endpoint, parts->device,
		       parts->host, parts->name);
		unescape(parts->name);
		break;
	case SOFTDPU_ENTRY_RDMA_PORT:
		sscanf(entry->text, "%63s", parts->endpoint);
		sscanf(entry->name, "r-%u-%*[^-]-%31s", &parts->port, parts->device);
		break;
	default:
		break;
	}
}

void entry_describe(const struct softdpu_entry *entry, char words[ENTRY_WORDS_SIZE])
{
	struct entry_parts parts;

	entry_take_apart(entry, &parts);
	switch (entry->kind) {
	case SOFTDPU_ENTRY_PROCESS:
		snprintf(words, ENTRY_WORDS_SIZE, "process %s", entry->name);
		break;
	case SOFTDPU_ENTRY_COMCH_SERVER:
		snprintf(words, ENTRY_WORDS_SIZE, "Comch server \"%.360s\" on %s for %s",
			 parts.name, parts.device, parts.host);
		break;
	case SOFTDPU_ENTRY_RDMA_PORT:
		snprintf(words, ENTRY_WORDS_SIZE, "RDMA port %u on %s", parts.port, parts.device);
		break;
	default:
		snprintf(words, ENTRY_WORDS_SIZE, "unknown file %s", entry->name);
		break;
	}
}
