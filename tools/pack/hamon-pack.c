/* SPDX-License-Identifier: MIT */
/* hamon-pack: makes a recording smaller, for every program that reads HDF5. */
#include "cli/cli.h"
#include "cli/interrupt.h"

#include "base/team.h"
#include "recording/format/hdf5_start.h"
#include "recording/pack/pack.h"
#include "view/replay.h"

#include <stdio.h>

static struct {
    const char *output;
    int64_t keep_bits, threads;
    bool expand, force;
} given;

static const char notes[] =
    "The new file is read back completely and compared with the recording\n"
    "before it replaces anything. What a user added to the recording (groups,\n"
    "variables, links, attributes) is kept as it is, or an error names it. A\n"
    "packed recording cannot be resumed by hamon-record --resume. With\n"
    "keyframes (record.keyframes) other programs see only the stored frames:\n"
    "frames between keyframes and gradients are computed by Hamon's programs;\n"
    "--expand stores them.\n"
    "\n"
    "  hamon-pack run.h5                              # replaces run.h5\n"
    "  hamon-pack --keep-bits 10 -o small.h5 run.h5   # three digits, to send "
    "it;\n"
    "                                                 # hamon-report is "
    "smaller yet\n"
    "  hamon-pack --expand -o whole.h5 small.h5\n";

static int64_t processors(void)
{
    int all = team_processors();
    return all > PACK_THREADS_MOST ? PACK_THREADS_MOST : all;
}

static void report(const struct cli *cli, const struct pack_options *options,
                   const struct pack_result *result)
{
    char ratio[32] = "";
    if (!options->expand)
        snprintf(ratio, sizeof ratio, " (%.2f : 1)",
                 (double)result->bytes_before / (double)result->bytes);
    cli_say(cli, "%s: %lld rows, %.1f MB instead of %.1f MB%s", options->out,
            (long long)result->rows, (double)result->bytes / 1e6,
            (double)result->bytes_before / 1e6, ratio);
    if (result->keyframed)
        cli_say(cli,
                "%s: only Hamon's programs compute rows between keyframes and "
                "gradients; for other programs use hamon-pack --expand",
                options->out);
    if (result->cells)
        cli_say(cli,
                "%s: small for a map of %llu cells: to open it, set "
                "HAMON_CELLS_MOST=%llu in the environment",
                options->out, (unsigned long long)result->cells,
                (unsigned long long)result->cells);
}

static int pack(const struct cli *cli, const struct pack_options *options)
{
    struct pack_result result;
    struct error error;
    recording_hdf5_debug(cli->debug);
    if (pack_recording(options, &result, &error))
        return cli_fail(&error);
    if (result.unclosed)
        cli_say(cli,
                "%s: the run did not reach its end: the %lld rows that it "
                "committed are in %s",
                options->path, (long long)result.rows, options->out);
    report(cli, options, &result);
    return STATUS_OK;
}

static const struct cli_option options[] = {
    { CLI_FILE, 'o', "output", "FILE",
      "write this file (default: replace the recording)", &given.output, 0, 0 },
    { CLI_INT, 0, "keep-bits", "N",
      "round waves and gradients to N bits of the mantissa\n"
      "(single precision has 23, double 52)",
      &given.keep_bits, 1, 52 },
    { CLI_FLAG, 0, "expand", NULL,
      "the reverse: store every field completely, without\n"
      "compression",
      &given.expand, 0, 0 },
    { CLI_INT, 0, "threads", "N", "compress on N threads (one per processor)",
      &given.threads, 1, PACK_THREADS_MOST },
    { CLI_FLAG, 0, "force", NULL,
      "replace an existing output; the recording itself if it is\n"
      "write-protected, or with --keep-bits",
      &given.force, 0, 0 },
    { 0 },
};

static bool stays(void)
{
    return !given.output;
}

static int run(struct cli *cli, void *context)
{
    if (cli->operand_count != 1)
        return cli_usage(cli, "one recording is required, not %d",
                         cli->operand_count);
    const char *path = cli->operands[0];
    return pack(cli, &(struct pack_options){
                         .path = path,
                         .out = given.output ? given.output : path,
                         .force = given.force,
                         .keep_bits = (int)given.keep_bits,
                         .expand = given.expand,
                         .threads = (int)given.threads,
                         .open = replay_open,
                         .go_on = interrupt_check,
                     });
}

int main(int argc, char **argv)
{
    struct cli cli = {
        .program = "hamon-pack",
        .synopsis = "[OPTION]... FILE",
        .purpose = "Makes a closed recording smaller: its fields in compressed "
                   "chunks, bit for bit the\nsame, for every program that "
                   "reads HDF5 or netCDF.",
        .notes = notes,
        .stays = stays,
        .recordings = true,
        .options = options,
    };
    given.threads = processors();
    interrupt_watch();
    return interrupt_end(cli_main(&cli, argc, argv, run, NULL));
}
