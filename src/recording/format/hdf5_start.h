/* SPDX-License-Identifier: MIT */
/* What HDF5 must be set to before it is used. */
#ifndef HAMON_RECORDING_FORMAT_HDF5_START_H
#define HAMON_RECORDING_FORMAT_HDF5_START_H

#include <stdbool.h>

/* No exit handler (after a full disk HDF5's own crashes), and no messages of
 * its own on stderr unless recording_hdf5_debug asked for them. Cheap to
 * repeat. */
void recording_hdf5_start(void);

/* Lets HDF5 print its own messages on stderr too. Off at first. */
void recording_hdf5_debug(bool print);

/* The version of HDF5 that reads and writes, "1.10.8", for the provenance. */
const char *recording_hdf5_version(void);

#endif
