/* SPDX-License-Identifier: MIT */
/* Recordings with keyframes that were made to harm: what rows between them are
 * computed from is changed, or the rows that come of it. The base has a
 * keyframe every 4 of its 9 rows. */
#include "hostile.h"

#include <stdlib.h>
#include <string.h>

/* A setting of /provenance/parameters becomes another of as many bytes. */
static void change_setting(hid_t file, const char *from, const char *to)
{
    hid_t set = H5Dopen2(file, "provenance/parameters", H5P_DEFAULT);
    hid_t type = H5Dget_type(set);
    size_t bytes = (size_t)H5Dget_storage_size(set);
    char *text = malloc(bytes);
    need(text && strlen(from) == strlen(to), from);
    need(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0, from);
    char *at = memmem(text, bytes, from, strlen(from));
    need(at != NULL, from);
    memcpy(at, to, strlen(to));
    need(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0, from);
    free(text);
    H5Tclose(type);
    H5Dclose(set);
}

static void other_distance(hid_t file)
{
    change_setting(file, "record.keyframes = 4", "record.keyframes = 9");
}

static void no_distance(hid_t file)
{
    change_setting(file, "record.keyframes = 4", "record.keyframes = x");
}

static void distance_of_one(hid_t file)
{
    change_setting(file, "record.keyframes = 4", "record.keyframes = 1");
}

static void distance_missing(hid_t file)
{
    change_setting(file, "record.keyframes", "record.keyFrames");
}

static void unknown_stencil(hid_t file)
{
    change_setting(file, "wave.stencil = 5-point", "wave.stencil = 6-point");
}

static void deep_stencil(hid_t file)
{
    change_setting(file, "wave.stencil = 5-point", "wave.stencil = 7-point");
}

static void unknown_walls(hid_t file)
{
    change_setting(file, "wave.walls = fixed", "wave.walls = fixes");
}

static void unknown_source(hid_t file)
{
    change_setting(file, "wave.source = impulse", "wave.source = impulsf");
}

static void other_precision(hid_t file)
{
    change_setting(file, "wave.precision = single", "wave.precision = double");
}

static void delta_below_0(hid_t file)
{
    change_setting(file, "wave.delta = 0.25", "wave.delta = -.25");
}

static void delta_of_nan(hid_t file)
{
    change_setting(file, "wave.delta = 0.25", "wave.delta = nan ");
}

static void delta_without_end(hid_t file)
{
    change_setting(file, "wave.delta = 0.25", "wave.delta = 9e99");
}

static void delta_otherwise(hid_t file)
{
    change_setting(file, "wave.delta = 0.25", "wave.delta = 0.24");
}

static void steps_left_out(hid_t file)
{
    set_number(file, "time", 8, 9);
}

static void emission_outside(hid_t file)
{
    set_number(file, "emissions/x", 0, 4);
}

static void emission_below_0(hid_t file)
{
    set_number(file, "emissions/y", 0, -1);
}

static void emission_of_none(hid_t file)
{
    set_number(file, "emissions/wave", 0, 7e8);
}

static void emission_elsewhere(hid_t file)
{
    set_number(file, "emissions/step", 0, 2);
}

static void fewer_keyframes(hid_t file)
{
    plain(file, "keyframe", H5T_IEEE_F64LE, 1, (hsize_t[]){ 3 });
}

static void keyframes_by_the_billion(hid_t file)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_LATE);
    H5Dclose(put(file, "keyframe", H5T_IEEE_F64LE, 1,
                 (hsize_t[]){ (hsize_t)1 << 33 }, list));
}

static void all_rows_stored(hid_t file)
{
    plain(file, "wave0", H5T_IEEE_F32LE, 3, (hsize_t[]){ 9, 3, 4 });
}

static void fewer_checksums(hid_t file)
{
    plain(file, "crc/wave0", H5T_STD_U32LE, 1, (hsize_t[]){ 5 });
}

static void false_row(hid_t file)
{
    set_number(file, "crc/wave0", 6, 1);
}

static void false_keyframe(hid_t file)
{
    set_number(file, "crc/wave0", 4, 1);
}

static void false_wall(hid_t file)
{
    set_number(file, "crc/wall", 0, 1);
}

const struct attack keyframes_attacks[] = {
    { "other-distance", other_distance, "keyframe: ", WHEN_OPENED },
    { "no-distance", no_distance, "provenance/parameters: ", WHEN_OPENED },
    { "distance-of-one", distance_of_one,
      "provenance/parameters: ", WHEN_OPENED },
    { "distance-missing", distance_missing,
      "provenance/parameters: ", WHEN_OPENED },
    { "unknown-stencil", unknown_stencil,
      "provenance/parameters: ", WHEN_OPENED },
    { "deep-stencil", deep_stencil, "7-point", WHEN_READ },
    { "unknown-walls", unknown_walls, "provenance/parameters: ", WHEN_OPENED },
    { "unknown-source", unknown_source,
      "provenance/parameters: ", WHEN_OPENED },
    { "other-precision", other_precision,
      "provenance/parameters: ", WHEN_OPENED },
    { "delta-below-0", delta_below_0, "provenance/parameters: ", WHEN_OPENED },
    { "delta-of-nan", delta_of_nan, "provenance/parameters: ", WHEN_OPENED },
    { "delta-without-end", delta_without_end, "wave0: row ", WHEN_READ },
    { "delta-otherwise", delta_otherwise, "wave0: row ", WHEN_READ },
    { "steps-left-out", steps_left_out, "time: ", WHEN_OPENED },
    { "emission-outside", emission_outside, "emissions: ", WHEN_OPENED },
    { "emission-below-0", emission_below_0, "emissions: ", WHEN_OPENED },
    { "emission-of-none", emission_of_none, "wave0: row ", WHEN_READ },
    { "emission-elsewhere", emission_elsewhere, "wave0: row ", WHEN_READ },
    { "fewer-keyframes", fewer_keyframes, "keyframe", WHEN_OPENED },
    { "keyframes-by-the-billion", keyframes_by_the_billion, "keyframe",
      WHEN_OPENED },
    { "all-rows-stored", all_rows_stored, "wave0: ", WHEN_OPENED },
    { "fewer-checksums", fewer_checksums, "crc/wave0: ", WHEN_OPENED },
    { "false-row", false_row, "wave0: row ", WHEN_READ },
    { "false-keyframe", false_keyframe, "wave0: row ", WHEN_READ },
    { "false-wall", false_wall, "wall: row 0 ", WHEN_READ },
    { NULL, NULL, NULL, 0 },
};
