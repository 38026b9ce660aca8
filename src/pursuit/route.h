/* SPDX-License-Identifier: MIT */
/* A path of cells that is walked from centre to centre: the part of it that is
 * entered before the next plan.
 *
 * A walker is at (cell that it left, cell that it enters, cells gone between
 * them); its position is computed from these. So .05 twenty times is one cell:
 * it arrives at a centre exactly, and what is left of a step goes on along the
 * next edge (struct leg in motion.h). A walker that has begun to enter a cell
 * goes on to its centre, and the next path starts there. */
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
    int32_t left, cell;  /* the cell being entered, or stood in, and the last */
    struct leg leg;      /* to the centre of `cell` */
};

/* For a walker that stands at `at`, between cells as the target (target.h).
 * Room for what is entered in `replan` steps at `speed` cells a step, and both
 * ends. Release with route_release. */
enum status route_init(struct route *route, const struct terrain *terrain,
                       const double at[GRID_AXES], double speed, int64_t replan,
                       struct error *error);
void route_release(struct route *route);

/* The cell that a plan starts from: the one being entered, or stood in. If that
 * was walled and the walker is not in its centre, it turns back to the cell
 * that it left. */
size_t route_cell(struct route *route, const struct terrain *terrain,
                  const double at[GRID_AXES]);

/* Takes the path that was planned at `step`; its first cell is route_cell's.
 * Of an empty path nothing is left to enter. */
void route_take(struct route *route, const int32_t *path, size_t count,
                int64_t step);

/* Goes `distance` cells along the route, or to its end, and returns what is
 * left of it; stops before a cell that was walled since the plan. */
double route_walk(struct route *route, const struct terrain *terrain,
                  double distance, double at[GRID_AXES]);

/* Ends the step of an agent that has come to `at` with `left` cells to go, in
 * the cell `cell`: straight on to the target if it is in the same cell (NULL:
 * there is none). Sets its place, its heading and its state: stuck if it did
 * not move. The next leg begins where it leaves the centre. */
void route_end_step(struct agents *agents, size_t agent, struct leg *leg,
                    const struct grid *grid, size_t cell, double at[GRID_AXES],
                    double left, const struct target *target);

/* Moves an agent a step along its route, and ends the step. */
void route_follow(struct route *route, const struct terrain *terrain,
                  struct agents *agents, size_t agent,
                  const struct target *target);

/* For a restart. */
void route_state(struct route *route, const struct grid *grid,
                 struct state *state);

#endif
