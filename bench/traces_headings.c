/* SPDX-License-Identifier: MIT */
#include "traces.h"

#include "base/memory.h"
#include "pursuit/motion.h"
#include "wave/arrival/detector.h"
#include "wave/wave.h"

#include <math.h>

bool is_heard(const struct study *study, size_t cell)
{
    const double *heading = study->heading[cell];
    return heading[0] != 0 || heading[1] != 0 || heading[2] != 0;
}

/* One wave, and its detector. */
struct hearing {
    const struct study *study;
    struct team *team;
    struct medium *medium;
    struct wave *wave;
    struct detection *detection; /* NULL: the amplitude is tested here */
};

static void hearing_init(struct hearing *hearing, const struct study *study)
{
    const struct scenario *scenario = study->scenario;
    const struct arrival_settings *arrival = &scenario->arrival;
    const struct detection_options options = {
        .settings = arrival,
        .terrain = &scenario->terrain,
        .amplitude = scenario->wave.amplitude,
        .lifetime = scenario->wave.lifetime,
        .width = scenario->wave.precision == PRECISION_SINGLE ? sizeof(float)
                                                              : sizeof(double),
        .ages = true,
        .waves = &scenario->wave,
    };
    struct error error;
    *hearing = (struct hearing){ .study = study };
    if (team_new(1, scenario->wave.flush_denormals, &hearing->team, &error) ||
        medium_new(&scenario->terrain, &scenario->wave, &hearing->medium,
                   &error) ||
        wave_new(hearing->medium, &hearing->wave, &error) ||
        (arrival->detector->own_wave &&
         detection_new(&options, &hearing->detection, &error)))
        give_up(&error);
    wave_emit(hearing->wave, study->source, 0);
    if (hearing->detection)
        detection_begin(hearing->detection, study->source, hearing->team);
}

static void hearing_release(struct hearing *hearing)
{
    detection_release(hearing->detection);
    wave_release(hearing->wave);
    medium_release(hearing->medium);
    team_release(hearing->team);
}

/* ∇U or −∇T, if the sum is complete at this age. */
static void listen_sums(const struct hearing *hearing, size_t cell, int64_t age)
{
    double slope[GRID_AXES];
    if (detection_ages(hearing->detection)[cell] != age)
        return;
    detection_slope(hearing->detection, cell, slope);
    heading_unit(slope, hearing->study->heading[cell]);
}

/* ±∇z, if |z| reaches the level for the first time. */
static void listen(const struct hearing *hearing, size_t cell, double level)
{
    const struct study *study = hearing->study;
    double z = wave_value(hearing->wave, cell), gradient[GRID_AXES];
    if (is_heard(study, cell) || !(fabs(z) > 0 && fabs(z) >= level))
        return;
    int place[GRID_AXES];
    grid_cell(&study->plain.grid, cell, place);
    double at[GRID_AXES] = { place[0], place[1], place[2] };
    wave_sample_gradient(hearing->wave, at, gradient);
    if (!heading_unit(gradient, study->heading[cell]))
        return;
    if (study->scenario->arrival.heading == HEADING_SIGNED && z < 0)
        for (int axis = 0; axis < GRID_AXES; axis++)
            study->heading[cell][axis] *= -1;
}

static void hear_generation(struct hearing *hearing, int64_t age)
{
    const struct study *study = hearing->study;
    const struct arrival_settings *arrival = &study->scenario->arrival;
    double level = 0;
    if (hearing->detection) {
        detection_take(hearing->detection, NULL, age, hearing->team);
    } else {
        level = arrival->detector->level(arrival,
                                         study->scenario->wave.amplitude, age);
    }
    for (size_t i = 0; age > 0 && i < grid_cells(&study->plain.grid); i++) {
        if (!study->reached[i] || i == study->source)
            continue;
        if (hearing->detection)
            listen_sums(hearing, i, age);
        else
            listen(hearing, i, level);
    }
}

void hear(const struct study *study)
{
    struct hearing hearing;
    hearing_init(&hearing, study);
    hear_generation(&hearing, 0);
    for (int64_t age = 1; age <= study->scenario->wave.lifetime; age++) {
        wave_step(hearing.wave, hearing.team);
        hear_generation(&hearing, age);
    }
    hearing_release(&hearing);
}

void hear_fast_marching(const struct study *study)
{
    const struct terrain *terrain = &study->scenario->terrain;
    struct fast_marching *marching =
        march(terrain, study->options->marching, study->source);
    for (size_t i = 0; i < grid_cells(&terrain->grid); i++) {
        int place[GRID_AXES];
        grid_cell(&terrain->grid, i, place);
        double at[GRID_AXES] = { place[0], place[1], place[2] };
        fast_marching_heading(marching, at, study->heading[i]);
    }
    fast_marching_release(marching);
}
