/* SPDX-License-Identifier: MIT */
/* What stands contiguous in the new file. */
#include "recording/pack_parts.h"

#include "base/crc32c.h"
#include "base/memory.h"
#include "recording/disk.h"
#include "recording/recorder_parts.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 1 << 20 };

static enum status write_item(const struct packing *packing, int fd,
                              const struct layout_item *item, uint64_t at,
                              const void *data, size_t bytes,
                              struct error *error)
{
    if (!disk_write(fd, data, bytes, item->offset + at))
        return error_system(error, STATUS_DISK, "%s: %s cannot be written",
                            packing->options->out, item->variable.name);
    return STATUS_OK;
}

/* The checksums of a field's rows, or NULL. */
static const struct layout_item *checksums(const struct layout *layout,
                                           const struct layout_item *item)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "crc/%.58s", item->variable.name);
    return layout_find(layout, name);
}

static enum status copy_field(const struct packing *packing, int fd,
                              const struct layout_item *item,
                              struct error *error)
{
    int64_t rows = pack_rows(item);
    size_t bytes = (size_t)item->bytes / (size_t)rows;
    const struct layout_item *sums = checksums(&packing->layout, item);
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

/* As much as the two have in common: of tables the rows that are used. */
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
        status = read_bytes(packing->from, was, done, now, piece, error);
        if (!status)
            status = write_item(packing, fd, item, done, piece, now, error);
    }
    memory_release(piece);
    return status;
}

/* A table that is not used keeps one row of -1. */
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
        return fill_unused(fd, item, 0)
                   ? STATUS_OK
                   : error_system(error, STATUS_DISK,
                                  "%s: %s cannot be written",
                                  packing->options->out, name);
    if (layout_is_field(item))
        return copy_field(packing, fd, item, error);
    return copy_bytes(packing, fd, item, was, error);
}

/* Fields have their own checksums and places; a dimension has nothing. */
static bool comes_otherwise(const struct layout *layout,
                            const struct layout_item *item)
{
    if (item->bytes == 0 || item->chunk[0] || item->entry == &schema_chunk)
        return true;
    if (item->entry != &schema_crc)
        return false;
    const struct layout_item *of = layout_find(layout, item->variable.name + 4);
    return layout_is_field(of) && !of->keyframed;
}

/* What a run that did not end had committed is all that there is of it. */
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
        { "status/arrivals", from->table_rows[0] },
        { "status/emissions", from->table_rows[1] },
        { "status/captures", from->table_rows[2] },
        { "status/plans", from->table_rows[3] },
    };
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof marks / sizeof *marks && !status; i++)
        status = write_item(packing, fd,
                            layout_find(&packing->layout, marks[i].name), 0,
                            &marks[i].value, sizeof marks[i].value, error);
    return status;
}

enum status pack_copy(const struct packing *packing, struct error *error)
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
