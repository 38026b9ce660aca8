/* SPDX-License-Identifier: MIT */
/* The .gp files of a sweep's chart, made part of the program by
 * build-aux/embed.sh. */
#ifndef HAMON_TOOLS_SWEEP_CHART_H
#define HAMON_TOOLS_SWEEP_CHART_H

extern const unsigned char dots_gp[], cells_gp[];

#endif
