/* SPDX-License-Identifier: MIT */
/* Two implementations of one law, the stepper's and that of hamon-check,
 * compared to the last bit. */
#include "analysis/check/wave.h"
#include "base/team.h"
#include "tests/wave/waves.h"

enum { STEPS = 60 };

static struct law law_of(const struct pool *pool)
{
    const struct wave_settings *settings = &pool->settings;
    static const enum law_source sources[] = {
        [SOURCE_IMPULSE] = LAW_IMPULSE,
        [SOURCE_REST] = LAW_REST,
        [SOURCE_GAUSSIAN] = LAW_GAUSSIAN,
        [SOURCE_RICKER] = LAW_RICKER,
    };
    return (struct law){
        .grid = pool->grid,
        .stencil = settings->stencil,
        .delta = settings->delta,
        .loss = settings->damping / 2,
        .amplitude = settings->amplitude,
        .free_walls = settings->walls == WALLS_FREE,
        .conservative = settings->speed_form == FORM_CONSERVATIVE,
        .areas = pool->terrain.speed != NULL,
        .single = settings->precision == PRECISION_SINGLE,
        .source = sources[settings->source],
        .sigma = settings->sigma,
        .wavelength = settings->wavelength,
    };
}

static void widen(const struct law *law, const void *field, double *out)
{
    for (size_t i = 0; i < grid_cells(&law->grid); i++)
        out[i] = law->single ? (double)((const float *)field)[i]
                             : ((const double *)field)[i];
}

static void gradient_holds(const struct pool *pool, const struct law *law,
                           const struct ground *ground,
                           const struct wave_row *row)
{
    size_t cells = grid_cells(&pool->grid);
    void *packed[GRID_AXES];
    double *slope[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++) {
        packed[axis] = pool_field(pool);
        slope[axis] = memory_new(cells, sizeof(double));
    }
    wave_gradient(pool->wave, packed[0], packed[1], packed[2], NULL);
    for (int axis = 0; axis < GRID_AXES; axis++)
        widen(law, packed[axis], slope[axis]);
    struct finding finding = { 0 };
    for (int axis = 0; axis < grid_axes(&law->grid); axis++)
        check_gradient(law, ground, row, axis, slope[axis], &finding);
    ck_assert_int_eq(finding_verdict(&finding), VERDICT_PASS);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        memory_release(packed[axis]);
        memory_release(slope[axis]);
    }
}

static void agree(struct pool *pool)
{
    struct law law = law_of(pool);
    size_t cells = grid_cells(&pool->grid), source = 0;
    struct ground ground;
    ground_init(&law, &ground);
    memcpy(ground.wall, pool->terrain.wall, cells);
    if (pool->terrain.speed)
        memcpy(ground.speed, pool->terrain.speed, cells * sizeof(double));
    ground_build(&law, &ground);
    while (ground.wall[source])
        source++;
    double *z[3];
    for (int i = 0; i < 3; i++)
        z[i] = memory_new(cells, sizeof(double));
    void *packed = pool_field(pool);
    wave_emit(pool->wave, source, 0);
    struct finding finding = { 0 };
    for (int k = 0; k <= STEPS; k++) {
        wave_copy(pool->wave, packed, NULL);
        widen(&law, packed, z[k % 3]);
        struct wave_row row = {
            .step = k,
            .now = z[k % 3],
            .before = k > 0 ? z[(k + 2) % 3] : NULL,
            .older = k > 1 ? z[(k + 1) % 3] : NULL,
            .known = grid_box(&pool->grid),
            .source = source,
        };
        check_stencil(&law, &ground, ground.wall, &row, &finding);
        gradient_holds(pool, &law, &ground, &row);
        wave_step(pool->wave, NULL);
    }
    ck_assert_int_eq(finding.wrong, 0);
    ck_assert_int_eq(finding.looked, (int64_t)cells * (STEPS + 1));
    for (int i = 0; i < 3; i++)
        memory_release(z[i]);
    memory_release(packed);
    ground_release(&ground);
}

/* Each bit of `kind` changes one setting; `shape` is the stencil's number. */
static void agree_on(int kind, int shape)
{
    static const char *const names[] = { "5-point", "9-point", "7-point",
                                         "27-point" };
    struct random random;
    random_seed(&random, (uint64_t)kind);
    struct pool pool;
    if (shape >= 2)
        pool_init(&pool, 9, 7, 6);
    else
        pool_init(&pool, 23, 17, 0);
    pool_walls(&pool, &random, 0.2);
    if (kind & 1)
        pool_speeds(&pool, &random, 0.4);
    pool.settings.stencil = stencil_find(names[shape]);
    pool.settings.delta = 0.23;
    pool.settings.walls = kind & 2 ? WALLS_FREE : WALLS_FIXED;
    pool.settings.precision = kind & 4 ? PRECISION_SINGLE : PRECISION_DOUBLE;
    pool.settings.damping = kind & 8 ? 0.02 : 0;
    pool.settings.source = (enum source_kind)(kind / 16 % 4);
    pool.settings.sigma = 2.5, pool.settings.wavelength = 6;
    if (kind & 64 && shape % 2 == 0)
        pool.settings.speed_form = FORM_CONSERVATIVE;
    pool_fill(&pool);
    bool was = denormals_flush(kind & 4);
    agree(&pool);
    denormals_flush(was);
    pool_release(&pool);
}

START_TEST(the_reference_and_the_stepper_have_the_same_bits)
    {
        for (int kind = _i % suite_every(1); kind < 128; kind += suite_every(1))
            agree_on(kind, _i);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("check_stepper");
    TCase *tests = tcase_create("check_stepper");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, the_reference_and_the_stepper_have_the_same_bits,
                        0, 4);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
