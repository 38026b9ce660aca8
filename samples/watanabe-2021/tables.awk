# SPDX-License-Identifier: MIT
# Tables of page.txt, in Markdown, from hamon-compare's csv: -v table=...
#   starts      table 2 from 1,000 starts: starts.csv, and starts-rows.csv by --output
#   thresholds  capture rate by threshold: a row for each, the threshold first
#   waves       the column of=, columns= numbers a line: a row for each setting
BEGIN { FS = "," }
FNR == 1 {
    delete at
    for (i = 1; i <= NF; i++)
        at[$i] = i
    file = FILENAME
    sub(/.*\//, "", file)
    next
}

table == "starts" && file == "starts-rows.csv" { # of --output: a row for each chase
    took[$at["problem"], $at["method"]] = $at["captured"] ? $at["steps"] : 0
    if ($at["method"] == "wave") {
        class_of[++chases] = $at["class"]
        problem[chases] = $at["problem"]
    }
}
table == "starts" && file == "starts.csv" { summary[$2, $1] = $0 }
table == "thresholds" || table == "waves" { measured[++settings] = $0 }

# The value of column `name` in the row `text`.
function value(text, name,    cell) {
    split(text, cell, ",")
    return cell[at[name]]
}
function interval(text, name, form) {
    return sprintf(form " (" form " to " form ")", value(text, name), value(text, name "_low_95"), value(text, name "_high_95"))
}

# For wave/Lee over the starts of a class from which both captured: the median,
# its 95 % interval by order statistics, the quartiles, and their number.
function ratios(class,    i, j, n, ratio, sorted, half) {
    for (i = 1; i <= chases; i++) {
        if (class_of[i] != class || !took[problem[i], "wave"] || !took[problem[i], "lee"])
            continue
        ratio = took[problem[i], "wave"] / took[problem[i], "lee"]
        for (j = n++; j > 0 && sorted[j] > ratio; j--)
            sorted[j + 1] = sorted[j]
        sorted[j + 1] = ratio
    }
    half = 1.96 * sqrt(n) / 2
    return sprintf("%d | %.2f (%.2f to %.2f) | %.2f to %.2f", n, sorted[int((n + 1) / 2)], sorted[int(n / 2 - half)], \
        sorted[int(n / 2 + 1 + half) + 1], sorted[int(n / 4)], sorted[int(3 * n / 4)])
}

END {
    if (table == "starts") {
        print "| target | pairs | wave/Lee, median (95 %) | quartiles | wave: steps, median (95 %) | Lee: steps, median (95 %) | wave faster |"
        print "|---|---:|---:|---:|---:|---:|---:|"
        for (m = 1; m <= 2; m++) {
            motion = m == 1 ? "still" : "random"
            wave = summary[motion, "wave"]
            lee = summary[motion, "lee"]
            printf "| %s | %s | %s | %s | %d of %d |\n", motion, ratios(motion), interval(wave, "steps_median", "%.0f"), \
                interval(lee, "steps_median", "%.0f"), value(wave, "wins"), value(wave, "chases")
            if (value(wave, "more_steps_high_95") >= 0) {
                print motion ": the wave is not faster than Lee" >"/dev/stderr"
                broken = 1
            }
        }
    }
    if (table == "thresholds") {
        print "| threshold over A | capture rate within 1,000 steps (95 %) | steps, median (95 %) |\n|---|---:|---:|"
        for (i = 1; i <= settings; i++)
            printf "| %s | %s | %s |\n", substr(measured[i], 1, index(measured[i], ",") - 1), interval(measured[i], "capture_rate", "%.3f"), \
                value(measured[i], "steps_median") == "" ? "more than 1,000" : interval(measured[i], "steps_median", "%.0f")
    }
    if (table == "waves")
        for (i = 1; i <= settings; i++)
            printf "%s%s", value(measured[i], of), i % columns ? " " : "\n"
    exit broken
}
