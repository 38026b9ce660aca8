# SPDX-License-Identifier: MIT
"""No writer of xarray replaces a recording that is open.

HDF5 refuses to write to a file that is open in the same process. libhamon reads by
itself, and HDF5 does not know of it: to_netcdf would cut the file off before it reads
the data. So xarray's writers ask here first."""

import errno
import functools
import importlib
import os
from typing import Any, Callable, Optional

from hamon._library import open_recordings

WRITERS = ("to_netcdf", "to_zarr", "_datatree_to_netcdf", "_datatree_to_zarr")
TARGETS = ("path_or_file", "store", "filepath")


def _about(target: Any) -> Optional[os.stat_result]:
    """os.stat of the file that would be written, whatever its name; None: there is none."""
    try:
        if isinstance(target, (str, os.PathLike)):
            return os.stat(os.path.expanduser(os.fspath(target)))
        return os.fstat(target.fileno())
    except (AttributeError, OSError, ValueError):
        return None


def refuse_open(target: Any) -> None:
    about = _about(target)
    for recording in open_recordings():
        # The file that is open, and the one that has its name now.
        for held in (recording.about, _about(recording.path)):
            if about and held and os.path.samestat(about, held):
                raise PermissionError(
                    errno.EACCES,
                    "Permission denied: the recording is open: close it, or give another name",
                    str(target),
                )


def _guarded(write: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(write)
    def writer(*arguments: Any, **options: Any) -> Any:
        for target in [*arguments[1:2], *(options.get(name) for name in TARGETS)]:
            refuse_open(target)
        return write(*arguments, **options)

    setattr(writer, "refuses_open", True)
    return writer


def install() -> None:
    for place in ("xarray.backends.api", "xarray.backends.writers"):
        try:
            module = importlib.import_module(place)
        except ImportError:  # of another version of xarray
            continue
        for name in WRITERS:
            write = getattr(module, name, None)
            if write and not hasattr(write, "refuses_open"):
                setattr(module, name, _guarded(write))
