/* SPDX-License-Identifier: MIT */
/* The recorder: creating it and finding the columns of its layout, and closing
 * it. A run that ended early gets its true extents then. */
#include "recording/write/file.h"

#include "base/disk.h"
#include "base/inputs.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The columns of each table, in the order of the values of its rows. */
static const char *const table_columns[TABLES][TABLE_COLUMNS] = {
    [ARRIVALS] = { "agent", "wave", "step", "amplitude", "gradient_x",
                   "gradient_y", "gradient_z", "heading_x", "heading_y",
                   "heading_z", "quantity" },
    [EMISSIONS] = { "wave", "step", "x", "y", "z" },
    [CAPTURES] = { "agent", "target", "step" },
    [PLANS] = { "agent", "step", "expansions", "nanoseconds", "row_size" },
};

/* Columns with a number for each agent, or with one for the target, in the
 * order in which rows.c writes them; the relay's counters follow. */
static const char *const small_names[SMALL_NAMED] = {
    "agents/x",         "agents/y",         "agents/z",
    "agents/heading_x", "agents/heading_y", "agents/heading_z",
    "agents/state",     "target/x",         "target/y",
    "target/z",         "target/heading_x", "target/heading_y",
    "target/heading_z", "target/state",
};

/* ---- its columns in the layout ---- */

static void column_bind(struct column *column, const struct recorder *recorder,
                        const char *name)
{
    column->item = layout_find(&recorder->layout, name);
}

static void row_column_bind(struct row_column *column,
                            const struct recorder *recorder, const char *name)
{
    column_bind(&column->data, recorder, name);
    if (column->data.item)
        column->crc.item =
            layout_checksums(&recorder->layout, column->data.item);
}

static void bind_tables(struct recorder *recorder)
{
    char name[VARIABLE_NAME_SIZE];
    for (int t = 0; t < TABLES; t++) {
        struct table *table = &recorder->tables[t];
        for (int i = 0; i < TABLE_COLUMNS && table_columns[t][i]; i++) {
            snprintf(name, sizeof name, "%s/%s", schema_tables[t].name,
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
    char name[VARIABLE_NAME_SIZE];
    for (int place = 0; place < 2; place++)
        for (int i = 0; i < TERRAIN_ARRAYS; i++) {
            snprintf(name, sizeof name, "%s%s", place ? "world/" : "",
                     terrain_arrays[i].name);
            row_column_bind(&recorder->terrain[place][i], recorder, name);
        }
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
    for (int i = 0; i < SMALL_NAMED; i++)
        row_column_bind(&recorder->small[i], recorder, small_names[i]);
    for (int i = 0; i < RELAY_COUNTERS; i++) {
        snprintf(name, sizeof name, "relay/%s", relay_counter_names[i]);
        row_column_bind(&recorder->small[SMALL_NAMED + i], recorder, name);
    }
    recorder->slots[0] = layout_find(&recorder->layout, "restart/state0");
    recorder->slots[1] = layout_find(&recorder->layout, "restart/state1");
    for (int mark = 0; mark < MARKS; mark++)
        recorder->mark_items[mark] =
            layout_find(&recorder->layout, recorder_mark_names[mark]);
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
    enum status status =
        visit_pairs(recorder, recorder->small, SMALL_COLUMNS, visit, error);
    for (int place = 0; place < 2 && !status; place++)
        status = visit_pairs(recorder, recorder->terrain[place], TERRAIN_ARRAYS,
                             visit, error);
    for (int t = 0; t < TABLES && !status; t++)
        status = visit_singles(recorder, recorder->tables[t].columns,
                               TABLE_COLUMNS, visit, error);
    return status ? status
                  : visit_singles(recorder, recorder->plan_cells, GRID_AXES,
                                  visit, error);
}

/* ---- a new recorder ---- */

enum status recorder_start(const char *path, const struct recording_plan *plan,
                           struct recorder **made, struct error *error)
{
    *made = NULL;
    if (plan->steps < 0 || plan->every < 1 || plan->versions < 1)
        return error_at(error, STATUS_FAILED, path, 0,
                        "a plan of %lld steps, every %lld, %zu maps",
                        (long long)plan->steps, (long long)plan->every,
                        plan->versions);
    struct recorder *recorder = memory_new(1, sizeof *recorder);
    if (!recorder)
        return error_memory(error);
    recorder->fd = -1;
    recorder->blank = true;
    recorder->grid = plan->grid;
    recorder->region = plan->region;
    recorder->keyframes = plan->keyframes;
    recorder->every = plan->every;
    recorder->restart_bytes = plan->restart_bytes;
    recorder->path = memory_text(path);
    recorder->title = memory_text(plan->title ? plan->title : "");
    recorder->header = recording_plan_header(plan);
    recorder->header.title = recorder->title;
    enum status status =
        recorder->path && recorder->title
            ? recording_plan_shape(plan, &recorder->shape, error)
            : error_memory(error);
    if (status)
        recorder_abandon(recorder);
    else
        *made = recorder;
    return status;
}

enum status recorder_adopt(struct recorder *recorder, struct laid_out *file,
                           struct error *error)
{
    memory_release(file->temporary);
    recorder->fd = file->fd;
    recorder->layout = file->layout;
    recorder->cut = (recorder->shape.parts & PART_WORLD) != 0;
    *file = (struct laid_out){ .fd = -1 };
    return recorder_bind(recorder, error);
}

/* Locked from here to the rename, so that no running recording is replaced. */
static enum status lock_existing(const char *path, bool force, int *lock,
                                 struct error *error)
{
    struct stat about;
    *lock = -1;
    if (stat(path, &about) < 0)
        return errno == ENOENT ? disk_refuse_link(path, error)
                               : disk_refused(path, error);
    if (!force || !S_ISREG(about.st_mode))
        return error_at(error, STATUS_INPUT, path, 0,
                        S_ISREG(about.st_mode)
                            ? "exists already: give another name, or --force "
                              "to replace it"
                            : "is not a regular file: a recording needs one");
    enum status status = inputs_refuse(path, error);
    if (!status)
        status = disk_refuse_link(path, error);
    if (status)
        return status;
    *lock = open(path, O_RDONLY | O_CLOEXEC);
    if (*lock >= 0 && flock(*lock, LOCK_EX | LOCK_NB) < 0 &&
        errno == EWOULDBLOCK)
        return error_at(error, STATUS_INPUT, path, 0,
                        "is being %s by another program: give another name, or "
                        "wait for it",
                        flock(*lock, LOCK_SH | LOCK_NB) == 0 ? "read"
                                                             : "written");
    if (*lock >= 0 && !disk_stands_at(*lock, path))
        return error_at(error, STATUS_INPUT, path, 0,
                        "was replaced meanwhile by another program: give "
                        "another name, or try again");
    return STATUS_OK;
}

/* Programs that were started together may publish the same new path at once.
 * The first succeeds; for the others its recording is an existing one. */
static enum status publish(struct laid_out *file, const char *path, bool force,
                           int *lock, struct error *error)
{
    enum status status = laid_out_publish(file, path, *lock >= 0, error);
    if (status != STATUS_INPUT || !force || *lock >= 0)
        return status;
    status = lock_existing(path, force, lock, error);
    return status ? status : laid_out_publish(file, path, true, error);
}

enum status recorder_create(const char *path, const struct recording_plan *plan,
                            bool force, struct recorder **made,
                            struct error *error)
{
    struct laid_out file = { .fd = -1 };
    struct recorder *recorder;
    int lock;
    enum status status = recorder_start(path, plan, &recorder, error);
    if (status)
        return status;
    status = lock_existing(path, force, &lock, error);
    if (!status)
        status = laid_out_make(path, &recorder->shape, &recorder->header, &file,
                               error);
    if (!status)
        status = laid_out_write_plan(&file, path, plan, error);
    if (!status) { /* before it gets its name, because syncing may fail */
        recorder->provisional = disk_provisional(path, file.fd);
        status = recorder->provisional
                     ? publish(&file, path, force, &lock, error)
                     : error_system(error, STATUS_FAILED, "%s", path);
    }
    if (!status)
        status = recorder_adopt(recorder, &file, error);
    if (lock >= 0)
        close(lock);
    if (status)
        recorder_abandon(recorder);
    else
        *made = recorder;
    laid_out_undo(&file);
    return status;
}

/* ---- the end ---- */

void recorder_keep(struct recorder *recorder)
{
    if (recorder->provisional)
        disk_keep(recorder->path);
    recorder->provisional = false;
}

void recorder_abandon(struct recorder *recorder)
{
    if (!recorder)
        return;
    overlap_release(recorder->overlap);
    shared_release(recorder->shared);
    if (recorder->provisional)
        disk_discard(recorder->path);
    if (recorder->fd >= 0)
        close(recorder->fd);
    layout_release(&recorder->layout);
    memory_release(recorder->waves);
    memory_release(recorder->gather);
    memory_release(recorder->title);
    memory_release(recorder->path);
    memory_release(recorder);
}

static bool is_short(const struct recorder *recorder)
{
    return recorder->committed > 0 &&
           recorder->committed < recorder->shape.length[AXIS_TIME];
}

/* The shape of what was recorded. */
static struct shape true_shape(const struct recorder *recorder)
{
    struct shape shape = recorder->shape;
    shape.length[AXIS_TIME] = recorder->committed;
    if (recorder->keyframes)
        shape.length[AXIS_KEYFRAME] =
            layout_keyframe_count(recorder->committed, recorder->keyframes);
    if (recorder->versions_written > 0)
        shape.length[AXIS_VERSION] = (int64_t)recorder->versions_written;
    for (int t = 0; t < TABLES; t++)
        shape.length[schema_tables[t].axis] =
            layout_rows(recorder->tables[t].rows);
    shape.length[AXIS_PATH_CELL] = layout_rows(recorder_path_cells(recorder));
    return shape;
}

/* The first file is complete until the second one is and has its name, so that
 * an interruption never loses a frame. */
static enum status shorten(struct recorder *recorder, struct error *error)
{
    struct laid_out file = { .fd = -1 };
    struct shape shape = true_shape(recorder);
    enum status status =
        laid_out_make(recorder->path, &shape, &recorder->header, &file, error);
    if (!status)
        status = laid_out_copy(recorder->fd, &recorder->layout, &file,
                               recorder->path, error);
    if (!status)
        status = laid_out_publish(&file, recorder->path, true, error);
    laid_out_undo(&file);
    return status;
}

void recorder_step_time(struct recorder *recorder, int64_t nanoseconds)
{
    recorder->step_nanoseconds = nanoseconds;
}

enum status recorder_close(struct recorder *recorder, enum run_state state,
                           char *note, struct error *error)
{
    struct error why;
    if (note)
        note[0] = '\0';
    enum status status = overlap_settle_rows(recorder, error);
    if (!status)
        status = overlap_settle_commit(recorder, error);
    shared_release(recorder->shared);
    recorder->shared = NULL;
    if (recorder->follows) {
        recorder_abandon(recorder);
        return status;
    }
    if (!status && recorder->step_nanoseconds > 0)
        status = recorder_write_mark(recorder, MARK_STEP_NANOSECONDS,
                                     recorder->step_nanoseconds, error);
    if (!status)
        status =
            recorder_write_mark(recorder, MARK_STATE, (int64_t)state, error);
    if (!status)
        status = recorder_sync(recorder, recorder->committed, error);
    if (!status && is_short(recorder) && shorten(recorder, &why) && note)
        snprintf(note, ERROR_MESSAGE_SIZE,
                 "%s still has the size of all %lld rows, %lld of them "
                 "recorded (%.600s)",
                 recorder->path, (long long)recorder->shape.length[AXIS_TIME],
                 (long long)recorder->committed, why.message);
    if (!status)
        recorder_keep(recorder);
    recorder_abandon(recorder);
    return status;
}
