/* SPDX-License-Identifier: MIT */
/* PNG maps for the tests, written by libpng itself. */
#ifndef HAMON_TESTS_WORLD_MAPS_PNG_FILES_H
#define HAMON_TESTS_WORLD_MAPS_PNG_FILES_H

#include "base/memory.h"
#include "tests/world/maps/map_files.h"

#include <png.h>

struct image {
    int width, height, color_type, depth, interlace;
    const char *walls; /* '#' and '.', row by row */
    int transparent;   /* 0, 1: alpha of cell 0 is half, 2: tRNS names white */
    bool with_text;    /* gamma, and a comment of many megabytes */
    unsigned index;    /* of walls in the palette, which has 0 and 1; 0: 1 */
};

static inline int channels_of(int color_type)
{
    return color_type == PNG_COLOR_TYPE_RGB          ? 3
           : color_type == PNG_COLOR_TYPE_RGB_ALPHA  ? 4
           : color_type == PNG_COLOR_TYPE_GRAY_ALPHA ? 2
                                                     : 1;
}

/* Writes the depth's bits of `value` as sample i of the row. */
static inline void put_sample(png_bytep row, size_t i, int depth,
                              unsigned value)
{
    if (depth == 16) {
        row[2 * i] = (png_byte)(value >> 8);
        row[2 * i + 1] = (png_byte)value;
        return;
    }
    size_t bit = i * (size_t)depth;
    row[bit / 8] |= (png_byte)(value << (8 - (size_t)depth - bit % 8));
}

/* Black or white in the image's own samples; the palette has white first. */
static inline void put_row(const struct image *image, int y, png_bytep row)
{
    int channels = channels_of(image->color_type);
    bool palette = image->color_type == PNG_COLOR_TYPE_PALETTE;
    bool alpha = image->color_type & PNG_COLOR_MASK_ALPHA;
    unsigned largest = (1u << image->depth) - 1;
    for (int x = 0; x < image->width; x++) {
        size_t cell = (size_t)y * (size_t)image->width + (size_t)x;
        bool wall = image->walls[cell] == '#';
        for (int c = 0; c < channels; c++) {
            unsigned value = palette && wall && image->index ? image->index
                             : palette                       ? wall
                             : wall                          ? 0
                                                             : largest;
            if (alpha && c == channels - 1)
                value = image->transparent == 1 && cell == 0 ? largest / 2
                                                             : largest;
            put_sample(row, (size_t)(x * channels + c), image->depth, value);
        }
    }
}

static inline void put_extras(const struct image *image, png_structp png,
                              png_infop info)
{
    static const png_color palette[2] = { { 255, 255, 255 }, { 0, 0, 0 } };
    static const png_byte clear = 0;
    png_color_16 white = { .gray = (png_uint_16)((1u << image->depth) - 1) };
    if (image->color_type == PNG_COLOR_TYPE_PALETTE)
        png_set_PLTE(png, info, palette, 2);
    if (image->transparent == 2)
        png_set_tRNS(png, info, &clear, 1, &white);
    if (!image->with_text)
        return;
    size_t length = (size_t)20 << 20;
    char *text = memory_new(length + 1, 1);
    ck_assert_ptr_nonnull(text);
    memset(text, 'a', length);
    png_text comment = { .compression = PNG_TEXT_COMPRESSION_zTXt,
                         .key = (png_charp) "Comment",
                         .text = text,
                         .text_length = length };
    png_set_gAMA(png, info, 0.45455);
    png_set_text(png, info, &comment, 1);
    memory_release(text);
}

static inline void write_image(const char *name, const struct image *image)
{
    char path[PATH_SIZE];
    path_of(name, path);
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    if (setjmp(png_jmpbuf(png)))
        ck_abort_msg("libpng cannot write %s", name);
    png_init_io(png, file);
    png_set_check_for_invalid_index(png, 0);
    png_set_IHDR(png, info, (png_uint_32)image->width,
                 (png_uint_32)image->height, image->depth, image->color_type,
                 image->interlace, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    put_extras(image, png, info);
    png_write_info(png, info);
    size_t bytes = png_get_rowbytes(png, info);
    png_bytep block = memory_new((size_t)image->height, bytes);
    png_bytepp rows = memory_new((size_t)image->height, sizeof *rows);
    for (int y = 0; y < image->height; y++) {
        rows[y] = block + (size_t)y * bytes;
        put_row(image, y, rows[y]);
    }
    png_write_image(png, rows);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    memory_release(rows);
    memory_release(block);
    ck_assert_int_eq(fclose(file), 0);
}

/* A row of 8-bit gray values. */
static inline void write_grays(const char *name, const png_byte *grays,
                               int width)
{
    char path[PATH_SIZE];
    path_of(name, path);
    png_image image = { .version = PNG_IMAGE_VERSION,
                        .width = (png_uint_32)width,
                        .height = 1,
                        .format = PNG_FORMAT_GRAY };
    ck_assert_int_ne(png_image_write_to_file(&image, path, 0, grays, 0, NULL),
                     0);
}

#endif
