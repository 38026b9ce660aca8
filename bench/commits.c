/* SPDX-License-Identifier: MIT */
/* The cost of commits without fdatasync: 256 x 256 cells, a row a step, with a
 * commit every 10 steps and with only the last one, in turn; the median of the
 * rounds' ratios, and of both in seconds. No data is sent to the disk on either
 * side: fdatasync, and sync_file_range, which starts it between commits, are
 * replaced by empty functions of this program.
 * usage: commits [ROUNDS] [FOLDER] */
#include "clock.h"
#include "run/run.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ROUNDS = 99, SIDE = 256, STEPS = 1000, EVERY = 10 };

int fdatasync(int fd)
{
    return 0;
}

int sync_file_range(int fd, off64_t offset, off64_t bytes, unsigned int flags)
{
    return 0;
}

static void hold(enum status status, const struct error *error)
{
    if (!status)
        return;
    fprintf(stderr, "%s\n", error->message);
    exit(EXIT_FAILURE);
}

static void write_map(const char *path)
{
    char row[SIDE + 1];
    FILE *file = fopen(path, "w");
    if (!file)
        exit(EXIT_FAILURE);
    memset(row, '.', SIDE);
    row[SIDE] = '\0';
    fprintf(file, "type octile\nheight %d\nwidth %d\nmap\n", SIDE, SIDE);
    for (int y = 0; y < SIDE; y++)
        fprintf(file, "%s\n", row);
    fclose(file);
}

/* An open map with a wave and a pursuer that does not reach the target. */
static double time_run(const char *map, const char *path, int commit)
{
    char text[4096];
    struct scenario *scenario;
    struct run_options options = { .path = path, .force = true, .threads = 1 };
    struct run *run;
    struct error error;
    bool ended = false;
    snprintf(text, sizeof text,
             "steps = %d; map = { file = \"%s\"; };\n"
             "wave = { count = 1; lifetime = 100000; };\n"
             "target = { at = [128, 128]; };\n"
             "agents = ( { at = [1, 1]; speed = 0.01; } );\n"
             "record = { fields = (\"amplitude\", \"agents\"); commit = %d; };",
             STEPS, map, commit);
    hold(scenario_parse(text, "bench.cfg", NULL, 0, &scenario, &error), &error);
    unlink(path);
    hold(run_new(scenario, &options, &run, &error), &error);
    double begun = clock_seconds(CLOCK_MONOTONIC);
    hold(run_begin(run, &error), &error);
    while (!ended)
        hold(run_step(run, &ended, &error), &error);
    hold(run_close(run, RUN_DONE, NULL, &error), &error);
    double took = clock_seconds(CLOCK_MONOTONIC) - begun;
    unlink(path);
    scenario_release(scenario);
    return took;
}

int main(int count, char **arguments)
{
    static double with[MOST_ROUNDS], without[MOST_ROUNDS], ratio[MOST_ROUNDS];
    int rounds = count > 1 ? atoi(arguments[1]) : 9;
    const char *folder = count > 2 ? arguments[2] : ".";
    char map[4096], path[4096];
    if (rounds < 1 || rounds > MOST_ROUNDS)
        return 2;
    snprintf(map, sizeof map, "%s/bench.map", folder);
    snprintf(path, sizeof path, "%s/bench.h5", folder);
    write_map(map);
    for (int i = 0; i < rounds; i++) {
        bool first = i % 2 == 0;
        if (first)
            with[i] = time_run(map, path, EVERY);
        without[i] = time_run(map, path, STEPS + 1);
        if (!first)
            with[i] = time_run(map, path, EVERY);
        ratio[i] = with[i] / without[i];
    }
    unlink(map);
    printf("a commit every %d steps %.3f s, none %.3f s, ratio %.3f\n", EVERY,
           clock_median(with, rounds), clock_median(without, rounds),
           clock_median(ratio, rounds));
    return 0;
}
