/* SPDX-License-Identifier: MIT */
/* Figures: the positions of all that is drawn, computed by brute force from the
 * numbers. */
#include "draw/figure/figure.h"
#include "search/pincer.h"
#include "tests/view/view_run.h"

enum { AGENTS = 3, CELL = 8, LAST = 10 };

static const struct grid grid = { 2, 40, 24, 1 };
static struct recording *recording;
static struct view *view;
static struct picture picture;
static struct figure figure;

/* Agent i at a step: straight lines that do not meet. */
static double place_of(int agent, int axis, int64_t step)
{
    return axis ? 4 + 7 * agent + .1 * (double)step
                : 3 + 2.3 * (double)step + agent;
}

/* The wave arrives at a cell after as many steps as its column's number. */
static int32_t arrival_at(size_t cell)
{
    return (int32_t)(cell % 40) / 2;
}

static void put_agents(struct recorder *recorder, int64_t step)
{
    size_t cells = grid_cells(&grid);
    float *amplitude = memory_new(cells, sizeof *amplitude);
    for (size_t i = 0; i < cells; i++)
        amplitude[i] = number(0, 0, step, i);
    double at[2][AGENTS], heading[2][AGENTS];
    int8_t state[AGENTS] = { 1, 1, 1 };
    for (int i = 0; i < AGENTS; i++)
        for (int axis = 0; axis < 2; axis++) {
            at[axis][i] = place_of(i, axis, step);
            heading[axis][i] = axis ? 0 : 1;
        }
    const void *waves[] = { amplitude };
    struct recording_fields given = {
        .step = step,
        .amplitude = waves,
        .agent_at = { at[0], at[1] },
        .agent_heading = { heading[0], heading[1] },
        .agent_state = state,
        .target_at = { 30, 20 },
    };
    ck_assert_int_eq(recorder_row(recorder, step, &given, NULL), STATUS_OK);
    memory_release(amplitude);
}

static void put_rest(struct recorder *recorder)
{
    size_t cells = grid_cells(&grid);
    struct terrain terrain;
    ck_assert_int_eq(terrain_init(&terrain, &grid, NULL), STATUS_OK);
    terrain.wall[5] = 1;
    ck_assert_int_eq(recorder_terrain(recorder, 0, &terrain, NULL), STATUS_OK);
    terrain_release(&terrain);
    int32_t *arrival = memory_new(cells, sizeof *arrival);
    for (size_t i = 0; i < cells; i++)
        arrival[i] = arrival_at(i);
    ck_assert_int_eq(recorder_arrival_field(recorder, 0, arrival, NULL),
                     STATUS_OK);
    memory_release(arrival);
    ck_assert_int_eq(recorder_emission(recorder, 0, 0, 0, NULL), STATUS_OK);
    static const int32_t cells_of_path[] = { 12 * 40 + 2, 12 * 40 + 3,
                                             12 * 40 + 4, 12 * 40 + 5,
                                             12 * 40 + 6, 12 * 40 + 7 };
    struct recorded_plan plan = { .agent = 1,
                                  .path = cells_of_path,
                                  .path_cells = 6 };
    ck_assert_int_eq(recorder_plan(recorder, &plan, NULL), STATUS_OK);
    struct recorded_plan last = { .agent = 2,
                                  .path = cells_of_path,
                                  .path_cells = 1 };
    ck_assert_int_eq(recorder_plan(recorder, &last, NULL), STATUS_OK);
    static const int32_t nodes[] = { 3 * 40 + 5, 3 * 40 + 20, 20 * 40 + 20 };
    struct recorded_plan relay = { .path = nodes, .path_cells = 3 };
    ck_assert_int_eq(recorder_plan(recorder, &relay, NULL), STATUS_OK);
}

static void set_up(void)
{
    static const char *const names[] = { "A", "B\x1b<&", "C" };
    static const char *const methods[] = { "relay", "pincer", "pincer" };
    int64_t versions[] = { 0 };
    struct recording_text texts[] = { { "parameters", "pursuit.moves = 4\n" } };
    struct recording_plan plan = {
        .title = "agents",
        .grid = grid,
        .region = grid_box(&grid),
        .real = TYPE_FLOAT32,
        .waves = 1,
        .amplitude = true,
        .arrival = true,
        .steps = LAST,
        .every = 1,
        .version_steps = versions,
        .versions = 1,
        .agents = AGENTS,
        .agent_names = names,
        .agent_methods = methods,
        .target = true,
        .emissions = 4,
        .plans = 4,
        .plan_cells = 16,
        .texts = texts,
        .text_count = 1,
    };
    struct error error;
    struct recorder *recorder;
    make_place();
    ck_assert_msg(recorder_create(path, &plan, true, &recorder, &error) ==
                      STATUS_OK,
                  "%s", error.message);
    put_rest(recorder);
    for (int64_t step = 0; step <= LAST; step++)
        put_agents(recorder, step);
    ck_assert_int_eq(recorder_commit(recorder, LAST + 1, NULL, NULL),
                     STATUS_OK);
    ck_assert_int_eq(recorder_close(recorder, RUN_DONE, NULL, NULL), STATUS_OK);
    ck_assert_msg(recording_open(path, &recording, &error) == STATUS_OK, "%s",
                  error.message);
    view = look(recording, "amplitude", 0, anywhere);
}

static void tear_down(void)
{
    view_release(view);
    recording_close(recording);
    remove_place();
}

static const struct picture_options plain = { .cell = CELL,
                                              .em = 14,
                                              .overlays = OVERLAY_WALLS };

static void open_picture(unsigned overlays)
{
    static const int64_t rows[] = { 2, 4, 6, LAST };
    struct picture_options options = plain;
    options.overlays |= overlays;
    struct error error;
    ck_assert_msg(picture_init(&picture, view, &options, rows, 4, "test",
                               &error) == STATUS_OK,
                  "%s", error.message);
}

static bool is_color(const uint8_t *pixel, const uint8_t *color)
{
    return memcmp(pixel, color, 3) == 0;
}

static double far(const double a[2], const double b[2], double x, double y)
{
    double d[2] = { b[0] - a[0], b[1] - a[1] };
    double square = d[0] * d[0] + d[1] * d[1];
    double t =
        square > 0 ? ((x - a[0]) * d[0] + (y - a[1]) * d[1]) / square : 0;
    t = fmin(fmax(t, 0), 1);
    return hypot(x - a[0] - t * d[0], y - a[1] - t * d[1]);
}

static void pixel_of(const double world[2], double pixel[2])
{
    for (int i = 0; i < 2; i++)
        pixel[i] = (world[i] + .5) * CELL;
}

START_TEST(trails_are_drawn_along_the_agents_paths_and_nowhere_else)
    {
        static uint8_t bare[40 * CELL * 24 * CELL * 3];
        open_picture(0);
        ck_assert_int_eq(picture_paint(&picture, 6, NULL), STATUS_OK);
        memcpy(bare, picture.image.rgb, sizeof bare);
        picture_release(&picture);
        open_picture(OVERLAY_TRAILS);
        ck_assert_int_eq(picture_paint(&picture, 6, NULL), STATUS_OK);
        int changed = 0;
        for (int y = 0; y < picture.image.height; y++)
            for (int x = 0; x < picture.image.width; x++) {
                double nearest =
                    hypot(x + .5 - 30.5 * CELL, y + .5 - 20.5 * CELL);
                int owner = -1;
                for (int i = 0; i < AGENTS; i++) {
                    double ends[2][2];
                    for (int end = 0; end < 2; end++)
                        pixel_of((double[]){ place_of(i, 0, 6 * end),
                                             place_of(i, 1, 6 * end) },
                                 ends[end]);
                    double d = far(ends[0], ends[1], x + .5, y + .5);
                    owner = d < nearest ? i : owner;
                    nearest = fmin(nearest, d);
                }
                const uint8_t *pixel = image_at(&picture.image, x, y);
                size_t offset = (size_t)(pixel - picture.image.rgb);
                bool same = memcmp(pixel, bare + offset, 3) == 0;
                changed += !same;
                if (nearest > 3)
                    ck_assert_msg(same, "%d, %d", x, y);
                else if (nearest < .3 && owner >= 0)
                    ck_assert(is_color(pixel, overlay_color(owner)));
            }
        ck_assert_int_gt(changed, 500);
        picture_release(&picture);
    }
END_TEST

START_TEST(agents_are_drawn_at_their_positions)
    {
        open_picture(OVERLAY_AGENTS);
        for (int64_t row = 2; row <= 6; row += 2) {
            ck_assert_int_eq(picture_paint(&picture, row, NULL), STATUS_OK);
            for (int i = 0; i < AGENTS; i++) {
                double at[2];
                pixel_of((double[]){ place_of(i, 0, row), place_of(i, 1, row) },
                         at);
                ck_assert(
                    is_color(image_at(&picture.image, (int)at[0], (int)at[1]),
                             overlay_color(i)));
            }
            /* The middle of the target's sign, a bull's eye: black. */
            const uint8_t *eye = image_at(&picture.image, 30 * CELL + CELL / 2,
                                          20 * CELL + CELL / 2);
            ck_assert_int_eq(eye[0] + eye[1] + eye[2], 0);
        }
        picture_release(&picture);
    }
END_TEST

START_TEST(agents_are_chosen_by_name)
    {
        static const char *const one[] = { "C" }, *const none[] = { "D" };
        struct picture_options options = plain;
        struct error error;
        int64_t row = 3;
        options.overlays |= OVERLAY_AGENTS;
        options.agents = one;
        options.agent_count = 1;
        ck_assert_int_eq(
            picture_init(&picture, view, &options, &row, 1, "", NULL),
            STATUS_OK);
        ck_assert_uint_eq(picture.tracks.count, 2); /* and the target */
        ck_assert_int_eq(picture.tracks.track[0].number, 2);
        ck_assert_int_eq(picture.tracks.track[1].number, -1);
        picture_release(&picture);
        options.agents = none;
        ck_assert_int_eq(
            picture_init(&picture, view, &options, &row, 1, "", &error),
            STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "no agent 'D'"));
        ck_assert_ptr_nonnull(strstr(error.message, "A, B\\x1b<&, C"));
        picture_release(&picture);
    }
END_TEST

START_TEST(the_front_separates_reached_cells_from_others)
    {
        open_picture(OVERLAY_FRONT);
        for (int64_t row = 2; row <= 6; row += 2) {
            ck_assert_int_eq(picture_paint(&picture, row, NULL), STATUS_OK);
            /* Columns 2·row and 2·row + 1 have just been reached, so the line
             * is in the middle between the centres of the latter and the
             * next. */
            int x = (2 * (int)row + 2) * CELL;
            for (int y = CELL; y < 23 * CELL; y++) {
                const uint8_t *pixel = image_at(&picture.image, x, y);
                /* A line 1.27 wide between two pixels covers .64 of each. */
                ck_assert_int_lt(pixel[0] + pixel[1] + pixel[2],
                                 (int)(3 * 255 * (1 - .63)));
            }
        }
        picture_release(&picture);
    }
END_TEST

START_TEST(paths_run_along_their_cells)
    {
        static uint8_t bare[40 * CELL * 24 * CELL * 3];
        open_picture(0);
        ck_assert_int_eq(picture_paint(&picture, 4, NULL), STATUS_OK);
        memcpy(bare, picture.image.rgb, sizeof bare);
        picture_release(&picture);
        struct picture_options options = plain;
        options.overlays |= OVERLAY_PATHS;
        options.agents = (const char *const[]){ "B\x1b<&" };
        options.agent_count = 1;
        ck_assert_int_eq(picture_init(&picture, view, &options,
                                      (const int64_t[]){ 4 }, 1, "test", NULL),
                         STATUS_OK);
        ck_assert_int_eq(picture_paint(&picture, 4, NULL), STATUS_OK);
        int in_color = 0;
        for (int y = 0; y < picture.image.height; y++)
            for (int x = 0; x < picture.image.width; x++) {
                const uint8_t *pixel = image_at(&picture.image, x, y);
                size_t offset = (size_t)(pixel - picture.image.rgb);
                double d =
                    far((double[]){ 2.5 * CELL, 12.5 * CELL },
                        (double[]){ 7.5 * CELL, 12.5 * CELL }, x + .5, y + .5);
                if (d > 4)
                    ck_assert(memcmp(pixel, bare + offset, 3) == 0);
                int off = 0;
                for (int i = 0; i < 3; i++)
                    off += abs(pixel[i] - overlay_color(1)[i]);
                in_color += d < 1 && off < 90; /* its edges are mixed with the
                                                * outline */
            }
        ck_assert_int_gt(in_color, 15);
        ck_assert_int_lt(in_color, 70); /* dashes, not a solid line */
        picture_release(&picture);
    }
END_TEST

/* Compared with the picture without them: the middles of cells have the
 * expected colours, and all other pixels are equal. */
static void ck_cells(unsigned overlay, const uint8_t *(*color)(int x, int y),
                     double reach)
{
    static uint8_t bare[40 * CELL * 24 * CELL * 3];
    int seen = 0;
    open_picture(0);
    ck_assert_int_eq(picture_paint(&picture, 4, NULL), STATUS_OK);
    memcpy(bare, picture.image.rgb, sizeof bare);
    picture_release(&picture);
    open_picture(overlay);
    ck_assert_int_eq(picture_paint(&picture, 4, NULL), STATUS_OK);
    for (int y = 0; y < picture.image.height; y++)
        for (int x = 0; x < picture.image.width; x++) {
            const uint8_t *pixel = image_at(&picture.image, x, y);
            const uint8_t *of = color(x / CELL, y / CELL);
            double dx = fabs(x % CELL + .5 - CELL / 2.);
            double dy = fabs(y % CELL + .5 - CELL / 2.);
            double off = dx > dy ? dx : dy;
            bool rim = !of && (color((x + 1) / CELL, y / CELL) ||
                               color((x - 1) / CELL, y / CELL) ||
                               color(x / CELL, (y + 1) / CELL) ||
                               color(x / CELL, (y - 1) / CELL));
            if (rim) /* a goal's disc is a little wider than a cell */
                continue;
            if (!of || off > reach * CELL + 1) {
                ck_assert(
                    memcmp(pixel, bare + (pixel - picture.image.rgb), 3) == 0);
            } else if (off < 1) {
                ck_assert(is_color(pixel, of));
                seen++;
            }
        }
    ck_assert_int_gt(seen, 8);
    picture_release(&picture);
}

/* The path of agent 1 is from (2, 12) to (6, 12); its goal, (7, 12), is not
 * covered. */
static const uint8_t *color_there(int x, int y)
{
    bool on = y == 12 && x >= 2 && x <= 6;
    bool beside = (abs(y - 12) == 1 && x >= 2 && x <= 6) || (y == 12 && x == 1);
    if (!(on || beside) || view->wall[y * 40 + x])
        return NULL;
    return overlay_square_color(on ? PINCER_YELLOW : PINCER_GREEN);
}

START_TEST(pincers_show_the_cells_that_the_last_of_them_avoided)
    {
        ck_cells(OVERLAY_COLORS, color_there, .3);
    }
END_TEST

static const uint8_t *node_there(int x, int y)
{
    bool node = (y == 3 && (x == 5 || x == 20)) || (y == 20 && x == 20);
    return node ? overlay_color(0) : NULL;
}

START_TEST(relay_walkers_show_their_nodes)
    {
        ck_cells(OVERLAY_NODES, node_there, .5);
    }
END_TEST

START_TEST(an_arrow_points_in_its_direction)
    {
        struct image image;
        struct page *page;
        ck_assert_int_eq(image_init(&image, 60, 60, NULL), STATUS_OK);
        ck_assert_int_eq(page_over(&image, NULL, &page, NULL), STATUS_OK);
        struct pen pen = { .page = page, .size = { 60, 60 }, .em = 40 };
        static const uint8_t gray[3] = { 128, 128, 128 };
        for (int turn = 0; turn < 8; turn++) {
            double right = cos(turn * acos(-1) / 4);
            double down = sin(turn * acos(-1) / 4);
            image_fill(&image, 0, 0, 60, 60, gray);
            overlay_arrows(&pen, &right, &down, NULL, 1, 1, 60, 0,
                           (int32_t[2]){ 0 });
            double x_sum = 0, y_sum = 0, black = 0;
            for (int i = 0; i < 3600; i++)
                if (image.rgb[3 * i] == 0) {
                    x_sum += i % 60 - 29.5;
                    y_sum += i / 60 - 29.5;
                    black++;
                }
            ck_assert_double_gt(black, 40);
            double length = hypot(x_sum, y_sum);
            ck_assert_double_gt(length / black, 2);
            ck_assert_double_gt((x_sum * right + y_sum * down) / length, .99);
        }
        page_release(page);
        image_release(&image);
    }
END_TEST

static const struct figure_options everything = {
    .bar = true,
    .axes = true,
    .scale_bar = true,
    .legend = true,
    .title = "A title \x1b[31m<b>\xff much, much longer than there is room "
             "for, at step %d of a run whose end nobody has seen",
    .columns = 2,
    .rows = 2,
};

static void open_figure(const struct figure_options *options)
{
    struct error error;
    ck_assert_msg(figure_init(&figure, &picture, options, &error) == STATUS_OK,
                  "%s", error.message);
}

START_TEST(no_text_is_drawn_on_the_data)
    {
        static const int64_t rows[] = { 2, 4, 6 };
        open_picture(OVERLAY_AGENTS | OVERLAY_TRAILS);
        open_figure(&everything);
        ck_assert_int_eq(figure_paint(&figure, rows, 3, NULL), STATUS_OK);
        const struct image *page = figure_page(&figure);
        for (int i = 0; i < 3; i++) {
            int left = figure.panel.left + i % 2 * figure.pitch[0];
            int top = figure.panel.top + i / 2 * figure.pitch[1];
            ck_assert_int_eq(picture_paint(&picture, rows[i], NULL), STATUS_OK);
            for (int y = 0; y < picture.image.height; y++)
                ck_assert_mem_eq(image_at(page, left, top + y),
                                 image_at(&picture.image, 0, y),
                                 (size_t)picture.image.width * 3);
        }
        figure_release(&figure);
        picture_release(&picture);
    }
END_TEST

/* No drawing is cut off at the page's edge. */
START_TEST(all_that_is_written_is_within_the_page)
    {
        static const int64_t rows[] = { 2, 4, 6 };
        for (int many = 0; many < 2; many++) {
            struct figure_options options = everything;
            options.columns = options.rows = 1 + many;
            open_picture(OVERLAY_AGENTS);
            open_figure(&options);
            ck_assert_int_eq(figure_paint(&figure, rows, many ? 3 : 1, NULL),
                             STATUS_OK);
            const struct image *page = figure_page(&figure);
            for (int y = 0; y < page->height; y++)
                for (int x = 0; x < page->width; x++)
                    if (!x || !y || x == page->width - 1 ||
                        y == page->height - 1)
                        ck_assert_msg(image_at(page, x, y)[0] == 255,
                                      "%d, %d of %d x %d", x, y, page->width,
                                      page->height);
            figure_release(&figure);
            picture_release(&picture);
        }
    }
END_TEST

START_TEST(the_bar_has_the_scale_s_colours_and_its_ticks_their_places)
    {
        static const int64_t row = 4;
        struct figure_options options = { .bar = true,
                                          .columns = 1,
                                          .rows = 1 };
        open_picture(0);
        open_figure(&options);
        ck_assert_int_eq(figure_paint(&figure, &row, 1, NULL), STATUS_OK);
        const struct image *page = figure_page(&figure);
        const struct frame *bar = &figure.bar;
        ck_assert_int_gt(bar->height, bar->width); /* 40 x 24: the bar is
                                                    * vertical */
        for (int y = 0; y < bar->height; y++) {
            double value =
                scale_value(&picture.scale, 1 - (y + .5) / bar->height);
            int level = scale_level(&picture.scale, value);
            const uint8_t *pixel = image_at(page, bar->left + 2, bar->top + y);
            bool near = false;
            for (int i = level - 1; i <= level + 1; i++)
                near = near || (i >= 0 && i < 256 &&
                                is_color(pixel, picture.ramp.colors[i]));
            ck_assert(near);
        }
        int line = figure_line(&figure);
        for (int i = 0; i < figure.bar_ticks.count; i++) {
            double part = figure.bar_ticks.tick[i].place;
            int y = bar->top + (int)round((1 - part) * (bar->height - 1));
            ck_assert_int_lt(
                image_at(page, bar->left + bar->width + line + 1, y)[0], 60);
        }
        figure_release(&figure);
        picture_release(&picture);
    }
END_TEST

START_TEST(ticks_of_axes_are_below_their_cells)
    {
        static const int64_t row = 4;
        struct figure_options options = { .axes = true,
                                          .columns = 1,
                                          .rows = 1 };
        open_picture(0);
        open_figure(&options);
        ck_assert_int_eq(figure_paint(&figure, &row, 1, NULL), STATUS_OK);
        const struct image *page = figure_page(&figure);
        const struct frame *panel = &figure.panel;
        int line = figure_line(&figure), ticks = 0;
        for (int cell = 0; cell < 40; cell++) {
            int x = panel->left + cell * CELL + CELL / 2;
            int y = panel->top + panel->height + line + 2;
            bool dark = image_at(page, x, y)[0] < 60;
            bool wanted = false;
            for (int i = 0; i < figure.axis_ticks[0].count; i++)
                wanted = wanted || figure.axis_ticks[0].tick[i].value == cell;
            ck_assert_int_eq(dark, wanted);
            ticks += wanted;
        }
        ck_assert_int_ge(ticks, 4);
        figure_release(&figure);
        picture_release(&picture);
    }
END_TEST

START_TEST(a_figure_without_additions_is_the_picture_itself)
    {
        static const int64_t row = 4;
        struct figure_options options = { .columns = 1, .rows = 1 };
        open_picture(0);
        open_figure(&options);
        ck_assert_int_eq(figure_paint(&figure, &row, 1, NULL), STATUS_OK);
        ck_assert_ptr_eq(figure_page(&figure), &picture.image);
        figure_release(&figure);
        picture_release(&picture);
    }
END_TEST

START_TEST(options_that_cannot_be_combined_are_rejected)
    {
        struct error error;
        struct figure_options options = everything;
        open_picture(0);
        options.columns = 9;
        options.rows = 3;
        ck_assert_int_eq(figure_init(&figure, &picture, &options, &error),
                         STATUS_INPUT);
        figure_release(&figure);
        options = everything;
        picture.options.per_frame = true;
        ck_assert_int_eq(figure_init(&figure, &picture, &options, &error),
                         STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "one colour bar"));
        figure_release(&figure);
        picture_release(&picture);
    }
END_TEST

START_TEST(frames_of_their_own_range_use_all_colours)
    {
        static const int64_t rows[] = { 1, 5 };
        struct picture_options options = plain;
        options.per_frame = true;
        ck_assert_int_eq(
            picture_init(&picture, view, &options, rows, 2, "", NULL),
            STATUS_OK);
        for (int r = 0; r < 2; r++) {
            ck_assert_int_eq(picture_paint(&picture, rows[r], NULL), STATUS_OK);
            double most = 0;
            for (size_t i = 0; i < grid_cells(&grid); i++)
                if (i != 5)
                    most = fmax(most, fabs((double)number(0, 0, rows[r], i)));
            ck_assert(picture.scale.high == most);
            ck_assert(picture.scale.low == -most);
        }
        picture_release(&picture);
    }
END_TEST

/* A cropped picture is the same part of the whole one, with all that is drawn
 * over the field; agents at the edge of a picture are drawn whole within it. */
START_TEST(a_cropped_picture_is_a_part_of_the_whole_one)
    {
        static const unsigned overlays[] = { OVERLAY_WALLS,  OVERLAY_AGENTS,
                                             OVERLAY_TRAILS, OVERLAY_PATHS,
                                             OVERLAY_NODES,  OVERLAY_COLORS,
                                             OVERLAY_FRONT };
        static const struct cells parts[] = {
            { 0, 0, 39, 23 }, { 3, 2, 33, 22 }, { 5, 12, 5, 12 },
            { 2, 3, 30, 3 },  { 7, 0, 7, 23 },
        };
        struct picture_options options = plain;
        static struct picture whole;
        const int64_t row = 4;
        options.overlays = overlays[_i / 5];
        options.has_low = options.has_high = true;
        options.low = -1e-3;
        options.high = 1e-3;
        ck_assert_int_eq(
            picture_init(&whole, view, &options, &row, 1, "", NULL), STATUS_OK);
        ck_assert_int_eq(picture_paint(&whole, row, NULL), STATUS_OK);
        const struct cells *part = &parts[_i % 5];
        options.cropped = true;
        options.crop = *part;
        ck_assert_int_eq(
            picture_init(&picture, view, &options, &row, 1, "", NULL),
            STATUS_OK);
        ck_assert_int_eq(picture_paint(&picture, row, NULL), STATUS_OK);
        const struct image *image = &picture.image;
        ck_assert_int_eq(image->width, (part->right - part->left + 1) * CELL);
        ck_assert_int_eq(image->height, (part->bottom - part->top + 1) * CELL);
        /* No drawing is so large that it hides a small picture: then only the
         * field is compared. */
        bool small = image->width < 40 || image->height < 40;
        int most = 0;
        if (!small || options.overlays == OVERLAY_WALLS)
            for (int y = 1; y < image->height - 1; y++)
                for (int x = 1; x < image->width - 1; x++)
                    for (int k = 0; k < 3; k++) {
                        int left = part->left * CELL, top = part->top * CELL;
                        int apart =
                            image_at(image, x, y)[k] -
                            image_at(&whole.image, left + x, top + y)[k];
                        most = abs(apart) > most ? abs(apart) : most;
                    }
        /* Cairo cuts shapes at a surface's edge, and rounds there: the
         * outermost pixels are not compared. */
        ck_assert_msg(most <= 2, "overlay %x: %d", options.overlays, most);
        picture_release(&whole);
        picture_release(&picture);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("figure");
    TCase *tcase = tcase_create("figure");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase,
                   trails_are_drawn_along_the_agents_paths_and_nowhere_else);
    tcase_add_test(tcase, agents_are_drawn_at_their_positions);
    tcase_add_test(tcase, agents_are_chosen_by_name);
    tcase_add_test(tcase, the_front_separates_reached_cells_from_others);
    tcase_add_test(tcase, paths_run_along_their_cells);
    tcase_add_test(tcase, pincers_show_the_cells_that_the_last_of_them_avoided);
    tcase_add_test(tcase, relay_walkers_show_their_nodes);
    tcase_add_test(tcase, an_arrow_points_in_its_direction);
    tcase_add_test(tcase, no_text_is_drawn_on_the_data);
    tcase_add_test(tcase, all_that_is_written_is_within_the_page);
    tcase_add_test(tcase,
                   the_bar_has_the_scale_s_colours_and_its_ticks_their_places);
    tcase_add_test(tcase, ticks_of_axes_are_below_their_cells);
    tcase_add_test(tcase, a_figure_without_additions_is_the_picture_itself);
    tcase_add_test(tcase, options_that_cannot_be_combined_are_rejected);
    tcase_add_test(tcase, frames_of_their_own_range_use_all_colours);
    tcase_add_loop_test(tcase, a_cropped_picture_is_a_part_of_the_whole_one, 0,
                        7 * 5);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
