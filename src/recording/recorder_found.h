/* SPDX-License-Identifier: MIT */
/* A recording that was found to be gone on with: for recorder_find.c and
 * recorder_resume.c only. */
#ifndef HAMON_RECORDING_RECORDER_FOUND_H
#define HAMON_RECORDING_RECORDER_FOUND_H

#include "recording/recorder_parts.h"

/* The file to go on with, as it was found. */
struct before {
    int fd;
    struct layout layout;
    struct slot_header slot;
};

struct resumption {
    struct before before;
    struct recorder *recorder; /* that is to go on with it */
    const struct recording_plan *plan;
    bool same; /* its room and what it tells: it is gone on with in place */
};

#endif
