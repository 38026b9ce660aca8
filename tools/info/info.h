/* SPDX-License-Identifier: MIT */
/* The report of hamon-info on a recording, gathered once for its text and its
 * JSON, and for the page of hamon-report. */
#ifndef HAMON_TOOLS_INFO_INFO_H
#define HAMON_TOOLS_INFO_INFO_H

#include "base/status.h"
#include "recording/read/recording.h"
#include "view/events.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INFO_NAME_SIZE = 128 };

struct info_agent {
    char name[INFO_NAME_SIZE], method[INFO_NAME_SIZE];
    double at[GRID_AXES]; /* in the last row */
    int state;            /* enum agent_state in the last row, −1 unknown */
    int64_t captured;     /* the step, −1 */
    int64_t arrivals, first, last; /* number; steps, −1 if none */
};

/* One wave's emissions. */
struct info_wave {
    int64_t emissions, first, last; /* steps; −1 if there are none */
};

/* Is a program writing the file now? */
enum info_writer { WRITER_NONE, WRITER_ALIVE, WRITER_UNKNOWN };

struct info {
    const struct recording *recording;
    uint64_t bytes; /* of the file */
    int64_t free_cells;
    size_t versions; /* of the map, up to the last row */
    int64_t planned; /* steps, −1 unknown */
    int wave_count;  /* of those that ran, recorded or not */
    struct info_wave *waves;
    char *parameters; /* the settings' lines, split during printing */
    struct info_agent *agents;
    size_t agent_count;
    struct events events;
    struct error events_fault; /* why they cannot be read; STATUS_OK: nothing */
    bool has_target;
    double target_at[GRID_AXES];
    bool out_of_memory; /* while optional data are read */
    enum info_writer writer;
    bool can_resume;
    /* Health. */
    bool verified;
    int64_t rows_read, rows_bad; /* rows of variables */
    char first_bad[ERROR_MESSAGE_SIZE];
};

/* Reads everything; the rows' checksums too if `verify`. Release with
 * info_release, after failures too. */
enum status info_init(struct info *info, const struct recording *recording,
                      bool verify, struct error *error);
void info_release(struct info *info);

/* The paths of the `brief` settings of a group (NULL: outside of groups); after
 * the run's detector those that it uses. Returns their number. */
enum { INFO_KEYS = 24 };
size_t info_keys(const struct recording *recording, const char *group,
                 const char *paths[INFO_KEYS]);

/* "waiting", …, or "unknown". */
const char *info_state_name(int state);

#endif
