/* SPDX-License-Identifier: MIT */
/* The first arrivals of laplace: its own wave is computed step by step, and
 * does not depend on the recorded frames. */
#include "analysis/check/settings.h"
#include "base/memory.h"
#include "tests/analysis/rules/arrival.h"
#include "tests/analysis/rules/banded.h"
#include "wave/arrival/detector.h"
#include "wave/wave.h"

#include <math.h>
#include <string.h>

/* The last step at which the first emission can arrive: for restart `received`
 * the step of the next emission, because that follows its arrival. */
static int64_t last_step(const struct recording *recording,
                         const struct emission_row *first, size_t count)
{
    const struct emission_row *next = count > 1 ? first + 1 : NULL;
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
    double matched_p; /* p of the sums that the speeds match; 0: none */
    struct ground ground;
    size_t version;
};

/* Reads the map at `step`, if it differs from that in `own`. */
static enum status take_events(const struct recording *recording,
                               struct own_ground *own, int64_t step,
                               struct error *error)
{
    size_t version = recording_version_at(recording, step);
    if (version == own->version)
        return STATUS_OK;
    own->version = version;
    enum status status =
        ground_read(recording, &own->law, version, &own->ground, error);
    double *speed = own->ground.speed;
    for (size_t i = 0; speed && own->matched_p > 0 && !status &&
                       i < grid_cells(&own->law.grid);
         i++)
        speed[i] = wave_matched_speed(own->law.stencil, own->law.delta,
                                      own->matched_p, speed[i]);
    return status;
}

/* The law of the own wave: the run's, with speeds that match the sums, or with
 * its own stencil (SUM_STENCIL_MATCHED). */
static void set_law(const struct law *law,
                    const struct arrival_settings *settings,
                    const struct banded *banded, struct own_ground *own)
{
    const bool matched = banded->matched_p > 0;
    own->law = *law;
    if ((law->areas && banded->sums == 1) || matched)
        own->matched_p = settings->p;
    if (matched) {
        own->law.stencil = stencil_whole(law->grid.dims);
        own->law.free_walls = true;
        own->law.conservative = false;
    }
}

static enum status run(const struct recording *recording,
                       const struct emission_row *first, int64_t last,
                       struct own_ground *own, struct banded *banded,
                       struct arrivals *arrivals, struct error *error)
{
    enum status status = take_events(recording, own, first->step, error);
    if (!status)
        banded_begin(&own->law, &own->ground, first->cell, banded);
    for (int64_t step = first->step + 1; step <= last && !status; step++) {
        banded_advance(&own->law, &own->ground, first->cell, banded);
        status = take_events(recording, own, step, error);
        if (!status)
            banded_take(&own->law, own->ground.wall, first->step, banded,
                        arrivals->step);
    }
    return status;
}

enum status own_arrivals(const struct recording *recording,
                         const struct law *law,
                         const struct arrival_settings *settings,
                         const struct emission_row *emissions, size_t count,
                         struct arrivals *arrivals, struct error *error)
{
    struct banded banded;
    struct own_ground own = { .version = SIZE_MAX };
    if (count == 0 || recording_rows(recording) == 0)
        return STATUS_OK;
    banded_init(law, settings, &banded);
    set_law(law, settings, &banded, &own);
    ground_init(&own.law, &own.ground);
    arrivals->emitted = emissions->step;
    arrivals->step[emissions->cell] = (int32_t)emissions->step;
    enum status status =
        run(recording, emissions, last_step(recording, emissions, count), &own,
            &banded, arrivals, error);
    ground_release(&own.ground);
    banded_release(&banded);
    return status;
}
