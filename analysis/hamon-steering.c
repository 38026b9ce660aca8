/* SPDX-License-Identifier: MIT */
/* hamon-steering: how do areas of other speed bend the wave's paths? */
#include "cli.h"
#include "steering_report.h"

#include <stdio.h>

struct asked {
    const char *output, *format, *table;
    struct cli_list vary;
    int64_t wave;
    bool force;
};

static enum status draw(const struct steering_report *report,
                        struct chart *chart, struct error *error)
{
    const struct chart_figure figure = { steering_panels_height(report),
                                         steering_panels };
    study_tell(report->study, NULL, "hamon-steering", chart);
    steering_report_chart(report, chart);
    return chart_draw(chart, &figure, error);
}

static enum status tell(const struct cli *cli,
                        const struct steering_report *report,
                        enum table_format format, struct error *error)
{
    struct table table;
    enum status status = steering_report_table(report, &table, error);
    if (!status && !cli->quiet)
        table_print(&table, format, stdout);
    table_release(&table);
    return status ? status : cli_flush(error);
}

static enum status run(const struct cli *cli, const struct asked *asked,
                       struct error *error)
{
    struct study study = { 0 };
    struct steering_report report = { 0 };
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
        status = steering_report_make(&report, &study, (int)asked->wave, error);
    if (!status)
        status = tell(cli, &report, table, error);
    if (!status)
        status = draw(&report, &chart, error);
    steering_report_release(&report);
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
      "trace by several arrival settings, as in\n"
      "arrival.threshold=1e-3,1e-16; several make a grid",
      &given.vary, 0, 0 },
    { CLI_INT, 'w', "wave", "N", "of wave N (0)", &given.wave, 0, 1e9 },
    { CLI_TEXT, 0, "table", "FORMAT",
      "of the tables on standard output: text, csv or tex", &given.table, 0,
      0 },
    { CLI_FLAG, 0, "force", NULL, "write over files that exist", &given.force,
      0, 0 },
    { 0 },
};

static const char notes[] =
    "A recording of a strip one cell wide gives the reflected and transmitted "
    "amplitude\nat its change of speed. Of any other, the agents' paths and "
    "those traced from their\nstarts along the first arrivals' headings are "
    "held against fast marching on a grid 3\ntimes finer: their time (Fermat "
    "ratio), their distance (Hausdorff), and what the\nshortest path, blind "
    "to speed, would have cost.\n"
    "  hamon-steering -o slow slow-*.h5        (samples/steering)\n";

int main(int argc, char **argv)
{
    struct cli cli = {
        .program = "hamon-steering",
        .synopsis = "[OPTION]... -o BASE FILE...",
        .purpose = "Measures how areas of other speed bend the wave's paths.",
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
