/* SPDX-License-Identifier: MIT */
/* The resonances of a room or a dead end as a table and a chart of
 * hamon-modes. */
#ifndef HAMON_ANALYSIS_MODES_ROOM_H
#define HAMON_ANALYSIS_MODES_ROOM_H

#include "analysis/modes/ringing.h"
#include "analysis/modes/shares.h"

/* Without options: is there a room instead of a corridor? The map has no
 * corridor, or the longest is closed at both ends and shorter than three times
 * its width; or the source is between corridors that end at open edges. */
bool room_is(const struct corridor_field *field);

/* The `most` lowest resonances of the part in which the source is, or of that
 * behind ports that are requested. STATUS_INPUT as ports_around, ports_between,
 * ringing_make. */
enum status room_make(const struct corridor_field *field,
                      const struct shares_asked *asked, size_t most,
                      const struct cli_list *probes, struct ringing *ringing,
                      struct error *error);

/* "warning: …" if nothing is measured. */
void room_remark(const struct ringing *ringing, char *text, size_t size);
/* In English, or as it is drawn. */
void room_note(const struct ringing *ringing, bool drawn, char *text,
               size_t size);
void room_describe(FILE *out);
void room_table(const struct ringing *ringing, struct table *table);
void room_write(const struct ringing *ringing, struct chart *chart);
void room_panels(const struct ringing *ringing, struct chart_figure *figure);

#endif
