/* SPDX-License-Identifier: MIT */
#include "draw/chart.h"

#include "base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <png.h>
#include <stdint.h>
#include <string.h>

/* What gnuplot makes is well below this. */
enum { PICTURE_MOST_BYTES = 1 << 28 };

struct bytes {
    char *at;
    size_t count;
};

static enum status faulty(enum chart_format format, const char *what,
                          struct error *error)
{
    return error_set(error, STATUS_FAILED,
                     "gnuplot's %s picture %s, and was not kept",
                     chart_format_names[format], what);
}

/* The whole file, with a NUL behind it. */
static enum status read_file(const char *path, struct bytes *bytes,
                             struct error *error)
{
    *bytes = (struct bytes){ 0 };
    FILE *file = fopen(path, "rb");
    if (!file)
        return error_system(error, STATUS_FAILED, "%s", path);
    enum status status = STATUS_OK;
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (size < 0 || size > PICTURE_MOST_BYTES)
        status = error_set(error, STATUS_FAILED, "%s: is no picture", path);
    else if (!(bytes->at = memory_new((size_t)size + 1, 1)))
        status = error_memory(error);
    rewind(file);
    if (!status) {
        bytes->count = fread(bytes->at, 1, (size_t)size, file);
        if (bytes->count != (size_t)size)
            status = error_system(error, STATUS_DISK, "%s", path);
    }
    fclose(file);
    return status;
}

static bool starts(const struct bytes *bytes, const char *text)
{
    size_t length = strlen(text);
    return bytes->count >= length && memcmp(bytes->at, text, length) == 0;
}

/* `text` at the end, white space behind it passed over. */
static bool ends(const struct bytes *bytes, const char *text)
{
    size_t end = bytes->count, length = strlen(text);
    while (end && isspace((unsigned char)bytes->at[end - 1]))
        end--;
    return end >= length && memcmp(bytes->at + end - length, text, length) == 0;
}

static char *find(const struct bytes *bytes, size_t from, const char *text)
{
    return from < bytes->count ? memmem(bytes->at + from, bytes->count - from,
                                        text, strlen(text))
                               : NULL;
}

/* How often `text` stands behind `from`, a place in the bytes. */
static size_t count(const struct bytes *bytes, const char *from,
                    const char *text)
{
    size_t found = 0;
    for (const char *at = from;
         (at = find(bytes, (size_t)(at - bytes->at), text)); at++)
        found++;
    return found;
}

/* A page's content comes first, deflated; that of an empty page is a few bytes
 * of it, of axes without a curve some hundred. */
static const char *fault_of_pdf(struct bytes *bytes)
{
    if (!starts(bytes, "%PDF-") || !ends(bytes, "%%EOF"))
        return "is not whole";
    const char *first = find(bytes, 0, "stream\n");
    const char *last = find(bytes, 0, "endstream");
    if (!first || !last || last - first < 512)
        return "is blank";
    char *date = find(bytes, 0, "/CreationDate (D:");
    if (date)
        memcpy(date + strlen("/CreationDate (D:"), "19700101000000", 14);
    return NULL;
}

static const char *fault_of_svg(struct bytes *bytes)
{
    if (!starts(bytes, "<?xml") || !ends(bytes, "</svg>"))
        return "is not whole";
    /* The definitions at its head are no part of what is seen. */
    const char *seen = find(bytes, 0, "</defs>");
    seen = seen ? seen : bytes->at;
    return count(bytes, seen, "<path ") + count(bytes, seen, "<use ") < 2
               ? "is blank"
               : NULL;
}

/* Less than a thousandth of another colour than the corner's is blank. */
static const char *fault_of_pixels(const struct bytes *bytes, png_image *image)
{
    image->format = PNG_FORMAT_RGB;
    size_t pixels = (size_t)image->width * image->height, other = 0;
    if (pixels == 0 || pixels > PICTURE_MOST_BYTES)
        return "has no size a chart has";
    uint8_t *rgb = memory_new(pixels, 3);
    if (!rgb)
        return "needs more memory than there is";
    bool whole = png_image_finish_read(image, NULL, rgb, 0, NULL);
    for (size_t i = 1; i < pixels; i++)
        other += memcmp(rgb + 3 * i, rgb, 3) != 0;
    memory_release(rgb);
    if (!whole)
        return "is not whole";
    return other < pixels / 1000 ? "is blank" : NULL;
}

static const char *fault_of_png(struct bytes *bytes)
{
    png_image image = { .version = PNG_IMAGE_VERSION };
    if (!png_image_begin_read_from_memory(&image, bytes->at, bytes->count))
        return "is not whole";
    const char *fault = fault_of_pixels(bytes, &image);
    png_image_free(&image);
    return fault;
}

/* Behind the line that names gnuplot stands one with the day and hour. */
static void hide_date(struct bytes *bytes)
{
    char *made = find(bytes, 0, "%% generated with GNUPLOT");
    char *line = made ? strchr(made, '\n') : NULL;
    if (!line || line[1] != '%')
        return;
    for (line += 3; *line && *line != '\n'; line++)
        *line = '-';
}

static const char *fault_of_tex(struct bytes *bytes)
{
    if (!starts(bytes, "\\begin{tikzpicture}") ||
        !find(bytes, 0, "\\end{tikzpicture}"))
        return "is not whole";
    hide_date(bytes);
    return count(bytes, bytes->at, "\\draw") < 2 ? "is blank" : NULL;
}

/* gnuplot leaves out how large a pixel is: 300 an inch, as its script asks for.
 * The chunk goes behind the header, which ends at byte 33. */
static enum status tell_resolution(struct bytes *bytes, struct error *error)
{
    static const uint8_t chunk[] = {
        0,    0, 0, 9,    'p',  'H', 'Y',  's',  0,    0,    0x2e,
        0x23, 0, 0, 0x2e, 0x23, 1,   0x78, 0xa5, 0x3f, 0x76,
    };
    enum { HEADER = 33 };
    const char *told = find(bytes, 0, "pHYs"), *data = find(bytes, 0, "IDAT");
    if (told && told < data)
        return STATUS_OK;
    char *more = memory_new(bytes->count + sizeof chunk + 1, 1);
    if (!more)
        return error_memory(error);
    memcpy(more, bytes->at, HEADER);
    memcpy(more + HEADER, chunk, sizeof chunk);
    memcpy(more + HEADER + sizeof chunk, bytes->at + HEADER,
           bytes->count - HEADER);
    memory_release(bytes->at);
    bytes->at = more;
    bytes->count += sizeof chunk;
    return STATUS_OK;
}

static enum status write_back(const char *path, const struct bytes *bytes,
                              struct error *error)
{
    FILE *file = fopen(path, "wb");
    bool good =
        file && fwrite(bytes->at, 1, bytes->count, file) == bytes->count;
    if (file && fclose(file) != 0)
        good = false;
    return good ? STATUS_OK
                : error_system(error, STATUS_DISK, "%s: cannot write all of it",
                               path);
}

enum status chart_picture_check(const char *path, enum chart_format format,
                                struct error *error)
{
    static const char *(*const fault_of[])(struct bytes *) = {
        [CHART_PDF] = fault_of_pdf,
        [CHART_SVG] = fault_of_svg,
        [CHART_PNG] = fault_of_png,
        [CHART_TEX] = fault_of_tex,
    };
    struct bytes bytes;
    enum status status = read_file(path, &bytes, error);
    if (!status) {
        const char *fault = fault_of[format](&bytes);
        if (fault)
            status = faulty(format, fault, error);
        else if (format == CHART_PNG)
            status = tell_resolution(&bytes, error);
        if (!status)
            status = write_back(path, &bytes, error);
    }
    memory_release(bytes.at);
    return status;
}
