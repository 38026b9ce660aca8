/* SPDX-License-Identifier: MIT */
#include "check_judge.h"

#include "base/memory.h"
#include "draw/arrival_run.h"

#include <stdio.h>
#include <string.h>

static bool is_whole(const struct grid *grid, const struct box *box)
{
    struct box all = grid_box(grid);
    return memcmp(&all, box, sizeof all) == 0;
}

static size_t cells_of(const struct box *box)
{
    size_t cells = 1;
    for (int axis = 0; axis < GRID_AXES; axis++)
        cells *= (size_t)(box->high[axis] - box->low[axis] + 1);
    return cells;
}

static enum status judge_memory(struct judge *judge, struct error *error)
{
    size_t cells = grid_cells(&judge->law.grid);
    bool good = true;
    for (int i = 0; i < 3; i++) {
        judge->field[i] = memory_new(cells, sizeof(double));
        good = good && judge->field[i];
    }
    for (int i = 0; i < 1 + judge->law.grid.dims; i++) {
        judge->packed[i] = memory_new(judge->region_cells, sizeof(double));
        good = good && judge->packed[i];
    }
    judge->wall = memory_new(cells, 1);
    judge->arrivals.step = memory_new(cells, sizeof *judge->arrivals.step);
    bool laplace = judge->arrival.detector == &detector_laplace;
    if (laplace)
        judge->arrivals.weighted =
            memory_new(cells, sizeof *judge->arrivals.weighted);
    if (!good || !judge->wall || !judge->arrivals.step ||
        (laplace && !judge->arrivals.weighted))
        return error_memory(error);
    enum status status = ground_init(&judge->law, &judge->ground, error);
    if (!status && judge->arrival.detector == &detector_laplace_front)
        status =
            banded_init(&judge->law, &judge->arrival, &judge->banded, error);
    if (!status)
        status = front_init(&judge->law, &judge->front, error);
    return status;
}

enum status judge_init(struct judge *judge, const struct recording *recording,
                       struct check_report *report, struct error *error)
{
    *judge = (struct judge){ .recording = recording,
                             .finding = report->finding,
                             .region = recording_region(recording) };
    enum status status = law_read(recording, &judge->law, error);
    if (!status)
        status = emissions_read(recording, &judge->emissions,
                                &judge->emission_count, error);
    if (!status)
        status = version_steps_read(recording, &judge->version_steps, error);
    if (status)
        return status;
    if (arrival_settings_of(recording, &judge->arrival, NULL))
        judge->arrival.detector = NULL;
    judge->whole = is_whole(&judge->law.grid, &judge->region);
    judge->region_cells = cells_of(&judge->region);
    return judge_memory(judge, error);
}

void judge_release(struct judge *judge)
{
    ground_release(&judge->ground);
    front_release(&judge->front);
    for (int i = 0; i < 3; i++)
        memory_release(judge->field[i]);
    for (int i = 0; i < 1 + GRID_AXES; i++)
        memory_release(judge->packed[i]);
    memory_release(judge->wall);
    memory_release(judge->arrivals.step);
    memory_release(judge->arrivals.weighted);
    banded_release(&judge->banded);
    memory_release(judge->emissions);
    memory_release(judge->version_steps);
}

/* "wave0" with `tail` behind it: "", "_arrival", "_grad_x". */
static const struct variable *find(const struct judge *judge, const char *tail)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d%s", judge->wave, tail);
    return recording_find(judge->recording, name);
}

enum status judge_begin(struct judge *judge, int wave, struct error *error)
{
    judge->wave = wave;
    judge->amplitude = find(judge, "");
    judge->arrival_field = find(judge, "_arrival");
    static const char *const tails[] = { "_grad_x", "_grad_y", "_grad_z" };
    for (int axis = 0; axis < grid_axes(&judge->law.grid); axis++)
        judge->gradient[axis] = find(judge, tails[axis]);
    judge->front.emitted = -1;
    arrivals_begin(&judge->law, &judge->arrivals);
    judge->energy = (struct energy){ .since = -1 };
    judge->symmetry = (struct symmetry){ .emitted = -1 };
    judge->version = 0;
    for (int i = 0; i < 3; i++)
        judge->known_steps[i] = -1;
    return ground_read(judge->recording, &judge->law, 0, &judge->ground, error);
}

/* A packed region into a field over the whole grid. */
static void unpack(const struct judge *judge, const double *packed,
                   double *field)
{
    const struct box *box = &judge->region;
    size_t width = (size_t)(box->high[0] - box->low[0] + 1);
    for (int z = box->low[2]; z <= box->high[2]; z++)
        for (int y = box->low[1]; y <= box->high[1]; y++) {
            memcpy(field + grid_index(&judge->law.grid, box->low[0], y, z),
                   packed, width * sizeof *packed);
            packed += width;
        }
}

bool judge_next(struct judge *judge, int64_t row, int64_t step)
{
    double *oldest = judge->field[2];
    for (int i = 2; i > 0; i--) {
        judge->field[i] = judge->field[i - 1];
        judge->known_steps[i] = judge->known_steps[i - 1];
    }
    judge->field[0] = oldest;
    judge->known_steps[0] = -1;
    if (recording_read_real(judge->recording, judge->amplitude, row,
                            judge->packed[0], NULL))
        return false;
    unpack(judge, judge->packed[0], judge->field[0]);
    judge->known_steps[0] = step;
    return true;
}

static const double *field_of_step(const struct judge *judge, int64_t step)
{
    for (int i = 0; i < 3 && step >= 0; i++)
        if (judge->known_steps[i] == step)
            return judge->field[i];
    return NULL;
}

struct wave_row judge_row(const struct judge *judge, int64_t step)
{
    struct wave_row row = {
        .wave = judge->wave,
        .step = step,
        .now = judge->field[0],
        .before = field_of_step(judge, step - 1),
        .older = field_of_step(judge, step - 2),
        .known = judge->region,
        .emitted = -1,
        .mapped =
            judge->version_steps[recording_version_at(judge->recording, step)],
    };
    for (size_t i = 0; i < judge->emission_count; i++) {
        const struct emission_row *emission = &judge->emissions[i];
        if (emission->wave != judge->wave || emission->step > step)
            continue;
        row.emitted = emission->step;
        row.source = emission->cell;
    }
    return row;
}
