/* SPDX-License-Identifier: MIT */
/* bench/media [2d] [3d] [each] [KEY=VALUE…]: agents of preset best in
 * areas of other speeds, without walls: 42 cases in 2D (81 × 81) and 15 in 3D
 * (31³), each kind of area at c = .8, .5 and .25. The target stands still on
 * the left, the agents start right of the middle. A line for each case: the
 * time ∫ds/c along the walked path, and along the straight line that is left,
 * over the least time of search/least_time.h: mean and largest over the agents.
 * `each`: a line for each agent, too. At the end: how many cases have a mean up
 * to 1.005, and how many a largest up to 1.03.
 *
 * Keys: seed, and wave, arrival, pursuit: texts of those groups. */
#include "base/memory.h"
#include "base/random.h"
#include "pursuit/motion.h"
#include "run/simulate.h"
#include "search/least_time.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE_2D = 81, SIDE_3D = 31, AGENTS_2D = 8, AGENTS_3D = 5 };

struct settings {
    const char *wave, *arrival, *pursuit;
    long seed;
    bool flat, solid, each;
};

static void must(enum status status, const struct error *error)
{
    if (status) {
        fprintf(stderr, "bench/media: %s\n", error->message);
        exit(status);
    }
}

/* ---- the areas: is (x, y, z) of a map with this side in it? ---- */

static bool slab(int side, const int at[GRID_AXES])
{
    return at[0] >= side * 2 / 5 && at[0] < side * 3 / 5;
}

static bool oblique(int side, const int at[GRID_AXES])
{
    return at[0] + at[1] >= side * 4 / 5 && at[0] + at[1] < side * 6 / 5;
}

static bool block(int side, const int at[GRID_AXES])
{
    return slab(side, at) && at[1] >= side / 4 && at[1] < side * 3 / 4 &&
           (at[2] == 0 || (at[2] >= side / 4 && at[2] < side * 3 / 4));
}

static bool whole(int side, const int at[GRID_AXES])
{
    (void)side, (void)at;
    return true;
}

static bool targets_half(int side, const int at[GRID_AXES])
{
    return at[0] < side / 2;
}

static bool agents_half(int side, const int at[GRID_AXES])
{
    return at[0] >= side / 2;
}

static bool strips_along(int side, const int at[GRID_AXES])
{
    (void)side;
    return at[1] / 4 % 2;
}

static bool strips_across(int side, const int at[GRID_AXES])
{
    (void)side;
    return at[0] / 4 % 2;
}

static bool chequers_4(int side, const int at[GRID_AXES])
{
    (void)side;
    return (at[0] / 4 + at[1] / 4 + at[2] / 4) % 2;
}

static bool chequers_8(int side, const int at[GRID_AXES])
{
    (void)side;
    return (at[0] / 8 + at[1] / 8 + at[2] / 8) % 2;
}

static bool wedge(int side, const int at[GRID_AXES])
{
    return at[0] > side / 4 && 2 * abs(at[1] - side / 2) < at[0] - side / 4;
}

struct kind {
    const char *name;
    bool (*holds)(int side, const int at[GRID_AXES]); /* NULL: see fill */
    int ramp; /* 1, 2: a gradient along x, y; 3: random cells */
    bool solid;
};

static const struct kind kinds[] = {
    { "slab", slab, 0, true },
    { "slab at 45 degrees", oblique, 0, false },
    { "block", block, 0, true },
    { "whole map", whole, 0, true },
    { "target's half", targets_half, 0, true },
    { "agents' half", agents_half, 0, false },
    { "gradient along", NULL, 1, false },
    { "gradient across", NULL, 2, false },
    { "strips of 4 along", strips_along, 0, false },
    { "strips of 4 across", strips_across, 0, false },
    { "chequers of 4", chequers_4, 0, false },
    { "chequers of 8", chequers_8, 0, false },
    { "random cells", NULL, 3, true },
    { "wedge", wedge, 0, false },
};

static void fill(const struct kind *kind, double c, struct terrain *terrain)
{
    const int side = terrain->grid.nx;
    struct random random;
    random_seed(&random, 1);
    for (size_t i = 0; i < grid_cells(&terrain->grid); i++) {
        int at[GRID_AXES];
        grid_cell(&terrain->grid, i, at);
        const double share = kind->ramp == 1   ? at[0] / (side - 1.)
                             : kind->ramp == 2 ? at[1] / (side - 1.)
                             : kind->ramp == 3 ? random_below(&random, 2)
                                               : kind->holds(side, at);
        terrain->speed[i] = 1 + share * (c - 1);
    }
}

/* ---- a case ---- */

/* ∫ds/c along a straight piece, cut at the cells' faces. */
static double time_along(const struct terrain *terrain,
                         const double a[GRID_AXES], const double b[GRID_AXES])
{
    double cuts[512] = { 0 }, time = 0;
    int count = 1;
    const double length = motion_distance(a, b);
    for (int axis = 0; axis < grid_axes(&terrain->grid); axis++) {
        const double low = fmin(a[axis], b[axis]),
                     high = fmax(a[axis], b[axis]);
        for (double face = ceil(low - .5) + .5; face < high; face++)
            cuts[count++] = (face - a[axis]) / (b[axis] - a[axis]);
    }
    cuts[count++] = 1;
    for (int i = 1; i < count; i++) /* few: sorted by insertion */
        for (int j = i; j > 0 && cuts[j] < cuts[j - 1]; j--) {
            const double other = cuts[j];
            cuts[j] = cuts[j - 1];
            cuts[j - 1] = other;
        }
    for (int i = 1; i < count; i++) {
        double middle[GRID_AXES];
        for (int axis = 0; axis < GRID_AXES; axis++)
            middle[axis] =
                a[axis] + (cuts[i] + cuts[i - 1]) / 2 * (b[axis] - a[axis]);
        time += (cuts[i] - cuts[i - 1]) * length /
                terrain->speed[grid_nearest(&terrain->grid, middle)];
    }
    return time;
}

static struct scenario *scenario_of(const struct settings *settings,
                                    const struct kind *kind, double c, int dims)
{
    const int side = dims == 3 ? SIDE_3D : SIDE_2D;
    const int agents = dims == 3 ? AGENTS_3D : AGENTS_2D;
    const int half = side / 2;
    struct scenario *scenario;
    struct random random;
    struct error error;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    random_seed(&random, (uint64_t)settings->seed);
    fprintf(out, "preset = \"best\"; steps = 6000;\nmap = { %s = (",
            dims == 3 ? "layers" : "rows");
    for (int z = 0; z < (dims == 3 ? side : 1); z++) {
        fputs(dims == 3 ? z ? "),(" : "(" : "", out);
        for (int y = 0; y < side; y++) {
            fputs(y ? ",\n\"" : "\n\"", out);
            for (int x = 0; x < side; x++)
                fputc('.', out);
            fputc('"', out);
        }
    }
    /* A region only prepares the terrain for speeds. */
    if (dims == 3)
        fprintf(out,
                ")); };\n"
                "regions = ( { box = [0, 0, 0, 0, 0, 0]; speed = .5; } );\n"
                "target = { at = [%d, %d, %d]; };\n",
                side / 8, half, half);
    else
        fprintf(out,
                "); };\n"
                "regions = ( { box = [0, 0, 0, 0]; speed = .5; } );\n"
                "target = { at = [%d, %d]; };\n",
                side / 8, half);
    fprintf(out, "wave = { %s }; arrival = { %s }; pursuit = { %s };\n",
            settings->wave, settings->arrival, settings->pursuit);
    for (int i = 0; i < agents; i++) {
        const int x =
            side * 5 / 8 + (int)random_below(&random, (uint64_t)side * 3 / 8);
        const int y = (int)random_below(&random, (uint64_t)side);
        const int z = (int)random_below(&random, (uint64_t)side);
        fprintf(out,
                dims == 3 ? "%s{ at = [%d, %d, %d]; }" : "%s{ at = [%d, %d]; }",
                i ? ", " : "agents = ( ", x, y, z);
    }
    fprintf(out, " );\n");
    fclose(out);
    must(scenario_parse(text, "media", NULL, 0, &scenario, &error), &error);
    fill(kind, c, &scenario->terrain);
    free(text);
    return scenario;
}

struct tally {
    int cases, means, worsts;
};

static void measure(const struct settings *settings, const struct kind *kind,
                    double c, int dims, struct tally *tally)
{
    struct scenario *scenario = scenario_of(settings, kind, c, dims);
    const struct terrain *terrain = &scenario->terrain;
    struct simulation *simulation;
    struct least_time *least;
    struct error error;
    double at[AGENTS_2D][GRID_AXES], from[AGENTS_2D][GRID_AXES];
    double time[AGENTS_2D] = { 0 }, sum = 0, most = 0;
    must(simulation_new(scenario, 1, &simulation, &error), &error);
    const struct pursuit *pursuit = simulation_pursuit(simulation);
    const struct agents *agents = pursuit_agents(pursuit);
    const double *target = pursuit_target(pursuit)->at;
    for (size_t i = 0; i < agents->count; i++) {
        agents_place(agents, i, at[i]);
        memcpy(from[i], at[i], sizeof at[i]);
    }
    must(simulation_begin(simulation, &error), &error);
    while (!simulation_ended(simulation)) {
        must(simulation_advance(simulation, &error), &error);
        for (size_t i = 0; i < agents->count; i++) {
            double now[GRID_AXES];
            agents_place(agents, i, now);
            time[i] += time_along(terrain, at[i], now);
            memcpy(at[i], now, sizeof now);
        }
        must(simulation_begin(simulation, &error), &error);
    }
    must(least_time_new(terrain, grid_nearest(&terrain->grid, target), &least,
                        &error),
         &error);
    for (size_t i = 0; i < agents->count; i++) {
        struct least_path path;
        must(least_time_path(least, from[i], &path, &error), &error);
        const double ratio =
            agents->state[i] == AGENT_CAPTURED
                ? (time[i] + time_along(terrain, at[i], target)) / path.time
                : INFINITY;
        if (settings->each)
            printf("  agent %zu at %g %g %g: %.4f\n", i, from[i][0], from[i][1],
                   from[i][2], ratio);
        sum += ratio;
        most = fmax(most, ratio);
    }
    sum /= (double)agents->count;
    printf("%dD %-20s %4.2f  %.4f %.4f\n", dims, kind->name, c, sum, most);
    fflush(stdout);
    tally->cases++;
    tally->means += sum <= 1.005;
    tally->worsts += most <= 1.03;
    least_time_release(least);
    simulation_release(simulation);
    scenario_release(scenario);
}

static bool takes(const char *argument, const char *key, const char **value)
{
    size_t length = strlen(key);
    if (strncmp(argument, key, length) != 0 || argument[length] != '=')
        return false;
    *value = argument + length + 1;
    return true;
}

int main(int count, char **arguments)
{
    static const double speeds[] = { .8, .5, .25 };
    struct settings settings = {
        .wave = "", .arrival = "", .pursuit = "", .seed = 1
    };
    struct tally tally[2] = { 0 };
    const char *value;
    for (int i = 1; i < count; i++) {
        const char *argument = arguments[i];
        if (strcmp(argument, "2d") == 0)
            settings.flat = true;
        else if (strcmp(argument, "3d") == 0)
            settings.solid = true;
        else if (strcmp(argument, "each") == 0)
            settings.each = true;
        else if (takes(argument, "seed", &value))
            settings.seed = strtol(value, NULL, 10);
        else if (!takes(argument, "wave", &settings.wave) &&
                 !takes(argument, "arrival", &settings.arrival) &&
                 !takes(argument, "pursuit", &settings.pursuit)) {
            fprintf(stderr, "bench/media: %s is not known\n", argument);
            return STATUS_INPUT;
        }
    }
    for (int dims = 2; dims <= 3; dims++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            for (size_t s = 0; s < sizeof speeds / sizeof *speeds; s++)
                if ((dims == 2 || kinds[k].solid) &&
                    (settings.flat == settings.solid ||
                     (dims == 2 ? settings.flat : settings.solid)))
                    measure(&settings, &kinds[k], speeds[s], dims,
                            &tally[dims - 2]);
    for (int i = 0; i < 2; i++)
        if (tally[i].cases)
            printf("%dD: mean up to 1.005 in %d of %d cases, largest up to "
                   "1.03 in %d\n",
                   i + 2, tally[i].means, tally[i].cases, tally[i].worsts);
    return 0;
}
