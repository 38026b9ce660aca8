/* SPDX-License-Identifier: MIT */
/* PNG maps: every depth, colour type and interlace of the format, and files
 * that must be rejected. */
#include "base/random.h"
#include "tests/world/maps/png_files.h"

#include <fcntl.h>
#include <sys/resource.h>

/* The file's bytes, for tests that damage them; release with memory_release. */
static char *bytes_of(const char *name, size_t *size)
{
    char path[PATH_SIZE];
    path_of(name, path);
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    struct stat about;
    ck_assert_int_eq(fstat(fileno(file), &about), 0);
    *size = (size_t)about.st_size;
    char *bytes = memory_new(*size, 1);
    ck_assert_uint_eq(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

/* From here to check_silence no text may be written to stderr. */
static int watched;

static void watch_stderr(void)
{
    char path[PATH_SIZE];
    path_of("stderr.txt", path);
    watched = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    ck_assert_int_ge(watched, 0);
    ck_assert_int_eq(dup2(watched, STDERR_FILENO), STDERR_FILENO);
}

static void check_silence(void)
{
    fflush(stderr);
    ck_assert_int_eq(lseek(watched, 0, SEEK_END), 0);
}

static void check_loads(const char *name, const struct image *image)
{
    struct terrain terrain;
    struct error error;
    write_image(name, image);
    ck_assert_msg(load(name, NULL, &terrain, &error) == STATUS_OK,
                  "type %d, depth %d: %s", image->color_type, image->depth,
                  error.message);
    ck_assert_int_eq(terrain.grid.dims, 2);
    check_walls(&terrain, image->width, image->height, 1, image->walls);
    terrain_release(&terrain);
}

static const struct {
    int color_type, depth;
} kinds[] = {
    { PNG_COLOR_TYPE_GRAY, 1 },        { PNG_COLOR_TYPE_GRAY, 2 },
    { PNG_COLOR_TYPE_GRAY, 4 },        { PNG_COLOR_TYPE_GRAY, 8 },
    { PNG_COLOR_TYPE_GRAY, 16 },       { PNG_COLOR_TYPE_PALETTE, 1 },
    { PNG_COLOR_TYPE_PALETTE, 2 },     { PNG_COLOR_TYPE_PALETTE, 4 },
    { PNG_COLOR_TYPE_PALETTE, 8 },     { PNG_COLOR_TYPE_RGB, 8 },
    { PNG_COLOR_TYPE_RGB, 16 },        { PNG_COLOR_TYPE_GRAY_ALPHA, 8 },
    { PNG_COLOR_TYPE_GRAY_ALPHA, 16 }, { PNG_COLOR_TYPE_RGB_ALPHA, 8 },
    { PNG_COLOR_TYPE_RGB_ALPHA, 16 },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

START_TEST(every_colour_type_and_depth_loads_interlaced_or_not)
    {
        struct image image = { 7,
                               5,
                               kinds[_i].color_type,
                               kinds[_i].depth,
                               PNG_INTERLACE_NONE,
                               "#......"
                               ".##.#.."
                               "......#"
                               "#.#.#.#"
                               ".....##",
                               0,
                               false,
                               0 };
        watch_stderr();
        check_loads("kind.png", &image);
        image.interlace = PNG_INTERLACE_ADAM7;
        check_loads("kind.PNG", &image);
        check_silence();
    }
END_TEST

START_TEST(interlaced_images_of_every_small_size_load)
    {
        char walls[82];
        struct random random;
        random_seed(&random, 7);
        for (int height = 1; height <= 9; height++)
            for (int width = 1; width <= 9; width++) {
                for (int i = 0; i < width * height; i++)
                    walls[i] = random_below(&random, 2) ? '#' : '.';
                walls[width * height] = '\0';
                struct image image = { width,
                                       height,
                                       PNG_COLOR_TYPE_GRAY,
                                       1,
                                       PNG_INTERLACE_ADAM7,
                                       walls,
                                       0,
                                       false,
                                       0 };
                check_loads("small.png", &image);
            }
    }
END_TEST

START_TEST(gamma_and_a_huge_comment_change_nothing)
    {
        struct image image = {
            3,    2, PNG_COLOR_TYPE_RGB, 8, PNG_INTERLACE_NONE, ".#.##.", 0,
            true, 0
        };
        watch_stderr();
        check_loads("text.png", &image);
        check_silence();
    }
END_TEST

START_TEST(a_colour_without_meaning_is_rejected_with_its_pixel)
    {
        write_grays("gray.png", (png_byte[]){ 0, 255, 128, 255 }, 4);
        check_refused("gray.png", ": pixel (2, 0) has colour #808080, which "
                                  "has no meaning: black is wall");
        write_grays("gray.png", (png_byte[]){ 0, 254 }, 2);
        check_refused("gray.png", ": pixel (1, 0) has colour #fefefe");
    }
END_TEST

START_TEST(the_legend_names_colours_and_goes_first)
    {
        static struct legend_entry entries[] = {
            { .by_color = true, .color = 0x808080, .speed = 0.5, .cost = 2 },
            { .by_color = true,
              .color = 0xffffff,
              .wall = true,
              .speed = 1,
              .cost = 1 },
            { .symbol = '\0', .wall = true, .speed = 1, .cost = 1 },
            { .by_color = true,
              .color = 0x010101,
              .speed = 1,
              .cost = 1,
              .one_way = 1 + SOUTH },
        };
        static const struct legend legend = { entries, 4 };
        struct terrain terrain;
        write_grays("legend.png", (png_byte[]){ 0, 255, 128, 1 }, 4);
        ck_assert_int_eq(load("legend.png", &legend, &terrain, NULL),
                         STATUS_OK);
        check_walls(&terrain, 4, 1, 1, "##..");
        ck_assert_double_eq(terrain.speed[2], 0.5);
        ck_assert_double_eq(terrain.speed[3], 1);
        ck_assert_double_eq(terrain.cost[2], 2);
        ck_assert_int_eq(terrain.one_way[3], 1 + SOUTH);
        terrain_release(&terrain);
    }
END_TEST

START_TEST(a_transparent_pixel_is_rejected)
    {
        struct image image = { 3,
                               2,
                               PNG_COLOR_TYPE_RGB_ALPHA,
                               8,
                               PNG_INTERLACE_NONE,
                               ".#.##.",
                               1,
                               false,
                               0 };
        write_image("clear.png", &image);
        check_refused("clear.png", ": pixel (0, 0) is transparent");
        image.color_type = PNG_COLOR_TYPE_GRAY_ALPHA;
        image.depth = 16;
        write_image("clear.png", &image);
        check_refused("clear.png", ": pixel (0, 0) is transparent");
        image.color_type = PNG_COLOR_TYPE_GRAY;
        image.depth = 1;
        image.transparent = 2; /* the gray value of white */
        image.walls = "##.##.";
        write_image("clear.png", &image);
        check_refused("clear.png", ": pixel (2, 0) is transparent");
        image.color_type = PNG_COLOR_TYPE_PALETTE; /* its first entry, white */
        write_image("clear.png", &image);
        check_refused("clear.png", ": pixel (2, 0) is transparent");
    }
END_TEST

/* Each depth that has room for an index that the palette does not have: the
 * first one, and the last. */
START_TEST(an_index_that_the_palette_does_not_have_is_rejected)
    {
        static const int depths[] = { 2, 4, 8 };
        for (int i = 0; i < 3 * 2 * 2; i++) {
            const int depth = depths[i % 3];
            struct image image = {
                .width = 9,
                .height = 3,
                .color_type = PNG_COLOR_TYPE_PALETTE,
                .depth = depth,
                .interlace = i / 3 % 2,
                .walls = "...........................",
                .index = i / 6 ? (1u << depth) - 1 : 2,
            };
            char walls[28], expected[80];
            write_image("index.png", &image);
            check_loads("index.png", &image);
            snprintf(walls, sizeof walls, "%s", image.walls);
            walls[20] = '#'; /* row 2 */
            image.walls = walls;
            write_image("index.png", &image);
            snprintf(expected, sizeof expected,
                     ": pixel (2, 2) has colour %u of a palette of 2",
                     image.index);
            watch_stderr();
            check_refused("index.png", expected);
            check_silence();
        }
    }
END_TEST

static const struct image plain = { 9,
                                    4,
                                    PNG_COLOR_TYPE_RGB,
                                    8,
                                    PNG_INTERLACE_NONE,
                                    "#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.#.",
                                    0,
                                    false,
                                    0 };

/* The plain image with `count` bytes from `at` on replaced. */
static void write_spoiled(const char *name, size_t at, const char *bytes,
                          size_t count)
{
    size_t size;
    write_image(name, &plain);
    char *whole = bytes_of(name, &size);
    memcpy(whole + at, bytes, count);
    write_map(name, whole, size);
    memory_release(whole);
}

static const struct {
    size_t at;
    const char *bytes;
    size_t count;
    const char *expected;
} spoiled[] = {
    { 0, "\x88", 1, ": not a PNG: its signature is missing" },
    { 4, "\n\n\n", 3, ": not a PNG: its signature is missing" },
    { 12, "IDAT", 4, ": the PNG ends before its header" },
    { 16, "\x3b\x9a\xca\x00\x3b\x9a\xca\x00", 8,
      ": a PNG of 1000000000 x 1000000000 pixels: at most 1000000 a side" },
    { 16, "\xff\xff\xff\xff", 4, ": a PNG of 4294967295 x 4 pixels" },
    { 20, "\x00\x0f\x42\x41", 4, ": a PNG of 9 x 1000001 pixels" },
    { 16, "\x00\x00\x9c\x40\x00\x00\x9c\x40", 8, ": a PNG of " },
    { 16, "\x00\x0f\x42\x40\x00\x0f\x42\x40", 8,
      ": a grid of 1000000 x 1000000 x 1 cells is too large" },
    { 16, "\x00\x00\x00\x00", 4, ": an extent of 0 cells" },
    { 20, "\x00\x00\x00\x00", 4, ": an extent of 0 cells" },
    { 8, "\x00\x00\x00\x0e", 4, ": the PNG is damaged: " },
    { 19, "\x0a", 1, ": the PNG is damaged: IHDR: CRC error" },
    { 24, "\x03", 1, ": the PNG is damaged: " },
    { 37, "JDAT", 4, ": the PNG is damaged: " },
    { 45, "\x5a\x5a\x5a\x5a", 4, ": the PNG is damaged: " },
};

START_TEST(a_damaged_png_is_rejected)
    {
        watch_stderr();
        write_spoiled("bad.png", spoiled[_i].at, spoiled[_i].bytes,
                      spoiled[_i].count);
        check_refused("bad.png", spoiled[_i].expected);
        check_silence();
    }
END_TEST

/* A chunk after the header that declares a length of 2 GB. */
START_TEST(a_chunk_larger_than_the_file_takes_no_memory)
    {
        static const char *const types[] = { "zTXt", "iTXt", "tEXt", "iCCP",
                                             "sPLT", "eXIf", "abCd" };
        enum { BEHIND_HEADER = 33, MOST_KILOBYTES = 512 << 10 };
        char chunk[8] = "\x7f\xff\xff\xf0";
        struct rusage used;
        memcpy(chunk + 4, types[_i], 4);
        write_spoiled("large.png", BEHIND_HEADER, chunk, sizeof chunk);
        check_refused("large.png", ": the PNG is damaged: the file ends");
        ck_assert_int_eq(getrusage(RUSAGE_SELF, &used), 0);
        ck_assert_int_lt(used.ru_maxrss, MOST_KILOBYTES);
    }
END_TEST

START_TEST(a_file_that_only_begins_as_a_png_is_rejected)
    {
        write_map("bad.png", "", 0);
        check_refused("bad.png", ": the file is empty");
        write_map("bad.png", "type octile\nheight 2\n", 21);
        check_refused("bad.png", ": not a PNG: its signature is missing");
        write_map("bad.png", "\x89P", 2);
        check_refused("bad.png", ": not a PNG: its signature is missing");
    }
END_TEST

START_TEST(a_png_truncated_anywhere_is_rejected_without_output)
    {
        for (int interlace = 0; interlace < 2; interlace++) {
            struct image image = plain;
            image.interlace = interlace;
            size_t size;
            write_image("cut.png", &image);
            char *whole = bytes_of("cut.png", &size);
            watch_stderr();
            for (size_t cut = 1; cut < size; cut++) {
                write_map("cut.png", whole, cut);
                check_refused("cut.png", cut < 8    ? ": not a PNG"
                                         : cut < 33 ? ": the PNG ends before"
                                                    : ": the PNG is damaged: ");
            }
            check_silence();
            memory_release(whole);
        }
    }
END_TEST

START_TEST(a_png_with_any_byte_changed_loads_the_same_or_is_rejected_silently)
    {
        struct random random;
        random_seed(&random, 31);
        for (int run = 0; run < 2 * KINDS; run++) {
            const int kind = run % KINDS;
            struct image image = plain;
            image.color_type = kinds[kind].color_type;
            image.depth = kinds[kind].depth;
            image.interlace = kind % 2;
            /* tRNS makes white transparent: never accepted, also if damaged. */
            image.transparent = run < KINDS ? 0 : 2;
            if (image.transparent && image.color_type != PNG_COLOR_TYPE_GRAY &&
                image.color_type != PNG_COLOR_TYPE_PALETTE)
                continue;
            size_t size;
            write_image("mutant.png", &image);
            char *whole = bytes_of("mutant.png", &size);
            watch_stderr();
            for (size_t at = 0; at < size; at++) {
                char before = whole[at];
                whole[at] ^= (char)(1 + random_below(&random, 255));
                write_map("mutant.png", whole, size);
                struct terrain terrain;
                struct error error;
                enum status status = load("mutant.png", NULL, &terrain, &error);
                if (status == STATUS_OK) {
                    ck_assert_int_eq(image.transparent, 0);
                    check_walls(&terrain, plain.width, plain.height, 1,
                                plain.walls);
                    terrain_release(&terrain);
                } else {
                    ck_assert_int_eq(status, STATUS_INPUT);
                }
                whole[at] = before;
            }
            check_silence();
            memory_release(whole);
        }
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("map_png");
    TCase *tests = tcase_create("map_png");
    tcase_set_timeout(tests, 60); /* every byte of 24 files */
    tcase_add_unchecked_fixture(tests, make_folder, remove_folder);
    tcase_add_loop_test(
        tests, every_colour_type_and_depth_loads_interlaced_or_not, 0, KINDS);
    tcase_add_test(tests, interlaced_images_of_every_small_size_load);
    tcase_add_test(tests, gamma_and_a_huge_comment_change_nothing);
    tcase_add_test(tests, a_colour_without_meaning_is_rejected_with_its_pixel);
    tcase_add_test(tests, the_legend_names_colours_and_goes_first);
    tcase_add_test(tests, a_transparent_pixel_is_rejected);
    tcase_add_test(tests, an_index_that_the_palette_does_not_have_is_rejected);
    tcase_add_loop_test(tests, a_damaged_png_is_rejected, 0,
                        sizeof spoiled / sizeof *spoiled);
    tcase_add_loop_test(tests, a_chunk_larger_than_the_file_takes_no_memory, 0,
                        7);
    tcase_add_test(tests, a_file_that_only_begins_as_a_png_is_rejected);
    tcase_add_test(tests, a_png_truncated_anywhere_is_rejected_without_output);
    tcase_add_test(
        tests,
        a_png_with_any_byte_changed_loads_the_same_or_is_rejected_silently);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
