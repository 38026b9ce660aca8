/* SPDX-License-Identifier: MIT */
/* hamon-report: a recording is gathered (report.c; which rows by places.c,
 * its pictures by frames.c, shares of captures by captured.c, and what the
 * page's script needs by data.c, fronts.c, live.c, source.c and words.c), then
 * the page is written (page.c, a still picture by still.c, a folder's table by
 * sweep.c). Both sides use struct report_run. The scripts are sim.js, which
 * computes the waves, and report.js. */
#ifndef HAMON_TOOLS_REPORT_REPORT_H
#define HAMON_TOOLS_REPORT_REPORT_H

#include "cli/cli.h"
#include "cli/json.h"
#include "draw/figure/picture.h"
#include "metrics/measured.h"
#include "tools/info/info.h"
#include "view/layers.h"

#include <stdio.h>

enum {
    REPORT_AGENTS = 64,   /* drawn and listed, at most */
    REPORT_PLACES = 4096, /* stored positions of an agent: at most one more */
    REPORT_GROUPS = 12,   /* methods or recordings with a line each, at most */
    REPORT_VIEWS = 24,    /* fields times waves with pictures, at most */
    REPORT_WAVES = 64,    /* that the page computes, at most */
    REPORT_LIVE = 3 * REPORT_WAVES + 2, /* their fields */
    REPORT_ALIKE = 10,    /* maximum ratio of maxima on one scale */
    REPORT_BINS = 400,    /* steps at which captures are counted */
    REPORT_MEASURED = 12, /* rows whose extremes are the range of colours */
    REPORT_TEXT = 512,
    REPORT_NAME = 32,
};

struct report_options {
    const int64_t *waves; /* only these, [wave_count]; 0: all */
    size_t wave_count;
    bool pictures;   /* of runs that the page could compute too */
    int64_t frames;  /* at most, of a run with pictures */
    uint64_t bytes;  /* maximum for this recording's frames, as encoded */
    bool linear;     /* else amplitude and gradient have a logarithmic scale */
    const char *map; /* of amplitudes; NULL: the field's own */
    struct view_place place;
    bool sweep; /* a table of all runs, of which one is shown */
};

/* A field of a wave: a picture for each frame, or one for all; none if the page
 * computes the wave, except of the opening view, for readers without
 * scripts. */
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
    double
        typical; /* encloses 98 % of the sizes, as hamon-slice does; 0: none */
    struct scale scale;
    struct ramp ramp;
    char *bar;     /* the opening view's colours, as PNG in Base64, or NULL */
    char **frames; /* PNGs in Base64, [count] */
    size_t count;
    char means[REPORT_TEXT];
};

/* Its position in the world's cells, and its heading; z is 0 in 2D. */
struct report_agent {
    char name[INFO_NAME_SIZE];
    int number;                  /* −1: the target */
    double (*at)[2 * GRID_AXES]; /* [places] */
    double path_length;          /* cells, along the stored positions */
};

/* First arrivals of a wave. */
struct report_reach {
    int wave;
    int64_t cells, reached; /* free cells of the region; of them */
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
    size_t places;
    size_t *frames; /* their indices that are frames, ascending, with the last:
                     * [frame_count] */
    size_t frame_count;
    struct report_view views[REPORT_LIVE];
    size_t view_count, opening; /* opening: the view shown first */
    struct report_agent agents[REPORT_AGENTS + 1]; /* the target last */
    size_t agent_count;
    struct report_reach reach[REPORT_LIVE];
    size_t reach_count;
    char missing[REPORT_TEXT]; /* why there are no first arrivals, or "" */
    int checked[REPORT_WAVES]; /* the waves that the page computes */
    unsigned open;             /* the map's open sides, 1 << direction */
    size_t checked_count;      /* 0: it shows pictures instead, because of */
    char why[REPORT_TEXT];
    /* What it compares them with: the recording, or its whole run if that lacks
     * one of them; borrowed. */
    const struct recording *proof;
    char *data; /* for the page's script, JSON, from open_memstream */
    char *map;  /* packed; in the JSON of the first run that has it */
    struct measured measured; /* of a folder's run */
};

struct report_runs {
    const struct report_run *run; /* [count] */
    size_t count;
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

/* An array; of a box [low, high], each [x, y, z]. */
void report_put_list(struct json *json, const char *key, const int *items,
                     int count);
void report_put_box(struct json *json, const char *key, const struct box *box);

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

/* ---- words.c ---- */

struct words {
    uint8_t *bytes;
    size_t used;
};

/* Adds a series; words_pack returns all as text, from need_memory, and releases
 * them; NULL: there is no memory. */
void words_add(struct words *words, const int32_t *series, size_t count);
/* Of a map with rows of this width, which is overwritten. */
void words_add_rows(struct words *words, int32_t *map, size_t count,
                    size_t width);
/* The two halves of each. */
void words_add_doubles(struct words *words, const double *values, size_t count);
void words_add_bytes(struct words *words, const void *bytes, size_t count);
char *words_pack(struct words *words);

/* ---- live.c ---- */

/* Can the page compute the run's waves? Sets run->checked and run->proof, or
 * run->why. */
enum status report_live_find(struct report_run *run,
                             const struct report_options *options,
                             struct error *error);

/* What it computes them from, if it can, as members of a JSON object and as
 * series. */
enum status report_live_put(struct json *json, struct words *words,
                            const struct report_run *run, const double *speed,
                            struct error *error);

/* Its map; *speed, if cells have one, has that of each version's cells, to be
 * released. */
enum status report_live_map(struct json *json, struct words *words,
                            const struct report_run *run, double **speed,
                            struct error *error);

/* ---- source.c ---- */

struct emission_row;

/* What sources add to the waves, of these emissions; `speed`: of each version's
 * cells, NULL: all 1. */
enum status report_source_put(struct json *json, struct words *words,
                              const struct report_run *run,
                              const struct emission_row *sent, size_t count,
                              const double *speed, struct error *error);

/* The cells that a wave has, with the layers beyond open edges. */
double report_wave_cells(const struct report_run *run);

/* Keeps each value once, ascending. */
size_t report_sort_once(double *values, size_t count);

/* ---- fronts.c ---- */

/* Heading, true heading, error and cause of each cell of the region, if there
 * is a view of errors. */
enum status report_fronts_put(struct json *json, struct words *words,
                              const struct report_run *run,
                              struct error *error);

/* ---- data.c ---- */

/* Makes the data of runs[which], after those before it. */
enum status report_data_make(struct report_run *runs, size_t which,
                             struct error *error);

/* ---- frames.c ---- */

bool report_is_chosen(const struct report_options *options, int wave);

/* Makes the views, with frames at evenly spaced rows up to the last one. */
enum status report_frames_make(struct report_run *runs, size_t count,
                               const struct report_options *options,
                               struct error *error);
void report_frames_release(struct report_run *run);

/* Of the first headings, whose values the page has? */
bool report_view_is_front(const struct report_view *view);

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

/* Of a struct report_run, for a slot of the page: the opening view at the last
 * step for readers without scripts (still.c). */
void report_still(FILE *out, const void *run);

/* The sign of the agent with this number, an int. */
void report_sign(FILE *out, const void *number);

/* The head's and the body's cells of a table of runs, a struct report_runs. */
void report_sweep_columns(FILE *out, const void *of);
void report_sweep_rows(FILE *out, const void *of);

/* The whole page; `output` is its path, for the links. */
void report_write(FILE *out, const struct report_run *runs, size_t count,
                  bool sweep, const char *output, const char *software);

#endif
