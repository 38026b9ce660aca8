# SPDX-License-Identifier: MIT
"""`import hamon` in the folder that contains this one, if its name is hamon: Python would
take it for an empty package. The package of the build is taken instead."""

import os

_here = os.path.dirname(os.path.abspath(__file__))
for _package in (os.path.join(_here, "build", "python", "hamon"), os.path.join(_here, "python", "hamon")):
    if os.path.exists(os.path.join(_package, "_installed.py")):
        __path__ = [_package]
        with open(os.path.join(_package, "__init__.py"), encoding="utf-8") as _file:
            exec(compile(_file.read(), _file.name, "exec"))
        break
else:
    raise ImportError(f"{_here} is the source of Hamon and is not built: run ./quickstart in it")
