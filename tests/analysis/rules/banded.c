/* SPDX-License-Identifier: MIT */
/* laplace by its rules (wave/laplace/wave.h), cell by cell, with its own wave
 * from the recording's map and emissions; it shares no code with the loops
 * there. */
#include "tests/analysis/rules/banded.h"

#include "base/memory.h"
#include "base/need.h"
#include "wave/arrival/detector.h"
#include "wave/wave.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* log2 of: the minimum ratio of V to all later terms; the fall of z after which
 * it is scaled up, and the maximum factor; the largest |z| over the smallest
 * number, for free and for fixed walls. docs/studies/remedies.md. */
enum { CEILING = 16, FALLEN = 10, BROUGHT = 12, FREE = 66, FIXED = 146 };

/* The difference of the two p of the heading arrival-time from p. */
#define SPREAD 0.125

struct banded_cell {
    double sum[2];
    int64_t closed;  /* −1: it is open */
    int32_t scale;   /* where it is closed */
    int64_t held[2]; /* −1: the detector has not fired */
    bool lost;
};

void banded_init(const struct law *law, const struct arrival_settings *settings,
                 struct banded *banded)
{
    const bool two = settings->heading == HEADING_ARRIVAL_TIME;
    const size_t cells = grid_cells(&law->grid);
    const int range = settings->range   ? settings->range
                      : law->free_walls ? FREE
                                        : FIXED;
    banded->sums = 1 + two;
    for (int i = 0; i < banded->sums; i++) {
        double p = settings->p * (!two ? 1 : i ? 1 - SPREAD : 1 + SPREAD);
        banded->growth[i] = law_rounded(law, exp(p));
        banded->every = p > 2 ? 1 : 4; /* the one for the smaller p */
    }
    banded->eta = law_rounded(law, settings->eta);
    banded->smallest = law->single ? (double)FLT_MIN : DBL_MIN;
    banded->largest = ldexp(banded->smallest, range);
    banded->ceiling = law_rounded(
        law, banded->largest * (fmax(ldexp(1, CEILING), 2 / settings->eta) /
                                (1 - 1 / banded->growth[two])));
    banded->now = need_memory(cells, sizeof(double));
    banded->before = need_memory(cells, sizeof(double));
    banded->next = need_memory(cells, sizeof(double));
    banded->cell = need_memory(cells, sizeof *banded->cell);
    banded->matched_p = detector_is_matched(settings) ? settings->p : 0;
}

void banded_release(struct banded *banded)
{
    memory_release(banded->now);
    memory_release(banded->before);
    memory_release(banded->next);
    memory_release(banded->cell);
}

/* By how many powers of two `value` is below the largest. */
static int under(const struct banded *banded, double value)
{
    int exponent, largest;
    frexp(value, &exponent);
    frexp(banded->largest, &largest);
    return largest - exponent;
}

static void bring(const struct law *law, struct banded *banded, int by)
{
    for (size_t i = 0; i < grid_cells(&law->grid); i++) {
        struct banded_cell *cell = &banded->cell[i];
        banded->now[i] = law_rounded(law, ldexp(banded->now[i], by));
        banded->before[i] = law_rounded(law, ldexp(banded->before[i], by));
        for (int j = 0; j < banded->sums && cell->closed < 0; j++)
            cell->sum[j] = law_rounded(law, ldexp(cell->sum[j], by));
    }
    banded->scale += by;
}

/* U of a cell in the units of another cell's sum. */
static double sum_in_unit_of(const struct banded *banded,
                             const struct banded_cell *at,
                             const struct banded_cell *by, int sum)
{
    int64_t age = at->closed < 0 ? banded->age : at->closed;
    int64_t other = by->closed < 0 ? banded->age : by->closed;
    int32_t scale = at->closed < 0 ? banded->scale : at->scale;
    int32_t wanted = by->closed < 0 ? banded->scale : by->scale;
    return ldexp(at->sum[sum], wanted - scale) *
           exp(log(banded->growth[sum]) * (double)(other - age));
}

/* δᵢ times the cell's matched weight at each point. Returns their sum, by
 * kinds. */
static double matched_faces(const struct law *law, const struct ground *ground,
                            const struct banded *banded, size_t cell,
                            double faces[STENCIL_POINTS])
{
    const double delta = ground_delta(law, ground, cell);
    const struct wave_settings waves = { .stencil = law->stencil,
                                         .matched_p = banded->matched_p };
    double weight[STENCIL_WEIGHTS], sum = 0;
    memcpy(weight, banded->matched, sizeof weight);
    if (delta != law->delta)
        wave_matched_weights(&waves, delta, weight);
    for (int p = 0; p < law->stencil->points; p++) {
        const int *step = law->stencil->point[p].step;
        faces[p] =
            delta * weight[abs(step[0]) + abs(step[1]) + abs(step[2]) - 1];
    }
    if (law->grid.dims == 2)
        return 4 * faces[0] + 4 * faces[4];
    sum += 6 * faces[0];
    sum += 12 * faces[6];
    return sum + 8 * faces[18];
}

/* The coefficients of a free cell. */
static void weigh(const struct law *law, const struct ground *ground,
                  const struct banded *banded, size_t cell,
                  struct law_weights *weights)
{
    law_weigh(law, ground, cell, weights);
    if (banded->matched_p == 0)
        return;
    double faces[STENCIL_POINTS], m = law->loss;
    double out = matched_faces(law, ground, banded, cell, faces);
    weights->d = 1;
    weights->c = law_rounded(law, (2 - out) / (1 + m));
    for (int p = 0; p < law->stencil->points; p++)
        weights->point[p] = law_rounded(law, faces[p] / (1 + m));
}

/* Has one of the eight cells round this one, in 2D, another speed? Then each
 * neighbour counts by the root of both cells' weights. */
static bool is_border(const struct law *law, const struct ground *ground,
                      const struct banded *banded, size_t cell)
{
    const double own = ground_delta(law, ground, cell);
    int at[GRID_AXES];
    grid_cell(&law->grid, cell, at);
    if (banded->matched_p == 0 || law->grid.dims == 3)
        return false;
    for (int p = 0; p < law->stencil->points; p++) {
        const int *step = law->stencil->point[p].step;
        const int x = at[0] + step[0], y = at[1] + step[1];
        if (!grid_holds(&law->grid, x, y, 0))
            continue;
        const size_t there = grid_index(&law->grid, x, y, 0);
        if (!ground->wall[there] && ground_delta(law, ground, there) != own)
            return true;
    }
    return false;
}

static double root_of(const struct law *law, double one, double other)
{
    return law_rounded(law, sqrt(law_rounded(law, one * other)));
}

static double next_at_border(const struct law *law, const struct ground *ground,
                             const struct banded *banded, size_t cell)
{
    const double top = law_rounded(law, 2 / (1 + law->loss));
    double term[8], by[8], sum[2][3];
    struct law_weights own, there;
    weigh(law, ground, banded, cell, &own);
    for (int p = 0; p < 8; p++) {
        const size_t seen = (size_t)ground_seen(ground, cell, p);
        weigh(law, ground, banded, seen, &there);
        by[p] = root_of(law, own.point[p], there.point[p]);
        term[p] = law_rounded(law, by[p] * banded->now[seen]);
    }
    for (int i = 0; i < 2; i++) {
        const double *of = i ? by : term;
        double pair[4];
        for (int p = 0; p < 4; p++)
            pair[p] = law_rounded(law, of[2 * p] + of[2 * p + 1]);
        sum[i][0] = law_rounded(law, pair[0] + pair[1]);
        sum[i][1] = law_rounded(law, pair[2] + pair[3]);
        sum[i][2] = law_rounded(law, sum[i][0] + sum[i][1]);
    }
    const double c = law_rounded(law, top - sum[1][2]);
    const double rest =
        law_rounded(law, law_rounded(law, c * banded->now[cell]) -
                             law_rounded(law, own.a * banded->before[cell]));
    return law_rounded(law, sum[0][2] + rest);
}

/* Less than a 32nd of the contribution that one neighbour alone must have made,
 * or adjacent to a sum below 0. */
static bool is_spoilt(const struct law *law, const struct ground *ground,
                      const struct banded *banded, size_t i, int sum_of)
{
    const struct banded_cell *own = &banded->cell[i];
    const double growth = banded->growth[sum_of];
    struct law_weights weights;
    weigh(law, ground, banded, i, &weights);
    double whole = growth - weights.c + weights.a / growth;
    for (int p = 0; p < 2 * law->grid.dims; p++) {
        size_t there = (size_t)ground_seen(ground, i, p);
        double share = law->conservative || banded->matched_p > 0
                           ? weights.point[p]
                           : weights.d * law->stencil->point[p].weight;
        if (banded->matched_p > 0 && law->grid.dims == 2 &&
            !ground->wall[there]) {
            struct law_weights other;
            weigh(law, ground, banded, there, &other);
            share = sqrt(share * other.point[p]);
        }
        double sum = sum_in_unit_of(banded, &banded->cell[there], own, sum_of);
        if (there != i && !ground->wall[there] &&
            (sum < 0 || own->sum[sum_of] * whole < 0x1p-5 * share * sum))
            return true;
    }
    return false;
}

/* Steps 2 to 4 of a cell, without the test for losses; returns |z|, or 0 if the
 * cell closes. */
static double take(const struct law *law, struct banded *banded, size_t i)
{
    struct banded_cell *cell = &banded->cell[i];
    const bool looks = (banded->age + 1) % banded->every == 0;
    double z = banded->now[i], size = fmax(fabs(z), banded->smallest);
    for (int j = 0; j < banded->sums; j++)
        cell->sum[j] = law_rounded(
            law, law_rounded(law, cell->sum[j] * banded->growth[j]) + z);
    bool shut = looks && fabs(cell->sum[banded->sums - 1]) > banded->ceiling;
    for (int j = 0; j < banded->sums; j++) {
        double bound =
            shut ? cell->sum[j] : law_rounded(law, banded->eta * cell->sum[j]);
        if (banded->age > 0 && cell->held[j] < 0 && size <= bound)
            cell->held[j] = banded->age;
    }
    if (shut) {
        cell->closed = banded->age;
        cell->scale = banded->scale;
    }
    return shut ? 0 : fabs(z);
}

/* The newest generation is in `now`. */
static void take_all(const struct law *law, const struct ground *ground,
                     size_t source, struct banded *banded)
{
    const size_t cells = grid_cells(&law->grid);
    double most = 0;
    for (size_t i = 0; i < cells; i++)
        if (!ground->wall[i] && banded->cell[i].closed < 0)
            most = fmax(most, take(law, banded, i));
    for (size_t i = 0; i < cells; i++)
        for (int j = 0; j < banded->sums && banded->age > 0; j++)
            if (banded->cell[i].held[j] == banded->age &&
                is_spoilt(law, ground, banded, i, j)) {
                banded->cell[i].lost = banded->cell[i].closed >= 0;
                banded->cell[i].held[j] =
                    banded->cell[i].lost ? banded->age : -1;
            }
    if ((banded->age + 1) % banded->every != 0)
        return;
    banded->past_source = banded->past_source || ground->wall[source] ||
                          banded->cell[source].closed >= 0;
    if (banded->past_source && most > 0 && under(banded, most) >= FALLEN)
        bring(law, banded,
              under(banded, most) < BROUGHT ? under(banded, most) : BROUGHT);
}

static struct banded_cell nothing(void)
{
    return (struct banded_cell){ .closed = -1, .held = { -1, -1 } };
}

void banded_begin(const struct law *law, const struct ground *ground,
                  size_t source, struct banded *banded)
{
    const bool rest = law->source == LAW_REST || law->source == LAW_GAUSSIAN;
    const struct wave_settings waves = { .stencil = law->stencil,
                                         .matched_p = banded->matched_p };
    if (banded->matched_p > 0)
        wave_matched_weights(&waves, law->delta, banded->matched);
    for (size_t i = 0; i < grid_cells(&law->grid); i++) {
        banded->now[i] = law_emitted(law, ground->wall, source, i);
        banded->before[i] = rest ? banded->now[i] : 0;
        banded->cell[i] = nothing();
    }
    banded->age = banded->scale = 0;
    banded->past_source = false;
    bring(law, banded, under(banded, law->amplitude));
    take_all(law, ground, source, banded);
}

void banded_advance(const struct law *law, const struct ground *ground,
                    size_t source, struct banded *banded)
{
    struct law scaled = *law; /* a ricker source is added with this sign */
    scaled.amplitude = -ldexp(law->amplitude, banded->scale);
    banded->age++;
    for (size_t i = 0; i < grid_cells(&law->grid); i++) {
        struct law_weights weights;
        double value = 0;
        if (!ground->wall[i] && is_border(law, ground, banded, i))
            value = next_at_border(law, ground, banded, i);
        else if (!ground->wall[i]) {
            weigh(law, ground, banded, i, &weights);
            value = law_next_by(law, ground, &weights, banded->now,
                                banded->before[i], i);
        }
        if (law_drives(law) && i == source)
            value = law_driven(&scaled, ground, source, value, banded->age);
        banded->next[i] = banded->cell[i].closed >= 0 ? 0 : value;
    }
    double *oldest = banded->before;
    banded->before = banded->now;
    banded->now = banded->next;
    banded->next = oldest;
    take_all(law, ground, source, banded);
}

void banded_take(const struct law *law, const uint8_t *wall, int64_t emitted,
                 struct banded *banded, int32_t *step)
{
    for (size_t i = 0; i < grid_cells(&law->grid); i++) {
        struct banded_cell *cell = &banded->cell[i];
        const int64_t *held = cell->held;
        if (wall[i]) { /* its former value is dropped */
            *cell = nothing();
            banded->now[i] = banded->before[i] = 0;
            step[i] = -1;
        }
        bool both = held[0] >= 0 && (banded->sums == 1 || held[1] >= 0);
        int64_t age =
            banded->sums == 2 && held[1] > held[0] ? held[1] : held[0];
        if (both && !cell->lost && step[i] < 0)
            step[i] = (int32_t)(emitted + age);
    }
}
