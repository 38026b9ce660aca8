/* SPDX-License-Identifier: MIT */
/* A line over time, straight or bent, shows recorded values, each of the cell
 * nearest to its place, and has the places beside it. */
#include "tests/view/run_scenario.h"
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
        int way = line->point[1][axis] - line->point[0][axis];
        div_t part = div(2 * i * way + (count - 1) * (way < 0 ? -1 : 1),
                         2 * (count - 1));
        bool half = way < 0 && part.rem == 0;
        at[axis] = way ? line->point[0][axis] + part.quot + half
                       : line->point[0][axis];
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
        ck_line(&flat, &(struct along_line){ 2, { { 3, 5, 0 }, { 14, 5, 0 } } },
                12);
        ck_line(&flat, &(struct along_line){ 2, { { 14, 5, 0 }, { 3, 5, 0 } } },
                12);
        ck_line(&flat, &(struct along_line){ 2, { { 7, 2, 0 }, { 7, 8, 0 } } },
                7);
        ck_line(&deep, &(struct along_line){ 2, { { 2, 3, 4 }, { 2, 3, 0 } } },
                5);
    }
END_TEST

START_TEST(a_slanted_line_has_the_cells_nearest_to_it)
    {
        ck_line(&flat, &(struct along_line){ 2, { { 3, 2, 0 }, { 14, 8, 0 } } },
                14);
        ck_line(&flat, &(struct along_line){ 2, { { 12, 8, 0 }, { 5, 3, 0 } } },
                10);
        ck_line(&deep, &(struct along_line){ 2, { { 0, 0, 0 }, { 6, 5, 4 } } },
                10);
    }
END_TEST

START_TEST(a_bent_line_has_each_cell_of_its_legs_in_turn)
    {
        static const struct along_line line = {
            4, { { 3, 8, 0 }, { 3, 4, 0 }, { 12, 4, 0 }, { 12, 6, 0 } }
        };
        struct recording *recording = record(&flat);
        struct view *view = look(recording, "amplitude", 1, anywhere);
        int at[] = { 3, 8 }, leg = 1;
        ck_assert_int_eq(view_lay_along(view, &line, four, 4, NULL), STATUS_OK);
        ck_assert_int_eq(view->cut.nx, 4 + 9 + 2 + 1);
        ck_assert_int_eq(view_read(view, 0, NULL), STATUS_OK);
        for (int x = 0; x < view->cut.nx; x++) {
            ck_assert_double_eq(
                view->values[x],
                (double)number(0, 1, four[0],
                               grid_index(&flat.grid, at[0], at[1], 0)));
            if (at[0] == line.point[leg][0] && at[1] == line.point[leg][1])
                leg++;
            for (int axis = 0; axis < 2 && leg < 4; axis++)
                at[axis] += (line.point[leg][axis] > at[axis]) -
                            (line.point[leg][axis] < at[axis]);
        }
        ck_assert_int_eq(leg, 4);
        double lengths[ALONG_POINTS];
        along_lengths(view_along_line(view), lengths);
        ck_assert(lengths[0] == 0 && lengths[1] == 4 && lengths[2] == 13 &&
                  lengths[3] == 15);
        struct view_axis axis;
        view_axis(view, 0, &axis);
        ck_assert_double_eq(axis.each, 1);
        char text[100];
        view_describe(view, false, text, sizeof text);
        ck_assert_str_eq(text, "amplitude of wave 1, along 3,8 to 12,6 with 2 "
                               "bends");
        view_release(view);
        recording_close(recording);
    }
END_TEST

/* Points of the line, very near to each other. */
enum { FINE = 4000 };
static void fine_point(const struct along_line *line, int leg, int i,
                       double point[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++) {
        const double from = line->point[leg][axis];
        point[axis] = from + (line->point[leg + 1][axis] - from) * i / FINE;
    }
}

static double apart(const double a[GRID_AXES], const double b[GRID_AXES])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

START_TEST(a_column_is_at_its_distance_along_the_bent_line)
    {
        static const struct along_line line = {
            4, { { 3, 2, 0 }, { 7, 8, 0 }, { 9, 3, 0 }, { 14, 5, 0 } }
        };
        struct recording *recording = record(&flat);
        struct view *view = look(recording, "amplitude", 0, anywhere);
        double lengths[ALONG_POINTS];
        along_lengths(&line, lengths);
        ck_assert_double_eq_tol(lengths[3],
                                hypot(4, 6) + hypot(2, 5) + hypot(5, 2), 1e-12);
        ck_assert_int_eq(view_lay_along(view, &line, four, 1, NULL), STATUS_OK);
        ck_assert_int_eq(view->cut.nx, (int)floor(lengths[3] + .5) + 1);
        ck_assert_int_eq(view_read(view, 0, NULL), STATUS_OK);
        for (int x = 0; x < view->cut.nx; x++) {
            double wanted = lengths[3] * x / (view->cut.nx - 1);
            double found[GRID_AXES] = { 3, 2, 0 }, walked = 0;
            for (int leg = 0; leg < 3; leg++)
                for (int i = 1; i <= FINE; i++) {
                    double last[GRID_AXES], next[GRID_AXES];
                    fine_point(&line, leg, i - 1, last);
                    fine_point(&line, leg, i, next);
                    walked += apart(last, next);
                    if (walked <= wanted + 1e-9)
                        memcpy(found, next, sizeof found);
                }
            ck_assert_double_eq(
                view->values[x],
                (double)number(0, 0, four[0],
                               grid_index(&flat.grid, (int)(found[0] + .501),
                                          (int)(found[1] + .501), 0)));
        }
        view_release(view);
        recording_close(recording);
    }
END_TEST

START_TEST(the_nearest_point_is_that_of_many_points_of_the_line)
    {
        struct random random;
        random_seed(&random, 40);
        for (int round = 0; round < 60; round++) {
            struct along_line line = { 2 + round % 4, { { 0 } } };
            double beside[GRID_AXES], lengths[ALONG_POINTS];
            double least = INFINITY, where = -1, distance = -1;
            int axes = 2 + round % 2;
            for (int axis = 0; axis < GRID_AXES; axis++)
                beside[axis] = axis < axes ? 20 * random_unit(&random) : 0;
            for (int i = 0; i < line.count; i++)
                for (int axis = 0; axis < axes; axis++)
                    line.point[i][axis] =
                        axis == 0 && i % 2 == 0
                            ? 1 + i
                            : 7 * (i % 2) + (int)random_below(&random, 13);
            along_lengths(&line, lengths);
            for (int leg = 0; leg + 1 < line.count; leg++)
                for (int i = 0; i <= FINE; i++) {
                    double point[GRID_AXES];
                    fine_point(&line, leg, i, point);
                    if (apart(point, beside) >= least)
                        continue;
                    least = apart(point, beside);
                    where = lengths[leg] +
                            (lengths[leg + 1] - lengths[leg]) * i / FINE;
                }
            ck_assert_double_eq_tol(along_nearest(&line, beside, &distance),
                                    least, 1e-3);
            ck_assert_double_eq_tol(distance, where, 2e-2);
        }
    }
END_TEST

/* A corridor 3 wide with a bend, and a room beside it. */
START_TEST(places_beside_a_corridor_are_within_half_of_its_width)
    {
        static const char text[] =
            "steps = 4; wave = { }; target = { at = [2, 2]; };"
            "map = { rows = (\"@@@@@@@@@@@@@@\", \"@............@\","
            "\"@............@\", \"@............@\", \"@@@@@@@@@@...@\","
            "\"@......@@@...@\", \"@......@@@...@\", \"@......@@@...@\","
            "\"@@@@@@@@@@@@@@\"); };";
        static const struct along_line line = {
            3, { { 2, 2, 0 }, { 11, 2, 0 }, { 11, 7, 0 } }
        };
        static const int64_t steps[] = { 0, 1 };
        static const struct {
            double place[GRID_AXES], distance;
        } cases[] = {
            { { 2, 2, 0 }, 0 },
            { { 1.25, 3, 0 }, 0 },
            { { 6.5, 1, 0 }, 4.5 },
            { { 11.5, 5.25, 0 }, 12.25 },
            { { 12, 1, 0 }, 9 },
            { { 6, 5, 0 }, (double)NAN },
            { { 8, 3.75, 0 }, (double)NAN },
        };
        struct scenario *scenario;
        struct recording *recording;
        ck_assert_int_eq(
            scenario_parse(text, "bend.cfg", NULL, 0, &scenario, NULL),
            STATUS_OK);
        run_scenario(scenario, path);
        ck_assert_int_eq(recording_open(path, &recording, NULL), STATUS_OK);
        struct view *view = look(recording, "amplitude", 0, anywhere);
        ck_assert_int_eq(view_lay_along(view, &line, steps, 2, NULL),
                         STATUS_OK);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            double distance;
            ck_assert_int_eq(
                view_along_place(view, cases[i].place, &distance, NULL),
                STATUS_OK);
            if (isnan(cases[i].distance))
                ck_assert(isnan(distance));
            else
                ck_assert_double_eq_tol(distance, cases[i].distance, 1e-12);
        }
        view_release(view);
        recording_close(recording);
    }
END_TEST

START_TEST(steps_that_were_not_recorded_have_no_values)
    {
        static const int64_t steps[] = { 9, 12, 15 };
        struct recording *recording = record(&flat);
        struct view *view = look(recording, "gradient", 0, anywhere);
        const struct along_line line = { 2, { { 3, 5, 0 }, { 9, 5, 0 } } };
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
        const struct along_line line = { 2, { { 3, 2, 0 }, { 14, 8, 0 } } };
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
            view_describe(view, false, text, sizeof text);
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
        const struct along_line line = { 2, { { 3, 5, 0 }, { 9, 5, 0 } } };
        ck_refused("amplitude",
                   &(struct along_line){ 2, { { 3, 5, 0 }, { 3, 5, 0 } } },
                   four, "two cells in succession must differ");
        ck_refused("amplitude",
                   &(struct along_line){ 2, { { 2, 5, 0 }, { 9, 5, 0 } } },
                   four, "x from 3 to 14, and the line reaches 2");
        ck_refused("amplitude",
                   &(struct along_line){ 2, { { 3, 5, 0 }, { 9, 9, 0 } } },
                   four, "y from 2 to 8, and the line reaches 9");
        ck_refused("amplitude", &line, uneven,
                   "steps 3, 6 and 8 are not evenly spaced");
        ck_refused("amplitude",
                   &(struct along_line){
                       3, { { 3, 5, 0 }, { 9, 5, 0 }, { 9, 5, 0 } } },
                   four, "two cells in succession must differ");
        ck_refused("amplitude",
                   &(struct along_line){
                       3, { { 3, 5, 0 }, { 9, 1, 0 }, { 9, 5, 0 } } },
                   four, "y from 2 to 8, and the line reaches 1");
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
    tcase_add_test(tests, a_bent_line_has_each_cell_of_its_legs_in_turn);
    tcase_add_test(tests, a_column_is_at_its_distance_along_the_bent_line);
    tcase_add_test(tests, the_nearest_point_is_that_of_many_points_of_the_line);
    tcase_add_test(tests,
                   places_beside_a_corridor_are_within_half_of_its_width);
    tcase_add_test(tests, steps_that_were_not_recorded_have_no_values);
    tcase_add_test(tests, axes_are_of_cells_and_steps_or_of_metres_and_seconds);
    tcase_add_test(tests, impossible_lines_are_rejected);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
