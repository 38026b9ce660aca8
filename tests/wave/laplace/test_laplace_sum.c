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

/* The wave with one sum in the medium of a pool. */
struct summed {
    struct pool pool;
    struct laplace_wave front;
    const struct laplace *laplace; /* the front's one sum */
    size_t source;
};

static void summed_new(struct summed *summed, double p, double eta)
{
    struct pool *pool = &summed->pool;
    const bool single = pool->settings.precision == PRECISION_SINGLE;
    const struct laplace_options options = { .p = p,
                                             .eta = eta,
                                             .steps = true };
    pool_fill(pool);
    ck_assert_int_eq(laplace_wave_init(&summed->front, pool->medium, &options,
                                       single ? 146 : 800, false, NULL),
                     STATUS_OK);
    summed->laplace = &summed->front.pair.sum[0];
    laplace_wave_begin(&summed->front, summed->source, NULL);
}

/* Called after the pool's map and settings are made: fills, emits and sums. */
static void sum_up(struct summed *summed, double p, double eta, int steps)
{
    summed_new(summed, p, eta);
    for (int k = 1; k <= steps; k++)
        laplace_wave_advance(&summed->front, NULL);
}

static void summed_release(struct summed *summed)
{
    laplace_wave_release(&summed->front);
    pool_release(&summed->pool);
}

static void *numbers(size_t count)
{
    void *memory = memory_new(count, sizeof(double));
    ck_assert_ptr_nonnull(memory);
    return memory;
}

/* U with z⁰ = A, z⁻¹ = 0 summed over k: e^p·(U − A at the source) + a·e^(−p)·U
 * is the result of a step from U with 0 before it. For c2-laplacian without
 * damping: 4 sinh²(p/2)·U = δᵢΔU + e^p·A at the source. `worst` becomes the
 * residual over its terms. */
static double worst_residual(struct summed *summed, double a)
{
    struct pool *pool = &summed->pool;
    const struct laplace *laplace = summed->laplace;
    size_t cells = grid_cells(&pool->grid);
    double *sum = numbers(cells), *nothing = numbers(cells),
           *stepped = numbers(cells), worst = 0, growth = exp(laplace->decay);
    for (size_t i = 0; i < cells; i++)
        sum[i] = exp(laplace_log(laplace, i));
    wave_load(pool->wave, sum, nothing, 0, (int64_t)summed->source, 0);
    wave_step(pool->wave, NULL);
    wave_copy(pool->wave, stepped, NULL);
    for (size_t i = 0; i < cells; i++) {
        double source = i == summed->source ? pool->settings.amplitude : 0;
        double left = growth * (sum[i] - source) + a / growth * sum[i];
        if (!pool->terrain.wall[i])
            worst = fmax(worst,
                         fabs(left - stepped[i]) / (growth * sum[i] + DBL_MIN));
    }
    memory_release(sum);
    memory_release(nothing);
    memory_release(stepped);
    return worst;
}

/* The highest ln U among the neighbours that the stencil couples. */
static double highest_round(const struct summed *summed,
                            const int at[GRID_AXES])
{
    const struct stencil *stencil = summed->pool.settings.stencil;
    double highest = -INFINITY;
    for (int i = 0; i < stencil->points; i++) {
        const int *step = stencil->point[i].step;
        int x = at[0] + step[0], y = at[1] + step[1], z = at[2] + step[2];
        if (grid_holds(&summed->pool.grid, x, y, z))
            highest =
                fmax(highest, laplace_log(summed->laplace,
                                          pool_cell(&summed->pool, x, y, z)));
    }
    return highest;
}

static void check_no_hill(const struct summed *summed)
{
    uint8_t *reached = pool_reached(&summed->pool, summed->source);
    for (size_t i = 0; i < grid_cells(&summed->pool.grid); i++) {
        double own = laplace_log(summed->laplace, i);
        int at[GRID_AXES];
        grid_cell(&summed->pool.grid, i, at);
        ck_assert(!reached[i] || isfinite(own));
        ck_assert(!summed->pool.terrain.wall[i] || isinf(own));
        ck_assert(!reached[i] || i == summed->source ||
                  highest_round(summed, at) > own);
    }
    memory_release(reached);
}

START_TEST(the_sum_obeys_the_screened_poisson_equation)
    {
        static const char *const stencils_2d[] = { "5-point", "9-point" };
        for (int which = 0; which < 20; which++) {
            struct summed summed;
            int nz = which >= 8 && which != 16 && which != 17 ? 7 : 0;
            summed.source = pool_random(&summed.pool, nz, (uint64_t)which + 3);
            struct wave_settings *settings = &summed.pool.settings;
            if (!nz)
                settings->stencil = stencil_find(stencils_2d[which / 4 % 2]);
            else if (which >= 12)
                settings->stencil = stencil_find("27-point");
            settings->walls = which % 2 ? WALLS_FREE : WALLS_FIXED;
            settings->speed_form = which / 4 % 2 == 0 && which % 4 > 1
                                       ? FORM_CONSERVATIVE
                                       : FORM_C2_LAPLACIAN;
            settings->delta = which % 4 == 3 ? .31 : .25;
            settings->amplitude = 2.385;
            settings->damping = which % 4 == 2 ? .02 : 0;
            if (which >= 16) { /* weights of each cell */
                settings->stencil = stencil_whole(nz ? 3 : 2);
                settings->matched_p = .6 + .1 * which;
                settings->matched_weights = true;
                settings->speed_form = FORM_C2_LAPLACIAN;
                settings->walls = WALLS_FREE;
            }
            /* An η with which no part of the sum is omitted. */
            sum_up(&summed, .6 + .1 * which, 1e-15, 600);
            double m = settings->damping / 2;
            ck_assert_double_le(worst_residual(&summed, (1 - m) / (1 + m)),
                                1e-12);
            check_no_hill(&summed);
            summed_release(&summed);
        }
    }
END_TEST

/* 4 sinh²(p/2)·U = δ(Σ − nU) + e^p·A at the source, relaxed until it does not
 * change. */
static void solve(const struct summed *summed, double p, double *sum)
{
    const struct pool *pool = &summed->pool;
    double screen = 4 * pow(sinh(p / 2), 2), delta = pool->settings.delta;
    for (int sweep = 0; sweep < 400; sweep++)
        for (size_t i = 0; i < grid_cells(&pool->grid); i++) {
            int at[GRID_AXES], count = 0;
            double around = 0;
            grid_cell(&pool->grid, i, at);
            for (int d = 0; d < 4; d++) {
                int x = at[0] + direction_step[d][0];
                int y = at[1] + direction_step[d][1];
                if (!grid_holds(&pool->grid, x, y, 0))
                    continue;
                count++;
                around += sum[pool_cell(pool, x, y, 0)];
            }
            double source = i == summed->source ? exp(p) : 0;
            if (!pool->terrain.wall[i])
                sum[i] = (delta * around + source) / (screen + count * delta);
        }
}

START_TEST(the_sum_equals_the_result_of_a_solver)
    {
        struct summed summed;
        summed.source = pool_random(&summed.pool, 0, 99);
        memory_release(summed.pool.terrain.speed);
        summed.pool.terrain.speed = NULL;
        sum_up(&summed, 1, 1e-15, 300);
        size_t cells = grid_cells(&summed.pool.grid);
        double *sum = numbers(cells);
        solve(&summed, 1, sum);
        for (size_t i = 0; i < cells; i++) {
            double ours = exp(laplace_log(summed.laplace, i));
            ck_assert_double_le(fabs(ours - sum[i]), 1e-11 * sum[i]);
        }
        memory_release(sum);
        summed_release(&summed);
    }
END_TEST

/* The largest angle (as a sine) between the slope and the direction to the
 * source. */
static double worst_ray(const char *stencil)
{
    struct summed summed;
    const bool solid = stencil_find(stencil)->dims == 3;
    const int middle = solid ? 22 : 30, side = 2 * middle + 1;
    const int reach = solid ? 5 : 10, deep = solid ? reach : 0;
    pool_init(&summed.pool, side, side, solid ? side : 0);
    summed.pool.settings.stencil = stencil_find(stencil);
    summed.source = pool_cell(&summed.pool, middle, middle, solid ? middle : 0);
    sum_up(&summed, 1, 1e-13, 200);
    double worst = 0;
    for (int z = -deep; z <= deep; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++) {
                double slope[GRID_AXES];
                if (x == 0 && y == 0 && z == 0)
                    continue;
                laplace_slope(summed.laplace,
                              pool_cell(&summed.pool, middle + x, middle + y,
                                        solid ? middle + z : 0),
                              slope);
                double size = hypot(hypot(slope[0], slope[1]), slope[2]) *
                              hypot(hypot(x, y), z);
                double off = hypot(hypot(x * slope[1] - y * slope[0],
                                         y * slope[2] - z * slope[1]),
                                   z * slope[0] - x * slope[2]);
                worst = fmax(worst, off / size);
                ck_assert_double_lt(x * slope[0] + y * slope[1] + z * slope[2],
                                    0);
            }
    summed_release(&summed);
    return worst;
}

START_TEST(the_slope_in_free_space_is_exactly_radial)
    {
        ck_assert_double_le(worst_ray("5-point"), 1e-12);
        ck_assert_double_le(worst_ray("9-point"), 1e-12);
        ck_assert_double_le(worst_ray("27-point"), 1e-12);
    }
END_TEST

START_TEST(single_precision_gives_the_results_of_double)
    {
        struct summed summed[2];
        for (int i = 0; i < 2; i++) {
            summed[i].source = pool_random(&summed[i].pool, 0, 41);
            summed[i].pool.settings.precision =
                i ? PRECISION_SINGLE : PRECISION_DOUBLE;
            sum_up(&summed[i], 1, .01, 300);
        }
        uint8_t *reached = pool_reached(&summed[0].pool, summed[0].source);
        for (size_t i = 0; i < grid_cells(&summed[0].pool.grid); i++) {
            double slope[2][GRID_AXES];
            if (!reached[i])
                continue;
            ck_assert_int_eq(summed[0].laplace->step[i],
                             summed[1].laplace->step[i]);
            for (int which = 0; which < 2; which++)
                laplace_slope(summed[which].laplace, i, slope[which]);
            for (int axis = 0; axis < 2; axis++)
                ck_assert_double_eq_tol(slope[0][axis], slope[1][axis], 2e-4);
        }
        memory_release(reached);
        summed_release(&summed[0]);
        summed_release(&summed[1]);
    }
END_TEST

START_TEST(ages_end_with_the_lifetime_and_an_emission_forgets_the_last)
    {
        struct summed summed;
        pool_init(&summed.pool, 9, 1, 0);
        summed.source = 0;
        summed_new(&summed, 1, .01);
        laplace_wave_release(&summed.front);
        const struct laplace_options options = {
            .p = 1, .eta = .01, .lifetime = 2, .steps = true
        };
        ck_assert_int_eq(laplace_wave_init(&summed.front, summed.pool.medium,
                                           &options, 800, false, NULL),
                         STATUS_OK);
        const struct laplace *sum = &summed.front.pair.sum[0];
        laplace_wave_advance(&summed.front, NULL); /* no emission yet */
        ck_assert(isinf(laplace_log(sum, 1)));
        laplace_wave_begin(&summed.front, 0, NULL);
        for (int k = 1; k <= 5; k++)
            laplace_wave_advance(&summed.front, NULL);
        ck_assert_int_eq(summed.front.age, 2);
        ck_assert_int_eq(sum->step[0], 0);
        laplace_wave_begin(&summed.front, 1, NULL);
        ck_assert(isinf(laplace_log(sum, 3)));
        ck_assert_int_eq(sum->step[0], -1);
        ck_assert_int_eq(sum->step[1], 0);
        summed_release(&summed);
    }
END_TEST

/* An agent's watch at the centre of each cell. */
START_TEST(a_watch_and_the_field_have_the_same_arrival)
    {
        struct summed summed;
        summed.source = pool_random(&summed.pool, 0, 77);
        pool_fill(&summed.pool);
        struct arrival_settings settings = arrival_default();
        settings.detector = detector_find("laplace");
        settings.p = 1;
        settings.eta = .01;
        settings.range = 800;
        const struct detection_options options = {
            .settings = &settings,
            .terrain = &summed.pool.terrain,
            .amplitude = 1,
            .width = sizeof(double),
            .ages = true,
            .medium = summed.pool.medium,
        };
        struct arrival_rules rules = { .settings = &settings,
                                       .amplitude = 1,
                                       .smallest = DBL_MIN,
                                       .lifetime = 300 };
        struct detection *detection;
        ck_assert_int_eq(detection_new(&options, &detection, NULL), STATUS_OK);
        detection_begin(detection, summed.source, NULL);
        size_t cells = grid_cells(&summed.pool.grid), count = 0, came = 0;
        struct arrival_watch *watch = memory_new(cells, sizeof *watch);
        const int32_t *step = detection_ages(detection);
        for (int k = 1; k <= 300; k++) {
            detection_take(detection, NULL, k, NULL);
            for (size_t i = 0; i < cells; i++) {
                struct arrival arrival;
                struct arrival_look look;
                int at[GRID_AXES];
                double slope[GRID_AXES];
                grid_cell(&summed.pool.grid, i, at);
                if (i == summed.source || summed.pool.terrain.wall[i])
                    continue;
                detection_look(detection, (double[]){ at[0], at[1], at[2] },
                               false, &look);
                if (arrival_watch_feed(&watch[i], &rules, &look, &arrival) !=
                    ARRIVAL_CAME)
                    continue;
                came++;
                ck_assert_int_eq(step[i], k);
                detection_slope(detection, i, slope);
                ck_assert_double_eq_tol(arrival.gradient[0], slope[0], 1e-12);
                ck_assert_double_eq_tol(arrival.gradient[1], slope[1], 1e-12);
            }
        }
        uint8_t *reached = pool_reached(&summed.pool, summed.source);
        for (size_t i = 0; i < cells; i++)
            count += reached[i];
        ck_assert_uint_eq(came, count - 1);
        memory_release(reached);
        memory_release(watch);
        detection_release(detection);
        pool_release(&summed.pool);
    }
END_TEST

START_TEST(a_look_between_cells_weighs_them_and_leaves_walls_out)
    {
        struct summed summed;
        pool_init(&summed.pool, 7, 5, 0);
        summed.source = pool_cell(&summed.pool, 1, 1, 0);
        summed.pool.terrain.wall[pool_cell(&summed.pool, 4, 2, 0)] = 1;
        sum_up(&summed, 1, .01, 9);
        struct wave *wave = summed.front.wave;
        struct laplace_look look;
        laplace_wave_look(&summed.front, (double[]){ 3.25, 2.5, 0 }, &look);
        /* Nodes (3,2) .75·.5, (3,3) .75·.5, (4,3) .25·.5; (4,2) is a wall. */
        size_t cell[3] = { pool_cell(&summed.pool, 3, 2, 0),
                           pool_cell(&summed.pool, 3, 3, 0),
                           pool_cell(&summed.pool, 4, 3, 0) };
        double weight[3] = { 3. / 7, 3. / 7, 1. / 7 }, sum = 0, now = 0;
        for (int i = 0; i < 3; i++) {
            sum += weight[i] * exp(laplace_log(summed.laplace, cell[i]));
            now +=
                weight[i] * wave_value(wave, cell[i]) *
                exp(-summed.laplace->decay * 9 - summed.front.scale * log(2));
        }
        double unit = exp(look.log_unit);
        ck_assert_double_eq_tol(look.sum * unit, sum, 1e-13 * sum);
        ck_assert_double_eq_tol(look.now * unit, now, 1e-13 * sum);
        ck_assert_int_eq(look.age, 9);
        ck_assert(!look.spoilt);
        /* Walls on all sides: no node is seen. */
        laplace_wave_look(&summed.front, (double[]){ 4, 2, 0 }, &look);
        ck_assert_double_eq(look.sum, 0);
        ck_assert_double_eq(look.gradient[0], 0);
        summed_release(&summed);
    }
END_TEST

START_TEST(in_matched_areas_the_sum_falls_as_a_time_does)
    {
        static const double speed[] = { .9, .8, .5, .3, .25 };
        enum { WIDE = 60, BORDER = 30 };
        const double p = 1.5, c = speed[_i];
        struct summed summed = { .source = 0 };
        pool_init(&summed.pool, WIDE, 1, 0);
        pool_speeds(&summed.pool, NULL, 1);
        for (int x = BORDER; x < WIDE; x++)
            summed.pool.terrain.speed[x] = c;
        summed.pool.settings.walls = WALLS_FREE;
        summed.pool.settings.matched_p = p;
        sum_up(&summed, p, 1e-15, 600);
        const double fall =
            2 * asinh(wave_sum_slope(summed.pool.settings.delta, p) / 2);
        for (int x = 0; x < WIDE - 10; x++) {
            double here = laplace_log(summed.laplace, (size_t)x);
            double next = laplace_log(summed.laplace, (size_t)x + 1);
            /* Across the border the fall is that of the farther cell's speed;
             * before the border there is a reflection. */
            if (x < BORDER - 10 || x >= BORDER - 1)
                ck_assert_double_eq_tol(here - next,
                                        x < BORDER - 1 ? fall : fall / c, 1e-9);
        }
        summed_release(&summed);
    }
END_TEST

/* In an area of one speed c, at every direction: −ln U grows by κ/c a cell
 * between two circles, to the deviation of the lattice (stencil_match). */
START_TEST(with_matched_weights_the_sum_falls_alike_in_all_directions)
    {
        static const struct {
            const char *stencil;
            double c, most;
        } cases[] = {
            { "matched", 1, .001 },  { "matched", .5, .0065 },
            { "matched", .25, .03 }, { "5-point", 1, .11 },
            { "5-point", .5, .24 },
        };
        enum { WIDE = 61, HALF = 30, NEAR = 12, FAR = 24 };
        const double p = 1.5, c = cases[_i].c;
        struct summed summed = { .source = 0 };
        pool_init(&summed.pool, WIDE, WIDE, 0);
        pool_speeds(&summed.pool, NULL, 1);
        for (int i = 0; i < WIDE * WIDE; i++)
            summed.pool.terrain.speed[i] = c;
        summed.source = pool_cell(&summed.pool, HALF, HALF, 0);
        summed.pool.settings.walls = WALLS_FREE;
        summed.pool.settings.matched_p = p;
        if (strcmp(cases[_i].stencil, "matched") == 0) {
            summed.pool.settings.stencil = stencil_whole(2);
            summed.pool.settings.matched_weights = true;
        }
        sum_up(&summed, p, 1e-15, 800);
        const double fall =
            2 * asinh(wave_sum_slope(summed.pool.settings.delta, p) / 2) / c;
        double least = INFINITY, most = 0;
        for (int x = 1; x < FAR; x++)
            for (int y = 0; y <= x; y++) {
                const double r = hypot(x, y);
                if (r < NEAR / 2. || 2 * r > FAR)
                    continue;
                /* From (x, y) to (2x, 2y), without what is near the source. */
                const double near =
                    laplace_log(summed.laplace,
                                pool_cell(&summed.pool, HALF + x, HALF + y, 0));
                const double far = laplace_log(
                    summed.laplace,
                    pool_cell(&summed.pool, HALF + 2 * x, HALF + 2 * y, 0));
                /* U of a point falls as r^(−1/2) besides. */
                const double ratio = (near - far - log(2) / 2) / (fall * r);
                least = fmin(least, ratio);
                most = fmax(most, ratio);
            }
        ck_assert_double_le(most - least, cases[_i].most);
        if (strcmp(cases[_i].stencil, "matched") != 0)
            ck_assert_double_ge(most - least, cases[_i].most / 2);
        else
            ck_assert_double_eq_tol(least, 1, cases[_i].most);
        summed_release(&summed);
    }
END_TEST

START_TEST(speeds_that_cannot_be_matched_are_unchanged)
    {
        const struct stencil *stencil = stencil_find("5-point");
        const double slowest = wave_matched_speed(stencil, .25, 1.5, .25);
        ck_assert(wave_matched_speed(stencil, .25, 1.5, 1) == 1);
        ck_assert(wave_matched_speed(stencil, .25, 1.5, .1) == slowest);
        ck_assert(wave_matched_speed(stencil, .25, 1.5, .001) == .001);
        /* The stencil is stable up to δ = 1/2, c = √2. */
        ck_assert_double_eq_tol(wave_matched_speed(stencil, .25, 1.5, 1.4),
                                sqrt(2), 1e-15);
        ck_assert(wave_matched_speed(stencil, .25, 1.5, 2) == 2);
        for (double c = .01, before = 0; c < 3; c += .01) {
            double matched = wave_matched_speed(stencil, .25, 1.5, c);
            ck_assert_double_ge(matched, before);
            before = matched;
        }
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("laplace_sum");
    TCase *tests = tcase_create("laplace_sum");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, the_sum_obeys_the_screened_poisson_equation);
    tcase_add_test(tests, the_sum_equals_the_result_of_a_solver);
    tcase_add_test(tests, the_slope_in_free_space_is_exactly_radial);
    tcase_add_test(tests, single_precision_gives_the_results_of_double);
    tcase_add_test(tests,
                   ages_end_with_the_lifetime_and_an_emission_forgets_the_last);
    tcase_add_test(tests, a_watch_and_the_field_have_the_same_arrival);
    tcase_add_test(tests,
                   a_look_between_cells_weighs_them_and_leaves_walls_out);
    tcase_add_loop_test(tests, in_matched_areas_the_sum_falls_as_a_time_does, 0,
                        5);
    tcase_add_loop_test(
        tests, with_matched_weights_the_sum_falls_alike_in_all_directions, 0,
        5);
    tcase_add_test(tests, speeds_that_cannot_be_matched_are_unchanged);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
