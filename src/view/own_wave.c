/* SPDX-License-Identifier: MIT */
#include "view/own_wave.h"

#include "view/replay_inputs.h"
#include "wave/wave.h"

/* The same checks as for a scenario. */
static enum status check_fit(const struct own_wave *own,
                             const struct arrival_settings *settings,
                             struct error *error)
{
    const double steps = recording_setting_real(own->recording, "steps", 0);
    struct detector_fault fault;
    if (!settings->detector->fits ||
        settings->detector->fits(
            settings, &own->settings, &own->terrain,
            steps >= 0 && steps < 1e15 ? (int64_t)steps : 0, &fault))
        return STATUS_OK;
    return error_at(error, STATUS_INPUT, recording_path(own->recording), 0,
                    "%s: %s", fault.key, fault.why);
}

static enum status make(struct own_wave *own,
                        const struct arrival_settings *settings, bool potential,
                        struct error *error)
{
    struct detection_options options = {
        .settings = settings,
        .terrain = &own->terrain,
        .amplitude = own->settings.amplitude,
        .lifetime = detector_lifetime(settings->detector, &own->settings),
        .width = own->settings.precision == PRECISION_SINGLE ? sizeof(float)
                                                             : sizeof(double),
        .ages = true,
        .potential = potential,
    };
    enum status status =
        team_new(1, own->settings.flush_denormals, &own->team, error);
    if (!status)
        status = medium_new(&own->terrain, &own->settings, &own->medium, error);
    if (!status && !settings->detector->own_wave)
        status = wave_new(own->medium, &own->wave, error);
    options.medium = own->medium;
    options.wave = own->wave;
    return status ? status : detection_new(&options, &own->detection, error);
}

enum status own_wave_open(struct own_wave *own,
                          const struct recording *recording,
                          const struct arrival_settings *settings,
                          const struct emission *emission, bool potential,
                          struct error *error)
{
    const int *cell = emission->cell;
    *own = (struct own_wave){
        .recording = recording,
        .version = recording_version_at(recording, emission->step),
        .emitted = emission->step,
        .step = emission->step,
    };
    enum status status = replay_wave_settings(recording, &own->settings, error);
    const double lifetime =
        recording_setting_real(recording, "wave.lifetime", 0);
    own->settings.lifetime =
        lifetime >= 1 && lifetime < 1e15 ? (int64_t)lifetime : 0;
    if (!status)
        status = check_fit(own, settings, error);
    if (!status)
        status = replay_terrain_new(recording, &own->terrain, error);
    if (!status)
        status =
            replay_terrain_read(recording, own->version, &own->terrain, error);
    if (!status)
        status = make(own, settings, potential, error);
    if (status)
        return status;
    own_wave_emit(own,
                  grid_index(&own->terrain.grid, cell[0], cell[1], cell[2]));
    return STATUS_OK;
}

void own_wave_emit(struct own_wave *own, size_t cell)
{
    own->emitted = own->step;
    if (own->wave)
        wave_emit(own->wave, cell, own->step);
    detection_begin(own->detection, cell, own->team);
    detection_take(own->detection, NULL, 0, own->team);
}

void own_wave_release(struct own_wave *own)
{
    detection_release(own->detection);
    wave_release(own->wave);
    medium_release(own->medium);
    team_release(own->team);
    terrain_release(&own->terrain);
    *own = (struct own_wave){ 0 };
}

enum status own_wave_take_events(struct own_wave *own, struct error *error)
{
    size_t version = recording_version_at(own->recording, own->step);
    struct box all = grid_box(&own->terrain.grid);
    if (version == own->version)
        return STATUS_OK;
    own->version = version;
    detection_catch_up(own->detection);
    enum status status =
        replay_terrain_read(own->recording, version, &own->terrain, error);
    if (status)
        return status;
    medium_update(own->medium, &all);
    if (own->wave)
        wave_clear_walls(own->wave, &all);
    detection_update(own->detection, &all);
    return STATUS_OK;
}

void own_wave_advance(struct own_wave *own)
{
    own->step++;
    if (own->wave)
        wave_step(own->wave, own->team);
    detection_take(own->detection, NULL, own->step - own->emitted, own->team);
}

enum status own_wave_go_to(struct own_wave *own, int64_t step,
                           struct error *error)
{
    enum status status = STATUS_OK;
    while (!status && own->step < step) {
        own_wave_advance(own);
        status = own_wave_take_events(own, error);
    }
    return status;
}
