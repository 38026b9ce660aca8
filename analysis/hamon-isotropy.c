/* SPDX-License-Identifier: MIT */
/* hamon-isotropy: how round is the front, and where does it point? */
#include "isotropy_report.h"
#include "study_program.h"

#include <stdio.h>

static struct isotropy_report report;
static double radius;

static enum status make(const struct study *study, int wave,
                        struct error *error)
{
    return isotropy_report_make(&report, study, wave, radius, error);
}

static void release(void)
{
    isotropy_report_release(&report);
}

static enum status table(struct table *table, struct error *error)
{
    return isotropy_report_table(&report, table, error);
}

static const char *remark(void)
{
    return report.unmeasured;
}

static enum status map(size_t group, const char *base, double width, bool force,
                       char *path, size_t size, struct error *error)
{
    snprintf(path, size, "%s-map-%zu.png", base, group + 1);
    return isotropy_map_write(&report.maps[group],
                              report.study->groups[group].label, width, path,
                              force, error);
}

static enum status chart(struct chart *chart, struct error *error)
{
    (void)error;
    isotropy_report_chart(&report, chart);
    return STATUS_OK;
}

static void figure(struct chart_figure *figure)
{
    isotropy_figure(&report, figure);
}

static const struct cli_option own[] = {
    { CLI_REAL, 'r', "radius", "R",
      "of the ring, cells (the largest that all fronts reached,\n"
      "4 cells off the map's edge, which is a mirror)",
      &radius, 2, 900 },
    { 0 },
};

static const char notes[] =
    "The recordings are of free space with a source in its middle, every step "
    "with\namplitude and gradient (samples/field). Radii are those of the "
    "front at one time,\nover the cells within one of the ring; headings are "
    "held against the way to the\nsource. In the table nodes are these cells, "
    "and the largest error is of all cells\nwithin the radius. Lee's fronts "
    "over 4 and 8 neighbours stand beside them.\nThe heading error of a wave "
    "from one cell is 0.000 at any delta and threshold: its\ncentral "
    "differences point home exactly (docs/science.md, "
    "Gradient).\nBASE-map-N.png, made with "
    "the chart's PNG, show the wave with its front's places\nevery 20 "
    "generations.\n"
    "  hamon-isotropy -o round --vary arrival.threshold=1e-2,1e-4,1e-10 "
    "field.h5\n";

int main(int argc, char **argv)
{
    const struct study_program program = {
        .name = "hamon-isotropy",
        .purpose = "Measures how round first fronts are and where they point.",
        .notes = notes,
        .vary_help = "read each recording by several arrival settings, as in\n"
                     "arrival.threshold=1e-2,1e-4; several make a grid",
        .table_help =
            "of the table on standard output: text, csv or tex; with\n"
            "-q too where it is asked for by this",
        .own = own,
        .make = make,
        .release = release,
        .table = table,
        .remark = remark,
        .map = map,
        .chart = chart,
        .figure = figure,
        .more_legends = isotropy_lee_names,
    };
    return study_program_main(&program, argc, argv);
}
