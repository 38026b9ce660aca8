/* SPDX-License-Identifier: MIT */
/* bench/peers/fmm MAP SIDE X Y TIMES [EXACT]: our fast marching from (X, Y)
 * over a map of SIDE × SIDE bytes (1 wall), for bench/peers/fmm.py: prints the
 * nanoseconds of one solve, and writes the field, and the exact distances if
 * EXACT is given, as doubles, infinity if there is no path. */
#include "base/memory.h"
#include "search/exact.h"
#include "search/fast_marching.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void must(enum status status, const struct error *error)
{
    if (status) {
        fprintf(stderr, "fmm: %s\n", error->message);
        exit(status);
    }
}

static FILE *open_file(const char *path, const char *mode)
{
    FILE *file = fopen(path, mode);
    if (!file) {
        perror(path);
        exit(STATUS_DISK);
    }
    return file;
}

static void write_exact(const struct terrain *terrain, size_t source,
                        const char *path)
{
    struct exact *exact;
    struct error error;
    must(exact_new(terrain, &exact, &error), &error);
    exact_solve(exact, source);
    FILE *file = open_file(path, "wb");
    for (size_t i = 0; i < grid_cells(&terrain->grid); i++) {
        double distance = exact_distance(exact, i);
        fwrite(&distance, sizeof distance, 1, file);
    }
    fclose(file);
    exact_release(exact);
}

int main(int count, char **arguments)
{
    struct terrain terrain;
    struct grid grid;
    struct error error;
    struct fast_marching *marching;
    if (count < 6) {
        fputs("usage: fmm MAP SIDE X Y TIMES [EXACT]\n", stderr);
        return STATUS_INPUT;
    }
    int side = atoi(arguments[2]);
    must(grid_make(2, side, side, 1, &grid, &error), &error);
    must(terrain_init(&terrain, &grid, &error), &error);
    FILE *file = open_file(arguments[1], "rb");
    if (fread(terrain.wall, 1, grid_cells(&grid), file) != grid_cells(&grid)) {
        fprintf(stderr, "fmm: %s is too short\n", arguments[1]);
        return STATUS_INPUT;
    }
    fclose(file);
    size_t source =
        grid_index(&grid, atoi(arguments[3]), atoi(arguments[4]), 0);
    must(fast_marching_new(&terrain, &fast_marching_plain, &marching, &error),
         &error);
    fast_marching_solve(marching, source, SIZE_MAX); /* the memory is warm */
    int64_t begun = now();
    fast_marching_solve(marching, source, SIZE_MAX);
    printf("%lld\n", (long long)(now() - begun));
    file = open_file(arguments[5], "wb");
    for (size_t i = 0; i < grid_cells(&grid); i++) {
        double distance = fast_marching_time(marching, i);
        fwrite(&distance, sizeof distance, 1, file);
    }
    fclose(file);
    if (count > 6)
        write_exact(&terrain, source, arguments[6]);
    fast_marching_release(marching);
    terrain_release(&terrain);
    return STATUS_OK;
}
