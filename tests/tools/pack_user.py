# SPDX-License-Identifier: MIT
"""What a user adds to a recording, by h5py, and whether hamon-pack keeps it.

add FILE: adds each kind of attribute and of object at each place.
compare PLAIN OLD NEW: all that OLD has and PLAIN has not is in NEW, the same.
refused FILE PROGRAM: adds each thing that cannot be kept to a copy of FILE.
netcdf FILE PROGRAM: adds to copies of FILE by the netCDF library, and packs them.
"""

import os
import shutil
import subprocess
import sys

import h5py
import numpy

TEXT = h5py.string_dtype()
PAIR = numpy.dtype([("t", "<f8"), ("cell", "<i4", (2,))])
MIXED = numpy.dtype([("name", TEXT), ("n", ">u2"), ("seen", h5py.ref_dtype)])
STATE = h5py.enum_dtype({"calm": 0, "wild": 7}, basetype="i1")
LISTS = h5py.vlen_dtype(numpy.dtype("<i4"))


def of(dtype, *values):
    return numpy.array(list(values), dtype)


def lists():
    made = numpy.empty(2, LISTS)
    made[0], made[1] = of("<i4", 1, 2, 3), of("<i4")
    return made


def values(file):
    """A value of each kind: name, value, type."""
    for kind in ("<i1", ">i2", "<i4", ">i8", "<u1", "<u8", "<f2", ">f4", "<f8", "<c16"):
        yield "as_" + kind[1:] + ("_big" if kind[0] == ">" else ""), of(kind, 1, 2, 3), None
    yield "scalar", numpy.float64(0.1), None
    yield "grid", numpy.arange(24.0).reshape(2, 3, 4), None
    yield "bool", of("?", True, False), None
    yield "text", "Größe, 波, and a longer sentence", TEXT
    yield "texts", of(object, "a", "", "波"), TEXT
    yield "fixed", of("S7", b"abc", b"defghij"), None
    yield "utf8", numpy.array(["é".encode()], h5py.string_dtype(length=5)), None
    yield "opaque", numpy.array([b"\0\1\2"], numpy.void(b"123").dtype), None
    yield "enum", of(STATE, 0, 7), STATE
    yield "pair", of(PAIR, (0.5, (1, 2)), (1.5, (3, 4))), None
    yield "lists", lists(), LISTS
    yield "object", file["wave0"].ref, h5py.ref_dtype
    yield "group", file["agents"].ref, h5py.ref_dtype
    yield "objects", of(object, file["/"].ref, file["own1/deep2"].ref, None), h5py.ref_dtype
    yield "region", file["wave0"].regionref[0:2, 1, :], h5py.regionref_dtype
    yield "mixed", of(MIXED, ("x", 3, file["own1"].ref), ("", 4, h5py.Reference())), MIXED
    yield "none", h5py.Empty("<f4"), None
    yield "nobody", numpy.empty((0, 3)), None


def add_attributes(file, place):
    for name, value, kind in values(file):
        file[place].attrs.create("u1_" + name, value, dtype=kind)
    file[place].attrs["u1 " + "long " * 30] = 1
    file[place].attrs["größe_波"] = 1
    file[place].attrs["large"] = numpy.arange(8000.0)
    file[place].attrs.create("typed", of(PAIR, (2.5, (5, 6))), dtype=file["own1/type1"])
    h5py.h5o.set_comment(file[place].id, b"a comment of HDF5 itself")


def add_objects(file, place):
    group = file[place]
    for name, value, kind in values(file):
        if isinstance(value, h5py.Reference):
            value = numpy.array(value, kind)
        group.create_dataset("d1_" + name, data=value, dtype=kind)
    data = numpy.arange(3000.0).reshape(30, 100)
    for name, how in {
        "chunks": {"chunks": (7, 30)},
        "gzip": {"chunks": (7, 30), "compression": 4, "shuffle": True, "fletcher32": True},
        "grows": {"maxshape": (None, 100), "chunks": (7, 30), "fillvalue": 5.0},
        "texts": {"chunks": (11, 10), "compression": 1, "dtype": TEXT},
        "typed": {"dtype": file["own1/type2"]},
    }.items():
        shape = {"texts": data.astype("S6"), "typed": of(PAIR, (7.5, (8, 9)))}.get(name, data)
        group.create_dataset("c1_" + name, data=shape, **how)
    group.create_dataset("c1_holes", (300, 300), "<i4", chunks=(10, 10))[15:25, 5] = 3
    compact = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    compact.set_layout(h5py.h5d.COMPACT)
    space = h5py.h5s.create_simple((3,))
    h5py.h5d.create(group.id, b"c1_compact", h5py.h5t.STD_I32BE, space, compact)
    group["c1_compact"][:] = 9
    group["g1"] = h5py.Group(h5py.h5g.create(file.id, None))
    group.create_group("g1_ordered", track_order=True).update({"z": 1, "a": 2, "größe": 3})
    group["s1_soft"] = h5py.SoftLink("/wave0")
    group["s1_nowhere"] = h5py.SoftLink("nowhere/at all")
    group["s1_outside"] = h5py.ExternalLink("no such file.h5", "/x")
    group["h1_variable"] = file["wave0"]
    group["h1_group"] = file["agents"]
    group["h1_root"] = file["/"]
    group["h1_own"] = group["c1_gzip"]
    group["t1"] = numpy.dtype("<f4")
    axis = group.create_dataset("a1_axis", data=of("<f8", 1, 2))
    axis.make_scale("a1_axis")
    along = group.create_dataset("a1_along", data=numpy.zeros((file["time"].size, 2)))
    along.dims[0].attach_scale(file["time"])
    along.dims[1].attach_scale(axis)
    along.dims[1].label = "second"
    group["b1_axis"] = numpy.arange(file["x"].size)
    group["b1_axis"].make_scale("another x")
    file["wave0"].dims[file["wave0"].ndim - 1].attach_scale(group["b1_axis"])


OBJECT_PLACES = ("/", "agents", "status", "provenance", "crc", "own1", "own1/deep2/deeper3")
ATTRIBUTE_PLACES = OBJECT_PLACES + (
    *("wave0", "time", "agents/x", "agents/name_length", "provenance/scenario", "status/state"),
    *("own1/type1", "own1/c1_gzip", "own1/g1", "own1/a1_axis"),
)


def add(path):
    with h5py.File(path, "r+") as file:
        file.create_group("own1/deep2/deeper3")
        file["own1/type1"] = file["own1/type2"] = PAIR
        for place in OBJECT_PLACES:
            add_objects(file, place)
        for place in ATTRIBUTE_PLACES:
            add_attributes(file, place)
        file.attrs["title"] = numpy.bytes_("Another title")
        file.attrs["comment"] = "a comment at the root"
        file["wave0"].attrs["units"] = "Pa"
        file["x"].attrs["long_name"] = numpy.arange(3)


class Reader:
    """Describes everything in a file; a reference is the first name of its object."""

    def __init__(self, path, first=()):
        self.file = h5py.File(path, "r")
        self.names = {self.key(self.file[n]): n for n in first if n in self.file}
        self.found = {}
        self.list_names("/", self.file)
        self.describe("/", self.file)

    def key(self, thing):
        return h5py.h5o.get_info(thing.id).addr

    def list_names(self, path, thing):
        if self.names.setdefault(self.key(thing), path) != path:
            return
        for name in sorted(thing) if isinstance(thing, h5py.Group) else ():
            if isinstance(thing.get(name, getlink=True), h5py.HardLink):
                self.list_names(path.rstrip("/") + "/" + name, thing[name])

    def plain(self, value):
        if isinstance(value, (h5py.Reference, h5py.RegionReference)):
            if not value:
                return "null"
            name = self.names[self.key(self.file[value])]
            if isinstance(value, h5py.RegionReference):
                space = h5py.h5r.get_region(value, self.file.id)
                return name, space.get_select_bounds(), space.get_select_npoints()
            return name
        if isinstance(value, h5py.Empty):
            return "empty"
        if isinstance(value, numpy.void) and value.dtype.names:
            return [self.plain(value[name]) for name in value.dtype.names]
        if isinstance(value, numpy.ndarray) and (value.dtype.hasobject or value.dtype.names):
            return [self.plain(item) for item in value.ravel()]
        return value.tobytes() if hasattr(value, "tobytes") else value

    def type(self, kind):
        where = self.names[self.key(h5py.Datatype(kind))] if kind.committed() else ""
        return where, kind.get_class(), kind.get_size(), kind.dtype.descr, str(kind.dtype)

    def describe(self, path, thing):
        about = self.found[path] = {"is": self.names[self.key(thing)]}
        if about["is"] != path:
            return
        about["comment"] = self.file["/"].id.get_comment(path.encode())
        for name in thing.attrs:
            if name not in ("REFERENCE_LIST", "DIMENSION_LIST"):
                low = thing.attrs.get_id(name)
                about["@" + name] = (
                    *(self.type(low.get_type()), low.shape, self.plain(thing.attrs[name])),
                    low.get_space().get_simple_extent_type(),
                )
        if isinstance(thing, h5py.Dataset):
            about["data"] = self.data(thing)
            for i, axis in enumerate(thing.dims if thing.shape else ()):
                for scale in axis.values():
                    about[f"scale {i} {self.names[self.key(scale)]}"] = True
        elif isinstance(thing, h5py.Datatype):
            about["type"] = self.type(thing.id)
        else:
            for name in thing:
                self.member(path.rstrip("/") + "/" + name, thing, name)

    def member(self, path, group, name):
        link = group.get(name, getlink=True)
        if isinstance(link, h5py.HardLink):
            self.describe(path, group[name])
        else:
            self.found[path] = {"link": (type(link), link.path, getattr(link, "filename", ""))}

    def data(self, set):
        kind = self.type(set.id.get_type())
        how = (set.shape, set.maxshape, set.chunks, set.id.get_create_plist().get_layout())
        filters = tuple(sorted((k, v) for k, v in set._filters.items()))
        value = set[()] if set.shape is None or len(set.shape) < 3 else set[:2]
        fill = self.plain(set.fillvalue) if set.dtype.kind in "iuf" else None
        return kind, how, filters, fill, self.plain(value)


def compare(*paths):
    plain = Reader(paths[0]).found
    ours = [name for name in plain if plain[name]["is"] == name]
    old = Reader(paths[1], ours).found
    new = Reader(paths[2], ours).found
    compared, faults = 0, []
    for path, about in old.items():
        for key, value in about.items():
            if plain.get(path, {}).get(key) == value or (path in plain and key == "data"):
                continue
            compared += 1
            if repr(new.get(path, {}).get(key)) != repr(value):
                faults.append(f"{path} {key}: {value!r:.99} became {new.get(path, {}).get(key)!r:.99}")
    print(f"{compared} compared, {len(faults)} differ", *faults[:20], sep="\n")
    expected = len(ATTRIBUTE_PLACES) * 30 + len(OBJECT_PLACES) * 40
    return not faults and compared > expected


def virtual(file):
    layout = h5py.VirtualLayout((3,), "<f8")
    layout[:] = h5py.VirtualSource(".", "time", (file["time"].size,))[:3]
    file.create_virtual_dataset("bad1", layout)


def along_restart(file):
    made = file.create_dataset("bad1", data=numpy.zeros(file["restart/byte"].size, "i1"))
    made.dims[0].attach_scale(file["restart/byte"])


def along_shorter(file):
    rows = file["arrivals/arrival"]
    made = file.create_dataset("bad1", data=numpy.zeros(rows.size))
    made.dims[0].attach_scale(rows)


REFUSED = {
    "restart/bad1": lambda file: file["restart"].create_dataset("bad1", data=1),
    "restart@bad1": lambda file: file["restart"].attrs.create("bad1", 1),
    "restart/state0@bad1": lambda file: file["restart/state0"].attrs.create("bad1", 1),
    "restart/byte": lambda file: h5py.h5o.set_comment(file["restart/byte"].id, b"c"),
    "bad1": lambda file: file.__setitem__("bad1", file["restart/state1"]),
    "own1/bad1": lambda file: file.create_group("own1").__setitem__("bad1", file["restart"]),
    "@bad1": lambda file: file.attrs.create("bad1", file["restart"].ref, dtype=h5py.ref_dtype),
    "bad1 ": lambda file: file.create_dataset(
        "bad1", data=file["restart/byte"].ref, dtype=h5py.ref_dtype
    ),
    "bad1  ": virtual,
    "bad1   ": lambda file: file.create_dataset(
        "bad1", (3,), "<f8", external=[("outside.bin", 0, 24)]
    ),
    "bad1@DIMENSION_LIST": along_restart,
    "bad1    ": along_shorter,
    "chunk/chunk_wave0": lambda file: file.create_dataset("chunk/chunk_wave0", data=1),
    "chunk/chunk_wall": lambda file: file.__setitem__(
        "chunk/chunk_wall", h5py.SoftLink("/agents")
    ),
}


def refused(path, program):
    good = True
    for name, spoil in REFUSED.items():
        shutil.copy(path, "bad.h5")
        with h5py.File("bad.h5", "r+") as file:
            spoil(file)
        with open("bad.h5", "rb") as file:
            before = file.read()
        done = subprocess.run([program, "bad.h5"], capture_output=True, text=True)
        with open("bad.h5", "rb") as file:
            same = file.read() == before
        left = [entry for entry in os.listdir(".") if entry.startswith(".bad")]
        reason = "not a readable recording" if "chunk" in name else "cannot be packed"
        expected = f"bad.h5: {reason}: {name.strip()}: "
        if done.returncode != 2 or expected not in done.stderr or not same or left:
            print(f"{name}: exit {done.returncode}, {done.stderr!r}, same: {same}, left: {left}")
            good = False
    return good


def number(file):
    file.createDimension("kay", 3)
    file.createVariable("kay", "i4", ("kay",))[:] = [1, 2, 3]
    file.createVariable("kays", "f8", ("kay", "y", "x"), zlib=True)[:] = 4


def number_in_group(file):
    group = file.createGroup("analysis")
    group.createDimension("kay", 3)
    group.createDimension("u", None)
    group.createVariable("kay", "i4", ("kay", "u"))[0:3, 0:2] = 1
    group.createVariable("u", "f8", ("u",))[:] = [7, 8]


def types(file):
    group = file.createGroup("analysis")
    state = group.createEnumType("i1", "state_t", {"calm": 0, "wild": 7})
    group.createVariable("state", state, ("time",))[:] = 7
    lists = group.createVLType("f8", "lists_t")
    group.createVariable("lists", lists, ("time",))[0] = numpy.arange(3.0)
    group.createVariable("name", str, ("time",))[0] = "é"
    pair = numpy.dtype([("t", "f8"), ("n", "i4")])
    made = group.createVariable("pair", group.createCompoundType(pair, "pair_t"), ("time",))
    made[0] = of(pair, (0.5, 3))[0]


def annotate(file):
    file.createGroup("analysis").createVariable("energy", "f8", ("time",))[:] = 2
    file.comment = "a comment at the root"
    file["wave0"].note = "a note"


NETCDF = (number, number_in_group, types, annotate)


def netcdf(path, program, *options):
    """netCDF's own tools read the same before and after packing."""
    import netCDF4

    good = True
    for change in NETCDF:
        shutil.copy(path, "nc.h5")
        with netCDF4.Dataset("nc.h5", "a") as file:
            change(file)
        subprocess.run([program, *options, "--force", "-q", "-o", "ncp.h5", "nc.h5"], check=True)
        texts = []
        for name in ("nc.h5", "ncp.h5"):
            done = subprocess.run(["ncdump", "-n", "nc", name], capture_output=True, text=True)
            if done.returncode:
                print(change.__name__, name, done.stderr)
                good = False
            before, _, group = done.stdout.partition("group: analysis")
            group = group.partition("} // group analysis")[0]
            texts.append((group, [s for s in before.split("\n") if "kay" in s or "note" in s]))
        if texts[0] != texts[1]:
            print(change.__name__, texts)
            good = False
    return good


if __name__ == "__main__":
    done = {"add": add, "compare": compare, "refused": refused, "netcdf": netcdf}[sys.argv[1]](*sys.argv[2:])
    sys.exit(0 if done in (None, True) else 1)
