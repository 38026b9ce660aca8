/* SPDX-License-Identifier: MIT */
/* hamon-sweep: runs a scenario for every combination of some keys' values, and
 * makes one table of the results. */
#include "tools/sweep/sweep.h"

#include "base/memory.h"
#include "base/team.h"
#include "base/utf8.h"
#include "cli/interrupt.h"
#include "draw/chart/chart.h"
#include "draw/chart/labels.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static struct sweep sweep_given = { .lock = -1 };
static struct {
    const char *emit, *only, *table;
    struct sweep_chart chart; /* parsed */
    bool drawn;
    enum table_format table_format; /* parsed */
    bool collect, json;
} given;

static const char notes[] =
    "Values are written as for hamon-record --set; put values with commas in\n"
    "brackets or double quotes. DIR contains a folder for each run, with\n"
    "run.h5 and log, and the tables:\n"
    "\n"
    "table.csv, table.h5: a row for each run and each method of its agents. A\n"
    "column for each key of --vary, --zip and --set (of a group: each of its\n"
    "keys) has the value that the run was made with (set.steps, because steps\n"
    "is the number of steps made). The other columns are metrics.\n"
    "long.csv: the same, with a row for each number.\n"
    "over-seeds.csv, if seed is varied, or with --by: over runs that differ\n"
    "only in the seed, each metric's median, quartiles and 95 % bootstrap "
    "interval of the\n"
    "median, or of 2 to 4 values their range; the capture rate of all their\n"
    "agents and the chase rate of all chases (95 %: Wilson, of 10 or more);\n"
    "time, where agents without a capture count as censored at the end of\n"
    "their run (Kaplan-Meier), and its mean up to the smallest step limit.\n"
    "With pursuit.stop = any-captured a chase counts as captured at the first\n"
    "capture of the row's agents, and times are of chases; otherwise when all\n"
    "have captured, and times are of agents.\n"
    "\n"
    "chart.pdf, chart.csv, chart.gp: a chart of the table, its numbers, and "
    "the\n"
    "gnuplot script that draws it: over one parameter dots with 95 % "
    "intervals\n"
    "(all values of fewer than 5), over two a cell for each pair with its\n"
    "number; more parameters, and methods over two, have a panel for each\n"
    "value. An open symbol or \"> 4,000\": the median is beyond the step "
    "limit.\n"
    "\n"
    "The formulas are in docs/reference/statistics.md. For pairs with equal "
    "seeds, use\n"
    "hamon-compare --paired METHOD DIR. More values may be added later in the\n"
    "same DIR; another scenario, --set or KEY is rejected there.\n"
    "\n"
    "Examples:\n"
    "  hamon-sweep -o walls --vary wave.walls=fixed,free corridor.cfg\n"
    "  hamon-sweep -j 2 -o deltas --vary seed=1:20 \\\n"
    "      --vary wave.delta=0.1:0.2:0.5 \\\n"
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
    if (!status && !sweep->stopped && !given.chart.none)
        status = sweep_draw_chart(&table, &given.chart, &given.drawn, error);
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

/* The first of the chart's pictures, or its script. */
static const char *chart_name(void)
{
    static char name[16];
    int format = 0;
    while (format < CHART_FORMATS && !(given.chart.formats & 1U << format))
        format++;
    snprintf(name, sizeof name, "/chart.%s",
             format < CHART_FORMATS ? chart_format_names[format] : "gp");
    return name;
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
                "%s: stopped before all runs were checked; run the same "
                "command again to continue",
                sweep->folder);
        interrupt_die(sweep->stopped);
    }
    if (sweep->stopped) {
        cli_say(sweep->cli,
                "%s: stopped with %zu of %zu runs done; run the same command "
                "again to continue",
                sweep->folder, counts.done, sweep->grid.runs);
        interrupt_die(sweep->stopped);
    }
    if (sweep->only)
        cli_say(sweep->cli,
                "%s: %zu runs done, %zu of them before, %zu resumed, %zu new, "
                "%zu failed",
                sweep->folder, counts.done, counts.kept, counts.resumed, fresh,
                sweep->failed);
    else
        cli_say(sweep->cli,
                "%s: %zu runs, %zu kept from before, %zu resumed, %zu new, %zu "
                "failed%s; %s/table.csv, %s/table.h5%s%s%s",
                sweep->folder, sweep->grid.runs, counts.kept, counts.resumed,
                fresh, sweep->failed, stopped, sweep->folder, sweep->folder,
                given.drawn ? ", " : "", given.drawn ? sweep->folder : "",
                given.drawn ? chart_name() : "");
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
    char *command = cli_command(2, words);
    cli_say(sweep->cli, "%s: %zu runs, %zu done before; %s", sweep->folder,
            sweep->grid.runs, count_runs(sweep).kept, command);
    memory_release(command);
    memory_release(script);
    return STATUS_OK;
}

/* The axes and their values; those of --order come first. */
static enum status make_grid(struct sweep *sweep, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sweep->vary.count && !status; i++)
        status = sweep_grid_add(&sweep->grid, sweep->vary.items[i], error);
    if (!status)
        status = sweep_grid_zip(&sweep->grid, &sweep->zip, error);
    for (size_t i = 0; i < sweep->by.count && !status; i++)
        if (sweep_axis_of(&sweep->grid, sweep->by.items[i]) ==
            sweep->grid.axis_count)
            status = error_set(error, STATUS_INPUT,
                               "--by %.200s: no key of --vary or --zip",
                               sweep->by.items[i]);
    for (size_t i = sweep->order.count; i-- > 0 && !status;)
        sweep_grid_order(&sweep->grid, sweep->order.items[i]);
    return status;
}

static int run_sweep(struct sweep *sweep)
{
    struct error error;
    enum status status = make_grid(sweep, &error);
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
        return cli_usage(cli, "one scenario is required, %d were given",
                         cli->operand_count);
    if (cli->operands[0][0] == '-' && !cli->operands[0][1])
        return cli_usage(cli, "the scenario must be a file: every run reads "
                              "it");
    if (!sweep_given.folder)
        return cli_usage(cli, "-o DIR is required: the sweep's folder");
    if (!sweep_given.vary.count && !sweep_given.zip.count)
        return cli_usage(cli, "--vary KEY=V1,V2,... is required");
    if (given.emit && strcmp(given.emit, "slurm") != 0 &&
        strcmp(given.emit, "parallel") != 0)
        return cli_usage(cli, "--emit '%s': slurm and parallel are allowed",
                         given.emit);
    if ((given.emit != NULL) + (given.only != NULL) + given.collect > 1)
        return cli_usage(cli, "--emit, --only and --collect: give one of them");
    if ((given.table || given.json) && (given.emit || given.only))
        return cli_usage(cli, "--table, --json: --emit and --only make no "
                              "table");
    return CLI_GO_ON;
}

static const struct cli_option options[] = {
    { CLI_FILE, 'o', "output", "DIR",
      "the sweep's folder: new, empty, or of a sweep to continue",
      &sweep_given.folder, 0, 0 },
    { CLI_LIST, 0, "vary", "KEY=V1,V2",
      "the values of a key; A:B and A:STEP:B are ranges of\n"
      "numbers; repeatable: all combinations",
      &sweep_given.vary, 0, 0 },
    { CLI_LIST, 0, "zip", "KEY=V1,V2",
      "the values of a key that varies together with the other\n"
      "keys of --zip: first the first value of each, then the\n"
      "second of each, ...",
      &sweep_given.zip, 0, 0 },
    { CLI_FLAG, 0, "teams", NULL,
      "a row for each team instead of each method: a team is the\n"
      "agents with the same name except for a number at its end\n"
      "(A1, A2)",
      &sweep_given.teams, 0, 0 },
    { CLI_LIST, 0, "set", "KEY=VALUE", "override a key in every run",
      &sweep_given.set, 0, 0 },
    { CLI_INT, 'j', "jobs", "N",
      "number of runs at the same time (the number of processors;\n"
      "of tasks in Slurm's array: 1000)",
      &sweep_given.jobs, 1, 1024 },
    { CLI_TEXT, 0, "emit", "HOW",
      "run nothing: write DIR/go.sh, which submits the runs to\n"
      "Slurm (slurm) or starts them by GNU parallel (parallel),\n"
      "and makes the table after them",
      &given.emit, 0, 0 },
    { CLI_TEXT, 0, "only", "N",
      "do only run N of 0, 1, ... (or A:B, A:STEP:B), and make no\n"
      "table; other processes may do other runs at the same time;\n"
      "the exit status is the run's",
      &given.only, 0, 0 },
    { CLI_FLAG, 0, "collect", NULL,
      "run nothing: make the table from the runs that are done", &given.collect,
      0, 0 },
    { CLI_TEXT, 0, "table", "FORMAT",
      "print the table too, as text, csv, md or tex: if seed is\n"
      "varied, each metric's median, quartiles and 95 % interval",
      &given.table, 0, 0 },
    { CLI_FLAG, 0, "json", NULL, "print the same as JSON", &given.json, 0, 0 },
    { CLI_TEXT, 0, "chart", "COLUMN",
      "the column that the chart shows: a metric of the tables\n"
      "(capture_time, with the share that captured)",
      &sweep_given.chart, 0, 0 },
    { CLI_TEXT, 0, "format", "LIST",
      "formats of the chart, of pdf,svg,png,tex (pdf), or none: no\n"
      "chart",
      &sweep_given.format, 0, 0 },
    { CLI_TEXT, 0, "width", "CM",
      "width of the chart: column (8.5), page (17) or a number\n"
      "(page for many values or several panels, else column)",
      &sweep_given.width, 0, 0 },
    { .kind = CLI_TABLE, .value = &cli_language },
    { CLI_LIST, 0, "by", "KEY",
      "in the table over seeds and the chart, a row for each value\n"
      "of this key, and of no other: runs that differ in others are\n"
      "taken together; the first is the chart's abscissa;\n"
      "repeatable, or KEY,KEY",
      &sweep_given.by, 0, 0 },
    { CLI_LIST, 0, "order", "NAME",
      "a method, or a value of a key, that comes first in tables\n"
      "and chart; repeatable",
      &sweep_given.order, 0, 0 },
    { CLI_LIST, 0, "label", "NAME=TEXT",
      "words of the chart for a method, a key, a value that is a\n"
      "word, or METHOD, VALUE of a panel; repeatable",
      &sweep_given.labels, 0, 0 },
    { CLI_FLAG, 0, "force", NULL,
      "replace runs and tables of another experiment (another\n"
      "scenario, --set or keys of --vary); without it they are an\n"
      "error, exit status 2; runs with other names are kept",
      &sweep_given.force, 0, 0 },
    { 0 },
};

/* What --format requires must be there; without it the chart's table and script
 * are written even if gnuplot is not installed. */
static enum status read_chart(const struct cli *cli, struct error *error)
{
    struct sweep_chart *chart = &given.chart;
    chart->column = sweep_given.chart;
    enum status status = sweep_chart_check(chart, error);
    if (!status)
        status =
            chart_formats_parse(sweep_given.format ? sweep_given.format : "pdf",
                                &chart->formats, error);
    if (!status && sweep_given.width)
        status = chart_width_parse(sweep_given.width, &chart->width, error);
    chart->none = !chart->formats;
    if (status || given.emit || given.only)
        return status;
    const struct chart asked = { .formats = chart->formats };
    status = chart_gnuplot_check(&asked, error);
    if (!status || sweep_given.format)
        return status;
    cli_say(cli, "no picture of the chart, only chart.csv and chart.gp: %s",
            error->message);
    chart->formats = 0;
    return STATUS_OK;
}

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
    if (read_chart(cli, &error))
        return cli_fail(&error);
    if (given.only && range_parse(given.only, "--only", &only, &error))
        return cli_fail(&error);
    struct sweep *sweep = &sweep_given;
    char *text;
    const char **by;
    sweep->by.count = labels_keys(sweep->by.items, sweep->by.count, &text, &by);
    sweep->by.items = by;
    sweep->cli = cli;
    sweep->scenario = cli->operands[0];
    sweep->only = given.only ? &only : NULL;
    sweep->at_once = given.emit != NULL;
    if (!sweep->jobs && !(given.emit && strcmp(given.emit, "slurm") == 0))
        sweep->jobs = team_processors();
    code = run_sweep(sweep);
    sweep_release(sweep);
    memory_release(text);
    memory_release(by);
    return code;
}

int main(int argc, char **argv)
{
    struct cli cli = {
        .program = "hamon-sweep",
        .synopsis = "[OPTION]... -o DIR --vary KEY=V1,V2,... SCENARIO",
        .purpose = "Runs a scenario for every combination of values, and makes "
                   "one table of\n"
                   "the runs' metrics. Run the same command again to continue "
                   "an interrupted\n"
                   "sweep: finished runs are kept, and unfinished runs resume "
                   "from their\n"
                   "last commit.",
        .notes = notes,
        .options = options,
        .columns = sweep_describe_columns,
    };
    return cli_main(&cli, argc, argv, run, NULL);
}
