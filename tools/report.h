/* SPDX-License-Identifier: MIT */
/* What hamon-report tells of a recording, gathered before the page is written:
 * the frames of its views as PNG, its agents' ways, its tables. */
#ifndef HAMON_TOOLS_REPORT_H
#define HAMON_TOOLS_REPORT_H

#include "draw/picture.h"
#include "info.h"

enum {
    REPORT_AGENTS = 64,   /* drawn and listed, at most */
    REPORT_PLACES = 4096, /* rows whose places are kept, at most */
    REPORT_VIEWS = 24,    /* fields times waves, at most */
    REPORT_BINS = 400,    /* points of the chart of first arrivals */
    REPORT_TEXT = 512,
    REPORT_PLACE_SIZE = 48, /* bytes of a place as text */
};

struct report_options {
    const int64_t *waves; /* these alone, [wave_count]; 0: all */
    size_t wave_count;
    int64_t frames;  /* at most */
    uint64_t bytes;  /* of the frames of this recording, as they stand in the
                      * page, at most */
    bool linear;     /* else amplitude and gradient by their logarithm */
    const char *map; /* of amplitudes; NULL: the field's own */
    struct view_place place;
};

/* A field of a wave: a picture a frame, or one for all. */
struct report_view {
    const struct field *field;
    const char *name; /* "Wave" */
    int wave;
    bool by_row;
    struct scale scale;
    struct ramp ramp;
    char *bar;     /* of its colours, as PNG in Base64; NULL for the map */
    char **frames; /* PNGs in Base64, [count] */
    size_t count;
    char means[REPORT_TEXT];
};

struct report_agent {
    char name[INFO_NAME_SIZE];
    int number;     /* −1: the target */
    float (*at)[2]; /* in the picture's plane, world's cells, [places] */
    double way;     /* cells, along the places kept */
};

/* First arrivals of a wave. */
struct report_reach {
    int wave;
    int64_t cells, reached;          /* free cells of the region; of them */
    int64_t by_bin[REPORT_BINS + 1]; /* reached by step last·i/REPORT_BINS */
};

struct report_run {
    struct recording *recording;
    struct info info;
    int nx, ny;          /* cells in view, filled up to whole blocks */
    int block;           /* cells a side of a pixel */
    int right, down;     /* the axes of the picture */
    double origin[2];    /* the world's cell at its corner */
    bool flattened;      /* 3D, seen along z through all layers */
    int64_t *place_rows; /* the rows whose places are kept, [places] */
    char *way_text;      /* room for an agent's, [places][REPORT_PLACE_SIZE] */
    size_t places;
    size_t *frames;            /* which of those are frames, [frame_count] */
    size_t frame_count, start; /* the frame that is seen first */
    struct report_view views[REPORT_VIEWS];
    size_t view_count;
    struct report_agent agents[REPORT_AGENTS + 1]; /* the target last */
    size_t agent_count;
    struct report_reach reach[REPORT_VIEWS];
    size_t reach_count;
    char missing[REPORT_TEXT]; /* why there are no first arrivals, or "" */
};

/* Gathers all of it. Release with report_run_release, after a failure too. */
enum status report_run_open(const char *path,
                            const struct report_options *options,
                            struct report_run *run, struct error *error);
void report_run_release(struct report_run *run);

/* The step of a kept place, and the run's last. */
int64_t report_step(const struct report_run *run, size_t place);
int64_t report_last(const struct report_run *run);

/* ---- report_frames.c: how large, how many, which ---- */

/* Chooses frames and makes the views. */
enum status report_frames_make(struct report_run *run,
                               const struct report_options *options,
                               struct error *error);
void report_frames_release(struct report_run *run);

/* Are walls all that it shows? They have one colour, and no scale. */
bool report_view_is_map(const struct report_view *view);

/* ---- report_agents.c ---- */

enum status report_agents_read(struct report_run *run, struct error *error);

/* ---- report_data.c: what the script reads ---- */

void report_data(FILE *out, const struct report_run *run);

/* ---- report_chart.c ---- */

void report_charts(FILE *out, const struct report_run *run);

/* ---- report_write.c ---- */

/* The page from head to foot; `output` is its path, for the links. */
void report_write(FILE *out, const struct report_run *runs, size_t count,
                  const char *output, const char *software);

#endif
