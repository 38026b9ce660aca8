/* SPDX-License-Identifier: MIT */
#include "tests/view/view_run.h"
#include "world/local_width.h"

static double gradient_length(const struct run *run, int wave, int64_t step,
                              size_t cell)
{
    double sum = 0;
    for (int axis = 0; axis < run->grid.dims; axis++)
        sum += pow((double)number(1 + axis, wave, step, cell), 2);
    return sqrt(sum);
}

/* In degrees counter-clockwise; y and z point down in the picture. */
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

/* From the walls of the whole world; NaN: none. */
static double extent_of(const struct run *run, size_t version, size_t cell,
                        bool height)
{
    enum { MOST = 1000 };
    static int32_t extent[2][MOST];
    struct terrain terrain;
    size_t cells = grid_cells(&run->grid);
    ck_assert_uint_le(cells, MOST);
    ck_assert_int_eq(terrain_init(&terrain, &run->grid, NULL), STATUS_OK);
    for (size_t i = 0; i < cells; i++)
        terrain.wall[i] = is_wall(version, i);
    ck_assert_int_eq(
        local_width(&terrain, extent[0], height ? extent[1] : NULL, NULL),
        STATUS_OK);
    terrain_release(&terrain);
    return extent[height][cell] ? extent[height][cell] : (double)NAN;
}

/* The step of the emission whose wave is running at a step; −1: none. */
static int64_t emission_of(int wave, int64_t step, int64_t lifetime)
{
    int64_t sent = wave == 0 ? 0 : step >= AGAIN ? AGAIN : EMITTED;
    return step >= sent && step < sent + lifetime ? sent : -1;
}

/* |∂z/∂t ∇z|: ∂z/∂t from the steps before and after that belong to the same
 * emission. */
static double flux_of(const struct run *run, int wave, int64_t step,
                      size_t cell, int64_t lifetime)
{
    int64_t own = emission_of(wave, step, lifetime);
    int64_t from = step, to = step;
    if (step > 0 && emission_of(wave, step - 1, lifetime) == own)
        from--;
    if (step < STEPS && emission_of(wave, step + 1, lifetime) == own)
        to++;
    double change =
        (double)number(0, wave, to, cell) - (double)number(0, wave, from, cell);
    double rate = to > from ? change / (double)(to - from) : (double)NAN;
    double length = 0;
    for (int axis = 0; axis < run->grid.dims; axis++)
        length =
            hypot(length, (double)number(1 + axis, wave, step, cell) * rate);
    return length;
}

/* The expected value of the view at a cell of the world. */
/* Directions come in pairs, an axis each: east, west, south, north … */
static double one_way_angle(const struct run *run, const struct view *view,
                            size_t version, size_t cell)
{
    int direction = one_way_of(&run->grid, version, cell) - 1;
    bool back = direction % 2 == 1;
    if (direction >= 0 && direction / 2 == view->cut.right)
        return back ? 180 : 0;
    if (direction >= 0 && direction / 2 == view->cut.down)
        return back ? 90 : -90;
    return (double)NAN;
}

static double wanted(const struct run *run, const struct view *view,
                     int64_t step, size_t cell)
{
    size_t version = step >= VERSION_STEP;
    const char *name = view->field->name;
    if (strcmp(name, "amplitude") == 0)
        return (double)number(0, view->wave, step, cell);
    if (strcmp(name, "gradient") == 0)
        return gradient_length(run, view->wave, step, cell);
    if (strcmp(name, "flux") == 0)
        return flux_of(run, view->wave, step, cell, INT32_MAX);
    if (strcmp(name, "gradient-direction") == 0)
        return heading_of(run, view, step, cell);
    if (strcmp(name, "arrival") == 0)
        return arrival_of(view->wave, cell) < 0 ? (double)NAN
                                                : arrival_of(view->wave, cell);
    if (strcmp(name, "speed") == 0)
        return speed_of(version, cell);
    if (strcmp(name, "cost") == 0)
        return cost_of(version, cell);
    if (strcmp(name, "one-way") == 0)
        return one_way_angle(run, view, version, cell);
    if (strcmp(name, "width") == 0 || strcmp(name, "height") == 0)
        return extent_of(run, version, cell, strcmp(name, "height") == 0);
    return is_wall(version, cell);
}

static void ck_plane(const struct run *run, const struct view *view,
                     int64_t step)
{
    const struct cut *cut = &view->cut;
    /* The rounding of an angle is that of half a turn. */
    double turned = view->field->angle ? 180 : 0;
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
            if (strcmp((*field)->name, "heading") == 0 ||
                strcmp((*field)->name, "error") == 0 ||
                strcmp((*field)->name, "cause") == 0 ||
                strcmp((*field)->name, "density") == 0)
                continue; /* of waves, not of numbers: test_headings.c,
                           * tests/tools/fields.test */
            if (run->every > 1 && strcmp((*field)->name, "flux") == 0)
                continue; /* needs consecutive steps */
            if (run->grid.dims == 2 && strcmp((*field)->name, "height") == 0)
                continue; /* only in 3D */
            struct view *view = look(recording, (*field)->name, wave, at);
            /* Forwards and back, across the change of the map. */
            static const int order[] = { 0, 3, 4, 1 };
            for (int k = 0; k < 4; k++) {
                ck_assert_int_eq(view_read(view, order[k], NULL), STATUS_OK);
                ck_plane(run, view, order[k] * run->every);
            }
            view_release(view);
        }
    recording_close(recording);
}

START_TEST(every_field_of_a_region_equals_the_recorded_values)
    {
        ck_all_fields(&flat, anywhere);
    }
END_TEST

START_TEST(every_plane_of_a_block_equals_the_recorded_values)
    {
        ck_all_fields(&deep, anywhere);
        ck_all_fields(&deep, (struct view_place){ 0, 6, false });
        ck_all_fields(&deep, (struct view_place){ 1, 2, false });
        ck_all_fields(&deep, (struct view_place){ 2, 0, false });
    }
END_TEST

/* With a lifetime of 3: wave 1 runs at steps 2 to 4 and from 9 on. */
START_TEST(flux_is_of_one_emission_at_a_time)
    {
        struct run run = flat;
        run.parameters = "wave.lifetime = 3\n";
        struct recording *recording = record(&run);
        struct view *view = look(recording, "flux", 1, anywhere);
        for (int step = 0; step <= STEPS; step++) {
            ck_assert_int_eq(view_read(view, step, NULL), STATUS_OK);
            for (int i = 0; i < view->cut.nx * view->cut.ny; i++) {
                size_t cell =
                    grid_index(&run.grid, i % view->cut.nx + run.region.low[0],
                               i / view->cut.nx + run.region.low[1], 0);
                double value = flux_of(&run, 1, step, cell, 3);
                ck_assert(view->values[i] == value ||
                          (isnan(view->values[i]) && isnan(value)));
            }
        }
        view_release(view);
        recording_close(recording);
    }
END_TEST

START_TEST(flux_takes_steps_one_after_the_other)
    {
        struct recording *recording = record(&deep);
        struct view *view = look(recording, "flux", 0, anywhere);
        struct error error;
        ck_assert_int_eq(view_read(view, 1, &error), STATUS_INPUT);
        ck_assert_msg(strstr(error.message, "record.every = 1") != NULL, "%s",
                      error.message);
        view_release(view);
        recording_close(recording);
    }
END_TEST

START_TEST(the_default_plane_is_the_middle_layer)
    {
        struct recording *recording = record(&deep);
        struct view *view = look(recording, "amplitude", 1, anywhere);
        char text[64];
        view_describe(view, false, text, sizeof text);
        ck_assert_str_eq(text, "amplitude of wave 1, z = 2");
        view_release(view);
        recording_close(recording);
    }
END_TEST

static void ck_no_view(const struct recording *recording, const char *field,
                       int64_t wave, struct view_place at, const char *expected)
{
    struct view *view = NULL;
    struct error error;
    ck_assert_int_eq(view_open(recording, field, wave, &at, &view, &error),
                     STATUS_INPUT);
    ck_assert_ptr_null(view);
    ck_assert_msg(strstr(error.message, expected) != NULL, "%s", error.message);
}

START_TEST(missing_fields_are_reported_with_a_list_of_existing_ones)
    {
        struct run run = flat;
        run.gradient = run.speed = false;
        run.parameters = "wave.stencil = \"9-point\"\n";
        struct recording *recording = record(&run);
        ck_no_view(recording, "amplitud", 0, anywhere,
                   "fields are amplitude, gradient, gradient-direction, flux, "
                   "heading, error, cause, arrival, speed, cost, one-way, "
                   "density, width, height, walls");
        ck_no_view(recording, "gradient", 0, anywhere,
                   "gradient was not recorded; there are amplitude, arrival, "
                   "width, walls");
        ck_no_view(recording, "speed", 0, anywhere,
                   "speed takes a map with speeds");
        ck_no_view(recording, "amplitude", 2, anywhere,
                   "no wave 2; there are waves 0 to 1");
        ck_no_view(recording, "amplitude", -2, anywhere, "no wave -2");
        ck_no_view(recording, "amplitude", INT64_MAX, anywhere, "no wave 9");
        ck_no_view(recording, "amplitude", 0,
                   (struct view_place){ 2, 0, false }, "is 2D");
        recording_close(recording);
        recording = record(&deep);
        ck_no_view(recording, "amplitude", 0,
                   (struct view_place){ 2, 5, false },
                   "no plane z=5; z runs from 0 to 4");
        ck_no_view(recording, "amplitude", 0,
                   (struct view_place){ 0, -1, false },
                   "no plane x=-1; x runs from 0 to 6");
        recording_close(recording);
    }
END_TEST

/* By brute force over the emissions: of a wave sent at the step there is only
 * its source, so the one before it is shown, unless it is the first. */
static int newest_at(int64_t step)
{
    static const struct {
        int wave;
        int64_t step;
    } sent[] = { { 0, 0 }, { 1, EMITTED }, { 1, AGAIN } };
    int wave = 0;
    for (int i = 0; i < 3; i++)
        if (sent[i].step < step)
            wave = sent[i].wave;
    return wave;
}

START_TEST(the_newest_wave_is_that_emitted_last_before_the_step)
    {
        static const char *const shown[] = { "amplitude", "gradient" };
        struct recording *recording = record(&flat);
        struct view *view = look(recording, shown[_i], WAVE_NEWEST, anywhere),
                    *twin;
        ck_assert_int_eq(view_twin(view, &twin, NULL), STATUS_OK);
        char text[256];
        view_describe(view, false, text, sizeof text);
        ck_assert_ptr_nonnull(strstr(text, " of the newest wave"));
        struct view *waves[WAVES];
        for (int wave = 0; wave < WAVES; wave++)
            waves[wave] = look(recording, shown[_i], wave, anywhere);
        /* Rows in any order, as threads read them. */
        for (int64_t k = 0; k <= STEPS; k++) {
            int64_t step = k * 5 % (STEPS + 1);
            int wave = newest_at(step);
            struct view *one = k % 2 ? view : twin;
            ck_assert_int_eq(view_read(one, step, NULL), STATUS_OK);
            ck_assert_int_eq(view_read(waves[wave], step, NULL), STATUS_OK);
            ck_assert_int_eq(one->wave, wave);
            ck_assert_mem_eq(one->values, waves[wave]->values,
                             view_cells(one) * sizeof *one->values);
        }
        for (int wave = 0; wave < WAVES; wave++)
            view_release(waves[wave]);
        view_release(twin);
        view_release(view);
        recording_close(recording);
    }
END_TEST

START_TEST(of_a_field_without_steps_the_newest_wave_is_the_first)
    {
        struct recording *recording = record(&flat);
        struct view *newest = look(recording, "arrival", WAVE_NEWEST, anywhere),
                    *first = look(recording, "arrival", 0, anywhere);
        ck_assert_int_eq(view_read(newest, STEPS, NULL), STATUS_OK);
        ck_assert_int_eq(view_read(first, STEPS, NULL), STATUS_OK);
        ck_assert_mem_eq(newest->values, first->values,
                         view_cells(first) * sizeof *first->values);
        view_release(newest);
        view_release(first);
        recording_close(recording);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("view");
    TCase *tests = tcase_create("view");
    tcase_add_checked_fixture(tests, make_place, remove_place);
    tcase_add_test(tests, every_field_of_a_region_equals_the_recorded_values);
    tcase_add_test(tests, every_plane_of_a_block_equals_the_recorded_values);
    tcase_add_test(tests, flux_is_of_one_emission_at_a_time);
    tcase_add_test(tests, flux_takes_steps_one_after_the_other);
    tcase_add_test(tests, the_default_plane_is_the_middle_layer);
    tcase_add_test(tests,
                   missing_fields_are_reported_with_a_list_of_existing_ones);
    tcase_add_loop_test(
        tests, the_newest_wave_is_that_emitted_last_before_the_step, 0, 2);
    tcase_add_test(tests,
                   of_a_field_without_steps_the_newest_wave_is_the_first);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
