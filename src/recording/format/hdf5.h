/* SPDX-License-Identifier: MIT */
/* HDF5 types of a layout, for the files that call HDF5 themselves. */
#ifndef HAMON_RECORDING_FORMAT_HDF5_H
#define HAMON_RECORDING_FORMAT_HDF5_H

#include "recording/format/layout.h"

#include <hdf5.h>

/* The type in the file, little-endian on every machine. */
hid_t layout_type(enum element_type type);

#endif
