/* SPDX-License-Identifier: MIT */
#include "base/errand.h"

#include "base/memory.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

struct errand {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    void (*work)(void *context); /* NULL: idle */
    void *context;
    bool quit;
    pthread_t thread;
};

static void *errand_main(void *argument)
{
    struct errand *errand = argument;
    pthread_mutex_lock(&errand->mutex);
    for (;;) {
        while (!errand->work && !errand->quit)
            pthread_cond_wait(&errand->changed, &errand->mutex);
        if (!errand->work)
            break;
        pthread_mutex_unlock(&errand->mutex);
        errand->work(errand->context);
        pthread_mutex_lock(&errand->mutex);
        errand->work = NULL;
        pthread_cond_broadcast(&errand->changed);
    }
    pthread_mutex_unlock(&errand->mutex);
    return NULL;
}

static void errand_free(struct errand *errand)
{
    pthread_cond_destroy(&errand->changed);
    pthread_mutex_destroy(&errand->mutex);
    memory_release(errand);
}

enum status errand_new(struct errand **errand, struct error *error)
{
    struct errand *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    pthread_mutex_init(&made->mutex, NULL);
    pthread_cond_init(&made->changed, NULL);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int code = pthread_create(&made->thread, NULL, errand_main, made);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (code) {
        errand_free(made);
        errno = code;
        return error_system(error, STATUS_FAILED, "cannot start a thread");
    }
    *errand = made;
    return STATUS_OK;
}

void errand_wait(struct errand *errand)
{
    if (!errand)
        return;
    pthread_mutex_lock(&errand->mutex);
    while (errand->work)
        pthread_cond_wait(&errand->changed, &errand->mutex);
    pthread_mutex_unlock(&errand->mutex);
}

bool errand_idle(struct errand *errand)
{
    pthread_mutex_lock(&errand->mutex);
    bool idle = !errand->work;
    pthread_mutex_unlock(&errand->mutex);
    return idle;
}

bool errand_offer(struct errand *errand, void (*work)(void *context),
                  void *context)
{
    pthread_mutex_lock(&errand->mutex);
    bool idle = !errand->work;
    if (idle) {
        errand->work = work;
        errand->context = context;
        pthread_cond_broadcast(&errand->changed);
    }
    pthread_mutex_unlock(&errand->mutex);
    return idle;
}

void errand_send(struct errand *errand, void (*work)(void *context),
                 void *context)
{
    while (!errand_offer(errand, work, context))
        errand_wait(errand);
}

void errand_release(struct errand *errand)
{
    if (!errand)
        return;
    pthread_mutex_lock(&errand->mutex);
    errand->quit = true;
    pthread_cond_broadcast(&errand->changed);
    pthread_mutex_unlock(&errand->mutex);
    pthread_join(errand->thread, NULL);
    errand_free(errand);
}
