# SPDX-License-Identifier: MIT
# Random maps and starts of the kinds that the paper describes:
#
#     awk -v count=100 -v folder=kinds -f samples/random.awk -f samples/pincer-2025/kinds.awk
#
# writes count scenarios of each verification, folder/v1-1.cfg and so on, each
# with its own map. The paper prints neither; it gives the size of each map, and
# says "simple", "streets narrow and wide", "streets of four cells or more",
# "wide and complex", one-way cells, cells of five times the cost, pursuers at
# opposite corners, three pursuers, eight directions.

BEGIN {
    for (i = 1; i <= count; i++) {
        # side, streets' least and largest width, blocks' least and largest side
        scenario("v1", 20, 2, 2, 4, 8)
        scenario("v2", 20, 1, 4, 2, 5)
        scenario("v3", 40, 4, 5, 8, 14)
        scenario("v4", 40, 2, 5, 4, 9)
        scenario("v5", 20, 2, 2, 4, 8)
        scenario("v6", 20, 2, 2, 4, 8)
        scenario("v7", 20, 2, 2, 4, 8)
        scenario("v8", 20, 2, 2, 4, 8)
        scenario("v9", 20, 2, 2, 4, 8)
    }
}

# ---- a map: streets cut a square of walls, until no block is too large ----

function town(side,    x, y, ring) {
    n = side
    split("", free)
    ring = draw(street_low, street_high)
    for (x = 1; x < n - 1; x++)
        for (y = 1; y < n - 1; y++)
            free[x, y] = 1
    block(1 + ring, 1 + ring, n - 2 - ring, n - 2 - ring)
}

function block(x0, y0, x1, y1,    wide, high, side, street, first, x, y) {
    wide = x1 - x0 + 1
    high = y1 - y0 + 1
    side = wide > high ? wide : high
    street = draw(street_low, street_high)
    if (side <= block_high || side - street < 2 * block_low) {
        for (x = x0; x <= x1; x++)
            for (y = y0; y <= y1; y++)
                delete free[x, y]
        return
    }
    first = draw(block_low, side - street - block_low)
    if (wide > high) {
        block(x0, y0, x0 + first - 1, y1)
        block(x0 + first + street, y0, x1, y1)
    } else {
        block(x0, y0, x1, y0 + first - 1)
        block(x0, y0 + first + street, x1, y1)
    }
}

function save_map(path,    x, y, row) {
    printf "type octile\nheight %d\nwidth %d\nmap\n", n, n >path
    for (y = 0; y < n; y++) {
        row = ""
        for (x = 0; x < n; x++)
            row = row ((x, y) in free ? "." : "@")
        print row >path
    }
    close(path)
}

# ---- places ----

function abs(a) {
    return a < 0 ? -a : a
}

function pick() {
    do {
        px = draw(1, n - 2)
        py = draw(1, n - 2)
    } while (!((px, py) in free))
}

# Pursuers next to each other in a straight street, so that their shortest paths
# coincide: with Dijkstra the mean distance in table 3 is 1.02 to 1.36 cells.
function pick_line(pursuers,    way, dx, dy, k, good) {
    do {
        pick()
        way = draw(0, 3)
        dx = way == 0 ? 1 : way == 1 ? -1 : 0
        dy = way == 2 ? 1 : way == 3 ? -1 : 0
        good = 1
        for (k = 1; k < pursuers; k++)
            good = good && ((px + k * dx, py + k * dy) in free)
    } while (!good)
    for (k = 1; k <= pursuers; k++) {
        ax[k] = px + (k - 1) * dx
        ay[k] = py + (k - 1) * dy
    }
}

# The evader, six cells or more from each pursuer.
function pick_evader(pursuers,    k, good) {
    do {
        pick()
        good = 1
        for (k = 1; k <= pursuers; k++)
            good = good && abs(px - ax[k]) + abs(py - ay[k]) >= 6
    } while (!good)
}

# Four places where a street of at most four cells is one-way.
function one_way(    k, way, dx, dy, low, high, list) {
    for (k = 0; k < 4;) {
        pick()
        way = draw(0, 3)
        dx = way < 2 ? 0 : 1 # along the row of cells across the street
        dy = 1 - dx
        for (low = 0; (px - (low + 1) * dx, py - (low + 1) * dy) in free; low++)
            continue
        for (high = 0; (px + (high + 1) * dx, py + (high + 1) * dy) in free; high++)
            continue
        if (low + high + 1 > 4)
            continue
        list = list (k ? ",\n" : "") sprintf("    { box = [%d, %d, %d, %d]; one_way = \"%s\"; }", px - low * dx, py - low * dy, \
            px + high * dx, py + high * dy, way == 0 ? "east" : way == 1 ? "west" : way == 2 ? "north" : "south")
        k++
    }
    return list
}

# Two squares of four cells that cost five times as much.
function costly(    k, list) {
    for (k = 0; k < 2;) {
        pick()
        if (!((px + 1, py) in free && (px, py + 1) in free && (px + 1, py + 1) in free))
            continue
        list = list (k ? ",\n" : "") sprintf("    { box = [%d, %d, %d, %d]; cost = 5.0; }", px, py, px + 1, py + 1)
        k++
    }
    return list
}

# ---- a scenario ----

function scenario(name, side, s0, s1, b0, b1,    pursuers, k, path, regions) {
    street_low = s0
    street_high = s1
    block_low = b0
    block_high = b1
    town(side)
    pursuers = name == "v8" ? 3 : 2
    pick_line(pursuers)
    if (name == "v7") {
        ax[1] = ay[1] = 1
        ax[2] = ay[2] = n - 2
    }
    pick_evader(pursuers)
    path = folder "/" name "-" i ".cfg"
    printf "map = { file = \"%s-%d.map\"; };\nsteps = 30000;\nseed = %d;\n", name, i, i >path
    printf "target = { at = [%d.0, %d.0]; motion = \"evade\"; speed = 0.05; };\nagents = (\n", px, py >path
    for (k = 1; k <= pursuers; k++)
        printf "    { at = [%d.0, %d.0]; method = \"pincer\"; speed = 0.05; }%s\n", ax[k], ay[k], k < pursuers ? "," : "" >path
    printf ");\npursuit = { capture_radius = 1.0; moves = %d; measure = \"steps\"; replan = 15; stop = \"any-captured\"; };\n", \
        name == "v9" ? 8 : 4 >path
    regions = name == "v5" ? one_way() : name == "v6" ? costly() : ""
    if (regions)
        printf "regions = (\n%s\n);\n", regions >path
    close(path)
    save_map(folder "/" name "-" i ".map")
}
