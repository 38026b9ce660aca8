# SPDX-License-Identifier: MIT
# Tables in Markdown of what bench/wander prints, a line a map (levels.tsv: with
# the level before it). -v table=maps or levels; -v held=yes: exit 1 if fewer than
# 95 % of the walks on a map arrive.
BEGIN {
    FS = "\t"
    if (table == "maps") {
        print "| map | cells | arrived (%) | most nodes | mean | path over the shortest | searches a walk | bytes a walker | bytes a BFS | ns a search | ns a BFS |"
        print "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
    } else {
        print "| SEARCH_LEVEL | arrived (%) | most nodes | mean | path over the shortest | ns a search |"
        print "|---|---:|---:|---:|---:|---:|"
    }
}
table == "maps" {
    sub(/\.map$/, "", $1)
    printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", $1, $2, $4, $5, $6, $7, $8, $10, $12, $11, $13
    if (held && $4 < 95) {
        print $1 ": fewer than 95 % arrive" >"/dev/stderr"
        broken = 1
    }
}
table == "levels" { printf "| %d | %s | %s | %s | %s | %s |\n", $1, $5, $6, $7, $8, $12 }
END { exit broken }
