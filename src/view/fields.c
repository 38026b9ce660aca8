/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include "view/density.h"
#include "view/flux.h"
#include "view/front_error.h"
#include "view/headings.h"
#include "view/view.h"
#include "words/words.h"
#include "world/local_width.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool has(const struct recording *recording, int wave, const char *suffix)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "wave%d%s", wave, suffix);
    return recording_find(recording, name) != NULL;
}

static bool has_steps(const struct recording *recording)
{
    return recording_every(recording) == 1;
}

/* Every step, and the whole map if the whole run has that. */
static bool has_map(const struct recording *recording)
{
    const struct box region = recording_region(recording);
    const struct box map = grid_box(recording_grid(recording));
    return has_steps(recording) && (!recording_has_whole(recording) ||
                                    memcmp(&region, &map, sizeof map) == 0);
}

/* ---- amplitude, gradient and its direction ---- */

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

/* The length of the field's vectors. */
static enum status length_read(struct view *view, int64_t row,
                               struct error *error)
{
    size_t cells = (size_t)view->cut.nx * (size_t)view->cut.ny;
    enum status status =
        view->field->component(view, 0, row, view->values, error);
    for (size_t i = 0; i < cells && !status; i++)
        view->values[i] = fabs(view->values[i]);
    for (int axis = 1; axis < recording_grid(view->recording)->dims && !status;
         axis++) {
        status = view->field->component(view, axis, row, view->plane, error);
        for (size_t i = 0; i < cells && !status; i++)
            view->values[i] = hypot(view->values[i], view->plane[i]);
    }
    return status;
}

static bool flux_there(const struct recording *recording, int wave)
{
    return gradient_there(recording, wave) &&
           amplitude_there(recording, wave) && has_steps(recording);
}

/* With the heading `paper` agents move along +∇z, else along sign(z)·∇z. */
static bool is_signed(const struct recording *recording)
{
    const char *rule = recording_setting(recording, "arrival.heading");
    return !rule || !strstr(rule, "paper");
}

static bool direction_there(const struct recording *recording, int wave)
{
    return gradient_there(recording, wave) &&
           (!is_signed(recording) || amplitude_there(recording, wave));
}

/* The angle in the picture's plane, counter-clockwise from the right, in (−180,
 * 180]. The sign of a zero is ignored, else left would have two angles. NaN: no
 * direction in this plane. */
static double angle_of(double right, double down)
{
    const double degrees = 180 / acos(-1);
    right += 0.;
    down = 0. - down;
    return right == 0 && down == 0 ? (double)NAN : atan2(down, right) * degrees;
}

static enum status direction_read(struct view *view, int64_t row,
                                  struct error *error)
{
    size_t cells = (size_t)view->cut.nx * (size_t)view->cut.ny;
    enum status status =
        view_read_gradient(view, view->cut.right, row, view->values, error);
    if (!status)
        status =
            view_read_gradient(view, view->cut.down, row, view->plane, error);
    if (status)
        return status;
    for (size_t i = 0; i < cells; i++)
        view->values[i] = angle_of(view->values[i], view->plane[i]);
    if (!is_signed(view->recording))
        return STATUS_OK;
    status = view_read_wave(view, "", row, view->plane, error);
    for (size_t i = 0; !status && i < cells; i++)
        if (view->plane[i] < 0)
            view->values[i] += view->values[i] > 0 ? -180 : 180;
    return status;
}

/* The whole map's cell of a cell of the plane. */
static size_t plane_cell(const struct view *view, int x, int y)
{
    const struct cut *cut = &view->cut;
    const int *low = view->region.low;
    int at[GRID_AXES] = { 0 };
    at[cut->axis] = cut->at;
    at[cut->right] = x;
    at[cut->down] = y;
    return grid_index(recording_grid(view->recording), at[0] + low[0],
                      at[1] + low[1], at[2] + low[2]);
}

/* ---- the headings of first arrivals ---- */

/* Waves are stepped again from their settings, for any recorded fields. */
static bool heading_there(const struct recording *recording, int wave)
{
    (void)wave;
    return recording_setting(recording, "wave.delta") != NULL;
}

static void release_headings(void *work)
{
    headings_release(work);
}

static enum status heading_read(struct view *view, int64_t row,
                                struct error *error)
{
    const struct cut *cut = &view->cut;
    enum status status = STATUS_OK;
    struct headings *headings = view->work;
    if (!headings)
        status = headings_new(view->source, view->wave, &headings, error);
    view->work = headings;
    view->release_work = release_headings;
    if (!status)
        status =
            headings_go_to(headings, recording_steps(view->source)[row], error);
    for (int y = 0; y < cut->ny && !status; y++)
        for (int x = 0; x < cut->nx; x++) {
            double way[GRID_AXES];
            headings_at(headings, plane_cell(view, x, y), way);
            view->values[(size_t)y * (size_t)cut->nx + (size_t)x] =
                angle_of(way[cut->right], way[cut->down]);
        }
    return status;
}

/* ---- arrival ---- */

static bool arrival_there(const struct recording *recording, int wave)
{
    return has(recording, wave, "_arrival") ||
           (amplitude_there(recording, wave) && has_map(recording));
}

static enum status arrival_read(struct view *view, int64_t row,
                                struct error *error)
{
    enum status status;
    if (has(view->source, view->wave, "_arrival")) {
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

/* ---- the headings of the first front against the shortest paths ---- */

/* The index in the whole map of a cell of the region. */
static size_t world_cell(const struct view *view, size_t i)
{
    const int *low = view->region.low;
    int at[GRID_AXES];
    grid_cell(&view->cut.block, i, at);
    return grid_index(recording_grid(view->recording), at[0] + low[0],
                      at[1] + low[1], at[2] + low[2]);
}

static bool front_there(const struct recording *recording, int wave)
{
    return amplitude_there(recording, wave) &&
           has(recording, wave, "_grad_x") && has_map(recording);
}

static double cause_in(const struct front *front, const struct truth *truth,
                       size_t cell)
{
    return front_kind(front, truth, cell);
}

/* Fills view->block; fronts are followed over the whole map only. */
static enum status compare_front(struct view *view,
                                 double (*value)(const struct front *front,
                                                 const struct truth *truth,
                                                 size_t cell),
                                 struct error *error)
{
    struct front front = { 0 };
    struct truth truth = { 0 };
    struct arrival_settings settings;
    enum status status = arrival_settings_of(view->source, &settings, error);
    if (!status)
        status = front_compare(&front, &truth, view->source, view->wave,
                               &settings, acos(-1) / 2, error);
    if (!status && !view_block(view))
        status = error_memory(error);
    for (size_t i = 0; i < grid_cells(&view->cut.block) && !status; i++)
        view->block[i] = value(&front, &truth, world_cell(view, i));
    truth_release(&truth);
    front_release(&front);
    return status;
}

static enum status front_read(struct view *view,
                              double (*value)(const struct front *front,
                                              const struct truth *truth,
                                              size_t cell),
                              struct error *error)
{
    enum status status =
        view->derived ? STATUS_OK : compare_front(view, value, error);
    view->derived = !status;
    if (!status)
        cut_take(&view->cut, view->block, view->values);
    return status;
}

static enum status error_read(struct view *view, int64_t row,
                              struct error *error)
{
    (void)row;
    return front_read(view, front_error, error);
}

static enum status cause_read(struct view *view, int64_t row,
                              struct error *error)
{
    (void)row;
    return front_read(view, cause_in, error);
}

/* ---- path density ---- */

static bool density_there(const struct recording *recording, int wave)
{
    return recording_find(recording, "agents/x") != NULL;
}

static void release_density(void *work)
{
    density_release(work);
}

static enum status density_read(struct view *view, int64_t row,
                                struct error *error)
{
    struct density *density = view->work;
    enum status status =
        density ? STATUS_OK : density_new(view->source, &density, error);
    if (status)
        return status;
    view->work = density;
    view->release_work = release_density;
    status = density_go_to(density, row, error);
    for (int y = 0; y < view->cut.ny && !status; y++)
        for (int x = 0; x < view->cut.nx; x++) {
            int32_t count = density_at(density, plane_cell(view, x, y));
            view->values[(size_t)y * (size_t)view->cut.nx + (size_t)x] =
                count ? count : (double)NAN;
        }
    return status;
}

/* ---- terrain ---- */

static bool speed_there(const struct recording *recording, int wave)
{
    return recording_find(recording, "speed") != NULL;
}

static bool cost_there(const struct recording *recording, int wave)
{
    return recording_find(recording, "cost") != NULL;
}

static bool one_way_there(const struct recording *recording, int wave)
{
    return recording_find(recording, "one_way") != NULL;
}

static enum status terrain_read(struct view *view, const char *name,
                                struct error *error)
{
    enum status status = view_block(view)
                             ? view_read_terrain(view, name, view->block, error)
                             : error_memory(error);
    if (!status)
        cut_take(&view->cut, view->block, view->values);
    return status;
}

static enum status speed_read(struct view *view, int64_t row,
                              struct error *error)
{
    return terrain_read(view, "speed", error);
}

static enum status cost_read(struct view *view, int64_t row,
                             struct error *error)
{
    return terrain_read(view, "cost", error);
}

/* NaN for cells that may be left in any direction, or only across the plane. */
static enum status one_way_read(struct view *view, int64_t row,
                                struct error *error)
{
    size_t cells = (size_t)view->cut.nx * (size_t)view->cut.ny;
    enum status status = terrain_read(view, "one_way", error);
    for (size_t i = 0; !status && i < cells; i++) {
        double stored = view->values[i];
        view->values[i] = (double)NAN;
        if (stored >= 1 && stored <= DIRECTIONS) {
            const int *step = direction_step[(int)stored - 1];
            view->values[i] =
                angle_of(step[view->cut.right], step[view->cut.down]);
        }
    }
    return status;
}

/* ---- local width ---- */

static bool width_there(const struct recording *recording, int wave)
{
    (void)recording;
    (void)wave;
    return true;
}

static bool height_there(const struct recording *recording, int wave)
{
    (void)wave;
    return recording_grid(recording)->dims == 3;
}

/* Copies the region's part of the world's widths or heights into view->block; 0
 * becomes NaN. */
static void take_widths(struct view *view, const int32_t *widths)
{
    for (size_t i = 0; i < grid_cells(&view->cut.block); i++) {
        int32_t width = widths[world_cell(view, i)];
        view->block[i] = width ? width : (double)NAN;
    }
}

/* From the walls of the whole world, for any recorded region. */
static enum status find_widths(struct view *view, bool height,
                               struct error *error)
{
    struct terrain terrain = { 0 };
    const struct grid *world = recording_grid(view->recording);
    size_t cells = grid_cells(world);
    int32_t *widths = memory_new(cells, sizeof *widths);
    int32_t *heights = height ? memory_new(cells, sizeof *heights) : NULL;
    enum status status = !view_block(view) || !widths || (height && !heights)
                             ? error_memory(error)
                             : terrain_init(&terrain, world, error);
    if (!status)
        status =
            recording_read_terrain(view->recording, "wall",
                                   (size_t)view->version, terrain.wall, error);
    if (!status)
        status = local_width(&terrain, widths, heights, error);
    if (!status)
        take_widths(view, height ? heights : widths);
    terrain_release(&terrain);
    memory_release(widths);
    memory_release(heights);
    return status;
}

static enum status extent_read(struct view *view, bool height,
                               struct error *error)
{
    enum status status =
        view->widths ? STATUS_OK : find_widths(view, height, error);
    view->widths = !status;
    if (!status)
        cut_take(&view->cut, view->block, view->values);
    return status;
}

static enum status width_read(struct view *view, int64_t row,
                              struct error *error)
{
    (void)row;
    return extent_read(view, false, error);
}

static enum status height_read(struct view *view, int64_t row,
                               struct error *error)
{
    (void)row;
    return extent_read(view, true, error);
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
    .name = N_("amplitude"),
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
    .name = N_("gradient"),
    .unit = N_("per cell"),
    .map = "viridis",
    .range = RANGE_DATA,
    .of_wave = true,
    .by_row = true,
    .decades = true,
    .there = gradient_there,
    .read = length_read,
    .component = view_read_gradient,
};
static const struct field flux = {
    .name = N_("flux"),
    .title = N_("energy flux"),
    .unit = N_("per cell and step"),
    .takes = "amplitude and gradient of consecutive steps (record.fields, "
             "record.every = 1)",
    .map = "viridis",
    .range = RANGE_DATA,
    .of_wave = true,
    .by_row = true,
    .decades = true,
    .there = flux_there,
    .read = length_read,
    .component = flux_read_component,
};
/* Common members of fields of the first front. */
#define OF_FRONT                                                               \
    .takes = "amplitude and gradient of every step (record.fields = "          \
             "(\"amplitude\", \"gradient\"), record.every = 1)",               \
    .range = RANGE_FIXED, .of_wave = true, .cell_bytes = 500,                  \
    .there = front_there
static const struct field heading_errors = {
    .name = N_("error"),
    .title = N_("heading error"),
    .unit = N_("degrees"),
    .map = "viridis",
    .high = 180,
    OF_FRONT,
    .read = error_read,
};
static const struct field_kinds causes = { FRONT_KINDS, front_kind_names,
                                           front_kind_colors };
static const struct field cause = {
    .name = N_("cause"),
    .title = N_("cause of wrong headings"),
    .unit = "",
    .map = "", /* kinds have their own colours */
    .low = -.5,
    .high = FRONT_KINDS - .5,
    .kinds = &causes,
    OF_FRONT,
    .read = cause_read,
};
/* Common members of fields of directions. */
#define ANGLE_OF_WAVE                                                          \
    .unit = N_("degrees"), .map = "romaO", .range = RANGE_FIXED, .low = -180,  \
    .high = 180, .of_wave = true, .angle = true, .by_row = true
static const struct field heading = {
    .name = N_("heading"),
    ANGLE_OF_WAVE,
    .cell_bytes = 80,
    .there = heading_there,
    .read = heading_read,
};
static const struct field direction = {
    .name = N_("gradient-direction"),
    ANGLE_OF_WAVE,
    .there = direction_there,
    .read = direction_read,
};
static const struct field arrival = {
    .name = N_("arrival"),
    .by = "arrival.detector",
    .unit = N_("generations"),
    .map = "viridis",
    .range = RANGE_DATA,
    .of_wave = true,
    .rises = true,
    .there = arrival_there,
    .read = arrival_read,
};
static const struct field speed = {
    .name = N_("speed"),
    .unit = N_("of the medium's"),
    .takes = "a map with speeds (regions.speed, map.legend, events)",
    .map = "viridis",
    .range = RANGE_DATA,
    .by_row = true,
    .there = speed_there,
    .read = speed_read,
};
static const struct field cost = {
    .name = N_("cost"),
    .unit = N_("of a move into the cell"),
    .takes = "a map with costs (regions.cost, map.legend)",
    .map = "viridis",
    .range = RANGE_DATA,
    .by_row = true,
    .there = cost_there,
    .read = cost_read,
};
static const struct field one_way = {
    .name = N_("one-way"),
    .title = N_("direction of one-way cells"),
    .takes = "a map with one-way cells (regions.one_way, map.legend)",
    .unit = N_("degrees"),
    .map = "romaO",
    .range = RANGE_FIXED,
    .low = -180,
    .high = 180,
    .angle = true,
    .by_row = true,
    .there = one_way_there,
    .read = one_way_read,
};
static const struct field density = {
    .name = N_("density"),
    .title = N_("path density"),
    .unit = N_("agents"),
    .takes = "agents (record.fields)",
    .map = "viridis",
    .range = RANGE_DATA,
    .by_row = true,
    .whole = true,
    .cell_bytes = 20,
    .there = density_there,
    .read = density_read,
};
static const struct field walls = {
    .name = N_("walls"),
    .unit = "",
    .map = "gray",
    .range = RANGE_FIXED,
    .low = 0,
    .high = 1,
    .by_row = true,
    .of_walls = true,
    .there = walls_there,
    .read = walls_read,
};

/* Common members of fields of the map's free space. */
#define EXTENT                                                                 \
    .unit = N_("cells"), .map = "viridis", .range = RANGE_DATA, .by_row = true
static const struct field width = {
    .name = N_("width"),
    .whole = true,
    EXTENT,
    .there = width_there,
    .read = width_read,
};
static const struct field height = {
    .name = N_("height"),
    .whole = true,
    EXTENT,
    .there = height_there,
    .read = height_read,
};

const struct field *const fields[] = {
    &amplitude, &gradient, &direction, &flux, &heading, &heading_errors,
    &cause,     &arrival,  &speed,     &cost, &one_way, &density,
    &width,     &height,   &walls,     NULL,
};

const struct field *field_find(const char *name)
{
    for (const struct field *const *field = fields; *field; field++)
        if (strcmp((*field)->name, name) == 0)
            return *field;
    return NULL;
}
