/* SPDX-License-Identifier: MIT */
/* The results of scattering as a table and a chart of hamon-modes. */
#ifndef HAMON_ANALYSIS_MODES_SHARES_H
#define HAMON_ANALYSIS_MODES_SHARES_H

#include "analysis/modes/scattering.h"
#include "cli/cli.h"
#include "cli/table.h"
#include "draw/chart/chart.h"
#include "draw/chart/labels.h"

/* The options --from, --to and --frequencies. */
struct shares_asked {
    const char *from;
    struct cli_list to;
    const char *frequencies; /* "0.27,0.3" */
};

/* The ports requested, or else those that ports_find (with `around`
 * ports_around) finds. */
enum status shares_ports(const struct corridor_field *field,
                         const struct shares_asked *asked, bool around,
                         struct ports *ports, struct error *error);

/* Measures if ports are requested, or else if the source is in a corridor that
 * ends at an open edge; *found: it did. STATUS_INPUT as ports_between,
 * scattering_make; or if an option cannot be understood. */
enum status shares_make(const struct corridor_field *field,
                        const struct shares_asked *asked,
                        struct scattering *scattering, bool *found,
                        struct error *error);

/* Largest differences between measured and exact: over the frequencies at which
 * something is measured, from 1.1 times the first mode's cutoff on. */
struct shares_check {
    size_t settled, from; /* frequencies: measured; of them from there on */
    double share;         /* of a channel, measured − exact */
    double sum;           /* of all channels' measured shares, − 1 */
};
struct shares_check shares_check(const struct scattering *scattering);

/* "warning: …" if nothing is measured. */
void shares_remark(const struct scattering *scattering, char *text,
                   size_t size);
/* In English, or as it is drawn. */
void shares_note(const struct scattering *scattering, bool drawn, char *text,
                 size_t size);
void shares_describe(FILE *out);
void shares_table(const struct scattering *scattering, struct table *table);
void shares_write(const struct scattering *scattering,
                  const struct labels_given *given, struct chart *chart);

/* Is the text NAME=TEXT of a port? */
bool shares_named(const struct scattering *scattering, const char *text);
void shares_panels(struct chart_figure *figure);

#endif
