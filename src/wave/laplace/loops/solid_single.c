/* SPDX-License-Identifier: MIT */
#define VECTOR 16
#define ITEM 4
#include "wave/laplace/loops/solid.inc"
