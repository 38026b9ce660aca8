/* SPDX-License-Identifier: MIT */
/* A path of cells that is walked from centre to centre: the part of it that is
 * entered before the next plan.
 *
 * A walker is described by the cell that it left, the cell that it enters and
 * the distance walked between them; its position is computed from these. So
 * twenty steps of .05 are exactly one cell, and the rest of a step is walked
 * along the next edge (struct leg in motion.h). A walker that has begun to
 * enter a cell walks to its centre, and the next path starts there. */
#ifndef HAMON_PURSUIT_ROUTE_H
#define HAMON_PURSUIT_ROUTE_H

#include "base/status.h"
#include "pursuit/agents.h"
#include "pursuit/motion.h"
#include "world/state.h"
#include "world/terrain.h"

#include <stddef.h>
#include <stdint.h>

struct route {
    int32_t *cells; /* (room) */
    size_t room;
    int64_t next, count; /* cells[next … count − 1] are still to enter */
    int64_t planned;     /* step of the last plan, or −1 */
    int32_t left, cell;  /* the cell being entered or occupied, and the one
                          * before */
    struct leg leg;      /* to the centre of `cell` */
};

/* For a walker at `at`; between cells by the target's rule (target.h). Room for
 * the cells entered in `replan` steps at `speed` cells a step, and both ends.
 * Release with route_release. */
enum status route_init(struct route *route, const struct terrain *terrain,
                       const double at[GRID_AXES], double speed, int64_t replan,
                       struct error *error);
void route_release(struct route *route);

/* The cell that a plan starts from: the one being entered or occupied. If it
 * became a wall and the walker is not at its centre, the walker turns back to
 * the cell that it left. */
size_t route_cell(struct route *route, const struct terrain *terrain,
                  const double at[GRID_AXES]);

/* Takes the path that was planned at `step`; its first cell is route_cell's. An
 * empty path leaves no cell to enter. */
void route_take(struct route *route, const int32_t *path, size_t count,
                int64_t step);

/* Walks `distance` cells along the route, or to its end, and returns the rest
 * of the distance; stops before a cell that became a wall since the plan. */
double route_walk(struct route *route, const struct terrain *terrain,
                  double distance, double at[GRID_AXES]);

/* Ends the step of an agent that is at `at`, in the cell `cell`, with `left`
 * cells to walk: straight to the target if it is in the same cell (NULL: no
 * target). Sets its position, its heading and its state: stuck if it did not
 * move. The next leg begins at the point where it leaves the centre. */
void route_end_step(struct agents *agents, size_t agent, struct leg *leg,
                    const struct grid *grid, size_t cell, double at[GRID_AXES],
                    double left, const struct target *target);

/* Moves an agent one step along its route, and ends the step. */
void route_follow(struct route *route, const struct terrain *terrain,
                  struct agents *agents, size_t agent,
                  const struct target *target);

/* For a restart. */
void route_state(struct route *route, const struct grid *grid,
                 struct state *state);

#endif
