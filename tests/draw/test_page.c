/* SPDX-License-Identifier: MIT */
/* Pages as PNG: shapes compared with the area that they cover, counted by fine
 * sampling; cells compared with the image's own. */
#include "base/memory.h"
#include "base/random.h"
#include "draw/canvas/page.h"
#include "draw/raster/text.h"
#include "tests/suite.h"

#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 40, FINE = 16 };

static const uint8_t black[3] = { 0, 0, 0 };

static struct page *page;
static struct image pixels;
static char *written;
static size_t length;
static FILE *file;

static void open_page(const struct page_format *format, double width,
                      double height, double dots)
{
    struct error error;
    const struct page_size size = { width, height, width, dots };
    file = open_memstream(&written, &length);
    ck_assert_ptr_nonnull(file);
    ck_assert_msg(page_open(format, &size, NULL, file, &page, &error) ==
                      STATUS_OK,
                  "%s", error.message);
}

static void close_page(void)
{
    page_release(page);
    fclose(file);
    free(written);
    image_release(&pixels);
}

/* How much of a pixel is black, from 0 to 1. */
static double covered(int x, int y)
{
    return 1 - image_at(&pixels, x, y)[0] / 255.;
}

static double area(void)
{
    double sum = 0;
    ck_assert_int_eq(page_pixels(page, &pixels, NULL), STATUS_OK);
    for (int i = 0; i < pixels.width * pixels.height; i++)
        sum += covered(i % pixels.width, i / pixels.width);
    return sum;
}

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
        for (int trial = 0; trial < 20; trial++) {
            double a[2], b[2], width = random_between(&random, .7, 9);
            for (int i = 0; i < 2; i++) {
                a[i] = random_between(&random, -5, SIDE + 5);
                b[i] = random_between(&random, -5, SIDE + 5);
            }
            open_page(&page_png, SIDE, SIDE, 72);
            page_line(page, a, b, width);
            page_lay(page, black);
            area();
            for (int y = 0; y < SIDE; y++)
                for (int x = 0; x < SIDE; x++) {
                    int inside = 0;
                    for (int k = 0; k < FINE * FINE; k++) {
                        double px = x + (k % FINE + .5) / FINE;
                        double py = y + (k / FINE + .5) / FINE;
                        inside += distance(a, b, px, py) <= width / 2;
                    }
                    double exact = (double)inside / (FINE * FINE);
                    ck_assert_msg(fabs(covered(x, y) - exact) < .1,
                                  "trial %d at %d, %d: %g, not %g", trial, x, y,
                                  covered(x, y), exact);
                }
            close_page();
        }
    }
END_TEST

START_TEST(discs_and_rings_have_their_areas)
    {
        const double pi = acos(-1), at[2] = { 19.3, 20.6 };
        for (double radius = 2; radius < 18; radius += 1.7) {
            open_page(&page_png, SIDE, SIDE, 72);
            page_disc(page, at, radius);
            page_lay(page, black);
            ck_assert_double_eq_tol(area(), pi * radius * radius,
                                    .01 * pi * radius * radius + .1);
            close_page();
            open_page(&page_png, SIDE, SIDE, 72);
            page_ring(page, at, radius, 1.5);
            page_lay(page, black);
            ck_assert_double_eq_tol(area(), 2 * pi * radius * 1.5,
                                    .03 * radius * 1.5 + .1);
            close_page();
        }
    }
END_TEST

START_TEST(polygons_have_their_areas_for_any_order_of_corners)
    {
        const double corners[][2] = {
            { 4.2, 5.1 }, { 35.7, 9.4 }, { 20, 18 }, { 17, 36.3 }
        };
        double exact = 0;
        for (int i = 0; i < 4; i++) {
            const double *a = corners[i], *b = corners[(i + 1) % 4];
            exact += (a[0] * b[1] - b[0] * a[1]) / 2;
        }
        for (int turn = 0; turn < 2; turn++) {
            double turned[4][2];
            for (int i = 0; i < 4; i++)
                memcpy(turned[i], corners[turn ? 3 - i : i], sizeof *turned);
            open_page(&page_png, SIDE, SIDE, 72);
            page_path(page, (const double(*)[2])turned, 4, true);
            page_paint(page, black, 1);
            ck_assert_double_eq_tol(area(), exact, .01 * exact);
            close_page();
        }
    }
END_TEST

START_TEST(overlaps_do_not_add_up)
    {
        const double a[2] = { 14, 20 }, b[2] = { 26, 20 };
        open_page(&page_png, SIDE, SIDE, 72);
        page_disc(page, a, 10);
        page_disc(page, b, 10);
        page_paint(page, black, .5);
        area();
        for (int x = 6; x < 34; x++)
            ck_assert_double_eq_tol(covered(x, 20), .5, .004);
        close_page();
    }
END_TEST

START_TEST(dashes_have_their_lengths_and_ends)
    {
        const double line[][2] = { { 5, 20 }, { 35, 20 } };
        const double pattern[] = { 5, 3, 1, 3 }; /* 5 and 1 of each 12 */
        const double pi = acos(-1);
        for (int butt = 0; butt < 2; butt++) {
            const struct page_stroke stroke = {
                .width = 2, .dash = pattern, .dashes = 4, .butt = butt
            };
            open_page(&page_png, SIDE, SIDE, 72);
            page_path(page, line, 2, false);
            page_stroke(page, &stroke, black, 1);
            /* 5 from 0, 1 from 8, 5 from 12, 1 from 20, 5 from 24 of 30 */
            ck_assert_double_eq_tol(area(), 2 * 17 + (butt ? 0 : 5 * pi),
                                    butt ? .1 : .5);
            ck_assert_double_eq_tol(covered(9, 20), 1, .01);
            ck_assert_double_eq_tol(covered(11, 20), 0, .01);
            ck_assert_double_eq_tol(covered(13, 20), 1, .01);
            ck_assert_double_eq_tol(covered(4, 20), butt ? 0 : pi / 4, .1);
            close_page();
        }
        /* The next line is unbroken again. */
        open_page(&page_png, SIDE, SIDE, 72);
        page_path(page, line, 2, false);
        page_stroke(
            page,
            &(struct page_stroke){ .width = 2, .dash = pattern, .dashes = 4 },
            black, 0);
        page_line(page, line[0], line[1], 2);
        page_lay(page, black);
        ck_assert_double_eq_tol(area(), 60 + pi, .2);
        close_page();
    }
END_TEST

START_TEST(positions_that_are_not_finite_or_far_outside_do_no_harm)
    {
        const double far[2] = { 1e300, -1e300 }, none[2] = { (double)NAN, 3 };
        const double here[2] = { 10, 10 };
        const double corners[][2] = { { 3, 3 }, { (double)NAN, 3 }, { 9, 9 } };
        open_page(&page_png, SIDE, SIDE, 72);
        page_disc(page, far, 10);
        page_line(page, here, none, 4);
        page_line(page, none, here, 4);
        page_ring(page, none, 4, 1);
        page_corners(page, corners, 3);
        page_path(page, corners, 3, true);
        page_path(page, corners, 0, true);
        page_lay(page, black);
        ck_assert_double_le(area(), 0);
        ck_assert_int_eq(page_end(page, NULL, 0, NULL), STATUS_OK);
        close_page();
    }
END_TEST

/* ---- cells ---- */

static struct image cells_of(int width, int height)
{
    struct image image;
    ck_assert_int_eq(image_init(&image, width, height, NULL), STATUS_OK);
    for (int i = 0; i < width * height; i++) {
        image.rgb[3 * i] = (uint8_t)i;
        image.rgb[3 * i + 1] = (uint8_t)(i >> 8);
        image.rgb[3 * i + 2] = 7;
    }
    return image;
}

START_TEST(a_pixel_has_the_colour_of_the_cell_at_its_centre)
    {
        struct image image = cells_of(97, 3);
        for (int side = 1; side < 40; side += 3) {
            int wide = 97 * side, high = 3 * side;
            open_page(&page_png, wide, high, 72);
            page_image(page, &image, (double[]){ 0, 0 }, (double[]){ side, 0 },
                       (double[]){ 0, side });
            area();
            ck_assert_int_eq(pixels.width, wide);
            ck_assert_int_eq(pixels.height, high);
            for (int y = 0; y < high; y++)
                for (int x = 0; x < wide; x++)
                    ck_assert_mem_eq(image_at(&pixels, x, y),
                                     image_at(&image, x / side, y / side), 3);
            close_page();
        }
        image_release(&image);
    }
END_TEST

START_TEST(a_slanted_image_is_white_outside_and_unsmoothed_inside)
    {
        struct image image = cells_of(9, 7);
        const double origin[2] = { 12.3, 3.1 }, right[2] = { 2.6, .7 },
                     down[2] = { -1.1, 4.2 };
        double det = right[0] * down[1] - right[1] * down[0];
        open_page(&page_png, SIDE, SIDE, 72);
        page_image(page, &image, origin, right, down);
        area();
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                static const uint8_t white[3] = { 255, 255, 255 };
                double dx = x + .5 - origin[0], dy = y + .5 - origin[1];
                double u = floor((dx * down[1] - dy * down[0]) / det);
                double v = floor((dy * right[0] - dx * right[1]) / det);
                bool in = u >= 0 && u < 9 && v >= 0 && v < 7;
                ck_assert_mem_eq(image_at(&pixels, x, y),
                                 in ? image_at(&image, (int)u, (int)v) : white,
                                 3);
            }
        close_page();
        image_release(&image);
    }
END_TEST

START_TEST(a_part_clips_cells_and_shapes_at_whole_pixels)
    {
        struct image image = cells_of(1, 1);
        open_page(&page_png, SIDE, SIDE, 72);
        page_part(page, 10.2, 5.9, 20, 11);
        page_image(page, &image, (double[]){ -5, -5 }, (double[]){ 99, 0 },
                   (double[]){ 0, 99 });
        page_whole(page);
        page_part(page, 10.2, 22.1, 20, 11);
        page_disc(page, (double[]){ 0, 0 }, 99);
        page_lay(page, image.rgb);
        page_whole(page);
        area();
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                bool in = x >= 10 && x < 30 &&
                          ((y >= 6 && y < 17) || (y >= 22 && y < 33));
                ck_assert_int_eq(image_at(&pixels, x, y)[2], in ? 7 : 255);
            }
        close_page();
        image_release(&image);
    }
END_TEST

/* ---- over an image ---- */

static void draw_example(void)
{
    const double line[][2] = { { 5, 20 }, { 25, 9 }, { 35, 31 } };
    const double dashes[] = { 4, 2 };
    const struct page_stroke stroke = { .width = .8,
                                        .dash = dashes,
                                        .dashes = 2 };
    page_fill(page, 2.3, 2, 20, 8, black);
    page_text(page, 7.5, "a < b: \u6ce2 10\u207b\u00b3", (double[]){ 3, 30 },
              false, black);
    page_text(page, 7.5, "up", (double[]){ 38, 30 }, true, black);
    page_path(page, line, 3, false);
    page_stroke(page, &stroke, (const uint8_t[]){ 3, 46, 216 }, .5);
}

START_TEST(over_a_white_image_the_drawing_is_the_same)
    {
        struct image image, cells = cells_of(5, 4);
        struct font *font;
        for (int over = 0; over < 2; over++) {
            if (over) {
                ck_assert_int_eq(image_init(&image, SIDE, SIDE, NULL),
                                 STATUS_OK);
                memset(image.rgb, 255, SIDE * SIDE * 3);
                ck_assert_int_eq(font_open(NULL, &font, NULL), STATUS_OK);
                ck_assert_int_eq(page_over(&image, font, &page, NULL),
                                 STATUS_OK);
            } else {
                open_page(&page_png, SIDE, SIDE, 72);
            }
            page_image(page, &cells, (double[]){ 2, 3 }, (double[]){ 5, 0 },
                       (double[]){ 0, 3 });
            draw_example();
            if (!over)
                area(); /* takes the pixels */
            page_release(page);
        }
        fclose(file);
        free(written);
        for (int i = 0; i < SIDE * SIDE * 3; i++)
            ck_assert_int_le(abs(image.rgb[i] - pixels.rgb[i]), 4);
        font_release(font);
        image_release(&image);
        image_release(&cells);
        image_release(&pixels);
    }
END_TEST

START_TEST(a_line_over_an_image_has_no_gaps_however_long)
    {
        enum { LONG = 70000 };
        struct image image;
        ck_assert_int_eq(image_init(&image, LONG, 3, NULL), STATUS_OK);
        ck_assert_int_eq(page_over(&image, NULL, &page, NULL), STATUS_OK);
        page_line(page, (double[]){ -9, 1.5 }, (double[]){ LONG + 9, 1.5 }, 1);
        page_lay(page, (const uint8_t[]){ 9, 8, 7 });
        for (int x = 0; x < LONG; x++)
            for (int y = 0; y < 3; y++)
                ck_assert_int_eq(image_at(&image, x, y)[0], y == 1 ? 9 : 0);
        page_release(page);
        image_release(&image);
    }
END_TEST

/* ---- the file ---- */

START_TEST(the_same_page_gives_the_same_bytes)
    {
        const struct image_note note = { "Source", "run.h5" };
        const struct page_format *const formats[] = { &page_png, &page_pdf,
                                                      &page_svg };
        for (int i = 0; i < 3; i++) {
            char *first = NULL;
            size_t size = 0;
            for (int again = 0; again < 2; again++) {
                open_page(formats[i], SIDE, SIDE, 0);
                draw_example();
                ck_assert_int_eq(page_end(page, &note, 1, NULL), STATUS_OK);
                page_release(page);
                page = NULL;
                ck_assert_int_eq(fflush(file), 0);
                ck_assert_uint_gt(length, 100);
                if (again) {
                    ck_assert_uint_eq(length, size);
                    ck_assert_mem_eq(written, first, size);
                } else {
                    size = length;
                    first = memory_new(size, 1);
                    memcpy(first, written, size);
                }
                close_page();
            }
            memory_release(first);
        }
    }
END_TEST

START_TEST(a_png_has_its_notes_its_resolution_and_that_many_pixels)
    {
        const struct image_note note = { "Source", "run.h5" };
        for (int dots = 0; dots <= 600; dots += 150) {
            const int given = dots ? dots : 300;
            const int side = (int)lround(SIDE * given / 72.);
            open_page(&page_png, SIDE, SIDE, dots);
            draw_example();
            ck_assert_int_eq(page_end(page, &note, 1, NULL), STATUS_OK);
            ck_assert_int_eq(fflush(file), 0);
            png_image head = { .version = PNG_IMAGE_VERSION };
            ck_assert(png_image_begin_read_from_memory(&head, written, length));
            ck_assert_int_eq((int)head.width, side);
            ck_assert_int_eq((int)head.height, side);
            png_image_free(&head);
            const uint32_t each = (uint32_t)lround(given / .0254);
            const unsigned char *chunk = memmem(written, length, "pHYs", 4);
            ck_assert_ptr_nonnull(chunk);
            for (int i = 0; i < 8; i++)
                ck_assert_uint_eq(chunk[4 + i],
                                  each >> (24 - 8 * (i % 4)) & 255);
            ck_assert_ptr_nonnull(
                memmem(written, length, "tEXtSource\0run.h5", 17));
            close_page();
        }
    }
END_TEST

START_TEST(an_svg_has_dashes_ends_and_opacity)
    {
        open_page(&page_svg, SIDE, SIDE, 0);
        page_path(page, (const double[][2]){ { 5, 20 }, { 35, 20 } }, 2, false);
        page_stroke(page,
                    &(struct page_stroke){ .width = 2,
                                           .dash = (double[]){ 4, 1.5 },
                                           .dashes = 2,
                                           .butt = true },
                    black, .25);
        ck_assert_int_eq(page_end(page, NULL, 0, NULL), STATUS_OK);
        ck_assert_int_eq(fflush(file), 0);
        ck_assert_ptr_nonnull(strstr(
            written, "<g stroke=\"#000000\" opacity=\"0.25\" fill=\"none\" "
                     "stroke-width=\"2\" stroke-linecap=\"butt\" "
                     "stroke-dasharray=\"4 1.5\"><path d=\"M5 20L35 20\"/>"));
        close_page();
    }
END_TEST

START_TEST(too_many_pixels_are_rejected)
    {
        struct error error;
        const struct page_size size = { 1000, 10, 1000, 2400 };
        ck_assert_int_eq(page_open(&page_png, &size, NULL, NULL, &page, &error),
                         STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "33333 x 333 pixels"));
        page_release(page);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("page");
    TCase *tcase = tcase_create("page");
    tcase_add_test(tcase, a_line_covers_the_area_within_half_its_width);
    tcase_add_test(tcase, discs_and_rings_have_their_areas);
    tcase_add_test(tcase, polygons_have_their_areas_for_any_order_of_corners);
    tcase_add_test(tcase, overlaps_do_not_add_up);
    tcase_add_test(tcase, dashes_have_their_lengths_and_ends);
    tcase_add_test(tcase,
                   positions_that_are_not_finite_or_far_outside_do_no_harm);
    tcase_add_test(tcase, a_pixel_has_the_colour_of_the_cell_at_its_centre);
    tcase_add_test(tcase,
                   a_slanted_image_is_white_outside_and_unsmoothed_inside);
    tcase_add_test(tcase, a_part_clips_cells_and_shapes_at_whole_pixels);
    tcase_add_test(tcase, over_a_white_image_the_drawing_is_the_same);
    tcase_add_test(tcase, a_line_over_an_image_has_no_gaps_however_long);
    tcase_add_test(tcase, the_same_page_gives_the_same_bytes);
    tcase_add_test(tcase,
                   a_png_has_its_notes_its_resolution_and_that_many_pixels);
    tcase_add_test(tcase, an_svg_has_dashes_ends_and_opacity);
    tcase_add_test(tcase, too_many_pixels_are_rejected);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
