/* SPDX-License-Identifier: MIT */
/* A page of vectors, written as PDF or SVG: images of exact cells, shapes,
 * text. The same page always has the same bytes; it contains no date. */
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
/* Our own SVG, because cairo's makes readers smooth images. A text is one path
 * of its glyphs' outlines, which looks the same without the font; its label
 * contains the words. */
extern const struct page_format page_svg;

/* Pixels, the unit of all lengths and positions below, and points on paper. */
struct page_size {
    double width, height;
    double points; /* width of the page */
};

/* Starts a page that is written to `file`; `font` as of font_open. After a
 * failure *page is set too, NULL or not. Release with page_release. */
enum status page_open(const struct page_format *format,
                      const struct page_size *size, const char *font,
                      FILE *file, struct page **page, struct error *error);

/* Ends the file, with notes on the picture's source. The file's own errors are
 * reported by output_commit. */
enum status page_end(struct page *page, const struct image_note *notes,
                     size_t note_count, struct error *error);
void page_release(struct page *page);

/* Shapes as in canvas.h. A line that begins at the end of the last one
 * continues it. */
void page_line(struct page *page, const double from[2], const double to[2],
               double width);
void page_disc(struct page *page, const double at[2], double radius);
void page_ring(struct page *page, const double at[2], double radius,
               double width);
void page_corners(struct page *page, const double (*corners)[2], int count);
void page_lay(struct page *page, const uint8_t color[3]);

void page_fill(struct page *page, double left, double top, double width,
               double height, const uint8_t color[3]);
void page_text(struct page *page, double size, const char *text,
               const double at[2], bool upward, const uint8_t color[3]);

/* Each pixel of the image as a parallelogram of its colour: the outer corner of
 * the first one is at `origin`; `right` is the vector to the next column and
 * `down` to the next row. */
void page_image(struct page *page, const struct image *image,
                const double origin[2], const double right[2],
                const double down[2]);

/* From here on positions are relative to this part, and all outside it is
 * clipped, until page_whole. */
void page_part(struct page *page, double left, double top, double width,
               double height);
void page_whole(struct page *page);

#endif
