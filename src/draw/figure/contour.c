/* SPDX-License-Identifier: MIT */
#include "draw/figure/contour.h"

#include "base/memory.h"
#include "base/need.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The corners of a square in order: (0, 0), (1, 0), (1, 1), (0, 1); edge e
 * joins corner e to the next. */
static const int corner[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };

static void add(struct contour *contour, const struct contour_piece *piece)
{
    contour->pieces = need_more(contour->pieces, contour->count, &contour->room,
                                sizeof *contour->pieces);
    contour->pieces[contour->count++] = *piece;
}

/* The point at which the level crosses edge e of the square at (x, y). */
static void crossing(const double value[4], int e, double level, int x, int y,
                     double at[2])
{
    /* Edges 2 and 3 are reversed, so that both squares of an edge find the same
     * point. */
    int a = e < 2 ? e : (e + 1) % 4, b = e < 2 ? e + 1 : e;
    double part = (level - value[a]) / (value[b] - value[a]);
    at[0] = x + corner[a][0] + part * (corner[b][0] - corner[a][0]);
    at[1] = y + corner[a][1] + part * (corner[b][1] - corner[a][1]);
}

static void add_square(struct contour *contour, const double value[4],
                       double level, int x, int y)
{
    int crossed[4], count = 0;
    for (int e = 0; e < 4; e++)
        if ((value[e] >= level) != (value[(e + 1) % 4] >= level))
            crossed[count++] = e;
    double mean = (value[0] + value[1] + value[2] + value[3]) / 4;
    /* A saddle: edges 0–1 and 2–3 cut off corners 1 and 3, edges 3–0 and 1–2
     * corners 0 and 2. The corners are cut off that are on the other side of
     * the level than the middle. */
    bool shift = count == 4 && (value[0] >= level) != (mean >= level);
    for (int i = 0; i < count; i += 2) {
        struct contour_piece piece = { { 0 }, { 0 } };
        crossing(value, crossed[(i + shift) % 4], level, x, y, piece.from);
        crossing(value, crossed[(i + 1 + shift) % 4], level, x, y, piece.to);
        add(contour, &piece);
    }
}

void contour_add(struct contour *contour, const double *values, int nx, int ny,
                 double level)
{
    for (int y = 0; y + 1 < ny; y++)
        for (int x = 0; x + 1 < nx; x++) {
            double value[4];
            bool whole = true;
            for (int i = 0; i < 4; i++) {
                value[i] = values[(size_t)(y + corner[i][1]) * (size_t)nx +
                                  (size_t)(x + corner[i][0])];
                whole = whole && isfinite(value[i]);
            }
            if (whole)
                add_square(contour, value, level, x, y);
        }
}

/* The edge between the cell and the next one to the right (0), or down (1). */
static void add_edge(struct contour *contour, int x, int y, int side)
{
    const struct contour_piece piece = {
        { side ? x - .5 : x + .5, side ? y + .5 : y - .5 }, { x + .5, y + .5 }
    };
    add(contour, &piece);
}

void contour_add_walls(struct contour *contour, const uint8_t *wall, int nx,
                       int ny)
{
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            const uint8_t *cell = wall + (size_t)y * (size_t)nx + x;
            if (x + 1 < nx && cell[0] != cell[1])
                add_edge(contour, x, y, 0);
            if (y + 1 < ny && cell[0] != cell[nx])
                add_edge(contour, x, y, 1);
        }
}

/* An end of a piece: end 2i is the beginning of piece i, 2i + 1 its end. */
struct loose_end {
    double at[2];
    size_t end;
};

static int compare_ends(const void *a, const void *b)
{
    const struct loose_end *one = a, *other = b;
    for (int axis = 1; axis >= 0; axis--)
        if (one->at[axis] != other->at[axis])
            return one->at[axis] < other->at[axis] ? -1 : 1;
    return one->end < other->end ? -1 : one->end > other->end;
}

static bool same_place(const struct loose_end *a, const struct loose_end *b)
{
    return a->at[0] == b->at[0] && a->at[1] == b->at[1];
}

static const size_t alone = SIZE_MAX;

/* partner[e]: the end that end e meets; `alone` if it meets none. Both squares
 * of an edge find the same point, so ends that meet are equal. If more than two
 * meet, in the centre of a cell, they are paired arbitrarily. */
static void pair_ends(const struct contour *contour, struct loose_end *ends,
                      size_t *partner)
{
    size_t count = 2 * contour->count;
    for (size_t e = 0; e < count; e++) {
        const struct contour_piece *piece = &contour->pieces[e / 2];
        const double *at = e % 2 ? piece->to : piece->from;
        ends[e] = (struct loose_end){ { at[0], at[1] }, e };
        partner[e] = alone;
    }
    qsort(ends, count, sizeof *ends, compare_ends);
    for (size_t k = 0; k + 1 < count; k++)
        if (same_place(&ends[k], &ends[k + 1])) {
            partner[ends[k].end] = ends[k + 1].end;
            partner[ends[k + 1].end] = ends[k].end;
            k++;
        }
}

/* Follows the line from the end of a piece, taking each piece once. */
static void take_line(struct contour *contour, size_t end,
                      const size_t *partner, bool *taken,
                      struct contour_piece *out, size_t *count)
{
    size_t *lines = need_more(contour->lines, contour->line_count,
                              &contour->line_room, sizeof *contour->lines);
    contour->lines = lines;
    contour->lines[contour->line_count++] = *count;
    while (end != alone && !taken[end / 2]) {
        struct contour_piece piece = contour->pieces[end / 2];
        taken[end / 2] = true;
        if (end % 2)
            piece = (struct contour_piece){ { piece.to[0], piece.to[1] },
                                            { piece.from[0], piece.from[1] } };
        out[(*count)++] = piece;
        end = partner[end ^ 1];
    }
}

/* First the lines with two ends, from one of them; the remaining pieces form
 * rings. */
static void take_lines(struct contour *contour, const size_t *partner,
                       bool *taken, struct contour_piece *out)
{
    size_t count = 0;
    contour->line_count = 0;
    for (int rings = 0; rings < 2; rings++)
        for (size_t e = 0; e < 2 * contour->count; e++)
            if (!taken[e / 2] && (rings || partner[e] == alone))
                take_line(contour, e, partner, taken, out, &count);
}

void contour_chain(struct contour *contour)
{
    size_t count = contour->count;
    struct loose_end *ends = need_memory(2 * count + 1, sizeof *ends);
    size_t *partner = need_memory(2 * count + 1, sizeof *partner);
    bool *taken = need_memory(count + 1, sizeof *taken);
    struct contour_piece *out = need_memory(count + 1, sizeof *out);
    pair_ends(contour, ends, partner);
    take_lines(contour, partner, taken, out);
    if (count)
        memcpy(contour->pieces, out, count * sizeof *out);
    memory_release(ends);
    memory_release(partner);
    memory_release(taken);
    memory_release(out);
}

void contour_clear(struct contour *contour)
{
    contour->count = contour->line_count = 0;
}

void contour_release(struct contour *contour)
{
    memory_release(contour->pieces);
    memory_release(contour->lines);
    *contour = (struct contour){ 0 };
}
