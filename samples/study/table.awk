# SPDX-License-Identifier: MIT
# A table in Markdown from the csv of hamon-reflection, hamon-isotropy,
# hamon-steering or hamon-sweep: the rows whose label (first column) matches
# -v match=REGEX, with the columns -v columns='NAME=HEAD;...'. -v drop=REGEX
# removes text from labels. With -v pivot=REGEX the table has a column for each
# text that it matches in a label, with the values of the one named column.
function cut(line,    n) {
    n = 0
    while (line != "") {
        if (substr(line, 1, 1) == "\"") {
            match(line, /^"([^"]|"")*"/)
            part[++n] = substr(line, 2, RLENGTH - 2)
            line = substr(line, RLENGTH + 2)
        } else {
            match(line, /^[^,]*/)
            part[++n] = substr(line, 1, RLENGTH)
            line = substr(line, RLENGTH + 2)
        }
    }
    return n
}

function number(text) {
    return text == "" ? "–" : text ~ /^[-+.0-9e]+$/ ? sprintf(form ? form : "%.4g", text) : text
}

function line_of(label, cells) {
    gsub(/^, *|, *$/, "", label)
    print "| " (label == "" ? head[1] : label) " |" cells
}

BEGIN {
    count = split(columns, want, ";")
    for (i = 1; i <= count; i++) {
        split(want[i], pair, "=")
        name[i] = pair[1]
        head[i] = pair[2] != "" ? pair[2] : pair[1]
    }
    if (first == "")
        first = "setting"
}
{ n = cut($0) }
FNR == 1 {
    for (i = 1; i <= n; i++)
        at[part[i]] = i
    next
}
part[1] ~ match_ {
    label = part[1]
    if (pivot) {
        match(label, pivot)
        column = substr(label, RSTART, RLENGTH)
        sub(pivot, "", label)
        sub(/^[^0-9]*/, "", column)
        if (!(column in place)) {
            place[column] = ++places
            order[places] = column
        }
    }
    gsub(drop ? drop : "\001", "", label)
    gsub(/, *, */, ", ", label)
    if (!(label in seen)) {
        seen[label] = 1
        rows[++row_count] = label
    }
    for (i = 1; i <= count; i++)
        value[label, pivot ? column : i] = number(part[at[name[i]]])
}
END {
    heads = first
    for (i = 1; i <= (pivot ? places : count); i++) {
        heads = heads " | " (pivot ? order[i] : head[i])
        marks = marks "---:|"
    }
    print "| " heads " |\n|---|" marks
    for (r = 1; r <= row_count; r++) {
        cells = ""
        for (i = 1; i <= (pivot ? places : count); i++)
            cells = cells " " value[rows[r], pivot ? order[i] : i] " |"
        line_of(rows[r], cells)
    }
    if (!row_count) {
        print "table.awk: no row matches " match_ >"/dev/stderr"
        exit 1
    }
}
