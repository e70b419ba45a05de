/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The user's wish to end. SIGINT and SIGTERM set a flag that every wait of the program looks at;
 * a second one of the same kind ends the process at once. SIGPIPE and SIGXFSZ are ignored: a
 * broken connection and a file that may not grow are error codes here, not deaths.
 */
#ifndef STORAGE_SIGNALS_H
#define STORAGE_SIGNALS_H

#include <stdbool.h>

void signals_install(void);

/* Whether the user has asked to end. */
bool signals_pending(void);

#endif
