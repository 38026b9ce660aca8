/* SPDX-License-Identifier: MIT */
/* wave_step written directly from the equation of wave.h: from the terrain
 * alone, one neighbour at a time. The reference for the fast loops. */
#ifndef HAMON_TESTS_WAVE_PLAIN_H
#define HAMON_TESTS_WAVE_PLAIN_H

#include "wave/generations.h"

void wave_step_plain(struct wave *wave);

#endif
