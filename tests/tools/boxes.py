#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the texts of pages: boxes.py STEM…, of each the pages STEM.svg and
STEM.pdf by hamon-slice.

No two texts meet, all are within the page and whole, letters have 6.2 to 8 points,
lines at least .5, edges of walls .4, and both pages have the same words. In the SVG, whose letters are outlines, the box
of a text is that of its ink; in the PDF pdftotext says where the words are.
"""

import html
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as tree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import vector  # noqa: E402

SMALLEST, LARGEST = 6.199, 8.001  # points
NEAR = .05  # points that are no overlap, but rounding
THINNEST, WALLS, GREY = .499, .399, (90, 90, 90)  # points; edges of walls


def ink(path):
    """The box of a text's outline on the page."""
    a, b, c, d, e, f = vector.matrix(path)
    places = [tuple(map(float, pair)) for pair in
              re.findall(r"(-?[\d.]+) (-?[\d.]+)", path.get("d"))]
    xs = [a * x + c * y + e for x, y in places]
    ys = [b * x + d * y + f for x, y in places]
    return min(xs), min(ys), max(xs), max(ys)


def meet(one, two):
    return min(one[2], two[2]) - max(one[0], two[0]) > NEAR and \
        min(one[3], two[3]) - max(one[1], two[1]) > NEAR


def svg_texts(page):
    """The size of the page, and its texts with their boxes, in points."""
    root = tree.fromstring(vector.read(page))
    _, _, width, height = map(float, root.get("viewBox").split())
    texts = [(path.get("aria-label"), ink(path)) for path in vector.labelled(root)]
    return (width, height), texts


def pdf_words(page):
    """The same of a PDF, word by word."""
    text = subprocess.run(["pdftotext", "-bbox", page, "-"], stdout=subprocess.PIPE,
                          check=True).stdout.decode()
    size = re.search(r'<page width="([\d.]+)" height="([\d.]+)"', text).groups()
    return tuple(map(float, size)), [
        (html.unescape(word), tuple(map(float, box))) for *box, word in re.findall(
            r'<word xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">(.*?)</word>', text)]


def svg_lines(page):
    """The widths of lines, and their colours."""
    for line in tree.fromstring(vector.read(page)).iter():
        if line.get("stroke-width") and not line.get("aria-label"):
            colour = bytes.fromhex(line.get("stroke").lstrip("#"))
            yield float(line.get("stroke-width")), tuple(colour)


def pdf_lines(page):
    """The same of a PDF: its operators w and RG, under the matrices of cm."""
    for head, data in vector.streams(vector.read(page)):
        if b"/Subtype" in head or b"/Length1" in head:
            continue
        scale, width, colour, kept, numbers = 1, 1, (0, 0, 0), [], []
        for word in data.decode("latin-1").split():
            if word == "q":
                kept.append((scale, width, colour))
            elif word == "Q":
                scale, width, colour = kept.pop()
            elif word == "cm":
                a, b, c, d = numbers[-6:-2]
                scale *= abs(a * d - b * c)**.5
            elif word == "w":
                width = numbers[-1]
            elif word == "RG":
                colour = tuple(round(255 * part) for part in numbers[-3:])
            elif word in ("S", "s"):
                yield width * scale, colour
            try:
                numbers.append(float(word))
            except ValueError:
                numbers.clear()


def faults(stem):
    size, texts = svg_texts(stem + ".svg")
    paper, words = pdf_words(stem + ".pdf")
    if not texts:
        yield "no text"
    for kind in (".svg", ".pdf"):
        wrong = sorted({round(points, 2) for points in vector.sizes(stem + kind)
                        if not SMALLEST <= points <= LARGEST})
        if wrong:
            yield f"{kind}: letters of {wrong} points"
    for kind, lines in ((".svg", svg_lines(stem + ".svg")), (".pdf", pdf_lines(stem + ".pdf"))):
        thin = sorted({round(width, 3) for width, colour in lines
                       if width < (WALLS if colour == GREY else THINNEST)})
        if thin:
            yield f"{kind}: lines of {thin} points"
    if max(abs(a - b) for a, b in zip(size, paper)) > .01:
        yield f"the pages have {size} and {paper} points"
    for (width, height), boxes in ((size, texts), (paper, words)):
        for text, (left, top, right, bottom) in boxes:
            if left < 0 or top < 0 or right > width or bottom > height:
                yield f"beyond the page: {text!r}"
    for i, (text, box) in enumerate(texts):
        if "…" in text:
            yield f"cut: {text!r}"
        for other, second in texts[:i]:
            if meet(box, second):
                place = ", ".join(f"{value:.1f}" for value in box + second)
                yield f"meet: {other!r} and {text!r} ({place})"
    ours = sorted(" ".join(text for text, _ in texts).split())
    theirs = sorted(" ".join(text for text, _ in words).split())
    if "".join(sorted("".join(ours))) != "".join(sorted("".join(theirs))):
        yield f"other words: {ours} in the SVG, {theirs} in the PDF"


def main(stems):
    wrong = 0
    for stem in stems:
        for fault in faults(stem):
            print(f"{stem}: {fault}")
            wrong += 1
    print(f"{len(stems)} pages, {wrong} faults")
    sys.exit(wrong > 0 or not stems)


if __name__ == "__main__":
    main(sys.argv[1:])
