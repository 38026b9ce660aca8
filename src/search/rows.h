/* SPDX-License-Identifier: MIT */
/* The rows of the table of searches, each from the file of its name. */
#ifndef HAMON_SEARCH_ROWS_H
#define HAMON_SEARCH_ROWS_H

struct search;
extern const struct search search_lee;
extern const struct search search_dstar_lite;
extern const struct search search_exact; /* exact_row.c */
extern const struct search search_fast_marching,
    search_fast_marching_fine;                            /* marching_rows.c */
extern const struct search search_dijkstra, search_astar; /* best_first.c */

#endif
