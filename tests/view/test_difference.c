/* SPDX-License-Identifier: MIT */
/* The difference of two recordings of random numbers. */
#include "tests/view/view_run.h"
#include "view/difference.h"

static char other_path[64];

/* Another recording, in a second file. */
static struct recording *record_other(const struct run *run)
{
    struct recording *recording;
    snprintf(other_path, sizeof other_path, "%s/other.h5", place);
    salt = 1;
    recording_close(record(run));
    salt = 0;
    ck_assert_int_eq(rename(path, other_path), 0);
    ck_assert_int_eq(recording_open(other_path, &recording, NULL), STATUS_OK);
    return recording;
}

/* A copy of a view's present values and walls. */
struct copy {
    double *values;
    uint8_t *wall;
};

static struct copy copy_of(const struct recording *recording, const char *field,
                           struct view_place at, int64_t row)
{
    struct view *view = look(recording, field, 1, at);
    ck_assert_int_eq(view_read(view, row, NULL), STATUS_OK);
    size_t cells = view_cells(view);
    struct copy copy = { memory_new(cells, sizeof(double)),
                         memory_new(cells, 1) };
    memcpy(copy.values, view->values, cells * sizeof(double));
    memcpy(copy.wall, view->wall, cells);
    view_release(view);
    return copy;
}

static double wanted(const struct view *view, const struct copy *own,
                     const struct copy *other, size_t i)
{
    double less = own->values[i] - other->values[i];
    if (view->field->of_walls)
        return less;
    if (other->wall[i] && !own->wall[i])
        return (double)NAN;
    if (view->field->angle && fabs(less) > 180)
        less -= copysign(360, less);
    return less;
}

static void ck_field(struct recording *one, struct recording *two,
                     const char *field, struct view_place at)
{
    struct view *view = look(one, field, 1, at), *twin;
    ck_assert_int_eq(view_subtract(view, two, NULL), STATUS_OK);
    ck_assert_int_eq(view_twin(view, &twin, NULL), STATUS_OK);
    /* A field that is the same at every step is read once. */
    for (int64_t row = 1; row < (view->field->by_row ? 4 : 2); row += 2) {
        struct copy a = copy_of(one, field, at, row);
        struct copy b = copy_of(two, field, at, row);
        ck_assert_int_eq(view_read(view, row, NULL), STATUS_OK);
        ck_assert_int_eq(view_read(twin, row, NULL), STATUS_OK);
        for (size_t i = 0; i < view_cells(view); i++) {
            double value = wanted(view, &a, &b, i);
            if (isnan(value))
                ck_assert(isnan(view->values[i]));
            else
                ck_assert_msg(view->values[i] == value, "%s: %g, not %g", field,
                              view->values[i], value);
            ck_assert(view->wall[i] == a.wall[i]);
        }
        ck_assert_int_eq(memcmp(view->values, twin->values,
                                view_cells(view) * sizeof(double)),
                         0);
        memory_release(a.values);
        memory_release(a.wall);
        memory_release(b.values);
        memory_release(b.wall);
    }
    view_release(twin);
    view_release(view);
}

static void ck_all(const struct run *run, struct view_place at)
{
    struct recording *two = record_other(run), *one = record(run);
    for (const struct field *const *field = fields; *field; field++) {
        const char *name = (*field)->name;
        bool of_waves = strcmp(name, "heading") == 0 ||
                        strcmp(name, "error") == 0 ||
                        strcmp(name, "cause") == 0;
        if (of_waves || (run->every > 1 && strcmp(name, "flux") == 0) ||
            !(*field)->there(one, 1) ||
            (at.axis == VIEW_WHOLE && (*field)->angle))
            continue;
        ck_field(one, two, name, at);
    }
    recording_close(one);
    recording_close(two);
    unlink(other_path);
}

START_TEST(each_field_is_the_difference_of_the_two)
    {
        ck_all(&flat, anywhere);
    }
END_TEST

START_TEST(the_difference_in_planes_of_3d_and_in_all_of_it)
    {
        ck_all(&deep, (struct view_place){ 0, 3, false });
        ck_all(&deep, (struct view_place){ 2, 1, false });
        ck_all(&deep, (struct view_place){ VIEW_WHOLE, 0, false });
    }
END_TEST

/* Along z the difference with the largest magnitude, not the difference of the
 * values with the largest magnitude. */
START_TEST(a_projection_is_of_the_differences)
    {
        struct recording *two = record_other(&deep), *one = record(&deep);
        struct view *view =
            look(one, "amplitude", 1, (struct view_place){ 2, 0, true });
        ck_assert_int_eq(view_subtract(view, two, NULL), STATUS_OK);
        ck_assert_int_eq(view_read(view, 1, NULL), STATUS_OK);
        double most[7 * 6] = { 0 };
        for (int z = 0; z < 5; z++) {
            struct view_place at = { 2, z, false };
            struct copy a = copy_of(one, "amplitude", at, 1);
            struct copy b = copy_of(two, "amplitude", at, 1);
            for (int i = 0; i < 7 * 6; i++) {
                double less = a.values[i] - b.values[i];
                if (!a.wall[i] && !b.wall[i] && fabs(less) > fabs(most[i]))
                    most[i] = less;
            }
            memory_release(a.values);
            memory_release(a.wall);
            memory_release(b.values);
            memory_release(b.wall);
        }
        for (int i = 0; i < 7 * 6; i++)
            ck_assert(most[i] == 0 ? isnan(view->values[i])
                                   : view->values[i] == most[i]);
        view_release(view);
        recording_close(one);
        recording_close(two);
        unlink(other_path);
    }
END_TEST

static void ck_refused(const struct run *own, const struct run *other,
                       const char *field, const char *expected)
{
    struct recording *two = record_other(other), *one = record(own);
    struct view *view = look(one, field, 1, anywhere);
    struct error error;
    enum status status = view_subtract(view, two, &error);
    if (!status)
        status = view_read(view, 1, &error);
    ck_assert_int_eq(status, STATUS_INPUT);
    ck_assert_msg(strstr(error.message, expected) != NULL, "%s", error.message);
    view_release(view);
    recording_close(one);
    recording_close(two);
    unlink(other_path);
}

START_TEST(recordings_that_do_not_match_are_rejected)
    {
        struct run all = flat, sparse = flat, bare = flat;
        all.region = grid_box(&flat.grid);
        sparse.every = 2;
        bare.speed = false;
        ck_refused(&flat, &deep, "amplitude",
                   "17 x 11 x 1 cells and " /* and the other grid */);
        ck_refused(&flat, &all, "amplitude", "different regions");
        ck_refused(&flat, &sparse, "amplitude", "step 1");
        ck_refused(&flat, &bare, "speed", "speed takes a map with speeds");
        ck_refused(&flat, &flat, "cause", "has categories");
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("difference");
    TCase *tests = tcase_create("difference");
    tcase_add_checked_fixture(tests, make_place, remove_place);
    tcase_add_test(tests, each_field_is_the_difference_of_the_two);
    tcase_add_test(tests, the_difference_in_planes_of_3d_and_in_all_of_it);
    tcase_add_test(tests, a_projection_is_of_the_differences);
    tcase_add_test(tests, recordings_that_do_not_match_are_rejected);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
