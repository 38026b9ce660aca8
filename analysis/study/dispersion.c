/* SPDX-License-Identifier: MIT */
#include "analysis/study/dispersion.h"

#include "base/memory.h"
#include "base/need.h"
#include "wave/ricker.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Below this fraction of the strongest, a wave is noise of single precision. */
#define WEAKEST 1e-8
/* The maximum at the map's edge, relative to the largest amplitude. */
#define EDGE_MOST 1e-6
enum { FEWEST_ROWS = 16 };

static const struct dispersion_way flat[DISPERSION_WAYS_2D] = {
    { { 1, 0, 0 }, 1 },
    { { 1, 1, 0 }, 2 },
};
static const struct dispersion_way deep[DISPERSION_WAYS] = {
    { { 1, 0, 0 }, 1 },  { { 0, 1, 0 }, 1 },  { { 0, 0, 1 }, 1 },
    { { 1, 1, 0 }, 2 },  { { 1, -1, 0 }, 2 }, { { 1, 0, 1 }, 2 },
    { { 1, 0, -1 }, 2 }, { { 0, 1, 1 }, 2 },  { { 0, 1, -1 }, 2 },
    { { 1, 1, 1 }, 3 },  { { 1, 1, -1 }, 3 }, { { 1, -1, 1 }, 3 },
    { { -1, 1, 1 }, 3 },
};

const struct dispersion_way *dispersion_way(int dims, int way)
{
    return dims == 2 ? &flat[way] : &deep[way];
}

double dispersion_frequency(const double k[GRID_AXES], double delta,
                            const struct stencil *stencil)
{
    double sines[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++)
        sines[axis] = sin(k[axis] / 2) * sin(k[axis] / 2);
    double square = delta * stencil_law(stencil, sines);
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
    int ways;
    double *row;
    /* The row summed across each direction, by the number of steps d·(x, y, z)
     * along it, from the minimum. */
    double *across[DISPERSION_WAYS];
    size_t length[DISPERSION_WAYS];
    int least[DISPERSION_WAYS];
    struct plane_wave waves[DISPERSION_WAYS][DISPERSION_NUMBERS];
};

/* The wave number whose components are at most π. */
static double wave_number(const struct dispersion_way *way, int i)
{
    double longest = acos(-1) * sqrt(way->axes);
    return longest * (i + 1) / DISPERSION_NUMBERS;
}

static int steps_along(const struct dispersion_way *way, int x, int y, int z)
{
    return way->step[0] * x + way->step[1] * y + way->step[2] * z;
}

/* The age from which the source emits no more: a Ricker pulse is symmetric
 * about its delay, the others are complete at once. */
static int64_t still_from(const struct recording *recording)
{
    const char *source = recording_setting(recording, "wave.source");
    if (!source || strcmp(source, "ricker") != 0)
        return 0;
    double delta = recording_setting_real(recording, "wave.delta", 0.25);
    double length = recording_setting_real(recording, "wave.wavelength", 20);
    return 2 * (int64_t)ricker_delay(ricker_frequency(delta, length)) + 2;
}

/* Has the wave reached the map's edge? */
static bool at_edge(const struct measuring *m)
{
    const struct box all = grid_box(m->grid);
    double edge = 0, most = 0;
    for (size_t i = 0; i < grid_cells(m->grid); i++) {
        int at[GRID_AXES];
        bool beside = false;
        grid_cell(m->grid, i, at);
        most = fmax(most, fabs(m->row[i]));
        for (int axis = 0; axis < grid_axes(m->grid); axis++)
            beside |= at[axis] == 0 || at[axis] == all.high[axis];
        if (beside)
            edge = fmax(edge, fabs(m->row[i]));
    }
    return edge > EDGE_MOST * most;
}

static void sum_across(struct measuring *m, int number)
{
    const struct dispersion_way *way = dispersion_way(m->grid->dims, number);
    double *across = m->across[number];
    const double *from = m->row;
    memset(across, 0, m->length[number] * sizeof *across);
    for (int z = 0; z < m->grid->nz; z++)
        for (int y = 0; y < m->grid->ny; y++) {
            int first = steps_along(way, 0, y, z) - m->least[number];
            for (int x = 0; x < m->grid->nx; x++)
                across[first + way->step[0] * x] += *from++;
        }
}

static void take_row(struct measuring *m)
{
    const int *source = m->emission.cell;
    for (int w = 0; w < m->ways; w++) {
        const struct dispersion_way *way = dispersion_way(m->grid->dims, w);
        int origin =
            steps_along(way, source[0], source[1], source[2]) - m->least[w];
        double apart = 1 / sqrt(way->axes);
        sum_across(m, w);
        for (int i = 0; i < DISPERSION_NUMBERS; i++) {
            double k = wave_number(way, i) * apart;
            double z[2] = { 0, 0 };
            for (size_t j = 0; j < m->length[w]; j++) {
                double phase = k * ((double)j - origin);
                z[0] += m->across[w][j] * cos(phase);
                z[1] -= m->across[w][j] * sin(phase);
            }
            plane_wave_take(&m->waves[w][i], z);
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
        return STATUS_OK; /* too few: the caller reports it */
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
    uint8_t *wall = need_memory(grid_cells(m->grid), 1);
    enum status status =
        recording_read_terrain(m->recording, "wall", 0, wall, error);
    bool free_space =
        !status && !memchr(wall, 1, grid_cells(m->grid)) &&
        !recording_find(m->recording, "speed") && m->variable &&
        variable_elements(m->variable) == grid_cells(m->grid) &&
        !(recording_setting_real(m->recording, "wave.damping", 0) > 0);
    memory_release(wall);
    return free_space ? STATUS_OK
                      : error_set(error, STATUS_INPUT,
                                  "%s: the chart has no phase speeds: they "
                                  "require recorded amplitudes (wave %d) "
                                  "without walls, speed areas and damping",
                                  recording_path(m->recording), wave);
}

static const struct stencil *stencil_of(const struct measuring *m)
{
    const char *name = recording_setting(m->recording, "wave.stencil");
    const struct stencil *stencil = name ? stencil_find(name) : NULL;
    return stencil ? stencil
                   : stencil_find(m->grid->dims == 2 ? "5-point" : "7-point");
}

static void conclude(const struct measuring *m, struct dispersion *dispersion)
{
    double delta = recording_setting_real(m->recording, "wave.delta", 0.25);
    const struct stencil *stencil = stencil_of(m);
    double strongest = 0;
    dispersion->ways = m->ways;
    for (int w = 0; w < m->ways; w++)
        for (int i = 0; i < DISPERSION_NUMBERS; i++)
            strongest = fmax(strongest, m->waves[w][i].squares);
    for (int w = 0; w < m->ways; w++)
        for (int i = 0; i < DISPERSION_NUMBERS; i++) {
            const struct dispersion_way *way = dispersion_way(m->grid->dims, w);
            const struct plane_wave *wave = &m->waves[w][i];
            double k = wave_number(way, i), side = k / sqrt(way->axes);
            double unit = k * sqrt(delta);
            const double vector[GRID_AXES] = { side * way->step[0],
                                               side * way->step[1],
                                               side * way->step[2] };
            dispersion->k[w][i] = k;
            dispersion->law[w][i] =
                dispersion_frequency(vector, delta, stencil) / unit;
            dispersion->measured[w][i] = wave->squares > WEAKEST * strongest
                                             ? plane_wave_frequency(wave) / unit
                                             : (double)NAN;
        }
}

/* Room for the sums across each direction. */
static void make_sums(struct measuring *m)
{
    const struct box all = grid_box(m->grid);
    m->ways = m->grid->dims == 2 ? DISPERSION_WAYS_2D : DISPERSION_WAYS;
    for (int w = 0; w < m->ways; w++) {
        const struct dispersion_way *way = dispersion_way(m->grid->dims, w);
        int length = 1;
        for (int axis = 0; axis < GRID_AXES; axis++) {
            length += abs(way->step[axis]) * all.high[axis];
            if (way->step[axis] < 0)
                m->least[w] -= all.high[axis];
        }
        m->length[w] = (size_t)length;
        m->across[w] = need_memory(m->length[w], sizeof *m->across[w]);
    }
}

enum status dispersion_measure(const struct recording *recording, int wave,
                               struct dispersion *dispersion,
                               struct error *error)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d", wave);
    struct measuring *m = need_memory(1, sizeof *m);
    m->recording = recording;
    m->grid = recording_grid(recording);
    m->variable = recording_find(recording, name);
    m->row = need_memory(grid_cells(m->grid), sizeof *m->row);
    make_sums(m);
    enum status status = check(m, wave, error);
    if (!status)
        status = emission_first(recording, wave, &m->emission, error);
    if (!status)
        status = take_rows(m, &dispersion->rows, error);
    if (!status && dispersion->rows < FEWEST_ROWS)
        status =
            error_set(error, STATUS_INPUT,
                      "%s: %lld rows from the source's end until the front "
                      "reaches the map's edge are too few to measure phase "
                      "speeds, and the chart has none",
                      recording_path(recording), (long long)dispersion->rows);
    if (!status)
        conclude(m, dispersion);
    for (int w = 0; w < m->ways; w++)
        memory_release(m->across[w]);
    memory_release(m->row);
    memory_release(m);
    return status;
}
