# SPDX-License-Identifier: MIT
# Tables 1 to 4 from lines "verification, then what bench/chase tells";
# exit 1 where a claim does not hold.
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

{
    if (!($1 in seen)) {
        seen[$1] = 1
        order[names++] = $1
    }
    i = count[$1, $3]++
    steps[$1, $3, i] = $4 + 0
    caught[$1, $3] += $5
    us[$1, $3, i] = $7 + 0
    plain[$1, $3, i] = $8 + 0
    spread[$1, $3, i] = $9 + 0
    crc[$1, $2, $3] = $10
    if ($2 > seeds)
        seeds = $2
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

# The steps of the one chase with fixed ties.
function only(name, method) {
    if (!((name, method) in count))
        return "-"
    return (caught[name, method] ? "" : ">") steps[name, method, 0]
}

function claim(good, text) {
    if (!good) {
        print "NOT SO: " text
        broken = 1
    }
}

END {
    printf "Table 1. Steps until the evader is caught, %d seeds: median [quartiles], caught\n", seeds
    printf "(the rest censored at 30,000). Dijkstra and A* step for step the same. Fixed: the one\n"
    printf "chase with fixed ties, >: not over then.\n\n"
    printf "%-8s %9s %9s   %-28s %-28s %-7s %9s %9s\n", "", "paper", "paper", "ours", "ours", "ours,", "fixed", "fixed"
    printf "%-8s %9s %9s   %-28s %-28s %-7s %9s %9s\n", "", "Dijk.=A*", "pincer", "Dijkstra = A*", "pincer", "ratio", \
        "Dijkstra", "pincer"
    for (i = 0; i < names; i++) {
        name = order[i]
        for (m = 0; m < 2; m++) {
            method = m ? "pincer" : "dijkstra"
            middle[m] = quantile(steps, name, method, 0.5)
            cell[m] = sprintf("%g [%g, %g] %d", middle[m], quantile(steps, name, method, 0.25), \
                quantile(steps, name, method, 0.75), caught[name, method])
        }
        printf "%-8s %9s %9s   %-28s %-28s %-7.2f %9s %9s\n", name, told("frames", name, "dijkstra"), \
            told("frames", name, "pincer"), cell[0], cell[1], middle[0] / middle[1], \
            only(name, "dijkstra-fixed"), only(name, "pincer-fixed")
        if (name == "v7")
            claim(middle[0] == middle[1], name ": equal medians")
        else
            claim(middle[1] < middle[0], name ": the pincer's median below Dijkstra's")
        for (s = 1; s <= seeds; s++)
            claim(crc[name, s, "dijkstra"] == crc[name, s, "astar"], name ", seed " s ": A* as Dijkstra")
    }

    printf "\nTable 2. Microseconds a round of plans, mean over as many rounds as every method of\n"
    printf "the seed had; of ours the median over the seeds. Plain: one optimal path, ties fixed;\n"
    printf "with ties drawn A* must find all that are optimal. Its Dijkstra: a search for each of the\n"
    printf "pincer\047s own plans, for the same ends, round nobody\047s way.\n\n"
    printf "%-8s %9s %9s %9s   %9s %9s %9s %9s %9s %9s %7s\n", "", "paper", "paper", "paper", \
        "ours", "ours", "ours", "ours", "ours", "its", "pincer/"
    printf "%-8s %9s %9s %9s   %9s %9s %9s %9s %9s %9s %7s\n", "", "Dijkstra", "A*", "pincer", \
        "Dijkstra", "Dij.plain", "A*", "A* plain", "pincer", "Dijkstra", "its"
    for (i = 0; i < names; i++) {
        name = order[i]
        printf "%-8s %9s %9s %9s   %9.2f %9.2f %9.2f %9.2f %9.2f %9.2f %7.2f\n", name, \
            told("us", name, "dijkstra"), told("us", name, "astar"), told("us", name, "pincer"), \
            quantile(us, name, "dijkstra", 0.5), quantile(plain, name, "dijkstra", 0.5), \
            quantile(us, name, "astar", 0.5), quantile(plain, name, "astar", 0.5), \
            quantile(us, name, "pincer", 0.5), quantile(plain, name, "pincer", 0.5), \
            quantile(us, name, "pincer", 0.5) / quantile(plain, name, "pincer", 0.5)
    }

    printf "\nTable 3. Mean distance between the pursuers, cells (Manhattan; Chebyshev in v9), over\n"
    printf "as many steps as every method of the seed had; of ours the mean over the seeds.\n\n"
    printf "%-8s %9s %9s   %9s %9s\n", "", "paper", "paper", "ours", "ours"
    printf "%-8s %9s %9s   %9s %9s\n", "", "Dijk.=A*", "pincer", "Dijk.=A*", "pincer"
    for (i = 0; i < names; i++) {
        name = order[i]
        printf "%-8s %9s %9s   %9.2f %9.2f\n", name, told("spread", name, "dijkstra"), \
            told("spread", name, "pincer"), mean(spread, name, "dijkstra"), mean(spread, name, "pincer")
    }

    printf "\nTable 4. The wave pincer, which the paper leaves open: steps, spread as in table 3, and\n"
    printf "microseconds a round as in table 2; over the pincer\047s. Ratio: Dijkstra\047s median of steps\n"
    printf "over its own.\n\n"
    printf "%-8s %-28s %7s %9s %12s %9s\n", "", "steps", "ratio", "spread", "us a round", "/pincer"
    for (i = 0; i < names; i++) {
        name = order[i]
        middle[0] = quantile(steps, name, "dijkstra", 0.5)
        middle[1] = quantile(steps, name, "wave-pincer", 0.5)
        printf "%-8s %-28s %7.2f %9.2f %12.1f %9.1f\n", name, sprintf("%g [%g, %g] %d", middle[1], \
            quantile(steps, name, "wave-pincer", 0.25), quantile(steps, name, "wave-pincer", 0.75), \
            caught[name, "wave-pincer"]), middle[0] / middle[1], mean(spread, name, "wave-pincer"), \
            quantile(us, name, "wave-pincer", 0.5), \
            quantile(us, name, "wave-pincer", 0.5) / quantile(us, name, "pincer", 0.5)
    }
    exit broken
}
