/* SPDX-License-Identifier: MIT */
#include "pursuit/places.h"

#include "base/memory.h"
#include "pursuit/motion.h"
#include "pursuit/target.h"

/* The cells that a place may be drawn from. */
struct choice {
    const struct terrain *terrain;
    bool *reaches;  /* (nz, ny, nx): the target can be reached from here */
    int32_t *cells; /* (count) */
    size_t count;
};

static enum status choice_init(struct choice *choice,
                               const struct terrain *terrain,
                               struct error *error)
{
    size_t cells = grid_cells(&terrain->grid);
    *choice = (struct choice){
        .terrain = terrain,
        .reaches = memory_new(cells, sizeof *choice->reaches),
        .cells = memory_new(cells, sizeof *choice->cells),
    };
    return choice->reaches && choice->cells ? STATUS_OK : error_memory(error);
}

static void choice_release(struct choice *choice)
{
    memory_release(choice->reaches);
    memory_release(choice->cells);
}

/* Searches from the target against the allowed steps. */
static void find_reaching(struct choice *choice, size_t target)
{
    const struct terrain *terrain = choice->terrain;
    const struct grid *grid = &terrain->grid;
    size_t head = 0, tail = 0;
    if (!terrain->wall[target]) {
        choice->reaches[target] = true;
        choice->cells[tail++] = (int32_t)target;
    }
    while (head < tail) {
        size_t here = (size_t)choice->cells[head++];
        int at[GRID_AXES];
        grid_cell(grid, here, at);
        for (int d = 0; d < 2 * grid->dims; d++) {
            int x = at[0] - direction_step[d][0],
                y = at[1] - direction_step[d][1],
                z = at[2] - direction_step[d][2];
            if (!grid_holds(grid, x, y, z))
                continue;
            size_t from = grid_index(grid, x, y, z);
            if (choice->reaches[from] || terrain->wall[from] ||
                !terrain_step_is_allowed(terrain, from, here,
                                         (enum direction)d))
                continue;
            choice->reaches[from] = true;
            choice->cells[tail++] = (int32_t)from;
        }
    }
}

/* Lists the free cells; with a target only those that can reach it and are at
 * least min_distance away. */
static void list_cells(struct choice *choice, const struct target *target,
                       double min_distance)
{
    const struct terrain *terrain = choice->terrain;
    size_t cells = grid_cells(&terrain->grid);
    choice->count = 0;
    for (size_t cell = 0; cell < cells; cell++) {
        if (terrain->wall[cell] || (target && !choice->reaches[cell]))
            continue;
        int at[GRID_AXES];
        grid_cell(&terrain->grid, cell, at);
        const double place[GRID_AXES] = { at[0], at[1], at[2] };
        if (!target || motion_distance(place, target->at) >= min_distance)
            choice->cells[choice->count++] = (int32_t)cell;
    }
}

/* Draws one of the listed cells, all with equal probability. `whose` and `name`
 * select the stream. */
static bool draw_place(const struct choice *choice, uint64_t seed,
                       const char *whose, const char *name,
                       double at[GRID_AXES])
{
    if (!choice->count)
        return false;
    int place[GRID_AXES];
    struct random random;
    random_stream(&random, seed, whose, name);
    size_t cell = (size_t)choice->cells[random_below(&random, choice->count)];
    grid_cell(&choice->terrain->grid, cell, place);
    for (int axis = 0; axis < GRID_AXES; axis++)
        at[axis] = place[axis];
    return true;
}

static enum status place_target(struct target *target, struct choice *choice,
                                uint64_t seed, struct error *error)
{
    const struct place *place = &target->settings->place;
    motion_place(place->at, target->at);
    if (place->random) {
        list_cells(choice, NULL, 0);
        if (!draw_place(choice, seed, "target start", "", target->at))
            return error_set(error, STATUS_INPUT,
                             "target.at: the map has no free cell");
    }
    target_stand(target, choice->terrain);
    return STATUS_OK;
}

static enum status place_agents(struct agents *agents,
                                const struct target *target,
                                struct choice *choice, struct error *error)
{
    const struct agent_settings *listed = NULL;
    for (size_t i = 0; i < agents->count; i++) {
        const struct agent_settings *entry = agents->settings[i];
        double at[GRID_AXES];
        motion_place(entry->place.at, at);
        if (entry->place.random && listed != entry) {
            list_cells(choice, target, entry->place.min_distance);
            listed = entry;
        }
        if (entry->place.random &&
            !draw_place(choice, agents->seed, "start", agents->stream[i], at))
            return error_set(error, STATUS_INPUT,
                             "agents: no free cell for %s from which the "
                             "target can be reached, min_distance %g away; "
                             "another place, map or distance is required",
                             agents->name[i], entry->place.min_distance);
        for (int axis = 0; axis < GRID_AXES; axis++)
            agents->at[axis][i] = at[axis];
    }
    return STATUS_OK;
}

static bool any_random(const struct agents *agents)
{
    for (size_t i = 0; i < agents->count; i++)
        if (agents->settings[i]->place.random)
            return true;
    return false;
}

enum status places_fill(struct agents *agents, struct target *target,
                        const struct terrain *terrain, struct error *error)
{
    struct choice choice = { .terrain = terrain };
    bool random = any_random(agents);
    enum status status = STATUS_OK;
    /* The search over a large map takes time, and 5 bytes for each cell. */
    if (random || (target->settings && target->settings->place.random))
        status = choice_init(&choice, terrain, error);
    if (!status && target->settings)
        status = place_target(target, &choice, agents->seed, error);
    if (!status && target->settings && random)
        find_reaching(&choice, (size_t)target->cell);
    if (!status)
        status = place_agents(agents, target->settings ? target : NULL, &choice,
                              error);
    choice_release(&choice);
    return status;
}
