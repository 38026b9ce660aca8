#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Measures fronts in the open from a recording alone, and compares them with a
table of hamon-isotropy.

fronts.py RECORDING RADIUS LABEL TABLE.csv

The front is where the recorded wave0_arrival is at most the mean of the ring. A
threshold is a level, so the moment within the step at which the amplitude
passed it is computed from the recorded amplitudes; it must agree with
wave0_arrival. The row LABEL of the table must have the same numbers to 1e-9, in
the mean over the shell, and in 3D along axes and diagonals.
"""
import csv
import sys

import h5py
import numpy


def moments(run, arrival):
    """First arrivals with the fraction of their step."""
    settings = dict(
        line.split(" = ", 1)
        for line in run["provenance/parameters"][()].tobytes().decode().splitlines()
        if " = " in line)
    if settings["arrival.detector"].strip('"') != "threshold":
        return arrival.astype(float)
    level = float(settings["arrival.threshold"]) * float(settings["wave.amplitude"])
    size = numpy.abs(run["wave0"][()].astype(float))
    first = (size >= level).argmax(axis=0)
    first[~(size >= level).any(axis=0)] = -1
    assert (first == arrival).all(), "wave0_arrival is not the first step"
    now = numpy.take_along_axis(size, first[None].clip(0), 0)[0]
    before = numpy.take_along_axis(size, (first - 1)[None].clip(0), 0)[0]
    time = arrival.astype(float)
    part = (arrival > 0) & (before > 0)
    below, above = (numpy.log(value[part]) - numpy.log(level)
                    for value in (before, now))
    time[part] += below / (below - above) - 1
    return time


def along(time, source, offsets, planes):
    """Time and distance on lines from the source, at each plane of cells."""
    longest = numpy.abs(offsets).max(axis=1)
    times, distances = [], []
    for k in range(planes):
        low = offsets * k // longest[:, None]
        part = (offsets * k - low * longest[:, None]) / longest[:, None]
        t, r = numpy.zeros(len(offsets)), numpy.zeros(len(offsets))
        for corner in numpy.ndindex(*(2,) * time.ndim):
            weight = numpy.where(numpy.equal(corner, 1), part, 1 - part).prod(axis=1)
            cell = low + corner + source
            within = ((cell >= 0) & (cell < time.shape)).all(axis=1)
            value = numpy.where(within, time[tuple(numpy.where(within[:, None], cell, 0).T)],
                                numpy.inf)
            t += weight * numpy.where(weight > 0, value, 0)
            r += weight * numpy.linalg.norm(low + corner, axis=1)
        times.append(t)
        distances.append(r)
    return numpy.array(times), numpy.array(distances)


def measure(run, radius):
    arrival = run["wave0_arrival"][()]
    source = numpy.array([run["emissions/" + axis][0]
                          for axis in "zyx"[3 - arrival.ndim:]])
    time = moments(run, arrival)
    time[arrival < 0] = numpy.inf
    offsets = numpy.indices(time.shape).reshape(time.ndim, -1).T - source
    offsets = offsets[abs(numpy.linalg.norm(offsets, axis=1) - radius) <= 1]
    mean = time[tuple((offsets + source).T)].mean()
    times, distances = along(time, source, offsets, int(2 * radius))
    out = (times > mean).argmax(axis=0)
    line = numpy.arange(len(offsets))
    t, u = times[out - 1, line], times[out, line]
    r, s = distances[out - 1, line], distances[out, line]
    rho = r + (s - r) * (mean - t) / (u - t)
    axes = (offsets != 0).sum(axis=1)
    straight = ((offsets == 0) | (abs(offsets) == abs(offsets).max(axis=1)[:, None])).all(axis=1)
    measured = [radius, len(offsets), 100 * (rho.max() - rho.min()) / rho.mean(), mean]
    if time.ndim == 3:
        measured += [rho[straight & (axes == n)].mean() for n in (1, 2, 3)]
        measured.append(rho.max() / rho.min())
    return measured


recording, radius, label, table = sys.argv[1:]
with h5py.File(recording) as run:
    wanted = measure(run, float(radius))
row = next(row for row in csv.reader(open(table)) if row[0] == label)
printed = [float(number) for number in row[1:5] + row[7:]]
print(wanted, printed, sep="\n")
assert len(wanted) == len(printed)
worst = max(abs(a - b) for a, b in zip(wanted, printed))
print("apart by", worst)
sys.exit(not worst <= 1e-9)
