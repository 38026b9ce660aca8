/* SPDX-License-Identifier: MIT */
#include "analysis/check/settings.h"

#include "base/memory.h"
#include "base/need.h"
#include "recording/read/tables.h"
#include "view/settings.h"
#include "wave/wave.h"

#include <string.h>

/* The law's sources are in the order of the table. */
enum status law_read(const struct recording *recording, struct law *law,
                     struct error *error)
{
    struct wave_settings wave = { 0 };
    const struct grid *grid = recording_grid(recording);
    enum status status = view_settings_read(recording, "wave", &wave, error);
    if (status)
        return status;
    const char *key;
    struct error why;
    if (wave_source_check(&wave, grid, &key, &why))
        return error_set(error, STATUS_INPUT,
                         "%s: provenance/parameters: %s: %.800s",
                         recording_path(recording), key, why.message);
    const bool conservative = wave.speed_form == FORM_CONSERVATIVE;
    if (wave.stencil->dims != grid->dims ||
        (conservative && stencil_has_diagonals(wave.stencil)))
        return error_set(error, STATUS_INPUT,
                         "%s: provenance/parameters: wave.stencil is %s: the "
                         "law of the waves is not known",
                         recording_path(recording), wave.stencil->name);
    *law = (struct law){
        .grid = *grid,
        .map = *grid,
        .open = wave_open_sides(&wave, grid->dims),
        .stencil = wave.stencil,
        .delta = wave.delta,
        .loss = wave.damping / 2, /* m = μΔt/2 */
        .amplitude = wave.amplitude,
        .free_walls = wave.walls == WALLS_FREE,
        .conservative = conservative,
        .areas = recording_find(recording, "speed") != NULL,
        .single = wave.precision == PRECISION_SINGLE,
        .flush = wave.flush_denormals,
        .source = (enum law_source)wave.source,
        .sigma = wave.sigma,
        .wavelength = wave.wavelength,
        .signal = wave.signal,
    };
    if (law->source == LAW_MODE)
        wave_source_sections(&wave, law->section);
    return STATUS_OK;
}

enum status law_terrain_read(const struct recording *recording,
                             const struct law *law, const char *name,
                             size_t version, size_t bytes, void *out,
                             struct error *error)
{
    const struct grid *map = recording_grid(recording), *grid = &law->grid;
    const int *origin = law->origin;
    if (grid_cells(grid) == grid_cells(map))
        return recording_read_terrain(recording, name, version, out, error);
    char *whole = need_memory(grid_cells(map), bytes), *to = out;
    enum status status =
        recording_read_terrain(recording, name, version, whole, error);
    const size_t row = (size_t)grid->nx * bytes;
    for (int z = 0; z < grid->nz && !status; z++)
        for (int y = 0; y < grid->ny; y++, to += row)
            memcpy(to,
                   whole + bytes * grid_index(map, origin[0], origin[1] + y,
                                              origin[2] + z),
                   row);
    memory_release(whole);
    return status;
}

enum status ground_read(const struct recording *recording,
                        const struct law *law, size_t version,
                        struct ground *ground, struct error *error)
{
    enum status status = law_terrain_read(recording, law, "wall", version, 1,
                                          ground->wall, error);
    if (!status && ground->speed)
        status = law_terrain_read(recording, law, "speed", version,
                                  sizeof *ground->speed, ground->speed, error);
    if (!status)
        ground_build(law, ground);
    return status;
}

enum status version_steps_read(const struct recording *recording,
                               int64_t **steps, struct error *error)
{
    const struct variable *variable = recording_find(recording, "version_step");
    double *column = NULL;
    enum status status = STATUS_OK;
    size_t count = variable ? variable_elements(variable) : 1;
    *steps = need_memory(count, sizeof **steps);
    if (!variable)
        return STATUS_OK;
    status = table_column_read(recording, "version_step", 1, &column, error);
    for (size_t i = 0; i < count && !status; i++)
        (*steps)[i] = (int64_t)column[i];
    memory_release(column);
    return status;
}
