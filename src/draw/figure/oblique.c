/* SPDX-License-Identifier: MIT */
#include "draw/figure/oblique.h"

#include <math.h>

/* A cell's depth on the page and its slant, relative to its width. */
static const double depth = .5, lean = .42;
/* The gap between two planes, relative to the depth of one; the margin of the
 * picture, in cells. */
static const double gap = .12, margin = 1;

double oblique_cells(int nx, int ny)
{
    return nx + lean * ny + 2 * margin;
}

void oblique_lay_out(const struct view *view, const struct layers *layers,
                     int cell, double reach, struct oblique *oblique)
{
    const struct box *box = &view->region;
    int nx = view->cut.nx, ny = view->cut.ny, nearest = layers_nearest(layers);
    double first = layers->at[0], last = layers->at[layers->count - 1];
    /* With small cells an agent takes more room round the picture than the
     * margin. */
    double edge = fmax(margin * cell, reach);
    if (reach > 0 && layers->count > 1) {
        first = fmin(first, layers_height(layers, layers->first));
        last = fmax(last, layers_height(layers, layers->last));
    }
    double fall = nearest > 0 ? depth * ny * (1 + gap) * cell / nearest : 0;
    oblique->width = (int)ceil((nx + lean * ny) * cell + 2 * edge);
    oblique->height =
        (int)ceil(depth * ny * cell + 2 * edge + fall * (last - first));
    struct projection *projection = &oblique->projection;
    *projection = (struct projection){
        .step = { { cell, 0 }, { -lean * cell, depth * cell }, { 0, fall } }
    };
    /* The outer corner of the first cell is half a cell off its centre. */
    projection->origin[0] = edge + lean * ny * cell -
                            (box->low[0] - .5) * projection->step[0][0] -
                            (box->low[1] - .5) * projection->step[1][0];
    projection->origin[1] =
        edge - (box->low[1] - .5) * projection->step[1][1] - first * fall;
}

static void corner(const struct view *view, const struct oblique *oblique,
                   int z, double column, double row, double pixel[2])
{
    double world[GRID_AXES] = { view->region.low[0] - .5 + column,
                                view->region.low[1] - .5 + row, z };
    projection_place(&oblique->projection, world, pixel);
}

void oblique_edge(const struct view *view, const struct oblique *oblique, int z,
                  double pixel[2])
{
    corner(view, oblique, z, 0, view->cut.ny, pixel);
}

void oblique_frame(const struct view *view, const struct oblique *oblique,
                   int z, struct page *page, double width)
{
    static const int round[5][2] = {
        { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 }, { 0, 0 }
    };
    for (int i = 0; i < 4; i++) {
        double from[2], to[2];
        corner(view, oblique, z, round[i][0] * view->cut.nx,
               round[i][1] * view->cut.ny, from);
        corner(view, oblique, z, round[i + 1][0] * view->cut.nx,
               round[i + 1][1] * view->cut.ny, to);
        page_line(page, from, to, width);
    }
}
