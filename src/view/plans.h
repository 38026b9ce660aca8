/* SPDX-License-Identifier: MIT */
/* The paths that were planned in a run. */
#ifndef HAMON_VIEW_PLANS_H
#define HAMON_VIEW_PLANS_H

#include "recording/read/recording.h"
#include "world/grid.h"

enum plan_kind {
    PLAN_PATH,
    PLAN_PINCER,      /* round the paths of those that planned before it */
    PLAN_WAVE_PINCER, /* the same, by waves */
    PLAN_NODES,       /* relay nodes, with legs between them */
};

struct plans {
    int64_t count;
    uint8_t *kind; /* (count): an enum plan_kind */
    bool kindless; /* all PLAN_PATH: the agents' methods are not recorded */
    double *agent, *step;    /* (count) */
    size_t *first;           /* (count + 1): where each path starts */
    double *cell[GRID_AXES]; /* path after path; NULL: z in 2D */
};

/* Reads all of them; none if the run made none. Release with plans_release,
 * after a failure too. */
enum status plans_read(const struct recording *recording, struct plans *plans,
                       struct error *error);
void plans_release(struct plans *plans);

/* The colours (enum pincer_color, search/pincer.h) of the grid's cells that the
 * pursuers of each kind of pincer avoided when they planned last, at `step` or
 * before: of the paths of all but the last planner, whose path is not avoided.
 * Neighbours are by `moves`; walls have colours too. */
void plans_color(const struct plans *plans, const struct grid *grid, int moves,
                 int64_t step, uint8_t *color);

/* The agent's last plan made at `step` or before, or −1. */
int64_t plans_find(const struct plans *plans, int agent, int64_t step);

#endif
