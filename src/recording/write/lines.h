/* SPDX-License-Identifier: MIT */
/* Rows of a recording where blocks are cut along x. A line of the file then has
 * cells of several ranks, and writing each rank's pieces by themselves takes a
 * call for each of some KB: several times as long as the bytes themselves. So
 * the ranks whose blocks lie beside one another along x share out their lines:
 * each gets the others' cells of its part of them, and writes whole lines, many
 * a call. */
#ifndef HAMON_RECORDING_WRITE_LINES_H
#define HAMON_RECORDING_WRITE_LINES_H

#include "base/ranks.h"
#include "base/status.h"
#include "world/grid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lines;

/* *lines = NULL where no line is shared with another rank. `region`: what is
 * recorded; own: this rank's block; item: bytes a cell. All together. Release
 * with lines_release. */
enum status lines_new(struct ranks *ranks, const struct box *region,
                      const struct box *own, size_t item, struct lines **lines,
                      struct error *error);
void lines_release(struct lines *lines);

/* Room for so many fields that are exchanged and not yet written. */
enum status lines_room(struct lines *lines, size_t fields, struct error *error);

/* Sends the others their parts of a packed field of the block, and receives
 * this rank's. All together, in the thread of `ranks`. */
void lines_exchange(struct lines *lines, const void *values);

/* Writes this rank's lines of the field that was exchanged first of those not
 * yet written, which begins at byte `place` of the file: `values` are those of
 * then. May be called in another thread. False with errno. */
bool lines_write(struct lines *lines, int fd, const void *values,
                 uint64_t place);

#endif
