/* SPDX-License-Identifier: MIT */
#define VECTOR 64
#define ITEM 8
#include "wave/laplace/loops/flat.inc"
