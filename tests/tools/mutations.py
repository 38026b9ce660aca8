#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""mutations.py FOLDER FIRST COUNT KB SECONDS PROGRAM: mutants FIRST to
FIRST + COUNT - 1 of the scenarios and maps below FOLDER, each read by
`PROGRAM -q --check`, which must exit with 0, 1 or 2, print one line if it
is not 0, and use at most KB of memory and SECONDS of processor time. A
mutant depends only on its number and on the seeds. Prints the maximum of each,
and the failures; the mutants that fail are kept in FOLDER."""
import collections
import os
import random
import re
import resource
import struct
import subprocess
import sys
import zlib

NUMBERS = ("0", "-1", "1", "0.5", "-0.5", "1e-300", "1e300", "-1e300", "1e999",
           "2147483647", "2147483648", "-2147483648", "4294967296",
           "9223372036854775807", "9223372036854775807L", "1000000", "0x7FFFFFFF",
           "100000000000L", "30000", "70000", "1e9", "nan", "inf", "0.1", "16777217")
WORDS = ("wave", "relay", "relay-complete", "astar", "dijkstra", "fast-marching", "dstar-lite",
         "pincer", "wave-pincer", "lee", "every-step", "every-cell", "emission", "random", "evade",
         "waypoints", "farthest-safe", "laplace", "first-peak", "leading-edge",
         "gaussian", "ricker", "double", "9-point", "27-point", "received", "on-arrival",
         "never", "best", "paper", "count", "lifetime", "every", "keyframes",
         "region", "layers", "rows", "file", "at", "steps", "seed", "speed",
         "box", "plane", "goal", "sight", "size", "true", "false")
MANY = (2, 3, 10, 100, 1000, 20000)
TOKEN = re.compile(rb'"[^"\n]*"|[A-Za-z_*][\w*-]*|[-+]?[\d.][\w.+-]*|\s+|.', re.S)
NUMBER = re.compile(rb"[-+]?[\d.]")


def some_number(r, was):
    choice = r.randrange(4)
    if choice == 0 and was.strip(b"+-").isdigit():
        return b"%d" % (int(was) * r.choice((-1, 2, 10, 1000, 10 ** 6)) + r.randrange(3) - 1)
    if choice == 1:
        return was + r.choice((b".5", b"e3", b"e-5", b"L", b"0000"))
    return r.choice(NUMBERS).encode()


def flip(r, data):
    data = bytearray(data)
    for _ in range(r.choice((1, 1, 2, 8))):
        data[r.randrange(len(data))] ^= 1 << r.randrange(8)
    return bytes(data)


def cut(r, data):
    return data[:r.randrange(len(data))]


def number(r, data):
    parts = TOKEN.findall(data)
    at = [i for i, part in enumerate(parts) if NUMBER.match(part)]
    for _ in range(r.choice((1, 1, 2, 5)) if at else 0):
        i = r.choice(at)
        parts[i] = some_number(r, parts[i])
    return b"".join(parts)


def swap(r, data):
    parts = TOKEN.findall(data)
    for _ in range(r.choice((1, 2, 5))):
        i, j = r.randrange(len(parts)), r.randrange(len(parts))
        parts[i], parts[j] = parts[j], parts[i]
    return b"".join(parts)


def word(r, data):
    parts = TOKEN.findall(data)
    at = [i for i, part in enumerate(parts) if part[:1].isalpha() or part[:1] == b'"']
    if at:
        i = r.choice(at)
        new = r.choice(WORDS).encode()
        parts[i] = b'"%s"' % new if parts[i][:1] == b'"' else new
    return b"".join(parts)


def drop(r, data):
    parts = TOKEN.findall(data)
    i = r.randrange(len(parts))
    del parts[i:i + r.choice((1, 1, 3, 20))]
    return b"".join(parts)


def block(r, data):
    """Repeats a group, a list, a string or some lines many times."""
    found = [m.span() for m in re.finditer(rb"\{[^{}]*\}|\([^()]*\)|\[[^][]*\]|\"[^\"\n]*\"", data)]
    if found and r.random() < 0.7:
        start, end = r.choice(found)
        return data[:end] + (b", " + data[start:end]) * r.choice(MANY) + data[end:]
    lines = data.split(b"\n")
    at = r.randrange(len(lines))
    some = lines[at:at + r.choice((1, 1, 3, 10))]
    return b"\n".join(lines[:at] + some * r.choice(MANY) + lines[at:])


def nest(r, data):
    at, depth = r.randrange(len(data) + 1), r.choice((5, 100, 5000, 100000))
    pair = r.choice(((b"(", b")"), (b"{a=", b";}"), (b"[", b"]"), (b"({a=", b"})")))
    shut = pair[1] * depth if r.random() < 0.7 else b""
    return data[:at] + pair[0] * depth + shut + data[at:]


TEXT = (flip, cut, number, number, number, swap, word, word, drop, block, nest)


def chunks_of(data):
    at = 8
    while at + 8 <= len(data):
        length = struct.unpack(">I", data[at:at + 4])[0]
        yield data[at + 4:at + 8], data[at + 8:at + 8 + length]
        at += 12 + length


def png(r, data):
    """Changes chunks and keeps their checksums correct, so that they are read."""
    made = data[:8]
    parts = list(chunks_of(data))
    if not parts:
        return flip(r, data)
    victim = r.randrange(len(parts))
    for i, (kind, body) in enumerate(parts):
        times = 1
        if i == victim and kind == b"IHDR" and r.random() < 0.7:
            values = list(struct.unpack(">IIBBBBB", body[:13].ljust(13, b"\0")))
            values[r.randrange(2)] = r.choice((0, 1, 7, 1000, 30000, 1000000, 2 ** 31 - 1))
            values[2] = r.choice((1, 2, 4, 8, 16, values[2]))
            values[3] = r.choice((0, 2, 3, 4, 6, values[3]))
            body = struct.pack(">IIBBBBB", *values)
        elif i == victim and body:
            body = r.choice((flip, cut))(r, body)
            times = r.choice((1, 1, 0, 3))
        made += (struct.pack(">I", len(body)) + kind + body +
                 struct.pack(">I", zlib.crc32(kind + body))) * times
    return made


def mutant(r, data, picture):
    for _ in range(r.choice((1, 1, 1, 2, 4))):
        if data:
            data = r.choice((png, flip, cut) if picture else TEXT)(r, data)
    return data


def write_png(path, width, height):
    def chunk(kind, body):
        return (struct.pack(">I", len(body)) + kind + body +
                struct.pack(">I", zlib.crc32(kind + body)))
    pixels = (b"\0" + b"\xff" * width) * height
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" +
                   chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b""))


def seeds_below(folder):
    scenarios, maps = [], []
    for root, _, files in sorted(os.walk(folder)):
        for name in sorted(files):
            if name.endswith(".cfg") and not name.startswith("mutant"):
                scenarios.append(os.path.join(root, name))
            elif re.search(r"\.(map|3dmap|png)$", name) and not name.startswith("mutant"):
                maps.append(os.path.join(root, name))
    return scenarios, maps


AROUND = """map = {{ file = "{map}"; {more} }}; steps = {steps};
wave = {{ }}; target = {{ at = [1, 1{z}]; }}; agents = ({{ at = [1, 1{z}]; method = "{method}"; }});
"""


def make(i, scenarios, maps):
    """The scenario of mutant i, and its files."""
    r = random.Random(i)
    if r.random() < 0.6:
        seed = r.choice(scenarios)
        path = os.path.join(os.path.dirname(seed), "mutant%d.cfg" % i)
        with open(seed, "rb") as file:
            data = mutant(r, file.read(), False)
        with open(path, "wb") as file:
            file.write(data)
        return [path]
    seed = r.choice(maps)
    kind = os.path.splitext(seed)[1]
    stem = os.path.join(os.path.dirname(seed), "mutant%d" % i)
    with open(seed, "rb") as file:
        data = mutant(r, file.read(), kind == ".png")
    with open(stem + kind, "wb") as file:
        file.write(data)
    with open(stem + ".cfg", "w") as file:
        file.write(AROUND.format(
            map=os.path.basename(stem + kind), steps=r.choice((10, 1000, 1000000)),
            more=r.choice(("", 'legend = ({ symbol = "T"; cost = 3.0; speed = 0.5; });')),
            z=", 1" if kind == ".3dmap" else "", method=r.choice(WORDS[:9])))
    return [stem + ".cfg", stem + kind]


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))


def check(program, scenario, most, seconds):
    """The failure, if any, and the exit code, the kB and the seconds."""
    child = subprocess.Popen([program, "-q", "--check", scenario], stdin=subprocess.DEVNULL,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                             preexec_fn=limit)
    said = child.stderr.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    took = used.ru_utime + used.ru_stime
    lines = said.count(b"\n")
    wrong = ""
    if child.returncode not in (0, 1, 2):
        wrong = "exit code %d" % child.returncode
    elif lines != (child.returncode != 0):
        wrong = "exit code %d with %d lines of errors" % (child.returncode, lines)
    elif used.ru_maxrss > most or took > seconds:
        wrong = "%d kB, %.2f s of processor time" % (used.ru_maxrss, took)
    return wrong, child.returncode, used.ru_maxrss, took


def main(folder, first, count, most, seconds, program):
    os.chdir(folder)
    write_png("plain.png", 60, 40)
    scenarios, maps = seeds_below(".")
    codes = collections.Counter()
    largest, longest, bad = (0, 0), (0, 0), 0
    for i in range(int(first), int(first) + int(count)):
        files = make(i, scenarios, maps)
        wrong, code, kilobytes, took = check(program, files[0], int(most), float(seconds))
        codes[code] += 1
        largest = max(largest, (kilobytes, i))
        longest = max(longest, (took, i))
        if wrong:
            bad += 1
            print("mutant %d, %s: %s" % (i, files[-1], wrong))
        else:
            for name in files:
                os.remove(name)
    print("%s mutants of %d scenarios and %d maps: exit codes %s" % (
        count, len(scenarios), len(maps), dict(sorted(codes.items()))))
    print("at most %.1f MB (mutant %d) and %.2f s of processor time (mutant %d)" % (
        largest[0] / 1024, largest[1], *longest))
    return bad != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
