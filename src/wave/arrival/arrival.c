/* SPDX-License-Identifier: MIT */
#include "wave/arrival/arrival.h"

#include <math.h>
#include <stddef.h>

const char *const sum_stencil_names[] = { "wave", "matched", NULL };

const char *const heading_rule_names[] = {
    [HEADING_SIGNED] = "signed",       [HEADING_PAPER] = "paper",
    [HEADING_FLUX] = "flux",           [HEADING_ARRIVAL_TIME] = "arrival-time",
    [HEADING_ARRIVAL_TIME + 1] = NULL,
};

bool heading_unit(const double direction[GRID_AXES], double heading[GRID_AXES])
{
    /* Divided by the largest component first: the square of 2^-600 would be 0,
     * of 2^600 ∞. */
    double largest = 0, squares = 0;
    bool finite = true;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        finite = finite && isfinite(direction[axis]);
        largest = fmax(largest, fabs(direction[axis]));
        heading[axis] = 0;
    }
    if (!finite || !(largest > 0))
        return false;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        heading[axis] = direction[axis] / largest;
        squares += heading[axis] * heading[axis];
    }
    for (int axis = 0; axis < GRID_AXES; axis++)
        heading[axis] /= sqrt(squares);
    return true;
}
