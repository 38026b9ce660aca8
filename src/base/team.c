/* SPDX-License-Identifier: MIT */
#include "base/team.h"

#include "base/memory.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <unistd.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

struct member {
    struct team *team;
    int index;
    pthread_t thread;
};

struct team {
    pthread_mutex_t mutex;
    pthread_cond_t start;
    pthread_cond_t done;
    uint64_t round; /* rises when there is work */
    int busy;       /* members still at this round's work */
    bool quit;
    bool flush;
    int threads;
    int started; /* threads to join */
    void (*work)(void *context, int thread, int threads);
    void *context;
    struct member members[];
};

bool denormals_flush(bool flush)
{
#if defined(__SSE2__)
    enum { FLUSH_TO_ZERO = 0x8000, DENORMALS_ARE_ZERO = 0x0040 };
    unsigned mode = _mm_getcsr();
    unsigned both = FLUSH_TO_ZERO | DENORMALS_ARE_ZERO;
    _mm_setcsr(flush ? mode | both : mode & ~both);
    return (mode & both) == both;
#elif defined(__aarch64__)
    uint64_t mode, flush_to_zero = 1u << 24;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    uint64_t wanted = flush ? mode | flush_to_zero : mode & ~flush_to_zero;
    __asm__ volatile("msr fpcr, %0" : : "r"(wanted));
    return (mode & flush_to_zero) != 0;
#else
    return false;
#endif
}

static void *member_main(void *argument)
{
    struct member *member = argument;
    struct team *team = member->team;
    denormals_flush(team->flush);
    uint64_t seen = 0;
    pthread_mutex_lock(&team->mutex);
    for (;;) {
        while (team->round == seen && !team->quit)
            pthread_cond_wait(&team->start, &team->mutex);
        if (team->quit)
            break;
        seen = team->round;
        pthread_mutex_unlock(&team->mutex);
        team->work(team->context, member->index, team->threads);
        pthread_mutex_lock(&team->mutex);
        if (--team->busy == 0)
            pthread_cond_signal(&team->done);
    }
    pthread_mutex_unlock(&team->mutex);
    return NULL;
}

enum status team_new(int threads, bool flush_denormals, struct team **team,
                     struct error *error)
{
    struct team *made =
        memory_new(1, sizeof *made + (size_t)threads * sizeof made->members[0]);
    if (!made)
        return error_memory(error);
    pthread_mutex_init(&made->mutex, NULL);
    pthread_cond_init(&made->start, NULL);
    pthread_cond_init(&made->done, NULL);
    made->threads = threads;
    made->flush = flush_denormals;
    for (int i = 1; i < threads; i++) {
        struct member *member = &made->members[i];
        *member = (struct member){ .team = made, .index = i };
        int code = pthread_create(&member->thread, NULL, member_main, member);
        if (code) {
            errno = code;
            enum status status =
                error_system(error, STATUS_FAILED,
                             "cannot start thread %d of %d", i + 1, threads);
            team_release(made);
            return status;
        }
        made->started = i;
    }
    *team = made;
    return STATUS_OK;
}

void team_release(struct team *team)
{
    if (!team)
        return;
    pthread_mutex_lock(&team->mutex);
    team->quit = true;
    pthread_cond_broadcast(&team->start);
    pthread_mutex_unlock(&team->mutex);
    for (int i = 1; i <= team->started; i++)
        pthread_join(team->members[i].thread, NULL);
    pthread_cond_destroy(&team->done);
    pthread_cond_destroy(&team->start);
    pthread_mutex_destroy(&team->mutex);
    memory_release(team);
}

int team_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    /* A machine of more processors than the set has bits. */
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : (int)online;
}

int team_threads(const struct team *team)
{
    return team ? team->threads : 1;
}

void team_run(struct team *team,
              void (*work)(void *context, int thread, int threads),
              void *context)
{
    if (!team) {
        work(context, 0, 1);
        return;
    }
    bool before = denormals_flush(team->flush);
    if (team->threads > 1) {
        pthread_mutex_lock(&team->mutex);
        team->work = work;
        team->context = context;
        team->busy = team->threads - 1;
        team->round++;
        pthread_cond_broadcast(&team->start);
        pthread_mutex_unlock(&team->mutex);
    }
    work(context, 0, team->threads);
    if (team->threads > 1) {
        pthread_mutex_lock(&team->mutex);
        while (team->busy > 0)
            pthread_cond_wait(&team->done, &team->mutex);
        pthread_mutex_unlock(&team->mutex);
    }
    denormals_flush(before);
}

void team_share(size_t count, int thread, int threads, size_t *first,
                size_t *last)
{
    size_t part = count / (size_t)threads, rest = count % (size_t)threads;
    size_t index = (size_t)thread;
    *first = part * index + (index < rest ? index : rest);
    *last = *first + part + (index < rest);
}
