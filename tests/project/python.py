# SPDX-License-Identifier: MIT
"""Compares the package hamon with what xarray reads without it. python.test makes
the recordings. Usage: python.py CHECK…"""

import ctypes
import errno
import functools
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import traceback

import numpy
import xarray

import hamon


def same(path, group=None):
    """Every variable of the plain recording, bit for bit."""
    ours = hamon.open(path, group)
    theirs = xarray.open_dataset("plain.h5", group=group, engine="h5netcdf")
    compared = 0
    for name, variable in ours.variables.items():
        if name in ("name", "method", "nanoseconds") or (group and name == "time"):
            continue
        other = theirs[name]
        assert variable.dims == other.dims, (name, variable.dims, other.dims)
        expected = other.values
        if group in ("arrivals", "emissions", "captures", "plans"):
            expected = expected[: variable.shape[0]]  # the rest is not in use
            assert len(expected) == variable.shape[0] > 0
        if name.endswith("_arrival"):  # no fill value in the file
            expected = numpy.where(expected < 0, numpy.nan, expected)
        assert numpy.array_equal(variable.values, expected, equal_nan=True), name
        compared += 1
    assert compared > 2, compared


def kinds():
    for path in ("plain.h5", "packed.h5", "keyframes.h5"):
        same(path)
    for group in ("agents", "target", "arrivals", "emissions", "captures", "plans"):
        same("keyframes.h5", group)
    agents = hamon.open("plain.h5", group="agents")
    assert list(agents.name.values) == ["A", "planner"] and list(agents.method.values) == ["wave", "astar"]
    assert agents.x.sel(time=40).shape == (2,)  # the group has its own time


def lazy():
    run = hamon.open("keyframes.h5")
    whole = run.wave0.copy(deep=True).values
    run = hamon.open("keyframes.h5")
    frame = run.wave0.sel(time=43)
    assert not run.wave0._in_memory and not frame._in_memory
    assert numpy.array_equal(frame.values, whole[43])
    for index in (
        dict(time=slice(5, 40, 7)),
        dict(time=slice(None, None, -1), y=2),
        dict(time=[50, 3, 3], x=slice(4, 9)),
        dict(time=slice(10, 30), y=3, x=5),
        dict(time=7, y=[0, 2, 5], x=[29, 1]),
        dict(time=slice(0, 0)),
        dict(time=-1, x=-2),
    ):
        expected = xarray.DataArray(whole, dims=("time", "y", "x")).isel(index)
        assert numpy.array_equal(run.wave0.isel(index).values, expected.values), index
    assert not run.wave0._in_memory


def engine():
    ours = xarray.open_dataset("keyframes.h5", engine="hamon", drop_variables=["wave1"])
    assert "wave1" not in ours and ours.wave0.shape == (91, 6, 30)
    agents = xarray.open_dataset("keyframes.h5", engine="hamon", group="agents")
    assert agents.x.dims == ("time", "agent")


def mean():
    run = hamon.open("plain.h5")
    first = xarray.open_dataset("plain.h5", engine="h5netcdf", mask_and_scale=False)
    first = first.wave0_arrival.values
    assert (first < 0).any()
    assert float(run.wave0_arrival.mean()) == first[first >= 0].mean()


def units():
    run = hamon.open("plain.h5")
    assert [run[name].attrs["units"] for name in ("time", "x", "y")] == ["1", "1", "1"]
    run, agents = hamon.open("scaled.h5"), hamon.open("scaled.h5", "agents")
    assert [run[name].attrs["units"] for name in ("time", "x", "y")] == ["s", "m", "m"]
    assert numpy.allclose(run.time, 0.02 * numpy.arange(91)), run.time
    assert numpy.allclose(run.x, 0.5 * numpy.arange(30)), run.x
    # Positions are in metres, as the axes are, and equal to those of xarray's own reader.
    assert agents.x.attrs["units"] == "m" and float(agents.x[0, 0]) == 1
    for group in ("agents", "target", "emissions"):
        # Also while another reader of this process has the file open.
        with xarray.open_dataset("scaled.h5", group=group, engine="h5netcdf") as theirs:
            ours = hamon.open("scaled.h5", group)
            assert numpy.array_equal(ours.x.values, theirs.x.values, equal_nan=True), group


def steps():
    """No two steps become one time, however short they are."""
    for step in ("5e-13", "1e-10", "3.3e-10", "1e-9", "1.5e-9", "2e-9", "3e-9", "1e-6", "60.0"):
        subprocess.run(
            ["hamon-record", "-q", "--force", "-o", "short.h5", "--set", f"scale.step={step}"]
            + ["run.cfg"],
            check=True,
        )
        with xarray.open_dataset("short.h5", engine="h5netcdf") as theirs:
            times = theirs.time.values
        assert len(set(times.tolist())) == 91, (step, times[:5])
        seconds = numpy.arange(91) * float(step)
        if times.dtype.kind == "M":
            seconds, times = seconds * 1e9, times.astype("int64")
        assert abs(times - seconds).max() <= max(1e-12 * seconds.max(), float(step) >= 2e-9), step
        assert numpy.allclose(hamon.open("short.h5").time, numpy.arange(91) * float(step), 1e-12)


def fields():
    for name in ("heading", "arrival", "flux", "error"):
        subprocess.run(
            ["hamon-export", "-q", "--force", "--npy", "-f", name, "--at", "step=41", "-o", "a.npy"]
            + ["plain.h5"],
            check=True,
        )
        ours = hamon.field("plain.h5", name, step=41)
        assert numpy.array_equal(ours.values, numpy.load("a.npy"), equal_nan=True), name
        assert ours.dims == ("y", "x")
        assert ours.attrs["step"] == 41
        assert ours.x.attrs == hamon.open("plain.h5").x.attrs
    cube = hamon.field("cube.h5", "amplitude")
    assert cube.shape == (3, 3, 6) and cube.dims == ("z", "y", "x")
    assert cube.attrs == {"units": "1", "long_name": "amplitude of wave 0", "step": 20}
    flux = hamon.field("plain.h5", "flux", wave=1, step=41).attrs
    assert flux["long_name"] == "energy flux of wave 1, per cell and step", flux
    assert hamon.field("plain.h5", "heading").attrs["units"] == "degree"
    cause = hamon.field("plain.h5", "cause").attrs
    assert "units" not in cause and "standing" in cause["flag_meanings"].split(), cause
    assert len(cause["flag_values"]) == len(cause["flag_meanings"].split()) == 8


def kept():
    """No writer replaces an open recording, whatever the name of its file."""
    os.makedirs("folder", exist_ok=True)
    for name in ("link.h5", "hard.h5", "folder/link.h5", "kept.h5", "other.nc"):
        if os.path.lexists(name):
            os.remove(name)
    shutil.copy("plain.h5", "kept.h5")
    os.symlink("kept.h5", "link.h5")
    os.symlink("../link.h5", "folder/link.h5")
    os.link("kept.h5", "hard.h5")
    with open("kept.h5", "rb") as file:
        before = file.read()
    os.environ["HOME"] = os.getcwd()
    names = ["kept.h5", "./folder/../kept.h5", os.path.abspath("kept.h5"), "~/kept.h5"]
    names += ["link.h5", "hard.h5", "folder/link.h5", pathlib.Path("kept.h5"), pathlib.Path("hard.h5")]
    run = hamon.open("kept.h5")
    other = xarray.Dataset({"a": ("t", [1.0, 2.0])})
    writers = [
        run.to_netcdf,
        run.wave0.to_netcdf,
        run[["wall"]].to_netcdf,
        run.isel(time=slice(3)).load().to_netcdf,
        (run + 1).to_netcdf,
        other.to_netcdf,
        hamon.open("link.h5", "agents").to_netcdf,
        xarray.open_dataset("hard.h5", engine="hamon").to_netcdf,
        hamon.field("kept.h5", "heading").to_netcdf,
        lambda path: run.to_netcdf(path=path),
        lambda path: run.to_netcdf(path, mode="a", group="analysis"),
        lambda path: xarray.save_mfdataset([other, run], ["other.nc", path]),
        *(functools.partial(other.to_netcdf, engine=e) for e in ("netcdf4", "h5netcdf", "scipy")),
        run.to_zarr,
    ]
    for name in names:
        for write in writers:
            try:
                write(name)
            except PermissionError as error:
                assert error.errno == errno.EACCES and error.filename == str(name), error
            else:
                raise AssertionError((name, write))
            with open("kept.h5", "rb") as file:
                assert file.read() == before, (name, write)
    with open("kept.h5", "r+b") as file:
        try:
            other.to_netcdf(file, engine="h5netcdf")
        except PermissionError:
            pass
        else:
            raise AssertionError("an open file")
    # Also what has replaced the file since.
    shutil.copy("plain.h5", "new.h5")
    os.rename("new.h5", "kept.h5")
    try:
        run.to_netcdf("kept.h5")
    except PermissionError:
        pass
    else:
        raise AssertionError("a file that has the name now")
    # What is not open may be written, as xarray's own files may.
    run.to_netcdf("other.nc")
    assert numpy.array_equal(xarray.open_dataset("other.nc").wave0.values, run.wave0.values)
    shutil.copy("plain.h5", "own.h5")
    with hamon.open("own.h5").load() as own:
        try:
            own.to_netcdf("own.h5")
        except PermissionError:
            pass
        else:
            raise AssertionError("loaded, and open")
    own.to_netcdf("own.h5")
    assert xarray.open_dataset("own.h5").wave0.shape == own.wave0.shape


def complete():
    """C gets a whole text and a whole number, or nothing: each function of the library,
    each argument that is a text or a number."""
    from hamon import _library

    recording = _library.Recording("plain.h5")
    tried = 0
    for name, function in vars(_library._library).items():
        if not isinstance(function, ctypes._CFuncPtr):
            continue
        for i, kind in enumerate(function.argtypes):
            if kind is ctypes.c_void_p or issubclass(kind, ctypes._Pointer):
                continue
            bad = b"wave0\0x" if issubclass(kind, ctypes.c_char_p) else 2**64
            good = [b"wave0" if issubclass(k, ctypes.c_char_p) else 0 for k in function.argtypes]
            for k, each in enumerate(function.argtypes):
                if each is ctypes.c_void_p or issubclass(each, ctypes._Pointer):
                    good[k] = None
            try:
                function(*good[:i], bad, *good[i + 1 :])
            except ctypes.ArgumentError as error:
                assert "NUL" in str(error) or "too large" in str(error), error
            else:
                raise AssertionError((name, i))
            tried += 1
    assert tried > 15, tried
    for call in (
        lambda: hamon.open("plain.h5\0.nc"),
        lambda: hamon.open(pathlib.Path("plain.h5\0")),
        lambda: hamon.open(b"plain.h5\0"),
        lambda: xarray.open_dataset("plain.h5\0", engine="hamon"),
        lambda: hamon.field("plain.h5\0", "heading"),
        lambda: hamon.field("plain.h5", "heading\0x"),
        lambda: recording.text("title\0"),
        lambda: recording.setting("wave.delta\0"),
        lambda: recording.find_field("heading\0", 0),
        lambda: recording.read_field("heading\0", 0, 0),
        lambda: hamon.open("plain.h5", "agents\0"),
        lambda: hamon.field("plain.h5", "heading", wave=2**32),
        lambda: hamon.field("plain.h5", "heading", step=2**64),
    ):
        try:
            call()
        except (ValueError, hamon.Error):
            pass
        else:
            raise AssertionError("accepted")


def live():
    """live.h5 is being written; its program is stopped for now."""
    run = hamon.open("live.h5")
    assert run.attrs["state"] == "running"
    frames = run.sizes["time"]
    stored = xarray.open_dataset("live.h5", engine="h5netcdf").sizes["time"]
    assert 0 < frames < stored, (frames, stored)
    assert numpy.isfinite(run.wave0.isel(time=-1).values).all()
    assert numpy.array_equal(run.time.values, 2000 * numpy.arange(frames))


def refused():
    for path, group, words in (
        ("missing.h5", None, "missing.h5: "),
        (__file__, None, "not a readable recording"),
        ("plain.h5", "shoes", "there are agents, arrivals"),
    ):
        try:
            hamon.open(path, group)
        except hamon.Error as error:
            assert words in str(error), error
        else:
            raise AssertionError(path)
    try:
        hamon.field("plain.h5", "taste")
    except OSError as error:
        assert "fields are" in str(error)
    else:
        raise AssertionError("taste")
    run = hamon.open("spoilt.h5")
    run.wave0.isel(time=6).load()
    try:
        run.wave0.isel(time=7).load()
    except hamon.Error as error:
        assert "row 7 is damaged" in str(error), error
    else:
        raise AssertionError("spoilt.h5")


def named():
    """A file name that is not UTF-8, in the attribute path of netCDF."""
    name = os.fsdecode(b"a\xffb.h5")
    shutil.copy("plain.h5", name)
    hamon.open(name).to_netcdf("named.nc", engine="h5netcdf")
    with xarray.open_dataset("named.nc", engine="h5netcdf") as stored:
        assert stored.attrs["path"].endswith("/a\ufffdb.h5"), stored.attrs["path"]


def threads():
    import pickle

    run = hamon.open("keyframes.h5")
    whole = hamon.open("keyframes.h5").wave0.values
    wrong = []

    def read(first):
        for i in range(first, 91, 8):
            if not numpy.array_equal(run.wave0.isel(time=i).values, whole[i]):
                wrong.append(i)

    all_of_them = [threading.Thread(target=read, args=(i,)) for i in range(8)]
    for thread in all_of_them:
        thread.start()
    for thread in all_of_them:
        thread.join()
    assert not wrong, wrong
    again = pickle.loads(pickle.dumps(run))
    assert numpy.array_equal(again.wave0.isel(time=9).values, whole[9])


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
