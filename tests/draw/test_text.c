/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "draw/canvas/page.h"
#include "draw/figure/ticks.h"
#include "draw/raster/installed.h"
#include "draw/raster/text.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDE = 400, HIGH = 120 };

static struct font *font;
static struct image image;
static uint8_t cover[WIDE * HIGH]; /* of the text last drawn */

static void set_up(void)
{
    struct error error;
    ck_assert_msg(font_open(NULL, &font, &error) == STATUS_OK, "%s",
                  error.message);
    ck_assert_int_eq(image_init(&image, WIDE, HIGH, NULL), STATUS_OK);
}

static void tear_down(void)
{
    font_release(font);
    image_release(&image);
}

/* The box round all covered pixels. */
static void find_box(int box[4])
{
    box[0] = WIDE;
    box[1] = HIGH;
    box[2] = box[3] = 0;
    for (int y = 0; y < HIGH; y++)
        for (int x = 0; x < WIDE; x++)
            if (cover[y * WIDE + x]) {
                box[0] = x < box[0] ? x : box[0];
                box[1] = y < box[1] ? y : box[1];
                box[2] = x + 1 > box[2] ? x + 1 : box[2];
                box[3] = y + 1 > box[3] ? y + 1 : box[3];
            }
}

/* White on black. */
static void draw_in(struct font *with, const char *text, double size, double x,
                    double y, bool upward)
{
    static const uint8_t white[3] = { 255, 255, 255 };
    struct page *page;
    memset(image.rgb, 0, sizeof cover * 3);
    ck_assert_int_eq(page_over(&image, with, &page, NULL), STATUS_OK);
    page_text(page, size, text, (double[]){ x, y }, upward, white);
    page_release(page);
    for (size_t i = 0; i < sizeof cover; i++)
        cover[i] = image.rgb[3 * i];
}

static void draw(const char *text, double size, double x, double y, bool upward)
{
    draw_in(font, text, size, x, y, upward);
}

START_TEST(capitals_have_the_stated_height_above_the_baseline)
    {
        for (double size = 9; size < 60; size += 7.3) {
            int box[4];
            draw("HIE", size, 20, 80, false);
            find_box(box);
            ck_assert_int_eq(box[3], 80);
            ck_assert_double_eq_tol(box[3] - box[1], TEXT_CAPITAL * size, 1.01);
            ck_assert_int_ge(box[0], 20);
            ck_assert_double_le(box[2], 21 + text_width(font, size, "HIE"));
        }
    }
END_TEST

START_TEST(upward_text_is_the_same_turned_by_a_quarter)
    {
        static uint8_t across[100][100];
        draw("Wave 0", 20, 10, 50, false);
        for (int y = 0; y < 100; y++)
            for (int x = 0; x < 100; x++)
                across[y][x] = cover[y * WIDE + x];
        draw("Wave 0", 20, 50, 110, true);
        int differ = 0;
        for (int y = 0; y < 100; y++)
            for (int x = 10; x < 100; x++) {
                /* (10 + a, 50 − b) → (50 − b, 110 − a), corners of pixels */
                uint8_t turned = cover[(109 - (x - 10)) * WIDE + y];
                differ += abs(turned - across[y][x]) > 48;
            }
        ck_assert_int_le(differ, 12);
    }
END_TEST

START_TEST(the_same_text_gives_the_same_pixels)
    {
        static uint8_t first[WIDE * HIGH];
        draw("amplitude of wave 0 (−10⁻³)", 17.5, 3.2, 40.7, false);
        memcpy(first, cover, sizeof first);
        struct font *other;
        ck_assert_int_eq(font_open(NULL, &other, NULL), STATUS_OK);
        draw_in(other, "amplitude of wave 0 (−10⁻³)", 17.5, 3.2, 40.7, false);
        ck_assert_mem_eq(first, cover, sizeof first);
        font_release(other);
    }
END_TEST

START_TEST(invalid_characters_are_drawn_as_the_replacement)
    {
        static uint8_t wanted[WIDE * HIGH];
        static const char *const hostile[] = {
            "\x1b",         "\x7f",     "\xff",         "\xc3",
            "\xed\xa0\x80", "\xc0\x80", "\xe2\x80\xae", "\xf4\x90\x80\x80",
            "\xc2\x9b",
        };
        draw("a\uFFFD", 30, 10, 60, false);
        memcpy(wanted, cover, sizeof wanted);
        for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
            char text[16];
            snprintf(text, sizeof text, "a%s", hostile[i]);
            draw(text, 30, 10, 60, false);
            int box[4];
            find_box(box);
            ck_assert_int_gt(box[2], 30);
            /* Bytes that begin no character are replaced one by one. */
            for (int y = 0; y < HIGH; y++)
                ck_assert_msg(memcmp(wanted + y * WIDE, cover + y * WIDE, 50) ==
                                  0,
                              "text %zu", i);
        }
    }
END_TEST

START_TEST(line_breaks_and_tabs_are_drawn_as_spaces)
    {
        static uint8_t expected[WIDE * HIGH];
        static const char *const breaks[] = { "\n",     "\r",    "\t",
                                              "\v",     "\f",    "\xc2\x85",
                                              "\u2028", "\u2029" };
        draw("a b", 30, 10, 60, false);
        memcpy(expected, cover, sizeof expected);
        for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++) {
            char text[16];
            snprintf(text, sizeof text, "a%sb", breaks[i]);
            draw(text, 30, 10, 60, false);
            ck_assert_mem_eq(cover, expected, sizeof expected);
        }
    }
END_TEST

START_TEST(the_packages_named_have_the_characters)
    {
        ck_assert_str_eq(lacking_packages("波カ한"), "fonts-noto-cjk");
        ck_assert_str_eq(lacking_packages("موجة"), "fonts-noto-core");
        ck_assert_str_eq(lacking_packages("คลื่น"), "fonts-noto-core");
        ck_assert_str_eq(lacking_packages("波คลื่น"),
                         "fonts-noto-cjk and fonts-noto-core");
    }
END_TEST

START_TEST(text_is_shortened_to_the_available_width)
    {
        char text[128] = "A title that is much too long for the picture 波紋";
        text_fit(font, 20, 200, text);
        ck_assert_double_le(text_width(font, 20, text), 200);
        ck_assert_str_eq(text + strlen(text) - 3, "\u2026");
        /* For any length no byte is written after the text's end. */
        for (size_t length = 0; length < 40; length++) {
            char *exact = memory_new(length + 1, 1);
            for (size_t i = 0; i < length; i++)
                exact[i] = (i & 3) == 3 ? 'W' : "\xe6\xb3\xa2"[i & 3];
            text_fit(font, 20, 60, exact);
            ck_assert_uint_le(strlen(exact), length);
            memory_release(exact);
        }
        char kept[] = "short";
        text_fit(font, 20, 200, kept);
        ck_assert_str_eq(kept, "short");
    }
END_TEST

START_TEST(a_file_that_is_no_font_is_rejected)
    {
        struct font *none;
        struct error error;
        ck_assert_int_eq(font_open("/dev/null", &none, &error), STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "/dev/null"));
        ck_assert_int_eq(font_open("/no/such.ttf", &none, &error),
                         STATUS_INPUT);
    }
END_TEST

/* ---- ticks ---- */

static void ck_labels(double low, double high, double width, int most,
                      const char *labels)
{
    struct scale scale = { low, high, width };
    struct ticks ticks;
    char all[512] = "";
    ticks_make(&scale, most, &ticks);
    for (int i = 0; i < ticks.count; i++) {
        const struct tick *tick = &ticks.tick[i];
        ck_assert(tick->value >= low - 1e-9 * (high - low) &&
                  tick->value <= high + 1e-9 * (high - low));
        ck_assert_double_eq_tol(tick->place, scale_place(&scale, tick->value),
                                1e-12);
        size_t used = strlen(all);
        if (tick->label[0])
            snprintf(all + used, sizeof all - used, "%s%s", used ? " " : "",
                     tick->label);
    }
    ck_assert_str_eq(all, labels);
}

START_TEST(linear_ticks_are_round_and_few)
    {
        ck_labels(0, 1, 0, 5, "0 0.2 0.4 0.6 0.8 1.0");
        ck_labels(0, 120, 0, 6, "0 20 40 60 80 100 120");
        ck_labels(-.25, .25, 0, 6, "−0.2 −0.1 0 0.1 0.2");
        ck_labels(3, 158, 0, 8, "20 40 60 80 100 120 140");
        ck_labels(-180, 180, 0, 8, "−180 −90 0 90 180");
        ck_labels(0, 3e-6, 0, 3, "0 10⁻⁶ 2×10⁻⁶ 3×10⁻⁶");
    }
END_TEST

START_TEST(every_axis_has_two_ticks)
    {
        ck_labels(0, 44, 0, 2, "0 40");
        ck_labels(7, 12, 0, 2, "8 12");
        for (int cells = 2; cells < 600; cells++)
            for (int most = 2; most < 12; most++)
                for (int low = 0; low < 30; low += 7) {
                    struct scale scale = { low, low + cells - 1, 0 };
                    struct ticks ticks;
                    ticks_make(&scale, most, &ticks);
                    ck_assert_int_ge(ticks.count, 2);
                    ck_assert(ticks.count <= most + 1 || cells == 361);
                }
    }
END_TEST

START_TEST(logarithmic_ticks_are_zero_and_powers_of_ten)
    {
        ck_labels(-.5, .5, 1e-4, 20,
                  "0 10⁻¹ 10⁻² 10⁻³ 10⁻⁴ −10⁻¹ −10⁻² −10⁻³ −10⁻⁴");
        ck_labels(0, 20, 1e-2, 9, "0 10 1 10⁻¹ 10⁻²");
        /* With little room, every second label. */
        ck_labels(0, 1, 1e-6, 5, "0 1 10⁻² 10⁻⁴");
    }
END_TEST

START_TEST(labels_of_a_scale_never_meet)
    {
        for (int most = 2; most < 20; most++)
            for (double width = 1e-9; width < 1; width *= 7) {
                struct scale scale = { -1, 1, width };
                struct ticks ticks;
                ticks_make(&scale, most, &ticks);
                for (int i = 0; i < ticks.count; i++)
                    for (int k = 0; k < i; k++)
                        if (ticks.tick[i].label[0] && ticks.tick[k].label[0])
                            ck_assert_double_ge(
                                fabs(ticks.tick[i].place - ticks.tick[k].place),
                                .7 / most);
            }
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("text");
    TCase *tcase = tcase_create("text");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, capitals_have_the_stated_height_above_the_baseline);
    tcase_add_test(tcase, upward_text_is_the_same_turned_by_a_quarter);
    tcase_add_test(tcase, the_same_text_gives_the_same_pixels);
    tcase_add_test(tcase, invalid_characters_are_drawn_as_the_replacement);
    tcase_add_test(tcase, line_breaks_and_tabs_are_drawn_as_spaces);
    tcase_add_test(tcase, the_packages_named_have_the_characters);
    tcase_add_test(tcase, text_is_shortened_to_the_available_width);
    tcase_add_test(tcase, a_file_that_is_no_font_is_rejected);
    tcase_add_test(tcase, linear_ticks_are_round_and_few);
    tcase_add_test(tcase, every_axis_has_two_ticks);
    tcase_add_test(tcase, logarithmic_ticks_are_zero_and_powers_of_ten);
    tcase_add_test(tcase, labels_of_a_scale_never_meet);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
