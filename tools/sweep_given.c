/* SPDX-License-Identifier: MIT */
/* What was given for a key on the command line. */
#include "sweep.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A character of a text in double quotes, at *at, which goes on behind it. */
static char unescape(const char **at)
{
    static const char escapes[] = "n\nr\rt\tf\fa\ab\bv\v";
    const char *c = *at;
    *at += 1;
    if (*c != '\\' || !c[1])
        return *c;
    *at += 1;
    if (c[1] == 'x') {
        const char digits[3] = { c[2], c[2] ? c[3] : '\0', '\0' };
        char *end;
        char byte = (char)strtoul(digits, &end, 16);
        *at += end - digits;
        return byte;
    }
    for (const char *e = escapes; *e; e += 2)
        if (*e == c[1])
            return e[1];
    return c[1];
}

static char *as_it_is(const char *value)
{
    static const char blank[] = " \t\n";
    value += strspn(value, blank);
    char *text = memory_text(value), *out = text;
    if (!text || *value != '"')
        return text;
    /* Texts behind each other are one. */
    for (const char *at = value; *at == '"';) {
        for (at++; *at && *at != '"';)
            *out++ = unescape(&at);
        if (*at != '"')
            break;
        at++;
        at += strspn(at, blank);
        if (!*at) {
            *out = '\0';
            return text;
        }
    }
    memcpy(text, value, strlen(value) + 1); /* no text: as it was typed */
    return text;
}

/* Does the setting KEY=VALUE set just this key? Its value. NULL without memory
 * too: what was given is then not known, and nothing is shown of it. */
static const char *value_for(const char *set, const char *key)
{
    const char *equals = strchr(set, '=');
    char *its = equals ? sweep_key(set, (size_t)(equals - set)) : NULL;
    bool same = its && strcmp(its, key) == 0;
    memory_release(its);
    return same ? equals + 1 : NULL;
}

char *sweep_given(const struct sweep *sweep, size_t run, const char *key)
{
    for (size_t axis = sweep->grid.axis_count; axis-- > 0;)
        if (strcmp(sweep->grid.axes[axis].key, key) == 0)
            return as_it_is(sweep_value(&sweep->grid, run, axis));
    for (size_t i = sweep->set_count; i-- > 0;) {
        const char *value = value_for(sweep->set[i], key);
        if (value)
            return as_it_is(value);
    }
    return memory_text("");
}
