/* SPDX-License-Identifier: MIT */
/* A view of a recording: a field, of a wave, in a plane of cells. It reads the
 * frames of its field as planes that can be painted. */
#ifndef HAMON_VIEW_VIEW_H
#define HAMON_VIEW_VIEW_H

#include "recording/read/recording.h"
#include "recording/read/tables.h"
#include "view/cut.h"

#include <stdbool.h>
#include <stdint.h>

struct view;
struct view_axis;

enum field_range {
    RANGE_DATA,      /* from the minimum to the maximum */
    RANGE_SYMMETRIC, /* about zero */
    RANGE_FIXED,     /* low … high, independent of the data */
};

/* For a field whose values are numbers of kinds, from 0 on, instead of
 * measurements: the name and colour of each kind. */
struct field_kinds {
    int count;
    const char *const *names;
    const uint8_t (*colors)[3];
};

/* A field that can be shown. */
struct field {
    const char *name, *unit;
    const char *title; /* on pictures; NULL: the name */
    const char *takes; /* what a recording needs for it, in words */
    const char *map;   /* its default colour map */
    enum field_range range;
    double low, high;
    bool of_wave; /* there is one for each wave */
    /* the setting whose value descriptions contain; NULL: none */
    const char *by;
    bool by_row;  /* differs from step to step */
    bool whole;   /* has only integer values */
    bool angle;   /* an angle: has no maximum */
    bool decades; /* spans many powers of ten: shown on a logarithmic scale */
    /* increases with the distance from a source: a surface of it encloses the
     * smaller values */
    bool rises;
    bool of_walls;                   /* walls have values as other cells do */
    const struct field_kinds *kinds; /* NULL: values are measurements */
    /* additional memory of a view of it, in bytes per cell of the map */
    size_t cell_bytes;
    /* Has the recording the data for it? */
    bool (*there)(const struct recording *recording, int wave);
    /* Fills view->values from the row of view->source. */
    enum status (*read)(struct view *view, int64_t row, struct error *error);
    /* For a field that is the length of vectors: reads the plane (cut.ny,
     * cut.nx) of their component along an axis. Else NULL. */
    enum status (*component)(struct view *view, int axis, int64_t row,
                             double *plane, struct error *error);
};

extern const struct field *const fields[]; /* ends with NULL */

/* The field of this name, or NULL. */
const struct field *field_find(const char *name);

/* "arrival of wave 1 by threshold", into at least 100 bytes; if it is to be
 * drawn, in the language of pictures. */
void field_describe(const struct field *field,
                    const struct recording *recording, int wave, bool drawn,
                    char *text, size_t size);

/* The number of waves that can be shown: those recorded, or of the whole run.
 */
int view_waves(const struct recording *recording);

/* The recording with what a field of a wave is read or computed from: the same,
 * or its whole run (recording_whole). STATUS_INPUT, with a list of what exists,
 * if there is no such wave, or neither has it. */
enum status view_source_of(const struct recording *recording,
                           const struct field *field, int64_t wave,
                           const struct recording **source,
                           struct error *error);

/* A row of a variable as it is recorded. A row is one index of the first axis,
 * for variables along time a frame. */
struct view_row {
    const struct variable *of; /* NULL: empty */
    int64_t row;
    void *bytes;
    size_t cell; /* bytes per cell that are allocated */
};

/* What view_subtract or view_lay_along has made of a view; NULL: as before. */
struct view_change {
    enum status (*read)(struct view *view, struct error *error);
    void (*describe)(const struct view *view, bool drawn, char *text,
                     size_t size);
    void (*axis)(const struct view *view, int side, struct view_axis *axis);
    /* NULL: there are no twins */
    enum status (*twin)(const struct view *view, struct view *twin,
                        struct error *error);
    void (*release)(void *changed);
};

struct moment;
struct view {
    const struct recording *recording;
    /* what values are read from: the same, or its whole run */
    const struct recording *source;
    const struct field *field;
    int wave;
    bool newest; /* WAVE_NEWEST: `wave` is that of the row read last */
    struct emission_row *sent; /* with newest */
    size_t sent_count;
    /* With newest: at the steps of those whose reason names a wave, that wave
     * is shown instead; borrowed. */
    const struct moment *moments;
    size_t moment_count;
    bool most;         /* shows the projection along cut.axis */
    bool whole;        /* shows all cells of the region, not a plane */
    struct box region; /* of the whole map: the cells that the fields cover */
    struct cut cut;    /* of the region */
    /* (cut.ny, cut.nx), or of the whole region (nz, ny, nx); filled by
     * view_read. NaN: no value, because never reached or without direction.
     * wall: 1 wall, 0 free. */
    double *values;
    uint8_t *wall;
    uint8_t *walls; /* of the region, (nz, ny, nx); wall is the cut of it */
    /* For use by the view only. */
    bool read;       /* values contain the row that was read */
    int64_t version; /* version of the map of these walls; −1: none */
    struct view_row rows[GRID_AXES]; /* the last rows read */
    int next_row;                    /* the one to be replaced */
    double *block; /* the region's values; NULL: not needed yet */
    /* The variable whose row view_read_block has read into it; NULL: none. */
    const struct variable *block_of;
    int64_t block_row;
    /* block contains values that are the same at any step and plane */
    bool derived;
    bool widths; /* block contains widths or heights of the map at version */
    void *work;  /* of the field's functions; NULL: not needed yet */
    void (*release_work)(void *work);
    const struct view_change *change; /* NULL: values are the recording's own */
    void *changed;                    /* its data */
    double *plane;                    /* the cut of it */
    double *kept; /* the projection during its computation; NULL: none */
};

/* As an axis: all cells of the region instead of a plane. */
enum { VIEW_WHOLE = GRID_AXES };

/* The position of the plane: `axis` −1 is the default, z in the middle of the
 * region; `at` is a coordinate in the whole map. */
struct view_place {
    int axis;
    int64_t at;
    bool most; /* no plane: the value farthest from 0 along the axis */
};

/* As a wave: at each row the one that was emitted last before it. Of a field
 * that is the same at every step it is wave 0. */
enum { WAVE_NEWEST = -1 };

/* Opens a view; recording is borrowed. Values are of view_source_of.
 * STATUS_INPUT, with a list of what exists, if there is no such field, wave or
 * plane. Release with view_release. */
enum status view_open(const struct recording *recording, const char *field,
                      int64_t wave, const struct view_place *place,
                      struct view **view, struct error *error);
void view_release(struct view *view);

/* The number of cells of values and wall. */
size_t view_cells(const struct view *view);

/* Opens the same view at the same plane, for another thread. */
enum status view_twin(const struct view *view, struct view **twin,
                      struct error *error);

/* Reads a row of the field, and the walls at its step. */
enum status view_read(struct view *view, int64_t row, struct error *error);

/* Reads only the walls at a row; `read` may be called after it. */
enum status view_go_to(struct view *view, int64_t row, struct error *error);

/* Moves to the plane at coordinate `at` of the whole map along the view's axis,
 * which must be within the region. */
void view_move(struct view *view, int at);

/* Reads the plane (cut.ny, cut.nx) of the component along an axis of a field
 * that is the length of vectors. */
enum status view_read_component(struct view *view, int axis, int64_t row,
                                double *plane, struct error *error);

/* The row of view->source for a row of view->recording. The functions below
 * take rows of view->source. */
int64_t view_source_row(const struct view *view, int64_t row);

/* Reads the plane of a row of "wave0" (suffix ""), "wave0_grad_x" ("_grad_x")
 * and so on, with the view's wave, into `plane` (cut.ny, cut.nx): the functions
 * `read` of fields use it. */
enum status view_read_wave(struct view *view, const char *suffix, int64_t row,
                           double *plane, struct error *error);

/* view->block with room for the region's values, to be overwritten by the
 * caller; NULL if there is no memory. */
double *view_block(struct view *view);

/* Reads the whole region of the wave's variable into view->block. */
enum status view_read_block(struct view *view, const char *suffix, int64_t row,
                            struct error *error);

/* Reads the region of a terrain variable at view->version into `block` (nz, ny,
 * nx): "wall" as uint8_t, others as double. */
enum status view_read_terrain(struct view *view, const char *name, void *block,
                              struct error *error);

/* The coordinates along a side of the picture: the centre of cell i is at
 * first + i·each, in cells or steps, or in metres and seconds by `scale`. */
struct view_axis {
    char name[16];
    const char *unit;
    double first, each;
};

/* Side 0 is to the right, 1 down. */
void view_axis(const struct view *view, int side, struct view_axis *axis);

/* "amplitude of wave 0", "arrival of wave 1, z = 3": for titles and notes. */
void view_describe(const struct view *view, bool drawn, char *text,
                   size_t size);

/* The last part of it: "", ", z = 3", or ", maximum along z". */
void view_describe_place(const struct view *view, bool drawn, char *text,
                         size_t size);

/* ---- gradient.c ---- */

/* Can the gradient be computed from the amplitude? Not with the 9- and the
 * 27-point stencil, which have another, matched gradient. */
bool view_derives_gradient(const struct recording *recording, int wave);

/* Reads the plane of the gradient's component along an axis, recorded or
 * computed. */
enum status view_read_gradient(struct view *view, int axis, int64_t row,
                               double *plane, struct error *error);

/* ---- arrival.c ---- */

/* The first arrivals of the view's wave in the region, as generations, (nz, ny,
 * nx); at the source that of the emission, −1 never, as a run records them;
 * computed from the frames by the run's own detector settings. STATUS_INPUT if
 * that is not possible: not every step was recorded, no emission, a source
 * outside the region.
 *
 * Frame k contains what was emitted at step k, so the generation of age T (the
 * lifetime) is in no frame, and an arrival in it is not found. */
enum status view_derive_arrival(const struct view *view, double *block,
                                struct error *error);

#endif
