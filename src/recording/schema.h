/* SPDX-License-Identifier: MIT */
/* The layout of a recording, declared once: docs/format.md in code. A variable
 * has a name, a type, named axes, a unit and a description, whatever its
 * length; writer and reader both go by this. */
#ifndef HAMON_RECORDING_SCHEMA_H
#define HAMON_RECORDING_SCHEMA_H

#include "pursuit/settings.h" /* enum agent_state */

#include <stddef.h>
#include <stdint.h>

enum { VARIABLE_MAX_RANK = 4, VARIABLE_NAME_SIZE = 64, AXIS_NAME_SIZE = 32 };

enum element_type {
    TYPE_INT8,
    TYPE_INT32,
    TYPE_INT64,
    TYPE_UINT32,
    TYPE_FLOAT32,
    TYPE_FLOAT64,
    TYPE_CHAR,
};

size_t element_bytes(enum element_type type);

/* How a run stands, in /status/state. */
enum run_state { RUN_RUNNING, RUN_DONE, RUN_STOPPED, RUN_DIVERGED };
extern const char *const run_state_names[]; /* ends with NULL */

#endif
