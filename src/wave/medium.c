/* SPDX-License-Identifier: MIT */
#include "wave/generations.h"

#include "base/bits.h"
#include "base/memory.h"
#include "base/real.h"
#include "wave/edges.h"
#include "wave/mode.h"

#include <string.h>
#include <unistd.h>

static bool is_wall(const struct terrain *terrain, int x, int y, int z)
{
    return terrain->wall[grid_index(&terrain->grid, x, y, z)];
}

/* δᵢ of a cell. */
static double cell_delta(const struct medium *medium, int x, int y, int z)
{
    const struct terrain *terrain = medium->terrain;
    if (!terrain->speed)
        return medium->settings.delta;
    const struct wave_settings *settings = &medium->settings;
    double speed = terrain->speed[grid_index(&terrain->grid, x, y, z)];
    if (settings->matched_p > 0)
        speed = wave_matched_speed(settings->stencil, settings->delta,
                                   settings->matched_p, speed);
    return settings->delta * (speed * speed);
}

/* δ of the face from a cell with δ `own` to the cell at (x, y, z): the harmonic
 * mean, which gives the right flux through a layered medium. A fixed wall has
 * the δ of the cell itself; a face to a mirror has 0, for nothing flows through
 * it. */
static double face_delta(const struct medium *medium, double own, int x, int y,
                         int z)
{
    if (medium_mirrors(medium, x, y, z))
        return 0;
    if (is_wall(medium->terrain, x, y, z))
        return own;
    double other = cell_delta(medium, x, y, z);
    return own == other ? own : 2 * (own * other) / (own + other);
}

/* gcc 12 drops the conversion to float when it vectorises two adjacent ones; it
 * must keep a volatile one. */
static double rounded(const struct medium *medium, double value)
{
    if (medium->layout.item != sizeof(float))
        return value;
    volatile float single = (float)value;
    return (double)single;
}

/* The stencil's weights, or those of the cell; then `sum` becomes theirs. */
static void set_weights(const struct medium *medium, double delta, double scale,
                        double *sum, struct coefficients *out)
{
    const struct stencil *stencil = medium->settings.stencil;
    const bool matched = medium->settings.matched_weights;
    double weight[STENCIL_WEIGHTS];
    if (matched) {
        if (delta == medium->settings.delta)
            memcpy(weight, medium->matched, sizeof weight);
        else
            wave_matched_weights(&medium->settings, delta, weight);
        out->d = 1;
        *sum = 0;
    }
    for (int kind = 0; kind < STENCIL_WEIGHTS; kind++) {
        const int first = stencil_first(stencil, kind);
        const int points = stencil_first(stencil, kind + 1) - first;
        if (points == 0)
            continue;
        out->weight[kind] = matched
                                ? rounded(medium, delta * weight[kind] / scale)
                                : stencil->point[first].weight;
        if (matched)
            *sum += points * (delta * weight[kind]);
    }
}

void medium_coefficients(const struct medium *medium, int x, int y, int z,
                         struct coefficients *out)
{
    double half_damping = medium->settings.damping / 2; /* m = μΔt/2 */
    double scale = 1 + half_damping;
    double delta = cell_delta(medium, x, y, z);
    double sum = -medium->settings.stencil->centre * delta;
    *out = (struct coefficients){ .d = rounded(medium, delta / scale) };
    set_weights(medium, delta, scale, &sum, out);
    if (medium->form == COEFFICIENTS_FACE) {
        double face[DIRECTIONS] = { 0 };
        for (int i = 0; i < DIRECTIONS; i++) {
            const int *step = direction_step[i];
            face[i] = face_delta(medium, delta, x + step[0], y + step[1],
                                 z + step[2]);
            out->face[i] = rounded(medium, face[i] / scale);
        }
        sum = (face[EAST] + face[WEST]) + (face[NORTH] + face[SOUTH]);
        if (medium->shape == SHAPE_SEVEN)
            sum += face[DOWN] + face[UP];
    }
    out->c = rounded(medium, (2 - sum) / scale);
    out->a = rounded(medium, (1 - half_damping) / scale);
}

static void set_faces(struct medium *medium, ptrdiff_t index,
                      const struct coefficients *from)
{
    const struct layout *layout = &medium->layout;
    const ptrdiff_t beyond[GRID_AXES] = { 1, layout->stride, layout->layer };
    for (int axis = 0; axis < grid_axes(&layout->grid); axis++) {
        /* Directions come in pairs, the one of increasing coordinate first. */
        field_set(layout, medium->face[axis], index + beyond[axis],
                  from->face[2 * axis]);
        field_set(layout, medium->face[axis], index, from->face[2 * axis + 1]);
    }
}

bool medium_is_border(const struct medium *medium, int x, int y, int z)
{
    const struct terrain *terrain = medium->terrain;
    const struct grid *grid = &terrain->grid;
    const double own = terrain->speed[grid_index(grid, x, y, z)];
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            if (grid_holds(grid, x + i, y + j, z) &&
                !is_wall(terrain, x + i, y + j, z) &&
                terrain->speed[grid_index(grid, x + i, y + j, z)] != own &&
                cell_delta(medium, x + i, y + j, z) !=
                    cell_delta(medium, x, y, z))
                return true;
    return false;
}

static void update_cell(struct medium *medium, int x, int y, int z)
{
    const struct layout *layout = &medium->layout;
    ptrdiff_t index = layout_at(layout, x, y, z);
    struct coefficients coefficients = { .d = 0 };
    bool wall = is_wall(medium->terrain, x, y, z);
    bit_set(medium->walls, index, wall);
    if (medium->form == COEFFICIENTS_UNIFORM)
        return;
    if (!wall)
        medium_coefficients(medium, x, y, z, &coefficients);
    if (medium->borders) {
        const bool border = !wall && medium_is_border(medium, x, y, z);
        bit_set(medium->borders, index, border);
        if (border) /* W is subtracted from this (wave.h) */
            coefficients.c =
                rounded(medium, 2 / (1 + medium->settings.damping / 2));
    }
    field_set(layout, medium->c, index, coefficients.c);
    if (medium->form == COEFFICIENTS_CELL) {
        if (medium->d)
            field_set(layout, medium->d, index, coefficients.d);
        for (int i = 0; i < STENCIL_WEIGHTS && medium->weight[i]; i++)
            field_set(layout, medium->weight[i], index, coefficients.weight[i]);
    } else if (!wall)
        set_faces(medium, index, &coefficients);
}

static int clipped(int at, int extent)
{
    return at < 0 ? 0 : at >= extent ? extent - 1 : at;
}

struct box medium_box(const struct medium *medium, const struct box *box)
{
    const struct box map = grid_box(&medium->map->grid);
    const struct box all = grid_box(&medium->layout.grid);
    struct box there;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        const int margin = medium->margin[axis];
        there.low[axis] = box->low[axis] == 0 ? 0 : box->low[axis] + margin;
        there.high[axis] = box->high[axis] == map.high[axis]
                               ? all.high[axis]
                               : box->high[axis] + margin;
    }
    return there;
}

/* Repeats the map's edge cells in the layers. */
static void extend(struct medium *medium, const struct box *box)
{
    const struct terrain *map = medium->map;
    struct terrain *to = &medium->extended;
    for (int z = box->low[2]; z <= box->high[2]; z++)
        for (int y = box->low[1]; y <= box->high[1]; y++)
            for (int x = box->low[0]; x <= box->high[0]; x++) {
                const size_t from = grid_index(
                    &map->grid, clipped(x - medium->margin[0], map->grid.nx),
                    clipped(y - medium->margin[1], map->grid.ny),
                    clipped(z - medium->margin[2], map->grid.nz));
                const size_t cell = grid_index(&to->grid, x, y, z);
                to->wall[cell] = map->wall[from];
                if (map->speed)
                    to->speed[cell] = map->speed[from];
            }
}

void medium_update(struct medium *medium, const struct box *changed)
{
    const struct grid *grid = &medium->layout.grid;
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    struct box box = medium_box(medium, changed);
    if (medium->open)
        extend(medium, &box);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        /* A cell's coefficients depend on its neighbours. */
        box.low[axis] = clipped(box.low[axis] - 1, extent[axis]);
        box.high[axis] = clipped(box.high[axis] + 1, extent[axis]);
    }
    for (int z = box.low[2]; z <= box.high[2]; z++)
        for (int y = box.low[1]; y <= box.high[1]; y++)
            for (int x = box.low[0]; x <= box.high[0]; x++)
                update_cell(medium, x, y, z);
}

/* Allocates the arrays of the form; false if there is no memory. */
static bool allocate(struct medium *medium)
{
    const struct layout *layout = &medium->layout;
    size_t bytes = layout->items / WALL_BITS + WALL_SLACK;
    medium->walls = memory_new(bytes, 1);
    if (!medium->walls)
        return false;
    memset(medium->walls, 0xff, bytes); /* cells are updated next */
    if (medium->form == COEFFICIENTS_UNIFORM)
        return true;
    medium->c = memory_new(layout->items, layout->item);
    if (!medium->c)
        return false;
    if (medium->form == COEFFICIENTS_CELL && medium->settings.matched_weights) {
        for (int i = 0; i < layout->grid.dims; i++) {
            medium->weight[i] = memory_new(layout->items, layout->item);
            if (!medium->weight[i])
                return false;
        }
        if (layout->grid.dims == 3 || medium->settings.walls != WALLS_FREE)
            return true;
        medium->borders = memory_new(bytes, 1);
        return medium->borders;
    }
    if (medium->form == COEFFICIENTS_CELL) {
        medium->d = memory_new(layout->items, layout->item);
        return medium->d;
    }
    for (int axis = 0; axis < layout->grid.dims; axis++) {
        medium->face[axis] = memory_new(layout->items, layout->item);
        if (!medium->face[axis])
            return false;
    }
    return true;
}

static enum status check(const struct terrain *terrain,
                         const struct wave_settings *settings,
                         struct error *error)
{
    if (settings->stencil->dims != terrain->grid.dims)
        return error_set(error, STATUS_INPUT,
                         "the %s stencil is for maps with %d axes, and this "
                         "one has %d: take %s",
                         settings->stencil->name, settings->stencil->dims,
                         terrain->grid.dims,
                         terrain->grid.dims == 3 ? "7-point or 27-point"
                                                 : "5-point or 9-point");
    if (stencil_has_diagonals(settings->stencil) &&
        settings->speed_form == FORM_CONSERVATIVE)
        return error_set(error, STATUS_INPUT,
                         "the %s stencil has no conservative form: take "
                         "%s, or the c2-laplacian form",
                         settings->stencil->name,
                         terrain->grid.dims == 3 ? "7-point" : "5-point");
    if (wave_open_sides(settings, terrain->grid.dims) &&
        stencil_has_diagonals(settings->stencil) && terrain->grid.dims == 3)
        return error_set(error, STATUS_INPUT,
                         "open edges are for the 7-point stencil in 3D, not "
                         "for the %s stencil",
                         settings->stencil->name);
    return STATUS_OK;
}

/* The map with the layers beyond its open edges. */
static enum status extend_new(struct medium *medium, struct error *error)
{
    const struct grid *map = &medium->map->grid;
    int extent[GRID_AXES] = { map->nx, map->ny, map->nz };
    const bool has[TERRAIN_ARRAYS] = {
        [TERRAIN_WALL] = true, [TERRAIN_SPEED] = medium->map->speed
    };
    struct grid grid;
    for (int side = 0; side < DIRECTIONS; side++) {
        if (!(medium->open >> side & 1))
            continue;
        extent[side / 2] += EDGE_DEPTH;
        if (side % 2)
            medium->margin[side / 2] = EDGE_DEPTH;
    }
    enum status status =
        grid_make(map->dims, extent[0], extent[1], extent[2], &grid, error);
    if (!status)
        status = terrain_blank(&medium->extended, &grid, has, error);
    medium->terrain = &medium->extended;
    return status;
}

void medium_choose(struct medium *medium, enum kernel_level level)
{
    bool select = medium->settings.walls == WALLS_FREE;
    medium->sweep = kernel_find_sweep(
        level, medium->layout.item, medium->shape, medium->form,
        select && medium->form != COEFFICIENTS_FACE);
    medium->slope =
        kernel_find_slope(level, medium->layout.item, medium->shape, select);
}

/* The size of the largest cache that belongs to one processor core. */
static size_t cache_bytes(void)
{
    long bytes = 0;
#ifdef _SC_LEVEL2_CACHE_SIZE
    bytes = sysconf(_SC_LEVEL2_CACHE_SIZE);
#endif
    return (bytes > 0 ? (size_t)bytes : 1 << 20) / 8 * 5;
}

static enum kernel_shape shape_of(const struct stencil *stencil)
{
    if (stencil_has_diagonals(stencil))
        return stencil->dims == 3 ? SHAPE_TWENTY_SEVEN : SHAPE_NINE;
    return stencil->dims == 3 ? SHAPE_SEVEN : SHAPE_FIVE;
}

static enum status take_source(struct medium *medium, struct error *error)
{
    const struct wave_settings *settings = &medium->settings;
    const char *key;
    enum status status =
        wave_source_check(settings, &medium->share.world, &key, error);
    if (!status && settings->source == SOURCE_MODE)
        status = mode_source_new(medium, &medium->mode, error);
    if (!status && settings->source == SOURCE_SIGNAL)
        status = real_list_new(settings->signal, &medium->signal,
                               &medium->signal_count, error);
    return status;
}

enum status medium_new(const struct terrain *terrain,
                       const struct wave_settings *settings,
                       struct medium **medium, struct error *error)
{
    struct share whole = share_whole(&terrain->grid);
    return medium_new_shared(terrain, &whole, NULL, settings, medium, error);
}

enum status medium_new_shared(const struct terrain *terrain,
                              const struct share *share, struct halo *halo,
                              const struct wave_settings *settings,
                              struct medium **medium, struct error *error)
{
    enum status status = kernel_check(error);
    if (!status)
        status = check(terrain, settings, error);
    if (status)
        return status;
    struct medium *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    made->map = made->terrain = terrain;
    made->open = wave_open_sides(settings, terrain->grid.dims);
    made->share = *share;
    made->halo = halo;
    made->settings = *settings;
    made->shape = shape_of(settings->stencil);
    made->form = settings->speed_form == FORM_CONSERVATIVE ? COEFFICIENTS_FACE
                 : terrain->speed                          ? COEFFICIENTS_CELL
                                  : COEFFICIENTS_UNIFORM;
    if (made->open)
        status = extend_new(made, error);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        const int to = made->margin[axis] - share->held.low[axis];
        made->own.low[axis] = share->own.low[axis] + to;
        made->own.high[axis] = share->own.high[axis] + to;
    }
    if (!status)
        status = layout_make(&made->terrain->grid,
                             settings->precision == PRECISION_SINGLE
                                 ? sizeof(float)
                                 : sizeof(double),
                             &made->layout, error);
    if (!status && !allocate(made))
        status = error_memory(error);
    if (!status)
        status = take_source(made, error);
    if (status) {
        medium_release(made);
        return status;
    }
    if (settings->matched_weights)
        wave_matched_weights(settings, settings->delta, made->matched);
    medium_coefficients(made, 0, 0, 0, &made->uniform);
    const struct box all = grid_box(&terrain->grid);
    if (!memory_is_promised()) /* else the memory would be touched */
        medium_update(made, &all);
    medium_choose(made, kernel_best());
    made->cache = cache_bytes();
    *medium = made;
    return STATUS_OK;
}

void medium_release(struct medium *medium)
{
    if (!medium)
        return;
    terrain_release(&medium->extended);
    mode_source_release(medium->mode);
    memory_release(medium->signal);
    memory_release(medium->walls);
    memory_release(medium->borders);
    memory_release(medium->d);
    memory_release(medium->c);
    for (int axis = 0; axis < GRID_AXES; axis++)
        memory_release(medium->face[axis]);
    for (int i = 0; i < STENCIL_WEIGHTS; i++)
        memory_release(medium->weight[i]);
    memory_release(medium);
}

size_t wave_field_bytes(const struct medium *medium)
{
    return box_cells(&medium->own) * medium->layout.item;
}
