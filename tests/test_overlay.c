/* SPDX-License-Identifier: MIT */
/* Agents' signs and trails: those of one colour are told apart, in black and
 * white too. */
#include "suite.h"

#include "draw/overlay.h"

#include <math.h>
#include <string.h>

enum { SIDE = 120, AGENTS = 21, LEVEL = 60 };

static struct image image;
static struct mask mask;
static struct stage stage = { .step = { { 1, 0 }, { 0, 1 } } };
static const struct pen pen = { .image = &image,
                                .mask = &mask,
                                .stage = &stage,
                                .em = 29 /* 7 points at 300 dots an inch */ };

static void setup(void)
{
    ck_assert_int_eq(image_init(&image, SIDE, SIDE, NULL), STATUS_OK);
    ck_assert_int_eq(mask_init(&mask, SIDE, SIDE, NULL), STATUS_OK);
    memset(image.rgb, 255, (size_t)SIDE * SIDE * 3);
}

static void teardown(void)
{
    mask_release(&mask);
    image_release(&image);
}

static int luma(const uint8_t *rgb)
{
    return (2126 * rgb[0] + 7152 * rgb[1] + 722 * rgb[2]) / 10000;
}

/* The brightness of every pixel where the agent's sign was drawn on white. */
static void draw_sign(const struct pen *with, int agent, int out[SIDE * SIDE])
{
    memset(image.rgb, 255, (size_t)SIDE * SIDE * 3);
    overlay_agent(with, agent, (double[]){ SIDE / 2., SIDE / 2. });
    for (int i = 0; i < SIDE * SIDE; i++)
        out[i] = luma(image.rgb + 3 * (size_t)i);
}

static int pixels_unlike(const int *a, const int *b)
{
    int unlike = 0;
    for (int i = 0; i < SIDE * SIDE; i++)
        unlike += abs(a[i] - b[i]) > LEVEL;
    return unlike;
}

START_TEST(twenty_one_agents_have_a_colour_or_a_shape_of_their_own)
    {
        for (int i = 0; i < AGENTS; i++)
            for (int j = 0; j < i; j++)
                ck_assert(overlay_color(i) != overlay_color(j) ||
                          overlay_shape(i) != overlay_shape(j));
        ck_assert_ptr_eq(overlay_color(AGENTS), overlay_color(0));
        ck_assert_int_eq(overlay_shape(AGENTS), overlay_shape(0));
        ck_assert_int_eq(overlay_shape(-1), OVERLAY_DISC);
    }
END_TEST

START_TEST(signs_of_one_colour_differ_in_black_and_white)
    {
        static int one[SIDE * SIDE], other[SIDE * SIDE];
        double area = 3.14159265 * pow(overlay_agent_radius(pen.em), 2);
        for (int i = 0; i < AGENTS; i++)
            for (int j = 0; j < i; j++) {
                if (overlay_color(i) != overlay_color(j))
                    continue;
                draw_sign(&pen, i, one);
                draw_sign(&pen, j, other);
                ck_assert_double_gt(pixels_unlike(one, other), .08 * area);
            }
    }
END_TEST

START_TEST(signs_of_every_shape_have_the_area_of_a_disc)
    {
        static int sign[SIDE * SIDE];
        struct pen large = pen;
        large.em = 90; /* few pixels are of its edge */
        double area = 3.14159265 * pow(overlay_agent_radius(large.em), 2);
        for (int agent = 6; agent < AGENTS; agent += 7) { /* a dark one */
            double covered = 0;
            draw_sign(&large, agent, sign);
            for (int i = 0; i < SIDE * SIDE; i++)
                covered += sign[i] < 128;
            ck_assert_double_eq_tol(covered / area, 1, .03);
        }
    }
END_TEST

/* How much of a trail is its colour, and how much its casing. */
static void draw_trail(int agent, int *colored, int *cased)
{
    double xs[] = { 10, 110 }, ys[] = { 60, 60 }, zs[] = { 0, 0 };
    struct track track = { .number = agent, .at = { xs, ys, zs } };
    struct tracks tracks = { .rows = 2, .track = &track, .count = 1 };
    memset(image.rgb, 255, (size_t)SIDE * SIDE * 3);
    overlay_trails(&pen, &tracks, 1);
    *colored = *cased = 0;
    for (int x = 15; x < 105; x++) {
        const uint8_t *on = image_at(&image, x, 60);
        *colored += luma(on) > luma(overlay_color(agent)) - LEVEL;
        *cased += luma(on) < LEVEL;
    }
}

START_TEST(trails_of_one_colour_are_unbroken_dashed_and_dotted)
    {
        int colored[OVERLAY_SHAPES], cased[OVERLAY_SHAPES];
        for (int shape = 0; shape < OVERLAY_SHAPES; shape++)
            draw_trail(7 * shape, &colored[shape], &cased[shape]);
        ck_assert_int_eq(colored[OVERLAY_DISC], 90);
        ck_assert_int_eq(cased[OVERLAY_DISC], 0);
        for (int shape = 1; shape < OVERLAY_SHAPES; shape++) {
            ck_assert_int_ge(colored[shape], 20);
            ck_assert_int_ge(cased[shape], 20);
        }
        ck_assert_int_gt(colored[OVERLAY_SQUARE], colored[OVERLAY_TRIANGLE]);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("overlay");
    TCase *tcase = tcase_create("overlay");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase,
                   twenty_one_agents_have_a_colour_or_a_shape_of_their_own);
    tcase_add_test(tcase, signs_of_one_colour_differ_in_black_and_white);
    tcase_add_test(tcase, signs_of_every_shape_have_the_area_of_a_disc);
    tcase_add_test(tcase, trails_of_one_colour_are_unbroken_dashed_and_dotted);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
