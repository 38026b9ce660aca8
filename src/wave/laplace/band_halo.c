/* SPDX-License-Identifier: MIT */
/* The band beside neighbours, if ranks share the Laplace-weighted wave. The
 * loops of the band step and sum this rank's own cells alone. After each
 * generation z of the halo comes from the neighbours and is summed here. Cells
 * of the halo close by the same rule, at the same age, as in the rank that owns
 * them, so that no sum is sent. */
#include "wave/laplace/band_parts.h"
#include "wave/laplace/wave_parts.h"

#include "base/memory.h"
#include "base/team.h"

#include <math.h>
#include <string.h>

/* Those cells of a line, which begins at x = `begin`, with low ≤ x ≤ high. */
static uint16_t cells_between(const struct layout *layout, int begin, int low,
                              int high)
{
    const int lanes = (int)layout->lanes;
    const int first = low > begin ? low - begin : 0;
    const int last = high < begin + lanes ? high - begin : lanes - 1;
    if (first > last)
        return 0;
    return (uint16_t)((2u << last) - (1u << first));
}

static uint16_t own_cells(const struct medium *medium, int begin, int y, int z)
{
    const struct box *own = &medium->own;
    if (y < own->low[1] || y > own->high[1] || z < own->low[2] ||
        z > own->high[2])
        return 0;
    return cells_between(&medium->layout, begin, own->low[0], own->high[0]);
}

uint16_t band_own_cells(const struct medium *medium,
                        const struct band_tile *tile, int bit)
{
    const struct layout *layout = &medium->layout;
    const int y = tile->box.low[1] + bit / BAND_LINES, z = tile->box.low[2];
    if (!medium->halo)
        return UINT16_MAX;
    return own_cells(
        medium,
        (int)(band_place(layout, tile, bit) - layout_at(layout, 0, y, z)), y,
        z);
}

/* ---- the lines that have cells of the halo ---- */

/* Appends those of a row, or counts them if there is no room for them yet. */
static void list_row(const struct medium *medium, struct front_band *band,
                     int y, int z)
{
    const struct layout *layout = &medium->layout;
    const int lanes = (int)layout->lanes, lead = (int)layout->lead;
    const int nx = layout->grid.nx;
    for (int i = 0; i * lanes - lead < nx; i++) {
        const int begin = i * lanes - lead;
        const unsigned cells = cells_between(layout, begin, 0, nx - 1) &
                               ~(unsigned)own_cells(medium, begin, y, z);
        if (cells && band->halo)
            band->halo[band->halo_lines] = (struct band_halo){
                .at = layout_at(layout, begin, y, z),
                .tile = z * band->in_layer + y / BAND_ROWS * band->in_row +
                        i / BAND_LINES,
                .bit = y % BAND_ROWS * BAND_LINES + i % BAND_LINES,
                .cells = (uint16_t)cells,
            };
        band->halo_lines += cells != 0;
    }
}

static void list_lines(const struct medium *medium, struct front_band *band)
{
    const struct grid *grid = &medium->layout.grid;
    band->halo_lines = 0;
    for (int z = 0; z < grid->nz; z++)
        for (int y = 0; y < grid->ny; y++)
            list_row(medium, band, y, z);
}

enum status band_halo_new(const struct medium *medium, struct front_band *band,
                          struct error *error)
{
    if (!medium->halo)
        return STATUS_OK;
    list_lines(medium, band);
    band->halo = memory_new(band->halo_lines, sizeof *band->halo);
    if (!band->halo)
        return error_memory(error);
    if (!memory_is_promised()) /* else the memory would be touched */
        list_lines(medium, band);
    return STATUS_OK;
}

void band_halo_read(struct laplace_wave *front)
{
    struct front_band *band = front->band;
    const uint16_t *closed = front->pair.sum[0].closed;
    for (size_t i = 0; i < band->halo_lines; i++) {
        struct band_halo *line = &band->halo[i];
        line->open = 0;
        for (unsigned left = line->cells; left; left &= left - 1)
            if (closed[line->at + __builtin_ctz(left)] == 0)
                line->open |= (uint16_t)(left & -left);
    }
}

/* ---- sums ---- */

/* The open cells of a line, as NAME(step_vector) of band.inc sums them: after
 * the generation before, if that was owed, the newest one; a look closes. */
#define DEFINE_SUM(name, real, magnitude)                                      \
    static void name(const struct laplace_wave *front, struct band_halo *line, \
                     const real *owed, const real *newest, bool looks)         \
    {                                                                          \
        const struct laplace_pair *pair = &front->pair;                        \
        const real ceiling = (real)front->ceiling;                             \
        for (unsigned left = line->open; left; left &= left - 1) {             \
            const ptrdiff_t at = line->at + __builtin_ctz(left);               \
            real last = 0;                                                     \
            for (int i = 0; i < pair->count; i++) {                            \
                const real growth = (real)pair->sum[i].growth;                 \
                real *sum = (real *)pair->sum[i].sum + at;                     \
                real grown = *sum * growth;                                    \
                if (owed)                                                      \
                    grown = (grown + owed[at]) * growth;                       \
                last = *sum = grown + newest[at];                              \
            }                                                                  \
            if (!looks || !(magnitude(last) > ceiling))                        \
                continue;                                                      \
            line->open &= (uint16_t) ~(left & -left);                          \
            for (int i = 0; i < pair->count; i++)                              \
                pair->sum[i].closed[at] = (uint16_t)(front->age + 1);          \
        }                                                                      \
    }
DEFINE_SUM(sum_single, float, fabsf)
DEFINE_SUM(sum_double, double, fabs)

/* Lines that have never been lit have nothing to sum. */
static void sum_lines(struct laplace_wave *front, const void *owed,
                      const void *newest, bool looks)
{
    struct front_band *band = front->band;
    const bool single = laplace_wave_is_single(front);
    bool was = denormals_flush(front->medium->settings.flush_denormals);
    for (size_t i = 0; i < band->halo_lines; i++) {
        struct band_halo *line = &band->halo[i];
        if (!line->open || !(band->tile[line->tile].lit >> line->bit & 1))
            continue;
        if (single)
            sum_single(front, line, owed, newest, looks);
        else
            sum_double(front, line, owed, newest, looks);
    }
    denormals_flush(was);
}

/* Lines to which light has come from a neighbour; end_step wakes what lies
 * round them. */
static void light_lines(struct laplace_wave *front)
{
    struct front_band *band = front->band;
    const struct layout *layout = &front->medium->layout;
    for (size_t i = 0; i < band->halo_lines; i++) {
        const struct band_halo *line = &band->halo[i];
        struct band_tile *tile = &band->tile[line->tile];
        const uint64_t bit = UINT64_C(1) << line->bit;
        if (tile->lit & bit ||
            band_line_is_dark(layout, front->wave->now, line->at))
            continue;
        tile->lit |= bit;
        tile->touched |= bit;
        tile->fresh |= bit;
    }
}

void band_halo_take(struct laplace_wave *front, bool sums, bool owed,
                    bool looks)
{
    struct wave *wave = front->wave;
    if (!front->medium->halo)
        return;
    shared_grow(wave);
    shared_exchange(wave, wave->now);
    light_lines(front);
    if (sums)
        sum_lines(front, owed ? wave->before : NULL, wave->now, looks);
}

void band_halo_catch_up(struct laplace_wave *front)
{
    sum_lines(front, NULL, front->wave->now, false);
}

void band_halo_multiply(struct laplace_wave *front, double by)
{
    const struct front_band *band = front->band;
    const struct layout *layout = &front->medium->layout;
    if (!front->medium->halo)
        return;
    shared_load(front->wave);
    for (size_t i = 0; i < band->halo_lines; i++)
        for (unsigned left = band->halo[i].open; left; left &= left - 1) {
            const ptrdiff_t at = band->halo[i].at + __builtin_ctz(left);
            for (int j = 0; j < front->pair.count; j++) {
                void *sum = front->pair.sum[j].sum;
                field_set(layout, sum, at, field_value(layout, sum, at) * by);
            }
        }
}
