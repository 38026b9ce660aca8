/* SPDX-License-Identifier: MIT */
/* What the parts of the page have in common, for the files that write it. */
#ifndef HAMON_TOOLS_REPORT_PAGE_H
#define HAMON_TOOLS_REPORT_PAGE_H

#include "html.h"
#include "report.h"
#include "report_parts.h"

enum { REPORT_NUMBER = 32 };

/* A part of the template (tools/report/page.html) with its slots. */
void report_part(FILE *out, const char *name, const struct html_slot *slots);

/* A number, with an en dash for none (−1). */
const char *report_number(int64_t value, char text[REPORT_NUMBER]);

/* The recording's name without its folder, and its title, or that name. */
const char *report_file(const struct report_run *run);
const char *report_title(const struct report_run *run);

/* The waves that ran: as many as are recorded, or −1 where none is. */
int64_t report_waves_of(const struct report_run *run);

/* How many agents were captured, and the first and last step of it, −1. */
int64_t report_captures(const struct report_run *run, int64_t *first,
                        int64_t *last);

/* "200 × 200". */
void report_cells(char text[2 * REPORT_NUMBER], const struct grid *grid);

/* ---- what stands in slots of the part "run"; `of` is its struct report_run */

void report_facts(FILE *out, const void *of);
void report_settings(FILE *out, const void *of);
void report_provenance(FILE *out, const void *of);
void report_scenario(FILE *out, const void *of);
void report_agents(FILE *out, const void *of);
void report_waves(FILE *out, const void *of);

/* ---- report_compare.c: several of them ---- */

struct report_runs {
    const struct report_run *run; /* [count] */
    size_t count;
};

/* The file's name, or its path where another has that name. */
const char *report_name(const struct report_runs *runs,
                        const struct report_run *run);

/* The settings in which it is not as all others of its title: "wave.walls free,
 * seed 2". */
void report_differs(const struct report_runs *runs,
                    const struct report_run *run, char text[REPORT_TEXT]);

/* The table's rows; `of` is a struct report_runs. */
void report_compare_rows(FILE *out, const void *of);

#endif
