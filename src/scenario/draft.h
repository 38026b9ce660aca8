/* SPDX-License-Identifier: MIT */
/* What the keys of a scenario are read into: the scenario itself, and what of
 * the text only its printing needs. The table of keys points into these. */
#ifndef HAMON_SCENARIO_DRAFT_H
#define HAMON_SCENARIO_DRAFT_H

#include "scenario/scenario.h"

#include <string.h>

enum preset { PRESET_PAPER, PRESET_BEST };

/* Any array with its length, as the structs of scenario.h hold them: the
 * pointer, and the count behind it. */
struct list {
    void *items;
    size_t count;
};

/* The pointers of those structs have types of their own, so a list is copied
 * out of them and into them. */
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
    size_t height; /* rows a layer */
};

/* An entry of `regions` or `events`, as written. */
struct change_entry {
    int64_t step; /* of events */
    struct box box;
    bool has_set, has_speed, has_cost, has_one_way;
    int set; /* 0 wall, 1 free */
    double speed, cost;
    int one_way; /* a direction */
};

struct legend_draft {
    struct legend_entry entry;
    bool has_symbol;
};

struct draft {
    struct scenario scenario; /* first: a scenario is released as its draft */
    enum preset preset;
    bool has_file, has_rows, has_layers;
    struct drawing rows, layers;
    struct list legend;          /* legend_draft */
    struct list regions, events; /* change_entry */
    bool has_arrival, has_scale, has_cell, has_step;
};

#endif
