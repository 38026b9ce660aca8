/* SPDX-License-Identifier: MIT */
/* hamon-isotropy's figures: a series for each group of readings, and Lee's
 * two fronts beside them. */
#ifndef HAMON_ANALYSIS_ISOTROPY_REPORT_H
#define HAMON_ANALYSIS_ISOTROPY_REPORT_H

#include "dispersion.h"
#include "front.h"
#include "isotropy.h"
#include "study.h"
#include "table.h"

enum { ISOTROPY_RADII = 1000 };

/* Means over a group's readings. */
struct isotropy_series {
    const char *label;
    int readings;
    double rho[ISOTROPY_BINS];         /* cells */
    double error[ISOTROPY_BINS];       /* radians */
    double anisotropy[ISOTROPY_RADII]; /* at radius i */
    struct ring ring;
    double worst; /* heading error at any node within the ring, radians */
};

/* A front, and the step at which it is on the ring. */
struct isotropy_map {
    const struct recording *recording; /* borrowed */
    int wave;
    int64_t step;
    double *time; /* (ny, nx), generations after the emission */
};

struct isotropy_report {
    const struct study *study;
    int wave;
    double radius; /* of the ring; 0: the largest that all fronts reached */
    size_t series_count; /* groups and Lee's two */
    struct isotropy_series *series;
    struct isotropy_map *maps;           /* of each group's first reading */
    struct dispersion **dispersion;      /* of each group, or NULL */
    char unmeasured[ERROR_MESSAGE_SIZE]; /* why there are none */
};

/* Measures all. STATUS_INPUT, naming it, where a recording has no free ring of
 * the radius round its source that the front reached. Release with
 * isotropy_report_release, after a failure too. */
enum status isotropy_report_make(struct isotropy_report *report,
                                 const struct study *study, int wave,
                                 double radius, struct error *error);
void isotropy_report_release(struct isotropy_report *report);

/* The table of all series; degrees and per cent. */
enum status isotropy_report_table(const struct isotropy_report *report,
                                  struct table *table, struct error *error);

/* The blocks of the chart's data, and the panels that show them. */
void isotropy_report_chart(const struct isotropy_report *report,
                           struct chart *chart);
void isotropy_figure(const struct isotropy_report *report,
                     struct chart_figure *figure);

extern const char *const isotropy_lee_names[]; /* ends with NULL */

/* ---- isotropy_map.c ---- */

/* Fills the map; mean_time is the ring's, generations after the emission. */
enum status isotropy_map_take(struct isotropy_map *map,
                              const struct front *front,
                              const struct recording *recording, int wave,
                              double mean_time, struct error *error);
void isotropy_map_release(struct isotropy_map *map);

/* Writes it as a PNG, `width` in centimetres: amplitudes in colours, the
 * front's places at every twentieth generation as lines. */
enum status isotropy_map_write(const struct isotropy_map *map,
                               const char *label, double width,
                               const char *path, bool force,
                               struct error *error);

#endif
