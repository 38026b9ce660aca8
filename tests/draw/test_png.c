/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "base/random.h"
#include "draw/raster/png.h"
#include "tests/suite.h"

#include <fcntl.h>
#include <png.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char place[] = "/tmp/hamon-png-XXXXXX";
static char path[64];

static void make_place(void)
{
    ck_assert_ptr_nonnull(mkdtemp(place));
    snprintf(path, sizeof path, "%s/a.png", place);
}

/* rmdir fails if a temporary file was left. */
static void remove_place(void)
{
    unlink(path);
    ck_assert_int_eq(rmdir(place), 0);
    memcpy(place + strlen(place) - 6, "XXXXXX", 6);
}

/* A picture of `colors` colours in random order. */
static struct image make(int width, int height, int colors)
{
    struct image image;
    struct random random;
    random_seed(&random, 3);
    ck_assert_int_eq(image_init(&image, width, height, NULL), STATUS_OK);
    for (int i = 0; i < width * height; i++) {
        uint32_t k = i < colors
                         ? (uint32_t)i
                         : (uint32_t)random_below(&random, (uint64_t)colors);
        image.rgb[3 * i] = (uint8_t)(k * 7);
        image.rgb[3 * i + 1] = (uint8_t)(k * 31 + 5);
        image.rgb[3 * i + 2] = (uint8_t)(k >> 8);
    }
    return image;
}

static size_t slurp(const char *from, uint8_t *bytes, size_t room)
{
    FILE *file = fopen(from, "rb");
    ck_assert_ptr_nonnull(file);
    size_t size = fread(bytes, 1, room, file);
    ck_assert_uint_lt(size, room);
    fclose(file);
    return size;
}

/* Byte 25 of a PNG is the colour type of its header. */
static int color_type(void)
{
    uint8_t bytes[1 << 20];
    ck_assert_uint_gt(slurp(path, bytes, sizeof bytes), 26);
    return bytes[25];
}

static void ck_same(const struct image *image)
{
    png_image png = { .version = PNG_IMAGE_VERSION };
    ck_assert_msg(png_image_begin_read_from_file(&png, path), "%s",
                  png.message);
    ck_assert_int_eq((int)png.width, image->width);
    ck_assert_int_eq((int)png.height, image->height);
    png.format = PNG_FORMAT_RGB;
    size_t bytes = 3 * (size_t)image->width * (size_t)image->height;
    uint8_t *rgb = memory_new(bytes, 1);
    ck_assert(png_image_finish_read(&png, NULL, rgb, 0, NULL));
    ck_assert_mem_eq(rgb, image->rgb, bytes);
    memory_release(rgb);
}

START_TEST(pictures_are_read_back_pixel_for_pixel)
    {
        static const struct {
            int width, height, colors, type;
        } cases[] = {
            { 1, 1, 1, PNG_COLOR_TYPE_PALETTE },
            { 37, 23, 2, PNG_COLOR_TYPE_PALETTE },
            { 64, 40, 255, PNG_COLOR_TYPE_PALETTE },
            { 64, 40, 256, PNG_COLOR_TYPE_PALETTE },
            { 64, 40, 257, PNG_COLOR_TYPE_RGB },
            { 127, 65, 5000, PNG_COLOR_TYPE_RGB },
        };
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            struct image image =
                make(cases[i].width, cases[i].height, cases[i].colors);
            ck_assert_int_eq(image_write_png(&image, NULL, 0, path, true, NULL),
                             STATUS_OK);
            ck_assert_int_eq(color_type(), cases[i].type);
            ck_same(&image);
            image_release(&image);
        }
    }
END_TEST

START_TEST(the_same_picture_gives_the_same_bytes)
    {
        static uint8_t first[1 << 16], second[1 << 16];
        struct image_note note = { "Source", "a.h5" };
        struct image image = make(50, 30, 100);
        ck_assert_int_eq(image_write_png(&image, &note, 1, path, false, NULL),
                         STATUS_OK);
        size_t size = slurp(path, first, sizeof first);
        ck_assert_int_eq(image_write_png(&image, &note, 1, path, true, NULL),
                         STATUS_OK);
        ck_assert_uint_eq(slurp(path, second, sizeof second), size);
        ck_assert_mem_eq(first, second, size);
        image_release(&image);
    }
END_TEST

/* Of the PNG at `path`; 0 if it is not stated, or not in metres. */
static png_uint_32 dots_a_metre(void)
{
    FILE *file = fopen(path, "rb");
    png_structp png =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    ck_assert_int_eq(setjmp(png_jmpbuf(png)), 0);
    png_init_io(png, file);
    png_read_info(png, info);
    png_uint_32 x = png_get_x_pixels_per_meter(png, info);
    ck_assert_uint_eq(png_get_y_pixels_per_meter(png, info), x);
    png_destroy_read_struct(&png, &info, NULL);
    fclose(file);
    return x;
}

static bool put_away(void *context, const void *bytes, size_t count)
{
    return fwrite(bytes, 1, count, context) == count;
}

START_TEST(figures_are_of_300_dots_an_inch)
    {
        for (int colors = 9; colors <= 900; colors += 891) {
            struct image image = make(40, 30, colors);
            ck_assert_int_eq(image_write_png(&image, NULL, 0, path, true, NULL),
                             STATUS_OK);
            ck_assert_int_eq(color_type(), colors == 9 ? PNG_COLOR_TYPE_PALETTE
                                                       : PNG_COLOR_TYPE_RGB);
            ck_assert_uint_eq(dots_a_metre(), 11811);
            image_release(&image);
        }
        for (int cell = 1; cell <= 2; cell++) { /* packed by our code, by
                                                 * libpng */
            uint8_t index[6] = { 0, 1, 1, 0, 0, 1 };
            struct sheet sheet = {
                .nx = 3, .ny = 2, .cell = cell, .count = 2, .index = index
            };
            ck_assert_int_eq(sheet_write_png(&sheet, NULL, 0, path, true, NULL),
                             STATUS_OK);
            ck_assert_uint_eq(dots_a_metre(), 11811);
            FILE *file = fopen(path, "wb"); /* for a screen */
            struct png_sink sink = { put_away, file };
            ck_assert_int_eq(sheet_encode_png(&sheet, &sink, NULL), STATUS_OK);
            fclose(file);
            ck_assert_uint_eq(dots_a_metre(), 0);
        }
    }
END_TEST

START_TEST(notes_are_in_the_picture)
    {
        struct image_note notes[] = { { "Source", "run.h5" },
                                      { "Title", "波紋 ripples" },
                                      { "Range", "-0.25 0.25" } };
        struct image image = make(8, 8, 4);
        ck_assert_int_eq(image_write_png(&image, notes, 3, path, false, NULL),
                         STATUS_OK);
        FILE *file = fopen(path, "rb");
        png_structp png =
            png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
        png_infop info = png_create_info_struct(png);
        ck_assert_int_eq(setjmp(png_jmpbuf(png)), 0);
        png_init_io(png, file);
        png_read_info(png, info);
        png_textp texts;
        int count;
        ck_assert_int_eq((int)png_get_text(png, info, &texts, &count), 3);
        for (int i = 0; i < 3; i++) {
            ck_assert_str_eq(texts[i].key, notes[i].key);
            ck_assert_str_eq(texts[i].text, notes[i].text);
        }
        png_destroy_read_struct(&png, &info, NULL);
        fclose(file);
        image_release(&image);
    }
END_TEST

START_TEST(an_existing_file_is_kept_unless_forced)
    {
        struct image one = make(8, 8, 4), two = make(9, 8, 4);
        struct error error;
        ck_assert_int_eq(image_write_png(&one, NULL, 0, path, false, NULL),
                         STATUS_OK);
        ck_assert_int_eq(image_write_png(&two, NULL, 0, path, false, &error),
                         STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "--force"));
        ck_same(&one);
        ck_assert_int_eq(image_write_png(&two, NULL, 0, path, true, &error),
                         STATUS_OK);
        ck_same(&two);
        image_release(&one);
        image_release(&two);
    }
END_TEST

START_TEST(the_file_has_the_mode_that_the_umask_leaves)
    {
        struct image image = make(8, 8, 4);
        mode_t old = umask(027);
        ck_assert_int_eq(image_write_png(&image, NULL, 0, path, false, NULL),
                         STATUS_OK);
        umask(old);
        struct stat expected;
        ck_assert_int_eq(stat(path, &expected), 0);
        ck_assert_int_eq(expected.st_mode & 0777, 0640);
        image_release(&image);
    }
END_TEST

START_TEST(paths_that_cannot_be_written_are_reported)
    {
        struct image image = make(8, 8, 4);
        struct error error;
        char name[128];
        snprintf(name, sizeof name, "%s/none/a.png", place);
        ck_assert_int_eq(image_write_png(&image, NULL, 0, name, false, &error),
                         STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, name));
        ck_assert_int_eq(image_write_png(&image, NULL, 0, place, true, &error),
                         STATUS_INPUT);
        ck_assert_int_eq(
            image_write_png(&image, NULL, 0, "/dev/null", true, &error),
            STATUS_INPUT);
        /* A file system on which no files can be made, even by root. */
        ck_assert_int_ne(
            image_write_png(&image, NULL, 0, "/proc/a.png", false, &error),
            STATUS_OK);
        image_release(&image);
    }
END_TEST

START_TEST(a_directory_without_write_permission_is_a_disk_error)
    {
        if (geteuid() == 0) /* root, whom no mode stops */
            ck_assert_int_eq(seteuid(65534), 0);
        else
            ck_assert_int_eq(chmod(place, 0500), 0);
        struct image image = make(8, 8, 4);
        struct error error;
        ck_assert_int_eq(image_write_png(&image, NULL, 0, path, false, &error),
                         STATUS_DISK);
        image_release(&image);
        if (geteuid() == 65534)
            ck_assert_int_eq(seteuid(0), 0);
        else
            ck_assert_int_eq(chmod(place, 0700), 0);
    }
END_TEST

START_TEST(a_disk_that_fills_up_leaves_nothing)
    {
        struct image image = make(300, 300, 5000);
        struct error error;
        signal(SIGXFSZ, SIG_IGN);
        struct rlimit all, little = { 8192, RLIM_INFINITY };
        ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &all), 0);
        little.rlim_max = all.rlim_max;
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &little), 0);
        enum status status =
            image_write_png(&image, NULL, 0, path, false, &error);
        ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &all), 0);
        ck_assert_int_eq(status, STATUS_DISK);
        ck_assert_int_ne(access(path, F_OK), 0);
        image_release(&image);
    }
END_TEST

/* stdout is the test's own report, so it is redirected for a moment. */
static enum status write_to_stdout(const struct image *image, const char *to,
                                   struct error *error)
{
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    int fd = open(to, O_WRONLY | O_CREAT, 0600);
    ck_assert_int_ge(fd, 0);
    dup2(fd, STDOUT_FILENO);
    enum status status = image_write_png(image, NULL, 0, "-", false, error);
    dup2(kept, STDOUT_FILENO);
    close(fd);
    close(kept);
    clearerr(stdout);
    return status;
}

START_TEST(a_dash_is_stdout_and_a_full_device_is_reported)
    {
        struct image image = make(20, 20, 9);
        struct error error;
        ck_assert_int_eq(write_to_stdout(&image, path, &error), STATUS_OK);
        ck_same(&image);
        ck_assert_int_eq(write_to_stdout(&image, "/dev/full", &error),
                         STATUS_DISK);
        ck_assert_ptr_nonnull(strstr(error.message, "standard output"));
        image_release(&image);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("png");
    TCase *tests = tcase_create("png");
    tcase_add_checked_fixture(tests, make_place, remove_place);
    tcase_add_test(tests, pictures_are_read_back_pixel_for_pixel);
    tcase_add_test(tests, the_same_picture_gives_the_same_bytes);
    tcase_add_test(tests, figures_are_of_300_dots_an_inch);
    tcase_add_test(tests, notes_are_in_the_picture);
    tcase_add_test(tests, an_existing_file_is_kept_unless_forced);
    tcase_add_test(tests, the_file_has_the_mode_that_the_umask_leaves);
    tcase_add_test(tests, paths_that_cannot_be_written_are_reported);
    tcase_add_test(tests, a_directory_without_write_permission_is_a_disk_error);
    tcase_add_test(tests, a_disk_that_fills_up_leaves_nothing);
    tcase_add_test(tests, a_dash_is_stdout_and_a_full_device_is_reported);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
