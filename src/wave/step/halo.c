/* SPDX-License-Identifier: MIT */
#include "wave/step/halo.h"

#include "base/memory.h"

#include <string.h>

/* A direction is a number of three digits −1, 0 or 1, one for each axis; its
 * opposite has the same number counted from the other end. */
enum { DIRECTIONS_ALL = 27, MIDDLE = 13 };

struct neighbour {
    int rank, direction;
    struct box send, receive; /* in the share's grid */
    bool sends, receives;     /* in the current exchange */
    char *out, *in;
};

struct halo {
    struct ranks *ranks;
    struct share share;
    struct neighbour neighbours[RANKS_MESSAGES];
    int count;
    struct halo_traffic traffic;
};

static void digits(int direction, int step[GRID_AXES])
{
    for (int axis = 0; axis < GRID_AXES; axis++, direction /= 3)
        step[axis] = direction % 3 - 1;
}

/* The rank of the block in this direction, or −1. */
static int beside(const struct split *split, int rank,
                  const int step[GRID_AXES])
{
    int next = 0, scale = 1;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        int at = rank % split->parts[axis] + step[axis];
        if (at < 0 || at >= split->parts[axis])
            return -1;
        next += at * scale;
        scale *= split->parts[axis];
        rank /= split->parts[axis];
    }
    return next;
}

static enum status add(struct halo *halo, const struct split *split,
                       const struct halo_options *options, int direction,
                       struct error *error)
{
    int step[GRID_AXES];
    digits(direction, step);
    bool face = step[0] * step[0] + step[1] * step[1] + step[2] * step[2] == 1;
    int rank = beside(split, ranks_self(halo->ranks), step);
    if (rank < 0 || direction == MIDDLE || !(face || options->corners))
        return STATUS_OK;
    struct share theirs = split_share(split, rank, options->depth);
    struct neighbour *made = &halo->neighbours[halo->count++];
    *made = (struct neighbour){ .rank = rank, .direction = direction };
    box_meet(&halo->share.own, &theirs.held, &made->send);
    box_meet(&theirs.own, &halo->share.held, &made->receive);
    made->send = box_from(&made->send, halo->share.held.low);
    made->receive = box_from(&made->receive, halo->share.held.low);
    made->out = memory_new(box_cells(&made->send), options->item);
    made->in = memory_new(box_cells(&made->receive), options->item);
    return made->out && made->in ? STATUS_OK : error_memory(error);
}

enum status halo_new(const struct split *split, struct ranks *ranks,
                     const struct halo_options *options, struct halo **halo,
                     struct error *error)
{
    struct halo *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    made->ranks = ranks;
    made->share = split_share(split, ranks_self(ranks), options->depth);
    enum status status = STATUS_OK;
    for (int i = 0; i < DIRECTIONS_ALL && !status; i++)
        status = add(made, split, options, i, error);
    if (status)
        halo_release(made);
    else
        *halo = made;
    return status;
}

void halo_release(struct halo *halo)
{
    for (int i = 0; halo && i < halo->count; i++) {
        memory_release(halo->neighbours[i].out);
        memory_release(halo->neighbours[i].in);
    }
    memory_release(halo);
}

/* Copies a box of the field out of `packed`, or into it. */
static void copy(const struct held_field *field, const struct box *box,
                 char *packed, bool into)
{
    const int *low = box->low;
    size_t bytes = (size_t)(box->high[0] - low[0] + 1) * field->item;
    for (int z = low[2]; z <= box->high[2]; z++)
        for (int y = low[1]; y <= box->high[1]; y++, packed += bytes) {
            char *row = (char *)field->cells +
                        (z * field->layer + y * field->row + low[0]) *
                            (ptrdiff_t)field->item;
            memcpy(into ? packed : row, into ? row : packed, bytes);
        }
}

void halo_start(struct halo *halo, const struct held_field *field,
                const struct box *reach)
{
    struct box both;
    for (int i = 0; i < halo->count; i++) {
        struct neighbour *beside = &halo->neighbours[i];
        beside->receives = box_meet(&beside->receive, reach, &both);
        if (beside->receives)
            ranks_receive(halo->ranks, beside->rank,
                          DIRECTIONS_ALL - 1 - beside->direction, beside->in,
                          box_cells(&beside->receive) * field->item);
    }
    for (int i = 0; i < halo->count; i++) {
        struct neighbour *beside = &halo->neighbours[i];
        beside->sends = box_meet(&beside->send, reach, &both);
        if (!beside->sends)
            continue;
        size_t bytes = box_cells(&beside->send) * field->item;
        copy(field, &beside->send, beside->out, true);
        ranks_send(halo->ranks, beside->rank, beside->direction, beside->out,
                   bytes);
        halo->traffic.messages++;
        halo->traffic.bytes += (int64_t)bytes;
    }
}

void halo_finish(struct halo *halo, const struct held_field *field)
{
    ranks_wait(halo->ranks);
    for (int i = 0; i < halo->count; i++) {
        struct neighbour *beside = &halo->neighbours[i];
        if (beside->receives)
            copy(field, &beside->receive, beside->in, false);
    }
}

bool halo_filled(const struct halo *halo, int i, struct box *box)
{
    int seen = 0;
    for (int n = 0; n < halo->count; n++)
        if (halo->neighbours[n].receives && seen++ == i) {
            *box = halo->neighbours[n].receive;
            return true;
        }
    return false;
}

void halo_depths(const struct halo *halo, int axis, int *low, int *high)
{
    *low = halo->share.own.low[axis] - halo->share.held.low[axis];
    *high = halo->share.held.high[axis] - halo->share.own.high[axis];
}

struct halo_traffic halo_traffic(const struct halo *halo)
{
    return halo->traffic;
}

bool halo_any(struct halo *halo, bool here)
{
    return halo ? ranks_max(halo->ranks, here) : here;
}

/* The bits of numbers ≥ 0, read as integers, have the same order. */
double halo_most(struct halo *halo, double here)
{
    int64_t bits;
    if (!halo)
        return here;
    memcpy(&bits, &here, sizeof bits);
    bits = ranks_max(halo->ranks, bits);
    memcpy(&here, &bits, sizeof here);
    return here;
}
