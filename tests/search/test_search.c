/* SPDX-License-Identifier: MIT */
#include "search/search.h"

#include "tests/search/search_maps.h"
#include "tests/suite.h"

static const struct {
    int dims, moves;
    enum measure measure;
    int with;
} kinds[] = {
    { 2, 4, MEASURE_LENGTH, 0 },
    { 2, 8, MEASURE_LENGTH, 0 },
    { 2, 8, MEASURE_STEPS, 0 },
    { 2, 8, MEASURE_LENGTH, WITH_COSTS | WITH_ARROWS },
    { 2, 4, MEASURE_STEPS, WITH_COSTS },
    { 3, 6, MEASURE_LENGTH, WITH_ARROWS },
    { 3, 26, MEASURE_LENGTH, 0 },
    { 3, 26, MEASURE_STEPS, WITH_COSTS },
    { 3, 26, MEASURE_LENGTH, WITH_COSTS | WITH_ARROWS },
};
enum { KINDS = sizeof kinds / sizeof *kinds, CELLS_MOST = 400 };

/* √3 is accurate to 6e-8, real costs to 1e-6 of their value. */
static void assert_near(double got, double expected)
{
    if (isinf(expected))
        ck_assert(isinf(got));
    else
        ck_assert_double_le(fabs(got - expected), 1e-6 * (1 + expected));
}

struct bench {
    struct terrain terrain;
    struct passages *passages;
    struct search_workspace *lee, *dijkstra, *astar;
};

static void bench_open(struct bench *bench, struct terrain terrain, int moves,
                       enum measure measure)
{
    bench->terrain = terrain;
    ck_assert_int_eq(
        passages_new(&bench->terrain, moves, measure, &bench->passages, NULL),
        STATUS_OK);
    const char *const names[] = { "lee", "dijkstra", "astar" };
    struct search_workspace **const places[] = { &bench->lee, &bench->dijkstra,
                                                 &bench->astar };
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(search_workspace_new(search_find(names[i]),
                                              bench->passages, &bench->terrain,
                                              places[i], NULL),
                         STATUS_OK);
}

static void bench_close(struct bench *bench)
{
    search_workspace_release(bench->lee);
    search_workspace_release(bench->dijkstra);
    search_workspace_release(bench->astar);
    passages_release(bench->passages);
    terrain_release(&bench->terrain);
}

static void open_chance(struct bench *bench, struct random *random, int kind)
{
    bool flat = kinds[kind].dims == 2;
    bench_open(bench,
               terrain_of_chance(random, kinds[kind].dims, flat ? 23 : 7,
                                 flat ? 17 : 9, flat ? 1 : 6, 0.3,
                                 kinds[kind].with),
               kinds[kind].moves, kinds[kind].measure);
}

START_TEST(dijkstra_finds_the_costs_of_relaxing_every_move)
    {
        struct random random;
        random_seed(&random, 2385);
        for (int round = 0; round < 6; round++) {
            struct bench bench;
            double cost[CELLS_MOST];
            open_chance(&bench, &random, _i);
            size_t from = free_cell(&bench.terrain, &random);
            oracle_costs(&bench.terrain, kinds[_i].moves, kinds[_i].measure,
                         from, cost);
            struct search_query query = { from, SEARCH_EVERYWHERE, NULL };
            struct search_result result;
            ck_assert(search_run(bench.dijkstra, &query, &result));
            uint64_t settled = 0;
            for (size_t i = 0; i < grid_cells(&bench.terrain.grid); i++) {
                assert_near(search_distance(bench.dijkstra, i), cost[i]);
                settled += isfinite(cost[i]);
            }
            ck_assert_uint_eq(result.expansions, settled);
            ck_assert_uint_eq(result.path_count, 0);
            bench_close(&bench);
        }
    }
END_TEST

START_TEST(paths_are_walkable_and_have_the_reported_cost)
    {
        struct random random;
        random_seed(&random, 91);
        struct bench bench;
        open_chance(&bench, &random, _i);
        struct random ties = random;
        for (int round = 0; round < 60; round++) {
            struct search_query query = { free_cell(&bench.terrain, &random),
                                          free_cell(&bench.terrain, &random),
                                          round % 2 ? &ties : NULL };
            double cost[CELLS_MOST];
            oracle_costs(&bench.terrain, kinds[_i].moves, kinds[_i].measure,
                         query.from, cost);
            struct search_workspace *const both[] = { bench.dijkstra,
                                                      bench.astar };
            for (int i = 0; i < 2; i++) {
                struct search_result result;
                bool found = search_run(both[i], &query, &result);
                assert_near(result.cost, cost[query.to]);
                ck_assert_int_eq(found, isfinite(cost[query.to]));
                if (!found)
                    continue;
                assert_near(oracle_path_cost(&bench.terrain, kinds[_i].measure,
                                             result.path, result.path_count),
                            cost[query.to]);
                ck_assert_uint_eq((size_t)result.path[0], query.from);
                ck_assert_uint_eq((size_t)result.path[result.path_count - 1],
                                  query.to);
            }
        }
        bench_close(&bench);
    }
END_TEST

START_TEST(astar_and_dijkstra_agree_to_the_bit_and_draw_the_same_path)
    {
        struct random random;
        random_seed(&random, 5);
        struct bench bench;
        open_chance(&bench, &random, _i);
        struct random dijkstra_ties = random, astar_ties = random;
        for (int round = 0; round < 200; round++) {
            size_t from = free_cell(&bench.terrain, &random);
            size_t to = free_cell(&bench.terrain, &random);
            struct search_query one = { from, to, &dijkstra_ties };
            struct search_query two = { from, to, &astar_ties };
            struct search_result dijkstra, astar;
            search_run(bench.dijkstra, &one, &dijkstra);
            search_run(bench.astar, &two, &astar);
            ck_assert_int_eq(dijkstra.outcome, astar.outcome);
            ck_assert(dijkstra.cost == astar.cost);
            ck_assert_uint_eq(dijkstra.path_count, astar.path_count);
            if (astar.path_count > 0)
                ck_assert_mem_eq(dijkstra.path, astar.path,
                                 astar.path_count * sizeof *astar.path);
            ck_assert_mem_eq(&dijkstra_ties, &astar_ties, sizeof astar_ties);
            two.ties = NULL;
            search_run(bench.astar, &two, &astar);
            ck_assert(dijkstra.cost == astar.cost);
        }
        bench_close(&bench);
    }
END_TEST

/* A workspace whose terrain gets its first costs, all of them 1, changes from
 * the lists for equal costs to the queue, and the results must not change. */
START_TEST(even_ground_and_costs_of_one_give_the_same_bits)
    {
        struct random random;
        random_seed(&random, 44);
        struct bench even, costed;
        struct random map = random;
        open_chance(&even, &map, _i);
        open_chance(&costed, &random, _i);
        size_t cells = grid_cells(&even.terrain.grid);
        terrain_prepare(&costed.terrain, CHANGE_COST, NULL);
        for (size_t i = 0; i < cells; i++)
            costed.terrain.cost[i] = 1;
        struct random even_ties = random, costed_ties = random;
        for (int round = 0; round < 60; round++) {
            size_t from = free_cell(&even.terrain, &random);
            struct search_query query = { from, SEARCH_EVERYWHERE, NULL };
            struct search_result one, two;
            if (round == 20)
                ck_assert_int_eq(passages_update(costed.passages,
                                                 &costed.terrain, NULL, NULL),
                                 STATUS_OK);
            ck_assert_int_eq(costed.passages->cost != NULL, round >= 20);
            search_run(even.dijkstra, &query, &one);
            search_run(costed.dijkstra, &query, &two);
            ck_assert_uint_eq(one.expansions, two.expansions);
            for (size_t i = 0; i < cells; i++)
                ck_assert(search_distance(even.dijkstra, i) ==
                          search_distance(costed.dijkstra, i));
            query.to = free_cell(&even.terrain, &random);
            query.ties = &even_ties;
            search_run(even.dijkstra, &query, &one);
            query.ties = &costed_ties;
            search_run(costed.dijkstra, &query, &two);
            ck_assert(one.cost == two.cost);
            ck_assert_uint_eq(one.path_count, two.path_count);
            if (one.path_count > 0)
                ck_assert_mem_eq(one.path, two.path,
                                 one.path_count * sizeof *one.path);
        }
        bench_close(&even);
        bench_close(&costed);
    }
END_TEST

START_TEST(lee_is_dijkstra_at_unit_costs)
    {
        struct random random;
        random_seed(&random, 17);
        for (int round = 0; round < 20; round++) {
            struct bench bench;
            const int moves = round % 2 ? 4 : 8;
            bench_open(&bench,
                       terrain_of_chance(&random, 2, 19, 21, 1, 0.35,
                                         round % 4 < 2 ? 0 : WITH_ARROWS),
                       moves, MEASURE_STEPS);
            size_t from = free_cell(&bench.terrain, &random);
            struct search_query query = { from, SEARCH_EVERYWHERE, NULL };
            struct search_result lee, dijkstra;
            search_run(bench.lee, &query, &lee);
            search_run(bench.dijkstra, &query, &dijkstra);
            ck_assert_uint_eq(lee.expansions, dijkstra.expansions);
            for (size_t i = 0; i < grid_cells(&bench.terrain.grid); i++)
                ck_assert(search_distance(bench.lee, i) ==
                          search_distance(bench.dijkstra, i));
            query.to = free_cell(&bench.terrain, &random);
            bool found = search_run(bench.lee, &query, &lee);
            ck_assert_int_eq(found,
                             search_run(bench.dijkstra, &query, &dijkstra));
            ck_assert(lee.cost == dijkstra.cost);
            if (found)
                ck_assert(oracle_path_cost(&bench.terrain, MEASURE_STEPS,
                                           lee.path,
                                           lee.path_count) == lee.cost);
            bench_close(&bench);
        }
    }
END_TEST

START_TEST(no_diagonal_cuts_a_corner)
    {
        struct bench bench;
        bench_open(&bench,
                   terrain_of_rows((const char *const[]){ "..", "@." }, 2), 8,
                   MEASURE_LENGTH);
        struct search_query query = { 0, 3, NULL };
        struct search_result result;
        ck_assert(search_run(bench.astar, &query, &result));
        ck_assert(result.length == 2);
        ck_assert_uint_eq(result.path_count, 3);
        bench_close(&bench);
        bench_open(&bench,
                   terrain_of_rows((const char *const[]){ ".@", "@." }, 2), 8,
                   MEASURE_LENGTH);
        ck_assert(!search_run(bench.astar, &query, &result));
        bench_close(&bench);
    }
END_TEST

START_TEST(length_is_euclidean_and_cost_is_the_minimised_quantity)
    {
        struct bench bench;
        bench_open(
            &bench,
            terrain_of_rows((const char *const[]){ "5555", "....", "...." }, 3),
            8, MEASURE_STEPS);
        struct search_query query = { 8, 7, NULL };
        struct search_result result;
        ck_assert(search_run(bench.dijkstra, &query, &result));
        ck_assert(result.cost == 3);
        ck_assert_double_eq_tol(result.length, 2 + sqrt(2), 1e-15);
        query.to = 3; /* once into a cell of cost 5 */
        ck_assert(search_run(bench.dijkstra, &query, &result));
        ck_assert(result.cost == 7);
        bench_close(&bench);
    }
END_TEST

START_TEST(random_ties_draw_every_shortest_path_equally)
    {
        struct bench bench;
        bench_open(
            &bench,
            terrain_of_rows((const char *const[]){ "...", "...", "..." }, 3), 4,
            MEASURE_LENGTH);
        struct random ties;
        random_seed(&ties, 3);
        int seen[512] = { 0 }, kinds_seen = 0;
        struct search_query query = { 0, 8, &ties };
        for (int i = 0; i < 6000; i++) {
            struct search_result result;
            search_run(bench.astar, &query, &result);
            int cells = 0;
            for (size_t k = 0; k < result.path_count; k++)
                cells |= 1 << result.path[k];
            seen[cells]++;
        }
        /* Six paths; if they are drawn step by step, the two along the edges
         * have probability 1/4, the other four 1/8: 5 standard deviations round
         * 1500 and 750. */
        for (int i = 0; i < 512; i++)
            if (seen[i]) {
                kinds_seen++;
                bool edge = !(i >> 4 & 1);
                ck_assert_int_lt(abs(seen[i] - (edge ? 1500 : 750)), 168);
            }
        ck_assert_int_eq(kinds_seen, 6);
        bench_close(&bench);
    }
END_TEST

START_TEST(impossible_searches_are_reported)
    {
        static const char *const rows[] = { "..@..", "..@.@", "..@@.",
                                            ">@..." };
        struct bench bench;
        bench_open(&bench, terrain_of_rows(rows, 4), 8, MEASURE_LENGTH);
        struct search_workspace *const all[] = { bench.lee, bench.dijkstra,
                                                 bench.astar };
        static const struct {
            size_t from, to;
            enum search_outcome outcome;
        } cases[] = {
            { 2, 0, SEARCH_START_BLOCKED },
            { 0, 2, SEARCH_GOAL_BLOCKED },
            { 20, 0, SEARCH_START_BLOCKED },
            { 0, 20, SEARCH_GOAL_BLOCKED },
            { SEARCH_EVERYWHERE, 0, SEARCH_START_BLOCKED },
            { 2, SEARCH_EVERYWHERE, SEARCH_START_BLOCKED },
            { 0, 4, SEARCH_UNREACHABLE },
            { 8, 14, SEARCH_UNREACHABLE }, /* touch only at a corner */
            { 15, 0,
              SEARCH_UNREACHABLE }, /* a trap: the arrow ends at a wall */
            { 0, 15, SEARCH_FOUND },
            { 7 + 1, 7 + 1, SEARCH_FOUND },
        };
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            for (int k = 0; k < 3; k++) {
                struct search_query query = { cases[i].from, cases[i].to,
                                              NULL };
                struct search_result result;
                search_run(all[k], &query, &result);
                ck_assert_int_eq(result.outcome, cases[i].outcome);
                bool found = result.outcome == SEARCH_FOUND;
                ck_assert_int_eq(found, result.path_count > 0);
                ck_assert_int_eq(found, isfinite(result.cost) != 0);
                if (cases[i].from == cases[i].to)
                    ck_assert(result.cost == 0 && result.path_count == 1);
            }
        bench_close(&bench);
        struct passages *passages;
        struct error error;
        struct terrain terrain = terrain_of_rows(rows, 4);
        ck_assert_int_eq(
            passages_new(&terrain, 6, MEASURE_LENGTH, &passages, &error),
            STATUS_INPUT);
        ck_assert_str_eq(error.message, "moves = 6 on a grid of 2 axes: 4 and "
                                        "8 are allowed");
        terrain_release(&terrain);
        ck_assert_ptr_null(search_find("Dijkstra"));
    }
END_TEST

/* On a huge grid the bases decrease fast: the workspace is cleared during the
 * test. */
START_TEST(a_workspace_gives_the_same_result_after_any_number_of_queries)
    {
        struct random random;
        random_seed(&random, 1);
        struct bench bench;
        struct terrain terrain =
            terrain_of_chance(&random, 2, 2000, 2000, 1, 0, WITH_COSTS);
        for (size_t i = 0; i < 4000000; i++)
            terrain.cost[i] = i ? 1 : 1e4;
        bench_open(&bench, terrain, 4, MEASURE_LENGTH);
        struct search_workspace *const all[] = { bench.lee, bench.dijkstra,
                                                 bench.astar };
        for (int k = 0; k < 3; k++)
            for (int i = 0; i < 2500; i++) {
                struct search_query query = { 77000, 77000, NULL };
                struct search_result result;
                ck_assert(search_run(all[k], &query, &result));
                query.to = i % 500 == 250 ? 77003 : 76998;
                ck_assert(search_run(all[k], &query, &result));
                ck_assert(result.cost == (i % 500 == 250 ? 3 : 2));
            }
        bench_close(&bench);
    }
END_TEST

START_TEST(passages_after_changes_equal_new_ones)
    {
        struct random random;
        random_seed(&random, 8);
        for (int dims = 2; dims <= 3; dims++) {
            struct terrain terrain = terrain_of_chance(
                &random, dims, 9, 8, dims == 2 ? 1 : 5, 0.3, WITH_ARROWS);
            const int extent[3] = { 9, 8, dims == 2 ? 1 : 5 };
            struct passages *updated, *made;
            passages_new(&terrain, dims == 2 ? 8 : 26, MEASURE_LENGTH, &updated,
                         NULL);
            for (int round = 0; round < 100; round++) {
                struct terrain_change change = {
                    .kind = (enum terrain_change_kind)random_below(&random, 5),
                    .value = 1 + 3 * random_unit(&random),
                    .direction = (enum direction)random_below(
                        &random, 2 * (uint64_t)dims),
                };
                for (int i = 0; i < 3; i++) {
                    change.box.low[i] =
                        (int)random_below(&random, (uint64_t)extent[i]);
                    change.box.high[i] =
                        change.box.low[i] +
                        (int)random_below(
                            &random, (uint64_t)(extent[i] - change.box.low[i]));
                }
                terrain_prepare(&terrain, change.kind, NULL);
                terrain_apply(&terrain, &change);
                ck_assert_int_eq(
                    passages_update(updated, &terrain, &change.box, NULL),
                    STATUS_OK);
                passages_new(&terrain, dims == 2 ? 8 : 26, MEASURE_LENGTH,
                             &made, NULL);
                size_t cells = (size_t)made->cells;
                ck_assert_mem_eq(updated->open, made->open,
                                 cells * sizeof *made->open);
                ck_assert_mem_eq(updated->wall, made->wall, cells);
                for (size_t i = 0; made->cost && i < cells; i++)
                    ck_assert(made->wall[i] ||
                              updated->cost[i] == made->cost[i]);
                passages_release(made);
            }
            passages_release(updated);
            terrain_release(&terrain);
        }
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("search");
    TCase *tests = tcase_create("search");
    tcase_add_loop_test(tests, dijkstra_finds_the_costs_of_relaxing_every_move,
                        0, KINDS);
    tcase_add_loop_test(tests, paths_are_walkable_and_have_the_reported_cost, 0,
                        KINDS);
    tcase_add_loop_test(
        tests, astar_and_dijkstra_agree_to_the_bit_and_draw_the_same_path, 0,
        KINDS);
    for (int kind = 0; kind < KINDS; kind++)
        if (!(kinds[kind].with & WITH_COSTS))
            tcase_add_loop_test(tests,
                                even_ground_and_costs_of_one_give_the_same_bits,
                                kind, kind + 1);
    tcase_add_test(tests, lee_is_dijkstra_at_unit_costs);
    tcase_add_test(tests, no_diagonal_cuts_a_corner);
    tcase_add_test(tests,
                   length_is_euclidean_and_cost_is_the_minimised_quantity);
    tcase_add_test(tests, random_ties_draw_every_shortest_path_equally);
    tcase_add_test(tests, impossible_searches_are_reported);
    tcase_add_test(
        tests, a_workspace_gives_the_same_result_after_any_number_of_queries);
    tcase_add_test(tests, passages_after_changes_equal_new_ones);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
