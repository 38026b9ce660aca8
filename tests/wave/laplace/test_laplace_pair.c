/* SPDX-License-Identifier: MIT */
#include "settings/value.h"
#include "tests/wave/waves.h"
#include "wave/arrival/detector.h"
#include "wave/arrival/watch.h"
#include "wave/laplace/wave.h"

#include <float.h>

static double laplace_log(const struct laplace *laplace, size_t cell)
{
    return laplace_log_of(laplace, laplace_cell(laplace, cell));
}

/* Two sums in the medium of a pool, compared with their definition from its
 * wave. */
struct timed {
    struct pool pool;
    struct laplace_wave front;
    const struct laplace_pair *pair; /* the front's */
    double *field, *high, *low;      /* Σ e^(−pk)·z[k] for p₊ and p₋ */
    size_t source;
};

static const double p_high = 1.125, p_low = .875;

enum { RANGE = 800 };
#define ETA 1e-11

static double *numbers(size_t count)
{
    double *memory = memory_new(count, sizeof *memory);
    ck_assert_ptr_nonnull(memory);
    return memory;
}

static void take(struct timed *timed, int age)
{
    size_t cells = grid_cells(&timed->pool.grid);
    if (age > 0) {
        wave_step(timed->pool.wave, NULL);
        laplace_wave_advance(&timed->front, NULL);
    }
    wave_copy(timed->pool.wave, timed->field, NULL);
    for (size_t i = 0; i < cells; i++) {
        timed->high[i] += exp(-p_high * age) * timed->field[i];
        timed->low[i] += exp(-p_low * age) * timed->field[i];
    }
}

/* Called after the pool's map and settings are made: fills, emits and sums. */
static void sum_up(struct timed *timed, int steps)
{
    struct pool *pool = &timed->pool;
    size_t cells = grid_cells(&pool->grid);
    const struct laplace_options options = { .p = 1,
                                             .eta = ETA,
                                             .steps = true };
    pool_fill(pool);
    timed->field = numbers(cells);
    timed->high = numbers(cells);
    timed->low = numbers(cells);
    ck_assert_int_eq(laplace_wave_init(&timed->front, pool->medium, &options,
                                       RANGE, true, NULL),
                     STATUS_OK);
    timed->pair = &timed->front.pair;
    laplace_wave_begin(&timed->front, timed->source, NULL);
    wave_emit(pool->wave, timed->source, 0);
    for (int age = 0; age <= steps; age++)
        take(timed, age);
}

static void timed_release(struct timed *timed)
{
    laplace_wave_release(&timed->front);
    memory_release(timed->field);
    memory_release(timed->high);
    memory_release(timed->low);
    pool_release(&timed->pool);
}

/* ln U₊/U₋, which decreases with T. */
static double nearness(const struct timed *timed, size_t cell)
{
    return laplace_log(&timed->pair->sum[0], cell) -
           laplace_log(&timed->pair->sum[1], cell);
}

static double most_near_by(const struct timed *timed, size_t cell)
{
    const struct grid *grid = &timed->pool.grid;
    double most = -INFINITY;
    int at[GRID_AXES];
    grid_cell(grid, cell, at);
    for (int side = 0; side < 2 * grid->dims; side++) {
        int to[GRID_AXES] = { at[0], at[1], at[2] };
        to[side / 2] += side % 2 ? 1 : -1;
        if (!grid_holds(grid, to[0], to[1], to[2]))
            continue;
        size_t there = grid_index(grid, to[0], to[1], to[2]);
        if (!timed->pool.terrain.wall[there])
            most = fmax(most, nearness(timed, there));
    }
    return most;
}

START_TEST(the_two_sums_are_of_p_an_eighth_more_and_less)
    {
        struct timed timed;
        timed.source = pool_random(&timed.pool, 0, 5);
        sum_up(&timed, 300);
        uint8_t *reached = pool_reached(&timed.pool, timed.source);
        for (size_t i = 0; i < grid_cells(&timed.pool.grid); i++)
            if (reached[i]) {
                ck_assert_double_eq_tol(laplace_log(&timed.pair->sum[0], i),
                                        log(timed.high[i]), 1e-9);
                ck_assert_double_eq_tol(laplace_log(&timed.pair->sum[1], i),
                                        log(timed.low[i]), 1e-9);
            }
        memory_release(reached);
        timed_release(&timed);
    }
END_TEST

/* The proof is in wave/laplace/pair.h; it is independent of walls, free or
 * fixed, and of speeds. */
START_TEST(every_cell_but_the_source_has_a_neighbour_of_smaller_time)
    {
        for (int i = 0; i < 6; i++) {
            struct timed timed;
            timed.source =
                pool_random(&timed.pool, i % 3 == 2 ? 7 : 0, 60 + (uint64_t)i);
            timed.pool.settings.walls = i % 2 ? WALLS_FREE : WALLS_FIXED;
            sum_up(&timed, 300);
            uint8_t *reached = pool_reached(&timed.pool, timed.source);
            for (size_t cell = 0; cell < grid_cells(&timed.pool.grid); cell++)
                if (reached[cell] && cell != timed.source)
                    ck_assert_double_gt(most_near_by(&timed, cell),
                                        nearness(&timed, cell));
            memory_release(reached);
            timed_release(&timed);
        }
    }
END_TEST

/* The largest angle (as a sine) between the slope and the direction to the
 * source. */
static double worst_ray(const char *stencil)
{
    struct timed timed;
    pool_init(&timed.pool, 61, 61, 0);
    timed.pool.settings.stencil = stencil_find(stencil);
    timed.source = pool_cell(&timed.pool, 30, 30, 0);
    sum_up(&timed, 200);
    double worst = 0;
    for (int y = -10; y <= 10; y++)
        for (int x = -10; x <= 10; x++) {
            double slope[GRID_AXES];
            if (x == 0 && y == 0)
                continue;
            laplace_pair_slope(
                timed.pair, pool_cell(&timed.pool, 30 + x, 30 + y, 0), slope);
            double size = hypot(slope[0], slope[1]) * hypot(x, y);
            worst = fmax(worst, fabs(x * slope[1] - y * slope[0]) / size);
            ck_assert_double_lt(x * slope[0] + y * slope[1], 0);
        }
    timed_release(&timed);
    return worst;
}

START_TEST(the_slope_in_free_space_is_radial)
    {
        ck_assert_double_le(worst_ray("5-point"), 1e-10);
        ck_assert_double_le(worst_ray("9-point"), 1e-10);
    }
END_TEST

/* In a fixed corridor ∇U points away from the walls and −∇T along it; next to
 * the walls, where the average across has the weight e^κ, away from them half
 * as much. δ(cosh κ − 1) = cosh p − 1 + δ(1 − cos(π/(w + 1))) is the decay of
 * the lowest mode, Δ sinh κ/Δp the slope. */
START_TEST(in_a_fixed_corridor_the_time_does_not_feel_the_walls)
    {
        struct timed timed;
        pool_init(&timed.pool, 120, 7, 0);
        timed.pool.settings.walls = WALLS_FIXED;
        for (int x = 0; x < 120; x++)
            timed.pool.terrain.wall[x] = timed.pool.terrain.wall[720 + x] = 1;
        timed.source = pool_cell(&timed.pool, 5, 3, 0);
        sum_up(&timed, 700);
        double pi = acos(-1), kappa[2], steepest = 0;
        for (int i = 0; i < 2; i++)
            kappa[i] = acosh(1 + (cosh(i ? p_low : p_high) - 1) / .25 + 1 -
                             cos(pi / 6));
        double slowness = (sinh(kappa[0]) - sinh(kappa[1])) / (p_high - p_low);
        for (int y = 1; y < 6; y++) {
            double slope[GRID_AXES], single[GRID_AXES];
            size_t cell = pool_cell(&timed.pool, 80, y, 0);
            laplace_pair_slope(timed.pair, cell, slope);
            laplace_slope(&timed.pair->sum[0], cell, single);
            double pull = fabs(single[1] / single[0]);
            bool beside = y == 1 || y == 5;
            steepest = fmax(steepest, pull);
            ck_assert_double_lt(slope[0], 0);
            ck_assert_double_le(fabs(slope[1] / slope[0]),
                                beside ? .6 * pull : 1e-6);
            if (y == 3)
                ck_assert_double_eq_tol(-slope[0], slowness, 1e-6);
        }
        ck_assert_double_gt(steepest, .1);
        timed_release(&timed);
    }
END_TEST

/* The arrival of a watch at the centre of a cell, and that of the field. */
static void check_watch(struct timed *timed, struct arrival_watch *watch,
                        size_t cell, int age, int32_t *came)
{
    struct arrival_settings settings = arrival_default();
    settings.detector = detector_find("laplace");
    settings.heading = HEADING_ARRIVAL_TIME;
    settings.eta = ETA;
    const struct arrival_rules rules = { .settings = &settings,
                                         .amplitude = 1,
                                         .smallest = DBL_MIN,
                                         .lifetime = 400 };
    struct laplace_look seen;
    struct arrival arrival;
    double slope[GRID_AXES];
    int at[GRID_AXES];
    grid_cell(&timed->pool.grid, cell, at);
    laplace_wave_look(&timed->front, (double[]){ at[0], at[1], at[2] }, &seen);
    struct arrival_look look = { .age = seen.age,
                                 .now = seen.now,
                                 .sum = seen.sum,
                                 .log_unit = seen.log_unit,
                                 .spoilt = seen.spoilt,
                                 .reached = -1 };
    memcpy(look.gradient, seen.gradient, sizeof look.gradient);
    if (arrival_watch_feed(watch, &rules, &look, &arrival) != ARRIVAL_CAME)
        return;
    *came = age;
    laplace_pair_slope(timed->pair, cell, slope);
    for (int axis = 0; axis < GRID_AXES; axis++)
        ck_assert_double_eq_tol(arrival.gradient[axis], slope[axis], 1e-9);
    ck_assert_double_eq_tol(arrival.amplitude,
                            laplace_log(&timed->pair->sum[0], cell), 1e-9);
}

/* The field's arrival is the age from which both conditions have been true; the
 * watch's requires both at the same time: it is not earlier, and a little later
 * if z passes through 0 just then. */
START_TEST(a_watch_reports_the_arrival_when_both_conditions_are_true)
    {
        struct timed timed;
        timed.source = pool_random(&timed.pool, 0, 77);
        sum_up(&timed, 0);
        size_t cells = grid_cells(&timed.pool.grid), same = 0, count = 0;
        struct arrival_watch *watch = memory_new(cells, sizeof *watch);
        int32_t *arrival = memory_new(cells, sizeof *arrival);
        uint8_t *reached = pool_reached(&timed.pool, timed.source);
        for (int age = 1; age <= 400; age++) {
            take(&timed, age);
            for (size_t i = 0; i < cells; i++)
                if (reached[i] && i != timed.source)
                    check_watch(&timed, &watch[i], i, age, &arrival[i]);
        }
        const int32_t *step = laplace_pair_steps(timed.pair);
        for (size_t i = 0; i < cells; i++) {
            if (!reached[i] || i == timed.source)
                continue;
            const struct laplace *sum = timed.pair->sum;
            ck_assert_int_eq(step[i], sum[0].step[i] > sum[1].step[i]
                                          ? sum[0].step[i]
                                          : sum[1].step[i]);
            ck_assert_int_ge(arrival[i], step[i]);
            ck_assert_int_le(arrival[i], step[i] + 20);
            same += arrival[i] == step[i];
            count++;
        }
        ck_assert_uint_gt(10 * same, 9 * count);
        memory_release(reached);
        memory_release(arrival);
        memory_release(watch);
        timed_release(&timed);
    }
END_TEST

/* A hall, and next to it a fixed corridor 1 wide, in too small a range. */
START_TEST(a_cell_that_either_sum_has_lost_is_lost)
    {
        enum { WIDTH = 200, HEIGHT = 60 };
        const size_t cells = (size_t)WIDTH * HEIGHT;
        const struct laplace_options options = { .p = 1,
                                                 .eta = .1,
                                                 .steps = true };
        struct laplace_wave front;
        struct pool pool;
        int lost = 0, none = 0;
        pool_init(&pool, WIDTH, HEIGHT, 0);
        for (size_t cell = 0; cell < cells; cell++)
            pool.terrain.wall[cell] = cell % WIDTH >= 20 && cell / WIDTH != 50;
        pool.settings.precision = PRECISION_SINGLE;
        pool_fill(&pool);
        ck_assert_int_eq(
            laplace_wave_init(&front, pool.medium, &options, 40, true, NULL),
            STATUS_OK);
        laplace_wave_begin(&front, (size_t)30 * WIDTH + 3, NULL);
        for (int age = 1; age <= 1500; age++)
            laplace_wave_advance(&front, NULL);
        const int32_t *step = laplace_pair_steps(&front.pair);
        for (size_t cell = 0; cell < cells; cell++) {
            int32_t one = front.pair.sum[0].step[cell];
            int32_t other = front.pair.sum[1].step[cell];
            if (one >= 0 && other >= 0)
                continue;
            ck_assert_int_eq(step[cell],
                             one == -1 || other == -1 ? -1 : LAPLACE_LOST);
            lost += step[cell] == LAPLACE_LOST;
            none += !pool.terrain.wall[cell] && step[cell] == -1;
        }
        ck_assert_int_gt(lost + none, 20);
        ck_assert_int_gt(lost, 0);
        laplace_wave_release(&front);
        pool_release(&pool);
    }
END_TEST

START_TEST(a_new_wall_clears_both_sums)
    {
        struct timed timed;
        timed.source = pool_random(&timed.pool, 0, 12);
        sum_up(&timed, 300);
        uint8_t *reached = pool_reached(&timed.pool, timed.source);
        size_t cell = timed.source + 1;
        while (!reached[cell])
            cell++;
        struct box box;
        grid_cell(&timed.pool.grid, cell, box.low);
        memcpy(box.high, box.low, sizeof box.high);
        ck_assert_int_gt(laplace_pair_steps(timed.pair)[cell], 0);
        timed.pool.terrain.wall[cell] = 1;
        medium_update(timed.pool.medium, &box);
        laplace_wave_update(&timed.front, &box);
        ck_assert_int_eq(laplace_pair_steps(timed.pair)[cell], -1);
        ck_assert(isinf(laplace_log(&timed.pair->sum[1], cell)));
        laplace_wave_begin(&timed.front, timed.source, NULL);
        double slope[GRID_AXES];
        laplace_pair_slope(timed.pair, timed.source, slope);
        ck_assert_double_eq(slope[0], 0);
        ck_assert_double_eq(slope[1], 0);
        memory_release(reached);
        timed_release(&timed);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("laplace_pair");
    TCase *tests = tcase_create("laplace_pair");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, the_two_sums_are_of_p_an_eighth_more_and_less);
    tcase_add_test(tests,
                   every_cell_but_the_source_has_a_neighbour_of_smaller_time);
    tcase_add_test(tests, the_slope_in_free_space_is_radial);
    tcase_add_test(tests, in_a_fixed_corridor_the_time_does_not_feel_the_walls);
    tcase_add_test(tests,
                   a_watch_reports_the_arrival_when_both_conditions_are_true);
    tcase_add_test(tests, a_cell_that_either_sum_has_lost_is_lost);
    tcase_add_test(tests, a_new_wall_clears_both_sums);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
