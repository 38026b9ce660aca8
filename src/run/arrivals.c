/* SPDX-License-Identifier: MIT */
#include "run/arrivals.h"

#include "base/memory.h"

static size_t number_bytes(const struct scenario *scenario)
{
    return scenario->wave.precision == PRECISION_DOUBLE ? sizeof(double)
                                                        : sizeof(float);
}

static bool has_own_wave(const struct run_arrivals *arrivals)
{
    return arrivals->scenario->arrival.detector->own_wave;
}

static enum status wave_init(struct run_arrivals *arrivals,
                             const struct medium *medium,
                             struct wave_arrivals *wave, struct error *error)
{
    const struct scenario *scenario = arrivals->scenario;
    const struct detection_options options = {
        .settings = &scenario->arrival,
        .terrain = arrivals->terrain,
        .world = &arrivals->share.world,
        .low = arrivals->covered.low,
        .amplitude = scenario->wave.amplitude,
        .lifetime =
            detector_lifetime(scenario->arrival.detector, &scenario->wave),
        .width = number_bytes(scenario),
        .ages = true,
        .medium = medium,
    };
    wave->emitted = -1;
    return detection_new(&options, &wave->detection, error);
}

static bool is_whole(const struct share *share)
{
    return box_cells(&share->own) == grid_cells(&share->world);
}

static enum status choose_terrain(struct run_arrivals *arrivals,
                                  const struct simulation *simulation,
                                  struct error *error)
{
    const struct share *share = &arrivals->share;
    arrivals->covered = has_own_wave(arrivals) ? share->held : share->own;
    arrivals->terrain = simulation_held(simulation);
    if (has_own_wave(arrivals) || is_whole(share))
        return STATUS_OK;
    arrivals->terrain = &arrivals->cut;
    const struct box own = box_from(&share->own, share->held.low);
    return terrain_cut(simulation_held(simulation), &own, &arrivals->cut,
                       error);
}

enum status run_arrivals_init(struct run_arrivals *arrivals,
                              const struct scenario *scenario,
                              const struct simulation *simulation,
                              struct error *error)
{
    size_t waves = (size_t)scenario->wave.count;
    const struct share *share = simulation_share(simulation);
    *arrivals = (struct run_arrivals){
        .scenario = scenario,
        .team = simulation_team(simulation),
        .share = *share,
        .waves = memory_new(waves, sizeof *arrivals->waves),
        .steps = memory_new(box_cells(&share->own), sizeof *arrivals->steps),
    };
    enum status status =
        arrivals->waves && arrivals->steps ? STATUS_OK : error_memory(error);
    if (!status)
        status = choose_terrain(arrivals, simulation, error);
    for (size_t i = 0; i < waves && !status; i++)
        status = wave_init(arrivals, simulation_medium(simulation),
                           &arrivals->waves[i], error);
    return status;
}

void run_arrivals_release(struct run_arrivals *arrivals)
{
    for (int i = 0; arrivals->waves && i < arrivals->scenario->wave.count; i++)
        detection_release(arrivals->waves[i].detection);
    memory_release(arrivals->waves);
    memory_release(arrivals->steps);
    terrain_release(&arrivals->cut);
    *arrivals = (struct run_arrivals){ 0 };
}

/* The arrivals of the first emission stay, also if a cell becomes a wall. */
static bool is_past(const struct run_arrivals *arrivals, int wave, int64_t step)
{
    const struct wave_arrivals *of = &arrivals->waves[wave];
    const struct scenario *scenario = arrivals->scenario;
    return of->emitted >= 0 &&
           (of->over ||
            step - of->emitted >
                detector_lifetime(scenario->arrival.detector, &scenario->wave));
}

bool run_arrivals_wants(const struct run_arrivals *arrivals, int wave,
                        int64_t step)
{
    return arrivals->waves[wave].emitted >= 0 && !is_past(arrivals, wave, step);
}

void run_arrivals_go_on(struct run_arrivals *arrivals, int wave, int64_t step)
{
    struct wave_arrivals *of = &arrivals->waves[wave];
    if (has_own_wave(arrivals))
        detection_take(of->detection, NULL, step - of->emitted, arrivals->team);
}

void run_arrivals_take(struct run_arrivals *arrivals, int wave, int64_t step,
                       const void *amplitude)
{
    struct wave_arrivals *taken = &arrivals->waves[wave];
    taken->changed = true;
    if (!has_own_wave(arrivals))
        detection_take(taken->detection, amplitude, step - taken->emitted,
                       arrivals->team);
}

void run_arrivals_emitted(struct run_arrivals *arrivals, int wave, size_t cell,
                          int64_t step, const void *amplitude)
{
    struct wave_arrivals *begun = &arrivals->waves[wave];
    begun->over = begun->emitted >= 0;
    if (begun->over)
        return;
    begun->emitted = step;
    detection_begin(begun->detection, cell, arrivals->team);
    run_arrivals_take(arrivals, wave, step, amplitude);
}

void run_arrivals_update(struct run_arrivals *arrivals,
                         const struct terrain_change *change, int64_t step)
{
    struct terrain_change local = *change;
    if (!box_meet(&change->box, &arrivals->covered, &local.box))
        return;
    local.box = box_from(&local.box, arrivals->covered.low);
    if (arrivals->terrain == &arrivals->cut)
        terrain_apply(&arrivals->cut, &local);
    for (int i = 0; i < arrivals->scenario->wave.count; i++)
        if (!is_past(arrivals, i, step))
            detection_update(arrivals->waves[i].detection, &local.box);
}

/* The fields contain ages; below −1 means that there will be no arrival. */
static int32_t step_of(const struct wave_arrivals *of, int32_t age)
{
    return age >= 0 ? age + (int32_t)of->emitted : -1;
}

const int32_t *run_arrivals_steps(struct run_arrivals *arrivals, int wave)
{
    struct wave_arrivals *of = &arrivals->waves[wave];
    if (!of->changed)
        return NULL;
    of->changed = false;
    const int32_t *ages = detection_ages(of->detection);
    const struct box own =
        box_from(&arrivals->share.own, arrivals->covered.low);
    int32_t *steps = arrivals->steps;
    for (int z = own.low[2]; z <= own.high[2]; z++)
        for (int y = own.low[1]; y <= own.high[1]; y++)
            for (int x = own.low[0]; x <= own.high[0]; x++)
                *steps++ = step_of(
                    of, ages[grid_index(&arrivals->terrain->grid, x, y, z)]);
    return arrivals->steps;
}

void run_arrivals_state(struct run_arrivals *arrivals, struct state *state)
{
    for (int i = 0; arrivals->waves && i < arrivals->scenario->wave.count;
         i++) {
        struct wave_arrivals *wave = &arrivals->waves[i];
        state_cover(state, &arrivals->covered);
        state_visit_steps(state, &wave->emitted, 1);
        state_visit_bool(state, &wave->over);
        wave->changed |= state->mode == STATE_LOAD;
        detection_state(wave->detection, state);
    }
}
