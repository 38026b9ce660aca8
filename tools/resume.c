/* SPDX-License-Identifier: MIT */
#include "resume.h"

#include "base/memory.h"
#include "parameters.h"
#include "recording/recording.h"

#include <string.h>

/* Every key but `steps`. */
static enum status compare(const char *path, const char *was, const char *is,
                           struct error *error)
{
    char change[PARAMETERS_CHANGE_SIZE];
    if (!parameters_changed(was, is, "steps", change))
        return STATUS_OK;
    return error_at(error, STATUS_INPUT, path, 0,
                    "cannot be gone on with: %s; record the changed run under "
                    "another name",
                    change);
}

/* The map of step 0, as version 0 of the recording has it. */
static enum status first_terrain(const struct scenario *scenario,
                                 struct terrain *terrain, struct error *error)
{
    enum status status = terrain_copy(&scenario->terrain, terrain, error);
    for (size_t i = 0;
         !status && i < scenario->event_count && scenario->events[i].step == 0;
         i++)
        terrain_apply(terrain, &scenario->events[i].change);
    return status;
}

/* One variable of the map, which lies elsewhere and may have been edited. */
static enum status compare_terrain(const struct recording *recording,
                                   const char *name, const void *values,
                                   size_t width, struct error *error)
{
    const struct grid *grid = recording_grid(recording);
    size_t cells = grid_cells(grid);
    char *recorded = memory_new(cells, width);
    if (!recorded)
        return error_memory(error);
    enum status status =
        recording_read_terrain(recording, name, 0, recorded, error);
    for (size_t i = 0; !status && i < cells; i++) {
        int at[GRID_AXES];
        grid_cell(grid, i, at);
        if (memcmp(recorded + i * width, (const char *)values + i * width,
                   width) != 0)
            status = error_at(error, STATUS_INPUT, recording_path(recording), 0,
                              "cannot be gone on with: the map's %s at cell "
                              "(%d, %d, %d) was another; record the changed "
                              "run under another name",
                              name, at[0], at[1], at[2]);
    }
    memory_release(recorded);
    return status;
}

static enum status compare_map(const struct recording *recording,
                               const struct scenario *scenario,
                               struct error *error)
{
    struct terrain terrain = { 0 };
    if (memcmp(recording_grid(recording), &scenario->terrain.grid,
               sizeof terrain.grid) != 0)
        return error_at(error, STATUS_INPUT, recording_path(recording), 0,
                        "cannot be gone on with: the map was of another size; "
                        "record the changed run under another name");
    enum status status = first_terrain(scenario, &terrain, error);
    if (status)
        return status;
    const struct {
        const char *name;
        const void *values;
        size_t width;
    } variables[] = {
        { "wall", terrain.wall, sizeof *terrain.wall },
        { "speed", terrain.speed, sizeof *terrain.speed },
        { "cost", terrain.cost, sizeof *terrain.cost },
        { "one_way", terrain.one_way, sizeof *terrain.one_way },
    };
    for (size_t i = 0; !status && i < sizeof variables / sizeof *variables; i++)
        if (variables[i].values)
            status =
                compare_terrain(recording, variables[i].name,
                                variables[i].values, variables[i].width, error);
    terrain_release(&terrain);
    return status;
}

/* The scenario keeps the text that was recorded, not the resolved one that it
 * was read back from, and what was set then, before what is set now. */
static enum status keep_text(struct scenario *scenario,
                             const struct recording *recording,
                             struct error *error)
{
    const char *was = recording_text(recording, "set");
    size_t before = was ? strlen(was) : 0, now = strlen(scenario->set);
    bool again = was && strstr(was, scenario->set); /* of a run killed since */
    char *text = memory_text(recording_text(recording, "scenario"));
    char *set = memory_new(before + now + 1, 1);
    if (!text || !set) {
        memory_release(text);
        memory_release(set);
        return error_memory(error);
    }
    memcpy(set, was ? was : "", before);
    memcpy(set + before, scenario->set, again ? 0 : now);
    memory_release(scenario->text);
    memory_release(scenario->set);
    scenario->text = text;
    scenario->set = set;
    return STATUS_OK;
}

static enum status check(const struct recording *recording,
                         struct scenario *scenario, struct error *error)
{
    enum status status = compare(recording_path(recording),
                                 recording_text(recording, "parameters"),
                                 scenario->parameters, error);
    /* Without a committed row the recorder has a better word. */
    const int64_t rows = recording_rows(recording);
    if (!status && rows > 0 &&
        recording_steps(recording)[rows - 1] > scenario->steps)
        return error_at(error, STATUS_INPUT, recording_path(recording), 0,
                        "cannot be gone on with: it is at step %lld and is to "
                        "end at step %lld; ask for as many steps, or more",
                        (long long)recording_steps(recording)[rows - 1],
                        (long long)scenario->steps);
    if (!status && rows > 0)
        status = compare_map(recording, scenario, error);
    return status ? status : keep_text(scenario, recording, error);
}

static enum status load(const struct recording *recording, const char *given,
                        const struct cli_list *set, struct scenario **scenario,
                        struct error *error)
{
    const char *resolved = recording_text(recording, "resolved");
    if (!resolved || !recording_text(recording, "parameters") ||
        !recording_text(recording, "scenario"))
        return error_at(error, STATUS_INPUT, recording_path(recording), 0,
                        "cannot be gone on with: it does not hold its "
                        "scenario; record it again");
    return given ? scenario_load(given, set->items, set->count, scenario, error)
                 : scenario_parse(resolved, recording_path(recording),
                                  set->items, set->count, scenario, error);
}

/* A run that its own stop rule ended makes no more steps, however many there
 * may be; and a packed one that is to make more is refused by its recorder. */
static void say_done(const struct recording *recording,
                     const struct scenario *scenario, char done[RESUME_WORDS])
{
    int64_t rows = recording_rows(recording);
    int64_t last = rows > 0 ? recording_steps(recording)[rows - 1] : -1;
    double planned = recording_setting_real(recording, "steps", -1);
    done[0] = '\0';
    if (recording_state(recording) != RUN_DONE)
        return;
    if ((double)last < planned)
        snprintf(done, RESUME_WORDS,
                 "ended at step %lld, where its pursuit.stop holds: nothing "
                 "is left to do",
                 (long long)last);
    else if (planned == (double)scenario->steps)
        snprintf(done, RESUME_WORDS, "has all its %lld steps%s",
                 (long long)scenario->steps,
                 recording_find(recording, "restart/state0")
                     ? ": --set steps=M gives it more"
                     : "");
}

enum status resume_scenario(const char *path, const char *given,
                            const struct cli_list *set,
                            struct scenario **scenario, char done[RESUME_WORDS],
                            struct error *error)
{
    struct recording *recording;
    struct scenario *made = NULL;
    enum status status = recording_open(path, &recording, error);
    if (status)
        return status;
    status = load(recording, given, set, &made, error);
    if (!status)
        status = check(recording, made, error);
    if (!status)
        say_done(recording, made, done);
    recording_close(recording);
    if (status)
        scenario_release(made);
    else
        *scenario = made;
    return status;
}
