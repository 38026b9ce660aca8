/* SPDX-License-Identifier: MIT */
/* The frames of one view of a recording. */
#ifndef HAMON_TOOLS_REPORT_VIEW_H
#define HAMON_TOOLS_REPORT_VIEW_H

#include "report.h"

/* Makes the view's frames of these rows, which share one scale, with pixels of
 * run->block cells; of a view that does not change one, of the last row. Reads
 * each row twice. */
enum status report_view_make(struct report_run *run,
                             const struct report_options *options,
                             struct report_view *to, const int64_t *rows,
                             size_t count, struct error *error);

/* Adds to bytes[i] what frames of these rows would take in the page with pixels
 * of run->block + i cells, i = 0 … sizes − 1, near enough. Reads each row
 * once. */
enum status report_view_weigh(struct report_run *run,
                              const struct report_options *options,
                              struct report_view *view, const int64_t *rows,
                              size_t count, size_t sizes, uint64_t *bytes,
                              struct error *error);

/* What a frame takes in the page. */
uint64_t report_view_bytes(const struct report_view *view, size_t frame);

/* Keeps these frames alone, in rising order. */
void report_view_thin(struct report_view *view, const size_t *kept,
                      size_t count);

void report_view_drop(struct report_view *view);

#endif
