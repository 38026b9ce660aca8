/* SPDX-License-Identifier: MIT */
#include "view/layers.h"

#include <math.h>
#include <stdlib.h>

static double wall_share(const struct view *view, int layer)
{
    const struct grid *grid = &view->cut.block;
    size_t cells = (size_t)grid->nx * (size_t)grid->ny, walls = 0;
    for (size_t i = 0; i < cells; i++)
        walls += view->walls[(size_t)layer * cells + i] != 0;
    return (double)walls / (double)cells;
}

static bool is_slab(const struct view *view, int layer)
{
    return wall_share(view, layer) > .5;
}

/* The floor that begins at or after `layer` of the region: its layers are
 * *start … *end − 1. False if there is none. */
static bool next_floor(const struct view *view, int layer, int *start, int *end)
{
    int layers = view->cut.block.nz;
    while (layer < layers && is_slab(view, layer))
        layer++;
    *start = layer;
    while (layer < layers && !is_slab(view, layer))
        layer++;
    *end = layer;
    return *end > *start;
}

bool layers_has_floors(const struct view *view)
{
    int start, end;
    return next_floor(view, 0, &start, &end) &&
           next_floor(view, end, &start, &end);
}

int layers_nearest(const struct layers *layers)
{
    int nearest = 0;
    for (int i = 1; i < layers->count; i++) {
        int apart = layers->at[i] - layers->at[i - 1];
        nearest = !nearest || apart < nearest ? apart : nearest;
    }
    return nearest;
}

/* The number of the layers within low … high. */
static int count_within(const struct layers *layers, int low, int high)
{
    int count = 0;
    for (int i = 0; i < layers->count; i++)
        count += layers->at[i] >= low && layers->at[i] <= high;
    return count;
}

/* Sets the range of coordinates of each layer. */
static void measure(const struct view *view, struct layers *layers)
{
    bool floors = layers->axis == 2 && layers_has_floors(view);
    int base = view->region.low[2], start, end;
    for (int i = 0; i < layers->count; i++) {
        layers->low[i] = layers->at[i] - .5;
        layers->high[i] = layers->at[i] + .5;
        for (end = 0; floors && next_floor(view, end, &start, &end);)
            if (layers->at[i] >= base + start && layers->at[i] < base + end &&
                count_within(layers, base + start, base + end - 1) == 1) {
                layers->low[i] = base + start - .5;
                layers->high[i] = base + end - .5;
            }
    }
    layers->first = -INFINITY;
    layers->last = INFINITY;
}

/* With several layers, the visible range above and below them is at most half
 * the distance between two, and excludes layers that are all wall. */
static void bound(const struct view *view, struct layers *layers)
{
    int top = 0, bottom = view->cut.block.nz - 1, last = layers->count - 1;
    while (top < bottom && wall_share(view, top) == 1)
        top++;
    while (bottom > top && wall_share(view, bottom) == 1)
        bottom--;
    double half = layers_nearest(layers) / 2., base = view->region.low[2];
    if (last < 1)
        return;
    layers->first =
        fmax(base + top - .5, fmin(layers->low[0], layers->at[0] - half));
    layers->last = fmin(base + bottom + .5,
                        fmax(layers->high[last], layers->at[last] + half));
}

void layers_of_list(const struct view *view, const int *list, int count,
                    struct layers *layers)
{
    *layers = (struct layers){ .axis = 2, .count = count };
    for (int i = 0; i < count; i++)
        layers->at[i] = list[i];
    measure(view, layers);
    bound(view, layers);
}

int layers_middle(const struct view *view)
{
    int layers = view->cut.block.nz, middle = (layers - 1) / 2;
    for (int off = 0; off < layers; off++)
        for (int side = -1; side <= 1; side += 2) {
            int z = middle + side * off;
            if (z >= 0 && z < layers && !is_slab(view, z))
                return view->region.low[2] + z;
        }
    return view->region.low[2] + middle;
}

/* Of the layers start … end − 1. */
static int most_open(const struct view *view, int start, int end)
{
    int middle = (start + end - 1) / 2, best = middle;
    for (int z = start; z < end; z++) {
        double less = wall_share(view, best) - wall_share(view, z);
        if (less > 0 || (less == 0 && abs(z - middle) < abs(best - middle)))
            best = z;
    }
    return best;
}

void layers_of_floors(const struct view *view, struct layers *layers)
{
    int base = view->region.low[2], list[LAYERS_MOST] = { 0 }, count = 0;
    int start, end = 0;
    if (layers_has_floors(view))
        while (count < LAYERS_MOST && next_floor(view, end, &start, &end))
            list[count++] = base + most_open(view, start, end);
    for (int i = 0; i < 3 && !layers_has_floors(view); i++) {
        int z = base + (2 * i + 1) * view->cut.block.nz / 6;
        if (!i || z > list[count - 1])
            list[count++] = z;
    }
    layers_of_list(view, list, count, layers);
}

void layers_of_plane(const struct view *view, struct layers *layers)
{
    int axis = view->cut.axis;
    *layers =
        (struct layers){ .axis = axis,
                         .count = 1,
                         .at = { view->region.low[axis] + view->cut.at } };
    measure(view, layers);
}

int layers_find(const struct layers *layers, double coordinate)
{
    for (int i = 0; i < layers->count; i++)
        if (coordinate >= layers->low[i] && coordinate < layers->high[i])
            return i;
    return -1;
}

double layers_height(const struct layers *layers, double coordinate)
{
    int last = layers->count - 1, on = layers_find(layers, coordinate), i = 0;
    if (on >= 0)
        return layers->at[on];
    if (last < 0)
        return coordinate;
    if (coordinate < layers->low[0])
        return layers->at[0] + (coordinate - layers->low[0]);
    if (coordinate >= layers->high[last])
        return layers->at[last] + (coordinate - layers->high[last]);
    while (coordinate >= layers->low[i + 1])
        i++;
    return layers->at[i] + (layers->at[i + 1] - layers->at[i]) *
                               (coordinate - layers->high[i]) /
                               (layers->low[i + 1] - layers->high[i]);
}

bool layers_see(const struct layers *layers, double coordinate)
{
    return coordinate >= layers->first && coordinate <= layers->last;
}

double layers_next(const struct layers *layers, double from, double to,
                   double part)
{
    double next = 1;
    for (int i = 0; i < 2 * layers->count + 2 && from != to; i++) {
        int layer = i / 2;
        double low = layer < layers->count ? layers->low[layer] : layers->first;
        double high =
            layer < layers->count ? layers->high[layer] : layers->last;
        double at = ((i & 1 ? high : low) - from) / (to - from);
        if (at > part + 1e-9 && at < next)
            next = at;
    }
    return next;
}
