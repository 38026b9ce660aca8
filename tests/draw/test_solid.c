/* SPDX-License-Identifier: MIT */
/* 3D recordings seen from outside: rays, compared with each cell's own
 * faces. */
#include "draw/figure/figure.h"
#include "tests/view/view_run.h"

static struct recording *recording;

static void set_up(void)
{
    make_place();
    recording = record(&deep);
}

static void tear_down(void)
{
    recording_close(recording);
    remove_place();
}

/* A small world of random values and some walls. */
enum { NX = 5, NY = 4, NZ = 3, CELLS = NX * NY * NZ };
static const struct box small = { { 2, 1, 3 }, { 6, 4, 5 } };
static double values[CELLS];
static uint8_t wall[CELLS];

static void make_world(uint64_t seed, double walls)
{
    struct random random;
    random_seed(&random, seed);
    for (int i = 0; i < CELLS; i++) {
        values[i] = 2 * random_unit(&random) - 1;
        wall[i] = random_unit(&random) < walls;
    }
    values[7] = (double)NAN;
}

static struct ramp ramp;
static const struct scale scale = { -1, 1, 0 };
static struct image image;
static struct solid solid;

/* Paints the small world on white. */
static void paint(const struct solid_field *field,
                  const struct solid_sight *sight, const struct box *box,
                  double cell)
{
    struct error error;
    ck_assert_int_eq(ramp_load("viridis", &ramp, NULL), STATUS_OK);
    ck_assert_msg(solid_init(&solid, &small, box, sight, cell, 3, &error) ==
                      STATUS_OK,
                  "%s", error.message);
    ck_assert_int_eq(image_init(&image, solid.width, solid.height, NULL),
                     STATUS_OK);
    memset(image.rgb, 255, (size_t)3 * solid.width * solid.height);
    solid_paint(&solid, field, &scale, &ramp, &image);
}

static void release(void)
{
    solid_release(&solid);
    image_release(&image);
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The depth at which the ray through this place of the pixel enters the cell;
 * INFINITY if it does not, or is inside for at most `least`. */
static double into_cell(const double at[2], const int cell[3], double least)
{
    double first = -INFINITY, last = INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        double from = (at[0] - solid.projection.origin[0]) / solid.cell *
                          solid.across[axis] +
                      (at[1] - solid.projection.origin[1]) / solid.cell *
                          solid.down[axis];
        double way = solid.into[axis];
        if (fabs(way) < 1e-12 && fabs(from - cell[axis]) >= .5)
            return INFINITY;
        if (fabs(way) < 1e-12)
            continue;
        double a = (cell[axis] - .5 - from) / way;
        double b = (cell[axis] + .5 - from) / way;
        first = fmax(first, fmin(a, b));
        last = fmin(last, fmax(a, b));
    }
    return last - first > least ? first : INFINITY;
}

/* The depth of a pixel, computed by testing all opaque cells. */
static double depth_at(const struct solid_field *field, int x, int y,
                       double least)
{
    double nearest = INFINITY;
    for (int i = 0; i < CELLS; i++) {
        int cell[] = { i % NX + small.low[0], i / NX % NY + small.low[1],
                       i / NX / NY + small.low[2] };
        bool opaque = field->rule == SOLID_FROM    ? values[i] >= field->level
                      : field->rule == SOLID_UP_TO ? values[i] <= field->level
                      : field->rule == SOLID_SIZE
                          ? fabs(values[i]) >= field->level
                          : wall[i];
        if ((wall[i] && field->rule != SOLID_WALLS) || !opaque ||
            cell[2] > solid.box.high[2])
            continue;
        for (int ray = 0; ray < 4; ray++) {
            double at[] = { x + .25 + .5 * (ray & 1),
                            y + .25 + .5 * (ray / 2) };
            nearest = fmin(nearest, into_cell(at, cell, least));
        }
    }
    return nearest;
}

START_TEST(rays_find_the_nearest_opaque_cell)
    {
        const struct solid_sight sights[] = { { 30, 25 },  { -130, 60 },
                                              { 0, 0 },    { 90, 0 },
                                              { 0, 90 },   { 45, -90 },
                                              { 200, -35 } };
        int compared = 0;
        for (int i = 0; i < 7 * 4; i++) {
            struct box box = small;
            box.high[2] -= i % 2;
            make_world((uint64_t)i, .2);
            const struct solid_field field = {
                values, wall, i % 3 == 0, (enum solid_rule)(i / 7), .4, false
            };
            paint(&field, &sights[i % 7], &box, 7.3);
            for (int y = 0; y < solid.height; y++)
                for (int x = 0; x < solid.width; x++) {
                    double wanted = depth_at(&field, x, y, 1e-9);
                    if (depth_at(&field, x, y, -1e-9) != wanted)
                        continue; /* along an edge the result depends on
                                   * rounding */
                    compared++;
                    double found = (double)solid.depth[y * solid.width + x];
                    if (isinf(wanted))
                        ck_assert(isinf(found));
                    else
                        ck_assert_double_eq_tol(found, wanted, 1e-5);
                }
            release();
        }
        ck_assert_int_gt(compared, 40000);
    }
END_TEST

START_TEST(the_pictures_axes_are_those_of_its_viewer)
    {
        const struct solid_field field = { values,     wall, true,
                                           SOLID_FROM, 2,    false };
        /* From the front x runs to the right and z down, from above y down,
         * from the right y to the left. */
        static const struct {
            struct solid_sight sight;
            double step[3][2];
        } known[] = { { { 0, 0 }, { { 5, 0 }, { 0, 0 }, { 0, 5 } } },
                      { { 0, 90 }, { { 5, 0 }, { 0, 5 }, { 0, 0 } } },
                      { { 90, 0 }, { { 0, 0 }, { -5, 0 }, { 0, 5 } } } };
        for (int i = 0; i < 3; i++) {
            paint(&field, &known[i].sight, &small, 5);
            for (int axis = 0; axis < 3; axis++)
                for (int k = 0; k < 2; k++)
                    ck_assert_double_eq_tol(solid.projection.step[axis][k],
                                            known[i].step[axis][k], 1e-12);
            release();
        }
        paint(&field, &(struct solid_sight){ 77, -12 }, &small, 5);
        ck_assert_double_eq_tol(dot(solid.across, solid.down), 0, 1e-12);
        ck_assert_double_eq_tol(dot(solid.across, solid.into), 0, 1e-12);
        ck_assert_double_eq_tol(dot(solid.down, solid.into), 0, 1e-12);
        ck_assert_double_eq_tol(dot(solid.into, solid.into), 1, 1e-12);
        release();
    }
END_TEST

/* From above: the light of a face across z is 1, and .4 fades over the box. */
START_TEST(walls_tint_the_cells_behind_them)
    {
        memset(wall, 0, sizeof wall);
        for (int i = 0; i < CELLS; i++)
            values[i] = -1;
        wall[NX * NY] = wall[2 * NX * NY] = 1; /* both under cell 0 */
        values[2 * NX * NY + 1] = 1;           /* at the bottom under cell 1 */
        const struct solid_field field = { values,     wall, true,
                                           SOLID_FROM, .5,   false };
        paint(&field, &(struct solid_sight){ 0, 90 }, &small, 10);
        double glass = .8 * 255 + .2 * ramp.wall[0] * (1 - .4 / 3);
        double bottom = ramp.colors[255][0] * (1 - .4 * 2 / 3);
        ck_assert_int_eq(image_at(&image, 8, 8)[0], (int)(glass + .5));
        ck_assert_int_eq(image_at(&image, 18, 8)[0], (int)(bottom + .5));
        ck_assert_int_eq(image_at(&image, 28, 8)[0], 255);
        release();
    }
END_TEST

START_TEST(objects_behind_cells_are_hidden_and_stems_end_at_the_ground)
    {
        memset(wall, 0, sizeof wall);
        for (int i = 0; i < CELLS; i++)
            values[i] = 0;
        values[NX * NY] = 1; /* at (2, 1, 4) */
        wall[2 * NX * NY + 1] = 1;
        const struct solid_field field = { values,     wall, true,
                                           SOLID_FROM, .5,   false };
        paint(&field, &(struct solid_sight){ 0, 90 }, &small, 10);
        ck_assert(!solid_hides(&solid, (double[]){ 2, 1, 3.2 }));
        ck_assert(solid_hides(&solid, (double[]){ 2, 1, 4 }));
        ck_assert(solid_hides(&solid, (double[]){ 2.3, .8, 5 }));
        ck_assert(!solid_hides(&solid, (double[]){ 3, 1, 5 }));
        ck_assert(!solid_hides(&solid, (double[]){ 1e9, NAN, 5 }));
        ck_assert(solid_ground(&solid, (double[]){ 3, 1, 3.4 }) == 4.5);
        ck_assert(solid_ground(&solid, (double[]){ 2, 1, 3.4 }) == 5.5);
        ck_assert(solid_ground(&solid, (double[]){ 1e9, 1, 3 }) == 3);
        ck_assert(solid_holds(&solid, (double[]){ 1.5, .6, 5.9 }));
        ck_assert(!solid_holds(&solid, (double[]){ 2, 1, 6.1 }));
        release();
    }
END_TEST

START_TEST(a_picture_too_large_is_rejected)
    {
        struct error error;
        ck_assert_int_eq(solid_init(&solid, &small, &small,
                                    &(struct solid_sight){ 0, 0 }, 1e6, 0,
                                    &error),
                         STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "--scale"));
        solid_release(&solid);
    }
END_TEST

static const struct view_place whole = { VIEW_WHOLE, 0, false };

START_TEST(a_whole_view_has_each_planes_values)
    {
        static const char *const names[] = { "amplitude", "gradient", "arrival",
                                             "speed", "walls" };
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            struct view *all = look(recording, names[i], 0, whole);
            struct view *plane = look(recording, names[i], 0, anywhere);
            ck_assert_uint_eq(view_cells(all), 7 * 6 * 5);
            for (int64_t row = 0; row < (all->field->by_row ? 5 : 1); row++) {
                ck_assert_int_eq(view_read(all, row, NULL), STATUS_OK);
                for (int z = 0; z < 5; z++) {
                    view_move(plane, z);
                    ck_assert_int_eq(view_read(plane, row, NULL), STATUS_OK);
                    ck_assert_mem_eq(plane->values, all->values + 42 * z,
                                     42 * sizeof(double));
                    ck_assert_mem_eq(plane->wall, all->wall + 42 * z, 42);
                }
            }
            view_release(all);
            view_release(plane);
        }
    }
END_TEST

static struct picture picture;

static enum status begin(const char *field,
                         const struct picture_options *options,
                         struct view **view, struct error *error)
{
    const int64_t row = 2;
    *view = look(recording, field, 0, whole);
    return picture_init(&picture, *view, options, &row, 1, "", error);
}

START_TEST(a_picture_from_outside_names_its_content)
    {
        struct picture_options options = { .cell = 9,
                                           .overlays = OVERLAY_WALLS,
                                           .outside = true,
                                           .sight = { 30, 25 },
                                           .level = (double)NAN };
        struct view *view;
        struct error error;
        char text[128];
        ck_assert_msg(begin("amplitude", &options, &view, &error) == STATUS_OK,
                      "%s", error.message);
        picture_describe(&picture, text, sizeof text);
        ck_assert_str_eq(text, "amplitude of wave 0, seen from 30,25");
        ck_assert(picture_level(&picture) == scale_value(&picture.scale, .75));
        ck_assert_int_eq(picture_paint(&picture, 2, NULL), STATUS_OK);
        picture_release(&picture);
        view_release(view);
        options.level = 40;
        options.planes[0] = 1;
        options.planes[1] = 3;
        options.plane_count = 2;
        ck_assert_int_eq(begin("arrival", &options, &view, &error), STATUS_OK);
        ck_assert(picture_level(&picture) == 40);
        ck_assert_int_eq(picture.solid.box.low[2], 1);
        ck_assert_int_eq(picture.solid.box.high[2], 3);
        ck_assert_int_eq(picture_paint(&picture, 2, NULL), STATUS_OK);
        picture_release(&picture);
        view_release(view);
    }
END_TEST

START_TEST(the_edges_of_the_box_are_the_axes)
    {
        struct picture_options options = { .cell = 30,
                                           .overlays = OVERLAY_WALLS,
                                           .outside = true,
                                           .em = 12,
                                           .level = 1 };
        const struct figure_options layout = { .axes = true,
                                               .columns = 1,
                                               .rows = 1 };
        static const struct solid_sight sights[] = {
            { 30, 25 }, { -40, 10 }, { 0, 90 }, { 135, -20 }
        };
        for (int i = 0; i < 4; i++) {
            struct figure figure;
            struct view *view;
            struct error error;
            int64_t row = 2;
            options.sight = sights[i];
            ck_assert_int_eq(begin("amplitude", &options, &view, &error),
                             STATUS_OK);
            ck_assert_msg(figure_init(&figure, &picture, &layout, &error) ==
                              STATUS_OK,
                          "%s", error.message);
            ck_assert_int_eq(figure_paint(&figure, &row, 1, &error), STATUS_OK);
            const struct image *page = figure_page(&figure);
            ck_assert_int_gt(page->width, picture.image.width);
            /* No drawing is cut off: the page's rim is white. */
            for (int x = 0; x < page->width; x++) {
                ck_assert_int_eq(image_at(page, x, 0)[0], 255);
                ck_assert_int_eq(image_at(page, x, page->height - 1)[0], 255);
            }
            for (int y = 0; y < page->height; y++) {
                ck_assert_int_eq(image_at(page, 0, y)[0], 255);
                ck_assert_int_eq(image_at(page, page->width - 1, y)[0], 255);
            }
            figure_release(&figure);
            picture_release(&picture);
            view_release(view);
        }
    }
END_TEST

START_TEST(angles_and_overlays_of_planes_are_rejected)
    {
        struct picture_options options = { .cell = 9,
                                           .outside = true,
                                           .level = (double)NAN };
        struct view *view;
        struct error error;
        ck_assert_int_eq(view_open(recording, "gradient-direction", 0, &whole,
                                   &view, &error),
                         STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "--at z=N"));
        static const unsigned overlays[] = { OVERLAY_FRONT, OVERLAY_GRADIENT,
                                             OVERLAY_COLORS };
        for (int i = 0; i < 3; i++) {
            options.overlays = overlays[i];
            ck_assert_int_eq(begin("amplitude", &options, &view, &error),
                             STATUS_INPUT);
            ck_assert_ptr_nonnull(strstr(error.message, "--view"));
            picture_release(&picture);
            view_release(view);
        }
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("solid");
    TCase *rays = tcase_create("rays");
    tcase_add_test(rays, rays_find_the_nearest_opaque_cell);
    tcase_add_test(rays, the_pictures_axes_are_those_of_its_viewer);
    tcase_add_test(rays, walls_tint_the_cells_behind_them);
    tcase_add_test(rays,
                   objects_behind_cells_are_hidden_and_stems_end_at_the_ground);
    tcase_add_test(rays, a_picture_too_large_is_rejected);
    suite_add_tcase(suite, rays);
    TCase *pictures = tcase_create("pictures");
    tcase_add_checked_fixture(pictures, set_up, tear_down);
    tcase_add_test(pictures, a_whole_view_has_each_planes_values);
    tcase_add_test(pictures, a_picture_from_outside_names_its_content);
    tcase_add_test(pictures, the_edges_of_the_box_are_the_axes);
    tcase_add_test(pictures, angles_and_overlays_of_planes_are_rejected);
    suite_add_tcase(suite, pictures);
    return suite_main(suite);
}
