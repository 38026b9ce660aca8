/* SPDX-License-Identifier: MIT */
#include "analysis/modes/exact.h"

#include "analysis/modes/dense.h"
#include "base/memory.h"
#include "base/need.h"
#include "base/random.h"
#include "config.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t ports_channels(const struct ports *ports)
{
    size_t count = 0;
    for (size_t p = 0; p < ports->count; p++)
        count += ports->port[p].count;
    return count;
}

double complex mode_step(const struct mode_law *law, double frequency,
                         double *power)
{
    const double cosine = mode_cosine(law, frequency);
    const double rest = sqrt(fabs(1 - cosine * cosine));
    *power = cosine > -1 && cosine < 1 ? rest : 0;
    if (*power > 0)
        return cosine + I * rest;
    return cosine > 0 ? cosine - rest : cosine + rest;
}

double complex resonance_frequency(double complex value, double delta,
                                   double damping)
{
    const double m = damping / 2;
    const double complex half = 1 - delta * value / 2;
    const double complex root = csqrt(1 - m * m - half * half);
    /* e^(−iω), ω with a positive real part. */
    const double complex step =
        (half - I * (creal(root) < 0 ? -root : root)) / (1 + m);
    return I * clog(step);
}

void resonances_release(struct resonances *resonances)
{
    for (size_t i = 0; i < resonances->count; i++)
        memory_release(resonances->list[i].shape);
    memory_release(resonances->list);
    *resonances = (struct resonances){ 0 };
}

#ifdef HAMON_LAPACK

/* LAPACK's own, of Fortran: solves A x = b with partial pivoting. A is a band
 * matrix: A[i][j] is ab[below + above + i − j] of column j, of `stride`
 * numbers; the first `below` are room. */
void zgbsv_(const int *count, const int *below, const int *above,
            const int *columns, double complex *ab, const int *stride,
            int *pivots, double complex *b, const int *b_stride, int *info);

struct system {
    const struct ports *ports;
    int count, band, stride;
    double complex *matrix;
};

static void add(struct system *system, size_t row, size_t column,
                double complex value)
{
    const size_t band = (size_t)system->band;
    system->matrix[column * (size_t)system->stride + 2 * band + row - column] +=
        value;
}

/* The number of a port's cell. */
static size_t number_at(const struct ports *ports, const struct port *port,
                        size_t i)
{
    int cell[GRID_AXES];
    port_cell(port, i, 0, cell);
    return (size_t)ports->number[grid_index(&ports->map.terrain->grid, cell[0],
                                            cell[1], cell[2])];
}

/* The terms of a cell and its neighbour in a direction. */
static void add_pair(struct system *system, size_t i, enum direction direction)
{
    const struct ports *ports = system->ports;
    const struct grid *grid = &ports->map.terrain->grid;
    int cell[GRID_AXES];
    grid_cell(grid, ports->cell[i], cell);
    for (size_t p = 0; p < ports->count; p++)
        if (port_leads_out(&ports->port[p], cell, direction)) {
            add(system, i, i, -1);
            return;
        }
    for (int axis = 0; axis < GRID_AXES; axis++)
        cell[axis] += direction_step[direction][axis];
    if (!grid_holds(grid, cell[0], cell[1], cell[2]))
        return;
    const size_t at = grid_index(grid, cell[0], cell[1], cell[2]);
    if (!ports->map.terrain->wall[at] || ports->map.fixed)
        add(system, i, i, -1);
    if (!ports->map.terrain->wall[at])
        add(system, i, (size_t)ports->number[at], 1);
}

/* What is beyond a port's cells, Σ φₚ e^(ikₚ) (φₚ·u). */
static void add_port(struct system *system, const struct port *port,
                     const double complex *steps)
{
    for (size_t m = 0; m < port->count; m++) {
        const double *shape = port->shapes + m * port->count;
        for (size_t i = 0; i < port->count; i++)
            for (size_t j = 0; j < port->count; j++)
                add(system, number_at(system->ports, port, i),
                    number_at(system->ports, port, j),
                    steps[m] * shape[i] * shape[j]);
    }
}

/* With `value` in place of 4 sin²(ω/2)/δ, and e^(ik) of all channels. */
static void assemble(struct system *system, double complex value,
                     const double complex *steps)
{
    const struct ports *ports = system->ports;
    memset(system->matrix, 0,
           ports->cells * (size_t)system->stride * sizeof *system->matrix);
    for (size_t i = 0; i < ports->cells; i++) {
        add(system, i, i, value);
        for (int d = 0; d < 2 * grid_axes(&ports->map.terrain->grid); d++)
            add_pair(system, i, (enum direction)d);
    }
    for (size_t p = 0; p < ports->count; p++) {
        add_port(system, &ports->port[p], steps);
        steps += ports->port[p].count;
    }
}

static enum status system_new(const struct ports *ports, struct system *system,
                              struct error *error)
{
    const size_t stride = 3 * ports->band + 1;
    if (ports->cells > INT32_MAX / stride ||
        !memory_allows(ports->cells * stride * sizeof(double complex)))
        return error_set(error, STATUS_FAILED,
                         "exact values need %.1f GB of memory for the %zu "
                         "cells of this part; choose a smaller part by --from "
                         "and --to, or a smaller map",
                         1e-9 * (double)(ports->cells * stride) *
                             sizeof(double complex),
                         ports->cells);
    *system = (struct system){ ports, (int)ports->cells, (int)ports->band,
                               (int)stride, NULL };
    system->matrix = need_memory(ports->cells * stride, sizeof *system->matrix);
    return STATUS_OK;
}

struct guided {
    const struct port *port;
    const double *shape;
    double complex step;
    double power;
};

static void list_channels(const struct ports *ports, double frequency,
                          struct guided *list)
{
    for (size_t p = 0; p < ports->count; p++)
        for (size_t m = 0; m < ports->port[p].count; m++, list++) {
            list->port = &ports->port[p];
            list->shape = list->port->shapes + m * list->port->count;
            list->step =
                mode_step(&list->port->modes[m].law, frequency, &list->power);
        }
}

/* The right side of each incoming mode that travels, −φ(e^(−ik) − e^(ik)). */
static int add_incoming(const struct ports *ports,
                        const struct guided *channels, size_t count,
                        double complex *right)
{
    int columns = 0;
    for (size_t c = 0; c < count; c++) {
        const struct guided *in = &channels[c];
        if (!(in->power > 0))
            continue;
        for (size_t i = 0; i < in->port->count; i++)
            right[(size_t)columns * ports->cells +
                  number_at(ports, in->port, i)] =
                in->shape[i] * (in->step - 1 / in->step);
        columns++;
    }
    return columns;
}

static void take_outgoing(const struct ports *ports,
                          const struct guided *channels, size_t count,
                          const double complex *u, double complex *matrix)
{
    for (size_t from = 0; from < count; from++) {
        const double power = channels[from].power;
        for (size_t to = 0; to < count; to++) {
            const struct guided *out = &channels[to];
            double complex sum = from == to ? -1 : 0;
            for (size_t i = 0; i < out->port->count && power > 0; i++)
                sum += out->shape[i] * u[number_at(ports, out->port, i)];
            matrix[to * count + from] = power > 0 && out->power > 0
                                            ? sum * sqrt(out->power / power)
                                            : 0;
        }
        u += power > 0 ? ports->cells : 0;
    }
}

enum status exact_check(struct error *error)
{
    (void)error;
    return STATUS_OK;
}

enum status exact_matrix(const struct ports *ports, double frequency,
                         double complex *matrix, struct error *error)
{
    const size_t count = ports_channels(ports);
    const double delta = ports->port[0].modes[0].law.delta;
    const double sine = sin(frequency / 2);
    struct system system = { 0 };
    enum status status = system_new(ports, &system, error);
    if (status)
        return status;
    struct guided *channels = need_memory(count, sizeof *channels);
    double complex *steps = need_memory(count, sizeof *steps);
    int *pivots = need_memory(ports->cells, sizeof *pivots), info = 0;
    double complex *right = need_memory(count * ports->cells, sizeof *right);
    list_channels(ports, frequency, channels);
    for (size_t c = 0; c < count; c++)
        steps[c] = channels[c].step;
    assemble(&system, 4 * sine * sine / delta, steps);
    const int columns = add_incoming(ports, channels, count, right);
    if (columns)
        zgbsv_(&system.count, &system.band, &system.band, &columns,
               system.matrix, &system.stride, pivots, right, &system.count,
               &info);
    take_outgoing(ports, channels, count, right, matrix);
    memory_release(system.matrix);
    memory_release(right);
    memory_release(pivots);
    memory_release(steps);
    memory_release(channels);
    return info ? error_set(error, STATUS_FAILED,
                            "no exact values at the frequency %.10g: the "
                            "linear system has no solution",
                            frequency)
                : STATUS_OK;
}

/* ---- resonances ---- */

/* Points of an ellipse, columns of a solution, ellipses at most, and steps of
 * inverse iteration. */
enum { NODES = 32, COLUMNS = 32, ELLIPSES = 24, ITERATIONS = 12 };

/* Resonances expected in an ellipse; what of its width it extends beyond its
 * ends; a relative size of singular values that are those of no resonance;
 * relative differences of values that have converged, and of those that may be
 * equal; the part of a shape that is new. */
static const double expected = 10, beyond = .15, no_rank = 1e-8,
                    converged = 1e-13, equal = 1e-7, new_part = 1e-3;

struct search {
    const struct ports *ports;
    struct system system;
    size_t columns;
    double base;                     /* modes travel as there */
    double complex *steps, *changes; /* (channels): e^(ik) and its derivative */
    int *pivots;
    double *start;             /* (columns, cells) */
    double complex *right;     /* (columns, cells) */
    double complex *moment[2]; /* (columns, cells) */
    double complex *from;      /* (cells) */
    struct resonances *found;
    size_t room;
};

/* e^(ik) at a complex value, and its derivative: analytic in the strip of
 * `base`, between cutoffs. */
static void step_out(struct search *search, double complex value)
{
    size_t c = 0;
    for (size_t p = 0; p < search->ports->count; p++)
        for (size_t m = 0; m < search->ports->port[p].count; m++, c++) {
            const double four = 4 * search->ports->port[p].modes[m].law.s;
            const double there = 1 - (search->base - four) / 2;
            const double complex cosine = 1 - (value - four) / 2;
            const double complex step =
                there > 1    ? cosine - csqrt(cosine * cosine - 1)
                : there < -1 ? cosine + csqrt(cosine * cosine - 1)
                             : cosine + I * csqrt(1 - cosine * cosine);
            search->steps[c] = step;
            search->changes[c] = -step / (step - 1 / step);
        }
}

/* out = A' u, the derivative of the system by the value. */
static void differentiate(const struct search *search, const double complex *u,
                          double complex *out)
{
    const double complex *changes = search->changes;
    memcpy(out, u, search->ports->cells * sizeof *out);
    for (size_t p = 0; p < search->ports->count; p++) {
        const struct port *port = &search->ports->port[p];
        for (size_t m = 0; m < port->count; m++) {
            const double *shape = port->shapes + m * port->count;
            double complex sum = 0;
            for (size_t i = 0; i < port->count; i++)
                sum += shape[i] * u[number_at(search->ports, port, i)];
            for (size_t i = 0; i < port->count; i++)
                out[number_at(search->ports, port, i)] +=
                    changes[m] * sum * shape[i];
        }
        changes += port->count;
    }
}

/* Solves for the right sides; step_out before. False: there is none. */
static bool solve(struct search *search, double complex value, int columns)
{
    int info = 0;
    assemble(&search->system, value, search->steps);
    zgbsv_(&search->system.count, &search->system.band, &search->system.band,
           &columns, search->system.matrix, &search->system.stride,
           search->pivots, search->right, &search->system.count, &info);
    return info == 0;
}

static double complex product(const double complex *a, const double complex *b,
                              size_t count)
{
    double complex sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static double size_of(const double complex *a, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += creal(a[i] * conj(a[i]));
    return sqrt(sum);
}

static void scale(double complex *a, size_t count, double complex factor)
{
    for (size_t i = 0; i < count; i++)
        a[i] *= factor;
}

/* Inverse iteration with Rayleigh's quotient from *value and u, to both. */
static bool refine(struct search *search, double complex *value,
                   double complex *u)
{
    const size_t cells = search->ports->cells;
    double complex *next = search->right;
    for (int i = 0; i < ITERATIONS; i++) {
        step_out(search, *value);
        differentiate(search, u, search->from);
        memcpy(next, search->from, cells * sizeof *next);
        if (!solve(search, *value, 1)) {
            *value *= 1 + converged;
            continue;
        }
        const double size = size_of(next, cells);
        if (!isfinite(size) || !(size > 0))
            return false;
        scale(next, cells, 1 / size);
        memcpy(u, next, cells * sizeof *u);
        const double complex above = product(u, search->from, cells) / size;
        differentiate(search, u, search->from);
        const double complex change = above / product(u, search->from, cells);
        *value -= change;
        if (cabs(change) < converged * cabs(*value) + converged)
            return isfinite(creal(*value)) && isfinite(cimag(*value));
    }
    return false;
}

/* Adds a resonance unless it has been found. Of equal values what is new of a
 * shape is added. */
static void take(struct search *search, double complex value, double complex *u)
{
    struct resonances *found = search->found;
    const size_t cells = search->ports->cells;
    const double before = size_of(u, cells);
    for (size_t i = 0; i < found->count; i++) {
        const struct resonance *other = &found->list[i];
        if (cabs(other->value - value) > equal * cabs(value))
            continue;
        const double complex part = product(u, other->shape, cells);
        for (size_t k = 0; k < cells; k++)
            u[k] -= part * other->shape[k];
    }
    const double complex square = product(u, u, cells);
    if (size_of(u, cells) < new_part * before || !(cabs(square) > 0))
        return;
    found->list = need_more(found->list, found->count, &search->room,
                            sizeof *found->list);
    struct resonance *mine = &found->list[found->count++];
    *mine = (struct resonance){ value, need_memory(cells, sizeof *u) };
    memcpy(mine->shape, u, cells * sizeof *u);
    scale(mine->shape, cells, 1 / csqrt(square));
}

/* The two moments of the solutions along an ellipse. */
static void integrate(struct search *search, double middle, double half,
                      double deep)
{
    const size_t size = search->ports->cells * search->columns;
    /* Of a closed part the other half of the ellipse gives conjugates. */
    const bool closed = search->ports->count == 0;
    memset(search->moment[0], 0, size * sizeof **search->moment);
    memset(search->moment[1], 0, size * sizeof **search->moment);
    for (int k = 0; k < (closed ? NODES / 2 : NODES); k++) {
        const double angle = 2 * pi * (k + .5) / NODES;
        const double complex at = cos(angle) + I * deep / half * sin(angle);
        const double complex weight =
            (I * sin(angle) + deep / half * cos(angle)) / NODES;
        step_out(search, middle + half * at);
        for (size_t i = 0; i < size; i++)
            search->right[i] = search->start[i];
        if (!solve(search, middle + half * at, (int)search->columns))
            continue;
        for (size_t i = 0; i < size; i++) {
            const double complex zeroth = weight * search->right[i];
            const double complex first = at * zeroth;
            search->moment[0][i] += closed ? 2 * creal(zeroth) : zeroth;
            search->moment[1][i] += closed ? 2 * creal(first) : first;
        }
    }
}

/* Values and vectors, (count, cells), of the moments; the number. The zeroth
 * moment becomes its left singular vectors. */
static size_t extract(struct search *search, double complex *values,
                      double complex *vectors)
{
    const size_t cells = search->ports->cells, columns = search->columns;
    double *singular = need_memory(columns, sizeof *singular);
    double complex *right = need_memory(columns * columns, sizeof *right);
    double complex *small = need_memory(columns * columns, sizeof *small);
    double complex *own = need_memory(columns * columns, sizeof *own);
    size_t rank = 0;
    if (dense_svd(cells, columns, search->moment[0], singular, right))
        while (rank < columns && singular[rank] > no_rank * singular[0])
            rank++;
    for (size_t j = 0; j < rank; j++)
        for (size_t k = 0; k < columns; k++) {
            /* (first moment · right vector j) */
            const double complex factor =
                conj(right[k * columns + j]) / singular[j];
            for (size_t i = 0; i < cells; i++)
                vectors[j * cells + i] +=
                    factor * search->moment[1][k * cells + i];
        }
    for (size_t j = 0; j < rank; j++)
        for (size_t i = 0; i < rank; i++)
            for (size_t k = 0; k < cells; k++)
                small[j * rank + i] += conj(search->moment[0][i * cells + k]) *
                                       vectors[j * cells + k];
    if (!dense_eigen(rank, small, values, own))
        rank = 0;
    memset(vectors, 0, columns * cells * sizeof *vectors);
    for (size_t j = 0; j < rank; j++)
        for (size_t i = 0; i < rank; i++)
            for (size_t k = 0; k < cells; k++)
                vectors[j * cells + k] +=
                    own[j * rank + i] * search->moment[0][i * cells + k];
    memory_release(own);
    memory_release(small);
    memory_release(right);
    memory_release(singular);
    return rank;
}

/* A strip of values in which no mode of a port begins or ceases to travel. */
struct strip {
    double low, high;
};

static struct strip strip_at(const struct ports *ports, double value)
{
    struct strip strip = { -INFINITY, INFINITY };
    for (size_t p = 0; p < ports->count; p++)
        for (size_t m = 0; m < ports->port[p].count; m++)
            for (int end = 0; end < 2; end++) {
                const double cut = 4 * (ports->port[p].modes[m].law.s + end);
                if (cut > value)
                    strip.high = fmin(strip.high, cut);
                else
                    strip.low = fmax(strip.low, cut);
            }
    return strip;
}

/* Finds the resonances of a strip between low and high, and some beyond.
 * False: there may be more. */
static bool look(struct search *search, const struct strip *strip, double low,
                 double high)
{
    const size_t cells = search->ports->cells;
    const double extra = beyond * (high - low);
    const double from = fmax(low - extra, strip->low);
    const double to = fmin(high + extra, strip->high);
    const double half = (to - from) / 2;
    double complex *values = need_memory(search->columns, sizeof *values);
    double complex *vectors =
        need_memory(search->columns * cells, sizeof *vectors);
    search->base = (low + high) / 2;
    integrate(search, (from + to) / 2, half,
              search->ports->count ? fmax(half, high / 3) : half);
    const size_t count = extract(search, values, vectors);
    const bool whole = count < search->columns || count == cells;
    for (size_t i = 0; i < count && whole; i++) {
        double complex value = (from + to) / 2 + half * values[i];
        double complex *u = vectors + i * cells;
        if (refine(search, &value, u) && creal(value) > strip->low &&
            creal(value) < strip->high && creal(value) > equal * high &&
            cimag(value) < equal * creal(value) &&
            -cimag(value) < creal(value) / 2)
            take(search, value, u);
    }
    memory_release(vectors);
    memory_release(values);
    return whole;
}

/* The value below which there are so many resonances, by Weyl's law. */
static double weyl(const struct ports *ports, double count)
{
    const double cells = (double)ports->cells;
    return grid_axes(&ports->map.terrain->grid) == 2
               ? 4 * pi * count / cells
               : pow(6 * pi * pi * count / cells, 2. / 3);
}

static size_t count_below(const struct resonances *found, double value)
{
    size_t count = 0;
    for (size_t i = 0; i < found->count; i++)
        count += creal(found->list[i].value) < value;
    return count;
}

static int by_value(const void *a, const void *b)
{
    const double left = creal(((const struct resonance *)a)->value);
    const double right = creal(((const struct resonance *)b)->value);
    return (left > right) - (left < right);
}

/* From the lowest values up to what is possible on the lattice. */
static void look_everywhere(struct search *search, size_t most)
{
    const struct ports *ports = search->ports;
    const double top = 4. * grid_axes(&ports->map.terrain->grid);
    double low = 0, share = 1;
    for (int i = 0; i < ELLIPSES && low < top; i++) {
        const struct strip strip = strip_at(ports, low);
        const double more = share * (weyl(ports, (i + 1) * expected) -
                                     weyl(ports, i * expected));
        double high = fmin(fmin(low + more, strip.high), top);
        if (strip.high - high < (high - low) / 4)
            high = strip.high;
        const bool whole =
            high - low < equal * high || look(search, &strip, low, high);
        share = whole ? fmin(1, 2 * share) : share / 2;
        low = whole ? high : low;
        if (count_below(search->found, low) >= most)
            break;
    }
    search->found->searched = low;
}

enum status exact_resonances(const struct ports *ports, size_t most,
                             struct resonances *resonances, struct error *error)
{
    const size_t cells = ports->cells;
    const size_t columns = cells < COLUMNS ? cells : COLUMNS;
    const size_t size = cells * columns, channels = ports_channels(ports);
    struct random random;
    *resonances = (struct resonances){ 0 };
    struct search search = { .ports = ports,
                             .columns = columns,
                             .found = resonances };
    enum status status = system_new(ports, &search.system, error);
    if (status)
        return status;
    search.steps = need_memory(channels + 1, sizeof *search.steps);
    search.changes = need_memory(channels + 1, sizeof *search.changes);
    search.pivots = need_memory(cells, sizeof *search.pivots);
    search.start = need_memory(size, sizeof *search.start);
    search.right = need_memory(size, sizeof *search.right);
    search.moment[0] = need_memory(size, sizeof **search.moment);
    search.moment[1] = need_memory(size, sizeof **search.moment);
    search.from = need_memory(cells, sizeof *search.from);
    random_seed(&random, 1);
    for (size_t i = 0; i < size; i++)
        search.start[i] = random_unit(&random) - .5;
    look_everywhere(&search, most);
    qsort(resonances->list, resonances->count, sizeof *resonances->list,
          by_value);
    const size_t below = count_below(resonances, resonances->searched);
    while (resonances->count > (below < most ? below : most))
        memory_release(resonances->list[--resonances->count].shape);
    memory_release(search.from);
    memory_release(search.moment[1]);
    memory_release(search.moment[0]);
    memory_release(search.right);
    memory_release(search.start);
    memory_release(search.pivots);
    memory_release(search.changes);
    memory_release(search.steps);
    memory_release(search.system.matrix);
    return STATUS_OK;
}

#else

enum status exact_check(struct error *error)
{
    return error_set(
        error, STATUS_FAILED,
        "built without lapack: the exact values of scattering and "
        "resonances cannot be computed; install liblapack-dev and build again");
}

enum status exact_matrix(const struct ports *ports, double frequency,
                         double complex *matrix, struct error *error)
{
    (void)ports, (void)frequency, (void)matrix;
    return exact_check(error);
}

enum status exact_resonances(const struct ports *ports, size_t most,
                             struct resonances *resonances, struct error *error)
{
    (void)ports, (void)most;
    *resonances = (struct resonances){ 0 };
    return exact_check(error);
}

#endif
