# SPDX-License-Identifier: MIT
"""Recordings of Hamon as xarray Datasets, by libhamon.

    import hamon
    run = hamon.open("corridor.h5")              # fields, read when they are used
    agents = hamon.open("corridor.h5", group="agents")
    heading = hamon.field("corridor.h5", "heading", step=120)

docs/reference/library.md has more examples.
"""

from hamon._library import Error, library_version
from hamon._dataset import field, open_dataset

__version__ = library_version()
__all__ = ["Error", "field", "open"]


def open(path, group=None):
    """Opens a recording as an xarray Dataset. Arrays are read when they are used.

    group: None (fields and map), "agents", "target", "arrivals", "emissions",
    "captures", "plans", "relay" or "world". Frames between keyframes are
    computed, packed ones inflated; a run that is still being recorded has the
    frames that are committed now. Raises hamon.Error if the file is not readable.
    """
    return open_dataset(path, group)
