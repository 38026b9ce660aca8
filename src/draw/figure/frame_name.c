/* SPDX-License-Identifier: MIT */
#include "draw/figure/frame_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { WIDEST = 20 };

static enum status bad(const char *pattern, struct error *error)
{
    return error_set(error, STATUS_INPUT,
                     "output '%s': write %%d or %%06d once for the step, with "
                     "a width of 1 to %d, and %%%% for a percent sign",
                     pattern, WIDEST);
}

/* Reads the `[0][width]d` after a percent sign; returns the text after it, or
 * NULL. */
static const char *take_number(const char *at, struct frame_name *name)
{
    if (name->numbered)
        return NULL;
    name->numbered = true;
    name->zeros = *at == '0';
    at += name->zeros;
    while (*at >= '0' && *at <= '9' && name->width <= WIDEST)
        name->width = 10 * name->width + (*at++ - '0');
    return *at == 'd' && name->width <= WIDEST ? at + 1 : NULL;
}

enum status frame_name_parse(const char *pattern, struct frame_name *name,
                             struct error *error)
{
    *name = (struct frame_name){ 0 };
    if (!*pattern)
        return error_set(error, STATUS_INPUT, "output '': a name is required");
    if (strlen(pattern) >= FRAME_NAME_SIZE)
        return error_set(error, STATUS_INPUT,
                         "output '%.40s...': a name of more than %d bytes",
                         pattern, FRAME_NAME_SIZE - 1);
    char *to = name->before;
    for (const char *at = pattern; *at;) {
        bool percent = *at == '%';
        if (!percent || at[1] == '%') {
            *to++ = *at;
            at += 1 + percent;
            continue;
        }
        at = take_number(at + 1, name);
        if (!at)
            return bad(pattern, error);
        to = name->after;
    }
    return STATUS_OK;
}

enum status frame_name_make(const struct frame_name *name, int64_t step,
                            char path[FRAME_NAME_SIZE], struct error *error)
{
    char number[32] = "";
    if (name->numbered && name->zeros)
        snprintf(number, sizeof number, "%0*" PRId64, name->width, step);
    else if (name->numbered)
        snprintf(number, sizeof number, "%*" PRId64, name->width, step);
    int length = snprintf(path, FRAME_NAME_SIZE, "%s%s%s", name->before, number,
                          name->after);
    if (length < 0 || length >= FRAME_NAME_SIZE)
        return error_set(error, STATUS_INPUT,
                         "output '%.40s...': a name of more than %d bytes",
                         name->before, FRAME_NAME_SIZE - 1);
    return STATUS_OK;
}
