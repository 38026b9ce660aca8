/* SPDX-License-Identifier: MIT */
/* A generation of the front: sums, arrivals, what closes, powers of two. */
#include "wave/laplace_front_band.h"
#include "wave/laplace_front_parts.h"
#include "wave/laplace_tiles.h"

#include <float.h>
#include <math.h>

struct taking {
    struct laplace_front *front;
    bool looks;
};

/* What a row's cells are, from item `at` on. */
struct row_cells {
    void *z, *sum[2];
    uint16_t *closed[2], *arrived[2];
};

/* Steps 1 to 4, but for what is lost. */
#define DEFINE_TAKE(name, real, magnitude, least)                              \
    static struct laplace_front_row name(const struct laplace_front *front,    \
                                         const struct row_cells *cells,        \
                                         int sums, int count, bool looks)      \
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
        return (struct laplace_front_row){ (double)most, arrives };            \
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
    front->row[row] = (struct laplace_front_row){ 0 };
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
    front->row[row] = laplace_front_is_single(front)
                          ? take_single(front, &cells, sums, count, looks)
                          : take_double(front, &cells, sums, count, looks);
    layout_mirror_row(layout, front->wave->now, y, z);
}

static void take_rows(void *context, int thread, int threads)
{
    struct taking *taking = context;
    size_t first, last;
    team_share(laplace_front_rows(taking->front), thread, threads, &first,
               &last);
    for (size_t row = first; row < last; row++)
        take_row(taking->front, row, taking->looks);
}

/* An arrival that has just been told: by a spoilt sum it waits, or where
 * nothing more comes is lost. */
static void lose(struct laplace_front *front, struct laplace *laplace,
                 size_t cell)
{
    ptrdiff_t i = layout_cell(&laplace->layout, cell);
    if (laplace->arrived[i] == (uint16_t)(front->age + 1) &&
        laplace_front_is_spoilt(front, laplace, cell))
        laplace->arrived[i] = laplace->closed[i] ? LAPLACE_NEVER : 0;
}

static void lose_row(struct laplace_front *front, struct laplace *laplace,
                     size_t row)
{
    const struct grid *grid = &front->medium->layout.grid;
    for (int x = 0; x < grid->nx; x++)
        lose(front, laplace, row * (size_t)grid->nx + (size_t)x);
}

static void lose_rows(void *context, int thread, int threads)
{
    struct taking *taking = context;
    struct laplace_front *front = taking->front;
    size_t first, last;
    team_share(laplace_front_rows(front), thread, threads, &first, &last);
    for (size_t row = first; row < last; row++)
        for (int i = 0; front->row[row].arrives && i < front->pair.count; i++)
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
    team_share(laplace_front_rows(multiplying->front), thread, threads, &first,
               &last);
    for (size_t row = first; row < last; row++)
        multiply_row(multiplying, (int)row % ny, (int)row / ny);
}

void laplace_front_multiply(struct laplace_front *front, int by,
                            struct team *team)
{
    struct multiplying multiplying = { front, by };
    if (front_band_runs(front) && !front->band->stale)
        front_band_multiply(front, by, team);
    else
        team_run(team, multiply_rows, &multiplying);
    front->scale += by;
    front->wave->scale = front->scale;
    for (int i = 0; i < front->pair.count; i++)
        front->pair.sum[i].scale = front->scale;
}

/* How many powers of two `most` is short of the largest. */
int laplace_front_short_of(const struct laplace_front *front, double most)
{
    int now, wanted;
    frexp(most, &now);
    frexp(front->largest, &wanted);
    return wanted - now;
}

/* Whether the source's cell is closed, or was: what comes then is fainter than
 * what has come. */
static bool is_past_source(struct laplace_front *front)
{
    const struct laplace *low = laplace_front_slower(front);
    const int *at = front->wave->centre;
    bool here = source_is_here(front->wave) &&
                low->closed[layout_at(&low->layout, at[0], at[1], at[2])] != 0;
    if (!front->past_source)
        front->past_source = halo_any(front->medium->halo, here);
    return front->past_source;
}

void laplace_front_bring_up(struct laplace_front *front, double most,
                            struct team *team)
{
    most = halo_most(front->medium->halo, most);
    if (!is_past_source(front) || !(most > 0) ||
        laplace_front_short_of(front, most) < LAPLACE_FRONT_FALLEN)
        return;
    int by = laplace_front_short_of(front, most);
    laplace_front_multiply(
        front, by < LAPLACE_FRONT_BROUGHT ? by : LAPLACE_FRONT_BROUGHT, team);
}

/* ---- a generation ---- */

void laplace_front_tell(struct laplace_front *front, size_t cell)
{
    const uint16_t now = (uint16_t)(front->age + 1);
    for (int i = 0; i < front->pair.count; i++) {
        struct laplace *sum = &front->pair.sum[i];
        if (sum->arrived[layout_cell(&sum->layout, cell)] != now)
            continue;
        lose(front, sum, cell);
        laplace_tell_step(sum, cell);
    }
    laplace_pair_join_cell(&front->pair, cell);
}

static double most_of(const struct laplace_front *front)
{
    double most = 0;
    for (size_t row = 0; row < laplace_front_rows(front); row++)
        most = fmax(most, front->row[row].most);
    return most;
}

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
void laplace_front_take(struct laplace_front *front, struct team *team)
{
    struct taking taking = {
        .front = front,
        .looks = laplace_front_looks(front),
    };
    team_run(team, take_rows, &taking);
    if (front->pair.sum[0].step && front->age > 0) {
        team_run(team, lose_rows, &taking);
        tell_steps(front);
    }
    if (taking.looks)
        laplace_front_bring_up(front, most_of(front), team);
}
