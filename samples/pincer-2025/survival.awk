# SPDX-License-Identifier: MIT
# From the lines of a verification: steps, and the share of chases that have not
# ended by then, for each method; a block for each method, separated by two empty
# lines.
BEGIN { FS = "\t" }
$1 != "seed" {
    if (!($2 in count))
        order[methods++] = $2
    steps[$2, count[$2]++] = $3 + 0
    over[$2, count[$2] - 1] = $4
}
END {
    for (m = 0; m < methods; m++) {
        name = order[m]
        n = count[name]
        for (i = 1; i < n; i++)
            for (j = i; j > 0 && steps[name, j - 1] > steps[name, j]; j--) {
                swap = steps[name, j]; steps[name, j] = steps[name, j - 1]; steps[name, j - 1] = swap
                swap = over[name, j]; over[name, j] = over[name, j - 1]; over[name, j - 1] = swap
            }
        printf "%s# %s\n0 1\n", m ? "\n\n" : "", name
        left = n
        for (i = 0; i < n; i++) {
            left -= over[name, i]
            printf "%d %.4f\n", steps[name, i], left / n
        }
    }
}
