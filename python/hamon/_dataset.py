# SPDX-License-Identifier: MIT
"""Datasets of xarray over a recording, and xarray's engine "hamon"."""

from __future__ import annotations

import os
from typing import Any, Dict, Iterator, List, Optional, Tuple, TypeVar, Union

import numpy
import xarray
from xarray.backends import BackendArray, BackendEntrypoint
from xarray.core import indexing

from hamon._guard import install
from hamon._library import STATES, Error, Path, Recording, Variable

install()
Made = TypeVar("Made", xarray.Dataset, xarray.DataArray)


class _Array(BackendArray):
    """A variable with frames; only the frames that are used are read."""

    def __init__(self, recording: Recording, variable: Variable):
        self.recording, self.variable = recording, variable
        self.shape, self.dtype = variable.shape, variable.dtype

    def __getitem__(self, key: Any) -> Any:
        return indexing.explicit_indexing_adapter(
            key, self.shape, indexing.IndexingSupport.OUTER, self._read
        )

    def _read(self, key: Any) -> Any:
        time, cells = key[0], key[1:]
        one = isinstance(time, (int, numpy.integer))
        frames = [int(time)] if one else numpy.arange(self.shape[0])[time]
        if cells and len(frames) > 1 and all(isinstance(i, (int, numpy.integer)) for i in cells):
            element = numpy.ravel_multi_index(cells, self.shape[1:])
            return self.recording.read_series(self.variable, int(element))[time]
        whole = all(cell == slice(None) for cell in map(_plain, cells, self.shape[1:]))
        if one:
            return _take(self.recording.read(self.variable, int(time))[0], cells)
        if whole:  # frames in a row go into the array in one call
            made = numpy.empty((len(frames), *self.shape[1:]), self.dtype)
            for at, count in _rows(frames):
                self.recording.read(self.variable, int(frames[at]), count, made[at : at + count])
            return made
        shape = _take(numpy.empty((0, *self.shape[1:]), self.dtype), (slice(None), *cells)).shape
        made = numpy.empty((len(frames), *shape[1:]), self.dtype)
        for at, frame in enumerate(frames):
            made[at] = _take(self.recording.read(self.variable, int(frame))[0], cells)
        return made


def _plain(cell: Any, length: int) -> Optional[slice]:
    """All of an axis, however it is written."""
    if isinstance(cell, slice) and cell.indices(length) == (0, length, 1):
        return slice(None)
    return cell if isinstance(cell, slice) else None


def _rows(frames: Any) -> Iterator[Tuple[int, int]]:
    """The places of frames that follow one another, and their numbers."""
    at = 0
    while at < len(frames):
        count = 1
        while at + count < len(frames) and frames[at + count] == frames[at] + count:
            count += 1
        yield at, count
        at += count


def _take(frame: Any, cells: Any) -> Any:
    """Indexes axis by axis, from the last: a number removes its axis."""
    for axis in reversed(range(len(cells))):
        frame = frame[(slice(None),) * axis + (cells[axis],)]
    return frame


def _words(recording: Recording, variable: Variable) -> Any:
    """Texts that are stored as arrays of characters."""
    rows = recording.read(variable)
    return numpy.array([b"".join(row).split(b"\0")[0].decode(errors="replace") for row in rows])


def _group_of(name: str) -> Optional[str]:
    return name.split("/")[0] if "/" in name else None


def _keep_open(made: Made, recording: Recording) -> Made:
    """Until it is closed or forgotten, as xarray does with files: also if all is read."""
    kept = [recording]
    made.set_close(kept.clear)
    return made


def open_dataset(
    path: Union[Path, Recording],
    group: Optional[str] = None,
    decode_times: bool = False,
    **decoders: Any,
) -> xarray.Dataset:
    recording = path if isinstance(path, Recording) else Recording(path)
    group = group.strip("/") if group else None
    found = [v for v in recording.variables() if _group_of(v.name) == group]
    if not found:
        there = ", ".join(groups_of(recording))
        raise Error(f"{recording.path}: there is no group {group!r}: there are {there}")
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
            attributes["scale_factor"] = float(recording.setting("scale.cell") or 1)
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
    return _keep_open(xarray.decode_cf(made, decode_times=decode_times, **decoders), recording)


def groups_of(recording: Recording) -> List[str]:
    return sorted({group for v in recording.variables() if (group := _group_of(v.name))})


def _grid(recording: Recording, dims: Tuple[str, ...]) -> Dict[str, Any]:
    return {
        v.name: xarray.Variable(v.dims, recording.read(v), v.attributes)
        for v in recording.variables()
        if v.name in dims
    }


MAPS = {  # units, description
    "wall": ("1", "walls: 1"),
    "speed": ("1", "speed of waves, relative to that of cells without one"),
    "cost": ("1", "cost of a step into the cell"),
    "one_way": ("1", "the only direction in which the cell may be left"),
}


def map_array(recording: Recording, name: str, step: int) -> xarray.DataArray:
    """Places are numbers of cells of the whole map, which may be larger than the region."""
    values = recording.read_map(name, step)
    dims = ("z", "y", "x")[-values.ndim :]
    places = {axis: numpy.arange(length) for axis, length in zip(dims, values.shape)}
    units, long_name = MAPS[name]
    attributes = {"units": units, "long_name": long_name, "step": step}
    return _keep_open(xarray.DataArray(values, places, dims, name, attributes), recording)


def heading_array(recording: Recording, wave: int, step: Optional[int]) -> xarray.DataArray:
    frame = recording.info.frames - 1 if step is None else recording.frame_at(step)
    values = recording.read_headings(wave, frame)
    dims = ("z", "y", "x")[-(values.ndim - 1) :]
    places = {**_grid(recording, dims), "component": ["x", "y", "z"]}
    attributes = {
        "units": "1",
        "long_name": "heading that an agent would follow",
        "step": recording.step_of(frame),
    }
    made = xarray.DataArray(values, places, (*dims, "component"), "headings", attributes)
    return _keep_open(made, recording)


def field(
    path: Union[Path, Recording], name: str, wave: int = 0, step: Optional[int] = None
) -> xarray.DataArray:
    """A field as hamon-slice draws it ("heading", "flux", "error", …) at a step
    (default: the last one) as a DataArray; NaN where a cell has no value."""
    recording = path if isinstance(path, Recording) else Recording(path)
    last = recording.info.frames - 1
    frame = last if step is None else recording.frame_at(step)
    values = recording.read_field(name, wave, frame)
    found = recording.find_field(name, wave)
    grid = _grid(recording, found.dims)
    attributes = dict(found.attributes, step=recording.step_of(frame))
    made = xarray.DataArray(values, grid, found.dims, name, attributes)
    return _keep_open(made, recording)


class HamonBackend(BackendEntrypoint):
    """xarray.open_dataset(path, engine="hamon", group=...)"""

    description = "recordings of Hamon: keyframed, packed and live frames"
    supports_groups = True
    open_dataset_parameters = (
        "filename_or_obj",
        "drop_variables",
        "group",
        "mask_and_scale",
        "decode_times",
        "concat_characters",
        "decode_coords",
        "use_cftime",
        "decode_timedelta",
    )

    def open_dataset(  # type: ignore[override]
        self,
        filename_or_obj: Any,
        *,
        drop_variables: Any = None,
        group: Optional[str] = None,
        mask_and_scale: Any = True,
        decode_times: Any = False,
        concat_characters: Any = True,
        decode_coords: Any = True,
        use_cftime: Any = None,
        decode_timedelta: Any = None,
    ) -> xarray.Dataset:
        decoders = {
            "mask_and_scale": mask_and_scale,
            "decode_times": decode_times,
            "concat_characters": concat_characters,
            "decode_coords": decode_coords,
            "use_cftime": use_cftime,
            "decode_timedelta": decode_timedelta,
        }
        decoders = {key: value for key, value in decoders.items() if value is not None}
        dataset = open_dataset(filename_or_obj, group, **decoders)
        made = dataset.drop_vars(drop_variables or [], errors="ignore")
        made.set_close(dataset.close)
        return made

    def open_groups_as_dict(
        self, filename_or_obj: Any, *, drop_variables: Any = None, group: Optional[str] = None, **decoders: Any
    ) -> Dict[str, xarray.Dataset]:
        """The fields as "/", and each group; or one group alone, as "/"."""
        recording = Recording(filename_or_obj)
        if group:
            names: Dict[str, Optional[str]] = {"/": group.strip("/")}
        else:
            names = {"/": None, **{"/" + name: name for name in groups_of(recording)}}
        return {
            place: self.open_dataset(recording, drop_variables=drop_variables, group=name, **decoders)
            for place, name in names.items()
        }

    def open_datatree(
        self, filename_or_obj: Any, *, drop_variables: Any = None, group: Optional[str] = None, **decoders: Any
    ) -> Any:
        tree = getattr(xarray, "DataTree", None)
        if tree is None:
            raise NotImplementedError("xarray 2024.10 or later has trees: update it, or give a group")
        groups = self.open_groups_as_dict(
            filename_or_obj, drop_variables=drop_variables, group=group, **decoders
        )
        # A group may have axes of its own with the names of the fields' axes.
        return tree.from_dict(groups)

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        return False  # other engines open .h5 too: this one must be requested by name
