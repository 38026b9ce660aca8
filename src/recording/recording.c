/* SPDX-License-Identifier: MIT */
#include "recording/recording_parts.h"

#include "base/memory.h"
#include "recording/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status open_file(struct recording *recording, const char *path,
                             struct error *error)
{
    struct stat about;
    recording->path = memory_text(path);
    if (!recording->path)
        return error_memory(error);
    recording->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (recording->fd < 0 || fstat(recording->fd, &about) < 0)
        return error_system(error, STATUS_INPUT, "%s: cannot be read", path);
    if (!S_ISREG(about.st_mode))
        return error_at(error, STATUS_INPUT, path, 0,
                        "not a readable recording: not a regular file");
    recording->bytes = (uint64_t)about.st_size;
    return STATUS_OK;
}

static enum status inspect(struct recording *recording, struct error *error)
{
    struct inspection inspection;
    enum status status =
        inspect_file(recording->fd, recording->path, &inspection, error);
    if (status)
        return status;
    memcpy(recording->title, inspection.title, sizeof recording->title);
    status = inspect_layout(&inspection, recording->path, recording->bytes,
                            &recording->shape, &recording->layout, error);
    memory_release(inspection.items);
    return status;
}

enum status recording_open(const char *path, struct recording **made,
                           struct error *error)
{
    struct recording *recording = memory_new(1, sizeof *recording);
    if (!recording)
        return error_memory(error);
    recording->fd = -1;
    enum status status = open_file(recording, path, error);
    if (!status)
        status = inspect(recording, error);
    if (!status)
        status = check_places(recording, error);
    if (!status)
        status = read_axes(recording, error);
    if (!status)
        status = read_marks(recording, error);
    if (!status)
        status = read_steps(recording, error);
    if (!status)
        status = read_texts(recording, error);
    if (!status && recording->shape.parts & PART_KEYFRAMES)
        status = replay_new(recording, &recording->replay, error);
    if (!status && recording->replay)
        status = layout_derive(&recording->layout, &recording->shape, error);
    if (status)
        recording_close(recording);
    else
        *made = recording;
    return status;
}

void recording_close(struct recording *recording)
{
    if (!recording)
        return;
    if (recording->fd >= 0)
        close(recording->fd);
    replay_release(recording->replay);
    layout_release(&recording->layout);
    for (size_t i = 0; i < RECORDING_MAX_TEXTS; i++)
        memory_release(recording->texts[i]);
    memory_release(recording->settings);
    memory_release(recording->parameters);
    memory_release(recording->version_steps);
    memory_release(recording->steps);
    memory_release(recording->path);
    memory_release(recording);
}

const char *recording_path(const struct recording *recording)
{
    return recording->path;
}

const char *recording_title(const struct recording *recording)
{
    return recording->title;
}

const struct grid *recording_grid(const struct recording *recording)
{
    return &recording->grid;
}

struct box recording_region(const struct recording *recording)
{
    return recording->region;
}

int recording_waves(const struct recording *recording)
{
    return recording->shape.waves;
}

bool recording_ran_waves(const struct recording *recording)
{
    return recording->shape.waves > 0 ||
           recording_setting(recording, "wave.count");
}

enum run_state recording_state(const struct recording *recording)
{
    return recording->state;
}

int64_t recording_rows(const struct recording *recording)
{
    return recording->rows;
}

const int64_t *recording_steps(const struct recording *recording)
{
    return recording->steps;
}

const struct variable *recording_variable(const struct recording *recording,
                                          size_t i)
{
    for (size_t item = 0; item < recording->layout.count; item++) {
        const struct layout_item *at = &recording->layout.items[item];
        if (at->bytes > 0 && i-- == 0)
            return &at->variable;
    }
    return NULL;
}

const struct variable *recording_find(const struct recording *recording,
                                      const char *name)
{
    const struct layout_item *item = layout_find(&recording->layout, name);
    return item && item->bytes > 0 ? &item->variable : NULL;
}

enum status damaged(const struct recording *recording, const char *variable,
                    const char *fault, struct error *error)
{
    return error_at(error, STATUS_INPUT, recording->path, 0,
                    "not a readable recording: %s: %s", variable, fault);
}
