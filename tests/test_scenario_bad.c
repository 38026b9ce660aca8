/* SPDX-License-Identifier: MIT */
/* Bad scenarios: each is STATUS_INPUT, with the line and what is wrong. */
#include "scenario/keys.h"
#include "scenario/scenario.h"
#include "suite.h"

#include <math.h>
#include <string.h>

/* Lines 1 to 3 of most cases. */
#define WORLD                                                                  \
    "steps = 100;\n"                                                           \
    "map = { rows = (\"......\", \".@....\", \"......\", \"......\"); };\n"    \
    "target = { at = [4, 2]; };\n"
#define WAVES WORLD "wave = { };\n" /* line 4 */
#define SOLID                                                                  \
    "steps = 100;\n"                                                           \
    "map = { layers = ((\"...\", \"...\"), (\"...\", \"...\")); };\n"          \
    "target = { at = [1, 1, 1]; };\n"

struct bad_case {
    int line; /* where the fault stands */
    const char *text;
    const char *message; /* what the rest of the message holds */
};

static const struct bad_case cases[] = {
    /* the text itself */
    { 1, "", "map: is missing" },
    { 1, "map = { rows = (\"..\"); };", "steps: is missing" },
    { 1, "steps = 10;", "map: is missing" },
    { 1, "steps 10;", "a = is expected" },
    { 1, "steps = ;", "a value is missing" },
    { 1, "steps", "the text ends: a = is expected" },
    { 1, "steps =", "the text ends: a value is missing" },
    { 2, "steps = 10;\n= 5;", "the name of a key is expected" },
    { 2, "steps = 10;\n5 = 5;", "the name of a key is expected" },
    { 2, "steps = 10;\n;", "the name of a key is expected" },
    { 2, "steps = 10;\n}", "a closing bracket without its opening" },
    { 2, "steps = 10;\n)", "the name of a key is expected" },
    { 2, "steps = 10;\nmap = {\n rows = (\"..\");\n", "{ without its closing" },
    { 3, "steps = 10;\nmap = { rows = (\n\"..\", \"..\" \"..\"); };", "row" },
    { 1, "steps = 10; /* never\nclosed", "without its closing */" },
    { 2, "steps = 10;\ntitle = \"never\nclosed;", "without its closing quote" },
    { 2, "steps = 10;\n@include \"other.cfg\"\n", "@include is not allowed" },
    { 2, "steps = 10;\n  @include \"other.cfg\"\n", "@include" },
    { 1, "steps = 10 & 5;", "a character that has no meaning" },
    { 1, "\xef\xbb\xbfsteps = 10;", "a character that has no meaning" },
    { 1, "steps = ten;", "a text needs quotes" },
    { 2, "steps = 10;\nsteps = 20;", "given twice; the first is in line 1" },
    { 5, WAVES "wave = { };", "wave: given twice; the first is in line 4" },
    { 6, WORLD "wave = {\n delta = 0.1;\n delta = 0.2; };",
      "wave.delta: given twice; the first is in line 5" },
    { 4, WORLD "title = \"bad \\q escape\";", "an unknown escape" },
    { 4, WORLD "title = \"nul \\x00 inside\";", "an unknown escape" },
    { 4, WORLD "title = \"half \\x4\";", "an unknown escape" },
    { 4, WORLD "title = \"bell \\x07\";", "control character" },
    { 4, WORLD "title = \"two\\nlines\";", "control character" },
    { 4, WORLD "title = \"\\xff\\xfe\";", "not UTF-8" },
    { 4, WORLD "title = \"\\xc0\\xaf\";", "not UTF-8" },
    { 4, WORLD "title = \"\\xed\\xa0\\x80\";", "not UTF-8" },
    { 4, WORLD "title = \"\\xc2\\x9b31m\";", "control character" },
    { 2, "steps = 1;\nregions = ((((((((((1))))))))));", "nested too deep" },
    { 2, "steps = 1;\nmap = { rows = { }; };", "map.rows: a group here" },
    { 1, "steps = { };", "steps: a group here; a whole number" },

    /* numbers that libconfig would bend */
    { 1, "steps = 3000000000;", "does not fit 32 bits" },
    { 1, "steps = -2147483649;", "does not fit 32 bits" },
    { 1, "steps = 99999999999999999999L;", "does not fit 64 bits" },
    { 1, "steps = 99999999999999999999;", "does not fit 64 bits" },
    { 1, "steps = 0xffffffff;", "does not fit 32 bits" },
    { 1, "steps = 0xfffffffffffffffff;", "does not fit 64 bits" },
    { 1, "steps = 0x;", "not a number" },
    { 1, "steps = 5abc;", "not a number" },
    { 1, "steps = 1-2;", "not a number" },
    { 1, "steps = 10l;", "not a number" },
    { 1, "steps = 10LLL;", "not a number" },
    { 1, "steps = L;", "a text needs quotes" },
    { 1, "steps = 1e3; map = { rows = (\"..\"); };",
      "steps: 1000 is not allowed; a whole number" },
    { 4, WORLD "wave = { delta = .; };", "not a number" },
    { 4, WORLD "wave = { delta = -.; };", "not a number" },
    { 4, WORLD "wave = { delta = 1e; };", "not a number" },
    { 4, WORLD "wave = { delta = 0.1.2; };", "not a number" },
    { 4, WORLD "wave = { delta = 1e999; };", "too large for a double" },
    { 4, WORLD "wave = { delta = -1e999; };", "too large for a double" },
    { 4, WORLD "wave = { delta = 1e-999; };", "too small for a double" },
    { 4, WORLD "wave = { delta = 1e-310; };", "too small for a double" },
    { 4, WORLD "wave = { delta = nan; };", "a text needs quotes" },
    { 4, WORLD "wave = { delta = \"nan\"; };", "wave.delta: \"nan\" is not" },
    { 4, WORLD "wave = { delta = -inf; };", "not a number" },
    { 4,
      WORLD "wave = { delta = 0.1000000000000000000000000000000000000000000000"
            "00000000000000; };",
      "more than 60 characters" },

    /* arrays and lists */
    { 4, WORLD "record = { region = [0, 0, 1.5, 1]; };", "mixed types" },
    { 4, WORLD "record = { region = [0, 0, 1L, 1]; };", "mixed types" },
    { 4, WORLD "record = { fields = [\"agents\", 1]; };", "mixed types" },
    { 4, WORLD "record = { region = [0, [0], 1, 1]; };", "in an array" },
    { 4, WORLD "record = { region = [0, 0, 1, 1; };", "the closing ]" },
    { 4, WORLD "record = { region = (0, 0, 1, 1; };", "the closing )" },
    { 4, WORLD "record = { region = [0, 0, 1, 1,]; };", "the last comma" },
    { 4, WORLD "record = { region = (0, 0, 1, 1,); };", "the last comma" },
    { 4, WORLD "record = { region = (0, 0 1, 1); };", "the closing )" },
    { 4, WORLD "record = { region = [0, 0", "the text ends" },

    /* keys that are not known */
    { 4, WORLD "stpes = 5;",
      "stpes: unknown key; the nearest known one is "
      "steps" },
    { 5, WORLD "wave = {\n detla = 0.1; };",
      "wave.detla: unknown key; the nearest known one is wave.delta" },
    { 4, WORLD "delta = 0.1;", "nearest known one is wave.delta" },
    { 4, WORLD "agents = ({ at = [0, 0]; spede = 1; });",
      "agents.[0].spede: unknown key; the nearest known one is agents.speed" },
    { 4, WORLD "agents = ({ at = [0, 0]; }, { posn = 1; });",
      "agents.[1].posn: unknown key" },
    { 4, WORLD "regions = ({ box = [0, 0, 1, 1]; sped = 2; });",
      "nearest known one is regions.speed" },
    { 4, WORLD "record = { feilds = (\"agents\"); };", "record.fields" },
    { 4, WORLD "Seed = 4;", "nearest known one is seed" },
    { 4, WORLD "true = 4;", "true: unknown key" },

    /* names */
    { 4, WORLD "preset = \"papre\";",
      "preset: \"papre\" is not allowed; one "
      "of paper, best" },
    { 4, WORLD "wave = { walls = \"soft\"; };", "one of fixed, free" },
    { 4, WORLD "wave = { stencil = \"13-point\"; };", "one of 5-point" },
    { 4, WORLD "wave = { source = \"bang\"; };", "one of impulse" },
    { 4, WORLD "wave = { precision = \"half\"; };", "one of single, double" },
    { 4, WORLD "wave = { denormals = \"hide\"; };", "one of keep, flush" },
    { 4, WORLD "wave = { restart = \"never\"; };", "one of lifetime" },
    { 4, WORLD "wave = { speed_form = \"c\"; };", "one of c2-laplacian" },
    { 4, WORLD "arrival = { detector = \"ear\"; };", "one of threshold" },
    { 4, WORLD "arrival = { heading = \"north\"; };", "one of signed, paper" },
    { 4, WORLD "pursuit = { stop = \"soon\"; };", "one of all-captured" },
    { 4, WORLD "pursuit = { ties = \"fair\"; };", "one of random, fixed" },
    { 4, WORLD "record = { fields = (\"colour\"); };", "amplitude, gradient" },
    { 4, WORLD "record = { fields = (); };", "record.fields: a list of 0" },
    { 4, WORLD "record = { fields = \"agents\"; };", "a list of some of" },

    /* the map */
    { 2, "steps = 1;\nmap = { };", "map: one of file, rows and layers" },
    { 2, "steps = 1;\nmap = { rows = (\"..\"); file = \"a.map\"; };",
      "map: one of file, rows and layers" },
    { 2, "steps = 1;\nmap = { file = \"\"; };", "a file name in quotes" },
    { 2, "steps = 1;\nmap = { file = \"nowhere.map\"; };", "No such file" },
    { 2, "steps = 1;\nmap = { file = \"nowhere\\x00.map\"; };", "escape" },
    { 2, "steps = 1;\nmap = { rows = (); };", "a list of texts" },
    { 2, "steps = 1;\nmap = { rows = (\"...\", \"..\"); };", "" },
    { 2, "steps = 1;\nmap = { rows = (\"..\", \".?\"); };", "" },
    { 2, "steps = 1;\nmap = { rows = (\"\"); };", "" },
    { 2, "steps = 1;\nmap = { rows = (1, 2); };", "map.rows.[0]: 1 is not" },
    { 3, "steps = 1;\nmap = { layers = ((\"..\", \"..\"),\n(\"..\")); };",
      "map.layers.[1]: 1 rows where layer 0 has 2" },
    { 2, "steps = 1;\nmap = { layers = (\"..\"); };", "a list of lists" },
    { 2, "steps = 1;\nmap = { layers = (()); };", "a list of lists" },
    { 2, "steps = 1;\nmap = { rows = (\"..\"); legend = ({ wall = true; }); };",
      "map.legend.[0]: one of symbol and color" },
    { 2,
      "steps = 1;\nmap = { rows = (\"..\"); legend = ({ symbol = \"x\"; color "
      "= \"#ffffff\"; }); };",
      "one of symbol and color" },
    { 2,
      "steps = 1;\nmap = { rows = (\"..\"); legend = ({ symbol = \"xy\"; }); "
      "};",
      "a text of one character" },
    { 2,
      "steps = 1;\nmap = { rows = (\"..\"); legend = ({ color = \"red\"; }); "
      "};",
      "\"#rrggbb\"" },
    { 2,
      "steps = 1;\nmap = { rows = (\"..\"); legend = ({ color = \"#12345g\"; "
      "}); };",
      "\"#rrggbb\"" },
    { 2,
      "steps = 1;\nmap = { rows = (\"..\"); legend = ({ symbol = \"x\"; speed "
      "= 0; }); };",
      "map.legend.[0].speed: 0 is not allowed" },
    { 3,
      "steps = 1;\nmap = { rows = (\"..\"); legend = ({ symbol = \"x\"; },\n"
      "{ symbol = \"x\"; }); };",
      "map.legend.[1]: an earlier entry" },
    { 2,
      "steps = 1;\nmap = { rows = (\"..\"); legend = ({ symbol = \"x\"; "
      "one_way = \"up\"; }); };",
      "on a 2D map" },

    /* places */
    { 3, "steps = 1;\nmap = { rows = (\"..\"); };\ntarget = { };",
      "target.at: is missing" },
    { 4, WORLD "agents = ({ name = \"A\"; });", "agents.[0].at: is missing" },
    { 4, WORLD "agents = ({ at = [1, 1]; method = \"lee\"; });",
      "agents.[0].at: its nearest cell [1, 1] is a wall" },
    { 4, WORLD "agents = ({ at = [0.5, 0.5]; method = \"lee\"; });",
      "nearest cell [1, 1] is a wall" },
    { 4, WORLD "agents = ({ at = [6, 1]; });", "x = 6 lies outside" },
    { 4, WORLD "agents = ({ at = [5.1, 1.0]; });", "from 0 to 5 is allowed" },
    { 4, WORLD "agents = ({ at = [0, -1]; });", "y = -1 lies outside" },
    { 4, WORLD "agents = ({ at = [0, 0, 0]; });", "3 numbers on a map of 2" },
    { 4, WORLD "agents = ({ at = [0]; });", "1 numbers" },
    { 4, WORLD "agents = ({ at = [\"a\", \"b\"]; });", "not a number" },
    { 4, WORLD "agents = ({ at = \"here\"; });", "or \"random\"" },
    { 4, WORLD "agents = ({ at = 5; });", "a position [x, y]" },
    { 4, SOLID "agents = ({ at = [0, 0]; });", "2 numbers on a map of 3" },
    { 3,
      "steps = 1;\nmap = { rows = (\"...\"); };\ntarget = { at = [0, 0]; "
      "motion = \"waypoints\"; };",
      "target.waypoints: is missing or empty" },
    { 3,
      "steps = 1;\nmap = { rows = (\".@.\"); };\ntarget = { at = [0, 0]; "
      "motion = \"waypoints\"; waypoints = ([2, 0], [1, 0]); };",
      "target.waypoints.[1]: its nearest cell" },
    { 2,
      "steps = 1;\nmap = { rows = (\"@@\"); };\ntarget = { at = \"random\"; };",
      "map: has no free cell" },
    { 4,
      WORLD "agents = ({ at = \"random\"; method = \"lee\"; min_distance = 99; "
            "});",
      "more than the map's diagonal" },

    /* boxes */
    { 4, WORLD "record = { region = [0, 0, 6, 1]; };", "outside the map" },
    { 4, WORLD "record = { region = [-1, 0, 2, 1]; };", "outside the map" },
    { 4, WORLD "record = { region = [3, 0, 2, 1]; };", "x0 = 3 is over x1" },
    { 4, WORLD "record = { region = [0, 2, 2, 1]; };", "y0 = 2 is over y1" },
    { 4, WORLD "record = { region = [0, 0, 2]; };", "3 numbers" },
    { 4, WORLD "record = { region = (0, 0, 2.5, 3); };", "whole numbers" },
    { 4, SOLID "record = { region = [0, 0, 1, 1]; };", "[x0, y0, z0" },
    { 4, SOLID "record = { region = [0, 0, 0, 1, 1, 2]; };", "z from 0 to 2" },
    { 4, WORLD "regions = ({ speed = 0.5; });", "regions.[0].box: is missing" },
    { 4, WORLD "regions = ({ box = [0, 0, 1, 1]; });", "changes nothing" },
    { 4, WORLD "regions = ({ box = [0, 0, 1, 1]; speed = 0.0; });",
      "speed: 0" },
    { 4, WORLD "regions = ({ box = [0, 0, 1, 1]; cost = -1.0; });",
      "cost: -1" },
    { 4, WORLD "regions = ({ box = [0, 0, 1, 1]; one_way = \"none\"; });",
      "one of east" },
    { 4, WORLD "regions = ({ box = [0, 0, 1, 1]; one_way = \"down\"; });",
      "on a 2D map" },
    { 4, WORLD "regions = { box = [0, 0, 1, 1]; };", "regions: a group here" },
    { 4, WORLD "regions = (5);", "regions.[0]: 5 is not allowed" },
    { 4, WORLD "events = ({ box = [0, 0, 1, 1]; set = \"wall\"; });",
      "events.[0].step: is missing" },
    { 4, WORLD "events = ({ step = 4; set = \"wall\"; });", "box: is missing" },
    { 4, WORLD "events = ({ step = 4; box = [0, 0, 1, 1]; });",
      "changes nothing" },
    { 4, WORLD "events = ({ step = -4; box = [0, 0, 1, 1]; set = \"wall\"; });",
      "step: -4" },
    { 4, WORLD "events = ({ step = 4; box = [0, 0, 1, 1]; set = \"open\"; });",
      "one of wall, free" },
    { 4, WORLD "events = ({ step = 4; box = [0, 0, 9, 1]; set = \"wall\"; });",
      "outside the map" },

    /* the wave */
    { 3, "steps = 1;\nmap = { rows = (\"..\"); };\nwave = { };",
      "wave: there is no target" },
    { 4, WORLD "wave = { delta = 0.50001; };",
      "wave.delta: 0.50000999999999995 is over the limit of stability; up to "
      "0.5 is allowed" },
    { 4, WORLD "wave = { delta = 0.76; stencil = \"9-point\"; };",
      "up to 0.75" },
    { 4, SOLID "wave = { delta = 0.334; };", "up to 0.3333333333333333" },
    { 4, WORLD "wave = { delta = 0.0; };", "wave.delta: 0 is not allowed" },
    { 4, WORLD "wave = { delta = -0.1; };", "a number over 0" },
    { 4, WAVES "regions = ({ box = [0, 0, 1, 1]; speed = 2; });",
      "(delta 0.25 at speed 2)" },
    { 5, WAVES "events = ({ step = 4; box = [0, 0, 1, 1]; speed = 1.5; });",
      "events.[0].speed: 0.5625 (delta 0.25 at speed 1.5)" },
    { 4, WORLD "wave = { stencil = \"7-point\"; };",
      "5-point and 9-point are" },
    { 4, SOLID "wave = { stencil = \"5-point\"; };", "7-point is allowed" },
    { 4,
      WORLD "wave = { stencil = \"9-point\"; speed_form = \"conservative\"; };",
      "wave.speed_form: \"conservative\" conserves nothing" },
    { 4, WORLD "wave = { count = 0; };", "wave.count: 0 is not allowed" },
    { 4, WORLD "wave = { count = 20; lifetime = 10; };", "at most one a step" },
    { 4, WORLD "wave = { restart = \"on-arrival\"; };",
      "wave.count: 3 waves with restart" },
    { 4, WORLD "wave = { amplitude = 0; };", "wave.amplitude: 0" },
    { 4, WORLD "wave = { amplitude = 1e39; };", "single precision" },
    { 4, WORLD "wave = { amplitude = 1e-39; };", "single precision" },
    { 4, WORLD "wave = { damping = -0.1; };", "wave.damping" },
    { 4, WORLD "wave = { wavelength = 1.5; };", "from 2 to 1000000" },
    { 4, WORLD "wave = { sigma = 0.0; };", "wave.sigma: 0" },
    { 4, WORLD "arrival = { threshold = 0.0; };", "arrival.threshold: 0" },
    { 4, WORLD "arrival = { cap = 2.0; };", "over 0 to 1" },

    /* pursuit */
    { 4, WORLD "agents = ({ at = [0, 0]; method = \"wave\"; });",
      "agents.[0].method: \"wave\", and no wave runs" },
    { 4, WORLD "agents = ({ at = [0, 0]; });", "no wave runs" },
    { 5, WAVES "agents = ({ at = [0, 0]; goal = \"random\"; });",
      "can only pursue the target" },
    { 3,
      "steps = 1;\nmap = { rows = (\"..\"); };\nagents = ({ at = [0, 0]; "
      "method = \"astar\"; });",
      "agents.[0].goal: there is no target" },
    { 5,
      WAVES "agents = ({ name = \"A\"; at = [0, 0]; }, { name = \"A\"; at = "
            "[0, 0]; });",
      "agents.[1].name: agents.[0] has an agent A too" },
    { 6,
      WAVES "agents = ({ name = \"A\"; count = 12; at = [0, 0]; },\n{ name = "
            "\"A1\"; count = 2; at = [0, 0]; });",
      "has an agent A11 too" },
    { 5, WAVES "agents = ({ name = \"\"; at = [0, 0]; });", "is empty" },
    { 5,
      WAVES "agents = ({ name = \"a name of more than sixty-three bytes, which "
            "is over what is allowed\"; at = [0, 0]; });",
      "63 bytes at most" },
    { 5, WAVES "agents = ({ at = [0, 0]; speed = 0.51; });", "0 to 0.5" },
    { 5, WAVES "agents = ({ at = [0, 0]; count = 0; });", "from 1 to" },
    { 5,
      WAVES "agents = ({ name = \"a\"; at = [0, 0]; count = 99999; }, { name = "
            "\"b\"; at = [0, 0]; count = 2; });",
      "100001 agents; at most 100000" },
    { 4, WORLD "pursuit = { moves = 6; };", "4 or 8 is allowed" },
    { 4, SOLID "pursuit = { moves = 8; };", "6 or 26 is allowed" },
    { 4, WORLD "pursuit = { capture_radius = -1; };", "capture_radius: -1" },
    { 4, WORLD "pursuit = { replan = 0; };", "replan: 0" },

    /* recording */
    { 4, WORLD "record = { fields = (\"amplitude\"); };", "none run" },
    { 4, WORLD "record = { fields = (\"arrival\"); };", "none run" },
    { 4, WORLD "record = { every = 0; };", "every: 0" },
    { 4, WORLD "record = { commit = -1; };", "commit: -1" },
    { 5, WAVES "record = { keyframes = 1; };", "0, or 2 and more" },
    { 4, WORLD "record = { keyframes = 8; };", "needs amplitude" },
    { 5, WAVES "record = { keyframes = 8; every = 2; };", "every = 1, not 2" },
    { 5, WAVES "record = { keyframes = 8; region = [0, 0, 1, 1]; };",
      "needs the whole map" },
    { 4, WORLD "scale = { cell = 0; };", "scale.cell: 0" },
};

static void assert_has(const char *message, const char *part)
{
    ck_assert_msg(strstr(message, part), "no `%s` in `%s`", part, message);
}

START_TEST(each_is_refused_with_its_line)
    {
        const struct bad_case *bad = &cases[_i];
        struct scenario *scenario = NULL;
        struct error error;
        char head[32];
        ck_assert_msg(scenario_parse(bad->text, "bad.cfg", NULL, 0, &scenario,
                                     &error) == STATUS_INPUT,
                      "taken: %s", bad->text);
        ck_assert_ptr_null(scenario);
        ck_assert_int_eq(error.status, STATUS_INPUT);
        snprintf(head, sizeof head, "bad.cfg:%d: ", bad->line);
        ck_assert_msg(strncmp(error.message, head, strlen(head)) == 0,
                      "not in line %d: %s", bad->line, error.message);
        assert_has(error.message, bad->message);
        ck_assert_ptr_null(strchr(error.message, '\n'));
        /* Nobody need ask why. */
        ck_assert_int_eq(
            scenario_parse(bad->text, "bad.cfg", NULL, 0, &scenario, NULL),
            STATUS_INPUT);
    }
END_TEST

/* ---- every key of the table ---- */

/* Writes `name = value;` of the group's other keys that must be there. */
static int write_required(char *text, size_t size, const struct key *group,
                          const struct key *without)
{
    int used = 0;
    text[0] = '\0';
    for (const struct key *key = keys; key->path; key++) {
        const char *value = key->type == KEY_BOX     ? "[0, 0, 1, 1]"
                            : key->type == KEY_PLACE ? "[0, 0]"
                                                     : "4";
        if (key_is_in(key, group) && key->required && key != without &&
            key->type != KEY_GROUP)
            used += snprintf(text + used, size - (size_t)used, "%s = %s;\n",
                             key_leaf(key), value);
    }
    return used;
}

static const struct key *group_of(const struct key *key)
{
    for (const struct key *group = keys; group->path; group++)
        if (key_is_in(key, group))
            return group;
    return NULL;
}

/* A scenario whole but for `key`, which has this value in a line of its own;
 * the path by which the message must name it. */
static void write_scenario(const struct key *key, const char *value,
                           char text[1024], char path[128])
{
    static const char map[] = "rows = (\"....\", \"....\");\n";
    const struct key *group = group_of(key);
    bool legend = group && strcmp(group->path, "map.legend") == 0;
    bool list = group && group->type == KEY_GROUPS;
    char top[256], others[256], setting[256];
    write_required(top, sizeof top, NULL, key);
    write_required(others, sizeof others, group, key);
    snprintf(setting, sizeof setting, "%s = %s;\n", key_leaf(key), value);
    snprintf(path, 128, "%s%s%s", group ? group->path : "",
             list    ? ".[0]."
             : group ? "."
                     : "",
             key_leaf(key));
    if (key->type == KEY_GROUP && strcmp(key->path, "map") == 0)
        snprintf(text, 1024, "%s%s", top, setting);
    else if (!group)
        snprintf(text, 1024, "%s%smap = { %s };\n", top, setting, map);
    else if (legend)
        snprintf(text, 1024, "%smap = { %s legend = ( { %s%s } ); };\n", top,
                 map, strcmp(key_leaf(key), "symbol") ? "symbol = \"x\";" : "",
                 setting);
    else if (strcmp(group->path, "map") == 0)
        snprintf(text, 1024, "%smap = { %s };\n", top, setting);
    else
        snprintf(text, 1024, "%smap = { %s };\n%s = %s{ %s%s }%s;\n", top, map,
                 group->path, list ? "( " : "", others, setting,
                 list ? " )" : "");
}

static bool takes(enum key_type type, const char *value)
{
    switch (*value) {
    case '5':
        return type == KEY_REAL || type == KEY_WHOLE;
    case '1': /* 1.5 */
        return type == KEY_REAL;
    case 't': /* true */
        return type == KEY_SWITCH;
    case '"':
        return type == KEY_TEXT || type == KEY_PATH;
    case '{':
        return type == KEY_GROUP;
    default: /* an empty list */
        return value[1] != 't' && (type == KEY_GROUPS || type == KEY_POSITIONS);
    }
}

START_TEST(every_key_refuses_values_of_other_types)
    {
        static const char *const values[] = { "5",  "1.5",    "true",
                                              "()", "{ }",    "\"no such\"",
                                              "[]", "(true)", "[true]" };
        const struct key *key = &keys[_i];
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            if (takes(key->type, values[i]))
                continue;
            char text[1024], path[128], setting[128], head[160];
            struct scenario *scenario = NULL;
            struct error error;
            write_scenario(key, values[i], text, path);
            ck_assert_msg(scenario_parse(text, "bad.cfg", NULL, 0, &scenario,
                                         &error) == STATUS_INPUT,
                          "taken: %s", text);
            snprintf(setting, sizeof setting, "%s = %s", key_leaf(key),
                     values[i]);
            int line = 1;
            for (const char *at = strstr(text, setting); at > text; at--)
                line += at[-1] == '\n';
            snprintf(head, sizeof head, "bad.cfg:%d: %s", line, path);
            ck_assert_msg(strncmp(error.message, head, strlen(head)) == 0,
                          "not %s but %s", head, error.message);
        }
    }
END_TEST

enum { MESSAGE_SIZE = 2 * ERROR_MESSAGE_SIZE + 16 };

static bool refused(const struct key *key, double value, char *message)
{
    char text[1024], path[128], number[64];
    struct scenario *scenario = NULL;
    struct error error;
    snprintf(number, sizeof number, key->type == KEY_WHOLE ? "%.0fL" : "%.17e",
             value);
    write_scenario(key, number, text, path);
    strcat(path, ": ");
    enum status status =
        scenario_parse(text, "bad.cfg", NULL, 0, &scenario, &error);
    scenario_release(scenario);
    snprintf(message, MESSAGE_SIZE, "%s for %s",
             status ? error.message : "taken", text);
    return status == STATUS_INPUT && strstr(error.message, path) &&
           strstr(error.message, "is not allowed; ");
}

START_TEST(every_number_keeps_its_range)
    {
        const struct key *key = &keys[_i];
        char message[MESSAGE_SIZE];
        if (key->type != KEY_WHOLE && key->type != KEY_REAL)
            return;
        double below = key->type == KEY_WHOLE ? key->low - 1
                       : key->above           ? key->low
                                              : key->low - 1e-3;
        ck_assert_msg(refused(key, below, message), "%s", message);
        double above =
            key->type == KEY_WHOLE ? key->high + 1 : key->high * 1.01;
        if (key->high < 0x1p63)
            ck_assert_msg(refused(key, above, message), "%s", message);
    }
END_TEST

START_TEST(a_misspelt_key_leads_to_the_right_one)
    {
        const struct key *key = &keys[_i];
        char name[64];
        snprintf(name, sizeof name, "%sx", key_leaf(key));
        ck_assert_ptr_eq(key_nearest(group_of(key), name), key);
    }
END_TEST

/* ---- overrides ---- */

static const struct {
    const char *override, *message;
} overrides[] = {
    { "wave.delta=0.9", "--set wave.delta=0.9: 0.90000000000000002 is over" },
    { "wave.delta=1e999", "--set wave.delta=1e999: 1e999: a number too large" },
    { "wave.delta=fast", "--set wave.delta=fast: \"fast\" is not allowed" },
    { "wave.delta=", "--set wave.delta=: the text ends: a value is missing" },
    { "wave.delta", "--set wave.delta: key=value is expected" },
    { "=5", "--set =5: not the path of a key" },
    { "wave..delta=5", "not the path of a key" },
    { "wave.=5", "not the path of a key" },
    { "wave.detla=1", "detla: unknown key; the nearest known one is wave." },
    { "steps=3000000000",
      "--set steps=3000000000: 3000000000: a whole number" },
    { "steps=5;6", "nothing is allowed behind the value" },
    { "steps=5; seed = 7", "nothing is allowed behind the value" },
    { "steps.more=5", "goes on behind a key that is no group" },
    { "steps=@include", "@include is not allowed" },
    { "agents.speed=1", "agents is a list; an index is expected" },
    { "agents.[1].speed=0.1", "the scenario has 1 agents" },
    { "agents.[x].speed=0.1", "an index is expected" },
    { "agents.[-1].speed=0.1", "an index is expected" },
    { "agents.[99999999999999999999].speed=0.1", "the scenario has 1 agents" },
    { "agents.[0]=5", "ends before a key" },
    { "agents.[0].at.[0]=5", "goes on behind a key" },
    { "agents.[0].speed=0.9", "--set agents.[0].speed=0.9: 0.9" },
    { "agents=({at=[0,0];spede=1;})", "[0].spede: unknown key" },
    { "agents=({at=[1,1];})",
      "--set agents=({at=[1,1];}): agents.[0].at: its nearest cell" },
    { "wave={delta=0.9}", "--set wave={delta=0.9}: wave.delta: 0.9" },
    { "wave=5", "--set wave=5: 5 is not allowed; a group" },
    { "record.region=[0,0,9,9]", "outside the map" },
    { "record.region=[0,0.5,1,1]", "mixed types" },
    { "title=\"two\\nlines\"", "--set title=" },
    { "events.[0].step=5", "the scenario has 0 events" },
};

START_TEST(a_bad_override_is_told_as_such)
    {
        static const char text[] = WAVES "agents = ({ at = [0, 0]; });\n";
        struct scenario *scenario = NULL;
        struct error error;
        const char *override = overrides[_i].override;
        ck_assert_msg(scenario_parse(text, "bad.cfg", &override, 1, &scenario,
                                     &error) == STATUS_INPUT,
                      "taken: %s", override);
        ck_assert_msg(strncmp(error.message, "--set ", 6) == 0, "%s",
                      error.message);
        assert_has(error.message, overrides[_i].message);
    }
END_TEST

START_TEST(a_scenario_that_cannot_be_read_is_told)
    {
        struct scenario *scenario = NULL;
        struct error error;
        ck_assert_int_eq(
            scenario_load("no/such/file.cfg", NULL, 0, &scenario, &error),
            STATUS_INPUT);
        assert_has(error.message, "no/such/file.cfg: cannot be opened");
        ck_assert_int_eq(scenario_load("/", NULL, 0, &scenario, &error),
                         STATUS_INPUT);
        ck_assert_ptr_null(scenario);
    }
END_TEST

int main(void)
{
    int key_count = 0, case_count = sizeof cases / sizeof *cases;
    while (keys[key_count].path)
        key_count++;
    Suite *suite = suite_create("scenario, refused");
    TCase *tests = tcase_create("refused");
    tcase_add_loop_test(tests, each_is_refused_with_its_line, 0, case_count);
    tcase_add_loop_test(tests, every_key_refuses_values_of_other_types, 0,
                        key_count);
    tcase_add_loop_test(tests, every_number_keeps_its_range, 0, key_count);
    tcase_add_loop_test(tests, a_misspelt_key_leads_to_the_right_one, 0,
                        key_count);
    tcase_add_loop_test(tests, a_bad_override_is_told_as_such, 0,
                        sizeof overrides / sizeof *overrides);
    tcase_add_test(tests, a_scenario_that_cannot_be_read_is_told);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
