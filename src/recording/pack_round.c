/* SPDX-License-Identifier: MIT */
#include "recording/pack_parts.h"

/* The bits behind the kept ones, dropped: half of the last kept one is added
 * first, less one where that one is even, so that ties go to even. */
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
    if (item->keyframed) { /* as it is stored */
        int64_t every =
            (int64_t)recording_setting_real(from, "record.keyframes", 2);
        status =
            read_bytes(from, was, (uint64_t)row * bytes, bytes, out, error);
        return status ? status
                      : check_rows(from, was, row / 2 * every + row % 2, 1, out,
                                   error);
    }
    if (item->variable.by_row)
        status = recording_read(from, &was->variable, row, out, error);
    else if (item->entry->role != ROLE_ROWS)
        status = recording_read(from, &was->variable, 0, out, error);
    else
        status =
            read_bytes(from, was, (uint64_t)row * bytes, bytes, out, error);
    if (!status && item->entry->role == ROLE_ROWS && !item->variable.by_row)
        status = check_rows(from, was, row, 1, out, error);
    if (!status)
        pack_round(item->variable.type, item->keep_bits, out,
                   bytes / element_bytes(item->variable.type));
    return status;
}
