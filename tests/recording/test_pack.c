/* SPDX-License-Identifier: MIT */
/* Packing: the data read back equal the data packed, by our reader and by
 * HDF5's, and no hostile packed file does harm. */
#include "tests/recording/recording_run.h"

#include "base/deflate_planes.h"
#include "base/random.h"
#include "recording/format/chunk.h"
#include "recording/pack/pack.h"
#include "recording/pack/packing.h"

#include <fcntl.h>
#include <float.h>
#include <hdf5.h>
#include <libdeflate.h>
#include <math.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <zlib.h>

static struct folder folder;
static struct run run;
static struct recording *recording;
static struct error error;
static char packed[96];

static void set_up(void)
{
    folder_make(&folder);
    snprintf(packed, sizeof packed, "%s/packed.h5", folder.path);
    run_init(&run, 2, TYPE_FLOAT32, true, 1);
}

static void tear_down(void)
{
    run_release(&run);
    folder_remove(&folder);
}

static enum status pack(const char *out, int keep_bits, bool expand, bool force)
{
    struct pack_result result;
    struct pack_options options = {
        .path = folder.file,
        .out = out,
        .keep_bits = keep_bits,
        .expand = expand,
        .force = force,
        .threads = 2,
        .open = recording_open,
    };
    return pack_recording(&options, &result, &error);
}

static void packs(const char *out, int keep_bits)
{
    ck_assert_msg(!pack(out, keep_bits, false, false), "%s", error.message);
}

static void opened(const char *path)
{
    ck_assert_msg(!recording_open(path, &recording, &error), "%s",
                  error.message);
}

static void refused(const char *path, const char *object, const char *why)
{
    ck_assert_int_eq(recording_open(path, &recording, &error), STATUS_INPUT);
    ck_assert_msg(strstr(error.message, object) && strstr(error.message, why),
                  "%s", error.message);
}

/* ---- the stream ---- */

/* Inflates to exactly this many bytes, by the library that the reader of chunks
 * uses. */
static bool inflates(const void *stream, size_t length, void *to, size_t bytes)
{
    struct libdeflate_decompressor *one = libdeflate_alloc_decompressor();
    bool good = libdeflate_zlib_decompress(one, stream, length, to, bytes,
                                           NULL) == LIBDEFLATE_SUCCESS;
    libdeflate_free_decompressor(one);
    return good;
}

static void comes_back(const unsigned char *bytes, size_t count, size_t plane)
{
    size_t room = deflate_planes_room(count);
    unsigned char *out = memory_new(room, 1), *back = memory_new(count + 1, 1);
    size_t length = deflate_planes(bytes, count, plane, out);
    uLongf got = count + 1;
    ck_assert_uint_le(length, room);
    ck_assert_int_eq(uncompress(back, &got, out, length), Z_OK);
    ck_assert_uint_eq(got, count);
    ck_assert(memcmp(back, bytes, count) == 0);
    memset(back, 0, count);
    ck_assert(inflates(out, length, back, count));
    ck_assert(memcmp(back, bytes, count) == 0);
    ck_assert(!inflates(out, length, back, count + 1));
    if (count > 1)
        ck_assert(!inflates(out, length, back, count - 1));
    ck_assert(!inflates(out, length - 1, back, count));
    memory_release(out);
    memory_release(back);
}

enum { STREAM = 200000 };

START_TEST(zlib_inflates_a_stream_of_any_bytes)
    {
        unsigned char *bytes = memory_new(STREAM, 1);
        struct random random;
        random_seed(&random, 7 + (uint64_t)_i);
        for (size_t i = 0; i < STREAM; i++) {
            double u = random_unit(&random);
            static const double widths[] = { 0, 1, 2, 9, 40, 256 };
            double value = _i < 6 ? u * widths[_i] : -log(u + 1e-300) * _i;
            bytes[i] = (unsigned char)(value < 255 ? value : 255);
        }
        static const size_t counts[] = { 1,    2,     3,     7,     8,     255,
                                         4096, 65535, 65536, 65537, STREAM };
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            comes_back(bytes, counts[i], counts[i]);
            comes_back(bytes, counts[i], (counts[i] + 3) / 4);
        }
        memory_release(bytes);
    }
END_TEST

START_TEST(runs_of_every_length_are_read_back)
    {
        unsigned char bytes[4096];
        for (size_t length = 1; length < 1100; length += 1 + length / 40)
            for (size_t before = 0; before < 9; before++) {
                for (size_t i = 0; i < sizeof bytes; i++)
                    bytes[i] = (unsigned char)(i * 37);
                memset(bytes + before, 5, length);
                comes_back(bytes, before + length + 3, sizeof bytes);
                comes_back(bytes, before + length, sizeof bytes);
            }
    }
END_TEST

/* Counts that are Fibonacci numbers make Huffman's tree as deep as possible:
 * the words are cut to the maximum length, and all bytes are still read
 * back. */
START_TEST(codes_that_would_be_too_long_are_shortened)
    {
        static unsigned char bytes[1 << 16];
        size_t used = 0, a = 1, b = 1;
        for (int value = 0; value < 22; value++) {
            for (size_t i = 0; i < a && used < sizeof bytes; i++)
                bytes[used++] = (unsigned char)(value * 11);
            size_t next = a + b;
            a = b;
            b = next;
        }
        struct random random; /* no runs */
        random_seed(&random, 3);
        for (size_t i = used - 1; i > 0; i--) {
            size_t j = (size_t)(random_unit(&random) * (double)(i + 1));
            unsigned char was = bytes[i];
            bytes[i] = bytes[j];
            bytes[j] = was;
        }
        comes_back(bytes, used, used);
    }
END_TEST

START_TEST(zeros_and_noise_take_the_expected_room)
    {
        unsigned char *bytes = memory_new(STREAM, 1);
        unsigned char *out = memory_new(deflate_planes_room(STREAM), 1);
        ck_assert_uint_lt(deflate_planes(bytes, STREAM, STREAM, out), 600);
        struct random random;
        random_seed(&random, 1);
        for (size_t i = 0; i < STREAM; i++)
            bytes[i] = (unsigned char)(random_unit(&random) * 256);
        ck_assert_uint_lt(deflate_planes(bytes, STREAM, STREAM, out),
                          STREAM + 64);
        /* Four values and the end: 2, 2, 2 and 3 bits. */
        for (size_t i = 0; i < STREAM; i++)
            bytes[i] = (unsigned char)(random_unit(&random) * 4);
        ck_assert_uint_lt(deflate_planes(bytes, STREAM, STREAM, out),
                          STREAM * 9 / 32 + 400);
        memory_release(bytes);
        memory_release(out);
    }
END_TEST

START_TEST(chunks_gather_and_scatter_any_part_of_a_row)
    {
        struct random random;
        random_seed(&random, 11);
        for (int turn = 0; turn < 60; turn++) {
            struct tiling tiling = { .rows = 1, .tiles = 1 };
            size_t cells = 1;
            tiling.bytes = tiling.element = (size_t[]){ 1, 4, 8 }[turn % 3];
            for (int axis = 0; axis < GRID_AXES; axis++) {
                tiling.extent[axis] = 1 + (size_t)(random_unit(&random) * 19);
                tiling.tile[axis] = 1 + (size_t)(random_unit(&random) *
                                                 (double)tiling.extent[axis]);
                tiling.count[axis] =
                    (tiling.extent[axis] + tiling.tile[axis] - 1) /
                    tiling.tile[axis];
                tiling.tiles *= tiling.count[axis];
                tiling.bytes *= tiling.tile[axis];
                cells *= tiling.extent[axis];
            }
            size_t first = (size_t)(random_unit(&random) * (double)cells);
            size_t last =
                first + 1 +
                (size_t)(random_unit(&random) * (double)(cells - first - 1));
            unsigned char *row = memory_new(cells, tiling.element);
            unsigned char *part = memory_new(last - first, tiling.element);
            unsigned char *planes = memory_new(tiling.bytes, 1);
            for (size_t i = 0; i < cells * tiling.element; i++)
                row[i] = (unsigned char)(random_unit(&random) * 256);
            for (size_t i = 0; i < tiling.tiles; i++) {
                struct tile tile = tile_at(&tiling, i);
                if (!tile_meets(&tiling, &tile, first, last))
                    continue;
                tile_gather(&tiling, &tile, row, planes);
                tile_scatter(&tiling, &tile, planes, first, last, part);
            }
            ck_assert(memcmp(part, row + first * tiling.element,
                             (last - first) * tiling.element) == 0);
            memory_release(row);
            memory_release(part);
            memory_release(planes);
        }
    }
END_TEST

/* ---- rounding ---- */

/* The nearest value with so many bits, ties to even, by arithmetic. */
static double nearest(double value, int keep)
{
    int exponent;
    double mantissa = frexp(value, &exponent); /* 1/2 … 1: keep + 1 bits */
    return ldexp(nearbyint(ldexp(mantissa, keep + 1)), exponent - keep - 1);
}

START_TEST(rounding_is_to_nearest_with_ties_to_even)
    {
        struct random random;
        random_seed(&random, 5);
        for (int keep = 1; keep < 23; keep++)
            for (int i = 0; i < 2000; i++) {
                float value = (float)((random_unit(&random) - 0.5) *
                                      exp(40 * random_unit(&random) - 20));
                if (i % 4 == 0) /* a tie */
                    value = (float)(nearest((double)value, keep) *
                                    (1 + ldexp(1, -keep - 1)));
                float rounded = value;
                pack_round(TYPE_FLOAT32, keep, &rounded, 1);
                ck_assert_double_eq((double)rounded,
                                    nearest((double)value, keep));
                double twice = (double)value * (1 + 1e-9), was = twice;
                pack_round(TYPE_FLOAT64, keep + 20, &twice, 1);
                ck_assert_double_eq(twice, nearest(was, keep + 20));
            }
        float odd[] = { 0, -0.0f, FLT_MAX, -FLT_MAX, INFINITY, NAN };
        pack_round(TYPE_FLOAT32, 3, odd, 6);
        ck_assert(odd[0] == 0 && !signbit(odd[0]) && signbit(odd[1]));
        ck_assert(odd[2] == FLT_MAX && odd[3] == -FLT_MAX);
        ck_assert(isinf(odd[4]) && isnan(odd[5]));
    }
END_TEST

/* ---- whole recordings ---- */

/* Reads a field by HDF5's own filters. */
static void check_by_hdf5(const char *path, const char *name, int64_t row)
{
    size_t count;
    double *ours = run_read(recording, name, row, &count);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    hid_t space = H5Dget_space(dataset);
    hsize_t extent[4], start[4] = { (hsize_t)row };
    int rank = H5Sget_simple_extent_dims(space, extent, NULL);
    if (recording_find(recording, name)->by_row)
        extent[0] = 1;
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, extent, NULL);
    hid_t memory = H5Screate_simple(rank, extent, NULL);
    double *theirs = memory_new(count, sizeof *theirs);
    ck_assert_int_ge(
        H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, theirs),
        0);
    ck_assert(memcmp(ours, theirs, count * sizeof *ours) == 0);
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(dataset);
    H5Fclose(file);
    memory_release(ours);
    memory_release(theirs);
}

static void check_same(const char *path)
{
    size_t count;
    double series[13];
    opened(path);
    ck_assert_int_eq(recording_state(recording), RUN_DONE);
    ck_assert_int_eq(recording_rows(recording), run_rows(&run));
    ck_assert_str_eq(recording_title(recording), "A run of known values");
    run_check_rows(&run, recording);
    run_check_tables(&run, recording);
    double *arrival = run_read(recording, "wave1_arrival", 0, &count);
    for (size_t i = 0; i < count; i++) {
        size_t cell = run_cell(&run, i);
        ck_assert_double_eq(arrival[i], cell < 13 ? (double)cell : -1);
    }
    memory_release(arrival);
    for (size_t version = 0; version < 2; version++) {
        int8_t wall[308];
        ck_assert_int_eq(
            recording_read_terrain(recording, "wall", version, wall, &error),
            STATUS_OK);
        for (size_t i = 0; i < grid_cells(&run.plan.grid); i++)
            ck_assert_int_eq(wall[i], (i + version) % 3 == 0);
    }
    ck_assert_int_eq(recording_read_series(recording,
                                           recording_find(recording, "wave1"),
                                           3, series, &error),
                     STATUS_OK);
    for (int64_t row = 0; row < run_rows(&run); row++)
        ck_assert_double_eq(series[row],
                            run_value(0, 1, row, run_cell(&run, 3)));
    for (int64_t row = 0; row < run_rows(&run); row += 5)
        check_by_hdf5(path, "wave1_grad_y", row);
    check_by_hdf5(path, "speed", 0);
    recording_close(recording);
}

static const struct {
    int dims;
    enum element_type real;
    bool cut;
} kinds[] = { { 2, TYPE_FLOAT32, false },
              { 2, TYPE_FLOAT64, true },
              { 3, TYPE_FLOAT32, true },
              { 3, TYPE_FLOAT64, false },
              { 3, TYPE_FLOAT32, true } };
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The last kind has the former names of checksums, and keeps them. */
START_TEST(a_packed_recording_is_the_recording)
    {
        char whole[128], again[128];
        run_release(&run);
        run_init(&run, kinds[_i].dims, kinds[_i].real, kinds[_i].cut, 1);
        run_record(&run, folder.file, run_rows(&run), RUN_DONE);
        if (_i == KINDS - 1)
            run_old_names(folder.file);
        packs(packed, 0);
        check_same(packed);
        snprintf(whole, sizeof whole, "%s/whole.h5", folder.path);
        snprintf(again, sizeof again, "%s/again.h5", folder.path);
        snprintf(folder.file, sizeof folder.file, "%s", packed);
        packs(again, 0); /* packed once more */
        check_same(again);
        ck_assert_int_eq(pack(whole, 0, true, false), STATUS_OK);
        check_same(whole);
        ck_assert_int_eq(pack(packed, 0, true, false), STATUS_OK); /* itself */
        check_same(packed);
        ck_assert_int_eq(folder_files(&folder, false), 4);
    }
END_TEST

START_TEST(two_packings_are_the_same_bytes)
    {
        char other[128];
        unsigned char *a, *b;
        struct stat about;
        snprintf(other, sizeof other, "%s/other.h5", folder.path);
        run_record(&run, folder.file, 13, RUN_DONE);
        packs(packed, 7);
        packs(other, 7);
        ck_assert_int_eq(stat(packed, &about), 0);
        size_t bytes = (size_t)about.st_size;
        a = memory_new(bytes, 1);
        b = memory_new(bytes, 1);
        int x = open(packed, O_RDONLY), y = open(other, O_RDONLY);
        ck_assert_int_eq(read(x, a, bytes), (ssize_t)bytes);
        ck_assert_int_eq(read(y, b, bytes), (ssize_t)bytes);
        ck_assert(memcmp(a, b, bytes) == 0);
        close(x);
        close(y);
        memory_release(a);
        memory_release(b);
    }
END_TEST

START_TEST(rounding_is_recorded_and_rounded_values_have_checksums)
    {
        run_record(&run, folder.file, 13, RUN_DONE);
        packs(packed, 5);
        opened(packed);
        ck_assert_int_eq(recording_keep_bits(recording), 5);
        for (int64_t row = 0; row < 13; row++) {
            size_t count;
            double *wave = run_read(recording, "wave1", row, &count);
            double *grad = run_read(recording, "wave0_grad_x", row, &count);
            for (size_t i = 0; i < count; i++) {
                size_t cell = run_cell(&run, i);
                double was = (double)(float)run_value(0, 1, row, cell);
                ck_assert_double_eq(wave[i], nearest(was, 5));
                was = (double)(float)run_value(1, 0, row, cell);
                ck_assert_double_eq(grad[i], nearest(was, 5));
            }
            memory_release(wave);
            memory_release(grad);
            run_check_agents(recording, 0, row);
        }
        recording_close(recording);
        hid_t file = H5Fopen(packed, H5F_ACC_RDONLY, H5P_DEFAULT);
        hid_t dataset = H5Dopen2(file, "wave0", H5P_DEFAULT);
        hid_t attribute = H5Aopen(
            dataset, "_QuantizeBitRoundNumberOfSignificantBits", H5P_DEFAULT);
        int bits = 0;
        ck_assert_int_ge(H5Aread(attribute, H5T_NATIVE_INT, &bits), 0);
        ck_assert_int_eq(bits, 5);
        ck_assert_int_eq(
            H5Aexists_by_name(file, "speed",
                              "_QuantizeBitRoundNumberOfSignificantBits",
                              H5P_DEFAULT),
            0);
        H5Aclose(attribute);
        H5Dclose(dataset);
        H5Fclose(file);
        /* Bits that are lost are not restored by a packing that keeps more. */
        snprintf(folder.file, sizeof folder.file, "%s", packed);
        ck_assert_int_eq(pack(packed, 9, false, true), STATUS_OK);
        opened(packed);
        ck_assert_int_eq(recording_keep_bits(recording), 5);
        recording_close(recording);
    }
END_TEST

START_TEST(a_recording_is_replaced_only_if_requested)
    {
        run_record(&run, folder.file, 13, RUN_DONE);
        ck_assert_int_eq(pack(folder.file, 9, false, false), STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "loses bits"));
        packs(folder.file, 0);
        check_same(folder.file);
        packs(packed, 0);
        ck_assert_int_eq(pack(packed, 0, false, false), STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "exists already"));
        ck_assert_int_eq(pack(packed, 0, false, true), STATUS_OK);
        ck_assert_int_eq(pack("/nowhere/at/all.h5", 0, false, false),
                         STATUS_INPUT);
        ck_assert_int_eq(folder_files(&folder, false), 2);
    }
END_TEST

START_TEST(an_interrupted_run_gives_its_committed_frames)
    {
        struct recorder *recorder;
        ck_assert_int_eq(
            recorder_create(folder.file, &run.plan, false, &recorder, &error),
            STATUS_OK);
        ck_assert_int_eq(pack(packed, 0, false, false), STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "being written"));
        ck_assert_int_eq(run_go(&run, recorder, 0, 8, 5, NULL, &error),
                         STATUS_OK);
        recorder_abandon(recorder);
        packs(packed, 0);
        opened(packed);
        ck_assert_int_eq(recording_rows(recording), 8);
        ck_assert_int_eq(recording_state(recording), RUN_STOPPED);
        run_check_rows(&run, recording);
        run_check_tables(&run, recording);
        recording_close(recording);
    }
END_TEST

START_TEST(a_run_without_frames_is_rejected)
    {
        struct recorder *recorder;
        ck_assert_int_eq(
            recorder_create(folder.file, &run.plan, false, &recorder, &error),
            STATUS_OK);
        ck_assert_int_eq(recorder_close(recorder, RUN_STOPPED, NULL, &error),
                         STATUS_OK);
        ck_assert_int_eq(pack(packed, 0, false, false), STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "has no rows"));
        ck_assert_int_eq(folder_files(&folder, false), 1);
    }
END_TEST

START_TEST(a_damaged_row_stops_it_and_leaves_nothing)
    {
        run_record(&run, folder.file, 13, RUN_DONE);
        hid_t file = H5Fopen(folder.file, H5F_ACC_RDWR, H5P_DEFAULT);
        hid_t dataset = H5Dopen2(file, "wave1", H5P_DEFAULT);
        uint64_t at = H5Dget_offset(dataset) + 100;
        H5Dclose(dataset);
        H5Fclose(file);
        int fd = open(folder.file, O_RDWR);
        ck_assert_int_eq(pwrite(fd, "?", 1, (off_t)at), 1);
        close(fd);
        ck_assert_int_eq(pack(packed, 0, false, false), STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "wave1: row 3 is damaged"));
        ck_assert_int_eq(folder_files(&folder, false), 1);
    }
END_TEST

/* ---- hostile files ---- */

static uint64_t offset_of(const char *name)
{
    hid_t file = H5Fopen(packed, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    haddr_t offset = H5Dget_offset(dataset);
    H5Dclose(dataset);
    H5Fclose(file);
    return offset;
}

static void read_packed_file(uint64_t at, void *data, size_t bytes)
{
    int fd = open(packed, O_RDONLY);
    ck_assert_int_eq(pread(fd, data, bytes, (off_t)at), (ssize_t)bytes);
    close(fd);
}

static void overwrite(uint64_t at, const void *data, size_t bytes)
{
    int fd = open(packed, O_RDWR);
    ck_assert_int_eq(pwrite(fd, data, bytes, (off_t)at), (ssize_t)bytes);
    close(fd);
}

static double values[64];

static enum status read_row(int64_t row)
{
    opened(packed);
    enum status status = recording_read_real(
        recording, recording_find(recording, "wave0"), row, values, &error);
    recording_close(recording);
    return status;
}

START_TEST(impossible_chunk_positions_are_rejected_before_they_are_read)
    {
        static const int64_t bad[][2] = {
            { -1, 100 },       { 1, INT64_MAX }, { INT64_MAX, 1 },
            { INT64_MIN, 90 }, { 2048, -5 },     { 2048, INT64_MIN },
            { 1 << 30, 50 },   { 0, 100 },       { 2048, 0 },
            { 2048, 1 << 20 }, { 96, 100 },
        };
        run_record(&run, folder.file, 13, RUN_DONE);
        packs(packed, 0);
        ck_assert_int_eq(read_row(6), STATUS_OK);
        overwrite(offset_of("chunk/chunk_wave0") + 6 * 16, bad[_i], 16);
        ck_assert_int_eq(read_row(6), STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "wave0: row 6 is damaged"));
        ck_assert_int_eq(read_row(7), STATUS_OK);
        overwrite(offset_of("chunk/chunk_wave0"), bad[_i], 16);
        refused(packed, "wave0", "not where its list says");
    }
END_TEST

START_TEST(a_flipped_bit_in_any_chunk_is_detected)
    {
        int64_t place[2];
        unsigned char was, flipped;
        double good[64];
        int64_t found = 0;
        run_record(&run, folder.file, 13, RUN_DONE);
        packs(packed, 0);
        ck_assert_int_eq(read_row(4), STATUS_OK);
        memcpy(good, values, sizeof good);
        read_packed_file(offset_of("chunk/chunk_wave0") + 4 * 16, place, 16);
        for (int64_t i = 0; i < place[1]; i++) {
            uint64_t at = (uint64_t)(place[0] + i);
            read_packed_file(at, &was, 1);
            flipped = was ^ (unsigned char)(1 << i % 8);
            overwrite(at, &flipped, 1);
            /* Padding bits of a byte may change without effect. */
            if (read_row(4))
                found++;
            else
                ck_assert(memcmp(values, good, sizeof good) == 0);
            overwrite(at, &was, 1);
        }
        ck_assert_int_ge(found, place[1] * 9 / 10);
        ck_assert_int_eq(read_row(4), STATUS_OK);
    }
END_TEST

/* A stream that would inflate to far more than the chunk is stopped at the size
 * of the chunk. */
START_TEST(a_stream_that_inflates_too_far_ends_at_the_size_of_the_chunk)
    {
        int64_t place[2];
        unsigned char *zeros = memory_new(1 << 24, 1), bomb[1 << 15];
        uLongf bytes = sizeof bomb;
        ck_assert_int_eq(compress2(bomb, &bytes, zeros, 1 << 24, 9), Z_OK);
        memory_release(zeros);
        run_record(&run, folder.file, 13, RUN_DONE);
        packs(packed, 0);
        read_packed_file(offset_of("chunk/chunk_wave0") + 4 * 16, place, 16);
        overwrite((uint64_t)place[0], bomb, (size_t)place[1]);
        ck_assert_int_eq(read_row(4), STATUS_INPUT);
        ck_assert_ptr_nonnull(strstr(error.message, "cannot be inflated"));
    }
END_TEST

/* Replaces a field by one with other chunks or filters. */
static void replace(const char *name, hid_t list)
{
    static const hsize_t extent[] = { 13, 1, 7 };
    hid_t file = H5Fopen(packed, H5F_ACC_RDWR, H5P_DEFAULT);
    ck_assert_int_ge(H5Ldelete(file, name, H5P_DEFAULT), 0);
    hid_t space = H5Screate_simple(3, extent, NULL);
    hid_t dataset = H5Dcreate2(file, name, H5T_IEEE_F32LE, space, H5P_DEFAULT,
                               list, H5P_DEFAULT);
    ck_assert_int_ge(dataset, 0);
    H5Dclose(dataset);
    H5Sclose(space);
    H5Fclose(file);
}

START_TEST(other_filters_and_other_chunks_are_rejected)
    {
        static const hsize_t chunk[] = { 1, 1, 7 }, high[] = { 2, 1, 7 },
                             half[] = { 1, 1, 4 };
        run_record(&run, folder.file, 13, RUN_DONE);
        packs(packed, 0);
        hid_t list = H5Pcreate(H5P_DATASET_CREATE);
        const char *why = "filter that no recording has";
        H5Pset_chunk(list, 3, _i == 4 ? high : _i == 5 ? half : chunk);
        if (_i == 0) {
            H5Pset_deflate(list, 1);
        } else if (_i == 1) {
            H5Pset_shuffle(list);
            H5Pset_fletcher32(list);
        } else if (_i == 2) {
            H5Pset_deflate(list, 1);
            H5Pset_shuffle(list);
        } else if (_i == 3) {
            why = "not contiguous";
        } else {
            H5Pset_shuffle(list);
            H5Pset_deflate(list, 1);
            why = "not in chunks as the others are";
        }
        replace("wave0", list);
        H5Pclose(list);
        refused(packed, "wave0", why);
    }
END_TEST

START_TEST(a_truncated_file_is_rejected_or_reported_row_by_row)
    {
        struct stat about;
        run_record(&run, folder.file, 13, RUN_DONE);
        packs(packed, 0);
        ck_assert_int_eq(stat(packed, &about), 0);
        for (off_t bytes = about.st_size - 1; bytes > 0;
             bytes -= about.st_size / 23) {
            ck_assert_int_eq(truncate(packed, bytes), 0);
            if (recording_open(packed, &recording, &error)) {
                ck_assert_int_eq(error.status, STATUS_INPUT);
                continue;
            }
            for (int64_t row = 0; row < 13; row++) {
                enum status status = recording_read_real(
                    recording, recording_find(recording, "wave1_grad_y"), row,
                    values, &error);
                ck_assert(status == STATUS_OK || status == STATUS_INPUT);
            }
            recording_close(recording);
        }
    }
END_TEST

int main(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    Suite *suite = suite_create("pack");
    TCase *tests = tcase_create("pack");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, zlib_inflates_a_stream_of_any_bytes, 0, 12);
    tcase_add_test(tests, runs_of_every_length_are_read_back);
    tcase_add_test(tests, codes_that_would_be_too_long_are_shortened);
    tcase_add_test(tests, zeros_and_noise_take_the_expected_room);
    tcase_add_test(tests, chunks_gather_and_scatter_any_part_of_a_row);
    tcase_add_test(tests, rounding_is_to_nearest_with_ties_to_even);
    tcase_add_loop_test(tests, a_packed_recording_is_the_recording, 0, KINDS);
    tcase_add_test(tests, two_packings_are_the_same_bytes);
    tcase_add_test(tests,
                   rounding_is_recorded_and_rounded_values_have_checksums);
    tcase_add_test(tests, a_recording_is_replaced_only_if_requested);
    tcase_add_test(tests, an_interrupted_run_gives_its_committed_frames);
    tcase_add_test(tests, a_run_without_frames_is_rejected);
    tcase_add_test(tests, a_damaged_row_stops_it_and_leaves_nothing);
    tcase_add_loop_test(
        tests, impossible_chunk_positions_are_rejected_before_they_are_read, 0,
        11);
    tcase_add_test(tests, a_flipped_bit_in_any_chunk_is_detected);
    tcase_add_test(
        tests, a_stream_that_inflates_too_far_ends_at_the_size_of_the_chunk);
    tcase_add_loop_test(tests, other_filters_and_other_chunks_are_rejected, 0,
                        6);
    tcase_add_test(tests, a_truncated_file_is_rejected_or_reported_row_by_row);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
