/* SPDX-License-Identifier: MIT */
#include "wave/edges.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* An array of a layer has the layer's cells, x fastest. `beside` is the step to
 * the next cell outwards, in such an array and in the medium's layout. */
struct edge_layer {
    int axis, sign; /* sign: +1 or −1, outwards */
    struct box box;
    ptrdiff_t row, slice; /* between rows and between layers, in its arrays */
    ptrdiff_t beside, beside_in_layout;
    bool reached;
    void *ahead[2], *back[2]; /* F and B, of this generation at [turn] */
    /* 9-point, along x: what it uses instead of z, with a column more on both
     * sides; else NULL */
    void *driven;
};

struct edges {
    const struct medium *medium;
    int count, turn;
    struct edge_layer layer[DIRECTIONS];
    double pull; /* s */
};

/* ---- construction ---- */

static size_t bytes_of(const struct edges *edges,
                       const struct edge_layer *layer)
{
    return box_cells(&layer->box) * edges->medium->layout.item;
}

static size_t driven_bytes(const struct edges *edges,
                           const struct edge_layer *layer)
{
    return (EDGE_DEPTH + 2) * box_width(&layer->box, 1) *
           edges->medium->layout.item;
}

static enum status layer_new(struct edges *edges, enum direction side,
                             struct error *error)
{
    const struct layout *layout = &edges->medium->layout;
    const ptrdiff_t steps[GRID_AXES] = { 1, layout->stride, layout->layer };
    struct edge_layer *layer = &edges->layer[edges->count++];
    const int axis = (int)side / 2, sign = side % 2 ? -1 : 1;
    *layer = (struct edge_layer){ .axis = axis,
                                  .sign = sign,
                                  .box = grid_box(&layout->grid) };
    if (sign > 0)
        layer->box.low[axis] = layer->box.high[axis] - EDGE_DEPTH + 1;
    else
        layer->box.high[axis] = EDGE_DEPTH - 1;
    layer->row = (ptrdiff_t)box_width(&layer->box, 0);
    layer->slice = layer->row * (ptrdiff_t)box_width(&layer->box, 1);
    layer->beside = sign * (axis == 0   ? 1
                            : axis == 1 ? layer->row
                                        : layer->slice);
    layer->beside_in_layout = sign * steps[axis];
    bool good = true;
    for (int i = 0; i < 2 && good; i++) {
        layer->ahead[i] = memory_new(1, bytes_of(edges, layer));
        layer->back[i] = memory_new(1, bytes_of(edges, layer));
        good = layer->ahead[i] && layer->back[i];
    }
    if (good && axis == 0 && edges->medium->shape == SHAPE_NINE) {
        layer->driven = memory_new(1, driven_bytes(edges, layer));
        good = layer->driven;
    }
    return good ? STATUS_OK : error_memory(error);
}

enum status edges_new(const struct medium *medium, struct edges **edges,
                      struct error *error)
{
    *edges = NULL;
    if (!medium->open)
        return STATUS_OK;
    struct edges *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    made->medium = medium;
    made->pull = sqrt(medium->settings.delta);
    enum status status = STATUS_OK;
    for (int side = 0; side < DIRECTIONS && !status; side++)
        if (medium->open >> side & 1)
            status = layer_new(made, (enum direction)side, error);
    if (status)
        edges_release(made);
    else
        *edges = made;
    return status;
}

void edges_release(struct edges *edges)
{
    if (!edges)
        return;
    for (int i = 0; i < edges->count; i++) {
        for (int turn = 0; turn < 2; turn++) {
            memory_release(edges->layer[i].ahead[turn]);
            memory_release(edges->layer[i].back[turn]);
        }
        memory_release(edges->layer[i].driven);
    }
    memory_release(edges);
}

/* Layers that no wave has reached are 0 already. */
void edges_clear(struct edges *edges)
{
    for (int i = 0; edges && i < edges->count; i++) {
        struct edge_layer *layer = &edges->layer[i];
        for (int turn = 0; turn < 2 && layer->reached; turn++) {
            memset(layer->ahead[turn], 0, bytes_of(edges, layer));
            memset(layer->back[turn], 0, bytes_of(edges, layer));
        }
        layer->reached = false;
    }
}

static ptrdiff_t index_at(const struct edge_layer *layer, int x, int y, int z)
{
    const int *low = layer->box.low;
    return (z - low[2]) * layer->slice + (y - low[1]) * layer->row + x - low[0];
}

void edges_clear_walls(struct edges *edges, const struct box *box)
{
    for (int i = 0; edges && i < edges->count; i++) {
        struct edge_layer *layer = &edges->layer[i];
        const struct terrain *terrain = edges->medium->terrain;
        const size_t item = edges->medium->layout.item;
        struct box both;
        if (!box_meet(box, &layer->box, &both))
            continue;
        for (int z = both.low[2]; z <= both.high[2]; z++)
            for (int y = both.low[1]; y <= both.high[1]; y++)
                for (int x = both.low[0]; x <= both.high[0]; x++) {
                    if (!terrain->wall[grid_index(&terrain->grid, x, y, z)])
                        continue;
                    const size_t at = (size_t)index_at(layer, x, y, z) * item;
                    memset((char *)layer->ahead[edges->turn] + at, 0, item);
                    memset((char *)layer->back[edges->turn] + at, 0, item);
                }
    }
}

void edges_light(struct edges *edges)
{
    for (int i = 0; edges && i < edges->count; i++)
        edges->layer[i].reached = true;
}

void edges_state(struct edges *edges, struct state *state)
{
    for (int i = 0; edges && i < edges->count; i++) {
        const struct edge_layer *layer = &edges->layer[i];
        state_visit(state, layer->ahead[edges->turn], bytes_of(edges, layer));
        state_visit(state, layer->back[edges->turn], bytes_of(edges, layer));
    }
}

void edges_reach(struct edges *edges, struct box *lit)
{
    for (int i = 0; edges && i < edges->count; i++) {
        struct edge_layer *layer = &edges->layer[i];
        struct box near = layer->box, both;
        near.low[layer->axis] -= layer->sign > 0;
        near.high[layer->axis] += layer->sign < 0;
        if (!layer->reached && !box_meet(&near, lit, &both))
            continue;
        layer->reached = true;
        for (int axis = 0; axis < GRID_AXES; axis++) {
            if (layer->box.low[axis] < lit->low[axis])
                lit->low[axis] = layer->box.low[axis];
            if (layer->box.high[axis] > lit->high[axis])
                lit->high[axis] = layer->box.high[axis];
        }
    }
}

/* ---- a step ---- */

/* A row's part of a layer. */
struct edge_part {
    const struct edge_layer *layer;
    ptrdiff_t at; /* its first cell in the layer's arrays */
    int first, last;
};

struct edge_work {
    const struct edges *edges;
    const void *now;
    void *out;
};

static bool crosses(const struct edge_layer *layer, int y, int z)
{
    const struct box *box = &layer->box;
    return layer->reached && y >= box->low[1] && y <= box->high[1] &&
           z >= box->low[2] && z <= box->high[2];
}

/* Cells outwards of the layer's first. */
static int cells_out(const struct edge_layer *layer, int at)
{
    return layer->sign > 0 ? at - layer->box.low[layer->axis]
                           : layer->box.high[layer->axis] - at;
}

#define REAL float
#define NAME(x) x##_single
#include "wave/edges.inc"
#undef REAL
#undef NAME
#define REAL double
#define NAME(x) x##_double
#include "wave/edges.inc"
#undef REAL
#undef NAME

static void step_rows(void *context, int thread, int threads)
{
    const struct edge_work *work = context;
    const struct layout *layout = &work->edges->medium->layout;
    const bool single = layout->item == sizeof(float);
    const size_t ny = (size_t)layout->grid.ny;
    size_t first, last;
    team_share(ny * (size_t)layout->grid.nz, thread, threads, &first, &last);
    for (size_t r = first; r < last; r++)
        (single ? step_row_single : step_row_double)(work, (int)(r % ny),
                                                     (int)(r / ny));
}

static void drive_rows(void *context, int thread, int threads)
{
    const struct edge_work *work = context;
    const struct layout *layout = &work->edges->medium->layout;
    const bool single = layout->item == sizeof(float);
    size_t first, last;
    team_share((size_t)layout->grid.ny, thread, threads, &first, &last);
    for (size_t y = first; y < last; y++)
        (single ? drive_row_single : drive_row_double)(work, (int)y);
}

void edges_step(struct edges *edges, const void *now, void *out,
                struct team *team)
{
    struct edge_work work = { .edges = edges, .now = now, .out = out };
    size_t cells = 0;
    for (int i = 0; edges && i < edges->count; i++)
        if (edges->layer[i].reached)
            cells += box_cells(&edges->layer[i].box);
    if (!cells)
        return;
    if (edges->medium->shape == SHAPE_NINE)
        team_step(team, cells, drive_rows, &work);
    team_step(team, cells, step_rows, &work);
    edges->turn = !edges->turn;
}
