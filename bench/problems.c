/* SPDX-License-Identifier: MIT */
/* bench/problems FILE [ROUNDS]: Dijkstra and A* over all problems of a public
 * .scen file in turn, 8 moves, no corner cut: the mean time of a query in µs,
 * median of the rounds (9) [minimum, maximum], and the cells expanded a query.
 * Published figures of other programs are means over such files. */
#include "search/problems.h"
#include "base/memory.h"
#include "clock.h"
#include "search/search.h"
#include "world/maps/map.h"

#include <stdio.h>

enum { ROUNDS_MOST = 99 };

static void must(enum status status, const struct error *error)
{
    if (!status)
        return;
    fprintf(stderr, "problems: %s\n", error->message);
    exit(EXIT_FAILURE);
}

static size_t cell_of(const struct terrain *terrain, const int at[GRID_AXES])
{
    return grid_index(&terrain->grid, at[0], at[1], at[2]);
}

/* The mean time of a query in µs; *expansions: the mean of a query. */
static double run_all(const struct problems *problems,
                      const struct terrain *terrain,
                      struct search_workspace *workspace, double *expansions)
{
    double nanoseconds = 0, expanded = 0;
    for (size_t i = 0; i < problems->count; i++) {
        const struct problem *problem = &problems->items[i];
        struct search_result result;
        struct search_query query = { cell_of(terrain, problem->start),
                                      cell_of(terrain, problem->goal), NULL };
        search_run(workspace, &query, &result);
        nanoseconds += (double)result.nanoseconds;
        expanded += (double)result.expansions;
    }
    *expansions = expanded / (double)problems->count;
    return nanoseconds / 1000 / (double)problems->count;
}

static void measure(const struct problems *problems,
                    const struct terrain *terrain, int rounds)
{
    enum { METHODS = 2 };
    static const char *const names[METHODS] = { "dijkstra", "astar" };
    double took[METHODS][ROUNDS_MOST], expansions[METHODS];
    struct search_workspace *workspace[METHODS];
    struct passages *passages;
    struct error error;
    must(passages_new(terrain, 8, MEASURE_LENGTH, &passages, &error), &error);
    for (int i = 0; i < METHODS; i++)
        must(search_workspace_new(search_find(names[i]), passages, terrain,
                                  &workspace[i], &error),
             &error);
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < METHODS; i++)
            took[i][round] =
                run_all(problems, terrain, workspace[i], &expansions[i]);
    for (int i = 0; i < METHODS; i++) {
        double median = clock_median(took[i], rounds);
        printf("%-10s %5zu problems %8.1f us a query [%.1f, %.1f] %9.0f "
               "expanded\n",
               names[i], problems->count, median, took[i][0],
               took[i][rounds - 1], expansions[i]);
        search_workspace_release(workspace[i]);
    }
    passages_release(passages);
}

int main(int count, char **arguments)
{
    int rounds = count > 2 ? atoi(arguments[2]) : 9;
    struct problems problems;
    struct terrain terrain;
    struct error error;
    char *map;
    if (count < 2 || rounds < 1 || rounds > ROUNDS_MOST) {
        fputs("usage: problems FILE [ROUNDS]\n", stderr);
        return STATUS_INPUT;
    }
    must(problems_load(arguments[1], &problems, &error), &error);
    must(problems_map_path(&problems, &map, &error), &error);
    must(map_load(map, NULL, &terrain, &error), &error);
    must(problems_fit(&problems, &terrain.grid, &error), &error);
    measure(&problems, &terrain, rounds);
    memory_release(map);
    terrain_release(&terrain);
    problems_release(&problems);
    return 0;
}
