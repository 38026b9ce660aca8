# SPDX-License-Identifier: MIT
# Tables in Markdown from published.csv (times of table 2) and then NAME.tsv, the
# output of bench/chase: -v table=steps, cells (why the times of table 2 differ),
# pincers (captures and overlap), or wave, of the wave pincer. Exit 1 if a claim of
# the paper is not met. The published numbers stand beside the runs in against.csv.
BEGIN { FS = "\t" }

FILENAME ~ /published/ {
    split($0, cell, ",")
    if (cell[1] == "Table 2") {
        split(cell[3], label, " ")
        printed[tolower(label[1]), label[2]] = cell[4]
    }
    next
}

FNR == 1 {
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/\.tsv$/, "", name)
    if (!(name in seen)) {
        seen[name] = 1
        order[names++] = name
    }
}

$1 != "seed" {
    i = count[name, $2]++
    steps[name, $2, i] = $3 + 0
    caught[name, $2] += $4
    us[name, $2, i] = $6 + 0
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
    print "| map | Dijkstra, A* | pincer | ratio | fixed ties: Dijkstra | pincer | distance of pursuers: Dijkstra, A* | pincer |"
    print "|---|---:|---:|---:|---:|---:|---:|---:|"
    for (i = 0; i < names; i++) {
        name = order[i]
        dijkstra = quantile(steps, name, "dijkstra", 0.5)
        pincer = quantile(steps, name, "pincer", 0.5)
        printf "| %s | %s | %s | %.2f | %s | %s | %s | %s |\n", name, quartiles(name, "dijkstra"), quartiles(name, "pincer"), \
            dijkstra / pincer, only(name, "dijkstra-fixed"), only(name, "pincer-fixed"), spread_of(name, "dijkstra"), spread_of(name, "pincer")
        if (name == "v7")
            claim(dijkstra == pincer, name ": equal medians")
        else
            claim(pincer < dijkstra, name ": the pincer's median below Dijkstra's")
        for (s = 1; s <= seeds; s++)
            claim(crc[name, s, "dijkstra"] == crc[name, s, "astar"], name ", seed " s ": A* as Dijkstra")
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
        theirs = (name, "A*") in printed ? printed[name, "A*"] / printed[name, "Dijkstra"] : 0
        printf "| %s | %.0f | %.0f | %.2f | %.1f | %.1f | %.2f | %s | %s |\n", name, cells_of(name, "dijkstra"), \
            cells_of(name, "astar"), share, nanoseconds(name, "dijkstra"), nanoseconds(name, "astar"), here, \
            theirs ? sprintf("%.2f", theirs) : "-", theirs ? sprintf("%.1f", theirs / share) : "-"
        claim(share < 1, name ": A* expands fewer cells than Dijkstra")
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
    if (table == "cells") cells_table()
    if (table == "pincers") pincer_table()
    if (table == "wave") wave_table()
    exit broken
}
