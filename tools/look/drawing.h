/* SPDX-License-Identifier: MIT */
/* What hamon-slice and hamon-movie have in common: the options that say what
 * is drawn and how, and the pages that they make of a recording. */
#ifndef HAMON_TOOLS_LOOK_DRAWING_H
#define HAMON_TOOLS_LOOK_DRAWING_H

#include "cli/cli.h"
#include "draw/figure/figure.h"
#include "tools/look/frames.h"

/* The options' values as given. */
struct drawing {
    const char *field, *map, *range, *overlays, *title, *font, *montage;
    const char *project, *view, *minus, *along;
    struct cli_list at, agents;
    int64_t wave, cell; /* cell 0: choose */
    bool symmetric, logarithmic, linear, reversed, per_frame, list;
    bool bar, axes, scale_bar, legend, oblique;
    double linear_width, low, high, level;
    int64_t threads;                   /* 0: choose */
    const struct page_format *vectors; /* NULL: PNG */
    double centimetres;                /* how wide a page of vectors is */
};

/* The one set of them, filled in by cli_parse through drawing_options, which a
 * program's table takes up as a CLI_TABLE. */
extern struct drawing drawing;
extern const struct cli_option drawing_options[];

/* How many threads, each of which takes so many bytes: as asked, or a processor
 * each while memory is bounded. */
int drawing_threads(uint64_t each);

/* A recording as it is shown. */
struct shown {
    struct recording *recording;
    char name[64]; /* of the file, for its panels */
    struct view *view;
    struct picture picture;
    int64_t *rows; /* of each of the pages' steps: its own, or its last */
    bool ended;    /* there are later ones */
};

/* Recordings with all that it takes to make pages of them: each page has so
 * many steps, and of each step a panel for each recording. */
struct pages {
    struct shown *shown;
    size_t shown_count;
    struct recording *minus; /* is subtracted, or NULL */
    struct frames frames;    /* of the recording that goes on longest */
    int64_t *steps;          /* of frames */
    bool borrowed;           /* all of these but shown's views and pictures */
    struct view_place place;
    char software[128], sources[400]; /* "a.h5, b.h5" */
    struct picture_options options;
    struct figure_options layout;
    struct picture **pictures; /* of each that is shown, for the figure */
    int64_t *panel_rows;       /* of the page that is painted */
    struct figure figure;
    size_t panels, steps_each; /* on a page */
    size_t count;              /* of pages */
};

/* What the pages are for. */
enum pages_use {
    PAGES_WRITTEN, /* pages_write */
    PAGES_SHOWN,   /* pages_paint */
};

/* Opens the recordings that the command line names, of one grid. `every` N
 * draws every N-th of the rows that --at step= names, or of all; 0 those that
 * it names, or the last. A recording that ended earlier keeps its last row; any
 * other step must be in each. Release with pages_close, after a failure too. */
enum status pages_open(const struct cli *cli, int64_t every, enum pages_use use,
                       struct pages *pages, struct error *error);
void pages_close(struct pages *pages);

/* Pages that give the same pictures as `pages`, for another thread; they
 * borrow from it. Release with pages_close, before `pages`. */
enum status pages_twin(const struct pages *pages, struct pages *twin,
                       struct error *error);

/* Bytes that a twin takes, about. */
uint64_t pages_bytes(const struct pages *pages);

/* Paints a page (0 … count − 1): figure_page(&pages->figure). */
enum status pages_paint(struct pages *pages, size_t page, struct error *error);

/* Paints a page and writes it to the file `path`. */
enum status pages_write(struct pages *pages, size_t page, const char *path,
                        bool force, struct error *error);

/* The step of a page's first panel. */
int64_t pages_step(const struct pages *pages, size_t page);

/* Tells which steps are missing, and what the colours mean where that was not
 * said. */
void pages_tell(const struct cli *cli, const struct pages *pages);

/* Says of which pictures most cells have no arrow, after pages and their
 * `twins` (so many) were painted. */
void pages_tell_drawn(const struct cli *cli, const struct pages *pages,
                      const struct pages *twins, int count);

/* What hamon-slice and hamon-movie run: lists the colour maps, or draws the
 * recordings that are named. `missing`: what the command line lacks for that,
 * or NULL. The exit code. */
int drawing_run(struct cli *cli, const char *missing,
                enum status (*draw)(const struct cli *cli,
                                    struct error *error));

#endif
