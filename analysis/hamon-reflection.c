/* SPDX-License-Identifier: MIT */
/* hamon-reflection: how wrong are the headings behind walls? */
#include "cli.h"
#include "reflection_report.h"

#include <stdio.h>

struct asked {
    const char *output, *format, *table;
    struct cli_list vary;
    int64_t wave;
    bool force;
};

static enum status draw(const struct reflection_report *report,
                        struct chart *chart, struct error *error)
{
    const struct chart_figure figure = { reflection_panels_height(report),
                                         reflection_panels };
    study_tell(report->study, NULL, "hamon-reflection", chart);
    enum status status = reflection_report_chart(report, chart, error);
    return status ? status : chart_draw(chart, &figure, error);
}

/* The maps go with the PNG. */
static enum status draw_maps(const struct cli *cli, const struct asked *asked,
                             const struct reflection_report *report,
                             unsigned formats, struct error *error)
{
    enum status status = STATUS_OK;
    if (!(formats & 1U << CHART_PNG))
        return STATUS_OK;
    for (size_t g = 0; g < report->study->group_count && !status; g++) {
        char path[4096];
        status = reflection_map(report, g, asked->output, asked->force, path,
                                sizeof path, error);
        if (!status && cli->verbose)
            cli_say(cli, "%s: %s", path, report->study->groups[g].label);
    }
    return status;
}

static enum status tell(const struct cli *cli,
                        const struct reflection_report *report,
                        enum table_format format, struct error *error)
{
    struct table table;
    enum status status = reflection_report_table(report, &table, error);
    if (!status && !cli->quiet)
        table_print(&table, format, stdout);
    table_release(&table);
    if (report->study->group_count > CHART_STYLES)
        cli_say(cli,
                "%zu groups share %d line styles; charts of fewer read "
                "better",
                report->study->group_count, CHART_STYLES);
    return status ? status : cli_flush(error);
}

static enum status run(const struct cli *cli, const struct asked *asked,
                       struct error *error)
{
    struct study study = { 0 };
    struct reflection_report report = { 0 };
    struct chart chart = { 0 };
    enum table_format table;
    unsigned formats;
    enum status status = table_format_parse(asked->table, &table, error);
    if (!status)
        status = chart_formats_parse(asked->format, &formats, error);
    if (!status)
        status =
            chart_open(&chart, asked->output, formats, asked->force, error);
    chart.debug = cli->debug;
    if (!status)
        status = study_open(&study, cli->operands, (size_t)cli->operand_count,
                            asked->vary.items, asked->vary.count, error);
    if (!status)
        status =
            reflection_report_make(&report, &study, (int)asked->wave, error);
    if (!status)
        status = tell(cli, &report, table, error);
    if (!status)
        status = draw_maps(cli, asked, &report, formats, error);
    if (!status)
        status = draw(&report, &chart, error);
    reflection_report_release(&report);
    chart_release(&chart);
    study_release(&study);
    return status;
}

static struct asked given = { .format = "pdf,svg,png,tex", .table = "text" };

static const struct cli_option options[] = {
    { CLI_TEXT, 'o', "output", "BASE",
      "writes BASE.dat, BASE.gp and the charts BASE.pdf …", &given.output, 0,
      0 },
    { CLI_TEXT, 0, "format", "LIST", "of pdf,svg,png,tex (all)", &given.format,
      0, 0 },
    { CLI_LIST, 0, "vary", "KEY=V1,V2,…",
      "read each recording by several arrival settings, as in\n"
      "arrival.threshold=1e-2,1e-4; several make a grid",
      &given.vary, 0, 0 },
    { CLI_INT, 'w', "wave", "N", "of wave N (0)", &given.wave, 0, 1e9 },
    { CLI_TEXT, 0, "table", "FORMAT",
      "of the table on standard output: text, csv or tex", &given.table, 0, 0 },
    { CLI_FLAG, 0, "force", NULL, "write over files that exist", &given.force,
      0, 0 },
    { 0 },
};

static const char notes[] =
    "The recordings hold every step with amplitude and gradient "
    "(samples/corridors), in\n2D; bends and junctions too. An error is the "
    "angle between the heading at a cell's\nfirst arrival and the exact "
    "shortest path, over cells farther than 3 from the\nsource, not within 2 "
    "of the next corner, and not where two ways are as short;\nwrong: the "
    "share over 90 degrees. The table's errors are in degrees, its widths\nin "
    "cells, its cutoffs in radians a step. BASE-map-N.png are maps of the "
    "error, with\nthe chart's PNG.\n"
    "  hamon-reflection -o walls --vary arrival.heading=paper,signed c-*.h5\n";

int main(int argc, char **argv)
{
    struct cli cli = {
        .program = "hamon-reflection",
        .synopsis = "[OPTION]... -o BASE FILE...",
        .purpose = "Measures how far headings at first arrivals are from the "
                   "shortest paths.",
        .notes = notes,
        .options = options,
    };
    struct error error;
    int code = cli_parse(&cli, argc, argv);
    if (code != CLI_GO_ON)
        ;
    else if (!given.output)
        code = cli_usage(&cli, "-o BASE is wanted, the charts' name");
    else if (cli.operand_count == 0)
        code = cli_usage(&cli, "a recording is wanted");
    else if (run(&cli, &given, &error))
        code = cli_fail(&error);
    else
        code = STATUS_OK;
    cli_release(&cli);
    return code;
}
