#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Writes src/draw/colormap/*.txt (but gray's) from the authors' own values.

    apt-get download python3-matplotlib gmt-common
    for deb in *.deb; do dpkg -x $deb root; done
    build-aux/colormaps.py root src/draw/colormap

Run by hand when a map is added: the tables are kept in the tree. Used with
python3-matplotlib 3.6.3-1+b1 and gmt-common 6.4.0+dfsg-2.
"""
import ast
import re
import sys

root, target = sys.argv[1:]
MATPLOTLIB = root + "/usr/lib/python3/dist-packages/matplotlib/"
GMT = root + "/usr/share/gmt/cpt/SCM/"


def assigned(module, name):
    """The literal that the Python source assigns to `name`."""
    for node in ast.parse(open(MATPLOTLIB + module).read()).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == name:
            return ast.literal_eval(node.value)
    raise KeyError(name)


def byte(value):
    return int(255 * value + .5)


def listed(name):
    rows = assigned("_cm_listed.py", f"_{name}_data")
    return [[byte(v) for v in row] for row in rows]


def interpolated(name):
    """256 colours evenly spaced between the given ones, as matplotlib's
    LinearSegmentedColormap.from_list makes them."""
    given = assigned("_cm.py", f"_{name}_data")
    rows = []
    for i in range(256):
        at = i * (len(given) - 1) / 255
        k = min(int(at), len(given) - 2)
        rows.append([byte(a + (b - a) * (at - k))
                     for a, b in zip(given[k], given[k + 1])])
    return rows


def crameri(name):
    """The 256 colours of a .cpt: the ends of its intervals. The halves of a
    diverging map, which meet in two colours at zero, do not share theirs."""
    rows, last = [], None
    for line in open(GMT + name + ".cpt"):
        if not re.match(r"-?[0-9]", line):
            continue
        _, left, _, right = line.split()
        if left != last:
            rows.append(left)
        rows.append(right)
        last = right
    return [[int(v) for v in row.split("/")] for row in rows]


def write(name, spdx, source, kind, words, rows):
    assert len(rows) == 256, (name, len(rows))
    with open(f"{target}/{name}.txt", "w") as out:
        out.write(f"# SPDX-License-Identifier: {spdx}\n# {source}\n"
                  "# See COPYING.colormaps; made by build-aux/colormaps.py.\n"
                  f"map {name} {kind} {words}\n")
        for i in range(0, 256, 8):
            out.write(" ".join("%02x%02x%02x" % tuple(row)
                               for row in rows[i:i + 8]) + "\n")


SMITH = "Smith and van der Walt 2015, by way of matplotlib."
CRAMERI = "Version 7.0.1. Copyright (c) 2021, Fabio Crameri."
write("viridis", "CC0-1.0", SMITH, "sequential",
      "even steps, safe in print and for most eyes", listed("viridis"))
write("cividis", "CC0-1.0",
      "Nuñez, Anderton and Renslow 2018, by way of matplotlib.", "sequential",
      "the same to eyes that see no red or green", listed("cividis"))
write("magma", "CC0-1.0", SMITH, "sequential",
      "from black through purple to cream", listed("magma"))
write("turbo", "Apache-2.0",
      "Mikhailov 2019. Copyright 2019 Google LLC. Rounded to 8 bits.",
      "sequential", "a rainbow with most detail, not for print",
      listed("turbo"))
write("RdBu", "Apache-2.0",
      "ColorBrewer's eleven colours, Copyright 2002 Cynthia Brewer, Mark Harrower\n"
      "# and The Pennsylvania State University, interpolated.", "diverging",
      "red, white, blue (-RdBu: blue to red)", interpolated("RdBu"))
write("batlow", "MIT", CRAMERI, "sequential", "even steps, reads well in gray",
      crameri("batlow"))
write("vik", "MIT", CRAMERI, "diverging", "blue, white, red: signed fields",
      crameri("vik"))
write("berlin", "MIT", CRAMERI, "diverging",
      "blue, black, red: signed fields on dark slides", crameri("berlin"))
write("romaO", "MIT", CRAMERI, "cyclic", "its ends meet: headings",
      crameri("romaO"))
