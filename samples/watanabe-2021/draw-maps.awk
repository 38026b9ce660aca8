# SPDX-License-Identifier: MIT
# Draws the maps of these samples: an open field, and a yard at 100 x 100 and at
# 200 x 200 cells:
#
#     awk -v folder=samples/watanabe-2021 -f samples/watanabe-2021/draw-maps.awk
#
# The paper publishes no map. Its text describes a grid of 100 x 100 or
# 200 x 200 points, walls that agents cannot enter, and obstacles to move around;
# so this is an open square with eleven blocks, none of which touches another or
# the edge.

BEGIN {
    if (folder == "")
        folder = "."
    split("", blocked)
    save("field-121", 121)
    yard("yard-100", 1)
    yard("yard-200", 2)
}

function yard(name, scale) {
    split("", blocked)
    block(14, 14, 29, 21, scale)
    block(44, 8, 51, 31, scale)
    block(66, 18, 85, 25, scale)
    block(10, 36, 17, 61, scale)
    block(30, 40, 57, 47, scale)
    block(72, 40, 79, 63, scale)
    block(30, 60, 37, 83, scale)
    block(50, 62, 65, 69, scale)
    block(12, 74, 19, 89, scale)
    block(52, 82, 75, 89, scale)
    block(86, 72, 91, 91, scale)
    save(name, 100 * scale)
}

function save(name, side,    file, x, y, row) {
    file = folder "/" name ".map"
    print "type octile\nheight " side "\nwidth " side "\nmap" > file
    for (y = 0; y < side; y++) {
        row = ""
        for (x = 0; x < side; x++)
            row = row ((x, y) in blocked ? "@" : ".")
        print row > file
    }
    close(file)
}

# Cells x0 ... x1, y0 ... y1 of the small yard.
function block(x0, y0, x1, y1, scale,    x, y) {
    for (y = scale * y0; y < scale * (y1 + 1); y++)
        for (x = scale * x0; x < scale * (x1 + 1); x++)
            blocked[x, y] = 1
}
