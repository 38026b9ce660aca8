/* SPDX-License-Identifier: MIT */
/* hostile make BASE PACKED KEYFRAMES FOLDER SECRET: writes recordings that were
 * made to harm, each a copy of the recording BASE, of a packed one or of one
 * with keyframes, with one thing changed. Prints `FILE<tab>WHEN<tab>WORDS` for
 * each: whether it is refused when it is opened (`open`) or when its rows are
 * read (`rows`), and what the message must hold. SECRET is a file of raw bytes
 * that no program may open.
 * hostile run COMMAND…: runs the command; prints `CODE KILOBYTES
 * MILLISECONDS` of it and all of its children to descriptor 3. */
#include "hostile.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *secret;

void need(bool kept, const char *what)
{
    if (kept)
        return;
    fprintf(stderr, "hostile: %s\n", what);
    exit(1);
}

void remove_link(hid_t file, const char *name)
{
    need(H5Ldelete(file, name, H5P_DEFAULT) >= 0, name);
}

/* A dataset in the place of `name`, of this type, space and creation list. */
hid_t put(hid_t file, const char *name, hid_t type, int rank,
          const hsize_t *extent, hid_t list)
{
    hid_t space = rank < 0    ? H5Screate(H5S_NULL)
                  : rank == 0 ? H5Screate(H5S_SCALAR)
                              : H5Screate_simple(rank, extent, NULL);
    remove_link(file, name);
    hid_t set =
        H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    need(set >= 0, name);
    H5Sclose(space);
    return set;
}

/* The extents and type of what stands there. */
int extents_of(hid_t file, const char *name, hsize_t extent[4], hid_t *type)
{
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    hid_t space = H5Dget_space(set);
    int rank = H5Sget_simple_extent_dims(space, extent, NULL);
    *type = H5Dget_type(set);
    H5Sclose(space);
    H5Dclose(set);
    return rank;
}

/* Writes one number into an existing dataset at `index` of its first axis. */
void set_number(hid_t file, const char *name, hsize_t index, double to)
{
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    hid_t space = H5Dget_space(set), one = H5Screate(H5S_SCALAR);
    if (H5Sget_simple_extent_ndims(space) > 0)
        H5Sselect_elements(space, H5S_SELECT_SET, 1, &index);
    need(H5Dwrite(set, H5T_NATIVE_DOUBLE, one, space, H5P_DEFAULT, &to) >= 0,
         name);
    H5Sclose(one);
    H5Sclose(space);
    H5Dclose(set);
}

/* ---- what reaches for other files ---- */

static void external_storage(hid_t file)
{
    hsize_t extent[4];
    hid_t type, list = H5Pcreate(H5P_DATASET_CREATE);
    int rank = extents_of(file, "wall", extent, &type);
    need(H5Pset_external(list, secret, 0, H5F_UNLIMITED) >= 0, "external");
    H5Dclose(put(file, "wall", type, rank, extent, list));
}

static void external_text(hid_t file)
{
    hsize_t extent[4];
    hid_t type, list = H5Pcreate(H5P_DATASET_CREATE);
    int rank = extents_of(file, "provenance/scenario", extent, &type);
    need(H5Pset_external(list, secret, 0, extent[0]) >= 0, "external");
    H5Dclose(put(file, "provenance/scenario", type, rank, extent, list));
}

static void external_link(hid_t file)
{
    remove_link(file, "wave0");
    H5Lcreate_external(secret, "/wave0", file, "wave0", H5P_DEFAULT,
                       H5P_DEFAULT);
}

static void external_group(hid_t file)
{
    remove_link(file, "agents");
    H5Lcreate_external(secret, "/", file, "agents", H5P_DEFAULT, H5P_DEFAULT);
}

static void external_provenance(hid_t file)
{
    remove_link(file, "provenance");
    H5Lcreate_external(secret, "/", file, "provenance", H5P_DEFAULT,
                       H5P_DEFAULT);
}

static void soft_link(hid_t file)
{
    remove_link(file, "wave0");
    H5Lcreate_soft("/wall", file, "wave0", H5P_DEFAULT, H5P_DEFAULT);
}

static void soft_loop(hid_t file)
{
    remove_link(file, "time");
    H5Lcreate_soft("/time", file, "time", H5P_DEFAULT, H5P_DEFAULT);
}

static void soft_group(hid_t file)
{
    remove_link(file, "status");
    H5Lcreate_soft("/status/committed", file, "status", H5P_DEFAULT,
                   H5P_DEFAULT);
}

static void virtual_dataset(hid_t file)
{
    hsize_t extent[4];
    hid_t type, list = H5Pcreate(H5P_DATASET_CREATE);
    int rank = extents_of(file, "wave0", extent, &type);
    hid_t space = H5Screate_simple(rank, extent, NULL);
    need(H5Pset_virtual(list, space, secret, "/wave0", space) >= 0, "virtual");
    H5Dclose(put(file, "wave0", type, rank, extent, list));
}

/* ---- what is larger than any memory ---- */

static void huge_extent(hid_t file)
{
    hsize_t extent[] = { (hsize_t)1 << 40 };
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_LATE);
    H5Dclose(put(file, "time", H5T_IEEE_F64LE, 1, extent, list));
}

static void huge_text(hid_t file)
{
    hsize_t extent[] = { (hsize_t)1 << 50 };
    hid_t list = H5Pcreate(H5P_DATASET_CREATE), type = H5Tcopy(H5T_C_S1);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_LATE);
    H5Dclose(put(file, "provenance/scenario", type, 1, extent, list));
}

/* " = " again and again: each is a setting, for which memory is taken. */
static void settings_by_the_million(hid_t file)
{
    hsize_t extent[] = { 4 * (((hsize_t)1 << 20) + 1) };
    hid_t type = H5Tcopy(H5T_C_S1);
    char *text = malloc(extent[0]);
    need(text, "settings");
    for (hsize_t i = 0; i < extent[0]; i++)
        text[i] = " = \n"[i % 4];
    plain(file, "provenance/parameters_length", H5T_IEEE_F32LE, 1, extent);
    hid_t set = put(file, "provenance/parameters", type, 1, extent,
                    H5Pcreate(H5P_DATASET_CREATE));
    need(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0,
         "settings");
    H5Dclose(set);
    free(text);
}

static void huge_map(hid_t file)
{
    hsize_t extent[] = { (hsize_t)3 << 30 };
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_LATE);
    H5Dclose(put(file, "x", H5T_IEEE_F64LE, 1, extent, list));
}

/* Gigabytes of one byte in a few kilobytes. */
static void bomb(hid_t file, const char *name, hsize_t rows)
{
    hsize_t extent[4], chunk[4];
    hid_t type, list = H5Pcreate(H5P_DATASET_CREATE);
    int rank = extents_of(file, name, extent, &type);
    for (int i = 0; i < rank; i++)
        chunk[i] = extent[i];
    extent[0] = rows;
    chunk[0] = 1;
    if (rank > 1)
        extent[rank - 1] = chunk[rank - 1] = (hsize_t)1 << 24;
    H5Pset_chunk(list, rank, chunk);
    H5Pset_deflate(list, 9);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_INCR);
    hid_t set = put(file, name, type, rank, extent, list);
    size_t bytes = H5Tget_size(type);
    for (int i = 0; i < rank; i++)
        bytes *= chunk[i];
    void *zeros = calloc(1, bytes);
    hsize_t start[4] = { 0 };
    hid_t space = H5Dget_space(set);
    hid_t memory = H5Screate_simple(rank, chunk, NULL);
    for (start[0] = 0; start[0] < 2 && start[0] < rows; start[0]++) {
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, chunk, NULL);
        need(zeros &&
                 H5Dwrite(set, type, memory, space, H5P_DEFAULT, zeros) >= 0,
             "bomb");
    }
    free(zeros);
    H5Dclose(set);
}

static void bomb_rows(hid_t file)
{
    bomb(file, "wave0", 1 << 20);
}

static void bomb_map(hid_t file)
{
    bomb(file, "wall", 1);
}

/* A chunk of 4 GiB less one, said to be deflated to nearly nothing. */
static void chunk_of_gigabytes(hid_t file)
{
    hsize_t extent[4], chunk[] = { 1, 1 << 15, (1 << 15) - 1 };
    hid_t type, list = H5Pcreate(H5P_DATASET_CREATE);
    int rank = extents_of(file, "wave0", extent, &type);
    extent[1] = chunk[1];
    extent[2] = chunk[2];
    H5Pset_chunk(list, rank, chunk);
    H5Pset_deflate(list, 9);
    hid_t set = put(file, "wave0", type, rank, extent, list);
    hsize_t at[3] = { 0 };
    static const unsigned char stored[] = { 0x78, 0x9c, 3, 0, 0, 0, 0, 1 };
    need(H5Dwrite_chunk(set, H5P_DEFAULT, 0, at, sizeof stored, stored) >= 0,
         "chunk");
    H5Dclose(set);
}

/* Bytes that are no deflate stream where one is said to be. */
static void spoilt_deflate(hid_t file)
{
    hsize_t extent[4], chunk[4], at[4] = { 0 };
    hid_t type, list = H5Pcreate(H5P_DATASET_CREATE);
    int rank = extents_of(file, "wave0", extent, &type);
    memcpy(chunk, extent, sizeof chunk);
    chunk[0] = 1;
    H5Pset_chunk(list, rank, chunk);
    H5Pset_shuffle(list);
    H5Pset_deflate(list, 1);
    hid_t set = put(file, "wave0", type, rank, extent, list);
    for (at[0] = 0; at[0] < extent[0]; at[0]++)
        need(H5Dwrite_chunk(set, H5P_DEFAULT, 0, at, 40,
                            "no deflate stream, but forty bytes of text.") >= 0,
             "chunk");
    H5Dclose(set);
}

/* ---- filters ---- */

/* Stands in for a filter while such a file is made; readers have none. */
static size_t leave(unsigned flags, size_t count, const unsigned values[],
                    size_t bytes, size_t *room, void **data)
{
    return bytes;
}

static void filtered(hid_t file, H5Z_filter_t filter)
{
    hsize_t extent[4], chunk[4];
    hid_t type, list = H5Pcreate(H5P_DATASET_CREATE);
    int rank = extents_of(file, "wave0", extent, &type);
    const H5Z_class2_t class = { H5Z_CLASS_T_VERS, filter, 1,    1,
                                 "of my own",      NULL,   NULL, leave };
    memcpy(chunk, extent, sizeof chunk);
    H5Pset_chunk(list, rank, chunk);
    need(H5Zregister(&class) >= 0 &&
             H5Pset_filter(list, filter, H5Z_FLAG_MANDATORY, 0, NULL) >= 0,
         "filter");
    H5Dclose(put(file, "wave0", type, rank, extent, list));
    H5Zunregister(filter);
}

static void unknown_filter(hid_t file)
{
    filtered(file, 32015);
}

static void own_filter(hid_t file)
{
    filtered(file, 257);
}

static void scale_offset(hid_t file)
{
    hsize_t extent[4], chunk[4];
    hid_t type, list = H5Pcreate(H5P_DATASET_CREATE);
    int rank = extents_of(file, "wall", extent, &type);
    memcpy(chunk, extent, sizeof chunk);
    H5Pset_chunk(list, rank, chunk);
    H5Pset_scaleoffset(list, H5Z_SO_INT, 0);
    H5Dclose(put(file, "wall", type, rank, extent, list));
}

/* ---- ranks and types ---- */

void plain(hid_t file, const char *name, hid_t type, int rank,
           const hsize_t *extent)
{
    H5Dclose(put(file, name, type, rank, extent, H5P_DEFAULT));
}

static void wrong_rank(hid_t file)
{
    plain(file, "wall", H5T_STD_I8LE, 5, (hsize_t[]){ 1, 1, 1, 1, 1 });
}

static void rank_of_32(hid_t file)
{
    hsize_t extent[H5S_MAX_RANK];
    for (int i = 0; i < H5S_MAX_RANK; i++)
        extent[i] = 1;
    plain(file, "wave0", H5T_IEEE_F32LE, H5S_MAX_RANK, extent);
}

static void no_rank(hid_t file)
{
    plain(file, "time", H5T_IEEE_F64LE, -1, NULL);
}

static void scalar(hid_t file)
{
    plain(file, "x", H5T_IEEE_F64LE, 0, NULL);
}

static void big_endian(hid_t file)
{
    hsize_t extent[4];
    hid_t type;
    int rank = extents_of(file, "time", extent, &type);
    plain(file, "time", H5T_IEEE_F64BE, rank, extent);
}

static void long_text(hid_t file)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    plain(file, "provenance/scenario", type, 1, (hsize_t[]){ 4 });
}

static void references(hid_t file)
{
    hsize_t extent[4];
    hid_t type;
    int rank = extents_of(file, "wave0", extent, &type);
    plain(file, "wave0", H5T_STD_REF_OBJ, rank, extent);
}

static void regions(hid_t file)
{
    plain(file, "status/committed", H5T_STD_REF_DSETREG, 0, NULL);
}

static void compound(hid_t file)
{
    hid_t type = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(type, "a", 0, H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "b", 8, H5T_NATIVE_DOUBLE);
    plain(file, "y", type, 1, (hsize_t[]){ 3 });
}

static void ragged(hid_t file)
{
    plain(file, "agents/x", H5Tvlen_create(H5T_NATIVE_DOUBLE), 2,
          (hsize_t[]){ 4, 1 });
}

static void array(hid_t file)
{
    hsize_t huge[] = { 1 << 20 };
    plain(file, "agents/state", H5Tarray_create2(H5T_STD_I8LE, 1, huge), 2,
          (hsize_t[]){ 4, 1 });
}

static void opaque(hid_t file)
{
    plain(file, "agents/agent", H5Tcreate(H5T_OPAQUE, 4), 1, (hsize_t[]){ 1 });
}

static void committed_type(hid_t file)
{
    remove_link(file, "wave0");
    H5Tcommit2(file, "wave0", H5Tcopy(H5T_NATIVE_FLOAT), H5P_DEFAULT,
               H5P_DEFAULT, H5P_DEFAULT);
}

static void group_for_dataset(hid_t file)
{
    remove_link(file, "time");
    H5Gclose(H5Gcreate2(file, "time", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

static void dataset_for_group(hid_t file)
{
    plain(file, "status", H5T_STD_I64LE, 0, NULL);
}

/* ---- what does not go together ---- */

static void cycle(hid_t file)
{
    remove_link(file, "provenance");
    need(H5Lcreate_hard(file, "/", file, "provenance", H5P_DEFAULT,
                        H5P_DEFAULT) >= 0,
         "cycle");
}

static void cycle_of_checksums(hid_t file)
{
    remove_link(file, "crc");
    need(H5Lcreate_hard(file, "/", file, "crc", H5P_DEFAULT, H5P_DEFAULT) >= 0,
         "cycle");
}

static void missing(hid_t file)
{
    remove_link(file, "crc/wave0");
}

static void other_extent(hid_t file)
{
    plain(file, "agents/x", H5T_IEEE_F64LE, 2, (hsize_t[]){ 4, 7 });
}

static void many_waves(hid_t file)
{
    hsize_t extent[4];
    hid_t type;
    char name[24];
    int rank = extents_of(file, "wave0", extent, &type);
    for (int i = 1; i < 100; i++) {
        snprintf(name, sizeof name, "wave%d", i);
        hid_t space = H5Screate_simple(rank, extent, NULL);
        H5Dclose(H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT,
                            H5P_DEFAULT));
        H5Sclose(space);
    }
}

static void more_committed(hid_t file)
{
    set_number(file, "status/committed", 0, 5000);
}

static void negative_committed(hid_t file)
{
    set_number(file, "status/committed", 0, -1);
}

static void negative_table(hid_t file)
{
    set_number(file, "status/plans", 0, -7);
}

static void unknown_state(hid_t file)
{
    set_number(file, "status/state", 0, 99);
}

static void not_a_step(hid_t file)
{
    set_number(file, "time", 1, 0.0 / 0.0);
}

static void falling_steps(hid_t file)
{
    set_number(file, "time", 2, -3);
}

static void infinite_axis(hid_t file)
{
    set_number(file, "x", 0, 1.0 / 0.0);
}

static void axis_of_nan(hid_t file)
{
    set_number(file, "y", 1, 0.0 / 0.0);
}

static void late_version(hid_t file)
{
    set_number(file, "version_step", 0, 3);
}

static void title_of_megabytes(hid_t file)
{
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, 60000);
    H5Adelete(file, "title");
    hid_t title =
        H5Acreate2(file, "title", type, space, H5P_DEFAULT, H5P_DEFAULT);
    need(title >= 0, "title");
    H5Aclose(title);
}

static void title_without_end(hid_t file)
{
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, H5T_VARIABLE);
    H5Adelete(file, "title");
    hid_t title =
        H5Acreate2(file, "title", type, space, H5P_DEFAULT, H5P_DEFAULT);
    H5Aclose(title);
}

static const struct attack attacks[] = {
    { "external-storage", external_storage, "wall: ", WHEN_OPENED },
    { "external-text", external_text, "provenance/scenario: ", WHEN_OPENED },
    { "external-link", external_link, "wave0: ", WHEN_OPENED },
    { "external-group", external_group, "agents: ", WHEN_OPENED },
    { "external-provenance", external_provenance, "provenance: ", WHEN_OPENED },
    { "soft-link", soft_link, "wave0: ", WHEN_OPENED },
    { "soft-loop", soft_loop, "time: ", WHEN_OPENED },
    { "soft-group", soft_group, "status: ", WHEN_OPENED },
    { "virtual-dataset", virtual_dataset, "wave0: ", WHEN_OPENED },
    { "huge-extent", huge_extent, "rows", WHEN_OPENED },
    { "huge-text", huge_text, "provenance/scenario", WHEN_OPENED },
    { "settings-by-the-million", settings_by_the_million,
      "provenance/parameters: holds more", WHEN_OPENED },
    { "huge-map", huge_map, "x", WHEN_OPENED },
    { "deflate-bomb", bomb_rows, "wave0: ", WHEN_OPENED },
    { "deflate-bomb-map", bomb_map, "wall: ", WHEN_OPENED },
    { "chunk-of-gigabytes", chunk_of_gigabytes, "wave0: ", WHEN_OPENED },
    { "spoilt-deflate", spoilt_deflate, "wave0", WHEN_OPENED },
    { "unknown-filter", unknown_filter, "wave0: ", WHEN_OPENED },
    { "own-filter", own_filter, "wave0: ", WHEN_OPENED },
    { "scale-offset", scale_offset, "wall: ", WHEN_OPENED },
    { "wrong-rank", wrong_rank, "wall: ", WHEN_OPENED },
    { "rank-of-32", rank_of_32, "wave0: ", WHEN_OPENED },
    { "no-rank", no_rank, "time: ", WHEN_OPENED },
    { "scalar", scalar, "x: ", WHEN_OPENED },
    { "big-endian", big_endian, "time: ", WHEN_OPENED },
    { "long-text", long_text, "provenance/scenario: ", WHEN_OPENED },
    { "references", references, "wave0: ", WHEN_OPENED },
    { "regions", regions, "status/committed: ", WHEN_OPENED },
    { "compound", compound, "y: ", WHEN_OPENED },
    { "ragged", ragged, "agents/x: ", WHEN_OPENED },
    { "array", array, "agents/state: ", WHEN_OPENED },
    { "opaque", opaque, "agents/agent: ", WHEN_OPENED },
    { "committed-type", committed_type, "wave0: ", WHEN_OPENED },
    { "group-for-dataset", group_for_dataset, "time: ", WHEN_OPENED },
    { "dataset-for-group", dataset_for_group, "status", WHEN_OPENED },
    { "cycle", cycle, "provenance/", WHEN_OPENED },
    { "cycle-of-checksums", cycle_of_checksums, "crc/", WHEN_OPENED },
    { "missing", missing, "crc/wave0: ", WHEN_OPENED },
    { "other-extent", other_extent, "agents/x: ", WHEN_OPENED },
    { "many-waves", many_waves, "wave", WHEN_OPENED },
    { "more-committed", more_committed, "status/committed: ", WHEN_OPENED },
    { "negative-committed", negative_committed,
      "status/committed: ", WHEN_OPENED },
    { "negative-table", negative_table, "status/plans: ", WHEN_OPENED },
    { "unknown-state", unknown_state, "status/state: ", WHEN_OPENED },
    { "not-a-step", not_a_step, "time: ", WHEN_OPENED },
    { "falling-steps", falling_steps, "time: ", WHEN_OPENED },
    { "infinite-axis", infinite_axis, "x: ", WHEN_OPENED },
    { "axis-of-nan", axis_of_nan, "y: ", WHEN_OPENED },
    { "late-version", late_version, "version_step: ", WHEN_OPENED },
    { "title-of-megabytes", title_of_megabytes, "title: ", WHEN_OPENED },
    { "title-without-end", title_without_end, "title: ", WHEN_OPENED },
    { NULL, NULL, NULL, 0 },
};

static char *read_whole(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    char *data = malloc((size_t)1 << 24);
    need(file && data, path);
    *bytes = fread(data, 1, (size_t)1 << 24, file);
    fclose(file);
    return data;
}

static void write_whole(const char *path, const char *data, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    need(file && fwrite(data, 1, bytes, file) == bytes && fclose(file) == 0,
         path);
}

/* What HDF5 itself would not write: bytes at an address. */
static void make_cut(const char *folder, const char *prefix, const char *data,
                     size_t bytes)
{
    char path[4096];
    static const int eighths[] = { 1, 4, 7 };
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%scut-%zu.h5", folder, prefix, i);
        write_whole(path, data, bytes * (size_t)eighths[i] / 8);
        printf("%scut-%zu.h5\topen\t\n", prefix, i);
    }
}

/* HDF5's own blocks: every address in the first of a kind is its own. */
static void make_loops(const char *folder, const char *prefix, const char *data,
                       size_t bytes)
{
    char path[4096];
    char *copy = malloc(bytes);
    static const char *const kinds[] = { "OCHK", "OHDR", "BTHD",
                                         "FRHP", "FHDB", "BTLF" };
    for (size_t k = 0; copy && k < sizeof kinds / sizeof *kinds; k++) {
        memcpy(copy, data, bytes);
        char *first = memmem(copy, bytes, kinds[k], 4);
        if (!first)
            continue;
        uint64_t at = (uint64_t)(first - copy);
        size_t room = bytes - at < 96 ? bytes - at : 96;
        for (size_t i = 8; i + 8 <= room; i += 8)
            memcpy(first + i, &at, sizeof at);
        snprintf(path, sizeof path, "%s/%sloop-%s.h5", folder, prefix,
                 kinds[k]);
        write_whole(path, copy, bytes);
        printf("%sloop-%s.h5\topen\t\n", prefix, kinds[k]);
    }
    free(copy);
}

static void make_all(const char *base, const char *folder, const char *prefix,
                     const struct attack *attack)
{
    size_t bytes;
    char *data = read_whole(base, &bytes), path[4096];
    for (; attack->name; attack++) {
        snprintf(path, sizeof path, "%s/%s%s.h5", folder, prefix, attack->name);
        write_whole(path, data, bytes);
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        need(file >= 0, path);
        attack->make(file);
        need(H5Fclose(file) >= 0, path);
        printf("%s%s.h5\t%s\t%s\n", prefix, attack->name,
               attack->when == WHEN_READ ? "rows" : "open", attack->words);
    }
    make_cut(folder, prefix, data, bytes);
    make_loops(folder, prefix, data, bytes);
    free(data);
}

static int run(char **command)
{
    struct timespec begun, ended;
    struct rusage used;
    int how;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    pid_t child = fork();
    if (child == 0) {
        close(3);
        execvp(command[0], command);
        _exit(127);
    }
    if (child < 0 || wait4(child, &how, 0, &used) != child)
        return 1;
    clock_gettime(CLOCK_MONOTONIC, &ended);
    dprintf(3, "%d %ld %ld\n",
            WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how),
            used.ru_maxrss,
            (long)(ended.tv_sec - begun.tv_sec) * 1000 +
                (ended.tv_nsec - begun.tv_nsec) / 1000000);
    return 0;
}

int main(int count, char **arguments)
{
    if (count == 7 && strcmp(arguments[1], "make") == 0) {
        const char *folder = arguments[5];
        secret = arguments[6];
        make_all(arguments[2], folder, "", attacks);
        make_all(arguments[3], folder, "packed-", packed_attacks);
        make_all(arguments[4], folder, "keyframes-", keyframes_attacks);
        return 0;
    }
    if (count > 2 && strcmp(arguments[1], "run") == 0)
        return run(arguments + 2);
    return 2;
}
