/* SPDX-License-Identifier: MIT */
/* A map rotated or mirrored gives the field rotated or mirrored, bit for
 * bit. */
#include "tests/wave/waves.h"

struct turn {
    int source[GRID_AXES]; /* the axis each new axis comes from */
    bool flip[GRID_AXES];
};

static void extents(const struct grid *grid, int n[GRID_AXES])
{
    n[0] = grid->nx;
    n[1] = grid->ny;
    n[2] = grid->nz;
}

/* The cell of `grid` from which the cell `at` of its transformed copy comes. */
static size_t origin(const struct grid *grid, const struct turn *turn,
                     const int at[GRID_AXES])
{
    int n[GRID_AXES], from[GRID_AXES];
    extents(grid, n);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        int source = turn->source[axis];
        from[source] = turn->flip[axis] ? n[source] - 1 - at[axis] : at[axis];
    }
    return grid_index(grid, from[0], from[1], from[2]);
}

static void turned_copy(const struct pool *pool, const struct turn *turn,
                        struct pool *copy, size_t source, size_t *turned_source)
{
    int n[GRID_AXES], at[GRID_AXES];
    extents(&pool->grid, n);
    bool solid = pool->grid.dims == 3;
    pool_init(copy, n[turn->source[0]], n[turn->source[1]],
              solid ? n[turn->source[2]] : 0);
    copy->settings = pool->settings;
    if (pool->terrain.speed)
        pool_speeds(copy, NULL, 1);
    for (size_t i = 0; i < grid_cells(&copy->grid); i++) {
        grid_cell(&copy->grid, i, at);
        size_t from = origin(&pool->grid, turn, at);
        copy->terrain.wall[i] = pool->terrain.wall[from];
        if (pool->terrain.speed)
            copy->terrain.speed[i] = pool->terrain.speed[from];
        if (from == source)
            *turned_source = i;
    }
    pool_fill(copy);
}

/* The copy's component along its axis is the original's along source[axis],
 * with its sign changed by a flip; −0 and +0 are equal here, as 0 − 0 has no
 * sign. */
static void compare_gradients(const struct pool *pool, const struct pool *copy,
                              const struct turn *turn)
{
    void *ours[GRID_AXES], *theirs[GRID_AXES];
    int at[GRID_AXES];
    const struct layout *layout = &pool->medium->layout;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        ours[axis] = pool_field(pool);
        theirs[axis] = pool_field(copy);
    }
    wave_gradient(pool->wave, ours[0], ours[1], ours[2], NULL);
    wave_gradient(copy->wave, theirs[0], theirs[1], theirs[2], NULL);
    for (size_t i = 0; i < grid_cells(&copy->grid); i++) {
        grid_cell(&copy->grid, i, at);
        ptrdiff_t from = (ptrdiff_t)origin(&pool->grid, turn, at);
        for (int axis = 0; axis < pool->grid.dims; axis++) {
            double a = field_value(layout, ours[turn->source[axis]], from);
            double b = field_value(layout, theirs[axis], (ptrdiff_t)i);
            ck_assert(turn->flip[axis] ? a == -b : a == b);
        }
    }
    for (int axis = 0; axis < GRID_AXES; axis++) {
        memory_release(ours[axis]);
        memory_release(theirs[axis]);
    }
}

static void compare(const struct pool *pool, const struct pool *copy,
                    const struct turn *turn)
{
    int at[GRID_AXES];
    for (size_t i = 0; i < grid_cells(&copy->grid); i++) {
        grid_cell(&copy->grid, i, at);
        double ours = wave_value(pool->wave, origin(&pool->grid, turn, at));
        double theirs = wave_value(copy->wave, i);
        ck_assert(memcmp(&ours, &theirs, sizeof ours) == 0);
    }
}

static void try_turn(const struct pool *pool, const struct turn *turn,
                     size_t source)
{
    struct pool copy;
    size_t turned_source = 0;
    turned_copy(pool, turn, &copy, source, &turned_source);
    wave_emit(pool->wave, source, 0);
    wave_emit(copy.wave, turned_source, 0);
    for (int k = 0; k < 48; k++) {
        wave_step(pool->wave, NULL);
        wave_step(copy.wave, NULL);
        if (k % 15 == 0)
            compare(pool, &copy, turn);
    }
    compare(pool, &copy, turn);
    compare_gradients(pool, &copy, turn);
    pool_release(&copy);
}

static void draw(struct pool *pool, struct random *random, int trial,
                 bool solid)
{
    pool_init(pool, solid ? 11 : 29, solid ? 8 : 18, solid ? 7 : 0);
    pool_walls(pool, random, 0.2);
    if (trial & 1)
        pool_speeds(pool, random, 0.3);
    if (trial % 3 == 0)
        pool->settings.stencil = stencil_find(solid ? "27-point" : "9-point");
    else
        pool->settings.speed_form = (enum speed_form)(trial >> 1 & 1);
    pool->settings.walls = (enum wall_rule)(trial >> 2 & 1);
    pool->settings.precision = (enum precision)(trial >> 3 & 1);
    pool->settings.damping = trial > 8 ? 0.01 : 0;
    pool->settings.delta = 0.2385;
    pool_fill(pool);
}

static size_t free_cell(const struct pool *pool, struct random *random)
{
    size_t cell;
    do
        cell = random_below(random, grid_cells(&pool->grid));
    while (pool->terrain.wall[cell]);
    return cell;
}

START_TEST(all_8_symmetries_are_exact_in_2D)
    {
        struct random random;
        random_seed(&random, 23);
        for (int trial = 0; trial < 16; trial++) {
            struct pool pool;
            draw(&pool, &random, trial, false);
            size_t source = free_cell(&pool, &random);
            for (int i = 1; i < 8; i++) {
                struct turn turn = { .source = { 0, 1, 2 },
                                     .flip = { i & 1, i & 2 } };
                if (i & 4) {
                    turn.source[0] = 1;
                    turn.source[1] = 0;
                }
                try_turn(&pool, &turn, source);
            }
            pool_release(&pool);
        }
    }
END_TEST

/* The order of the sum distinguishes the third axis, so in 3D the bits are
 * invariant under reflections and the exchange of x and y. */
START_TEST(reflections_and_the_exchange_of_x_and_y_are_exact_in_3D)
    {
        struct random random;
        random_seed(&random, 29);
        for (int trial = 0; trial < 16; trial++) {
            struct pool pool;
            draw(&pool, &random, trial, true);
            size_t source = free_cell(&pool, &random);
            for (int i = 1; i < 16; i++) {
                struct turn turn = { .source = { 0, 1, 2 },
                                     .flip = { i & 1, i & 2, i & 4 } };
                if (i & 8) {
                    turn.source[0] = 1;
                    turn.source[1] = 0;
                }
                try_turn(&pool, &turn, source);
            }
            pool_release(&pool);
        }
    }
END_TEST

START_TEST(a_shifted_source_in_free_space_shifts_the_field)
    {
        enum { STEPS = 30, SIDE = 2 * STEPS + 12 };
        const char *const names[] = { "5-point", "9-point" };
        for (int s = 0; s < 2; s++) {
            struct pool pools[2];
            for (int i = 0; i < 2; i++) {
                pool_init(&pools[i], SIDE, SIDE, 0);
                pools[i].settings.stencil = stencil_find(names[s]);
                pools[i].settings.precision = PRECISION_SINGLE;
                pool_fill(&pools[i]);
            }
            wave_emit(pools[0].wave, pool_cell(&pools[0], 33, 32, 0), 0);
            wave_emit(pools[1].wave, pool_cell(&pools[1], 38, 35, 0), 0);
            for (int i = 0; i < 2; i++)
                pool_run(&pools[i], STEPS);
            for (int y = 0; y < SIDE - 3; y++)
                for (int x = 0; x < SIDE - 5; x++)
                    ck_assert(
                        wave_value(pools[0].wave,
                                   pool_cell(&pools[0], x, y, 0)) ==
                        wave_value(pools[1].wave,
                                   pool_cell(&pools[1], x + 5, y + 3, 0)));
            for (int i = 0; i < 2; i++)
                pool_release(&pools[i]);
        }
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("wave symmetry");
    TCase *tests = tcase_create("symmetry");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, all_8_symmetries_are_exact_in_2D);
    tcase_add_test(tests,
                   reflections_and_the_exchange_of_x_and_y_are_exact_in_3D);
    tcase_add_test(tests, a_shifted_source_in_free_space_shifts_the_field);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
