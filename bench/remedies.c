/* SPDX-License-Identifier: MIT */
/* What a detector is worth: on each of twelve maps a wave goes out, each cell
 * takes the heading of its first arrival, and paths are traced along these
 * headings from every cell and held against the exact shortest ones.
 *
 *   remedies [key=value …]     keys below; one line a map, one for all
 *   remedies speed=c           instead: paths across a band of that speed,
 *                              their time over that of Snell's path
 *
 * reach: cells with an arrival, of those that can be reached and lie farther
 * than 3 from the source. wrong: headings more than 90° off the shortest
 * path's first piece. trace: paths that come within 3 cells and in sight of
 * the source before 4d + 40 cells. ratio: their length over the shortest. */
#include "base/memory.h"
#include "geodesic.h"
#include "study_maps.h"
#include "wave/arrival_field.h"
#include "wave/laplace.h"
#include "wave/wave.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct study {
    struct wave_settings wave;
    struct arrival_settings arrival;
    int64_t steps;
    int every;    /* traces start from every so many cells */
    int map;      /* −1: all */
    double speed; /* > 0: of a band to be crossed, instead of the maps */
    bool exact;   /* headings of the shortest paths: the floor of the metric */
};

struct headings {
    int32_t *age;
    double (*heading)[GRID_AXES];
};

struct score {
    double cells, reached, wrong, traced, ratio;
};

static int find_name(const char *const names[], const char *name)
{
    for (int i = 0; names[i]; i++)
        if (!strcmp(names[i], name))
            return i;
    fprintf(stderr, "remedies: no such value: %s\n", name);
    exit(STATUS_INPUT);
}

static void set_key(struct study *study, const char *key, const char *text)
{
    double real = strtod(text, NULL);
    struct wave_settings *wave = &study->wave;
    struct arrival_settings *arrival = &study->arrival;
    if (!strcmp(key, "detector") && detector_find(text))
        arrival->detector = detector_find(text);
    else if (!strcmp(key, "heading"))
        arrival->heading =
            (enum heading_rule)find_name(heading_rule_names, text);
    else if (!strcmp(key, "walls"))
        wave->walls = (enum wall_rule)find_name(wall_rule_names, text);
    else if (!strcmp(key, "precision"))
        wave->precision = (enum precision)find_name(precision_names, text);
    else if (!strcmp(key, "stencil") && stencil_find(text))
        wave->stencil = stencil_find(text);
    else if (!strcmp(key, "threshold"))
        arrival->threshold = real;
    else if (!strcmp(key, "cap"))
        arrival->cap = real;
    else if (!strcmp(key, "beta"))
        arrival->beta = real;
    else if (!strcmp(key, "p"))
        arrival->p = real;
    else if (!strcmp(key, "eta"))
        arrival->eta = real;
    else if (!strcmp(key, "delta"))
        wave->delta = real;
    else if (!strcmp(key, "amplitude"))
        wave->amplitude = real;
    else if (!strcmp(key, "steps"))
        study->steps = (int64_t)real;
    else if (!strcmp(key, "every"))
        study->every = (int)real;
    else if (!strcmp(key, "speed"))
        study->speed = real;
    else if (!strcmp(key, "form"))
        wave->speed_form = (enum speed_form)find_name(speed_form_names, text);
    else if (!strcmp(key, "exact"))
        study->exact = real != 0;
    else if (!strcmp(key, "map"))
        study->map = find_name(study_map_names, text);
    else {
        fprintf(stderr, "remedies: no such key or value: %s=%s\n", key, text);
        exit(STATUS_INPUT);
    }
}

/* ---- the headings of all cells ---- */

struct look_around {
    const struct study *study;
    const struct terrain *terrain;
    struct wave *wave;
    struct medium *medium;
    struct arrival_field field;
    struct laplace laplace;
    bool sums;
    void *z, *gx, *gy;
};

static double number(const struct look_around *around, const void *values,
                     size_t cell)
{
    return around->study->wave.precision == PRECISION_SINGLE
               ? (double)((const float *)values)[cell]
               : ((const double *)values)[cell];
}

static void take_generation(struct look_around *around, int64_t age)
{
    struct amplitudes generation =
        amplitudes_packed(&around->terrain->grid, around->z);
    wave_copy(around->wave, around->z, NULL);
    if (around->sums)
        laplace_take(&around->laplace, &generation, age, NULL);
    else
        arrival_field_take(&around->field, around->z, age, NULL);
}

static void head(const struct look_around *around, size_t cell, double out[3])
{
    double gradient[GRID_AXES] = { 0 };
    if (around->sums) {
        laplace_slope(&around->laplace, cell, gradient);
    } else {
        double z = number(around, around->z, cell);
        double sign = around->study->arrival.heading == HEADING_SIGNED
                          ? (z > 0) - (z < 0)
                          : 1;
        gradient[0] = sign * number(around, around->gx, cell);
        gradient[1] = sign * number(around, around->gy, cell);
    }
    heading_unit(gradient, out);
}

static void take_headings(struct look_around *around, int64_t age,
                          struct headings *headings)
{
    const int32_t *step =
        around->sums ? around->laplace.step : around->field.step;
    size_t cells = grid_cells(&around->terrain->grid);
    if (!around->sums)
        wave_gradient(around->wave, around->gx, around->gy, NULL, NULL);
    for (size_t i = 0; i < cells; i++) {
        if (step[i] != age)
            continue;
        headings->age[i] = (int32_t)age;
        head(around, i, headings->heading[i]);
    }
    if (!around->sums && around->study->arrival.heading == HEADING_ARRIVAL_TIME)
        for (size_t i = 0; i < cells; i++) {
            int at[GRID_AXES];
            grid_cell(&around->terrain->grid, i, at);
            if (step[i] == age)
                arrival_descent(&around->terrain->grid, around->field.time,
                                (double[]){ at[0], at[1], 0 }, (double)age,
                                headings->heading[i]);
        }
}

static enum status open_around(struct look_around *around, size_t source,
                               struct error *error)
{
    const struct study *study = around->study;
    size_t width = study->wave.precision == PRECISION_SINGLE ? sizeof(float)
                                                             : sizeof(double);
    size_t cells = grid_cells(&around->terrain->grid);
    struct arrival_field_options plain = { .settings = &study->arrival,
                                           .amplitude = study->wave.amplitude,
                                           .width = width,
                                           .times = true };
    struct laplace_options weighted = { .p = study->arrival.p,
                                        .eta = study->arrival.eta,
                                        .amplitude = study->wave.amplitude,
                                        .width = width,
                                        .steps = true,
                                        .matched = study->wave.stencil ==
                                                   stencil_find("9-point") };
    around->sums = study->arrival.detector == &detector_laplace;
    around->z = memory_new(cells, width);
    around->gx = memory_new(cells, width);
    around->gy = memory_new(cells, width);
    if (!around->z || !around->gx || !around->gy)
        return error_memory(error);
    enum status status =
        medium_new(around->terrain, &study->wave, &around->medium, error);
    if (status == STATUS_OK)
        status = wave_new(around->medium, &around->wave, error);
    if (status == STATUS_OK && around->sums)
        status =
            laplace_init(&around->laplace, around->terrain, &weighted, error);
    else if (status == STATUS_OK)
        status = arrival_field_init(&around->field, &around->terrain->grid,
                                    &plain, error);
    if (status != STATUS_OK)
        return status;
    wave_emit(around->wave, source, 0);
    if (around->sums)
        laplace_begin(&around->laplace, source);
    else
        arrival_field_begin(&around->field, source);
    return STATUS_OK;
}

static void close_around(struct look_around *around)
{
    laplace_release(&around->laplace);
    arrival_field_release(&around->field);
    wave_release(around->wave);
    medium_release(around->medium);
    memory_release(around->z);
    memory_release(around->gx);
    memory_release(around->gy);
}

static enum status find_headings(const struct study *study,
                                 const struct terrain *terrain, size_t source,
                                 struct headings *headings, struct error *error)
{
    struct look_around around = { .study = study, .terrain = terrain };
    enum status status = open_around(&around, source, error);
    if (status == STATUS_OK) {
        take_generation(&around, 0);
        for (int64_t age = 1; age <= study->steps; age++) {
            wave_step(around.wave, NULL);
            take_generation(&around, age);
            take_headings(&around, age, headings);
        }
    }
    close_around(&around);
    return status;
}

/* ---- paths along them ---- */

static bool blocked(const struct terrain *terrain, const double at[3])
{
    return terrain->wall[grid_nearest(&terrain->grid, at)] != 0;
}

static void hold_inside(const struct grid *grid, double at[3])
{
    at[0] = fmin(fmax(at[0], 0), grid->nx - 1);
    at[1] = fmin(fmax(at[1], 0), grid->ny - 1);
}

/* Blocked: the larger component alone, then the smaller, else none. */
static void move(const struct terrain *terrain, const double heading[3],
                 double at[3])
{
    double step[2] = { .25 * heading[0], .25 * heading[1] };
    int larger = fabs(step[1]) > fabs(step[0]);
    int tries[3][2] = { { 1, 1 },
                        { larger == 0, larger == 1 },
                        { larger == 1, larger == 0 } };
    for (int i = 0; i < 3; i++) {
        double to[3] = { at[0] + step[0] * tries[i][0],
                         at[1] + step[1] * tries[i][1], 0 };
        hold_inside(&terrain->grid, to);
        if (blocked(terrain, to))
            continue;
        at[0] = to[0];
        at[1] = to[1];
        return;
    }
}

/* The traced length, or −1 where the path does not come to the source. */
static double trace(const struct terrain *terrain,
                    const struct headings *headings, const double start[2],
                    const double source[2], double distance)
{
    double at[3] = { start[0], start[1], 0 }, length = 0;
    for (double tried = 0; tried <= 4 * distance + 40; tried += .25) {
        double left = hypot(at[0] - source[0], at[1] - source[1]);
        if (left <= 3 && geodesic_sees(terrain, at, source))
            return length + left;
        size_t cell = grid_nearest(&terrain->grid, at);
        const double *heading = headings->heading[cell];
        if (heading[0] == 0 && heading[1] == 0)
            return -1;
        double before[2] = { at[0], at[1] };
        move(terrain, heading, at);
        length += hypot(at[0] - before[0], at[1] - before[1]);
    }
    return -1;
}

static void score_cell(const struct study *study,
                       const struct geodesic *geodesic,
                       const struct headings *headings, size_t cell,
                       struct score *score)
{
    const struct terrain *terrain = geodesic->terrain;
    int place[GRID_AXES];
    double next[2] = { 0 };
    grid_cell(&terrain->grid, cell, place);
    double at[2] = { place[0], place[1] };
    const double *source = geodesic->corner[0];
    double distance =
        terrain->wall[cell] ? INFINITY : geodesic_path(geodesic, at, next);
    if (isinf(distance) || distance <= 3)
        return;
    const double *heading = headings->heading[cell];
    score->cells++;
    score->reached += headings->age[cell] > 0;
    score->wrong +=
        headings->age[cell] > 0 &&
        heading[0] * (next[0] - at[0]) + heading[1] * (next[1] - at[1]) < 0;
    double length = trace(terrain, headings, at, source, distance);
    score->traced += length >= 0;
    score->ratio += length >= 0 ? length / distance : 0;
}

static void tell(const char *name, const struct score *score)
{
    printf("%-10s %7.0f  reach %.4f  wrong %.4f  trace %.4f  ratio %.4f\n",
           name, score->cells, score->reached / score->cells,
           score->wrong / fmax(score->reached, 1), score->traced / score->cells,
           score->ratio / fmax(score->traced, 1));
}

static void head_exactly(const struct geodesic *geodesic,
                         struct headings *headings)
{
    const struct terrain *terrain = geodesic->terrain;
    for (size_t i = 0; i < grid_cells(&terrain->grid); i++) {
        int at[GRID_AXES];
        grid_cell(&terrain->grid, i, at);
        double here[2] = { at[0], at[1] }, next[2];
        if (terrain->wall[i] || isinf(geodesic_path(geodesic, here, next)))
            continue;
        double to[3] = { next[0] - at[0], next[1] - at[1], 0 };
        headings->age[i] = heading_unit(to, headings->heading[i]) ? 1 : 0;
    }
}

static enum status study_one(const struct study *study, int map,
                             struct score *score, struct error *error)
{
    struct terrain terrain;
    struct geodesic geodesic;
    size_t source;
    enum status status = study_map(map, &terrain, &source);
    if (status != STATUS_OK)
        return status;
    size_t cells = grid_cells(&terrain.grid);
    struct headings headings = {
        memory_new(cells, sizeof *headings.age),
        memory_new(cells, sizeof *headings.heading),
    };
    if (headings.age && headings.heading &&
        geodesic_new(&geodesic, &terrain, source)) {
        if (study->exact)
            head_exactly(&geodesic, &headings);
        else
            status = find_headings(study, &terrain, source, &headings, error);
        for (size_t i = 0; i < cells; i += (size_t)study->every)
            score_cell(study, &geodesic, &headings, i, score);
        geodesic_release(&geodesic);
    } else {
        status = error_memory(error);
    }
    memory_release(headings.age);
    memory_release(headings.heading);
    terrain_release(&terrain);
    return status;
}

/* ---- speed areas ---- */

enum { BAND_FIRST = 38, BAND_LAST = 55 };

/* The least time from the source across the band, by Snell's law: the sine q
 * of the angle outside for which the pieces end at the right place. */
static double least_time(const double from[2], const double to[2], double c)
{
    double width = BAND_LAST - BAND_FIRST + 1;
    double outside = fabs(to[0] - from[0]) - width;
    double across = fabs(to[1] - from[1]), low = 0, high = fmin(1, 1 / c), q;
    for (int i = 0; i < 200; i++) {
        q = (low + high) / 2;
        double reach = outside * q / sqrt(1 - q * q) +
                       width * q * c / sqrt(1 - q * q * c * c);
        if (reach < across)
            low = q;
        else
            high = q;
    }
    q = low;
    return outside / sqrt(1 - q * q) + width / sqrt(1 - q * q * c * c) / c;
}

static bool in_band(double x)
{
    return x >= BAND_FIRST - .5 && x <= BAND_LAST + .5;
}

/* The time along the traced path, or −1. */
static double traced_time(const struct terrain *terrain,
                          const struct headings *headings,
                          const double start[2], const double source[2],
                          double c)
{
    double at[3] = { start[0], start[1], 0 }, time = 0;
    for (int i = 0; i < 4000; i++) {
        double left = hypot(at[0] - source[0], at[1] - source[1]);
        if (left <= 3)
            return time + left;
        const double *heading =
            headings->heading[grid_nearest(&terrain->grid, at)];
        double x = at[0], y = at[1];
        for (int axis = 0; axis < 2; axis++)
            at[axis] += .05 * heading[axis];
        hold_inside(&terrain->grid, at);
        time +=
            hypot(at[0] - x, at[1] - y) / (in_band((x + at[0]) / 2) ? c : 1);
    }
    return -1;
}

static enum status study_speed(const struct study *study, struct error *error)
{
    struct terrain terrain;
    size_t source;
    enum status status = study_map(0, &terrain, &source);
    if (status != STATUS_OK)
        return status;
    struct terrain_change band = {
        .box = { { BAND_FIRST, 0, 0 }, { BAND_LAST, terrain.grid.ny - 1, 0 } },
        .kind = CHANGE_SPEED,
        .value = study->speed,
    };
    size_t cells = grid_cells(&terrain.grid);
    struct headings headings = {
        memory_new(cells, sizeof *headings.age),
        memory_new(cells, sizeof *headings.heading),
    };
    status = terrain_prepare(&terrain, CHANGE_SPEED, error);
    if (status == STATUS_OK && headings.age && headings.heading) {
        terrain_apply(&terrain, &band);
        status = find_headings(study, &terrain, source, &headings, error);
    }
    double starts = 0, came = 0, sum = 0, worst = 0, from[2] = { 6, 6 };
    for (int y = 3; status == STATUS_OK && y < 78; y += 8)
        for (int x = 62; x < 98; x += 7) {
            double at[2] = { x, y };
            double time =
                traced_time(&terrain, &headings, at, from, study->speed);
            double ratio = time / least_time(from, at, study->speed);
            starts++;
            came += time >= 0;
            sum += time >= 0 ? ratio : 0;
            worst = fmax(worst, ratio);
        }
    if (status == STATUS_OK)
        printf("speed %-5g %6.0f  trace %.4f  time %.4f  worst %.4f\n",
               study->speed, starts, came / starts, sum / fmax(came, 1), worst);
    memory_release(headings.age);
    memory_release(headings.heading);
    terrain_release(&terrain);
    return status;
}

int main(int argc, char **argv)
{
    struct study study = {
        .wave = { .count = 1,
                  .lifetime = 1 << 30,
                  .delta = .25,
                  .amplitude = 0x1p100,
                  .walls = WALLS_FIXED,
                  .stencil = stencil_find("5-point"),
                  .flush_denormals = true },
        .arrival = arrival_defaults,
        .steps = 1200,
        .every = 5,
        .map = -1,
    };
    study.arrival.detector = &detector_laplace;
    for (int i = 1; i < argc; i++) {
        char *equals = strchr(argv[i], '=');
        if (!equals) {
            fprintf(stderr, "remedies: key=value, not %s\n", argv[i]);
            return STATUS_INPUT;
        }
        *equals = '\0';
        set_key(&study, argv[i], equals + 1);
    }
    denormals_flush(true);
    if (study.speed > 0) {
        struct error error;
        if (study_speed(&study, &error) == STATUS_OK)
            return STATUS_OK;
        fprintf(stderr, "remedies: %s\n", error.message);
        return STATUS_FAILED;
    }
    struct score mean = { 0 };
    double worst = 0, maps = 0;
    for (int map = 0; map < STUDY_MAPS; map++) {
        if (study.map >= 0 && study.map != map)
            continue;
        struct score score = { 0 };
        struct error error;
        if (study_one(&study, map, &score, &error) != STATUS_OK) {
            fprintf(stderr, "remedies: %s\n", error.message);
            return STATUS_FAILED;
        }
        tell(study_map_names[map], &score);
        double ratio = score.ratio / fmax(score.traced, 1);
        worst = fmax(worst, ratio);
        maps++;
        mean.cells += 1;
        mean.reached += score.reached / score.cells;
        mean.wrong += score.wrong / fmax(score.reached, 1);
        mean.traced += score.traced / score.cells;
        mean.ratio += ratio * score.traced / score.cells;
    }
    printf("%-10s %7.0f  reach %.4f  wrong %.4f  trace %.4f  ratio %.4f  "
           "worst %.4f\n",
           "mean", maps, mean.reached / maps, mean.wrong / maps,
           mean.traced / maps, mean.ratio / fmax(mean.traced, 1), worst);
    return STATUS_OK;
}
