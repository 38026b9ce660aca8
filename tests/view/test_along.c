/* SPDX-License-Identifier: MIT */
/* A line over time shows recorded values, each of the cell nearest to its
 * place. */
#include "tests/view/view_run.h"
#include "view/along.h"

#include <stdlib.h>

static const struct view_place whole = { VIEW_WHOLE, 0, false };

static const int64_t four[] = { 3, 6, 9, 12 };

/* The cell nearest to the i-th of these places: of two equally near ones the
 * later. */
static size_t nearest(const struct run *run, const struct along_line *line,
                      int i, int count)
{
    int at[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++) {
        int way = line->to[axis] - line->from[axis];
        div_t part = div(2 * i * way + (count - 1) * (way < 0 ? -1 : 1),
                         2 * (count - 1));
        bool half = way < 0 && part.rem == 0;
        at[axis] = way ? line->from[axis] + part.quot + half : line->from[axis];
    }
    return grid_index(&run->grid, at[0], at[1], at[2]);
}

static void ck_line(const struct run *run, const struct along_line *line,
                    int columns)
{
    struct recording *recording = record(run);
    struct view *view =
        look(recording, "amplitude", 1, run->grid.dims == 2 ? anywhere : whole);
    struct error error;
    ck_assert_msg(view_lay_along(view, line, four, 4, &error) == STATUS_OK,
                  "%s", error.message);
    ck_assert_int_eq(view->cut.nx, columns);
    ck_assert_int_eq(view->cut.ny, 4);
    ck_assert_int_eq(view_read(view, 0, NULL), STATUS_OK);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < columns; x++) {
            size_t cell = nearest(run, line, x, columns);
            ck_assert_double_eq(view->values[y * columns + x],
                                (double)number(0, 1, four[y], cell));
            ck_assert_int_eq(view->wall[y * columns + x],
                             is_wall(four[y] >= VERSION_STEP, cell));
        }
    view_release(view);
    recording_close(recording);
}

START_TEST(a_line_along_an_axis_has_each_cell_in_turn)
    {
        ck_line(&flat, &(struct along_line){ { 3, 5, 0 }, { 14, 5, 0 } }, 12);
        ck_line(&flat, &(struct along_line){ { 14, 5, 0 }, { 3, 5, 0 } }, 12);
        ck_line(&flat, &(struct along_line){ { 7, 2, 0 }, { 7, 8, 0 } }, 7);
        ck_line(&deep, &(struct along_line){ { 2, 3, 4 }, { 2, 3, 0 } }, 5);
    }
END_TEST

START_TEST(a_slanted_line_has_the_cells_nearest_to_it)
    {
        ck_line(&flat, &(struct along_line){ { 3, 2, 0 }, { 14, 8, 0 } }, 14);
        ck_line(&flat, &(struct along_line){ { 12, 8, 0 }, { 5, 3, 0 } }, 10);
        ck_line(&deep, &(struct along_line){ { 0, 0, 0 }, { 6, 5, 4 } }, 10);
    }
END_TEST

START_TEST(steps_that_were_not_recorded_have_no_values)
    {
        static const int64_t steps[] = { 9, 12, 15 };
        struct recording *recording = record(&flat);
        struct view *view = look(recording, "gradient", 0, anywhere);
        const struct along_line line = { { 3, 5, 0 }, { 9, 5, 0 } };
        ck_assert_int_eq(view_lay_along(view, &line, steps, 3, NULL),
                         STATUS_OK);
        ck_assert_int_eq(view_read(view, 0, NULL), STATUS_OK);
        for (int x = 0; x < 7; x++) {
            ck_assert(isfinite(view->values[7 + x]));
            ck_assert(isnan(view->values[14 + x]));
            ck_assert_int_eq(view->wall[14 + x], 0);
        }
        view_release(view);
        recording_close(recording);
    }
END_TEST

START_TEST(axes_are_of_cells_and_steps_or_of_metres_and_seconds)
    {
        static const char *const scales[] = {
            "", "scale.cell = 0.5\nscale.step = 0.001\n"
        };
        const struct along_line line = { { 3, 2, 0 }, { 14, 8, 0 } };
        for (int k = 0; k < 2; k++) {
            struct run run = flat;
            run.parameters = scales[k];
            double cell = k ? .5 : 1, step = k ? .001 : 1;
            struct recording *recording = record(&run);
            struct view *view = look(recording, "amplitude", 0, anywhere);
            struct view_axis axis;
            view_axis(view, 0, &axis);
            ck_assert_double_eq(axis.first, 3 * cell);
            ck_assert_double_eq(axis.each, cell);
            ck_assert_int_eq(view_lay_along(view, &line, four, 4, NULL),
                             STATUS_OK);
            view_axis(view, 0, &axis);
            ck_assert_str_eq(axis.unit, k ? "m" : "cells");
            ck_assert_double_eq(axis.first, 0);
            ck_assert_double_eq_tol(13 * axis.each, hypot(11, 6) * cell, 1e-13);
            view_axis(view, 1, &axis);
            ck_assert_str_eq(axis.unit, k ? "s" : "steps");
            ck_assert_double_eq(axis.first, 3 * step);
            ck_assert_double_eq(axis.each, 3 * step);
            char text[100];
            view_describe(view, text, sizeof text);
            ck_assert_str_eq(text, "amplitude of wave 0, along 3,2 to 14,8");
            view_release(view);
            recording_close(recording);
        }
    }
END_TEST

static void ck_refused(const char *field, const struct along_line *line,
                       const int64_t *steps, const char *expected)
{
    struct recording *recording = record(&flat);
    struct view *view = look(recording, field, 0, anywhere);
    struct error error;
    ck_assert_int_eq(view_lay_along(view, line, steps, 3, &error),
                     STATUS_INPUT);
    ck_assert_msg(strstr(error.message, expected) != NULL, "%s", error.message);
    ck_assert_int_eq(view_read(view, 0, NULL), STATUS_OK); /* unchanged */
    view_release(view);
    recording_close(recording);
}

START_TEST(impossible_lines_are_rejected)
    {
        static const int64_t uneven[] = { 3, 6, 8 };
        const struct along_line line = { { 3, 5, 0 }, { 9, 5, 0 } };
        ck_refused("amplitude",
                   &(struct along_line){ { 3, 5, 0 }, { 3, 5, 0 } }, four,
                   "the two cells must differ");
        ck_refused("amplitude",
                   &(struct along_line){ { 2, 5, 0 }, { 9, 5, 0 } }, four,
                   "x from 3 to 14, and the line reaches 2");
        ck_refused("amplitude",
                   &(struct along_line){ { 3, 5, 0 }, { 9, 9, 0 } }, four,
                   "y from 2 to 8, and the line reaches 9");
        ck_refused("amplitude", &line, uneven,
                   "steps 3, 6 and 8 are not evenly spaced");
        ck_refused("arrival", &line, four, "the same at every step");
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("along");
    TCase *tests = tcase_create("along");
    tcase_add_checked_fixture(tests, make_place, remove_place);
    tcase_add_test(tests, a_line_along_an_axis_has_each_cell_in_turn);
    tcase_add_test(tests, a_slanted_line_has_the_cells_nearest_to_it);
    tcase_add_test(tests, steps_that_were_not_recorded_have_no_values);
    tcase_add_test(tests, axes_are_of_cells_and_steps_or_of_metres_and_seconds);
    tcase_add_test(tests, impossible_lines_are_rejected);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
