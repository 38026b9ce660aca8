/* SPDX-License-Identifier: MIT */
/* Valid scenarios: values read, completed and overridden. */
#include "pursuit/agents.h"
#include "settings/keys.h"
#include "tests/scenario/scenarios.h"
#include "tests/suite.h"
#include "wave/arrival/detector.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

START_TEST(every_key_is_stored_in_its_member)
    {
        struct scenario *s = parse(everything, NULL);
        ck_assert_str_eq(s->path, "good.cfg");
        ck_assert_str_eq(s->text, everything);
        ck_assert_str_eq(s->title,
                         "Corridor 5 wide, \"fixed\" walls \\ \xce\xb4");
        ck_assert_ptr_null(s->map_file);
        ck_assert_int_eq(s->steps, 600);
        ck_assert_uint_eq(s->seed, 9000000000);
        ck_assert_uint_eq(s->legend.count, 3);
        ck_assert(s->legend.entries[2].by_color);
        ck_assert_uint_eq(s->legend.entries[2].color, 0x00ff80);
        ck_assert_int_eq(s->legend.entries[1].one_way, 1 + NORTH);
        ck_assert(s->has_wave && s->has_target);
        const struct wave_settings *w = &s->wave;
        ck_assert(w->count == 4 && w->lifetime == 200 && w->delta == 0.2 &&
                  w->amplitude == 2.385 && w->damping == 0.01);
        ck_assert(w->walls == WALLS_FREE && w->source == SOURCE_RICKER &&
                  w->sigma == 3.5 && w->wavelength == 12);
        ck_assert_str_eq(w->stencil->name, "9-point");
        ck_assert(w->precision == PRECISION_DOUBLE && w->allow_unstable &&
                  w->speed_form == FORM_C2_LAPLACIAN &&
                  w->restart == RESTART_LIFETIME && !w->flush_denormals);
        const struct arrival_settings *a = &s->arrival;
        ck_assert_str_eq(a->detector->name, "laplace");
        ck_assert(a->threshold == 1e-3 && a->heading == HEADING_FLUX &&
                  a->cap == 2e-4 && a->beta == 0.25 && a->p == 1.2 &&
                  a->eta == 0.001);
        scenario_release(s);
    }
END_TEST

START_TEST(agents_pursuit_and_recording_are_read)
    {
        struct scenario *s = parse(everything, NULL);
        ck_assert(s->target.place.at[0] == 4.5 && s->target.place.at[1] == 3);
        ck_assert_uint_eq(s->agent_count, 2);
        ck_assert_uint_eq(scenario_agents(s), 4);
        const struct agent_settings *lee = &s->agents[0], *crowd = lee + 1;
        ck_assert_str_eq(lee->name, "A");
        ck_assert(lee->method == METHOD_LEE && lee->speed == 0.25 &&
                  lee->count == 1 && !lee->place.random && !lee->goal_random &&
                  lee->place.at[0] == 0 && lee->place.at[1] == 3);
        ck_assert_ptr_null(crowd->name);
        ck_assert(crowd->method == METHOD_RELAY && crowd->count == 3 &&
                  crowd->place.random && crowd->place.min_distance == 2 &&
                  crowd->goal_random && crowd->speed == 0.15);
        ck_assert(s->pursuit.capture_radius == 1 && s->pursuit.moves == 8 &&
                  s->pursuit.replan == 20 && s->pursuit.ties == TIES_FIXED &&
                  s->pursuit.stop == STOP_ANY_CAPTURED &&
                  s->pursuit.search_level == 4);
        ck_assert_uint_eq(s->record.fields, FIELD_AMPLITUDE | FIELD_ARRIVAL);
        ck_assert(s->record.every == 5 && s->record.commit == 10 &&
                  s->record.keyframes == 0 && s->record.has_region &&
                  s->record.region.low[1] == 1 &&
                  s->record.region.high[0] == 5 &&
                  s->record.region.high[2] == 0);
        ck_assert(s->cell_metres == 0.5 && s->step_seconds == 0.01);
        scenario_release(s);
    }
END_TEST

START_TEST(regions_are_on_the_terrain_and_events_in_order)
    {
        struct scenario *s = parse(everything, NULL);
        const struct terrain *t = &s->terrain;
        const struct grid *g = &t->grid;
        ck_assert(g->dims == 2 && g->nx == 8 && g->ny == 4);
        ck_assert(t->wall[grid_index(g, 6, 0, 0)] &&
                  t->wall[grid_index(g, 2, 2, 0)] &&
                  !t->wall[grid_index(g, 4, 1, 0)]);
        ck_assert(t->speed[grid_index(g, 4, 1, 0)] == 0.5 &&
                  t->speed[grid_index(g, 1, 1, 0)] == 0.5 &&
                  t->speed[grid_index(g, 2, 1, 0)] == 1);
        ck_assert(t->cost[grid_index(g, 0, 0, 0)] == 5 &&
                  t->cost[grid_index(g, 4, 1, 0)] == 3);
        ck_assert_int_eq(t->one_way[grid_index(g, 3, 3, 0)], 1 + EAST);
        ck_assert_int_eq(t->one_way[grid_index(g, 4, 1, 0)], 1 + NORTH);
        ck_assert_uint_eq(s->event_count, 3);
        ck_assert(s->events[0].step == 100 && s->events[1].step == 100 &&
                  s->events[2].step == 400);
        ck_assert_int_eq(s->events[0].change.kind, CHANGE_WALL);
        ck_assert(s->events[1].change.kind == CHANGE_SPEED &&
                  s->events[1].change.value == 0.75);
        ck_assert(s->events[2].change.kind == CHANGE_FREE &&
                  s->events[2].change.box.low[0] == 2 &&
                  s->events[2].change.box.high[0] == 3);
        scenario_release(s);
    }
END_TEST

START_TEST(defaults_are_those_of_the_papers)
    {
        struct scenario *s = parse(WORLD "wave = { };"
                                         "agents = ({ at = [0, 0]; });",
                                   NULL);
        ck_assert_str_eq(s->title, "");
        ck_assert(s->seed == 1 && s->wave.count == 3 &&
                  s->wave.lifetime == 300 && s->wave.delta == 0.25 &&
                  s->wave.amplitude == 1 && s->wave.damping == 0);
        ck_assert(s->wave.walls == WALLS_FIXED &&
                  s->wave.source == SOURCE_IMPULSE &&
                  s->wave.precision == PRECISION_SINGLE &&
                  s->wave.flush_denormals && !s->wave.allow_unstable);
        ck_assert_str_eq(s->wave.stencil->name, "5-point");
        ck_assert_str_eq(s->arrival.detector->name, "threshold");
        ck_assert(s->arrival.heading == HEADING_PAPER &&
                  s->arrival.threshold == 1e-5 && s->arrival.cap == 1e-4 &&
                  s->arrival.beta == 0.3 && s->arrival.p == 1 &&
                  s->arrival.eta == 0.01);
        ck_assert(s->agents[0].speed == 0.15 && s->target.speed == 0.1 &&
                  s->agents[0].method == METHOD_WAVE);
        ck_assert_ptr_null(s->agents[0].name);
        ck_assert(s->pursuit.capture_radius == 1.5 && s->pursuit.moves == 8 &&
                  s->pursuit.replan == 15 && s->pursuit.search_level == 3);
        ck_assert_uint_eq(s->record.fields,
                          FIELD_AMPLITUDE | FIELD_GRADIENT | FIELD_AGENTS);
        ck_assert(s->record.every == 1 && s->record.commit == 0 &&
                  !s->record.has_region && s->record.region.high[0] == 5);
        ck_assert_ptr_null(scenario_warning(s, 0));
        scenario_release(s);
    }
END_TEST

/* The names in their order, with spaces between them. */
static void ck_names(const char *agents, const char *expected)
{
    char text[512], found[512] = "";
    snprintf(text, sizeof text, WORLD "wave = { }; agents = (%s);", agents);
    struct scenario *s = parse(text, NULL);
    struct agents named;
    ck_assert_int_eq(agents_init(&named, s->agents, s->agent_count, NULL),
                     STATUS_OK);
    for (size_t i = 0; i < named.count; i++) {
        size_t used = strlen(found);
        snprintf(found + used, sizeof found - used, "%s%s", i ? " " : "",
                 named.name[i]);
    }
    ck_assert_str_eq(found, expected);
    agents_release(&named);
    scenario_release(s);
}

START_TEST(agents_without_a_name_are_counted_through_all_entries)
    {
#define AT "at = [0, 0];"
        ck_names("{ " AT " count = 12; }",
                 "agent1 agent2 agent3 agent4 agent5 agent6 agent7 agent8 "
                 "agent9 agent10 agent11 agent12");
        ck_names("{ " AT " count = 2; }, { " AT " }, { " AT " count = 2; }",
                 "agent1 agent2 agent3 agent4 agent5");
        ck_names("{ " AT " name = \"A\"; }, { " AT " }", "A agent1");
        ck_names("{ " AT " }, { " AT " name = \"agent\"; count = 2; },"
                 "{ " AT " count = 2; }, { " AT " name = \"agent4\"; }",
                 "agent3 agent1 agent2 agent5 agent6 agent4");
        /* as printed before names of entries could be left out */
        ck_names("{ " AT " name = \"agent1\"; count = 3; }",
                 "agent11 agent12 agent13");
#undef AT
    }
END_TEST

/* So names of others change no start. */
START_TEST(random_numbers_of_agents_without_a_name_are_those_of_their_entry)
    {
        static const char *const streams[] = { "agent11", "agent12", "A",
                                               "agent3" };
        struct scenario *s =
            parse(WORLD "wave = { }; agents = ({ at = [0, 0]; count = 2; },"
                        "{ at = [0, 0]; name = \"A\"; }, { at = [0, 0]; });",
                  NULL);
        struct agents agents;
        ck_assert_int_eq(agents_init(&agents, s->agents, s->agent_count, NULL),
                         STATUS_OK);
        for (size_t i = 0; i < agents.count; i++)
            ck_assert_str_eq(agents.stream[i], streams[i]);
        agents_release(&agents);
        scenario_release(s);
    }
END_TEST

START_TEST(best_changes_walls_detector_and_heading_unless_they_are_set)
    {
        static const char text[] = WORLD "preset = \"best\"; wave = { };"
                                         "arrival = { heading = \"paper\"; };";
        struct scenario *s = parse(text, NULL);
        ck_assert_int_eq(s->wave.walls, WALLS_FREE);
        ck_assert_str_eq(s->arrival.detector->name, "laplace");
        ck_assert_int_eq(s->arrival.heading, HEADING_PAPER);
        ck_assert(s->arrival.p == 1.5 && s->arrival.eta == 0.3);
        scenario_release(s);
        s = parse(text, "preset=paper");
        ck_assert(s->arrival.p == 1 && s->arrival.eta == 0.01);
        ck_assert_int_eq(s->wave.walls, WALLS_FIXED);
        ck_assert_str_eq(s->arrival.detector->name, "threshold");
        scenario_release(s);
        s = parse(WORLD "wave = { };", "preset=best");
        ck_assert_int_eq(s->arrival.heading, HEADING_SIGNED);
        scenario_release(s);
    }
END_TEST

START_TEST(three_axes_have_their_own_defaults)
    {
        struct scenario *s = parse(
            "steps = 5; map = { layers = ((\"...\", \"...\"), (\".@.\", "
            "\"...\")); }; target = { at = [1, 1, 0]; }; wave = { delta = "
            "0.33333333333333331; };",
            NULL);
        const struct grid *g = &s->terrain.grid;
        ck_assert(g->dims == 3 && g->nx == 3 && g->ny == 2 && g->nz == 2);
        ck_assert(s->terrain.wall[grid_index(g, 1, 0, 1)]);
        ck_assert_str_eq(s->wave.stencil->name, "7-point");
        ck_assert_int_eq(s->pursuit.moves, 26);
        ck_assert_int_eq(s->record.region.high[2], 1);
        /* δ at the limit is allowed, with a warning. */
        ck_assert_ptr_nonnull(
            strstr(scenario_warning(s, 0), "wave.delta: at "));
        ck_assert_ptr_null(scenario_warning(s, 1));
        scenario_release(s);
    }
END_TEST

START_TEST(allowed_but_doubtful_settings_give_a_warning)
    {
        static const struct {
            const char *text, *warning;
        } doubtful[] = {
            { WORLD "wave = { delta = 0.5; };",
              "good.cfg:4: wave.delta: at 0.5 an impulse" },
            { WORLD "arrival = { };", "good.cfg:4: arrival: has no effect" },
            { WORLD "wave = { }; arrival = { detector = \"laplace\";\n"
                    "threshold = 1e-3; p = 2; heading = \"paper\"; };",
              "good.cfg:5: arrival.threshold: has no effect with "
              "arrival.detector \"laplace\"; delete it, or use the detector "
              "\"threshold\"" },
            { WORLD "wave = { }; arrival = {\n eta = 0.5; threshold = 1e-3; };",
              "good.cfg:5: arrival.eta: has no effect with arrival.detector "
              "\"threshold\"; delete it, or use the detector \"laplace\"" },
            { WORLD "wave = { }; arrival = { detector = \"laplace\";\n"
                    "heading = \"flux\"; };",
              "good.cfg:5: arrival.heading: \"flux\" has no effect with "
              "arrival.detector \"laplace\"" },
            { WORLD "record = { every = 101; };", "only row 0" },
            { WORLD "events = ({ step = 101; box = [0, 0, 0, 0]; set = "
                    "\"wall\"; });",
              "good.cfg:4: events.[0].step: 101 comes after the last step" },
        };
        for (size_t i = 0; i < sizeof doubtful / sizeof *doubtful; i++) {
            struct scenario *s = parse(doubtful[i].text, NULL);
            const char *warning = scenario_warning(s, 0);
            ck_assert_msg(warning && strstr(warning, doubtful[i].warning), "%s",
                          warning ? warning : "none");
            ck_assert_ptr_null(scenario_warning(s, 1));
            scenario_release(s);
        }
        /* Not with an effect, nor for a default. */
        struct scenario *used = parse(
            WORLD "wave = { }; arrival = { detector = \"laplace\"; p = 2; "
                  "heading = \"arrival-time\"; threshold = 1e-5; };",
            NULL);
        ck_assert_ptr_null(scenario_warning(used, 0));
        scenario_release(used);
        /* A default on the command line is no accident. */
        used = parse(WORLD "wave = { }; arrival = { detector = \"laplace\"; "
                           "heading = \"signed\"; };",
                     "arrival.heading=paper");
        ck_assert_ptr_nonnull(
            strstr(scenario_warning(used, 0),
                   "--set arrival.heading=paper: \"paper\" has no effect"));
        ck_assert_ptr_null(scenario_warning(used, 1));
        scenario_release(used);
        /* Not with another source, nor with the 9-point stencil. */
        struct scenario *s = parse(
            WORLD "wave = { delta = 0.5; source = \"gaussian\"; };", NULL);
        ck_assert_ptr_null(scenario_warning(s, 0));
        scenario_release(s);
        s = parse(WORLD "wave = { delta = 0.75; stencil = \"9-point\"; };",
                  NULL);
        ck_assert_ptr_null(scenario_warning(s, 0));
        scenario_release(s);
    }
END_TEST

START_TEST(a_preset_set_over_a_text_reports_the_keys_that_stay)
    {
        static const char *const best[] = { "preset=best" };
        static const char *const all[] = { "preset=best", "wave.walls=free",
                                           "arrival.eta=0.3" };
        static const char text[] =
            WORLD "preset = \"paper\"; wave = { walls = \"fixed\"; };"
                  "arrival = { eta = 0.01; detector = \"laplace\"; };";
        struct scenario *s;
        struct error error;
        ck_assert(!scenario_parse(text, "good.cfg", best, 1, &s, &error));
        ck_assert_str_eq(
            scenario_warning(s, 0),
            "--set preset=best: the scenario's own values are kept: "
            "wave.walls, arrival.eta; to use the preset's, delete these "
            "from the scenario, or set them too");
        ck_assert_ptr_null(scenario_warning(s, 1));
        scenario_release(s);
        /* One warning only, and none if the text states the value. */
        ck_assert(!scenario_parse(text, "good.cfg", all, 3, &s, &error));
        ck_assert_ptr_null(scenario_warning(s, 0));
        scenario_release(s);
        s = parse(WORLD "preset = \"best\"; wave = { walls = \"fixed\"; };",
                  NULL);
        ck_assert_ptr_null(scenario_warning(s, 0));
        scenario_release(s);
    }
END_TEST

START_TEST(an_unstable_wave_runs_only_if_allowed)
    {
        struct scenario *s = parse(
            WORLD "wave = { delta = 0.6; allow_unstable = true; };", NULL);
        ck_assert(s->wave.delta == 0.6);
        scenario_release(s);
        /* 0.125 (2²) is the limit itself. */
        s = parse(WORLD "wave = { delta = 0.125; };"
                        "regions = ({ box = [0, 0, 1, 1]; speed = 2; });"
                        "events = ({ step = 4; box = [2, 2, 2, 2]; speed = 2; "
                        "});",
                  NULL);
        scenario_release(s);
    }
END_TEST

START_TEST(the_amplitude_is_any_number_of_the_precision)
    {
        struct scenario *s =
            parse(WORLD "wave = { amplitude = 1.2676506002282294e30; };", NULL);
        ck_assert(s->wave.amplitude == 0x1p100);
        scenario_release(s);
        s = parse(WORLD
                  "wave = { amplitude = 1e300; precision = \"double\"; };",
                  NULL);
        ck_assert(s->wave.amplitude == 1e300);
        scenario_release(s);
    }
END_TEST

START_TEST(overrides_replace_the_text_in_order)
    {
        static const char *const overrides[] = {
            "wave.delta=0.1",
            "wave.delta=0.2",
            "agents.[1].speed=0.25",
            "agents[0].name=Alpha Beta",
            "wave.stencil=9-point",
            "title=2021",
            "record.region=[0,0,2,2]",
            "agents.[1].at=random",
            "steps=5000000000L",
            "wave.allow_unstable=true",
            "target={at=(1,0);speed=0}",
            "scale.cell=2",
            "regions=({box=[0,0,1,1]; cost=2;})",
            "regions.[0].cost=7",
        };
        struct scenario *s = NULL;
        struct error error;
        ck_assert_msg(scenario_parse(WORLD
                                     "wave = { };\nagents = ({ at = [0, 0]; }, "
                                     "{ at = [0, 0]; });",
                                     "good.cfg", overrides,
                                     sizeof overrides / sizeof *overrides, &s,
                                     &error) == STATUS_OK,
                      "%s", error.message);
        ck_assert(s->wave.delta == 0.2 && s->agents[1].speed == 0.25 &&
                  s->agents[1].place.random && s->steps == 5000000000 &&
                  s->wave.allow_unstable && s->record.has_region);
        ck_assert_str_eq(s->agents[0].name, "Alpha Beta");
        ck_assert_str_eq(s->wave.stencil->name, "9-point");
        ck_assert_str_eq(s->title, "2021");
        ck_assert(s->target.place.at[0] == 1 && s->target.speed == 0 &&
                  s->terrain.cost[0] == 7 && s->cell_metres == 2);
        ck_assert_ptr_nonnull(strstr(scenario_warning(s, 0),
                                     "--set scale.cell=2: scale: the scenario "
                                     "has no such group; it is added"));
        scenario_release(s);
    }
END_TEST

START_TEST(an_override_of_the_wave_enables_waves)
    {
        struct scenario *s = parse(WORLD, NULL);
        ck_assert(!s->has_wave);
        ck_assert_uint_eq(s->record.fields, FIELD_AGENTS);
        ck_assert_ptr_null(strstr(s->resolved, "wave = "));
        scenario_release(s);
        s = parse(WORLD, "wave.delta=0.1");
        ck_assert(s->has_wave && s->wave.delta == 0.1);
        ck_assert_ptr_nonnull(strstr(scenario_warning(s, 0), "it is added"));
        scenario_release(s);
    }
END_TEST

START_TEST(map_files_are_relative_to_the_scenario)
    {
        char folder[] = "/tmp/hamon-scenario-XXXXXX", path[64], map[64];
        char absolute[PATH_MAX];
        ck_assert_ptr_nonnull(mkdtemp(folder));
        snprintf(path, sizeof path, "%s/a.cfg", folder);
        snprintf(map, sizeof map, "%s/a.map", folder);
        FILE *file = fopen(path, "w");
        fputs("steps = 3;\nmap = { file = \"a.map\"; };\n", file);
        fclose(file);
        file = fopen(map, "w");
        fputs("type octile\nheight 2\nwidth 3\nmap\n.@.\n...\n", file);
        fclose(file);
        ck_assert_ptr_nonnull(realpath(map, absolute));
        static const char *const overrides[] = { NULL, "map.file=a.map",
                                                 "map.file=\"./a.map\"" };
        struct error error;
        for (size_t i = 0; i < 3; i++) {
            struct scenario *s = NULL;
            ck_assert_msg(scenario_load(path, overrides + i, i > 0, &s,
                                        &error) == STATUS_OK,
                          "%s", error.message);
            ck_assert_str_eq(s->map_file, absolute);
            ck_assert(s->terrain.grid.nx == 3 && s->terrain.wall[1]);
            assert_fixed_point(s);
            scenario_release(s);
        }
        const char *missing = "map.file=b.map";
        struct scenario *s = NULL;
        ck_assert_int_eq(scenario_load(path, &missing, 1, &s, &error),
                         STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "--set map.file=b.map: "));
        unlink(map);
        ck_assert_int_eq(scenario_load(path, NULL, 0, &s, &error),
                         STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "a.cfg:2: map.file: "));
        unlink(path);
        rmdir(folder);
    }
END_TEST

START_TEST(bytes_after_a_nul_and_endless_files_are_rejected)
    {
        char path[] = "/tmp/hamon-scenario-XXXXXX";
        int descriptor = mkstemp(path);
        static const char nul[] = "steps = 3;\n\0map = { };\n";
        ck_assert(write(descriptor, nul, sizeof nul - 1) > 0);
        struct scenario *s = NULL;
        struct error error;
        ck_assert_int_eq(scenario_load(path, NULL, 0, &s, &error),
                         STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, ":2: a NUL byte"));
        close(descriptor);
        unlink(path);
        ck_assert_int_eq(scenario_load("/dev/zero", NULL, 0, &s, &error),
                         STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "/dev/zero:1: too long"));
    }
END_TEST

START_TEST(the_name_list_that_exists_twice_agrees)
    {
        const struct key *key = NULL;
        for (key = keys; strcmp(key->path, "regions.one_way") != 0; key++)
            ;
        for (int d = 0; d < DIRECTIONS; d++)
            ck_assert_str_eq(key->names[d], direction_names[d]);
        ck_assert_ptr_null(key->names[DIRECTIONS]);
    }
END_TEST

int main(void)
{
    Suite *suite = suite_create("scenario");
    TCase *tests = tcase_create("scenario");
    tcase_add_test(tests, every_key_is_stored_in_its_member);
    tcase_add_test(tests, agents_pursuit_and_recording_are_read);
    tcase_add_test(tests, regions_are_on_the_terrain_and_events_in_order);
    tcase_add_test(tests, defaults_are_those_of_the_papers);
    tcase_add_test(tests,
                   agents_without_a_name_are_counted_through_all_entries);
    tcase_add_test(
        tests,
        random_numbers_of_agents_without_a_name_are_those_of_their_entry);
    tcase_add_test(tests,
                   best_changes_walls_detector_and_heading_unless_they_are_set);
    tcase_add_test(tests, three_axes_have_their_own_defaults);
    tcase_add_test(tests, allowed_but_doubtful_settings_give_a_warning);
    tcase_add_test(tests, an_unstable_wave_runs_only_if_allowed);
    tcase_add_test(tests, the_amplitude_is_any_number_of_the_precision);
    tcase_add_test(tests, a_preset_set_over_a_text_reports_the_keys_that_stay);
    tcase_add_test(tests, overrides_replace_the_text_in_order);
    tcase_add_test(tests, an_override_of_the_wave_enables_waves);
    tcase_add_test(tests, map_files_are_relative_to_the_scenario);
    tcase_add_test(tests, bytes_after_a_nul_and_endless_files_are_rejected);
    tcase_add_test(tests, the_name_list_that_exists_twice_agrees);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
