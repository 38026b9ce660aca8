/* SPDX-License-Identifier: MIT */
#include "cli.h"
#include "compare_table.h"

#include <string.h>

static int find_format(const char *name)
{
    for (int i = 0; table_formats[i]; i++)
        if (strcmp(table_formats[i], name) == 0)
            return i;
    return -1;
}

static enum status read_file(const char *path, const struct cli_list *keys,
                             struct outcomes *outcomes, struct error *error)
{
    struct recording *recording;
    enum status status = recording_open(path, &recording, error);
    if (status)
        return status;
    status =
        outcomes_read(recording, keys->items, keys->count, outcomes, error);
    recording_close(recording);
    return status;
}

static int compare(const struct cli *cli, const struct cli_list *keys,
                   int format)
{
    struct outcomes outcomes = { 0 };
    struct table table = { .keys = keys->items, .key_count = keys->count };
    struct error error;
    enum status status = STATUS_OK;
    for (int i = 0; i < cli->operand_count && !status; i++)
        status = read_file(cli->operands[i], keys, &outcomes, &error);
    if (!status)
        status = table_make(&outcomes, &table, &error);
    if (!status) {
        table_print(&table, format, stdout);
        status = cli_flush(&error);
    }
    table_release(&table);
    outcomes_release(&outcomes);
    return status ? cli_fail(&error) : STATUS_OK;
}

int main(int argc, char **argv)
{
    const char *format = "text";
    struct cli_list keys = { 0 };
    const struct cli_option options[] = {
        { CLI_TEXT, 0, "format", "FORMAT", "text, csv, md or tex", &format, 0,
          0 },
        { CLI_LIST, 0, "by", "KEY",
          "a row for each value of this setting too, e.g.\n"
          "arrival.threshold; or for each file or agent;\n"
          "may be given again",
          &keys, 0, 0 },
        { 0 },
    };
    struct cli cli = {
        .program = "hamon-compare",
        .synopsis = "[OPTION]... FILE...",
        .purpose = "Tells how the methods of the agents in recordings compare.",
        .notes =
            "All figures but the capture rate and the plans' are of agents "
            "that captured:\nsteps to the capture (quartiles, median, 95 %), "
            "length of the path, turns of more\nthan a degree, v*steps/d with "
            "d the exact shortest path from start to start\n(2D), steps over "
            "those of a Lee pursuer with the same problem (map, starts,\n"
            "speeds, radius, seed; the same row's settings), headings that "
            "arrivals gave.\n"
            "\nExamples:\n"
            "  hamon-compare wave.h5 lee.h5\n"
            "  hamon-compare --by arrival.threshold --format csv runs/*.h5\n",
        .options = options,
    };
    int code = cli_parse(&cli, argc, argv);
    if (code == CLI_GO_ON && cli.operand_count == 0)
        code = cli_usage(&cli, "a recording is wanted");
    if (code == CLI_GO_ON && find_format(format) < 0)
        code = cli_usage(&cli, "--format %s: text, csv, md and tex are allowed",
                         format);
    if (code == CLI_GO_ON)
        code = compare(&cli, &keys, find_format(format));
    cli_release(&cli);
    return code;
}
