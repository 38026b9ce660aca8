/* SPDX-License-Identifier: MIT */
/* Shapes compared with the area that they cover, counted by fine sampling. */
#include "base/random.h"
#include "draw/raster/mask.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

enum { SIDE = 40, FINE = 16 };

static struct mask mask;

static double distance(const double a[2], const double b[2], double x, double y)
{
    double d[2] = { b[0] - a[0], b[1] - a[1] };
    double square = d[0] * d[0] + d[1] * d[1];
    double t =
        square > 0 ? ((x - a[0]) * d[0] + (y - a[1]) * d[1]) / square : 0;
    t = fmin(fmax(t, 0), 1);
    return hypot(x - a[0] - t * d[0], y - a[1] - t * d[1]);
}

static double random_between(struct random *random, double low, double high)
{
    return low + (high - low) * random_unit(random);
}

START_TEST(a_line_covers_the_area_within_half_its_width)
    {
        struct random random;
        random_seed(&random, 5);
        mask_init(&mask, SIDE, SIDE);
        for (int trial = 0; trial < 20; trial++) {
            double a[2], b[2], width = random_between(&random, 2.5, 9);
            for (int i = 0; i < 2; i++) {
                a[i] = random_between(&random, -5, SIDE + 5);
                b[i] = random_between(&random, -5, SIDE + 5);
            }
            memset(mask.cover, 0, SIDE * SIDE);
            mask_line(&mask, a, b, width);
            for (int y = 0; y < SIDE; y++)
                for (int x = 0; x < SIDE; x++) {
                    int inside = 0;
                    for (int k = 0; k < FINE * FINE; k++) {
                        double px = x + (k % FINE + .5) / FINE;
                        double py = y + (k / FINE + .5) / FINE;
                        inside += distance(a, b, px, py) <= width / 2;
                    }
                    double exact = (double)inside / (FINE * FINE);
                    double got = mask.cover[y * SIDE + x] / 255.;
                    /* A slanted edge through a pixel: a difference of at most
                     * an eighth; round ends a little more. */
                    ck_assert_msg(fabs(got - exact) < .2,
                                  "trial %d at %d, %d: %g, not %g", trial, x, y,
                                  got, exact);
                }
        }
        mask_release(&mask);
    }
END_TEST

START_TEST(a_disc_has_its_area)
    {
        mask_init(&mask, SIDE, SIDE);
        for (double radius = 2; radius < 18; radius += 1.7) {
            double at[2] = { 19.3, 20.6 }, sum = 0;
            memset(mask.cover, 0, SIDE * SIDE);
            mask_disc(&mask, at, radius);
            for (int i = 0; i < SIDE * SIDE; i++)
                sum += mask.cover[i] / 255.;
            double area = acos(-1) * radius * radius;
            ck_assert_double_eq_tol(sum, area, .02 * area + .2);
        }
        mask_release(&mask);
    }
END_TEST

START_TEST(a_triangle_has_its_area_for_any_first_corner)
    {
        mask_init(&mask, SIDE, SIDE);
        double a[2] = { 4.2, 5.1 }, b[2] = { 35.7, 9.4 }, c[2] = { 17, 36.3 };
        double area = .5 * fabs((b[0] - a[0]) * (c[1] - a[1]) -
                                (b[1] - a[1]) * (c[0] - a[0]));
        for (int turn = 0; turn < 2; turn++) {
            double sum = 0;
            memset(mask.cover, 0, SIDE * SIDE);
            mask_triangle(&mask, a, turn ? c : b, turn ? b : c);
            for (int i = 0; i < SIDE * SIDE; i++)
                sum += mask.cover[i] / 255.;
            ck_assert_double_eq_tol(sum, area, .01 * area);
        }
        mask_release(&mask);
    }
END_TEST

START_TEST(overlaps_do_not_add_up_and_laying_empties_the_mask)
    {
        struct image image;
        static const uint8_t color[3] = { 200, 100, 40 };
        ck_assert_int_eq(image_init(&image, SIDE, SIDE, NULL), STATUS_OK);
        mask_init(&mask, SIDE, SIDE);
        mask_raise(&mask, 3, 4, 100);
        mask_raise(&mask, 3, 4, 60);
        mask_raise(&mask, 5, 5, 255);
        mask_raise(&mask, -1, 5, 255);
        mask_raise(&mask, SIDE, SIDE, 255);
        mask_lay(&mask, &image, color);
        for (int i = 0; i < 3; i++) {
            ck_assert_uint_eq(image_at(&image, 3, 4)[i],
                              (color[i] * 100u + 127) / 255);
            ck_assert_uint_eq(image_at(&image, 5, 5)[i], color[i]);
            ck_assert_uint_eq(image_at(&image, 4, 4)[i], 0);
        }
        for (int i = 0; i < SIDE * SIDE; i++)
            ck_assert_uint_eq(mask.cover[i], 0);
        ck_assert_int_gt(mask.left, mask.right);
        mask_release(&mask);
        image_release(&image);
    }
END_TEST

START_TEST(shapes_far_outside_and_nan_positions_do_no_harm)
    {
        mask_init(&mask, SIDE, SIDE);
        double far[2] = { 1e300, -1e300 }, none[2] = { (double)NAN, 3 };
        double here[2] = { 10, 10 };
        mask_disc(&mask, far, 10);
        mask_line(&mask, here, none, 4);
        mask_line(&mask, none, here, 4);
        mask_triangle(&mask, here, none, far);
        mask_triangle(&mask, here, here, here);
        for (int i = 0; i < SIDE * SIDE; i++)
            ck_assert_uint_eq(mask.cover[i], 0);
        mask_release(&mask);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("mask");
    TCase *tcase = tcase_create("mask");
    tcase_add_test(tcase, a_line_covers_the_area_within_half_its_width);
    tcase_add_test(tcase, a_disc_has_its_area);
    tcase_add_test(tcase, a_triangle_has_its_area_for_any_first_corner);
    tcase_add_test(tcase, overlaps_do_not_add_up_and_laying_empties_the_mask);
    tcase_add_test(tcase, shapes_far_outside_and_nan_positions_do_no_harm);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
