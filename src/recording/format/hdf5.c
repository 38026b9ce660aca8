/* SPDX-License-Identifier: MIT */
/* Writes the HDF5 structure of a layout, once: datasets, groups, scales and
 * attributes. Comments say which things other programs need;
 * docs/reference/format.md has the list. */
#include "recording/format/hdf5.h"

#include "base/memory.h"
#include "base/version.h"
#include "recording/format/hdf5_start.h"

#include <errno.h>
#include <hdf5_hl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ALIGN_FROM = 1 << 16, /* larger datasets begin at a page boundary */
    ALIGN_TO = 1 << 12,
    FLAGS_MAX = 16,
};

static bool debug;

void recording_hdf5_debug(bool print)
{
    debug = print;
}

const char *recording_hdf5_version(void)
{
    static char version[36];
    unsigned major, minor, release;
    recording_hdf5_start();
    H5get_libversion(&major, &minor, &release);
    snprintf(version, sizeof version, "%u.%u.%u", major, minor, release);
    return version;
}

void recording_hdf5_start(void)
{
    static bool started;
    if (!started) {
        H5dont_atexit(); /* fails if HDF5 was used before */
        started = true;
    }
    if (!debug)
        H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

hid_t layout_type(enum element_type type)
{
    switch (type) {
    case TYPE_INT8:
        return H5T_STD_I8LE;
    case TYPE_INT32:
        return H5T_STD_I32LE;
    case TYPE_INT64:
        return H5T_STD_I64LE;
    case TYPE_UINT32:
        return H5T_STD_U32LE;
    case TYPE_FLOAT32:
        return H5T_IEEE_F32LE;
    case TYPE_FLOAT64:
        return H5T_IEEE_F64LE;
    default:
        return H5T_C_S1; /* a NUL-terminated string of size 1 */
    }
}

static bool write_attribute(hid_t object, const char *name, hid_t type,
                            hid_t space, const void *value)
{
    hid_t attribute =
        H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool good = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    if (attribute >= 0)
        good = H5Aclose(attribute) >= 0 && good;
    return good;
}

/* Scalar, of fixed length, NUL-terminated: the only kind of text attribute that
 * netCDF, h5netcdf, NCO, GDAL and ParaView all read. */
bool layout_text_attribute(hid_t object, const char *name, const char *text)
{
    if (!text || !*text)
        return true;
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    bool good = type >= 0 && space >= 0 &&
                H5Tset_size(type, strlen(text) + 1) >= 0 &&
                H5Tset_cset(type, H5T_CSET_UTF8) >= 0 &&
                write_attribute(object, name, type, space, text);
    H5Sclose(space);
    H5Tclose(type);
    return good;
}

/* Numeric attributes are 1-D, as netCDF's own are. */
static bool number_attribute(hid_t object, const char *name, hid_t type,
                             hsize_t count, const void *values)
{
    hid_t space = H5Screate_simple(1, &count, NULL);
    bool good =
        space >= 0 && write_attribute(object, name, type, space, values);
    H5Sclose(space);
    return good;
}

/* flag_values 0, 1, … in the variable's own type, as CF 3.5 requires, and
 * flag_meanings. */
static bool flag_attributes(hid_t dataset, enum element_type type,
                            const char *meanings)
{
    int8_t narrow[FLAGS_MAX];
    int64_t wide[FLAGS_MAX];
    hsize_t count = 1;
    for (const char *at = meanings; *at; at++)
        count += *at == ' ';
    for (int i = 0; i < FLAGS_MAX; i++)
        wide[i] = narrow[i] = (int8_t)i;
    const void *values = type == TYPE_INT8 ? (void *)narrow : (void *)wide;
    return number_attribute(dataset, "flag_values", layout_type(type), count,
                            values) &&
           layout_text_attribute(dataset, "flag_meanings", meanings);
}

/* A value that means "none" is netCDF's _FillValue: without it other programs
 * would include it in means. */
static bool fill_attribute(const struct layout_item *item, hid_t dataset)
{
    enum element_type type = item->variable.type;
    const double none = NAN;
    /* −1 for every integer type; 0 for the time of a step that is not known. */
    const int64_t unknown = item->entry->needs == PART_TIME ? 0 : -1;
    if (!layout_starts_unused(item) && unknown == -1)
        return true;
    return number_attribute(dataset, "_FillValue", layout_type(type), 1,
                            type == TYPE_FLOAT64 ? (const void *)&none
                                                 : (const void *)&unknown);
}

/* Times have a date, which CF requires: the first one possible, so that
 * xarray's nanoseconds since 1970 equal those of the run. They are cut to whole
 * ones, so shorter steps have seconds without a date: otherwise several would
 * become one time. scale_factor converts positions to metres. */
static bool unit_attributes(const struct layout_header *header,
                            const char *units, hid_t dataset)
{
    const double shortest = 2e-9; /* that remains a step of its own */
    if (strcmp(units, "s") == 0 && header->step_seconds >= shortest)
        return layout_text_attribute(dataset, "units",
                                     "seconds since 1970-01-01 00:00:00") &&
               layout_text_attribute(dataset, "standard_name", "time") &&
               layout_text_attribute(dataset, "calendar", "standard");
    if (strcmp(units, "cell") == 0)
        return layout_text_attribute(dataset, "units", "m") &&
               number_attribute(dataset, "scale_factor", H5T_IEEE_F64LE, 1,
                                &header->cell_metres);
    return layout_text_attribute(dataset, "units", units);
}

/* In metres x and y are CF's coordinates of a plane: by these names GDAL knows
 * them. The attribute axis would do as well, but ParaView takes X and Y for
 * angles on a sphere. */
static bool plane_attribute(const struct layout_item *item, const char *units,
                            hid_t dataset)
{
    const char *axis = item->variable.axis[0];
    char name[sizeof "projection__coordinate" + AXIS_NAME_SIZE];
    if (item->entry->role != ROLE_SCALE || strcmp(units, "m") != 0 ||
        (strcmp(axis, "x") != 0 && strcmp(axis, "y") != 0))
        return true;
    snprintf(name, sizeof name, "projection_%s_coordinate", axis);
    return layout_text_attribute(dataset, "standard_name", name);
}

static bool variable_attributes(const struct layout *layout,
                                const struct layout_header *header,
                                const struct layout_item *item, hid_t dataset)
{
    const struct schema_entry *entry = item->entry;
    char long_name[128];
    layout_long_name(layout, item, long_name, sizeof long_name);
    const char *value = entry->value, *units = layout_units(layout, item);
    if (value && strcmp(value, "@") == 0)
        value = layout_find(layout, "z") ? "time x y z" : "time x y";
    bool good = layout_text_attribute(dataset, "long_name", long_name) &&
                unit_attributes(header, units, dataset) &&
                plane_attribute(item, units, dataset) &&
                (!value || layout_text_attribute(dataset, entry->key, value)) &&
                fill_attribute(item, dataset);
    if (good && entry->flags)
        good = flag_attributes(dataset, entry->type, entry->flags);
    if (good && item->variable.type == TYPE_CHAR)
        good = layout_text_attribute(dataset, "_Encoding", "utf-8");
    int32_t kept = item->keep_bits; /* the name that netCDF uses for it */
    if (good && kept)
        good = number_attribute(dataset,
                                "_QuantizeBitRoundNumberOfSignificantBits",
                                H5T_STD_I32LE, 1, &kept);
    return good;
}

/* Links the root's dataset into the group under its own name, too; netCDF takes
 * it for the same dimension. */
static bool link_time(hid_t file, hid_t group, const char *name, hid_t list)
{
    return H5Lexists(file, name, H5P_DEFAULT) <= 0 ||
           H5Lcreate_hard(file, name, group, name, list, H5P_DEFAULT) >= 0;
}

static bool complete_groups(hid_t file, hid_t list)
{
    for (const struct schema_group *group = schema_groups; group->name;
         group++) {
        if (H5Lexists(file, group->name, H5P_DEFAULT) <= 0)
            continue;
        hid_t object = H5Gopen2(file, group->name, H5P_DEFAULT);
        bool good = (!group->key ||
                     layout_text_attribute(object, group->key, group->value)) &&
                    link_time(file, object, "time", list) &&
                    link_time(file, object, "step", list);
        H5Gclose(object);
        if (!good)
            return false;
    }
    return true;
}

/* An attribute for users of other programs, which do not show the frames that
 * are not stored. */
static bool note_keyframes(hid_t file)
{
    return H5Lexists(file, "keyframe", H5P_DEFAULT) <= 0 ||
           layout_text_attribute(
               file, "comment",
               LAYOUT_KEYFRAME_NOTE
               "only the generations in keyframe are stored; "
               "Hamon's programs compute the other rows and the gradients; for "
               "other programs use hamon-pack --expand");
}

/* The papers of the method; CITATION.cff has further ones. */
static const char references[] =
    "渡辺大地, 波動方程式による波伝搬作用を利用した追跡行動アルゴリズム, "
    "芸術科学会論文誌 20(1), 1-9, 2021; "
    "熊谷樹, 3次元空間における波動方程式による追跡行動アルゴリズムに関する"
    "研究, 東京工科大学 卒業論文, 2024";

static bool file_attributes(hid_t file, const struct layout_header *header)
{
    static const int32_t version = RECORDING_FORMAT_VERSION;
    char source[128];
    snprintf(source, sizeof source, "hamon %s (%s)", hamon_version,
             hamon_commit);
    return layout_text_attribute(file, "Conventions", "CF-1.10") &&
           number_attribute(file, "format_version", H5T_NATIVE_INT32, 1,
                            &version) &&
           layout_text_attribute(file, "title", header->title) &&
           layout_text_attribute(file, "source", source) &&
           layout_text_attribute(file, "history", header->history) &&
           layout_text_attribute(file, "references", references) &&
           note_keyframes(file) &&
           (header->cell_metres == 0 ||
            number_attribute(file, "cell_metres", H5T_IEEE_F64LE, 1,
                             &header->cell_metres)) &&
           (header->step_seconds == 0 ||
            number_attribute(file, "step_seconds", H5T_IEEE_F64LE, 1,
                             &header->step_seconds));
}

static const unsigned both_orders =
    H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;

/* The objects that are open while a file is built; every id starts at −1. */
struct builder {
    hid_t file, dataset_list, group_list, link_list;
    struct layout *layout;
    const struct layout_header *header;
    hid_t *datasets; /* one for each item */
};

/* Properties of a dataset whose chunks are written later; chunks that are never
 * written read as 0. recording/pack compresses as HDF5's own filters would. */
static hid_t packed_list(const struct builder *builder,
                         const struct layout_item *item)
{
    hsize_t chunk[VARIABLE_MAX_RANK];
    for (int axis = 0; axis < item->variable.rank; axis++)
        chunk[axis] = (hsize_t)item->chunk[axis];
    hid_t list = H5Pcopy(builder->dataset_list);
    bool good = list >= 0 &&
                H5Pset_chunk(list, item->variable.rank, chunk) >= 0 &&
                H5Pset_fill_time(list, H5D_FILL_TIME_IFSET) >= 0 &&
                H5Pset_alloc_time(list, H5D_ALLOC_TIME_INCR) >= 0 &&
                H5Pset_shuffle(list) >= 0 && H5Pset_deflate(list, 1) >= 0;
    if (!good && list >= 0)
        H5Pclose(list);
    return good ? list : -1;
}

/* Groups are created explicitly, because those that H5Dcreate creates on the
 * path have the default properties. */
static bool create_groups(const struct builder *builder, const char *name)
{
    char path[VARIABLE_NAME_SIZE];
    snprintf(path, sizeof path, "%s", name);
    for (char *slash = strchr(path, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (H5Lexists(builder->file, path, H5P_DEFAULT) <= 0) {
            hid_t group = H5Gcreate2(builder->file, path, H5P_DEFAULT,
                                     builder->group_list, H5P_DEFAULT);
            if (group < 0)
                return false;
            H5Gclose(group);
        }
        *slash = '/';
    }
    return true;
}

/* Fixed extent, contiguous, allocated now, never filled: the file has its final
 * size before the first frame is written, and no byte is written twice. A
 * dimension without values gets no space, as netCDF does it, and reads as 0. */
static bool create_dataset(struct builder *builder,
                           const struct layout_item *item, hid_t *dataset)
{
    const struct variable *variable = &item->variable;
    hsize_t extent[VARIABLE_MAX_RANK];
    for (int axis = 0; axis < variable->rank; axis++)
        extent[axis] = (hsize_t)variable->extent[axis];
    hid_t space = variable->rank
                      ? H5Screate_simple(variable->rank, extent, NULL)
                      : H5Screate(H5S_SCALAR);
    bool alone = item->entry->role == ROLE_DIMENSION;
    hid_t list = item->chunk[0] ? packed_list(builder, item)
                                : H5Pcopy(builder->dataset_list);
    if (space < 0 || list < 0 ||
        (alone && H5Pset_fill_time(list, H5D_FILL_TIME_IFSET) < 0) ||
        (!item->chunk[0] &&
         H5Pset_alloc_time(list, alone ? H5D_ALLOC_TIME_LATE
                                       : H5D_ALLOC_TIME_EARLY) < 0) ||
        !create_groups(builder, variable->name))
        return false;
    *dataset =
        H5Dcreate2(builder->file, variable->name, layout_type(variable->type),
                   space, builder->link_list, list, H5P_DEFAULT);
    H5Pclose(list);
    H5Sclose(space);
    return *dataset >= 0 &&
           variable_attributes(builder->layout, builder->header, item,
                               *dataset);
}

/* The attribute by which netCDF marks a dimension without a variable. */
static bool make_scale(const struct layout_item *item, hid_t dataset)
{
    const char *name = item->variable.axis[0];
    char mark[80];
    if (item->entry->role == ROLE_SCALE)
        return H5DSset_scale(dataset, name) >= 0;
    snprintf(mark, sizeof mark,
             "This is a netCDF dimension but not a netCDF variable.%10lld",
             (long long)item->variable.extent[0]);
    return H5DSset_scale(dataset, mark) >= 0;
}

static bool is_scale(const struct layout_item *item)
{
    return item->entry->role == ROLE_SCALE ||
           item->entry->role == ROLE_DIMENSION;
}

/* The scale of an axis is in the variable's group, or in the nearest group
 * above that has one. */
static hid_t find_scale(const struct builder *builder,
                        const struct variable *variable, int axis)
{
    char path[VARIABLE_NAME_SIZE + AXIS_NAME_SIZE];
    size_t end = strlen(variable->name);
    for (;;) {
        while (end > 0 && variable->name[end - 1] != '/')
            end--;
        snprintf(path, sizeof path, "%.*s%s", (int)end, variable->name,
                 variable->axis[axis]);
        struct layout_item *item = layout_find(builder->layout, path);
        if (item && is_scale(item))
            return builder->datasets[item - builder->layout->items];
        if (end == 0)
            return -1;
        end--;
    }
}

static bool attach_scales(const struct builder *builder, size_t i)
{
    const struct layout_item *item = &builder->layout->items[i];
    for (int axis = 0; axis < item->variable.rank && !is_scale(item); axis++) {
        hid_t scale = find_scale(builder, &item->variable, axis);
        if (scale < 0 ||
            H5DSattach_scale(builder->datasets[i], scale, (unsigned)axis) < 0)
            return false;
    }
    return true;
}

static bool create_datasets(struct builder *builder)
{
    struct layout *layout = builder->layout;
    for (size_t i = 0; i < layout->count; i++) {
        struct layout_item *item = &layout->items[i];
        if (!create_dataset(builder, item, &builder->datasets[i]) ||
            (is_scale(item) && !make_scale(item, builder->datasets[i])))
            return false;
    }
    for (size_t i = 0; i < layout->count; i++)
        if (!attach_scales(builder, i))
            return false;
    return true;
}

static bool read_offsets(const struct builder *builder)
{
    for (size_t i = 0; i < builder->layout->count; i++) {
        struct layout_item *item = &builder->layout->items[i];
        if (item->bytes == 0 || item->chunk[0])
            continue;
        haddr_t offset = H5Dget_offset(builder->datasets[i]);
        if (offset == HADDR_UNDEF)
            return false;
        item->offset = offset;
    }
    return true;
}

/* Creation order is tracked and indexed (without it netCDF does not write to a
 * file). Times are not stored, so that equal runs make equal files. */
static bool make_lists(struct builder *builder)
{
    builder->dataset_list = H5Pcreate(H5P_DATASET_CREATE);
    builder->group_list = H5Pcreate(H5P_GROUP_CREATE);
    builder->link_list = H5Pcreate(H5P_LINK_CREATE);
    return H5Pset_layout(builder->dataset_list, H5D_CONTIGUOUS) >= 0 &&
           H5Pset_fill_time(builder->dataset_list, H5D_FILL_TIME_NEVER) >= 0 &&
           H5Pset_obj_track_times(builder->dataset_list, false) >= 0 &&
           H5Pset_attr_creation_order(builder->dataset_list, both_orders) >=
               0 &&
           H5Pset_obj_track_times(builder->group_list, false) >= 0 &&
           H5Pset_link_creation_order(builder->group_list, both_orders) >= 0 &&
           H5Pset_attr_creation_order(builder->group_list, both_orders) >= 0;
}

/* Links of the root that stay in the order in which they were made: HDF5 finds
 * an object's name by the first link to it, and the scale of time has links in
 * groups too. */
enum { ROOT_LINKS = 4096 };

/* Without a path: a file in memory, to find its size. The default driver would
 * refuse a file without a name (disk_nameless), because it resolves links. */
static bool create_file(struct builder *builder, const char *path)
{
    hid_t create = H5Pcreate(H5P_FILE_CREATE);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    bool good = H5Pset_obj_track_times(create, false) >= 0 &&
                H5Pset_link_creation_order(create, both_orders) >= 0 &&
                H5Pset_link_phase_change(create, ROOT_LINKS, 0) >= 0 &&
                H5Pset_attr_creation_order(create, both_orders) >= 0 &&
                H5Pset_alignment(access, ALIGN_FROM, ALIGN_TO) >= 0 &&
                (path ? H5Pset_fapl_stdio(access)
                      : H5Pset_fapl_core(access, ALIGN_FROM, false)) >= 0;
    if (good)
        builder->file =
            H5Fcreate(path ? path : "size", H5F_ACC_TRUNC, create, access);
    H5Pclose(access);
    H5Pclose(create);
    return good && builder->file >= 0;
}

static bool close_all(struct builder *builder)
{
    for (size_t i = 0; builder->datasets && i < builder->layout->count; i++)
        if (builder->datasets[i] > 0)
            H5Dclose(builder->datasets[i]);
    hid_t lists[] = { builder->dataset_list, builder->group_list,
                      builder->link_list };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (lists[i] >= 0)
            H5Pclose(lists[i]);
    return builder->file < 0 || H5Fclose(builder->file) >= 0;
}

/* Stores the size of the file in *bytes. */
static bool build(struct builder *builder, const char *path, uint64_t *bytes)
{
    hsize_t size = 0;
    bool good = make_lists(builder) && create_file(builder, path) &&
                create_datasets(builder) &&
                complete_groups(builder->file, builder->link_list) &&
                file_attributes(builder->file, builder->header) &&
                read_offsets(builder) &&
                H5Fget_filesize(builder->file, &size) >= 0;
    *bytes = size;
    return good;
}

static enum status create(const char *path, const char *name,
                          const struct layout_header *header,
                          struct layout *layout, uint64_t *bytes,
                          struct error *error)
{
    recording_hdf5_start();
    struct builder builder = { -1, -1, -1, -1, layout, header, NULL };
    builder.datasets = memory_new(layout->count, sizeof *builder.datasets);
    if (!builder.datasets)
        return error_memory(error);
    errno = 0;
    bool built = build(&builder, path, bytes);
    int code = errno;
    errno = 0;
    bool closed = close_all(&builder); /* closing writes, so it may fail too */
    if (built)
        code = errno;
    memory_release(builder.datasets);
    if (built && closed)
        return STATUS_OK;
    errno = code ? code : EIO;
    return error_system(error, STATUS_DISK,
                        "%s: the recording cannot be laid out", name);
}

enum status layout_create(const char *path, const char *name,
                          const struct layout_header *header,
                          struct layout *layout, struct error *error)
{
    uint64_t bytes;
    return create(path, name, header, layout, &bytes, error);
}

/* HDF5's own metadata does not depend on the extents: it is measured in memory
 * with all extents 1, and the bytes of the data are added. */
enum status layout_bytes(const struct layout_header *header,
                         const struct layout *layout, uint64_t *bytes,
                         struct error *error)
{
    struct layout small = { memory_new(layout->count, sizeof *small.items),
                            layout->count };
    /* a page for the alignment of the first dataset */
    uint64_t data = ALIGN_TO, own;
    if (!small.items)
        return error_memory(error);
    memcpy(small.items, layout->items, layout->count * sizeof *small.items);
    for (size_t i = 0; i < small.count; i++) {
        struct layout_item *item = &small.items[i];
        uint64_t least = element_bytes(item->variable.type);
        for (int axis = 0; axis < item->variable.rank; axis++)
            item->variable.extent[axis] = 1;
        if (item->bytes > 0)
            data += item->bytes - least;
        if (item->bytes >= ALIGN_FROM)
            data += ALIGN_TO;
    }
    enum status status = create(NULL, "in memory", header, &small, &own, error);
    layout_release(&small);
    if (!status)
        *bytes = own + data;
    return status;
}
