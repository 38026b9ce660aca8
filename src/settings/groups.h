/* SPDX-License-Identifier: MIT */
/* Structs for the groups of keys whose modules have no struct for them (wave.h,
 * arrival.h and pursuit/settings.h have their own), and for all of them. */
#ifndef HAMON_SETTINGS_GROUPS_H
#define HAMON_SETTINGS_GROUPS_H

#include "pursuit/settings.h"
#include "wave/arrival/arrival.h"
#include "wave/wave.h"
#include "world/maps/map.h"
#include "world/terrain.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum preset { PRESET_PAPER, PRESET_BEST };

/* Any array with its length, as in the settings structs: the pointer, and the
 * count after it. */
struct list {
    void *items;
    size_t count;
};

/* The pointers in those structs have their own types, so a list is copied out
 * and back. */
static inline struct list list_at(const void *at)
{
    struct list list;
    memcpy(&list, at, sizeof list);
    return list;
}

static inline void list_store(void *at, void *items, size_t count)
{
    struct list list = { items, count };
    memcpy(at, &list, sizeof list);
}

/* Rows of a map drawn in the scenario; height is 0 in 2D. */
struct drawing {
    char **rows; /* layer by layer */
    size_t count;
    size_t height; /* rows in each layer */
};

struct legend_draft {
    struct legend_entry entry;
    bool has_symbol;
};

struct map_settings {
    char *file;
    bool has_file, has_rows, has_layers;
    struct drawing rows, layers;
    struct list legend; /* legend_draft */
};

/* An entry of `regions` or `events`, as written. */
struct change_entry {
    int64_t step; /* of events */
    struct box box;
    char *name; /* of regions */
    bool has_name, has_set, has_speed, has_cost, has_one_way;
    int set; /* 0 wall, 1 free */
    double speed, cost;
    int one_way; /* a direction */
};

enum record_field {
    FIELD_AMPLITUDE = 1,
    FIELD_GRADIENT = 2,
    FIELD_AGENTS = 4,
    FIELD_ARRIVAL = 8,
};

struct record_settings {
    unsigned fields; /* record_field, or-ed */
    int64_t every;   /* steps between recorded generations */
    bool has_region;
    struct box region; /* the whole grid if has_region is false */
    int64_t commit;    /* steps between commits; 0: by bytes and time */
    int64_t keyframes; /* 0: every generation is stored */
};

/* Labels of axes. */
struct scale_settings {
    double cell, step; /* metres, seconds; 0 if not given */
    bool has_cell, has_step;
};

/* A scenario, checked and complete (scenario/scenario.h). */
struct scenario {
    char *path; /* the file it was read from, as given; "-" for stdin */
    char *text; /* its exact text */
    char *set;  /* its overrides, "wave.walls=free", one on each line */
    char *title;
    /* absolute, borrowed from the draft; NULL if the scenario draws its map */
    char *map_file;
    struct legend legend;
    /* with the regions applied; events are not applied */
    struct terrain terrain;
    int64_t steps;
    uint64_t seed;
    bool has_wave;
    struct wave_settings wave;
    struct arrival_settings arrival;
    bool has_target;
    struct target_settings target;
    struct agent_settings *agents;
    size_t agent_count; /* entries; see scenario_agents for agents */
    struct pursuit_settings pursuit;
    struct map_event *events; /* by step, in file order within a step */
    size_t event_count;
    struct record_settings record;
    double cell_metres, step_seconds; /* 0 if not given */
    char *resolved; /* the resolved scenario, itself a valid scenario */
    /* The same as lines `wave.delta = 0.25`, one for each key, in the order of
     * the keys: for readers without libconfig. The value is everything after
     * ` = `; a text has no quotes, and its control characters are written as
     * \xNN (wave.walls = free). */
    char *parameters;
    char **warnings; /* see scenario_warning */
    size_t warning_count;
};

/* The struct that the keys are read into: the scenario itself, and data of the
 * text that only its checks and its printing need. */
struct draft {
    /* first member: a scenario is released as its draft */
    struct scenario scenario;
    enum preset preset;
    struct map_settings map;
    struct list regions, events; /* change_entry */
    bool has_arrival, has_scale;
    struct scale_settings scale;
};

#endif
