/* SPDX-License-Identifier: MIT */
/* Values that the plan brings and no row changes: coordinates and texts. */
#include "recording/recorder_parts.h"

#include "base/memory.h"
#include "recording/disk.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static void scale_values(const struct layout_item *item,
                         const struct recording_plan *plan, double *values)
{
    bool world = strncmp(item->variable.name, "world/", 6) == 0;
    enum axis axis = item->entry->axes[0];
    bool version_step = item->entry->role == ROLE_PLAIN;
    for (int64_t i = 0; i < item->variable.extent[0]; i++)
        if (version_step)
            values[i] = (double)plan->version_steps[i];
        else if (axis == AXIS_KEYFRAME)
            values[i] = (double)(i / 2 * plan->keyframes + i % 2);
        else if (axis == AXIS_TIME)
            values[i] =
                fmin((double)i * (double)plan->every, (double)plan->steps);
        else
            values[i] =
                (double)i + (world ? 0 : plan->region.low[AXIS_X - axis]);
}

static void count_up(const struct layout_item *item, int32_t *values)
{
    for (int64_t i = 0; i < item->variable.extent[0]; i++)
        values[i] = (int32_t)i;
}

/* Texts of equal room, NUL behind those that are shorter. */
static void pad_texts(const struct layout_item *item, const char *const *texts,
                      char *values)
{
    size_t room = (size_t)item->variable.extent[1];
    for (int64_t i = 0; i < item->variable.extent[0]; i++)
        memcpy(values + (size_t)i * room, texts[i], strlen(texts[i]));
}

static const char *find_text(const struct recording_plan *plan,
                             const struct layout_item *item)
{
    const char *name = strchr(item->variable.name, '/') + 1;
    for (size_t i = 0; i < plan->text_count; i++)
        if (strcmp(plan->texts[i].name, name) == 0)
            return plan->texts[i].text;
    return "";
}

/* Fills `values` (zeroed); false where the plan has none for the item. */
static bool plan_values(const struct layout_item *item,
                        const struct recording_plan *plan, void *values)
{
    const char *name = item->variable.name;
    if (item->entry == &schema_text) {
        const char *text = find_text(plan, item);
        memcpy(values, text, strlen(text));
    } else if (strcmp(name, "agents/name") == 0) {
        pad_texts(item, plan->agent_names, values);
    } else if (strcmp(name, "agents/method") == 0) {
        pad_texts(item, plan->agent_methods, values);
    } else if (item->entry->role == ROLE_SCALE &&
               item->variable.type == TYPE_INT32) {
        count_up(item, values);
    } else if (item->entry->role == ROLE_SCALE ||
               strcmp(name, "version_step") == 0) {
        scale_values(item, plan, values);
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

enum status write_plan(int fd, const char *path, const struct layout *layout,
                       const struct recording_plan *plan, struct error *error)
{
    for (size_t i = 0; i < layout->count; i++) {
        const struct layout_item *item = &layout->items[i];
        if (!has_values(item) || item->entry->needs & PART_ARRIVAL ||
            item->entry->needs & PART_RESTART || item->entry == &schema_crc)
            continue;
        void *values = memory_new((size_t)item->bytes, 1);
        if (!values)
            return error_memory(error);
        bool good = !plan_values(item, plan, values) ||
                    disk_write(fd, values, (size_t)item->bytes, item->offset);
        int code = errno;
        memory_release(values);
        errno = code;
        if (!good)
            return error_system(error, STATUS_DISK, "%s: %s cannot be written",
                                path, item->variable.name);
    }
    return STATUS_OK;
}
