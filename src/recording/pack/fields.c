/* SPDX-License-Identifier: MIT */
/* Packs the rows of fields into chunks. The worker threads read a batch of rows
 * and then pack its chunks; another thread passes those to HDF5 while the next
 * batch is read. */
#include "recording/pack/packing.h"

#include "base/crc32c.h"
#include "base/deflate_planes.h"
#include "base/disk.h"
#include "base/memory.h"
#include "base/system.h"
#include "base/worker.h"
#include "recording/format/chunk.h"
#include "recording/format/hdf5_start.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BATCH_BYTES = 1 << 24, BATCHES = 2 };

/* Chunks that are packed but not written yet. */
struct batch {
    size_t first, count;   /* rows of the field in the batch */
    unsigned char *packed; /* (count, tiles): `room` bytes for each chunk */
    size_t *sizes;         /* of each chunk; 0: the chunk is zero */
};

/* The data for one field. */
struct field {
    const struct packing *packing;
    const struct layout_item *item;
    struct tiling tiling;
    size_t row_bytes, batch_rows, room; /* of a packed chunk */
    unsigned char *rows;                /* of a batch, as read */
    unsigned char *planes;              /* one chunk for each thread */
    struct batch batches[BATCHES];
    uint32_t *crc;              /* (rows) */
    struct chunk_place *places; /* (rows, tiles) */
    /* next row, then next chunk, that a thread takes */
    atomic_size_t next;
    struct batch *now; /* being packed */
    struct batch *out; /* being written */
    struct pack_faults faults;
    enum status out_status;
    struct error out_error;
    struct worker *worker, *writeback;
    hid_t file, dataset;
    int fd; /* to check where HDF5 has put a chunk */
};

static void read_rows(void *context, int thread, int threads)
{
    struct field *field = context;
    while (!field->faults.status[thread]) {
        size_t i = atomic_fetch_add(&field->next, 1);
        if (i >= field->now->count)
            return;
        size_t row = field->now->first + i;
        void *values = field->rows + i * field->row_bytes;
        field->faults.status[thread] =
            pack_read(field->packing, field->item, (int64_t)row, values,
                      &field->faults.error[thread]);
        field->crc[row] = crc32c(0, values, field->row_bytes);
    }
}

static void pack_chunks(void *context, int thread, int threads)
{
    struct field *field = context;
    const struct tiling *tiling = &field->tiling;
    unsigned char *planes = field->planes + (size_t)thread * tiling->bytes;
    for (;;) {
        size_t i = atomic_fetch_add(&field->next, 1);
        if (i >= field->now->count * tiling->tiles)
            return;
        struct tile tile = tile_at(tiling, i % tiling->tiles);
        const void *row = field->rows + i / tiling->tiles * field->row_bytes;
        field->now->sizes[i] = 0;
        if (tile_is_zero(tiling, &tile, row))
            continue;
        tile_gather(tiling, &tile, row, planes);
        field->now->sizes[i] = deflate_planes(
            planes, tiling->bytes, tiling->bytes / tiling->element,
            field->now->packed + i * field->room);
    }
}

/* HDF5 almost always puts a chunk at the end of the file. Compares only its
 * beginning; verify.c reads all of it. */
static bool is_at(const struct field *field, haddr_t address, const void *bytes,
                  size_t count)
{
    unsigned char piece[4096];
    size_t now = count < sizeof piece ? count : sizeof piece;
    return disk_read(field->fd, piece, now, address) &&
           memcmp(piece, bytes, now) == 0;
}

/* Starts to write to disk what is written so far, and does not wait. */
static void begin_writeback(void *context)
{
    const struct field *field = context;
    system_begin_writeback(field->fd);
}

static bool write_chunk(struct field *field, size_t row, size_t index,
                        const void *bytes, size_t count)
{
    const struct tiling *tiling = &field->tiling;
    struct tile tile = tile_at(tiling, index);
    hsize_t at[VARIABLE_MAX_RANK], size;
    int rank = field->item->variable.rank, to = 0;
    if (field->item->entry->role == ROLE_ROWS)
        at[to++] = row;
    for (int axis = GRID_AXES - (rank - to); axis < GRID_AXES; axis++)
        at[to++] = tile.at[axis];
    haddr_t address = HADDR_UNDEF;
    unsigned skipped;
    errno = 0;
    if (H5Fget_eoa(field->file, &address) < 0 ||
        H5Dwrite_chunk(field->dataset, H5P_DEFAULT, 0, at, count, bytes) < 0)
        return false;
    if (!is_at(field, address, bytes, count) &&
        H5Dget_chunk_info_by_coord(field->dataset, at, &skipped, &address,
                                   &size) < 0)
        return false;
    field->places[row * tiling->tiles + index] =
        (struct chunk_place){ (int64_t)address, (int64_t)count };
    return true;
}

/* HDF5 has a separate error stack in each thread: here its messages are turned
 * off and cleared too. */
static void write_batch(void *context)
{
    struct field *field = context;
    const struct batch *batch = field->out;
    size_t tiles = field->tiling.tiles;
    recording_hdf5_start();
    for (size_t i = 0; i < batch->count * tiles && !field->out_status; i++)
        if (batch->sizes[i] &&
            !write_chunk(field, batch->first + i / tiles, i % tiles,
                         batch->packed + i * field->room, batch->sizes[i]))
            field->out_status =
                pack_unwritten(field->packing, field->item, &field->out_error);
    if (field->out_status)
        H5Eclear2(H5E_DEFAULT);
    worker_offer(field->writeback, begin_writeback, field);
}

static enum status pack_batch(struct field *field, struct batch *batch,
                              struct error *error)
{
    field->now = batch;
    atomic_store(&field->next, 0);
    team_run(field->packing->team, read_rows, field);
    enum status status = pack_fault(field->packing, &field->faults, error);
    if (status)
        return status;
    atomic_store(&field->next, 0);
    team_run(field->packing->team, pack_chunks, field);
    worker_wait(field->worker);
    if (field->out_status) {
        *error = field->out_error;
        return field->out_status;
    }
    field->out = batch;
    worker_send(field->worker, write_batch, field);
    return STATUS_OK;
}

static enum status pack_all(struct field *field, struct error *error)
{
    size_t rows = (size_t)pack_rows(field->item), turn = 0;
    enum status status = STATUS_OK;
    for (size_t first = 0; first < rows && !status; turn = !turn) {
        struct batch *batch = &field->batches[turn];
        batch->first = first;
        batch->count =
            rows - first < field->batch_rows ? rows - first : field->batch_rows;
        status = pack_batch(field, batch, error);
        first += batch->count;
    }
    worker_wait(field->worker);
    worker_wait(field->writeback);
    if (!status && field->out_status) {
        *error = field->out_error;
        status = field->out_status;
    }
    return status;
}

static enum status field_start(struct field *field, struct error *error)
{
    size_t rows = (size_t)pack_rows(field->item);
    struct tiling *tiling = &field->tiling;
    *tiling = tiling_of(field->item);
    field->row_bytes = (size_t)field->item->bytes / rows;
    field->room = deflate_planes_room(tiling->bytes);
    field->batch_rows = BATCH_BYTES / field->row_bytes;
    if (field->batch_rows < 1)
        field->batch_rows = 1;
    if (field->batch_rows > rows)
        field->batch_rows = rows;
    size_t chunks = field->batch_rows * tiling->tiles;
    field->rows = memory_new(field->batch_rows, field->row_bytes);
    field->planes =
        memory_new((size_t)team_threads(field->packing->team), tiling->bytes);
    field->crc = memory_new(rows, sizeof *field->crc);
    field->places = memory_new(rows * tiling->tiles, sizeof *field->places);
    bool good = field->rows && field->planes && field->crc && field->places;
    for (int i = 0; i < BATCHES; i++) {
        field->batches[i].packed = memory_new(chunks, field->room);
        field->batches[i].sizes = memory_new(chunks, sizeof(size_t));
        good = good && field->batches[i].packed && field->batches[i].sizes;
    }
    return good ? STATUS_OK : error_memory(error);
}

static void field_release(struct field *field)
{
    memory_release(field->rows);
    memory_release(field->planes);
    memory_release(field->crc);
    memory_release(field->places);
    for (int i = 0; i < BATCHES; i++) {
        memory_release(field->batches[i].packed);
        memory_release(field->batches[i].sizes);
    }
}

/* Writes checksums and places at the addresses of their contiguous datasets. */
static bool write_lists(const struct field *field)
{
    const struct layout *layout = &field->packing->layout;
    const struct layout_item *places = layout_places(layout, field->item);
    const struct layout_item *crc = layout_checksums(layout, field->item);
    return disk_write(field->fd, field->places, (size_t)places->bytes,
                      places->offset) &&
           (!crc || field->item->keyframed ||
            disk_write(field->fd, field->crc, (size_t)crc->bytes, crc->offset));
}

static enum status pack_field(const struct packing *packing,
                              const struct layout_item *item, hid_t file,
                              int fd, struct worker *const workers[2],
                              struct error *error)
{
    struct field *field = memory_new(1, sizeof *field);
    if (!field)
        return error_memory(error);
    field->packing = packing;
    field->item = item;
    field->file = file;
    field->fd = fd;
    field->worker = workers[0];
    field->writeback = workers[1];
    field->dataset = H5Dopen2(file, item->variable.name, H5P_DEFAULT);
    enum status status = field->dataset < 0
                             ? pack_unwritten(packing, item, error)
                             : field_start(field, error);
    if (!status)
        status = pack_all(field, error);
    if (!status && !write_lists(field))
        status = pack_unwritten(packing, item, error);
    if (field->dataset >= 0)
        H5Dclose(field->dataset);
    field_release(field);
    memory_release(field);
    return status;
}

/* Chunks are written one after another at the end of the file; metadata has its
 * own block. */
static hid_t open_file(const char *path)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    bool good = H5Pset_small_data_block_size(access, 0) >= 0 &&
                H5Pset_meta_block_size(access, 1 << 16) >= 0;
    hid_t file = good ? H5Fopen(path, H5F_ACC_RDWR, access) : -1;
    H5Pclose(access);
    return file;
}

enum status pack_fields(const struct packing *packing, struct error *error)
{
    struct worker *workers[2] = { NULL, NULL };
    const char *out = packing->options->out;
    recording_hdf5_start();
    enum status status = worker_new(&workers[0], error);
    if (!status)
        status = worker_new(&workers[1], error);
    if (status) {
        worker_release(workers[0]);
        return status;
    }
    int fd = open(packing->temporary, O_RDWR | O_CLOEXEC);
    hid_t file = fd < 0 ? -1 : open_file(packing->temporary);
    if (file < 0)
        status = error_system(error, STATUS_DISK, "%s: cannot be written", out);
    for (size_t i = 0; i < packing->layout.count && !status; i++) {
        const struct layout_item *item = &packing->layout.items[i];
        if (item->chunk[0])
            status = pack_field(packing, item, file, fd, workers, error);
    }
    errno = 0;
    if (file >= 0 && H5Fclose(file) < 0 && !status) {
        errno = errno ? errno : EIO;
        status = error_system(error, STATUS_DISK, "%s: cannot be written", out);
    }
    if (fd >= 0)
        close(fd);
    worker_release(workers[0]);
    worker_release(workers[1]);
    return status;
}
