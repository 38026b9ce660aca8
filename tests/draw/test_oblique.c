/* SPDX-License-Identifier: MIT */
/* Whole 3D recordings in one picture: projections and oblique views. */
#include "draw/figure/picture.h"
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

static size_t cell_at(int axis, int along, int right, int down)
{
    int cell[GRID_AXES];
    cell[axis] = along;
    cell[axis == 0 ? 1 : 0] = right;
    cell[axis == 2 ? 1 : 2] = down;
    return grid_index(&deep.grid, cell[0], cell[1], cell[2]);
}

START_TEST(a_projection_takes_the_value_farthest_from_zero)
    {
        const int extent[] = { 7, 6, 5 };
        for (int axis = 0; axis < 3; axis++) {
            struct view *view = look(recording, "amplitude", 1,
                                     (struct view_place){ axis, 0, true });
            for (int64_t row = 0; row < 5; row++) {
                ck_assert_int_eq(view_read(view, row, NULL), STATUS_OK);
                size_t version = row * deep.every >= VERSION_STEP;
                for (int y = 0; y < view->cut.ny; y++)
                    for (int x = 0; x < view->cut.nx; x++) {
                        double most = (double)NAN;
                        for (int k = 0; k < extent[axis]; k++) {
                            size_t cell = cell_at(axis, k, x, y);
                            double v =
                                (double)number(0, 1, row * deep.every, cell);
                            if (!is_wall(version, cell) &&
                                !(fabs(v) <= fabs(most)))
                                most = v;
                        }
                        int i = y * view->cut.nx + x;
                        ck_assert_int_eq(view->wall[i], isnan(most));
                        if (!isnan(most))
                            ck_assert(view->values[i] == most);
                    }
            }
            view_release(view);
        }
    }
END_TEST

START_TEST(an_angle_and_a_flat_recording_are_not_projected)
    {
        struct error error;
        struct view *view;
        struct view_place along_z = { 2, 0, true };
        ck_assert_int_eq(view_open(recording, "gradient-direction", 0, &along_z,
                                   &view, &error),
                         STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "angle"));
    }
END_TEST

START_TEST(a_view_moves_from_plane_to_plane)
    {
        struct view *view = look(recording, "amplitude", 0, anywhere);
        for (int z = 4; z >= 0; z--) {
            view_move(view, z);
            ck_assert_int_eq(view_read(view, 1, NULL), STATUS_OK);
            for (int i = 0; i < 42; i++) {
                size_t cell = (size_t)(42 * z + i);
                ck_assert(view->values[i] ==
                          (double)number(0, 0, deep.every, cell));
                ck_assert_int_eq(view->wall[i], is_wall(0, cell));
            }
        }
        view_release(view);
    }
END_TEST

static struct picture picture;

START_TEST(every_cell_of_an_oblique_view_has_its_colour)
    {
        struct view *view = look(recording, "amplitude", 0, anywhere);
        struct picture_options options = { .cell = 12,
                                           .overlays = OVERLAY_WALLS,
                                           .oblique = true,
                                           .planes = { 1, 3 },
                                           .plane_count = 2 };
        int64_t row = 2;
        struct error error;
        ck_assert_msg(picture_init(&picture, view, &options, &row, 1, "",
                                   &error) == STATUS_OK,
                      "%s", error.message);
        char text[64];
        picture_describe(&picture, text, sizeof text);
        ck_assert_str_eq(text, "amplitude of wave 0, z = 1, 3");
        ck_assert_int_eq(picture_paint(&picture, row, NULL), STATUS_OK);
        for (int z = 1; z < 4; z += 2)
            for (int y = 0; y < 6; y++)
                for (int x = 0; x < 7; x++) {
                    double at[2], world[] = { x, y, z };
                    projection_place(&picture.projection, world, at);
                    const uint8_t *pixel =
                        image_at(&picture.image, (int)at[0], (int)at[1]);
                    size_t cell = grid_index(&deep.grid, x, y, z);
                    int level = scale_level(
                        &picture.scale,
                        (double)number(0, 0, row * deep.every, cell));
                    const uint8_t *wanted = is_wall(1, cell)
                                                ? picture.ramp.wall
                                                : picture.ramp.colors[level];
                    ck_assert_mem_eq(pixel, wanted, 3);
                }
        picture_release(&picture);
        view_release(view);
    }
END_TEST

START_TEST(layers_do_not_hide_each_other)
    {
        struct view *view = look(recording, "amplitude", 0, anywhere);
        struct layers layers;
        struct oblique oblique;
        ck_assert_int_eq(view_read(view, 0, NULL), STATUS_OK);
        layers_of_list(view, (const int[]){ 0, 1, 4 }, 3, &layers);
        oblique_lay_out(view, &layers, 10, 0, &oblique);
        for (int i = 1; i < 3; i++) {
            double above[2], below[2];
            double low[] = { 0, 5.5, layers.at[i - 1] };
            double high[] = { 0, -.5, layers.at[i] };
            projection_place(&oblique.projection, low, above);
            projection_place(&oblique.projection, high, below);
            ck_assert_double_lt(above[1], below[1]);
        }
        for (int corner = 0; corner < 4; corner++) {
            double at[2],
                world[] = { corner & 1 ? 6.5 : -.5, corner & 2 ? 5.5 : -.5, 0 };
            for (int i = 0; i < 3; i++) {
                world[2] = layers.at[i];
                projection_place(&oblique.projection, world, at);
                ck_assert(at[0] >= 0 && at[0] <= oblique.width);
                ck_assert(at[1] >= 0 && at[1] <= oblique.height);
            }
        }
        view_release(view);
    }
END_TEST

/* Cells smaller than the signs drawn on them. */
START_TEST(there_is_room_for_agents_at_every_edge)
    {
        struct view *view = look(recording, "amplitude", 0, anywhere);
        struct layers layers;
        struct oblique oblique;
        const double reach = 11;
        ck_assert_int_eq(view_read(view, 0, NULL), STATUS_OK);
        layers_of_list(view, (const int[]){ 0, 4 }, 2, &layers);
        oblique_lay_out(view, &layers, 2, reach, &oblique);
        double low[2] = { INFINITY, INFINITY }, high[2] = { 0, 0 };
        for (int corner = 0; corner < 8; corner++) {
            double at[2],
                world[] = { corner & 1 ? 6.5 : -.5, corner & 2 ? 5.5 : -.5,
                            layers_height(&layers, corner & 4 ? layers.last
                                                              : layers.first) };
            projection_place(&oblique.projection, world, at);
            for (int i = 0; i < 2; i++) {
                low[i] = fmin(low[i], at[i]);
                high[i] = fmax(high[i], at[i]);
            }
        }
        ck_assert_double_ge(low[0], reach - 1e-9);
        ck_assert_double_ge(low[1], reach - 1e-9);
        ck_assert_double_le(high[0], oblique.width - reach + 1e-9);
        ck_assert_double_le(high[1], oblique.height - reach + 1e-9);
        view_release(view);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("oblique");
    TCase *tcase = tcase_create("oblique");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_projection_takes_the_value_farthest_from_zero);
    tcase_add_test(tcase, an_angle_and_a_flat_recording_are_not_projected);
    tcase_add_test(tcase, a_view_moves_from_plane_to_plane);
    tcase_add_test(tcase, every_cell_of_an_oblique_view_has_its_colour);
    tcase_add_test(tcase, layers_do_not_hide_each_other);
    tcase_add_test(tcase, there_is_room_for_agents_at_every_edge);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
