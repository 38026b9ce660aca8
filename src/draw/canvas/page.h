/* SPDX-License-Identifier: MIT */
/* A page of images of exact cells, shapes and text, written as PDF, SVG or PNG.
 * The same page always has the same bytes; it contains no date. */
#ifndef HAMON_DRAW_CANVAS_PAGE_H
#define HAMON_DRAW_CANVAS_PAGE_H

#include "draw/raster/image.h"
#include "draw/raster/png.h"

#include <stdbool.h>
#include <stdio.h>

struct page;
struct page_format;

/* PDF by cairo, which embeds the glyphs used. */
extern const struct page_format page_pdf;
/* Our own SVG. cairo's (1.16) makes readers smooth images, rounds outlines of
 * letters to 1/32 point, has no labels, and is written only at its end, where
 * hamon-figure could add no panels. A text is one path of its glyphs' outlines,
 * which looks the same without the font; its label contains the words. */
extern const struct page_format page_svg;

/* The same page as pixels on white, with smooth edges. Cells are not smoothed:
 * a pixel has the colour of the cell at its centre. The notes and the
 * resolution are those of image_print_png. STATUS_INPUT above 32767 pixels a
 * side. */
extern const struct page_format page_png;

/* The unit of all lengths and positions below, and points on paper. */
struct page_size {
    double width, height;
    double points; /* width of the page */
    double dots;   /* pixels an inch, of a PNG; 0: 300 */
};

/* Starts a page that is written to `file`; `font` as of font_open. After a
 * failure *page is set too, NULL or not. Release with page_release. */
enum status page_open(const struct page_format *format,
                      const struct page_size *size, const char *font,
                      FILE *file, struct page **page, struct error *error);

/* A page of the image's pixels, one unit each, without parts and an end: all is
 * drawn at once over what the image contains. Its pixels and the font, which
 * text needs, are borrowed. */
struct font;
enum status page_over(const struct image *image, struct font *font,
                      struct page **page, struct error *error);

/* Ends the file, with notes on the picture's source. The file's own errors are
 * reported by output_commit. */
enum status page_end(struct page *page, const struct image_note *notes,
                     size_t note_count, struct error *error);
void page_release(struct page *page);

/* Shapes are gathered, and page_lay draws all of them in one colour. Overlaps
 * do not add up. Lines have round ends; a line that begins at the end of the
 * last one continues it. */
void page_line(struct page *page, const double from[2], const double to[2],
               double width);
void page_disc(struct page *page, const double at[2], double radius);
void page_ring(struct page *page, const double at[2], double radius,
               double width);
void page_corners(struct page *page, const double (*corners)[2], int count);
void page_triangle(struct page *page, const double a[2], const double b[2],
                   const double c[2]);
void page_lay(struct page *page, const uint8_t color[3]);

/* Gathers a line of these points, or a polygon with any corners. */
void page_path(struct page *page, const double (*points)[2], size_t count,
               bool closed);

/* Lines along all that is gathered, or its inside (of nonzero winding number),
 * in a colour, `alpha` from 0 to 1. The width and the lengths of `dash`, of a
 * dash and of the gap after it in turn, are in units of the page. Without
 * dashes lines have round ends unless `butt`; with dashes their ends are those
 * of each dash. */
struct page_stroke {
    double width;
    const double *dash;
    int dashes; /* 0: unbroken */
    bool butt;
};
void page_stroke(struct page *page, const struct page_stroke *stroke,
                 const uint8_t color[3], double alpha);
void page_paint(struct page *page, const uint8_t color[3], double alpha);

void page_fill(struct page *page, double left, double top, double width,
               double height, const uint8_t color[3]);
/* The baseline runs from `at` to the right, or with `upward` to the top. */
void page_text(struct page *page, double size, const char *text,
               const double at[2], bool upward, const uint8_t color[3]);

/* The same to the right, with so much white round the letters that they can be
 * read on any colour. */
void page_cased_text(struct page *page, double size, const char *text,
                     const double at[2], const uint8_t color[3], double casing);

/* Each pixel of the image as a parallelogram of its colour: the outer corner of
 * the first one is at `origin`; `right` is the vector to the next column and
 * `down` to the next row. */
void page_image(struct page *page, const struct image *image,
                const double origin[2], const double right[2],
                const double down[2]);

/* The same for a rectangle. */
void page_cells(struct page *page, const struct image *image, double left,
                double top, double width, double height);

/* The pixels of a page_png so far; image->rgb is allocated if it is NULL, and
 * has this size otherwise. */
enum status page_pixels(struct page *page, struct image *image,
                        struct error *error);

/* Remembers the pixels of a page_png so far; puts those back. */
void page_keep(struct page *page);
void page_recall(struct page *page);

/* From here on positions are relative to this part, and all outside it is
 * clipped, until page_whole. */
void page_part(struct page *page, double left, double top, double width,
               double height);
void page_whole(struct page *page);

#endif
