/* SPDX-License-Identifier: MIT */
/* The table as HDF5 that is netCDF-4 too: a variable for each key and metric
 * along the dimension `run` (a row of the table: a run's agents of one method),
 * and over_seeds/ with a variable for each metric along `group` and the
 * statistics of over_seeds/statistic. Unlike the CSV it has units,
 * descriptions, and the values in their types. */
#include "tools/sweep/sweep.h"

#include "base/memory.h"
#include "base/need.h"
#include "base/output.h"
#include "recording/format/schema.h"

#include <hdf5.h>
#include <hdf5_hl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATISTICS = 8 };
static const char statistic_names[] =
    "n estimate lower_quartile upper_quartile low_95 high_95 least largest";

/* The open objects; ids start at −1. After a failing call all further ones do
 * nothing. */
struct writing {
    const struct sweep_table *table;
    hid_t file, place; /* the file, or its group over_seeds */
    bool groups;       /* over_seeds is being written */
    size_t count;      /* rows of the table, or groups */
    hid_t scales[2];   /* of run; of group and statistic */
    const char **texts;
    double *numbers;      /* (count, 1 or STATISTICS) */
    unsigned char *image; /* the file, of `bytes` bytes */
    size_t bytes;
    bool good;
};

static void put_attribute(struct writing *w, hid_t object, const char *name,
                          const char *text)
{
    w->good = w->good && H5LTset_attribute_string(object, ".", name, text) >= 0;
}

/* Without a creation time: the same runs give the same bytes. */
static hid_t timeless(hid_t class)
{
    hid_t list = H5Pcreate(class);
    H5Pset_obj_track_times(list, false);
    return list;
}

static void shut(hid_t dataset)
{
    if (dataset >= 0)
        H5Dclose(dataset);
}

/* A dataset (rows), or (rows, columns) if columns is not 0. −1 if it fails. */
static hid_t put_dataset(struct writing *w, const char *name, hid_t type,
                         size_t rows, size_t columns, const void *values)
{
    const hsize_t extent[2] = { rows, columns };
    if (!w->good)
        return -1;
    hid_t space = H5Screate_simple(columns ? 2 : 1, extent, NULL);
    hid_t list = timeless(H5P_DATASET_CREATE);
    hid_t dataset =
        H5Dcreate2(w->place, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    w->good = dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL,
                                       H5P_DEFAULT, values) >= 0;
    H5Pclose(list);
    H5Sclose(space);
    return dataset;
}

/* 0, 1, 2, …: a dimension's own variable. */
static hid_t put_scale(struct writing *w, const char *name, size_t count,
                       const char *help)
{
    int *numbers = need_memory(count, sizeof *numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = (int)i;
    hid_t scale = put_dataset(w, name, H5T_NATIVE_INT, count, 0, numbers);
    w->good = w->good && H5DSset_scale(scale, name) >= 0;
    put_attribute(w, scale, "long_name", help);
    memory_release(numbers);
    return scale;
}

static void attach(struct writing *w, hid_t dataset, hid_t scale, unsigned axis)
{
    w->good = w->good && H5DSattach_scale(dataset, scale, axis) >= 0;
}

/* w->texts as characters, (count, length), each row filled up with NULs. */
static void put_texts(struct writing *w, const char *name, const char *help)
{
    char length_name[256];
    size_t longest = 1;
    for (size_t i = 0; i < w->count; i++)
        if (strlen(w->texts[i]) > longest)
            longest = strlen(w->texts[i]);
    char *block = need_memory(w->count, longest);
    for (size_t i = 0; i < w->count; i++)
        memcpy(block + i * longest, w->texts[i], strlen(w->texts[i]));
    snprintf(length_name, sizeof length_name, "%.200s_length", name);
    hid_t length = put_scale(w, length_name, longest, "bytes of a text");
    hid_t dataset = put_dataset(w, name, H5T_C_S1, w->count, longest, block);
    attach(w, dataset, w->scales[0], 0);
    attach(w, dataset, length, 1);
    put_attribute(w, dataset, "long_name", help);
    put_attribute(w, dataset, "_Encoding", "utf-8");
    shut(dataset);
    shut(length);
    memory_release(block);
}

/* w->numbers: one for each row, or `columns` for each. */
static void put_numbers(struct writing *w, const char *name, size_t columns,
                        const char *unit, const char *help)
{
    hid_t dataset =
        put_dataset(w, name, H5T_NATIVE_DOUBLE, w->count, columns, w->numbers);
    attach(w, dataset, w->scales[0], 0);
    if (columns)
        attach(w, dataset, w->scales[1], 1);
    put_attribute(w, dataset, "units", unit);
    put_attribute(w, dataset, "long_name", help);
    shut(dataset);
}

/* The i-th row of the table, or the first of the i-th group. */
static size_t row_at(const struct writing *w, size_t i)
{
    return w->groups ? sweep_member(w->table, i, 0) : i;
}

/* The run of the i-th row. */
static size_t run_at(const struct writing *w, size_t i)
{
    return sweep_row_run(w->table, row_at(w, i));
}

/* A key's values: numbers if all are, else texts. */
static void put_key(struct writing *w, const struct sweep_column *column)
{
    const char *help = column->axis < w->table->sweep->grid.axis_count
                           ? "varied"
                           : "set for every run";
    bool numeric = true;
    if (w->groups && sweep_pooled(w->table, column->axis))
        return;
    for (size_t i = 0; i < w->count; i++) {
        char *end;
        w->texts[i] = column->texts[run_at(w, i)];
        w->numbers[i] = strtod(w->texts[i], &end);
        numeric = numeric && end != w->texts[i] && !*end;
    }
    if (numeric)
        put_numbers(w, column->name, 0, "1", help);
    else
        put_texts(w, column->name, help);
}

static void put_metric(struct writing *w, size_t m)
{
    for (size_t i = 0; i < w->count; i++)
        w->numbers[i] = w->table->values[i * w->table->metric_count + m];
    put_numbers(w, w->table->metrics[m]->name, 0, w->table->metrics[m]->unit,
                w->table->metrics[m]->meaning);
}

static void put_figure(struct writing *w, size_t number)
{
    const struct sweep_figure figure = sweep_figure(w->table, number);
    for (size_t i = 0; i < w->count; i++) {
        const struct summary *s =
            &w->table->summaries[i * w->table->figure_count + number];
        const double row[STATISTICS] = {
            (double)s->n,      s->median,          s->lower_quartile,
            s->upper_quartile, s->interval.low,    s->interval.high,
            s->interval.least, s->interval.largest
        };
        memcpy(w->numbers + i * STATISTICS, row, sizeof row);
    }
    put_numbers(w, figure.name, STATISTICS, figure.unit, figure.help);
}

static void put_columns(struct writing *w)
{
    for (size_t c = 0; c < w->table->column_count; c++)
        put_key(w, &w->table->columns[c]);
    for (size_t i = 0; i < w->count; i++)
        w->texts[i] = w->table->row[row_at(w, i)].method;
    put_texts(w, sweep_method_name(w->table), "method of the row's agents");
    for (size_t m = 0; m < w->table->metric_count && !w->groups; m++)
        put_metric(w, m);
    for (size_t f = 0; f < w->table->figure_count && w->groups; f++)
        put_figure(w, f);
}

static void put_runs(struct writing *w)
{
    const struct sweep_run *runs = w->table->sweep->runs;
    w->place = w->file;
    w->count = w->table->rows;
    w->scales[0] = put_scale(w, "run", w->count,
                             "a run of the sweep, or its agents of one method");
    for (size_t i = 0; i < w->count; i++)
        w->texts[i] = runs[run_at(w, i)].name;
    put_texts(w, "folder", "path of the run's recording");
    put_columns(w);
    for (size_t i = 0; i < w->count; i++)
        w->numbers[i] = runs[run_at(w, i)].state != SWEEP_DONE;
    put_numbers(w, "failed", 0, "1", "1: the run failed or was stopped");
    shut(w->scales[0]);
}

static void put_groups(struct writing *w)
{
    char about[160];
    hid_t list = timeless(H5P_GROUP_CREATE);
    w->place =
        H5Gcreate2(w->file, "over_seeds", H5P_DEFAULT, list, H5P_DEFAULT);
    H5Pclose(list);
    w->good = w->good && w->place >= 0;
    w->groups = true;
    w->count = w->table->group_count;
    w->scales[0] =
        put_scale(w, "group", w->count, "runs that differ only in the seed");
    w->scales[1] = put_scale(w, "statistic", STATISTICS, statistic_names);
    snprintf(about, sizeof about,
             "low_95, high_95 of medians: percentiles of %d bootstrap medians, "
             "seed %d; of fewer than %d values least and largest instead",
             BOOTSTRAP_SAMPLES, BOOTSTRAP_SEED, INTERVAL_VALUES);
    put_attribute(w, w->scales[1], "comment", about);
    put_columns(w);
    shut(w->scales[0]);
    shut(w->scales[1]);
    if (w->place >= 0)
        H5Gclose(w->place);
}

/* The file's bytes as written to disk, from need_memory. */
static void take_image(struct writing *w)
{
    ssize_t bytes = -1;
    if (w->good && H5Fflush(w->file, H5F_SCOPE_GLOBAL) >= 0)
        bytes = H5Fget_file_image(w->file, NULL, 0);
    w->good = bytes > 0;
    if (!w->good)
        return;
    w->bytes = (size_t)bytes;
    w->image = need_memory(w->bytes, 1);
    w->good = H5Fget_file_image(w->file, w->image, w->bytes) == bytes;
}

/* In memory, because HDF5 1.10 crashes if a disk is full. */
static void make_image(struct writing *w, const char *path)
{
    enum { GROW_BYTES = 1 << 16 };
    hid_t list = timeless(H5P_FILE_CREATE);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    unsigned orders = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    H5Pset_link_creation_order(list, orders);
    H5Pset_attr_creation_order(list, orders);
    if (H5Pset_fapl_core(access, GROW_BYTES, false) >= 0)
        w->file = H5Fcreate(path, H5F_ACC_TRUNC, list, access);
    H5Pclose(access);
    H5Pclose(list);
    w->good = w->file >= 0;
    if (!w->good)
        return;
    put_attribute(w, w->file, "Conventions", "CF-1.10");
    put_attribute(w, w->file, "title", "hamon-sweep");
    static const int version = RECORDING_FORMAT_VERSION;
    w->good = w->good && H5LTset_attribute_int(w->file, ".", "format_version",
                                               &version, 1) >= 0;
    w->texts = need_memory(w->table->rows, sizeof *w->texts);
    w->numbers = need_memory(w->table->rows, STATISTICS * sizeof *w->numbers);
    put_runs(w);
    if (sweep_pools_seeds(w->table))
        put_groups(w);
    memory_release(w->texts);
    memory_release(w->numbers);
    take_image(w);
    w->good = H5Fclose(w->file) >= 0 && w->good;
}

static enum status put_image(const struct writing *w, const char *path,
                             struct error *error)
{
    struct output output;
    enum status status = output_open(&output, path, true, error);
    if (status)
        return status;
    fwrite(w->image, 1, w->bytes, output.file);
    return output_commit(&output, error);
}

enum status sweep_write_hdf5(const struct sweep_table *table,
                             struct error *error)
{
    struct writing w = { .table = table, .file = -1, .place = -1 };
    char *path = sweep_path(table->sweep->folder, "table.h5");
    if (!table->sweep->cli->debug)
        H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    make_image(&w, path);
    enum status status =
        w.good ? put_image(&w, path, error)
               : error_set(error, STATUS_FAILED, "%s: cannot be made", path);
    memory_release(w.image);
    memory_release(path);
    return status;
}
