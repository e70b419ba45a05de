/* SPDX-License-Identifier: BSD-3-Clause */
/* `softdpu version`: of softdpu, and of the API that its libraries implement. */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>

#include <doca_version.h>
#include <softdpu.h>

#include "json_out.h"
#include "options.h"

static const struct command_option options[] = {OPTION_JSON, OPTION_END};

static int version_run(const struct command *command, int argc, char **argv)
{
	struct json_object *object;
	bool as_json = false;
	int status;

	if (options_parse_flags(command, argc, argv, &as_json, &status) < 0)
		return status;
	if (!as_json) {
		printf("softdpu %s, DOCA API %s\n", softdpu_version(), doca_version_runtime());
		return EXIT_SUCCESS;
	}
	object = json_object_new_object();
	json_add_text(object, "softdpu", softdpu_version());
	json_add_text(object, "doca_api", doca_version_runtime());
	json_print(object);
	return EXIT_SUCCESS;
}

const struct command command_version = {
	.name = "version",
	.operands = "",
	.summary = "print the version",
	.example = "  softdpu version --json\n",
	.options = options,
	.run = version_run,
};
