/* SPDX-License-Identifier: MIT */
/* Plain loops that the compiler makes vectors of, in versions for the vector
 * units of the machine the program runs on. The bits are the same in all: no
 * operation is fused or reordered. gcc's analyser does not look behind the
 * choice of a version, so for it (make analyse) there is none. */
#ifndef HAMON_BASE_CLONES_H
#define HAMON_BASE_CLONES_H

#if defined(__x86_64__) && defined(__linux__) && !defined(HAMON_ANALYSE)
#define VECTOR_CLONES                                                          \
    __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define VECTOR_CLONES
#endif

#endif
