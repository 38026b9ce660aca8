# SPDX-License-Identifier: MIT
# A table in Markdown of the mean lines of bench/remedies, one for each source, the
# first 5,5: "NAME mean 12 reach R wrong W trace T ratio L worst M".
function range(name, column,    i, low, high) {
    low = high = value[name, 1, column]
    for (i = 2; i <= count[name]; i++) {
        if (value[name, i, column] < low) low = value[name, i, column]
        if (value[name, i, column] > high) high = value[name, i, column]
    }
    low = sprintf("%.3f", low)
    high = sprintf("%.3f", high)
    return count[name] == 1 ? "" : low == high ? " " low " |" : " " low " to " high " |"
}
{
    if (!($1 in count))
        order[++names] = $1
    count[$1]++
    for (i = 5; i <= 13; i += 2)
        value[$1, count[$1], i] = $i
}
END {
    several = count[order[1]] > 1
    print "| detector, walls, heading | reach | wrong | arrive | length | worst map |" \
        (several ? " reach, three sources | wrong | arrive | length |" : "")
    print "|---|---:|---:|---:|---:|---:|" (several ? "---:|---:|---:|---:|" : "")
    for (n = 1; n <= names; n++) {
        name = order[n]
        label = name
        gsub(/,/, ", ", label)
        printf "| %s | %.4f | %.4f | %.4f | %.4f | %.4f |%s%s%s%s\n", label, value[name, 1, 5], value[name, 1, 7], \
            value[name, 1, 9], value[name, 1, 11], value[name, 1, 13], range(name, 5), range(name, 7), range(name, 9), \
            range(name, 11)
    }
}
