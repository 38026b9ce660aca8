/* SPDX-License-Identifier: MIT */
/* Several SVG pictures in one: each becomes an <svg> of its own, unchanged
 * except for its size and its identifiers, which must differ from the
 * others'. */
#include "tools/figure/composition.h"

#include "base/inputs.h"
#include "base/memory.h"
#include "base/need.h"

#include <string.h>

enum { LARGEST_PANEL = 1 << 30 }; /* bytes */

static bool starts(const char *at, const char *text)
{
    return strncmp(at, text, strlen(text)) == 0;
}

/* Copies a tag, which begins at `at`, with a prefix before each identifier and
 * each reference to one; returns the position after it. */
static const char *copy_tag(const char *at, size_t number, FILE *out)
{
    static const char *const before[] = { " id='",    " id=\"", "href='#",
                                          "href=\"#", "url(#",  "url('#",
                                          "\tid='",   "\nid='" };
    while (*at && *at != '>') {
        size_t length = 1;
        bool found = false;
        for (size_t i = 0; i < sizeof before / sizeof *before && !found; i++)
            if ((found = starts(at, before[i])))
                length = strlen(before[i]);
        fwrite(at, 1, length, out);
        if (found)
            fprintf(out, "p%zu-", number);
        at += length;
    }
    return at;
}

static void copy_body(const char *at, size_t number, FILE *out)
{
    while (*at) {
        if (*at == '<')
            at = copy_tag(at, number, out);
        if (*at)
            fputc(*at++, out);
    }
}

/* The attributes of the root, except its size. */
static void copy_root(const char *at, const char *end, FILE *out)
{
    while (at < end) {
        at += strspn(at, " \t\r\n");
        const char *value = memchr(at, '=', (size_t)(end - at));
        const char *last =
            value && value + 2 < end
                ? memchr(value + 2, value[1], (size_t)(end - value - 2))
                : NULL;
        if (!last)
            return;
        if (!starts(at, "width=") && !starts(at, "height="))
            fprintf(out, " %.*s", (int)(last + 1 - at), at);
        at = last + 1;
    }
}

static enum status add_panel(const struct composition *figure, size_t number,
                             FILE *out, struct error *error)
{
    const struct panel_place *place = &figure->panels[number].place;
    char *path = panel_path(figure, number, "svg"), *text = NULL;
    size_t length;
    enum status status =
        inputs_read(path, LARGEST_PANEL, &text, &length, error);
    const char *root = status ? NULL : strstr(text, "<svg");
    const char *end = root ? strchr(root, '>') : NULL;
    if (!status && !end)
        status =
            error_set(error, STATUS_FAILED, "%s: not an SVG picture", path);
    if (!status) {
        fprintf(out,
                "<svg x=\"%.3f\" y=\"%.3f\" width=\"%.3f\" height=\"%.3f\"",
                place->left, place->top, place->width, place->height);
        /* The line settings of our root must not apply to the panel. */
        for (size_t i = 0; i < 2; i++) {
            static const char *const plain[][2] = {
                { "stroke-linecap", "butt" },
                { "stroke-linejoin", "miter" },
            };
            const char *given = strstr(root, plain[i][0]);
            if (!given || given > end)
                fprintf(out, " %s=\"%s\"", plain[i][0], plain[i][1]);
        }
        copy_root(root + strlen("<svg"), end, out);
        copy_body(end, number, out);
    }
    memory_release(text);
    memory_release(path);
    return status;
}

static enum status compose(const struct composition *figure, FILE *file,
                           struct error *error)
{
    struct page *page = NULL;
    struct image_note notes[NOTES];
    figure_notes(figure, notes);
    enum status status = letters_page(figure, &page_svg, file, &page, error);
    /* The titles are first, because their page covers all of this one. */
    for (size_t k = 0; k < figure->drawn && !status; k++)
        status = add_panel(figure, (k + figure->drawn - 1) % figure->drawn,
                           file, error);
    if (!status)
        status = page_end(page, notes, NOTES, error);
    page_release(page);
    return status;
}

enum status svg_compose(const struct composition *figure, struct error *error)
{
    char *path = work_path(figure, "figure.svg");
    FILE *file = fopen(path, "wb");
    enum status status = file ? compose(figure, file, error)
                              : error_system(error, STATUS_DISK, "%s", path);
    if (file && fclose(file) != 0 && !status)
        status = error_system(error, STATUS_DISK, "%s", path);
    memory_release(path);
    return status;
}
