/* SPDX-License-Identifier: MIT */
#include "draw/raster/png.h"

#include "base/deflate_planes.h"
#include "base/memory.h"
#include "base/need.h"
#include "draw/raster/palette.h"

#include <errno.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { NOTES_MOST = 32, PACKED_MOST = 16 << 20, CHUNK_MOST = 1 << 20 };
/* For a figure on paper. */
static const double dots_an_inch = 300;

/* The data to be written: rows of palette numbers, or of colours. */
struct source {
    int width, height, count; /* of colours; 0: 24 bits */
    png_color colors[PALETTE_MOST];
    bool cells; /* a cell is a pixel or a square of them */
    int filter; /* of PNG, for similar rows */
    /* Returns the row, in `buffer` of `width` bytes or in place. */
    const uint8_t *(*row)(const struct source *source, int y, uint8_t *buffer);
    const struct image *image;
    const struct palette *palette;
    const struct sheet *sheet;
    const struct image_note *notes;
    size_t note_count;
    double dots; /* an inch, which say its size on paper; 0: not written */
};

/* Data for libpng's callbacks. */
struct writing {
    const struct source *source;
    const struct png_sink *sink;
    const char *path;
    struct error *error;
    enum status status;
};

static void on_error(png_structp png, png_const_charp message)
{
    struct writing *writing = png_get_error_ptr(png);
    if (!writing->status)
        writing->status = error_set(writing->error, STATUS_FAILED, "%s: %s",
                                    writing->path, message);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void on_write(png_structp png, png_bytep data, size_t bytes)
{
    struct writing *writing = png_get_io_ptr(png);
    if (writing->sink->put(writing->sink->context, data, bytes))
        return;
    writing->status = error_system(writing->error, STATUS_DISK,
                                   "%s: cannot write all of it", writing->path);
    png_error(png, "write");
}

static void on_flush(png_structp png)
{
    (void)png;
}

static bool ascii(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text > 0x7e)
            return false;
    return true;
}

static void set_notes(png_structp png, png_infop info,
                      const struct image_note *notes, size_t count)
{
    png_text texts[NOTES_MOST] = { 0 };
    if (count > NOTES_MOST)
        count = NOTES_MOST;
    for (size_t i = 0; i < count; i++) {
        bool plain = ascii(notes[i].text);
        texts[i].compression =
            plain ? PNG_TEXT_COMPRESSION_NONE : PNG_ITXT_COMPRESSION_NONE;
        texts[i].key = (png_charp)(uintptr_t)notes[i].key;
        texts[i].text = (png_charp)(uintptr_t)notes[i].text;
    }
    if (count)
        png_set_text(png, info, texts, (int)count);
}

/* Level 1: half the time of level 6, a sixth of 9. Cells of a wave compress
 * almost only by their frequencies: run lengths take half the time again, with
 * no more bytes. Cells of several pixels repeat the row above. */
static void set_header(png_structp png, png_infop info,
                       const struct source *source)
{
    png_set_IHDR(
        png, info, (png_uint_32)source->width, (png_uint_32)source->height, 8,
        source->count ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_RGB,
        PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
    png_set_compression_level(png, 1);
    png_set_compression_buffer_size(png, 1 << 16);
    if (source->cells)
        png_set_compression_strategy(png, Z_RLE);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, source->filter);
    if (source->count)
        png_set_PLTE(png, info, source->colors, source->count);
    png_uint_32 dots = (png_uint_32)lround(source->dots / .0254); /* a metre */
    if (dots)
        png_set_pHYs(png, info, dots, dots, PNG_RESOLUTION_METER);
}

/* Rows of palette numbers with a pixel a cell have few values and runs, and no
 * strings worth a search: our own deflate compresses them as well as zlib's run
 * lengths in a fifth of the time, if there is memory for all of them at
 * once. */
static bool packs_itself(const struct source *source)
{
    uint64_t bytes = ((uint64_t)source->width + 1) * (uint64_t)source->height;
    return source->sheet && source->sheet->cell == 1 && bytes <= PACKED_MOST;
}

/* The rows of a sheet, each after a filter byte of 0, as one zlib stream. */
static size_t pack_rows(const struct source *source, unsigned char *rows,
                        unsigned char *packed)
{
    size_t width = (size_t)source->width;
    unsigned char *at = rows;
    for (int y = 0; y < source->height; y++, at += width) {
        *at++ = PNG_FILTER_VALUE_NONE;
        memcpy(at, source->sheet->index + (size_t)y * width, width);
    }
    size_t bytes = (size_t)(at - rows);
    return deflate_planes(rows, bytes, bytes, packed);
}

/* Data for libpng in addition to the source: `buffer` has a row of numbers;
 * `packed` is the stream of all rows, or NULL. */
struct ready {
    uint8_t *buffer;
    unsigned char *packed;
    size_t packed_bytes;
};

static void write_packed(png_structp png, const struct ready *ready)
{
    for (size_t done = 0, now; done < ready->packed_bytes; done += now) {
        size_t left = ready->packed_bytes - done;
        now = left < CHUNK_MOST ? left : CHUNK_MOST;
        png_write_chunk(png, (png_const_bytep) "IDAT", ready->packed + done,
                        now);
    }
    png_write_chunk(png, (png_const_bytep) "IEND", NULL, 0);
}

/* The part that libpng may leave by a jump: it allocates no memory, and reads
 * no local variable after a jump. */
static enum status encode(struct writing *writing, png_structp png,
                          png_infop info, const struct ready *ready)
{
    const struct source *source = writing->source;
    if (setjmp(png_jmpbuf(png)))
        return writing->status;
    png_set_write_fn(png, writing, on_write, on_flush);
    set_header(png, info, source);
    set_notes(png, info, source->notes, source->note_count);
    png_write_info(png, info);
    if (ready->packed) {
        write_packed(png, ready);
        return STATUS_OK;
    }
    for (int y = 0; y < source->height; y++)
        png_write_row(png, source->row(source, y, ready->buffer));
    png_write_end(png, info);
    return STATUS_OK;
}

static void make_ready(const struct source *source, struct ready *ready)
{
    if (!packs_itself(source)) {
        ready->buffer = need_memory((size_t)source->width, 1);
        return;
    }
    size_t bytes = ((size_t)source->width + 1) * (size_t)source->height;
    unsigned char *rows = need_memory(bytes, 1);
    ready->packed = need_memory(deflate_planes_room(bytes), 1);
    ready->packed_bytes = pack_rows(source, rows, ready->packed);
    memory_release(rows);
}

static enum status write_source(const struct source *source,
                                const struct png_sink *sink, const char *path,
                                struct error *error)
{
    struct writing writing = { source, sink, path, error, STATUS_OK };
    struct ready ready = { 0 };
    make_ready(source, &ready);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &writing,
                                              on_error, on_warning);
    png_infop info = png_create_info_struct(png);
    enum status status = ready.packed && !ready.packed_bytes
                             ? error_memory(error)
                             : encode(&writing, png, info, &ready);
    png_destroy_write_struct(&png, &info);
    memory_release(ready.buffer);
    memory_release(ready.packed);
    return status;
}

static bool put_file(void *context, const void *bytes, size_t count)
{
    return fwrite(bytes, 1, count, context) == count;
}

static enum status write_file(const struct source *source, const char *path,
                              bool force, struct error *error)
{
    struct output output;
    enum status status = output_open(&output, path, force, error);
    if (status)
        return status;
    const struct png_sink sink = { put_file, output.file };
    status = write_source(source, &sink, output.path, error);
    if (!status)
        return output_commit(&output, error);
    output_abandon(&output);
    return status;
}

/* ---- images ---- */

static const uint8_t *image_row(const struct source *source, int y,
                                uint8_t *buffer)
{
    const uint8_t *rgb = image_at(source->image, 0, y);
    if (!source->palette)
        return rgb;
    palette_row(source->palette, rgb, source->width, buffer);
    return buffer;
}

/* With few colours, `palette` (of the caller) is filled. */
static struct source source_of_image(const struct image *image,
                                     struct palette *palette,
                                     const struct image_note *notes,
                                     size_t note_count, double dots)
{
    struct source source = { .width = image->width,
                             .height = image->height,
                             .filter = PNG_FILTER_UP,
                             .row = image_row,
                             .image = image,
                             .notes = notes,
                             .note_count = note_count,
                             .dots = dots };
    if (palette_collect(palette, image)) {
        source.palette = palette;
        source.count = palette->count;
    }
    for (int i = 0; i < source.count; i++)
        source.colors[i] =
            (png_color){ .red = (uint8_t)(palette->colors[i] >> 16),
                         .green = (uint8_t)(palette->colors[i] >> 8),
                         .blue = (uint8_t)palette->colors[i] };
    return source;
}

enum status image_write_png(const struct image *image,
                            const struct image_note *notes, size_t note_count,
                            const char *path, bool force, struct error *error)
{
    struct palette *palette = need_memory(1, sizeof *palette);
    const struct source source =
        source_of_image(image, palette, notes, note_count, dots_an_inch);
    enum status status = write_file(&source, path, force, error);
    memory_release(palette);
    return status;
}

static enum status encode_image(const struct image *image, double dots,
                                const struct image_note *notes,
                                size_t note_count, const struct png_sink *sink,
                                struct error *error)
{
    struct palette *palette = need_memory(1, sizeof *palette);
    const struct source source =
        source_of_image(image, palette, notes, note_count, dots);
    enum status status = write_source(&source, sink, "PNG", error);
    memory_release(palette);
    return status;
}

enum status image_print_png(const struct image *image, double dots,
                            const struct image_note *notes, size_t note_count,
                            FILE *file, struct error *error)
{
    const struct png_sink sink = { put_file, file };
    enum status status = encode_image(image, dots > 0 ? dots : dots_an_inch,
                                      notes, note_count, &sink, error);
    return status == STATUS_DISK ? STATUS_OK : status;
}

enum status image_encode_png(const struct image *image,
                             const struct png_sink *sink, struct error *error)
{
    return encode_image(image, 0, NULL, 0, sink, error);
}

/* ---- sheets ---- */

static const uint8_t *sheet_row(const struct source *source, int y,
                                uint8_t *buffer)
{
    const struct sheet *sheet = source->sheet;
    const uint8_t *index =
        sheet->index + (size_t)(y / sheet->cell) * (size_t)sheet->nx;
    if (sheet->cell == 1)
        return index;
    if (y % sheet->cell == 0)
        for (int x = 0; x < sheet->nx; x++)
            memset(buffer + (size_t)x * (size_t)sheet->cell, index[x],
                   (size_t)sheet->cell);
    return buffer;
}

static struct source source_of_sheet(const struct sheet *sheet)
{
    struct source source = {
        .width = sheet->nx * sheet->cell,
        .height = sheet->ny * sheet->cell,
        .count = sheet->count,
        .cells = true,
        .filter = sheet->cell > 1 ? PNG_FILTER_UP : PNG_FILTER_NONE,
        .row = sheet_row,
        .sheet = sheet,
    };
    for (int i = 0; i < sheet->count; i++)
        source.colors[i] = (png_color){ .red = sheet->colors[i][0],
                                        .green = sheet->colors[i][1],
                                        .blue = sheet->colors[i][2] };
    return source;
}

enum status sheet_write_png(const struct sheet *sheet,
                            const struct image_note *notes, size_t note_count,
                            const char *path, bool force, struct error *error)
{
    struct source source = source_of_sheet(sheet);
    source.notes = notes;
    source.note_count = note_count;
    source.dots = dots_an_inch;
    return write_file(&source, path, force, error);
}

enum status sheet_encode_png(const struct sheet *sheet,
                             const struct png_sink *sink, struct error *error)
{
    struct source source = source_of_sheet(sheet);
    return write_source(&source, sink, "PNG", error);
}
