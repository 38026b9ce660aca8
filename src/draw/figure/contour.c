/* SPDX-License-Identifier: MIT */
#include "draw/figure/contour.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>

/* The corners of a square run round it: (0, 0), (1, 0), (1, 1), (0, 1); edge e
 * joins corner e to the next. */
static const int corner[4][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } };

static enum status add(struct contour *contour,
                       const struct contour_piece *piece, struct error *error)
{
    struct contour_piece *pieces = memory_more(contour->pieces, contour->count,
                                               &contour->room, sizeof *pieces);
    if (!pieces)
        return error_memory(error);
    contour->pieces = pieces;
    /* cppcheck-suppress uninitvar ; crossing fills both ends */
    contour->pieces[contour->count++] = *piece;
    return STATUS_OK;
}

/* Where the level crosses edge e of the square at (x, y). */
static void crossing(const double value[4], int e, double level, int x, int y,
                     double at[2])
{
    /* Edges 2 and 3 run back: both squares of an edge find the same point. */
    int a = e < 2 ? e : (e + 1) % 4, b = e < 2 ? e + 1 : e;
    double part = (level - value[a]) / (value[b] - value[a]);
    at[0] = x + corner[a][0] + part * (corner[b][0] - corner[a][0]);
    at[1] = y + corner[a][1] + part * (corner[b][1] - corner[a][1]);
}

static enum status add_square(struct contour *contour, const double value[4],
                              double level, int x, int y, struct error *error)
{
    int crossed[4], count = 0;
    for (int e = 0; e < 4; e++)
        if ((value[e] >= level) != (value[(e + 1) % 4] >= level))
            crossed[count++] = e;
    double mean = (value[0] + value[1] + value[2] + value[3]) / 4;
    /* A saddle: edges 0–1 and 2–3 cut off corners 1 and 3, edges 3–0 and 1–2
     * corners 0 and 2; those are cut off that differ from the middle. */
    bool shift = count == 4 && (value[0] >= level) != (mean >= level);
    enum status status = STATUS_OK;
    for (int i = 0; i < count && !status; i += 2) {
        struct contour_piece piece;
        crossing(value, crossed[(i + shift) % 4], level, x, y, piece.from);
        crossing(value, crossed[(i + 1 + shift) % 4], level, x, y, piece.to);
        status = add(contour, &piece, error);
    }
    return status;
}

enum status contour_add(struct contour *contour, const double *values, int nx,
                        int ny, double level, struct error *error)
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
            enum status status =
                whole ? add_square(contour, value, level, x, y, error)
                      : STATUS_OK;
            if (status)
                return status;
        }
    return STATUS_OK;
}

void contour_clear(struct contour *contour)
{
    contour->count = 0;
}

void contour_release(struct contour *contour)
{
    memory_release(contour->pieces);
    *contour = (struct contour){ 0 };
}
