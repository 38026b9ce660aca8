/* SPDX-License-Identifier: MIT */
#include "scenario/nearest.h"

#include <string.h>

enum { LONGEST = 63 };

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

int name_distance(const char *a, const char *b)
{
    int rows[LONGEST + 1][LONGEST + 1];
    int m = (int)strnlen(a, LONGEST), n = (int)strnlen(b, LONGEST);
    for (int j = 0; j <= n; j++)
        rows[0][j] = j;
    for (int i = 1; i <= m; i++) {
        rows[i][0] = i;
        for (int j = 1; j <= n; j++) {
            int differ = lower(a[i - 1]) != lower(b[j - 1]);
            int best = least(rows[i - 1][j] + 1, rows[i][j - 1] + 1);
            best = least(best, rows[i - 1][j - 1] + differ);
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                lower(a[i - 2]) == lower(b[j - 1]))
                best = least(best, rows[i - 2][j - 2] + 1);
            rows[i][j] = best;
        }
    }
    return rows[m][n];
}

const char *name_nearest(const char *name, const char *const *names)
{
    const char *nearest = names[0];
    int distance = name_distance(name, nearest);
    for (; *names; names++) {
        int next = name_distance(name, *names);
        if (next < distance) {
            distance = next;
            nearest = *names;
        }
    }
    return nearest;
}
