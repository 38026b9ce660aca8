/* SPDX-License-Identifier: MIT */
/* spoil FILE VARIABLE ROW ELEMENT VALUE: changes one value of a recording and
 * corrects the row's checksum, so that only the laws of the recorded data can
 * show the change. VALUE `ulp` is the next number up. If there is no checksum
 * (`crc/VARIABLE`), none is corrected; with VALUE `crc` only the checksum is
 * changed. */
#include "base/crc32c.h"
#include "base/memory.h"

#include <hdf5.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    hid_t set, type, file_space, memory_space;
    size_t elements, bytes; /* of the row; of one element */
    void *values;
};

/* Row `index` of a variable by rows, or the whole of another dataset. */
static struct row row_open(hid_t set, hsize_t index, bool series)
{
    struct row row = { .set = set, .elements = 1 };
    hsize_t extent[4] = { 0 }, start[4] = { series ? index : 0 }, count[4];
    hid_t stored = H5Dget_type(set);
    row.type = H5Tget_native_type(stored, H5T_DIR_ASCEND);
    H5Tclose(stored);
    row.file_space = H5Dget_space(set);
    int rank = H5Sget_simple_extent_dims(row.file_space, extent, NULL);
    for (int i = 0; i < rank; i++) {
        count[i] = i == 0 && series ? 1 : extent[i];
        row.elements *= count[i];
    }
    H5Sselect_hyperslab(row.file_space, H5S_SELECT_SET, start, NULL, count,
                        NULL);
    row.memory_space = H5Screate_simple(rank, count, NULL);
    row.bytes = H5Tget_size(row.type);
    row.values = memory_new(row.elements, row.bytes);
    if (H5Dread(set, row.type, row.memory_space, row.file_space, H5P_DEFAULT,
                row.values) < 0)
        exit(2);
    return row;
}

/* Writes the row back, and closes it. */
static void row_close(struct row *row)
{
    if (H5Dwrite(row->set, row->type, row->memory_space, row->file_space,
                 H5P_DEFAULT, row->values) < 0)
        exit(2);
    H5Sclose(row->memory_space);
    H5Sclose(row->file_space);
    H5Tclose(row->type);
    H5Dclose(row->set);
    memory_release(row->values);
}

static void change(const struct row *row, size_t element, const char *value)
{
    char *at = (char *)row->values + element * row->bytes;
    double number = strtod(value, NULL);
    float single;
    double twice;
    int32_t whole = (int32_t)number;
    if (H5Tget_class(row->type) == H5T_INTEGER) {
        memcpy(at, &whole, row->bytes);
    } else if (row->bytes == sizeof single) {
        memcpy(&single, at, sizeof single);
        single =
            strcmp(value, "ulp") ? (float)number : nextafterf(single, INFINITY);
        memcpy(at, &single, sizeof single);
    } else {
        memcpy(&twice, at, sizeof twice);
        twice = strcmp(value, "ulp") ? number : nextafter(twice, INFINITY);
        memcpy(at, &twice, sizeof twice);
    }
}

int main(int argc, char **argv)
{
    if (argc != 6)
        return 2;
    char crc_name[256];
    /* The folders of checksums are named as the groups, "crc/agents/crc_x". */
    const char *slash = strrchr(argv[2], '/');
    const int group = slash ? (int)(slash - argv[2]) + 1 : 0;
    snprintf(crc_name, sizeof crc_name, "crc/%.*scrc_%s", group, argv[2],
             argv[2] + group);
    size_t element = strtoul(argv[4], NULL, 10);
    hsize_t index = strtoul(argv[3], NULL, 10);
    hid_t file = H5Fopen(argv[1], H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t set = H5Dopen2(file, argv[2], H5P_DEFAULT);
    H5E_auto2_t print;
    void *data;
    H5Eget_auto2(H5E_DEFAULT, &print, &data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t sums = H5Dopen2(file, crc_name, H5P_DEFAULT);
    H5Eset_auto2(H5E_DEFAULT, print, data);
    if (file < 0 || set < 0)
        return 2;
    struct row row = row_open(set, index, sums >= 0);
    if (element >= row.elements)
        return 2;
    if (strcmp(argv[5], "crc") != 0)
        change(&row, element, argv[5]);
    if (sums >= 0) {
        struct row sum = row_open(sums, index, true);
        uint32_t crc = crc32c(0, row.values, row.elements * row.bytes);
        crc += strcmp(argv[5], "crc") == 0;
        memcpy(sum.values, &crc, sizeof crc);
        row_close(&sum);
    }
    row_close(&row);
    return H5Fclose(file) < 0 ? 2 : 0;
}
