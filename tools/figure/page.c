/* SPDX-License-Identifier: MIT */
/* The page: panels in rows, their letters, and what a picture says of itself.
 */
#include "tools/figure/composition.h"

#include "base/memory.h"
#include "base/version.h"
#include "draw/raster/text.h"
#include "words/words.h"

#include <math.h>
#include <string.h>

static const double letter_size = 8, letter_line = 11, row_gap = 8; /* points */
static const double title_size = 7, title_gap = 4;
static const uint8_t ink[3] = { 0x22, 0x22, 0x22 };

static double column_left(const struct composition *figure, int64_t column)
{
    const double width =
        points(panel_width(figure, &(struct panel){ .columns = 1 }));
    return figure->columns > 1
               ? (double)column * (points(figure->width) - width) /
                     (double)(figure->columns - 1)
               : 0;
}

/* Panels in one row of the page begin at the same height. The strip is below
 * its row. */
void composition_lay_out(struct composition *figure)
{
    struct panel *strip =
        figure->drawn > figure->count ? &figure->panels[figure->count] : NULL;
    double top = 0, high = 0;
    for (size_t k = 0; k < figure->count; k++) {
        struct panel *panel = &figure->panels[k];
        struct panel_place *place = &panel->place;
        place->left = column_left(figure, panel->first);
        place->top = top + letter_line;
        high = fmax(high, letter_line + place->height);
        if (k + 1 < figure->count && panel[1].row == panel->row)
            continue;
        top += high;
        if (strip && strip->row == panel->row) {
            strip->place.left = column_left(figure, strip->first);
            strip->place.top = top;
            top += strip->place.height;
        }
        figure->height = top;
        top += row_gap;
        high = 0;
    }
}

static void make_letter(size_t number, char letter[4])
{
    snprintf(letter, 4, "(%c)", (char)('a' + number));
}

/* The baseline of the line above a panel. */
static double baseline(const struct panel *panel)
{
    return panel->place.top + letter_size - letter_line;
}

enum status letters_page(const struct composition *figure,
                         const struct page_format *format, FILE *file,
                         struct page **page, struct error *error)
{
    const double width = points(figure->width);
    const struct page_size size = { width, figure->height, width, 0 };
    enum status status =
        page_open(format, &size, font_bold(), file, page, error);
    for (size_t k = 0; k < figure->count && !status; k++) {
        char letter[4];
        const struct panel *panel = &figure->panels[k];
        const double at[2] = { panel->place.left, baseline(panel) };
        make_letter(k, letter);
        page_text(*page, letter_size, letter, at, false, ink);
    }
    return status;
}

/* What is shown, in one line, cut to the panel's width. */
static void draw_title(const struct panel *panel, double letter,
                       struct font *font, struct page *page)
{
    char text[512];
    const double at[2] = { panel->place.left + letter + title_gap,
                           baseline(panel) };
    snprintf(text, sizeof text, "%s",
             *panel->title ? panel->title : panel->measured.caption);
    text_fit(font, title_size, panel->place.width - letter - title_gap, text);
    page_text(page, title_size, text, at, false, ink);
}

static enum status draw_titles(const struct composition *figure,
                               const struct page_format *format,
                               const char *path, struct font *fonts[2],
                               struct error *error)
{
    const double width = points(figure->width);
    const struct page_size size = { width, figure->height, width, 0 };
    struct page *page = NULL;
    FILE *file = fopen(path, "wb");
    if (!file)
        return error_system(error, STATUS_DISK, "%s", path);
    enum status status = page_open(format, &size, NULL, file, &page, error);
    for (size_t k = 0; k < figure->count && !status; k++) {
        char letter[4];
        make_letter(k, letter);
        draw_title(&figure->panels[k],
                   text_width(fonts[1], letter_size, letter), fonts[0], page);
    }
    if (!status)
        status = page_end(page, NULL, 0, error);
    page_release(page);
    return fclose(file) != 0 && !status
               ? error_system(error, STATUS_DISK, "%s", path)
               : status;
}

enum status titles_draw(struct composition *figure, struct error *error)
{
    static const struct {
        const char *name;
        const struct page_format *page;
    } formats[] = { { "pdf", &page_pdf }, { "svg", &page_svg } };
    const size_t number = figure->drawn++;
    struct font *fonts[2] = { NULL };
    figure->panels[number].place =
        (struct panel_place){ 0, 0, points(figure->width), figure->height };
    enum status status = font_open(NULL, &fonts[0], error);
    if (!status)
        status = font_open(font_bold(), &fonts[1], error);
    for (size_t i = 0; i < sizeof formats / sizeof *formats && !status; i++) {
        char *path = panel_path(figure, number, formats[i].name);
        status = draw_titles(figure, formats[i].page, path, fonts, error);
        memory_release(path);
    }
    if (!status)
        lacking_take(&figure->lacking, font_lacks(fonts[0]));
    font_release(fonts[0]);
    font_release(fonts[1]);
    return status;
}

void figure_notes(const struct composition *figure,
                  struct image_note notes[NOTES])
{
    static char software[160];
    snprintf(software, sizeof software, "hamon-figure %s, commit %s%s%s",
             hamon_version, hamon_commit, words_english() ? "" : "; language ",
             words_english() ? "" : words_language());
    const struct image_note all[NOTES] = {
        { "Title", figure->name },
        { "Software", software },
        { "Recordings",
          figure->recordings_note ? figure->recordings_note : "none" },
        { "Panels", figure->panels_note },
    };
    memcpy(notes, all, sizeof all);
}
