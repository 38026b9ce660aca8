# SPDX-License-Identifier: MIT
"""Hashes for tests/project/truth, which documents what is hashed and masked.

truth.py lines FOLDER [--write]  a line for each result in it; with --write the
                                 text files are replaced by the hashed text
truth.py mask FILE               masks a text file in place
truth.py spoil FILE DATASET      changes one byte of a dataset of a recording
"""
import base64
import csv
import hashlib
import io
import os
import re
import struct
import subprocess
import sys
import zlib

TIMES = re.compile(r"nanosecond|search_time|(^|_)ns(_|$)|\[ns\]")
AXES = ("time", "x", "y", "z", "version", "version_step")
FREE = "not stored"


def sha(data):
    return hashlib.sha256(data).hexdigest()


MASKS = [
    (re.compile(r'^(8 \d+ \d+) [0-9.]+ "Recorded by .*$', re.M), r'\1 20 "RECORDED BY"'),
    (re.compile(r"hamon(-[a-z]+)? \d+\.\d+\.\d+[^\s,;\"<]*, commit [0-9a-z-]+"), r"hamon\1 VERSION"),
    (re.compile(r"hamon(-[a-z]+)? \d+\.\d+\.\d+( \([0-9a-z-]+\))?"), r"hamon\1 VERSION"),
    (re.compile(r"commit [0-9a-f]{12}(-[a-z]+)?"), "commit COMMIT"),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ on \S+ by "), "DATE on HOST by "),
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "DATE"),
    (re.compile(r'"(version|commit|compiler|flags|host|date|hdf5)": "[^"]*"'), r'"\1": "MASKED"'),
    (re.compile(r"(<dt>(?:version|commit|compiler|flags|host|date|hdf5)</dt><dd>)[^<]*"), r"\1MASKED"),
    (re.compile(r'"(bytes)": \d+'), r'"\1": 0'),
    (re.compile(r"bytes: \d+ \([^)]*\)"), "bytes: N"),
    (re.compile(r"memory: \d+ bytes \([^)]*\)"), "memory: N bytes"),
    (re.compile(r"of its \d+ bytes"), "of its N bytes"),
    (re.compile(r"\b\d+(\.\d+)? [kMGT]?B\b"), "SIZE"),
]


# A page's data, whose text of the scenario has the path of the map.
PACKED = re.compile(r'"packed": "([^"]*)"')


def unpacked(match):
    data = zlib.decompress(base64.b64decode(match[1] + "=="), -15)
    return '"packed": "%s"' % sha(masked(data.decode("latin-1")).encode("latin-1"))


def masked(text):
    text = PACKED.sub(unpacked, text)
    for name, word in (("TRUTH_OUT", "OUT"), ("TRUTH_BUILT", "BUILT"), ("TRUTH_TOP", "TOP")):
        path = os.environ.get(name)
        if path:
            text = text.replace(path, word)
    for pattern, word in MASKS:
        text = pattern.sub(word, text)
    return text


def read(path):
    with open(path, "rb") as file:
        return file.read()


def text_of(path):
    return masked(read(path).decode("utf-8", "surrogateescape"))


def table_of(path):
    """A CSV file without its columns and rows of times."""
    rows = list(csv.reader(io.StringIO(text_of(path))))
    if not rows:
        return ""
    kept = [i for i, name in enumerate(rows[0]) if not TIMES.search(name)]
    rows = [row for row in rows if "ns" not in row and "search_time" not in row] \
        if "unit" in rows[0] else rows
    return "".join(",".join(row[i] for i in kept if i < len(row)) + "\n" for row in rows)


def pixels(path):
    """The pixels of a PNG of 8 bits, each row without its filter."""
    data, at, packed, head, palette = read(path), 8, b"", None, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            head = body
        elif kind in (b"PLTE", b"tRNS"):
            palette += body
        elif kind == b"IDAT":
            packed += body
        at += 12 + size
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", head)
    rows = zlib.decompress(packed)
    if interlaced:
        return head + palette + rows
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    unit = max(1, channels * depth // 8)
    size = (width * channels * depth + 7) // 8
    before, out = bytearray(size), [head[:10], palette]
    for y in range(height):
        kind = rows[y * (size + 1)]
        row = bytearray(rows[y * (size + 1) + 1:(y + 1) * (size + 1)])
        if kind == 1:
            for i in range(unit, size):
                row[i] = (row[i] + row[i - unit]) & 255
        elif kind == 2:
            row = bytearray((a + b) & 255 for a, b in zip(row, before))
        elif kind == 3:
            for i in range(size):
                left = row[i - unit] if i >= unit else 0
                row[i] = (row[i] + (left + before[i]) // 2) & 255
        elif kind == 4:
            for i in range(size):
                a = row[i - unit] if i >= unit else 0
                c = before[i - unit] if i >= unit else 0
                b = before[i]
                p = a + b - c
                far = abs(p - a), abs(p - b), abs(p - c)
                row[i] = (row[i] + (a, b, c)[far.index(min(far))]) & 255
        out.append(bytes(row))
        before = row
    return b"".join(out)


class Recording:
    """The layout of an HDF5 file, from h5dump."""

    def __init__(self, path):
        self.path = path
        text = subprocess.run(["h5dump", "-p", "-A", path], capture_output=True,
                              check=False).stdout.decode("utf-8", "replace")
        self.places = {}  # dataset: (offset, size); None if stored in chunks; FREE
        self.layout = []
        names, hidden = [], None
        for line in text.split("\n")[1:]:
            indent = len(line) - len(line.lstrip())
            word = line.strip()
            while names and names[-1][0] >= indent and word:
                names.pop()
            found = re.match(r'(GROUP|DATASET) "(.*)" \{$', word)
            if found and found[2] != "/":
                names.append((indent, found[2]))
                if found[1] == "DATASET":
                    self.places["/" + "/".join(name for _, name in names)] = None
            here = "/" + "/".join(name for _, name in names)
            found = re.match(r"SIZE (\d+)$", word)
            if found:
                size = int(found[1])
            found = re.match(r"OFFSET (\d+|HADDR_UNDEF|H5F_\w+)$", word)
            if found:
                there = found[1].isdigit() and int(found[1]) < 2 ** 63
                self.places[here] = (int(found[1]), size) if there else FREE
            hidden = here.startswith(("/provenance", "/restart")) or TIMES.search(here)
            if not hidden:
                self.layout.append(line)
        text = "\n".join(self.layout)
        text = re.sub(r"\(?DATASET \d+ ", "DATASET ", text)
        text = re.sub(r"\bOFFSET \w+", "OFFSET", text)
        text = re.sub(r"\bSTRSIZE \d+", "STRSIZE", text)  # of the version's text
        text = re.sub(r"\bSIZE \d+ \([^)]*\)", "SIZE", text)
        self.layout = masked(text)

    def hash_of(self, name):
        place = self.places[name]
        if place == FREE:
            return sha(FREE.encode())
        if place:
            total = hashlib.sha256()
            with open(self.path, "rb") as file:
                file.seek(place[0])
                left = place[1]
                while left:
                    block = file.read(min(left, 1 << 22))
                    if not block:
                        break
                    total.update(block)
                    left -= len(block)
            return total.hexdigest()
        return sha(self.bytes_of(name))

    def bytes_of(self, name):
        place = self.places[name]
        if place == FREE:
            return b""
        if place:
            with open(self.path, "rb") as file:
                file.seek(place[0])
                return file.read(place[1])
        out = self.path + ".bytes"
        subprocess.run(["h5dump", "-d", name, "-b", "LE", "-o", out, self.path],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        data = read(out) if os.path.exists(out) else b""
        if os.path.exists(out):
            os.remove(out)
        return data

    def lines(self, label):
        groups = {}
        for name in sorted(self.places):
            parts = name[1:].split("/")
            # The places of chunks depend on the length of the version's text.
            if (TIMES.search(name) or parts[0] in ("restart", "chunk") or
                    name == "/status/sequence"):
                continue
            if parts[0] == "provenance":
                if parts[1] in ("scenario", "resolved", "set", "seed", "parameters"):
                    text = masked(self.bytes_of(name).decode("utf-8", "replace"))
                    groups.setdefault("provenance", []).append(parts[1] + "\n" + text)
            elif len(parts) == 1:
                if parts[0] in AXES:
                    groups.setdefault("axes", []).append(name + " " + self.hash_of(name))
                elif not name.endswith("_length"):
                    yield self.hash_of(name), "field", f"{label}:{parts[0]}"
            else:
                groups.setdefault("tables", []).append(name + " " + self.hash_of(name))
        for group, entries in sorted(groups.items()):
            kind = {"provenance": "text", "axes": "field", "tables": "table"}[group]
            yield sha("\n".join(entries).encode("utf-8", "surrogateescape")), kind, f"{label}:{group}"
        yield sha(self.layout.encode("utf-8", "surrogateescape")), "layout", label


def lines_of(folder, write):
    together = {}
    for base, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            path = os.path.join(base, name)
            stem, extension = os.path.splitext(name)
            if extension == ".h5":
                yield from Recording(path).lines(path)
            elif extension == ".png":
                kind = "png-chart" if stem.endswith("-chart") else \
                    "png-text" if stem.endswith("-text") else "png"
                yield sha(pixels(path)), kind, path
            elif extension == ".npy":
                yield sha(read(path)), "field", path
            elif extension == ".film":
                yield sha(read(path)), "film", path
            elif extension in (".csv", ".dat", ".gp", ".svg", ".html", ".txt", ".xdmf"):
                text = table_of(path) if extension == ".csv" else text_of(path)
                data = text.encode("utf-8", "surrogateescape")
                if write:
                    with open(path, "wb") as file:
                        file.write(data)
                if extension == ".csv" and re.match("(tables|all|key)-", name):
                    group = os.path.join(base, name.split("-")[0] + "-*.csv")
                    together.setdefault(group, []).append(name + " " + sha(data))
                    continue
                kind = extension[1:]
                yield sha(data), "text" if kind in ("txt", "xdmf") else kind, path
    for group, entries in together.items():
        yield sha("\n".join(entries).encode()), "csv", group


def main(words):
    if words[0] == "mask":
        text = text_of(words[1])
        with open(words[1], "wb") as file:
            file.write(text.encode("utf-8", "surrogateescape"))
    elif words[0] == "spoil":
        at, size = Recording(words[1]).places[words[2]]
        with open(words[1], "r+b") as file:
            file.seek(at + size // 2)
            byte = file.read(1)[0]
            file.seek(at + size // 2)
            file.write(bytes([byte ^ 64]))
    else:
        for digest, kind, name in lines_of(words[1], "--write" in words):
            print(f"{digest}  {kind}  {name}")


main(sys.argv[1:])
