/* SPDX-License-Identifier: MIT */
/* Sources of one mode and of a signal, compared with a chain of cells, with the
 * mode's exact wave, and with a plain recursion. */
#include "tests/wave/plain.h"
#include "tests/wave/waves.h"

#include "base/team.h"
#include "world/state.h"

#include <stdio.h>

/* A corridor of `width` cells (a duct of width × depth) in a map of `length`
 * along the axis of travel, with a row of walls or the map's edge on each
 * side. */
struct scene {
    const char *name, *stencil;
    int toward, length, width, depth;
    int mode, second; /* −1: the lowest */
    enum wall_rule walls;
    bool edge;                        /* the map's edge at the low side */
    double delta, frequency, damping; /* frequency 0: band or signal */
    const char *band, *signal;
    bool single; /* precision */
    enum speed_form form;
};

enum { STEPS = 110, BEYOND = 230 };

static const struct scene scenes[] = {
    { "fixed walls, a wave without end", "5-point", EAST, BEYOND, 5, 0, 2, -1,
      .delta = .25, .frequency = .7 },
    { "free walls, a pulse", "5-point", WEST, BEYOND, 4, 0, -1, -1, WALLS_FREE,
      .delta = .4, .band = "[0.6, 1.2]" },
    { "a wall and the edge, numbers", "5-point", SOUTH, BEYOND, 4, 0, 1, -1,
      .edge = true, .delta = .25, .signal = "[1.0, -0.5, 0.25]" },
    { "9-point, fixed walls, damped", "9-point", NORTH, BEYOND, 6, 0, 3, -1,
      .delta = .5, .frequency = .9, .damping = .02 },
    { "9-point, free walls", "9-point", EAST, BEYOND, 5, 0, 2, -1, WALLS_FREE,
      .delta = .7, .band = "[0.8, 1.6]" },
    { "conservative, one cell wide", "5-point", EAST, BEYOND, 1, 0, -1, -1,
      .delta = .3, .signal = "[1.0]", .form = FORM_CONSERVATIVE },
    { "a duct", "7-point", EAST, BEYOND, 3, 4, 2, 3, .delta = .3,
      .frequency = 1.4 },
    { "a duct down, free walls, 27-point", "27-point", DOWN, BEYOND, 3, 2, 1,
      -1, WALLS_FREE, .delta = .6, .band = "[0.6, 1.4]", .damping = .01 },
    { "single precision", "5-point", EAST, BEYOND, 5, 0, 1, -1, .delta = .25,
      .frequency = .5, .single = true },
};
enum { SCENES = sizeof scenes / sizeof *scenes };

static const struct scene steady[] = {
    { "fixed walls", "5-point", EAST, 40, 5, 0, 1, -1, .delta = .25,
      .frequency = .35 },
    { "free walls", "5-point", NORTH, 40, 5, 0, 1, -1, WALLS_FREE, .delta = .25,
      .frequency = .4 },
    { "a duct", "7-point", WEST, 24, 3, 3, -1, -1, .delta = .3,
      .frequency = .75 },
};
enum { STEADY = sizeof steady / sizeof *steady };

/* The cell a place along and j, l across, from 1 on. */
static size_t cell_at(const struct scene *scene, const struct pool *pool,
                      int along, int j, int l)
{
    const int axis = scene->toward / 2, low = scene->edge ? 0 : 1;
    int at[GRID_AXES] = { 0 };
    at[axis] = along;
    at[axis == 0 ? 1 : 0] = low + j - 1;
    if (scene->depth)
        at[axis == 2 ? 1 : 2] = low + l - 1;
    return pool_cell(pool, at[0], at[1], at[2]);
}

static int depth_of(const struct scene *scene)
{
    return scene->depth ? scene->depth : 1;
}

static void build(const struct scene *scene, struct pool *pool, bool open)
{
    const int axis = scene->toward / 2, extra = scene->edge ? 1 : 2;
    int n[GRID_AXES] = { 0 };
    n[axis] = scene->length;
    n[axis == 0 ? 1 : 0] = scene->width + extra;
    if (scene->depth)
        n[axis == 2 ? 1 : 2] = scene->depth + extra;
    pool_init(pool, n[0], n[1], n[2]);
    memset(pool->terrain.wall, 1, grid_cells(&pool->grid));
    for (int along = 0; along < scene->length; along++)
        for (int j = 1; j <= scene->width; j++)
            for (int l = 1; l <= depth_of(scene); l++)
                pool->terrain.wall[cell_at(scene, pool, along, j, l)] = 0;
    struct wave_settings *settings = &pool->settings;
    int at[2][GRID_AXES];
    const int middle = scene->length / 2;
    grid_cell(&pool->grid, cell_at(scene, pool, middle, 1, 1), at[0]);
    grid_cell(&pool->grid,
              cell_at(scene, pool, middle, scene->width, depth_of(scene)),
              at[1]);
    *settings = plain_settings(scene->stencil);
    settings->delta = scene->delta;
    settings->damping = scene->damping;
    settings->walls = scene->walls;
    settings->speed_form = scene->form;
    settings->amplitude = 2;
    settings->source = SOURCE_MODE;
    settings->has_section = settings->has_toward = true;
    memcpy(settings->section.low, at[0], sizeof at[0]);
    memcpy(settings->section.high, at[1], sizeof at[1]);
    settings->toward = scene->toward;
    settings->has_mode = scene->mode >= 0;
    settings->mode = scene->mode;
    settings->has_second_mode = scene->second >= 0;
    settings->second_mode = scene->second;
    settings->has_frequency = scene->frequency > 0;
    settings->frequency = scene->frequency;
    settings->has_band = scene->band;
    settings->band = scene->band;
    settings->has_signal = scene->signal;
    settings->signal = scene->signal;
    settings->precision = scene->single ? PRECISION_SINGLE : PRECISION_DOUBLE;
    settings->ages = open ? 4000 : STEPS;
    settings->has_edges = open;
    settings->edges = 3u << 2 * axis;
    struct error error;
    ck_assert_msg(wave_source_fits(settings, &pool->terrain, &error) ==
                      STATUS_OK,
                  "%s", error.message);
    pool_fill(pool);
}

/* ---- the mode across, the signal, and the chain, by their definitions ---- */

struct across {
    double q, norm;
    int fixed[2], width;
};

static struct across across_of(const struct scene *scene, int width, int number)
{
    struct across a = { .width = width };
    a.fixed[0] = scene->walls == WALLS_FIXED && !scene->edge;
    a.fixed[1] = scene->walls == WALLS_FIXED;
    if (number < 0)
        number = a.fixed[1];
    if (a.fixed[0])
        a.q = number * PI / (width + 1);
    else if (a.fixed[1])
        a.q = (number - .5) * PI / (width + .5);
    else
        a.q = number * PI / width;
    double sum = 0;
    for (int j = 1; j <= width; j++) {
        const double one = a.fixed[0]   ? sin(a.q * j)
                           : a.fixed[1] ? sin(a.q * (width + 1 - j))
                                        : cos(a.q * (j - .5));
        sum += one * one;
    }
    a.norm = 1 / sqrt(sum);
    return a;
}

static double across_at(const struct across *a, int j)
{
    return a->norm * (a->fixed[0]   ? sin(a->q * j)
                      : a->fixed[1] ? sin(a->q * (a->width + 1 - j))
                                    : cos(a->q * (j - .5)));
}

/* Up to a sign: that of the mode's first cell is positive where it has a fixed
 * wall or a mirror there; our modes are so too but for a wall at the far end
 * only, where that end's is. */
static double phi(const struct scene *scene, int j, int l)
{
    const struct across first = across_of(scene, scene->width, scene->mode);
    const struct across second =
        across_of(scene, depth_of(scene), scene->second);
    return across_at(&first, j) * (scene->depth ? across_at(&second, l) : 1);
}

static double signal_at(const struct scene *scene, int k)
{
    double low, high;
    int used;
    if (scene->frequency > 0) {
        const double rise = ceil(10 * PI / scene->frequency);
        return (k < rise ? (1 - cos(PI * k / rise)) / 2 : 1) *
               sin(scene->frequency * k);
    }
    if (scene->band) {
        ck_assert_int_eq(sscanf(scene->band, "[%lf, %lf]", &low, &high), 2);
        const double tau = 2 * sqrt(2 * log(10)) / (high - low);
        const double t0 = ceil(6 * tau), u = (k - t0) / tau;
        return k > 2 * t0 ? 0
                          : exp(-u * u / 2) * cos((low + high) / 2 * (k - t0));
    }
    const char *at = scene->signal + 1;
    double value = 0;
    for (int i = 0; i <= k; i++, at += used + 1)
        if (sscanf(at, "%lf%n", &value, &used) != 1)
            return 0;
    return value;
}

/* sin²(q/2) of the axes across as the stencil sees them: the chain's δ and the
 * term without neighbours. */
static void chain_of(const struct scene *scene, double *delta, double *mass)
{
    const struct across first = across_of(scene, scene->width, scene->mode);
    const struct across second =
        across_of(scene, depth_of(scene), scene->second);
    const double s = pow(sin(first.q / 2), 2);
    const double t = scene->depth ? pow(sin(second.q / 2), 2) : 0;
    const bool diagonals = stencil_has_diagonals(stencil_find(scene->stencil));
    const double product = (1 - 2 * s / 3) * (1 - 2 * t / 3);
    *delta = scene->delta * (diagonals ? product : 1);
    *mass = scene->delta * (diagonals ? 6 * (1 - product) : 4 * (s + t));
}

START_TEST(a_mode_travels_as_on_a_chain_and_nothing_goes_back)
    {
        const struct scene *scene = &scenes[_i];
        struct pool pool;
        double now[BEYOND] = { 0 }, before[BEYOND] = { 0 },
               next[BEYOND] = { 0 };
        double delta, mass, worst = 0, back = 0, peak = 0;
        const int sign = scene->toward % 2 ? -1 : 1;
        const double m = scene->damping / 2;
        build(scene, &pool, false);
        chain_of(scene, &delta, &mass);
        wave_emit(pool.wave, cell_at(scene, &pool, 1, 1, 1), 7);
        for (int k = 0; k < STEPS; k++) {
            now[0] = 2 * signal_at(scene, k);
            for (int i = 1; i + 1 < BEYOND; i++)
                next[i] =
                    (delta * (now[i + 1] + now[i - 1]) +
                     (2 - 2 * delta - mass) * now[i] - (1 - m) * before[i]) /
                    (1 + m);
            memcpy(before, now, sizeof now);
            memcpy(now, next, sizeof now);
            wave_step(pool.wave, NULL);
            for (int along = 0; along < scene->length; along++)
                for (int j = 1; j <= scene->width; j++)
                    for (int l = 1; l <= depth_of(scene); l++) {
                        const int i = sign * (along - scene->length / 2) + 1;
                        const double z = wave_value(
                            pool.wave, cell_at(scene, &pool, along, j, l));
                        peak = fmax(peak, fabs(z));
                        if (i < 1)
                            back = fmax(back, fabs(z));
                        else
                            worst = fmax(worst,
                                         fabs(z - now[i] * phi(scene, j, l)));
                    }
        }
        const double error = scene->single ? 2e-5 : 1e-12;
        printf("# %s: back %.1e, beside the chain %.1e of the peak\n",
               scene->name, back / peak, worst / peak);
        ck_assert(peak > .05);
        ck_assert_msg(back <= error * peak, "%s: back %g", scene->name, back);
        ck_assert_msg(worst <= error * peak, "%s: %g", scene->name, worst);
        pool_release(&pool);
    }
END_TEST

/* After a long time z = A φ sin(ωt − ki): the first cell of the section has
 * i = 1, a step later than the signal. */
START_TEST(a_steady_mode_is_the_lattices_exact_wave)
    {
        const struct scene *scene = &steady[_i];
        struct pool pool;
        double delta, mass, worst = 0, back = 0;
        const int sign = scene->toward % 2 ? -1 : 1, steps = 3000;
        const double omega = scene->frequency;
        build(scene, &pool, true);
        chain_of(scene, &delta, &mass);
        const double k =
            2 * asin(sqrt((pow(2 * sin(omega / 2), 2) - mass) / (4 * delta)));
        wave_emit(pool.wave, cell_at(scene, &pool, 1, 1, 1), 0);
        pool_run(&pool, steps);
        for (int n = 0; n < 30; n++) {
            for (int along = 0; along < scene->length; along++)
                for (int j = 1; j <= scene->width; j++)
                    for (int l = 1; l <= depth_of(scene); l++) {
                        const int i = sign * (along - scene->length / 2) + 1;
                        const double z = wave_value(
                            pool.wave, cell_at(scene, &pool, along, j, l));
                        const double exact = 2 * phi(scene, j, l) *
                                             sin(omega * (steps + n) - k * i);
                        if (i < 1)
                            back = fmax(back, fabs(z));
                        else
                            worst = fmax(worst, fabs(z - exact));
                    }
            pool_run(&pool, 1);
        }
        printf("# %s: back %.1e, beside the exact wave %.1e of A\n",
               scene->name, back / 2, worst / 2);
        ck_assert_msg(back <= 2e-4 * 2, "%s: back %g", scene->name, back);
        ck_assert_msg(worst <= 2e-4 * 2, "%s: %g", scene->name, worst);
        pool_release(&pool);
    }
END_TEST

static void save(struct wave *wave, int64_t step, struct state *state)
{
    *state = (struct state){ .mode = STATE_MEASURE };
    wave_state(wave, step, state);
    char *memory = memory_new(1, state->used);
    ck_assert_ptr_nonnull(memory);
    *state = (struct state){ .mode = STATE_SAVE, .memory = memory };
    wave_state(wave, step, state);
}

static void assert_same(struct wave *ours, struct wave *theirs, int64_t step)
{
    struct state one, other;
    save(ours, step, &one);
    save(theirs, step, &other);
    ck_assert_uint_eq(one.used, other.used);
    ck_assert(memcmp(one.memory, other.memory, one.used) == 0);
    memory_release(one.memory);
    memory_release(other.memory);
}

START_TEST(plain_steps_threads_and_a_restart_give_the_same_bits)
    {
        const struct scene *scene = &scenes[_i];
        const bool open = strcmp(scene->stencil, "27-point") != 0;
        struct pool pool, plain, loaded;
        struct team *team;
        struct state state;
        ck_assert_int_eq(team_new(3, false, &team, NULL), STATUS_OK);
        build(scene, &pool, open);
        build(scene, &plain, open);
        build(scene, &loaded, open);
        const size_t source = cell_at(scene, &pool, 1, 1, 1);
        wave_emit(pool.wave, source, 0);
        wave_emit(plain.wave, source, 0);
        wave_advance(pool.wave, 25, team);
        save(pool.wave, 25, &state);
        state.mode = STATE_LOAD;
        state.used = 0;
        state.step = 25;
        wave_state(loaded.wave, 25, &state);
        ck_assert(!state.strange);
        for (int k = 0; k < 40; k++)
            wave_step_plain(plain.wave);
        wave_advance(pool.wave, 15, team);
        pool_run(&loaded, 15);
        assert_same(pool.wave, plain.wave, 40);
        assert_same(pool.wave, loaded.wave, 40);
        memory_release(state.memory);
        team_release(team);
        pool_release(&pool);
        pool_release(&plain);
        pool_release(&loaded);
    }
END_TEST

START_TEST(a_signal_is_added_to_its_cell_number_by_number)
    {
        enum { NX = 9, NY = 7, X = 3, Y = 2, NUMBERS = 4 };
        static const double numbers[NUMBERS] = { .5, 0, -2, .125 };
        double now[NY][NX] = { { 0 } }, before[NY][NX] = { { 0 } };
        struct pool pool;
        pool_init(&pool, NX, NY, 0);
        pool.settings.source = SOURCE_SIGNAL;
        pool.settings.has_signal = true;
        pool.settings.signal = "[0.5, 0.0, -2.0, 0.125]";
        pool.settings.amplitude = 3;
        pool_fill(&pool);
        wave_emit(pool.wave, pool_cell(&pool, X, Y, 0), 0);
        for (int k = 1; k < 30; k++) {
            double next[NY][NX];
            for (int y = 0; y < NY; y++)
                for (int x = 0; x < NX; x++) {
                    double sum = 0;
                    sum += x > 0 ? now[y][x - 1] - now[y][x] : 0;
                    sum += x + 1 < NX ? now[y][x + 1] - now[y][x] : 0;
                    sum += y > 0 ? now[y - 1][x] - now[y][x] : 0;
                    sum += y + 1 < NY ? now[y + 1][x] - now[y][x] : 0;
                    next[y][x] = .25 * sum + 2 * now[y][x] - before[y][x];
                }
            next[Y][X] += k <= NUMBERS ? 3 * numbers[k - 1] : 0;
            memcpy(before, now, sizeof now);
            memcpy(now, next, sizeof now);
            wave_step(pool.wave, NULL);
            for (int y = 0; y < NY; y++)
                for (int x = 0; x < NX; x++)
                    ck_assert_double_eq_tol(
                        wave_value(pool.wave, pool_cell(&pool, x, y, 0)),
                        now[y][x], 1e-14);
        }
        pool_release(&pool);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("wave_mode");
    TCase *tests = tcase_create("mode");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(
        tests, a_mode_travels_as_on_a_chain_and_nothing_goes_back, 0, SCENES);
    tcase_add_loop_test(tests, a_steady_mode_is_the_lattices_exact_wave, 0,
                        STEADY);
    tcase_add_loop_test(
        tests, plain_steps_threads_and_a_restart_give_the_same_bits, 0, SCENES);
    tcase_add_test(tests, a_signal_is_added_to_its_cell_number_by_number);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
