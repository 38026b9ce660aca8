# SPDX-License-Identifier: MIT
# Draws all sample maps (*.map and *.3dmap) of this folder:
#
#     awk -v folder=samples/maps -f samples/maps/make-maps.awk
#
# Lengths are in cells. Corridors are cut into solid wall, so that fixed and
# free walls differ; open maps end at the map's own edge, which is free.

BEGIN {
    if (folder == "")
        folder = "."
    if (towns != "" || ducts != "") {
        some_towns()
        some_ducts()
        exit
    }
    corridors()
    open_field()
    plain()
    strip()
    slits()
    boxes()
    rooms()
    maze("maze-3", 3, 20, 2021)
    maze("maze-5", 5, 14, 2024)
    town("town-60", 60, 2005)
    town("town-120", 120, 616)
    town("town-240", 240, 128)
    two_floors()
    kumagai_open()
    kumagai_boxes()
    kumagai_floors()
    duct("l", 5, 5)
    house()
}

# ---- drawing ----

function canvas(columns, rows, symbol) {
    nx = columns
    ny = rows
    box(0, 0, nx - 1, ny - 1, symbol)
}

function box(x0, y0, x1, y1, symbol,    x, y) {
    for (y = y0; y <= y1; y++)
        for (x = x0; x <= x1; x++)
            cells[x, y] = symbol
}

function save(name,    file, x, y, row) {
    file = folder "/" name ".map"
    print "type octile\nheight " ny "\nwidth " nx "\nmap" > file
    for (y = 0; y < ny; y++) {
        row = ""
        for (x = 0; x < nx; x++)
            row = row cells[x, y]
        print row > file
    }
    close(file)
}

# ---- corridors: centre lines drawn with a square brush as wide as they are.
# The map has room for the widest, so a shape's centre line lies on the same
# cells at every width, and one scenario serves them all. Free cells: width
# times (length of the centre line + width). ----

function corridors(    i, n, widths) {
    n = split("1 3 5 7 11 21", widths, " ")
    for (i = 1; i <= n; i++) {
        straight(widths[i])
        bend_l(widths[i])
        bend_u(widths[i])
        junction_t(widths[i])
        bend_s(widths[i])
        bend_open(widths[i])
    }
}

# A map with room for centre lines from (12, 12) to (12 + dx, 12 + dy): half of
# the widest brush and two cells of wall on each side.
function corridor_canvas(dx, dy) {
    canvas(dx + 25, dy + 25, "@")
}

function stroke(x0, y0, x1, y1, width,    half) {
    half = (width - 1) / 2
    box(12 + x0 - half, 12 + y0 - half, 12 + x1 + half, 12 + y1 + half, ".")
}

function straight(width) {
    corridor_canvas(160, 0)
    stroke(0, 0, 160, 0, width)
    save("corridor-straight-" width)
}

function bend_l(width) {
    corridor_canvas(75, 75)
    stroke(0, 0, 75, 0, width)
    stroke(75, 0, 75, 75, width)
    save("corridor-l-" width)
}

function bend_u(width) {
    corridor_canvas(40, 60)
    stroke(0, 0, 0, 60, width)
    stroke(0, 60, 40, 60, width)
    stroke(40, 0, 40, 60, width)
    save("corridor-u-" width)
}

function junction_t(width) {
    corridor_canvas(100, 70)
    stroke(0, 0, 100, 0, width)
    stroke(50, 0, 50, 70, width)
    save("corridor-t-" width)
}

function bend_s(width) {
    corridor_canvas(40, 60)
    stroke(0, 0, 40, 0, width)
    stroke(0, 0, 0, 30, width)
    stroke(0, 30, 40, 30, width)
    stroke(40, 30, 40, 60, width)
    stroke(0, 60, 40, 60, width)
    save("corridor-s-" width)
}

# A bend whose corridors end at the map's edge, for open edges: from the west to
# the south.
function bend_open(width) {
    canvas(100, 100, "@")
    stroke(-12, 38, 38, 38, width)
    stroke(38, 38, 38, 87, width)
    save("corridor-bend-" width)
}

# ---- open maps ----

function open_field(    file) {
    canvas(241, 241, ".")
    save("field")
    file = folder "/field-3d.3dmap"
    print "voxel 61 61 61" > file
    close(file)
}

# Space for a region of another speed between two sides.
function plain() {
    canvas(161, 121, ".")
    save("plain")
}

# One cell wide: a wave in it is one-dimensional.
function strip() {
    canvas(1400, 1, ".")
    save("strip")
}

# A screen three cells thick with slits seven wide.
function slits() {
    canvas(161, 121, ".")
    box(60, 0, 62, 120, "@")
    box(60, 57, 62, 63, ".")
    save("slit-single")
    box(60, 0, 62, 120, "@")
    box(60, 40, 62, 46, ".")
    box(60, 74, 62, 80, ".")
    save("slit-double")
}

function boxes() {
    canvas(121, 121, ".")
    box(10, 12, 29, 24, "@")
    box(44, 6, 50, 37, "@")
    box(66, 10, 96, 16, "@")
    box(104, 22, 112, 48, "@")
    box(14, 38, 32, 52, "@")
    box(58, 28, 88, 44, "@")
    box(40, 52, 52, 60, "@")
    box(6, 64, 18, 92, "@")
    box(28, 70, 60, 78, "@")
    box(70, 56, 78, 90, "@")
    box(90, 60, 110, 70, "@")
    box(30, 90, 48, 110, "@")
    box(58, 98, 92, 106, "@")
    box(98, 82, 108, 114, "@")
    save("boxes")
}

# Nine rooms of 39 x 39, doors five wide.
function rooms() {
    canvas(121, 121, ".")
    box(40, 0, 40, 120, "@")
    box(80, 0, 80, 120, "@")
    box(0, 40, 120, 40, "@")
    box(0, 80, 120, 80, "@")
    box(40, 8, 40, 12, ".")
    box(80, 26, 80, 30, ".")
    box(40, 62, 40, 66, ".")
    box(80, 50, 80, 54, ".")
    box(40, 108, 40, 112, ".")
    box(80, 90, 80, 94, ".")
    box(30, 40, 34, 40, ".")
    box(100, 40, 104, 40, ".")
    box(50, 80, 54, 80, ".")
    box(112, 80, 116, 80, ".")
    save("rooms")
}

# ---- mazes: n x n crossings joined to a tree that grows from the middle, at
# a cell and a side chosen at random (so its corridors are short); corridors of
# the given width, walls one thick. ----

# Park and Miller's generator: exact in the 53 bits of an awk number.
# In mawk a remainder by % takes longer than this one, which is exact too.
function chance(n) {
    seed *= 16807
    seed -= int(seed / 2147483647) * 2147483647
    return seed - int(seed / n) * n
}

# The free cells of the crossing i = row * n + column.
function cut(i, n, width,    x, y) {
    x = 1 + (i % n) * (width + 1)
    y = 1 + int(i / n) * (width + 1)
    box(x, y, x + width - 1, y + width - 1, ".")
}

# The wall between the crossings i and j, neighbours.
function join(i, j, n, width,    x, y) {
    if (j < i)
        return join(j, i, n, width)
    x = 1 + (i % n) * (width + 1)
    y = 1 + int(i / n) * (width + 1)
    if (j == i + 1)
        box(x + width, y, x + width, y + width - 1, ".")
    else
        box(x, y + width, x + width - 1, y + width, ".")
}

# The neighbours of crossing i that the tree has not reached, in `beside`.
function untouched(i, n, beside,    count) {
    count = 0
    if (i % n > 0 && !(i - 1 in reached))
        beside[count++] = i - 1
    if (i % n < n - 1 && !(i + 1 in reached))
        beside[count++] = i + 1
    if (i >= n && !(i - n in reached))
        beside[count++] = i - n
    if (i < n * (n - 1) && !(i + n in reached))
        beside[count++] = i + n
    return count
}

function maze(name, width, n, start,    growing, count, k, i, j, sides, beside) {
    canvas(n * (width + 1) + 1, n * (width + 1) + 1, "@")
    split("", reached)
    seed = start
    count = 0
    i = int(n / 2) * n + int(n / 2)
    growing[count++] = i
    reached[i] = 1
    cut(i, n, width)
    while (count > 0) {
        k = chance(count)
        i = growing[k]
        sides = untouched(i, n, beside)
        if (sides == 0) {
            growing[k] = growing[--count]
            continue
        }
        j = beside[chance(sides)]
        reached[j] = 1
        cut(j, n, width)
        join(i, j, n, width)
        growing[count++] = j
    }
    save(name)
}

# ---- towns: n x n tiles, houses of 3 to 9 tiles a side at random
# places, at least two tiles of street between them and round the town. ----

function town(name, n, start,    try, x, y, width, height, i) {
    canvas(n, n, ".")
    split("", built)
    seed = start
    for (try = 0; try < 10 * n * n; try++) {
        width = 3 + chance(7)
        height = 3 + chance(7)
        x = 2 + chance(n - 3 - width)
        y = 2 + chance(n - 3 - height)
        if (!is_free(x - 2, y - 2, x + width + 1, y + height + 1))
            continue
        box(x, y, x + width - 1, y + height - 1, "@")
        for (i = 0; i < width * height; i++)
            built[(y + int(i / width)) * nx + x + i % width] = 1
    }
    save(name)
}

# With -v towns="60:1 120:2": only these, of side 60 by seed 1 and so on.
function some_towns(    i, count, each, of) {
    count = split(towns, each, " ")
    for (i = 1; i <= count; i++) {
        split(each[i], of, ":")
        town("town-" of[1] "-" of[2], of[1], of[2])
    }
}

# Are the cells x0 to x1, y0 to y1 free of houses? As no side of a house is
# shorter than 3, testing every third cell and the last of a row or column is
# enough: a house covers three neighbouring cells, or an end. One number as an index takes
# less time than two.
function is_free(x0, y0, x1, y1,    x, y, row) {
    for (y = y0; y < y1 + 3; y += 3) {
        row = (y < y1 ? y : y1) * nx
        for (x = x0; x < x1 + 3; x += 3)
            if (row + (x < x1 ? x : x1) in built)
                return 0
    }
    return 1
}

# ---- two floors of four rooms, 41 x 41 x 11: the upper one z = 0 ... 4, the
# floor between them z = 5, the lower one z = 6 ... 10, and a stairwell. ----

function two_floors(    file, x, y, z) {
    file = folder "/two-floors.3dmap"
    print "voxel 41 41 11" > file
    for (x = 0; x < 41; x++)
        for (y = 0; y < 41; y++)
            for (z = 0; z < 11; z++)
                if (z == 5 ? !inside(x, y, 29, 4, 36, 11) : walled(x, y, z))
                    print x, y, z > file
    close(file)
}

function inside(x, y, x0, y0, x1, y1) {
    return x >= x0 && x <= x1 && y >= y0 && y <= y1
}

# The walls between its rooms, and where their doors are.
function walled(x, y, z) {
    if (x == 20 && z < 5)
        return !(y >= 30 && y <= 34)
    if (x == 20)
        return !(y >= 6 && y <= 10)
    if (y == 20 && z < 5)
        return !(x >= 6 && x <= 10 || x >= 31 && x <= 35)
    if (y == 20)
        return !(x >= 10 && x <= 14 || x >= 27 && x <= 31)
    return 0
}

# ---- ducts: the same in 3D, drawn with a brush of width x width x height about
# centre lines in one layer, which begin at (7, 7, 7) and run east. All shapes
# and cross-sections suit one scenario. ----

# With -v ducts="straight-1x1 l-5x5 t-11x3": only these, of shapes straight, l,
# u, t and s, and odd widths and heights up to 11.
function some_ducts(    i, count, each, of, sides) {
    count = split(ducts, each, " ")
    for (i = 1; i <= count; i++) {
        if (each[i] !~ /^(straight|l|u|t|s)-(1|3|5|7|9|11)x(1|3|5|7|9|11)$/) {
            print "make-maps.awk: duct \"" each[i] "\": a shape (straight, l, " \
                  "u, t or s) and an odd width and height up to 11 are " \
                  "required, as in l-5x3" > "/dev/stderr"
            exit 2
        }
        split(each[i], of, "-")
        split(of[2], sides, "x")
        duct(of[1], sides[1], sides[2])
    }
}

function duct(shape, width, height,    i, count, turns, corner, from, to,
              columns, rows) {
    if (shape == "straight")
        turns = "80,0"
    else if (shape == "l")
        turns = "30,0 30,30"
    else if (shape == "u")
        turns = "30,0 30,20 0,20"
    else if (shape == "t")
        turns = "60,0 30,0 30,30"
    else
        turns = "24,0 24,20 48,20"
    count = split("0,0 " turns, corner, " ")
    columns = rows = 15
    for (i = 2; i <= count; i++) {
        split(corner[i], to, ",")
        columns = most(columns, 15 + to[1])
        rows = most(rows, 15 + to[2])
    }
    split("", solid)
    fill(0, 0, 0, columns - 1, rows - 1, 14)
    for (i = 2; i <= count; i++) {
        split(corner[i - 1], from, ",")
        split(corner[i], to, ",")
        leg(from[1], from[2], to[1], to[2], width, height)
    }
    voxels("duct-" shape "-" width "x" height, columns, rows, 15)
}

# Clears the cells that the brush passes over from one point to another.
function leg(x0, y0, x1, y1, width, height,    half, up) {
    half = (width - 1) / 2
    up = (height - 1) / 2
    clear(7 + least(x0, x1) - half, 7 + least(y0, y1) - half, 7 - up,
          7 + most(x0, x1) + half, 7 + most(y0, y1) + half, 7 + up)
}

function least(a, b) {
    return a + 0 < b + 0 ? a + 0 : b + 0
}

function most(a, b) {
    return a + 0 > b + 0 ? a + 0 : b + 0
}

# ---- a house of two storeys, 35 x 35 x 17 with its outer walls: upstairs z =
# 1 ... 7, the floor between them z = 8, downstairs z = 9 ... 15. In the middle a
# spiral stair four wide and six high goes once round a pillar, from a door in
# the east downstairs to one beside it upstairs. Three walls with doors make
# rooms of the rest. ----

function house(    x, y, top) {
    split("", solid)
    fill(0, 0, 0, 34, 34, 16)
    clear(1, 1, 1, 33, 33, 7)
    clear(1, 1, 9, 33, 33, 15)
    fill(10, 10, 0, 24, 24, 16)
    for (x = 11; x <= 23; x++)
        for (y = 11; y <= 23; y++) {
            if (x >= 15 && x <= 19 && y >= 15 && y <= 19)
                continue
            top = 10 - climbed(x - 17, y - 17)
            clear(x, y, top, x, y, top + 5)
        }
    clear(24, 17, 10, 24, 19, 15)
    clear(24, 14, 2, 24, 16, 7)
    fill(17, 1, 1, 17, 9, 15)
    fill(17, 25, 1, 17, 33, 15)
    fill(1, 17, 1, 9, 17, 15)
    clear(17, 3, 2, 17, 6, 7)
    clear(17, 28, 2, 17, 31, 7)
    clear(3, 17, 2, 6, 17, 7)
    clear(17, 5, 10, 17, 8, 15)
    clear(17, 26, 10, 17, 29, 15)
    clear(6, 17, 10, 9, 17, 15)
    voxels("house", 35, 35, 17)
}

# How high the stair is at (x, y) from the pillar's middle: 0 in the east, and
# round by the south up to 8.
function climbed(x, y,    part) {
    part = atan2(y, x) / 6.2831853071795865
    return int(8.6 * (part < 0 ? part + 1 : part))
}

# ---- Kumagai (2024): 50 x 50 x 50, drawn to the thesis' descriptions; z
# increases downwards. ----

function voxels(name, columns, rows, layers,    file, x, y, z) {
    file = folder "/" name ".3dmap"
    print "voxel", columns, rows, layers > file
    for (x = 0; x < columns; x++)
        for (y = 0; y < rows; y++)
            for (z = 0; z < layers; z++)
                if ((x, y, z) in solid)
                    print x, y, z > file
    close(file)
}

function fill(x0, y0, z0, x1, y1, z1,    x, y, z) {
    for (x = x0; x <= x1; x++)
        for (y = y0; y <= y1; y++)
            for (z = z0; z <= z1; z++)
                solid[x, y, z]
}

function clear(x0, y0, z0, x1, y1, z1,    x, y, z) {
    for (x = x0; x <= x1; x++)
        for (y = y0; y <= y1; y++)
            for (z = z0; z <= z1; z++)
                delete solid[x, y, z]
}

function kumagai_open() {
    split("", solid)
    voxels("kumagai-open", 50, 50, 50)
}

# A wall with a gap over it, and a block and a pillar behind it.
function kumagai_boxes() {
    split("", solid)
    fill(30, 8, 14, 32, 40, 49)
    fill(8, 30, 20, 20, 36, 49)
    fill(14, 6, 0, 18, 10, 49)
    voxels("kumagai-boxes", 50, 50, 50)
}

# Two floors of nine rooms: z = 0 ... 23 upstairs, the slab 24 ... 25, 26 ... 49
# downstairs; room walls x = 15 and 34, y = 15 and 34; doors 10 high; the room
# in the middle holds the stairs, under a well through the slab.
function kumagai_floors(    x) {
    split("", solid)
    fill(15, 0, 0, 15, 49, 49)
    fill(34, 0, 0, 34, 49, 49)
    fill(0, 15, 0, 49, 15, 49)
    fill(0, 34, 0, 49, 34, 49)
    fill(0, 0, 24, 49, 49, 25)
    clear(20, 20, 24, 29, 29, 25)
    for (x = 20; x <= 29; x++)
        fill(x, 26, 50 - int(2.4 * (x - 19)), x, 29, 49)
    door(15, 5, 15, 9, 14)
    door(22, 15, 27, 15, 14)
    door(40, 15, 44, 15, 14)
    door(15, 22, 15, 26, 14)
    door(34, 22, 34, 26, 14)
    door(5, 34, 9, 34, 14)
    door(22, 34, 27, 34, 14)
    door(34, 40, 34, 44, 14)
    door(34, 4, 34, 8, 40)
    door(5, 15, 9, 15, 40)
    door(18, 15, 22, 15, 40)
    door(15, 28, 15, 32, 40)
    door(34, 18, 34, 22, 40)
    door(15, 42, 15, 46, 40)
    door(26, 34, 30, 34, 40)
    door(44, 34, 48, 34, 40)
    voxels("kumagai-floors", 50, 50, 50)
}

function door(x0, y0, x1, y1, top) {
    clear(x0, y0, top, x1, y1, top + 9)
}
