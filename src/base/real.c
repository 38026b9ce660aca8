/* SPDX-License-Identifier: MIT */
#include "base/real.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* 15 digits are enough for every number with at most 15 significant digits,
 * except subnormal numbers, which have fewer; 17 digits distinguish every
 * double from its neighbours. */
const char *real_text(double value, char text[REAL_SIZE])
{
    for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
        snprintf(text, REAL_SIZE, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return text;
}

size_t real_list(const char *text, double numbers[], size_t most)
{
    size_t count = 0;
    char after = *text == '[' ? ',' : ']';
    for (const char *at = text + 1; after == ',';) {
        char *end;
        const double value = strtod(at, &end);
        after = *end;
        if (end == at || !isfinite(value) || (after != ',' && after != ']'))
            return 0;
        if (count < most)
            numbers[count] = value;
        count++;
        at = end + 1;
        if (after == ']' && *at)
            return 0;
    }
    return count;
}

enum status real_list_new(const char *text, double **numbers, size_t *count,
                          struct error *error)
{
    *count = real_list(text, NULL, 0);
    *numbers = NULL;
    if (*count == 0)
        return error_set(error, STATUS_INPUT, "not a list of numbers");
    *numbers = memory_new(*count, sizeof **numbers);
    if (!*numbers)
        return error_memory(error);
    real_list(text, *numbers, *count);
    return STATUS_OK;
}

int real_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}
