# SPDX-License-Identifier: MIT
"""pip install . takes the library and the programs from the build in this folder or
in build/ (or $HAMON_BUILD), and puts copies into the package; without a build it
takes those that are installed, by pkg-config."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent
VERSION = re.search(r"AC_INIT\(\[hamon\], \[([^]]*)\]", (HERE / "configure.ac").read_text()).group(1)
try:
    from wheel.bdist_wheel import bdist_wheel
except ImportError:
    from setuptools.command.bdist_wheel import bdist_wheel


def built():
    """The folder of a build; None."""
    for folder in (os.environ.get("HAMON_BUILD"), HERE / "build", HERE):
        if folder and (pathlib.Path(folder) / "lib/libhamon.so.1").exists():
            return pathlib.Path(folder)
    return None


def installed(variable):
    asked = ["pkg-config", f"--variable={variable}", "hamon"]
    try:
        return subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        raise SystemExit(
            "hamon: there is no build in this folder, and pkg-config finds no libhamon: run ./quickstart or make first"
        ) from None


def copy(source, target):
    """Without the tables for debuggers, which are most of it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(source, target)
    if shutil.which("strip"):
        subprocess.run(["strip", "--strip-unneeded", target], check=True)


class Build(build_py):
    def run(self):
        super().run()
        package = pathlib.Path(self.build_lib) / "hamon"
        build = built()
        if build:
            places = {"libdir": ["files/lib"], "bindir": ["files/bin"]}
            for library in [build / "lib/libhamon.so.1", *build.glob("lib/hamon/*.so")]:
                copy(library, package / "files" / library.relative_to(build))
            for program in [build / "tools/hamon", *build.glob("*/hamon-*")]:
                if program.parent.name in ("tools", "analysis") and not program.suffix:
                    copy(program, package / "files/bin" / program.name)
        else:
            places = {"libdir": [installed("libdir")], "bindir": [installed("bindir")]}
        lines = [f"{name} = {value!r}\n" for name, value in places.items()]
        (package / "_installed.py").write_text("".join(lines))


class Wheel(bdist_wheel):
    """For each Python, but for one processor."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


# setuptools would build in build/, which is the build of the C programs.
with tempfile.TemporaryDirectory() as work:
    setup(
        version=VERSION,
        cmdclass={"build_py": Build, "bdist_wheel": Wheel},
        options={"build": {"build_base": work}, "egg_info": {"egg_base": work}},
    )
