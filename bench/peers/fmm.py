# SPDX-License-Identifier: MIT
"""bench/peers/fmm.py FMM FOLDER SIDE ROUNDS: our fast marching compared
with scikit-fmm.

FMM is bench/peers/fmm, FOLDER holds the maps of bench/peers/tcod. Each round
solves with one and then with the other; both start from exact distances in a
disc of radius 4 around a source with free cells around it (scikit-fmm: as the
level set distance - 4), both are second order. Errors are relative to exact
shortest paths, over the cells that both reach: L2 and maximum. Prints a line for
each map: seconds of both (medians), the ratio (median, minimum, maximum), errors
of both.
"""
import subprocess
import sys
import time

import numpy
import skfmm

RADIUS = 4


def find_source(wall):
    """The first cell, outwards from the middle, with a free disc round it."""
    side = len(wall)
    y, x = numpy.mgrid[:side, :side]
    order = numpy.argsort(
        (x - side // 2) ** 2 + (y - side // 2) ** 2, axis=None, kind="stable")
    for cell in order:
        y0, x0 = divmod(int(cell), side)
        if min(x0, y0) < 6 or max(x0, y0) > side - 7:
            continue
        if not wall[y0 - 5:y0 + 6, x0 - 5:x0 + 6].any():
            return x0, y0
    return None


def solve_theirs(wall, x0, y0):
    y, x = numpy.mgrid[:len(wall), :len(wall)]
    away = numpy.hypot(x - x0, y - y0)
    phi = numpy.ma.MaskedArray(away - RADIUS, wall.astype(bool))
    speed = numpy.ones_like(away)
    begun = time.thread_time()
    times = skfmm.travel_time(phi, speed, dx=1.0, order=2)
    seconds = time.thread_time() - begun
    times = numpy.ma.filled(times, numpy.inf) + RADIUS
    return seconds, numpy.where(away <= RADIUS, away, times)


def main():
    program, folder, side, rounds = sys.argv[1:]
    side, rounds = int(side), int(rounds)
    print("%-11s %9s %10s %6s %6s %6s %9s %9s %9s %9s" % (
        "map", "ms, ours", "scikit-fmm", "ratio", "least", "most", "L2, ours",
        "L2", "max, ours", "max"))
    for name in ("random", "rooms", "serpentine", "open"):
        path = "%s/%s" % (folder, name)
        wall = numpy.fromfile(path + ".map", numpy.uint8).reshape(side, side)
        source = find_source(wall)
        if source is None:
            # random walls have no free disc: clear one for both programs
            middle = side // 2
            wall[middle - 5:middle + 6, middle - 5:middle + 6] = 0
            wall.tofile(path + ".fmm-map")
            source = middle, middle
        else:
            wall.tofile(path + ".fmm-map")
        mine, theirs = [], []
        for turn in range(rounds):
            command = [program, path + ".fmm-map", str(side), str(source[0]),
                       str(source[1]), path + ".ours"]
            if turn == 0:
                command.append(path + ".exact")
            mine.append(int(subprocess.check_output(command)) / 1e9)
            seconds, times = solve_theirs(wall, *source)
            theirs.append(seconds)
        ratio = numpy.array(theirs) / numpy.array(mine)
        exact = numpy.fromfile(path + ".exact").reshape(side, side)
        ours = numpy.fromfile(path + ".ours").reshape(side, side)
        both = numpy.isfinite(exact) & numpy.isfinite(ours) & \
            numpy.isfinite(times)
        errors = [numpy.abs(field[both] - exact[both])
                  for field in (ours, times)]
        print("%-11s %9.1f %10.1f %6.2f %6.2f %6.2f %9.4f %9.4f %9.3f %9.3f" % (
            name, 1e3 * numpy.median(mine), 1e3 * numpy.median(theirs),
            numpy.median(ratio), ratio.min(), ratio.max(),
            *[numpy.sqrt((error ** 2).mean()) for error in errors],
            *[error.max() for error in errors]), flush=True)


main()
