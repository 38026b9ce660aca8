/* SPDX-License-Identifier: MIT */
#include "analysis/check/replay.h"

#include "analysis/check/agents.h"
#include "analysis/check/scenario.h"
#include "base/memory.h"
#include "recording/pack/packing.h"
#include "recording/read/file.h"
#include "recording/read/tables.h"
#include "recording/write/file.h"
#include "run/arrivals.h"
#include "run/plan.h"
#include "run/simulate.h"

#include <stdio.h>
#include <string.h>

/* ---- the tables ---- */

enum { COLUMNS_MOST = 12 };

/* A recorded table, and its first row that was not compared with anything
 * yet. */
struct replayed_table {
    const char *const *names;     /* of its columns, ends with NULL */
    double *column[COLUMNS_MOST]; /* NULL: not in this recording */
    size_t elements[COLUMNS_MOST];
    size_t rows, next;
};

static const char *const emission_columns[] = {
    "emissions/wave", "emissions/step", "emissions/x",
    "emissions/y",    "emissions/z",    NULL
};
static const char *const arrival_columns[] = {
    "arrivals/agent",      "arrivals/wave",       "arrivals/step",
    "arrivals/quantity",   "arrivals/amplitude",  "arrivals/gradient_x",
    "arrivals/gradient_y", "arrivals/gradient_z", "arrivals/heading_x",
    "arrivals/heading_y",  "arrivals/heading_z",  NULL
};
static const char *const capture_columns[] = { "captures/agent",
                                               "captures/target",
                                               "captures/step", NULL };
static const char *const plan_columns[] = { "plans/agent", "plans/step",
                                            "plans/expansions",
                                            "plans/row_size", NULL };
static const char *const path_columns[] = { "plans/x", "plans/y", "plans/z",
                                            NULL };

/* Reads its columns completely: unused rows contain −1, or NaN. */
static enum status table_read(const struct recording *recording,
                              const char *const *names, int64_t rows,
                              struct replayed_table *table, struct error *error)
{
    enum status status = STATUS_OK;
    *table = (struct replayed_table){ .names = names, .rows = (size_t)rows };
    for (int i = 0; names[i] && !status; i++) {
        const struct variable *variable = recording_find(recording, names[i]);
        if (!variable)
            continue;
        table->elements[i] = variable_elements(variable);
        status = table_column_read(recording, names[i], table->rows,
                                   &table->column[i], error);
    }
    return status;
}

static void table_release(struct replayed_table *table)
{
    for (int i = 0; i < COLUMNS_MOST; i++)
        memory_release(table->column[i]);
}

/* Compares the next row of the table with these values, in the order of its
 * names. */
static void table_expect(struct replayed_table *table,
                         const double values[COLUMNS_MOST],
                         const struct spot *spot, struct finding *finding)
{
    if (table->next >= table->rows) {
        finding_within(finding, 1, 0, spot);
        finding_skip(finding, 0, "the table lacks a row of %s",
                     table->names[0]);
        return;
    }
    for (int i = 0; table->names[i]; i++)
        if (table->column[i])
            finding_exact(finding, table->column[i][table->next], values[i],
                          spot);
    table->next++;
}

static void table_end(const struct replayed_table *table,
                      struct finding *finding)
{
    const struct spot spot = { -1, -1, -1, -1 };
    for (size_t i = table->next; i < table->rows; i++) {
        finding_within(finding, 1, 0, &spot);
        finding_skip(finding, 0,
                     "the table has a row of %s that the second run lacks",
                     table->names[0]);
    }
}

static void table_unused(const struct replayed_table *table,
                         struct finding *finding)
{
    const struct spot spot = { -1, -1, -1, -1 };
    for (int i = 0; table->names[i]; i++)
        for (size_t j = table->rows; j < table->elements[i]; j++)
            if (table->column[i][j] != -1 && !isnan(table->column[i][j]))
                finding_exact(finding, table->column[i][j], -1, &spot);
}

/* ---- the run and the recording ---- */

struct replay {
    const struct recording *recording;
    struct finding *finding; /* of the report */
    const struct scenario *scenario;
    struct simulation *simulation;
    struct run_plan plan;
    struct run_arrivals arrivals;
    int64_t row, last; /* the next frame; the last step that is compared */
    size_t version;    /* the next version of the map */
    bool diverged;
    double target_before[GRID_AXES];
    struct replayed_table emissions, arrival_rows, captures, plans, paths;
    /* Memory for a field of the run, over the whole map and in its precision,
     * and for the recorded one; and for a value of each agent. */
    void *field[GRID_AXES], *kept[RECORDING_MAX_WAVES], *recorded;
    double *values, *expected;
};

static enum status tables_read(struct replay *replay, struct error *error)
{
    const struct recording *recording = replay->recording;
    const struct {
        const char *name;
        const char *const *columns;
        struct replayed_table *table;
    } tables[] = {
        { "emissions", emission_columns, &replay->emissions },
        { "arrivals", arrival_columns, &replay->arrival_rows },
        { "captures", capture_columns, &replay->captures },
        { "plans", plan_columns, &replay->plans },
    };
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !status; i++)
        status = table_read(recording, tables[i].columns,
                            recording_table_rows(recording, tables[i].name),
                            tables[i].table, error);
    double cells = 0;
    for (size_t i = 0; i < replay->plans.rows && !status; i++) {
        double size = replay->plans.column[3][i];
        cells += size > 0 && size < 0x1p31 ? size : 0;
    }
    const struct variable *x = recording_find(recording, "plans/x");
    if (x && cells > (double)variable_elements(x))
        cells = (double)variable_elements(x);
    return status ? status
                  : table_read(recording, path_columns, (int64_t)cells,
                               &replay->paths, error);
}

/* Is the field in the file, or computed from keyframes by the reader? */
static bool has_field(const struct replay *replay, int wave, const char *tail)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d%s", wave, tail);
    return recording_find(replay->recording, name) != NULL;
}

/* The number of waves that are recorded and that the run has. If the numbers
 * differ, check_parts reports it. */
static int waves_of(const struct replay *replay)
{
    const int recorded = recording_waves(replay->recording);
    const int made = replay->plan.recording.waves;
    return recorded < made ? recorded : made;
}

/* The maximum bytes per cell of a recorded field, amplitude or arrival. */
static size_t region_element(const struct replay *replay)
{
    const struct shape *shape = &replay->recording->shape;
    const size_t real = shape->parts & (PART_AMPLITUDE | PART_GRADIENT)
                            ? element_bytes(shape->real)
                            : 0;
    return real > sizeof(int32_t) ? real : sizeof(int32_t);
}

static enum status room(struct replay *replay, struct error *error)
{
    const struct recording *recording = replay->recording;
    const size_t field = simulation_field_bytes(replay->simulation);
    const int fields = has_field(replay, 0, "_grad_x")
                           ? grid_axes(recording_grid(recording))
                           : has_field(replay, 0, "");
    const size_t agents =
        pursuit_agents(simulation_pursuit(replay->simulation))->count;
    bool good = true;
    for (int i = 0; i < fields; i++) {
        replay->field[i] = memory_new(field, 1);
        good = good && replay->field[i];
    }
    for (int i = 0; replay->arrivals.waves && i < waves_of(replay); i++) {
        replay->kept[i] = memory_new(field, 1);
        good = good && replay->kept[i];
    }
    if (recording_waves(recording) > 0)
        replay->recorded =
            memory_new(box_cells(&recording->region), region_element(replay));
    else
        replay->recorded = memory_new(1, 1);
    replay->values = memory_new(agents + 1, sizeof *replay->values);
    replay->expected = memory_new(agents + 1, sizeof *replay->expected);
    return good && replay->recorded && replay->values && replay->expected
               ? STATUS_OK
               : error_memory(error);
}

static enum status replay_init(struct replay *replay, struct error *error)
{
    const struct recording *recording = replay->recording;
    enum status status =
        simulation_new(replay->scenario, 1, &replay->simulation, error);
    if (!status)
        status = run_plan_init(&replay->plan, replay->scenario,
                               replay->simulation, NULL, error);
    if (!status && recording->shape.parts & PART_ARRIVAL)
        status = run_arrivals_init(&replay->arrivals, replay->scenario,
                                   replay->simulation, error);
    if (!status)
        status = tables_read(replay, error);
    replay->last = recording_steps(recording)[recording_rows(recording) - 1];
    return status ? status : room(replay, error);
}

static void replay_release(struct replay *replay)
{
    table_release(&replay->emissions);
    table_release(&replay->arrival_rows);
    table_release(&replay->captures);
    table_release(&replay->plans);
    table_release(&replay->paths);
    for (int i = 0; i < GRID_AXES; i++)
        memory_release(replay->field[i]);
    for (int i = 0; i < RECORDING_MAX_WAVES; i++)
        memory_release(replay->kept[i]);
    memory_release(replay->recorded);
    memory_release(replay->values);
    memory_release(replay->expected);
    run_arrivals_release(&replay->arrivals);
    run_plan_release(&replay->plan);
    simulation_release(replay->simulation);
}

/* ---- the content of the recording ---- */

/* Each text has the same number of bytes, filled up with NUL. */
static enum status check_names(const struct replay *replay, const char *name,
                               const char *const *texts, struct error *error)
{
    const struct variable *variable = recording_find(replay->recording, name);
    const size_t width = (size_t)variable->extent[1];
    char *recorded = memory_new(variable_elements(variable), 1);
    if (!recorded)
        return error_memory(error);
    bool good = !recording_read(replay->recording, variable, 0, recorded, NULL);
    for (size_t i = 0; i < replay->plan.recording.agents; i++) {
        const char *is = recorded + i * width;
        const size_t length = strlen(texts[i]);
        bool same =
            good && length <= width && memcmp(is, texts[i], length) == 0;
        for (size_t j = length; same && j < width; j++)
            same = is[j] == '\0';
        finding_expect(&replay->finding[CHECK_REPLAY], same,
                       "an agent has another name or method");
    }
    memory_release(recorded);
    return STATUS_OK;
}

/* Compares the parts with those that the run would have recorded. Packed
 * recordings have no state to resume from; expanded ones have every frame
 * instead of keyframes. */
static enum status check_parts(const struct replay *replay, struct error *error)
{
    const struct recording *recording = replay->recording;
    const struct shape *is = &recording->shape;
    struct finding *finding = &replay->finding[CHECK_REPLAY];
    struct recording_plan plan = replay->plan.recording;
    const unsigned beside = PART_RESTART | PART_PACKED | PART_TIME |
                            PART_QUANTITY | PART_SECONDS | PART_METRES |
                            PART_OWN_NAMES;
    if (plan.keyframes && !recording->keyframes) {
        plan.keyframes = 0;
        plan.gradient = replay->scenario->record.fields & FIELD_GRADIENT;
    }
    struct shape shape;
    enum status status = recording_plan_shape(&plan, &shape, error);
    if (status)
        return status;
    finding_expect(finding, ((shape.parts ^ is->parts) & ~beside) == 0,
                   "other variables are recorded than its scenario records");
    const unsigned real = PART_AMPLITUDE | PART_GRADIENT;
    finding_expect(
        finding,
        (!(is->parts & (real | PART_ARRIVAL)) || shape.waves == is->waves) &&
            (!(is->parts & real) || shape.real == is->real),
        "other waves are recorded than its scenario's");
    finding_expect(
        finding,
        memcmp(&plan.region, &recording->region, sizeof plan.region) == 0,
        "another region is recorded than its scenario's");
    finding_expect(finding, plan.keyframes == recording->keyframes,
                   "record.keyframes is another");
    bool agents =
        !plan.agents || shape.length[AXIS_AGENT] == is->length[AXIS_AGENT];
    finding_expect(finding, agents,
                   "other agents are recorded than its scenario's");
    if (agents && plan.agents) {
        status = check_names(replay, "agents/name", plan.agent_names, error);
        if (!status)
            status =
                check_names(replay, "agents/method", plan.agent_methods, error);
    }
    return status;
}

/* The coordinates of an axis: 0, 1, 2, … */
static enum status check_numbers(const struct replay *replay, const char *name,
                                 struct error *error)
{
    const struct variable *variable = recording_find(replay->recording, name);
    const struct spot spot = { -1, -1, -1, -1 };
    double *values = NULL;
    if (!variable)
        return STATUS_OK;
    enum status status =
        table_column_read(replay->recording, name, 0, &values, error);
    if (status)
        return status;
    for (size_t i = 0; i < variable_elements(variable); i++)
        finding_exact(&replay->finding[CHECK_REPLAY], values[i], (double)i,
                      &spot);
    memory_release(values);
    return STATUS_OK;
}

/* An axis in seconds or metres is the scale times the steps or cells stored
 * beside it. */
static enum status check_axis(const struct replay *replay, const char *name,
                              const char *beside, double unit,
                              struct error *error)
{
    const struct spot spot = { -1, -1, -1, -1 };
    const struct variable *variable = recording_find(replay->recording, beside);
    double *values = NULL, *counts = NULL;
    if (!variable)
        return STATUS_OK;
    size_t rows = strcmp(name, "time") == 0
                      ? (size_t)recording_rows(replay->recording)
                      : variable_elements(variable);
    enum status status =
        table_column_read(replay->recording, name, rows, &values, error);
    if (!status)
        status =
            table_column_read(replay->recording, beside, rows, &counts, error);
    for (size_t i = 0; i < rows && !status; i++)
        finding_exact(&replay->finding[CHECK_REPLAY], values[i],
                      counts[i] * unit, &spot);
    memory_release(values);
    memory_release(counts);
    return status;
}

static enum status check_axes(const struct replay *replay, struct error *error)
{
    static const char *const cells[][2] = {
        { "x", "cell_x" },
        { "y", "cell_y" },
        { "z", "cell_z" },
        { "world/x", "world/cell_x" },
        { "world/y", "world/cell_y" },
        { "world/z", "world/cell_z" },
    };
    const struct recording_plan *plan = &replay->plan.recording;
    enum status status =
        check_axis(replay, "time", "step", plan->step_seconds, error);
    for (size_t i = 0; i < sizeof cells / sizeof *cells && !status; i++)
        status = check_axis(replay, cells[i][0], cells[i][1], plan->cell_metres,
                            error);
    return status;
}

/* There must be a frame for each multiple of record.every, and one for the last
 * step. */
static enum status check_times(const struct replay *replay, struct error *error)
{
    const struct recording *recording = replay->recording;
    const struct recording_plan *plan = &replay->plan.recording;
    struct finding *finding = &replay->finding[CHECK_REPLAY];
    int64_t rows = recording_rows(recording);
    enum status status = check_numbers(replay, "version", error);
    if (!status)
        status = check_numbers(replay, "agents/agent", error);
    if (!status)
        status = check_axes(replay, error);
    if (status)
        return status;
    for (int64_t i = 0; i < rows; i++) {
        int64_t step = recording_steps(recording)[i];
        bool good = i == rows - 1 ? step > (i - 1) * plan->every &&
                                        step <= i * plan->every
                                  : step == i * plan->every;
        finding_expect(finding, good, "time is not what record.every makes it");
    }
    for (size_t i = 0; i < recording->versions || i < plan->versions; i++) {
        bool same = i < recording->versions && i < plan->versions &&
                    recording->version_steps[i] == plan->version_steps[i];
        bool to_come = i >= recording->versions && i < plan->versions &&
                       plan->version_steps[i] > replay->last;
        finding_expect(finding, same || to_come,
                       "version_step is not what the events make it");
    }
    return STATUS_OK;
}

/* ---- one step ---- */

static void check_emissions(struct replay *replay, int64_t step)
{
    size_t count;
    const struct simulation_emission *made =
        simulation_emissions(replay->simulation, &count);
    for (size_t i = 0; i < count; i++) {
        int at[GRID_AXES];
        grid_cell(&replay->scenario->terrain.grid, made[i].cell, at);
        const double values[COLUMNS_MOST] = { made[i].wave, (double)step, at[0],
                                              at[1], at[2] };
        table_expect(&replay->emissions, values,
                     &(struct spot){ made[i].wave, -1, step, -1 },
                     &replay->finding[CHECK_REPLAY_EMISSIONS]);
    }
}

static enum arrival_quantity quantity_of(const struct replay *replay, int agent)
{
    const struct agents *agents =
        pursuit_agents(simulation_pursuit(replay->simulation));
    if (agents->settings[agent]->method == METHOD_LEE)
        return QUANTITY_FRONT_STEP;
    return replay->scenario->arrival.detector->own_wave ? QUANTITY_LOG_SUM
                                                        : QUANTITY_AMPLITUDE;
}

static void check_pursuit(struct replay *replay, int64_t step)
{
    const struct pursuit *pursuit = simulation_pursuit(replay->simulation);
    const struct agent_arrivals *arrivals = pursuit_arrivals(pursuit);
    for (size_t i = 0; i < arrivals->count; i++) {
        const struct agent_arrival *made = &arrivals->items[i];
        const double *gradient = made->gradient, *heading = made->heading;
        const double values[COLUMNS_MOST] = {
            made->agent,        made->wave,
            (double)made->step, quantity_of(replay, made->agent),
            made->amplitude,    gradient[0],
            gradient[1],        gradient[2],
            heading[0],         heading[1],
            heading[2],
        };
        table_expect(&replay->arrival_rows, values,
                     &(struct spot){ -1, made->agent, step, -1 },
                     &replay->finding[CHECK_REPLAY_ARRIVALS]);
    }
    size_t count;
    const int *captures = pursuit_captures(pursuit, &count);
    for (size_t i = 0; i < count; i++)
        table_expect(
            &replay->captures,
            (const double[COLUMNS_MOST]){ captures[i], 0, (double)step },
            &(struct spot){ -1, captures[i], step, -1 },
            &replay->finding[CHECK_REPLAY_CAPTURES]);
}

/* Expansions of D* Lite are taken as recorded: a resumed run has started a new
 * search, and the recording does not contain when it was resumed. */
static double expansions_of(const struct replay *replay,
                            const struct agent_plan *plan)
{
    const struct replayed_table *table = &replay->plans;
    const struct agents *agents =
        pursuit_agents(simulation_pursuit(replay->simulation));
    if (agents->settings[plan->agent]->method != METHOD_DSTAR_LITE ||
        table->next >= table->rows)
        return (double)plan->expansions;
    finding_skip(&replay->finding[CHECK_REPLAY_PLANS], 1,
                 "expansions of D* Lite, which a resumed run starts again");
    return table->column[2][table->next];
}

static void check_plans(struct replay *replay, int64_t step)
{
    struct finding *finding = &replay->finding[CHECK_REPLAY_PLANS];
    struct agent_plan plan;
    while (simulation_plan(replay->simulation, &plan)) {
        const struct spot spot = { -1, plan.agent, step, -1 };
        const double values[COLUMNS_MOST] = { plan.agent, (double)plan.step,
                                              expansions_of(replay, &plan),
                                              (double)plan.path_cells };
        table_expect(&replay->plans, values, &spot, finding);
        for (size_t i = 0; i < plan.path_cells; i++) {
            int at[GRID_AXES];
            grid_cell(&replay->scenario->terrain.grid, (size_t)plan.path[i],
                      at);
            table_expect(&replay->paths,
                         (const double[COLUMNS_MOST]){ at[0], at[1], at[2] },
                         &spot, finding);
        }
    }
}

/* Compares `cells` adjacent cells; the first one's is spot.cell. Rows are equal
 * nearly always, and one comparison of bytes shows it. */
static void check_cells(struct finding *finding, enum element_type type,
                        const char *recorded, const char *mine, size_t cells,
                        struct spot spot)
{
    const size_t width = element_bytes(type);
    if (memcmp(recorded, mine, cells * width) == 0) {
        finding_equal(finding, cells, &spot);
        return;
    }
    for (size_t i = 0; i < cells; i++, spot.cell++)
        finding_exact(finding, element_real(type, recorded + i * width),
                      element_real(type, mine + i * width), &spot);
}

/* Compares an array of a version in the root, which covers the region only. */
static void check_terrain_region(const struct replay *replay,
                                 const struct terrain_array *array,
                                 const char *mine, char *recorded, int64_t step)
{
    const struct recording *recording = replay->recording;
    const struct grid *grid = recording_grid(recording);
    const struct box *box = &recording->region;
    const enum element_type type = array->width == 1 ? TYPE_INT8 : TYPE_FLOAT64;
    const size_t width = (size_t)(box->high[0] - box->low[0] + 1);
    const size_t bytes = box_cells(box) * array->width;
    if (recording_read_bytes(recording,
                             layout_find(&recording->layout, array->name),
                             replay->version * bytes, bytes, recorded, NULL))
        return;
    for (int z = box->low[2]; z <= box->high[2]; z++)
        for (int y = box->low[1]; y <= box->high[1]; y++) {
            size_t cell = grid_index(grid, box->low[0], y, z);
            check_cells(&replay->finding[CHECK_REPLAY_MAP], type, recorded,
                        mine + cell * array->width, width,
                        (struct spot){ -1, -1, step, (int64_t)cell });
            recorded += width * array->width;
        }
}

/* Compares an array of a version with the run's: over the whole map, and over
 * the region in the root. */
static enum status check_terrain_array(struct replay *replay, int which,
                                       int64_t step, struct error *error)
{
    const struct recording *recording = replay->recording;
    const struct terrain *terrain = simulation_terrain(replay->simulation);
    const struct terrain_array *array = &terrain_arrays[which];
    const char *mine = terrain_array_at(terrain, which);
    struct finding *finding = &replay->finding[CHECK_REPLAY_MAP];
    enum element_type type = array->width == 1 ? TYPE_INT8 : TYPE_FLOAT64;
    if (!mine || !recording_find(recording, array->name))
        return STATUS_OK;
    const size_t cells = grid_cells(&terrain->grid);
    char *recorded = memory_new(cells, array->width);
    if (!recorded)
        return error_memory(error);
    bool good = !recording_read_terrain(recording, array->name, replay->version,
                                        recorded, NULL);
    if (good)
        check_cells(finding, type, recorded, mine, cells,
                    (struct spot){ -1, -1, step, 0 });
    if (good && recording->shape.parts & PART_WORLD)
        check_terrain_region(replay, array, mine, recorded, step);
    memory_release(recorded);
    return STATUS_OK;
}

static enum status check_map(struct replay *replay, int64_t step,
                             struct error *error)
{
    enum status status = STATUS_OK;
    if (step > 0 && !simulation_terrain_changed(replay->simulation))
        return STATUS_OK;
    if (replay->version >= replay->recording->versions)
        return STATUS_OK; /* reported by check_times */
    for (int i = 0; i < TERRAIN_ARRAYS && !status; i++)
        status = check_terrain_array(replay, i, step, error);
    replay->version++;
    return status;
}

/* ---- one frame ---- */

/* Compares `count` values of a row of a variable, if it is recorded. */
static void check_values(const struct replay *replay, const char *name,
                         const double *expected, size_t count, int agent,
                         struct finding *finding)
{
    const struct variable *variable = recording_find(replay->recording, name);
    int64_t step = recording_steps(replay->recording)[replay->row];
    if (!variable || variable_elements(variable) != count ||
        recording_read_real(replay->recording, variable, replay->row,
                            replay->values, NULL))
        return;
    for (size_t i = 0; i < count; i++)
        finding_exact(
            finding, replay->values[i], expected[i],
            &(struct spot){ -1, agent < 0 ? agent : (int)i, step, -1 });
}

static void check_agents(const struct replay *replay)
{
    const struct agents *agents =
        pursuit_agents(simulation_pursuit(replay->simulation));
    struct finding *finding = &replay->finding[CHECK_REPLAY_AGENTS];
    for (int axis = 0; axis < GRID_AXES; axis++) {
        char name[VARIABLE_NAME_SIZE];
        snprintf(name, sizeof name, "agents/%c", "xyz"[axis]);
        check_values(replay, name, agents->at[axis], agents->count, 0, finding);
        snprintf(name, sizeof name, "agents/heading_%c", "xyz"[axis]);
        check_values(replay, name, agents->heading[axis], agents->count, 0,
                     finding);
    }
    double *states = replay->expected;
    for (size_t i = 0; i < agents->count; i++)
        states[i] = agents->state[i];
    check_values(replay, "agents/state", states, agents->count, 0, finding);
}

/* Captured if any agent has captured it; else by whether it can move and
 * did. */
static enum agent_state target_state(const struct replay *replay)
{
    const struct pursuit *pursuit = simulation_pursuit(replay->simulation);
    const struct agents *agents = pursuit_agents(pursuit);
    const struct target *target = pursuit_target(pursuit);
    const struct target_settings *settings = target->settings;
    for (size_t i = 0; i < agents->count; i++)
        if (agents->state[i] == AGENT_CAPTURED)
            return AGENT_CAPTURED;
    if (simulation_step(replay->simulation) == 0 || !settings ||
        settings->motion == MOTION_STILL || !(settings->speed > 0))
        return AGENT_WAITING;
    return memcmp(target->at, replay->target_before, sizeof target->at) == 0
               ? AGENT_STUCK
               : AGENT_MOVING;
}

static void check_target(const struct replay *replay)
{
    const struct target *target =
        pursuit_target(simulation_pursuit(replay->simulation));
    struct finding *finding = &replay->finding[CHECK_REPLAY_TARGET];
    const double state = target_state(replay);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        char name[VARIABLE_NAME_SIZE];
        snprintf(name, sizeof name, "target/%c", "xyz"[axis]);
        check_values(replay, name, &target->at[axis], 1, SPOT_TARGET, finding);
        snprintf(name, sizeof name, "target/heading_%c", "xyz"[axis]);
        check_values(replay, name, &target->heading[axis], 1, SPOT_TARGET,
                     finding);
    }
    check_values(replay, "target/state", &state, 1, SPOT_TARGET, finding);
}

static void check_relay(const struct replay *replay)
{
    const struct relay_counters *counters =
        pursuit_relay(simulation_pursuit(replay->simulation));
    const double values[RELAY_COUNTERS] = {
        (double)counters->searches,   (double)counters->researches,
        (double)counters->goals,      (double)counters->failures,
        (double)counters->nodes_most, (double)counters->researches_most,
    };
    for (int i = 0; i < RELAY_COUNTERS; i++) {
        char name[VARIABLE_NAME_SIZE];
        snprintf(name, sizeof name, "relay/%s", relay_counter_names[i]);
        check_values(replay, name, &values[i], 1, -1,
                     &replay->finding[CHECK_REPLAY_AGENTS]);
    }
}

/* Compares a field of the run, packed over the whole grid, with the recorded
 * region. If the recording was rounded when it was packed, the values are
 * rounded here. */
static void check_field(const struct replay *replay, int wave, const char *tail,
                        void *field)
{
    const struct recording *recording = replay->recording;
    const struct grid *grid = recording_grid(recording);
    const struct box *box = &recording->region;
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d%s", wave, tail);
    const struct variable *variable = recording_find(recording, name);
    if (!variable || variable_elements(variable) != box_cells(box) ||
        element_bytes(variable->type) * grid_cells(grid) !=
            /* reported by check_parts */
            simulation_field_bytes(replay->simulation) ||
        recording_read(recording, variable, replay->row, replay->recorded,
                       NULL))
        return;
    pack_round(variable->type, recording_keep_bits(recording), field,
               grid_cells(grid));
    struct spot spot = { wave, -1, simulation_step(replay->simulation), -1 };
    const size_t width = element_bytes(variable->type);
    const size_t cells = (size_t)(box->high[0] - box->low[0] + 1);
    const char *recorded = replay->recorded;
    for (int z = box->low[2]; z <= box->high[2]; z++)
        for (int y = box->low[1]; y <= box->high[1]; y++) {
            spot.cell = (int64_t)grid_index(grid, box->low[0], y, z);
            check_cells(&replay->finding[CHECK_REPLAY_FIELDS], variable->type,
                        recorded, (char *)field + (size_t)spot.cell * width,
                        cells, spot);
            recorded += cells * width;
        }
}

static void check_fields(const struct replay *replay)
{
    static const char *const tails[] = { "_grad_x", "_grad_y", "_grad_z" };
    const int axes = grid_axes(recording_grid(replay->recording));
    for (int i = 0; i < waves_of(replay); i++) {
        if (has_field(replay, i, "")) {
            simulation_amplitude(replay->simulation, i, replay->field[0]);
            check_field(replay, i, "", replay->field[0]);
        }
        if (!has_field(replay, i, tails[0]))
            continue;
        simulation_gradient(replay->simulation, i, replay->field[0],
                            replay->field[1],
                            axes == GRID_AXES ? replay->field[2] : NULL);
        for (int axis = 0; axis < axes && axis < GRID_AXES; axis++)
            check_field(replay, i, tails[axis], replay->field[axis]);
    }
}

static void check_row(struct replay *replay, int64_t step)
{
    if (replay->row >= recording_rows(replay->recording) ||
        recording_steps(replay->recording)[replay->row] != step)
        return;
    check_fields(replay);
    check_agents(replay);
    check_target(replay);
    check_relay(replay);
    replay->row++;
}

/* ---- first-arrival fields ---- */

static bool wants_arrivals(const struct replay *replay, int wave)
{
    return replay->arrivals.waves &&
           run_arrivals_wants(&replay->arrivals, wave,
                              simulation_step(replay->simulation));
}

/* Takes the new generations before waves are emitted again. */
static void keep_arrivals(struct replay *replay)
{
    for (int i = 0; i < waves_of(replay); i++)
        if (wants_arrivals(replay, i)) {
            simulation_amplitude(replay->simulation, i, replay->kept[i]);
            run_arrivals_go_on(&replay->arrivals, i,
                               simulation_step(replay->simulation));
        }
}

static bool is_emitted(const struct replay *replay, int wave)
{
    size_t count;
    const struct simulation_emission *emissions =
        simulation_emissions(replay->simulation, &count);
    for (size_t i = 0; i < count; i++)
        if (emissions[i].wave == wave)
            return true;
    return false;
}

/* The same after this step's events and emissions. */
static void take_arrivals(struct replay *replay, int64_t step)
{
    const struct scenario *scenario = replay->scenario;
    if (!replay->arrivals.waves)
        return;
    for (size_t i = 0; i < scenario->event_count; i++)
        if (scenario->events[i].step == step)
            run_arrivals_update(&replay->arrivals, &scenario->events[i].change,
                                step);
    bool changed = simulation_terrain_changed(replay->simulation);
    for (int i = 0; i < waves_of(replay); i++)
        if (wants_arrivals(replay, i)) {
            if (changed && !is_emitted(replay, i))
                simulation_amplitude(replay->simulation, i, replay->kept[i]);
            run_arrivals_take(&replay->arrivals, i, step, replay->kept[i]);
        }
    size_t count;
    const struct simulation_emission *emissions =
        simulation_emissions(replay->simulation, &count);
    for (size_t i = 0; i < count; i++) {
        int wave = emissions[i].wave;
        if (wave >= waves_of(replay))
            continue;
        simulation_amplitude(replay->simulation, wave, replay->kept[wave]);
        run_arrivals_emitted(&replay->arrivals, wave, emissions[i].cell, step,
                             replay->kept[wave]);
    }
}

/* While a run writes, its field may be ahead of its frames. */
static void check_arrival_field(const struct replay *replay, int wave)
{
    const struct recording *recording = replay->recording;
    struct finding *finding = &replay->finding[CHECK_REPLAY_FIELDS];
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d_arrival", wave);
    const struct variable *variable = recording_find(recording, name);
    const int32_t *steps =
        run_arrivals_steps((struct run_arrivals *)&replay->arrivals, wave);
    if (!variable || !steps || variable->type != TYPE_INT32 ||
        variable_elements(variable) != box_cells(&recording->region) ||
        recording_read(recording, variable, 0, replay->recorded, NULL))
        return;
    const struct grid *grid = recording_grid(recording);
    const struct box *box = &recording->region;
    struct spot spot = { wave, -1, replay->last, -1 };
    const int32_t *recorded = replay->recorded;
    for (int z = box->low[2]; z <= box->high[2]; z++)
        for (int y = box->low[1]; y <= box->high[1]; y++)
            for (int x = box->low[0]; x <= box->high[0]; x++, recorded++) {
                spot.cell = (int64_t)grid_index(grid, x, y, z);
                bool ahead = recording_state(recording) == RUN_RUNNING &&
                             *recorded > replay->last;
                finding_exact(finding, ahead ? -1 : *recorded, steps[spot.cell],
                              &spot);
            }
}

/* ---- the whole run ---- */

static enum status compare_step(struct replay *replay, struct error *error)
{
    enum status status = simulation_begin(replay->simulation, error);
    if (status)
        return status;
    int64_t step = simulation_step(replay->simulation);
    take_arrivals(replay, step);
    check_emissions(replay, step);
    status = check_map(replay, step, error);
    if (status)
        return status;
    check_pursuit(replay, step);
    check_plans(replay, step);
    check_row(replay, step);
    return STATUS_OK;
}

/* Up to the last frame; a run that diverged has continued after it. */
static bool is_over(const struct replay *replay)
{
    return simulation_ended(replay->simulation) ||
           (recording_state(replay->recording) != RUN_DIVERGED &&
            simulation_step(replay->simulation) >= replay->last);
}

static enum status run_again(struct replay *replay, struct error *error)
{
    enum status status = compare_step(replay, error);
    while (!status && !is_over(replay)) {
        memcpy(replay->target_before,
               pursuit_target(simulation_pursuit(replay->simulation))->at,
               sizeof replay->target_before);
        status = simulation_advance(replay->simulation, error);
        if (status == STATUS_DIVERGED) {
            replay->diverged = true;
            return STATUS_OK;
        }
        if (status)
            return status;
        keep_arrivals(replay);
        status = compare_step(replay, error);
    }
    return status;
}

/* While a run writes, rows after the counted ones may already be written. */
static void check_tables(const struct replay *replay)
{
    const struct {
        const struct replayed_table *table;
        enum check check;
    } tables[] = {
        { &replay->emissions, CHECK_REPLAY_EMISSIONS },
        { &replay->arrival_rows, CHECK_REPLAY_ARRIVALS },
        { &replay->captures, CHECK_REPLAY_CAPTURES },
        { &replay->plans, CHECK_REPLAY_PLANS },
        { &replay->paths, CHECK_REPLAY_PLANS },
    };
    const struct layout_item *marked =
        layout_find(&replay->recording->layout, "status/plan_cells");
    int64_t cells = -1;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        struct finding *finding = &replay->finding[tables[i].check];
        table_end(tables[i].table, finding);
        if (recording_state(replay->recording) != RUN_RUNNING)
            table_unused(tables[i].table, finding);
    }
    if (recording_state(replay->recording) != RUN_RUNNING &&
        !recording_read_bytes(replay->recording, marked, 0, sizeof cells,
                              &cells, NULL))
        finding_expect(&replay->finding[CHECK_REPLAY_PLANS],
                       cells == (int64_t)replay->paths.rows,
                       "status/plan_cells is not what the plans have");
}

static void check_end(const struct replay *replay)
{
    struct finding *finding = &replay->finding[CHECK_REPLAY_END];
    const bool ended = simulation_ended(replay->simulation);
    finding_expect(finding, replay->row == recording_rows(replay->recording),
                   "there are rows of steps that the run does not reach");
    switch (recording_state(replay->recording)) {
    case RUN_DONE:
        finding_expect(finding, ended && !replay->diverged,
                       "the run is marked done before its end");
        break;
    case RUN_DIVERGED:
        finding_expect(finding, replay->diverged,
                       "the run is marked diverged, and does not diverge");
        break;
    case RUN_STOPPED:
        finding_expect(finding, !ended,
                       "the run is marked stopped, and is at its end");
        /* fall through */
    case RUN_RUNNING:
        finding_expect(finding, !replay->diverged,
                       "the run diverges before its rows");
        break;
    }
    check_tables(replay);
    for (int i = 0; replay->arrivals.waves && i < waves_of(replay); i++)
        check_arrival_field(replay, i);
}

/* Notes the checks that have nothing to compare. */
static void note_skips(const struct replay *replay)
{
    static const char *const why[] = {
        [CHECK_REPLAY_FIELDS - CHECK_REPLAY] = "no field is recorded",
        [CHECK_REPLAY_EMISSIONS - CHECK_REPLAY] = "there are no emissions",
        [CHECK_REPLAY_ARRIVALS - CHECK_REPLAY] = "there are no arrivals",
        [CHECK_REPLAY_AGENTS - CHECK_REPLAY] = "no agents are recorded",
        [CHECK_REPLAY_TARGET - CHECK_REPLAY] = "no target is recorded",
        [CHECK_REPLAY_PLANS - CHECK_REPLAY] = "there are no plans",
        [CHECK_REPLAY_CAPTURES - CHECK_REPLAY] = "there are no captures",
        [CHECK_REPLAY_END - CHECK_REPLAY] = NULL,
    };
    for (int c = CHECK_REPLAY; c <= CHECK_REPLAY_END; c++)
        if (!replay->finding[c].looked && why[c - CHECK_REPLAY])
            finding_skip(&replay->finding[c], 0, "%s", why[c - CHECK_REPLAY]);
}

static enum status replay_run(struct replay *replay, struct error *error)
{
    enum status status = replay_init(replay, error);
    if (!status)
        status = check_parts(replay, error);
    if (!status)
        status = check_times(replay, error);
    if (!status)
        status = run_again(replay, error);
    if (!status) {
        check_end(replay);
        note_skips(replay);
    }
    replay_release(replay);
    return status;
}

enum status check_replay(const struct recording *recording,
                         const struct scenario *scenario,
                         struct check_report *report, struct error *error)
{
    struct replay replay = { .recording = recording,
                             .scenario = scenario,
                             .finding = report->finding };
    return replay_run(&replay, error);
}
