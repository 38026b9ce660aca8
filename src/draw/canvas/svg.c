/* SPDX-License-Identifier: MIT */
#include "draw/canvas/page.h"

#include "draw/canvas/page_format.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

/* ---- numbers, colours, text, bytes ---- */

/* At most three digits after the point: a third of a micrometre. */
static void put_number(FILE *out, double value)
{
    char text[64];
    int length = snprintf(text, sizeof text, "%.3f", value);
    while (text[length - 1] == '0')
        length--;
    length -= text[length - 1] == '.';
    text[length] = '\0';
    fputs(strcmp(text, "-0") == 0 ? "0" : text, out);
}

/* Writes the format; each # in it is replaced by the next number. */
static void put(FILE *out, const char *format, ...)
{
    va_list numbers;
    va_start(numbers, format);
    for (; *format; format++)
        if (*format == '#')
            put_number(out, va_arg(numbers, double));
        else
            fputc(*format, out);
    va_end(numbers);
}

/* key="#1a2b3c" */
static void put_color(FILE *out, const char *key, const uint8_t color[3])
{
    fprintf(out, " %s=\"#%02x%02x%02x\"", key, color[0], color[1], color[2]);
}

static void put_character(FILE *out, const char *bytes, size_t length)
{
    switch (*bytes) {
    case '&':
        fputs("&amp;", out);
        break;
    case '<':
        fputs("&lt;", out);
        break;
    case '>':
        fputs("&gt;", out);
        break;
    case '"':
        fputs("&quot;", out);
        break;
    default:
        fwrite(bytes, 1, length, out);
    }
}

/* Characters that XML forbids are replaced by the character drawn for them. */
static void put_text(FILE *out, struct font *font, const char *text)
{
    while (*text) {
        const struct text_glyph next = text_next(font, 1, &text);
        put_character(out, next.bytes, next.length);
    }
}

/* A base64 encoder for a stream of bytes. */
struct base64 {
    FILE *out;
    unsigned char kept[3];
    unsigned count;
};

static void put_kept(struct base64 *base64)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrs"
                                 "tuvwxyz0123456789+/";
    const unsigned char *kept = base64->kept;
    unsigned long bits =
        (unsigned long)kept[0] << 16 | (unsigned long)kept[1] << 8 | kept[2];
    for (unsigned i = 0; i < 4; i++)
        fputc(i > base64->count ? '=' : digits[bits >> (18 - 6 * i) & 63],
              base64->out);
    *base64 = (struct base64){ .out = base64->out };
}

static bool put_bytes(void *context, const void *bytes, size_t count)
{
    struct base64 *base64 = context;
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++) {
        base64->kept[base64->count++] = at[i];
        if (base64->count == 3)
            put_kept(base64);
    }
    return true; /* errors of the file are checked at its end */
}

/* ---- the page ---- */

static enum status start(struct page *page, struct error *error)
{
    static const double point = 25.4 / 72; /* in mm */
    FILE *out = page->file;
    (void)error;
    put(out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" "
        "xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"#mm\" "
        "height=\"#mm\" viewBox=\"0 0 # #\" stroke-linecap=\"round\" "
        "stroke-linejoin=\"round\">\n",
        page->width * point, page->height * point, page->width, page->height);
    return STATUS_OK;
}

static void put_path(FILE *out, const struct shape *shape,
                     const struct page_point *points)
{
    for (size_t i = 0; i < shape->count; i++)
        put(out, i ? "L# #" : "M# #", points[i].x, points[i].y);
    if (shape->kind == SHAPE_CORNERS)
        fputc('Z', out);
}

static void put_disc(FILE *out, const struct shape *shape,
                     struct page_point middle)
{
    put(out, "<circle cx=\"#\" cy=\"#\" r=\"#\"/>\n", middle.x, middle.y,
        shape->radius);
}

static bool is_round(const struct shape *shape)
{
    return shape->kind == SHAPE_DISC || shape->kind == SHAPE_RING;
}

static void put_ink(FILE *out, const struct ink *ink)
{
    const char *kind = ink->width > 0 ? "stroke" : "fill";
    put_color(out, kind, ink->color);
    if (ink->alpha < 1)
        put(out, " opacity=\"#\"", ink->alpha);
    if (ink->width > 0)
        put(out, " fill=\"none\" stroke-width=\"#\"", ink->width);
    if (ink->butt)
        fputs(" stroke-linecap=\"butt\"", out);
    for (int i = 0; i < ink->dashes; i++)
        put(out, i ? " #" : " stroke-dasharray=\"#", ink->dash[i]);
    if (ink->dashes)
        fputc('"', out);
}

/* Lines are one path, and so are corners. */
static void draw(struct page *page, const struct shape *shapes, size_t count,
                 const struct ink *ink)
{
    FILE *out = page->file;
    bool open = false; /* a path is */
    fputs("<g", out);
    put_ink(out, ink);
    fputc('>', out);
    for (const struct shape *shape = shapes; shape < shapes + count; shape++) {
        const struct page_point *points = page->points + shape->first;
        if (open && is_round(shape))
            fputs("\"/>\n", out);
        if (is_round(shape)) {
            put_disc(out, shape, *points);
        } else {
            fputs(open ? "" : "<path d=\"", out);
            put_path(out, shape, points);
        }
        open = !is_round(shape);
    }
    fputs(open ? "\"/></g>\n" : "</g>\n", out);
}

static void fill(struct page *page, struct page_point at, double width,
                 double height, const uint8_t color[3])
{
    put(page->file, "<rect x=\"#\" y=\"#\" width=\"#\" height=\"#\"", at.x,
        at.y, width, height);
    put_color(page->file, "fill", color);
    fputs("/>\n", page->file);
}

/* The outlines of glyphs as a path, in units of the chosen font, y upwards. */
struct outline {
    FILE *out;
    long along;  /* position of the glyph's origin */
    double unit; /* of the glyph's face */
    bool open;   /* a contour is */
};

static void put_command(const struct outline *outline, char command,
                        const FT_Vector *const *points, int count)
{
    fputc(command, outline->out);
    for (int i = 0; i < count; i++)
        put(outline->out, i ? " # #" : "# #",
            (double)outline->along + outline->unit * (double)points[i]->x,
            outline->unit * (double)points[i]->y);
}

static void end_contour(struct outline *outline)
{
    if (outline->open)
        fputc('Z', outline->out);
    outline->open = false;
}

static int begin_contour(const FT_Vector *to, void *context)
{
    struct outline *outline = context;
    end_contour(outline);
    put_command(outline, 'M', &to, 1);
    outline->open = true;
    return 0;
}

static int put_line(const FT_Vector *to, void *context)
{
    put_command(context, 'L', &to, 1);
    return 0;
}

static int put_conic(const FT_Vector *control, const FT_Vector *to,
                     void *context)
{
    put_command(context, 'Q', (const FT_Vector *[]){ control, to }, 2);
    return 0;
}

static int put_cubic(const FT_Vector *first, const FT_Vector *second,
                     const FT_Vector *to, void *context)
{
    put_command(context, 'C', (const FT_Vector *[]){ first, second, to }, 3);
    return 0;
}

static void put_glyph(FT_Face face, unsigned glyph, struct outline *outline)
{
    static const FT_Outline_Funcs commands = { .move_to = begin_contour,
                                               .line_to = put_line,
                                               .conic_to = put_conic,
                                               .cubic_to = put_cubic };
    if (FT_Load_Glyph(face, glyph, FT_LOAD_NO_SCALE) == 0 &&
        face->glyph->format == FT_GLYPH_FORMAT_OUTLINE)
        FT_Outline_Decompose(&face->glyph->outline, &commands, outline);
    end_contour(outline);
}

/* A reader may lack the font, and not all readers use a font embedded in the
 * file: so the letters are shapes. Their text is the label, as in Inkscape. */
static void draw_text(struct page *page, const struct page_text *text)
{
    FILE *out = page->file;
    FT_Face chosen = font_face(page->font, 0);
    double unit = text->size / chosen->units_per_EM, along = 0;
    fputs("<path role=\"img\" aria-label=\"", out);
    put_text(out, page->font, text->text);
    fputc('"', out);
    put_color(out, "fill", text->color);
    if (text->casing > 0)
        fprintf(out,
                " stroke=\"#ffffff\" stroke-width=\"%.9g\" "
                "stroke-linejoin=\"round\" paint-order=\"stroke\"",
                2 * text->casing / unit);
    if (text->upward)
        fprintf(out, " transform=\"matrix(0 %.9g %.9g 0", -unit, -unit);
    else
        fprintf(out, " transform=\"matrix(%.9g 0 0 %.9g", unit, -unit);
    put(out, " # #)\" d=\"", text->at.x, text->at.y);
    for (const char *rest = text->text; *rest;) {
        const struct text_glyph next = text_next(page->font, text->size, &rest);
        FT_Face face = font_face(page->font, next.face);
        struct outline outline = { .out = out,
                                   .along = lround(along / unit),
                                   .unit = (double)chosen->units_per_EM /
                                           face->units_per_EM };
        put_glyph(face, next.glyph, &outline);
        along += next.advance;
    }
    fputs("\"/>\n", out);
}

static void draw_image(struct page *page, const struct image *image,
                       struct page_point origin, struct page_point right,
                       struct page_point down)
{
    FILE *out = page->file;
    struct base64 base64 = { .out = out };
    const struct png_sink sink = { put_bytes, &base64 };
    fprintf(out,
            "<image width=\"%d\" height=\"%d\" preserveAspectRatio=\"none\" "
            "style=\"image-rendering:optimizeSpeed;"
            "image-rendering:pixelated\" transform=\"matrix(",
            image->width, image->height);
    fprintf(out, "%.9g %.9g %.9g %.9g %.9g %.9g)\" xlink:href=\"data:image/png",
            right.x, right.y, down.x, down.y, origin.x, origin.y);
    fputs(";base64,", out);
    image_encode_png(image, &sink, NULL); /* the file reports a failed write */
    if (base64.count)
        put_kept(&base64);
    fputs("\"/>\n", out);
}

static void part(struct page *page, double width, double height)
{
    put(page->file,
        "<svg x=\"#\" y=\"#\" width=\"#\" height=\"#\" viewBox=\"# # # #\">\n",
        page->corner.x, page->corner.y, width, height, page->corner.x,
        page->corner.y, width, height);
}

static void whole(struct page *page)
{
    fputs("</svg>\n", page->file);
}

static enum status end(struct page *page, const struct image_note *notes,
                       size_t note_count, struct error *error)
{
    (void)error;
    FILE *out = page->file;
    fputs("<metadata>\n", out);
    for (size_t i = 0; i < note_count; i++) {
        put_text(out, page->font, notes[i].key);
        fputs(": ", out);
        put_text(out, page->font, notes[i].text);
        fputc('\n', out);
    }
    fputs("</metadata>\n</svg>\n", out);
    return STATUS_OK;
}

static void release(struct page *page)
{
    (void)page;
}

const struct page_format page_svg = {
    .start = start,
    .draw = draw,
    .fill = fill,
    .text = draw_text,
    .image = draw_image,
    .part = part,
    .whole = whole,
    .end = end,
    .release = release,
};
