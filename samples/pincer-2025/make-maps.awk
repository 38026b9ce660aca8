# SPDX-License-Identifier: MIT
# Draws the maps of this folder:
#
#     awk -v folder=samples/pincer-2025 -f samples/pincer-2025/make-maps.awk

BEGIN {
    if (folder == "")
        folder = "."
    canvas(14)
    boxes("3 3 5 5, 8 3 10 5, 3 8 5 10, 8 8 10 10")
    save("method-14")

    canvas(20)
    blocks()
    save("simple-20")
    heights()

    canvas(20)
    boxes("3 2 5 4, 3 7 4 12, 7 2 11 4, 13 3 16 7, 6 7 8 10, 10 6 11 11, " \
        "13 10 17 11, 2 15 6 17, 6 12 8 13, 10 13 13 14, 15 13 16 16, 8 16 12 17")
    save("complex-20")

    canvas(40)
    boxes("5 5 17 17, 22 5 34 17, 5 22 17 34, 22 22 34 34")
    save("wide-40")

    canvas(40)
    boxes("4 4 9 11, 13 3 21 8, 26 5 35 8, 4 15 7 24, 11 12 18 18, 22 12 25 20, " \
        "29 12 36 15, 29 19 34 25, 10 22 19 25, 23 24 26 30, 4 28 12 35, " \
        "16 29 19 36, 23 34 35 36, 30 29 36 31")
    save("complex-40")
}

# A square of free cells with a wall round it.
function canvas(side) {
    n = side
    box(0, 0, n - 1, n - 1, "@")
    box(1, 1, n - 2, n - 2, ".")
}

function box(x0, y0, x1, y1, symbol,    x, y) {
    for (y = y0; y <= y1; y++)
        for (x = x0; x <= x1; x++)
            cells[x, y] = symbol
}

# Walls: "x0 y0 x1 y1, ..."
function boxes(list,    i, count, each, end) {
    count = split(list, each, ", *")
    for (i = 1; i <= count; i++) {
        split(each[i], end, " ")
        box(end[1], end[2], end[3], end[4], "@")
    }
}

# Four blocks of 6 x 6, streets two wide.
function blocks() {
    boxes("3 3 8 8, 11 3 16 8, 3 11 8 16, 11 11 16 16")
}

function save(name,    file, x, y, row) {
    file = folder "/" name ".map"
    print "type octile\nheight " n "\nwidth " n "\nmap" > file
    for (y = 0; y < n; y++) {
        row = ""
        for (x = 0; x < n; x++)
            row = row cells[x, y]
        print row > file
    }
    close(file)
}

# The streets of the current map on a hill: they rise a cell at every eighth
# step from the north-west to the south-east, five storeys in all (z = 0 is
# the highest). A street is free at its own height, and at the lower end of a rise
# up to the height of the next cell, so that the rise can be climbed.
function heights(    file, x, y, z, low, high) {
    file = folder "/heights-20.3dmap"
    print "voxel " n " " n " 5" > file
    for (x = 0; x < n; x++)
        for (y = 0; y < n; y++) {
            low = 4 - storey(x, y)
            high = 4 - storey(x + 1, y)
            for (z = 0; z < 5; z++)
                if (cells[x, y] == "@" || z > low || z < high)
                    print x, y, z > file
        }
    close(file)
}

function storey(x, y) {
    return x + y < 40 ? int((x + y) / 8) : 4
}
