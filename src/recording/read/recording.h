/* SPDX-License-Identifier: MIT */
/* The reader of recordings. It takes a file that need not be trusted, and gives
 * its grid, its variables and their rows, each compared with its checksum.
 *
 * A row is one index of a variable's first axis: for variables along time a
 * frame, that is the recorded data of one step.
 *
 * HDF5 parses the file in a forked child process with limits on memory and
 * time. The result is a list of variables with their types, extents and
 * addresses, checked against the schema; the parent reads rows with pread.
 * Frames at or after /status/committed are not read. Every error in a file is
 * STATUS_INPUT with `file: object: what is wrong`.
 *
 * With record.keyframes only some frames of the waves are in the file, and
 * recording_open reads only those; open the recording by replay_open
 * (view/replay.h) to read all. */
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

/* recording_open for a packed file whose fields are known to have up to `cells`
 * cells in a row. In other files, fields that are too large for the size of the
 * file are rejected before memory is allocated (SECURITY.md):
 * recording_cells_believed is the limit for a file of so many bytes. */
enum status recording_open_known(const char *path, uint64_t cells,
                                 struct recording **recording,
                                 struct error *error);
uint64_t recording_cells_believed(uint64_t bytes);

const char *recording_path(const struct recording *recording);
/* The scenario's title, whatever --set changed. */
const char *recording_title(const struct recording *recording);

/* The title of recording `which`, and the settings that --set replaced in all
 * of the recordings with this title, except those of record: "Corridor, fixed
 * walls (wave.walls=free)". A title that --set replaced too remains as it is.
 * recording_titles: each title once, separated by semicolons. "": no title. */
void recording_title_among(const struct recording *const *recordings,
                           size_t count, size_t which, char *text, size_t size);
void recording_titles(const struct recording *const *recordings, size_t count,
                      char *text, size_t size);

/* The grid of the whole map, and the region that fields cover (its box in that
 * grid). */
const struct grid *recording_grid(const struct recording *recording);
struct box recording_region(const struct recording *recording);

/* The run of the recording with every field of the whole map at every step, the
 * frame of step k being row k: computed when it is first required, then kept
 * with the recording. Any thread may call it. recording_has_whole: can that be
 * tried (run/again.h: again_offer)? If not, STATUS_INPUT. */
bool recording_has_whole(const struct recording *recording);
enum status recording_whole(const struct recording *recording,
                            const struct recording **whole,
                            struct error *error);

/* The number of waves of which something was recorded; and whether any wave
 * ran. */
int recording_waves(const struct recording *recording);
bool recording_ran_waves(const struct recording *recording);
enum run_state recording_state(const struct recording *recording);

/* The number of committed frames, and the step of each. */
int64_t recording_rows(const struct recording *recording);
const int64_t *recording_steps(const struct recording *recording);

/* The first frame at or after `step`, or the last one. */
int64_t recording_row_from(const struct recording *recording, int64_t step);

/* The frame of `step`; STATUS_INPUT with the recorded steps if there is
 * none. */
enum status recording_row_of(const struct recording *recording, int64_t step,
                             int64_t *row, struct error *error);

/* Variables: number i, or by name; NULL if there is none. */
const struct variable *recording_variable(const struct recording *recording,
                                          size_t i);
const struct variable *recording_find(const struct recording *recording,
                                      const char *name);

/* The index of a row of a variable by_row along the first axis of its dataset,
 * for programs that read the file themselves: the row itself, except with
 * record.keyframes. -1: the row is not in the file. */
int64_t recording_stored_row(const struct recording *recording,
                             const struct variable *variable, int64_t row);

/* Reads one row of a variable by_row (and checks its CRC), or the whole of
 * another variable (row 0), into `out` of variable_elements × element_bytes
 * bytes. */
enum status recording_read(const struct recording *recording,
                           const struct variable *variable, int64_t row,
                           void *out, struct error *error);

/* Converts an element to double. */
double element_real(enum element_type type, const void *value);

/* Converts `count` elements; they may be the last bytes of out[count]. */
void elements_real(enum element_type type, const void *values, size_t count,
                   double *out);

/* As recording_read, converted to double. */
enum status recording_read_real(const struct recording *recording,
                                const struct variable *variable, int64_t row,
                                double *out, struct error *error);

/* Reads a time series: one element of every row 0 … rows − 1 of a variable
 * by_row, as double, into out[rows]. CRCs are not checked, because rows are not
 * read completely. */
enum status recording_read_series(const struct recording *recording,
                                  const struct variable *variable,
                                  size_t element, double *out,
                                  struct error *error);

/* The version of the map that is valid at `step`. */
size_t recording_version_at(const struct recording *recording, int64_t step);

/* Reads one version of a terrain variable ("wall", "speed", "cost", "one_way")
 * over the whole grid as (nz, ny, nx); from /world if the region is a part of
 * the grid. */
enum status recording_read_terrain(const struct recording *recording,
                                   const char *name, size_t version, void *out,
                                   struct error *error);

/* The checksum of the map before the first step (terrain_checksum). */
enum status recording_ground(const struct recording *recording, uint32_t *sum,
                             struct error *error);

/* The rows in use of the tables "emissions", "arrivals", "captures",
 * "plans". */
int64_t recording_table_rows(const struct recording *recording,
                             const char *table);

/* A text of /provenance ("scenario", "resolved", "command", …), or NULL. */
const char *recording_text(const struct recording *recording, const char *name);

/* The i-th row of agents/name or agents/method, NUL-terminated into text. */
enum status recording_agent_text(const struct recording *recording,
                                 const char *variable, size_t agent, char *text,
                                 size_t size, struct error *error);

/* The bits of the mantissa to which waves and gradients were rounded when the
 * recording was packed; 0: not rounded. */
int recording_keep_bits(const struct recording *recording);

/* A setting of the run from /provenance/parameters, by the key of the resolved
 * scenario ("wave.delta"): its text, or NULL; and as a number, or `otherwise`
 * if there is none. */
const char *recording_setting(const struct recording *recording,
                              const char *key);
double recording_setting_real(const struct recording *recording,
                              const char *key, double otherwise);

/* The steps between frames (record.every); the last step has a frame too. */
int64_t recording_every(const struct recording *recording);

/* The number of steps in the scenario; -1 if it is not known. */
int64_t recording_planned(const struct recording *recording);

#endif
