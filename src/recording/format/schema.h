/* SPDX-License-Identifier: MIT */
/* The format of a recording, declared once: docs/reference/format.md in code. A
 * variable has a name, a type, named axes, a unit and a description, whatever
 * its length. Writer and reader both use these tables: a layout (layout.h) is
 * the schema with the lengths of one recording. */
#ifndef HAMON_RECORDING_FORMAT_SCHEMA_H
#define HAMON_RECORDING_FORMAT_SCHEMA_H

#include "pursuit/settings.h" /* enum agent_state */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VARIABLE_MAX_RANK = 4, VARIABLE_NAME_SIZE = 64, AXIS_NAME_SIZE = 32 };

/* The attribute format_version of the file. A reader refuses a greater one:
 * docs/reference/compatibility.md says what changes it. */
enum { RECORDING_FORMAT_VERSION = 1 };

/* Limits that writer and reader share. */
enum {
    RECORDING_MAX_WAVES = 128,
    RECORDING_MAX_TEXTS = 32,
    RECORDING_TEXT_NAME_SIZE = 24,
    RECORDING_MAX_TEXT = 1 << 26, /* bytes of all texts of /provenance */
    RECORDING_MAX_ROWS = 1 << 24,
    RECORDING_TITLE_SIZE = 512,
};

enum element_type {
    TYPE_INT8,
    TYPE_INT32,
    TYPE_INT64,
    TYPE_UINT32,
    TYPE_FLOAT32,
    TYPE_FLOAT64,
    TYPE_CHAR,
    ELEMENT_TYPES,
};

size_t element_bytes(enum element_type type);

/* The state of a run, in /status/state. */
enum run_state { RUN_RUNNING, RUN_DONE, RUN_STOPPED, RUN_DIVERGED };
extern const char *const run_state_names[]; /* ends with NULL */

struct variable {
    char name[VARIABLE_NAME_SIZE]; /* path from the root: "wave0", "agents/x" */
    enum element_type type;
    int rank;
    int64_t extent[VARIABLE_MAX_RANK];
    char axis[VARIABLE_MAX_RANK][AXIS_NAME_SIZE]; /* "time", "y", … */
    bool by_row; /* a CRC for each index of its first axis; committed only */
};

/* The elements of one row of a variable by_row (one index of its first axis),
 * or of the whole variable. */
size_t variable_elements(const struct variable *variable);

/* The meaning of an axis. */
enum axis {
    AXIS_NONE,
    AXIS_TIME,
    AXIS_VERSION,
    AXIS_Z,
    AXIS_Y,
    AXIS_X,
    AXIS_AGENT,
    AXIS_NAME,
    AXIS_METHOD,
    AXIS_ARRIVAL,
    AXIS_EMISSION,
    AXIS_CAPTURE,
    AXIS_PLAN,
    AXIS_PATH_CELL,
    AXIS_BYTE,
    AXIS_KEYFRAME, /* frames of waves that are stored */
    AXIS_TILE,     /* chunks of a row, in the root and in /world */
    AXIS_WORLD_TILE,
    AXIS_PLACE, /* address and bytes of a chunk */
    AXIS_TEXT,  /* each text has its own axis */
    AXES,
};
extern const char *const axis_names[AXES];

/* The parts that a recording may have, or-ed. */
enum part {
    PART_DEPTH = 1 << 0, /* 3D */
    PART_AMPLITUDE = 1 << 1,
    PART_GRADIENT = 1 << 2,
    PART_ARRIVAL = 1 << 3,
    PART_SPEED = 1 << 4,
    PART_COST = 1 << 5,
    PART_ONE_WAY = 1 << 6,
    PART_WORLD =
        1 << 7, /* fields cover a region; /world has the whole terrain */
    PART_AGENTS = 1 << 8,
    PART_TARGET = 1 << 9,
    PART_ARRIVALS = 1 << 10,
    PART_EMISSIONS = 1 << 11,
    PART_CAPTURES = 1 << 12,
    PART_PLANS = 1 << 13,
    PART_RESTART = 1 << 14,
    PART_RELAY = 1 << 15,
    PART_KEYFRAMES = 1 << 18,
    PART_PACKED = 1 << 17,    /* fields in compressed chunks */
    PART_TIME = 1 << 16,      /* of a step; not in older files */
    PART_QUANTITY = 1 << 19,  /* of arrivals; not in older files */
    PART_SECONDS = 1 << 20,   /* time in seconds, and the steps beside it */
    PART_METRES = 1 << 21,    /* x, y, z in metres, and the cells beside them */
    PART_OWN_NAMES = 1 << 22, /* of checksums and chunks: "crc/crc_wall" */
};

/* The tables: one row for each event. */
/* What the amplitude and the gradient of an arrival are. */
enum arrival_quantity {
    QUANTITY_AMPLITUDE, /* z and ∇z of the wave */
    QUANTITY_LOG_SUM, /* ln U and ∇ln U, or −∇T, of the detector laplace */
    QUANTITY_FRONT_STEP, /* steps of a Lee front from the source, and 0 */
    QUANTITIES
};
extern const char *const arrival_quantity_names[]; /* ends with NULL */

enum table_name { ARRIVALS, EMISSIONS, CAPTURES, PLANS, TABLES };
struct schema_table {
    const char *name; /* its group, and its count of rows in /status */
    enum axis axis;
    enum part part;
};
extern const struct schema_table schema_tables[TABLES];

/* The counters in /relay, in file order (search/relay.h). */
enum { RELAY_COUNTERS = 6 };
extern const char *const relay_counter_names[RELAY_COUNTERS];

enum role {
    ROLE_ROWS,      /* written row by row, with a CRC in /crc for each */
    ROLE_TABLE,     /* grows row by row; unused rows are -1, or NaN */
    ROLE_PLAIN,     /* everything else that has values */
    ROLE_SCALE,     /* the coordinates of an axis, and its dimension scale */
    ROLE_DIMENSION, /* a dimension scale without values and space */
};

/* Which unit the scenario's scale gives to the values. A scale of an axis is
 * stored in that unit; everything else is stored in cells, and its attribute
 * scale_factor converts it to metres. */
enum scaled {
    SCALED_NOT,   /* unit by `units` */
    SCALED_CELLS, /* 1, or m */
    SCALED_TIME,  /* generations, or seconds since a date */
};

/* A variable as the format declares it. In `name`, `#` stands for the number of
 * a wave and `@` for a letter of the grid's axes. */
struct schema_entry {
    const char *name;
    enum role role;
    enum element_type type; /* TYPE_FLOAT32 for the run's precision */
    bool real;              /* in the run's precision */
    enum axis axes[VARIABLE_MAX_RANK]; /* without z in 2D */
    unsigned needs;                    /* parts; all of them are needed */
    enum scaled scaled;
    const char *units;     /* NULL: none, or by `scaled` */
    const char *long_name; /* `#`, `@` as in the name; NULL: none */
    const char *flags; /* flag_meanings of the values 0, 1, …; NULL: none */
    const char *key, *value; /* another attribute; `@`: time x y [z] */
};
extern const struct schema_entry schema[]; /* in file order; name NULL ends */

/* The entries that are made for others: the checksums of a variable by rows,
 * the places of a field's chunks, a text of /provenance and its length. */
extern const struct schema_entry schema_crc, schema_chunk, schema_text,
    schema_text_length;

/* Groups that other programs may read alone: they have their own attributes and
 * also contain the root's time and step (as second hard links). */
struct schema_group {
    const char *name;
    const char *key, *value; /* NULL: none */
};
extern const struct schema_group schema_groups[]; /* name NULL ends */

#endif
