/* SPDX-License-Identifier: MIT */
/* Times by a graph of points spread on the faces between cells (Lanthier,
 * Maheshwari, Sack 1997): Dijkstra over straight pieces through one cell each.
 * The times are too long only because of the points' spacing, even at corners
 * where cells of different speeds touch and fast marching has a larger
 * error. */
#ifndef HAMON_SEARCH_FACE_GRAPH_H
#define HAMON_SEARCH_FACE_GRAPH_H

#include "search/sleeve.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct face_graph;

/* With faces divided into `parts` along each side, for up to `most` cells.
 * Release with face_graph_release. */
enum status face_graph_new(const struct terrain *terrain, int parts,
                           size_t most, struct face_graph **graph,
                           struct error *error);
void face_graph_release(struct face_graph *graph);

/* The times from both ends of a path over the free cells listed; the cell
 * `first` contains the point `start`, and `last` the point `end`. Allocates
 * nothing. */
void face_graph_solve(struct face_graph *graph, const int32_t *cells,
                      size_t count, int32_t first,
                      const double start[GRID_AXES], int32_t last,
                      const double end[GRID_AXES]);

/* The minimum time of a path between both ends that touches the face across
 * `axis` between the cell and the next one along it; INFINITY if there is none,
 * or one of the cells was not listed. *detour: only the passage through this
 * face makes the path slower than others. */
double face_graph_time(const struct face_graph *graph, int32_t cell, int axis,
                       bool *detour);

/* Adds the cells of this path, from the start to the end. */
enum status face_graph_route(const struct face_graph *graph, int32_t cell,
                             int axis, struct sleeve *sleeve,
                             struct error *error);

#endif
