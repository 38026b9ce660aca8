/* SPDX-License-Identifier: MIT */
#include "recording/layout_hdf5.h"

#include "base/version.h"

#include <stdio.h>
#include <string.h>

enum { FLAGS_MAX = 16 };

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
        return H5T_C_S1; /* NULL-terminated, of size 1 */
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

/* Scalar, of fixed length, NUL-terminated: the one kind of text attribute
 * that netCDF, h5netcdf, NCO, GDAL and ParaView all read. */
static bool text_attribute(hid_t object, const char *name, const char *text)
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

/* Values 0, 1, … in the variable's own type, as CF 3.5 wants, and meanings. */
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
           text_attribute(dataset, "flag_meanings", meanings);
}

static void fill_text(const struct layout_item *item, const char *template,
                      char *text, size_t size)
{
    size_t used = 0;
    for (; *template && used + 1 < size; template ++)
        if (*template == '#')
            used +=
                (size_t)snprintf(text + used, size - used, "%d", item->wave);
        else
            text[used++] = *template == '@' ? "xyz"[item->letter] : *template;
    text[used < size ? used : size - 1] = '\0';
}

bool layout_variable_attributes(const struct layout *layout,
                                const struct layout_item *item, hid_t dataset)
{
    const struct schema_entry *entry = item->entry;
    char long_name[128] = "";
    if (entry->long_name)
        fill_text(item, entry->long_name, long_name, sizeof long_name);
    const char *value = entry->value;
    if (value && strcmp(value, "@") == 0)
        value = layout_find(layout, "z") ? "x y z" : "x y";
    bool good = text_attribute(dataset, "long_name", long_name) &&
                text_attribute(dataset, "units", entry->units) &&
                (!value || text_attribute(dataset, entry->key, value));
    if (good && entry->flags)
        good = flag_attributes(dataset, entry->type, entry->flags);
    if (good && item->variable.type == TYPE_CHAR)
        good = text_attribute(dataset, "_Encoding", "utf-8");
    int32_t kept = item->keep_bits; /* netCDF's own name for it */
    if (good && kept)
        good = number_attribute(dataset,
                                "_QuantizeBitRoundNumberOfSignificantBits",
                                H5T_STD_I32LE, 1, &kept);
    return good;
}

static bool group_attributes(hid_t file)
{
    for (const struct schema_group *group = schema_groups; group->name;
         group++) {
        if (H5Lexists(file, group->name, H5P_DEFAULT) <= 0)
            continue;
        hid_t object = H5Gopen2(file, group->name, H5P_DEFAULT);
        bool good = text_attribute(object, group->key, group->value);
        H5Gclose(object);
        if (!good)
            return false;
    }
    return true;
}

/* What other programs do not see, told where they show it. */
static bool tell_keyframes(hid_t file)
{
    return H5Lexists(file, "keyframe", H5P_DEFAULT) <= 0 ||
           text_attribute(file, "comment",
                          "of each wave the generations in keyframe alone are "
                          "stored; rows between them and gradients are "
                          "computed by Hamon's programs; for other programs: "
                          "hamon-pack --expand");
}

bool layout_file_attributes(hid_t file, const struct layout_header *header)
{
    char source[128];
    snprintf(source, sizeof source, "hamon %s (%s)", hamon_version,
             hamon_commit);
    return text_attribute(file, "Conventions", "CF-1.10") &&
           text_attribute(file, "title", header->title) &&
           text_attribute(file, "source", source) && tell_keyframes(file) &&
           (header->cell_metres == 0 ||
            number_attribute(file, "cell_metres", H5T_IEEE_F64LE, 1,
                             &header->cell_metres)) &&
           (header->step_seconds == 0 ||
            number_attribute(file, "step_seconds", H5T_IEEE_F64LE, 1,
                             &header->step_seconds)) &&
           group_attributes(file);
}
