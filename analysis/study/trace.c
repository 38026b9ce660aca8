/* SPDX-License-Identifier: MIT */
#include "analysis/study/trace.h"

#include "search/sight.h"
#include "wave/arrival/arrival.h"

#include <math.h>
#include <string.h>

/* The place of a walker, and its cell. */
struct walker {
    double at[GRID_AXES];
    size_t cell;
};

static void put(struct walker *walker, const struct grid *grid,
                const double at[GRID_AXES])
{
    memcpy(walker->at, at, sizeof walker->at);
    walker->cell = grid_nearest(grid, at);
}

static bool step_to(const struct terrain *terrain, struct walker *walker,
                    const double way[GRID_AXES])
{
    const struct grid *grid = &terrain->grid;
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    double to[GRID_AXES] = { 0 };
    for (int axis = 0; axis < GRID_AXES; axis++) {
        const double there = walker->at[axis] + way[axis],
                     end = extent[axis] - 1;
        to[axis] = there < 0 ? 0 : there > end ? end : there;
    }
    size_t cell = grid_nearest(grid, to);
    if (terrain->wall[cell])
        return false;
    memcpy(walker->at, to, sizeof to);
    walker->cell = cell;
    return true;
}

/* The axes by the magnitude of the components, the largest first; of equals the
 * first axis. */
static void sort_axes(const double way[GRID_AXES], int order[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++) {
        int place = axis;
        for (; place > 0 && fabs(way[axis]) > fabs(way[order[place - 1]]);
             place--)
            order[place] = order[place - 1];
        order[place] = axis;
    }
}

/* The whole step, or if it is blocked the largest component only, then the
 * smaller ones, each with its own length (docs/reference/metrics.md, Paths).
 */
static void walk(const struct terrain *terrain, const double heading[GRID_AXES],
                 struct walker *walker)
{
    double way[GRID_AXES];
    int order[GRID_AXES] = { 0, 1, 2 };
    for (int axis = 0; axis < GRID_AXES; axis++)
        way[axis] = TRACE_STEP * heading[axis];
    if (step_to(terrain, walker, way))
        return;
    bool moved = false;
    sort_axes(way, order);
    for (int i = 0; i < GRID_AXES && !moved; i++) {
        double part[GRID_AXES] = { 0 };
        part[order[i]] = way[order[i]];
        moved = step_to(terrain, walker, part);
    }
}

/* Makes one step; false if there is no heading. */
static bool go_on(const struct terrain *terrain,
                  const double (*heading)[GRID_AXES], struct walker *walker)
{
    const double *way = heading[walker->cell];
    if (heading_none(way))
        return false;
    walk(terrain, way, walker);
    return true;
}

static bool is_home(const struct terrain *terrain, const double at[GRID_AXES],
                    const double home[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (fabs(at[axis] - home[axis]) > TRACE_HOME)
            return false;
    return polyline_distance(at, home) <= TRACE_HOME &&
           search_in_sight(terrain, at, home);
}

void trace_follow(const struct terrain *terrain,
                  const double (*heading)[GRID_AXES],
                  const double start[GRID_AXES], const double source[GRID_AXES],
                  double geodesic, struct polyline *path, bool *arrived)
{
    struct walker walker;
    put(&walker, &terrain->grid, start);
    polyline_add(path, start);
    *arrived = false;
    for (double tried = 0; tried <= 4 * geodesic + 40; tried += TRACE_STEP) {
        *arrived = is_home(terrain, walker.at, source);
        if (*arrived) {
            polyline_add(path, source);
            return;
        }
        if (!go_on(terrain, heading, &walker))
            return;
        polyline_add(path, walker.at);
    }
}

/* Has the path reached an earlier position again? Then it repeats endlessly,
 * because a step depends only on the position. Compares with one earlier
 * position, the newest whose number is a power of two, so that a cycle of any
 * length is found within three of its lengths (R. Brent, An improved Monte
 * Carlo factorization algorithm, 1980). */
struct rounds {
    double earlier[GRID_AXES];
    int64_t steps, next;
};

static bool goes_round(struct rounds *rounds, const double at[GRID_AXES])
{
    if (memcmp(rounds->earlier, at, sizeof rounds->earlier) == 0)
        return true;
    if (++rounds->steps == rounds->next) {
        rounds->next *= 2;
        memcpy(rounds->earlier, at, sizeof rounds->earlier);
    }
    return false;
}

double trace_length(const struct terrain *terrain,
                    const double (*heading)[GRID_AXES], size_t source,
                    const double start[GRID_AXES], double geodesic)
{
    int place[GRID_AXES];
    grid_cell(&terrain->grid, source, place);
    const double home[GRID_AXES] = { place[0], place[1], place[2] };
    double length = 0;
    struct walker walker;
    struct rounds rounds = { .next = 1 };
    put(&walker, &terrain->grid, start);
    memcpy(rounds.earlier, start, sizeof rounds.earlier);
    for (double tried = 0; tried <= 4 * geodesic + 40; tried += TRACE_STEP) {
        double before[GRID_AXES];
        if (is_home(terrain, walker.at, home))
            return length + polyline_distance(walker.at, home);
        memcpy(before, walker.at, sizeof before);
        if (!go_on(terrain, heading, &walker) || goes_round(&rounds, walker.at))
            return -1;
        length += polyline_distance(before, walker.at);
    }
    return -1;
}
