/* SPDX-License-Identifier: MIT */
#include "draw/figure/along.h"

#include "base/memory.h"
#include "base/need.h"
#include "recording/read/tables.h"
#include "words/words.h"

#include <math.h>
#include <stdio.h>

static const uint8_t white[3] = { 255, 255, 255 }, gray[3] = { 90, 90, 90 };

/* ---- where tracks are along the line ---- */

static bool is_ended(const struct track *track, int64_t row)
{
    const enum mark mark = overlay_mark(track, row, false);
    return mark == MARK_CAPTURED || mark == MARK_STUCK;
}

static bool has_moved(const struct track *track, int64_t row)
{
    bool moved = false;
    for (int axis = 0; axis < GRID_AXES; axis++)
        moved |= track->at[axis][row] != track->at[axis][0];
    return moved;
}

static bool ever_moves(const struct track *track, int64_t rows)
{
    for (int64_t row = 1; row < rows; row++)
        if (has_moved(track, row))
            return true;
    return false;
}

static void add_mark(struct along_lines *lines, const struct track *track,
                     enum mark mark, int64_t row, int64_t step)
{
    lines->marks[lines->mark_count++] = (struct along_mark){
        mark, { track->at[0][row], track->at[1][row] }, track, step
    };
}

/* Turns a track to columns and rows, and notes its marks: two at most. */
static enum status lay_track(const struct view *view, int64_t rows,
                             struct track *track, struct along_lines *lines,
                             struct error *error)
{
    const int64_t *steps = recording_steps(view->recording);
    const bool target = track->number < 0;
    const bool stays = target && !ever_moves(track, rows);
    bool begun = false, ended = false;
    for (int64_t row = 0; row < rows; row++) {
        double place[GRID_AXES], distance;
        for (int axis = 0; axis < GRID_AXES; axis++)
            place[axis] = track->at[axis][row];
        enum status status = view_along_place(view, place, &distance, error);
        if (status)
            return status;
        const bool gone = ended || (stays && begun);
        track->at[0][row] =
            gone ? (double)NAN : view_along_column(view, distance);
        track->at[1][row] = view_along_row(view, (double)steps[row]);
        track->at[2][row] = 0;
        if (isnan(track->at[0][row]) || !(track->at[1][row] > -.5))
            continue;
        if (!begun)
            add_mark(lines, track,
                     target     ? MARK_TARGET
                     : row == 0 ? MARK_START
                                : MARK_COUNT,
                     row, steps[row]);
        begun = true;
        ended = !target && is_ended(track, row);
        if (ended)
            add_mark(lines, track, overlay_mark(track, row, false), row,
                     steps[row]);
    }
    return STATUS_OK;
}

/* The rows of the recording up to the last step of the picture. */
static int64_t rows_shown(const struct view *view)
{
    const int64_t *steps = recording_steps(view->recording);
    int64_t rows = recording_rows(view->recording);
    while (rows > 1 &&
           view_along_row(view, (double)steps[rows - 1]) >= view->cut.ny - .5)
        rows--;
    return rows;
}

static enum status lay_tracks(const struct view *view,
                              const char *const *agents, size_t agent_count,
                              struct tracks *tracks, struct along_lines *lines,
                              struct error *error)
{
    enum status status = tracks_read(view->recording, rows_shown(view), agents,
                                     agent_count, tracks, error);
    if (status)
        return status;
    lines->marks = need_memory(2 * tracks->count + 1, sizeof *lines->marks);
    for (size_t i = 0; i < tracks->count && !status; i++)
        status = lay_track(view, tracks->rows, &tracks->track[i], lines, error);
    return status;
}

/* ---- the speed of the wave ---- */

/* Of an emission; `end` is the step of the next one. */
static enum status lay_front(const struct view *view,
                             const struct emission_row *sent, double end,
                             struct along_lines *lines, struct error *error)
{
    const struct grid *grid = recording_grid(view->recording);
    const size_t nx = (size_t)grid->nx, ny = (size_t)grid->ny;
    const double place[GRID_AXES] = {
        (double)(sent->cell % nx),
        (double)(sent->cell / nx % ny),
        (double)(sent->cell / nx / ny),
    };
    const double columns = view->cut.nx - 1, begin = (double)sent->step;
    double distance;
    enum status status = view_along_place(view, place, &distance, error);
    if (status || isnan(distance))
        return status;
    const double from = view_along_column(view, distance);
    const double each = view_along_column(view, lines->speed);
    const bool right = columns - from >= from;
    const double steps =
        fmin((right ? columns - from : from) / each, fmax(end - begin, 0));
    lines->fronts[lines->front_count++] = (struct along_front){
        { from, view_along_row(view, begin) },
        { from + (right ? each : -each) * steps,
          view_along_row(view, begin + steps) },
    };
    return STATUS_OK;
}

static enum status lay_fronts(const struct view *view,
                              struct along_lines *lines, struct error *error)
{
    struct emission_row *sent = NULL;
    size_t count = 0;
    enum status status = view_along_speed(view, &lines->speed, error);
    if (status || isnan(lines->speed))
        return status;
    status = emissions_read(view->recording, &sent, &count, error);
    if (!status)
        lines->fronts = need_memory(count + 1, sizeof *lines->fronts);
    for (size_t i = 0; i < count && !status; i++) {
        double end = INFINITY;
        if (!view->newest && sent[i].wave != view->wave)
            continue;
        for (size_t k = i + 1; k < count && isinf(end); k++)
            if (view->newest || sent[k].wave == view->wave)
                end = (double)sent[k].step;
        status = lay_front(view, &sent[i], end, lines, error);
    }
    memory_release(sent);
    return status;
}

enum status along_read(const struct view *view, const char *const *agents,
                       size_t agent_count, struct tracks *tracks,
                       struct along_lines *lines, struct error *error)
{
    const struct along_line *line = view_along_line(view);
    double at[ALONG_POINTS];
    *lines = (struct along_lines){ .speed = (double)NAN };
    along_lengths(line, at);
    for (int i = 1; i + 1 < line->count; i++)
        lines->bend[lines->bends++] = view_along_column(view, at[i]);
    enum status status =
        tracks ? lay_tracks(view, agents, agent_count, tracks, lines, error)
               : STATUS_OK;
    return !status && view->field->of_wave ? lay_fronts(view, lines, error)
                                           : status;
}

void along_release(struct along_lines *lines)
{
    memory_release(lines->fronts);
    memory_release(lines->marks);
    *lines = (struct along_lines){ 0 };
}

double along_speed(const struct view *view, double cells, char *unit,
                   size_t size)
{
    const double cell =
        recording_setting_real(view->recording, "scale.cell", 0);
    const double step =
        recording_setting_real(view->recording, "scale.step", 0);
    snprintf(unit, size, "%s",
             cell > 0 ? (step > 0 ? _("m/s") : _("m a step"))
                      : (step > 0 ? _("cells/s") : _("cells a step")));
    return cells * (cell > 0 ? cell : 1) / (step > 0 ? step : 1);
}

/* ---- drawing ---- */

static void place(const struct pen *pen, const double at[2], double pixel[2])
{
    projection_place(pen->projection, (double[]){ at[0], at[1], 0 }, pixel);
}

bool along_shows(const struct pen *pen, const struct along_front *front)
{
    double from[2], to[2];
    place(pen, front->from, from);
    place(pen, front->to, to);
    return fmin(to[1], pen->size[1]) - fmax(from[1], 0) > 4 * pen->em;
}

void along_bend(const struct pen *pen, const double top[2], double bottom)
{
    const double half = .32 * pen->em, edge = fmax(pen->em / 12, 1);
    const double foot[2] = { top[0], bottom };
    for (int casing = 1; casing >= 0; casing--) {
        const double wide = half + 2 * casing * edge;
        page_line(pen->page, top, foot,
                  fmax(pen->em / 15, 1) + 2 * casing * edge);
        page_triangle(pen->page,
                      (double[]){ top[0] - wide, top[1] - casing * edge },
                      (double[]){ top[0] + wide, top[1] - casing * edge },
                      (double[]){ top[0], top[1] + 2 * wide });
        page_lay(pen->page, casing ? white : gray);
    }
}

static void draw_start(const struct pen *pen, const struct along_mark *mark,
                       const double at[2])
{
    if (pen->crowd == CROWD_SOME)
        mark_draw_start(pen->page, pen->em, at,
                        mark_color(mark->track->number));
    else
        mark_draw(pen->page, MARK_START, pen->em, at, NULL);
}

static void draw_mark(const struct pen *pen, const struct along_mark *mark)
{
    double at[2];
    if (mark->mark == MARK_COUNT)
        return;
    const bool start = mark->mark == MARK_START;
    place(pen, mark->at, at);
    overlay_keep_whole(pen->size,
                       start ? overlay_start_reach(pen->crowd, pen->em)
                             : mark_reach(mark->mark, pen->em),
                       at);
    if (start)
        draw_start(pen, mark, at);
    else
        mark_draw(pen->page, mark->mark, pen->em, at, NULL);
}

void along_draw(const struct pen *pen, const struct along_lines *lines,
                const struct tracks *tracks)
{
    for (int i = 0; i < lines->bends; i++) {
        double top[2];
        place(pen, (double[]){ lines->bend[i], 0 }, top);
        top[1] = 0;
        along_bend(pen, top, pen->size[1]);
    }
    for (size_t i = 0; i < lines->front_count; i++) {
        double from[2], to[2];
        place(pen, lines->fronts[i].from, from);
        place(pen, lines->fronts[i].to, to);
        if (along_shows(pen, &lines->fronts[i]))
            overlay_dashes(pen, from, to);
    }
    if (tracks->rows > 0)
        overlay_trails(pen, tracks, tracks->rows - 1);
    for (size_t i = 0; i < lines->mark_count; i++)
        draw_mark(pen, &lines->marks[i]);
}
