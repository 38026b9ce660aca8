/* SPDX-License-Identifier: MIT */
#include "recording/pack_parts.h"

#include "base/memory.h"
#include "recording/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    TILE_CELLS = 1 << 16,
    TILE_EDGE = 256,
    TILE_EDGE_3D = 64,
    TILE_DEEP = 16
};

/* Parts of equal length that are as near to `most` as they can be. */
static int64_t part(int64_t extent, int64_t most)
{
    int64_t parts = (extent + most - 1) / most;
    return (extent + parts - 1) / parts;
}

/* Chunks of some 65,536 cells: a frame is a few, a cell's series is in one of
 * each row. */
static void choose_tile(bool deep, const int64_t *extent, int64_t *tile)
{
    tile[2] = deep ? part(extent[2], TILE_DEEP) : 1;
    tile[1] = part(extent[1], deep ? TILE_EDGE_3D : TILE_EDGE);
    tile[0] = part(extent[0], TILE_CELLS / (tile[1] * tile[2]));
}

static int64_t at_least_one(int64_t rows)
{
    return rows > 0 ? rows : 1;
}

static enum status add_text(struct packing *packing, const char *name,
                            struct error *error)
{
    struct shape *shape = &packing->shape;
    if (shape->text_count == RECORDING_MAX_TEXTS)
        return error_at(error, STATUS_INPUT, packing->options->path, 0,
                        "has as many texts as a recording can have: there is "
                        "no room to tell how it is packed");
    struct pack_text *text = &packing->texts[packing->text_count++];
    text->name = name;
    struct shape_text *to = &shape->texts[shape->text_count++];
    snprintf(to->name, sizeof to->name, "%s", name);
    return STATUS_OK;
}

/* What packing tells of itself takes the place of what an earlier one did. */
static enum status set_texts(struct packing *packing, struct error *error)
{
    const struct shape *was = &packing->from->shape;
    struct shape *shape = &packing->shape;
    const struct pack_options *options = packing->options;
    shape->text_count = 0;
    for (size_t i = 0; i < was->text_count; i++)
        if (strcmp(was->texts[i].name, "packed") != 0 &&
            strcmp(was->texts[i].name, "keep_bits") != 0)
            shape->texts[shape->text_count++] = was->texts[i];
    enum status status = STATUS_OK;
    if (!options->expand)
        status = add_text(packing, "packed", error);
    if (!status && packing->keep_bits)
        status = add_text(packing, "keep_bits", error);
    for (size_t i = 0; i < packing->text_count && !status; i++) {
        struct pack_text *text = &packing->texts[i];
        if (strcmp(text->name, "packed") == 0)
            snprintf(text->value, sizeof text->value,
                     "chunks, shuffle, deflate");
        else
            snprintf(text->value, sizeof text->value, "%d", packing->keep_bits);
        shape->texts[shape->text_count - packing->text_count + i].length =
            (int64_t)strlen(text->value);
    }
    return status;
}

/* Every row of what the scenario asked for. */
static void expand_keyframes(const struct recording *from, struct shape *shape)
{
    const char *fields = recording_setting(from, "record.fields");
    shape->parts &= ~(unsigned)PART_KEYFRAMES;
    if (fields && strstr(fields, "gradient"))
        shape->parts |= PART_GRADIENT;
}

/* True extents, and nothing to go on from. */
static enum status make_shape(struct packing *packing, struct error *error)
{
    const struct recording *from = packing->from;
    struct shape *shape = &packing->shape;
    int64_t *length = shape->length, cells = 0;
    static const enum axis axes[] = { AXIS_ARRIVAL, AXIS_EMISSION, AXIS_CAPTURE,
                                      AXIS_PLAN };
    *shape = from->shape;
    shape->parts &= ~(unsigned)(PART_RESTART | PART_PACKED);
    if (!packing->options->expand)
        shape->parts |= PART_PACKED;
    enum status status =
        read_bytes(from, layout_find(&from->layout, "status/plan_cells"), 0,
                   sizeof cells, &cells, error);
    if (status)
        return status;
    if (cells < 0 || cells > length[AXIS_PATH_CELL])
        return damaged(from, "status/plan_cells",
                       "is more than there is room for", error);
    length[AXIS_TIME] = from->rows;
    if (shape->parts & PART_KEYFRAMES && packing->options->expand)
        expand_keyframes(from, shape);
    else if (shape->parts & PART_KEYFRAMES)
        length[AXIS_KEYFRAME] = keyframes_of(
            from->rows,
            (int64_t)recording_setting_real(from, "record.keyframes", 2));
    length[AXIS_VERSION] =
        (int64_t)recording_version_at(from, from->steps[from->rows - 1]) + 1;
    for (int i = 0; i < 4; i++)
        length[axes[i]] = at_least_one(from->table_rows[i]);
    length[AXIS_PATH_CELL] = at_least_one(cells);
    packing->path_cells = cells;
    choose_tile(shape->parts & PART_DEPTH,
                (int64_t[]){ length[AXIS_X], length[AXIS_Y], length[AXIS_Z] },
                shape->tile);
    choose_tile(shape->parts & PART_DEPTH, shape->world, shape->world_tile);
    return set_texts(packing, error);
}

static void set_keep_bits(struct packing *packing)
{
    for (size_t i = 0; i < packing->layout.count; i++) {
        struct layout_item *item = &packing->layout.items[i];
        if (item->entry->real && item->entry->role == ROLE_ROWS)
            item->keep_bits = packing->keep_bits;
    }
}

static enum status lay_out_packed(struct packing *packing, struct error *error)
{
    const struct recording *from = packing->from;
    const char *out = packing->options->out;
    struct error why = { .message = "" };
    struct layout_header header = {
        .title = from->title,
        .cell_metres = recording_setting_real(from, "scale.cell", 0),
        .step_seconds = recording_setting_real(from, "scale.step", 0),
    };
    enum status status = make_shape(packing, error);
    if (!status)
        status = layout_expand(&packing->shape, &packing->layout, error);
    if (status)
        return status;
    set_keep_bits(packing);
    status = disk_temporary(out, &packing->temporary, error);
    if (status)
        return status;
    status = layout_create(packing->temporary, &header, &packing->layout, &why);
    return status ? error_at(error, status, out, 0, "%s", why.message)
                  : STATUS_OK;
}

/* Nobody writes it while the lock is held. */
static enum status lock(const char *path, int *fd, struct error *error)
{
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (*fd < 0)
        return error_system(error, STATUS_INPUT, "%s: cannot be read", path);
    if (flock(*fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK)
        return error_at(error, STATUS_INPUT, path, 0,
                        "is being written by another program: wait for it");
    return STATUS_OK;
}

static bool is_same(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

static enum status check(const struct packing *packing, bool same,
                         struct error *error)
{
    const struct pack_options *options = packing->options;
    int mantissa = packing->from->shape.real == TYPE_FLOAT32 ? 23 : 52;
    struct stat about;
    if (same && lstat(options->out, &about) == 0 && S_ISLNK(about.st_mode))
        return error_at(error, STATUS_INPUT, options->out, 0,
                        "is a symbolic link: name the recording itself");
    if (options->keep_bits >= mantissa)
        return error_at(error, STATUS_INPUT, options->path, 0,
                        "--keep-bits %d rounds nothing: the mantissa has %d "
                        "bits",
                        options->keep_bits, mantissa);
    if (packing->from->rows == 0)
        return error_at(error, STATUS_INPUT, options->path, 0,
                        "holds no rows yet: there is nothing to pack");
    if (options->keep_bits && !options->expand &&
        packing->from->shape.parts & PART_KEYFRAMES)
        return error_at(error, STATUS_INPUT, options->path, 0,
                        "rounded keyframes give no rows between them: expand "
                        "it first, by --expand -o OTHER");
    if (same && options->keep_bits && !options->force)
        return error_at(error, STATUS_INPUT, options->path, 0,
                        "rounding loses bits for good: give another name by "
                        "-o, or --force to replace the recording");
    if (!same && !options->force && lstat(options->out, &about) == 0)
        return error_at(error, STATUS_INPUT, options->out, 0,
                        "exists already: give another name, or --force to "
                        "replace it");
    return STATUS_OK;
}

static int least_bits(int a, int b)
{
    return a == 0 || (b != 0 && b < a) ? b : a;
}

static uint64_t bytes_of(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 ? (uint64_t)about.st_size : 0;
}

static void tell(const struct packing *packing, struct pack_result *result)
{
    *result = (struct pack_result){
        .bytes_before = packing->from->bytes,
        .bytes = bytes_of(packing->temporary),
        .rows = packing->from->rows,
        .unclosed = packing->from->state == RUN_RUNNING,
    };
    for (size_t i = 0; i < packing->layout.count; i++) {
        const struct layout_item *item = &packing->layout.items[i];
        if (layout_is_field(item))
            result->field_bytes += item->bytes;
        result->keyframed |= item->keyframed;
    }
}

/* What only its owner may read stays so. */
static void keep_mode(const char *path, const char *temporary)
{
    struct stat about;
    if (stat(path, &about) == 0)
        chmod(temporary, about.st_mode & 07777);
}

static enum status pack(struct packing *packing, struct pack_result *result,
                        struct error *error)
{
    const struct pack_options *options = packing->options;
    bool same = is_same(options->path, options->out);
    enum status status = check(packing, same, error);
    if (status)
        return status;
    packing->keep_bits =
        least_bits(options->keep_bits, recording_keep_bits(packing->from));
    status = team_new(options->threads, false, &packing->team, error);
    if (!status)
        status = lay_out_packed(packing, error);
    if (!status && !options->expand)
        status = pack_fields(packing, error);
    if (!status)
        status = pack_copy(packing, error);
    if (!status)
        status = pack_verify(packing, error);
    if (status)
        return status;
    tell(packing, result);
    if (same)
        keep_mode(options->path, packing->temporary);
    return disk_rename(packing->temporary, options->out, options->force || same,
                       error);
}

enum status pack_recording(const struct pack_options *options,
                           struct pack_result *result, struct error *error)
{
    struct packing packing = { .options = options };
    int fd = -1;
    enum status status = lock(options->path, &fd, error);
    if (!status)
        status = recording_open(options->path, &packing.from, error);
    if (!status)
        status = pack(&packing, result, error);
    if (status && packing.temporary)
        unlink(packing.temporary);
    memory_release(packing.temporary);
    layout_release(&packing.layout);
    team_release(packing.team);
    recording_close(packing.from);
    if (fd >= 0)
        close(fd);
    return status;
}
