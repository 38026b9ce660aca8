/* SPDX-License-Identifier: MIT */
#include "draw/canvas/page.h"

#include "base/memory.h"
#include "base/need.h"
#include "draw/canvas/page_format.h"

#include <math.h>

enum status page_open(const struct page_format *format,
                      const struct page_size *size, const char *font,
                      FILE *file, struct page **page, struct error *error)
{
    struct page *made = *page = need_memory(1, sizeof *made);
    double scale = size->points / size->width;
    *made = (struct page){ .format = format,
                           .file = file,
                           .scale = scale,
                           .width = size->points,
                           .height = size->height * scale,
                           .dots = size->dots > 0 ? size->dots : 300 };
    enum status status = font_open(font, &made->font, error);
    return status ? status : format->start(made, error);
}

void page_release(struct page *page)
{
    if (!page)
        return;
    page->format->release(page);
    if (!page->borrowed)
        font_release(page->font);
    memory_release(page->shapes);
    memory_release(page->points);
    memory_release(page);
}

enum status page_end(struct page *page, const struct image_note *notes,
                     size_t note_count, struct error *error)
{
    return page->format->end(page, notes, note_count, error);
}

/* ---- shapes ---- */

/* Positions in a file may be anywhere: those far outside come nearer, because
 * cairo's have 23 bits before the point. */
static double near(const struct page *page, double position)
{
    double most = 4e6 * 72 / fmax(page->dots, 72);
    return fmin(fmax(position, -most), most);
}

static struct page_point place(const struct page *page, const double at[2])
{
    return (
        struct page_point){ near(page, page->corner.x + at[0] * page->scale),
                            near(page, page->corner.y + at[1] * page->scale) };
}

static void add_point(struct page *page, struct page_point point)
{
    page->points = need_more(page->points, page->point_count, &page->point_room,
                             sizeof *page->points);
    page->points[page->point_count++] = point;
    page->shapes[page->shape_count - 1].count++;
}

static void add_shape(struct page *page, enum shape_kind kind, double width,
                      double radius)
{
    page->shapes = need_more(page->shapes, page->shape_count, &page->shape_room,
                             sizeof *page->shapes);
    page->shapes[page->shape_count++] =
        (struct shape){ .kind = kind,
                        .width = width * page->scale,
                        .radius = radius * page->scale,
                        .first = page->point_count };
}

/* Does a line continue in the direction of a → b? Then b is no corner. */
static bool straight(struct page_point a, struct page_point b,
                     struct page_point to)
{
    double x = b.x - a.x, y = b.y - a.y, dx = to.x - b.x, dy = to.y - b.y;
    return fabs(x * dy - y * dx) <= 1e-9 * hypot(x, y) * hypot(dx, dy) &&
           x * dx + y * dy > 0;
}

void page_line(struct page *page, const double from[2], const double to[2],
               double width)
{
    if (!isfinite(from[0] + from[1] + to[0] + to[1]))
        return;
    struct page_point first = place(page, from), last = place(page, to);
    struct shape *shape =
        page->shape_count ? &page->shapes[page->shape_count - 1] : NULL;
    struct page_point *end =
        page->point_count ? &page->points[page->point_count - 1] : NULL;
    bool goes_on = shape && end && shape->kind == SHAPE_LINE &&
                   shape->width == width * page->scale &&
                   fabs(end->x - first.x) < 1e-6 &&
                   fabs(end->y - first.y) < 1e-6;
    if (goes_on && shape->count > 1 && straight(end[-1], *end, last)) {
        *end = last;
        return;
    }
    if (!goes_on) {
        add_shape(page, SHAPE_LINE, width, 0);
        add_point(page, first);
    }
    add_point(page, last);
}

void page_disc(struct page *page, const double at[2], double radius)
{
    if (!isfinite(at[0] + at[1]) || !(radius > 0))
        return;
    add_shape(page, SHAPE_DISC, 0, radius);
    add_point(page, place(page, at));
}

void page_ring(struct page *page, const double at[2], double radius,
               double width)
{
    if (!isfinite(at[0] + at[1]))
        return;
    add_shape(page, SHAPE_RING, width, radius);
    add_point(page, place(page, at));
}

void page_corners(struct page *page, const double (*corners)[2], int count)
{
    page_path(page, corners, (size_t)count, true);
}

void page_triangle(struct page *page, const double a[2], const double b[2],
                   const double c[2])
{
    const double corners[][2] = { { a[0], a[1] },
                                  { b[0], b[1] },
                                  { c[0], c[1] } };
    page_corners(page, corners, 3);
}

void page_path(struct page *page, const double (*points)[2], size_t count,
               bool closed)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(points[i][0] + points[i][1]))
            return;
    if (count)
        add_shape(page, closed ? SHAPE_CORNERS : SHAPE_LINE, 0, 0);
    for (size_t i = 0; i < count; i++)
        add_point(page, place(page, points[i]));
}

static void draw(struct page *page, size_t first, size_t end,
                 const struct ink *ink)
{
    if (end > first)
        page->format->draw(page, page->shapes + first, end - first, ink);
}

static void forget_shapes(struct page *page)
{
    page->shape_count = page->point_count = 0;
}

/* Shapes of one width are drawn together. */
void page_lay(struct page *page, const uint8_t color[3])
{
    size_t first = 0;
    for (size_t i = 1; i <= page->shape_count; i++) {
        const struct ink ink = { .color = color,
                                 .alpha = 1,
                                 .width = page->shapes[first].width };
        if (i < page->shape_count && page->shapes[i].width == ink.width)
            continue;
        draw(page, first, i, &ink);
        first = i;
    }
    forget_shapes(page);
}

void page_stroke(struct page *page, const struct page_stroke *stroke,
                 const uint8_t color[3], double alpha)
{
    enum { DASHES_MOST = 16 };
    double dash[DASHES_MOST];
    struct ink ink = { .color = color,
                       .alpha = alpha,
                       .width = stroke->width * page->scale,
                       .dash = dash,
                       .butt = stroke->butt };
    for (; ink.dashes < stroke->dashes && ink.dashes < DASHES_MOST;
         ink.dashes++)
        dash[ink.dashes] = stroke->dash[ink.dashes] * page->scale;
    if (ink.width > 0)
        draw(page, 0, page->shape_count, &ink);
    forget_shapes(page);
}

void page_paint(struct page *page, const uint8_t color[3], double alpha)
{
    const struct ink ink = { .color = color, .alpha = alpha };
    draw(page, 0, page->shape_count, &ink);
    forget_shapes(page);
}

/* ---- shapes drawn at once ---- */

void page_fill(struct page *page, double left, double top, double width,
               double height, const uint8_t color[3])
{
    page->format->fill(page, place(page, (double[]){ left, top }),
                       width * page->scale, height * page->scale, color);
}

static void set_text(struct page *page, double size, const char *text,
                     const double at[2], bool upward, const uint8_t color[3],
                     double casing)
{
    const struct page_text set = {
        .text = text,
        .size = size * page->scale,
        .at = place(page, at),
        .upward = upward,
        .color = color,
        .casing = casing * page->scale,
    };
    if (*text)
        page->format->text(page, &set);
}

void page_text(struct page *page, double size, const char *text,
               const double at[2], bool upward, const uint8_t color[3])
{
    set_text(page, size, text, at, upward, color, 0);
}

void page_cased_text(struct page *page, double size, const char *text,
                     const double at[2], const uint8_t color[3], double casing)
{
    set_text(page, size, text, at, false, color, casing);
}

void page_image(struct page *page, const struct image *image,
                const double origin[2], const double right[2],
                const double down[2])
{
    double scale = page->scale;
    page->format->image(
        page, image, place(page, origin),
        (struct page_point){ right[0] * scale, right[1] * scale },
        (struct page_point){ down[0] * scale, down[1] * scale });
}

void page_cells(struct page *page, const struct image *image, double left,
                double top, double width, double height)
{
    page_image(page, image, (double[]){ left, top },
               (double[]){ width / image->width, 0 },
               (double[]){ 0, height / image->height });
}

void page_part(struct page *page, double left, double top, double width,
               double height)
{
    page->corner = place(page, (double[]){ left, top });
    page->format->part(page, width * page->scale, height * page->scale);
}

void page_whole(struct page *page)
{
    page->format->whole(page);
    page->corner = (struct page_point){ 0, 0 };
}
