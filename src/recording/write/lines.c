/* SPDX-License-Identifier: MIT */
#include "recording/write/lines.h"

#include "base/disk.h"
#include "base/memory.h"
#include "world/split.h"

#include <limits.h>
#include <sys/uio.h>

enum { PIECES_MOST = 1024 /* Linux: of a call */ };

struct lines {
    struct ranks *ranks;
    size_t item;
    struct box region, box; /* of the region, the lines of these ranks */
    int axis;               /* along which they are shared out */
    int count, self;        /* the ranks, in the order of x */
    int *rank;
    struct box *own;
    size_t *received;  /* where each one's cells begin in what is received */
    const char **from; /* of each rank the cells of this rank's lines */
    /* Fields, one after another in a ring: received, so many written. */
    char *fields;
    size_t field_bytes, room, next_in, next_out;
    struct iovec *piece; /* of a call */
    int pieces;
    size_t piece_bytes;
};

/* The lines that are the i-th rank's to write; false: none. */
static bool lines_of(const struct lines *lines, int i, struct box *part)
{
    const int axis = lines->axis, low = lines->box.low[axis];
    const int64_t width = lines->box.high[axis] - low + 1;
    *part = lines->box;
    part->low[axis] = low + (int)(width * i / lines->count);
    part->high[axis] = low + (int)(width * (i + 1) / lines->count) - 1;
    return part->low[axis] <= part->high[axis];
}

/* Where a line begins in a packed block, in cells. */
static size_t cell_of(const struct box *block, int y, int z)
{
    return ((size_t)(z - block->low[2]) * box_width(block, 1) +
            (size_t)(y - block->low[1])) *
           box_width(block, 0);
}

/* The cells of a packed block that are sent for a part: one piece, which
 * begins with whole layers, or with lines of one. */
static void piece_of(const struct lines *lines, const struct box *block,
                     const struct box *part, size_t *first, size_t *cells)
{
    const bool layers = lines->axis == 2;
    const int y = layers ? block->low[1] : part->low[1];
    *first = cell_of(block, y, part->low[2]);
    *cells =
        box_width(block, 0) * (layers ? box_width(block, 1) * box_width(part, 2)
                                      : box_width(part, 1));
}

/* ---- making it ---- */

static bool is_beside(const struct box *a, const struct box *b)
{
    return a->low[1] == b->low[1] && a->high[1] == b->high[1] &&
           a->low[2] == b->low[2] && a->high[2] == b->high[2];
}

/* Ranks count x first, so that they come in its order. */
static void find_ranks(struct lines *lines, const struct box *all, int count,
                       const struct box *own)
{
    for (int rank = 0; rank < count; rank++) {
        if (!is_beside(&all[rank], own))
            continue;
        if (rank == ranks_self(lines->ranks))
            lines->self = lines->count;
        lines->own[lines->count] = all[rank];
        lines->rank[lines->count++] = rank;
    }
}

/* Where what is received lies; false where a message would be too long. */
static bool place_received(struct lines *lines)
{
    struct box part;
    size_t first, cells;
    bool good = true;
    for (int i = 0; i < lines->count; i++)
        for (int j = 0; j < lines->count; j++) {
            if (!lines_of(lines, j, &part))
                continue;
            piece_of(lines, &lines->own[i], &part, &first, &cells);
            good = good && cells * lines->item < INT_MAX;
            if (j != lines->self || i == j)
                continue;
            lines->received[i] = lines->field_bytes;
            lines->field_bytes += cells * lines->item;
        }
    return good;
}

static enum status fill(struct lines *lines, const struct box *own,
                        const struct box *all, int count, struct error *error)
{
    const size_t most = (size_t)count;
    lines->rank = memory_new(most, sizeof *lines->rank);
    lines->own = memory_new(most, sizeof *lines->own);
    lines->received = memory_new(most, sizeof *lines->received);
    lines->from = memory_new(most, sizeof *lines->from);
    lines->piece = memory_new(PIECES_MOST, sizeof *lines->piece);
    if (!lines->rank || !lines->own || !lines->received || !lines->from ||
        !lines->piece)
        return error_memory(error);
    find_ranks(lines, all, count, own);
    return STATUS_OK;
}

enum status lines_new(struct ranks *ranks, const struct box *region,
                      const struct box *own, size_t item, struct lines **lines,
                      struct error *error)
{
    const void *all;
    size_t bytes;
    *lines = NULL;
    enum status status =
        ranks_gather(ranks, own, sizeof *own, &all, &bytes, error);
    if (status)
        return status;
    struct lines *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    made->ranks = ranks;
    made->item = item;
    made->region = *region;
    struct box wide = *own; /* the lines of all these ranks */
    wide.low[0] = region->low[0];
    wide.high[0] = region->high[0];
    bool any = box_meet(&wide, region, &made->box);
    made->axis = made->box.low[2] < made->box.high[2] ? 2 : 1;
    status = fill(made, own, all, ranks_count(ranks), error);
    if (status || !any || made->count == 1 || made->count > PIECES_MOST ||
        !place_received(made))
        lines_release(made);
    else
        *lines = made;
    return status;
}

void lines_release(struct lines *lines)
{
    if (!lines)
        return;
    memory_release(lines->rank);
    memory_release(lines->own);
    memory_release(lines->received);
    memory_release(lines->from);
    memory_release(lines->fields);
    memory_release(lines->piece);
    memory_release(lines);
}

enum status lines_room(struct lines *lines, size_t fields, struct error *error)
{
    if (!lines)
        return STATUS_OK;
    lines->room = fields;
    lines->fields = memory_new(fields, lines->field_bytes);
    return lines->fields || !lines->field_bytes ? STATUS_OK
                                                : error_memory(error);
}

/* ---- a field ---- */

static void send(struct lines *lines, int to, const char *values)
{
    struct box part;
    size_t first, cells;
    if (!lines_of(lines, to, &part))
        return;
    piece_of(lines, &lines->own[lines->self], &part, &first, &cells);
    ranks_send(lines->ranks, lines->rank[to], 0, values + first * lines->item,
               cells * lines->item);
}

static void receive(struct lines *lines, int from, char *field)
{
    struct box part;
    size_t first, cells;
    if (!lines_of(lines, lines->self, &part))
        return;
    piece_of(lines, &lines->own[from], &part, &first, &cells);
    ranks_receive(lines->ranks, lines->rank[from], 0,
                  field + lines->received[from], cells * lines->item);
}

/* Each with each, in as many rounds as there are others. */
void lines_exchange(struct lines *lines, const void *values)
{
    char *field =
        lines->fields + lines->next_in++ % lines->room * lines->field_bytes;
    const int count = lines->count;
    for (int i = 1; i < count; i++) {
        receive(lines, (lines->self + count - i) % count, field);
        send(lines, (lines->self + i) % count, values);
        if (i % RANKS_MESSAGES == 0 || i == count - 1)
            ranks_wait(lines->ranks);
    }
}

/* ---- writing ---- */

static bool flush(struct lines *lines, int fd, uint64_t place)
{
    bool good = disk_write_pieces(fd, lines->piece, lines->pieces, place);
    lines->pieces = 0;
    lines->piece_bytes = 0;
    return good;
}

/* The pieces of a line, which is whole together. */
static void add_line(struct lines *lines, const struct box *part, int y, int z)
{
    const struct box *region = &lines->region;
    for (int i = 0; i < lines->count; i++) {
        const struct box *own = &lines->own[i];
        size_t first, cells, bytes;
        int low = own->low[0], high = own->high[0];
        low = low > region->low[0] ? low : region->low[0];
        high = high < region->high[0] ? high : region->high[0];
        if (low > high)
            continue;
        piece_of(lines, own, part, &first, &cells);
        bytes = (size_t)(high - low + 1) * lines->item;
        first = cell_of(own, y, z) + (size_t)(low - own->low[0]) - first;
        lines->piece[lines->pieces++] = (struct iovec){
            /* pwritev takes it for reading alone */
            (void *)(uintptr_t)(lines->from[i] + first * lines->item), bytes
        };
        lines->piece_bytes += bytes;
    }
}

static void find_cells(struct lines *lines, const struct box *part,
                       const char *values)
{
    size_t first, cells;
    const char *field =
        lines->fields + lines->next_out++ % lines->room * lines->field_bytes;
    for (int i = 0; i < lines->count; i++)
        lines->from[i] = field + lines->received[i];
    piece_of(lines, &lines->own[lines->self], part, &first, &cells);
    lines->from[lines->self] = values + first * lines->item;
}

bool lines_write(struct lines *lines, int fd, const void *values,
                 uint64_t place)
{
    const struct box *region = &lines->region;
    const uint64_t line = box_width(region, 0) * lines->item;
    const uint64_t layer = line * box_width(region, 1);
    struct box part;
    uint64_t begin = 0;
    bool any = lines_of(lines, lines->self, &part), good = true;
    find_cells(lines, &part, values);
    for (int z = part.low[2]; any && good && z <= part.high[2]; z++)
        for (int y = part.low[1]; y <= part.high[1] && good; y++) {
            uint64_t at = place + (uint64_t)(z - region->low[2]) * layer +
                          (uint64_t)(y - region->low[1]) * line;
            if (lines->pieces && (lines->pieces + lines->count > PIECES_MOST ||
                                  at != begin + lines->piece_bytes))
                good = flush(lines, fd, begin);
            if (!lines->pieces)
                begin = at;
            add_line(lines, &part, y, z);
        }
    return good && (!lines->pieces || flush(lines, fd, begin));
}
