/* SPDX-License-Identifier: MIT */
#include "traces.h"

#include "base/memory.h"
#include "pursuit/motion.h"
#include "wave/arrival/detector.h"
#include "wave/wave.h"

#include <math.h>

bool is_reached(const struct study *study, size_t cell)
{
    const double *heading = study->heading[cell];
    return heading[0] != 0 || heading[1] != 0 || heading[2] != 0;
}

/* One wave, and its detector. */
struct reception {
    const struct study *study;
    struct team *team;
    struct medium *medium;
    struct wave *wave;
    struct detection *detection; /* NULL: the amplitude is tested here */
};

static void reception_init(struct reception *reception,
                           const struct study *study)
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
    *reception = (struct reception){ .study = study };
    if (team_new(1, scenario->wave.flush_denormals, &reception->team, &error) ||
        medium_new(&scenario->terrain, &scenario->wave, &reception->medium,
                   &error) ||
        wave_new(reception->medium, &reception->wave, &error) ||
        (arrival->detector->own_wave &&
         detection_new(&options, &reception->detection, &error)))
        give_up(&error);
    wave_emit(reception->wave, study->source, 0);
    if (reception->detection)
        detection_begin(reception->detection, study->source, reception->team);
}

static void reception_release(struct reception *reception)
{
    detection_release(reception->detection);
    wave_release(reception->wave);
    medium_release(reception->medium);
    team_release(reception->team);
}

/* ∇U or −∇T, if the sum is complete at this age. */
static void listen_sums(const struct reception *reception, size_t cell,
                        int64_t age)
{
    double slope[GRID_AXES];
    if (detection_ages(reception->detection)[cell] != age)
        return;
    detection_slope(reception->detection, cell, slope);
    heading_unit(slope, reception->study->heading[cell]);
}

/* ±∇z, if |z| reaches the level for the first time. */
static void listen(const struct reception *reception, size_t cell, double level)
{
    const struct study *study = reception->study;
    double z = wave_value(reception->wave, cell), gradient[GRID_AXES];
    if (is_reached(study, cell) || !(fabs(z) > 0 && fabs(z) >= level))
        return;
    int place[GRID_AXES];
    grid_cell(&study->plain.grid, cell, place);
    double at[GRID_AXES] = { place[0], place[1], place[2] };
    wave_sample_gradient(reception->wave, at, gradient);
    if (!heading_unit(gradient, study->heading[cell]))
        return;
    if (study->scenario->arrival.heading == HEADING_SIGNED && z < 0)
        for (int axis = 0; axis < GRID_AXES; axis++)
            study->heading[cell][axis] *= -1;
}

static void take_generation(struct reception *reception, int64_t age)
{
    const struct study *study = reception->study;
    const struct arrival_settings *arrival = &study->scenario->arrival;
    double level = 0;
    if (reception->detection) {
        detection_take(reception->detection, NULL, age, reception->team);
    } else {
        level = arrival->detector->level(arrival,
                                         study->scenario->wave.amplitude, age);
    }
    for (size_t i = 0; age > 0 && i < grid_cells(&study->plain.grid); i++) {
        if (!study->reached[i] || i == study->source)
            continue;
        if (reception->detection)
            listen_sums(reception, i, age);
        else
            listen(reception, i, level);
    }
}

void follow_wave(const struct study *study)
{
    struct reception reception;
    reception_init(&reception, study);
    take_generation(&reception, 0);
    for (int64_t age = 1; age <= study->scenario->wave.lifetime; age++) {
        wave_step(reception.wave, reception.team);
        take_generation(&reception, age);
    }
    reception_release(&reception);
}

void follow_fast_marching(const struct study *study)
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
