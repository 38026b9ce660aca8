/* SPDX-License-Identifier: MIT */
/* Many tests at once: Holm's correction (1979). */
#ifndef HAMON_METRICS_HOLM_H
#define HAMON_METRICS_HOLM_H

#include <stddef.h>

/* adjusted[i] = min(1, max over p_j ≤ p_i of (m − #{p_k < p_j}) p_j) for the m
 * numbers in p; a NAN remains NAN and is not counted. R: p.adjust(p,
 * "holm"). */
void holm_adjust(const double *p, size_t count, double *adjusted);

#endif
