/* SPDX-License-Identifier: MIT */
/* Packing: the new file is created, filled (chunks in fields.c, the rest here),
 * read back (verify.c) and renamed. */
#include "recording/pack/packing.h"

#include "base/crc32c.h"
#include "base/disk.h"
#include "base/inputs.h"
#include "base/memory.h"

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
    TILE_DEEP = 16,
    PIECE = 1 << 20,
};

/* ---- the new file ---- */

/* Divides an extent into parts of equal length, which is as near to `most` as
 * possible. */
static int64_t part(int64_t extent, int64_t most)
{
    int64_t parts = (extent + most - 1) / most;
    return (extent + parts - 1) / parts;
}

/* Chunks of about 65,536 cells: a frame has few of them, and the time series of
 * a cell needs only one of each frame. */
static void choose_tile(bool deep, const int64_t *extent, int64_t *tile)
{
    tile[2] = deep ? part(extent[2], TILE_DEEP) : 1;
    tile[1] = part(extent[1], deep ? TILE_EDGE_3D : TILE_EDGE);
    tile[0] = part(extent[0], TILE_CELLS / (tile[1] * tile[2]));
}

static enum status add_text(struct packing *packing, const char *name,
                            struct error *error)
{
    struct shape *shape = &packing->shape;
    if (shape->text_count == RECORDING_MAX_TEXTS)
        return error_at(error, STATUS_INPUT, packing->options->path, 0,
                        "has as many texts as a recording can have: there is "
                        "no room to record how it was packed");
    struct pack_text *text = &packing->texts[packing->text_count++];
    text->name = name;
    struct shape_text *to = &shape->texts[shape->text_count++];
    snprintf(to->name, sizeof to->name, "%s", name);
    return STATUS_OK;
}

/* The texts about this packing replace those of an earlier one. */
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

/* Every frame that the scenario requested. */
static void expand_keyframes(const struct recording *from, struct shape *shape)
{
    const char *fields = recording_setting(from, "record.fields");
    shape->parts &= ~(unsigned)PART_KEYFRAMES;
    if (fields && strstr(fields, "gradient"))
        shape->parts |= PART_GRADIENT;
}

/* The true extents, and no state to resume from. */
static enum status make_shape(struct packing *packing, struct error *error)
{
    const struct recording *from = packing->from;
    struct shape *shape = &packing->shape;
    int64_t *length = shape->length, cells = 0;
    *shape = from->shape;
    shape->parts &= ~(unsigned)(PART_RESTART | PART_PACKED);
    if (!packing->options->expand)
        shape->parts |= PART_PACKED;
    enum status status = recording_read_bytes(
        from, layout_find(&from->layout, "status/plan_cells"), 0, sizeof cells,
        &cells, error);
    if (status)
        return status;
    if (cells < 0 || cells > length[AXIS_PATH_CELL])
        return recording_damaged(from, "status/plan_cells",
                                 "is more than there is room for", error);
    length[AXIS_TIME] = from->rows;
    if (shape->parts & PART_KEYFRAMES && packing->options->expand)
        expand_keyframes(from, shape);
    else if (shape->parts & PART_KEYFRAMES)
        length[AXIS_KEYFRAME] =
            layout_keyframe_count(from->rows, from->keyframes);
    length[AXIS_VERSION] =
        (int64_t)recording_version_at(from, from->steps[from->rows - 1]) + 1;
    for (int i = 0; i < TABLES; i++)
        length[schema_tables[i].axis] = layout_rows(from->table_rows[i]);
    length[AXIS_PATH_CELL] = layout_rows(cells);
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
    struct layout_header header = {
        .title = from->title,
        .cell_metres = recording_setting_real(from, "scale.cell", 0),
        .step_seconds = recording_setting_real(from, "scale.step", 0),
    };
    layout_set_history(&header, recording_text(from, "date"),
                       recording_text(from, "command"));
    size_t used = strlen(header.history);
    snprintf(header.history + used, sizeof header.history - used,
             "%shamon-pack%s", used ? "\n" : "",
             packing->options->expand ? " --expand" : "");
    enum status status = make_shape(packing, error);
    if (!status)
        status = layout_expand(&packing->shape, &packing->layout, error);
    if (status)
        return status;
    set_keep_bits(packing);
    status = disk_temporary(out, &packing->temporary, error);
    if (status)
        return status;
    return layout_create(packing->temporary, out, &header, &packing->layout,
                         error);
}

/* ---- contiguous data ---- */

static enum status write_item(const struct packing *packing, int fd,
                              const struct layout_item *item, uint64_t at,
                              const void *data, size_t bytes,
                              struct error *error)
{
    return disk_write(fd, data, bytes, item->offset + at)
               ? STATUS_OK
               : pack_unwritten(packing, item, error);
}

static enum status copy_field(const struct packing *packing, int fd,
                              const struct layout_item *item,
                              struct error *error)
{
    int64_t rows = pack_rows(item);
    size_t bytes = (size_t)item->bytes / (size_t)rows;
    const struct layout_item *sums = layout_checksums(&packing->layout, item);
    void *row = memory_new(bytes, 1);
    if (!row)
        return error_memory(error);
    enum status status = STATUS_OK;
    for (int64_t i = 0; i < rows && !status; i++) {
        status = pack_read(packing, item, i, row, error);
        if (!status)
            status = write_item(packing, fd, item, (uint64_t)i * bytes, row,
                                bytes, error);
        uint32_t crc = crc32c(0, row, bytes);
        if (!status && sums)
            status = write_item(packing, fd, sums, (uint64_t)i * sizeof crc,
                                &crc, sizeof crc, error);
    }
    memory_release(row);
    return status;
}

/* Copies the part that both items have: of tables the rows in use. */
static enum status copy_bytes(const struct packing *packing, int fd,
                              const struct layout_item *item,
                              const struct layout_item *was,
                              struct error *error)
{
    uint64_t bytes = item->bytes < was->bytes ? item->bytes : was->bytes;
    size_t room = bytes < PIECE ? (size_t)bytes : PIECE;
    void *piece = memory_new(room, 1);
    if (!piece)
        return error_memory(error);
    enum status status = STATUS_OK;
    for (uint64_t done = 0; done < bytes && !status; done += room) {
        size_t now = bytes - done < room ? (size_t)(bytes - done) : room;
        status =
            recording_read_bytes(packing->from, was, done, now, piece, error);
        if (!status)
            status = write_item(packing, fd, item, done, piece, now, error);
    }
    memory_release(piece);
    return status;
}

/* An unused table has one row of -1. */
static bool is_unused(const struct packing *packing,
                      const struct layout_item *item)
{
    char table[VARIABLE_NAME_SIZE];
    if (item->entry->role != ROLE_TABLE)
        return false;
    snprintf(table, sizeof table, "%s", item->variable.name);
    table[strcspn(table, "/")] = '\0';
    return item->entry->axes[0] == AXIS_PATH_CELL
               ? packing->path_cells == 0
               : recording_table_rows(packing->from, table) == 0;
}

static const char *own_text(const struct packing *packing, const char *name)
{
    for (size_t i = 0; i < packing->text_count; i++)
        if (strcmp(name, packing->texts[i].name) == 0)
            return packing->texts[i].value;
    return NULL;
}

static enum status copy_item(const struct packing *packing, int fd,
                             const struct layout_item *item,
                             struct error *error)
{
    const char *name = item->variable.name;
    const struct layout_item *was = layout_find(&packing->from->layout, name);
    const char *text = item->entry == &schema_text
                           ? own_text(packing, strchr(name, '/') + 1)
                           : NULL;
    if (text)
        return write_item(packing, fd, item, 0, text, strlen(text), error);
    if (is_unused(packing, item))
        return layout_fill_unused(fd, item, 0)
                   ? STATUS_OK
                   : pack_unwritten(packing, item, error);
    if (layout_is_field(item))
        return copy_field(packing, fd, item, error);
    return copy_bytes(packing, fd, item, was, error);
}

/* Fields write their own checksums and places; a dimension has no values. */
static bool comes_otherwise(const struct layout *layout,
                            const struct layout_item *item)
{
    if (item->bytes == 0 || item->chunk[0] || item->entry == &schema_chunk)
        return true;
    if (item->entry != &schema_crc)
        return false;
    const struct layout_item *of = &layout->items[item->of];
    return layout_is_field(of) && !of->keyframed;
}

/* Of a run that did not end, the new file contains only what was committed. */
static enum status write_marks(const struct packing *packing, int fd,
                               struct error *error)
{
    const struct recording *from = packing->from;
    const struct {
        const char *name;
        int64_t value;
    } marks[] = {
        { "status/committed", from->rows },
        { "status/state",
          from->state == RUN_RUNNING ? RUN_STOPPED : from->state },
        { "status/arrivals", from->table_rows[ARRIVALS] },
        { "status/emissions", from->table_rows[EMISSIONS] },
        { "status/captures", from->table_rows[CAPTURES] },
        { "status/plans", from->table_rows[PLANS] },
    };
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof marks / sizeof *marks && !status; i++)
        status = write_item(packing, fd,
                            layout_find(&packing->layout, marks[i].name), 0,
                            &marks[i].value, sizeof marks[i].value, error);
    return status;
}

static enum status copy_all(const struct packing *packing, struct error *error)
{
    enum status status = STATUS_OK;
    int fd = open(packing->temporary, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return error_system(error, STATUS_DISK, "%s: cannot be written",
                            packing->options->out);
    for (size_t i = 0; i < packing->layout.count && !status; i++) {
        const struct layout_item *item = &packing->layout.items[i];
        if (!comes_otherwise(&packing->layout, item))
            status = copy_item(packing, fd, item, error);
    }
    if (!status)
        status = write_marks(packing, fd, error);
    close(fd);
    return status;
}

/* ---- from the old file to the new one ---- */

/* While the file is locked no program writes it. */
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

/* root may write to every file: then the permissions say what was meant. */
static bool is_protected(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 &&
           ((about.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0 ||
            access(path, W_OK) < 0);
}

static enum status check(const struct packing *packing, bool same,
                         struct error *error)
{
    const struct pack_options *options = packing->options;
    int mantissa = packing->from->shape.real == TYPE_FLOAT32 ? 23 : 52;
    struct stat about;
    const enum status linked = disk_refuse_link(options->out, error);
    if (linked)
        return linked;
    if (same && !options->force && is_protected(options->out))
        return error_at(error, STATUS_INPUT, options->out, 0,
                        "is write-protected: give another name by -o, or "
                        "--force to replace it");
    if (options->keep_bits >= mantissa)
        return error_at(error, STATUS_INPUT, options->path, 0,
                        "--keep-bits %d rounds nothing: the mantissa has %d "
                        "bits",
                        options->keep_bits, mantissa);
    if (packing->from->rows == 0)
        return error_at(error, STATUS_INPUT, options->path, 0,
                        "has no rows yet: there is nothing to pack");
    if (options->keep_bits && !options->expand &&
        packing->from->shape.parts & PART_KEYFRAMES)
        return error_at(error, STATUS_INPUT, options->path, 0,
                        "rows between rounded keyframes cannot be computed: "
                        "expand it first, by --expand -o OTHER");
    if (same && options->keep_bits && !options->force)
        return error_at(error, STATUS_INPUT, options->path, 0,
                        "rounding loses bits permanently: give another name by "
                        "-o, or --force to replace the recording");
    if (!same && !options->force && lstat(options->out, &about) == 0)
        return error_at(error, STATUS_INPUT, options->out, 0,
                        "exists already: give another name, or --force to "
                        "replace it");
    return same ? STATUS_OK : inputs_refuse(options->out, error);
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

static void count_up(const struct packing *packing, struct pack_result *result)
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
    if (!packing->options->expand &&
        pack_row_cells(packing) > recording_cells_believed(result->bytes))
        result->cells = pack_row_cells(packing);
}

/* A file that only its owner may read stays so. */
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
    if (!status)
        status = pack_carry(packing, error);
    if (!status && !options->expand)
        status = pack_fields(packing, error);
    if (!status)
        status = copy_all(packing, error);
    if (!status)
        status = pack_verify(packing, error);
    if (status)
        return status;
    count_up(packing, result);
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
        status = options->open(options->path, &packing.from, error);
    if (!status)
        status = pack(&packing, result, error);
    if (status && packing.temporary)
        disk_discard(packing.temporary);
    memory_release(packing.temporary);
    layout_release(&packing.layout);
    team_release(packing.team);
    recording_close(packing.from);
    if (fd >= 0)
        close(fd);
    return status;
}
