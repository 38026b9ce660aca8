/* SPDX-License-Identifier: MIT */
/* The process in which HDF5 reads a file that may come from an untrusted
 * source, for the files that give it work: it may crash, loop or use up its
 * memory without harm. */
#ifndef HAMON_RECORDING_READ_CONFINED_H
#define HAMON_RECORDING_READ_CONFINED_H

#include "base/status.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

/* Belongs to that process. */
struct walk {
    hid_t file; /* open for reading */
    int out;    /* its messages to the parent */
};

struct confined_work {
    /* Runs in the confined process. `kept` is the descriptor below. */
    void (*run)(const struct walk *walk, int kept, void *context);
    void *context;
    const char
        *fault;  /* what the parent's messages about the file begin with */
    int kept;    /* another descriptor that stays open; −1: none */
    bool writes; /* to that: no limit on the size of files */
    /* For work that is proportional to the bytes of the file; 0: it is not. */
    uint64_t bytes;
};

/* Does the work on the open file `fd`; `path` is for messages. */
enum status confined_run(int fd, const char *path,
                         const struct confined_work *work, struct error *error);

/* For the work: end the process. The parent gets an error about the file:
 * STATUS_INPUT with `object: fault` (object may be NULL); an error about
 * memory; STATUS_DISK with `object cannot be written` and the reason from
 * errno. */
_Noreturn void confined_refuse(const struct walk *walk, const char *object,
                               const char *fault);
_Noreturn void confined_no_memory(const struct walk *walk);
_Noreturn void confined_unwritten(const struct walk *walk, const char *object);

/* A checksum of an attribute's type, extents and values; a reference counts as
 * the name of its object. `path` of the object is for messages. */
uint32_t confined_attribute_sum(const struct walk *walk, const char *path,
                                hid_t object, const char *name);

#endif
