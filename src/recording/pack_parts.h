/* SPDX-License-Identifier: MIT */
/* What packing is made of, for its own files only. */
#ifndef HAMON_RECORDING_PACK_PARTS_H
#define HAMON_RECORDING_PACK_PARTS_H

#include "base/team.h"
#include "recording/pack.h"
#include "recording/recording_parts.h"

enum { PACK_TEXTS = 2 };

/* What packing adds to /provenance. */
struct pack_text {
    const char *name;
    char value[64];
};

struct packing {
    const struct pack_options *options;
    struct recording *from;
    struct team *team;
    char *temporary; /* the new file; memory_release */
    struct layout layout;
    struct shape shape;
    int keep_bits; /* of this packing or an earlier one; 0: all */
    struct pack_text texts[PACK_TEXTS];
    size_t text_count;
    int64_t path_cells; /* of /plans, used */
};

/* pack_round.c: rounds to `keep` bits of the mantissa, ties to even; what
 * would become infinite, and what is no number, stays. */
void pack_round(enum element_type type, int keep, void *values, size_t count);

/* A row of the old recording as it goes into the new one. */
enum status pack_read(const struct packing *packing,
                      const struct layout_item *item, int64_t row, void *out,
                      struct error *error);
int64_t pack_rows(const struct layout_item *item);

/* pack_fields.c: writes the chunks of all packed fields, their places and the
 * checksums, into the laid-out file. */
enum status pack_fields(const struct packing *packing, struct error *error);

/* pack_copy.c: all the rest; and fields that stay contiguous. */
enum status pack_copy(const struct packing *packing, struct error *error);

/* pack_verify.c: the new file, read back, holds what the old one does; and is
 * on the disk. */
enum status pack_verify(const struct packing *packing, struct error *error);

#endif
