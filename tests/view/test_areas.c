/* SPDX-License-Identifier: MIT */
/* Outlines of areas enclose exactly the connected cells of their value. */
#include "view/areas.h"

#include "base/memory.h"
#include "base/random.h"
#include "tests/suite.h"
#include "tests/view/run_scenario.h"
#include "view/replay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ROWS9                                                                  \
    "\"............\", \"............\", \"............\","                    \
    "\"............\", \"......@.....\", \"............\","                    \
    "\"............\", \"............\", \"............\""
#define FLAT                                                                   \
    "steps = 8; map = { rows = (" ROWS9 "); }; target = { at = [0, 0]; };"     \
    "wave = { delta = 0.1; };"
#define DEEP                                                                   \
    "steps = 4; wave = { delta = 0.05; };"                                     \
    "map = { layers = ((" ROWS9 "), (" ROWS9 "), (" ROWS9 "), (" ROWS9         \
    ")); };"                                                                   \
    "target = { at = [0, 0, 0]; };"

static char path[] = "/tmp/hamon-areas-XXXXXX.h5";
static struct recording *recording;
static struct view *view;
static struct outlined_areas areas;

static void look_at(const char *text, struct view_place at, enum area_kind kind,
                    int64_t row)
{
    struct scenario *scenario;
    struct error error;
    ck_assert_msg(scenario_parse(text, "areas.cfg", NULL, 0, &scenario,
                                 &error) == STATUS_OK,
                  "%s", error.message);
    run_scenario(scenario, path);
    ck_assert_int_eq(replay_open(path, &recording, NULL), STATUS_OK);
    ck_assert_int_eq(view_open(recording, "walls", 0, &at, &view, NULL),
                     STATUS_OK);
    ck_assert_int_eq(view_read(view, row, NULL), STATUS_OK);
    ck_assert_msg(outlined_read(view, kind, &areas, &error) == STATUS_OK, "%s",
                  error.message);
}

static void look_away(void)
{
    outlined_release(&areas);
    view_release(view);
    recording_close(recording);
}

static void make_place(void)
{
    int fd = mkstemps(path, 3);
    ck_assert_int_ge(fd, 0);
    close(fd);
}

static void remove_place(void)
{
    unlink(path);
    memcpy(strstr(path, ".h5") - 6, "XXXXXX", 6);
}

static const struct view_place top = { -1, 0, false };

/* ---- oracles ---- */

/* Twice the area inside, positive if it is to the right of the line. */
static double twice_inside(const struct outline *loop)
{
    double sum = 0;
    for (size_t i = 0; i < loop->count; i++) {
        const double *a = loop->corner[i];
        const double *b = loop->corner[(i + 1) % loop->count];
        sum += a[0] * b[1] - b[0] * a[1];
    }
    return sum;
}

/* The number of vertical sides of the area's lines to the right of a point. */
static int crossings(const struct outlined *area, double x, double y)
{
    int count = 0;
    for (size_t l = area->first; l < area->first + area->loops; l++) {
        const struct outline *loop = &areas.loop[l];
        for (size_t i = 0; i < loop->count; i++) {
            const double *a = loop->corner[i];
            const double *b = loop->corner[(i + 1) % loop->count];
            count +=
                fabs(a[0] - b[0]) < .1 && a[0] > x && (a[1] < y) != (b[1] < y);
        }
    }
    return count;
}

static void ck_corners(const struct outline *loop)
{
    ck_assert_uint_ge(loop->count, 4);
    ck_assert_uint_eq(loop->count % 2, 0);
    for (size_t i = 0; i < loop->count; i++) {
        const double *a = loop->corner[i];
        const double *b = loop->corner[(i + 1) % loop->count];
        const double *c = loop->corner[(i + 2) % loop->count];
        ck_assert_double_eq(a[0] - .5, floor(a[0]));
        ck_assert_double_eq(a[1] - .5, floor(a[1]));
        ck_assert((fabs(a[0] - b[0]) < .1) != (fabs(a[1] - b[1]) < .1));
        ck_assert((fabs(a[0] - b[0]) < .1) != (fabs(b[0] - c[0]) < .1));
    }
}

/* The areas of the plane (ny, nx) of values, by spreading the largest number of
 * a cell to equal neighbours until nothing changes. */
static void spread(const double *value, int nx, int ny, int *of)
{
    bool changed = true;
    for (int i = 0; i < nx * ny; i++)
        of[i] = i;
    while (changed) {
        changed = false;
        for (int i = 0; i < nx * ny; i++)
            for (int k = 0; k < 4; k++) {
                int x = i % nx + (k == 0) - (k == 1);
                int y = i / nx + (k == 2) - (k == 3), j = y * nx + x;
                if (x < 0 || y < 0 || x >= nx || y >= ny ||
                    value[i] != value[j] || of[j] <= of[i])
                    continue;
                of[i] = of[j];
                changed = true;
            }
    }
}

/* Every cell is inside the area that it belongs to, and outside of others. */
static void ck_areas(const char *field)
{
    struct view *values;
    const struct cut *cut = &view->cut;
    bool flat = recording_grid(recording)->dims == 2;
    const struct view_place at = { flat ? -1 : cut->axis,
                                   view->region.low[cut->axis] + cut->at,
                                   false };
    int of[400], nx = cut->nx, ny = cut->ny;
    bool seen[400] = { false };
    size_t found = 0;
    ck_assert_int_le(nx * ny, 400);
    ck_assert_int_eq(view_open(recording, field, 0, &at, &values, NULL),
                     STATUS_OK);
    ck_assert_int_eq(view_read(values, 0, NULL), STATUS_OK);
    spread(values->values, nx, ny, of);
    for (size_t k = 0; k < areas.count; k++) {
        const struct outlined *area = &areas.area[k];
        double inside = 0;
        for (size_t l = 0; l < area->loops; l++) {
            ck_corners(&areas.loop[area->first + l]);
            double twice = twice_inside(&areas.loop[area->first + l]);
            ck_assert((twice > 0) == (l == 0)); /* others are holes */
            inside += twice / 2;
        }
        ck_assert_double_eq(inside, (double)area->cells);
        int number = -1;
        for (int i = 0; i < nx * ny; i++) {
            bool in = crossings(area, view->region.low[cut->right] + i % nx,
                                view->region.low[cut->down] + i / nx) %
                      2;
            if (in && number < 0)
                number = of[i];
            ck_assert(in == (number >= 0 && of[i] == number));
            if (in)
                ck_assert_double_eq(values->values[i], area->value);
        }
        found++;
    }
    for (int i = 0; i < nx * ny; i++)
        if (!view->wall[i] && values->values[i] != areas.rest && !seen[of[i]]) {
            seen[of[i]] = true;
            found--;
        }
    ck_assert_uint_eq(found, 0);
    view_release(values);
}

/* ---- tests ---- */

START_TEST(a_box_has_its_corners_and_its_name)
    {
        static const double corners[4][2] = {
            { 6.5, 1.5 }, { 6.5, 5.5 }, { 1.5, 5.5 }, { 1.5, 1.5 }
        };
        look_at(FLAT "regions = ({ box = [2, 2, 6, 5]; speed = 0.5; });", top,
                AREA_SPEED, 0);
        ck_assert_uint_eq(areas.count, 1);
        ck_assert_uint_eq(areas.area[0].loops, 1);
        ck_assert_uint_eq(areas.loop[0].count, 4);
        ck_assert_int_eq(memcmp(areas.loop[0].corner, corners, sizeof corners),
                         0);
        ck_assert_str_eq(areas.area[0].name, "c = 0.5 at (4, 3.5)");
        ck_assert_uint_eq(areas.area[0].cells, 20);
        ck_assert_double_eq(areas.rest, 1);
        ck_areas("speed");
        look_away();
    }
END_TEST

START_TEST(names_are_those_of_the_regions)
    {
        look_at(
            FLAT
            "regions = ({ box = [0, 0, 3, 3]; speed = 0.5; name = \"mud\";"
            " }, { box = [2, 2, 3, 3]; speed = 0.25; name = \"pond\"; },"
            "{ box = [6, 0, 8, 1]; cost = 3.0; name = \"toll\"; },"
            "{ box = [9, 0, 9, 1]; one_way = \"south\"; },"
            "{ box = [10, 0, 10, 1]; one_way = \"north\"; name = \"up\"; });",
            top, AREA_SPEED, 0);
        ck_assert_uint_eq(areas.count, 2);
        ck_assert_str_eq(areas.area[0].name, "mud");
        ck_assert_str_eq(areas.area[1].name, "pond");
        ck_areas("speed");
        outlined_release(&areas);
        ck_assert_int_eq(outlined_read(view, AREA_COST, &areas, NULL),
                         STATUS_OK);
        ck_assert_uint_eq(areas.count, 1);
        ck_assert_str_eq(areas.area[0].name, "toll");
        ck_areas("cost");
        outlined_release(&areas);
        ck_assert_int_eq(outlined_read(view, AREA_ONE_WAY, &areas, NULL),
                         STATUS_OK);
        ck_assert_uint_eq(areas.count, 2);
        ck_assert_str_eq(areas.area[0].name, "one way south at (9, 0.5)");
        ck_assert_double_eq(areas.area[0].value, 1 + SOUTH);
        ck_assert_str_eq(areas.area[1].name, "up");
        look_away();
    }
END_TEST

/* A ring has two outlines, and what touches at a corner is not connected. */
START_TEST(rings_have_holes_and_corners_do_not_connect)
    {
        look_at(FLAT "regions = ({ box = [1, 1, 5, 5]; speed = 0.5; },"
                     "{ box = [2, 2, 4, 4]; speed = 1.0; },"
                     "{ box = [6, 6, 7, 7]; speed = 0.5; },"
                     "{ box = [3, 3, 3, 3]; speed = 0.5; });",
                top, AREA_SPEED, 0);
        ck_assert_uint_eq(areas.count, 3);
        ck_assert_uint_eq(areas.area[0].loops, 2);
        ck_assert_uint_eq(areas.area[0].cells, 16);
        ck_areas("speed");
        look_away();
    }
END_TEST

/* Legends, events, and a map that is slow as a whole. */
START_TEST(areas_of_any_origin_are_found)
    {
        static const char legend[] =
            "steps = 8; wave = { delta = 0.1; }; target = { at = [0, 0]; };"
            "map = { rows = (\"..s..\", \".ss.f\", \"ssssf\");"
            "legend = ({ symbol = \"s\"; speed = 0.7; },"
            "{ symbol = \"f\"; speed = 1.5; }); };"
            "events = ({ step = 5; box = [0, 0, 1, 0]; speed = 0.25; });";
        look_at(legend, top, AREA_SPEED, 0);
        ck_assert_uint_eq(areas.count, 2);
        ck_assert_str_eq(areas.area[0].name, "c = 0.7 at (1.5, 1)");
        ck_assert_str_eq(areas.area[1].name, "c = 1.5 at (4, 1.5)");
        ck_areas("speed");
        look_away();
        look_at(legend, top, AREA_SPEED, 5);
        ck_assert_uint_eq(areas.count, 3);
        ck_assert_str_eq(areas.area[0].name, "c = 0.25 at (0.5, 0)");
        look_away();
        look_at(FLAT "regions = ({ box = [0, 0, 11, 8]; speed = 0.5; },"
                     "{ box = [1, 1, 2, 2]; speed = 0.75; });",
                top, AREA_SPEED, 0);
        ck_assert_double_eq(areas.rest, .5);
        ck_assert_uint_eq(areas.count, 1);
        ck_assert_str_eq(areas.area[0].name, "c = 0.75 at (1.5, 1.5)");
        look_away();
    }
END_TEST

START_TEST(areas_of_walls_only_are_left_out)
    {
        look_at(FLAT "regions = ({ box = [6, 4, 6, 4]; speed = 0.5; },"
                     "{ box = [0, 7, 1, 8]; speed = 0.5; });",
                top, AREA_SPEED, 0);
        ck_assert_uint_eq(areas.count, 1);
        ck_assert_uint_eq(areas.area[0].cells, 4);
        look_away();
    }
END_TEST

START_TEST(random_boxes_are_enclosed_in_planes_of_any_axis_and_region)
    {
        struct random random;
        random_seed(&random, (uint64_t)_i);
        bool deep = _i % 3 == 2;
        int extents[] = { 12, 9, 4 }, axes = deep ? 3 : 2;
        char text[2000];
        size_t used = (size_t)snprintf(text, sizeof text, "%sregions = (",
                                       deep ? DEEP : FLAT);
        for (int i = 0; i < 4; i++) {
            int low[3], high[3];
            for (int axis = 0; axis < axes; axis++) {
                int n = extents[axis];
                low[axis] = (int)random_below(&random, (uint64_t)n);
                high[axis] =
                    low[axis] +
                    (int)random_below(&random, (uint64_t)(n - low[axis]));
            }
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "%s{ box = [", i ? "," : "");
            for (int k = 0; k < 2 * axes; k++)
                used += (size_t)snprintf(text + used, sizeof text - used,
                                         "%s%d", k ? "," : "",
                                         k < axes ? low[k] : high[k - axes]);
            used += (size_t)snprintf(text + used, sizeof text - used,
                                     "]; speed = %.2f; }",
                                     random_below(&random, 2) ? .5 : .75);
        }
        snprintf(text + used, sizeof text - used, ");%s",
                 _i % 3 == 1 ? "record = { region = [3, 2, 10, 7]; };" : "");
        struct view_place at = top;
        if (deep)
            at = (struct view_place){ _i % 2 ? 0 : 1, 2, false };
        look_at(text, at, AREA_SPEED, 0);
        ck_assert_str_eq(areas.none, "");
        ck_areas("speed");
        look_away();
    }
END_TEST

START_TEST(gradients_and_projections_have_no_outlines_but_a_reason)
    {
        char text[2000] = FLAT "regions = (";
        for (int i = 0; i < 12; i++) {
            size_t used = strlen(text);
            snprintf(text + used, sizeof text - used,
                     "%s{ box = [%d, 0, %d, 8]; speed = %.2f; }", i ? "," : "",
                     i, i, .3 + .05 * i);
        }
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, ");");
        look_at(text, top, AREA_SPEED, 0);
        ck_assert_uint_eq(areas.count, 11); /* the rest is one of them */
        look_away();
        snprintf(text + used, sizeof text - used,
                 ", { box = [11, 0, 11, 0]; speed = 1.0; },"
                 "{ box = [11, 2, 11, 2]; speed = 2.0; });");
        look_at(text, top, AREA_SPEED, 0);
        ck_assert_uint_eq(areas.count, 0);
        ck_assert_str_eq(areas.none, "14 areas of other speed; at most 12 are "
                                     "outlined");
        look_away();
        look_at(DEEP "regions = ({ box = [0, 0, 0, 3, 3, 3]; speed = 0.5; });",
                (struct view_place){ 2, 0, true }, AREA_SPEED, 0);
        ck_assert_uint_eq(areas.count, 0);
        ck_assert_str_eq(areas.none,
                         "areas of other speed are outlined in a plane only");
        look_away();
        look_at(FLAT, top, AREA_SPEED, 0);
        ck_assert_uint_eq(areas.count, 0);
        ck_assert_str_eq(areas.none, "");
        look_away();
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("areas");
    TCase *tests = tcase_create("areas");
    tcase_add_checked_fixture(tests, make_place, remove_place);
    tcase_add_test(tests, a_box_has_its_corners_and_its_name);
    tcase_add_test(tests, names_are_those_of_the_regions);
    tcase_add_test(tests, rings_have_holes_and_corners_do_not_connect);
    tcase_add_test(tests, areas_of_any_origin_are_found);
    tcase_add_test(tests, areas_of_walls_only_are_left_out);
    tcase_add_loop_test(
        tests, random_boxes_are_enclosed_in_planes_of_any_axis_and_region, 0,
        60);
    tcase_add_test(tests,
                   gradients_and_projections_have_no_outlines_but_a_reason);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
