/* SPDX-License-Identifier: MIT */
/* What bends and junctions do to a wave: the ports of a map, and the exact
 * scattering matrix between them. */
#include "analysis/modes/exact.h"
#include "base/memory.h"
#include "base/real.h"
#include "config.h"
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double delta = .25;

static struct grid grid;
static struct terrain terrain;
static struct corridor_map map;

/* A map of wall with free boxes x0, y0, x1, y1 (in 3D z0 and z1 too), all sides
 * open. */
static void carve(int dims, int side, bool fixed, const int (*boxes)[6],
                  size_t count)
{
    ck_assert_int_eq(
        grid_make(dims, side, side, dims == 2 ? 1 : side, &grid, NULL),
        STATUS_OK);
    ck_assert_int_eq(terrain_init(&terrain, &grid, NULL), STATUS_OK);
    memset(terrain.wall, 1, grid_cells(&grid));
    for (size_t i = 0; i < count; i++)
        for (int z = boxes[i][4]; z <= boxes[i][5]; z++)
            for (int y = boxes[i][1]; y <= boxes[i][3]; y++)
                for (int x = boxes[i][0]; x <= boxes[i][2]; x++)
                    terrain.wall[grid_index(&grid, x, y, z)] = 0;
    map = (struct corridor_map){ &terrain, fixed, (1U << 2 * dims) - 1 };
}

static void stop(void)
{
    terrain_release(&terrain);
}

enum { SIDE = 40, ROOM = 64 };

#ifdef HAMON_LAPACK

/* From the west to the south, `width` wide. */
static void carve_bend(int width, bool fixed)
{
    const int boxes[][6] = { { 0, 10, 19 + width, 9 + width },
                             { 20, 10, 19 + width, SIDE - 1 } };
    carve(2, SIDE, fixed, boxes, 2);
}

/* The share of power from the first port's mode to another one. */
static double share(const struct ports *ports, double frequency, size_t from,
                    size_t port, size_t mode)
{
    static double complex matrix[ROOM * ROOM];
    const size_t count = ports_channels(ports);
    size_t to = mode;
    ck_assert_uint_le(count, ROOM);
    for (size_t p = 0; p < port; p++)
        to += ports->port[p].count;
    ck_assert_int_eq(exact_matrix(ports, frequency, matrix, NULL), STATUS_OK);
    const double size = cabs(matrix[to * count + from]);
    return size * size;
}

/* Power is neither lost nor gained from any incoming mode, and the matrix is
 * symmetrical: the largest difference. */
static double balance(const struct ports *ports, double frequency)
{
    static double complex matrix[ROOM * ROOM];
    const size_t count = ports_channels(ports);
    double worst = 0;
    ck_assert_uint_le(count, ROOM);
    ck_assert_int_eq(exact_matrix(ports, frequency, matrix, NULL), STATUS_OK);
    for (size_t from = 0; from < count; from++) {
        double sum = 0;
        for (size_t to = 0; to < count; to++) {
            const double complex there = matrix[to * count + from];
            sum += creal(there * conj(there));
            worst = fmax(worst, cabs(there - matrix[from * count + to]));
        }
        if (sum > 0)
            worst = fmax(worst, fabs(sum - 1));
    }
    return worst;
}

static void find(struct ports *ports, size_t count)
{
    struct error error;
    enum status status =
        ports_find(&map, delta, (const int[]){ 1, 11, 0 }, ports, &error);
    ck_assert_msg(!status, "%s", error.message);
    ck_assert_uint_eq(ports->count, count);
    ck_assert_str_eq(ports->port[0].name, "west");
}

START_TEST(bends_reflect_as_computed_independently)
    {
        static const struct {
            int width;
            bool fixed;
            double frequency, back;
        } known[] = {
            { 5, true, .27, .406368 },  { 5, true, .30, .168702 },
            { 5, true, .35, .120166 },  { 5, true, .50, .856698 },
            { 5, false, .05, .010615 }, { 5, false, .20, .442392 },
            { 5, false, .30, .999963 }, { 5, false, .35, .482584 },
            { 1, true, .8, 0 },         { 1, true, 1, 0 },
            { 1, false, .1, 0 },        { 1, false, .9, 0 },
        };
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            struct ports ports;
            carve_bend(known[i].width, known[i].fixed);
            struct error error;
            ck_assert_int_eq(ports_find(&map, delta, (const int[]){ 1, 10, 0 },
                                        &ports, &error),
                             STATUS_OK);
            double back = 0;
            for (size_t m = 0; m < ports.port[0].count; m++)
                back += share(&ports, known[i].frequency, 0, 0, m);
            ck_assert_double_eq_tol(back, known[i].back, 5.1e-7);
            ports_release(&ports);
            terrain_release(&terrain);
        }
        carve_bend(1, true);
    }
END_TEST

START_TEST(a_junction_divides_power_as_computed_independently)
    {
        static const int boxes[][6] = { { 0, 10, SIDE - 1, 14 },
                                        { 20, 10, 24, SIDE - 1 } };
        struct ports ports;
        carve(2, SIDE, true, boxes, 2);
        find(&ports, 3);
        ck_assert_str_eq(ports.port[1].name, "east");
        ck_assert_str_eq(ports.port[2].name, "south");
        const double wanted[] = { .086630, .557201, .356169 };
        for (size_t p = 0; p < 3; p++) {
            double sum = 0;
            for (size_t m = 0; m < 5; m++)
                sum += share(&ports, .35, 0, p, m);
            ck_assert_double_eq_tol(sum, wanted[p], 5.1e-7);
        }
        ports_release(&ports);
    }
END_TEST

/* A cross, a bend of ducts, a widening, and a door. */
START_TEST(power_is_kept_and_the_matrix_is_symmetrical)
    {
        static const int cross[][6] = { { 0, 10, SIDE - 1, 14 },
                                        { 20, 0, 26, SIDE - 1 } };
        static const int duct[][6] = { { 0, 10, 15, 12, 8, 11 },
                                       { 13, 10, 15, SIDE / 2 - 1, 8, 11 } };
        static const int door[][6] = { { 0, 10, 19, 14 },
                                       { 20, 11, 20, 12 },
                                       { 21, 8, SIDE - 1, 16 } };
        for (int fixed = 0; fixed < 2; fixed++)
            for (int shape = 0; shape < 3; shape++) {
                struct ports ports;
                carve(shape == 1 ? 3 : 2, shape == 1 ? SIDE / 2 : SIDE, fixed,
                      shape == 0   ? cross
                      : shape == 1 ? duct
                                   : door,
                      shape == 2 ? 3 : 2);
                struct error error;
                enum status status = ports_find(
                    &map, delta, (const int[]){ 1, 11, shape == 1 ? 9 : 0 },
                    &ports, &error);
                ck_assert_msg(!status, "%s", error.message);
                ck_assert_uint_eq(ports.count, shape == 0 ? 4 : 2);
                for (double frequency = .31; frequency < 1.5; frequency += .17)
                    ck_assert_double_le(balance(&ports, frequency), 1e-12);
                ports_release(&ports);
                terrain_release(&terrain);
            }
        carve_bend(1, true);
    }
END_TEST

/* The same part with longer corridors: only phases differ. */
START_TEST(named_ports_give_the_same_part_with_longer_corridors)
    {
        static const int cells[][GRID_AXES] = { { 12, 12 }, { 22, 22 } };
        struct ports near, far;
        struct error error;
        carve_bend(5, true);
        find(&near, 2);
        enum status status = ports_between(
            &map, delta, cells, 2, (const int[]){ 1, 11, 0 }, &far, &error);
        ck_assert_msg(!status, "%s", error.message);
        ck_assert(far.driven);
        ck_assert_uint_eq(far.cells, 5 * (25 - 12 + 8));
        ck_assert_double_eq_tol(share(&far, .6, 0, 1, 1),
                                share(&near, .6, 0, 1, 1), 1e-12);
        ports_release(&near);
        ports_release(&far);
        status = ports_between(&map, delta, cells, 2,
                               (const int[]){ 22, 12, 0 }, &far, &error);
        ck_assert_int_eq(status, STATUS_OK);
        ck_assert(!far.driven);
        ports_release(&far);
        status =
            ports_find(&map, delta, (const int[]){ 22, 12, 0 }, &far, &error);
        ck_assert_int_eq(status, STATUS_OK);
        ck_assert(!far.driven);
        ports_release(&far);
        /* One port: the part is that without the source, here a dead end. */
        map.open = 0;
        status = ports_between(&map, delta, cells + 1, 1,
                               (const int[]){ 22, 38, 0 }, &far, &error);
        ck_assert_int_eq(status, STATUS_OK);
        ck_assert(far.driven);
        ck_assert_int_eq(far.port[0].out, 1);
        ports_release(&far);
    }
END_TEST

/* ---- resonances ---- */

/* 4 Σ sin²(q/2) over the modes of a room, the lowest first; without 0. */
static size_t room_values(const int extent[GRID_AXES], bool fixed, double *out)
{
    size_t count = 0;
    for (int z = 0; z < extent[2]; z++)
        for (int y = 0; y < extent[1]; y++)
            for (int x = 0; x < extent[0]; x++) {
                const int at[] = { x, y, z };
                double sum = 0;
                for (int axis = 0; axis < (extent[2] > 1 ? 3 : 2); axis++)
                    sum += 4 * mode_law(at[axis], extent[axis], fixed, 1).s;
                if (sum > 0)
                    out[count++] = sum;
            }
    qsort(out, count, sizeof *out, real_compare);
    return count;
}

/* With a square one, of which resonances are in pairs, and a room of one
 * cell's width. */
START_TEST(rooms_have_the_resonances_of_sines_and_cosines)
    {
        static const int extents[][GRID_AXES] = {
            { 30, 17, 1 }, { 16, 16, 1 }, { 29, 1, 1 },
            { 2, 1, 1 },   { 9, 7, 5 },   { 6, 6, 6 },
        };
        enum { MOST = 24 };
        static double wanted[SIDE * SIDE * SIDE];
        for (size_t i = 0; i < sizeof extents / sizeof *extents; i++)
            for (int fixed = 0; fixed < 2; fixed++) {
                const int *extent = extents[i];
                const int dims = extent[2] > 1 ? 3 : 2;
                const int box[][6] = { { 3, 4, 2 + extent[0], 3 + extent[1],
                                         dims == 3 ? 2 : 0,
                                         dims == 3 ? 1 + extent[2] : 0 } };
                const size_t all = room_values(extent, fixed, wanted);
                struct resonances found;
                struct ports ports;
                struct error error;
                carve(dims, dims == 3 ? SIDE / 2 : SIDE, fixed, box, 1);
                enum status status =
                    ports_around(&map, delta, (const int[]){ 3, 4, box[0][4] },
                                 &ports, &error);
                ck_assert_msg(!status, "%s", error.message);
                ck_assert_uint_eq(ports.count, 0);
                status = exact_resonances(&ports, MOST, &found, &error);
                ck_assert_msg(!status, "%s", error.message);
                ck_assert_uint_eq(found.count, all < MOST ? all : MOST);
                for (size_t k = 0; k < found.count; k++) {
                    ck_assert_double_eq_tol(creal(found.list[k].value),
                                            wanted[k], 1e-10 * wanted[k]);
                    ck_assert_double_le(fabs(cimag(found.list[k].value)),
                                        1e-12);
                }
                resonances_release(&found);
                ports_release(&ports);
                terrain_release(&terrain);
            }
        carve_bend(1, true);
    }
END_TEST

/* By numpy, from dense matrices: a dead end 5 wide and 12 deep at a corridor 5
 * wide, and a room of 22 x 15 cells behind a door 3 wide. */
START_TEST(what_leaks_rings_as_computed_independently)
    {
        static const int stub[][6] = { { 0, 20, SIDE - 1, 24 },
                                       { 18, 8, 22, 19 } };
        static const int room[][6] = { { 0, 20, SIDE - 1, 24 },
                                       { 18, 19, 20, 19 },
                                       { 8, 4, 29, 18 } };
        static const struct {
            bool room, fixed;
            size_t number;
            double real, imaginary;
        } known[] = {
            { false, true, 0, .223492730695, 0 },
            { false, true, 1, .328106583209, -.006565047362 },
            { false, true, 2, .481741103885, -.018784304390 },
            { false, false, 0, .129895467672, -.018141777569 },
            { false, false, 1, .317300061022, -.004477494136 },
            { false, false, 3, .500814650088, -.014028769868 },
            { true, true, 5, .258133608196, 0 },
            { true, true, 7, .329465520983, -.000022631683 },
            { true, true, 8, .348833349128, -.002112367070 },
            { true, false, 0, .020489108310, -.000008453736 },
            { true, false, 1, .047348101062, -.001244530692 },
            { true, false, 11, .354727319712, -.000283552522 },
        };
        carve_bend(1, true);
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            struct resonances found;
            struct ports ports;
            struct error error;
            terrain_release(&terrain);
            carve(2, SIDE, known[i].fixed, known[i].room ? room : stub,
                  known[i].room ? 3 : 2);
            ck_assert_int_eq(ports_around(&map, delta,
                                          (const int[]){ 19, 15, 0 }, &ports,
                                          &error),
                             STATUS_OK);
            ck_assert_uint_eq(ports.count, 2);
            ck_assert_int_eq(exact_resonances(&ports, 12, &found, &error),
                             STATUS_OK);
            const size_t number = known[i].number;
            ck_assert_uint_gt(found.count, number);
            ck_assert_double_eq_tol(creal(found.list[number].value),
                                    known[i].real, 1e-11);
            ck_assert_double_eq_tol(cimag(found.list[number].value),
                                    known[i].imaginary, 1e-11);
            resonances_release(&found);
            ports_release(&ports);
        }
    }
END_TEST

#else

START_TEST(a_build_without_lapack_says_so)
    {
        struct error error;
        ck_assert_int_eq(exact_check(&error), STATUS_FAILED);
        ck_assert_ptr_nonnull(strstr(error.message, "built without lapack"));
    }
END_TEST

#endif

/* Fails with a message that contains `text`. */
static void refuse(const char *text, const int (*cells)[GRID_AXES],
                   size_t count, const int source[GRID_AXES])
{
    struct ports ports;
    struct error error = { 0 };
    enum status status =
        count ? ports_between(&map, delta, cells, count, source, &ports, &error)
              : ports_find(&map, delta, source, &ports, &error);
    ck_assert_int_eq(status, STATUS_INPUT);
    ck_assert_msg(strstr(error.message, text) != NULL, "%s", error.message);
    ports_release(&ports);
}

START_TEST(ports_that_are_none_are_refused)
    {
        static const int ring[][6] = { { 0, 10, SIDE - 1, 14 },
                                       { 8, 10, 11, 30 },
                                       { 28, 10, 31, 30 },
                                       { 8, 27, 31, 30 } };
        static const int edge[][6] = { { 0, 10, 29, 14 },
                                       { 20, 10, 24, SIDE - 1 },
                                       { 0, SIDE - 3, SIDE - 1, SIDE - 1 } };
        static const int around[][GRID_AXES] = { { 20, 12 }, { 35, 12 } };
        static const int wall[][GRID_AXES] = { { 3, 3 } };
        static const int last[][GRID_AXES] = { { 0, 12 }, { 35, 12 } };
        const int source[] = { 2, 12, 0 };
        carve(2, SIDE, true, ring, 4);
        refuse("does not separate", around, 2, source);
        refuse("in no straight corridor", wall, 1, source);
        refuse("must continue by a cell", last, 2, source);
        terrain_release(&terrain);
        carve(2, SIDE, true, edge, 3);
        refuse("waves also leave the map at", NULL, 0, source);
        map.open = 0;
        refuse("that ends at an open edge of the map", NULL, 0, source);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("scattering");
    TCase *maps = tcase_create("maps");
    tcase_add_checked_fixture(maps, NULL, stop);
#ifdef HAMON_LAPACK
    tcase_add_test(maps, bends_reflect_as_computed_independently);
    tcase_add_test(maps, a_junction_divides_power_as_computed_independently);
    tcase_add_test(maps, power_is_kept_and_the_matrix_is_symmetrical);
    tcase_add_test(maps, named_ports_give_the_same_part_with_longer_corridors);
    tcase_add_test(maps, rooms_have_the_resonances_of_sines_and_cosines);
    tcase_add_test(maps, what_leaks_rings_as_computed_independently);
#else
    tcase_add_test(maps, a_build_without_lapack_says_so);
#endif
    tcase_add_test(maps, ports_that_are_none_are_refused);
    suite_add_tcase(suite, maps);
    return suite_main(suite);
}
