/* SPDX-License-Identifier: MIT */
/* Variables as other programs read them: only what the run has committed, and
 * along time every frame, stored or computed. */
#include "library/handle.h"

#include "base/memory.h"
#include "view/plans.h"

#include <stdio.h>
#include <string.h>

_Static_assert((int)HAMON_INT8 == TYPE_INT8 && (int)HAMON_INT32 == TYPE_INT32 &&
                   (int)HAMON_INT64 == TYPE_INT64 &&
                   (int)HAMON_UINT32 == TYPE_UINT32 &&
                   (int)HAMON_FLOAT32 == TYPE_FLOAT32 &&
                   (int)HAMON_FLOAT64 == TYPE_FLOAT64 &&
                   (int)HAMON_CHAR == TYPE_CHAR,
               "types have the same numbers");

/* Groups that matter only inside the file, or that hamon_describe and
 * hamon_text return. */
static bool is_hidden(const struct variable *variable)
{
    static const char *const groups[] = { "crc/", "chunk/", "restart/",
                                          "status/", "provenance/" };
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (strncmp(variable->name, groups[i], strlen(groups[i])) == 0)
            return true;
    return strcmp(variable->name, "keyframe") == 0;
}

/* Every struct variable that the reader returns is the first member of its
 * item. */
static const struct layout_item *item_of(const struct variable *variable)
{
    return (const struct layout_item *)variable;
}

/* The part of a variable's first axis that can be read. */
static enum status first_extent(const struct recording *recording,
                                const struct variable *variable,
                                int64_t *extent, struct error *error)
{
    const struct layout_item *item = item_of(variable);
    int64_t frames = recording_rows(recording);
    enum axis axis = item->entry->axes[0];
    *extent = variable->rank ? variable->extent[0] : 1;
    if (axis == AXIS_TIME)
        *extent = frames;
    else if (axis == AXIS_VERSION)
        *extent = !frames ? 0
                          : (int64_t)recording_version_at(
                                recording, recording->steps[frames - 1]) +
                                1;
    for (int t = 0; t < TABLES; t++)
        if (axis == schema_tables[t].axis)
            *extent = recording->table_rows[t];
    if (axis != AXIS_PATH_CELL)
        return STATUS_OK;
    struct plans plans;
    enum status status = plans_read(recording, &plans, error);
    *extent = !status && plans.count ? (int64_t)plans.first[plans.count] : 0;
    plans_release(&plans);
    return status;
}

static enum status describe(const struct recording *recording,
                            const struct variable *variable,
                            struct hamon_variable *made, struct error *error)
{
    const struct layout_item *item = item_of(variable);
    const struct schema_entry *entry = item->entry;
    *made = (struct hamon_variable){
        .type = (int32_t)variable->type,
        .rank = variable->rank,
        .by_frame = variable->by_row,
    };
    snprintf(made->name, sizeof made->name, "%s", variable->name);
    for (int axis = 0; axis < variable->rank; axis++) {
        made->extent[axis] = variable->extent[axis];
        snprintf(made->axis[axis], sizeof made->axis[axis], "%s",
                 variable->axis[axis]);
    }
    if (variable->by_row)
        snprintf(made->axis[0], sizeof made->axis[0], "time");
    /* The unit in the file is m after scale_factor; here the values are
     * cells. */
    snprintf(made->units, sizeof made->units, "%s",
             layout_units(&recording->layout, item));
    layout_long_name(&recording->layout, item, made->long_name,
                     sizeof made->long_name);
    if (entry->flags)
        snprintf(made->flags, sizeof made->flags, "%s", entry->flags);
    return first_extent(recording, variable, &made->extent[0], error);
}

static enum status give(struct call *call, const char *function,
                        const struct hamon_recording *recording,
                        const struct variable *variable,
                        struct hamon_variable *out)
{
    struct hamon_variable made;
    enum status status =
        describe(recording->recording, variable, &made, &call->made);
    return status ? status : call_give(call, function, &made, sizeof made, out);
}

int hamon_variable(const struct hamon_recording *recording, size_t i,
                   struct hamon_variable *variable, struct hamon_error *error)
{
    struct call call;
    const struct variable *found;
    call_begin(&call, error);
    if (!recording || !variable)
        return call_end(&call, call_null(&call, "hamon_variable"));
    size_t left = i;
    for (size_t k = 0; (found = recording_variable(recording->recording, k));
         k++)
        if (!is_hidden(found) && left-- == 0)
            return call_end(&call, give(&call, "hamon_variable", recording,
                                        found, variable));
    return call_end(&call, error_at(&call.made, STATUS_INPUT,
                                    recording_path(recording->recording), 0,
                                    "variable %zu: there are %zu, from 0 on", i,
                                    i - left));
}

static enum status find(struct call *call,
                        const struct hamon_recording *recording,
                        const char *name, const struct variable **variable)
{
    *variable = recording_find(recording->recording, name);
    if (*variable && !is_hidden(*variable))
        return STATUS_OK;
    return error_at(
        &call->made, STATUS_INPUT, recording_path(recording->recording), 0,
        "%s: no such variable; hamon_variable lists the variables", name);
}

int hamon_find(const struct hamon_recording *recording, const char *name,
               struct hamon_variable *variable, struct hamon_error *error)
{
    struct call call;
    const struct variable *found;
    call_begin(&call, error);
    if (!recording || !name || !variable)
        return call_end(&call, call_null(&call, "hamon_find"));
    enum status status = find(&call, recording, name, &found);
    if (!status)
        status = give(&call, "hamon_find", recording, found, variable);
    return call_end(&call, status);
}

/* ---- values ---- */

/* Converts `count` values from the variable's type to `type`. */
static void convert(enum element_type from, const char *values, size_t count,
                    int type, void *out)
{
    size_t size = element_bytes(from);
    for (size_t i = 0; i < count; i++) {
        double value = element_real(from, values + i * size);
        if (type == HAMON_FLOAT32)
            ((float *)out)[i] = (float)value;
        else
            ((double *)out)[i] = value;
    }
}

static enum status check_type(struct call *call,
                              const struct hamon_recording *recording,
                              const struct variable *variable, int type)
{
    bool number = type == HAMON_FLOAT32 || type == HAMON_FLOAT64;
    if (type == (int)variable->type || (number && variable->type != TYPE_CHAR))
        return STATUS_OK;
    return error_at(
        &call->made, STATUS_INPUT, recording_path(recording->recording), 0,
        "%s: cannot be read as type %d: use type %d, its own%s", variable->name,
        type, (int)variable->type,
        variable->type == TYPE_CHAR ? ""
                                    : ", or HAMON_FLOAT64 or HAMON_FLOAT32");
}

/* The bytes to read, and how many elements of them the caller gets. */
struct reading {
    const struct variable *variable;
    int64_t first, frames;
    size_t each; /* elements of a frame, or of the whole variable */
};

static enum status check_frames(struct call *call,
                                const struct hamon_recording *recording,
                                struct reading *reading)
{
    const struct variable *variable = reading->variable;
    int64_t extent = 1;
    enum status status = STATUS_OK;
    if (variable->by_row) {
        reading->each = variable_elements(variable);
        if (reading->frames < 1)
            return error_at(&call->made, STATUS_INPUT,
                            recording_path(recording->recording), 0,
                            "%s: %lld frames: at least 1 is required",
                            variable->name, (long long)reading->frames);
        status = call_frame(call, recording, reading->first);
        if (!status && reading->frames > recording_rows(recording->recording) -
                                             reading->first)
            status = call_frame(call, recording,
                                recording_rows(recording->recording));
        return status;
    }
    if (reading->first != 0 || reading->frames != 1)
        return error_at(
            &call->made, STATUS_INPUT, recording_path(recording->recording), 0,
            "%s: has no frames: first must be 0 and frames 1", variable->name);
    status = first_extent(recording->recording, variable, &extent, &call->made);
    reading->each = (size_t)extent;
    for (int axis = 1; axis < variable->rank; axis++)
        reading->each *= (size_t)variable->extent[axis];
    return status;
}

static enum status read_values(struct call *call,
                               const struct hamon_recording *recording,
                               const struct reading *reading, int type,
                               char *out)
{
    const struct variable *variable = reading->variable;
    bool same = type == (int)variable->type;
    size_t stored = variable_elements(variable);
    size_t element = element_bytes(variable->type);
    size_t step = reading->each * element_bytes((enum element_type)type);
    /* A stored row may be longer than the part that the caller gets. */
    bool direct = same && stored == reading->each;
    char *values = direct ? NULL : memory_new(stored, element);
    enum status status =
        direct || values ? STATUS_OK : error_memory(&call->made);
    for (int64_t i = 0; i < reading->frames && !status; i++, out += step) {
        status =
            recording_read(recording->recording, variable, reading->first + i,
                           direct ? out : values, &call->made);
        if (status || direct)
            continue;
        if (same)
            memcpy(out, values, step);
        else
            convert(variable->type, values, reading->each, type, out);
    }
    memory_release(values);
    return status;
}

int hamon_read(const struct hamon_recording *recording, const char *name,
               int64_t first, int64_t frames, int type, void *out, size_t count,
               struct hamon_error *error)
{
    struct call call;
    struct reading reading = { .first = first, .frames = frames };
    size_t wanted = 0;
    call_begin(&call, error);
    if (!recording || !name || !out)
        return call_end(&call, call_null(&call, "hamon_read"));
    enum status status = find(&call, recording, name, &reading.variable);
    if (!status)
        status = check_type(&call, recording, reading.variable, type);
    if (!status)
        status = check_frames(&call, recording, &reading);
    if (!status && !size_multiply(reading.each, (size_t)frames, &wanted))
        wanted = SIZE_MAX;
    if (!status)
        status = call_room(&call, recording, name, wanted, count);
    if (!status && wanted > 0)
        status = read_values(&call, recording, &reading, type, out);
    return call_end(&call, status);
}

int hamon_read_series(const struct hamon_recording *recording, const char *name,
                      size_t element, double *out, size_t count,
                      struct hamon_error *error)
{
    struct call call;
    const struct variable *variable;
    call_begin(&call, error);
    if (!recording || !name || !out)
        return call_end(&call, call_null(&call, "hamon_read_series"));
    enum status status = find(&call, recording, name, &variable);
    if (!status && (!variable->by_row || variable->type == TYPE_CHAR))
        status = error_at(&call.made, STATUS_INPUT,
                          recording_path(recording->recording), 0,
                          "%s: has no frames: use hamon_read", name);
    if (!status)
        status = call_room(&call, recording, name,
                           (size_t)recording_rows(recording->recording), count);
    if (!status)
        status = recording_read_series(recording->recording, variable, element,
                                       out, &call.made);
    return call_end(&call, status);
}
