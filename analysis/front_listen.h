/* SPDX-License-Identifier: MIT */
/* What a front hears in each row, by the rules that agents go by. */
#ifndef HAMON_ANALYSIS_FRONT_LISTEN_H
#define HAMON_ANALYSIS_FRONT_LISTEN_H

#include "draw/own_wave.h"
#include "front.h"
#include "wave/arrival_watch.h"

/* What is held while the rows go by. */
struct following {
    struct front *front;
    const struct recording *recording;
    const struct arrival_settings *settings;
    const double (*toward)[2];
    struct first_arrival *first; /* of these, the one that hears: */
    struct first_arrival of_rows;
    struct own_wave own; /* laplace-front */
    const struct emission *emission;
    struct arrival_rules rules;
    struct arrival_watch *watches;      /* of flux: (ny, nx); else NULL */
    const struct variable *variable[3]; /* z, its slope along x and y */
    void *raw;                          /* z as it is recorded */
    double *row[3], *before, *earlier;  /* rows of these, and z before */
};

/* Makes what the detector and the heading rule need, from the emission on;
 * settings, rules and variables are there. */
enum status listen_start(struct following *f, struct error *error);

/* The detector takes the generation of this age, whose rows are read. */
enum status listen_on(struct following *f, int64_t age, struct error *error);

/* Cells at which the wave arrives with the row of this age take their step,
 * time and heading. */
void listen_arrivals(struct following *f, int64_t age);

/* The errors of the row's headings, against the lag behind each arrival; for
 * flux instead, at the end, those of its one heading. */
void listen_lags(struct following *f, int64_t age);
void listen_flux_lag(struct following *f);

#endif
