/* SPDX-License-Identifier: MIT */
/* bench/search [SIDE [ROUNDS [METHOD]]]: every search over maps of SIDE × SIDE
 * cells (512): nanoseconds a reached cell for a whole field, microseconds and
 * expansions a query, medians over ROUNDS (9) rounds. The maps are those of
 * the notes on speed: random 25 %, rooms, a serpentine, an open field. */
#include "search/search.h"
#include "base/memory.h"
#include "base/random.h"
#include "clock.h"
#include "search/pincer.h"
#include "search_maps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MOST = 99, QUERIES = 25 };

static void measure(const char *map, const struct terrain *terrain, int moves,
                    const struct search *search, int rounds)
{
    struct passages *passages;
    struct search_workspace *workspace;
    struct random random;
    struct error error;
    double field[ROUNDS_MOST], query[ROUNDS_MOST], expansions = 0;
    random_seed(&random, 1);
    if (passages_new(terrain, moves, MEASURE_LENGTH, &passages, &error) ||
        search_workspace_new(search, passages, terrain, &workspace, &error)) {
        fprintf(stderr, "bench/search: %s\n", error.message);
        exit(EXIT_FAILURE);
    }
    for (int round = 0; round < rounds; round++) {
        struct search_query ask = { search_map_cell(terrain, &random),
                                    SEARCH_EVERYWHERE, NULL };
        struct search_result result;
        size_t reached = 0;
        search_run(workspace, &ask, &result);
        for (size_t i = 0; i < grid_cells(&terrain->grid); i++)
            reached += search_distance(workspace, i) < 1e300;
        field[round] = (double)result.nanoseconds / (double)reached;
        query[round] = 0;
        for (int i = 0; i < QUERIES; i++) {
            ask.from = search_map_cell(terrain, &random);
            ask.to = search_map_cell(terrain, &random);
            search_run(workspace, &ask, &result);
            query[round] += (double)result.nanoseconds / QUERIES / 1000;
            expansions += (double)result.expansions / QUERIES / rounds;
        }
    }
    printf("%-11s %-18s %5d %9.1f %9.1f %9.0f %11.1f\n", map, search->name,
           moves, clock_median(field, rounds), clock_median(query, rounds),
           expansions,
           (double)workspace->memory / (double)grid_cells(&terrain->grid));
    search_workspace_release(workspace);
    passages_release(passages);
}

/* Two adjacent pursuers plan for one evader: a round of pincer plans over a
 * round of Dijkstra's searches for the same ends, medians and their ratio. */
static void measure_pincer(const char *map, const struct terrain *terrain,
                           int moves, int rounds)
{
    struct passages *passages;
    struct search_workspace *dijkstra;
    struct pincer *pincer;
    struct random random;
    double plain[ROUNDS_MOST], planned[ROUNDS_MOST], ratio[ROUNDS_MOST];
    random_seed(&random, 2);
    if (passages_new(terrain, moves, MEASURE_STEPS, &passages, NULL) ||
        search_workspace_new(search_find("dijkstra"), passages, terrain,
                             &dijkstra, NULL) ||
        pincer_new(passages, 2, &pincer, NULL))
        exit(EXIT_FAILURE);
    for (int round = 0; round < rounds; round++) {
        plain[round] = planned[round] = 0;
        for (int i = 0; i < QUERIES; i++) {
            size_t pursuers[2] = { search_map_cell(terrain, &random) };
            size_t evader = search_map_cell(terrain, &random);
            struct search_result result;
            struct pincer_plan plan;
            pursuers[1] = pursuers[0] + 1;
            if (terrain->wall[pursuers[1]])
                pursuers[1] = pursuers[0];
            for (int k = 0; k < 2; k++) {
                struct search_query query = { pursuers[k], evader, NULL };
                search_run(dijkstra, &query, &result);
                plain[round] += (double)result.nanoseconds / QUERIES / 1000;
            }
            pincer_begin(pincer, pursuers, 2, evader);
            while (pincer_next(pincer, NULL, &plan))
                planned[round] +=
                    (double)plan.result.nanoseconds / QUERIES / 1000;
        }
        ratio[round] = planned[round] / plain[round];
    }
    printf("%-11s %-18s %5d %9s %9.1f   dijkstra %.1f, ratio %.2f\n", map,
           "pincer, 2", moves, "", clock_median(planned, rounds),
           clock_median(plain, rounds), clock_median(ratio, rounds));
    pincer_release(pincer);
    search_workspace_release(dijkstra);
    passages_release(passages);
}

int main(int count, char **arguments)
{
    int side = count > 1 ? atoi(arguments[1]) : 512;
    int rounds = count > 2 ? atoi(arguments[2]) : 9;
    const char *only = count > 3 ? arguments[3] : NULL;
    if (side < 8 || rounds < 1 || rounds > ROUNDS_MOST) {
        fputs("usage: search [SIDE [ROUNDS [METHOD]]], SIDE 8 or more, ROUNDS "
              "1 to 99\n",
              stderr);
        return 2;
    }
    printf("%-11s %-18s %5s %9s %9s %9s %11s\n", "map", "search", "moves",
           "ns/cell", "us/query", "expanded", "bytes/cell");
    for (int m = 0; m < SEARCH_MAPS; m++) {
        struct terrain terrain;
        if (search_map_make(&search_maps[m], side, &terrain, NULL))
            return 1;
        for (int i = 0; searches[i]; i++)
            for (int moves = 4; moves <= 8; moves += 4)
                if (!only || strcmp(only, searches[i]->name) == 0)
                    measure(search_maps[m].name, &terrain, moves, searches[i],
                            rounds);
        for (int moves = 4; moves <= 8; moves += 4)
            if (!only || strcmp(only, "pincer") == 0)
                measure_pincer(search_maps[m].name, &terrain, moves, rounds);
        terrain_release(&terrain);
    }
    return 0;
}
