/* SPDX-License-Identifier: MIT */
#ifndef HAMON_ANALYSIS_MODES_PANELS_H
#define HAMON_ANALYSIS_MODES_PANELS_H

/* modes.gp, room.gp and shares.gp, made part of the program by
 * build-aux/embed.sh. */
extern const unsigned char modes_gp[], room_gp[], shares_gp[];

#endif
