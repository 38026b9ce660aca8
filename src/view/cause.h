/* SPDX-License-Identifier: MIT */
/* The cause of a wrong heading, from the energy flux of the wave at the place
 * and time at which the heading was taken. Vectors are (x, y, z), in 2D with z
 * = 0. */
#ifndef HAMON_VIEW_CAUSE_H
#define HAMON_VIEW_CAUSE_H

#include "world/grid.h"

#include <stdbool.h>
#include <stdint.h>

enum cause {
    CAUSE_PHASE,    /* the wave travels away from the source, as expected */
    CAUSE_ECHO,     /* it travels back, toward the source */
    CAUSE_STANDING, /* it hardly travels */
    CAUSE_STENCIL,  /* it travels sideways, next to a wall or a corner */
    CAUSE_OTHER,    /* it travels sideways, in open space */
    CAUSE_UNKNOWN,  /* too little was recorded, or there is not a wave */
    CAUSES
};
extern const char *const cause_names[CAUSES];

/* The limits between the causes. */
struct cause_limits {
    double standing; /* standing if |⟨S⟩| / (c⟨e⟩) is below it */
    double cone;     /* radians from the path and its opposite */
};

/* .2 (an echo with .82 of the amplitude of the wave that it meets) and 60°. */
extern const struct cause_limits cause_usual_limits;

/* Weighted sums over the steps of a window, in units of the square of `scale`,
 * the largest slope or change so far: amplitudes reach from 1e-300 to 1e300.
 * Begin with zeros. */
struct cause_sums {
    double flux[GRID_AXES], energy, scale;
    double weight; /* of the steps added */
};

/* Adds a step: z at the step before and at the next, the gradient at this one,
 * the unit vector toward the source along the shortest path, and δ = c², in
 * cells per step. The flux is S = −∂z/∂t ∇z, the energy density e =
 * ½[(∂z/∂t)²/c² + (∂z/∂u)²], so that |S·u| ≤ c e. Only the slope along the path
 * counts: the slope across it belongs to the standing pattern that every guided
 * wave has between its walls. */
void cause_add(struct cause_sums *sums, double weight, double before,
               double after, const double gradient[GRID_AXES],
               const double toward[GRID_AXES], double delta);

/* The weight of step j, 0 … period, of a window: Hann's. Over at least one
 * period of a wave, whole or not, the mean flux of a standing wave is then at
 * most .03 of c times its energy density; with equal weights .16. */
double cause_weight(int64_t step, int64_t period);

/* The cause: unknown if less than half of the window was added or there is no
 * wave; else by the first rule that is true: standing, echo (⟨S⟩ within the
 * cone round `toward`), phase (within the cone round its opposite), stencil
 * (`beside_wall`: one of the 8 neighbours, in 3D 26, is a wall), other. */
enum cause cause_of(const struct cause_sums *sums,
                    const double toward[GRID_AXES], double delta,
                    int64_t period, bool beside_wall,
                    const struct cause_limits *limits);

/* The lowest frequency, radians a step, that propagates along a corridor of
 * this width with fixed walls: sin²(ω/2) = δ sin²(π/2(w + 1)). With free walls
 * w + 1 is replaced by w: the cutoff of the first mode that varies across. In a
 * duct `height` cells high (0: in 2D), with fixed walls the terms of both axes
 * are added; with free walls the larger side has the first mode. */
double cause_cutoff(double delta, int width, int height, bool fixed);

/* Steps of a window: one period of the cutoff, rounded. */
int64_t cause_period(double delta, int width, int height, bool fixed);

#endif
