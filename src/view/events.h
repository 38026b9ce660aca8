/* SPDX-License-Identifier: MIT */
/* The events of a run, in the order of their steps, from what is recorded of
 * its waves, agents, target and map. Fields are not needed. */
#ifndef HAMON_VIEW_EVENTS_H
#define HAMON_VIEW_EVENTS_H

#include "recording/read/recording.h"

/* Events of one step have this order. */
enum event_kind {
    EVENT_MAP,     /* the map changes */
    EVENT_TARGET,  /* the target moves for the first time */
    EVENT_SENT,    /* a wave is emitted */
    EVENT_ARRIVAL, /* the first wave that an agent detects */
    EVENT_START,   /* an agent moves, first or after it was stuck */
    EVENT_STUCK,   /* an agent that moved or waited is stuck */
    EVENT_CAPTURE, /* an agent captures the target */
    EVENT_KINDS
};

/* "map", "target", "sent", "arrival", "start", "stuck", "capture". */
extern const char *const event_kind_names[EVENT_KINDS + 1]; /* NULL ends */

enum { EVENT_TEXT_SIZE = 160 };

/* Steps of `target`, `start` and `stuck` are those of the first recorded row
 * that shows it. */
struct event {
    int64_t step;
    enum event_kind kind;
    int agent; /* its number; −1: of no agent */
    int wave;  /* −1: of no wave */
    char text[EVENT_TEXT_SIZE];
};

struct events {
    struct event *event; /* by step, kind, wave and agent */
    size_t count;
    char (*name)[EVENT_TEXT_SIZE]; /* of each agent; "agent 3": not recorded */
    int *state; /* of each agent in the last row, an enum agent_state */
    size_t agents;
};

/* Reads them. Release with events_release, after a failure too. */
enum status events_read(const struct recording *recording,
                        struct events *events, struct error *error);
void events_release(struct events *events);

/* The wave that was emitted last up to a step; −1: none. */
int events_newest_wave(const struct events *events, int64_t step);

#endif
