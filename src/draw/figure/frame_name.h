/* SPDX-License-Identifier: MIT */
/* Names of files numbered by the step: "c-%06d.png". */
#ifndef HAMON_DRAW_FIGURE_FRAME_NAME_H
#define HAMON_DRAW_FIGURE_FRAME_NAME_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FRAME_NAME_SIZE = 4096 };

struct frame_name {
    char before[FRAME_NAME_SIZE], after[FRAME_NAME_SIZE]; /* the texts before
                                                           * and after the
                                                           * number */
    bool numbered;
    bool zeros; /* pad with zeros, else with blanks */
    int width;
};

/* Reads a pattern: at most one %d, which may be padded (%6d, %06d); %% is a
 * percent sign. Anything else after a percent sign is STATUS_INPUT; the pattern
 * never reaches printf. */
enum status frame_name_parse(const char *pattern, struct frame_name *name,
                             struct error *error);

/* The name for a step, into path[FRAME_NAME_SIZE]; STATUS_INPUT if it is too
 * long. */
enum status frame_name_make(const struct frame_name *name, int64_t step,
                            char path[FRAME_NAME_SIZE], struct error *error);

#endif
