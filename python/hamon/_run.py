# SPDX-License-Identifier: MIT
"""An opened recording, what the programs make of it, and new recordings."""

from __future__ import annotations

import base64
import html
import io
import json
import os
import shutil
import tempfile
from typing import Any, Dict, List, Mapping, Optional, Union

import numpy
import pandas
import xarray

from hamon._dataset import field, map_array, heading_array, open_dataset
from hamon._library import STATES, Path, Recording
from hamon._programs import option_words, run_program
from hamon._scenario import Scenario

GROUPS = ("agents", "target", "arrivals", "emissions", "captures", "plans", "relay", "world")


class Output:
    """A file that a program made: a notebook shows it, save() writes it."""

    def __init__(self, data: bytes, format: str):
        self.data, self.format = data, format

    @classmethod
    def read(cls, path: str) -> "Output":
        with open(path, "rb") as file:
            return cls(file.read(), os.path.splitext(path)[1][1:])

    def save(self, path: Path) -> None:
        with open(path, "xb") as file:
            file.write(self.data)

    def __repr__(self) -> str:
        return f"<{self.format} of {len(self.data)} bytes>"

    def _repr_png_(self) -> Optional[bytes]:
        return self.data if self.format == "png" else None

    def _repr_svg_(self) -> Optional[str]:
        return self.data.decode() if self.format == "svg" else None

    def _repr_html_(self) -> Optional[str]:
        text = base64.b64encode(self.data).decode()
        if self.format in ("mp4", "webm"):
            return f'<video controls loop src="data:video/{self.format};base64,{text}"></video>'
        if self.format == "gif":
            return f'<img src="data:image/gif;base64,{text}">'
        if self.format == "html":
            page = html.escape(self.data.decode(), quote=True)
            return f'<iframe srcdoc="{page}" width="100%" height="700"></iframe>'
        return None


def _path(run: Any) -> str:
    """Of a Run, a Dataset of hamon.open, or a path."""
    if isinstance(run, Run):
        return run.path
    if isinstance(run, (xarray.Dataset, xarray.DataArray)):
        return os.path.abspath(str(run.attrs["path"]))
    return os.path.abspath(os.fsdecode(run))


def _table(text: bytes) -> pandas.DataFrame:
    return pandas.read_csv(io.BytesIO(text)) if text.strip() else pandas.DataFrame()


class Run:
    """An opened recording. `fields` and the groups are xarray Datasets, whose arrays
    are read when they are used."""

    def __init__(self, path: Path, _folder: Any = None):
        self.recording = Recording(path)
        self._folder = _folder  # of a temporary recording: removed with the last user
        self.recording.kept = _folder

    @property
    def path(self) -> str:
        return self.recording.path

    @property
    def state(self) -> str:
        """running, done, stopped or diverged"""
        return str(STATES[self.recording.info.state])

    @property
    def fields(self) -> xarray.Dataset:
        return open_dataset(self.recording)

    def __getattr__(self, name: str) -> xarray.Dataset:
        if name in GROUPS:
            return open_dataset(self.recording, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *GROUPS]

    def __repr__(self) -> str:
        return f"<hamon.Run {self.path}: {self.recording.info.frames} frames, {self.state}>"

    def setting(self, key: str) -> Optional[str]:
        """The text of a setting of the run, e.g. of "wave.delta"; None: there is none."""
        return self.recording.setting(key)

    def refresh(self) -> "Run":
        """Finds the frames that were committed since. Datasets keep those that they had."""
        self.recording.refresh()
        return self

    def field(self, name: str, wave: int = 0, step: Optional[int] = None) -> xarray.DataArray:
        """As hamon.field."""
        return field(self.recording, name, wave, step)

    def map(self, name: str = "wall", step: int = 0) -> xarray.DataArray:
        """"wall", "speed", "cost" or "one_way" of the whole map at a step."""
        return map_array(self.recording, name, step)

    def headings(self, wave: int = 0, step: Optional[int] = None) -> xarray.DataArray:
        """The unit vector that an agent would follow at each cell; 0, 0, 0: none."""
        return heading_array(self.recording, wave, step)

    def save(self, path: Path) -> "Run":
        """Copies the recording, and opens the copy."""
        with open(self.path, "rb") as source, open(path, "xb") as file:
            shutil.copyfileobj(source, file)
        return Run(path)

    # ---- what the programs make of it: their options are keywords ----

    def slice(self, *others: Any, **options: Any) -> Union[Output, List[Output]]:
        """hamon-slice: a picture, or a list of them if several steps are chosen."""
        with tempfile.TemporaryDirectory() as folder:
            files = [self.path, *map(_path, others)]
            if "minus" in options:
                options["minus"] = _path(options["minus"])
            run_program("slice", [*option_words(options), "--", *files], folder=folder)
            names = sorted(os.listdir(folder))
            made = [Output.read(os.path.join(folder, name)) for name in names]
        return made[0] if len(made) == 1 else made

    def _one(self, program: str, format: str, files: List[str], options: Mapping[str, Any],
             progress: Optional[bool]) -> Output:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "made." + format)
            run_program(program, [*option_words(options), "-o", path, "--", *files], progress=progress)
            return Output.read(path)

    def movie(self, *others: Any, format: str = "mp4", progress: Optional[bool] = None,
              **options: Any) -> Output:
        """hamon-movie: a film, as mp4, webm or gif."""
        return self._one("movie", format, [self.path, *map(_path, others)], options, progress)

    def report(self, *others: Any, progress: Optional[bool] = None, **options: Any) -> Output:
        """hamon-report: one HTML page."""
        return self._one("report", "html", [self.path, *map(_path, others)], options, progress)

    def table(self, name: str = "trajectories") -> pandas.DataFrame:
        """hamon-export --csv: trajectories, arrivals, captures, emissions, plans or paths."""
        return _table(run_program("export", ["--csv", f"--only={name}", "-o", "-", "--", self.path]))

    def info(self) -> Dict[str, Any]:
        """hamon-info --json"""
        made: Dict[str, Any] = json.loads(run_program("info", ["--json", "--", self.path]))
        return made

    def check(self, **options: Any) -> None:
        """hamon-check: raises ProgramError if the recording violates a law."""
        run_program("check", [*option_words(options), "--", self.path])


def record(
    scenario: Union[Path, Scenario],
    set: Optional[Mapping[str, Any]] = None,
    *,
    output: Optional[Path] = None,
    progress: Optional[bool] = None,
    **options: Any,
) -> Run:
    """hamon-record: runs a scenario, and opens its recording.

        run = hamon.record("corridor.cfg", {"wave.delta": 0.1})

    Without output= the recording is temporary: it is removed when neither the Run nor
    an array of it is in use any more; run.save() copies it."""
    folder: Any = None if output else tempfile.TemporaryDirectory(prefix="hamon-")
    name = "run" if isinstance(scenario, Scenario) else os.path.splitext(os.path.basename(os.fspath(scenario)))[0]
    path = os.fspath(output) if output else os.path.join(folder.name, name + ".h5")
    words = option_words({"set": set or {}, **options})
    source = "-" if isinstance(scenario, Scenario) else os.fspath(scenario)
    run_program("record", [*words, "-o", path, "--", source], progress=progress,
                input=scenario.text if isinstance(scenario, Scenario) else None)
    return Run(path, folder)


def sweep(
    scenario: Union[Path, Scenario],
    vary: Mapping[str, Any],
    *,
    set: Optional[Mapping[str, Any]] = None,
    output: Optional[Path] = None,
    **options: Any,
) -> xarray.Dataset:
    """hamon-sweep: runs a scenario for every combination of values; its table, with a
    row for each run and each method of agents along `run`. The varied settings are
    coordinates. With output= the folder with all recordings stays, and the same call
    continues an interrupted sweep.

        hamon.sweep("corridor.cfg", {"wave.walls": ["fixed", "free"], "seed": "1:20"})
    """
    with tempfile.TemporaryDirectory(prefix="hamon-") as folder:
        path = os.path.abspath(os.fspath(output)) if output else os.path.join(folder, "sweep")
        if isinstance(scenario, Scenario):
            # beside the sweep, which reads it again when it is continued
            source = os.path.join(folder, "scenario.cfg")
            scenario.save(source)
        else:
            source = os.fspath(scenario)
        chart = {} if output else {"format": "none"}
        words = option_words({"set": set or {}, "vary": vary, **chart, **options})
        run_program("sweep", [*words, "-o", path, "--", source])
        table = pandas.read_csv(os.path.join(path, "table.csv"))
    table.index.name = "run"
    made = xarray.Dataset.from_dataframe(table)
    return made.set_coords([name for name in (*vary, "method") if name in made])


def _study(program: str, runs: Any, chart: bool, options: Mapping[str, Any]) -> Any:
    files = [_path(run) for run in runs]
    with tempfile.TemporaryDirectory() as folder:
        words = option_words({"format": "svg" if chart else "none", **options})
        base = os.path.join(folder, "chart")
        text = run_program(program, [*words, "--table=csv", "-o", base, "--", *files])
        return Output.read(base + ".svg") if chart else _table(text)


def reflection(*runs: Any, chart: bool = False, **options: Any) -> Any:
    """hamon-reflection: how wrong headings are near walls; its table, or its chart."""
    return _study("reflection", runs, chart, options)


def isotropy(*runs: Any, chart: bool = False, **options: Any) -> Any:
    """hamon-isotropy: how round first fronts are; its table, or its chart."""
    return _study("isotropy", runs, chart, options)


def steering(*runs: Any, chart: bool = False, **options: Any) -> Any:
    """hamon-steering: how areas of other speeds bend paths; its table, or its chart."""
    return _study("steering", runs, chart, options)


def modes(run: Any, *, chart: bool = False, **options: Any) -> Any:
    """hamon-modes: the modes of a straight corridor; its table, or its chart."""
    return _study("modes", [run], chart, options)


def compare(*runs: Any, **options: Any) -> pandas.DataFrame:
    """hamon-compare: how the methods of agents do."""
    files = [_path(run) for run in runs]
    return _table(run_program("compare", [*option_words(options), "--table=csv", "--", *files]))
