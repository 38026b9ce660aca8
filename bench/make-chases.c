/* SPDX-License-Identifier: MIT */
/* make-chases SEED COUNT FOLDER MAP...: COUNT problems of chases on windows of
 * the maps, by the seed, as a .chase file on stdout (docs/guides/chases.md).
 * Each map has equally many problems; the classes alternate.
 *
 *   still    one pursuer, a still target; with the exact shortest path
 *   random   the target wanders
 *   evading  the target runs, by evade and farthest-safe alternately
 *   doors    the target is still; the narrowest passage of the shortest path
 *            closes when the pursuer has walked half the distance to it, and
 *            opens 400 steps later if there is no other
 *   team-2, team-3  pursuers of one target that runs as fast as they
 *   turns    a target that runs on a small window, on which two moves of the
 *            pursuer and one of the target can alternate; with the steps
 *            of optimal play (bench/game.h)
 *   3d       one pursuer in 3D; the target is still, wanders or runs
 *   alternately */
#include "base/memory.h"
#include "base/random.h"
#include "bench/game.h"
#include "search/exact.h"
#include "search/search.h"
#include "world/maps/file.h"
#include "world/maps/map.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    AGENTS_MOST = 3,
    TRIES = 1000,
    TURN_STEPS = 4, /* of a turn: two moves at .5 or one at .25 cells a step */
    DOOR_MOST = 16, /* cells wide */
    DOOR_STEPS = 400,
};

struct kind {
    const char *name;
    int dims, side; /* of the window, cells */
    int agents;
    const char *speed; /* of the target; pursuers have .15, in turns .5 */
    bool door, turns;
    const char *motion[3]; /* alternating */
};

static const struct kind kinds[] = {
    { "still", 2, 96, 1, "0.1", false, false, { "still" } },
    { "random", 2, 96, 1, "0.12", false, false, { "random" } },
    { "evading", 2, 96, 1, "0.12", false, false, { "evade", "farthest-safe" } },
    { "doors", 2, 96, 1, "0.1", true, false, { "still" } },
    { "team-2", 2, 96, 2, "0.15", false, false, { "farthest-safe" } },
    { "team-3", 2, 96, 3, "0.15", false, false, { "farthest-safe" } },
    { "turns", 2, 14, 1, "0.25", false, true, { "evade", "farthest-safe" } },
    { "3d", 3, 32, 1, "0.12", false, false, { "still", "random", "evade" } },
};

/* A map, and the window in which a problem is drawn. */
struct maker {
    struct random random;
    const char *name; /* of the map */
    uint32_t checksum;
    struct terrain map, window;
    struct box box;
    struct passages *passages;
    struct search_workspace *lee;
    const struct kind *kind;
    const char *motion;
    size_t target, agent[AGENTS_MOST];
    double steps; /* moves from the farthest pursuer to the target */
};

static void must(enum status status, const struct error *error)
{
    if (status) {
        fprintf(stderr, "make-chases: %s\n", error->message);
        exit(status);
    }
}

/* ---- the window ---- */

static void close_window(struct maker *maker)
{
    search_workspace_release(maker->lee);
    passages_release(maker->passages);
    terrain_release(&maker->window);
    maker->lee = NULL;
    maker->passages = NULL;
}

static void open_window(struct maker *maker)
{
    const struct grid *grid = &maker->map.grid;
    const int extent[GRID_AXES] = { grid->nx, grid->ny, grid->nz };
    int moves = maker->kind->turns ? 4 : grid->dims == 2 ? 8 : 26;
    struct error error;
    close_window(maker);
    for (int axis = 0; axis < GRID_AXES; axis++) {
        int side =
            extent[axis] < maker->kind->side ? extent[axis] : maker->kind->side;
        int low = (int)random_below(&maker->random,
                                    (uint64_t)(extent[axis] - side + 1));
        maker->box.low[axis] = low;
        maker->box.high[axis] = low + side - 1;
    }
    must(terrain_cut(&maker->map, &maker->box, &maker->window, &error), &error);
    must(passages_new(&maker->window, moves, MEASURE_LENGTH, &maker->passages,
                      &error),
         &error);
    must(search_workspace_new(&search_lee, maker->passages, &maker->window,
                              &maker->lee, &error),
         &error);
}

static double moves_between(struct maker *maker, size_t from, size_t to)
{
    struct search_query query = { from, SEARCH_EVERYWHERE, NULL };
    struct search_result result;
    search_run(maker->lee, &query, &result);
    return search_distance(maker->lee, to);
}

static size_t any_cell(struct maker *maker)
{
    return (size_t)random_below(&maker->random,
                                grid_cells(&maker->window.grid));
}

/* Free cells at least a quarter of the window's side apart, with a path between
 * them. */
static bool draw_places(struct maker *maker)
{
    double least = maker->kind->side / 4.;
    maker->target = any_cell(maker);
    maker->steps = 0;
    if (maker->window.wall[maker->target])
        return false;
    for (int i = 0; i < maker->kind->agents; i++) {
        maker->agent[i] = any_cell(maker);
        double steps = moves_between(maker, maker->target, maker->agent[i]);
        if (maker->window.wall[maker->agent[i]] || !(steps >= least) ||
            isinf(steps))
            return false;
        maker->steps = fmax(maker->steps, steps);
    }
    return true;
}

/* ---- the door ---- */

struct door {
    struct box box;
    int64_t closes;
    bool opens; /* there is no other path */
};

/* The row of free cells through the cell, along an axis. */
static struct box run_through(const struct terrain *terrain, const int at[3],
                              int axis)
{
    struct box box = { { at[0], at[1], 0 }, { at[0], at[1], 0 } };
    for (int side = -1; side <= 1; side += 2) {
        int cell[2] = { at[0], at[1] };
        while (
            grid_holds(&terrain->grid, cell[0], cell[1], 0) &&
            !terrain->wall[grid_index(&terrain->grid, cell[0], cell[1], 0)]) {
            (side < 0 ? box.low : box.high)[axis] = cell[axis];
            cell[axis] += side;
        }
    }
    return box;
}

/* The narrowest passage between fractions .3 and .7 of a path; false if none is
 * at most DOOR_MOST wide. `point` has `count` turns. */
static bool narrowest(const struct terrain *terrain, double (*point)[2],
                      size_t count, double length, struct door *door)
{
    int width = DOOR_MOST + 1;
    double gone = 0;
    for (size_t i = 0; i + 1 < count; i++) {
        double dx = point[i + 1][0] - point[i][0];
        double dy = point[i + 1][1] - point[i][1], piece = hypot(dx, dy);
        for (double on = 0; on < piece; on += 1) {
            double share = (gone + on) / length;
            int at[GRID_AXES] = { (int)lround(point[i][0] + dx * on / piece),
                                  (int)lround(point[i][1] + dy * on / piece),
                                  0 };
            if (share < .3 || share > .7 ||
                terrain->wall[grid_index(&terrain->grid, at[0], at[1], 0)])
                continue;
            for (int axis = 0; axis < 2; axis++) {
                struct box box = run_through(terrain, at, axis);
                int cells = box.high[axis] - box.low[axis] + 1;
                if (cells >= width)
                    continue;
                width = cells;
                door->box = box;
                door->closes = (int64_t)((gone + on) / .15 / 2);
            }
        }
        gone += piece;
    }
    return width <= DOOR_MOST;
}

/* Can the target still be reached when the door is closed? */
static bool has_detour(struct maker *maker, const struct door *door)
{
    struct terrain shut;
    struct error error;
    struct terrain open = maker->window;
    const struct terrain_change change = { .box = door->box,
                                           .kind = CHANGE_WALL };
    must(terrain_copy(&open, &shut, &error), &error);
    terrain_apply(&shut, &change);
    must(passages_update(maker->passages, &shut, NULL, &error), &error);
    bool detour = !isinf(moves_between(maker, maker->target, maker->agent[0]));
    must(passages_update(maker->passages, &open, NULL, &error), &error);
    terrain_release(&shut);
    return detour;
}

static bool find_door(struct maker *maker, const struct exact *exact,
                      struct door *door)
{
    size_t count = exact_path(exact, maker->agent[0], NULL, 0);
    double(*point)[2] = memory_new(count, sizeof *point);
    if (!point)
        exit(STATUS_FAILED);
    exact_path(exact, maker->agent[0], point, count);
    bool found = narrowest(&maker->window, point, count,
                           exact_distance(exact, maker->agent[0]), door);
    memory_release(point);
    door->opens = found && !has_detour(maker, door);
    return found;
}

/* ---- the exact values ---- */

/* The steps of optimal play; 0 if the target is never captured. */
static int best_steps(const struct maker *maker)
{
    struct game *game;
    struct error error;
    must(game_new(maker->passages, 2, 1, &game, &error), &error);
    int turns = game_turns(game, maker->agent[0], maker->target);
    game_release(game);
    return turns > 0 ? TURN_STEPS * turns : 0;
}

/* The beginning of the line after its name and class, and the values that
 * depend on it: true if such a problem exists. */
static bool find_exact(struct maker *maker, char exact_value[40],
                       struct door *door)
{
    struct error error;
    struct exact *exact;
    bool found = true;
    snprintf(exact_value, 40, "-");
    if (maker->kind->turns) {
        int steps = best_steps(maker);
        snprintf(exact_value, 40, "steps:%d", steps);
        return steps > 0;
    }
    if (strcmp(maker->kind->motion[0], "still") != 0 || maker->kind->dims != 2)
        return true;
    must(exact_new(&maker->window, &exact, &error), &error);
    exact_solve(exact, maker->target);
    if (maker->kind->door)
        found = find_door(maker, exact, door);
    else
        snprintf(exact_value, 40, "path:%.6f",
                 exact_distance(exact, maker->agent[0]));
    exact_release(exact);
    return found;
}

/* ---- the line ---- */

static void print_place(const struct maker *maker, size_t cell)
{
    int at[GRID_AXES];
    grid_cell(&maker->window.grid, cell, at);
    printf("at = [%d, %d", at[0], at[1]);
    if (maker->kind->dims == 3)
        printf(", %d", at[2]);
    printf("]; ");
}

static void print_box(const struct maker *maker)
{
    char mark = ':';
    for (int end = 0; end < 2; end++)
        for (int axis = 0; axis < maker->kind->dims; axis++, mark = ',')
            printf("%c%d", mark,
                   (end ? maker->box.high : maker->box.low)[axis]);
}

static void print_door(const struct door *door)
{
    int events = door->opens ? 2 : 1;
    for (int i = 0; i < events; i++)
        printf("%s{ step = %" PRId64 "; box = [%d, %d, %d, %d]; set = "
               "\"%s\"; }",
               i ? ", " : " events = ( ", door->closes + i * DOOR_STEPS,
               door->box.low[0], door->box.low[1], door->box.high[0],
               door->box.high[1], i ? "free" : "wall");
    printf(" );");
}

static void print_settings(const struct maker *maker, const struct door *door,
                           int number)
{
    const struct kind *kind = maker->kind;
    int still = strcmp(maker->motion, "still") == 0;
    printf(
        " steps = %.0f; seed = %d; target = { ",
        ceil(400 + DOOR_STEPS * kind->door + maker->steps * (still ? 20 : 40)),
        number);
    print_place(maker, maker->target);
    printf("motion = \"%s\"; speed = %s; }; agents = (", maker->motion,
           kind->speed);
    for (int i = 0; i < kind->agents; i++) {
        printf("%s{ ", i ? ", " : " ");
        print_place(maker, maker->agent[i]);
        printf("speed = %s; }", kind->turns ? "0.5" : "0.15");
    }
    printf(" ); pursuit = { stop = \"any-captured\"; %s};",
           kind->turns ? "moves = 4; replan = 4; capture_radius = 0.5; " : "");
    if (kind->door)
        print_door(door);
    putchar('\n');
}

/* A problem of this kind; false if the map has none in TRIES windows. */
static bool make_problem(struct maker *maker, const struct kind *kind,
                         int number, int turn)
{
    char exact_value[40];
    struct door door = { .opens = false };
    int motions = 1;
    while (motions < 3 && kind->motion[motions])
        motions++;
    maker->kind = kind;
    maker->motion = kind->motion[turn % motions];
    for (int i = 0; i < TRIES; i++) {
        if (i % 50 == 0)
            open_window(maker);
        if (!draw_places(maker) || !find_exact(maker, exact_value, &door))
            continue;
        printf("%s-%04d %s %s", kind->name, number, kind->name, maker->name);
        print_box(maker);
        printf(" %08" PRIx32 " %s", maker->checksum, exact_value);
        print_settings(maker, &door, number);
        return true;
    }
    return false;
}

/* ---- all problems ---- */

static void make_all(struct maker *maker, int first, int last)
{
    enum { KINDS = sizeof kinds / sizeof *kinds };
    static int next[2], turn[KINDS]; /* of the kinds in 2D and in 3D */
    int dims = maker->map.grid.dims, missed = 0;
    for (int number = first; number < last; number++) {
        int *at = &next[dims == 3];
        do
            *at = (*at + 1) % KINDS;
        while (kinds[*at].dims != dims);
        if (make_problem(maker, &kinds[*at], number, turn[*at]++))
            continue;
        if (++missed > KINDS) {
            fprintf(stderr, "make-chases: %s: no problems fit\n", maker->name);
            exit(STATUS_INPUT);
        }
        number--;
    }
}

static void open_map(struct maker *maker, const char *folder, const char *name)
{
    struct error error;
    char *path = memory_format("%s/%s", folder, name);
    if (!path)
        exit(STATUS_FAILED);
    maker->name = name;
    must(map_file_checksum(path, &maker->checksum, &error), &error);
    must(map_load(path, NULL, &maker->map, &error), &error);
    memory_release(path);
}

int main(int count, char **arguments)
{
    struct maker maker = { .lee = NULL };
    int maps = count - 4, problems = count > 4 ? atoi(arguments[2]) : 0;
    if (maps < 1 || problems < 1) {
        fputs("usage: make-chases SEED COUNT FOLDER MAP...\n", stderr);
        return STATUS_INPUT;
    }
    random_seed(&maker.random, strtoull(arguments[1], NULL, 10));
    printf("version 1\n# make-chases %s %d, %d maps\n", arguments[1], problems,
           maps);
    for (int i = 0; i < maps; i++) {
        open_map(&maker, arguments[3], arguments[4 + i]);
        make_all(&maker, (int)((int64_t)problems * i / maps),
                 (int)((int64_t)problems * (i + 1) / maps));
        terrain_release(&maker.map);
    }
    close_window(&maker);
    return fflush(stdout) ? STATUS_DISK : STATUS_OK;
}
