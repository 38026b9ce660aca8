/* SPDX-License-Identifier: MIT */
/* What of a recording replay goes by: settings, and emissions. */
#include "recording/replay_parts.h"

#include "base/memory.h"
#include "recording/recording_parts.h"

#include <stdlib.h>
#include <string.h>

static int choice(const struct recording *recording, const char *key,
                  const char *const *names)
{
    const char *text = recording_setting(recording, key);
    for (int i = 0; text && names[i]; i++)
        if (strcmp(text, names[i]) == 0)
            return i;
    return -1;
}

enum status replay_wave_settings(const struct recording *recording,
                                 struct wave_settings *settings,
                                 struct error *error)
{
    const char *stencil = recording_setting(recording, "wave.stencil");
    const char *denormals = recording_setting(recording, "wave.denormals");
    int walls = choice(recording, "wave.walls", wall_rule_names);
    int source = choice(recording, "wave.source", source_names);
    int precision = choice(recording, "wave.precision", precision_names);
    int form = choice(recording, "wave.speed_form", speed_form_names);
    *settings = (struct wave_settings){
        .count = recording_waves(recording),
        .lifetime = 1, /* emissions stand in the file */
        .delta = recording_setting_real(recording, "wave.delta", -1),
        .amplitude = recording_setting_real(recording, "wave.amplitude", 0),
        .damping = recording_setting_real(recording, "wave.damping", -1),
        .stencil = stencil ? stencil_find(stencil) : NULL,
        .sigma = recording_setting_real(recording, "wave.sigma", 1),
        .wavelength = recording_setting_real(recording, "wave.wavelength", 1),
        .flush_denormals = denormals && strcmp(denormals, "flush") == 0,
    };
    enum element_type real = recording->shape.real;
    bool good = walls >= 0 && source >= 0 && precision >= 0 && form >= 0 &&
                settings->stencil && settings->delta > 0 &&
                settings->damping >= 0 &&
                (precision == PRECISION_DOUBLE) == (real == TYPE_FLOAT64);
    if (!good)
        return damaged(recording, "provenance/parameters",
                       "does not hold what waves are computed from", error);
    settings->walls = (enum wall_rule)walls;
    settings->source = (enum source_kind)source;
    settings->precision = (enum precision)precision;
    settings->speed_form = (enum speed_form)form;
    return STATUS_OK;
}

enum status replay_read_settings(struct replay *replay, struct error *error)
{
    const struct recording *recording = replay->recording;
    double every = recording_setting_real(recording, "record.keyframes", 0);
    enum status status =
        replay_wave_settings(recording, &replay->settings, error);
    if (status)
        return status;
    if (!(every >= 2 && every < 1e9))
        return damaged(recording, "provenance/parameters",
                       "does not hold what rows between keyframes are "
                       "computed from",
                       error);
    replay->every = (int64_t)every;
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
            return damaged(recording, "wall", "is neither wall nor free",
                           error);
    if (!status && terrain->speed)
        status = recording_read_terrain(recording, "speed", version,
                                        terrain->speed, error);
    for (size_t i = 0; i < grid_cells(&terrain->grid) && !status; i++)
        if (terrain->speed && !(terrain->speed[i] > 0))
            return damaged(recording, "speed", "is not above 0", error);
    return status;
}

/* A value of a column of /emissions; -1 where the map has no such axis. */
static enum status read_value(const struct replay *replay, const char *name,
                              int64_t i, size_t bytes, void *value,
                              struct error *error)
{
    const struct layout_item *item =
        layout_find(&replay->recording->layout, name);
    if (!item)
        return STATUS_OK;
    return read_bytes(replay->recording, item, (uint64_t)i * bytes, bytes,
                      value, error);
}

static enum status read_emission(const struct replay *replay, int64_t i,
                                 struct sent *sent, struct error *error)
{
    const struct recording *recording = replay->recording;
    int32_t at[GRID_AXES] = { 0 };
    enum status status = read_value(replay, "emissions/wave", i,
                                    sizeof sent->wave, &sent->wave, error);
    if (!status)
        status = read_value(replay, "emissions/step", i, sizeof sent->step,
                            &sent->step, error);
    for (int axis = 0; axis < GRID_AXES && !status; axis++) {
        char name[] = "emissions/x";
        name[sizeof name - 2] = "xyz"[axis];
        status = read_value(replay, name, i, sizeof at[axis], &at[axis], error);
    }
    if (status)
        return status;
    if (!grid_holds(&recording->grid, at[0], at[1], at[2]))
        return damaged(recording, "emissions", "go out from outside the map",
                       error);
    sent->cell = grid_index(&recording->grid, at[0], at[1], at[2]);
    return STATUS_OK;
}

/* By wave, then by step; those of one step stay in the file's order. */
static int by_wave_and_step(const void *a, const void *b)
{
    const struct sent *x = a, *y = b;
    if (x->wave != y->wave)
        return x->wave < y->wave ? -1 : 1;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

enum status replay_read_emissions(struct replay *replay, struct error *error)
{
    int64_t count = recording_table_rows(replay->recording, "emissions");
    replay->sent = memory_new((size_t)count, sizeof *replay->sent);
    if (!replay->sent)
        return error_memory(error);
    enum status status = STATUS_OK;
    for (; replay->sent_count < count && !status; replay->sent_count++) {
        struct sent *sent = &replay->sent[replay->sent_count];
        sent->order = replay->sent_count;
        status = read_emission(replay, replay->sent_count, sent, error);
    }
    qsort(replay->sent, (size_t)replay->sent_count, sizeof *replay->sent,
          by_wave_and_step);
    return status;
}

/* The last one not behind the step is before the first one that is. */
const struct sent *replay_last_sent(const struct replay *replay, int wave,
                                    int64_t step)
{
    const struct sent wanted = { .wave = wave,
                                 .step = step,
                                 .order = INT64_MAX };
    int64_t low = 0, high = replay->sent_count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (by_wave_and_step(&replay->sent[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && replay->sent[low - 1].wave == wave
               ? &replay->sent[low - 1]
               : NULL;
}
