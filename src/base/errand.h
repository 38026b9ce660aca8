/* SPDX-License-Identifier: MIT */
/* A thread beside the caller's that does one piece of work at a time. */
#ifndef HAMON_BASE_ERRAND_H
#define HAMON_BASE_ERRAND_H

#include "base/status.h"

#include <stdbool.h>

struct errand;

/* Starts the thread; signals are left to others. Release with errand_release.
 */
enum status errand_new(struct errand **errand, struct error *error);

/* Waits for the work at hand, ends the thread and frees it. */
void errand_release(struct errand *errand);

/* Waits for the work at hand, then gives the thread `work(context)` and returns
 * at once. */
void errand_send(struct errand *errand, void (*work)(void *context),
                 void *context);

/* The same where the thread is idle; false, and nothing given, where it is at
 * work. */
bool errand_offer(struct errand *errand, void (*work)(void *context),
                  void *context);

/* Is there no work at hand? */
bool errand_idle(struct errand *errand);

/* Waits until there is no work at hand. errand may be NULL: there is none. */
void errand_wait(struct errand *errand);

#endif
