/* SPDX-License-Identifier: MIT */
#include "view/settings.h"
#include "view/view.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Is the setting, a libconfig text with or without quotes, this word? */
static bool is_set(const struct recording *recording, const char *key,
                   const char *word)
{
    const char *value = recording_setting(recording, key);
    return value && strstr(value, word) != NULL;
}

bool view_derives_gradient(const struct recording *recording, int wave)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d", wave);
    return recording_find(recording, name) &&
           !is_set(recording, "wave.stencil", "9-point") &&
           !is_set(recording, "wave.stencil", "27-point");
}

/* The run's rounding: ½(after − before) in its precision, and 0 if that is
 * denormal and the run flushed denormals. */
struct rounding {
    bool single;
    double smallest; /* 0: kept */
};

static struct rounding rounding_of(const struct view *view)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d", view->wave);
    const struct variable *wave = recording_find(view->source, name);
    bool single = wave && wave->type == TYPE_FLOAT32;
    bool kept = is_set(view->source, "wave.denormals", "keep");
    return (struct rounding){
        .single = single,
        .smallest = kept     ? 0
                    : single ? (double)FLT_MIN
                             : DBL_MIN,
    };
}

static double half_difference(const struct rounding *rounding, double after,
                              double before)
{
    double difference = rounding->single
                            ? (double)((float)after - (float)before)
                            : after - before;
    if (fabs(difference) < rounding->smallest ||
        fabs(difference / 2) < rounding->smallest)
        return 0;
    return rounding->single ? (double)((float)difference * 0.5f)
                            : difference / 2;
}

/* The value of the neighbour of `cell` on one side. */
struct neighbour {
    const struct view *view;
    int axis;
    size_t stride;
    int extent; /* of the region along the axis */
    int beyond; /* of the world */
    bool fixed; /* walls */
    unsigned open;
};

static double value_beside(const struct neighbour *n, size_t cell, int along,
                           int way)
{
    const struct view *view = n->view;
    int to = along + way, in_world = to + view->region.low[n->axis];
    if (in_world < 0 || in_world >= n->beyond)
        return n->open >> (2 * n->axis + (way < 0)) & 1 ? (double)NAN
                                                        : view->block[cell];
    if (to < 0 || to >= n->extent)
        return (double)NAN;
    size_t index = way < 0 ? cell - n->stride : cell + n->stride;
    if (view->walls[index])
        return n->fixed ? 0 : view->block[cell];
    return view->block[index];
}

/* The component along `axis` by central differences (Watanabe 2021, eqs 18–19
 * at a cell's centre), as the run would have recorded it: a missing neighbour
 * is 0 at a fixed wall and the cell's own value at a free wall or outside the
 * map; walls get 0. NaN if the neighbour was not recorded, as beyond an open
 * edge. */
static enum status derive(struct view *view, int axis, int64_t row,
                          double *plane, struct error *error)
{
    unsigned open = 0;
    enum status status = view_read_block(view, "", row, error);
    if (!status)
        status = view_open_sides(view->source, &open, error);
    if (status)
        return status;
    const struct cut *cut = &view->cut;
    const struct grid *world = recording_grid(view->source);
    const struct box all = grid_box(world), region = grid_box(&cut->block);
    struct neighbour n = {
        .view = view,
        .axis = axis,
        .stride =
            axis == 0 ? 1 : grid_index(&cut->block, 0, axis == 1, axis == 2),
        .extent = region.high[axis] + 1,
        .beyond = all.high[axis] + 1,
        .fixed = !is_set(view->source, "wave.walls", "free"),
        .open = open,
    };
    const struct rounding rounding = rounding_of(view);
    const size_t first = cut_first(cut), column = cut_column_stride(cut);
    const size_t down = cut_row_stride(cut);
    for (int y = 0; y < cut->ny; y++)
        for (int x = 0; x < cut->nx; x++, plane++) {
            size_t cell = first + (size_t)x * column + (size_t)y * down;
            int along = axis == cut->right  ? x
                        : axis == cut->down ? y
                                            : cut->at;
            if (view->walls[cell])
                *plane = 0;
            else
                *plane =
                    half_difference(&rounding, value_beside(&n, cell, along, 1),
                                    value_beside(&n, cell, along, -1));
        }
    return STATUS_OK;
}

enum status view_read_gradient(struct view *view, int axis, int64_t row,
                               double *plane, struct error *error)
{
    char name[VARIABLE_NAME_SIZE], suffix[] = "_grad_x";
    suffix[sizeof suffix - 2] = "xyz"[axis];
    snprintf(name, sizeof name, "wave%d%s", view->wave, suffix);
    return recording_find(view->source, name)
               ? view_read_wave(view, suffix, row, plane, error)
               : derive(view, axis, row, plane, error);
}
