/* SPDX-License-Identifier: MIT */
/* Readers of public problem files: starts, goals and the lengths of the
 * shortest paths between them.
 *
 *   .scen    "version 1" (or 1.0), then lines of bucket, map, width, height,
 *            start x y, goal x y, optimal length (Sturtevant 2012); fields
 *            are separated by tabs or, in a line without tabs, by blanks
 *   .3dscen  "version 1", a line with the map's name, then lines of start
 *            x y z, goal x y z, optimal length and its ratio to another
 *            heuristic (Brewer and Sturtevant 2018)
 *
 * Every error is STATUS_INPUT with file:line. A file is for one map. */
#ifndef HAMON_SEARCH_PROBLEMS_H
#define HAMON_SEARCH_PROBLEMS_H

#include "base/status.h"
#include "world/grid.h"

#include <stdbool.h>
#include <stddef.h>

struct problem {
    int start[GRID_AXES], goal[GRID_AXES];
    double optimal; /* with moves 8 (2D) or 26 (3D), no corner cut */
    int bucket;     /* as in the file; for .3dscen -1 */
    int line;       /* its line in the file */
};

struct problems {
    char *path; /* of the file */
    char *map;  /* as named in the file */
    int dims;
    int width, height; /* of the map, by the file; 0 in 3D */
    struct problem *items;
    size_t count;
};

/* By the file name's ending; problems is filled on success only. Release with
 * problems_release. */
enum status problems_load(const char *path, struct problems *problems,
                          struct error *error);
void problems_release(struct problems *problems);

/* The map's file: the name in the problems file, relative to that file's
 * folder. If there is no such file, the last part of the name in the same
 * folder, as the public sets are arranged. STATUS_INPUT for a name that leads
 * out of the folder, because the files may come from untrusted sources. `path`
 * is the caller's (memory_release). problems_leads_out: is the name absolute,
 * or does it contain the folder `..`? */
bool problems_leads_out(const char *name);
enum status problems_map_path(const struct problems *problems, char **path,
                              struct error *error);

/* Do the problems suit a map with this grid: its extents, every cell inside?
 * STATUS_INPUT if not. */
enum status problems_fit(const struct problems *problems,
                         const struct grid *grid, struct error *error);

/* Does a length agree with the optimum, which the files round to six digits:
 * within max(.006, 1e-5 · optimal)? */
bool problem_is_met(const struct problem *problem, double length);

#endif
