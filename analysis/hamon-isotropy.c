/* SPDX-License-Identifier: MIT */
/* hamon-isotropy: how round is the front, and where does it point? */
#include "cli.h"
#include "isotropy_report.h"

#include <stdio.h>

struct asked {
    const char *output, *format, *table;
    struct cli_list vary;
    double radius;
    int64_t wave;
    bool force;
};

static enum status draw(const struct isotropy_report *report,
                        struct chart *chart, struct error *error)
{
    static const struct chart_figure figure = { 14.5, isotropy_panels };
    study_tell(report->study, isotropy_lee_names, "hamon-isotropy", chart);
    isotropy_report_chart(report, chart);
    return chart_draw(chart, &figure, error);
}

/* The maps go with the PNG. */
static enum status draw_maps(const struct cli *cli, const struct asked *asked,
                             const struct isotropy_report *report,
                             unsigned formats, struct error *error)
{
    enum status status = STATUS_OK;
    if (!(formats & 1U << CHART_PNG))
        return STATUS_OK;
    for (size_t g = 0; g < report->study->group_count && !status; g++) {
        const char *label = report->study->groups[g].label;
        char path[4096];
        snprintf(path, sizeof path, "%s-map-%zu.png", asked->output, g + 1);
        status = isotropy_map_write(&report->maps[g], label, path, asked->force,
                                    error);
        if (!status && cli->verbose)
            cli_say(cli, "%s: %s", path, label);
    }
    return status;
}

static enum status tell(const struct cli *cli,
                        const struct isotropy_report *report,
                        enum table_format format, struct error *error)
{
    struct table table;
    enum status status = isotropy_report_table(report, &table, error);
    if (!status && !cli->quiet)
        table_print(&table, format, stdout);
    table_release(&table);
    if (report->study->group_count > CHART_STYLES)
        cli_say(cli,
                "%zu groups share %d line styles; charts of fewer read "
                "better",
                report->study->group_count, CHART_STYLES);
    if (*report->unmeasured)
        cli_say(cli, "%s", report->unmeasured);
    return status ? status : cli_flush(error);
}

static enum status run(const struct cli *cli, const struct asked *asked,
                       struct error *error)
{
    struct study study = { 0 };
    struct isotropy_report report = { 0 };
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
        status = isotropy_report_make(&report, &study, (int)asked->wave,
                                      asked->radius, error);
    if (!status)
        status = tell(cli, &report, table, error);
    if (!status)
        status = draw_maps(cli, asked, &report, formats, error);
    if (!status)
        status = draw(&report, &chart, error);
    isotropy_report_release(&report);
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
    { CLI_REAL, 'r', "radius", "R",
      "of the ring, cells (the largest that all fronts reached)", &given.radius,
      2, 900 },
    { CLI_INT, 'w', "wave", "N", "of wave N (0)", &given.wave, 0, 1e9 },
    { CLI_TEXT, 0, "table", "FORMAT",
      "of the table on standard output: text, csv or tex", &given.table, 0, 0 },
    { CLI_FLAG, 0, "force", NULL, "write over files that exist", &given.force,
      0, 0 },
    { 0 },
};

static const char notes[] =
    "The recordings are of free space with a source in its middle, every step "
    "with\namplitude and gradient (samples/field). Radii are those of the "
    "front at one time,\nover the cells within one of the ring; headings are "
    "held against the way to the\nsource. Lee's fronts over 4 and 8 "
    "neighbours stand beside them. BASE-map-N.png, made with the chart's PNG, "
    "show the wave\nwith its front's places every 20 generations.\n"
    "  hamon-isotropy -o round --vary arrival.threshold=1e-2,1e-4,1e-10 "
    "field.h5\n";

int main(int argc, char **argv)
{
    struct cli cli = {
        .program = "hamon-isotropy",
        .synopsis = "[OPTION]... -o BASE FILE...",
        .purpose = "Measures how round first fronts are and where they point.",
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
