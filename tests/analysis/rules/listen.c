/* SPDX-License-Identifier: MIT */
#include "tests/analysis/rules/chase.h"

#include "analysis/check/law.h"
#include "analysis/check/settings.h"
#include "base/memory.h"
#include "base/team.h"
#include "recording/read/tables.h"
#include "wave/arrival/detector.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the arrivals of the table ---- */

enum {
    ARRIVAL_AGENT,
    ARRIVAL_WAVE,
    ARRIVAL_STEP,
    ARRIVAL_AMPLITUDE,
    ARRIVAL_GRADIENT,
    ARRIVAL_HEADING = ARRIVAL_GRADIENT + GRID_AXES,
    ARRIVAL_COLUMNS = ARRIVAL_HEADING + GRID_AXES
};

static const char *const columns[ARRIVAL_COLUMNS] = {
    "arrivals/agent",      "arrivals/wave",       "arrivals/step",
    "arrivals/amplitude",  "arrivals/gradient_x", "arrivals/gradient_y",
    "arrivals/gradient_z", "arrivals/heading_x",  "arrivals/heading_y",
    "arrivals/heading_z",
};

struct listening {
    struct chase chase;
    struct law law;
    struct ground ground;
    const struct arrival_settings *arrival;
    double *column[ARRIVAL_COLUMNS];
    size_t rows, next;
    struct emission_row *emissions;
    size_t emission_count, emitted; /* emitted: those up to the row before */
    int waves;
    int64_t *since;  /* (waves): its emission at the row before; −1 */
    bool *reacted;   /* (waves, agents): to that emission */
    int64_t *newest; /* (agents): emission reacted to, −1 */
    double *field;   /* (cells) */
    size_t version;  /* version in ground */
    struct finding *finding;
};

static enum status listening_init(struct listening *l,
                                  const struct recording *recording,
                                  const struct scenario *scenario,
                                  struct finding *finding, struct error *error)
{
    *l = (struct listening){ .arrival = &scenario->arrival,
                             .waves = recording_waves(recording),
                             .finding = finding,
                             .version = SIZE_MAX };
    const size_t waves = (size_t)l->waves;
    enum status status = chase_init(&l->chase, recording, scenario, error);
    if (!status)
        status = law_read(recording, &l->law, error);
    if (!status)
        status =
            emissions_read(recording, &l->emissions, &l->emission_count, error);
    int64_t rows = recording_table_rows(recording, "arrivals");
    l->rows = rows > 0 ? (size_t)rows : 0;
    for (int i = 0; i < ARRIVAL_COLUMNS && l->rows && !status; i++)
        if (recording_find(recording, columns[i]))
            status = table_column_read(recording, columns[i], l->rows,
                                       &l->column[i], error);
    if (status)
        return status;
    l->since = memory_new(waves, sizeof *l->since);
    l->reacted = memory_new(waves * (l->chase.count + 1), sizeof *l->reacted);
    l->newest = memory_new(l->chase.count, sizeof *l->newest);
    if (!l->since || !l->reacted || !l->newest)
        return error_memory(error);
    for (size_t i = 0; i < waves; i++)
        l->since[i] = -1;
    for (size_t i = 0; i < l->chase.count; i++)
        l->newest[i] = -1;
    return STATUS_OK;
}

static void listening_release(struct listening *l)
{
    chase_release(&l->chase);
    ground_release(&l->ground);
    for (int i = 0; i < ARRIVAL_COLUMNS; i++)
        memory_release(l->column[i]);
    memory_release(l->emissions);
    memory_release(l->since);
    memory_release(l->reacted);
    memory_release(l->newest);
    memory_release(l->field);
}

/* A value of the i-th row of the table; 0 for a component that 2D lacks. */
static double value_of(const struct listening *l, int column, size_t i)
{
    return l->column[column] ? l->column[column][i] : 0;
}

/* ---- one position ---- */

/* The field at an agent: bilinear over the free nodes round it, the weights
 * renormalised; or of the nearest cell, if each arrival restarts the wave. */
struct sample {
    double amplitude, gradient[GRID_AXES];
    double size; /* the largest |z| of the nodes, and of their slopes */
    double slope;
};

static void add_node(const struct listening *l, size_t cell, double weight,
                     struct sample *sample)
{
    sample->amplitude += weight * l->field[cell];
    sample->size = fmax(sample->size, fabs(l->field[cell]));
    for (int axis = 0; axis < l->law.grid.dims; axis++) {
        double slope = law_gradient(&l->law, &l->ground, l->field, cell, axis);
        sample->gradient[axis] += weight * slope;
        sample->slope = fmax(sample->slope, fabs(slope));
    }
}

static void take_sample(const struct listening *l, const double at[GRID_AXES],
                        bool nearest, struct sample *sample)
{
    const struct grid *grid = &l->law.grid;
    double total = 0, weights[8];
    size_t cells[8];
    int count = 0, low[GRID_AXES];
    *sample = (struct sample){ 0 };
    if (nearest) {
        add_node(l, grid_nearest(grid, at), 1, sample);
        return;
    }
    for (int axis = 0; axis < GRID_AXES; axis++)
        low[axis] = (int)floor(at[axis]);
    for (int corner = 0; corner < 8; corner++) {
        int node[GRID_AXES];
        double weight = 1;
        for (int axis = 0; axis < GRID_AXES; axis++) {
            int upper = corner >> axis & 1;
            double part = at[axis] - low[axis];
            node[axis] = low[axis] + upper;
            weight *= upper ? part : 1 - part;
        }
        if (weight == 0 || !grid_holds(grid, node[0], node[1], node[2]))
            continue;
        size_t cell = grid_index(grid, node[0], node[1], node[2]);
        if (l->ground.wall[cell])
            continue;
        cells[count] = cell;
        weights[count++] = weight;
        total += weight;
    }
    for (int i = 0; i < count; i++)
        add_node(l, cells[i], weights[i] / total, sample);
}

/* ---- one wave at one step ---- */

/* The amplitude that its detector requires at this age; 0: not known. */
static double level_of(const struct listening *l, int64_t age)
{
    return l->arrival->detector->level
               ? l->arrival->detector->level(l->arrival, l->law.amplitude, age)
               : 0;
}

static bool heading_of(const double gradient[GRID_AXES], double sign,
                       double heading[GRID_AXES])
{
    double largest = 0, square = 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        largest = fmax(largest, fabs(gradient[axis]));
    if (!(largest > 0) || isinf(largest))
        return false;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        heading[axis] = sign * (gradient[axis] / largest);
        square += heading[axis] * heading[axis];
    }
    for (int axis = 0; axis < GRID_AXES; axis++)
        heading[axis] /= sqrt(square);
    return true;
}

/* The row of the table at this step, or −1. */
static ptrdiff_t find_arrival(const struct listening *l, size_t agent, int wave,
                              int64_t step)
{
    for (size_t i = l->next;
         i < l->rows && l->column[ARRIVAL_STEP][i] == (double)step; i++)
        if (l->column[ARRIVAL_AGENT][i] == (double)agent &&
            l->column[ARRIVAL_WAVE][i] == wave &&
            l->chase.setting[agent]->method == METHOD_WAVE)
            return (ptrdiff_t)i;
    return -1;
}

static bool is_lost(const struct listening *l, size_t row)
{
    bool any = value_of(l, ARRIVAL_AMPLITUDE, row) != 0;
    for (int axis = 0; axis < GRID_AXES; axis++)
        any = any || value_of(l, ARRIVAL_HEADING + axis, row) != 0;
    return !any;
}

/* Compares an arrival in the table with the recorded field. */
static void check_arrival(struct listening *l, size_t row,
                          const struct sample *sample, double level,
                          const struct spot *spot)
{
    /* For a few products and sums in the run's precision. */
    const double part = 32 * law_roundoff(&l->law);
    const double least = l->law.single ? 0x1p-148 : 0x1p-1073;
    double z = value_of(l, ARRIVAL_AMPLITUDE, row);
    finding_within(l->finding, fabs(z - sample->amplitude),
                   part * sample->size + least, spot);
    if (level > 0)
        finding_within(l->finding, fmax(level - fabs(z), 0), 0, spot);
    for (int axis = 0; axis < l->law.grid.dims; axis++)
        finding_within(l->finding,
                       fabs(value_of(l, ARRIVAL_GRADIENT + axis, row) -
                            sample->gradient[axis]),
                       part * sample->slope + least, spot);
}

/* One agent, at its position in the row before. */
static void check_agent(struct listening *l, int wave, size_t agent,
                        const struct spot *spot)
{
    const int64_t age = spot->step - l->since[wave];
    bool *reacted = &l->reacted[(size_t)wave * l->chase.count + agent];
    double place[GRID_AXES];
    if (*reacted || l->chase.state[1][agent] == AGENT_CAPTURED)
        return;
    if (l->arrival->ignore_older && l->newest[agent] > l->since[wave])
        return;
    struct sample sample;
    chase_place(&l->chase, 1, (int)agent, place);
    take_sample(l, place, l->chase.scenario->wave.restart == RESTART_ON_ARRIVAL,
                &sample);
    ptrdiff_t row = find_arrival(l, agent, wave, spot->step);
    const double level = level_of(l, age);
    if (row >= 0 && !is_lost(l, (size_t)row)) {
        check_arrival(l, (size_t)row, &sample, level, spot);
        return;
    }
    /* No arrival is missing: below the level, or without a direction. */
    double heading[GRID_AXES];
    bool would = level > 0 && fabs(sample.amplitude) > level * (1 + 0x1p-20) &&
                 heading_of(sample.gradient, 1, heading);
    if (level > 0)
        finding_within(l->finding, would, 0, spot);
}

/* The field of the row over the whole map; false if it cannot be read. */
static bool read_field(struct listening *l, int wave, int64_t row)
{
    const struct recording *recording = l->chase.recording;
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d", wave);
    const struct variable *variable = recording_find(recording, name);
    return variable &&
           !recording_read_real(recording, variable, row, l->field, NULL);
}

/* Is the row of this step the field that was received in it? Not if the wave
 * was emitted again or the map changed at that step. */
static bool is_received(const struct listening *l, int wave, int64_t step)
{
    const struct recording *recording = l->chase.recording;
    for (size_t i = l->emitted; i < l->emission_count; i++)
        if (l->emissions[i].wave == wave && l->emissions[i].step == step)
            return false;
    return l->since[wave] >= 0 && recording_version_at(recording, step) ==
                                      recording_version_at(recording, step - 1);
}

static enum status check_wave(struct listening *l, int wave, int64_t row,
                              struct error *error)
{
    const int64_t step = l->chase.step[0];
    const size_t version = recording_version_at(l->chase.recording, step - 1);
    const int64_t age = step - l->since[wave];
    if (l->since[wave] < 0 ||
        age > detector_lifetime(l->arrival->detector, &l->chase.scenario->wave))
        return STATUS_OK;
    if (!is_received(l, wave, step) || !read_field(l, wave, row)) {
        finding_skip(l->finding, (int64_t)l->chase.count,
                     "the wave was sent again, or the map changed");
        return STATUS_OK;
    }
    if (version != l->version) {
        enum status status = ground_read(l->chase.recording, &l->law, version,
                                         &l->ground, error);
        if (status)
            return status;
        l->version = version;
    }
    bool was = denormals_flush(l->law.flush);
    for (size_t i = 0; i < l->chase.count; i++)
        if (l->chase.setting[i]->method == METHOD_WAVE)
            check_agent(l, wave, i, &(struct spot){ wave, (int)i, step, -1 });
    denormals_flush(was);
    return STATUS_OK;
}

/* ---- the rows ---- */

/* Notes the reactions of agents at this step, and its emissions. */
static void take_step(struct listening *l, int64_t step)
{
    for (; l->next < l->rows && l->column[ARRIVAL_STEP][l->next] <= step;
         l->next++) {
        double agent = l->column[ARRIVAL_AGENT][l->next];
        double wave = l->column[ARRIVAL_WAVE][l->next];
        if (!(agent >= 0 && agent < (double)l->chase.count && wave >= 0 &&
              wave < l->waves) ||
            is_lost(l, l->next))
            continue;
        int64_t since = l->since[(size_t)wave];
        l->reacted[(size_t)wave * l->chase.count + (size_t)agent] = true;
        if (since > l->newest[(size_t)agent])
            l->newest[(size_t)agent] = since;
    }
    for (; l->emitted < l->emission_count &&
           l->emissions[l->emitted].step <= step;
         l->emitted++) {
        int wave = l->emissions[l->emitted].wave;
        if (wave >= l->waves)
            continue;
        l->since[wave] = l->emissions[l->emitted].step;
        for (size_t i = 0; i < l->chase.count; i++)
            l->reacted[(size_t)wave * l->chase.count + i] = false;
    }
}

static enum status check_rows(struct listening *l, struct error *error)
{
    const struct recording *recording = l->chase.recording;
    ground_init(&l->law, &l->ground);
    enum status status = STATUS_OK;
    l->field = memory_new(grid_cells(&l->law.grid), sizeof *l->field);
    if (!status && !l->field)
        status = error_memory(error);
    for (int64_t row = 0; row < recording_rows(recording) && !status; row++) {
        chase_read(&l->chase, row);
        if (chase_is_next(&l->chase)) {
            take_step(l, l->chase.step[0] - 1);
            for (int i = 0; i < l->waves && !status; i++)
                status = check_wave(l, i, row, error);
        } else if (l->chase.step[0] > 0) {
            finding_skip(l->finding, (int64_t)l->chase.count,
                         "needs a row for every step: record.every");
        }
        take_step(l, recording_steps(recording)[row]);
    }
    return status;
}

/* The direction of the table's own gradient, for any recorded fields. */
static void check_directions(struct listening *l)
{
    const enum heading_rule rule = l->arrival->heading;
    const bool own = l->arrival->detector->own_wave;
    if (!own && (rule == HEADING_FLUX || rule == HEADING_ARRIVAL_TIME))
        return;
    for (size_t i = 0; i < l->rows; i++) {
        double gradient[GRID_AXES], heading[GRID_AXES];
        double agent = l->column[ARRIVAL_AGENT][i];
        if (!(agent >= 0 && agent < (double)l->chase.count) ||
            l->chase.setting[(size_t)agent]->method != METHOD_WAVE ||
            is_lost(l, i))
            continue;
        const struct spot spot = { -1, (int)agent,
                                   (int64_t)l->column[ARRIVAL_STEP][i], -1 };
        for (int axis = 0; axis < GRID_AXES; axis++)
            gradient[axis] = value_of(l, ARRIVAL_GRADIENT + axis, i);
        bool turned = !own && rule == HEADING_SIGNED &&
                      value_of(l, ARRIVAL_AMPLITUDE, i) < 0;
        bool any = heading_of(gradient, turned ? -1 : 1, heading);
        for (int axis = 0; axis < GRID_AXES; axis++)
            finding_within(l->finding,
                           any ? fabs(heading[axis] -
                                      value_of(l, ARRIVAL_HEADING + axis, i))
                               : 1,
                           1e-12, &spot);
    }
}

/* What the recording does not show, or NULL. */
static const char *hidden(const struct listening *l)
{
    const struct recording *recording = l->chase.recording;
    const struct box all = grid_box(&l->law.grid);
    const struct box region = recording_region(recording);
    if (!l->chase.count)
        return "no agents are recorded";
    if (l->arrival->detector->own_wave)
        return "the detector has its own wave: see the replay";
    if (!recording_find(recording, "wave0"))
        return "no amplitude is recorded";
    if (recording_keep_bits(recording))
        return "waves were rounded when packed";
    if (memcmp(&all, &region, sizeof all) != 0)
        return "only a region is recorded";
    if (l->arrival->heading == HEADING_FLUX)
        return "flux closes an arrival later than it is detected";
    return NULL;
}

enum status check_listening(const struct recording *recording,
                            const struct scenario *scenario,
                            struct check_report *report, struct error *error)
{
    struct finding *finding = &report->finding[CHECK_LISTENED];
    struct listening l;
    if (!scenario->has_wave) {
        finding_skip(finding, 0, "there are no waves");
        return STATUS_OK;
    }
    enum status status =
        listening_init(&l, recording, scenario, finding, error);
    const char *why = status ? NULL : hidden(&l);
    if (!status && l.chase.count)
        check_directions(&l);
    if (why)
        finding_skip(finding, (int64_t)l.rows, "%s", why);
    else if (!status)
        status = check_rows(&l, error);
    if (!finding->looked)
        finding_skip(finding, 0, "there are no arrivals");
    listening_release(&l);
    return status;
}
