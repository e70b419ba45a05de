/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/refuse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"

doca_error_t sdpu_null_told(const char *call, const char *names, ...)
{
	char found[160] = "";
	size_t used = 0, len, num = 0;
	const char *name = names;
	va_list ap;

	va_start(ap, names);
	while (*name != '\0' && used < sizeof(found)) {
		len = strcspn(name, ",");
		if (va_arg(ap, const void *) == NULL)
			used += (size_t)snprintf(found + used, sizeof(found) - used, "%s%.*s",
						 num++ != 0 ? " and " : "", (int)len, name);
		name += len + strspn(name + len, ", ");
	}
	va_end(ap);
	sdpu_log_err(
		"%s: %s %s NULL; needed: %s for %s; look at the result of the call that was to "
		"make it, or give the address of a variable",
		call, found, num > 1 ? "are" : "is",
		strchr(names, ',') != NULL ? "pointers" : "a pointer", names);
	return DOCA_ERROR_INVALID_VALUE;
}

bool sdpu_zero_told(const char *call, const char *name)
{
	sdpu_log_err("%s: %s is 0; needed: at least 1", call, name);
	return true;
}

doca_error_t sdpu_no_memory(const char *call)
{
	sdpu_log_err("%s: no memory of the process is left; needed: room for one more object; "
		     "destroy what is not used, or raise its limits (ulimit -v, cgroup)",
		     call);
	return DOCA_ERROR_NO_MEMORY;
}
