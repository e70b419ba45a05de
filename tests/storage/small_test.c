/* SPDX-License-Identifier: BSD-3-Clause */
/* Small parts: consumer ids, the JSON writer, the progress line, ratios. */
#include "t.h"

#include "consumer_ids.h"
#include "json_out.h"
#include "progress.h"
#include "stats.h"
#include "timing.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct consumer_ids ids;

T_CASE(consumers_stay_in_order_of_arrival)
{
	T_EQ(consumer_ids_add(&ids, 7), CONSUMER_IDS_DONE);
	T_EQ(consumer_ids_add(&ids, 3), CONSUMER_IDS_DONE);
	T_EQ(consumer_ids_add(&ids, 5), CONSUMER_IDS_DONE);
	T_EQ(consumer_ids_add(&ids, 3), CONSUMER_IDS_DUPLICATE);
	T_EQ(ids.count, 3);
	T_EQ(consumer_ids_remove(&ids, 3), CONSUMER_IDS_DONE);
	T_EQ(consumer_ids_remove(&ids, 3), CONSUMER_IDS_UNKNOWN);
	T_EQ(ids.count, 2);
	T_EQ(ids.ids[0], 7);
	T_EQ(ids.ids[1], 5);
}

T_CASE(consumers_have_a_bound)
{
	uint32_t i;

	for (i = 0; i < CONSUMER_IDS_MAX; i++)
		T_EQ(consumer_ids_add(&ids, i + 1), CONSUMER_IDS_DONE);
	T_EQ(consumer_ids_add(&ids, 5000), CONSUMER_IDS_FULL);
}

T_CASE(json_object)
{
	char path[] = "/tmp/storage-json-XXXXXX", text[256] = "";
	int fd = mkstemp(path);
	struct json_out json;

	T_CHECK(fd >= 0);
	T_CHECK(json_out_open(&json, path));
	json_out_text(&json, "text", "a \"b\"\\\n");
	json_out_integer(&json, "count", UINT64_MAX);
	json_out_number(&json, "rate", 1.5);
	T_CHECK(json_out_close(&json));
	T_CHECK(read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	unlink(path);
	T_STREQ(text, "{\n  \"text\": \"a \\\"b\\\"\\\\\\u000a\",\n"
		      "  \"count\": 18446744073709551615,\n  \"rate\": 1.500000\n}\n");
}

T_CASE(json_that_nobody_asked_for)
{
	struct json_out json;

	T_CHECK(json_out_open(&json, ""));
	json_out_text(&json, "key", "value");
	T_CHECK(json_out_close(&json));
}

T_CASE(json_that_cannot_be_written)
{
	struct json_out json;

	T_CHECK(!json_out_open(&json, "/nowhere/at/all"));
	T_CHECK(json_out_open(&json, "/dev/full"));
	json_out_text(&json, "key", "value");
	T_CHECK(!json_out_close(&json));
}

T_CASE(progress_line)
{
	const struct progress progress = {.total = 1000, .operation_size = 1 << 20};
	char text[128];

	progress_format(&progress, 250, 2 * NSEC_PER_SEC, text, sizeof(text));
	T_STREQ(text, " 25.0 %  250 of 1000  0.1 kop/s  0.12 GiB/s  0:06 left");
	progress_format(&progress, 0, 0, text, sizeof(text));
	T_CONTAINS(text, "0 of 1000");
	progress_format(&progress, 1001, NSEC_PER_SEC, text, sizeof(text));
	T_CONTAINS(text, "0:00 left");
}

T_CASE(ratio_of_nothing)
{
	T_CHECK(stats_ratio(1, 0) == 0);
	T_CHECK(stats_ratio(0, 0) == 0);
	T_CHECK(stats_ratio(1, 2) == 0.5);
}

T_CASE(sums)
{
	const struct stats_thread threads[] = {
		{.hits = 1, .misses = 2, .operations = 3, .bytes = 4, .failures = 5},
		{.hits = 10, .misses = 20, .operations = 30, .bytes = 40, .failures = 50},
	};
	const struct stats_thread sum = stats_sum(threads, 2);

	T_EQ(sum.hits, 11);
	T_EQ(sum.misses, 22);
	T_EQ(sum.operations, 33);
	T_EQ(sum.bytes, 44);
	T_EQ(sum.failures, 55);
}
