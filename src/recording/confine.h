/* SPDX-License-Identifier: MIT */
/* A child process that looks at what anyone may have made. */
#ifndef HAMON_RECORDING_CONFINE_H
#define HAMON_RECORDING_CONFINE_H

/* Takes from this process all that it does not need: the standard streams go to
 * /dev/null, every file but *fd and *out is closed, which get other numbers,
 * and of memory and time it keeps so much that it can do no harm. Ends the
 * process where that cannot be. */
void confine(int *fd, int *out);

#endif
