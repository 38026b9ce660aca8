/* SPDX-License-Identifier: MIT */
#include "wave/laplace_front.h"

#include "base/memory.h"
#include "wave/generations.h"
#include "wave/laplace_tiles.h"

#include <float.h>
#include <math.h>

/* log2: how far V stands over all that is to come when its cell is closed; what
 * the largest |z| falls by before it is brought up, and what it is brought up
 * by at most. */
enum { CEILING = 16, FALLEN = 10, BROUGHT = 12 };

/* Generations from look to look, and the p above which each is one. */
enum { LOOK_EVERY = 4 };
#define LOOK_P 2.0

/* The share of what a neighbour alone makes of U, below which a sum is lost. */
#define LEAST_SHARE 0.5

static bool is_single(const struct laplace_front *front)
{
    return front->medium->layout.item == sizeof(float);
}

static double smallest(const struct laplace_front *front)
{
    return is_single(front) ? (double)FLT_MIN : DBL_MIN;
}

/* That of the smaller p, by which cells are closed. */
static struct laplace *slower(struct laplace_front *front)
{
    return &front->pair.sum[front->pair.count - 1];
}

static size_t rows_of(const struct laplace_front *front)
{
    const struct grid *grid = &front->medium->layout.grid;
    return (size_t)grid->ny * (size_t)grid->nz;
}

/* ---- making it ---- */

static int look_every(double p)
{
    return p > LOOK_P ? 1 : LOOK_EVERY;
}

/* How far V may stand over the largest |z|. */
static double ceiling_over(double growth, double eta)
{
    return fmax(ldexp(1, CEILING), 2 / eta) / (1 - 1 / growth);
}

double laplace_front_bits(double p, double eta, int range, bool by_time)
{
    double low = by_time ? p * (1 - LAPLACE_PAIR_STEP) : p;
    double high = by_time ? p * (1 + LAPLACE_PAIR_STEP) : p;
    double grown = (look_every(p) + 1) * low / log(2);
    double bits = range + log2(ceiling_over(exp(low), eta)) + BROUGHT + grown;
    return bits * high / low; /* V of the larger p meanwhile */
}

static void choose_numbers(struct laplace_front *front, int range)
{
    const struct laplace *low = slower(front);
    if (range == 0)
        range = laplace_front_range(front->medium->settings.walls);
    front->look_every = look_every(low->options.p);
    front->largest = ldexp(smallest(front), range);
    front->ceiling =
        front->largest * ceiling_over(low->growth, low->options.eta);
    if (is_single(front))
        front->ceiling = (double)(float)front->ceiling;
}

enum status laplace_front_init(struct laplace_front *front,
                               const struct medium *medium,
                               const struct laplace_options *options, int range,
                               bool by_time, struct error *error)
{
    struct laplace_options own = *options;
    int64_t oldest = options->lifetime > 0 && options->lifetime < LAPLACE_OLDEST
                         ? options->lifetime
                         : LAPLACE_OLDEST;
    own.front = front;
    *front = (struct laplace_front){ .medium = medium, .age = -1 };
    front->ages = (size_t)oldest + 1;
    enum status status =
        laplace_pair_init(&front->pair, medium->terrain, &own, by_time, error);
    if (status)
        return status;
    front->scale_of = memory_new(front->ages, sizeof *front->scale_of);
    front->row = memory_new(rows_of(front), sizeof *front->row);
    status = front->scale_of && front->row
                 ? wave_new(medium, &front->wave, error)
                 : error_memory(error);
    if (status)
        laplace_front_release(front);
    else
        choose_numbers(front, range);
    return status;
}

void laplace_front_release(struct laplace_front *front)
{
    laplace_pair_release(&front->pair);
    wave_release(front->wave);
    memory_release(front->scale_of);
    memory_release(front->row);
    *front = (struct laplace_front){ .age = -1 };
}

/* ---- one generation ---- */

struct taking {
    struct laplace_front *front;
    bool looks;
};

/* What a row's cells are, from item `at` on. */
struct row_cells {
    void *z, *sum[2];
    uint16_t *closed[2], *arrived[2];
};

/* Steps 1 to 4, but for what is lost; gives back the largest |z| of what was
 * open. */
#define DEFINE_TAKE(name, real, magnitude, least)                              \
    static double name(const struct laplace_front *front,                      \
                       const struct row_cells *cells, int count, bool looks)   \
    {                                                                          \
        const struct laplace_pair *pair = &front->pair;                        \
        const int sums = pair->count;                                          \
        const uint16_t now = (uint16_t)(front->age + 1);                       \
        const real ceiling = (real)front->ceiling;                             \
        const real eta = (real)pair->sum[0].options.eta;                       \
        real *restrict z = cells->z;                                           \
        real most = 0;                                                         \
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
                    (size < least ? least : size) <= bound)                    \
                    cells->arrived[i][x] = now;                                \
            }                                                                  \
        }                                                                      \
        return (double)most;                                                   \
    }
DEFINE_TAKE(take_single, float, fabsf, FLT_MIN)
DEFINE_TAKE(take_double, double, fabs, DBL_MIN)

static void take_row(struct laplace_front *front, size_t row, bool looks)
{
    const struct layout *layout = &front->medium->layout;
    const struct box *lit = &front->wave->lit;
    int y = (int)row % layout->grid.ny, z = (int)row / layout->grid.ny;
    int count = lit->high[0] - lit->low[0] + 1;
    ptrdiff_t at = layout_at(layout, lit->low[0], y, z);
    struct row_cells cells = { .z = field_at(layout, front->wave->now, at) };
    front->row[row] = 0;
    if (y < lit->low[1] || y > lit->high[1] || z < lit->low[2] ||
        z > lit->high[2])
        return;
    for (int i = 0; i < front->pair.count; i++) {
        const struct laplace *sum = &front->pair.sum[i];
        cells.sum[i] = field_at(layout, sum->sum, at);
        cells.closed[i] = sum->closed + at;
        cells.arrived[i] = sum->arrived + at;
    }
    front->row[row] = is_single(front)
                          ? take_single(front, &cells, count, looks)
                          : take_double(front, &cells, count, looks);
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

/* Cells whose arrival has just been told, in a row. */
static void lose_row(struct laplace_front *front, struct laplace *laplace,
                     size_t row)
{
    const struct grid *grid = &front->medium->layout.grid;
    const uint16_t now = (uint16_t)(front->age + 1);
    for (int x = 0; x < grid->nx; x++) {
        size_t cell = row * (size_t)grid->nx + (size_t)x;
        uint16_t *arrived =
            &laplace->arrived[layout_cell(&laplace->layout, cell)];
        if (*arrived == now && laplace_front_is_spoilt(front, laplace, cell))
            *arrived = LAPLACE_NEVER;
    }
}

static void lose_rows(void *context, int thread, int threads)
{
    struct taking *taking = context;
    struct laplace_front *front = taking->front;
    size_t first, last;
    team_share(rows_of(front), thread, threads, &first, &last);
    for (size_t row = first; row < last; row++)
        for (int i = 0; front->row[row] > 0 && i < front->pair.count; i++)
            lose_row(front, &front->pair.sum[i], row);
}

/* ---- powers of two ---- */

struct multiplying {
    const struct laplace_front *front;
    int by;
};

/* A power of two is exact, and in two steps none is out of range. */
static double multiplied(double value, int by)
{
    return value * ldexp(1, by / 2) * ldexp(1, by - by / 2);
}

static void multiply_row(const struct multiplying *multiplying, int y, int z)
{
    const struct laplace_front *front = multiplying->front;
    const struct laplace_pair *pair = &front->pair;
    const struct layout *layout = &front->medium->layout;
    void *const field[] = { front->wave->now, front->wave->before };
    ptrdiff_t at = layout_at(layout, 0, y, z), end = at + layout->grid.nx;
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

static void multiply(struct laplace_front *front, int by, struct team *team)
{
    struct multiplying multiplying = { front, by };
    team_run(team, multiply_rows, &multiplying);
    front->scale += by;
    front->wave->scale = front->scale;
    for (int i = 0; i < front->pair.count; i++)
        front->pair.sum[i].scale = front->scale;
}

/* How many powers of two `most` is short of the largest. */
static int short_of(const struct laplace_front *front, double most)
{
    int now, wanted;
    frexp(most, &now);
    frexp(front->largest, &wanted);
    return wanted - now;
}

static bool source_is_open(struct laplace_front *front)
{
    const struct laplace *low = slower(front);
    return low->closed[layout_cell(&low->layout, front->wave->source)] == 0;
}

static void bring_up(struct laplace_front *front, struct team *team)
{
    double most = 0;
    for (size_t row = 0; row < rows_of(front); row++)
        most = fmax(most, front->row[row]);
    if (!(most > 0) || short_of(front, most) < FALLEN || source_is_open(front))
        return;
    int by = short_of(front, most);
    multiply(front, by < BROUGHT ? by : BROUGHT, team);
}

/* ---- a generation ---- */

static void tell_steps(struct laplace_front *front)
{
    for (int i = 0; i < front->pair.count; i++) {
        struct laplace *sum = &front->pair.sum[i];
        for (size_t tile = 0; tile < sum->tiles; tile++) {
            sum->tile[tile].touched = true;
            laplace_tell_steps(sum, &sum->tile[tile]);
        }
    }
    laplace_pair_join(&front->pair);
}

/* The wave's newest generation is that of `age`. */
static void take_generation(struct laplace_front *front, struct team *team)
{
    struct taking taking = {
        .front = front,
        .looks = (front->age + 1) % front->look_every == 0,
    };
    front->scale_of[front->age] = front->scale;
    for (int i = 0; i < front->pair.count; i++)
        front->pair.sum[i].age = front->age;
    team_run(team, take_rows, &taking);
    if (front->pair.sum[0].step) {
        if (front->age > 0)
            team_run(team, lose_rows, &taking);
        tell_steps(front);
    }
    if (taking.looks)
        bring_up(front, team);
}

void laplace_front_begin(struct laplace_front *front, size_t source,
                         struct team *team)
{
    for (int i = 0; i < front->pair.count; i++)
        for (size_t j = 0; j < front->pair.sum[i].tiles; j++)
            front->pair.sum[i].tile[j].touched = true;
    laplace_pair_begin(&front->pair, source);
    wave_emit(front->wave, source, 0);
    front->age = 0;
    front->scale = 0;
    front->wave->scale = 0;
    multiply(front, short_of(front, front->medium->settings.amplitude), team);
    take_generation(front, team);
}

void laplace_front_advance(struct laplace_front *front, struct team *team)
{
    if (front->age < 0 || (size_t)front->age + 1 >= front->ages)
        return;
    wave_step(front->wave, team);
    front->age++;
    take_generation(front, team);
}

void laplace_front_update(struct laplace_front *front, const struct box *box)
{
    laplace_pair_update(&front->pair, box);
    if (front->age >= 0)
        wave_clear_walls(front->wave, box);
}

void laplace_front_state(struct laplace_front *front, struct state *state)
{
    state_visit(state, &front->age, sizeof front->age);
    state_visit(state, &front->scale, sizeof front->scale);
    state_visit(state, front->scale_of, front->ages * sizeof *front->scale_of);
    wave_state(front->wave, front->age, state);
    laplace_pair_state(&front->pair, state);
    front->wave->scale = front->scale;
    for (int i = 0; i < front->pair.count; i++)
        front->pair.sum[i].scale = front->scale;
}

/* ---- reading it ---- */

void laplace_front_look(const struct laplace_front *front,
                        const double at[GRID_AXES], struct arrival_look *look)
{
    struct amplitudes newest = wave_newest(front->wave);
    laplace_pair_look(&front->pair, &newest, at, look);
}

/* What the neighbour in a direction alone makes of U, over its own. */
static double share_of(const struct laplace_front *front,
                       const struct coefficients *from, int direction)
{
    const struct stencil *stencil = front->medium->settings.stencil;
    return front->medium->form == COEFFICIENTS_FACE
               ? from->face[direction]
               : from->d * stencil->point[0].weight;
}

bool laplace_front_is_spoilt(const struct laplace_front *front,
                             const struct laplace *laplace, size_t cell)
{
    const struct grid *grid = &laplace->terrain->grid;
    const struct laplace_cell own = laplace_cell(laplace, cell);
    struct coefficients from;
    int at[GRID_AXES];
    if (!(own.sum > 0))
        return true;
    grid_cell(grid, cell, at);
    medium_coefficients(front->medium, at[0], at[1], at[2], &from);
    double whole = laplace->growth - from.c + from.a / laplace->growth;
    for (int i = 0; i < 2 * grid_axes(grid); i++) {
        const int *step = direction_step[i];
        int x = at[0] + step[0], y = at[1] + step[1], z = at[2] + step[2];
        if (!grid_holds(grid, x, y, z))
            continue;
        struct laplace_cell there =
            laplace_cell(laplace, grid_index(grid, x, y, z));
        double sum = ldexp(there.sum, own.scale - there.scale) *
                     exp(laplace->decay * (double)(own.age - there.age));
        if (there.sum < 0 ||
            own.sum * whole < LEAST_SHARE * share_of(front, &from, i) * sum)
            return true;
    }
    return false;
}
