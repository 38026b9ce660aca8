/* SPDX-License-Identifier: MIT */
#include "tests/wave/waves.h"

/* Within one layer of the stencil, or along z. */
static bool opposite(const struct stencil_point *a,
                     const struct stencil_point *b)
{
    return a->step[0] == -b->step[0] && a->step[1] == -b->step[1] &&
           (a->step[0] || a->step[1] ? a->step[2] == b->step[2]
                                     : a->step[2] == -b->step[2]) &&
           a->weight == b->weight;
}

START_TEST(points_are_in_pairs_and_sum_to_the_centre)
    {
        for (const struct stencil *const *row = stencils; *row; row++) {
            double sum = (*row)->centre;
            for (int i = 0; i < (*row)->points; i++) {
                sum += (*row)->point[i].weight;
                ck_assert(i % 2 ||
                          opposite(&(*row)->point[i], &(*row)->point[i + 1]));
            }
            ck_assert_double_eq_tol(sum, 0, (*row)->points * 0x1p-52);
        }
    }
END_TEST

START_TEST(second_moments_are_those_of_the_laplacian)
    {
        for (const struct stencil *const *row = stencils; *row; row++)
            for (int a = 0; a < GRID_AXES; a++)
                for (int b = 0; b < GRID_AXES; b++) {
                    double moment = 0;
                    for (int i = 0; i < (*row)->points; i++) {
                        const struct stencil_point *point = &(*row)->point[i];
                        moment +=
                            point->weight * point->step[a] * point->step[b];
                    }
                    double wanted = a == b && a < (*row)->dims ? 2 : 0;
                    ck_assert_double_eq_tol(moment, wanted, 1e-15);
                }
    }
END_TEST

START_TEST(names_find_their_stencils)
    {
        for (const struct stencil *const *row = stencils; *row; row++)
            ck_assert_ptr_eq(stencil_find((*row)->name), *row);
        ck_assert_ptr_null(stencil_find("5-Point"));
        ck_assert_ptr_null(stencil_find(""));
    }
END_TEST

/* sin²(ω/2)/δ of the wave e^(ik·x): the stencil's result, over −4. */
static double law_by_sum(const struct stencil *stencil,
                         const double k[GRID_AXES])
{
    double sum = 0;
    for (int i = 0; i < stencil->points; i++) {
        const int *step = stencil->point[i].step;
        double phase = k[0] * step[0] + k[1] * step[1] + k[2] * step[2];
        sum += stencil->point[i].weight * (1 - cos(phase));
    }
    return sum / 4;
}

START_TEST(the_dispersion_law_is_the_effect_of_the_weights_on_a_wave)
    {
        struct random random;
        random_seed(&random, 3);
        for (const struct stencil *const *row = stencils; *row; row++)
            for (int trial = 0; trial < 1000; trial++) {
                double k[GRID_AXES] = { 0, 0, 0 }, s[GRID_AXES];
                for (int axis = 0; axis < GRID_AXES; axis++) {
                    if (axis < (*row)->dims)
                        k[axis] = PI * (2 * random_unit(&random) - 1);
                    s[axis] = pow(sin(k[axis] / 2), 2);
                }
                double law = stencil_law(*row, s);
                ck_assert_double_eq_tol(law, law_by_sum(*row, k), 1e-14);
                ck_assert(law * (*row)->safe_delta <= 1 + 1e-15);
            }
    }
END_TEST

/* 4·law = k² − k⁴/12 + O(k⁶), with the same k⁴ in every direction. */
START_TEST(the_leading_error_with_diagonals_is_the_same_in_every_direction)
    {
        struct random random;
        random_seed(&random, 7);
        const double length = 0.02, square = length * length;
        for (const struct stencil *const *row = stencils; *row; row++)
            for (int trial = 0; trial < 100; trial++) {
                double k[GRID_AXES] = { 0, 0, 0 }, s[GRID_AXES], size = 0;
                double fourth = 0;
                for (int axis = 0; axis < (*row)->dims; axis++) {
                    k[axis] = 2 * random_unit(&random) - 1;
                    size += k[axis] * k[axis];
                }
                for (int axis = 0; axis < GRID_AXES; axis++) {
                    k[axis] *= length / sqrt(size);
                    s[axis] = pow(sin(k[axis] / 2), 2);
                    fourth += pow(k[axis], 4);
                }
                if (stencil_has_diagonals(*row))
                    fourth = square * square;
                double error = 4 * stencil_law(*row, s) - square;
                ck_assert_double_eq_tol(error, -fourth / 12,
                                        2e-2 * square * square * square);
            }
    }
END_TEST

/* The largest sin²(ω/2)/δ over every mode of a grid with free edges. */
static double largest_mode(const struct stencil *stencil,
                           const struct grid *grid)
{
    double largest = 0;
    for (int p = 0; p < grid->nx; p++)
        for (int q = 0; q < grid->ny; q++)
            for (int r = 0; r < grid->nz; r++) {
                const double k[GRID_AXES] = { p * PI / grid->nx,
                                              q * PI / grid->ny,
                                              r * PI / grid->nz };
                largest = fmax(largest, law_by_sum(stencil, k));
            }
    return largest;
}

/* The largest sin²(k/2) of a row of `extent` cells with free ends. */
static double shortest_wave(int extent)
{
    double sine = sin((extent - 1) * PI / (2. * extent));
    return sine * sine;
}

/* The exact limit of δ on a grid with free edges: 1 over the dispersion law at
 * S = sin²((N − 1)π/2N). It is never less than safe_delta, which is 1 over the
 * maximum of the law: 1/2 (5-point), 1/3 (7-point), 3/4 (9-point), 9/13
 * (27-point). */
static double stencil_limit(const struct stencil *stencil,
                            const struct grid *grid)
{
    const double most[GRID_AXES] = { shortest_wave(grid->nx),
                                     shortest_wave(grid->ny),
                                     shortest_wave(grid->nz) };
    /* sin²(ω/2) must not exceed 1; it increases with each of the three. */
    double sum = stencil_law(stencil, most);
    double limit = sum > 0 ? 1 / sum : INFINITY;
    return limit > stencil->safe_delta ? limit : stencil->safe_delta;
}

START_TEST(the_limit_is_that_of_the_fastest_mode)
    {
        for (const struct stencil *const *row = stencils; *row; row++)
            for (int nx = 1; nx < 9; nx++)
                for (int ny = 1; ny < 9; ny++) {
                    struct grid grid = { (*row)->dims, nx, ny,
                                         (*row)->dims == 3 ? 5 : 1 };
                    double largest = largest_mode(*row, &grid);
                    double limit = stencil_limit(*row, &grid);
                    ck_assert(largest == 0 ? limit == INFINITY
                                           : fabs(limit * largest - 1) < 1e-14);
                    ck_assert(limit >= (*row)->safe_delta);
                }
        struct grid huge = { 2, 100000, 100000, 1 };
        ck_assert_double_eq_tol(stencil_limit(stencil_find("5-point"), &huge),
                                0.5, 1e-9);
        ck_assert_double_eq_tol(stencil_limit(stencil_find("9-point"), &huge),
                                0.75, 1e-9);
        huge = (struct grid){ 3, 100000, 100000, 100000 };
        ck_assert_double_eq_tol(stencil_limit(stencil_find("27-point"), &huge),
                                9. / 13, 1e-9);
    }
END_TEST

/* The largest value after many steps at this fraction of the exact limit. */
static double grown(const char *name, double share)
{
    struct pool pool;
    pool_init(&pool, 5, 4, stencil_find(name)->dims == 3 ? 3 : 0);
    pool.settings.stencil = stencil_find(name);
    pool.settings.delta =
        share * stencil_limit(pool.settings.stencil, &pool.grid);
    pool.settings.source = SOURCE_REST;
    pool_fill(&pool);
    wave_emit(pool.wave, 1, 0);
    pool_run(&pool, 2000);
    double largest = 0;
    for (size_t i = 0; i < grid_cells(&pool.grid); i++) {
        double size = fabs(wave_value(pool.wave, i));
        largest = isfinite(size) ? fmax(largest, size) : INFINITY;
    }
    ck_assert(wave_is_finite(pool.wave, NULL) == (isfinite(largest) != 0));
    pool_release(&pool);
    return largest;
}

START_TEST(waves_stay_bounded_under_the_limit_and_grow_over_it)
    {
        for (const struct stencil *const *row = stencils; *row; row++) {
            ck_assert(grown((*row)->name, 0.999) < 100);
            ck_assert(grown((*row)->name, 1.001) > 1e20);
            ck_assert(!isfinite(grown((*row)->name, 1.5)));
        }
    }
END_TEST

/* K x, taken from one step of the wave: z⁺ = 2x − δKx from z⁻¹ = 0. */
static void apply(struct pool *pool, const double *x, double *kx)
{
    size_t cells = grid_cells(&pool->grid);
    double *zero = memory_new(cells, sizeof *zero);
    wave_load(pool->wave, x, zero, 0, 0, 0);
    wave_step(pool->wave, NULL);
    wave_copy(pool->wave, kx, NULL);
    for (size_t i = 0; i < cells; i++)
        kx[i] = (2 * x[i] - kx[i]) / pool->settings.delta;
    memory_release(zero);
}

static double product(const double *a, const double *b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static void random_field(const struct pool *pool, struct random *random,
                         double *field)
{
    for (size_t i = 0; i < grid_cells(&pool->grid); i++)
        field[i] = pool->terrain.wall[i] ? 0 : 2 * random_unit(random) - 1;
}

/* Symmetric, not negative, and within the limit, by the power method. */
static void check_operator(struct pool *pool, struct random *random)
{
    size_t cells = grid_cells(&pool->grid);
    double *x = memory_new(cells, sizeof *x), *kx = memory_new(cells, 8);
    double *y = memory_new(cells, sizeof *y), *ky = memory_new(cells, 8);
    random_field(pool, random, x);
    random_field(pool, random, y);
    apply(pool, x, kx);
    apply(pool, y, ky);
    ck_assert_double_eq_tol(product(x, ky, cells), product(y, kx, cells),
                            1e-13 * (double)cells);
    ck_assert(product(x, kx, cells) >= 0);
    double bound = 4 / pool->settings.stencil->safe_delta, value = 0;
    for (int i = 0; i < 60; i++) {
        double norm = sqrt(product(x, x, cells));
        for (size_t j = 0; j < cells && norm > 0; j++)
            x[j] /= norm;
        apply(pool, x, kx);
        value = product(x, kx, cells);
        memcpy(x, kx, cells * sizeof *x);
    }
    ck_assert_msg(value <= bound * (1 + 1e-12), "%s: %.17g over %.17g",
                  pool->settings.stencil->name, value, bound);
    memory_release(x);
    memory_release(kx);
    memory_release(y);
    memory_release(ky);
}

START_TEST(on_any_map_the_operator_is_symmetric_and_within_the_limit)
    {
        struct random random;
        random_seed(&random, 5);
        for (int trial = 0; trial < 60; trial++)
            for (const struct stencil *const *row = stencils; *row; row++) {
                struct pool pool;
                pool_init(&pool, 9, 7, (*row)->dims == 3 ? 4 : 0);
                pool.settings.stencil = *row;
                pool.settings.walls = (enum wall_rule)(trial & 1);
                pool_walls(&pool, &random, 0.5 * random_unit(&random));
                pool_fill(&pool);
                check_operator(&pool, &random);
                pool_release(&pool);
            }
    }
END_TEST

/* On a grid of 4 × 4 × 4 cells the middle 2 × 2 × 2 are walls in every
 * combination: with the rule of mirrors the operator of a block is symmetric,
 * and its largest eigenvalue is at most that of an open one. */
START_TEST(every_block_with_mirrors_couples_symmetrically_and_within_the_limit)
    {
        struct random random;
        random_seed(&random, 11);
        for (int walls = 0; walls < 256; walls++) {
            struct pool pool;
            pool_init(&pool, 4, 4, 4);
            pool.settings.stencil = stencil_find("27-point");
            pool.settings.walls = WALLS_FREE;
            for (int corner = 0; corner < 8; corner++)
                pool.terrain
                    .wall[pool_cell(&pool, 1 + (corner & 1),
                                    1 + (corner >> 1 & 1), 1 + (corner >> 2))] =
                    walls >> corner & 1;
            pool_fill(&pool);
            check_operator(&pool, &random);
            pool_release(&pool);
        }
    }
END_TEST

/* On fields that do not depend on z it equals the 9-point stencil, walls
 * included. */
START_TEST(the_27_point_stencil_is_the_9_point_one_on_columns)
    {
        struct random random;
        random_seed(&random, 13);
        for (int trial = 0; trial < 20; trial++) {
            struct pool flat, solid;
            pool_init(&flat, 9, 7, 0);
            pool_init(&solid, 9, 7, 4);
            pool_walls(&flat, &random, 0.4);
            flat.settings.stencil = stencil_find("9-point");
            solid.settings.stencil = stencil_find("27-point");
            flat.settings.walls = solid.settings.walls =
                (enum wall_rule)(trial & 1);
            double x[63], out[63], deep[252], deep_out[252];
            for (size_t i = 0; i < 252; i++)
                solid.terrain.wall[i] = flat.terrain.wall[i % 63];
            random_field(&flat, &random, x);
            for (size_t i = 0; i < 252; i++)
                deep[i] = x[i % 63];
            pool_fill(&flat);
            pool_fill(&solid);
            apply(&flat, x, out);
            apply(&solid, deep, deep_out);
            for (size_t i = 0; i < 252; i++)
                ck_assert_double_eq_tol(deep_out[i], out[i % 63], 1e-13);
            pool_release(&flat);
            pool_release(&solid);
        }
    }
END_TEST

/* ---- weights for one decay ---- */

static struct stencil matched(int dims, double decay, double delta)
{
    struct stencil stencil = *stencil_whole(dims);
    double weight[STENCIL_WEIGHTS];
    stencil_match(stencil_whole(dims), decay, delta, weight);
    for (int kind = 0; kind < STENCIL_WEIGHTS; kind++)
        for (int i = stencil_first(&stencil, kind);
             i < stencil_first(&stencil, kind + 1); i++)
            stencil.point[i].weight = weight[kind];
    return stencil;
}

/* ΔU/U of U = e^(k·x). */
static double effect(const struct stencil *stencil, double x, double y,
                     double z)
{
    double sum = 0;
    for (int i = 0; i < stencil->points; i++) {
        const int *step = stencil->point[i].step;
        sum += stencil->point[i].weight *
               (cosh(x * step[0] + y * step[1] + z * step[2]) - 1);
    }
    return sum;
}

START_TEST(matched_weights_have_one_decay_along_axes_and_diagonals)
    {
        for (int dims = 2; dims <= 3; dims++)
            for (double q = .1; q < 17; q *= 1.1) {
                const struct stencil stencil = matched(dims, q, .01);
                const double s = 2 * cosh(q) - 2;
                ck_assert_double_eq_tol(effect(&stencil, q, 0, 0) / s, 1, 1e-9);
                ck_assert_double_eq_tol(
                    effect(&stencil, q / sqrt(2), q / sqrt(2), 0) / s, 1, 1e-9);
                for (int i = 0; i < stencil.points; i++)
                    ck_assert_double_gt(stencil.point[i].weight, 0);
                if (dims == 3)
                    ck_assert_double_eq_tol(effect(&stencil, q / sqrt(3),
                                                   q / sqrt(3), q / sqrt(3)) /
                                                s,
                                            1, 1e-9);
            }
    }
END_TEST

/* For k in every direction, |k| at which the effect is that of q along an axis,
 * over q: the smallest is the reciprocal of the largest length by −ln U, for a
 * plane front. */
START_TEST(matched_weights_are_rounder_than_the_other_stencils)
    {
        static const struct {
            double q, least[2]; /* 2D, 3D */
        } cases[] = { { 2.54, { .9996, .9995 } },
                      { 5, { .994, .992 } },
                      { 10, { .97, .955 } } };
        for (int i = 0; i < 3; i++)
            for (int dims = 2; dims <= 3; dims++) {
                const double q = cases[i].q, s = 2 * cosh(q) - 2;
                const struct stencil stencil = matched(dims, q, .01);
                double least = INFINITY, most = 0;
                for (double a = 0; a <= PI / 4; a += PI / 80)
                    for (double b = 0; b <= (dims == 3 ? PI / 2 : 0);
                         b += PI / 80) {
                        double low = 0, high = 2 * q;
                        for (int round = 0; round < 50; round++) {
                            const double k = (low + high) / 2;
                            *(effect(&stencil, k * cos(a) * cos(b),
                                     k * sin(a) * cos(b), k * sin(b)) > s
                                  ? &high
                                  : &low) = k;
                        }
                        least = fmin(least, low / q);
                        most = fmax(most, low / q);
                    }
                ck_assert_double_ge(least, 2 - 1 / cases[i].least[dims - 2]);
                ck_assert_double_le(most, 1 / cases[i].least[dims - 2]);
            }
    }
END_TEST

START_TEST(matched_weights_stay_within_the_limit_of_delta)
    {
        for (int dims = 2; dims <= 3; dims++) {
            const double safe = stencil_whole(dims)->safe_delta;
            for (double q = .05; q < 16; q *= 1.3)
                for (double delta = .05; delta <= safe; delta += safe / 40) {
                    const struct stencil stencil = matched(dims, q, delta);
                    double weight[STENCIL_WEIGHTS], total = 0;
                    stencil_match(stencil_whole(dims), q, delta, weight);
                    ck_assert_double_le(stencil_stiffness(dims, weight) * delta,
                                        1 + 1e-12);
                    for (int corner = 0; corner < 8; corner++) {
                        const double k[] = { corner & 1 ? PI : 0,
                                             corner & 2 ? PI : 0,
                                             corner & 4 ? PI : 0 };
                        ck_assert_double_le(law_by_sum(&stencil, k) * delta,
                                            1 + 1e-12);
                    }
                    for (int i = 0; i < stencil.points; i++)
                        if (stencil.point[i].step[0] == 1)
                            total += stencil.point[i].weight;
                    ck_assert_double_eq_tol(total, 1, 1e-9);
                }
        }
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("stencil");
    TCase *tests = tcase_create("stencil");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, points_are_in_pairs_and_sum_to_the_centre);
    tcase_add_test(tests, second_moments_are_those_of_the_laplacian);
    tcase_add_test(tests, names_find_their_stencils);
    tcase_add_test(tests,
                   matched_weights_have_one_decay_along_axes_and_diagonals);
    tcase_add_test(tests, matched_weights_are_rounder_than_the_other_stencils);
    tcase_add_test(tests, matched_weights_stay_within_the_limit_of_delta);
    tcase_add_test(tests,
                   the_dispersion_law_is_the_effect_of_the_weights_on_a_wave);
    tcase_add_test(
        tests, the_leading_error_with_diagonals_is_the_same_in_every_direction);
    tcase_add_test(tests, the_limit_is_that_of_the_fastest_mode);
    tcase_add_test(tests, waves_stay_bounded_under_the_limit_and_grow_over_it);
    tcase_add_test(tests,
                   on_any_map_the_operator_is_symmetric_and_within_the_limit);
    tcase_add_test(
        tests,
        every_block_with_mirrors_couples_symmetrically_and_within_the_limit);
    tcase_add_test(tests, the_27_point_stencil_is_the_9_point_one_on_columns);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
