/* SPDX-License-Identifier: MIT */
/* Which groups belong together: lines of a panel. */
#include "study.h"

#include "base/memory.h"

#include <stdio.h>
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
    char left_out[64];
    int place = 0;
    size_t more = 0;
    for (size_t i = 0; i < lines->count; i++) {
        if (shown && !shown[i])
            continue;
        if (place < CHART_LINE_STYLES)
            chart_say(chart, CHART_LINES + panel, ++place, i + 1,
                      lines->label[i]);
        else
            more++;
    }
    snprintf(left_out, sizeof left_out, "%zu more not drawn (BASE.dat has %s)",
             more, more == 1 ? "it" : "them");
    if (more)
        chart_say(chart, CHART_MORE_LINES + panel, 1, 0, left_out);
}
