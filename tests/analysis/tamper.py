# SPDX-License-Identifier: MIT
"""tamper.py each FILE FOLDER EVERY | all FILE FOLDER EVERY | random SEED FILE

Changes a recording so that only the physics can show it: the changed tables are
consistent with the counts in /status, and the checksums are those of the changed
rows. `each` writes a changed copy for each EVERY-th of TAMPERINGS into
the folder, 1.h5, 2.h5, …, and prints the numbers and names of all, one a line;
`all` does this for one element of every variable and for every attribute,
whatever the file has; `random` changes one value of one variable and prints which.
"""
import random
import shutil
import sys

import h5py
import numpy

TABLE = []
for byte in range(256):
    for _ in range(8):
        byte = byte >> 1 ^ 0x82F63B78 * (byte & 1)
    TABLE.append(byte)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def store(run, name, values):
    """Writes all of a variable, and the checksums of the rows that changed."""
    before = run[name][()]
    if before.dtype.kind == "S":  # as bytes: h5py would end texts of one character by a NUL
        values = numpy.ascontiguousarray(values, dtype=before.dtype)
        run[name].id.write(h5py.h5s.ALL, h5py.h5s.ALL, values,
                           mtype=run[name].id.get_type())
    else:
        run[name][...] = values
    after = run[name][()]
    group, slash, last = name.rpartition("/")
    beside = f"crc/{group}{slash}crc_{last}"
    if beside not in run:
        return
    sums = run[beside]
    for row in range(len(after)):
        if before[row].tobytes() != after[row].tobytes():
            sums[row] = crc32c(after[row].tobytes())


def change(name, at, to):
    """Changes one value; `to` is a number, or a function of the value."""
    def tamper(run):
        values = numpy.array(run[name][()])
        values[at] = to(values[at]) if callable(to) else to
        store(run, name, values)
    return tamper


def columns(run, table):
    """The columns except axes, which have no values, and the cells of paths."""
    axes = (table[:-1], "path_cell")
    paths = ("x", "y", "z") if table == "plans" else ()
    return [c for c in run[table] if c not in axes + paths]


def used(run, table):
    return int(run["status/" + table][()])


def remove_path(run, at):
    sizes = run["plans/row_size"][:at + 1]
    first, cells = int(sizes[:-1].sum()), int(sizes[-1])
    for axis in ("x", "y"):
        values = run["plans/" + axis][()]
        values[first:] = numpy.append(values[first + cells:], [-1] * cells)
        run["plans/" + axis][...] = values
    run["status/plan_cells"][...] = run["status/plan_cells"][()] - cells


def remove(table, row):
    """Removes a row of a table and moves the later ones up."""
    def tamper(run):
        count = used(run, table)
        at = row % count
        if table == "plans":
            remove_path(run, at)
        for column in columns(run, table):
            values = run[table][column][()]
            values[at:-1] = values[at + 1:]
            values[-1] = -1
            run[table][column][...] = values
        run["status/" + table][...] = count - 1
    return tamper


def remove_all(table):
    def tamper(run):
        for column in columns(run, table):
            run[table][column][...] = numpy.full_like(run[table][column][()], -1)
        run["status/" + table][...] = 0
    return tamper


def append(table, **values):
    def tamper(run):
        count = used(run, table)
        for column in values:
            run[table][column][count] = values[column]
        run["status/" + table][...] = count + 1
    return tamper


def swap_rows(table, a, b):
    def tamper(run):
        for column in columns(run, table):
            values = run[table][column][()]
            values[a], values[b] = values[b], values[a]
            run[table][column][...] = values
    return tamper


def swap_agents(run):
    for name in ("x", "y", "heading_x", "heading_y", "state"):
        values = run["agents/" + name][()]
        values[:, [0, 1]] = values[:, [1, 0]]
        store(run, "agents/" + name, values)


def freeze(name, row, agent=None):
    """Repeats the position of this row in all later ones."""
    def tamper(run):
        for axis in ("x", "y"):
            values = run[name + "/" + axis][()]
            if agent is None:
                values[row:] = values[row]
            else:
                values[row:, agent] = values[row, agent]
            store(run, name + "/" + axis, values)
    return tamper


def reverse_headings(run):
    """Reverses the headings of agent 0 in every row and in its arrivals."""
    for axis in ("heading_x", "heading_y"):
        values = run["agents/" + axis][()]
        values[:, 0] = -values[:, 0]
        store(run, "agents/" + axis, values)
        values = run["arrivals/" + axis][()]
        mine = run["arrivals/agent"][()] == 0
        values[mine] = -values[mine]
        run["arrivals/" + axis][...] = values


def replace_text(name, old, new):
    """Replaces a part of a text of /provenance by one of the same length."""
    def tamper(run):
        text = run["provenance/" + name][()].tobytes()
        assert len(old) == len(new) and old in text, name
        store(run, "provenance/" + name, numpy.frombuffer(
            text.replace(old, new, 1), dtype=run["provenance/" + name].dtype))
    return tamper


def replace_settings(old, new):
    """Replaces a part of every text that contains it."""
    def tamper(run):
        for name in ("resolved", "parameters", "scenario"):
            if old in run["provenance/" + name][()].tobytes():
                replace_text(name, old, new)(run)
    return tamper


def drop_rows(run):
    run["status/committed"][...] = run["status/committed"][()] - 1


def later(name, row, agent=0):
    """Repeats an agent's previous row in this row."""
    def tamper(run):
        values = run[name][()]
        values[row, agent] = values[row - 1, agent]
        store(run, name, values)
    return tamper


STEP = 60
TAMPERINGS = {
    "an amplitude": change("wave0", (STEP, 7, 9), lambda v: v + 1e-6),
    "an amplitude in the last frame":
        change("wave1", (-1, 3, 3), lambda v: v * 1.5 + 1e-9),
    "a component of a gradient":
        change("wave0_grad_x", (STEP, 7, 9), lambda v: -v + 1e-9),
    "a first arrival, later":
        change("wave0_arrival", (2, 2), lambda v: v + 1),
    "a first arrival, gone": change("wave0_arrival", (3, 12), -1),
    "a wall that there is not": change("wall", (0, 12, 1), 1),
    "a wall of an event, gone": change("wall", (1, 5, 15), 0),
    "a speed": change("speed", (0, 1, 20), 0.9),
    "a cost": change("cost", (0, 12, 20), 2.0),
    "a one-way cell": change("one_way", (0, 13, 2), 2),
    "the step of a version of the map": change("version_step", 1, 41),
    "the step of the last frame": change("step", -1, lambda v: v + 1),
    "the time of the last frame": change("time", -1, lambda v: v + 1),
    "the place of a column": change("x", 3, lambda v: v + 0.1),
    "the last frame, not counted": drop_rows,
    "a position, by 1e-9": change("agents/x", (STEP, 0), lambda v: v + 1e-9),
    "an agent that stays": freeze("agents", STEP, 0),
    "an agent that stays for a step": later("agents/y", STEP, 1),
    "two agents, exchanged": swap_agents,
    "a heading, reversed in one frame":
        change("agents/heading_x", (STEP, 0), lambda v: -v),
    "a heading, reversed everywhere": reverse_headings,
    "a state": change("agents/state", (STEP, 0), 3),
    "a capture's state, ahead of it": change("agents/state", (STEP, 1), 2),
    "a place of the target": change("target/y", STEP, lambda v: v + 0.01),
    "a target that stays": freeze("target", STEP),
    "a heading of the target": change("target/heading_x", STEP, lambda v: -v),
    "a state of the target": change("target/state", STEP, 2),
    "an arrival, gone": remove("arrivals", 1),
    "all arrivals, gone": remove_all("arrivals"),
    "an arrival that never was":
        append("arrivals", agent=1, wave=0, step=STEP, quantity=0,
               amplitude=0.01, gradient_x=0.01, gradient_y=0,
               heading_x=1, heading_y=0),
    "two arrivals, exchanged": swap_rows("arrivals", 0, 1),
    "an arrival's amplitude":
        change("arrivals/amplitude", 0, lambda v: v * 1.001),
    "an arrival's gradient":
        change("arrivals/gradient_y", 0, lambda v: v + 1e-12),
    "an arrival's heading": change("arrivals/heading_x", 0, lambda v: -v),
    "an arrival's step": change("arrivals/step", 0, lambda v: v + 1),
    "an arrival's agent": change("arrivals/agent", 0, lambda v: 1 - v),
    "an arrival's wave": change("arrivals/wave", 0, lambda v: 1 - v),
    "an arrival's quantity": change("arrivals/quantity", 0, 1),
    "an emission, gone": remove("emissions", -1),
    "an emission's source": change("emissions/x", 1, lambda v: v + 1),
    "an emission's step": change("emissions/step", 1, lambda v: v + 1),
    "a capture, gone": remove("captures", 0),
    "a capture that never was":
        append("captures", agent=5, target=0, step=STEP),
    "a capture's step": change("captures/step", 0, lambda v: v - 1),
    "a capture's target": change("captures/target", 0, 1),
    "a cell of a path": change("plans/y", 1, lambda v: v + 1),
    "a plan, gone": remove("plans", 2),
    "the agent of a plan": change("plans/agent", 0, lambda v: v + 1),
    "the step of a plan": change("plans/step", 3, lambda v: v + 1),
    "the length of a path": change("plans/row_size", 0, lambda v: v - 1),
    "the expansions of a plan":
        change("plans/expansions", 0, lambda v: v + 1),
    "a count of the relay search":
        change("relay/searches", STEP, lambda v: v + 1),
    "the name of an agent": change("agents/name", (0, 0), b"B"),
    "the method of an agent": change("agents/method", (2, 0), b"w"),
    "a setting in all texts": replace_settings(b"0.125", b"0.126"),
    "a setting in the resolved scenario":
        replace_text("resolved", b"0.125", b"0.126"),
    "a setting in the parameters":
        replace_text("parameters", b"0.125", b"0.126"),
    "a setting in the scenario":
        replace_text("scenario", b"0.125", b"0.126"),
    "the seed": replace_settings(b"12345", b"12346"),
    "the state of the run": change("status/state", (), 3),
    "the cells of the plans": change("status/plan_cells", (), lambda v: v - 1),
    "a value of an unused row": change("plans/agent", -1, 3),
}


def other(value, kind, generator):
    """Another value of the same type: the next, a far one, or random bits."""
    way = generator.randrange(3)
    if kind.kind == "f":
        with numpy.errstate(all="ignore"):
            near = numpy.nextafter(value, numpy.inf, dtype=kind)
        to = (near, kind.type(generator.uniform(-2, 2)),
              numpy.frombuffer(generator.randbytes(kind.itemsize), kind)[0])
    elif kind.kind in "iu":
        limits = numpy.iinfo(kind)
        to = (kind.type(int(value) + (1 if int(value) < limits.max else -1)),
              kind.type(generator.randrange(0, 100)),
              numpy.frombuffer(generator.randbytes(kind.itemsize), kind)[0])
    else:
        to = [bytes([generator.randrange(32, 127)])] * 3
    return to[way]


def tamper_randomly(run, seed):
    """Changes one value of a random variable (whatever its size) and prints which."""
    generator = random.Random(seed)
    names = []
    run.visititems(lambda name, item: names.append(name) if isinstance(
        item, h5py.Dataset) and item.id.get_offset() is not None else None)
    names = [name for name in sorted(names) if not name.startswith("crc/")]
    while True:
        name = generator.choice(names)
        values = run[name][()]
        flat = numpy.atleast_1d(values).reshape(-1)
        at = generator.randrange(len(flat))
        to = other(flat[at], flat.dtype, generator)
        before = flat.copy()
        flat[at] = to
        if before.tobytes() != flat.tobytes():
            break
    store(run, name, flat.reshape(numpy.shape(values)))
    print(name, at, before[at], "->", to)


# ---- every variable and every attribute ----

COUNTED = {"arrivals": "arrivals", "emissions": "emissions",
           "captures": "captures", "plans": "plans"}


def used_elements(run, name):
    """The last element in use of a table's column, or of any other variable."""
    table = name.split("/")[0]
    if table not in COUNTED:
        return run[name].size
    mark = "plan_cells" if name in ("plans/x", "plans/y", "plans/z") else table
    return int(run["status/" + mark][()])


def change_state(run, name):
    """A byte of a state to resume from, with the checksum of its slot."""
    state = run[name][()]
    data = bytearray(state.tobytes())
    data[-1] ^= 1
    data[4:8] = crc32c(bytes(data[8:])).to_bytes(4, "little")
    run[name][...] = numpy.frombuffer(bytes(data), state.dtype)


def change_variable(name):
    def tamper(run):
        if name.startswith("restart/state"):
            change_state(run, name)
            return
        values = numpy.array(run[name][()])
        flat = numpy.atleast_1d(values).reshape(-1)
        at = used_elements(run, name) - 1
        if flat.dtype.kind == "f":
            flat[at] = numpy.nextafter(flat[at], numpy.inf, dtype=flat.dtype)
        elif flat.dtype.kind == "S":
            at //= 2
            flat[at] = b"y" if flat[at] == b"x" else b"x"
        else:
            # `running` may also be true of a run that is done
            flat[at] += -1 if flat[at] > 0 and name != "status/state" else 1
        store(run, name, flat.reshape(values.shape))
    return tamper


def change_attribute(path, name):
    """Another last letter, the next number; a list of references is removed."""
    def tamper(run):
        owner = run[path] if path else run
        attribute = h5py.h5a.open(owner.id, name.encode())
        kind = attribute.get_type()
        if kind.get_class() in (h5py.h5t.VLEN, h5py.h5t.COMPOUND,
                                h5py.h5t.REFERENCE):
            del owner.attrs[name]
            return
        values = numpy.zeros(attribute.shape, attribute.dtype)
        attribute.read(values, mtype=kind)
        if values.dtype.kind == "S":
            text = bytearray(values.tobytes())
            at = max((i for i, c in enumerate(text) if c), default=0)
            text[at] = ord("y") if text[at] == ord("x") else ord("x")
            values = numpy.frombuffer(bytes(text), values.dtype).reshape(values.shape)
        else:
            values = numpy.array(numpy.where(values == values, values + 1, 1), values.dtype)
        attribute.write(numpy.ascontiguousarray(values), mtype=kind)
    return tamper


def every_change(file):
    """(name, change) for what the file has; an attribute is OBJECT@NAME."""
    changes = []
    with h5py.File(file) as run:
        objects = [("", run)]
        run.visititems(lambda name, item: objects.append((name, item)))
        for path, item in objects:
            if isinstance(item, h5py.Dataset) and item.id.get_offset() is not None:
                if used_elements(run, path) > 0:
                    changes.append((path, change_variable(path)))
            for name in item.attrs:
                changes.append((f"{path}@{name}", change_attribute(path, name)))
    return changes


def write_changed(file, folder, changes, every):
    for number, (name, tamper) in enumerate(changes, 1):
        print(number, name)
        if number % every:
            continue
        changed = f"{folder}/{number}.h5"
        shutil.copy(file, changed)
        with h5py.File(changed, "r+") as run:
            tamper(run)


def main(argv):
    if argv[0] == "random":
        with h5py.File(argv[2], "r+") as run:
            tamper_randomly(run, int(argv[1]))
        return
    changes = every_change(argv[1]) if argv[0] == "all" else TAMPERINGS.items()
    write_changed(argv[1], argv[2], changes, int(argv[3]))


if __name__ == "__main__":
    main(sys.argv[1:])
