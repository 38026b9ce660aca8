/* SPDX-License-Identifier: MIT */
#include "draw/view.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char axis_letters[] = "xyz";

/* `text` joined to what `list` holds. */
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
    return error_set(error, STATUS_INPUT,
                     "%s: %s was not recorded; there are %s",
                     recording_path(recording), wanted, there);
}

static enum status check_wave(const struct recording *recording, int64_t wave,
                              struct error *error)
{
    int waves = recording_waves(recording);
    if (wave >= 0 && wave < waves)
        return STATUS_OK;
    const char *path = recording_path(recording);
    if (waves == 0 && recording_ran_waves(recording))
        return error_set(error, STATUS_INPUT,
                         "%s: waves ran and were not recorded (record.fields); "
                         "field walls draws the map, agents and trails",
                         path);
    if (waves == 0)
        return error_set(error, STATUS_INPUT,
                         "%s: no wave ran; there are walls", path);
    if (waves == 1)
        return error_set(error, STATUS_INPUT,
                         "%s: no wave %lld; there is wave 0 alone", path,
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
    if (grid->dims == 2 && place->axis >= 0)
        return error_set(error, STATUS_INPUT,
                         "%s: is flat, so --at takes step alone, not %c", path,
                         axis_letters[place->axis]);
    int axis = place->axis < 0 ? 2 : place->axis;
    int64_t at = place->axis < 0 ? (box->low[2] + box->high[2]) / 2 : place->at;
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
    if (place->most && recording_grid(recording)->dims == 2)
        return error_set(error, STATUS_INPUT,
                         "%s: is flat: a projection is of a 3D recording",
                         recording_path(recording));
    if (place->most && field->angle)
        return error_set(error, STATUS_INPUT,
                         "%s: is an angle and has no greatest, so it is not "
                         "projected",
                         field->name);
    return STATUS_OK;
}

static enum status make_room(struct view *view, struct error *error)
{
    size_t cells = (size_t)view->cut.nx * (size_t)view->cut.ny;
    view->plane = memory_new(cells, sizeof(double));
    view->values = memory_new(cells, sizeof(double));
    view->wall = memory_new(cells, 1);
    if (view->most)
        view->kept = memory_new(cells, sizeof(double));
    view->walls = memory_new(grid_cells(&view->cut.block), 1);
    if (!view->plane || !view->values || !view->wall || !view->walls ||
        (view->most && !view->kept))
        return error_memory(error);
    return STATUS_OK;
}

enum status view_open(const struct recording *recording, const char *field,
                      int64_t wave, const struct view_place *place,
                      struct view **view, struct error *error)
{
    const struct field *found = field_find(field);
    if (!found)
        return no_field(recording, field, 0, error);
    enum status status =
        found->of_wave ? check_wave(recording, wave, error) : STATUS_OK;
    if (!status && !found->there(recording, (int)wave))
        status = no_field(recording, field, (int)wave, error);
    if (status)
        return status;
    struct view *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    made->recording = recording;
    made->field = found;
    made->wave = (int)wave;
    made->region = recording_region(recording);
    made->version = -1;
    made->most = place->most;
    status = check_most(recording, found, place, error);
    if (!status)
        status = make_cut(made, place, error);
    if (!status)
        status = make_room(made, error);
    if (status)
        view_release(made);
    else
        *view = made;
    return status;
}

void view_release(struct view *view)
{
    if (!view)
        return;
    for (int i = 0; i < GRID_AXES; i++)
        memory_release(view->rows[i].bytes);
    memory_release(view->block);
    memory_release(view->plane);
    memory_release(view->values);
    memory_release(view->kept);
    memory_release(view->wall);
    memory_release(view->walls);
    memory_release(view);
}

enum status view_twin(const struct view *view, struct view **twin,
                      struct error *error)
{
    struct view *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    *made = (struct view){
        .recording = view->recording,
        .field = view->field,
        .wave = view->wave,
        .most = view->most,
        .region = view->region,
        .cut = view->cut,
        .version = -1,
    };
    enum status status = make_room(made, error);
    if (status)
        view_release(made);
    else
        *twin = made;
    return status;
}

double *view_block(struct view *view)
{
    if (!view->block)
        view->block = memory_new(grid_cells(&view->cut.block), sizeof(double));
    return view->block;
}

void view_move(struct view *view, int at)
{
    int first = at - view->region.low[view->cut.axis];
    if (first == view->cut.at)
        return;
    view->cut.at = first;
    view->version = -1; /* the walls are another plane's */
    view->read = false;
}

void view_describe(const struct view *view, char *text, size_t size)
{
    int used = snprintf(text, size, "%s", view->field->name);
    if (view->field->of_wave)
        used += snprintf(text + used, size - (size_t)used, " of wave %d",
                         view->wave);
    if (view->most)
        snprintf(text + used, size - (size_t)used, ", greatest along %c",
                 axis_letters[view->cut.axis]);
    else if (view->cut.block.dims == 3)
        snprintf(text + used, size - (size_t)used, ", %c = %d",
                 axis_letters[view->cut.axis],
                 view->cut.at + view->region.low[view->cut.axis]);
}
