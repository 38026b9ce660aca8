/* SPDX-License-Identifier: MIT */
#include "pursuit/target.h"

#include "pursuit/motion.h"
#include "wave/arrival/arrival.h"

#include <math.h>
#include <string.h>

enum { HOLD_LEAST = 20, HOLD_KINDS = TARGET_HELD_MOST - HOLD_LEAST };

/* Uniform on the circle; in 3D on the sphere (Archimedes: z uniform). */
static void draw_heading(struct target *target, int dims)
{
    struct random *random = &target->random;
    double angle = 2 * M_PI * random_unit(random);
    double z = dims == 3 ? 2 * random_unit(random) - 1 : 0;
    double flat = sqrt(1 - z * z);
    target->heading[0] = flat * cos(angle);
    target->heading[1] = flat * sin(angle);
    target->heading[2] = z;
    target->held = HOLD_LEAST + (int64_t)random_below(random, HOLD_KINDS);
}

/* A blocked step is not made; the next one has another direction. */
static void step_random(struct target *target, const struct terrain *terrain)
{
    if (target->held == 0)
        draw_heading(target, terrain->grid.dims);
    target->held--;
    double end[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++)
        end[axis] = target->at[axis] + motion_round(target->settings->speed *
                                                    target->heading[axis]);
    if (motion_is_free(terrain, end))
        memcpy(target->at, end, sizeof end);
    else
        target->held = 0;
}

static void step_waypoints(struct target *target, const struct terrain *terrain)
{
    const struct target_settings *settings = target->settings;
    if (settings->waypoint_count == 0)
        return;
    const double *written = &settings->waypoints[GRID_AXES * target->waypoint];
    double goal[GRID_AXES], way[GRID_AXES], heading[GRID_AXES];
    double end[GRID_AXES];
    motion_place(written, goal);
    for (int axis = 0; axis < GRID_AXES; axis++)
        way[axis] = goal[axis] - target->at[axis];
    if (heading_unit(way, heading))
        memcpy(target->heading, heading, sizeof target->heading);
    if (motion_distance(goal, target->at) <= settings->speed + MOTION_NEAR) {
        if (motion_is_free(terrain, goal))
            memcpy(target->at, goal, sizeof target->at);
        leg_begin(&target->leg, target->at);
        target->waypoint = (target->waypoint + 1) % settings->waypoint_count;
        return;
    }
    leg_look(&target->leg, goal, settings->speed, end);
    if (motion_is_free(terrain, end)) {
        leg_go(&target->leg, goal, settings->speed, target->at);
        return;
    }
    motion_step_aside(terrain, NULL, target->at, target->heading,
                      settings->speed);
    leg_begin(&target->leg, target->at);
}

void target_stand(struct target *target, const struct terrain *terrain)
{
    const double lean[GRID_AXES] = { 0 };
    target->cell = (int64_t)motion_cell_leaning(terrain, target->at, lean);
    leg_begin(&target->leg, target->at);
}

void target_step(struct target *target, const struct terrain *terrain)
{
    switch (target->settings->motion) {
    case MOTION_RANDOM:
        step_random(target, terrain);
        break;
    case MOTION_WAYPOINTS:
        step_waypoints(target, terrain);
        break;
    case MOTION_STILL:
    case MOTION_EVADE:
    case MOTION_FARTHEST_SAFE:
        break;
    }
    target->cell =
        (int64_t)motion_cell_after(terrain, target->at, (size_t)target->cell);
}
