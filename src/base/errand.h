/* SPDX-License-Identifier: MIT */
/* One background thread that does one piece of work at a time. */
#ifndef HAMON_BASE_ERRAND_H
#define HAMON_BASE_ERRAND_H

#include "base/status.h"

#include <stdbool.h>

struct errand;

/* Starts the thread, which blocks all signals. Release with errand_release. */
enum status errand_new(struct errand **errand, struct error *error);

/* Waits until the thread is idle, ends it and frees it. */
void errand_release(struct errand *errand);

/* Waits until the thread is idle, gives it `work(context)` and returns at
 * once. */
void errand_send(struct errand *errand, void (*work)(void *context),
                 void *context);

/* As errand_send, but if the thread is not idle it does nothing and returns
 * false. */
bool errand_offer(struct errand *errand, void (*work)(void *context),
                  void *context);

/* Has the thread no work? */
bool errand_idle(struct errand *errand);

/* Waits until the thread is idle. `errand` may be NULL: then it returns at
 * once. */
void errand_wait(struct errand *errand);

#endif
