/* SPDX-License-Identifier: MIT */
/* bench/frames SCENARIO RUNS SECONDS: frames a second of a scenario of one
 * layer, as CSV with a row for each run of each definition:
 *
 *   as-in-a-run        generations that are not needed are not computed
 *   every-generation   of every wave is computed
 *   with-drawing       as in a run, and a picture of each frame is painted:
 *                      wave 0, 8 x 8 pixels a cell, the agents and the target
 *
 * RUNS runs each, of SECONDS of processor time or a little more, in turn. One
 * thread; no recording. A scenario that ends sooner is run again. */
#include "base/memory.h"
#include "clock.h"
#include "draw/figure/heatmap.h"
#include "run/simulate.h"

#include <stdio.h>
#include <stdlib.h>

enum { CELL = 8 };

struct film {
    struct scenario *scenario;
    struct simulation *simulation;
    struct grid grid;
    float *field;
    double *values;
    struct image image;
    struct ramp ramp;
    struct scale scale;
};

static void must(enum status status, const struct error *error)
{
    if (status) {
        fprintf(stderr, "bench/frames: %s\n", error->message);
        exit(status);
    }
}

static void film_open(struct film *film, const char *path)
{
    struct error error;
    must(scenario_load(path, NULL, 0, &film->scenario, &error), &error);
    film->simulation = NULL;
    film->grid = film->scenario->terrain.grid;
    const size_t cells = grid_cells(&film->grid);
    if (film->grid.nz != 1 ||
        film->scenario->wave.precision != PRECISION_SINGLE ||
        !(film->field = memory_new(cells, sizeof *film->field)) ||
        !(film->values = memory_new(cells, sizeof *film->values))) {
        fprintf(stderr, "bench/frames: %s: one layer, in single precision\n",
                path);
        exit(STATUS_INPUT);
    }
    must(image_init(&film->image, film->grid.nx * CELL, film->grid.ny * CELL,
                    &error),
         &error);
    must(ramp_load("vik", &film->ramp, &error), &error);
    film->scale =
        (struct scale){ .low = -.1, .high = .1, .linear_width = 1e-5 };
}

static void film_close(struct film *film)
{
    simulation_release(film->simulation);
    image_release(&film->image);
    memory_release(film->values);
    memory_release(film->field);
    scenario_release(film->scenario);
}

/* A square of a cell's size at an agent's place. */
static void paint_one(struct film *film, double *const at[GRID_AXES], size_t i,
                      const uint8_t color[3])
{
    image_fill(&film->image, (int)(at[0][i] * CELL), (int)(at[1][i] * CELL),
               CELL, CELL, color);
}

static void paint(struct film *film)
{
    const struct pursuit *pursuit = simulation_pursuit(film->simulation);
    const struct agents *agents = pursuit_agents(pursuit);
    const struct target *target = pursuit_target(pursuit);
    double x = target->at[0], y = target->at[1], z = 0;
    const size_t cells = grid_cells(&film->grid);
    simulation_amplitude(film->simulation, 0, film->field);
    for (size_t i = 0; i < cells; i++)
        film->values[i] = film->field[i];
    heatmap_paint(&(struct plane){ .nx = film->grid.nx,
                                   .ny = film->grid.ny,
                                   .values = film->values,
                                   .wall = film->scenario->terrain.wall },
                  &film->scale, &film->ramp, CELL, &film->image, 0, 0);
    for (size_t i = 0; i < agents->count; i++)
        paint_one(film, agents->at, i, (const uint8_t[]){ 240, 228, 66 });
    paint_one(film, (double *[]){ &x, &y, &z }, 0,
              (const uint8_t[]){ 255, 255, 255 });
}

static void start(struct film *film)
{
    struct error error;
    simulation_release(film->simulation);
    must(simulation_new(film->scenario, 1, &film->simulation, &error), &error);
    must(simulation_begin(film->simulation, &error), &error);
}

static void step(struct film *film)
{
    struct error error;
    if (simulation_ended(film->simulation))
        start(film);
    must(simulation_advance(film->simulation, &error), &error);
    must(simulation_begin(film->simulation, &error), &error);
}

static void look(struct film *film)
{
    for (int wave = 0; wave < film->scenario->wave.count; wave++)
        simulation_newest(film->simulation, wave);
}

static const struct definition {
    const char *name;
    void (*frame)(struct film *); /* after each step */
} definitions[] = {
    { "as-in-a-run", NULL },
    { "every-generation", look },
    { "with-drawing", paint },
};
enum { DEFINITIONS = sizeof definitions / sizeof *definitions };

static double frames_a_second(struct film *film,
                              const struct definition *definition,
                              double seconds)
{
    long frames = 0;
    start(film);
    const double begun = clock_seconds(CLOCK_THREAD_CPUTIME_ID);
    double took;
    do {
        for (int i = 0; i < 64; i++, frames++) {
            step(film);
            if (definition->frame)
                definition->frame(film);
        }
        took = clock_seconds(CLOCK_THREAD_CPUTIME_ID) - begun;
    } while (took < seconds);
    return (double)frames / took;
}

int main(int argc, char **argv)
{
    const int runs = argc == 4 ? atoi(argv[2]) : 0;
    const double seconds = argc == 4 ? atof(argv[3]) : 0;
    struct film film;
    if (runs < 1 || !(seconds > 0)) {
        fputs("usage: frames SCENARIO RUNS SECONDS\n", stderr);
        return STATUS_INPUT;
    }
    film_open(&film, argv[1]);
    printf("points,frames,rate\n");
    for (int run = 0; run < runs; run++)
        for (int i = 0; i < DEFINITIONS; i++)
            printf("%d,%s,%.1f\n", film.grid.nx, definitions[i].name,
                   frames_a_second(&film, &definitions[i], seconds));
    film_close(&film);
    return fflush(stdout) ? STATUS_DISK : STATUS_OK;
}
