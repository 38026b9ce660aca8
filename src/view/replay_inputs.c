/* SPDX-License-Identifier: MIT */
#include "view/replay_inputs.h"

#include "base/memory.h"
#include "recording/read/file.h"
#include "view/settings.h"
#include "wave/wave.h"

#include <string.h>

enum status replay_wave_settings(const struct recording *recording,
                                 struct wave_settings *settings,
                                 struct error *error)
{
    *settings = (struct wave_settings){ 0 };
    enum status status = view_settings_read(recording, "wave", settings, error);
    if (status)
        return status;
    settings->count = recording_waves(recording);
    settings->lifetime = 1; /* the file has the emissions */
    const int64_t rows = recording_rows(recording);
    settings->ages = rows > 0 ? recording_steps(recording)[rows - 1] : 0;
    if ((settings->precision == PRECISION_DOUBLE) !=
        (recording->shape.real == TYPE_FLOAT64))
        return recording_damaged(recording, "provenance/parameters",
                                 "does not have what waves are computed from",
                                 error);
    return STATUS_OK;
}

enum status replay_terrain_new(const struct recording *recording,
                               struct terrain *terrain, struct error *error)
{
    const bool speeds = recording->shape.parts & PART_SPEED;
    size_t cells = grid_cells(&recording->grid);
    *terrain = (struct terrain){ .grid = recording->grid };
    terrain->wall = memory_new(cells, 1);
    if (speeds)
        terrain->speed = memory_new(cells, sizeof *terrain->speed);
    return terrain->wall && (!speeds || terrain->speed) ? STATUS_OK
                                                        : error_memory(error);
}

enum status replay_terrain_read(const struct recording *recording,
                                size_t version, struct terrain *terrain,
                                struct error *error)
{
    enum status status = recording_read_terrain(recording, "wall", version,
                                                terrain->wall, error);
    for (size_t i = 0; i < grid_cells(&terrain->grid) && !status; i++)
        if (terrain->wall[i] > 1)
            return recording_damaged(recording, "wall",
                                     "is neither wall nor free", error);
    if (!status && terrain->speed)
        status = recording_read_terrain(recording, "speed", version,
                                        terrain->speed, error);
    for (size_t i = 0; i < grid_cells(&terrain->grid) && !status; i++)
        if (terrain->speed && !(terrain->speed[i] > 0))
            return recording_damaged(recording, "speed", "is not above 0",
                                     error);
    return status;
}
