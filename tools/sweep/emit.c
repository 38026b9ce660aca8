/* SPDX-License-Identifier: MIT */
/* A sweep for other schedulers: DIR/sweep.sh is this sweep as a command that
 * takes one more option; DIR/go.sh passes its runs and the collecting step to
 * GNU parallel or to Slurm. */
#include "tools/sweep/sweep.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/output.h"
#include "base/system.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Slurm allows arrays of up to 1000 tasks by default (MaxArraySize); if there
 * are more runs, a task does every thousandth. */
enum { ARRAY_MOST = 1000 };

/* The parts of the files; every text is quoted for a shell. */
struct emission {
    const struct sweep *sweep;
    char *cwd, *folder; /* absolute */
    char *command;      /* the sweep, without the option that sweep.sh takes */
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
    const struct {
        const char *name;
        const struct cli_list *list;
    } lists[] = { { "--set", &sweep->set },     { "--vary", &sweep->vary },
                  { "--zip", &sweep->zip },     { "--by", &sweep->by },
                  { "--order", &sweep->order }, { "--label", &sweep->labels } };
    enum { LISTS = sizeof lists / sizeof *lists };
    size_t most = 12, count = 0;
    for (int i = 0; i < LISTS; i++)
        most += 2 * lists[i].list->count;
    if (!system_program(program))
        return NULL;
    const char **words = need_memory(most, sizeof *words);
    words[count++] = "-o";
    words[count++] = sweep->folder;
    if (sweep->force)
        words[count++] = "--force";
    if (sweep->teams)
        words[count++] = "--teams";
    const char *const of_chart[][2] = { { "--chart", sweep->chart },
                                        { "--format", sweep->format },
                                        { "--width", sweep->width } };
    for (size_t i = 0; i < sizeof of_chart / sizeof *of_chart; i++)
        if (of_chart[i][1]) {
            words[count++] = of_chart[i][0];
            words[count++] = of_chart[i][1];
        }
    for (int i = 0; i < LISTS; i++)
        for (size_t k = 0; k < lists[i].list->count; k++) {
            words[count++] = lists[i].name;
            words[count++] = lists[i].list->items[k];
        }
    words[count++] = "--";
    words[count++] = sweep->scenario;
    char *head = quoted(program), *tail = cli_command((int)count, words);
    char *command = need_format("%s \"$@\" %s", head, tail);
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
    /* GNU parallel reads one command per line, even if quotes continue over the
     * line end. */
    if (strpbrk(folder, "\r\n"))
        return error_set(error, STATUS_INPUT,
                         "%s: its name has a line end in it, and --emit writes "
                         "one command per line: choose another folder",
                         folder);
    emission->cwd = quoted(cwd);
    emission->folder = quoted(folder);
    emission->command = sweep_command(sweep);
    return emission->command
               ? STATUS_OK
               : error_system(error, STATUS_FAILED, "the program's own file");
}

static void put_sweep(const struct emission *emission, FILE *out)
{
    fprintf(out,
            "#!/bin/sh\n"
            "# The sweep of this folder: --only N does run N (or A:B, "
            "A:STEP:B) if it is not done,\n"
            "# --collect makes the table. Written by hamon-sweep --emit.\n"
            "# HAMON_RUN: a command that starts it in a container (apptainer "
            "exec hamon.sif).\n"
            "cd %s || exit 2\n"
            "exec $HAMON_RUN %s\n",
            emission->cwd, emission->command);
}

/* One line for each run that is left to do. */
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
            "# then makes the table. Run it again after an interruption: "
            "finished runs are kept.\n"
            "command -v parallel >/dev/null || { echo 'GNU parallel is "
            "required' >&2; exit 2; }\n"
            "parallel --jobs %lld \"$@\" <%s/commands\n"
            "exec sh %s/sweep.sh --collect\n",
            (long long)emission->sweep->jobs, emission->folder,
            emission->folder);
}

/* ---- Slurm ---- */

static size_t array_tasks(const struct sweep *sweep)
{
    size_t most = sweep->jobs ? (size_t)sweep->jobs : ARRAY_MOST;
    return sweep->grid.runs < most ? sweep->grid.runs : most;
}

static bool has_runs(const struct sweep *sweep, size_t task, size_t tasks)
{
    for (size_t i = task; i < sweep->grid.runs; i += tasks)
        if (sweep->runs[i].state == SWEEP_TO_DO)
            return true;
    return false;
}

/* The tasks that have runs left to do, as "0-5,8"; no line if there are
 * none. */
static void put_tasks(const struct sweep *sweep, FILE *out)
{
    size_t tasks = array_tasks(sweep);
    const char *before = "#SBATCH --array=";
    for (size_t first = 0; first < tasks; first++) {
        size_t end = first;
        while (end < tasks && has_runs(sweep, end, tasks))
            end++;
        if (end == first)
            continue;
        fprintf(out, "%s%zu", before, first);
        if (end - first > 1)
            fprintf(out, "-%zu", end - 1);
        before = ",";
        first = end;
    }
    if (*before == ',')
        putc('\n', out);
}

/* In the names of logs and of their folders Slurm replaces "%" and "\"
 * sequences, so the script opens its log itself. */
static void put_log(const struct emission *emission, const char *name,
                    FILE *out)
{
    fprintf(out,
            "cd %s || exit 2\n"
            "exec >>\"slurm-%s.log\" 2>&1\n",
            emission->folder, name);
}

static void put_array(const struct emission *emission, FILE *out)
{
    size_t last = emission->sweep->grid.runs - 1;
    size_t tasks = array_tasks(emission->sweep);
    fputs("#!/bin/sh\n"
          "#SBATCH --job-name=hamon-sweep\n",
          out);
    put_tasks(emission->sweep, out);
    fprintf(out,
            "#SBATCH --ntasks=1\n"
            "#SBATCH --cpus-per-task=1\n"
            "#SBATCH --requeue\n"
            "#SBATCH --signal=B:USR1@60\n"
            "#SBATCH --output=/dev/null\n"
            "# Task N does the runs N, N + %zu, ... up to %zu that are not "
            "done. go.sh submits this.\n",
            tasks, last);
    put_log(emission, "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID", out);
    fprintf(out,
            "\n"
            "# A minute before the time limit: stop the run, which keeps its "
            "last step, and queue the\n"
            "# task again, at most 20 times.\n"
            "again() {\n"
            "    kill \"$sweep\"\n"
            "    wait \"$sweep\"\n"
            "    [ \"${SLURM_RESTART_COUNT:-0}\" -lt 20 ] &&\n"
            "        scontrol requeue \"$SLURM_JOB_ID\"\n"
            "    exit\n"
            "}\n"
            "trap again USR1\n"
            "sh %s/sweep.sh -q -j 1 --only \"$SLURM_ARRAY_TASK_ID:%zu:%zu\" &\n"
            "sweep=$!\n"
            "wait \"$sweep\"\n",
            emission->folder, tasks, last);
}

static void put_collect(const struct emission *emission, FILE *out)
{
    fputs("#!/bin/sh\n"
          "#SBATCH --job-name=hamon-collect\n"
          "#SBATCH --ntasks=1\n"
          "#SBATCH --time=30\n"
          "#SBATCH --output=/dev/null\n",
          out);
    put_log(emission, "$SLURM_JOB_ID", out);
    fprintf(out, "exec sh %s/sweep.sh --collect\n", emission->folder);
}

static void put_go_slurm(const struct emission *emission, FILE *out)
{
    char jobs[32] = "";
    if (emission->sweep->jobs)
        snprintf(jobs, sizeof jobs, " -j %lld",
                 (long long)emission->sweep->jobs);
    fprintf(
        out,
        "#!/bin/sh\n"
        "# Submits the runs that are not done to Slurm as a job array, and "
        "after it a job that makes\n"
        "# the table. Options are sbatch's (--time=1:00:00). They apply to the "
        "array; the table's job\n"
        "# uses only those that choose where it runs. Run this again after an "
        "interruption.\n"
        "cd %s || exit 2\n"
        "sh sweep.sh -q --emit slurm%s || exit    # writes what is left into "
        "runs.sbatch\n"
        "grep -q '^#SBATCH --array=' runs.sbatch || exec sh sweep.sh "
        "--collect\n"
        "runs=$(sbatch --parsable \"$@\" runs.sbatch)\n"
        "[ \"$runs\" ] || exit 1\n"
        "runs=${runs%%%%;*}    # without the cluster's name\n"
        "\n"
        "value=    # \"value\" where the next word belongs to the option "
        "before it\n"
        "for word in \"$@\"; do\n"
        "    shift\n"
        "    case $value:$word in\n"
        "    :-[pAqM] | :--partition | :--account | :--qos | :--clusters | "
        ":--reservation)\n"
        "        set -- \"$@\" \"$word\"\n"
        "        value=value ;;\n"
        "    value:* | :-[pAqM]* | :--partition=* | :--account=* | :--qos=* | "
        ":--clusters=* | :--reservation=*)\n"
        "        set -- \"$@\" \"$word\"\n"
        "        value= ;;\n"
        "    esac\n"
        "done\n"
        "table=$(sbatch --parsable --dependency=\"afterany:$runs\" \"$@\" "
        "collect.sbatch)\n"
        "[ \"$table\" ] || {\n"
        "    echo \"Job array $runs does the runs. When it has ended make the "
        "table by: sh $PWD/sweep.sh --collect\" >&2\n"
        "    exit 1\n"
        "}\n"
        "echo \"Job array $runs does the runs, job ${table%%%%;*} makes the "
        "table.\"\n",
        emission->folder, jobs);
}

static enum status write_script(const struct emission *emission,
                                const char *name,
                                void (*put)(const struct emission *, FILE *),
                                struct error *error)
{
    struct output output;
    char *path = sweep_path(emission->sweep->folder, name);
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
