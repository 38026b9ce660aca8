/* SPDX-License-Identifier: MIT */
/* Fronts as contours over the wave that follows them. */
#include "isotropy_report.h"

#include "base/memory.h"
#include "base/version.h"
#include "study_map.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Generations between contours. */
enum { APART = 20 };

enum status isotropy_map_take(struct isotropy_map *map,
                              const struct front *front,
                              const struct recording *recording, int wave,
                              double mean_time, struct error *error)
{
    size_t cells = grid_cells(&front->terrain.grid);
    map->recording = recording;
    map->wave = wave;
    map->step = front->emitted + lround(mean_time);
    map->time = memory_new(cells, sizeof *map->time);
    if (!map->time)
        return error_memory(error);
    memcpy(map->time, front->time, cells * sizeof *map->time);
    return STATUS_OK;
}

void isotropy_map_release(struct isotropy_map *map)
{
    memory_release(map->time);
    *map = (struct isotropy_map){ 0 };
}

enum status isotropy_map_write(const struct isotropy_map *map,
                               const char *label, double width,
                               const char *path, bool force,
                               struct error *error)
{
    const struct study_map drawn = { .recording = map->recording,
                                     .wave = map->wave,
                                     .step = map->step,
                                     .times = map->time,
                                     .apart = APART };
    char software[128], title[600];
    snprintf(software, sizeof software, "hamon-isotropy %s, commit %s",
             hamon_version, hamon_commit);
    snprintf(title, sizeof title, "%s, step %lld", label, (long long)map->step);
    return study_map_write(&drawn, title, width, software, path, force, error);
}
