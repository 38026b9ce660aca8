#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Compares the speed of other programs' stepping with Hamon's in one run.

usage: step-peers.py BENCH_STEP [ROUNDS]

BENCH_STEP is the built bench/step. Every round measures each program once on
the same number of cells, on one thread, by the thread's own clock:

  naive  the straightforward loop in C (bench/step's)
  numpy  the same equation by whole-array operations without temporaries,
         single precision
  Meep   Debian's python3-meep: Maxwell's equations in vacuum by Yee's scheme,
         Ez from a point source between metal walls (fields Ez, Hx, Hy in 2D;
         in 3D those six that the source excites), double precision, no walls
         inside. It does more for each cell: a first-order system, other
         boundaries, fields at staggered points. One update is counted for each
         cell and step, as for ours.
  step   wave_step: every generation can be read
  fused  wave_advance: only the last of a few dozen generations can

A line for each program: the median over rounds in Mcell/s, the quartiles, and
the medians of the ratios of step's and fused's rate to it.
"""
import os
import statistics
import subprocess
import sys
import time

try:
    import numpy as np
except ImportError:
    np = None
try:
    import meep as mp
    mp.set_zero_subnormals(True)
    mp.verbosity(0)
except ImportError:
    mp = None

MAPS = (("200^2", 2, 200), ("512^2", 2, 512), ("2048^2", 2, 2048),
        ("50^3", 3, 50), ("128^3", 3, 128))
DELTA = 0.25


class Numpy:
    """z[k+1] = d*S + c*z[k] - z[k-1], one in ten cells a wall."""

    def __init__(self, dims, n):
        shape = (n + 2,) * dims
        self.now = np.zeros(shape, np.float32)
        self.old = np.zeros(shape, np.float32)
        self.sum = np.zeros((n,) * dims, np.float32)
        self.inner = (slice(1, -1),) * dims
        random = np.random.default_rng(1)
        self.free = (random.random((n,) * dims) >= 0.1).astype(np.float32)
        self.now[(n // 2,) * dims] = 1
        self.dims = dims

    def mirror(self):
        for axis in range(self.dims):
            z = np.moveaxis(self.now, axis, 0)
            z[0] = z[1]
            z[-1] = z[-2]

    def step(self):
        z, s = self.now, self.sum
        s[...] = 0
        for axis in range(self.dims):
            for side in (slice(2, None), slice(None, -2)):
                at = list(self.inner)
                at[axis] = side
                s += z[tuple(at)]
        old = self.old[self.inner]
        s *= DELTA
        s -= old
        np.multiply(z[self.inner], 2 - 2 * self.dims * DELTA, out=old)
        old += s
        old *= self.free
        self.now, self.old = self.old, self.now
        self.mirror()


class Meep:
    def __init__(self, dims, n):
        mp.verbosity(0)
        size = mp.Vector3(n, n, n if dims == 3 else 0)
        source = mp.Source(mp.GaussianSource(0.1, fwidth=0.1), mp.Ez,
                           mp.Vector3())
        self.simulation = mp.Simulation(cell_size=size, resolution=1,
                                        sources=[source])
        self.simulation.init_sim()

    def step(self):
        self.simulation.fields.step()


def rate(program, cells):
    """Mcell/s, measured over about 1/4 s."""
    program.step()
    steps, begin = 0, time.thread_time()
    while time.thread_time() - begin < 0.25:
        program.step()
        steps += 1
    return 1e-6 * cells * steps / (time.thread_time() - begin)


def ours(bench, name, method):
    told = subprocess.run([bench, "--one", name, method], check=True,
                          capture_output=True, text=True)
    return float(told.stdout)


def measure(bench, name, dims, n, rounds):
    peers = {}
    if np:
        peers["numpy"] = Numpy(dims, n)
    if mp:
        peers["Meep"] = Meep(dims, n)
    rates = {}
    for _ in range(rounds):
        for method in ("naive", "step", "fused"):
            rates.setdefault(method, []).append(ours(bench, name, method))
        for peer, program in peers.items():
            rates.setdefault(peer, []).append(rate(program, n ** dims))
    for program in ("naive", "numpy", "Meep", "step", "fused"):
        if program not in rates:
            print(f"# {name}: {program} is not installed", flush=True)
            continue
        of = sorted(rates[program])
        by = [statistics.median(a / b for a, b in zip(rates[m], rates[program]))
              for m in ("step", "fused")]
        print(f"{name:7} {program:6} {statistics.median(of):8.1f}  "
              f"{of[len(of) // 4]:8.1f} ... {of[-1 - len(of) // 4]:8.1f}  "
              f"{by[0]:7.1f} {by[1]:7.1f}", flush=True)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: step-peers.py BENCH_STEP [ROUNDS]")
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 9
    print("map     program  Mcell/s  quartiles              x step  x fused")
    for name, dims, n in MAPS:
        measure(sys.argv[1], name, dims, n, rounds)


main()
sys.stdout.flush()
os._exit(0)  # Meep would print its running time on stdout
