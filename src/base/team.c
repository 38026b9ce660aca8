/* SPDX-License-Identifier: MIT */
#include "base/team.h"

#include "base/memory.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

enum { LINE = 64, NANOSECONDS = 1000000000 };

/* The state of one part of the current round: the first thread that takes it
 * does it. */
enum part { PART_DONE, PART_OPEN, PART_TAKEN };

struct member {
    struct team *team;
    int index;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    int64_t patience; /* ns to spin before it sleeps */
    atomic_bool asleep;
    _Alignas(LINE) atomic_int part; /* enum part; on a cache line of its own */
};

/* The measured times of one kind of work of about one size. The work is timed
 * on one thread, then on several; the faster of the two is used for a while. */
struct habit {
    team_work work;
    int size; /* log2 of the cells */
    bool shared, tried;
    int warm;            /* rounds left that are not timed, */
    int64_t left;        /* that are timed, */
    int64_t rounds;      /* and timed rounds so far, */
    double sum, longest; /* in ns per cell */
    double alone;        /* ns per cell on one thread */
    int lost;            /* how often in succession sharing was slower */
};

enum { HABITS = 128 };

struct team {
    struct member *members; /* 0 is the caller */
    int threads;
    int started; /* threads to join */
    int64_t patience;
    bool flush;
    bool all; /* share out all work */
    atomic_bool quit;
    atomic_bool waits; /* the caller sleeps until a taken part is done */
    pthread_mutex_t mutex;
    pthread_cond_t done;
    team_work work; /* of the current round */
    void *context;
    int parts;
    struct habit *habit; /* measured now, or NULL */
    int64_t begun;
    size_t cells;
    struct habit habits[HABITS];
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

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * NANOSECONDS + time.tv_nsec;
}

/* ---- one round ---- */

/* ns that a thread spins before it sleeps. On a free machine the wait ends
 * within microseconds. On a busy one the thread that is waited for may need
 * this processor. The minimum is about the time to be woken. */
enum { PATIENCE = 50000, PATIENCE_LEAST = 10000 };

static void breathe(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Spins until the part is in this state, for `patience` ns at most. */
static bool spin(const atomic_int *part, enum part wanted, int64_t patience)
{
    enum { ROUND = 16 };
    if (atomic_load_explicit(part, memory_order_acquire) == (int)wanted)
        return true;
    for (int64_t end = patience ? now() + patience : 0; end;) {
        for (int i = 0; i < ROUND; i++) {
            if (atomic_load_explicit(part, memory_order_acquire) == (int)wanted)
                return true;
            breathe();
        }
        if (now() >= end)
            break;
    }
    return false;
}

/* Two threads each write one variable and then read the other's. With a fence
 * between, at least one of them reads the new value, so no wake-up is lost. The
 * order of sequentially consistent accesses promises the same, but qemu 7.2
 * does not keep it for arm64's stlr and ldar. */
static void fence(void)
{
    atomic_thread_fence(memory_order_seq_cst);
}

/* Does the part unless another thread has taken it. A thread that has taken a
 * part reads this round's work and context, because the round cannot end before
 * the part is done. */
static void take(struct team *team, int index)
{
    atomic_int *part = &team->members[index].part;
    int open = PART_OPEN;
    if (atomic_load_explicit(part, memory_order_relaxed) != PART_OPEN ||
        !atomic_compare_exchange_strong(part, &open, PART_TAKEN))
        return;
    team->work(team->context, index, team->parts);
    atomic_store_explicit(part, PART_DONE, memory_order_release);
    fence();
    if (atomic_load(&team->waits)) {
        pthread_mutex_lock(&team->mutex);
        pthread_cond_signal(&team->done);
        pthread_mutex_unlock(&team->mutex);
    }
}

/* This thread's own part first, then parts that other threads have not
 * begun. */
static void take_all(struct team *team, int first)
{
    for (int index = first; index < team->threads; index++)
        take(team, index);
    for (int index = 1; index < first; index++)
        take(team, index);
}

static void sleep_until_open(struct member *member)
{
    struct team *team = member->team;
    pthread_mutex_lock(&member->mutex);
    atomic_store_explicit(&member->asleep, true, memory_order_relaxed);
    fence();
    while (atomic_load(&member->part) != PART_OPEN && !atomic_load(&team->quit))
        pthread_cond_wait(&member->wake, &member->mutex);
    atomic_store(&member->asleep, false);
    pthread_mutex_unlock(&member->mutex);
}

static void wake(struct member *member)
{
    pthread_mutex_lock(&member->mutex);
    pthread_cond_signal(&member->wake);
    pthread_mutex_unlock(&member->mutex);
}

/* A thread that spun in vain spins half as long the next time. */
static void *member_main(void *argument)
{
    struct member *member = argument;
    struct team *team = member->team;
    denormals_flush(team->flush);
    while (!atomic_load(&team->quit)) {
        if (spin(&member->part, PART_OPEN, member->patience)) {
            if (member->patience < team->patience)
                member->patience *= 2;
        } else {
            if (member->patience > PATIENCE_LEAST)
                member->patience /= 2;
            sleep_until_open(member);
        }
        take_all(team, member->index);
    }
    return NULL;
}

/* Waits for a part that another thread has taken. */
static void await(struct team *team, int index)
{
    atomic_int *part = &team->members[index].part;
    if (spin(part, PART_DONE, team->patience))
        return;
    pthread_mutex_lock(&team->mutex);
    atomic_store_explicit(&team->waits, true, memory_order_relaxed);
    fence();
    while (atomic_load(part) != PART_DONE)
        pthread_cond_wait(&team->done, &team->mutex);
    atomic_store(&team->waits, false);
    pthread_mutex_unlock(&team->mutex);
}

void team_run_parts(struct team *team, int parts, team_work work, void *context)
{
    if (!team) {
        work(context, 0, 1);
        return;
    }
    bool before = denormals_flush(team->flush);
    team->work = work;
    team->context = context;
    team->parts = parts;
    for (int index = 1; index < parts; index++) {
        struct member *member = &team->members[index];
        atomic_store_explicit(&member->part, PART_OPEN, memory_order_release);
        fence();
        if (atomic_load(&member->asleep))
            wake(member);
    }
    work(context, 0, parts);
    for (int index = parts - 1; index > 0; index--)
        take(team, index);
    for (int index = 1; index < parts; index++)
        await(team, index);
    denormals_flush(before);
}

void team_run(struct team *team, team_work work, void *context)
{
    team_run_parts(team, team_threads(team), work, context);
}

/* ---- how many threads to use ---- */

/* Sharing pays if it takes less than this part of the time on one thread. */
#define PAYS 0.95

/* Rounds that are timed on one thread and on several; the longest of each is
 * left out. WARM rounds before them are not timed: threads wake and the map
 * moves between caches. Work of LONG ns is timed in fewer rounds. */
enum { TRIES = 12, WARM = 4, TRIES_LONG = 3, WARM_LONG = 1, LONG = 500000 };

/* How long a choice is kept: ns, and a minimum of rounds. Each time that
 * sharing does not pay, one thread is kept twice as long, so that trials cost
 * less than 1 % in the end. Sharing is kept SHARED_STAY times as long, unless
 * it loses the time of STAY_ROUNDS / 2 rounds against one thread, for example
 * because another program takes a processor. */
enum { STAY = 4000000, STAY_ROUNDS = 64, SHARED_STAY = 8, LOST_MOST = 6 };

int team_worth(size_t cells, int most)
{
    size_t threads = cells / CELLS_A_THREAD;
    return threads < 1 ? 1 : threads < (size_t)most ? (int)threads : most;
}

bool team_takes_all(void)
{
    const char *threads = getenv("HAMON_THREADS");
    return threads && strcmp(threads, "all") == 0;
}

static void enter(struct habit *habit, bool shared, bool tried, int64_t rounds)
{
    habit->shared = shared;
    habit->tried = tried;
    habit->left = rounds;
    habit->rounds = 0;
    habit->sum = habit->longest = 0;
}

static void try_out(struct habit *habit, bool shared, size_t cells)
{
    const bool is_long = habit->alone * (double)cells > LONG;
    enter(habit, shared, true, is_long ? TRIES_LONG : TRIES);
    habit->warm = is_long ? WARM_LONG : WARM;
}

static void stay(struct habit *habit, bool pays, size_t cells)
{
    const double round = habit->alone * (double)cells;
    int64_t rounds = (int64_t)(STAY / (round > 1 ? round : 1));
    if (rounds < STAY_ROUNDS)
        rounds = STAY_ROUNDS;
    if (!pays && habit->lost < LOST_MOST)
        habit->lost++;
    enter(habit, pays, false,
          pays ? SHARED_STAY * rounds : rounds << (habit->lost - 1));
}

static struct habit *habit_of(struct team *team, team_work work, size_t cells)
{
    int size = 0;
    for (size_t rest = cells; rest > 1; rest /= 2)
        size++;
    const size_t place = (uintptr_t)work / 16 + (size_t)size * 31;
    struct habit *habit = &team->habits[place % HABITS];
    if (habit->work != work || habit->size != size) {
        *habit = (struct habit){ .work = work, .size = size };
        try_out(habit, false, cells);
    }
    return habit;
}

int team_begin(struct team *team, team_work work, size_t cells)
{
    if (team && team->all)
        return team->threads;
    int threads = team_worth(cells, team_threads(team));
    if (threads < 2)
        return 1;
    struct habit *habit = habit_of(team, work, cells);
    if (!habit->tried && !habit->shared) {
        if (--habit->left > 0)
            return 1; /* without reading the clock, which costs 1 % */
        try_out(habit, false, cells);
    }
    team->habit = habit;
    team->cells = cells;
    team->begun = now();
    return habit->shared ? threads : 1;
}

/* All rounds of this choice or trial are done: make the next choice. */
static void choose(struct habit *habit, size_t cells)
{
    const double mean =
        (habit->sum - habit->longest) / (double)(habit->rounds - 1);
    if (!habit->tried) { /* sharing is still faster */
        habit->lost = habit->lost > 0 ? habit->lost - 1 : 0;
        try_out(habit, false, cells);
    } else if (!habit->shared) {
        habit->alone = mean;
        try_out(habit, true, cells);
    } else {
        stay(habit, mean < PAYS * habit->alone, cells);
    }
}

void team_end(struct team *team)
{
    struct habit *habit = team ? team->habit : NULL;
    if (!habit)
        return;
    team->habit = NULL;
    if (habit->warm > 0) {
        habit->warm--;
        return;
    }
    const double taken = (double)(now() - team->begun) / (double)team->cells;
    habit->sum += taken;
    habit->longest = taken > habit->longest ? taken : habit->longest;
    habit->rounds++;
    habit->left--;
    if (!habit->tried &&
        habit->sum > habit->alone * ((double)habit->rounds + STAY_ROUNDS / 2.))
        stay(habit, false, team->cells);
    else if (habit->left <= 0)
        choose(habit, team->cells);
}

void team_step(struct team *team, size_t cells, team_work work, void *context)
{
    team_run_parts(team, team_begin(team, work, cells), work, context);
    team_end(team);
}

/* ---- a team ---- */

static void release_member(struct member *member)
{
    pthread_cond_destroy(&member->wake);
    pthread_mutex_destroy(&member->mutex);
}

enum status team_new(int threads, bool flush_denormals, struct team **team,
                     struct error *error)
{
    struct team *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    made->members = memory_new((size_t)threads, sizeof *made->members);
    if (!made->members) {
        memory_release(made);
        return error_memory(error);
    }
    pthread_mutex_init(&made->mutex, NULL);
    pthread_cond_init(&made->done, NULL);
    made->threads = threads;
    made->flush = flush_denormals;
    made->all = team_takes_all();
    /* With fewer processors than threads a spinning thread takes the processor
     * of another one. */
    made->patience = team_processors() < threads ? 0 : PATIENCE;
    for (int i = 1; i < threads; i++) {
        struct member *member = &made->members[i];
        member->team = made;
        member->index = i;
        member->patience = made->patience;
        pthread_mutex_init(&member->mutex, NULL);
        pthread_cond_init(&member->wake, NULL);
        int code = pthread_create(&member->thread, NULL, member_main, member);
        if (code) {
            errno = code;
            enum status status =
                error_system(error, STATUS_FAILED,
                             "cannot start thread %d of %d", i + 1, threads);
            release_member(member);
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
    atomic_store(&team->quit, true);
    for (int i = 1; i <= team->started; i++)
        wake(&team->members[i]);
    for (int i = 1; i <= team->started; i++) {
        pthread_join(team->members[i].thread, NULL);
        release_member(&team->members[i]);
    }
    pthread_cond_destroy(&team->done);
    pthread_mutex_destroy(&team->mutex);
    memory_release(team->members);
    memory_release(team);
}

int team_processors(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
    /* The machine has more processors than cpu_set_t has bits. */
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : (int)online;
}

int team_threads(const struct team *team)
{
    return team ? team->threads : 1;
}

void team_share(size_t count, int thread, int threads, size_t *first,
                size_t *last)
{
    size_t part = count / (size_t)threads, rest = count % (size_t)threads;
    size_t index = (size_t)thread;
    *first = part * index + (index < rest ? index : rest);
    *last = *first + part + (index < rest);
}
