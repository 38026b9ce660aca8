/* SPDX-License-Identifier: MIT */
/* Resuming: reads the scenario of a recording, and warns of damaged frames. */
#include "tools/record/resume.h"

#include "base/memory.h"
#include "base/need.h"
#include "run/start.h"
#include "settings/parameters.h"
#include "view/arrival_run.h"
#include "view/replay.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the recorded frames ---- */

/* A resumed run does not use them, so damage does not stop it; but the user
 * should know. Larger files are not checked, as by hamon-info without
 * --verify. */
static const int64_t read_bytes = 1000000000;

/* Damaged rows, the first ones with names. */
struct damage {
    int64_t rows;
    bool cut; /* there are more than named here */
    char names[160];
};

static void count(struct damage *damage, const char *variable, int64_t row)
{
    static const char more[] = ", ...";
    size_t used = strlen(damage->names);
    char name[VARIABLE_NAME_SIZE + 32];
    int length = snprintf(name, sizeof name, "%s%s row %lld",
                          damage->rows++ ? ", " : "", variable, (long long)row);
    if (damage->cut)
        return;
    damage->cut = used + (size_t)length + sizeof more > sizeof damage->names;
    snprintf(damage->names + used, sizeof damage->names - used, "%s",
             damage->cut ? more : name);
}

/* If the last frame is not at a multiple of `every`, the resumed run overwrites
 * it. */
static int64_t rows_that_stay(const struct recording *recording)
{
    int64_t rows = recording_rows(recording);
    int64_t every = recording_every(recording);
    bool odd = rows > 0 && every > 0 &&
               recording_steps(recording)[rows - 1] % every != 0;
    return rows - odd;
}

/* Reads the stored frames; those between keyframes would have to be
 * computed. */
static enum status read_rows(const struct recording *recording,
                             const struct variable *variable,
                             struct damage *damage, struct error *error)
{
    void *row =
        need_memory(variable_elements(variable), element_bytes(variable->type));
    enum status status = STATUS_OK;
    for (int64_t i = 0; i < rows_that_stay(recording) && !status; i++) {
        if (recording_stored_row(recording, variable, i) < 0)
            continue;
        status = recording_read(recording, variable, i, row, error);
        if (status != STATUS_INPUT)
            continue;
        count(damage, variable->name, i);
        status = STATUS_OK;
    }
    memory_release(row);
    return status;
}

static enum status read_file(const char *path, struct damage *damage,
                             struct error *error)
{
    struct recording *recording;
    const struct variable *variable;
    enum status status = replay_open(path, &recording, error);
    if (status)
        return status;
    for (size_t i = 0; !status && (variable = recording_variable(recording, i));
         i++)
        if (variable->by_row)
            status = read_rows(recording, variable, damage, error);
    recording_close(recording);
    return status;
}

enum status resume_check_rows(const struct cli *cli, const char *path,
                              struct error *error)
{
    const char *const words[] = { "hamon-info", "--verify", path };
    struct damage damage = { 0 };
    struct stat about;
    if (stat(path, &about) < 0)
        return error_system(error, STATUS_INPUT, "%s", path);
    bool small = about.st_size <= read_bytes;
    enum status status = small ? read_file(path, &damage, error) : STATUS_OK;
    if (status || (small && !damage.rows))
        return status;
    char *command = cli_command(3, words);
    if (small)
        cli_say(cli,
                "%s: warning: %lld rows of variables are damaged (%s) and stay "
                "damaged; the run does not need them and continues: see %s, or "
                "record it again",
                path, (long long)damage.rows, damage.names, command);
    else
        cli_say(cli,
                "%s: its rows were not checked before the run continues, "
                "because they have more than 1 GB: %s checks them",
                path, command);
    memory_release(command);
    return STATUS_OK;
}

/* ---- the scenario ---- */

/* Compares every key but `steps`. */
static enum status compare(const char *path, const char *was, const char *is,
                           struct error *error)
{
    char change[PARAMETERS_CHANGE_SIZE];
    if (!parameters_changed(was, is, "steps", change))
        return STATUS_OK;
    return error_at(
        error, STATUS_INPUT, path, 0,
        "cannot be resumed: %s; record the changed run under another name",
        change);
}

/* Compares one variable of the map, whose file may have been edited. */
static enum status compare_terrain(const struct recording *recording,
                                   const struct terrain_array *array,
                                   const void *values, struct error *error)
{
    const char *name = array->name;
    size_t width = array->width;
    const struct grid *grid = recording_grid(recording);
    size_t cells = grid_cells(grid);
    char *recorded = need_memory(cells, width);
    enum status status =
        recording_read_terrain(recording, name, 0, recorded, error);
    for (size_t i = 0; !status && i < cells; i++) {
        int at[GRID_AXES];
        grid_cell(grid, i, at);
        if (memcmp(recorded + i * width, (const char *)values + i * width,
                   width) != 0)
            status = error_at(
                error, STATUS_INPUT, recording_path(recording), 0,
                "cannot be resumed: the map's %s at cell (%d, %d, %d) has "
                "changed; record the changed run under another name",
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
                        "cannot be resumed: the map's size has changed; record "
                        "the changed run under another name");
    enum status status = terrain_copy(&scenario->terrain, &terrain, error);
    if (status)
        return status;
    start_apply(scenario, &terrain); /* then it is version 0 */
    for (int i = 0; !status && i < TERRAIN_ARRAYS; i++)
        if (terrain_array_at(&terrain, i))
            status = compare_terrain(recording, &terrain_arrays[i],
                                     terrain_array_at(&terrain, i), error);
    terrain_release(&terrain);
    return status;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), last = strlen(end);
    return last <= length && strcmp(text + length - last, end) == 0;
}

/* The scenario gets the text that was recorded, not the resolved one that was
 * read back, and the earlier overrides before the present ones. */
static void keep_text(struct scenario *scenario,
                      const struct recording *recording)
{
    const char *was = recording_text(recording, "set");
    /* Are the same overrides recorded already, by an earlier resume that was
     * killed? */
    bool again = was && ends_with(was, scenario->set);
    char *text = need_text(recording_text(recording, "scenario"));
    char *set = need_format("%s%s", was ? was : "", again ? "" : scenario->set);
    memory_release(scenario->text);
    memory_release(scenario->set);
    scenario->text = text;
    scenario->set = set;
}

static enum status check(const struct recording *recording,
                         struct scenario *scenario, bool compares_map,
                         struct error *error)
{
    enum status status = compare(recording_path(recording),
                                 recording_text(recording, "parameters"),
                                 scenario->parameters, error);
    /* If no frame is committed, the recorder has a better message. */
    const int64_t rows = recording_rows(recording);
    if (!status && rows > 0 &&
        recording_steps(recording)[rows - 1] > scenario->steps)
        return error_at(error, STATUS_INPUT, recording_path(recording), 0,
                        "cannot be resumed: it is at step %lld and would end "
                        "at step %lld; set as many steps, or more",
                        (long long)recording_steps(recording)[rows - 1],
                        (long long)scenario->steps);
    if (!status && rows > 0 && compares_map)
        status = compare_map(recording, scenario, error);
    if (!status)
        keep_text(scenario, recording);
    return status;
}

static enum status load(const struct recording *recording,
                        struct scenario_source source,
                        struct scenario **scenario, struct error *error)
{
    const char *resolved = recording_text(recording, "resolved");
    if (!resolved || !recording_text(recording, "parameters") ||
        !recording_text(recording, "scenario"))
        return error_at(
            error, STATUS_INPUT, recording_path(recording), 0,
            "cannot be resumed: it has no scenario; record it again");
    enum status status = arrival_detector_check(recording, error);
    if (status)
        return status;
    if (!source.path) {
        source.path = recording_path(recording);
        source.text = resolved;
    }
    return scenario_read(&source, scenario, error);
}

/* A run that its own stop rule ended makes no more steps, with any number of
 * steps. A packed recording that should make more is rejected by the
 * recorder. */
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
        snprintf(
            done, RESUME_WORDS,
            "ended at step %lld by its pursuit.stop: nothing is left to do",
            (long long)last);
    else if (planned == (double)scenario->steps)
        snprintf(done, RESUME_WORDS, "has all its %lld steps%s",
                 (long long)scenario->steps,
                 recording_find(recording, "restart/state0")
                     ? ": --set steps=M gives it more"
                     : "");
}

enum status resume_scenario(const char *path,
                            const struct scenario_source *source,
                            struct scenario **scenario, char done[RESUME_WORDS],
                            struct error *error)
{
    struct recording *recording;
    struct scenario *made = NULL;
    enum status status = replay_open(path, &recording, error);
    if (status)
        return status;
    status = load(recording, *source, &made, error);
    if (!status)
        status = check(recording, made, !source->outline, error);
    if (!status)
        say_done(recording, made, done);
    recording_close(recording);
    if (status)
        scenario_release(made);
    else
        *scenario = made;
    return status;
}
