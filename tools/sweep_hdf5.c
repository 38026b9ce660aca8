/* SPDX-License-Identifier: MIT */
/* The table as HDF5 that is netCDF-4 too: a variable a key and a metric along
 * the dimension `run` (a row of the table: a run's agents of one method), and
 * over_seeds/ with a variable a metric along `group` and the statistics of
 * over_seeds/statistic. */
#include "sweep.h"

#include "base/memory.h"

#include <errno.h>
#include <hdf5.h>
#include <hdf5_hl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STATISTICS = 6 };
static const char statistic_names[] =
    "n median lower_quartile upper_quartile low_95 high_95";

/* What is open; ids start at −1. A failing call ends all that follow. */
struct writing {
    const struct sweep_table *table;
    hid_t file, group;
    bool good, out_of_memory;
};

static void *room(struct writing *w, size_t count, size_t size)
{
    void *made = memory_new(count, size);
    w->good = w->good && made;
    w->out_of_memory = w->out_of_memory || !made;
    return made;
}

static void put_attribute(struct writing *w, hid_t dataset, const char *name,
                          const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    hid_t space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, strlen(text) + 1);
    hid_t attribute =
        H5Acreate2(dataset, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    w->good = w->good && attribute >= 0 && H5Awrite(attribute, type, text) >= 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

/* Without the time at which it was made: the same runs make the same bytes. */
static hid_t timeless(hid_t class)
{
    hid_t list = H5Pcreate(class);
    H5Pset_obj_track_times(list, false);
    return list;
}

/* A dataset of rank 1 or 2 with its values; −1 where it fails. */
static hid_t put_dataset(struct writing *w, hid_t place, const char *name,
                         hid_t type, int rank, const hsize_t *extent,
                         const void *values)
{
    hid_t space = H5Screate_simple(rank, extent, NULL);
    hid_t list = timeless(H5P_DATASET_CREATE);
    hid_t dataset =
        H5Dcreate2(place, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    H5Pclose(list);
    w->good =
        w->good && dataset >= 0 &&
        H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    H5Sclose(space);
    return dataset;
}

static void attach(struct writing *w, hid_t dataset, hid_t scale, unsigned axis)
{
    w->good = w->good && H5DSattach_scale(dataset, scale, axis) >= 0;
}

static void shut(hid_t dataset)
{
    if (dataset >= 0)
        H5Dclose(dataset);
}

/* 0, 1, 2, …: a dimension's own variable. */
static hid_t put_scale(struct writing *w, hid_t place, const char *name,
                       size_t count, const char *help)
{
    int *numbers = room(w, count, sizeof *numbers);
    for (size_t i = 0; numbers && i < count; i++)
        numbers[i] = (int)i;
    hsize_t extent = count;
    hid_t scale = numbers ? put_dataset(w, place, name, H5T_NATIVE_INT, 1,
                                        &extent, numbers)
                          : -1;
    w->good = w->good && H5DSset_scale(scale, name) >= 0;
    if (w->good)
        put_attribute(w, scale, "long_name", help);
    memory_release(numbers);
    return scale;
}

/* Texts as characters, (rows, length), each row filled up with NULs. */
static void put_texts(struct writing *w, hid_t place, const char *name,
                      const char *const *texts, size_t rows, hid_t scale,
                      const char *help)
{
    size_t longest = 1;
    for (size_t i = 0; i < rows; i++)
        if (strlen(texts[i]) > longest)
            longest = strlen(texts[i]);
    size_t bytes;
    char *block =
        size_multiply(rows, longest, &bytes) ? room(w, bytes, 1) : NULL;
    w->good = w->good && block;
    for (size_t i = 0; block && i < rows; i++)
        memcpy(block + i * longest, texts[i], strlen(texts[i]));
    char length_name[256];
    snprintf(length_name, sizeof length_name, "%.200s_length", name);
    hid_t length = put_scale(w, place, length_name, longest, "bytes of a text");
    hid_t character = H5Tcopy(H5T_C_S1);
    hsize_t extent[2] = { rows, longest };
    hid_t dataset = -1;
    if (w->good)
        dataset = put_dataset(w, place, name, character, 2, extent, block);
    if (w->good) {
        attach(w, dataset, scale, 0);
        attach(w, dataset, length, 1);
        put_attribute(w, dataset, "long_name", help);
        put_attribute(w, dataset, "_Encoding", "utf-8");
    }
    H5Tclose(character);
    shut(dataset);
    shut(length);
    memory_release(block);
}

static void put_numbers(struct writing *w, hid_t place, const char *name,
                        const double *values, size_t rows, size_t columns,
                        const hid_t scales[2], const char *unit,
                        const char *help)
{
    hsize_t extent[2] = { rows, columns };
    hid_t dataset = put_dataset(w, place, name, H5T_NATIVE_DOUBLE,
                                columns > 1 ? 2 : 1, extent, values);
    if (w->good) {
        attach(w, dataset, scales[0], 0);
        if (columns > 1)
            attach(w, dataset, scales[1], 1);
        put_attribute(w, dataset, "units", unit);
        put_attribute(w, dataset, "long_name", help);
    }
    shut(dataset);
}

/* A key's values, of every run or of every group: numbers where all are, else
 * texts. */
static void put_key(struct writing *w, hid_t place,
                    const struct sweep_column *column, bool groups, hid_t scale)
{
    const struct sweep_table *table = w->table;
    const char *help = column->axis < table->sweep->grid.axis_count
                           ? "varied"
                           : "set for every run";
    size_t rows = groups ? table->group_count : table->rows;
    const char **texts = room(w, rows, sizeof *texts);
    double *numbers = room(w, rows, sizeof *numbers);
    bool numeric = true;
    for (size_t i = 0; w->good && i < rows; i++) {
        char *end;
        size_t row = groups ? sweep_group_row(table, i, 0) : i;
        texts[i] = column->texts[sweep_row_run(table, row)];
        numbers[i] = strtod(texts[i], &end);
        numeric = numeric && end != texts[i] && !*end;
    }
    const hid_t scales[2] = { scale, -1 };
    if (w->good && numeric)
        put_numbers(w, place, column->name, numbers, rows, 1, scales, "1",
                    help);
    else if (w->good)
        put_texts(w, place, column->name, texts, rows, scale, help);
    memory_release(texts);
    memory_release(numbers);
}

/* The method of every row, or of every group. */
static void put_methods(struct writing *w, hid_t place, bool groups,
                        hid_t scale)
{
    const struct sweep_table *table = w->table;
    size_t rows = groups ? table->group_count : table->rows;
    const char **names = room(w, rows, sizeof *names);
    for (size_t i = 0; w->good && i < rows; i++)
        names[i] =
            sweep_row_method(table, groups ? sweep_group_row(table, i, 0) : i);
    if (w->good)
        put_texts(w, place, "method", names, rows, scale,
                  "of the agents that the row is of");
    memory_release(names);
}

static void put_runs(struct writing *w)
{
    const struct sweep *sweep = w->table->sweep;
    size_t runs = w->table->rows;
    hid_t scale = put_scale(w, w->file, "run", runs,
                            "a run of the sweep, or its agents of one method");
    const hid_t scales[2] = { scale, -1 };
    const char **names = room(w, runs, sizeof *names);
    double *column = room(w, runs, sizeof *column);
    if (!w->good)
        goto done;
    for (size_t i = 0; i < runs; i++)
        names[i] = sweep->runs[sweep_row_run(w->table, i)].name;
    put_texts(w, w->file, "folder", names, runs, scale,
              "where the run's recording stands");
    for (size_t c = 0; w->good && c < w->table->column_count; c++)
        put_key(w, w->file, &w->table->columns[c], false, scale);
    put_methods(w, w->file, false, scale);
    for (size_t m = 0; w->good && m < METRICS; m++) {
        for (size_t i = 0; i < runs; i++)
            column[i] = w->table->values[i * METRICS + m];
        put_numbers(w, w->file, metrics[m].name, column, runs, 1, scales,
                    metrics[m].unit, metrics[m].help);
    }
    for (size_t i = 0; w->good && i < runs; i++)
        column[i] = sweep->runs[sweep_row_run(w->table, i)].state != SWEEP_DONE;
    if (w->good)
        put_numbers(w, w->file, "failed", column, runs, 1, scales, "1",
                    "1 where the run failed");
done:
    memory_release(names);
    memory_release(column);
    shut(scale);
}

static void put_summaries(struct writing *w, const hid_t scales[2])
{
    size_t groups = w->table->group_count;
    double *block = room(w, groups, STATISTICS * sizeof *block);
    for (size_t m = 0; w->good && m < METRICS; m++) {
        for (size_t g = 0; g < groups; g++) {
            const struct summary *s = &w->table->summaries[g * METRICS + m];
            const double row[STATISTICS] = {
                (double)s->n,      s->median, s->lower_quartile,
                s->upper_quartile, s->low,    s->high
            };
            memcpy(block + g * STATISTICS, row, sizeof row);
        }
        put_numbers(w, w->group, metrics[m].name, block, groups, STATISTICS,
                    scales, metrics[m].unit, metrics[m].help);
    }
    memory_release(block);
}

static void put_groups(struct writing *w)
{
    char about[160];
    hid_t list = timeless(H5P_GROUP_CREATE);
    w->group =
        H5Gcreate2(w->file, "over_seeds", H5P_DEFAULT, list, H5P_DEFAULT);
    H5Pclose(list);
    w->good = w->good && w->group >= 0;
    if (!w->good)
        return;
    const hid_t scales[2] = {
        put_scale(w, w->group, "group", w->table->group_count,
                  "runs that differ in nothing but the seed"),
        put_scale(w, w->group, "statistic", STATISTICS, statistic_names),
    };
    snprintf(about, sizeof about,
             "low_95, high_95: percentiles of %d bootstrap medians, seed %d",
             BOOTSTRAP_SAMPLES, BOOTSTRAP_SEED);
    if (w->good)
        put_attribute(w, scales[1], "comment", about);
    for (size_t c = 0; w->good && c < w->table->column_count; c++)
        if (w->table->columns[c].axis != w->table->seed_axis)
            put_key(w, w->group, &w->table->columns[c], true, scales[0]);
    put_methods(w, w->group, true, scales[0]);
    put_summaries(w, scales);
    shut(scales[0]);
    shut(scales[1]);
}

static void write_all(struct writing *w, const char *path)
{
    hid_t list = timeless(H5P_FILE_CREATE);
    unsigned orders = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
    H5Pset_link_creation_order(list, orders);
    H5Pset_attr_creation_order(list, orders);
    w->file = H5Fcreate(path, H5F_ACC_TRUNC, list, H5P_DEFAULT);
    H5Pclose(list);
    w->good = w->file >= 0;
    if (!w->good)
        return;
    put_attribute(w, w->file, "Conventions", "CF-1.10");
    put_attribute(w, w->file, "title", "hamon-sweep");
    put_runs(w);
    if (w->good && w->table->group_count)
        put_groups(w);
    if (w->group >= 0)
        H5Gclose(w->group);
    w->good = H5Fclose(w->file) >= 0 && w->good;
}

enum status sweep_write_hdf5(const struct sweep_table *table,
                             struct error *error)
{
    struct writing w = { .table = table, .file = -1, .group = -1 };
    const char *folder = table->sweep->folder;
    char *path = sweep_path(folder, "table.h5");
    char *partial = sweep_path(folder, ".table.h5");
    enum status status = path && partial ? STATUS_OK : error_memory(error);
    if (!status) {
        if (!table->sweep->cli->debug)
            H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
        write_all(&w, partial);
        if (w.out_of_memory)
            status = error_memory(error);
        else if (!w.good)
            status =
                error_set(error, STATUS_DISK, "%s: cannot be written", path);
        else if (rename(partial, path) != 0)
            status = error_system(error, STATUS_DISK, "%s", path);
        if (status)
            unlink(partial);
    }
    memory_release(path);
    memory_release(partial);
    return status;
}
