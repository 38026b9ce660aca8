/* SPDX-License-Identifier: MIT */
#include "recording/recorder_parts.h"

#include "base/memory.h"

#include <stdio.h>

const char *const table_names[TABLES] = { "arrivals", "emissions", "captures",
                                          "plans" };
const char *const mark_names[MARKS] = {
    "status/arrivals",   "status/emissions",
    "status/captures",   "status/plans",
    "status/plan_cells", "status/sequence",
    "status/committed",  "provenance/step_nanoseconds",
    "status/state",
};

/* The columns of each table, in the order in which its rows are given. */
static const char *const table_columns[TABLES][TABLE_COLUMNS] = {
    [ARRIVALS] = { "agent", "wave", "step", "amplitude", "gradient_x",
                   "gradient_y", "gradient_z", "heading_x", "heading_y",
                   "heading_z" },
    [EMISSIONS] = { "wave", "step", "x", "y", "z" },
    [CAPTURES] = { "agent", "target", "step" },
    [PLANS] = { "agent", "step", "expansions", "nanoseconds", "row_size" },
};

static void bind_tables(struct recorder *recorder)
{
    char name[VARIABLE_NAME_SIZE];
    for (int t = 0; t < TABLES; t++) {
        struct table *table = &recorder->tables[t];
        for (int i = 0; i < TABLE_COLUMNS && table_columns[t][i]; i++) {
            snprintf(name, sizeof name, "%s/%s", table_names[t],
                     table_columns[t][i]);
            column_bind(&table->columns[i], recorder, name);
        }
        const struct layout_item *first = table->columns[0].item;
        table->capacity = first ? first->variable.extent[0] : 0;
    }
    for (int axis = 0; axis < GRID_AXES; axis++) {
        snprintf(name, sizeof name, "plans/%c", "xyz"[axis]);
        column_bind(&recorder->plan_cells[axis], recorder, name);
    }
}

static void bind_axis(struct recorder *recorder, int axis)
{
    const struct {
        struct row_column *column;
        const char *prefix;
    } all[] = {
        { &recorder->agent_at[axis], "agents/" },
        { &recorder->agent_heading[axis], "agents/heading_" },
        { &recorder->target_at[axis], "target/" },
        { &recorder->target_heading[axis], "target/heading_" },
    };
    char name[VARIABLE_NAME_SIZE];
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        snprintf(name, sizeof name, "%s%c", all[i].prefix, "xyz"[axis]);
        row_column_bind(all[i].column, recorder, name);
    }
}

static void bind_waves(struct recorder *recorder)
{
    char name[VARIABLE_NAME_SIZE];
    struct row_column *column = recorder->waves;
    for (int wave = 0; wave < recorder->shape.waves; wave++) {
        snprintf(name, sizeof name, "wave%d", wave);
        row_column_bind(column++, recorder, name);
        for (int axis = 0; axis < recorder->grid.dims; axis++) {
            snprintf(name, sizeof name, "wave%d_grad_%c", wave, "xyz"[axis]);
            row_column_bind(column++, recorder, name);
        }
        snprintf(name, sizeof name, "wave%d_arrival", wave);
        recorder->arrival_fields[wave] = layout_find(&recorder->layout, name);
    }
}

static void bind_terrain(struct recorder *recorder)
{
    static const char *const names[2][TERRAIN_VARIABLES] = {
        { "wall", "speed", "cost", "one_way" },
        { "world/wall", "world/speed", "world/cost", "world/one_way" },
    };
    for (int place = 0; place < 2; place++)
        for (int i = 0; i < TERRAIN_VARIABLES; i++)
            row_column_bind(&recorder->terrain[place][i], recorder,
                            names[place][i]);
}

static size_t wave_columns(const struct recorder *recorder)
{
    return (size_t)(recorder->shape.waves * (1 + recorder->grid.dims));
}

enum status recorder_bind(struct recorder *recorder, struct error *error)
{
    char name[VARIABLE_NAME_SIZE];
    recorder->waves =
        memory_new(wave_columns(recorder), sizeof *recorder->waves);
    recorder->gather = recorder->cut ? memory_new(PIECE_BYTES, 1) : NULL;
    if (!recorder->waves || (recorder->cut && !recorder->gather))
        return error_memory(error);
    bind_waves(recorder);
    bind_terrain(recorder);
    bind_tables(recorder);
    for (int axis = 0; axis < GRID_AXES; axis++)
        bind_axis(recorder, axis);
    row_column_bind(&recorder->agent_state, recorder, "agents/state");
    row_column_bind(&recorder->target_state, recorder, "target/state");
    for (int i = 0; i < RELAY_COUNTERS; i++) {
        snprintf(name, sizeof name, "relay/%s", relay_counter_names[i]);
        row_column_bind(&recorder->relay[i], recorder, name);
    }
    recorder->slots[0] = layout_find(&recorder->layout, "restart/state0");
    recorder->slots[1] = layout_find(&recorder->layout, "restart/state1");
    for (int mark = 0; mark < MARKS; mark++)
        recorder->mark_items[mark] =
            layout_find(&recorder->layout, mark_names[mark]);
    return STATUS_OK;
}

static enum status visit_pairs(struct recorder *recorder,
                               struct row_column *pairs, size_t count,
                               column_visitor *visit, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++) {
        if (!pairs[i].data.item)
            continue;
        status = visit(recorder, &pairs[i].data, error);
        if (!status)
            status = visit(recorder, &pairs[i].crc, error);
    }
    return status;
}

static enum status visit_singles(struct recorder *recorder,
                                 struct column *columns, size_t count,
                                 column_visitor *visit, struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && !status; i++)
        if (columns[i].item)
            status = visit(recorder, &columns[i], error);
    return status;
}

enum status recorder_each_wave(struct recorder *recorder, column_visitor *visit,
                               struct error *error)
{
    return visit_pairs(recorder, recorder->waves, wave_columns(recorder), visit,
                       error);
}

enum status recorder_each_small(struct recorder *recorder,
                                column_visitor *visit, struct error *error)
{
    const struct {
        struct row_column *pairs;
        size_t count;
    } all[] = {
        { recorder->agent_at, GRID_AXES },
        { recorder->agent_heading, GRID_AXES },
        { &recorder->agent_state, 1 },
        { recorder->target_at, GRID_AXES },
        { recorder->target_heading, GRID_AXES },
        { &recorder->target_state, 1 },
        { recorder->relay, RELAY_COUNTERS },
        { recorder->terrain[0], TERRAIN_VARIABLES },
        { recorder->terrain[1], TERRAIN_VARIABLES },
    };
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof all / sizeof *all && !status; i++)
        status =
            visit_pairs(recorder, all[i].pairs, all[i].count, visit, error);
    for (int t = 0; t < TABLES && !status; t++)
        status = visit_singles(recorder, recorder->tables[t].columns,
                               TABLE_COLUMNS, visit, error);
    return status ? status
                  : visit_singles(recorder, recorder->plan_cells, GRID_AXES,
                                  visit, error);
}
