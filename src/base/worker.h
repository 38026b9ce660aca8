/* SPDX-License-Identifier: MIT */
/* One background thread that does one piece of work at a time. */
#ifndef HAMON_BASE_WORKER_H
#define HAMON_BASE_WORKER_H

#include "base/status.h"

#include <stdbool.h>

struct worker;

/* Starts the thread, which blocks all signals. Release with worker_release. */
enum status worker_new(struct worker **worker, struct error *error);

/* Waits until the thread is idle, ends it and frees it. */
void worker_release(struct worker *worker);

/* Waits until the thread is idle, gives it `work(context)` and returns at
 * once. */
void worker_send(struct worker *worker, void (*work)(void *context),
                 void *context);

/* As worker_send, but if the thread is not idle it does nothing and returns
 * false. */
bool worker_offer(struct worker *worker, void (*work)(void *context),
                  void *context);

/* Has the thread no work? */
bool worker_idle(struct worker *worker);

/* Waits until the thread is idle. `worker` may be NULL: then it returns at
 * once. */
void worker_wait(struct worker *worker);

#endif
