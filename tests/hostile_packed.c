/* SPDX-License-Identifier: MIT */
/* Packed recordings that were made to harm. The base has 9 rows on a map of
 * one chunk; row 4 is neither the first nor the last, so that nobody looks at
 * its chunk before it is read. */
#include "hostile.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { ROW = 4, RANK = 3, CHUNK_BYTES = 4 * 3 * 4 };

static const char *const fields[] = { "wave0", "wall", "speed" };
static const char *const places[] = { "chunk/wave0", "chunk/wall",
                                      "chunk/speed" };
enum { FIELDS = 3 };

/* Shuffled and deflated, with room set aside when it is written to. */
static hid_t packing_list(const hsize_t *chunk)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, RANK, chunk);
    H5Pset_shuffle(list);
    H5Pset_deflate(list, 1);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_INCR);
    return list;
}

/* Of the type that is there, contiguous, with all of its room. */
static void zeros(hid_t file, const char *name, int rank, const hsize_t *extent)
{
    hsize_t before[4];
    hid_t type, list = H5Pcreate(H5P_DATASET_CREATE);
    extents_of(file, name, before, &type);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
    H5Dclose(put(file, name, type, rank, extent, list));
}

/* ---- much out of little ---- */

/* The map becomes x times y cells in chunks of `edge`², none of which is
 * stored: all that goes with them is as it must be. */
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

/* As many as are believed: what is wrong comes later. */
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

static void filtered_as(hid_t file, const char *name, hid_t list)
{
    hsize_t extent[4];
    hid_t type;
    int rank = extents_of(file, name, extent, &type);
    H5Dclose(put(file, name, type, rank, extent, list));
}

static hid_t chunked(const hsize_t *chunk)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, RANK, chunk);
    return list;
}

static const hsize_t whole[] = { 1, 3, 4 };

static void no_filter(hid_t file)
{
    filtered_as(file, "wave0", chunked(whole));
}

static void shuffle_alone(hid_t file)
{
    hid_t list = chunked(whole);
    H5Pset_shuffle(list);
    filtered_as(file, "wave0", list);
}

static void deflate_alone(hid_t file)
{
    hid_t list = chunked(whole);
    H5Pset_deflate(list, 1);
    filtered_as(file, "wave0", list);
}

static void deflate_first(hid_t file)
{
    hid_t list = chunked(whole);
    H5Pset_deflate(list, 1);
    H5Pset_shuffle(list);
    filtered_as(file, "wave0", list);
}

static void three_filters(hid_t file)
{
    hid_t list = packing_list(whole);
    H5Pset_fletcher32(list);
    filtered_as(file, "wave0", list);
}

static void rows_in_one_chunk(hid_t file)
{
    filtered_as(file, "wave0", packing_list((hsize_t[]){ 2, 3, 4 }));
}

static void chunks_of_their_own(hid_t file)
{
    filtered_as(file, "wave0", packing_list((hsize_t[]){ 1, 3, 2 }));
}

static void half_packed(hid_t file)
{
    filtered_as(file, "wave0", H5P_DEFAULT);
}

static void packed_axis(hid_t file)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, 1, (hsize_t[]){ 4 });
    H5Pset_deflate(list, 1);
    filtered_as(file, "x", list);
}

static void packed_places(hid_t file)
{
    filtered_as(file, "chunk/wave0", packing_list((hsize_t[]){ 1, 1, 2 }));
}

/* ---- lists of places ---- */

static void places_missing(hid_t file)
{
    remove_link(file, "chunk/wave0");
}

static void places_of_reals(hid_t file)
{
    plain(file, "chunk/wave0", H5T_IEEE_F64LE, RANK, (hsize_t[]){ 9, 1, 2 });
}

static void fewer_places(hid_t file)
{
    plain(file, "chunk/wave0", H5T_STD_I64LE, RANK, (hsize_t[]){ 3, 1, 2 });
}

static void more_tiles(hid_t file)
{
    zeros(file, "chunk/tile", 1, (hsize_t[]){ 1 << 20 });
}

static void places_by_a_link(hid_t file)
{
    remove_link(file, "chunk/wave0");
    H5Lcreate_soft("/chunk/wall", file, "chunk/wave0", H5P_DEFAULT,
                   H5P_DEFAULT);
}

static void place_of(hid_t file, hsize_t row, int64_t place[2], bool set_it)
{
    hid_t set = H5Dopen2(file, "chunk/wave0", H5P_DEFAULT);
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

static void first_place_elsewhere(hid_t file)
{
    set_place(file, 0, 96, 40);
}

static void last_place_elsewhere(hid_t file)
{
    set_place(file, 8, 96, 40);
}

static void place_past_the_end(hid_t file)
{
    set_place(file, ROW, (int64_t)1 << 40, 40);
}

static void place_over_the_end(hid_t file)
{
    hsize_t bytes;
    need(H5Fget_filesize(file, &bytes) >= 0, "size");
    set_place(file, ROW, (int64_t)bytes - 8, 40);
}

static void place_below_0(hid_t file)
{
    set_place(file, ROW, INT64_MIN, 40);
}

static void place_without_bytes(hid_t file)
{
    set_place(file, ROW, 96, 0);
}

static void place_of_fewer_than_0(hid_t file)
{
    set_place(file, ROW, 96, -40);
}

static void place_of_gigabytes(hid_t file)
{
    set_place(file, ROW, 96, INT64_MAX);
}

static void place_of_the_header(hid_t file)
{
    set_place(file, ROW, 96, 40);
}

static void place_nowhere(hid_t file)
{
    set_place(file, ROW, 0, 0);
}

static void place_of_another(hid_t file)
{
    int64_t place[2];
    place_of(file, ROW + 1, place, false);
    set_place(file, ROW, place[0], place[1]);
}

/* ---- streams ---- */

/* Bytes as the chunk of `row`, and where they went as its place. */
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

const struct attack packed_attacks[] = {
    { "cells-allowed", cells_allowed, "x: does not count", WHEN_OPENED },
    { "cells-by-the-million", cells_by_the_million, "HAMON_CELLS_MOST",
      WHEN_OPENED },
    { "cells-of-two-gigabytes", cells_of_two_gigabytes, "HAMON_CELLS_MOST",
      WHEN_OPENED },
    { "a-line-of-cells", a_line_of_cells, "HAMON_CELLS_MOST", WHEN_OPENED },
    { "chunk-of-megabytes", chunk_of_megabytes, "chunks larger", WHEN_OPENED },
    { "no-filter", no_filter, "wave0: ", WHEN_OPENED },
    { "shuffle-alone", shuffle_alone, "wave0: ", WHEN_OPENED },
    { "deflate-alone", deflate_alone, "wave0: ", WHEN_OPENED },
    { "deflate-first", deflate_first, "wave0: ", WHEN_OPENED },
    { "three-filters", three_filters, "wave0: ", WHEN_OPENED },
    { "rows-in-one-chunk", rows_in_one_chunk, "wave0: ", WHEN_OPENED },
    { "chunks-of-their-own", chunks_of_their_own, "wave0: ", WHEN_OPENED },
    { "half-packed", half_packed, "wave0: ", WHEN_OPENED },
    { "packed-axis", packed_axis, "x: ", WHEN_OPENED },
    { "packed-places", packed_places, "chunk/wave0: ", WHEN_OPENED },
    { "places-missing", places_missing, "chunk/wave0: ", WHEN_OPENED },
    { "places-of-reals", places_of_reals, "chunk/wave0: ", WHEN_OPENED },
    { "fewer-places", fewer_places, "chunk/wave0: ", WHEN_OPENED },
    { "more-tiles", more_tiles, "chunk/", WHEN_OPENED },
    { "places-by-a-link", places_by_a_link, "chunk/wave0: ", WHEN_OPENED },
    { "first-place-elsewhere", first_place_elsewhere, "wave0: ", WHEN_OPENED },
    { "last-place-elsewhere", last_place_elsewhere, "wave0: ", WHEN_OPENED },
    { "filters-skipped", filters_skipped, "wave0: ", WHEN_OPENED },
    { "place-past-the-end", place_past_the_end, "wave0: row 4 ", WHEN_READ },
    { "place-over-the-end", place_over_the_end, "wave0: row 4 ", WHEN_READ },
    { "place-below-0", place_below_0, "wave0: row 4 ", WHEN_READ },
    { "place-without-bytes", place_without_bytes, "wave0: row 4 ", WHEN_READ },
    { "place-of-fewer-than-0", place_of_fewer_than_0, "wave0: row 4 ",
      WHEN_READ },
    { "place-of-gigabytes", place_of_gigabytes, "wave0: row 4 ", WHEN_READ },
    { "place-of-the-header", place_of_the_header, "wave0: row 4 ", WHEN_READ },
    { "place-nowhere", place_nowhere, "wave0: row 4 ", WHEN_READ },
    { "place-of-another", place_of_another, "wave0: row 4 ", WHEN_READ },
    { "no-stream", no_stream, "wave0: row 4 ", WHEN_READ },
    { "short-stream", short_stream, "wave0: row 4 ", WHEN_READ },
    { "stream-of-a-megabyte", stream_of_a_megabyte, "wave0: row 4 ",
      WHEN_READ },
    { "stream-cut", stream_cut, "wave0: row 4 ", WHEN_READ },
    { "false-adler", false_adler, "wave0: row 4 ", WHEN_READ },
    { "dictionary", dictionary, "wave0: row 4 ", WHEN_READ },
    { "stream-of-zeros", stream_of_zeros, "wave0: row 4 ", WHEN_READ },
    { NULL, NULL, NULL, 0 },
};
