/* SPDX-License-Identifier: MIT */
#include "analysis/modes/corridor.h"

#include "words/words.h"

#include <stdio.h>

/* The map seen along an axis. */
struct view {
    const struct terrain *terrain;
    bool fixed;
    unsigned open;
    int axis, length, width, height;
};

static struct view view_along(const struct corridor_map *map, int axis)
{
    const struct grid *grid = &map->terrain->grid;
    return (struct view){
        .terrain = map->terrain,
        .fixed = map->fixed,
        .open = map->open,
        .axis = axis,
        .length = axis == 0   ? grid->nx
                  : axis == 1 ? grid->ny
                              : grid->nz,
        .width = axis == 0 ? grid->ny : grid->nx,
        .height = axis == 2 ? grid->ny : grid->nz,
    };
}

static enum boundary boundary_at(const struct view *view, int along, int across,
                                 int up)
{
    const struct grid *grid = &view->terrain->grid;
    const int size[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    int at[GRID_AXES];
    corridor_place(view->axis, along, across, up, at);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        static const enum direction above[] = { EAST, SOUTH, DOWN };
        if (at[axis] >= 0 && at[axis] < size[axis])
            continue;
        const unsigned side = at[axis] < 0 ? above[axis] ^ 1U : above[axis];
        return view->open & 1U << side ? BOUNDARY_EDGE : BOUNDARY_FREE;
    }
    if (!view->terrain->wall[grid_index(grid, at[0], at[1], at[2])])
        return BOUNDARY_OPEN;
    return view->fixed ? BOUNDARY_FIXED : BOUNDARY_FREE;
}

static bool is_duct(const struct view *view)
{
    return view->terrain->grid.dims == GRID_AXES;
}

/* Is the cross-section here the same as that of `corridor`, with its
 * boundaries? */
static bool is_same(const struct view *view, const struct corridor *corridor,
                    int along)
{
    const struct corridor *c = corridor;
    if (along < 0 || along >= view->length)
        return false;
    for (int i = 0; i < (is_duct(view) ? 4 : 2); i++)
        if (c->sides[i] == BOUNDARY_EDGE)
            return false;
    for (int up = c->top; up <= c->bottom; up++) {
        if (boundary_at(view, along, c->low - 1, up) != c->sides[0] ||
            boundary_at(view, along, c->high + 1, up) != c->sides[1])
            return false;
        for (int across = c->low; across <= c->high; across++)
            if (boundary_at(view, along, across, up) != BOUNDARY_OPEN)
                return false;
    }
    for (int across = c->low; across <= c->high && is_duct(view); across++)
        if (boundary_at(view, along, across, c->top - 1) != c->sides[2] ||
            boundary_at(view, along, across, c->bottom + 1) != c->sides[3])
            return false;
    return true;
}

/* The cross-section through a free cell: the free runs through it. In 3D it may
 * not be a rectangle with walls on all sides; is_same tests this. */
static struct corridor section_at(const struct view *view, int along,
                                  int across, int up)
{
    struct corridor corridor = { .axis = view->axis,
                                 .first = along,
                                 .last = along,
                                 .low = across,
                                 .high = across,
                                 .top = up,
                                 .bottom = up };
    while (!boundary_at(view, along, corridor.low - 1, up))
        corridor.low--;
    while (!boundary_at(view, along, corridor.high + 1, up))
        corridor.high++;
    corridor.sides[0] = boundary_at(view, along, corridor.low - 1, up);
    corridor.sides[1] = boundary_at(view, along, corridor.high + 1, up);
    if (!is_duct(view))
        return corridor;
    while (!boundary_at(view, along, across, corridor.top - 1))
        corridor.top--;
    while (!boundary_at(view, along, across, corridor.bottom + 1))
        corridor.bottom++;
    corridor.sides[2] = boundary_at(view, along, across, corridor.top - 1);
    corridor.sides[3] = boundary_at(view, along, across, corridor.bottom + 1);
    return corridor;
}

/* The boundary of the whole cross-section beyond an end; open if any part of it
 * is. */
static enum boundary end_at(const struct view *view,
                            const struct corridor *corridor, int along)
{
    for (int up = corridor->top; up <= corridor->bottom; up++)
        for (int across = corridor->low; across <= corridor->high; across++)
            if (!boundary_at(view, along, across, up))
                return BOUNDARY_OPEN;
    return boundary_at(view, along, corridor->low, corridor->top);
}

static void take_ends(const struct view *view, struct corridor *corridor)
{
    corridor->ends[0] = end_at(view, corridor, corridor->first - 1);
    corridor->ends[1] = end_at(view, corridor, corridor->last + 1);
}

/* Keeps the corridor that begins at the cell as its first corner, if it is
 * longer. */
static void take_longer(const struct view *view, int along, int across, int up,
                        bool *found, struct corridor *longest)
{
    if (boundary_at(view, along, across, up) ||
        !boundary_at(view, along, across - 1, up) ||
        (is_duct(view) && !boundary_at(view, along, across, up - 1)))
        return;
    struct corridor here = section_at(view, along, across, up);
    if (!is_same(view, &here, along) || is_same(view, &here, along - 1))
        return;
    while (is_same(view, &here, here.last + 1))
        here.last++;
    if (*found && corridor_length(&here) <= corridor_length(longest))
        return;
    take_ends(view, &here);
    *longest = here;
    *found = true;
}

bool corridor_longest(const struct corridor_map *map, struct corridor *corridor)
{
    bool found = false;
    for (int axis = 0; axis < grid_axes(&map->terrain->grid); axis++) {
        const struct view view = view_along(map, axis);
        for (int along = 0; along < view.length; along++)
            for (int up = 0; up < view.height; up++)
                for (int across = 0; across < view.width; across++)
                    take_longer(&view, along, across, up, &found, corridor);
    }
    return found;
}

/* "12,9" or "12,9,5" */
static void name_cell(const struct grid *grid, const int cell[GRID_AXES],
                      char *text, size_t size)
{
    int used = snprintf(text, size, "%d,%d", cell[0], cell[1]);
    if (grid->dims == GRID_AXES)
        snprintf(text + used, size - (size_t)used, ",%d", cell[2]);
}

static enum status check_cell(const struct terrain *terrain, const char *where,
                              const int cell[GRID_AXES], struct error *error)
{
    const struct grid *grid = &terrain->grid;
    bool inside = grid_holds(grid, cell[0], cell[1], cell[2]);
    char name[48];
    if (inside && !terrain->wall[grid_index(grid, cell[0], cell[1], cell[2])])
        return STATUS_OK;
    name_cell(grid, cell, name, sizeof name);
    return error_set(error, STATUS_INPUT,
                     "%s: the cell %s is %s; a free cell of the map is "
                     "required",
                     where, name, inside ? "a wall" : "outside the map");
}

/* The single axis on which the cells differ; −1: there is none. */
static int axis_between(const int from[GRID_AXES], const int to[GRID_AXES])
{
    int axis = -1, differ = 0;
    for (int i = 0; i < GRID_AXES; i++)
        if (from[i] != to[i]) {
            axis = i;
            differ++;
        }
    return differ == 1 ? axis : -1;
}

static void describe_section(const struct view *view,
                             const struct corridor *corridor, char *text,
                             size_t size)
{
    static const char names[] = "xyz";
    int used =
        snprintf(text, size, "%c %d ... %d", names[view->axis == 0 ? 1 : 0],
                 corridor->low, corridor->high);
    if (is_duct(view))
        snprintf(text + used, size - (size_t)used, ", %c %d ... %d",
                 names[view->axis == 2 ? 1 : 2], corridor->top,
                 corridor->bottom);
}

enum status corridor_between(const struct corridor_map *map,
                             const int from[GRID_AXES], const int to[GRID_AXES],
                             const char *where, struct corridor *corridor,
                             struct error *error)
{
    enum status status = check_cell(map->terrain, where, from, error);
    if (!status)
        status = check_cell(map->terrain, where, to, error);
    int axis = axis_between(from, to);
    if (!status && axis < 0)
        status = error_set(error, STATUS_INPUT,
                           "%s: two cells of one row or one column are "
                           "required, as in 12,12:172,12",
                           where);
    if (status)
        return status;
    const struct view view = view_along(map, axis);
    int step = to[axis] > from[axis] ? 1 : -1;
    *corridor = section_at(&view, from[axis], from[axis == 0 ? 1 : 0],
                           from[axis == 2 ? 1 : 2]);
    for (int at = from[axis] - step; at != to[axis]; at += step) {
        char section[64];
        if (is_same(&view, corridor, at + step))
            continue;
        describe_section(&view, corridor, section, sizeof section);
        if (at + step == from[axis])
            return error_set(error, STATUS_INPUT,
                             "%s: the cross-section there is not a rectangle "
                             "with walls all round; choose another stretch",
                             where);
        return error_set(error, STATUS_INPUT,
                         "%s: the cross-section of %zu cells, %s, ends at %c = "
                         "%d: choose cells up to there",
                         where, corridor_section(corridor), section,
                         "xyz"[axis], at);
    }
    corridor->first = step > 0 ? from[axis] : to[axis];
    corridor->last = step > 0 ? to[axis] : from[axis];
    take_ends(&view, corridor);
    return STATUS_OK;
}

bool corridor_along(const struct corridor_map *map, int axis,
                    const int cell[GRID_AXES], struct corridor *corridor)
{
    const struct view view = view_along(map, axis);
    struct corridor here = section_at(
        &view, cell[axis], cell[axis == 0 ? 1 : 0], cell[axis == 2 ? 1 : 2]);
    if (!is_same(&view, &here, cell[axis]))
        return false;
    while (is_same(&view, &here, here.first - 1))
        here.first--;
    while (is_same(&view, &here, here.last + 1))
        here.last++;
    take_ends(&view, &here);
    *corridor = here;
    return true;
}

bool corridor_through(const struct corridor_map *map, const int cell[GRID_AXES],
                      struct corridor *corridor)
{
    struct corridor here = { 0 };
    bool found = false;
    for (int axis = 0; axis < grid_axes(&map->terrain->grid); axis++)
        if (corridor_along(map, axis, cell, &here) &&
            (!found || corridor_length(&here) > corridor_length(corridor))) {
            *corridor = here;
            found = true;
        }
    return found;
}

void corridor_describe(const struct terrain *terrain,
                       const struct corridor *corridor, bool drawn, char *text,
                       size_t size)
{
    const struct view view = view_along(
        &(struct corridor_map){ .terrain = terrain }, corridor->axis);
    char section[64], wide[32];
    describe_section(&view, corridor, section, sizeof section);
    if (is_duct(&view))
        snprintf(wide, sizeof wide, "%d x %d", corridor_width(corridor),
                 corridor_height(corridor));
    else
        snprintf(wide, sizeof wide, words_if(drawn, "%d wide"),
                 corridor_width(corridor));
    snprintf(text, size, "%c %d ... %d, %s, %s, %s", "xyz"[corridor->axis],
             corridor -> first, corridor -> last, section, wide,
             corridor -> sides[0] == BOUNDARY_FIXED
                             ? words_if(drawn, "walls fixed")
                             : words_if(drawn, "walls free"));
}
