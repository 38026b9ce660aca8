/* SPDX-License-Identifier: MIT */
/* The look at the nodes round every listener, every generation: what a run of
 * many agents spends its time on, so without a call or a branch a listener. */
#include "pursuit/hearing.h"

#include <math.h>
#include <string.h>

/* Coordinates inside the map are never negative: this is ⌊x⌋, held so that
 * the node behind it is on the map too. */
static inline ptrdiff_t node_before(double at, int extent)
{
    int node = (int)at, last = extent > 1 ? extent - 2 : 0;
    return node < last ? node : last;
}

/* Listeners and what they have in common. */
struct crowd {
    const struct amplitudes *newest;
    const struct grid *grid;
    double *const *at;
    const int32_t *who;
    size_t count;
};

/* So many at a time: their nodes are on their way from the memory while the
 * next ones are placed, instead of each being waited for. */
enum { GROUP = 32 };

/* An interpolated amplitude is a mean of the nodes, so it is below what all of
 * them are below; walls hold 0. The corner's neighbours east, south and down of
 * it are itself where the map is one cell thick. */
#define DEFINE_FIND(name, real, magnitude)                                     \
    static size_t name(const struct crowd *crowd, real hush, int32_t *loud)    \
    {                                                                          \
        const struct grid *grid = crowd->grid;                                 \
        const double *x = crowd->at[0], *y = crowd->at[1], *z = crowd->at[2];  \
        ptrdiff_t row = crowd->newest->row, layer = crowd->newest->layer;      \
        ptrdiff_t east = grid->nx > 1, south = grid->ny > 1 ? row : 0;         \
        ptrdiff_t down = grid->nz > 1 ? layer : 0;                             \
        const real *corner[GROUP];                                             \
        size_t found = 0;                                                      \
        for (size_t first = 0; first < crowd->count; first += GROUP) {         \
            size_t left = crowd->count - first;                                \
            size_t group = left < GROUP ? left : GROUP;                        \
            const int32_t *who = crowd->who + first;                           \
            for (size_t i = 0; i < group; i++) {                               \
                const real *node = crowd->newest->values;                      \
                node += node_before(y[who[i]], grid->ny) * row +               \
                        node_before(x[who[i]], grid->nx);                      \
                if (down)                                                      \
                    node += node_before(z[who[i]], grid->nz) * down;           \
                __builtin_prefetch(node);                                      \
                __builtin_prefetch(node + south);                              \
                corner[i] = node;                                              \
            }                                                                  \
            for (size_t i = 0; i < group; i++) {                               \
                const real *node = corner[i];                                  \
                bool is_loud = LOUD(node, magnitude) |                         \
                               (down && LOUD(node + down, magnitude));         \
                loud[found] = who[i];                                          \
                found += is_loud;                                              \
            }                                                                  \
        }                                                                      \
        return found;                                                          \
    }
#define LOUD(node, magnitude)                                                  \
    ((magnitude((node)[0]) >= hush) | (magnitude((node)[east]) >= hush) |      \
     (magnitude((node)[south]) >= hush) |                                      \
     (magnitude((node)[south + east]) >= hush))
DEFINE_FIND(find_single, float, fabsf)
DEFINE_FIND(find_double, double, fabs)

static size_t find(const struct hearing *hearing, const struct crowd *crowd,
                   int32_t *loud)
{
    return hearing->rules->wave->precision == PRECISION_SINGLE
               ? find_single(crowd, (float)hearing->hush, loud)
               : find_double(crowd, hearing->hush, loud);
}

/* May silence be a loss? Only at a level beyond the precision, and where the
 * wave must have come. */
static bool may_be_lost(const struct hearing *hearing,
                        const struct crowd *listener,
                        const struct arrival_watch *watch)
{
    const struct hearing_rules *rules = hearing->rules;
    if (!rules->has_cone || hearing->level > rules->arrival.smallest ||
        watch->lost)
        return false;
    double at[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = listener->at[axis][*listener->who];
    int32_t reached = hearing->cone.reached[grid_nearest(listener->grid, at)];
    return reached >= 0 && reached < hearing->age;
}

/* One by one: silence may be news too. The flux goes on summing after its
 * arrival, whatever the amplitude. */
static size_t find_each(const struct hearing *hearing, struct crowd *crowd,
                        const struct arrival_watch *watches, int32_t *loud)
{
    size_t found = 0, count = crowd->count;
    crowd->count = 1;
    for (; count > 0; count--, crowd->who++) {
        const struct arrival_watch *watch = &watches[*crowd->who];
        if (watch->flux_from > 0 || find(hearing, crowd, &loud[found]) ||
            may_be_lost(hearing, crowd, watch))
            loud[found++] = *crowd->who;
    }
    return found;
}

size_t hearing_find_loud(const struct hearing *hearing,
                         double *const at[GRID_AXES],
                         const struct arrival_watch *watches,
                         const int32_t *who, size_t count, int32_t *loud)
{
    const struct hearing_rules *rules = hearing->rules;
    struct crowd crowd = { .newest = &hearing->newest,
                           .grid = &rules->terrain->grid,
                           .at = at,
                           .who = who,
                           .count = count };
    if (hearing->hush <= 0) { /* any amplitude may be an arrival */
        memcpy(loud, who, count * sizeof *who);
        return count;
    }
    if (rules->arrival.settings->heading == HEADING_FLUX ||
        (rules->has_cone && hearing->level <= rules->arrival.smallest))
        return find_each(hearing, &crowd, watches, loud);
    return find(hearing, &crowd, loud);
}
