/* SPDX-License-Identifier: MIT */
/* Which runs there are, which can run, and which have been done. */
#include "sweep.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "parameters.h"
#include "scenario/scenario.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char lock_name[] = ".hamon-sweep";

char *sweep_path(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = memory_new(size, 1);
    if (path)
        snprintf(path, size, "%s/%s", folder, name);
    return path;
}

enum status sweep_settings(const struct sweep *sweep, size_t run,
                           const char ***settings, size_t *count,
                           struct error *error)
{
    const struct sweep_grid *grid = &sweep->grid;
    *count = sweep->set_count + grid->axis_count;
    *settings = memory_new(*count, sizeof **settings);
    if (!*settings)
        return error_memory(error);
    for (size_t i = 0; i < sweep->set_count; i++)
        (*settings)[i] = sweep->set[i];
    for (size_t axis = 0; axis < grid->axis_count; axis++) {
        const char *key = grid->axes[axis].key;
        const char *value = sweep_value(grid, run, axis);
        size_t size = strlen(key) + strlen(value) + 2;
        char *text = memory_new(size, 1);
        (*settings)[sweep->set_count + axis] = text;
        if (!text) {
            sweep_settings_release(sweep, *settings, *count);
            return error_memory(error);
        }
        snprintf(text, size, "%s=%s", key, value);
    }
    return STATUS_OK;
}

void sweep_settings_release(const struct sweep *sweep, const char **settings,
                            size_t count)
{
    for (size_t i = sweep->set_count; i < count; i++)
        memory_release((char *)settings[i]);
    memory_release(settings);
}

void sweep_fail(struct sweep *sweep, struct sweep_run *run, const char *why)
{
    run->state = SWEEP_FAILED;
    sweep->failed++;
    fputs(isatty(STDERR_FILENO) ? "\r\033[K" : "", stderr);
    utf8_show(stderr, run->folder);
    fputs(": ", stderr);
    utf8_show(stderr, why);
    fputc('\n', stderr);
}

/* Only a folder that is new, empty or another sweep's is written to. */
static enum status check_folder(const char *folder, struct error *error)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return error_system(error, STATUS_INPUT, "%s", folder);
    bool empty = true, sweeps = false;
    for (const struct dirent *entry; (entry = readdir(directory));) {
        sweeps = sweeps || strcmp(entry->d_name, lock_name) == 0;
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            empty = false;
    }
    closedir(directory);
    if (empty || sweeps)
        return STATUS_OK;
    return error_set(error, STATUS_INPUT,
                     "%s: holds other things than a sweep; an empty or a new "
                     "folder is wanted",
                     folder);
}

/* The lock goes on to the runs: while one that a killed sweep left behind
 * still writes, another sweep of the folder waits for it. Those that do some of
 * the runs share it. */
static enum status take_lock(struct sweep *sweep, struct error *error)
{
    char *path = sweep_path(sweep->folder, lock_name);
    if (!path)
        return error_memory(error);
    sweep->lock = open(path, O_RDWR | O_CREAT, 0666);
    enum status status = STATUS_OK;
    if (sweep->lock < 0)
        status = error_system(error, STATUS_DISK, "%s", path);
    memory_release(path);
    bool told = false;
    int how = (sweep->only ? LOCK_SH : LOCK_EX) | LOCK_NB;
    while (!status && flock(sweep->lock, how) != 0) {
        if (errno != EWOULDBLOCK)
            return error_system(error, STATUS_DISK, "%s: cannot be locked",
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

static enum status run_init(const struct sweep *sweep, size_t i,
                            struct error *error)
{
    struct sweep_run *run = &sweep->runs[i];
    sweep_name(&sweep->grid, i, run->name);
    run->folder = sweep_path(sweep->folder, run->name);
    if (!run->folder)
        return error_memory(error);
    run->recording = sweep_path(run->folder, "run.h5");
    run->log = sweep_path(run->folder, "log");
    return run->recording && run->log ? STATUS_OK : error_memory(error);
}

/* The first run folder with a finished or begun run of something else, and how
 * many there are. */
struct others {
    size_t count;
    const struct sweep_run *first;
    char change[PARAMETERS_CHANGE_SIZE];
};

/* What is there of the run. */
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

/* Reads the scenario as the run will. A fault is the run's, not ours. */
static enum status run_check(struct sweep *sweep, size_t i, char *first_fault,
                             struct others *others, struct error *error)
{
    struct sweep_run *run = &sweep->runs[i];
    const char **settings;
    size_t count;
    enum status status = sweep_settings(sweep, i, &settings, &count, error);
    if (status)
        return status;
    struct scenario *scenario = NULL;
    struct error fault;
    if (scenario_load(sweep->scenario, settings, count, &scenario, &fault)) {
        if (!sweep->failed)
            snprintf(first_fault, ERROR_MESSAGE_SIZE, "%s", fault.message);
        sweep_fail(sweep, run, fault.message);
    } else {
        status = sweep_expect(run, scenario, error);
        if (!status)
            status = look(sweep, run, others, error);
    }
    scenario_release(scenario);
    sweep_settings_release(sweep, settings, count);
    return status;
}

static bool is_left_out(const struct sweep *sweep, size_t i)
{
    return sweep->only && !range_holds(sweep->only, (int64_t)i);
}

static enum status refuse(const struct others *others, struct error *error)
{
    char many[64] = "";
    if (others->count > 1)
        snprintf(many, sizeof many, ", and so do %zu more run folders",
                 others->count - 1);
    return error_set(
        error, STATUS_INPUT,
        "%s: holds a run of another experiment: %s%s; name another "
        "folder by -o, or replace what is there by --force",
        others->first->folder, others->change, many);
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
        status = run_init(sweep, i, error);
        if (is_left_out(sweep, i)) {
            sweep->runs[i].state = SWEEP_LEFT_OUT;
            continue;
        }
        wanted++;
        if (!status)
            status = run_check(sweep, i, fault, &others, error);
    }
    if (!status && wanted == 0)
        status = error_set(error, STATUS_INPUT,
                           "--only: the sweep has runs 0 to %zu",
                           sweep->grid.runs - 1);
    else if (!status && sweep->failed == wanted)
        status = error_set(error, STATUS_INPUT,
                           "no run of the sweep can run; the first: %s", fault);
    return !status && others.count ? refuse(&others, error) : status;
}

/* Can any of the runs run? The fault of the first where none can: a key that is
 * misspelt is told once, before there is a folder. */
static enum status check_any(struct sweep *sweep, struct error *error)
{
    struct error fault, *first = error;
    for (size_t i = 0; i < sweep->grid.runs; i++) {
        const char **settings;
        size_t count;
        struct scenario *scenario = NULL;
        if (is_left_out(sweep, i))
            continue;
        enum status status = sweep_settings(sweep, i, &settings, &count, error);
        if (status)
            return status;
        status =
            scenario_load(sweep->scenario, settings, count, &scenario, &fault);
        scenario_release(scenario);
        sweep_settings_release(sweep, settings, count);
        if (!status || sweep_stopped(sweep, 0))
            return STATUS_OK;
        if (first)
            error_set(error, STATUS_INPUT,
                      "no run of the sweep can run; the first: %s",
                      fault.message);
        first = NULL;
    }
    return first ? STATUS_OK : STATUS_INPUT; /* --only none: told later */
}

enum status sweep_plan(struct sweep *sweep, struct error *error)
{
    enum status status = check_any(sweep, error);
    if (status)
        return status;
    if (mkdir(sweep->folder, 0777) != 0 && errno != EEXIST)
        return error_system(error, STATUS_INPUT, "%s", sweep->folder);
    status = check_folder(sweep->folder, error);
    if (!status)
        status = take_lock(sweep, error);
    sweep->runs = memory_new(sweep->grid.runs, sizeof *sweep->runs);
    if (!sweep->runs)
        return error_memory(error);
    if (!status)
        status = check_runs(sweep, error);
    if (!status && !sweep->stopped && !sweep->only)
        status = sweep_tell_strangers(sweep, error);
    return status;
}

void sweep_release(struct sweep *sweep)
{
    for (size_t i = 0; sweep->runs && i < sweep->grid.runs; i++) {
        memory_release(sweep->runs[i].folder);
        memory_release(sweep->runs[i].recording);
        memory_release(sweep->runs[i].log);
        memory_release(sweep->runs[i].parameters);
    }
    memory_release(sweep->runs);
    sweep_grid_release(&sweep->grid);
    if (sweep->lock >= 0)
        close(sweep->lock);
}
