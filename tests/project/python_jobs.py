# SPDX-License-Identifier: MIT
"""The package hamon runs scenarios and programs. python.test makes the recordings.
Usage: python_jobs.py CHECK…"""

import ast
import contextlib
import gc
import io
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import time
import traceback

import numpy
import pandas
import xarray

import hamon
from hamon import _library
from hamon._programs import option_words


def program(*words):
    return subprocess.run(words, check=True, capture_output=True).stdout


@contextlib.contextmanager
def raises(kind, *texts):
    try:
        yield
    except kind as error:
        for text in texts:
            assert text in str(error), (text, str(error))
    else:
        raise AssertionError(f"{kind.__name__} was not raised")


def record():
    run = hamon.record("run.cfg", {"wave.delta": 0.1, "title": "From Python", "wave.walls": "free"})
    assert run.setting("wave.delta") == "0.1" and run.setting("wave.walls") == "free"
    assert run.recording.text("title") == "From Python" and run.state == "done"
    program("hamon-record", "-q", "-o", "same.h5", "--set", "wave.delta=0.1", "--set", "wave.walls=free", "run.cfg")
    same = hamon.open("same.h5")
    assert numpy.array_equal(run.fields.wave0.values, same.wave0.values)
    assert list(run.agents.name.values) == ["A", "planner"] and len(run.arrivals.step) > 0
    kept = run.fields.wave0
    path = pathlib.Path(run.path)
    del run
    gc.collect()
    assert kept.isel(time=80).any() and path.exists()  # an array of it is in use
    del kept
    gc.collect()
    assert not path.parent.exists()
    saved = hamon.record("run.cfg", {"steps": 5}, output="stays.h5")
    assert saved.path == os.path.abspath("stays.h5") and saved.recording.info.frames == 6
    assert saved.save("copy.h5").fields.wave0.equals(saved.fields.wave0)
    with raises(FileExistsError):
        saved.save("copy.h5")


def errors():
    with raises(hamon.ProgramError, "stays.h5") as _:
        hamon.record("run.cfg", output="stays.h5")
    for wrong in ({"wave.dleta": 1}, {"steps": -1}):
        words = ["hamon-record", "-q", *option_words({"set": wrong}), "-o", "none.h5", "run.cfg"]
        said = subprocess.run(words, capture_output=True, text=True)
        for progress in (False, True):
            with contextlib.redirect_stderr(io.StringIO()):
                try:
                    hamon.record("run.cfg", wrong, output="none.h5", progress=progress)
                except hamon.ProgramError as error:
                    assert str(error) == said.stderr.strip(), (str(error), said.stderr)
                    assert (error.program, error.status) == ("hamon-record", 2) == ("hamon-record", said.returncode)
                    assert str(pickle.loads(pickle.dumps(error))) == str(error)
                else:
                    raise AssertionError(wrong)
    with raises(hamon.Error, "unknown option --nonsense"):
        hamon.Run("plain.h5").slice(nonsense=1)
    with raises(hamon.Error, "none.cfg"):
        hamon.record("none.cfg")
    with raises(hamon.Error):
        hamon.Run("spoilt.h5").check()
    hamon.Run("plain.h5").check()
    with raises(AttributeError, "nonsense"):
        hamon.Run("plain.h5").nonsense


def progress():
    shown = io.StringIO()
    with contextlib.redirect_stderr(shown):
        hamon.record("run.cfg", {"steps": 30}, progress=True)
    assert "30/30 steps" in shown.getvalue() and "done at step 30" in shown.getvalue(), shown.getvalue()
    with contextlib.redirect_stderr(io.StringIO()) as shown:
        hamon.record("run.cfg", {"steps": 30})
    assert shown.getvalue() == ""


def sweep():
    table = hamon.sweep("run.cfg", {"wave.walls": ["fixed", "free"], "seed": "1:2"}, set={"steps": 40})
    assert dict(table.sizes) == {"run": 8}  # and two methods
    assert sorted(set(table["wave.walls"].values)) == ["fixed", "free"] and sorted(set(table["seed"].values)) == [1, 2]
    assert set(table.coords) >= {"wave.walls", "seed", "method"} and (table["set.steps"] == 40).all()
    kept = hamon.sweep("run.cfg", {"steps": [20, 40]}, output="steps")
    csv = pandas.read_csv("steps/table.csv")
    assert list(csv["steps"]) == list(kept["steps"].values) and len(list(pathlib.Path("steps").glob("*/run.h5"))) == 2


def scenario():
    random = numpy.random.default_rng(7)
    walls = random.random((9, 14)) < 0.2
    walls[4, 2] = walls[4, 11] = False
    made = hamon.scenario(
        walls,
        title='A "drawn" map \\ of numpy',
        steps=30,
        target={"at": [11, 4]},
        agents=[{"name": "A", "at": (2.0, 4.0)}],
        wave={"count": 2, "lifetime": 20},
        record={"fields": ["amplitude", "agents"]},
    )
    run = hamon.record(made)
    assert run.recording.text("title") == 'A "drawn" map \\ of numpy'
    assert numpy.array_equal(run.map("wall").values, walls) and run.map().dims == ("y", "x")
    speed, cost = random.choice([0.5, 1, 0.75], walls.shape), random.choice([1.0, 3], walls.shape)
    run = hamon.record(hamon.scenario(walls, speed=speed, cost=cost, steps=5, target={"at": [11, 4]}))
    assert numpy.allclose(run.map("speed").values[~walls], speed[~walls])
    assert numpy.allclose(run.map("cost").values[~walls], cost[~walls])
    solid = random.random((3, 4, 5)) < 0.3
    solid[1, 1, 1] = False
    run = hamon.record(hamon.scenario(solid, steps=5, target={"at": [1, 1, 1]}, wave={"stencil": "7-point"}))
    assert numpy.array_equal(run.map().values, solid) and run.map().dims == ("z", "y", "x")
    made.save("drawn.cfg")
    assert hamon.record("drawn.cfg").fields.wave0.equals(hamon.record(made).fields.wave0)
    assert len(hamon.sweep(made, {"wave.delta": [0.1, 0.2]}).run) == 2
    for wrong, kind in ((numpy.zeros(3), ValueError), (numpy.array([["a"]]), TypeError)):
        with raises(kind):
            hamon.scenario(wrong)
    with raises(ValueError, "speed"):
        hamon.scenario(walls, speed=numpy.ones(3))
    with raises(TypeError):
        hamon.scenario(walls, steps=object())


def pictures():
    run = hamon.Run("plain.h5")
    one = run.slice(at="step=40", overlay="walls,agents", S=4, bar=True)
    program("hamon-slice", "-q", "--at", "step=40", "--overlay", "walls,agents", "-S4", "--bar", "-o", "a.png", "plain.h5")
    assert one.data == pathlib.Path("a.png").read_bytes() == one._repr_png_() and one._repr_svg_() is None
    one.save("saved.png")
    assert pathlib.Path("saved.png").read_bytes() == one.data
    two = run.slice(at=["step=40", "step=50"])
    assert len(two) == 2 and two[0].data != two[1].data
    assert run.slice(format="svg", at="step=40")._repr_svg_().startswith("<?xml")
    both = run.slice("keyframes.h5", at="step=40", montage="1x2")
    assert both.format == "png" and run.slice(minus=hamon.open("keyframes.h5"), at="step=40").format == "png"
    page = run.report(frames=5)
    assert "<iframe" in page._repr_html_() and b"<html" in page.data
    assert run.info()["file"] == run.path


def tables():
    run = hamon.Run("plain.h5")
    steps = run.table("trajectories")
    csv = program("hamon-export", "-q", "--csv", "--only=trajectories", "-o", "-", "plain.h5")
    assert steps.equals(pandas.read_csv(io.BytesIO(csv))) and {"agent", "x [cells]"} <= set(steps.columns)
    text = program("hamon-reflection", "-q", "--table=csv", "--format=none", "-o", "walls", os.path.abspath("plain.h5"))
    assert hamon.reflection(run).equals(pandas.read_csv(io.BytesIO(text)))
    assert hamon.reflection("plain.h5").equals(hamon.reflection(hamon.open("plain.h5")))
    text = program("hamon-compare", "-q", "--table=csv", "--by=file", os.path.abspath("plain.h5"))
    assert hamon.compare(run, by="file", force=None).equals(pandas.read_csv(io.BytesIO(text)))
    assert hamon.reflection(run, chart=True)._repr_svg_().startswith("<?xml")


def arrays():
    run = hamon.Run("plain.h5")
    wall = run.fields.wall
    for step, version in ((0, 0), (89, -1)):
        assert numpy.array_equal(run.map("wall", step).values, wall.isel(version=version).values)
    vectors = run.headings(step=70)
    angle = numpy.degrees(numpy.arctan2(-vectors.sel(component="y"), vectors.sel(component="x")))
    expected = run.field("heading", step=70)
    there = numpy.isfinite(expected.values)
    assert there.any() and numpy.allclose(numpy.cos(numpy.radians(angle.values - expected.values))[there], 1)
    assert run.headings().attrs["step"] == 90
    cube = hamon.Run("cube.h5")
    assert cube.headings().shape == (3, 3, 6, 3) and cube.map().dims == ("z", "y", "x")
    # Many frames: one call of the library.
    calls = []
    read = _library.Recording.read
    _library.Recording.read = lambda self, variable, *more: calls.append(more) or read(self, variable, *more)
    for index, expected in ((slice(None), 1), (slice(5, 40), 1), ([3, 4, 5, 9, 10], 2)):
        array = hamon.open("plain.h5").wave0.isel(time=index)
        calls.clear()
        values = array.values
        assert len(calls) == expected, (index, len(calls))
        assert numpy.array_equal(values, hamon.open("keyframes.h5").wave0.values[index])
    _library.Recording.read = read


def engine():
    raw = xarray.open_dataset("plain.h5", engine="hamon", mask_and_scale=False)
    assert raw.wave0_arrival.min() == -1 and raw.wave0_arrival.dtype.kind == "i"
    plain = xarray.open_dataset("plain.h5", engine="hamon", decode_times=False)
    assert plain.equals(xarray.open_dataset("plain.h5", engine="hamon"))
    assert xarray.open_dataset("plain.h5", engine="hamon", decode_cf=False).equals(raw)
    backend = xarray.backends.list_engines()["hamon"]
    groups = backend.open_groups_as_dict("plain.h5")
    assert set(groups) >= {"/", "/agents", "/target", "/arrivals"} and groups["/"].equals(plain)
    assert groups["/agents"].equals(hamon.open("plain.h5", "agents"))
    assert list(backend.open_groups_as_dict("plain.h5", group="agents")) == ["/"]
    if hasattr(xarray, "open_datatree"):
        tree = xarray.open_datatree("plain.h5", engine="hamon")
        assert tree["agents"].x.equals(hamon.open("plain.h5", "agents").x)


def live():
    run = hamon.Run("live.h5")
    assert run.state == "running"
    before, old = run.recording.info.frames, run.fields.wave0
    os.kill(int(os.environ["HAMON_LIVE"]), signal.SIGCONT)
    for _ in range(600):
        if run.refresh().recording.info.frames > before:
            break
        time.sleep(0.05)
    os.kill(int(os.environ["HAMON_LIVE"]), signal.SIGSTOP)
    assert run.recording.info.frames > before == old.shape[0]
    assert run.fields.wave0.shape[0] > before and numpy.isfinite(old.values).all()


def notebook():
    """Each cell of docs/notebook.ipynb shows what its last line is."""
    path = pathlib.Path(__file__).parents[2] / "docs" / "notebook.ipynb"
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    names, shown = {}, []
    for cell in cells:
        if cell["cell_type"] == "code":
            tree = ast.parse("".join(cell["source"]))
            last = ast.Expression(tree.body.pop().value)
            exec(compile(tree, path.name, "exec"), names)
            shown.append(eval(compile(last, path.name, "eval"), names))
    run, picture, arrivals, (largest, step), errors, table, page = shown
    assert run.fields.wave0.shape == (241, 40, 60)
    assert picture._repr_png_().startswith(b"\x89PNG")
    assert list(arrivals.name) == ["A"]
    assert run.fields.wave0.sel(time=step, x=37, y=10).item() in (largest, -largest)
    assert 0 < errors["wrong"][0] < 1
    assert len(table) == 4 and table.first_arrival.notna().all()
    assert "<iframe" in page._repr_html_()


def main(names):
    """Each check that passes is printed; what another raised is in NAME.failed."""
    for name in names:
        try:
            globals()[name]()
        except BaseException:
            with open(f"{name}.failed", "w", encoding="utf-8") as file:
                traceback.print_exc(file=file)
        else:
            print(name, flush=True)


main(sys.argv[1:])
