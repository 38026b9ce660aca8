/* SPDX-License-Identifier: MIT */
/* The transmission and reflection at a change of speed, measured on a pulse in
 * a strip one cell wide, along any axis, in 2D or 3D. */
#ifndef HAMON_ANALYSIS_STUDY_INTERFACE_H
#define HAMON_ANALYSIS_STUDY_INTERFACE_H

#include "recording/read/recording.h"

#include <stdbool.h>

struct interface {
    double c1, c2;     /* speeds on the source's side and beyond */
    bool conservative; /* speed_form */
    double sigma;      /* of the pulse at its source, cells */
    /* Amplitudes relative to the incident one's, with their signs: measured,
     * and by the law of plane waves. */
    double reflected, transmitted;
    double reflected_law, transmitted_law;
    int64_t before, after; /* the steps whose rows were measured */
};

/* R = (c2 − c1)/(c1 + c2) and T = 2c2/(c1 + c2) for c2-laplacian: z and ∂z are
 * continuous. Conservative: z and c²∂z are continuous, with the opposite R and
 * T = 2c1/(c1 + c2). */
void interface_law(double c1, double c2, bool conservative, double *reflected,
                   double *transmitted);

/* Are all free cells in one row of cells along x, y or z? */
enum status interface_is_strip(const struct recording *recording, bool *strip,
                               struct error *error);

/* The largest |value| within first … last, by the parabola through it and its
 * neighbours; 0 if there is none. */
double interface_peak(const double *values, int count, double first,
                      double last);

/* Follows the pulse of wave `wave`'s first emission towards the nearest change
 * of speed. STATUS_INPUT, with the requirement, if the recording is no such
 * strip: source gaussian, no damping, room of 5 sigma round each pulse at the
 * two measured steps, and these steps recorded. */
enum status interface_measure(const struct recording *recording, int wave,
                              struct interface *interface, struct error *error);

#endif
