/* SPDX-License-Identifier: MIT */
#include "draw/canvas/page.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/utf8.h"
#include "draw/canvas/page_format.h"

#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <math.h>
#include <string.h>

/* cairo's images have at most SIDE_MOST pixels a side. */
enum { NOTES_SIZE = 4096, SIDE_MOST = 32767 };

static cairo_status_t put(void *file, const unsigned char *bytes,
                          unsigned count)
{
    return fwrite(bytes, 1, count, file) == count ? CAIRO_STATUS_SUCCESS
                                                  : CAIRO_STATUS_WRITE_ERROR;
}

static void drop_font(void *font)
{
    font_release(font);
}

/* The additional data of a PDF page. */
struct pdf {
    cairo_surface_t *surface;
    cairo_t *cairo;
    cairo_font_face_t *face[FONT_FACES]; /* NULL: not yet used */
    enum status status; /* of the first face or image that cannot be made */
    struct error error;
};

/* cairo changes the font's size, and may keep the font longer than the page
 * exists: so it gets its own copy, and releases it. */
static enum status make_face(const struct page *page, int number,
                             struct error *error)
{
    static const cairo_user_data_key_t key;
    struct pdf *pdf = page->own;
    struct font *font;
    enum status status = font_open_face(page->font, number, &font, error);
    if (status)
        return status;
    cairo_font_face_t *face = cairo_ft_font_face_create_for_ft_face(
        font_face(font, 0), FT_LOAD_NO_HINTING);
    if (cairo_font_face_set_user_data(face, &key, font, drop_font) !=
        CAIRO_STATUS_SUCCESS) {
        font_release(font);
        cairo_font_face_destroy(face);
        return error_memory(error);
    }
    pdf->face[number] = face;
    return STATUS_OK;
}

static enum status start(struct page *page, struct error *error)
{
    struct pdf *pdf = page->own = need_memory(1, sizeof *pdf);
    pdf->surface = cairo_pdf_surface_create_for_stream(
        put, page->file, page->width, page->height);
    pdf->cairo = cairo_create(pdf->surface);
    cairo_set_line_cap(pdf->cairo, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(pdf->cairo, CAIRO_LINE_JOIN_ROUND);
    return make_face(page, 0, error);
}

static void set_color(cairo_t *cairo, const uint8_t color[3])
{
    cairo_set_source_rgb(cairo, color[0] / 255., color[1] / 255.,
                         color[2] / 255.);
}

static void add_path(cairo_t *cairo, const struct shape *shape,
                     const struct page_point *points)
{
    cairo_new_sub_path(cairo);
    if (shape->kind == SHAPE_DISC || shape->kind == SHAPE_RING)
        cairo_arc(cairo, points->x, points->y, shape->radius, 0, 2 * acos(-1));
    else
        for (size_t i = 0; i < shape->count; i++)
            cairo_line_to(cairo, points[i].x, points[i].y);
    if (shape->kind != SHAPE_LINE)
        cairo_close_path(cairo);
}

static bool is_stroke(const struct shape *shape)
{
    return shape->kind == SHAPE_LINE || shape->kind == SHAPE_RING;
}

/* Shapes of one kind and width are one path. */
static void lay(struct page *page, const uint8_t color[3])
{
    cairo_t *cairo = ((struct pdf *)page->own)->cairo;
    set_color(cairo, color);
    for (size_t i = 0; i < page->shape_count; i++) {
        const struct shape *shape = &page->shapes[i], *next = shape + 1;
        add_path(cairo, shape, page->points + shape->first);
        if (i + 1 < page->shape_count && next->width == shape->width &&
            is_stroke(next) == is_stroke(shape))
            continue;
        cairo_set_line_width(cairo, shape->width);
        if (is_stroke(shape))
            cairo_stroke(cairo);
        else
            cairo_fill(cairo);
    }
}

static void fill(struct page *page, struct page_point at, double width,
                 double height, const uint8_t color[3])
{
    cairo_t *cairo = ((struct pdf *)page->own)->cairo;
    set_color(cairo, color);
    cairo_rectangle(cairo, at.x, at.y, width, height);
    cairo_fill(cairo);
}

/* Glyphs of one face. */
enum { RUN_MOST = 1024 };
struct run {
    int face, count, used;
    cairo_glyph_t glyphs[RUN_MOST];
    cairo_text_cluster_t clusters[RUN_MOST];
    char bytes[RUN_MOST];
};

static void show_run(struct page *page, struct run *run)
{
    struct pdf *pdf = page->own;
    if (run->count && !pdf->face[run->face] && !pdf->status)
        pdf->status = make_face(page, run->face, &pdf->error);
    if (run->count && pdf->face[run->face]) {
        cairo_set_font_face(pdf->cairo, pdf->face[run->face]);
        cairo_show_text_glyphs(pdf->cairo, run->bytes, run->used, run->glyphs,
                               run->count, run->clusters, run->count, 0);
    }
    run->count = run->used = 0;
}

/* Glyphs with their characters, so that the text can be searched and copied;
 * each glyph's position was measured for the layout. */
static void draw_text(struct page *page, const struct page_text *text)
{
    const struct pdf *pdf = page->own;
    cairo_matrix_t matrix;
    cairo_matrix_init_scale(&matrix, text->size, text->size);
    if (text->upward)
        cairo_matrix_init(&matrix, 0, -text->size, text->size, 0, 0, 0);
    cairo_set_font_matrix(pdf->cairo, &matrix);
    set_color(pdf->cairo, text->color);
    struct run run = { 0 };
    double along = 0;
    for (const char *rest = text->text; *rest;) {
        const struct text_glyph next = text_next(page->font, text->size, &rest);
        if (next.face != run.face || run.count == RUN_MOST ||
            run.used + (int)next.length > RUN_MOST)
            show_run(page, &run);
        run.face = next.face;
        run.glyphs[run.count] =
            (cairo_glyph_t){ next.glyph,
                             text->at.x + (text->upward ? 0 : along),
                             text->at.y - (text->upward ? along : 0) };
        run.clusters[run.count++] =
            (cairo_text_cluster_t){ (int)next.length, 1 };
        memcpy(run.bytes + run.used, next.bytes, next.length);
        run.used += (int)next.length;
        along += next.advance;
    }
    show_run(page, &run);
}

/* Readers smooth an image that they enlarge less than four times, even if it
 * forbids that (poppler): so a cell is as many equal pixels as will be
 * printed. */
static int pixels_of_cell(struct page_point right, struct page_point down)
{
    const double pixel = 72. / 300, most = 64;
    double side = fmin(hypot(right.x, right.y), hypot(down.x, down.y));
    return (int)fmin(fmax(ceil(side / pixel), 1), most);
}

static cairo_surface_t *surface_of(const struct image *image, int side)
{
    cairo_surface_t *surface = cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, image->width * side, image->height * side);
    unsigned char *data = cairo_image_surface_get_data(surface);
    size_t stride = (size_t)cairo_image_surface_get_stride(surface);
    for (int y = 0; y < image->height * side && data; y++)
        for (int x = 0; x < image->width * side; x++) {
            const uint8_t *rgb = image_at(image, x / side, y / side);
            uint32_t pixel =
                (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2];
            memcpy(data + (size_t)y * stride + 4 * (size_t)x, &pixel, 4);
        }
    cairo_surface_mark_dirty(surface);
    return surface;
}

static void draw_image(struct page *page, const struct image *image,
                       struct page_point origin, struct page_point right,
                       struct page_point down)
{
    struct pdf *pdf = page->own;
    cairo_t *cairo = pdf->cairo;
    if (image->width > SIDE_MOST || image->height > SIDE_MOST) {
        if (!pdf->status)
            pdf->status = error_set(
                &pdf->error, STATUS_INPUT,
                "a PDF can have at most %d cells along a side, and this map "
                "has %d x %d; make an SVG or a PNG (--format)",
                SIDE_MOST, image->width, image->height);
        return;
    }
    int side = pixels_of_cell(right, down);
    cairo_surface_t *surface = surface_of(image, side);
    cairo_matrix_t matrix;
    cairo_matrix_init(&matrix, right.x / side, right.y / side, down.x / side,
                      down.y / side, origin.x, origin.y);
    cairo_save(cairo);
    cairo_transform(cairo, &matrix);
    cairo_set_source_surface(cairo, surface, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cairo), CAIRO_FILTER_NEAREST);
    cairo_paint(cairo);
    cairo_restore(cairo);
    cairo_surface_destroy(surface);
}

static void part(struct page *page, double width, double height)
{
    cairo_t *cairo = ((struct pdf *)page->own)->cairo;
    cairo_save(cairo);
    cairo_rectangle(cairo, page->corner.x, page->corner.y, width, height);
    cairo_clip(cairo);
}

static void whole(struct page *page)
{
    cairo_restore(((struct pdf *)page->own)->cairo);
}

static size_t add(char text[NOTES_SIZE], size_t used, const char *more)
{
    return used + utf8_copy(text + used, NOTES_SIZE - used, more);
}

/* cairo 1.16 allows no additional keys: the title and the program have their
 * keys, and the subject contains all the rest, "Source: run.h5; Field:
 * amplitude". cairo rejects a file with metadata that are not UTF-8. */
static void set_notes(cairo_surface_t *surface, const struct image_note *notes,
                      size_t count)
{
    char subject[NOTES_SIZE] = "";
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const struct image_note *note = &notes[i];
        bool title = strcmp(note->key, "Title") == 0;
        if (title || strcmp(note->key, "Software") == 0) {
            char text[NOTES_SIZE];
            add(text, 0, note->text);
            cairo_pdf_surface_set_metadata(surface,
                                           title ? CAIRO_PDF_METADATA_TITLE
                                                 : CAIRO_PDF_METADATA_CREATOR,
                                           text);
            continue;
        }
        used = add(subject, used, used ? "; " : "");
        used = add(subject, used, note->key);
        used = add(subject, used, ": ");
        used = add(subject, used, note->text);
    }
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_SUBJECT,
                                   subject);
    /* No date: the same page has the same bytes. */
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
}

static enum status end(struct page *page, const struct image_note *notes,
                       size_t note_count, struct error *error)
{
    struct pdf *pdf = page->own;
    if (pdf->status) {
        *error = pdf->error;
        return pdf->status;
    }
    set_notes(pdf->surface, notes, note_count);
    cairo_status_t status = cairo_status(pdf->cairo);
    cairo_surface_finish(pdf->surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(pdf->surface);
    if (status == CAIRO_STATUS_NO_MEMORY)
        return error_memory(error);
    if (status == CAIRO_STATUS_WRITE_ERROR)
        return STATUS_OK; /* the file reports the cause */
    return status == CAIRO_STATUS_SUCCESS
               ? STATUS_OK
               : error_set(error, STATUS_FAILED, "cairo: %s",
                           cairo_status_to_string(status));
}

static void release(struct page *page)
{
    struct pdf *pdf = page->own;
    if (pdf) {
        /* An unfinished surface is finished here, while the file still
         * exists. */
        cairo_destroy(pdf->cairo);
        cairo_surface_destroy(pdf->surface);
        for (int i = 0; i < FONT_FACES; i++)
            if (pdf->face[i])
                cairo_font_face_destroy(pdf->face[i]);
    }
    memory_release(pdf);
}

const struct page_format page_pdf = {
    .start = start,
    .lay = lay,
    .fill = fill,
    .text = draw_text,
    .image = draw_image,
    .part = part,
    .whole = whole,
    .end = end,
    .release = release,
};
