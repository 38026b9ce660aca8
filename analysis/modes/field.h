/* SPDX-License-Identifier: MIT */
/* The recorded wave in a corridor, generation by generation. */
#ifndef HAMON_ANALYSIS_MODES_FIELD_H
#define HAMON_ANALYSIS_MODES_FIELD_H

#include "analysis/modes/corridor.h"
#include "recording/read/recording.h"
#include "view/arrival_run.h"
#include "wave/wave.h"

struct corridor_field {
    const struct recording *recording;
    const struct variable *variable;
    struct terrain terrain; /* as at the emission */
    struct wave_settings settings;
    struct emission emission;
    struct corridor corridor;
    int64_t first_row; /* the row of the emission */
    int64_t steps;     /* generations 0 … steps − 1 since then */
    double *row;       /* of the recorded region */
};

/* Three parts of opening; field_release after each, after a failure too.
 *
 * field_begin: reads the wave's map and settings. Borrows the recording, which
 * has the amplitude of every step.
 * field_choose: the corridor; `along`: "x0,y0:x1,y1", in 3D
 * "x0,y0,z0:x1,y1,z1", or NULL for the longest one.
 * field_prepare: the range of steps up to the wave's next emission or the first
 * change of the map.
 *
 * STATUS_INPUT if modes cannot be measured: another stencil than 5- and
 * 7-point; damping (field_check_damping); speed areas, no corridor. */
enum status field_begin(struct corridor_field *field,
                        const struct recording *recording, int wave,
                        struct error *error);
enum status field_check_damping(const struct corridor_field *field,
                                struct error *error);
enum status field_choose(struct corridor_field *field, const char *along,
                         struct error *error);
enum status field_prepare(struct corridor_field *field, struct error *error);
void field_release(struct corridor_field *field);

struct corridor_map field_map(const struct corridor_field *field);

/* The corridor of a probe, instead of field_choose: the one with both the
 * source and the cell, if there is one; else the longest one through the cell,
 * and *behind is true: a bend is between. STATUS_INPUT as field_choose, and if
 * the cell is not free, or in no corridor. */
enum status field_choose_probe(struct corridor_field *field,
                               const int cell[GRID_AXES], bool *behind,
                               struct error *error);

/* Reads the cell of an option, "12,9", in 3D "12,9,5". STATUS_INPUT if it is
 * none; the message begins with `option`. */
enum status field_parse_cell(const char *text, const char *option, int dims,
                             int cell[GRID_AXES], struct error *error);

/* Reads generation `k`: for field_at; and the corridor's cells, (length,
 * height, width), into `z`. */
enum status field_read_row(const struct corridor_field *field, int64_t k,
                           struct error *error);
enum status field_read(const struct corridor_field *field, int64_t k, double *z,
                       struct error *error);

/* The amplitude at a cell of the region in the last row read; 0 in walls. */
double field_at(const struct corridor_field *field, int x, int y, int z);

/* The source along the corridor's axis and across it; true: in the corridor. */
bool field_source(const struct corridor_field *field, int *along, int *across);

#endif
