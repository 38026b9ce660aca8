# SPDX-License-Identifier: MIT
"""Where the library and the programs are: make writes it into _installed.py."""

import importlib
import os
import shutil
from typing import Any, Iterable, Optional

try:
    _installed: Any = importlib.import_module("hamon._installed")
except ImportError:  # the folder of the sources
    _installed = None


def _find(folders: Iterable[str], name: str) -> Optional[str]:
    here = os.path.dirname(os.path.abspath(__file__))
    for folder in folders:
        path = os.path.normpath(os.path.join(here, folder, name))
        if os.path.exists(path):
            return path
    return None


def find_library() -> str:
    """Its path; or its name, by which the loader finds it."""
    name = "libhamon.so.1"
    return _find(_installed.libdir if _installed else (), name) or name


def find_program(name: str) -> str:
    """The path of hamon-NAME; FileNotFoundError."""
    program = "hamon-" + name
    path = _find(_installed.bindir if _installed else (), program) or shutil.which(program)
    if path is None:
        raise FileNotFoundError(f"{program}: not found: put the programs of Hamon into PATH")
    return path
