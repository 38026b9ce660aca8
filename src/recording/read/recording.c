/* SPDX-License-Identifier: MIT */
/* Opening a recording: its metadata is read and checked once: axes, steps,
 * counts, texts and settings. And the functions that return them. */
#include "recording/read/file.h"

#include "base/inputs.h"
#include "base/memory.h"
#include "settings/parameters.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    VERSIONS_MAX = 1 << 20,
    /* each takes 4 bytes of the file, and 16 in memory */
    SETTINGS_MOST = 1 << 20,
    PIECE = 512,
};

enum status recording_damaged(const struct recording *recording,
                              const char *variable, const char *fault,
                              struct error *error)
{
    return error_at(error, STATUS_INPUT, recording->path, 0,
                    "not a readable recording: %s: %s", variable, fault);
}

/* ---- the file, and its layout ---- */

static enum status open_file(struct recording *recording, const char *path,
                             struct error *error)
{
    struct stat about;
    recording->path = memory_text(path);
    if (!recording->path)
        return error_memory(error);
    recording->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (recording->fd < 0 || fstat(recording->fd, &about) < 0)
        return error_system(error, STATUS_INPUT, "%s: cannot be read", path);
    if (!S_ISREG(about.st_mode))
        return error_at(error, STATUS_INPUT, path, 0,
                        "not a readable recording: not a regular file");
    recording->bytes = (uint64_t)about.st_size;
    return inputs_note(recording->fd, error);
}

static enum status inspect(struct recording *recording, uint64_t cells,
                           struct error *error)
{
    struct inspection inspection;
    enum status status =
        inspect_file(recording->fd, recording->path, &inspection, error);
    if (status)
        return status;
    memcpy(recording->title, inspection.title, sizeof recording->title);
    status =
        inspect_layout(&inspection, recording->path, recording->bytes, cells,
                       &recording->shape, &recording->layout, error);
    memory_release(inspection.items);
    return status;
}

static enum status check_places(const struct recording *recording,
                                struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < recording->layout.count && !status; i++) {
        const struct layout_item *item = &recording->layout.items[i];
        if (!item->chunk[0])
            continue;
        const struct layout_item *list =
            layout_places(&recording->layout, item);
        uint64_t last = list->bytes - sizeof(struct chunk_place);
        struct chunk_place ends[2];
        status = recording_read_bytes(recording, list, 0, sizeof ends[0],
                                      &ends[0], error);
        if (!status)
            status = recording_read_bytes(recording, list, last, sizeof ends[1],
                                          &ends[1], error);
        if (!status && memcmp(ends, item->ends, sizeof ends) != 0)
            status =
                recording_damaged(recording, item->variable.name,
                                  "its chunks are not where its list says: "
                                  "rewritten by another program? Pack the "
                                  "recording itself by hamon-pack",
                                  error);
    }
    return status;
}

/* ---- axes, counts and steps ---- */

/* The coordinates of an axis of cells increase by one; the first value is the
 * position of the region. */
static enum status read_axis(const struct recording *recording,
                             const char *name, double *low, struct error *error)
{
    const struct layout_item *item = layout_find(&recording->layout, name);
    double values[PIECE];
    int64_t extent = item->variable.extent[0];
    for (int64_t first = 0; first < extent; first += PIECE) {
        int64_t count = extent - first < PIECE ? extent - first : PIECE;
        enum status status = recording_read_bytes(
            recording, item, (uint64_t)first * sizeof *values,
            (size_t)count * sizeof *values, values, error);
        if (status)
            return status;
        if (first == 0)
            *low = values[0];
        for (int64_t i = 0; i < count; i++)
            if (!(values[i] == *low + (double)(first + i)))
                return recording_damaged(recording, name,
                                         "does not count cells", error);
    }
    if (!(*low >= 0 && *low + (double)extent <= INT_MAX && *low == floor(*low)))
        return recording_damaged(recording, name, "does not count cells",
                                 error);
    return STATUS_OK;
}

static enum status make_grid(struct recording *recording,
                             const int64_t extent[GRID_AXES],
                             struct error *error)
{
    struct error why;
    for (int axis = 0; axis < GRID_AXES; axis++)
        if (extent[axis] > INT_MAX)
            return recording_damaged(recording, "x", "is too long for a map",
                                     error);
    if (grid_make(recording->shape.parts & PART_DEPTH ? 3 : 2, (int)extent[0],
                  (int)extent[1], (int)extent[2], &recording->grid, &why))
        return error_at(error, STATUS_INPUT, recording->path, 0,
                        "not a readable recording: %.800s", why.message);
    return STATUS_OK;
}

/* Cells are under the names of the axes, or beside them if the axes have a unit
 * of the scenario's scale. */
static enum status read_axes(struct recording *recording, struct error *error)
{
    const struct shape *shape = &recording->shape;
    const char *beside = shape->parts & PART_METRES ? "cell_" : "";
    bool world = shape->parts & PART_WORLD;
    int dims = shape->parts & PART_DEPTH ? 3 : 2;
    int64_t extent[GRID_AXES] = { 1, 1, 1 };
    for (int axis = 0; axis < dims; axis++)
        extent[axis] =
            world ? shape->world[axis] : shape->length[AXIS_X - axis];
    enum status status = make_grid(recording, extent, error);
    for (int axis = 0; axis < dims && !status; axis++) {
        char name[VARIABLE_NAME_SIZE];
        double low = 0, origin = 0;
        snprintf(name, sizeof name, "world/%s%c", beside, "xyz"[axis]);
        if (world)
            status = read_axis(recording, name, &origin, error);
        if (!status)
            status = read_axis(recording, name + 6, &low, error);
        if (status)
            break;
        int64_t high = (int64_t)low + shape->length[AXIS_X - axis] - 1;
        if (origin != 0 || high >= extent[axis])
            return recording_damaged(recording, name + 6,
                                     "is not inside the map", error);
        recording->region.low[axis] = (int)low;
        recording->region.high[axis] = (int)high;
    }
    return status;
}

static enum status read_mark(const struct recording *recording,
                             const char *name, int64_t most, int64_t *value,
                             struct error *error)
{
    char path[VARIABLE_NAME_SIZE];
    snprintf(path, sizeof path, "status/%s", name);
    const struct layout_item *item = layout_find(&recording->layout, path);
    enum status status =
        recording_read_bytes(recording, item, 0, sizeof *value, value, error);
    if (!status && (*value < 0 || *value > most))
        return recording_damaged(recording, path,
                                 "is more than there is room for", error);
    return status;
}

/* The number of rows that a table can have. */
static int64_t table_room(const struct recording *recording, int table)
{
    const struct schema_table *of = &schema_tables[table];
    return recording->shape.parts & of->part ? recording->shape.length[of->axis]
                                             : 0;
}

static enum status read_marks(struct recording *recording, struct error *error)
{
    const struct shape *shape = &recording->shape;
    int64_t state = 0;
    /* The state is read first: a run that ends meanwhile has then committed its
     * frames. */
    enum status status =
        read_mark(recording, "state", RUN_DIVERGED, &state, error);
    recording->state = (enum run_state)state;
    if (!status)
        status = read_mark(recording, "committed", shape->length[AXIS_TIME],
                           &recording->rows, error);
    for (int t = 0; t < TABLES && !status; t++)
        status = read_mark(recording, schema_tables[t].name,
                           table_room(recording, t), &recording->table_rows[t],
                           error);
    return status;
}

/* Reads integers ≥ 0 that must increase. */
static enum status read_growing(const struct recording *recording,
                                const char *name, int64_t count, int64_t **made,
                                struct error *error)
{
    const struct layout_item *item = layout_find(&recording->layout, name);
    int64_t *values = memory_new((size_t)count, sizeof *values);
    if (!values)
        return error_memory(error);
    enum status status = recording_read_bytes(
        recording, item, 0, (size_t)count * sizeof *values, values, error);
    int64_t last = -1;
    for (int64_t i = 0; i < count && !status; i++) {
        double value; /* read as stored, converted in place */
        memcpy(&value, (char *)values + (size_t)i * sizeof value, sizeof value);
        if (!(value > (double)last && value < 9e15 && value == floor(value)))
            status = recording_damaged(
                recording, name, "does not have steps in rising order", error);
        else
            values[i] = last = (int64_t)value;
    }
    if (status)
        memory_release(values);
    else
        *made = values;
    return status;
}

/* The step of a row of a table; -1 if the row is not in use yet. */
static enum status table_step(const struct recording *recording, int table,
                              int64_t row, int64_t *step, struct error *error)
{
    char name[VARIABLE_NAME_SIZE];
    snprintf(name, sizeof name, "%s/step", schema_tables[table].name);
    return recording_read_bytes(
        recording, layout_find(&recording->layout, name),
        (uint64_t)row * sizeof *step, sizeof *step, step, error);
}

/* While a run writes, and after a power failure, the tables' counts may be
 * those of the previous or of the next commit, because they are not in the same
 * page of the file as /status/committed. Rows of tables up to the last
 * committed frame are complete in the file; later ones may not be. */
static enum status settle_table(struct recording *recording, int table,
                                int64_t last, struct error *error)
{
    int64_t *rows = &recording->table_rows[table], before = *rows, step = -1;
    int64_t room = table_room(recording, table);
    enum status status = STATUS_OK;
    for (; *rows < room && !status; ++*rows) {
        status = table_step(recording, table, *rows, &step, error);
        if (step < 0 || step > last)
            break;
    }
    for (; *rows > 0 && *rows <= before && !status; --*rows) {
        status = table_step(recording, table, *rows - 1, &step, error);
        if (step <= last)
            break;
    }
    return status;
}

static enum status settle_tables(struct recording *recording,
                                 struct error *error)
{
    int64_t last = recording->rows ? recording->steps[recording->rows - 1] : -1;
    enum status status = STATUS_OK;
    for (int t = 0; t < TABLES && !status; t++)
        status = settle_table(recording, t, last, error);
    return status;
}

static enum status read_steps(struct recording *recording, struct error *error)
{
    int64_t versions = recording->shape.length[AXIS_VERSION];
    if (versions > VERSIONS_MAX)
        return recording_damaged(recording, "version", "is too long", error);
    enum status status = read_growing(
        recording, recording->shape.parts & PART_SECONDS ? "step" : "time",
        recording->rows, &recording->steps, error);
    if (!status)
        status = read_growing(recording, "version_step", versions,
                              &recording->version_steps, error);
    if (status)
        return status;
    recording->versions = (size_t)versions;
    if (recording->version_steps[0] != 0)
        return recording_damaged(recording, "version_step",
                                 "does not start at 0", error);
    return recording->state == RUN_RUNNING ? settle_tables(recording, error)
                                           : STATUS_OK;
}

/* ---- texts and settings ---- */

static enum status read_texts(struct recording *recording, struct error *error)
{
    const struct shape *shape = &recording->shape;
    int64_t total = 0;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < shape->text_count && !status; i++) {
        char name[VARIABLE_NAME_SIZE];
        snprintf(name, sizeof name, "provenance/%s", shape->texts[i].name);
        const struct layout_item *item = layout_find(&recording->layout, name);
        if (item->bytes > RECORDING_MAX_TEXT ||
            (total += (int64_t)item->bytes) > RECORDING_MAX_TEXT)
            return recording_damaged(recording, name, "is too long", error);
        recording->texts[i] = memory_new((size_t)item->bytes + 1, 1);
        if (!recording->texts[i])
            return error_memory(error);
        status = recording_read_bytes(recording, item, 0, (size_t)item->bytes,
                                      recording->texts[i], error);
    }
    return status;
}

/* Splits a line of `text` at its =, and removes quotes round a text. */
static struct setting cut_setting(char *text, const struct parameter *line)
{
    char *key = text + (line->key - text), *value = text + (line->value - text);
    size_t length = line->value_length;
    key[line->key_length] = value[length] = '\0';
    if (length >= 2 && value[0] == '"' && value[length - 1] == '"') {
        value[length - 1] = '\0';
        value++;
    }
    return (struct setting){ key, value };
}

static enum status cut_settings(struct recording *recording,
                                struct error *error)
{
    const char *text = recording_text(recording, "parameters");
    size_t most = 0;
    struct parameter line;
    if (!text)
        return STATUS_OK;
    for (const char *at = text; parameters_next(&at, &line);)
        most++;
    if (most > SETTINGS_MOST)
        return recording_damaged(recording, "provenance/parameters",
                                 "has more settings than any scenario", error);
    recording->parameters = memory_text(text);
    recording->settings = memory_new(most, sizeof *recording->settings);
    if (!recording->parameters || !recording->settings)
        return error_memory(error);
    const char *rest = recording->parameters;
    while (parameters_next(&rest, &line))
        if (line.value > line.key + line.key_length) /* it has an = */
            recording->settings[recording->setting_count++] =
                cut_setting(recording->parameters, &line);
    return STATUS_OK;
}

/* ---- opening ---- */

/* The units of the axes' scales. Positions are in cells, to which scale_factor
 * applies. */
static enum status check_scale(const struct recording *recording,
                               struct error *error)
{
    const struct {
        enum part part;
        const char *key;
    } scales[] = { { PART_SECONDS, "scale.step" },
                   { PART_METRES, "scale.cell" } };
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
        if (recording->shape.parts & scales[i].part &&
            !(recording_setting_real(recording, scales[i].key, 0) > 0))
            return recording_damaged(recording, "provenance/parameters",
                                     "does not have the scale of the axes",
                                     error);
    return STATUS_OK;
}

/* The frames between keyframes are computed over the whole map, each from the
 * previous one. */
static enum status check_keyframes(struct recording *recording,
                                   struct error *error)
{
    const int64_t *length = recording->shape.length;
    double every = recording_setting_real(recording, "record.keyframes", 0);
    struct box whole = grid_box(&recording->grid);
    if (!(every >= 2 && every < 1e9))
        return recording_damaged(
            recording, "provenance/parameters",
            "does not have what rows between keyframes are computed from",
            error);
    recording->keyframes = (int64_t)every;
    if (layout_keyframe_count(length[AXIS_TIME], recording->keyframes) !=
            length[AXIS_KEYFRAME] ||
        memcmp(&whole, &recording->region, sizeof whole) != 0)
        return recording_damaged(recording, "keyframe",
                                 "is not as long as record.keyframes makes it",
                                 error);
    for (int64_t row = 0; row < recording->rows; row++)
        if (recording->steps[row] != row)
            return recording_damaged(
                recording, "time", "does not have every step beside keyframes",
                error);
    return STATUS_OK;
}

enum status recording_open(const char *path, struct recording **made,
                           struct error *error)
{
    return recording_open_known(path, 0, made, error);
}

enum status recording_open_known(const char *path, uint64_t cells,
                                 struct recording **made, struct error *error)
{
    struct recording *recording = memory_new(1, sizeof *recording);
    if (!recording)
        return error_memory(error);
    recording->fd = -1;
    enum status status = open_file(recording, path, error);
    if (!status)
        status = inspect(recording, cells, error);
    if (!status)
        status = check_places(recording, error);
    if (!status)
        status = read_axes(recording, error);
    if (!status)
        status = read_marks(recording, error);
    if (!status)
        status = read_steps(recording, error);
    if (!status)
        status = read_texts(recording, error);
    if (!status)
        status = cut_settings(recording, error);
    if (!status)
        status = check_scale(recording, error);
    if (!status && recording->shape.parts & PART_KEYFRAMES)
        status = check_keyframes(recording, error);
    if (status)
        recording_close(recording);
    else
        *made = recording;
    return status;
}

enum status recording_set_source(struct recording *recording,
                                 const struct row_source *source,
                                 struct error *error)
{
    recording->source = *source;
    return layout_derive(&recording->layout, &recording->shape, error);
}

void recording_close(struct recording *recording)
{
    if (!recording)
        return;
    if (recording->fd >= 0)
        close(recording->fd);
    if (recording->source.context)
        recording->source.release(recording->source.context);
    if (recording->whole.context)
        recording->whole.release(recording->whole.context);
    layout_release(&recording->layout);
    for (size_t i = 0; i < RECORDING_MAX_TEXTS; i++)
        memory_release(recording->texts[i]);
    memory_release(recording->settings);
    memory_release(recording->parameters);
    memory_release(recording->version_steps);
    memory_release(recording->steps);
    memory_release(recording->path);
    memory_release(recording);
}

bool recording_has_whole(const struct recording *recording)
{
    return recording->whole.context != NULL;
}

enum status recording_whole(const struct recording *recording,
                            const struct recording **whole, struct error *error)
{
    const struct whole_source *source = &recording->whole;
    if (!source->context)
        return error_at(error, STATUS_INPUT, recording->path, 0,
                        "its run is not computed again here");
    return source->get(source->context, whole, error);
}

/* ---- values of an open recording ---- */

const char *recording_path(const struct recording *recording)
{
    return recording->path;
}

const char *recording_title(const struct recording *recording)
{
    return recording->title;
}

const struct grid *recording_grid(const struct recording *recording)
{
    return &recording->grid;
}

struct box recording_region(const struct recording *recording)
{
    return recording->region;
}

int recording_waves(const struct recording *recording)
{
    return recording->shape.waves;
}

bool recording_ran_waves(const struct recording *recording)
{
    return recording->shape.waves > 0 ||
           recording_setting(recording, "wave.count");
}

enum run_state recording_state(const struct recording *recording)
{
    return recording->state;
}

int64_t recording_rows(const struct recording *recording)
{
    return recording->rows;
}

const int64_t *recording_steps(const struct recording *recording)
{
    return recording->steps;
}

const struct variable *recording_variable(const struct recording *recording,
                                          size_t i)
{
    for (size_t item = 0; item < recording->layout.count; item++) {
        const struct layout_item *at = &recording->layout.items[item];
        if (at->bytes > 0 && i-- == 0)
            return &at->variable;
    }
    return NULL;
}

const struct variable *recording_find(const struct recording *recording,
                                      const char *name)
{
    const struct layout_item *item = layout_find(&recording->layout, name);
    return item && item->bytes > 0 ? &item->variable : NULL;
}

int64_t recording_table_rows(const struct recording *recording,
                             const char *table)
{
    for (int t = 0; t < TABLES; t++)
        if (strcmp(schema_tables[t].name, table) == 0)
            return recording->table_rows[t];
    return 0;
}

const char *recording_text(const struct recording *recording, const char *name)
{
    for (size_t i = 0; i < recording->shape.text_count; i++)
        if (strcmp(recording->shape.texts[i].name, name) == 0)
            return recording->texts[i];
    return NULL;
}

int recording_keep_bits(const struct recording *recording)
{
    const char *text = recording_text(recording, "keep_bits");
    long bits = text ? strtol(text, NULL, 10) : 0;
    return bits > 0 && bits < 64 ? (int)bits : 0;
}

const char *recording_setting(const struct recording *recording,
                              const char *key)
{
    for (size_t i = 0; i < recording->setting_count; i++)
        if (strcmp(recording->settings[i].key, key) == 0)
            return recording->settings[i].value;
    return NULL;
}

double recording_setting_real(const struct recording *recording,
                              const char *key, double otherwise)
{
    const char *text = recording_setting(recording, key);
    char *end = NULL;
    double value = text ? strtod(text, &end) : otherwise;
    return text && (end == text || *end) ? otherwise : value;
}

int64_t recording_every(const struct recording *recording)
{
    double every = recording_setting_real(recording, "record.every", 1);
    return every >= 1 && every < 1e15 ? (int64_t)every : 1;
}

int64_t recording_planned(const struct recording *recording)
{
    const double steps = recording_setting_real(recording, "steps", -1);
    return steps >= 0 && steps < 9e15 ? (int64_t)steps : -1;
}

enum status recording_agent_text(const struct recording *recording,
                                 const char *variable, size_t agent, char *text,
                                 size_t size, struct error *error)
{
    const struct layout_item *item = layout_find(&recording->layout, variable);
    if (!item || item->variable.type != TYPE_CHAR || item->variable.rank != 2)
        return error_at(error, STATUS_INPUT, recording->path, 0,
                        "%s: no such text of agents", variable);
    if (agent >= (size_t)item->variable.extent[0])
        return error_at(error, STATUS_INPUT, recording->path, 0,
                        "agent %zu: there are %lld agents, from 0 on", agent,
                        (long long)item->variable.extent[0]);
    size_t room = (size_t)item->variable.extent[1];
    size_t bytes = room < size - 1 ? room : size - 1;
    enum status status =
        recording_read_bytes(recording, item, agent * room, bytes, text, error);
    if (!status)
        text[bytes] = '\0';
    return status;
}
