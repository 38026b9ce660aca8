/* SPDX-License-Identifier: MIT */
/* Rows between keyframes are computed again, and checked against the stored
 * checksums: those of the keyframes and of some rows between (layout.h). A row
 * is computed from those before it, so the next checksum after it shows whether
 * it is correct: an error at the row changes that checksum too, unless the wave
 * is emitted anew between the two.
 *
 * A keyframe has nothing of the layers beyond open edges. With these a wave is
 * computed from its emission, when they are empty; the keyframes between
 * only check it. */
#include "view/replay.h"

#include "base/memory.h"
#include "base/team.h"
#include "recording/read/file.h"
#include "view/replay_inputs.h"
#include "wave/wave.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sent {
    int32_t wave;
    int64_t step, order; /* in the table */
    size_t cell;
};

/* A wave with its medium, at the last generation required. */
struct player {
    struct terrain terrain;
    struct medium *medium;
    struct wave *wave;
    size_t version; /* version of the map in the terrain */
    int64_t row;
    bool can_step; /* it also has the generation before its newest */
    /* Rows from which stepping led to a row with the right checksum. */
    int64_t checked_from, checked_to;
};

struct replay {
    const struct recording *recording;
    struct wave_settings settings;
    struct team *team; /* of one thread: it keeps the run's mode of denormals */
    int64_t every;     /* K */
    struct sent *sent; /* by wave, then by step */
    int64_t sent_count;
    struct player *players; /* (waves) */
    void *field[1 + GRID_AXES];
    void *state; /* of a wave, to return to */
    pthread_mutex_t mutex;
};

/* ---- emissions ---- */

/* A value of a column of /emissions; -1 if the map has no such axis. */
static enum status read_value(const struct replay *replay, const char *name,
                              int64_t i, size_t bytes, void *value,
                              struct error *error)
{
    const struct layout_item *item =
        layout_find(&replay->recording->layout, name);
    if (!item)
        return STATUS_OK;
    return recording_read_bytes(replay->recording, item, (uint64_t)i * bytes,
                                bytes, value, error);
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
    if (sent->step < 0 || !grid_holds(&recording->grid, at[0], at[1], at[2]))
        return recording_damaged(recording, "emissions",
                                 "are sent from outside the map or the run",
                                 error);
    sent->cell = grid_index(&recording->grid, at[0], at[1], at[2]);
    return STATUS_OK;
}

/* By wave, then by step; those of one step keep the file's order. */
static int by_wave_and_step(const void *a, const void *b)
{
    const struct sent *x = a, *y = b;
    if (x->wave != y->wave)
        return x->wave < y->wave ? -1 : 1;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static enum status read_emissions(struct replay *replay, struct error *error)
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

/* The last emission at or before the step: the one before the first later
 * one. */
static const struct sent *last_sent(const struct replay *replay, int wave,
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

/* ---- a wave at a row ---- */

/* A released player can be made again. */
static void player_release(struct player *player)
{
    wave_release(player->wave);
    medium_release(player->medium);
    terrain_release(&player->terrain);
    *player = (struct player){ .row = -1 };
}

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
    if (status == STATUS_INPUT)
        return error_at(error, status, replay->recording->path, 0,
                        "not a readable recording: %.800s", why.message);
    if (status)
        return error_memory(error);
    player->row = player->checked_to = -1;
    return wave_new(player->medium, &player->wave, error);
}

/* Sets the map of this row; in walls both generations are 0. */
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

/* The generation of a stored row. The second of a pair follows the first,
 * unless the wave was emitted anew in it: an emission sets both generations. */
static enum status load(struct replay *replay, struct player *player,
                        const struct layout_item *item, int64_t row,
                        struct error *error)
{
    bool second = row % replay->every == 1;
    const struct sent *sent = last_sent(replay, item->wave, row);
    enum status status = set_version(replay, player, row, error);
    if (!status)
        status = recording_read_stored(replay->recording, item, row,
                                       replay->field[0], error);
    if (!status)
        status = recording_read_stored(replay->recording, item, row - second,
                                       replay->field[1], error);
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
    player->can_step = second;
    return STATUS_OK;
}

static bool has_layers(const struct replay *replay)
{
    return wave_open_sides(&replay->settings, replay->recording->grid.dims);
}

/* The row of the last emission; before the first one nothing is to be
 * computed. */
static int64_t emission_row(const struct replay *replay, int wave, int64_t row)
{
    const struct sent *sent = last_sent(replay, wave, row);
    return sent ? sent->step : row;
}

/* The wave at that row. */
static enum status emit(struct replay *replay, struct player *player, int wave,
                        int64_t row, struct error *error)
{
    const struct sent *sent = last_sent(replay, wave, row);
    const size_t bytes = wave_field_bytes(player->medium);
    player->row = emission_row(replay, wave, row);
    player->can_step = true;
    enum status status = set_version(replay, player, player->row, error);
    memset(replay->field[0], 0, bytes);
    if (sent)
        wave_emit(player->wave, sent->cell, sent->step);
    else
        wave_load(player->wave, replay->field[0], replay->field[0], -1, 0, row);
    return status;
}

/* In the order of run/simulate.c: a generation, then the map's events, then
 * emissions. */
static enum status step(const struct replay *replay, struct player *player,
                        int wave, struct error *error)
{
    wave_step(player->wave, replay->team);
    player->row++;
    enum status status = set_version(replay, player, player->row, error);
    const struct sent *sent = last_sent(replay, wave, player->row);
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

/* After an error the wave is loaded again. */
static enum status fault(struct player *player, enum status status)
{
    if (!status)
        return STATUS_OK;
    player->row = player->checked_to = -1;
    player->can_step = false;
    return status;
}

/* Does the file have a checksum of the row? */
static enum status has_sum(const struct replay *replay,
                           const struct layout_item *item, int64_t row,
                           bool *has, struct error *error)
{
    uint32_t sum = 0;
    int64_t index;
    *has = layout_keyframe_at(row, replay->every, &index);
    if (*has)
        return STATUS_OK;
    enum status status = recording_read_bytes(
        replay->recording, layout_checksums(&replay->recording->layout, item),
        (uint64_t)row * sizeof sum, sizeof sum, &sum, error);
    *has = sum != 0;
    return status;
}

/* Compares the wave's present generation with the row's checksum, if there is
 * one. */
static enum status look(struct replay *replay, struct player *player,
                        const struct layout_item *item, struct error *error)
{
    bool has = false;
    enum status status = has_sum(replay, item, player->row, &has, error);
    if (!status && has) {
        wave_copy(player->wave, replay->field[0], replay->team);
        status = recording_check_rows(replay->recording, item, player->row, 1,
                                      replay->field[0], error);
    }
    return fault(player, status);
}

/* Steps on to the row, and checks each row that it passes. */
static enum status step_to(struct replay *replay, struct player *player,
                           const struct layout_item *item, int64_t row,
                           struct error *error)
{
    enum status status = STATUS_OK;
    while (!status && player->row < row) {
        status = step(replay, player, item->wave, error);
        if (!status)
            status = look(replay, player, item, error);
    }
    return fault(player, status);
}

/* The wave at the row, stepped from its keyframe or from its present row. */
static enum status go_to(struct replay *replay, struct player *player,
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
    if (!player->wave) /* so that the error occurs again for each row */
        player_release(player);
    if (!status && has_layers(replay)) {
        first = emission_row(replay, item->wave, row);
        if (!(player->can_step && player->row >= first && player->row <= row))
            status = emit(replay, player, item->wave, row, error);
        return status ? fault(player, status)
                      : step_to(replay, player, item, row, error);
    }
    if (!status && row <= first + 1)
        return load(replay, player, item, row, error);
    if (!status &&
        !(player->can_step && player->row > first && player->row < row))
        status = load(replay, player, item, first + 1, error);
    return status ? fault(player, status)
                  : step_to(replay, player, item, row, error);
}

/* Saves the wave in the replay's state, or loads it, or measures it. */
static size_t visit(const struct replay *replay, const struct player *player,
                    enum state_mode mode)
{
    struct state state = { .mode = mode,
                           .memory = replay->state,
                           .step = player->row };
    wave_state(player->wave, player->row, &state);
    return state.used;
}

static enum status go_back(struct replay *replay, struct player *player,
                           int64_t row, struct error *error)
{
    enum status status = set_version(replay, player, row, error);
    if (status)
        return fault(player, status);
    player->row = row;
    visit(replay, player, STATE_LOAD);
    return STATUS_OK;
}

/* ---- rows are checked before they are returned ---- */

/* The first row with a checksum from `row` to the next keyframe; -1: there is
 * none. */
static enum status next_sum(const struct replay *replay,
                            const struct layout_item *item, int64_t row,
                            int64_t *next, struct error *error)
{
    int64_t keyframe = (row / replay->every + 1) * replay->every;
    int64_t last = replay->recording->rows - 1;
    enum status status = STATUS_OK;
    *next = -1;
    for (int64_t i = row; i <= last && i <= keyframe && !status; i++) {
        bool has = false;
        status = has_sum(replay, item, i, &has, error);
        if (has) {
            *next = i;
            break;
        }
    }
    return status;
}

/* Before a row is returned: computes on to the next row with a checksum, if
 * there is one before the wave is loaded again. */
static enum status check_ahead(struct replay *replay, struct player *player,
                               const struct layout_item *item, int64_t row,
                               struct error *error)
{
    int64_t first = row / replay->every * replay->every + 1, next;
    if (has_layers(replay))
        first = emission_row(replay, item->wave, row);
    int64_t from = row / KEYFRAME_SUMS * KEYFRAME_SUMS;
    if (player->wave && row >= player->checked_from &&
        row <= player->checked_to)
        return STATUS_OK;
    enum status status = next_sum(replay, item, row, &next, error);
    if (status || next < 0)
        return status;
    if (next == row || from < first)
        from = next == row ? row : first;
    status = go_to(replay, player, item, from, error);
    if (status)
        return status;
    /* A row that was stepped to was checked then; a keyframe is loaded. */
    if (next == row)
        return row <= first ? look(replay, player, item, error) : STATUS_OK;
    if (!replay->state)
        replay->state = memory_new(1, visit(replay, player, STATE_MEASURE));
    if (!replay->state)
        return error_memory(error);
    visit(replay, player, STATE_SAVE);
    status = step_to(replay, player, item, next, error);
    if (status)
        return status;
    player->checked_from = from;
    player->checked_to = next;
    return go_back(replay, player, from, error);
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
    } else if (layout_keyframe_at(row, replay->every, &index)) {
        return recording_read_stored(replay->recording, item, row, out, error);
    }
    struct player *player = &replay->players[item->wave];
    enum status status = fields_new(replay, error);
    if (!status)
        status = check_ahead(replay, player, amplitude, row, error);
    if (!status)
        status = go_to(replay, player, amplitude, row, error);
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

static enum status read_locked(void *context, const struct layout_item *item,
                               int64_t row, void *out, struct error *error)
{
    struct replay *replay = context;
    pthread_mutex_lock(&replay->mutex);
    enum status status = read(replay, item, row, out, error);
    pthread_mutex_unlock(&replay->mutex);
    return status;
}

/* ---- a recording with its replay ---- */

static void release(void *context)
{
    struct replay *replay = context;
    for (int i = 0; replay->players && i < replay->recording->shape.waves; i++)
        player_release(&replay->players[i]);
    for (int i = 0; i <= GRID_AXES; i++)
        memory_release(replay->field[i]);
    memory_release(replay->state);
    memory_release(replay->players);
    team_release(replay->team);
    memory_release(replay->sent);
    pthread_mutex_destroy(&replay->mutex);
    memory_release(replay);
}

/* Reads settings and emissions; nothing is computed yet. */
static enum status attach(struct recording *recording, struct error *error)
{
    struct replay *replay = memory_new(1, sizeof *replay);
    if (!replay)
        return error_memory(error);
    const struct row_source source = { replay, read_locked, release };
    replay->recording = recording;
    replay->every = recording->keyframes;
    pthread_mutex_init(&replay->mutex, NULL);
    replay->players =
        memory_new((size_t)recording->shape.waves, sizeof *replay->players);
    enum status status =
        replay->players
            ? replay_wave_settings(recording, &replay->settings, error)
            : error_memory(error);
    if (!status)
        status =
            team_new(1, replay->settings.flush_denormals, &replay->team, error);
    if (!status)
        status = read_emissions(replay, error);
    if (!status)
        return recording_set_source(recording, &source, error);
    release(replay);
    return status;
}

enum status replay_open(const char *path, struct recording **recording,
                        struct error *error)
{
    struct recording *made;
    enum status status = recording_open(path, &made, error);
    if (status)
        return status;
    if (made->keyframes)
        status = attach(made, error);
    if (status)
        recording_close(made);
    else
        *recording = made;
    return status;
}
