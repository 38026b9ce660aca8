/* SPDX-License-Identifier: MIT */
/* Pictures of rows of a view that belong together: one colour scale, one size,
 * one set of drawings over the field. */
#ifndef HAMON_DRAW_FIGURE_PICTURE_H
#define HAMON_DRAW_FIGURE_PICTURE_H

#include "draw/colormap/quantile.h"
#include "draw/figure/along.h"
#include "draw/figure/heatmap.h"
#include "draw/figure/oblique.h"
#include "draw/figure/overlay.h"
#include "draw/figure/solid.h"
#include "draw/figure/ticks.h"
#include "draw/raster/png.h"
#include "view/areas.h"
#include "view/view.h"

#include <stdbool.h>

/* Drawings over the field, or-ed. */
enum overlay {
    OVERLAY_WALLS = 1 << 0,
    OVERLAY_AGENTS = 1 << 1,
    OVERLAY_TRAILS = 1 << 2,
    OVERLAY_PATHS = 1 << 3, /* as planned */
    /* Arrows or streamlines, only one kind at a time: along the headings that
     * agents follow; along the gradient or the energy flux, by its length;
     * along the gradient's direction; of one-way cells; streamlines of the
     * energy flux or of the gradient. */
    OVERLAY_HEADINGS = 1 << 4,
    OVERLAY_GRADIENT = 1 << 5,
    OVERLAY_DIRECTION = 1 << 9,
    OVERLAY_FLUX = 1 << 12,
    OVERLAY_ONE_WAY = 1 << 10,
    OVERLAY_STREAMLINES = 1 << 15,
    OVERLAY_GRADIENT_STREAMLINES = 1 << 16,
    /* On a field with steps, the front at that step; on one without, contours
     * of the first arrival. */
    OVERLAY_FRONT = 1 << 6,
    OVERLAY_CONTOURS = 1 << 13, /* of the field shown */
    OVERLAY_VALUES = 1 << 11,   /* of each cell, a number: by the figure */
    OVERLAY_NODES = 1 << 7,     /* of relay walkers */
    OVERLAY_COLORS = 1 << 8,    /* yellow and green cells of pincers */
    OVERLAY_AREAS = 1 << 14,    /* of other speed */
    OVERLAY_OF_AGENTS =
        OVERLAY_AGENTS | OVERLAY_TRAILS | OVERLAY_PATHS | OVERLAY_NODES,
};

/* A part of a plane: columns and rows, the last ones included. */
struct cells {
    int left, top, right, bottom;
};

struct picture_options {
    const char *map;        /* of ramp_load; NULL: the field's own */
    bool reversed;          /* reversed in addition */
    bool has_low, has_high; /* else from the data */
    double low, high;
    bool
        has_extremes; /* with both ends: the extremes of its values are these */
    double least, most;
    bool symmetric; /* about zero */
    bool logarithmic;
    double linear_width; /* of the scale; 0: 1e-4 of the larger end */
    int cell;            /* pixels a side of a cell, ≥ 1 */
    unsigned overlays;
    int apart; /* cells between arrows or streamlines; 0: by the text's size */
    double contour_step; /* contours at its multiples; 0: at the bar's values */
    bool per_frame;      /* each row has its own range */
    /* The range encloses this share of the sizes |v| of values other than 0,
     * rounded up; 0: all values */
    double share;
    /* For a figure: marks by the agents' states, white where a wave has not
     * been, gray walls with edges. */
    bool paper;
    /* Its scale and extremes are those of this one; NULL: its own; borrowed */
    const struct picture *scaled;
    bool cropped; /* only these cells of the plane, from its first */
    struct cells crop;
    double tall; /* height of a cell per its width; 0: 1 */
    double em;   /* pixels, the unit for overlays; 0: picture_em */
    const char *const *agents; /* only these are drawn; borrowed */
    size_t agent_count;        /* 0: all */
    const char *name;          /* of its panels in a montage, or NULL;
                                * borrowed */
    const char *caption;       /* of its panels without a title; NULL: the name
                                * and the step; borrowed */
    /* For its notes; NULL: the recording's title and file; borrowed. */
    const char *title, *source;
    bool sheet;   /* a sheet is sufficient if there are no overlays */
    bool vectors; /* it is painted only on `page` */
    bool oblique; /* of the layers `planes`; 3D, along z */
    int planes[LAYERS_MOST];
    int plane_count; /* 0: of each floor */
    int threads;     /* to read the rows and find their range; 0: one */
    /* From outside, as a surface: only for a view of VIEW_WHOLE; of the layers
     * from the first of `planes` to the last. */
    bool outside;
    struct solid_sight sight;
    double level; /* of the surface; NaN: by the scale of colours */
    bool smooth;  /* the surface, instead of its cells as cubes */
};

/* One of several positions on a contour for its value; in the picture's
 * pixels. */
struct contour_label {
    double at[2];
    size_t line; /* unique for each line of each frame */
    char text[TICK_LABEL_SIZE];
};

enum { CONTOUR_LABELS = 512 };

enum { PICTURE_NOTES = 9, PICTURE_NOTE_SIZE = 512 };

/* Pictures with arrows in less than one of FEW_ARROWS free cells, and the first
 * such row. */
struct few_arrows {
    size_t pictures;
    int64_t row;
    size_t cells, free_cells; /* with an arrow's direction; all */
};

enum { FEW_ARROWS = 20 };

struct picture {
    struct view *view; /* borrowed */
    struct picture_options options;
    struct ramp ramp;
    struct scale scale;
    struct extremes extremes; /* of its values */
    struct quantile *sizes;   /* with options.share */
    struct cells part;        /* the cells of the plane that are painted */
    double *values;           /* of the part, if it is not the view's */
    uint8_t *wall;
    /* The last one painted, unless it is the sheet. With options.vectors it has
     * only a size; a view from outside always has pixels. With
     * options.vectors or oblique `cells` has a pixel for each cell. */
    struct image image, cells;
    struct page *page;  /* with options.vectors; borrowed */
    struct sheet sheet; /* its count is 0 if the image is used */
    struct levels *levels;
    struct page *over;            /* its image */
    struct projection projection; /* the world's position in it */
    struct layers layers;         /* of 3D; count 0: no plane, or no ranges */
    struct oblique oblique;       /* if options.oblique */
    struct solid solid;           /* if options.outside */
    struct outlined_areas areas[AREA_KINDS]; /* with OVERLAY_AREAS */
    const int64_t *rows;                     /* of picture_init; borrowed */
    size_t row_count;
    bool elsewhere; /* an agent is on no layer at some step */
    struct tracks tracks;
    struct along_lines along; /* of a line over time in a figure */
    struct plans plans;
    uint8_t *colors;               /* (cells of the grid), or NULL */
    struct view *arrows, *arrival; /* of the overlays; NULL: not needed */
    struct contour contour;
    struct contour_label *labels; /* of the last picture; NULL: no contours */
    size_t label_count;
    double *right, *down; /* arrows' components, (ny, nx) */
    int32_t *arrow_room;  /* of overlay_arrows */
    struct streamlines streamlines;
    struct few_arrows few_arrows; /* of those painted so far */
    /* Its notes; those for all rows come first. */
    char texts[PICTURE_NOTES][PICTURE_NOTE_SIZE];
    struct image_note notes[PICTURE_NOTES];
    size_t note_count, lasting_notes, range_note;
    int64_t row; /* the view's present row; −1: none */
};

/* The size of text and lines in pixels for pictures of a total size `width` and
 * `height`, such that text is 7 pt in a column of a paper (8.5 cm). In a long
 * and narrow picture text is not much higher than the map: at most 32 pixels,
 * as in a picture 800 pixels wide, or .4 of the shorter side. */
double picture_em(double width, double height);

/* Prepares pictures of the `count` rows: reads each once to find the range, if
 * it is taken from the data. `software` is put into the notes. The view is
 * borrowed. Release with picture_release, after a failure too. */
enum status picture_init(struct picture *picture, struct view *view,
                         const struct picture_options *options,
                         const int64_t *rows, size_t count,
                         const char *software, struct error *error);
void picture_release(struct picture *picture);

/* Gives all of them one scale for the extremes of all; or leaves each its own
 * if they are figures whose ranges were found by options.share, and these
 * quantiles differ by more than a factor of PICTURE_APART. */
enum { PICTURE_APART = 3 };
enum status picture_share_scale(struct picture *const *pictures, size_t count,
                                struct error *error);

/* The marks that its rows (of picture_init) have, as bits of enum mark. */
unsigned picture_marks(const struct picture *picture);

/* The place of a track on the picture at a row. */
void picture_place(const struct picture *picture, const struct track *track,
                   int64_t row, double pixel[2]);
/* The place of a point of the view's plane, in coordinates of the whole map. */
void picture_place_in_plane(const struct picture *picture, const double at[2],
                            double pixel[2]);

/* Where its start is drawn: at the edge moved in, so that all of it is seen. */
void picture_start(const struct picture *picture, const struct track *track,
                   double pixel[2]);
enum crowd picture_crowd(const struct picture *picture);

/* Are its tracks columns and rows of a line over time? */
bool picture_is_along(const struct picture *picture);

/* The settings with which it draws over its field. */
struct pen picture_pen(struct picture *picture);

/* May it have cells that its wave has not reached? */
bool picture_has_blanks(const struct picture *picture);

/* Do values lie beyond the scale: below its low end, above its high end? */
void picture_beyond(const struct picture *picture, bool ends[2]);

/* Paints one of the rows into picture->image, and adds it to the notes. */
enum status picture_paint(struct picture *picture, int64_t row,
                          struct error *error);

/* Paints these cells of the plane at another size, in pixels a cell, over a
 * page: the corner of the first one is at the page's corner (of page_part). */
enum status picture_paint_part(struct picture *picture,
                               const struct cells *part, int cell, int64_t row,
                               struct error *error);

/* Writes the last picture painted, with its notes. */
enum status picture_write(const struct picture *picture, const char *path,
                          bool force, struct error *error);

void few_arrows_add(struct few_arrows *all, const struct few_arrows *more);

/* The content, as view_describe; "z = 2, 8" for an oblique view's layers. */
void picture_describe(const struct picture *picture, char *text, size_t size);

/* The level of the isosurface seen from outside. */
double picture_level(const struct picture *picture);

/* "-0.25 to 0.25", and for a signed logarithm its linear width. */
void picture_range(const struct picture *picture, char *text, size_t size);

#endif
