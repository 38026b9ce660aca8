/* SPDX-License-Identifier: MIT */
/* A recording of random numbers, so that all its values differ, for the tests
 * that read recordings. */
#ifndef HAMON_TESTS_VIEW_VIEW_RUN_H
#define HAMON_TESTS_VIEW_VIEW_RUN_H

#include "base/memory.h"
#include "base/random.h"
#include "recording/write/recorder.h"
#include "tests/suite.h"
#include "view/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WAVES = 2, STEPS = 12, VERSION_STEP = 6, EMITTED = 2, AGAIN = 9 };

struct run {
    struct grid grid;
    struct box region;
    int64_t every;
    bool gradient, arrival, speed; /* with speed costs and one-way cells */
    const char *parameters;
    size_t source;
};

static char place[] = "/tmp/hamon-view-XXXXXX";
static char path[64], picture_path[64];

static inline void make_place(void)
{
    ck_assert_ptr_nonnull(mkdtemp(place));
    snprintf(path, sizeof path, "%s/run.h5", place);
    snprintf(picture_path, sizeof picture_path, "%s/run.png", place);
}

static inline void remove_place(void)
{
    unlink(path);
    unlink(picture_path);
    ck_assert_int_eq(rmdir(place), 0);
    memcpy(place + strlen(place) - 6, "XXXXXX", 6);
}

/* Other numbers and walls, for a second recording. */
static uint64_t salt;

/* The number of `what` (0 amplitude, 1 … 3 gradient) at a step and cell. */
static inline float number(int what, int wave, int64_t step, size_t cell)
{
    struct random random;
    random_seed(&random, (uint64_t)what + 10 * (uint64_t)wave +
                             100 * (uint64_t)step + 100000 * (uint64_t)cell +
                             1000000000 * salt);
    double decades = 9 * random_unit(&random);
    /* gcc 12 at -O3 omits a rounding to float if two are adjacent. */
    volatile float rounded =
        (float)((2 * random_unit(&random) - 1) * pow(10, -decades));
    return rounded;
}

static inline bool is_wall(size_t version, size_t cell)
{
    return (cell * 7 + version * 3 + (size_t)salt) % 11 < 2;
}

static inline double speed_of(size_t version, size_t cell)
{
    return .25 * (1 + (double)((cell + version) % 4));
}

static inline double cost_of(size_t version, size_t cell)
{
    return 1 + (double)((cell * 5 + version) % 7) / 2;
}

/* 0, or 1 + a direction of the grid. */
static inline uint8_t one_way_of(const struct grid *grid, size_t version,
                                 size_t cell)
{
    return (uint8_t)((cell * 3 + version) % (1 + 2 * (size_t)grid->dims));
}

static inline int32_t arrival_of(int wave, size_t cell)
{
    return (int32_t)((cell * 13 + (size_t)wave) % 97) - 1;
}

static inline void put_terrain(struct recorder *recorder, const struct run *run,
                               size_t version)
{
    struct terrain terrain = { .grid = run->grid };
    size_t cells = grid_cells(&run->grid);
    terrain.wall = memory_new(cells, 1);
    terrain.speed = memory_new(cells, sizeof *terrain.speed);
    terrain.cost = memory_new(cells, sizeof *terrain.cost);
    terrain.one_way = memory_new(cells, 1);
    for (size_t i = 0; i < cells; i++) {
        terrain.wall[i] = is_wall(version, i);
        terrain.speed[i] = speed_of(version, i);
        terrain.cost[i] = cost_of(version, i);
        terrain.one_way[i] = one_way_of(&run->grid, version, i);
    }
    ck_assert_int_eq(recorder_terrain(recorder, version, &terrain, NULL),
                     STATUS_OK);
    memory_release(terrain.wall);
    memory_release(terrain.speed);
    memory_release(terrain.cost);
    memory_release(terrain.one_way);
}

static inline void put_row(struct recorder *recorder, const struct run *run,
                           int64_t row)
{
    size_t cells = grid_cells(&run->grid);
    float *block = memory_new(cells * WAVES * 4, sizeof *block);
    const void *numbers[4][WAVES];
    for (int what = 0; what < 4; what++)
        for (int wave = 0; wave < WAVES; wave++) {
            float *to = block + (size_t)(what * WAVES + wave) * cells;
            for (size_t i = 0; i < cells; i++)
                to[i] = number(what, wave, row * run->every, i);
            numbers[what][wave] = to;
        }
    struct recording_fields given = {
        .step = row * run->every,
        .amplitude = numbers[0],
        .gradient = { numbers[1], numbers[2], numbers[3] },
    };
    ck_assert_int_eq(recorder_row(recorder, row, &given, NULL), STATUS_OK);
    memory_release(block);
}

static inline void put_arrivals(struct recorder *recorder,
                                const struct run *run)
{
    size_t cells = grid_cells(&run->grid);
    int32_t *arrival = memory_new(cells, sizeof *arrival);
    for (int wave = 0; wave < WAVES; wave++) {
        for (size_t i = 0; i < cells; i++)
            arrival[i] = arrival_of(wave, i);
        ck_assert_int_eq(recorder_arrival_field(recorder, wave, arrival, NULL),
                         STATUS_OK);
    }
    memory_release(arrival);
}

static inline struct recording *record(const struct run *run)
{
    int64_t versions[] = { 0, VERSION_STEP };
    struct recording_text texts[] = { { "parameters", run->parameters } };
    struct recording_plan plan = {
        .title = "random numbers",
        .grid = run->grid,
        .region = run->region,
        .real = TYPE_FLOAT32,
        .waves = WAVES,
        .amplitude = true,
        .gradient = run->gradient,
        .arrival = run->arrival,
        .steps = STEPS,
        .every = run->every,
        .version_steps = versions,
        .versions = 2,
        .speed = run->speed,
        .cost = run->speed,
        .one_way = run->speed,
        .emissions = 8,
        .texts = texts,
        .text_count = 1,
    };
    struct error error;
    struct recorder *recorder;
    ck_assert_msg(recorder_create(path, &plan, true, &recorder, &error) ==
                      STATUS_OK,
                  "%s", error.message);
    put_terrain(recorder, run, 0);
    put_terrain(recorder, run, 1);
    int64_t rows = STEPS / run->every + 1;
    for (int64_t row = 0; row < rows; row++)
        put_row(recorder, run, row);
    if (run->arrival)
        put_arrivals(recorder, run);
    recorder_emission(recorder, 0, 0, 0, NULL);
    recorder_emission(recorder, 1, EMITTED, run->source, NULL);
    recorder_emission(recorder, 1, AGAIN, run->source, NULL);
    ck_assert_int_eq(recorder_commit(recorder, rows, NULL, NULL), STATUS_OK);
    ck_assert_int_eq(recorder_close(recorder, RUN_DONE, NULL, NULL), STATUS_OK);
    struct recording *recording;
    ck_assert_msg(recording_open(path, &recording, &error) == STATUS_OK, "%s",
                  error.message);
    return recording;
}

static const struct run flat = {
    .grid = { 2, 17, 11, 1 },
    .region = { { 3, 2, 0 }, { 14, 8, 0 } },
    .every = 1,
    .gradient = true,
    .arrival = true,
    .speed = true,
    .parameters = "arrival.heading = \"signed\"\n",
    .source = 6 * 17 + 7,
};
static const struct run deep = {
    .grid = { 3, 7, 6, 5 },
    .region = { { 0, 0, 0 }, { 6, 5, 4 } },
    .every = 3,
    .gradient = true,
    .arrival = true,
    .speed = true,
    .parameters = "arrival.heading = \"paper\"\n",
    .source = 0,
};

static const struct view_place anywhere = { -1, 0, false };

static inline struct view *look(const struct recording *recording,
                                const char *field, int wave,
                                struct view_place at)
{
    struct error error;
    struct view *view;
    ck_assert_msg(view_open(recording, field, wave, &at, &view, &error) ==
                      STATUS_OK,
                  "%s", error.message);
    return view;
}

#endif
