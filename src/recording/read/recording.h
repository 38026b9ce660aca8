/* SPDX-License-Identifier: MIT */
/* The reader of recordings takes a file that anyone may have made, and gives
 * its grid, its variables and their rows, each checked against its checksum.
 *
 * HDF5 parses the file in a forked child with limits on memory and time. What
 * comes back is a list of variables with their types, extents and addresses,
 * checked against the schema; the parent reads rows with pread. Rows at or
 * past /status/committed do not exist. Every fault is STATUS_INPUT with
 * `file: object: what is wrong`.
 *
 * With record.keyframes only some rows of the waves are in the file, and the
 * reader reads those alone; open the recording by replay_open (view/replay.h)
 * to read all. */
#ifndef HAMON_RECORDING_READ_RECORDING_H
#define HAMON_RECORDING_READ_RECORDING_H

#include "base/status.h"
#include "recording/format/schema.h"
#include "world/grid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct recording;

/* Release with recording_close. */
enum status recording_open(const char *path, struct recording **recording,
                           struct error *error);
void recording_close(struct recording *recording);

/* The same of a packed file whose fields are known to have up to `cells` cells
 * a row. Of another file more than it is long enough for is refused before
 * memory is taken (SECURITY.md), which recording_cells_believed says of one of
 * so many bytes. */
enum status recording_open_known(const char *path, uint64_t cells,
                                 struct recording **recording,
                                 struct error *error);
uint64_t recording_cells_believed(uint64_t bytes);

const char *recording_path(const struct recording *recording);
const char *recording_title(const struct recording *recording);

/* The whole world's grid, and the region that fields cover (its box in it). */
const struct grid *recording_grid(const struct recording *recording);
struct box recording_region(const struct recording *recording);

/* Waves that something was recorded of; and: did any run? */
int recording_waves(const struct recording *recording);
bool recording_ran_waves(const struct recording *recording);
enum run_state recording_state(const struct recording *recording);

/* Rows committed, and the step of each of them. */
int64_t recording_rows(const struct recording *recording);
const int64_t *recording_steps(const struct recording *recording);

/* The row that holds `step`; STATUS_INPUT naming what steps there are. */
enum status recording_row_of(const struct recording *recording, int64_t step,
                             int64_t *row, struct error *error);

/* Variables: the i-th or NULL, and by name or NULL. */
const struct variable *recording_variable(const struct recording *recording,
                                          size_t i);
const struct variable *recording_find(const struct recording *recording,
                                      const char *name);

/* The index of a row of a variable by_row along the first axis of its dataset,
 * for programs that read the file by themselves: the row itself, except with
 * record.keyframes. -1: the row is not in the file. */
int64_t recording_stored_row(const struct recording *recording,
                             const struct variable *variable, int64_t row);

/* Reads one row of a variable by_row (its CRC checked), or the whole of
 * another (row 0), into `out` of variable_elements × element_bytes bytes. */
enum status recording_read(const struct recording *recording,
                           const struct variable *variable, int64_t row,
                           void *out, struct error *error);

/* An element as a double. */
double element_real(enum element_type type, const void *value);

/* `count` of them, which may be the last bytes of out[count]. */
void elements_real(enum element_type type, const void *values, size_t count,
                   double *out);

/* As recording_read, converted to double. */
enum status recording_read_real(const struct recording *recording,
                                const struct variable *variable, int64_t row,
                                double *out, struct error *error);

/* A series: one element of every row 0 … rows − 1 of a variable by_row, as
 * double into out[rows] (rows are not CRC-checked whole for this). */
enum status recording_read_series(const struct recording *recording,
                                  const struct variable *variable,
                                  size_t element, double *out,
                                  struct error *error);

/* The version of the map at `step`. */
size_t recording_version_at(const struct recording *recording, int64_t step);

/* One version of a terrain variable ("wall", "speed", "cost", "one_way") over
 * the whole grid as (nz, ny, nx): from /world where the region is a part. */
enum status recording_read_terrain(const struct recording *recording,
                                   const char *name, size_t version, void *out,
                                   struct error *error);

/* Rows used of the tables "emissions", "arrivals", "captures", "plans". */
int64_t recording_table_rows(const struct recording *recording,
                             const char *table);

/* A text of /provenance ("scenario", "resolved", "command", …), or NULL. */
const char *recording_text(const struct recording *recording, const char *name);

/* The i-th row of agents/name or agents/method, NUL-terminated into text. */
enum status recording_agent_text(const struct recording *recording,
                                 const char *variable, size_t agent, char *text,
                                 size_t size, struct error *error);

/* Bits of the mantissa that waves and gradients were rounded to when the
 * recording was packed; 0: they are as they were computed. */
int recording_keep_bits(const struct recording *recording);

/* A setting of the run, as the resolved scenario has it ("wave.delta"), from
 * /provenance/parameters: its text, or NULL; and as a number, or `otherwise`.
 */
const char *recording_setting(const struct recording *recording,
                              const char *key);
double recording_setting_real(const struct recording *recording,
                              const char *key, double otherwise);

/* Rows are of every so many steps (record.every), and of the run's last one. */
int64_t recording_every(const struct recording *recording);

/* The steps that the scenario has; -1 where that is not known. */
int64_t recording_planned(const struct recording *recording);

#endif
