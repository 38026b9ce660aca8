/* SPDX-License-Identifier: MIT */
/* Shared by waves.c and own_wave.c: the memory for the checks of one
 * recording's waves, one wave after the other. */
#ifndef HAMON_ANALYSIS_CHECK_WAVE_CHECKS_H
#define HAMON_ANALYSIS_CHECK_WAVE_CHECKS_H

#include "analysis/check/banded.h"
#include "analysis/check/recording.h"
#include "analysis/check/scenario.h"
#include "analysis/check/settings.h"
#include "analysis/check/wave.h"
#include "recording/read/tables.h"

struct wave_checks {
    const struct recording *recording;
    const struct scenario *scenario; /* for its events; NULL: not known */
    struct finding *finding;         /* of the report */
    struct law law; /* on its grid: the region and the cells adjacent to it, or
                     * the map if arrivals are of the detector's own wave */
    struct arrival_settings arrival;
    struct emission_row *emissions;
    size_t emission_count;
    int64_t *version_steps;
    struct box region; /* in the law's grid */
    bool whole;        /* the region is the map */
    bool shown;        /* amplitudes are recorded, and to their last bit */
    size_t region_cells;
    /* Memory that the waves use one after the other; cells are those of the
     * law's grid. Only memory that this recording's checks need is
     * allocated. */
    struct ground ground;
    uint8_t *wall;    /* of a new version, before it is copied to ground */
    double *field[3]; /* (cells): rows k, k − 1, k − 2 in turn */
    double *packed;   /* (region): a row as it is recorded */
    struct check_front front;
    struct arrivals arrivals;
    struct banded banded;
    /* Of the present wave. */
    int wave;
    const struct variable *amplitude, *gradient[GRID_AXES], *arrival_field;
    size_t version;         /* version in ground */
    int64_t known_steps[3]; /* the steps in field; −1: none */
    size_t source;          /* of the last emission, a cell of the map */
    int64_t free_ages;      /* of the emission for which front was computed */
    struct energy energy;
    struct symmetry symmetry;
};

/* Fills `arrivals` for laplace, whose own wave needs no row: only the map, the
 * emissions and the settings. */
enum status wave_checks_own_arrivals(struct wave_checks *checks,
                                     struct error *error);

#endif
