/* SPDX-License-Identifier: MIT */
#include "search/search.h"

#include "tests/search/search_maps.h"
#include "tests/suite.h"

#include <stdio.h>

struct pair {
    struct terrain terrain;
    struct passages *passages;
    struct search_workspace *dstar, *dijkstra;
};

static void pair_open(struct pair *pair, struct terrain terrain, int moves)
{
    pair->terrain = terrain;
    passages_new(&pair->terrain, moves, MEASURE_LENGTH, &pair->passages, NULL);
    ck_assert_int_eq(search_workspace_new(search_find("dstar-lite"),
                                          pair->passages, &pair->terrain,
                                          &pair->dstar, NULL),
                     STATUS_OK);
    search_workspace_new(search_find("dijkstra"), pair->passages,
                         &pair->terrain, &pair->dijkstra, NULL);
}

static void pair_close(struct pair *pair)
{
    search_workspace_release(pair->dstar);
    search_workspace_release(pair->dijkstra);
    passages_release(pair->passages);
    terrain_release(&pair->terrain);
}

/* Both searches run: the same outcome, the same cost to the bit, a path of this
 * cost. The expansions of D* Lite and of Dijkstra are added up. */
static void ask(struct pair *pair, const struct search_query *query,
                uint64_t expansions[2])
{
    struct search_result one, two;
    search_run(pair->dstar, query, &one);
    struct search_query other = { query->from, query->to, NULL };
    search_run(pair->dijkstra, &other, &two);
    ck_assert_int_eq(one.outcome, two.outcome);
    ck_assert(one.cost == two.cost);
    expansions[0] += one.expansions;
    expansions[1] += two.expansions;
    if (one.outcome != SEARCH_FOUND)
        return;
    ck_assert_int_eq(one.path[0], (int)query->from);
    ck_assert_int_eq(one.path[one.path_count - 1], (int)query->to);
    ck_assert_double_eq_tol(oracle_path_cost(&pair->terrain, MEASURE_LENGTH,
                                             one.path, one.path_count),
                            one.cost, 1e-6 * (1 + one.cost));
}

static void change_at_random(struct pair *pair, struct random *random,
                             int kinds)
{
    const struct grid *grid = &pair->terrain.grid;
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    static const double costs[] = { 1, 1.5, 5, 2.385, 0.5 };
    struct terrain_change change = {
        .kind = (enum terrain_change_kind)random_below(random, (uint64_t)kinds),
        .value = costs[random_below(random, 5)],
        .direction =
            (enum direction)random_below(random, 2 * (uint64_t)grid->dims),
    };
    for (int axis = 0; axis < GRID_AXES; axis++) {
        int low = (int)random_below(random, (uint64_t)extent[axis]);
        int high = low + (int)random_below(random, 3);
        change.box.low[axis] = low;
        change.box.high[axis] = high < extent[axis] ? high : extent[axis] - 1;
    }
    terrain_prepare(&pair->terrain, change.kind, NULL);
    terrain_apply(&pair->terrain, &change);
    ck_assert(
        !passages_update(pair->passages, &pair->terrain, &change.box, NULL));
    ck_assert(!search_changed(pair->dstar, &change.box, NULL));
    ck_assert(!search_changed(pair->dijkstra, &change.box, NULL));
}

static const struct {
    int dims, moves, with, kinds; /* kinds of change: walls and free, all */
} kinds[] = {
    { 2, 4, 0, 2 },
    { 2, 8, 0, 2 },
    { 2, 8, WITH_COSTS | WITH_ARROWS, 5 },
    { 3, 26, WITH_COSTS, 5 },
    { 3, 6, 0, 2 },
};

START_TEST(repaired_paths_cost_what_dijkstra_finds_after_each_change)
    {
        struct random random;
        random_seed(&random, 1000 + (uint64_t)_i);
        bool flat = kinds[_i].dims == 2;
        struct pair pair;
        pair_open(&pair,
                  terrain_of_chance(&random, kinds[_i].dims, flat ? 40 : 11,
                                    flat ? 30 : 9, flat ? 1 : 8, 0.25,
                                    kinds[_i].with),
                  kinds[_i].moves);
        struct random ties = random;
        struct search_query query = { free_cell(&pair.terrain, &random),
                                      free_cell(&pair.terrain, &random), NULL };
        uint64_t expansions[2] = { 0 };
        for (int round = 0; round < 1000; round++) {
            query.ties = round % 2 ? &ties : NULL;
            if (random_below(&random, 10) == 0)
                query.to = free_cell(&pair.terrain, &random);
            if (random_below(&random, 3) == 0)
                query.from = free_cell(&pair.terrain, &random);
            change_at_random(&pair, &random, kinds[_i].kinds);
            if (round % 7 == 0)
                change_at_random(&pair, &random, kinds[_i].kinds);
            ask(&pair, &query, expansions);
        }
        pair_close(&pair);
    }
END_TEST

START_TEST(a_repair_is_cheaper_than_a_new_search)
    {
        struct random random;
        random_seed(&random, 3);
        struct pair pair;
        pair_open(&pair, terrain_of_chance(&random, 2, 100, 100, 1, 0.2, 0), 8);
        pair.terrain.wall[0] = pair.terrain.wall[9999] = 0;
        passages_update(pair.passages, &pair.terrain, NULL, NULL);
        struct search_query query = { 0, 9999, NULL };
        uint64_t first[2] = { 0 }, later[2] = { 0 };
        ask(&pair, &query, first);
        for (int round = 0; round < 100; round++) {
            struct search_result result;
            if (search_run(pair.dijkstra, &query, &result) &&
                result.path_count > 2)
                query.from = (size_t)result.path[1];
            change_at_random(&pair, &random, 2);
            if (pair.terrain.wall[query.from] || pair.terrain.wall[9999])
                break;
            ask(&pair, &query, later);
        }
        printf("# expansions: D* Lite %lu, Dijkstra %lu\n",
               (unsigned long)later[0], (unsigned long)later[1]);
        fflush(stdout);
        ck_assert_uint_lt(10 * later[0], later[1]);
        pair_close(&pair);
    }
END_TEST

START_TEST(a_whole_field_leads_to_the_start)
    {
        struct random random;
        random_seed(&random, 9);
        struct pair pair;
        pair_open(&pair, terrain_of_chance(&random, 2, 20, 20, 1, 0.3, 0), 8);
        struct search_query query = { free_cell(&pair.terrain, &random),
                                      SEARCH_EVERYWHERE, NULL };
        struct search_result result;
        ck_assert(search_run(pair.dstar, &query, &result));
        ck_assert(search_run(pair.dijkstra, &query, &result));
        for (size_t i = 0; i < 400; i++) /* symmetric: no costs, no arrows */
            ck_assert(search_distance(pair.dstar, i) ==
                      search_distance(pair.dijkstra, i));
        uint64_t expansions[2] = { 0 };
        query.to = free_cell(&pair.terrain, &random);
        ask(&pair, &query, expansions);
        pair_close(&pair);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("dstar_lite");
    TCase *tests = tcase_create("dstar_lite");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(
        tests, repaired_paths_cost_what_dijkstra_finds_after_each_change, 0,
        sizeof kinds / sizeof *kinds);
    tcase_add_test(tests, a_repair_is_cheaper_than_a_new_search);
    tcase_add_test(tests, a_whole_field_leads_to_the_start);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
