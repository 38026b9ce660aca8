/* SPDX-License-Identifier: MIT */
/* The difference of two recordings, cell by cell at the same step. */
#ifndef HAMON_VIEW_DIFFERENCE_H
#define HAMON_VIEW_DIFFERENCE_H

#include "view/view.h"

/* Changes the view's values to the difference from the same field, wave and
 * place of the other recording, which is borrowed: at the same step, or for a
 * field that is the same at every step its only row. Angles differ by −180 …
 * 180 degrees. NaN if either has no value, and if only the other has a wall;
 * walls are the view's own. STATUS_INPUT if the grids or the regions differ, or
 * if the other has no such field or wave; and when reading, if it has no such
 * step. */
enum status view_subtract(struct view *view, const struct recording *other,
                          struct error *error);

/* STATUS_INPUT if the grids or the regions differ; the message begins with
 * `option` and says what requires equal ones. */
enum status difference_cells(const struct recording *one,
                             const struct recording *other, const char *option,
                             const char *what, struct error *error);

#endif
