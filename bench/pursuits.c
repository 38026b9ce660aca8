/* SPDX-License-Identifier: MIT */
/* bench/pursuits [KEY=VALUE…] [box=X0,Y0,X1,Y1] MAP…: chases of one target by
 * many agents in each window of a map (box=0,0,-1,-1: the whole map; in 3D
 * box=X0,Y0,Z0,X1,Y1,Z1), without a recording. maze=W,N in the place of a map:
 * a maze of N × N × N rooms of W × W × W cells, with one way between any two,
 * by seed. Target and agents start in
 * random cells of the window's largest connected part, by seed. One line for
 * each window, and one for all:
 *
 *   pairs, captured: their share; ratio: walked path and the straight line
 *   that is left, over the shortest path (of a still target), mean and largest
 *   of captured; steps: v·steps/d, median and 95 of 100 (not captured:
 *   infinite); wait: of the median's steps, the share before the first move
 *
 * The shortest path is exact in 2D. In 3D it is fast marching on grids three
 * and five times finer, extrapolated (search/fast_marching.h), which has an
 * error of about .1 %.
 *
 * slab=C,FIRST,LAST: waves have speed C in these columns of a window without
 * walls. The target is to the left of them and the agents to the right, or in
 * them if no column is left. Then the ratio is that of times: ∫ds/c along the
 * walked path over the least time, by Snell's law.
 *
 * Keys: preset, motion, speed (the target's), method, agents (a target),
 * targets (a window), seed, steps; walls (rows of wall cells round the window),
 * and wave, arrival, pursuit: texts of those groups. A window's mean and
 * largest ratio are over its pairs; the last line has the mean of the windows'
 * means, the largest of them, and the rest over all pairs. */
#include "base/memory.h"
#include "base/random.h"
#include "pursuit/motion.h"
#include "pursuit/node_walk.h"
#include "run/simulate.h"
#include "search/exact.h"
#include "search/fast_marching.h"
#include "tests/world/flood.h"
#include "world/maps/map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AGENTS_MOST = 512, PAIRS_MOST = 1 << 20 };

struct settings {
    const char *preset, *motion, *method, *wave, *arrival, *pursuit;
    double target_speed;
    int agents, targets;
    long seed, steps;
    int box[2 * GRID_AXES]; /* the lower corner, then the upper one */
    struct slab {
        double speed; /* 0: none */
        int first, last;
    } slab;
};

struct outcome {
    double ratio, steps, wait; /* steps: v·steps/d, INFINITY: not captured */
};

static struct outcome *outcomes;
static size_t outcome_count, window_count;
static double mean_sum, mean_most;

static void must(enum status status, const struct error *error)
{
    if (status) {
        fprintf(stderr, "bench/pursuits: %s\n", error->message);
        exit(status);
    }
}

/* ---- a maze ---- */

/* Frees two rooms with these first cells, and the passage between them. */
static void carve(struct terrain *terrain, int width, const int a[GRID_AXES],
                  const int b[GRID_AXES])
{
    struct box box;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        box.low[axis] = a[axis] < b[axis] ? a[axis] : b[axis];
        box.high[axis] = (a[axis] < b[axis] ? b[axis] : a[axis]) + width - 1;
    }
    for (int z = box.low[2]; z <= box.high[2]; z++)
        for (int y = box.low[1]; y <= box.high[1]; y++)
            for (int x = box.low[0]; x <= box.high[0]; x++)
                terrain->wall[grid_index(&terrain->grid, x, y, z)] = 0;
}

/* Depth first; all rooms are joined. */
static void draw_maze(int width, int rooms, long seed, struct terrain *terrain)
{
    const int apart = width + 1, side = rooms * apart + 1;
    const size_t most = (size_t)rooms * (size_t)rooms * (size_t)rooms;
    struct random random;
    struct error error;
    struct grid grid;
    size_t depth = 0;
    must(grid_make(3, side, side, side, &grid, &error), &error);
    must(terrain_init(terrain, &grid, &error), &error);
    memset(terrain->wall, 1, grid_cells(&grid));
    random_seed(&random, (uint64_t)seed);
    int(*stack)[GRID_AXES] = memory_new(most, sizeof *stack);
    if (!stack)
        must(error_memory(&error), &error);
    stack[depth][0] = stack[depth][1] = stack[depth][2] = 1;
    carve(terrain, width, stack[depth], stack[depth]);
    for (depth++; depth > 0;) {
        int choices[2 * GRID_AXES][GRID_AXES], count = 0;
        const int *at = stack[depth - 1];
        for (int i = 0; i < 2 * GRID_AXES; i++) {
            int *to = choices[count];
            memcpy(to, at, sizeof choices[count]);
            to[i / 2] += i % 2 ? apart : -apart;
            count += grid_holds(&grid, to[0], to[1], to[2]) &&
                     terrain->wall[grid_index(&grid, to[0], to[1], to[2])];
        }
        if (!count) {
            depth--;
            continue;
        }
        const int *next = choices[random_below(&random, (uint64_t)count)];
        carve(terrain, width, at, next);
        memcpy(stack[depth++], next, sizeof *stack);
    }
    memory_release(stack);
}

/* ---- a window ---- */

struct window {
    struct terrain terrain;
    int32_t *cell; /* of its largest part */
    size_t count;
};

static void window_open(struct window *window, const struct terrain *map,
                        const int box[2 * GRID_AXES])
{
    struct error error;
    const int extent[] = { map->grid.nx, map->grid.ny, map->grid.nz };
    struct box cut;
    for (int axis = 0; axis < GRID_AXES; axis++) {
        const int high = box[GRID_AXES + axis];
        cut.low[axis] = box[axis];
        cut.high[axis] = high < 0 ? extent[axis] - 1 : high;
    }
    must(terrain_cut(map, &cut, &window->terrain, &error), &error);
    size_t cells = grid_cells(&window->terrain.grid);
    uint8_t *seen = memory_new(cells, 1);
    int32_t *part = memory_new(cells, sizeof *part);
    window->cell = memory_new(cells, sizeof *window->cell);
    if (!seen || !part || !window->cell)
        must(error_memory(&error), &error);
    window->count = 0;
    for (size_t i = 0; i < cells; i++) {
        if (seen[i] || window->terrain.wall[i])
            continue;
        size_t count = terrain_flood(&window->terrain, i, seen, part);
        if (count > window->count) {
            memcpy(window->cell, part, count * sizeof *part);
            window->count = count;
        }
    }
    memory_release(seen);
    memory_release(part);
}

/* ---- the shortest paths of a window ---- */

struct reference {
    struct exact *exact;                 /* 2D */
    struct fast_marching *coarse, *fine; /* 3D: 3 and 5 times finer */
};

static void reference_open(struct reference *reference,
                           const struct terrain *terrain)
{
    struct fast_marching_settings settings = fast_marching_fine;
    struct error error;
    *reference = (struct reference){ 0 };
    if (terrain->grid.dims == 2) {
        must(exact_new(terrain, &reference->exact, &error), &error);
        return;
    }
    settings.refine = 3;
    must(fast_marching_new(terrain, &settings, &reference->coarse, &error),
         &error);
    settings.refine = 5;
    must(fast_marching_new(terrain, &settings, &reference->fine, &error),
         &error);
}

static void reference_close(struct reference *reference)
{
    exact_release(reference->exact);
    fast_marching_release(reference->coarse);
    fast_marching_release(reference->fine);
}

static void reference_solve(struct reference *reference, size_t from)
{
    if (reference->exact) {
        exact_solve(reference->exact, from);
        return;
    }
    fast_marching_solve(reference->coarse, from, SIZE_MAX);
    fast_marching_solve(reference->fine, from, SIZE_MAX);
}

/* The error of a march is proportional to the side of its subcells: the
 * extrapolated value has no linear term in it. */
static double reference_distance(const struct reference *reference, size_t cell)
{
    if (reference->exact)
        return exact_distance(reference->exact, cell);
    const double coarse = fast_marching_time(reference->coarse, cell);
    const double fine = fast_marching_time(reference->fine, cell);
    return fine + 1.5 * (fine - coarse);
}

/* ---- the slab ---- */

/* The share of a straight line's extent in x that is in the slab. */
static double slab_share(const struct slab *slab, double a, double b)
{
    const double low = fmax(fmin(a, b), slab->first - .5);
    const double high = fmin(fmax(a, b), slab->last + .5);
    if (slab->speed == 0 || high < low)
        return 0;
    return high > low ? (high - low) / fabs(b - a) : a == b;
}

/* ∫ds/c along a straight line: its length if there is no slab. */
static double slab_time(const struct slab *slab, const double a[GRID_AXES],
                        const double b[GRID_AXES])
{
    const double share = slab_share(slab, a[0], b[0]);
    const double length = motion_distance(a, b);
    return share > 0 ? length * (1 - share + share / slab->speed) : length;
}

/* The least time between two places that are not both in the slab, by Snell's
 * law: the sine q of the angle outside for which the segments meet. */
static double slab_least(const struct slab *slab, const double a[GRID_AXES],
                         const double b[GRID_AXES])
{
    const double c = slab->speed, along = fabs(b[0] - a[0]);
    const double inside = along * slab_share(slab, a[0], b[0]);
    const double outside = along - inside;
    const double across = hypot(b[1] - a[1], b[2] - a[2]);
    double low = 0, high = fmin(1, 1 / c), q = 0;
    for (int i = 0; i < 200; i++) {
        q = (low + high) / 2;
        double reach = outside * q / sqrt(1 - q * q) +
                       inside * q * c / sqrt(1 - q * q * c * c);
        if (reach < across)
            low = q;
        else
            high = q;
    }
    return outside / sqrt(1 - q * q) + inside / sqrt(1 - q * q * c * c) / c;
}

/* Does a target (or an agent) start in this column? */
static bool slab_starts(const struct slab *slab, int columns, int x,
                        bool target)
{
    if (target)
        return slab->first > 0 ? x < slab->first : x <= slab->last;
    return slab->last < columns - 1 ? x > slab->last : x >= slab->first;
}

/* ---- a chase ---- */

static void write_slab(FILE *out, const struct grid *grid,
                       const struct slab *slab)
{
    if (grid->dims == 3)
        fprintf(out, "regions = ( { box = [%d, 0, 0, %d, %d, %d]; ",
                slab->first, slab->last, grid->ny - 1, grid->nz - 1);
    else
        fprintf(out, "regions = ( { box = [%d, 0, %d, %d]; ", slab->first,
                slab->last, grid->ny - 1);
    fprintf(out, "speed = %g; } );\n", slab->speed);
}

static char *scenario_text(const struct settings *settings,
                           const struct window *window, const size_t *who)
{
    const struct grid *grid = &window->terrain.grid;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int at[GRID_AXES];
    fprintf(out, "preset = \"%s\"; steps = %ld; seed = %ld;\nmap = { %s = (",
            settings->preset, settings->steps, settings->seed,
            grid->dims == 3 ? "layers" : "rows");
    for (int z = 0; z < grid->nz; z++) {
        if (grid->dims == 3)
            fprintf(out, "%s(", z ? "," : "");
        for (int y = 0; y < grid->ny; y++) {
            fprintf(out, "%s\n\"", y ? "," : "");
            for (int x = 0; x < grid->nx; x++)
                fputc(window->terrain.wall[grid_index(grid, x, y, z)] ? '@'
                                                                      : '.',
                      out);
            fputc('"', out);
        }
        if (grid->dims == 3)
            fputc(')', out);
    }
    fprintf(out, "); };\nwave = { %s };\narrival = { %s };\n", settings->wave,
            settings->arrival);
    if (settings->slab.speed > 0)
        write_slab(out, grid, &settings->slab);
    grid_cell(grid, who[0], at);
    fprintf(out, "target = { at = [%d, %d%s", at[0], at[1],
            grid->dims == 3 ? ", " : "");
    if (grid->dims == 3)
        fprintf(out, "%d", at[2]);
    fprintf(out, "]; motion = \"%s\"; speed = %g; };\nagents = (",
            settings->motion, settings->target_speed);
    for (int i = 1; i <= settings->agents; i++) {
        grid_cell(grid, who[i], at);
        fprintf(out, "%s{ method = \"%s\"; at = [%d, %d", i > 1 ? "," : "",
                settings->method, at[0], at[1]);
        if (grid->dims == 3)
            fprintf(out, ", %d", at[2]);
        fprintf(out, "]; }\n");
    }
    fprintf(out, ");\npursuit = { %s };\n", settings->pursuit);
    fclose(out);
    return text;
}

/* From an agent's start to the target's. */
struct course {
    double shortest, least; /* length; time, the same if there is no slab */
};

struct walk {
    double at[GRID_AXES], time;
    int64_t first, end; /* the step of its first move, and of its capture */
};

static void follow(const struct simulation *simulation, const struct slab *slab,
                   struct walk *walks)
{
    const struct agents *agents =
        pursuit_agents(simulation_pursuit(simulation));
    for (size_t i = 0; i < agents->count; i++) {
        double at[GRID_AXES];
        agents_place(agents, i, at);
        if (motion_distance(walks[i].at, at) > 0 && walks[i].first < 0)
            walks[i].first = simulation_step(simulation);
        walks[i].time += slab_time(slab, walks[i].at, at);
        memcpy(walks[i].at, at, sizeof at);
        if (agents->state[i] == AGENT_CAPTURED && walks[i].end < 0)
            walks[i].end = simulation_step(simulation);
    }
}

static void note(const struct simulation *simulation,
                 const struct settings *settings, const struct walk *walks,
                 const struct course *courses)
{
    const struct pursuit *pursuit = simulation_pursuit(simulation);
    const struct agents *agents = pursuit_agents(pursuit);
    const double *target = pursuit_target(pursuit)->at;
    for (size_t i = 0; i < agents->count && outcome_count < PAIRS_MOST; i++) {
        const struct walk *walk = &walks[i];
        struct outcome *outcome = &outcomes[outcome_count++];
        double speed = agents->settings[i]->speed;
        *outcome = (struct outcome){ NAN, INFINITY, NAN };
        if (walk->end < 0)
            continue;
        if (strcmp(settings->motion, "still") == 0)
            outcome->ratio =
                (walk->time + slab_time(&settings->slab, walk->at, target)) /
                courses[i].least;
        outcome->steps = speed * (double)walk->end / courses[i].shortest;
        outcome->wait =
            walk->end ? (double)(walk->first - 1) / (double)walk->end : 0;
    }
}

static size_t any_cell(const struct settings *settings,
                       const struct window *window, struct random *random,
                       bool target)
{
    const struct grid *grid = &window->terrain.grid;
    int at[GRID_AXES];
    size_t cell;
    do {
        cell = (size_t)window->cell[random_below(random, window->count)];
        grid_cell(grid, cell, at);
    } while (settings->slab.speed > 0 &&
             !slab_starts(&settings->slab, grid->nx, at[0], target));
    return cell;
}

static struct course course_of(const struct settings *settings,
                               const struct grid *grid,
                               const struct reference *reference, size_t agent,
                               size_t target)
{
    double from[GRID_AXES], to[GRID_AXES];
    if (settings->slab.speed == 0) {
        const double shortest = reference_distance(reference, agent);
        return (struct course){ shortest, shortest };
    }
    node_place(grid, (int64_t)agent, 0, from);
    node_place(grid, (int64_t)target, 0, to);
    return (struct course){ motion_distance(from, to),
                            slab_least(&settings->slab, from, to) };
}

/* A target, and agents that are more than 4 cells away from it. */
static void draw_pairs(const struct settings *settings,
                       const struct window *window, struct reference *reference,
                       struct random *random, size_t *who,
                       struct course *courses)
{
    bool far;
    do {
        far = true;
        for (int i = 0; i <= settings->agents; i++)
            who[i] = any_cell(settings, window, random, i == 0);
        if (settings->slab.speed == 0)
            reference_solve(reference, who[0]);
        for (int i = 0; i < settings->agents; i++) {
            courses[i] = course_of(settings, &window->terrain.grid, reference,
                                   who[i + 1], who[0]);
            far =
                far && courses[i].shortest > 4 && isfinite(courses[i].shortest);
        }
    } while (!far);
}

/* Writes the scenario in which an agent was not captured, if the environment
 * names a file. */
static void report_failure(const struct settings *settings,
                           const struct walk *walks, const char *text)
{
    const char *path = getenv("PURSUITS_FAILED");
    for (int i = 0; i < settings->agents && path; i++)
        if (walks[i].end < 0) {
            FILE *out = fopen(path, "w");
            if (out)
                fputs(text, out);
            if (out)
                fclose(out);
            fprintf(stderr, "agent %d at %.6f %.6f %.6f\n", i + 1,
                    walks[i].at[0], walks[i].at[1], walks[i].at[2]);
        }
}

static void chase(const struct settings *settings, const struct window *window,
                  struct reference *reference, struct random *random)
{
    size_t who[AGENTS_MOST + 1];
    struct course courses[AGENTS_MOST];
    struct walk walks[AGENTS_MOST] = { 0 };
    struct scenario *scenario;
    struct simulation *simulation;
    struct error error;
    draw_pairs(settings, window, reference, random, who, courses);
    char *text = scenario_text(settings, window, who);
    must(scenario_parse(text, "pursuits", NULL, 0, &scenario, &error), &error);
    must(simulation_new(scenario, 1, &simulation, &error), &error);
    for (int i = 0; i < settings->agents; i++) {
        walks[i].first = walks[i].end = -1;
        agents_place(pursuit_agents(simulation_pursuit(simulation)), (size_t)i,
                     walks[i].at);
    }
    must(simulation_begin(simulation, &error), &error);
    while (!simulation_ended(simulation)) {
        must(simulation_advance(simulation, &error), &error);
        follow(simulation, &settings->slab, walks);
        must(simulation_begin(simulation, &error), &error);
    }
    note(simulation, settings, walks, courses);
    report_failure(settings, walks, text);
    simulation_release(simulation);
    scenario_release(scenario);
    free(text);
}

/* ---- lines ---- */

static int by_steps(const void *a, const void *b)
{
    const struct outcome *one = a, *other = b;
    return (one->steps > other->steps) - (one->steps < other->steps);
}

/* A row; a moving target has no shortest path, so its ratios are "-". */
static void print(const char *name, struct outcome *from, size_t count,
                  double mean, double most)
{
    char ratios[32] = "     -      -";
    size_t captured = 0;
    for (size_t i = 0; i < count; i++)
        captured += from[i].steps < INFINITY;
    if (!isnan(mean))
        snprintf(ratios, sizeof ratios, "%.4f %.4f", mean, most);
    qsort(from, count, sizeof *from, by_steps);
    printf("%-40s %6zu %.4f  %s  %.3f %.3f  %.3f\n", name, count,
           (double)captured / (double)count, ratios, from[count / 2].steps,
           from[count - 1 - count / 20].steps, from[count / 2].wait);
    fflush(stdout);
}

/* The row of one window, whose mean counts in the last row. */
static void print_window(const char *name, struct outcome *from, size_t count)
{
    size_t ratios = 0;
    double sum = 0, largest = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(from[i].ratio)) {
            sum += from[i].ratio;
            largest = fmax(largest, from[i].ratio);
            ratios++;
        }
    double mean = ratios ? sum / (double)ratios : (double)NAN;
    print(name, from, count, mean, largest);
    if (ratios) {
        mean_sum += mean;
        mean_most = fmax(mean_most, mean);
        window_count++;
    }
}

static void run_window(const struct settings *settings,
                       const struct terrain *map, const char *path)
{
    struct window window;
    struct reference reference;
    struct random random;
    char name[64];
    const char *base = strrchr(path, '/');
    size_t first = outcome_count;
    window_open(&window, map, settings->box);
    if (settings->slab.speed > 0 &&
        window.count < grid_cells(&window.terrain.grid)) {
        fprintf(stderr, "bench/pursuits: slab: %s has walls\n", path);
        exit(STATUS_INPUT);
    }
    reference_open(&reference, &window.terrain);
    random_seed(&random, (uint64_t)settings->seed);
    for (int i = 0; i < settings->targets; i++)
        chase(settings, &window, &reference, &random);
    snprintf(name, sizeof name,
             window.terrain.grid.dims == 3 ? "%s %d,%d,%d" : "%s %d,%d",
             base ? base + 1 : path, settings->box[0], settings->box[1],
             settings->box[2]);
    print_window(name, outcomes + first, outcome_count - first);
    reference_close(&reference);
    terrain_release(&window.terrain);
    memory_release(window.cell);
}

static bool takes(const char *argument, const char *key, const char **value)
{
    size_t length = strlen(key);
    if (strncmp(argument, key, length) != 0 || argument[length] != '=')
        return false;
    *value = argument + length + 1;
    return true;
}

/* Four numbers are a box in 2D. */
static bool take_box(int box[2 * GRID_AXES], const char *text)
{
    const int count = sscanf(text, "%d,%d,%d,%d,%d,%d", &box[0], &box[1],
                             &box[2], &box[3], &box[4], &box[5]);
    if (count == 2 * GRID_AXES)
        return true;
    box[4] = box[3];
    box[3] = box[2];
    box[2] = 0;
    box[5] = -1;
    return count == 4;
}

static bool take_setting(struct settings *settings, const char *argument)
{
    const char *value;
    const struct {
        const char *key, **text;
    } texts[] = {
        { "preset", &settings->preset },   { "motion", &settings->motion },
        { "method", &settings->method },   { "wave", &settings->wave },
        { "arrival", &settings->arrival }, { "pursuit", &settings->pursuit },
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (takes(argument, texts[i].key, &value)) {
            *texts[i].text = value;
            return true;
        }
    if (takes(argument, "speed", &value))
        settings->target_speed = atof(value);
    else if (takes(argument, "agents", &value))
        settings->agents = atoi(value);
    else if (takes(argument, "targets", &value))
        settings->targets = atoi(value);
    else if (takes(argument, "seed", &value))
        settings->seed = atol(value);
    else if (takes(argument, "steps", &value))
        settings->steps = atol(value);
    else if (takes(argument, "box", &value))
        return take_box(settings->box, value);
    else if (takes(argument, "slab", &value))
        return sscanf(value, "%lf,%d,%d", &settings->slab.speed,
                      &settings->slab.first, &settings->slab.last) == 3;
    else
        return false;
    return true;
}

int main(int count, char **arguments)
{
    struct settings settings = { .preset = "best",
                                 .motion = "still",
                                 .method = "wave",
                                 .wave = "",
                                 .arrival = "",
                                 .pursuit = "",
                                 .target_speed = .1,
                                 .agents = 14,
                                 .targets = 2,
                                 .seed = 1,
                                 .steps = 20000,
                                 .box = { 0, 0, 0, -1, -1, -1 } };
    outcomes = memory_new(PAIRS_MOST, sizeof *outcomes);
    for (int i = 1; i < count; i++) {
        struct terrain map;
        struct error error;
        int width, rooms;
        if (take_setting(&settings, arguments[i]))
            continue;
        if (sscanf(arguments[i], "maze=%d,%d", &width, &rooms) == 2)
            draw_maze(width, rooms, settings.seed, &map);
        else
            must(map_load(arguments[i], NULL, &map, &error), &error);
        run_window(&settings, &map, arguments[i]);
        terrain_release(&map);
    }
    if (outcome_count)
        print("all", outcomes, outcome_count,
              window_count ? mean_sum / (double)window_count : (double)NAN,
              mean_most);
    memory_release(outcomes);
    return 0;
}
