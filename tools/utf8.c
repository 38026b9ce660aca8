/* SPDX-License-Identifier: MIT */
#include "utf8.h"

size_t utf8_character(const unsigned char *at)
{
    static const struct {
        unsigned char low, high, next_low, next_high;
        size_t length;
    } rows[] = {
        { 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
        { 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 },
        { 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
        { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
    };
    if (at[0] < 0x80)
        return 1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (at[0] < rows[i].low || at[0] > rows[i].high)
            continue;
        if (at[1] < rows[i].next_low || at[1] > rows[i].next_high)
            return 0;
        for (size_t b = 2; b < rows[i].length; b++)
            if (at[b] < 0x80 || at[b] > 0xbf)
                return 0;
        return rows[i].length;
    }
    return 0;
}
