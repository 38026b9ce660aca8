/* SPDX-License-Identifier: MIT */
/* hamon-steering: how do areas of other speed bend the wave's paths? */
#include "steering_report.h"
#include "study_program.h"

static struct steering_report report;

static enum status make(const struct study *study, int wave,
                        struct error *error)
{
    return steering_report_make(&report, study, wave, error);
}

static void release(void)
{
    steering_report_release(&report);
}

static enum status table(struct table *table, struct error *error)
{
    return steering_report_table(&report, table, error);
}

static enum status chart(struct chart *chart, struct error *error)
{
    return steering_report_chart(&report, chart, error);
}

static void figure(struct chart_figure *figure)
{
    steering_figure(&report, figure);
}

static const char notes[] =
    "The recordings are of 2D. One of a strip one cell wide gives the "
    "reflected and\ntransmitted amplitude at its change of speed. Of any "
    "other, the agents' paths and\nthose traced from their starts along the "
    "first arrivals' headings are held against\nfast marching on a grid 3 "
    "times finer: their time (Fermat ratio), their distance\n(Hausdorff), and "
    "what the shortest path, blind to speed, would have cost.\n"
    "The map shows the start whose paths lie farthest apart between the "
    "groups; "
    "with one\ngroup, the one whose shortest path costs most.\n"
    "  hamon-steering -o slow slow-*.h5        # of samples/steering\n";

int main(int argc, char **argv)
{
    const struct study_program program = {
        .name = "hamon-steering",
        .purpose = "Measures how areas of other speed bend the wave's paths.",
        .notes = notes,
        .vary_help = "trace by several arrival settings, as in\n"
                     "arrival.threshold=1e-3,1e-16; several make a grid",
        .table_help =
            "of the tables on standard output: text, csv or tex; with\n"
            "-q too where it is asked for by this",
        .make = make,
        .release = release,
        .table = table,
        .chart = chart,
        .figure = figure,
    };
    return study_program_main(&program, argc, argv);
}
