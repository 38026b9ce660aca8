/* SPDX-License-Identifier: MIT */
#include "base/natural.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return isdigit((unsigned char)c);
}

/* Does a number begin here? A '-' is a sign, and a '.' its point, only if no
 * letter or digit is before it: "run-2.h5" has 2 and 5. */
static bool is_number(const char *text, const char *at)
{
    const bool first = at == text || strchr(" =,;([:", at[-1]);
    const char *digit = at;
    if (first && *digit == '-')
        digit++;
    if (first && *digit == '.')
        digit++;
    return is_digit(*digit);
}

/* A number or a character of each text, which *a and *b then are behind: their
 * order. Numbers are before characters. */
static int next_order(const char *first, const char **a, const char *other,
                      const char **b, bool *words)
{
    const bool one = is_number(first, *a), two = is_number(other, *b);
    if (one != two || !one) {
        int order =
            one != two ? two - one : (unsigned char)**a - (unsigned char)**b;
        *words = *words && order == 0;
        *a += **a != '\0';
        *b += **b != '\0';
        return order;
    }
    char *behind_a, *behind_b;
    double x = strtod(*a, &behind_a), y = strtod(*b, &behind_b);
    *a = behind_a;
    *b = behind_b;
    return (x > y) - (x < y);
}

int natural_compare(const char *a, const char *b)
{
    const char *p = a, *q = b;
    bool words = true;
    int order = 0;
    while ((*p || *q) && !order)
        order = next_order(a, &p, b, &q, &words);
    return order ? order : strcmp(a, b);
}

bool natural_same_words(const char *a, const char *b)
{
    const char *p = a, *q = b;
    bool words = true;
    while ((*p || *q) && words)
        next_order(a, &p, b, &q, &words);
    return words;
}
