/* SPDX-License-Identifier: MIT */
/* What of a recording is looked at: a field, of a wave, in a plane of cells.
 * A view reads the rows of its field as planes ready to be painted. */
#ifndef HAMON_VIEW_VIEW_H
#define HAMON_VIEW_VIEW_H

#include "recording/read/recording.h"
#include "view/cut.h"

#include <stdbool.h>
#include <stdint.h>

struct view;
struct headings;   /* headings.h */
struct flux;       /* flux.h */
struct difference; /* difference.h */
struct along;      /* along.h */

enum field_range {
    RANGE_DATA,      /* from the least value to the greatest */
    RANGE_SYMMETRIC, /* about zero */
    RANGE_FIXED,     /* low … high, whatever the data */
};

/* What the values of a field are numbers of, from 0, where they measure
 * nothing: each has a name and a colour. */
struct field_kinds {
    int count;
    const char *const *names;
    const uint8_t (*colors)[3];
};

/* A field that can be looked at. */
struct field {
    const char *name, *unit;
    const char *title; /* on pictures; NULL: the name */
    const char *takes; /* of a recording that it is worked out from, in words */
    const char *map;   /* the colour map it has by default */
    enum field_range range;
    double low, high;
    bool of_wave;   /* each wave has its own */
    const char *by; /* the setting whose value descriptions name; NULL: none */
    bool by_row;    /* changes from step to step */
    bool whole;     /* has whole numbers alone */
    bool angle;     /* turns round: has no greatest */
    bool decades;   /* spans many powers of ten: shown by its logarithm */
    bool rises;     /* grows with the distance from a source: a surface of it
                     * encloses the smaller values */
    bool of_walls;  /* walls have values as other cells have */
    const struct field_kinds *kinds; /* NULL: values measure something */
    size_t cell_bytes; /* a view of it takes them besides, a cell of the map */
    /* Has the recording what it takes? */
    bool (*there)(const struct recording *recording, int wave);
    /* Fills view->values with the row. */
    enum status (*read)(struct view *view, int64_t row, struct error *error);
    /* Of a field that is the length of vectors: reads the plane (cut.ny,
     * cut.nx) of their component along an axis. Else NULL. */
    enum status (*component)(struct view *view, int axis, int64_t row,
                             double *plane, struct error *error);
};

extern const struct field *const fields[]; /* ends with NULL */

/* The field of this name, or NULL. */
const struct field *field_find(const char *name);

/* "arrival of wave 1 by threshold", into at least 100 bytes; its length. */
int field_describe(const struct field *field, const struct recording *recording,
                   int wave, char *text, size_t size);

/* A row of a variable, as it is recorded. */
struct view_row {
    const struct variable *of; /* NULL: none is held */
    int64_t row;
    void *bytes;
    size_t cell; /* bytes a cell that there is room for */
};

struct view {
    const struct recording *recording;
    const struct field *field;
    int wave;
    bool most;         /* shows the projection along cut.axis */
    bool whole;        /* shows all cells of the region, not a plane */
    struct box region; /* of the world, what the fields cover */
    struct cut cut;    /* of the region */
    /* (cut.ny, cut.nx), of the whole region (nz, ny, nx): filled by view_read.
     * NaN is no value: never reached, no direction. wall: 1 wall, 0 free. */
    double *values;
    uint8_t *wall;
    uint8_t *walls; /* the region's, (nz, ny, nx); wall is the cut of it */
    /* The view's own. */
    bool read;       /* values hold what was read */
    int64_t version; /* of the map that wall is of; −1: none */
    struct view_row rows[GRID_AXES]; /* what was read last */
    int next_row;                    /* the one to be read over */
    double *block; /* the region's values; NULL: not needed yet */
    /* The row that view_read_block has filled it with; NULL: with none. */
    const struct variable *block_of;
    int64_t block_row;
    bool derived; /* block holds what is the same at any step and plane */
    bool widths;  /* block holds widths or heights of the map at version */
    struct headings *headings; /* of the field heading; NULL: not needed yet */
    struct flux *flux;         /* of the field flux; NULL: not needed */
    struct difference *difference; /* NULL: values are the recording's own */
    struct along *along;           /* NULL: of the places of the recording */
    double *plane;                 /* and the cut of it */
    double *kept; /* the projection while it is made; NULL: none is */
};

/* As an axis: no plane, but all cells of the region. */
enum { VIEW_WHOLE = GRID_AXES };

/* Where the plane is: `axis` −1 stands for the default, z in the middle of the
 * region; `at` is the world's coordinate. */
struct view_place {
    int axis;
    int64_t at;
    bool most; /* no plane: of all along the axis the value farthest from 0 */
};

/* Opens a view; recording is borrowed. STATUS_INPUT, naming what there is,
 * where the recording has no such field, wave or plane. Release with
 * view_release. */
enum status view_open(const struct recording *recording, const char *field,
                      int64_t wave, const struct view_place *place,
                      struct view **view, struct error *error);
void view_release(struct view *view);

/* How many cells values and wall have. */
size_t view_cells(const struct view *view);

/* A view of the same, at the same plane, for another thread. */
enum status view_twin(const struct view *view, struct view **twin,
                      struct error *error);

/* Reads a row of the field, and the walls that stood then. */
enum status view_read(struct view *view, int64_t row, struct error *error);

/* Reads the walls that stand at a row, of which `read` may then be called. */
enum status view_go_to(struct view *view, int64_t row, struct error *error);

/* Goes to the plane at `at` of the world along the view's axis, which must be
 * within the region. */
void view_move(struct view *view, int at);

/* Reads the plane of the gradient's component along an axis. */
enum status view_read_gradient(struct view *view, int axis, int64_t row,
                               double *plane, struct error *error);

/* Reads the plane of a row of "wave0" (suffix ""), "wave0_grad_x" ("_grad_x")
 * and so on, with the view's wave, into `plane` (cut.ny, cut.nx): a field's
 * `read` is made of it. */
enum status view_read_wave(struct view *view, const char *suffix, int64_t row,
                           double *plane, struct error *error);

/* view->block, with room for the region's values, for something else to be
 * written there; NULL where there is no memory. */
double *view_block(struct view *view);

/* Reads the whole region of the wave's variable into view->block. */
enum status view_read_block(struct view *view, const char *suffix, int64_t row,
                            struct error *error);

/* Reads the region of a terrain variable at view->version into `block` (nz, ny,
 * nx): "wall" as uint8_t, others as double. */
enum status view_read_terrain(struct view *view, const char *name, void *block,
                              struct error *error);

/* What is along a side of the picture: the value of a cell's middle is first +
 * i·each. In cells or steps, or in metres and seconds by `scale`. */
struct view_axis {
    char name[16];
    const char *unit;
    double first, each;
};

/* Side 0 is to the right, 1 down. */
void view_axis(const struct view *view, int side, struct view_axis *axis);

/* "amplitude of wave 0", "arrival of wave 1, z = 3": for titles and notes. */
void view_describe(const struct view *view, char *text, size_t size);

/* ---- gradient.c ---- */

/* Can the gradient be worked out from the amplitude? Not with the 9-
 * and the 27-point stencil, whose matched gradient is another. */
bool view_derives_gradient(const struct recording *recording, int wave);

/* The component along `axis` by central differences (Watanabe 2021, eqs 18–19
 * at a cell's centre), as the run would have recorded it: a missing neighbour
 * is 0 at a fixed wall and the cell's own value at a free wall or outside the
 * map; walls get 0. NaN where the neighbour was not recorded. */
enum status view_derive_gradient(struct view *view, int axis, int64_t row,
                                 double *plane, struct error *error);

/* ---- arrival.c ---- */

/* The first arrivals of the view's wave in the region, as generations,
 * (nz, ny, nx), at the source that of the emission, −1 never, as a run records
 * them; worked out from the rows by the run's own detector settings.
 * STATUS_INPUT where that cannot be: not every step was recorded, no emission,
 * a source outside the region.
 *
 * Row k holds what was emitted at k, so the generation of age T (the lifetime)
 * is in no row and what arrives with it is not found. */
enum status view_derive_arrival(const struct view *view, double *block,
                                struct error *error);

#endif
