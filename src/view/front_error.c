/* SPDX-License-Identifier: MIT */
#include "view/front_error.h"

#include "words/words.h"

#include <math.h>
#include <string.h>

const char *const front_kind_names[FRONT_KINDS] = {
    N_("phase"),    N_("echo"),
    N_("standing"), N_("stencil"),
    N_("other"),    N_("unknown"),
    N_("right"),    N_("not counted, or no arrival"),
};

const uint8_t front_kind_colors[FRONT_KINDS][3] = {
    { 0x1b, 0x3a, 0x6b }, { 0xc4, 0x46, 0x01 }, { 0xf0, 0xa5, 0x30 },
    { 0x8f, 0xd0, 0xb8 }, { 0xe3, 0xc6, 0xe8 }, { 0x60, 0x60, 0x60 },
    { 0xff, 0xff, 0xff }, { 0xa8, 0xa8, 0xa8 },
};

enum status front_compare(struct front *front, struct truth *truth,
                          const struct recording *recording, int wave,
                          const struct arrival_settings *settings, double wrong,
                          struct error *error)
{
    const char *walls = recording_setting(recording, "wave.walls");
    enum status status = front_open(front, recording, wave, error);
    if (!status)
        status = truth_make(truth, &front->terrain, front->source, error);
    if (!status)
        status = front_waves_new(
            front, wrong, recording_setting_real(recording, "wave.delta", 0.25),
            walls && strcmp(walls, "fixed") == 0, error);
    if (!status)
        status = front_follow(front, recording, wave, settings,
                              (const double(*)[GRID_AXES])truth->toward, error);
    return status;
}

static bool is_beside_wall(const struct terrain *terrain, size_t cell)
{
    int at[GRID_AXES];
    grid_cell(&terrain->grid, cell, at);
    for (int z = at[2] - 1; z <= at[2] + 1; z++)
        for (int y = at[1] - 1; y <= at[1] + 1; y++)
            for (int x = at[0] - 1; x <= at[0] + 1; x++)
                if (grid_holds(&terrain->grid, x, y, z) &&
                    terrain->wall[grid_index(&terrain->grid, x, y, z)])
                    return true;
    return false;
}

enum cause front_cause(const struct front *front, const struct truth *truth,
                       size_t cell, int lag, const struct cause_limits *limits)
{
    return cause_of(&front->waves->sums[cell][lag], truth->toward[cell],
                    front->waves->delta, front->waves->period[cell],
                    is_beside_wall(&front->terrain, cell), limits);
}

double front_error(const struct front *front, const struct truth *truth,
                   size_t cell)
{
    return heading_error(front->heading[cell], truth->toward[cell]) * 180 /
           acos(-1);
}

int front_kind(const struct front *front, const struct truth *truth,
               size_t cell)
{
    const double error =
        heading_error(front->heading[cell], truth->toward[cell]);
    if (isnan(error))
        return FRONT_UNCOUNTED;
    return error > front->waves->wrong
               ? (int)front_cause(front, truth, cell, 0, &cause_usual_limits)
               : FRONT_RIGHT;
}
