/* SPDX-License-Identifier: MIT */
/* The difference of two recordings, cell by cell at the same step. */
#ifndef HAMON_VIEW_DIFFERENCE_H
#define HAMON_VIEW_DIFFERENCE_H

#include "view/view.h"

struct difference;

/* From now on the view's values are those that it has, less those of the same
 * field, wave and place of the other recording, which is borrowed: at the same
 * step, or of a field that is the same at every step its one. Angles differ by
 * −180 … 180 degrees. NaN where either has no value, and where a wall stands in
 * the other alone; walls are the view's own. STATUS_INPUT where the grids or
 * the regions differ, or where the other has no such field or wave; and of
 * reading, where it has no such step. */
enum status view_subtract(struct view *view, const struct recording *other,
                          struct error *error);

/* The recording that is subtracted. */
const struct recording *difference_other(const struct difference *difference);

/* What a view holds for it: for a twin of the view, and away. */
enum status difference_twin(const struct difference *difference,
                            struct view *view, struct error *error);
void difference_release(struct difference *difference);

#endif
