/* SPDX-License-Identifier: MIT */
/* Scenarios to start from. Each draws its own map, so that it runs wherever
 * it is saved. */
#include "scenario/scenario.h"

#include <string.h>

#define ROOMS                                                                  \
    "map = { rows = (\n"                                                       \
    "    \"@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@\",   # @ wall, . free; "   \
    "y = 0\n"                                                                  \
    "    \"@..................@...................@\",\n"                      \
    "    \"@..................@...................@\",\n"                      \
    "    \"@..................@...................@\",\n"                      \
    "    \"@......................................@\",\n"                      \
    "    \"@......................................@\",\n"                      \
    "    \"@..................@...................@\",\n"                      \
    "    \"@..................@...................@\",\n"                      \
    "    \"@@@@@@@..@@@@@@@@@@@...................@\",\n"                      \
    "    \"@..................@...................@\",\n"                      \
    "    \"@..................@...................@\",\n"                      \
    "    \"@..................@@@@@@@@@@@..@@@@@@@@\",\n"                      \
    "    \"@..................@...................@\",\n"                      \
    "    \"@......................................@\",\n"                      \
    "    \"@......................................@\",\n"                      \
    "    \"@..................@...................@\",\n"                      \
    "    \"@..................@...................@\",\n"                      \
    "    \"@..................@...................@\",\n"                      \
    "    \"@..................@...................@\",\n"                      \
    "    \"@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@\" ); };\n"

static const char paper[] =
    "# Wave-equation pursuit as published: fixed walls, a threshold, and the\n"
    "# gradient as the heading. hamon-record --keys tells every key.\n"
    "title = \"Four rooms, the published method\";\n"
    "preset = \"paper\";\n"
    "steps = 1500;                  # generations to run\n"
    "seed = 1;                      # of every random choice\n"
    "\n"
    "# Or a file, relative to this one: map = { file = \"maps/rooms.map\"; "
    "};\n" ROOMS "\n"
    "wave = {\n"
    "    count = 3;                 # waves alive at once\n"
    "    lifetime = 300;            # steps; one is sent every 100\n"
    "    delta = 0.25;              # (c dt/dh)^2, at most 0.5\n"
    "    walls = \"fixed\";           # or free\n"
    "};\n"
    "arrival = { detector = \"threshold\"; threshold = 1e-5; "
    "heading = \"paper\"; };\n"
    "\n"
    "# The target sends the waves; at = [x, y] counts cells from the top "
    "left.\n"
    "target = { at = [33, 4]; motion = \"still\"; };\n"
    "agents = (\n"
    "    { name = \"A\"; at = [5, 15]; method = \"wave\"; speed = 0.15; },\n"
    "    { name = \"B\"; at = [5, 3]; method = \"lee\"; speed = 0.15; }\n"
    ");\n"
    "pursuit = { capture_radius = 1.5; stop = \"all-captured\"; };\n"
    "record = { fields = (\"amplitude\", \"gradient\", \"agents\"); };\n";

static const char best[] =
    "# Wave-equation pursuit with the best known remedy for its faults: free\n"
    "# walls, and a sum over the wave in which what comes first counts most.\n"
    "title = \"Four rooms, the mended method\";\n"
    "preset = \"best\";               # walls, detector and heading follow\n"
    "steps = 1500;\n"
    "seed = 1;\n"
    "\n" ROOMS "\n"
    "wave = {\n"
    "    count = 3;\n"
    "    lifetime = 300;\n"
    "};\n"
    "target = { at = [33, 4]; motion = \"random\"; speed = 0.1; };\n"
    "agents = (\n"
    "    { name = \"A\"; at = [5, 15]; method = \"wave\"; },\n"
    "    { name = \"crowd\"; count = 5; at = \"random\"; min_distance = 10; "
    "method = \"wave\"; }\n"
    ");\n"
    "\n"
    "# A door closes while they run.\n"
    "events = ( { step = 400; box = [19, 4, 19, 5]; set = \"wall\"; } );\n"
    "record = { fields = (\"amplitude\", \"agents\", \"arrival\"); "
    "every = 2; };\n";

static const char solid[] =
    "# Two floors, joined by a shaft, in three dimensions.\n"
    "title = \"Two floors and a shaft\";\n"
    "preset = \"best\";\n"
    "steps = 800;\n"
    "\n"
    "# The layers from z = 0 on, each a list of rows.\n"
    "map = { layers = (\n"
    "    ( \"............\", \"............\", \"....@@@@....\", "
    "\"....@@@@....\",\n"
    "      \"....@@@@....\", \"............\", \"............\", "
    "\"............\" ),\n"
    "    ( \"............\", \"............\", \"....@@@@....\", "
    "\"....@@@@....\",\n"
    "      \"....@@@@....\", \"............\", \"............\", "
    "\"............\" ),\n"
    "    ( \"@@@@@@@@@@@@\", \"@@@@@@@@@@@@\", \"@@@@@@@@@@@@\", "
    "\"@@@@@@@@@@@@\",\n"
    "      \"@@@@@@@@@@@@\", \"@@@@@@@@@@@@\", \"@@@@@@@@@@..\", "
    "\"@@@@@@@@@@..\" ),\n"
    "    ( \"............\", \"............\", \"............\", "
    "\"............\",\n"
    "      \"............\", \"............\", \"............\", "
    "\"............\" ),\n"
    "    ( \"............\", \"............\", \"............\", "
    "\"............\",\n"
    "      \"............\", \"............\", \"............\", "
    "\"............\" ) ); };\n"
    "\n"
    "wave = { delta = 0.25; };       # at most 1/3 with the 7-point stencil\n"
    "target = { at = [1, 1, 0]; };    # [x, y, z]\n"
    "agents = ( { name = \"A\"; at = [2, 2, 4]; method = \"wave\"; } );\n"
    "pursuit = { moves = 26; };\n"
    "record = { fields = (\"amplitude\", \"gradient\", \"agents\"); };\n";

const char *scenario_example(const char *name)
{
    if (strcmp(name, "paper") == 0)
        return paper;
    if (strcmp(name, "best") == 0)
        return best;
    return strcmp(name, "3d") == 0 ? solid : NULL;
}
