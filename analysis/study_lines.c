/* SPDX-License-Identifier: MIT */
/* Which groups belong together: lines of a panel, the order of a legend. */
#include "study.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum status study_lines_make(const struct study *study, const char *key,
                             struct study_lines *lines, struct error *error)
{
    *lines = (struct study_lines){ 0 };
    lines->of = memory_new(study->group_count, sizeof *lines->of);
    lines->label = memory_new(study->group_count, sizeof *lines->label);
    if (!lines->of || !lines->label)
        return error_memory(error);
    for (size_t g = 0; g < study->group_count; g++) {
        char *label = lines->label[lines->count];
        size_t line = 0;
        reading_label(study, &study->readings[study->groups[g].first], key,
                      label);
        while (strcmp(lines->label[line], label) != 0)
            line++;
        lines->of[g] = line;
        lines->count += line == lines->count;
    }
    return STATUS_OK;
}

void study_lines_release(struct study_lines *lines)
{
    memory_release(lines->of);
    memory_release(lines->label);
    *lines = (struct study_lines){ 0 };
}

void study_lines_tell(const struct study_lines *lines, const bool *shown,
                      int panel, struct chart *chart)
{
    int place = 0;
    for (size_t i = 0; i < lines->count && place < CHART_LINE_STYLES; i++)
        if (!shown || shown[i])
            chart_say(chart, CHART_LINES + panel, ++place, i + 1,
                      lines->label[i]);
}

struct position {
    size_t line, group;
    double number;
};

/* The last number in the map's name, before its ending. */
static double map_number(const char *file)
{
    const char *end = file ? strrchr(file, '.') : NULL;
    if (!end)
        return 0;
    const char *at = end;
    while (at > file && isdigit((unsigned char)at[-1]))
        at--;
    return at < end ? strtod(at, NULL) : 0;
}

static int by_line_and_number(const void *a, const void *b)
{
    const struct position *p = a, *q = b;
    if (p->line != q->line)
        return p->line < q->line ? -1 : 1;
    if (p->number < q->number || p->number > q->number)
        return p->number < q->number ? -1 : 1;
    return p->group < q->group ? -1 : p->group > q->group;
}

enum status study_order(const struct study *study, size_t *order,
                        struct error *error)
{
    struct study_lines lines;
    enum status status = study_lines_make(study, "map.file", &lines, error);
    struct position *places =
        status ? NULL : memory_new(study->group_count, sizeof *places);
    if (!status && !places)
        status = error_memory(error);
    if (!status) {
        for (size_t g = 0; g < study->group_count; g++) {
            const struct reading *first =
                &study->readings[study->groups[g].first];
            places[g] = (struct position){ lines.of[g], g,
                                           map_number(reading_setting(
                                               study, first, "map.file")) };
        }
        qsort(places, study->group_count, sizeof *places, by_line_and_number);
        for (size_t g = 0; g < study->group_count; g++)
            order[g] = places[g].group;
    }
    memory_release(places);
    study_lines_release(&lines);
    return status;
}
