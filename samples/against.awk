# SPDX-License-Identifier: MIT
# A paper's published numbers beside the runs here:
#
#     awk -v mode=join -v files='@/runs.csv ...' -f samples/against.awk samples/NAME/published.csv >@/against.csv
#     awk -v mode=table -f samples/against.awk @/against.csv >@/against.md
#     awk -v mode=chart -f samples/against.awk src/draw/chart/head.gp samples/against.gp @/against.csv >@/against.gp
#
# published.csv has a row for each number:
#
#   where       the figure, table or section of the paper
#   quantity    and its unit; rows of one quantity stand together, in one panel
#   label       which of these numbers
#   paper       the number as printed, or LOW..HIGH
#   file        the runs, one of `files` without its folder: CSV or tab-separated, with a header
#   select      the runs that count: COLUMN=TEXT, several with blanks between them
#   value       the column of the number, or 100*COLUMN
#   over        if not empty: divide by the run with this select and the same `pair`
#   pair        the column that names a pair
#   compared      yes; or no: WHY not
#   why         of a number that does not agree: the reason
#
# The rule: a number agrees if it is within the middle 95 % of the runs here, from
# the 2.5 % to the 97.5 % quantile. Where the paper has one run, it is then one that
# could have been drawn from these. A number of fewer than 20 runs is not compared.

function fault(text) {
    printf "%s:%d: %s\n", FILENAME, FNR, text >"/dev/stderr"
    failed = 1
    exit 1
}

# ---- join ----

function path_of(file,    n, each, i) {
    n = split(files, each, " ")
    for (i = 1; i <= n; i++)
        if (each[i] ~ "(^|/)" file "$")
            return each[i]
    fault(file ": not in `files`")
}

# Whether a run has the texts of `select`.
function chosen(select, cell, at,    n, each, i, part) {
    n = split(select, each, " ")
    for (i = 1; i <= n; i++) {
        split(each[i], part, "=")
        if (!(part[1] in at))
            fault("no column " part[1])
        if (cell[at[part[1]]] != part[2])
            return 0
    }
    return 1
}

# Reads the runs of a row into sample[1 ... count].
function read_runs(path, select, value, over, pair,    line, cell, at, n, i, mark, quote, factor, key, base, top) {
    count = 0
    factor = sub(/^100\*/, "", value) ? 100 : 1
    split("", base)
    split("", top)
    while ((getline line <path) > 0) {
        mark = line ~ /\t/ ? "\t" : ","
        while (match(line, /"[^"]*"/)) { # a cell with commas
            quote = substr(line, RSTART + 1, RLENGTH - 2)
            gsub(/,/, ";", quote)
            line = substr(line, 1, RSTART - 1) quote substr(line, RSTART + RLENGTH)
        }
        n = split(line, cell, mark)
        if (!(value in at) || cell[at[value]] == value) { # a header, again before each group of runs
            split("", at)
            for (i = 1; i <= n; i++)
                at[cell[i]] = i
            if (!(value in at))
                fault(path ": no column " value)
            continue
        }
        if (cell[at[value]] == "")
            continue
        key = over == "" ? ++runs : cell[at[pair]]
        if (chosen(select, cell, at))
            top[key] = factor * cell[at[value]]
        if (over != "" && chosen(over, cell, at))
            base[key] = cell[at[value]]
    }
    close(path)
    for (key in top)
        if (over == "")
            sample[++count] = top[key]
        else if (key in base && base[key] > 0)
            sample[++count] = top[key] / base[key]
    if (!count)
        fault(path ": no run for this row")
}

function sort_sample(    i, j, v, gap) {
    for (gap = int(count / 2); gap > 0; gap = int(gap / 2))
        for (i = gap + 1; i <= count; i++) {
            v = sample[i]
            for (j = i; j > gap && sample[j - gap] > v; j -= gap)
                sample[j] = sample[j - gap]
            sample[j] = v
        }
}

# The quantile q of the sorted sample, between two values in proportion.
function quantile(q,    at, k) {
    at = 1 + q * (count - 1)
    k = int(at)
    return k < count ? sample[k] + (at - k) * (sample[k + 1] - sample[k]) : sample[count]
}

# The share of the runs below the number; equal ones count half.
function share_below(number,    i, below) {
    for (i = 1; i <= count; i++)
        below += sample[i] < number ? 1 : sample[i] == number ? .5 : 0
    return below / count
}

# The last column, which may have commas.
function rest_of(    i, text) {
    text = $11
    for (i = 12; i <= NF; i++)
        text = text "," $i
    return text
}

function join_row(    low, high, ends, why, agrees, share) {
    if (NF < 11)
        fault("11 columns are required")
    why = rest_of()
    read_runs(path_of($5), $6, $7, $8, $9)
    sort_sample()
    if (split($4, ends, "[.][.]") == 1)
        ends[2] = ends[1]
    low = quantile(.025)
    high = quantile(.975)
    share = count >= 20 ? sprintf("%.3f", (share_below(ends[1]) + share_below(ends[2])) / 2) : ""
    if ($10 == "yes" && count >= 20)
        agrees = ends[2] >= low && ends[1] <= high ? "yes" : "no"
    if (agrees == "no" && why == "")
        fault("a number that does not agree needs its reason: " $1 ", " $3)
    if (agrees != "no")
        why = $10 == "yes" ? "" : substr($10, index($10, ":") + 2)
    printf "%s,%s,%s,%s,%.6g,%.6g,%.6g,%d,%s,%s,%s\n", $1, $2, $3, $4, quantile(.5), low, high, count, share, agrees, why
}

# ---- a table ----

function thousands(text) {
    while (match(text, /^[0-9][0-9][0-9][0-9]+/)) {
        text = substr(text, 1, RLENGTH - 3) "," substr(text, RLENGTH - 2)
        if (RLENGTH < 7)
            break
    }
    return text
}

function shown(x) {
    return x >= 1000 ? thousands(sprintf("%.0f", x)) : sprintf("%.3g", x)
}

function printed(text,    ends) {
    return split(text, ends, "[.][.]") == 2 ? shown(ends[1]) " to " shown(ends[2]) : shown(text)
}

function found() {
    return $8 > 1 ? shown($5) " [" shown($6) ", " shown($7) "]" : shown($5)
}

function table_row() {
    return sprintf("| %s | %s | %s | %s | %s | %d | %s | %s | %s |", $1, $2, $3, printed($4), found(), $8, \
        $9 == "" ? "" : sprintf("%.0f", 100 * $9), $10 == "" ? "not compared" : $10, rest_of())
}

# ---- a chart: settings for against.gp, between the sections of the head ----

function quoted(text) {
    gsub(/["\\]/, "\\\\&", text)
    return "\"" text "\""
}

function chart_row(    ends, single) {
    rows++
    if ($2 != quantity[panels]) {
        quantity[++panels] = $2
        place[panels] = $1
        first[panels] = rows
    }
    last[panels] = rows
    single = split($4, ends, "[.][.]") == 1
    label[rows] = $3
    told[rows] = printed($4)
    here[rows] = found()
    share[rows] = $9 == "" ? "" : sprintf("%.0f %%", 100 * $9)
    numbers[rows] = sprintf("%g %g %g %g %g %d %d", ends[1], single ? ends[1] : ends[2], $5, $6, $7, $8, \
        $10 == "yes" ? 1 : $10 == "no" ? -1 : 0)
}

function array(name, of, n,    i, text) {
    for (i = 1; i <= n; i++)
        text = text (i > 1 ? ", " : "") quoted(of[i])
    printf "array %s[%d] = [%s]\n", name, n, text
}

function settings() {
    printf "width = 17; font = \"DejaVu Sans\"; _(s) = s; panels = %d\n", panels
    array("quantity", quantity, panels)
    array("place", place, panels)
    array("first", first, panels)
    array("last", last, panels)
    array("label_of", label, rows)
    array("told", told, rows)
    array("here_of", here, rows)
    array("share", share, rows)
    array("numbers", numbers, rows)
}

function section(name) {
    printf "%s", text[name]
}

BEGIN { FS = "," }
mode == "join" && FNR == 1 {
    print "where,quantity,label,paper,here,low,high,n,share_below,agrees,why"
    next
}
mode == "join" { join_row() }
mode == "chart" && FILENAME ~ /\.gp$/ {
    if (/^# ---- [a-z]+ ----$/ && $0 !~ /how it/)
        part = FILENAME ~ /head/ ? "head " substr($0, 8, length($0) - 12) : substr($0, 8, length($0) - 12)
    text[part] = text[part] $0 "\n"
    next
}
mode == "chart" && FNR > 1 { chart_row() }
mode == "table" && FNR > 1 {
    row[++rows] = table_row()
    compared[$10]++
}
END {
    if (failed)
        exit 1
    if (mode == "table") {
        printf "Of %d published numbers %d are compared, and %d of these agree. A number agrees if it is within the middle 95 %% of the runs here (brackets; before them the median). Where the paper has one run, it could then be one of these runs.\n\n", rows, compared["yes"] + compared["no"], compared["yes"] + 0
        print "| where | quantity | | paper | here | runs | runs below the paper's, % | agrees | why not |"
        print "|---|---|---|---:|---:|---:|---:|---|---|"
        for (i = 1; i <= rows; i++)
            print row[i]
    }
    if (mode == "chart") {
        section("head start")
        settings()
        section("head tools")
        section("size")
        section("head page")
        section("panels")
        section("head end")
    }
}
