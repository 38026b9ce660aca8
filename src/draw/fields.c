/* SPDX-License-Identifier: MIT */
#include "draw/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char axis_letters[] = "xyz";

static bool has(const struct recording *recording, int wave, const char *suffix)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d%s", wave, suffix);
    return recording_find(recording, name) != NULL;
}

/* ---- amplitude, gradient, heading ---- */

static bool amplitude_there(const struct recording *recording, int wave)
{
    return has(recording, wave, "");
}

static enum status amplitude_read(struct view *view, int64_t row,
                                  struct error *error)
{
    return view_read_wave(view, "", row, view->values, error);
}

static bool gradient_there(const struct recording *recording, int wave)
{
    return has(recording, wave, "_grad_x") ||
           view_derives_gradient(recording, wave);
}

enum status view_read_gradient(struct view *view, int axis, int64_t row,
                               double *plane, struct error *error)
{
    const char suffix[] = {
        '_', 'g', 'r', 'a', 'd', '_', axis_letters[axis], 0
    };
    if (!has(view->recording, view->wave, suffix))
        return view_derive_gradient(view, axis, row, plane, error);
    return view_read_wave(view, suffix, row, plane, error);
}

static enum status gradient_read(struct view *view, int64_t row,
                                 struct error *error)
{
    size_t cells = (size_t)view->cut.nx * (size_t)view->cut.ny;
    memset(view->values, 0, cells * sizeof *view->values);
    for (int axis = 0; axis < recording_grid(view->recording)->dims; axis++) {
        enum status status =
            view_read_gradient(view, axis, row, view->plane, error);
        if (status)
            return status;
        for (size_t i = 0; i < cells; i++)
            view->values[i] = hypot(view->values[i], view->plane[i]);
    }
    return STATUS_OK;
}

/* With the heading `paper` agents go along +∇z, else along sign(z)·∇z. */
static bool is_signed(const struct recording *recording)
{
    const char *rule = recording_setting(recording, "arrival.heading");
    return !rule || !strstr(rule, "paper");
}

static bool heading_there(const struct recording *recording, int wave)
{
    return gradient_there(recording, wave) &&
           (!is_signed(recording) || amplitude_there(recording, wave));
}

/* The angle in the picture's plane, against the clock from its right, in
 * (−180, 180]: a zero has no sign here, or left would have two angles. */
static enum status heading_read(struct view *view, int64_t row,
                                struct error *error)
{
    const double degrees = 180 / acos(-1);
    size_t cells = (size_t)view->cut.nx * (size_t)view->cut.ny;
    enum status status =
        view_read_gradient(view, view->cut.right, row, view->values, error);
    if (!status)
        status =
            view_read_gradient(view, view->cut.down, row, view->plane, error);
    if (status)
        return status;
    for (size_t i = 0; i < cells; i++) {
        double right = view->values[i] + 0., up = 0. - view->plane[i];
        view->values[i] =
            right == 0 && up == 0 ? (double)NAN : atan2(up, right) * degrees;
    }
    if (!is_signed(view->recording))
        return STATUS_OK;
    status = view_read_wave(view, "", row, view->plane, error);
    for (size_t i = 0; !status && i < cells; i++)
        if (view->plane[i] < 0)
            view->values[i] += view->values[i] > 0 ? -180 : 180;
    return status;
}

/* ---- arrival ---- */

static bool arrival_there(const struct recording *recording, int wave)
{
    return has(recording, wave, "_arrival") || amplitude_there(recording, wave);
}

static enum status arrival_read(struct view *view, int64_t row,
                                struct error *error)
{
    enum status status;
    if (has(view->recording, view->wave, "_arrival")) {
        status = view_read_wave(view, "_arrival", 0, view->values, error);
    } else {
        status = view->derived ? STATUS_OK
                 : view_block(view)
                     ? view_derive_arrival(view, view->block, error)
                     : error_memory(error);
        view->derived = !status;
        if (!status)
            cut_take(&view->cut, view->block, view->values);
    }
    size_t cells = (size_t)view->cut.nx * (size_t)view->cut.ny;
    for (size_t i = 0; !status && i < cells; i++)
        if (view->values[i] < 0)
            view->values[i] = (double)NAN;
    return status;
}

/* ---- terrain ---- */

static bool speed_there(const struct recording *recording, int wave)
{
    return recording_find(recording, "speed") != NULL;
}

static enum status speed_read(struct view *view, int64_t row,
                              struct error *error)
{
    enum status status =
        view_block(view) ? view_read_terrain(view, "speed", view->block, error)
                         : error_memory(error);
    if (!status)
        cut_take(&view->cut, view->block, view->values);
    return status;
}

static bool walls_there(const struct recording *recording, int wave)
{
    return true;
}

static enum status walls_read(struct view *view, int64_t row,
                              struct error *error)
{
    size_t cells = (size_t)view->cut.nx * (size_t)view->cut.ny;
    for (size_t i = 0; i < cells; i++)
        view->values[i] = view->wall[i];
    return STATUS_OK;
}

static const struct field amplitude = {
    .name = "amplitude",
    .unit = "",
    .map = "vik",
    .range = RANGE_SYMMETRIC,
    .of_wave = true,
    .by_row = true,
    .decades = true,
    .there = amplitude_there,
    .read = amplitude_read,
};
static const struct field gradient = {
    .name = "gradient",
    .unit = "per cell",
    .map = "viridis",
    .range = RANGE_DATA,
    .of_wave = true,
    .by_row = true,
    .decades = true,
    .there = gradient_there,
    .read = gradient_read,
};
static const struct field heading = {
    .name = "heading",
    .unit = "degrees",
    .map = "romaO",
    .range = RANGE_FIXED,
    .low = -180,
    .high = 180,
    .of_wave = true,
    .angle = true,
    .by_row = true,
    .there = heading_there,
    .read = heading_read,
};
static const struct field arrival = {
    .name = "arrival",
    .unit = "generations",
    .map = "viridis",
    .range = RANGE_DATA,
    .of_wave = true,
    .there = arrival_there,
    .read = arrival_read,
};
static const struct field speed = {
    .name = "speed",
    .unit = "of the medium's",
    .map = "viridis",
    .range = RANGE_DATA,
    .by_row = true,
    .there = speed_there,
    .read = speed_read,
};
static const struct field walls = {
    .name = "walls",
    .unit = "",
    .map = "gray",
    .range = RANGE_FIXED,
    .low = 0,
    .high = 1,
    .by_row = true,
    .there = walls_there,
    .read = walls_read,
};

const struct field *const fields[] = {
    &amplitude, &gradient, &heading, &arrival, &speed, &walls, NULL,
};

const struct field *field_find(const char *name)
{
    for (const struct field *const *field = fields; *field; field++)
        if (strcmp((*field)->name, name) == 0)
            return *field;
    return NULL;
}
