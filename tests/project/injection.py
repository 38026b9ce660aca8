# SPDX-License-Identifier: MIT
"""injection.py FOLDER [--all]: texts that a reader of the output might
execute, in every text field of every program; TAP on standard output. Without
--all only some of the texts are tested, with the programs that write the formats
which might execute them."""
import csv
import io
import json
import os
import re
import subprocess
import sys
import xml.dom.minidom
from html.parser import HTMLParser

# The effect of each text if it is interpreted: a file `canary` in the folder of
# the run, or changed controls of another medium.
TEXTS = {
    "command substitution": "$(touch canary)",
    "backquotes": "`touch canary`",
    "semicolon": "a; touch canary; b",
    "pipe": "|touch canary",
    "ampersand": "a & touch canary & b",
    "double quote": '"; touch canary; "',
    "single quote": "'; touch canary; '",
    "both quotes": "'\"'\"; touch canary #",
    "new line": "a\ntouch canary\nb",
    "quote and new line": "'\ntouch canary\n'",
    "redirection": "a >canary <b",
    "format": "%n%n%s%s%999999d%1$n",
    "option": "--output=canary",
    "terminal": "\x1b[31m\x1b]0;canary\x07\x9b2J",
    "broken UTF-8": "A\udc9bx\udcbf\udcc3b",  # the bytes 9b, bf and c3
    "script": "</script><script>document.write(1)</script><img src=x onerror=f()>",
    "cdata": "]]><!ENTITY x SYSTEM 'canary'>--><x a=\"&lt;",
    "entity": "&#x3c;script&#x3e;&canary;",
    "latex": "\\input{canary}\\write18{touch canary}^^5cinput}$%",
    "gnuplot": "'.system('touch canary').\"; system \"touch canary",
    "gnuplot macro": "@ARG1 `touch canary` {/Symbol a} \\\n!touch canary",
    "spreadsheet": "=cmd|' /C touch canary'!A0",
    "spreadsheet sum": "+1+HYPERLINK(\"canary\")",
    "spreadsheet at": "@SUM(1+1)*cmd|' /C touch canary'!A0",
    "right to left": "a\u202etxt.exe\u2066b\u200f\u2069",
    "lines of Unicode": "a\u2028b\u2029c\u0085d",
    "path": "../../canary",
    "protocol": "concat:canary|pipe:1",
    "macro": "%(canary)s ${canary} {{canary}} <%= canary %> %d",
    "markdown": "[a](javascript:f()) <script>f()</script> | b ![c](canary)",
    "blank": " ",
}
# Without --all: each format with texts of each kind that it might interpret.
# Every text is recorded, or refused.
CHARTED = ("gnuplot", "latex")
TABLED = ("terminal", "broken UTF-8", "latex", "spreadsheet", "markdown",
          "new line")
PICTURED = ("script", "terminal", "protocol")
SWEPT = ("command substitution", "both quotes", "quote and new line", "option",
         "spreadsheet")

root, everything = os.path.abspath(sys.argv[1]), "--all" in sys.argv[2:]
faults = []
runs = 0
MAP = "type octile\nheight 12\nwidth 16\nmap\n" + "................\n" * 12

# Control characters, and marks that change the direction of writing.
UNSHOWN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028"
                     "\u2029\u202a-\u202e\u2066-\u2069\ufffd]")


def fault(where, what):
    faults.append(f"{where}: {what}")


def quoted(text):
    """The text as a string of a scenario."""
    out = ""
    for c in text:
        if c in '"\\':
            out += "\\" + c
        elif c < " " or c == "\x7f":
            out += f"\\x{ord(c):02x}"
        elif "\udc80" <= c <= "\udcff":
            out += f"\\x{ord(c) - 0xdc00:02x}"
        else:
            out += c
    return '"' + out + '"'


class Page(HTMLParser):
    """Counts the scripts of a page, and the attributes that would run one."""

    def __init__(self):
        super().__init__()
        self.scripts, self.handlers = 0, []

    def handle_starttag(self, tag, attributes):
        self.scripts += tag == "script"
        self.handlers += [a for a, _ in attributes if a.startswith("on")]
        self.handlers += [v for a, v in attributes
                          if a in ("href", "src") and v and
                          v.lower().startswith("javascript:")]


def check_html(where, text, plain_scripts):
    page = Page()
    page.feed(text)
    if page.scripts != plain_scripts:
        fault(where, f"{page.scripts} scripts, {plain_scripts} by itself")
    if page.handlers:
        fault(where, f"handlers {page.handlers}")


def check_xml(where, text):
    document = xml.dom.minidom.parseString(text.encode())
    if document.doctype is not None and document.doctype.entities:
        fault(where, "entities of its own")
    for tag in ("script", "img", "x"):
        if document.getElementsByTagName(tag):
            fault(where, f"an element <{tag}>")


def is_number(cell):
    try:
        float(cell)
        return True
    except ValueError:
        return False


def check_csv(where, text):
    if text.startswith("# Made by hamon "):  # of gnuplot: several tables
        for block in re.split(r"\n\n\n", text):
            # An empty line ends a curve.
            lines = [line for line in block.split("\n") if line]
            while lines and lines[0].startswith("#"):
                del lines[0]
            check_table(where, "\n".join(lines))
    else:
        check_table(where, text)


def check_table(where, text):
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    for row in rows:
        if len(row) != len(rows[0]):
            fault(where, f"{len(row)} cells, {len(rows[0])} in the head")
        for cell in row:
            if cell[:1] in ("=", "+", "-", "@", "\t", "\r") and cell != "-" \
                    and not is_number(cell):
                fault(where, f"a formula: {cell}")


def check_tex(where, text):
    # LaTeX ignores the text after the first % of a line.
    text = "\n".join(re.sub(r"(?<!\\)%.*", "", line)
                     for line in text.split("\n"))
    for word in ("\\input{", "\\write18", "^^5c"):
        if word in text:
            fault(where, f"{word} stands in it")


def check_terminal(where, text):
    found = UNSHOWN.search(text)
    if found:
        at = found.start()
        fault(where, f"not escaped: {text[max(0, at - 60):at + 20]!r}")


def run(where, folder, *command, codes=(0, 2), stdout=None):
    """Runs a program; its output must be safe on a terminal, or in its format."""
    global runs
    runs += 1
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)
    out = done.stdout.decode("utf-8", "replace")
    err = done.stderr.decode("utf-8", "replace")
    where = f"{where}: {' '.join(command)[:160]!r}"
    if done.returncode not in codes:
        fault(where, f"exit {done.returncode}: {err[-300:]!r}")
    check_terminal(f"{where}: its messages", err)
    if stdout:
        if done.returncode == 0:
            stdout(where, out)
    else:
        check_terminal(f"{where}: its output", out)
    return done.returncode


def check_json(where, text):
    json.loads(text)
    check_terminal(where, text)


def check_files(where, folder):
    """Checks every file of the folder by the rules of its format."""
    for name in sorted(os.listdir(folder)):
        kind = name.rsplit(".", 1)[-1]
        check = {"html": lambda w, t: check_html(w, t, PLAIN_SCRIPTS),
                 "svg": check_xml, "xdmf": check_xml, "csv": check_csv,
                 "tex": check_tex}.get(kind)
        if not check:
            continue
        with open(os.path.join(folder, name), encoding="utf-8",
                  newline="") as file:
            try:
                check(f"{where}: {name!r}", file.read())
            except Exception as broken:  # any message of a parser
                fault(f"{where}: {name!r}", f"{broken!r}")


def check_canary(where):
    for folder, folders, files in os.walk(root):
        if "canary" in folders + files:
            fault(where, f"something was run: {folder}/canary")
            os.remove(os.path.join(folder, "canary"))


def scenario(title, agent, map_name):
    return f"""title = {quoted(title)};
steps = 12;
map = {{ file = {quoted(map_name)}; }};
wave = {{ count = 1; lifetime = 99; }};
target = {{ at = [12, 6]; }};
agents = ( {{ name = {quoted(agent)}; at = [2, 6]; method = "wave"; }},
           {{ name = "b"; at = [2, 2]; method = "astar"; }} );
pursuit = {{ stop = "never"; }};
record = {{ fields = ("amplitude", "agents"); }};
"""


def write(path, text):
    with open(path, "w", encoding="utf-8", errors="surrogateescape",
              newline="") as file:
        file.write(text)


def through_pictures(where, folder, name, text):
    run(where, folder, "hamon-slice", "-o", f"./{name}.png", "--at", "step=9",
        "--title", text, "--legend", "--axes", "--bar", "--overlay",
        "walls,agents,trails", f"./{name}.h5")
    run(where, folder, "hamon-slice", "-o", "agent.png", "--at", "step=9",
        "--agent", text, f"./{name}.h5")
    run(where, folder, "hamon-slice", "-o", "map.png", "--colormap", text,
        "--font", text, f"./{name}.h5")
    run(where, folder, "hamon-movie", "-o", f"./{name}.gif", "--every", "6",
        "--title", text, f"./{name}.h5")
    run(where, folder, "hamon-report", "-o", f"./{name}.html", "--frames", "2",
        f"./{name}.h5")


def through_tables(where, folder, name, text):
    run(where, folder, "hamon-info", f"./{name}.h5")
    run(where, folder, "hamon-info", "--json", f"./{name}.h5",
        stdout=check_json)
    run(where, folder, "hamon-check", f"./{name}.h5", codes=(0, 1, 2))
    run(where, folder, "hamon-check", "--json", f"./{name}.h5",
        codes=(0, 1, 2), stdout=check_json)
    run(where, folder, "hamon-export", "--csv", "-o", f"./{name}",
        f"./{name}.h5")
    run(where, folder, "hamon-export", "--csv", "--table", text,
        f"./{name}.h5")
    run(where, folder, "hamon-export", "--xdmf", "-o", f"./{name}.xdmf",
        f"./{name}.h5")
    run(where, folder, "hamon-export", "--npy", "--field", text,
        f"./{name}.h5")
    for form, check in (("text", None), ("csv", check_csv), ("md", check_md),
                        ("tex", check_tex)):
        run(where, folder, "hamon-compare", "--table", form, "--by", "title",
            "--by", "map.file", f"./{name}.h5", stdout=check)
    run(where, folder, "hamon-pack", "-o", "packed.h5", f"./{name}.h5")
    run(where, folder, "hamon-record", "--resume", f"./{name}.h5")
    run(where, folder, "hamon-record", "--check", f"./{name}.cfg")


def check_md(where, text):
    check_terminal(where, text)
    # An interval of numbers, [0.91, 0.97], is one cell.
    text = re.sub(r"(?<=\| )\[[-+.\de–]+, [-+.\de–]+\](?= \|| *$)", "", text)
    for mark in ("[", "]", "<", "|c"):
        if re.search(r"(?<!\\)" + re.escape(mark), text):
            fault(where, f"{mark} stands in it")


def through_charts(where, folder, name, text):
    for program in ("isotropy", "reflection", "steering")[0 if everything else 1:]:
        kept = f"./{name}-of-{program}.h5"
        os.link(f"{root}/plain/{program}.h5", os.path.join(folder, kept))
        run(where, folder, f"hamon-{program}", "--format", "svg,tex", "-o",
            f"./{name}-{program}", "--table", "csv", kept, codes=(0,),
            stdout=check_csv)
    run(where, folder, "hamon-isotropy", "--format", "none", "-o", "./varied",
        "--vary", f"arrival.p={text}", kept, codes=(2,))


def through_sweeps(where, folder, name, text):
    """A run by hamon-sweep itself, and by its scripts for GNU parallel and Slurm,
    which stand_ins() replaces: each line run by a shell, each job with its
    number. The text is once in the values, and once only in names of files and
    folders."""
    for values in (f"title={quoted(text)},{quoted('b' + text)}", "seed=1"):
        for how in ("run", "parallel", "slurm"):
            into = f"./{name}-{values[:4]}-{how}"
            more = [] if how == "run" else ["--emit", how]
            code = run(where, folder, "hamon-sweep", "-q", "-o", into,
                       "--set", "steps=2", "--vary", values, *more,
                       f"./{name}.cfg", codes=(0, 1, 2))
            if code == 0 and more:
                run(where, folder, "sh", f"{into}/go.sh", codes=(0, 1, 2))
            if code == 0:
                check_files(where, os.path.join(folder, into))
    run(where, folder, "hamon-sweep", "-q", "-o", f"./{name}-set", "--set",
        f"title={text}", "--set", "steps=2", "--vary", text, f"./{name}.cfg",
        codes=(1, 2))


def through_bytes(where):
    """The text of a scenario is UTF-8, but that of a recording may be any bytes:
    here no byte of a name in its settings is valid UTF-8."""
    folder = f"{root}/bytes"
    os.mkdir(folder)
    write(f"{folder}/a.map", MAP)
    write(f"{folder}/a.cfg", scenario("the title", "Q" * 63, "a.map"))
    run(where, folder, "hamon-record", "-q", "a.cfg", codes=(0,))
    # LaTeX tables omit columns with equal values in all rows.
    run(where, folder, "hamon-record", "-q", "--set", "agents.[0].name=A", "-o",
        "other.h5", "a.cfg", codes=(0,))
    with open(f"{folder}/a.h5", "rb") as file:
        recording = file.read()
    key = b"agents.[0].name = "
    name = bytes(range(0x80, 0xbe)) + b"\xff"
    if recording.count(key + b"Q" * 63) != 1:
        fault(where, "the setting is not found")
    with open(f"{folder}/a.h5", "wb") as file:
        file.write(recording.replace(key + b"Q" * 63, key + name))
    for form, check in (("text", None), ("csv", check_csv), ("md", check_md),
                        ("tex", check_tex)):
        def told(of, text, form=form, check=check):
            if check:
                check(of, text)
            if form == "csv":  # not for a terminal: the bytes unchanged
                return
            check_terminal(of, text)
            if "x9b" not in text or "xff" not in text:
                fault(of, "the bytes are not printed")
        run(where, folder, "hamon-compare", "--table", form, "--by",
            "agents.[0].name", "a.h5", "other.h5", codes=(0,), stdout=told)
    run(where, folder, "hamon-info", "a.h5")
    run(where, folder, "hamon-info", "--json", "a.h5", stdout=check_json)


def file_name(text):
    """The text as a file name: without slashes, 120 bytes at most."""
    return os.fsdecode(os.fsencode(text.replace("/", "_"))[:120])


def stand_ins():
    """Replacements of parallel and sbatch, for the scripts of hamon-sweep --emit."""
    os.mkdir(f"{root}/bin")
    write(f"{root}/bin/parallel", "#!/bin/sh\nwhile IFS= read -r line; do "
          "sh -c \"$line\" </dev/null; done\n")
    write(f"{root}/bin/sbatch", "#!/bin/sh\nfor script; do :; done\n"
          "SLURM_ARRAY_TASK_ID=0 sh \"$script\" >/dev/null\necho 1\n")
    for name in ("parallel", "sbatch"):
        os.chmod(f"{root}/bin/{name}", 0o755)
    os.environ["PATH"] = f"{root}/bin:{os.environ['PATH']}"


def chart_recordings():
    """Recordings for the charts: a front, a corridor, a chase."""
    samples = os.path.join(os.path.dirname(
        os.path.abspath(__file__)), "..", "..", "samples")
    for program, sample, steps in (("isotropy", "field/field", 200),
                                   ("reflection", "corridors/corridor", 310),
                                   ("steering", "corridors/corridor", 310)):
        run("charts", root, "hamon-record", "-q", "-o",
            f"{root}/plain/{program}.h5", "--set", f"steps={steps}",
            f"{samples}/{sample}.cfg", codes=(0,))


def plain_scripts():
    """The number of scripts in a report without hostile texts."""
    folder = f"{root}/plain"
    os.mkdir(folder)
    write(f"{folder}/a.map", MAP)
    write(f"{folder}/a.cfg", scenario("a", "a", "a.map"))
    run("plain", folder, "hamon-record", "-q", "a.cfg", codes=(0,))
    run("plain", folder, "hamon-report", "-q", "-o", "a.html", "a.h5",
        codes=(0,))
    page = Page()
    with open(f"{folder}/a.html", encoding="utf-8") as file:
        page.feed(file.read())
    return page.scripts


stand_ins()
PLAIN_SCRIPTS = plain_scripts()
chart_recordings()
count = recorded = 0
for count, (kind, text) in enumerate(TEXTS.items(), 1):
    del faults[:]
    name = file_name(text)
    folder = f"{root}/{count}/{name}"
    os.makedirs(folder)
    write(f"{folder}/{name}.map", MAP)
    write(f"{folder}/{name}.cfg", scenario(text, text, f"{name}.map"))
    # A text that scenarios do not allow is rejected in one line, and is then
    # written in another form.
    if run(kind, folder, "hamon-record", "-q", f"./{name}.cfg") != 0:
        write(f"{folder}/{name}.cfg", scenario("refused", "refused",
                                               f"{name}.map"))
        if run(kind, folder, "hamon-record", "-q", f"./{name}.cfg") != 0:
            write(f"{folder}/a.map", MAP)
            write(f"{folder}/{name}.cfg", scenario("refused", "refused",
                                                   "a.map"))
            run(kind, folder, "hamon-record", "-q", f"./{name}.cfg",
                codes=(0,))
    else:
        recorded += 1
    if everything or kind in TABLED:
        through_tables(kind, folder, name, text)
    if everything or kind in PICTURED:
        through_pictures(kind, folder, name, text)
    if everything or kind in SWEPT:
        through_sweeps(kind, folder, name, text)
    if everything or kind in CHARTED:
        through_charts(kind, folder, name, text)
    check_files(kind, folder)
    check_canary(kind)
    print(f"{'not ' if faults else ''}ok {count} - {kind}: nothing runs, "
          "and all outputs have it escaped", flush=True)
    for line in faults[:12]:
        print(f"# {line[:600]}")
del faults[:]
through_bytes("bytes")
count += 1
print(f"{'not ' if faults else ''}ok {count} - bytes that are no UTF-8 in a "
      "recording are printed as \\xNN")
for line in faults[:12]:
    print(f"# {line[:600]}")
print(f"{'' if recorded >= 20 else 'not '}ok {count + 1} - 20 of the texts "
      "at least come whole into a recording")
print(f"# {recorded} of {len(TEXTS)} recorded, {runs} runs of programs")
print(f"1..{count + 1}")
