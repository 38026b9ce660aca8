/* SPDX-License-Identifier: MIT */
#include "view/flux.h"

#include "base/memory.h"
#include "recording/read/tables.h"

#include <math.h>

struct flux {
    struct emission_row *sent; /* all waves', by step */
    size_t count;
    double lifetime;
    double *rate, *other; /* ∂z/∂t in the view's plane; of work */
    int64_t row;          /* the row that rate is of; −1: none */
    int at;
};

static void flux_release(void *work)
{
    struct flux *flux = work;
    memory_release(flux->sent);
    memory_release(flux->rate);
    memory_release(flux->other);
    memory_release(flux);
}

static enum status open_flux(struct view *view, struct error *error)
{
    size_t cells = (size_t)view->cut.nx * (size_t)view->cut.ny;
    struct flux *flux = memory_new(1, sizeof *flux);
    if (!flux)
        return error_memory(error);
    view->work = flux;
    view->release_work = flux_release;
    flux->row = -1;
    flux->rate = memory_new(cells, sizeof *flux->rate);
    flux->other = memory_new(cells, sizeof *flux->other);
    flux->lifetime =
        recording_setting_real(view->recording, "wave.lifetime", INFINITY);
    if (!flux->rate || !flux->other)
        return error_memory(error);
    return emissions_read(view->recording, &flux->sent, &flux->count, error);
}

/* The step of the emission that is running at `step`; −1: none. */
static int64_t emission_at(const struct view *view, int64_t step)
{
    const struct flux *flux = view->work;
    int64_t sent = -1;
    for (size_t i = 0; i < flux->count; i++)
        if (flux->sent[i].wave == view->wave && flux->sent[i].step <= step)
            sent = flux->sent[i].step;
    return sent >= 0 && (double)(step - sent) < flux->lifetime ? sent : -1;
}

/* Is the next (1) or previous (−1) step of this row recorded? */
static bool is_there(const struct view *view, int64_t row, int way)
{
    const int64_t *steps = recording_steps(view->source);
    return row + way >= 0 && row + way < recording_rows(view->source) &&
           steps[row + way] == steps[row] + way;
}

/* And is it of the same emission? */
static bool goes_on(const struct view *view, int64_t row, int way)
{
    int64_t step = recording_steps(view->source)[row];
    return is_there(view, row, way) &&
           emission_at(view, step) == emission_at(view, step + way);
}

static enum status read_rate(struct view *view, int64_t row,
                             struct error *error)
{
    struct flux *flux = view->work;
    size_t cells = (size_t)view->cut.nx * (size_t)view->cut.ny;
    bool before = goes_on(view, row, -1), after = goes_on(view, row, 1);
    if (!is_there(view, row, -1) && !is_there(view, row, 1))
        return error_set(error, STATUS_INPUT,
                         "%s: flux requires two consecutive steps, and there "
                         "are none at step %lld; record with record.every = 1",
                         recording_path(view->recording),
                         (long long)recording_steps(view->recording)[row]);
    flux->row = -1;
    enum status status =
        view_read_wave(view, "", row - before, flux->other, error);
    if (!status)
        status = view_read_wave(view, "", row + after, flux->rate, error);
    double steps = before + after;
    for (size_t i = 0; i < cells && !status; i++)
        flux->rate[i] =
            steps > 0 ? (flux->rate[i] - flux->other[i]) / steps : (double)NAN;
    flux->row = status ? -1 : row;
    flux->at = view->cut.at;
    return status;
}

enum status flux_read_component(struct view *view, int axis, int64_t row,
                                double *plane, struct error *error)
{
    size_t cells = (size_t)view->cut.nx * (size_t)view->cut.ny;
    enum status status = view->work ? STATUS_OK : open_flux(view, error);
    const struct flux *flux = view->work;
    if (!status && (flux->row != row || flux->at != view->cut.at))
        status = read_rate(view, row, error);
    if (!status)
        status = view_read_gradient(view, axis, row, plane, error);
    for (size_t i = 0; i < cells && !status; i++)
        plane[i] *= -flux->rate[i];
    return status;
}
