/* SPDX-License-Identifier: MIT */
/* HDF5 types of a layout, for the files that call HDF5 themselves. */
#ifndef HAMON_RECORDING_FORMAT_HDF5_H
#define HAMON_RECORDING_FORMAT_HDF5_H

#include "recording/format/layout.h"

#include <hdf5.h>
#include <stdbool.h>

/* How the comment on keyframes begins, in the root's attribute `comment`. */
#define LAYOUT_KEYFRAME_NOTE "of each wave "

/* The type in the file, little-endian on every machine. */
hid_t layout_type(enum element_type type);

/* Writes an attribute that is a text; nothing if the text is empty. */
bool layout_text_attribute(hid_t object, const char *name, const char *text);

#endif
