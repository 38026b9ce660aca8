/* SPDX-License-Identifier: MIT */
/* The areas of a plane in which the map differs from the rest: in the speed of
 * waves, in the cost of a step, or in the direction in which cells may be
 * left. */
#ifndef HAMON_VIEW_AREAS_H
#define HAMON_VIEW_AREAS_H

#include "view/regions.h"
#include "view/view.h"

enum area_kind { AREA_SPEED, AREA_COST, AREA_ONE_WAY, AREA_KINDS };

enum { OUTLINED_MOST = 12 };

/* Cells that are connected by their sides and have one value; at least one is
 * free. */
struct outlined {
    double value; /* speed, cost, or 1 + a direction */
    /* The name of the region that its first cell is in, if its setting made the
     * value; else "c = 0.5 at (40, 5)", "cost = 5 at (40, 5)", "one way east at
     * (40, 5)", with the middle of the area in the plane. */
    char name[REGION_NAME_SIZE];
    size_t cells;
    size_t first, loops; /* its outlines, in `loop` */
};

/* Corners of a closed line, from one to the next along the sides of cells: cell
 * (i, j) of the map has corners (i ± ½, j ± ½). The area is to the right of the
 * line as it is seen with y down: an outer line goes clockwise, that of a hole
 * anticlockwise. */
struct outline {
    size_t count;
    double (*corner)[2];
};

struct outlined_areas {
    double rest; /* the value of the rest of the map; 0 for directions */
    struct outlined *area; /* by their first cells, row by row */
    size_t count;
    struct outline *loop;
    size_t loops;
    char none[120]; /* why there are none; "": nothing differs */
};

/* Reads the areas of the view's plane at the row that was read last, in
 * coordinates of the whole map. The value of the rest is 1 if any free cell of
 * the region has it, else the most frequent. With more than OUTLINED_MOST
 * areas, as in gradients, in projections and other views without a plane there
 * are none, and the reason is given. Release with outlined_release, after a
 * failure too. */
enum status outlined_read(struct view *view, enum area_kind kind,
                          struct outlined_areas *areas, struct error *error);
void outlined_release(struct outlined_areas *areas);

#endif
