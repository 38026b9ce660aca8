/* SPDX-License-Identifier: MIT */
/* Regions and events: from entries to changes of the terrain. */
#include "base/memory.h"
#include "scenario/load.h"

#include <stdlib.h>

enum { KINDS = 4 }; /* the largest number of changes that one entry can have */

/* The changes of an entry, and their number. */
static size_t changes_of(const struct change_entry *entry,
                         struct terrain_change changes[KINDS])
{
    size_t count = 0;
    struct terrain_change change = { .box = entry->box };
    if (entry->has_set) {
        change.kind = entry->set ? CHANGE_FREE : CHANGE_WALL;
        changes[count++] = change;
    }
    if (entry->has_speed) {
        change.kind = CHANGE_SPEED;
        change.value = entry->speed;
        changes[count++] = change;
    }
    if (entry->has_cost) {
        change.kind = CHANGE_COST;
        change.value = entry->cost;
        changes[count++] = change;
    }
    if (entry->has_one_way) {
        change.kind = CHANGE_ONE_WAY;
        change.direction = (enum direction)entry->one_way;
        changes[count++] = change;
    }
    return count;
}

/* Up and down are not allowed on a map of one layer. */
static enum status check_way(const struct load *load, const char *path,
                             int direction)
{
    if (load->draft->scenario.terrain.grid.dims == 2 &&
        (direction == DOWN || direction == UP))
        return load_fault_path(
            load, path,
            "\"%s\" on a 2D map; east, west, south, north are "
            "allowed",
            direction_names[direction]);
    return STATUS_OK;
}

static enum status apply_region(struct load *load, size_t i)
{
    struct terrain *terrain = &load->draft->scenario.terrain;
    const struct change_entry *entry =
        (const struct change_entry *)load->draft->regions.items + i;
    struct terrain_change changes[KINDS];
    size_t count = changes_of(entry, changes);
    if (count == 0)
        return load_fault_path(
            load, ITEM_PATH("regions", i, NULL),
            "changes nothing; speed, cost or one_way is required");
    enum status status = load_check_name(load, "regions", i, entry->name);
    if (!status && entry->has_one_way)
        status =
            check_way(load, ITEM_PATH("regions", i, "one_way"), entry->one_way);
    for (size_t j = 0; !status && j < count && !load->outline; j++) {
        status = terrain_prepare(terrain, changes[j].kind, load->error);
        if (!status)
            terrain_apply(terrain, &changes[j]);
    }
    return status;
}

struct ordered_event {
    struct map_event event;
    size_t order; /* in the file */
};

static int by_step(const void *a, const void *b)
{
    const struct ordered_event *left = a, *right = b;
    if (left->event.step != right->event.step)
        return left->event.step < right->event.step ? -1 : 1;
    return left->order < right->order ? -1 : left->order > right->order;
}

static enum status check_event(struct load *load, size_t i, size_t changes)
{
    const struct scenario *scenario = &load->draft->scenario;
    const struct change_entry *entry =
        (const struct change_entry *)load->draft->events.items + i;
    if (changes == 0)
        return load_fault_path(load, ITEM_PATH("events", i, NULL),
                               "changes nothing; set or speed is required");
    if (entry->step > scenario->steps)
        return load_warn(load, ITEM_PATH("events", i, "step"),
                         "%lld comes after the last step, %lld: the event "
                         "does not happen",
                         (long long)entry->step, (long long)scenario->steps);
    return STATUS_OK;
}

static enum status read_events(struct load *load)
{
    struct scenario *scenario = &load->draft->scenario;
    const struct change_entry *entries = load->draft->events.items;
    size_t count = load->draft->events.count, used = 0;
    struct ordered_event *ordered = memory_new(count, KINDS * sizeof *ordered);
    if (!ordered)
        return error_memory(load->error);
    enum status status = STATUS_OK;
    for (size_t i = 0; !status && i < count; i++) {
        struct terrain_change changes[KINDS];
        size_t made = changes_of(&entries[i], changes);
        for (size_t j = 0; j < made; j++, used++)
            ordered[used] =
                (struct ordered_event){ { entries[i].step, changes[j] }, used };
        status = check_event(load, i, made);
        for (size_t j = 0; !status && j < made && !load->outline; j++)
            status = terrain_prepare(&scenario->terrain, changes[j].kind,
                                     load->error);
    }
    qsort(ordered, used, sizeof *ordered, by_step);
    scenario->events = memory_new(used, sizeof *scenario->events);
    if (!status && !scenario->events)
        status = error_memory(load->error);
    for (size_t i = 0; !status && i < used; i++)
        scenario->events[i] = ordered[i].event;
    scenario->event_count = status ? 0 : used;
    memory_release(ordered);
    return status;
}

enum status load_settle_changes(struct load *load)
{
    const struct legend *legend = &load->draft->scenario.legend;
    enum status status = STATUS_OK;
    for (size_t i = 0; !status && i < legend->count; i++) {
        if (legend->entries[i].one_way)
            status = check_way(load, ITEM_PATH("map.legend", i, "one_way"),
                               legend->entries[i].one_way - 1);
    }
    for (size_t i = 0; !status && i < load->draft->regions.count; i++)
        status = apply_region(load, i);
    return status ? status : read_events(load);
}
