/* SPDX-License-Identifier: MIT */
/* What events of step 0 change on a map that was read from a file. Version 0 of
 * a recorded map has these events, but agents are placed before them: the text
 * /provenance/start gives the cells as they were, in lines `wall FIRST COUNT
 * VALUE`, so that the run can be made again. */
#ifndef HAMON_RUN_START_H
#define HAMON_RUN_START_H

#include "base/status.h"
#include "scenario/scenario.h"
#include "world/terrain.h"

#include <stdbool.h>

/* Has its recording this text? */
bool start_is_hidden(const struct scenario *scenario);

/* Applies the events of step 0 to the scenario's map. */
void start_apply(const struct scenario *scenario, struct terrain *map);

/* The text for such a scenario and its map; from memory_new. A rank without
 * the map makes an empty text. */
enum status start_print(const struct scenario *scenario,
                        const struct terrain *map, char **text,
                        struct error *error);

/* Puts the cells of the text into version 0 of the map. STATUS_INPUT if it is
 * no such text of this map. NULL: as it is. */
enum status start_restore(const char *text, struct terrain *map,
                          struct error *error);

#endif
