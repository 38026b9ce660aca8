/* SPDX-License-Identifier: MIT */
/* Steering at every step: the proof of docs/explanation/chases.md, "Why they
 * arrive", term by term, compared with brute force, and whole chases on random
 * maps. */
#include "base/random.h"
#include "pursuit/motion.h"
#include "pursuit/node_walk.h"
#include "pursuit/trail_walk.h"
#include "search/least_time.h"
#include "tests/pursuit/chase_runs.h"
#include "wave/arrival/detector.h"

enum { SIDE_MOST = 40, CELLS_MOST = SIDE_MOST * SIDE_MOST };

/* ---- maps ---- */

enum map_kind { MAP_NOISE, MAP_ROOMS, MAP_MAZE, MAP_KINDS };

/* A depth-first maze on the odd cells of every layer, the layers joined. */
static void carve(struct terrain *terrain, struct random *random)
{
    const struct grid *grid = &terrain->grid;
    int stack[CELLS_MOST], depth = 0;
    memset(terrain->wall, 1, grid_cells(grid));
    stack[depth++] = (int)grid_index(grid, 1, 1, 0);
    terrain->wall[stack[0]] = 0;
    while (depth > 0) {
        int at[GRID_AXES], choices[2 * GRID_AXES], count = 0;
        grid_cell(grid, (size_t)stack[depth - 1], at);
        for (int i = 0; i < 2 * grid->dims; i++) {
            int to[GRID_AXES] = { at[0], at[1], at[2] };
            to[i / 2] += i % 2 ? 2 : -2;
            if (grid_holds(grid, to[0], to[1], to[2]) &&
                terrain->wall[grid_index(grid, to[0], to[1], to[2])])
                choices[count++] = i;
        }
        if (!count) {
            depth--;
            continue;
        }
        int i = choices[random_below(random, (uint64_t)count)];
        for (int j = 0; j < 2; j++) {
            at[i / 2] += i % 2 ? 1 : -1;
            terrain->wall[grid_index(grid, at[0], at[1], at[2])] = 0;
        }
        stack[depth++] = (int)grid_index(grid, at[0], at[1], at[2]);
    }
}

static void draw_map(enum map_kind kind, int dims, struct random *random,
                     struct terrain *terrain)
{
    const int side = dims == 2 ? 16 + (int)random_below(random, 16) : 9;
    const double share = .05 + .4 * random_unit(random);
    struct grid grid;
    struct error error;
    ck_assert(!grid_make(dims, side, side, dims == 2 ? 1 : 7, &grid, &error));
    ck_assert(!terrain_init(terrain, &grid, &error));
    if (kind == MAP_MAZE) {
        carve(terrain, random);
        return;
    }
    for (size_t i = 0; i < grid_cells(&grid); i++) {
        int at[GRID_AXES];
        grid_cell(&grid, i, at);
        bool line = at[0] % 8 == 4 || at[1] % 8 == 4;
        terrain->wall[i] = kind == MAP_NOISE ? random_unit(random) < share
                                             : line && random_unit(random) < .8;
    }
}

static size_t any_free(const struct terrain *terrain, struct random *random)
{
    size_t cell;
    do
        cell = random_below(random, grid_cells(&terrain->grid));
    while (terrain->wall[cell]);
    return cell;
}

/* ---- the decrease of a potential ---- */

static double law_of(const struct stencil *stencil, const double k[GRID_AXES])
{
    double sum = 0;
    for (int i = 0; i < stencil->points; i++) {
        double phase = 0;
        for (int axis = 0; axis < GRID_AXES; axis++)
            phase += k[axis] * stencil->point[i].step[axis];
        sum += stencil->point[i].weight * (cosh(phase) - 1);
    }
    return sum;
}

/* max k·v, by all directions of k in the plane. */
static double norm_by_force(const struct stencil *stencil, double total,
                            const double v[GRID_AXES])
{
    double best = 0;
    for (int i = 0; i < 4000; i++) {
        double angle = i * acos(-1) / 4000 - acos(-1) / 4, low = 0, high = 40;
        for (int round = 0; round < 40; round++) {
            double middle = (low + high) / 2;
            double k[GRID_AXES] = { middle * cos(angle), middle * sin(angle) };
            *(law_of(stencil, k) > total ? &high : &low) = middle;
        }
        best = fmax(best, low * (cos(angle) * v[0] + sin(angle) * v[1]));
    }
    return best;
}

/* In 3D: no k on the law's surface is beyond it, and on an axis and in a plane
 * of the 27-point stencil it equals that of the 5- and 9-point one. */
START_TEST(the_fall_is_that_norm_in_3D_too)
    {
        const struct stencil *stencil =
            stencil_find(_i % 2 ? "27-point" : "7-point");
        const struct stencil *flat =
            stencil_find(_i % 2 ? "9-point" : "5-point");
        const double p[] = { .3, 1, 1.5, 3 }, delta = .25;
        const double total = pow(2 * sinh(p[_i / 2] / 2), 2) / delta;
        struct fall fall, in_plane;
        struct random random;
        random_seed(&random, (uint64_t)_i);
        fall_of_sum(
            &(struct wave_settings){ .stencil = stencil, .delta = delta },
            p[_i / 2], &fall);
        fall_of_sum(&(struct wave_settings){ .stencil = flat, .delta = delta },
                    p[_i / 2], &in_plane);
        ck_assert_double_eq_tol(fall_along(&fall, (double[]){ 0, 0, 2 }),
                                4 * asinh(sqrt(total) / 2), 1e-9);
        for (int i = 0; i < 4; i++) {
            const double v[GRID_AXES] = { 3 * random_unit(&random),
                                          3 * random_unit(&random),
                                          3 * random_unit(&random) };
            const double turned[GRID_AXES] = { v[0], 0, -v[1] };
            double best = 0, own = fall_along(&fall, v);
            ck_assert_double_eq_tol(
                fall_along(&fall, turned),
                fall_along(&in_plane, (double[]){ v[0], v[1], 0 }), 1e-9);
            for (int trial = 0; trial < 20000; trial++) {
                double k[GRID_AXES], low = 0, high = 40;
                for (int axis = 0; axis < GRID_AXES; axis++)
                    k[axis] = v[axis] + 2 * random_unit(&random) - 1;
                double size = sqrt(k[0] * k[0] + k[1] * k[1] + k[2] * k[2]);
                for (int round = 0; round < 30; round++) {
                    double middle = (low + high) / 2;
                    *(law_of(stencil, (double[]){ k[0] / size * middle,
                                                  k[1] / size * middle,
                                                  k[2] / size * middle }) >
                              total
                          ? &high
                          : &low) = middle;
                }
                best = fmax(best, (k[0] * v[0] + k[1] * v[1] + k[2] * v[2]) /
                                      size * low);
            }
            ck_assert_double_le(best, own * (1 + 2e-4));
            ck_assert_double_ge(best, own * (1 - 2e-3));
        }
    }
END_TEST

START_TEST(the_fall_is_the_dispersion_law_s_norm)
    {
        const struct stencil *stencil =
            stencil_find(_i % 2 ? "9-point" : "5-point");
        const double p[] = { .3, 1, 1.5, 3, 7, 12 }, delta = .25;
        const double total = pow(2 * sinh(p[_i / 2] / 2), 2) / delta;
        struct fall fall;
        fall_of_sum(
            &(struct wave_settings){ .stencil = stencil, .delta = delta },
            p[_i / 2], &fall);
        for (int i = 0; i <= 12; i++) {
            const double v[GRID_AXES] = { -5 * cos(i * .2), 5 * sin(i * .2) };
            ck_assert_double_eq_tol(
                fall_along(&fall, v) /
                    norm_by_force(stencil, total,
                                  (double[]){ fabs(v[0]), fabs(v[1]), 0 }),
                1, 2e-4);
        }
        /* Along an axis 4 sinh²(τ/2) = total for 5 points, in closed form. */
        if (_i % 2 == 0)
            ck_assert_double_eq_tol(fall_along(&fall, (double[]){ 0, 2, 0 }),
                                    4 * asinh(sqrt(total) / 2), 1e-9);
    }
END_TEST

/* A norm that is the same for each axis and sign is at least its value for the
 * largest component alone, and at most the sum of those for all. */
START_TEST(the_fall_is_between_two_norms_for_every_p)
    {
        static const char *const names[] = { "5-point", "9-point", "7-point",
                                             "27-point" };
        const struct wave_settings waves = { .stencil = stencil_find(names[_i]),
                                             .delta = .1 };
        for (double p = .5; p <= 20; p += 1.5) {
            struct fall fall;
            fall_of_sum(&waves, p, &fall);
            const double axis = fall.norm[0][0] * (1 + 1e-9);
            for (int i = 0; i <= FALL_PARTS; i++)
                for (int j = 0; j <= (_i < 2 ? 0 : i); j++) {
                    const double all = 1 + (double)(i + j) / FALL_PARTS;
                    ck_assert_double_ge(fall.norm[i][j] * (1 + 3e-9), axis);
                    ck_assert_double_le(fall.norm[i][j], all * axis);
                }
        }
    }
END_TEST

START_TEST(the_fall_of_a_time_is_the_distance)
    {
        const double v[GRID_AXES] = { 1.5, -2, .75 };
        struct fall fall;
        fall_of_time(.5, &fall);
        ck_assert_double_eq_tol(fall_along(&fall, v),
                                2 * sqrt(1.5 * 1.5 + 4 + .75 * .75), 2e-3);
        ck_assert(fall_at_speed(&fall, .25) == 4);
    }
END_TEST

START_TEST(the_fall_is_larger_in_areas_of_slow_waves)
    {
        const struct stencil *stencil = stencil_find("7-point");
        const double v[GRID_AXES] = { 0, 0, 3 };
        struct fall fall;
        fall_of_sum(&(struct wave_settings){ .stencil = stencil, .delta = .25 },
                    1.5, &fall);
        for (double c = .01; c < 1.6; c *= 1.3) {
            const double matched = wave_matched_speed(stencil, .25, 1.5, c);
            /* Along an axis, with the coefficient of the cells. */
            const double slow =
                6 * asinh(wave_sum_slope(.25 * matched * matched, 1.5) / 2);
            ck_assert_double_eq_tol(
                fall_along(&fall, v) * fall_at_speed(&fall, c), slow, 1e-9);
        }
    }
END_TEST

/* ---- the potential has its only maximum at the source ---- */

static void check_maxima(const struct terrain *terrain,
                         const struct detection *detection, size_t source,
                         double least)
{
    const struct grid *grid = &terrain->grid;
    for (size_t cell = 0; cell < grid_cells(grid); cell++) {
        bool settled;
        int at[GRID_AXES];
        if (terrain->wall[cell] || cell == source)
            continue;
        double own = detection_potential(detection, cell, &settled),
               best = -INFINITY;
        grid_cell(grid, cell, at);
        for (int i = 0; i < 2 * grid->dims; i++) {
            int to[GRID_AXES] = { at[0], at[1], at[2] };
            to[i / 2] += i % 2 ? 1 : -1;
            if (!grid_holds(grid, to[0], to[1], to[2]))
                continue;
            size_t next = grid_index(grid, to[0], to[1], to[2]);
            if (!terrain->wall[next])
                best =
                    fmax(best, detection_potential(detection, next, &settled));
        }
        ck_assert_msg(own == -INFINITY || best - own > least,
                      "cell %zu: %.9g beside %.9g", cell, own, best);
    }
}

/* U·(4 sinh²(p/2)/δ + Σ) = ΣU_j over Σ free neighbours at most 2·dims of them:
 * with free walls the largest one is 1 + 4 sinh²(p/2)/(2·dims·δ) times U. */
START_TEST(each_cell_has_a_neighbour_with_a_larger_sum)
    {
        struct random random;
        random_seed(&random, (uint64_t)_i + 1);
        for (int round = 0; round < 6; round++) {
            const int dims = round % 2 ? 3 : 2;
            struct terrain terrain;
            struct error error;
            struct detection *detection;
            draw_map(round % MAP_KINDS, dims, &random, &terrain);
            const struct arrival_settings settings = {
                .detector = detector_find("laplace"), .p = 1.5, .eta = .3
            };
            const struct wave_settings waves = {
                .count = 1,
                .delta = .25,
                .amplitude = 1,
                .walls = _i % 2 ? WALLS_FREE : WALLS_FIXED,
                .stencil = stencil_find(dims == 2 ? "5-point" : "7-point"),
                .precision = _i / 2 % 2 ? PRECISION_DOUBLE : PRECISION_SINGLE,
                .flush_denormals = true,
            };
            const struct detection_options options = {
                .settings = &settings,
                .terrain = &terrain,
                .amplitude = 1,
                .width = waves.precision == PRECISION_DOUBLE ? sizeof(double)
                                                             : sizeof(float),
                .waves = &waves,
                .potential = true,
            };
            ck_assert(!detection_new(&options, &detection, &error));
            size_t source = any_free(&terrain, &random);
            detection_begin(detection, source, NULL);
            detection_take(detection, NULL, 0, NULL);
            for (int64_t age = 1; !detection_is_spent(detection); age++) {
                ck_assert_int_lt(age, 5000);
                detection_take(detection, NULL, age, NULL);
            }
            const double factor =
                1 + pow(2 * sinh(.75), 2) / (2 * dims * waves.delta);
            check_maxima(&terrain, detection, source, log(factor) * (1 - 1e-3));
            detection_release(detection);
            terrain_release(&terrain);
        }
    }
END_TEST

/* ---- the choice, compared with brute force ---- */

static double known_potential[CELLS_MOST];
static double known_slope = 1.25; /* a cell, if the potential falls by 1 */

static double known(const void *context, size_t cell, bool *settled)
{
    (void)context;
    *settled = true;
    return known_potential[cell];
}

/* Minus the steps from the source. */
static void flood(const struct terrain *terrain, size_t source)
{
    const struct grid *grid = &terrain->grid;
    size_t queue[CELLS_MOST], count = 0;
    for (size_t i = 0; i < grid_cells(grid); i++)
        known_potential[i] = -INFINITY;
    known_potential[source] = 0;
    queue[count++] = source;
    for (size_t i = 0; i < count; i++) {
        int at[GRID_AXES];
        grid_cell(grid, queue[i], at);
        for (int j = 0; j < 2 * grid->dims; j++) {
            int to[GRID_AXES] = { at[0], at[1], at[2] };
            to[j / 2] += j % 2 ? 1 : -1;
            if (!grid_holds(grid, to[0], to[1], to[2]))
                continue;
            size_t next = grid_index(grid, to[0], to[1], to[2]);
            if (terrain->wall[next] || known_potential[next] > -INFINITY)
                continue;
            known_potential[next] = known_potential[queue[i]] - known_slope;
            queue[count++] = next;
        }
    }
}

/* Does every point of the path keep the distance `clear` from walls? Tested at
 * many points. */
static bool clear_by_force(const struct terrain *terrain,
                           const double a[GRID_AXES], const double b[GRID_AXES],
                           double clear)
{
    enum { POINTS = 1500 };
    const struct grid *grid = &terrain->grid;
    for (int i = 0; i <= POINTS; i++) {
        for (int corner = 0; corner < 1 << grid->dims; corner++) {
            double at[GRID_AXES] = { 0 };
            for (int axis = 0; axis < grid->dims; axis++)
                at[axis] = a[axis] + (b[axis] - a[axis]) * i / POINTS +
                           (corner >> axis & 1 ? clear : -clear);
            int x = (int)floor(at[0] + .5), y = (int)floor(at[1] + .5);
            int z = (int)floor(at[2] + .5);
            if (!grid_holds(grid, x, y, z) ||
                terrain->wall[grid_index(grid, x, y, z)])
                return false;
        }
    }
    return true;
}

static double place_somewhere(struct random *random, int cell)
{
    return motion_round(cell + .9 * (random_unit(random) - .5));
}

/* Gives each cell one of three speeds. */
static void draw_speeds(struct random *random, struct terrain *terrain)
{
    const size_t cells = grid_cells(&terrain->grid);
    terrain->speed = memory_new(cells, sizeof *terrain->speed);
    ck_assert_ptr_nonnull(terrain->speed);
    for (size_t i = 0; i < cells; i++)
        terrain->speed[i] = 1 / (1. + (double)random_below(random, 3));
}

START_TEST(the_choice_is_the_best_node_in_sight)
    {
        struct random random;
        struct terrain terrain;
        struct trail trail;
        struct error error;
        struct fall fall;
        random_seed(&random, (uint64_t)_i + 77);
        draw_map(_i % MAP_KINDS, 2, &random, &terrain);
        const struct grid *grid = &terrain.grid;
        flood(&terrain, any_free(&terrain, &random));
        fall_of_time(1, &fall);
        ck_assert(!trail_init(&trail, &terrain, known, NULL, &fall, &error));
        trail_begin(&trail, 0, 7);
        for (int round = 0; round < 40; round++) {
            const double sight = 1.5 + 4 * random_unit(&random);
            struct node_hold hold = { .emitted = 7, .node = -1 };
            int cell[GRID_AXES];
            double at[GRID_AXES] = { 0 }, place[GRID_AXES], slower;
            size_t own = any_free(&terrain, &random);
            grid_cell(grid, own, cell);
            for (int axis = 0; axis < 2; axis++)
                at[axis] = place_somewhere(&random, cell[axis]);
            bool found = node_choose(&trail, sight, at, &hold);
            double worth = -INFINITY;
            if (found) {
                node_place(grid, hold.node, hold.corner, place);
                ck_assert(node_in_sight(&trail, at, place, &slower));
                ck_assert(clear_by_force(&terrain, at, place, 0));
                if (!hold.corner)
                    worth =
                        known_potential[hold.node] - motion_distance(at, place);
            }
            for (size_t i = 0; i < grid_cells(grid); i++) {
                if (terrain.wall[i] || known_potential[i] == -INFINITY)
                    continue;
                node_place(grid, (int64_t)i, 0, place);
                double distance = motion_distance(at, place);
                if (distance > sight ||
                    !clear_by_force(&terrain, at, place, 2 * NODE_CLEAR))
                    continue;
                ck_assert(found);
                ck_assert(hold.corner ||
                          known_potential[i] - distance <= worth + 1e-2);
            }
        }
        trail_release(&trail);
        terrain_release(&terrain);
    }
END_TEST

/* ---- the choice with and without what saves time ---- */

enum { SUMS = CELLS_MOST + 64 }; /* vectors read beyond the last cell */
static float open_sum[SUMS], open_z[SUMS];
static uint16_t open_closed[SUMS];
static struct detection_sums open_sums;

static bool give_open(const void *context, struct detection_sums *sums)
{
    (void)context;
    *sums = open_sums;
    return true;
}

/* The potential that the terms give; of closed cells it is final. */
static double open_potential(const void *context, size_t cell, bool *settled)
{
    (void)context;
    *settled = open_closed[cell] != 0;
    double sum = (double)open_sums.growth * (double)open_sum[cell] +
                 (double)open_sums.owes * (double)open_z[cell];
    return (sum > 0 ? log(sum) : -INFINITY) - open_sums.unit;
}

/* Sums about those of a flood, of open cells; some cells have none yet. */
static void draw_sums(const struct grid *grid, struct random *random)
{
    for (size_t i = 0; i < grid_cells(grid); i++) {
        double potential = known_potential[i] + 2 * random_unit(random);
        if (open_closed[i])
            continue;
        open_sum[i] =
            random_below(random, 8) ? (float)exp(fmax(potential, -80)) : 0;
        open_z[i] = open_sum[i] * (float)(random_unit(random) - .5);
    }
}

/* Of an emission; a quarter of the cells are closed. */
static void draw_terms(const struct grid *grid, struct random *random)
{
    open_sums = (struct detection_sums){
        .sum = open_sum,
        .z = open_z,
        .closed = open_closed,
        .row = grid->nx,
        .layer = (ptrdiff_t)grid->nx * grid->ny,
        .growth = 1 + (float)random_unit(random),
        .owes = random_below(random, 2) ? 1 : 0,
        .unit = 40 * random_unit(random) - 20,
    };
    memset(open_closed, 0, sizeof open_closed);
    draw_sums(grid, random);
    for (size_t i = 0; i < grid_cells(grid); i++)
        open_closed[i] = random_below(random, 4) == 0;
}

static void wall_somewhere(struct terrain *terrain, struct random *random,
                           uint8_t *cornered, struct trail *const trail[2])
{
    const struct grid *grid = &terrain->grid;
    struct box box;
    size_t cell = random_below(random, grid_cells(grid));
    grid_cell(grid, cell, box.low);
    memcpy(box.high, box.low, sizeof box.high);
    terrain->wall[cell] = !terrain->wall[cell];
    for (int i = 0; i < 2; i++)
        trail_update(trail[i], &box);
    node_mark_corners(terrain, &box, cornered);
}

START_TEST(the_choice_is_the_same_without_what_saves_time)
    {
        struct random random;
        struct terrain terrain;
        struct trail fast, plain;
        struct error error;
        struct fall fall;
        random_seed(&random, (uint64_t)_i + 4099);
        draw_map(_i % MAP_KINDS, _i % 2 ? 3 : 2, &random, &terrain);
        if (_i >= 12)
            draw_speeds(&random, &terrain);
        const struct grid *grid = &terrain.grid;
        const struct box all = grid_box(grid);
        fall_of_time(1, &fall);
        fall.borders = true;
        ck_assert(
            !trail_init(&fast, &terrain, open_potential, NULL, &fall, &error));
        ck_assert(
            !trail_init(&plain, &terrain, open_potential, NULL, &fall, &error));
        uint8_t *cornered = memory_new((size_t)grid->ny * (size_t)grid->nz,
                                       node_corner_row(grid));
        ck_assert_ptr_nonnull(cornered);
        node_mark_corners(&terrain, &all, cornered);
        fast.sums = give_open;
        fast.cornered = cornered;
        ck_assert(_i >= 12 || fast.steep > .999);
        plain.steep = 0;
        int found = 0;
        for (int round = 0; round < 200; round++) {
            struct trail *const both[] = { &fast, &plain };
            if (round % 4 == 3)
                wall_somewhere(&terrain, &random, cornered, both);
            flood(&terrain, any_free(&terrain, &random));
            draw_terms(grid, &random);
            trail_begin(&fast, 0, round);
            trail_begin(&plain, 0, round);
            fast.mirror = plain.mirror = (unsigned)random_below(&random, 8);
            const double sight = 1.5 + 8 * random_unit(&random);
            struct node_hold hold = { .emitted = round, .node = -1 },
                             same = hold;
            int cell[GRID_AXES];
            double at[GRID_AXES] = { 0 };
            grid_cell(grid, any_free(&terrain, &random), cell);
            for (int axis = 0; axis < grid_axes(grid); axis++)
                at[axis] = place_somewhere(&random, cell[axis]);
            for (int again = 0; again < 3; again++) { /* with a node held */
                trail_refresh(&fast);
                trail_refresh(&plain);
                bool chosen = node_choose(&fast, sight, at, &hold);
                ck_assert(chosen == node_choose(&plain, sight, at, &same));
                ck_assert_int_eq(hold.node, same.node);
                ck_assert_int_eq(hold.corner, same.corner);
                found += chosen;
                draw_sums(grid, &random);
            }
        }
        ck_assert_int_gt(found, 100);
        memory_release(cornered);
        trail_release(&fast);
        trail_release(&plain);
        terrain_release(&terrain);
    }
END_TEST

/* Every node has a path of nodes to the source, with increasing potential,
 * however short the agent's sight is. */
START_TEST(each_next_node_has_a_larger_potential)
    {
        struct random random;
        struct terrain terrain;
        struct trail trail;
        struct error error;
        struct fall fall;
        random_seed(&random, (uint64_t)_i + 991);
        draw_map(_i % MAP_KINDS, _i % 2 ? 3 : 2, &random, &terrain);
        if (_i >= 12)
            draw_speeds(&random, &terrain);
        size_t source = any_free(&terrain, &random);
        known_slope = _i % 12 < 6 ? .3 : 1.25;
        flood(&terrain, source);
        fall_of_time(1, &fall);
        fall.borders = true;
        ck_assert(!trail_init(&trail, &terrain, known, NULL, &fall, &error));
        trail_begin(&trail, 0, 0);
        for (size_t i = 0; i < grid_cells(&terrain.grid); i++) {
            struct node_hold hold = { .node = -1 };
            double at[GRID_AXES];
            if (terrain.wall[i] || known_potential[i] == -INFINITY)
                continue;
            node_place(&terrain.grid, (int64_t)i, 0, at);
            int64_t before = -1;
            int32_t corner = 0;
            for (size_t steps = 0; hold.node != (int64_t)source || hold.corner;
                 steps++) {
                ck_assert_uint_lt(steps,
                                  (1 + NODE_CORNERS + NODE_FACES) * CELLS_MOST);
                ck_assert(node_choose(&trail, 1 + _i % 4, at, &hold));
                ck_assert(hold.node != before || hold.corner != corner);
                before = hold.node;
                corner = hold.corner;
                node_place(&terrain.grid, hold.node, hold.corner, at);
            }
        }
        trail_release(&trail);
        terrain_release(&terrain);
    }
END_TEST

/* ---- when an agent looks ---- */

enum { WALKERS = 5, WALK_STEPS = 400 };

/* An agent that walks by the rule as it is written: it looks for a node when it
 * has none, at its node, and in each cell once; `often`: at every step, too. */
struct walker {
    double at[GRID_AXES];
    struct node_hold hold;
    bool often;
    int looks;
};

/* Does the walker look? Sets the cell that it is in, and its node's place. */
static bool is_to_look(const struct terrain *terrain,
                       const struct walker *walker, size_t *cell,
                       double node[GRID_AXES])
{
    const struct node_hold *hold = &walker->hold;
    double lean[GRID_AXES] = { 0 };
    memcpy(node, walker->at, sizeof walker->at);
    if (hold->node >= 0)
        node_place(&terrain->grid, hold->node, hold->corner, node);
    for (int axis = 0; axis < GRID_AXES; axis++)
        lean[axis] = node[axis] - walker->at[axis];
    *cell = motion_cell_leaning(terrain, walker->at, lean);
    return hold->looked != (int32_t)*cell ||
           motion_distance(walker->at, node) <= MOTION_NEAR;
}

static void walk_by_rule(const struct trail *trail, double sight, double speed,
                         struct walker *walker)
{
    struct node_hold *hold = &walker->hold;
    double left = speed, distance = 0;
    if (walker->often)
        hold->looked = -1;
    for (; left > 0; left -= distance) {
        double way[GRID_AXES], unit[GRID_AXES], node[GRID_AXES];
        size_t cell;
        if (is_to_look(trail->terrain, walker, &cell, node)) {
            walker->looks++;
            if (!node_choose(trail, sight, walker->at, hold))
                return;
            hold->looked = (int32_t)cell;
            node_place(&trail->terrain->grid, hold->node, hold->corner, node);
        }
        for (int axis = 0; axis < GRID_AXES; axis++)
            way[axis] = node[axis] - walker->at[axis];
        distance = motion_distance(walker->at, node);
        if (!heading_unit(way, unit))
            return;
        if (distance > left + MOTION_NEAR) {
            for (int axis = 0; axis < GRID_AXES; axis++)
                walker->at[axis] += motion_round(left * unit[axis]);
            return;
        }
        memcpy(walker->at, node, sizeof node);
    }
}

/* Agents of any speed, in places that the source's potential reaches. */
static void draw_walkers(const struct grid *grid, struct random *random,
                         struct agent_settings entries[WALKERS],
                         struct agents *agents)
{
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    struct error error;
    for (int i = 0; i < WALKERS; i++)
        entries[i] = (struct agent_settings){
            .count = 1,
            .method = METHOD_WAVE,
            .steering = i ? STEERING_EVERY_CELL : STEERING_EVERY_STEP,
            .speed = .03 + .4 * random_unit(random),
        };
    ck_assert(!agents_init(agents, entries, WALKERS, &error));
    for (int i = 0; i < WALKERS; i++) {
        int cell[GRID_AXES];
        size_t from;
        do
            from = random_below(random, grid_cells(grid));
        while (known_potential[from] == -INFINITY);
        grid_cell(grid, from, cell);
        for (int axis = 0; axis < grid_axes(grid); axis++)
            agents->at[axis][i] = fmin(
                fmax(place_somewhere(random, cell[axis]), 0), extent[axis] - 1);
    }
}

/* A wall in a free cell more than a cell away from every agent. */
static void close_somewhere(struct terrain *terrain, struct random *random,
                            const struct agents *agents, struct box *box)
{
    size_t cell;
    bool near = true;
    while (near) {
        near = false;
        cell = any_free(terrain, random);
        grid_cell(&terrain->grid, cell, box->low);
        for (size_t i = 0; i < agents->count; i++) {
            double far = 0;
            for (int axis = 0; axis < GRID_AXES; axis++)
                far = fmax(far, fabs(agents->at[axis][i] - box->low[axis]));
            near = near || far <= 1;
        }
    }
    memcpy(box->high, box->low, sizeof box->high);
    terrain->wall[cell] = 1;
}

/* The agents of one map, and the same by the rule. */
struct walked {
    struct terrain terrain;
    struct agents agents;
    struct agent_settings entries[WALKERS];
    struct trail trail;
    struct trail_walk walk;
    struct fall fall;
    struct walker rule[WALKERS], often[WALKERS];
    double sight;
    size_t source;
};

static void walked_begin(struct walked *walked, int map, struct random *random)
{
    struct error error;
    struct terrain *terrain = &walked->terrain;
    draw_map(map % MAP_KINDS, map % 4 == 3 ? 3 : 2, random, terrain);
    walked->sight = 1.5 + 6 * random_unit(random);
    walked->source = any_free(terrain, random);
    flood(terrain, walked->source);
    fall_of_time(1, &walked->fall);
    draw_walkers(&terrain->grid, random, walked->entries, &walked->agents);
    const struct trail_walk_view view = { .agents = &walked->agents,
                                          .method = METHOD_WAVE,
                                          .terrain = terrain,
                                          .sight = walked->sight,
                                          .waves = 1 };
    ck_assert(!trail_walk_init(&walked->walk, &view, &error));
    ck_assert(!trail_walk_name(&walked->walk, 0, known, NULL, NULL,
                               &walked->fall, &error));
    ck_assert(!trail_init(&walked->trail, terrain, known, NULL, &walked->fall,
                          &error));
    trail_walk_emitted(&walked->walk, 0, walked->source, 0);
    trail_begin(&walked->trail, (int64_t)walked->source, 0);
    for (size_t i = 0; i < WALKERS; i++) {
        walked->rule[i].hold = (struct node_hold){ .node = -1, .looked = -1 };
        walked->rule[i].often =
            walked->entries[i].steering == STEERING_EVERY_STEP;
        agents_place(&walked->agents, i, walked->rule[i].at);
        walked->often[i] = walked->rule[i];
        walked->often[i].often = true;
    }
}

static void walked_end(struct walked *walked)
{
    trail_release(&walked->trail);
    trail_walk_release(&walked->walk);
    agents_release(&walked->agents);
    terrain_release(&walked->terrain);
}

/* Counts the steps and looks of those that look in cells and have not come to
 * the source. */
static void step_by_rule(const struct walked *walked, struct walker walkers[],
                         int *steps, int *looks)
{
    double source[GRID_AXES];
    node_place(&walked->terrain.grid, (int64_t)walked->source, 0, source);
    for (int i = 0; i < WALKERS; i++) {
        const bool there = motion_distance(walkers[i].at, source) == 0 ||
                           walked->rule[i].often;
        const int before = walkers[i].looks;
        walk_by_rule(&walked->trail, walked->sight, walked->entries[i].speed,
                     &walkers[i]);
        *steps += !there;
        *looks += there ? 0 : walkers[i].looks - before;
    }
}

static void step_walked(struct walked *walked, int *steps, int *looks)
{
    trail_walk_move(&walked->walk);
    step_by_rule(walked, walked->rule, steps, looks);
    for (int i = 0; i < WALKERS; i++) {
        double at[GRID_AXES];
        agents_place(&walked->agents, (size_t)i, at);
        ck_assert(motion_is_free(&walked->terrain, at));
        for (int axis = 0; axis < GRID_AXES; axis++)
            ck_assert(at[axis] == walked->rule[i].at[axis]);
    }
}

/* Final potentials: all come to the source as if they looked at every step, in
 * the same number of steps or nearly. */
START_TEST(an_agent_looks_once_in_each_cell)
    {
        static struct walked walked;
        struct random random;
        int steps = 0, steps_often = 0, looks = 0, looks_often = 0;
        random_seed(&random, (uint64_t)_i + 5003);
        walked = (struct walked){ 0 };
        walked_begin(&walked, _i, &random);
        for (int step = 0; step < 8 * WALK_STEPS; step++) {
            step_walked(&walked, &steps, &looks);
            step_by_rule(&walked, walked.often, &steps_often, &looks_often);
        }
        double source[GRID_AXES];
        node_place(&walked.terrain.grid, (int64_t)walked.source, 0, source);
        for (int i = 0; i < WALKERS; i++)
            for (int axis = 0; axis < GRID_AXES; axis++)
                ck_assert(walked.rule[i].at[axis] == source[axis]);
        ck_assert_int_le(100 * steps, 105 * steps_often);
        ck_assert_int_le(3 * looks, 2 * looks_often);
        walked_end(&walked);
    }
END_TEST

/* And then potentials stay as they were, so that some come to a dead end. */
START_TEST(agents_look_anew_when_a_wall_closes)
    {
        static struct walked walked;
        struct random random;
        int steps = 0, looks = 0;
        random_seed(&random, (uint64_t)_i + 6007);
        walked = (struct walked){ 0 };
        walked_begin(&walked, _i, &random);
        for (int step = 0; step < WALK_STEPS; step++) {
            step_walked(&walked, &steps, &looks);
            if (step % 10)
                continue;
            struct box box;
            close_somewhere(&walked.terrain, &random, &walked.agents, &box);
            trail_walk_update(&walked.walk, &box);
            trail_walk_look_anew(&walked.walk);
            trail_update(&walked.trail, &box);
            for (int i = 0; i < WALKERS; i++)
                walked.rule[i].hold.looked = -1;
        }
        walked_end(&walked);
    }
END_TEST

/* ---- whole chases ---- */

static size_t reachable(const struct terrain *terrain, size_t from,
                        struct random *random)
{
    flood(terrain, from);
    for (;;) {
        size_t cell = any_free(terrain, random);
        if (known_potential[cell] > -INFINITY)
            return cell;
    }
}

static void write_place(FILE *out, const struct grid *grid, size_t cell)
{
    int at[GRID_AXES];
    grid_cell(grid, cell, at);
    fprintf(out, "at = [%d, %d", at[0], at[1]);
    fprintf(out, grid->dims == 3 ? ", %d]" : "]", at[2]);
}

static void write_map(FILE *out, const struct terrain *terrain)
{
    const struct grid *grid = &terrain->grid;
    fprintf(out, "map = { %s = (", grid->dims == 3 ? "layers" : "rows");
    for (int z = 0; z < grid->nz; z++) {
        fprintf(out, grid->dims == 3 ? "%s(" : "", z ? "," : "");
        for (int y = 0; y < grid->ny; y++) {
            fprintf(out, "%s\"", y ? "," : "");
            for (int x = 0; x < grid->nx; x++)
                fputc(terrain->wall[grid_index(grid, x, y, z)] ? '@' : '.',
                      out);
            fputc('"', out);
        }
        fprintf(out, grid->dims == 3 ? ")" : "");
    }
    fprintf(out, "); };\n");
}

/* The number of maps in each loop, of which 90 are in 2D and 10 in 3D; the
 * environment can increase it (tests/long/pursuit.test). */
static int maps_of_each(void)
{
    const char *said = getenv("HAMON_PURSUIT_MAPS");
    return said ? atoi(said) : suite_is_long() ? 3 : 1;
}

/* Every fourth step: the values stored in the state are loaded unchanged. */
static void check_places(const struct chase_run *run)
{
    const struct agents *agents = chase_agents(run);
    for (size_t i = 0; i < agents->count; i++) {
        double at[GRID_AXES];
        agents_place(agents, i, at);
        ck_assert(motion_is_free(simulation_terrain(run->simulation), at));
    }
}

/* Areas of other speeds. */
static void write_areas(FILE *out, const struct grid *grid,
                        struct random *random)
{
    fprintf(out, "regions = (");
    for (int i = 0; i < 3; i++) {
        fprintf(out, "%s{ box = [", i ? ", " : "");
        for (int j = 0; j < 2 * grid->dims; j++) {
            const int axis = j % grid->dims;
            const int most = axis == 2 ? grid->nz : grid->nx;
            const int half = most / 2, from = j < grid->dims ? 0 : half;
            fprintf(out, "%s%d", j ? ", " : "",
                    from + (int)random_below(random, (uint64_t)half));
        }
        fprintf(out, "]; speed = %g; }", .25 + .25 * i);
    }
    fprintf(out, ");\n");
}

static void chase_on(int kind, int dims, int walls, struct random *random)
{
    enum { AGENTS = 4 };
    static const double sights[] = { 1, 1.5, 3, 8 };
    struct terrain terrain;
    char *text = NULL;
    size_t size;
    draw_map((enum map_kind)kind, dims, random, &terrain);
    FILE *out = open_memstream(&text, &size);
    size_t target = any_free(&terrain, random);
    fprintf(out, "preset = \"best\"; steps = 20000;\n");
    write_map(out, &terrain);
    if (random_below(random, 2))
        write_areas(out, &terrain.grid, random);
    fprintf(out, "wave = { walls = \"%s\"; };\ntarget = { ",
            walls ? "fixed" : "free");
    write_place(out, &terrain.grid, target);
    fprintf(out, "; };\nagents = (");
    for (int i = 0; i < AGENTS; i++) {
        fprintf(out, "%s{ ", i ? "," : "");
        write_place(out, &terrain.grid, reachable(&terrain, target, random));
        fprintf(out, "; speed = %g; }", .05 + .15 * i);
    }
    fprintf(out, ");\npursuit = { sight = %g; };\n",
            sights[random_below(random, sizeof sights / sizeof *sights)]);
    fclose(out);
    struct chase_run run = chase_start(text, 1);
    while (!simulation_ended(run.simulation)) {
        chase_step(&run);
        check_places(&run);
    }
    for (int i = 0; i < AGENTS; i++)
        ck_assert_msg(chase_agents(&run)->state[i] == AGENT_CAPTURED,
                      "agent %d of\n%s", i, text);
    chase_end(&run);
    terrain_release(&terrain);
    free(text);
}

START_TEST(all_agents_arrive)
    {
        if (_i % suite_every(1))
            return;
        struct random random;
        random_seed(&random, (uint64_t)_i + 4242);
        for (int i = 0; i < maps_of_each(); i++)
            chase_on(_i % MAP_KINDS, _i >= 90 ? 3 : 2, i % 2, &random);
    }
END_TEST

/* The first generations of an emission lead from here to one of two routes, and
 * the last ones to the other: at each emission the slow agent turned back. */
START_TEST(a_newer_emission_of_the_same_source_turns_no_agent_back)
    {
        struct chase_run run = chase_start(
            "preset = \"best\"; steps = 1000;\n"
            "map = { rows = (\"....@.......\", \"............\",\n"
            "                \"@@@.@@@@.@@.\", \"....@.......\",\n"
            "                \"....@.......\", \"....@.......\",\n"
            "                \"............\", \"............\"); };\n"
            "wave = { walls = \"fixed\"; };\n"
            "target = { at = [0, 3]; };\n"
            "agents = ( { at = [8, 3]; speed = 0.05; } );\n"
            "pursuit = { sight = 1; };\n",
            1);
        while (!simulation_ended(run.simulation))
            chase_step(&run);
        ck_assert_int_eq(chase_agents(&run)->state[0], AGENT_CAPTURED);
        chase_end(&run);
    }
END_TEST

/* Of all paths from one end of the corridor below to the other. */
static double least_round_edges(void)
{
    enum { PLACES = 200 };
    double least = INFINITY;
    for (int i = 0; i <= PLACES; i++)
        for (int j = 0; j <= PLACES; j++) {
            const double at[][GRID_AXES] = {
                { 0, 0, 0 },
                { 2.5, .5, -.5 + (double)i / PLACES },
                { 2.5 + (double)j / PLACES, 2.5, .5 },
                { 3, 3, 3 },
            };
            double length = 0;
            for (int k = 0; k < 3; k++)
                length += motion_distance(at[k], at[k + 1]);
            least = fmin(least, length);
        }
    return least;
}

/* A corridor of one cell along x, then y, then z. Over the middles of its two
 * edges the path is .9 % longer than the shortest. */
START_TEST(an_agent_goes_round_an_edge_where_the_path_is_short)
    {
        struct chase_run run = chase_start(
            "preset = \"best\"; steps = 1000;\n"
            "map = { layers = ((\"....\", \"@@@.\", \"@@@.\", \"@@@.\"),\n"
            "                  (\"@@@@\", \"@@@@\", \"@@@@\", \"@@@.\"),\n"
            "                  (\"@@@@\", \"@@@@\", \"@@@@\", \"@@@.\"),\n"
            "                  (\"@@@@\", \"@@@@\", \"@@@@\", \"@@@.\")); };\n"
            "target = { at = [3, 3, 3]; };\n"
            "agents = ( { at = [0, 0, 0]; } );\n",
            1);
        double before[GRID_AXES], at[GRID_AXES], walked = 0;
        agents_place(chase_agents(&run), 0, before);
        while (!simulation_ended(run.simulation)) {
            chase_step(&run);
            agents_place(chase_agents(&run), 0, at);
            walked += motion_distance(before, at);
            memcpy(before, at, sizeof at);
        }
        ck_assert_int_eq(chase_agents(&run)->state[0], AGENT_CAPTURED);
        walked += motion_distance(at, chase_target(&run)->at);
        ck_assert_double_le(walked, 1.004 * least_round_edges());
        chase_end(&run);
    }
END_TEST

/* ∫ds/c of agent 0's walk to the target. */
static double time_walked(struct chase_run *run)
{
    const struct terrain *terrain = simulation_terrain(run->simulation);
    enum { PARTS = 16 };
    double before[GRID_AXES], at[GRID_AXES], time = 0;
    agents_place(chase_agents(run), 0, before);
    while (chase_agents(run)->state[0] != AGENT_CAPTURED) {
        ck_assert(!simulation_ended(run->simulation));
        chase_step(run);
        agents_place(chase_agents(run), 0, at);
        if (chase_agents(run)->state[0] == AGENT_CAPTURED)
            memcpy(at, chase_target(run)->at, sizeof at);
        for (int i = 0; i < PARTS; i++) {
            double middle[GRID_AXES];
            for (int axis = 0; axis < GRID_AXES; axis++)
                middle[axis] =
                    before[axis] + (i + .5) / PARTS * (at[axis] - before[axis]);
            time += motion_distance(before, at) / PARTS /
                    terrain->speed[grid_nearest(&terrain->grid, middle)];
        }
        memcpy(before, at, sizeof at);
    }
    return time;
}

/* Strips of four rows of speed 1 and .5: a path of least time runs along their
 * borders and crosses slow ones at 60 degrees from them. By the centres of
 * cells alone an agent needs 1.033 of its time. */
START_TEST(an_agent_turns_at_borders_where_the_path_does)
    {
        struct terrain open;
        struct grid grid;
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        ck_assert(!grid_make(2, 64, 32, 1, &grid, NULL));
        ck_assert(!terrain_init(&open, &grid, NULL));
        fprintf(out, "preset = \"best\"; steps = 1000;\n");
        write_map(out, &open);
        fprintf(out, "regions = ( { box = [0, 4, 63, 7]; speed = .5; },\n"
                     "            { box = [0, 12, 63, 15]; speed = .5; },\n"
                     "            { box = [0, 20, 63, 23]; speed = .5; } );\n"
                     "target = { at = [4, 1]; };\n"
                     "agents = ( { at = [56, 26]; } );\n");
        fclose(out);
        terrain_release(&open);
        struct chase_run run = chase_start(text, 1);
        free(text);
        struct least_time *least;
        struct least_path path;
        struct error error;
        const struct terrain *terrain = simulation_terrain(run.simulation);
        ck_assert(!least_time_new(
            terrain, grid_nearest(&terrain->grid, chase_target(&run)->at),
            &least, &error));
        ck_assert(!least_time_path(least, (const double[]){ 56, 26, 0 }, &path,
                                   &error));
        const double shortest = path.time;
        least_time_release(least);
        const double time = time_walked(&run);
        ck_assert_double_lt(time, 1.015 * shortest);
        chase_end(&run);
    }
END_TEST

/* ---- emissions that wait until they are received ---- */

/* The step of the oldest of the waves' last emissions from `received` on. */
static int64_t oldest_from(const int64_t *emitted, int waves, int64_t received)
{
    int64_t oldest = INT64_MAX;
    for (int i = 0; i < waves; i++)
        if (emitted[i] >= received && emitted[i] >= 0 && emitted[i] < oldest)
            oldest = emitted[i];
    return oldest;
}

/* Of two agents, the one that has received the least. It may have received an
 * emission whose potential is not final, and which it does not follow yet. */
START_TEST(the_oldest_emission_that_an_agent_needs_is_not_replaced)
    {
        const int count[] = { 1, 3, 12, 30 }, lifetime[] = { 30, 45, 60, 40 };
        char said[1024];
        int64_t emitted[30];
        snprintf(
            said, sizeof said,
            "preset = \"best\"; steps = 3000;\n"
            "map = { rows = (\"........................................\",\n"
            "                \"@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@.\",\n"
            "                \"........................................\",\n"
            "                \".@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@\",\n"
            "                \"........................................\"); "
            "};\n"
            "wave = { count = %d; lifetime = %d; };\n"
            "target = { at = [0, 0]; motion = \"%s\"; };\n"
            "agents = ( { at = [39, 4]; }, { at = [20, 2]; } );\n",
            count[_i / 2], lifetime[_i / 2], _i % 2 ? "random" : "still");
        struct chase_run run = chase_start(said, 1);
        int64_t received[2] = { -1, -1 };
        size_t again = 0;
        memset(emitted, 0xff, sizeof emitted);
        for (;;) {
            const struct agents *agents = chase_agents(&run);
            size_t many;
            const struct simulation_emission *emissions =
                simulation_emissions(run.simulation, &many);
            for (size_t i = 0; i < many; i++) {
                int64_t *last = &emitted[emissions[i].wave];
                int64_t least = INT64_MAX;
                for (int j = 0; j < 2; j++)
                    if (agents->state[j] != AGENT_CAPTURED &&
                        received[j] < least)
                        least = received[j];
                ck_assert(*last < 0 || least >= *last ||
                          oldest_from(emitted, 30, least) != *last);
                again += *last >= 0;
                *last = simulation_step(run.simulation);
            }
            if (simulation_ended(run.simulation))
                break;
            chase_step(&run);
            const struct agent_arrivals *arrivals =
                pursuit_arrivals(simulation_pursuit(run.simulation));
            for (size_t i = 0; i < arrivals->count; i++) {
                const struct agent_arrival *arrival = &arrivals->items[i];
                /* An emission of the same step is not the one that arrived. */
                int64_t of = emitted[arrival->wave];
                if (of > received[arrival->agent])
                    received[arrival->agent] = of;
            }
        }
        ck_assert(pursuit_over(simulation_pursuit(run.simulation)));
        ck_assert_uint_gt(again, 0);
        chase_end(&run);
    }
END_TEST

/* An agent that no wave can reach does not prevent emissions. */
START_TEST(an_agent_enclosed_by_a_new_wall_stays)
    {
        struct chase_run run = chase_start(
            "preset = \"best\"; steps = 400;\n"
            "map = { rows = (\"....................\"); };\n"
            "target = { at = [0, 0]; };\n"
            "agents = ( { at = [19, 0]; } );\n"
            "events = ( { step = 70; box = [12, 0, 12, 0]; set = \"wall\"; },\n"
            "           { step = 90; box = [12, 0, 12, 0]; set = \"free\"; } "
            ");\n",
            1);
        double x = 19;
        while (!simulation_ended(run.simulation)) {
            chase_step(&run);
            int64_t step = simulation_step(run.simulation);
            double now = chase_agents(&run)->at[0][0];
            if (step > 70 && step <= 90)
                ck_assert_double_eq(now, x);
            x = now;
        }
        ck_assert_int_eq(chase_agents(&run)->state[0], AGENT_CAPTURED);
        chase_end(&run);
    }
END_TEST

START_TEST(an_agent_without_access_stops_no_emission)
    {
        struct chase_run run = chase_start(
            "preset = \"best\"; steps = 2000;\n"
            "map = { rows = (\"............@.\", \"............@@\",\n"
            "                \"..............\"); };\n"
            "wave = { count = 2; lifetime = 20; };\n"
            "target = { at = [0, 0]; motion = \"random\"; };\n"
            "agents = ( { at = [13, 0]; }, { at = [11, 2]; } );\n"
            "pursuit = { stop = \"any-captured\"; };\n",
            1);
        int64_t last = -1;
        while (!simulation_ended(run.simulation)) {
            size_t count;
            simulation_emissions(run.simulation, &count);
            if (count)
                last = simulation_step(run.simulation);
            chase_step(&run);
        }
        ck_assert_int_gt(last, 30);
        ck_assert_int_eq(chase_agents(&run)->state[1], AGENT_CAPTURED);
        ck_assert_int_eq(chase_agents(&run)->state[0], AGENT_WAITING);
        chase_end(&run);
    }
END_TEST

/* ---- a restart ---- */

/* A run that is resumed from any of its states equals the uninterrupted run. */
START_TEST(a_state_has_all_that_walkers_need)
    {
        static const char *const names[] = { "laplace", "capped-exponential" };
        char text[1024];
        snprintf(
            text, sizeof text,
            "preset = \"best\"; steps = 400;\n"
            "map = { rows = (\"..........\", \".@@@.@@@..\", \"...@......\",\n"
            "                \".@.@.@@@@.\", \".@........\"); };\n"
            "wave = { count = 2; lifetime = 25; };\n"
            "arrival = { detector = \"%s\"; };\n"
            "target = { at = [9, 4]; motion = \"random\"; speed = 0.2; };\n"
            "agents = ( { at = [0, 4]; }, { at = [3, 0]; speed = 0.05; } );\n"
            "events = ( { step = 30; box = [4, 2, 4, 2]; set = \"wall\"; },\n"
            "           { step = 60; box = [4, 2, 4, 2]; set = \"free\"; } );\n"
            "pursuit = { stop = \"never\"; };\n",
            names[_i]);
        for (int64_t at = 5; at < 100; at += 7) {
            struct chase_run run = chase_start(text, 1), other;
            struct error error;
            size_t bytes, later_bytes, other_bytes;
            chase_go_to(&run, at);
            char *state = chase_state(&run, &bytes);
            other = chase_start(text, 1);
            ck_assert(!simulation_load(other.simulation, state, &error));
            chase_go_to(&run, at + 60);
            chase_go_to(&other, at + 60);
            char *later = chase_state(&run, &later_bytes);
            char *also = chase_state(&other, &other_bytes);
            ck_assert_uint_eq(later_bytes, other_bytes);
            ck_assert_mem_eq(later, also, later_bytes);
            memory_release(state);
            memory_release(later);
            memory_release(also);
            chase_end(&run);
            chase_end(&other);
        }
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("node_walk");
    TCase *tests = tcase_create("node_walk");
    tcase_set_timeout(tests, 0);
    tcase_add_loop_test(tests, the_fall_is_the_dispersion_law_s_norm, 0, 12);
    tcase_add_loop_test(tests, the_fall_is_between_two_norms_for_every_p, 0, 4);
    tcase_add_loop_test(tests, the_fall_is_that_norm_in_3D_too, 0, 8);
    tcase_add_test(tests, the_fall_of_a_time_is_the_distance);
    tcase_add_test(tests, the_fall_is_larger_in_areas_of_slow_waves);
    tcase_add_loop_test(tests, each_cell_has_a_neighbour_with_a_larger_sum, 0,
                        8);
    tcase_add_loop_test(tests, the_choice_is_the_best_node_in_sight, 0, 12);
    tcase_add_loop_test(tests, the_choice_is_the_same_without_what_saves_time,
                        0, 24);
    tcase_add_loop_test(tests, each_next_node_has_a_larger_potential, 0, 24);
    tcase_add_loop_test(tests, an_agent_looks_once_in_each_cell, 0, 24);
    tcase_add_loop_test(tests, agents_look_anew_when_a_wall_closes, 0, 24);
    tcase_add_test(tests,
                   a_newer_emission_of_the_same_source_turns_no_agent_back);
    tcase_add_test(tests, an_agent_goes_round_an_edge_where_the_path_is_short);
    tcase_add_test(tests, an_agent_turns_at_borders_where_the_path_does);
    tcase_add_loop_test(
        tests, the_oldest_emission_that_an_agent_needs_is_not_replaced, 0, 8);
    tcase_add_test(tests, an_agent_enclosed_by_a_new_wall_stays);
    tcase_add_test(tests, an_agent_without_access_stops_no_emission);
    tcase_add_loop_test(tests, a_state_has_all_that_walkers_need, 0, 2);
    suite_add_tcase(suite, tests);
    /* A separate case, so that tests/long/pursuit.test can run it alone. */
    TCase *arrivals = tcase_create("arrivals");
    tcase_set_timeout(arrivals, 0);
    tcase_add_loop_test(arrivals, all_agents_arrive, 0, 100);
    suite_add_tcase(suite, arrivals);
    return suite_main(suite);
}
