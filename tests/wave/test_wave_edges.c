/* SPDX-License-Identifier: MIT */
/* Open edges compared with the same map in one so much larger that nothing
 * comes back from its edges. */
#include "tests/wave/plain.h"
#include "tests/wave/waves.h"

#include "base/team.h"
#include "world/state.h"

#include <stdio.h>

enum {
    ALL_SIDES = 1 << DIRECTIONS,
    STEPS = 260,
    STEPS_3D = 150,
    STEPS_NARROW = 1000
};

struct scene {
    const char *name;
    int nx, ny, nz;
    unsigned open;   /* of the sides, or ALL_SIDES for edge = open */
    const char *map; /* walls: which of the cases in is_wall */
    const char *stencil;
    enum wall_rule walls;
    enum source_kind source;
    double delta, damping;
    enum speed_form form;
    double speed; /* of an area; 0: none */
    int door;     /* step at which a wall closes, 0: never */
    int at[2];    /* of the source; 0, 0: in the middle */
    double most;  /* the largest difference over the peak; 0: 2e-4 */
    bool single;  /* precision */
};

static const struct scene scenes[] = {
    { "a free map", 24, 19, 0, ALL_SIDES, "", "5-point", .delta = .25 },
    { "a source beside an edge", 24, 19, 0, ALL_SIDES, "", "5-point",
      .delta = .25, .at = { 1, 9 } },
    { "a source at a corner", 24, 19, 0, ALL_SIDES, "", "5-point", WALLS_FREE,
      .delta = .25, .at = { 23, 18 }, .most = 1e-3 },
    { "one open side", 24, 19, 0, 1 << WEST, "", "5-point", .delta = .25 },
    { "walls to the edge", 26, 21, 0, ALL_SIDES, "posts", "5-point",
      .delta = .25 },
    { "a corridor with fixed walls", 30, 7, 0, 1 << EAST | 1 << WEST,
      "corridor", "5-point", .delta = .25 },
    { "a corridor with free walls", 30, 7, 0, 1 << EAST | 1 << WEST, "corridor",
      "5-point", WALLS_FREE, .delta = .25 },
    { "a bend, one side of each axis open", 25, 22, 0, 1 << WEST | 1 << SOUTH,
      "bend", "5-point", WALLS_FREE, .delta = .25 },
    { "a duct in 3D", 12, 6, 5, 1 << EAST | 1 << WEST, "duct", "7-point",
      .delta = .25 },
    { "a free map in 3D", 9, 8, 7, ALL_SIDES, "", "7-point", .delta = .25 },
    { "areas of another speed", 24, 19, 0, ALL_SIDES, "", "5-point",
      .delta = .25, .speed = .5 },
    { "areas, conservative", 24, 19, 0, ALL_SIDES, "posts", "5-point",
      WALLS_FREE, .delta = .25, .form = FORM_CONSERVATIVE, .speed = .6 },
    { "a door that closes and opens", 30, 7, 0, 1 << EAST | 1 << WEST,
      "corridor", "5-point", WALLS_FREE, .delta = .25, .door = 60 },
    { "9-point", 24, 19, 0, ALL_SIDES, "", "9-point", .delta = .4 },
    { "9-point with free walls to the edge", 26, 21, 0, ALL_SIDES, "posts",
      "9-point", WALLS_FREE, .delta = .25 },
    { "9-point with fixed walls to the edge", 26, 21, 0, ALL_SIDES, "posts",
      "9-point", .delta = .5 },
    { "a ricker source, damped, single precision", 24, 19, 0, ALL_SIDES,
      "posts", "5-point", .source = SOURCE_RICKER, .delta = .3, .damping = .01,
      .single = true },
    { "a slow scheme", 24, 19, 0, ALL_SIDES, "", "5-point", .delta = .05 },
    { "near the limit of stability", 24, 19, 0, ALL_SIDES, "posts", "5-point",
      .delta = .45 },
    { "fast areas", 24, 19, 0, ALL_SIDES, "", "5-point", .delta = .12,
      .speed = 2 },
    { "9-point near the limit of stability", 24, 19, 0, ALL_SIDES, "posts",
      "9-point", WALLS_FREE, .delta = .7 },
};
enum { SCENES = sizeof scenes / sizeof *scenes };

static bool is_wall(const struct scene *scene, int x, int y, int z)
{
    const bool rim = y == 0 || y == scene->ny - 1;
    if (strcmp(scene->map, "corridor") == 0)
        return rim;
    if (strcmp(scene->map, "duct") == 0)
        return rim || z == 0 || z == scene->nz - 1;
    if (strcmp(scene->map, "bend") == 0)
        return !(x >= 15 && x <= 19 && y >= 4) &&
               !(x <= 19 && y >= 4 && y <= 8);
    if (strcmp(scene->map, "posts") == 0)
        return (x >= 18 && y == 5) || (x == 7 && y <= 3) ||
               (x >= 3 && x <= 9 && y == 14) || (x == 0 && y >= 16) ||
               (x == scene->nx - 1 && y == scene->ny - 1);
    return false;
}

static int clamped(int at, int extent)
{
    return at < 0 ? 0 : at >= extent ? extent - 1 : at;
}

/* The small map (far = 0), or with its edge cells repeated `far` times beyond
 * the open edges; margin[axis] cells of these are before the map. `shut`: the
 * door. */
static void draw(const struct scene *scene, struct pool *pool,
                 const int margin[GRID_AXES], bool shut)
{
    const int n[GRID_AXES] = { scene->nx, scene->ny,
                               scene->nz ? scene->nz : 1 };
    for (size_t i = 0; i < grid_cells(&pool->grid); i++) {
        int at[GRID_AXES];
        grid_cell(&pool->grid, i, at);
        for (int axis = 0; axis < GRID_AXES; axis++)
            at[axis] = clamped(at[axis] - margin[axis], n[axis]);
        pool->terrain.wall[i] =
            is_wall(scene, at[0], at[1], at[2]) || (shut && at[0] >= n[0] - 3);
        if (pool->terrain.speed)
            pool->terrain.speed[i] =
                at[1] > 10 || at[0] > 20 ? scene->speed : 1;
    }
}

static void build(const struct scene *scene, struct pool *pool, int far,
                  int margin[GRID_AXES])
{
    const int dims = scene->nz ? 3 : 2;
    const unsigned open =
        scene->open == ALL_SIDES ? (1u << 2 * dims) - 1 : scene->open;
    int n[GRID_AXES] = { scene->nx, scene->ny, scene->nz };
    memset(margin, 0, GRID_AXES * sizeof *margin);
    for (int side = 0; side < 2 * dims && far; side++)
        if (open >> side & 1) {
            n[side / 2] += far;
            margin[side / 2] += side % 2 ? far : 0;
        }
    pool_init(pool, n[0], n[1], n[2]);
    if (scene->speed > 0)
        pool_speeds(pool, NULL, 1);
    draw(scene, pool, margin, false);
    pool->settings = plain_settings(scene->stencil);
    pool->settings.delta = scene->delta;
    pool->settings.damping = scene->damping;
    pool->settings.walls = scene->walls;
    pool->settings.source = scene->source;
    pool->settings.wavelength = 9;
    pool->settings.speed_form = scene->form;
    pool->settings.precision =
        scene->single ? PRECISION_SINGLE : PRECISION_DOUBLE;
    if (!far && scene->open == ALL_SIDES) {
        pool->settings.edge = EDGE_OPEN;
    } else if (!far) {
        pool->settings.has_edges = true;
        pool->settings.edges = open;
    }
    pool_fill(pool);
}

static size_t source_of(const struct scene *scene, const struct pool *pool,
                        const int margin[GRID_AXES])
{
    const bool bend = strcmp(scene->map, "bend") == 0;
    if (scene->at[0] || scene->at[1])
        return pool_cell(pool, margin[0] + scene->at[0],
                         margin[1] + scene->at[1], margin[2]);
    return pool_cell(pool, margin[0] + (bend ? 5 : scene->nx / 3),
                     margin[1] + (bend ? 6 : scene->ny / 3 + 1),
                     margin[2] + scene->nz / 2);
}

static void set_door(const struct scene *scene, struct pool *pool,
                     const int margin[GRID_AXES], bool shut)
{
    const struct box all = grid_box(&pool->grid);
    draw(scene, pool, margin, shut);
    medium_update(pool->medium, &all);
    wave_clear_walls(pool->wave, &all);
}

/* The largest differences of amplitude and of gradient inside the map. */
static void compare(const struct pool *pool, const struct pool *large,
                    const int margin[GRID_AXES], double *peak, double *worst)
{
    for (size_t i = 0; i < grid_cells(&pool->grid); i++) {
        int at[GRID_AXES];
        double there[GRID_AXES] = { 0 }, here[GRID_AXES] = { 0 },
               ours[GRID_AXES], theirs[GRID_AXES];
        grid_cell(&pool->grid, i, at);
        for (int axis = 0; axis < GRID_AXES; axis++) {
            here[axis] = at[axis];
            there[axis] = at[axis] + margin[axis];
        }
        const double z = wave_value(pool->wave, i);
        *worst = fmax(*worst,
                      fabs(z - wave_value(large->wave,
                                          grid_nearest(&large->grid, there))));
        *peak = fmax(*peak, fabs(z));
        wave_sample_gradient(pool->wave, here, ours);
        wave_sample_gradient(large->wave, there, theirs);
        for (int axis = 0; axis < GRID_AXES; axis++)
            *worst = fmax(*worst, fabs(ours[axis] - theirs[axis]));
    }
}

/* Of a pair of neighbours, of which `other` may be a wall: the part of the
 * energy that is the stencil's in these coordinates. */
static double pair_weight(const struct scene *scene, const struct pool *pool,
                          size_t cell, size_t other, bool diagonal)
{
    const double *speed = pool->terrain.speed;
    const double mine = speed ? speed[cell] * speed[cell] : 1;
    const double its = speed ? speed[other] * speed[other] : 1;
    if (strcmp(scene->stencil, "9-point") == 0)
        return diagonal ? 1. / 6 : 4. / 6;
    if (diagonal)
        return 0;
    return scene->form == FORM_CONSERVATIVE ? 2 * mine * its / (mine + its) : 1;
}

/* ½Σ(z⁺ − z)²/δ + ½Σ over neighbours (z⁺ − z⁺')(z − z'), inside the map, whose
 * first cell is at `margin`. */
static double energy(const struct scene *scene, const struct pool *pool,
                     const int margin[GRID_AXES])
{
    const struct grid *grid = &pool->grid;
    const int n[GRID_AXES] = { scene->nx, scene->ny,
                               scene->nz ? scene->nz : 1 };
    /* The neighbours behind a cell: on the axes and, in 2D, the diagonals. */
    static const int steps[][GRID_AXES] = {
        { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 1, 0 }, { -1, 1, 0 }
    };
    double sum = 0;
    for (int z = 0; z < n[2]; z++)
        for (int y = 0; y < n[1]; y++)
            for (int x = 0; x < n[0]; x++) {
                const int at[] = { x, y, z };
                const size_t i = grid_index(grid, x + margin[0], y + margin[1],
                                            z + margin[2]);
                const double now = wave_value(pool->wave, i);
                const double old = wave_older_value(pool->wave, i);
                const double speed =
                    pool->terrain.speed && scene->form == FORM_C2_LAPLACIAN
                        ? pool->terrain.speed[i]
                        : 1;
                sum += (now - old) * (now - old) /
                       (pool->settings.delta * speed * speed);
                for (int k = 0; k < 5; k++) {
                    int next[GRID_AXES];
                    bool inside = true;
                    for (int axis = 0; axis < GRID_AXES; axis++) {
                        next[axis] = at[axis] + steps[k][axis];
                        inside &= next[axis] >= 0 && next[axis] < n[axis];
                    }
                    if (!inside)
                        continue;
                    const size_t j =
                        grid_index(grid, next[0] + margin[0],
                                   next[1] + margin[1], next[2] + margin[2]);
                    if (pool->settings.walls == WALLS_FREE &&
                        (pool->terrain.wall[i] || pool->terrain.wall[j]))
                        continue;
                    sum += pair_weight(scene, pool, i, j, k > 2) *
                           (now - wave_value(pool->wave, j)) *
                           (old - wave_older_value(pool->wave, j));
                }
            }
    return sum / 2;
}

START_TEST(what_leaves_at_open_edges_does_not_come_back)
    {
        const struct scene *scene = &scenes[_i];
        struct pool pool, large;
        int margin[GRID_AXES], none[GRID_AXES];
        double peak = 0, worst = 0, most = 0;
        /* Waves at a mode's cutoff stay for long in a corridor. */
        const bool narrow = !strcmp(scene->map, "corridor");
        const int steps = scene->nz ? STEPS_3D : narrow ? STEPS_NARROW : STEPS;
        build(scene, &pool, 0, none);
        build(scene, &large, steps / 2 + 1, margin);
        wave_emit(pool.wave, source_of(scene, &pool, none), 0);
        wave_emit(large.wave, source_of(scene, &large, margin), 0);
        for (int k = 1; k <= steps; k++) {
            wave_step(pool.wave, NULL);
            wave_step(large.wave, NULL);
            if (scene->door && (k == scene->door || k == 2 * scene->door)) {
                set_door(scene, &pool, none, k == scene->door);
                set_door(scene, &large, margin, k == scene->door);
            }
            compare(&pool, &large, margin, &peak, &worst);
            if (k % 10 == 1)
                most = fmax(most, energy(scene, &large, margin));
        }
        /* The table of docs/explanation/wave.md. */
        const double left = energy(scene, &pool, none) / most;
        const double left_there = energy(scene, &large, margin) / most;
        printf("# | %s | %d | %.1e | %.2e | %.2e |\n", scene->name, steps,
               worst / peak, left, left_there);
        ck_assert_msg(worst <= (scene->most > 0 ? scene->most : 2e-4) * peak,
                      "%s: %g of the peak", scene->name, worst / peak);
        ck_assert_msg(fabs(left - left_there) <= 1e-5,
                      "%s: %g of the energy is left, not %g", scene->name, left,
                      left_there);
        pool_release(&pool);
        pool_release(&large);
    }
END_TEST

/* Both generations of both waves are equal, bit for bit. */
static void assert_same(struct wave *ours, struct wave *theirs)
{
    struct state size = { .mode = STATE_MEASURE };
    wave_state(ours, 0, &size);
    struct state one = { .mode = STATE_SAVE,
                         .memory = memory_new(1, size.used) };
    struct state other = { .mode = STATE_SAVE,
                           .memory = memory_new(1, size.used) };
    ck_assert(one.memory && other.memory);
    wave_state(ours, 0, &one);
    wave_state(theirs, 0, &other);
    ck_assert(memcmp(one.memory, other.memory, size.used) == 0);
    memory_release(one.memory);
    memory_release(other.memory);
}

START_TEST(plain_and_fast_steps_and_threads_give_the_same_bits)
    {
        const struct scene *scene = &scenes[_i];
        struct pool pool, plain;
        struct team *team;
        int none[GRID_AXES];
        ck_assert_int_eq(team_new(3, false, &team, NULL), STATUS_OK);
        build(scene, &pool, 0, none);
        build(scene, &plain, 0, none);
        wave_emit(pool.wave, source_of(scene, &pool, none), 0);
        wave_emit(plain.wave, source_of(scene, &plain, none), 0);
        for (int k = 0; k < (scene->nz ? 20 : 60); k++) {
            wave_step(pool.wave, team);
            wave_step_plain(plain.wave);
        }
        wave_advance(pool.wave, 7, team);
        for (int k = 0; k < 7; k++)
            wave_step_plain(plain.wave);
        assert_same(pool.wave, plain.wave);
        team_release(team);
        pool_release(&pool);
        pool_release(&plain);
    }
END_TEST

START_TEST(a_state_and_a_new_emission_continue_with_the_same_bits)
    {
        const struct scene *scene = &scenes[_i];
        const int some = scene->nz ? 20 : 50;
        struct pool pool, other;
        int none[GRID_AXES];
        build(scene, &pool, 0, none);
        build(scene, &other, 0, none);
        const size_t source = source_of(scene, &pool, none);
        wave_emit(pool.wave, source, 0);
        pool_run(&pool, some);
        struct state state = { .mode = STATE_MEASURE };
        wave_state(pool.wave, some, &state);
        char *memory = memory_new(1, state.used);
        ck_assert_ptr_nonnull(memory);
        state = (struct state){ .mode = STATE_SAVE, .memory = memory };
        wave_state(pool.wave, some, &state);
        state = (struct state){ .mode = STATE_LOAD,
                                .memory = memory,
                                .step = some };
        wave_state(other.wave, 50, &state);
        ck_assert(!state.strange);
        pool_run(&pool, some);
        pool_run(&other, some);
        assert_same(pool.wave, other.wave);
        wave_emit(other.wave, source, 2 * some);
        pool_run(&other, some);
        struct pool fresh;
        build(scene, &fresh, 0, none);
        wave_emit(fresh.wave, source, 2 * some);
        pool_run(&fresh, some);
        assert_same(other.wave, fresh.wave);
        memory_release(memory);
        pool_release(&pool);
        pool_release(&other);
        pool_release(&fresh);
    }
END_TEST

/* From an open map. In a corridor waves at a mode's cutoff do not travel. */
START_TEST(little_energy_is_left_when_the_wave_has_gone)
    {
        const struct scene *scene = &scenes[_i];
        if (scene->open != ALL_SIDES || scene->speed > 0 ||
            scene->source == SOURCE_RICKER ||
            strcmp(scene->stencil, "9-point") == 0)
            return;
        struct pool pool;
        int none[GRID_AXES];
        build(scene, &pool, 0, none);
        wave_emit(pool.wave, source_of(scene, &pool, none), 0);
        pool_run(&pool, 1);
        const double first = energy(scene, &pool, none);
        pool_run(&pool, (int)((scene->nz ? 100 : 500) / sqrt(scene->delta)));
        const double left = energy(scene, &pool, none);
        ck_assert_msg(left <= 1e-3 * first, "%s: %g of the energy", scene->name,
                      left / first);
        pool_run(&pool, (scene->nz ? 2000 : 20000) / suite_every(10));
        ck_assert(energy(scene, &pool, none) <= left);
        pool_release(&pool);
    }
END_TEST

START_TEST(sides_that_are_not_named_stay_mirrors)
    {
        struct wave_settings settings = plain_settings("5-point");
        ck_assert_uint_eq(wave_open_sides(&settings, 2), 0);
        settings.edge = EDGE_OPEN;
        ck_assert_uint_eq(wave_open_sides(&settings, 2), 15);
        ck_assert_uint_eq(wave_open_sides(&settings, 3), 63);
        settings.has_edges = true;
        settings.edges = 1 << WEST | 1 << UP;
        ck_assert_uint_eq(wave_open_sides(&settings, 2), 1 << WEST);
        ck_assert_uint_eq(wave_open_sides(&settings, 3), 1 << WEST | 1 << UP);
    }
END_TEST

START_TEST(the_27_point_stencil_has_no_open_edges)
    {
        struct pool pool;
        struct error error;
        pool_init(&pool, 5, 5, 5);
        pool.settings.stencil = stencil_find("27-point");
        pool.settings.edge = EDGE_OPEN;
        ck_assert_int_eq(
            medium_new(&pool.terrain, &pool.settings, &pool.medium, &error),
            STATUS_INPUT);
        ck_assert(strstr(error.message, "7-point"));
        memory_release(pool.terrain.wall);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("wave_edges");
    TCase *edges = tcase_create("edges");
    tcase_set_timeout(edges, 300);
    tcase_add_loop_test(edges, what_leaves_at_open_edges_does_not_come_back, 0,
                        SCENES);
    tcase_add_loop_test(
        edges, plain_and_fast_steps_and_threads_give_the_same_bits, 0, SCENES);
    tcase_add_loop_test(edges,
                        a_state_and_a_new_emission_continue_with_the_same_bits,
                        0, SCENES);
    tcase_add_loop_test(edges, little_energy_is_left_when_the_wave_has_gone, 0,
                        SCENES);
    tcase_add_test(edges, sides_that_are_not_named_stay_mirrors);
    tcase_add_test(edges, the_27_point_stencil_has_no_open_edges);
    suite_add_tcase(suite, edges);
    return suite_main(suite);
}
