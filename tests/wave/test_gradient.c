/* SPDX-License-Identifier: MIT */
#include "tests/wave/waves.h"

#include <stdlib.h>

static const char *const names[] = { "5-point", "9-point", "7-point",
                                     "27-point" };
enum { NAMES = sizeof names / sizeof *names };

static void draw(struct pool *pool, struct random *random, const char *stencil)
{
    bool solid = stencil_find(stencil)->dims == 3;
    pool_init(pool, solid ? 9 : 21, solid ? 8 : 14, solid ? 6 : 0);
    pool->settings.stencil = stencil_find(stencil);
    pool->settings.walls = (enum wall_rule)random_below(random, 2);
    pool->settings.precision = (enum precision)random_below(random, 2);
    pool->settings.source = SOURCE_REST;
    if (!solid && pool->settings.stencil->points == 4)
        pool->settings.speed_form = (enum speed_form)random_below(random, 2);
    pool_walls(pool, random, 0.3);
    pool->terrain.wall[5] = 0;
    pool_fill(pool);
    wave_emit(pool->wave, 5, 0);
    pool_run(pool, 40);
}

static double beside(const struct pool *pool, const int at[GRID_AXES], int dx,
                     int dy, int dz);

static bool shut(const struct pool *pool, const int at[GRID_AXES], int dx,
                 int dy, int dz)
{
    return medium_mirrors(pool->medium, at[0] + dx, at[1] + dy, at[2] + dz);
}

static double over_edge(const struct pool *pool, const int at[GRID_AXES],
                        int dx, int dy, int dz, bool there)
{
    int x = dx, y = dx ? 0 : dy, z = 0; /* the first of the two axes */
    bool one = !shut(pool, at, x, y, z);
    bool other = !shut(pool, at, dx - x, dy - y, dz - z);
    if (!there && one != other)
        return one ? beside(pool, at, x, y, z)
                   : beside(pool, at, dx - x, dy - y, dz - z);
    return there && (one || other)
               ? wave_value(pool->wave,
                            pool_cell(pool, at[0] + dx, at[1] + dy, at[2] + dz))
               : beside(pool, at, 0, 0, 0);
}

static double over_corner(const struct pool *pool, const int at[GRID_AXES],
                          int dx, int dy, int dz, bool there)
{
    bool x = shut(pool, at, dx, 0, 0), xy = shut(pool, at, dx, dy, 0);
    bool y = shut(pool, at, 0, dy, 0), xz = shut(pool, at, dx, 0, dz);
    bool z = shut(pool, at, 0, 0, dz), yz = shut(pool, at, 0, dy, dz);
    if (!there && x && xy && xz)
        return beside(pool, at, 0, dy, dz);
    if (!there && y && xy && yz)
        return beside(pool, at, dx, 0, dz);
    if (!there && z && xz && yz)
        return beside(pool, at, dx, dy, 0);
    bool path =
        (!x && !(xy && xz)) || (!y && !(xy && yz)) || (!z && !(xz && yz));
    return there && path
               ? wave_value(pool->wave,
                            pool_cell(pool, at[0] + dx, at[1] + dy, at[2] + dz))
               : beside(pool, at, 0, 0, 0);
}

/* The value at the cell (dx, dy, dz) away, by the rules in words. */
static double beside(const struct pool *pool, const int at[GRID_AXES], int dx,
                     int dy, int dz)
{
    const int to[GRID_AXES] = { at[0] + dx, at[1] + dy, at[2] + dz };
    const struct grid *grid = &pool->grid;
    bool there = grid_holds(grid, to[0], to[1], to[2]) &&
                 !(pool->settings.walls == WALLS_FREE &&
                   pool->terrain.wall[grid_index(grid, to[0], to[1], to[2])]);
    if (abs(dx) + abs(dy) + abs(dz) == 2)
        return over_edge(pool, at, dx, dy, dz, there);
    if (abs(dx) + abs(dy) + abs(dz) == 3)
        return over_corner(pool, at, dx, dy, dz, there);
    return wave_value(pool->wave, there
                                      ? grid_index(grid, to[0], to[1], to[2])
                                      : grid_index(grid, at[0], at[1], at[2]));
}

/* Average of so many cells across, along the two other axes. */
static double difference(const struct pool *pool, const int at[GRID_AXES],
                         int axis, int first, int second)
{
    int step[GRID_AXES] = { 0, 0, 0 };
    step[axis] = 1;
    step[(axis + 1) % GRID_AXES] = first;
    step[(axis + 2) % GRID_AXES] = second;
    int back[GRID_AXES] = { step[0], step[1], step[2] };
    back[axis] = -1;
    return (beside(pool, at, step[0], step[1], step[2]) -
            beside(pool, at, back[0], back[1], back[2])) /
           2;
}

static double wanted(const struct pool *pool, size_t cell, int axis)
{
    int at[GRID_AXES];
    grid_cell(&pool->grid, cell, at);
    if (pool->terrain.wall[cell])
        return 0;
    if (!stencil_has_diagonals(pool->settings.stencil))
        return difference(pool, at, axis, 0, 0);
    double sum = 0, weights = 0;
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++) {
            bool flat = pool->grid.dims == 2 && (axis ? i : j);
            double weight = flat ? 0 : (i ? 1 : 4) * (j ? 1 : 4);
            if (weight > 0)
                sum += weight * difference(pool, at, axis, i, j);
            weights += weight;
        }
    return sum / weights;
}

static void sample(struct wave *wave, const double at[GRID_AXES], double *z,
                   double gradient[GRID_AXES])
{
    double older;
    wave_sample_amplitude(wave, at, z, &older);
    wave_sample_gradient(wave, at, gradient);
}

START_TEST(it_is_the_central_difference_with_the_rules_of_walls_and_edges)
    {
        struct random random;
        random_seed(&random, 31);
        for (int trial = 0; trial < 45; trial++) {
            struct pool pool;
            draw(&pool, &random, names[trial % NAMES]);
            void *out[GRID_AXES];
            for (int axis = 0; axis < GRID_AXES; axis++)
                out[axis] = pool_field(&pool);
            wave_gradient(pool.wave, out[0], out[1],
                          pool.grid.dims == 3 ? out[2] : NULL, NULL);
            bool single = pool.settings.precision == PRECISION_SINGLE;
            double bound = single ? 1e-7 : 1e-15;
            for (size_t i = 0; i < grid_cells(&pool.grid); i++)
                for (int axis = 0; axis < pool.grid.dims; axis++)
                    ck_assert_double_eq_tol(field_value(&pool.medium->layout,
                                                        out[axis],
                                                        (ptrdiff_t)i),
                                            wanted(&pool, i, axis), bound);
            for (int axis = 0; axis < GRID_AXES; axis++)
                memory_release(out[axis]);
            pool_release(&pool);
        }
    }
END_TEST

/* The vector of every pair of components is along the line to the source. */
static double off_radius(const struct pool *pool, const int middle[GRID_AXES],
                         double *const out[GRID_AXES])
{
    double worst = 0, scale = 0;
    for (size_t i = 0; i < grid_cells(&pool->grid); i++) {
        int at[GRID_AXES];
        grid_cell(&pool->grid, i, at);
        for (int a = 0; a < pool->grid.dims; a++)
            for (int b = 0; b < a; b++) {
                double left = (at[a] - middle[a]) * out[b][i];
                double right = (at[b] - middle[b]) * out[a][i];
                worst = fmax(worst, fabs(left - right));
                scale = fmax(scale, fabs(left));
            }
    }
    return scale > 0 ? worst / scale : 0;
}

START_TEST(in_free_space_it_points_along_the_radius_at_every_node_and_step)
    {
        for (int s = 0; s < NAMES; s++) {
            struct pool pool;
            bool solid = stencil_find(names[s])->dims == 3;
            int steps = solid ? 16 : 45, side = 2 * steps + 5;
            const int middle[GRID_AXES] = { steps + 2, steps + 2,
                                            solid ? steps + 2 : 0 };
            pool_init(&pool, side, side, solid ? side : 0);
            pool.settings.stencil = stencil_find(names[s]);
            pool.settings.delta = 0.2385;
            pool_fill(&pool);
            wave_emit(pool.wave,
                      pool_cell(&pool, middle[0], middle[1], middle[2]), 0);
            double *out[GRID_AXES];
            for (int axis = 0; axis < GRID_AXES; axis++)
                out[axis] = pool_field(&pool);
            for (int k = 1; k <= steps; k++) {
                wave_step(pool.wave, NULL);
                wave_gradient(pool.wave, out[0], out[1], solid ? out[2] : NULL,
                              NULL);
                double off = off_radius(&pool, middle, out);
                ck_assert_msg(off <= 1e-13, "%s, %d: %g", names[s], k, off);
            }
            for (int axis = 0; axis < GRID_AXES; axis++)
                memory_release(out[axis]);
            pool_release(&pool);
        }
    }
END_TEST

START_TEST(a_sample_at_a_node_is_the_node)
    {
        struct random random;
        random_seed(&random, 37);
        for (int s = 0; s < 12; s++) {
            struct pool pool;
            draw(&pool, &random, names[s % NAMES]);
            void *out[GRID_AXES];
            for (int axis = 0; axis < GRID_AXES; axis++)
                out[axis] = pool_field(&pool);
            wave_gradient(pool.wave, out[0], out[1], out[2], NULL);
            for (size_t i = 0; i < grid_cells(&pool.grid); i++) {
                int at[GRID_AXES];
                double z, gradient[GRID_AXES];
                grid_cell(&pool.grid, i, at);
                sample(pool.wave, (double[]){ at[0], at[1], at[2] }, &z,
                       gradient);
                ck_assert(z == wave_value(pool.wave, i));
                for (int axis = 0; axis < pool.grid.dims; axis++)
                    ck_assert(gradient[axis] ==
                              field_value(&pool.medium->layout, out[axis],
                                          (ptrdiff_t)i));
            }
            for (int axis = 0; axis < GRID_AXES; axis++)
                memory_release(out[axis]);
            pool_release(&pool);
        }
    }
END_TEST

/* z = 3 + x/2 − y/4 + z/8, without walls: both are exact away from edges. */
START_TEST(between_nodes_it_is_linear)
    {
        for (int s = 0; s < NAMES; s++) {
            struct pool pool;
            bool solid = stencil_find(names[s])->dims == 3;
            pool_init(&pool, 9, 8, solid ? 7 : 0);
            pool.settings.stencil = stencil_find(names[s]);
            pool_fill(&pool);
            double *field = pool_field(&pool), z, gradient[GRID_AXES];
            for (size_t i = 0; i < grid_cells(&pool.grid); i++) {
                int at[GRID_AXES];
                grid_cell(&pool.grid, i, at);
                field[i] = 3 + at[0] / 2. - at[1] / 4. + at[2] / 8.;
            }
            wave_load(pool.wave, field, field, 0, 0, 0);
            const double at[GRID_AXES] = { 3.2385, 4.625, solid ? 2.71 : 0 };
            sample(pool.wave, at, &z, gradient);
            ck_assert_double_eq_tol(z, 3 + at[0] / 2 - at[1] / 4 + at[2] / 8,
                                    1e-14);
            ck_assert_double_eq_tol(gradient[0], 0.5, 1e-14);
            ck_assert_double_eq_tol(gradient[1], -0.25, 1e-14);
            ck_assert_double_eq_tol(gradient[2], solid ? 0.125 : 0, 1e-14);
            /* The map's last corner has no nodes beyond it. */
            sample(pool.wave, (double[]){ 8, 7, solid ? 6 : 0 }, &z, gradient);
            ck_assert(z == field[grid_cells(&pool.grid) - 1]);
            memory_release(field);
            pool_release(&pool);
        }
    }
END_TEST

START_TEST(walls_have_no_weight_and_the_rest_is_renormalised)
    {
        struct pool pool;
        pool_init(&pool, 4, 4, 0);
        pool.terrain.wall[pool_cell(&pool, 1, 1, 0)] = 1;
        pool.terrain.wall[pool_cell(&pool, 2, 1, 0)] = 1;
        pool_fill(&pool);
        double field[16] = { 0 }, z, gradient[GRID_AXES];
        field[pool_cell(&pool, 1, 2, 0)] = 2;
        field[pool_cell(&pool, 2, 2, 0)] = 6;
        wave_load(pool.wave, field, field, 0, 0, 0);
        sample(pool.wave, (double[]){ 1.25, 1.125, 0 }, &z, gradient);
        ck_assert_double_eq_tol(z, 0.75 * 2 + 0.25 * 6, 1e-15);
        ck_assert_double_eq_tol(gradient[0], 0.75 * 3 + 0.25 * -1, 1e-15);
        /* Between two walls, on the line that joins them: 0. */
        sample(pool.wave, (double[]){ 1.5, 1, 0 }, &z, gradient);
        ck_assert(z == 0 && gradient[0] == 0 && gradient[1] == 0);
        pool_release(&pool);
    }
END_TEST

START_TEST(threads_do_not_change_it)
    {
        struct random random;
        random_seed(&random, 41);
        struct team *team;
        ck_assert_int_eq(team_new(3, false, &team, NULL), STATUS_OK);
        for (int s = 0; s < NAMES; s++) {
            struct pool pool;
            draw(&pool, &random, names[s]);
            size_t bytes = wave_field_bytes(pool.medium);
            void *a[GRID_AXES], *b[GRID_AXES];
            for (int axis = 0; axis < GRID_AXES; axis++) {
                a[axis] = pool_field(&pool);
                b[axis] = pool_field(&pool);
            }
            wave_gradient(pool.wave, a[0], a[1], a[2], NULL);
            wave_gradient(pool.wave, b[0], b[1], b[2], team);
            for (int axis = 0; axis < GRID_AXES; axis++) {
                ck_assert(memcmp(a[axis], b[axis], bytes) == 0);
                memory_release(a[axis]);
                memory_release(b[axis]);
            }
            pool_release(&pool);
        }
        team_release(team);
    }
END_TEST

/* Every version of the loops writes the same bits. */
START_TEST(vector_units_do_not_change_it)
    {
        struct random random;
        random_seed(&random, 43);
        for (int trial = 0; trial < 24; trial++) {
            struct pool pool;
            draw(&pool, &random, names[trial % NAMES]);
            size_t bytes = wave_field_bytes(pool.medium);
            void *a[GRID_AXES], *b[GRID_AXES];
            for (int axis = 0; axis < GRID_AXES; axis++) {
                a[axis] = pool_field(&pool);
                b[axis] = pool_field(&pool);
            }
            medium_choose(pool.medium, LEVEL_PLAIN);
            wave_gradient(pool.wave, a[0], a[1], a[2], NULL);
            for (int level = 0; level <= (int)kernel_best(); level++) {
                medium_choose(pool.medium, (enum kernel_level)level);
                wave_gradient(pool.wave, b[0], b[1], b[2], NULL);
                for (int axis = 0; axis < GRID_AXES; axis++)
                    ck_assert(memcmp(a[axis], b[axis], bytes) == 0);
            }
            for (int axis = 0; axis < GRID_AXES; axis++) {
                memory_release(a[axis]);
                memory_release(b[axis]);
            }
            pool_release(&pool);
        }
    }
END_TEST

int main(void)
{
    setenv("HAMON_THREADS", "all", 1); /* threads on small maps, too */
    Suite *suite = suite_create("gradient");
    TCase *tests = tcase_create("gradient");
    tcase_set_timeout(tests, 300);
    tcase_add_test(
        tests, it_is_the_central_difference_with_the_rules_of_walls_and_edges);
    tcase_add_test(
        tests, in_free_space_it_points_along_the_radius_at_every_node_and_step);
    tcase_add_test(tests, a_sample_at_a_node_is_the_node);
    tcase_add_test(tests, between_nodes_it_is_linear);
    tcase_add_test(tests, walls_have_no_weight_and_the_rest_is_renormalised);
    tcase_add_test(tests, threads_do_not_change_it);
    tcase_add_test(tests, vector_units_do_not_change_it);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
