/* SPDX-License-Identifier: MIT */
/* Checks that a picture of gnuplot is complete, and writes its title, its size
 * and its sources into the file. */
#include "draw/chart/chart.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <ctype.h>
#include <libdeflate.h>
#include <png.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* All pictures of gnuplot are well below this. */
enum { PICTURE_MOST_BYTES = 1 << 28 };

struct bytes {
    char *at;
    size_t count;
};

/* The whole file, with a NUL after it. */
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
        status = error_set(error, STATUS_FAILED, "%s: is not a picture", path);
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

/* Does the file end with `text`, ignoring white space? */
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

/* The number of times that `text` occurs after the position `from`. */
static size_t count(const struct bytes *bytes, const char *from,
                    const char *text)
{
    size_t found = 0;
    for (const char *at = from;
         (at = find(bytes, (size_t)(at - bytes->at), text)); at++)
        found++;
    return found;
}

/* Replaces the `cut` bytes at `place` by `out`. */
static enum status put_in(struct bytes *bytes, size_t place, size_t cut,
                          const void *out, size_t count, struct error *error)
{
    char *more = memory_new(bytes->count - cut + count + 1, 1);
    if (!more)
        return error_memory(error);
    memcpy(more, bytes->at, place);
    memcpy(more + place, out, count);
    memcpy(more + place + count, bytes->at + place + cut,
           bytes->count - place - cut);
    memory_release(bytes->at);
    bytes->at = more;
    bytes->count += count - cut;
    return STATUS_OK;
}

/* A page's content is first in the file, compressed; for an empty page it has a
 * few bytes, for axes without a curve some hundred. */
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
    /* The definitions at its start are not visible. */
    const char *seen = find(bytes, 0, "</defs>");
    seen = seen ? seen : bytes->at;
    return count(bytes, seen, "<path ") + count(bytes, seen, "<use ") < 2
               ? "is blank"
               : NULL;
}

/* A picture is blank if less than a thousandth of its pixels differ from the
 * corner's colour. */
static const char *fault_of_pixels(const struct bytes *bytes, png_image *image)
{
    image->format = PNG_FORMAT_RGB;
    size_t pixels = (size_t)image->width * image->height, other = 0;
    if (pixels == 0 || pixels > PICTURE_MOST_BYTES)
        return "does not have a chart's size";
    uint8_t *rgb = memory_new(pixels, 3);
    if (!rgb)
        return "needs more memory than is available";
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

/* The line after the one that names gnuplot has the date and time. */
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

/* ---- texts written into a picture ---- */

/* Text that grows; without memory it remains unchanged, and records the
 * failure. */
struct text {
    char *at; /* from memory_new */
    size_t count, room;
    bool failed;
};

__attribute__((format(printf, 2, 3))) static void say(struct text *text,
                                                      const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    size_t more = (size_t)vsnprintf(NULL, 0, format, arguments);
    if (text->count + more >= text->room) {
        size_t room = 2 * (text->count + more) + 64;
        char *at = memory_grow(text->at, text->count, room, 1);
        text->failed |= !at;
        text->at = at ? at : text->at;
        text->room = at ? room : text->room;
    }
    if (text->count + more < text->room)
        text->count += (size_t)vsnprintf(
            text->at + text->count, text->room - text->count, format, again);
    va_end(again);
    va_end(arguments);
}

static enum status put_text(struct bytes *bytes, size_t place, size_t cut,
                            struct text *text, struct error *error)
{
    enum status status =
        text->failed ? error_memory(error)
                     : put_in(bytes, place, cut, text->at, text->count, error);
    memory_release(text->at);
    return status;
}

/* A text of PDF: UTF-16 with its mark, as hexadecimal digits. */
static void say_utf16(struct text *text, const char *name, const char *words)
{
    say(text, "   /%s <FEFF", name);
    for (const unsigned char *at = (const unsigned char *)words; *at;) {
        size_t length = utf8_character(at);
        uint32_t code = length ? utf8_code(at, length) : '?';
        if (code > 0xffff)
            say(text, "%04X%04X", 0xd800 + ((code - 0x10000) >> 10),
                0xdc00 + (code & 0x3ff));
        else
            say(text, "%04X", code);
        at += length ? length : 1;
    }
    say(text, ">\n");
}

/* The number after the last `name` in the file; 0: there is none. */
static size_t last_number(const struct bytes *bytes, const char *name)
{
    const char *last = NULL;
    for (const char *at = bytes->at;
         (at = find(bytes, (size_t)(at - bytes->at), name));)
        last = at += strlen(name);
    return last ? strtoul(last, NULL, 10) : 0;
}

/* Appends another version of the object that describes the file (ISO 32000-1,
 * 7.5.6, incremental updates). A file whose references are in a stream, as with
 * cairo 1.17.6 and later, has no "trailer" and remains unchanged. */
static enum status describe_pdf(struct bytes *bytes,
                                const struct chart_words *words,
                                struct error *error)
{
    struct text text = { 0 };
    size_t size = last_number(bytes, "/Size "), end = bytes->count;
    size_t root = last_number(bytes, "/Root "),
           info = last_number(bytes, "/Info ");
    if (!find(bytes, 0, "\ntrailer") || !size || !root || !info)
        return STATUS_OK;
    say(&text, "%zu 0 obj\n<< /CreationDate (D:19700101000000Z)\n", info);
    say_utf16(&text, "Title", words->title);
    say_utf16(&text, "Subject", words->description);
    say(&text, ">>\nendobj\n");
    size_t references = end + text.count;
    say(&text,
        "xref\n%zu 1\n%010zu 00000 n \ntrailer\n<< /Size %zu\n   /Root %zu 0 "
        "R\n"
        "   /Info %zu 0 R\n   /Prev %zu\n>>\nstartxref\n%zu\n%%%%EOF\n",
        info, end, size, root, info, last_number(bytes, "startxref\n"),
        references);
    return put_text(bytes, end, 0, &text, error);
}

static void say_xml(struct text *text, const char *words)
{
    for (; *words; words++)
        say(text,
            *words == '&'   ? "&amp;"
            : *words == '<' ? "&lt;"
            : *words == '>' ? "&gt;"
                            : "%c",
            *words);
}

/* Replaces gnuplot's own title and description; gnuplot's size has no unit. */
static enum status describe_svg(struct bytes *bytes,
                                const struct chart_words *words,
                                struct error *error)
{
    const char *end = find(bytes, 0, "</desc>");
    const char *title = find(bytes, 0, "<title>");
    const char *box = find(bytes, 0, "viewBox=\"0 0 ");
    if (!end || !title || !box || title > end || box > title)
        return error_set(error, STATUS_FAILED,
                         "gnuplot's svg picture has no title or no size");
    char *next;
    double wide = strtod(box + strlen("viewBox=\"0 0 "), &next);
    double high = strtod(next, NULL), millimetres = 10 * words->width;
    struct text text = { 0 }, size = { 0 };
    say(&text, "<title>");
    say_xml(&text, words->title);
    say(&text, "</title>\n<desc>");
    say_xml(&text, words->description);
    say(&text, "</desc>");
    say(&size, "width=\"%gmm\" height=\"%.2fmm\"\n ", millimetres,
        millimetres * high / wide);
    size_t place = (size_t)(box - bytes->at);
    enum status status =
        put_text(bytes, (size_t)(title - bytes->at),
                 (size_t)(end - title) + strlen("</desc>"), &text, error);
    if (status)
        memory_release(size.at);
    return status ? status : put_text(bytes, place, 0, &size, error);
}

static void big_endian(uint32_t number, uint8_t bytes[4])
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(number >> (24 - 8 * i));
}

/* A chunk after the header, which ends at byte 33. */
static enum status put_chunk(struct bytes *bytes, const char *name,
                             const void *data, size_t count,
                             struct error *error)
{
    enum { HEADER = 33, AROUND = 12 };
    uint8_t *chunk = memory_new(count + AROUND, 1);
    if (!chunk)
        return error_memory(error);
    big_endian((uint32_t)count, chunk);
    memcpy(chunk + 4, name, 4);
    memcpy(chunk + 8, data, count);
    big_endian(libdeflate_crc32(0, chunk + 4, count + 4), chunk + 8 + count);
    enum status status = put_in(bytes, HEADER, 0, chunk, count + AROUND, error);
    memory_release(chunk);
    return status;
}

/* UTF-8, not compressed, without a language. */
static enum status put_words(struct bytes *bytes, const char *keyword,
                             const char *words, struct error *error)
{
    size_t key = strlen(keyword), count = key + 5 + strlen(words);
    char *data = memory_new(count, 1);
    if (!data)
        return error_memory(error);
    memcpy(data, keyword, key);
    memcpy(data + key + 5, words, count - key - 5);
    enum status status = put_chunk(bytes, "iTXt", data, count, error);
    memory_release(data);
    return status;
}

/* gnuplot omits the size of a pixel. Its script sets 300 an inch: 11811 a
 * metre. */
static enum status describe_png(struct bytes *bytes,
                                const struct chart_words *words,
                                struct error *error)
{
    static const uint8_t size[] = { 0, 0, 0x2e, 0x23, 0, 0, 0x2e, 0x23, 1 };
    enum status status =
        put_words(bytes, "Description", words->description, error);
    if (!status)
        status = put_words(bytes, "Title", words->title, error);
    return status ? status : put_chunk(bytes, "pHYs", size, sizeof size, error);
}

/* Comments at the start of the file; no text has a line end. */
static enum status describe_tex(struct bytes *bytes,
                                const struct chart_words *words,
                                struct error *error)
{
    struct text text = { 0 };
    const char *line = find(bytes, 0, "\n");
    say(&text, "%%%% %s\n%%%% %s\n", words->title, words->description);
    return put_text(bytes, line ? (size_t)(line + 1 - bytes->at) : 0, 0, &text,
                    error);
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
                                const struct chart_words *words,
                                struct error *error)
{
    static const char *(*const fault_of[])(struct bytes *) = {
        [CHART_PDF] = fault_of_pdf,
        [CHART_SVG] = fault_of_svg,
        [CHART_PNG] = fault_of_png,
        [CHART_TEX] = fault_of_tex,
    };
    static enum status (*const describe[])(
        struct bytes *, const struct chart_words *, struct error *) = {
        [CHART_PDF] = describe_pdf,
        [CHART_SVG] = describe_svg,
        [CHART_PNG] = describe_png,
        [CHART_TEX] = describe_tex,
    };
    struct bytes bytes;
    enum status status = read_file(path, &bytes, error);
    if (!status) {
        const char *fault = fault_of[format](&bytes);
        if (fault)
            status = error_set(error, STATUS_FAILED,
                               "gnuplot's %s picture %s, and was not kept",
                               chart_format_names[format], fault);
        else if (words)
            status = describe[format](&bytes, words, error);
        if (!status)
            status = write_back(path, &bytes, error);
    }
    memory_release(bytes.at);
    return status;
}
