/* SPDX-License-Identifier: MIT */
/* PNG maps through libpng, from memory. Every pixel is read as opaque 8-bit
 * RGB, for any depth and colour type of the file; a transparent pixel is an
 * error, since its colour is not the visible one. Gamma and profiles are not
 * applied: 0 is black and the largest value white in all of them. */
#include "base/memory.h"
#include "world/maps/formats.h"
#include "world/maps/legend.h"

#include <png.h>
#include <string.h>

enum {
    SIGNATURE_BYTES = 8,
    HEADER_BYTES = 33,  /* the signature and the whole IHDR chunk */
    CHANNELS = 4,       /* of a row from libpng */
    SIDE_MAX = 1000000, /* pixels: a row must fit memory in libpng too */
};

/* The maximum ratio of deflate (zlib's own documentation). */
static const uint64_t deflate_ratio_max = 1032;

/* All data that must survive a longjmp out of libpng. */
struct png_reading {
    struct map_file *file;
    const struct legend *legend;
    struct terrain *terrain;
    png_structp png;
    png_infop info;
    png_bytep row;
    png_colorp palette; /* NULL: pixels are colours */
    png_bytep alpha;    /* of the first colours of the palette */
    int colors, alphas;
    enum status status;
    struct error *error;
};

static uint32_t big_endian(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 |
           b[3];
}

/* The extents from the header, checked before any memory is allocated for them:
 * against the grid's limits, and against the maximum that the file can contain
 * (1 bit a pixel, and a filter byte a row). */
static enum status read_grid(struct map_file *file, struct grid *grid,
                             struct error *error)
{
    const char *bytes = file->bytes;
    if (file->size < SIGNATURE_BYTES ||
        png_sig_cmp((png_const_bytep)bytes, 0, SIGNATURE_BYTES) != 0)
        return error_at(error, STATUS_INPUT, file->path, 0,
                        "not a PNG: its signature is missing");
    if (file->size < HEADER_BYTES || memcmp(bytes + 12, "IHDR", 4) != 0)
        return error_at(error, STATUS_INPUT, file->path, 0,
                        "the PNG ends before its header is complete");
    int64_t extents[GRID_AXES] = { big_endian(bytes + 16),
                                   big_endian(bytes + 20), 1 };
    if (extents[0] > SIDE_MAX || extents[1] > SIDE_MAX)
        return error_at(error, STATUS_INPUT, file->path, 0,
                        "a PNG of %jd x %jd pixels: at most %d a side are "
                        "allowed",
                        (intmax_t)extents[0], (intmax_t)extents[1], SIDE_MAX);
    enum status status = map_grid(2, extents, file->path, 0, grid, error);
    if (status != STATUS_OK)
        return status;
    uint64_t packed = ((uint64_t)grid->nx + 7) / 8 + 1;
    if (packed * (uint64_t)grid->ny > deflate_ratio_max * file->size)
        return error_at(error, STATUS_INPUT, file->path, 0,
                        "a PNG of %zu bytes cannot hold the %d x %d pixels of "
                        "its header",
                        file->size, grid->nx, grid->ny);
    return STATUS_OK;
}

static void on_error(png_structp png, png_const_charp message)
{
    struct png_reading *reading = png_get_error_ptr(png);
    reading->status =
        error_at(reading->error, STATUS_INPUT, reading->file->path, 0,
                 "the PNG is damaged: %s", message);
    png_longjmp(png, 1);
}

/* Warnings about chunks that decide what a pixel shows are errors; others are
 * not printed. */
static void on_warning(png_structp png, png_const_charp message)
{
    if (strncmp(message, "PLTE", 4) == 0 || strncmp(message, "tRNS", 4) == 0)
        on_error(png, message);
}

static void take_bytes(png_structp png, png_bytep bytes, size_t count)
{
    struct map_file *file = ((struct png_reading *)png_get_io_ptr(png))->file;
    if (count > file->size - file->at)
        png_error(png, "the file ends too early");
    memcpy(bytes, file->bytes + file->at, count);
    file->at += count;
}

/* The only exit from libpng for our own errors. */
static _Noreturn void give_up(struct png_reading *reading, enum status status)
{
    reading->status = status;
    png_longjmp(reading->png, 1);
}

static void start(struct png_reading *reading)
{
    png_structp png = reading->png;
    const struct grid *grid = &reading->terrain->grid;
    png_set_read_fn(png, reading, take_bytes);
    png_set_user_limits(png, (png_uint_32)grid->nx, (png_uint_32)grid->ny);
    /* Profiles and comments may be large, or claim to be, and libpng allocates
     * memory for their claimed size: of these chunks only tRNS is read. */
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    /* libpng would leave out a chunk with a wrong checksum: without a damaged
     * tRNS, transparent pixels look opaque. */
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_read_info(png, reading->info);
    bool indices =
        png_get_color_type(png, reading->info) == PNG_COLOR_TYPE_PALETTE;
    if (indices) {
        png_set_packing(png); /* a byte for each index */
        png_get_PLTE(png, reading->info, &reading->palette, &reading->colors);
        png_get_tRNS(png, reading->info, &reading->alpha, &reading->alphas,
                     NULL);
    } else {
        png_set_expand(png);   /* low depths and tRNS to 8 bits */
        png_set_scale_16(png); /* 65535 to 255 */
        png_set_gray_to_rgb(png);
        png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
    }
    png_read_update_info(png, reading->info);
    size_t bytes = png_get_rowbytes(png, reading->info);
    if (bytes != (indices ? 1 : CHANNELS) * (size_t)grid->nx)
        png_error(png, "its rows are not of 8-bit RGB");
    reading->row = memory_new(bytes, 1);
    if (!reading->row)
        give_up(reading, error_memory(reading->error));
}

static void put_pixel(struct png_reading *reading, png_const_bytep pixel, int x,
                      int y)
{
    struct terrain *terrain = reading->terrain;
    const char *path = reading->file->path;
    if (pixel[3] != 0xff)
        give_up(reading, error_at(reading->error, STATUS_INPUT, path, 0,
                                  "pixel (%d, %d) is transparent: a map's "
                                  "pixels must be opaque",
                                  x, y));
    uint32_t color =
        (uint32_t)pixel[0] << 16 | (uint32_t)pixel[1] << 8 | pixel[2];
    const struct legend_entry *meaning =
        legend_find_color(reading->legend, color);
    if (!meaning)
        give_up(reading, error_at(reading->error, STATUS_INPUT, path, 0,
                                  "pixel (%d, %d) has colour #%06x, which has "
                                  "no meaning: black is wall, white is free, "
                                  "a legend may name others",
                                  x, y, (unsigned)color));
    enum status status = legend_apply(
        meaning, terrain, grid_index(&terrain->grid, x, y, 0), reading->error);
    if (status != STATUS_OK)
        give_up(reading, status);
}

/* libpng itself would read an index that the palette does not have as black. */
static void put_index(struct png_reading *reading, int index, int x, int y)
{
    if (index >= reading->colors)
        give_up(reading,
                error_at(reading->error, STATUS_INPUT, reading->file->path, 0,
                         "pixel (%d, %d) has colour %d of a palette of %d, "
                         "which count from 0",
                         x, y, index, reading->colors));
    const png_color *color = &reading->palette[index];
    const png_byte pixel[CHANNELS] = { color->red, color->green, color->blue,
                                       index < reading->alphas
                                           ? reading->alpha[index]
                                           : 0xff };
    put_pixel(reading, pixel, x, y);
}

/* An interlaced image consists of seven smaller ones; copied to their positions
 * pixel by pixel, they need no memory for the whole image. */
static void read_pass(struct png_reading *reading, int pass, bool interlaced)
{
    const struct grid *grid = &reading->terrain->grid;
    png_uint_32 width = (png_uint_32)grid->nx, height = (png_uint_32)grid->ny;
    png_uint_32 columns = interlaced ? PNG_PASS_COLS(width, pass) : width;
    png_uint_32 rows = interlaced ? PNG_PASS_ROWS(height, pass) : height;
    if (columns == 0)
        return; /* then the file has no rows of this pass either */
    for (png_uint_32 j = 0; j < rows; j++) {
        png_read_row(reading->png, reading->row, NULL);
        for (png_uint_32 i = 0; i < columns; i++) {
            png_uint_32 x = interlaced ? PNG_COL_FROM_PASS_COL(i, pass) : i;
            png_uint_32 y = interlaced ? PNG_ROW_FROM_PASS_ROW(j, pass) : j;
            if (reading->palette)
                put_index(reading, reading->row[i], (int)x, (int)y);
            else
                put_pixel(reading, reading->row + CHANNELS * (size_t)i, (int)x,
                          (int)y);
        }
    }
}

/* All code between setjmp and the release: it has no local variables that a
 * longjmp could corrupt. */
static void read_image(struct png_reading *reading)
{
    if (setjmp(png_jmpbuf(reading->png)))
        return;
    start(reading);
    bool interlaced = png_get_interlace_type(reading->png, reading->info) !=
                      PNG_INTERLACE_NONE;
    for (int pass = 0; pass < (interlaced ? PNG_INTERLACE_ADAM7_PASSES : 1);
         pass++)
        read_pass(reading, pass, interlaced);
    png_read_end(reading->png, NULL);
    reading->status = STATUS_OK;
}

static enum status read_cells(struct map_file *file,
                              const struct legend *legend,
                              struct terrain *terrain, struct error *error)
{
    struct png_reading reading = {
        .file = file, .legend = legend, .terrain = terrain, .error = error
    };
    reading.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reading,
                                         on_error, on_warning);
    if (reading.png)
        reading.info = png_create_info_struct(reading.png);
    if (reading.info)
        read_image(&reading);
    else
        reading.status = error_memory(error);
    png_destroy_read_struct(&reading.png, &reading.info, NULL);
    memory_release(reading.row);
    return reading.status;
}

const struct map_format map_png = { ".png", read_grid, read_cells };
