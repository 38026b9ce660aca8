/* SPDX-License-Identifier: MIT */
#include "search/fast_marching.h"

#include "search/exact.h"
#include "search/search.h"
#include "search/sight.h"
#include "tests/search/search_maps.h"
#include "tests/suite.h"

#include <stdio.h>

static struct fast_marching *march(const struct terrain *terrain, int refine,
                                   double disc, size_t from)
{
    struct fast_marching *marching;
    struct fast_marching_settings settings = { refine, disc };
    ck_assert_int_eq(fast_marching_new(terrain, &settings, &marching, NULL),
                     STATUS_OK);
    ck_assert(fast_marching_solve(marching, from, SIZE_MAX));
    return marching;
}

/* L2 error of T / n over the cells in sight of the source, on n cells a side
 * of a unit square (cube) with a block in it; exact in a disc of radius 1/8. */
static double sight_error(int dims, int n, double speed)
{
    struct grid grid;
    struct terrain terrain;
    grid_make(dims, n, n, dims == 2 ? 1 : n, &grid, NULL);
    terrain_init(&terrain, &grid, NULL);
    struct terrain_change block = { .kind = CHANGE_WALL };
    for (int axis = 0; axis < dims; axis++) {
        block.box.low[axis] = n / 2;
        block.box.high[axis] = 3 * n / 4 - 1;
    }
    terrain_apply(&terrain, &block);
    struct terrain_change medium = { .box = grid_box(&grid),
                                     .kind = CHANGE_SPEED,
                                     .value = speed };
    terrain_prepare(&terrain, CHANGE_SPEED, NULL);
    terrain_apply(&terrain, &medium);
    int quarter = n / 4;
    double a[GRID_AXES] = { quarter, quarter + 1, dims == 2 ? 0 : quarter };
    size_t source = grid_nearest(&grid, a), count = 0;
    struct fast_marching *marching = march(&terrain, 1, n / 8., source);
    double sum = 0;
    for (size_t i = 0; i < grid_cells(&grid); i++) {
        int cell[GRID_AXES];
        grid_cell(&grid, i, cell);
        double b[GRID_AXES] = { cell[0], cell[1], cell[2] };
        if (terrain.wall[i] || !search_in_sight(&terrain, a, b))
            continue;
        double distance =
            sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                 (a[2] - b[2]) * (a[2] - b[2]));
        double error = speed * fast_marching_time(marching, i) - distance;
        sum += error * error / n / n;
        count++;
    }
    fast_marching_release(marching);
    terrain_release(&terrain);
    return sqrt(sum / (double)count);
}

START_TEST(times_converge_to_distances_at_second_order)
    {
        double coarse = sight_error(2, 64, 1), middle = sight_error(2, 128, 1);
        double fine = sight_error(2, 256, 0.25);
        printf("# 2D: L2 errors %.3g %.3g %.3g, orders %.2f %.2f\n", coarse,
               middle, fine, log2(coarse / middle), log2(middle / fine));
        ck_assert_double_ge(log2(coarse / middle), 1.8);
        ck_assert_double_ge(log2(middle / fine), 1.8);
        coarse = sight_error(3, 40, 1);
        fine = sight_error(3, 80, 2);
        printf("# 3D: L2 errors %.3g %.3g, order %.2f\n", coarse, fine,
               log2(coarse / fine));
        fflush(stdout);
        ck_assert_double_ge(log2(coarse / fine), 1.8);
    }
END_TEST

START_TEST(times_are_distances_in_the_disc_and_along_corridors)
    {
        struct terrain terrain = terrain_of_rows(
            (const char *const[]){ "..........", "@@@@@@@@@.", ".........." },
            3);
        struct fast_marching *marching = march(&terrain, 1, 4, 0);
        ck_assert(fast_marching_time(marching, 4) == 4);
        ck_assert_double_eq_tol(fast_marching_time(marching, 8), 8, 1e-12);
        ck_assert(isinf(fast_marching_time(marching, 10)));
        ck_assert_double_ge(fast_marching_time(marching, 20), 18);
        ck_assert_double_le(fast_marching_time(marching, 20), 20);
        fast_marching_release(marching);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(a_disc_stops_where_the_speed_changes)
    {
        struct grid grid;
        struct terrain terrain;
        grid_make(2, 40, 5, 1, &grid, NULL);
        terrain_init(&terrain, &grid, NULL);
        terrain_prepare(&terrain, CHANGE_SPEED, NULL);
        struct terrain_change slow = { .box = { { 12, 0, 0 }, { 39, 4, 0 } },
                                       .kind = CHANGE_SPEED,
                                       .value = 0.5 };
        terrain_apply(&terrain, &slow);
        struct fast_marching *marching =
            march(&terrain, 1, 8, grid_index(&grid, 10, 2, 0));
        ck_assert(fast_marching_time(marching, grid_index(&grid, 11, 2, 0)) ==
                  1);
        /* 1.5 cells at speed 1, 28.5 − 1 at ½; the face is blurred by less than
         * a cell. */
        ck_assert_double_eq_tol(
            fast_marching_time(marching, grid_index(&grid, 39, 2, 0)),
            1.5 + 27.5 * 2, 0.6);
        fast_marching_release(marching);
        terrain_release(&terrain);
    }
END_TEST

/* Among blocks the error comes from the corners. Behind one the front arrives
 * by two axis steps instead of two halves of a diagonal: at most 2 − √2 too
 * late for each turn of the exact path, a third of it on a grid three times
 * finer. */
START_TEST(times_are_close_to_exact_distances_among_blocks)
    {
        for (int refine = 1; refine <= 3; refine += 2) {
            struct random random;
            random_seed(&random, 12);
            double worst = 0, least = 0;
            for (int round = 0; round < 10; round++) {
                struct terrain terrain =
                    terrain_of_chance(&random, 2, 60, 50, 1, 0, 0);
                for (int i = 0; i < 40; i++) {
                    int x = 3 * (int)random_below(&random, 18);
                    int y = 3 * (int)random_below(&random, 14);
                    struct terrain_change block = {
                        .kind = CHANGE_WALL,
                        .box = { { x, y, 0 }, { x + 3, y + 3, 0 } }
                    };
                    terrain_apply(&terrain, &block);
                }
                size_t source = free_cell(&terrain, &random);
                struct fast_marching *marching =
                    march(&terrain, refine, 4, source);
                struct exact *exact;
                exact_new(&terrain, &exact, NULL);
                exact_solve(exact, source);
                for (size_t i = 0; i < grid_cells(&terrain.grid); i++) {
                    double d = exact_distance(exact, i);
                    double time = fast_marching_time(marching, i);
                    ck_assert_int_eq(isfinite(d) != 0, isfinite(time) != 0);
                    if (!isfinite(d))
                        continue;
                    size_t turns = exact_path(exact, i, NULL, 0);
                    worst = fmax(worst, (time - d) / (double)turns);
                    least = fmin(least, time - d);
                }
                exact_release(exact);
                fast_marching_release(marching);
                terrain_release(&terrain);
            }
            printf("# refine %d: over exact %.3f a turn at most, under %.3f\n",
                   refine, worst, least);
            fflush(stdout);
            ck_assert_double_le(worst, (2 - M_SQRT2) / refine);
            ck_assert_double_ge(least, -0.2 / refine);
        }
    }
END_TEST

START_TEST(headings_lead_down_and_to_the_source)
    {
        struct grid grid;
        struct terrain terrain;
        grid_make(2, 60, 60, 1, &grid, NULL);
        terrain_init(&terrain, &grid, NULL);
        size_t source = grid_index(&grid, 20, 30, 0);
        struct fast_marching *marching = march(&terrain, 1, 6, source);
        double worst = 0, sum = 0;
        int count = 0;
        for (size_t i = 0; i < grid_cells(&grid); i++) {
            int cell[GRID_AXES];
            double heading[GRID_AXES];
            grid_cell(&grid, i, cell);
            double at[GRID_AXES] = { cell[0], cell[1], 0 };
            double dx = 20 - at[0], dy = 30 - at[1], d = hypot(dx, dy);
            ck_assert_int_eq(fast_marching_heading(marching, at, heading),
                             i != source);
            if (d <= 8)
                continue;
            double error =
                acos(fmin(1, (heading[0] * dx + heading[1] * dy) / d));
            worst = fmax(worst, error);
            sum += error * error;
            count++;
        }
        printf("# headings: %.4f rad RMS, %.4f worst\n", sqrt(sum / count),
               worst);
        fflush(stdout);
        ck_assert_double_le(sqrt(sum / count), 0.01);
        ck_assert_double_le(worst, 0.03);
        fast_marching_release(marching);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(searches_of_the_table_return_walkable_paths)
    {
        static const char *const names[] = { "fast-marching",
                                             "fast-marching-fine", "exact" };
        struct random random;
        random_seed(&random, 40);
        for (int round = 0; round < 12; round++) {
            bool flat = round % 3 != 0;
            struct terrain terrain = terrain_of_chance(
                &random, flat ? 2 : 3, 14, 12, flat ? 1 : 7, 0.25, 0);
            struct passages *passages;
            passages_new(&terrain, flat ? (round % 2 ? 8 : 4) : 26,
                         MEASURE_LENGTH, &passages, NULL);
            /* No marched time is later than that of a walk along the axes. */
            struct passages *axes;
            struct search_workspace *walk;
            passages_new(&terrain, flat ? 4 : 6, MEASURE_LENGTH, &axes, NULL);
            search_workspace_new(search_find("dijkstra"), axes, &terrain, &walk,
                                 NULL);
            for (int k = 0; k < (flat ? 3 : 2); k++) {
                struct search_workspace *workspace;
                struct error error;
                ck_assert_msg(!search_workspace_new(search_find(names[k]),
                                                    passages, &terrain,
                                                    &workspace, &error),
                              "%s", error.message);
                for (int i = 0; i < 40; i++) {
                    struct search_query query = { free_cell(&terrain, &random),
                                                  free_cell(&terrain, &random),
                                                  NULL };
                    struct search_result result, other;
                    bool found = search_run(workspace, &query, &result);
                    ck_assert_int_eq(found, search_run(walk, &query, &other));
                    if (!found)
                        continue;
                    ck_assert_double_le(result.cost, other.cost + 1e-9);
                    ck_assert_int_eq(result.path[0], (int)query.from);
                    ck_assert_int_eq(result.path[result.path_count - 1],
                                     (int)query.to);
                    if (k < 2)
                        oracle_path_cost(&terrain, MEASURE_LENGTH, result.path,
                                         result.path_count);
                    else
                        ck_assert(result.length == result.cost);
                }
                search_workspace_release(workspace);
            }
            search_workspace_release(walk);
            passages_release(axes);
            passages_release(passages);
            terrain_release(&terrain);
        }
    }
END_TEST

/* All directions from a corner of an open field, and from inside. */
static void check_fine_lengths(int dims, int side, double most)
{
    struct grid grid;
    struct terrain terrain;
    struct passages *passages;
    struct search_workspace *workspace;
    ck_assert_int_eq(
        grid_make(dims, side, side, dims == 2 ? 1 : side, &grid, NULL),
        STATUS_OK);
    ck_assert_int_eq(terrain_init(&terrain, &grid, NULL), STATUS_OK);
    ck_assert_int_eq(passages_new(&terrain, dims == 2 ? 8 : 26, MEASURE_LENGTH,
                                  &passages, NULL),
                     STATUS_OK);
    ck_assert_int_eq(search_workspace_new(search_find("fast-marching-fine"),
                                          passages, &terrain, &workspace, NULL),
                     STATUS_OK);
    size_t cells = grid_cells(&grid);
    const size_t froms[] = { 0, cells / 2 + (size_t)side / 3 };
    double least = INFINITY, worst = 0;
    for (int f = 0; f < 2; f++)
        for (size_t to = 0; to < cells; to += dims == 2 ? 7 : 61) {
            struct search_query query = { .from = froms[f], .to = to };
            struct search_result result;
            if (to == froms[f])
                continue;
            ck_assert(search_run(workspace, &query, &result));
            int a[GRID_AXES], b[GRID_AXES];
            double square = 0;
            grid_cell(&grid, froms[f], a);
            grid_cell(&grid, to, b);
            for (int axis = 0; axis < GRID_AXES; axis++)
                square += (a[axis] - b[axis]) * (a[axis] - b[axis]);
            worst = fmax(worst, result.length / sqrt(square));
            least = fmin(least, result.length / sqrt(square));
        }
    printf("# %dD: %.4f to %.4f times exact\n", dims, least, worst);
    ck_assert_double_le(worst, most);
    ck_assert_double_ge(least, 0.998); /* T has errors of both signs */
    search_workspace_release(workspace);
    passages_release(passages);
    terrain_release(&terrain);
}

START_TEST(the_fine_search_is_as_long_as_the_path_at_any_angle)
    {
        check_fine_lengths(2, 40, 1.005);
        check_fine_lengths(3, 14, 1.005);
    }
END_TEST

START_TEST(changes_of_the_map_are_applied)
    {
        struct random random;
        random_seed(&random, 4);
        struct terrain terrain =
            terrain_of_chance(&random, 2, 20, 20, 1, 0.2, 0);
        terrain.wall[0] = 0;
        struct fast_marching *updated = march(&terrain, 3, 4, 0);
        for (int i = 0; i < 20; i++) {
            int x = 1 + (int)random_below(&random, 17);
            int y = 1 + (int)random_below(&random, 17);
            struct terrain_change change = {
                .box = { { x, y, 0 }, { x + 2, y + 1, 0 } },
                .kind = (enum terrain_change_kind)random_below(&random, 3),
                .value = 0.5,
            };
            terrain_prepare(&terrain, change.kind, NULL);
            terrain_apply(&terrain, &change);
            ck_assert_int_eq(
                fast_marching_update(updated, &terrain, &change.box, NULL),
                STATUS_OK);
            fast_marching_solve(updated, 0, SIZE_MAX);
            struct fast_marching *made = march(&terrain, 3, 4, 0);
            for (size_t k = 0; k < 400; k++)
                ck_assert(fast_marching_time(made, k) ==
                          fast_marching_time(updated, k));
            fast_marching_release(made);
        }
        fast_marching_release(updated);
        terrain_release(&terrain);
    }
END_TEST

/* The scheme of two axes has its own code; that of any number of axes marches a
 * map one layer deep. */
START_TEST(a_map_has_the_times_of_one_that_is_a_layer_deep)
    {
        enum { NX = 41, NY = 37, MAPS = 24 };
        struct random random;
        random_seed(&random, 2357);
        for (int map = 0; map < MAPS; map++) {
            struct terrain flat, deep;
            struct grid grid[2];
            grid_make(2, NX, NY, 1, &grid[0], NULL);
            grid_make(3, NX, NY, 1, &grid[1], NULL);
            terrain_init(&flat, &grid[0], NULL);
            terrain_init(&deep, &grid[1], NULL);
            if (map % 2) {
                terrain_prepare(&flat, CHANGE_SPEED, NULL);
                terrain_prepare(&deep, CHANGE_SPEED, NULL);
            }
            for (size_t i = 0; i < grid_cells(&grid[0]); i++) {
                flat.wall[i] = deep.wall[i] = random_below(&random, 20) < 5;
                if (map % 2)
                    flat.speed[i] = deep.speed[i] = 0.3 + random_unit(&random);
            }
            size_t from = grid_index(&grid[0], 20, 11, 0);
            flat.wall[from] = deep.wall[from] = 0;
            double disc = map % 3 * 2.385;
            struct fast_marching *a = march(&flat, 1, disc, from);
            struct fast_marching *b = march(&deep, 1, disc, from);
            for (size_t i = 0; i < grid_cells(&grid[0]); i++) {
                double x = fast_marching_time(a, i),
                       y = fast_marching_time(b, i);
                ck_assert_mem_eq(&x, &y, sizeof x);
            }
            ck_assert_uint_eq(fast_marching_expansions(a),
                              fast_marching_expansions(b));
            fast_marching_release(a);
            fast_marching_release(b);
            terrain_release(&flat);
            terrain_release(&deep);
        }
    }
END_TEST

/* The march in plain steps, for the order in which cells are accepted: of the
 * waiting cells the one in the lowest bucket, and of these the one that came
 * there last. */
struct plain_march {
    const struct terrain *terrain;
    double *time;
    int64_t *bucket, current;
    int *came, count;
    char *state; /* 0 far, 1 waiting, 2 accepted */
};

static bool plain_accepted(const struct plain_march *m, const int at[GRID_AXES])
{
    return grid_holds(&m->terrain->grid, at[0], at[1], at[2]) &&
           m->state[grid_index(&m->terrain->grid, at[0], at[1], at[2])] == 2;
}

/* The smaller accepted time along an axis, and whether it is of second order:
 * weight·(T − from)². */
static bool plain_axis(const struct plain_march *m, const int at[GRID_AXES],
                       int axis, double *nearest, double *from, double *weight)
{
    const struct grid *grid = &m->terrain->grid;
    *nearest = INFINITY;
    for (int side = 1; side >= -1; side -= 2) {
        int one[GRID_AXES] = { at[0], at[1], at[2] };
        int two[GRID_AXES] = { at[0], at[1], at[2] };
        one[axis] += side;
        two[axis] += 2 * side;
        if (!plain_accepted(m, one))
            continue;
        double time = m->time[grid_index(grid, one[0], one[1], one[2])];
        if (time >= *nearest)
            continue;
        *nearest = *from = time;
        *weight = 1;
        if (!plain_accepted(m, two))
            continue;
        double second = m->time[grid_index(grid, two[0], two[1], two[2])];
        if (second <= time) {
            *weight = 2.25;
            *from = (4 * time - second) / 3;
        }
    }
    return *nearest < INFINITY;
}

/* In 2D, at slowness 1. */
static double plain_time(const struct plain_march *m, const int at[GRID_AXES])
{
    double nearest[2], from[2], weight[2];
    bool by_x = plain_axis(m, at, 0, &nearest[0], &from[0], &weight[0]);
    bool by_y = plain_axis(m, at, 1, &nearest[1], &from[1], &weight[1]);
    int axis = by_x && (!by_y || nearest[0] < nearest[1]) ? 0 : 1;
    if (by_x && by_y) {
        double gap = from[1] - from[0], a = weight[0] + weight[1];
        double b = weight[1] * gap, c = weight[1] * gap * gap - 1;
        double time = from[0] + (b + sqrt(b * b - a * c)) / a;
        if (time >= fmax(nearest[0], nearest[1]))
            return time;
    }
    double time = from[axis] + sqrt(weight[axis]) / weight[axis];
    return time >= nearest[axis] ? time : nearest[axis] + 1;
}

static void plain_accept(struct plain_march *m, size_t cell)
{
    const struct grid *grid = &m->terrain->grid;
    int at[GRID_AXES];
    grid_cell(grid, cell, at);
    m->state[cell] = 2;
    m->current = m->bucket[cell];
    for (int d = 0; d < 4; d++) {
        int next[GRID_AXES] = { at[0] + direction_step[d][0],
                                at[1] + direction_step[d][1], 0 };
        if (!grid_holds(grid, next[0], next[1], 0))
            continue;
        size_t n = grid_index(grid, next[0], next[1], 0);
        if (m->terrain->wall[n] || m->state[n] == 2)
            continue;
        double time = plain_time(m, next);
        if (m->state[n] == 1 && time >= m->time[n])
            continue;
        int64_t bucket = (int64_t)(time * 128);
        m->state[n] = 1;
        m->time[n] = time;
        m->bucket[n] = bucket > m->current ? bucket : m->current;
        m->came[n] = ++m->count;
    }
}

/* Compares the times; returns the largest number of waiting cells. */
static int check_plain_march(const struct terrain *terrain, size_t from)
{
    size_t cells = grid_cells(&terrain->grid);
    struct plain_march m = { .terrain = terrain };
    m.time = memory_new(cells, sizeof *m.time);
    m.bucket = memory_new(cells, sizeof *m.bucket);
    m.came = memory_new(cells, sizeof *m.came);
    m.state = memory_new(cells, sizeof *m.state);
    int most = 0, waiting;
    plain_accept(&m, from);
    do {
        size_t next = cells;
        waiting = 0;
        for (size_t i = 0; i < cells; i++)
            if (m.state[i] == 1) {
                waiting++;
                if (next == cells || m.bucket[i] < m.bucket[next] ||
                    (m.bucket[i] == m.bucket[next] && m.came[i] > m.came[next]))
                    next = i;
            }
        if (waiting)
            plain_accept(&m, next);
        most = waiting > most ? waiting : most;
    } while (waiting);
    struct fast_marching *marching = march(terrain, 1, 0, from);
    for (size_t i = 0; i < cells; i++) {
        double time = m.state[i] == 2 ? m.time[i] : INFINITY;
        double ours = fast_marching_time(marching, i);
        ck_assert_mem_eq(&time, &ours, sizeof time);
    }
    fast_marching_release(marching);
    memory_release(m.time);
    memory_release(m.bucket);
    memory_release(m.came);
    memory_release(m.state);
    return most;
}

/* Queues of up to 64 cells are sorted arrays, longer ones buckets: rooms on
 * either side of a long corridor go from one to the other and back. */
START_TEST(short_and_long_queues_accept_cells_in_one_order)
    {
        struct random random;
        random_seed(&random, 6427);
        for (int map = 0; map < 12; map++) {
            bool corridor = map % 2;
            struct terrain terrain =
                terrain_of_chance(&random, 2, corridor ? 150 : 80,
                                  corridor ? 9 : 80, 1, map % 3 * 0.06, 0);
            for (int x = 0; !corridor && x < 80; x++)
                for (int y = 38; y < 42; y++) /* passages 5 and 2 wide */
                    terrain.wall[grid_index(&terrain.grid, x, y, 0)] =
                        x > 4 && x != 60 && x != 61;
            int waiting =
                check_plain_march(&terrain, free_cell(&terrain, &random));
            printf("# %s %d: %d cells wait at most\n",
                   corridor ? "corridor" : "rooms", map, waiting);
            fflush(stdout);
            ck_assert(corridor ? waiting <= 64 : waiting > 64);
            terrain_release(&terrain);
        }
    }
END_TEST

START_TEST(bad_settings_are_reported)
    {
        struct terrain terrain =
            terrain_of_rows((const char *const[]){ "..@" }, 1);
        struct fast_marching *marching;
        struct error error;
        static const struct fast_marching_settings bad[] = {
            { 2, 4 }, { 0, 4 }, { 1, -1 }, { 1, NAN }, { 100001, 1 }
        };
        for (int i = 0; i < 5; i++)
            ck_assert_int_eq(
                fast_marching_new(&terrain, &bad[i], &marching, &error),
                STATUS_INPUT);
        marching = march(&terrain, 1, 0, 0);
        ck_assert(fast_marching_time(marching, 1) == 1);
        ck_assert(!fast_marching_solve(marching, 2, SIZE_MAX));
        ck_assert(!fast_marching_solve(marching, 0, 2));
        double heading[GRID_AXES];
        ck_assert(
            !fast_marching_heading(marching, (double[]){ 2, 0, 0 }, heading));
        fast_marching_release(marching);
        terrain_release(&terrain);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("fast_marching");
    TCase *tests = tcase_create("fast_marching");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, times_converge_to_distances_at_second_order);
    tcase_add_test(tests, times_are_distances_in_the_disc_and_along_corridors);
    tcase_add_test(tests, a_disc_stops_where_the_speed_changes);
    tcase_add_test(tests, times_are_close_to_exact_distances_among_blocks);
    tcase_add_test(tests, headings_lead_down_and_to_the_source);
    tcase_add_test(tests, searches_of_the_table_return_walkable_paths);
    tcase_add_test(tests, the_fine_search_is_as_long_as_the_path_at_any_angle);
    tcase_add_test(tests, changes_of_the_map_are_applied);
    tcase_add_test(tests, a_map_has_the_times_of_one_that_is_a_layer_deep);
    tcase_add_test(tests, short_and_long_queues_accept_cells_in_one_order);
    tcase_add_test(tests, bad_settings_are_reported);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
