/* SPDX-License-Identifier: MIT */
#include "search/exact.h"
#include "search/search.h"
#include "search/sight.h"

#include "tests/search/search_maps.h"
#include "tests/suite.h"

/* ---- brute force: every pair of corners, every wall, integers ---- */

enum { POINTS_MOST = 900, SIDE_MOST = 26 };

struct point {
    int x, y; /* doubled */
};

struct graph {
    const struct terrain *terrain;
    struct point point[POINTS_MOST]; /* the source, then all corners */
    double distance[POINTS_MOST];
    int count;
};

static bool wall_at(const struct terrain *terrain, int x, int y)
{
    return !grid_holds(&terrain->grid, x, y, 0) ||
           terrain->wall[grid_index(&terrain->grid, x, y, 0)];
}

static int walls_round(const struct terrain *terrain, int i, int j)
{
    return wall_at(terrain, i - 1, j - 1) + wall_at(terrain, i, j - 1) +
           wall_at(terrain, i - 1, j) + wall_at(terrain, i, j);
}

static int side_of(struct point a, struct point b, int x, int y)
{
    int cross = (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
    return (cross > 0) - (cross < 0);
}

/* Does a–b pass through the open square of the wall (x, y)? */
static bool pierces(struct point a, struct point b, int x, int y)
{
    if ((a.x <= 2 * x - 1 && b.x <= 2 * x - 1) ||
        (a.x >= 2 * x + 1 && b.x >= 2 * x + 1) ||
        (a.y <= 2 * y - 1 && b.y <= 2 * y - 1) ||
        (a.y >= 2 * y + 1 && b.y >= 2 * y + 1))
        return false;
    int low = 1, high = -1;
    for (int k = 0; k < 4; k++) {
        int side =
            side_of(a, b, 2 * x + (k & 1 ? 1 : -1), 2 * y + (k & 2 ? 1 : -1));
        low = side < low ? side : low;
        high = side > high ? side : high;
    }
    return low < 0 && high > 0;
}

static bool strictly_between(struct point a, struct point b, int x, int y)
{
    if (side_of(a, b, x, y) != 0)
        return false;
    long long dot =
        (long long)(x - a.x) * (x - b.x) + (long long)(y - a.y) * (y - b.y);
    return dot < 0;
}

static bool sees(const struct terrain *terrain, struct point a, struct point b)
{
    const struct grid *grid = &terrain->grid;
    for (int y = -1; y <= grid->ny; y++)
        for (int x = -1; x <= grid->nx; x++)
            if (wall_at(terrain, x, y) && pierces(a, b, x, y))
                return false;
    for (int j = 0; j <= grid->ny; j++)
        for (int i = 0; i <= grid->nx; i++) {
            bool two =
                wall_at(terrain, i, j) == wall_at(terrain, i - 1, j - 1) &&
                wall_at(terrain, i - 1, j) == wall_at(terrain, i, j - 1) &&
                walls_round(terrain, i, j) == 2;
            if (two && strictly_between(a, b, 2 * i - 1, 2 * j - 1))
                return false;
        }
    /* Along a line of the lattice: one side must be free along the whole
     * segment. */
    if (a.x == b.x && (a.x & 1))
        for (int y = (a.y < b.y ? a.y : b.y) + 1; y < (a.y > b.y ? a.y : b.y);
             y++)
            if (y % 2 == 0 && wall_at(terrain, (a.x - 1) / 2, y / 2) &&
                wall_at(terrain, (a.x + 1) / 2, y / 2))
                return false;
    if (a.y == b.y && (a.y & 1))
        for (int x = (a.x < b.x ? a.x : b.x) + 1; x < (a.x > b.x ? a.x : b.x);
             x++)
            if (x % 2 == 0 && wall_at(terrain, x / 2, (a.y - 1) / 2) &&
                wall_at(terrain, x / 2, (a.y + 1) / 2))
                return false;
    return true;
}

static double span(struct point a, struct point b)
{
    return 0.5 * hypot(a.x - b.x, a.y - b.y);
}

static void graph_solve(struct graph *graph, const struct terrain *terrain,
                        struct point source)
{
    bool done[POINTS_MOST] = { false };
    graph->terrain = terrain;
    graph->point[0] = source;
    graph->count = 1;
    for (int j = 0; j <= terrain->grid.ny; j++)
        for (int i = 0; i <= terrain->grid.nx; i++)
            if (walls_round(terrain, i, j) == 1)
                graph->point[graph->count++] =
                    (struct point){ 2 * i - 1, 2 * j - 1 };
    for (int i = 0; i < graph->count; i++)
        graph->distance[i] = i ? INFINITY : 0;
    for (;;) {
        int best = -1;
        for (int i = 0; i < graph->count; i++)
            if (!done[i] && isfinite(graph->distance[i]) &&
                (best < 0 || graph->distance[i] < graph->distance[best]))
                best = i;
        if (best < 0)
            return;
        done[best] = true;
        for (int i = 0; i < graph->count; i++) {
            double next = graph->distance[best] +
                          span(graph->point[best], graph->point[i]);
            if (next < graph->distance[i] &&
                sees(terrain, graph->point[best], graph->point[i]))
                graph->distance[i] = next;
        }
    }
}

static double graph_distance(const struct graph *graph, struct point at)
{
    double best = INFINITY;
    for (int i = 0; i < graph->count; i++) {
        double next = graph->distance[i] + span(graph->point[i], at);
        if (next < best && sees(graph->terrain, graph->point[i], at))
            best = next;
    }
    return best;
}

/* The next turn must be in sight, and on a shortest path. */
static void assert_next(const struct graph *graph, const struct exact *exact,
                        size_t cell, struct point at, double best)
{
    double next[2];
    ck_assert(exact_next(exact, cell, next));
    struct point turn = { (int)lrint(2 * next[0]), (int)lrint(2 * next[1]) };
    ck_assert(sees(graph->terrain, at, turn));
    double rest = INFINITY;
    for (int i = 0; i < graph->count; i++)
        if (graph->point[i].x == turn.x && graph->point[i].y == turn.y)
            rest = fmin(rest, graph->distance[i]);
    ck_assert_double_le(fabs(rest + span(at, turn) - best), 1e-8);
}

/* Another heading whose path is longer by at most the tolerance: tested for all
 * points in sight. If one is reported it must exist, and an exact tie must be
 * reported. */
static void assert_cut(const struct graph *graph, const struct exact *exact,
                       size_t cell, struct point at, double best)
{
    double next[2], other = INFINITY;
    exact_next(exact, cell, next);
    double ux = 2 * next[0] - at.x, uy = 2 * next[1] - at.y;
    for (int i = 0; i < graph->count; i++) {
        double vx = graph->point[i].x - at.x, vy = graph->point[i].y - at.y;
        if ((ux * vy == uy * vx && ux * vx + uy * vy > 0) ||
            !sees(graph->terrain, at, graph->point[i]))
            continue;
        other = fmin(other, graph->distance[i] + span(at, graph->point[i]));
    }
    if (exact_on_cut(exact, cell, 0.5))
        ck_assert_double_le(other, best + 0.5 + 1e-8);
    if (other <= best + 1e-9)
        ck_assert(exact_on_cut(exact, cell, 1e-8));
}

static void assert_exact(const struct terrain *terrain, size_t source)
{
    static struct graph graph;
    struct exact *exact;
    int at[GRID_AXES];
    ck_assert_int_eq(exact_new(terrain, &exact, NULL), STATUS_OK);
    ck_assert(exact_solve(exact, source));
    grid_cell(&terrain->grid, source, at);
    struct point from = { 2 * at[0], 2 * at[1] };
    graph_solve(&graph, terrain, from);
    for (size_t cell = 0; cell < grid_cells(&terrain->grid); cell++) {
        grid_cell(&terrain->grid, cell, at);
        struct point to = { 2 * at[0], 2 * at[1] };
        double best =
            terrain->wall[cell] ? INFINITY : graph_distance(&graph, to);
        double got = exact_distance(exact, cell);
        if (isinf(best)) {
            ck_assert(isinf(got));
            ck_assert_uint_eq(exact_path(exact, cell, NULL, 0), 0);
            continue;
        }
        ck_assert_msg(fabs(got - best) <= 1e-8, "(%d, %d): %.10g, not %.10g",
                      at[0], at[1], got, best);
        if (cell == source)
            continue;
        assert_next(&graph, exact, cell, to, best);
        assert_cut(&graph, exact, cell, to, best);
        double points[POINTS_MOST][2], length = 0;
        size_t count = exact_path(exact, cell, points, POINTS_MOST);
        for (size_t i = 1; i < count; i++)
            length += hypot(points[i][0] - points[i - 1][0],
                            points[i][1] - points[i - 1][1]);
        ck_assert_double_le(fabs(length - best), 1e-8);
    }
    exact_release(exact);
}

START_TEST(exact_distances_are_those_of_the_whole_visibility_graph)
    {
        struct random random;
        random_seed(&random, 2013 + (uint64_t)_i);
        for (int round = 0; round < 120; round++) {
            int nx = 1 + (int)random_below(&random, 12);
            int ny = 1 + (int)random_below(&random, 12);
            struct terrain terrain =
                terrain_of_chance(&random, 2, nx, ny, 1, 0.05 + 0.15 * _i, 0);
            terrain.wall[0] = 0;
            assert_exact(&terrain, free_cell(&terrain, &random));
            terrain_release(&terrain);
        }
    }
END_TEST

/* Long walls, flush edges and narrow passages between them. */
START_TEST(exact_distances_are_right_among_blocks)
    {
        struct random random;
        random_seed(&random, 77);
        for (int round = 0; round < 25; round++) {
            struct terrain terrain =
                terrain_of_chance(&random, 2, SIDE_MOST, 19, 1, 0, 0);
            for (int i = 0; i < 12; i++) {
                struct terrain_change change = { .kind = CHANGE_WALL };
                int x = (int)random_below(&random, 22);
                int y = (int)random_below(&random, 15);
                change.box.low[0] = x;
                change.box.low[1] = y;
                change.box.high[0] = x + (int)random_below(&random, 4);
                change.box.high[1] = y + (int)random_below(&random, 4);
                terrain_apply(&terrain, &change);
            }
            assert_exact(&terrain, free_cell(&terrain, &random));
            terrain_release(&terrain);
        }
    }
END_TEST

START_TEST(no_path_squeezes_between_walls_that_touch)
    {
        struct terrain terrain = terrain_of_rows(
            (const char *const[]){ "..@..", "..@..", "@@...", "....." }, 4);
        struct exact *exact;
        exact_new(&terrain, &exact, NULL);
        ck_assert(exact_solve(exact, 0));
        ck_assert(isfinite(exact_distance(exact, 6)));
        ck_assert(isinf(exact_distance(exact, 12)));
        exact_release(exact);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(a_path_turns_at_the_corner_of_a_wall)
    {
        /* From (0, 0) to (2, 2) round a wall on (1, 1): by (1.5, .5). */
        struct terrain terrain =
            terrain_of_rows((const char *const[]){ "...", ".@.", "..." }, 3);
        struct exact *exact;
        double next[2];
        exact_new(&terrain, &exact, NULL);
        ck_assert(exact_solve(exact, 0));
        ck_assert_double_eq_tol(exact_distance(exact, 8), sqrt(10), 1e-14);
        ck_assert(exact_next(exact, 8, next));
        ck_assert(next[0] + next[1] == 2);
        ck_assert(exact_on_cut(exact, 8, 1e-9));
        ck_assert(!exact_on_cut(exact, 5, 0.5));
        ck_assert(exact_near_corner(exact, 8, 2));
        ck_assert(!exact_near_corner(exact, 8, 1.5));
        ck_assert(!exact_near_corner(exact, 2, 2)); /* sees the source */
        ck_assert(exact_next(exact, 2, next));
        ck_assert(next[0] == 0 && next[1] == 0);
        ck_assert(!exact_next(exact, 0, next));
        ck_assert(!exact_next(exact, 4, next));
        ck_assert_uint_eq(exact_path(exact, 0, NULL, 0), 1);
        ck_assert_uint_eq(exact_path(exact, 8, NULL, 0), 3);
        ck_assert(!exact_solve(exact, 4));
        ck_assert(!exact_solve(exact, 9));
        ck_assert(isinf(exact_distance(exact, 0)));
        exact_release(exact);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(exact_is_at_most_eight_moves_is_at_most_four)
    {
        struct random random;
        random_seed(&random, 31);
        for (int round = 0; round < 12; round++) {
            struct terrain terrain = terrain_of_chance(&random, 2, 60, 50, 1,
                                                       0.05 + 0.03 * round, 0);
            struct passages *four, *eight;
            struct search_workspace *astar4, *astar8;
            struct exact *exact;
            passages_new(&terrain, 4, MEASURE_LENGTH, &four, NULL);
            passages_new(&terrain, 8, MEASURE_LENGTH, &eight, NULL);
            const struct search *astar = search_find("astar");
            search_workspace_new(astar, four, &terrain, &astar4, NULL);
            search_workspace_new(astar, eight, &terrain, &astar8, NULL);
            exact_new(&terrain, &exact, NULL);
            size_t source = free_cell(&terrain, &random);
            exact_solve(exact, source);
            for (int i = 0; i < 200; i++) {
                struct search_query query = { free_cell(&terrain, &random),
                                              source, NULL };
                struct search_result result4, result8;
                bool found = search_run(astar4, &query, &result4);
                /* A diagonal may be walked in two steps: the same cells. */
                ck_assert_int_eq(found, search_run(astar8, &query, &result8));
                ck_assert_int_eq(
                    found, isfinite(exact_distance(exact, query.from)) != 0);
                if (!found)
                    continue;
                ck_assert_double_le(exact_distance(exact, query.from),
                                    result8.length + 1e-9);
                ck_assert_double_le(result8.length, result4.length + 1e-9);
            }
            exact_release(exact);
            search_workspace_release(astar4);
            search_workspace_release(astar8);
            passages_release(four);
            passages_release(eight);
            terrain_release(&terrain);
        }
    }
END_TEST

/* Distances that are cut off as too late matter only on large maps: the path
 * and its reverse are swept from different roots. */
START_TEST(the_reverse_path_is_as_long_on_large_maps)
    {
        struct random random;
        random_seed(&random, 55);
        for (int round = 0; round < 6; round++) {
            struct terrain terrain = terrain_of_chance(&random, 2, 150, 130, 1,
                                                       0.02 + 0.06 * round, 0);
            struct exact *there, *back;
            exact_new(&terrain, &there, NULL);
            exact_new(&terrain, &back, NULL);
            size_t source = free_cell(&terrain, &random);
            exact_solve(there, source);
            for (int i = 0; i < 25; i++) {
                size_t goal = free_cell(&terrain, &random);
                double one = exact_distance(there, goal);
                exact_solve(back, goal);
                double two = exact_distance(back, source);
                ck_assert(one == two || fabs(one - two) < 1e-8);
                /* No detour over a third cell is shorter. */
                for (int k = 0; k < 50; k++) {
                    size_t over = free_cell(&terrain, &random);
                    double detour = exact_distance(there, over) +
                                    exact_distance(back, over);
                    ck_assert(isinf(detour) || one <= detour + 1e-8);
                }
            }
            exact_release(there);
            exact_release(back);
            terrain_release(&terrain);
        }
    }
END_TEST

START_TEST(sight_is_that_computed_with_integers)
    {
        struct random random;
        random_seed(&random, 6);
        int seen[2] = { 0 };
        for (int round = 0; round < 20000; round++) {
            struct terrain terrain = terrain_of_chance(
                &random, 2, 1 + (int)random_below(&random, 7),
                1 + (int)random_below(&random, 7), 1, 0.25, 0);
            struct point ends[2];
            double at[2][GRID_AXES] = { { 0, 0, 9 }, { 0, 0, -3 } };
            for (int k = 0; k < 2; k++) {
                int cell[GRID_AXES];
                terrain.wall[0] = 0;
                grid_cell(&terrain.grid, free_cell(&terrain, &random), cell);
                ends[k] = (struct point){ 2 * cell[0], 2 * cell[1] };
                /* A corner in half of the cases, else a cell. */
                int i =
                    (int)random_below(&random, (uint64_t)terrain.grid.nx + 1);
                int j =
                    (int)random_below(&random, (uint64_t)terrain.grid.ny + 1);
                if (walls_round(&terrain, i, j) == 1)
                    ends[k] = (struct point){ 2 * i - 1, 2 * j - 1 };
                at[k][0] = 0.5 * ends[k].x;
                at[k][1] = 0.5 * ends[k].y;
            }
            bool expected = sees(&terrain, ends[0], ends[1]);
            ck_assert_int_eq(search_in_sight(&terrain, at[0], at[1]), expected);
            ck_assert_int_eq(search_in_sight(&terrain, at[1], at[0]), expected);
            seen[expected]++;
            terrain_release(&terrain);
        }
        ck_assert_int_gt(seen[0], 2000);
        ck_assert_int_gt(seen[1], 2000);
    }
END_TEST

START_TEST(sight_in_3d_is_blocked_by_walls_and_squeezed_edges)
    {
        struct grid grid;
        struct terrain terrain;
        grid_make(3, 4, 4, 4, &grid, NULL);
        terrain_init(&terrain, &grid, NULL);
        const double a[] = { 0, 0, 0 }, b[] = { 3, 3, 3 }, c[] = { 3, 2, 1 };
        const double outside[] = { 3, 3, 4 };
        ck_assert(search_in_sight(&terrain, a, b));
        ck_assert(search_in_sight(&terrain, a, c));
        ck_assert(!search_in_sight(&terrain, a, outside));
        terrain.wall[grid_index(&grid, 2, 1, 1)] = 1; /* a corner is touched */
        ck_assert(search_in_sight(&terrain, a, b));
        ck_assert(search_in_sight(&terrain, b, a));
        const double d[] = { 0, 1, 1 }, e[] = { 3, 1, 1 };
        ck_assert(!search_in_sight(&terrain, d, e)); /* a wall is pierced */
        terrain.wall[grid_index(&grid, 1, 2, 1)] = 1;
        terrain.wall[grid_index(&grid, 1, 1, 2)] = 1;
        ck_assert(!search_in_sight(&terrain, a, b)); /* no first step */
        ck_assert(!search_in_sight(&terrain, b, a));
        terrain_release(&terrain);
    }
END_TEST

START_TEST(exact_paths_are_for_two_axes)
    {
        struct grid grid;
        struct terrain terrain;
        struct exact *exact;
        struct error error;
        grid_make(3, 2, 2, 2, &grid, NULL);
        terrain_init(&terrain, &grid, NULL);
        ck_assert_int_eq(exact_new(&terrain, &exact, &error), STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "fast-marching-fine"));
        terrain_release(&terrain);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("exact");
    TCase *tests = tcase_create("exact");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(
        tests, exact_distances_are_those_of_the_whole_visibility_graph, 0, 4);
    tcase_add_test(tests, exact_distances_are_right_among_blocks);
    tcase_add_test(tests, no_path_squeezes_between_walls_that_touch);
    tcase_add_test(tests, a_path_turns_at_the_corner_of_a_wall);
    tcase_add_test(tests, exact_is_at_most_eight_moves_is_at_most_four);
    tcase_add_test(tests, the_reverse_path_is_as_long_on_large_maps);
    tcase_add_test(tests, sight_is_that_computed_with_integers);
    tcase_add_test(tests, sight_in_3d_is_blocked_by_walls_and_squeezed_edges);
    tcase_add_test(tests, exact_paths_are_for_two_axes);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
