/* SPDX-License-Identifier: MIT */
/* hamon-info: what is in a recording. */
#include "cli.h"
#include "info.h"
#include "json.h"

#include "recording/recording.h"

#include <sys/stat.h>

/* Files up to this are verified without being asked to: a second or two. */
static const int64_t verify_bytes = 1000000000;

static bool is_small(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && about.st_size <= verify_bytes;
}

struct asked {
    bool as_json, verify;
};

static int tell(struct cli *cli, void *context)
{
    const struct asked *asked = context;
    const char *path = cli->operands[0];
    struct recording *recording;
    struct error error;
    struct info info;
    if (cli->operand_count != 1)
        return cli_usage(cli, "one recording is wanted, not %d",
                         cli->operand_count);
    if (recording_open(path, &recording, &error))
        return cli_fail(&error);
    enum status status =
        info_init(&info, recording, asked->verify || is_small(path), &error);
    struct json json = { .out = stdout };
    if (!status && asked->as_json)
        info_json(&info, &json);
    else if (!status && !cli->quiet)
        info_print(&info, cli->verbose, stdout);
    if (!status)
        status = cli_flush(&error);
    int code = status          ? cli_fail(&error)
               : info.rows_bad ? STATUS_INPUT
                               : STATUS_OK;
    info_release(&info);
    recording_close(recording);
    return code;
}

int main(int argc, char **argv)
{
    struct asked asked = { .as_json = false };
    const struct cli_option options[] = {
        { CLI_FLAG, 0, "json", NULL, "one JSON object", &asked.as_json, 0, 0 },
        { CLI_FLAG, 0, "verify", NULL,
          "read every row, however large the file is", &asked.verify, 0, 0 },
        { 0 },
    };
    struct cli cli = {
        .program = "hamon-info",
        .synopsis = "[OPTION]... FILE",
        .purpose = "Tells what is in a recording: scenario, sizes, agents, "
                   "provenance, health.",
        .notes = "Examples:\n"
                 "  hamon-info run.h5\n"
                 "  hamon-info --json run.h5 | python3 -m json.tool\n"
                 "\n"
                 "The rows of files up to 1 GB are held to their checksums "
                 "without being asked to.\nA damaged recording is told, and "
                 "gives exit status 2.\n",
        .options = options,
    };
    return cli_main(&cli, argc, argv, tell, &asked);
}
