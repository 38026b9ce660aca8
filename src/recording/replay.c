/* SPDX-License-Identifier: MIT */
#include "recording/replay_parts.h"

#include "base/memory.h"
#include "recording/recording_parts.h"

#include <stdio.h>
#include <string.h>

static enum status check_shape(const struct replay *replay, struct error *error)
{
    const struct recording *recording = replay->recording;
    const int64_t *length = recording->shape.length;
    struct box whole = grid_box(&recording->grid);
    if (keyframes_of(length[AXIS_TIME], replay->every) !=
            length[AXIS_KEYFRAME] ||
        memcmp(&whole, &recording->region, sizeof whole) != 0)
        return damaged(recording, "keyframe",
                       "is not as long as record.keyframes makes it", error);
    for (int64_t row = 0; row < recording->rows; row++)
        if (recording->steps[row] != row)
            return damaged(recording, "time",
                           "does not hold every step beside keyframes", error);
    return STATUS_OK;
}

enum status replay_new(const struct recording *recording,
                       struct replay **replay, struct error *error)
{
    struct replay *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    made->recording = recording;
    pthread_mutex_init(&made->mutex, NULL);
    made->players =
        memory_new((size_t)recording->shape.waves, sizeof *made->players);
    enum status status =
        made->players ? replay_read_settings(made, error) : error_memory(error);
    if (!status)
        status =
            team_new(1, made->settings.flush_denormals, &made->team, error);
    if (!status)
        status = check_shape(made, error);
    if (!status)
        status = replay_read_emissions(made, error);
    if (status)
        replay_release(made);
    else
        *replay = made;
    return status;
}

/* What is left may be made again. */
static void player_release(struct player *player)
{
    wave_release(player->wave);
    medium_release(player->medium);
    terrain_release(&player->terrain);
    *player = (struct player){ .row = -1 };
}

void replay_release(struct replay *replay)
{
    if (!replay)
        return;
    for (int i = 0; replay->players && i < replay->recording->shape.waves; i++)
        player_release(&replay->players[i]);
    for (int i = 0; i <= GRID_AXES; i++)
        memory_release(replay->field[i]);
    memory_release(replay->players);
    team_release(replay->team);
    memory_release(replay->sent);
    pthread_mutex_destroy(&replay->mutex);
    memory_release(replay);
}

/* ---- a wave at a row ---- */

static enum status read_terrain(const struct replay *replay,
                                struct player *player, size_t version,
                                struct error *error)
{
    player->version = version;
    return replay_terrain_read(replay->recording, version, &player->terrain,
                               error);
}

static enum status player_new(const struct replay *replay,
                              struct player *player, size_t version,
                              struct error *error)
{
    struct terrain *terrain = &player->terrain;
    struct error why;
    enum status status = replay_terrain_new(replay->recording, terrain, error);
    if (!status)
        status = read_terrain(replay, player, version, error);
    if (status)
        return status;
    status = medium_new(terrain, &replay->settings, &player->medium, &why);
    if (status)
        return error_at(error, status, replay->recording->path, 0,
                        "not a readable recording: %.800s", why.message);
    player->row = player->held_to = -1;
    return wave_new(player->medium, &player->wave, error);
}

/* The map of this row: walls, whichever they are, hold 0 in both
 * generations. */
static enum status set_version(const struct replay *replay,
                               struct player *player, int64_t row,
                               struct error *error)
{
    const struct recording *recording = replay->recording;
    size_t version = recording_version_at(recording, recording->steps[row]);
    if (version == player->version)
        return STATUS_OK;
    struct box whole = grid_box(&recording->grid);
    enum status status = read_terrain(replay, player, version, error);
    if (status)
        return status;
    medium_update(player->medium, &whole);
    wave_clear_walls(player->wave, &whole);
    return STATUS_OK;
}

static enum status read_stored(const struct replay *replay,
                               const struct layout_item *item, int64_t row,
                               void *out, struct error *error)
{
    int64_t index;
    size_t bytes = layout_row_bytes(item);
    keyframe_at(row, replay->every, &index);
    enum status status = read_bytes(replay->recording, item,
                                    (uint64_t)index * bytes, bytes, out, error);
    return status ? status
                  : check_rows(replay->recording, item, row, 1, out, error);
}

/* The generation of a stored row. The second of a pair has the first before
 * it, unless the wave went out anew in it: that sets both. */
static enum status load(struct replay *replay, struct player *player,
                        const struct layout_item *item, int64_t row,
                        struct error *error)
{
    bool second = row % replay->every == 1;
    const struct sent *sent = replay_last_sent(replay, item->wave, row);
    enum status status = set_version(replay, player, row, error);
    if (!status)
        status = read_stored(replay, item, row, replay->field[0], error);
    if (!status)
        status =
            read_stored(replay, item, row - second, replay->field[1], error);
    if (status)
        return status;
    struct box whole = grid_box(&replay->recording->grid);
    if (sent && sent->step == row && second)
        wave_emit(player->wave, sent->cell, row);
    else
        wave_load(player->wave, replay->field[0], replay->field[1],
                  sent ? sent->step : -1, sent ? (int64_t)sent->cell : 0, row);
    wave_clear_walls(player->wave, &whole);
    player->row = row;
    player->goes_on = second;
    return STATUS_OK;
}

/* As simulate.c has it: a generation, then the map's events, then emissions. */
static enum status step(const struct replay *replay, struct player *player,
                        int wave, struct error *error)
{
    wave_step(player->wave, replay->team);
    player->row++;
    enum status status = set_version(replay, player, player->row, error);
    const struct sent *sent = replay_last_sent(replay, wave, player->row);
    if (!status && sent && sent->step == player->row)
        wave_emit(player->wave, sent->cell, player->row);
    return status;
}

static enum status fields_new(struct replay *replay, struct error *error)
{
    size_t cells = grid_cells(&replay->recording->grid);
    size_t element = element_bytes(replay->recording->shape.real);
    for (int i = 0; i <= replay->recording->grid.dims; i++) {
        if (!replay->field[i])
            replay->field[i] = memory_new(cells, element);
        if (!replay->field[i])
            return error_memory(error);
    }
    return STATUS_OK;
}

enum status replay_fault(struct player *player, enum status status)
{
    if (!status)
        return STATUS_OK;
    player->row = player->held_to = -1;
    player->goes_on = false;
    return status;
}

enum status replay_step_to(struct replay *replay, struct player *player,
                           const struct layout_item *item, int64_t row,
                           struct error *error)
{
    enum status status = STATUS_OK;
    while (!status && player->row < row) {
        status = step(replay, player, item->wave, error);
        if (!status)
            status = replay_look(replay, player, item, error);
    }
    return replay_fault(player, status);
}

enum status replay_go_to(struct replay *replay, struct player *player,
                         const struct layout_item *item, int64_t row,
                         struct error *error)
{
    int64_t first = row / replay->every * replay->every;
    enum status status = STATUS_OK;
    if (player->wave && player->row == row)
        return STATUS_OK;
    if (!player->wave)
        status = player_new(replay, player,
                            recording_version_at(replay->recording,
                                                 replay->recording->steps[row]),
                            error);
    if (!player->wave) /* it fails again for each row that is asked for */
        player_release(player);
    if (!status && row <= first + 1)
        return load(replay, player, item, row, error);
    if (!status &&
        !(player->goes_on && player->row > first && player->row < row))
        status = load(replay, player, item, first + 1, error);
    return status ? replay_fault(player, status)
                  : replay_step_to(replay, player, item, row, error);
}

enum status replay_go_back(struct replay *replay, struct player *player,
                           const struct replay_place *place,
                           struct error *error)
{
    enum status status = set_version(replay, player, place->row, error);
    if (status)
        return replay_fault(player, status);
    wave_load(player->wave, place->newest, place->older, place->emitted,
              place->source, place->row);
    player->row = place->row;
    return STATUS_OK;
}

static enum status read(struct replay *replay, const struct layout_item *item,
                        int64_t row, void *out, struct error *error)
{
    const struct layout_item *amplitude = item;
    char name[VARIABLE_NAME_SIZE];
    int64_t index;
    if (item->derived) {
        snprintf(name, sizeof name, "wave%d", item->wave);
        amplitude = layout_find(&replay->recording->layout, name);
    } else if (keyframe_at(row, replay->every, &index)) {
        return read_stored(replay, item, row, out, error);
    }
    struct player *player = &replay->players[item->wave];
    enum status status = fields_new(replay, error);
    if (!status)
        status = replay_hold(replay, player, amplitude, row, error);
    if (!status)
        status = replay_go_to(replay, player, amplitude, row, error);
    if (status)
        return status;
    if (item->derived) {
        wave_gradient(player->wave, replay->field[1], replay->field[2],
                      replay->field[3], replay->team);
        memcpy(out, replay->field[1 + item->letter], layout_row_bytes(item));
    } else {
        wave_copy(player->wave, out, replay->team);
    }
    return STATUS_OK;
}

enum status replay_read(struct replay *replay, const struct layout_item *item,
                        int64_t row, void *out, struct error *error)
{
    pthread_mutex_lock(&replay->mutex);
    enum status status = read(replay, item, row, out, error);
    pthread_mutex_unlock(&replay->mutex);
    return status;
}
