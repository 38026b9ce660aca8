/* SPDX-License-Identifier: MIT */
/* hostile make BASE PACKED KEYFRAMES FOLDER SECRET: writes hostile recordings,
 * each a copy of the recording BASE, of a packed one or of one with keyframes,
 * with one thing changed. Prints `FILE<tab>WHEN<tab>WORDS` for each: whether it
 * must be rejected when it is opened (`open`) or when its rows are read
 * (`rows`), and what the message must contain. SECRET is a file of raw bytes
 * that no program may open. hostile run COMMAND…: runs the command; prints
 * `CODE KILOBYTES MILLISECONDS` of it and all of its children to descriptor
 * 3, the milliseconds of processor time. */
#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

/* It must not open; or it opens, and reading its rows must fail. */
enum when { WHEN_OPENED, WHEN_READ };

/* The change: a function that makes it, or a description of it. */
struct attack {
    const char *name;
    const char *words; /* of the message: the name of the object */
    enum when when;
    void (*make)(hid_t file); /* a copy of the base, open for writing */
    struct {
        const char *name;
        hsize_t index; /* along its first axis */
        double to;
    } number; /* a number of a dataset */
    struct {
        const char *from, *to; /* of the same length */
    } setting;                 /* of /provenance/parameters */
    struct {
        hsize_t row;
        int64_t address, bytes;
    } place; /* a chunk of wave0 */
};

static const char *secret;

static void need(bool kept, const char *what)
{
    if (kept)
        return;
    fprintf(stderr, "hostile: %s\n", what);
    exit(1);
}

static void remove_link(hid_t file, const char *name)
{
    need(H5Ldelete(file, name, H5P_DEFAULT) >= 0, name);
}

/* Replaces `name` by a dataset of this type, space and creation properties. */
static hid_t put(hid_t file, const char *name, hid_t type, int rank,
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

/* The extents and type of the existing dataset. */
static int extents_of(hid_t file, const char *name, hsize_t extent[4],
                      hid_t *type)
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
static void set_number(hid_t file, const char *name, hsize_t index, double to)
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

/* Replaces it, with HDF5's own creation properties, and closes it. */
static void plain(hid_t file, const char *name, hid_t type, int rank,
                  const hsize_t *extent)
{
    H5Dclose(put(file, name, type, rank, extent, H5P_DEFAULT));
}

/* The same extents with another type (-1: the same) and other creation
 * properties. */
static void remake(hid_t file, const char *name, hid_t other, hid_t list)
{
    hsize_t extent[4];
    hid_t type;
    int rank = extents_of(file, name, extent, &type);
    H5Dclose(put(file, name, other < 0 ? type : other, rank, extent, list));
}

/* Replaces a setting of /provenance/parameters by another one of as many
 * bytes. */
static void change_setting(hid_t file, const char *from, const char *to)
{
    hid_t set = H5Dopen2(file, "provenance/parameters", H5P_DEFAULT);
    hid_t type = H5Dget_type(set);
    size_t bytes = (size_t)H5Dget_storage_size(set);
    char *text = malloc(bytes);
    need(text && strlen(from) == strlen(to), from);
    need(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0, from);
    char *at = memmem(text, bytes, from, strlen(from));
    need(at != NULL, from);
    memcpy(at, to, strlen(to));
    need(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0, from);
    free(text);
    H5Tclose(type);
    H5Dclose(set);
}

/* ---- access to other files ---- */

static void external_storage(hid_t file)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    need(H5Pset_external(list, secret, 0, H5F_UNLIMITED) >= 0, "external");
    remake(file, "wall", -1, list);
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

/* ---- more than any memory ---- */

/* A dataset without allocated space. */
static void huge(hid_t file, const char *name, hid_t type, hsize_t extent)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_LATE);
    H5Dclose(put(file, name, type, 1, &extent, list));
}

static void huge_extent(hid_t file)
{
    huge(file, "time", H5T_IEEE_F64LE, (hsize_t)1 << 40);
}

static void huge_text(hid_t file)
{
    huge(file, "provenance/scenario", H5Tcopy(H5T_C_S1), (hsize_t)1 << 50);
}

/* " = " again and again: each is a setting, for which memory is allocated. */
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
    huge(file, "x", H5T_IEEE_F64LE, (hsize_t)3 << 30);
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

/* A chunk of 4 GiB minus one byte that claims to be deflated to almost
 * nothing. */
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

/* Bytes that are not the deflate stream that they claim to be. */
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

/* Replaces a filter while such a file is made; readers do not have it. */
static size_t leave(unsigned flags, size_t count, const unsigned values[],
                    size_t bytes, size_t *room, void **data)
{
    return bytes;
}

static void filtered(hid_t file, H5Z_filter_t filter)
{
    hsize_t extent[4];
    hid_t type, list = H5Pcreate(H5P_DATASET_CREATE);
    int rank = extents_of(file, "wave0", extent, &type);
    const H5Z_class2_t class = { H5Z_CLASS_T_VERS, filter, 1,    1,
                                 "of my own",      NULL,   NULL, leave };
    H5Pset_chunk(list, rank, extent);
    need(H5Zregister(&class) >= 0 &&
             H5Pset_filter(list, filter, H5Z_FLAG_MANDATORY, 0, NULL) >= 0,
         "filter");
    remake(file, "wave0", -1, list);
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
    hsize_t extent[4];
    hid_t type, list = H5Pcreate(H5P_DATASET_CREATE);
    int rank = extents_of(file, "wall", extent, &type);
    H5Pset_chunk(list, rank, extent);
    H5Pset_scaleoffset(list, H5Z_SO_INT, 0);
    remake(file, "wall", -1, list);
}

/* ---- ranks and types ---- */

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
    remake(file, "time", H5T_IEEE_F64BE, H5P_DEFAULT);
}

static void long_text(hid_t file)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    plain(file, "provenance/scenario", type, 1, (hsize_t[]){ 4 });
}

/* The attribute format_version, one value of a type of HDF5's. */
static void version(hid_t file, hid_t type, const void *value)
{
    H5Adelete(file, "format_version");
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(file, "format_version", type, space,
                                 H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, type, value);
    H5Aclose(attribute);
    H5Sclose(space);
}

static void newer_format(hid_t file)
{
    version(file, H5T_NATIVE_INT64, &(int64_t){ 2 });
}

static void format_of_text(hid_t file)
{
    version(file, H5T_C_S1, "1");
}

static void format_zero(hid_t file)
{
    version(file, H5T_NATIVE_INT8, &(int8_t){ 0 });
}

static void references(hid_t file)
{
    remake(file, "wave0", H5T_STD_REF_OBJ, H5P_DEFAULT);
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

/* ---- contradictions ---- */

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
    remove_link(file, "crc/crc_wave0");
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

/* ---- packed recordings ----
 *
 * The base has 9 frames on a map of one chunk; frame 4 is neither the first nor
 * the last, so that its chunk is not examined before it is read. */

enum { ROW = 4, RANK = 3, CHUNK_BYTES = 4 * 3 * 4 };

static const char *const fields[] = { "wave0", "wall", "speed" };
static const char *const places[] = { "chunk/chunk_wave0", "chunk/chunk_wall",
                                      "chunk/chunk_speed" };
enum { FIELDS = 3 };

/* Shuffled and deflated, with space that is reserved when it is written to. */
static hid_t packing_list(const hsize_t *chunk)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, RANK, chunk);
    H5Pset_shuffle(list);
    H5Pset_deflate(list, 1);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_INCR);
    return list;
}

/* Of the existing type, contiguous, with all of its space. */
static void zeros(hid_t file, const char *name, int rank, const hsize_t *extent)
{
    hsize_t before[4];
    hid_t type, list = H5Pcreate(H5P_DATASET_CREATE);
    extents_of(file, name, before, &type);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
    H5Dclose(put(file, name, type, rank, extent, list));
}

/* ---- small files that declare large data ---- */

/* The map becomes x times y cells in chunks of `edge`², none of which is
 * stored; all other data agree with this. */
static void grow(hid_t file, hsize_t x, hsize_t y, hsize_t edge)
{
    hsize_t tiles = ((x + edge - 1) / edge) * ((y + edge - 1) / edge);
    zeros(file, "x", 1, &x);
    zeros(file, "y", 1, &y);
    zeros(file, "chunk/tile", 1, &tiles);
    for (int i = 0; i < FIELDS; i++) {
        hsize_t extent[4];
        hid_t type;
        extents_of(file, fields[i], extent, &type);
        extent[1] = y;
        extent[2] = x;
        H5Dclose(put(file, fields[i], type, RANK, extent,
                     packing_list((hsize_t[]){ 1, edge, edge })));
        zeros(file, places[i], RANK, (hsize_t[]){ extent[0], tiles, 2 });
    }
}

/* As many cells as are accepted: the error comes later. */
static void cells_allowed(hid_t file)
{
    grow(file, 4096, 4096, 256);
}

static void cells_by_the_million(hid_t file)
{
    grow(file, 8192, 8192, 256);
}

static void cells_of_two_gigabytes(hid_t file)
{
    grow(file, 32768, 16384, 256);
}

static void a_line_of_cells(hid_t file)
{
    grow(file, 1 << 20, 256, 256);
}

static void chunk_of_megabytes(hid_t file)
{
    grow(file, 1024, 1024, 1024);
}

/* ---- chunks and filters that hamon-pack does not make ---- */

static hid_t chunked(const hsize_t *chunk)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, RANK, chunk);
    return list;
}

static const hsize_t whole[] = { 1, 3, 4 };

static void no_filter(hid_t file)
{
    remake(file, "wave0", -1, chunked(whole));
}

static void shuffle_alone(hid_t file)
{
    hid_t list = chunked(whole);
    H5Pset_shuffle(list);
    remake(file, "wave0", -1, list);
}

static void deflate_alone(hid_t file)
{
    hid_t list = chunked(whole);
    H5Pset_deflate(list, 1);
    remake(file, "wave0", -1, list);
}

static void deflate_first(hid_t file)
{
    hid_t list = chunked(whole);
    H5Pset_deflate(list, 1);
    H5Pset_shuffle(list);
    remake(file, "wave0", -1, list);
}

static void three_filters(hid_t file)
{
    hid_t list = packing_list(whole);
    H5Pset_fletcher32(list);
    remake(file, "wave0", -1, list);
}

static void rows_in_one_chunk(hid_t file)
{
    remake(file, "wave0", -1, packing_list((hsize_t[]){ 2, 3, 4 }));
}

static void chunks_of_their_own(hid_t file)
{
    remake(file, "wave0", -1, packing_list((hsize_t[]){ 1, 3, 2 }));
}

static void half_packed(hid_t file)
{
    remake(file, "wave0", -1, H5P_DEFAULT);
}

static void packed_axis(hid_t file)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, 1, (hsize_t[]){ 4 });
    H5Pset_deflate(list, 1);
    remake(file, "x", -1, list);
}

static void packed_places(hid_t file)
{
    remake(file, "chunk/chunk_wave0", -1, packing_list((hsize_t[]){ 1, 1, 2 }));
}

/* ---- lists of places ---- */

static void places_missing(hid_t file)
{
    remove_link(file, "chunk/chunk_wave0");
}

static void places_of_reals(hid_t file)
{
    plain(file, "chunk/chunk_wave0", H5T_IEEE_F64LE, RANK,
          (hsize_t[]){ 9, 1, 2 });
}

static void fewer_places(hid_t file)
{
    plain(file, "chunk/chunk_wave0", H5T_STD_I64LE, RANK,
          (hsize_t[]){ 3, 1, 2 });
}

static void more_tiles(hid_t file)
{
    zeros(file, "chunk/tile", 1, (hsize_t[]){ 1 << 20 });
}

static void places_by_a_link(hid_t file)
{
    remove_link(file, "chunk/chunk_wave0");
    H5Lcreate_soft("/chunk/chunk_wall", file, "chunk/chunk_wave0", H5P_DEFAULT,
                   H5P_DEFAULT);
}

static void place_of(hid_t file, hsize_t row, int64_t place[2], bool set_it)
{
    hid_t set = H5Dopen2(file, "chunk/chunk_wave0", H5P_DEFAULT);
    hid_t space = H5Dget_space(set);
    hsize_t start[] = { row, 0, 0 }, count[] = { 1, 1, 2 }, two[] = { 2 };
    hid_t memory = H5Screate_simple(1, two, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    need((set_it ? H5Dwrite(set, H5T_NATIVE_INT64, memory, space, H5P_DEFAULT,
                            place)
                 : H5Dread(set, H5T_NATIVE_INT64, memory, space, H5P_DEFAULT,
                           place)) >= 0,
         "a place");
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(set);
}

static void set_place(hid_t file, hsize_t row, int64_t address, int64_t bytes)
{
    place_of(file, row, (int64_t[]){ address, bytes }, true);
}

static void place_over_the_end(hid_t file)
{
    hsize_t bytes;
    need(H5Fget_filesize(file, &bytes) >= 0, "size");
    set_place(file, ROW, (int64_t)bytes - 8, 40);
}

static void place_of_another(hid_t file)
{
    int64_t place[2];
    place_of(file, ROW + 1, place, false);
    set_place(file, ROW, place[0], place[1]);
}

/* ---- streams ---- */

/* Writes bytes as the chunk of `row`, and their position as its place. */
static void store(hid_t file, hsize_t row, const void *stream, size_t bytes,
                  uint32_t skipped)
{
    hid_t set = H5Dopen2(file, "wave0", H5P_DEFAULT);
    hsize_t at[] = { row, 0, 0 }, size = 0;
    haddr_t address = 0;
    unsigned mask;
    need(H5Dwrite_chunk(set, H5P_DEFAULT, skipped, at, bytes, stream) >= 0 &&
             H5Dget_chunk_info_by_coord(set, at, &mask, &address, &size) >= 0,
         "a chunk");
    set_place(file, row, (int64_t)address, (int64_t)size);
    H5Dclose(set);
}

/* `bytes` zeros, deflated. */
static size_t deflated(size_t bytes, unsigned char *stream, size_t room)
{
    uLongf length = room;
    unsigned char *from = calloc(bytes, 1);
    need(from && compress2(stream, &length, from, bytes, 9) == Z_OK, "zlib");
    free(from);
    return length;
}

static void no_stream(hid_t file)
{
    store(file, ROW, "no deflate stream, but forty bytes of text.", 40, 0);
}

static void short_stream(hid_t file)
{
    unsigned char stream[64];
    store(file, ROW, stream, deflated(CHUNK_BYTES - 1, stream, 64), 0);
}

static void stream_of_a_megabyte(hid_t file)
{
    unsigned char stream[2048];
    store(file, ROW, stream, deflated((size_t)1 << 20, stream, 2048), 0);
}

static void stream_cut(hid_t file)
{
    unsigned char stream[64];
    store(file, ROW, stream, deflated(CHUNK_BYTES, stream, 64) - 5, 0);
}

static void false_adler(hid_t file)
{
    unsigned char stream[64];
    size_t length = deflated(CHUNK_BYTES, stream, 64);
    stream[length - 1] ^= 1;
    store(file, ROW, stream, length, 0);
}

static void dictionary(hid_t file)
{
    unsigned char stream[64];
    size_t length = deflated(CHUNK_BYTES, stream, 64);
    stream[1] = 0x20 | (31 - 0x7820 % 31);
    store(file, ROW, stream, length, 0);
}

static void stream_of_zeros(hid_t file)
{
    unsigned char stream[64];
    store(file, ROW, stream, deflated(CHUNK_BYTES, stream, 64), 0);
}

static void filters_skipped(hid_t file)
{
    static const unsigned char raw[CHUNK_BYTES];
    store(file, 0, raw, sizeof raw, 3);
}

/* ---- recordings with keyframes ----
 *
 * The data from which frames between keyframes are computed are changed, or the
 * results. The base has 9 frames and K = 4. */

static void fewer_keyframes(hid_t file)
{
    plain(file, "keyframe", H5T_IEEE_F64LE, 1, (hsize_t[]){ 3 });
}

static void keyframes_by_the_billion(hid_t file)
{
    huge(file, "keyframe", H5T_IEEE_F64LE, (hsize_t)1 << 33);
}

static void all_rows_stored(hid_t file)
{
    plain(file, "wave0", H5T_IEEE_F32LE, 3, (hsize_t[]){ 9, 3, 4 });
}

static void fewer_checksums(hid_t file)
{
    plain(file, "crc/crc_wave0", H5T_STD_U32LE, 1, (hsize_t[]){ 5 });
}

/* ---- all of them ---- */

static const struct attack attacks[] = {
    { "external-storage", "wall: ", WHEN_OPENED, .make = external_storage },
    { "external-text", "provenance/scenario: ", WHEN_OPENED,
      .make = external_text },
    { "external-link", "wave0: ", WHEN_OPENED, .make = external_link },
    { "external-group", "agents: ", WHEN_OPENED, .make = external_group },
    { "external-provenance", "provenance: ", WHEN_OPENED,
      .make = external_provenance },
    { "soft-link", "wave0: ", WHEN_OPENED, .make = soft_link },
    { "soft-loop", "time: ", WHEN_OPENED, .make = soft_loop },
    { "soft-group", "status: ", WHEN_OPENED, .make = soft_group },
    { "virtual-dataset", "wave0: ", WHEN_OPENED, .make = virtual_dataset },
    { "huge-extent", "rows", WHEN_OPENED, .make = huge_extent },
    { "huge-text", "provenance/scenario", WHEN_OPENED, .make = huge_text },
    { "settings-by-the-million", "provenance/parameters: has more", WHEN_OPENED,
      .make = settings_by_the_million },
    { "huge-map", "x", WHEN_OPENED, .make = huge_map },
    { "deflate-bomb", "wave0: ", WHEN_OPENED, .make = bomb_rows },
    { "deflate-bomb-map", "wall: ", WHEN_OPENED, .make = bomb_map },
    { "chunk-of-gigabytes", "wave0: ", WHEN_OPENED,
      .make = chunk_of_gigabytes },
    { "spoilt-deflate", "wave0", WHEN_OPENED, .make = spoilt_deflate },
    { "unknown-filter", "wave0: ", WHEN_OPENED, .make = unknown_filter },
    { "own-filter", "wave0: ", WHEN_OPENED, .make = own_filter },
    { "scale-offset", "wall: ", WHEN_OPENED, .make = scale_offset },
    { "wrong-rank", "wall: ", WHEN_OPENED, .make = wrong_rank },
    { "rank-of-32", "wave0: ", WHEN_OPENED, .make = rank_of_32 },
    { "no-rank", "time: ", WHEN_OPENED, .make = no_rank },
    { "scalar", "x: ", WHEN_OPENED, .make = scalar },
    { "big-endian", "time: ", WHEN_OPENED, .make = big_endian },
    { "long-text", "provenance/scenario: ", WHEN_OPENED, .make = long_text },
    { "newer-format", "version 2, this program reads up to 1", WHEN_OPENED,
      .make = newer_format },
    { "format-of-text", "format_version: ", WHEN_OPENED,
      .make = format_of_text },
    { "format-zero", "format_version: ", WHEN_OPENED, .make = format_zero },
    { "references", "wave0: ", WHEN_OPENED, .make = references },
    { "regions", "status/committed: ", WHEN_OPENED, .make = regions },
    { "compound", "y: ", WHEN_OPENED, .make = compound },
    { "ragged", "agents/x: ", WHEN_OPENED, .make = ragged },
    { "array", "agents/state: ", WHEN_OPENED, .make = array },
    { "opaque", "agents/agent: ", WHEN_OPENED, .make = opaque },
    { "committed-type", "wave0: ", WHEN_OPENED, .make = committed_type },
    { "group-for-dataset", "time: ", WHEN_OPENED, .make = group_for_dataset },
    { "dataset-for-group", "status", WHEN_OPENED, .make = dataset_for_group },
    { "cycle", "provenance/", WHEN_OPENED, .make = cycle },
    { "cycle-of-checksums", "crc/", WHEN_OPENED, .make = cycle_of_checksums },
    { "missing", "crc/crc_wave0: ", WHEN_OPENED, .make = missing },
    { "other-extent", "agents/x: ", WHEN_OPENED, .make = other_extent },
    { "many-waves", "wave", WHEN_OPENED, .make = many_waves },
    { "more-committed", "status/committed: ", WHEN_OPENED,
      .number = { "status/committed", 0, 5000 } },
    { "negative-committed", "status/committed: ", WHEN_OPENED,
      .number = { "status/committed", 0, -1 } },
    { "negative-table", "status/plans: ", WHEN_OPENED,
      .number = { "status/plans", 0, -7 } },
    { "unknown-state", "status/state: ", WHEN_OPENED,
      .number = { "status/state", 0, 99 } },
    { "not-a-step", "time: ", WHEN_OPENED, .number = { "time", 1, 0.0 / 0.0 } },
    { "falling-steps", "time: ", WHEN_OPENED, .number = { "time", 2, -3 } },
    { "infinite-axis", "x: ", WHEN_OPENED, .number = { "x", 0, 1.0 / 0.0 } },
    { "axis-of-nan", "y: ", WHEN_OPENED, .number = { "y", 1, 0.0 / 0.0 } },
    { "late-version", "version_step: ", WHEN_OPENED,
      .number = { "version_step", 0, 3 } },
    { "title-of-megabytes", "title: ", WHEN_OPENED,
      .make = title_of_megabytes },
    { "title-without-end", "title: ", WHEN_OPENED, .make = title_without_end },
    { 0 },
};

static const struct attack packed_attacks[] = {
    { "cells-allowed", "x: does not count", WHEN_OPENED,
      .make = cells_allowed },
    { "cells-by-the-million", "HAMON_CELLS_MOST", WHEN_OPENED,
      .make = cells_by_the_million },
    { "cells-of-two-gigabytes", "HAMON_CELLS_MOST", WHEN_OPENED,
      .make = cells_of_two_gigabytes },
    { "a-line-of-cells", "HAMON_CELLS_MOST", WHEN_OPENED,
      .make = a_line_of_cells },
    { "chunk-of-megabytes", "chunks larger", WHEN_OPENED,
      .make = chunk_of_megabytes },
    { "no-filter", "wave0: ", WHEN_OPENED, .make = no_filter },
    { "shuffle-alone", "wave0: ", WHEN_OPENED, .make = shuffle_alone },
    { "deflate-alone", "wave0: ", WHEN_OPENED, .make = deflate_alone },
    { "deflate-first", "wave0: ", WHEN_OPENED, .make = deflate_first },
    { "three-filters", "wave0: ", WHEN_OPENED, .make = three_filters },
    { "rows-in-one-chunk", "wave0: ", WHEN_OPENED, .make = rows_in_one_chunk },
    { "chunks-of-their-own", "wave0: ", WHEN_OPENED,
      .make = chunks_of_their_own },
    { "half-packed", "wave0: ", WHEN_OPENED, .make = half_packed },
    { "packed-axis", "x: ", WHEN_OPENED, .make = packed_axis },
    { "packed-places", "chunk/chunk_wave0: ", WHEN_OPENED,
      .make = packed_places },
    { "places-missing", "chunk/chunk_wave0: ", WHEN_OPENED,
      .make = places_missing },
    { "places-of-reals", "chunk/chunk_wave0: ", WHEN_OPENED,
      .make = places_of_reals },
    { "fewer-places", "chunk/chunk_wave0: ", WHEN_OPENED,
      .make = fewer_places },
    { "more-tiles", "chunk/", WHEN_OPENED, .make = more_tiles },
    { "places-by-a-link", "chunk/chunk_wave0: ", WHEN_OPENED,
      .make = places_by_a_link },
    { "first-place-elsewhere", "wave0: ", WHEN_OPENED, .place = { 0, 96, 40 } },
    { "last-place-elsewhere", "wave0: ", WHEN_OPENED, .place = { 8, 96, 40 } },
    { "filters-skipped", "wave0: ", WHEN_OPENED, .make = filters_skipped },
    { "place-past-the-end", "wave0: row 4 ", WHEN_READ,
      .place = { ROW, (int64_t)1 << 40, 40 } },
    { "place-over-the-end", "wave0: row 4 ", WHEN_READ,
      .make = place_over_the_end },
    { "place-below-0", "wave0: row 4 ", WHEN_READ,
      .place = { ROW, INT64_MIN, 40 } },
    { "place-without-bytes", "wave0: row 4 ", WHEN_READ,
      .place = { ROW, 96, 0 } },
    { "place-of-fewer-than-0", "wave0: row 4 ", WHEN_READ,
      .place = { ROW, 96, -40 } },
    { "place-of-gigabytes", "wave0: row 4 ", WHEN_READ,
      .place = { ROW, 96, INT64_MAX } },
    { "place-of-the-header", "wave0: row 4 ", WHEN_READ,
      .place = { ROW, 96, 40 } },
    { "place-nowhere", "wave0: row 4 ", WHEN_READ, .place = { ROW, 0, 0 } },
    { "place-of-another", "wave0: row 4 ", WHEN_READ,
      .make = place_of_another },
    { "no-stream", "wave0: row 4 ", WHEN_READ, .make = no_stream },
    { "short-stream", "wave0: row 4 ", WHEN_READ, .make = short_stream },
    { "stream-of-a-megabyte", "wave0: row 4 ", WHEN_READ,
      .make = stream_of_a_megabyte },
    { "stream-cut", "wave0: row 4 ", WHEN_READ, .make = stream_cut },
    { "false-adler", "wave0: row 4 ", WHEN_READ, .make = false_adler },
    { "dictionary", "wave0: row 4 ", WHEN_READ, .make = dictionary },
    { "stream-of-zeros", "wave0: row 4 ", WHEN_READ, .make = stream_of_zeros },
    { 0 },
};

static const struct attack keyframes_attacks[] = {
    { "other-distance", "keyframe: ", WHEN_OPENED,
      .setting = { "record.keyframes = 4", "record.keyframes = 9" } },
    { "no-distance", "provenance/parameters: ", WHEN_OPENED,
      .setting = { "record.keyframes = 4", "record.keyframes = x" } },
    { "distance-of-one", "provenance/parameters: ", WHEN_OPENED,
      .setting = { "record.keyframes = 4", "record.keyframes = 1" } },
    { "distance-missing", "provenance/parameters: ", WHEN_OPENED,
      .setting = { "record.keyframes", "record.keyFrames" } },
    { "unknown-stencil", "provenance/parameters: ", WHEN_OPENED,
      .setting = { "wave.stencil = 5-point", "wave.stencil = 6-point" } },
    { "deep-stencil", "7-point", WHEN_READ,
      .setting = { "wave.stencil = 5-point", "wave.stencil = 7-point" } },
    { "unknown-walls", "provenance/parameters: ", WHEN_OPENED,
      .setting = { "wave.walls = fixed", "wave.walls = fixes" } },
    { "unknown-source", "provenance/parameters: ", WHEN_OPENED,
      .setting = { "wave.source = impulse", "wave.source = impulsf" } },
    { "other-precision", "provenance/parameters: ", WHEN_OPENED,
      .setting = { "wave.precision = single", "wave.precision = double" } },
    { "delta-below-0", "provenance/parameters: ", WHEN_OPENED,
      .setting = { "wave.delta = 0.25", "wave.delta = -.25" } },
    { "delta-of-nan", "provenance/parameters: ", WHEN_OPENED,
      .setting = { "wave.delta = 0.25", "wave.delta = nan " } },
    { "delta-without-end", "wave0: row ", WHEN_READ,
      .setting = { "wave.delta = 0.25", "wave.delta = 9e99" } },
    { "delta-otherwise", "wave0: row ", WHEN_READ,
      .setting = { "wave.delta = 0.25", "wave.delta = 0.24" } },
    { "steps-left-out", "time: ", WHEN_OPENED, .number = { "time", 8, 9 } },
    { "emission-outside", "emissions: ", WHEN_OPENED,
      .number = { "emissions/x", 0, 4 } },
    { "emission-below-0", "emissions: ", WHEN_OPENED,
      .number = { "emissions/y", 0, -1 } },
    { "emission-of-none", "wave0: row ", WHEN_READ,
      .number = { "emissions/wave", 0, 7e8 } },
    { "emission-elsewhere", "wave0: row ", WHEN_READ,
      .number = { "emissions/step", 0, 2 } },
    { "fewer-keyframes", "keyframe", WHEN_OPENED, .make = fewer_keyframes },
    { "keyframes-by-the-billion", "keyframe", WHEN_OPENED,
      .make = keyframes_by_the_billion },
    { "all-rows-stored", "wave0: ", WHEN_OPENED, .make = all_rows_stored },
    { "fewer-checksums", "crc/crc_wave0: ", WHEN_OPENED,
      .make = fewer_checksums },
    { "false-row", "wave0: row ", WHEN_READ,
      .number = { "crc/crc_wave0", 6, 1 } },
    { "false-keyframe", "wave0: row ", WHEN_READ,
      .number = { "crc/crc_wave0", 4, 1 } },
    { "false-wall", "wall: row 0 ", WHEN_READ,
      .number = { "crc/crc_wall", 0, 1 } },
    { 0 },
};

static void make_one(hid_t file, const struct attack *attack)
{
    if (attack->make)
        attack->make(file);
    else if (attack->number.name)
        set_number(file, attack->number.name, attack->number.index,
                   attack->number.to);
    else if (attack->setting.from)
        change_setting(file, attack->setting.from, attack->setting.to);
    else
        set_place(file, attack->place.row, attack->place.address,
                  attack->place.bytes);
}

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

/* Changes that HDF5 itself would not write: bytes at an address. */
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

/* HDF5's own blocks: the first block of a kind refers to itself everywhere. */
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
        make_one(file, attack);
        need(H5Fclose(file) >= 0, path);
        printf("%s%s.h5\t%s\t%s\n", prefix, attack->name,
               attack->when == WHEN_READ ? "rows" : "open", attack->words);
    }
    make_cut(folder, prefix, data, bytes);
    make_loops(folder, prefix, data, bytes);
    free(data);
}

static long milliseconds(struct timeval time)
{
    return (long)time.tv_sec * 1000 + (long)time.tv_usec / 1000;
}

static int run(char **command)
{
    struct rusage used;
    int how;
    pid_t child = fork();
    if (child == 0) {
        close(3);
        execvp(command[0], command);
        _exit(127);
    }
    if (child < 0 || wait4(child, &how, 0, &used) != child)
        return 1;
    dprintf(3, "%d %ld %ld\n",
            WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how),
            used.ru_maxrss,
            milliseconds(used.ru_utime) + milliseconds(used.ru_stime));
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
