/* SPDX-License-Identifier: MIT */
/* The oracles of docs/explanation/checks.md on the rows of a wave: stencil and
 * gradient bit for bit, the front, the energy, the radial gradient, the
 * mirrors. */
#include "analysis/check/sum.h"
#include "analysis/check/wave.h"

#include "base/memory.h"
#include "base/need.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- stencil and gradient, bit for bit ---- */

/* Is a mode added in the cell? */
static bool is_driven(const struct law *law, const int at[GRID_AXES])
{
    for (int i = 0; i < 2 && law->source == LAW_MODE; i++) {
        bool inside = true;
        for (int axis = 0; axis < GRID_AXES; axis++) {
            const int there = at[axis] + law->origin[axis];
            inside = inside && there >= law->section[i].low[axis] &&
                     there <= law->section[i].high[axis];
        }
        if (inside)
            return true;
    }
    return false;
}

/* Are all values that the law reads around a cell inside the recorded box? Else
 * the cell is counted as left out, `count` times. */
static bool is_surrounded(const struct law *law, const struct box *known,
                          const int at[GRID_AXES], int count,
                          struct finding *finding)
{
    const struct grid *grid = &law->grid;
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    const int whole[GRID_AXES] = { law->map.nx, law->map.ny, law->map.nz };
    const char *why = NULL;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        const int there = at[axis] + law->origin[axis];
        if ((there == 0 && law->open >> (2 * axis + 1) & 1) ||
            (there == whole[axis] - 1 && law->open >> 2 * axis & 1))
            why = "cells at an open edge";
        if ((at[axis] == known->low[axis] && at[axis] > 0) ||
            (at[axis] == known->high[axis] && at[axis] < extent[axis] - 1))
            why = "cells at the edge of the recorded region";
    }
    if (why)
        finding_skip(finding, count, "%s", why);
    return !why;
}

/* The law's value of a cell at this row; false, with the reason, if the rows
 * lack it. z[k−1] of an emission is 0 after a kick and z[k] after a rest. */
static bool expected(const struct law *law, const struct ground *ground,
                     const uint8_t *wall, const struct wave_row *row,
                     size_t cell, double *value, const char **why)
{
    *value = 0;
    if (row->emitted < 0 || wall[cell])
        return true;
    int64_t age = row->step - row->emitted;
    if (age == 0 && row->source == GRID_NOWHERE) {
        *why = "the source is outside the recorded region";
        return law->source != LAW_GAUSSIAN; /* others leave 0 round it */
    }
    if (age == 0) {
        *value = law_emitted(law, wall, row->source, cell);
        return true;
    }
    *why = "needs a row for every step: record.every";
    if (!row->before || (age > 1 && !row->older))
        return false;
    bool rest = law->source == LAW_REST || law->source == LAW_GAUSSIAN;
    double before = age > 1 ? row->older[cell] : rest ? row->before[cell] : 0;
    *value = law_next(law, ground, row->before, before, cell);
    if (law_drives(law) && cell == row->source)
        *value = law_driven(law, ground, cell, *value, age);
    return true;
}

/* Compares a value. If all that are wrong are right by the rule by which the
 * other kind of processors flushes denormals, the finding says so. */
static void compare_next(const struct law *law, const struct ground *ground,
                         const uint8_t *wall, const struct wave_row *row,
                         size_t cell, double value, struct finding *finding)
{
    const int64_t before = finding->wrong;
    const char *why;
    finding_exact(finding, row->now[cell], value,
                  &(struct spot){ row->wave, -1, row->step, (int64_t)cell });
    if (finding->wrong == before)
        return;
    struct law other = *law;
    other.other = law->single && law->flush;
    expected(&other, ground, wall, row, cell, &value, &why);
    finding->other += memcmp(&row->now[cell], &value, sizeof value) == 0;
    finding->rule = finding->other < finding->wrong ? NULL
                    : law_early ? "all are right by the rule of amd64, which "
                                  "flushes denormals after rounding"
                                : "all are right by the rule of arm64, which "
                                  "flushes denormals before rounding";
}

void check_stencil(const struct law *law, const struct ground *ground,
                   const uint8_t *wall, const struct wave_row *row,
                   struct finding *finding)
{
    const struct box *known = &row->known;
    for (int z = known->low[2]; z <= known->high[2]; z++)
        for (int y = known->low[1]; y <= known->high[1]; y++)
            for (int x = known->low[0]; x <= known->high[0]; x++) {
                size_t cell = grid_index(&law->grid, x, y, z);
                double value;
                const char *why;
                if (!is_surrounded(law, known, (int[]){ x, y, z }, 1, finding))
                    continue;
                if (is_driven(law, (int[]){ x, y, z })) {
                    finding_skip(finding, 1, "cells in which a mode is added");
                    continue;
                }
                if (!expected(law, ground, wall, row, cell, &value, &why)) {
                    finding_skip(finding, 1, "%s", why);
                } else {
                    compare_next(law, ground, wall, row, cell, value, finding);
                }
            }
}

void check_gradient(const struct law *law, const struct ground *ground,
                    const struct wave_row *row, int axis,
                    const double *gradient, struct finding *finding)
{
    const struct box *known = &row->known;
    size_t element = 0;
    for (int z = known->low[2]; z <= known->high[2]; z++)
        for (int y = known->low[1]; y <= known->high[1]; y++)
            for (int x = known->low[0]; x <= known->high[0]; x++, element++) {
                if (!is_surrounded(law, known, (int[]){ x, y, z }, axis == 0,
                                   finding))
                    continue;
                size_t cell = grid_index(&law->grid, x, y, z);
                finding_exact(
                    finding, gradient[element],
                    law_gradient(law, ground, row->now, cell, axis),
                    &(struct spot){ row->wave, -1, row->step, (int64_t)cell });
            }
}

/* ---- the front ----
 *
 * It advances one cell a step along the axes, so its first non-zero value is a
 * sum over the shortest lattice paths, each with the product of the
 * coefficients along it. */

void check_front_init(const struct law *law, struct check_front *front)
{
    size_t cells = grid_cells(&law->grid);
    *front = (struct check_front){
        .cell = need_memory(cells, sizeof *front->cell),
        .queue = need_memory(cells, sizeof *front->queue),
        .emitted = -1,
    };
}

void check_front_release(struct check_front *front)
{
    memory_release(front->cell);
    memory_release(front->queue);
    *front = (struct check_front){ 0 };
}

/* fraction · 2^exponent of the cell grows by value · 2^exponent: no
 * floating-point range is exceeded, on any length of path. */
static void grow(struct front_cell *cell, double value, int exponent)
{
    if (cell->fraction == 0) {
        cell->exponent = exponent;
    } else if (cell->exponent >= exponent) {
        value = ldexp(value, exponent - cell->exponent);
    } else {
        cell->fraction = ldexp(cell->fraction, cell->exponent - exponent);
        cell->exponent = exponent;
    }
    int shift;
    cell->fraction = frexp(cell->fraction + value, &shift);
    cell->exponent += shift;
}

/* The coefficient of a neighbour's value for `to`, through a link. */
static double taken(const struct law *law, const struct ground *ground,
                    const struct link *link)
{
    double weight = link->weight / (1 + law->loss);
    return law->conservative
               ? weight
               : weight * ground_delta(law, ground, (size_t)link->cell);
}

void check_front_spread(struct check_front *front, const struct law *law,
                        const struct ground *ground, size_t source,
                        int64_t emitted)
{
    size_t cells = grid_cells(&law->grid);
    for (size_t i = 0; i < cells; i++)
        front->cell[i] = (struct front_cell){ .distance = -1 };
    front->emitted = emitted;
    if (ground->wall[source])
        return;
    struct front_cell *first = &front->cell[source];
    int exponent;
    first->distance = 0;
    first->fraction = frexp(law->amplitude, &exponent);
    first->exponent = exponent;
    front->queue[0] = (int32_t)source;
    size_t queued = 1;
    for (size_t next = 0; next < queued; next++) {
        struct front_cell *from = &front->cell[front->queue[next]];
        struct link links[STENCIL_POINTS];
        int count =
            ground_links(law, ground, (size_t)front->queue[next], links);
        from->faint |= from->exponent <= ilogb(law_least(law));
        for (int i = 0; i < count; i++) {
            if (links[i].cell < 0)
                continue;
            struct front_cell *to = &front->cell[links[i].cell];
            if (to->distance < 0) {
                to->distance = from->distance + 1;
                front->queue[queued++] = links[i].cell;
            }
            if (to->distance != from->distance + 1)
                continue;
            grow(to, from->fraction * taken(law, ground, &links[i]),
                 from->exponent);
            to->faint |= from->faint;
        }
    }
}

/* Relative to the front's value: a rounding of the coefficient, of the product
 * and of each of the sums a step, of values that only add up; two more for the
 * damping's quotient and A. */
static double value_bound(const struct law *law, int32_t distance)
{
    return (law->grid.dims * 2 + 4) * (double)(distance + 1) *
           law_roundoff(law);
}

static void check_cell(const struct law *law, const struct check_front *front,
                       const struct wave_row *row, size_t cell,
                       struct finding *support, struct finding *value)
{
    int64_t age = row->step - row->emitted;
    const struct front_cell *at = &front->cell[cell];
    int32_t distance = at->distance;
    struct spot spot = { row->wave, -1, row->step, (int64_t)cell };
    double z = row->now[cell];
    if (distance < 0 || distance > age) {
        finding_within(support, fabs(z), 0, &spot);
    } else if (distance == age && at->faint) {
        finding_skip(support, 1, "fronts below 2^%d", ilogb(law_least(law)));
        finding_skip(value, 1, "fronts below 2^%d", ilogb(law_least(law)));
    } else if (distance == age) {
        double scaled = ldexp(z, -at->exponent);
        finding_within(support, z != 0 ? 0 : 1, 0, &spot);
        finding_within(value, fabs(scaled / at->fraction - 1),
                       value_bound(law, distance), &spot);
    }
}

void check_front(const struct law *law, const struct check_front *front,
                 const struct wave_row *row, struct finding *support,
                 struct finding *value)
{
    const struct box *known = &row->known;
    for (int z = known->low[2]; z <= known->high[2]; z++)
        for (int y = known->low[1]; y <= known->high[1]; y++)
            for (int x = known->low[0]; x <= known->high[0]; x++)
                check_cell(law, front, row, grid_index(&law->grid, x, y, z),
                           support, value);
}

/* ---- energy ----
 *
 * The conserved quantity of the leapfrog, without damping, between emissions
 * and map events:
 *
 *   c2-laplacian  E = ½ Σ (z[k+1] − z[k])²/δᵢ + ½ Σ z[k+1] (K z[k])
 *   conservative  E = ½ Σ (z[k+1] − z[k])²    + ½ Σ z[k+1] (K z[k])
 *
 * with K the graph Laplacian, which includes the faces' δ in the second. δ and
 * K are rounded to the run's precision, excess included. This energy is
 * conserved; the one with exact δ and K drifts with the square of time, as the
 * mean of a free field grows (3e-4 in 2500 steps in single precision). */

double check_wave_energy(const struct law *law, const struct ground *ground,
                         const struct wave_row *row, double *size)
{
    /* In units of A², which may overflow or underflow: A is 1e300 or 1e-300. */
    const double unit = ldexp(1, -ilogb(law->amplitude));
    struct sum sum = { 0 };
    struct law_weights weights = { 0 }, last = { 0 };
    double excess = 0;
    *size = 0;
    for (size_t i = 0; i < grid_cells(&law->grid); i++) {
        /* Cells that are and were 0 add 0, for any neighbours. */
        if (ground->wall[i] || (row->now[i] == 0 && row->before[i] == 0))
            continue;
        double delta = law->conservative
                           ? 1
                           : law_rounded(law, ground_delta(law, ground, i));
        law_weigh(law, ground, i, &weights);
        if (memcmp(&weights, &last, sizeof last) != 0) /* usually they are */
            excess = law_excess(law, &weights);
        last = weights;
        double now = row->now[i] * unit, before = row->before[i] * unit;
        double stretch = -excess / delta * before;
        struct link links[STENCIL_POINTS];
        int count = ground_links(law, ground, i, links);
        for (int l = 0; l < count; l++) {
            double there =
                links[l].cell < 0 ? 0 : row->before[links[l].cell] * unit;
            stretch += law_rounded(law, links[l].weight) * (before - there);
        }
        double speed = now - before;
        double kinetic = 0.5 * (speed * speed) / delta;
        double potential = 0.5 * now * stretch;
        sum_add(&sum, kinetic);
        sum_add(&sum, potential);
        *size += kinetic + fabs(potential);
    }
    return sum_total(&sum);
}

/* Measured as 1e-14 over 2000 steps in double precision; the rounding grows
 * with the number of steps, and in proportion to the precision. */
static double drift_bound(const struct law *law, int64_t steps)
{
    double bound = 1e-13 * (law_roundoff(law) / 0x1p-53);
    return steps > 2000 ? bound * (double)steps / 2000 : bound;
}

void check_energy(const struct law *law, const struct ground *ground,
                  const struct wave_row *row, struct energy *energy,
                  struct finding *finding)
{
    if (row->emitted < 0)
        return;
    int64_t start = row->mapped > row->emitted ? row->mapped : row->emitted;
    if (row->step == start)
        return;
    if (!row->before) {
        finding_skip(finding, 1, "needs a row for every step: record.every");
        return;
    }
    double size, now = check_wave_energy(law, ground, row, &size);
    if (energy->since < 0 || energy->start != start) {
        *energy = (struct energy){ now, row->step, start };
        return;
    }
    if (energy->first == 0) {
        finding_skip(finding, 1, "the wave is 0 everywhere");
        return;
    }
    finding_within(finding, fabs(now - energy->first) / size,
                   drift_bound(law, row->step - energy->since),
                   &(struct spot){ row->wave, -1, row->step, -1 });
}

/* ---- free space ----
 *
 * In free space the gradient of a wave from one cell is along the line to it:
 * X·gy = Y·gx at every node and step, with the central difference of the 5- and
 * 7-point stencil and with the matched one of the 9- and 27-point. */

static void from_source(const struct law *law, size_t source, size_t cell,
                        int way[GRID_AXES])
{
    int from[GRID_AXES], to[GRID_AXES];
    grid_cell(&law->grid, source, from);
    grid_cell(&law->grid, cell, to);
    for (int axis = 0; axis < GRID_AXES; axis++)
        way[axis] = to[axis] - from[axis];
}

/* Steps of the wave to a cell: one along an axis each, or along a diagonal too
 * with the 9- and 27-point stencil. */
static int64_t steps_to(const struct law *law, const int way[GRID_AXES])
{
    int64_t x = abs(way[0]), y = abs(way[1]), z = abs(way[2]);
    if (!stencil_has_diagonals(law->stencil))
        return x + y + z;
    int64_t flat = x > y ? x : y;
    return flat > z ? flat : z;
}

int64_t check_free_ages(const struct law *law, const struct ground *ground,
                        size_t source)
{
    const int extent[GRID_AXES] = { law->grid.nx, law->grid.ny, law->grid.nz };
    int at[GRID_AXES], way[GRID_AXES];
    grid_cell(&law->grid, source, at);
    int64_t nearest = INT32_MAX;
    for (int axis = 0; axis < grid_axes(&law->grid); axis++) {
        int edge = at[axis] + 1 < extent[axis] - at[axis]
                       ? at[axis] + 1
                       : extent[axis] - at[axis];
        nearest = edge < nearest ? edge : nearest;
    }
    for (size_t i = 0; i < grid_cells(&law->grid); i++) {
        if (!ground->wall[i] &&
            ground_delta(law, ground, i) == ground_delta(law, ground, source))
            continue;
        from_source(law, source, i, way);
        int64_t steps = steps_to(law, way);
        nearest = steps < nearest ? steps : nearest;
    }
    /* The field is disturbed at age `nearest`; the gradient of the cells before
     * the obstacle, which reads it, a step earlier. */
    return nearest - 2;
}

/* For each pair of axes a, b: adds |X_a g_b − X_b g_a| to the finding, if there
 * is one; returns the largest |X_a g_b| of the cell. */
static double pairs(const struct law *law, const struct ground *ground,
                    const struct wave_row *row, size_t cell, double scale,
                    struct finding *finding)
{
    int way[GRID_AXES];
    from_source(law, row->source, cell, way);
    double slope[GRID_AXES] = { 0 }, largest = 0;
    for (int axis = 0; axis < law->grid.dims; axis++)
        slope[axis] = law_gradient(law, ground, row->now, cell, axis);
    for (int a = 0; a < law->grid.dims; a++)
        for (int b = a + 1; b < law->grid.dims; b++) {
            double one = way[a] * slope[b], two = way[b] * slope[a];
            largest = fmax(largest, fmax(fabs(one), fabs(two)));
            if (finding)
                finding_within(
                    finding, fabs(one - two) / scale,
                    1e-13 * (law_roundoff(law) / 0x1p-53),
                    &(struct spot){ row->wave, -1, row->step, (int64_t)cell });
        }
    return largest;
}

void check_radial(const struct law *law, const struct ground *ground,
                  const struct wave_row *row, int64_t ages,
                  struct finding *finding)
{
    if (row->step - row->emitted > ages) {
        finding_skip(finding, 0, "a wall, an edge or another speed is near");
        return;
    }
    double scale = 0;
    size_t cells = grid_cells(&law->grid);
    for (size_t i = 0; i < cells; i++)
        scale = fmax(scale, pairs(law, ground, row, i, 1, NULL));
    for (size_t i = 0; i < cells && scale > 0; i++)
        pairs(law, ground, row, i, scale, finding);
}

/* ---- mirrors ----
 *
 * If a mirror does not change the map and the source, it does not change the
 * field either, to the last bit, because sums are taken in pairs. The mirrors
 * are the flips of x, y and z, the exchange of x and y if both have the same
 * extent, and their combinations: all 8 in 2D. (An exchange with z would add
 * the pairs in another order.) */

enum { FLIP_X = 1, FLIP_Y = 2, FLIP_Z = 4, EXCHANGE = 8 };

static size_t image(const struct grid *grid, int mirror, int x, int y, int z)
{
    if (mirror & EXCHANGE) {
        int was = x;
        x = y;
        y = was;
    }
    return grid_index(grid, mirror & FLIP_X ? grid->nx - 1 - x : x,
                      mirror & FLIP_Y ? grid->ny - 1 - y : y,
                      mirror & FLIP_Z ? grid->nz - 1 - z : z);
}

/* Are open sides mirrored to open ones? With diagonals the layers beyond them
 * along x and y are computed in different orders. */
static bool keeps_open(const struct law *law, int mirror)
{
    const bool exchange = mirror & EXCHANGE;
    for (int side = 0; side < DIRECTIONS; side++) {
        const int axis = exchange && side < 4 ? 1 - side / 2 : side / 2;
        const int there = 2 * axis + (side % 2 ^ (mirror >> axis & 1));
        if ((law->open >> side & 1) != (law->open >> there & 1))
            return false;
    }
    return !(exchange && stencil_has_diagonals(law->stencil));
}

static bool holds_here(const struct law *law, const struct ground *ground,
                       size_t source, int mirror)
{
    const struct grid *grid = &law->grid;
    if (!mirror || (mirror & FLIP_Z && grid->dims < 3) ||
        (mirror & EXCHANGE && grid->nx != grid->ny) ||
        (law->open && !keeps_open(law, mirror)))
        return false;
    int at[GRID_AXES];
    grid_cell(grid, source, at);
    if (image(grid, mirror, at[0], at[1], at[2]) != source)
        return false;
    size_t cell = 0;
    for (int z = 0; z < grid->nz; z++)
        for (int y = 0; y < grid->ny; y++)
            for (int x = 0; x < grid->nx; x++, cell++) {
                size_t there = image(grid, mirror, x, y, z);
                if (!ground->wall[cell] != !ground->wall[there] ||
                    (!ground->wall[cell] &&
                     ground_delta(law, ground, cell) !=
                         ground_delta(law, ground, there)))
                    return false;
            }
    return true;
}

/* A mirror is excluded if an earlier map of this wave did not have it, or may
 * not have had it. */
static void look_again(const struct law *law, const struct ground *ground,
                       const struct wave_row *row, struct symmetry *symmetry)
{
    bool fresh =
        symmetry->emitted != row->emitted && row->mapped <= row->emitted;
    for (int mirror = 0; mirror < MIRRORS; mirror++)
        symmetry->holds[mirror] = (fresh || symmetry->holds[mirror]) &&
                                  holds_here(law, ground, row->source, mirror);
    symmetry->emitted = row->emitted;
    symmetry->mapped = row->mapped;
}

static void compare(const struct law *law, const struct wave_row *row,
                    int mirror, struct finding *finding)
{
    const struct grid *grid = &law->grid;
    size_t cell = 0;
    for (int z = 0; z < grid->nz; z++)
        for (int y = 0; y < grid->ny; y++)
            for (int x = 0; x < grid->nx; x++, cell++) {
                struct spot spot = { row->wave, -1, row->step, (int64_t)cell };
                finding_exact(finding, row->now[cell],
                              row->now[image(grid, mirror, x, y, z)], &spot);
            }
}

void check_symmetry(const struct law *law, const struct ground *ground,
                    const struct wave_row *row, struct symmetry *symmetry,
                    struct finding *finding)
{
    if (row->emitted < 0)
        return;
    if (symmetry->emitted != row->emitted || symmetry->mapped != row->mapped)
        look_again(law, ground, row, symmetry);
    bool any = false;
    for (int mirror = 1; mirror < MIRRORS; mirror++)
        if (symmetry->holds[mirror]) {
            compare(law, row, mirror, finding);
            any = true;
        }
    if (!any)
        finding_skip(finding, 0, "map and source have no mirror symmetry");
}
