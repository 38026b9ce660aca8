/* SPDX-License-Identifier: MIT */
/* The marks of figures, compared pixel by pixel. */
#include "draw/figure/marks.h"

#include "tests/suite.h"

#include <math.h>
#include <string.h>

enum { SIDE = 64 };
static const double em = 40, middle[2] = { SIDE / 2., SIDE / 2. };

static struct image image;
static struct page *page;

static void set_up(void)
{
    ck_assert_int_eq(image_init(&image, SIDE, SIDE, NULL), STATUS_OK);
    ck_assert_int_eq(page_over(&image, NULL, &page, NULL), STATUS_OK);
}

static void tear_down(void)
{
    page_release(page);
    image_release(&image);
}

/* The mark on a ground of one gray: the gray value of each pixel, and where the
 * mark is. */
static void draw(enum mark mark, const double *along, int ground,
                 uint8_t gray[SIDE * SIDE], bool *covered)
{
    const uint8_t color[3] = { (uint8_t)ground, (uint8_t)ground,
                               (uint8_t)ground };
    image_fill(&image, 0, 0, SIDE, SIDE, color);
    mark_draw(page, mark, em, middle, along);
    for (int i = 0; i < SIDE * SIDE; i++) {
        const uint8_t *pixel = image.rgb + 3 * i;
        gray[i] = (uint8_t)(.2126 * pixel[0] + .7152 * pixel[1] +
                            .0722 * pixel[2] + .5);
        covered[i] = memcmp(pixel, color, 3) != 0;
    }
}

START_TEST(each_mark_differs_from_the_others_in_gray)
    {
        static uint8_t one[SIDE * SIDE], two[SIDE * SIDE];
        static bool first[SIDE * SIDE], second[SIDE * SIDE];
        static const double east[2] = { 1, 0 };
        for (int a = 0; a < MARK_COUNT; a++)
            for (int b = 0; b < a; b++) {
                int apart = 0, all = 0;
                draw((enum mark)a, east, 200, one, first);
                draw((enum mark)b, east, 200, two, second);
                for (int i = 0; i < SIDE * SIDE; i++) {
                    apart += abs(one[i] - two[i]) > 40;
                    all += first[i] || second[i];
                }
                /* Of the pixels that one of them covers, a fifth. */
                ck_assert_msg(5 * apart > all, "%s and %s: %d of %d pixels",
                              mark_names[a], mark_names[b], apart, all);
            }
    }
END_TEST

START_TEST(each_mark_is_visible_on_any_gray_and_within_its_reach)
    {
        static uint8_t gray[SIDE * SIDE];
        static bool covered[SIDE * SIDE];
        for (int mark = 0; mark < MARK_COUNT; mark++)
            for (int ground = 0; ground < 256; ground += 15) {
                int seen = 0;
                draw((enum mark)mark, (double[]){ .6, -.8 }, ground, gray,
                     covered);
                for (int i = 0; i < SIDE * SIDE; i++) {
                    double far = hypot(i % SIDE + .5 - middle[0],
                                       i / SIDE + .5 - middle[1]);
                    seen += abs(gray[i] - ground) > 60;
                    if (far > mark_reach((enum mark)mark, em) + 1.5)
                        ck_assert_msg(!covered[i], "%s: %f of %f",
                                      mark_names[mark], far,
                                      mark_reach((enum mark)mark, em));
                }
                ck_assert_msg(seen > 60, "%s on %d: %d pixels",
                              mark_names[mark], ground, seen);
            }
    }
END_TEST

/* The foremost fifth of a mark with a heading is narrower than its rear. */
START_TEST(a_mark_with_a_heading_points_there)
    {
        static const enum mark marks[] = { MARK_WALKING, MARK_UNDER_WAY };
        static uint8_t gray[SIDE * SIDE];
        static bool covered[SIDE * SIDE];
        for (int m = 0; m < 2; m++)
            for (int turn = 0; turn < 12; turn++) {
                const double unit[2] = { cos(turn * acos(-1) / 6),
                                         sin(turn * acos(-1) / 6) };
                const double along[2] = { 7 * unit[0], 7 * unit[1] };
                double ends[2] = { 0, 0 }, wide[2] = { 0, 0 };
                draw(marks[m], along, 200, gray, covered);
                for (int pass = 0; pass < 2; pass++)
                    for (int i = 0; i < SIDE * SIDE; i++) {
                        double x = i % SIDE + .5 - middle[0];
                        double y = i / SIDE + .5 - middle[1];
                        double ahead = x * unit[0] + y * unit[1];
                        double beside = fabs(y * unit[0] - x * unit[1]);
                        if (!covered[i])
                            continue;
                        if (pass == 0) {
                            ends[0] = fmin(ends[0], ahead);
                            ends[1] = fmax(ends[1], ahead);
                            continue;
                        }
                        double part = (ahead - ends[0]) / (ends[1] - ends[0]);
                        if (part > .8)
                            wide[1] = fmax(wide[1], beside);
                        else if (part < .4)
                            wide[0] = fmax(wide[0], beside);
                    }
                ck_assert_msg(wide[1] < .6 * wide[0], "%s, %d: %f, %f",
                              mark_names[marks[m]], 30 * turn, wide[1],
                              wide[0]);
            }
    }
END_TEST

/* Of two that follow each other one is dark and one light, so that they differ
 * in gray; and no two are alike. */
START_TEST(colours_alternate_between_dark_and_light)
    {
        for (int i = 0; i < MARK_COLORS; i++) {
            const uint8_t *a = mark_color(i), *b = mark_color(i + 1);
            double dark = .2126 * a[0] + .7152 * a[1] + .0722 * a[2];
            double light = .2126 * b[0] + .7152 * b[1] + .0722 * b[2];
            if (i % 2 == 0 && i + 1 < MARK_COLORS)
                ck_assert_double_gt(light, dark + 40);
            for (int k = 0; k < i; k++)
                ck_assert(memcmp(a, mark_color(k), 3) != 0);
        }
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("marks");
    TCase *tests = tcase_create("marks");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, each_mark_differs_from_the_others_in_gray);
    tcase_add_test(tests,
                   each_mark_is_visible_on_any_gray_and_within_its_reach);
    tcase_add_test(tests, a_mark_with_a_heading_points_there);
    tcase_add_test(tests, colours_alternate_between_dark_and_light);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
