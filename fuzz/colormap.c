/* SPDX-License-Identifier: MIT */
/* Colour maps of a user's own. */
#include "target.h"

#include "draw/colormap/colormap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *path = scratch_file(".txt", data, size);
    struct ramp ramp;
    struct error error = { 0 };
    hold_to_word(ramp_load(path, &ramp, &error), &error, path);
    return 0;
}
