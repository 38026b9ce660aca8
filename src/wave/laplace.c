/* SPDX-License-Identifier: MIT */
#include "wave/laplace.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { BLOCK = LAPLACE_BLOCK };

/* How far V must stand over A before the cell is closed: Σ e^(−pj)|z| of all
 * that is to come is at most A/(1 − e^(−p)), for |z| stays about A. */
#define CEILING 0x1p20

/* How far a sum must stand over the smallest number at the age when z was
 * first told from 0: what was flushed before is then a thousandth of it. */
#define HEADROOM 0x1p10

/* The bits of a block from its cells. */
static void read_block(struct laplace *laplace, size_t row, size_t block)
{
    size_t nx = (size_t)laplace->terrain->grid.nx, x = block * BLOCK;
    size_t count = nx - x < BLOCK ? nx - x : BLOCK;
    struct laplace_block bits = { .wall = 0 };
    for (size_t i = 0; i < count; i++) {
        size_t cell = row * nx + x + i;
        bits.wall |= (uint64_t)(laplace->terrain->wall[cell] != 0) << i;
        bits.lit |= (uint64_t)(laplace->first[cell] >= 0) << i;
        bits.closed |= (uint64_t)(laplace->closed[cell] >= 0) << i;
        bits.arrived |= (uint64_t)(!laplace->step || laplace->step[cell] != -1)
                        << i;
    }
    if (count < BLOCK)
        bits.wall |= ~(uint64_t)0 << count;
    laplace->block[row * laplace->blocks + block] = bits;
}

static void read_blocks(struct laplace *laplace)
{
    const struct grid *grid = &laplace->terrain->grid;
    for (size_t row = 0; row < grid_cells(grid) / (size_t)grid->nx; row++)
        for (size_t block = 0; block < laplace->blocks; block++)
            read_block(laplace, row, block);
}

/* Nothing summed, nothing closed. */
static void laplace_clear(struct laplace *laplace)
{
    size_t cells = grid_cells(&laplace->terrain->grid);
    memset(laplace->sum, 0, cells * laplace->options.width);
    memset(laplace->closed, 0xff, cells * sizeof *laplace->closed);
    memset(laplace->first, 0xff, cells * sizeof *laplace->first);
    if (laplace->step)
        memset(laplace->step, 0xff, cells * sizeof *laplace->step);
    read_blocks(laplace);
    laplace->age = -1;
}

static double smallest(const struct laplace *laplace)
{
    return laplace->options.width == sizeof(float) ? FLT_MIN : DBL_MIN;
}

bool laplace_is_spoilt(const struct laplace *laplace, size_t cell)
{
    int64_t late = laplace_age(laplace, cell) - laplace->first[cell];
    if (late >= 0 && late < LAPLACE_LATE)
        return laplace_sum(laplace, cell) < laplace->floor[late];
    return laplace_log(laplace, cell) + laplace->decay * laplace->first[cell] <
           log(smallest(laplace) * HEADROOM);
}

/* V may yet be multiplied once. */
static double ceiling_for(const struct laplace *laplace)
{
    const struct laplace_options *options = &laplace->options;
    double most = options->width == sizeof(float) ? FLT_MAX : DBL_MAX;
    double ceiling = options->amplitude / -expm1(-options->p) *
                     fmax(CEILING, 2 / options->eta);
    return fmin(ceiling, most / (4 * laplace->growth));
}

static void choose_numbers(struct laplace *laplace)
{
    laplace->growth = exp(laplace->options.p);
    if (laplace->options.width == sizeof(float))
        laplace->growth = (double)(float)laplace->growth;
    laplace->decay = log(laplace->growth);
    laplace->ceiling = ceiling_for(laplace);
    for (int late = 0; late < LAPLACE_LATE; late++) {
        double floor =
            smallest(laplace) * HEADROOM * exp(laplace->decay * late);
        float single = (float)floor;
        laplace->floor[late] = floor;
        laplace->floor_single[late] =
            (double)single < floor ? nextafterf(single, INFINITY) : single;
    }
    laplace_set_level(laplace, kernel_best());
}

enum status laplace_init(struct laplace *laplace, const struct terrain *terrain,
                         const struct laplace_options *options,
                         struct error *error)
{
    const struct grid *grid = &terrain->grid;
    size_t cells = grid_cells(grid);
    size_t blocks = ((size_t)grid->nx + BLOCK - 1) / BLOCK;
    size_t all = cells / (size_t)grid->nx * blocks;
    *laplace = (struct laplace){
        .terrain = terrain,
        .options = *options,
        .age = -1,
        .sum = memory_new(cells, options->width),
        .closed = memory_new(cells, sizeof *laplace->closed),
        .first = memory_new(cells, sizeof *laplace->first),
        .step =
            options->steps ? memory_new(cells, sizeof *laplace->step) : NULL,
        .blocks = blocks,
        .block = memory_new(all, sizeof *laplace->block),
    };
    if (!laplace->sum || !laplace->closed || !laplace->first ||
        !laplace->block || (options->steps && !laplace->step)) {
        laplace_release(laplace);
        return error_memory(error);
    }
    choose_numbers(laplace);
    laplace_clear(laplace);
    return STATUS_OK;
}

void laplace_release(struct laplace *laplace)
{
    memory_release(laplace->sum);
    memory_release(laplace->closed);
    memory_release(laplace->first);
    memory_release(laplace->step);
    memory_release(laplace->block);
    *laplace = (struct laplace){ .age = -1 };
}

void laplace_begin(struct laplace *laplace, size_t source)
{
    laplace_clear(laplace);
    if (!laplace->step || source == GRID_NOWHERE)
        return;
    size_t nx = (size_t)laplace->terrain->grid.nx;
    laplace->step[source] = 0;
    read_block(laplace, source / nx, source % nx / BLOCK);
}

struct take {
    struct laplace *laplace;
    const struct amplitudes *generation;
};

/* The blocks of a row that the lit columns touch. */
static void take_row(const struct take *take, size_t row, const struct box *lit)
{
    struct laplace *laplace = take->laplace;
    const struct amplitudes *generation = take->generation;
    size_t ny = (size_t)laplace->terrain->grid.ny;
    ptrdiff_t at = (ptrdiff_t)(row % ny) * generation->row +
                   (ptrdiff_t)(row / ny) * generation->layer;
    const char *z = (const char *)generation->values +
                    at * (ptrdiff_t)laplace->options.width;
    laplace->take_row(laplace, row, z, (size_t)lit->low[0] / BLOCK,
                      (size_t)lit->high[0] / BLOCK);
}

/* Rows share themselves out over the lit ones only. */
static void take_rows(void *context, int thread, int threads)
{
    const struct take *take = context;
    const struct grid *grid = &take->laplace->terrain->grid;
    const struct box all = grid_box(grid);
    const struct box *lit =
        take->generation->lit ? take->generation->lit : &all;
    size_t ny = (size_t)grid->ny, first, last;
    size_t low = (size_t)lit->low[2] * ny + (size_t)lit->low[1];
    size_t high = (size_t)lit->high[2] * ny + (size_t)lit->high[1];
    team_share(high + 1 - low, thread, threads, &first, &last);
    for (size_t row = low + first; row < low + last; row++) {
        int y = (int)(row % ny);
        if (y >= lit->low[1] && y <= lit->high[1])
            take_row(take, row, lit);
    }
}

void laplace_take(struct laplace *laplace, const struct amplitudes *generation,
                  int64_t age, struct team *team)
{
    int64_t lifetime = laplace->options.lifetime;
    if (age != laplace->age + 1 || age > INT32_MAX ||
        (lifetime > 0 && age > lifetime))
        return;
    laplace->age = age;
    team_run(team, take_rows, &(struct take){ laplace, generation });
}

static void forget(struct laplace *laplace, size_t cell)
{
    memset((char *)laplace->sum + cell * laplace->options.width, 0,
           laplace->options.width);
    laplace->closed[cell] = laplace->first[cell] = -1;
    if (laplace->step)
        laplace->step[cell] = -1;
}

void laplace_update(struct laplace *laplace, const struct box *box)
{
    const struct grid *grid = &laplace->terrain->grid;
    for (int z = box->low[2]; z <= box->high[2]; z++)
        for (int y = box->low[1]; y <= box->high[1]; y++) {
            size_t row = (size_t)z * (size_t)grid->ny + (size_t)y;
            for (int x = box->low[0]; x <= box->high[0]; x++) {
                size_t cell = grid_index(grid, x, y, z);
                if (laplace->terrain->wall[cell])
                    forget(laplace, cell);
            }
            for (int block = box->low[0] / BLOCK; block <= box->high[0] / BLOCK;
                 block++)
                read_block(laplace, row, (size_t)block);
        }
}

void laplace_state(struct laplace *laplace, struct state *state)
{
    const struct grid *grid = &laplace->terrain->grid;
    state_visit(state, &laplace->age, sizeof laplace->age);
    state_visit_cells(state, laplace->sum, laplace->options.width, grid);
    state_visit_cells(state, laplace->closed, sizeof *laplace->closed, grid);
    state_visit_cells(state, laplace->first, sizeof *laplace->first, grid);
    if (laplace->step)
        state_visit_cells(state, laplace->step, sizeof *laplace->step, grid);
    read_blocks(laplace);
}
