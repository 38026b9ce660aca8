/* SPDX-License-Identifier: MIT */
/* hamon-sweep: runs a scenario for every combination of some keys' values, and
 * makes one table of the results. */
#include "tools/sweep/sweep.h"

#include "base/memory.h"
#include "base/team.h"
#include "base/utf8.h"
#include "cli/interrupt.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static struct sweep sweep_given = { .lock = -1 };
static struct {
    const char *emit, *only, *table;
    enum table_format table_format; /* parsed */
    bool collect, json;
} given;

static const char notes[] =
    "Values are as for hamon-record --set; those with commas in brackets or "
    "double\nquotes. DIR holds a folder a run with run.h5 and log, and the "
    "tables:\n"
    "table.csv, table.h5: a row for each run and method of its agents, and a "
    "column for\n"
    "each key of --vary, --zip and --set, of a group for each of its keys, "
    "with what the\n"
    "runs were made with (set.steps, as steps are those made). long.csv: the "
    "same, a\n"
    "row for each number. over-seeds.csv, where seed is varied: over runs that "
    "differ in\n"
    "the seed alone each metric's median, quartiles and the 95 % bootstrap "
    "interval of\n"
    "the median; of all their agents the capture rate, of all chases the chase "
    "rate\n"
    "(95 %: Wilson); capture_time, with those that did not capture as censored "
    "at the\n"
    "end of their run (Kaplan-Meier), and its mean up to the least step limit. "
    "With\n"
    "pursuit.stop = any-captured a chase is captured at the first capture of "
    "the row's\n"
    "agents, and times are of chases; else once all have captured, and times "
    "are of\n"
    "agents. Formulas: docs/reference/statistics.md; pairs on the same seed: "
    "hamon-compare\n"
    "--paired METHOD DIR. More values may be added later in the same "
    "DIR;\n"
    "another scenario, --set or KEY is refused there.\n\n"
    "Examples:\n"
    "  hamon-sweep -o walls --vary wave.walls=fixed,free corridor.cfg\n"
    "  hamon-sweep -j 2 -o deltas --vary seed=1:20 --vary "
    "wave.delta=0.1:0.2:0.5 \\\n"
    "      --set 'record.fields=(\"agents\")' chase.cfg\n"
    "  hamon-sweep -o both --zip wave.walls=fixed,free \\\n"
    "      --zip arrival.heading=paper,signed chase.cfg\n"
    "  hamon-sweep --emit slurm -o seeds --vary seed=1:1000 chase.cfg &&\n"
    "      sh seeds/go.sh --time=1:00:00\n";

/* sweep_stopped polls these; runs are started with them unblocked. */
static void hold_signals(void)
{
    sigset_t set;
    interrupt_signals(&set);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

struct counts {
    size_t done, kept, resumed;
};

static struct counts count_runs(const struct sweep *sweep)
{
    struct counts counts = { 0 };
    for (size_t i = 0; i < sweep->grid.runs; i++) {
        const struct sweep_run *run = &sweep->runs[i];
        bool done = run->state == SWEEP_DONE;
        counts.done += done;
        counts.kept += done && run->kept;
        counts.resumed += done && run->resumed;
    }
    return counts;
}

static enum status write_table(struct sweep *sweep, struct error *error)
{
    struct sweep_table table;
    enum status status = sweep_table_make(sweep, &table, error);
    if (!status && !sweep->stopped)
        status = sweep_write_csv(&table, error);
    if (!status && !sweep->stopped)
        status = sweep_write_hdf5(&table, error);
    if (!status && !sweep->stopped && (given.table || given.json))
        status = sweep_print(&table, given.table_format, stdout, error);
    sweep_table_release(&table);
    return status;
}

static void report_runs(const struct sweep *sweep, enum sweep_state state)
{
    utf8_show(stderr, sweep->folder);
    fprintf(stderr, ": %s:\n", sweep_state_names[state]);
    for (size_t i = 0; i < sweep->grid.runs; i++)
        if (sweep->runs[i].state == state)
            fprintf(stderr, "  %s\n", sweep->runs[i].name);
}

/* With --only the exit code is that of the failed runs, if all have the same: a
 * scheduler's accounting then has it. */
static int failed_code(const struct sweep *sweep)
{
    int code = 0;
    for (size_t i = 0; i < sweep->grid.runs && sweep->only; i++) {
        const struct sweep_run *run = &sweep->runs[i];
        if (run->state != SWEEP_FAILED)
            continue;
        if (!run->code || (code && run->code != code))
            return STATUS_FAILED;
        code = run->code;
    }
    return code ? code : STATUS_FAILED;
}

static int report_undone(const struct sweep *sweep)
{
    if (sweep->unfinished)
        report_runs(sweep, SWEEP_STOPPED);
    if (sweep->failed)
        report_runs(sweep, SWEEP_FAILED);
    return sweep->failed       ? failed_code(sweep)
           : sweep->unfinished ? STATUS_FAILED
                               : STATUS_OK;
}

static int report_end(const struct sweep *sweep)
{
    struct counts counts = count_runs(sweep);
    char stopped[48] = "";
    if (sweep->unfinished)
        snprintf(stopped, sizeof stopped, ", %zu stopped", sweep->unfinished);
    size_t fresh = counts.done - counts.kept - counts.resumed;
    if (sweep->stopped && sweep->unknown) {
        cli_say(sweep->cli,
                "%s: stopped before all runs were looked for; the same command "
                "goes on from here",
                sweep->folder);
        interrupt_die(sweep->stopped);
    }
    if (sweep->stopped) {
        cli_say(sweep->cli,
                "%s: stopped with %zu of %zu runs done; the same command goes "
                "on from here",
                sweep->folder, counts.done, sweep->grid.runs);
        interrupt_die(sweep->stopped);
    }
    if (sweep->only)
        cli_say(sweep->cli,
                "%s: %zu runs done, %zu of them before, %zu gone on with, %zu "
                "new, %zu failed",
                sweep->folder, counts.done, counts.kept, counts.resumed, fresh,
                sweep->failed);
    else
        cli_say(sweep->cli,
                "%s: %zu runs, %zu kept from before, %zu gone on with, %zu "
                "new, %zu failed%s; %s/table.csv, %s/table.h5",
                sweep->folder, sweep->grid.runs, counts.kept, counts.resumed,
                fresh, sweep->failed, stopped, sweep->folder, sweep->folder);
    return report_undone(sweep);
}

/* A run that is not done by now was stopped, or counts as failed. */
static void end_undone(struct sweep *sweep)
{
    char line[512];
    for (size_t i = 0; i < sweep->grid.runs; i++) {
        struct sweep_run *run = &sweep->runs[i];
        if (run->state != SWEEP_TO_DO)
            continue;
        sweep_log_line(run, line, sizeof line);
        if (run->begun)
            sweep_stop(sweep, run);
        else
            sweep_fail(sweep, run,
                       line[0] ? line
                               : "has no recording and no message: it was not "
                                 "started, or was killed before its first "
                                 "commit");
    }
}

static enum status emit(const struct sweep *sweep, const char *name,
                        struct error *error)
{
    enum sweep_emit how =
        strcmp(name, "slurm") == 0 ? EMIT_SLURM : EMIT_PARALLEL;
    if (sweep->failed)
        return error_set(error, STATUS_INPUT,
                         "%s: %zu of %zu runs cannot run, as printed above; "
                         "correct their values: no script was written",
                         sweep->folder, sweep->failed, sweep->grid.runs);
    enum status status = sweep_write_scripts(sweep, how, error);
    if (status)
        return status;
    char *script = sweep_path(sweep->folder, "go.sh");
    const char *const words[] = { "sh", script };
    char *command = script ? cli_command(2, words) : NULL;
    if (command)
        cli_say(sweep->cli, "%s: %zu runs, %zu done before; %s", sweep->folder,
                sweep->grid.runs, count_runs(sweep).kept, command);
    else
        status = error_memory(error);
    memory_release(command);
    memory_release(script);
    return status;
}

static int run_sweep(struct sweep *sweep)
{
    struct error error;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sweep->vary.count && !status; i++)
        status = sweep_grid_add(&sweep->grid, sweep->vary.items[i], &error);
    if (!status)
        status = sweep_grid_zip(&sweep->grid, &sweep->zip, &error);
    if (!status) {
        hold_signals();
        status = sweep_plan(sweep, &error);
    }
    if (!status && !sweep->stopped && given.emit) {
        status = emit(sweep, given.emit, &error);
        return status ? cli_fail(&error) : STATUS_OK;
    }
    if (!status && !sweep->stopped) {
        if (given.collect)
            end_undone(sweep);
        else
            status = sweep_all(sweep, &error);
    }
    if (!status && !sweep->stopped && !sweep->only)
        status = write_table(sweep, &error);
    return status ? cli_fail(&error) : report_end(sweep);
}

static int check_options(const struct cli *cli)
{
    if (cli->operand_count != 1)
        return cli_usage(cli, "one scenario is wanted, %d were given",
                         cli->operand_count);
    if (cli->operands[0][0] == '-' && !cli->operands[0][1])
        return cli_usage(cli, "the scenario must be a file: every run reads "
                              "it");
    if (!sweep_given.folder)
        return cli_usage(cli, "-o DIR is wanted: the sweep's folder");
    if (!sweep_given.vary.count && !sweep_given.zip.count)
        return cli_usage(cli, "--vary KEY=V1,V2,... is wanted");
    if (given.emit && strcmp(given.emit, "slurm") != 0 &&
        strcmp(given.emit, "parallel") != 0)
        return cli_usage(cli, "--emit '%s': slurm and parallel are allowed",
                         given.emit);
    if ((given.emit != NULL) + (given.only != NULL) + given.collect > 1)
        return cli_usage(cli, "--emit, --only and --collect do not go "
                              "together");
    if ((given.table || given.json) && (given.emit || given.only))
        return cli_usage(cli, "--table, --json: --emit and --only make no "
                              "table");
    return CLI_GO_ON;
}

static const struct cli_option options[] = {
    { CLI_FILE, 'o', "output", "DIR",
      "the sweep's folder: new, empty, or to be continued", &sweep_given.folder,
      0, 0 },
    { CLI_LIST, 0, "vary", "KEY=V1,V2",
      "the values of a key; A:B and A:STEP:B are ranges\nof numbers; may "
      "be given again: a grid",
      &sweep_given.vary, 0, 0 },
    { CLI_LIST, 0, "zip", "KEY=V1,V2",
      "the values of a key that varies together with all\nothers of --zip: the "
      "first value of each, the second\nof each, ...",
      &sweep_given.zip, 0, 0 },
    { CLI_FLAG, 0, "teams", NULL,
      "rows for teams, not for methods: of agents whose names\nare the same "
      "but for a number at the end (A1, A2)",
      &sweep_given.teams, 0, 0 },
    { CLI_LIST, 0, "set", "KEY=VALUE", "override a key in every run",
      &sweep_given.set, 0, 0 },
    { CLI_INT, 'j', "jobs", "N",
      "runs at once (default: the processors; tasks of Slurm's\narray: 1000)",
      &sweep_given.jobs, 1, 1024 },
    { CLI_TEXT, 0, "emit", "HOW",
      "run nothing: write DIR/go.sh, which has the runs done\nby Slurm "
      "(slurm) or GNU parallel (parallel), and the table\nmade behind them",
      &given.emit, 0, 0 },
    { CLI_TEXT, 0, "only", "N",
      "do run N alone, of 0, 1, ... (or A:B, A:STEP:B), and make\nno "
      "table; others may do theirs at once; the exit code is\nthe run's",
      &given.only, 0, 0 },
    { CLI_FLAG, 0, "collect", NULL,
      "run nothing: make the table of what is done", &given.collect, 0, 0 },
    { CLI_TEXT, 0, "table", "FORMAT",
      "print the table too, as text, csv, md or tex: where seed is\nvaried "
      "each metric's median, quartiles and 95 % interval",
      &given.table, 0, 0 },
    { CLI_FLAG, 0, "json", NULL, "print the same as JSON", &given.json, 0, 0 },
    { CLI_FLAG, 0, "force", NULL,
      "replace runs and tables of another experiment (another\nscenario, "
      "--set or keys of --vary), which are refused\nwithout it, exit 2; runs "
      "of "
      "other names stay",
      &sweep_given.force, 0, 0 },
    { 0 },
};

static int run(struct cli *cli, void *context)
{
    struct range only;
    struct error error;
    int code = check_options(cli);
    if (code != CLI_GO_ON)
        return code;
    if (table_format_parse(given.table, given.json, &given.table_format,
                           &error))
        return cli_fail(&error);
    if (given.only && range_parse(given.only, "--only", &only, &error))
        return cli_fail(&error);
    struct sweep *sweep = &sweep_given;
    sweep->cli = cli;
    sweep->scenario = cli->operands[0];
    sweep->only = given.only ? &only : NULL;
    sweep->at_once = given.emit != NULL;
    if (!sweep->jobs && !(given.emit && strcmp(given.emit, "slurm") == 0))
        sweep->jobs = team_processors();
    code = run_sweep(sweep);
    sweep_release(sweep);
    return code;
}

int main(int argc, char **argv)
{
    struct cli cli = {
        .program = "hamon-sweep",
        .synopsis = "[OPTION]... -o DIR --vary KEY=V1,V2,... SCENARIO",
        .purpose =
            "Runs a scenario for every combination of values, and makes one "
            "table of the\nruns' metrics. What was interrupted, by whatever, "
            "goes on when it is started\nagain: done runs are kept, and those "
            "under way go on from their last commit.",
        .notes = notes,
        .options = options,
    };
    return cli_main(&cli, argc, argv, run, NULL);
}
