/* SPDX-License-Identifier: MIT */
#define VECTOR 16
#define ITEM 8
#include "wave/laplace/loops/flat.inc"
