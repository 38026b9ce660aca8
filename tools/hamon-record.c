/* SPDX-License-Identifier: MIT */
/* hamon-record: runs a scenario and records it. */
#include "cli.h"
#include "progress.h"
#include "record_run.h"
#include "resume.h"

#include "base/memory.h"
#include "base/ranks.h"
#include "recording/recorder.h"
#include "run.h"
#include "scenario/scenario.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct options {
    const char *output, *resume, *example;
    struct cli_list set;
    bool check, keys, force, collective;
    int64_t threads;
    struct ranks *ranks; /* that do this together, or NULL */
    int argc;            /* the command line, for the recording */
    char **argv;
};

/* The scenario's base name with .h5, in the current directory. */
static char *default_output(const char *scenario)
{
    const char *slash = strrchr(scenario, '/');
    const char *base = slash ? slash + 1 : scenario;
    const char *dot = strrchr(base, '.');
    size_t length = dot && dot != base ? (size_t)(dot - base) : strlen(base);
    char *path = memory_new(length + 4, 1);
    if (path) {
        memcpy(path, base, length);
        memcpy(path + length, ".h5", 4);
    }
    return path;
}

static int print_example(const struct cli *cli, const char *name)
{
    const char *text = scenario_example(name);
    if (!text)
        return cli_usage(cli, "--example '%s': paper, best and 3d are allowed",
                         name);
    fputs(text, stdout);
    struct error error;
    return cli_flush(&error) ? cli_fail(&error) : STATUS_OK;
}

static void warn(const struct cli *cli, const struct scenario *scenario)
{
    const char *warning;
    for (size_t i = 0; (warning = scenario_warning(scenario, i)); i++)
        cli_say(cli, "%s", warning);
}

/* `memory`: of the rank that takes most. */
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
           bytes_in_words(size.bytes, bytes), memory,
           bytes_in_words(memory, words), size.emissions, size.arrivals,
           size.captures, size.plans);
    return cli_flush(&error) ? cli_fail(&error) : STATUS_OK;
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
        .threads = (int)options->threads,
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
    scenario_forget_map(scenario); /* the run has what it needs of it */
    if (!options->check)
        return record_run(cli, run, scenario->steps, path, options->ranks);
    status = run_take_room(run, &error);
    int code = record_agree(options->ranks, status, &error);
    int64_t memory = ranks_most(options->ranks, (int64_t)memory_most());
    if (!code && ranks_self(options->ranks) == 0)
        code = check(run, scenario, (uint64_t)memory);
    run_abandon(run);
    return code;
}

static int load_and_record(const struct cli *cli, const struct options *options,
                           const char *command)
{
    struct scenario *scenario;
    struct error error;
    enum status status = scenario_load(cli->operands[0], options->set.items,
                                       options->set.count, &scenario, &error);
    int fault = record_agree(options->ranks, status, &error);
    if (fault) {
        if (!status)
            scenario_release(scenario);
        return fault;
    }
    char *made = NULL;
    const char *path = options->output;
    if (!path)
        path = made = default_output(cli->operands[0]);
    int code = path ? check_or_record(cli, options, scenario, path, command)
                    : cli_fail((error_memory(&error), &error));
    memory_release(made);
    scenario_release(scenario);
    return code;
}

static int resume(const struct cli *cli, const struct options *options,
                  const char *command)
{
    struct scenario *scenario;
    struct error error;
    const char *path = options->resume;
    char done[RESUME_WORDS] = "";
    if (options->output || options->force)
        return cli_usage(cli,
                         "--resume goes on in %s: neither --output nor "
                         "--force is allowed beside it",
                         path);
    if (cli->operand_count > 1)
        return cli_usage(cli,
                         "one scenario at most is wanted beside --resume, "
                         "%d were given",
                         cli->operand_count);
    enum status status =
        resume_scenario(path, cli->operand_count ? cli->operands[0] : NULL,
                        &options->set, &scenario, done, &error);
    int fault = record_agree(options->ranks, status, &error);
    if (fault) {
        if (!status)
            scenario_release(scenario);
        return fault;
    }
    bool goes_on = !done[0] && !options->check;
    if (goes_on && ranks_self(options->ranks) == 0)
        status = resume_tell_rows(cli, path, &error);
    int code = record_agree(options->ranks, status, &error);
    if (!code && done[0] && !options->check)
        cli_say(cli, "%s: %s", path, done);
    else if (!code)
        code = check_or_record(cli, options, scenario, path, command);
    scenario_release(scenario);
    return code;
}

static int print_keys(void)
{
    struct error error;
    scenario_print_keys(stdout);
    return cli_flush(&error) ? cli_fail(&error) : STATUS_OK;
}

/* What only one process can do. */
static int run_alone(struct cli *cli, const struct options *options)
{
    if (options->example)
        return print_example(cli, options->example);
    return print_keys();
}

static int run_program(struct cli *cli, const struct options *options)
{
    if (!options->resume && cli->operand_count != 1)
        return cli_usage(cli, "one scenario is wanted, %d were given",
                         cli->operand_count);
    char *command =
        cli_command(options->argc, (const char *const *)options->argv);
    struct error error;
    if (!command) {
        error_memory(&error);
        return cli_fail(&error);
    }
    int code = options->resume ? resume(cli, options, command)
                               : load_and_record(cli, options, command);
    memory_release(command);
    return code;
}

/* Of several ranks the first speaks for all; a fault that one alone has ends
 * them all. */
static int run_ranks(struct cli *cli, void *context)
{
    struct options *options = context;
    struct error error;
    recorder_debug(cli->debug);
    if (options->example || options->keys)
        return run_alone(cli, options);
    if (options->check)
        memory_promise();
    if (ranks_start(&options->ranks, &error))
        return cli_fail(&error);
    if (ranks_self(options->ranks) > 0)
        cli->quiet = true;
    int code = run_program(cli, options);
    ranks_end(options->ranks);
    return code;
}

int main(int argc, char **argv)
{
    struct options options = { .threads = 1, .argc = argc, .argv = argv };
    const struct cli_option table[] = {
        { CLI_TEXT, 'o', "output", "FILE",
          "the recording (default: the scenario's name with .h5, here)",
          &options.output, 0, 0 },
        { CLI_TEXT, 0, "resume", "FILE",
          "go on with a recording from its last commit; with\n--set steps=M "
          "to another last step",
          &options.resume, 0, 0 },
        { CLI_LIST, 0, "set", "KEY=VALUE",
          "override a key, e.g. --set wave.delta=0.1;\nmay be given again",
          &options.set, 0, 0 },
        { CLI_FLAG, 0, "check", NULL,
          "check the scenario, print it resolved and the disk and memory\nthat "
          "it takes, run nothing",
          &options.check, 0, 0 },
        { CLI_FLAG, 0, "force", NULL, "replace an existing recording",
          &options.force, 0, 0 },
        { CLI_INT, 0, "threads", "N", "threads of the stepper (default 1)",
          &options.threads, 1, 1024 },
        { CLI_FLAG, 0, "collective", NULL,
          "ranks of MPI write rows all at once, not each beside its\nsteps "
          "(docs/scaling.md tells when)",
          &options.collective, 0, 0 },
        { CLI_TEXT, 0, "example", "NAME",
          "print a commented scenario: paper, best or 3d", &options.example, 0,
          0 },
        { CLI_FLAG, 0, "keys", NULL,
          "list every key with its default, range and unit", &options.keys, 0,
          0 },
        { 0 },
    };
    struct cli cli = {
        .program = "hamon-record",
        .synopsis = "[OPTION]... SCENARIO | --resume FILE [SCENARIO]",
        .purpose = "Runs a scenario and records every generation of its waves "
                   "in HDF5.",
        .notes = "Examples:\n"
                 "  hamon-record --example paper > chase.cfg\n"
                 "  hamon-record chase.cfg\n"
                 "  hamon-record --set wave.walls=free -o free.h5 chase.cfg\n"
                 "  hamon-record --resume chase.h5 --set steps=5000\n"
                 "  mpirun -n 4 hamon-record chase.cfg     # built "
                 "--with-mpi: docs/scaling.md\n",
        .options = table,
    };
    return cli_main(&cli, argc, argv, run_ranks, &options);
}
