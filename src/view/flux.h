/* SPDX-License-Identifier: MIT */
/* The energy flux of a wave, S = −∂z/∂t ∇z, from what is recorded. */
#ifndef HAMON_VIEW_FLUX_H
#define HAMON_VIEW_FLUX_H

#include "view/view.h"

struct flux;

/* Reads the plane of the flux's component along an axis, (cut.ny, cut.nx), of a
 * view of it. ∇z is the gradient of the row, and ∂z/∂t = ½(zᵏ⁺¹ − zᵏ⁻¹). Where
 * one of these two steps has another emission of the wave, or none, or is not
 * recorded, the difference of the other to zᵏ stands for it; NaN where both
 * have. STATUS_INPUT where neither is recorded. */
enum status flux_read_component(struct view *view, int axis, int64_t row,
                                double *plane, struct error *error);

/* What a view holds for it, NULL too. */
void flux_release(struct flux *flux);

#endif
