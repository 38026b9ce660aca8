/* SPDX-License-Identifier: MIT */
/* What the sweep's folder holds already. */
#include "sweep.h"

#include "base/crc32c.h"
#include "base/memory.h"
#include "recording/recording.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The map's arrays, and what a cell has in a map without one. */
struct map_array {
    const char *name;
    size_t width;
    const void *usual;
};
static const double one = 1;
static const uint8_t none = 0;
static const struct map_array parts[] = {
    { "wall", sizeof none, &none },
    { "speed", sizeof one, &one },
    { "cost", sizeof one, &one },
    { "one_way", sizeof none, &none },
};
enum { PARTS = sizeof parts / sizeof *parts };

static void fill(const struct map_array *array, size_t cells, void *out)
{
    for (size_t i = 0; i < cells; i++)
        memcpy((char *)out + i * array->width, array->usual, array->width);
}

/* Of a map as arrays in the order of `parts`, NULL where it has none. */
static enum status ground_of(const void *const arrays[PARTS], size_t cells,
                             uint32_t *crc, struct error *error)
{
    void *usual = memory_new(cells, sizeof(double));
    if (!usual)
        return error_memory(error);
    *crc = 0;
    for (int p = 0; p < PARTS; p++) {
        if (!arrays[p])
            fill(&parts[p], cells, usual);
        *crc =
            crc32c(*crc, arrays[p] ? arrays[p] : usual, cells * parts[p].width);
    }
    memory_release(usual);
    return STATUS_OK;
}

enum status sweep_expect(struct sweep_run *run, const struct scenario *scenario,
                         struct error *error)
{
    const struct terrain *terrain = &scenario->terrain;
    const void *const arrays[PARTS] = { terrain->wall, terrain->speed,
                                        terrain->cost, terrain->one_way };
    run->parameters = memory_text(scenario->parameters);
    if (!run->parameters)
        return error_memory(error);
    /* A change before the first step is in the recording's first map. */
    run->has_ground = !scenario->event_count || scenario->events[0].step > 0;
    return ground_of(arrays, grid_cells(&terrain->grid), &run->ground, error);
}

static bool has_part(const struct recording *recording, const char *name)
{
    char world[64];
    snprintf(world, sizeof world, "world/%s", name);
    return recording_find(recording, world) || recording_find(recording, name);
}

/* The map may have been drawn anew since, under the same name; one that cannot
 * be read is another. */
static enum status ground_is(const struct recording *recording, uint32_t ground,
                             bool *same, struct error *error)
{
    size_t cells = grid_cells(recording_grid(recording));
    void *arrays[PARTS] = { NULL };
    uint32_t crc = 0;
    enum status status = STATUS_OK;
    *same = true;
    for (int p = 0; p < PARTS && !status && *same; p++) {
        if (!has_part(recording, parts[p].name))
            continue;
        arrays[p] = memory_new(cells, parts[p].width);
        if (!arrays[p])
            status = error_memory(error);
        else
            *same = !recording_read_terrain(recording, parts[p].name, 0,
                                            arrays[p], NULL);
    }
    if (!status && *same)
        status = ground_of((const void *const *)arrays, cells, &crc, error);
    *same = *same && !status && crc == ground;
    for (int p = 0; p < PARTS; p++)
        memory_release(arrays[p]);
    return status;
}

/* Is the recording of this run? If not, in what it differs. */
static enum status compare(const struct sweep_run *run,
                           const struct recording *recording, bool *same,
                           char change[PARAMETERS_CHANGE_SIZE],
                           struct error *error)
{
    const char *parameters = recording_text(recording, "parameters");
    *same = false;
    if (!parameters)
        snprintf(change, PARAMETERS_CHANGE_SIZE, "its parameters are not told");
    else if (!parameters_changed(parameters, run->parameters, NULL, change))
        *same = true;
    if (!*same || !run->has_ground)
        return STATUS_OK;
    enum status status = ground_is(recording, run->ground, same, error);
    if (!*same)
        snprintf(change, PARAMETERS_CHANGE_SIZE, "the map has been drawn anew");
    return status;
}

enum status sweep_find(const struct sweep_run *run, enum sweep_found *found,
                       char change[PARAMETERS_CHANGE_SIZE], struct error *error)
{
    struct recording *recording;
    *found = FOUND_NOTHING;
    change[0] = '\0';
    if (access(run->recording, F_OK) != 0 ||
        recording_open(run->recording, &recording, NULL))
        return STATUS_OK;
    bool same;
    enum run_state state = recording_state(recording);
    enum status status = compare(run, recording, &same, change, error);
    if (status || recording_rows(recording) == 0)
        *found = FOUND_NOTHING;
    else if (!same)
        *found = FOUND_OTHER;
    else if (state == RUN_DONE)
        *found = FOUND_ALL;
    else if (state != RUN_DIVERGED)
        *found = FOUND_PART;
    recording_close(recording);
    return status;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Counts folders with a recording that are none of `names`; `first` is the
 * first of them by name. */
static enum status count_strangers(const struct sweep *sweep,
                                   const char *const *names, size_t *count,
                                   char first[NAME_MAX + 1],
                                   struct error *error)
{
    DIR *directory = opendir(sweep->folder);
    if (!directory)
        return error_system(error, STATUS_DISK, "%s", sweep->folder);
    *count = 0;
    for (const struct dirent *entry; (entry = readdir(directory));) {
        const char *name = entry->d_name;
        char path[NAME_MAX + sizeof "/run.h5"];
        snprintf(path, sizeof path, "%s/run.h5", name);
        if (name[0] == '.' || faccessat(dirfd(directory), path, F_OK, 0) != 0 ||
            bsearch(&name, names, sweep->grid.runs, sizeof *names, by_text))
            continue;
        if ((*count)++ == 0 || strcmp(name, first) < 0)
            snprintf(first, NAME_MAX + 1, "%s", name);
    }
    closedir(directory);
    return STATUS_OK;
}

enum status sweep_tell_strangers(const struct sweep *sweep, struct error *error)
{
    size_t count;
    char first[NAME_MAX + 1];
    const char **names = memory_new(sweep->grid.runs, sizeof *names);
    if (!names)
        return error_memory(error);
    for (size_t i = 0; i < sweep->grid.runs; i++)
        names[i] = sweep->runs[i].name;
    qsort(names, sweep->grid.runs, sizeof *names, by_text);
    enum status status = count_strangers(sweep, names, &count, first, error);
    memory_release(names);
    if (!status && count == 1)
        cli_say(sweep->cli, "%s: %s is not of this sweep; it stays as it is",
                sweep->folder, first);
    else if (!status && count)
        cli_say(sweep->cli,
                "%s: %zu runs are not of this sweep and stay as they are; the "
                "first is %s",
                sweep->folder, count, first);
    return status;
}
