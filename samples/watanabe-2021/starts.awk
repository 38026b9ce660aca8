# SPDX-License-Identifier: MIT
# -v motions="still random" -v count=1000 -v steps=4000: that many chases of a target
# of each motion, as problems of hamon-compare, from the map yard-100.map. The
# starts are free cells 10 cells or more from the target's (50, 54), drawn by
# random.awk.
BEGIN { print "version 1" }
FNR > 4 { cells[FNR - 5] = $0 }
END {
    classes = split(motions, motion, " ")
    for (i = 0; i < classes * count; i++) {
        do {
            x = draw(0, 99)
            y = draw(0, 99)
        } while (substr(cells[y], x + 1, 1) != "." || (x - 50) ^ 2 + (y - 54) ^ 2 < 100)
        class = motion[1 + int(i / count)]
        printf "%s-%d %s yard-100.map a4024b7a - steps = %d; seed = %d; target = { at = [50.0, 54.0]; motion = \"%s\"; }; agents = ( { at = [%d.0, %d.0]; } );\n", \
            class, i, class, steps, i, class, x, y
    }
}
