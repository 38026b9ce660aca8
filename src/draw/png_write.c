/* SPDX-License-Identifier: MIT */
#include "draw/png_write.h"

#include "base/memory.h"
#include "draw/output.h"
#include "draw/palette.h"

#include <errno.h>
#include <png.h>
#include <string.h>

enum { NOTES_MOST = 32 };

/* What libpng's callbacks reach. */
struct writing {
    struct output output;
    struct error *error;
    enum status status;
};

static void on_error(png_structp png, png_const_charp message)
{
    struct writing *writing = png_get_error_ptr(png);
    if (!writing->status)
        writing->status = error_set(writing->error, STATUS_FAILED, "%s: %s",
                                    writing->output.path, message);
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
    if (fwrite(data, 1, bytes, writing->output.file) == bytes)
        return;
    writing->status =
        error_system(writing->error, STATUS_DISK, "%s: cannot write all of it",
                     writing->output.path);
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

static void set_header(png_structp png, png_infop info,
                       const struct image *image, const struct palette *palette)
{
    png_set_IHDR(
        png, info, (png_uint_32)image->width, (png_uint_32)image->height, 8,
        palette ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_RGB,
        PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
    /* Level 1 and filter up: half the time of level 6, a sixth of 9. */
    png_set_compression_level(png, 1);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP);
    if (!palette)
        return;
    png_color colors[PALETTE_MOST];
    for (int i = 0; i < palette->count; i++)
        colors[i] = (png_color){ .red = (uint8_t)(palette->colors[i] >> 16),
                                 .green = (uint8_t)(palette->colors[i] >> 8),
                                 .blue = (uint8_t)palette->colors[i] };
    png_set_PLTE(png, info, colors, palette->count);
}

/* The part that libpng may jump out of: nothing is allocated here, and no
 * local is read after a jump. `row` holds `width` bytes. */
static enum status encode(struct writing *writing, png_structp png,
                          png_infop info, const struct image *image,
                          const struct palette *palette, uint8_t *row,
                          const struct image_note *notes, size_t note_count)
{
    if (setjmp(png_jmpbuf(png)))
        return writing->status;
    png_set_write_fn(png, writing, on_write, on_flush);
    set_header(png, info, image, palette);
    set_notes(png, info, notes, note_count);
    png_write_info(png, info);
    for (int y = 0; y < image->height; y++) {
        const uint8_t *rgb = image_at(image, 0, y);
        if (palette)
            palette_row(palette, rgb, image->width, row);
        png_write_row(png, palette ? row : rgb);
    }
    png_write_end(png, info);
    return STATUS_OK;
}

static enum status write_file(struct writing *writing,
                              const struct image *image,
                              const struct image_note *notes, size_t note_count)
{
    enum status status;
    struct palette *palette = memory_new(1, sizeof *palette);
    uint8_t *row = memory_new((size_t)image->width, 1);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, writing,
                                              on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!palette || !row || !info) {
        status = error_memory(writing->error);
        goto done;
    }
    bool few = palette_collect(palette, image);
    status = encode(writing, png, info, image, few ? palette : NULL, row, notes,
                    note_count);
done:
    png_destroy_write_struct(&png, &info);
    memory_release(row);
    memory_release(palette);
    return status;
}

enum status image_write_png(const struct image *image,
                            const struct image_note *notes, size_t note_count,
                            const char *path, bool force, struct error *error)
{
    struct writing writing = { .error = error };
    enum status status = output_open(&writing.output, path, force, error);
    if (status)
        return status;
    status = write_file(&writing, image, notes, note_count);
    if (!status)
        return output_commit(&writing.output, error);
    output_abandon(&writing.output);
    return status;
}
