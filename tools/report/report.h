/* SPDX-License-Identifier: MIT */
/* hamon-report: a recording is gathered (report.c; which rows by places.c,
 * its frames by frames.c, shares of captures by captured.c), then the page is
 * written (page.c, with charts as SVG by chart.c, a still picture by still.c,
 * and the data of the page's script by data.c). Both sides use struct
 * report_run. */
#ifndef HAMON_TOOLS_REPORT_REPORT_H
#define HAMON_TOOLS_REPORT_REPORT_H

#include "cli/cli.h"
#include "draw/figure/picture.h"
#include "tools/info/info.h"
#include "view/layers.h"

#include <stdio.h>

enum {
    REPORT_AGENTS = 64,   /* drawn and listed, at most */
    REPORT_PLACES = 4096, /* stored positions of an agent: at most one more */
    REPORT_GROUPS = 12,   /* methods or recordings with a line each, at most */
    REPORT_VIEWS = 24,    /* fields times waves, at most */
    REPORT_ALIKE = 10,    /* maximum ratio of maxima on one scale */
    REPORT_BINS = 400,    /* points of the chart of first arrivals */
    REPORT_TEXT = 512,
    REPORT_PLACE_SIZE = 48, /* bytes of a position as text */
    REPORT_NAME = 32,
};

struct report_options {
    const int64_t *waves; /* only these, [wave_count]; 0: all */
    size_t wave_count;
    int64_t frames;  /* at most */
    uint64_t bytes;  /* maximum for this recording's frames, as encoded */
    bool linear;     /* else amplitude and gradient have a logarithmic scale */
    const char *map; /* of amplitudes; NULL: the field's own */
    struct view_place place;
};

/* A field of a wave: a picture for each frame, or one for all. */
struct report_view {
    const struct field *field;
    char name[REPORT_NAME]; /* "Wave", "Wave, z = 2" */
    struct view_place place;
    int layer; /* of the run's layers, or −1: agents of all heights are shown */
    int wave;
    bool by_row;
    struct extremes extremes; /* of the visible values; of all recordings if
                               * `shared` */
    bool shared;
    struct scale scale;
    struct ramp ramp;
    char *bar;     /* of its colours, as PNG in Base64; NULL for the map */
    char **frames; /* PNGs in Base64, [count] */
    size_t count;
    char means[REPORT_TEXT];
};

struct report_agent {
    char name[INFO_NAME_SIZE];
    int number;             /* −1: the target */
    float (*at)[GRID_AXES]; /* world's cells, z is 0 in 2D, [places] */
    double path_length;     /* cells, along the stored positions */
};

/* First arrivals of a wave. */
struct report_reach {
    int wave;
    int64_t cells, reached;          /* free cells of the region; of them */
    int64_t by_bin[REPORT_BINS + 1]; /* reached by step last·i/REPORT_BINS */
};

struct report_run {
    struct recording *recording;
    char label[REPORT_TEXT]; /* recording_label */
    char title[REPORT_TEXT]; /* recording_title_among */
    struct info info;
    struct view_place place; /* the plane of the first view */
    int nx, ny;              /* visible cells, rounded up to whole blocks */
    int block;               /* cells a side of a pixel */
    int right, down;         /* the axes of the picture */
    int along;               /* the third axis, or −1 in 2D */
    double origin[2];        /* the world's cell at its corner */
    struct layers layers;    /* with their own views: in 3D floors, or the one
                              * plane; count 0: none */
    bool flattened;          /* 3D, seen along z through all layers */
    int64_t *place_rows;     /* the rows whose positions are stored, [places] */
    char *path_text; /* room for an agent's, [places][REPORT_PLACE_SIZE] */
    size_t places;
    size_t *frames; /* their indices that are frames, ascending, with the last:
                     * [frame_count] */
    size_t frame_count;
    struct report_view views[REPORT_VIEWS];
    size_t view_count, opening; /* opening: the view shown first */
    struct report_agent agents[REPORT_AGENTS + 1]; /* the target last */
    size_t agent_count;
    struct report_reach reach[REPORT_VIEWS];
    size_t reach_count;
    char missing[REPORT_TEXT]; /* why there are no first arrivals, or "" */
};

/* Gathers all data into `runs`, [count], which are zero before: frames of the
 * same steps, and common scales if values are comparable. Release each with
 * report_run_release, after a failure too. */
enum status report_runs_open(const struct cli *cli, char *const *paths,
                             size_t count, const struct report_options *options,
                             struct report_run *runs, struct error *error);
void report_run_release(struct report_run *run);

/* ---- places.c ---- */

/* Chooses the stored positions: every `stride`-th row of the recording, and the
 * last. */
void report_places_choose(struct report_run *run, int64_t stride);

/* The step of a stored position, and the run's last step. */
int64_t report_step(const struct report_run *run, size_t place);
int64_t report_last(const struct report_run *run);

/* The last stored position not after the step; the first if all are after
 * it. */
size_t report_place(const struct report_run *run, int64_t step);

/* ---- captured.c ---- */

/* Agents of a run whose captures are counted together. */
struct report_group {
    char name[REPORT_TEXT]; /* in legends */
    const struct report_run *run;
    const char *method; /* of this method; NULL: all agents */
};

/* A fraction of `count` with its 95 % interval (proportion_make). */
struct report_share {
    int64_t hits, count;
    double estimate;  /* NAN if count is 0 */
    double low, high; /* NAN: count is too small for an interval */
};

/* Does the chase end at its first capture? Then it is one trial. */
bool report_is_team(const struct report_run *run);

/* The fraction of the group's trials (its agents, or their one chase) with a
 * capture by the step. */
struct report_share report_captured(const struct report_group *group,
                                    int64_t step);

/* A group for each method of the run, in the agents' order; returns their
 * number. Of more than REPORT_GROUPS only the first ones. */
size_t report_methods(const struct report_run *run,
                      struct report_group groups[REPORT_GROUPS]);

/* ---- frames.c ---- */

/* Makes the views, with frames at the common steps of all runs that have not
 * ended, and at each run's last step. */
enum status report_frames_make(struct report_run *runs, size_t count,
                               const struct report_options *options,
                               struct error *error);
void report_frames_release(struct report_run *run);

/* Does the view show only walls? They have one colour, and no scale. */
bool report_view_is_map(const struct report_view *view);

/* ---- the page ---- */

/* The files of tools/report/, which build-aux/embed.sh makes part of the
 * program; text that ends with NUL. */
extern const unsigned char report_page[], report_css[], report_js[];

/* "sha256-…": the page permits only the style and script with these hashes. */
extern const char report_css_hash[], report_js_hash[];

/* A part of report_page with its slots (html_part). */
#define REPORT_PART(out, part, ...)                                            \
    html_part(out, (const char *)report_page, part,                            \
              (const struct html_slot[]){ __VA_ARGS__, { 0 } })

/* Of a struct report_run, for slots of the page: the data of its script, as
 * JSON (data.c), the charts (chart.c), and the opening view at the last step
 * for readers without scripts (still.c). */
void report_data(FILE *out, const void *run);
void report_charts(FILE *out, const void *run);
void report_still(FILE *out, const void *run);

/* The chart of captures by step, a line for each group (chart.c); the caption
 * notes it if only some of `total` recordings have a line. */
void report_captured_chart(FILE *out, const struct report_group *groups,
                           size_t count, size_t total);

/* The sign of the agent with this number, an int. */
void report_sign(FILE *out, const void *number);

/* The whole page; `output` is its path, for the links. */
void report_write(FILE *out, const struct report_run *runs, size_t count,
                  const char *output, const char *software);

#endif
