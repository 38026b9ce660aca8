/* SPDX-License-Identifier: MIT */
#include "recording/pack/packing.h"

/* Rounds to the kept bits, ties to even: first half of the last kept bit is
 * added (one less if that bit is 0), then the bits behind it are dropped. */
#define DEFINE_ROUND(name, word, mantissa, exponent)                           \
    static void name(word *values, size_t count, int keep)                     \
    {                                                                          \
        const word one = 1, infinite = (word)(exponent) << (mantissa);         \
        const int drop = (mantissa)-keep;                                      \
        if (drop <= 0)                                                         \
            return;                                                            \
        const word half = one << (drop - 1);                                   \
        for (size_t i = 0; i < count; i++) {                                   \
            word was = values[i];                                              \
            word near = was + (half - 1) + (was >> drop & one);                \
            near &= ~((one << drop) - 1);                                      \
            values[i] = (near & infinite) == infinite ? was : near;            \
        }                                                                      \
    }
DEFINE_ROUND(round_single, uint32_t, 23, 0xff)
DEFINE_ROUND(round_double, uint64_t, 52, 0x7ff)

void pack_round(enum element_type type, int keep, void *values, size_t count)
{
    if (keep > 0 && type == TYPE_FLOAT32)
        round_single(values, count, keep);
    else if (keep > 0 && type == TYPE_FLOAT64)
        round_double(values, count, keep);
}

int64_t pack_rows(const struct layout_item *item)
{
    return item->entry->role == ROLE_ROWS ? item->variable.extent[0] : 1;
}

/* The largest field is one over the whole map, or over the region. */
uint64_t pack_row_cells(const struct packing *packing)
{
    return grid_cells(&packing->from->grid);
}

enum status pack_read(const struct packing *packing,
                      const struct layout_item *item, int64_t row, void *out,
                      struct error *error)
{
    const struct recording *from = packing->from;
    const struct layout_item *was =
        layout_find(&from->layout, item->variable.name);
    size_t bytes = item->entry->role == ROLE_ROWS ? layout_row_bytes(item)
                                                  : (size_t)item->bytes;
    enum status status =
        packing->options->go_on ? packing->options->go_on(error) : STATUS_OK;
    if (status)
        return status;
    if (item->keyframed) /* only stored frames */
        return recording_read_stored(
            from, was, row / 2 * from->keyframes + row % 2, out, error);
    if (item->entry->role == ROLE_ROWS && !item->variable.by_row)
        status = recording_read_stored(from, was, row, out, error);
    else
        status = recording_read(from, &was->variable, row, out, error);
    if (!status)
        pack_round(item->variable.type, item->keep_bits, out,
                   bytes / element_bytes(item->variable.type));
    return status;
}

enum status pack_fault(const struct packing *packing,
                       const struct pack_faults *faults, struct error *error)
{
    for (int i = 0; i < team_threads(packing->team); i++)
        if (faults->status[i]) {
            *error = faults->error[i];
            return faults->status[i];
        }
    return STATUS_OK;
}

enum status pack_unwritten(const struct packing *packing,
                           const struct layout_item *item, struct error *error)
{
    return error_system(error, STATUS_DISK, "%s: %s cannot be written",
                        packing->options->out, item->variable.name);
}
