/* SPDX-License-Identifier: MIT */
/* A recording written for other programs. */
#ifndef HAMON_TOOLS_LOOK_EXPORT_H
#define HAMON_TOOLS_LOOK_EXPORT_H

#include "base/output.h"
#include "tools/look/frames.h"
#include "view/view.h"

/* Writes an XDMF 2 file that shows the recording at `path`, beside which it
 * should stay: it names the recording's datasets and holds no values. Of a
 * recording with keyframes it shows the steps whose waves are stored; *steps
 * is how many it shows. */
enum status export_xdmf(const struct recording *recording, const char *path,
                        bool force, int64_t *steps, struct error *error);

/* A table of CSV: "trajectories", "arrivals", …; NULL ends. */
extern const char *const export_tables[];

/* Has the recording such a table, with at least one row? */
bool export_has_table(const struct recording *recording, const char *table);

/* Writes a table: RFC 4180 with LF, a header with units, reals as they are
 * read back equal. `path` "-" is stdout. */
enum status export_csv(const struct recording *recording, const char *table,
                       const char *path, bool force, struct error *error);

/* Writes the view's field at the rows as NPY 1.0, (rows, nz, ny, nx) without
 * the axes that have been chosen: rows where there is one, z in 2D and
 * (plane) in 3D. Amplitudes have their own precision, all else is f8. */
enum status export_npy(struct view *view, const struct frames *frames,
                       bool plane, const char *path, bool force,
                       struct error *error);

#endif
