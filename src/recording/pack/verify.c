/* SPDX-License-Identifier: MIT */
/* Reads the new file back, compares it with the old one, and syncs it. */
#include "recording/pack/packing.h"

#include "base/memory.h"
#include "base/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/* maximum bytes of rows that one thread reads alone */
enum { ALONE_BYTES = 1 << 24 };

struct comparing {
    const struct packing *packing;
    const struct recording *made;
    const struct layout_item *item; /* of the new file */
    int64_t rows;
    size_t bytes; /* bytes of a row */
    atomic_int_fast64_t next;
    struct pack_faults faults;
};

static enum status differs(const struct comparing *comparing, int64_t row,
                           struct error *error)
{
    return error_at(error, STATUS_DISK, comparing->packing->options->out, 0,
                    "%s: row %lld reads back different from what was written: "
                    "the disk or the memory is faulty; nothing was replaced",
                    comparing->item->variable.name, (long long)row);
}

/* A row was read back with a checksum other than the old one's: its original
 * may be damaged. */
static enum status blame(const struct comparing *comparing,
                         const struct layout_item *laid, int64_t row, void *was,
                         struct error *error)
{
    const struct packing *packing = comparing->packing;
    const struct layout_item *old =
        layout_find(&packing->from->layout, comparing->item->variable.name);
    enum status status = pack_read(packing, laid, row, was, error);
    if (!status && old && !packing->keep_bits)
        status = recording_check_rows(packing->from, old, row, 1, was, error);
    return status ? status : differs(comparing, row, error);
}

static enum status compare_row(const struct comparing *comparing, int64_t row,
                               void *was, void *is, struct error *error)
{
    const struct packing *packing = comparing->packing;
    const struct layout_item *item = comparing->item;
    const struct layout_item *laid =
        layout_find(&packing->layout, item->variable.name);
    struct error why;
    enum status status =
        packing->options->go_on ? packing->options->go_on(error) : STATUS_OK;
    if (!status)
        status = recording_read_bytes(comparing->made, item,
                                      (uint64_t)row * comparing->bytes,
                                      comparing->bytes, is, error);
    if (status)
        return status;
    /* The checksum of the old row was stored when that was checked. */
    if (item->entry->role == ROLE_ROWS && !item->keyframed)
        return recording_check_rows(comparing->made, item, row, 1, is, &why)
                   ? blame(comparing, laid, row, was, error)
                   : STATUS_OK;
    status = pack_read(packing, laid, row, was, error);
    if (!status && memcmp(was, is, comparing->bytes) != 0)
        status = differs(comparing, row, error);
    return status;
}

static void compare_rows(void *context, int thread, int threads)
{
    struct comparing *comparing = context;
    enum status *status = &comparing->faults.status[thread];
    struct error *error = &comparing->faults.error[thread];
    if (thread > 0 && comparing->bytes > ALONE_BYTES)
        return;
    void *was = memory_new(comparing->bytes, 1);
    void *is = memory_new(comparing->bytes, 1);
    if (!was || !is)
        *status = error_memory(error);
    while (!*status) {
        int64_t row = atomic_fetch_add(&comparing->next, 1);
        if (row >= comparing->rows)
            break;
        *status = compare_row(comparing, row, was, is, error);
    }
    memory_release(was);
    memory_release(is);
}

static enum status compare_item(const struct packing *packing,
                                const struct recording *made,
                                const struct layout_item *item,
                                struct error *error)
{
    struct comparing *comparing = memory_new(1, sizeof *comparing);
    if (!comparing)
        return error_memory(error);
    comparing->packing = packing;
    comparing->made = made;
    comparing->item = item;
    comparing->rows = pack_rows(item);
    comparing->bytes = (size_t)item->bytes / (size_t)comparing->rows;
    team_run(packing->team, compare_rows, comparing);
    enum status status = pack_fault(packing, &comparing->faults, error);
    memory_release(comparing);
    return status;
}

static enum status compare_all(const struct packing *packing,
                               const struct recording *made,
                               struct error *error)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; i < made->layout.count && !status; i++) {
        const struct layout_item *item = &made->layout.items[i];
        if (item->entry->role == ROLE_ROWS || layout_is_field(item))
            status = compare_item(packing, made, item, error);
    }
    return status;
}

/* The thread that syncs the new file. */
struct syncing {
    int fd, fault; /* 0, or an errno */
};

static void sync_file(void *context)
{
    struct syncing *syncing = context;
    syncing->fault = fsync(syncing->fd) < 0 ? errno : 0;
}

/* The disk works while the data in memory is read back. */
static enum status sync_and_compare(const struct packing *packing,
                                    const struct recording *made,
                                    struct error *error)
{
    struct syncing syncing = { .fd = open(packing->temporary,
                                          O_RDWR | O_CLOEXEC) };
    struct worker *worker = NULL;
    enum status status = syncing.fd < 0 ? error_system(error, STATUS_DISK,
                                                       "%s: cannot be synced",
                                                       packing->options->out)
                                        : worker_new(&worker, error);
    if (!status) {
        worker_send(worker, sync_file, &syncing);
        status = compare_all(packing, made, error);
    }
    worker_release(worker);
    errno = syncing.fault;
    if (!status && syncing.fault)
        status = error_system(error, STATUS_DISK, "%s: cannot be synced",
                              packing->options->out);
    if (syncing.fd >= 0)
        close(syncing.fd);
    return status;
}

/* Opening forks, and a fork while another thread is starting may fail: so the
 * thread that syncs is started after it. */
enum status pack_verify(const struct packing *packing, struct error *error)
{
    struct recording *made;
    enum status status = recording_open_known(
        packing->temporary, pack_row_cells(packing), &made, error);
    if (status)
        return status;
    status = pack_verify_carried(packing, made, error);
    if (!status)
        status = sync_and_compare(packing, made, error);
    recording_close(made);
    return status;
}
