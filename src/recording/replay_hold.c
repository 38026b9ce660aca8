/* SPDX-License-Identifier: MIT */
/* What is computed, held to what the run has kept: the checksums of the
 * keyframes and of some rows between (layout.h). A row follows from those
 * before it, so the next checksum behind it tells whether it is good: what was
 * false at the row is false there too, unless the wave goes out anew between
 * the two. */
#include "recording/replay_parts.h"

#include "recording/recording_parts.h"

#include <stdio.h>

/* Has the run kept a checksum of the row? */
static enum status has_sum(const struct replay *replay,
                           const struct layout_item *item, int64_t row,
                           bool *has, struct error *error)
{
    char name[VARIABLE_NAME_SIZE];
    uint32_t sum = 0;
    int64_t index;
    *has = keyframe_at(row, replay->every, &index);
    if (*has)
        return STATUS_OK;
    snprintf(name, sizeof name, "crc/%.58s", item->variable.name);
    enum status status = read_bytes(
        replay->recording, layout_find(&replay->recording->layout, name),
        (uint64_t)row * sizeof sum, sizeof sum, &sum, error);
    *has = sum != 0;
    return status;
}

enum status replay_look(struct replay *replay, struct player *player,
                        const struct layout_item *item, struct error *error)
{
    bool has = false;
    enum status status = has_sum(replay, item, player->row, &has, error);
    if (!status && has) {
        wave_copy(player->wave, replay->field[0], replay->team);
        status = check_rows(replay->recording, item, player->row, 1,
                            replay->field[0], error);
    }
    return replay_fault(player, status);
}

/* The first row from `row` to the next keyframe that has one; -1: none has. */
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

/* Two of the replay's fields keep it: looking takes another. */
static struct replay_place place_here(const struct replay *replay,
                                      const struct player *player)
{
    struct replay_place place = { .row = player->row,
                                  .newest = replay->field[1],
                                  .older = replay->field[2] };
    wave_save(player->wave, place.newest, place.older, &place.emitted,
              &place.source);
    return place;
}

enum status replay_hold(struct replay *replay, struct player *player,
                        const struct layout_item *item, int64_t row,
                        struct error *error)
{
    int64_t first = row / replay->every * replay->every + 1, next;
    int64_t from = row / KEYFRAME_SUMS * KEYFRAME_SUMS;
    if (player->wave && row >= player->held_from && row <= player->held_to)
        return STATUS_OK;
    enum status status = next_sum(replay, item, row, &next, error);
    if (status || next < 0)
        return status;
    if (next == row || from < first)
        from = next == row ? row : first;
    status = replay_go_to(replay, player, item, from, error);
    if (status)
        return status;
    /* A row that was stepped to was looked at then; a keyframe is loaded. */
    if (next == row)
        return row <= first ? replay_look(replay, player, item, error)
                            : STATUS_OK;
    const struct replay_place place = place_here(replay, player);
    status = replay_step_to(replay, player, item, next, error);
    if (status)
        return status;
    player->held_from = from;
    player->held_to = next;
    return replay_go_back(replay, player, &place, error);
}
