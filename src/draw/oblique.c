/* SPDX-License-Identifier: MIT */
#include "draw/oblique.h"

#include <math.h>

/* A cell's depth on the page, and how far it leans, over its width. */
static const double depth = .5, lean = .42;
/* Between two planes, over the depth of one; round the picture, in cells. */
static const double gap = .12, margin = 1;

static bool is_slab(const struct view *view, int layer)
{
    const struct grid *grid = &view->cut.block;
    size_t cells = (size_t)grid->nx * (size_t)grid->ny, walls = 0;
    for (size_t i = 0; i < cells; i++)
        walls += view->walls[(size_t)layer * cells + i] != 0;
    return 2 * walls > cells;
}

void oblique_floors(const struct view *view, struct oblique *oblique)
{
    int layers = view->cut.block.nz, start = -1, floors = 0;
    oblique->count = 0;
    for (int z = 0; z <= layers; z++) {
        bool open = z < layers && !is_slab(view, z);
        if (open && start < 0)
            start = z;
        if (open || start < 0)
            continue;
        if (floors++ < OBLIQUE_MOST)
            oblique->planes[oblique->count++] =
                view->region.low[2] + (start + z - 1) / 2;
        start = -1;
    }
    if (oblique->count > 1)
        return;
    oblique->count = 0;
    for (int i = 0; i < 3; i++) {
        int z = view->region.low[2] + (2 * i + 1) * layers / 6;
        if (!i || z > oblique->planes[oblique->count - 1])
            oblique->planes[oblique->count++] = z;
    }
}

void oblique_lay_out(const struct view *view, int cell, struct oblique *oblique)
{
    const struct box *box = &view->region;
    int nx = view->cut.nx, ny = view->cut.ny;
    int first = oblique->planes[0], last = oblique->planes[oblique->count - 1];
    int nearest = last - first;
    for (int i = 1; i < oblique->count; i++) {
        int apart = oblique->planes[i] - oblique->planes[i - 1];
        nearest = apart < nearest ? apart : nearest;
    }
    double fall = nearest > 0 ? depth * ny * (1 + gap) * cell / nearest : 0;
    oblique->width = (int)ceil((nx + lean * ny + 2 * margin) * cell);
    oblique->height =
        (int)ceil((depth * ny + 2 * margin) * cell + fall * (last - first));
    struct stage *stage = &oblique->stage;
    *stage = (struct stage){
        .step = { { cell, 0 }, { -lean * cell, depth * cell }, { 0, fall } }
    };
    /* The outer corner of the first cell is half a cell off its centre. */
    stage->origin[0] = (margin + lean * ny) * cell -
                       (box->low[0] - .5) * stage->step[0][0] -
                       (box->low[1] - .5) * stage->step[1][0];
    stage->origin[1] =
        margin * cell - (box->low[1] - .5) * stage->step[1][1] - first * fall;
}

static void corner(const struct view *view, const struct oblique *oblique,
                   int plane, double column, double row, double pixel[2])
{
    double world[GRID_AXES] = { view->region.low[0] - .5 + column,
                                view->region.low[1] - .5 + row,
                                oblique->planes[plane] };
    stage_place(&oblique->stage, world, pixel);
}

void oblique_edge(const struct view *view, const struct oblique *oblique,
                  int plane, double pixel[2])
{
    corner(view, oblique, plane, 0, view->cut.ny, pixel);
}

void oblique_frame(const struct view *view, const struct oblique *oblique,
                   int plane, struct mask *mask, double width)
{
    static const int round[5][2] = {
        { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 }, { 0, 0 }
    };
    for (int i = 0; i < 4; i++) {
        double from[2], to[2];
        corner(view, oblique, plane, round[i][0] * view->cut.nx,
               round[i][1] * view->cut.ny, from);
        corner(view, oblique, plane, round[i + 1][0] * view->cut.nx,
               round[i + 1][1] * view->cut.ny, to);
        mask_line(mask, from, to, width);
    }
}
