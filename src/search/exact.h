/* SPDX-License-Identifier: MIT */
/* Exact shortest paths in the plane, 2D: the reference for headings.
 *
 * A cell is a closed unit square round its centre; outside the grid all is
 * wall. A path runs through free squares, may touch walls and slide along them,
 * and may not pass between two walls that touch at a corner. It is a taut
 * string: it turns only at corners, the lattice points (x ± ½, y ± ½) at which
 * one of the four cells is wall. Since no move of a search on the grid cuts a
 * corner, exact ≤ A* with 8 moves ≤ A* with 4.
 *
 * Costs, speeds and one-way cells do not count.
 *
 * From the source, and then from each corner in order of its distance, all that
 * is seen from it (behind a corner: the part round which a taut string bends)
 * is swept row by row as intervals between rays with whole-number directions,
 * as in Anya (Harabor and Grastien 2013), but for every goal at once.
 * Visibility is decided with integers; only lengths are rounded. */
#ifndef HAMON_SEARCH_EXACT_H
#define HAMON_SEARCH_EXACT_H

#include "base/status.h"
#include "world/terrain.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct exact;

/* 2D only (STATUS_INPUT). Release with exact_release. */
enum status exact_new(const struct terrain *terrain, struct exact **exact,
                      struct error *error);
void exact_release(struct exact *exact);

/* Finds the shortest paths from every free cell to the centre of the cell
 * `source`; false, and every distance INFINITY, if that is a wall or not on the
 * grid. Allocates nothing. */
bool exact_solve(struct exact *exact, size_t source);

/* Length of the shortest path from the cell's centre to the source; INFINITY if
 * there is none. */
double exact_distance(const struct exact *exact, size_t cell);

/* The point (x, y) at which the shortest path from the cell first turns, or the
 * source if it is straight; the true heading is from the cell to this point.
 * False if there is no path or the cell is the source. */
bool exact_next(const struct exact *exact, size_t cell, double next[2]);

/* Is the first turn, if it is a corner and not the source, within `radius`
 * cells of the cell's centre? (docs/reference/metrics.md, Shortest paths) */
bool exact_near_corner(const struct exact *exact, size_t cell, double radius);

enum { EXACT_REACH = 2 };

/* Does a second path, with another first heading, differ in length from the
 * shortest by at most `tolerance` ≤ EXACT_REACH: is the cell that near to the
 * cut locus? */
bool exact_on_cut(const struct exact *exact, size_t cell, double tolerance);

/* The turns of the shortest path: the cell's centre, corners, the source, as
 * (x, y). Writes the first `most` of them to points (which may be NULL) and
 * returns their number, 0 if there is no path. */
size_t exact_path(const struct exact *exact, size_t cell, double (*points)[2],
                  size_t most);

#endif
