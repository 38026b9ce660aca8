# SPDX-License-Identifier: MIT
"""keys.py FOLDER [PAGE]...: each name once in every object of JSON and every
line of column names in CSV; a table that is there as NAME.csv and NAME.json has
the same names in both, in the same order. A PAGE has JSON in its scripts."""
import csv
import glob
import json
import os
import re
import sys

bad = []
# Names that only the column before them explains.
UNCLEAR = {"from", "to", "worst", "low", "high", "of three", "the same", "there"}


def check(where, names):
    for name in sorted({name for name in names if names.count(name) > 1}):
        bad.append(f"{where}: {name!r} is there {names.count(name)} times")


def check_clear(where, names):
    for name in names:
        bare = re.sub(r" *\(.*\)$|^95 % ", "", name)
        if bare in UNCLEAR or not bare:
            bad.append(f"{where}: {name!r} does not say what it is")


def read(where, text):
    def take(pairs):
        check(where, [name for name, _ in pairs])
        return dict(pairs)

    def refuse(constant):
        bad.append(f"{where}: {constant} is not JSON")

    return json.loads(text, object_pairs_hook=take, parse_constant=refuse)


files = 0
for path in sorted(glob.glob(os.path.join(sys.argv[1], "*"))):
    name, kind = os.path.splitext(path)
    files += 1
    with open(path, encoding="utf-8", newline="") as file:
        if kind == ".csv":
            rows = list(csv.reader(file))
            check(path, rows[0])
            check_clear(path, rows[0])
            if not os.path.exists(name + ".json"):
                if not os.path.basename(path).startswith("only-"):
                    bad.append(f"{path}: there is no JSON of it")
                continue
            objects = json.load(open(name + ".json", encoding="utf-8"))
            if len(objects) != len(rows) - 1 or not objects:
                bad.append(f"{path}: {len(rows) - 1} rows, in JSON {len(objects)}")
            for number, entry in enumerate(objects):
                if list(entry) != rows[0]:
                    bad.append(f"{path}: row {number}: JSON has other names")
        else:
            read(path, file.read())
for page in sys.argv[2:]:
    text = open(page, encoding="utf-8").read()
    scripts = re.findall(r"<script[^>]*json[^>]*>(.*?)</script>", text, re.S)
    if not scripts:
        bad.append(f"{page}: no JSON")
    for script in scripts:
        read(page, script)
print(*bad, sep="\n")
print(files, "files")
sys.exit(bool(bad) or not files)
