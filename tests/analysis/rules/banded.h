/* SPDX-License-Identifier: MIT */
/* The own wave of laplace, and its sums, by the rules of
 * wave/laplace/wave.h. */
#ifndef HAMON_TESTS_ANALYSIS_RULES_BANDED_H
#define HAMON_TESTS_ANALYSIS_RULES_BANDED_H

#include "analysis/check/law.h"
#include "wave/arrival/arrival.h"

struct banded_cell;
struct banded {
    double *now, *before, *next; /* (cells): z times 2^scale */
    struct banded_cell *cell;    /* (cells) */
    int64_t age;
    int32_t scale;
    bool past_source; /* its cell was closed since the emission */
    int sums, every;  /* 1, or 2 by time; generations between tests */
    double growth[2], eta, ceiling, largest, smallest;
    /* p of the sums whose decay each cell's own weights match
     * (wave_matched_weights); 0: they are those of the law. */
    double matched_p;
    double matched[STENCIL_WEIGHTS]; /* at speed 1 */
};

/* Release with banded_release, after failures too. */
void banded_init(const struct law *law, const struct arrival_settings *settings,
                 struct banded *banded);
void banded_release(struct banded *banded);

/* One generation, on the map before the events of the step. */
void banded_begin(const struct law *law, const struct ground *ground,
                  size_t source, struct banded *banded);
void banded_advance(const struct law *law, const struct ground *ground,
                    size_t source, struct banded *banded);

/* After the events: `wall` is the walls at the step. Stores arrivals in
 * `step`. */
void banded_take(const struct law *law, const uint8_t *wall, int64_t emitted,
                 struct banded *banded, int32_t *step);

#endif
