/* SPDX-License-Identifier: MIT */
#include "draw/colormap.h"

#include <string.h>

const char *const colormap_kind_names[] = { "sequential", "diverging",
                                            "cyclic" };

#define ROW(map, its_kind, its_words)                                          \
    static const struct colormap map = { #map, its_kind, colormap_##map,       \
                                         its_words }
ROW(viridis, COLORMAP_SEQUENTIAL,
    "even steps, safe in print and for most eyes");
ROW(cividis, COLORMAP_SEQUENTIAL, "the same to eyes that see no red or green");
ROW(magma, COLORMAP_SEQUENTIAL, "from black through purple to cream");
ROW(batlow, COLORMAP_SEQUENTIAL, "even steps, reads well in gray");
ROW(vik, COLORMAP_DIVERGING, "blue, white, red: signed fields");
ROW(berlin, COLORMAP_DIVERGING,
    "blue, black, red: signed fields on dark slides");
ROW(RdBu, COLORMAP_DIVERGING, "red, white, blue (-RdBu: blue to red)");
ROW(romaO, COLORMAP_CYCLIC, "its ends meet: headings");
ROW(turbo, COLORMAP_SEQUENTIAL, "a rainbow with most detail, not for print");
ROW(gray, COLORMAP_SEQUENTIAL, "white to black, pixel for pixel h5topng's");

const struct colormap *const colormaps[] = {
    &viridis, &cividis, &magma, &batlow, &vik, &berlin,
    &RdBu,    &romaO,   &turbo, &gray,   NULL,
};

const struct colormap *colormap_find(const char *name)
{
    for (const struct colormap *const *map = colormaps; *map; map++)
        if (strcmp((*map)->name, name) == 0)
            return *map;
    return NULL;
}
