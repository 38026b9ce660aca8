# SPDX-License-Identifier: MIT
"""Scenarios from Python: settings as libconfig writes them, maps from arrays."""

from __future__ import annotations

import os
import re
from typing import Any, Dict, Mapping, Union

import numpy


def value_text(value: Any) -> str:
    """A value as it stands in a scenario."""
    if isinstance(value, (bool, numpy.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, numpy.integer)):
        return str(int(value))
    if isinstance(value, (float, numpy.floating)):
        return repr(float(value))
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'
    if isinstance(value, Mapping):
        return "{ " + " ".join(f"{key} = {value_text(one)};" for key, one in value.items()) + " }"
    if isinstance(value, (list, tuple, numpy.ndarray)):
        return "( " + ", ".join(value_text(one) for one in value) + " )"
    raise TypeError(f"{value!r}: a scenario has numbers, texts, lists and dicts only")


def option_text(value: Any) -> str:
    """A value as it stands behind --set KEY=: a word that can be nothing else is bare."""
    if isinstance(value, str) and re.fullmatch(r"[A-Za-z][\w.-]*", value, re.ASCII):
        if value.lower() not in ("true", "false"):
            return value
    return value_text(value)


def _map(cells: Any, speed: Any, cost: Any) -> Dict[str, Any]:
    """The rows or layers of an array, with a symbol for each pair of speed and cost."""
    walls = numpy.asarray(cells)
    if walls.ndim not in (2, 3) or walls.size == 0:
        raise ValueError(f"map: an array (y, x) or (z, y, x) is required, not {walls.shape}")
    if walls.dtype.kind not in "buif":
        raise TypeError(f"map: an array of bool or numbers is required (not 0: wall), not {walls.dtype}")
    walls = walls != 0
    symbols = numpy.where(walls, "@", ".")
    legend = []
    if speed is not None or cost is not None:
        one = numpy.ones(walls.shape)
        pairs = []
        for name, given in (("speed", speed), ("cost", cost)):
            array = one if given is None else numpy.asarray(given, dtype=float)
            if array.shape != walls.shape:
                raise ValueError(f"{name}: the shape {array.shape} is not that of the map, {walls.shape}")
            pairs.append(array[~walls])
        kinds, which = numpy.unique(numpy.stack(pairs, axis=-1), axis=0, return_inverse=True)
        free = "abcdefghijklmnopqrstuvwxyzABCDEFHIJKLMNPQRUVXYZ0123456789+-*/=<>!?$%&|~^:;,"
        if len(kinds) > len(free):
            raise ValueError(f"{len(kinds)} kinds of cells: a map has {len(free)} symbols; round the speeds")
        letters = []
        for letter, (fast, dear) in zip(free, kinds):
            plain = fast == 1 and dear == 1
            letters.append("." if plain else letter)
            if not plain:
                legend.append({"symbol": letter, "speed": float(fast), "cost": float(dear)})
        symbols[~walls] = numpy.array(letters)[which.ravel()]
    rows = [["".join(row) for row in layer] for layer in (symbols if walls.ndim == 3 else symbols[None])]
    made: Dict[str, Any] = {"layers": rows} if walls.ndim == 3 else {"rows": rows[0]}
    if legend:
        made["legend"] = legend
    return made


class Scenario:
    """The text of a scenario; hamon.record and hamon.sweep take it like a file."""

    def __init__(self, text: str):
        self.text = text

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        with open(path, "x", encoding="utf-8") as file:
            file.write(self.text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<hamon.Scenario of {len(self.text)} characters>"


def scenario(map: Any = None, *, speed: Any = None, cost: Any = None, **settings: Any) -> Scenario:
    """A scenario of a map and of settings, which have the names and the structure of
    a file: `hamon-record --keys` lists them.

    map: an array (y, x) or (z, y, x), in which not 0 is a wall; or a dict as in a
    file, e.g. {"file": "rooms.map"}. speed, cost: arrays of the same shape, of waves
    in each cell and of a step into it (1: as usual).

        hamon.scenario(walls, steps=600, target={"at": [28, 14]},
                       agents=[{"name": "A", "at": [4, 15]}], wave={"count": 3})
    """
    if isinstance(map, Mapping):
        if speed is not None or cost is not None:
            raise TypeError("speed and cost belong to a map that is an array")
        settings = {"map": dict(map), **settings}
    elif map is not None:
        settings = {"map": _map(map, speed, cost), **settings}
    return Scenario("".join(f"{key} = {value_text(value)};\n" for key, value in settings.items()))
