/* SPDX-License-Identifier: MIT */
/* Temporary recordings, in a folder of their own in the current folder. */
#ifndef HAMON_CLI_TEMPORARY_H
#define HAMON_CLI_TEMPORARY_H

#include "base/status.h"

/* A new name .hamon-XXXXXX/BASE.h5 for a file; its folder is made. Another file
 * of the same base gets BASE-2.h5. The name belongs to this module. */
enum status temporary_name(const char *base, const char **path,
                           struct error *error);

/* Removes these files and their folder. Safe in a signal handler. */
void temporary_remove(void);

#endif
