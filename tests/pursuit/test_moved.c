/* SPDX-License-Identifier: MIT */
/* A chase does not depend on its place on the map: the same scenario moved by
 * some cells, in a larger map with walls round it, is the same chase bit for
 * bit. A mirrored scenario is the mirrored chase. */
#include "tests/pursuit/chase_runs.h"

#include <stdarg.h>

enum { WIDE = 19, HIGH = 13, DEEP = 5, STEPS = 400, AGENTS = 3 };

/* Walls on all sides, so that cells outside do not matter. */
static const char *const maps[][HIGH] = {
    { "@@@@@@@@@@@@@@@@@@@", "@.................@", "@.@@@.@@@@@.@.@@@.@",
      "@.@...@.....@...@.@", "@.@.@@@.@@@.@@@.@.@", "@...@...@.......@.@",
      "@.@@@.@@@.@@@@@.@.@", "@.@.......@.....@.@", "@.@.@@@@@.@.@@@@@.@",
      "@.@.@.....@.......@", "@.@.@.@@@@@.@@@.@.@", "@.................@",
      "@@@@@@@@@@@@@@@@@@@" },
    { "@@@@@@@@@@@@@@@@@@@", "@.................@", "@.................@",
      "@...@@@@...@@.....@", "@...@..@...@@..@..@", "@...@......@@..@..@",
      "@...@..@.......@..@", "@...@@@@..@@@@.@..@", "@..............@..@",
      "@..@@..@.@........@", "@..@@....@...@@...@", "@.................@",
      "@@@@@@@@@@@@@@@@@@@" },
};
enum { MAPS = sizeof maps / sizeof *maps };

static const int extents[GRID_AXES] = { WIDE, HIGH, DEEP };

/* The content of a cell of the map: on the middle layer one of these maps; in
 * 3D the other one is on the layer below, and the layer above is free where
 * both are free. */
static char map_at(int map, const int at[GRID_AXES])
{
    const char one = maps[map][at[1]][at[0]];
    const char other = maps[(map + 1) % MAPS][at[1]][at[0]];
    if (at[2] == 2)
        return one;
    if (at[2] == 3)
        return other;
    return at[2] == 1 && one == '.' && other == '.' ? '.' : '@';
}

/* The position of a scenario in the larger map: moved, and mirrored. In 2D the
 * values for z do not count. */
struct pose {
    int by[GRID_AXES];
    bool mirror[GRID_AXES];
};

struct text {
    char *all;
    size_t used, room;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *text,
                                                      const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(text->all + text->used, text->room - text->used,
                           format, list);
    va_end(list);
    ck_assert(length >= 0 && (size_t)length < text->room - text->used);
    text->used += (size_t)length;
}

static void put_layer(struct text *text, int map, const struct pose *pose,
                      int z)
{
    for (int y = 0; y < HIGH + 2 * pose->by[1]; y++) {
        put(text, "%s\"", y ? "," : "");
        for (int x = 0; x < WIDE + 2 * pose->by[0]; x++) {
            int at[GRID_AXES] = { x - pose->by[0], y - pose->by[1], z };
            bool in = true;
            for (int axis = 0; axis < GRID_AXES; axis++) {
                in = in && at[axis] >= 0 && at[axis] < extents[axis];
                if (pose->mirror[axis])
                    at[axis] = extents[axis] - 1 - at[axis];
            }
            put(text, "%c", in ? map_at(map, at) : '@');
        }
        put(text, "\"");
    }
}

static void put_map(struct text *text, int dims, int map,
                    const struct pose *pose)
{
    struct pose flat = *pose;
    flat.mirror[2] = false;
    put(text, dims == 3 ? "map = { layers = (" : "map = { rows = (");
    if (dims == 2)
        put_layer(text, map, &flat, 2);
    for (int z = 0; z < DEEP + 2 * pose->by[2] && dims == 3; z++) {
        put(text, "%s(", z ? "," : "");
        put_layer(text, map, pose, z - pose->by[2]);
        put(text, ")");
    }
    put(text, "); };\n");
}

static void put_place(struct text *text, int dims, const struct pose *pose,
                      double x, double y)
{
    double at[GRID_AXES] = { x, y, 2 };
    for (int axis = 0; axis < dims; axis++) {
        if (pose->mirror[axis])
            at[axis] = extents[axis] - 1 - at[axis];
        put(text, "%s%.12f", axis ? ", " : "[", at[axis] + pose->by[axis]);
    }
    put(text, "]");
}

/* A method, with the groups of the scenario that it runs with. */
struct way {
    const char *method, *rest, *pursuit;
    enum { MOVES_USUAL, MOVES_AXES, MOVES_ALL } moves;
};

struct problem {
    const struct way *way;
    const char *motion;
    int dims, map;
    bool half; /* some are half-way between two cells at first */
};

/* Waypoints and starts at decimals, at centres and half-way between cells. */
static struct chase_run run_of(const struct problem *problem,
                               const struct pose *pose)
{
    static const int moves[][3] = { { 0, 4, 8 }, { 0, 6, 26 } };
    const struct way *way = problem->way;
    const int dims = problem->dims, few = moves[dims - 2][way->moves];
    struct text text = { .room = 200000 };
    text.all = memory_new(text.room, 1);
    ck_assert_ptr_nonnull(text.all);
    put_map(&text, dims, problem->map, pose);
    put(&text, "steps = %d; target = { at = ", STEPS);
    put_place(&text, dims, pose, 15, problem->half ? 1.5 : 1.4);
    put(&text, "; motion = \"%s\"; speed = 0.1; ", problem->motion);
    if (strcmp(problem->motion, "waypoints") == 0) {
        put(&text, "waypoints = (");
        put_place(&text, dims, pose, 9.5, 1);
        put(&text, ",");
        put_place(&text, dims, pose, 1.1, 1.2);
        put(&text, ",");
        put_place(&text, dims, pose, 1, 8.5);
        put(&text, ");");
    }
    put(&text, "};\nagents = (");
    const double start[AGENTS][2] = { { 1, 11 },
                                      { 17.25, problem->half ? 9.5 : 9.6 },
                                      { 7.3, 11 } };
    for (int i = 0; i < AGENTS; i++) {
        put(&text, "%s{ at = ", i ? "," : "");
        put_place(&text, dims, pose, start[i][0], start[i][1]);
        put(&text, "; method = \"%s\"; speed = %s; }", way->method,
            i == 2 ? "0.25" : "0.15");
    }
    put(&text, ");\n%s pursuit = { %s ", way->rest, way->pursuit);
    if (few)
        put(&text, "moves = %d; ", few);
    put(&text, "};");
    struct chase_run run = chase_start(text.all, 1);
    memory_release(text.all);
    return run;
}

/* The second's position, transformed to the first's map. */
static double unposed(const struct pose *pose, int axis, double at)
{
    at -= pose->by[axis];
    return pose->mirror[axis] ? extents[axis] - 1 - at : at;
}

/* The step at which the two differ, or −1. */
static int64_t difference(const struct problem *problem,
                          const struct pose *pose)
{
    const struct pose plain = { 0 };
    struct chase_run one = run_of(problem, &plain);
    struct chase_run two = run_of(problem, pose);
    int64_t differs = -1;
    for (;;) {
        const struct agents *a = chase_agents(&one), *b = chase_agents(&two);
        const struct target *s = chase_target(&one), *t = chase_target(&two);
        bool same = simulation_ended(one.simulation) ==
                    simulation_ended(two.simulation);
        for (int axis = 0; axis < problem->dims; axis++) {
            same = same && s->at[axis] == unposed(pose, axis, t->at[axis]);
            for (size_t i = 0; i < AGENTS; i++)
                same = same && a->state[i] == b->state[i] &&
                       a->at[axis][i] == unposed(pose, axis, b->at[axis][i]);
        }
        if (!same) {
            differs = simulation_step(one.simulation);
            break;
        }
        if (simulation_ended(one.simulation))
            break;
        chase_step(&one);
        chase_step(&two);
    }
    chase_end(&one);
    chase_end(&two);
    return differs;
}

static const struct way ways[] = {
    { "wave", "preset = \"paper\"; wave = { lifetime = 60; };", "", 0 },
    { "wave", "preset = \"best\"; wave = { lifetime = 90; };", "", 0 },
    { "wave",
      "wave = { count = 1; restart = \"on-arrival\"; lifetime = 90; };"
      "arrival = { detector = \"capped-exponential\"; };",
      "", 0 },
    { "lee", "wave = { count = 2; lifetime = 60; };", "", 0 },
    { "lee", "wave = { count = 2; lifetime = 60; restart = \"received\"; };",
      "steering = \"every-step\";", 0 },
    { "dijkstra", "", "", MOVES_ALL },
    { "astar", "", "ties = \"fixed\";", MOVES_ALL },
    { "astar", "", "replan = 7;", MOVES_AXES },
    { "fast-marching", "", "", MOVES_ALL },
    { "dstar-lite", "", "", MOVES_ALL },
    { "pincer", "", "", MOVES_AXES },
    { "pincer", "", "ties = \"fixed\";", MOVES_ALL },
    { "relay", "", "", 0 },
    { "relay-complete", "", "", 0 },
    { "wave-pincer",
      "wave = { count = 1; };"
      "arrival = { detector = \"capped-exponential\"; };",
      "", 0 },
};
static const char *const motions[] = { "still", "waypoints", "random", "evade",
                                       "farthest-safe" };
enum {
    WAYS = sizeof ways / sizeof *ways,
    MOTIONS = sizeof motions / sizeof *motions
};

static void check_poses(const struct problem *problem, const struct pose *poses,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct pose *pose = &poses[i];
        int64_t differs = difference(problem, pose);
        ck_assert_msg(differs < 0,
                      "%s, %s, %dD, map %d, moved by (%d, %d, %d), mirrored "
                      "%d%d%d: another chase from step %d on",
                      problem->way->method, problem->motion, problem->dims,
                      problem->map, pose->by[0], pose->by[1], pose->by[2],
                      pose->mirror[0], pose->mirror[1], pose->mirror[2],
                      (int)differs);
    }
}

/* Relay walkers use the streets of a plane. */
static bool is_in_3d(const struct problem *problem)
{
    return strncmp(problem->way->method, "relay", 5) != 0;
}

START_TEST(a_moved_scenario_is_the_same_chase_bit_for_bit)
    {
        const struct pose poses[] = { { .by = { 1 } },
                                      { .by = { 7, 1 } },
                                      { .by = { 44, 7 } },
                                      { .by = { 0, 44 } } };
        for (int i = 0; i < MAPS * MOTIONS; i += suite_every(2)) {
            const struct problem problem = { .way = &ways[_i],
                                             .motion = motions[i % MOTIONS],
                                             .dims = 2,
                                             .map = i / MOTIONS,
                                             .half = true };
            check_poses(&problem, poses, sizeof poses / sizeof *poses);
        }
    }
END_TEST

START_TEST(a_moved_scenario_in_3d_is_the_same_chase_bit_for_bit)
    {
        const struct pose poses[] = { { .by = { 1, 0, 1 } },
                                      { .by = { 7, 1, 0 } },
                                      { .by = { 0, 0, 44 } } };
        for (int i = _i % suite_every(2); i < MOTIONS; i += suite_every(2)) {
            const struct problem problem = { .way = &ways[_i],
                                             .motion = motions[i],
                                             .dims = 3,
                                             .map = (i + _i / 2) % MAPS,
                                             .half = true };
            if (is_in_3d(&problem))
                check_poses(&problem, poses, sizeof poses / sizeof *poses);
        }
    }
END_TEST

/* Cases that cannot be equal: headings of a random target are drawn and not
 * mirrored, and an agent half-way between two cells at first counts as in the
 * upper one. */
START_TEST(a_mirrored_scenario_is_the_mirrored_chase_bit_for_bit)
    {
        const struct pose poses[] = {
            { .mirror = { true } },
            { .mirror = { false, true } },
            { .by = { 5, 2 }, .mirror = { true, true } },
        };
        for (int i = 0; i < MAPS * MOTIONS; i += suite_every(2)) {
            const struct problem problem = { .way = &ways[_i],
                                             .motion = motions[i % MOTIONS],
                                             .dims = 2,
                                             .map = i / MOTIONS };
            if (strcmp(problem.motion, "random") != 0)
                check_poses(&problem, poses, sizeof poses / sizeof *poses);
        }
    }
END_TEST

START_TEST(a_mirrored_scenario_in_3d_is_the_mirrored_chase_bit_for_bit)
    {
        const struct pose poses[] = {
            { .mirror = { false, false, true } },
            { .by = { 1, 2, 3 }, .mirror = { true, true, true } },
        };
        for (int i = _i % suite_every(2); i < MOTIONS; i += suite_every(2)) {
            const struct problem problem = { .way = &ways[_i],
                                             .motion = motions[i],
                                             .dims = 3,
                                             .map = (i + _i / 2) % MAPS };
            if (is_in_3d(&problem) && strcmp(problem.motion, "random") != 0)
                check_poses(&problem, poses, sizeof poses / sizeof *poses);
        }
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("moved");
    TCase *tests = tcase_create("moved");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, a_moved_scenario_is_the_same_chase_bit_for_bit,
                        0, WAYS);
    tcase_add_loop_test(
        tests, a_mirrored_scenario_is_the_mirrored_chase_bit_for_bit, 0, WAYS);
    tcase_add_loop_test(
        tests, a_moved_scenario_in_3d_is_the_same_chase_bit_for_bit, 0, WAYS);
    tcase_add_loop_test(
        tests, a_mirrored_scenario_in_3d_is_the_mirrored_chase_bit_for_bit, 0,
        WAYS);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
