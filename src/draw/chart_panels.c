/* SPDX-License-Identifier: MIT */
/* Which panels of a figure are drawn, and what its script says of each: its
 * shape, its legend, and whose legend that is. */
#include "draw/chart.h"

#include <stdio.h>
#include <string.h>

static enum status no_panel(const char *text, const struct chart_figure *figure,
                            struct error *error)
{
    char there[400] = "";
    size_t used = 0;
    for (size_t i = 0; i < figure->count && used < sizeof there; i++)
        used += (size_t)snprintf(there + used, sizeof there - used, "%s%c (%s)",
                                 i ? ", " : "", (char)('a' + i),
                                 figure->panels[i].name);
    return error_set(error, STATUS_INPUT,
                     "--panels '%.60s': letters with commas between are "
                     "wanted; this chart has %s",
                     text, there);
}

enum status chart_panels_choose(const char *text, struct chart_figure *figure,
                                struct error *error)
{
    bool chosen[CHART_PANELS] = { false };
    for (const char *at = text;; at += 2) {
        if (at[0] < 'a' || (size_t)(at[0] - 'a') >= figure->count ||
            (at[1] && at[1] != ','))
            return no_panel(text, figure, error);
        chosen[at[0] - 'a'] = true;
        if (!at[1])
            break;
    }
    size_t count = 0;
    for (size_t i = 0; i < figure->count; i++)
        if (chosen[i])
            figure->panels[count++] = figure->panels[i];
    figure->count = count;
    return STATUS_OK;
}

/* "(a)–(d), (f)": the panels of these. */
static void write_letters(FILE *file, const bool *these, size_t count)
{
    const char *between = "";
    for (size_t i = 0; i < count; i++) {
        size_t last = i;
        if (!these[i])
            continue;
        while (last + 1 < count && these[last + 1])
            last++;
        fprintf(file, "%s(%c)", between, (char)('a' + i));
        if (last > i)
            fprintf(file, "%s(%c)", last > i + 1 ? "–" : ", ",
                    (char)('a' + last));
        between = ", ";
        i = last;
    }
}

/* The panels that go by the same legend as panel i; false: an earlier one has
 * it. */
static bool share_legend(const struct chart_figure *figure, size_t i,
                         bool *these, size_t *sharing)
{
    const char *legend = figure->panels[i].legend;
    bool first = legend != NULL;
    *sharing = 0;
    for (size_t j = 0; j < figure->count && legend; j++) {
        these[j] = figure->panels[j].legend == legend;
        *sharing += these[j];
        first = first && (!these[j] || j >= i);
    }
    return first;
}

void chart_panels_write(const struct chart_figure *figure, FILE *file)
{
    bool series[CHART_PANELS];
    size_t with = 0;
    for (size_t i = 0; i < figure->count; i++)
        with += series[i] = !figure->panels[i].own_lines;
    if (with == 0)
        fputs("series_block = -1 # no panel draws them\n", file);
    if (with && with < figure->count) {
        fputs("heading[2] = '", file);
        write_letters(file, series, figure->count);
        fputs("'\n", file);
    }
    for (size_t i = 0; i < figure->count; i++) {
        const struct chart_panel *panel = &figure->panels[i];
        bool these[CHART_PANELS] = { false };
        size_t sharing;
        bool first = share_legend(figure, i, these, &sharing);
        fprintf(file,
                "# ---- %s ----\nblock = %zu\npolar[block] = %d\n"
                "aspect[block] = %s\n",
                panel->name, i + 1, panel->polar,
                panel->shape ? panel->shape : "0");
        if (!first)
            continue;
        if (panel->own_lines && (sharing > 1 || with)) {
            fputs("heading[block + 2] = '", file);
            write_letters(file, these, figure->count);
            fputs("'\n", file);
        }
        fputs(panel->legend, file);
    }
}
