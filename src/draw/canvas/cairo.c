/* SPDX-License-Identifier: MIT */
#include "draw/canvas/page.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/utf8.h"
#include "draw/canvas/page_format.h"

#include <arpa/inet.h>
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

/* The additional data of a page drawn by cairo. */
struct drawn {
    cairo_surface_t *surface;
    cairo_t *cairo;
    unsigned char *kept; /* pixels; NULL: none */
    bool pixels;         /* else PDF */
    struct image over;   /* the surface is coverage for it, if it has pixels */
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
    struct drawn *drawn = page->own;
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
    drawn->face[number] = face;
    return STATUS_OK;
}

/* Owns the surface from now on, if it is not an error's. */
static enum status start(struct page *page, cairo_surface_t *surface,
                         bool pixels, struct error *error)
{
    struct drawn *drawn = page->own = need_memory(1, sizeof *drawn);
    drawn->surface = surface;
    drawn->pixels = pixels;
    drawn->cairo = cairo_create(surface);
    if (cairo_status(drawn->cairo) != CAIRO_STATUS_SUCCESS)
        return error_memory(error);
    cairo_set_line_join(drawn->cairo, CAIRO_LINE_JOIN_ROUND);
    if (pixels)
        cairo_set_tolerance(drawn->cairo, .03); /* of curves */
    return STATUS_OK;
}

static enum status start_pdf(struct page *page, struct error *error)
{
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(
        put, page->file, page->width, page->height);
    enum status status = start(page, surface, false, error);
    return status ? status : make_face(page, 0, error);
}

static enum status start_png(struct page *page, struct error *error)
{
    const double scale = page->dots / 72;
    const double width = fmax(round(page->width * scale), 1);
    const double height = fmax(round(page->height * scale), 1);
    if (!(width <= SIDE_MOST && height <= SIDE_MOST))
        return error_set(error, STATUS_INPUT,
                         "a picture of %.0f x %.0f pixels: each side may have "
                         "at most %d; use fewer dots an inch",
                         width, height, SIDE_MOST);
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)width, (int)height);
    enum status status = start(page, surface, true, error);
    if (status)
        return status;
    cairo_t *cairo = ((struct drawn *)page->own)->cairo;
    cairo_set_source_rgb(cairo, 1, 1, 1);
    cairo_paint(cairo);
    cairo_scale(cairo, scale, scale);
    return make_face(page, 0, error);
}

/* Whole pixels. */
struct pixels {
    int left, top, width, height;
};

static struct pixels pixels_within(int width, int height, double left,
                                   double top, double right, double bottom)
{
    left = fmin(fmax(floor(left), 0), width);
    top = fmin(fmax(floor(top), 0), height);
    right = fmin(fmax(ceil(right), left), width);
    bottom = fmin(fmax(ceil(bottom), top), height);
    return (struct pixels){ (int)left, (int)top, (int)(right - left),
                            (int)(bottom - top) };
}

/* Mixes the colour into the image by the coverage, and clears that; (left, top)
 * is the surface's first pixel. */
static void lay_over(const struct drawn *drawn, int left, int top,
                     const struct pixels *box, const uint8_t color[3])
{
    cairo_surface_flush(drawn->surface);
    const size_t stride =
        (size_t)cairo_image_surface_get_stride(drawn->surface);
    unsigned char *cover = cairo_image_surface_get_data(drawn->surface) +
                           (size_t)box->top * stride + box->left;
    for (int y = 0; y < box->height; y++, cover += stride) {
        uint8_t *pixel =
            image_at(&drawn->over, left + box->left, top + box->top + y);
        for (int x = 0; x < box->width; x++, pixel += 3) {
            const unsigned part = cover[x];
            for (int i = 0; i < 3 && part; i++)
                pixel[i] = (uint8_t)((pixel[i] * (255 - part) +
                                      color[i] * part + 127) /
                                     255);
        }
        memset(cover, 0, (size_t)box->width);
    }
    cairo_surface_mark_dirty(drawn->surface);
}

static void set_color(cairo_t *cairo, const struct ink *ink)
{
    cairo_set_source_rgba(cairo, ink->color[0] / 255., ink->color[1] / 255.,
                          ink->color[2] / 255., ink->alpha);
}

/* Fills the path, or draws lines along it. */
static void ink_path(cairo_t *cairo, const struct ink *ink)
{
    if (ink->width > 0)
        cairo_stroke(cairo);
    else
        cairo_fill(cairo);
}

/* The same over an image, in as many pieces as it has surfaces. */
static void ink_over(const struct drawn *drawn, const struct ink *ink)
{
    cairo_t *cairo = drawn->cairo;
    const struct image *image = &drawn->over;
    const double reach = ink->width / 2 + 1;
    double low[2], high[2];
    cairo_path_extents(cairo, &low[0], &low[1], &high[0], &high[1]);
    cairo_path_t *path = cairo_copy_path(cairo);
    for (int top = 0; top < image->height; top += SIDE_MOST)
        for (int left = 0; left < image->width; left += SIDE_MOST) {
            const struct pixels box =
                pixels_within((int)fmin(SIDE_MOST, image->width - left),
                              (int)fmin(SIDE_MOST, image->height - top),
                              low[0] - reach - left, low[1] - reach - top,
                              high[0] + reach - left, high[1] + reach - top);
            if (!box.width || !box.height)
                continue;
            cairo_new_path(cairo);
            cairo_identity_matrix(cairo);
            cairo_translate(cairo, -left, -top);
            cairo_append_path(cairo, path);
            ink_path(cairo, ink);
            lay_over(drawn, left, top, &box, ink->color);
        }
    cairo_new_path(cairo);
    cairo_identity_matrix(cairo);
    cairo_path_destroy(path);
}

static void draw_path(const struct drawn *drawn, const struct ink *ink)
{
    cairo_t *cairo = drawn->cairo;
    set_color(cairo, ink);
    if (ink->width > 0) {
        cairo_set_line_width(cairo, ink->width);
        cairo_set_dash(cairo, ink->dash, ink->dashes, 0);
        cairo_set_line_cap(cairo, ink->butt ? CAIRO_LINE_CAP_BUTT
                                            : CAIRO_LINE_CAP_ROUND);
    }
    if (drawn->over.rgb)
        ink_over(drawn, ink);
    else
        ink_path(cairo, ink);
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

static void draw(struct page *page, const struct shape *shapes, size_t count,
                 const struct ink *ink)
{
    const struct drawn *drawn = page->own;
    for (size_t i = 0; i < count; i++)
        add_path(drawn->cairo, &shapes[i], page->points + shapes[i].first);
    draw_path(drawn, ink);
}

static void fill(struct page *page, struct page_point at, double width,
                 double height, const uint8_t color[3])
{
    struct drawn *drawn = page->own;
    const double sides[] = { at.x, at.y, width, height };
    bool whole = drawn->over.rgb; /* pixels, which need no coverage */
    for (int i = 0; i < 4; i++)
        whole &= sides[i] == floor(sides[i]) && fabs(sides[i]) < 1e9;
    if (whole) {
        image_fill(&drawn->over, (int)at.x, (int)at.y, (int)width, (int)height,
                   color);
        return;
    }
    cairo_rectangle(drawn->cairo, at.x, at.y, width, height);
    draw_path(drawn, &(struct ink){ .color = color, .alpha = 1 });
}

/* Chooses the face of a glyph, unless it cannot be made. */
static bool choose_face(struct page *page, int number)
{
    struct drawn *drawn = page->own;
    if (!drawn->face[number] && !drawn->status)
        drawn->status = make_face(page, number, &drawn->error);
    if (drawn->face[number])
        cairo_set_font_face(drawn->cairo, drawn->face[number]);
    return drawn->face[number];
}

/* Glyphs with their characters, so that the text can be searched and copied;
 * each glyph's position was measured for the layout. Letters of pixels are
 * drawn as shapes, because cairo moves each of them to a whole pixel otherwise:
 * their paths are gathered. With `casing` lines of it along the edges of each
 * glyph are drawn instead. */
static void put_glyphs(struct page *page, const struct page_text *text,
                       const struct ink *casing)
{
    const struct drawn *drawn = page->own;
    double along = 0;
    for (const char *rest = text->text; *rest;) {
        const struct text_glyph next = text_next(page->font, text->size, &rest);
        const cairo_text_cluster_t cluster = { (int)next.length, 1 };
        const cairo_glyph_t glyph = { next.glyph,
                                      text->at.x + (text->upward ? 0 : along),
                                      text->at.y - (text->upward ? along : 0) };
        along += next.advance;
        if (!choose_face(page, next.face))
            continue;
        if (casing || drawn->pixels)
            cairo_glyph_path(drawn->cairo, &glyph, 1);
        else
            cairo_show_text_glyphs(drawn->cairo, next.bytes, (int)next.length,
                                   &glyph, 1, &cluster, 1, 0);
        if (casing)
            draw_path(drawn, casing);
    }
}

static void draw_text(struct page *page, const struct page_text *text)
{
    static const uint8_t white[3] = { 255, 255, 255 };
    const struct drawn *drawn = page->own;
    const struct ink ink = { .color = text->color, .alpha = 1 };
    const struct ink casing = { .color = white,
                                .alpha = 1,
                                .width = 2 * text->casing };
    cairo_matrix_t matrix;
    cairo_matrix_init_scale(&matrix, text->size, text->size);
    if (text->upward)
        cairo_matrix_init(&matrix, 0, -text->size, text->size, 0, 0, 0);
    cairo_set_font_matrix(drawn->cairo, &matrix);
    if (text->casing > 0)
        put_glyphs(page, text, &casing);
    set_color(drawn->cairo, &ink);
    put_glyphs(page, text, NULL);
    if (drawn->pixels)
        draw_path(drawn, &ink);
}

static void put_pixel(unsigned char *row, int x, const uint8_t rgb[3])
{
    uint32_t pixel = (uint32_t)0xff << 24 | (uint32_t)rgb[0] << 16 |
                     (uint32_t)rgb[1] << 8 | rgb[2];
    memcpy(row + 4 * (size_t)x, &pixel, 4);
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
    unsigned char *row = cairo_image_surface_get_data(surface);
    for (int y = 0; y < image->height * side && row; y++) {
        for (int x = 0; x < image->width * side; x++)
            put_pixel(row, x, image_at(image, x / side, y / side));
        row += cairo_image_surface_get_stride(surface);
    }
    cairo_surface_mark_dirty(surface);
    return surface;
}

static void draw_image(struct page *page, const struct image *image,
                       struct page_point origin, struct page_point right,
                       struct page_point down)
{
    struct drawn *drawn = page->own;
    cairo_t *cairo = drawn->cairo;
    if (image->width > SIDE_MOST || image->height > SIDE_MOST) {
        if (!drawn->status)
            drawn->status = error_set(
                &drawn->error, STATUS_INPUT,
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

/* Where an image is on the surface, and back. */
struct placed {
    const struct image *image;
    cairo_matrix_t back;
    struct pixels box;    /* all its pixels are in it; 0 × 0: nothing */
    const uint8_t **cell; /* at each pixel of a row of the box; NULL: none */
};

static struct placed place_image(const struct drawn *drawn,
                                 const struct image *image,
                                 struct page_point origin,
                                 struct page_point right,
                                 struct page_point down)
{
    struct placed placed = { .image = image };
    cairo_matrix_t place, page;
    double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
    double clip[4] = { 0, 0, drawn->over.width, drawn->over.height };
    cairo_get_matrix(drawn->cairo, &page);
    if (!drawn->over.rgb) {
        cairo_identity_matrix(drawn->cairo);
        cairo_clip_extents(drawn->cairo, &clip[0], &clip[1], &clip[2],
                           &clip[3]);
        cairo_set_matrix(drawn->cairo, &page);
    }
    cairo_matrix_init(&place, right.x, right.y, down.x, down.y, origin.x,
                      origin.y);
    cairo_matrix_multiply(&place, &place, &page);
    for (int corner = 0; corner < 4; corner++) {
        double at[2] = { corner % 2 * image->width,
                         corner / 2 * image->height };
        cairo_matrix_transform_point(&place, &at[0], &at[1]);
        for (int i = 0; i < 2; i++) {
            low[i] = fmin(low[i], at[i]);
            high[i] = fmax(high[i], at[i]);
        }
    }
    placed.back = place;
    if (cairo_matrix_invert(&placed.back) == CAIRO_STATUS_SUCCESS)
        placed.box =
            pixels_within((int)clip[2], (int)clip[3], fmax(low[0], clip[0]),
                          fmax(low[1], clip[1]), high[0], high[1]);
    placed.cell =
        need_memory((size_t)placed.box.width + 1, sizeof *placed.cell);
    return placed;
}

/* The image's row at the centre of a pixel of the box; −1: none. */
static int row_at(const struct placed *placed, int y)
{
    double u = 0, v = placed->box.top + y + .5;
    cairo_matrix_transform_point(&placed->back, &u, &v);
    return v >= 0 && v < placed->image->height ? (int)v : -1;
}

/* Finds the cells at the centres of a row of the box's pixels; those of an
 * upright image are in the columns of the row before. Returns false if they are
 * the cells of the row before. cairo's own sampling has positions of 16 bits
 * after the point, too few for the colour of a cell of many pixels at the end
 * of a long row. */
static bool find_cells(const struct placed *placed, int y)
{
    const struct image *image = placed->image;
    const bool upright = placed->back.xy == 0 && placed->back.yx == 0;
    const int row = upright ? row_at(placed, y) : -1;
    const int before = row >= 0 && y > 0 ? row_at(placed, y - 1) : -1;
    const ptrdiff_t down = (row - before) * 3 * (ptrdiff_t)image->width;
    for (int x = 0; x < placed->box.width && before >= 0 && down; x++)
        if (placed->cell[x])
            placed->cell[x] += down;
    for (int x = 0; x < placed->box.width && before < 0; x++) {
        double u = placed->box.left + x + .5, v = placed->box.top + y + .5;
        cairo_matrix_transform_point(&placed->back, &u, &v);
        placed->cell[x] =
            u >= 0 && v >= 0 && u < image->width && v < image->height
                ? image_at(image, (int)u, (int)v)
                : NULL;
    }
    return before < 0 || down;
}

static void draw_cells(struct page *page, const struct image *image,
                       struct page_point origin, struct page_point right,
                       struct page_point down)
{
    const struct drawn *drawn = page->own;
    const struct placed placed = place_image(drawn, image, origin, right, down);
    const struct pixels *box = &placed.box;
    const bool over = drawn->over.rgb; /* else the surface has the pixels */
    const size_t width = (size_t)box->width, bytes = over ? 3 : 4;
    cairo_surface_flush(drawn->surface);
    const ptrdiff_t stride =
        over ? 3 * (ptrdiff_t)drawn->over.width
             : cairo_image_surface_get_stride(drawn->surface);
    unsigned char *row = (over ? drawn->over.rgb
                               : cairo_image_surface_get_data(drawn->surface)) +
                         box->top * stride + (ptrdiff_t)bytes * box->left;
    for (int y = 0; y < box->height; y++, row += stride) {
        const bool same =
            !find_cells(&placed, y) && placed.cell[0] && placed.cell[width - 1];
        if (same)
            memcpy(row, row - stride, bytes * width);
        for (size_t x = 0; x < width && !same; x++)
            if (placed.cell[x] && over)
                memcpy(row + 3 * x, placed.cell[x], 3);
            else if (placed.cell[x])
                put_pixel(row, (int)x, placed.cell[x]);
    }
    memory_release(placed.cell);
    cairo_surface_mark_dirty(drawn->surface);
}

/* Whole pixels: those at its edge would be mixed with what is outside. */
static void part(struct page *page, double width, double height)
{
    cairo_t *cairo = ((struct drawn *)page->own)->cairo;
    cairo_save(cairo);
    cairo_set_antialias(cairo, CAIRO_ANTIALIAS_NONE);
    cairo_rectangle(cairo, page->corner.x, page->corner.y, width, height);
    cairo_clip(cairo);
    cairo_set_antialias(cairo, CAIRO_ANTIALIAS_DEFAULT);
}

static void whole(struct page *page)
{
    cairo_restore(((struct drawn *)page->own)->cairo);
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

/* The first fault of the page. */
static enum status fault(const struct drawn *drawn, struct error *error)
{
    if (drawn->status) {
        *error = drawn->error;
        return drawn->status;
    }
    cairo_status_t status = cairo_status(drawn->cairo);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(drawn->surface);
    if (status == CAIRO_STATUS_NO_MEMORY)
        return error_memory(error);
    return status == CAIRO_STATUS_SUCCESS || status == CAIRO_STATUS_WRITE_ERROR
               ? STATUS_OK /* the file reports the cause */
               : error_set(error, STATUS_FAILED, "cairo: %s",
                           cairo_status_to_string(status));
}

static enum status end_pdf(struct page *page, const struct image_note *notes,
                           size_t note_count, struct error *error)
{
    struct drawn *drawn = page->own;
    set_notes(drawn->surface, notes, note_count);
    if (!drawn->status)
        cairo_surface_finish(drawn->surface);
    return fault(drawn, error);
}

static void take_pixels(cairo_surface_t *surface, const struct image *image)
{
    cairo_surface_flush(surface);
    const unsigned char *row = cairo_image_surface_get_data(surface);
    const int width = image->width;
    for (int y = 0; y < image->height; y++) {
        const unsigned char *from = row;
        uint8_t *rgb = image_at(image, 0, y);
        for (int x = 0; x < width; x++, from += 4, rgb += 3) {
            uint32_t pixel;
            memcpy(&pixel, from, 4);
            pixel = htonl(pixel << 8); /* red, green, blue, and a byte more */
            if (x + 1 == width)
                memcpy(rgb, &pixel, 3);
            else
                memcpy(rgb, &pixel, 4);
        }
        row += cairo_image_surface_get_stride(surface);
    }
}

enum status page_pixels(struct page *page, struct image *image,
                        struct error *error)
{
    const struct drawn *drawn = page->own;
    enum status status = fault(drawn, error);
    if (!status && !image->rgb)
        status =
            image_init(image, cairo_image_surface_get_width(drawn->surface),
                       cairo_image_surface_get_height(drawn->surface), error);
    if (!status)
        take_pixels(drawn->surface, image);
    return status;
}

static size_t surface_bytes(cairo_surface_t *surface)
{
    return (size_t)cairo_image_surface_get_stride(surface) *
           (size_t)cairo_image_surface_get_height(surface);
}

void page_keep(struct page *page)
{
    struct drawn *drawn = page->own;
    const size_t bytes = surface_bytes(drawn->surface);
    cairo_surface_flush(drawn->surface);
    memory_release(drawn->kept);
    drawn->kept = need_memory(bytes, 1);
    memcpy(drawn->kept, cairo_image_surface_get_data(drawn->surface), bytes);
}

void page_recall(struct page *page)
{
    const struct drawn *drawn = page->own;
    cairo_surface_flush(drawn->surface);
    memcpy(cairo_image_surface_get_data(drawn->surface), drawn->kept,
           surface_bytes(drawn->surface));
    cairo_surface_mark_dirty(drawn->surface);
}

static enum status end_png(struct page *page, const struct image_note *notes,
                           size_t note_count, struct error *error)
{
    struct image image = { 0 };
    enum status status = page_pixels(page, &image, error);
    if (!status)
        status = image_print_png(&image, page->dots, notes, note_count,
                                 page->file, error);
    image_release(&image);
    return status;
}

static void release(struct page *page)
{
    struct drawn *drawn = page->own;
    if (drawn) {
        /* An unfinished surface is finished here, while the file still
         * exists. */
        cairo_destroy(drawn->cairo);
        cairo_surface_destroy(drawn->surface);
        memory_release(drawn->kept);
        for (int i = 0; i < FONT_FACES; i++)
            if (drawn->face[i])
                cairo_font_face_destroy(drawn->face[i]);
    }
    memory_release(drawn);
}

const struct page_format page_pdf = {
    .start = start_pdf,
    .draw = draw,
    .fill = fill,
    .text = draw_text,
    .image = draw_image,
    .part = part,
    .whole = whole,
    .end = end_pdf,
    .release = release,
};

const struct page_format page_png = {
    .start = start_png,
    .draw = draw,
    .fill = fill,
    .text = draw_text,
    .image = draw_cells,
    .part = part,
    .whole = whole,
    .end = end_png,
    .release = release,
};

static const struct page_format over_image = {
    .draw = draw,
    .fill = fill,
    .text = draw_text,
    .image = draw_cells,
    .release = release,
};

enum status page_over(const struct image *image, struct font *font,
                      struct page **page, struct error *error)
{
    struct page *made = *page = need_memory(1, sizeof *made);
    *made = (struct page){ .format = &over_image,
                           .font = font,
                           .borrowed = true,
                           .width = image->width,
                           .height = image->height,
                           .scale = 1 };
    cairo_surface_t *surface = cairo_image_surface_create(
        CAIRO_FORMAT_A8, (int)fmin(image->width, SIDE_MOST),
        (int)fmin(image->height, SIDE_MOST));
    enum status status = start(made, surface, true, error);
    if (status)
        return status;
    ((struct drawn *)made->own)->over = *image;
    return font ? make_face(made, 0, error) : STATUS_OK;
}
