/* SPDX-License-Identifier: MIT */
#include "base/random.h"
#include "pursuit/heading_walk.h"
#include "pursuit/motion.h"
#include "pursuit/oldest_first.h"
#include "tests/search/search_maps.h"
#include "tests/suite.h"
#include "wave/arrival/arrival.h" /* heading_unit */

static struct terrain yard(void)
{
    static const char *const rows[] = {
        ".....", ".....", "...@.", ".....", ".....",
    };
    return terrain_of_rows(rows, 5);
}

static void expect(const double at[GRID_AXES], double x, double y)
{
    ck_assert_double_eq_tol(at[0], x, 1e-9);
    ck_assert_double_eq_tol(at[1], y, 1e-9);
    ck_assert_double_eq(at[2], 0);
}

START_TEST(a_free_step_is_along_the_heading)
    {
        struct terrain terrain = yard();
        double at[GRID_AXES] = { 1, 1, 0 };
        ck_assert(motion_step(&terrain, at, (double[]){ .6, .8, 0 }, .5));
        expect(at, 1.3, 1.4);
        terrain_release(&terrain);
    }
END_TEST

static bool is_multiple(double x)
{
    return ldexp(x, 30) == rint(ldexp(x, 30));
}

START_TEST(a_displacement_is_rounded_to_multiples_of_2_to_the_minus_30)
    {
        struct random random;
        random_seed(&random, 30);
        for (int i = 0; i < 10000; i++) {
            double way = ldexp(random_unit(&random) - .5, i % 22);
            double rounded = motion_round(way);
            ck_assert(is_multiple(rounded));
            ck_assert_double_le(fabs(rounded - way), 0x1p-31);
            ck_assert_double_eq(motion_round(-way), -rounded);
            ck_assert_double_eq(motion_round_place(way), rounded);
        }
        ck_assert_double_eq(motion_round(.75 * 0x1p-30), 0x1p-30);
        ck_assert_double_eq(motion_round(.25 * 0x1p-30), 0);
        ck_assert_double_eq(motion_round_place(4194303.3),
                            rint(4194303.3 * 0x1p30) * 0x1p-30);
    }
END_TEST

/* From any corner of the largest axis the same displacements have the same
 * sum. */
START_TEST(a_walk_does_not_depend_on_its_start)
    {
        const double heading[GRID_AXES] = { .6, .8, 0 };
        struct random random;
        random_seed(&random, 1);
        struct terrain terrain = terrain_of_chance(&random, 2, 90, 90, 1, 0, 0);
        double here[GRID_AXES] = { 1. / 4, 1, 0 };
        double there[GRID_AXES] = { 30 + 1. / 4, 18, 0 };
        double far = MOTION_CELLS_MOST - 40;
        for (int i = 0; i < 80; i++) {
            ck_assert(motion_step(&terrain, here, heading, .3));
            ck_assert(motion_step(&terrain, there, heading, .3));
            far += motion_round(.3 * heading[0]);
            ck_assert_double_eq(there[0] - here[0], 30);
            ck_assert_double_eq(there[1] - here[1], 17);
            ck_assert_double_eq(far - (MOTION_CELLS_MOST - 40), here[0] - .25);
        }
        terrain_release(&terrain);
    }
END_TEST

START_TEST(a_position_is_free_up_to_the_outermost_centres)
    {
        struct terrain terrain = yard();
        const struct {
            double x, y;
            bool free;
        } cases[] = {
            { 0, 0, true },       { 4, 4, true },
            { -1e-9, 0, false },  { 4 + 1e-9, 0, false },
            { 0, -1e-9, false },  { 0, 4 + 1e-9, false },
            { 2.5, 2, true },     { 2.5001, 2, false },
            { 3.4999, 2, false }, { 3.5, 2, true },
            { 3, 1.5, true },     { 3, 1.5001, false },
            { 2.5, 1.5, true },   { NAN, 1, false },
            { 1, NAN, false },    { INFINITY, 1, false },
        };
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
            ck_assert_msg(
                motion_is_free(&terrain, (double[]){ cases[i].x, cases[i].y,
                                                     0 }) == cases[i].free,
                "(%g, %g)", cases[i].x, cases[i].y);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(a_blocked_step_takes_the_larger_component_at_its_own_length)
    {
        struct terrain terrain = yard();
        /* Both ends (2.7, 1.9) and (2.7, 1.6) are in the wall's cell; only the
         * second component is free. */
        double at[GRID_AXES] = { 2.3, 1.6, 0 };
        ck_assert(motion_step(&terrain, at, (double[]){ .8, .6, 0 }, .5));
        expect(at, 2.3, 1.9);
        /* Here both components are free: the larger one is taken. */
        double corner[GRID_AXES] = { 2.3, 1.3, 0 };
        ck_assert(motion_step(&terrain, corner, (double[]){ .8, .6, 0 }, .5));
        expect(corner, 2.7, 1.3);
        double other[GRID_AXES] = { 2.3, 1.3, 0 };
        ck_assert(motion_step(&terrain, other, (double[]){ .6, .8, 0 }, .5));
        expect(other, 2.3, 1.7);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(equal_components_are_tried_x_first_then_y_then_z)
    {
        struct terrain terrain = yard();
        double at[GRID_AXES] = { 2.4, 1.4, 0 };
        double diagonal[GRID_AXES] = { sqrt(.5), sqrt(.5), 0 };
        ck_assert(motion_step(&terrain, at, diagonal, .3));
        expect(at, 2.4 + .3 * sqrt(.5), 1.4);
        terrain_release(&terrain);

        struct grid grid;
        struct terrain cube;
        ck_assert_int_eq(grid_make(3, 3, 3, 3, &grid, NULL), STATUS_OK);
        ck_assert_int_eq(terrain_init(&cube, &grid, NULL), STATUS_OK);
        cube.wall[grid_index(&grid, 1, 1, 1)] = 1;
        double s = sqrt(1. / 3);
        double space[GRID_AXES] = { .4, .4, .4 };
        ck_assert(motion_step(&cube, space, (double[]){ s, s, s }, .3));
        ck_assert_double_eq_tol(space[0], .4 + .3 * s, 1e-9);
        ck_assert_double_eq(space[1], .4);
        ck_assert_double_eq(space[2], .4);
        cube.wall[grid_index(&grid, 1, 0, 0)] = 1;
        double up[GRID_AXES] = { .4, .4, .4 };
        ck_assert(motion_step(&cube, up, (double[]){ s, s, s }, .3));
        ck_assert_double_eq(up[0], .4);
        ck_assert_double_eq_tol(up[1], .4 + .3 * s, 1e-9);
        cube.wall[grid_index(&grid, 0, 1, 0)] = 1;
        double last[GRID_AXES] = { .4, .4, .4 };
        ck_assert(motion_step(&cube, last, (double[]){ s, s, s }, .3));
        ck_assert_double_eq(last[1], .4);
        ck_assert_double_eq_tol(last[2], .4 + .3 * s, 1e-9);
        terrain_release(&cube);
    }
END_TEST

START_TEST(an_agent_blocked_in_all_directions_stays)
    {
        static const char *const rows[] = { "...", ".@@", ".@." };
        struct terrain terrain = terrain_of_rows(rows, 3);
        double pressed[GRID_AXES] = { 1.6, 2, 0 };
        ck_assert(
            !motion_step(&terrain, pressed, (double[]){ -.8, .6, 0 }, .5));
        expect(pressed, 1.6, 2);
        /* A component of length 0 is not used. */
        double ahead[GRID_AXES] = { 1.6, 2, 0 };
        ck_assert(!motion_step(&terrain, ahead, (double[]){ -1, 0, 0 }, .5));
        expect(ahead, 1.6, 2);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(a_nan_component_makes_no_step)
    {
        struct grid grid;
        struct terrain cube;
        ck_assert(!grid_make(3, 4, 4, 4, &grid, NULL));
        ck_assert_int_eq(terrain_init(&cube, &grid, NULL), STATUS_OK);
        for (int axis = 0; axis < GRID_AXES; axis++) {
            double at[GRID_AXES] = { 1, 1, 1 }, heading[GRID_AXES] = { 0 };
            const int other = (axis + 1) % GRID_AXES;
            heading[axis] = NAN;
            heading[other] = 1;
            bool moved = motion_step(&cube, at, heading, .3);
            ck_assert_double_eq(at[axis], 1);
            ck_assert_double_eq(at[other], moved ? 1 + motion_round(.3) : 1);
        }
        terrain_release(&cube);
    }
END_TEST

START_TEST(the_edge_of_the_map_blocks_like_a_wall)
    {
        struct terrain terrain = yard();
        double at[GRID_AXES] = { 3.9, 3.5, 0 };
        ck_assert(motion_step(&terrain, at, (double[]){ .8, .6, 0 }, .5));
        expect(at, 3.9, 3.8);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(an_agent_enclosed_in_a_wall_stays_inside_and_may_leave)
    {
        struct terrain terrain = yard();
        double deep[GRID_AXES] = { 3, 2, 0 };
        ck_assert(!motion_step(&terrain, deep, (double[]){ 1, 0, 0 }, .15));
        expect(deep, 3, 2);
        double near_edge[GRID_AXES] = { 3.4, 2, 0 };
        ck_assert(motion_step(&terrain, near_edge, (double[]){ 1, 0, 0 }, .15));
        expect(near_edge, 3.55, 2);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(distance_is_euclidean_in_all_axes)
    {
        ck_assert_double_eq(
            motion_distance((double[]){ 1, 2, 3 }, (double[]){ 3, 5, 9 }), 7);
    }
END_TEST

static double draw(struct random *random, double low, double high)
{
    return low + (high - low) * random_unit(random);
}

enum { CROWD = 400 };

/* Anywhere in the map, in walls and at its edges too, in every state; some
 * headings are along an axis. */
static void scatter(struct agents *agents, const struct grid *grid,
                    struct random *random)
{
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    for (size_t i = 0; i < agents->count; i++) {
        double way[GRID_AXES] = { 0 }, heading[GRID_AXES];
        for (int axis = 0; axis < grid->dims; axis++) {
            double at = draw(random, 0, extent[axis] - 1);
            agents->at[axis][i] = motion_round_place(at);
            if (random_below(random, 4) == 0) /* or between two cells */
                agents->at[axis][i] = fmin(floor(at) + .5, extent[axis] - 1);
            way[axis] = random_below(random, 4) ? draw(random, -1, 1) : 0;
        }
        if (heading_unit(way, heading))
            for (int axis = 0; axis < GRID_AXES; axis++)
                agents->heading[axis][i] = heading[axis];
        agents->state[i] = (int8_t)random_below(random, 4);
    }
}

/* One agent by the plain rule; its new position is stored in `at`. */
static int8_t walk_plainly(const struct agents *agents, size_t agent,
                           const struct terrain *terrain, bool retry,
                           double at[GRID_AXES])
{
    const double heading[GRID_AXES] = { agents->heading[0][agent],
                                        agents->heading[1][agent],
                                        agents->heading[2][agent] };
    const struct agent_settings *settings = agents->settings[agent];
    int8_t state = agents->state[agent];
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = agents->at[axis][agent];
    if (settings->method == METHOD_ASTAR || state == AGENT_WAITING ||
        state == AGENT_CAPTURED || (state == AGENT_STUCK && !retry))
        return state;
    return motion_step(terrain, at, heading, settings->speed) ? AGENT_MOVING
                                                              : AGENT_STUCK;
}

START_TEST(a_crowd_walks_as_each_single_agent_bit_for_bit)
    {
        char names[][2] = { "a", "b", "c" };
        const struct agent_settings entries[] = {
            { .name = names[0], .count = CROWD / 2, .speed = .15 },
            { .name = names[1],
              .count = CROWD,
              .method = METHOD_LEE,
              .speed = .5 },
            { .name = names[2],
              .count = 9,
              .method = METHOD_ASTAR,
              .speed = .5 },
        };
        struct random random;
        random_seed(&random, 2021);
        for (int round = 0; round < 40; round++) {
            int dims = 2 + round % 2;
            struct terrain terrain = terrain_of_chance(
                &random, dims, 11, 13, dims == 3 ? 9 : 1, .3, 0);
            bool retry = round % 4 < 2;
            struct agents agents;
            struct heading_walk *walk;
            struct error error;
            double at[CROWD * 2][GRID_AXES];
            int8_t state[CROWD * 2];
            ck_assert(!agents_init(&agents, entries, 3, &error));
            ck_assert(
                !heading_walk_new(&agents, &terrain, true, &walk, &error));
            scatter(&agents, &terrain.grid, &random);
            for (size_t i = 0; i < agents.count; i++)
                state[i] = walk_plainly(&agents, i, &terrain, retry, at[i]);
            heading_walk_move(walk, retry);
            for (size_t i = 0; i < agents.count; i++) {
                ck_assert_int_eq(agents.state[i], state[i]);
                for (int axis = 0; axis < GRID_AXES; axis++)
                    ck_assert(agents.at[axis][i] == at[i][axis]);
            }
            heading_walk_release(walk);
            agents_release(&agents);
            terrain_release(&terrain);
        }
    }
END_TEST

/* The two implementations of the rule: the one for the plane without branches,
 * and the one for any axes in turn, which is used if agents share the world
 * with others. */
START_TEST(in_the_plane_the_rule_is_that_of_any_axes_bit_for_bit)
    {
        struct random random;
        random_seed(&random, 5);
        size_t blocked = 0, stuck = 0;
        for (int round = 0; round < 20; round++) {
            struct terrain terrain =
                terrain_of_chance(&random, 2, 11, 13, 1, .4, 0);
            struct share share = share_whole(&terrain.grid);
            for (int i = 0; i < 500; i++) {
                double way[GRID_AXES] = { 0 }, heading[GRID_AXES];
                double at[GRID_AXES] = { floor(2 * draw(&random, 0, 10)) / 2,
                                         draw(&random, 0, 12) };
                for (int axis = 0; axis < 2; axis++)
                    way[axis] =
                        random_below(&random, 4) ? draw(&random, -1, 1) : 0;
                if (random_below(&random, 8) == 0)
                    way[1] = random_below(&random, 2) ? way[0] : -way[0];
                if (!motion_is_free(&terrain, at) ||
                    !heading_unit(way, heading))
                    continue;
                double other[GRID_AXES] = { at[0], at[1], 0 };
                double end[GRID_AXES] = { at[0] + .5 * heading[0],
                                          at[1] + .5 * heading[1] };
                bool moved = motion_step(&terrain, at, heading, .5);
                ck_assert_int_eq(moved, motion_step_shared(&terrain, &share,
                                                           other, heading, .5));
                ck_assert_mem_eq(at, other, sizeof at);
                blocked += !motion_is_free(&terrain, end);
                stuck += !moved;
            }
            terrain_release(&terrain);
        }
        ck_assert_uint_gt(blocked, 1000);
        ck_assert_uint_gt(stuck, 100);
    }
END_TEST

START_TEST(waves_are_received_oldest_first_and_equals_by_number)
    {
        const int64_t emitted[] = { 300, -1, 200, 300, 100, 200 };
        const int expected[] = { 1, 4, 2, 5, 0, 3 };
        int order[6];
        oldest_first(emitted, 6, order);
        ck_assert_mem_eq(order, expected, sizeof expected);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("motion");
    TCase *tests = tcase_create("motion");
    tcase_add_test(tests, a_free_step_is_along_the_heading);
    tcase_add_test(tests,
                   a_displacement_is_rounded_to_multiples_of_2_to_the_minus_30);
    tcase_add_test(tests, a_walk_does_not_depend_on_its_start);
    tcase_add_test(tests, a_position_is_free_up_to_the_outermost_centres);
    tcase_add_test(tests,
                   a_blocked_step_takes_the_larger_component_at_its_own_length);
    tcase_add_test(tests, equal_components_are_tried_x_first_then_y_then_z);
    tcase_add_test(tests, an_agent_blocked_in_all_directions_stays);
    tcase_add_test(tests, a_nan_component_makes_no_step);
    tcase_add_test(tests, the_edge_of_the_map_blocks_like_a_wall);
    tcase_add_test(tests,
                   an_agent_enclosed_in_a_wall_stays_inside_and_may_leave);
    tcase_add_test(tests, distance_is_euclidean_in_all_axes);
    tcase_add_test(tests, a_crowd_walks_as_each_single_agent_bit_for_bit);
    tcase_add_test(tests,
                   in_the_plane_the_rule_is_that_of_any_axes_bit_for_bit);
    tcase_add_test(tests, waves_are_received_oldest_first_and_equals_by_number);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
