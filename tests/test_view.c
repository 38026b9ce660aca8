/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "base/random.h"
#include "draw/picture.h"
#include "recording/recorder.h"
#include "suite.h"

#include <errno.h>
#include <math.h>
#include <png.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { WAVES = 2, STEPS = 12, VERSION_STEP = 6, EMITTED = 2, AGAIN = 9 };

/* A recording whose numbers are random, so that no two places are alike. */
struct run {
    struct grid grid;
    struct box region;
    int64_t every;
    bool gradient, arrival, speed;
    const char *parameters;
    size_t source;
};

static char place[] = "/tmp/hamon-view-XXXXXX";
static char path[64], picture_path[64];

static void make_place(void)
{
    ck_assert_ptr_nonnull(mkdtemp(place));
    snprintf(path, sizeof path, "%s/run.h5", place);
    snprintf(picture_path, sizeof picture_path, "%s/run.png", place);
}

static void remove_place(void)
{
    unlink(path);
    unlink(picture_path);
    ck_assert_int_eq(rmdir(place), 0);
    memcpy(place + strlen(place) - 6, "XXXXXX", 6);
}

/* The number of `what` (0 amplitude, 1 … 3 gradient) at a step and cell. */
static float number(int what, int wave, int64_t step, size_t cell)
{
    struct random random;
    random_seed(&random, (uint64_t)what + 10 * (uint64_t)wave +
                             100 * (uint64_t)step + 100000 * (uint64_t)cell);
    double decades = 9 * random_unit(&random);
    return (float)((2 * random_unit(&random) - 1) * pow(10, -decades));
}

static bool is_wall(size_t version, size_t cell)
{
    return (cell * 7 + version * 3) % 11 < 2;
}

static double speed_of(size_t version, size_t cell)
{
    return .25 * (1 + (double)((cell + version) % 4));
}

static int32_t arrival_of(int wave, size_t cell)
{
    return (int32_t)((cell * 13 + (size_t)wave) % 97) - 1;
}

static void put_terrain(struct recorder *recorder, const struct run *run,
                        size_t version)
{
    struct terrain terrain = { .grid = run->grid };
    size_t cells = grid_cells(&run->grid);
    terrain.wall = memory_new(cells, 1);
    terrain.speed = memory_new(cells, sizeof *terrain.speed);
    for (size_t i = 0; i < cells; i++) {
        terrain.wall[i] = is_wall(version, i);
        terrain.speed[i] = speed_of(version, i);
    }
    ck_assert_int_eq(recorder_terrain(recorder, version, &terrain, NULL),
                     STATUS_OK);
    memory_release(terrain.wall);
    memory_release(terrain.speed);
}

static void put_row(struct recorder *recorder, const struct run *run,
                    int64_t row)
{
    size_t cells = grid_cells(&run->grid);
    float *block = memory_new(cells * WAVES * 4, sizeof *block);
    const void *numbers[4][WAVES];
    for (int what = 0; what < 4; what++)
        for (int wave = 0; wave < WAVES; wave++) {
            float *to = block + (size_t)(what * WAVES + wave) * cells;
            for (size_t i = 0; i < cells; i++)
                to[i] = number(what, wave, row * run->every, i);
            numbers[what][wave] = to;
        }
    struct recording_fields given = {
        .amplitude = numbers[0],
        .gradient = { numbers[1], numbers[2], numbers[3] },
    };
    ck_assert_int_eq(recorder_row(recorder, row, &given, NULL), STATUS_OK);
    memory_release(block);
}

static void put_arrivals(struct recorder *recorder, const struct run *run)
{
    size_t cells = grid_cells(&run->grid);
    int32_t *arrival = memory_new(cells, sizeof *arrival);
    for (int wave = 0; wave < WAVES; wave++) {
        for (size_t i = 0; i < cells; i++)
            arrival[i] = arrival_of(wave, i);
        ck_assert_int_eq(recorder_arrival_field(recorder, wave, arrival, NULL),
                         STATUS_OK);
    }
    memory_release(arrival);
}

static struct recording *record(const struct run *run)
{
    int64_t versions[] = { 0, VERSION_STEP };
    struct recording_text texts[] = { { "parameters", run->parameters } };
    struct recording_plan plan = {
        .title = "random numbers",
        .grid = run->grid,
        .region = run->region,
        .real = TYPE_FLOAT32,
        .waves = WAVES,
        .amplitude = true,
        .gradient = run->gradient,
        .arrival = run->arrival,
        .steps = STEPS,
        .every = run->every,
        .version_steps = versions,
        .versions = 2,
        .speed = run->speed,
        .emissions = 8,
        .texts = texts,
        .text_count = 1,
    };
    struct error error;
    struct recorder *recorder;
    ck_assert_msg(recorder_create(path, &plan, true, &recorder, &error) ==
                      STATUS_OK,
                  "%s", error.message);
    put_terrain(recorder, run, 0);
    put_terrain(recorder, run, 1);
    int64_t rows = STEPS / run->every + 1;
    for (int64_t row = 0; row < rows; row++)
        put_row(recorder, run, row);
    if (run->arrival)
        put_arrivals(recorder, run);
    recorder_emission(recorder, 0, 0, 0, NULL);
    recorder_emission(recorder, 1, EMITTED, run->source, NULL);
    recorder_emission(recorder, 1, AGAIN, run->source, NULL);
    ck_assert_int_eq(recorder_commit(recorder, rows, NULL, NULL), STATUS_OK);
    ck_assert_int_eq(recorder_close(recorder, RUN_DONE, NULL, NULL), STATUS_OK);
    struct recording *recording;
    ck_assert_msg(recording_open(path, &recording, &error) == STATUS_OK, "%s",
                  error.message);
    return recording;
}

static const struct run flat = {
    .grid = { 2, 17, 11, 1 },
    .region = { { 3, 2, 0 }, { 14, 8, 0 } },
    .every = 1,
    .gradient = true,
    .arrival = true,
    .speed = true,
    .parameters = "arrival.heading = \"signed\"\n",
    .source = 6 * 17 + 7,
};
static const struct run deep = {
    .grid = { 3, 7, 6, 5 },
    .region = { { 0, 0, 0 }, { 6, 5, 4 } },
    .every = 3,
    .gradient = true,
    .arrival = true,
    .speed = true,
    .parameters = "arrival.heading = \"paper\"\n",
    .source = 0,
};

static const struct view_place anywhere = { -1, 0 };

static struct view *look(const struct recording *recording, const char *field,
                         int wave, struct view_place at)
{
    struct error error;
    struct view *view;
    ck_assert_msg(view_open(recording, field, wave, &at, &view, &error) ==
                      STATUS_OK,
                  "%s", error.message);
    return view;
}

static double gradient_length(const struct run *run, int wave, int64_t step,
                              size_t cell)
{
    double sum = 0;
    for (int axis = 0; axis < run->grid.dims; axis++)
        sum += pow((double)number(1 + axis, wave, step, cell), 2);
    return sqrt(sum);
}

/* In degrees against the clock, y and z pointing down in the picture. */
static double heading_of(const struct run *run, const struct view *view,
                         int64_t step, size_t cell)
{
    double sign = strstr(run->parameters, "signed") &&
                          number(0, view->wave, step, cell) < 0
                      ? -1
                      : 1;
    double right = (double)number(1 + view->cut.right, view->wave, step, cell);
    double down = (double)number(1 + view->cut.down, view->wave, step, cell);
    return atan2(-sign * down, sign * right) * 180 / acos(-1);
}

/* What the view should show at a cell of the world. */
static double wanted(const struct run *run, const struct view *view,
                     int64_t step, size_t cell)
{
    size_t version = step >= VERSION_STEP;
    const char *name = view->field->name;
    if (strcmp(name, "amplitude") == 0)
        return (double)number(0, view->wave, step, cell);
    if (strcmp(name, "gradient") == 0)
        return gradient_length(run, view->wave, step, cell);
    if (strcmp(name, "heading") == 0)
        return heading_of(run, view, step, cell);
    if (strcmp(name, "arrival") == 0)
        return arrival_of(view->wave, cell) < 0 ? (double)NAN
                                                : arrival_of(view->wave, cell);
    if (strcmp(name, "speed") == 0)
        return speed_of(version, cell);
    return is_wall(version, cell);
}

static void ck_plane(const struct run *run, const struct view *view,
                     int64_t step)
{
    const struct cut *cut = &view->cut;
    /* Angles round as half a turn does. */
    double turned = strcmp(view->field->name, "heading") == 0 ? 180 : 0;
    for (int i = 0; i < cut->nx * cut->ny; i++) {
        int at[GRID_AXES];
        at[cut->axis] = cut->at + run->region.low[cut->axis];
        at[cut->right] = i % cut->nx + run->region.low[cut->right];
        at[cut->down] = i / cut->nx + run->region.low[cut->down];
        size_t cell = grid_index(&run->grid, at[0], at[1], at[2]);
        double value = wanted(run, view, step, cell);
        if (isnan(value))
            ck_assert(isnan(view->values[i]));
        else
            ck_assert_msg(fabs(view->values[i] - value) <=
                              1e-15 * fmax(fabs(value), turned),
                          "%s of wave %d at step %d: %.17g, not %.17g",
                          view->field->name, view->wave, (int)step,
                          view->values[i], value);
        if (view->field->by_row)
            ck_assert_int_eq(view->wall[i],
                             is_wall(step >= VERSION_STEP, cell));
    }
}

static void ck_all_fields(const struct run *run, struct view_place at)
{
    struct recording *recording = record(run);
    for (const struct field *const *field = fields; *field; field++)
        for (int wave = 0; wave < WAVES; wave++) {
            struct view *view = look(recording, (*field)->name, wave, at);
            /* Forth and back, over the change of the map. */
            static const int order[] = { 0, 3, 4, 1 };
            for (int k = 0; k < 4; k++) {
                ck_assert_int_eq(view_read(view, order[k], NULL), STATUS_OK);
                ck_plane(run, view, order[k] * run->every);
            }
            view_release(view);
        }
    recording_close(recording);
}

START_TEST(every_field_of_a_region_is_what_was_recorded)
    {
        ck_all_fields(&flat, anywhere);
    }
END_TEST

START_TEST(every_plane_of_a_block_is_what_was_recorded)
    {
        ck_all_fields(&deep, anywhere);
        ck_all_fields(&deep, (struct view_place){ 0, 6 });
        ck_all_fields(&deep, (struct view_place){ 1, 2 });
        ck_all_fields(&deep, (struct view_place){ 2, 0 });
    }
END_TEST

START_TEST(the_default_plane_is_the_middle_layer)
    {
        struct recording *recording = record(&deep);
        struct view *view = look(recording, "amplitude", 1, anywhere);
        char text[64];
        view_describe(view, text, sizeof text);
        ck_assert_str_eq(text, "amplitude of wave 1, z = 2");
        view_release(view);
        recording_close(recording);
    }
END_TEST

/* The neighbour's amplitude by the rules of eqs 18–19, cell by cell. */
static double beside(const struct run *run, int64_t step, const int at[3],
                     int axis, int way, bool free)
{
    int to[3] = { at[0], at[1], at[2] };
    to[axis] += way;
    size_t cell = grid_index(&run->grid, at[0], at[1], at[2]);
    double own = (double)number(0, 1, step, cell);
    if (!grid_holds(&run->grid, to[0], to[1], to[2]))
        return own;
    for (int a = 0; a < GRID_AXES; a++)
        if (to[a] < run->region.low[a] || to[a] > run->region.high[a])
            return (double)NAN;
    size_t other = grid_index(&run->grid, to[0], to[1], to[2]);
    if (is_wall(step >= VERSION_STEP, other))
        return free ? own : 0;
    return (double)number(0, 1, step, other);
}

static void ck_derived_gradient(struct run run, bool free)
{
    run.gradient = false;
    run.parameters =
        free ? "wave.walls = \"free\"\n" : "wave.walls = \"fixed\"\n";
    struct recording *recording = record(&run);
    struct view *view = look(recording, "gradient", 1, anywhere);
    const struct cut *cut = &view->cut;
    for (int64_t row = 1; row < 4; row++) {
        int64_t step = row * run.every;
        ck_assert_int_eq(view_read(view, row, NULL), STATUS_OK);
        for (int i = 0; i < cut->nx * cut->ny; i++) {
            int at[3] = { i % cut->nx + run.region.low[0],
                          i / cut->nx + run.region.low[1],
                          cut->at + run.region.low[2] };
            double length = 0;
            for (int axis = 0; axis < run.grid.dims; axis++)
                length =
                    hypot(length, (beside(&run, step, at, axis, 1, free) -
                                   beside(&run, step, at, axis, -1, free)) /
                                      2);
            if (view->wall[i])
                ck_assert(view->values[i] == 0);
            else if (isnan(length))
                ck_assert(isnan(view->values[i]));
            else /* rounded to single, as the run would have */
                ck_assert_double_eq_tol(view->values[i], length, 2e-7 * length);
        }
    }
    view_release(view);
    recording_close(recording);
}

START_TEST(a_gradient_that_was_not_recorded_follows_from_the_amplitude)
    {
        struct run whole = flat;
        whole.region = grid_box(&flat.grid);
        ck_derived_gradient(whole, false);
        ck_derived_gradient(whole, true);
        ck_derived_gradient(flat, false);
        ck_derived_gradient(deep, true);
    }
END_TEST

/* The first age whose |z| reaches θA, before the wave goes out again. */
static double first_age(const struct run *run, size_t cell, double level)
{
    if (cell == run->source)
        return 0;
    for (int64_t step = EMITTED + 1; step < AGAIN; step++)
        if (fabs((double)number(0, 1, step, cell)) >= level)
            return (double)(step - EMITTED);
    return (double)NAN;
}

START_TEST(an_arrival_that_was_not_recorded_follows_from_the_rows)
    {
        struct run run = flat;
        run.arrival = false;
        run.parameters = "arrival.detector = \"threshold\"\n"
                         "arrival.threshold = 0.01\nwave.amplitude = 2.0\n";
        struct recording *recording = record(&run);
        struct view *view = look(recording, "arrival", 1, anywhere);
        ck_assert_int_eq(view_read(view, 0, NULL), STATUS_OK);
        int never = 0, came = 0;
        for (int i = 0; i < view->cut.nx * view->cut.ny; i++) {
            size_t cell = grid_index(&run.grid, i % view->cut.nx + 3,
                                     i / view->cut.nx + 2, 0);
            double age = first_age(&run, cell, .02);
            if (isnan(age))
                ck_assert(isnan(view->values[i]));
            else
                ck_assert(view->values[i] == age);
            never += isnan(age) != 0;
            came += !isnan(age);
        }
        ck_assert_int_gt(never, 5);
        ck_assert_int_gt(came, 20);
        view_release(view);
        recording_close(recording);
    }
END_TEST

static void ck_no_view(const struct recording *recording, const char *field,
                       int64_t wave, struct view_place at, const char *told)
{
    struct view *view = NULL;
    struct error error;
    ck_assert_int_eq(view_open(recording, field, wave, &at, &view, &error),
                     STATUS_INPUT);
    ck_assert_ptr_null(view);
    ck_assert_msg(strstr(error.message, told) != NULL, "%s", error.message);
}

START_TEST(what_is_not_there_is_told_with_what_is)
    {
        struct run run = flat;
        run.gradient = run.speed = false;
        run.parameters = "wave.stencil = \"9-point\"\n";
        struct recording *recording = record(&run);
        ck_no_view(recording, "amplitud", 0, anywhere,
                   "fields are amplitude, gradient, heading, arrival, speed, "
                   "walls");
        ck_no_view(recording, "gradient", 0, anywhere,
                   "gradient was not recorded; there are amplitude, arrival, "
                   "walls");
        ck_no_view(recording, "speed", 0, anywhere, "speed was not recorded");
        ck_no_view(recording, "amplitude", 2, anywhere,
                   "no wave 2; there are waves 0 to 1");
        ck_no_view(recording, "amplitude", -1, anywhere, "no wave -1");
        ck_no_view(recording, "amplitude", INT64_MAX, anywhere, "no wave 9");
        ck_no_view(recording, "amplitude", 0, (struct view_place){ 2, 0 },
                   "is flat");
        recording_close(recording);
        recording = record(&deep);
        ck_no_view(recording, "amplitude", 0, (struct view_place){ 2, 5 },
                   "no plane z=5; z runs from 0 to 4");
        ck_no_view(recording, "amplitude", 0, (struct view_place){ 0, -1 },
                   "no plane x=-1; x runs from 0 to 6");
        recording_close(recording);
    }
END_TEST

static void ck_no_arrival(struct run run, const char *told)
{
    run.arrival = false;
    struct recording *recording = record(&run);
    struct view *view = look(recording, "arrival", 1, anywhere);
    struct error error;
    ck_assert_int_eq(view_read(view, 0, &error), STATUS_INPUT);
    ck_assert_msg(strstr(error.message, told) != NULL, "%s", error.message);
    view_release(view);
    recording_close(recording);
}

START_TEST(arrivals_that_cannot_be_worked_out_are_told)
    {
        struct run run = flat;
        run.every = 2;
        ck_no_arrival(run, "record.every = 1");
        run = flat;
        run.source = 0;
        ck_no_arrival(run, "outside the recorded region");
        run = flat;
        run.parameters = "arrival.detector = \"laplace\"\n";
        ck_no_arrival(run, "detector 'laplace'");
        run.parameters = "arrival.detector = \"psychic\"\n";
        ck_no_arrival(run, "detector 'psychic'");
    }
END_TEST

/* ---- pictures ---- */

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

START_TEST(one_range_serves_all_rows_and_leaves_walls_out)
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
        ck_scale(view, &options, -most, most, 0);
        options.logarithmic = true;
        ck_scale(view, &options, -most, most, 1e-4 * most);
        options.linear_width = .125;
        ck_scale(view, &options, -most, most, .125);
        options = plain;
        options.has_range = true;
        options.low = -.25;
        options.high = .5;
        ck_scale(view, &options, -.25, .5, 0);
        options.symmetric = true;
        ck_scale(view, &options, -.5, .5, 0);
        view_release(view);
        view = look(recording, "heading", 0, anywhere);
        ck_scale(view, &plain, -180, 180, 0);
        view_release(view);
        view = look(recording, "speed", 0, anywhere);
        ck_scale(view, &plain, .25, 1, 0);
        view_release(view);
        recording_close(recording);
    }
END_TEST

START_TEST(a_picture_tells_where_it_is_from)
    {
        struct recording *recording = record(&flat);
        struct view *view = look(recording, "amplitude", 1, anywhere);
        struct picture_options options = plain;
        options.has_range = options.logarithmic = true;
        options.low = -.5;
        options.high = .5;
        options.linear_width = 1e-3;
        static const int64_t rows[] = { 4, 8 };
        static const char *const told[][2] = {
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
            ck_assert_str_eq(picture.notes[i].key, told[i][0]);
            ck_assert_str_eq(picture.notes[i].text, told[i][1]);
        }
        picture_release(&picture);
        view_release(view);
        recording_close(recording);
    }
END_TEST

START_TEST(walls_are_drawn_over_the_field_only_where_asked)
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

/* h5topng -T has our axes, upside down. */
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
            program, "-q",         "--at", "step=5",     "--wave",    "1",
            "-c",    "gray",       "-R",   "-0.01:0.01", "--overlay", "none",
            "-o",    picture_path, path,   NULL
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
    Suite *suite = suite_create("view");
    TCase *tests = tcase_create("view");
    tcase_add_checked_fixture(tests, make_place, remove_place);
    tcase_add_test(tests, every_field_of_a_region_is_what_was_recorded);
    tcase_add_test(tests, every_plane_of_a_block_is_what_was_recorded);
    tcase_add_test(tests, the_default_plane_is_the_middle_layer);
    tcase_add_test(tests,
                   a_gradient_that_was_not_recorded_follows_from_the_amplitude);
    tcase_add_test(tests,
                   an_arrival_that_was_not_recorded_follows_from_the_rows);
    tcase_add_test(tests, what_is_not_there_is_told_with_what_is);
    tcase_add_test(tests, arrivals_that_cannot_be_worked_out_are_told);
    tcase_add_test(tests, one_range_serves_all_rows_and_leaves_walls_out);
    tcase_add_test(tests, a_picture_tells_where_it_is_from);
    tcase_add_test(tests, walls_are_drawn_over_the_field_only_where_asked);
    tcase_add_test(tests, gray_slices_are_the_pixels_of_h5topng);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
