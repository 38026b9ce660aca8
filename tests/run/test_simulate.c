/* SPDX-License-Identifier: MIT */
#include "pursuit/chase.h"
#include "tests/pursuit/chase_runs.h"

#define FIELD                                                                  \
    "map = { rows = (\"....................\",\"....................\","       \
    "\".......@@@@.........\",\".......@..@.........\","                       \
    "\".......@..@.........\",\".......@............\","                       \
    "\"....................\",\"....................\","                       \
    "\"....................\"); };"
#define CUBE                                                                   \
    "map = { layers = ((\"......\",\"......\",\"......\",\"......\"),"         \
    "(\"@@..@@\",\"@@..@@\",\"@@@@@@\",\"......\"),"                           \
    "(\"......\",\"......\",\"......\",\"......\")); };"

/* ---- emissions ---- */

START_TEST(waves_are_emitted_by_the_schedule_of_their_lifetime)
    {
        static const int cases[][2] = {
            { 3, 100 }, { 3, 50 }, { 7, 45 }, { 1, 30 }, { 5, 7 }, { 4, 4 },
        };
        for (size_t c = 0; c < 6; c++) {
            int n = cases[c][0], lifetime = cases[c][1];
            char text[1000];
            snprintf(text, sizeof text,
                     "steps = 220; wave = { count = %d; lifetime = %d; }; %s"
                     "target = { at = [2.0, 2.0]; motion = \"random\"; };"
                     "agents = ({ at = [18.0, 8.0]; speed = 0.0; });",
                     n, lifetime, FIELD);
            struct chase_run run = chase_start(text, 1);
            for (;;) {
                int64_t step = simulation_step(run.simulation);
                size_t count, expected = 0;
                const struct simulation_emission *emissions =
                    simulation_emissions(run.simulation, &count);
                for (int i = 0; i < n; i++) {
                    int64_t since = step - i * lifetime / n;
                    if (since < 0 || since % lifetime)
                        continue;
                    ck_assert_uint_lt(expected, count);
                    ck_assert_int_eq(emissions[expected].wave, i);
                    ck_assert_uint_eq(emissions[expected].cell,
                                      grid_nearest(&run.scenario->terrain.grid,
                                                   chase_target(&run)->at));
                    expected++;
                }
                ck_assert_uint_eq(count, expected);
                if (simulation_ended(run.simulation))
                    break;
                chase_step(&run);
            }
            ck_assert_int_eq(simulation_step(run.simulation), 220);
            chase_end(&run);
        }
    }
END_TEST

START_TEST(an_emission_is_in_its_generation_and_clears_the_wave_before_it)
    {
        struct chase_run run =
            chase_start("steps = 100; wave = { count = 1; lifetime = 40; "
                        "amplitude = 2.0; };"
                        "target = { at = [2.4, 1.5]; };" FIELD,
                        1);
        float *field = memory_new(20 * 9, sizeof *field);
        for (int round = 0; round < 2; round++) {
            chase_go_to(&run, 40 * round);
            simulation_amplitude(run.simulation, 0, field);
            for (int i = 0; i < 180; i++) /* ⌊2.4 + ½⌋, ⌊1.5 + ½⌋ */
                ck_assert_float_eq(field[i], i == 2 * 20 + 2 ? 2 : 0);
        }
        memory_release(field);
        chase_end(&run);
    }
END_TEST

/* ---- captures and the end ---- */

START_TEST(captures_are_found_at_step_0_too)
    {
        struct chase_run run =
            chase_start("steps = 10; target = { at = [2.0, 2.0]; };"
                        "agents = ({ name = \"in\"; at = [3.0, 3.0]; method = "
                        "\"lee\"; },"
                        "{ name = \"out\"; at = [3.5, 2.1]; method = "
                        "\"lee\"; }); pursuit = { stop = \"any-captured\"; "
                        "capture_radius = 1.5; };" FIELD,
                        1);
        size_t count;
        const int *captures =
            pursuit_captures(simulation_pursuit(run.simulation), &count);
        ck_assert_uint_eq(count, 1);
        ck_assert_int_eq(captures[0], 0);
        ck_assert_int_eq(chase_agents(&run)->state[0], AGENT_CAPTURED);
        ck_assert_int_eq(chase_agents(&run)->state[1], AGENT_WAITING);
        ck_assert(simulation_ended(run.simulation));
        chase_end(&run);
    }
END_TEST

START_TEST(the_distance_of_a_capture_is_that_of_centres_also_across_walls)
    {
        struct chase_run run =
            chase_start("steps = 10; map = { rows = (\"..@..\"); };"
                        "target = { at = [1.0, 0.0]; };"
                        "agents = ({ at = [3.0, 0.0]; method = \"lee\"; });"
                        "pursuit = { capture_radius = 2.0; };",
                        1);
        ck_assert_int_eq(chase_agents(&run)->state[0], AGENT_CAPTURED);
        chase_end(&run);
    }
END_TEST

START_TEST(an_agent_that_captured_stops_and_detects_no_more)
    {
        static const char *const stops[] = { "all-captured", "any-captured",
                                             "never" };
        for (int i = 0; i < 3; i++) {
            char text[1000];
            snprintf(text, sizeof text,
                     "steps = 200; wave = { count = 2; lifetime = 60; };"
                     "arrival = { detector = \"leading-edge\"; };"
                     "target = { at = [2.0, 7.0]; motion = \"waypoints\"; "
                     "waypoints = ([18.0, 7.0]); };"
                     "agents = ({ name = \"A\"; at = [5.0, 7.0]; },"
                     "{ name = \"B\"; at = [15.0, 7.0]; });"
                     "pursuit = { stop = \"%s\"; }; %s",
                     stops[i], FIELD);
            struct chase_run run = chase_start(text, 1);
            const struct agents *agents = chase_agents(&run);
            double caught[2] = { -1, -1 };
            int captures = 0;
            while (!simulation_ended(run.simulation)) {
                chase_step(&run);
                size_t count;
                const int *now = pursuit_captures(
                    simulation_pursuit(run.simulation), &count);
                const struct agent_arrivals *news =
                    pursuit_arrivals(simulation_pursuit(run.simulation));
                for (size_t j = 0; j < news->count; j++)
                    ck_assert_double_lt(caught[news->items[j].agent], 0);
                for (size_t j = 0; j < count; j++, captures++)
                    caught[now[j]] = agents->at[0][now[j]];
                for (int j = 0; j < 2; j++)
                    if (caught[j] >= 0)
                        ck_assert_double_eq(agents->at[0][j], caught[j]);
            }
            ck_assert_int_eq(captures, i == 1 ? 1 : 2);
            ck_assert_int_eq(simulation_step(run.simulation) == 200, i == 2);
            chase_end(&run);
        }
    }
END_TEST

START_TEST(without_a_pursuer_the_stop_rule_is_never_met)
    {
        struct chase_run run =
            chase_start("steps = 7; target = { at = [2.0, 7.0]; };" FIELD, 1);
        chase_go_to(&run, 7);
        ck_assert(simulation_ended(run.simulation));
        chase_end(&run);
    }
END_TEST

/* ---- events ---- */

START_TEST(an_agent_enclosed_by_a_new_wall_leaves_when_it_opens)
    {
        static const char text[] =
            "steps = 300; map = { rows = (\"..............................\"); "
            "};"
            "wave = { count = 2; lifetime = 60; };"
            "target = { at = [0.0, 0.0]; };"
            "agents = ({ at = [20.0, 0.0]; method = \"lee\"; },"
            "{ name = \"W\"; at = [20.3, 0.0]; });"
            "events = ({ step = 60; box = [10, 0, 18, 0]; set = \"wall\"; },"
            "{ step = 90; box = [10, 0, 18, 0]; set = \"free\"; });";
        struct chase_run run = chase_start(text, 1);
        const struct agents *agents = chase_agents(&run);
        double at[2];
        chase_go_to(&run, 60);
        for (int i = 0; i < 2; i++) {
            at[i] = agents->at[0][i];
            ck_assert(at[i] > 10 && at[i] < 18);
        }
        for (int step = 61; step <= 90; step++) {
            chase_step(&run);
            for (int i = 0; i < 2; i++) {
                ck_assert_double_eq(agents->at[0][i], at[i]);
                ck_assert_int_eq(agents->state[i], AGENT_STUCK);
            }
        }
        chase_step(&run);
        for (int i = 0; i < 2; i++) {
            ck_assert_double_eq_tol(agents->at[0][i], at[i] - .15, 1e-9);
            ck_assert_int_eq(agents->state[i], AGENT_MOVING);
        }
        chase_end(&run);
    }
END_TEST

START_TEST(a_target_in_a_wall_emits_nothing)
    {
        struct chase_run run = chase_start(
            "steps = 100; wave = { count = 1; lifetime = 20; };"
            "target = { at = [2.0, 2.0]; };"
            "agents = ({ at = [18.0, 7.0]; },{ name = \"L\"; at = [18.0, 6.0]; "
            "method = \"lee\"; });"
            "events = ({ step = 0; box = [2, 2, 2, 2]; set = \"wall\"; "
            "});" FIELD,
            1);
        float *field = memory_new(20 * 9, sizeof *field);
        while (!simulation_ended(run.simulation)) {
            chase_step(&run);
            simulation_amplitude(run.simulation, 0, field);
            for (int i = 0; i < 180; i++)
                ck_assert_float_eq(field[i], 0);
        }
        for (int i = 0; i < 2; i++)
            ck_assert_int_eq(chase_agents(&run)->state[i], AGENT_WAITING);
        memory_release(field);
        chase_end(&run);
    }
END_TEST

/* The generation before the step in the message is the last good one. */
static void diverges(const char *settings, int64_t latest)
{
    char text[1000];
    snprintf(text, sizeof text,
             "steps = 5000; wave = { count = 2; lifetime = 3000; %s };"
             "target = { at = [2.0, 2.0]; }; %s",
             settings, FIELD);
    struct chase_run run = chase_start(text, 1);
    float *field = memory_new(20 * 9, sizeof *field);
    struct error error;
    enum status status = STATUS_OK;
    while (!status) {
        for (int wave = 0; wave < 2; wave++) {
            simulation_amplitude(run.simulation, wave, field);
            for (int i = 0; i < 180; i++)
                ck_assert(isfinite(field[i]));
        }
        ck_assert_int_lt(simulation_step(run.simulation), latest);
        status = simulation_advance(run.simulation, &error);
        if (!status)
            status = simulation_begin(run.simulation, &error);
    }
    ck_assert_int_eq(status, STATUS_DIVERGED);
    char step[40];
    snprintf(step, sizeof step, "step %lld: wave 0 ",
             (long long)simulation_step(run.simulation) + 1);
    ck_assert_msg(strstr(error.message, step) == error.message, "%s",
                  error.message);
    memory_release(field);
    chase_end(&run);
}

START_TEST(a_wave_that_diverges_stops_the_run)
    {
        diverges("delta = 0.8; allow_unstable = true;", 400);
        diverges("amplitude = 3e38; delta = 0.5; walls = \"free\";", 3000);
    }
END_TEST

/* ---- one seed, one run ---- */

#define EVENTS_2D                                                              \
    "events = ({ step = 30; box = [12, 0, 12, 5]; set = \"wall\"; },"          \
    "{ step = 70; box = [7, 3, 7, 4]; set = \"free\"; },"                      \
    "{ step = 80; box = [14, 2, 18, 6]; speed = 0.5; },"                       \
    "{ step = 130; box = [12, 0, 12, 5]; set = \"free\"; });"
#define EVENTS_3D                                                              \
    "events = ({ step = 30; box = [2, 0, 1, 2, 1, 1]; set = \"wall\"; },"      \
    "{ step = 75; box = [2, 0, 1, 2, 1, 1]; set = \"free\"; });"

/* Some agents of every method. */
static const char *everyone(void)
{
    static char text[2000];
    size_t used = (size_t)snprintf(
        text, sizeof text,
        "agents = ({ name = \"W\"; at = \"random\"; count = 3; speed = 0.3; },"
        "{ name = \"L\"; at = \"random\"; method = \"lee\"; count = 2; }");
    for (int m = METHOD_LEE + 1; agent_methods[m]; m++)
        if (agent_methods[m]->chase == &route_chase)
            used += (size_t)snprintf(
                text + used, sizeof text - used,
                ",{ name = \"%s\"; at = \"random\"; method = \"%s\"; "
                "count = 2; }",
                agent_methods[m]->name, agent_methods[m]->name);
    snprintf(text + used, sizeof text - used, ");");
    return text;
}

struct variant {
    const char *wave, *arrival;
    bool deep;
};

static const struct variant variants[] = {
    { "", "", false },
    { "", "", true },
    { "precision = \"double\"; walls = \"free\";",
      "detector = \"capped-exponential\"; heading = \"signed\";", false },
    { "", "detector = \"capped-exponential\"; heading = \"flux\";", true },
    { "", "detector = \"leading-edge\"; heading = \"arrival-time\";", false },
    { "", "detector = \"leading-edge\"; heading = \"arrival-time\";", true },
    { "", "detector = \"first-peak\"; heading = \"signed\";", false },
    { "", "detector = \"first-peak\"; heading = \"arrival-time\";", false },
    { "precision = \"double\";", "detector = \"laplace\";", true },
    { "", "detector = \"laplace\"; heading = \"arrival-time\";", false },
    { "", "detector = \"laplace\"; heading = \"arrival-time\";", true },
    { "stencil = \"9-point\"; source = \"ricker\"; wavelength = 6.0;",
      "detector = \"threshold\"; heading = \"flux\";", false },
    { "stencil = \"9-point\";", "detector = \"laplace\";", false },
    { "", "detector = \"laplace\";", false },
    { "precision = \"double\"; walls = \"free\";",
      "detector = \"laplace\"; heading = \"arrival-time\";", true },
    { "stencil = \"9-point\"; source = \"ricker\"; wavelength = 6.0;",
      "detector = \"laplace\"; p = 0.1;", false },
    { "walls = \"free\"; amplitude = 1e-36;",
      "detector = \"capped-exponential\"; older_waves = \"ignored\";", false },
    { "stencil = \"27-point\"; walls = \"free\";", "detector = \"laplace\";",
      true },
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static void variant_text(const struct variant *variant, bool on_arrival,
                         char *text, size_t size)
{
    int used = snprintf(
        text, size,
        "steps = 200; seed = 12; wave = { count = %d; lifetime = 60; %s %s };"
        "arrival = { %s }; %s target = { at = \"random\"; motion = "
        "\"random\"; }; pursuit = { stop = \"never\"; capture_radius = 0.6; "
        "moves = %d; }; %s %s",
        on_arrival ? 1 : 3, on_arrival ? "restart = \"on-arrival\";" : "",
        variant->wave, variant->arrival, variant->deep ? CUBE : FIELD,
        variant->deep ? 26 : 8, variant->deep ? EVENTS_3D : EVENTS_2D,
        everyone());
    ck_assert_int_lt(used, (int)size);
}

/* Loads the state of a run at `middle` into a new simulation of the scenario,
 * and steps both to the end: their states must be equal. With `plan` the plans
 * are fetched first. */
static void check_restart(const char *text, int64_t middle, bool plan)
{
    struct chase_run whole = chase_start(text, 1), rest = chase_start(text, 2);
    size_t bytes, again;
    chase_go_to(&whole, middle);
    struct agent_plan made;
    while (plan && simulation_plan(whole.simulation, &made))
        ;
    char *memory = chase_state(&whole, &bytes);
    /* The state of this simulation before it loads does not matter. */
    struct simulation *fresh;
    ck_assert_int_eq(simulation_new(rest.scenario, 2, &fresh, NULL), STATUS_OK);
    simulation_release(rest.simulation);
    rest.simulation = fresh;
    ck_assert_int_eq(simulation_load(rest.simulation, memory, NULL), STATUS_OK);
    ck_assert_int_eq(simulation_step(rest.simulation), middle);
    memory_release(memory);
    for (int64_t step = middle; step < 200; step++) {
        chase_step(&whole);
        chase_step(&rest);
        if (step % 20 != 0 && step < 198)
            continue;
        char *one = chase_state(&whole, &bytes);
        char *two = chase_state(&rest, &again);
        ck_assert_uint_eq(bytes, again);
        size_t at = 0;
        while (at < bytes && one[at] == two[at])
            at++;
        ck_assert_msg(at == bytes, "%s: from %d, at %d: byte %zu of %zu", text,
                      (int)middle, (int)step + 1, at, bytes);
        memory_release(one);
        memory_release(two);
    }
    chase_end(&whole);
    chase_end(&rest);
}

START_TEST(a_restart_continues_bit_for_bit)
    {
        char text[4000];
        variant_text(&variants[_i], false, text, sizeof text);
        check_restart(text, 0, false);
        check_restart(text, 29, false);
        check_restart(text, 75, true);
        check_restart(text, 100, false);
        check_restart(text, 135, true);
    }
END_TEST

START_TEST(a_restart_continues_bit_for_bit_with_restart_on_arrival)
    {
        char text[4000];
        variant_text(&variants[_i], true, text, sizeof text);
        check_restart(text, 43, false);
        check_restart(text, 120, true);
    }
END_TEST

START_TEST(one_seed_gives_one_run_with_any_number_of_threads)
    {
        for (size_t i = 0; i < VARIANTS; i++) {
            char text[4000];
            variant_text(&variants[i], false, text, sizeof text);
            char *first = NULL;
            size_t bytes = 0, again;
            for (int threads = 1; threads <= 3; threads++) {
                struct chase_run run = chase_start(text, threads);
                chase_go_to(&run, 150);
                char *state = chase_state(&run, &again);
                if (!first) {
                    first = state;
                    bytes = again;
                } else {
                    ck_assert_uint_eq(again, bytes);
                    ck_assert_int_eq(memcmp(first, state, bytes), 0);
                    memory_release(state);
                }
                chase_end(&run);
            }
            memory_release(first);
        }
    }
END_TEST

START_TEST(another_seed_gives_another_run)
    {
        char text[4000];
        variant_text(&variants[0], false, text, sizeof text);
        struct chase_run run = chase_start(text, 1);
        char *seed = strstr(text, "seed = 12");
        seed[8] = '3';
        struct chase_run other = chase_start(text, 1);
        ck_assert(
            chase_agents(&run)->at[0][0] != chase_agents(&other)->at[0][0] ||
            chase_agents(&run)->at[1][0] != chase_agents(&other)->at[1][0]);
        chase_end(&run);
        chase_end(&other);
    }
END_TEST

static bool same_place(const double a[GRID_AXES], const double b[GRID_AXES])
{
    return memcmp(a, b, GRID_AXES * sizeof *a) == 0;
}

/* One agent M of the method and one agent O of the other, or only M. */
static struct chase_run beside(const char *method, const char *other)
{
    char text[4000], agent[200] = "";
    if (other)
        snprintf(agent, sizeof agent,
                 ", { name = \"O\"; at = \"random\"; min_distance = 5.0; "
                 "speed = 0.2; method = \"%s\"; }",
                 other);
    snprintf(text, sizeof text,
             "steps = 150; seed = 12; wave = { count = 2; lifetime = 60; };"
             "target = { at = \"random\"; motion = \"random\"; };"
             "pursuit = { stop = \"never\"; capture_radius = 0.1; "
             "moves = 8; replan = 5; };"
             "agents = ({ name = \"M\"; at = \"random\"; speed = 0.3; "
             "method = \"%s\"; }%s); %s",
             method, agent, FIELD);
    return chase_start(text, 1);
}

START_TEST(a_seed_is_one_problem_for_every_method)
    {
        struct chase_run plain = beside("wave", NULL);
        struct chase_run run = beside(agent_methods[_i]->name, "astar");
        for (int axis = 0; axis < 2; axis++)
            ck_assert_double_eq(chase_agents(&plain)->at[axis][0],
                                chase_agents(&run)->at[axis][0]);
        for (int64_t step = 0; step <= 150; step++) {
            chase_go_to(&plain, step);
            chase_go_to(&run, step);
            ck_assert_msg(
                same_place(chase_target(&plain)->at, chase_target(&run)->at),
                "%s: step %d", agent_methods[_i]->name, (int)step);
        }
        chase_end(&plain);
        chase_end(&run);
    }
END_TEST

START_TEST(other_agents_do_not_affect_an_agent)
    {
        const char *method = agent_methods[_i]->name;
        for (int m = 0; agent_methods[m]; m++) {
            if (m == _i && (m == METHOD_PINCER || m == METHOD_WAVE_PINCER))
                continue; /* a team */
            struct chase_run alone = beside(method, NULL);
            struct chase_run run = beside(method, agent_methods[m]->name);
            for (int64_t step = 0; step <= 150; step++) {
                double one[GRID_AXES], two[GRID_AXES];
                chase_go_to(&alone, step);
                chase_go_to(&run, step);
                agents_place(chase_agents(&alone), 0, one);
                agents_place(chase_agents(&run), 0, two);
                ck_assert_msg(same_place(one, two), "%s beside %s: step %d",
                              method, agent_methods[m]->name, (int)step);
            }
            chase_end(&run);
            chase_end(&alone);
        }
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("simulate");
    TCase *tests = tcase_create("simulate");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, waves_are_emitted_by_the_schedule_of_their_lifetime);
    tcase_add_test(
        tests, an_emission_is_in_its_generation_and_clears_the_wave_before_it);
    tcase_add_test(tests, captures_are_found_at_step_0_too);
    tcase_add_test(
        tests, the_distance_of_a_capture_is_that_of_centres_also_across_walls);
    tcase_add_test(tests, an_agent_that_captured_stops_and_detects_no_more);
    tcase_add_test(tests, without_a_pursuer_the_stop_rule_is_never_met);
    tcase_add_test(tests, an_agent_enclosed_by_a_new_wall_leaves_when_it_opens);
    tcase_add_test(tests, a_target_in_a_wall_emits_nothing);
    tcase_add_test(tests, a_wave_that_diverges_stops_the_run);
    tcase_add_loop_test(tests, a_restart_continues_bit_for_bit, 0, VARIANTS);
    tcase_add_loop_test(tests,
                        a_restart_continues_bit_for_bit_with_restart_on_arrival,
                        0, VARIANTS);
    tcase_add_test(tests, one_seed_gives_one_run_with_any_number_of_threads);
    tcase_add_test(tests, another_seed_gives_another_run);
    int methods = 0;
    while (agent_methods[methods])
        methods++;
    tcase_add_loop_test(tests, a_seed_is_one_problem_for_every_method, 0,
                        methods);
    tcase_add_loop_test(tests, other_agents_do_not_affect_an_agent, 0, methods);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
