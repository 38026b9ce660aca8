/* SPDX-License-Identifier: MIT */
/* The layers of signs and paths in a 3D map, and their places in pictures. */
#include "draw/figure/overlay.h"
#include "draw/figure/picture.h"
#include "tests/view/view_run.h"

enum { NX = 24, NY = 16, NZ = 11, SLAB = 5, CELL = 12, LAST = 10 };

static const struct grid grid = { 3, NX, NY, NZ };
static struct recording *recording;
static struct view *view;
static struct picture picture;

/* Two floors of five layers; between them a slab with a hole. A wall upstairs
 * has a door, only on layer 3. */
static bool is_solid(int x, int y, int z)
{
    if (z == SLAB)
        return x < 10 || x > 13;
    return z < SLAB && x == 16 && !(y > 10 && z == 3);
}

/* A walks upstairs, up and down; B goes down through the hole; the target
 * waits downstairs. */
static void stand(int64_t step, double a[GRID_AXES], double b[GRID_AXES])
{
    double k = (double)step;
    a[0] = 2 + .8 * k;
    a[1] = 3;
    a[2] = step & 1 ? 3.7 : .8;
    b[0] = 11;
    b[1] = 8;
    b[2] = .25 + .95 * k;
}

static void put_agents(struct recorder *recorder, int64_t step)
{
    double a[GRID_AXES], b[GRID_AXES], at[GRID_AXES][2], none[2] = { 0, 0 };
    int8_t state[2] = { 1, 1 };
    stand(step, a, b);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        at[axis][0] = a[axis];
        at[axis][1] = b[axis];
    }
    struct recording_fields given = {
        .step = step,
        .agent_at = { at[0], at[1], at[2] },
        .agent_heading = { none, none, none },
        .agent_state = state,
        .target_at = { 20, 12, 9 },
    };
    ck_assert_int_eq(recorder_row(recorder, step, &given, NULL), STATUS_OK);
}

static void put_walls(struct recorder *recorder)
{
    struct terrain terrain;
    ck_assert_int_eq(terrain_init(&terrain, &grid, NULL), STATUS_OK);
    for (int z = 0; z < NZ; z++)
        for (int y = 0; y < NY; y++)
            for (int x = 0; x < NX; x++)
                terrain.wall[grid_index(&grid, x, y, z)] = is_solid(x, y, z);
    ck_assert_int_eq(recorder_terrain(recorder, 0, &terrain, NULL), STATUS_OK);
    terrain_release(&terrain);
}

static void set_up(void)
{
    static const char *const names[] = { "A", "B" };
    static const char *const methods[] = { "wave", "wave" };
    int64_t versions[] = { 0 };
    struct recording_text texts[] = { { "parameters", "" } };
    struct recording_plan plan = { .title = "two floors",
                                   .grid = grid,
                                   .region = grid_box(&grid),
                                   .real = TYPE_FLOAT32,
                                   .steps = LAST,
                                   .every = 1,
                                   .version_steps = versions,
                                   .versions = 1,
                                   .agents = 2,
                                   .agent_names = names,
                                   .agent_methods = methods,
                                   .target = true,
                                   .texts = texts,
                                   .text_count = 1 };
    struct error error;
    struct recorder *recorder;
    make_place();
    ck_assert_msg(recorder_create(path, &plan, true, &recorder, &error) ==
                      STATUS_OK,
                  "%s", error.message);
    put_walls(recorder);
    for (int64_t step = 0; step <= LAST; step++)
        put_agents(recorder, step);
    ck_assert_int_eq(recorder_commit(recorder, LAST + 1, NULL, NULL),
                     STATUS_OK);
    ck_assert_int_eq(recorder_close(recorder, RUN_DONE, NULL, NULL), STATUS_OK);
    ck_assert_msg(recording_open(path, &recording, &error) == STATUS_OK, "%s",
                  error.message);
    view = look(recording, "walls", 0, anywhere);
    ck_assert_int_eq(view_read(view, 0, NULL), STATUS_OK);
}

static void tear_down(void)
{
    view_release(view);
    recording_close(recording);
    remove_place();
}

/* ---- the layers ---- */

START_TEST(a_floor_is_shown_at_its_layer_with_the_fewest_walls)
    {
        struct layers layers;
        layers_of_floors(view, &layers);
        ck_assert_int_eq(layers.count, 2);
        ck_assert_int_eq(layers.at[0], 3); /* the door's */
        ck_assert_int_eq(layers.at[1], 8); /* the middle: all are equally
                                            * open */
        ck_assert_int_eq(layers_middle(view), SLAB - 1); /* not the slab */
        memset(view->walls, 0, grid_cells(&grid));
        ck_assert_int_eq(layers_middle(view), NZ / 2);
        layers_of_floors(view, &layers);
        ck_assert_int_eq(layers.count, 3); /* no floors */
        ck_assert_int_eq(layers.at[0], 1);
        ck_assert_int_eq(layers.at[1], 5);
        ck_assert_int_eq(layers.at[2], 9);
    }
END_TEST

START_TEST(all_of_a_floor_is_drawn_on_its_one_layer)
    {
        struct layers layers;
        layers_of_list(view, (const int[]){ 1, 8 }, 2, &layers);
        for (double z = -.5; z < NZ - .5; z += .125) {
            int wanted = z < SLAB - .5 ? 0 : z < SLAB + .5 ? -1 : 1;
            ck_assert_int_eq(layers_find(&layers, z), wanted);
            ck_assert(layers_see(&layers, z));
            double height = layers_height(&layers, z);
            ck_assert(wanted < 0 ? height >= 1 && height <= 8
                                 : height == (wanted ? 8 : 1));
        }
    }
END_TEST

START_TEST(two_layers_of_a_floor_and_a_slab_have_the_heights_that_round_to_them)
    {
        struct layers layers;
        layers_of_list(view, (const int[]){ 1, 3, SLAB, 7 }, 4, &layers);
        for (double z = -.5; z < NZ - .5; z += .125) {
            int near = (int)floor(z + .5);
            int wanted = near == 1      ? 0
                         : near == 3    ? 1
                         : near == SLAB ? 2
                         : near > SLAB  ? 3 /* alone on its floor */
                                        : -1;
            ck_assert_int_eq(layers_find(&layers, z), wanted);
        }
    }
END_TEST

START_TEST(a_plane_has_its_floor_or_the_heights_that_round_to_it)
    {
        struct layers layers;
        struct view_place places[] = { { 2, 8, false },
                                       { 1, 7, false },
                                       { 2, SLAB, false } };
        for (int i = 0; i < 3; i++) {
            struct view *plane = look(recording, "walls", 0, places[i]);
            ck_assert_int_eq(view_read(plane, 0, NULL), STATUS_OK);
            layers_of_plane(plane, &layers);
            ck_assert_int_eq(layers.axis, places[i].axis);
            for (double at = -.5; at < NZ - .5; at += .125)
                ck_assert_int_eq(
                    layers_find(&layers, at),
                    i == 0 ? (at >= SLAB + .5) - 1
                           : (floor(at + .5) == (double)places[i].at) - 1);
            ck_assert(layers_see(&layers, -1e9) && layers_see(&layers, 1e9));
            view_release(plane);
        }
    }
END_TEST

/* Compared with steps of a 4096th of the path. */
START_TEST(a_path_changes_its_layer_at_the_right_height)
    {
        struct random random;
        random_seed(&random, 2385);
        for (int trial = 0; trial < 300; trial++) {
            struct layers layers;
            int list[3] = { 0, 0, 0 }, count = 1 + trial % 3;
            for (int i = 0, z = -1; i < count; i++)
                list[i] = z += 1 + (int)(2.9 * random_unit(&random));
            layers_of_list(view, list, count, &layers);
            double from = (NZ + 1) * random_unit(&random) - 1;
            double to = (NZ + 1) * random_unit(&random) - 1;
            double part = 0;
            while (part < 1) {
                double next = layers_next(&layers, from, to, part);
                double middle = from + (part + next) / 2 * (to - from);
                ck_assert_double_gt(next, part);
                int wrong = 0;
                for (int k = 0; k <= 4096; k++) {
                    double at = from + (to - from) * k / 4096;
                    if (k / 4096. < part + 1e-6 || k / 4096. > next - 1e-6)
                        continue;
                    wrong += layers_find(&layers, at) !=
                             layers_find(&layers, middle);
                    wrong +=
                        layers_see(&layers, at) != layers_see(&layers, middle);
                }
                ck_assert_int_eq(wrong, 0);
                part = next;
            }
        }
    }
END_TEST

START_TEST(a_lower_layer_is_never_drawn_higher)
    {
        static const int lists[][4] = {
            { 0, 1, 4, 10 }, { 1, 2, 8, 9 }, { 2, 5, 6, 10 }, { 0, 4, 5, 6 }
        };
        for (int i = 0; i < 4; i++) {
            struct layers layers;
            layers_of_list(view, lists[i], 4, &layers);
            for (double z = -2; z < NZ + 1; z += .0625)
                ck_assert_double_le(layers_height(&layers, z),
                                    layers_height(&layers, z + .0625));
        }
    }
END_TEST

/* ---- pictures of the layers ---- */

static void open_picture(unsigned overlays, bool oblique, const int *planes,
                         int count)
{
    struct picture_options options = { .cell = CELL,
                                       .em = 14,
                                       .overlays = OVERLAY_WALLS | overlays,
                                       .oblique = oblique,
                                       .plane_count = count };
    static const int64_t rows[] = { 0, LAST };
    struct error error;
    for (int i = 0; i < count; i++)
        options.planes[i] = planes[i];
    ck_assert_msg(picture_init(&picture, view, &options, rows, 2, "", &error) ==
                      STATUS_OK,
                  "%s", error.message);
}

static const uint8_t *pixel_at(double x, double y, double z)
{
    double at[2], world[] = { x, y, z };
    projection_place(&picture.projection, world, at);
    return image_at(&picture.image, (int)at[0], (int)at[1]);
}

/* Thin lines are mixed with their outline. */
static bool has_color(const uint8_t *pixel, int agent)
{
    int off = 0;
    for (int i = 0; i < 3; i++)
        off += abs(pixel[i] - overlay_color(agent)[i]);
    return off < 150;
}

START_TEST(agents_are_drawn_on_their_floor_or_between_floors)
    {
        for (int64_t row = 0; row <= LAST; row++) {
            double a[GRID_AXES], b[GRID_AXES];
            stand(row, a, b);
            open_picture(OVERLAY_AGENTS, true, (const int[]){ 2, 8 }, 2);
            ck_assert_int_eq(picture_paint(&picture, row, NULL), STATUS_OK);
            ck_assert(has_color(pixel_at(a[0], a[1], 2), 0));
            bool above = b[2] < SLAB - .5, below = b[2] >= SLAB + .5;
            ck_assert_int_eq(has_color(pixel_at(b[0], b[1], 2), 1), above);
            ck_assert_int_eq(has_color(pixel_at(b[0], b[1], 8), 1), below);
            ck_assert_int_eq(picture.elsewhere, true);
            if (!above && !below) {
                double height = 2 + 6 * (b[2] - (SLAB - .5));
                ck_assert(!has_color(pixel_at(b[0], b[1], height), 1));
                int ring = 0;
                double at[2], world[] = { b[0], b[1], height };
                projection_place(&picture.projection, world, at);
                for (int x = -10; x <= 10; x++)
                    ring += has_color(
                        image_at(&picture.image, (int)at[0] + x, (int)at[1]),
                        1);
                ck_assert_int_ge(ring, 2); /* left and right of a hole */
                /* The stem's foot. */
                const uint8_t *foot = pixel_at(b[0], b[1], 7.9);
                ck_assert_int_eq(foot[0] + foot[1] + foot[2], 0);
            }
            picture_release(&picture);
        }
    }
END_TEST

/* The number of pixels within 1 of the line between two places that have an
 * agent's colour. */
static int colored(int agent, const double from[GRID_AXES],
                   const double to[GRID_AXES])
{
    double ends[2][2];
    int count = 0;
    projection_place(&picture.projection, from, ends[0]);
    projection_place(&picture.projection, to, ends[1]);
    for (int y = 0; y < picture.image.height; y++)
        for (int x = 0; x < picture.image.width; x++) {
            double d[2] = { ends[1][0] - ends[0][0], ends[1][1] - ends[0][1] };
            double square = d[0] * d[0] + d[1] * d[1];
            double t =
                ((x + .5 - ends[0][0]) * d[0] + (y + .5 - ends[0][1]) * d[1]) /
                square;
            t = fmin(fmax(t, 0), 1);
            double off = hypot(x + .5 - ends[0][0] - t * d[0],
                               y + .5 - ends[0][1] - t * d[1]);
            count +=
                off < 1 && has_color(image_at(&picture.image, x, y), agent);
        }
    return count;
}

START_TEST(paths_are_solid_on_floors_and_dotted_between)
    {
        double a[2][GRID_AXES], b[2][GRID_AXES];
        stand(0, a[0], b[0]);
        stand(LAST, a[1], b[1]);
        open_picture(OVERLAY_TRAILS, true, (const int[]){ 2, 8 }, 2);
        ck_assert_int_eq(picture_paint(&picture, LAST, NULL), STATUS_OK);
        /* A moves up and down, but along a straight line in the plan. */
        a[0][2] = a[1][2] = 2;
        int length = (int)(CELL * (a[1][0] - a[0][0]));
        ck_assert_int_ge(colored(0, a[0], a[1]), length);
        a[0][2] = a[1][2] = 8;
        ck_assert_int_eq(colored(0, a[0], a[1]), 0);
        /* B's path from floor to floor. */
        b[0][2] = 2;
        b[1][2] = 8;
        double pixels[2][2];
        projection_place(&picture.projection, b[0], pixels[0]);
        projection_place(&picture.projection, b[1], pixels[1]);
        length = (int)(pixels[1][1] - pixels[0][1]);
        int dots = colored(1, b[0], b[1]);
        ck_assert_int_gt(dots, length / 8);
        ck_assert_int_lt(dots, length);
        picture_release(&picture);
    }
END_TEST

START_TEST(a_plane_dots_the_paths_of_another_floor)
    {
        double a[2][GRID_AXES], b[GRID_AXES];
        view_move(view, 8);
        ck_assert_int_eq(view_read(view, 0, NULL), STATUS_OK);
        open_picture(OVERLAY_TRAILS | OVERLAY_AGENTS, false, NULL, 0);
        ck_assert_int_eq(picture_paint(&picture, LAST, NULL), STATUS_OK);
        stand(0, a[0], b);
        stand(LAST - 2, a[1], b); /* the last steps are under the disc */
        int length = (int)(CELL * (a[1][0] - a[0][0]));
        int dots = colored(0, a[0], a[1]);
        ck_assert_int_gt(dots, length / 8);
        ck_assert_int_lt(dots, length);
        stand(LAST, a[1], b);
        ck_assert(!has_color(pixel_at(a[1][0], a[1][1], 8), 0));
        ck_assert(has_color(pixel_at(b[0], b[1], 8), 1));
        const uint8_t *eye = pixel_at(20, 12, 8);
        ck_assert_int_eq(eye[0] + eye[1] + eye[2], 0);
        ck_assert(picture.elsewhere);
        picture_release(&picture);
    }
END_TEST

START_TEST(without_floors_no_agent_is_cut_at_the_edge)
    {
        memset(view->walls, 0, grid_cells(&grid));
        struct layers layers;
        struct oblique oblique;
        layers_of_floors(view, &layers);
        oblique_lay_out(view, &layers, CELL, true, &oblique);
        for (double z = layers.first; z <= layers.last; z += .25)
            for (int corner = 0; corner < 4; corner++) {
                double at[2], world[] = { corner & 1 ? NX - 1 : 0,
                                          corner & 2 ? NY - 1 : 0,
                                          layers_height(&layers, z) };
                projection_place(&oblique.projection, world, at);
                ck_assert(at[0] >= CELL && at[0] <= oblique.width - CELL);
                ck_assert(at[1] >= CELL && at[1] <= oblique.height - CELL);
            }
        /* All agents that fly in a third of the map are drawn with their
         * layer. */
        ck_assert(layers.first <= 0 && layers.last >= NZ - 1);
    }
END_TEST

/* Dots of a line at y = 20: the number of pixels of that row that they
 * touch. */
static int dots_touched(const double from[2], const double to[2])
{
    enum { WIDE = 200, HIGH = 40 };
    static const uint8_t orange[3] = { 230, 159, 0 };
    struct image image;
    struct page *page;
    ck_assert_int_eq(image_init(&image, WIDE, HIGH, NULL), STATUS_OK);
    ck_assert_int_eq(page_over(&image, NULL, &page, NULL), STATUS_OK);
    struct pen pen = { .page = page, .size = { WIDE, HIGH }, .em = 12 };
    overlay_dots(&pen, from, to, orange);
    int touched = 0;
    for (int x = 0; x < WIDE; x++)
        touched += image_at(&image, x, 20)[0] == orange[0];
    page_release(page);
    image_release(&image);
    return touched;
}

START_TEST(a_dotted_path_to_a_position_far_outside_the_map_ends)
    {
        int near =
            dots_touched((double[]){ 40, 20.5 }, (double[]){ 300, 20.5 });
        ck_assert_int_gt(near, 10);
        ck_assert_int_lt(near, 160);
        const double far[] = { 1e5, 1e19, 1e300, INFINITY, (double)NAN };
        for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
            const double to[2] = { far[i], 20.5 }, back[2] = { 40, 20.5 };
            int forth = dots_touched(back, to);
            ck_assert_int_eq(forth,
                             isfinite(far[i]) && far[i] < 1e200 ? near : forth);
            dots_touched(to, back);
        }
        ck_assert_int_eq(
            dots_touched((double[]){ 40, -900 }, (double[]){ 1e9, -900 }), 0);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("layers");
    TCase *tcase = tcase_create("layers");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_floor_is_shown_at_its_layer_with_the_fewest_walls);
    tcase_add_test(tcase, all_of_a_floor_is_drawn_on_its_one_layer);
    tcase_add_test(
        tcase,
        two_layers_of_a_floor_and_a_slab_have_the_heights_that_round_to_them);
    tcase_add_test(tcase,
                   a_plane_has_its_floor_or_the_heights_that_round_to_it);
    tcase_add_test(tcase, a_path_changes_its_layer_at_the_right_height);
    tcase_add_test(tcase, a_lower_layer_is_never_drawn_higher);
    tcase_add_test(tcase, agents_are_drawn_on_their_floor_or_between_floors);
    tcase_add_test(tcase, paths_are_solid_on_floors_and_dotted_between);
    tcase_add_test(tcase, a_plane_dots_the_paths_of_another_floor);
    tcase_add_test(tcase, without_floors_no_agent_is_cut_at_the_edge);
    tcase_add_test(tcase, a_dotted_path_to_a_position_far_outside_the_map_ends);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
