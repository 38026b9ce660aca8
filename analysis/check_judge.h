/* SPDX-License-Identifier: MIT */
/* Inside check_waves: the memory that the waves of one recording are judged
 * in, one after the other, and their rows as they come. */
#ifndef HAMON_ANALYSIS_CHECK_JUDGE_H
#define HAMON_ANALYSIS_CHECK_JUDGE_H

#include "check_banded.h"
#include "check_recording.h"
#include "check_settings.h"
#include "check_wave.h"
#include "recording/tables.h"

struct judge {
    const struct recording *recording;
    struct finding *finding; /* of the report */
    struct law law;
    struct arrival_settings arrival;
    struct emission_row *emissions;
    size_t emission_count;
    int64_t *version_steps;
    struct box region;
    bool whole; /* the region is the grid */
    size_t region_cells;
    /* Memory that the waves use one after the other. */
    struct ground ground;
    uint8_t *wall;    /* of a new version, before ground has it */
    double *field[3]; /* (cells): rows k, k − 1, k − 2 in turn */
    double *packed[1 + GRID_AXES]; /* (region): a row as it is recorded */
    struct front front;
    struct arrivals arrivals;
    struct banded banded;
    /* Of the wave at hand. */
    int wave;
    const struct variable *amplitude, *gradient[GRID_AXES], *arrival_field;
    size_t version;         /* that ground holds */
    int64_t known_steps[3]; /* the steps in field, −1: nothing */
    int64_t free_ages;      /* of the emission that front was spread for */
    struct energy energy;
    struct symmetry symmetry;
};

/* Reads the settings and takes the memory. Release with judge_release, after
 * failures too. */
enum status judge_init(struct judge *judge, const struct recording *recording,
                       struct check_report *report, struct error *error);
void judge_release(struct judge *judge);

/* Turns to a wave: nothing is known of its rows yet. */
enum status judge_begin(struct judge *judge, int wave, struct error *error);

/* The next row into field[0], the older ones moved on. False where it cannot
 * be read, which is told with the checksums; it then leaves nothing there. */
bool judge_next(struct judge *judge, int64_t row, int64_t step);

/* The row that judge_next read, as the oracles take it. */
struct wave_row judge_row(const struct judge *judge, int64_t step);

/* Fills `arrivals` for laplace-front, whose own wave needs no row: only the
 * map, the emissions and the settings. Leaves another map in `ground`. */
enum status judge_own_arrivals(struct judge *judge, struct error *error);

#endif
