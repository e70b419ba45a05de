/* SPDX-License-Identifier: BSD-3-Clause */
#include <doca_version.h>
#include <softdpu.h>

const char *doca_version_runtime(void)
{
	return DOCA_VER_STRING;
}

const char *softdpu_version(void)
{
	return "0.1.0";
}
