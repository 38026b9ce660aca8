#!/bin/sh
# SPDX-License-Identifier: MIT
# rooms.sh [SOURCES]: prints which folder includes which, lowest floor first:
# a line is "floor folder: folders it includes". If the graph has circles it
# prints the folders of each and exits with 1. A folder's floor is one more
# than the highest floor that it includes.
set -u
cd "${1:-$(dirname "$0")/..}" || exit 1
find src tools analysis \( -name '*.[ch]' -o -name '*.inc' \) | sort | xargs awk '
    function folder(path) { sub(/\/[^\/]*$/, "", path); return path }
    function add(from, to) {
        if (from == to || (from, to) in edge) return
        edge[from, to] = 1
        list[from] = list[from] " " to
    }
    FNR == 1 { own = folder(FILENAME); sub(/^src\//, "", own); seen[own] = 1 }
    /^#include "/ {
        split($0, part, "\"")
        if (part[2] ~ /\//) { add(own, folder(part[2])); seen[folder(part[2])] = 1 }
    }
    # floor_of: 0 if nothing is included; -1 is being computed: a circle.
    function floor_of(room,    n, i, names, highest, below) {
        if (room in floor) return floor[room]
        if (room in open_now) { circle = circle "\n  " path " " room; return 0 }
        open_now[room] = 1
        path = path " " room
        highest = -1
        n = split(list[room], names, " ")
        for (i = 1; i <= n; i++) {
            below = floor_of(names[i])
            if (below > highest) highest = below
        }
        delete open_now[room]
        sub(" [^ ]*$", "", path)
        return floor[room] = highest + 1
    }
    END {
        for (room in seen) floor_of(room)
        for (room in seen)
            printf "%d  %s:%s\n", floor[room], room, list[room] | "sort -n"
        close("sort -n")
        if (circle != "") { print "circles:" circle; exit 1 }
    }'
