/* SPDX-License-Identifier: BSD-3-Clause */
/* What somebody may have meant who wrote something else. */
#include "explain.h"

#include <ctype.h>
#include <string.h>

#define MAX_LEN 96 /* of a name; longer ones have nothing near */
#define MIN_LEN 3  /* shorter ones are part of too much */
/* In characters that a name has around the part that was written. */
#define COST_OF_EDIT 16
#define COST_OF_PART 40
#define NOT_NEAR 1000

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Characters to insert, remove or replace, until a is b; in any case. */
static size_t edits(const char *a, const char *b)
{
	size_t row[MAX_LEN + 1], corner, above, i, j, len = strlen(b);

	for (j = 0; j <= len; j++)
		row[j] = j;
	for (i = 0; a[i] != '\0'; i++) {
		corner = row[0];
		row[0] = i + 1;
		for (j = 0; j < len; j++) {
			above = row[j + 1];
			corner += tolower((unsigned char)a[i]) != tolower((unsigned char)b[j]);
			row[j + 1] = least(corner, least(above, row[j]) + 1);
			corner = above;
		}
	}
	return row[len];
}

/* How far a name is from what was written; NOT_NEAR: they have nothing in common. */
static size_t distance(const char *written, const char *name)
{
	size_t len = strlen(written), n;

	if (strlen(name) > MAX_LEN)
		return NOT_NEAR;
	n = edits(written, name);
	if (n <= len / 4)
		return n * COST_OF_EDIT;
	/* Of those that have it as a part, the shortest. */
	return strcasestr(name, written) != NULL ? COST_OF_PART + least(strlen(name) - len, 99)
						 : NOT_NEAR;
}

static size_t distance_of_topic(const char *written, const struct explain_topic *topic)
{
	const char *descr = explain_descr(topic);
	const char *brief = explain_short_name(topic);
	size_t n = least(distance(written, topic->name), distance(written, brief));

	return descr == NULL ? n : least(n, distance(written, descr));
}

struct found {
	const char **names;
	size_t n, max, distances[8];
};

static void consider(struct found *found, const char *name, size_t far)
{
	size_t i, end = found->n < found->max ? found->n : found->max - 1;

	if (far >= NOT_NEAR || (found->n == found->max && far >= found->distances[end]))
		return;
	for (i = end; i > 0 && found->distances[i - 1] > far; i--) {
		found->names[i] = found->names[i - 1];
		found->distances[i] = found->distances[i - 1];
	}
	found->names[i] = name;
	found->distances[i] = far;
	found->n = end + 1;
}

size_t explain_suggest(const char *name, const char **near, size_t max)
{
	struct found found = {.names = near, .max = least(max, 8)};
	const struct explain_topic *topic;
	const struct explain_page *page;
	char written[MAX_LEN];
	size_t len = strcspn(name, "(");

	/* "doca_pe..." and "doca_pe_*" are ways to write what begins so. */
	while (len > 0 && strchr(".*_", name[len - 1]) != NULL)
		len--;
	if (len < MIN_LEN || len >= sizeof(written) || strspn(name, "0123456789") == len)
		return 0;
	memcpy(written, name, len);
	written[len] = '\0';
	for (topic = explain_topics; topic->name != NULL; topic++)
		if (topic->kind != EXPLAIN_STATUS)
			consider(&found, topic->name, distance_of_topic(written, topic));
	for (page = explain_pages; page->name != NULL; page++)
		consider(&found, page->name, distance(written, page->name));
	return found.n;
}
