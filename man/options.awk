# SPDX-License-Identifier: MIT
# docs/reference/options.md: every option, and the programs that have it, from their --help.
# Reads them in turn, each after a line "@NAME"; -v programs=N is how many.
# Programs with the same text for an option share a row; an option with different
# meanings has several rows.

function done_with_option(    key) {
    if (option == "")
        return
    sub(/^ +/, "", text)
    key = option " | " text
    if (!(key in having))
        keys[++count] = key
    having[key] = having[key] (having[key] ? ", " : "") program
    times[key]++
    option = text = ""
}

function insert_sorted(    i, j, held) {
    for (i = 2; i <= count; i++) {
        held = keys[i]
        for (j = i - 1; j >= 1 && name_of(keys[j]) > name_of(held); j--)
            keys[j + 1] = keys[j]
        keys[j + 1] = held
    }
}

function name_of(key) {
    sub(/^`(-[A-Za-z], )?/, "", key)
    sub(/`.*/, "", key)
    return key
}

/^@/ {
    done_with_option()
    program = substr($0, 2)
    sub(/^hamon-/, "", program)
    inside = 0
    next
}
/^Options:/ { inside = 1; next }
inside && /^$/ { done_with_option(); inside = 0 }
inside && /^ +-/ && match($0, /^(  -[A-Za-z]|      -)/) {
    done_with_option()
    line = $0
    sub(/^ +/, "", line)
    end = match(line, /  +/)
    option = "`" (end ? substr(line, 1, end - 1) : line) "`"
    text = end ? substr(line, end) : ""
    next
}
inside && option != "" {
    line = $0
    sub(/^ +/, "", line)
    text = text " " line
}
END {
    done_with_option()
    insert_sorted()
    print "# Options by program"
    print ""
    print "Made by `make options` from each program's `--help`. `slice` is hamon-slice."
    print ""
    print "| option | what it does | programs |"
    print "|---|---|---|"
    for (i = 1; i <= count; i++) {
        gsub(/[|]/, "\\|", having[keys[i]])
        split(keys[i], part, " [|] ")
        gsub(/[|]/, "\\|", part[1])
        gsub(/[|]/, "\\|", part[2])
        print "| " part[1] " | " part[2] " | " (times[keys[i]] == programs ? "all" : having[keys[i]]) " |"
    }
}
