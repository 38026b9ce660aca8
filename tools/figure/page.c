/* SPDX-License-Identifier: MIT */
/* The page: panels in rows, their letters, and what a picture says of itself.
 */
#include "tools/figure/composition.h"

#include "base/version.h"

#include <math.h>
#include <string.h>

static const double letter_size = 8, letter_line = 11, row_gap = 8; /* points */

/* Panels in one row of the page begin at the same height. */
void composition_lay_out(struct composition *figure)
{
    const double column =
        points(panel_width(figure, &(struct panel){ .columns = 1 }));
    const double gap =
        figure->columns > 1
            ? (points(figure->width) - (double)figure->columns * column) /
                  (double)(figure->columns - 1)
            : 0;
    double top = 0, high = 0;
    int64_t used = 0;
    for (size_t k = 0; k < figure->count; k++) {
        struct panel *panel = &figure->panels[k];
        struct panel_place *place = &panel->place;
        if (used + panel->columns > figure->columns) {
            top += high + row_gap;
            high = 0;
            used = 0;
        }
        place->left = (double)used * (column + gap);
        place->top = top + letter_line;
        high = fmax(high, letter_line + place->height);
        used += panel->columns;
    }
    figure->height = top + high;
}

enum status letters_page(const struct composition *figure,
                         const struct page_format *format, FILE *file,
                         struct page **page, struct error *error)
{
    static const uint8_t black[3] = { 0 };
    const double width = points(figure->width);
    const struct page_size size = { width, figure->height, width, 0 };
    enum status status = page_open(format, &size, NULL, file, page, error);
    for (size_t k = 0; k < figure->count && !status; k++) {
        const struct panel_place *place = &figure->panels[k].place;
        const char letter[] = { '(', (char)('a' + k), ')', '\0' };
        const double at[2] = { place->left,
                               place->top + letter_size - letter_line };
        page_text(*page, letter_size, letter, at, false, black);
    }
    return status;
}

void figure_notes(const struct composition *figure,
                  struct image_note notes[NOTES])
{
    static char software[160];
    snprintf(software, sizeof software, "hamon-figure %s, commit %s",
             hamon_version, hamon_commit);
    const struct image_note all[NOTES] = {
        { "Title", figure->name },
        { "Software", software },
        { "Recordings",
          figure->recordings_note ? figure->recordings_note : "none" },
        { "Panels", figure->panels_note },
    };
    memcpy(notes, all, sizeof all);
}
