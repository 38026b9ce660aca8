/* SPDX-License-Identifier: MIT */
#include "analysis/compare/chases.h"
#include "analysis/compare/pairs.h"
#include "analysis/compare/picture.h"
#include "analysis/compare/problems.h"
#include "analysis/compare/table.h"
#include "base/output.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/recordings.h"
#include "draw/chart/labels.h"

#include "base/memory.h"
#include "base/need.h"
#include "view/replay.h"
#include "words/words.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct {
    const char *table, *columns, *paired, *output;
    const char *format, *width, *panels, *font;
    struct cli_list keys, settings, labels, order;
    struct work_options problems;
    int64_t every, repeats, jobs;
    bool force, json;
} given = { .every = 1, .repeats = 1, .jobs = 1 };

static const char notes[] =
    "A DIR made by hamon-sweep means all recordings in it. The formats text,\n"
    "md and tex have the main columns, csv and json have all; --columns\n"
    "chooses columns in any format. --help columns describes each column.\n"
    "A run counts once: a recording, its copy, or the same scenario recorded\n"
    "again is an error.\n"
    "\n"
    "A chase with pursuit.stop = any-captured is captured at the first\n"
    "capture of the row's agents; any other chase is captured when all of\n"
    "them have captured. A time is the number of steps to the capture, of an\n"
    "agent, or of a team if the chase ends at the first capture. An agent\n"
    "without a capture counts as censored at its last step (Kaplan-Meier).\n"
    "\n"
    "With --paired a pair has the same problem (map, starts, speeds, target,\n"
    "radius, regions, events) and the same seed. The one that captures first\n"
    "wins.\n"
    "\n"
    "The chart has captures over time with 95 % bands and the numbers not yet\n"
    "captured, the same chase by two methods, ratios of their steps, wins, "
    "and\n"
    "paths. It compares with the method of --paired, or with lee, or with the\n"
    "first row. A row is called by its method and by the settings that "
    "differ,\n"
    "with their units.\n"
    "\n"
    "The formulas are in docs/reference/statistics.md.\n"
    "\n"
    "Agents of search methods walk from cell to cell by pursuit.moves. With 8\n"
    "moves (26 in 3D), the default, they walk up to 1.08 (1.13) times as far\n"
    "as a wave's agent on a straight path; with 4 moves, up to 1.41 times as\n"
    "far. --by pursuit.moves shows which was used; a line below the text\n"
    "table reports it if 4 is compared with a wave.\n"
    "\n"
    "With --problems a table has how many problems were solved, and whether\n"
    "the length equals the file's optimum within max(.006, 1e-5 of it).\n"
    "Dijkstra, A* and D* Lite guarantee this, exact paths (2D) guarantee not\n"
    "to be longer; a violation is reported as file:line, and the exit status\n"
    "is 1. lee takes the fewest moves, fast-marching follows its times\n"
    "downwards, relay walks by 4 moves; the length of fast-marching-fine is\n"
    "its time, for a path at any angle. Each search starts from the beginning\n"
    "for each problem.\n"
    "\n"
    "With --problems FILE.chase the agents' methods run its chases; nothing\n"
    "is recorded. The others are compared with the first method on the same\n"
    "problems. docs/guides/chases.md has the format.\n"
    "\n"
    "Finished rows of --problems are kept in NAME.partial until the output is "
    "complete; the same command\n"
    "continues from it. Each of the --jobs uses up to --memory.\n"
    "\n"
    "Examples:\n"
    "  hamon-compare wave.h5 lee.h5\n"
    "  hamon-compare --by arrival.threshold --table csv runs/*.h5\n"
    "  hamon-compare --paired lee runs/*.h5\n"
    "  hamon-compare -o methods --width page --order wave runs/*.h5\n"
    "  hamon-compare --by arrival.threshold --paired 'wave, 1e-05' runs/*.h5\n"
    "  hamon-compare --table tex --columns capture_rate,time_median runs/*.h5\n"
    "  hamon-compare --problems arena.map.scen --methods dijkstra,astar,exact\n"
    "  hamon-compare --problems 500.chase --map maps -j 4 -o 500.csv\n";

/* known[i]: a recording read so far can be grouped by the i-th key. */
static enum status read_file(const char *path, const struct cli_list *keys,
                             bool *known, struct counted_runs *runs,
                             struct outcomes *outcomes, struct error *error)
{
    struct recording *recording;
    enum status status = replay_open(path, &recording, error);
    if (status)
        return status;
    status = counted_runs_add(runs, recording, keys->items, keys->count, error);
    if (!status)
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
                             "--by %s: no recording has this setting; "
                             "hamon-record --keys lists the settings",
                             keys->items[i]);
    return STATUS_OK;
}

/* The rows, in the order of --order. */
static enum status arrange(struct outcomes *outcomes, struct compared *table,
                           struct error *error)
{
    compared_name(outcomes, table);
    if (!given.order.count)
        return STATUS_OK;
    return compared_arrange(table, given.order.items, given.order.count,
                            outcomes, error);
}

static enum status print_outcomes(struct compared *table,
                                  const struct outcomes *outcomes,
                                  enum table_format format, struct error *error)
{
    enum status status = given.columns
                             ? compared_choose(table, given.columns, error)
                             : STATUS_OK;
    if (status)
        return status;
    compared_print(table, format, stdout);
    table_hint(format);
    if (format == TABLE_TEXT && !given.paired &&
        outcomes_have_staircases(outcomes))
        puts("moves 4: paths of searches are staircases; moves 8 or "
             "methods of any angle are shorter");
    return cli_flush(error);
}

/* The table that is printed, and the chart. */
static enum status report(const struct cli *cli, struct outcomes *outcomes,
                          const struct cli_list *keys, enum table_format format,
                          struct picture *picture, struct error *error)
{
    struct compared rows = { .keys = keys->items, .key_count = keys->count };
    struct compared pairs = rows;
    struct paired_list list = { 0 };
    enum status status = arrange(outcomes, &rows, error);
    if (!status)
        compared_fill(outcomes, &rows);
    if (!status && given.paired)
        status = pairs_make(outcomes, given.paired, &pairs, &list, error);
    if (!status)
        status = print_outcomes(given.paired ? &pairs : &rows, outcomes, format,
                                error);
    if (!status && given.output)
        status =
            picture_draw(picture, outcomes, &rows, &pairs, &list, cli, error);
    compared_release(&rows);
    compared_release(&pairs);
    memory_release(list.items);
    return status;
}

static enum status open_picture(const struct cli *cli, struct picture *picture,
                                struct error *error)
{
    picture->panels = given.panels;
    picture->labels =
        (struct labels_given){ given.labels.items, given.labels.count };
    picture->reference = given.paired;
    return picture_open(picture, given.output,
                        given.format ? given.format : "pdf,svg,png,tex",
                        given.width ? given.width : "column", given.font,
                        given.force, cli->debug, error);
}

static int compare(const struct cli *cli, const struct cli_list *keys,
                   enum table_format format)
{
    struct outcomes outcomes = { 0 };
    struct picture picture = { 0 };
    struct error error;
    bool *known = need_memory(keys->count + 1, sizeof *known);
    struct recording_paths paths = { 0 };
    struct counted_runs runs = { 0 };
    enum status status = recording_paths_make(
        &paths, cli->operands, (size_t)cli->operand_count, &error);
    if (!status && given.output)
        status = open_picture(cli, &picture, &error);
    for (size_t i = 0; i < paths.count && !status; i++)
        status =
            read_file(paths.items[i], keys, known, &runs, &outcomes, &error);
    if (!status)
        status = refuse_unknown(keys, known, &error);
    if (!status)
        status = report(cli, &outcomes, keys, format, &picture, &error);
    picture_release(&picture);
    outcomes_release(&outcomes);
    counted_runs_release(&runs);
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

/* Is the output a chart, and not the file of rows? */
static bool is_chart(void)
{
    const char *slash = given.output ? strrchr(given.output, '/') : NULL;
    return given.output && !strchr(slash ? slash : given.output, '.');
}

static void print_rows(const struct solved *solved, FILE *file)
{
    if (solved->of_chases)
        chase_runs_print(&solved->chases, file);
    else
        problem_runs_print(&solved->searches, file);
}

/* The chart, and the rows as NAME-rows.csv. */
static enum status draw_solved(const struct solved *solved,
                               struct picture *picture, struct error *error)
{
    struct output *rows;
    char *path = need_format("%s-rows.csv", given.output);
    enum status status = chart_add(&picture->chart, path, &rows, error);
    memory_release(path);
    if (status)
        return status;
    print_rows(solved, rows->file);
    return solved->of_chases
               ? chase_runs_draw(&solved->chases, given.panels, &picture->chart,
                                 error)
               : problem_runs_draw(&solved->searches, &picture->chart, error);
}

static enum status write_rows(const struct solved *solved,
                              struct picture *picture, struct error *error)
{
    struct output output;
    if (!given.output)
        return STATUS_OK;
    if (is_chart())
        return draw_solved(solved, picture, error);
    enum status status = output_open(&output, given.output, given.force, error);
    if (status)
        return status;
    print_rows(solved, output.file);
    return output_commit(&output, error);
}

static enum status print_table(const struct solved *solved,
                               enum table_format format, struct error *error)
{
    struct compared table = { 0 };
    enum status status = STATUS_OK;
    if (solved->of_chases)
        chase_runs_table(&solved->chases, &table);
    else
        problem_runs_table(&solved->searches, &table);
    if (!status && given.columns)
        status = compared_choose(&table, given.columns, error);
    if (!status) {
        compared_print(&table, format, stdout);
        table_hint(format);
    }
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
                    "%zu lengths are longer than their method guarantees",
                    missed);
}

/* A file that must not be replaced is reported before hours of work. */
static enum status check_output(struct error *error)
{
    if (given.output && !given.force && access(given.output, F_OK) == 0)
        return error_set(
            error, STATUS_INPUT,
            "%s: exists already: give another name, or --force to replace it",
            given.output);
    return STATUS_OK;
}

static int solve(const struct cli *cli, enum table_format format)
{
    struct work_options *options = &given.problems;
    struct solved solved = { 0 };
    struct picture picture = { 0 };
    struct error error;
    char *journal =
        given.output ? need_format("%s.partial", given.output) : NULL;
    enum status status = check_output(&error);
    options->journal = journal;
    interrupt_watch();
    if (!status && is_chart())
        status = open_picture(cli, &picture, &error);
    if (!status)
        status = solved_make(&solved, options, &error);
    if (!status)
        status = write_rows(&solved, &picture, &error);
    if (!status) {
        work_forget(options);
        status = print_table(&solved, format, &error);
    }
    if (!status)
        status = check_promises(cli, &solved, &error);
    picture_release(&picture);
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
        return cli_usage(cli,
                         "--problems and recordings: give one or the other");
    if (options->file && keys->count)
        return cli_usage(cli, "--by is for recordings, not for --problems");
    if (options->file && given.paired)
        return cli_usage(cli, "--paired is for recordings, not for --problems");
    if (!options->file &&
        (options->map || options->methods || options->every != 1 ||
         options->repeats != 1 || options->jobs != 1))
        return cli_usage(cli, "--map, --methods, --nth, --repeat and --jobs "
                              "require --problems");
    if (options->file && !chases && given.panels)
        return cli_usage(cli, "--panels is for recordings and chases, not for "
                              "problems of searches");
    if (!(options->file ? is_chart() : given.output != NULL) &&
        (given.format || given.width || given.panels || given.font ||
         given.labels.count || !words_english()))
        return cli_usage(
            cli, "--format, --width, --panels, --font, --language "
                 "and --label require a chart: -o NAME, with --problems "
                 "without a dot");
    if (options->setting_count && !chases)
        return cli_usage(cli, "--set requires --problems FILE.chase");
    if (!options->file && !cli->operand_count)
        return cli_usage(cli, "a recording is required");
    return CLI_GO_ON;
}

static const struct cli_option options[] = {
    { CLI_TEXT, 0, "table", "FORMAT",
      "text, csv, md, or tex for LaTeX (booktabs, siunitx)", &given.table, 0,
      0 },
    { CLI_FLAG, 0, "json", NULL, "print the same as JSON", &given.json, 0, 0 },
    { CLI_TEXT, 0, "columns", "A,B",
      "print only these columns, by their names in csv, e.g.\n"
      "capture_rate,time_median,over_lee_median",
      &given.columns, 0, 0 },
    { CLI_LIST, 0, "by", "KEY",
      "a row for each value of this setting too, e.g.\n"
      "arrival.threshold; or for each file or agent; repeatable,\n"
      "or KEY,KEY",
      &given.keys, 0, 0 },
    { CLI_TEXT, 0, "paired", "METHOD",
      "compare the others with this method on the same problems\n"
      "and seeds; with --by also METHOD, VALUE: one row of the\n"
      "table",
      &given.paired, 0, 0 },
    { CLI_TEXT, 0, "problems", "FILE",
      "run the problems of a .scen, .3dscen or .chase file\n"
      "instead of reading recordings",
      &given.problems.file, 0, 0 },
    { CLI_TEXT, 0, "map", "PATH",
      "map of the problems; of .chase files the folder of the\n"
      "maps (by default beside the file, with the name given in\n"
      "it)",
      &given.problems.map, 0, 0 },
    { CLI_TEXT, 0, "methods", "A,B",
      "searches: of lee, dijkstra, astar, fast-marching,\n"
      "fast-marching-fine, dstar-lite, exact, relay,\n"
      "relay-complete (all except fast-marching-fine and the\n"
      "relays); chases: of agents.method (wave, lee, astar,\n"
      "dstar-lite, pincer)",
      &given.problems.methods, 0, 0 },
    { CLI_INT, 0, "nth", "N", "every Nth problem only", &given.every, 1, 1e9 },
    { CLI_LIST, 0, "set", "KEY=VALUE",
      "override a key in all chases, as in hamon-record;\n"
      "repeatable",
      &given.settings, 0, 0 },
    { CLI_INT, 0, "repeat", "N", "run each problem N times; times are medians",
      &given.repeats, 1, 1e6 },
    { CLI_INT, 'j', "jobs", "N",
      "run N problems at the same time, in N processes", &given.jobs, 1, 1000 },
    { CLI_FILE, 'o', "output", "NAME",
      "draw the chart NAME.pdf ..., with its numbers NAME.csv, its\n"
      "script NAME.gp, and curves, agents and pairs NAME-*.csv.\n"
      "With --problems a NAME without a dot: the chart, and a row\n"
      "for each problem and method in NAME-rows.csv;\n"
      "another name, as FILE.csv: only these rows; if interrupted,\n"
      "run the same command again to continue",
      &given.output, 0, 0 },
    { CLI_TEXT, 0, "format", "LIST",
      "formats of the chart, of pdf,svg,png,tex (all); none: only\n"
      "the numbers and the script",
      &given.format, 0, 0 },
    { CLI_TEXT, 0, "width", "WIDTH",
      "width of the chart: column (8.5 cm, panels below each\n"
      "other), page (17 cm, two side by side) or centimetres\n"
      "(column)",
      &given.width, 0, 0 },
    { CLI_TEXT, 0, "panels", "LIST",
      "draw only these panels of the chart, as in a,e, with new\n"
      "letters (all)",
      &given.panels, 0, 0 },
    { CLI_TEXT, 0, "font", "NAME",
      "font of the chart, as fc-list prints it; not for tex (Sans)",
      &given.font, 0, 0 },
    { .kind = CLI_TABLE, .value = &cli_language },
    { CLI_LIST, 0, "label", "NAME=TEXT",
      "words of the chart for a method, a key of --by, or a row\n"
      "METHOD, VALUE of the table; repeatable",
      &given.labels, 0, 0 },
    { CLI_LIST, 0, "order", "NAME",
      "a method, or a row METHOD, VALUE, that comes first in table\n"
      "and chart; repeatable",
      &given.order, 0, 0 },
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
    given.problems.order = given.order.items;
    given.problems.order_count = given.order.count;
    given.problems.labels =
        (struct labels_given){ given.labels.items, given.labels.count };
    int code = check_use(cli, &given.problems, &given.keys);
    if (code != CLI_GO_ON)
        return code;
    if (table_format_parse(given.table, given.json, &format, &error))
        return cli_fail(&error);
    if (given.problems.file)
        return solve(cli, format);
    char *text;
    const char **names;
    struct cli_list keys = {
        .count = labels_keys(given.keys.items, given.keys.count, &text, &names)
    };
    keys.items = names;
    code = compare(cli, &keys, format);
    memory_release(text);
    memory_release(names);
    return code;
}

static void describe_columns(FILE *out)
{
    fputs("Methods of agents in recordings:\n", out);
    table_describe("method", "method of the agents", out);
    table_describe("KEY", "value of each setting of --by", out);
    compared_describe(results_columns, results_column_count, out);
    fputs("\nWith --paired (method: FIRST - SECOND):\n", out);
    pairs_describe(out);
    picture_describe(out);
    fputs("\nWith --problems, of searches:\n", out);
    problem_runs_describe(out);
    fputs("\nWith --problems FILE.chase:\n", out);
    table_describe("class", "class of the problems, or all", out);
    chase_runs_describe(out);
}

int main(int argc, char **argv)
{
    struct cli cli = {
        .program = "hamon-compare",
        .synopsis =
            "[OPTION]... FILE|DIR...\n       hamon-compare --problems FILE "
            "[OPTION]...",
        .purpose = "Compares the methods of agents in recordings, or searches "
                   "and chases on\nthe problems of a file.",
        .notes = notes,
        .recordings = true,
        .options = options,
        .columns = describe_columns,
    };
    return cli_main(&cli, argc, argv, run, NULL);
}
