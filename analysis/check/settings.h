/* SPDX-License-Identifier: MIT */
/* The settings in a recording that the checks need. */
#ifndef HAMON_ANALYSIS_CHECK_SETTINGS_H
#define HAMON_ANALYSIS_CHECK_SETTINGS_H

#include "analysis/check/law.h"
#include "recording/read/recording.h"

/* The law of a recording's waves on its whole map. STATUS_INPUT if a setting is
 * missing or has an unknown value. */
enum status law_read(const struct recording *recording, struct law *law,
                     struct error *error);

/* An array of a version of the map, with `bytes` for each element, over the
 * law's grid. */
enum status law_terrain_read(const struct recording *recording,
                             const struct law *law, const char *name,
                             size_t version, size_t bytes, void *out,
                             struct error *error);

/* Walls and speeds of a version over the law's grid, prepared for the law. */
enum status ground_read(const struct recording *recording,
                        const struct law *law, size_t version,
                        struct ground *ground, struct error *error);

/* The steps from which each version of the map is in force; memory_new. */
enum status version_steps_read(const struct recording *recording,
                               int64_t **steps, struct error *error);

#endif
