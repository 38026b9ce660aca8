/* SPDX-License-Identifier: MIT */
/* What sources add to a wave, for the page's script. */
#include "tools/report/report.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/real.h"
#include "base/team.h"
#include "recording/read/tables.h"
#include "view/replay_inputs.h"
#include "wave/edges.h"
#include "wave/medium.h"
#include "wave/mode.h"
#include "wave/wave.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double report_wave_cells(const struct report_run *run)
{
    const struct grid *grid = recording_grid(run->recording);
    double extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    for (int side = 0; side < DIRECTIONS; side++)
        extent[side / 2] += run->open >> side & 1 ? EDGE_DEPTH : 0;
    return extent[0] * extent[1] * extent[2];
}

size_t report_sort_once(double *values, size_t count)
{
    size_t kept = 0;
    qsort(values, count, sizeof *values, real_compare);
    for (size_t i = 0; i < count; i++)
        if (!kept || values[kept - 1] < values[i])
            values[kept++] = values[i];
    return kept;
}

/* Tables because exp() of browsers has other bits; they are taken from a wave
 * on a small map, so they are what the recorder's arithmetic makes of them. */
struct table {
    struct terrain terrain;
    struct medium *medium;
    struct wave *wave;
    size_t cells, item; /* bytes of a value */
};

static enum status table_open(struct table *table, const int size[GRID_AXES],
                              double speed, struct wave_settings *settings,
                              struct error *error)
{
    const struct grid grid = { settings->stencil->dims, size[0], size[1],
                               size[2] };
    *table = (struct table){ .cells = grid_cells(&grid) };
    enum status status = terrain_init(&table->terrain, &grid, error);
    if (!status && speed != 1)
        status = terrain_prepare(&table->terrain, CHANGE_SPEED, error);
    for (size_t i = 0; i < table->cells && !status && speed != 1; i++)
        table->terrain.speed[i] = speed;
    settings->speed_form = FORM_C2_LAPLACIAN;
    settings->has_edges = true;
    settings->edges = 0;
    if (!status)
        status = medium_new(&table->terrain, settings, &table->medium, error);
    if (!status)
        status = wave_new(table->medium, &table->wave, error);
    if (!status)
        table->item = wave_field_bytes(table->medium) / table->cells;
    return status;
}

static void table_release(struct table *table)
{
    wave_release(table->wave);
    medium_release(table->medium);
    terrain_release(&table->terrain);
}

static void put_table(struct json *json, struct words *words, double speed,
                      const int size[GRID_AXES], const void *values,
                      size_t count, size_t item)
{
    json_object(json, NULL);
    json_real(json, "speed", speed);
    json_array(json, "size");
    for (int axis = 0; axis < GRID_AXES; axis++)
        json_whole(json, NULL, size[axis]);
    json_array_end(json);
    json_whole(json, "count", (int64_t)count);
    json_object_end(json);
    words_add(words, values, count * item / sizeof(int32_t));
}

/* Of a gaussian: its values at distances on each axis, from 0 to where they
 * are 0. */
static enum status put_gaussian(struct json *json, struct words *words,
                                const struct report_run *run,
                                struct wave_settings *settings,
                                struct error *error)
{
    const struct grid *grid = recording_grid(run->recording);
    const double bits = settings->precision == PRECISION_SINGLE ? 105 : 746;
    const double reach =
        settings->sigma *
        sqrt(2 * fmax(log(fabs(settings->amplitude)) + bits, 0));
    const int far = (int)fmin(reach + 2, 1e6);
    const int size[GRID_AXES] = { far < grid->nx ? far : grid->nx,
                                  far < grid->ny ? far : grid->ny,
                                  far < grid->nz ? far : grid->nz };
    struct table table;
    enum status status = table_open(&table, size, 1, settings, error);
    if (!status) {
        void *values = need_memory(table.cells, table.item);
        wave_emit(table.wave, 0, 0);
        wave_copy(table.wave, values, NULL);
        put_table(json, words, 1, size, values, table.cells, table.item);
        memory_release(values);
    }
    table_release(&table);
    return status;
}

/* Of a ricker or signal source at a cell of this speed: what it adds at each
 * age, up to where that remains 0. */
static enum status put_added(struct json *json, struct words *words,
                             const struct report_run *run, double speed,
                             struct wave_settings *settings,
                             struct error *error)
{
    const int size[GRID_AXES] = { 3, 3, settings->stencil->dims == 3 ? 3 : 1 };
    const size_t ages = (size_t)report_last(run) + 1;
    struct table table;
    enum status status = table_open(&table, size, speed, settings, error);
    if (status) {
        table_release(&table);
        return status;
    }
    const size_t middle = table.cells / 2;
    char *values = need_memory(ages, table.item);
    char *field = need_memory(table.cells, table.item);
    char *zero = need_memory(table.cells, table.item);
    const bool was = denormals_flush(settings->flush_denormals);
    size_t count = 1;
    for (size_t age = 1; age < ages; age++) {
        wave_load(table.wave, zero, zero, 0, (int64_t)middle, (int64_t)age - 1);
        wave_step(table.wave, NULL);
        wave_copy(table.wave, field, NULL);
        memcpy(values + age * table.item, field + middle * table.item,
               table.item);
        if (wave_value(table.wave, middle) != 0)
            count = age + 1;
    }
    denormals_flush(was);
    put_table(json, words, speed, size, values, count, table.item);
    memory_release(values);
    memory_release(field);
    memory_release(zero);
    table_release(&table);
    return status;
}

/* Of a mode: both cross-sections, what is added in each by age, and the mode by
 * cell along the axes across; all as doubles. */
static enum status put_mode(struct json *json, struct words *words,
                            const struct report_run *run,
                            const struct wave_settings *settings,
                            struct error *error)
{
    const struct grid *grid = recording_grid(run->recording);
    const int along = settings->toward / 2;
    const size_t ages = (size_t)settings->ages;
    struct medium *medium = NULL;
    struct terrain terrain;
    struct box sections[2];
    enum status status = terrain_init(&terrain, grid, error);
    if (!status)
        status = medium_new(&terrain, settings, &medium, error);
    wave_source_sections(settings, sections);
    json_array(json, "sections");
    for (int i = 0; i < 2 && !status; i++) {
        report_put_box(json, NULL, &sections[i]);
        words_add_doubles(words, mode_source_levels(medium->mode, i), ages);
    }
    json_array_end(json);
    json_whole(json, "ages", (int64_t)ages);
    json_array(json, "across");
    for (int i = 0; i < grid->dims - 1 && !status; i++) {
        const int axis = i + (along <= i);
        json_whole(json, NULL, axis);
        words_add_doubles(words, mode_source_shape(medium->mode, i),
                          box_width(&sections[1], axis));
    }
    json_array_end(json);
    medium_release(medium);
    terrain_release(&terrain);
    return status;
}

enum status report_source_put(struct json *json, struct words *words,
                              const struct report_run *run,
                              const struct emission_row *sent, size_t count,
                              const double *speed, struct error *error)
{
    struct wave_settings settings;
    const size_t cells = grid_cells(recording_grid(run->recording));
    const size_t versions =
        recording_version_at(run->recording, report_last(run)) + 1;
    enum status status = replay_wave_settings(run->proof, &settings, error);
    json_array(json, "tables");
    if (!status && settings.source == SOURCE_GAUSSIAN)
        status = put_gaussian(json, words, run, &settings, error);
    if (!status && settings.source == SOURCE_SIGNAL)
        status = put_added(json, words, run, 1, &settings, error);
    if (!status && settings.source == SOURCE_RICKER) {
        double *each = need_memory(count * versions + 1, sizeof *each);
        size_t kinds = 1;
        each[0] = 1;
        if (speed)
            for (kinds = 0; kinds < count * versions; kinds++)
                each[kinds] =
                    speed[kinds / count * cells + sent[kinds % count].cell];
        kinds = report_sort_once(each, kinds);
        for (size_t i = 0; i < kinds && !status; i++)
            status = put_added(json, words, run, each[i], &settings, error);
        memory_release(each);
    }
    json_array_end(json);
    if (!status && settings.source == SOURCE_MODE)
        status = put_mode(json, words, run, &settings, error);
    return status;
}
