/* SPDX-License-Identifier: MIT */
#include "base/real.h"

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
