/* SPDX-License-Identifier: MIT */
/* A path of cells that is walked from centre to centre: the part of it that is
 * entered before the next plan. Who has committed to a cell enters it, so the
 * next path starts from there. */
#ifndef HAMON_PURSUIT_ROUTE_H
#define HAMON_PURSUIT_ROUTE_H

#include "base/status.h"
#include "pursuit/agents.h"
#include "world/state.h"
#include "world/terrain.h"

#include <stddef.h>
#include <stdint.h>

struct route {
    int32_t *cells; /* (room) */
    size_t room;
    int64_t next, count; /* cells[next … count − 1] are still to enter */
    int64_t planned;     /* step of the last plan, or −1 */
};

/* Room for what is entered in `replan` steps at `speed` cells a step, and both
 * ends. Release with route_release. */
enum status route_init(struct route *route, const struct grid *grid,
                       double speed, int64_t replan, struct error *error);
void route_release(struct route *route);

/* The cell that is being entered, or the one that `at` lies in. */
size_t route_cell(const struct route *route, const struct grid *grid,
                  const double at[GRID_AXES]);

/* Takes the path that was planned at `step`; its first cell is route_cell's.
 * Of an empty path nothing is left to enter. */
void route_take(struct route *route, const int32_t *path, size_t count,
                int64_t step);

/* Goes `distance` cells along the route, or to its end, and returns what is
 * left of it; stops before a cell that was walled since the plan. */
double route_walk(struct route *route, const struct terrain *terrain,
                  double distance, double at[GRID_AXES]);

/* Moves an agent a step along its route, and where the route has ended in the
 * target's own cell on to the target (NULL: there is none). It is stuck where
 * it does not move. */
void route_follow(struct route *route, const struct terrain *terrain,
                  struct agents *agents, size_t agent, const double *target);

/* Goes `distance` far at most straight towards `goal`; returns what is left of
 * it behind the goal. */
double route_approach(double at[GRID_AXES], const double goal[GRID_AXES],
                      double distance);

/* For a restart. */
void route_state(struct route *route, const struct grid *grid,
                 struct state *state);

#endif
