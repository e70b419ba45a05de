/* SPDX-License-Identifier: BSD-3-Clause */
#include "entry.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

static int hex_value(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* In place. */
static void unescape(char *text)
{
	char *to = text;

	for (; *text != '\0'; text++) {
		int value = *text == '%' && isxdigit((unsigned char)text[1]) &&
					    isxdigit((unsigned char)text[2])
				    ? hex_value(text[1]) * 16 + hex_value(text[2])
				    : -1;

		if (value > 0) {
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
	char raw[ENTRY_WORDS_SIZE];
	struct entry_parts parts;

	entry_take_apart(entry, &parts);
	switch (entry->kind) {
	case SOFTDPU_ENTRY_PROCESS:
		snprintf(raw, sizeof(raw), "process %s", entry->name);
		break;
	case SOFTDPU_ENTRY_COMCH_SERVER:
		snprintf(raw, sizeof(raw), "Comch server \"%.360s\" on %s for %s", parts.name,
			 parts.device, parts.host);
		break;
	case SOFTDPU_ENTRY_RDMA_PORT:
		snprintf(raw, sizeof(raw), "RDMA port %u on %s", parts.port, parts.device);
		break;
	default:
		snprintf(raw, sizeof(raw), "unknown file %s", entry->name);
		break;
	}
	text_make_safe(raw, words, ENTRY_WORDS_SIZE);
}
