/* SPDX-License-Identifier: MIT */
/* A scenario: what to run and what to record, from libconfig text to a checked
 * struct. Every error is STATUS_INPUT with `file:line: key: what is wrong, what
 * is allowed`. A returned scenario is complete and consistent, and needs no
 * further check. struct scenario is in settings/groups.h. */
#ifndef HAMON_SCENARIO_SCENARIO_H
#define HAMON_SCENARIO_SCENARIO_H

#include "base/status.h"
#include "settings/groups.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The extents of a map, and which arrays its terrain has. */
struct map_outline {
    struct grid grid;
    bool has[TERRAIN_ARRAYS];
};

/* Where a scenario comes from: a file, or a text, such as that in a
 * recording. */
struct scenario_source {
    const char *path; /* of the file; with a text: in messages, and for the
                       * paths of maps */
    const char *text; /* NULL: that of the file */
    /* "key=value", applied in order; values as libconfig writes them, bare
     * words are texts. */
    const char *const *overrides;
    size_t override_count;
    /* Used instead of map.file, which is not opened; or NULL. A map that the
     * scenario draws itself is used as drawn. */
    const struct terrain *map;
    /* For a rank that does not read the map, after another one has read it and
     * checked the scenario against it; else NULL. The terrain has all arrays,
     * but they have no content and take no memory. */
    const struct map_outline *outline;
    /* Used instead of wave.signal_file, which is not opened; or NULL. */
    const char *signal;
};

/* Reads the text, applies the overrides, loads the map, and checks everything.
 * Release with scenario_release. */
enum status scenario_read(const struct scenario_source *source,
                          struct scenario **scenario, struct error *error);

/* The same for a file; for a text; for a text whose map was read before. */
enum status scenario_load(const char *path, const char *const *overrides,
                          size_t override_count, struct scenario **scenario,
                          struct error *error);
enum status scenario_parse(const char *text, const char *path,
                           const char *const *overrides, size_t override_count,
                           struct scenario **scenario, struct error *error);
enum status scenario_parse_on(const char *text, const char *path,
                              const char *const *overrides,
                              size_t override_count, const struct terrain *map,
                              struct scenario **scenario, struct error *error);
struct map_outline scenario_outline(const struct scenario *scenario);

void scenario_release(struct scenario *scenario);

/* Releases the map's cells, which the run has copied: only the grid of the
 * terrain remains. */
void scenario_forget_map(struct scenario *scenario);

/* The number of agents: the sum of the entries' counts. */
static inline size_t scenario_agents(const struct scenario *scenario)
{
    size_t total = 0;
    for (size_t i = 0; i < scenario->agent_count; i++)
        total += (size_t)scenario->agents[i].count;
    return total;
}

/* Warnings about allowed but doubtful settings (δ = 1/2 with an impulse, …):
 * number i, or NULL after the last. Borrowed from the scenario. */
const char *scenario_warning(const struct scenario *scenario, size_t i);

/* The text for --example NAME ("paper", "best", "3d"): a commented, valid
 * scenario; NULL for other names. */
const char *scenario_example(const char *name);

#endif
