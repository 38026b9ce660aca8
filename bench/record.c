/* SPDX-License-Identifier: MIT */
/* The cost of recording: a run that records every row (or keyframes), beside
 * the same steps without a recording, with each generation visible, and with
 * write(2) of the same bytes, a row a call, into a file reserved in the same
 * manner, without and with one fdatasync at its end. All in one run, in turn;
 * medians over the rounds, in seconds, and of the rounds' ratios to the bare
 * run, and to the larger of it and the writing.
 * usage: record [ROUNDS] [FOLDER] [COURSE…] (numbers from 0) */
#include "base/disk.h"
#include "base/memory.h"
#include "clock.h"
#include "run/run.h"
#include "run/simulate.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ROUNDS = 99, WAYS = 4, COLUMNS = WAYS + 3 };

static const struct course {
    int nx, ny, nz, steps;
    const char *fields;
    int keyframes;
} courses[] = {
    { 200, 200, 1, 2500, "\"amplitude\"", 0 },
    { 512, 512, 1, 400, "\"amplitude\"", 0 },
    { 1024, 1024, 1, 100, "\"amplitude\"", 0 },
    { 128, 128, 128, 50, "\"amplitude\"", 0 },
    { 512, 512, 1, 130, "\"amplitude\", \"gradient\"", 0 },
    { 128, 128, 128, 15, "\"amplitude\", \"gradient\"", 0 },
    { 512, 512, 1, 4000, "\"amplitude\"", 32 },
    { 512, 512, 1, 8000, "\"amplitude\"", 128 },
};

static void hold(enum status status, const struct error *error)
{
    if (!status)
        return;
    fprintf(stderr, "%s\n", error->message);
    exit(EXIT_FAILURE);
}

/* An empty map; the wave fills it from the first step. */
static void write_map(const struct course *course, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        exit(EXIT_FAILURE);
    if (course->nz > 1)
        fprintf(file, "voxel %d %d %d\n0 0 0\n", course->nx, course->ny,
                course->nz);
    else
        fprintf(file, "type octile\nheight %d\nwidth %d\nmap\n", course->ny,
                course->nx);
    for (int y = 0; y < course->ny && course->nz == 1; y++) {
        for (int x = 0; x < course->nx; x++)
            fputc('.', file);
        fputc('\n', file);
    }
    fclose(file);
}

static struct scenario *scenario_of(const struct course *course,
                                    const char *map)
{
    char text[8192];
    struct scenario *scenario;
    struct error error;
    snprintf(text, sizeof text,
             "steps = %d; map = { file = \"%s\"; };\n"
             "wave = { count = 1; lifetime = 100000; source = \"gaussian\"; "
             "sigma = %d.0; %s };\n"
             "target = { at = [%d, %d%s]; };\n"
             "record = { fields = (%s); keyframes = %d; };\n",
             course->steps, map, course->nx / 2,
             course->nz > 1 ? "stencil = \"7-point\"; delta = 0.2;" : "",
             course->nx / 2, course->ny / 2, course->nz > 1 ? ", 64" : "",
             course->fields, course->keyframes);
    hold(scenario_parse(text, "bench.cfg", NULL, 0, &scenario, &error), &error);
    return scenario;
}

static double time_bare(const struct scenario *scenario)
{
    struct simulation *simulation;
    struct error error;
    hold(simulation_new(scenario, 1, &simulation, &error), &error);
    double begun = clock_seconds(CLOCK_MONOTONIC);
    hold(simulation_begin(simulation, &error), &error);
    while (!simulation_ended(simulation)) {
        hold(simulation_advance(simulation, &error), &error);
        hold(simulation_begin(simulation, &error), &error);
        simulation_newest(simulation, 0);
    }
    double took = clock_seconds(CLOCK_MONOTONIC) - begun;
    simulation_release(simulation);
    return took;
}

static double time_recording(const struct scenario *scenario, const char *path,
                             struct run_size *size)
{
    struct run_options options = { .path = path, .force = true, .threads = 1 };
    struct run *run;
    struct error error;
    bool ended = false;
    unlink(path);
    hold(run_new(scenario, &options, &run, &error), &error);
    hold(run_size(run, size, &error), &error);
    double begun = clock_seconds(CLOCK_MONOTONIC);
    hold(run_begin(run, &error), &error);
    while (!ended)
        hold(run_step(run, &ended, &error), &error);
    hold(run_close(run, RUN_DONE, NULL, &error), &error);
    double took = clock_seconds(CLOCK_MONOTONIC) - begun;
    unlink(path);
    return took;
}

/* The bytes of the recording, a row at a time. */
static double time_writing(const struct run_size *size, const char *path,
                           bool sync)
{
    size_t row = (size_t)(size->bytes / (uint64_t)size->rows);
    char *bytes = memory_new(row, 1);
    memset(bytes, 0x5a, row);
    double begun = clock_seconds(CLOCK_MONOTONIC);
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = fd >= 0 && disk_reserve(fd, size->bytes);
    for (int64_t i = 0; good && i < size->rows; i++)
        good = disk_write(fd, bytes, row, (uint64_t)i * row);
    good = good && (!sync || fdatasync(fd) == 0);
    close(fd);
    double took = clock_seconds(CLOCK_MONOTONIC) - begun;
    unlink(path);
    memory_release(bytes);
    if (!good)
        exit(EXIT_FAILURE);
    return took;
}

static void measure(const struct course *course, int rounds, const char *folder)
{
    static double took[COLUMNS][MOST_ROUNDS];
    char map[4096], path[4096];
    snprintf(map, sizeof map, "%s/bench%s", folder,
             course->nz > 1 ? ".3dmap" : ".map");
    snprintf(path, sizeof path, "%s/bench.h5", folder);
    write_map(course, map);
    struct scenario *scenario = scenario_of(course, map);
    struct run_size size;
    for (int i = 0; i < rounds; i++) {
        double bare = time_bare(scenario);
        double recording = time_recording(scenario, path, &size);
        double writing = time_writing(&size, path, false);
        double synced = time_writing(&size, path, true);
        double all[COLUMNS] = { bare,
                                writing,
                                synced,
                                recording,
                                recording / bare,
                                recording / (bare > writing ? bare : writing),
                                recording / (bare > synced ? bare : synced) };
        for (int c = 0; c < COLUMNS; c++)
            took[c][i] = all[c];
    }
    char fields[64];
    snprintf(fields, sizeof fields, course->keyframes ? "%s, K = %d" : "%s",
             course->fields, course->keyframes);
    printf("%4d x %4d x %3d %-24s %6.0f", course->nx, course->ny, course->nz,
           fields, (double)size.bytes / 1e6);
    for (int c = 0; c < COLUMNS; c++)
        printf(" %8.3f", clock_median(took[c], rounds));
    putchar('\n');
    fflush(stdout);
    unlink(map);
    scenario_release(scenario);
}

int main(int count, char **arguments)
{
    int rounds = count > 1 ? atoi(arguments[1]) : 9;
    const char *folder = count > 2 ? arguments[2] : ".";
    if (rounds < 1 || rounds > MOST_ROUNDS)
        return 2;
    printf("                   fields                       MB     bare    "
           "write   synced   record    /bare  /larger  /synced\n");
    const size_t all = sizeof courses / sizeof *courses;
    for (size_t i = 0; i < all && count <= 3; i++)
        measure(&courses[i], rounds, folder);
    for (int i = 3; i < count; i++)
        if (strtoul(arguments[i], NULL, 10) < all)
            measure(&courses[strtoul(arguments[i], NULL, 10)], rounds, folder);
    return 0;
}
