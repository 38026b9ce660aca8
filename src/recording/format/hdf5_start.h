/* SPDX-License-Identifier: MIT */
/* Settings of the HDF5 library that must be made before it is used. */
#ifndef HAMON_RECORDING_FORMAT_HDF5_START_H
#define HAMON_RECORDING_FORMAT_HDF5_START_H

#include <stdbool.h>

/* Turns off HDF5's exit handler (after a full disk it crashes) and its messages
 * on stderr, unless recording_hdf5_debug has turned those on. May be called
 * again at little cost. */
void recording_hdf5_start(void);

/* Turns HDF5's own messages on stderr on or off. Off at first. */
void recording_hdf5_debug(bool print);

/* The version of the HDF5 library in use, "1.10.8", for the provenance. */
const char *recording_hdf5_version(void);

#endif
