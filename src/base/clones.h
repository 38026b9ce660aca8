/* SPDX-License-Identifier: MIT */
/* Compiles plain loops in several versions, one for each set of vector
 * instructions; the version is chosen when the program starts. The bits are the
 * same in all: no operation is fused or reordered. gcc's analyser cannot follow
 * the choice of a version, so for it (make analyse) there is only one, as for
 * other processors than x86-64 and without glibc (configure). */
#ifndef HAMON_BASE_CLONES_H
#define HAMON_BASE_CLONES_H

#if !defined(HAMON_NO_CLONES) && !defined(HAMON_ANALYSE)
#define VECTOR_CLONES                                                          \
    __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define VECTOR_CLONES
#endif

#endif
