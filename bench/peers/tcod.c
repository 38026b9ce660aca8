/* SPDX-License-Identifier: MIT */
/* bench/peers/tcod FOLDER [SIDE [ROUNDS]]: Dijkstra and A* compared with
 * libtcod's in one process, one query of ours and one of libtcod's in turn, on
 * the maps of bench/search. One line for each map and problem:
 *
 *   map, problem, us a query ours, theirs, theirs over ours (median of the
 *   rounds, minimum, maximum), queries of equal length, with a longer path of
 *   theirs
 *
 * Problems: `dijkstra 4`, `astar 4`: 4 moves, the same for both. `dijkstra 8`,
 * `astar 8`: libtcod with its map cuts corners and ours does not, so its paths
 * are shorter and its problem is another one. `astar 8, no corner`: libtcod
 * with a function that forbids the corners: the same problem, at the cost of a
 * call for each move. Its Dijkstra takes √2 as 1.41.
 *
 * Writes FOLDER/MAP.map (bytes, 1 wall) and FOLDER/MAP.queries (start x y, goal
 * x y, length by 8 moves) for the peers in other languages. */
#include "base/memory.h"
#include "bench/search_maps.h"
#include "search/search.h"

#include <libtcod.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { QUERIES = 5, ROUNDS_MOST = 99 };

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

struct ends {
    size_t from, to;
};

struct contest {
    const struct terrain *terrain;
    const struct search *search;
    int moves;
    bool by_function; /* libtcod's corners forbidden */
    TCOD_map_t map;
};

static float step_cost(int x0, int y0, int x1, int y1, void *data)
{
    const struct terrain *terrain = data;
    const struct grid *grid = &terrain->grid;
    const uint8_t *wall = terrain->wall;
    return wall[grid_index(grid, x1, y1, 0)] ||
                   wall[grid_index(grid, x0, y1, 0)] ||
                   wall[grid_index(grid, x1, y0, 0)]
               ? 0.f
               : 1.f;
}

/* The path's own length, from cell to cell. */
static double length_of(int count, const int (*at)[2])
{
    double length = 0;
    for (int i = 1; i < count; i++)
        length += hypot(at[i][0] - at[i - 1][0], at[i][1] - at[i - 1][1]);
    return length;
}

static int (*cells)[2]; /* (room for every cell) */

static double ask_astar(TCOD_path_t path, const int a[3], const int b[3])
{
    if (!TCOD_path_compute(path, a[0], a[1], b[0], b[1]))
        return INFINITY;
    int count = TCOD_path_size(path);
    cells[0][0] = a[0], cells[0][1] = a[1];
    for (int i = 0; i < count; i++)
        TCOD_path_get(path, i, &cells[i + 1][0], &cells[i + 1][1]);
    return length_of(count + 1, cells);
}

static double ask_dijkstra(TCOD_dijkstra_t field, const int a[3],
                           const int b[3])
{
    TCOD_dijkstra_compute(field, a[0], a[1]);
    return TCOD_dijkstra_path_set(field, b[0], b[1])
               ? (double)TCOD_dijkstra_get_distance(field, b[0], b[1])
               : INFINITY;
}

static int ascending(const void *a, const void *b)
{
    double one = *(const double *)a, two = *(const double *)b;
    return (one > two) - (one < two);
}

/* libtcod's Dijkstra always fills the whole map, so ours does too. */
static void hold(const struct contest *contest, const struct ends *ends,
                 int rounds, const char *map, const char *problem)
{
    struct passages *passages;
    struct search_workspace *ours;
    double ratio[ROUNDS_MOST], mine[ROUNDS_MOST], theirs[ROUNDS_MOST];
    bool whole = contest->search == search_find("dijkstra");
    float diagonal = contest->moves == 8 ? (float)sqrt(2) : 0.f;
    const struct terrain *terrain = contest->terrain;
    const struct grid *grid = &terrain->grid;
    int equal = 0, longer = 0;
    if (passages_new(terrain, contest->moves, MEASURE_LENGTH, &passages,
                     NULL) ||
        search_workspace_new(contest->search, passages, terrain, &ours, NULL))
        exit(EXIT_FAILURE);
    TCOD_path_t path =
        contest->by_function
            ? TCOD_path_new_using_function(grid->nx, grid->ny, step_cost,
                                           (void *)terrain, diagonal)
            : TCOD_path_new_using_map(contest->map, diagonal);
    TCOD_dijkstra_t field = TCOD_dijkstra_new(contest->map, diagonal);
    for (int round = 0; round < rounds; round++) {
        mine[round] = theirs[round] = 0;
        for (int i = 0; i < QUERIES; i++) {
            struct search_query query = { ends[i].from, ends[i].to, NULL };
            struct search_result result;
            int a[GRID_AXES], b[GRID_AXES];
            grid_cell(grid, ends[i].from, a);
            grid_cell(grid, ends[i].to, b);
            if (whole)
                query.to = SEARCH_EVERYWHERE;
            int64_t begun = now();
            search_run(ours, &query, &result);
            int64_t middle = now();
            double length =
                whole ? ask_dijkstra(field, a, b) : ask_astar(path, a, b);
            int64_t ended = now();
            double best = search_distance(ours, ends[i].to);
            mine[round] += (double)(middle - begun) / QUERIES / 1000;
            theirs[round] += (double)(ended - middle) / QUERIES / 1000;
            equal += length == best ||
                     fabs(length - best) <= (whole ? 4e-3 : 1e-5) * best;
            longer += length > best * (1 + (whole ? 4e-3 : 1e-5));
        }
        ratio[round] = theirs[round] / mine[round];
    }
    qsort(ratio, (size_t)rounds, sizeof *ratio, ascending);
    qsort(mine, (size_t)rounds, sizeof *mine, ascending);
    qsort(theirs, (size_t)rounds, sizeof *theirs, ascending);
    printf("%-11s %-19s %10.1f %10.1f %6.2f %6.2f %6.2f %5d%% %5d%%\n", map,
           problem, mine[rounds / 2], theirs[rounds / 2], ratio[rounds / 2],
           ratio[0], ratio[rounds - 1], 100 * equal / rounds / QUERIES,
           100 * longer / rounds / QUERIES);
    fflush(stdout);
    TCOD_path_delete(path);
    TCOD_dijkstra_delete(field);
    search_workspace_release(ours);
    passages_release(passages);
}

/* Ends that are connected by a path, and its length with 8 moves. */
static void draw_ends(const struct terrain *terrain, struct ends *ends,
                      FILE *out)
{
    struct passages *passages;
    struct search_workspace *astar;
    struct random random;
    struct search_result result;
    random_seed(&random, 7);
    if (passages_new(terrain, 8, MEASURE_LENGTH, &passages, NULL) ||
        search_workspace_new(search_find("astar"), passages, terrain, &astar,
                             NULL))
        exit(EXIT_FAILURE);
    for (int i = 0; i < QUERIES; i++) {
        struct search_query query = { 0, 0, NULL };
        int a[GRID_AXES], b[GRID_AXES];
        do {
            query.from = search_map_cell(terrain, &random);
            query.to = search_map_cell(terrain, &random);
        } while (!search_run(astar, &query, &result));
        grid_cell(&terrain->grid, query.from, a);
        grid_cell(&terrain->grid, query.to, b);
        fprintf(out, "%d %d %d %d %.9g\n", a[0], a[1], b[0], b[1],
                result.length);
        ends[i] = (struct ends){ query.from, query.to };
    }
    search_workspace_release(astar);
    passages_release(passages);
}

static FILE *create(const char *folder, const char *map, const char *ending)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.%s", folder, map, ending);
    FILE *file = fopen(path, "wb");
    if (!file) {
        perror(path);
        exit(3);
    }
    return file;
}

static void compare(const char *folder, const struct search_map *map, int side,
                    int rounds)
{
    struct terrain terrain;
    struct ends ends[QUERIES];
    if (search_map_make(map, side, &terrain, NULL))
        exit(EXIT_FAILURE);
    FILE *file = create(folder, map->name, "map");
    fwrite(terrain.wall, 1, grid_cells(&terrain.grid), file);
    fclose(file);
    file = create(folder, map->name, "queries");
    draw_ends(&terrain, ends, file);
    fclose(file);
    TCOD_map_t tiles = TCOD_map_new(side, side);
    for (int y = 0; y < side; y++)
        for (int x = 0; x < side; x++) {
            bool free = !terrain.wall[grid_index(&terrain.grid, x, y, 0)];
            TCOD_map_set_properties(tiles, x, y, free, free);
        }
    static const struct {
        const char *name, *search;
        int moves;
        bool by_function;
    } problems[] = {
        { "dijkstra 4", "dijkstra", 4, false },
        { "dijkstra 8", "dijkstra", 8, false },
        { "astar 4", "astar", 4, false },
        { "astar 8", "astar", 8, false },
        { "astar 8, no corner", "astar", 8, true },
    };
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        struct contest contest = { &terrain, search_find(problems[i].search),
                                   problems[i].moves, problems[i].by_function,
                                   tiles };
        hold(&contest, ends, rounds, map->name, problems[i].name);
    }
    TCOD_map_delete(tiles);
    terrain_release(&terrain);
}

int main(int count, char **arguments)
{
    int side = count > 2 ? atoi(arguments[2]) : 512;
    int rounds = count > 3 ? atoi(arguments[3]) : 9;
    if (count < 2 || side < 16 || rounds < 1 || rounds > ROUNDS_MOST) {
        fputs("usage: tcod FOLDER [SIDE [ROUNDS]]\n", stderr);
        return 2;
    }
    cells = memory_new((size_t)side * (size_t)side, sizeof *cells);
    if (!cells)
        return 1;
    printf("%-11s %-19s %10s %10s %6s %6s %6s %6s %6s\n", "map", "problem",
           "us, ours", "libtcod", "ratio", "least", "most", "equal", "longer");
    for (int m = 0; m < SEARCH_MAPS; m++)
        compare(arguments[1], &search_maps[m], side, rounds);
    memory_release(cells);
    return 0;
}
