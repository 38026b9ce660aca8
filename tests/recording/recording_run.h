/* SPDX-License-Identifier: MIT */
/* Records a run of known values, and compares them with what is read back. */
#ifndef HAMON_TESTS_RECORDING_RECORDING_RUN_H
#define HAMON_TESTS_RECORDING_RECORDING_RUN_H

#include "tests/suite.h"

#include "base/memory.h"
#include "recording/read/recording.h"
#include "recording/write/recorder.h"

#include <dirent.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { RUN_WAVES = 2, RUN_AGENTS = 3, RUN_RESTART_BYTES = 777 };

struct run {
    struct recording_plan plan;
    struct terrain terrain;
    void *amplitude[RUN_WAVES], *gradient[GRID_AXES][RUN_WAVES];
    int32_t *arrival;
    /* The fields of rows 1, 2, … repeat with period twins + 1; all rows of this
     * run are as row 0. */
    struct run *twin;
    int twins;
};

static int64_t run_version_steps[] = { 0, 4 };
static const char *const run_names[] = { "A", "Bob", "\xc3\x89mile" };
static const char *const run_methods[] = { "wave", "lee", "dijkstra" };
static const struct recording_text run_texts[] = {
    { "scenario", "steps = 12;\n" },
    { "parameters",
      "wave.delta = 0.25\nwave.walls = \"fixed\"\n"
      "no setting\ntitle = \"\nscale.cell = 0.5\nscale.step = 0.25\nseed = 7" },
    { "empty", "" },
};

/* Values that differ for every variable, wave, axis, row and cell. */
static inline double run_value(int kind, int wave, int64_t row, size_t i)
{
    return 1 + kind * 0.5 + wave * 1000.0 + (double)row * 0.03125 +
           (double)i * 0.25;
}

static inline void run_init(struct run *run, int dims, enum element_type real,
                            bool cut, int64_t every)
{
    struct grid grid;
    *run = (struct run){ 0 };
    ck_assert_int_eq(grid_make(dims, 11, 7, dims == 3 ? 4 : 1, &grid, NULL),
                     STATUS_OK);
    struct box region = grid_box(&grid);
    if (cut) {
        region.low[0] = 2;
        region.high[0] = 8;
        region.low[1] = region.high[1] = 3;
        region.low[2] = dims == 3 ? 1 : 0;
    }
    run->plan = (struct recording_plan){
        .title = "A run of known values",
        .grid = grid,
        .region = region,
        .real = real,
        .waves = RUN_WAVES,
        .amplitude = true,
        .gradient = true,
        .arrival = true,
        .steps = 12,
        .every = every,
        .version_steps = run_version_steps,
        .versions = 2,
        .speed = true,
        .cost = true,
        .one_way = true,
        .agents = RUN_AGENTS,
        .agent_names = run_names,
        .agent_methods = run_methods,
        .target = true,
        .emissions = 30,
        .arrivals = 30,
        .captures = 2,
        .plans = 30,
        .plan_cells = 90,
        .restart_bytes = RUN_RESTART_BYTES,
        .cell_metres = 0.5,
        .step_seconds = 0.25,
        .texts = run_texts,
        .text_count = 3,
    };
    size_t cells = grid_cells(&grid);
    run->terrain = (struct terrain){
        .grid = grid,
        .wall = memory_new(cells, 1),
        .speed = memory_new(cells, sizeof(double)),
        .one_way = memory_new(cells, 1), /* no cost: reads as 1 */
    };
    for (int wave = 0; wave < RUN_WAVES; wave++) {
        run->amplitude[wave] = memory_new(cells, sizeof(double));
        for (int axis = 0; axis < GRID_AXES; axis++)
            run->gradient[axis][wave] = memory_new(cells, sizeof(double));
    }
    run->arrival = memory_new(cells, sizeof *run->arrival);
}

static inline void run_release(struct run *run)
{
    for (int wave = 0; wave < RUN_WAVES; wave++) {
        memory_release(run->amplitude[wave]);
        for (int axis = 0; axis < GRID_AXES; axis++)
            memory_release(run->gradient[axis][wave]);
    }
    memory_release(run->terrain.wall);
    memory_release(run->terrain.speed);
    memory_release(run->terrain.one_way);
    memory_release(run->arrival);
}

static inline int64_t run_rows(const struct run *run)
{
    return run->plan.steps / run->plan.every + 1;
}

static inline void run_fill(const struct run *run, void *field, int kind,
                            int wave, int64_t row)
{
    for (size_t i = 0; i < grid_cells(&run->plan.grid); i++)
        if (run->plan.real == TYPE_FLOAT32)
            ((float *)field)[i] = (float)run_value(kind, wave, row, i);
        else
            ((double *)field)[i] = run_value(kind, wave, row, i);
}

static inline enum status run_terrain(struct run *run,
                                      struct recorder *recorder, size_t version,
                                      struct error *error)
{
    for (size_t i = 0; i < grid_cells(&run->plan.grid); i++) {
        run->terrain.wall[i] = (i + version) % 3 == 0;
        run->terrain.speed[i] = 0.5 + (double)version + (double)i;
        run->terrain.one_way[i] = (uint8_t)((i + version) % 7);
    }
    return recorder_terrain(recorder, version, &run->terrain, error);
}

static inline enum status run_row(struct run *run, struct recorder *recorder,
                                  int64_t row, struct error *error)
{
    double at[GRID_AXES][RUN_AGENTS], heading[GRID_AXES][RUN_AGENTS];
    int8_t state[RUN_AGENTS];
    int64_t set = row % (run->twins + 1), step = row * run->plan.every;
    if (set)
        run = &run->twin[set - 1];
    struct recording_fields fields = {
        .step = step < run->plan.steps ? step : run->plan.steps,
        .amplitude = (const void *const *)run->amplitude,
        .agent_state = state,
        .target_state = (int8_t)(row % 4),
    };
    for (int axis = 0; axis < GRID_AXES; axis++) {
        for (size_t a = 0; a < RUN_AGENTS; a++) {
            at[axis][a] = run_value(10 + axis, 0, row, a);
            heading[axis][a] = run_value(20 + axis, 0, row, a);
            state[a] = (int8_t)((row + (int64_t)a) % 4);
        }
        fields.gradient[axis] = (const void *const *)run->gradient[axis];
        fields.agent_at[axis] = at[axis];
        fields.agent_heading[axis] = heading[axis];
        fields.target_at[axis] = run_value(30 + axis, 0, row, 0);
        fields.target_heading[axis] = run_value(40 + axis, 0, row, 0);
    }
    for (int wave = 0; wave < RUN_WAVES; wave++) {
        run_fill(run, run->amplitude[wave], 0, wave, row);
        for (int axis = 0; axis < GRID_AXES; axis++)
            run_fill(run, run->gradient[axis][wave], 1 + axis, wave, row);
    }
    return recorder_row(recorder, row, &fields, error);
}

/* Adds a row to every table but captures for each frame of the run. */
static inline enum status run_tables(const struct run *run,
                                     struct recorder *recorder, int64_t row,
                                     struct error *error)
{
    int64_t step = row * run->plan.every;
    int32_t path[] = { (int32_t)row, 5, 12 };
    struct recorded_arrival arrival = {
        .agent = (int)(row % RUN_AGENTS),
        .wave = (int)(row % RUN_WAVES),
        .step = step,
        .quantity = (enum arrival_quantity)(row % QUANTITIES),
        .amplitude = run_value(50, 0, row, 0),
        .gradient = { run_value(51, 0, row, 0), 2, 3 },
        .heading = { run_value(52, 0, row, 0), 0.5, -0.25 },
    };
    struct recorded_plan plan = { .agent = 1,
                                  .step = step,
                                  .expansions = 100 + row,
                                  .nanoseconds = 7,
                                  .path = path,
                                  .path_cells = 1 + (size_t)(row % 3) };
    enum status status = recorder_emission(recorder, (int)(row % RUN_WAVES),
                                           step, (size_t)row + 20, error);
    if (!status)
        status = recorder_arrival(recorder, &arrival, error);
    return status ? status : recorder_plan(recorder, &plan, error);
}

static inline void run_state_bytes(int64_t rows, unsigned char *state)
{
    for (size_t i = 0; i < RUN_RESTART_BYTES; i++)
        state[i] = (unsigned char)(i * 3 + (size_t)rows);
}

static inline enum status run_commit(struct run *run, struct recorder *recorder,
                                     int64_t rows, struct error *error)
{
    unsigned char state[RUN_RESTART_BYTES];
    enum status status = STATUS_OK;
    run_state_bytes(rows, state);
    for (size_t i = 0; i < grid_cells(&run->plan.grid); i++)
        run->arrival[i] = (int64_t)i < rows ? (int32_t)i : -1;
    for (int wave = 0; wave < RUN_WAVES && !status; wave++)
        status = recorder_arrival_field(recorder, wave, run->arrival, error);
    return status ? status : recorder_commit(recorder, rows, state, error);
}

/* Records rows from … to − 1, with a commit every `commit` rows; *committed is
 * the last commit. */
static inline enum status run_go(struct run *run, struct recorder *recorder,
                                 int64_t from, int64_t to, int64_t commit,
                                 volatile int64_t *committed,
                                 struct error *error)
{
    enum status status = STATUS_OK;
    for (int64_t row = from; row < to && !status; row++) {
        for (size_t version = 0; version < 2 && !status; version++)
            if (run_version_steps[version] <= row * run->plan.every &&
                (row == 0 ||
                 run_version_steps[version] > (row - 1) * run->plan.every))
                status = run_terrain(run, recorder, version, error);
        if (!status)
            status = run_row(run, recorder, row, error);
        if (!status)
            status = run_tables(run, recorder, row, error);
        if (!status && ((row + 1) % commit == 0 || row + 1 == to)) {
            status = run_commit(run, recorder, row + 1, error);
            if (!status && committed)
                *committed = row + 1;
        }
    }
    return status;
}

static inline void run_record(struct run *run, const char *path, int64_t rows,
                              enum run_state state)
{
    struct recorder *recorder;
    struct error error;
    char note[ERROR_MESSAGE_SIZE];
    ck_assert_msg(!recorder_create(path, &run->plan, false, &recorder, &error),
                  "%s", error.message);
    ck_assert_msg(!run_go(run, recorder, 0, rows, 5, NULL, &error), "%s",
                  error.message);
    ck_assert_int_eq(recorder_close(recorder, state, note, &error), STATUS_OK);
    ck_assert_str_eq(note, "");
}

/* The cell in the whole grid of element i of a field. */
static inline size_t run_cell(const struct run *run, size_t i)
{
    const struct box *box = &run->plan.region;
    size_t nx = (size_t)(box->high[0] - box->low[0] + 1);
    size_t ny = (size_t)(box->high[1] - box->low[1] + 1);
    return grid_index(&run->plan.grid, box->low[0] + (int)(i % nx),
                      box->low[1] + (int)(i / nx % ny),
                      box->low[2] + (int)(i / nx / ny));
}

static inline double *run_read(const struct recording *recording,
                               const char *name, int64_t row, size_t *count)
{
    struct error error;
    const struct variable *variable = recording_find(recording, name);
    ck_assert_msg(variable != NULL, "%s", name);
    *count = variable_elements(variable);
    double *values = memory_new(*count, sizeof *values);
    ck_assert_msg(
        !recording_read_real(recording, variable, row, values, &error), "%s",
        error.message);
    return values;
}

static inline void run_check_field(const struct run *run,
                                   const struct recording *recording, int kind,
                                   int wave, int64_t row)
{
    size_t count;
    char name[32];
    snprintf(name, sizeof name, kind ? "wave%d_grad_%c" : "wave%d", wave,
             "?xyz"[kind]);
    double *values = run_read(recording, name, row, &count);
    const struct box *box = &run->plan.region;
    ck_assert_uint_eq(count, (size_t)(box->high[0] - box->low[0] + 1) *
                                 (size_t)(box->high[1] - box->low[1] + 1) *
                                 (size_t)(box->high[2] - box->low[2] + 1));
    for (size_t i = 0; i < count; i++) {
        double wanted = run_value(kind, wave, row, run_cell(run, i));
        if (run->plan.real == TYPE_FLOAT32)
            wanted = (double)(float)wanted;
        ck_assert_double_eq(values[i], wanted);
    }
    memory_release(values);
}

static inline void run_check_agents(const struct recording *recording, int axis,
                                    int64_t row)
{
    static const struct {
        const char *name;
        int kind;
        size_t count;
    } all[] = { { "agents/%c", 10, RUN_AGENTS },
                { "agents/heading_%c", 20, RUN_AGENTS },
                { "target/%c", 30, 1 },
                { "target/heading_%c", 40, 1 } };
    for (size_t k = 0; k < 4; k++) {
        char name[32];
        size_t count, tail = strlen(all[k].name) - 2;
        snprintf(name, sizeof name, "%.*s%c", (int)tail, all[k].name,
                 "xyz"[axis]);
        double *values = run_read(recording, name, row, &count);
        ck_assert_uint_eq(count, all[k].count);
        for (size_t a = 0; a < count; a++)
            ck_assert_double_eq(values[a],
                                run_value(all[k].kind + axis, 0, row, a));
        memory_release(values);
    }
}

static inline void run_check_states(const struct recording *recording,
                                    int64_t row)
{
    size_t count;
    double *states = run_read(recording, "agents/state", row, &count);
    for (size_t a = 0; a < RUN_AGENTS; a++)
        ck_assert_double_eq(states[a], (double)((row + (int64_t)a) % 4));
    memory_release(states);
    states = run_read(recording, "target/state", row, &count);
    ck_assert_double_eq(states[0], (double)(row % 4));
    memory_release(states);
}

/* Every row that the recording contains equals the recorded one. */
static inline void run_check_rows(const struct run *run,
                                  const struct recording *recording)
{
    for (int64_t row = 0; row < recording_rows(recording); row++) {
        ck_assert_int_eq(recording_steps(recording)[row],
                         row * run->plan.every);
        for (int wave = 0; wave < RUN_WAVES; wave++)
            for (int kind = 0; kind <= run->plan.grid.dims; kind++)
                run_check_field(run, recording, kind, wave, row);
        for (int axis = 0; axis < run->plan.grid.dims; axis++)
            run_check_agents(recording, axis, row);
        run_check_states(recording, row);
    }
}

static inline void run_check_column(
    const struct recording *recording, const char *name, int64_t rows,
    double (*wanted)(const struct run *run, int64_t row), const struct run *run)
{
    size_t count;
    double *values = run_read(recording, name, 0, &count);
    ck_assert_int_ge((int64_t)count, rows);
    for (int64_t row = 0; row < rows; row++)
        ck_assert_double_eq(values[row], wanted(run, row));
    /* else it is not marked yet */
    if (recording_state(recording) != RUN_RUNNING)
        for (size_t row = (size_t)rows; row < count; row++)
            ck_assert(values[row] == -1 || isnan(values[row]));
    memory_release(values);
}

static inline double run_step(const struct run *run, int64_t row)
{
    return (double)(row * run->plan.every);
}

static inline double run_arrival_amplitude(const struct run *run, int64_t row)
{
    return run_value(50, 0, row, 0);
}

static inline double run_arrival_quantity(const struct run *run, int64_t row)
{
    (void)run;
    return (double)(row % QUANTITIES);
}

static inline double run_arrival_heading(const struct run *run, int64_t row)
{
    return run_value(52, 0, row, 0);
}

static inline double run_emission_x(const struct run *run, int64_t row)
{
    return (double)((row + 20) % run->plan.grid.nx);
}

static inline double run_emission_y(const struct run *run, int64_t row)
{
    return (double)((row + 20) / run->plan.grid.nx % run->plan.grid.ny);
}

static inline double run_row_size(const struct run *run, int64_t row)
{
    return (double)(1 + row % 3);
}

static inline void run_check_tables(const struct run *run,
                                    const struct recording *recording)
{
    int64_t rows = recording_rows(recording);
    static const char *const tables[] = { "arrivals", "emissions", "plans" };
    for (size_t t = 0; t < 3; t++)
        ck_assert_int_eq(recording_table_rows(recording, tables[t]), rows);
    ck_assert_int_eq(recording_table_rows(recording, "captures"), 0);
    run_check_column(recording, "arrivals/step", rows, run_step, run);
    run_check_column(recording, "arrivals/amplitude", rows,
                     run_arrival_amplitude, run);
    if (recording_find(recording, "arrivals/quantity"))
        run_check_column(recording, "arrivals/quantity", rows,
                         run_arrival_quantity, run);
    run_check_column(recording, "arrivals/heading_x", rows, run_arrival_heading,
                     run);
    run_check_column(recording, "emissions/x", rows, run_emission_x, run);
    run_check_column(recording, "emissions/y", rows, run_emission_y, run);
    run_check_column(recording, "plans/row_size", rows, run_row_size, run);
    run_check_column(recording, "captures/step", 0, run_step, run);
}

/* The folder of one test, which must be empty at its end. */
struct folder {
    char path[64], file[96];
};

static inline void folder_make(struct folder *folder)
{
    snprintf(folder->path, sizeof folder->path, "/tmp/hamon-test-XXXXXX");
    ck_assert(mkdtemp(folder->path) != NULL);
    snprintf(folder->file, sizeof folder->file, "%s/run.h5", folder->path);
}

static inline int folder_files(const struct folder *folder, bool remove)
{
    int count = 0;
    DIR *directory = opendir(folder->path);
    for (struct dirent *entry; (entry = readdir(directory));) {
        char path[512];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder->path, entry->d_name);
        if (remove)
            unlink(path);
        count++;
    }
    closedir(directory);
    return count;
}

static inline void folder_remove(const struct folder *folder)
{
    folder_files(folder, true);
    rmdir(folder->path);
}

static inline herr_t run_move_back(hid_t group, const char *name,
                                   const H5L_info_t *link, void *moved)
{
    static const char *const marks[] = { "crc_", "chunk_" };
    (void)link;
    for (size_t i = 0; i < 2; i++) {
        const size_t length = strlen(marks[i]);
        if (strncmp(name, marks[i], length) != 0)
            continue;
        ck_assert_int_ge(H5Lmove(group, name, group, name + length, H5P_DEFAULT,
                                 H5P_DEFAULT),
                         0);
        *(bool *)moved = true;
        return 1;
    }
    return 0;
}

/* Renames checksums and places of chunks to their names before November 2026:
 * those of their variables. */
static inline void run_old_names(const char *path)
{
    static const char *const groups[] = { "crc",        "crc/agents",
                                          "crc/target", "crc/world",
                                          "chunk",      "chunk/world" };
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    size_t count = 0;
    ck_assert_int_ge(file, 0);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        if (H5Lexists(file, groups[i], H5P_DEFAULT) <= 0)
            continue;
        hid_t group = H5Gopen2(file, groups[i], H5P_DEFAULT);
        bool moved = true; /* a group that changes must be listed again */
        for (; moved; count += moved) {
            moved = false;
            H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, run_move_back,
                       &moved);
        }
        H5Gclose(group);
    }
    ck_assert_uint_gt(count, 10);
    H5Fclose(file);
}

/* Resumes the recording at `path`. */
static inline enum status run_resume(const char *path,
                                     const struct recording_plan *plan,
                                     struct recorder **recorder, int64_t *rows,
                                     void *state, struct error *error)
{
    struct resumption *found;
    enum status status = recorder_find(path, plan, state, &found, error);
    if (status)
        return status;
    *rows = resumption_rows(found);
    return recorder_resume(found, recorder, error);
}

#endif
