/* SPDX-License-Identifier: MIT */
/* The smooth surface: those of spheres have their area and radius, and every
 * surface is closed, faces outwards and stays in the map. */
#include "tests/suite.h"

#include "base/random.h"
#include "draw/figure/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 24, CELLS = SIDE * SIDE * SIDE };

static const struct box region = { { 3, -2, 5 },
                                   { SIDE + 2, SIDE - 3, SIDE + 4 } };
static double values[CELLS];
static uint8_t wall[CELLS];
static struct surface surface;

static void finish(void)
{
    surface_release(&surface);
}

static void place_of(int i, double at[3])
{
    at[0] = i % SIDE + region.low[0];
    at[1] = i / SIDE % SIDE + region.low[1];
    at[2] = i / SIDE / SIDE + region.low[2];
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* Twice the area of a triangle, as a vector outwards. */
static void outwards(size_t triangle, double out[3])
{
    const double *at[3];
    for (int i = 0; i < 3; i++)
        at[i] = surface.corners[surface.triangles[triangle][i]].at;
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = (at[1][i] - at[0][i]) * (at[2][j] - at[0][j]) -
                 (at[1][j] - at[0][j]) * (at[2][i] - at[0][i]);
    }
}

static double size(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double find_area(void)
{
    double area = 0, out[3];
    for (size_t i = 0; i < surface.triangle_count; i++) {
        outwards(i, out);
        area += size(out) / 2;
    }
    return area;
}

/* By the theorem of Gauss: the flux of the place itself through it, a third. */
static double find_volume(void)
{
    double volume = 0, out[3];
    for (size_t i = 0; i < surface.triangle_count; i++) {
        outwards(i, out);
        for (int corner = 0; corner < 3; corner++)
            for (int k = 0; k < 3; k++)
                volume += surface.corners[surface.triangles[i][corner]].at[k] *
                          out[k] / 18;
    }
    return volume;
}

static int compare_edges(const void *a, const void *b)
{
    return memcmp(a, b, 2 * sizeof(size_t));
}

/* Each edge is in two triangles, once in each direction. */
static void ck_closed(void)
{
    size_t count = 3 * surface.triangle_count;
    size_t(*edges)[2] = malloc((2 * count + 1) * sizeof *edges);
    for (size_t i = 0; i < count; i++) {
        const size_t *triangle = surface.triangles[i / 3];
        edges[i][0] = edges[count + i][1] = triangle[i % 3];
        edges[i][1] = edges[count + i][0] = triangle[(i + 1) % 3];
        ck_assert_uint_ne(edges[i][0], edges[i][1]);
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    qsort(edges + count, count, sizeof *edges, compare_edges);
    ck_assert_mem_eq(edges, edges + count, count * sizeof *edges);
    for (size_t i = 1; i < count; i++)
        ck_assert_int_ne(compare_edges(edges[i - 1], edges[i]), 0);
    free(edges);
}

static const double middle[3] = { 14.3, 9.1, 16.7 };
static const double pi = 3.14159265358979;

/* Linear in the distance: no rule of SOLID_SIZE's sign. */
static void make_ball(double radius, enum solid_rule rule)
{
    memset(wall, 0, sizeof wall);
    for (int i = 0; i < CELLS; i++) {
        double at[3];
        place_of(i, at);
        values[i] = distance(at, middle);
        if (rule != SOLID_UP_TO)
            values[i] = 2 * radius - values[i];
        if (rule == SOLID_SIZE)
            values[i] = values[i] < 0 ? 0 : -values[i];
    }
}

START_TEST(the_surface_of_a_ball_has_its_area_volume_and_radius)
    {
        static const double radii[] = { 3.3, 6.1, 9.4 };
        const double radius = radii[_i / 3];
        const enum solid_rule rules[] = { SOLID_FROM, SOLID_UP_TO, SOLID_SIZE };
        const struct solid_field field = { .values = values,
                                           .wall = wall,
                                           .rule = rules[_i % 3],
                                           .level = radius };
        make_ball(radius, field.rule);
        surface_find(&surface, &field, &region, &region);
        ck_closed();
        /* A chord √3 long of the sphere is at most 3/8r from it; faces and
         * linear interpolation add up. */
        const double most = 2 * 3 / (8 * radius);
        for (size_t i = 0; i < surface.count; i++) {
            const struct surface_corner *corner = &surface.corners[i];
            double off = distance(corner->at, middle), cosine = 0;
            ck_assert_double_lt(fabs(off - radius), most);
            for (int k = 0; k < 3; k++)
                cosine += corner->normal[k] * (corner->at[k] - middle[k]) / off;
            ck_assert_double_gt(cosine, .95);
            ck_assert_double_eq_tol(fabs(corner->value), radius, 1e-12);
            ck_assert(field.rule != SOLID_SIZE || corner->value < 0);
        }
        double area = 4 * pi * radius * radius;
        double volume = area * radius / 3;
        ck_assert_double_eq_tol(find_area() / area, 1, most / radius);
        ck_assert_double_eq_tol(find_volume() / volume, 1, 2 * most / radius);
        ck_assert_double_lt(find_volume(), volume);
        /* One ball: V − E + F = 2. */
        ck_assert_uint_eq(surface.count + surface.triangle_count -
                              3 * surface.triangle_count / 2,
                          2);
    }
END_TEST

START_TEST(surfaces_of_random_fields_are_closed_and_within_the_map)
    {
        struct random random;
        struct box box = region;
        random_seed(&random, 3 + (uint64_t)_i);
        for (int i = 0; i < CELLS; i++) {
            values[i] = 2 * random_unit(&random) - 1;
            wall[i] = random_unit(&random) < .1;
            if (random_unit(&random) < .05)
                values[i] = _i % 2 ? (double)NAN : .3; /* .3 is the level */
        }
        values[9] = INFINITY;
        box.low[2] += 4;
        box.high[0] -= 5;
        const struct solid_field field = { .values = values,
                                           .wall = wall,
                                           .rule = (enum solid_rule)(_i % 3),
                                           .level = .3 };
        surface_find(&surface, &field, &region, &box);
        ck_assert_uint_gt(surface.triangle_count, 1000);
        ck_closed();
        for (size_t i = 0; i < surface.count; i++)
            for (int k = 0; k < 3; k++) {
                double at = surface.corners[i].at[k];
                ck_assert(at >= box.low[k] - .5 && at <= box.high[k] + .5);
                ck_assert(isfinite(surface.corners[i].normal[k]));
            }
    }
END_TEST

/* A field beyond the level everywhere: the surface is that of the box, but for
 * its edges, of which those not along a diagonal are cut. */
START_TEST(at_walls_and_edges_of_the_map_the_surface_is_flat)
    {
        const struct solid_field field = {
            .values = values, .wall = wall, .rule = SOLID_FROM, .level = 1
        };
        int at_wall = 0;
        memset(wall, 0, sizeof wall);
        for (int i = 0; i < CELLS; i++)
            values[i] = 7;
        const int walled = (12 * SIDE + 11) * SIDE + 10;
        double at[3];
        place_of(walled, at);
        wall[walled] = 1;
        surface_find(&surface, &field, &region, &region);
        ck_closed();
        for (size_t i = 0; i < surface.count; i++) {
            const double *corner = surface.corners[i].at;
            double outer = INFINITY, inner = 0;
            for (int k = 0; k < 3; k++) {
                outer =
                    fmin(outer, fmin(fabs(corner[k] - region.low[k] + .5),
                                     fabs(corner[k] - region.high[k] - .5)));
                inner = fmax(inner, fabs(corner[k] - at[k]));
            }
            ck_assert(outer == 0 || inner == .5);
            at_wall += inner == .5;
            ck_assert(surface.corners[i].value == 7);
        }
        ck_assert_int_eq(at_wall, 14);
        double side = SIDE;
        ck_assert_double_eq_tol(find_volume() / (side * side * side), 1, .01);
    }
END_TEST

START_TEST(a_field_below_the_level_has_no_surface)
    {
        const struct solid_field field = {
            .values = values, .wall = wall, .rule = SOLID_FROM, .level = 99
        };
        make_ball(4, SOLID_FROM);
        surface_find(&surface, &field, &region, &region);
        ck_assert_uint_eq(surface.count, 0);
        ck_assert_uint_eq(surface.triangle_count, 0);
    }
END_TEST

/* Rays at the middle and beside the ball, and its outline. */
START_TEST(a_ball_is_seen_as_a_shaded_disc)
    {
        struct solid solid;
        struct ramp ramp;
        struct image image;
        const double radius = 6.1, cell = 8;
        const struct scale scale = { 0, 20, 0 };
        const struct solid_field field = { .values = values,
                                           .wall = wall,
                                           .walls = _i,
                                           .rule = SOLID_UP_TO,
                                           .level = radius,
                                           .smooth = true };
        make_ball(radius, field.rule);
        ck_assert_int_eq(ramp_load("viridis", &ramp, NULL), STATUS_OK);
        ck_assert_int_eq(solid_init(&solid, &region, &region,
                                    &(struct solid_sight){ 37, 21 }, cell, 2,
                                    NULL),
                         STATUS_OK);
        ck_assert_int_eq(image_init(&image, solid.width, solid.height, NULL),
                         STATUS_OK);
        memset(image.rgb, 255, (size_t)3 * solid.width * solid.height);
        solid_paint(&solid, &field, &scale, &ramp, &image);
        double centre[2], depth = 0;
        projection_place(&solid.projection, middle, centre);
        for (int k = 0; k < 3; k++)
            depth += solid.into[k] * middle[k];
        int covered = 0;
        for (int y = 0; y < solid.height; y++)
            for (int x = 0; x < solid.width; x++) {
                double off = hypot(x + .5 - centre[0], y + .5 - centre[1]);
                double found = (double)solid.depth[y * solid.width + x];
                double wanted =
                    depth -
                    sqrt(fmax(radius * radius - off * off / cell / cell, 0));
                covered += isfinite(found);
                if (off > cell * (radius + .13) + 1)
                    ck_assert(isinf(found));
                else if (off < .8 * cell * radius)
                    ck_assert_double_eq_tol(found, wanted, .3);
            }
        ck_assert_double_eq_tol(covered / (pi * radius * radius * cell * cell),
                                1, .03);
        /* Lighter above left than below right. */
        int high =
            image_at(&image, (int)(centre[0] - 20), (int)(centre[1] - 30))[1];
        int low =
            image_at(&image, (int)(centre[0] + 20), (int)(centre[1] + 30))[1];
        ck_assert_int_gt(high, low + 20);
        ck_assert(solid_hides(&solid, middle));
        solid_release(&solid);
        image_release(&image);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("surface");
    TCase *tcase = tcase_create("surface");
    tcase_add_checked_fixture(tcase, NULL, finish);
    tcase_add_loop_test(
        tcase, the_surface_of_a_ball_has_its_area_volume_and_radius, 0, 9);
    tcase_add_loop_test(
        tcase, surfaces_of_random_fields_are_closed_and_within_the_map, 0, 6);
    tcase_add_test(tcase, at_walls_and_edges_of_the_map_the_surface_is_flat);
    tcase_add_test(tcase, a_field_below_the_level_has_no_surface);
    tcase_add_loop_test(tcase, a_ball_is_seen_as_a_shaded_disc, 0, 2);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
