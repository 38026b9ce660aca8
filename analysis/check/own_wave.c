/* SPDX-License-Identifier: MIT */
/* The first arrivals of laplace: its own wave is computed step by step, and
 * does not depend on the recorded frames. */
#include "analysis/check/wave_checks.h"

#include "base/team.h"

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

/* Reads the map at `step`, if it differs from that in `ground`. */
static enum status take_events(struct wave_checks *checks,
                               const struct law *law, int64_t step,
                               struct error *error)
{
    size_t version = recording_version_at(checks->recording, step);
    if (version == checks->version)
        return STATUS_OK;
    checks->version = version;
    return ground_read(checks->recording, law, version, &checks->ground, error);
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
    struct law law = checks->law;
    if (law.areas && banded->sums == 1) {
        law.matched_p = checks->arrival.p;
        checks->version = SIZE_MAX; /* its speeds are not matched */
    }
    enum status status = take_events(checks, &law, first->step, error);
    bool was = denormals_flush(law.flush);
    arrivals->emitted = first->step;
    arrivals->step[first->cell] = (int32_t)first->step;
    if (!status)
        banded_begin(&law, &checks->ground, first->cell, banded);
    for (int64_t step = first->step + 1; step <= last && !status; step++) {
        banded_advance(&law, &checks->ground, first->cell, banded);
        status = take_events(checks, &law, step, error);
        if (!status)
            banded_take(&law, checks->ground.wall, first->step, banded,
                        arrivals->step);
    }
    denormals_flush(was);
    return status;
}
