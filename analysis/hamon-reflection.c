/* SPDX-License-Identifier: MIT */
/* hamon-reflection: how wrong are the headings behind walls? */
#include "reflection_report.h"
#include "study_program.h"

#include <stdio.h>

static struct reflection_report report;

static enum status make(const struct study *study, int wave,
                        struct error *error)
{
    return reflection_report_make(&report, study, wave, error);
}

static void release(void)
{
    reflection_report_release(&report);
}

static enum status table(struct table *table, struct error *error)
{
    return reflection_report_table(&report, table, error);
}

static const char *note(void)
{
    return report.low_reach;
}

static const char *remark(void)
{
    return report.errors ? ""
                         : "warning: there is no heading error to draw: the "
                           "waves arrived at no cell that counts (--help)";
}

static enum status map(size_t group, const char *base, double width, bool force,
                       char *path, size_t size, struct error *error)
{
    snprintf(path, size, "%s-map-%zu.png", base, group + 1);
    return reflection_map(&report, group, width, path, force, error);
}

static enum status chart(struct chart *chart, struct error *error)
{
    return reflection_report_chart(&report, chart, error);
}

static void figure(struct chart_figure *figure)
{
    reflection_figure(&report, figure);
}

static const char notes[] =
    "The recordings hold every step with amplitude and gradient "
    "(samples/corridors), in\n2D; bends and junctions too. An error is the "
    "angle between the heading at a cell's\nfirst arrival and the exact "
    "shortest path, over cells farther than 3 from the\nsource, not within 2 "
    "of the next corner, and not where two ways are as short.\n"
    "The table's errors are in degrees, its widths in cells, its cutoffs in "
    "radians a step:\n"
    "wrong: the share of these cells whose error is over 90 degrees;\n"
    "reach: the share of the cells a way leads to that the wave arrived at; "
    "what it did\nnot arrive at has no error: under 0.95 points are open, and "
    "the caption names them;\n"
    "traced: the share of them from which a walk along the headings comes "
    "home;\n"
    "path ratio: the mean length of these walks over the shortest path's;\n"
    "at lag N: the error of the headings N steps after the arrival.\n"
    "BASE-map-N.png are maps of the error, with the chart's PNG; below each "
    "stands what\ncells without one are: not counted, as above; without an "
    "arrival in the steps\nrecorded; or without a way to the source.\n"
    "  hamon-reflection -o walls --vary arrival.heading=paper,signed c-*.h5\n";

int main(int argc, char **argv)
{
    const struct study_program program = {
        .name = "hamon-reflection",
        .purpose = "Measures how far headings at first arrivals are from the "
                   "shortest paths.",
        .notes = notes,
        .vary_help = "read each recording by several arrival settings, as in\n"
                     "arrival.threshold=1e-2,1e-4; several make a grid",
        .table_help =
            "of the table on standard output: text, csv or tex; with\n"
            "-q too where it is asked for by this",
        .make = make,
        .release = release,
        .table = table,
        .note = note,
        .remark = remark,
        .map = map,
        .chart = chart,
        .figure = figure,
    };
    return study_program_main(&program, argc, argv);
}
