/* SPDX-License-Identifier: MIT */
#include "recording/hdf5_start.h"

#include "recording/recorder.h"

#include <hdf5.h>
#include <stdio.h>

static bool debug;

void recorder_debug(bool print)
{
    debug = print;
}

const char *recorder_hdf5_version(void)
{
    static char version[36];
    unsigned major, minor, release;
    recording_hdf5_start();
    H5get_libversion(&major, &minor, &release);
    snprintf(version, sizeof version, "%u.%u.%u", major, minor, release);
    return version;
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
