/* SPDX-License-Identifier: MIT */
/* The version of this build: printed by --version and stored in every
 * recording. */
#ifndef HAMON_BASE_VERSION_H
#define HAMON_BASE_VERSION_H

extern const char hamon_version[]; /* "1.0.0" */
extern const char
    hamon_commit[]; /* git commit, with "-dirty" appended, or "unknown" */
extern const char hamon_compiler[]; /* "gcc 12.2.0" */
extern const char hamon_flags[];    /* CFLAGS of the build */

#endif
