/* SPDX-License-Identifier: MIT */
/* The quality of a detector: on each map a wave is emitted, each cell takes the
 * heading of its first arrival, and paths are traced along these headings from
 * every cell and compared with the exact shortest ones, as in hamon-reflection,
 * but without a recording, so that many maps and settings can be tried.
 *
 *   remedies [key=value | MAP]…   keys below, in force for the maps after
 *                                 them; one line a map, one for all
 *   remedies control=ignite MAP   or sponge: a change of the wave after
 *                                 each step (remedies.h)
 *   remedies speed=c              instead: paths across a band of that speed,
 *                                 their time over that of Snell's path
 *
 * The source is the free cell nearest to source=x,y (5,5); box=x0,y0,x1,y1 cuts
 * a window out of the map. reach: cells with an arrival, of those that can be
 * reached and are farther than 3 from the source. wrong: headings more than 90°
 * from the shortest path's first segment. trace: paths that come within 3 cells
 * and in sight of the source before 4d + 40 cells. ratio: their length over the
 * shortest. sight=R takes the headings of the choice among nodes
 * (pursuit/node_heading.h), R cells of sight, after the last step, instead of
 * the detector's at the first arrival. exact=1 and marching=1 take the headings
 * of the shortest paths and of fast marching instead; ring=r prints the
 * roundness of the front. */
#include "remedies.h"

#include "search/fast_marching.h"
#include "settings/value.h"
#include "world/maps/map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    else if (!strcmp(key, "range"))
        arrival->range = (int)real;
    else if (!strcmp(key, "sight"))
        study->sight = real;
    else if (!strcmp(key, "exact"))
        study->exact = real != 0;
    else if (!strcmp(key, "marching"))
        study->marching = real != 0;
    else if (!strcmp(key, "control"))
        study->control = (enum control)find_name(control_names, text);
    else if (!strcmp(key, "sponge"))
        study->sponge = (int)real;
    else if (!strcmp(key, "ring"))
        study->ring = real;
    else if (!strcmp(key, "source"))
        read_numbers(text, study->source, 2);
    else if (!strcmp(key, "box"))
        read_numbers(text, study->box, 4);
    else {
        fprintf(stderr, "remedies: no such key or value: %s=%s\n", key, text);
        exit(STATUS_INPUT);
    }
}

/* ---- maps ---- */

/* The window of the map, and the free cell nearest to the requested source. */
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

/* As head_exactly, along −∇T. */
static enum status head_by_marching(struct front *front, struct error *error)
{
    struct fast_marching *marching;
    enum status status = fast_marching_new(
        &front->terrain, &fast_marching_plain, &marching, error);
    if (status != STATUS_OK)
        return status;
    fast_marching_solve(marching, front->source, SIZE_MAX);
    for (size_t i = 0; i < grid_cells(&front->terrain.grid); i++) {
        int at[GRID_AXES];
        double unit[GRID_AXES] = { 0 };
        grid_cell(&front->terrain.grid, i, at);
        const double place[GRID_AXES] = { at[0], at[1], 0 };
        if (!fast_marching_heading(marching, place, unit))
            continue;
        front->step[i] = 1;
        front->heading[i][0] = unit[0];
        front->heading[i][1] = unit[1];
    }
    fast_marching_release(marching);
    return STATUS_OK;
}

/* (max − min)/mean of r/T over the cells within 1 of the ring, in per cent. */
static void print_ring(const struct study *study, const struct front *front)
{
    const struct grid *grid = &front->terrain.grid;
    double least = INFINITY, most = 0, sum = 0, count = 0;
    int centre[GRID_AXES];
    grid_cell(grid, front->source, centre);
    for (size_t i = 0; i < grid_cells(grid); i++) {
        int at[GRID_AXES];
        grid_cell(grid, i, at);
        double r = hypot(at[0] - centre[0], at[1] - centre[1]);
        if (fabs(r - study->ring) > 1 || front->step[i] < 0)
            continue;
        least = fmin(least, r / front->time[i]);
        most = fmax(most, r / front->time[i]);
        sum += r / front->time[i];
        count++;
    }
    printf("ring %-6g %6.0f  anisotropy %.4f\n", study->ring, count,
           100 * (most - least) / (sum / count));
}

static void print(const char *name, const struct reflection *sum,
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
    else if (status == STATUS_OK && study->marching)
        status = head_by_marching(&front, error);
    else if (status == STATUS_OK)
        status = find_headings(study, &front, error);
    if (status == STATUS_OK && study->ring > 0)
        print_ring(study, &front);
    if (status == STATUS_OK) {
        reflection_add(&sum, &front, &truth, NULL, NULL);
        print(path, &sum, mean);
    }
    truth_release(&truth);
    front_release(&front);
    return status;
}

static void print_mean(const struct mean *mean)
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
        .arrival = arrival_default(),
        .steps = 1200,
        .sponge = 10,
        .source = { 5, 5 },
        .box = { 0, 0, -1, -1 },
    };
    struct mean mean = { 0 };
    struct error error;
    enum status status = STATUS_OK;
    study.arrival.detector = detector_find("laplace");
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
        print_mean(&mean);
    return STATUS_OK;
}
