/* SPDX-License-Identifier: MIT */
/* The energy flux of a wave, S = −∂z/∂t ∇z, from the recorded rows. */
#ifndef HAMON_VIEW_FLUX_H
#define HAMON_VIEW_FLUX_H

#include "view/view.h"

/* Reads the plane of the flux's component along an axis, (cut.ny, cut.nx), of a
 * view of the flux. ∇z is the gradient of the row, and ∂z/∂t = ½(zᵏ⁺¹ − zᵏ⁻¹).
 * If one of these two steps has another emission of the wave, or none, or is
 * not recorded, the difference between the other and zᵏ is used; NaN if this
 * applies to both. STATUS_INPUT if neither is recorded. */
enum status flux_read_component(struct view *view, int axis, int64_t row,
                                double *plane, struct error *error);

#endif
