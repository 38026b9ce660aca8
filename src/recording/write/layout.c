/* SPDX-License-Identifier: MIT */
/* From a plan to a file: its shape, creating it under a temporary name with
 * reserved space, writing the values of the plan that do not change with
 * frames, and copying from an older file. */
#include "recording/write/file.h"

#include "base/disk.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the shape for a plan ---- */

static bool covers(const struct box *region, const struct grid *grid)
{
    struct box whole = grid_box(grid);
    return memcmp(region, &whole, sizeof whole) == 0;
}

static int64_t longest(const char *const *texts, size_t count)
{
    size_t length = 1;
    for (size_t i = 0; i < count; i++)
        if (strlen(texts[i]) > length)
            length = strlen(texts[i]);
    return (int64_t)length;
}

static unsigned parts_of(const struct recording_plan *plan)
{
    const struct {
        bool here;
        enum part part;
    } parts[] = {
        { plan->grid.dims == 3, PART_DEPTH },
        { plan->amplitude, PART_AMPLITUDE },
        { plan->gradient, PART_GRADIENT },
        { plan->arrival, PART_ARRIVAL },
        { plan->speed, PART_SPEED },
        { plan->cost, PART_COST },
        { plan->one_way, PART_ONE_WAY },
        { !covers(&plan->region, &plan->grid), PART_WORLD },
        { plan->agents > 0, PART_AGENTS },
        { plan->target, PART_TARGET },
        { plan->relay, PART_RELAY },
        { plan->arrivals > 0, PART_ARRIVALS },
        { plan->arrivals > 0, PART_QUANTITY },
        { plan->emissions > 0, PART_EMISSIONS },
        { plan->captures > 0, PART_CAPTURES },
        { plan->plans > 0, PART_PLANS },
        { plan->restart_bytes > 0, PART_RESTART },
        { plan->keyframes > 0, PART_KEYFRAMES },
        { plan->step_seconds > 0, PART_SECONDS },
        { plan->cell_metres > 0, PART_METRES },
        { true, PART_TIME },
        { true, PART_OWN_NAMES },
    };
    unsigned or_ed = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].here)
            or_ed |= parts[i].part;
    return or_ed;
}

static void set_lengths(const struct recording_plan *plan, struct shape *shape)
{
    int64_t *length = shape->length;
    for (int axis = 0; axis < GRID_AXES; axis++)
        length[AXIS_X - axis] =
            plan->region.high[axis] - plan->region.low[axis] + 1;
    shape->world[0] = plan->grid.nx;
    shape->world[1] = plan->grid.ny;
    shape->world[2] = plan->grid.nz;
    length[AXIS_TIME] = recording_plan_rows(plan, plan->steps);
    if (plan->keyframes)
        length[AXIS_KEYFRAME] =
            layout_keyframe_count(length[AXIS_TIME], plan->keyframes);
    length[AXIS_VERSION] = (int64_t)plan->versions;
    length[AXIS_AGENT] = (int64_t)plan->agents;
    length[AXIS_NAME] = longest(plan->agent_names, plan->agents);
    length[AXIS_METHOD] = longest(plan->agent_methods, plan->agents);
    length[AXIS_ARRIVAL] = (int64_t)plan->arrivals;
    length[AXIS_EMISSION] = (int64_t)plan->emissions;
    length[AXIS_CAPTURE] = (int64_t)plan->captures;
    length[AXIS_PLAN] = (int64_t)plan->plans;
    length[AXIS_PATH_CELL] = plan->plan_cells ? (int64_t)plan->plan_cells : 1;
    length[AXIS_BYTE] =
        (int64_t)(plan->restart_bytes + sizeof(struct slot_header));
}

static enum status set_texts(const struct recording_plan *plan,
                             struct shape *shape, struct error *error)
{
    int64_t total = 0;
    if (plan->text_count > RECORDING_MAX_TEXTS)
        return error_set(error, STATUS_FAILED,
                         "%zu texts of provenance: at most %d are kept",
                         plan->text_count, RECORDING_MAX_TEXTS);
    for (size_t i = 0; i < plan->text_count; i++) {
        const struct recording_text *text = &plan->texts[i];
        size_t length = strlen(text->text);
        total += (int64_t)length;
        if (strlen(text->name) >= RECORDING_TEXT_NAME_SIZE ||
            total > RECORDING_MAX_TEXT)
            return error_set(error, STATUS_INPUT,
                             "%s: too long to be kept: all texts of "
                             "provenance hold at most %d bytes",
                             text->name, RECORDING_MAX_TEXT);
        strncpy(shape->texts[i].name, text->name, RECORDING_TEXT_NAME_SIZE - 1);
        shape->texts[i].length = length ? (int64_t)length : 1;
    }
    shape->text_count = plan->text_count;
    return STATUS_OK;
}

enum status recording_plan_shape(const struct recording_plan *plan,
                                 struct shape *shape, struct error *error)
{
    *shape = (struct shape){
        .parts = parts_of(plan),
        .real = plan->real,
        .waves = plan->waves,
    };
    set_lengths(plan, shape);
    return set_texts(plan, shape, error);
}

struct layout_header recording_plan_header(const struct recording_plan *plan)
{
    struct layout_header header = { .title = plan->title,
                                    .cell_metres = plan->cell_metres,
                                    .step_seconds = plan->step_seconds };
    layout_set_history(&header, recording_plan_text(plan, "date"),
                       recording_plan_text(plan, "command"));
    return header;
}

enum status recording_plan_bytes(const struct recording_plan *plan,
                                 uint64_t *bytes, struct error *error)
{
    struct shape shape;
    struct layout layout;
    struct layout_header header = recording_plan_header(plan);
    enum status status = recording_plan_shape(plan, &shape, error);
    if (!status)
        status = layout_expand(&shape, &layout, error);
    if (status)
        return status;
    status = layout_bytes(&header, &layout, bytes, error);
    layout_release(&layout);
    return status;
}

/* ---- the file ---- */

static bool fill_items(int fd, const struct layout *layout)
{
    for (size_t i = 0; i < layout->count; i++) {
        const struct layout_item *item = &layout->items[i];
        if (layout_starts_unused(item) && !layout_fill_unused(fd, item, 0))
            return false;
    }
    return true;
}

/* HDF5 allocates the space of contiguous data once, and does not write to the
 * file after this. */
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

enum status laid_out_make(const char *path, const struct shape *shape,
                          const struct layout_header *header,
                          struct laid_out *laid_out, struct error *error)
{
    *laid_out = (struct laid_out){ .fd = -1 };
    enum status status = layout_expand(shape, &laid_out->layout, error);
    if (!status)
        status = disk_temporary(path, &laid_out->temporary, error);
    if (!status)
        status = layout_create(laid_out->temporary, path, header,
                               &laid_out->layout, error);
    if (!status)
        status = open_laid_out(laid_out, path, error);
    if (status)
        laid_out_undo(laid_out);
    return status;
}

void laid_out_undo(struct laid_out *laid_out)
{
    if (laid_out->fd >= 0)
        close(laid_out->fd);
    if (laid_out->temporary)
        disk_discard(laid_out->temporary);
    memory_release(laid_out->temporary);
    layout_release(&laid_out->layout);
    *laid_out = (struct laid_out){ .fd = -1 };
}

enum status laid_out_copy(int from, const struct layout *old,
                          const struct laid_out *to, const char *path,
                          struct error *error)
{
    for (size_t i = 0; i < to->layout.count; i++) {
        const struct layout_item *item = &to->layout.items[i];
        const struct layout_item *was = layout_find(old, item->variable.name);
        /* Coordinates and texts are those of the new plan. */
        if (!was || item->entry->role == ROLE_DIMENSION)
            continue;
        uint64_t bytes = item->bytes < was->bytes ? item->bytes : was->bytes;
        if (!disk_copy(from, was->offset, to->fd, item->offset, bytes))
            return error_system(error, STATUS_DISK, "%s: %s cannot be copied",
                                path, item->variable.name);
    }
    return STATUS_OK;
}

enum status laid_out_publish(struct laid_out *laid_out, const char *path,
                             bool force, struct error *error)
{
    if (fsync(laid_out->fd) < 0)
        return error_system(error, STATUS_DISK, "%s: cannot be synced", path);
    return disk_rename(laid_out->temporary, path, force, error);
}

/* ---- coordinates and texts ---- */

const char *recording_plan_text(const struct recording_plan *plan,
                                const char *name)
{
    for (size_t i = 0; i < plan->text_count; i++)
        if (strcmp(plan->texts[i].name, name) == 0)
            return plan->texts[i].text;
    return "";
}

/* Steps and cells; the scales of axes in the units of the scenario's scale, if
 * it has one. */
static void scale_values(const struct layout *layout,
                         const struct layout_item *item,
                         const struct recording_plan *plan, double *values)
{
    bool world = strncmp(item->variable.name, "world/", 6) == 0;
    enum axis axis = item->entry->axes[0];
    double unit = 1;
    if (item->entry->scaled == SCALED_TIME && layout_find(layout, "step"))
        unit = plan->step_seconds;
    if (item->entry->scaled == SCALED_CELLS && layout_find(layout, "cell_x"))
        unit = plan->cell_metres;
    for (int64_t i = 0; i < item->variable.extent[0]; i++)
        if (axis == AXIS_VERSION)
            values[i] = (double)plan->version_steps[i];
        else if (axis == AXIS_KEYFRAME)
            values[i] = (double)(i / 2 * plan->keyframes + i % 2);
        else if (axis == AXIS_TIME)
            values[i] =
                fmin((double)i * (double)plan->every, (double)plan->steps) *
                unit;
        else
            values[i] =
                ((double)i + (world ? 0 : plan->region.low[AXIS_X - axis])) *
                unit;
}

static void count_up(const struct layout_item *item, int32_t *values)
{
    for (int64_t i = 0; i < item->variable.extent[0]; i++)
        values[i] = (int32_t)i;
}

/* Texts of equal length, padded with NUL. */
static void pad_texts(const struct layout_item *item, const char *const *texts,
                      char *values)
{
    size_t room = (size_t)item->variable.extent[1];
    for (int64_t i = 0; i < item->variable.extent[0]; i++)
        memcpy(values + (size_t)i * room, texts[i], strlen(texts[i]));
}

/* Fills `values` (zeroed); false if the plan has none for the item. */
static bool plan_values(const struct layout *layout,
                        const struct layout_item *item,
                        const struct recording_plan *plan, void *values)
{
    const char *name = item->variable.name;
    if (item->entry == &schema_text) {
        const char *text = recording_plan_text(plan, strchr(name, '/') + 1);
        memcpy(values, text, strlen(text));
    } else if (strcmp(name, "agents/name") == 0) {
        pad_texts(item, plan->agent_names, values);
    } else if (strcmp(name, "agents/method") == 0) {
        pad_texts(item, plan->agent_methods, values);
    } else if (item->entry->role == ROLE_SCALE &&
               item->variable.type == TYPE_INT32) {
        count_up(item, values);
    } else if (item->entry->role == ROLE_SCALE ||
               strcmp(name, "version_step") == 0 ||
               item->entry->needs & (PART_SECONDS | PART_METRES)) {
        scale_values(layout, item, plan, values);
    } else {
        return false;
    }
    return true;
}

static bool has_values(const struct layout_item *item)
{
    return item->bytes > 0 &&
           (item->entry->role == ROLE_SCALE || item->entry->role == ROLE_PLAIN);
}

enum status laid_out_write_plan(const struct laid_out *laid_out,
                                const char *path,
                                const struct recording_plan *plan,
                                struct error *error)
{
    for (size_t i = 0; i < laid_out->layout.count; i++) {
        const struct layout_item *item = &laid_out->layout.items[i];
        if (!has_values(item) || item->entry->needs & PART_ARRIVAL ||
            item->entry->needs & PART_RESTART || item->entry == &schema_crc)
            continue;
        void *values = memory_new((size_t)item->bytes, 1);
        if (!values)
            return error_memory(error);
        bool good =
            !plan_values(&laid_out->layout, item, plan, values) ||
            disk_write(laid_out->fd, values, (size_t)item->bytes, item->offset);
        int code = errno;
        memory_release(values);
        errno = code;
        if (!good)
            return error_system(error, STATUS_DISK, "%s: %s cannot be written",
                                path, item->variable.name);
    }
    return STATUS_OK;
}
