/* SPDX-License-Identifier: MIT */
#include "check_agents.h"

#include <math.h>

/* How far a coordinate lies outside 0 … extent − 1; NaN where it is none. */
static double outside(double at, int extent)
{
    if (isnan(at))
        return NAN;
    return fmax(fmax(-at, at - (extent - 1)), 0);
}

static bool check_range(const struct grid *grid, const struct stride *stride,
                        const struct spot *spot, struct finding *finding)
{
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    double worst = 0;
    for (int axis = 0; axis < grid_axes(grid); axis++) {
        double out = outside(stride->now[axis], extent[axis]);
        worst = isnan(out) || out > worst ? out : worst;
    }
    finding_within(finding, worst, 0, spot);
    return worst == 0;
}

static double length(const struct stride *stride)
{
    double square = 0;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        double way = stride->now[axis] - stride->before[axis];
        square += way * way;
    }
    return sqrt(square);
}

/* Positions are rounded where the agent stands, not where it starts from. */
static void check_speed(const struct grid *grid, const struct stride *stride,
                        const struct spot *spot, struct finding *finding)
{
    if (isnan(stride->speed)) {
        finding_skip(finding, 1, "the scenario tells no speed");
        return;
    }
    double over = length(stride) / (double)stride->steps - stride->speed;
    double extent = grid->nx + grid->ny + grid->nz;
    finding_within(finding, fmax(over, 0), 4 * 0x1p-53 * extent, spot);
}

void check_stride(const struct grid *grid, const uint8_t *wall,
                  const struct stride *stride,
                  const struct agent_findings *findings)
{
    struct spot spot = { -1, stride->agent, stride->step, -1 };
    bool inside = check_range(grid, stride, &spot, findings->range);
    if (inside)
        spot.cell = (int64_t)grid_nearest(grid, stride->now);
    if (!stride->steps)
        return;
    check_speed(grid, stride, &spot, findings->speed);
    if (!inside || length(stride) == 0)
        return;
    if (!wall)
        finding_skip(findings->walls, 1, "the map changed between two rows");
    else
        finding_within(findings->walls, wall[spot.cell] ? 1 : 0, 0, &spot);
}
