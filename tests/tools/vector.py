#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks vector pages with a reader independent of the program that wrote them.

vector.py cells PAGE PICTURE: the cells' colours of the PDF or SVG are those of
the PNG, which has one pixel for each cell; drawings over them are ignored.
vector.py letters PAGE CENTIMETRES: all letters are 7 to 8 points on a page of
this width.
vector.py notes PAGE PICTURE: the SVG or PDF has the metadata of the PNG.
vector.py apart BBOX.html PAGE.ppm: no two words overlap, each is whole and on
the page (pdftotext -bbox), whose outermost pixels are white.
vector.py ids PAGE: identifiers of the SVG are unique, and each reference is to one
of them.
vector.py whole PAGE COUNT: the SVG's panels have COUNT circles, none of them cut
off.
vector.py arrows PAGE LENGTH: arrows along the corridor in the SVG are nowhere more
than LENGTH points apart.
vector.py lines PAGE COUNT: the SVG has COUNT paths, each one line.
vector.py walls PAGE PICTURE: the first lines in the SVG's panel are the edges between
cells of two colours of the PNG, each once, without superfluous points.
vector.py sides PAGE.ppm: the frame around a light field is equally thick on all sides.
vector.py frames PAGE: prints the number of each panel of a composed SVG with cells,
and the left, upper, right and lower edges of its cells in points of the page.
vector.py bars PAGE COUNT: the SVG has COUNT colour bars.
vector.py words PAGE: prints the SVG's texts, all of them outlines with labels.
"""

import base64
import html
import re
import struct
import sys
import xml.etree.ElementTree as tree
import zlib

POINT = 25.4 / 72  # mm
EM = 2048  # units of the outlines in the font DejaVu Sans
SVG = "{http://www.w3.org/2000/svg}"


def read(path):
    with open(path, "rb") as file:
        return file.read()


def chunks(png):
    at = 8
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at:at + 8])
        yield kind, png[at + 8:at + 8 + size]
        at += 12 + size


def decode(png):
    """Width, height and the colours, row by row; only the filters that
    hamon-slice uses."""
    packed, palette = b"", None
    for kind, body in chunks(png):
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
        elif kind == b"PLTE":
            palette = [body[i:i + 3] for i in range(0, len(body), 3)]
        elif kind == b"IDAT":
            packed += body
    assert depth == 8 and colour in (2, 3)
    unit = 3 if colour == 2 else 1
    rows, size, out, before = zlib.decompress(packed), width * unit, [], None
    for y in range(height):
        kind, row = rows[y * (size + 1)], rows[y * (size + 1) + 1:(y + 1) * (size + 1)]
        assert kind in (0, 2)
        if kind == 2 and before:
            row = bytes((a + b) & 255 for a, b in zip(row, before))
        before = row
        out.append([palette[i] for i in row] if palette else
                   [row[i:i + 3] for i in range(0, size, 3)])
    return width, height, out


def streams(pdf):
    """The dictionaries and the inflated bytes of a PDF's streams."""
    for found in re.finditer(rb"<<((?:(?!endobj).)*?)>>\s*stream\r?\n", pdf, re.S):
        unpack = zlib.decompressobj()
        try:
            yield found.group(1), unpack.decompress(pdf[found.end():])
        except zlib.error:
            pass


def readable(pdf):
    """The PDF, and its objects that are in compressed streams (cairo from 1.17.6 on)."""
    return pdf + b"".join(data for head, data in streams(pdf) if b"/ObjStm" in head)


def number(text, key):
    return int(re.search(rb"/%s (\d+)" % key, text).group(1))


def images(path):
    """The images of a page: width, height and rows of colours."""
    page = read(path)
    if not page.startswith(b"%PDF"):
        for image in tree.fromstring(page).iter(SVG + "image"):
            assert "pixelated" in image.get("style")
            data = image.get("{http://www.w3.org/1999/xlink}href")
            yield decode(base64.b64decode(data.split(",", 1)[1], validate=True))
        return
    for head, data in streams(page):
        if b"/Subtype /Image" not in head:
            continue
        assert b"/Interpolate false" in head
        width, height = number(head, b"Width"), number(head, b"Height")
        unit, bits = (3 if b"/DeviceRGB" in head else 1), number(head, b"BitsPerComponent")
        size = (width * unit * bits + 7) // 8
        rows = [data[y * size:(y + 1) * size] for y in range(height)]
        if bits == 1:
            rows = [bytes(255 * (row[x // 8] >> (7 - x % 8) & 1) for x in range(width))
                    for row in rows]
        yield width, height, [[row[i:i + 3] if unit == 3 else row[i:i + 1] * 3
                               for i in range(0, len(row), unit)] for row in rows]


def cells(page, picture):
    width, height, wanted = decode(read(picture))
    side, wrong = 0, []
    for wide, high, found in images(page):
        if wide % width == 0 and wide // width == high / height:
            side = wide // width
            wrong.append(sum(found[y][x] != wanted[y // side][x // side]
                             for y in range(high) for x in range(wide)))
            if not wrong[-1]:
                break
    assert side, "no image of these cells"
    assert side == 1 or page.endswith(".pdf")
    assert not wrong[-1], wrong
    colours = {colour for row in wanted for colour in row}
    print(f"{width} x {height} cells, {len(colours)} colours, {side} x {side} pixels each")
    assert len(colours) > 2


def labelled(root):
    """The SVG's texts: paths labelled with their words."""
    return (path for path in root.iter(SVG + "path") if path.get("aria-label"))


def matrix(path):
    return [float(number) for number in
            re.fullmatch(r"matrix\((.*)\)", path.get("transform"))[1].split()]


def pictures(panel):
    """The images of a panel of a composed SVG, with their edges on the page."""
    left, top, wide, high = (float(panel.get(key)) for key in ("x", "y", "width", "height"))
    box = [float(number) for number in panel.get("viewBox").split()]
    for image in panel.iter(SVG + "image"):
        across, _, _, down, x, y = matrix(image)
        size = int(image.get("width")), int(image.get("height"))
        right, bottom = x + across * size[0], y + down * size[1]
        yield size, [left + (x - box[0]) * wide / box[2], top + (y - box[1]) * high / box[3],
                     left + (right - box[0]) * wide / box[2],
                     top + (bottom - box[1]) * high / box[3]]


def frames(path):
    for number, panel in enumerate(tree.fromstring(read(path)).findall(SVG + "svg")):
        cells = [edges for size, edges in pictures(panel) if min(size) > 1]
        if cells:
            print(number, *(f"{edge:.3f}" for edge in cells[0]))


def bars(path, count):
    found = sum(min(size) == 1 for panel in tree.fromstring(read(path)).findall(SVG + "svg")
                for size, _ in pictures(panel))
    assert found == int(count), f"{found} bars"


def words(path):
    """Prints all texts in one line; none of them needs a font."""
    root = tree.fromstring(read(path))
    texts = list(labelled(root))
    assert not list(root.iter(SVG + "text")) and b"font" not in read(path)
    assert all(text.get("role") == "img" and text.get("d").endswith("Z") for text in texts)
    print(*(text.get("aria-label") for text in texts))


def sizes(path):
    """The sizes of letters in points, and the page's width."""
    page = read(path)
    if page.startswith(b"%PDF"):
        number = rb"(-?[\d.]+)"
        for _, data in streams(page):
            for a, b in re.findall(rb"\s".join([number] * 2) + rb"(?:\s-?[\d.]+){4}\sTm", data):
                yield (float(a)**2 + float(b)**2)**.5
    else:
        root = tree.fromstring(page)
        width = float(root.get("width").removesuffix("mm")) / POINT
        point = width / float(root.get("viewBox").split()[2])
        for path in labelled(root):
            a, b, *_ = matrix(path)
            yield EM * (a**2 + b**2)**.5 * point


def width_of(path):
    page = read(path)
    if page.startswith(b"%PDF"):
        return float(re.search(rb"/MediaBox \[ 0 0 ([\d.]+)", readable(page)).group(1)) * POINT
    return float(tree.fromstring(page).get("width").removesuffix("mm"))


def letters(path, centimetres):
    found = list(sizes(path))
    print(f"{len(found)} texts of {min(found):.3f} to {max(found):.3f} points, "
          f"{width_of(path):.2f} mm wide")
    assert min(found) > 6.999 and max(found) < 8.001
    assert abs(width_of(path) - 10 * float(centimetres)) < .01


def notes(path, picture):
    page = read(path)
    if page.startswith(b"%PDF"):
        page, said = readable(page), ""
        for plain, coded in re.findall(
                rb"/(?:Title|Subject|Creator) (?:\((.*?)\)|<FEFF(.*?)>)\n", page):
            said += re.sub(rb"\\(.)", rb"\1", plain).decode()
            said += bytes.fromhex(coded.decode()).decode("utf-16-be") + "\n"
    else:
        said = tree.fromstring(page).find(SVG + "metadata").text
    count = 0
    for kind, body in chunks(read(picture)):
        if kind == b"tEXt":
            key, text = body.decode("latin-1").split("\0")
            plain = path.endswith(".pdf") and key in ("Title", "Software")
            assert (text if plain else f"{key}: {text}") in said, key
            count += 1
    print(said)
    assert count >= 6
    assert b"CreationDate" not in page and b"ModDate" not in page


def edge(path):
    """The outermost pixels of a PPM."""
    head = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", read(path))
    width, height = map(int, head.groups())
    pixels, row = read(path)[head.end():], 3 * width
    yield from (pixels[:row], pixels[-row:])
    for y in range(height):
        yield pixels[y * row:y * row + 3] + pixels[(y + 1) * row - 3:(y + 1) * row]


def apart(path, picture):
    assert {colour for line in edge(picture) for colour in line} == {255}, "cut at the edge"
    text = read(path).decode()
    width, height = map(float, re.search(
        r'<page width="([\d.]+)" height="([\d.]+)"', text).groups())
    words = [(*map(float, box), html.unescape(word)) for *box, word in re.findall(
        r'<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">(.*?)</word>', text)]
    print(len(words), "words")
    assert len(words) > 5
    for i, (left, top, right, bottom, word) in enumerate(words):
        assert left >= 0 and top >= 0 and right <= width and bottom <= height, word
        assert "…" not in word, word
        for left2, top2, right2, bottom2, other in words[:i]:
            # A box includes space for marks above capitals and for descenders.
            assert min(right, right2) - max(left, left2) < 1 or \
                min(bottom, bottom2) - max(top, top2) < 2, (word, other)


def ids(path):
    text = read(path).decode()
    found = [e.get("id") for e in tree.fromstring(text).iter() if e.get("id")]
    named = re.findall(r"""(?:href=['"]|url\('?)#([^'")]+)""", text)
    print(len(found), "identifiers,", len(named), "references")
    assert len(set(found)) == len(found) > 10 and len(named) > 2
    assert set(named) <= set(found), set(named) - set(found)


def lines(path, count):
    """Each trail is one line over one casing: a moveto and many linetos."""
    paths = [p.get("d") for p in tree.fromstring(read(path)).iter(SVG + "path")
             if not p.get("aria-label")]
    print([(d.count("M"), d.count("L")) for d in paths])
    assert len(paths) == int(count) and all(d.count("M") == 1 for d in paths)
    assert max(d.count("L") for d in paths) > 2


def unit_edges(points):
    """The edges of cells along a polyline with integer points."""
    for (x, y), (x2, y2) in zip(points, points[1:]):
        assert (x == x2) != (y == y2), (x, y, x2, y2)
        for i in range(min(x, x2), max(x, x2)):
            yield (i, y), (i + 1, y)
        for i in range(min(y, y2), max(y, y2)):
            yield (x, i), (x, i + 1)


def walls(path, picture):
    nx, ny, colours = decode(read(picture))
    (left, top, width, height, part), = parts(path)
    lines = []
    for line in part.find(f"{SVG}g/{SVG}path").get("d").split("M")[1:]:
        places = [tuple(map(float, pair.split())) for pair in line.split("L")]
        lines.append([(round((x - left) / width * nx), round((y - top) / height * ny))
                      for x, y in places])
        assert all(abs(left + i * width / nx - x) + abs(top + j * height / ny - y) < .01
                   for (i, j), (x, y) in zip(lines[-1], places))
    found = sorted(edge for line in lines for edge in unit_edges(line))
    wanted = sorted([((x + 1, y), (x + 1, y + 1)) for y in range(ny) for x in range(nx - 1)
                     if colours[y][x] != colours[y][x + 1]] +
                    [((x, y + 1), (x + 1, y + 1)) for y in range(ny - 1) for x in range(nx)
                     if colours[y][x] != colours[y + 1][x]])
    print(f"{len(found)} edges in {len(lines)} lines of {sum(map(len, lines))} places")
    assert found == wanted and len(wanted) > 20
    assert sum(map(len, lines)) < len(found) / 2


def sides(path):
    """How dark the outermost pixels are, in pixels of ink, from each side."""
    page = read(path)
    head = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", page)
    width, height = map(int, head.groups())
    red = page[head.end()::3]
    row, column = red[height // 2 * width:][:width], red[width // 3::width]
    most = width // 40
    ink = []
    for line in (row, row[::-1], column[::-1]):
        first = next(i for i, value in enumerate(line) if value < 250)
        ink.append(sum(255 - value for value in line[first:first + most]) / 235)
    last = len(column) - 1 - next(i for i, v in enumerate(column[::-1]) if v < 250)
    box = [i for i, value in enumerate(column[:last - most]) if value < 200]
    ink.append(sum(255 - v for v in column[box[0] - 1:box[0] + most]) / 235)
    print("left, right, lower, upper: " + ", ".join(f"{side:.2f}" for side in ink))
    assert max(ink) < 1.25 * min(ink)


def numbers(element, *keys):
    return [float(element.get(key)) for key in keys]


def parts(path):
    """The SVG's panels: left, top, width, height and the element."""
    for part in tree.fromstring(read(path)).iter(SVG + "svg"):
        if part.get("x"):
            yield (*numbers(part, "x", "y", "width", "height"), part)


def whole(path, count):
    found = 0
    for left, top, width, height, part in parts(path):
        for circle in part.iter(SVG + "circle"):
            x, y, radius = numbers(circle, "cx", "cy", "r")
            found += 1
            assert left + radius <= x + .01 and x + radius <= left + width + .01, (x, radius)
            assert top + radius <= y + .01 and y + radius <= top + height + .01, (y, radius)
    print(found, "circles")
    assert found == int(count)


def arrows(path, length):
    """The arrowheads are black triangles; their centres are compared."""
    (left, _, width, _, part), = parts(path)
    places = []
    for group in part.iter(SVG + "g"):
        if group.get("fill") == "#000000":
            for shape in re.findall(r"M([^MZ]*)Z", group.find(SVG + "path").get("d")):
                corners = [float(pair.split()[0]) for pair in shape.split("L")]
                places.append(sum(corners) / len(corners))
    places.sort()
    gaps = [b - a for a, b in zip(places, places[1:])]
    print(f"{len(places)} arrows, at most {max(gaps):.1f} points apart")
    assert max(gaps) < float(length)
    assert places[0] < left + .15 * width and places[-1] > left + .85 * width


if __name__ == "__main__":
    {"cells": cells, "letters": letters, "notes": notes, "apart": apart,
     "ids": ids, "lines": lines, "whole": whole, "arrows": arrows, "words": words,
     "walls": walls, "sides": sides, "frames": frames, "bars": bars}[sys.argv[1]](*sys.argv[2:])
