/* SPDX-License-Identifier: MIT */
/* .scen files; .3dscen files if the first byte is 3 (it is removed). */
#include "target.h"

#include "base/memory.h"
#include "search/problems.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bool solid = size > 0 && data[0] == '3';
    const char *path =
        scratch_file(solid ? ".3dscen" : ".scen", data + solid, size - solid);
    struct problems problems;
    struct error error = { 0 };
    enum status status = problems_load(path, &problems, &error);
    hold_to_word(status, &error, path);
    if (status)
        return 0;
    struct grid grid = { .dims = 2, .nx = 9, .ny = 7, .nz = 1 };
    hold_to_word(problems_fit(&problems, &grid, &error), &error, path);
    char *map = NULL;
    hold_to_word(problems_map_path(&problems, &map, &error), &error, path);
    memory_release(map);
    problems_release(&problems);
    return 0;
}
