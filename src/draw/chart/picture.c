/* SPDX-License-Identifier: MIT */
/* Checks that a picture of gnuplot is complete, and writes its title, its size
 * and its sources into the file. */
#include "draw/chart/chart.h"

#include "base/memory.h"
#include "base/need.h"
#include "config.h"
#include "words/words.h"

#include <ctype.h>
#include <libdeflate.h>
#include <png.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAMON_QPDF
#include <qpdf/qpdf-c.h>
#endif

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
    else
        bytes->at = need_memory((size_t)size + 1, 1);
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
static void put_in(struct bytes *bytes, size_t place, size_t cut,
                   const void *out, size_t count)
{
    char *more = need_memory(bytes->count - cut + count + 1, 1);
    memcpy(more, bytes->at, place);
    memcpy(more + place, out, count);
    memcpy(more + place + count, bytes->at + place + cut,
           bytes->count - place - cut);
    memory_release(bytes->at);
    bytes->at = more;
    bytes->count += count - cut;
}

#ifdef HAMON_QPDF

/* Reads the file and the length of its first page's drawing, decompressed.
 * False: the file is not whole; nothing of it is reconstructed. Release *pdf
 * with qpdf_cleanup, after a failure too. */
static bool read_pdf(const struct bytes *bytes, qpdf_data *pdf, size_t *drawing)
{
    unsigned char *page = NULL;
    *pdf = qpdf_init();
    qpdf_silence_errors(*pdf);
    qpdf_set_suppress_warnings(*pdf, QPDF_TRUE);
    qpdf_set_attempt_recovery(*pdf, QPDF_FALSE);
    bool whole = ends(bytes, "%%EOF") &&
                 qpdf_read_memory(*pdf, "chart", bytes->at, bytes->count,
                                  NULL) == QPDF_SUCCESS &&
                 qpdf_oh_get_page_content_data(*pdf, qpdf_get_page_n(*pdf, 0),
                                               &page, drawing) == QPDF_SUCCESS;
    if (qpdf_has_error(*pdf)) /* printed by qpdf_cleanup if nobody asks */
        qpdf_get_error(*pdf);
    free(page);
    return whole;
}

/* The drawing of an empty page has some 20 bytes, that of axes without a curve
 * more than 2000. */
static const char *fault_of_pdf(const struct bytes *bytes)
{
    qpdf_data pdf;
    size_t drawing = 0;
    const char *fault = !read_pdf(bytes, &pdf, &drawing) ? "is not whole"
                        : drawing < 512                  ? "is blank"
                                                         : NULL;
    qpdf_cleanup(&pdf);
    return fault;
}

#else

/* The file of an empty page has less than 1200 bytes, that of axes without a
 * curve more than 5000, because it contains a font. */
static const char *fault_of_pdf(const struct bytes *bytes)
{
    if (!starts(bytes, "%PDF-") || !find(bytes, 0, "startxref") ||
        !ends(bytes, "%%EOF"))
        return "is not whole";
    return bytes->count < 2500 ? "is blank" : NULL;
}

#endif

static const char *fault_of_svg(const struct bytes *bytes)
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
    uint8_t *rgb = need_memory(pixels, 3);
    bool whole = png_image_finish_read(image, NULL, rgb, 0, NULL);
    for (size_t i = 1; i < pixels; i++)
        other += memcmp(rgb + 3 * i, rgb, 3) != 0;
    memory_release(rgb);
    if (!whole)
        return "is not whole";
    return other < pixels / 1000 ? "is blank" : NULL;
}

static const char *fault_of_png(const struct bytes *bytes)
{
    png_image image = { .version = PNG_IMAGE_VERSION };
    if (!png_image_begin_read_from_memory(&image, bytes->at, bytes->count))
        return "is not whole";
    const char *fault = fault_of_pixels(bytes, &image);
    png_image_free(&image);
    return fault;
}

static const char *fault_of_tex(const struct bytes *bytes)
{
    if (!starts(bytes, "\\begin{tikzpicture}") ||
        !find(bytes, 0, "\\end{tikzpicture}"))
        return "is not whole";
    return count(bytes, bytes->at, "\\draw") < 2 ? "is blank" : NULL;
}

/* ---- texts written into a picture ---- */

/* Text that grows. */
struct text {
    char *at; /* from need_grow */
    size_t count, room;
};

__attribute__((format(printf, 2, 3))) static void say(struct text *text,
                                                      const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    size_t more = (size_t)vsnprintf(NULL, 0, format, arguments);
    if (text->count + more >= text->room) {
        text->room = 2 * (text->count + more) + 64;
        text->at = need_grow(text->at, text->count, text->room, 1);
    }
    text->count += (size_t)vsnprintf(text->at + text->count,
                                     text->room - text->count, format, again);
    va_end(again);
    va_end(arguments);
}

static void put_text(struct bytes *bytes, size_t place, size_t cut,
                     struct text *text)
{
    put_in(bytes, place, cut, text->at, text->count);
    memory_release(text->at);
}

#ifdef HAMON_QPDF

/* The document's information is made anew: gnuplot's has the date. */
static enum status describe_pdf(struct bytes *bytes,
                                const struct chart_words *words,
                                struct error *error)
{
    qpdf_data pdf;
    size_t drawing;
    read_pdf(bytes, &pdf, &drawing);
    qpdf_oh info = qpdf_oh_new_dictionary(pdf);
    qpdf_oh_replace_key(pdf, info, "/Title",
                        qpdf_oh_new_unicode_string(pdf, words->title));
    qpdf_oh_replace_key(pdf, info, "/Subject",
                        qpdf_oh_new_unicode_string(pdf, words->description));
    if (!words_english())
        qpdf_oh_replace_key(pdf, qpdf_get_root(pdf), "/Lang",
                            qpdf_oh_new_unicode_string(pdf, words_language()));
    qpdf_oh_replace_key(pdf, qpdf_get_trailer(pdf), "/Info",
                        qpdf_make_indirect_object(pdf, info));
    qpdf_init_write_memory(pdf);
    qpdf_set_deterministic_ID(pdf, QPDF_TRUE);
    enum status status = STATUS_OK;
    if (qpdf_write(pdf) == QPDF_SUCCESS)
        put_in(bytes, 0, bytes->count, qpdf_get_buffer(pdf),
               qpdf_get_buffer_length(pdf));
    else
        status = error_set(error, STATUS_FAILED, "gnuplot's pdf picture: %s",
                           qpdf_get_error_full_text(pdf, qpdf_get_error(pdf)));
    qpdf_cleanup(&pdf);
    return status;
}

#else

/* Only the date is removed: text of another length would displace the objects
 * that follow it. */
static enum status describe_pdf(struct bytes *bytes,
                                const struct chart_words *words,
                                struct error *error)
{
    char *date = find(bytes, 0, "/CreationDate (D:");
    char *end = date ? strchr(date, ')') : NULL;
    if (end)
        memset(date, ' ', (size_t)(end + 1 - date));
    return STATUS_OK;
}

#endif

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
    if (!words_english())
        say(&size, "xml:lang=\"%s\" ", words_language());
    say(&size, "width=\"%gmm\" height=\"%.2fmm\"\n ", millimetres,
        millimetres * high / wide);
    size_t place = (size_t)(box - bytes->at);
    put_text(bytes, (size_t)(title - bytes->at),
             (size_t)(end - title) + strlen("</desc>"), &text);
    put_text(bytes, place, 0, &size);
    return STATUS_OK;
}

static void big_endian(uint32_t number, uint8_t bytes[4])
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(number >> (24 - 8 * i));
}

/* A chunk after the header, which ends at byte 33. */
static void put_chunk(struct bytes *bytes, const char *name, const void *data,
                      size_t count)
{
    enum { HEADER = 33, AROUND = 12 };
    uint8_t *chunk = need_memory(count + AROUND, 1);
    big_endian((uint32_t)count, chunk);
    memcpy(chunk + 4, name, 4);
    memcpy(chunk + 8, data, count);
    big_endian(libdeflate_crc32(0, chunk + 4, count + 4), chunk + 8 + count);
    put_in(bytes, HEADER, 0, chunk, count + AROUND);
    memory_release(chunk);
}

/* UTF-8, not compressed, without a language. */
static void put_words(struct bytes *bytes, const char *keyword,
                      const char *words)
{
    size_t key = strlen(keyword), count = key + 5 + strlen(words);
    char *data = need_memory(count, 1);
    memcpy(data, keyword, key);
    memcpy(data + key + 5, words, count - key - 5);
    put_chunk(bytes, "iTXt", data, count);
    memory_release(data);
}

/* gnuplot omits the size of a pixel. Its script sets 300 an inch: 11811 a
 * metre. */
static enum status describe_png(struct bytes *bytes,
                                const struct chart_words *words,
                                struct error *error)
{
    static const uint8_t size[] = { 0, 0, 0x2e, 0x23, 0, 0, 0x2e, 0x23, 1 };
    if (!words_english())
        put_words(bytes, "Language", words_language());
    put_words(bytes, "Description", words->description);
    put_words(bytes, "Title", words->title);
    put_chunk(bytes, "pHYs", size, sizeof size);
    return STATUS_OK;
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

/* Comments at the start of the file; no text has a line end. */
static enum status describe_tex(struct bytes *bytes,
                                const struct chart_words *words,
                                struct error *error)
{
    struct text text = { 0 };
    hide_date(bytes);
    const char *line = find(bytes, 0, "\n");
    say(&text, "%%%% %s\n%%%% %s\n", words->title, words->description);
    if (!words_english())
        say(&text, "%%%% Language: %s\n", words_language());
    put_text(bytes, line ? (size_t)(line + 1 - bytes->at) : 0, 0, &text);
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
                                const struct chart_words *words,
                                struct error *error)
{
    static const char *(*const fault_of[])(const struct bytes *) = {
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
        if (!status && words)
            status = write_back(path, &bytes, error);
    }
    memory_release(bytes.at);
    return status;
}
