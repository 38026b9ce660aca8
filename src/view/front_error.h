/* SPDX-License-Identifier: MIT */
/* The errors of the headings of a wave's first front against the shortest
 * paths, and the causes of wrong ones. */
#ifndef HAMON_VIEW_FRONT_ERROR_H
#define HAMON_VIEW_FRONT_ERROR_H

#include "view/front.h"
#include "view/truth.h"

/* Fills a zeroed front and truth: opens the front of the wave's first emission,
 * finds the shortest paths to its source, and follows it by these settings.
 * front->waves has the data to find causes; headings with a larger error than
 * `wrong` (radians) are wrong. STATUS_INPUT as front_open and front_follow.
 * Release both with front_release and truth_release, after a failure too. */
enum status front_compare(struct front *front, struct truth *truth,
                          const struct recording *recording, int wave,
                          const struct arrival_settings *settings, double wrong,
                          struct error *error);

/* The cause of the cell's heading at a lag (front_cause_lags), by these
 * limits. */
enum cause front_cause(const struct front *front, const struct truth *truth,
                       size_t cell, int lag, const struct cause_limits *limits);

/* The error of a cell's heading at its arrival, in degrees; NaN if the cell is
 * not counted, or no wave arrived. */
double front_error(const struct front *front, const struct truth *truth,
                   size_t cell);

/* The number of its kind, below. */
int front_kind(const struct front *front, const struct truth *truth,
               size_t cell);

/* The kinds of cells on a map of causes: a cause, or one of these after
 * them. */
enum { FRONT_RIGHT = CAUSES, FRONT_UNCOUNTED, FRONT_KINDS };
extern const char *const front_kind_names[FRONT_KINDS];
/* Distinguishable without colours too: their brightness follows the order in
 * the legend. */
extern const uint8_t front_kind_colors[FRONT_KINDS][3];

#endif
