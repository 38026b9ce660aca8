/* SPDX-License-Identifier: MIT */
/* Ctrl-C and other signals: a program that makes files removes incomplete ones
 * before it ends by the signal. The signals are SIGINT, SIGTERM and SIGHUP,
 * except one that is ignored when the program starts. */
#ifndef HAMON_CLI_INTERRUPT_H
#define HAMON_CLI_INTERRUPT_H

#include "base/status.h"

#include <signal.h>

/* *set becomes these signals. */
void interrupt_signals(sigset_t *set);

/* From now on these signals are only recorded. */
void interrupt_watch(void);

/* The signal received, or 0. */
int interrupt_number(void);

/* STATUS_FAILED if one was received: call it between pieces of work. */
enum status interrupt_check(struct error *error);

/* From now on these signals remove the files that disk_create made, and end the
 * program at once: for programs that compute for long between two calls. */
void interrupt_remove(void);

/* As interrupt_remove, but after interrupt_watch only for SIGPIPE: the
 * temporary recordings are removed too (cli/temporary.h). */
void interrupt_guard(void);

/* Removes the temporary recordings, and ends the program by the signal, blocked
 * or not, so that the shell or make that started it can see the cause. */
void interrupt_die(int number);

/* Ends the program by the received signal; returns the code if there was none,
 * or if the code is 0: the signal was too late, and the output is complete.
 * Call it after the incomplete files are removed. */
int interrupt_end(int code);

#endif
