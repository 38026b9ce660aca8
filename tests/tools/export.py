#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Compares exports with what h5py reads from the recording."""
import csv
import os
import re
import sys
import xml.etree.ElementTree as tree

import h5py
import numpy


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        table = list(csv.reader(file))
    return [re.sub(r" \[.*", "", name) for name in table[0]], table[1:]


def check(good, *words):
    if not good:
        sys.exit(" ".join(map(str, words)))


def text(array):
    return array.tobytes().rstrip(b"\0").decode()


def check_trajectories(run, base):
    head, rows = rows_of(base + "-trajectories.csv")
    axes = "xyz" if "z" in run else "xy"
    agents = run["agents/x"].shape[1]
    count = run["status/committed"][()]
    states = "waiting moving captured stuck".split()
    check(len(rows) == count * (agents + 1), len(rows), "rows")
    for i, row in enumerate(rows):
        k, agent = divmod(i, agents + 1)
        group, at = ("agents", (k, agent)) if agent < agents else ("target", k)
        got = dict(zip(head, row))
        check(float(got["step"]) == run["time"][k], row)
        name = text(run["agents/name"][agent]) if agent < agents else "target"
        check(got["name"] == name, got["name"])
        check(int(got["agent"]) == (agent if agent < agents else -1), row)
        for axis in axes:
            check(float(got[axis]) == run[group][axis][at], row)
            check(float(got["heading_" + axis]) == run[group]["heading_" + axis][at], row)
        check(got["state"] == states[run[group]["state"][at]], row)


def check_tables(run, base):
    for table in "arrivals captures emissions plans".split():
        path = f"{base}-{table}.csv"
        used = run["status/" + table][()]
        check(os.path.exists(path) == (used > 0), path, used)
        if not used:
            continue
        head, rows = rows_of(path)
        check(len(rows) == used, path, len(rows), used)
        for i, name in enumerate(head):
            if name == "name":
                wanted = [text(run["agents/name"][a]) for a in run[table]["agent"][:used]]
                check([row[i] for row in rows] == wanted, path, name)
                continue
            wanted = run[table][name][:used]
            if name == "quantity":
                words = ["amplitude", "log_sum", "front_step"]
                check([row[i] for row in rows] == [words[w] for w in wanted], path, name)
                continue
            check(all(float(row[i]) == w for row, w in zip(rows, wanted)), path, name)


def check_paths(run, base):
    if not run["status/plans"][()]:
        return
    head, rows = rows_of(base + "-paths.csv")
    sizes = run["plans/row_size"][: run["status/plans"][()]]
    check(len(rows) == sizes.sum(), len(rows))
    wanted = [(plan, cell) for plan, size in enumerate(sizes) for cell in range(size)]
    for i, row in enumerate(rows):
        got = dict(zip(head, row))
        check((int(got["plan"]), int(got["cell"])) == wanted[i], row)
        check(int(got["x"]) == run["plans/x"][i] and int(got["y"]) == run["plans/y"][i], row)


def check_csv(path, base):
    with h5py.File(path) as run:
        check_trajectories(run, base)
        check_tables(run, base)
        check_paths(run, base)


def equal(path, wanted, dtype):
    array = numpy.load(path)
    check(array.dtype == dtype, path, array.dtype)
    check(array.shape == wanted.shape, path, array.shape, wanted.shape)
    check((array == wanted).all(), path, "differs")
    with open(path, "rb") as file:
        start = file.read(128)
    check(start.index(b"\n") % 64 == 63, path, "header is not aligned")


def check_npy(folder):
    with h5py.File(folder + "/run.h5") as run:
        equal("one.npy", run["wave0"][10], "<f4")
        equal("some.npy", run["wave1"][0:61:7], "<f4")
        gx, gy = (run["wave0_grad_" + axis][33].astype(float) for axis in "xy")
        array = numpy.load("gradient.npy")
        check(array.dtype == "<f8", array.dtype)
        check(numpy.allclose(array, numpy.hypot(gx, gy), rtol=1e-15, atol=0), "gradient")
        equal("walls.npy", run["wall"][0].astype(float), "<f8")
    with h5py.File(folder + "/cube.h5") as run:
        equal("cube.npy", run["wave0"][0:13:3], "<f8")
        equal("plane.npy", run["wave0"][9, :, 1, :], "<f8")


def check_slab(item, run):
    """The array that a HyperSlab or HDF DataItem refers to."""
    if item.get("ItemType") == "HyperSlab":
        slab, whole = item
        start, stride, count = numpy.array(slab.text.split(), int).reshape(3, -1)
        array = check_slab(whole, run)
        at = tuple(slice(s, s + c * d, d) for s, d, c in zip(start, stride, count))
        array = array[at]
        shape = [int(n) for n in item.get("Dimensions").split()]
        check(array.size == numpy.prod(shape), shape, array.shape)
        return array.reshape(shape)
    shape = [int(n) for n in item.get("Dimensions").split()]
    if item.get("Format") == "XML":
        return numpy.array(item.text.split(), float).reshape(shape)
    name, path = item.text.split(":")
    array = h5py.File(name)[path]
    check(shape in (list(array.shape), [1, *array.shape]), path)
    check(int(item.get("Precision")) == array.dtype.itemsize, path)
    kind = {"f": "Float", "i": "Int"}[array.dtype.kind]
    check(item.get("NumberType") == ("Char" if array.dtype.itemsize == 1 else kind), path)
    return array


def numbers(item):
    return numpy.array(item.text.split(), float)


def check_mesh(fields, named, run, k):
    """The field's bounds from its map, values at three points of the mesh (of the
    x-y plane if the recording is 2D), and agents on free cells."""
    cell = run.attrs["cell_metres"][0] if "cell_metres" in run.attrs else 1
    mesh = fields.find("Topology")
    check(mesh.get("TopologyType") == "3DCoRectMesh", mesh.get("TopologyType"))
    corners = [int(n) for n in mesh.get("Dimensions").split()]
    flat = "z" not in run
    shape = ([1] if flat else []) + list(run["wall"].shape[1:])
    check(corners == [n + 1 for n in shape], corners)
    origin, spacing = map(numbers, fields.find("Geometry"))
    check((spacing == cell).all(), spacing)
    names = "yx" if flat else "zyx"
    low = [run["cell_" + a if "cell_" + a in run else a][0] for a in names]
    at = ([-1] if flat else []) + [n - 0.5 for n in low]
    check(numpy.allclose(origin, numpy.array(at) * cell, rtol=1e-15), origin)
    wave, wall = run["wave0"][k], named["wall"].reshape(shape)
    for point in (0.13, 0.47, 0.89):  # on each side of the map
        place = origin + spacing * shape * point  # z, y, x
        inside = ((place - origin) / spacing).astype(int)
        here = named["wave0"].reshape(shape)[tuple(inside)]
        cells = numpy.floor(place / cell + 0.5).astype(int)[1 if flat else 0:]
        check(here == wave[tuple(cells - numpy.array(low, int))], place)
    return origin, spacing, wall


def check_xdmf(path, every=None, all_rows=None):
    """Compares an XDMF file with its recording; that of a keyframed recording,
    which has steps 0, 1, K, K + 1 ..., with the recording that has all rows."""
    domain = tree.parse(path).getroot()[0]
    steps = domain[0].findall("Grid")
    own = h5py.File(path.replace(".xdmf", ".h5"))
    run = h5py.File(all_rows) if all_rows else own
    title = run.attrs.get("title", b"recording")
    title = title.decode() if isinstance(title, bytes) else str(title)
    check(domain[0].get("Name") == title, domain[0].get("Name"), title)
    rows = [k for k in range(run["status/committed"][()]) if not every or k % every < 2]
    check(len(steps) == len(rows), len(steps), len(rows))
    for k, step in zip(rows, steps):
        check(float(step.find("Time").get("Value")) == run["time"][k], k)
        cell = run.attrs["cell_metres"][0] if "cell_metres" in run.attrs else 1
        fields, agents, target = step.findall("Grid")
        named = {a.get("Name"): check_slab(a[0], own) for a in fields.findall("Attribute")}
        waves = [name for name in own if re.fullmatch("wave[0-9]+(_grad_.)?", name)]
        check(waves and set(waves) <= set(named), named.keys())
        for name in waves:
            check((named[name] == run[name][k]).all(), name, k)
        version = (run["version_step"][:] <= run["time"][k]).nonzero()[0].max()
        check((named["wall"] == run["wall"][version]).all(), k)
        origin, spacing, wall = check_mesh(fields, named, run, k)
        for group, grid in ("agents", agents), ("target", target):
            places = []
            for axis, item in zip("xyz", grid.find("Geometry")):
                place = check_slab(item, own)
                check((place == run[group][axis][k] * cell).all(), group, axis)
                places.append(numpy.atleast_1d(place))
            places += [numpy.full_like(places[0], -cell / 2)] * (3 - len(places))
            for place in zip(*places[::-1]):  # z, y, x
                inside = (numpy.array(place) - origin) / spacing
                check((inside >= 0).all() and (inside < wall.shape).all(), group, place)
                check(not wall[tuple(inside.astype(int))], group, place, "in a wall")


def steps_of(run):
    return run["step" if "step" in run else "time"]


def expected(run, name, row, dims):
    """The field at a row, (z, y, x), in 2D as two equal layers."""
    data = run[name]
    if data.shape[0] == steps_of(run).size and data.ndim > dims:
        at = data[row]
    elif "keyframe" in run and name in ("wave0", "wave1"):
        at = data[list(run["keyframe"][:]).index(row)]
    else:
        at = data[0] if data.ndim > dims else data[:]
    return numpy.stack([at, at]) if dims == 2 else at


def check_vtkhdf(path, vtk):
    """Compares a VTKHDF file with its recording, by h5py or by VTK's reader (one
    step, which is the second word of its name)."""
    base = os.path.basename(path).removesuffix(".vtkhdf")
    run = h5py.File(re.sub("@.*", "", base) + ".h5")
    root = h5py.File(path)["VTKHDF"]
    dims = 3 if "z" in run else 2
    cell = run["x"][1] - run["x"][0]
    low = [run[axis][0] for axis in "xyz"[:dims]] + [-cell] * (3 - dims)
    check(numpy.allclose(root.attrs["Origin"], low), base, root.attrs["Origin"], low)
    check(numpy.allclose(root.attrs["Spacing"], cell), base, "spacing")
    names = list(root["PointData"])
    check("wave0" in names and "wall" in names, names)
    if "@" in base:
        row = list(steps_of(run)).index(int(base.split("@")[1]))
        if vtk:
            from vtkmodules.util.numpy_support import vtk_to_numpy
            from vtkmodules.vtkIOHDF import vtkHDFReader

            reader = vtkHDFReader()
            reader.SetFileName(path)
            reader.Update()
            image = reader.GetOutputDataObject(0)
            shape = image.GetDimensions()[::-1]
            check(numpy.allclose(image.GetOrigin(), low), image.GetOrigin())
        for name in names:
            data = vtk_to_numpy(image.GetPointData().GetArray(name)).reshape(shape) if vtk \
                else root["PointData"][name][:]
            check((data == expected(run, name, row, dims)).all(), base, name)
        return
    times = root["Steps/Values"][:]
    check(root["Steps"].attrs["NSteps"] == times.size, base, "steps")
    rows = [int(numpy.argmin(abs(run["time"][:] - time))) for time in times]
    check((run["time"][:][rows] == times).all() and times.size > 1, base, times)
    if "keyframe" not in run:
        check(times.size == steps_of(run).size, base, times.size)
    for name in names:
        place = root["Steps/PointDataOffsets"][name][:]
        for step, row in enumerate(rows):
            data = root["PointData"][name][place[step]]
            check((data == expected(run, name, row, dims)).all(), base, name, row)


if sys.argv[1] == "csv":
    check_csv(sys.argv[2], sys.argv[3])
elif sys.argv[1] == "npy":
    check_npy(sys.argv[2])
elif sys.argv[1] in ("vtkhdf", "vtk"):
    for name in sys.argv[2:]:
        check_vtkhdf(name, sys.argv[1] == "vtk")
elif sys.argv[1] == "keyframes":
    check_xdmf(sys.argv[2], int(sys.argv[3]), sys.argv[4])
else:
    for name in sys.argv[2:]:
        check_xdmf(name)
