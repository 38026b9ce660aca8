/* SPDX-License-Identifier: MIT */
/* same FILE FILE: two recordings have the same datasets, byte for byte, except
 * for parts that differ from run to run: /provenance, /restart, the number of
 * commits and the times of plans. Names the datasets that differ, and where the
 * difference begins. */
#include "base/memory.h"

#include <hdf5.h>
#include <stdio.h>
#include <string.h>

static bool counts(const char *name)
{
    return strncmp(name, "provenance/", 11) != 0 &&
           strncmp(name, "restart/", 8) != 0 &&
           strcmp(name, "status/sequence") != 0 &&
           strcmp(name, "plans/nanoseconds") != 0;
}

/* All bytes of a dataset, in memory_new memory; NULL if there is none, or if
 * they cannot be read: HDF5 prints the reason on stderr. */
static void *bytes_of(hid_t file, const char *name, size_t *bytes)
{
    void *values = NULL;
    if (H5Lexists(file, name, H5P_DEFAULT) <= 0)
        return NULL;
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    if (set < 0)
        return NULL;
    hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    *bytes = (size_t)H5Sget_simple_extent_npoints(space) * H5Tget_size(type);
    values = memory_new(*bytes, 1);
    if (values &&
        H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) {
        memory_release(values);
        values = NULL;
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    return values;
}

/* Prints the difference of two values of a dataset; false if there is none. */
static bool differ(const char *name, const unsigned char *const values[2],
                   const size_t bytes[2])
{
    size_t at = 0;
    if (!values[0] || !values[1]) {
        printf("%s: cannot be read in the %s\n", name,
               values[0]   ? "second"
               : values[1] ? "first"
                           : "two");
        return true;
    }
    while (at < bytes[0] && at < bytes[1] && values[0][at] == values[1][at])
        at++;
    if (at == bytes[0] && at == bytes[1])
        return false;
    printf("%s: %zu and %zu bytes, unlike from byte %zu on\n", name, bytes[0],
           bytes[1], at);
    return true;
}

struct pair {
    hid_t files[2];
    int compared, unlike;
};

static herr_t compare(hid_t object, const char *name, const H5O_info_t *info,
                      void *context)
{
    struct pair *pair = context;
    size_t bytes[2] = { 0, 1 };
    (void)object;
    if (info->type != H5O_TYPE_DATASET || !counts(name))
        return 0;
    void *values[2];
    for (int i = 0; i < 2; i++)
        values[i] = bytes_of(pair->files[i], name, &bytes[i]);
    pair->compared++;
    pair->unlike += differ(
        name, (const unsigned char *const[2]){ values[0], values[1] }, bytes);
    memory_release(values[0]);
    memory_release(values[1]);
    return 0;
}

int main(int count, char **arguments)
{
    struct pair pair = { .compared = 0 };
    if (count != 3)
        return 2;
    for (int i = 0; i < 2; i++) {
        pair.files[i] = H5Fopen(arguments[i + 1], H5F_ACC_RDONLY, H5P_DEFAULT);
        if (pair.files[i] < 0)
            return 2;
    }
    /* Once from each side, so that a dataset in only one file is noticed. */
    for (int i = 0; i < 2; i++)
        if (H5Ovisit(pair.files[i], H5_INDEX_NAME, H5_ITER_NATIVE, compare,
                     &pair) < 0)
            return 2;
    H5Fclose(pair.files[0]);
    H5Fclose(pair.files[1]);
    return pair.unlike > 0 || pair.compared < 10;
}
