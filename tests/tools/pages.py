#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws pictures by hamon-slice --bare as PNG and as pages of vectors, renders the pages
by other programs (pdftoppm; librsvg, by ffmpeg), and compares their pixels.

pages.py KIND RECORDING [OTHER]: OTHER is a recording of the same map, for --minus.
KIND:
  fields    each field, without any other option
  overlays  each overlay
  options   each option that changes a picture; of 3D those that 2D lacks
  all       each field with each of these
  lacking   a page without its cells, lines, discs or texts differs
Fields, overlays and options are those that hamon-slice itself lists.
"""

import base64
import os
import re
import struct
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import vector  # noqa: E402

FORMATS = ("pdf", "svg")
CELL = 10  # pixels; letters and lines of a PNG of 25 cells then have 10 pixels an em
EMS = {"--montage": 20, "--oblique": 12}  # of larger pictures
LETTERS = 7.5  # points an em of pages
NEAR = 70  # of 255: the same colour
WHITE = b"\xff\xff\xff"  # the paper around pages
FINE = 2  # rendered with so many pixels for one of a PNG: lines have whole ones
APART = 5  # pixels that a reader may displace a drawing
MOST = 12  # pixels that may differ; a disc or a letter has more

# An example of each option; of 3D recordings instead those of THREE.
EXAMPLES = {
    "--wave": ["--wave", "1"],
    "--at": ["--at", "step=30"],
    "--minus": ["--minus", "OTHER"],
    "--along": ["--along", "2,4:22,4"],
    "--colormap": ["--colormap", "magma"],
    "--reverse": ["--reverse"],
    "--range": ["--range", "-0.1:0.3"],
    "--low": ["--low", "-0.02"],
    "--high": ["--high", "0.02"],
    "--symmetric": ["--symmetric", "--range", "-0.1:0.3"],
    "--log": ["--log", "--field", "arrival"],
    "--log-width": ["--log-width", "0.01"],
    "--linear": ["--linear"],
    "--per-frame": ["--per-frame", "--at", "step=30"],
    "--agent": ["--agent", "A", "--overlay", "agents"],
    "--bar": ["--bar"],
    "--axes": ["--axes"],
    "--scale-bar": ["--scale-bar"],
    "--legend": ["--legend", "--overlay", "walls,agents"],
    "--title": ["--title", "step %d"],
    "--font": ["--title", "step %d", "--font", "FONT"],
    "--montage": ["--montage", "2x1", "--at", "step=20,30"],
    "--crop": ["--crop", "1:20,1:7"],
    "--language": ["--language", "ja", "--bar", "--legend"],
}
THREE = {
    "--at": ["--at", "y=4"],
    "--along": ["--along", "2,4,1:22,4,1"],
    "--project": ["--project", "max"],
    "--oblique": ["--oblique"],
    "--view": ["--view", "30,25"],
    "--level": ["--view", "30,25", "--level", "0.001"],
    "--smooth": ["--view", "30,25", "--smooth"],
}
# They choose the field, the file and its format, change no picture, or belong to
# figures, whose PNG is a page too.
OTHERS = {"--field", "--bare", "--inset", "--aspect", "--overlay", "--list-colormaps",
          "--placed", "--scale", "--output", "--format", "--width", "--threads", "--force",
          "--quiet", "--verbose", "--memory", "--debug", "--help", "--version"}


def run(*words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stdout, done.stderr.decode()


def made(*words):
    code, out, said = run(*words)
    assert code == 0 and not said, (words, code, said)
    return out


def listed(recording, option):
    """The names that the message on an unknown one lists."""
    code, _, said = run("hamon-slice", recording, option, "unknown")
    assert code == 2
    names = re.sub(r" \(.*?\)", "", said.split(" are ")[1].strip()).split(", ")
    assert len(names) > 10, said
    return names


def overlays(recording):
    for name in listed(recording, "--overlay"):
        name = name.replace("or none", "none").replace("=STEP", "=0.1")
        yield ["--overlay", name] + (["--field", "width"] if name == "values" else [])


def options(three, other):
    text = made("hamon-slice", "--help").decode()
    known = {**EXAMPLES, **THREE}
    font = re.search(r'HAMON_FONT "(.*)"', open("config.h", encoding="utf-8").read())[1]
    for option in re.findall(r"^  (?:-\w, |    )(--[a-z-]+)", text, re.M):
        assert option in known or option in OTHERS, f"{option} has no example here"
        example = (THREE if three and option in THREE else EXAMPLES).get(option)
        if example:
            yield [{"OTHER": other, "FONT": font}.get(word, word) for word in example]


# ---- pictures and pages ----

def picture(name, words):
    """The width and height of the PNG; None: hamon-slice rejects the options."""
    code, png, said = run("hamon-slice", "--bare", "-q", *words, "-S", str(CELL), "-o", "-")
    assert (code, bool(said)) in ((0, False), (2, True)), (words, said)
    with open(name, "wb") as file:
        file.write(png)
    return struct.unpack(">II", png[16:24]) if code == 0 else None


def page(name, words, size):
    """Writes the page; with letters and lines as large as those of the PNG if there
    is more than a field."""
    em = next((em for option, em in EMS.items() if option in words), 10)
    width = f"{max(size[0] / em * LETTERS / 72 * 2.54, 6):.5f}" if size else "column"
    more = [] if words[1:-1] == ["--field"] else ["--width", width]
    code, _, said = run("hamon-slice", "--bare", "-q", "--force", *words, *more, "-o", name)
    assert code == (0 if size else 2), (words, code, said)


def cells(found):
    """The image of an SVG as rectangles: librsvg smooths images, although the
    style of ours says pixelated."""
    place = re.search(r'transform="(.*?)"', found[0])[1]
    data = re.search(r'base64,(.*?)"', found[0])[1]
    _, _, rows = vector.decode(base64.b64decode(data))
    paths = {}
    for y, row in enumerate(rows):
        for x, color in enumerate(row):
            paths.setdefault(color.hex(), []).append(f"M{x} {y}h1v1h-1z")
    return f'<g transform="{place}" shape-rendering="crispEdges">' + "".join(
        f'<path fill="#{color}" d="{"".join(path)}"/>' for color, path in paths.items()) + "</g>"


def opaque(pixels):
    """On white paper; only a few pixels at the page's edge are not opaque."""
    alpha, out = pixels[3::4], bytearray(3 * (len(pixels) // 4))
    for k in range(3):
        out[k::3] = pixels[k::4]
    for i in (i for i, part in enumerate(alpha) if part < 255):
        for k in range(3):
            out[3 * i + k] = (out[3 * i + k] * alpha[i] + 255 * (255 - alpha[i])) // 255
    return bytes(out)


def rows_of(name, size, bytes_each):
    data, row = vector.read(name), 3 * FINE * size[0]
    data = opaque(data) if bytes_each == 4 else data
    assert len(data) == row * FINE * size[1], name
    return [data[y:y + row] for y in range(0, len(data), row)]


def rendered(files):
    """The pixels of PNGs, PDFs and SVGs, (name, size) each, as rows of bytes."""
    inputs, outputs = [], []
    for number, (name, size) in enumerate(files):
        kind, raw = name[-3:], f"{number}.raw"
        if kind == "pdf":
            data = made("pdftoppm", "-singlefile", "-scale-to-x", str(FINE * size[0]),
                        "-scale-to-y", str(FINE * size[1]), name)
            with open(raw, "wb") as file:
                file.write(re.sub(rb"^P6\s+\d+\s+\d+\s+255\s", b"", data, count=1))
            continue
        if kind == "svg":
            text = vector.read(name).decode()
            with open(name, "w", encoding="utf-8") as file:
                file.write(re.sub(r"<image[^>]*/>", cells, text))
            inputs += ["-width", str(FINE * size[0]), "-height", str(FINE * size[1]),
                       "-keep_ar", "0"]
        inputs += ["-i", name]
        outputs += ["-map", str(len(outputs) // 9), "-f", "rawvideo", "-vf",
                    "null" if kind == "svg" else f"scale=iw*{FINE}:ih*{FINE}:flags=neighbor",
                    "-pix_fmt", "rgba" if kind == "svg" else "rgb24", raw]
    made("ffmpeg", "-v", "error", "-y", *inputs, *outputs)
    return [rows_of(f"{number}.raw", size, 4 if name.endswith("svg") else 3)
            for number, (name, size) in enumerate(files)]


# ---- comparison ----

def flat(rows, x, y):
    """Has the place one colour, and is it not the edge of something?"""
    around = [row[3 * max(x - 1, 0):3 * x + 6] for row in rows[max(y - 1, 0):y + 2]]
    return all(max(part) - min(part) <= NEAR
               for part in (b"".join(row[k::3] for row in around) for k in range(3)))


def lost(rows, others, only_flat):
    """The number of the PNG's pixels whose colour the other picture lacks around the
    same place; a reader mixes colours where two meet."""
    count, step = 0, 3 * FINE
    for y in range(0, len(rows), FINE):
        row, other = rows[y], others[y]
        if row == other:
            continue
        for i in {step * n for k in range(3) for n, (a, b) in
                  enumerate(zip(row[k::step], other[k::step])) if not -NEAR <= a - b <= NEAR}:
            left, right = i - 3 * APART, i + 3 * APART + 3
            part = b"".join(line[max(left, 0):right] for line in
                            others[max(y - APART, 0):y + APART + 1])
            if left < 0 or right > len(row) or not APART <= y < len(rows) - APART:
                part += WHITE
            if any(not min(part[k::3]) - NEAR <= row[i + k] <= max(part[k::3]) + NEAR
                   for k in range(3)):
                count += not only_flat or flat(rows, i // 3, y)
    return count


def differ(expected, got):
    """What of the PNG the page lacks, and what it has in addition: except lines,
    for a page has lines around walls."""
    return lost(expected, got, False), lost(got, expected, True)


def compare(recording, cases):
    """The numbers of pages that were drawn, and of those that were refused."""
    drawn, files, refused = [], [], 0
    for number, more in enumerate(cases):
        words = [recording, *more]
        size = picture(f"{number}.png", words)
        names = [f"{number}.{form}" for form in FORMATS]
        for name in names:
            page(name, words, size)
        if size:
            drawn.append(more)
            files += [(name, size) for name in [f"{number}.png", *names]]
        else:
            refused += len(names)
    pixels, wrong = iter(rendered(files)), 0
    for more in drawn:
        expected = next(pixels)
        first = expected[0]  # the PNG is not blank
        assert first[3:] != first[:-3] or any(row != first for row in expected), more
        for form in FORMATS:
            lacks, adds = differ(expected, next(pixels))
            if lacks > MOST or adds > MOST:
                print(form, *more, f"({len(expected[0]) // 3 // FINE} x {len(expected) // FINE}):",
                      f"lacks {lacks} pixels of the PNG, has {adds} others")
                wrong += 1
    print(f"{len(drawn) * len(FORMATS)} pages, {wrong} wrong, {refused} refused")
    assert not wrong
    return len(drawn) * len(FORMATS), refused


def lacking(recording):
    """The comparison finds what is missing."""
    words = [recording, "--overlay", "agents,trails", "--bar", "--axes", "--title", "step %d"]
    size = picture("whole.png", words)
    page("whole.svg", words, size)
    text = vector.read("whole.svg").decode()
    kinds = {"cells": r"<image[^>]*/>", "discs": r"<circle[^>]*/>", "texts": r"<path role[^>]*/>",
             "lines": r"<path d[^>]*/>", "rectangles": r"<rect (?!x=\"0\" y=\"0\")[^>]*/>"}
    files = [("whole.png", size), ("whole.svg", size)]
    for kind, pattern in kinds.items():
        less, count = re.subn(pattern, "", text)
        assert count, f"no {kind}"
        with open(f"{kind}.svg", "w", encoding="utf-8") as file:
            file.write(less)
        files.append((f"{kind}.svg", size))
    expected, whole, *others = rendered(files)
    found = {kind: max(differ(expected, got)) for kind, got in zip(kinds, others)}
    print("differences of the whole page:", differ(expected, whole), "without these:", found)
    assert max(differ(expected, whole)) <= MOST < min(found.values())


def main(kind, recording, other=""):
    if kind == "lacking":
        lacking(recording)
        return
    three = re.search(r"map +\d+ x \d+ x ", made("hamon-info", recording).decode())
    fields = [["--field", name] for name in listed(recording, "--field")
              if three or name != "height"]
    drawings = [*overlays(recording), *options(three, other)]
    if kind == "all":
        # The key of causes breaks its lines where letters fit, other ones in a PNG.
        drawn = [compare(recording, [field + more for more in drawings if "--field" not in more
                                     and field + more != ["--field", "cause", "--bar"]])
                 for field in fields]
        assert all(pages > 30 for pages, _ in drawn)
        return
    cases = {"fields": fields, "overlays": overlays(recording),
             "options": [more for more in options(three, other)
                         if not three or more in THREE.values()]}[kind]
    drawn, refused = compare(recording, cases)
    assert drawn > 10 and not refused


if __name__ == "__main__":
    main(*sys.argv[1:])
