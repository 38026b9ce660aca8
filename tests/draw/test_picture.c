/* SPDX-License-Identifier: MIT */
#include "draw/figure/extremes.h"
#include "draw/figure/picture.h"
#include "recording/format/layout.h"
#include "tests/view/view_run.h"

#include <errno.h>
#include <png.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

static const struct picture_options plain = { .cell = 1,
                                              .overlays = OVERLAY_WALLS };

static void ck_scale(struct view *view, const struct picture_options *options,
                     double low, double high, double width)
{
    static const int64_t rows[] = { 1, 2, 8 };
    static struct picture picture;
    struct error error;
    ck_assert_msg(picture_init(&picture, view, options, rows, 3, "test",
                               &error) == STATUS_OK,
                  "%s", error.message);
    ck_assert(picture.scale.low == low);
    ck_assert(picture.scale.high == high);
    ck_assert(picture.scale.linear_width == width);
    picture_release(&picture);
}

START_TEST(letters_grow_with_the_picture_but_not_beyond_a_narrow_one)
    {
        ck_assert_double_eq(picture_em(250, 150), 10);
        ck_assert_double_eq(picture_em(800, 600), 32);
        ck_assert_double_eq(picture_em(8000, 8000), 320);
        ck_assert_double_eq(picture_em(8000, 800), 320);
        ck_assert_double_eq(picture_em(8000, 400), 160);
        ck_assert_double_eq(picture_em(8000, 1), 32);
        ck_assert_double_eq(picture_em(1, 8000), 32);
    }
END_TEST

START_TEST(one_range_is_used_for_all_rows_without_walls)
    {
        struct recording *recording = record(&flat);
        struct view *view = look(recording, "amplitude", 0, anywhere);
        double low = 0, high = 0;
        static const int64_t rows[] = { 1, 2, 8 };
        for (int r = 0; r < 3; r++)
            for (int y = 2; y <= 8; y++)
                for (int x = 3; x <= 14; x++) {
                    size_t cell = grid_index(&flat.grid, x, y, 0);
                    if (is_wall(rows[r] >= VERSION_STEP, cell))
                        continue;
                    double v = (double)number(0, 0, rows[r], cell);
                    low = fmin(low, v);
                    high = fmax(high, v);
                }
        double most = fmax(-low, high);
        struct picture_options options = plain;
        options.threads = _i;
        ck_scale(view, &options, -most, most, 0);
        options.logarithmic = true;
        ck_scale(view, &options, -most, most, 1e-4 * most);
        options.linear_width = .125;
        ck_scale(view, &options, -most, most, .125);
        options = plain;
        options.threads = _i;
        options.has_low = options.has_high = true;
        options.low = -.25;
        options.high = .5;
        ck_scale(view, &options, -.25, .5, 0);
        options.symmetric = true;
        ck_scale(view, &options, -.5, .5, 0);
        view_release(view);
        view = look(recording, "gradient-direction", 0, anywhere);
        ck_scale(view, &plain, -180, 180, 0);
        view_release(view);
        view = look(recording, "speed", 0, anywhere);
        ck_scale(view, &plain, .25, 1, 0);
        view_release(view);
        recording_close(recording);
    }
END_TEST

/* The message names the first row that cannot be read, whichever thread found
 * it. */
START_TEST(a_damaged_row_is_reported_by_any_number_of_threads)
    {
        struct recording *recording = record(&flat);
        const struct variable *wave = recording_find(recording, "wave0");
        const struct layout_item *item = (const struct layout_item *)wave;
        FILE *file = fopen(path, "r+b");
        for (int row = 4; row <= 7; row += 3) {
            fseek(file,
                  (long)(item->offset + (uint64_t)row * layout_row_bytes(item)),
                  SEEK_SET);
            fputs("damaged", file);
        }
        fclose(file);
        struct view *view = look(recording, "amplitude", 0, anywhere);
        static const int64_t rows[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
        struct extremes extremes = { 0 };
        struct error error;
        ck_assert_int_eq(
            extremes_of_rows(view, rows, 8, _i, &extremes, NULL, &error),
            STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "row 4 "));
        view_release(view);
        recording_close(recording);
    }
END_TEST

START_TEST(a_picture_contains_its_sources)
    {
        struct recording *recording = record(&flat);
        struct view *view = look(recording, "amplitude", 1, anywhere);
        struct picture_options options = plain;
        options.has_low = options.has_high = options.logarithmic = true;
        options.low = -.5;
        options.high = .5;
        options.linear_width = 1e-3;
        static const int64_t rows[] = { 4, 8 };
        static const char *const expected[][2] = {
            { "Title", "random numbers" },
            { "Source", "run.h5" },
            { "Field", "amplitude of wave 1" },
            { "Range", "-0.5 to 0.5, signed logarithm, linear within 0.001" },
            { "Colormap", "vik" },
            { "Software", "hamon-test" },
            { "Step", "8" },
        };
        static struct picture picture;
        ck_assert_int_eq(
            picture_init(&picture, view, &options, rows, 2, "hamon-test", NULL),
            STATUS_OK);
        ck_assert_int_eq(picture_paint(&picture, 4, NULL), STATUS_OK);
        ck_assert_int_eq(picture_paint(&picture, 8, NULL), STATUS_OK);
        ck_assert_uint_eq(picture.note_count, 7);
        for (int i = 0; i < 7; i++) {
            ck_assert_str_eq(picture.notes[i].key, expected[i][0]);
            ck_assert_str_eq(picture.notes[i].text, expected[i][1]);
        }
        picture_release(&picture);
        view_release(view);
        recording_close(recording);
    }
END_TEST

START_TEST(walls_are_drawn_over_the_field_only_if_requested)
    {
        struct recording *recording = record(&flat);
        struct view *view = look(recording, "amplitude", 0, anywhere);
        for (int walls = 0; walls < 2; walls++) {
            struct picture_options options = { .cell = 1 };
            options.overlays = walls ? OVERLAY_WALLS : 0;
            int64_t row = 8;
            static struct picture picture;
            ck_assert_int_eq(
                picture_init(&picture, view, &options, &row, 1, "", NULL),
                STATUS_OK);
            ck_assert_int_eq(picture_paint(&picture, row, NULL), STATUS_OK);
            for (int i = 0; i < view->cut.nx * view->cut.ny; i++) {
                const uint8_t *color =
                    picture.ramp
                        .colors[scale_level(&picture.scale, view->values[i])];
                if (walls && view->wall[i])
                    color = picture.ramp.wall;
                ck_assert_mem_eq(picture.image.rgb + 3 * i, color, 3);
            }
            picture_release(&picture);
        }
        view_release(view);
        recording_close(recording);
    }
END_TEST

/* ---- one-way cells ---- */

enum { SIDE = 20 }; /* an arrow and its edges stay in their cell */

/* The number of differing pixels in the half of the cell towards (or, −1, away
 * from) the direction. */
static int differing(const struct picture *picture, const uint8_t *before,
                     int x, int y, const int step[GRID_AXES], int sign)
{
    int count = 0;
    for (int row = 0; row < SIDE; row++)
        for (int column = 0; column < SIDE; column++) {
            size_t i = (size_t)(y * SIDE + row) * (size_t)picture->image.width +
                       (size_t)(x * SIDE + column);
            int along = step[0] * (2 * column + 1 - SIDE) +
                        step[1] * (2 * row + 1 - SIDE);
            count += sign * along > 0 &&
                     memcmp(picture->image.rgb + 3 * i, before + 3 * i, 3) != 0;
        }
    return count;
}

START_TEST(each_one_way_cell_has_an_arrow_in_its_direction)
    {
        struct recording *recording = record(&flat);
        struct view *view = look(recording, "walls", 0, anywhere);
        static const int64_t rows[] = { 4, 8 }; /* of both maps */
        static struct picture with, without;
        struct picture_options options = { .cell = SIDE, .em = 12 };
        ck_assert_int_eq(
            picture_init(&without, view, &options, rows, 2, "", NULL),
            STATUS_OK);
        options.overlays = OVERLAY_ONE_WAY;
        ck_assert_int_eq(picture_init(&with, view, &options, rows, 2, "", NULL),
                         STATUS_OK);
        ck_assert_int_eq(picture_paint(&without, rows[_i], NULL), STATUS_OK);
        ck_assert_int_eq(picture_paint(&with, rows[_i], NULL), STATUS_OK);
        size_t version = rows[_i] >= VERSION_STEP;
        int arrows = 0;
        for (int y = 0; y < view->cut.ny; y++)
            for (int x = 0; x < view->cut.nx; x++) {
                size_t cell = grid_index(&flat.grid, x + flat.region.low[0],
                                         y + flat.region.low[1], 0);
                int way = one_way_of(&flat.grid, version, cell);
                bool arrow = way && !is_wall(version, cell);
                const int *step = direction_step[way ? way - 1 : EAST];
                int ahead = differing(&with, without.image.rgb, x, y, step, 1);
                int behind =
                    differing(&with, without.image.rgb, x, y, step, -1);
                arrows += arrow;
                if (arrow)
                    ck_assert_int_gt(ahead, behind + 5);
                else
                    ck_assert_int_eq(ahead + behind, 0);
            }
        ck_assert_int_gt(arrows, 40);
        picture_release(&with);
        picture_release(&without);
        view_release(view);
        recording_close(recording);
    }
END_TEST

/* ---- hamon-slice and h5topng, side by side ---- */

static bool run_program(const char *const *argv)
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

static void read_png(int width, int height, uint8_t *rgb)
{
    png_image png = { .version = PNG_IMAGE_VERSION };
    ck_assert_msg(png_image_begin_read_from_file(&png, picture_path), "%s",
                  png.message);
    ck_assert_int_eq((int)png.width, width);
    ck_assert_int_eq((int)png.height, height);
    png.format = PNG_FORMAT_RGB;
    ck_assert(png_image_finish_read(&png, NULL, rgb, 0, NULL));
    unlink(picture_path);
}

/* h5topng -T has the same axes, upside down. */
START_TEST(gray_slices_are_the_pixels_of_h5topng)
    {
        static uint8_t ours[3 * 17 * 11], theirs[sizeof ours];
        char program[512];
        const char *built = getenv("abs_top_builddir");
        snprintf(program, sizeof program, "%s/tools/hamon-slice",
                 built ? built : ".");
        struct run run = flat;
        run.region = grid_box(&run.grid);
        recording_close(record(&run));
        const char *const h5topng[] = { "h5topng", "-T",    "-x", "5",
                                        "-d",      "wave1", "-m", "-0.01",
                                        "-M",      "0.01",  "-o", picture_path,
                                        path,      NULL };
        const char *const slice[] = {
            program, "--bare", "-q",         "--at", "step=5",     "--wave",
            "1",     "-c",     "gray",       "-R",   "-0.01:0.01", "--overlay",
            "none",  "-o",     picture_path, path,   NULL
        };
        if (!run_program(h5topng)) {
            puts("# h5topng is not installed: slices are not held against it");
            return;
        }
        read_png(17, 11, theirs);
        ck_assert(run_program(slice));
        read_png(17, 11, ours);
        for (int y = 0; y < 11; y++)
            ck_assert_mem_eq(ours + 3 * 17 * y, theirs + 3 * 17 * (10 - y),
                             3 * 17);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("picture");
    TCase *tests = tcase_create("picture");
    tcase_add_checked_fixture(tests, make_place, remove_place);
    tcase_add_loop_test(tests, one_range_is_used_for_all_rows_without_walls, 1,
                        5);
    tcase_add_loop_test(
        tests, a_damaged_row_is_reported_by_any_number_of_threads, 1, 4);
    tcase_add_test(tests,
                   letters_grow_with_the_picture_but_not_beyond_a_narrow_one);
    tcase_add_test(tests, a_picture_contains_its_sources);
    tcase_add_test(tests, walls_are_drawn_over_the_field_only_if_requested);
    tcase_add_loop_test(tests, each_one_way_cell_has_an_arrow_in_its_direction,
                        0, 2);
    tcase_add_test(tests, gray_slices_are_the_pixels_of_h5topng);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
