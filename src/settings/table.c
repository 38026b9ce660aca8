/* SPDX-License-Identifier: MIT */
/* Every key of a scenario: its type, default, range, unit and help. */
#include "settings/keys.h"

#include "settings/groups.h"
#include "words/words.h"

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
#define ROOT(member) IN(struct draft, member)
#define LIST(type, member, item)                                               \
    .offset = offsetof(type, member), .size = sizeof(item)
/* A key that may be absent without a default. */
#define OPTIONAL(type, member) .optional = true, .given = offsetof(type, member)
#define NAMED(list) .rows = (const void *const *)(list)

#define LARGE 1e12 /* steps: exact as a double, and no counter overflows */

/* clang-format off */
const struct key keys[] = {
    { "title", KEY_TEXT, ROOT(scenario.title), .otherwise = "\"\"",
      .high = LONGEST_TITLE,
      .help = "title of the recording" },
    { "preset", KEY_CHOICE, ROOT(preset), .otherwise = "\"paper\"",
      .names = preset_names, .brief = true,
      .help = "which defaults apply to keys that are not given: the "
              "published method, or the best known remedy (free walls, "
              "laplace)" },
    { "steps", KEY_WHOLE, ROOT(scenario.steps), .required = true, .low = 1,
      .high = LARGE, .unit = N_("steps"),
      .help = "number of steps to run" },
    { "seed", KEY_WHOLE, ROOT(scenario.seed), .otherwise = "1", .low = 0,
      .high = 0x1p63,
      .help = "seed of all random choices" },

    { "map", KEY_GROUP, ROOT(map), .required = true,
      .help = "the map, by one of file, rows and layers" },
    { "map.file", KEY_PATH, MAP(file), OPTIONAL(struct map_settings, has_file),
      .help = ".map, .3dmap or .png, relative to the scenario; .3dmap is a "
              "line `voxel NX NY NZ`, then a line `X Y Z` for each wall "
              "cell; in a PNG black is wall and white is free, other "
              "colours by map.legend" },
    { "map.rows", KEY_ROWS, MAP(rows), OPTIONAL(struct map_settings, has_rows),
      .help = "a 2D map, a text for each row, . free and @ blocked; the "
              "first row is y = 0" },
    { "map.layers", KEY_LAYERS, MAP(layers),
      OPTIONAL(struct map_settings, has_layers),
      .help = "a 3D map: the rows of each layer; the first layer is the top "
              "one, z = 0" },
    { "map.legend", KEY_GROUPS,
      LIST(struct map_settings, legend, struct legend_draft),
      .otherwise = "()",
      .help = "meanings of symbols and colours, before the format's own" },
    { "map.legend.symbol", KEY_SYMBOL, LEGEND(entry.symbol),
      OPTIONAL(struct legend_draft, has_symbol),
      .help = "a symbol of rows, layers or a .map file; either this or "
              "color" },
    { "map.legend.color", KEY_COLOR, LEGEND(entry.color),
      OPTIONAL(struct legend_draft, entry.by_color),
      .help = "a colour of a PNG map" },
    { "map.legend.wall", KEY_SWITCH, LEGEND(entry.wall), .otherwise = "false",
      .help = "whether the cell is a wall" },
    { "map.legend.speed", KEY_REAL, LEGEND(entry.speed), .otherwise = "1.0",
      .low = 0, .above = true, .high = 1000, .unit = N_("c"),
      .help = "speed of waves in the cell" },
    { "map.legend.cost", KEY_REAL, LEGEND(entry.cost), .otherwise = "1.0",
      .low = 0, .above = true, .high = 1e6,
      .help = "cost of a step into the cell, for searches" },
    { "map.legend.one_way", KEY_CHOICE, LEGEND(entry.one_way),
      .otherwise = "\"none\"", .names = one_way_names,
      .help = "the only direction in which the cell may be left" },

    { "wave", KEY_GROUP, ROOT(scenario.wave),
      OPTIONAL(struct draft, scenario.has_wave),
      .help = "the waves that the target sends; without this group there "
              "are none" },
    { "wave.count", KEY_WHOLE, WAVE(count), .otherwise = "3",
      .best = "12", .low = 1, .high = 1000, .brief = true,
      .help = "n, number of waves at the same time" },
    { "wave.lifetime", KEY_WHOLE, WAVE(lifetime), .otherwise = "300",
      .best = "120", .low = 1, .high = 1e9, .unit = N_("steps"), .brief = true,
      .help = "T; wave i is sent at steps iT/n + mT, m = 0, 1, ..." },
    { "wave.delta", KEY_REAL, WAVE(delta), .otherwise = "0.25", .low = 0,
      .above = true, .high = INFINITY, .brief = true,
      .help = "(c dt/dh)^2; stable up to 1/2 (5-point), 3/4 (9-point), 1/3 "
              "(7-point), 9/13 (27-point)" },
    { "wave.amplitude", KEY_REAL, WAVE(amplitude), .otherwise = "1.0",
      .low = 0, .above = true, .high = INFINITY, .brief = true,
      .help = "A, amplitude of the source; any that the precision can "
              "represent" },
    { "wave.damping", KEY_REAL, WAVE(damping), .otherwise = "0.0", .low = 0,
      .high = 1000, .unit = N_("1/step"), .brief = true,
      .help = "mu, damping in equation 1" },
    { "wave.walls", KEY_CHOICE, WAVE(walls), .otherwise = "\"fixed\"",
      .best = "\"free\"", .names = wall_rule_names, .brief = true,
      .help = "fixed: z = 0 at walls, which reflect with the opposite sign; "
              "free: mirrors, which keep the sign; no wall absorbs" },
    { "wave.edge", KEY_CHOICE, WAVE(edge),
      OPTIONAL(struct wave_settings, has_edge), .depends = "mirror",
      .names = edge_rule_names,
      .help = "mirror: the map's edge reflects waves, with their sign; open: "
              "waves leave the map there and do not come back" },
    { "wave.edges", KEY_SET, WAVE(edges),
      OPTIONAL(struct wave_settings, has_edges),
      .depends = "all with edge open, else none",
      .names = one_way_names + 1,
      .help = "the open edges, if the others are mirrors" },
    { "wave.stencil", KEY_NAMED, WAVE(stencil),
      .by_axes = { "5-point", "7-point" }, NAMED(stencils), .brief = true,
      .help = "stencil of the Laplacian" },
    { "wave.source", KEY_CHOICE, WAVE(source), .otherwise = "\"impulse\"",
      .names = source_names, .brief = true,
      .help = "how the source starts a wave" },
    { "wave.sigma", KEY_REAL, WAVE(sigma), .otherwise = "2.0", .low = 0,
      .above = true, .high = 1e6, .unit = N_("cells"),
      .help = "width of source gaussian" },
    { "wave.wavelength", KEY_REAL, WAVE(wavelength), .otherwise = "20.0",
      .low = 2, .high = 1e6, .unit = N_("cells"),
      .help = "peak wavelength of source ricker" },
    { "wave.signal", KEY_NUMBERS, WAVE(signal),
      OPTIONAL(struct wave_settings, has_signal),
      .help = "of source signal: what is added to the source's cell at each "
              "step, over amplitude; of source mode: what passes the section "
              "at each step" },
    { "wave.signal_file", KEY_PATH, WAVE(signal_file),
      OPTIONAL(struct wave_settings, has_signal_file),
      .help = "a text file of these numbers, relative to the scenario; the "
              "recording then has them as signal" },
    { "wave.section", KEY_BOX, WAVE(section),
      OPTIONAL(struct wave_settings, has_section), .unit = N_("cells"),
      .help = "of source mode: the cells of a cross-section of a corridor, "
              "one cell long, from which the mode travels" },
    { "wave.toward", KEY_CHOICE, WAVE(toward),
      OPTIONAL(struct wave_settings, has_toward), .names = one_way_names + 1,
      .help = "of source mode: the direction in which it travels; nothing "
              "travels back" },
    { "wave.mode", KEY_WHOLE, WAVE(mode),
      OPTIONAL(struct wave_settings, has_mode), .depends = "the lowest",
      .low = 0, .high = 1e9,
      .help = "of source mode: its number, from 1 on between fixed walls, "
              "from 0 on between free ones" },
    { "wave.second_mode", KEY_WHOLE, WAVE(second_mode),
      OPTIONAL(struct wave_settings, has_second_mode),
      .depends = "the lowest", .low = 0, .high = 1e9,
      .help = "the same along the second axis across a duct in 3D" },
    { "wave.frequency", KEY_REAL, WAVE(frequency),
      OPTIONAL(struct wave_settings, has_frequency), .low = 0, .above = true,
      .high = 3.14159265358979312, .unit = N_("rad/step"),
      .help = "of source mode: of a wave that does not end" },
    { "wave.band", KEY_NUMBERS, WAVE(band),
      OPTIONAL(struct wave_settings, has_band), .unit = N_("rad/step"),
      .help = "of source mode: the lowest and the highest frequency of a "
              "pulse, where its spectrum is a tenth of its largest" },
    { "wave.precision", KEY_CHOICE, WAVE(precision), .otherwise = "\"single\"",
      .names = precision_names, .brief = true,
      .help = "precision of amplitudes, computed and recorded" },
    { "wave.speed_form", KEY_CHOICE, WAVE(speed_form),
      .otherwise = "\"c2-laplacian\"", .names = speed_form_names,
      .brief = true,
      .help = "form of the equation if speeds differ between cells" },
    { "wave.restart", KEY_CHOICE, WAVE(restart), .otherwise = "\"lifetime\"",
      .best = "\"received\"", .names = wave_restart_names, .brief = true,
      .help = "when a wave is sent again: after its lifetime; on-arrival: "
              "when it arrives (count = 1 only); received: after its "
              "lifetime, unless a receiver that it can reach needs it" },
    { "wave.allow_unstable", KEY_SWITCH, WAVE(allow_unstable),
      .otherwise = "false",
      .help = "allow delta above the limit of stability, to record the "
              "divergence" },
    { "wave.denormals", KEY_CHOICE, WAVE(flush_denormals),
      .otherwise = "\"flush\"", .names = denormals_names, .brief = true,
      .help = "flush: subnormal amplitudes become 0, which is faster; the "
              "leading edge then ends earlier" },

    { "arrival", KEY_GROUP, ROOT(scenario.arrival),
      OPTIONAL(struct draft, has_arrival),
      .help = "when a wave has arrived at a cell, and the heading there" },
    { "arrival.detector", KEY_NAMED, ARRIVAL(detector),
      .otherwise = "\"threshold\"", .best = "\"laplace\"",
      NAMED(detectors), .brief = true,
      .help = "rule that detects arrivals; k below is the wave's age in "
              "steps" },
    { "arrival.threshold", KEY_REAL, ARRIVAL(threshold), .otherwise = "1e-5",
      .low = 0, .above = true, .high = 1, .unit = N_("A"), .help = "of threshold: |z| >= threshold A" },
    { "arrival.heading", KEY_CHOICE, ARRIVAL(heading),
      .otherwise = "\"paper\"", .best = "\"signed\"",
      .names = heading_rule_names, .brief = true,
      .help = "rule that computes the heading from the wave" },
    { "arrival.older_waves", KEY_CHOICE, ARRIVAL(ignore_older),
      .otherwise = "\"taken\"", .best = "\"ignored\"", .names = older_names,
      .help = "whether arrivals of a wave count after those of a wave sent "
              "later" },
    { "arrival.cap", KEY_REAL, ARRIVAL(cap), .otherwise = "1e-4", .low = 0,
      .above = true, .high = 1, .unit = N_("A"),
      .help = "of capped-exponential: |z| >= A min(cap, exp(-beta k))" },
    { "arrival.beta", KEY_REAL, ARRIVAL(beta), .otherwise = "0.3",
      .best = "0.4", .low = 0, .high = 100, .unit = N_("1/step"),
      .help = "of capped-exponential: see cap" },
    { "arrival.p", KEY_REAL, ARRIVAL(p), .otherwise = "1.0", .best = "1.5",
      .low = 0, .above = true, .high = 20, .unit = N_("1/step"),
      .help = "of laplace: p of the weight exp(-pk)" },
    { "arrival.eta", KEY_REAL, ARRIVAL(eta), .otherwise = "0.01",
      .best = "0.3", .low = 0, .above = true, .high = 1,
      .help = "of laplace: arrived when |y| <= eta U" },
    { "arrival.stencil", KEY_CHOICE, ARRIVAL(stencil), .otherwise = "\"wave\"",
      .best = "\"matched\"", .names = sum_stencil_names, .later = true,
      .help = "of laplace: stencil of its own wave: as the run's wave; "
              "matched: 9 or 27 points, weighted for equal decay in all "
              "directions at each cell's speed, between free walls" },
    { "arrival.range", KEY_WHOLE, ARRIVAL(range), .otherwise = "0", .low = 0,
      .high = 2000, .unit = N_("bits"),
      .help = "of laplace: smallest value kept at the leading edge, in bits "
              "below the largest; 0: 66, or 146 with fixed walls unless "
              "matched; with speed areas up to 600, as many as fit" },

    { "target", KEY_GROUP, ROOT(scenario.target),
      OPTIONAL(struct draft, scenario.has_target),
      .help = "the target, which sends the waves and is pursued" },
    { "target.at", KEY_PLACE, TARGET(place), .required = true, .unit = N_("cells"),
      .help = "start of the target" },
    { "target.motion", KEY_CHOICE, TARGET(motion), .otherwise = "\"still\"",
      .names = target_motion_names,
      .help = "how the target moves" },
    { "target.speed", KEY_REAL, TARGET(speed), .otherwise = "0.1", .low = 0,
      .high = 0.5, .unit = N_("cells/step"),
      .help = "speed of the target" },
    { "target.waypoints", KEY_POSITIONS,
      LIST(struct target_settings, waypoints, double[GRID_AXES]),
      .otherwise = "()", .unit = N_("cells"),
      .help = "of motion waypoints: its positions in order" },

    { "agents", KEY_GROUPS,
      LIST(struct draft, scenario.agents, struct agent_settings), .otherwise = "()",
      .help = "the agents that pursue, an entry for each kind" },
    { "agents.name", KEY_TEXT, AGENT(name),
      OPTIONAL(struct agent_settings, has_name),
      .depends = "agent1, agent2, ...", .high = LONGEST_NAME,
      .help = "with count > 1: name1, name2, ...; agents without a name are "
              "counted through all entries" },
    { "agents.count", KEY_WHOLE, AGENT(count), .otherwise = "1", .low = 1,
      .high = AGENTS_LIMIT, .help = "agents of this kind" },
    { "agents.at", KEY_PLACE, AGENT(place), .required = true, .unit = N_("cells"),
      .help = "start; random: a free cell from which the target can be "
              "reached, chosen by the seed" },
    { "agents.min_distance", KEY_REAL, AGENT(place.min_distance),
      .otherwise = "0.0", .low = 0, .high = 1e9, .unit = N_("cells"),
      .help = "smallest distance from the target if at = random" },
    { "agents.method", KEY_CHOICE, AGENT(method), .otherwise = "\"wave\"",
      NAMED(agent_methods),
      .help = "how an agent finds its path; lee: down the step counts of a "
              "front that spreads from the target along the axes; relay: by "
              "relay nodes as printed; relay-complete: the same, reaching "
              "every goal" },
    { "agents.speed", KEY_REAL, AGENT(speed), .otherwise = "0.15", .low = 0,
      .high = 0.5, .unit = N_("cells/step"),
      .help = "speed of the agent" },
    { "agents.steering", KEY_CHOICE, AGENT(steering),
      OPTIONAL(struct agent_settings, has_steering),
      .depends = "pursuit.steering", .names = steering_rule_names,
      .help = "pursuit.steering for this kind only" },
    { "agents.goal", KEY_CHOICE, AGENT(goal_random), .otherwise = "\"target\"",
      .names = goal_names,
      .help = "random: walks from one random goal to the next and pursues "
              "nobody; for dijkstra, astar, fast-marching, dstar-lite, "
              "relay and relay-complete" },

    { "pursuit", KEY_GROUP, ROOT(scenario.pursuit),
      .help = "the rules of the chase" },
    { "pursuit.capture_radius", KEY_REAL, PURSUIT(capture_radius),
      .otherwise = "1.5", .low = 0, .high = 1e6, .unit = N_("cells"),
      .brief = true,
      .help = "distance between centres at which an agent captures; walls "
              "are ignored" },
    { "pursuit.steering", KEY_CHOICE, PURSUIT(steering),
      .otherwise = "\"emission\"", .best = "\"every-cell\"",
      .names = steering_rule_names,
      .help = "when wave and lee agents take a heading: once for each "
              "arrival (emission), or from the newest wave in the cells near "
              "them, at every step or in every cell that they enter" },
    { "pursuit.sight", KEY_REAL, PURSUIT(sight), .otherwise = "8.0",
      .low = 1, .high = 1000, .unit = N_("cells"),
      .help = "of steering every-step and every-cell: how far an agent looks" },
    { "pursuit.moves", KEY_WHOLE, PURSUIT(moves), .by_axes = { "8", "26" },
      .low = 4, .high = 26, .brief = true,
      .help = "moves from a cell in searches: 4 or 8; 6 or 26 in 3D" },
    { "pursuit.measure", KEY_CHOICE, PURSUIT(measure),
      .otherwise = "\"length\"", .names = measure_names,
      .help = "cost of a move in searches, before costs of cells: its "
              "length, or 1" },
    { "pursuit.replan", KEY_WHOLE, PURSUIT(replan), .otherwise = "15",
      .low = 1, .high = 1e9, .unit = N_("steps"),
      .help = "steps between searches" },
    { "pursuit.ties", KEY_CHOICE, PURSUIT(ties), .otherwise = "\"random\"",
      .names = tie_rule_names,
      .help = "choice between equally short paths" },
    { "pursuit.stop", KEY_CHOICE, PURSUIT(stop),
      .otherwise = "\"all-captured\"", .names = stop_rule_names, .brief = true,
      .help = "what ends the run before all its steps" },
    { "pursuit.search_level", KEY_WHOLE, PURSUIT(search_level),
      .otherwise = "3", .low = 1, .high = 30,
      .help = "of relay and relay-complete: from this depth on both halves "
              "are searched" },
    { "pursuit.slow", KEY_REAL, PURSUIT(slow), .otherwise = "0.02", .low = 0,
      .above = true, .high = 1, .unit = N_("c"),
      .help = "of wave-pincer: speed of an agent's wave near the paths of "
              "the others" },

    { "regions", KEY_GROUPS,
      LIST(struct draft, regions, struct change_entry), .otherwise = "()",
      .help = "areas of the map: a box, and speed, cost or one_way" },
    { "regions.box", KEY_BOX, CHANGE(box), .required = true, .unit = N_("cells"),
      .help = "both ends included; in 3D [x0, y0, z0, x1, y1, z1]" },
    { "regions.name", KEY_TEXT, CHANGE(name),
      OPTIONAL(struct change_entry, has_name),
      .depends = "its speed and place", .high = LONGEST_NAME,
      .help = "name of the area in pictures and tables" },
    { "regions.speed", KEY_REAL, CHANGE(speed),
      OPTIONAL(struct change_entry, has_speed), .low = 0, .above = true,
      .high = 1000, .unit = N_("c"),
      .help = "speed of waves there; agents are not slowed" },
    { "regions.cost", KEY_REAL, CHANGE(cost),
      OPTIONAL(struct change_entry, has_cost), .low = 0, .above = true,
      .high = 1e6,
      .help = "cost of a step into a cell, for searches" },
    { "regions.one_way", KEY_CHOICE, CHANGE(one_way),
      OPTIONAL(struct change_entry, has_one_way), .names = one_way_names + 1,
      .help = "the only direction in which its cells may be left" },

    { "events", KEY_GROUPS,
      LIST(struct draft, events, struct change_entry), .otherwise = "()",
      .help = "changes of the map during the run: a step, a box, and set or "
              "speed" },
    { "events.step", KEY_WHOLE, CHANGE(step), .required = true, .low = 0,
      .high = LARGE, .unit = N_("steps"),
      .help = "step of the change; the frame of this step has it" },
    { "events.box", KEY_BOX, CHANGE(box), .required = true, .unit = N_("cells"),
      .help = "both ends included; in 3D [x0, y0, z0, x1, y1, z1]" },
    { "events.set", KEY_CHOICE, CHANGE(set),
      OPTIONAL(struct change_entry, has_set), .names = set_names,
      .help = "what its cells become" },
    { "events.speed", KEY_REAL, CHANGE(speed),
      OPTIONAL(struct change_entry, has_speed), .low = 0, .above = true,
      .high = 1000, .unit = N_("c"),
      .help = "speed of waves there; agents are not slowed" },

    { "record", KEY_GROUP, ROOT(scenario.record),
      .help = "what is recorded" },
    { "record.fields", KEY_SET, RECORD(fields),
      .depends = "amplitude, gradient, agents; agents without wave",
      .names = field_names,
      .help = "fields of every wave, and the agents" },
    { "record.every", KEY_WHOLE, RECORD(every), .otherwise = "1", .low = 1,
      .high = LARGE, .unit = N_("steps"),
      .help = "steps between recorded frames; the last step is recorded too" },
    { "record.region", KEY_BOX, RECORD(region),
      OPTIONAL(struct record_settings, has_region), .depends = "the whole map",
      .unit = N_("cells"),
      .help = "cells that recorded fields cover; both ends included" },
    { "record.commit", KEY_WHOLE, RECORD(commit), .otherwise = "0", .low = 0,
      .high = LARGE, .unit = N_("steps"),
      .help = "steps between commits; 0: after 256 MB or 2 s, less often if "
              "the state is large" },
    { "record.keyframes", KEY_WHOLE, RECORD(keyframes), .otherwise = "0",
      .low = 0, .high = 1e9, .unit = N_("frames"),
      .help = "K: of waves only frames 0, 1, K, K + 1, ... are stored; "
              "every tool computes the others, bit for bit; 0: all are "
              "stored" },

    { "scale", KEY_GROUP, ROOT(scale),
      OPTIONAL(struct draft, has_scale),
      .help = "physical units, for labels of axes only" },
    { "scale.cell", KEY_REAL, SCALE(cell),
      OPTIONAL(struct scale_settings, has_cell), .low = 0, .above = true,
      .high = 1e12, .unit = N_("m"),
      .help = "side of a cell" },
    { "scale.step", KEY_REAL, SCALE(step),
      OPTIONAL(struct scale_settings, has_step), .low = 0, .above = true,
      .high = 1e12, .unit = N_("s"),
      .help = "duration of a step" },
    { .path = NULL },
};
/* clang-format on */
