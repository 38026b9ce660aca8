/* SPDX-License-Identifier: MIT */
/* The runs of a sweep: which can run, and which the sweep's folder already
 * has. */
#include "tools/sweep/sweep.h"

#include "base/disk.h"
#include "base/memory.h"
#include "base/need.h"
#include "base/utf8.h"
#include "cli/interrupt.h"
#include "scenario/scenario.h"
#include "settings/parameters.h"
#include "view/replay.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- an existing recording ---- */

static const char lock_name[] = ".hamon-sweep";
static const char other_keys[] =
    "it has other keys of --vary, another order, or none";

/* Runs of equal settings and cells are the same run, however the values are
 * written. */
static void identify(struct sweep_run *run, const struct grid *grid)
{
    struct sha256 sum;
    sha256_start(&sum);
    parameters_sum(run->parameters, true, &sum);
    sha256_add(&sum, grid, sizeof *grid);
    sha256_add(&sum, &run->ground, sizeof run->ground);
    sha256_end(&sum, run->identity);
}

/* Keeps the parts of the scenario with which a recording of the run is
 * compared. */
static enum status expect(struct sweep_run *run,
                          const struct scenario *scenario, struct error *error)
{
    const struct terrain *terrain = &scenario->terrain;
    const void *arrays[TERRAIN_ARRAYS];
    for (int i = 0; i < TERRAIN_ARRAYS; i++)
        arrays[i] = terrain_array_at(terrain, i);
    run->parameters = need_text(scenario->parameters);
    /* A change before the first step is in the recording's first map. */
    run->has_ground = !scenario->event_count || scenario->events[0].step > 0;
    enum status status = terrain_checksum(arrays, grid_cells(&terrain->grid),
                                          &run->ground, error);
    if (!status)
        identify(run, &terrain->grid);
    return status;
}

/* The map may have been changed since, under the same name; one that cannot be
 * read counts as changed. */
static enum status ground_is(const struct recording *recording, uint32_t ground,
                             bool *same, struct error *error)
{
    uint32_t now = 0;
    enum status status = recording_ground(recording, &now, error);
    *same = !status && now == ground;
    return status == STATUS_INPUT ? STATUS_OK : status;
}

/* Is the recording of this run? If not, what differs? */
static enum status compare(const struct sweep_run *run,
                           const struct recording *recording, bool *same,
                           char change[PARAMETERS_CHANGE_SIZE],
                           struct error *error)
{
    const char *parameters = recording_text(recording, "parameters");
    *same = false;
    if (!parameters)
        snprintf(change, PARAMETERS_CHANGE_SIZE,
                 "its parameters are not recorded");
    else if (!parameters_changed(parameters, run->parameters, NULL, change))
        *same = true;
    if (!*same || !run->has_ground)
        return STATUS_OK;
    enum status status = ground_is(recording, run->ground, same, error);
    if (!*same)
        snprintf(change, PARAMETERS_CHANGE_SIZE, "the map has changed");
    return status;
}

enum status sweep_find(struct sweep_run *run, enum sweep_found *found,
                       char change[PARAMETERS_CHANGE_SIZE], struct error *error)
{
    struct recording *recording;
    *found = FOUND_NOTHING;
    change[0] = '\0';
    if (access(run->recording, F_OK) != 0 ||
        replay_open(run->recording, &recording, NULL))
        return STATUS_OK;
    bool same;
    enum run_state state = recording_state(recording);
    int64_t rows = recording_rows(recording);
    run->step = rows ? recording_steps(recording)[rows - 1] : 0;
    enum status status = compare(run, recording, &same, change, error);
    if (status || rows == 0)
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

/* ---- the folder and its runs ---- */

char *sweep_path(const char *folder, const char *name)
{
    return need_format("%s/%s", folder, name);
}

char **sweep_settings(const struct sweep *sweep, size_t run, size_t *count)
{
    const struct sweep_grid *grid = &sweep->grid;
    *count = sweep->set.count + grid->axis_count;
    char **settings = need_memory(*count, sizeof *settings);
    for (size_t i = 0; i < sweep->set.count; i++)
        settings[i] = need_text(sweep->set.items[i]);
    for (size_t axis = 0; axis < grid->axis_count; axis++)
        settings[sweep->set.count + axis] = need_format(
            "%s=%s", grid->axes[axis].key, sweep_value(grid, run, axis));
    return settings;
}

void sweep_settings_release(char **settings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        memory_release(settings[i]);
    memory_release(settings);
}

static void report_run(const struct sweep_run *run, const char *what)
{
    fputs(isatty(STDERR_FILENO) ? "\r\033[J" : "", stderr);
    utf8_show(stderr, run->folder);
    fputs(": ", stderr);
    utf8_show(stderr, what);
    fputc('\n', stderr);
}

bool sweep_stopped(struct sweep *sweep, double seconds)
{
    sigset_t set;
    interrupt_signals(&set);
    sigaddset(&set, SIGCHLD);
    struct timespec wait = {
        (time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))
    };
    int number = sigtimedwait(&set, NULL, &wait);
    if (number > 0 && number != SIGCHLD)
        sweep->stopped = number;
    return sweep->stopped != 0;
}

const char *const sweep_state_names[] = {
    [SWEEP_DONE] = "done",
    [SWEEP_FAILED] = "failed",
    [SWEEP_STOPPED] = "stopped",
};

void sweep_fail(struct sweep *sweep, struct sweep_run *run, const char *why)
{
    run->state = SWEEP_FAILED;
    sweep->failed++;
    report_run(run, why);
}

void sweep_stop(struct sweep *sweep, struct sweep_run *run)
{
    char what[64];
    run->state = SWEEP_STOPPED;
    sweep->unfinished++;
    snprintf(what, sizeof what, "stopped at step %lld", (long long)run->step);
    report_run(run, what);
}

static bool has_run(DIR *directory, const char *name)
{
    char path[NAME_MAX + sizeof "/run.h5"];
    snprintf(path, sizeof path, "%s/run.h5", name);
    return name[0] != '.' && faccessat(dirfd(directory), path, F_OK, 0) == 0;
}

/* Only a folder that is new, empty or of another sweep is written to. */
static enum status check_folder(const char *folder, struct error *error)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return error_system(error, STATUS_INPUT, "%s", folder);
    bool empty = true, sweeps = false, runs = false;
    for (const struct dirent *entry; (entry = readdir(directory));) {
        sweeps = sweeps || strcmp(entry->d_name, lock_name) == 0;
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            empty = false;
        runs = runs || has_run(directory, entry->d_name);
    }
    closedir(directory);
    if (empty || sweeps)
        return STATUS_OK;
    if (runs)
        return error_set(error, STATUS_INPUT,
                         "%s: has runs, but not the file %s, which a copy of "
                         "a sweep's folder needs too: copy it, or give an "
                         "empty or a new folder",
                         folder, lock_name);
    return error_set(error, STATUS_INPUT,
                     "%s: has other files than a sweep's; an empty or a new "
                     "folder is required",
                     folder);
}

/* The runs inherit the lock: if a run of a killed sweep is still writing,
 * another sweep of the folder waits for it. Sweeps with --only share the
 * lock. */
static enum status take_lock(struct sweep *sweep, struct error *error)
{
    char *path = sweep_path(sweep->folder, lock_name);
    sweep->lock = open(path, O_RDWR | O_CREAT, 0666);
    enum status status = STATUS_OK;
    if (sweep->lock < 0)
        status = disk_refused(path, error);
    memory_release(path);
    bool told = false;
    int how = (sweep->only ? LOCK_SH : LOCK_EX) | LOCK_NB;
    while (!status && flock(sweep->lock, how) != 0) {
        if (errno != EWOULDBLOCK)
            return error_system(error, STATUS_DISK, "%s: cannot be locked",
                                sweep->folder);
        if (sweep->at_once)
            return error_set(error, STATUS_INPUT,
                             "%s: some of its runs are queued or running: wait "
                             "for them (squeue), or end them (scancel)",
                             sweep->folder);
        if (!told)
            cli_say(sweep->cli,
                    "%s: waits for another sweep, or the runs of one, to end",
                    sweep->folder);
        told = true;
        if (sweep_stopped(sweep, 0.2))
            break;
    }
    return status;
}

static void run_init(const struct sweep *sweep, size_t i)
{
    struct sweep_run *run = &sweep->runs[i];
    sweep_name(&sweep->grid, i, run->name);
    run->folder = sweep_path(sweep->folder, run->name);
    run->recording = sweep_path(run->folder, "run.h5");
    run->log = sweep_path(run->folder, "log");
}

static void run_release(struct sweep_run *run)
{
    memory_release(run->folder);
    memory_release(run->recording);
    memory_release(run->log);
    memory_release(run->parameters);
}

/* The first run folder with a recording of something else, finished or not, and
 * the number of these folders. */
struct others {
    size_t count;
    const struct sweep_run *first;
    char change[PARAMETERS_CHANGE_SIZE];
};

/* Finds what the folder has of the run. */
static enum status look(const struct sweep *sweep, struct sweep_run *run,
                        struct others *others, struct error *error)
{
    char change[PARAMETERS_CHANGE_SIZE];
    enum sweep_found found;
    enum status status = sweep_find(run, &found, change, error);
    if (status)
        return status;
    run->kept = found == FOUND_ALL;
    run->begun = found == FOUND_PART;
    if (run->kept)
        run->state = SWEEP_DONE;
    if (found == FOUND_OTHER && !sweep->force && others->count++ == 0) {
        others->first = run;
        memcpy(others->change, change, sizeof change);
    }
    return STATUS_OK;
}

/* Reads the scenario as the run will. An error belongs to the run, not to the
 * sweep: then NULL is returned. */
static struct scenario *run_load(const struct sweep *sweep, size_t i,
                                 struct error *fault)
{
    struct scenario *scenario = NULL;
    size_t count;
    char **settings = sweep_settings(sweep, i, &count);
    scenario_load(sweep->scenario, (const char *const *)settings, count,
                  &scenario, fault);
    sweep_settings_release(settings, count);
    return scenario;
}

/* ---- runs where the sweep does not expect them ---- */

struct stray {
    bool found;                          /* its recording can be read */
    char change[PARAMETERS_CHANGE_SIZE]; /* by another experiment, or "" */
    char same[SWEEP_NAME_SIZE]; /* the run of this experiment that it is, if its
                                 * folder has another name; or "" */
};

/* The value in the last line `KEY=VALUE` of `key` among the `*length` bytes of
 * `set`, which are such lines, or NULL; *length is reduced to the bytes before
 * that line. */
static const char *take_value(const char *set, size_t *length, const char *key,
                              int *bytes)
{
    size_t end = *length, whole = strlen(key);
    for (size_t at = end; at-- > 0;)
        if ((at == 0 || set[at - 1] == '\n') && end - at > whole + 1 &&
            memcmp(set + at, key, whole) == 0 && set[at + whole] == '=') {
            *length = at;
            *bytes = (int)(end - at - whole - 2);
            return set + at + whole + 1;
        }
    return NULL;
}

/* The values of the sweep's keys in a run, from its recorded settings: a grid
 * of this run only. Had each key one? */
static bool grid_of(const struct sweep *sweep, const char *set,
                    struct sweep_grid *alone)
{
    size_t count = sweep->grid.axis_count, length = set ? strlen(set) : 0;
    *alone =
        (struct sweep_grid){ .axes = need_memory(count, sizeof *alone->axes),
                             .axis_count = count,
                             .runs = 1 };
    for (size_t i = count; i-- > 0;) {
        struct sweep_axis *axis = &alone->axes[i];
        int bytes;
        const char *value =
            take_value(set, &length, sweep->grid.axes[i].key, &bytes);
        if (!value)
            return false;
        axis->key = need_text(sweep->grid.axes[i].key);
        axis->values = need_memory(1, sizeof *axis->values);
        axis->values[axis->count++] = need_format("%.*s", bytes, value);
    }
    return true;
}

/* Would the scenario, with the sweep's --set and the values of the run, make
 * the existing recording at `path`? */
static enum status compare_run(const struct sweep *sweep,
                               const struct sweep_grid *alone, const char *name,
                               char *path, struct stray *stray,
                               struct error *error)
{
    struct sweep one = *sweep;
    struct sweep_run run = { 0 };
    struct error fault;
    enum sweep_found found;
    one.grid = *alone;
    one.runs = &run;
    sweep_name(alone, 0, run.name);
    run.recording = path;
    struct scenario *scenario = run_load(&one, 0, &fault);
    enum status status = STATUS_OK;
    if (scenario)
        status = expect(&run, scenario, error);
    if (!status && scenario)
        status = sweep_find(&run, &found, stray->change, error);
    else if (!status)
        snprintf(stray->change, sizeof stray->change,
                 "this scenario cannot: %.300s", fault.message);
    if (!stray->change[0] && strcmp(run.name, name) != 0)
        memcpy(stray->same, run.name, sizeof stray->same);
    scenario_release(scenario);
    memory_release(run.parameters);
    return status;
}

/* Looks at the recording in the run folder `name`. A run with other values of
 * the same keys is of the same experiment. */
static enum status look_at_run(const struct sweep *sweep, const char *name,
                               struct stray *stray, struct error *error)
{
    struct recording *recording;
    struct sweep_grid alone = { 0 };
    char *path = need_format("%s/%s/run.h5", sweep->folder, name);
    enum status status = STATUS_OK;
    *stray = (struct stray){ .found = !replay_open(path, &recording, NULL) };
    if (stray->found) {
        const bool same_keys =
            grid_of(sweep, recording_text(recording, "set"), &alone);
        recording_close(recording);
        if (same_keys)
            status = compare_run(sweep, &alone, name, path, stray, error);
        else
            snprintf(stray->change, sizeof stray->change, "%s", other_keys);
    }
    sweep_grid_release(&alone);
    memory_release(path);
    return status;
}

/* ---- the sweep's own runs ---- */

static void take_warnings(struct sweep *sweep, const struct scenario *scenario)
{
    const char *text;
    for (size_t i = 0; (text = scenario_warning(scenario, i)); i++) {
        size_t k = 0;
        while (k < sweep->warned_count && strcmp(sweep->warned[k], text) != 0)
            k++;
        if (k == SWEEP_WARNINGS)
            continue;
        sweep->warned_runs[k]++;
        if (k < sweep->warned_count)
            continue;
        sweep->warned[sweep->warned_count++] = need_text(text);
    }
}

/* Each once, and how many of the runs that were examined have it: what one run
 * does not use, another may. */
static void say_warnings(const struct sweep *sweep, size_t examined)
{
    for (size_t k = 0; k < sweep->warned_count; k++)
        if (sweep->warned_runs[k] == examined)
            cli_say(sweep->cli, "%s", sweep->warned[k]);
        else
            cli_say(sweep->cli, "%s (%zu of %zu runs)", sweep->warned[k],
                    sweep->warned_runs[k], examined);
}

static enum status run_check(struct sweep *sweep, size_t i, char *first_fault,
                             struct others *others, struct error *error)
{
    struct sweep_run *run = &sweep->runs[i];
    struct error fault;
    struct scenario *scenario = run_load(sweep, i, &fault);
    if (!scenario) {
        if (!sweep->failed)
            snprintf(first_fault, ERROR_MESSAGE_SIZE, "%s", fault.message);
        sweep_fail(sweep, run, fault.message);
        return STATUS_OK;
    }
    take_warnings(sweep, scenario);
    enum status status = expect(run, scenario, error);
    if (!status)
        status = look(sweep, run, others, error);
    scenario_release(scenario);
    return status;
}

static bool is_left_out(const struct sweep *sweep, size_t i)
{
    return sweep->only && !range_holds(sweep->only, (int64_t)i);
}

static void more_folders(size_t count, char many[64])
{
    many[0] = '\0';
    if (count > 1)
        snprintf(many, 64, ", and so have %zu more run folders", count - 1);
}

static enum status refuse(const struct sweep *sweep,
                          const struct others *others, struct error *error)
{
    char many[64];
    struct stray stray;
    enum status status = look_at_run(sweep, others->first->name, &stray, error);
    if (status)
        return status;
    if (stray.same[0])
        return error_set(
            error, STATUS_INPUT,
            "%s: has the run %s under another name: rename or remove it, or "
            "replace it by --force",
            others->first->folder, stray.same);
    more_folders(others->count, many);
    return error_set(error, STATUS_INPUT,
                     "%s: has a run of another experiment: %s%s; choose "
                     "another folder by -o, or replace it by --force",
                     others->first->folder, others->change, many);
}

static int by_identity(const void *a, const void *b)
{
    const struct sweep_run *const *p = a, *const *q = b;
    int order = strcmp((*p)->identity, (*q)->identity);
    return order ? order : (*p > *q) - (*p < *q);
}

/* The same run twice would count as two independent ones in every median and
 * interval. */
static enum status refuse_twins(const struct sweep *sweep, struct error *error)
{
    const struct sweep_run **runs = need_memory(sweep->grid.runs, sizeof *runs);
    for (size_t i = 0; i < sweep->grid.runs; i++)
        runs[i] = &sweep->runs[i];
    qsort(runs, sweep->grid.runs, sizeof *runs, by_identity);
    enum status status = STATUS_OK;
    for (size_t i = 1; i < sweep->grid.runs && !status; i++)
        if (*runs[i]->identity &&
            strcmp(runs[i - 1]->identity, runs[i]->identity) == 0)
            status =
                error_set(error, STATUS_INPUT,
                          "%s and %s are the same run: their settings "
                          "have the same values, their maps the same cells; "
                          "leave one of them out",
                          runs[i - 1]->name, runs[i]->name);
    memory_release(runs);
    return status;
}

static enum status check_runs(struct sweep *sweep, struct error *error)
{
    char fault[ERROR_MESSAGE_SIZE] = "";
    size_t wanted = 0;
    struct others others = { 0 };
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sweep->grid.runs && !status; i++) {
        if (sweep_stopped(sweep, 0)) {
            sweep->unknown = true;
            return STATUS_OK;
        }
        run_init(sweep, i);
        if (is_left_out(sweep, i)) {
            sweep->runs[i].state = SWEEP_LEFT_OUT;
            continue;
        }
        wanted++;
        status = run_check(sweep, i, fault, &others, error);
    }
    if (!status)
        status = refuse_twins(sweep, error);
    if (!status)
        say_warnings(sweep, wanted);
    if (!status && wanted == 0)
        status = error_set(error, STATUS_INPUT,
                           "--only: the sweep has runs 0 to %zu",
                           sweep->grid.runs - 1);
    else if (!status && sweep->failed == wanted)
        status = error_set(error, STATUS_INPUT,
                           "no run of the sweep can run; the first: %s", fault);
    return !status && others.count ? refuse(sweep, &others, error) : status;
}

/* Can any of the runs run? If not, returns the error of the first: a misspelt
 * key is reported once, before a folder is made. */
static enum status check_any(struct sweep *sweep, struct error *error)
{
    struct error fault, *first = error;
    for (size_t i = 0; i < sweep->grid.runs; i++) {
        if (is_left_out(sweep, i))
            continue;
        struct scenario *scenario = run_load(sweep, i, &fault);
        scenario_release(scenario);
        if (scenario || sweep_stopped(sweep, 0))
            return STATUS_OK;
        if (first)
            error_set(error, STATUS_INPUT,
                      "no run of the sweep can run; the first: %s",
                      fault.message);
        first = NULL;
    }
    return first ? STATUS_OK : STATUS_INPUT; /* --only none: reported later */
}

/* ---- other content of the folder ---- */

/* The run folders that belong to no run of the sweep: they remain unchanged. */
struct rest {
    size_t count;
    char first[NAME_MAX + 1]; /* by name */
    bool recorded;  /* a run of this experiment could be read, here or before */
    size_t refused; /* runs of another experiment; if none, of another name */
    char refused_first[NAME_MAX + 1];
    struct stray stray; /* the first's */
};

/* Counts the folder of a run with a recording. `own`: it belongs to the sweep,
 * and was compared unless it is left out. */
static enum status count_rest(const struct sweep *sweep, const char *name,
                              bool own, struct rest *rest, struct error *error)
{
    struct stray stray;
    if (!own && (rest->count++ == 0 || strcmp(name, rest->first) < 0))
        snprintf(rest->first, sizeof rest->first, "%s", name);
    if (sweep->force || (own && rest->recorded))
        return STATUS_OK;
    enum status status = look_at_run(sweep, name, &stray, error);
    if (status)
        return status;
    const bool other = stray.change[0], renamed = stray.same[0];
    if (stray.found && !other && !renamed)
        rest->recorded = true;
    if (own || (!other && !renamed))
        return STATUS_OK;
    const bool before = rest->stray.change[0];
    if (other && !before)
        rest->refused = 0;
    else if (before && !other)
        return STATUS_OK;
    if (rest->refused++ == 0 || strcmp(name, rest->refused_first) < 0) {
        snprintf(rest->refused_first, sizeof rest->refused_first, "%s", name);
        rest->stray = stray;
    }
    return STATUS_OK;
}

/* Examines the folders with a recording; `names` are the sweep's own. */
static enum status scan_rest(struct sweep *sweep, const char *const *names,
                             struct rest *rest, struct error *error)
{
    DIR *directory = opendir(sweep->folder);
    if (!directory)
        return error_system(error, STATUS_DISK, "%s", sweep->folder);
    enum status status = STATUS_OK;
    for (const struct dirent *entry;
         !status && (entry = readdir(directory)) && !sweep_stopped(sweep, 0);) {
        const char *name = entry->d_name;
        if (has_run(directory, name))
            status = count_rest(
                sweep, name,
                bsearch(&name, names, sweep->grid.runs, sizeof *names, by_text),
                rest, error);
    }
    closedir(directory);
    return status;
}

/* Does the table have a run that is done? */
static bool has_results(const char *table)
{
    char *line = NULL;
    size_t size = 0;
    bool found = false;
    FILE *file = fopen(table, "r");
    while (file && !found && getline(&line, &size, file) >= 0)
        found = strstr(line, ",done,");
    free(line);
    if (file)
        fclose(file);
    return found;
}

/* A table cannot be made again if its runs are missing, or cannot be read. */
static enum status check_table(const struct sweep *sweep, struct error *error)
{
    char *table = sweep_path(sweep->folder, "table.csv");
    enum status status = STATUS_OK;
    if (has_results(table))
        status = error_set(error, STATUS_INPUT,
                           "%s: is the table of runs that are no longer in the "
                           "folder, or cannot be read; choose another folder "
                           "by -o, or replace the table by --force",
                           table);
    memory_release(table);
    return status;
}

static enum status refuse_rest(const struct sweep *sweep,
                               const struct rest *rest, struct error *error)
{
    char many[64];
    more_folders(rest->refused, many);
    if (rest->stray.same[0])
        return error_set(
            error, STATUS_INPUT,
            "%s/%s: has the run %s under another name%s; rename or remove "
            "it, or leave it there and replace the table by "
            "--force",
            sweep->folder, rest->refused_first, rest->stray.same, many);
    return error_set(
        error, STATUS_INPUT,
        "%s/%s: has a run of another experiment: %s%s; choose another folder "
        "by -o, or leave it there and replace the table by --force",
        sweep->folder, rest->refused_first, rest->stray.change, many);
}

/* Rejects a folder with other experiments' runs or their table, and reports in
 * one line the runs of this experiment that the sweep does not make. */
static enum status check_rest(struct sweep *sweep, struct error *error)
{
    struct rest rest = { 0 };
    const char **names = need_memory(sweep->grid.runs, sizeof *names);
    for (size_t i = 0; i < sweep->grid.runs; i++) {
        const struct sweep_run *run = &sweep->runs[i];
        names[i] = run->name;
        rest.recorded = rest.recorded || run->kept || run->begun;
    }
    qsort(names, sweep->grid.runs, sizeof *names, by_text);
    enum status status = scan_rest(sweep, names, &rest, error);
    memory_release(names);
    if (status || sweep->stopped)
        return status;
    if (rest.refused)
        return refuse_rest(sweep, &rest, error);
    if (!rest.recorded && !sweep->force)
        return check_table(sweep, error);
    if (rest.count == 1 && !sweep->only)
        cli_say(sweep->cli, "%s: %s is not of this sweep; it stays as it is",
                sweep->folder, rest.first);
    else if (rest.count && !sweep->only)
        cli_say(sweep->cli,
                "%s: %zu runs are not of this sweep and stay as they are; the "
                "first is %s",
                sweep->folder, rest.count, rest.first);
    return STATUS_OK;
}

enum status sweep_plan(struct sweep *sweep, struct error *error)
{
    enum status status = check_any(sweep, error);
    if (status)
        return status;
    if (mkdir(sweep->folder, 0777) != 0 && errno != EEXIST)
        return disk_refused(sweep->folder, error);
    status = check_folder(sweep->folder, error);
    if (!status)
        status = take_lock(sweep, error);
    sweep->runs = need_memory(sweep->grid.runs, sizeof *sweep->runs);
    if (!status)
        status = check_runs(sweep, error);
    if (!status && !sweep->stopped)
        status = check_rest(sweep, error);
    return status;
}

void sweep_release(struct sweep *sweep)
{
    for (size_t i = 0; sweep->runs && i < sweep->grid.runs; i++)
        run_release(&sweep->runs[i]);
    memory_release(sweep->runs);
    for (size_t i = 0; i < sweep->warned_count; i++)
        memory_release(sweep->warned[i]);
    sweep_grid_release(&sweep->grid);
    if (sweep->lock >= 0)
        close(sweep->lock);
}
