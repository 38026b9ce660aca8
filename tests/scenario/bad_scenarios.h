/* SPDX-License-Identifier: MIT */
/* Texts that are not valid scenarios, each with the line and the words of its
 * error. */
#ifndef HAMON_TESTS_SCENARIO_BAD_SCENARIOS_H
#define HAMON_TESTS_SCENARIO_BAD_SCENARIOS_H

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
    int line; /* the line of the error */
    const char *text;
    const char *message; /* a part of the rest of the message */
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
    { 3, "steps = 10;\nmap = { rows = ( \"..\",\n@.\", \"..\" ); };",
      "map.rows: @: the opening quote of a text, such as a row of a map" },
    { 3, "steps = 10;\nmap = { rows = ( \"..\",\n...\", \"...\" ); };",
      "map.rows: ...: not a number; a text, such as a row of a map" },
    { 1, "steps = 10 & 5;", "a character that has no meaning" },
    { 1, "\xef\xbb\xbfsteps = 10;", "map: is missing" },
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

    /* numbers that libconfig would change */
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
      "steps: a whole number is written without point and exponent: 1000" },
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
    { 4, WORLD "record = { region = [0, 0, 1.5, 1]; };", "a box ends" },
    { 4, WORLD "record = { region = [0, 0, 1, true]; };", "mixed types" },
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
    { 4, WORLD "agents = ({ at = [0.6, 0.6]; method = \"lee\"; });",
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
      "wave.delta: 0.50001 is over the limit of stability; up to "
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
    { 4, SOLID "wave = { delta = 0.693; stencil = \"27-point\"; };",
      "up to 0.6923076923076923" },
    { 4, SOLID "wave = { stencil = \"5-point\"; };",
      "7-point and 27-point are" },
    { 4,
      SOLID "wave = { stencil = \"27-point\"; speed_form = "
            "\"conservative\"; };",
      "nothing with the 27-point stencil" },
    { 4,
      WORLD "wave = { stencil = \"9-point\"; speed_form = \"conservative\"; };",
      "wave.speed_form: \"conservative\" conserves nothing" },
    { 4, WORLD "wave = { count = 0; };", "wave.count: 0 is not allowed" },
    { 4, WORLD "wave = { count = 20; lifetime = 10; };", "at most one a step" },
    { 3,
      "steps = 65534;\nmap = { rows = (\"..\"); };\ntarget = { at = [1, 0]; }; "
      "wave = { lifetime = 65534; }; arrival = { detector = \"laplace\"; "
      "};",
      "wave.lifetime: 65534 steps of one emission are more than detector "
      "\"laplace\" can sum; up to 65533 is allowed" },
    { 4, WORLD "wave = { }; arrival = { detector = \"laplace\"; range = 39; };",
      "arrival.range: 39 bits are too few; 40 or more" },
    { 4,
      WORLD "wave = { }; arrival = { detector = \"laplace\"; range = 240; };",
      "arrival.range: 240 bits and what p and eta add are" },
    { 4,
      WORLD "wave = { precision = \"double\"; }; arrival = { detector = "
            "\"laplace\"; range = 2000; heading = \"arrival-time\"; };",
      "double precision has 2045; a smaller range, or a larger p or eta is "
      "allowed" },
    { 4, WORLD "arrival = { range = -1; };", "arrival.range: -1" },
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
      "agents.[0].method: \"wave\", and there are no waves" },
    { 4, WORLD "agents = ({ at = [0, 0]; });", "there are no waves" },
    { 5, WAVES "agents = ({ at = [0, 0]; goal = \"random\"; });",
      "goal \"random\" is for dijkstra" },
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
    { 4, WORLD "regions = ({ box = [0, 0, 1, 1]; name = \"\"; speed = 2; });",
      "regions.[0].name: is empty" },
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
    { 4, WORLD "record = { fields = (\"amplitude\"); };",
      "there are no waves" },
    { 4, WORLD "record = { fields = (\"arrival\"); };", "there are no waves" },
    { 4, WORLD "record = { every = 0; };", "every: 0" },
    { 4, WORLD "record = { commit = -1; };", "commit: -1" },
    { 5, WAVES "record = { keyframes = 1; };", "0, or 2 and more" },
    { 4, WORLD "record = { keyframes = 8; };", "needs amplitude" },
    { 5, WAVES "record = { keyframes = 8; every = 2; };", "every = 1, not 2" },
    { 5, WAVES "record = { keyframes = 8; region = [0, 0, 1, 1]; };",
      "needs the whole map" },
    { 4, WORLD "scale = { cell = 0; };", "scale.cell: 0" },
};

#endif
