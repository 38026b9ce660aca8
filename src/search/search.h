/* SPDX-License-Identifier: MIT */
/* Searches for a path on the grid: a table of constant entries with names, and
 * one workspace, one query and one result for all of them.
 *
 * A search takes passages (the moves that the terrain allows and their weights)
 * and two cells, and gives a path, its cost and its length. The caller owns the
 * workspace. A query allocates nothing, and needs no clearing: values left by
 * earlier queries differ from those of this one. A workspace belongs to one
 * thread; passages may be shared. */
#ifndef HAMON_SEARCH_SEARCH_H
#define HAMON_SEARCH_SEARCH_H

#include "base/random.h"
#include "base/status.h"
#include "search/passages.h"
#include "world/terrain.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As query.to: no goal, the whole field. */
#define SEARCH_EVERYWHERE SIZE_MAX

struct search_query {
    size_t from, to; /* cells of the grid */
    /* NULL: ties are fixed, the first move in the order of moves.h. Else they
     * are drawn from this stream, among all optimal paths: dijkstra and astar
     * then draw the same path from the same stream. */
    struct random *ties;
};

enum search_outcome {
    SEARCH_FOUND, /* of a whole field: always, if the start is free */
    SEARCH_UNREACHABLE,
    SEARCH_START_BLOCKED, /* a wall, or outside the grid */
    SEARCH_GOAL_BLOCKED,
};
/* "found", "no path", "the start is in a wall", "the goal is in a wall". */
extern const char *const search_outcome_names[];

struct search_result {
    enum search_outcome outcome;
    double cost;         /* the minimised cost; INFINITY: not found */
    double length;       /* Euclidean, from cell centre to cell centre; of the
                          * any-angle path for exact and fast-marching-fine */
    const int32_t *path; /* cells, start … goal; the workspace's, until its
                          * next query */
    size_t path_count;   /* 0 if not found, and for a whole field */
    uint64_t expansions; /* cells taken from the queue */
    /* Cells put into the queue, again when they became cheaper; 0 for the
     * searches that do not count them (fast marching, exact). */
    uint64_t generated;
    size_t memory; /* bytes of the workspace without passages */
    int64_t nanoseconds;
};

struct search;

struct search_workspace {
    const struct search *search;
    const struct passages *passages; /* borrowed, as is the terrain */
    const struct terrain *terrain;
    void *state; /* the search's own */
    int32_t *path;
    size_t path_count;
    size_t memory;
};

/* A search. Other code uses the functions below; each search is an entry of the
 * table. */
struct search {
    const char *name;
    /* Allocates workspace->state and adds its bytes to workspace->memory. */
    enum status (*prepare)(struct search_workspace *workspace,
                           struct error *error);
    void (*release)(struct search_workspace *workspace);
    /* Ends are free cells. Fills cost and expansions and the path; false if the
     * goal is not reached. */
    bool (*run)(struct search_workspace *workspace,
                const struct search_query *query, struct search_result *result);
    double (*distance)(const struct search_workspace *workspace, size_t cell);
    /* NULL if no state is kept from query to query. */
    enum status (*changed)(struct search_workspace *workspace,
                           const struct box *box, struct error *error);
};

/* lee          breadth first, every move weighs 1
 * dijkstra     costs, lengths or steps as the passages measure
 * astar        the same with an octile, Manhattan or Chebyshev bound
 * fast-marching  travel time T, |∇T| = 1/c (fast_marching.h)
 * fast-marching-fine  the same on a grid 3 times finer: the reference in 3D.
 *              Without speeds T is its length, that of the path of steepest
 *              descent, shorter than any path of whole cells
 * dstar-lite   as dijkstra, repairing its last search after changes of the
 *              map; a whole field has costs to the start, not from it
 * exact        shortest among all paths in the plane, 2D (exact.h) */
extern const struct search *const searches[]; /* ends with NULL */

/* The same entries by name, for the table. */
extern const struct search search_lee, search_dijkstra, search_astar;
extern const struct search search_fast_marching, search_fast_marching_fine;
extern const struct search search_dstar_lite, search_exact;

/* The search of this name, or NULL. */
const struct search *search_find(const char *name);

/* passages must be made of this terrain; both are borrowed. Release with
 * search_workspace_release. */
enum status search_workspace_new(const struct search *search,
                                 const struct passages *passages,
                                 const struct terrain *terrain,
                                 struct search_workspace **workspace,
                                 struct error *error);
void search_workspace_release(struct search_workspace *workspace);

/* Is a path (or field) found? *result is filled in both cases. */
bool search_run(struct search_workspace *workspace,
                const struct search_query *query, struct search_result *result);

/* The minimum cost from the last query's start to this cell (fast marching,
 * exact and dstar-lite: from the cell to the goal, if there was one); INFINITY
 * if the query did not reach it. After a query with a goal, cells with a higher
 * cost than the goal's may have more than their minimum cost. */
double search_distance(const struct search_workspace *workspace, size_t cell);

/* Call it after passages_update, for the same box. */
enum status search_changed(struct search_workspace *workspace,
                           const struct box *box, struct error *error);

/* A monotonic clock, of result.nanoseconds. */
int64_t search_nanoseconds(void);

/* The Euclidean length of the workspace's path. */
double search_path_length(const struct search_workspace *workspace);

#endif
