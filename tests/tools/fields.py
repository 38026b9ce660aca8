#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Compares fields of pictures with what numpy computes from the recording.

fields.py error RECORDING ERROR.npy: on a map without walls, the angle between
the heading at the first arrival and the straight line to the source.
fields.py flux RECORDING FLUX.npy: -dz/dt grad z at every step, of one emission.
fields.py table TABLE.csv ERROR.npy CAUSE.npy: the numbers of hamon-reflection.
fields.py colors CAUSE.npy PICTURE.png CELL: the cells' colours.
fields.py along RECORDING PICTURE.png ROW LOW HIGH: gray levels, row by row.
fields.py density RECORDING DENSITY.npy STEP [X Y [Z]]: the paths' cells.
fields.py beside PAGE.png LEFT.png RIGHT.png: the page has both pictures.
"""
import csv
import itertools
import os
import sys

import h5py
import numpy

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import vector  # noqa: E402

KINDS = ["phase", "echo", "standing", "stencil", "other", "unknown"]
COLORS = ["1b3a6b", "c44601", "f0a530", "8fd0b8", "e3c6e8", "606060",
          "ffffff", "a8a8a8"]
RIGHT, UNCOUNTED, WALL = 6, 7, bytes((20, 20, 20))


def check(good, *words):
    if not good:
        sys.exit(" ".join(map(str, words)))


def block(run, name):
    return numpy.array(run[name], dtype=float)[:run["status/committed"][()]]


def picture(path):
    with open(path, "rb") as file:
        width, height, rows = vector.decode(file.read())
    return numpy.array([[list(cell) for cell in row] for row in rows])


def error(recording, array):
    run = h5py.File(recording, "r")
    got, z = numpy.load(array).squeeze(), block(run, "wave0")
    slope = [block(run, "wave0_grad_x"), block(run, "wave0_grad_y")]
    arrival = numpy.array(run["wave0_arrival"]).squeeze()
    ys, xs = numpy.indices(arrival.shape)
    sent = numpy.argwhere(arrival == 0)[0]
    away = numpy.hypot(xs - sent[1], ys - sent[0])
    for y, x in numpy.ndindex(arrival.shape):
        came = arrival[y, x]
        if away[y, x] <= 3 or came < 0:
            check(numpy.isnan(got[y, x]), x, y, "has an error")
            continue
        sign = -1 if z[came, y, x] < 0 else 1
        g = [sign * part[came, y, x] for part in slope]
        u = [sent[1] - x, sent[0] - y]
        angle = numpy.degrees(numpy.arctan2(abs(g[0] * u[1] - g[1] * u[0]),
                                            g[0] * u[0] + g[1] * u[1]))
        check(abs(got[y, x] - angle) < 1e-9, x, y, got[y, x], "not", angle)
    check(numpy.isfinite(got).sum() > 100, "too few cells")


def flux(recording, array):
    run = h5py.File(recording, "r")
    got, z = numpy.load(array), block(run, "wave0")
    slopes = [block(run, name) for name in
              ("wave0_grad_x", "wave0_grad_y", "wave0_grad_z") if name in run]
    steps = len(z)
    check(got.shape == z.shape, got.shape, z.shape)
    for k in range(steps):
        before, after = max(k - 1, 0), min(k + 1, steps - 1)
        rate = (z[after] - z[before]) / (after - before)
        length = numpy.sqrt(sum((rate * slope[k]) ** 2 for slope in slopes))
        check(numpy.allclose(got[k], length, rtol=1e-12, atol=1e-300), "step", k)
    check(got.max() > 0, "nothing flows")


def table(name, errors, causes):
    with open(name, newline="", encoding="utf-8") as file:
        head, row = list(csv.reader(file))[:2]
    row = dict(zip(head, row))
    angle, kind = numpy.load(errors).ravel(), numpy.load(causes).ravel()
    counted = angle[numpy.isfinite(angle)]
    wrong = counted > 90
    check(len(counted) == int(row["cells"]), len(counted), row["cells"])
    rms = numpy.sqrt((counted ** 2).mean())
    check(abs(rms - float(row["RMS error"])) < .0051, rms, row["RMS error"])
    check(abs(wrong.mean() - float(row["wrong"])) < 5.1e-5, wrong.mean())
    check((kind < RIGHT).sum() == wrong.sum(), "wrong ones have a cause")
    check((kind == RIGHT).sum() == (~wrong).sum(), "right ones")
    check((kind == UNCOUNTED).sum() == numpy.isnan(angle).sum(), "the rest")
    for number, name in enumerate(KINDS):
        part = (kind == number).sum() / max(wrong.sum(), 1)
        check(not wrong.any() or abs(part - float(row[name])) < 5.1e-4, name, part)
    print(wrong.sum(), "wrong")


def colors(causes, name, cell, recording):
    kind = numpy.load(causes).squeeze()
    wall = numpy.array(h5py.File(recording, "r")["wall"]).squeeze() != 0
    page, size = picture(name), int(cell)
    for y, x in numpy.ndindex(kind.shape):
        wanted = WALL if wall[y, x] else bytes.fromhex(COLORS[int(kind[y, x])])
        got = page[y * size:(y + 1) * size, x * size:(x + 1) * size]
        check((got == list(wanted)).all(), x, y, got[0, 0], list(wanted))


def along(recording, name, row, low, high):
    z = block(h5py.File(recording, "r"), "wave0")[:, int(row), :]
    low, high, page = float(low), float(high), picture(name)
    part = (numpy.clip(z, low, high) - low) / (high - low)
    gray = (1 - part).astype(numpy.float32) * numpy.float32(255)
    level = 255 - numpy.floor(gray.astype(float) + .5)
    check(page.shape[:2] == z.shape, page.shape, z.shape)
    check((page[:, :, 0] == level).all(), "levels differ")
    check(len(numpy.unique(level)) > 20, "too few levels")


def beside(name, left, right):
    page, parts = picture(name), [picture(left), picture(right)]
    height, width, _ = parts[0].shape
    at = []
    for part in parts:
        found = [(y, x) for y in range(page.shape[0] - height + 1)
                 for x in range(page.shape[1] - width + 1)
                 if (page[y, x] == part[0, 0]).all() and
                 (page[y:y + height, x:x + width] == part).all()]
        check(found, "a picture is not there")
        at.append(found[0])
    check(at[0][0] == at[1][0] and at[0][1] + width < at[1][1], at)


def density(name, array, step, *low):
    """Path density of a recording's plane: each part of each path against the
    square or cube of each cell near it. low: the region's first cell."""
    with h5py.File(name) as run:
        steps = list(run["time"][()])
        axes = [a for a in "xyz" if f"agents/{a}" in run]
        rows = numpy.stack([run[f"agents/{a}"][()] for a in axes], axis=-1)
    rows = rows[: steps.index(float(step)) + 1]
    found = numpy.load(array)
    found = found[0] if found.ndim > len(axes) else found
    walked = {}
    for k in range(1, len(rows)):
        for agent in range(rows.shape[1]):
            a, b = rows[k - 1, agent], rows[k, agent]
            if (a == b).all():
                continue
            first = numpy.floor(numpy.minimum(a, b)).astype(int)
            last = numpy.ceil(numpy.maximum(a, b)).astype(int)
            for cell in itertools.product(
                    *(range(f, l + 1) for f, l in zip(first, last))):
                enter, leave = 0.0, 1.0
                for axis, c in enumerate(cell):
                    way, sides = b[axis] - a[axis], (c - 0.5, c + 0.5)
                    if way == 0:
                        if not sides[0] <= a[axis] < sides[1]:
                            leave = -1.0
                        continue
                    cuts = sorted((s - a[axis]) / way for s in sides)
                    enter, leave = max(enter, cuts[0]), min(leave, cuts[1])
                if leave - enter > 1e-9:
                    walked.setdefault(cell, set()).add(agent)
    low = [int(x) for x in low] or [0] * len(axes)
    expected = numpy.full(found.shape, numpy.nan)
    for cell, agents in walked.items():
        at = tuple(c - l for c, l in zip(cell, low))[::-1]
        if all(0 <= i < n for i, n in zip(at, found.shape)):
            expected[at] = len(agents)
    check(len(walked) > 10 and numpy.nanmax(expected) > 1, "too few paths")
    wrong = numpy.argwhere(~((found == expected) |
                             (numpy.isnan(found) & numpy.isnan(expected))))
    check(len(wrong) == 0, len(wrong), "of", found.size, wrong[:4])


globals()[sys.argv[1]](*sys.argv[2:])
