/* SPDX-License-Identifier: MIT */
/* bad_inputs FOLDER: writes the texts of bad_scenarios.h as files, and prints
 * `FILE:LINE: ` and words of the error for each, separated by a tab. */
#include "tests/scenario/bad_scenarios.h"

#include <stdio.h>
#include <string.h>

int main(int count, char **arguments)
{
    if (count != 2)
        return 2;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%03zu.cfg", arguments[1], i);
        FILE *file = fopen(path, "wb");
        if (!file || fputs(cases[i].text, file) < 0 || fclose(file))
            return 1;
        printf("%03zu.cfg:%d: \t%s\n", i, cases[i].line, cases[i].message);
    }
    return 0;
}
