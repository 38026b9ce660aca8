/* SPDX-License-Identifier: MIT */
/* The state of a packing, for the files of this folder. */
#ifndef HAMON_RECORDING_PACK_PACKING_H
#define HAMON_RECORDING_PACK_PACKING_H

#include "base/team.h"
#include "recording/pack/pack.h"
#include "recording/read/file.h"

enum { PACK_TEXTS = 2 };

/* A text that packing adds to /provenance. */
struct pack_text {
    const char *name;
    char value[64];
};

struct packing {
    const struct pack_options *options;
    struct recording *from;
    struct team *team;
    char *temporary; /* the new file; release with memory_release */
    struct layout layout;
    struct shape shape;
    int keep_bits; /* of this packing or an earlier one; 0: all */
    struct pack_text texts[PACK_TEXTS];
    size_t text_count;
    int64_t path_cells; /* rows of /plans/path in use */
};

/* Rounds to `keep` bits of the mantissa, ties to even. Values that would become
 * infinite, and NaN, are not changed. */
void pack_round(enum element_type type, int keep, void *values, size_t count);

/* Reads a row of the old recording as it is written to the new one; and the
 * number of rows. */
enum status pack_read(const struct packing *packing,
                      const struct layout_item *item, int64_t row, void *out,
                      struct error *error);
int64_t pack_rows(const struct layout_item *item);

/* Cells of the largest row of a field. */
uint64_t pack_row_cells(const struct packing *packing);

/* The error of each thread; and the first of them, or STATUS_OK. */
struct pack_faults {
    enum status status[PACK_THREADS_MOST];
    struct error error[PACK_THREADS_MOST];
};
enum status pack_fault(const struct packing *packing,
                       const struct pack_faults *faults, struct error *error);

/* The message for a variable that cannot be written, with the reason from
 * errno. */
enum status pack_unwritten(const struct packing *packing,
                           const struct layout_item *item, struct error *error);

/* The functions above are in packing.c.
 *
 * carry.c: copies into the created file what the old one has besides the
 * schema. STATUS_INPUT if that cannot be: nothing else is written then. And,
 * when the new file is complete, compares it with the old one in this. */
enum status pack_carry(const struct packing *packing, struct error *error);
enum status pack_verify_carried(const struct packing *packing,
                                struct recording *made, struct error *error);

/* fields.c: writes the chunks of all packed fields, their places, and the
 * checksums into the created file. */
enum status pack_fields(const struct packing *packing, struct error *error);

/* verify.c: reads the new file back, compares it with the old one, and syncs
 * it. */
enum status pack_verify(const struct packing *packing, struct error *error);

#endif
