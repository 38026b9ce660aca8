/* SPDX-License-Identifier: MIT */
/* The gain of a second thread, and the time in which two threads synchronise:
 * work shared out by the rule of base/team.h, compared with the same on one
 * thread, in turn within one run, by wall-clock time. Single steps, generations
 * that nobody reads, and the triad a[i] = s*b[i] - a[i], which is always shared
 * out. One line for each map and work: the median of the rounds' ratios, two
 * threads' rate over one's, with the lower and the upper quartile; and the
 * ratio of the medians' rates to the triad's gain. usage: threads [ROUNDS
 * [MAP]] */
#include "clock.h"
#include "course.h"

#include <stdio.h>
#include <string.h>

enum work { TRIAD, STEP, FUSED, WORKS };
enum { MOST_ROUNDS = 999, FUSE = 48 };
static const char *const work_names[WORKS] = { "triad", "step", "fused" };

#define PIECE 0.04 /* seconds */

static void nothing(void *context, int part, int parts)
{
    (void)context, (void)part, (void)parts;
}

/* Nanoseconds in which two threads synchronise, `pause` seconds after the last
 * time. */
static double meet(struct team *team, double pause, int rounds)
{
    static double taken[MOST_ROUNDS];
    for (int i = 0; i < rounds; i++) {
        double from = clock_seconds(CLOCK_MONOTONIC);
        while (clock_seconds(CLOCK_MONOTONIC) - from < pause)
            ;
        from = clock_seconds(CLOCK_MONOTONIC);
        team_run(team, nothing, NULL);
        taken[i] = 1e9 * (clock_seconds(CLOCK_MONOTONIC) - from);
    }
    return clock_median(taken, rounds);
}

static void run(struct course *course, enum work work, struct team *team)
{
    if (work == TRIAD)
        team_run(team, course_triad_share, course);
    else if (work == STEP)
        wave_step(course->wave, team);
    else
        wave_advance(course->wave, FUSE, team);
}

/* Mcell/s. */
static double rate(struct course *course, enum work work, struct team *team)
{
    const double begun = clock_seconds(CLOCK_MONOTONIC);
    double taken = 0;
    int64_t times = 0;
    for (int64_t next = 1; taken < PIECE; next *= 2) {
        for (; times < next; times++)
            run(course, work, team);
        taken = clock_seconds(CLOCK_MONOTONIC) - begun;
    }
    const int each = work == FUSED ? FUSE : 1;
    return 1e-6 * (double)grid_cells(&course->terrain.grid) * each *
           (double)times / taken;
}

static void compare(struct course *course, const char *name, struct team *team,
                    int rounds)
{
    static double one[WORKS][MOST_ROUNDS], two[WORKS][MOST_ROUNDS];
    static double gain[WORKS][MOST_ROUNDS];
    for (int i = -1; i < rounds; i++) /* the first round only warms up */
        for (int work = 0; work < WORKS; work++) {
            const int at = i < 0 ? 0 : i;
            one[work][at] = rate(course, (enum work)work, NULL);
            two[work][at] = rate(course, (enum work)work, team);
            gain[work][at] = two[work][at] / one[work][at];
        }
    for (int work = 0; work < WORKS; work++)
        clock_median(gain[work], rounds);
    const double triad = gain[TRIAD][rounds / 2];
    for (int work = 0; work < WORKS; work++) {
        const double *of = gain[work];
        printf("%-7s %-6s %7.0f %7.0f  %5.2f (%.2f ... %.2f) %5.2f\n", name,
               work_names[work], clock_median(one[work], rounds),
               clock_median(two[work], rounds), of[rounds / 2], of[rounds / 4],
               of[rounds - 1 - rounds / 4], of[rounds / 2] / triad);
    }
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 11;
    struct team *team;
    if (rounds < 1 || rounds > MOST_ROUNDS) {
        fprintf(stderr, "usage: threads [ROUNDS [MAP]], 1 to %d rounds\n",
                MOST_ROUNDS);
        return 2;
    }
    denormals_flush(true);
    if (team_new(2, true, &team, NULL))
        abort();
    printf("two threads meet in %.0f ns while they spin, ",
           meet(team, 0, MOST_ROUNDS));
    printf("in %.0f ns after .2 ms\n", meet(team, 2e-4, MOST_ROUNDS));
    printf(
        "map     work   Mcell/s: 1 2 threads  gain (quarters)   x triad's\n");
    for (int i = 0; i < COURSE_MAPS; i++) {
        struct course course;
        if (argc > 2 && strcmp(argv[2], course_maps[i].name))
            continue;
        course_open(&course, course_maps[i].dims, course_maps[i].n, NULL,
                    WALLS_FIXED);
        compare(&course, course_maps[i].name, team, rounds);
        course_close(&course);
    }
    team_release(team);
    return 0;
}
