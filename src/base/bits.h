/* SPDX-License-Identifier: MIT */
/* Arrays with one bit for each item, the first in the lowest bit of byte 0. */
#ifndef HAMON_BASE_BITS_H
#define HAMON_BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline void bit_set(uint8_t *bits, ptrdiff_t index, bool on)
{
    uint8_t bit = (uint8_t)(1u << (index & 7));
    bits[index >> 3] = (uint8_t)((bits[index >> 3] & ~bit) | (on ? bit : 0));
}

#endif
