# SPDX-License-Identifier: MIT
"""Recordings of Hamon: run scenarios, read the waves, draw and measure.

    import hamon
    run = hamon.record("corridor.cfg", {"wave.delta": 0.1})
    run.fields.wave0.sel(time=120)               # xarray, read when it is used
    run.slice(at="step=120", overlay="walls,agents")
    hamon.reflection(run)                        # a pandas table
    run = hamon.open("corridor.h5")              # a recording as an xarray Dataset

docs/reference/library.md has more examples.
"""

from __future__ import annotations

import os
from typing import Optional, Union

import xarray

from hamon._library import Error, library_version
from hamon._dataset import field, open_dataset
from hamon._programs import ProgramError
from hamon._run import (
    Output,
    Run,
    compare,
    isotropy,
    modes,
    record,
    reflection,
    steering,
    sweep,
)
from hamon._scenario import Scenario, scenario

__version__ = library_version()
__all__ = [
    "Error",
    "Output",
    "ProgramError",
    "Run",
    "Scenario",
    "compare",
    "field",
    "isotropy",
    "modes",
    "open",
    "record",
    "reflection",
    "scenario",
    "steering",
    "sweep",
]


def open(path: Union[str, "os.PathLike[str]"], group: Optional[str] = None) -> xarray.Dataset:
    """Opens a recording as an xarray Dataset. Arrays are read when they are used.

    group: None (fields and map), "agents", "target", "arrivals", "emissions",
    "captures", "plans", "relay" or "world". Frames between keyframes are
    computed, packed ones inflated; a run that is still being recorded has the
    frames that are committed now. Raises hamon.Error if the file is not readable.
    """
    return open_dataset(path, group)
