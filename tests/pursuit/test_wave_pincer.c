/* SPDX-License-Identifier: MIT */
#include "pursuit/wave_pincer.h"

#include "settings/value.h"
#include "tests/search/search_maps.h"
#include "tests/suite.h"

enum { PURSUERS = 3, SIDE = 12 };

static struct wave_settings settings_of(double delta)
{
    return (struct wave_settings){ .count = 1,
                                   .lifetime = 300,
                                   .delta = delta,
                                   .amplitude = 1,
                                   .walls = WALLS_FIXED,
                                   .source = SOURCE_IMPULSE,
                                   .flush_denormals = true };
}

struct planner {
    struct wave_settings wave;
    struct arrival_settings arrival;
    struct passages *passages;
    struct wave_pincer *pincer;
};

static void planner_make(struct planner *planner, const struct terrain *terrain,
                         int moves, double slow)
{
    struct error error;
    planner->wave = settings_of(terrain->grid.dims == 2 ? 0.25 : 0.2);
    planner->arrival = arrival_default();
    ck_assert(!passages_new(terrain, moves, MEASURE_LENGTH, &planner->passages,
                            NULL));
    struct wave_pincer_view view = { terrain, planner->passages, &planner->wave,
                                     &planner->arrival, slow };
    ck_assert_msg(!wave_pincer_new(&view, PURSUERS, &planner->pincer, &error),
                  "%s", error.message);
}

static void planner_release(struct planner *planner)
{
    wave_pincer_release(planner->pincer);
    passages_release(planner->passages);
}

static void check_path(const struct terrain *terrain,
                       const struct search_result *result, size_t start,
                       size_t goal)
{
    uint8_t met[SIDE * SIDE] = { 0 };
    ck_assert_uint_eq((size_t)result->path[0], start);
    ck_assert_uint_eq((size_t)result->path[result->path_count - 1], goal);
    double length = oracle_path_cost(terrain, MEASURE_LENGTH, result->path,
                                     result->path_count);
    if (!terrain->cost)
        ck_assert_double_eq_tol(length, result->length, 1e-9);
    for (size_t i = 0; i < result->path_count; i++)
        ck_assert_int_eq(met[result->path[i]]++, 0);
}

static const struct {
    int dims, moves, with;
} kinds[] = { { 2, 4, 0 },
              { 2, 8, 0 },
              { 2, 4, WITH_ARROWS },
              { 2, 8, WITH_COSTS | WITH_ARROWS },
              { 3, 6, 0 } };

START_TEST(a_planner_that_has_planned_plans_as_a_new_one_does)
    {
        struct random random;
        random_seed(&random, 77 + (uint64_t)_i);
        int found = 0, slowed = 0, not_found = 0;
        for (int round = 0; round < 12; round++) {
            bool flat = kinds[_i].dims == 2;
            struct terrain terrain = terrain_of_chance(
                &random, kinds[_i].dims, flat ? SIDE : 6, flat ? SIDE : 5,
                flat ? 1 : 4, 0.2, kinds[_i].with);
            struct planner used;
            planner_make(&used, &terrain, kinds[_i].moves, 0.1);
            for (int again = 0; again < 4; again++) {
                struct planner fresh;
                struct pincer_plan plan, same;
                struct random ties = random, drawn = random;
                size_t pursuers[PURSUERS], goal = free_cell(&terrain, &random);
                for (int i = 0; i < PURSUERS; i++)
                    pursuers[i] = free_cell(&terrain, &random);
                if (again == 2) { /* the map changes */
                    size_t cell = free_cell(&terrain, &random);
                    int at[GRID_AXES];
                    grid_cell(&terrain.grid, cell, at);
                    struct box box;
                    memcpy(box.low, at, sizeof at);
                    memcpy(box.high, at, sizeof at);
                    terrain.wall[cell] = 1;
                    wave_pincer_update(used.pincer, &box);
                    passages_update(used.passages, &terrain, &box, NULL);
                }
                planner_make(&fresh, &terrain, kinds[_i].moves, 0.1);
                wave_pincer_begin(used.pincer, pursuers, PURSUERS, goal);
                wave_pincer_begin(fresh.pincer, pursuers, PURSUERS, goal);
                int turn = 0;
                while (wave_pincer_next(used.pincer, &ties, &plan)) {
                    ck_assert(wave_pincer_next(fresh.pincer, &drawn, &same));
                    ck_assert_int_eq(plan.pursuer, same.pursuer);
                    ck_assert_int_eq(plan.result.outcome, same.result.outcome);
                    ck_assert_uint_eq(plan.result.expansions,
                                      same.result.expansions);
                    not_found += plan.result.outcome != SEARCH_FOUND;
                    turn++;
                    if (plan.result.outcome != SEARCH_FOUND)
                        continue;
                    ck_assert(plan.result.cost == same.result.cost);
                    ck_assert_uint_eq(plan.result.path_count,
                                      same.result.path_count);
                    ck_assert_mem_eq(plan.result.path, same.result.path,
                                     plan.result.path_count * sizeof(int32_t));
                    check_path(&terrain, &plan.result, pursuers[plan.pursuer],
                               goal);
                    found++;
                    slowed += turn > 1;
                }
                ck_assert(!wave_pincer_next(fresh.pincer, &drawn, &same));
                planner_release(&fresh);
            }
            planner_release(&used);
            terrain_release(&terrain);
        }
        ck_assert_int_gt(found, 40);
        ck_assert_int_gt(slowed, 20);
        ck_assert_int_gt(not_found, 0);
    }
END_TEST

/* Two lanes of 9 and 11 moves from (0, 1) to (8, 1). */
static const char *const lanes[] = { "@.........", "..@@@@@@..", "@.@@@@@@.@",
                                     "@........@" };

static size_t plan_two(double slow, size_t second, size_t length[2])
{
    struct terrain terrain = terrain_of_rows(lanes, 4);
    struct planner planner;
    struct pincer_plan plan;
    size_t pursuers[2] = { grid_index(&terrain.grid, 1, 1, 0), second };
    planner_make(&planner, &terrain, 4, slow);
    wave_pincer_begin(planner.pincer, pursuers, 2,
                      grid_index(&terrain.grid, 8, 1, 0));
    size_t count = 0;
    while (wave_pincer_next(planner.pincer, NULL, &plan)) {
        ck_assert_int_eq(plan.result.outcome, SEARCH_FOUND);
        length[count++] = plan.result.path_count - 1;
    }
    planner_release(&planner);
    terrain_release(&terrain);
    return count;
}

START_TEST(the_second_plan_avoids_the_slow_path_of_the_first)
    {
        struct terrain terrain = terrain_of_rows(lanes, 4);
        size_t behind = grid_index(&terrain.grid, 0, 1, 0), length[2];
        terrain_release(&terrain);
        ck_assert_uint_eq(plan_two(0.02, behind, length), 2);
        ck_assert_uint_eq(length[0], 9);
        ck_assert_uint_eq(length[1], 12);
        ck_assert_uint_eq(plan_two(1, behind, length), 2);
        ck_assert_uint_eq(length[0], 9);
        ck_assert_uint_eq(length[1], 10);
    }
END_TEST

START_TEST(walls_closed_rooms_and_traps_are_reported)
    {
        const char *rows[] = { "......@.", ".@@@..@@", ".@.@....", ".@@@.>.." };
        struct terrain terrain = terrain_of_rows(rows, 4);
        struct planner planner;
        struct pincer_plan plan;
        size_t wall = grid_index(&terrain.grid, 1, 1, 0);
        size_t closed = grid_index(&terrain.grid, 2, 2, 0);
        size_t free = grid_index(&terrain.grid, 0, 3, 0);
        static const enum search_outcome starts[] = { SEARCH_FOUND,
                                                      SEARCH_START_BLOCKED,
                                                      SEARCH_UNREACHABLE };
        size_t pursuers[3] = { free, wall, closed };
        planner_make(&planner, &terrain, 4, 0.1);
        int seen = 0;
        wave_pincer_begin(planner.pincer, pursuers, 3, 0);
        while (wave_pincer_next(planner.pincer, NULL, &plan)) {
            ck_assert_int_eq(plan.result.outcome, starts[plan.pursuer]);
            if (plan.pursuer)
                ck_assert_uint_eq(plan.result.path_count, 0);
            seen++;
        }
        ck_assert_int_eq(seen, 3);
        wave_pincer_begin(planner.pincer, pursuers, 1, wall);
        ck_assert(wave_pincer_next(planner.pincer, NULL, &plan));
        ck_assert_int_eq(plan.result.outcome, SEARCH_GOAL_BLOCKED);
        wave_pincer_begin(planner.pincer, pursuers, 1, free); /* at the goal */
        ck_assert(wave_pincer_next(planner.pincer, NULL, &plan));
        ck_assert_int_eq(plan.result.outcome, SEARCH_FOUND);
        ck_assert_uint_eq(plan.result.path_count, 1);
        wave_pincer_begin(planner.pincer, pursuers, 0, free);
        ck_assert(!wave_pincer_next(planner.pincer, NULL, &plan));
        planner_release(&planner);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(unstable_waves_and_detectors_without_amplitude_are_rejected)
    {
        const char *rows[] = { "....", "...." };
        struct terrain terrain = terrain_of_rows(rows, 2);
        struct arrival_settings arrival = arrival_default();
        struct wave_settings wave = settings_of(0.3);
        struct passages *passages;
        struct wave_pincer *pincer;
        struct error error = { 0 };
        passages_new(&terrain, 4, MEASURE_STEPS, &passages, NULL);
        struct wave_pincer_view view = { &terrain, passages, &wave, &arrival,
                                         0.1 };
        terrain_prepare(&terrain, CHANGE_SPEED, NULL);
        terrain.speed[3] = 1.5;
        ck_assert_int_eq(wave_pincer_new(&view, 1, &pincer, &error),
                         STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "above the limit 0.5"));
        terrain.speed[3] = 1;
        arrival.detector = detector_find("laplace");
        ck_assert_int_eq(wave_pincer_new(&view, 1, &pincer, &error),
                         STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "laplace"));
        passages_release(passages);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(a_speed_that_an_event_raises_is_checked_against_the_limit)
    {
        const char *rows[] = { "..........", ".........." };
        struct terrain terrain = terrain_of_rows(rows, 2);
        struct planner planner;
        struct pincer_plan plan;
        size_t start = grid_index(&terrain.grid, 9, 0, 0);
        terrain_prepare(&terrain, CHANGE_SPEED, NULL);
        planner_make(&planner, &terrain, 4, 0.1);
        for (size_t i = 0; i < 20; i++)
            terrain.speed[i] = 1000;
        wave_pincer_begin(planner.pincer, &start, 1, 0);
        ck_assert(wave_pincer_next(planner.pincer, NULL, &plan));
        ck_assert_int_eq(plan.result.outcome, SEARCH_FOUND);
        ck_assert_uint_eq(plan.result.path_count, 10);
        planner_release(&planner);
        terrain_release(&terrain);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("wave_pincer");
    TCase *tests = tcase_create("wave_pincer");
    tcase_add_loop_test(tests,
                        a_planner_that_has_planned_plans_as_a_new_one_does, 0,
                        sizeof kinds / sizeof *kinds);
    tcase_add_test(tests, the_second_plan_avoids_the_slow_path_of_the_first);
    tcase_add_test(tests, walls_closed_rooms_and_traps_are_reported);
    tcase_add_test(tests,
                   unstable_waves_and_detectors_without_amplitude_are_rejected);
    tcase_add_test(tests,
                   a_speed_that_an_event_raises_is_checked_against_the_limit);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
