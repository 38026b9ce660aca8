/* SPDX-License-Identifier: MIT */
/* BASE.gp: the panels of a figure, the positions of panels and legends on a
 * page of any width, and the commands that draw them. */
#include "draw/chart/chart.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/utf8.h"

#include <math.h>
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
                     "--panels '%.60s': letters or names separated by commas "
                     "are required; this chart has %s",
                     text, there);
}

/* The panel of a letter, or of a name; count: there is none. */
static size_t find_panel(const char *text, size_t length,
                         const struct chart_figure *figure)
{
    size_t i = 0;
    if (length == 1)
        return text[0] >= 'a' && (size_t)(text[0] - 'a') < figure->count
                   ? (size_t)(text[0] - 'a')
                   : figure->count;
    while (i < figure->count &&
           (strlen(figure->panels[i].name) != length ||
            strncmp(figure->panels[i].name, text, length) != 0))
        i++;
    return i;
}

enum status chart_panels_choose(const char *text, struct chart_figure *figure,
                                struct error *error)
{
    bool chosen[CHART_PANELS] = { false };
    for (const char *at = text;;) {
        const size_t length = strcspn(at, ",");
        const size_t panel = find_panel(at, length, figure);
        if (panel == figure->count)
            return no_panel(text, figure, error);
        chosen[panel] = true;
        at += length;
        if (!*at++)
            break;
    }
    size_t count = 0;
    for (size_t i = 0; i < figure->count; i++)
        if (chosen[i])
            figure->panels[count++] = figure->panels[i];
    figure->count = count;
    return STATUS_OK;
}

/* "(a)–(d), (f)": the letters of these panels. */
static void name_panels(const bool *these, size_t count, char *text,
                        size_t size)
{
    const char *between = "";
    size_t used = 0;
    for (size_t i = 0; i < count && used < size; i++) {
        size_t last = i;
        if (!these[i])
            continue;
        while (last + 1 < count && these[last + 1])
            last++;
        used += (size_t)snprintf(text + used, size - used, "%s(%c)", between,
                                 (char)('a' + i));
        if (last > i && used < size)
            used +=
                (size_t)snprintf(text + used, size - used, "%s(%c)",
                                 last > i + 1 ? "–" : ", ", (char)('a' + last));
        between = ", ";
        i = last;
    }
}

/* ---- the layout, in centimetres from the left and the top ---- */

/* The distance between lines of text; the length of a legend's line and symbol,
 * with the space after it; a letter's height in a legend and in the caption. */
static const double pitch = .34, sample = .85, legend_em = .257,
                    caption_em = .236;

/* Legends go below a panel (its index), below all panels, or nowhere. */
enum { BELOW = CHART_PANELS, CAPTION, GROUPS, NOWHERE };

/* A line of a legend or of the caption. */
struct piece {
    int group;
    int line, point; /* styles; 0: none */
    int number;      /* before the text; 0: none */
    double x, y;     /* the text's left end, and the line's top */
    const char *text;
    size_t bytes;
};

struct frame_of_panel {
    double left, right, top, bottom;
    double x, share; /* its part of the page: left end, width */
    size_t row;
};

struct layout {
    const struct chart *chart;
    const struct chart_figure *figure;
    size_t across; /* number of panels in a row */
    double height;
    double squeeze; /* factor of the panels' heights, for a page of A4 */
    size_t rows;
    double cell; /* the width left empty at the end of the last row, or 0 */
    bool in_cell[GROUPS]; /* legends placed in it */
    struct frame_of_panel frames[CHART_PANELS];
    char headings[GROUPS][80]; /* the panels that share a legend; "": all */
    double depth[GROUPS];
    const struct chart_entry **entries; /* of the present group */
    struct piece *pieces;
    size_t piece_count, piece_room;
};

static void add_piece(struct layout *layout, const struct piece *piece)
{
    layout->pieces = need_more(layout->pieces, layout->piece_count,
                               &layout->piece_room, sizeof *layout->pieces);
    layout->pieces[layout->piece_count++] = *piece;
}

/* The minimum width of a panel's part of the page. Two polar panels share a
 * column, if they then fill the page's columns. */
static double share(const struct layout *layout, size_t panel)
{
    const struct chart_figure *figure = layout->figure;
    size_t polars = 0;
    for (size_t k = 0; k < figure->count; k++)
        polars += figure->panels[k].polar;
    bool half = polars >= 2 * layout->across && figure->panels[panel].polar;
    return layout->chart->width * ((half ? .5 : 1) / (double)layout->across);
}

/* Bytes of the first `count` characters. */
static size_t bytes_of(const char *text, size_t count)
{
    size_t bytes = 0;
    for (; text[bytes]; bytes++)
        if ((text[bytes] & 0xc0) != 0x80 && count-- == 0)
            break;
    return bytes;
}

/* The last of these letters among the characters from `from` to `to`, counted
 * from 1; 0: none. */
static size_t last_of(const char *text, const char *letters, size_t from,
                      size_t to)
{
    for (size_t at = to; at && at >= from; at--)
        if (strchr(letters, text[bytes_of(text, at - 1)]))
            return at;
    return 0;
}

/* The entry's text in lines of the available width; *y moves down. */
static void break_lines(struct layout *layout, const struct chart_entry *entry,
                        struct piece piece, double room, double *y)
{
    size_t count = utf8_count(entry->text), fit = count;
    if (entry->ems > room)
        fit = (size_t)fmax(4, floor((double)count * room / entry->ems));
    for (const char *rest = entry->text; *rest; rest += piece.bytes) {
        size_t cut = utf8_count(rest);
        if (cut > fit) {
            cut = last_of(rest, " ,", fit / 2, fit);
            cut = cut ? cut : last_of(rest, "-/=", fit / 2, fit);
            cut = cut ? cut : fit;
        }
        piece.y = *y;
        piece.text = rest;
        piece.bytes = bytes_of(rest, cut);
        add_piece(layout, &piece);
        piece.line = piece.point = piece.number = 0;
        *y += pitch;
    }
}

/* Does the panel need the legend of the series? A single line needs none. */
static bool names_series(const struct layout *layout, size_t k)
{
    const struct chart_panel *panel = &layout->figure->panels[k];
    return layout->chart->series_count > 1 &&
           (!panel->own_only || panel->numbers);
}

/* The group that has the legend of the series, or NOWHERE. */
static int group_of_series(const struct layout *layout)
{
    const struct chart_figure *figure = layout->figure;
    int group = NOWHERE;
    for (size_t k = 0; k < figure->count; k++)
        if (names_series(layout, k))
            group = BELOW;
    for (size_t k = 0; k < figure->count && layout->across == 1; k++)
        if (figure->panels[k].series_below)
            group = (int)k;
    return group;
}

/* A legend that several panels share belongs to the first one. */
static int group_of(const struct layout *layout, int legend)
{
    if (legend == CHART_OF_SERIES)
        return group_of_series(layout);
    if (legend <= CHART_OF_CAPTION) {
        int last = layout->chart->caption == CHART_FULL    ? CHART_OF_SOURCE
                   : layout->chart->caption == CHART_SHORT ? CHART_OF_CAPTION
                                                           : CHART_OF_SERIES;
        return legend >= last ? CAPTION : NOWHERE;
    }
    for (size_t k = 0; k < layout->figure->count; k++)
        if (layout->figure->panels[k].legend == legend)
            return (int)k;
    return NOWHERE;
}

/* Fills layout->entries with the entries of a group, those of the panel's own
 * first; returns their number. */
static size_t find_entries(struct layout *layout, int group)
{
    const struct chart *chart = layout->chart;
    size_t count = 0;
    for (int series = 0; series < 2; series++)
        for (size_t i = 0; i < chart->entry_count; i++) {
            const struct chart_entry *entry = &chart->entries[i];
            if (group_of(layout, entry->legend) == group &&
                (entry->legend == CHART_OF_SERIES) == series)
                layout->entries[count++] = entry;
        }
    return count;
}

/* Does a panel have the series' numbers as its abscissa? */
static bool has_numbers(const struct layout *layout)
{
    bool any = false;
    for (size_t k = 0; k < layout->figure->count; k++)
        any |= layout->figure->panels[k].numbers;
    return any;
}

static double ems_of(const struct layout *layout,
                     const struct chart_entry *entry)
{
    const double number = 1.8; /* "12: " */
    bool numbered = entry->legend == CHART_OF_SERIES && has_numbers(layout);
    return entry->ems + (numbered ? number : 0);
}

/* A series' number, which is its style; if panels show nothing else of the
 * series, no sample of the line. */
static void number_piece(const struct layout *layout, struct piece *piece)
{
    bool drawn = false;
    for (size_t k = 0; k < layout->figure->count; k++)
        drawn |= !layout->figure->panels[k].own_only;
    if (has_numbers(layout))
        piece->number = piece->line;
    if (!drawn)
        piece->line = piece->point = 0;
}

/* One legend in as many columns as its longest entry allows. */
static void place_group(struct layout *layout, int group, double width)
{
    size_t count = find_entries(layout, group);
    const struct chart_entry *const *entries = layout->entries;
    bool caption = group == CAPTION;
    double room = width - .4, em = caption ? caption_em : legend_em;
    double before = caption ? 0 : sample, longest = 0, top = 0;
    if (!count)
        return;
    for (size_t i = 0; i < count; i++)
        longest = fmax(longest, ems_of(layout, entries[i]));
    size_t columns =
        caption ? 1 : (size_t)((room + .2) / (before + em * longest + .2));
    columns = columns < 1 ? 1 : columns > count ? count : columns;
    size_t rows = (count + columns - 1) / columns;
    columns = (count + rows - 1) / rows;
    const char *heading = layout->headings[group];
    if (!caption && *heading) {
        add_piece(layout, &(struct piece){ .group = group,
                                           .text = heading,
                                           .bytes = strlen(heading) });
        top = pitch;
    }
    double y = top;
    for (size_t i = 0; i < count; i++) {
        double x = (double)(i / rows) * (room + .2) / (double)columns;
        if (columns > 1)
            y = top + (double)(i % rows) * pitch;
        struct piece piece = { .group = group,
                               .line = entries[i]->line,
                               .point = entries[i]->point,
                               .x = x + before };
        if (entries[i]->legend == CHART_OF_SERIES)
            number_piece(layout, &piece);
        break_lines(layout, entries[i], piece,
                    columns > 1 ? INFINITY
                                : (room - before) / em + entries[i]->ems -
                                      ems_of(layout, entries[i]),
                    &y);
    }
    layout->depth[group] = (columns > 1 ? top + (double)rows * pitch : y) + .15;
}

/* A legend names its panels, if it is not for all. */
static void name_legends(struct layout *layout)
{
    const struct chart_figure *figure = layout->figure;
    bool these[CHART_PANELS];
    bool others = false;
    size_t with = 0;
    memset(layout->headings, 0, sizeof layout->headings);
    for (size_t k = 0; k < figure->count; k++) {
        with += these[k] = names_series(layout, k);
        others |= figure->panels[k].own_only && figure->panels[k].legend;
    }
    if (with && (with < figure->count || others))
        name_panels(these, figure->count, layout->headings[BELOW],
                    sizeof layout->headings[BELOW]);
    for (size_t k = 0; k < figure->count; k++) {
        const struct chart_panel *panel = &figure->panels[k];
        size_t sharing = 0;
        for (size_t j = 0; j < figure->count; j++)
            sharing += these[j] = figure->panels[j].legend == panel->legend;
        if (panel->own_only && (sharing > 1 || with))
            name_panels(these, figure->count, layout->headings[k],
                        sizeof layout->headings[k]);
    }
}

static void move_group(struct layout *layout, int group, double x, double y)
{
    for (size_t i = 0; i < layout->piece_count; i++)
        if (layout->pieces[i].group == group) {
            layout->pieces[i].x += x;
            layout->pieces[i].y += y;
        }
}

/* The row of each panel on the page, and its left edge. */
static void find_rows(struct layout *layout)
{
    double width = layout->chart->width, x = 0;
    layout->rows = 1;
    for (size_t k = 0; k < layout->figure->count; k++) {
        struct frame_of_panel *frame = &layout->frames[k];
        frame->share = share(layout, k);
        if (x + frame->share > width + .1) {
            x = 0;
            layout->rows++;
        }
        frame->x = x;
        frame->row = layout->rows - 1;
        x += frame->share;
    }
    layout->cell = width - x > .1 ? width - x : 0;
}

/* The sizes of a panel: the room to the left and right of its axes, and the
 * width and height of the axes. */
static double beside(const struct chart_panel *panel)
{
    return panel->polar ? .15 : 1.4;
}

static double room_of(const struct layout *layout, size_t k)
{
    const struct chart_panel *panel = &layout->figure->panels[k];
    return layout->frames[k].share - beside(panel) - (panel->polar ? .15 : .3);
}

static double high_of(const struct layout *layout, size_t k)
{
    const struct chart_panel *panel = &layout->figure->panels[k];
    double plain = layout->chart->width < 14                             ? 3.3
                   : layout->frames[k].share < layout->chart->width - .1 ? 4.2
                                                                         : 6.5;
    double high = plain, highest = layout->across > 1 ? 7 : 6;
    if (panel->shape > 0)
        high = fmin(room_of(layout, k) * panel->shape, highest);
    return high * layout->squeeze;
}

/* Plain panels are as high as the highest one in their row. */
static double high_of_row(const struct layout *layout, size_t row)
{
    double high = 0;
    for (size_t k = 0; k < layout->figure->count; k++)
        if (layout->frames[k].row == row)
            high = fmax(high, high_of(layout, k));
    return high;
}

/* The room above and below a panel's axes: an axis without a name has no
 * numbers. */
static const double above = .55;

static double under(const struct chart_panel *panel)
{
    return panel->polar ? .1 : panel->x && *panel->x ? 1.02 : .25;
}

static size_t count_entries(const struct layout *layout, int group)
{
    size_t count = 0;
    for (size_t i = 0; i < layout->chart->entry_count; i++)
        count += group_of(layout, layout->chart->entries[i].legend) == group;
    return count;
}

/* Without samples the legend is a note, to be read with its panel. */
static bool has_samples(const struct layout *layout, int group)
{
    const struct chart *chart = layout->chart;
    for (size_t i = 0; i < chart->entry_count; i++) {
        const struct chart_entry *entry = &chart->entries[i];
        if (group_of(layout, entry->legend) == group &&
            (entry->line || entry->point))
            return true;
    }
    return false;
}

/* Puts one legend or the caption into the empty cell, if there is room; *used
 * moves down. A legend that was below its only panel must then name it, if the
 * panels have letters. */
static void fill_with(struct layout *layout, int group, double room,
                      double *used)
{
    size_t before = layout->piece_count;
    size_t count = count_entries(layout, group);
    bool own = group < BELOW && !*layout->headings[group];
    if (own && !has_samples(layout, group))
        return;
    if (own && layout->figure->count > 1)
        snprintf(layout->headings[group], sizeof layout->headings[group],
                 "(%c)", (char)('a' + group));
    place_group(layout, group, layout->cell);
    layout->in_cell[group] = count && *used + layout->depth[group] <= room;
    if (layout->in_cell[group]) {
        *used += layout->depth[group];
        return;
    }
    layout->piece_count = before;
    layout->depth[group] = 0;
    if (own)
        *layout->headings[group] = '\0';
}

/* Legends and the caption are placed in the empty cell of the last row, if
 * there is one; if none fits into it, the panels of the row are widened. */
static void fill_cell(struct layout *layout)
{
    size_t count = layout->figure->count;
    double room = high_of_row(layout, layout->rows - 1) + 1;
    double used = 0;
    if (layout->cell > 0) {
        fill_with(layout, BELOW, room, &used);
        for (size_t k = 0; k < count; k++)
            fill_with(layout, (int)k, room, &used);
        fill_with(layout, CAPTION, room, &used);
    }
    if (used > 0 || !(layout->cell > 0))
        return;
    double grown = layout->chart->width / (layout->chart->width - layout->cell);
    for (size_t k = 0; k < count; k++) {
        struct frame_of_panel *frame = &layout->frames[k];
        if (frame->row < layout->rows - 1)
            continue;
        frame->x *= grown;
        frame->share *= grown;
    }
}

static void place_panel(struct layout *layout, size_t k, double y)
{
    const struct chart_panel *panel = &layout->figure->panels[k];
    struct frame_of_panel *frame = &layout->frames[k];
    double room = room_of(layout, k), wide = room;
    double high =
        panel->shape > 0 ? high_of(layout, k) : high_of_row(layout, frame->row);
    if (panel->shape > 0)
        wide = high / panel->shape;
    frame->left = frame->x + beside(panel) + (room - wide) / 2;
    frame->right = frame->left + wide;
    frame->top = y + above;
    frame->bottom = frame->top + high;
}

static void place_panels(struct layout *layout)
{
    double y = .1, lowest = y;
    for (size_t k = 0; k < layout->figure->count; k++) {
        const struct frame_of_panel *frame = &layout->frames[k];
        if (k && frame->row > frame[-1].row)
            y = lowest;
        place_panel(layout, k, y);
        double below = frame->bottom + under(&layout->figure->panels[k]);
        bool away = layout->in_cell[k];
        lowest = fmax(lowest, below + (away ? 0 : layout->depth[k]));
        if (!away)
            move_group(layout, (int)k, frame->x + .2, below);
    }
    double side = y + above;
    for (int group = 0; group <= CAPTION; group++)
        if (layout->in_cell[group]) {
            move_group(layout, group, layout->chart->width - layout->cell + .2,
                       side);
            side += layout->depth[group];
        }
    lowest = fmax(lowest, side);
    for (int group = BELOW; group <= CAPTION; group++)
        if (!layout->in_cell[group]) {
            move_group(layout, group, .2, lowest);
            lowest += layout->depth[group];
        }
    layout->height = lowest + .05;
}

/* The legend of a panel is as wide as the panel and the following panels of the
 * row that share it. */
static double legend_width(const struct layout *layout, size_t k)
{
    const struct chart_figure *figure = layout->figure;
    double width = layout->frames[k].share;
    for (size_t j = k + 1;
         j < figure->count && layout->frames[j].row == layout->frames[k].row &&
         figure->panels[k].legend &&
         figure->panels[j].legend == figure->panels[k].legend;
         j++)
        width += layout->frames[j].share;
    return width;
}

static void lay_out_once(struct layout *layout)
{
    double width = layout->chart->width;
    size_t count = layout->figure->count;
    layout->piece_count = 0;
    name_legends(layout);
    memset(layout->in_cell, 0, sizeof layout->in_cell);
    memset(layout->depth, 0, sizeof layout->depth);
    find_rows(layout);
    fill_cell(layout);
    for (size_t k = 0; k < count; k++)
        if (!layout->in_cell[k])
            place_group(layout, (int)k, legend_width(layout, k));
    if (!layout->in_cell[BELOW])
        place_group(layout, BELOW, width);
    if (!layout->in_cell[CAPTION])
        place_group(layout, CAPTION, width);
    place_panels(layout);
}

/* Reduces the height of panels if the chart then fits on a page of A4 with
 * margins of 2 cm; below a minimum their axes could not be read. */
static void lay_out(struct layout *layout)
{
    static const double page = 25.7, lowest = .6;
    double width = layout->chart->width, panels = 0;
    size_t count = layout->figure->count;
    size_t across = width < 14 ? 1 : (size_t)(width / 8);
    layout->across = across < count ? across : count;
    layout->squeeze = 1;
    lay_out_once(layout);
    for (size_t row = 0; row < layout->rows; row++)
        panels += high_of_row(layout, row);
    double squeeze = 1 - (layout->height - page + .01) / panels;
    if (squeeze >= 1 || squeeze < lowest)
        return;
    layout->squeeze = squeeze;
    lay_out_once(layout);
}

/* ---- the script ---- */

/* Writes the section of this name, without the blank lines at its end; false:
 * there is none. */
static bool write_section(FILE *file, const unsigned char *commands,
                          const char *name)
{
    static const char mark[] = "\n\n# ---- ";
    char line[80];
    snprintf(line, sizeof line, "%s%s ----\n", mark, name);
    const char *found = strstr((const char *)commands, line);
    if (!found)
        return false;
    found += strlen(line);
    const char *end = strstr(found, mark);
    size_t bytes = end ? (size_t)(end - found) : strlen(found);
    while (bytes && found[bytes - 1] == '\n')
        bytes--;
    fprintf(file, "%.*s\n", (int)bytes, found);
    return true;
}

static void write_axis(FILE *file, const char *name, const char *range,
                       double tics)
{
    fprintf(file, "  \"%s\" \"%s\" ", name, range);
    if (tics > 0)
        fprintf(file, "%g", tics);
    else
        fputs("autofreq", file);
}

/* A row of $panels: chart.gp reads it as cell(1), cell(2) and so on. */
static void write_panel(FILE *file, const struct layout *layout, size_t k)
{
    const struct chart_panel *panel = &layout->figure->panels[k];
    const struct frame_of_panel *frame = &layout->frames[k];
    const double width = layout->chart->width, height = layout->height;
    fputc('"', file);
    if (layout->figure->count > 1)
        fprintf(file, "(%c) ", (char)('a' + k));
    fprintf(file, "%s\" %.4f %.4f %.4f %.4f", panel->title, frame->left / width,
            frame->right / width, 1 - frame->top / height,
            1 - frame->bottom / height);
    write_axis(file, panel->x, panel->x_range, panel->x_tics);
    write_axis(file, panel->y, panel->y_range, panel->y_tics);
    fprintf(file, "  \"%s\" %s %d \"", panel->log ? panel->log : "",
            panel->block, panel->every);
    const struct chart_lines none = { 0 };
    const struct chart_lines *lines =
        panel->lines ? &layout->chart->lines[panel->lines - 1] : &none;
    for (size_t i = 0; i < lines->count; i++)
        fprintf(file, "%s%zu", i ? " " : "", lines->number[i]);
    fputs("\"\n", file);
}

/* The settings that a user might change. */
static void write_head(FILE *file, const struct layout *layout)
{
    const struct chart *chart = layout->chart;
    fprintf(file,
            "# ---- settings ----\n"
            "width = %g # centimetres: 8.5 a column, 17 a page\n"
            "height = %.2f\n"
            "font = '%s'; letters = 7.5 # points\n"
            "colors = '#000000 #c44601 #0060a8 #00805a #a8528a #a06e00 "
            "#2b86b8 #666666 #7b3014 #004080 #207040 #803070'\n"
            "# ---- the chart ----\nseries = %zu; array nth[%zu] = [",
            chart->width, layout->height, chart->font ? chart->font : "Sans",
            chart->series_count, chart->series_count ? chart->series_count : 1);
    for (size_t i = 0; i < chart->series_count; i++)
        fprintf(file, "%s%zu", i ? ", " : "", chart->series[i]);
    fprintf(file, "%s] # their numbers in the data\n%s",
            chart->series_count ? "" : "0", layout->figure->numbers);
    fputs("# The panels: title; left, right, top, bottom, parts of the page; x "
          "and y: name, range, tics; axes with logarithms, block, rows from "
          "symbol to symbol, lines.\n$panels << END\n",
          file);
    for (size_t k = 0; k < layout->figure->count; k++)
        write_panel(file, layout, k);
    fputs("END\n", file);
}

/* The rows are data: none can end the block, because each begins with a
 * number. */
static void write_letters(FILE *file, const struct layout *layout)
{
    fputs("# Legends and caption: x, y, line and symbol (styles; 0: none), "
          "small (0, 1), text.\n$letters << END\n",
          file);
    for (size_t i = 0; i < layout->piece_count; i++) {
        const struct piece *piece = &layout->pieces[i];
        bool heading = piece->group < CAPTION &&
                       piece->text == layout->headings[piece->group];
        char number[16] = "";
        if (piece->number)
            snprintf(number, sizeof number, "%d: ", piece->number);
        fprintf(file, "%.4f %.4f %d %d %d \"%s%.*s%s\"\n",
                piece->x / layout->chart->width,
                1 - (piece->y + pitch / 2) / layout->height, piece->line,
                piece->point, piece->group == CAPTION, number,
                (int)piece->bytes, piece->text, heading ? ":" : "");
    }
    fputs("END\n", file);
}

static void write_commands(FILE *file, const struct layout *layout)
{
    const struct chart_figure *figure = layout->figure;
    bool lines = false;
    for (size_t k = 0; k < figure->count; k++)
        lines |= figure->panels[k].lines > 0;
    if (lines)
        write_section(file, chart_gp, "lines");
    write_section(file, figure->commands, "functions");
    for (size_t k = 0; k < figure->count; k++) {
        const struct chart_panel *panel = &figure->panels[k];
        fprintf(file, "p = %zu; eval panel # ---- %s ----\n", k + 1,
                panel->name);
        if (!write_section(file, figure->commands, panel->style))
            write_section(file, chart_gp, panel->style);
    }
}

/* Without panels the figure's own commands lay it out. */
static void write_laid_out(FILE *file, const struct chart *chart,
                           const struct chart_figure *figure)
{
    write_section(file, head_gp, "start");
    fprintf(file,
            "# ---- settings ----\n"
            "width = %g # centimetres: 8.5 a column, 17 a page\n"
            "font = '%s'\n"
            "# ---- the chart ----\n%s",
            chart->width, chart->font ? chart->font : "Sans", chart->options);
    write_section(file, head_gp, "tools");
    write_section(file, figure->commands, "size");
    write_section(file, head_gp, "page");
    write_section(file, figure->commands, "panels");
    write_section(file, head_gp, "end");
}

void chart_script_write(const struct chart *chart,
                        const struct chart_figure *figure, FILE *file)
{
    if (!figure->count) {
        write_laid_out(file, chart, figure);
        return;
    }
    struct layout layout = {
        .chart = chart,
        .figure = figure,
        .entries = need_memory(chart->entry_count, sizeof *layout.entries),
    };
    lay_out(&layout);
    write_section(file, chart_gp, "start");
    write_head(file, &layout);
    write_letters(file, &layout);
    write_section(file, chart_gp, "settings");
    write_commands(file, &layout);
    write_section(file, chart_gp, "legends");
    memory_release(layout.entries);
    memory_release(layout.pieces);
}
