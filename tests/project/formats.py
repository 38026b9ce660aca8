# SPDX-License-Identifier: MIT
"""formats.py PART DIMS:FILE…: compares recordings of record_known with
what other projects' readers read from them. PART: cf, netcdf4 or h5netcdf."""
import sys

import numpy as np

dims, axes, path = 0, "", ""


def value(kind, wave, row, i):
    return 1 + kind * 0.5 + wave * 1000 + row * 0.03125 + i * 0.25


def wanted(kind, wave, row, x, y, z):
    """The field at the cells of x, y, z, by the formula of recording_run.h."""
    cells = (z[:, None, None] * 7 + y[None, :, None]) * 11 + x[None, None, :]
    field = value(kind, wave, row, cells).astype("f4")
    return field if dims == 3 else field[0]


def crc32c(data):
    """CRC-32C bit by bit, by its definition (RFC 3720, B.4)."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def check_fields(get, x, y, z):
    for wave in range(2):
        for kind in range(dims + 1):
            name = f"wave{wave}" + (f"_grad_{axes[kind - 1]}" if kind else "")
            field = get(name)
            assert field.dtype == np.float32 and field.shape[0] == 13, name
            for row in range(13):
                assert np.array_equal(
                    field[row], wanted(kind, wave, row, x, y, z)), (name, row)


def cf():
    import h5py
    own = {"DIMENSION_LIST", "REFERENCE_LIST", "CLASS", "NAME"}
    file = h5py.File(path, "r")

    def attributes(name, thing):
        for key in thing.attrs:
            attribute = thing.attrs.get_id(key)
            kind = attribute.get_type()
            if key in own:
                continue
            if isinstance(kind, h5py.h5t.TypeStringID):
                assert attribute.shape == (), (name, key)
                assert not kind.is_variable_str(), (name, key)
                assert kind.get_strpad() == h5py.h5t.STR_NULLTERM, (name, key)
            else:
                assert len(attribute.shape) == 1, (name, key)

    def visit(name, thing):
        attributes(name, thing)
        if not isinstance(thing, h5py.Dataset):
            order = thing.id.get_create_plist().get_link_creation_order()
            assert order == 3, name
            return
        plist = thing.id.get_create_plist()
        assert plist.get_attr_creation_order() == 3, name
        assert not plist.get_obj_track_times(), name
        packed = "chunk/chunk_" + name in file or (
            "chunk/" + name.replace("world/", "world/chunk_") in file)
        assert plist.get_layout() == (
            h5py.h5d.CHUNKED if packed else h5py.h5d.CONTIGUOUS), name
        assert plist.get_nfilters() == (2 if packed else 0), name
        assert thing.maxshape == thing.shape and len(thing.shape) <= 4, name
        if "/" not in name:
            assert thing.dtype.str in ("|i1", "<i4", "<f4", "<f8"), name
        if h5py.h5ds.is_scale(thing.id):
            return
        for axis in range(len(thing.shape)):
            scales = thing.dims[axis]
            assert len(scales) == 1, (name, axis)
            assert scales[0].shape == (thing.shape[axis],), (name, axis)
        if "_FillValue" in thing.attrs:
            assert thing.attrs["_FillValue"].dtype == thing.dtype, name
        none = (name.startswith("wave") and "_arrival" in name or name.split("/")[0] in (
            "arrivals", "emissions", "captures", "plans"))
        assert ("_FillValue" in thing.attrs) == (
            none or name.endswith("step_nanoseconds")), name
        if "flag_values" in thing.attrs:
            assert thing.attrs["flag_values"].dtype == thing.dtype, name
            assert len(thing.attrs["flag_values"]) == len(
                thing.attrs["flag_meanings"].split()), name

    attributes("/", file)
    file.visititems(visit)
    assert file.attrs["Conventions"] == b"CF-1.10"
    assert file.attrs["format_version"] == 1
    assert file["agents"].attrs["featureType"] == b"trajectory"
    assert file["agents/name"].attrs["cf_role"] == b"trajectory_id"
    for name in "source", "references":
        assert file.attrs[name], name
    time = file["time"].attrs
    assert time["axis"] == b"T" and time["standard_name"] == b"time"
    assert time["units"] == b"seconds since 1970-01-01 00:00:00"
    assert list(file["time"]) == [row * 0.25 for row in range(13)]
    assert list(file["step"]) == list(range(13))
    for group in "agents", "target":  # one dataset, under two names
        for name in "time", "step":
            assert file[group][name] == file[name], (group, name)
    # The first name of the scale of time, which is linked into groups too.
    for name in "wave0", "agents/x", "target/state":
        assert file[name].dims[0][0].name == "/time", name
    # A dimension without values has no space in the file.
    for group, name in ("agents", "name_length"), ("arrivals", "arrival"):
        assert not file[group][name][()].any(), name
    assert "axis" not in file["x"].attrs
    for axis in "xy":
        assert file[axis].attrs["standard_name"] == f"projection_{axis}_coordinate".encode()
    for axis in axes:
        assert file[axis].attrs["units"] == b"m", axis
        assert (file[axis][()] == file["cell_" + axis][()] * 0.5).all(), axis
        for table in "agents", "target", "emissions", "plans":
            attrs = file[table][axis].attrs
            assert attrs["units"] == b"m" and attrs["scale_factor"] == 0.5, table
    assert file["status/committed"][()] == 13
    assert file["agents/name"][2].tobytes() == "Émile".encode()
    for row in range(13):
        for name, crc in (("wave0", "crc_wave0"), ("wave1_grad_y", "crc_wave1_grad_y"),
                          ("agents/x", "agents/crc_x"), ("target/state", "target/crc_state")):
            assert file["crc/" + crc][row] == crc32c(
                file[name][row].tobytes()), (name, row)
    x, y = file["cell_x"][()], file["cell_y"][()]
    z = file["cell_z"][()] if dims == 3 else np.zeros(1)
    check_fields(lambda name: file[name][()], x, y, z)


def xarray_with(engine):
    import xarray
    data = xarray.open_dataset(path, engine=engine)
    assert data.attrs["title"] == "A run of known values"
    assert data.wave0.dims == ("time",) + tuple("zyx"[3 - dims:]), data.wave0.dims
    start = np.datetime64("1970-01-01", "ns")
    assert list(data.time.values) == [
        start + np.timedelta64(250 * row, "ms") for row in range(13)]
    assert list(data.step.values) == list(range(13))
    x, y = data.cell_x.values, data.cell_y.values
    z = data.cell_z.values if dims == 3 else np.zeros(1)
    assert list(data.x.values) == [0.5 * at for at in x]
    assert data.x.attrs["units"] == "m"
    never = data.wave0_arrival.isnull()
    assert len(x) < 11 or not never.all()  # a region may have no such cell
    raw = xarray.open_dataset(path, engine=engine, mask_and_scale=False)
    assert (never == (raw.wave0_arrival == -1)).all() and never.any()
    arrived = raw.wave0_arrival.values[raw.wave0_arrival.values >= 0]
    if len(arrived):
        assert float(data.wave0_arrival.mean()) == arrived.mean()
    check_fields(lambda name: data[name].values, x, y, z)
    assert data.wall.attrs["flag_meanings"] == "free wall"
    agents = xarray.open_dataset(path, engine=engine, group="agents")
    names = [n.decode() if isinstance(n, bytes) else str(n)
             for n in agents["name"].values]
    assert names == ["A", "Bob", "Émile"], names
    assert agents.heading_x.dims == ("time", "agent")
    for row in range(13):
        assert list(agents.x.values[row]) == [
            value(10, 0, row, a) * 0.5 for a in range(3)]
    at = agents.sel(time="1970-01-01T00:00:01.5")
    assert list(at.x.values) == [value(10, 0, 6, a) * 0.5 for a in range(3)]
    at = agents.swap_dims(time="step").sel(step=6)
    assert list(at.x.values) == [value(10, 0, 6, a) * 0.5 for a in range(3)]
    for group in "arrivals", "emissions", "captures", "plans":
        table = xarray.open_dataset(path, engine=engine, group=group)
        used = int(xarray.open_dataset(path, engine=engine, group="status")[group])
        for name, column in table.data_vars.items():
            axis = column.dims[0]
            if axis != "path_cell":
                assert int(column.count()) == used, (group, name)
            assert not (column == -1).any(), (group, name)
    text = xarray.open_dataset(path, engine=engine, group="provenance")
    scenario = text["scenario"].values[()]
    scenario = scenario.decode() if isinstance(scenario, bytes) else scenario
    assert str(scenario) == "steps = 12;\n"
    for group in ("target", "arrivals", "emissions", "captures", "plans",
                  "status", "crc", "crc/agents",
                  "chunk" if path[0] == "p" else "restart"):
        xarray.open_dataset(path, engine=engine, group=group).load()


for argument in sys.argv[2:]:
    dims, path = int(argument[0]), argument[2:]
    axes = "xyz"[:dims]
    if sys.argv[1] == "cf":
        cf()
    else:
        xarray_with(sys.argv[1])
