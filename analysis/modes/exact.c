/* SPDX-License-Identifier: MIT */
#include "analysis/modes/exact.h"

#include "base/memory.h"
#include "base/need.h"
#include "config.h"

#include <math.h>
#include <stdint.h>

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
                     double frequency)
{
    double power;
    for (size_t m = 0; m < port->count; m++) {
        const double *shape = port->shapes + m * port->count;
        const double complex step =
            mode_step(&port->modes[m].law, frequency, &power);
        for (size_t i = 0; i < port->count; i++)
            for (size_t j = 0; j < port->count; j++)
                add(system, number_at(system->ports, port, i),
                    number_at(system->ports, port, j),
                    step * shape[i] * shape[j]);
    }
}

static void assemble(struct system *system, double frequency)
{
    const struct ports *ports = system->ports;
    const double delta = ports->port[0].modes[0].law.delta;
    const double sine = sin(frequency / 2);
    for (size_t i = 0; i < ports->cells; i++) {
        add(system, i, i, 4 * sine * sine / delta);
        for (int d = 0; d < 2 * grid_axes(&ports->map.terrain->grid); d++)
            add_pair(system, i, (enum direction)d);
    }
    for (size_t p = 0; p < ports->count; p++)
        add_port(system, &ports->port[p], frequency);
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
    const size_t stride = 3 * ports->band + 1;
    if (ports->cells > INT32_MAX / stride ||
        !memory_allows(ports->cells * stride * sizeof(double complex)))
        return error_set(error, STATUS_FAILED,
                         "exact values need %.1f GB of memory for the %zu "
                         "cells between the ports; choose ports closer "
                         "together by --from and --to",
                         1e-9 * (double)(ports->cells * stride) *
                             sizeof(double complex),
                         ports->cells);
    struct system system = { ports, (int)ports->cells, (int)ports->band,
                             (int)stride, NULL };
    struct guided *channels = need_memory(count, sizeof *channels);
    int *pivots = need_memory(ports->cells, sizeof *pivots), info = 0;
    double complex *right = need_memory(count * ports->cells, sizeof *right);
    system.matrix = need_memory(ports->cells * stride, sizeof *system.matrix);
    list_channels(ports, frequency, channels);
    assemble(&system, frequency);
    const int columns = add_incoming(ports, channels, count, right);
    if (columns)
        zgbsv_(&system.count, &system.band, &system.band, &columns,
               system.matrix, &system.stride, pivots, right, &system.count,
               &info);
    take_outgoing(ports, channels, count, right, matrix);
    memory_release(system.matrix);
    memory_release(right);
    memory_release(pivots);
    memory_release(channels);
    return info ? error_set(error, STATUS_FAILED,
                            "no exact values at the frequency %.10g: the "
                            "linear system has no solution",
                            frequency)
                : STATUS_OK;
}

#else

enum status exact_check(struct error *error)
{
    return error_set(
        error, STATUS_FAILED,
        "built without lapack: the exact values of scattering "
        "cannot be computed; install liblapack-dev and build again");
}

enum status exact_matrix(const struct ports *ports, double frequency,
                         double complex *matrix, struct error *error)
{
    (void)ports, (void)frequency, (void)matrix;
    return exact_check(error);
}

#endif
