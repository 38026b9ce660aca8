/* SPDX-License-Identifier: MIT */
/* The wave compared with its conservation laws and with counted paths. */
#include "tests/wave/waves.h"

/* The medium on which a law is tested. */
struct water {
    const char *stencil;
    enum wall_rule walls;
    enum speed_form form;
    bool speeds;
};

static const struct water waters[] = {
    { "5-point", WALLS_FIXED, FORM_C2_LAPLACIAN, false },
    { "5-point", WALLS_FREE, FORM_C2_LAPLACIAN, true },
    { "5-point", WALLS_FIXED, FORM_C2_LAPLACIAN, true },
    { "5-point", WALLS_FIXED, FORM_CONSERVATIVE, true },
    { "5-point", WALLS_FREE, FORM_CONSERVATIVE, true },
    { "7-point", WALLS_FREE, FORM_C2_LAPLACIAN, true },
    { "7-point", WALLS_FIXED, FORM_CONSERVATIVE, true },
    { "9-point", WALLS_FIXED, FORM_C2_LAPLACIAN, true },
    { "9-point", WALLS_FREE, FORM_C2_LAPLACIAN, true },
    { "27-point", WALLS_FIXED, FORM_C2_LAPLACIAN, true },
    { "27-point", WALLS_FREE, FORM_C2_LAPLACIAN, true },
};
enum { WATERS = sizeof waters / sizeof *waters };

static bool has_diagonals(const struct water *water)
{
    return stencil_has_diagonals(stencil_find(water->stencil));
}

static void draw(struct pool *pool, const struct water *water,
                 struct random *random)
{
    bool solid = stencil_find(water->stencil)->dims == 3;
    pool_init(pool, solid ? 11 : 33, solid ? 9 : 21, solid ? 7 : 0);
    pool_walls(pool, random, 0.2);
    if (water->speeds)
        pool_speeds(pool, random, 0.4);
    pool->settings.stencil = stencil_find(water->stencil);
    pool->settings.walls = water->walls;
    pool->settings.speed_form = water->form;
    pool->settings.source = SOURCE_REST;
}

static size_t free_cell(const struct pool *pool, struct random *random)
{
    size_t cell;
    do
        cell = random_below(random, grid_cells(&pool->grid));
    while (pool->terrain.wall[cell]);
    return cell;
}

static double speed_squared(const struct pool *pool, size_t cell)
{
    double speed = pool->terrain.speed ? pool->terrain.speed[cell] : 1;
    return speed * speed;
}

/* δ of the face between two neighbours, the second perhaps outside (its cell is
 * then SIZE_MAX), by the form of the law. */
static double link_delta(const struct pool *pool, size_t a, size_t b)
{
    double delta = pool->settings.delta;
    if (b == SIZE_MAX ||
        (pool->terrain.wall[b] && pool->settings.walls == WALLS_FREE))
        return 0;
    if (pool->settings.speed_form == FORM_C2_LAPLACIAN)
        return 1; /* δᵢ belongs to the cell, not to the link */
    double own = delta * speed_squared(pool, a);
    if (pool->terrain.wall[b])
        return own;
    double other = delta * speed_squared(pool, b);
    return 1 / (0.5 / own + 0.5 / other);
}

static size_t neighbour(const struct pool *pool, size_t cell, int direction)
{
    int at[GRID_AXES];
    grid_cell(&pool->grid, cell, at);
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] += direction_step[direction][axis];
    return grid_holds(&pool->grid, at[0], at[1], at[2])
               ? grid_index(&pool->grid, at[0], at[1], at[2])
               : SIZE_MAX;
}

/* ½Σ(zᵏ⁺¹ − zᵏ)²/δᵢ + ½Σ zᵏ⁺¹(Kzᵏ) for 5- and 7-point, K by its links: each
 * link between free cells once, each to a fixed wall in full. */
static double energy(const struct pool *pool)
{
    long double sum = 0;
    bool conservative = pool->settings.speed_form == FORM_CONSERVATIVE;
    for (size_t i = 0; i < grid_cells(&pool->grid); i++) {
        if (pool->terrain.wall[i])
            continue;
        double now = wave_value(pool->wave, i);
        double old = wave_older_value(pool->wave, i);
        double delta = pool->settings.delta * speed_squared(pool, i);
        sum +=
            (long double)(now - old) * (now - old) / (conservative ? 1 : delta);
        for (int d = 0; d < 2 * pool->grid.dims; d++) {
            size_t j = neighbour(pool, i, d);
            double link = link_delta(pool, i, j);
            if (link == 0)
                continue;
            double there = wave_value(pool->wave, j);
            double there_old = wave_older_value(pool->wave, j);
            /* Between two free cells the other end has the other half. */
            double share = pool->terrain.wall[j] ? 1 : 0.5;
            sum +=
                (long double)(share * link) * (now - there) * (old - there_old);
        }
    }
    return (double)(sum / 2);
}

START_TEST(energy_does_not_drift_over_2000_steps)
    {
        struct random random;
        random_seed(&random, 11);
        for (int i = 0; i < WATERS; i++) {
            if (has_diagonals(&waters[i]))
                continue; /* its links are not only along the axes: see below */
            struct pool pool;
            draw(&pool, &waters[i], &random);
            pool_fill(&pool);
            wave_emit(pool.wave, free_cell(&pool, &random), 0);
            wave_step(pool.wave, NULL);
            double first = energy(&pool), drift = 0;
            for (int k = 0; k < 2000; k++) {
                wave_step(pool.wave, NULL);
                if (k % 40 == 39)
                    drift = fmax(drift, fabs(energy(&pool) / first - 1));
            }
            ck_assert_msg(drift <= 1e-13, "%d: %g", i, drift);
            pool_release(&pool);
        }
    }
END_TEST

/* Kz of the newest generation from the wave's own next step, as (2zᵏ − zᵏ⁻¹ −
 * zᵏ⁺¹)/δᵢ; with the energies at two times this verifies the law for stencils
 * with diagonals. */
static double own_energy(struct pool *pool, const double *now,
                         const double *old)
{
    long double sum = 0;
    wave_load(pool->wave, old, now, 0, 0, 0); /* z⁺ = 2·old − now − δK·old */
    wave_step(pool->wave, NULL);
    for (size_t i = 0; i < grid_cells(&pool->grid); i++) {
        if (pool->terrain.wall[i])
            continue;
        double delta = pool->settings.delta * speed_squared(pool, i);
        double k_old = 2 * old[i] - now[i] - wave_value(pool->wave, i);
        sum += (long double)(now[i] - old[i]) * (now[i] - old[i]) / delta;
        sum += (long double)now[i] * k_old / delta;
    }
    return (double)(sum / 2);
}

START_TEST(energy_of_stencils_with_diagonals_does_not_drift)
    {
        struct random random;
        random_seed(&random, 12);
        for (int i = 0; i < WATERS; i++) {
            if (!has_diagonals(&waters[i]))
                continue;
            struct pool pool;
            draw(&pool, &waters[i], &random);
            pool_fill(&pool);
            double *now = pool_field(&pool), *old = pool_field(&pool);
            int64_t emitted, source;
            wave_emit(pool.wave, free_cell(&pool, &random), 0);
            double first = 0, drift = 0;
            for (int k = 1; k <= 2000; k++) {
                wave_step(pool.wave, NULL);
                if (k % 100)
                    continue;
                wave_save(pool.wave, now, old, &emitted, &source);
                double sum = own_energy(&pool, now, old);
                wave_load(pool.wave, now, old, emitted, source, k);
                first = k == 100 ? sum : first;
                drift = fmax(drift, fabs(sum / first - 1));
            }
            ck_assert_msg(drift <= 1e-13, "%d: %g", i, drift);
            memory_release(now);
            memory_release(old);
            pool_release(&pool);
        }
    }
END_TEST

START_TEST(time_runs_back_to_the_source)
    {
        struct random random;
        random_seed(&random, 13);
        for (int i = 0; i < WATERS; i++) {
            struct pool pool;
            draw(&pool, &waters[i], &random);
            pool_fill(&pool);
            size_t source = free_cell(&pool, &random);
            double *now = pool_field(&pool), *old = pool_field(&pool);
            int64_t emitted, cell;
            wave_emit(pool.wave, source, 0);
            pool_run(&pool, 200);
            wave_save(pool.wave, now, old, &emitted, &cell);
            wave_load(pool.wave, old, now, emitted, cell, 0);
            pool_run(&pool, 200);
            for (size_t j = 0; j < grid_cells(&pool.grid); j++)
                ck_assert_double_eq_tol(wave_value(pool.wave, j),
                                        j == source ? 1 : 0, 1e-12);
            memory_release(now);
            memory_release(old);
            pool_release(&pool);
        }
    }
END_TEST

START_TEST(the_edge_of_the_light_cone_counts_binomially)
    {
        enum { STEPS = 40, SIDE = 2 * STEPS + 3, MIDDLE = STEPS + 1 };
        struct pool pool;
        pool_init(&pool, SIDE, SIDE, 0);
        pool.settings.delta = 0.2385;
        pool_fill(&pool);
        wave_emit(pool.wave, pool_cell(&pool, MIDDLE, MIDDLE, 0), 0);
        for (int k = 1; k <= STEPS; k++) {
            wave_step(pool.wave, NULL);
            for (int y = 0; y < SIDE; y++)
                for (int x = 0; x < SIDE; x++) {
                    int i = abs(x - MIDDLE), j = abs(y - MIDDLE);
                    double z = wave_value(pool.wave, pool_cell(&pool, x, y, 0));
                    if (i + j > k)
                        ck_assert(z == 0 && !signbit(z));
                    if (i + j != k)
                        continue;
                    double wanted = pow(0.2385, k) * tgamma(k + 1.) /
                                    (tgamma(i + 1.) * tgamma(j + 1.));
                    ck_assert_double_eq_tol(z / wanted, 1, 1e-13);
                }
        }
        pool_release(&pool);
    }
END_TEST

/* Lee distances and path sums by plain relaxation, for each step. */
static void count_paths(const struct pool *pool, size_t source, int *steps,
                        double *paths)
{
    size_t cells = grid_cells(&pool->grid);
    for (size_t i = 0; i < cells; i++) {
        steps[i] = -1;
        paths[i] = 0;
    }
    steps[source] = 0;
    paths[source] = pool->settings.amplitude;
    bool on = true;
    for (int k = 1; on; k++) {
        on = false;
        for (size_t i = 0; i < cells; i++) {
            if (pool->terrain.wall[i] || steps[i] >= 0)
                continue;
            double sum = 0;
            for (int d = 0; d < 2 * pool->grid.dims; d++) {
                size_t j = neighbour(pool, i, d);
                if (j != SIZE_MAX && steps[j] == k - 1)
                    sum += paths[j] * link_delta(pool, i, j);
            }
            if (sum == 0)
                continue;
            if (pool->settings.speed_form == FORM_C2_LAPLACIAN)
                sum *= pool->settings.delta * speed_squared(pool, i);
            paths[i] = sum;
            steps[i] = k;
            on = true;
        }
    }
}

static void check_paths(struct pool *pool, size_t source)
{
    size_t cells = grid_cells(&pool->grid);
    int *steps = memory_new(cells, sizeof *steps);
    double *paths = memory_new(cells, sizeof *paths);
    count_paths(pool, source, steps, paths);
    wave_emit(pool->wave, source, 0);
    for (int k = 0; k < 80; k++) {
        for (size_t i = 0; i < cells; i++) {
            double z = wave_value(pool->wave, i);
            if (steps[i] < 0 || k < steps[i])
                ck_assert(z == 0);
            else if (k == steps[i])
                ck_assert_double_eq_tol(z / paths[i], 1, 1e-13);
        }
        wave_step(pool->wave, NULL);
    }
    memory_release(steps);
    memory_release(paths);
}

START_TEST(first_values_count_the_shortest_paths_on_any_map)
    {
        struct random random;
        random_seed(&random, 17);
        for (int i = 0; i < WATERS; i++)
            for (int trial = 0; trial < 5; trial++) {
                if (has_diagonals(&waters[i]))
                    continue;
                struct pool pool;
                draw(&pool, &waters[i], &random);
                pool.settings.source = SOURCE_IMPULSE;
                pool.settings.amplitude = 2.385;
                pool_fill(&pool);
                check_paths(&pool, free_cell(&pool, &random));
                pool_release(&pool);
            }
    }
END_TEST

START_TEST(waves_superpose)
    {
        struct random random;
        random_seed(&random, 19);
        for (int i = 0; i < WATERS; i++) {
            struct pool pool;
            draw(&pool, &waters[i], &random);
            pool_fill(&pool);
            size_t cells = grid_cells(&pool.grid);
            size_t a = free_cell(&pool, &random), b;
            do
                b = free_cell(&pool, &random);
            while (a == b);
            double *sum = pool_field(&pool), *both = pool_field(&pool);
            wave_emit(pool.wave, a, 0);
            wave_copy(pool.wave, both, NULL);
            pool_run(&pool, 150);
            wave_copy(pool.wave, sum, NULL);
            wave_emit(pool.wave, b, 0);
            both[b] = 1;
            pool_run(&pool, 150);
            for (size_t j = 0; j < cells; j++)
                sum[j] += wave_value(pool.wave, j);
            wave_load(pool.wave, both, both, 0, 0, 0);
            pool_run(&pool, 150);
            for (size_t j = 0; j < cells; j++)
                ck_assert_double_eq_tol(wave_value(pool.wave, j), sum[j],
                                        1e-13);
            memory_release(sum);
            memory_release(both);
            pool_release(&pool);
        }
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("wave laws");
    TCase *tests = tcase_create("laws");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, energy_does_not_drift_over_2000_steps);
    tcase_add_test(tests, energy_of_stencils_with_diagonals_does_not_drift);
    tcase_add_test(tests, time_runs_back_to_the_source);
    tcase_add_test(tests, the_edge_of_the_light_cone_counts_binomially);
    tcase_add_test(tests, first_values_count_the_shortest_paths_on_any_map);
    tcase_add_test(tests, waves_superpose);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
