/* SPDX-License-Identifier: MIT */
/* The band of open cells, compared with the plain path bit for bit. */
#include "base/team.h"
#include "tests/wave/waves.h"
#include "wave/laplace/wave.h"
#include "wave/medium.h"

/* One map and medium, and two waves in it: one by the band of this level, one
 * by the plain path. */
struct both {
    struct pool pool;
    enum kernel_level level;
    struct laplace_wave front[2];
    struct random random;
    struct team *team;
    size_t source;
};

enum { EMISSIONS = 3, AGES = 90, SHAPES_TRIED = 6 };

static const struct medium_case {
    const char *stencil;
    enum wall_rule walls;
    bool speeds;
    enum speed_form form;
    bool matched; /* its weights */
} media[] = {
    { "5-point", WALLS_FIXED, false, FORM_C2_LAPLACIAN, false },
    { "5-point", WALLS_FREE, false, FORM_C2_LAPLACIAN, false },
    { "5-point", WALLS_FIXED, true, FORM_C2_LAPLACIAN, false },
    { "5-point", WALLS_FREE, true, FORM_C2_LAPLACIAN, false },
    { "5-point", WALLS_FIXED, true, FORM_CONSERVATIVE, false },
    { "5-point", WALLS_FREE, true, FORM_CONSERVATIVE, false },
    { "9-point", WALLS_FIXED, false, FORM_C2_LAPLACIAN, false },
    { "9-point", WALLS_FREE, false, FORM_C2_LAPLACIAN, false },
    { "9-point", WALLS_FIXED, true, FORM_C2_LAPLACIAN, false },
    { "9-point", WALLS_FREE, true, FORM_C2_LAPLACIAN, false },
    { "27-point", WALLS_FIXED, false, FORM_C2_LAPLACIAN, false },
    { "27-point", WALLS_FREE, false, FORM_C2_LAPLACIAN, false },
    { "27-point", WALLS_FIXED, true, FORM_C2_LAPLACIAN, false },
    { "27-point", WALLS_FREE, true, FORM_C2_LAPLACIAN, false },
    { "7-point", WALLS_FIXED, false, FORM_C2_LAPLACIAN, false },
    { "7-point", WALLS_FREE, false, FORM_C2_LAPLACIAN, false },
    { "7-point", WALLS_FIXED, true, FORM_C2_LAPLACIAN, false },
    { "7-point", WALLS_FREE, true, FORM_C2_LAPLACIAN, false },
    { "7-point", WALLS_FIXED, true, FORM_CONSERVATIVE, false },
    { "7-point", WALLS_FREE, true, FORM_CONSERVATIVE, false },
    { "9-point", WALLS_FREE, false, FORM_C2_LAPLACIAN, true },
    { "9-point", WALLS_FREE, true, FORM_C2_LAPLACIAN, true },
    { "27-point", WALLS_FREE, false, FORM_C2_LAPLACIAN, true },
    { "27-point", WALLS_FREE, true, FORM_C2_LAPLACIAN, true },
};
enum { MEDIA = sizeof media / sizeof *media, CASES = LEVELS * MEDIA };

/* Rows that fill lines, that end a cell before or after, 1 wide, several
 * tiles. */
static const int extents[][3] = {
    { 1, 40, 3 },  { 70, 1, 1 },   { 16, 16, 2 },
    { 31, 33, 5 }, { 130, 20, 3 }, { 32, 18, 4 }
};

static int random_of(struct both *both, int count)
{
    return (int)(random_unit(&both->random) * count);
}

/* A corner, or any cell. */
static size_t choose_source(struct both *both)
{
    const struct grid *grid = &both->pool.grid;
    const size_t cells = grid_cells(grid);
    const int kind = random_of(both, 4);
    const size_t corner[] = { 0, (size_t)grid->nx - 1, cells - 1 };
    size_t cell = kind < 3
                      ? corner[kind]
                      : (size_t)(random_unit(&both->random) * (double)cells);
    if (both->pool.terrain.wall[cell]) {
        int at[GRID_AXES];
        grid_cell(grid, cell, at);
        struct box box = { .low = { at[0], at[1], at[2] },
                           .high = { at[0], at[1], at[2] } };
        both->pool.terrain.wall[cell] = 0;
        medium_update(both->pool.medium, &box);
        for (int i = 0; i < 2; i++)
            laplace_wave_update(&both->front[i], &box);
    }
    return cell;
}

static void both_init(struct both *both, const struct medium_case *of,
                      enum kernel_level level, const int extent[3],
                      uint64_t seed)
{
    const bool solid = stencil_find(of->stencil)->dims == 3;
    static const double shares[] = { 0, .1, .35 }, ps[] = { .5, 1, 2.5 };
    *both = (struct both){ .level = level };
    struct pool *pool = &both->pool;
    random_seed(&both->random, seed);
    pool_init(pool, extent[0], extent[1], solid ? extent[2] : 0);
    pool_walls(pool, &both->random, shares[random_of(both, 3)]);
    if (of->speeds)
        pool_speeds(pool, &both->random, .3);
    pool->settings.stencil = stencil_find(of->stencil);
    pool->settings.walls = of->walls;
    pool->settings.speed_form = of->form;
    pool->settings.precision =
        random_of(both, 3) ? PRECISION_SINGLE : PRECISION_DOUBLE;
    pool->settings.delta = random_of(both, 2) ? .25 : .31;
    pool->settings.damping = random_of(both, 3) ? 0 : .03;
    pool->settings.source = (enum source_kind)random_of(both, 4);
    pool->settings.sigma = 1.5;
    pool->settings.wavelength = 8;
    pool->settings.flush_denormals = random_of(both, 2);
    pool->settings.matched_p = of->matched ? 1.5 : 0;
    pool->settings.matched_weights = of->matched;
    pool_fill(pool);
    const bool single = pool->settings.precision == PRECISION_SINGLE;
    struct laplace_options options = {
        .p = ps[random_of(both, 3)],
        .eta = random_of(both, 2) ? .1 : 1e-4,
        .lifetime = 10000,
        .steps = random_of(both, 2),
    };
    const int range = single ? 40 + random_of(both, 2) * 50 : 400;
    const bool by_time = random_of(both, 2);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(laplace_wave_init(&both->front[i], pool->medium,
                                           &options, range, by_time, NULL),
                         STATUS_OK);
    laplace_wave_set_level(&both->front[0], level);
    laplace_wave_set_plain(&both->front[1]);
    ck_assert_int_eq(team_new(1 + random_of(both, 3),
                              pool->settings.flush_denormals, &both->team,
                              NULL),
                     STATUS_OK);
    both->source = choose_source(both);
}

static void both_release(struct both *both)
{
    for (int i = 0; i < 2; i++)
        laplace_wave_release(&both->front[i]);
    team_release(both->team);
    pool_release(&both->pool);
}

static void same_rows(const struct both *both, const void *one,
                      const void *other, size_t item)
{
    const struct layout *layout = &both->pool.medium->layout;
    const struct grid *grid = &layout->grid;
    for (int z = 0; z < grid->nz; z++)
        for (int y = 0; y < grid->ny; y++) {
            size_t at = (size_t)layout_at(layout, 0, y, z) * item;
            ck_assert_mem_eq((const char *)one + at, (const char *)other + at,
                             (size_t)grid->nx * item);
        }
}

/* As functions read them: the band may have postponed a generation. */
static void same_sums(const struct both *both, const struct laplace *one,
                      const struct laplace *other)
{
    for (size_t cell = 0; cell < grid_cells(&both->pool.grid); cell++) {
        const struct laplace_cell left = laplace_cell(one, cell);
        const struct laplace_cell right = laplace_cell(other, cell);
        if (left.sum != right.sum || left.age != right.age ||
            left.scale != right.scale)
            ck_abort_msg("V of cell %zu, age %d: %a and %a", cell,
                         (int)one->age, left.sum, right.sum);
    }
}

static void same_front(const struct both *both)
{
    const struct laplace_wave *one = &both->front[0], *other = &both->front[1];
    const size_t item = both->pool.medium->layout.item;
    ck_assert_int_eq(one->age, other->age);
    ck_assert_int_eq(one->scale, other->scale);
    ck_assert_int_eq(one->past_source, other->past_source);
    same_rows(both, one->wave->now, other->wave->now, item);
    same_rows(both, one->wave->before, other->wave->before, item);
    for (int i = 0; i < one->pair.count; i++) {
        const struct laplace *left = &one->pair.sum[i];
        const struct laplace *right = &other->pair.sum[i];
        ck_assert_int_eq(left->scale, right->scale);
        same_sums(both, left, right);
        same_rows(both, left->closed, right->closed, sizeof *left->closed);
        if (!left->step)
            continue;
        same_rows(both, left->arrived, right->arrived, sizeof *left->arrived);
        ck_assert_mem_eq(laplace_pair_steps(&one->pair),
                         laplace_pair_steps(&other->pair),
                         grid_cells(&both->pool.grid) * sizeof(int32_t));
    }
}

static void advance(struct both *both)
{
    for (int i = 0; i < 2; i++)
        laplace_wave_advance(&both->front[i], both->team);
    same_front(both);
}

static void begin(struct both *both)
{
    both->source = choose_source(both);
    for (int i = 0; i < 2; i++)
        laplace_wave_begin(&both->front[i], both->source, both->team);
    same_front(both);
}

/* Walls in a box open and close. */
static void change_walls(struct both *both)
{
    const struct grid *grid = &both->pool.grid;
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    struct box box;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        box.low[axis] = random_of(both, extent[axis]);
        box.high[axis] =
            box.low[axis] + random_of(both, extent[axis] - box.low[axis]);
    }
    for (int z = box.low[2]; z <= box.high[2]; z++)
        for (int y = box.low[1]; y <= box.high[1]; y++)
            for (int x = box.low[0]; x <= box.high[0]; x++)
                both->pool.terrain.wall[grid_index(grid, x, y, z)] =
                    random_of(both, 4) == 0;
    medium_update(both->pool.medium, &box);
    for (int i = 0; i < 2; i++)
        laplace_wave_update(&both->front[i], &box);
}

/* The state saved by one path is continued by the other. */
static void swap_states(struct both *both)
{
    char *saved[2];
    for (int i = 0; i < 2; i++) {
        struct state state = { .mode = STATE_MEASURE };
        laplace_wave_state(&both->front[i], &state);
        saved[i] = memory_new(state.used, 1);
        state = (struct state){ .mode = STATE_SAVE, .memory = saved[i] };
        laplace_wave_state(&both->front[i], &state);
        if (i == 1)
            ck_assert_mem_eq(saved[0], saved[1], state.used);
    }
    for (int i = 0; i < 2; i++) {
        struct state state = { .mode = STATE_LOAD,
                               .memory = saved[1 - i],
                               .step = 100000 };
        laplace_wave_state(&both->front[i], &state);
        ck_assert(!state.strange);
    }
    for (int i = 0; i < 2; i++)
        memory_release(saved[i]);
    same_front(both);
}

static void swap_paths(struct both *both)
{
    const int plain = random_of(both, 2);
    laplace_wave_set_plain(&both->front[plain]);
    laplace_wave_set_level(&both->front[1 - plain], both->level);
}

/* Tests a kind of medium on maps of every shape (make check: every fourth one,
 * and for the next medium and level the next ones), with random other settings,
 * at each level of the machine. On every other shape the map changes, and for
 * the next medium and level on the others. */
static void run(int of, void (*disturb)(struct both *both))
{
    const int medium = of % MEDIA;
    const enum kernel_level level = (enum kernel_level)(of / MEDIA);
    if (level > kernel_best())
        return;
    const int by = suite_every(4) > 1 ? suite_every(4) : disturb ? 2 : 1;
    for (int shape = (medium + (int)level) % by; shape < SHAPES_TRIED;
         shape += by) {
        struct both both;
        both_init(&both, &media[medium], level, extents[shape],
                  (uint64_t)(medium * SHAPES_TRIED + shape + 1));
        for (int emission = 0; emission < EMISSIONS; emission++) {
            begin(&both);
            const int ages = 1 + random_of(&both, AGES);
            for (int age = 1; age <= ages; age++) {
                advance(&both);
                if (disturb && random_of(&both, 12) == 0)
                    disturb(&both);
            }
        }
        both_release(&both);
    }
}

START_TEST(the_band_has_the_bits_of_the_plain_path)
    {
        run(_i, NULL);
    }
END_TEST

START_TEST(both_paths_agree_while_walls_open_and_close)
    {
        run(_i, change_walls);
    }
END_TEST

START_TEST(also_from_a_state_that_the_other_path_has_saved)
    {
        run(_i, swap_states);
    }
END_TEST

START_TEST(both_paths_agree_if_they_alternate)
    {
        run(_i, swap_paths);
    }
END_TEST

int main(void)
{
    setenv("HAMON_THREADS", "all", 1); /* threads on small maps, too */
    Suite *suite = suite_create("laplace_band");
    TCase *tests = tcase_create("laplace_band");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, the_band_has_the_bits_of_the_plain_path, 0,
                        CASES);
    tcase_add_loop_test(tests, both_paths_agree_while_walls_open_and_close, 0,
                        CASES);
    tcase_add_loop_test(tests, also_from_a_state_that_the_other_path_has_saved,
                        0, CASES);
    tcase_add_loop_test(tests, both_paths_agree_if_they_alternate, 0, CASES);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
