/* SPDX-License-Identifier: MIT */
#include "view/areas.h"

#include "base/memory.h"
#include "base/real.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *terrain, *name, *several;
} kinds[AREA_KINDS] = {
    [AREA_SPEED] = { "speed", "c =", "areas of other speed" },
    [AREA_COST] = { "cost", "cost =", "areas of other cost" },
    [AREA_ONE_WAY] = { "one_way", "one way", "areas of one-way cells" },
};

/* The plane: its values, and the number of each cell's area from 1 on; 0: of
 * the rest, or not yet known. */
struct plane {
    const struct view *view;
    enum area_kind kind;
    int nx, ny;
    double *value;
    int32_t *of;
    int32_t *waiting; /* cells whose neighbours are not yet seen */
    uint8_t *walked;  /* is the cell's upper side in an outline? */
};

/* ---- values ---- */

/* 1, or the most frequent of the values of free cells. */
static double rest_of(double *values, const uint8_t *wall, size_t cells)
{
    size_t count = 0, most = 0, run = 0;
    double rest = 1;
    for (size_t i = 0; i < cells; i++)
        if (!wall[i])
            values[count++] = values[i];
    qsort(values, count, sizeof *values, real_compare);
    for (size_t i = 0; i < count; i++) {
        run = i && values[i] <= values[i - 1] ? run + 1 : 1;
        if (values[i] >= 1 && values[i] <= 1)
            return 1;
        if (run > most) {
            most = run;
            rest = values[i];
        }
    }
    return rest;
}

/* Fills plane->value and areas->rest. */
static enum status read_values(struct view *view, struct plane *plane,
                               struct outlined_areas *areas,
                               struct error *error)
{
    size_t cells = grid_cells(&view->cut.block);
    double *block = memory_new(cells, sizeof *block);
    if (!block)
        return error_memory(error);
    enum status status =
        view_read_terrain(view, kinds[plane->kind].terrain, block, error);
    if (!status) {
        cut_take(&view->cut, block, plane->value);
        areas->rest = plane->kind == AREA_ONE_WAY
                          ? 0
                          : rest_of(block, view->walls, cells);
    }
    memory_release(block);
    return status;
}

/* ---- connected cells ---- */

static bool same(double a, double b)
{
    return a >= b && a <= b;
}

/* Marks the cells that are connected with `first` as those of area `number`.
 * Returns their number; 0 if all are walls. */
static size_t number_area(const struct plane *plane, size_t first,
                          int32_t number)
{
    const int nx = plane->nx, ny = plane->ny;
    size_t waiting = 0, cells = 0;
    bool any_free = false;
    plane->waiting[waiting++] = (int32_t)first;
    plane->of[first] = number;
    while (waiting) {
        int32_t cell = plane->waiting[--waiting];
        int x = cell % nx, y = cell / nx;
        const bool inside[] = { x > 0, x + 1 < nx, y > 0, y + 1 < ny };
        const int32_t next[] = { cell - 1, cell + 1, cell - nx, cell + nx };
        any_free = any_free || !plane->view->wall[cell];
        cells++;
        for (int i = 0; i < 4; i++)
            if (inside[i] && !plane->of[next[i]] &&
                same(plane->value[next[i]], plane->value[cell])) {
                plane->of[next[i]] = number;
                plane->waiting[waiting++] = next[i];
            }
    }
    return any_free ? cells : 0;
}

/* ---- outlines ---- */

static bool is_of(const struct plane *plane, int x, int y, int32_t number)
{
    return x >= 0 && y >= 0 && x < plane->nx && y < plane->ny &&
           plane->of[(size_t)y * (size_t)plane->nx + (size_t)x] == number;
}

/* Steps to the right, down, left, up; and from a corner with its lower right
 * cell (x, y) the cells ahead to the right and to the left of each step. */
static const int steps[4][2] = { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } };
static const int right_cell[4][2] = {
    { 0, 0 }, { -1, 0 }, { -1, -1 }, { 0, -1 }
};
static const int left_cell[4][2] = {
    { 0, -1 }, { 0, 0 }, { -1, 0 }, { -1, -1 }
};

/* Adds the corner above and to the left of cell (x, y) of the plane. */
static bool add_corner(const struct plane *plane, struct outline *outline,
                       size_t *room, int x, int y)
{
    const struct view *view = plane->view;
    double(*more)[2] =
        memory_more(outline->corner, outline->count, room, sizeof *more);
    if (!more)
        return false;
    outline->corner = more;
    more[outline->count][0] = view->region.low[view->cut.right] + x - .5;
    more[outline->count++][1] = view->region.low[view->cut.down] + y - .5;
    return true;
}

/* Walks round the area along cell sides, starting with the upper side of a
 * cell. */
static bool walk(const struct plane *plane, int x, int y, int32_t number,
                 struct outline *outline)
{
    const int start[2] = { x, y };
    size_t room = 0;
    int toward = 0;
    do {
        if (toward == 0)
            plane->walked[(size_t)y * (size_t)plane->nx + (size_t)x] = 1;
        x += steps[toward][0];
        y += steps[toward][1];
        int before = toward;
        if (!is_of(plane, x + right_cell[toward][0], y + right_cell[toward][1],
                   number))
            toward = (toward + 1) % 4;
        else if (is_of(plane, x + left_cell[toward][0],
                       y + left_cell[toward][1], number))
            toward = (toward + 3) % 4;
        if (toward != before && !add_corner(plane, outline, &room, x, y))
            return false;
    } while (x != start[0] || y != start[1] || toward != 0);
    return true;
}

static enum status outline_area(const struct plane *plane, int32_t number,
                                struct outlined_areas *areas, size_t *room,
                                struct error *error)
{
    struct outlined *area = &areas->area[areas->count];
    area->first = areas->loops;
    for (int y = 0; y < plane->ny; y++)
        for (int x = 0; x < plane->nx; x++) {
            size_t cell = (size_t)y * (size_t)plane->nx + (size_t)x;
            if (plane->of[cell] != number || plane->walked[cell] ||
                is_of(plane, x, y - 1, number))
                continue;
            struct outline *more =
                memory_more(areas->loop, areas->loops, room, sizeof *more);
            if (!more)
                return error_memory(error);
            areas->loop = more;
            more[areas->loops] = (struct outline){ 0 };
            if (!walk(plane, x, y, number, &more[areas->loops++]))
                return error_memory(error);
        }
    area->loops = areas->loops - area->first;
    return STATUS_OK;
}

/* ---- names ---- */

/* Did the i-th region give cells this value? */
static bool gives(const struct recording *recording, size_t i,
                  enum area_kind kind, double value)
{
    const char *text = region_setting(recording, i, kinds[kind].terrain);
    if (!text)
        return false;
    if (kind == AREA_ONE_WAY)
        return value >= 1 && value <= DIRECTIONS &&
               strcmp(text, direction_names[(int)value - 1]) == 0;
    return same(strtod(text, NULL), value);
}

/* The given name of the last region with the cell and the value; NULL: it has
 * none, or there is no such region. */
static const char *given_name(const struct plane *plane, size_t cell,
                              double value)
{
    const struct view *view = plane->view;
    const struct recording *recording = view->recording;
    int at[GRID_AXES];
    at[view->cut.axis] = view->region.low[view->cut.axis] + view->cut.at;
    at[view->cut.right] =
        view->region.low[view->cut.right] + (int)(cell % (size_t)plane->nx);
    at[view->cut.down] =
        view->region.low[view->cut.down] + (int)(cell / (size_t)plane->nx);
    for (size_t i = region_count(recording); i-- > 0;) {
        struct box box;
        bool inside = region_box(recording, i, &box);
        for (int axis = 0; axis < GRID_AXES; axis++)
            inside = inside && at[axis] >= box.low[axis] &&
                     at[axis] <= box.high[axis];
        if (inside && gives(recording, i, plane->kind, value))
            return region_setting(recording, i, "name");
    }
    return NULL;
}

static void name_area(const struct plane *plane, size_t cell,
                      const struct outlined_areas *areas, struct outlined *area)
{
    const char *name = given_name(plane, cell, area->value);
    double low[2] = { 0, 0 }, high[2] = { 0, 0 };
    for (size_t i = 0; i < areas->loop[area->first].count; i++)
        for (int k = 0; k < 2; k++) {
            double at = areas->loop[area->first].corner[i][k];
            low[k] = !i || at < low[k] ? at : low[k];
            high[k] = !i || at > high[k] ? at : high[k];
        }
    char value[24];
    if (plane->kind == AREA_ONE_WAY)
        snprintf(value, sizeof value, "%s",
                 direction_names[(int)area->value - 1]);
    else
        snprintf(value, sizeof value, "%.4g", area->value);
    if (name)
        snprintf(area->name, sizeof area->name, "%s", name);
    else
        snprintf(area->name, sizeof area->name, "%s %s at (%g, %g)",
                 kinds[plane->kind].name, value, (low[0] + high[0]) / 2,
                 (low[1] + high[1]) / 2);
}

/* ---- all areas ---- */

/* A stored direction is 0 … DIRECTIONS in every recording that is read; any
 * other number is no area. */
static bool is_area(const struct plane *plane, double value, double rest)
{
    return !same(value, rest) &&
           (plane->kind != AREA_ONE_WAY || (value >= 1 && value <= DIRECTIONS));
}

static enum status find_areas(const struct plane *plane,
                              struct outlined_areas *areas, struct error *error)
{
    const size_t cells = (size_t)plane->nx * (size_t)plane->ny;
    size_t room = 0, found = 0;
    int32_t number = 0;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < cells && !status; i++) {
        if (plane->of[i] || !is_area(plane, plane->value[i], areas->rest))
            continue;
        size_t size = number_area(plane, i, ++number);
        if (!size || found++ >= OUTLINED_MOST)
            continue;
        struct outlined *area = &areas->area[areas->count];
        *area = (struct outlined){ .value = plane->value[i], .cells = size };
        status = outline_area(plane, number, areas, &room, error);
        if (!status)
            name_area(plane, i, areas, area);
        areas->count++;
    }
    if (found <= OUTLINED_MOST)
        return status;
    outlined_release(areas);
    snprintf(areas->none, sizeof areas->none, "%zu %s; at most %d are outlined",
             found, kinds[plane->kind].several, OUTLINED_MOST);
    return status;
}

enum status outlined_read(struct view *view, enum area_kind kind,
                          struct outlined_areas *areas, struct error *error)
{
    *areas = (struct outlined_areas){ 0 };
    if (!recording_find(view->recording, kinds[kind].terrain))
        return STATUS_OK;
    if (view->most || view->whole || view->version < 0) {
        snprintf(areas->none, sizeof areas->none,
                 "%s are outlined in a plane only", kinds[kind].several);
        return STATUS_OK;
    }
    struct plane plane = { view, kind, .nx = view->cut.nx, .ny = view->cut.ny };
    size_t cells = (size_t)plane.nx * (size_t)plane.ny;
    plane.value = memory_new(cells, sizeof *plane.value);
    plane.of = memory_new(cells, sizeof *plane.of);
    plane.waiting = memory_new(cells, sizeof *plane.waiting);
    plane.walked = memory_new(cells, 1);
    areas->area = memory_new(OUTLINED_MOST, sizeof *areas->area);
    enum status status =
        plane.value && plane.of && plane.waiting && plane.walked && areas->area
            ? read_values(view, &plane, areas, error)
            : error_memory(error);
    if (!status)
        status = find_areas(&plane, areas, error);
    memory_release(plane.value);
    memory_release(plane.of);
    memory_release(plane.waiting);
    memory_release(plane.walked);
    return status;
}

void outlined_release(struct outlined_areas *areas)
{
    for (size_t i = 0; i < areas->loops; i++)
        memory_release(areas->loop[i].corner);
    memory_release(areas->loop);
    memory_release(areas->area);
    *areas = (struct outlined_areas){ 0 };
}
