/* SPDX-License-Identifier: MIT */
/* The first arrivals of laplace: its own wave is computed step by step, and
 * does not depend on the recorded frames. */
#include "analysis/check/wave_checks.h"

#include "base/team.h"
#include "wave/arrival/detector.h"

#include <math.h>
#include <string.h>

/* The present wave's emission of this number, from 0 on; NULL: there is
 * none. */
static const struct emission_row *emission(const struct wave_checks *checks,
                                           int number)
{
    for (size_t i = 0; i < checks->emission_count; i++)
        if (checks->emissions[i].wave == checks->wave && number-- == 0)
            return &checks->emissions[i];
    return NULL;
}

/* The last step at which the first emission can arrive: for restart `received`
 * the step of the next emission, because that follows its arrival. */
static int64_t last_step(const struct wave_checks *checks,
                         const struct emission_row *first)
{
    const struct recording *recording = checks->recording;
    const struct emission_row *next = emission(checks, 1);
    const char *restart = recording_setting(recording, "wave.restart");
    const double lifetime =
        restart && strcmp(restart, "received") == 0
            ? INFINITY /* it lasts until it was received, or has died out */
            : recording_setting_real(recording, "wave.lifetime", INT32_MAX);
    int64_t last = recording_steps(recording)[recording_rows(recording) - 1];
    if (next && next->step < last)
        last = next->step;
    return (double)(last - first->step) > lifetime
               ? first->step + (int64_t)lifetime
               : last;
}

/* The map of the detector's own wave, and its version (SIZE_MAX: none). */
struct own_ground {
    struct law law;
    struct ground ground;
    size_t version;
};

/* Reads the map at `step`, if it differs from that in `own`. */
static enum status take_events(const struct wave_checks *checks,
                               struct own_ground *own, int64_t step,
                               struct error *error)
{
    size_t version = recording_version_at(checks->recording, step);
    if (version == own->version)
        return STATUS_OK;
    own->version = version;
    return ground_read(checks->recording, &own->law, version, &own->ground,
                       error);
}

/* The law of the own wave: the run's, with speeds that match the sums, or with
 * its own stencil (SUM_STENCIL_MATCHED). */
static struct law own_law(const struct wave_checks *checks)
{
    struct law law = checks->law;
    const bool times = checks->banded.sums == 2;
    law.matched_weights = detector_is_matched(&checks->arrival);
    if ((law.areas && !times) || law.matched_weights)
        law.matched_p = checks->arrival.p;
    if (law.matched_weights) {
        law.stencil = stencil_whole(law.grid.dims);
        law.free_walls = true;
        law.conservative = false;
    }
    return law;
}

enum status wave_checks_own_arrivals(struct wave_checks *checks,
                                     struct error *error)
{
    const struct emission_row *first = emission(checks, 0);
    struct arrivals *arrivals = &checks->arrivals;
    struct banded *banded = &checks->banded;
    if (!first || recording_rows(checks->recording) == 0)
        return STATUS_OK;
    const int64_t last = last_step(checks, first);
    struct own_ground own = { .law = own_law(checks), .version = SIZE_MAX };
    const struct law *law = &own.law;
    ground_init(law, &own.ground);
    enum status status = take_events(checks, &own, first->step, error);
    bool was = denormals_flush(law->flush);
    arrivals->emitted = first->step;
    arrivals->step[first->cell] = (int32_t)first->step;
    if (!status)
        banded_begin(law, &own.ground, first->cell, banded);
    for (int64_t step = first->step + 1; step <= last && !status; step++) {
        banded_advance(law, &own.ground, first->cell, banded);
        status = take_events(checks, &own, step, error);
        if (!status)
            banded_take(law, own.ground.wall, first->step, banded,
                        arrivals->step);
    }
    denormals_flush(was);
    ground_release(&own.ground);
    return status;
}
