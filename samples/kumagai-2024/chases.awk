# SPDX-License-Identifier: MIT
# The table of the chases from many starts: of hamon-compare's tables in csv, a
# row for each class. rule=WORDS before a table's name names its rule.
BEGIN {
    FS = ","
    print "| chase | rule | starts | captured (95 %) | steps, median (95 %) | steps, mean ± standard error |"
    print "|---|---|---:|---:|---:|---:|"
}
FNR == 1 {
    for (i = 1; i <= NF; i++)
        at[$i] = i
    next
}
$2 != "all" {
    high = $at["steps_median_high_95"]
    printf "| %s | %s | %d | %d (%.2f to %.2f) | %.0f (%.0f to %s) | %.0f ± %.0f |\n", $2, rule, $at["chases"], $at["captured"], \
        $at["capture_rate_low_95"], $at["capture_rate_high_95"], $at["steps_median"], $at["steps_median_low_95"], \
        high == "" ? "not known" : sprintf("%.0f", high), $at["steps_mean"], $at["steps_mean_error"]
}
