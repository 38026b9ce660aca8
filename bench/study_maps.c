/* SPDX-License-Identifier: MIT */
#include "study_maps.h"

#include "base/random.h"

#include <string.h>

const char *const study_map_names[STUDY_MAPS + 1] = {
    "open",   "box",    "boxes", "rooms",  "bend-L", "bend-U",
    "bend-T", "bend-S", "slits", "maze-3", "maze-5", "blocks",
};

static void set(struct terrain *terrain, enum terrain_change_kind kind, int x0,
                int y0, int x1, int y1)
{
    struct terrain_change change = { .box = { { x0, y0, 0 }, { x1, y1, 0 } },
                                     .kind = kind };
    terrain_apply(terrain, &change);
}

static void wall(struct terrain *terrain, int x0, int y0, int x1, int y1)
{
    set(terrain, CHANGE_WALL, x0, y0, x1, y1);
}

static void carve(struct terrain *terrain, int x0, int y0, int x1, int y1)
{
    set(terrain, CHANGE_FREE, x0, y0, x1, y1);
}

static void fill(struct terrain *terrain)
{
    wall(terrain, 0, 0, terrain->grid.nx - 1, terrain->grid.ny - 1);
}

/* Four by three rooms, doors of 3 to 5 in the middle third of each wall. */
static void draw_rooms(struct terrain *terrain)
{
    for (int i = 1; i < 4; i++)
        wall(terrain, 24 * i, 0, 24 * i + 1, 77);
    for (int i = 1; i < 3; i++)
        wall(terrain, 0, 26 * i, 97, 26 * i + 1);
    for (int i = 1; i < 4; i++)
        for (int j = 0; j < 3; j++) {
            int y = 26 * j + 7 + 3 * ((i + 2 * j) % 4);
            carve(terrain, 24 * i, y, 24 * i + 1, y + 2 + (i + j) % 3);
        }
    for (int i = 0; i < 4; i++) {
        int x = 24 * i + 6 + 3 * (i % 3);
        carve(terrain, x, 26, x + 2 + i % 3, 27);
        carve(terrain, 24 * i + 16 - 3 * (i % 3), 52, 24 * i + 19, 53);
    }
}

/* Corridors of `width` between walls of one cell: a maze of `columns` by
 * `rows`, dug depth first. */
static void draw_maze(struct terrain *terrain, int width, int columns, int rows,
                      uint64_t seed)
{
    struct random random;
    random_seed(&random, seed);
    int stack[1024], depth = 1, pitch = width + 1;
    bool seen[1024] = { false };
    fill(terrain);
    stack[0] = 0;
    seen[0] = true;
    carve(terrain, 1, 1, width, width);
    while (depth > 0) {
        int at = stack[depth - 1], x = at % columns, y = at / columns;
        int open[4], count = 0;
        for (int d = 0; d < 4; d++) {
            int nx = x + direction_step[d][0], ny = y + direction_step[d][1];
            if (nx >= 0 && ny >= 0 && nx < columns && ny < rows &&
                !seen[ny * columns + nx])
                open[count++] = d;
        }
        if (count == 0) {
            depth--;
            continue;
        }
        int d = open[random_below(&random, (uint64_t)count)];
        int nx = x + direction_step[d][0], ny = y + direction_step[d][1];
        int west = nx < x ? nx : x, north = ny < y ? ny : y;
        carve(terrain, 1 + pitch * west, 1 + pitch * north,
              (nx > x ? nx : x) * pitch + width,
              (ny > y ? ny : y) * pitch + width);
        seen[ny * columns + nx] = true;
        stack[depth++] = ny * columns + nx;
    }
}

/* Blocks of 3 to 8 cells that keep 2 cells from one another. */
static void draw_blocks(struct terrain *terrain)
{
    struct random random;
    random_seed(&random, 7);
    for (int tries = 0; tries < 900; tries++) {
        int w = 3 + (int)random_below(&random, 6);
        int h = 3 + (int)random_below(&random, 6);
        int x = 2 + (int)random_below(&random, (uint64_t)(96 - w));
        int y = 2 + (int)random_below(&random, (uint64_t)(76 - h));
        bool free = x > 9 || y > 9;
        for (int j = y - 2; j < y + h + 2; j++)
            for (int i = x - 2; i < x + w + 2; i++)
                free = free && grid_holds(&terrain->grid, i, j, 0) &&
                       !terrain->wall[grid_index(&terrain->grid, i, j, 0)];
        if (free)
            wall(terrain, x, y, x + w - 1, y + h - 1);
    }
}

static void draw_bends(const char *name, struct terrain *terrain)
{
    fill(terrain);
    carve(terrain, 2, 2, 10, 75);
    if (!strcmp(name, "bend-L"))
        carve(terrain, 2, 67, 95, 75);
    if (!strcmp(name, "bend-U")) {
        carve(terrain, 2, 65, 60, 75);
        carve(terrain, 52, 2, 60, 75);
    }
    if (!strcmp(name, "bend-T")) {
        carve(terrain, 2, 2, 95, 8);
        carve(terrain, 45, 2, 51, 75);
    }
    if (!strcmp(name, "bend-S")) {
        carve(terrain, 2, 69, 30, 75);
        carve(terrain, 24, 2, 30, 75);
        carve(terrain, 24, 2, 60, 8);
        carve(terrain, 54, 2, 60, 75);
        carve(terrain, 54, 69, 90, 75);
    }
}

static void draw_slits(struct terrain *terrain)
{
    for (int i = 1; i < 5; i++) {
        wall(terrain, 19 * i, 0, 19 * i + 1, 77);
        int y = i % 2 ? 58 : 14;
        carve(terrain, 19 * i, y, 19 * i + 1, y + 2);
        carve(terrain, 19 * i, y / 2 + 20, 19 * i + 1, y / 2 + 21);
    }
}

static void draw_boxes(struct terrain *terrain)
{
    static const int boxes[7][4] = { { 15, 10, 30, 22 }, { 40, 5, 48, 40 },
                                     { 12, 35, 28, 60 }, { 60, 20, 85, 30 },
                                     { 38, 50, 70, 58 }, { 76, 40, 88, 70 },
                                     { 40, 66, 60, 70 } };
    for (int i = 0; i < 7; i++)
        wall(terrain, boxes[i][0], boxes[i][1], boxes[i][2], boxes[i][3]);
}

enum status study_map(int which, struct terrain *terrain, size_t *source)
{
    struct grid grid = { .dims = 2, .nx = 98, .ny = 78, .nz = 1 };
    const char *name = study_map_names[which];
    enum status status = terrain_init(terrain, &grid, NULL);
    if (status != STATUS_OK)
        return status;
    *source = grid_index(&grid, 6, 6, 0);
    if (!strcmp(name, "box"))
        wall(terrain, 30, 20, 65, 60);
    else if (!strcmp(name, "boxes"))
        draw_boxes(terrain);
    else if (!strcmp(name, "rooms"))
        draw_rooms(terrain);
    else if (!strncmp(name, "bend", 4))
        draw_bends(name, terrain);
    else if (!strcmp(name, "slits"))
        draw_slits(terrain);
    else if (!strcmp(name, "maze-3"))
        draw_maze(terrain, 3, 24, 19, 3);
    else if (!strcmp(name, "maze-5"))
        draw_maze(terrain, 5, 16, 12, 1);
    else if (!strcmp(name, "blocks"))
        draw_blocks(terrain);
    if (terrain->wall[*source])
        *source = grid_index(&grid, 5, 5, 0);
    return STATUS_OK;
}
