/* SPDX-License-Identifier: MIT */
/* The HDF5 side of a layout, within this room. Each returns false where HDF5
 * refused. */
#ifndef HAMON_RECORDING_LAYOUT_HDF5_H
#define HAMON_RECORDING_LAYOUT_HDF5_H

#include "recording/layout.h"

#include <hdf5.h>

/* The type in the file, little-endian whatever the machine. */
hid_t layout_type(enum element_type type);

/* Units, names and flags of one variable. */
bool layout_variable_attributes(const struct layout *layout,
                                const struct layout_item *item, hid_t dataset);

/* Attributes of the root and of the groups. */
bool layout_file_attributes(hid_t file, const struct layout_header *header);

#endif
