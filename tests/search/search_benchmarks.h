/* SPDX-License-Identifier: MIT */
/* The searches on public problems: shared by make check, which tries a few, and
 * the long test, which tries all. */
#ifndef HAMON_TESTS_SEARCH_SEARCH_BENCHMARKS_H
#define HAMON_TESTS_SEARCH_SEARCH_BENCHMARKS_H

#include "base/memory.h"
#include "search/problems.h"
#include "search/search.h"
#include "tests/suite.h"
#include "world/maps/map.h"

#include <stdio.h>
#include <string.h>

static const char *const benchmark_files[] = {
    "2d/arena.map.scen",          "2d/den312d.map.scen",
    "2d/ht_chantry.map.scen",     "2d/lak303d.map.scen",
    "2d/Berlin_0_256.map.scen",   "2d/16room_000.map.scen",
    "2d/64room_000.map.scen",     "2d/maze512-1-0.map.scen",
    "2d/maze512-2-0.map.scen",    "2d/maze512-4-0.map.scen",
    "2d/maze512-8-0.map.scen",    "2d/maze512-16-0.map.scen",
    "2d/random512-10-0.map.scen", "3d/Simple.3dmap.3dscen",
};
enum {
    BENCHMARK_FILES = sizeof benchmark_files / sizeof *benchmark_files,
    BENCHMARK_3D_MOST = 1000,
};

static inline int by_start(const void *a, const void *b)
{
    const struct problem *one = a, *two = b;
    int order = memcmp(one->start, two->start, sizeof one->start);
    return order ? order : one->line - two->line;
}

static inline bool same_start(const struct problem *a, const struct problem *b)
{
    return memcmp(a->start, b->start, sizeof a->start) == 0;
}

/* Tries every stride-th problem: A* alone, Dijkstra once for each distinct
 * start, over the whole map if the start has several goals. Both must meet the
 * optimum. */
static inline void try_problems(const char *folder, const char *name,
                                size_t stride)
{
    char path[4096];
    struct problems problems;
    struct terrain terrain;
    struct passages *passages;
    struct search_workspace *astar, *dijkstra;
    struct error error;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    ck_assert_msg(!problems_load(path, &problems, &error), "%s", error.message);
    char *map;
    ck_assert_msg(!problems_map_path(&problems, &map, &error), "%s",
                  error.message);
    ck_assert_msg(!map_load(map, NULL, &terrain, &error), "%s", error.message);
    ck_assert_msg(!problems_fit(&problems, &terrain.grid, &error), "%s",
                  error.message);
    passages_new(&terrain, problems.dims == 2 ? 8 : 26, MEASURE_LENGTH,
                 &passages, NULL);
    search_workspace_new(search_find("astar"), passages, &terrain, &astar,
                         NULL);
    search_workspace_new(search_find("dijkstra"), passages, &terrain, &dijkstra,
                         NULL);
    size_t count = 0, misses = 0, most = problems.count;
    if (problems.dims == 3 && most > BENCHMARK_3D_MOST)
        most = BENCHMARK_3D_MOST;
    for (size_t i = 0; i < most; i += stride)
        problems.items[count++] = problems.items[i];
    qsort(problems.items, count, sizeof *problems.items, by_start);
    for (size_t i = 0; i < count; i++) {
        const struct problem *p = &problems.items[i];
        struct search_query query = {
            grid_index(&terrain.grid, p->start[0], p->start[1], p->start[2]),
            grid_index(&terrain.grid, p->goal[0], p->goal[1], p->goal[2]), NULL
        };
        struct search_result result;
        bool met = search_run(astar, &query, &result) &&
                   problem_is_met(p, result.length);
        if (i == 0 || !same_start(p, p - 1)) {
            struct search_query all = query;
            if (i + 1 < count && same_start(p, p + 1))
                all.to = SEARCH_EVERYWHERE;
            ck_assert(search_run(dijkstra, &all, &result));
        }
        met = met && problem_is_met(p, search_distance(dijkstra, query.to));
        misses += !met;
    }
    fprintf(stderr, "# %s: %zu of %zu problems, %zu misses\n", name, count,
            problems.count, misses);
    ck_assert_uint_eq(misses, 0);
    search_workspace_release(astar);
    search_workspace_release(dijkstra);
    passages_release(passages);
    terrain_release(&terrain);
    memory_release(map);
    problems_release(&problems);
}

#endif
