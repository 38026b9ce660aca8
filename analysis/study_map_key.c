/* SPDX-License-Identifier: MIT */
/* The key below a map: what walls, cells without a value and fronts are drawn
 * as. */
#include "study_map.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const uint8_t white[3] = { 255, 255, 255 }, ink[3] = { 20, 20, 20 };

enum { WALL = STUDY_BLANKS + 1, FRONT, KINDS };

struct entry {
    char words[200];
    int left, line; /* pixels from the panels' left edge; of text, from 0 */
};

struct key {
    struct figure *figure;
    const struct study_map *map;
    bool there[KINDS]; /* kinds of blank cells, walls, fronts */
    struct entry entries[KINDS];
    int lines, left, top;
    double size; /* of letters */
    uint8_t wall[3];
};

/* The pixels of a cell's pattern: lines rising to the right, or dots. They run
 * on from cell to cell, and are told apart without colours. */
static bool is_inked(int kind, int x, int y, double em)
{
    int pitch = (int)fmax(4, round(em / 4)), thick = (pitch + 2) / 4;
    if (kind == 2)
        return (x + y) % pitch < thick;
    if (kind == 3)
        return x % pitch < thick && y % pitch < thick;
    return false;
}

static void paint(struct key *key, int kind, int left, int top, int width,
                  int height)
{
    struct image *image = &key->figure->image;
    image_fill(image, left, top, width, height,
               kind == WALL ? key->wall : white);
    for (int y = top; y < top + height; y++)
        for (int x = left; x < left + width; x++)
            if (is_inked(kind, x, y, key->figure->em))
                memcpy(image_at(image, x, y), ink, sizeof ink);
}

static int kind_of(const struct key *key, int x, int y)
{
    const struct view *view = key->figure->picture->view;
    const struct grid *grid = recording_grid(key->map->recording);
    if (view->wall[y * view->cut.nx + x])
        return WALL;
    if (!key->map->blank)
        return 0;
    return key->map->blank[grid_index(grid, x + view->region.low[0],
                                      y + view->region.low[1], 0)];
}

static void paint_cells(struct key *key)
{
    const struct cut *cut = &key->figure->picture->view->cut;
    const struct frame *panel = &key->figure->panel;
    int cell = key->figure->picture->options.cell;
    for (int y = 0; y < cut->ny; y++)
        for (int x = 0; x < cut->nx; x++) {
            int kind = kind_of(key, x, y);
            key->there[kind] = true;
            if (kind > 0 && kind < WALL)
                paint(key, kind, panel->left + x * cell, panel->top + y * cell,
                      cell, cell);
        }
}

static void name(const struct key *key, int kind, char *words, size_t size)
{
    if (kind == FRONT)
        snprintf(words, size, "the front every %g steps", key->map->apart);
    else
        snprintf(words, size, "%s",
                 kind == WALL ? "wall" : key->map->blanks[kind - 1]);
}

/* Entries in lines as wide as the page. */
static void lay_out(struct key *key)
{
    struct font *font = key->figure->font;
    double em = key->figure->em, at = 0;
    double room = key->figure->image.width - key->left - em / 2;
    for (int kind = 1; kind < KINDS; kind++) {
        struct entry *entry = &key->entries[kind];
        if (!key->there[kind])
            continue;
        name(key, kind, entry->words, sizeof entry->words);
        text_fit(font, key->size, room - 1.6 * em, entry->words);
        double width = 1.6 * em + text_width(font, key->size, entry->words);
        if (key->lines == 0 || at + width > room) {
            key->lines++;
            at = 0;
        }
        entry->line = key->lines - 1;
        entry->left = (int)round(at);
        at += width + 1.4 * em;
    }
}

/* The page, higher by this. */
static enum status extend(struct figure *figure, int more, struct error *error)
{
    struct image page, *old = &figure->image;
    enum status status =
        image_init(&page, old->width, (int64_t)old->height + more, error);
    if (status)
        return status;
    image_fill(&page, 0, old->height, page.width, more, white);
    memcpy(page.rgb, old->rgb, 3 * (size_t)old->width * (size_t)old->height);
    image_release(old);
    *old = page;
    mask_release(&figure->mask);
    return mask_init(&figure->mask, page.width, page.height, error);
}

static void draw_entry(struct key *key, int kind)
{
    const struct entry *entry = &key->entries[kind];
    double em = key->figure->em;
    int side = (int)round(.9 * em), left = key->left + entry->left;
    int top = key->top + (int)round(1.5 * em * entry->line);
    const struct frame swatch = { left, top, side, side };
    if (kind == FRONT) {
        int line = figure_line(key->figure);
        image_fill(&key->figure->image, left, top + (side - line) / 2, side,
                   line, ink);
    } else {
        paint(key, kind, left, top, side, side);
        figure_outline(key->figure, &swatch);
    }
    figure_text(key->figure, entry->words, key->size,
                (double[]){ left + 1.6 * em, top + side / 2. }, 0, false);
}

enum status study_map_key(struct figure *figure, const struct study_map *map,
                          struct error *error)
{
    struct key key = { .figure = figure,
                       .map = map,
                       .left = (int)round(figure->em),
                       .top = figure->image.height,
                       .there[FRONT] = map->times != NULL,
                       .size = .9 * figure->em };
    memcpy(key.wall, figure->picture->ramp.wall, sizeof key.wall);
    paint_cells(&key);
    lay_out(&key);
    enum status status =
        extend(figure, (int)ceil((1.5 * key.lines + .2) * figure->em), error);
    for (int kind = 1; kind < KINDS && !status; kind++)
        if (key.there[kind])
            draw_entry(&key, kind);
    return status;
}
