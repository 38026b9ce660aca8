/* SPDX-License-Identifier: MIT */
#include "search/least_time.h"

#include "search/exact.h"
#include "tests/search/search_maps.h"
#include "tests/suite.h"

/* ---- terrains and paths ---- */

static struct terrain open_terrain(int dims, int nx, int ny, int nz)
{
    struct grid grid;
    struct terrain terrain;
    ck_assert_int_eq(grid_make(dims, nx, ny, nz, &grid, NULL), STATUS_OK);
    ck_assert_int_eq(terrain_init(&terrain, &grid, NULL), STATUS_OK);
    ck_assert_int_eq(terrain_prepare(&terrain, CHANGE_SPEED, NULL), STATUS_OK);
    return terrain;
}

/* Speed of a box of cells; 0: wall. */
static void set_box(struct terrain *terrain, double speed, int x0, int x1,
                    int y0, int y1, int z0, int z1)
{
    struct terrain_change change = {
        .box = { { x0, y0, z0 }, { x1, y1, z1 } },
        .kind = speed > 0 ? CHANGE_SPEED : CHANGE_WALL,
        .value = speed,
    };
    terrain_apply(terrain, &change);
}

/* The speed of the fastest free cell that contains a point; 0: there is
 * none. */
static double speed_at(const struct terrain *terrain,
                       const double at[GRID_AXES])
{
    const struct grid *grid = &terrain->grid;
    double fastest = 0;
    for (size_t i = 0; i < grid_cells(grid); i++) {
        int cell[GRID_AXES];
        bool within = !terrain->wall[i];
        grid_cell(grid, i, cell);
        for (int axis = 0; axis < grid->dims; axis++)
            within = within && fabs(at[axis] - cell[axis]) <= 0.5 + 1e-9;
        if (within)
            fastest = fmax(fastest, terrain->speed ? terrain->speed[i] : 1);
    }
    return fastest;
}

static double apart(const double a[GRID_AXES], const double b[GRID_AXES])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* ∫ds/c of a segment, cut where it meets a border of cells: at the fractions
 * (border − a)/(b − a) of every axis, in order. */
static double piece_time(const struct terrain *terrain,
                         const double a[GRID_AXES], const double b[GRID_AXES])
{
    double time = 0;
    for (double from = 0; from < 1;) {
        double to = 1, middle[GRID_AXES];
        for (int axis = 0; axis < terrain->grid.dims; axis++)
            for (int line = 0; line <= 64 && a[axis] != b[axis]; line++) {
                double share = (line - 0.5 - a[axis]) / (b[axis] - a[axis]);
                if (share > from + 1e-12 && share < to)
                    to = share;
            }
        for (int axis = 0; axis < GRID_AXES; axis++)
            middle[axis] = a[axis] + (from + to) / 2 * (b[axis] - a[axis]);
        double speed = speed_at(terrain, middle);
        ck_assert_double_gt(speed, 0); /* else it passes through a wall */
        time += (to - from) * apart(a, b) / speed;
        from = to;
    }
    return time;
}

/* The least time from a point to a cell's centre, −1 if there is no path;
 * checks the conditions of every path. */
static double time_of(const struct terrain *terrain,
                      const double from[GRID_AXES], size_t source)
{
    struct least_time *least;
    struct least_path path;
    double sum = 0;
    int end[GRID_AXES];
    ck_assert_int_eq(least_time_new(terrain, source, &least, NULL), STATUS_OK);
    ck_assert_int_eq(least_time_path(least, from, &path, NULL), STATUS_OK);
    grid_cell(&terrain->grid, source, end);
    if (path.found) {
        for (int axis = 0; axis < terrain->grid.dims; axis++) {
            ck_assert(path.points[0][axis] == from[axis]);
            ck_assert(path.points[path.count - 1][axis] == end[axis]);
        }
        for (size_t i = 1; i < path.count; i++)
            sum += piece_time(terrain, path.points[i - 1], path.points[i]);
        ck_assert_double_le(fabs(sum - path.time), 1e-6 * (1 + path.time));
        ck_assert_double_le(path.time, path.start_time * (1 + 1e-12));
        ck_assert_double_ge(path.bound, 0);
        ck_assert_double_le(path.bound, 1e-8);
    } else {
        ck_assert(path.time == 0 && path.count == 0 && !path.points);
    }
    double time = path.found ? path.time : -1;
    least_time_release(least);
    return time;
}

static double time_between(const struct terrain *terrain, size_t a, size_t b)
{
    int cell[GRID_AXES];
    grid_cell(&terrain->grid, a, cell);
    double from[GRID_AXES] = { cell[0], cell[1], cell[2] };
    return time_of(terrain, from, b);
}

static void assert_near(double time, double truth, double tolerance)
{
    ck_assert_double_le(fabs(time - truth), tolerance * (1 + truth));
}

/* ---- brute force: points on the faces of cells ---- */

enum { BRUTE_POINTS = 40000 };

struct brute {
    const struct terrain *terrain;
    int parts, face_points;
    double place[BRUTE_POINTS][GRID_AXES], time[BRUTE_POINTS];
    int32_t cell[BRUTE_POINTS][2];
    int count;
};

static void brute_face(struct brute *b, size_t cell, int axis)
{
    const struct grid *grid = &b->terrain->grid;
    int at[GRID_AXES], next[GRID_AXES];
    grid_cell(grid, cell, at);
    memcpy(next, at, sizeof at);
    next[axis]++;
    if (!grid_holds(grid, next[0], next[1], next[2]))
        return;
    size_t other = grid_index(grid, next[0], next[1], next[2]);
    if (b->terrain->wall[cell] || b->terrain->wall[other])
        return;
    for (int p = 0; p < b->face_points; p++) {
        ck_assert_int_lt(b->count, BRUTE_POINTS);
        int rest = p;
        for (int k = 0; k < GRID_AXES; k++) {
            b->place[b->count][k] = at[k];
            if (k == axis)
                b->place[b->count][k] += 0.5;
            else if (k < grid->dims) {
                b->place[b->count][k] +=
                    (double)(rest % (b->parts + 1)) / b->parts - 0.5;
                rest /= b->parts + 1;
            }
        }
        b->cell[b->count][0] = (int32_t)cell;
        b->cell[b->count++][1] = (int32_t)other;
    }
}

/* Lowers the times of all points of a cell that is entered at a point. */
static bool brute_enter(struct brute *b, int32_t cell,
                        const double at[GRID_AXES], double time)
{
    double speed = b->terrain->speed ? b->terrain->speed[cell] : 1;
    bool changed = false;
    for (int i = 0; i < b->count; i++) {
        if (b->cell[i][0] != cell && b->cell[i][1] != cell)
            continue;
        double next = time + apart(at, b->place[i]) / speed;
        if (next < b->time[i] - 1e-12) {
            b->time[i] = next;
            changed = true;
        }
    }
    return changed;
}

/* The least time by paths over these points: rounds until no time changes. */
static double brute_time(const struct terrain *terrain, int parts, size_t from,
                         size_t to)
{
    static struct brute b;
    int cell[GRID_AXES], dims = terrain->grid.dims;
    b = (struct brute){ .terrain = terrain, .parts = parts };
    b.face_points = dims == 2 ? parts + 1 : (parts + 1) * (parts + 1);
    for (size_t i = 0; i < grid_cells(&terrain->grid); i++)
        for (int axis = 0; axis < dims; axis++)
            brute_face(&b, i, axis);
    for (int i = 0; i < b.count; i++)
        b.time[i] = INFINITY;
    grid_cell(&terrain->grid, from, cell);
    double start[GRID_AXES] = { cell[0], cell[1], cell[2] };
    brute_enter(&b, (int32_t)from, start, 0);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < b.count; i++)
            for (int side = 0; side < 2 && b.time[i] < INFINITY; side++)
                changed |=
                    brute_enter(&b, b.cell[i][side], b.place[i], b.time[i]);
    }
    grid_cell(&terrain->grid, to, cell);
    double end[GRID_AXES] = { cell[0], cell[1], cell[2] }, best = INFINITY;
    double speed = terrain->speed ? terrain->speed[to] : 1;
    if (from == to)
        return 0;
    for (int i = 0; i < b.count; i++)
        if (b.cell[i][0] == (int32_t)to || b.cell[i][1] == (int32_t)to)
            best = fmin(best, b.time[i] + apart(b.place[i], end) / speed);
    return best;
}

static void assert_brute(struct random *random, int dims, int n, int parts,
                         double late)
{
    static const double speeds[] = { 0.25, 0.5, 0.8, 1, 1, 2 };
    struct terrain t =
        terrain_of_chance(random, dims, n, n, dims == 2 ? 1 : n, 0.2, 0);
    ck_assert_int_eq(terrain_prepare(&t, CHANGE_SPEED, NULL), STATUS_OK);
    bool chosen = random_below(random, 2);
    for (size_t i = 0; i < grid_cells(&t.grid); i++)
        t.speed[i] = chosen ? speeds[random_below(random, 6)]
                            : exp(2 * random_unit(random) - 1);
    size_t from = free_cell(&t, random), to = free_cell(&t, random);
    double brute = brute_time(&t, parts, from, to);
    double time = time_between(&t, from, to);
    if (isfinite(brute)) {
        ck_assert_double_ge(time, 0);
        ck_assert_double_le(time, brute * (1 + 1e-9));
        ck_assert_double_ge(time, brute * (1 - late));
    } else {
        ck_assert(time == -1);
    }
    terrain_release(&t);
}

START_TEST(small_random_maps_take_no_longer_than_by_brute_force)
    {
        struct random random;
        random_seed(&random, 2385);
        for (int i = 0; i < 40; i++)
            assert_brute(&random, 2, 6, 12, 0.005);
        for (int i = 0; i < 15; i++)
            assert_brute(&random, 3, 3, 5, 0.03);
    }
END_TEST

/* ---- one speed ---- */

/* `sealed`: a cell of another speed that no path reaches, so that the exact
 * paths are not used. */
static void assert_exact(struct random *random, double walls, bool sealed)
{
    struct terrain t = terrain_of_chance(random, 2, 20, 20, 1, walls, 0);
    if (sealed) {
        ck_assert_int_eq(terrain_prepare(&t, CHANGE_SPEED, NULL), STATUS_OK);
        t.wall[0] = 0;
        t.wall[1] = t.wall[20] = 1;
        t.speed[0] = 2;
    }
    struct exact *exact;
    struct least_time *least;
    size_t source = free_cell(&t, random);
    ck_assert_int_eq(exact_new(&t, &exact, NULL), STATUS_OK);
    ck_assert_int_eq(least_time_new(&t, source, &least, NULL), STATUS_OK);
    exact_solve(exact, source);
    for (size_t i = 0; i < 40; i++) {
        struct least_path path;
        size_t cell = free_cell(&t, random);
        int at[GRID_AXES];
        grid_cell(&t.grid, cell, at);
        double from[GRID_AXES] = { at[0], at[1], 0 };
        double distance = exact_distance(exact, cell);
        ck_assert_int_eq(least_time_path(least, from, &path, NULL), STATUS_OK);
        ck_assert(path.found == isfinite(distance));
        if (path.found && source != 0)
            ck_assert_double_le(fabs(path.time - distance), 1e-9);
    }
    least_time_release(least);
    exact_release(exact);
    terrain_release(&t);
}

START_TEST(at_one_speed_in_2d_the_path_is_the_exact_shortest)
    {
        struct random random;
        random_seed(&random, 51);
        for (int i = 0; i < 6; i++) {
            assert_exact(&random, 0.05 + 0.05 * i, false);
            assert_exact(&random, 0.05 + 0.05 * i, true);
        }
    }
END_TEST

START_TEST(in_3d_the_path_is_straight_or_unfolds_round_one_edge_or_two)
    {
        for (int wide = 0; wide < 4; wide++) {
            /* A wall from the floor up to layer 6, `wide` cells thick. */
            struct terrain t = open_terrain(3, 12, 9, 14);
            if (wide)
                set_box(&t, 0, 5, 4 + wide, 0, 8, 6, 13);
            double from[GRID_AXES] = { 1, 1, 11 }, to[GRID_AXES] = { 10, 7, 9 };
            double up = 11 - 5.5, down = 9 - 5.5, x = 4.5 - 1;
            double z = 10 - (4.5 + wide);
            double unfolded = hypot(x, up) + wide + hypot(z, down);
            double along = 6; /* on y: the same share of each piece */
            double truth = wide ? hypot(unfolded, along) : apart(from, to);
            size_t source = grid_index(&t.grid, 10, 7, 9);
            assert_near(time_of(&t, from, source), truth, 1e-9);
            terrain_release(&t);
        }
    }
END_TEST

START_TEST(walls_that_touch_only_at_a_corner_or_an_edge_are_closed)
    {
        for (int dims = 2; dims <= 3; dims++) {
            struct terrain t = open_terrain(dims, 4, 4, dims == 2 ? 1 : 3);
            int top = t.grid.nz - 1;
            set_box(&t, 0, 0, 1, 2, 2, 0, top);
            set_box(&t, 0, 2, 2, 0, 1, 0, top);
            ck_assert(time_between(&t, 0, grid_index(&t.grid, 3, 3, 0)) == -1);
            terrain_apply(&t, &(struct terrain_change){
                                  .box = { { 0, 2, 0 }, { 0, 2, top } },
                                  .kind = CHANGE_FREE });
            ck_assert(time_between(&t, 0, grid_index(&t.grid, 3, 3, 0)) > 0);
            terrain_release(&t);
        }
    }
END_TEST

/* ---- layers ---- */

enum { LAYERS_MOST = 8 };

/* Snell: through layers of thickness h and speed c, `across` along them, all
 * with p = sin/c. The root of a function that increases with p. */
static double layers_time(int count, const double *h, const double *c,
                          double across)
{
    double fastest = 0, low = 0, time = 0;
    for (int i = 0; i < count; i++)
        fastest = fmax(fastest, c[i]);
    double high = 1 / fastest;
    for (int halving = 0; halving < 200; halving++) {
        double p = (low + high) / 2, x = 0;
        time = 0;
        for (int i = 0; i < count; i++) {
            double cosine = sqrt(1 - p * p * c[i] * c[i]);
            x += h[i] * p * c[i] / cosine;
            time += h[i] / (c[i] * cosine);
        }
        if (x < across)
            low = p;
        else
            high = p;
    }
    return time;
}

static void assert_layers(int dims, int count, const int *rows, const double *c,
                          int dx, int dz)
{
    int ny = 0;
    double h[LAYERS_MOST];
    for (int i = 0; i < count; i++) {
        h[i] = rows[i] - (i == 0 || i == count - 1 ? 0.5 : 0);
        ny += rows[i];
    }
    struct terrain t = open_terrain(dims, dx + 5, ny, dims == 2 ? 1 : dz + 3);
    for (int i = 0, y = 0; i < count; y += rows[i++])
        set_box(&t, c[i], 0, t.grid.nx - 1, y, y + rows[i] - 1, 0,
                t.grid.nz - 1);
    double from[GRID_AXES] = { 2, 0, dims == 2 ? 0 : 1 };
    size_t source = grid_index(&t.grid, 2 + dx, ny - 1, dims == 2 ? 0 : 1 + dz);
    double truth = layers_time(count, h, c, hypot(dx, dz));
    assert_near(time_of(&t, from, source), truth, 1e-9);
    terrain_release(&t);
}

START_TEST(layers_are_crossed_by_snells_law)
    {
        const int slab[] = { 5, 4, 6 }, many[] = { 3, 2, 1, 4, 2, 3 };
        const double slow[] = { 1, 0.25, 1 }, fast[] = { 1, 1.7, 1 };
        const double speeds[] = { 1, 0.8, 0.25, 0.5, 1.1, 0.9 };
        for (int dims = 2; dims <= 3; dims++)
            for (int dx = 0; dx <= 18; dx += 6) {
                int dz = dims == 2 ? 0 : 7;
                assert_layers(dims, 3, slab, slow, dx, dz);
                assert_layers(dims, 6, many, speeds, dx, dz);
                if (dx <= 6)
                    assert_layers(dims, 3, slab, fast, dx, 0);
            }
    }
END_TEST

/* Down to the fast layer at the critical angle, along its border, and up. */
START_TEST(a_path_runs_along_the_border_of_a_fast_layer)
    {
        for (int dims = 2; dims <= 3; dims++)
            for (int down = 1; down <= 3; down++) {
                struct terrain t = open_terrain(dims, 26, 8, dims == 2 ? 1 : 9);
                int z = dims == 2 ? 0 : 1, dz = dims == 2 ? 0 : 6;
                set_box(&t, 2.5, 0, 25, 4, 7, 0, t.grid.nz - 1);
                double from[GRID_AXES] = { 1, 4 - down, z };
                double height = down - 0.5 + 2.5; /* both ends together */
                double truth =
                    hypot(23, dz) / 2.5 + height * sqrt(1 - 1 / (2.5 * 2.5));
                size_t source = grid_index(&t.grid, 24, 1, z + dz);
                assert_near(time_of(&t, from, source), truth, 1e-9);
                terrain_release(&t);
            }
    }
END_TEST

/* ---- a block ---- */

/* Round the block, or through its sides at the heights with the least time. In
 * 3D the block is a bar along z, and the path round it is unfolded. */
START_TEST(a_slow_block_is_passed_round_its_corners_or_through_it)
    {
        static const double speeds[] = { 0.25, 0.5, 0.8, 0.95 };
        for (int i = 0; i < 4; i++)
            for (int dims = 2; dims <= 3; dims++) {
                int dz = dims == 2 ? 0 : 5;
                struct terrain t =
                    open_terrain(dims, 24, 21, dims == 2 ? 1 : 8);
                set_box(&t, speeds[i], 8, 15, 5, 12, 0, t.grid.nz - 1);
                double from[GRID_AXES] = { 2, 9, dims == 2 ? 0 : 1 };
                double a[2] = { 2, 9 }, b[2] = { 21, 10 };
                const double h[] = { 5.5, 8, 5.5 }, c[] = { 1, speeds[i], 1 };
                double through = layers_time(3, h, c, hypot(1, dz));
                double below = hypot(7.5 - a[0], 12.5 - a[1]) + 8 +
                               hypot(15.5 - b[0], 12.5 - b[1]);
                double above = hypot(7.5 - a[0], 4.5 - a[1]) + 8 +
                               hypot(15.5 - b[0], 4.5 - b[1]);
                double truth = fmin(through, hypot(fmin(below, above), dz));
                size_t source =
                    grid_index(&t.grid, 21, 10, (dims == 2 ? 0 : 1) + dz);
                double time = time_of(&t, from, source);
                /* Other paths cut the block's corners. */
                ck_assert_double_le(time, truth * (1 + 1e-9));
                if (speeds[i] == 0.25 || speeds[i] == 0.95)
                    assert_near(time, truth, 1e-9);
                terrain_release(&t);
            }
    }
END_TEST

/* ---- symmetries, ends, errors ---- */

/* The terrain with its axes exchanged and mirrored: cell `at` becomes `to`. */
static void turn_cell(const struct grid *grid, int turn,
                      const int at[GRID_AXES], int to[GRID_AXES])
{
    int n[GRID_AXES] = { grid->nx, grid->ny, grid->nz }, p[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++)
        p[axis] = turn >> axis & 1 && axis < grid->dims ? n[axis] - 1 - at[axis]
                                                        : at[axis];
    to[0] = turn & 8 ? p[1] : p[0];
    to[1] = turn & 8 ? p[0] : p[1];
    to[2] = p[2];
}

static void assert_turned(struct random *random, int dims, int n)
{
    struct terrain t =
        terrain_of_chance(random, dims, n, n, dims == 2 ? 1 : n, 0.15, 0);
    ck_assert_int_eq(terrain_prepare(&t, CHANGE_SPEED, NULL), STATUS_OK);
    for (size_t i = 0; i < grid_cells(&t.grid); i++)
        t.speed[i] = random_below(random, 3) ? 1 : 0.3 + random_unit(random);
    size_t from = free_cell(&t, random), to = free_cell(&t, random);
    double time = time_between(&t, from, to);
    assert_near(time_between(&t, to, from), time, 1e-8);
    for (int turn = 1; turn < 16; turn += 1 + (dims == 2)) {
        struct terrain turned;
        int a[GRID_AXES], b[GRID_AXES];
        ck_assert_int_eq(terrain_copy(&t, &turned, NULL), STATUS_OK);
        for (size_t i = 0; i < grid_cells(&t.grid); i++) {
            grid_cell(&t.grid, i, a);
            turn_cell(&t.grid, turn, a, b);
            size_t cell = grid_index(&t.grid, b[0], b[1], b[2]);
            turned.wall[cell] = t.wall[i];
            turned.speed[cell] = t.speed[i];
        }
        grid_cell(&t.grid, from, a);
        turn_cell(&t.grid, turn, a, b);
        size_t start = grid_index(&t.grid, b[0], b[1], b[2]);
        grid_cell(&t.grid, to, a);
        turn_cell(&t.grid, turn, a, b);
        size_t end = grid_index(&t.grid, b[0], b[1], b[2]);
        assert_near(time_between(&turned, start, end), time, 1e-8);
        terrain_release(&turned);
    }
    terrain_release(&t);
}

START_TEST(the_least_time_is_the_same_reversed_and_on_mirrored_and_turned_maps)
    {
        struct random random;
        random_seed(&random, 77);
        for (int i = 0; i < 4; i++) {
            assert_turned(&random, 2, 9);
            assert_turned(&random, 3, 4);
        }
    }
END_TEST

START_TEST(a_path_starts_at_any_point_of_a_free_cell)
    {
        struct terrain t = open_terrain(2, 9, 7, 1);
        set_box(&t, 0, 4, 4, 2, 4, 0, 0);
        size_t source = grid_index(&t.grid, 1, 3, 0);
        /* Inside, on a face, on a corner, on the map's edge, on the wall's face
         * and corners: straight, or round the corner (3.5, 1.5). */
        static const double points[][2] = { { 2.3, 5.1 }, { 2.5, 3 },
                                            { 2.5, 1.5 }, { -0.5, 2 },
                                            { 3.5, 3.2 }, { 3.5, 1.5 } };
        for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
            double from[GRID_AXES] = { points[i][0], points[i][1], 0 };
            assert_near(time_of(&t, from, source),
                        hypot(from[0] - 1, from[1] - 3), 1e-9);
        }
        double behind[GRID_AXES] = { 4.5, 1.5, 0 };
        assert_near(time_of(&t, behind, source), 1 + hypot(2.5, 1.5), 1e-9);
        double inside[GRID_AXES] = { 4, 3, 0 },
               outside[GRID_AXES] = { 9, 3, 0 };
        double far[GRID_AXES] = { 1e300, -1e300, 0 };
        ck_assert(time_of(&t, inside, source) == -1);
        ck_assert(time_of(&t, outside, source) == -1);
        ck_assert(time_of(&t, far, source) == -1);
        ck_assert(time_between(&t, source, source) == 0);
        terrain_release(&t);
    }
END_TEST

START_TEST(a_source_in_a_wall_or_outside_the_map_is_rejected)
    {
        struct terrain t = open_terrain(2, 4, 4, 1);
        struct least_time *least = NULL;
        struct error error;
        set_box(&t, 0, 1, 1, 1, 1, 0, 0);
        ck_assert_int_eq(
            least_time_new(&t, grid_index(&t.grid, 1, 1, 0), &least, &error),
            STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "choose a free cell"));
        ck_assert_int_eq(least_time_new(&t, 16, &least, &error), STATUS_INPUT);
        ck_assert_ptr_null(least);
        least_time_release(NULL);
        terrain_release(&t);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("least_time");
    TCase *tcase = tcase_create("all");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, small_random_maps_take_no_longer_than_by_brute_force);
    tcase_add_test(tcase, at_one_speed_in_2d_the_path_is_the_exact_shortest);
    tcase_add_test(tcase,
                   in_3d_the_path_is_straight_or_unfolds_round_one_edge_or_two);
    tcase_add_test(tcase,
                   walls_that_touch_only_at_a_corner_or_an_edge_are_closed);
    tcase_add_test(tcase, layers_are_crossed_by_snells_law);
    tcase_add_test(tcase, a_path_runs_along_the_border_of_a_fast_layer);
    tcase_add_test(tcase,
                   a_slow_block_is_passed_round_its_corners_or_through_it);
    tcase_add_test(
        tcase,
        the_least_time_is_the_same_reversed_and_on_mirrored_and_turned_maps);
    tcase_add_test(tcase, a_path_starts_at_any_point_of_a_free_cell);
    tcase_add_test(tcase, a_source_in_a_wall_or_outside_the_map_is_rejected);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
