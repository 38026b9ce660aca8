/* SPDX-License-Identifier: MIT */
#include "dispersion.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Below this share of the strongest a wave is noise of single precision. */
#define WEAKEST 1e-8
/* Of the largest amplitude, what the map's edge may have. */
#define EDGE_MOST 1e-6
enum { FEWEST_ROWS = 16 };

double dispersion_frequency(double kx, double ky, double delta, bool nine)
{
    double x = sin(kx / 2) * sin(kx / 2), y = sin(ky / 2) * sin(ky / 2);
    double square = delta * (x + y - (nine ? 2 * x * y / 3 : 0));
    return square <= 1 ? 2 * asin(sqrt(square)) : (double)NAN;
}

void plane_wave_take(struct plane_wave *wave, const double z[2])
{
    for (int part = 0; part < 2; part++) {
        if (wave->rows >= 2) {
            wave->products += wave->now[part] * (z[part] + wave->before[part]);
            wave->squares += wave->now[part] * wave->now[part];
        }
        wave->before[part] = wave->now[part];
        wave->now[part] = z[part];
    }
    wave->rows++;
}

double plane_wave_frequency(const struct plane_wave *wave)
{
    double cosine = wave->products / (2 * wave->squares);
    return fabs(cosine) <= 1 ? acos(cosine) : (double)NAN;
}

struct measuring {
    const struct recording *recording;
    const struct grid *grid;
    const struct variable *variable;
    struct emission emission;
    double *row;
    /* The row summed across each way: along x, and along x + y. */
    double *across[DISPERSION_WAYS];
    size_t length[DISPERSION_WAYS];
    struct plane_wave waves[DISPERSION_WAYS][DISPERSION_NUMBERS];
};

static double wave_number(enum dispersion_way way, int i)
{
    double longest = way == ALONG_AXIS ? acos(-1) : acos(-1) * sqrt(2);
    return longest * (i + 1) / DISPERSION_NUMBERS;
}

/* The age from which nothing more comes from the source: a Ricker pulse is
 * symmetric about its delay (source.c), the others are there at once. */
static int64_t still_from(const struct recording *recording)
{
    const char *source = recording_setting(recording, "wave.source");
    if (!source || strcmp(source, "ricker") != 0)
        return 0;
    double delta = recording_setting_real(recording, "wave.delta", 0.25);
    double length = recording_setting_real(recording, "wave.wavelength", 20);
    double sine = sqrt(delta) * sin(acos(-1) / length);
    double omega = 2 * asin(fmin(sine, 1));
    return 2 * (int64_t)(1 + ceil(2 * sqrt(18) / omega)) + 2;
}

/* Has the wave come to the map's edge? */
static bool at_edge(const struct measuring *m)
{
    double edge = 0, most = 0;
    for (size_t i = 0; i < grid_cells(m->grid); i++) {
        int at[GRID_AXES];
        grid_cell(m->grid, i, at);
        most = fmax(most, fabs(m->row[i]));
        if (at[0] == 0 || at[0] == m->grid->nx - 1 || at[1] == 0 ||
            at[1] == m->grid->ny - 1)
            edge = fmax(edge, fabs(m->row[i]));
    }
    return edge > EDGE_MOST * most;
}

static void sum_across(struct measuring *m)
{
    for (int way = 0; way < DISPERSION_WAYS; way++)
        memset(m->across[way], 0, m->length[way] * sizeof(double));
    for (int y = 0; y < m->grid->ny; y++)
        for (int x = 0; x < m->grid->nx; x++) {
            double z = m->row[grid_index(m->grid, x, y, 0)];
            m->across[ALONG_AXIS][x] += z;
            m->across[ALONG_DIAGONAL][x + y] += z;
        }
}

static void take_row(struct measuring *m)
{
    const int *source = m->emission.cell;
    sum_across(m);
    for (int way = 0; way < DISPERSION_WAYS; way++) {
        int origin = way == ALONG_AXIS ? source[0] : source[0] + source[1];
        double apart = way == ALONG_AXIS ? 1 : 1 / sqrt(2);
        for (int i = 0; i < DISPERSION_NUMBERS; i++) {
            double k = wave_number((enum dispersion_way)way, i) * apart;
            double z[2] = { 0, 0 };
            for (size_t j = 0; j < m->length[way]; j++) {
                double phase = k * ((double)j - origin);
                z[0] += m->across[way][j] * cos(phase);
                z[1] -= m->across[way][j] * sin(phase);
            }
            plane_wave_take(&m->waves[way][i], z);
        }
    }
}

static enum status take_rows(struct measuring *m, int64_t *used,
                             struct error *error)
{
    const int64_t *steps = recording_steps(m->recording);
    int64_t age = still_from(m->recording), row;
    *used = 0;
    if (recording_row_of(m->recording, m->emission.step + age, &row, NULL))
        return STATUS_OK; /* too few: the caller says so */
    for (; row < recording_rows(m->recording); row++, age++) {
        if (steps[row] != m->emission.step + age ||
            (m->emission.next >= 0 && steps[row] >= m->emission.next))
            break;
        enum status status =
            recording_read_real(m->recording, m->variable, row, m->row, error);
        if (status)
            return status;
        if (at_edge(m))
            break;
        take_row(m);
        ++*used;
    }
    return STATUS_OK;
}

static enum status check(const struct measuring *m, int wave,
                         struct error *error)
{
    uint8_t *wall = memory_new(grid_cells(m->grid), 1);
    if (!wall)
        return error_memory(error);
    enum status status =
        m->grid->dims == 2
            ? recording_read_terrain(m->recording, "wall", 0, wall, error)
            : STATUS_INPUT;
    bool free_space =
        !status && !memchr(wall, 1, grid_cells(m->grid)) &&
        !recording_find(m->recording, "speed") && m->variable &&
        variable_elements(m->variable) == grid_cells(m->grid) &&
        !(recording_setting_real(m->recording, "wave.damping", 0) > 0);
    memory_release(wall);
    return free_space
               ? STATUS_OK
               : error_set(error, STATUS_INPUT,
                           "%s: no phase speeds in the chart: they are "
                           "measured of recorded amplitudes (wave %d) in 2D, "
                           "without walls, speed areas and damping",
                           recording_path(m->recording), wave);
}

static void conclude(const struct measuring *m, struct dispersion *dispersion)
{
    double delta = recording_setting_real(m->recording, "wave.delta", 0.25);
    const char *stencil = recording_setting(m->recording, "wave.stencil");
    bool nine = stencil && strcmp(stencil, "9-point") == 0;
    double strongest = 0;
    for (int way = 0; way < DISPERSION_WAYS; way++)
        for (int i = 0; i < DISPERSION_NUMBERS; i++)
            strongest = fmax(strongest, m->waves[way][i].squares);
    for (int way = 0; way < DISPERSION_WAYS; way++)
        for (int i = 0; i < DISPERSION_NUMBERS; i++) {
            const struct plane_wave *wave = &m->waves[way][i];
            double k = wave_number((enum dispersion_way)way, i);
            double side = way == ALONG_AXIS ? k : k / sqrt(2);
            double unit = k * sqrt(delta);
            dispersion->k[way][i] = k;
            dispersion->law[way][i] =
                dispersion_frequency(side, way == ALONG_AXIS ? 0 : side, delta,
                                     nine) /
                unit;
            dispersion->measured[way][i] =
                wave->squares > WEAKEST * strongest
                    ? plane_wave_frequency(wave) / unit
                    : (double)NAN;
        }
}

enum status dispersion_measure(const struct recording *recording, int wave,
                               struct dispersion *dispersion,
                               struct error *error)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d", wave);
    struct measuring *m = memory_new(1, sizeof *m);
    if (!m)
        return error_memory(error);
    m->recording = recording;
    m->grid = recording_grid(recording);
    m->variable = recording_find(recording, name);
    m->length[ALONG_AXIS] = (size_t)m->grid->nx;
    m->length[ALONG_DIAGONAL] = (size_t)m->grid->nx + (size_t)m->grid->ny;
    m->row = memory_new(grid_cells(m->grid), sizeof *m->row);
    bool room = m->row != NULL;
    for (int way = 0; way < DISPERSION_WAYS; way++) {
        m->across[way] = memory_new(m->length[way], sizeof(double));
        room = room && m->across[way];
    }
    enum status status = room ? check(m, wave, error) : error_memory(error);
    if (!status)
        status = emission_first(recording, wave, &m->emission, error);
    if (!status)
        status = take_rows(m, &dispersion->rows, error);
    if (!status && dispersion->rows < FEWEST_ROWS)
        status =
            error_set(error, STATUS_INPUT,
                      "%s: %lld rows between the source's end and the "
                      "front's coming to the map's edge are too few to "
                      "measure phase speeds, and the chart has none",
                      recording_path(recording), (long long)dispersion->rows);
    if (!status)
        conclude(m, dispersion);
    for (int way = 0; way < DISPERSION_WAYS; way++)
        memory_release(m->across[way]);
    memory_release(m->row);
    memory_release(m);
    return status;
}
