/* SPDX-License-Identifier: MIT */
#include "base/team.h"
#include "wave/generations.h"
#include "wave/mode.h"
#include "wave/ricker.h"

#include <math.h>

bool source_is_here(const struct wave *wave)
{
    const int *at = wave->centre;
    return grid_holds(&wave->medium->layout.grid, at[0], at[1], at[2]);
}

/* The source's index in the terrain. */
static size_t source_cell(const struct wave *wave)
{
    const int *at = wave->centre;
    return grid_index(&wave->medium->layout.grid, at[0], at[1], at[2]);
}

/* The rank that has the source's cell decides. */
static bool is_in_wall(const struct wave *wave)
{
    bool here =
        source_is_here(wave) && wave->medium->terrain->wall[source_cell(wave)];
    return halo_any(wave->medium->halo, here);
}

static void set_cell(struct wave *wave, void *field, double value)
{
    const struct layout *layout = &wave->medium->layout;
    const int *at = wave->centre;
    if (!source_is_here(wave))
        return;
    field_set(layout, field, layout_at(layout, at[0], at[1], at[2]), value);
    layout_mirror_row(layout, field, at[1], at[2]);
}

static void emit_gaussian(struct wave *wave)
{
    const struct layout *layout = &wave->medium->layout;
    const struct wave_settings *settings = &wave->medium->settings;
    const struct medium *medium = wave->medium;
    int at[GRID_AXES];
    for (size_t i = 0; i < grid_cells(&medium->map->grid); i++) {
        if (medium->map->wall[i])
            continue;
        grid_cell(&medium->map->grid, i, at);
        double square = 0;
        for (int axis = 0; axis < GRID_AXES; axis++) {
            double distance =
                (at[axis] + medium->margin[axis] - wave->centre[axis]) /
                settings->sigma;
            square += distance * distance;
        }
        double value = settings->amplitude * exp(-square / 2);
        field_set(layout, wave->now, medium_cell(medium, i), value);
        field_set(layout, wave->before, medium_cell(medium, i), value);
    }
    layout_mirror(layout, wave->now);
    layout_mirror(layout, wave->before);
}

struct box source_box(const struct wave *wave)
{
    const struct medium *medium = wave->medium;
    const int *at = wave->centre;
    if (medium->mode)
        return mode_source_box(medium);
    if (medium->settings.source == SOURCE_GAUSSIAN)
        return grid_box(&medium->layout.grid);
    return (struct box){ .low = { at[0], at[1], at[2] },
                         .high = { at[0], at[1], at[2] } };
}

static void emit(struct wave *wave)
{
    const struct wave_settings *settings = &wave->medium->settings;
    wave->lit = source_box(wave);
    if (is_in_wall(wave))
        return;
    switch (settings->source) {
    case SOURCE_IMPULSE:
        set_cell(wave, wave->now, settings->amplitude);
        break;
    case SOURCE_REST:
        set_cell(wave, wave->now, settings->amplitude);
        set_cell(wave, wave->before, settings->amplitude);
        break;
    case SOURCE_GAUSSIAN:
        emit_gaussian(wave);
        break;
    case SOURCE_RICKER:
    case SOURCE_SIGNAL:
    case SOURCE_MODE:
        break;
    }
}

/* With the denormal mode of the threads that step: the tail of a Gaussian has
 * denormals. */
void source_emit(struct wave *wave)
{
    bool was = denormals_flush(wave->medium->settings.flush_denormals);
    emit(wave);
    denormals_flush(was);
}

/* Ricker's wavelet (1 − 2u) e^(−u), u = (ωτ/2)², τ counted from the delay. */
double source_ricker(double delta, double wavelength, int64_t age)
{
    double omega = ricker_frequency(delta, wavelength);
    double phase = omega * ((double)age - ricker_delay(omega)) / 2;
    double u = phase * phase;
    return (1 - 2 * u) * exp(-u);
}

/* Of a source of unit amplitude, `age` generations after its emission. */
static double wavelet(const struct wave *wave, int64_t age)
{
    const struct medium *medium = wave->medium;
    const double *speeds = medium->terrain->speed;
    if (medium->signal)
        return (size_t)age <= medium->signal_count ? medium->signal[age - 1]
                                                   : 0;
    const double speed = speeds ? speeds[source_cell(wave)] : 1;
    return source_ricker(medium->settings.delta * (speed * speed),
                         medium->settings.wavelength, age);
}

bool source_adds(const struct wave *wave, int64_t step, double *value)
{
    const struct medium *medium = wave->medium;
    const struct wave_settings *settings = &medium->settings;
    if (!source_lasts(medium) || medium->mode || !source_is_here(wave) ||
        medium->terrain->wall[source_cell(wave)])
        return false;
    *value = settings->amplitude * wavelet(wave, step - wave->emitted);
    *value = ldexp(wave->turned ? -*value : *value, wave->scale);
    return true;
}

void source_add(struct wave *wave)
{
    const struct layout *layout = &wave->medium->layout;
    double value;
    if (wave->medium->mode)
        mode_source_add(wave);
    if (!source_adds(wave, wave->step, &value))
        return;
    double now =
        field_value(layout, wave->now, layout_cell(layout, source_cell(wave)));
    if (layout->item == sizeof(float))
        value = (double)((float)now + (float)value);
    else
        value = now + value;
    set_cell(wave, wave->now, value);
}
