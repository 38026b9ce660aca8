/* SPDX-License-Identifier: MIT */
/* Shared by hamon-slice and hamon-movie: the options for the content of
 * pictures, and the pages that they make of a recording. */
#ifndef HAMON_TOOLS_LOOK_DRAWING_H
#define HAMON_TOOLS_LOOK_DRAWING_H

#include "cli/cli.h"
#include "draw/figure/figure.h"
#include "tools/look/frames.h"
#include "tools/look/placed.h"
#include "view/moments.h"

/* The options' values as given. */
struct drawing {
    const char *field, *map, *range, *overlays, *title, *font, *montage;
    const char *project, *view, *minus, *along, *crop, *inset;
    struct cli_list at, agents;
    int64_t wave, cell; /* WAVE_NEWEST: not given; cell 0: choose */
    bool symmetric, logarithmic, linear, reversed, per_frame, list;
    bool bar, axes, scale_bar, legend, oblique, bare, smooth;
    double linear_width, low, high, level, aspect;
    int64_t threads;                /* 0: choose */
    const struct page_format *page; /* NULL: an image of pixels */
    bool vectors;                   /* the page is PDF or SVG */
    bool film;                      /* its sizes are in pixels of a screen */
    double centimetres;             /* width of the page; 0: choose */
    bool on_page;                   /* by --placed: */
    struct placed placed;
};

/* The single set of options, filled by cli_parse through drawing_options, which
 * a program's table includes as a CLI_TABLE. */
extern struct drawing drawing;
extern const struct cli_option *drawing_options;

/* The number of threads, each of which takes so many bytes: as given, or one
 * for each processor within a limit of memory. */
int drawing_threads(uint64_t each);

/* A recording to be shown. */
struct shown {
    struct recording *opened;
    const struct recording *recording; /* the same, or its whole run */
    char name[256];                    /* recording_label, for its panels */
    char apart[256]; /* the settings that distinguish it from the others */
    struct view *view;
    struct picture picture;
    int64_t *rows; /* for each step of the pages: its own, or its last */
    bool ended;    /* later steps exist */
};

/* Recordings with the data for their pages: each page has so many steps, and
 * for each step a panel for each recording. */
struct pages {
    struct shown *shown;
    size_t shown_count;
    struct recording *opened_minus;
    const struct recording *minus; /* is subtracted, or NULL */
    struct frames frames;          /* of the longest recording */
    int64_t *steps;                /* of frames */
    const struct pages *lender;    /* of all of these but shown's views and
                                    * pictures; NULL: they are its own */
    struct view_place place;
    char software[128], sources[400], titles[1024]; /* "a.h5, b.h5" */
    struct picture_options options;
    struct figure_options layout;
    bool sheet; /* of steps chosen by the run's events */
    struct moment moments[MOMENTS_MOST];
    size_t moment_count;
    const char *reasons[MOMENTS_MOST]; /* for the panels of a sheet */
    struct picture **pictures; /* of each recording shown, for the figure */
    int64_t *panel_rows;       /* of the page being painted */
    struct figure figure;
    struct page *page;         /* of a figure in a film, for all frames */
    struct image frame;        /* its pixels */
    size_t panels, steps_each; /* on a page */
    size_t count;              /* of pages */
};

/* The purpose of the pages. */
enum pages_use {
    PAGES_WRITTEN, /* pages_write */
    PAGES_SHOWN,   /* pages_show */
};

/* Opens the recordings of the command line, which must have one grid. `every` N
 * draws every N-th of the rows given by --at step=, or of all; 0 those given,
 * or the last. A recording that ended earlier keeps its last row; any other
 * step must be in each. Release with pages_close, after a failure too. */
enum status pages_open(const struct cli *cli, int64_t every, enum pages_use use,
                       struct pages *pages, struct error *error);
void pages_close(struct pages *pages);

/* Pages with the same pictures as `pages`, for another thread; they borrow from
 * it. Release with pages_close, before `pages`. */
enum status pages_twin(const struct pages *pages, struct pages *twin,
                       struct error *error);

/* Approximate bytes of a twin. */
uint64_t pages_bytes(const struct pages *pages);

/* Paints a page (0 … count − 1); the image is borrowed until the next one. */
enum status pages_show(struct pages *pages, size_t page,
                       const struct image **image, struct error *error);

/* Paints a page and writes it to the file `path`. */
enum status pages_write(struct pages *pages, size_t page, const char *path,
                        bool force, struct error *error);

/* The step of a page's first panel. */
int64_t pages_step(const struct pages *pages, size_t page);

/* Reports the steps that are missing, and the meaning of the colours if it was
 * not reported. */
void pages_report(const struct cli *cli, const struct pages *pages);

/* Reports the pictures in which most cells have no arrow, after pages and their
 * `twins` (so many) were painted. */
void pages_report_drawn(const struct cli *cli, const struct pages *pages,
                        const struct pages *twins, int count);

/* The main function of hamon-slice and hamon-movie: lists the colour maps, or
 * draws the given recordings. Returns the exit code. */
int drawing_run(struct cli *cli, enum status (*draw)(const struct cli *cli,
                                                     struct error *error));

#endif
