# SPDX-License-Identifier: MIT
"""Datasets of xarray over a recording, and xarray's engine "hamon"."""

import os

import numpy
import xarray
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.core import indexing

from hamon._guard import install
from hamon._library import STATES, Error, Recording

install()


class _Array(BackendArray):
    """A variable with frames; only the frames that are used are read."""

    def __init__(self, recording, variable):
        self.recording, self.variable = recording, variable
        self.shape, self.dtype = variable.shape, variable.dtype

    def __getitem__(self, key):
        return indexing.explicit_indexing_adapter(
            key, self.shape, indexing.IndexingSupport.OUTER, self._read
        )

    def _read(self, key):
        time, cells = key[0], key[1:]
        one = isinstance(time, (int, numpy.integer))
        frames = [int(time)] if one else numpy.arange(self.shape[0])[time]
        if cells and len(frames) > 1 and all(isinstance(i, (int, numpy.integer)) for i in cells):
            element = numpy.ravel_multi_index(cells, self.shape[1:])
            return self.recording.read_series(self.variable, int(element))[time]
        rows = [_take(self.recording.read(self.variable, int(i))[0], cells) for i in frames]
        if one:
            return rows[0]
        empty = _take(numpy.empty((1, *self.shape[1:]), self.dtype)[0], cells)
        return numpy.stack(rows) if rows else numpy.empty((0, *empty.shape), self.dtype)


def _take(frame, cells):
    """Indexes axis by axis, from the last: a number removes its axis."""
    for axis in reversed(range(len(cells))):
        frame = frame[(slice(None),) * axis + (cells[axis],)]
    return frame


def _words(recording, variable):
    """Texts that are stored as arrays of characters."""
    rows = recording.read(variable)
    return numpy.array([b"".join(row).split(b"\0")[0].decode(errors="replace") for row in rows])


def _group_of(name):
    return name.split("/")[0] if "/" in name else None


def _keep_open(made, recording):
    """Until it is closed or forgotten, as xarray does with files: also if all is read."""
    kept = [recording]
    made.set_close(kept.clear)
    return made


def open_dataset(path, group=None):
    recording = path if isinstance(path, Recording) else Recording(path)
    group = group.strip("/") if group else None
    found = [v for v in recording.variables() if _group_of(v.name) == group]
    if not found:
        there = {_group_of(v.name) for v in recording.variables()} - {None}
        raise Error(
            f"{recording.path}: there is no group {group!r}: there are {', '.join(sorted(there))}"
        )
    if any("time" in v.dims for v in found) and group:
        found += [v for v in recording.variables() if v.name == "time"]
    variables = {}
    for v in found:
        name, dims, attributes = v.name.split("/")[-1], v.dims, dict(v.attributes)
        if v.dtype.kind == "S":
            data, dims = _words(recording, v), dims[:1]
        elif v.by_frame:
            data = indexing.LazilyIndexedArray(_Array(recording, v))
        else:
            data = recording.read(v)
        if name.endswith("_arrival"):
            attributes["_FillValue"] = v.dtype.type(-1)
        if attributes.get("units") == "cell":  # metres, as the axes x and y
            attributes["units"] = "m"
            attributes["scale_factor"] = float(recording.setting("scale.cell"))
        variables[name] = xarray.Variable(dims, data, attributes)
    coordinates = [name for name in ("name", "method") if name in variables]
    coordinates += [name for name, v in variables.items() if v.dims == (name,)]
    attributes = {
        "title": recording.text("title"),
        "state": STATES[recording.info.state],
        # netCDF stores UTF-8 only
        "path": os.fsencode(recording.path).decode(errors="replace"),
    }
    for key in ("command", "version", "commit", "date"):
        if recording.text(key):
            attributes[key] = recording.text(key)
    made = xarray.Dataset(variables, attrs=attributes).set_coords(coordinates)
    return _keep_open(xarray.decode_cf(made, decode_times=False), recording)


def field(path, name, wave=0, step=None):
    """A field as hamon-slice draws it ("heading", "flux", "error", …) at a step
    (default: the last one) as a DataArray; NaN where a cell has no value."""
    recording = Recording(path)
    last = recording.info.frames - 1
    frame = last if step is None else recording.frame_at(step)
    values = recording.read_field(name, wave, frame)
    found = recording.find_field(name, wave)
    grid = {
        v.name: xarray.Variable(v.dims, recording.read(v), v.attributes)
        for v in recording.variables()
        if v.name in found.dims
    }
    attributes = dict(found.attributes, step=recording.step_of(frame))
    made = xarray.DataArray(values, grid, found.dims, name, attributes)
    return _keep_open(made, recording)


class HamonBackend(BackendEntrypoint):
    """xarray.open_dataset(path, engine="hamon", group=...)"""

    description = "recordings of Hamon: keyframed, packed and live frames"
    open_dataset_parameters = ("filename_or_obj", "drop_variables", "group")

    def open_dataset(self, filename_or_obj, *, drop_variables=None, group=None):
        dataset = open_dataset(filename_or_obj, group)
        made = dataset.drop_vars(drop_variables or [], errors="ignore")
        made.set_close(dataset.close)
        return made

    def guess_can_open(self, filename_or_obj):
        return False  # other engines open .h5 too: this one must be requested by name
