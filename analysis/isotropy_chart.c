/* SPDX-License-Identifier: MIT */
/* The blocks of hamon-isotropy's data. */
#include "isotropy_report.h"

#include <math.h>

static const double degrees = 57.295779513082320877;

static void write_angles(const struct isotropy_report *report,
                         struct chart *chart, bool error)
{
    /* The first bin again at the end closes the curve. */
    for (int b = 0; b <= ISOTROPY_BINS; b++) {
        int bin = b % ISOTROPY_BINS;
        chart_number(chart, 360. * b / ISOTROPY_BINS, ' ');
        for (size_t i = 0; i < report->series_count; i++)
            chart_number(chart,
                         error ? degrees * report->series[i].error[bin]
                               : report->series[i].rho[bin],
                         i + 1 < report->series_count ? ' ' : '\n');
    }
}

static void write_anisotropy(const struct isotropy_report *report,
                             struct chart *chart)
{
    for (int r = 5; r < ISOTROPY_RADII; r++) {
        bool any = false;
        for (size_t i = 0; i < report->series_count; i++)
            any = any || isfinite(report->series[i].anisotropy[r]);
        if (!any)
            break;
        chart_number(chart, r, ' ');
        for (size_t i = 0; i < report->series_count; i++)
            chart_number(chart, 100 * report->series[i].anisotropy[r],
                         i + 1 < report->series_count ? ' ' : '\n');
    }
}

/* Returns the least speed of a law. */
static double write_dispersion(const struct isotropy_report *report,
                               struct chart *chart)
{
    double least = 1;
    bool any = false;
    for (size_t g = 0; g < report->study->group_count; g++) {
        const struct dispersion *d = report->dispersion[g];
        for (int way = 0; d && way < DISPERSION_WAYS; way++) {
            for (int i = 0; i < DISPERSION_NUMBERS; i++) {
                chart_number(chart, d->k[way][i], ' ');
                chart_number(chart, (double)(g + 1), ' ');
                chart_number(chart, way, ' ');
                chart_number(chart, d->measured[way][i], ' ');
                chart_number(chart, d->law[way][i], '\n');
                least = fmin(least, d->law[way][i]);
            }
            chart_gap(chart);
            any = true;
        }
    }
    if (!any)
        for (int way = 0; way < DISPERSION_WAYS; way++) {
            for (int i = 0; i < 5; i++)
                chart_number(chart, i == 0 ? 0 : (double)NAN,
                             i < 4 ? ' ' : '\n');
        }
    return least;
}

/* A power of ten that no error of a series which is but a dot at the centre of
 * a panel, `rim` degrees to its rim, exceeds; 0: all are seen. */
static double unseen_below(const struct isotropy_report *report, double rim)
{
    double most = -INFINITY;
    for (size_t i = 0; i < report->series_count; i++) {
        double worst = NAN;
        for (int b = 0; b < ISOTROPY_BINS; b++)
            worst = fmax(worst, degrees * report->series[i].error[b]);
        if (worst < 0.01 * rim)
            most = fmax(most, worst);
    }
    if (isinf(most))
        return 0;
    return pow(10, ceil(log10(fmax(most, 1e-12)) + 1e-9));
}

void isotropy_report_chart(const struct isotropy_report *report,
                           struct chart *chart)
{
    double high = 0, worst = 0;
    for (size_t i = 0; i < report->series_count; i++) {
        high = fmax(high, report->series[i].ring.high);
        for (int b = 0; b < ISOTROPY_BINS; b++) /* NaN is passed over */
            worst = fmax(worst, degrees * report->series[i].error[b]);
    }
    chart_block(chart, "front",
                "angle (degrees from east against the clock), then radius of "
                "each series' front (cells)");
    write_angles(report, chart, false);
    chart_block(chart, "heading",
                "angle (degrees), then RMS heading error of each series "
                "(degrees)");
    write_angles(report, chart, true);
    chart_block(chart, "anisotropy",
                "radius (cells), then (max - min) / mean of each series' "
                "front (per cent)");
    write_anisotropy(report, chart);
    chart_block(chart, "dispersion",
                "wave number (radians per cell), series, way (0 axis, 1 "
                "diagonal), phase speed measured and by the stencil's law (of "
                "the long wave limit)");
    double least = write_dispersion(report, chart);
    chart_block(
        chart, "radius",
        "of the ring, of the front's rim (cells), least speed, the "
        "errors' rim, what errors too small to see are below (degrees; 0: "
        "none is)");
    chart_number(chart, report->radius, ' ');
    chart_number(chart, 20 * ceil(high / 20 + 0.01), ' ');
    chart_number(chart, floor(10 * (least - 0.15)) / 10, ' ');
    double rim = 10 * ceil(worst / 10 + 0.01);
    chart_number(chart, rim, ' ');
    chart_number(chart, unseen_below(report, rim), '\n');
}
