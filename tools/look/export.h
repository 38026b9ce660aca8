/* SPDX-License-Identifier: MIT */
/* A recording written for other programs. */
#ifndef HAMON_TOOLS_LOOK_EXPORT_H
#define HAMON_TOOLS_LOOK_EXPORT_H

#include "base/output.h"
#include "tools/look/frames.h"
#include "view/view.h"

/* Writes an XDMF 2 file that shows the recording at `path` and should be in the
 * same folder: it refers to the recording's datasets and contains no values.
 * For a recording with keyframes it shows the steps whose waves are stored;
 * *steps is their number. */
enum status export_xdmf(const struct recording *recording, const char *path,
                        bool force, int64_t *steps, struct error *error);

/* Writes a VTKHDF file of those of the frames whose waves are stored; it names
 * the recording's datasets, as XDMF does. */
enum status export_vtkhdf(const struct recording *recording,
                          const struct frames *frames, const char *path,
                          bool force, int64_t *steps, struct error *error);

/* Is it a field of the root that covers the region and is stored (rows computed
 * from keyframes are not)? And are all of these stored at a row? With keyframes
 * few rows are whole. */
bool export_is_field(const struct recording *recording,
                     const struct variable *variable);
bool export_is_whole(const struct recording *recording, int64_t row);

/* The recording's name (PATH_MAX bytes) as written in a file at `path`: without
 * folders if it is in the same folder, else its whole path. */
enum status export_name_recording(const struct recording *recording,
                                  const char *path, char *name,
                                  struct error *error);

/* The names of CSV tables: "trajectories", "arrivals", …; NULL ends. */
extern const char *const export_tables[];

/* Does the recording have this table, with at least one row? */
bool export_has_table(const struct recording *recording, const char *table);

/* Writes a table: RFC 4180 with LF, a header with units, reals with enough
 * digits to be read back equal. `path` "-" is stdout. */
enum status export_csv(const struct recording *recording, const char *table,
                       const char *path, bool force, struct error *error);

/* Writes the view's field at the rows as NPY 1.0, (rows, nz, ny, nx) without
 * the axes with a fixed position: rows if there is only one, z in 2D, and the
 * plane's axis in 3D. Amplitudes have their own precision, other fields are
 * f8. */
enum status export_npy(struct view *view, const struct frames *frames,
                       bool plane, const char *path, bool force,
                       struct error *error);

#endif
