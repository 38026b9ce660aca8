# SPDX-License-Identifier: MIT
# Tables in Markdown, by -v table=
#
#   variants  from two files of bench/wander, relay's and relay-complete's: both
#             on each map. Exits with 1 if a walk of relay-complete failed.
#   levels    from one file with SEARCH_LEVEL before each line
#   list      from the paths that hamon-export --csv writes: the nodes of plan 0
#             as they are in the article's list

BEGIN {
    FS = table == "list" ? "," : "\t"
    head["variants"] = "map | relay: arrive | nodes, mean (most) | path / shortest | µs a walk | relay-complete: arrive | nodes, mean (most) | path / shortest | µs a walk | BFS: µs"
    head["levels"] = "SEARCH_LEVEL | arrive | nodes, mean (most) | path / shortest | ns a search"
    head["list"] = "node | x | y | next"
}

# Begins a row; before the first row, the table.
function row(cell,    rule) {
    if (!rows++) {
        rule = head[table]
        gsub(/[^|]+/, "--:", rule)
        printf "| %s |\n|%s|\n", head[table], rule
    }
    printf "| %s |", cell
}

# The share of walks that arrived; "all" if none failed.
function share(walks, failed) {
    return failed ? sprintf("%.1f %%", 100 * (1 - failed / walks)) : "all"
}

# From a line of bench/wander whose map is column `at`.
function outcome(column, at) {
    printf " %s | %.1f (%d) | %s |", share(column[at + 2], column[at + 4]), column[at + 6], column[at + 5], \
        (column[at + 7] > 0 ? column[at + 7] : "-")
}

table == "variants" && FNR == NR { line[$1] = $0; next }
table == "variants" {
    n = split(line[$1] FS $0, column)
    sub(/\.map$/, "", $1)
    row($1)
    outcome(column, 1)
    printf " %.1f |", column[13]
    outcome(column, n / 2 + 1)
    printf " %.1f | %.0f |\n", $13, $15
    if ($5) {
        printf "%s: %d walks of relay-complete failed\n", $1, $5 >"/dev/stderr"
        broken = 1
    }
}
table == "levels" {
    n = split($0, column)
    row($1)
    outcome(column, 2)
    printf " %.0f |\n", $13
}
table == "list" && $1 == 0 && FNR > 1 {
    if (rows)
        printf " %d |\n", rows + 1
    row(rows + 1)
    printf " %d | %d |", $6, $7
}
END {
    if (table == "list" && rows)
        print " null |"
    if (!rows)
        print "No maps: HAMON_BENCHMARKS does not name the folder of the public maps."
    exit broken
}
