/* SPDX-License-Identifier: MIT */
#include "search/pincer.h"

#include "tests/search/search_maps.h"
#include "tests/suite.h"

enum { CELLS_MOST = 500 };

/* One search exactly by the rules: of the cells that are allowed and not
 * settled, the one with the lowest cost from a settled cell is settled, again
 * and again; if none is left, the next colour after *allowed is allowed. */
static double oracle(const struct terrain *terrain, int moves,
                     enum measure measure, const enum pincer_color *color,
                     size_t start, size_t goal, enum pincer_color *allowed)
{
    const struct grid *grid = &terrain->grid;
    size_t cells = grid_cells(grid);
    double cost[CELLS_MOST];
    bool settled[CELLS_MOST] = { false };
    cost[start] = 0;
    settled[start] = true;
    while (!settled[goal]) {
        double best = INFINITY;
        size_t chosen = 0;
        for (size_t i = 0; i < cells; i++) {
            int at[GRID_AXES];
            grid_cell(grid, i, at);
            for (int d = 0; settled[i] && d < moves; d++) {
                const struct move *move = &moves_of(grid)[d];
                if (!oracle_allows(terrain, at, move->step))
                    continue;
                size_t to =
                    grid_index(grid, at[0] + move->step[0],
                               at[1] + move->step[1], at[2] + move->step[2]);
                double next =
                    cost[i] +
                    (measure == MEASURE_STEPS ? 1 : sqrt(move->axes)) *
                        (terrain->cost ? terrain->cost[to] : 1);
                if (settled[to] || (to != goal && color[to] > *allowed) ||
                    next >= best)
                    continue;
                best = next;
                chosen = to;
            }
        }
        if (isfinite(best)) {
            cost[chosen] = best;
            settled[chosen] = true;
        } else if (*allowed == PINCER_YELLOW) {
            return INFINITY;
        } else {
            ++*allowed;
        }
    }
    return cost[goal];
}

/* Colours after a path, exactly by the rules. */
static void oracle_color(const struct terrain *terrain, int moves,
                         const struct search_result *result, size_t goal,
                         enum pincer_color *color)
{
    const struct grid *grid = &terrain->grid;
    for (size_t i = 0; i < result->path_count; i++)
        if ((size_t)result->path[i] != goal)
            color[result->path[i]] = PINCER_YELLOW;
    for (size_t i = 0; i < result->path_count; i++)
        for (int d = 0; d < moves && (size_t)result->path[i] != goal; d++) {
            const int *step = moves_of(grid)[d].step;
            int at[GRID_AXES];
            grid_cell(grid, (size_t)result->path[i], at);
            if (!grid_holds(grid, at[0] + step[0], at[1] + step[1],
                            at[2] + step[2]))
                continue;
            size_t to = grid_index(grid, at[0] + step[0], at[1] + step[1],
                                   at[2] + step[2]);
            if (to != goal && !terrain->wall[to] && color[to] == PINCER_WHITE)
                color[to] = PINCER_GREEN;
        }
}

static const struct {
    int dims, moves;
    enum measure measure;
    int with;
} kinds[] = {
    { 2, 4, MEASURE_STEPS, 0 },
    { 2, 8, MEASURE_STEPS, 0 },
    { 2, 8, MEASURE_LENGTH, WITH_ARROWS },
    { 2, 4, MEASURE_STEPS, WITH_COSTS },
    { 2, 8, MEASURE_LENGTH, WITH_COSTS | WITH_ARROWS },
    { 3, 26, MEASURE_STEPS, 0 },
};

START_TEST(plans_follow_the_rules_exactly)
    {
        struct random random;
        random_seed(&random, 2025);
        int seen[3] = { 0 }, dearer = 0;
        for (int round = 0; round < 60 / suite_every(1); round++) {
            bool flat = kinds[_i].dims == 2;
            struct terrain terrain = terrain_of_chance(
                &random, kinds[_i].dims, flat ? 16 : 6, flat ? 14 : 5,
                flat ? 1 : 5, 0.25, kinds[_i].with);
            struct passages *passages;
            struct pincer *pincer;
            passages_new(&terrain, kinds[_i].moves, kinds[_i].measure,
                         &passages, NULL);
            ck_assert_int_eq(pincer_new(passages, 4, &pincer, NULL), STATUS_OK);
            for (int again = 0; again < 4; again++) {
                enum pincer_color color[CELLS_MOST] = { PINCER_WHITE };
                size_t pursuers[4], goal = free_cell(&terrain, &random);
                for (int i = 0; i < 4; i++)
                    pursuers[i] = free_cell(&terrain, &random);
                pincer_begin(pincer, pursuers, 4, goal);
                struct pincer_plan plan;
                struct random ties = random;
                int turn = 0;
                while (pincer_next(pincer, again % 2 ? &ties : NULL, &plan)) {
                    size_t start = pursuers[plan.pursuer];
                    turn++;
                    enum pincer_color allowed = PINCER_WHITE;
                    double cost =
                        oracle(&terrain, kinds[_i].moves, kinds[_i].measure,
                               color, start, goal, &allowed);
                    ck_assert_int_eq(isfinite(cost) != 0,
                                     plan.result.outcome == SEARCH_FOUND);
                    ck_assert_int_eq(plan.allowed, allowed);
                    seen[allowed]++;
                    if (!isfinite(cost))
                        continue;
                    ck_assert_double_eq_tol(plan.result.cost, cost,
                                            1e-6 * (1 + cost));
                    ck_assert_double_eq_tol(
                        oracle_path_cost(&terrain, kinds[_i].measure,
                                         plan.result.path,
                                         plan.result.path_count),
                        cost, 1e-6 * (1 + cost));
                    /* Costs settled before a colour was allowed are kept, even
                     * if that colour would give a shorter path to the same
                     * cell. */
                    dearer += cost > 1e-9 + oracle(&terrain, kinds[_i].moves,
                                                   kinds[_i].measure, color,
                                                   start, goal, &allowed);
                    for (size_t i = 1; i + 1 < plan.result.path_count; i++)
                        ck_assert_int_le(color[plan.result.path[i]], allowed);
                    oracle_color(&terrain, kinds[_i].moves, &plan.result, goal,
                                 color);
                    /* The last pursuer's path is not avoided by any other. */
                    if (turn == 4)
                        continue;
                    for (size_t i = 0; i < grid_cells(&terrain.grid); i++)
                        ck_assert_int_eq(pincer_color_of(pincer, i), color[i]);
                }
            }
            pincer_release(pincer);
            passages_release(passages);
            terrain_release(&terrain);
        }
        for (int i = 0; i < 3; i++)
            ck_assert_int_gt(seen[i], 10);
        ck_assert_int_gt(dearer, 0);
    }
END_TEST

/* Both searches, over the same rounds: that by levels of cost, and that
 * which accepts any weights. */
START_TEST(the_search_by_steps_draws_the_paths_of_the_search_by_weights)
    {
        struct random random;
        random_seed(&random, 1969);
        int suited = 0, failed = 0, colors[3] = { 0 };
        for (int round = 0; round < 300; round++) {
            bool flat = kinds[_i].dims == 2;
            struct terrain terrain = terrain_of_chance(
                &random, kinds[_i].dims, flat ? 20 : 7, flat ? 20 : 6,
                flat ? 1 : 5, 0.05 * (double)(round % 8), kinds[_i].with);
            for (size_t i = 0; terrain.cost && i < grid_cells(&terrain.grid);
                 i++)
                terrain.cost[i] = (double)(1 + random_below(&random, 7));
            struct passages *passages;
            struct pincer *steps, *weights;
            passages_new(&terrain, kinds[_i].moves, kinds[_i].measure,
                         &passages, NULL);
            pincer_new(passages, 4, &steps, NULL);
            pincer_new(passages, 4, &weights, NULL);
            pincer_use_weights(weights);
            ck_assert(!pincer_uses_steps(weights));
            suited += pincer_uses_steps(steps);
            struct random one = random, two = random;
            for (int again = 0; again < 6; again++) {
                size_t pursuers[4], goal = free_cell(&terrain, &random);
                for (int i = 0; i < 4; i++)
                    pursuers[i] = free_cell(&terrain, &random);
                pincer_begin(steps, pursuers, 4, goal);
                pincer_begin(weights, pursuers, 4, goal);
                struct pincer_plan a, b;
                while (pincer_next(steps, &one, &a)) {
                    ck_assert(pincer_next(weights, &two, &b));
                    ck_assert_int_eq(a.pursuer, b.pursuer);
                    ck_assert_int_eq(a.allowed, b.allowed);
                    colors[a.allowed]++;
                    ck_assert_int_eq(a.result.outcome, b.result.outcome);
                    ck_assert_double_eq(a.result.cost, b.result.cost);
                    ck_assert(a.result.length == b.result.length);
                    ck_assert_uint_eq(a.result.path_count, b.result.path_count);
                    if (a.result.outcome != SEARCH_FOUND) {
                        ck_assert_uint_gt(a.result.expansions, 0);
                        ck_assert_uint_eq(a.result.expansions,
                                          b.result.expansions);
                        failed++;
                    }
                    if (a.result.path_count > 0)
                        ck_assert_mem_eq(a.result.path, b.result.path,
                                         a.result.path_count * sizeof(int32_t));
                    ck_assert_mem_eq(&one, &two, sizeof one);
                }
            }
            pincer_release(steps);
            pincer_release(weights);
            passages_release(passages);
            terrain_release(&terrain);
        }
        /* Lengths of diagonals are not whole steps. */
        bool whole = kinds[_i].measure == MEASURE_STEPS || kinds[_i].moves == 4;
        ck_assert_int_eq(suited, whole ? 300 : 0);
        ck_assert_int_gt(failed, 10);
        for (int i = 0; i < 3; i++)
            ck_assert_int_gt(colors[i], 10);
    }
END_TEST

struct setup {
    struct terrain terrain;
    struct passages *passages;
    struct pincer *pincer;
};

static void setup_open(struct setup *setup, const char *const *rows, int count,
                       int moves)
{
    setup->terrain = terrain_of_rows(rows, count);
    passages_new(&setup->terrain, moves, MEASURE_STEPS, &setup->passages, NULL);
    pincer_new(setup->passages, 3, &setup->pincer, NULL);
}

static void setup_close(struct setup *setup)
{
    pincer_release(setup->pincer);
    passages_release(setup->passages);
    terrain_release(&setup->terrain);
}

static void assert_path(const struct pincer_plan *plan, const int32_t *cells,
                        size_t count)
{
    ck_assert_uint_eq(plan->result.path_count, count);
    if (count > 0)
        ck_assert_mem_eq(plan->result.path, cells, count * sizeof *cells);
}

START_TEST(the_second_path_avoids_the_first)
    {
        static const char *const rows[] = { ".....", ".....", ".....", ".....",
                                            "....." };
        struct setup setup;
        setup_open(&setup, rows, 5, 4);
        /* The evader in the middle; the second pursuer is the nearer. */
        size_t pursuers[] = { 15, 10 };
        struct pincer_plan plan;
        pincer_begin(setup.pincer, pursuers, 2, 12);
        ck_assert(pincer_next(setup.pincer, NULL, &plan));
        ck_assert_int_eq(plan.pursuer, 1);
        assert_path(&plan, (const int32_t[]){ 10, 11, 12 }, 3);
        ck_assert_int_eq(pincer_color_of(setup.pincer, 10), PINCER_YELLOW);
        ck_assert_int_eq(pincer_color_of(setup.pincer, 11), PINCER_YELLOW);
        ck_assert_int_eq(pincer_color_of(setup.pincer, 12), PINCER_WHITE);
        ck_assert_int_eq(pincer_color_of(setup.pincer, 16), PINCER_GREEN);
        ck_assert_int_eq(pincer_color_of(setup.pincer, 17), PINCER_WHITE);
        ck_assert(pincer_next(setup.pincer, NULL, &plan));
        ck_assert_int_eq(plan.pursuer, 0);
        ck_assert_int_eq(plan.allowed, PINCER_WHITE);
        assert_path(&plan, (const int32_t[]){ 15, 20, 21, 22, 17, 12 }, 6);
        ck_assert(!pincer_next(setup.pincer, NULL, &plan));
        setup_close(&setup);
    }
END_TEST

START_TEST(without_a_path_green_and_then_yellow_are_allowed)
    {
        struct setup setup;
        struct pincer_plan plan;
        setup_open(&setup, (const char *const[]){ "......" }, 1, 4);
        pincer_begin(setup.pincer, (const size_t[]){ 2, 0 }, 2, 5);
        pincer_next(setup.pincer, NULL, &plan);
        pincer_next(setup.pincer, NULL, &plan);
        ck_assert_int_eq(plan.allowed, PINCER_YELLOW);
        assert_path(&plan, (const int32_t[]){ 0, 1, 2, 3, 4, 5 }, 6);
        setup_close(&setup);
        setup_open(&setup, (const char *const[]){ "......", "......" }, 2, 4);
        pincer_begin(setup.pincer, (const size_t[]){ 1, 6 }, 2, 5);
        pincer_next(setup.pincer, NULL, &plan);
        assert_path(&plan, (const int32_t[]){ 1, 2, 3, 4, 5 }, 5);
        pincer_next(setup.pincer, NULL, &plan);
        ck_assert_int_eq(plan.allowed, PINCER_GREEN);
        assert_path(&plan, (const int32_t[]){ 6, 7, 8, 9, 10, 11, 5 }, 7);
        setup_close(&setup);
    }
END_TEST

START_TEST(a_first_plan_is_dijkstras_with_the_same_random_draws)
    {
        struct random random;
        random_seed(&random, 10);
        struct terrain terrain =
            terrain_of_chance(&random, 2, 20, 20, 1, 0.2, 0);
        struct passages *passages;
        struct pincer *pincer;
        struct search_workspace *dijkstra;
        passages_new(&terrain, 4, MEASURE_STEPS, &passages, NULL);
        pincer_new(passages, 1, &pincer, NULL);
        search_workspace_new(search_find("dijkstra"), passages, &terrain,
                             &dijkstra, NULL);
        struct random one = random, two = random;
        for (int i = 0; i < 200 / suite_every(1); i++) {
            size_t from = free_cell(&terrain, &random);
            struct search_query query = { from, free_cell(&terrain, &random),
                                          &two };
            struct search_result result;
            struct pincer_plan plan;
            pincer_begin(pincer, &from, 1, query.to);
            ck_assert(pincer_next(pincer, &one, &plan));
            search_run(dijkstra, &query, &result);
            ck_assert_int_eq(plan.result.outcome, result.outcome);
            ck_assert(plan.result.cost == result.cost);
            ck_assert(plan.result.length == result.length);
            assert_path(&plan, result.path, result.path_count);
        }
        search_workspace_release(dijkstra);
        pincer_release(pincer);
        passages_release(passages);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(pursuers_without_a_path_are_reported_and_color_nothing)
    {
        struct setup setup;
        struct pincer_plan plan;
        setup_open(&setup, (const char *const[]){ "..@.", "..@@" }, 2, 8);
        pincer_begin(setup.pincer, (const size_t[]){ 3, 2, 0 }, 3, 1);
        enum search_outcome outcomes[3];
        while (pincer_next(setup.pincer, NULL, &plan))
            outcomes[plan.pursuer] = plan.result.outcome;
        ck_assert_int_eq(outcomes[0], SEARCH_UNREACHABLE);
        ck_assert_int_eq(outcomes[1], SEARCH_START_BLOCKED);
        ck_assert_int_eq(outcomes[2], SEARCH_FOUND);
        ck_assert_int_eq(pincer_color_of(setup.pincer, 3), PINCER_WHITE);
        pincer_begin(setup.pincer, (const size_t[]){ 0 }, 1, 2);
        pincer_next(setup.pincer, NULL, &plan);
        ck_assert_int_eq(plan.result.outcome, SEARCH_GOAL_BLOCKED);
        pincer_begin(setup.pincer, (const size_t[]){ 0 }, 1, 0);
        pincer_next(setup.pincer, NULL, &plan);
        ck_assert_int_eq(plan.result.outcome, SEARCH_FOUND);
        ck_assert_uint_eq(plan.result.path_count, 1);
        pincer_begin(setup.pincer, NULL, 0, 0);
        ck_assert(!pincer_next(setup.pincer, NULL, &plan));
        setup_close(&setup);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("pincer");
    TCase *tests = tcase_create("pincer");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, plans_follow_the_rules_exactly, 0,
                        sizeof kinds / sizeof *kinds);
    tcase_add_loop_test(
        tests, the_search_by_steps_draws_the_paths_of_the_search_by_weights, 0,
        sizeof kinds / sizeof *kinds);
    tcase_add_test(tests, the_second_path_avoids_the_first);
    tcase_add_test(tests, without_a_path_green_and_then_yellow_are_allowed);
    tcase_add_test(tests, a_first_plan_is_dijkstras_with_the_same_random_draws);
    tcase_add_test(tests,
                   pursuers_without_a_path_are_reported_and_color_nothing);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
