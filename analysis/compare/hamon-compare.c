/* SPDX-License-Identifier: MIT */
#include "analysis/compare/chases.h"
#include "analysis/compare/pairs.h"
#include "analysis/compare/problems.h"
#include "analysis/compare/table.h"
#include "base/output.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/recordings.h"

#include "base/memory.h"
#include "view/replay.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct {
    const char *table, *columns, *paired, *output;
    struct cli_list keys, settings;
    struct work_options problems;
    int64_t every, repeats, jobs;
    bool force, json;
} given = { .every = 1, .repeats = 1, .jobs = 1 };

static const char notes[] =
    "DIR, of hamon-sweep, stands for the recordings in it. text, md and tex "
    "have the main columns, csv and json all; --columns names any of "
    "them.\n"
    "rate: the share that captured; of agents, and, if teams end a chase by "
    "their first\n"
    "capture, of chases. A chase with pursuit.stop = any-captured is captured "
    "at the "
    "first\n"
    "capture of the row's agents, another once all of them have captured. low, "
    "high:\n"
    "95 % (Wilson).\n"
    "time: steps to the capture, of an agent, or of a team if the chase ends "
    "at the\n"
    "first capture. One that does not capture counts as censored at its last "
    "step\n"
    "(Kaplan-Meier): median, its 95 % limits (- if less than half captured, or "
    "too few\n"
    "are known), and the mean up to limit, the least step limit of all "
    "recordings,\n"
    "with its standard error.\n"
    "Columns named 'captured' are of agents that captured, and say nothing of "
    "the\n"
    "others. path/d: length of the path over the shortest one at any angle, "
    "from the\n"
    "start to the target where it was captured, less what was left between the "
    "two\n"
    "then (exact in 2D, fast-marching-fine's in 3D with still targets; a 3D "
    "map of\n"
    "over 79 million cells has none). ns/step: to simulate a step, waves, "
    "plans and\n"
    "all agents of the recording.\n"
    "In csv alone, of captured agents too: captured_steps_... (bootstrap "
    "interval);\n"
    "path_cells; turns of more than a degree; capture_ratio: v*steps/d with d "
    "the\n"
    "exact path from start to start; marching_ratio: the same in 3D; "
    "waited_share: of\n"
    "the steps before the first heading; over_lee: steps over those of a Lee "
    "pursuer\n"
    "with the same problem; updates: headings that arrivals gave. Of all "
    "agents that\n"
    "plan: expansions and ns a plan.\n"
    "\n--paired: pairs with the same problem (map, starts, speeds, target, "
    "radius,\n"
    "regions, events) and seed. A win is a capture before the other's. wins "
    "share:\n"
    "(wins + ties/2)/pairs; mean: the difference of the means up to limit, "
    "below 0 if\n"
    "the first is faster; 95 % limits by the bootstrap over recordings. p: "
    "Wilcoxon's\n"
    "signed-rank test, and corrected for the number of rows (Holm). Formulas:\n"
    "docs/reference/statistics.md.\n"
    "\nMethods that search walk from cell to cell by pursuit.moves: by 8 (3D: "
    "26), the\n"
    "default, up to 1.08 (1.13) times as far as the straight path that a "
    "wave's agent\n"
    "walks; by 4, in staircases up to 1.41 times as long. --by pursuit.moves "
    "reports\n"
    "which it was, and a line under the text table where 4 stands beside a "
    "wave.\n"
    "\nWith --problems: solved, and whether the length met the file's "
    "optimum within\nmax(.006, 1e-5 of it). Dijkstra, A* and D* Lite "
    "promise that, exact paths (2D) to\nbe no longer; a promise missed "
    "is told as file:line and ends with 1. lee takes\nthe fewest "
    "moves, "
    "fast-marching the way down its times, relay walks by 4 moves;\n"
    "fast-marching-fine's length is its time, of a path at any angle.\n"
    "/optimum and /exact: length over the file's, over the exact one. "
    "Searches start\nafresh at each problem; memory is the "
    "workspace's.\n"
    "\nWith --problems FILE.chase the agents' methods run its chases, and "
    "nothing is\nrecorded. steps: Kaplan and Meier's median, and the mean up "
    "to the smallest step\nlimit of the class; wins, losses and more steps are "
    "against the first method, on\nthe same problems; p is Wilcoxon's, by "
    "Holm's correction. docs/guides/chases.md has the\nformat and all "
    "columns.\n"
    "\n--output has a row for each problem and method. What is done is kept "
    "in\nFILE.csv.partial until the output is whole, and the same command "
    "continues from\nit. Each of the --jobs takes up to --memory.\n"
    "\nExamples:\n"
    "  hamon-compare wave.h5 lee.h5\n"
    "  hamon-compare --by arrival.threshold --table csv runs/*.h5\n"
    "  hamon-compare --paired lee runs/*.h5\n"
    "  hamon-compare --by arrival.threshold --paired 'wave, 1e-05' runs/*.h5\n"
    "  hamon-compare --table tex --columns capture_rate,time_median "
    "runs/*.h5\n"
    "  hamon-compare --problems arena.map.scen --methods "
    "dijkstra,astar,exact\n"
    "  hamon-compare --problems 500.chase --map maps -j 4 -o 500.csv\n";

/* known[i]: a recording read so far can be grouped by the i-th key. */
static enum status read_file(const char *path, const struct cli_list *keys,
                             bool *known, struct outcomes *outcomes,
                             struct error *error)
{
    struct recording *recording;
    enum status status = replay_open(path, &recording, error);
    if (status)
        return status;
    status =
        outcomes_read(recording, keys->items, keys->count, outcomes, error);
    for (size_t i = 0; i < keys->count; i++)
        known[i] = known[i] || outcomes_know(recording, keys->items[i]);
    recording_close(recording);
    return status;
}

/* A setting that no recording has would give a column of dashes. */
static enum status refuse_unknown(const struct cli_list *keys,
                                  const bool *known, struct error *error)
{
    for (size_t i = 0; i < keys->count; i++)
        if (!known[i])
            return error_set(error, STATUS_INPUT,
                             "--by %s: none of the recordings tells such a "
                             "setting; hamon-record --keys lists them all",
                             keys->items[i]);
    return STATUS_OK;
}

static int compare(const struct cli *cli, const struct cli_list *keys,
                   enum table_format format)
{
    struct outcomes outcomes = { 0 };
    struct compared table = { .keys = keys->items, .key_count = keys->count };
    struct error error;
    bool *known = memory_new(keys->count + 1, sizeof *known);
    enum status status = known ? STATUS_OK : error_memory(&error);
    struct recording_paths paths = { 0 };
    if (!status)
        status = recording_paths_make(&paths, cli->operands,
                                      (size_t)cli->operand_count, &error);
    for (size_t i = 0; i < paths.count && !status; i++)
        status = read_file(paths.items[i], keys, known, &outcomes, &error);
    if (!status)
        status = refuse_unknown(keys, known, &error);
    if (!status)
        status = given.paired
                     ? pairs_make(&outcomes, given.paired, &table, &error)
                     : compared_make(&outcomes, &table, &error);
    if (!status && given.columns)
        status = compared_choose(&table, given.columns, &error);
    if (!status)
        status = compared_print(&table, format, stdout, &error);
    if (!status) {
        if (format == TABLE_TEXT && !given.paired &&
            outcomes_have_staircases(&outcomes))
            puts("moves 4: searches walk staircases; 8 or any-angle shorten "
                 "them");
        status = cli_flush(&error);
    }
    compared_release(&table);
    outcomes_release(&outcomes);
    recording_paths_release(&paths);
    memory_release(known);
    return status ? cli_fail(&error) : STATUS_OK;
}

/* ---- problems ---- */

enum { REPORTED_MOST = 10 };

/* The results: of searches or of chases. */
struct solved {
    bool of_chases;
    struct problem_runs searches;
    struct chase_runs chases;
};

static enum status solved_make(struct solved *solved,
                               const struct work_options *options,
                               struct error *error)
{
    solved->of_chases = chase_runs_wanted(options->file);
    return solved->of_chases
               ? chase_runs_make(options, &solved->chases, error)
               : problem_runs_make(options, &solved->searches, error);
}

static enum status write_rows(const struct solved *solved, struct error *error)
{
    struct output output;
    if (!given.output)
        return STATUS_OK;
    enum status status = output_open(&output, given.output, given.force, error);
    if (status)
        return status;
    if (solved->of_chases)
        chase_runs_print(&solved->chases, output.file);
    else
        problem_runs_print(&solved->searches, output.file);
    return output_commit(&output, error);
}

static enum status print_table(const struct solved *solved,
                               enum table_format format, struct error *error)
{
    struct compared table = { 0 };
    enum status status =
        solved->of_chases
            ? chase_runs_table(&solved->chases, &table, error)
            : problem_runs_table(&solved->searches, &table, error);
    if (!status && given.columns)
        status = compared_choose(&table, given.columns, error);
    if (!status)
        status = compared_print(&table, format, stdout, error);
    compared_release(&table);
    return status ? status : cli_flush(error);
}

static enum status check_promises(const struct cli *cli,
                                  const struct solved *solved,
                                  struct error *error)
{
    size_t missed =
        solved->of_chases ? 0 : problem_runs_missed(&solved->searches);
    if (!missed)
        return STATUS_OK;
    if (!cli->quiet)
        problem_runs_report(&solved->searches, REPORTED_MOST, stderr);
    return error_at(error, STATUS_FAILED, solved->searches.problems.path, 0,
                    "%zu of the lengths that methods promise were missed",
                    missed);
}

/* A file that must not be replaced is reported before hours of work. */
static enum status check_output(struct error *error)
{
    if (given.output && !given.force && access(given.output, F_OK) == 0)
        return error_set(error, STATUS_INPUT,
                         "%s: is there already; --force replaces it",
                         given.output);
    return STATUS_OK;
}

static int solve(const struct cli *cli, enum table_format format)
{
    struct work_options *options = &given.problems;
    struct solved solved = { 0 };
    struct error error;
    char *journal =
        given.output ? memory_format("%s.partial", given.output) : NULL;
    enum status status =
        given.output && !journal ? error_memory(&error) : check_output(&error);
    options->journal = journal;
    interrupt_watch();
    if (!status)
        status = solved_make(&solved, options, &error);
    if (!status)
        status = write_rows(&solved, &error);
    if (!status) {
        work_forget(options);
        status = print_table(&solved, format, &error);
    }
    if (!status)
        status = check_promises(cli, &solved, &error);
    problem_runs_release(&solved.searches);
    chase_runs_release(&solved.chases);
    memory_release(journal);
    return interrupt_end(status ? cli_fail(&error) : STATUS_OK);
}

/* Options for the other kind of work; CLI_GO_ON or an error. */
static int check_use(const struct cli *cli, const struct work_options *options,
                     const struct cli_list *keys)
{
    bool chases = options->file && chase_runs_wanted(options->file);
    if (options->file && cli->operand_count)
        return cli_usage(cli, "--problems and recordings: one or the other");
    if (options->file && keys->count)
        return cli_usage(cli, "--by is for recordings");
    if (options->file && given.paired)
        return cli_usage(cli, "--paired is for recordings");
    if (!options->file &&
        (options->map || options->methods || options->every != 1 ||
         options->repeats != 1 || options->jobs != 1 || given.output))
        return cli_usage(cli, "--map, --methods, --nth, --repeat, --jobs and "
                              "--output want --problems");
    if (options->setting_count && !chases)
        return cli_usage(cli, "--set is for problems of chases (.chase)");
    if (!options->file && !cli->operand_count)
        return cli_usage(cli, "a recording is wanted");
    return CLI_GO_ON;
}

static const struct cli_option options[] = {
    { CLI_TEXT, 0, "table", "FORMAT",
      "text, csv, md, or tex for LaTeX (booktabs, siunitx)", &given.table, 0,
      0 },
    { CLI_FLAG, 0, "json", NULL, "the same as JSON", &given.json, 0, 0 },
    { CLI_TEXT, 0, "columns", "A,B",
      "these columns alone, by their names in csv, e.g.\n"
      "capture_rate,time_median,over_lee_median",
      &given.columns, 0, 0 },
    { CLI_LIST, 0, "by", "KEY",
      "a row for each value of this setting too, e.g.\n"
      "arrival.threshold; or for each file or agent;\n"
      "may be given again",
      &given.keys, 0, 0 },
    { CLI_TEXT, 0, "paired", "METHOD",
      "compare the others with this one on the same\nproblems and seeds; with "
      "--by also METHOD, VALUE:\none row of the table",
      &given.paired, 0, 0 },
    { CLI_TEXT, 0, "problems", "FILE",
      "no recordings: run the problems of a .scen,\n.3dscen or .chase file",
      &given.problems.file, 0, 0 },
    { CLI_TEXT, 0, "map", "PATH",
      "their map, of .chase files the folder of their\nmaps; else what "
      "they name, beside them",
      &given.problems.map, 0, 0 },
    { CLI_TEXT, 0, "methods", "A,B",
      "of lee, dijkstra, astar, fast-marching,\nfast-marching-fine, "
      "dstar-lite, exact, relay,\nrelay-complete; else all but "
      "fast-marching-fine and\nthe relays; for chases of agents.method; else "
      "wave,\nlee, astar, dstar-lite, pincer",
      &given.problems.methods, 0, 0 },
    { CLI_INT, 0, "nth", "N", "every Nth problem only", &given.every, 1, 1e9 },
    { CLI_LIST, 0, "set", "KEY=VALUE",
      "of all chases, as in hamon-record; may be given\nagain", &given.settings,
      0, 0 },
    { CLI_INT, 0, "repeat", "N",
      "run each problem N times; times are the medians", &given.repeats, 1,
      1e6 },
    { CLI_INT, 'j', "jobs", "N", "run N at once, as processes", &given.jobs, 1,
      1000 },
    { CLI_TEXT, 'o', "output", "FILE.csv",
      "write a row for each problem and method there; if\nit is "
      "interrupted, the same command goes on",
      &given.output, 0, 0 },
    { CLI_FLAG, 0, "force", NULL, "replace an existing output", &given.force, 0,
      0 },
    { 0 },
};

static int run(struct cli *cli, void *context)
{
    enum table_format format;
    struct error error;
    (void)context;
    given.problems.every = (size_t)given.every;
    given.problems.repeats = (size_t)given.repeats;
    given.problems.jobs = (int)given.jobs;
    given.problems.quiet = cli->quiet;
    given.problems.settings = given.settings.items;
    given.problems.setting_count = given.settings.count;
    int code = check_use(cli, &given.problems, &given.keys);
    if (code != CLI_GO_ON)
        return code;
    if (table_format_parse(given.table, given.json, &format, &error))
        return cli_fail(&error);
    return given.problems.file ? solve(cli, format)
                               : compare(cli, &given.keys, format);
}

int main(int argc, char **argv)
{
    struct cli cli = {
        .program = "hamon-compare",
        .synopsis =
            "[OPTION]... FILE|DIR...\n       hamon-compare --problems FILE "
            "[OPTION]...",
        .purpose = "Tells how the methods of the agents in recordings compare, "
                   "or\nhow searches and chases do on problem files.",
        .notes = notes,
        .options = options,
    };
    return cli_main(&cli, argc, argv, run, NULL);
}
