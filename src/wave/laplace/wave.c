/* SPDX-License-Identifier: MIT */
#include "wave/laplace/wave.h"

#include "base/memory.h"
#include "wave/generations.h"
#include "wave/laplace/band.h"

#include <float.h>
#include <math.h>

/* log2: how far the largest |z| decreases before it is scaled up, and the
 * maximum factor of one scaling. */
enum { FALLEN = 10, BROUGHT = 12 };

/* log2: V of a cell that is closed over the sum of all later terms. */
enum { CEILING = 16 };

/* The scale at the emission, and 2^12 at most at each look. */
enum { SCALE_MOST = 4096 + BROUGHT * (LAPLACE_OLDEST + 1) };

/* Generations between looks, and the p above which each is a look. */
enum { LOOK_EVERY = 4 };
#define LOOK_P 2.0

struct front_row {
    double most;  /* the largest |z| of the cells that are still open */
    bool arrives; /* the condition has just become true somewhere */
};

/* The sum with the smaller p, by which cells are closed. */
static struct laplace *slower(struct laplace_wave *front)
{
    return &front->pair.sum[front->pair.count - 1];
}

static size_t rows_of(const struct laplace_wave *front)
{
    const struct grid *grid = &front->medium->layout.grid;
    return (size_t)grid->ny * (size_t)grid->nz;
}

static double smallest(const struct laplace_wave *front)
{
    return laplace_wave_is_single(front) ? (double)FLT_MIN : DBL_MIN;
}

/* ---- construction ---- */

static int look_every(double p)
{
    return p > LOOK_P ? 1 : LOOK_EVERY;
}

/* The maximum of V over the largest |z|. */
static double ceiling_over(double growth, double eta)
{
    return fmax(ldexp(1, CEILING), 2 / eta) / (1 - 1 / growth);
}

double laplace_wave_bits(double p, double eta, int range, bool by_time)
{
    double low = by_time ? p * (1 - LAPLACE_PAIR_STEP) : p;
    double high = by_time ? p * (1 + LAPLACE_PAIR_STEP) : p;
    double grown = (look_every(low) + 1) * low / log(2);
    double bits = range + log2(ceiling_over(exp(low), eta)) + BROUGHT + grown;
    return bits * high / low; /* growth of V with the larger p */
}

int laplace_wave_room(enum precision precision)
{
    return precision == PRECISION_SINGLE ? FLT_MAX_EXP - FLT_MIN_EXP
                                         : DBL_MAX_EXP - DBL_MIN_EXP;
}

static void choose_numbers(struct laplace_wave *front, int range)
{
    const struct laplace *low = slower(front);
    if (range == 0)
        range = laplace_wave_range(front->medium->settings.walls,
                                   front->medium->settings.matched_p > 0 &&
                                       front->medium->terrain->speed);
    front->look_every = look_every(low->options.p);
    front->largest = ldexp(smallest(front), range);
    front->ceiling =
        front->largest * ceiling_over(low->growth, low->options.eta);
    if (laplace_wave_is_single(front))
        front->ceiling = (double)(float)front->ceiling;
}

enum status laplace_wave_init(struct laplace_wave *front,
                              const struct medium *medium,
                              const struct laplace_options *options, int range,
                              bool by_time, struct error *error)
{
    *front = (struct laplace_wave){ .medium = medium, .age = -1 };
    front->ages = (size_t)laplace_oldest(options) + 1;
    front->scale_of = memory_new(front->ages, sizeof *front->scale_of);
    front->row = memory_new(rows_of(front), sizeof *front->row);
    enum status status = front->scale_of && front->row
                             ? wave_new(medium, &front->wave, error)
                             : error_memory(error);
    if (!status)
        status = laplace_pair_init(&front->pair, medium, front->scale_of,
                                   options, by_time, error);
    if (!status)
        status = front_band_new(front, &front->band, error);
    if (status) {
        laplace_wave_release(front);
        return status;
    }
    front->wave->turned = medium->settings.source == SOURCE_RICKER;
    choose_numbers(front, range);
    laplace_wave_set_level(front, kernel_best());
    return STATUS_OK;
}

void laplace_wave_release(struct laplace_wave *front)
{
    laplace_pair_release(&front->pair);
    wave_release(front->wave);
    memory_release(front->scale_of);
    memory_release(front->row);
    front_band_release(front->band);
    *front = (struct laplace_wave){ .age = -1 };
}

void laplace_wave_set_level(struct laplace_wave *front, enum kernel_level level)
{
    front_band_set_level(front, level);
}

void laplace_wave_set_plain(struct laplace_wave *front)
{
    front_band_rest(front);
}

/* ---- reading ---- */

void laplace_wave_look(const struct laplace_wave *front,
                       const double at[GRID_AXES], struct laplace_look *look)
{
    struct amplitudes newest = wave_newest(front->wave);
    laplace_pair_look(&front->pair, &newest, at, look);
    const struct laplace *sum = &front->pair.sum[0];
    size_t nearest = grid_nearest(&sum->terrain->grid, at);
    if (look->spoilt && !sum->closed[layout_cell(&sum->layout, nearest)]) {
        look->spoilt = false; /* the sum is not complete yet */
        look->sum = 0;
    }
}

bool laplace_wave_is_spent(const struct laplace_wave *front)
{
    return front->faded || (size_t)front->age + 1 >= front->ages;
}

/* ---- a generation: sums, arrivals, closing ---- */

struct taking {
    struct laplace_wave *front;
    bool looks;
};

/* Arrays of a row's cells, from item `at` on. */
struct row_cells {
    void *z, *sum[2];
    uint16_t *closed[2], *arrived[2];
};

/* Steps 1 to 4, except for lost arrivals. */
#define DEFINE_TAKE(name, real, magnitude, least)                              \
    static struct front_row name(const struct laplace_wave *front,             \
                                 const struct row_cells *cells, int sums,      \
                                 int count, bool looks)                        \
    {                                                                          \
        const struct laplace_pair *pair = &front->pair;                        \
        const uint16_t now = (uint16_t)(front->age + 1);                       \
        const real ceiling = (real)front->ceiling;                             \
        const real eta = (real)pair->sum[0].options.eta;                       \
        real *restrict z = cells->z;                                           \
        real most = 0;                                                         \
        bool arrives = false;                                                  \
        for (int x = 0; x < count; x++) {                                      \
            if (cells->closed[0][x]) {                                         \
                z[x] = 0;                                                      \
                continue;                                                      \
            }                                                                  \
            const real size = magnitude(z[x]);                                 \
            for (int i = 0; i < sums; i++) {                                   \
                real *sum = (real *)cells->sum[i] + x;                         \
                *sum = *sum * (real)pair->sum[i].growth + z[x];                \
            }                                                                  \
            const bool over =                                                  \
                looks &&                                                       \
                magnitude(((real *)cells->sum[sums - 1])[x]) > ceiling;        \
            most = size > most && !over ? size : most;                         \
            for (int i = 0; i < sums; i++) {                                   \
                const real sum = ((real *)cells->sum[i])[x];                   \
                const real bound = over ? sum : eta * sum;                     \
                if (over)                                                      \
                    cells->closed[i][x] = now;                                 \
                if (now > 1 && !cells->arrived[i][x] &&                        \
                    (size < least ? least : size) <= bound) {                  \
                    cells->arrived[i][x] = now;                                \
                    arrives = true;                                            \
                }                                                              \
            }                                                                  \
        }                                                                      \
        return (struct front_row){ (double)most, arrives };                    \
    }
DEFINE_TAKE(take_single, float, fabsf, FLT_MIN)
DEFINE_TAKE(take_double, double, fabs, DBL_MIN)

static void take_row(struct laplace_wave *front, size_t row, bool looks)
{
    const struct layout *layout = &front->medium->layout;
    const struct box *lit = &front->wave->lit;
    int y = (int)row % layout->grid.ny, z = (int)row / layout->grid.ny;
    int count = lit->high[0] - lit->low[0] + 1;
    ptrdiff_t at = layout_at(layout, lit->low[0], y, z);
    struct row_cells cells = { .z = field_at(layout, front->wave->now, at) };
    front->row[row] = (struct front_row){ 0 };
    if (front->wave->dark || y < lit->low[1] || y > lit->high[1] ||
        z < lit->low[2] || z > lit->high[2])
        return;
    const int sums = front->pair.count == 2 ? 2 : 1;
    for (int i = 0; i < sums; i++) {
        const struct laplace *sum = &front->pair.sum[i];
        cells.sum[i] = field_at(layout, sum->sum, at);
        cells.closed[i] = sum->closed + at;
        cells.arrived[i] = sum->arrived + at;
    }
    front->row[row] = laplace_wave_is_single(front)
                          ? take_single(front, &cells, sums, count, looks)
                          : take_double(front, &cells, sums, count, looks);
    layout_mirror_row(layout, front->wave->now, y, z);
}

static void take_rows(void *context, int thread, int threads)
{
    struct taking *taking = context;
    size_t first, last;
    team_share(rows_of(taking->front), thread, threads, &first, &last);
    for (size_t row = first; row < last; row++)
        take_row(taking->front, row, taking->looks);
}

static void lose_row(struct laplace *laplace, size_t row)
{
    const struct grid *grid = &laplace->layout.grid;
    const int y = (int)row % grid->ny, z = (int)row / grid->ny;
    for (int x = 0; x < grid->nx; x++)
        laplace_lose(laplace, (const int[]){ x, y, z });
}

static void lose_rows(void *context, int thread, int threads)
{
    struct taking *taking = context;
    struct laplace_wave *front = taking->front;
    size_t first, last;
    team_share(rows_of(front), thread, threads, &first, &last);
    for (size_t row = first; row < last; row++)
        for (int i = 0; front->row[row].arrives && i < front->pair.count; i++)
            lose_row(&front->pair.sum[i], row);
}

/* ---- powers of two ---- */

struct multiplying {
    const struct laplace_wave *front;
    int by;
};

/* A power of two is exact; in two steps neither factor is out of range. */
static double multiplied(double value, int by)
{
    return value * ldexp(1, by / 2) * ldexp(1, by - by / 2);
}

static void multiply_row(const struct multiplying *multiplying, int y, int z)
{
    const struct laplace_wave *front = multiplying->front;
    const struct laplace_pair *pair = &front->pair;
    const struct layout *layout = &front->medium->layout;
    const struct box *lit = &front->wave->lit;
    void *const field[] = { front->wave->now, front->wave->before };
    ptrdiff_t at = layout_at(layout, lit->low[0], y, z);
    ptrdiff_t end = at + lit->high[0] - lit->low[0] + 1;
    if (front->wave->dark || y < lit->low[1] || y > lit->high[1] ||
        z < lit->low[2] || z > lit->high[2])
        return;
    for (int i = 0; i < 2; i++) {
        for (ptrdiff_t item = at; item < end; item++)
            field_set(layout, field[i], item,
                      multiplied(field_value(layout, field[i], item),
                                 multiplying->by));
        layout_mirror_row(layout, field[i], y, z);
    }
    for (int i = 0; i < pair->count; i++)
        for (ptrdiff_t item = at; item < end; item++)
            if (pair->sum[i].closed[item] == 0)
                field_set(
                    layout, pair->sum[i].sum, item,
                    multiplied(field_value(layout, pair->sum[i].sum, item),
                               multiplying->by));
}

static void multiply_rows(void *context, int thread, int threads)
{
    const struct multiplying *multiplying = context;
    const int ny = multiplying->front->medium->layout.grid.ny;
    size_t first, last;
    team_share(rows_of(multiplying->front), thread, threads, &first, &last);
    for (size_t row = first; row < last; row++)
        multiply_row(multiplying, (int)row % ny, (int)row / ny);
}

static void multiply(struct laplace_wave *front, int by, struct team *team)
{
    struct multiplying multiplying = { front, by };
    if (front_band_runs(front) && !front->band->stale)
        front_band_multiply(front, by, team);
    else
        team_step(team, box_cells(&front->wave->lit), multiply_rows,
                  &multiplying);
    front->scale += by;
    front->wave->scale = front->scale;
    for (int i = 0; i < front->pair.count; i++)
        front->pair.sum[i].scale = front->scale;
}

/* The difference of exponents between front->largest and `most`. */
static int short_of(const struct laplace_wave *front, double most)
{
    int now, wanted;
    frexp(most, &now);
    frexp(front->largest, &wanted);
    return wanted - now;
}

/* Is the source's cell closed, now or earlier in this emission? Later
 * amplitudes are smaller than those before. */
static bool is_past_source(struct laplace_wave *front)
{
    const struct laplace *low = slower(front);
    const int *at = front->wave->centre;
    bool here = source_is_here(front->wave) &&
                low->closed[layout_at(&low->layout, at[0], at[1], at[2])] != 0;
    if (!front->past_source)
        front->past_source = halo_any(front->medium->halo, here);
    return front->past_source;
}

/* Step 5, with `most` the largest |z| of open cells. */
static void bring_up(struct laplace_wave *front, double most, struct team *team)
{
    most = halo_most(front->medium->halo, most);
    front->faded = is_past_source(front) && !(most > 0);
    if (!front->past_source || !(most > 0) || short_of(front, most) < FALLEN)
        return;
    int by = short_of(front, most);
    multiply(front, by < BROUGHT ? by : BROUGHT, team);
}

/* ---- a generation ---- */

static double most_of(const struct laplace_wave *front)
{
    double most = 0;
    for (size_t row = 0; row < rows_of(front); row++)
        most = fmax(most, front->row[row].most);
    return most;
}

static void store_steps(struct laplace_wave *front)
{
    for (int i = 0; i < front->pair.count; i++)
        laplace_store_steps(&front->pair.sum[i]);
    laplace_pair_join(&front->pair);
}

/* Adds the wave's newest generation, which has the age `age`. */
static void take(struct laplace_wave *front, struct team *team)
{
    struct taking taking = {
        .front = front,
        .looks = laplace_wave_looks(front),
    };
    team_step(team, box_cells(&front->wave->lit), take_rows, &taking);
    if (front->pair.sum[0].step && front->age > 0) {
        team_step(team, box_cells(&front->wave->lit), lose_rows, &taking);
        store_steps(front);
    }
    if (taking.looks)
        bring_up(front, most_of(front), team);
}

/* ---- from emission to emission ---- */

/* The source's cell in the terrain, or GRID_NOWHERE. */
static size_t source_cell(const struct laplace_wave *front)
{
    const int *at = front->wave->centre;
    return source_is_here(front->wave)
               ? grid_index(&front->medium->layout.grid, at[0], at[1], at[2])
               : GRID_NOWHERE;
}

static void forget(struct laplace_wave *front)
{
    for (int i = 0; i < front->pair.count; i++)
        laplace_clear(&front->pair.sum[i]);
    wave_clear(front->wave);
}

static void set_age(struct laplace_wave *front, int64_t age)
{
    front->age = age;
    front->scale_of[age] = front->scale;
    for (int i = 0; i < front->pair.count; i++)
        front->pair.sum[i].age = age;
}

void laplace_wave_begin(struct laplace_wave *front, size_t source,
                        struct team *team)
{
    if (front_band_runs(front))
        front_band_forget(front);
    else
        forget(front);
    wave_emit_again(front->wave, source, 0);
    laplace_pair_begin(&front->pair, source_cell(front));
    front->band->stale = true; /* until front_band_light */
    front->scale = 0;
    front->past_source = front->faded = false;
    front->wave->scale = 0;
    multiply(front, short_of(front, front->medium->settings.amplitude), team);
    set_age(front, 0);
    take(front, team);
    if (front_band_runs(front))
        front_band_light(front);
}

void laplace_wave_advance(struct laplace_wave *front, struct team *team)
{
    if (front->age < 0 || (size_t)front->age + 1 >= front->ages)
        return;
    set_age(front, front->age + 1);
    if (front_band_runs(front)) {
        const double most = front_band_advance(front, team);
        if (laplace_wave_looks(front))
            bring_up(front, most, team);
    } else {
        wave_step(front->wave, team);
        take(front, team);
    }
}

void laplace_wave_update(struct laplace_wave *front, const struct box *box)
{
    front_band_catch_up(front);
    laplace_pair_update(&front->pair, box);
    front->band->stale = true;
    if (front->age >= 0)
        wave_clear_walls(front->wave, box);
}

void laplace_wave_state(struct laplace_wave *front, struct state *state)
{
    const int64_t oldest = (int64_t)front->ages - 1;
    front_band_catch_up(front);
    state_visit_whole(state, &front->age, 1, -1,
                      state->step < oldest ? state->step : oldest);
    state_visit_index(state, &front->scale, 1, -SCALE_MOST, SCALE_MOST);
    state_visit_index(state, front->scale_of, front->ages, -SCALE_MOST,
                      SCALE_MOST);
    state_visit_bool(state, &front->past_source);
    state_visit_bool(state, &front->faded);
    wave_state(front->wave, front->age, state);
    laplace_pair_state(&front->pair, state);
    front->band->stale = true;
    front->wave->scale = front->scale;
    for (int i = 0; i < front->pair.count; i++) {
        struct laplace *sum = &front->pair.sum[i];
        sum->scale = front->scale;
        if (!state_holds(state, sum->age == front->age))
            sum->age = front->age;
    }
}
