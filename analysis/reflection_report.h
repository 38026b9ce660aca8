/* SPDX-License-Identifier: MIT */
/* hamon-reflection's figures: a series for each group of readings. */
#ifndef HAMON_ANALYSIS_REFLECTION_REPORT_H
#define HAMON_ANALYSIS_REFLECTION_REPORT_H

#include "reflection.h"
#include "study.h"
#include "table.h"

/* Of the amplitude's spectrum: frequencies up to 1 radian a step. */
enum { SPECTRUM_LINES = 200 };
#define SPECTRUM_HIGHEST 1.

/* A group's errors, and what they may depend on. */
struct reflection_series {
    struct reflection sum;
    double width;      /* of the first reading's corridor, cells; NaN: none */
    double delta;      /* squared Courant number */
    double threshold;  /* NaN with another detector */
    double cutoff;     /* radians a step; NaN with free walls */
    bool has_spectrum; /* else an earlier group's wave is the same */
    double heard_at;   /* the spectrum's cell: its way to the source */
    double spectrum[SPECTRUM_LINES]; /* |Z| over its maximum */
    struct grid grid;
    double *errors; /* of the first reading, (ny, nx), radians, NaN: none */
    uint8_t *blank; /* why none (enum reflection_blank) */
};

/* What a panel may stand against; in the order of their lines' names. */
enum { REFLECTION_SETTINGS = 3 };
struct reflection_setting {
    const char *name, *key;
    double (*of)(const struct reflection_series *series); /* NaN: none */
};
extern const struct reflection_setting
    reflection_settings[REFLECTION_SETTINGS]; /* width, threshold, delta */

struct reflection_report {
    const struct study *study;
    int wave;
    struct reflection_series *series; /* of each group */
    bool varies[REFLECTION_SETTINGS]; /* has more than one value */
    bool errors;                      /* are there any? */
    /* Groups whose waves missed many cells, whose errors are of the rest. */
    char low_reach[300]; /* a line of the caption; "": none */
};

/* Points of less are open. */
#define REFLECTION_LOW_REACH 0.95

/* The share of the cells with a way to the source that its waves arrived at. */
double reflection_reach(const struct reflection_series *series);

/* Release with reflection_report_release, after a failure too. */
enum status reflection_report_make(struct reflection_report *report,
                                   const struct study *study, int wave,
                                   struct error *error);
void reflection_report_release(struct reflection_report *report);

enum status reflection_report_table(const struct reflection_report *report,
                                    struct table *table, struct error *error);

/* The blocks of the chart's data, and the panels that show them. */
enum status reflection_report_chart(const struct reflection_report *report,
                                    struct chart *chart, struct error *error);
void reflection_figure(const struct reflection_report *report,
                       struct chart_figure *figure);

/* Writes the error of each cell of a group's first reading as a PNG, `width` in
 * centimetres. */
enum status reflection_map(const struct reflection_report *report, size_t group,
                           double width, const char *path, bool force,
                           struct error *error);

/* ---- reflection_spectrum.c ---- */

/* Fills the spectrum of the wave at the farthest cell that is `*distance` or
 * less from the source, a Hann window over all rows of the first emission.
 * `*distance` becomes that cell's own; on a small map it is far less. */
enum status reflection_spectrum(const struct recording *recording, int wave,
                                const struct truth *truth, double *distance,
                                double spectrum[SPECTRUM_LINES],
                                struct error *error);

#endif
