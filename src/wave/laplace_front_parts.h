/* SPDX-License-Identifier: MIT */
/* Inside the front of the Laplace-weighted wave. */
#ifndef HAMON_WAVE_LAPLACE_FRONT_PARTS_H
#define HAMON_WAVE_LAPLACE_FRONT_PARTS_H

#include "wave/generations.h"
#include "wave/laplace_front.h"

/* log2: what the largest |z| falls by before it is brought up, and what it is
 * brought up by at most. */
enum { LAPLACE_FRONT_FALLEN = 10, LAPLACE_FRONT_BROUGHT = 12 };

struct laplace_front_row {
    double most;  /* the largest |z| of the cells that are open still */
    bool arrives; /* the detector has just held somewhere */
};

static inline bool laplace_front_is_single(const struct laplace_front *front)
{
    return front->medium->layout.item == sizeof(float);
}

/* That of the smaller p, by which cells are closed. */
static inline struct laplace *laplace_front_slower(struct laplace_front *front)
{
    return &front->pair.sum[front->pair.count - 1];
}

static inline size_t laplace_front_rows(const struct laplace_front *front)
{
    const struct grid *grid = &front->medium->layout.grid;
    return (size_t)grid->ny * (size_t)grid->nz;
}

/* Whether age `age` is one that cells are closed at. */
static inline bool laplace_front_looks(const struct laplace_front *front)
{
    return (front->age + 1) % front->look_every == 0;
}

/* Steps 2 to 5: the wave's newest generation is that of `age`. */
void laplace_front_take(struct laplace_front *front, struct team *team);

/* Step 5, where the largest |z| of what is open is `most`. */
void laplace_front_bring_up(struct laplace_front *front, double most,
                            struct team *team);

/* A cell's arrivals of this age become its steps, but for what is lost. */
void laplace_front_tell(struct laplace_front *front, size_t cell);

/* z and open V times 2^by, in what is lit. */
void laplace_front_multiply(struct laplace_front *front, int by,
                            struct team *team);

/* How many powers of two `most` is short of the largest |z|. */
int laplace_front_short_of(const struct laplace_front *front, double most);

#endif
