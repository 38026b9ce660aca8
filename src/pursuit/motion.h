/* SPDX-License-Identifier: MIT */
/* How anything moves: a step along a heading, held back by walls. */
#ifndef HAMON_PURSUIT_MOTION_H
#define HAMON_PURSUIT_MOTION_H

#include "world/terrain.h"

#include <stdbool.h>

/* May something stand at this position: inside [0, n − 1] on every axis, its
 * nearest cell free? */
bool motion_is_free(const struct terrain *terrain, const double at[GRID_AXES]);

/* Moves `at` by speed·heading (a unit vector; speed in cells a step, at most
 * half a cell, so the end point decides). Where that is blocked the single
 * components are tried by falling magnitude (ties x, y, z), each at its own
 * length. False, and `at` as it was, where all are blocked. */
bool motion_step(const struct terrain *terrain, double at[GRID_AXES],
                 const double heading[GRID_AXES], double speed);

/* The Euclidean distance of two positions, cells. */
double motion_distance(const double a[GRID_AXES], const double b[GRID_AXES]);

#endif
