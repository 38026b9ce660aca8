/* SPDX-License-Identifier: MIT */
/* Tests the nodes round every agent that may detect a wave, at every
 * generation. A run of many agents spends most of its time here, so there is no
 * call and no branch for each agent. */
#include "pursuit/reception.h"

#include "base/clones.h"

#include <math.h>
#include <string.h>

/* ⌊x⌋, because coordinates inside the map are never negative; limited so that
 * the next node is on the map too. */
static inline ptrdiff_t node_before(double at, int extent)
{
    int node = (int)at, last = extent > 1 ? extent - 2 : 0;
    return node < last ? node : last;
}

VECTOR_CLONES static void place(const struct reception *reception,
                                double *const at[GRID_AXES], size_t count,
                                ptrdiff_t *node)
{
    const struct grid *grid = &reception->rules->terrain->grid;
    const ptrdiff_t row = reception->newest.row,
                    layer = reception->newest.layer;
    const double *x = at[0], *y = at[1], *z = at[2];
    for (size_t i = 0; i < count; i++)
        node[i] =
            node_before(y[i], grid->ny) * row + node_before(x[i], grid->nx);
    for (size_t i = 0; i < count && grid->nz > 1; i++)
        node[i] += node_before(z[i], grid->nz) * layer;
}

/* clang 14 gives clones no name that other files could link to. */
void reception_place(const struct reception *reception,
                     double *const at[GRID_AXES], size_t count, ptrdiff_t *node)
{
    place(reception, at, count, node);
}

/* The agents, and the values that they have in common. */
struct batch {
    const struct amplitudes *newest;
    const struct grid *grid;
    double *const *at;
    const ptrdiff_t *node;
    const int32_t *who;
    size_t count;
};

/* Two adjacent nodes in each of two rows: is one of them above the
 * threshold? */
#define DEFINE_ANY(name, real, bits)                                           \
    typedef real name##_pair __attribute__((vector_size(2 * sizeof(real))));   \
    typedef bits name##_mask __attribute__((vector_size(2 * sizeof(real))));   \
    static inline bool name(const real *row, const real *next,                 \
                            real node_level)                                   \
    {                                                                          \
        name##_pair north, south;                                              \
        memcpy(&north, row, sizeof north);                                     \
        memcpy(&south, next, sizeof south);                                    \
        name##_mask candidates =                                               \
            ((north >= node_level) | (north <= -node_level)) |                 \
            ((south >= node_level) | (south <= -node_level));                  \
        return candidates[0] | candidates[1];                                  \
    }
DEFINE_ANY(any_single, float, int32_t)
DEFINE_ANY(any_double, double, int64_t)

/* An interpolated amplitude is a mean of the nodes, so if all of them are below
 * a level, it is too; walls have amplitude 0. If the map is one cell thick, the
 * next node in y or z is the first one itself, and the next in x is a ghost
 * cell, which has the value of the adjacent cell. */
#define DEFINE_FIND(name, real, any)                                           \
    static size_t name(const struct batch *batch, real node_level,             \
                       int32_t *candidates)                                    \
    {                                                                          \
        const struct grid *grid = batch->grid;                                 \
        const real *values = batch->newest->values;                            \
        ptrdiff_t south = grid->ny > 1 ? batch->newest->row : 0;               \
        ptrdiff_t down = grid->nz > 1 ? batch->newest->layer : 0;              \
        size_t found = 0;                                                      \
        for (size_t i = 0; i < batch->count; i++) {                            \
            const real *node = values + batch->node[batch->who[i]];            \
            bool is_candidate = any(node, node + south, node_level);           \
            if (down && !is_candidate)                                         \
                is_candidate =                                                 \
                    any(node + down, node + down + south, node_level);         \
            candidates[found] = batch->who[i];                                 \
            found += is_candidate;                                             \
        }                                                                      \
        return found;                                                          \
    }
DEFINE_FIND(find_single, float, any_single)
DEFINE_FIND(find_double, double, any_double)

static size_t find(const struct reception *reception, const struct batch *batch,
                   int32_t *candidates)
{
    return reception->rules->wave->precision == PRECISION_SINGLE
               ? find_single(batch, (float)reception->node_level, candidates)
               : find_double(batch, reception->node_level, candidates);
}

/* Can a wave whose amplitude is 0 have been lost to underflow? Only if the
 * level is below the smallest number of the precision, and if the wave must
 * have arrived. */
static bool may_be_lost(const struct reception *reception,
                        const struct batch *listener,
                        const struct arrival_watch *watch)
{
    if (!reception->detection->may_lose || watch->lost)
        return false;
    double at[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = listener->at[axis][*listener->who];
    int64_t reached = detection_reached(reception->detection, at);
    return reached >= 0 && reached < reception->age;
}

/* Tests one agent at a time, for cases in which an amplitude below the level
 * may also change the watch. The flux is still summed after its arrival, at any
 * amplitude. */
static size_t find_each(const struct reception *reception, struct batch *batch,
                        const struct arrival_watch *watches,
                        int32_t *candidates)
{
    size_t found = 0, count = batch->count;
    batch->count = 1;
    for (; count > 0; count--, batch->who++) {
        const struct arrival_watch *watch = &watches[*batch->who];
        if (watch->flux_from > 0 ||
            find(reception, batch, &candidates[found]) ||
            may_be_lost(reception, batch, watch))
            candidates[found++] = *batch->who;
    }
    return found;
}

/* ---- by the terms of the detector's own wave ---- */

static bool terms_of(const struct reception *reception,
                     struct detection_sums *terms)
{
    struct detection *detection = reception->detection;
    return detection->detector->sums &&
           detection->detector->sums(detection, terms);
}

/* On an axis of one cell the second node is the first one, with weight 0. */
static void weigh(const struct terrain *terrain, const double at[GRID_AXES],
                  const struct detection_sums *terms,
                  struct reception_nodes *nodes)
{
    const struct grid *grid = &terrain->grid;
    const int x = (int)node_before(at[0], grid->nx);
    const int y = (int)node_before(at[1], grid->ny);
    const int z = (int)node_before(at[2], grid->nz);
    const double share[GRID_AXES] = { at[0] - x, at[1] - y, at[2] - z };
    const ptrdiff_t next[GRID_AXES] = {
        grid->nx > 1,
        grid->ny > 1 ? grid->nx : 0,
        grid->nz > 1 ? (ptrdiff_t)grid->nx * grid->ny : 0,
    };
    const uint8_t *wall = terrain->wall + grid_index(grid, x, y, z);
    for (int i = 0; i < 1 << grid_axes(grid); i++) {
        double weight = 1;
        ptrdiff_t cell = 0;
        for (int axis = 0; axis < GRID_AXES; axis++) {
            const bool high = i >> axis & 1;
            weight *= high ? share[axis] : 1 - share[axis];
            cell += high ? next[axis] : 0;
        }
        nodes->weight[i] = wall[cell] ? 0 : weight;
    }
    nodes->item = x + y * terms->row + z * terms->layer;
}

bool reception_weigh(const struct reception *reception,
                     double *const at[GRID_AXES], size_t count,
                     struct reception_nodes *nodes)
{
    struct detection_sums terms;
    if (!terms_of(reception, &terms))
        return false;
    for (size_t i = 0; i < count; i++) {
        const double from[GRID_AXES] = { at[0][i], at[1][i], at[2][i] };
        double place[GRID_AXES];
        reception_position(reception, from, place);
        weigh(reception->rules->terrain, place, &terms, &nodes[i]);
    }
    return true;
}

/* laplace_may_hold, with the weights of nodes that all waves share. Most waves
 * have not come yet: if all sums are 0, no term need be read. */
static inline bool may_hold(const struct detection_sums *terms,
                            const struct reception_nodes *nodes,
                            const ptrdiff_t *step, int corners, double eta)
{
    static const double ROUNDING = 1e-6;
    bool none = eta < 1;
    for (int i = 0; i < corners; i++)
        none &= terms->sum[nodes->item + step[i]] == 0;
    if (none)
        return false;
    const double growth = (double)terms->growth, owes = (double)terms->owes;
    double z = 0, sum = 0, size = 0;
    bool exact = false;
    for (int i = 0; i < corners; i++) {
        const ptrdiff_t item = nodes->item + step[i];
        const double weight = nodes->weight[i];
        const double y = (double)terms->z[item];
        const double own = (double)terms->sum[item] * growth + owes * y;
        exact |= (weight > 0) & ((terms->closed[item] != 0) | (own < 0));
        z += weight * y;
        sum += weight * own;
        size += weight * (fabs(y) + eta * own);
    }
    return exact | ((size != 0) & !(fabs(z) - eta * sum > ROUNDING * size));
}

size_t reception_find_by_terms(const struct reception *reception,
                               const struct reception_nodes *nodes,
                               const int32_t *who, size_t count,
                               int32_t *candidates)
{
    const struct reception_rules *rules = reception->rules;
    const double eta = rules->arrival.settings->eta;
    const bool flat = grid_axes(&rules->terrain->grid) < 3;
    struct detection_sums terms;
    ptrdiff_t step[8];
    size_t found = 0;
    if (!terms_of(reception, &terms))
        return 0;
    for (int i = 0; i < 8; i++)
        step[i] = (i & 1) + (i >> 1 & 1) * terms.row + (i >> 2) * terms.layer;
    for (size_t i = 0; i < count; i++) {
        const struct reception_nodes *own = &nodes[who[i]];
        candidates[found] = who[i];
        found += flat ? may_hold(&terms, own, step, 4, eta)
                      : may_hold(&terms, own, step, 8, eta);
    }
    return found;
}

/* If any amplitude may be an arrival, and the detector has a test of its own.
 */
static size_t find_holding(const struct reception *reception,
                           const struct batch *batch, int32_t *candidates)
{
    struct detection *detection = reception->detection;
    size_t found = 0;
    for (size_t i = 0; i < batch->count; i++) {
        const int32_t agent = batch->who[i];
        double from[GRID_AXES], at[GRID_AXES];
        for (int axis = 0; axis < GRID_AXES; axis++)
            from[axis] = batch->at[axis][agent];
        reception_position(reception, from, at);
        candidates[found] = agent;
        found += detection->detector->may_hold(detection, at);
    }
    return found;
}

size_t reception_find_candidates(const struct reception *reception,
                                 const ptrdiff_t *node,
                                 double *const at[GRID_AXES],
                                 const struct arrival_watch *watches,
                                 const int32_t *who, size_t count,
                                 int32_t *candidates)
{
    const struct reception_rules *rules = reception->rules;
    struct batch batch = { .newest = &reception->newest,
                           .grid = &rules->terrain->grid,
                           .at = at,
                           .node = node,
                           .who = who,
                           .count = count };
    if (reception->node_level <= 0 && reception->detection->detector->may_hold)
        return find_holding(reception, &batch, candidates);
    if (reception->node_level <= 0) { /* any amplitude may be an arrival */
        memcpy(candidates, who, count * sizeof *who);
        return count;
    }
    if (rules->arrival.settings->heading == HEADING_FLUX ||
        reception->detection->may_lose)
        return find_each(reception, &batch, watches, candidates);
    return find(reception, &batch, candidates);
}
