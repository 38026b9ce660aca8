# SPDX-License-Identifier: MIT
# Chases on random yards of the kind of yard-100.map, for table 2:
#
#     awk -v yards=100 -v map=yards.map -f samples/random.awk -f samples/watanabe-2021/yards.awk >yards.chase
#
# writes the yards side by side into one map file, and to stdout a chase of a
# still and one of a random target in each, as problems of hamon-compare. A yard
# has 100 x 100 cells and eleven blocks of 4 to 30 cells a side, none of which
# touches another or the edge. Starts are free cells 10 cells or more apart: the
# paper prints neither its map nor its starts.

BEGIN {
    side = 100
    print "version 1"
    for (yard = 0; yard < yards; yard++) {
        for (blocks = 0; blocks < 11;)
            blocks += block(draw(1, 92), draw(1, 92), draw(4, 30), draw(4, 30))
        do {
            tx = free_cell()
            ty = found
            ax = free_cell()
            ay = found
        } while ((ax - tx) ^ 2 + (ay - ty) ^ 2 < 100)
        problem("still")
        problem("random")
    }
    print "type octile\nheight " side "\nwidth " side * yards "\nmap" >map
    for (y = 0; y < side; y++) {
        for (yard = 0; yard < yards; yard++) {
            row = ""
            for (x = 0; x < side; x++)
                row = row ((yard, x, y) in blocked ? "@" : ".")
            printf "%s", row >map
        }
        print "" >map
    }
}

# 1 if the block fits: a cell is left free around it.
function block(x0, y0, wide, high,    x, y) {
    if (x0 + wide > side - 1 || y0 + high > side - 1)
        return 0
    for (y = y0 - 1; y <= y0 + high; y++)
        for (x = x0 - 1; x <= x0 + wide; x++)
            if ((yard, x, y) in blocked)
                return 0
    for (y = y0; y < y0 + high; y++)
        for (x = x0; x < x0 + wide; x++)
            blocked[yard, x, y] = 1
    return 1
}

# x, and y in `found`.
function free_cell(    x) {
    do {
        x = draw(0, side - 1)
        found = draw(0, side - 1)
    } while ((yard, x, found) in blocked)
    return x
}

function problem(class) {
    printf "%s-%d %s yards.map:%d,0,%d,%d - - steps = 4000; seed = %d; target = { at = [%d.0, %d.0]; motion = \"%s\"; }; agents = ( { at = [%d.0, %d.0]; } );\n", \
        class, yard, class, yard * side, (yard + 1) * side - 1, side - 1, yard, tx, ty, class, ax, ay
}
