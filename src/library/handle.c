/* SPDX-License-Identifier: MIT */
#include "library/handle.h"

#include "base/memory.h"
#include "base/version.h"
#include "view/replay.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

_Static_assert((int)HAMON_OK == STATUS_OK &&
                   (int)HAMON_FAILED == STATUS_FAILED &&
                   (int)HAMON_INPUT == STATUS_INPUT &&
                   (int)HAMON_DISK == STATUS_DISK,
               "a status is passed on as it is");
_Static_assert(sizeof((struct hamon_error *)0)->message == ERROR_MESSAGE_SIZE,
               "a message is passed on as it is");

void call_begin(struct call *call, struct hamon_error *error)
{
    call->error = error;
    call->number = errno;
    call->locale = uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
    fegetenv(&call->floats);
    fesetenv(FE_DFL_ENV);
}

int call_end(const struct call *call, enum status status)
{
    fesetenv(&call->floats);
    uselocale(call->locale);
    errno = call->number;
    if (status && call->error) {
        call->error->status = (int)status;
        memcpy(call->error->message, call->made.message,
               sizeof call->error->message);
    }
    return (int)status;
}

enum status call_null(struct call *call, const char *function)
{
    return error_set(&call->made, STATUS_INPUT,
                     "%s: an argument is NULL: only the error may be NULL",
                     function);
}

enum status call_room(struct call *call,
                      const struct hamon_recording *recording, const char *what,
                      size_t wanted, size_t count)
{
    if (count >= wanted)
        return STATUS_OK;
    return error_at(&call->made, STATUS_INPUT,
                    recording_path(recording->recording), 0,
                    "%s: the buffer has %zu elements, and %zu are needed", what,
                    count, wanted);
}

enum status call_frame(struct call *call,
                       const struct hamon_recording *recording, int64_t frame)
{
    int64_t frames = recording_rows(recording->recording);
    if (frame >= 0 && frame < frames)
        return STATUS_OK;
    return error_at(&call->made, STATUS_INPUT,
                    recording_path(recording->recording), 0,
                    "frame %lld: there are %lld frames, from 0 on",
                    (long long)frame, (long long)frames);
}

enum status call_give(struct call *call, const char *function, const void *made,
                      size_t size, void *out)
{
    size_t room;
    memcpy(&room, out, sizeof room);
    if (room < 2 * sizeof room)
        return error_set(&call->made, STATUS_INPUT,
                         "%s: the member size is %zu: set it to the size of "
                         "the struct before the call",
                         function, room);
    if (room > size) /* sets members of a newer header to 0 */
        memset((char *)out + size, 0, room - size);
    size_t bytes = room < size ? room : size;
    memcpy((char *)out + sizeof room, (const char *)made + sizeof room,
           bytes - sizeof room);
    return STATUS_OK;
}

/* ---- opening ---- */

const char *hamon_library_version(void)
{
    return hamon_version;
}

int hamon_open(const char *path, struct hamon_recording **recording,
               struct hamon_error *error)
{
    struct call call;
    struct hamon_recording *made = NULL;
    call_begin(&call, error);
    enum status status = STATUS_OK;
    if (recording)
        *recording = NULL;
    if (!path || !recording)
        status = call_null(&call, "hamon_open");
    else if (!(made = memory_new(1, sizeof *made)))
        status = error_memory(&call.made);
    if (!status)
        status = replay_open(path, &made->recording, &call.made);
    if (status)
        memory_release(made);
    else
        *recording = made;
    return call_end(&call, status);
}

static void forget(struct hamon_recording *recording)
{
    view_release(recording->view);
    headings_release(recording->headings);
    recording_close(recording->recording);
}

int hamon_refresh(struct hamon_recording *recording, struct hamon_error *error)
{
    struct call call;
    struct hamon_recording fresh = { 0 };
    call_begin(&call, error);
    enum status status = recording
                             ? replay_open(recording_path(recording->recording),
                                           &fresh.recording, &call.made)
                             : call_null(&call, "hamon_refresh");
    if (!status) {
        forget(recording);
        *recording = fresh;
    }
    return call_end(&call, status);
}

void hamon_close(struct hamon_recording *recording)
{
    struct call call;
    if (!recording)
        return;
    call_begin(&call, NULL);
    forget(recording);
    memory_release(recording);
    call_end(&call, STATUS_OK);
}

/* ---- describing the recording ---- */

static void describe(const struct recording *recording, struct hamon_info *info)
{
    const struct grid *grid = recording_grid(recording);
    const struct box region = recording_region(recording);
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    const struct variable *agents = recording_find(recording, "agents/x");
    int64_t frames = recording_rows(recording);
    *info = (struct hamon_info){
        .dims = grid->dims,
        .state = (int32_t)recording_state(recording),
        .frames = frames,
        .every = recording_every(recording),
        .planned = recording_planned(recording),
        .waves = recording_waves(recording),
        .agents = agents ? (int32_t)variable_elements(agents) : 0,
        .has_target = recording_find(recording, "target/x") != NULL,
        .packed = recording_text(recording, "packed") != NULL,
        .keyframes = recording->keyframes,
        .keep_bits = recording_keep_bits(recording),
        .precision = (int32_t)element_bytes(recording->shape.real),
        .cell_metres = recording_setting_real(recording, "scale.cell", 0),
        .step_seconds = recording_setting_real(recording, "scale.step", 0),
    };
    for (int axis = 0; axis < GRID_AXES; axis++) {
        info->map[axis] = extent[axis];
        info->first_cell[axis] = region.low[axis];
        info->region[axis] = region.high[axis] - region.low[axis] + 1;
    }
    if (frames > 0)
        info->map_versions =
            (int64_t)recording_version_at(
                recording, recording_steps(recording)[frames - 1]) +
            1;
}

int hamon_describe(const struct hamon_recording *recording,
                   struct hamon_info *info, struct hamon_error *error)
{
    struct call call;
    struct hamon_info made;
    call_begin(&call, error);
    if (!recording || !info)
        return call_end(&call, call_null(&call, "hamon_describe"));
    describe(recording->recording, &made);
    return call_end(
        &call, call_give(&call, "hamon_describe", &made, sizeof made, info));
}

const int64_t *hamon_steps(const struct hamon_recording *recording)
{
    return recording ? recording_steps(recording->recording) : NULL;
}

int hamon_frame_at(const struct hamon_recording *recording, int64_t step,
                   int64_t *frame, struct hamon_error *error)
{
    struct call call;
    call_begin(&call, error);
    return call_end(&call, recording && frame
                               ? recording_row_of(recording->recording, step,
                                                  frame, &call.made)
                               : call_null(&call, "hamon_frame_at"));
}

const char *hamon_text(const struct hamon_recording *recording,
                       const char *name)
{
    if (!recording || !name)
        return NULL;
    return strcmp(name, "title") == 0
               ? recording_title(recording->recording)
               : recording_text(recording->recording, name);
}

const char *hamon_setting(const struct hamon_recording *recording,
                          const char *key)
{
    return recording && key ? recording_setting(recording->recording, key)
                            : NULL;
}

int hamon_agent_text(const struct hamon_recording *recording, const char *what,
                     int64_t agent, char *text, size_t size,
                     struct hamon_error *error)
{
    struct call call;
    char name[VARIABLE_NAME_SIZE];
    call_begin(&call, error);
    enum status status = STATUS_OK;
    if (!recording || !what || !text)
        status = call_null(&call, "hamon_agent_text");
    if (!status)
        status = call_room(&call, recording, "the text of an agent", 1, size);
    if (!status && agent < 0)
        status = error_at(
            &call.made, STATUS_INPUT, recording_path(recording->recording), 0,
            "agent %lld: agents are counted from 0 on", (long long)agent);
    if (!status) {
        snprintf(name, sizeof name, "agents/%.40s", what);
        status = recording_agent_text(recording->recording, name, (size_t)agent,
                                      text, size, &call.made);
    }
    return call_end(&call, status);
}
