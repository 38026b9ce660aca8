#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Checks that a recording tests the ranks. For every number of ranks: agents
that steer by waves move from block to block, both sides of a cut have walls and
gaps, an event changes cells on both sides; some agent received a wave and captured.

usage: mpi.py RECORDING RANKS…
"""
import os
import sys

import h5py
import numpy


def parts_of(extent, ranks):
    """The first of HAMON_BLOCKS with this number of ranks that fits."""
    for text in os.environ["HAMON_BLOCKS"].split():
        way = [int(n) for n in text.split("x")]
        if numpy.prod(way) == ranks and all(
                n == 1 or size // n >= 2 for n, size in zip(way, extent)):
            return way
    sys.exit(f"HAMON_BLOCKS has no blocks for {ranks} ranks")


def block_numbers(extent, parts):
    """For each axis, the number of the block of each coordinate."""
    return [numpy.repeat(range(n), [size // n + (i < size % n) for i in range(n)])
            for size, n in zip(extent, parts)]


def across(field, numbers, axis):
    """The field on the two sides of the cuts of an axis."""
    last = numpy.flatnonzero(numpy.diff(numbers))
    at = field.ndim - 1 - axis
    return field.take(last, at), field.take(last + 1, at)


def check(file, ranks):
    wall = file["wall"][:]
    extent = ([*wall.shape[:0:-1]] + [1])[:3]
    numbers = block_numbers(extent, parts_of(extent, ranks))
    axes = [axis for axis in range(3) if numbers[axis][-1] > 0]
    changed = (wall != wall[:1]).any(0)
    walled, gaps, events = [], [], []
    for axis in axes:
        low, high = across(wall[0] != 0, numbers[axis], axis)
        walled.append((low & high).sum())
        gaps.append((~low & ~high).sum())
        low, high = across(changed, numbers[axis], axis)
        events.append((low & high).sum())
    waves = numpy.array([b"wave" == m.rstrip(b"\0") for m in
                         file["agents/method"][:].view(
                             f"S{file['agents/method'].shape[-1]}").ravel()])
    blocks = sum(
        numbers[axis][numpy.floor(file["agents/" + "xyz"[axis]][:] + .5).astype(int)]
        * 100 ** axis for axis in axes)
    crossed = (numpy.diff(blocks, axis=0) != 0).any(0) & waves
    print(f"{ranks} ranks, axes {axes}: walls on both sides {walled}, gaps {gaps}, "
          f"cells of events {events}, {crossed.sum()} agents cross")
    return (min(walled) > 0 and min(gaps) > 0 and min(events) > 0
            and crossed.sum() >= 1)


with h5py.File(sys.argv[1]) as recording:
    good = [check(recording, int(n)) for n in sys.argv[2:] if int(n) > 1]
    heard, captured = (recording["status/" + n][()] for n in ("arrivals", "captures"))
    print(heard, "arrivals,", captured, "captures")
sys.exit(not (all(good) and heard >= 5 and captured >= 1))
