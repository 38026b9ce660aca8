/* SPDX-License-Identifier: MIT */
/* What a detector is worth: on each map a wave goes out, each cell takes the
 * heading of its first arrival, and paths are traced along these headings from
 * every cell and held against the exact shortest ones, as hamon-reflection
 * holds those of a recording; without one, so that many maps and settings can
 * be tried.
 *
 *   remedies [key=value | MAP]…   keys below, in force for the maps behind
 *                                 them; one line a map, one for all
 *   remedies speed=c              instead: paths across a band of that speed,
 *                                 their time over that of Snell's path
 *
 * The source is the free cell nearest to source=x,y (5,5); box=x0,y0,x1,y1
 * cuts a window out of the map. reach: cells with an arrival, of those that can
 * be reached and lie farther than 3 from the source. wrong: headings more than
 * 90° off the shortest path's first piece. trace: paths that come within 3
 * cells and in sight of the source before 4d + 40 cells. ratio: their length
 * over the shortest. */
#include "base/memory.h"
#include "reflection.h"
#include "wave/first_arrival.h"
#include "wave/wave.h"
#include "world/map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct study {
    struct wave_settings wave;
    struct arrival_settings arrival;
    int64_t steps;
    double speed;  /* > 0: of a band to be crossed, instead of the maps */
    bool exact;    /* headings of the shortest paths: the floor of the metric */
    int source[2]; /* of the window */
    int box[4];    /* the window: its first and last column and row */
};

/* Over the maps so far. */
struct mean {
    double maps, reached, wrong, traced, ratio, worst;
};

static int find_name(const char *const names[], const char *name)
{
    for (int i = 0; names[i]; i++)
        if (!strcmp(names[i], name))
            return i;
    fprintf(stderr, "remedies: no such value: %s\n", name);
    exit(STATUS_INPUT);
}

static void read_numbers(const char *text, int *numbers, int count)
{
    for (int i = 0; i < count; i++) {
        char *end;
        numbers[i] = (int)strtol(text, &end, 10);
        text = *end == ',' ? end + 1 : end;
    }
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
    else if (!strcmp(key, "speed"))
        study->speed = real;
    else if (!strcmp(key, "form"))
        wave->speed_form = (enum speed_form)find_name(speed_form_names, text);
    else if (!strcmp(key, "exact"))
        study->exact = real != 0;
    else if (!strcmp(key, "source"))
        read_numbers(text, study->source, 2);
    else if (!strcmp(key, "box"))
        read_numbers(text, study->box, 4);
    else {
        fprintf(stderr, "remedies: no such key or value: %s=%s\n", key, text);
        exit(STATUS_INPUT);
    }
}

/* ---- the headings of all cells ---- */

struct look_around {
    const struct study *study;
    struct front *front;
    struct wave *wave;
    struct medium *medium;
    struct first_arrival first;
    void *z, *gx, *gy;
};

static double number(const struct look_around *around, const void *values,
                     size_t cell)
{
    return around->study->wave.precision == PRECISION_SINGLE
               ? (double)((const float *)values)[cell]
               : ((const double *)values)[cell];
}

static void head(const struct look_around *around, size_t cell, int64_t age)
{
    const struct grid *grid = &around->front->terrain.grid;
    double gradient[GRID_AXES] = { 0 }, unit[GRID_AXES];
    if (around->first.by_laplace) {
        laplace_slope(&around->first.laplace, cell, gradient);
    } else if (around->study->arrival.heading == HEADING_ARRIVAL_TIME) {
        int at[GRID_AXES];
        grid_cell(grid, cell, at);
        arrival_descent(grid, around->first.field.time,
                        (double[]){ at[0], at[1], 0 }, (double)age, gradient);
    } else {
        double z = number(around, around->z, cell);
        double sign = around->study->arrival.heading == HEADING_SIGNED
                          ? (z > 0) - (z < 0)
                          : 1;
        gradient[0] = sign * number(around, around->gx, cell);
        gradient[1] = sign * number(around, around->gy, cell);
    }
    heading_unit(gradient, unit);
    around->front->heading[cell][0] = unit[0];
    around->front->heading[cell][1] = unit[1];
}

static void take_generation(struct look_around *around, int64_t age)
{
    struct front *front = around->front;
    const int32_t *ages = first_arrival_ages(&around->first);
    wave_copy(around->wave, around->z, NULL);
    first_arrival_take(&around->first, around->z, age, NULL);
    if (age == 0)
        return;
    if (!around->first.by_laplace)
        wave_gradient(around->wave, around->gx, around->gy, NULL, NULL);
    for (size_t i = 0; i < grid_cells(&front->terrain.grid); i++)
        if (ages[i] == age) {
            front->step[i] = (int32_t)age;
            head(around, i, age);
        }
}

static enum status open_around(struct look_around *around, struct error *error)
{
    const struct study *study = around->study;
    const struct terrain *terrain = &around->front->terrain;
    size_t cells = grid_cells(&terrain->grid);
    const struct first_arrival_options options = {
        .settings = &study->arrival,
        .amplitude = study->wave.amplitude,
        .width = study->wave.precision == PRECISION_SINGLE ? sizeof(float)
                                                           : sizeof(double),
        .times = true,
        .matched = study->wave.stencil == stencil_find("9-point"),
    };
    around->z = memory_new(cells, options.width);
    around->gx = memory_new(cells, options.width);
    around->gy = memory_new(cells, options.width);
    if (!around->z || !around->gx || !around->gy)
        return error_memory(error);
    enum status status =
        medium_new(terrain, &study->wave, &around->medium, error);
    if (status == STATUS_OK)
        status = wave_new(around->medium, &around->wave, error);
    if (status == STATUS_OK)
        status = first_arrival_init(&around->first, terrain, &options, error);
    return status;
}

static void close_around(struct look_around *around)
{
    first_arrival_release(&around->first);
    wave_release(around->wave);
    medium_release(around->medium);
    memory_release(around->z);
    memory_release(around->gx);
    memory_release(around->gy);
}

/* Fills front->step and heading; its terrain and source are there. */
static enum status find_headings(const struct study *study, struct front *front,
                                 struct error *error)
{
    struct look_around around = { .study = study, .front = front };
    enum status status = open_around(&around, error);
    if (status == STATUS_OK) {
        wave_emit(around.wave, front->source, 0);
        first_arrival_begin(&around.first, front->source);
        take_generation(&around, 0);
        for (int64_t age = 1; age <= study->steps; age++) {
            wave_step(around.wave, NULL);
            take_generation(&around, age);
        }
    }
    close_around(&around);
    return status;
}

/* ---- maps ---- */

static enum status make_front(struct front *front, struct error *error)
{
    size_t cells = grid_cells(&front->terrain.grid);
    front->step = memory_new(cells, sizeof *front->step);
    front->time = memory_new(cells, sizeof *front->time);
    front->heading = memory_new(cells, sizeof *front->heading);
    if (!front->step || !front->time || !front->heading)
        return error_memory(error);
    memset(front->step, 0xff, cells * sizeof *front->step);
    return STATUS_OK;
}

/* The window of the map, and the free cell nearest to the source asked for. */
static enum status load(const struct study *study, const char *path,
                        struct front *front, struct error *error)
{
    struct terrain whole = { 0 };
    struct grid grid;
    const int *box = study->box;
    enum status status = map_load(path, NULL, &whole, error);
    int width = box[2] < 0 ? whole.grid.nx : box[2] - box[0] + 1;
    int height = box[3] < 0 ? whole.grid.ny : box[3] - box[1] + 1;
    if (status == STATUS_OK)
        status = grid_make(2, width, height, 1, &grid, error);
    if (status == STATUS_OK)
        status = terrain_init(&front->terrain, &grid, error);
    double nearest = INFINITY;
    for (size_t i = 0; status == STATUS_OK && i < grid_cells(&grid); i++) {
        int at[GRID_AXES];
        grid_cell(&grid, i, at);
        int x = at[0] + box[0], y = at[1] + box[1];
        front->terrain.wall[i] =
            grid_holds(&whole.grid, x, y, 0)
                ? whole.wall[grid_index(&whole.grid, x, y, 0)]
                : 1;
        double away = hypot(at[0] - study->source[0], at[1] - study->source[1]);
        if (front->terrain.wall[i] || away >= nearest)
            continue;
        nearest = away;
        front->source = i;
    }
    terrain_release(&whole);
    return status;
}

static void head_exactly(const struct truth *truth, struct front *front)
{
    for (size_t i = 0; i < grid_cells(&front->terrain.grid); i++) {
        int at[GRID_AXES];
        double next[2], unit[GRID_AXES];
        grid_cell(&front->terrain.grid, i, at);
        if (isinf(truth->distance[i]) || !exact_next(truth->exact, i, next))
            continue;
        double to[GRID_AXES] = { next[0] - at[0], next[1] - at[1], 0 };
        front->step[i] = heading_unit(to, unit) ? 1 : 0;
        front->heading[i][0] = unit[0];
        front->heading[i][1] = unit[1];
    }
}

static void tell(const char *name, const struct reflection *sum,
                 struct mean *mean)
{
    double reached = (double)sum->reached / (double)sum->reachable;
    double wrong = (double)sum->wrong / fmax((double)sum->counted, 1);
    double traced = (double)sum->traced / fmax((double)sum->started, 1);
    double ratio = sum->ratio / fmax((double)sum->traced, 1);
    const char *slash = strrchr(name, '/');
    printf("%-20s %7lld  reach %.4f  wrong %.4f  trace %.4f  ratio %.4f\n",
           slash ? slash + 1 : name, (long long)sum->reachable, reached, wrong,
           traced, ratio);
    fflush(stdout);
    mean->maps++;
    mean->reached += reached;
    mean->wrong += wrong;
    mean->traced += traced;
    mean->ratio += ratio;
    mean->worst = fmax(mean->worst, ratio);
}

static enum status study_map(const struct study *study, const char *path,
                             struct mean *mean, struct error *error)
{
    struct front front = { 0 };
    struct truth truth = { 0 };
    struct reflection sum = { 0 };
    enum status status = load(study, path, &front, error);
    if (status == STATUS_OK)
        status = make_front(&front, error);
    if (status == STATUS_OK)
        status = truth_make(&truth, &front.terrain, front.source, error);
    if (status == STATUS_OK && study->exact)
        head_exactly(&truth, &front);
    else if (status == STATUS_OK)
        status = find_headings(study, &front, error);
    if (status == STATUS_OK) {
        reflection_add(&sum, &front, &truth, NULL);
        tell(path, &sum, mean);
    }
    truth_release(&truth);
    front_release(&front);
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
static double traced_time(const struct front *front, const double start[2],
                          const double source[2], double c)
{
    const struct grid *grid = &front->terrain.grid;
    double at[3] = { start[0], start[1], 0 }, time = 0;
    for (int i = 0; i < 4000; i++) {
        double left = hypot(at[0] - source[0], at[1] - source[1]);
        if (left <= 3)
            return time + left;
        const double *heading = front->heading[grid_nearest(grid, at)];
        double x = at[0], y = at[1];
        at[0] = fmin(fmax(x + .05 * heading[0], 0), grid->nx - 1);
        at[1] = fmin(fmax(y + .05 * heading[1], 0), grid->ny - 1);
        time +=
            hypot(at[0] - x, at[1] - y) / (in_band((x + at[0]) / 2) ? c : 1);
    }
    return -1;
}

/* An open map with a band of another speed across it. */
static enum status make_band(const struct study *study, struct front *front,
                             struct error *error)
{
    struct grid grid = { .dims = 2, .nx = 98, .ny = 78, .nz = 1 };
    struct terrain_change band = {
        .box = { { BAND_FIRST, 0, 0 }, { BAND_LAST, grid.ny - 1, 0 } },
        .kind = CHANGE_SPEED,
        .value = study->speed,
    };
    enum status status = terrain_init(&front->terrain, &grid, error);
    if (status == STATUS_OK)
        status = terrain_prepare(&front->terrain, CHANGE_SPEED, error);
    if (status != STATUS_OK)
        return status;
    terrain_apply(&front->terrain, &band);
    front->source = grid_index(&grid, 6, 6, 0);
    return make_front(front, error);
}

static void tell_speed(const struct study *study, const struct front *front)
{
    const double from[2] = { 6, 6 };
    double starts = 0, came = 0, sum = 0, worst = 0;
    for (int y = 3; y < 78; y += 8)
        for (int x = 62; x < 98; x += 7) {
            double at[2] = { x, y };
            double time = traced_time(front, at, from, study->speed);
            double ratio = time / least_time(from, at, study->speed);
            starts++;
            came += time >= 0;
            sum += time >= 0 ? ratio : 0;
            worst = fmax(worst, ratio);
        }
    printf("speed %-5g %6.0f  trace %.4f  time %.4f  worst %.4f\n",
           study->speed, starts, came / starts, sum / fmax(came, 1), worst);
}

static enum status study_speed(const struct study *study, struct error *error)
{
    struct front front = { 0 };
    enum status status = make_band(study, &front, error);
    if (status == STATUS_OK)
        status = find_headings(study, &front, error);
    if (status == STATUS_OK)
        tell_speed(study, &front);
    front_release(&front);
    return status;
}

static void tell_mean(const struct mean *mean)
{
    printf("%-20s %7.0f  reach %.4f  wrong %.4f  trace %.4f  ratio %.4f  "
           "worst %.4f\n",
           "mean", mean->maps, mean->reached / mean->maps,
           mean->wrong / mean->maps, mean->traced / mean->maps,
           mean->ratio / mean->maps, mean->worst);
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
        .source = { 5, 5 },
        .box = { 0, 0, -1, -1 },
    };
    struct mean mean = { 0 };
    struct error error;
    enum status status = STATUS_OK;
    study.arrival.detector = &detector_laplace;
    denormals_flush(true);
    for (int i = 1; i < argc && status == STATUS_OK; i++) {
        char *equals = strchr(argv[i], '=');
        if (equals) {
            *equals = '\0';
            set_key(&study, argv[i], equals + 1);
        } else {
            status = study_map(&study, argv[i], &mean, &error);
        }
    }
    if (status == STATUS_OK && study.speed > 0)
        status = study_speed(&study, &error);
    if (status != STATUS_OK) {
        fprintf(stderr, "remedies: %s\n", error.message);
        return (int)status;
    }
    if (mean.maps > 0)
        tell_mean(&mean);
    return STATUS_OK;
}
