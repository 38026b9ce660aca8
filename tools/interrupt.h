/* SPDX-License-Identifier: MIT */
/* Ctrl-C and its like: a program that makes files takes its parts away before
 * it ends by the signal. */
#ifndef HAMON_TOOLS_INTERRUPT_H
#define HAMON_TOOLS_INTERRUPT_H

#include "base/status.h"

/* From now on SIGINT, SIGTERM and SIGHUP (unless ignored) only leave word. */
void interrupt_watch(void);

/* STATUS_FAILED where one of them came: to be asked between pieces of work. */
enum status interrupt_check(struct error *error);

/* Ends the program by the signal that came; the code where none did. To be
 * called when all is cleared away. */
int interrupt_end(int code);

#endif
