# SPDX-License-Identifier: MIT
"""include/hamon/hamon.h by ctypes."""

from __future__ import annotations

import ctypes
import os
import threading
import weakref
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple, Union

import numpy

from hamon._places import find_library

c = ctypes
Path = Union[str, "os.PathLike[str]"]
if TYPE_CHECKING:
    Array = numpy.ndarray[Any, Any]
TYPES = ["i1", "i4", "i8", "u4", "f4", "f8", "S1"]  # enum hamon_type
STATES = ["running", "done", "stopped", "diverged"]  # enum hamon_state


class Error(OSError):
    """A message of libhamon: `file: what is wrong, what to do`."""


class _Error(c.Structure):
    _fields_ = [("status", c.c_int), ("message", c.c_char * 1024)]


class _Info(c.Structure):
    _fields_ = [
        ("size", c.c_size_t),
        ("dims", c.c_int32),
        ("state", c.c_int32),
        ("map", c.c_int64 * 3),
        ("first_cell", c.c_int64 * 3),
        ("region", c.c_int64 * 3),
        ("frames", c.c_int64),
        ("every", c.c_int64),
        ("planned", c.c_int64),
        ("map_versions", c.c_int64),
        ("waves", c.c_int32),
        ("agents", c.c_int32),
        ("has_target", c.c_int32),
        ("packed", c.c_int32),
        ("keyframes", c.c_int64),
        ("keep_bits", c.c_int32),
        ("precision", c.c_int32),
        ("cell_metres", c.c_double),
        ("step_seconds", c.c_double),
    ]


class _Variable(c.Structure):
    _fields_ = [
        ("size", c.c_size_t),
        ("name", c.c_char * 64),
        ("type", c.c_int32),
        ("rank", c.c_int32),
        ("extent", c.c_int64 * 4),
        ("axis", (c.c_char * 32) * 4),
        ("by_frame", c.c_int32),
        ("units", c.c_char * 16),
        ("long_name", c.c_char * 160),
        ("flags", c.c_char * 96),
    ]


class _Text(c.c_char_p):
    """C would take what stands before a NUL for the whole text."""

    @classmethod
    def from_param(cls, text: bytes) -> Any:
        if b"\0" in text:
            raise ValueError(f"a text with a NUL character: {text.decode(errors='replace')!r}")
        return c.c_char_p.from_param(text)


def _whole(kind: Any) -> Any:
    """An integer of C, whose upper bits would be cut off silently."""

    class Whole(kind):  # type: ignore[misc]
        @classmethod
        def from_param(cls, value: int) -> Any:
            if kind(value).value != value:
                raise OverflowError(f"{value} is too large")
            return kind(value)

    return Whole


def _load() -> c.CDLL:
    library = c.CDLL(find_library())
    handle, error, text = c.c_void_p, c.POINTER(_Error), _Text
    size, whole, small = (_whole(kind) for kind in (c.c_size_t, c.c_int64, c.c_int))
    doubles = c.POINTER(c.c_double)
    variable = c.POINTER(_Variable)
    for function, result, arguments in [
        ("library_version", c.c_char_p, []),
        ("open", c.c_int, [text, c.POINTER(handle), error]),
        ("refresh", c.c_int, [handle, error]),
        ("close", None, [handle]),
        ("describe", c.c_int, [handle, c.POINTER(_Info), error]),
        ("frame_at", c.c_int, [handle, whole, c.POINTER(c.c_int64), error]),
        ("steps", c.POINTER(c.c_int64), [handle]),
        ("text", c.c_char_p, [handle, text]),
        ("setting", c.c_char_p, [handle, text]),
        ("variable", c.c_int, [handle, size, variable, error]),
        ("find_field", c.c_int, [handle, text, small, variable, error]),
        ("read", c.c_int, [handle, text, whole, whole, small, c.c_void_p, size, error]),
        ("read_series", c.c_int, [handle, text, size, doubles, size, error]),
        ("read_field", c.c_int, [handle, text, small, whole, doubles, size, error]),
        ("read_map", c.c_int, [handle, text, whole, doubles, size, error]),
        ("read_headings", c.c_int, [handle, small, whole, doubles, size, error]),
    ]:
        found = getattr(library, "hamon_" + function)
        found.restype, found.argtypes = result, arguments
    return library


_library = _load()


def _invoke(function: str, *arguments: Any) -> Any:
    try:
        return getattr(_library, "hamon_" + function)(*arguments)
    except c.ArgumentError as error:
        raise ValueError(str(error).partition("Error: ")[2] or str(error)) from None


def library_version() -> str:
    version: bytes = _invoke("library_version")
    return version.decode()


class Variable:
    """A variable of a recording: its name, shape, dimensions and attributes."""

    def __init__(self, found: _Variable):
        self.name = found.name.decode()
        self.type = found.type
        self.dtype = numpy.dtype(TYPES[found.type])
        self.shape = tuple(found.extent[: found.rank])
        self.dims = tuple(axis.value.decode() for axis in found.axis[: found.rank])
        self.by_frame = bool(found.by_frame)
        self.attributes: Dict[str, Any] = {}
        for key in ("units", "long_name"):
            if getattr(found, key):
                self.attributes[key] = getattr(found, key).decode()
        words = found.flags.decode()
        if words:
            self.attributes["flag_values"] = numpy.arange(len(words.split()), dtype=self.dtype)
            self.attributes["flag_meanings"] = words


_open: "weakref.WeakSet[Recording]" = weakref.WeakSet()


def open_recordings() -> List[Recording]:
    return list(_open)


class Recording:
    """An open recording. Threads can share it; their calls run one after another."""

    def __init__(self, path: Path):
        self.path: str = os.path.abspath(os.fspath(path))  # a worker may be in another folder
        self.kept: Any = None  # what lives as long as the recording
        self._lock = threading.Lock()
        self._handle = c.c_void_p()
        self._call("open", os.fsencode(self.path), c.byref(self._handle), handle=False)
        self.about = os.stat(self.path)
        _open.add(self)
        self.info = _Info(size=c.sizeof(_Info))
        self._call("describe", c.byref(self.info))

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            _library.hamon_close(self._handle)

    def __reduce__(self) -> Any:  # another process opens the file again
        return Recording, (self.path,)

    def _call(self, function: str, *arguments: Any, handle: bool = True) -> None:
        error = _Error()
        first = (self._handle,) if handle else ()
        with self._lock:
            if _invoke(function, *first, *arguments, c.byref(error)):
                raise Error(error.message.decode(errors="replace"))

    def refresh(self) -> None:
        """Finds the frames that were committed since. After a failure nothing changed."""
        self._call("refresh")
        self._call("describe", c.byref(self.info))

    def text(self, name: str) -> Optional[str]:
        found: Optional[bytes] = _invoke("text", self._handle, name.encode())
        return None if found is None else found.decode(errors="replace")

    def setting(self, key: str) -> Optional[str]:
        found: Optional[bytes] = _invoke("setting", self._handle, key.encode())
        return None if found is None else found.decode(errors="replace")

    def variables(self) -> List[Variable]:
        found = _Variable(size=c.sizeof(_Variable))
        all_of_them: List[Variable] = []
        while True:
            try:
                self._call("variable", len(all_of_them), c.byref(found))
            except Error as error:
                count = len(all_of_them)
                if f"variable {count}: there are {count}, from 0 on" in str(error):
                    return all_of_them
                raise
            all_of_them.append(Variable(found))

    def frame_at(self, step: int) -> int:
        frame = c.c_int64()
        self._call("frame_at", step, c.byref(frame))
        return frame.value

    def step_of(self, frame: int) -> int:
        return int(_invoke("steps", self._handle)[frame])

    def read(
        self, variable: Variable, first: int = 0, frames: int = 1, out: Optional[Array] = None
    ) -> Array:
        """Frames of a variable over time, in one call; all of any other variable. `out`:
        an array of that shape and type, contiguous, which is filled."""
        if out is None:
            shape = (frames, *variable.shape[1:]) if variable.by_frame else variable.shape
            out = numpy.empty(shape, variable.dtype)
        self._call(
            "read",
            variable.name.encode(),
            first,
            frames,
            variable.type,
            out.ctypes.data_as(c.c_void_p),
            out.size,
        )
        return out

    def read_series(self, variable: Variable, element: int) -> Array:
        """One element in every frame."""
        out = numpy.empty(variable.shape[0])
        pointer = out.ctypes.data_as(c.POINTER(c.c_double))
        self._call("read_series", variable.name.encode(), element, pointer, out.size)
        return out.astype(variable.dtype)

    def find_field(self, name: str, wave: int) -> Variable:
        found = _Variable(size=c.sizeof(_Variable))
        self._call("find_field", name.encode(), wave, c.byref(found))
        return Variable(found)

    def _doubles(self, function: str, shape: Tuple[int, ...], *arguments: Any) -> Array:
        out = numpy.empty(shape)
        pointer = out.ctypes.data_as(c.POINTER(c.c_double))
        self._call(function, *arguments, pointer, out.size)
        return out

    def _layers(self, out: Array) -> Array:
        """Of a 2D recording the only one."""
        return out if self.info.dims == 3 else out.reshape(out.shape[1:])

    def read_map(self, name: str, step: int) -> Array:
        """Of the whole map, (z, y, x), in 2D (y, x)."""
        shape = tuple(self.info.map[axis] for axis in (2, 1, 0))
        return self._layers(self._doubles("read_map", shape, name.encode(), step))

    def read_headings(self, wave: int, frame: int) -> Array:
        """Of the region, (z, y, x, 3), in 2D (y, x, 3)."""
        shape = (*(self.info.region[axis] for axis in (2, 1, 0)), 3)
        return self._layers(self._doubles("read_headings", shape, wave, frame))

    def read_field(self, name: str, wave: int, frame: int) -> Array:
        shape = tuple(self.info.region[axis] for axis in (2, 1, 0))
        return self._layers(self._doubles("read_field", shape, name.encode(), wave, frame))
