/* SPDX-License-Identifier: MIT */
/* What figures draw over a line over time is where agents, target and wave
 * are. */
#include "draw/figure/along.h"

#include "pursuit/settings.h"
#include "tests/view/run_scenario.h"
#include "tests/view/view_run.h"

/* A corridor of three rows, and a room below it behind a wall. */
#define MAP                                                                    \
    "map = { rows = (\"@@@@@@@@@@@@@@@@@@@@@@@@@@@@\","                        \
    "\"@..........................@\", \"@..........................@\","      \
    "\"@..........................@\", \"@@@@@@@@@@@@@@@@@@@@@@@@@@@@\","      \
    "\"@..........................@\", \"@..........................@\","      \
    "\"@@@@@@@@@@@@@@@@@@@@@@@@@@@@\"); };"

static const struct along_line middle = { 2, { { 1, 2, 0 }, { 26, 2, 0 } } };

static struct recording *recording;
static struct view *view;
static struct tracks tracks;
static struct along_lines lines;

/* Records the scenario, and lays the line over every second of its steps from
 * `first` on. */
static void lay(const char *text, const struct along_line *line, int64_t first)
{
    static int64_t steps[1000];
    struct scenario *scenario;
    struct error error;
    size_t count = 0;
    enum status status =
        scenario_parse(text, "along.cfg", NULL, 0, &scenario, &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.message);
    run_scenario(scenario, path);
    ck_assert_int_eq(recording_open(path, &recording, NULL), STATUS_OK);
    const int64_t *all = recording_steps(recording);
    for (int64_t row = first; row < recording_rows(recording); row += 2)
        steps[count++] = all[row];
    view = look(recording, "amplitude", 0, anywhere);
    ck_assert_int_eq(view_lay_along(view, line, steps, count, NULL), STATUS_OK);
    status = along_read(view, NULL, 0, &tracks, &lines, &error);
    ck_assert_msg(status == STATUS_OK, "%s", error.message);
}

static void close_all(void)
{
    along_release(&lines);
    tracks_release(&tracks);
    view_release(view);
    recording_close(recording);
}

static void ck_mark(size_t i, enum mark mark, const char *name, double column,
                    double row)
{
    ck_assert_uint_lt(i, lines.mark_count);
    const struct along_mark *found = &lines.marks[i];
    ck_assert_int_eq(found->mark, mark);
    ck_assert_str_eq(found->track->name, name);
    ck_assert_double_eq_tol(found->at[0], column, 1e-12);
    ck_assert_double_eq_tol(found->at[1], row, 1e-12);
}

#define CHASE                                                                  \
    "steps = 120; wave = { count = 1; lifetime = 500; walls = \"free\"; };"    \
    "pursuit = { stop = \"never\"; }; target = { at = [4, 2]; };"              \
    "agents = ( { name = \"near\"; at = [20, 3]; speed = 0.25; },"             \
    " { name = \"far\"; at = [20, 6]; speed = 0.25; } );"

START_TEST(world_lines_are_at_the_recorded_places)
    {
        struct tracks own;
        lay(MAP CHASE, &middle, 0);
        ck_assert_int_eq(
            tracks_read(recording, tracks.rows, NULL, 0, &own, NULL),
            STATUS_OK);
        ck_assert_uint_eq(tracks.count, 3);
        ck_assert_int_eq(tracks.rows, recording_rows(recording));
        const struct track *near = &tracks.track[0];
        int64_t captured = 0;
        while (own.track[0].state[captured] != AGENT_CAPTURED &&
               captured + 1 < own.rows)
            captured++;
        ck_assert_int_gt(captured, 60);
        ck_assert_int_lt(captured, own.rows - 1);
        for (int64_t row = 0; row < own.rows; row++) {
            ck_assert_double_eq_tol(near->at[1][row], (double)row / 2, 1e-12);
            if (row > captured)
                ck_assert(isnan(near->at[0][row]));
            else
                ck_assert_double_eq_tol(near->at[0][row],
                                        own.track[0].at[0][row] - 1, 1e-12);
            ck_assert(isnan(tracks.track[1].at[0][row]));
            /* The target rests: a mark, no line. */
            ck_assert(isnan(tracks.track[2].at[0][row]) == (row > 0));
        }
        ck_assert_uint_eq(lines.mark_count, 3);
        ck_mark(0, MARK_START, "near", 19, 0);
        ck_mark(1, MARK_CAPTURED, "near", own.track[0].at[0][captured] - 1,
                (double)captured / 2);
        ck_assert_int_eq(lines.marks[1].step, captured);
        ck_mark(2, MARK_TARGET, "target", 3, 0);
        tracks_release(&own);
        close_all();
    }
END_TEST

START_TEST(a_picture_that_begins_later_has_no_start)
    {
        lay(MAP CHASE, &middle, 10);
        ck_mark(0, MARK_COUNT, "near", 19, 0);
        ck_assert_int_eq(lines.marks[0].step, 10);
        ck_assert_double_eq_tol(tracks.track[0].at[1][0], -5, 1e-12);
        close_all();
    }
END_TEST

START_TEST(a_target_that_walks_has_a_line)
    {
        lay(MAP "steps = 40; wave = { count = 1; lifetime = 500; };"
                "target = { at = [4, 2]; motion = \"waypoints\"; speed = 0.25;"
                " waypoints = ([20, 2]); };",
            &middle, 0);
        ck_assert_uint_eq(tracks.count, 1);
        ck_mark(0, MARK_TARGET, "target", 3, 0);
        for (int64_t row = 0; row < tracks.rows; row++)
            ck_assert_double_eq_tol(tracks.track[0].at[0][row],
                                    3 + .25 * (double)row, 1e-6);
        close_all();
    }
END_TEST

START_TEST(bends_are_at_the_columns_of_their_points)
    {
        static const struct along_line bent = {
            4, { { 1, 1, 0 }, { 11, 1, 0 }, { 11, 3, 0 }, { 20, 3, 0 } }
        };
        lay(MAP CHASE, &bent, 0);
        ck_assert_int_eq(lines.bends, 2);
        ck_assert_double_eq_tol(lines.bend[0], 10, 1e-12);
        ck_assert_double_eq_tol(lines.bend[1], 12, 1e-12);
        close_all();
    }
END_TEST

static void ck_front(size_t i, double column, double row, double to,
                     double until)
{
    ck_assert_uint_lt(i, lines.front_count);
    const struct along_front *front = &lines.fronts[i];
    ck_assert_double_eq_tol(front->from[0], column, 1e-12);
    ck_assert_double_eq_tol(front->from[1], row, 1e-12);
    ck_assert_double_eq_tol(front->to[0], to, 1e-9);
    ck_assert_double_eq_tol(front->to[1], until, 1e-9);
}

START_TEST(fronts_run_from_each_emission_at_the_speed_of_the_wave)
    {
        lay(MAP "steps = 90; target = { at = [4, 2]; };"
                "wave = { count = 1; lifetime = 40; delta = 0.16; };",
            &middle, 0);
        ck_assert_double_eq_tol(lines.speed, .4, 1e-12);
        ck_assert_uint_eq(lines.front_count, 3);
        ck_front(0, 3, 0, 3 + .4 * 40, 20); /* until the next one */
        ck_front(1, 3, 20, 3 + .4 * 40, 40);
        ck_front(2, 3, 40, 25, 40 + 22 / .4 / 2); /* until the line's end */
        close_all();
        lay(MAP "steps = 9; target = { at = [22, 2]; };"
                "wave = { count = 1; lifetime = 40; delta = 0.25; };",
            &middle, 1);
        ck_front(0, 21, -.5, 0, 21 / .5 / 2 - .5); /* to the left */
        close_all();
    }
END_TEST

START_TEST(a_source_beside_the_line_or_two_speeds_give_no_front)
    {
        lay(MAP "steps = 9; wave = { }; target = { at = [4, 6]; };", &middle,
            0);
        ck_assert_uint_eq(lines.front_count, 0);
        ck_assert_double_eq_tol(lines.speed, .5, 1e-12);
        close_all();
        lay(MAP "steps = 9; wave = { }; target = { at = [4, 2]; };"
                "regions = ( { box = [9, 1, 12, 3]; speed = 0.5; } );",
            &middle, 0);
        ck_assert(isnan(lines.speed));
        ck_assert_uint_eq(lines.front_count, 0);
        close_all();
        lay(MAP "steps = 9; wave = { }; target = { at = [4, 2]; };"
                "regions = ( { box = [1, 1, 26, 3]; speed = 0.5; } );",
            &middle, 0);
        ck_assert_double_eq_tol(lines.speed, .25, 1e-12);
        ck_assert_uint_eq(lines.front_count, 1);
        close_all();
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("along");
    TCase *tcase = tcase_create("along");
    tcase_add_checked_fixture(tcase, make_place, remove_place);
    tcase_add_test(tcase, world_lines_are_at_the_recorded_places);
    tcase_add_test(tcase, a_picture_that_begins_later_has_no_start);
    tcase_add_test(tcase, a_target_that_walks_has_a_line);
    tcase_add_test(tcase, bends_are_at_the_columns_of_their_points);
    tcase_add_test(tcase,
                   fronts_run_from_each_emission_at_the_speed_of_the_wave);
    tcase_add_test(tcase, a_source_beside_the_line_or_two_speeds_give_no_front);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
