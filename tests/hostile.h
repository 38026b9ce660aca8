/* SPDX-License-Identifier: MIT */
/* What the makers of hostile recordings share. All end the program where HDF5
 * does not do what they ask. */
#ifndef HAMON_TESTS_HOSTILE_H
#define HAMON_TESTS_HOSTILE_H

#include <hdf5.h>
#include <stdbool.h>

/* It does not open, or it opens, and whoever reads the rows refuses it. */
enum when { WHEN_OPENED, WHEN_READ };

struct attack {
    const char *name;
    void (*make)(hid_t file); /* a copy of the base, open for writing */
    const char *words;        /* of the message: the object, or what stands
                                 for it */
    enum when when;
};

/* Lists that end with a name of NULL. */
extern const struct attack packed_attacks[], keyframes_attacks[];

void need(bool kept, const char *what);
void remove_link(hid_t file, const char *name);

/* A dataset in the place of `name`, of this type, space and creation list. */
hid_t put(hid_t file, const char *name, hid_t type, int rank,
          const hsize_t *extent, hid_t list);

/* The same, closed, with a list of HDF5's own. */
void plain(hid_t file, const char *name, hid_t type, int rank,
           const hsize_t *extent);

/* The rank, extents and type of what stands there. */
int extents_of(hid_t file, const char *name, hsize_t extent[4], hid_t *type);

/* Writes one number into an existing dataset at `index` of its first axis. */
void set_number(hid_t file, const char *name, hsize_t index, double to);

#endif
