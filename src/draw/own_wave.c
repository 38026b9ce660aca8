/* SPDX-License-Identifier: MIT */
#include "draw/own_wave.h"

#include "recording/replay_told.h"

/* As a scenario would be held to it. */
static enum status check_range(const struct own_wave *own,
                               const struct arrival_settings *settings,
                               struct error *error)
{
    const int room = laplace_front_room(own->settings.precision);
    const double bits = laplace_front_bits(
        settings->p, settings->eta,
        settings->range ? settings->range
                        : laplace_front_range(own->settings.walls),
        settings->heading == HEADING_ARRIVAL_TIME);
    if (bits <= room)
        return STATUS_OK;
    return error_at(error, STATUS_INPUT, recording_path(own->recording), 0,
                    "arrival.detector \"laplace-front\" needs %.0f bits with "
                    "this arrival.range, p and eta, and the run's precision "
                    "has %d; a smaller range, a larger p or eta",
                    bits, room);
}

static enum status make(struct own_wave *own,
                        const struct arrival_settings *settings,
                        struct error *error)
{
    const double lifetime =
        recording_setting_real(own->recording, "wave.lifetime", 0);
    const struct first_arrival_options options = {
        .settings = settings,
        .amplitude = own->settings.amplitude,
        .lifetime = lifetime < LAPLACE_OLDEST ? (int64_t)lifetime : 0,
        .width = own->settings.precision == PRECISION_SINGLE ? sizeof(float)
                                                             : sizeof(double),
        .matched = own->settings.stencil == stencil_find("9-point"),
        .wave = &own->settings,
    };
    enum status status =
        team_new(1, own->settings.flush_denormals, &own->team, error);
    return status ? status
                  : first_arrival_init(&own->first, &own->terrain, &options,
                                       error);
}

enum status own_wave_open(struct own_wave *own,
                          const struct recording *recording,
                          const struct arrival_settings *settings,
                          const struct emission *emission, struct error *error)
{
    const int *cell = emission->cell;
    *own = (struct own_wave){
        .recording = recording,
        .version = recording_version_at(recording, emission->step),
        .emitted = emission->step,
        .step = emission->step,
    };
    enum status status = replay_wave_settings(recording, &own->settings, error);
    if (!status)
        status = check_range(own, settings, error);
    if (!status)
        status = replay_terrain_new(recording, &own->terrain, error);
    if (!status)
        status =
            replay_terrain_read(recording, own->version, &own->terrain, error);
    if (!status)
        status = make(own, settings, error);
    if (status)
        return status;
    first_arrival_begin(
        &own->first, grid_index(&own->terrain.grid, cell[0], cell[1], cell[2]));
    first_arrival_go_on(&own->first, 0, own->team);
    return STATUS_OK;
}

void own_wave_release(struct own_wave *own)
{
    first_arrival_release(&own->first);
    team_release(own->team);
    terrain_release(&own->terrain);
    *own = (struct own_wave){ 0 };
}

static enum status take_events(struct own_wave *own, struct error *error)
{
    size_t version = recording_version_at(own->recording, own->step);
    struct box all = grid_box(&own->terrain.grid);
    if (version == own->version)
        return STATUS_OK;
    own->version = version;
    enum status status =
        replay_terrain_read(own->recording, version, &own->terrain, error);
    if (!status)
        first_arrival_update(&own->first, &all);
    return status;
}

enum status own_wave_go_to(struct own_wave *own, int64_t step,
                           struct error *error)
{
    enum status status = STATUS_OK;
    while (!status && own->step < step) {
        own->step++;
        first_arrival_go_on(&own->first, own->step - own->emitted, own->team);
        status = take_events(own, error);
    }
    return status;
}
