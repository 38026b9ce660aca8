/* SPDX-License-Identifier: MIT */
#include "recording/format/schema.h"

#include "words/words.h"

const char *const run_state_names[] = { N_("running"), N_("done"),
                                        N_("stopped"), N_("diverged"), NULL };

const char *const arrival_quantity_names[] = { "amplitude", "log_sum",
                                               "front_step", NULL };

const char *const axis_names[AXES] = {
    [AXIS_NONE] = "",
    [AXIS_TIME] = "time",
    [AXIS_VERSION] = "version",
    [AXIS_Z] = "z",
    [AXIS_Y] = "y",
    [AXIS_X] = "x",
    [AXIS_AGENT] = "agent",
    [AXIS_NAME] = "name_length",
    [AXIS_METHOD] = "method_length",
    [AXIS_ARRIVAL] = "arrival",
    [AXIS_EMISSION] = "emission",
    [AXIS_CAPTURE] = "capture",
    [AXIS_PLAN] = "plan",
    [AXIS_PATH_CELL] = "path_cell",
    [AXIS_BYTE] = "byte",
    [AXIS_KEYFRAME] = "keyframe",
    [AXIS_TILE] = "tile",
    [AXIS_WORLD_TILE] = "world_tile",
    [AXIS_PLACE] = "place",
    [AXIS_TEXT] = "length",
};

size_t element_bytes(enum element_type type)
{
    static const size_t bytes[ELEMENT_TYPES] = {
        [TYPE_INT8] = 1,   [TYPE_INT32] = 4,   [TYPE_INT64] = 8,
        [TYPE_UINT32] = 4, [TYPE_FLOAT32] = 4, [TYPE_FLOAT64] = 8,
        [TYPE_CHAR] = 1,
    };
    return bytes[type];
}

size_t variable_elements(const struct variable *variable)
{
    size_t elements = 1;
    for (int axis = variable->by_row ? 1 : 0; axis < variable->rank; axis++)
        elements *= (size_t)variable->extent[axis];
    return elements;
}

const char *const relay_counter_names[RELAY_COUNTERS] = {
    "searches", "researches", "goals",
    "failures", "nodes_most", "researches_most",
};

const struct schema_table schema_tables[TABLES] = {
    [ARRIVALS] = { "arrivals", AXIS_ARRIVAL, PART_ARRIVALS },
    [EMISSIONS] = { "emissions", AXIS_EMISSION, PART_EMISSIONS },
    [CAPTURES] = { "captures", AXIS_CAPTURE, PART_CAPTURES },
    [PLANS] = { "plans", AXIS_PLAN, PART_PLANS },
};

#define SPACE AXIS_Z, AXIS_Y, AXIS_X
#define WALLS "free wall"
#define WAYS "any east west south north down up"
#define QUANTITY_FLAGS "amplitude log_sum front_step"
#define STATES "waiting moving captured stuck"
#define CELLS .scaled = SCALED_CELLS
#define STEPS .units = "1"
#define PLACE .key = "coordinates", .value = "@"

/* clang-format off */
const struct schema_entry schema[] = {
    { "time", ROLE_SCALE, TYPE_FLOAT64, false, { AXIS_TIME }, 0,
      .scaled = SCALED_TIME, .long_name = "generation", .key = "axis",
      .value = "T" },
    { "step", ROLE_PLAIN, TYPE_FLOAT64, false, { AXIS_TIME }, PART_SECONDS,
      STEPS, .long_name = "generation" },
    { "keyframe", ROLE_SCALE, TYPE_FLOAT64, false, { AXIS_KEYFRAME },
      PART_KEYFRAMES, STEPS, .long_name = "generation of a stored row of waves" },
    { "z", ROLE_SCALE, TYPE_FLOAT64, false, { AXIS_Z }, PART_DEPTH, CELLS,
      .long_name = "centre of the layer" },
    { "y", ROLE_SCALE, TYPE_FLOAT64, false, { AXIS_Y }, 0, CELLS,
      .long_name = "centre of the row, counted from the top" },
    { "x", ROLE_SCALE, TYPE_FLOAT64, false, { AXIS_X }, 0, CELLS,
      .long_name = "centre of the column" },
    { "cell_z", ROLE_PLAIN, TYPE_FLOAT64, false, { AXIS_Z },
      PART_METRES | PART_DEPTH, .units = "1", .long_name = "layer" },
    { "cell_y", ROLE_PLAIN, TYPE_FLOAT64, false, { AXIS_Y }, PART_METRES,
      .units = "1", .long_name = "row, counted from the top" },
    { "cell_x", ROLE_PLAIN, TYPE_FLOAT64, false, { AXIS_X }, PART_METRES,
      .units = "1", .long_name = "column" },
    { "version", ROLE_SCALE, TYPE_INT32, false, { AXIS_VERSION }, 0,
      .long_name = "version of the map" },
    { "version_step", ROLE_PLAIN, TYPE_FLOAT64, false, { AXIS_VERSION }, 0, STEPS,
      .long_name = "generation from which the version is in force" },
    { "wall", ROLE_ROWS, TYPE_INT8, false, { AXIS_VERSION, SPACE }, 0,
      .long_name = "walls", .flags = WALLS },
    { "speed", ROLE_ROWS, TYPE_FLOAT64, false, { AXIS_VERSION, SPACE },
      PART_SPEED, .units = "1",
      .long_name = "speed of waves over the speed of the medium" },
    { "cost", ROLE_ROWS, TYPE_FLOAT64, false, { AXIS_VERSION, SPACE },
      PART_COST, .units = "1", .long_name = "cost of a step into the cell" },
    { "one_way", ROLE_ROWS, TYPE_INT8, false, { AXIS_VERSION, SPACE },
      PART_ONE_WAY, .long_name = "the only direction in which a cell may be left",
      .flags = WAYS },
    { "wave#", ROLE_ROWS, TYPE_FLOAT32, true, { AXIS_TIME, SPACE },
      PART_AMPLITUDE, .units = "1", .long_name = "amplitude of wave #" },
    { "wave#_grad_@", ROLE_ROWS, TYPE_FLOAT32, true, { AXIS_TIME, SPACE },
      PART_GRADIENT, .units = "1",
      .long_name = "gradient of wave # along @, per cell" },
    { "wave#_arrival", ROLE_PLAIN, TYPE_INT32, false, { SPACE }, PART_ARRIVAL,
      STEPS, .long_name = "generation of the first arrival of wave #",
      .key = "comment", .value = "-1: never; at the source: the first emission" },

    { "world/z", ROLE_SCALE, TYPE_FLOAT64, false, { AXIS_Z },
      PART_WORLD | PART_DEPTH, CELLS, .long_name = "centre of the layer" },
    { "world/y", ROLE_SCALE, TYPE_FLOAT64, false, { AXIS_Y }, PART_WORLD, CELLS,
      .long_name = "centre of the row, counted from the top" },
    { "world/x", ROLE_SCALE, TYPE_FLOAT64, false, { AXIS_X }, PART_WORLD, CELLS,
      .long_name = "centre of the column" },
    { "world/cell_z", ROLE_PLAIN, TYPE_FLOAT64, false, { AXIS_Z },
      PART_WORLD | PART_METRES | PART_DEPTH, .units = "1",
      .long_name = "layer" },
    { "world/cell_y", ROLE_PLAIN, TYPE_FLOAT64, false, { AXIS_Y },
      PART_WORLD | PART_METRES, .units = "1",
      .long_name = "row, counted from the top" },
    { "world/cell_x", ROLE_PLAIN, TYPE_FLOAT64, false, { AXIS_X },
      PART_WORLD | PART_METRES, .units = "1", .long_name = "column" },
    { "world/wall", ROLE_ROWS, TYPE_INT8, false, { AXIS_VERSION, SPACE },
      PART_WORLD, .long_name = "walls", .flags = WALLS },
    { "world/speed", ROLE_ROWS, TYPE_FLOAT64, false, { AXIS_VERSION, SPACE },
      PART_WORLD | PART_SPEED, .units = "1",
      .long_name = "speed of waves over the speed of the medium" },
    { "world/cost", ROLE_ROWS, TYPE_FLOAT64, false, { AXIS_VERSION, SPACE },
      PART_WORLD | PART_COST, .units = "1",
      .long_name = "cost of a step into the cell" },
    { "world/one_way", ROLE_ROWS, TYPE_INT8, false, { AXIS_VERSION, SPACE },
      PART_WORLD | PART_ONE_WAY,
      .long_name = "the only direction in which a cell may be left",
      .flags = WAYS },

    { "agents/agent", ROLE_SCALE, TYPE_INT32, false, { AXIS_AGENT },
      PART_AGENTS, .long_name = "agent" },
    { "agents/name_length", ROLE_DIMENSION, TYPE_FLOAT32, false, { AXIS_NAME },
      PART_AGENTS, .units = NULL },
    { "agents/method_length", ROLE_DIMENSION, TYPE_FLOAT32, false,
      { AXIS_METHOD }, PART_AGENTS, .units = NULL },
    { "agents/name", ROLE_PLAIN, TYPE_CHAR, false, { AXIS_AGENT, AXIS_NAME },
      PART_AGENTS, .long_name = "name", .key = "cf_role",
      .value = "trajectory_id" },
    { "agents/method", ROLE_PLAIN, TYPE_CHAR, false,
      { AXIS_AGENT, AXIS_METHOD }, PART_AGENTS,
      .long_name = "method that steers the agent" },
    { "agents/@", ROLE_ROWS, TYPE_FLOAT64, false, { AXIS_TIME, AXIS_AGENT },
      PART_AGENTS, CELLS, .long_name = "position along @" },
    { "agents/heading_@", ROLE_ROWS, TYPE_FLOAT64, false,
      { AXIS_TIME, AXIS_AGENT }, PART_AGENTS, .units = "1",
      .long_name = "heading along @", PLACE },
    { "agents/state", ROLE_ROWS, TYPE_INT8, false, { AXIS_TIME, AXIS_AGENT },
      PART_AGENTS, .long_name = "state", .flags = STATES, PLACE },

    { "target/@", ROLE_ROWS, TYPE_FLOAT64, false, { AXIS_TIME }, PART_TARGET,
      CELLS, .long_name = "position along @" },
    { "target/heading_@", ROLE_ROWS, TYPE_FLOAT64, false, { AXIS_TIME },
      PART_TARGET, .units = "1", .long_name = "heading along @", PLACE },
    { "target/state", ROLE_ROWS, TYPE_INT8, false, { AXIS_TIME }, PART_TARGET,
      .long_name = "state", .flags = STATES, PLACE },

    { "relay/searches", ROLE_ROWS, TYPE_INT64, false, { AXIS_TIME }, PART_RELAY,
      .units = "1", .long_name = "searches that the relay walkers made so far" },
    { "relay/researches", ROLE_ROWS, TYPE_INT64, false, { AXIS_TIME }, PART_RELAY,
      .units = "1", .long_name = "of these, at a node whose next leg was not straight" },
    { "relay/goals", ROLE_ROWS, TYPE_INT64, false, { AXIS_TIME }, PART_RELAY,
      .units = "1", .long_name = "goals reached so far" },
    { "relay/failures", ROLE_ROWS, TYPE_INT64, false, { AXIS_TIME }, PART_RELAY,
      .units = "1", .long_name = "searches that found no path, so far" },
    { "relay/nodes_most", ROLE_ROWS, TYPE_INT64, false, { AXIS_TIME }, PART_RELAY,
      .units = "1", .long_name = "largest number of nodes in a route so far" },
    { "relay/researches_most", ROLE_ROWS, TYPE_INT64, false, { AXIS_TIME }, PART_RELAY,
      .units = "1", .long_name = "largest number of repeated searches for one goal so far" },

    { "arrivals/arrival", ROLE_DIMENSION, TYPE_FLOAT32, false,
      { AXIS_ARRIVAL }, PART_ARRIVALS, .units = NULL },
    { "arrivals/agent", ROLE_TABLE, TYPE_INT32, false, { AXIS_ARRIVAL },
      PART_ARRIVALS, .long_name = "agent" },
    { "arrivals/wave", ROLE_TABLE, TYPE_INT32, false, { AXIS_ARRIVAL },
      PART_ARRIVALS, .long_name = "wave" },
    { "arrivals/step", ROLE_TABLE, TYPE_INT64, false, { AXIS_ARRIVAL },
      PART_ARRIVALS, STEPS, .long_name = "generation" },
    { "arrivals/amplitude", ROLE_TABLE, TYPE_FLOAT64, false, { AXIS_ARRIVAL },
      PART_ARRIVALS, .units = "1",
      .long_name = "what the agent detected at its place: see quantity" },
    { "arrivals/gradient_@", ROLE_TABLE, TYPE_FLOAT64, false, { AXIS_ARRIVAL },
      PART_ARRIVALS, .units = "1",
      .long_name = "gradient of that along @, per cell" },
    { "arrivals/heading_@", ROLE_TABLE, TYPE_FLOAT64, false, { AXIS_ARRIVAL },
      PART_ARRIVALS, .units = "1", .long_name = "heading taken, along @" },
    { "arrivals/quantity", ROLE_TABLE, TYPE_INT8, false, { AXIS_ARRIVAL },
      PART_QUANTITY, .long_name = "what amplitude is: z of the wave, the natural "
      "logarithm of the Laplace-weighted sum, or steps of a Lee front",
      .flags = QUANTITY_FLAGS },

    { "emissions/emission", ROLE_DIMENSION, TYPE_FLOAT32, false,
      { AXIS_EMISSION }, PART_EMISSIONS, .units = NULL },
    { "emissions/wave", ROLE_TABLE, TYPE_INT32, false, { AXIS_EMISSION },
      PART_EMISSIONS, .long_name = "wave" },
    { "emissions/step", ROLE_TABLE, TYPE_INT64, false, { AXIS_EMISSION },
      PART_EMISSIONS, STEPS, .long_name = "generation" },
    { "emissions/@", ROLE_TABLE, TYPE_INT32, false, { AXIS_EMISSION },
      PART_EMISSIONS, CELLS, .long_name = "cell of the source along @" },

    { "captures/capture", ROLE_DIMENSION, TYPE_FLOAT32, false,
      { AXIS_CAPTURE }, PART_CAPTURES, .units = NULL },
    { "captures/agent", ROLE_TABLE, TYPE_INT32, false, { AXIS_CAPTURE },
      PART_CAPTURES, .long_name = "agent that captured" },
    { "captures/target", ROLE_TABLE, TYPE_INT32, false, { AXIS_CAPTURE },
      PART_CAPTURES, .long_name = "target that was captured" },
    { "captures/step", ROLE_TABLE, TYPE_INT64, false, { AXIS_CAPTURE },
      PART_CAPTURES, STEPS, .long_name = "generation" },

    { "plans/plan", ROLE_DIMENSION, TYPE_FLOAT32, false, { AXIS_PLAN },
      PART_PLANS, .units = NULL },
    { "plans/path_cell", ROLE_DIMENSION, TYPE_FLOAT32, false,
      { AXIS_PATH_CELL }, PART_PLANS, .units = NULL },
    { "plans/agent", ROLE_TABLE, TYPE_INT32, false, { AXIS_PLAN }, PART_PLANS,
      .long_name = "agent" },
    { "plans/step", ROLE_TABLE, TYPE_INT64, false, { AXIS_PLAN }, PART_PLANS,
      STEPS, .long_name = "generation" },
    { "plans/expansions", ROLE_TABLE, TYPE_INT64, false, { AXIS_PLAN },
      PART_PLANS, .units = "1", .long_name = "cells expanded" },
    { "plans/nanoseconds", ROLE_TABLE, TYPE_INT64, false, { AXIS_PLAN },
      PART_PLANS, .units = "ns", .long_name = "time taken" },
    { "plans/row_size", ROLE_TABLE, TYPE_INT32, false, { AXIS_PLAN },
      PART_PLANS, .long_name = "cells of the path", .key = "sample_dimension",
      .value = "path_cell" },
    { "plans/@", ROLE_TABLE, TYPE_INT32, false, { AXIS_PATH_CELL }, PART_PLANS,
      CELLS, .long_name = "cell of a path along @, path after path" },

    { "restart/byte", ROLE_DIMENSION, TYPE_FLOAT32, false, { AXIS_BYTE },
      PART_RESTART, .units = NULL },
    { "restart/state0", ROLE_PLAIN, TYPE_INT8, false, { AXIS_BYTE },
      PART_RESTART, .long_name = "state to resume from, even commits" },
    { "restart/state1", ROLE_PLAIN, TYPE_INT8, false, { AXIS_BYTE },
      PART_RESTART, .long_name = "state to resume from, odd commits" },

    { "chunk/tile", ROLE_DIMENSION, TYPE_FLOAT32, false, { AXIS_TILE },
      PART_PACKED, .units = NULL },
    { "chunk/world_tile", ROLE_DIMENSION, TYPE_FLOAT32, false,
      { AXIS_WORLD_TILE }, PART_PACKED | PART_WORLD, .units = NULL },
    { "chunk/place", ROLE_DIMENSION, TYPE_FLOAT32, false, { AXIS_PLACE },
      PART_PACKED, .units = NULL },

    { "status/committed", ROLE_PLAIN, TYPE_INT64, false, { 0 }, 0,
      .long_name = "rows that are whole; rows from here on do not exist" },
    { "status/state", ROLE_PLAIN, TYPE_INT64, false, { 0 }, 0,
      .long_name = "state of the run",
      .flags = "running done stopped diverged" },
    { "status/sequence", ROLE_PLAIN, TYPE_INT64, false, { 0 }, 0,
      .long_name = "commits made" },
    { "status/arrivals", ROLE_PLAIN, TYPE_INT64, false, { 0 }, 0,
      .long_name = "rows used of /arrivals" },
    { "status/emissions", ROLE_PLAIN, TYPE_INT64, false, { 0 }, 0,
      .long_name = "rows used of /emissions" },
    { "status/captures", ROLE_PLAIN, TYPE_INT64, false, { 0 }, 0,
      .long_name = "rows used of /captures" },
    { "status/plans", ROLE_PLAIN, TYPE_INT64, false, { 0 }, 0,
      .long_name = "rows used of /plans" },
    { "status/plan_cells", ROLE_PLAIN, TYPE_INT64, false, { 0 }, 0,
      .long_name = "path cells used of /plans" },
    { "provenance/step_nanoseconds", ROLE_PLAIN, TYPE_INT64, false, { 0 },
      PART_TIME, .units = "ns",
      .long_name = "time to simulate a step, mean; 0: not measured" },
    { NULL, ROLE_PLAIN, TYPE_CHAR, false, { 0 }, 0, .units = NULL },
};

const struct schema_entry schema_crc = {
    "crc", ROLE_PLAIN, TYPE_UINT32, false, { 0 }, 0,
    .long_name = "CRC-32C of each row",
};
const struct schema_entry schema_chunk = {
    "chunk", ROLE_PLAIN, TYPE_INT64, false, { 0 }, PART_PACKED,
    .long_name = "where the file has each chunk: address, bytes; 0: none",
};
const struct schema_entry schema_text = {
    "provenance", ROLE_PLAIN, TYPE_CHAR, false, { AXIS_TEXT }, 0, .units = NULL,
};
const struct schema_entry schema_text_length = {
    "provenance", ROLE_DIMENSION, TYPE_FLOAT32, false, { AXIS_TEXT }, 0, .units = NULL };
/* clang-format on */

const struct schema_group schema_groups[] = {
    { "agents", "featureType", "trajectory" },
    { "target", "featureType", "trajectory" },
    { "relay", NULL, NULL },
    { NULL, NULL, NULL },
};
