/* SPDX-License-Identifier: MIT */
/* A sweep for others to schedule: DIR/sweep.sh is this very sweep as a command
 * that takes one more option, DIR/go.sh hands its runs and the collecting step
 * to GNU parallel or to Slurm. */
#include "tools/sweep/sweep.h"

#include "base/memory.h"
#include "base/output.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Slurm takes arrays of up to 1000 tasks unless told otherwise (MaxArraySize);
 * where there are more runs, a task does every thousandth. */
enum { ARRAY_MOST = 1000 };

const char *const sweep_emit_names[] = { [EMIT_PARALLEL] = "parallel",
                                         [EMIT_SLURM] = "slurm",
                                         [EMIT_SLURM + 1] = NULL };

/* What the files are made of; every text is quoted for a shell. */
struct emission {
    const struct sweep *sweep;
    char *cwd, *folder; /* absolute */
    char *command;      /* the sweep, all but the option that sweep.sh takes */
};

static char *quoted(const char *word)
{
    return cli_command(1, &word);
}

static void emission_release(struct emission *emission)
{
    memory_release(emission->cwd);
    memory_release(emission->folder);
    memory_release(emission->command);
}

/* hamon-sweep "$@" -o DIR --set … --vary … --zip … -- SCENARIO, from the same
 * folder and with the same settings as here. */
static char *sweep_command(const struct sweep *sweep)
{
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    size_t most =
               2 * (sweep->set.count + sweep->vary.count + sweep->zip.count) +
               6,
           count = 0;
    const char **words = memory_new(most, sizeof *words);
    if (length < 0 || !words) {
        memory_release(words);
        return NULL;
    }
    program[length] = '\0';
    words[count++] = "-o";
    words[count++] = sweep->folder;
    if (sweep->force)
        words[count++] = "--force";
    if (sweep->teams)
        words[count++] = "--teams";
    for (size_t i = 0; i < sweep->set.count; i++) {
        words[count++] = "--set";
        words[count++] = sweep->set.items[i];
    }
    for (size_t i = 0; i < sweep->vary.count; i++) {
        words[count++] = "--vary";
        words[count++] = sweep->vary.items[i];
    }
    for (size_t i = 0; i < sweep->zip.count; i++) {
        words[count++] = "--zip";
        words[count++] = sweep->zip.items[i];
    }
    words[count++] = "--";
    words[count++] = sweep->scenario;
    char *head = quoted(program), *tail = cli_command((int)count, words);
    char *command =
        head && tail ? memory_format("%s \"$@\" %s", head, tail) : NULL;
    memory_release(head);
    memory_release(tail);
    memory_release(words);
    return command;
}

static enum status emission_init(struct emission *emission,
                                 const struct sweep *sweep, struct error *error)
{
    char cwd[PATH_MAX], folder[PATH_MAX];
    *emission = (struct emission){ .sweep = sweep };
    if (!getcwd(cwd, sizeof cwd) || !realpath(sweep->folder, folder))
        return error_system(error, STATUS_FAILED, "%s", sweep->folder);
    /* GNU parallel takes a line for a command, whatever the quotes around it
     * say. */
    if (strpbrk(folder, "\r\n"))
        return error_set(error, STATUS_INPUT,
                         "%s: its name has an end of line in it, and --emit "
                         "writes a command a line: take another folder",
                         folder);
    emission->cwd = quoted(cwd);
    emission->folder = quoted(folder);
    emission->command = sweep_command(sweep);
    return emission->cwd && emission->folder && emission->command
               ? STATUS_OK
               : error_memory(error);
}

static void put_sweep(const struct emission *emission, FILE *out)
{
    fprintf(out,
            "#!/bin/sh\n"
            "# The sweep of this folder: --only N does run N (or A:B, "
            "A:STEP:B) where it is not done,\n"
            "# --collect makes the table. Written by hamon-sweep --emit.\n"
            "cd %s || exit 2\n"
            "exec %s\n",
            emission->cwd, emission->command);
}

/* A line for each run that is still to do. */
static void put_commands(const struct emission *emission, FILE *out)
{
    const struct sweep *sweep = emission->sweep;
    for (size_t i = 0; i < sweep->grid.runs; i++)
        if (sweep->runs[i].state == SWEEP_TO_DO)
            fprintf(out, "sh %s/sweep.sh -q --only %zu\n", emission->folder, i);
}

static void put_go_parallel(const struct emission *emission, FILE *out)
{
    fprintf(out,
            "#!/bin/sh\n"
            "# Does the runs of the sweep by GNU parallel, whose options may "
            "be given (--sshlogin …),\n"
            "# then makes the table. Again after an interruption: what is done "
            "is kept.\n"
            "command -v parallel >/dev/null || { echo 'GNU parallel is "
            "wanted' >&2; exit 2; }\n"
            "parallel --jobs %lld \"$@\" <%s/commands\n"
            "exec sh %s/sweep.sh --collect\n",
            (long long)emission->sweep->jobs, emission->folder,
            emission->folder);
}

static void put_array(const struct emission *emission, FILE *out)
{
    size_t runs = emission->sweep->grid.runs;
    size_t tasks = runs < ARRAY_MOST ? runs : ARRAY_MOST;
    fprintf(out,
            "#!/bin/sh\n"
            "#SBATCH --job-name=hamon-sweep\n"
            "#SBATCH --array=0-%zu\n"
            "#SBATCH --ntasks=1\n"
            "#SBATCH --cpus-per-task=1\n"
            "#SBATCH --output=slurm-%%A_%%a.log\n"
            "# Runs 0 to %zu of the sweep, every %zu-th from the task's own. "
            "Use go.sh, or sbatch.\n"
            "exec sh %s/sweep.sh -q -j 1 --only "
            "\"$SLURM_ARRAY_TASK_ID:%zu:%zu\"\n",
            tasks - 1, runs - 1, tasks, emission->folder, tasks, runs - 1);
}

static void put_collect(const struct emission *emission, FILE *out)
{
    fprintf(out,
            "#!/bin/sh\n"
            "#SBATCH --job-name=hamon-collect\n"
            "#SBATCH --ntasks=1\n"
            "#SBATCH --output=slurm-%%j.log\n"
            "exec sh %s/sweep.sh --collect\n",
            emission->folder);
}

static void put_go_slurm(const struct emission *emission, FILE *out)
{
    fprintf(
        out,
        "#!/bin/sh\n"
        "# Gives the sweep to Slurm: a job array of the runs, and the table "
        "behind it. Options of\n"
        "# sbatch may be given (--partition=…, --time=…). Again after a "
        "fault: what is done is kept.\n"
        "cd %s || exit 2\n"
        "array=$(sbatch --parsable \"$@\" runs.sbatch) || exit\n"
        "exec sbatch --dependency=\"afterany:${array%%%%;*}\" \"$@\" "
        "collect.sbatch\n",
        emission->folder);
}

static enum status write_script(const struct emission *emission,
                                const char *name,
                                void (*put)(const struct emission *, FILE *),
                                struct error *error)
{
    struct output output;
    char *path = sweep_path(emission->sweep->folder, name);
    if (!path)
        return error_memory(error);
    enum status status = output_open(&output, path, true, error);
    if (!status) {
        put(emission, output.file);
        status = output_commit(&output, error);
    }
    memory_release(path);
    return status;
}

enum status sweep_write_scripts(const struct sweep *sweep, enum sweep_emit how,
                                struct error *error)
{
    static const struct {
        const char *name;
        void (*put)(const struct emission *, FILE *);
    } scripts[][4] = {
        [EMIT_PARALLEL] = { { "sweep.sh", put_sweep },
                            { "commands", put_commands },
                            { "go.sh", put_go_parallel } },
        [EMIT_SLURM] = { { "sweep.sh", put_sweep },
                         { "runs.sbatch", put_array },
                         { "collect.sbatch", put_collect },
                         { "go.sh", put_go_slurm } },
    };
    struct emission emission;
    enum status status = emission_init(&emission, sweep, error);
    for (int i = 0; i < 4 && scripts[how][i].name && !status; i++)
        status = write_script(&emission, scripts[how][i].name,
                              scripts[how][i].put, error);
    emission_release(&emission);
    return status;
}
