/* SPDX-License-Identifier: MIT */
/* The functions of a page format; lengths and positions are in points. */
#ifndef HAMON_DRAW_CANVAS_PAGE_FORMAT_H
#define HAMON_DRAW_CANVAS_PAGE_FORMAT_H

#include "draw/canvas/page.h"
#include "draw/raster/text.h"

enum shape_kind { SHAPE_LINE, SHAPE_CORNERS, SHAPE_DISC, SHAPE_RING };

/* How shapes are drawn: filled, or as lines along their edges. */
struct ink {
    const uint8_t *color;
    double alpha;
    double width; /* of lines; 0: filled */
    const double *dash;
    int dashes;
    bool butt; /* lines' ends, else round */
};

struct shape {
    enum shape_kind kind;
    double width;        /* of a line or a ring */
    double radius;       /* of a disc or a ring */
    size_t first, count; /* in page->points: one for a disc or a ring */
};

struct page_point {
    double x, y;
};

struct page {
    const struct page_format *format;
    FILE *file;
    struct font *font;
    bool borrowed;            /* the font is */
    double width, height;     /* of the whole page */
    double dots;              /* an inch, of pixels */
    double scale;             /* of a pixel */
    struct page_point corner; /* of the part */
    struct shape *shapes;     /* not yet drawn */
    struct page_point *points;
    size_t shape_count, shape_room, point_count, point_room;
    void *own; /* owned by the format */
};

struct page_text {
    const char *text;
    double size;          /* of the em */
    struct page_point at; /* start of its baseline */
    bool upward;          /* towards the top, else to the right */
    const uint8_t *color;
    double casing; /* of white round the letters; 0: none */
};

struct page_format {
    enum status (*start)(struct page *page, struct error *error);
    void (*draw)(struct page *page, const struct shape *shapes, size_t count,
                 const struct ink *ink);
    void (*fill)(struct page *page, struct page_point at, double width,
                 double height, const uint8_t color[3]);
    void (*text)(struct page *page, const struct page_text *text);
    void (*image)(struct page *page, const struct image *image,
                  struct page_point origin, struct page_point right,
                  struct page_point down);
    void (*part)(struct page *page, double width, double height);
    void (*whole)(struct page *page);
    enum status (*end)(struct page *page, const struct image_note *notes,
                       size_t note_count, struct error *error);
    void (*release)(struct page *page);
};

#endif
