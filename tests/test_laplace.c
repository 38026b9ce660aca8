/* SPDX-License-Identifier: MIT */
#include "base/team.h"
#include "wave/laplace.h"
#include "waves.h"

#include <float.h>

/* A pool with a sum beside its wave. */
struct summed {
    struct pool pool;
    struct laplace laplace;
    void *field;
    size_t source;
};

static struct laplace_options options_of(const struct pool *pool)
{
    return (struct laplace_options){
        .p = 1,
        .eta = .01,
        .amplitude = pool->settings.amplitude,
        .width = pool->settings.precision == PRECISION_SINGLE ? sizeof(float)
                                                              : sizeof(double),
        .steps = true,
        .matched = pool->settings.stencil == stencil_find("9-point"),
    };
}

/* After the pool's map and settings are made: fills, emits and sums. */
static void sum_up(struct summed *summed, struct laplace_options options,
                   int steps, struct team *team)
{
    struct pool *pool = &summed->pool;
    pool_fill(pool);
    summed->field = pool_field(pool);
    ck_assert_int_eq(
        laplace_init(&summed->laplace, &pool->terrain, &options, NULL),
        STATUS_OK);
    laplace_begin(&summed->laplace, summed->source);
    wave_emit(pool->wave, summed->source, 0);
    for (int k = 0; k <= steps; k++) {
        struct amplitudes generation =
            amplitudes_packed(&pool->grid, summed->field);
        if (k)
            wave_step(pool->wave, NULL);
        wave_copy(pool->wave, summed->field, NULL);
        laplace_take(&summed->laplace, &generation, k, team);
    }
}

static void summed_release(struct summed *summed)
{
    laplace_release(&summed->laplace);
    memory_release(summed->field);
    pool_release(&summed->pool);
}

static void *numbers(size_t count)
{
    void *memory = memory_new(count, sizeof(double));
    ck_assert_ptr_nonnull(memory);
    return memory;
}

/* U with z⁰ = A, z⁻¹ = 0 summed over k: e^p·(U − A at the source) + a·e^(−p)·U
 * is what a step makes of U with nothing before it. For c2-laplacian without
 * damping: 4 sinh²(p/2)·U = δᵢΔU + e^p·A at the source. `worst` becomes the
 * residual over its terms. */
static double worst_residual(struct summed *summed, double a)
{
    struct pool *pool = &summed->pool;
    const struct laplace *laplace = &summed->laplace;
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
                fmax(highest, laplace_log(&summed->laplace,
                                          pool_cell(&summed->pool, x, y, z)));
    }
    return highest;
}

static void check_no_hill(const struct summed *summed)
{
    uint8_t *reached = pool_reached(&summed->pool, summed->source);
    for (size_t i = 0; i < grid_cells(&summed->pool.grid); i++) {
        double own = laplace_log(&summed->laplace, i);
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
        for (int which = 0; which < 12; which++) {
            struct summed summed;
            int nz = which >= 8 ? 7 : 0;
            summed.source = pool_random(&summed.pool, nz, (uint64_t)which + 3);
            struct wave_settings *settings = &summed.pool.settings;
            if (!nz)
                settings->stencil = stencil_find(stencils_2d[which / 4]);
            settings->walls = which % 2 ? WALLS_FREE : WALLS_FIXED;
            settings->speed_form = which / 4 != 1 && which % 4 > 1
                                       ? FORM_CONSERVATIVE
                                       : FORM_C2_LAPLACIAN;
            settings->delta = which % 4 == 3 ? .31 : .25;
            settings->amplitude = 2.385;
            settings->damping = which % 4 == 2 ? .02 : 0;
            struct laplace_options options = options_of(&summed.pool);
            options.eta = 1e-15; /* so that nothing of the sum is left out */
            options.p = .6 + .1 * which;
            sum_up(&summed, options, 600, NULL);
            double m = settings->damping / 2;
            ck_assert_double_le(worst_residual(&summed, (1 - m) / (1 + m)),
                                1e-12);
            check_no_hill(&summed);
            summed_release(&summed);
        }
    }
END_TEST

/* 4 sinh²(p/2)·U = δ(Σ − nU) + e^p·A at the source, relaxed until it stands. */
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

START_TEST(the_sum_is_what_a_solver_finds)
    {
        struct summed summed;
        summed.source = pool_random(&summed.pool, 0, 99);
        memory_release(summed.pool.terrain.speed);
        summed.pool.terrain.speed = NULL;
        struct laplace_options options = options_of(&summed.pool);
        options.eta = 1e-15;
        sum_up(&summed, options, 300, NULL);
        size_t cells = grid_cells(&summed.pool.grid);
        double *sum = numbers(cells);
        solve(&summed, 1, sum);
        for (size_t i = 0; i < cells; i++) {
            double ours = exp(laplace_log(&summed.laplace, i));
            ck_assert_double_le(fabs(ours - sum[i]), 1e-11 * sum[i]);
        }
        memory_release(sum);
        summed_release(&summed);
    }
END_TEST

/* Worst angle (as a sine) between the slope and the way to the source. */
static double worst_ray(const char *stencil)
{
    struct summed summed;
    pool_init(&summed.pool, 61, 61, 0);
    summed.pool.settings.stencil = stencil_find(stencil);
    summed.source = pool_cell(&summed.pool, 30, 30, 0);
    struct laplace_options options = options_of(&summed.pool);
    options.eta = 1e-13;
    sum_up(&summed, options, 200, NULL);
    double worst = 0;
    for (int y = -10; y <= 10; y++)
        for (int x = -10; x <= 10; x++) {
            double slope[GRID_AXES];
            if (x == 0 && y == 0)
                continue;
            laplace_slope(&summed.laplace,
                          pool_cell(&summed.pool, 30 + x, 30 + y, 0), slope);
            double size = hypot(slope[0], slope[1]) * hypot(x, y);
            worst = fmax(worst, fabs(x * slope[1] - y * slope[0]) / size);
            ck_assert_double_lt(x * slope[0] + y * slope[1], 0);
        }
    summed_release(&summed);
    return worst;
}

START_TEST(the_slope_in_free_space_is_exactly_radial)
    {
        ck_assert_double_le(worst_ray("5-point"), 1e-12);
        ck_assert_double_le(worst_ray("9-point"), 1e-12);
    }
END_TEST

/* A fixed corridor 1 wide: cosh κ = (4 sinh²(p/2) + 4δ)/2δ is the decay. */
static double corridor_decay(double p, double delta)
{
    return acosh((4 * pow(sinh(p / 2), 2) + 4 * delta) / (2 * delta));
}

/* The cell up to which every cell of the corridor has an arrival; the first
 * behind it is lost. Whatever arrives heads back to the source, by a sum that
 * decays as it must, up to cell `sure` to 1e-5. */
static int corridor_reach(enum precision precision, double amplitude,
                          int length, int sure)
{
    struct summed summed;
    pool_init(&summed.pool, length, 3, 0);
    for (int x = 0; x < length; x++)
        summed.pool.terrain.wall[x] = summed.pool.terrain.wall[2 * length + x] =
            1;
    summed.pool.settings.precision = precision;
    summed.pool.settings.amplitude = amplitude;
    summed.source = pool_cell(&summed.pool, 5, 1, 0);
    bool flushed = denormals_flush(true);
    sum_up(&summed, options_of(&summed.pool), 3 * length, NULL);
    denormals_flush(flushed);
    double kappa = corridor_decay(1, .25);
    int reach = 5;
    for (int x = 6; x + 1 < length; x++) {
        size_t cell = pool_cell(&summed.pool, x, 1, 0);
        int32_t step = summed.laplace.step[cell];
        ck_assert_int_eq(summed.laplace.step[pool_cell(&summed.pool, x, 0, 0)],
                         -1);
        if (step < 0)
            continue;
        reach += x == reach + 1;
        double fall = laplace_log(&summed.laplace, cell - 1) -
                      laplace_log(&summed.laplace, cell);
        double slope[GRID_AXES];
        laplace_slope(&summed.laplace, cell, slope);
        ck_assert_int_ge(step, x - 5);
        ck_assert_double_lt(slope[0], 0);
        ck_assert_double_eq(slope[1], 0);
        if (x < length - 20) /* the far end is felt no more */
            /* Near the end of its range V is made of what was not flushed:
             * its fall is then right to some hundredths, elsewhere to six
             * digits. */
            ck_assert_double_le(fabs(fall - kappa), x < sure ? 1e-5 : 5e-3);
    }
    summed_release(&summed);
    return reach;
}

START_TEST(a_fixed_corridor_is_followed_as_far_as_the_precision_holds)
    {
        int small = corridor_reach(PRECISION_SINGLE, 1, 300, 60);
        int large = corridor_reach(PRECISION_SINGLE, ldexp(1, 100), 300, 140);
        ck_assert_int_ge(small, 60);
        ck_assert_int_ge(large, 135);
        ck_assert_int_le(large, 240); /* and then tells that it is lost */
        ck_assert_int_ge(
            corridor_reach(PRECISION_DOUBLE, ldexp(1, 1000), 900, 880), 898);
    }
END_TEST

START_TEST(single_precision_finds_what_double_does)
    {
        struct summed summed[2];
        for (int i = 0; i < 2; i++) {
            summed[i].source = pool_random(&summed[i].pool, 0, 41);
            summed[i].pool.settings.precision =
                i ? PRECISION_SINGLE : PRECISION_DOUBLE;
            summed[i].pool.settings.amplitude = ldexp(1, 100);
            sum_up(&summed[i], options_of(&summed[i].pool), 300, NULL);
        }
        uint8_t *reached = pool_reached(&summed[0].pool, summed[0].source);
        for (size_t i = 0; i < grid_cells(&summed[0].pool.grid); i++) {
            double slope[2][GRID_AXES];
            if (!reached[i])
                continue;
            ck_assert_int_eq(summed[0].laplace.step[i],
                             summed[1].laplace.step[i]);
            for (int which = 0; which < 2; which++)
                laplace_slope(&summed[which].laplace, i, slope[which]);
            for (int axis = 0; axis < 2; axis++)
                ck_assert_double_eq_tol(slope[0][axis], slope[1][axis], 2e-4);
        }
        memory_release(reached);
        summed_release(&summed[0]);
        summed_release(&summed[1]);
    }
END_TEST

/* V by the definition, each cell for itself, under changing walls. */
struct plain_sum {
    float *sum;
    int32_t *first, *closed, *step;
};

static void plain_forget(struct plain_sum *plain, size_t cell)
{
    plain->sum[cell] = 0;
    plain->first[cell] = plain->closed[cell] = plain->step[cell] = -1;
}

/* log2 as the bits of a number have it: linear between powers of 2. */
static double log2_of_bits(float number)
{
    int exponent;
    double mantissa = 2 * frexp((double)number, &exponent);
    return exponent - 1 + (mantissa - 1);
}

static bool plain_is_spoilt(const struct plain_sum *plain, size_t cell,
                            const struct laplace *laplace, int32_t age)
{
    double rate = rint(laplace->decay / log(2) * 0x1p23) * 0x1p-23;
    return log2_of_bits(plain->sum[cell]) <
           -126 + 9 + (age - plain->first[cell]) * rate;
}

static void plain_take(struct plain_sum *plain, const struct laplace *laplace,
                       const float *z, int32_t age)
{
    for (size_t i = 0; i < grid_cells(&laplace->terrain->grid); i++) {
        if (plain->closed[i] >= 0)
            continue;
        plain->sum[i] = plain->sum[i] * (float)laplace->growth + z[i];
        bool closes = age % 2 && fabsf(plain->sum[i]) > (float)laplace->ceiling;
        if (plain->first[i] < 0 && plain->sum[i] != 0)
            plain->first[i] = age / 2 * 2;
        if (closes)
            plain->closed[i] = age;
        if (age > 0 && plain->step[i] == -1 &&
            (closes || laplace_holds((double)plain->sum[i], (double)z[i], .01)))
            plain->step[i] =
                plain_is_spoilt(plain, i, laplace, age) ? LAPLACE_LOST : age;
    }
}

static void check_level(enum kernel_level level, double amplitude, bool lost)
{
    enum { NX = 150, NY = 9, GAP = 7 };
    struct pool pool;
    struct random random;
    struct team *team;
    random_seed(&random, 12);
    pool_init(&pool, NX, NY, 0);
    pool_walls(&pool, &random, .2);
    pool.settings.precision = PRECISION_SINGLE;
    pool.settings.walls = WALLS_FREE;
    pool.settings.amplitude = amplitude;
    size_t source = pool_cell(&pool, 20, 4, 0), cells = NX * NY;
    pool.terrain.wall[source] = 0;
    pool_fill(&pool);
    ck_assert_int_eq(team_new(3, false, &team, NULL), STATUS_OK);
    float *packed = pool_field(&pool), *loose = numbers((NX + GAP) * NY);
    struct laplace_options options = options_of(&pool);
    struct laplace laplace;
    ck_assert_int_eq(laplace_init(&laplace, &pool.terrain, &options, NULL),
                     STATUS_OK);
    laplace_set_level(&laplace, level);
    struct plain_sum plain = { numbers(cells), numbers(cells), numbers(cells),
                               numbers(cells) };
    for (size_t i = 0; i < cells; i++)
        plain_forget(&plain, i);
    plain.step[source] = 0;
    laplace_begin(&laplace, source);
    wave_emit(pool.wave, source, 0);
    int shut = 0, gone = 0;
    for (int32_t k = 0; k < 260; k++) {
        if (k)
            wave_step(pool.wave, NULL);
        if (k % 10 == 9) {
            struct terrain_change change = { .kind = k % 20 == 9
                                                         ? CHANGE_WALL
                                                         : CHANGE_FREE };
            change.box.low[0] = (int)random_below(&random, NX - 3);
            change.box.low[1] = (int)random_below(&random, NY - 3);
            change.box.high[0] = change.box.low[0] + 2;
            change.box.high[1] = change.box.low[1] + 2;
            terrain_apply(&pool.terrain, &change);
            medium_update(pool.medium, &change.box);
            wave_clear_walls(pool.wave, &change.box);
            laplace_update(&laplace, &change.box);
            for (size_t i = 0; i < cells; i++)
                if (pool.terrain.wall[i] && k % 20 == 9)
                    plain_forget(&plain, i);
        }
        wave_copy(pool.wave, packed, NULL);
        for (int y = 0; y < NY; y++)
            memcpy(loose + y * (NX + GAP), packed + y * NX, NX * sizeof(float));
        struct amplitudes generation = { .values = loose, .row = NX + GAP };
        laplace_take(&laplace, &generation, k, team);
        plain_take(&plain, &laplace, packed, k);
        for (size_t i = 0; i < cells; i++) {
            int64_t of = plain.closed[i] >= 0 ? plain.closed[i] : k;
            ck_assert_double_eq(laplace_sum(&laplace, i), (double)plain.sum[i]);
            ck_assert_int_eq(laplace_age(&laplace, i), of);
            ck_assert_int_eq(laplace_cell(&laplace, i).first, plain.first[i]);
            ck_assert_int_eq(laplace.step[i], plain.step[i]);
            gone += k == 259 && plain.step[i] == LAPLACE_LOST;
        }
    }
    for (size_t i = 0; i < laplace.tiles; i++)
        shut += laplace.tile[i].size - laplace.tile[i].rising -
                laplace.tile[i].settling;
    ck_assert_int_gt(shut, 10); /* or the lists were not tried */
    ck_assert(lost ? gone > 20 : gone == 0);
    laplace_release(&laplace);
    team_release(team);
    memory_release(packed);
    memory_release(loose);
    memory_release(plain.sum);
    memory_release(plain.first);
    memory_release(plain.closed);
    memory_release(plain.step);
    pool_release(&pool);
}

START_TEST(lists_threads_and_strides_change_nothing_while_walls_change)
    {
        for (int level = 0; level <= (int)kernel_best(); level++) {
            check_level((enum kernel_level)level, 0x1p100, false);
            check_level((enum kernel_level)level, 0x1p-30, true);
        }
    }
END_TEST

/* A sum fed as it goes and one that owes, of one wave. */
struct two_sums {
    struct pool pool;
    struct laplace each, owing;
    void *packed;
};

static void two_sums_new(struct two_sums *two, struct laplace *laplace,
                         enum kernel_level level)
{
    struct laplace_options options = options_of(&two->pool);
    ck_assert_int_eq(laplace_init(laplace, &two->pool.terrain, &options, NULL),
                     STATUS_OK);
    laplace_set_level(laplace, level);
}

static void change_walls(struct two_sums *two, struct random *random, bool shut)
{
    const struct grid *grid = &two->pool.grid;
    struct terrain_change change = { .kind = shut ? CHANGE_WALL : CHANGE_FREE };
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    for (int axis = 0; axis < GRID_AXES; axis++) {
        int thick = extent[axis] > 2 ? 2 : extent[axis] - 1;
        change.box.low[axis] =
            (int)random_below(random, (uint64_t)(extent[axis] - thick));
        change.box.high[axis] = change.box.low[axis] + thick;
    }
    terrain_apply(&two->pool.terrain, &change);
    medium_update(two->pool.medium, &change.box);
    wave_clear_walls(two->pool.wave, &change.box);
    laplace_update(&two->each, &change.box);
    laplace_update(&two->owing, &change.box);
}

static bool are_alike(const struct two_sums *two, bool steps)
{
    bool alike = true;
    for (size_t i = 0; i < grid_cells(&two->pool.grid); i++) {
        struct laplace_cell each = laplace_cell(&two->each, i);
        struct laplace_cell owing = laplace_cell(&two->owing, i);
        alike = alike && each.sum == owing.sum && each.age == owing.age &&
                each.first == owing.first &&
                laplace_is_spoilt(&two->each, i) ==
                    laplace_is_spoilt(&two->owing, i) &&
                (!steps || two->each.step[i] == two->owing.step[i]);
    }
    return alike;
}

/* What one owes goes into a restart, and another goes on from it. */
static void save_and_load(struct two_sums *two, enum kernel_level level,
                          int64_t age)
{
    struct state state = { .mode = STATE_MEASURE };
    laplace_state(&two->owing, &state);
    char *memory = memory_new(state.used, 1);
    state = (struct state){ .mode = STATE_SAVE, .memory = memory };
    laplace_state(&two->owing, &state);
    laplace_release(&two->owing);
    two_sums_new(two, &two->owing, level);
    state = (struct state){ .mode = STATE_LOAD, .memory = memory, .step = age };
    laplace_state(&two->owing, &state);
    ck_assert(!state.strange);
    memory_release(memory);
}

static void check_owing(enum kernel_level level, enum precision precision,
                        int nz, const char *stencil)
{
    struct two_sums two;
    struct pool *pool = &two.pool;
    struct random random;
    struct team *team;
    random_seed(&random, 5);
    if (nz)
        pool_init(pool, 19, 18, nz);
    else
        pool_init(pool, 290, 21, 0); /* several tiles across */
    pool_walls(pool, &random, .15);
    pool->settings.precision = precision;
    if (!nz)
        pool->settings.stencil = stencil_find(stencil);
    size_t source = grid_cells(&pool->grid) / 2 + 5;
    pool->terrain.wall[source] = 0;
    pool_fill(pool);
    two.packed = pool_field(pool);
    ck_assert_int_eq(team_new(3, false, &team, NULL), STATUS_OK);
    two_sums_new(&two, &two.each, LEVEL_PLAIN);
    two_sums_new(&two, &two.owing, level);
    for (int emission = 0; emission < 2; emission++) {
        laplace_begin(&two.each, source);
        laplace_begin(&two.owing, source);
        wave_emit(pool->wave, source, 0);
        for (int k = 0; k <= 160; k++) {
            if (k)
                wave_step(pool->wave, NULL);
            wave_copy(pool->wave, two.packed, NULL);
            struct amplitudes packed =
                amplitudes_packed(&pool->grid, two.packed);
            struct amplitudes newest = wave_newest(pool->wave);
            laplace_take(&two.each, &packed, k, NULL);
            laplace_owe(&two.owing, &newest, k, team);
            ck_assert(are_alike(&two, false));
            if (k % 14 == 6 || k % 14 == 13)
                change_walls(&two, &random, k % 4 > 1);
            if (k == 50 || k == 71)
                save_and_load(&two, level, k);
            if (k % 14 == 2 || k % 14 == 9)
                laplace_catch_up(&two.owing, team);
            ck_assert(are_alike(&two, k % 14 == 2 || k % 14 == 9));
        }
    }
    laplace_release(&two.each);
    laplace_release(&two.owing);
    team_release(team);
    memory_release(two.packed);
    pool_release(pool);
}

START_TEST(owed_generations_come_in_pairs_to_the_same_bits)
    {
        for (int level = 0; level <= (int)kernel_best(); level++)
            for (int precision = 0; precision < 2; precision++) {
                check_owing((enum kernel_level)level, (enum precision)precision,
                            0, "5-point");
                check_owing((enum kernel_level)level, (enum precision)precision,
                            0, "9-point");
                check_owing((enum kernel_level)level, (enum precision)precision,
                            9, NULL);
            }
    }
END_TEST

/* A cell's first contact, where its sum is 0 again after the second generation
 * of a pair. */
static int64_t first_of_a_cancelled_pair(enum kernel_level level)
{
    enum { CELL = 5, LAST = 3 };
    struct pool pool;
    struct laplace laplace;
    pool_init(&pool, 40, 1, 0);
    struct laplace_options options = options_of(&pool);
    options.width = sizeof(float);
    ck_assert_int_eq(laplace_init(&laplace, &pool.terrain, &options, NULL),
                     STATUS_OK);
    laplace_set_level(&laplace, level);
    const struct layout *layout = &laplace.layout;
    float *field[2] = { memory_new(layout->items, sizeof(float)),
                        memory_new(layout->items, sizeof(float)) };
    laplace_begin(&laplace, 0);
    for (int k = 0; k <= LAST; k++) {
        float *values = field[k % 2] + layout->origin;
        values[0] = k == 0;
        values[CELL] = k == LAST       ? -(float)laplace.growth
                       : k == LAST - 1 ? 1
                                       : 0;
        struct amplitudes generation = { .values = values,
                                         .row = layout->stride,
                                         .layer = layout->layer,
                                         .layout = layout };
        laplace_owe(&laplace, &generation, k, NULL);
    }
    ck_assert_double_eq(laplace_sum(&laplace, CELL), 0);
    int64_t first = laplace_cell(&laplace, CELL).first;
    memory_release(field[0]);
    memory_release(field[1]);
    laplace_release(&laplace);
    memory_release(pool.terrain.wall);
    return first;
}

START_TEST(a_sum_that_cancels_within_a_pair_was_in_contact_all_the_same)
    {
        for (int level = 0; level <= (int)kernel_best(); level++)
            ck_assert_int_eq(
                first_of_a_cancelled_pair((enum kernel_level)level), 2);
    }
END_TEST

START_TEST(ages_out_of_order_and_after_the_lifetime_are_passed_over)
    {
        struct pool pool;
        pool_init(&pool, 3, 1, 0);
        struct laplace_options options = options_of(&pool);
        options.lifetime = 2;
        struct laplace laplace;
        ck_assert_int_eq(laplace_init(&laplace, &pool.terrain, &options, NULL),
                         STATUS_OK);
        double z[3] = { 1, 1, 1 };
        struct amplitudes generation = amplitudes_packed(&pool.grid, z);
        laplace_begin(&laplace, 0);
        laplace_take(&laplace, &generation, 1, NULL);
        ck_assert(isinf(laplace_log(&laplace, 1)));
        for (int k = 0; k < 5; k++)
            laplace_take(&laplace, &generation, k, NULL);
        laplace_take(&laplace, &generation, 1, NULL);
        ck_assert_double_eq_tol(exp(laplace_log(&laplace, 1)),
                                1 + exp(-1) + exp(-2), 1e-14);
        laplace_begin(&laplace, 1);
        ck_assert(isinf(laplace_log(&laplace, 1)));
        ck_assert_int_eq(laplace.step[0], -1);
        ck_assert_int_eq(laplace.step[1], 0);
        z[2] = NAN; /* a wave that diverged never arrives */
        for (int k = 0; k < 3; k++)
            laplace_take(&laplace, &generation, k, NULL);
        ck_assert_int_eq(laplace.step[2], -1);
        ck_assert(isinf(laplace_log(&laplace, 2)));
        laplace_release(&laplace);
        memory_release(pool.terrain.wall);
    }
END_TEST

START_TEST(a_watch_hears_of_the_arrival_where_the_field_has_it)
    {
        struct summed summed;
        summed.source = pool_random(&summed.pool, 0, 77);
        struct laplace_options options = options_of(&summed.pool);
        sum_up(&summed, options, 0, NULL);
        struct arrival_settings settings = arrival_defaults;
        settings.detector = &detector_laplace;
        settings.p = options.p;
        settings.eta = options.eta;
        struct arrival_rules rules = { .settings = &settings,
                                       .amplitude = 1,
                                       .smallest = DBL_MIN,
                                       .lifetime = 300 };
        struct amplitudes generation =
            amplitudes_packed(&summed.pool.grid, summed.field);
        size_t cells = grid_cells(&summed.pool.grid), told = 0;
        struct arrival_watch *watch = memory_new(cells, sizeof *watch);
        for (int k = 1; k <= 300; k++) {
            wave_step(summed.pool.wave, NULL);
            wave_copy(summed.pool.wave, summed.field, NULL);
            laplace_take(&summed.laplace, &generation, k, NULL);
            for (size_t i = 0; i < cells; i++) {
                struct arrival arrival;
                struct arrival_look look = { .reached = -1 };
                int at[GRID_AXES];
                double slope[GRID_AXES];
                grid_cell(&summed.pool.grid, i, at);
                if (i == summed.source || summed.pool.terrain.wall[i])
                    continue;
                laplace_look(&summed.laplace, &generation,
                             (double[]){ at[0], at[1], at[2] }, &look);
                if (arrival_watch_feed(&watch[i], &rules, &look, &arrival) !=
                    ARRIVAL_CAME)
                    continue;
                told++;
                ck_assert_int_eq(summed.laplace.step[i], k);
                ck_assert_double_eq_tol(arrival.amplitude,
                                        laplace_log(&summed.laplace, i), 1e-9);
                laplace_slope(&summed.laplace, i, slope);
                ck_assert_double_eq_tol(arrival.gradient[0], slope[0], 1e-12);
                ck_assert_double_eq_tol(arrival.gradient[1], slope[1], 1e-12);
            }
        }
        uint8_t *reached = pool_reached(&summed.pool, summed.source);
        size_t count = 0;
        for (size_t i = 0; i < cells; i++)
            count += reached[i];
        ck_assert_uint_eq(told, count - 1);
        memory_release(reached);
        memory_release(watch);
        summed_release(&summed);
    }
END_TEST

START_TEST(a_look_between_cells_weighs_them_and_leaves_walls_out)
    {
        struct summed summed;
        pool_init(&summed.pool, 7, 5, 0);
        summed.source = pool_cell(&summed.pool, 1, 1, 0);
        summed.pool.terrain.wall[pool_cell(&summed.pool, 4, 2, 0)] = 1;
        sum_up(&summed, options_of(&summed.pool), 9, NULL);
        struct amplitudes generation =
            amplitudes_packed(&summed.pool.grid, summed.field);
        struct arrival_look look;
        laplace_look(&summed.laplace, &generation, (double[]){ 3.25, 2.5, 0 },
                     &look);
        /* Nodes (3,2) .75·.5, (3,3) .75·.5, (4,3) .25·.5; (4,2) is a wall. */
        size_t cell[3] = { pool_cell(&summed.pool, 3, 2, 0),
                           pool_cell(&summed.pool, 3, 3, 0),
                           pool_cell(&summed.pool, 4, 3, 0) };
        double weight[3] = { 3. / 7, 3. / 7, 1. / 7 }, sum = 0, now = 0;
        for (int i = 0; i < 3; i++) {
            sum += weight[i] * exp(laplace_log(&summed.laplace, cell[i]));
            now += weight[i] * ((double *)summed.field)[cell[i]] *
                   exp(-summed.laplace.decay * 9);
        }
        double unit = exp(look.log_unit);
        ck_assert_double_eq_tol(look.sum * unit, sum, 1e-13 * sum);
        ck_assert_double_eq_tol(look.now * unit, now, 1e-13 * sum);
        ck_assert_int_eq(look.age, 9);
        ck_assert(!look.spoilt);
        /* Walls all round: nothing is seen. */
        laplace_look(&summed.laplace, &generation, (double[]){ 4, 2, 0 },
                     &look);
        ck_assert_double_eq(look.sum, 0);
        ck_assert_double_eq(look.gradient[0], 0);
        summed_release(&summed);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("laplace");
    TCase *tests = tcase_create("laplace");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, the_sum_obeys_the_screened_poisson_equation);
    tcase_add_test(tests, the_sum_is_what_a_solver_finds);
    tcase_add_test(tests, the_slope_in_free_space_is_exactly_radial);
    tcase_add_test(tests,
                   a_fixed_corridor_is_followed_as_far_as_the_precision_holds);
    tcase_add_test(tests, single_precision_finds_what_double_does);
    tcase_add_test(tests,
                   lists_threads_and_strides_change_nothing_while_walls_change);
    tcase_add_test(tests, owed_generations_come_in_pairs_to_the_same_bits);
    tcase_add_test(
        tests, a_sum_that_cancels_within_a_pair_was_in_contact_all_the_same);
    tcase_add_test(tests,
                   ages_out_of_order_and_after_the_lifetime_are_passed_over);
    tcase_add_test(tests, a_watch_hears_of_the_arrival_where_the_field_has_it);
    tcase_add_test(tests,
                   a_look_between_cells_weighs_them_and_leaves_walls_out);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
