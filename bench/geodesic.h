/* SPDX-License-Identifier: MIT */
/* The truth that headings are measured against in bench/: exact shortest
 * paths among wall cells, by a visibility graph of their convex corners. */
#ifndef HAMON_BENCH_GEODESIC_H
#define HAMON_BENCH_GEODESIC_H

#include "world/terrain.h"

#include <stdbool.h>

struct geodesic {
    const struct terrain *terrain; /* 2D */
    double (*corner)[2];           /* [0] is the source */
    double *length;                /* of the path from each corner */
    size_t corners;
};

bool geodesic_new(struct geodesic *geodesic, const struct terrain *terrain,
                  size_t source);
void geodesic_release(struct geodesic *geodesic);

/* Whether the straight piece meets no wall. */
bool geodesic_sees(const struct terrain *terrain, const double from[2],
                   const double to[2]);

/* The length of the shortest path from `at` to the source (+∞: none), and the
 * place it goes to first. */
double geodesic_path(const struct geodesic *geodesic, const double at[2],
                     double next[2]);

#endif
