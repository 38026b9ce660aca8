/* SPDX-License-Identifier: MIT */
#include "analysis/modes/ports.h"

#include "base/memory.h"
#include "base/need.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void port_cell(const struct port *port, size_t i, int beyond,
               int cell[GRID_AXES])
{
    const struct corridor *corridor = &port->corridor;
    const int width = corridor_width(corridor);
    corridor_place(corridor->axis, port->at + beyond * port->out,
                   corridor->low + (int)i % width,
                   corridor->top + (int)i / width, cell);
}

/* In the corridor's cross-section, anywhere along it? */
static bool is_across(const struct corridor *corridor,
                      const int cell[GRID_AXES])
{
    const int across = cell[corridor->axis == 0 ? 1 : 0];
    const int up = cell[corridor->axis == 2 ? 1 : 2];
    return across >= corridor->low && across <= corridor->high &&
           up >= corridor->top && up <= corridor->bottom;
}

bool port_leads_out(const struct port *port, const int cell[GRID_AXES],
                    enum direction direction)
{
    return direction_step[direction][port->corridor.axis] == port->out &&
           cell[port->corridor.axis] == port->at &&
           is_across(&port->corridor, cell);
}

static bool is_free(const struct corridor_map *map, const int cell[GRID_AXES])
{
    const struct grid *grid = &map->terrain->grid;
    return grid_holds(grid, cell[0], cell[1], cell[2]) &&
           !map->terrain->wall[grid_index(grid, cell[0], cell[1], cell[2])];
}

static size_t index_of(const struct corridor_map *map,
                       const int cell[GRID_AXES])
{
    return grid_index(&map->terrain->grid, cell[0], cell[1], cell[2]);
}

static enum direction outwards(const struct port *port)
{
    enum direction direction = EAST;
    while (direction_step[direction][port->corridor.axis] != port->out)
        direction++;
    return direction;
}

/* ---- sides of a cross-section ---- */

/* Marks the cells that are connected with the cross-section next to the port's
 * on one side (`beyond` −1 or +1), without passing the port. */
static uint8_t *side_of(const struct corridor_map *map, const struct port *port,
                        int beyond)
{
    const struct grid *grid = &map->terrain->grid;
    uint8_t *marked = need_memory(grid_cells(grid), 1);
    size_t *list = need_memory(grid_cells(grid), sizeof *list), count = 0;
    int cell[GRID_AXES];
    for (size_t i = 0; i < corridor_section(&port->corridor); i++) {
        port_cell(port, i, 0, cell);
        marked[index_of(map, cell)] = 1;
    }
    for (size_t i = 0; i < corridor_section(&port->corridor); i++) {
        port_cell(port, i, beyond, cell);
        if (!is_free(map, cell) || marked[index_of(map, cell)])
            continue;
        marked[index_of(map, cell)] = 1;
        list[count++] = index_of(map, cell);
    }
    for (size_t i = 0; i < count; i++)
        for (int d = 0; d < 2 * grid_axes(grid); d++) {
            grid_cell(grid, list[i], cell);
            for (int axis = 0; axis < GRID_AXES; axis++)
                cell[axis] += direction_step[d][axis];
            if (!is_free(map, cell) || marked[index_of(map, cell)])
                continue;
            marked[index_of(map, cell)] = 1;
            list[count++] = index_of(map, cell);
        }
    for (size_t i = 0; i < corridor_section(&port->corridor); i++) {
        port_cell(port, i, 0, cell);
        marked[index_of(map, cell)] = 0;
    }
    memory_release(list);
    return marked;
}

/* ---- the part between the ports ---- */

static void add_cell(struct ports *ports, size_t index)
{
    if (ports->number[index] >= 0)
        return;
    ports->number[index] = (int32_t)ports->cells;
    ports->cell[ports->cells++] = index;
}

/* Of the cell's neighbour in a direction. */
static enum status add_neighbour(struct ports *ports, size_t index, int d,
                                 struct error *error)
{
    const struct corridor_map *map = &ports->map;
    const struct grid *grid = &map->terrain->grid;
    int cell[GRID_AXES], next[GRID_AXES];
    grid_cell(grid, index, cell);
    for (size_t p = 0; p < ports->count; p++)
        if (port_leads_out(&ports->port[p], cell, (enum direction)d))
            return STATUS_OK;
    for (int axis = 0; axis < GRID_AXES; axis++)
        next[axis] = cell[axis] + direction_step[d][axis];
    if (is_free(map, next)) {
        add_cell(ports, index_of(map, next));
        return STATUS_OK;
    }
    if (!grid_holds(grid, next[0], next[1], next[2]) && map->open & 1U << d)
        return error_set(error, STATUS_INPUT,
                         "waves also leave the map at %d,%d, which is not the "
                         "end of a straight corridor; close that side, or name "
                         "ports by --from and --to",
                         cell[0], cell[1]);
    return STATUS_OK;
}

/* The number of a neighbour in the part, or −1. */
static int32_t neighbour_of(const struct ports *ports, size_t index, int d)
{
    const struct grid *grid = &ports->map.terrain->grid;
    int cell[GRID_AXES];
    grid_cell(grid, index, cell);
    for (int axis = 0; axis < GRID_AXES; axis++)
        cell[axis] += direction_step[d][axis];
    return grid_holds(grid, cell[0], cell[1], cell[2])
               ? ports->number[index_of(&ports->map, cell)]
               : -1;
}

static void widen(struct ports *ports, int64_t a, int64_t b)
{
    const size_t apart = (size_t)llabs(a - b);
    if (apart > ports->band)
        ports->band = apart;
}

static void find_band(struct ports *ports)
{
    int cell[GRID_AXES];
    for (size_t i = 0; i < ports->cells; i++)
        for (int d = 0; d < 2 * grid_axes(&ports->map.terrain->grid); d++) {
            int32_t next = neighbour_of(ports, ports->cell[i], d);
            if (next >= 0)
                widen(ports, (int64_t)i, next);
        }
    for (size_t p = 0; p < ports->count; p++) {
        const size_t count = ports->port[p].count;
        port_cell(&ports->port[p], 0, 0, cell);
        const int32_t first = ports->number[index_of(&ports->map, cell)];
        port_cell(&ports->port[p], count - 1, 0, cell);
        widen(ports, first, ports->number[index_of(&ports->map, cell)]);
    }
}

/* Numbers cells from all ports on, without ports from the cell `from`, in the
 * order of their distance from the nearest. */
static enum status number_cells(struct ports *ports, size_t from,
                                struct error *error)
{
    const struct corridor_map *map = &ports->map;
    const struct grid *grid = &map->terrain->grid;
    enum status status = STATUS_OK;
    int cell[GRID_AXES];
    memory_release(ports->number);
    memory_release(ports->cell);
    ports->number = need_memory(grid_cells(grid), sizeof *ports->number);
    ports->cell = need_memory(grid_cells(grid), sizeof *ports->cell);
    ports->cells = 0;
    for (size_t i = 0; i < grid_cells(grid); i++)
        ports->number[i] = -1;
    if (!ports->count)
        add_cell(ports, from);
    for (size_t p = 0; p < ports->count; p++)
        for (size_t i = 0; i < ports->port[p].count; i++) {
            port_cell(&ports->port[p], i, 0, cell);
            add_cell(ports, index_of(map, cell));
        }
    for (size_t i = 0; i < ports->cells && !status; i++)
        for (int d = 0; d < 2 * grid_axes(grid) && !status; d++)
            status = add_neighbour(ports, ports->cell[i], d, error);
    return status;
}

static enum status enclose(struct ports *ports, size_t from,
                           struct error *error)
{
    const struct corridor_map *map = &ports->map;
    int cell[GRID_AXES];
    enum status status = number_cells(ports, from, error);
    for (size_t p = 0; p < ports->count && !status; p++) {
        port_cell(&ports->port[p], 0, 1, cell);
        if (is_free(map, cell) && ports->number[index_of(map, cell)] >= 0)
            status = error_set(
                error, STATUS_INPUT,
                "the cross-section through %d,%d separates no part from the "
                "rest of the map, which leads around it; name the other paths "
                "by --to too",
                cell[0], cell[1]);
    }
    if (!status)
        find_band(ports);
    return status;
}

/* ---- ports ---- */

static enum status complete(struct ports *ports, struct port *port,
                            double delta, struct error *error)
{
    const struct corridor *corridor = &port->corridor;
    const bool duct = grid_axes(&ports->map.terrain->grid) == GRID_AXES;
    const bool fixed = corridor->sides[0] == BOUNDARY_FIXED;
    const int width = corridor_width(corridor);
    const int height = duct ? corridor_height(corridor) : 0;
    port->count = corridor_section(corridor);
    port->modes = need_memory(port->count, sizeof *port->modes);
    port->shapes = need_memory(port->count, port->count * sizeof *port->shapes);
    snprintf(port->name, sizeof port->name, "%s",
             direction_names[outwards(port)]);
    for (int i = 1; i < (duct ? 4 : 2); i++)
        if (corridor->sides[i] != corridor->sides[0])
            return error_set(error, STATUS_INPUT,
                             "the corridor to the %s has a fixed wall on one "
                             "side and a mirror, which is free, on the other: "
                             "its modes are not computed",
                             port->name);
    mode_list(width, height, fixed, delta, port->modes);
    for (size_t m = 0; m < port->count; m++)
        mode_section(&port->modes[m], width, height, fixed,
                     port->shapes + m * port->count);
    return STATUS_OK;
}

/* Ports of one direction have their places in their names. */
static void name_apart(struct ports *ports)
{
    for (size_t p = 0; p < ports->count; p++) {
        const struct port *port = &ports->port[p];
        bool same = false;
        for (size_t q = 0; q < ports->count; q++)
            same |= q != p && outwards(&ports->port[q]) == outwards(port);
        int cell[GRID_AXES];
        port_cell(port, (port->count - 1) / 2, 0, cell);
        if (same)
            snprintf(ports->port[p].name, PORT_NAME_SIZE, "%s %d %d",
                     direction_names[outwards(port)], cell[0], cell[1]);
    }
}

/* Without ports the part is that around the cell `from`. */
static enum status finish(struct ports *ports, double delta, size_t from,
                          struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t p = 0; p < ports->count && !status; p++)
        status = complete(ports, &ports->port[p], delta, error);
    name_apart(ports);
    return status ? status : enclose(ports, from, error);
}

void ports_release(struct ports *ports)
{
    for (size_t p = 0; p < ports->count; p++) {
        memory_release(ports->port[p].modes);
        memory_release(ports->port[p].shapes);
    }
    memory_release(ports->cell);
    memory_release(ports->number);
    *ports = (struct ports){ 0 };
}

/* Is the cell in the corridor, beyond the port? */
static bool is_beyond(const struct port *port, const int cell[GRID_AXES])
{
    const struct corridor *corridor = &port->corridor;
    const int along = cell[corridor->axis];
    return is_across(corridor, cell) && along >= corridor->first &&
           along <= corridor->last && (along - port->at) * port->out > 0;
}

/* Takes the corridor that ends at the map's edge in this cell, if it is one. */
static enum status take_end(struct ports *ports, enum direction side,
                            const int cell[GRID_AXES], struct error *error)
{
    const int axis = side / 2;
    struct port port = { .out = direction_step[side][axis] };
    if (!is_free(&ports->map, cell) ||
        !corridor_along(&ports->map, axis, cell, &port.corridor))
        return STATUS_OK;
    if (corridor_length(&port.corridor) < 2 ||
        port.corridor.ends[port.out < 0] == BOUNDARY_EDGE)
        return STATUS_OK;
    port.at = port.out < 0 ? port.corridor.last : port.corridor.first;
    for (size_t p = 0; p < ports->count; p++)
        if (port_leads_out(&ports->port[p],
                           (const int[]){ axis == 0 ? port.at : cell[0],
                                          axis == 1 ? port.at : cell[1],
                                          axis == 2 ? port.at : cell[2] },
                           side))
            return STATUS_OK;
    if (ports->count == PORTS_MOST)
        return error_set(error, STATUS_INPUT,
                         "more than %d corridors meet the open edges; name "
                         "ports by --from and --to",
                         PORTS_MOST);
    ports->port[ports->count++] = port;
    return STATUS_OK;
}

/* Takes all corridors that end at the map's open edges; with `number` only
 * those whose cells have one. */
static enum status take_ends(struct ports *ports, const int32_t *number,
                             struct error *error)
{
    const struct grid *grid = &ports->map.terrain->grid;
    const int last[GRID_AXES] = { grid->nx - 1, grid->ny - 1, grid->nz - 1 };
    enum status status = STATUS_OK;
    for (enum direction d = 0; d < 2 * (unsigned)grid_axes(grid); d++) {
        const int axis = (int)d / 2;
        for (size_t i = 0;
             i < grid_cells(grid) && ports->map.open & 1U << d && !status;
             i++) {
            int cell[GRID_AXES];
            grid_cell(grid, i, cell);
            if (cell[axis] == (direction_step[d][axis] < 0 ? 0 : last[axis]) &&
                (!number || number[i] >= 0))
                status = take_end(ports, d, cell, error);
        }
    }
    return status;
}

enum status ports_find(const struct corridor_map *map, double delta,
                       const int source[GRID_AXES], struct ports *ports,
                       struct error *error)
{
    *ports = (struct ports){ .map = *map };
    enum status status = take_ends(ports, NULL, error);
    size_t driven = 0;
    while (driven < ports->count && !is_beyond(&ports->port[driven], source))
        driven++;
    if (!status && ports->count == 0)
        status = error_set(error, STATUS_INPUT,
                           "no bend or junction is behind a straight corridor "
                           "that ends at an open edge of the map; name ports "
                           "by --from and --to");
    if (status)
        return status;
    ports->driven = driven < ports->count;
    if (ports->driven) {
        const struct port first = ports->port[driven];
        ports->port[driven] = ports->port[0];
        ports->port[0] = first;
    }
    return finish(ports, delta, 0, error);
}

enum status ports_around(const struct corridor_map *map, double delta,
                         const int source[GRID_AXES], struct ports *ports,
                         struct error *error)
{
    *ports = (struct ports){ .map = *map };
    if (!is_free(map, source))
        return error_set(error, STATUS_INPUT,
                         "the source at %d,%d is in a wall, where nothing "
                         "rings; record a target in a free cell",
                         source[0], source[1]);
    /* As if the map were closed, first. */
    ports->map.open = 0;
    enum status status = number_cells(ports, index_of(map, source), error);
    const size_t far = ports->cell[ports->cells - 1];
    ports->map.open = map->open;
    if (!status)
        status = take_ends(ports, ports->number, error);
    return status ? status : finish(ports, delta, far, error);
}

struct box ports_box(const struct ports *ports)
{
    const struct grid *grid = &ports->map.terrain->grid;
    struct box box = { 0 };
    for (size_t i = 0; i < ports->cells; i++) {
        int cell[GRID_AXES];
        grid_cell(grid, ports->cell[i], cell);
        for (int axis = 0; axis < GRID_AXES; axis++) {
            if (i == 0 || cell[axis] < box.low[axis])
                box.low[axis] = cell[axis];
            if (i == 0 || cell[axis] > box.high[axis])
                box.high[axis] = cell[axis];
        }
    }
    return box;
}

/* ---- named ports ---- */

/* Chooses the side on which `inside` is, or is not. */
static enum status choose_side(struct ports *ports, struct port *port,
                               const int inside[GRID_AXES], bool is,
                               struct error *error)
{
    const size_t at = index_of(&ports->map, inside);
    bool on[2];
    for (int side = 0; side < 2; side++) {
        port->out = 1;
        uint8_t *marked = side_of(&ports->map, port, side ? 1 : -1);
        on[side] = marked[at];
        memory_release(marked);
    }
    port->out = on[1] == is ? -1 : 1;
    if (on[0] != on[1])
        return STATUS_OK;
    return error_set(error, STATUS_INPUT,
                     "the cross-section at %c = %d does not separate %s %d,%d "
                     "from one of its sides; choose other ports",
                     "xyz"[port->corridor.axis], port -> at,
                     is ? "the cell" : "the source", inside[0], inside[1]);
}

enum status ports_between(const struct corridor_map *map, double delta,
                          const int (*cells)[GRID_AXES], size_t count,
                          const int source[GRID_AXES], struct ports *ports,
                          struct error *error)
{
    const struct grid *grid = &map->terrain->grid;
    enum status status = STATUS_OK;
    *ports = (struct ports){ .map = *map };
    for (size_t i = 0; i < count && !status; i++) {
        struct port *port = &ports->port[ports->count];
        if (!is_free(map, cells[i]) ||
            !corridor_through(map, cells[i], &port->corridor))
            return error_set(error, STATUS_INPUT,
                             "%d,%d: the cell is in no straight corridor",
                             cells[i][0], cells[i][1]);
        port->at = cells[i][port->corridor.axis];
        status = count > 1
                     ? choose_side(ports, port, cells[i ? 0 : 1], true, error)
                     : choose_side(ports, port, source, false, error);
        const int beyond = port->at + port->out;
        if (!status &&
            (beyond < port->corridor.first || beyond > port->corridor.last))
            status = error_set(error, STATUS_INPUT,
                               "%d,%d: the corridor must continue by a cell at "
                               "least, away from the other ports",
                               cells[i][0], cells[i][1]);
        ports->count++;
    }
    if (!status)
        status = finish(ports, delta, 0, error);
    if (status || !grid_holds(grid, source[0], source[1], source[2]))
        return status;
    if (ports->number[index_of(map, source)] >= 0)
        return STATUS_OK;
    uint8_t *marked = side_of(map, &ports->port[0], 1);
    ports->driven = marked[index_of(map, source)];
    memory_release(marked);
    return STATUS_OK;
}
