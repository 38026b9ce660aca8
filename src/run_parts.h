/* SPDX-License-Identifier: MIT */
/* What a run is made of, for its own files only. */
#ifndef HAMON_RUN_PARTS_H
#define HAMON_RUN_PARTS_H

#include "recording/recorder.h"
#include "run.h"
#include "run_arrivals.h"
#include "run_plan.h"
#include "simulate.h"

/* What a row is made of: packed fields of every wave. */
struct run_fields {
    void **amplitude, **gradient[GRID_AXES];
    bool *packed; /* (waves): amplitude is of this generation */
    struct recording_lying *lying; /* (waves): of rows of which the
                                      checksum alone is kept */
};

struct run {
    const struct scenario *scenario;
    struct run_options options;
    struct run_plan plan;
    struct simulation *simulation;
    struct recorder *recorder;
    bool under_way;               /* of ranks: they count on each other */
    struct run_arrivals arrivals; /* where record.fields has them */
    /* The recorder writes from the others while the next row goes into one. */
    struct run_fields *fields;
    size_t field_sets, turn;         /* the one to fill */
    void *restart;                   /* the run's state at a commit */
    struct state_shared state;       /* the same where ranks share the run */
    double target_before[GRID_AXES]; /* its place one step ago */
    size_t version;                  /* of the map: the last one written */
    int64_t rows, committed;
    int64_t committed_step; /* −1: nothing is committed */
    int64_t lost;           /* arrivals that were lost to underflow */
    uint64_t row_bytes;
    double commit_time;
    double simulated;        /* seconds spent on the simulation alone */
    int64_t simulated_steps; /* by this program, not by the one gone on from */
};

/* Seconds of a clock that goes on steadily. */
double run_clock(void);

/* run.c: events and emissions of this step, and all that is recorded of it. */
enum status run_look(struct run *run, struct error *error);

/* run_state.c: what the next steps and their rows depend on: measured for the
 * plan, saved into run->restart or listed in run->state, loaded from there or,
 * by ranks, from byte `at` of the file. STATUS_INPUT where it does not go with
 * the run's rows, or is none that the scenario makes; all ranks together. */
enum status run_state_measure(struct run *run, struct error *error);
enum status run_state_save(struct run *run, struct error *error);
enum status run_state_load(struct run *run, uint64_t at, struct error *error);

/* run_row.c: memory for the fields of a row, as the plan has them. */
enum status run_fields_new(struct run *run, struct error *error);
void run_fields_release(struct run *run);

/* What is packed is of a generation that has gone by. */
void run_forget_fields(struct run *run);
void run_forget_field(struct run *run, int wave);

/* The wave's newest generation, packed; it is copied out once a generation. */
const void *run_amplitude(struct run *run, int wave);

/* Writes the row that stands now; and what happened at this step into the
 * tables. */
enum status run_record_row(struct run *run, struct error *error);
enum status run_record_happenings(struct run *run, struct error *error);

/* The plans that are due at this step and not made yet: part of the above. */
enum status run_record_plans(struct run *run, struct error *error);

#endif
