/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Server names; contract in name.h. A claim's text: "ENDPOINT DEV HOST NAME", the name with %XX for
 * what is not plain.
 */
#include "comch/name.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"

#define NAME_PREFIX "s-"
#define NAME_ESCAPED_MAX 400

struct name_entry {
	char endpoint[SDPU_ENDPOINT_MAX];
	char dev[16];
	char host[16];
	char name[NAME_ESCAPED_MAX];
};

static void name_escape(const char *name, char out[NAME_ESCAPED_MAX])
{
	size_t at = 0;

	for (const char *c = name; *c != '\0' && at + 4 < NAME_ESCAPED_MAX; c++) {
		if (isalnum((unsigned char)*c) || strchr("_-.:+@", *c) != NULL)
			out[at++] = *c;
		else
			at += (size_t)snprintf(out + at, 4, "%%%02X", (unsigned char)*c);
	}
	out[at] = '\0';
}

static uint64_t name_hash(uint64_t hash, const char *text)
{
	/* FNV-1a; the text of the claim is compared as well. The NUL is hashed, so that parts do
	 * not run together. */
	do {
		hash = (hash ^ (unsigned char)*text) * 1099511628211ull;
	} while (*text++ != '\0');
	return hash;
}

static void name_file(const char *host_pci, const char *name, char file[SDPU_CLAIM_NAME_MAX])
{
	uint64_t a = name_hash(name_hash(14695981039346656037ull, host_pci), name);
	uint64_t b = name_hash(name_hash(0x9e3779b97f4a7c15ull, name), host_pci);

	(void)snprintf(file, SDPU_CLAIM_NAME_MAX, NAME_PREFIX "%016llx%016llx",
		       (unsigned long long)a, (unsigned long long)b);
}

static int name_parse(const char *text, struct name_entry *entry)
{
	return sscanf(text, "%39s %15s %15s %399s", entry->endpoint, entry->dev, entry->host,
		      entry->name) == 4;
}

doca_error_t comch_name_claim(const char *dev_pci, const char *host_pci, const char *name,
			      struct sdpu_claim **claim)
{
	char file[SDPU_CLAIM_NAME_MAX];
	char escaped[NAME_ESCAPED_MAX];
	char text[SDPU_CLAIM_TEXT_MAX];
	doca_error_t result;

	name_escape(name, escaped);
	name_file(host_pci, name, file);
	(void)snprintf(text, sizeof(text), "%s %s %s %s", sdpu_agent_endpoint(), dev_pci, host_pci,
		       escaped);
	result = sdpu_claim_take(file, text, claim);
	if (result == DOCA_ERROR_ALREADY_EXIST)
		sdpu_log_err("doca_ctx_start: the server name \"%s\" is taken for representor %s "
			     "(runtime directory %s); needed: a free one; stop that server or "
			     "choose another name",
			     name, host_pci, sdpu_rundir_path());
	return result;
}

doca_error_t comch_name_find(const char *host_pci, const char *name,
			     char endpoint[SDPU_ENDPOINT_MAX])
{
	char file[SDPU_CLAIM_NAME_MAX];
	char escaped[NAME_ESCAPED_MAX];
	char text[SDPU_CLAIM_TEXT_MAX];
	struct name_entry entry;
	doca_error_t result;

	name_file(host_pci, name, file);
	result = sdpu_claim_read(file, text);
	if (result != DOCA_SUCCESS)
		return result;
	name_escape(name, escaped);
	if (!name_parse(text, &entry) || strcmp(entry.host, host_pci) != 0 ||
	    strcmp(entry.name, escaped) != 0)
		return DOCA_ERROR_NOT_FOUND;
	memcpy(endpoint, entry.endpoint, sizeof(entry.endpoint));
	return DOCA_SUCCESS;
}

struct name_listing {
	char *text;
	size_t size;
	size_t at;
};

static void name_list_one(const char *file, const char *text, void *arg)
{
	struct name_listing *list = arg;
	struct name_entry entry;

	(void)file;
	if (!name_parse(text, &entry) || list->at + 1 >= list->size)
		return;
	list->at +=
		(size_t)snprintf(list->text + list->at, list->size - list->at, "%s\"%s\" for %s",
				 list->at == 0 ? "" : ", ", entry.name, entry.host);
}

void comch_name_list(char *text, size_t size)
{
	struct name_listing list = {text, size, 0};

	text[0] = '\0';
	(void)sdpu_claim_each(NAME_PREFIX, name_list_one, &list);
	if (list.at == 0)
		(void)snprintf(text, size, "none");
}
