/* SPDX-License-Identifier: MIT */
/* Valid scenarios for the tests, and their expected values. */
#ifndef HAMON_TESTS_SCENARIO_SCENARIOS_H
#define HAMON_TESTS_SCENARIO_SCENARIOS_H

#include "scenario/scenario.h"

#include <check.h>
#include <string.h>

#define WORLD                                                                  \
    "steps = 100;\n"                                                           \
    "map = { rows = (\"......\", \".@....\", \"......\", \"......\"); };\n"    \
    "target = { at = [4, 2]; };\n"

static inline struct scenario *parse(const char *text, const char *override)
{
    struct scenario *scenario = NULL;
    struct error error;
    ck_assert_msg(scenario_parse(text, "good.cfg", &override, override != NULL,
                                 &scenario, &error) == STATUS_OK,
                  "%s", error.message);
    return scenario;
}

/* All keys of the example of a whole scenario, each with a value other than its
 * default. */
static const char everything[] =
    "title  = \"Corridor 5 wide, \\\"fixed\\\" walls \\\\ \xce\xb4\";\n"
    "map    = { rows = ( \"......##\", \"....s...\",\n"
    "   \"..@@....\", \"........\" );\n"
    "   legend = ( { symbol = \"#\"; wall = true; },\n"
    "     { symbol = \"s\"; speed = 0.5; cost = 3; one_way = \"north\"; },\n"
    "     { color = \"#00fF80\"; cost = 2.0; } ); };\n"
    "steps  = 600;  seed = 9000000000L;\n"
    "wave   = { count = 4; lifetime = 200; delta = 0.2; amplitude = 2.385;\n"
    "  damping = 0.01; walls = \"free\"; stencil = \"9-point\"; source = "
    "\"ricker\";\n"
    "  sigma = 3.5; wavelength = 12; precision = \"double\"; speed_form = "
    "\"c2-laplacian\";\n"
    "  restart = \"lifetime\"; allow_unstable = true; denormals = \"keep\"; "
    "};\n"
    "arrival = { detector = \"laplace\"; threshold = 1e-3; heading = "
    "\"flux\";\n"
    "  cap = 2e-4; beta = 0.25; p = 1.2; eta = 0.001; };\n"
    "target = { at = (4.5, 3); }\n"
    "agents = ( { name = \"A\"; at = (0, 3.0); method = \"lee\"; speed = 0.25; "
    "},\n"
    "  { count = 3; at = \"random\"; min_distance = 2; method = \"relay\"; "
    "goal "
    "= \"random\"; } );\n"
    "pursuit = { capture_radius = 1; moves = 8; replan = 20; ties = "
    "\"fixed\";\n"
    "  stop = \"any-captured\"; search_level = 4; };\n"
    "regions = ( { box = [0, 0, 1, 1]; name = \"mud\"; speed = 0.5; cost = "
    "5.0; },\n"
    "  { box = (2, 3, 3, 3); one_way = \"east\"; } );\n"
    "events = ( { step = 400; box = [2, 2, 3, 2]; set = \"free\"; },\n"
    "  { step = 100; box = [7, 3, 7, 3]; set = \"wall\"; },\n"
    "  { step = 100; box = [0, 3, 0, 3]; speed = 0.75; } );\n"
    "record = { fields = [\"amplitude\", \"arrival\"]; every = 5;\n"
    "  region = [0, 1, 5, 3]; commit = 10; };\n"
    "scale = { cell = 0.5; step = 0.01; };\n";

/* The resolved scenario of `s` resolves to itself. */
static inline void assert_fixed_point(struct scenario *s)
{
    struct scenario *again = parse(s->resolved, NULL);
    ck_assert_str_eq(again->resolved, s->resolved);
    ck_assert_str_eq(again->parameters, s->parameters);
    ck_assert_uint_eq(again->event_count, s->event_count);
    for (size_t i = 0; i < s->event_count; i++) {
        const struct map_event *x = &again->events[i], *y = &s->events[i];
        ck_assert(x->step == y->step && x->change.kind == y->change.kind &&
                  x->change.value == y->change.value);
        ck_assert_mem_eq(&x->change.box, &y->change.box, sizeof(struct box));
    }
    size_t cells = grid_cells(&s->terrain.grid);
    ck_assert_mem_eq(again->terrain.wall, s->terrain.wall, cells);
    if (s->terrain.speed)
        ck_assert_mem_eq(again->terrain.speed, s->terrain.speed,
                         cells * sizeof *s->terrain.speed);
    ck_assert_mem_eq(&again->wave, &s->wave, sizeof s->wave);
    ck_assert_mem_eq(&again->arrival, &s->arrival, sizeof s->arrival);
    ck_assert_mem_eq(&again->record, &s->record, sizeof s->record);
    scenario_release(again);
}

#endif
