# SPDX-License-Identifier: MIT
# Tables in Markdown from NAME.tsv and NAME-fixed.tsv, the output of bench/chase:
# -v table=steps (table 1), time (2), cells (why the times of table 2
# differ), spread (3), pincers (captures and overlap), or wave, of the wave pincer.
# Exit 1 if a claim of the paper is not met.
BEGIN {
    FS = "\t"
    claims = "v1 v2 v3 v4 v5 v6 v7 v8 v9"
    paper("frames", "dijkstra", "2015 1460 10038 6342 6036 6924 273 3388 1491")
    paper("frames", "pincer", "608 668 1428 888 649 649 273 649 383")
    paper("us", "dijkstra", "37.47 37.31 101.55 131.90 37.82 36.09 65.31 53.74 47.73")
    paper("us", "astar", "51.74 49.71 45.80 100.07 49.27 48.45 111.08 59.91 73.38")
    paper("us", "pincer", "47.94 65.66 121.98 186.06 55.52 58.84 74.22 120.12 68.96")
    paper("spread", "dijkstra", "1.16 1.02 1.27 1.36 1.03 1.27 20.75 - -")
    paper("spread", "pincer", "7.25 9.03 4.19 9.06 4.91 6.48 20.75 - -")
}

function paper(table, method, figures,    i, count, each, names) {
    count = split(figures, each, " ")
    split(claims, names, " ")
    for (i = 1; i <= count; i++)
        printed[table, names[i], method] = each[i]
}

function told(table, name, method) {
    return (table, name, method) in printed ? printed[table, name, method] : "-"
}

FNR == 1 {
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/(-fixed)?\.tsv$/, "", name)
    if (!(name in seen)) {
        seen[name] = 1
        order[names++] = name
    }
}

{
    i = count[name, $2]++
    steps[name, $2, i] = $3 + 0
    caught[name, $2] += $4
    us[name, $2, i] = $6 + 0
    plain[name, $2, i] = $7 + 0
    spread[name, $2, i] = $8 + 0
    crc[name, $1, $2] = $9
    cells[name, $2, i] = $10 + 0
    overlap[name, $2, i] = $11 + 0
    pincers[name, $2] += $12
    if ($1 > seeds)
        seeds = $1
}

# The quantile q of value[name, method, 0 ... n - 1], the lower one of two.
function quantile(value, name, method, q,    n, i, j, sorted, v) {
    n = count[name, method]
    for (i = 0; i < n; i++) {
        v = value[name, method, i]
        for (j = i; j > 0 && sorted[j - 1] > v; j--)
            sorted[j] = sorted[j - 1]
        sorted[j] = v
    }
    j = int(q * (n - 1))
    if (q == 0.5 && n % 2 == 0)
        return (sorted[j] + sorted[j + 1]) / 2
    return sorted[j]
}

function mean(value, name, method,    n, i, sum) {
    n = count[name, method]
    sum = 0
    for (i = 0; i < n; i++)
        sum += value[name, method, i]
    return sum / n
}

# The steps of the single chase with fixed tie-breaking.
function only(name, method) {
    if (!((name, method) in count))
        return "-"
    return (caught[name, method] ? "" : ">") steps[name, method, 0]
}

function claim(good, text) {
    if (!good) {
        print text ": not so" >"/dev/stderr"
        broken = 1
    }
}

function spread_of(name, method) {
    return sprintf("%.2f", mean(spread, name, method))
}

function quartiles(name, method) {
    return sprintf("%g [%g, %g]%s", quantile(steps, name, method, 0.5), quantile(steps, name, method, 0.25), \
        quantile(steps, name, method, 0.75), \
        caught[name, method] < count[name, method] ? " (" caught[name, method] ")" : "")
}

function steps_table(    i, s, name, dijkstra, pincer) {
    print "| map | paper: Dijkstra, A* | pincer | ratio | here: Dijkstra, A* | pincer | ratio | fixed ties: Dijkstra | pincer |"
    print "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for (i = 0; i < names; i++) {
        name = order[i]
        dijkstra = quantile(steps, name, "dijkstra", 0.5)
        pincer = quantile(steps, name, "pincer", 0.5)
        printf "| %s | %s | %s | %s | %s | %s | %.2f | %s | %s |\n", name, told("frames", name, "dijkstra"), \
            told("frames", name, "pincer"), told("frames", name, "pincer") == "-" ? "-" : \
            sprintf("%.2f", told("frames", name, "dijkstra") / told("frames", name, "pincer")), quartiles(name, "dijkstra"), \
            quartiles(name, "pincer"), dijkstra / pincer, only(name, "dijkstra-fixed"), only(name, "pincer-fixed")
        if (name == "v7")
            claim(dijkstra == pincer, name ": equal medians")
        else
            claim(pincer < dijkstra, name ": the pincer's median below Dijkstra's")
        for (s = 1; s <= seeds; s++)
            claim(crc[name, s, "dijkstra"] == crc[name, s, "astar"], name ", seed " s ": A* as Dijkstra")
    }
}

function time_table(    i, name, method, m) {
    print "| map | paper: Dijkstra | A* | pincer | here: Dijkstra | A* | pincer | one path: Dijkstra | A* |"
    print "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for (i = 0; i < names; i++) {
        name = order[i]
        printf "| %s | %s | %s | %s | %.2f | %.2f | %.2f | %.2f | %.2f |\n", name, told("us", name, "dijkstra"), \
            told("us", name, "astar"), told("us", name, "pincer"), quantile(us, name, "dijkstra", 0.5), \
            quantile(us, name, "astar", 0.5), quantile(us, name, "pincer", 0.5), \
            quantile(plain, name, "dijkstra", 0.5), quantile(plain, name, "astar", 0.5)
    }
}

# For a round: medians over the seeds, for the searches with random tie-breaking.
function cells_of(name, method) {
    return quantile(cells, name, method, 0.5)
}

function nanoseconds(name, method) {
    return 1000 * quantile(us, name, method, 0.5) / cells_of(name, method)
}

function cells_table(    i, name, share, here, theirs) {
    print "| map | cells: Dijkstra | A\\* | A\\* / Dijkstra | ns a cell: Dijkstra | A\\* | A\\* / Dijkstra | paper: time of A\\* / Dijkstra | time a cell, if its cells are ours |"
    print "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for (i = 0; i < names; i++) {
        name = order[i]
        share = cells_of(name, "astar") / cells_of(name, "dijkstra")
        here = nanoseconds(name, "astar") / nanoseconds(name, "dijkstra")
        theirs = told("us", name, "dijkstra") == "-" ? 0 : told("us", name, "astar") / told("us", name, "dijkstra")
        printf "| %s | %.0f | %.0f | %.2f | %.1f | %.1f | %.2f | %s | %s |\n", name, cells_of(name, "dijkstra"), \
            cells_of(name, "astar"), share, nanoseconds(name, "dijkstra"), nanoseconds(name, "astar"), here, \
            theirs ? sprintf("%.2f", theirs) : "-", theirs ? sprintf("%.1f", theirs / share) : "-"
        claim(share < 1, name ": A* expands fewer cells than Dijkstra")
    }
}

function spread_table(    i, name) {
    print "| map | paper: Dijkstra, A* | pincer | here: Dijkstra, A* | pincer |\n|---|---:|---:|---:|---:|"
    for (i = 0; i < names; i++) {
        name = order[i]
        printf "| %s | %s | %s | %s | %s |\n", name, told("spread", name, "dijkstra"), told("spread", name, "pincer"), \
            spread_of(name, "dijkstra"), spread_of(name, "pincer")
    }
}

# The share of the chases that end as a pincer, in per cent, with Wilson's 95 %
# interval (src/metrics/proportion.h).
function share_of(name, method,    n, p, z, half, middle) {
    n = count[name, method]
    p = pincers[name, method] / n
    z = 1.959963984540054
    middle = p + z * z / (2 * n)
    half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return sprintf("%.0f [%.0f, %.0f]", 100 * p, 100 * (middle - half) / (1 + z * z / n), 100 * (middle + half) / (1 + z * z / n))
}

function pincer_table(    i, m, name, methods, line) {
    split("dijkstra astar pincer wave-pincer", methods, " ")
    print "| map | pincers, %: Dijkstra | A* | pincer | wave pincer | overlap, %: Dijkstra | A* | pincer | wave pincer |"
    print "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    for (i = 0; i < names; i++) {
        name = order[i]
        line = "| " name " |"
        for (m = 1; m <= 4; m++)
            line = line " " share_of(name, methods[m]) " |"
        for (m = 1; m <= 4; m++)
            line = line sprintf(" %.1f |", 100 * mean(overlap, name, methods[m]))
        print line
        claim(mean(overlap, name, "pincer") <= mean(overlap, name, "dijkstra"), name ": paths of the pincer overlap less")
        claim(pincers[name, "pincer"] >= pincers[name, "dijkstra"], name ": as many pincers as with Dijkstra")
    }
}

function wave_table(    i, name) {
    print "| map | wave pincer: steps | Dijkstra's steps over its | distance | µs a round | over the pincer's |"
    print "|---|---:|---:|---:|---:|---:|"
    for (i = 0; i < names; i++) {
        name = order[i]
        printf "| %s | %s | %.2f | %s | %.0f | %.0f |\n", name, quartiles(name, "wave-pincer"), \
            quantile(steps, name, "dijkstra", 0.5) / quantile(steps, name, "wave-pincer", 0.5), spread_of(name, "wave-pincer"), \
            quantile(us, name, "wave-pincer", 0.5), quantile(us, name, "wave-pincer", 0.5) / quantile(us, name, "pincer", 0.5)
    }
}

END {
    if (table == "steps") steps_table()
    if (table == "time") time_table()
    if (table == "cells") cells_table()
    if (table == "spread") spread_table()
    if (table == "pincers") pincer_table()
    if (table == "wave") wave_table()
    exit broken
}
