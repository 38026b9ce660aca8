/* SPDX-License-Identifier: MIT */
/* The rows of each wave, read in order and shown to every oracle. */
#include "check_judge.h"

#include "base/team.h"

#include <stdio.h>

/* ---- what does not apply, and why ---- */

static void skip(struct judge *judge, enum check check, const char *why)
{
    finding_skip(&judge->finding[check], 0, "%s", why);
}

static bool wants_fronts(const struct judge *judge)
{
    return (judge->law.source == LAW_IMPULSE ||
            judge->law.source == LAW_REST) &&
           judge->law.stencil->points != 8;
}

static bool wants_energy(const struct judge *judge)
{
    return judge->law.loss == 0 && judge->law.source != LAW_RICKER &&
           judge->whole &&
           judge->ground.fastest <= judge->law.stencil->safe_delta;
}

static bool wants_radial(const struct judge *judge)
{
    return judge->law.source != LAW_GAUSSIAN && judge->whole;
}

static bool wants_arrivals(const struct judge *judge)
{
    return judge->arrival_field && judge->arrival.detector;
}

/* Of a wave of its own, which is in no row. */
static bool has_own_arrivals(const struct judge *judge)
{
    return wants_arrivals(judge) &&
           judge->arrival.detector == &detector_laplace_front;
}

static void tell_skips(struct judge *judge)
{
    const char *part = "only a region is recorded";
    if (!wants_fronts(judge)) {
        const char *why = judge->law.stencil->points == 8
                              ? "the 9-point stencil spreads over diagonals"
                              : "the source is no impulse";
        skip(judge, CHECK_SUPPORT, why);
        skip(judge, CHECK_PATHS, why);
    }
    if (!wants_energy(judge))
        skip(judge, CHECK_ENERGY,
             !judge->whole                     ? part
             : judge->law.loss > 0             ? "the wave is damped"
             : judge->law.source == LAW_RICKER ? "the source drives the wave"
                                               : "delta is over the limit");
    if (!wants_radial(judge))
        skip(judge, CHECK_RADIAL,
             judge->whole ? "the source is no single cell" : part);
    if (!judge->whole)
        skip(judge, CHECK_MIRRORS, part);
    if (!judge->gradient[0])
        skip(judge, CHECK_GRADIENT, "no gradient is recorded");
    if (!judge->arrival_field)
        skip(judge, CHECK_ARRIVAL, "no arrival field is recorded");
    else if (!wants_arrivals(judge))
        skip(judge, CHECK_ARRIVAL, "its detector is not known");
}

/* ---- rows ---- */

/* A new emission on a map that has not changed since: the front it will have,
 * and how long it runs in free space. */
static void take_up_emission(struct judge *judge, const struct wave_row *row)
{
    if (row->emitted < 0 || judge->front.emitted == row->emitted ||
        row->mapped > row->emitted)
        return;
    front_spread(&judge->front, &judge->law, &judge->ground, row->source,
                 row->emitted);
    judge->free_ages = free_ages(&judge->law, &judge->ground, row->source);
}

static void show_fronts(struct judge *judge, const struct wave_row *row)
{
    if (row->emitted < 0)
        return;
    bool still =
        judge->front.emitted == row->emitted && row->mapped <= row->emitted;
    if (!still) {
        const char *why = "the map changed while the wave ran";
        if (wants_fronts(judge)) {
            skip(judge, CHECK_SUPPORT, why);
            skip(judge, CHECK_PATHS, why);
        }
        return;
    }
    if (wants_fronts(judge))
        check_front(&judge->law, &judge->front, row,
                    &judge->finding[CHECK_SUPPORT],
                    &judge->finding[CHECK_PATHS]);
    if (wants_radial(judge))
        check_radial(&judge->law, &judge->ground, row, judge->free_ages,
                     &judge->finding[CHECK_RADIAL]);
}

static void show_gradient(struct judge *judge, const struct wave_row *row,
                          int64_t index)
{
    if (!judge->gradient[0])
        return;
    const double *gradient[GRID_AXES] = { NULL };
    for (int axis = 0; axis < judge->law.grid.dims; axis++) {
        double *packed = judge->packed[1 + axis];
        if (!judge->gradient[axis] ||
            recording_read_real(judge->recording, judge->gradient[axis], index,
                                packed, NULL))
            return;
        gradient[axis] = packed;
    }
    bool was = denormals_flush(judge->law.flush);
    check_gradient(&judge->law, &judge->ground, row, gradient,
                   &judge->finding[CHECK_GRADIENT]);
    denormals_flush(was);
}

static enum status show_stencil(struct judge *judge, const struct wave_row *row,
                                struct error *error)
{
    size_t version = recording_version_at(judge->recording, row->step);
    bool changed = version != judge->version;
    if (changed) {
        enum status status =
            walls_read(judge->recording, version, judge->wall, error);
        if (status)
            return status;
    }
    bool was = denormals_flush(judge->law.flush);
    check_stencil(&judge->law, &judge->ground,
                  changed ? judge->wall : judge->ground.wall, row,
                  &judge->finding[CHECK_STENCIL]);
    denormals_flush(was);
    if (!changed)
        return STATUS_OK;
    judge->version = version;
    return ground_read(judge->recording, &judge->law, version, &judge->ground,
                       error);
}

static enum status show_row(struct judge *judge, int64_t index,
                            struct error *error)
{
    int64_t step = recording_steps(judge->recording)[index];
    if (!judge_next(judge, index, step))
        return STATUS_OK;
    struct wave_row row = judge_row(judge, step);
    enum status status = show_stencil(judge, &row, error);
    if (status)
        return status;
    take_up_emission(judge, &row);
    show_fronts(judge, &row);
    if (wants_energy(judge))
        check_energy(&judge->law, &judge->ground, &row, &judge->energy,
                     &judge->finding[CHECK_ENERGY]);
    if (judge->whole)
        check_symmetry(&judge->law, &judge->ground, &row, &judge->symmetry,
                       &judge->finding[CHECK_MIRRORS]);
    show_gradient(judge, &row, index);
    if (wants_arrivals(judge) && !has_own_arrivals(judge)) {
        bool was = denormals_flush(judge->law.flush);
        arrivals_take(&judge->law, &judge->arrival, judge->ground.wall, &row,
                      &judge->arrivals);
        denormals_flush(was);
    }
    return STATUS_OK;
}

/* After the last row: the recorded arrival field beside the rows'. */
static enum status show_arrivals(struct judge *judge, struct error *error)
{
    int64_t rows = recording_rows(judge->recording);
    if (!wants_arrivals(judge) || rows == 0)
        return STATUS_OK;
    if (variable_elements(judge->arrival_field) != judge->region_cells)
        return error_set(
            error, STATUS_INPUT, "%s: %s: does not cover the recorded region",
            recording_path(judge->recording), judge->arrival_field->name);
    enum status status = recording_read_real(
        judge->recording, judge->arrival_field, 0, judge->packed[0], error);
    if (!status)
        check_arrivals(&judge->law, &judge->arrivals, &judge->region,
                       judge->wave, recording_steps(judge->recording)[rows - 1],
                       judge->packed[0], &judge->finding[CHECK_ARRIVAL]);
    return status;
}

/* Every check of the wave's rows. */
static void skip_rows(struct judge *judge, const char *why)
{
    for (int c = CHECK_STENCIL; c < CHECK_ARRIVAL; c++)
        skip(judge, (enum check)c, why);
    if (!has_own_arrivals(judge))
        skip(judge, CHECK_ARRIVAL, why);
}

static enum status show_rows(struct judge *judge, struct error *error)
{
    enum status status = STATUS_OK;
    tell_skips(judge);
    for (int64_t i = 0; i < recording_rows(judge->recording) && !status; i++)
        status = show_row(judge, i, error);
    return status;
}

static enum status show_wave(struct judge *judge, int wave, struct error *error)
{
    enum status status = judge_begin(judge, wave, error);
    if (status)
        return status;
    const int kept = recording_keep_bits(judge->recording);
    const bool shown = judge->amplitude && !kept;
    char why[64] = "no amplitude is recorded";
    if (judge->amplitude && kept)
        snprintf(why, sizeof why, "waves were rounded to %d bits when packed",
                 kept);
    if (shown)
        status = show_rows(judge, error);
    else
        skip_rows(judge, why);
    if (!status && has_own_arrivals(judge))
        status = judge_own_arrivals(judge, error);
    if (!status && (shown || has_own_arrivals(judge)))
        status = show_arrivals(judge, error);
    return status;
}

enum status check_waves(const struct recording *recording,
                        struct check_report *report, struct error *error)
{
    if (recording_waves(recording) == 0) {
        for (int c = CHECK_STENCIL; c <= CHECK_ARRIVAL; c++)
            finding_skip(&report->finding[c], 0,
                         recording_ran_waves(recording) ? "waves not recorded"
                                                        : "no wave runs");
        return STATUS_OK;
    }
    struct judge judge;
    enum status status = judge_init(&judge, recording, report, error);
    for (int i = 0; i < recording_waves(recording) && !status; i++)
        status = show_wave(&judge, i, error);
    judge_release(&judge);
    return status;
}
