/* SPDX-License-Identifier: MIT */
/* The events of samples are those of their tables and states, and the chosen
 * steps show them. */
#include "view/events.h"

#include "base/memory.h"
#include "recording/read/tables.h"
#include "tests/suite.h"
#include "tests/view/run_scenario.h"
#include "view/moments.h"
#include "view/replay.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A sample, and what is changed in it. */
struct sample {
    const char *name;
    const char *overrides[4]; /* NULL after the last */
};

static const struct sample samples[] = {
    { "rooms/rooms", { NULL } },
    { "rooms/rooms", { "record.fields=(\"agents\")", "record.every=7" } },
    { "rooms/doors", { NULL } },
    { "mazes/twelve", { NULL } },
    { "watanabe-2021/fig4-5-moving", { NULL } },
    { "watanabe-2021/fig6-7-agents", { NULL } },
    { "kumagai-2024/moving", { "record.every=3" } },
    { "steering/two-areas", { "record.fields=(\"agents\")" } },
    { "yasunaga-2005/town", { NULL } },
    { "corridors/corridor", { "record.fields=(\"agents\")" } },
    { "boxes/boxes", { NULL } },
    { "field/pulse", { "record.fields=(\"amplitude\")" } },
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static char path[] = "/tmp/hamon-events-XXXXXX.h5";
static struct recording *recording;
static struct events events;

static void look_at(const struct sample *sample)
{
    char file[4096];
    struct scenario *scenario;
    struct error error;
    size_t count = 0;
    while (sample->overrides[count])
        count++;
    snprintf(file, sizeof file, "%s/samples/%s.cfg", getenv("abs_top_srcdir"),
             sample->name);
    ck_assert_msg(scenario_load(file, sample->overrides, count, &scenario,
                                &error) == STATUS_OK,
                  "%s", error.message);
    run_scenario(scenario, path);
    ck_assert_int_eq(replay_open(path, &recording, NULL), STATUS_OK);
    ck_assert_msg(events_read(recording, &events, &error) == STATUS_OK, "%s",
                  error.message);
}

static void look_away(void)
{
    events_release(&events);
    recording_close(recording);
    unlink(path);
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

/* ---- events against tables and states ---- */

static size_t count_of(enum event_kind kind, int agent)
{
    size_t count = 0;
    for (size_t i = 0; i < events.count; i++)
        count += events.event[i].kind == kind &&
                 (agent < 0 || events.event[i].agent == agent);
    return count;
}

/* The number of events that are equal in everything. */
static size_t count_equal(enum event_kind kind, double step, double agent,
                          double wave)
{
    size_t count = 0;
    for (size_t i = 0; i < events.count; i++) {
        const struct event *event = &events.event[i];
        count += event->kind == kind && (double)event->step == step &&
                 event->agent == agent && event->wave == wave;
    }
    return count;
}

static double *column(const char *name)
{
    double *values;
    ck_assert_int_eq(table_column_read(recording, name, 0, &values, NULL),
                     STATUS_OK);
    return values;
}

static void ck_emissions(void)
{
    size_t rows = (size_t)recording_table_rows(recording, "emissions");
    ck_assert_uint_eq(count_of(EVENT_SENT, -1), rows);
    if (!rows)
        return;
    double *wave = column("emissions/wave"), *step = column("emissions/step");
    for (size_t i = 0; i < rows; i++)
        ck_assert_uint_eq(count_equal(EVENT_SENT, step[i], -1, wave[i]), 1);
    memory_release(wave);
    memory_release(step);
}

/* Of each agent's rows only the first is an event. */
static void ck_arrivals(void)
{
    size_t rows = (size_t)recording_table_rows(recording, "arrivals");
    size_t agents = 0;
    double *agent = rows ? column("arrivals/agent") : NULL;
    double *wave = rows ? column("arrivals/wave") : NULL;
    double *step = rows ? column("arrivals/step") : NULL;
    for (size_t i = 0; i < rows; i++) {
        size_t before = 0;
        while (agent[before] != agent[i])
            before++;
        agents += before == i;
        ck_assert_uint_eq(
            count_equal(EVENT_ARRIVAL, step[i], agent[i], wave[i]),
            before == i);
    }
    ck_assert_uint_eq(count_of(EVENT_ARRIVAL, -1), agents);
    memory_release(agent);
    memory_release(wave);
    memory_release(step);
}

static void ck_captures(void)
{
    size_t rows = (size_t)recording_table_rows(recording, "captures");
    ck_assert_uint_eq(count_of(EVENT_CAPTURE, -1), rows);
    if (!rows)
        return;
    double *agent = column("captures/agent"), *step = column("captures/step");
    for (size_t i = 0; i < rows; i++)
        ck_assert_uint_eq(count_equal(EVENT_CAPTURE, step[i], agent[i], -1), 1);
    memory_release(agent);
    memory_release(step);
}

/* Each agent's series of states has the changes that its events have. */
static void ck_states(void)
{
    const struct variable *state = recording_find(recording, "agents/state");
    size_t rows = (size_t)recording_rows(recording);
    const int64_t *steps = recording_steps(recording);
    double *series = memory_new(rows, sizeof *series);
    for (size_t agent = 0; state && agent < variable_elements(state); agent++) {
        size_t starts = 0, stucks = 0;
        ck_assert_int_eq(
            recording_read_series(recording, state, agent, series, NULL),
            STATUS_OK);
        for (size_t i = 0; i < rows; i++) {
            double last = i ? series[i - 1] : AGENT_WAITING;
            bool changed = series[i] != last;
            bool starts_now = changed && series[i] == AGENT_MOVING;
            bool stuck_now = changed && series[i] == AGENT_STUCK;
            starts += starts_now;
            stucks += stuck_now;
            ck_assert_uint_eq(
                count_equal(EVENT_START, (double)steps[i], (double)agent, -1),
                starts_now);
            ck_assert_uint_eq(
                count_equal(EVENT_STUCK, (double)steps[i], (double)agent, -1),
                stuck_now);
        }
        ck_assert_uint_eq(count_of(EVENT_START, (int)agent), starts);
        ck_assert_uint_eq(count_of(EVENT_STUCK, (int)agent), stucks);
        ck_assert_double_eq(events.state[agent], series[rows - 1]);
    }
    memory_release(series);
}

static void ck_order(void)
{
    for (size_t i = 1; i < events.count; i++) {
        const struct event *last = &events.event[i - 1], *now = last + 1;
        ck_assert_int_le(last->step, now->step);
        if (last->step == now->step)
            ck_assert_int_le(last->kind, now->kind);
    }
}

START_TEST(events_are_the_rows_of_tables_and_the_changes_of_states)
    {
        look_at(&samples[_i]);
        ck_order();
        ck_emissions();
        ck_arrivals();
        ck_captures();
        ck_states();
        look_away();
    }
END_TEST

START_TEST(a_map_that_changes_and_a_target_that_moves_are_events)
    {
        look_at(&(struct sample){ "rooms/doors", { NULL } });
        ck_assert_uint_eq(count_of(EVENT_MAP, -1), 2);
        ck_assert_uint_eq(count_equal(EVENT_MAP, 150, -1, -1), 1);
        ck_assert_uint_eq(count_equal(EVENT_MAP, 300, -1, -1), 1);
        ck_assert_uint_eq(count_of(EVENT_TARGET, -1), 0);
        look_away();
        look_at(&(struct sample){ "watanabe-2021/fig4-5-moving", { NULL } });
        ck_assert_uint_eq(count_of(EVENT_MAP, -1), 0);
        ck_assert_uint_eq(count_of(EVENT_TARGET, -1), 1);
        ck_assert_uint_eq(count_equal(EVENT_TARGET, 5, -1, -1), 1);
        look_away();
    }
END_TEST

START_TEST(texts_have_the_names_of_agents_and_the_numbers_of_waves)
    {
        static const char *const expected[EVENT_KINDS] = {
            [EVENT_SENT] = "wave 0 is sent",
            [EVENT_ARRIVAL] = "wave 0 arrives at B",
            [EVENT_START] = "B walks",
            [EVENT_CAPTURE] = "B captures",
        };
        look_at(&samples[0]);
        for (int kind = 0; kind < EVENT_KINDS; kind++)
            for (size_t i = 0; i < events.count && expected[kind]; i++)
                if ((int)events.event[i].kind == kind) { /* the first */
                    ck_assert_str_eq(events.event[i].text, expected[kind]);
                    break;
                }
        look_away();
        look_at(&(struct sample){ "rooms/rooms",
                                  { "record.fields=(\"amplitude\")" } });
        ck_assert_str_eq(events.event[1].text, "wave 0 arrives at agent 1");
        look_away();
    }
END_TEST

/* ---- moments ---- */

/* The first row at or after a step. */
static int64_t shown(int64_t step)
{
    int64_t row = 0;
    while (row + 1 < recording_rows(recording) &&
           recording_steps(recording)[row] < step)
        row++;
    return recording_steps(recording)[row];
}

static const struct event *first_of(enum event_kind kind)
{
    for (size_t i = 0; i < events.count; i++)
        if (events.event[i].kind == kind)
            return &events.event[i];
    return NULL;
}

START_TEST(moments_are_recorded_steps_in_order_and_fewer_are_a_part_of_more)
    {
        struct moment all[MOMENTS_MOST], few[MOMENTS_MOST];
        look_at(&samples[_i]);
        size_t count = moments_choose(recording, &events, MOMENTS_MOST, all);
        ck_assert_uint_ge(count, 1);
        for (size_t i = 0; i < count; i++) {
            ck_assert_int_eq(shown(all[i].step), all[i].step);
            ck_assert(i == 0 || all[i - 1].step < all[i].step);
            ck_assert_uint_gt(strlen(all[i].reason), 0);
            char named[64];
            snprintf(named, sizeof named, "wave %d spreads", all[i].wave);
            if (strncmp(all[i].reason, "wave", 4) == 0)
                ck_assert_ptr_nonnull(strstr(all[i].reason, named));
            else if (strncmp(all[i].reason, "first arrival", 13) != 0)
                ck_assert_int_eq(all[i].wave,
                                 events_newest_wave(&events, all[i].step));
        }
        ck_assert_uint_eq(moments_choose(recording, &events, 0, few), 0);
        bool chase = first_of(EVENT_ARRIVAL) || first_of(EVENT_START);
        for (size_t most = 1; chase && most < count; most++) {
            ck_assert_uint_eq(moments_choose(recording, &events, most, few),
                              most);
            for (size_t i = 0, k = 0; i < most; i++, k++) {
                while (k < count && all[k].step != few[i].step)
                    k++;
                ck_assert_uint_lt(k, count);
                ck_assert_str_eq(few[i].reason, all[k].reason);
            }
        }
        look_away();
    }
END_TEST

static void ck_moment(const struct moment *moment, int64_t step, int wave,
                      const char *reason)
{
    ck_assert_int_eq(moment->step, shown(step));
    ck_assert_int_eq(moment->wave, wave);
    ck_assert_str_eq(moment->reason, reason);
}

/* By the tables: wave 0 of step 0, wave 1 of step 300. */
START_TEST(rooms_have_the_six_moments_of_a_chase)
    {
        struct moment moments[MOMENTS_MOST];
        look_at(&samples[_i]);
        double *arrival = column("arrivals/step");
        double *capture = column("captures/step");
        int64_t first = (int64_t)arrival[0];
        int64_t captured = (int64_t)capture[0], last = (int64_t)capture[2];
        ck_assert_uint_eq(moments_choose(recording, &events, 6, moments), 6);
        ck_moment(&moments[0], first / 2, 0, "wave 0 spreads");
        ck_moment(&moments[1], first, 0, "first arrival (B)");
        ck_moment(&moments[2], (first + 300) / 2, 0, "agents walk");
        ck_moment(&moments[3], (300 + captured) / 2, 1, "wave 1 spreads");
        ck_moment(&moments[4], captured, 1, "B captures first");
        ck_moment(&moments[5], last, 1,
                  _i ? "C, A capture last" : "A captures last");
        memory_release(arrival);
        memory_release(capture);
        look_away();
    }
END_TEST

START_TEST(runs_without_a_capture_end_with_their_last_step)
    {
        struct moment moments[MOMENTS_MOST];
        look_at(&(struct sample){ "boxes/boxes", { NULL } });
        size_t count = moments_choose(recording, &events, 6, moments);
        ck_assert_uint_eq(count, 5);
        ck_moment(&moments[4], 600, 0, "D stuck at the end");
        look_away();
        look_at(&(struct sample){ "rooms/doors", { NULL } });
        count = moments_choose(recording, &events, 6, moments);
        ck_assert_uint_eq(count, 6);
        size_t change = 0;
        while (change + 1 < count &&
               strcmp(moments[change].reason, "the map changes") != 0)
            change++;
        ck_moment(&moments[change], 150, 1, "the map changes");
        ck_moment(&moments[5], 600, events_newest_wave(&events, 600),
                  "end of the run");
        look_away();
    }
END_TEST

START_TEST(runs_without_agents_have_steps_at_equal_distances)
    {
        struct moment moments[MOMENTS_MOST];
        look_at(&(struct sample){ "field/pulse", { NULL } });
        for (size_t most = 1; most <= MOMENTS_MOST; most++) {
            ck_assert_uint_eq(moments_choose(recording, &events, most, moments),
                              most);
            for (size_t i = 0; i < most; i++)
                ck_moment(&moments[i], 240 * (int64_t)(i + 1) / (int64_t)most,
                          0, "wave 0 spreads");
        }
        look_away();
        look_at(&(struct sample){
            "field/pulse",
            { "steps=10", "record.every=4", "record.fields=(\"agents\")" } });
        ck_assert_uint_eq(moments_choose(recording, &events, 6, moments), 3);
        ck_moment(&moments[0], 4, 0, "wave 0 spreads");
        ck_moment(&moments[2], 10, 0, "wave 0 spreads");
        look_away();
    }
END_TEST

START_TEST(agents_without_waves_start_walk_and_capture)
    {
        struct moment moments[MOMENTS_MOST];
        look_at(&(struct sample){ "yasunaga-2005/town", { NULL } });
        ck_assert_uint_eq(moments_choose(recording, &events, 6, moments), 3);
        ck_moment(&moments[0], 20, -1, "128 agents start");
        ck_moment(&moments[1], (20 + 6000) / 2, -1, "agents walk");
        ck_moment(&moments[2], 6000, -1, "end of the run");
        look_away();
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("events");
    TCase *tests = tcase_create("events");
    tcase_add_checked_fixture(tests, make_place, remove_place);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests,
                        events_are_the_rows_of_tables_and_the_changes_of_states,
                        0, SAMPLES);
    tcase_add_test(tests,
                   a_map_that_changes_and_a_target_that_moves_are_events);
    tcase_add_test(tests,
                   texts_have_the_names_of_agents_and_the_numbers_of_waves);
    tcase_add_loop_test(
        tests, moments_are_recorded_steps_in_order_and_fewer_are_a_part_of_more,
        0, SAMPLES);
    tcase_add_loop_test(tests, rooms_have_the_six_moments_of_a_chase, 0, 2);
    tcase_add_test(tests, runs_without_a_capture_end_with_their_last_step);
    tcase_add_test(tests, runs_without_agents_have_steps_at_equal_distances);
    tcase_add_test(tests, agents_without_waves_start_walk_and_capture);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
