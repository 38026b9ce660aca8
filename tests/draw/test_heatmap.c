/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "base/random.h"
#include "draw/figure/heatmap.h"
#include "tests/suite.h"

#include <errno.h>
#include <float.h>
#include <hdf5.h>
#include <math.h>
#include <png.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

START_TEST(levels_are_limited_to_0_to_255)
    {
        struct scale scale = { -2, 6, 0 };
        ck_assert_int_eq(scale_level(&scale, -2), 0);
        ck_assert_int_eq(scale_level(&scale, 6), 255);
        ck_assert_int_eq(scale_level(&scale, -1e300), 0);
        ck_assert_int_eq(scale_level(&scale, INFINITY), 255);
        ck_assert_int_eq(scale_level(&scale, -INFINITY), 0);
        ck_assert_int_eq(scale_level(&scale, (double)NAN), -1);
        int last = 0;
        for (int i = 0; i <= 100000; i++) {
            int level = scale_level(&scale, -2 + 8 * i / 1e5);
            ck_assert_int_ge(level, last);
            ck_assert_int_le(level, last + 1);
            last = level;
        }
        ck_assert_int_eq(last, 255);
    }
END_TEST

START_TEST(zero_of_a_symmetric_scale_is_in_the_middle)
    {
        struct scale scale = { -.3, .3, 0 };
        ck_assert(scale_place(&scale, 0) == .5);
        scale.linear_width = .3e-4;
        ck_assert(scale_place(&scale, 0) == .5);
        /* 127.5 is always rounded to the same one of the two middle colours. */
        ck_assert_int_eq(scale_level(&scale, 0), 127);
        ck_assert_int_eq(scale_level(&scale, -0.), 127);
    }
END_TEST

START_TEST(the_signed_logarithm_is_odd_smooth_and_gives_decades_equal_room)
    {
        struct scale scale = { -10, 10, 1e-3 };
        double decade = scale_place(&scale, 10) - scale_place(&scale, 1);
        ck_assert_double_eq_tol(
            scale_place(&scale, .1) - scale_place(&scale, .01), decade, 1e-15);
        for (double v = 1e-6; v < 10; v *= 1.37)
            ck_assert_double_eq_tol(scale_place(&scale, v) - .5,
                                    .5 - scale_place(&scale, -v), 1e-15);
        /* One slope on both sides of the linear width. */
        double h = 1e-8, w = scale.linear_width;
        double below = scale_place(&scale, w) - scale_place(&scale, w - h);
        double above = scale_place(&scale, w + h) - scale_place(&scale, w);
        ck_assert_double_eq_tol(above / below, 1, 1e-4);
    }
END_TEST

START_TEST(scale_value_is_the_inverse_of_scale_place)
    {
        struct scale scales[] = { { -3, 7, 0 },
                                  { -3, 7, 1e-4 },
                                  { 0, 1e-3, 1e-8 },
                                  { 1e-3, 1e3, 1e-6 } };
        for (size_t s = 0; s < 4; s++)
            for (int i = 0; i <= 64; i++) {
                double place = i / 64.;
                double value = scale_value(&scales[s], place);
                ck_assert_double_eq_tol(scale_place(&scales[s], value), place,
                                        1e-13);
            }
    }
END_TEST

START_TEST(scales_without_a_range_are_rejected)
    {
        struct error error;
        struct scale bad[] = {
            { 1, 1, 0 },
            { 2, 1, 0 },
            { (double)NAN, 1, 0 },
            { 0, INFINITY, 0 },
            { -DBL_MAX, DBL_MAX, 0 },
            { 0, 1, -1 },
            { 0, 1, (double)NAN },
            { 0, 1, INFINITY },
        };
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
            ck_assert_int_eq(scale_check(&bad[i], &error), STATUS_INPUT);
        struct scale good = { -1, 2, 1e-3 };
        ck_assert_int_eq(scale_check(&good, NULL), STATUS_OK);
    }
END_TEST

START_TEST(extremes_leave_out_walls_and_nonfinite_values)
    {
        double values[] = { 3, (double)NAN, -7, INFINITY, 9, -INFINITY, 2 };
        unsigned char wall[] = { 0, 0, 1, 0, 0, 0, 0 };
        struct extremes extremes = { 0 };
        extremes_add(&extremes, values, wall, 7);
        ck_assert(extremes.any && extremes.low == 2 && extremes.high == 9);
        extremes_add(&extremes, values, NULL, 3);
        ck_assert(extremes.low == -7 && extremes.high == 9);
        struct scale scale = scale_over(&extremes, true);
        ck_assert(scale.low == -9 && scale.high == 9);
        scale = scale_over(&extremes, false);
        ck_assert(scale.low == -7 && scale.high == 9);
    }
END_TEST

START_TEST(a_field_of_one_value_or_of_none_still_has_a_scale)
    {
        struct extremes all[] = {
            { false, 0, 0 }, { true, 0, 0 }, { true, 5, 5 }, { true, -5, -5 }
        };
        for (int i = 0; i < 8; i++) {
            struct scale scale = scale_over(&all[i / 2], i % 2);
            ck_assert_int_eq(scale_check(&scale, NULL), STATUS_OK);
            ck_assert(scale.low <= all[i / 2].low &&
                      scale.high >= all[i / 2].high);
            if (i % 2)
                ck_assert(scale.low == -scale.high);
        }
    }
END_TEST

/* A field with all kinds of values: NaN, walls, both ends. */
static void fill(double *values, uint8_t *wall, size_t count)
{
    struct random random;
    random_seed(&random, 7);
    for (size_t i = 0; i < count; i++) {
        values[i] = 3 * random_unit(&random) - 1.5;
        wall[i] = random_below(&random, 5) == 0;
        if (random_below(&random, 7) == 0)
            values[i] = (double)NAN;
    }
}

START_TEST(each_cell_is_a_square_of_its_own_color_and_nothing_else_is_painted)
    {
        enum { NX = 13, NY = 7, CELL = 3, LEFT = 4, TOP = 5, MARGIN = 6 };
        double values[NX * NY];
        uint8_t wall[NX * NY];
        fill(values, wall, NX * NY);
        struct plane plane = { NX, NY, values, wall };
        struct scale scale = { -1, 1, 0 };
        struct ramp ramp;
        struct image image;
        ck_assert_int_eq(ramp_load("vik", &ramp, NULL), STATUS_OK);
        ck_assert_int_eq(image_init(&image, LEFT + NX * CELL + MARGIN,
                                    TOP + NY * CELL + MARGIN, NULL),
                         STATUS_OK);
        static const uint8_t paper[3] = { 1, 2, 3 };
        image_fill(&image, 0, 0, image.width, image.height, paper);
        heatmap_paint(&plane, &scale, &ramp, CELL, &image, LEFT, TOP);
        for (int py = 0; py < image.height; py++)
            for (int px = 0; px < image.width; px++) {
                const uint8_t *wanted = paper;
                int x = (px - LEFT) / CELL, y = (py - TOP) / CELL;
                if (px >= LEFT && py >= TOP && x < NX && y < NY) {
                    int i = y * NX + x;
                    int level = scale_level(&scale, values[i]);
                    wanted = wall[i]     ? ramp.wall
                             : level < 0 ? ramp.missing
                                         : ramp.colors[level];
                }
                ck_assert_mem_eq(image_at(&image, px, py), wanted, 3);
            }
        image_release(&image);
    }
END_TEST

START_TEST(images_too_large_or_empty_are_rejected_and_fills_are_clipped)
    {
        struct image image;
        struct error error;
        ck_assert_int_eq(image_init(&image, 0, 5, &error), STATUS_INPUT);
        ck_assert_int_eq(image_init(&image, 5, 1000001, &error), STATUS_INPUT);
        ck_assert_int_eq(image_init(&image, INT64_MAX, 1, &error),
                         STATUS_INPUT);
        ck_assert_int_eq(image_init(&image, 4, 3, &error), STATUS_OK);
        static const uint8_t white[3] = { 255, 255, 255 };
        image_fill(&image, -2, -1, 3, 2, white);
        image_fill(&image, 3, 2, INT32_MAX, INT32_MAX, white);
        image_fill(&image, 9, 0, 1, 1, white);
        int lit = 0;
        for (int i = 0; i < 12; i++)
            lit += image.rgb[3 * i] == 255;
        ck_assert_int_eq(lit, 2);
        ck_assert_int_eq(image_at(&image, 0, 0)[0], 255);
        ck_assert_int_eq(image_at(&image, 3, 2)[0], 255);
        image_release(&image);
    }
END_TEST

/* ---- h5topng, our ancestor ---- */

enum { H5_X = 96, H5_Y = 61, H5_ROWS = 3, H5_ROW = 1 };

/* A recording's variable with the parts that h5topng reads: (time, y, x),
 * f32. */
static void write_wave(const char *path, const float *values)
{
    hsize_t extent[3] = { H5_ROWS, H5_Y, H5_X };
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Screate_simple(3, extent, NULL);
    hid_t wave = H5Dcreate2(file, "wave0", H5T_IEEE_F32LE, space, H5P_DEFAULT,
                            H5P_DEFAULT, H5P_DEFAULT);
    ck_assert_int_ge(
        H5Dwrite(wave, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values),
        0);
    H5Dclose(wave);
    H5Sclose(space);
    ck_assert_int_ge(H5Fclose(file), 0);
}

/* False if the program is not installed. */
static bool run(const char *const *argv)
{
    pid_t child;
    int status = posix_spawnp(&child, argv[0], NULL, NULL,
                              (char *const *)(uintptr_t)argv, environ);
    if (status == ENOENT)
        return false;
    ck_assert_int_eq(status, 0);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return true;
}

static void read_png(const char *path, int width, int height, uint8_t *rgb)
{
    png_image png = { .version = PNG_IMAGE_VERSION };
    ck_assert_msg(png_image_begin_read_from_file(&png, path), "%s",
                  png.message);
    ck_assert_int_eq((int)png.width, width);
    ck_assert_int_eq((int)png.height, height);
    png.format = PNG_FORMAT_RGB;
    ck_assert(png_image_finish_read(&png, NULL, rgb, 0, NULL));
}

static void compare(const char *directory, bool transpose)
{
    static float values[H5_ROWS][H5_Y][H5_X];
    static double plane_values[H5_Y * H5_X];
    static uint8_t theirs[3 * H5_X * H5_Y];
    struct random random;
    random_seed(&random, 11);
    for (int t = 0; t < H5_ROWS; t++)
        for (int y = 0; y < H5_Y; y++)
            for (int x = 0; x < H5_X; x++)
                /* Half of the values are at the ties of rounding, (k +
                 * ½)/255. */
                values[t][y][x] =
                    x % 2 ? (float)((double)random_below(&random, 256) + .5) /
                                    255 * 1.5f -
                                .75f
                          : (float)(2 * random_unit(&random) - 1);
    for (int i = 0; i < H5_X * H5_Y; i++)
        plane_values[i] = (double)values[H5_ROW][i / H5_X][i % H5_X];
    char file[64], picture[64];
    snprintf(file, sizeof file, "%s/wave.h5", directory);
    snprintf(picture, sizeof picture, "%s/wave.png", directory);
    write_wave(file, &values[0][0][0]);
    const char *const words[] = {
        "h5topng",
        "-x",
        "1",
        "-d",
        "wave0",
        "-m",
        "-0.75",
        "-M",
        "0.75",
        "-o",
        picture,
        file,
        transpose ? "-T" : NULL,
        NULL,
    };
    if (run(words)) {
        read_png(picture, transpose ? H5_X : H5_Y, transpose ? H5_Y : H5_X,
                 theirs);
        struct plane plane = { H5_X, H5_Y, plane_values, NULL };
        struct scale scale = { -.75, .75, 0 };
        struct ramp ramp;
        struct image image;
        ck_assert_int_eq(ramp_load("gray", &ramp, NULL), STATUS_OK);
        ck_assert_int_eq(image_init(&image, H5_X, H5_Y, NULL), STATUS_OK);
        heatmap_paint(&plane, &scale, &ramp, 1, &image, 0, 0);
        for (int y = 0; y < H5_Y; y++)
            for (int x = 0; x < H5_X; x++) {
                int at = transpose ? (H5_Y - 1 - y) * H5_X + x
                                   : (H5_X - 1 - x) * H5_Y + y;
                ck_assert_mem_eq(image_at(&image, x, y), theirs + 3 * at, 3);
            }
        image_release(&image);
        unlink(picture);
    } else {
        puts("# h5topng is not installed: our gray is not held against it");
    }
    unlink(file);
}

/* h5topng has its origin at the lower left; its first axis (our y) runs to the
 * right, or upwards with -T. */
START_TEST(gray_is_pixel_for_pixel_that_of_h5topng)
    {
        char directory[] = "/tmp/hamon-heatmap-XXXXXX";
        ck_assert_ptr_nonnull(mkdtemp(directory));
        compare(directory, true);
        compare(directory, false);
        rmdir(directory);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("heatmap");
    TCase *tests = tcase_create("heatmap");
    tcase_add_test(tests, levels_are_limited_to_0_to_255);
    tcase_add_test(tests, zero_of_a_symmetric_scale_is_in_the_middle);
    tcase_add_test(
        tests, the_signed_logarithm_is_odd_smooth_and_gives_decades_equal_room);
    tcase_add_test(tests, scale_value_is_the_inverse_of_scale_place);
    tcase_add_test(tests, scales_without_a_range_are_rejected);
    tcase_add_test(tests, extremes_leave_out_walls_and_nonfinite_values);
    tcase_add_test(tests, a_field_of_one_value_or_of_none_still_has_a_scale);
    tcase_add_test(
        tests,
        each_cell_is_a_square_of_its_own_color_and_nothing_else_is_painted);
    tcase_add_test(
        tests, images_too_large_or_empty_are_rejected_and_fills_are_clipped);
    tcase_add_test(tests, gray_is_pixel_for_pixel_that_of_h5topng);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
