/* SPDX-License-Identifier: MIT */
#include "view/truth.h"

#include "base/memory.h"
#include "view/cut.h"
#include "view/marched.h"

#include <math.h>
#include <string.h>

/* ---- prisms, of which a map of 2D is one ---- */

struct prism {
    struct cut cut; /* its base; cut.axis is the prism's */
    struct terrain base;
    int source[GRID_AXES];
};

static size_t cell_in_base(const struct prism *prism, const int at[GRID_AXES])
{
    return (size_t)at[prism->cut.down] * (size_t)prism->cut.nx +
           (size_t)at[prism->cut.right];
}

/* Are the walls of each plane across the axis those of the base, or is the
 * plane all wall? */
static bool is_prism(const struct prism *prism, const struct terrain *terrain,
                     const bool *has_free)
{
    int ends = 0; /* changes between planes with and without free cells */
    int count = prism->cut.axis == 0   ? terrain->grid.nx
                : prism->cut.axis == 1 ? terrain->grid.ny
                                       : terrain->grid.nz;
    for (int i = 1; i < count; i++)
        ends += has_free[i] != has_free[i - 1];
    if (ends > 2 || (ends == 2 && has_free[0]))
        return false;
    for (size_t i = 0; i < grid_cells(&terrain->grid); i++) {
        int at[GRID_AXES];
        grid_cell(&terrain->grid, i, at);
        if (has_free[at[prism->cut.axis]] &&
            !terrain->wall[i] != !prism->base.wall[cell_in_base(prism, at)])
            return false;
    }
    return true;
}

/* The base of the map along `axis`: the plane of the source. */
static enum status take_base(struct prism *prism, const struct terrain *terrain,
                             int axis, struct error *error)
{
    cut_make(&terrain->grid, axis, prism->source[axis], &prism->cut);
    prism->base.grid = (struct grid){ 2, prism->cut.nx, prism->cut.ny, 1 };
    prism->base.wall = memory_new(grid_cells(&prism->base.grid), 1);
    if (!prism->base.wall)
        return error_memory(error);
    cut_take_bytes(&prism->cut, terrain->wall, prism->base.wall);
    return STATUS_OK;
}

/* *found: the map is a prism along z, y or x, the first that applies. */
static enum status find_prism(struct prism *prism,
                              const struct terrain *terrain, bool *found,
                              struct error *error)
{
    const struct grid *grid = &terrain->grid;
    const int extents[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    enum status status = STATUS_OK;
    *found = false;
    for (int axis = GRID_AXES; axis-- > 0 && !status && !*found;) {
        bool *has_free = memory_new((size_t)extents[axis], sizeof *has_free);
        if (!has_free)
            return error_memory(error);
        for (size_t i = 0; i < grid_cells(grid); i++) {
            int at[GRID_AXES];
            grid_cell(grid, i, at);
            if (!terrain->wall[i])
                has_free[at[axis]] = true;
        }
        memory_release(prism->base.wall);
        status = take_base(prism, terrain, axis, error);
        *found =
            !status && (grid->dims == 2 || is_prism(prism, terrain, has_free));
        memory_release(has_free);
    }
    return status;
}

/* The length difference of a second path in the base that makes it TRUTH_CUT
 * longer in the prism: (L + cut)² = (D + this)² + h². */
static double cut_in_base(double base, double along, double length)
{
    double longer = length + TRUTH_CUT;
    return along == 0 ? TRUTH_CUT
                      : fmin(EXACT_REACH,
                             sqrt(longer * longer - along * along) - base);
}

static bool counts(const struct truth *truth, size_t in_base, double base,
                   double along, double length)
{
    return isfinite(length) && length > TRUTH_NEAR &&
           !exact_near_corner(truth->exact, in_base, TRUTH_CORNER) &&
           !exact_on_cut(truth->exact, in_base,
                         cut_in_base(base, along, length));
}

static void take_cell(struct truth *truth, const struct prism *prism,
                      const struct terrain *terrain, size_t cell)
{
    double next[2], *toward = truth->toward[cell];
    int at[GRID_AXES];
    grid_cell(&terrain->grid, cell, at);
    const struct cut *cut = &prism->cut;
    size_t in_base = cell_in_base(prism, at);
    double base =
        terrain->wall[cell] ? INFINITY : exact_distance(truth->exact, in_base);
    double along = prism->source[cut->axis] - at[cut->axis];
    double length = along == 0 ? base : hypot(base, along);
    truth->distance[cell] = length;
    truth->reachable += isfinite(length) && length > TRUTH_NEAR;
    if (!counts(truth, in_base, base, along, length))
        return;
    toward[cut->axis] = along / length;
    if (exact_next(truth->exact, in_base, next)) {
        double x = next[0] - at[cut->right], y = next[1] - at[cut->down];
        toward[cut->right] = x / hypot(x, y) * (base / length);
        toward[cut->down] = y / hypot(x, y) * (base / length);
    }
    truth->counted++;
}

static enum status take_prism(struct truth *truth, const struct prism *prism,
                              const struct terrain *terrain,
                              struct error *error)
{
    enum status status = exact_new(&prism->base, &truth->exact, error);
    if (status)
        return status;
    truth->axis = prism->cut.axis;
    exact_solve(truth->exact, cell_in_base(prism, prism->source));
    for (size_t i = 0; i < grid_cells(&terrain->grid); i++)
        take_cell(truth, prism, terrain, i);
    return STATUS_OK;
}

/* ---- other maps ---- */

static void take_marched_cell(struct truth *truth,
                              const struct marched *marched, size_t cell)
{
    double length = marched->distance[cell], error = marched->error[cell];
    truth->distance[cell] = length;
    if (!isfinite(length) || length <= TRUTH_NEAR)
        return;
    truth->reachable++;
    if (marched_near_edge(marched, cell, TRUTH_CORNER) ||
        marched_on_cut(marched, cell, TRUTH_CUT))
        return;
    if (error > TRUTH_ERROR) {
        truth->unsure++;
        return;
    }
    truth->counted++;
    truth->marched += error > 0;
    truth->error_squares += error * error;
    memcpy(truth->toward[cell], marched->heading[cell],
           sizeof truth->toward[cell]);
}

static enum status take_marched(struct truth *truth,
                                const struct terrain *terrain, size_t source,
                                struct error *error)
{
    struct marched marched;
    enum status status = marched_make(&marched, terrain, source, error);
    truth->refined = marched.refined;
    for (size_t i = 0; i < grid_cells(&terrain->grid) && !status; i++)
        take_marched_cell(truth, &marched, i);
    marched_release(&marched);
    return status;
}

enum status truth_make(struct truth *truth, const struct terrain *terrain,
                       size_t source, struct error *error)
{
    struct prism prism = { 0 };
    bool found;
    *truth = (struct truth){ 0 };
    size_t cells = grid_cells(&terrain->grid);
    truth->distance = memory_new(cells, sizeof *truth->distance);
    truth->toward = memory_new(cells, sizeof *truth->toward);
    if (!truth->distance || !truth->toward)
        return error_memory(error);
    grid_cell(&terrain->grid, source, prism.source);
    enum status status = find_prism(&prism, terrain, &found, error);
    if (!status)
        status = found ? take_prism(truth, &prism, terrain, error)
                       : take_marched(truth, terrain, source, error);
    memory_release(prism.base.wall);
    return status;
}

void truth_release(struct truth *truth)
{
    exact_release(truth->exact);
    memory_release(truth->distance);
    memory_release(truth->toward);
    *truth = (struct truth){ 0 };
}
