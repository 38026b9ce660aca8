/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4), to check whether two files are equal (sha256sum). */
#ifndef HAMON_BASE_SHA256_H
#define HAMON_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BLOCK = 64, SHA256_TEXT = 65 };

struct sha256 {
    uint32_t state[8];
    uint64_t bytes;
    /* the bytes of a block that is not full yet */
    unsigned char block[SHA256_BLOCK];
};

void sha256_start(struct sha256 *sum);
void sha256_add(struct sha256 *sum, const void *data, size_t bytes);

/* The checksum as sha256sum prints it: 64 digits and a NUL. */
void sha256_end(struct sha256 *sum, char text[SHA256_TEXT]);

#endif
