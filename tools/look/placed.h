/* SPDX-License-Identifier: MIT */
/* A picture as a part of hamon-figure's page, which asks by --placed for its
 * measures, and then gives those that its neighbours share. */
#ifndef HAMON_TOOLS_LOOK_PLACED_H
#define HAMON_TOOLS_LOOK_PLACED_H

#include "base/status.h"

#include <stdbool.h>

struct placed {
    bool measure;      /* print the measures, draw nothing */
    bool shared;       /* its bar and its key are elsewhere */
    bool strip;        /* only its bar and its key */
    bool unnamed;      /* of figure_options */
    double margins[3]; /* points, at least: left, above, right */
    bool has_range, has_signs;
    double low, high, least, most; /* the scale's ends, the values' extremes */
    unsigned signs;                /* of figure_signs */
};

/* Reads "measure,shared,left=20.5,range=LO:HI:LEAST:MOST". STATUS_INPUT. */
enum status placed_parse(const char *text, struct placed *placed,
                         struct error *error);

/* Prints the measures of the only page. STATUS_INPUT if there are several. */
struct pages;
enum status placed_print(const struct pages *pages, struct error *error);

#endif
