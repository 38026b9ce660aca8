/* SPDX-License-Identifier: MIT */
/* The Laplace-weighted wave by its front alone (front=1): no later z of a
 * closed cell counts, and what it adds farther on is its U times what U falls
 * by on the way. So z is set to 0 there, from then on; what is left of the wave
 * is the band of open cells, all of them faint, and when the largest has fallen
 * every z and every open V is multiplied by one power of two, which is noted
 * with each cell as it is closed. What is 2^range times smaller than the
 * largest is flushed. Single precision then holds any distance. No arrival is
 * told as lost: what comes at all comes with the front.
 *
 * Stepped over the whole map, for what it is worth; not for what it costs. */
#include "remedies.h"

#include "base/memory.h"
#include "wave/laplace_pair.h"

#include <float.h>
#include <math.h>

/* log2: how far V stands over the largest |z| that is to come when its cell is
 * closed (wave/laplace.c), and how far the largest falls before it is brought
 * up again. */
enum { CEILING = 16, FALLEN = 10, LATER = 8192 };

/* What is kept of a cell: V of each sum, and once it is closed (−1: it is not)
 * the age that V is of and the power of two that it is multiplied by. */
struct held {
    double sum[2];
    int64_t closed, scale;
    bool arrived[2];
};

struct band {
    const struct study *study;
    struct front *front;
    struct medium *medium;
    struct wave *wave;
    void *newest, *older;
    struct held *held;
    int sums; /* 1; by time 2, of the larger and the smaller p */
    double growth[2], ceiling, largest, smallest;
    int64_t age, scale;
    struct laplace_pair read; /* what the slope is taken from, in double */
};

static bool is_single(const struct band *band)
{
    return band->study->wave.precision == PRECISION_SINGLE;
}

static double rounded(const struct band *band, double value)
{
    return is_single(band) ? (double)(float)value : value;
}

static double get(const struct band *band, const void *field, size_t cell)
{
    return is_single(band) ? (double)((const float *)field)[cell]
                           : ((const double *)field)[cell];
}

static void set(const struct band *band, void *field, size_t cell, double z)
{
    if (is_single(band))
        ((float *)field)[cell] = (float)z;
    else
        ((double *)field)[cell] = z;
}

static size_t cells_of(const struct band *band)
{
    return grid_cells(&band->front->terrain.grid);
}

static bool is_wall(const struct band *band, size_t cell)
{
    return band->front->terrain.wall[cell];
}

/* ---- reading: U relative to any other, as the sums of a plain wave ---- */

/* ln U = ln V − decay·age − scale·ln 2: as much of the scale as there can be
 * goes into the age, and all ages are as much later as keeps them positive. */
static void lay_open(struct band *band, size_t cell)
{
    const struct held *held = &band->held[cell];
    const bool closed = held->closed >= 0;
    const int64_t scale = closed ? held->scale : band->scale;
    const int64_t age = closed ? held->closed : band->age;
    for (int i = 0; i < band->sums; i++) {
        struct laplace *read = &band->read.sum[i];
        double weight = (double)scale * log(2), decay = read->decay;
        double later = floor(weight / decay);
        ptrdiff_t item = layout_cell(&read->layout, cell);
        ((double *)read->sum)[item] =
            held->sum[i] * exp(later * decay - weight);
        read->closed[item] = (uint16_t)(age + (int64_t)later + LATER);
    }
}

static void head(struct band *band, size_t cell)
{
    const struct grid *grid = &band->front->terrain.grid;
    double slope[GRID_AXES], unit[GRID_AXES];
    int at[GRID_AXES];
    grid_cell(grid, cell, at);
    for (int y = at[1] - 1; y <= at[1] + 1; y++)
        for (int x = at[0] - 1; x <= at[0] + 1; x++)
            if (grid_holds(grid, x, y, 0) &&
                !is_wall(band, grid_index(grid, x, y, 0)))
                lay_open(band, grid_index(grid, x, y, 0));
    laplace_pair_slope(&band->read, cell, slope);
    heading_unit(slope, unit);
    band->front->heading[cell][0] = unit[0];
    band->front->heading[cell][1] = unit[1];
}

/* ---- one generation ---- */

static void add(struct band *band, struct held *held, double z)
{
    for (int i = 0; i < band->sums; i++)
        held->sum[i] =
            rounded(band, rounded(band, held->sum[i] * band->growth[i]) + z);
    if (held->sum[band->sums - 1] > band->ceiling) {
        held->closed = band->age;
        held->scale = band->scale;
    }
}

/* True when all sums have come. */
static bool arrives(struct band *band, struct held *held, double z)
{
    const double eta = band->study->arrival.eta;
    bool all = true;
    for (int i = 0; i < band->sums; i++) {
        double sum = held->sum[i];
        held->arrived[i] =
            held->arrived[i] ||
            (band->age > 0 && sum > 0 &&
             (held->closed >= 0 ||
              fmax(fabs(z), band->smallest) <= rounded(band, eta * sum)));
        all = all && held->arrived[i];
    }
    return all;
}

/* Gives back |z|. */
static double take_cell(struct band *band, size_t cell)
{
    struct front *front = band->front;
    struct held *held = &band->held[cell];
    double z = get(band, band->newest, cell);
    if (held->closed < 0)
        add(band, held, z);
    if (front->step[cell] < 0 && arrives(band, held, z)) {
        front->step[cell] = (int32_t)band->age;
        front->time[cell] = (double)band->age;
    }
    if (held->closed < 0)
        return fabs(z);
    set(band, band->newest, cell, 0);
    set(band, band->older, cell, 0);
    return 0;
}

static void bring_up(struct band *band, double most)
{
    int now, wanted;
    frexp(most, &now);
    frexp(band->largest, &wanted);
    if (!(most > 0) || (wanted - now < FALLEN && band->age > 0))
        return;
    for (size_t i = 0; i < cells_of(band); i++) {
        void *fields[] = { band->newest, band->older };
        for (int j = 0; j < 2; j++)
            set(band, fields[j], i,
                ldexp(get(band, fields[j], i), wanted - now));
        for (int j = 0; j < band->sums && band->held[i].closed < 0; j++)
            band->held[i].sum[j] =
                rounded(band, ldexp(band->held[i].sum[j], wanted - now));
    }
    band->scale += wanted - now;
}

static void take_generation(struct band *band)
{
    int64_t emitted, source;
    double most = 0;
    wave_save(band->wave, band->newest, band->older, &emitted, &source);
    if (band->age == 0)
        bring_up(band, band->study->wave.amplitude);
    for (size_t i = 0; i < cells_of(band); i++)
        if (!is_wall(band, i))
            most = fmax(most, take_cell(band, i));
    for (size_t i = 0; i < cells_of(band); i++)
        if (!is_wall(band, i) && band->front->step[i] == band->age)
            head(band, i);
    if (band->age > 0)
        bring_up(band, most);
    wave_load(band->wave, band->newest, band->older, emitted, source,
              band->age);
}

/* ---- from beginning to end ---- */

static void choose_numbers(struct band *band)
{
    const struct arrival_settings *arrival = &band->study->arrival;
    for (int i = 0; i < band->sums; i++) {
        double p = band->read.sum[i].options.p;
        band->growth[i] = rounded(band, exp(p));
        band->read.sum[i].decay = log(band->growth[i]);
    }
    band->smallest = is_single(band) ? (double)FLT_MIN : DBL_MIN;
    band->largest = ldexp(band->smallest, band->study->range);
    band->ceiling = band->largest / (1 - 1 / band->growth[band->sums - 1]) *
                    fmax(ldexp(1, CEILING), 2 / arrival->eta);
}

static enum status open_band(struct band *band, struct error *error)
{
    const struct terrain *terrain = &band->front->terrain;
    const struct study *study = band->study;
    const struct laplace_options options = {
        .p = study->arrival.p,
        .eta = study->arrival.eta,
        .amplitude = 1,
        .width = sizeof(double),
        .matched = study->wave.stencil == stencil_find("9-point"),
    };
    size_t cells = cells_of(band);
    band->newest = memory_new(cells, sizeof(double));
    band->older = memory_new(cells, sizeof(double));
    band->held = memory_new(cells, sizeof *band->held);
    if (!band->newest || !band->older || !band->held)
        return error_memory(error);
    for (size_t i = 0; i < cells; i++)
        band->held[i].closed = -1;
    enum status status =
        medium_new(terrain, &study->wave, &band->medium, error);
    if (status == STATUS_OK)
        status = wave_new(band->medium, &band->wave, error);
    if (status == STATUS_OK)
        status = laplace_pair_init(
            &band->read, terrain, &options,
            study->arrival.heading == HEADING_ARRIVAL_TIME, error);
    band->sums = band->read.count;
    return status;
}

static void close_band(struct band *band)
{
    laplace_pair_release(&band->read);
    wave_release(band->wave);
    medium_release(band->medium);
    memory_release(band->newest);
    memory_release(band->older);
    memory_release(band->held);
}

enum status find_front_headings(const struct study *study, struct front *front,
                                struct error *error)
{
    struct band band = { .study = study, .front = front };
    enum status status = open_band(&band, error);
    if (status == STATUS_OK) {
        choose_numbers(&band);
        wave_emit(band.wave, front->source, 0);
        front->step[front->source] = 0;
        for (; band.age <= study->steps; band.age++) {
            if (band.age > 0)
                wave_step(band.wave, NULL);
            take_generation(&band);
        }
    }
    close_band(&band);
    return status;
}
