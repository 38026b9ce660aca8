/* SPDX-License-Identifier: MIT */
/* Every key of a scenario: its type, default, range, unit and help. */
#include "settings/keys.h"

#include "settings/groups.h"

#include <math.h>
#include <stdint.h>

static const char *const preset_names[] = { "paper", "best", NULL };
static const char *const set_names[] = { "wall", "free", NULL };
static const char *const older_names[] = { "taken", "ignored", NULL };
static const char *const goal_names[] = { "target", "random", NULL };
static const char *const denormals_names[] = { "keep", "flush", NULL };
static const char *const field_names[] = { "amplitude", "gradient", "agents",
                                           "arrival", NULL };
/* legend_entry counts from "none"; the direction enum from "east". */
static const char *const one_way_names[] = { "none",  "east", "west", "south",
                                             "north", "down", "up",   NULL };

/* Detectors that use a key of arrival. */

#define IN(type, member)                                                       \
    .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)
#define WAVE(member) IN(struct wave_settings, member)
#define ARRIVAL(member) IN(struct arrival_settings, member)
#define TARGET(member) IN(struct target_settings, member)
#define AGENT(member) IN(struct agent_settings, member)
#define PURSUIT(member) IN(struct pursuit_settings, member)
#define RECORD(member) IN(struct record_settings, member)
#define MAP(member) IN(struct map_settings, member)
#define LEGEND(member) IN(struct legend_draft, member)
#define CHANGE(member) IN(struct change_entry, member)
#define SCALE(member) IN(struct scale_settings, member)
/* Outside of groups: key_at() of the scenario knows the position. */
#define ROOT(type) .size = sizeof(type)
#define LIST(type, member, item)                                               \
    .offset = offsetof(type, member), .size = sizeof(item)
/* A key that may be absent without a default. */
#define OPTIONAL(type, member) .optional = true, .given = offsetof(type, member)
#define NAMED(list) .rows = (const void *const *)(list)

#define LARGE 1e12 /* steps: exact as a double, and no counter overflows */

/* clang-format off */
const struct key keys[] = {
    { "title", KEY_TEXT, ROOT(char *), .otherwise = "\"\"",
      .high = LONGEST_TITLE, .help = "what the recording is about" },
    { "preset", KEY_CHOICE, ROOT(enum preset), .otherwise = "\"paper\"",
      .names = preset_names, .brief = true,
      .help = "whose defaults hold where a key is not given; the published "
              "method, or the best known remedy (free walls, laplace)" },
    { "steps", KEY_WHOLE, ROOT(int64_t), .required = true, .low = 1,
      .high = LARGE, .unit = "steps", .help = "how long to run" },
    { "seed", KEY_WHOLE, ROOT(uint64_t), .otherwise = "1", .low = 0,
      .high = 0x1p63, .help = "of every random choice" },

    { "map", KEY_GROUP, .required = true,
      .help = "the cells, by one of file, rows and layers" },
    { "map.file", KEY_PATH, MAP(file), OPTIONAL(struct map_settings, has_file),
      .help = ".map, .3dmap or .png, relative to the scenario; .3dmap is a "
              "line `voxel NX NY NZ`, then a line `X Y Z` for each wall cell; "
              "of a PNG black is wall and white is free, other colours by "
              "map.legend" },
    { "map.rows", KEY_ROWS, MAP(rows), OPTIONAL(struct map_settings, has_rows),
      .help = "a 2D map, a text a row, . free and @ blocked; the first row is "
              "y = 0" },
    { "map.layers", KEY_LAYERS, MAP(layers),
      OPTIONAL(struct map_settings, has_layers),
      .help = "a 3D map: the rows of each layer, the top one, z = 0, first" },
    { "map.legend", KEY_GROUPS,
      LIST(struct map_settings, legend, struct legend_draft),
      .otherwise = "()",
      .help = "what symbols and colours stand for, before the format's own "
              "meaning" },
    { "map.legend.symbol", KEY_SYMBOL, LEGEND(entry.symbol),
      OPTIONAL(struct legend_draft, has_symbol),
      .help = "of rows, layers and .map files; or else" },
    { "map.legend.color", KEY_COLOR, LEGEND(entry.color),
      OPTIONAL(struct legend_draft, entry.by_color), .help = "of PNG maps" },
    { "map.legend.wall", KEY_SWITCH, LEGEND(entry.wall), .otherwise = "false",
      .help = "blocked" },
    { "map.legend.speed", KEY_REAL, LEGEND(entry.speed), .otherwise = "1.0",
      .low = 0, .above = true, .high = 1000, .unit = "c",
      .help = "speed of waves there" },
    { "map.legend.cost", KEY_REAL, LEGEND(entry.cost), .otherwise = "1.0",
      .low = 0, .above = true, .high = 1e6,
      .help = "of a step into the cell, for searches" },
    { "map.legend.one_way", KEY_CHOICE, LEGEND(entry.one_way),
      .otherwise = "\"none\"", .names = one_way_names,
      .help = "the one way out of the cell" },

    { "wave", KEY_GROUP, .optional = true,
      .help = "the waves that the target sends out; without this group none "
              "run" },
    { "wave.count", KEY_WHOLE, WAVE(count), .otherwise = "3",
      .best = "12", .low = 1, .high = 1000, .brief = true,
      .help = "n, waves alive at once" },
    { "wave.lifetime", KEY_WHOLE, WAVE(lifetime), .otherwise = "300",
      .best = "120", .low = 1, .high = 1e9, .unit = "steps", .brief = true,
      .help = "T; wave i is sent at iT/n + mT" },
    { "wave.delta", KEY_REAL, WAVE(delta), .otherwise = "0.25", .low = 0,
      .above = true, .high = INFINITY, .brief = true,
      .help = "(c dt/dh)^2; stable up to 1/2 (5-point), 3/4 (9-point), 1/3 "
              "(7-point), 9/13 (27-point)" },
    { "wave.amplitude", KEY_REAL, WAVE(amplitude), .otherwise = "1.0",
      .low = 0, .above = true, .high = INFINITY, .brief = true,
      .help = "A of the source, any that the precision holds" },
    { "wave.damping", KEY_REAL, WAVE(damping), .otherwise = "0.0", .low = 0,
      .high = 1000, .unit = "1/step", .brief = true, .help = "mu of eq 1" },
    { "wave.walls", KEY_CHOICE, WAVE(walls), .otherwise = "\"fixed\"",
      .best = "\"free\"", .names = wall_rule_names, .brief = true,
      .help = "held at 0, or mirrors: both reflect, fixed with the sign "
              "turned; no wall absorbs" },
    { "wave.stencil", KEY_NAMED, WAVE(stencil),
      .by_axes = { "5-point", "7-point" }, NAMED(stencils), .brief = true,
      .help = "of the Laplacian" },
    { "wave.source", KEY_CHOICE, WAVE(source), .otherwise = "\"impulse\"",
      .names = source_names, .brief = true, .help = "how a wave starts" },
    { "wave.sigma", KEY_REAL, WAVE(sigma), .otherwise = "2.0", .low = 0,
      .above = true, .high = 1e6, .unit = "cells",
      .help = "width of source gaussian" },
    { "wave.wavelength", KEY_REAL, WAVE(wavelength), .otherwise = "20.0",
      .low = 2, .high = 1e6, .unit = "cells", .help = "peak of source ricker" },
    { "wave.precision", KEY_CHOICE, WAVE(precision), .otherwise = "\"single\"",
      .names = precision_names, .brief = true,
      .help = "of the amplitudes, run and recorded" },
    { "wave.speed_form", KEY_CHOICE, WAVE(speed_form),
      .otherwise = "\"c2-laplacian\"", .names = speed_form_names,
      .brief = true, .help = "of the equation where speeds differ" },
    { "wave.restart", KEY_CHOICE, WAVE(restart), .otherwise = "\"lifetime\"",
      .best = "\"received\"", .names = wave_restart_names, .brief = true,
      .help = "when a wave is sent anew; on-arrival wants count = 1; received: not "
              "before all that listen have received it or a newer one" },
    { "wave.allow_unstable", KEY_SWITCH, WAVE(allow_unstable),
      .otherwise = "false",
      .help = "delta over the stable limit, to record the divergence" },
    { "wave.denormals", KEY_CHOICE, WAVE(flush_denormals),
      .otherwise = "\"flush\"", .names = denormals_names, .brief = true,
      .help = "flush to 0 is faster; the leading edge ends sooner" },

    { "arrival", KEY_GROUP, .optional = true,
      .help = "when a wave counts as arrived, and which way it points" },
    { "arrival.detector", KEY_NAMED, ARRIVAL(detector),
      .otherwise = "\"threshold\"", .best = "\"laplace\"",
      NAMED(detectors), .brief = true, .help = "k is the wave's age in steps" },
    { "arrival.threshold", KEY_REAL, ARRIVAL(threshold), .otherwise = "1e-5",
      .low = 0, .above = true, .high = 1, .unit = "A", .help = "of threshold: |z| >= threshold A" },
    { "arrival.heading", KEY_CHOICE, ARRIVAL(heading),
      .otherwise = "\"paper\"", .best = "\"signed\"",
      .names = heading_rule_names, .brief = true,
      .help = "from the wave to the direction" },
    { "arrival.older_waves", KEY_CHOICE, ARRIVAL(ignore_older),
      .otherwise = "\"taken\"", .best = "\"ignored\"", .names = older_names,
      .help = "that come behind one sent after them" },
    { "arrival.cap", KEY_REAL, ARRIVAL(cap), .otherwise = "1e-4", .low = 0,
      .above = true, .high = 1, .unit = "A",
      .help = "of capped-exponential: |z| >= A min(cap, exp(-beta k))" },
    { "arrival.beta", KEY_REAL, ARRIVAL(beta), .otherwise = "0.3",
      .best = "0.4", .low = 0, .high = 100, .unit = "1/step", .help = "of capped-exponential" },
    { "arrival.p", KEY_REAL, ARRIVAL(p), .otherwise = "1.0", .best = "1.5",
      .low = 0, .above = true, .high = 20, .unit = "1/step",
      .help = "of laplace: the weight exp(-pk)" },
    { "arrival.eta", KEY_REAL, ARRIVAL(eta), .otherwise = "0.01",
      .best = "0.3", .low = 0, .above = true, .high = 1,
      .help = "of laplace: settled when |y| <= eta U" },
    { "arrival.range", KEY_WHOLE, ARRIVAL(range), .otherwise = "0", .low = 0,
      .high = 2000, .unit = "bits",
      .help = "of laplace: how faint a tip; 0: 66; fixed walls, areas: 146" },

    { "target", KEY_GROUP, .optional = true,
      .help = "who is pursued, and sends the waves" },
    { "target.at", KEY_PLACE, TARGET(place), .required = true, .unit = "cells",
      .help = "where it starts" },
    { "target.motion", KEY_CHOICE, TARGET(motion), .otherwise = "\"still\"",
      .names = target_motion_names, .help = "how it moves" },
    { "target.speed", KEY_REAL, TARGET(speed), .otherwise = "0.1", .low = 0,
      .high = 0.5, .unit = "cells/step", .help = "how fast" },
    { "target.waypoints", KEY_POSITIONS,
      LIST(struct target_settings, waypoints, double[GRID_AXES]),
      .otherwise = "()", .unit = "cells",
      .help = "of motion waypoints, in order" },

    { "agents", KEY_GROUPS, ROOT(struct agent_settings), .otherwise = "()",
      .help = "who pursues, an entry a kind" },
    { "agents.name", KEY_TEXT, AGENT(name), .depends = "agent1, agent2, ...",
      .high = LONGEST_NAME, .help = "with count > 1: name1, name2, ..." },
    { "agents.count", KEY_WHOLE, AGENT(count), .otherwise = "1", .low = 1,
      .high = AGENTS_LIMIT, .help = "agents of this kind" },
    { "agents.at", KEY_PLACE, AGENT(place), .required = true, .unit = "cells",
      .help = "where it starts; random: a free cell that the target can be "
              "reached from, by the seed" },
    { "agents.min_distance", KEY_REAL, AGENT(place.min_distance),
      .otherwise = "0.0", .low = 0, .high = 1e9, .unit = "cells",
      .help = "from the target, of at = random" },
    { "agents.method", KEY_CHOICE, AGENT(method), .otherwise = "\"wave\"",
      .names = agent_method_names,
      .help = "how it finds its way; lee: down the step counts of a front that "
              "spreads from the target along the axes; relay: by relay nodes "
              "as printed; relay-complete: the same, reaching every goal" },
    { "agents.speed", KEY_REAL, AGENT(speed), .otherwise = "0.15", .low = 0,
      .high = 0.5, .unit = "cells/step", .help = "how fast" },
    { "agents.steering", KEY_CHOICE, AGENT(steering),
      OPTIONAL(struct agent_settings, has_steering),
      .depends = "pursuit.steering", .names = steering_rule_names,
      .help = "of this kind alone" },
    { "agents.goal", KEY_CHOICE, AGENT(goal_random), .otherwise = "\"target\"",
      .names = goal_names,
      .help = "random: wanders from goal to goal and pursues nobody; for "
              "dijkstra, astar, fast-marching, dstar-lite, relay and "
"relay-complete" },

    { "pursuit", KEY_GROUP, .help = "the rules of the chase" },
    { "pursuit.capture_radius", KEY_REAL, PURSUIT(capture_radius),
      .otherwise = "1.5", .low = 0, .high = 1e6, .unit = "cells",
      .brief = true, .help = "between centres, walls ignored" },
    { "pursuit.steering", KEY_CHOICE, PURSUIT(steering),
      .otherwise = "\"emission\"", .best = "\"every-step\"",
      .names = steering_rule_names,
      .help = "of wave and lee agents: by each emission's heading, or at every "
              "step by what the newest left in the cells" },
    { "pursuit.sight", KEY_REAL, PURSUIT(sight), .otherwise = "8.0",
      .low = 1, .high = 1000, .unit = "cells",
      .help = "how far an agent that steers at every step looks" },
    { "pursuit.moves", KEY_WHOLE, PURSUIT(moves), .by_axes = { "8", "26" },
      .low = 4, .high = 26, .brief = true,
      .help = "of searches, from a cell: 4 or 8; 6 or 26 in 3D" },
    { "pursuit.measure", KEY_CHOICE, PURSUIT(measure),
      .otherwise = "\"length\"", .names = measure_names,
      .help = "of a move in searches: its length, or each 1, before costs" },
    { "pursuit.replan", KEY_WHOLE, PURSUIT(replan), .otherwise = "15",
      .low = 1, .high = 1e9, .unit = "steps", .help = "between searches" },
    { "pursuit.ties", KEY_CHOICE, PURSUIT(ties), .otherwise = "\"random\"",
      .names = tie_rule_names, .help = "between equally short ways" },
    { "pursuit.stop", KEY_CHOICE, PURSUIT(stop),
      .otherwise = "\"all-captured\"", .names = stop_rule_names, .brief = true,
      .help = "what ends the run before its steps" },
    { "pursuit.search_level", KEY_WHOLE, PURSUIT(search_level),
      .otherwise = "3", .low = 1, .high = 30, .help = "of relay and relay-complete: both halves are searched from "
"this depth on" },
    { "pursuit.slow", KEY_REAL, PURSUIT(slow), .otherwise = "0.02", .low = 0,
      .above = true, .high = 1, .unit = "c",
      .help = "speed of a wave-pincer's wave near the others' paths" },

    { "regions", KEY_GROUPS, ROOT(struct change_entry), .otherwise = "()",
      .help = "parts of the map: a box, and speed, cost or one_way" },
    { "regions.box", KEY_BOX, CHANGE(box), .required = true, .unit = "cells",
      .help = "both ends included; in 3D [x0, y0, z0, x1, y1, z1]" },
    { "regions.speed", KEY_REAL, CHANGE(speed),
      OPTIONAL(struct change_entry, has_speed), .low = 0, .above = true,
      .high = 1000, .unit = "c", .help = "of waves there, never of agents" },
    { "regions.cost", KEY_REAL, CHANGE(cost),
      OPTIONAL(struct change_entry, has_cost), .low = 0, .above = true,
      .high = 1e6, .help = "of a step into a cell, for searches" },
    { "regions.one_way", KEY_CHOICE, CHANGE(one_way),
      OPTIONAL(struct change_entry, has_one_way), .names = one_way_names + 1,
      .help = "the one way out of its cells" },

    { "events", KEY_GROUPS, ROOT(struct change_entry), .otherwise = "()",
      .help = "changes of the map: a step, a box, and set or speed" },
    { "events.step", KEY_WHOLE, CHANGE(step), .required = true, .low = 0,
      .high = LARGE, .unit = "steps",
      .help = "when; the row of that step has it" },
    { "events.box", KEY_BOX, CHANGE(box), .required = true, .unit = "cells",
      .help = "both ends included; in 3D [x0, y0, z0, x1, y1, z1]" },
    { "events.set", KEY_CHOICE, CHANGE(set),
      OPTIONAL(struct change_entry, has_set), .names = set_names,
      .help = "what its cells become" },
    { "events.speed", KEY_REAL, CHANGE(speed),
      OPTIONAL(struct change_entry, has_speed), .low = 0, .above = true,
      .high = 1000, .unit = "c", .help = "of waves there, never of agents" },

    { "record", KEY_GROUP, .help = "what the recording holds" },
    { "record.fields", KEY_SET, RECORD(fields),
      .depends = "amplitude, gradient, agents; agents without wave",
      .names = field_names, .help = "of every wave, and the agents" },
    { "record.every", KEY_WHOLE, RECORD(every), .otherwise = "1", .low = 1,
      .high = LARGE, .unit = "steps",
      .help = "a row; and one of the last step" },
    { "record.region", KEY_BOX, RECORD(region),
      OPTIONAL(struct record_settings, has_region), .depends = "the whole map",
      .unit = "cells", .help = "what the fields cover; both ends included" },
    { "record.commit", KEY_WHOLE, RECORD(commit), .otherwise = "0", .low = 0,
      .high = LARGE, .unit = "steps",
      .help = "between commits; 0: 256 MB or 2 s, more if the state is large" },
    { "record.keyframes", KEY_WHOLE, RECORD(keyframes), .otherwise = "0",
      .low = 0, .high = 1e9, .unit = "rows",
      .help = "K: of waves, rows 0, 1, K, K + 1, ... alone are stored; every "
              "tool computes the others, bit for bit; 0: all are stored" },

    { "scale", KEY_GROUP, .optional = true,
      .help = "labels of axes only" },
    { "scale.cell", KEY_REAL, SCALE(cell),
      OPTIONAL(struct scale_settings, has_cell), .low = 0, .above = true,
      .high = 1e12, .unit = "m", .help = "the side of a cell" },
    { "scale.step", KEY_REAL, SCALE(step),
      OPTIONAL(struct scale_settings, has_step), .low = 0, .above = true,
      .high = 1e12, .unit = "s", .help = "the time of a step" },
    { .path = NULL },
};
/* clang-format on */
