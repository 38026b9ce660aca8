/* SPDX-License-Identifier: MIT */
/* The wave compared with solutions of the discrete equation in closed form. */
#include "tests/wave/waves.h"

/* Loads z⁰ = now·φ and z⁻¹ = before·φ. */
static void load_mode(struct pool *pool, const double *mode, double now,
                      double before)
{
    size_t cells = grid_cells(&pool->grid);
    double *newest = memory_new(cells, sizeof *newest);
    double *older = memory_new(cells, sizeof *older);
    for (size_t i = 0; i < cells; i++) {
        newest[i] = now * mode[i];
        older[i] = before * mode[i];
    }
    wave_load(pool->wave, newest, older, 0, 0, 0);
    memory_release(newest);
    memory_release(older);
}

/* The largest |z − amplitude·φ|. */
static double apart(const struct pool *pool, const double *mode,
                    double amplitude)
{
    double largest = 0;
    for (size_t i = 0; i < grid_cells(&pool->grid); i++)
        largest = fmax(largest,
                       fabs(wave_value(pool->wave, i) - amplitude * mode[i]));
    return largest;
}

static double half_sine(double p, double n)
{
    double sine = sin(p * PI / (2 * n));
    return sine * sine;
}

struct mode {
    int p[GRID_AXES];
    double *shape;
    double lambda; /* δ × eigenvalue */
};

static double *cosines(const struct grid *grid, const int p[GRID_AXES])
{
    double *shape = memory_new(grid_cells(grid), sizeof *shape);
    const int n[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    for (size_t i = 0; i < grid_cells(grid); i++) {
        int at[GRID_AXES];
        grid_cell(grid, i, at);
        shape[i] = 1;
        for (int axis = 0; axis < GRID_AXES; axis++)
            shape[i] *= cos(p[axis] * PI * (at[axis] + 0.5) / n[axis]);
    }
    return shape;
}

static double free_lambda(const struct pool *pool, const int p[GRID_AXES])
{
    double x = half_sine(p[0], pool->grid.nx);
    double y = half_sine(p[1], pool->grid.ny);
    double z = half_sine(p[2], pool->grid.nz);
    double sum = x + y + z;
    if (stencil_has_diagonals(pool->settings.stencil))
        sum = 1.5 * (1 - (1 - 2 * x / 3) * (1 - 2 * y / 3) * (1 - 2 * z / 3));
    return 4 * pool->settings.delta * sum;
}

static void edge_mode(const char *stencil, const int n[GRID_AXES],
                      const int p[GRID_AXES], enum speed_form form)
{
    struct pool pool;
    pool_init(&pool, n[0], n[1], n[2]);
    pool.settings.stencil = stencil_find(stencil);
    pool.settings.speed_form = form;
    pool_fill(&pool);
    double *shape = cosines(&pool.grid, p);
    double omega = 2 * asin(sqrt(free_lambda(&pool, p)) / 2);
    double standing = 0, kicked = 0, reach = 1;
    load_mode(&pool, shape, 1, cos(omega));
    for (int k = 1; k <= 300; k++) {
        wave_step(pool.wave, NULL);
        standing = fmax(standing, apart(&pool, shape, cos(omega * k)));
    }
    ck_assert_msg(standing <= 1e-11, "%s: %g", stencil, standing);
    load_mode(&pool, shape, 1, 0);
    for (int k = 1; k <= 300; k++) {
        wave_step(pool.wave, NULL);
        double amplitude =
            omega > 0 ? sin((k + 1) * omega) / sin(omega) : k + 1;
        kicked = fmax(kicked, apart(&pool, shape, amplitude));
        reach = fmax(reach, fabs(amplitude));
    }
    ck_assert_msg(kicked <= 1e-11 * reach, "%s: %g", stencil, kicked);
    memory_release(shape);
    pool_release(&pool);
}

START_TEST(edge_modes_swing_at_their_frequency_for_300_steps)
    {
        const int flat[GRID_AXES] = { 23, 17, 0 };
        const int modes[][GRID_AXES] = {
            { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 },
            { 3, 2, 0 }, { 9, 5, 0 }, { 15, 11, 0 }
        };
        for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
            edge_mode("5-point", flat, modes[i], FORM_C2_LAPLACIAN);
            edge_mode("5-point", flat, modes[i], FORM_CONSERVATIVE);
            edge_mode("9-point", flat, modes[i], FORM_C2_LAPLACIAN);
        }
        const int solid[GRID_AXES] = { 11, 8, 7 };
        edge_mode("7-point", solid, (int[]){ 3, 2, 4 }, FORM_C2_LAPLACIAN);
        edge_mode("7-point", solid, (int[]){ 1, 0, 5 }, FORM_CONSERVATIVE);
        edge_mode("27-point", solid, (int[]){ 3, 2, 4 }, FORM_C2_LAPLACIAN);
        edge_mode("27-point", solid, (int[]){ 10, 7, 6 }, FORM_C2_LAPLACIAN);
        edge_mode("27-point", solid, (int[]){ 0, 0, 1 }, FORM_C2_LAPLACIAN);
    }
END_TEST

/* Fixed walls at nodes 0 and n − 1 of both axes; φ vanishes there. */
static double *ring(struct pool *pool, int nx, int ny, int p, int q)
{
    pool_init(pool, nx, ny, 0);
    double *shape = memory_new(grid_cells(&pool->grid), sizeof *shape);
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            bool wall = x == 0 || y == 0 || x == nx - 1 || y == ny - 1;
            size_t cell = pool_cell(pool, x, y, 0);
            pool->terrain.wall[cell] = wall;
            shape[cell] =
                wall ? 0
                     : sin(p * PI * x / (nx - 1)) * sin(q * PI * y / (ny - 1));
        }
    return shape;
}

START_TEST(a_ring_of_fixed_walls_has_its_sine_modes)
    {
        struct pool pool;
        double *shape = ring(&pool, 21, 16, 3, 2);
        pool_fill(&pool);
        double lambda = 4 * 0.25 * (half_sine(3, 20) + half_sine(2, 15));
        double omega = 2 * asin(sqrt(lambda) / 2), largest = 0;
        load_mode(&pool, shape, 1, cos(omega));
        for (int k = 1; k <= 300; k++) {
            wave_step(pool.wave, NULL);
            largest = fmax(largest, apart(&pool, shape, cos(omega * k)));
        }
        ck_assert_msg(largest <= 1e-12, "%g", largest);
        memory_release(shape);
        pool_release(&pool);
    }
END_TEST

/* (1 + m) r² − (2 − λ) r + (1 − m) = 0: |r|² = (1 − m)/(1 + m). */
START_TEST(a_damped_mode_decays_at_its_rate)
    {
        for (int form = 0; form < 2; form++) {
            struct pool pool;
            const int p[GRID_AXES] = { 4, 3, 0 };
            pool_init(&pool, 23, 17, 0);
            pool.settings.damping = 0.02385;
            pool.settings.speed_form = (enum speed_form)form;
            pool_fill(&pool);
            double *shape = cosines(&pool.grid, p);
            double m = pool.settings.damping / 2, largest = 0;
            double decay = sqrt((1 - m) / (1 + m));
            double theta =
                acos((1 - free_lambda(&pool, p) / 2) / sqrt(1 - m * m));
            load_mode(&pool, shape, 1, cos(theta) / decay);
            for (int k = 1; k <= 300; k++) {
                wave_step(pool.wave, NULL);
                largest = fmax(largest, apart(&pool, shape,
                                              pow(decay, k) * cos(theta * k)));
            }
            ck_assert_msg(largest <= 1e-11, "%g", largest);
            ck_assert(pow(decay, 300) < 0.03);
            memory_release(shape);
            pool_release(&pool);
        }
    }
END_TEST

/* 2 cos ω from three generations of a standing wave, cell by cell. */
static double measured_omega(struct pool *pool, const double *shape)
{
    double sum = 0, norm = 0;
    load_mode(pool, shape, 1, 1);
    wave_step(pool->wave, NULL);
    for (size_t i = 0; i < grid_cells(&pool->grid); i++) {
        sum += shape[i] * (wave_value(pool->wave, i) + shape[i]);
        norm += shape[i] * shape[i];
    }
    return acos(sum / norm / 2);
}

START_TEST(dispersion_follows_the_stencil)
    {
        struct pool pool;
        pool_init(&pool, 40, 30, 0);
        pool_fill(&pool);
        for (int p = 1; p < 40; p += 5)
            for (int q = 0; q < 30; q += 4) {
                double *shape = cosines(&pool.grid, (int[]){ p, q, 0 });
                double omega = measured_omega(&pool, shape);
                double sine = sin(omega / 2) * sin(omega / 2);
                double wanted = 0.25 * (half_sine(p, 40) + half_sine(q, 30));
                ck_assert_double_eq_tol(sine, wanted, 1e-14);
                memory_release(shape);
            }
        pool_release(&pool);
    }
END_TEST

START_TEST(a_corridor_between_fixed_walls_cuts_off_at_its_frequency)
    {
        for (int width = 1; width <= 21; width += 4) {
            struct pool pool;
            pool_init(&pool, 30, width + 2, 0);
            double *shape = memory_new(grid_cells(&pool.grid), sizeof *shape);
            for (int y = 0; y < width + 2; y++)
                for (int x = 0; x < 30; x++) {
                    bool wall = y == 0 || y == width + 1;
                    pool.terrain.wall[pool_cell(&pool, x, y, 0)] = wall;
                    shape[pool_cell(&pool, x, y, 0)] =
                        wall ? 0 : sin(PI * y / (width + 1));
                }
            pool_fill(&pool);
            double omega = measured_omega(&pool, shape);
            ck_assert_double_eq_tol(sin(omega / 2) * sin(omega / 2),
                                    0.25 * half_sine(1, width + 1), 1e-14);
            memory_release(shape);
            pool_release(&pool);
        }
    }
END_TEST

/* Error at one time of the continuous solution cos(√(p² + q²)πt) φ on the unit
 * square, n cells (or n + 1 nodes between fixed walls) an axis. */
static double error_after(const char *stencil, int n, bool walls)
{
    struct pool pool;
    const int p = 2, q = 1;
    double *shape;
    if (walls) {
        shape = ring(&pool, n + 1, n + 1, p, q);
    } else {
        pool_init(&pool, n, n, 0);
        shape = cosines(&pool.grid, (int[]){ p, q, 0 });
    }
    pool.settings.stencil = stencil_find(stencil);
    pool_fill(&pool);
    double step = sqrt(pool.settings.delta) / n;
    double omega = PI * sqrt(p * p + q * q) * step;
    load_mode(&pool, shape, 1, cos(omega));
    int steps = (int)lround(0.75 / step);
    pool_run(&pool, steps);
    double error = apart(&pool, shape, cos(omega * steps));
    memory_release(shape);
    pool_release(&pool);
    return error;
}

START_TEST(it_converges_to_the_continuous_wave_with_order_two)
    {
        const char *const names[] = { "5-point", "9-point" };
        for (int walls = 0; walls < 2; walls++)
            for (int s = 0; s < 2; s++)
                for (int n = 32; n <= 128; n *= 2) {
                    double order = log2(error_after(names[s], n, walls) /
                                        error_after(names[s], 2 * n, walls));
                    ck_assert_msg(fabs(order - 2) <= 0.05, "%s, %d: %g",
                                  names[s], n, order);
                }
    }
END_TEST

/* A pulse travels along a strip into a slower half; R and T of its peak. */
static void interface(enum speed_form form, double c2, double *r, double *t)
{
    enum { N = 1600, MIDDLE = N / 2, START = 400 };
    struct pool pool;
    pool_init(&pool, N, 1, 0);
    pool.settings.speed_form = form;
    pool_speeds(&pool, NULL, 1);
    double *now = memory_new(N, sizeof *now), *old = memory_new(N, 8);
    for (int x = 0; x < N; x++) {
        const double sigma = 40;
        pool.terrain.speed[x] = x < MIDDLE ? 1 : c2;
        double u = (x - START) / sigma, before = (x - START + 0.5) / sigma;
        now[x] = exp(-u * u / 2);
        old[x] = exp(-before * before / 2);
    }
    pool_fill(&pool);
    wave_load(pool.wave, now, old, 0, 0, 0);
    pool_run(&pool, 2 * (MIDDLE - START) + 500); /* √δ = 1/2 cell a step */
    *r = *t = 0;
    for (int x = 0; x < N; x++) {
        double z = wave_value(pool.wave, (size_t)x);
        double *peak = x < MIDDLE ? r : t;
        if (fabs(z) > fabs(*peak))
            *peak = z;
    }
    memory_release(now);
    memory_release(old);
    pool_release(&pool);
}

START_TEST(an_interface_reflects_and_transmits_by_the_law_of_its_form)
    {
        for (double c2 = 0.4; c2 < 0.9; c2 += 0.2) {
            double r, t;
            interface(FORM_C2_LAPLACIAN, c2, &r, &t);
            ck_assert_double_eq_tol(r, (c2 - 1) / (1 + c2), 2e-3);
            ck_assert_double_eq_tol(t, 2 * c2 / (1 + c2), 2e-3);
            interface(FORM_CONSERVATIVE, c2, &r, &t);
            ck_assert_double_eq_tol(r, (1 - c2) / (1 + c2), 2e-3);
            ck_assert_double_eq_tol(t, 2 / (1 + c2), 2e-3);
        }
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("wave modes");
    TCase *tests = tcase_create("modes");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, edge_modes_swing_at_their_frequency_for_300_steps);
    tcase_add_test(tests, a_ring_of_fixed_walls_has_its_sine_modes);
    tcase_add_test(tests, a_damped_mode_decays_at_its_rate);
    tcase_add_test(tests, dispersion_follows_the_stencil);
    tcase_add_test(tests,
                   a_corridor_between_fixed_walls_cuts_off_at_its_frequency);
    tcase_add_test(tests, it_converges_to_the_continuous_wave_with_order_two);
    tcase_add_test(tests,
                   an_interface_reflects_and_transmits_by_the_law_of_its_form);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
