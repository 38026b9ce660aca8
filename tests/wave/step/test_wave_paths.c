/* SPDX-License-Identifier: MIT */
/* The fast loops are compared with the reference step, bit for bit. */
#include "base/team.h"
#include "tests/wave/plain.h"
#include "tests/wave/waves.h"

static struct random dice;

static int below(int bound)
{
    return (int)random_below(&dice, (uint64_t)bound);
}

static int extent(int most)
{
    static const int odd[] = { 1, 2, 3, 7, 8, 9, 13, 15, 16, 17, 31, 37, 64 };
    int drawn = odd[below(sizeof odd / sizeof *odd)];
    return drawn <= most ? drawn : 1 + below(most);
}

static void draw_settings(struct pool *pool)
{
    struct wave_settings *settings = &pool->settings;
    if (below(3) == 0)
        settings->stencil =
            stencil_find(pool->grid.dims == 2 ? "9-point" : "27-point");
    settings->walls = (enum wall_rule)below(2);
    settings->precision = (enum precision)below(2);
    if (!stencil_has_diagonals(settings->stencil))
        settings->speed_form = (enum speed_form)below(2);
    settings->delta =
        settings->stencil->safe_delta * (below(4) ? random_unit(&dice) : 1);
    if (below(4) == 0)
        settings->delta *= 1e-4; /* so that the front underflows soon */
    settings->damping = below(2) ? 0 : random_unit(&dice) * 3;
    settings->source = (enum source_kind)below(4);
    settings->sigma = 1 + 3 * random_unit(&dice);
    settings->wavelength = 4 + 10 * random_unit(&dice);
    settings->amplitude = 2.385;
    if (stencil_has_diagonals(settings->stencil) && below(2)) {
        settings->matched_p = 1.5;
        settings->matched_weights = true;
    }
    if (below(2))
        pool_speeds(pool, below(4) ? &dice : NULL, 0.2);
}

/* Changes speeds and walls in a random box, as an event does. */
static void change(struct pool *pool, struct wave *reference)
{
    struct box box;
    const int n[GRID_AXES] = { pool->grid.nx, pool->grid.ny, pool->grid.nz };
    for (int axis = 0; axis < GRID_AXES; axis++) {
        int a = below(n[axis]), b = below(n[axis]);
        box.low[axis] = a < b ? a : b;
        box.high[axis] = a < b ? b : a;
    }
    int kind = below(3);
    for (int z = box.low[2]; z <= box.high[2]; z++)
        for (int y = box.low[1]; y <= box.high[1]; y++)
            for (int x = box.low[0]; x <= box.high[0]; x++) {
                size_t cell = pool_cell(pool, x, y, z);
                if (kind < 2)
                    pool->terrain.wall[cell] = kind == 0;
                else if (pool->terrain.speed)
                    pool->terrain.speed[cell] = 0.3;
            }
    medium_update(pool->medium, &box);
    wave_clear_walls(pool->wave, &box);
    wave_clear_walls(reference, &box);
}

static void compare(const struct pool *pool, struct wave *reference, void *ours,
                    void *theirs, int trial, int k, struct team *team)
{
    size_t bytes = wave_field_bytes(pool->medium);
    wave_copy(pool->wave, ours, team);
    wave_copy(reference, theirs, NULL);
    ck_assert_msg(memcmp(ours, theirs, bytes) == 0,
                  "trial %d, step %d: %s, walls %s, %s, %s, %dx%dx%d", trial, k,
                  pool->settings.stencil->name,
                  wall_rule_names[pool->settings.walls],
                  precision_names[pool->settings.precision],
                  speed_form_names[pool->settings.speed_form], pool->grid.nx,
                  pool->grid.ny, pool->grid.nz);
}

static void trial(int number, enum kernel_level level, struct team *team)
{
    struct pool pool;
    bool solid = below(3) == 0;
    if (solid)
        pool_init(&pool, extent(20), extent(9), extent(9));
    else
        pool_init(&pool, extent(70), extent(40), 0);
    pool_walls(&pool, &dice, below(4) ? random_unit(&dice) * 0.5 : 0);
    draw_settings(&pool);
    pool_fill(&pool);
    medium_choose(pool.medium, level);
    if (below(2))
        pool.medium->cache = 0; /* so that it prefetches */
    struct wave *reference;
    ck_assert_int_eq(wave_new(pool.medium, &reference, NULL), STATUS_OK);
    void *ours = pool_field(&pool), *theirs = pool_field(&pool);
    size_t source = random_below(&dice, grid_cells(&pool.grid));
    wave_emit(pool.wave, source, 5);
    wave_emit(reference, source, 5);
    for (int k = 0; k < 24; k++) {
        if (below(6) == 0)
            change(&pool, reference);
        wave_step(pool.wave, team);
        wave_step_plain(reference);
        compare(&pool, reference, ours, theirs, number, k, team);
    }
    memory_release(ours);
    memory_release(theirs);
    wave_release(reference);
    pool_release(&pool);
}

START_TEST(every_loop_has_the_bits_of_the_reference)
    {
        enum kernel_level level = (enum kernel_level)_i;
        if (level > kernel_best())
            return; /* this machine does not have the unit */
        random_seed(&dice, 71);
        for (int threads = 1; threads <= 4; threads++) {
            struct team *team;
            ck_assert_int_eq(team_new(threads, threads % 2, &team, NULL),
                             STATUS_OK);
            /* also for the reference */
            bool before = denormals_flush(threads % 2);
            for (int i = 0; i < 150; i++)
                trial(i, level, team);
            denormals_flush(before);
            team_release(team);
        }
    }
END_TEST

/* The generations are postponed until one is read. */
static void owe(struct wave *wave, int generations, struct team *team)
{
    for (int i = 0; i < generations; i++)
        wave_owe(wave, team);
}

/* The reference makes single steps to the generation of the fused pass. */
static void leap(struct pool *pool, struct wave *reference, int number, int k,
                 struct team *team)
{
    const int line = pool->settings.precision == PRECISION_SINGLE ? 16 : 8;
    int generations = 1 + below(20), most = 1 + below(16);
    int strip = pool->grid.dims == 3 ? 1 + below(10) : line * (1 + below(5));
    void *ours = pool_field(pool), *theirs = pool_field(pool);
    if (below(4) == 0)
        strip = FUSE_WHOLE;
    if (below(4))
        wave_advance_fused(pool->wave, generations, most, strip, team);
    else
        owe(pool->wave, generations, team);
    for (int i = 0; i < generations; i++)
        wave_step_plain(reference);
    compare(pool, reference, ours, theirs, number, k, team);
    int64_t source;
    int64_t emitted;
    wave_save(pool->wave, theirs, ours, &emitted, &source);
    wave_save(reference, theirs, theirs, &emitted, &source);
    ck_assert_mem_eq(ours, theirs, wave_field_bytes(pool->medium));
    memory_release(ours);
    memory_release(theirs);
}

static void fused_trial(int number, enum kernel_level level, struct team *team)
{
    struct pool pool;
    if (below(3) == 0)
        pool_init(&pool, extent(20), extent(30), extent(60));
    else
        pool_init(&pool, extent(90), extent(120), 0);
    pool_walls(&pool, &dice, below(4) ? random_unit(&dice) * 0.5 : 0);
    draw_settings(&pool);
    pool_fill(&pool);
    medium_choose(pool.medium, level);
    if (below(2))
        pool.medium->cache = 20000; /* so that small maps do not fit */
    struct wave *reference;
    ck_assert_int_eq(wave_new(pool.medium, &reference, NULL), STATUS_OK);
    size_t source = random_below(&dice, grid_cells(&pool.grid));
    wave_emit(pool.wave, source, 5);
    wave_emit(reference, source, 5);
    for (int k = 0; k < 3; k++) {
        leap(&pool, reference, number, k, team);
        if (below(2))
            change(&pool, reference);
    }
    wave_release(reference);
    pool_release(&pool);
}

START_TEST(fused_generations_have_the_bits_of_the_reference)
    {
        enum kernel_level level = (enum kernel_level)_i;
        if (level > kernel_best())
            return; /* this machine does not have the unit */
        random_seed(&dice, 79);
        for (int threads = 1; threads <= 4; threads++) {
            struct team *team;
            ck_assert_int_eq(team_new(threads, threads % 2, &team, NULL),
                             STATUS_OK);
            /* also for the reference */
            bool before = denormals_flush(threads % 2);
            for (int i = 0; i < 40; i++)
                fused_trial(i, level, team);
            denormals_flush(before);
            team_release(team);
        }
    }
END_TEST

START_TEST(overflow_spreads_alike_and_walls_stay_zero)
    {
        random_seed(&dice, 73);
        struct pool pool;
        pool_init(&pool, 19, 11, 0);
        pool_walls(&pool, &dice, 0.2);
        pool.terrain.wall[0] = 0;
        pool.settings.delta = 30;
        pool.settings.precision = PRECISION_SINGLE;
        pool.settings.walls = (enum wall_rule)(_i & 1);
        pool.settings.speed_form = (enum speed_form)(_i >> 1);
        pool_fill(&pool);
        struct wave *reference;
        ck_assert_int_eq(wave_new(pool.medium, &reference, NULL), STATUS_OK);
        wave_emit(pool.wave, 0, 0);
        wave_emit(reference, 0, 0);
        for (int k = 0; k < 60; k++) {
            wave_step(pool.wave, NULL);
            wave_step_plain(reference);
            for (size_t i = 0; i < grid_cells(&pool.grid); i++) {
                double ours = wave_value(pool.wave, i);
                double theirs = wave_value(reference, i);
                ck_assert(ours == theirs || (isnan(ours) && isnan(theirs)));
                if (pool.terrain.wall[i])
                    ck_assert(ours == 0 && !signbit(ours));
            }
        }
        ck_assert(!wave_is_finite(pool.wave, NULL));
        wave_release(reference);
        pool_release(&pool);
    }
END_TEST

int main(void)
{
    setenv("HAMON_THREADS", "all", 1); /* threads on small maps, too */
    Suite *suite = suite_create("wave paths");
    TCase *tests = tcase_create("paths");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, every_loop_has_the_bits_of_the_reference, 0,
                        LEVELS);
    tcase_add_loop_test(tests, fused_generations_have_the_bits_of_the_reference,
                        0, LEVELS);
    tcase_add_loop_test(tests, overflow_spreads_alike_and_walls_stay_zero, 0,
                        4);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
