#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Compares what a bend does to a wave with Meep's answer (Debian: python3-meep).

usage: bend-peers.py [PIXELS]

An L five cells wide with fixed walls, mode 1: metal walls and Ez on the nodes of
the walls, six cells apart, with PIXELS (8) of Meep's to a cell. Two runs, a
straight guide and the bend, flux planes and absorbing layers, as in Meep's
first tutorial. Meep's medium has no lattice of ours, so frequencies are compared
at which the mode has the same wave number along the guide: k of our lattice,
sin²(ω/2) = δ(sin²(k/2) + sin²(q/2)), and ω' = √(k² + q²) of light.

hamon-record and hamon-modes are in the PATH. Prints both times, Meep's shares,
and hamon-modes's table of measured and exact ones.
"""
import csv
import math
import os
import subprocess
import sys
import tempfile
import time

import meep as mp

mp.verbosity(0)
WIDTH, DELTA, FREQUENCIES = 5, .25, (.3, .35, .4)
SIDE = WIDTH + 1  # between the nodes of the walls, cells
ARM, LAYER = 40, 20
Q = math.pi / SIDE
BEND = os.path.join(os.path.dirname(__file__), "../../samples/corridors/bend.cfg")


def meep_frequency(omega):
    """Of the same k, in Meep's unit: cycles in the time that light needs for a cell."""
    side = math.sin(omega / 2)**2 / DELTA - math.sin(Q / 2)**2
    return math.hypot(2 * math.asin(math.sqrt(side)), Q) / (2 * math.pi)


def run(pixels, bent, incident):
    """The fluxes in and out, and the fields; `incident`: those of the straight
    guide, which are subtracted."""
    wide = high = ARM + SIDE + LAYER
    # The guide comes from the west along the upper edge and bends to the south.
    cell = mp.Vector3(wide, high)
    top = high / 2
    middle_y = top - SIDE / 2
    middle_x = wide / 2 - SIDE / 2
    inner = mp.Block(mp.Vector3(wide - SIDE if bent else wide, high - SIDE),
                     center=mp.Vector3(-SIDE / 2 if bent else 0, -SIDE / 2),
                     material=mp.metal)
    slow, fast = meep_frequency(.27), meep_frequency(.45)
    frequencies = [meep_frequency(omega) for omega in FREQUENCIES]
    source = mp.Source(mp.GaussianSource((slow + fast) / 2, fwidth=fast - slow),
                       mp.Ez, center=mp.Vector3(-wide / 2 + LAYER + 2, middle_y),
                       size=mp.Vector3(0, SIDE),
                       amp_func=lambda at: math.cos(Q * at.y))
    layers = [mp.PML(LAYER, direction=mp.X, side=mp.Low),
              mp.PML(LAYER, direction=mp.Y, side=mp.Low)] if bent else \
        [mp.PML(LAYER, direction=mp.X)]
    simulation = mp.Simulation(cell, resolution=pixels, geometry=[inner],
                               sources=[source], boundary_layers=layers)
    entry = simulation.add_flux(frequencies, mp.FluxRegion(
        center=mp.Vector3(-wide / 2 + LAYER + 10, middle_y), size=mp.Vector3(0, SIDE)))
    outlet = simulation.add_flux(frequencies, mp.FluxRegion(
        center=mp.Vector3(middle_x, -high / 2 + LAYER + 5), size=mp.Vector3(SIDE, 0))) \
        if bent else None
    if incident is not None:
        simulation.load_minus_flux_data(entry, incident[1])
    simulation.run(until_after_sources=1500)
    return (mp.get_fluxes(entry), simulation.get_flux_data(entry),
            mp.get_fluxes(outlet) if bent else None)


def hamon():
    with tempfile.TemporaryDirectory() as folder:
        record, base = os.path.join(folder, "bend.h5"), os.path.join(folder, "bend")
        subprocess.run(["hamon-record", "-q", "-o", record, BEND], check=True)
        table = subprocess.run(
            ["hamon-modes", "--format", "none", "--table", "csv", "-o", base, "--frequencies",
             ",".join(map(str, FREQUENCIES)), record],
            check=True, stdout=subprocess.PIPE, text=True).stdout
    return [row for row in csv.reader(table.splitlines())]


def main():
    pixels = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    begun = time.time()
    straight = run(pixels, False, None)
    bent = run(pixels, True, straight)
    meep, begun = time.time() - begun, time.time()
    table = hamon()
    print(f"Meep, {pixels} pixels a cell: {meep:.1f} s; Hamon: {time.time() - begun:.1f} s")
    for i, omega in enumerate(FREQUENCIES):
        came = straight[0][i]
        print(f"omega {omega}: Meep reflected {-bent[0][i] / came:.4f}, "
              f"passed {-bent[2][i] / came:.4f}")
    for row in table:
        print(*row)


if __name__ == "__main__":
    main()
