/* SPDX-License-Identifier: MIT */
#include "reflection_report.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>

/* The farthest cell that is no farther than `distance`. */
static size_t find_cell(const struct truth *truth, size_t cells,
                        double distance)
{
    size_t best = 0;
    double farthest = -1;
    for (size_t i = 0; i < cells; i++)
        if (truth->distance[i] <= distance && truth->distance[i] > farthest) {
            farthest = truth->distance[i];
            best = i;
        }
    return best;
}

/* |Σ z w e^(−iωn)|, w a Hann window. */
static double line(const double *series, int64_t rows, double omega)
{
    double real = 0, imaginary = 0;
    for (int64_t n = 0; n < rows; n++) {
        double window =
            0.5 - 0.5 * cos(2 * acos(-1) * ((double)n + 0.5) / (double)rows);
        real += window * series[n] * cos(omega * (double)n);
        imaginary -= window * series[n] * sin(omega * (double)n);
    }
    return hypot(real, imaginary);
}

enum status reflection_spectrum(const struct recording *recording, int wave,
                                const struct truth *truth, double *distance,
                                double spectrum[SPECTRUM_LINES],
                                struct error *error)
{
    char name[VARIABLE_NAME_SIZE];
    struct emission emission = { 0 };
    int64_t first = 0, rows = recording_rows(recording);
    snprintf(name, sizeof name, "wave%d", wave);
    size_t cell =
        find_cell(truth, grid_cells(recording_grid(recording)), *distance);
    *distance = truth->distance[cell];
    double *series = memory_new((size_t)rows, sizeof *series);
    enum status status = series ? STATUS_OK : error_memory(error);
    if (!status)
        status = emission_first(recording, wave, &emission, error);
    if (!status)
        status = recording_row_of(recording, emission.step, &first, error);
    if (!status)
        status = recording_read_series(
            recording, recording_find(recording, name), cell, series, error);
    int64_t last = rows; /* every step is a row: front_follow saw to it */
    if (!status && emission.next >= 0 &&
        first + emission.next - emission.step < rows)
        last = first + emission.next - emission.step;
    double most = 0;
    for (int i = 0; i < SPECTRUM_LINES && !status; i++) {
        spectrum[i] = line(series + first, last - first,
                           SPECTRUM_HIGHEST * (i + 1) / SPECTRUM_LINES);
        most = fmax(most, spectrum[i]);
    }
    for (int i = 0; i < SPECTRUM_LINES && !status; i++)
        spectrum[i] = most > 0 ? spectrum[i] / most : (double)NAN;
    memory_release(series);
    return status;
}
