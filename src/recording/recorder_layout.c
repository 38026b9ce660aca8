/* SPDX-License-Identifier: MIT */
#include "recording/recorder_parts.h"

#include "base/memory.h"
#include "recording/disk.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILL_BYTES = 1 << 13 };

/* Every byte 0xff is -1 in every integer type; reals want their own. */
bool fill_unused(int fd, const struct layout_item *item, uint64_t from)
{
    double reals[FILL_BYTES / sizeof(double)];
    memset(reals, 0xff, sizeof reals);
    for (size_t i = 0; item->variable.type == TYPE_FLOAT64 &&
                       i < sizeof reals / sizeof *reals;
         i++)
        reals[i] = -1;
    for (uint64_t done = from; done < item->bytes; done += FILL_BYTES) {
        uint64_t left = item->bytes - done;
        size_t now = left < FILL_BYTES ? (size_t)left : FILL_BYTES;
        if (!disk_write(fd, reals, now, item->offset + done))
            return false;
    }
    return true;
}

/* What is unused in tables, and not arrived in first-arrival fields. */
bool starts_unused(const struct layout_item *item)
{
    return item->entry->role == ROLE_TABLE || item->entry->needs & PART_ARRIVAL;
}

static bool fill_items(int fd, const struct layout *layout)
{
    for (size_t i = 0; i < layout->count; i++) {
        const struct layout_item *item = &layout->items[i];
        if (starts_unused(item) && !fill_unused(fd, item, 0))
            return false;
    }
    return true;
}

/* HDF5 gives contiguous data its room once and for all, and never touches the
 * file again after this. */
static enum status open_laid_out(struct laid_out *laid_out, const char *path,
                                 struct error *error)
{
    struct stat about;
    int fd = open(laid_out->temporary, O_RDWR | O_CLOEXEC);
    laid_out->fd = fd;
    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0 || fstat(fd, &about) < 0)
        return error_system(error, STATUS_FAILED, "%s: cannot be locked", path);
    if (!disk_reserve(fd, (uint64_t)about.st_size))
        return error_system(error, STATUS_FAILED,
                            "%s: %lld bytes cannot be reserved for the "
                            "recording: free some, or record less "
                            "(record.every, record.region, record.fields)",
                            path, (long long)about.st_size);
    if (!fill_items(fd, &laid_out->layout))
        return error_system(error, STATUS_FAILED,
                            "%s: the tables cannot be written", path);
    return STATUS_OK;
}

enum status lay_out(const char *path, const struct shape *shape,
                    const struct layout_header *header,
                    struct laid_out *laid_out, struct error *error)
{
    struct error why = { .message = "" }; /* without the file's name */
    *laid_out = (struct laid_out){ .fd = -1 };
    enum status status = layout_expand(shape, &laid_out->layout, error);
    if (!status)
        status = disk_temporary(path, &laid_out->temporary, error);
    if (!status)
        status =
            layout_create(laid_out->temporary, header, &laid_out->layout, &why);
    if (status && why.message[0])
        error_at(error, status, path, 0, "%s", why.message);
    if (!status)
        status = open_laid_out(laid_out, path, error);
    if (status)
        lay_out_undo(laid_out);
    return status;
}

void lay_out_undo(struct laid_out *laid_out)
{
    if (laid_out->fd >= 0)
        close(laid_out->fd);
    if (laid_out->temporary)
        unlink(laid_out->temporary);
    memory_release(laid_out->temporary);
    layout_release(&laid_out->layout);
    *laid_out = (struct laid_out){ .fd = -1 };
}

enum status recording_plan_bytes(const struct recording_plan *plan,
                                 uint64_t *bytes, struct error *error)
{
    struct shape shape;
    struct layout layout;
    struct layout_header header = { plan->title, plan->cell_metres,
                                    plan->step_seconds };
    enum status status = plan_shape(plan, &shape, error);
    if (!status)
        status = layout_expand(&shape, &layout, error);
    if (status)
        return status;
    status = layout_bytes(&header, &layout, bytes, error);
    layout_release(&layout);
    return status;
}

enum status copy_shared(int from, const struct layout *old, int to,
                        const struct layout *new, const char *path,
                        struct error *error)
{
    for (size_t i = 0; i < new->count; i++) {
        const struct layout_item *item = &new->items[i];
        const struct layout_item *was = layout_find(old, item->variable.name);
        /* Coordinates and texts are the new plan's own. */
        if (!was || item->entry->role == ROLE_DIMENSION)
            continue;
        uint64_t bytes = item->bytes < was->bytes ? item->bytes : was->bytes;
        if (!disk_copy(from, was->offset, to, item->offset, bytes))
            return error_system(error, STATUS_DISK, "%s: %s cannot be copied",
                                path, item->variable.name);
    }
    return STATUS_OK;
}
