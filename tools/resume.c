/* SPDX-License-Identifier: MIT */
#include "resume.h"

#include "base/memory.h"
#include "recording/recording.h"

#include <string.h>

enum { SHOWN = 80 }; /* bytes of a value in a message */

/* A line `key = value` of the parameters. */
struct line {
    const char *text;
    int length, key; /* bytes of it, and of its key */
};

static bool next_line(const char **text, struct line *line)
{
    if (!**text)
        return false;
    const char *equals = strstr(*text, " = ");
    line->text = *text;
    line->length = (int)strcspn(*text, "\n");
    line->key = equals && equals < *text + line->length ? (int)(equals - *text)
                                                        : line->length;
    *text += line->length + ((*text)[line->length] == '\n');
    return true;
}

static bool same_bytes(const char *a, int a_length, const char *b, int b_length)
{
    return a_length == b_length && memcmp(a, b, (size_t)a_length) == 0;
}

/* The value of a line, cut to what a message holds. */
static const char *value(const struct line *line, int *length)
{
    int from = line->key + 3 < line->length ? line->key + 3 : line->length;
    *length = line->length - from < SHOWN ? line->length - from : SHOWN;
    return line->text + from;
}

static enum status changed(const char *path, const struct line *was,
                           const struct line *is, struct error *error)
{
    int old_length, new_length;
    const char *old = value(was, &old_length), *new = value(is, &new_length);
    if (!same_bytes(was->text, was->key, is->text, is->key))
        return error_at(error, STATUS_INPUT, path, 0,
                        "cannot be gone on with: %.*s stands where %.*s was; "
                        "record the changed run under another name",
                        is->key, is->text, was->key, was->text);
    return error_at(error, STATUS_INPUT, path, 0,
                    "cannot be gone on with: %.*s was %.*s and is now %.*s; "
                    "record the changed run under another name",
                    was->key, was->text, old_length, old, new_length, new);
}

/* Every key but `steps`, in the order in which both are printed. */
static enum status compare(const char *path, const char *was, const char *is,
                           struct error *error)
{
    struct line old = { "", 0, 0 }, new = { "", 0, 0 };
    for (;;) {
        bool more_old = next_line(&was, &old), more_new = next_line(&is, &new);
        if (!more_old && !more_new)
            return STATUS_OK;
        if (!more_old)
            old = (struct line){ "nothing", 7, 7 };
        if (!more_new)
            new = (struct line){ "nothing", 7, 7 };
        bool steps = same_bytes(old.text, old.key, "steps", 5) &&
                     same_bytes(new.text, new.key, "steps", 5);
        if (!steps && !same_bytes(old.text, old.length, new.text, new.length))
            return changed(path, &old, &new, error);
    }
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
 * was read back from. */
static enum status keep_text(struct scenario *scenario, const char *text,
                             struct error *error)
{
    char *copy = memory_text(text);
    if (!copy)
        return error_memory(error);
    memory_release(scenario->text);
    scenario->text = copy;
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
    return status ? status
                  : keep_text(scenario, recording_text(recording, "scenario"),
                              error);
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
