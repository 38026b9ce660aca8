/* SPDX-License-Identifier: MIT */
/* The datasets exist with their final extents, and nothing here changes HDF5's
 * metadata: a rank that is killed damages nothing. */
#include "recording/write/shared_file.h"

#include "base/memory.h"
#include "base/ranks_mpi.h"
#include "recording/format/hdf5.h"
#include "recording/format/hdf5_start.h"

#include <errno.h>
#include <hdf5.h>
#include <string.h>

enum { RANK_MOST = 1 + GRID_AXES };

struct shared_file {
    char *path;
    const struct layout_item *const *items;
    size_t count;
    hid_t file, transfer;
    hid_t *datasets; /* −1: none */
    /* the same file as plain bytes, for the fields of the state */
    MPI_File plain;
};

static enum status refused(const struct shared_file *file, const char *what,
                           struct error *error)
{
    return error_at(error, STATUS_DISK, file->path, 0,
                    "%s: refused by parallel HDF5%s%s", what, errno ? ": " : "",
                    errno ? strerror(errno) : "");
}

static bool open_file(struct shared_file *file, struct ranks *ranks)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    bool good =
        H5Pset_fapl_mpio(access, ranks_communicator(ranks), MPI_INFO_NULL) >= 0;
    if (good)
        file->file = H5Fopen(file->path, H5F_ACC_RDWR, access);
    H5Pclose(access);
    file->transfer = H5Pcreate(H5P_DATASET_XFER);
    good = good && file->file >= 0 &&
           H5Pset_dxpl_mpio(file->transfer, H5FD_MPIO_COLLECTIVE) >= 0;
    for (size_t i = 0; i < file->count && good; i++) {
        if (!file->items[i])
            continue;
        file->datasets[i] =
            H5Dopen2(file->file, file->items[i]->variable.name, H5P_DEFAULT);
        good = file->datasets[i] >= 0;
    }
    return good;
}

enum status shared_file_open(const char *path, struct ranks *ranks,
                             const struct layout_item *const *items,
                             size_t count, struct shared_file **file,
                             struct error *error)
{
    struct shared_file *made = memory_new(1, sizeof *made);
    if (!made)
        return error_memory(error);
    *file = made;
    *made = (struct shared_file){
        .items = items, .file = -1, .transfer = -1, .plain = MPI_FILE_NULL
    };
    made->path = memory_text(path);
    made->datasets = memory_new(count, sizeof *made->datasets);
    if (!made->path || !made->datasets)
        return error_memory(error);
    made->count = count;
    for (size_t i = 0; i < count; i++)
        made->datasets[i] = -1;
    recording_hdf5_start();
    errno = 0;
    bool good = open_file(made, ranks) &&
                MPI_File_open(ranks_communicator(ranks), path, MPI_MODE_RDWR,
                              MPI_INFO_NULL, &made->plain) == MPI_SUCCESS;
    return good ? STATUS_OK : refused(made, "opening", error);
}

void shared_file_close(struct shared_file *file)
{
    if (!file)
        return;
    for (size_t i = 0; i < file->count; i++)
        if (file->datasets[i] >= 0)
            H5Dclose(file->datasets[i]);
    if (file->transfer >= 0)
        H5Pclose(file->transfer);
    if (file->file >= 0)
        H5Fclose(file->file);
    if (file->plain != MPI_FILE_NULL)
        MPI_File_close(&file->plain);
    memory_release(file->datasets);
    memory_release(file->path);
    memory_release(file);
}

/* Selects a box of the cells of a dataset, slowest axis first; with a row index
 * before it if row ≥ 0. */
static hid_t select_box(hid_t space, int rank, int64_t row,
                        const int at[GRID_AXES], const struct box *box)
{
    hsize_t start[RANK_MOST], count[RANK_MOST];
    for (int i = 0; i < rank; i++) {
        int axis = rank - 1 - i;
        bool is_row = row >= 0 && i == 0;
        start[i] = is_row ? (hsize_t)row : (hsize_t)at[axis];
        count[i] = is_row ? 1 : (hsize_t)(box->high[axis] - box->low[axis] + 1);
    }
    return H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count,
                               NULL) < 0
               ? -1
               : space;
}

static hid_t memory_space(const struct shared_block *block)
{
    hsize_t extent[GRID_AXES];
    int at[GRID_AXES];
    for (int axis = 0; axis < GRID_AXES; axis++) {
        extent[GRID_AXES - 1 - axis] =
            (hsize_t)(block->block.high[axis] - block->block.low[axis] + 1);
        at[axis] = block->box.low[axis] - block->block.low[axis];
    }
    hid_t space = H5Screate_simple(GRID_AXES, extent, NULL);
    return block->any ? select_box(space, GRID_AXES, -1, at, &block->box)
           : H5Sselect_none(space) < 0 ? -1
                                       : space;
}

enum status shared_file_write(struct shared_file *file, size_t i, int64_t row,
                              const struct shared_block *block,
                              struct error *error)
{
    const struct variable *variable = &file->items[i]->variable;
    errno = 0;
    hid_t memory = memory_space(block);
    hid_t space = H5Dget_space(file->datasets[i]);
    bool good = memory >= 0 && space >= 0 &&
                (block->any ? select_box(space, variable->rank, row, block->at,
                                         &block->box) >= 0
                            : H5Sselect_none(space) >= 0) &&
                H5Dwrite(file->datasets[i], layout_type(variable->type), memory,
                         space, file->transfer, block->values) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return good ? STATUS_OK : refused(file, variable->name, error);
}

/* The MPI types of the own block: among the world's cells in the file, slowest
 * axis first, and among rows and layers in memory. */
static bool block_types(const struct share *share,
                        const struct state_field *field, MPI_Datatype *there,
                        MPI_Datatype *here)
{
    const struct grid *world = &share->world;
    const int *low = share->own.low, *high = share->own.high;
    const int whole[GRID_AXES] = { world->nz, world->ny, world->nx };
    const int at[GRID_AXES] = { low[2], low[1], low[0] };
    int count[GRID_AXES];
    MPI_Datatype item, rows;
    for (int i = 0; i < GRID_AXES; i++)
        count[i] = high[GRID_AXES - 1 - i] - low[GRID_AXES - 1 - i] + 1;
    MPI_Aint size = (MPI_Aint)field->item;
    MPI_Type_contiguous((int)field->item, MPI_BYTE, &item);
    MPI_Type_create_subarray(GRID_AXES, whole, count, at, MPI_ORDER_C, item,
                             there);
    MPI_Type_create_hvector(count[1], count[2], field->row * size, item, &rows);
    MPI_Type_create_hvector(count[0], 1, field->layer * size, rows, here);
    MPI_Type_free(&item);
    MPI_Type_free(&rows);
    return MPI_Type_commit(there) == MPI_SUCCESS &&
           MPI_Type_commit(here) == MPI_SUCCESS;
}

enum status shared_file_write_field(struct shared_file *file, uint64_t at,
                                    const struct share *share,
                                    const struct state_field *field,
                                    struct error *error)
{
    MPI_Datatype there, here;
    const int *own = share->own.low, *low = field->box.low;
    ptrdiff_t first = (own[2] - low[2]) * field->layer +
                      (own[1] - low[1]) * field->row + (own[0] - low[0]);
    const char *cells =
        (const char *)field->cells + first * (ptrdiff_t)field->item;
    errno = 0;
    bool good = block_types(share, field, &there, &here) &&
                MPI_File_set_view(file->plain, (MPI_Offset)at, MPI_BYTE, there,
                                  "native", MPI_INFO_NULL) == MPI_SUCCESS &&
                MPI_File_write_at_all(file->plain, 0, cells, 1, here,
                                      MPI_STATUS_IGNORE) == MPI_SUCCESS;
    MPI_Type_free(&there);
    MPI_Type_free(&here);
    return good ? STATUS_OK : refused(file, "restart", error);
}

enum status shared_file_sync(struct shared_file *file, struct error *error)
{
    errno = 0;
    return MPI_File_sync(file->plain) == MPI_SUCCESS
               ? STATUS_OK
               : refused(file, "syncing", error);
}
