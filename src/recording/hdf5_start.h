/* SPDX-License-Identifier: MIT */
/* What must be said to HDF5 before anything else. */
#ifndef HAMON_RECORDING_HDF5_START_H
#define HAMON_RECORDING_HDF5_START_H

/* No exit handler (after a full disk HDF5's own crashes), and no messages of
 * its own on stderr unless recorder_debug asked for them. Cheap to repeat. */
void recording_hdf5_start(void);

#endif
