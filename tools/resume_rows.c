/* SPDX-License-Identifier: MIT */
/* The rows that a run goes on behind. It needs none of them, so that a damaged
 * one does not stop it; but whoever goes on should know. */
#include "resume.h"

#include "base/memory.h"
#include "recording/recording.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Larger files are not read before a run goes on, as by hamon-info without
 * --verify. */
static const int64_t read_bytes = 1000000000;

/* Damaged rows, the first of them by name. */
struct damage {
    int64_t rows;
    bool cut; /* not all have a name here */
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

/* A last row between those that are due is written anew. */
static int64_t rows_that_stay(const struct recording *recording)
{
    int64_t rows = recording_rows(recording);
    int64_t every = recording_every(recording);
    bool odd = rows > 0 && every > 0 &&
               recording_steps(recording)[rows - 1] % every != 0;
    return rows - odd;
}

/* Rows that are stored; those between keyframes would have to be computed. */
static enum status read_rows(const struct recording *recording,
                             const struct variable *variable,
                             struct damage *damage, struct error *error)
{
    void *row =
        memory_new(variable_elements(variable), element_bytes(variable->type));
    if (!row)
        return error_memory(error);
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

static enum status read_all(const char *path, struct damage *damage,
                            struct error *error)
{
    struct recording *recording;
    const struct variable *variable;
    enum status status = recording_open(path, &recording, error);
    if (status)
        return status;
    for (size_t i = 0; !status && (variable = recording_variable(recording, i));
         i++)
        if (variable->by_row)
            status = read_rows(recording, variable, damage, error);
    recording_close(recording);
    return status;
}

enum status resume_tell_rows(const struct cli *cli, const char *path,
                             struct error *error)
{
    const char *const words[] = { "hamon-info", "--verify", path };
    struct damage damage = { 0 };
    struct stat about;
    if (stat(path, &about) < 0)
        return error_system(error, STATUS_INPUT, "%s", path);
    bool small = about.st_size <= read_bytes;
    enum status status = small ? read_all(path, &damage, error) : STATUS_OK;
    if (status || (small && !damage.rows))
        return status;
    char *command = cli_command(3, words);
    if (!command)
        return error_memory(error);
    if (small)
        cli_say(cli,
                "%s: warning: %lld rows of variables are damaged (%s) and stay "
                "so; the run goes on behind them, without them: see %s, or "
                "record it again",
                path, (long long)damage.rows, damage.names, command);
    else
        cli_say(cli,
                "%s: its rows are not read before the run goes on, for there "
                "is more than 1 GB of them: %s does",
                path, command);
    memory_release(command);
    return STATUS_OK;
}
