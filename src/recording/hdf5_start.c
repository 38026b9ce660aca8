/* SPDX-License-Identifier: MIT */
#include "recording/hdf5_start.h"

#include "recording/recorder.h"

#include <hdf5.h>

static bool debug;

void recorder_debug(bool print)
{
    debug = print;
}

void recording_hdf5_start(void)
{
    static bool started;
    if (!started) {
        H5dont_atexit(); /* refuses where HDF5 has been used before */
        started = true;
    }
    if (!debug)
        H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}
