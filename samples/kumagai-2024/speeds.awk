# SPDX-License-Identifier: MIT
# The table of fast and slow waves, from the rows that hamon-compare wrote: the
# first file is A*, the others are waves with agents at one speed each, named
# …-SPEED.csv. A wave moves .5 cells a step. A chase without a capture counts
# with the length of its path at the step limit.
BEGIN {
    FS = ","
    print "| chase | wave's speed over the agent's | captured | path over A*'s | waves received | cells walked from one to the next | time, in cells walked |"
    print "|---|---:|---:|---:|---:|---:|---:|"
}
FNR == 1 {
    speed = FILENAME
    sub(/.*-/, "", speed)
    speed += 0
    next
}
!speed { walked[$1] = $7; next }
{
    key = $2 " " speed
    if (!n[key]++)
        order[++keys] = key
    ratio = $7 / walked[$1]
    captured[key] += $5
    ratios[key] += ratio
    squares[key] += ratio ^ 2
    path[key] += $7
    updates[key] += $11
    time[key] += $6 * speed
}
END {
    split("still moving", class, " ")
    for (c = 1; c <= 2; c++)
        for (i = 1; i <= keys; i++) {
            key = order[i]
            split(key, part, " ")
            if (part[1] != class[c])
                continue
            m = n[key]
            mean = ratios[key] / m
            printf "| %s | %.3g | %d of %d | %.2f ± %.2f | %.0f | %.2f | %.0f |\n", part[1], 0.5 / part[2], captured[key], m, mean, \
                sqrt((squares[key] / m - mean ^ 2) / (m - 1)), updates[key] / m, path[key] / updates[key], time[key] / m
        }
}
