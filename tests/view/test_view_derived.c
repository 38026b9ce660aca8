/* SPDX-License-Identifier: MIT */
#include "tests/view/view_run.h"

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

START_TEST(a_gradient_that_was_not_recorded_is_computed_from_the_amplitude)
    {
        struct run whole = flat;
        whole.region = grid_box(&flat.grid);
        ck_derived_gradient(whole, false);
        ck_derived_gradient(whole, true);
        ck_derived_gradient(flat, false);
        ck_derived_gradient(deep, true);
    }
END_TEST

/* The first generation whose |z| reaches θA, before the wave goes out again. */
static double first_generation(const struct run *run, size_t cell, double level)
{
    if (cell == run->source)
        return EMITTED;
    for (int64_t step = EMITTED + 1; step < AGAIN; step++)
        if (fabs((double)number(0, 1, step, cell)) >= level)
            return (double)step;
    return (double)NAN;
}

START_TEST(an_arrival_that_was_not_recorded_is_computed_from_the_frames)
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
            double generation = first_generation(&run, cell, .02);
            if (isnan(generation))
                ck_assert(isnan(view->values[i]));
            else
                ck_assert(view->values[i] == generation);
            never += isnan(generation) != 0;
            came += !isnan(generation);
        }
        ck_assert_int_gt(never, 5);
        ck_assert_int_gt(came, 20);
        view_release(view);
        recording_close(recording);
    }
END_TEST

static void ck_no_arrival(struct run run, const char *expected)
{
    run.arrival = false;
    struct recording *recording = record(&run);
    struct view *view = look(recording, "arrival", 1, anywhere);
    struct error error;
    ck_assert_int_eq(view_read(view, 0, &error), STATUS_INPUT);
    ck_assert_msg(strstr(error.message, expected) != NULL, "%s", error.message);
    view_release(view);
    recording_close(recording);
}

START_TEST(arrivals_that_cannot_be_computed_are_reported)
    {
        struct run run = flat;
        run.every = 2;
        ck_no_arrival(run, "record.every = 1");
        run = flat;
        run.source = 0;
        ck_no_arrival(run, "outside the recorded region");
        run = flat;
        run.parameters = "arrival.detector = \"psychic\"\n";
        ck_no_arrival(run, "detector: \"psychic\" is not");
        run.parameters = "arrival.detector = \"laplace-front\"\n"
                         "arrival.range = 0\n";
        ck_no_arrival(run, "which is called laplace now: record it again");
        run.parameters = "arrival.detector = \"laplace\"\n"
                         "arrival.range = 0\n";
        ck_no_arrival(run, "another detector of the name laplace");
        run.parameters = "arrival.detector = \"laplace\"\n";
        ck_no_arrival(run, "record it again");
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("view_derived");
    TCase *tests = tcase_create("view_derived");
    tcase_add_checked_fixture(tests, make_place, remove_place);
    tcase_add_test(
        tests, a_gradient_that_was_not_recorded_is_computed_from_the_amplitude);
    tcase_add_test(
        tests, an_arrival_that_was_not_recorded_is_computed_from_the_frames);
    tcase_add_test(tests, arrivals_that_cannot_be_computed_are_reported);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
