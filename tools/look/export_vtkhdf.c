/* SPDX-License-Identifier: MIT */
/* VTKHDF: an ImageData whose arrays are virtual datasets, which name those of
 * the recording and contain no values. Several steps are VTKHDF 2.0 (VTK 9.3,
 * ParaView 5.12); of one step it is VTKHDF 1.0, which older ones read too. */
#include "base/memory.h"
#include "base/need.h"
#include "cli/interrupt.h"
#include "recording/format/hdf5.h"
#include "tools/look/export.h"

#include <hdf5.h>
#include <hdf5_hl.h>
#include <limits.h>
#include <string.h>

/* The open objects; ids start at −1. After a failing call all further ones do
 * nothing. */
struct writing {
    const struct recording *recording;
    const int64_t *rows; /* the recording's, of each step */
    size_t count;
    char *name; /* of the recording, as HDF5 takes it */
    int dims;
    hsize_t cells[GRID_AXES]; /* along z, y, x */
    hid_t file, root, fields, steps, offsets;
    bool good;
};

static void put_numbers(struct writing *w, const char *name, const double *of,
                        size_t count)
{
    w->good =
        w->good && H5LTset_attribute_double(w->root, ".", name, of, count) >= 0;
}

static void put_integers(struct writing *w, hid_t object, const char *name,
                         const long long *of, size_t count)
{
    w->good = w->good &&
              H5LTset_attribute_long_long(object, ".", name, of, count) >= 0;
}

/* Older readers expect a text of fixed length without a NUL. */
static void put_type(struct writing *w)
{
    static const char text[] = "ImageData";
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, sizeof text - 1);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    hid_t attribute =
        H5Acreate2(w->root, "Type", type, space, H5P_DEFAULT, H5P_DEFAULT);
    w->good = w->good && attribute >= 0 && H5Awrite(attribute, type, text) >= 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    H5Sclose(space);
    H5Tclose(type);
}

/* The points are the centres of cells: VTK 9.1 cannot read values of cells, and
 * no image of one layer. So a 2D field is in two equal layers, of which the
 * upper one is at z = 0, as the agents are. */
static void put_mesh(struct writing *w)
{
    const struct box box = recording_region(w->recording);
    const double scale = recording_setting_real(w->recording, "scale.cell", 0);
    const double cell = scale > 0 ? scale : 1;
    const long long version[] = { w->steps >= 0 ? 2 : 1, 0 };
    const double direction[] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    const double spacing[] = { cell, cell, cell };
    long long extent[2 * GRID_AXES];
    double origin[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++) {
        extent[2 * axis] = 0;
        extent[2 * axis + 1] = (long long)w->cells[GRID_AXES - 1 - axis] - 1;
        origin[axis] = axis < w->dims ? box.low[axis] * cell : -cell;
    }
    put_integers(w, w->root, "Version", version, 2);
    put_type(w);
    put_integers(w, w->root, "WholeExtent", extent, 6);
    put_numbers(w, "Origin", origin, 3);
    put_numbers(w, "Spacing", spacing, 3);
    put_numbers(w, "Direction", direction, 9);
}

static void put_steps_numbers(struct writing *w, hid_t at, const char *name,
                              hid_t type, const void *of)
{
    const hsize_t extent = w->count;
    w->good = w->good && H5LTmake_dataset(at, name, 1, &extent, type, of) >= 0;
}

/* The dataset's index along its first axis at a step. */
static int64_t place_at(const struct writing *w,
                        const struct variable *variable, size_t step)
{
    if (variable->by_row)
        return recording_stored_row(w->recording, variable, w->rows[step]);
    if (variable->rank == w->dims)
        return 0;
    return (int64_t)recording_version_at(
        w->recording, recording_steps(w->recording)[w->rows[step]]);
}

/* The array (places, z, y, x), or (z, y, x) of one step; without axes of one
 * cell, which VTK does not count. */
static void put_field(struct writing *w, const struct variable *variable)
{
    const bool only = w->steps < 0; /* one step */
    const bool places = variable->rank > w->dims;
    const hsize_t first[VARIABLE_MAX_RANK] = {
        only && places ? (hsize_t)place_at(w, variable, 0) : 0
    };
    hsize_t source[VARIABLE_MAX_RANK], taken[VARIABLE_MAX_RANK];
    hsize_t extent[1 + GRID_AXES] = { 1 };
    int rank = 1;
    for (int i = 0; i < variable->rank; i++)
        source[i] = taken[i] = (hsize_t)variable->extent[i];
    for (int i = 0; i < GRID_AXES; i++)
        if (w->cells[i] > 1)
            extent[rank++] = w->cells[i];
    if (only && places)
        taken[0] = 1;
    else if (places)
        extent[0] = source[0];
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    hid_t from = H5Screate_simple(variable->rank, source, NULL);
    hid_t to = H5Screate_simple(rank - only, extent + only, NULL);
    w->good = w->good && H5Sselect_hyperslab(from, H5S_SELECT_SET, first, NULL,
                                             taken, NULL) >= 0;
    for (hsize_t layer = 0; layer < (w->dims == 2 ? 2 : 1); layer++) {
        const hsize_t begin[1 + GRID_AXES] = { 0, layer };
        hsize_t count[1 + GRID_AXES];
        memcpy(count, extent, sizeof count);
        if (w->dims == 2)
            count[1] = 1;
        w->good = w->good &&
                  H5Sselect_hyperslab(to, H5S_SELECT_SET, begin + only, NULL,
                                      count + only, NULL) >= 0 &&
                  H5Pset_virtual(list, to, w->name, variable->name, from) >= 0;
    }
    H5Sselect_all(to);
    hid_t dataset = !w->good ? -1
                             : H5Dcreate2(w->fields, variable->name,
                                          layout_type(variable->type), to,
                                          H5P_DEFAULT, list, H5P_DEFAULT);
    w->good = dataset >= 0;
    if (dataset >= 0)
        H5Dclose(dataset);
    H5Sclose(to);
    H5Sclose(from);
    H5Pclose(list);
    if (only)
        return;
    long long *place = need_memory(w->count, sizeof *place);
    for (size_t i = 0; i < w->count; i++)
        place[i] = place_at(w, variable, i);
    put_steps_numbers(w, w->offsets, variable->name, H5T_NATIVE_LLONG, place);
    memory_release(place);
}

static void put_fields(struct writing *w)
{
    static const char *const terrain[] = { "wall", "speed", "cost", "one_way" };
    const struct variable *variable;
    for (size_t i = 0; (variable = recording_variable(w->recording, i)); i++)
        if (export_is_field(w->recording, variable))
            put_field(w, variable);
    for (int i = 0; i < 4; i++)
        if ((variable = recording_find(w->recording, terrain[i])))
            put_field(w, variable);
}

static void put_times(struct writing *w)
{
    const double scale = recording_setting_real(w->recording, "scale.step", 0);
    const long long count = (long long)w->count;
    double *time = need_memory(w->count, sizeof *time);
    for (size_t i = 0; i < w->count; i++)
        time[i] = (double)recording_steps(w->recording)[w->rows[i]] *
                  (scale > 0 ? scale : 1);
    put_integers(w, w->steps, "NSteps", &count, 1);
    put_steps_numbers(w, w->steps, "Values", H5T_NATIVE_DOUBLE, time);
    memory_release(time);
}

static hid_t put_group(struct writing *w, hid_t at, const char *name)
{
    hid_t group =
        !w->good ? -1
                 : H5Gcreate2(at, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    w->good = group >= 0;
    return group;
}

static void shut(hid_t group)
{
    if (group >= 0)
        H5Gclose(group);
}

static void put_all(struct writing *w)
{
    w->root = put_group(w, w->file, "VTKHDF");
    w->fields = put_group(w, w->root, "PointData");
    if (w->count > 1) {
        w->steps = put_group(w, w->root, "Steps");
        w->offsets = put_group(w, w->steps, "PointDataOffsets");
        put_times(w);
    }
    put_mesh(w);
    put_fields(w);
    shut(w->offsets);
    shut(w->steps);
    shut(w->fields);
    shut(w->root);
}

/* In memory, because HDF5 1.10 crashes if a disk is full. */
static enum status put_image(struct writing *w, struct output *output,
                             struct error *error)
{
    enum { GROW_BYTES = 1 << 16 };
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (H5Pset_fapl_core(access, GROW_BYTES, false) >= 0)
        w->file = H5Fcreate(output->path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    w->good = w->file >= 0;
    put_all(w);
    ssize_t bytes = -1;
    if (w->good && H5Fflush(w->file, H5F_SCOPE_GLOBAL) >= 0)
        bytes = H5Fget_file_image(w->file, NULL, 0);
    if (bytes > 0) {
        void *image = need_memory((size_t)bytes, 1);
        if (H5Fget_file_image(w->file, image, (size_t)bytes) == bytes)
            fwrite(image, 1, (size_t)bytes, output->file);
        else
            bytes = -1;
        memory_release(image);
    }
    if (w->file >= 0)
        H5Fclose(w->file);
    return bytes > 0 ? STATUS_OK
                     : error_set(error, STATUS_FAILED, "%s: cannot be made",
                                 output->path);
}

/* HDF5 replaces %b in the names of sources; %% is a percent sign. */
static char *escaped(const char *name)
{
    char *text = need_memory(2 * strlen(name) + 1, 1), *to = text;
    for (; *name; name++) {
        if (*name == '%')
            *to++ = '%';
        *to++ = *name;
    }
    return text;
}

enum status export_vtkhdf(const struct recording *recording,
                          const struct frames *frames, const char *path,
                          bool force, int64_t *steps, struct error *error)
{
    const struct box box = recording_region(recording);
    int64_t *rows = need_memory(frames->count, sizeof *rows);
    struct writing w = { .recording = recording,
                         .rows = rows,
                         .dims = recording_grid(recording)->dims,
                         .file = -1,
                         .root = -1,
                         .fields = -1,
                         .steps = -1,
                         .offsets = -1 };
    char name[PATH_MAX];
    struct output output = { 0 };
    for (int axis = 0; axis < GRID_AXES; axis++)
        w.cells[GRID_AXES - 1 - axis] =
            axis < w.dims ? (hsize_t)(box.high[axis] - box.low[axis] + 1) : 2;
    for (size_t i = 0; i < frames->count; i++)
        if (export_is_whole(recording, frames->rows[i]))
            rows[w.count++] = frames->rows[i];
    *steps = (int64_t)w.count;
    enum status status =
        w.count > 0 && frames->recording == recording
            ? export_name_recording(recording, path, name, error)
            : error_set(error, STATUS_INPUT,
                        "%s: the waves of these steps are not in the file",
                        recording_path(recording));
    if (!status)
        status = output_open(&output, path, force, error);
    if (!status) {
        w.name = escaped(name);
        status = put_image(&w, &output, error);
        memory_release(w.name);
        if (!status)
            status = interrupt_check(error);
        if (!status)
            status = output_commit(&output, error);
        output_abandon(&output);
    }
    memory_release(rows);
    return status;
}
