/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "base/random.h"
#include "draw/figure/heatmap.h"
#include "draw/raster/png.h"
#include "draw/raster/sheet.h"
#include "tests/suite.h"

#include <math.h>
#include <png.h>
#include <string.h>

enum { NX = 61, NY = 37, CELLS = NX * NY };

static struct levels levels; /* large */

static int level_of(double value)
{
    uint8_t number;
    levels_of(&levels, &value, 1, &number);
    return number;
}

static const struct scale scales[] = {
    { -2, 6, 0 },         { -.3, .3, 0 },
    { -.3, .3, .3e-4 },   { 0, 1, 0 },
    { 1e-9, 3e8, 1e-7 },  { -7, -2, 0 },
    { -1e300, 1e300, 0 }, { 5e-324, 1e-300, 0 },
    { 1, 1 + 1e-13, 0 },  { -1e-30, 2e30, 1e-12 }
};
enum { SCALES = sizeof scales / sizeof *scales };

START_TEST(levels_are_scale_levels_of_every_kind_of_value)
    {
        struct random random;
        random_seed(&random, 11);
        for (int s = 0; s < SCALES; s++) {
            levels_make(&scales[s], &levels);
            double range = scales[s].high - scales[s].low;
            for (int i = 0; i < 20000; i++) {
                double u = random_unit(&random), decade = random_unit(&random);
                double value = i % 2 ? scales[s].low + (1.2 * u - .1) * range
                                     : (u - .5) * pow(10, 60 * decade - 40);
                ck_assert_int_eq(level_of(value),
                                 scale_level(&scales[s], value));
            }
        }
    }
END_TEST

START_TEST(levels_change_at_the_same_last_digit)
    {
        for (int s = 0; s < SCALES; s++) {
            levels_make(&scales[s], &levels);
            for (int k = 1; k < COLORMAP_SIZE; k++) {
                double at = levels.from[k];
                double before = nextafter(at, (double)-INFINITY);
                ck_assert_int_ge(scale_level(&scales[s], at), k);
                ck_assert_int_lt(scale_level(&scales[s], before), k);
            }
        }
    }
END_TEST

START_TEST(levels_are_limited_at_the_ends_and_missing_values_are_found)
    {
        double values[] = {
            1e308, -1e308, (double)INFINITY, -0., (double)-INFINITY, 0
        };
        uint8_t numbers[6];
        levels_make(&scales[1], &levels);
        ck_assert(!levels_of(&levels, values, 6, numbers));
        uint8_t expected[] = { 255, 0, 255, 127, 0, 127 };
        ck_assert_mem_eq(numbers, expected, 6);
        values[3] = (double)NAN;
        ck_assert(levels_of(&levels, values, 6, numbers));
        ck_assert_int_eq(numbers[3], 0);
        ck_assert_int_eq(numbers[5], 127);
    }
END_TEST

/* A field with walls and missing cells, of at most `most` colours. */
static void fill(double *values, uint8_t *wall, int most)
{
    struct random random;
    random_seed(&random, 5);
    for (size_t i = 0; i < CELLS; i++) {
        values[i] = (double)random_below(&random, (uint64_t)most) / 255;
        wall[i] = random_below(&random, 5) == 0;
        if (random_below(&random, 7) == 0)
            values[i] = (double)NAN;
    }
}

struct bytes {
    size_t used, most;
    uint8_t data[1 << 18];
};

static bool keep(void *context, const void *bytes, size_t count)
{
    struct bytes *to = context;
    if (count > to->most - to->used)
        return false;
    memcpy(to->data + to->used, bytes, count);
    to->used += count;
    return true;
}

/* The PNG in memory, read by libpng, has the image's pixels. */
static void check_png(const struct bytes *png, const struct image *image)
{
    png_image header = { .version = PNG_IMAGE_VERSION };
    ck_assert(png_image_begin_read_from_memory(&header, png->data, png->used));
    ck_assert_uint_eq(header.width, (unsigned)image->width);
    ck_assert_uint_eq(header.height, (unsigned)image->height);
    header.format = PNG_FORMAT_RGB;
    uint8_t *rgb = memory_new(PNG_IMAGE_SIZE(header), 1);
    ck_assert(png_image_finish_read(&header, NULL, rgb, 0, NULL));
    ck_assert_mem_eq(rgb, image->rgb, PNG_IMAGE_SIZE(header));
    memory_release(rgb);
}

START_TEST(a_sheet_has_the_heat_maps_pixels)
    {
        static double values[CELLS];
        static uint8_t wall[CELLS];
        static struct bytes png;
        struct scale scale = { 0, 1, 0 };
        levels_make(&scale, &levels);
        struct ramp ramp;
        ck_assert_int_eq(ramp_load("vik", &ramp, NULL), STATUS_OK);
        fill(values, wall, 200);
        for (int cell = 1; cell <= 3; cell++)
            for (int walls = 0; walls < 2; walls++) {
                struct plane plane = { NX, NY, values, walls ? wall : NULL };
                struct image image;
                struct sheet sheet;
                ck_assert(!image_init(&image, NX * cell, NY * cell, NULL));
                sheet_init(&sheet, NX, NY, cell);
                heatmap_paint(&plane, &scale, &ramp, cell, &image, 0, 0);
                ck_assert(heatmap_paint_sheet(&plane, &levels, &ramp, &sheet));
                struct png_sink sink = { keep, &png };
                png.used = 0;
                png.most = sizeof png.data;
                ck_assert(!sheet_encode_png(&sheet, &sink, NULL));
                check_png(&png, &image);
                sheet_release(&sheet);
                image_release(&image);
            }
    }
END_TEST

START_TEST(a_sheet_rejects_more_than_256_colors)
    {
        static double values[CELLS];
        static uint8_t wall[CELLS];
        struct scale scale = { 0, 1, 0 };
        levels_make(&scale, &levels);
        struct ramp ramp;
        struct sheet sheet;
        ck_assert_int_eq(ramp_load("gray", &ramp, NULL), STATUS_OK);
        sheet_init(&sheet, NX, NY, 1);
        for (int i = 0; i < CELLS; i++)
            values[i] = i % 256 / 255.;
        struct plane plane = { NX, NY, values, wall };
        ck_assert(heatmap_paint_sheet(&plane, &levels, &ramp, &sheet));
        ck_assert_int_eq(sheet.count, 256);
        wall[700] = 1;
        ck_assert(!heatmap_paint_sheet(&plane, &levels, &ramp, &sheet));
        sheet_release(&sheet);
    }
END_TEST

START_TEST(no_room_for_the_png_is_reported)
    {
        static struct bytes png;
        static double values[CELLS];
        struct scale scale = { 0, 1, 0 };
        struct ramp ramp;
        struct sheet sheet;
        struct error error;
        levels_make(&scale, &levels);
        ck_assert_int_eq(ramp_load("gray", &ramp, NULL), STATUS_OK);
        sheet_init(&sheet, NX, NY, 1);
        struct plane plane = { NX, NY, values, NULL };
        ck_assert(heatmap_paint_sheet(&plane, &levels, &ramp, &sheet));
        struct png_sink sink = { keep, &png };
        for (png.most = 0; png.most < 60; png.most += 7, png.used = 0)
            ck_assert_int_eq(sheet_encode_png(&sheet, &sink, &error),
                             STATUS_DISK);
        sheet_release(&sheet);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("sheet");
    TCase *tests = tcase_create("sheet");
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, levels_are_scale_levels_of_every_kind_of_value);
    tcase_add_test(tests, levels_change_at_the_same_last_digit);
    tcase_add_test(tests,
                   levels_are_limited_at_the_ends_and_missing_values_are_found);
    tcase_add_test(tests, a_sheet_has_the_heat_maps_pixels);
    tcase_add_test(tests, a_sheet_rejects_more_than_256_colors);
    tcase_add_test(tests, no_room_for_the_png_is_reported);
    return suite_main(suite);
}
