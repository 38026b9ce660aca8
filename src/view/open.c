/* SPDX-License-Identifier: MIT */
/* Opening a view: is there such a field, wave and plane, and from which
 * recording are its values? */
#include "view/view.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

static const char axis_letters[] = "xyz";

/* Appends `text` to the list in `list`. */
static void list_add(char *list, size_t size, const char *text)
{
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used ? ", " : "", text);
}

static enum status no_field(const struct recording *recording,
                            const char *wanted, int wave, struct error *error)
{
    char all[256] = "", there[256] = "";
    for (const struct field *const *field = fields; *field; field++) {
        list_add(all, sizeof all, (*field)->name);
        if ((*field)->there(recording, wave))
            list_add(there, sizeof there, (*field)->name);
    }
    if (!field_find(wanted))
        return error_set(error, STATUS_INPUT, "field '%s': fields are %s",
                         wanted, all);
    if (strcmp(wanted, "height") == 0)
        return error_set(error, STATUS_INPUT,
                         "%s: is 2D: -f height requires a 3D recording; -f "
                         "width shows how wide the map is",
                         recording_path(recording));
    const char *takes = field_find(wanted)->takes;
    return error_set(error, STATUS_INPUT, "%s: %s %s%s; there are %s",
                     recording_path(recording), wanted,
                     takes ? "takes " : "was not recorded", takes ? takes : "",
                     there);
}

int view_waves(const struct recording *recording)
{
    return recording_has_whole(recording)
               ? (int)recording_setting_real(recording, "wave.count", 0)
               : recording_waves(recording);
}

static enum status check_wave(const struct recording *recording, int64_t wave,
                              struct error *error)
{
    int waves = view_waves(recording);
    if (wave >= 0 && wave < waves)
        return STATUS_OK;
    const char *path = recording_path(recording);
    if (waves == 0 && recording_ran_waves(recording))
        return error_set(error, STATUS_INPUT,
                         "%s: its waves were not recorded (record.fields); -f "
                         "walls draws the map, agents and trails",
                         path);
    if (waves == 0)
        return error_set(error, STATUS_INPUT,
                         "%s: it has no waves; -f walls draws the map", path);
    if (waves == 1)
        return error_set(error, STATUS_INPUT,
                         "%s: no wave %lld; there is only wave 0", path,
                         (long long)wave);
    return error_set(error, STATUS_INPUT,
                     "%s: no wave %lld; there are waves 0 to %d", path,
                     (long long)wave, waves - 1);
}

static enum status make_cut(struct view *view, const struct view_place *place,
                            struct error *error)
{
    const struct grid *grid = recording_grid(view->recording);
    const struct box *box = &view->region;
    struct grid region = { grid->dims, box->high[0] - box->low[0] + 1,
                           box->high[1] - box->low[1] + 1,
                           box->high[2] - box->low[2] + 1 };
    const char *path = recording_path(view->recording);
    bool plane = place->axis >= 0 && place->axis < GRID_AXES;
    if (grid->dims == 2 && plane)
        return error_set(
            error, STATUS_INPUT,
            "%s: is 2D: --at %c= requires a 3D recording; leave it out", path,
            axis_letters[place->axis]);
    int axis = plane ? place->axis : 2;
    int64_t at = plane ? place->at : (box->low[2] + box->high[2]) / 2;
    if (at < box->low[axis] || at > box->high[axis])
        return error_set(error, STATUS_INPUT,
                         "%s: no plane %c=%lld; %c runs from %d to %d", path,
                         axis_letters[axis], (long long)at, axis_letters[axis],
                         box->low[axis], box->high[axis]);
    cut_make(&region, axis, (int)at - box->low[axis], &view->cut);
    return STATUS_OK;
}

static enum status check_most(const struct recording *recording,
                              const struct field *field,
                              const struct view_place *place,
                              struct error *error)
{
    bool whole = place->axis == VIEW_WHOLE;
    if (whole && recording_grid(recording)->dims == 2)
        return error_set(
            error, STATUS_INPUT,
            "%s: is 2D: --view requires a 3D recording; leave it out",
            recording_path(recording));
    if (whole && field->angle)
        return error_set(
            error, STATUS_INPUT,
            "%s: is an angle in a plane and has no surface; use --at z=N",
            field->name);
    if (whole && field->kinds)
        return error_set(error, STATUS_INPUT,
                         "%s: has categories, not numbers, and so no surface; "
                         "use --at z=N for one plane, --oblique for several",
                         field->name);
    if (place->most && recording_grid(recording)->dims == 2)
        return error_set(
            error, STATUS_INPUT,
            "%s: is 2D: --project requires a 3D recording; leave it out",
            recording_path(recording));
    if (place->most && field->angle)
        return error_set(
            error, STATUS_INPUT,
            "%s: is an angle and has no maximum, so it cannot be projected",
            field->name);
    if (place->most && field->kinds)
        return error_set(error, STATUS_INPUT,
                         "%s: has categories, not numbers, and so no maximum; "
                         "use --at z=N for one plane, --oblique for several",
                         field->name);
    return STATUS_OK;
}

static enum status make_room(struct view *view, struct error *error)
{
    size_t cells = (size_t)view->cut.nx * (size_t)view->cut.ny;
    view->plane = memory_new(cells, sizeof(double));
    view->values = memory_new(view_cells(view), sizeof(double));
    view->wall = memory_new(view_cells(view), 1);
    if (view->most)
        view->kept = memory_new(cells, sizeof(double));
    view->walls = memory_new(grid_cells(&view->cut.block), 1);
    if (!view->plane || !view->values || !view->wall || !view->walls ||
        (view->most && !view->kept))
        return error_memory(error);
    return STATUS_OK;
}

static bool lacks(const struct recording *recording, const struct field *field,
                  int wave)
{
    return field->of_wave && recording_has_whole(recording) &&
           (wave >= recording_waves(recording) ||
            !field->there(recording, wave));
}

enum status view_source_of(const struct recording *recording,
                           const struct field *field, int64_t wave,
                           const struct recording **source, struct error *error)
{
    *source = recording;
    enum status status =
        field->of_wave ? check_wave(recording, wave, error) : STATUS_OK;
    if (!status && lacks(recording, field, (int)wave))
        status = recording_whole(recording, source, error);
    if (!status && !field->there(*source, (int)wave))
        status = no_field(*source, field->name, (int)wave, error);
    return status;
}

/* With what each of the waves is read or computed from. */
static enum status source_of_all(const struct recording *recording,
                                 const struct field *field,
                                 const struct recording **source,
                                 struct error *error)
{
    enum status status = view_source_of(recording, field, 0, source, error);
    for (int wave = 1;
         wave < view_waves(recording) && !status && *source == recording;
         wave++)
        status = view_source_of(recording, field, wave, source, error);
    return status;
}

enum status view_open(const struct recording *recording, const char *field,
                      int64_t wave, const struct view_place *place,
                      struct view **view, struct error *error)
{
    const struct field *found = field_find(field);
    if (!found)
        return no_field(recording, field, 0, error);
    const struct recording *source;
    bool newest = wave == WAVE_NEWEST && found->of_wave && found->by_row;
    wave = wave == WAVE_NEWEST ? 0 : wave;
    enum status status =
        newest ? source_of_all(recording, found, &source, error)
               : view_source_of(recording, found, wave, &source, error);
    if (status)
        return status;
    struct view *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    made->recording = recording;
    made->source = source;
    made->field = found;
    made->wave = (int)wave;
    made->newest = newest;
    made->region = recording_region(recording);
    made->version = -1;
    made->most = place->most;
    made->whole = place->axis == VIEW_WHOLE;
    status = check_most(recording, found, place, error);
    if (!status)
        status = make_cut(made, place, error);
    if (!status)
        status = make_room(made, error);
    if (!status && newest)
        status =
            emissions_read(recording, &made->sent, &made->sent_count, error);
    if (status)
        view_release(made);
    else
        *view = made;
    return status;
}

enum status view_twin(const struct view *view, struct view **twin,
                      struct error *error)
{
    struct view *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    *made = (struct view){
        .recording = view->recording,
        .source = view->source,
        .field = view->field,
        .wave = view->wave,
        .newest = view->newest,
        .moments = view->moments,
        .moment_count = view->moment_count,
        .most = view->most,
        .whole = view->whole,
        .region = view->region,
        .cut = view->cut,
        .version = -1,
    };
    enum status status = make_room(made, error);
    if (!status && view->newest)
        status = emissions_read(view->recording, &made->sent, &made->sent_count,
                                error);
    if (!status && view->change)
        status = view->change->twin(view, made, error);
    if (status)
        view_release(made);
    else
        *twin = made;
    return status;
}
