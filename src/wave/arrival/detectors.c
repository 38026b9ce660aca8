/* SPDX-License-Identifier: MIT */
/* The list of detectors, and the functions that call them. */
#include "wave/arrival/detector.h"

#include <stddef.h>
#include <string.h>

extern const struct detector detector_threshold, detector_capped_exponential,
    detector_leading_edge, detector_first_peak, detector_laplace_wave;

const struct detector *const detectors[] = {
    &detector_threshold,  &detector_capped_exponential, &detector_leading_edge,
    &detector_first_peak, &detector_laplace_wave,       NULL,
};

const struct detector *detector_find(const char *name)
{
    for (const struct detector *const *row = detectors; *row; row++)
        if (!strcmp((*row)->name, name))
            return *row;
    return NULL;
}

static bool has_key(const struct detector *detector, const char *path)
{
    for (int i = 0; detector->keys[i]; i++)
        if (strcmp(detector->keys[i], path) == 0)
            return true;
    return false;
}

const struct detector *detector_with(const char *path)
{
    for (const struct detector *const *row = detectors; *row; row++)
        if (has_key(*row, path))
            return *row;
    return NULL;
}

bool detector_uses(const struct detector *detector, const char *path)
{
    if (strcmp(path, "arrival.heading") == 0)
        return !detector->own_wave;
    return !detector_with(path) || has_key(detector, path);
}

int64_t detector_lifetime(const struct detector *detector,
                          const struct wave_settings *waves)
{
    return detector->own_wave && waves->restart == RESTART_RECEIVED
               ? INT64_MAX
               : waves->lifetime;
}

enum status detection_new(const struct detection_options *options,
                          struct detection **detection, struct error *error)
{
    const struct detector *detector = options->settings->detector;
    enum status status = detector->new (options, detection, error);
    if (status)
        return status;
    (*detection)->detector = detector;
    (*detection)->options = *options;
    (*detection)->age = -1;
    if (options->potential)
        detector->fall(*detection, &(*detection)->fall);
    return STATUS_OK;
}

void detection_release(struct detection *detection)
{
    if (detection)
        detection->detector->release(detection);
}

void detection_begin(struct detection *detection, size_t cell,
                     struct team *team)
{
    detection->age = -1;
    detection->detector->begin(detection, cell, team);
}

void detection_take(struct detection *detection, const void *generation,
                    int64_t age, struct team *team)
{
    detection->age = age;
    detection->detector->take(detection, generation, age, team);
}

void detection_catch_up(struct detection *detection)
{
    if (detection->detector->catch_up)
        detection->detector->catch_up(detection);
}

void detection_update(struct detection *detection, const struct box *box)
{
    detection->detector->update(detection, box);
}

void detection_look(struct detection *detection, const double at[GRID_AXES],
                    bool whole, struct arrival_look *look)
{
    *look = (struct arrival_look){ .age = detection->age, .reached = -1 };
    detection->detector->look(detection, at, whole, look);
}

void detection_state(struct detection *detection, struct state *state)
{
    detection->detector->state(detection, state);
}

const int32_t *detection_ages(const struct detection *detection)
{
    return detection->detector->ages(detection);
}

const double *detection_times(const struct detection *detection)
{
    return detection->detector->times ? detection->detector->times(detection)
                                      : NULL;
}

double detection_potential(const struct detection *detection, size_t cell,
                           bool *settled)
{
    return detection->detector->potential(detection, cell, settled);
}

bool detection_is_spent(const struct detection *detection)
{
    return !detection->detector->is_spent ||
           detection->detector->is_spent(detection);
}

void detection_slope(const struct detection *detection, size_t cell,
                     double slope[GRID_AXES])
{
    detection->detector->slope(detection, cell, slope);
}
