/* SPDX-License-Identifier: MIT */
/* hamon-record: runs a scenario and records it. */
#include "tools/record/resume.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/ranks.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "recording/format/hdf5_start.h"
#include "run/run.h"
#include "scenario/scenario.h"
#include "settings/keys.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one run ---- */

/* Called by every rank before the ranks work together: has any of them an
 * error? The first rank that has one of its own (ranks_agree) reports it, and
 * all end with its code. */
static int record_agree(struct ranks *ranks, enum status status,
                        const struct error *error)
{
    int count = ranks_count(ranks), self = ranks_self(ranks);
    const bool reports = status && error->message[0];
    int64_t reporter = count - ranks_max(ranks, reports ? count - self : 0);
    if (reports && reporter == self)
        cli_fail(error);
    /* The maximum over all ranks is at least this rank's value, which static
     * analysers cannot know. */
    const int code = (int)ranks_max(ranks, status);
    return code > (int)status ? code : (int)status;
}

/* An error that the other ranks, which wait for this one, do not know of. */
static int fail_alone(struct ranks *ranks, const struct error *error)
{
    int code = cli_fail(error);
    ranks_abort(ranks, code);
    return code;
}

/* Makes steps until the end, a signal or an error, and draws the progress
 * bar. */
static enum status go(const struct cli *cli, struct run *run, int64_t steps,
                      struct ranks *ranks, bool *ended, struct error *error)
{
    struct progress progress;
    progress_start(&progress, cli->quiet, "steps", steps);
    *ended = false;
    enum status status = STATUS_OK;
    while (!*ended && !ranks_max(ranks, interrupt_number()) && !status) {
        status = run_step(run, ended, error);
        progress_update(&progress, run_steps_done(run), run_bytes_written(run));
    }
    progress_end(&progress);
    return status;
}

/* Commits and closes the recording; a note goes to stderr. */
static int finish(const struct cli *cli, struct run *run, const char *path,
                  struct ranks *ranks, bool ended, enum status status,
                  const struct error *why)
{
    if (status && status != STATUS_DIVERGED) {
        int code = fail_alone(ranks, why);
        run_abandon(run);
        return code;
    }
    enum run_state state = status  ? RUN_DIVERGED
                           : ended ? RUN_DONE
                                   : RUN_STOPPED;
    int64_t steps = run_steps_done(run), lost = run_lost_arrivals(run);
    char note[ERROR_MESSAGE_SIZE] = "";
    struct error error;
    if (run_close(run, state, note, &error))
        return fail_alone(ranks, &error);
    if (note[0])
        cli_say(cli, "%s: %s", path, note);
    if (lost)
        cli_say(cli,
                "%s: %" PRId64 " arrivals were lost to underflow: raise "
                "wave.amplitude, or set wave.precision = \"double\"",
                path, lost);
    if (status)
        return record_agree(ranks, status, why);
    cli_say(cli, "%s: %s at step %" PRId64 "%s", path, run_state_names[state],
            steps, ended ? "" : "; --resume continues from there");
    int signal = ended ? 0 : (int)ranks_max(ranks, interrupt_number());
    if (signal && !ranks)
        interrupt_die(signal);
    return signal ? 128 + signal : STATUS_OK;
}

/* Prints the size of the recording after it was created. If it is rejected,
 * only that message is printed. */
static void print_size(const struct cli *cli, const struct run_size *size,
                       const char *path)
{
    char bytes[16], room[16];
    progress_bytes(size->bytes, bytes);
    if (size->disk_free)
        cli_say(cli, "%s: %" PRId64 " rows, %s; %s free on disk", path,
                size->rows, bytes, progress_bytes(size->disk_free, room));
    else /* the file system does not report its free space */
        cli_say(cli, "%s: %" PRId64 " rows, %s", path, size->rows, bytes);
}

/* Begins or resumes the run, prints its size, makes steps until the end, a
 * signal or an error, and closes it. Returns the exit code; after a signal a
 * process without ranks ends by that signal. Frees the run, whatever
 * happens. */
static int record_run(const struct cli *cli, struct run *run, int64_t steps,
                      const char *path, struct ranks *ranks)
{
    struct error error;
    struct run_size size;
    enum status status = run_size(run, &size, &error);
    if (!status) {
        /* a signal then ends the run after the present step */
        interrupt_watch();
        status = run_begin(run, &error);
    }
    if (status) {
        int code = run_is_under_way(run) ? fail_alone(ranks, &error)
                                         : record_agree(ranks, status, &error);
        run_abandon(run);
        return code;
    }
    print_size(cli, &size, path);
    if (run_steps_done(run) > 0)
        cli_say(cli, "%s: resumed from step %" PRId64, path,
                run_steps_done(run));
    bool ended;
    status = go(cli, run, steps, ranks, &ended, &error);
    return finish(cli, run, path, ranks, ended, status, &error);
}

/* ---- the program ---- */

struct options {
    const char *output, *resume, *example;
    struct cli_list set;
    bool check, keys, force, collective;
    int64_t threads;
    struct ranks *ranks; /* the ranks that do this together, or NULL */
    int argc;            /* the command line, which is recorded */
    char **argv;
};

static int print_example(const struct cli *cli, const char *name)
{
    const char *text = scenario_example(name);
    if (!text)
        return cli_usage(cli, "--example '%s': paper, best and 3d are allowed",
                         name);
    fputs(text, stdout);
    return cli_end();
}

static void warn(const struct cli *cli, const struct scenario *scenario)
{
    const char *warning;
    for (size_t i = 0; (warning = scenario_warning(scenario, i)); i++)
        cli_say(cli, "%s", warning);
}

/* `memory`: that of the rank that needs most. */
static int check(const struct run *run, const struct scenario *scenario,
                 uint64_t memory)
{
    struct run_size size;
    struct error error;
    if (run_size(run, &size, &error))
        return cli_fail(&error);
    char bytes[16], words[16];
    printf("%s"
           "# rows: %" PRId64 "; bytes: %" PRIu64 " (%s)\n"
           "# memory: %" PRIu64 " bytes (%s)\n"
           "# capacities of the tables: emissions %zu, arrivals %zu, "
           "captures %zu, plans %zu\n",
           scenario->resolved, size.rows, size.bytes,
           progress_bytes(size.bytes, bytes), memory,
           progress_bytes(memory, words), size.emissions, size.arrivals,
           size.captures, size.plans);
    return cli_flush(&error) ? cli_fail(&error) : STATUS_OK;
}

/* Ranks use all processors without further threads. */
static int threads_of(const struct options *options)
{
    if (options->threads)
        return (int)options->threads;
    return ranks_count(options->ranks) > 1 ? 1 : team_processors();
}

/* The source of a scenario: the recording that is resumed, else `given`. */
struct reading {
    const struct options *options;
    const char *given;
    char done[RESUME_WORDS]; /* as resume_scenario sets it */
};

static enum status read_scenario(struct reading *reading,
                                 const struct map_outline *outline,
                                 struct scenario **scenario,
                                 struct error *error)
{
    const struct options *options = reading->options;
    const struct scenario_source source = {
        .path = reading->given,
        .overrides = options->set.items,
        .override_count = options->set.count,
        .outline = outline,
    };
    return options->resume ? resume_scenario(options->resume, &source, scenario,
                                             reading->done, error)
                           : scenario_read(&source, scenario, error);
}

/* The first rank reads the scenario and its map. If there is no error the
 * others read the scenario too, but get the map's outline from the first.
 * Returns the code of an error of any rank, after it was reported. */
static int read_shared(struct reading *reading, struct scenario **scenario)
{
    struct ranks *ranks = reading->options->ranks;
    struct map_outline outline = { 0 };
    struct error error = { 0 };
    enum status status = STATUS_OK;
    const bool first = !ranks || ranks_self(ranks) == 0;
    if (first)
        status = read_scenario(reading, NULL, scenario, &error);
    int fault = record_agree(ranks, status, &error);
    if (fault || !ranks)
        return fault;
    if (first)
        outline = scenario_outline(*scenario);
    ranks_broadcast(ranks, &outline, sizeof outline);
    if (!first)
        status = read_scenario(reading, &outline, scenario, &error);
    return record_agree(ranks, status, &error);
}

static int check_or_record(const struct cli *cli, const struct options *options,
                           struct scenario *scenario, const char *path,
                           const char *command)
{
    struct error error;
    struct run *run;
    struct run_options run_options = {
        .path = path,
        .force = options->force,
        .resume = options->resume != NULL,
        .collective = options->collective,
        .threads = threads_of(options),
        .command = command,
        .ranks = options->ranks,
    };
    warn(cli, scenario);
    enum status status = run_new(scenario, &run_options, &run, &error);
    int fault = record_agree(options->ranks, status, &error);
    if (fault) {
        run_abandon(status ? NULL : run);
        return fault;
    }
    scenario_forget_map(scenario); /* the run has its own copy */
    if (!options->check)
        return record_run(cli, run, scenario->steps, path, options->ranks);
    status = run_take_room(run, &error);
    int code = record_agree(options->ranks, status, &error);
    int64_t memory = ranks_max(options->ranks, (int64_t)memory_most());
    if (!code && ranks_self(options->ranks) == 0)
        code = check(run, scenario, (uint64_t)memory);
    if (!code && 1e-9 * (double)memory > cli->memory)
        code = cli_usage(cli,
                         "this run takes %.3g GB of memory, more than "
                         "--memory %g allows",
                         1e-9 * (double)memory, cli->memory);
    run_abandon(run);
    return code;
}

static int load_and_record(const struct cli *cli, const struct options *options,
                           const char *command)
{
    struct scenario *scenario = NULL;
    struct reading reading = { .options = options, .given = cli->operands[0] };
    int fault = read_shared(&reading, &scenario);
    if (fault) {
        scenario_release(scenario);
        return fault;
    }
    char *made = NULL;
    const char *path = options->output;
    if (!path)
        path = made = cli_output_of(cli->operands[0], ".h5");
    int code = check_or_record(cli, options, scenario, path, command);
    memory_release(made);
    scenario_release(scenario);
    return code;
}

static int resume(const struct cli *cli, const struct options *options,
                  const char *command)
{
    struct scenario *scenario = NULL;
    struct error error;
    const char *path = options->resume, *done;
    struct reading reading = {
        .options = options,
        .given = cli->operand_count ? cli->operands[0] : NULL,
    };
    if (options->output || options->force)
        return cli_usage(cli,
                         "--resume writes to %s: --output and --force are not "
                         "allowed with it",
                         path);
    if (cli->operand_count > 1)
        return cli_usage(
            cli, "at most one scenario is allowed with --resume, %d were given",
            cli->operand_count);
    enum status status = STATUS_OK;
    int fault = read_shared(&reading, &scenario);
    if (fault) {
        scenario_release(scenario);
        return fault;
    }
    done = reading.done;
    bool goes_on = !done[0] && !options->check;
    if (goes_on && ranks_self(options->ranks) == 0)
        status = resume_check_rows(cli, path, &error);
    int code = record_agree(options->ranks, status, &error);
    if (!code && done[0] && !options->check)
        cli_say(cli, "%s: %s", path, done);
    else if (!code)
        code = check_or_record(cli, options, scenario, path, command);
    scenario_release(scenario);
    return code;
}

/* Work that only one process can do. */
static int run_alone(struct cli *cli, const struct options *options)
{
    if (options->example)
        return print_example(cli, options->example);
    keys_print(stdout);
    return cli_end();
}

/* A scenario from standard input: why it is refused, or NULL. */
static const char *check_input(const struct options *options)
{
    if (ranks_count(options->ranks) > 1)
        return "the ranks of MPI share no standard input: give a file";
    if (!options->output && !options->resume && !options->check)
        return "a scenario from standard input has no name: give -o FILE";
    return NULL;
}

static int run_program(struct cli *cli, const struct options *options)
{
    if (!options->resume && cli->operand_count != 1)
        return cli_usage(cli, "one scenario is required, %d were given",
                         cli->operand_count);
    if (cli->operand_count && strcmp(cli->operands[0], "-") == 0) {
        const char *fault = check_input(options);
        if (fault)
            return ranks_self(options->ranks) > 0 ? STATUS_INPUT
                                                  : cli_usage(cli, "%s", fault);
    }
    char *command =
        cli_command(options->argc, (const char *const *)options->argv);
    int code = options->resume ? resume(cli, options, command)
                               : load_and_record(cli, options, command);
    memory_release(command);
    return code;
}

/* srun starts as many processes as the job step has tasks. If MPI does not
 * connect them, each would run the whole scenario; the first process reports
 * it. */
static int check_tasks(const struct cli *cli, const struct ranks *ranks)
{
    const char *tasks = getenv("SLURM_STEP_NUM_TASKS");
    const char *self = getenv("SLURM_PROCID");
    if (ranks_count(ranks) > 1 || !tasks || !self || atoi(tasks) < 2)
        return CLI_GO_ON;
    if (atoi(self) > 0)
        return STATUS_INPUT;
    return cli_usage(cli,
                     "srun started %s tasks, but each sees one rank and would "
                     "run the whole scenario: use srun --mpi=pmix and a build "
                     "--with-mpi to share one run, or srun -n 1; to start "
                     "separate runs, use env -u SLURM_STEP_NUM_TASKS for each",
                     tasks);
}

/* Of several ranks only the first prints messages. An error of a single rank
 * ends them all. */
static int run_ranks(struct cli *cli, void *context)
{
    struct options *options = context;
    struct error error;
    recording_hdf5_debug(cli->debug);
    if (options->example || options->keys)
        return run_alone(cli, options);
    if (options->check)
        memory_promise();
    if (ranks_start(&options->ranks, &error))
        return cli_fail(&error);
    if (ranks_self(options->ranks) > 0)
        cli->quiet = true;
    int code = check_tasks(cli, options->ranks);
    if (code == CLI_GO_ON)
        code = run_program(cli, options);
    ranks_end(options->ranks);
    return code;
}

int main(int argc, char **argv)
{
    struct options options = { .argc = argc, .argv = argv };
    const struct cli_option table[] = {
        { CLI_FILE, 'o', "output", "FILE",
          "the recording (the name of the scenario with .h5, in this\n"
          "folder)",
          &options.output, 0, 0 },
        { CLI_TEXT, 0, "resume", "FILE",
          "resume a recording from its last commit; with --set\n"
          "steps=M to run to another last step",
          &options.resume, 0, 0 },
        { CLI_LIST, 0, "set", "KEY=VALUE",
          "override a key, e.g. --set wave.delta=0.1; repeatable", &options.set,
          0, 0 },
        { CLI_FLAG, 0, "check", NULL,
          "check the scenario; print it with all defaults and the\n"
          "disk space and memory that it needs; do not run it",
          &options.check, 0, 0 },
        { CLI_FLAG, 0, "force", NULL,
          "replace an existing recording before the first step: if\n"
          "the run fails before its first commit, the old one is lost\n"
          "too",
          &options.force, 0, 0 },
        { CLI_INT, 0, "threads", "N",
          "maximum number of threads; fewer are used for small maps\n"
          "(one per processor; with ranks 1)",
          &options.threads, 1, 1024 },
        { CLI_FLAG, 0, "collective", NULL,
          "with MPI: all ranks write rows at the same time, instead\n"
          "of each beside its steps (docs/studies/scaling.md describes when\n"
          "to use it)",
          &options.collective, 0, 0 },
        { CLI_TEXT, 0, "example", "NAME",
          "print an example scenario with comments: paper, best or 3d",
          &options.example, 0, 0 },
        { CLI_FLAG, 0, "keys", NULL,
          "list every key with its default, range and unit", &options.keys, 0,
          0 },
        { 0 },
    };
    struct cli cli = {
        .program = "hamon-record",
        .synopsis = "[OPTION]... SCENARIO | --resume FILE [SCENARIO]",
        .purpose = "Runs a scenario and records every generation of its waves "
                   "in HDF5.\nThe scenario - is standard input.",
        .notes = "Examples:\n"
                 "  hamon-record --example paper > chase.cfg\n"
                 "  hamon-record chase.cfg\n"
                 "  hamon-record --set wave.walls=free -o free.h5 chase.cfg\n"
                 "  hamon-record --example best | hamon-record -o best.h5 -\n"
                 "  hamon-record --resume chase.h5 --set steps=5000\n"
                 "  mpirun -n 4 hamon-record chase.cfg     # built "
                 "--with-mpi: docs/studies/scaling.md\n",
        .options = table,
    };
    return cli_main(&cli, argc, argv, run_ranks, &options);
}
