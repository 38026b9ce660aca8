/* SPDX-License-Identifier: MIT */
#include "base/worker.h"

#include "base/memory.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

struct worker {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    void (*work)(void *context); /* NULL: idle */
    void *context;
    bool quit;
    pthread_t thread;
};

static void *worker_main(void *argument)
{
    struct worker *worker = argument;
    pthread_mutex_lock(&worker->mutex);
    for (;;) {
        while (!worker->work && !worker->quit)
            pthread_cond_wait(&worker->changed, &worker->mutex);
        if (!worker->work)
            break;
        pthread_mutex_unlock(&worker->mutex);
        worker->work(worker->context);
        pthread_mutex_lock(&worker->mutex);
        worker->work = NULL;
        pthread_cond_broadcast(&worker->changed);
    }
    pthread_mutex_unlock(&worker->mutex);
    return NULL;
}

static void worker_free(struct worker *worker)
{
    pthread_cond_destroy(&worker->changed);
    pthread_mutex_destroy(&worker->mutex);
    memory_release(worker);
}

enum status worker_new(struct worker **worker, struct error *error)
{
    struct worker *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    pthread_mutex_init(&made->mutex, NULL);
    pthread_cond_init(&made->changed, NULL);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int code = pthread_create(&made->thread, NULL, worker_main, made);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code) {
        worker_free(made);
        errno = code;
        return error_system(error, STATUS_FAILED, "cannot start a thread");
    }
    *worker = made;
    return STATUS_OK;
}

void worker_wait(struct worker *worker)
{
    if (!worker)
        return;
    pthread_mutex_lock(&worker->mutex);
    while (worker->work)
        pthread_cond_wait(&worker->changed, &worker->mutex);
    pthread_mutex_unlock(&worker->mutex);
}

bool worker_idle(struct worker *worker)
{
    pthread_mutex_lock(&worker->mutex);
    bool idle = !worker->work;
    pthread_mutex_unlock(&worker->mutex);
    return idle;
}

bool worker_offer(struct worker *worker, void (*work)(void *context),
                  void *context)
{
    pthread_mutex_lock(&worker->mutex);
    bool idle = !worker->work;
    if (idle) {
        worker->work = work;
        worker->context = context;
        pthread_cond_broadcast(&worker->changed);
    }
    pthread_mutex_unlock(&worker->mutex);
    return idle;
}

void worker_send(struct worker *worker, void (*work)(void *context),
                 void *context)
{
    while (!worker_offer(worker, work, context))
        worker_wait(worker);
}

void worker_release(struct worker *worker)
{
    if (!worker)
        return;
    pthread_mutex_lock(&worker->mutex);
    worker->quit = true;
    pthread_cond_broadcast(&worker->changed);
    pthread_mutex_unlock(&worker->mutex);
    pthread_join(worker->thread, NULL);
    worker_free(worker);
}
